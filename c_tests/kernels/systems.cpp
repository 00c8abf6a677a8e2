// The kernels that solve systems of equations and invert by LU, run on the host, compared with plain products; and the
// kernel that converts interchanges to permutations.
#include "cuda_on_host.h"

#include "diagonal_inverses.h"
#include "getrf/grid_inverse.cuh"
#include "getrf/identity.cuh"
#include "getrf/lu_to_permutation.cuh"
#include "getrf/sides.cuh"
#include "getrf/small.cuh"
#include "getrf/small_inverse.cuh"
#include "getrf/solve.cuh"
#include "getrf/strip_inverse.cuh"
#include "given.h"
#include "lu_case.h"
#include <type_traits>

TEPHRA_GESV_SMALL(gesv_s8, s, 8, 8, 1, 2, 1)
TEPHRA_GESV_SMALL(gesv_d32, d, 32, 24, 8, 1, 1)
TEPHRA_GESV_SMALL(gesv_z16, z, 16, 16, 8, 2, 1)
TEPHRA_GESV_SMALL(gesv_c4, c, 4, 4, 4, 1, 1)
TEPHRA_GETRS_SMALL(getrs_s8, s, 8, 8, 1, 2, 1)
TEPHRA_GETRS_SMALL(getrs_d32, d, 32, 24, 8, 1, 1)
TEPHRA_GETRS_SMALL(getrs_z16, z, 16, 16, 8, 2, 1)
TEPHRA_GETRS_SMALL(getrs_c4, c, 4, 4, 4, 1, 1)
TEPHRA_GETRI_SMALL(getri_s8, s, 8, 2, 1)
TEPHRA_GETRI_SMALL(getri_d32, d, 32, 1, 1)
TEPHRA_GETRI_SMALL(getri_z16, z, 16, 1, 1)
TEPHRA_GETRI_SMALL(getri_c4, c, 4, 1, 1)
TEPHRA_INVERSE_SMALL(inverse_s8, s, 8, 2, 1)
TEPHRA_INVERSE_SMALL(inverse_d32, d, 32, 1, 1)
TEPHRA_INVERSE_SMALL(inverse_z16, z, 16, 1, 1)
TEPHRA_GETRS_FUSED(fused_s1, s, 1, 2, 3, 1)
TEPHRA_GETRS_FUSED(fused_s8, s, 8, 8, 3, 1)
TEPHRA_GETRS_FUSED(fused_d1, d, 1, 8, 3, 1)
TEPHRA_GETRS_FUSED(fused_d8, d, 8, 2, 3, 1)
TEPHRA_GETRS_FUSED(fused_c1, c, 1, 2, 2, 1)
TEPHRA_GETRS_FUSED(fused_c8, c, 8, 4, 3, 1)
TEPHRA_GETRS_FUSED(fused_z1, z, 1, 4, 3, 1)
TEPHRA_GETRS_FUSED(fused_z8, z, 8, 2, 3, 1)
TEPHRA_SOLVE_SIDES(sides_s, s, 64, 6, 128, 1)
TEPHRA_SOLVE_SIDES(sides_d, d, 64, 6, 128, 1)
TEPHRA_SOLVE_SIDES(sides_c, c, 64, 6, 128, 1)
TEPHRA_SOLVE_SIDES(sides_z, z, 64, 6, 128, 1)
TEPHRA_STRIP_INVERSE(strips_s, s, 64, 4, 1, 1)
TEPHRA_STRIP_INVERSE(strips_s8, s, 64, 8, 2, 1)
TEPHRA_STRIP_INVERSE(strips_d64, d, 64, 8, 1, 1)
TEPHRA_STRIP_INVERSE(strips_d32, d, 32, 8, 2, 1)
TEPHRA_STRIP_INVERSE(strips_c32, c, 32, 8, 2, 1)
TEPHRA_STRIP_INVERSE(strips_c64, c, 64, 8, 1, 1)
TEPHRA_STRIP_INVERSE(strips_z32, z, 32, 8, 1, 1)
TEPHRA_STRIP_INVERSE(strips_z16, z, 16, 8, 2, 1)
TEPHRA_GRID_INVERSE(grid_s, s, 8, 16, 512)
TEPHRA_GRID_INVERSE(grid_s12, s, 12, 16, 256)
TEPHRA_GRID_INVERSE(grid_c6, c, 6, 22, 512)
TEPHRA_GRID_INVERSE(grid_d, d, 6, 16, 256)
TEPHRA_GRID_INVERSE(grid_c, c, 8, 16, 256)
TEPHRA_GRID_INVERSE(grid_z, z, 6, 16, 256)
TEPHRA_GRID_INVERSE(grid_z44, z, 4, 10, 512)
// A shape that no plan uses: lanes with more rows than columns.
TEPHRA_ENTRY(grid_z84, Instance(256), __launch_bounds__(256, 1), GridInverseArgs, grid_inverse<letter::z, 8, 4, 11>)
TEPHRA_IDENTITY_INTERCHANGED(identity_s, s, 1024, 128)
TEPHRA_IDENTITY_INTERCHANGED(identity_z, z, 1024, 128)
TEPHRA_LU_TO_PERMUTATION(to_permutation_4, s, 4, 1024)
TEPHRA_LU_TO_PERMUTATION(to_permutation_1, s, 1, 12288)

namespace {

// Factors every member in place, and returns the interchanges.
template <typename T>
std::vector<int> factors_of(Batch<T> &a) {
    std::vector<int> ipiv;
    for (int i = 0; i < a.count; ++i)
        for (int p : eliminate(a, i, true).ipiv) ipiv.push_back(p);
    return ipiv;
}

// Checks that member i of c is the inverse of a's.
template <typename T>
void inverse(const std::string &what, Batch<T> &a, Batch<T> &c, const std::vector<int> &info, int i) {
    const int n = a.n;
    double worst = 0, norm_a = 0, norm_c = 0;
    for (int r = 0; r < n; ++r) {
        double row_a = 0, row_c = 0;
        for (int j = 0; j < n; ++j) {
            T x = make<T>(r == j ? 1 : 0);
            for (int k = 0; k < n; ++k) x = fnma_(a.at(i, r, k), c.at(i, k, j), x);
            worst = re(x) == re(x) && im(x) == im(x) ? fmax(worst, size_of(x)) : INFINITY;
            row_a += size_of(a.at(i, r, j)), row_c += size_of(c.at(i, r, j));
        }
        norm_a = fmax(norm_a, row_a), norm_c = fmax(norm_c, row_c);
    }
    const double ratio = worst / (n * norm_a * norm_c * epsilon<T>());
    report(what + " member " + std::to_string(i) + " ratio " + std::to_string(ratio), ratio < 3 && info[i] == 0);
}
template <typename T>
void inverses(const std::string &what, Batch<T> a, Batch<T> c, const std::vector<int> &info) {
    for (int i : {0, 1}) inverse(what, a, c, info, i);
}

// Whether member i of c is NaN throughout, in place of an inverse that does not exist.
template <typename T>
bool all_nan(Batch<T> &c, int i, int columns) {
    bool all = true;
    for (int j = 0; j < columns; ++j)
        for (int r = 0; r < c.m; ++r) {
            const T x = c.at(i, r, j);
            all &= re(x) != re(x) && (!is_complex<T> || im(x) != im(x));
        }
    return all;
}

// from_factors: the kernel takes the results of getrf.
template <typename T, typename Kernel>
void inverted(const char *name, Kernel kernel, bool from_factors, int per_block, int threads,
              std::initializer_list<int> orders) {
    for (int n : orders)
        for (bool in_place : {false, true}) {
            const int count = 7;
            const auto start = mixed<T>(n, n, count);
            auto factors = start;
            std::vector<int> ipiv = factors_of(factors);
            const auto &given = from_factors ? factors : start;
            auto a = given, c = in_place ? given : Batch<T>(n, n, count);
            std::vector<int> info(count, -7);
            InverseArgs args = {};
            if (from_factors) args.ipiv = {ipiv.data(), n, 0, 0};
            args.a = in_place ? c.operand() : a.operand(), args.c = c.operand(), args.info = info.data();
            args.lda = args.ldc = c.ld, args.batch = count, args.n = n;
            host::launch((count + per_block - 1) / per_block, threads, [&] { kernel(args); });
            inverses(std::string(name) + " order " + std::to_string(n), start, c, info);
            report(std::string(name) + " zero matrix", info[3] == 1 && all_nan(c, 3, n));
            for (int i = 0; i < count; ++i)
                if (info[i]) report(std::string(name) + " singular", all_nan(c, i, n));
        }
}

// The same for larger matrices by strips of NT columns, with interchanges as getrf returns them, or composed; the
// diagonal blocks inverted before, in forms from 4 on.
template <typename T, typename Kernel>
void inverted_by_strips(const char *name, Kernel kernel, int NT, int threads, std::initializer_list<int> orders) {
    for (int n : orders)
        for (int given_form : {0, 1, 2, 3, 4, 5, 6, 7}) {
            const int count = 4, form = given_form % 4, diagonals = (n + 31) / 32;
            auto start = Batch<T>(n, n, count);
            std::vector<int> ipiv(count * n), info(count, -7);
            for (int i = 0; i < count; ++i)
                for (int k = 0; k < n; ++k) {
                    if (form == 3) start.at(i, k, k) = make<T>(n); // without interchanges
                    if (i == 3) start.at(i, k, n / 2) = make<T>(0);
                }
            auto a = start;
            for (int i = 0; i < count; ++i) {
                const auto e = eliminate(a, i, form < 3);
                std::vector<int> order(n);
                for (int r = 0; r < n; ++r) order[r] = r + 1;
                for (int k = 0; k < n; ++k) std::swap(order[k], order[e.ipiv[k] - 1]);
                for (int k = 0; k < n; ++k) ipiv[i * n + k] = form == 1 ? order[k] : e.ipiv[k];
            }
            a.at(2, n / 3, n / 2) = make<T>(static_cast<Real<T>>(NAN));
            const auto given = a;
            const bool in_place = form == 0 && n <= NT;
            auto c = in_place ? given : Batch<T>(n, n, count);
            const auto before = c;
            StripInverseArgs args = {};
            args.a = in_place ? c.operand() : a.operand(), args.c = c.operand(), args.info = info.data();
            if (form < 3) args.ipiv = {ipiv.data(), n, 0, 0};
            args.lda = args.ldc = a.ld, args.batch = count, args.n = n, args.strips = (n + NT - 1) / NT;
            args.slots = 2 + form % 3, args.at_once = form > 1 ? 2 : 4, args.composed = form == 1;
            std::vector<T> inverses(count * diagonals * 1024, make<T>(static_cast<Real<T>>(NAN)));
            if (given_form > 3) {
                args.at_once = 0, args.inverses = {inverses.data(), diagonals * 1024, 0, 0};
                invert_diagonals<T>({args.a, args.inverses, args.lda, count, n, diagonals, 0, 0});
            }
            host::give(kernel, {n, args.at_once, args.slots, form % 2 == 0 ? n : 0});
            host::launch(count * args.strips, threads, [&] { kernel(args); });
            const std::string what =
                std::string(name) + " order " + std::to_string(n) + " form " + std::to_string(given_form);
            ::inverses(what, start, c, info);
            bool numbers = true;
            for (int j = 0; j < n; ++j)
                for (int r = 0; r < n; ++r) numbers &= isfinite(re(c.at(2, r, j)));
            report(what + " singular", info[3] == n / 2 + 1 && all_nan(c, 3, n));
            report(what + " hides NaN", !numbers && info[2] == 0);
            bool untouched = in_place || memcmp(a.data.data(), given.data.data(), a.data.size() * sizeof(T)) == 0;
            for (int i = 0; i < count; ++i)
                for (long long e = 0; e < c.stride(); ++e)
                    if (e >= c.ld * n || e % c.ld >= n)
                        untouched &= memcmp(c.member(i) + e, &before.data[i * c.stride() + e], sizeof(T)) == 0;
            report(what + " writes outside", untouched);
        }
}

// The same by a grid of lanes with RPT x CPT elements each, in blocks of several matrices if they are small; the last
// block has one.
template <typename T, int RPT, int CPT, int PR, typename Kernel>
void inverted_by_grid(const char *name, Kernel kernel, std::initializer_list<int> orders) {
    using Grid = GridInverse<T, RPT, CPT, PR>;
    for (int n : orders)
        for (int form : {0, 1, 2, 3}) { // in place; not in place; without interchanges; with some that name no row
            const int rows = (n + RPT - 1) / RPT, lanes = rows * (rows * RPT / CPT), together = Grid::together(rows);
            const int count = together == 1 ? 5 : 3 * together + 1;
            report(std::string(name) + " room", together * rows <= PR && together * rows * RPT <= Grid::most &&
                                                    together * Grid::origins(n) <= Grid::all_origins());
            const auto singular = [](int i) { return i % 7 == 3; };
            const auto broken = [](int i) { return i % 7 == 2; };
            auto start = Batch<T>(n, n, count);
            std::vector<int> ipiv(count * n), info(count + 1, -7);
            for (int i = 0; i < count; ++i)
                for (int k = 0; k < n; ++k) {
                    if (form == 2) start.at(i, k, k) = make<T>(n);
                    if (singular(i)) start.at(i, k, n / 2) = make<T>(0);
                }
            auto a = start;
            const int nowhere[] = {0, -1, n + 1, INT32_MAX, INT32_MIN};
            for (int i = 0; i < count; ++i) {
                const auto e = eliminate(a, i, form != 2);
                for (int k = 0; k < n; ++k)
                    ipiv[i * n + k] = form == 3 && broken(i) && k % 3 != 1 ? nowhere[engine() % 5] : e.ipiv[k];
                if (broken(i)) a.at(i, n / 3, n / 2) = make<T>(static_cast<Real<T>>(NAN));
            }
            const auto given = a;
            auto c = form == 0 ? given : Batch<T>(n, n, count);
            const auto before = c;
            GridInverseArgs args = {};
            args.a = form == 0 ? c.operand() : a.operand(), args.c = c.operand(), args.info = info.data();
            if (form != 2) args.ipiv = {ipiv.data(), n, 0, 0};
            args.lda = args.ldc = a.ld, args.batch = count, args.n = n, args.lanes = rows;
            host::launch((count + together - 1) / together, (lanes + 31) / 32 * 32, [&] { kernel(args); });
            const std::string what = std::string(name) + " " + std::to_string(n) + " form " + std::to_string(form);
            bool hides = false, none = true, infos = info[count] == -7;
            for (int i = 0; i < count; ++i) {
                if (!singular(i) && !broken(i)) {
                    inverse(what, start, c, info, i);
                    continue;
                }
                infos &= info[i] == (singular(i) ? n / 2 + 1 : 0);
                bool numbers = true;
                for (int j = 0; j < n; ++j)
                    for (int r = 0; r < n; ++r) numbers &= isfinite(re(c.at(i, r, j)));
                none &= !singular(i) || all_nan(c, i, n);
                hides |= broken(i) && numbers;
            }
            report(what + " singular", none);
            report(what + " info", infos);
            report(what + " hides NaN", !hides);
            bool untouched = form == 0 || memcmp(a.data.data(), given.data.data(), a.data.size() * sizeof(T)) == 0;
            for (int i = 0; i < count; ++i)
                for (long long e = 0; e < c.stride(); ++e)
                    if (e >= c.ld * n || e % c.ld >= n)
                        untouched &= memcmp(c.member(i) + e, &before.data[i * c.stride() + e], sizeof(T)) == 0;
            report(what + " writes outside", untouched);
        }
}

// Solves op(A) X = B, with op given by `trans`. factors: the kernel factors A; otherwise it takes A's factors.
template <typename T, typename Kernel>
void solved(const char *name, Kernel kernel, bool factors, int rhs, int per_block, int threads,
            std::initializer_list<int> orders) {
    for (int n : orders)
        for (int trans = 0; trans < (factors ? 1 : 3); ++trans)
            for (int nrhs = 1; nrhs <= rhs + (factors ? 0 : 2); nrhs += 3) {
                const int count = 8;
                const auto start = mixed<T>(n, n, count);
                auto a = start;
                auto sides = Batch<T>(n, nrhs, count);
                for (int j = 0; j < nrhs; ++j) // solutions of ordinary size
                    for (int r = 0; r < n; ++r)
                        sides.at(7, r, j) =
                            scale(sides.at(7, r, j), sizeof(Real<T>) == 4 ? Real<T>(0x1p126f) : Real<T>(0x1p1022));
                auto b = sides;
                std::vector<int> ipiv(count * n, -7), info(count, -7);
                if (!factors) ipiv = factors_of(a);
                auto given = a;
                SolveArgs args = {};
                args.a = a.operand(), args.b = b.operand(), args.ipiv = {ipiv.data(), n, 0, 0}, args.info = info.data();
                args.lda = a.ld, args.ldb = b.ld, args.batch = count, args.n = n, args.nrhs = nrhs,
                args.transposed = trans > 0, args.conjugate = trans == 2;
                args.tiles = (nrhs + rhs - 1) / rhs;
                host::launch((count * args.tiles + per_block - 1) / per_block, threads, [&] { kernel(args); });
                const std::string what = std::string(name) + " order " + std::to_string(n) + ", " +
                                         std::to_string(nrhs) + " sides, op " + std::to_string(trans);
                if (factors) {
                    auto expected = start;
                    const auto e = eliminate(expected, 0, true);
                    for (int k = 0; k < n; ++k) report(what + " pivot", ipiv[k] == e.ipiv[k]);
                    report(what + " info", info[0] == 0 && info[3] == 1);
                    for (int i = 0; i < count; ++i)
                        if (info[i]) report(what + " singular", all_nan(b, i, nrhs));
                }
                for (int i : {0, 1, 7}) {
                    double worst = 0, norm_a = 0, norm_x = 0;
                    for (int j = 0; j < nrhs; ++j)
                        for (int r = 0; r < n; ++r) {
                            auto s = start, before = sides;
                            T x = before.at(i, r, j);
                            double row = 0;
                            for (int k = 0; k < n; ++k) {
                                const T e = trans == 0 ? s.at(i, r, k) : s.at(i, k, r);
                                x = fnma_(trans == 2 ? conj(e) : e, b.at(i, k, j), x);
                                row += size_of(e);
                                norm_x = fmax(norm_x, size_of(b.at(i, k, j)));
                            }
                            worst = fmax(worst, size_of(x)), norm_a = fmax(norm_a, row);
                        }
                    const double ratio = worst / norm_a / (n * norm_x * epsilon<T>());
                    report(what + " ratio " + std::to_string(ratio), ratio < 3);
                }
                bool untouched = factors || memcmp(a.data.data(), given.data.data(), a.data.size() * sizeof(T)) == 0;
                auto before = sides;
                for (int i = 0; i < count; ++i)
                    for (long long e = 0; e < b.stride(); ++e)
                        if (e >= b.ld * nrhs || e % b.ld >= n)
                            untouched &= memcmp(b.member(i) + e, before.member(i) + e, sizeof(T)) == 0;
                report(what + " writes outside", untouched);
            }
}

// Four members: an ordinary one; one with an element of U's diagonal too small or too large for a reciprocal; one with
// a zero there; another ordinary one. Each solution X must satisfy op(P^T L U) X = B element by element, up to rounding
// of |L| |U| |X|; only the one with the zero may contain NaNs or infinities.
template <typename T, typename Kernel>
void solved_at_once(const char *name, Kernel kernel, int warps, int most, std::initializer_list<int> orders,
                    int columns_of_tile = 0) { // if not 0: a right-hand side per thread, three tiles per block
    for (int n : orders)
        for (int nrhs = 1; nrhs <= most; nrhs += most > 1 ? 3 : 1)
            for (int op : {0, 1, 2})
                for (int form = 0; form < 4; ++form) {
                    const bool search = form % 2, huge = form / 2;
                    const int count = 4, small = n / 2, zero = n / 3;
                    // Columns that begin at multiples of 16 bytes, and others; the last row ends with the allocation.
                    const bool tight = (n + nrhs + op) % 2 == 0;
                    Batch<T> a(n, n, count), b(n, nrhs, count);
                    if (tight) a.ld = (n + 3) / 4 * 4;
                    std::vector<int> ipiv(count * (n + 1));
                    std::vector<T> data(count * (a.stride() + 3) + 1, make<T>(static_cast<Real<T>>(NAN)));
                    a.data = data;
                    for (int i = 0; i < count; ++i) {
                        for (int c = 0; c < n; ++c)
                            for (int r = 0; r < n; ++r) a.at(i, r, c) = random_number<T>();
                        for (int k = 0; !search && k < n; ++k) a.at(i, k, k) = make<T>(n);
                        const Expected e = eliminate(a, i, search);
                        for (int k = 0; k < n; ++k) ipiv[i * (n + 1) + k] = e.ipiv[k];
                    }
                    const Real<T> tiny = sizeof(Real<T>) == 4 ? Real<T>(huge ? 0x1p126 : 0x1p-128)
                                                              : Real<T>(huge ? 0x1p1022 : 0x1p-1024);
                    a.at(1, small, small) = make<T>(tiny, is_complex<T> ? tiny : 0);
                    a.at(2, zero, zero) = make<T>(0);
                    // Solutions of ordinary size, though the element is not.
                    const bool columns = op || huge, rows = !op || huge;
                    for (int c = 0; c < n; ++c)
                        for (int r = 0; r < n; ++r)
                            if (r != c && ((columns && c == small) || (rows && r == small))) a.at(1, r, c) = make<T>(0);
                    auto start = b;
                    for (int c = 0; c < nrhs; ++c)
                        for (int r = 0; r < n; ++r) {
                            int at = r;
                            for (int k = 0; search && !op && k < n; ++k) {
                                const int p = ipiv[n + 1 + k] - 1;
                                at = at == k ? p : at == p ? k : at;
                            }
                            if (at == small) start.at(1, r, c) = scale(start.at(1, r, c), huge ? tiny / 16 : tiny);
                        }
                    auto got = start;
                    std::conditional_t<std::is_invocable_v<Kernel, SolveArgs>, SolveArgs, SidesArgs> args = {};
                    args.a = {a.data.data(), a.stride(), 0, 0}, args.b = got.operand();
                    if (search) args.ipiv = {ipiv.data(), n + 1, 0, 0};
                    args.lda = a.ld, args.ldb = got.ld, args.batch = count, args.n = n, args.nrhs = nrhs;
                    args.transposed = op > 0, args.conjugate = op == 2;
                    if constexpr (std::is_same_v<decltype(args), SolveArgs>) {
                        args.shifted = form != 1 && a.ld * sizeof(T) % 16 != 0;
                        host::give(kernel, {n, args.shifted});
                        host::launch(count, 32 * warps, [&] { kernel(args); });
                    } else {
                        args.slots = 3, args.tiles = (nrhs + columns_of_tile - 1) / columns_of_tile;
                        const int width = (nrhs + args.tiles - 1) / args.tiles;
                        host::give(kernel, {n, width});
                        host::given_shared *= args.slots;
                        host::launch((count * args.tiles + args.slots - 1) / args.slots,
                                     (args.slots * width + 31) / 32 * 32, [&] { kernel(args); });
                    }
                    for (int i = 0; i < count; ++i) {
                        const std::string what = std::string(name) + " order " + std::to_string(n) + " nrhs " +
                                                 std::to_string(nrhs) + " op " + std::to_string(op) +
                                                 (search ? " member " : " without interchanges, member ") +
                                                 std::to_string(i);
                        double worst = 0;
                        bool numbers = true;
                        for (int c = 0; c < nrhs; ++c) {
                            std::vector<T> v(n);
                            std::vector<double> size(n);
                            for (int r = 0; r < n; ++r) {
                                v[r] = got.at(i, r, c), size[r] = size_of(v[r]);
                                numbers &= isfinite(re(v[r])) && isfinite(im(v[r]));
                            }
                            const auto exchange = [&](int k) {
                                std::swap(v[k], v[ipiv[i * (n + 1) + k] - 1]);
                                std::swap(size[k], size[ipiv[i * (n + 1) + k] - 1]);
                            };
                            for (int k = 0; op && search && k < n; ++k) exchange(k);
                            for (int first : {1, 0}) { // U or L^T, then the other
                                const bool upper = op ? !first : first;
                                std::vector<T> product(n, make<T>(0));
                                std::vector<double> sizes(n, 0.0);
                                for (int r = 0; r < n; ++r)
                                    for (int k = 0; k < n; ++k) {
                                        const int row = op ? k : r, column = op ? r : k;
                                        if (upper ? row > column : row < column) continue;
                                        T x = a.at(i, row, column);
                                        if (!upper && row == column) x = make<T>(1);
                                        if (op == 2) x = conj(x);
                                        product[r] = fma_(x, v[k], product[r]);
                                        sizes[r] += size_of(x) * size[k];
                                    }
                                v = product, size = sizes;
                            }
                            for (int k = n - 1; !op && search && k >= 0; --k) exchange(k);
                            for (int r = 0; r < n; ++r) {
                                const double error = distance(v[r], start.at(i, r, c));
                                const double bound =
                                    size[r] * epsilon<T>() + 8 * (sizeof(Real<T>) == 4 ? 0x1p-149 : 0x1p-1074);
                                worst = error == error ? fmax(worst, error / bound) : INFINITY;
                            }
                        }
                        if (i == 2)
                            report(what + " hides a zero", !numbers);
                        else
                            report(what + " ratio " + std::to_string(worst), numbers && worst < 8 + n / 8);
                    }
                    bool untouched = true;
                    for (int i = 0; i < count; ++i)
                        for (long long e = 0; e < got.stride(); ++e)
                            if (e >= got.ld * nrhs || e % got.ld >= n)
                                untouched &= memcmp(got.member(i) + e, start.member(i) + e, sizeof(T)) == 0;
                    report(std::string(name) + " writes outside", untouched);
                }
}

template <typename T, typename Kernel>
void identities(const char *name, Kernel kernel) {
    for (int n : {1, 31, 33, 100, 1030}) // only without interchanges may n exceed the kernel's limit
        for (bool search : {true, false})
            for (int strips : {1, 3}) {
                if (search && n > 1024) continue;
                const int count = 3;
                Batch<T> a(n, n, count), start(n, n, count), got = start, expected = start;
                std::vector<int> ipiv(count * n), info(count, -7);
                for (int i = 0; i < count; ++i) {
                    for (int c = 0; c < n; ++c)
                        for (int r = 0; r < n; ++r) expected.at(i, r, c) = make<T>(r == c ? 1 : 0);
                    for (int k = 0; k < n; ++k) {
                        const int p = search ? static_cast<int>(engine() % n) : k;
                        ipiv[i * n + k] = p + 1;
                        for (int c = 0; c < n; ++c) std::swap(expected.at(i, k, c), expected.at(i, p, c));
                    }
                }
                for (int k = n / 2; k < n; k += 3) a.at(1, k, k) = make<T>(0);
                for (int c = 0; c < n; ++c)
                    for (int r = 0; r < n; ++r) expected.at(1, r, c) = not_a_number<T>(); // the inverse does not exist
                IdentityArgs args = {};
                args.a = a.operand(), args.c = got.operand(), args.info = info.data();
                if (search) args.ipiv = {ipiv.data(), n, 0, 0};
                args.lda = args.ldc = a.ld, args.batch = count, args.n = n, args.strips = strips;
                host::launch(count * strips, 128, [&] { kernel(args); });
                const std::string what = std::string(name) + " order " + std::to_string(n);
                report(what, memcmp(got.data.data(), expected.data.data(), got.data.size() * sizeof(T)) == 0);
                report(what + " info " + std::to_string(info[1]), !info[0] && info[1] == n / 2 + 1 && !info[2]);
            }
}

// For getrf's interchanges, for arbitrary ones, and for some that name no row; in shared memory and in place. Nothing
// else may be written.
template <typename Kernel>
void permuted(const char *name, Kernel kernel, int warps) {
    for (int m : {1, 2, 31, 32, 33, 64, 100, 301})
        for (int k : {0, 1, m / 2, m - 1, m})
            for (int kind : {0, 1, 2})
                for (int shared : {0, 1}) {
                    const int count = 7, gap = 3, stride = m + gap;
                    std::vector<int> ipiv(count * k), perm(count * stride, -7), expected = perm;
                    const int nowhere[] = {0, -1, m + 1, INT32_MAX, INT32_MIN};
                    for (int e = 0; e < count * k; ++e) {
                        const int from = kind == 0 ? e % k : 0;
                        ipiv[e] = kind == 2 && engine() % 3 == 0 ? nowhere[engine() % 5]
                                                                 : 1 + from + static_cast<int>(engine() % (m - from));
                    }
                    for (int i = 0; i < count; ++i) {
                        int *const list = &expected[i * stride];
                        for (int r = 0; r < m; ++r) list[r] = r + 1;
                        for (int j = 0; j < k; ++j) {
                            const int row = ipiv[i * k + j];
                            if (row >= 1 && row <= m) std::swap(list[j], list[row - 1]);
                        }
                    }
                    PermutationArgs args = {};
                    args.ipiv = {k > 0 ? ipiv.data() : nullptr, k, 0, 0}, args.perm = {perm.data(), stride, 0, 0};
                    args.batch = count, args.m = m, args.k = k, args.shared = shared;
                    host::give(kernel, {shared ? m : 0});
                    host::launch(1 + k % 2, 32 * warps, [&] { kernel(args); });
                    report(std::string(name) + " " + std::to_string(m) + " " + std::to_string(k), perm == expected);
                }
}

// The same kernel with a Cholesky factor, whose other triangle is NaN: F F^H X = B (lower), or F^H F X = B (upper),
// element by element. A member with a NaN in its factor must not change another's solution.
template <typename T, typename Kernel>
void solved_by_cholesky(const char *name, Kernel kernel, int columns_of_tile, std::initializer_list<int> orders) {
    for (int n : orders)
        for (int nrhs : {1, 4, 7})
            for (int triangle : {SidesArgs::LOWER, SidesArgs::UPPER}) {
                const int count = 5;
                const bool upper = triangle == SidesArgs::UPPER;
                Batch<T> a(n, n, count), start(n, nrhs, count);
                for (int i = 0; i < count; ++i)
                    for (int c = 0; c < n; ++c)
                        for (int r = 0; r < n; ++r) {
                            if (r == c) a.at(i, r, c) = make<T>(static_cast<Real<T>>(2 + n % 3));
                            if (upper ? r > c : r < c) a.at(i, r, c) = make<T>(static_cast<Real<T>>(NAN));
                        }
                a.at(2, n / 2, n / 2) = make<T>(static_cast<Real<T>>(NAN));
                auto got = start;
                SidesArgs args = {};
                args.a = a.operand(), args.b = got.operand(), args.lda = a.ld, args.ldb = got.ld, args.batch = count;
                args.n = n, args.nrhs = nrhs, args.triangle = triangle, args.slots = 2;
                args.tiles = (nrhs + columns_of_tile - 1) / columns_of_tile;
                const int width = (nrhs + args.tiles - 1) / args.tiles;
                host::give(kernel, {n, width});
                host::given_shared *= args.slots;
                host::launch((count * args.tiles + args.slots - 1) / args.slots, (args.slots * width + 31) / 32 * 32,
                             [&] { kernel(args); });
                double worst = 0;
                bool untouched = true;
                for (int i = 0; i < count; ++i)
                    for (int j = 0; j < nrhs; ++j) {
                        if (i == 2) {
                            report(std::string(name) + " hides a NaN", !(size_of(got.at(i, 0, j)) > 0));
                            continue;
                        }
                        // F(r, k); first computes F^H x or F x.
                        const auto f = [&](int r, int k) {
                            return upper ? (r <= k ? a.at(i, r, k) : make<T>(0)) : r >= k ? a.at(i, r, k) : make<T>(0);
                        };
                        std::vector<T> y(n, make<T>(0));
                        std::vector<double> sizes(n, 0.0);
                        for (int r = 0; r < n; ++r)
                            for (int k = 0; k < n; ++k) {
                                const T e = upper ? f(r, k) : conj(f(k, r));
                                y[r] = fma_(e, got.at(i, k, j), y[r]),
                                sizes[r] += size_of(e) * size_of(got.at(i, k, j));
                            }
                        for (int r = 0; r < n; ++r) {
                            T b = make<T>(0);
                            double size = 0;
                            for (int k = 0; k < n; ++k) {
                                const T e = upper ? conj(f(k, r)) : f(r, k);
                                b = fma_(e, y[k], b), size += size_of(e) * sizes[k];
                            }
                            worst = fmax(worst, distance(b, start.at(i, r, j)) / (size * epsilon<T>() * (n + 1)));
                        }
                    }
                for (int i = 0; i < count; ++i)
                    for (long long e = 0; e < got.stride(); ++e)
                        if (e >= got.ld * nrhs || e % got.ld >= n)
                            untouched &= memcmp(got.member(i) + e, start.member(i) + e, sizeof(T)) == 0;
                const std::string what = std::string(name) + " Cholesky, order " + std::to_string(n) + ", " +
                                         std::to_string(nrhs) + " sides, triangle " + std::to_string(triangle);
                report(what + " differs by " + std::to_string(worst), worst < 6);
                report(what + " writes outside", untouched);
            }
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    solved<float>("gesv_s8", gesv_s8, true, 1, 8, 64, {8, 5, 1});
    solved<double>("gesv_d32", gesv_d32, true, 8, 1, 32, {24, 17});
    solved<Complex<double>>("gesv_z16", gesv_z16, true, 8, 4, 64, {16, 9});
    solved<Complex<float>>("gesv_c4", gesv_c4, true, 4, 8, 32, {4, 3});
    solved_at_once<float>("sides_s", sides_s, 1, 8, {1, 5, 17, 33}, 6);
    solved_at_once<double>("sides_d", sides_d, 1, 8, {3, 8, 24, 41}, 6);
    solved_at_once<Complex<float>>("sides_c", sides_c, 1, 8, {2, 16, 23}, 6);
    solved_at_once<Complex<double>>("sides_z", sides_z, 1, 8, {7, 12, 34}, 6);
    solved_by_cholesky<float>("sides_s", sides_s, 6, {1, 9, 32});
    solved_by_cholesky<double>("sides_d", sides_d, 6, {2, 17});
    solved_by_cholesky<Complex<float>>("sides_c", sides_c, 6, {3, 16, 27});
    solved_by_cholesky<Complex<double>>("sides_z", sides_z, 6, {1, 8, 29});
    solved<float>("getrs_s8", getrs_s8, false, 1, 8, 64, {8, 5, 1});
    solved<double>("getrs_d32", getrs_d32, false, 8, 1, 32, {24, 17});
    solved<Complex<double>>("getrs_z16", getrs_z16, false, 8, 4, 64, {16, 9});
    solved<Complex<float>>("getrs_c4", getrs_c4, false, 4, 8, 32, {4, 3});
    inverted<float>("getri_s8", getri_s8, true, 8, 64, {8, 5, 1});
    inverted<double>("getri_d32", getri_d32, true, 1, 32, {32, 17});
    inverted<Complex<double>>("getri_z16", getri_z16, true, 2, 32, {16, 9});
    inverted<Complex<float>>("getri_c4", getri_c4, true, 8, 32, {4, 3});
    inverted<float>("inverse_s8", inverse_s8, false, 8, 64, {8, 5, 1});
    inverted<double>("inverse_d32", inverse_d32, false, 1, 32, {32, 17});
    inverted<Complex<double>>("inverse_z16", inverse_z16, false, 2, 32, {16, 9});
    inverted_by_strips<float>("strips_s", strips_s, 64, 128, {33, 64, 150});
    inverted_by_strips<float>("strips_s8", strips_s8, 64, 256, {50, 130});
    inverted_by_strips<Complex<float>>("strips_c64", strips_c64, 64, 256, {63, 100});
    inverted_by_strips<double>("strips_d64", strips_d64, 64, 256, {40, 129});
    inverted_by_strips<double>("strips_d32", strips_d32, 32, 256, {64, 97, 170});
    inverted_by_strips<Complex<float>>("strips_c32", strips_c32, 32, 256, {33, 100, 131});
    inverted_by_strips<Complex<double>>("strips_z32", strips_z32, 32, 256, {47, 128});
    inverted_by_strips<Complex<double>>("strips_z16", strips_z16, 16, 256, {33, 101});
    inverted_by_grid<float, 8, 8, 16>("grid_s", grid_s, {5, 9, 16, 17, 24, 32, 33, 64, 97});
    inverted_by_grid<float, 12, 12, 16>("grid_s12", grid_s12, {11, 36, 61, 141, 192});
    inverted_by_grid<Complex<float>, 6, 6, 22>("grid_c6", grid_c6, {6, 31, 132});
    inverted_by_grid<double, 6, 6, 16>("grid_d", grid_d, {6, 11, 12, 18, 36, 50, 96});
    inverted_by_grid<Complex<float>, 8, 8, 16>("grid_c", grid_c, {8, 14, 24, 32, 40, 101});
    inverted_by_grid<Complex<double>, 6, 6, 16>("grid_z", grid_z, {3, 12, 17, 24, 31, 48, 61});
    inverted_by_grid<Complex<double>, 4, 4, 10>("grid_z44", grid_z44, {9, 12, 13, 16, 25, 32, 40});
    inverted_by_grid<Complex<double>, 8, 4, 11>("grid_z84", grid_z84, {8, 16, 20, 32, 48, 64});
    solved_at_once<float>("fused_s1", fused_s1, 2, 1, {33, 63, 64, 100});
    solved_at_once<float>("fused_s8", fused_s8, 8, 8, {33, 127});
    solved_at_once<double>("fused_d1", fused_d1, 8, 1, {33, 49, 96, 290});
    solved_at_once<double>("fused_d8", fused_d8, 2, 8, {40, 64, 97});
    solved_at_once<Complex<float>>("fused_c1", fused_c1, 2, 1, {20, 34, 65});
    solved_at_once<Complex<float>>("fused_c8", fused_c8, 4, 8, {48, 81});
    solved_at_once<Complex<double>>("fused_z1", fused_z1, 4, 1, {35, 64, 150});
    solved_at_once<Complex<double>>("fused_z8", fused_z8, 2, 8, {33, 80});
    identities<float>("identity_s", identity_s);
    identities<Complex<double>>("identity_z", identity_z);
    permuted("to_permutation_4", to_permutation_4, 4);
    permuted("to_permutation_1", to_permutation_1, 1);
    printf(failures ? "%d checks failed\n" : "kernels of systems of equations on the host: ok\n", failures);
    return failures != 0;
}
