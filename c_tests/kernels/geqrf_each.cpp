// QR of matrices with sizes of their own, run on the host: small ones several in a warp, larger ones by panels and
// updates, against LAPACK's way column by column.
#define shfl_group shfl_group_of_the_device
#include "assembly_on_host.h"
#undef shfl_group

#include "tall_case.h"

inline float __int_as_float(int bits) { return __uint_as_float(static_cast<unsigned>(bits)); }
inline double __longlong_as_double(long long bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
inline int __syncthreads_or(int mine) {
    static int any;
    __syncthreads();
    if (mine) any = 1;
    __syncthreads();
    const int all = any;
    __syncthreads();
    any = 0;
    __syncthreads();
    return all;
}

namespace tephra {
template <typename T>
void copy_async(T *to, const T *from) {
    *to = *from;
}
} // namespace tephra

// The estimates' instructions: of `q` a root, of `d` a quotient; a function that has no such argument has these.
namespace tephra {
constexpr float q = 1, d = 1;
template <typename Q, typename D>
auto estimate(const char *instruction, Q q, D d) {
    return strstr(instruction, "rsqrt") ? 1 / sqrt(q) * (1 + 0x1p-21) : 1 / d * (1 - 0x1p-21);
}
} // namespace tephra
#define asm(...) y = estimate(#__VA_ARGS__, q, d)
#include "common/householder.cuh"
#undef asm
// What other assembly there is hides values from the compiler, or is never reached here.
#define volatile(...) ("")
#include "common/stage.cuh"
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
// Their arrays of a size that the launch says are this one.
namespace tephra {
alignas(16) unsigned char raw[1 << 18];
}
#define __align__(bytes)
#undef __shared__
#define __shared__
#include "geqrf/tall.cuh"
#include "geqrf/update.cuh"
#include "geqrf/warp.cuh"
#undef __shared__
#define __shared__ static
#include "geqrf/warp_each.cuh"
#include "geqrf/tall_each.cuh"
#include "geqrf/update_each.cuh"


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
TEPHRA_UPDATE_EACH(update_s, s, 32, 32, 2, 3, 1, 1)
TEPHRA_UPDATE_EACH(update_d, d, 32, 16, 2, 8, 1, 1)
TEPHRA_UPDATE_EACH(update_c, c, 32, 16, 2, 4, 1, 1)
TEPHRA_UPDATE_EACH(update_z, z, 16, 16, 2, 8, 1, 1)

namespace {

// A batch, each of its members with rows below and room around it.
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
            m.push_back(rows), n.push_back(columns), ld.push_back(rows + 1 + i % 3);
            a.emplace_back(ld[i] * columns + 5), tau.emplace_back((rows < columns ? rows : columns) + 3, make<T>(R(7)));
            for (T &x : a[i]) x = random_number<T>();
            for (int j = 0; j < columns; ++j)
                for (int r = 0; r < rows; ++r) {
                    T &x = a[i][r + j * ld[i]];
                    if (kind == 3) x = scale(x, R(ldexp(1, (j * 37 % 9 - 4) * far / 4)));
                    if (kind == 5 && j % 2 == 0) x = make<T>(r == j ? 1 : 0); // H = I in a real type
                    if (kind == 6 && j % 3 == 0) x = make<T>(0);
                }
            if (i == 15) a[i][0] = make<T>(R(NAN));
        }
        // What is not valid: too many rows, too many columns, a leading dimension.
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
        const std::string text = name + " member " + std::to_string(i) + " " + std::to_string(m) + "x" +
                                 std::to_string(n);
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
        bool room = true; // is as it was
        for (size_t at = 0; at < expected.size(); ++at)
            if (static_cast<int>(at) % ld >= m || static_cast<int>(at) / ld >= n)
                room &= memcmp(&got.a[i][at], &was.a[i][at], sizeof(T)) == 0;
        for (int j = k; j < k + 3; ++j) room &= re(got.tau[i][j]) == 7;
        report(text + " writes elsewhere", room);
        if (i == 15)
            report(text + " is not told", re(got.a[i][0]) != re(got.a[i][0]));
        else if (i % 8 != 6) // what follows a column of zeros is well determined, but the last of a square is not
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

// Panels and updates, as src/plan/geqrf_each.rs has them.
template <typename T, typename Panel, typename Update>
void panels(const char *name, int width, Panel panel, Update update, int columns, int threads = 64) {
    for (int over : {0, 20})
        for (auto [most_m, most_n] : {std::pair(100, 90), {70, 100}, {128, width}, {100, 20}, {40, 1}}) {
            Members<T> got(most_m, most_n, 41), was = got;
            for (int i = 0; i < 41; ++i) got.a_array[i] = got.a[i].data(), got.tau_array[i] = got.tau[i].data();
            const int steps = most_m < most_n ? most_m : most_n;
            for (int at = 0; at < steps; at += width) {
                GeqrfEachArgs args = got.args(over, 1 << 30);
                args.at = at, args.m = most_m - at, args.n = steps - at < width ? steps - at : width, args.panel = 1;
                host::launch(13, threads, [&] { panel(args); });
                if (at + args.n >= most_n && most_n <= over) break;
                LarfbEachArgs beside = {};
                beside.v = beside.c = {got.a_array.data(), 0, 1, 0}, beside.tau = {got.tau_array.data(), 0, 1, 0};
                beside.batch = 41, beside.k = args.n, beside.at = at, beside.adjoint = 1;
                beside.sizes = args.sizes;
                const int rounds = (most_n - at - 1 + columns - 1) / columns;
                beside.tiles = rounds > 2 ? 2 : 1;
                host::launch(17, 64, [&] { update(beside); });
            }
            compare(std::string(name) + " " + std::to_string(most_m) + "x" + std::to_string(most_n), got, was, over,
                    1 << 30);
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
    panels<float>("tall s", 16, tall_s, update_s, 32);
    panels<double>("tall d", 32, tall_d, update_d, 16);
    panels<Complex<float>>("tall c", 16, tall_c, update_c, 16);
    panels<Complex<double>>("tall z", 8, tall_z, update_z, 16);
    panels<float>("generic s", 32, generic_s, update_s, 32);
    panels<double>("generic d", 32, generic_d, update_d, 16);
    panels<Complex<float>>("generic c", 32, generic_c, update_c, 16);
    panels<Complex<double>>("generic z", 16, generic_z, update_z, 16);
    printf(failures ? "%d checks failed\n" : "QR of different sizes on the host: ok\n", failures);
    return failures != 0;
}
