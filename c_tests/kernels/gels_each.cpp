// Members with their own sizes, run on the host: kernels that only least squares, LQ, solves with vectors, and blocks
// of members need.
#include "qr_on_host.h"

#include "auxiliary/blocks.cuh"
#include "gels/each.cuh"
#include "lu_case.h"
#include "trsm/trsm.cuh"

#include <complex>

TEPHRA_GELS_PREPARE_EACH(prepare_s, s, 64)
TEPHRA_GELS_PREPARE_EACH(prepare_z, z, 64)
TEPHRA_GELS_FINISH_EACH(finish_s, s, 64)
TEPHRA_GELS_FINISH_EACH(finish_z, z, 64)
TEPHRA_ADJOINT_EACH(adjoint_s, s, 32, 64)
TEPHRA_ADJOINT_EACH(adjoint_z, z, 8, 32)
TEPHRA_TRSM_EACH(trsm_d, d, 4, 1, 32, 1, 1)
TEPHRA_TRSM_EACH(trsm_c, c, 1, 2, 8, 4, 1)
TEPHRA_BLOCKS(blocks_of_each, s, 32)

namespace {

int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

// Matrices one after another in one array, with a pointer to each.
template <typename T>
struct Members {
    std::vector<int> rows, columns, ld;
    std::vector<size_t> start;
    std::vector<T> data;
    std::vector<T *> pointers;

    void add(int m, int n) {
        rows.push_back(m), columns.push_back(n), ld.push_back(m + below(3));
        start.push_back(data.size() + 2);
        const size_t end = data.size() + static_cast<size_t>(ld.back()) * n + 4;
        while (data.size() < end) data.push_back(random_number<T>());
    }
    T *member(int i) { return data.data() + start[i]; }
    T &at(int i, int r, int c) { return member(i)[r + static_cast<size_t>(c) * ld[i]]; }
    Operand operand() {
        pointers.clear();
        for (int i = 0; i < static_cast<int>(rows.size()); ++i) pointers.push_back(member(i));
        return {pointers.data(), 0, 1, 0};
    }
};

template <typename T>
bool same(const T &x, const T &y) {
    return memcmp(&x, &y, sizeof(T)) == 0;
}
template <typename T>
T times(T x, int e) {
    using R = Real<T>;
    return make<T>(static_cast<R>(ldexp(double(re(x)), e)), static_cast<R>(ldexp(double(im(x)), e)));
}

constexpr int count = 11;

// The kernels before and after the other steps, which are left out here: checks the shapes for those steps, and what is
// copied, scaled and cleared; then that the scaling is undone, and info.
template <typename T, typename Prepare, typename Finish>
void around(const std::string &name, Prepare prepare, Finish finish) {
    using R = Real<T>;
    const int end = sizeof(R) == 4 ? 110 : 1000;
    for (const bool transposed : {false, true})
        for (const int most : {1, 6, 40}) {
            std::vector<int> m, n, nrhs, exponent;
            Members<T> a, b;
            for (int i = 0; i < count; ++i) {
                m.push_back(i == 2 ? -1 : i == 3 ? 0 : below(most + 1)), n.push_back(i == 4 ? 0 : below(most + 1));
                nrhs.push_back(i == 5 ? 0 : 1 + below(4)), exponent.push_back(i % 4 == 1 ? end : i % 4 == 3 ? -end : 0);
                const int rows = m[i] < 0 ? 2 : m[i];
                a.add(rows, n[i]), b.add(rows > n[i] ? rows : n[i], nrhs[i]);
                for (int r = 0; r < rows; ++r)
                    for (int c = 0; c < n[i]; ++c) a.at(i, r, c) = times(a.at(i, r, c), exponent[i]);
                for (int r = 0; r < b.rows[i]; ++r)
                    for (int c = 0; c < nrhs[i]; ++c) b.at(i, r, c) = times(b.at(i, r, c), exponent[i]);
            }
            const auto given_a = a, given_b = b;
            auto was_a = given_a, was_b = given_b;
            std::vector<T> copies(static_cast<size_t>(count) * most * most + 1), shifts(count);
            std::vector<void *> factored(count);
            std::vector<int> rows(count, 9), columns(count, 9), leading(count, 9), least(count, 9), shortest(count, 9),
                info(count, -7);
            GelsEachArgs args = {};
            args.a = a.operand(), args.b = b.operand();
            args.w = {copies.data(), most * most, 0, 0}, args.shifts = {shifts.data(), 1, 0, 0};
            args.m = m.data(), args.n = n.data(), args.nrhs = nrhs.data(), args.lda = a.ld.data(),
            args.ldb = b.ld.data();
            args.factored = factored.data(), args.rows = rows.data(), args.columns = columns.data();
            args.leading = leading.data(), args.least = least.data(), args.shortest = shortest.data();
            args.info = info.data(), args.batch = count, args.transposed = transposed;
            host::launch(3, 64, [&] { prepare(args); });
            const auto what = [&](int i) {
                return name + (transposed ? " C " : " N ") + std::to_string(m[i]) + "x" + std::to_string(n[i]);
            };
            for (int i = 0; i < count; ++i) {
                if (m[i] < 0) {
                    report(what(i) + " is skipped", rows[i] == -1 && least[i] == 0 && shortest[i] == 0);
                    continue;
                }
                const bool wide = m[i] < n[i], squares = wide == transposed;
                const int tall = wide ? n[i] : m[i], thin = wide ? m[i] : n[i], given = squares ? tall : thin;
                bool good = rows[i] == tall && columns[i] == thin && leading[i] == (wide ? n[i] : a.ld[i]);
                good &= least[i] == (squares ? nrhs[i] : 0) && shortest[i] == (squares ? 0 : nrhs[i]);
                report(what(i) + " shape", good);
                const Shifts shift = reinterpret_cast<Shifts &>(shifts[i]);
                double largest = 0;
                T *const f = static_cast<T *>(factored[i]);
                good = true;
                for (int r = 0; r < tall; ++r)
                    for (int c = 0; c < thin; ++c) {
                        const T x = wide ? conj(was_a.at(i, c, r)) : was_a.at(i, r, c), y = f[r + c * leading[i]];
                        good &= same(times(x, shift.a), y);
                        largest = fmax(largest, fmax(fabs(double(re(y))), fabs(double(im(y)))));
                    }
                const bool in_range = largest >= Ordinary<Real<T>>::low && largest < Ordinary<Real<T>>::high;
                report(what(i) + " F", good && (thin == 0 || in_range));
                good = true;
                for (int r = 0; r < b.rows[i]; ++r)
                    for (int c = 0; c < nrhs[i]; ++c) {
                        const T x = r < given  ? times(was_b.at(i, r, c), shift.b)
                                    : r < tall ? make<T>(0)
                                               : was_b.at(i, r, c);
                        good &= same(x, b.at(i, r, c));
                    }
                report(what(i) + " B", good);
                if (thin > 1 && i % 2) f[(thin - 1) * (leading[i] + 1)] = make<T>(0);
            }
            auto left = b;
            host::launch(2, 64, [&] { finish(args); });
            for (int i = 0; i < count; ++i) {
                if (m[i] < 0) {
                    report(what(i) + " has no code of these", info[i] == -7);
                    continue;
                }
                const bool wide = m[i] < n[i], squares = wide == transposed;
                const int tall = wide ? n[i] : m[i], thin = wide ? m[i] : n[i], given = squares ? tall : thin;
                const int solution = squares ? thin : tall;
                const Shifts shift = reinterpret_cast<Shifts &>(shifts[i]);
                report(what(i) + " code", info[i] == (thin > 1 && i % 2 ? thin : 0));
                bool good = true;
                for (int r = 0; r < b.rows[i]; ++r)
                    for (int c = 0; c < nrhs[i]; ++c) {
                        const int e = r < solution ? shift.a - shift.b : r < given ? -shift.b : 0;
                        good &= same(times(left.at(i, r, c), e), b.at(i, r, c));
                    }
                report(what(i) + " X", good);
                good = true;
                for (int c = 0; c < thin && !wide; ++c)
                    for (int r = 0; r <= c && !(r == thin - 1 && thin > 1 && i % 2); ++r)
                        good &= same(was_a.at(i, r, c), a.at(i, r, c));
                report(what(i) + " R", good);
            }
        }
}

template <typename T, typename Kernel>
void adjoints(const std::string &name, Kernel kernel, int side, int threads) {
    for (const int most : {1, 9, 70}) {
        std::vector<int> m, n;
        Members<T> a, w;
        for (int i = 0; i < count; ++i) {
            m.push_back(i == 1 ? -1 : below(most + 1)), n.push_back(below(most + 1));
            a.add(m[i] < 0 ? 1 : m[i], n[i]), w.add(n[i], m[i] < 0 ? 1 : m[i]);
        }
        auto before = w;
        AdjointEachArgs args = {};
        args.from = a.operand(), args.to = w.operand(), args.rows = m.data(), args.columns = n.data();
        args.ld_from = a.ld.data(), args.ld_to = w.ld.data(), args.batch = count,
        args.strips = (most + side - 1) / side;
        host::launch(5, threads, [&] { kernel(args); });
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < m[i]; ++r)
                for (int c = 0; c < n[i]; ++c) before.at(i, c, r) = conj(a.at(i, r, c));
        report(name + " at most " + std::to_string(most),
               memcmp(before.data.data(), w.data.data(), w.data.size() * sizeof(T)) == 0);
    }
}

// T x = b for vectors with positive and negative increments.
template <typename T, typename Kernel>
void vectors(const std::string &name, Kernel kernel, int teams, int threads) {
    for (int form = 0; form < 8; ++form)
        for (const int most : {1, 9, 40, 90}) {
            const bool across = form & 1, reversed = form & 2, unit = form & 4;
            std::vector<int> n, step;
            Members<T> a, x;
            for (int i = 0; i < count; ++i) {
                n.push_back(i == 1 ? -1 : i == 2 ? most + 1 : below(most + 1));
                const int order = n[i] < 0 ? 1 : n[i], apart = 1 + below(3);
                step.push_back(i == 3 ? 0 : i % 2 ? -apart : apart);
                a.add(order, order), x.add(1 + order * apart, 1);
                for (int c = 0; c < order; ++c)
                    for (int r = 0; r < order; ++r) {
                        T &y = a.at(i, r, c);
                        y = r == c ? add(make<T>(2), y) : make<T>(re(y) / 16, im(y) / 16);
                    }
            }
            auto solved = x;
            TrsmEachArgs args = {};
            args.alpha_re = 1, args.unit = unit, args.a = a.operand(), args.b = solved.operand(), args.batch = count;
            args.order = most, args.nrhs = 1, args.tiles = 1, args.ars = across ? 0 : 1, args.acs = across ? 1 : 0;
            args.bcs = 1, args.reversed = reversed, args.vectors = 1;
            args.orders = {n.data(), most}, args.sides = {nullptr, 1};
            args.a_leading = a.ld.data(), args.b_leading = step.data();
            host::launch((count + teams - 1) / teams, threads, [&] { kernel(args); });
            for (int i = 0; i < count; ++i) {
                const bool valid = n[i] >= 0 && n[i] <= most && step[i] != 0;
                if (!valid) {
                    const size_t bytes = (1 + size_t(x.rows[i])) * sizeof(T);
                    report(name + " is left alone", memcmp(x.member(i), solved.member(i), bytes) == 0);
                    continue;
                }
                const auto place = [&](int k) { return step[i] > 0 ? k * step[i] : (k - (n[i] - 1)) * step[i]; };
                double worst = 0;
                for (int k = 0; k < n[i]; ++k) {
                    std::complex<double> sum = 0;
                    for (int j = 0; j < n[i]; ++j) {
                        if (reversed ? j < k : j > k) continue;
                        T t = across ? a.at(i, j, k) : a.at(i, k, j);
                        if (unit && j == k) t = make<T>(1);
                        const T y = solved.member(i)[place(j)];
                        sum += std::complex<double>(re(t), im(t)) * std::complex<double>(re(y), im(y));
                    }
                    const T b = x.member(i)[place(k)];
                    worst = fmax(worst, std::abs(sum - std::complex<double>(re(b), im(b))));
                }
                report(name + " form " + std::to_string(form) + " order " + std::to_string(n[i]),
                       worst <= 64 * double(epsilon<T>()));
            }
        }
}

void corners() {
    std::vector<int> m = {5, 9, 2, 7, 0}, n = {4, 1, 8, 7, 3}, ld = {6, 9, 4, 7, 1}, out_m(5), out_n(5);
    std::vector<char> data(4096);
    std::vector<char *> from, to(5);
    for (int i = 0; i < 5; ++i) from.push_back(i == 3 ? nullptr : data.data() + 512 * i);
    BlocksArgs args = {};
    args.arrays[0] = {from.data(), to.data(), ld.data(), 2, 1};
    args.sizes[0] = {m.data(), out_m.data(), 2, 4}, args.sizes[1] = {n.data(), out_n.data(), 1, 9};
    args.batch = 5, args.array_count = 1, args.size_count = 2, args.element = 8;
    host::launch(1, 32, [&] { blocks_of_each(args); });
    const std::vector<int> rows = {3, 4, 0, -1, -1}, columns = {3, 0, 7, -1, -1};
    report("what is left of members", out_m == rows && out_n == columns);
    report("where it begins", to[0] == from[0] + 64 && to[2] == from[2] + 48 && to[3] == nullptr);
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    around<float>("s", prepare_s, finish_s);
    around<Complex<double>>("z", prepare_z, finish_z);
    adjoints<float>("adjoint s", adjoint_s, 32, 64);
    adjoints<Complex<double>>("adjoint z", adjoint_z, 8, 32);
    vectors<double>("trsv d", trsm_d, 1, 128);
    vectors<Complex<float>>("trsv c", trsm_c, 4, 128);
    corners();
    printf(failures ? "%d checks failed\n" : "least squares of members with sizes of their own on the host: ok\n",
           failures);
    return failures != 0;
}
