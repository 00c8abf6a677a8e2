// QR of matrices with their own sizes, run on the host: small ones with several per warp, larger ones by panels and
// updates, compared with LAPACK's algorithm column by column.
#include "qr_on_host.h"

#include "geqrf/cluster.cuh"
#include "geqrf/cluster_shares.cuh"
#include "geqrf/columns.cuh"
#include "geqrf/each.cuh"
#include "geqrf/form_s.cuh"
#include "geqrf/generic_each.cuh"
#include "geqrf/outside.cuh"
#include "geqrf/tall_ahead.cuh"
#include "geqrf/tall_panel.cuh"
#include "geqrf/tall_update.cuh"
#include "geqrf/update_memory.cuh"
#include "geqrf/update_team.cuh"
#include "geqrf/update_tensor.cuh"
#include "geqrf/update_vector.cuh"
#include "geqrf/lane.cuh"
#include "geqrf/warp_each.cuh"
#include "geqrf/tall_each.cuh"
#include "geqrf/larfb_each.cuh"

namespace tephra {
template <typename T, int PR, int PC, int RPT, int CPT, int WARPS>
struct Small {
    static constexpr int most = PR * RPT, threads = 32 * WARPS, per_block = 32 / (PR * PC) * WARPS;
    static void run(const GeqrfEachArgs &args) { geqrf_warp_each<T, PR, PC, RPT, CPT, WARPS>(args); }
};
} // namespace tephra
TEPHRA_TALL_EACH(tall_s, s, 16, 8, 1, 1, 4, 2, 1, 8)
TEPHRA_TALL_EACH(tall_d, d, 32, 16, 2, 2, 4, 2, 1, 16)
TEPHRA_TALL_EACH(tall_c, c, 16, 8, 1, 4, 4, 2, 1, 8)
TEPHRA_TALL_EACH(tall_z, z, 8, 4, 1, 4, 4, 2, 1, 4)
TEPHRA_GENERIC_EACH(generic_s, s, 64)
TEPHRA_GENERIC_EACH(generic_d, d, 64)
TEPHRA_GENERIC_EACH(generic_c, c, 64)
TEPHRA_GENERIC_EACH(generic_z, z, 64)
TEPHRA_LARFB_EACH(larfb_s, s, 32, 32, 2, 3, 1, 1)
TEPHRA_LARFB_EACH(larfb_d, d, 16, 16, 2, 4, 1, 1)
TEPHRA_LARFB_EACH(larfb_c, c, 16, 16, 2, 4, 1, 1)
TEPHRA_LARFB_EACH(larfb_z, z, 16, 16, 2, 8, 1, 1)

namespace {

// A batch whose members each have rows below them and room around them.
template <typename T>
struct Members {
    std::vector<int> m, n, ld, info;
    std::vector<std::vector<T>> a, tau;
    std::vector<T *> a_array, tau_array;
    int most_m, most_n;

    Members(int most_m, int most_n, int count) : info(count, -77), most_m(most_m), most_n(most_n) {
        using R = Real<T>;
        const int far = sizeof(R) == 4 ? 110 : 1000;
        for (int i = 0; i < count; ++i) {
            const int kind = i % 8;
            int rows = 1 + static_cast<int>(engine() % most_m), columns = 1 + static_cast<int>(engine() % most_n);
            if (kind == 0) rows = most_m, columns = most_n;
            if (kind == 1) rows = columns = rows < most_n ? rows : most_n;
            if (i == 9) rows = 0;
            if (i == 11) columns = 0;
            if (i == 12 || i == 13) rows = 1; // in a real type only tau is written
            m.push_back(rows), n.push_back(columns), ld.push_back(rows + 1 + i % 3);
            a.emplace_back(ld[i] * columns + 5), tau.emplace_back((rows < columns ? rows : columns) + 3, make<T>(R(7)));
            for (T &x : a[i]) x = random_number<T>();
            for (int j = 0; j < columns; ++j)
                for (int r = 0; r < rows; ++r) {
                    T &x = a[i][r + j * ld[i]];
                    if (kind == 3) x = scale(x, R(ldexp(1, (j * 37 % 9 - 4) * far / 4)));
                    if (kind == 5 && j % 2 == 0) x = make<T>(r == j ? 1 : 0); // H = I in a real type
                    if (kind == 6 && j % 3 == 0) x = make<T>(0);
                    // Zeros below a pivot whose square underflows: for complex pivots H is not I.
                    if (kind == 7) x = r > j ? make<T>(0) : scale(x, R(ldexp(1, -far * 3 / 4)));
                }
            if (i == 15) a[i][0] = make<T>(R(NAN));
        }
        // Invalid members: too many rows, negative columns, a leading dimension that is too small.
        if (count > 20) m[17] = most_m + 1, n[18] = -1, m[18] = m[18] > 1 ? m[18] : 1, ld[20] = m[20] - 1;
        for (int i = 0; i < count; ++i) a_array.push_back(a[i].data()), tau_array.push_back(tau[i].data());
    }
    int count() const { return static_cast<int>(m.size()); }
    int code(int i) const {
        if (m[i] < 0 || m[i] > most_m) return -1;
        if (n[i] < 0 || n[i] > most_n) return -2;
        return ld[i] < (m[i] > 1 ? m[i] : 1) ? -4 : 0;
    }
    SizesArgs sizes(int over, int upto) const {
        return {{m.data(), most_m}, {n.data(), most_n}, ld.data(), over, upto};
    }
    GeqrfEachArgs args(int over, int upto) {
        GeqrfEachArgs args = {};
        args.a = a_array.data(), args.tau = tau_array.data(), args.info = info.data();
        args.flags = GeqrfArgs::A_POINTERS | GeqrfArgs::TAU_POINTERS | GeqrfArgs::INFO;
        args.batch = count(), args.m = most_m, args.n = most_n, args.sizes = sizes(over, upto);
        return args;
    }
};

template <typename T>
void compare(const std::string &name, const Members<T> &got, const Members<T> &was, int over, int upto) {
    using R = Real<T>;
    for (int i = 0; i < got.count(); ++i) {
        const int m = was.m[i], n = was.n[i], ld = was.ld[i], k = m < n ? m : n, larger = m > n ? m : n;
        const std::string text =
            name + " member " + std::to_string(i) + " " + std::to_string(m) + "x" + std::to_string(n);
        const int code = was.code(i);
        const bool works = code == 0 && k > 0 && larger > over && larger <= upto;
        report(text + " info " + std::to_string(got.info[i]), got.info[i] == (works || k == 0 || code ? code : -77));
        auto expected = was.a[i], expected_tau = was.tau[i];
        if (!works) {
            const auto same = [](const std::vector<T> &x, const std::vector<T> &y) {
                return memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
            };
            report(text + " is touched", same(got.a[i], expected) && same(got.tau[i], expected_tau));
            continue;
        }
        std::vector<int> e(n);
        for (int j = 0; j < n; ++j) {
            R largest = 0;
            for (int r = 0; r < m; ++r) largest = fmax(largest, abs_inf(expected[r + j * ld]));
            e[j] = largest > 0 && i != 15 ? ilogb(largest) : 0;
            for (int r = 0; r < m; ++r) expected[r + j * ld] = scale(expected[r + j * ld], R(ldexp(1, -e[j])));
        }
        factor(expected.data(), ld, expected_tau.data(), m, n);
        double worst = 0;
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < m; ++r) {
                const T x = got.a[i][r + j * ld];
                const double d = distance(r <= j ? scale(x, R(ldexp(1, -e[j]))) : x, expected[r + j * ld]);
                worst = d == d ? fmax(worst, d) : INFINITY;
            }
        for (int j = 0; j < k; ++j) {
            const double d = distance(got.tau[i][j], expected_tau[j]);
            worst = d == d ? fmax(worst, d) : INFINITY;
        }
        bool room = true; // room around members is unchanged
        for (size_t at = 0; at < expected.size(); ++at)
            if (static_cast<int>(at) % ld >= m || static_cast<int>(at) / ld >= n)
                room &= memcmp(&got.a[i][at], &was.a[i][at], sizeof(T)) == 0;
        for (int j = k; j < k + 3; ++j) room &= re(got.tau[i][j]) == 7;
        report(text + " writes elsewhere", room);
        if (i == 15)
            report(text + " is not told", re(got.a[i][0]) != re(got.a[i][0]));
        else if (i % 8 != 6) // after a zero column all is well determined, except a square matrix's last column
            report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 20000 * epsilon<T>());
    }
}

template <typename K, typename T>
void small(const char *name) {
    for (int over : {0, 3})
        for (int most_m : {K::most, K::most - 1, 5})
            for (int most_n : {K::most, 4}) {
                Members<T> got(most_m, most_n, 41), was = got;
                for (int i = 0; i < 41; ++i) got.a_array[i] = got.a[i].data(), got.tau_array[i] = got.tau[i].data();
                const GeqrfEachArgs args = got.args(over, K::most);
                host::launch((41 + K::per_block - 1) / K::per_block, K::threads, [&] { K::run(args); });
                compare(std::string(name) + " " + std::to_string(most_m) + "x" + std::to_string(most_n), got, was, over,
                        K::most);
            }
}

// Panels and updates, as launched by src/gpu/geqrf/each_choose.rs.
template <typename T, typename Panel, typename Update>
void panels(const char *name, int width, Panel panel, Update update, int columns) {
    for (int over : {0, 20})
        for (auto [most_m, most_n] : {std::pair(100, 90), {70, 100}, {128, width}, {100, 20}, {40, 1}}) {
            Members<T> got(most_m, most_n, 41), was = got;
            for (int i = 0; i < 41; ++i) got.a_array[i] = got.a[i].data(), got.tau_array[i] = got.tau[i].data();
            const int steps = most_m < most_n ? most_m : most_n;
            for (int at = 0; at < steps; at += width) {
                GeqrfEachArgs args = got.args(over, 1 << 30);
                args.at = at, args.m = most_m - at, args.n = steps - at < width ? steps - at : width, args.panel = 1;
                // Blocks loop over members.
                host::launch(13, 64, [&] { panel(args); });
                if (at + args.n >= most_n && most_n <= over) break;
                LarfbEachArgs beside = {};
                beside.v = beside.c = {got.a_array.data(), 0, 1, 0}, beside.tau = {got.tau_array.data(), 0, 1, 0};
                beside.batch = 41, beside.k = args.n, beside.at = at, beside.adjoint = 1;
                beside.sizes = args.sizes, beside.kind = LarfbEachArgs::beside;
                const int rounds = (most_n - at - 1 + columns - 1) / columns;
                beside.tiles = rounds > 2 ? 2 : 1;
                host::launch(17, 64, [&] { update(beside); });
            }
            compare(std::string(name) + " " + std::to_string(most_m) + "x" + std::to_string(most_n), got, was, over,
                    1 << 30);
        }
}

// Reflectors of members, each with at least as many rows as reflectors, and the matrices that they are applied to.
template <typename T>
struct Reflectors {
    int count = 23, most = 70;
    std::vector<int> m, n, k, lda, ldc, info;
    std::vector<std::vector<T>> a, tau, c;
    std::vector<T *> a_array, tau_array, c_array;

    // kind: that of the launch. Members 3 and 5 are invalid.
    explicit Reflectors(int kind) : info(count, -77) {
        for (int i = 0; i < count; ++i) {
            const auto some = [&](int most) { return 1 + static_cast<int>(engine() % most); };
            int rows = i == 0 ? most : some(most), columns = some(kind == LarfbEachArgs::writes ? rows : most);
            const int order = kind == LarfbEachArgs::right ? columns : rows;
            const int least = kind == LarfbEachArgs::writes || order < columns ? columns : order;
            int reflectors = i == 1 ? 0 : some(least < order ? least : order);
            m.push_back(rows), n.push_back(columns), k.push_back(reflectors);
            lda.push_back(order + i % 3), ldc.push_back(rows + i % 4);
            const int width = kind == LarfbEachArgs::writes ? columns : reflectors;
            a.emplace_back(lda[i] * width + 5), tau.emplace_back(reflectors + 1), c.emplace_back(ldc[i] * columns + 5);
            for (T &x : a[i]) x = random_number<T>();
            for (T &x : c[i]) x = random_number<T>();
            factor(a[i].data(), lda[i], tau[i].data(), order, reflectors);
        }
        m[3] = most + 1, lda[5] = 0;
        for (int i = 0; i < count; ++i)
            a_array.push_back(a[i].data()), tau_array.push_back(tau[i].data()), c_array.push_back(c[i].data());
    }
    LarfbEachArgs args(int kind) {
        LarfbEachArgs args = {};
        args.v = {a_array.data(), 0, 1, 0}, args.tau = {tau_array.data(), 0, 1, 0};
        args.c = kind == LarfbEachArgs::writes ? args.v : Operand{c_array.data(), 0, 1, 0};
        args.batch = count, args.tiles = 1, args.kind = kind, args.info = info.data();
        args.sizes = {{m.data(), most}, {n.data(), most}, lda.data(), 0, 1 << 30};
        args.reflectors = {k.data(), most}, args.leading_of_c = ldc.data();
        return args;
    }
};

// x := H x or H^H x, with all reflectors, for x of `order` rows.
template <typename T>
void reflect(const std::vector<T> &a, int lda, const std::vector<T> &tau, int k, bool adjoint, std::vector<T> &x) {
    for (int step = 0; step < k; ++step) {
        const int l = adjoint ? step : k - 1 - step, order = static_cast<int>(x.size());
        T dot = x[l];
        for (int r = l + 1; r < order; ++r) dot = cfma_(a[r + l * lda], x[r], dot);
        dot = mul(adjoint ? conj(tau[l]) : tau[l], dot);
        x[l] = add(x[l], scale(dot, Real<T>(-1)));
        for (int r = l + 1; r < order; ++r) x[r] = fnma_(a[r + l * lda], dot, x[r]);
    }
}

template <typename T>
void verdict(const std::string &text, const std::vector<T> &got, const std::vector<T> &expected) {
    double worst = 0;
    for (size_t at = 0; at < got.size(); ++at) {
        const double d = distance(got[at], expected[at]);
        worst = d == d ? fmax(worst, d) : INFINITY;
    }
    report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 500 * epsilon<T>());
}

template <typename T, typename Kernel>
void written(const char *name, int width, Kernel kernel) {
    Reflectors<T> got(LarfbEachArgs::writes), was = got;
    LarfbEachArgs args = got.args(LarfbEachArgs::writes);
    for (int at = (got.most - 1) / width * width; at >= 0; at -= width) {
        args.at = at, args.k = got.most - at < width ? got.most - at : width;
        host::launch(7, 64, [&] { kernel(args); });
    }
    for (int i = 0; i < got.count; ++i) {
        const std::string text = std::string(name) + " member " + std::to_string(i);
        report(text + " info", got.info[i] == (i == 3 ? -1 : i == 5 ? -5 : 0));
        auto expected = was.a[i];
        for (int j = 0; i != 3 && i != 5 && j < was.n[i]; ++j) {
            std::vector<T> x(was.m[i], make<T>(0));
            x[j] = make<T>(1);
            reflect(was.a[i], was.lda[i], was.tau[i], was.k[i], false, x);
            std::copy(x.begin(), x.end(), expected.begin() + j * was.lda[i]);
        }
        verdict(text, got.a[i], expected);
    }
}

template <typename T, typename Kernel>
void applied(const char *name, int width, Kernel kernel) {
    for (int kind : {LarfbEachArgs::left, LarfbEachArgs::right})
        for (char op : {'N', 'T', 'C'}) {
            const bool left = kind == LarfbEachArgs::left;
            Reflectors<T> got(kind), was = got;
            LarfbEachArgs args = got.args(kind);
            // As in Canonical::of.
            args.adjoint = left ? op != 'N' : op == 'N', args.transposed = !left;
            args.conjugate = is_complex<T> && (left ? op == 'T' : op != 'T');
            args.tiles = left ? 2 : 1;
            const int last = (got.most - 1) / width * width;
            for (int step = 0; step <= last; step += width) {
                args.at = args.adjoint ? step : last - step;
                args.k = got.most - args.at < width ? got.most - args.at : width;
                host::launch(9, 64, [&] { kernel(args); });
            }
            for (int i = 0; i < got.count; ++i) {
                const std::string text =
                    std::string(name) + (left ? " left " : " right ") + op + " member " + std::to_string(i);
                report(text + " info", got.info[i] == (i == 3 ? -3 : i == 5 ? -7 : 0));
                auto expected = was.c[i];
                const int ldc = was.ldc[i], columns = left ? was.n[i] : was.m[i], order = left ? was.m[i] : was.n[i];
                for (int j = 0; i != 3 && i != 5 && j < columns; ++j) {
                    // A column of C, or of C^H, where C op(Q) = (op(Q)^H C^H)^H; what is transposed is also conjugated.
                    std::vector<T> x(order);
                    const bool turned = is_complex<T> && op == 'T';
                    for (int r = 0; r < order; ++r) {
                        const T y = left ? expected[r + j * ldc] : conj(expected[j + r * ldc]);
                        x[r] = turned ? conj(y) : y;
                    }
                    reflect(was.a[i], was.lda[i], was.tau[i], was.k[i], left ? op != 'N' : op == 'N', x);
                    for (int r = 0; r < order; ++r) {
                        const T y = turned ? conj(x[r]) : x[r];
                        (left ? expected[r + j * ldc] : expected[j + r * ldc]) = left ? y : conj(y);
                    }
                }
                verdict(text, got.c[i], expected);
                report(text + " changes reflectors",
                       memcmp(got.a[i].data(), was.a[i].data(), got.a[i].size() * sizeof(T)) == 0);
            }
        }
}

} // namespace

int main() {
    host::shared_memory.resize(1 << 18);
    small<Small<float, 4, 2, 2, 4, 2>, float>("small s 8");
    small<Small<double, 2, 2, 4, 4, 1>, double>("small d 8");
    small<Small<Complex<float>, 4, 4, 4, 4, 2>, Complex<float>>("small c 16");
    small<Small<Complex<double>, 4, 2, 2, 4, 1>, Complex<double>>("small z 8");
    small<Small<float, 8, 4, 4, 8, 1>, float>("small s 32");
    small<Small<double, 4, 4, 4, 4, 2>, double>("small d 16");
    panels<float>("tall s", 16, tall_s, larfb_s, 32);
    panels<double>("tall d", 16, tall_d, larfb_d, 16);
    panels<Complex<float>>("tall c", 16, tall_c, larfb_c, 16);
    panels<Complex<double>>("tall z", 8, tall_z, larfb_z, 16);
    panels<float>("generic s", 32, generic_s, larfb_s, 32);
    panels<double>("generic d", 16, generic_d, larfb_d, 16);
    panels<Complex<float>>("generic c", 16, generic_c, larfb_c, 16);
    panels<Complex<double>>("generic z", 16, generic_z, larfb_z, 16);
    written<float>("written s", 32, larfb_s);
    written<double>("written d", 16, larfb_d);
    written<Complex<float>>("written c", 16, larfb_c);
    written<Complex<double>>("written z", 16, larfb_z);
    applied<float>("applied s", 32, larfb_s);
    applied<double>("applied d", 16, larfb_d);
    applied<Complex<float>>("applied c", 16, larfb_c);
    applied<Complex<double>>("applied z", 16, larfb_z);
    printf(failures ? "%d checks failed\n" : "QR of different sizes on the host: ok\n", failures);
    return failures != 0;
}
