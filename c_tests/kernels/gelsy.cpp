// Least squares of matrices of any rank, run on the host: QR with column pivoting in global memory, then the rank and
// the minimum-norm solutions. The gradient A^H (B - A X) must be as small as rounding makes it, X in the range of A^H,
// and the rank correct.
#include "qr_on_host.h"
#include "exact.h"

#include "gels/steps.cuh"
#include "gelsy/solve.cuh"
#include "geqp3/generic.cuh"

TEPHRA_GEQP3_GENERIC(generic_s, s, 64)
TEPHRA_GEQP3_GENERIC(generic_d, d, 64)
TEPHRA_GEQP3_GENERIC(generic_c, c, 64)
TEPHRA_GEQP3_GENERIC(generic_z, z, 64)
TEPHRA_GELSY_SOLVE(solve_s, s, 64)
TEPHRA_GELSY_SOLVE(solve_d, d, 96)
TEPHRA_GELSY_SOLVE(solve_c, c, 32)
TEPHRA_GELSY_SOLVE(solve_z, z, 64)
TEPHRA_GELS_SCALE(scale_s, s, 64)
TEPHRA_GELS_SCALE(scale_z, z, 96)

namespace {

// Members are products of matrices with `rank` columns and rows, except: 1: zeros; 2: full rank.
template <typename T>
Batch<T> of_rank(int m, int n, int rank, int count) {
    Batch<T> a(m, n, count);
    for (int i = 0; i < count; ++i) {
        if (i == 2) continue;
        std::vector<Exact> l(m * rank), r(rank * n);
        for (Exact &x : l) x = exact(random_number<T>());
        for (Exact &x : r) x = exact(random_number<T>());
        for (int c = 0; c < n; ++c)
            for (int q = 0; q < m; ++q) {
                Exact sum = 0;
                for (int k = 0; k < rank; ++k) sum += l[q + k * m] * r[k + c * rank];
                if (i == 1) sum = 0;
                a.at(i, q, c) = make<T>(static_cast<Real<T>>(sum.real()), static_cast<Real<T>>(sum.imag()));
            }
    }
    return a;
}

template <typename T, typename Factor, typename Solve>
void systems(const char *name, Factor factor, int factor_threads, Solve solve, int threads) {
    struct {
        int m, n, rank;
    } const cases[] = {{8, 8, 3}, {20, 9, 4}, {9, 20, 5}, {40, 33, 20}, {33, 70, 12}, {1, 1, 1}, {5, 1, 1}, {1, 6, 1}};
    for (const auto &[m, n, rank] : cases)
        for (int nrhs : {0, 1, 5}) {
            const int count = 5, k = std::min(m, n);
            auto start = of_rank<T>(m, n, rank, count), a = start;
            Batch<T> given(std::max(m, n), nrhs, count), b = given;
            std::vector<int> jpvt(count * n, 0), ranks(count + 1, -7);
            std::vector<T> tau(count * k), norms(count * 2 * n), vectors(count * 2 * n), shifts(count);
            for (int i = 0; i < count; ++i) {
                Shifts none = {0, 0};
                memcpy(&shifts[i], &none, sizeof none);
            }
            Geqp3Args qr = {};
            qr.a = a.operand(), qr.jpvt = {jpvt.data(), n, 0, 0}, qr.tau = {tau.data(), k, 0, 0};
            qr.norms = {norms.data(), 2 * n, 0, 0}, qr.lda = a.ld, qr.batch = count, qr.m = m, qr.n = n;
            host::launch(3, factor_threads, [&] { factor(qr); });
            GelsyArgs args = {};
            args.a = a.operand(), args.b = b.operand(), args.jpvt = qr.jpvt, args.tau = qr.tau;
            args.vectors = {vectors.data(), 2 * n, 0, 0}, args.shifts = {shifts.data(), 1, 0, 0};
            args.rank = ranks.data(), args.rcond = sqrt(epsilon<T>());
            args.lda = a.ld, args.ldb = b.ld, args.batch = count, args.nrhs = nrhs, args.m = m, args.n = n;
            host::launch(2, threads, [&] { solve(args); });
            report("ranks outside", ranks[count] == -7);
            for (int i = 0; i < count; ++i) {
                const auto what = std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n) + " member " +
                                  std::to_string(i);
                const int expected = i == 1 ? 0 : i == 2 ? k : rank;
                report(what + " rank " + std::to_string(ranks[i]), ranks[i] == expected);
                long double norm = 0;
                for (int c = 0; c < n; ++c)
                    for (int r = 0; r < m; ++r) norm += std::norm(exact(start.at(i, r, c)));
                norm = sqrtl(norm);
                for (int j = 0; j < nrhs; ++j) {
                    std::vector<Exact> left(m);
                    long double size = 0, solution = 0;
                    for (int r = 0; r < m; ++r) {
                        left[r] = exact(given.at(i, r, j)), size += std::norm(left[r]);
                        for (int c = 0; c < n; ++c) left[r] -= exact(start.at(i, r, c)) * exact(b.at(i, c, j));
                    }
                    for (int c = 0; c < n; ++c) solution += std::norm(exact(b.at(i, c, j)));
                    size = sqrtl(size), solution = sqrtl(solution);
                    long double gradient = 0;
                    for (int c = 0; c < n; ++c) {
                        Exact sum = 0;
                        for (int r = 0; r < m; ++r) sum += std::conj(exact(start.at(i, r, c))) * left[r];
                        gradient = fmaxl(gradient, std::abs(sum));
                    }
                    const long double unit = epsilon<T>() * std::max(m, n);
                    report(what + " gradient", gradient <= 8 * unit * norm * (norm * solution + size));
                    if (expected == 0) report(what + " is zero", solution == 0);
                    // X has minimum norm: projected onto the range of A^H, spanned by the first `rank` rows of A,
                    // nothing must remain.
                    if (i != 0 && i != 3) continue;
                    std::vector<Exact> x(n), q; // Gram-Schmidt twice, on `rank` rows of A
                    for (int c = 0; c < n; ++c) x[c] = exact(b.at(i, c, j));
                    for (int row = 0; row < rank; ++row) {
                        std::vector<Exact> v(n);
                        for (int c = 0; c < n; ++c) v[c] = std::conj(exact(start.at(i, row, c)));
                        for (int twice = 0; twice < 2; ++twice)
                            for (size_t o = 0; o < q.size(); o += n) {
                                Exact dot = 0;
                                for (int c = 0; c < n; ++c) dot += std::conj(q[o + c]) * v[c];
                                for (int c = 0; c < n; ++c) v[c] -= dot * q[o + c];
                            }
                        long double length = 0;
                        for (const Exact &e : v) length += std::norm(e);
                        for (Exact &e : v) e /= sqrtl(length);
                        q.insert(q.end(), v.begin(), v.end());
                    }
                    for (size_t o = 0; o < q.size(); o += n) {
                        Exact dot = 0;
                        for (int c = 0; c < n; ++c) dot += std::conj(q[o + c]) * x[c];
                        for (int c = 0; c < n; ++c) x[c] -= dot * q[o + c];
                    }
                    long double beside = 0;
                    for (const Exact &e : x) beside += std::norm(e);
                    // Those rows may be nearly dependent.
                    report(what + " beside the range " + std::to_string(double(sqrtl(beside) / solution / unit)),
                           sqrtl(beside) <= 1e4 * unit * solution);
                }
                for (int r = std::max(m, n); r < b.ld; ++r)
                    for (int j = 0; j < nrhs; ++j)
                        report(what + " writes outside", memcmp(&b.at(i, r, j), &given.at(i, r, j), sizeof(T)) == 0);
            }
        }
}

// One right-hand side near the upper end of the range beside others near one, with large elements in A, too. All of
// them must get their solutions.
template <typename T, typename Scale, typename Factor, typename Solve>
void ranges(const char *name, Scale to_scale, int scale_threads, Factor factor, Solve solve) {
    using R = Real<T>;
    const int m = 4, n = 6, nrhs = 3, count = 2, top = sizeof(R) == 4 ? 125 : 1021;
    Batch<T> a(m, n, count), b(n, nrhs, count);
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < n; ++c)
            for (int r = 0; r < m; ++r) a.at(i, r, c) = scale(a.at(i, r, c), static_cast<R>(ldexp(1.0, top / 2)));
        for (int r = 0; r < n; ++r) b.at(i, r, 1) = scale(b.at(i, r, 1), static_cast<R>(ldexp(1.0, top)));
    }
    auto factors = a, x = b;
    std::vector<int> jpvt(count * n, 0), ranks(count);
    std::vector<T> tau(count * m), norms(count * 2 * n), vectors(count * 2 * n), shifts(count);
    GelsArgs before = {};
    before.a = factors.operand(), before.b = x.operand(), before.shifts = {shifts.data(), 1, 0, 0};
    before.lda = a.ld, before.ldb = b.ld, before.batch = count, before.m = m, before.n = n;
    before.nrhs = nrhs, before.rows = m;
    host::launch(1, scale_threads, [&] { to_scale(before); });
    Geqp3Args qr = {};
    qr.a = factors.operand(), qr.jpvt = {jpvt.data(), n, 0, 0}, qr.tau = {tau.data(), m, 0, 0};
    qr.norms = {norms.data(), 2 * n, 0, 0}, qr.lda = a.ld, qr.batch = count, qr.m = m, qr.n = n;
    host::launch(2, 64, [&] { factor(qr); });
    GelsyArgs args = {};
    args.a = factors.operand(), args.b = x.operand(), args.jpvt = qr.jpvt, args.tau = qr.tau;
    args.vectors = {vectors.data(), 2 * n, 0, 0}, args.shifts = before.shifts;
    args.rank = ranks.data(), args.rcond = sqrt(epsilon<T>());
    args.lda = a.ld, args.ldb = b.ld, args.batch = count, args.nrhs = nrhs, args.m = m, args.n = n;
    host::launch(2, 64, [&] { solve(args); });
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < nrhs; ++j) {
            long double off = 0, size = 0;
            for (int r = 0; r < m; ++r) {
                Exact left = exact(b.at(i, r, j));
                size = fmaxl(size, std::abs(left));
                for (int c = 0; c < n; ++c) left -= exact(a.at(i, r, c)) * exact(x.at(i, c, j));
                off = fmaxl(off, std::abs(left));
            }
            report(std::string(name) + " of several sizes, side " + std::to_string(j),
                   ranks[i] == m && off <= 1e3L * epsilon<T>() * size);
        }
}

} // namespace

int main() {
    host::shared_memory.resize(16);
    systems<float>("s", generic_s, 64, solve_s, 64);
    systems<double>("d", generic_d, 64, solve_d, 96);
    systems<Complex<float>>("c", generic_c, 64, solve_c, 32);
    systems<Complex<double>>("z", generic_z, 64, solve_z, 64);
    ranges<float>("s", scale_s, 64, generic_s, solve_s);
    ranges<Complex<double>>("z", scale_z, 96, generic_z, solve_z);
    printf(failures ? "%d checks failed\n" : "least squares of any rank on the host: ok\n", failures);
    return failures != 0;
}
