// The Cholesky kernels, run on the host, compared with a plain factorisation.
#include "cuda_on_host.h"

#include "cholesky_case.h"
#include "potrf/generic.cuh"
#include "potrf/panel.cuh"
#include "potrf/rows.cuh"
#include "potrf/small.cuh"
#include "potrf/solve.cuh"
#include "potrf/team.cuh"
#include "given.h"

TEPHRA_POTRF_SMALL(potrf_s4, s, 2, 2, 2, 2, 1)
TEPHRA_POTRF_SMALL(potrf_s8, s, 2, 4, 4, 2, 1)
TEPHRA_POTRF_SMALL(potrf_s32, s, 4, 8, 2, 2, 1)
TEPHRA_POTRF_SMALL(potrf_d16, d, 2, 8, 2, 2, 1)
TEPHRA_POTRF_SMALL(potrf_d32, d, 4, 8, 1, 2, 1)
TEPHRA_POTRF_SMALL(potrf_c24, c, 4, 6, 1, 1, 1)
TEPHRA_POTRF_SMALL(potrf_z16, z, 4, 4, 1, 2, 1)
TEPHRA_POTRF_TEAM(team_s, s, 128, 2, 1)
TEPHRA_POTRF_TEAM(team_d, d, 128, 4, 1)
TEPHRA_POTRF_TEAM(team_c, c, 96, 3, 1)
TEPHRA_POTRF_TEAM(team_z, z, 96, 2, 1)
TEPHRA_POSV_TEAM(posv_team_s, s, 96, 2, 1)
TEPHRA_POSV_TEAM(posv_team_z, z, 64, 3, 1)
TEPHRA_POTRS_TEAM(potrs_team_d, d, 96, 2, 1)
TEPHRA_POTRS_TEAM(potrs_team_c, c, 64, 2, 1)
TEPHRA_POTRS_FUSED(potrs_fused_s1, s, 1, 2, 3, 1)
TEPHRA_POTRS_FUSED(potrs_fused_d8, d, 8, 8, 3, 1)
TEPHRA_POTRS_FUSED(potrs_fused_c1, c, 1, 4, 3, 1)
TEPHRA_POTRS_FUSED(potrs_fused_c8, c, 8, 2, 3, 1)
TEPHRA_POTRS_FUSED(potrs_fused_z1, z, 1, 2, 3, 1)
TEPHRA_POTRF_ROWS(rows_s, s, 64, 1, 8, 1)
TEPHRA_POTRF_ROWS(rows_d, d, 48, 1, 4, 1)
TEPHRA_POTRF_ROWS(rows_c, c, 64, 2, 8, 1)
TEPHRA_POTRF_ROWS(rows_z, z, 96, 2, 4, 1)
TEPHRA_POSV_ROWS(posv_rows_s, s, 64, 1, 8, 1, 1)
TEPHRA_POSV_ROWS(posv_rows_d, d, 48, 2, 8, 4, 1)
TEPHRA_POSV_ROWS(posv_rows_c, c, 48, 1, 4, 1, 1)
TEPHRA_POSV_ROWS(posv_rows_z, z, 64, 2, 4, 3, 1)
TEPHRA_POTRF_PANEL(panel_s, s, 32, 3, 32)
TEPHRA_POTRF_PANEL(panel_d, d, 48, 2, 16)
TEPHRA_POTRF_PANEL(panel_c, c, 16, 2, 32)
TEPHRA_POTRF_PANEL(panel_z, z, 32, 4, 16)
TEPHRA_POTRF_GENERIC(generic_s, s, 64)
TEPHRA_POTRF_GENERIC(generic_z, z, 32)
TEPHRA_POSV_SMALL(posv_s16, s, 4, 4, 2, 1, 2, 1)
TEPHRA_POSV_SMALL(posv_d32, d, 4, 8, 1, 2, 1, 1)
TEPHRA_POSV_SMALL(posv_c8, c, 2, 4, 2, 2, 2, 1)
TEPHRA_POSV_SMALL(posv_z8, z, 2, 4, 1, 1, 1, 1)
TEPHRA_POTRS_SMALL(potrs_s16, s, 4, 4, 2, 1, 2, 1)
TEPHRA_POTRS_SMALL(potrs_d32, d, 4, 8, 1, 2, 1, 1)
TEPHRA_POTRS_SMALL(potrs_c8, c, 2, 4, 2, 2, 2, 1)
TEPHRA_POTRS_SMALL(potrs_z24, z, 4, 6, 1, 1, 1, 1)

namespace {

// Checks the factor of member i and info; returns the expected factor.
template <typename T>
std::vector<Exact> compare(const std::string &what, Batch<T> &got, Batch<T> &start, int i, bool upper, int info) {
    const int n = got.n;
    std::vector<Exact> l;
    const Triangle<T> t = {got, i, upper};
    const int expected = cholesky(Triangle<T>{start, i, upper}, n, l);
    report(what + " info " + std::to_string(info) + " for " + std::to_string(expected), info == expected);
    const int right = expected ? expected - 1 : n; // order of the part that is factored
    long double worst = 0;
    for (int c = 0; c < right; ++c)
        for (int r = c; r < right; ++r) {
            // Relative to the original elements of the row and the column.
            const long double size = sqrtl(start.n * fabsl(Triangle<T>{start, i, upper}.get(r, r).real()));
            const long double d = std::abs(t.get(r, c) - l[r + c * n]) / size;
            worst = d == d ? fmaxl(worst, d) : INFINITY;
            if (r == c) report(what + " diagonal is real", t.get(r, c).imag() == 0);
        }
    report(what + " differs by " + std::to_string(double(worst / epsilon<T>())), worst <= 64 * epsilon<T>());
    if (expected) {
        const long double pivot = t.get(right, right).real(), d = fabsl(pivot - l[right + right * n].real());
        const long double size = fabsl(Triangle<T>{start, i, upper}.get(right, right).real());
        report(what + " bad pivot", (pivot != pivot && i == 2) || d <= 100 * epsilon<T>() * size + 1e-3 * (size == 0));
        report(what + " bad pivot is real", t.get(right, right).imag() == 0);
    }
    return l;
}

// run(args): the launches of a factorisation.
template <typename T, typename Run>
void factor(const char *name, int n, bool even, Run run) {
    for (bool upper : {false, true})
        for (int bad : {1, n / 2 + 1, n}) {
            auto start = definite<T>(n, count, upper, bad);
            if (even) start = widened(start);
            auto got = start;
            std::vector<int> info(count + 1, -7);
            run(arguments(got.operand(), info.data(), got.ld, n, upper));
            for (int i = 0; i < count; ++i) compare(name_of(name, n, upper, i), got, start, i, upper, info[i]);
            report(std::string(name) + " info outside", info[count] == -7);
            report(std::string(name) + " writes outside", only_triangles(got, start, upper));
        }
}

template <typename T, typename Kernel>
void small(const char *name, Kernel kernel, int per_block, int threads, std::initializer_list<int> orders) {
    for (int n : orders)
        for (bool even : {false, true})
            factor<T>(name, n, even, [&](const CholeskyArgs &args) {
                host::give(kernel, {n});
                host::launch((count + per_block - 1) / per_block, threads, [&] { kernel(args); });
            });
}

// Panels of this width, each with what is below it, and plain products; the last diagonal block is a team's.
template <typename T, typename Panel, typename Team>
void panels(const char *name, Panel panel, int threads, int width, int rows, Team team, int team_threads,
            std::initializer_list<int> orders) {
    for (int n : orders)
        for (bool even : {false, true})
            factor<T>(name, n, even, [&](const CholeskyArgs &whole) {
                std::vector<unsigned> arrived(count, 0);
                CholeskyPanelArgs args = {};
                static_cast<CholeskyArgs &>(args) = whole;
                for (args.at = 0; args.at < n; args.at += width) {
                    args.n = n - args.at < width ? n - args.at : width, args.below = n - args.at - args.n;
                    if (args.below == 0) {
                        host::give(team, {args.n});
                        host::launch(count, team_threads, [&] { team(args); });
                        break;
                    }
                    args.tiles = (args.below + rows - 1) / rows, args.arrived = arrived.data();
                    host::give(panel, {args.n});
                    host::launch(count * args.tiles, threads, [&] { panel(args); });
                    for (int i = 0; i < count; ++i) {
                        report(std::string(name) + " counts", arrived[i] == 0);
                        T *const A = member<T>(args.a, i);
                        const auto at = [&](int r, int c) -> T & {
                            return A[args.upper ? c + r * args.lda : r + c * args.lda];
                        };
                        for (int c = args.at + args.n; c < n; ++c)
                            for (int r = c; r < n; ++r) {
                                for (int k = args.at; k < args.at + args.n; ++k)
                                    at(r, c) = fnma_(at(r, k), conj(at(c, k)), at(r, c));
                                if (r == c) at(r, c) = make<T>(re(at(r, c)));
                            }
                    }
                }
            });
}

// Checks X from A X = B. The rounding of a row of A may be magnified in X.
template <typename T>
void solution(const std::string &what, Batch<T> &a, Batch<T> &x, Batch<T> &b, int i, bool upper) {
    const int n = a.n;
    const Triangle<T> t = {a, i, upper};
    long double worst = 0;
    for (int j = 0; j < b.n; ++j)
        for (int r = 0; r < n; ++r) {
            Exact sum = exact(b.at(i, r, j));
            long double size = 0;
            for (int c = 0; c < n; ++c) {
                const Exact e = r == c ? Exact(t.get(r, r).real()) : r > c ? t.get(r, c) : std::conj(t.get(c, r));
                sum -= e * exact(x.at(i, c, j));
                size += sqrtl(t.get(r, r).real() * t.get(c, c).real()) * std::abs(exact(x.at(i, c, j)));
            }
            const long double d = std::abs(sum) / size;
            worst = d == d ? fmaxl(worst, d) : INFINITY;
        }
    report(what + " residual " + std::to_string(double(worst / epsilon<T>())), worst <= (n + 8) * epsilon<T>());
}

template <typename T, typename Kernel>
void systems(const char *name, Kernel kernel, bool factors, int sides, int per_block, int threads,
             std::initializer_list<int> orders) {
    for (int n : orders)
        for (bool upper : {false, true})
            for (int nrhs : {1, sides, 2 * sides + 1}) {
                if (factors && nrhs > sides) continue;
                auto start = definite<T>(n, count, upper, n);
                auto a = start;
                Batch<T> b(n, nrhs, count);
                for (int j = 0; j < nrhs; ++j) // nearly as large as the matrix
                    for (int r = 0; r < n; ++r)
                        b.at(7, r, j) =
                            scale(b.at(7, r, j), sizeof(Real<T>) == 4 ? Real<T>(0x1p121f) : Real<T>(0x1p1017));
                auto x = b;
                std::vector<int> info(count, -7);
                if (!factors)
                    for (int i = 0; i < count; ++i) {
                        std::vector<Exact> l;
                        const Triangle<T> t = {a, i, upper};
                        cholesky(t, n, l);
                        for (int c = 0; c < n; ++c)
                            for (int r = c; r < n; ++r) t.set(r, c, l[r + c * n] * turn<T>(i, c));
                    }
                auto before = a;
                auto args = arguments(a.operand(), info.data(), a.ld, n, upper);
                args.b = x.operand(), args.ldb = x.ld, args.nrhs = nrhs, args.tiles = (nrhs + sides - 1) / sides;
                args.shifted = nrhs < 2 * sides + 1 && a.ld * sizeof(T) % 16 != 0;
                host::give(kernel, {n, args.shifted});
                host::launch((count * args.tiles + per_block - 1) / per_block, threads, [&] { kernel(args); });
                for (int i = 0; i < count; ++i) {
                    const auto what = name_of(name, n, upper, i);
                    if (factors) compare(what, a, start, i, upper, info[i]);
                    // Without a solution B must not change; tiny matrices with tiny right-hand sides leave the range.
                    if (i == 1 || i == 2) {
                        bool same = true;
                        for (int j = 0; j < nrhs; ++j)
                            for (int r = 0; r < n; ++r) same &= memcmp(&x.at(i, r, j), &b.at(i, r, j), sizeof(T)) == 0;
                        report(what + " without solution", same || !factors);
                    } else if (i != 3) {
                        solution(what, start, x, b, i, upper);
                    }
                }
                if (!factors) report(std::string(name) + " reads only", only_triangles(a, before, upper));
                report(std::string(name) + " writes outside", only_triangles(a, start, upper) && outside_same(x, b));
            }
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    using C = Complex<float>;
    using Z = Complex<double>;
    small<float>("potrf_s4", potrf_s4, 16, 64, {4, 3, 2, 1});
    small<float>("potrf_s8", potrf_s8, 16, 64, {8, 5, 4});
    small<float>("potrf_s32", potrf_s32, 4, 64, {32, 30, 17, 9});
    small<double>("potrf_d16", potrf_d16, 16, 64, {16, 13, 8, 2});
    small<double>("potrf_d32", potrf_d32, 4, 64, {32, 31, 17, 1});
    small<C>("potrf_c24", potrf_c24, 2, 32, {24, 18, 21});
    small<Z>("potrf_z16", potrf_z16, 4, 64, {16, 11, 3});
    small<float>("team_s", team_s, 1, 64, {33, 64, 100, 128});
    small<double>("team_d", team_d, 1, 128, {33, 48, 79, 97});
    small<C>("team_c", team_c, 1, 96, {40, 96});
    small<Z>("team_z", team_z, 1, 64, {33, 64});
    panels<float>("panel_s", panel_s, 96, 32, 32, team_s, 64, {33, 100, 128});
    panels<double>("panel_d", panel_d, 64, 48, 16, team_d, 128, {50, 97, 150});
    panels<C>("panel_c", panel_c, 64, 16, 32, team_c, 96, {40, 96});
    panels<Z>("panel_z", panel_z, 128, 32, 16, team_z, 64, {33, 64});
    small<float>("rows_s", rows_s, 1, 32, {1, 8, 33, 50, 64});
    small<double>("rows_d", rows_d, 1, 32, {33, 40, 47, 48});
    small<C>("rows_c", rows_c, 1, 64, {34, 64});
    small<Z>("rows_z", rows_z, 1, 64, {37, 96});
    small<float>("generic_s", generic_s, 3, 64, {1, 20, 70});
    small<Z>("generic_z", generic_z, 2, 32, {2, 40});
    systems<float>("posv_s16", posv_s16, true, 4, 4, 64, {16, 9});
    systems<double>("posv_d32", posv_d32, true, 8, 2, 32, {32, 21});
    systems<C>("posv_c8", posv_c8, true, 4, 16, 64, {8, 7, 1});
    systems<Z>("posv_z8", posv_z8, true, 2, 8, 32, {8, 6});
    systems<float>("potrs_s16", potrs_s16, false, 4, 4, 64, {16, 9});
    systems<double>("potrs_d32", potrs_d32, false, 8, 2, 32, {32, 21});
    systems<C>("potrs_c8", potrs_c8, false, 4, 16, 64, {8, 7, 1});
    systems<Z>("potrs_z24", potrs_z24, false, 4, 2, 32, {24, 17});
    systems<float>("posv_team_s", posv_team_s, true, 16, 1, 64, {33, 64, 90});
    systems<Z>("posv_team_z", posv_team_z, true, 16, 1, 96, {35, 48});
    systems<float>("posv_rows_s", posv_rows_s, true, 1, 1, 32, {7, 33, 64});
    systems<double>("posv_rows_d", posv_rows_d, true, 4, 1, 64, {33, 46, 48});
    systems<C>("posv_rows_c", posv_rows_c, true, 1, 1, 32, {33, 48});
    systems<Z>("posv_rows_z", posv_rows_z, true, 3, 1, 64, {33, 64});
    systems<double>("potrs_team_d", potrs_team_d, false, 16, 1, 64, {33, 96});
    systems<C>("potrs_team_c", potrs_team_c, false, 16, 1, 64, {48, 50});
    systems<float>("potrs_fused_s1", potrs_fused_s1, false, 1, 1, 64, {33, 63, 64, 100});
    systems<double>("potrs_fused_d8", potrs_fused_d8, false, 8, 1, 256, {33, 97});
    systems<C>("potrs_fused_c1", potrs_fused_c1, false, 1, 1, 128, {35, 96, 150});
    systems<C>("potrs_fused_c8", potrs_fused_c8, false, 8, 1, 64, {40, 64});
    systems<Z>("potrs_fused_z1", potrs_fused_z1, false, 1, 1, 64, {17, 65});
    printf(failures ? "%d checks failed\n" : "kernels of Cholesky factorisations on the host: ok\n", failures);
    return failures != 0;
}
