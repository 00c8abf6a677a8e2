// The LU kernels, run on the host, compared with a plain elimination: the interchanges must be the same, the factors
// agree within rounding.
#include "cuda_on_host.h"

#include "gemm/gemm.cuh"
#include "getrf/grid.cuh"
#include "getrf/half_panel.cuh"
#include "getrf/left_exchanges.cuh"
#include "getrf/left_looking.cuh"
#include "getrf/panel.cuh"
#include "getrf/small.cuh"
#include "getrf/strip_update.cuh"
#include "getrf/tall_step.cuh"
#include "getrf/team.cuh"
#include "getrf/trailing.cuh"
#include "getrf/update.cuh"
#include "given.h"
#include "lu_check.h"

TEPHRA_GETRF_SMALL(small_s4, s, 4, 4, 2, 1)
TEPHRA_GETRF_SMALL(small_d8, d, 8, 8, 1, 1)
TEPHRA_GETRF_SMALL(small_c16, c, 16, 16, 2, 1)
TEPHRA_GETRF_SMALL(small_z32, z, 32, 32, 1, 1)
TEPHRA_GETRF_SMALL(small_d32, d, 32, 32, 2, 1)
TEPHRA_GETRF_SMALL(small_s32x8, s, 32, 8, 2, 1)
TEPHRA_GETRF_NOPIV_SMALL(nopiv_small_s4, s, 4, 1, 4, 2, 1)
TEPHRA_GETRF_NOPIV_SMALL(nopiv_small_z16, z, 8, 2, 16, 2, 1)
TEPHRA_GETRF_NOPIV_SMALL(nopiv_small_d32, d, 16, 2, 32, 1, 1)
TEPHRA_GETRF_NOPIV_SMALL(nopiv_small_c24, c, 16, 2, 24, 2, 1)
TEPHRA_GETRF_NOPIV_SMALL(nopiv_small_s32x8, s, 16, 2, 8, 2, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_s48, s, 8, 4, 6, 12, 1, 1, 1, 1, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_s64, s, 8, 4, 8, 16, 1, 1, 1, 0, 0)
TEPHRA_GETRF_NOPIV_GRID(grid_s32, s, 4, 4, 8, 8, 1, 2, 1, 0, 0)
TEPHRA_GETRF_NOPIV_GRID(grid_s80, s, 8, 4, 10, 10, 2, 1, 1, 1, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_s96, s, 8, 4, 12, 8, 3, 1, 1, 1, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_d48, d, 8, 4, 6, 12, 1, 1, 1, 0, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_d64, d, 8, 4, 8, 8, 2, 1, 1, 1, 0)
TEPHRA_GETRF_NOPIV_GRID(grid_d24, d, 4, 4, 6, 6, 1, 2, 1, 1, 0)
TEPHRA_GETRF_NOPIV_GRID(grid_d32, d, 8, 4, 4, 8, 1, 1, 1, 0, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_c48, c, 4, 8, 12, 3, 2, 1, 1, 1, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_c64, c, 8, 4, 8, 8, 2, 1, 1, 0, 0)
TEPHRA_GETRF_NOPIV_GRID(grid_z24, z, 8, 4, 3, 6, 1, 1, 1, 1, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_z48, z, 8, 4, 6, 6, 2, 1, 1, 1, 1)
TEPHRA_GETRF_NOPIV_GRID(grid_z64, z, 8, 4, 8, 4, 4, 1, 1, 1, 1)
TEPHRA_GETRF_TEAM(team_s64, s, 2, 32, 2, 8, 1, 1)
TEPHRA_GETRF_TEAM(team_s64w1, s, 2, 64, 1, 8, 1, 1)
TEPHRA_GETRF_TEAM(team_s96, s, 3, 32, 3, 8, 1, 1)
TEPHRA_GETRF_TEAM(team_s128, s, 4, 16, 4, 8, 2, 1)
TEPHRA_GETRF_TEAM(team_s160, s, 5, 16, 5, 8, 2, 1)
TEPHRA_GETRF_TEAM(team_s192, s, 6, 16, 6, 8, 2, 1)
TEPHRA_GETRF_TEAM(team_d48, d, 2, 24, 2, 8, 1, 1)
TEPHRA_GETRF_TEAM(team_d64, d, 2, 32, 2, 8, 1, 1)
TEPHRA_GETRF_TEAM(team_c64, c, 2, 16, 2, 8, 2, 1)
TEPHRA_GETRF_TEAM(team_c96, c, 3, 8, 4, 8, 3, 1)
TEPHRA_GETRF_TEAM(team_z48, z, 2, 12, 4, 4, 1, 1)
TEPHRA_GETRF_LEFT_LOOKING(left_looking_d, d, 4, 128, 1)
TEPHRA_GETRF_LEFT_LOOKING(left_looking_c, c, 4, 128, 1)
TEPHRA_GETRF_LEFT_LOOKING(left_looking_z, z, 4, 128, 1)
TEPHRA_GETRF_LEFT_LOOKING(left_looking_d144, d, 4, 144, 1)
TEPHRA_GETRF_LEFT_LOOKING(left_looking_c144, c, 4, 144, 1)
TEPHRA_GETRF_PANEL(panel_s, s, 2, 16, 4, 1)
TEPHRA_GETRF_PANEL(panel_d, d, 1, 32, 8, 1)
TEPHRA_GETRF_PANEL(panel_z, z, 2, 8, 4, 1)
TEPHRA_GETRF_HALF_PANEL(half_panel_s, s, 2, 16, 8, 1)
TEPHRA_GETRF_HALF_PANEL(half_panel_d, d, 2, 16, 16, 1)
TEPHRA_GETRF_HALF_PANEL(half_panel_c, c, 2, 16, 16, 1)
TEPHRA_GETRF_HALF_PANEL(half_panel_z, z, 2, 8, 16, 1)
TEPHRA_GETRF_COLUMNS(columns_s, s, 128)
TEPHRA_GETRF_COLUMNS(columns_c, c, 64)
TEPHRA_GETRF_COLUMNS(columns_d, d, 64)
TEPHRA_GETRF_COLUMNS(columns_z, z, 64)
TEPHRA_GETRF_TALL_STEP(step_s, s, 64, 16)
TEPHRA_GETRF_TALL_STEP(step_d, d, 32, 16)
TEPHRA_GETRF_TALL_STEP(step_c, c, 32, 16)
TEPHRA_GETRF_TALL_STEP(step_z, z, 64, 16)
TEPHRA_GETRF_UPDATE(update_s, s, 16, 32, 4, 8, 1)
TEPHRA_GETRF_UPDATE(update_d, d, 32, 32, 4, 8, 1)
TEPHRA_GETRF_UPDATE(update_z, z, 8, 16, 2, 4, 1)
TEPHRA_GETRF_UPDATE(update_z16, z, 16, 16, 2, 4, 1)
TEPHRA_GETRF_UPDATE(update_c, c, 16, 16, 2, 4, 1)
TEPHRA_GETRF_UPDATE(update_d64, d, 64, 16, 2, 4, 1)
TEPHRA_GETRF_UPDATE(update_c64, c, 64, 16, 2, 4, 1)
TEPHRA_GETRF_TRAILING(trailing_s, s, 128, 4, 1)
TEPHRA_GETRF_TRAILING(trailing_c, c, 64, 4, 1)
TEPHRA_GETRF_TRAILING(trailing_z, z, 32, 4, 1)
TEPHRA_GETRF_STRIP_UPDATE(strip_d64, d, 64, 64, 8, 1)
TEPHRA_GETRF_STRIP_UPDATE(strip_d128, d, 128, 64, 8, 1)
TEPHRA_LEFT_EXCHANGES(left_s, s, 32, 64)
TEPHRA_LEFT_EXCHANGES(left_d, d, 32, 128)
TEPHRA_LEFT_EXCHANGES(left_c, c, 32, 64)
TEPHRA_LEFT_EXCHANGES(left_z, z, 32, 64)
TEPHRA_LASWP(laswp_d, d, 32, 16, 256)
TEPHRA_LASWP(laswp_c, c, 32, 16, 256)
TEPHRA_LASWP(laswp_s, s, 32, 16, 128)
TEPHRA_LASWP(laswp_z, z, 32, 16, 256)
TEPHRA_GEMM_VECTOR(gemm_s, s, 128, 64, 16, 2, 8, 8, 1)
TEPHRA_GEMM_VECTOR(gemm_c, c, 64, 64, 16, 2, 8, 4, 1)
TEPHRA_GEMM_TENSOR(gemm_d, d, 64, 64, 16, 3, 32, 32, 16, 1)
TEPHRA_GEMM_TENSOR(gemm_z, z, 64, 32, 8, 3, 32, 16, 8, 1)

namespace {

template <typename T, typename Kernel>
void whole(const char *name, Kernel kernel, int per_block, int threads,
           std::initializer_list<std::pair<int, int>> shapes, std::initializer_list<bool> searches = {true, false}) {
    for (auto [m, n] : shapes)
        for (bool search : searches)
            factor<T>(name, m, n, members, search, [&, m = m, n = n](const GetrfArgs &args) {
                // A panel in halves counts all rows of its threads; left-looking strips keep at most one strip more
                // columns than rows.
                const auto &about = host::about(kernel);
                const bool halves = about.room.sizes[1].most == 1;
                const int columns = about.tile > 0 && n > m + about.tile ? m + about.tile : n;
                host::give(kernel, {halves ? 2 * threads : m, columns, m});
                host::launch((members + per_block - 1) / per_block, threads, [&] { kernel(args); });
            });
}

// Without interchanges: pivots that are zero, huge and tiny, in members that must not affect their neighbours.
template <typename T, typename Kernel>
void odd_pivots(const char *name, Kernel kernel, int per_block, int threads, int order) {
    constexpr int count = 7;
    using R = Real<T>;
    Batch<T> start(order, order, count);
    const R large = sizeof(R) == 4 ? R(0x1p126) : R(0x1p1022), tiny = sizeof(R) == 4 ? R(0x1p-140) : R(0x1p-1060);
    for (int k = 0; k < order; ++k) {
        for (int i = 0; i < count; ++i) start.at(i, k, k) = make<T>(order);
        start.at(1, order / 2, k) = make<T>(0);                                      // a row of zeros
        for (int r = 0; r < order; ++r) start.at(2, r, k) = make<T>(0);              // all zeros
        start.at(3, k, 0) = scale(start.at(3, k, 0), k == 0 ? large / order : R(1)); // a huge pivot
        for (int r = 0; r < order; ++r) // tiny ones, whose reciprocals overflow
            start.at(4, r, k) = r == k ? make<T>(tiny) : make<T>(0);
    }
    start.at(5, order - 1, 0) = make<T>(static_cast<R>(NAN));
    auto got = start, expected = start;
    std::vector<int> info(count, -7);
    GetrfArgs args = {};
    args.a = got.operand(), args.info = info.data();
    args.lda = got.ld, args.batch = count, args.m = args.n = args.columns = order;
    host::launch((count + per_block - 1) / per_block, threads, [&] { kernel(args); });
    for (int i = 0; i < count; ++i) {
        const std::string what = std::string(name) + " odd pivots, member " + std::to_string(i);
        const Expected e = eliminate(expected, i, false);
        if (i == 5) continue;
        report(what + " info " + std::to_string(info[i]), info[i] == e.info);
        double worst = 0, largest = 0;
        for (int c = 0; c < order; ++c)
            for (int r = 0; r < order; ++r) {
                const double d = distance(got.at(i, r, c), expected.at(i, r, c));
                worst = d == d ? fmax(worst, d) : INFINITY;
                largest = fmax(largest, size_of(expected.at(i, r, c)));
            }
        report(what + " differs by " + std::to_string(worst), worst <= 100 * order * epsilon<T>() * largest);
    }
}

template <typename T, typename Panel, typename Update>
void blocked(const char *name, Panel panel, int panel_threads, Update update, int update_threads, int nb, int nt,
             std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (bool search : {true, false})
            factor<T>(name, m, n, members, search, [&](GetrfArgs args) {
                const int steps = m < n ? m : n;
                for (args.at = 0; args.at < steps; args.at += nb) {
                    args.columns = steps - args.at < nb ? steps - args.at : nb;
                    host::launch(members, panel_threads, [&] { panel(args); });
                    const int left = (args.at + nt - 1) / nt, right = (n - args.at - args.columns + nt - 1) / nt;
                    const int strips = (search ? left : 0) + right;
                    if (strips > 0) host::launch(members * strips, update_threads, [&] { update(args); });
                }
            });
}

// A panel step by step: the same bits as from the kernel that has all of a matrix in one block. Blocks have `rounds`
// rows per thread.
template <typename T, typename Step, typename Columns>
void steps(const char *name, Step step, int threads, Columns columns, int columns_threads, int rounds,
           std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (bool search : {true, false}) {
            auto start = mixed<T>(m + 3, n + 3, members);
            auto got = start, expected = start;
            const int k = m < n ? m : n;
            std::vector<int> ipiv(members * (k + 3), -7), info(members, 0), their_ipiv = ipiv, their_info = info;
            // A later panel keeps the code of an earlier one.
            info[1] = their_info[1] = 1;
            for (int at : {0, 3}) {
                GetrfStepArgs args = {};
                args.height = rounds * threads, args.blocks = (m + args.height - 1) / args.height;
                std::vector<RowOffer<T, 16>> offers(members * 2 * (args.blocks + 1));
                args.offers = offers.data();
                const auto with = [&](auto &matrices, auto &pivots, auto &codes) {
                    args.lu.a = matrices.operand();
                    if (search) args.lu.ipiv = {pivots.data(), k + 3, 0, 0};
                    args.lu.info = codes.data();
                    args.lu.lda = matrices.ld, args.lu.batch = members;
                    args.lu.m = m + at, args.lu.n = n + at, args.lu.at = at, args.lu.columns = n;
                };
                if (at > 0) got = expected = start;
                with(got, ipiv, info);
                for (args.k = 0; args.k <= k; ++args.k)
                    host::launch(members * args.blocks - 1, threads, [&] { step(args); });
                with(expected, their_ipiv, their_info);
                host::launch(members, columns_threads, [&] { columns(args.lu); });
                const auto same = [](const auto &a, const auto &b) {
                    return memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
                };
                report(std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n) + " from " +
                           std::to_string(at) + (search ? "" : " without interchanges"),
                       same(got.data, expected.data) && same(ipiv, their_ipiv) && same(info, their_info));
            }
        }
}

// A22 := A22 - L21 U12, after columns at .. end - 1, in the columns before `last`.
template <typename Gemm>
void product(Gemm gemm, int threads, const GetrfArgs &args, int m, int at, int end, int last) {
    GemmArgs g = {};
    const long long lda = args.lda;
    g.a = g.b = g.c = args.a;
    g.factors.alpha_re = -1, g.factors.beta_re = 1, g.batch = members;
    g.a0 = end + at * lda, g.ars = 1, g.acs = lda;
    g.b0 = at + end * lda, g.brs = 1, g.bcs = lda;
    g.c0 = end * (lda + 1), g.ldc = lda;
    g.m = m - end, g.n = last - end, g.k = end - at;
    if (g.m > 0 && g.n > 0) host::launch(9, threads, [&] { gemm(g); });
}

// Blocks of an update of columns args.first .. args.n - 1.
int strips_of(const GetrfArgs &args, int nt) {
    const int left = (args.at - args.first + nt - 1) / nt, right = (args.n - args.at - args.columns + nt - 1) / nt;
    return (args.pivots() ? left : 0) + right;
}

// Outer panels of `outer` columns, each followed by outside(args): the interchanges and the solve in the columns beside
// it. apart: the product after a panel is also a launch of its own.
template <typename T, typename Panel, typename Update, typename Outside, typename Gemm>
void two_level(const char *name, Panel panel, int panel_threads, Update update, int update_threads, int nb, int nt,
               Outside outside, Gemm gemm, int gemm_threads, int outer, bool apart,
               std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (bool search : {true, false})
            factor<T>(name, m, n, members, search, [&](GetrfArgs args) {
                const int steps = m < n ? m : n;
                for (int first = 0, end; first < steps; first = end) {
                    end = steps - first < outer ? steps : first + outer;
                    for (args.at = first; args.at < end; args.at += nb) {
                        args.columns = end - args.at < nb ? end - args.at : nb;
                        const int after = args.at + args.columns;
                        args.m = m, args.n = n, args.first = first;
                        host::launch(members, panel_threads, [&] { panel(args); });
                        args.m = apart ? after : m, args.n = end;
                        const int strips = strips_of(args, nt);
                        if (strips > 0) host::launch(members * strips, update_threads, [&] { update(args); });
                        if (apart) product(gemm, gemm_threads, args, m, args.at, after, end);
                    }
                    args.at = first, args.columns = end - first, args.m = end, args.n = n, args.first = 0;
                    outside(args);
                    product(gemm, gemm_threads, args, m, first, end, n);
                }
            });
}

// With laswp, and a plain solve.
template <typename T, typename Laswp>
auto by_laswp(Laswp laswp, int threads) {
    return [=](const GetrfArgs &args) {
        const int first = args.at, end = args.m;
        LaswpArgs l = {};
        l.a = args.a, l.ipiv = args.ipiv, l.lda = args.lda, l.batch = members, l.n = args.n;
        l.k1 = l.first = l.gap = first, l.k2 = l.after = end, l.stride = 1;
        if (args.pivots()) host::launch(5, threads, [&] { laswp(l); });
        for (int i = 0; i < members; ++i) {
            T *const A = member<T>(args.a, i);
            const auto at = [&](int r, int c) -> T & { return A[r + c * args.lda]; };
            for (int j = end; j < args.n; ++j)
                for (int k = first; k < end; ++k)
                    for (int r = k + 1; r < end; ++r) at(r, j) = fnma_(at(r, k), at(k, j), at(r, j));
        }
    };
}

// With an update kernel for this many columns.
template <typename Update>
auto by_update(Update update, int threads, int nt) {
    return [=](const GetrfArgs &args) {
        const int strips = strips_of(args, nt);
        if (strips > 0) host::launch(members * strips, threads, [&] { update(args); });
    };
}

// Outer panels of 64 columns, or 128 while there are more than `tall` rows. One launch per outer panel updates what is
// to its right; the interchanges to the left come at the end.
template <typename T, typename Panel, typename Update, typename Trailing, typename Left>
void one_visit(const char *name, Panel panel, int panel_threads, Update update, int update_threads, int nb, int nt,
               Trailing trailing, int strip, Left left, int left_threads, int tall,
               std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (bool search : {true, false})
            factor<T>(name, m, n, members, search, [&](GetrfArgs args) {
                const int steps = m < n ? m : n;
                int wide = 0, last = 0;
                for (int first = 0, end; first < steps; first = end) {
                    const int outer = m - first > tall ? 128 : 64;
                    end = steps - first <= outer + 32 ? steps : first + outer;
                    if (end < steps && outer == 128) wide = end;
                    last = first;
                    for (args.at = first; args.at < end; args.at += nb) {
                        args.columns = end - args.at < nb ? end - args.at : nb;
                        args.m = m, args.n = end, args.first = first;
                        host::launch(members, panel_threads, [&] { panel(args); });
                        const int strips = strips_of(args, nt);
                        if (strips > 0) host::launch(members * strips, update_threads, [&] { update(args); });
                    }
                    args.at = first, args.columns = end - first, args.n = n;
                    TrailingArgs t = {};
                    t.lu = args, t.strips = (n - end + strip - 1) / strip;
                    t.slots = 2 + m % 3, t.at_once = 1 + n % 3;
                    if (t.strips > 0) {
                        host::give(trailing, {end - first, t.at_once, t.slots, 0});
                        host::launch(members * t.strips, 128, [&] { trailing(t); });
                    }
                }
                LeftExchangesArgs l = {};
                args.columns = steps, args.at = 0, args.first = wide;
                l.lu = args, l.wide = 128, l.strips = last / 32, l.together = 1 + n % 5;
                if (search && last > 0) {
                    host::give(left, {m, l.together});
                    host::launch(members * l.strips, left_threads, [&] { left(l); });
                }
            });
}

// The same with strips without barriers. is_wide: outer panels have 128 columns, and each 64 of them are followed by
// strips within the outer panel.
template <typename T, typename Panel, typename Update, typename Mid, typename Wide, typename Left>
void nested(const char *name, Panel panel, int panel_threads, int nb, Update update, Mid mid, Wide wide, bool is_wide,
            Left left, int left_threads, std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (bool search : {true, false})
            factor<T>(name, m, n, members, search, [&](GetrfArgs args) {
                const int steps = m < n ? m : n, outer = is_wide ? 128 : 64;
                const auto beside = [&](auto kernel, int at, int width, int first, int end) {
                    StripUpdateArgs u = {};
                    u.lu = args, u.lu.m = m, u.lu.n = end, u.lu.at = at, u.lu.columns = width, u.lu.first = first;
                    u.left = search ? (at - first + 63) / 64 : 0;
                    u.strips = strips_of(u.lu, 64);
                    if (u.strips > 0) {
                        host::give(kernel, {m - at});
                        host::launch(members * u.strips, 256, [&] { kernel(u); });
                    }
                };
                const auto panels = [&](int first, int end) {
                    for (int at = first; at < end; at += nb) {
                        args.m = m, args.n = end, args.at = at, args.first = first;
                        args.columns = end - at < nb ? end - at : nb;
                        host::launch(members, panel_threads, [&] { panel(args); });
                        const int strips = strips_of(args, 32);
                        if (strips > 0) host::launch(members * strips, 256, [&] { update(args); });
                    }
                };
                int last = 0;
                for (int first = 0, end; first < steps; first = end) {
                    end = steps - first < outer ? steps : first + outer;
                    last = first;
                    if (is_wide) {
                        for (int at = first, width; at < end; at += width) {
                            width = end - at < 64 ? end - at : 64;
                            panels(at, at + width);
                            beside(mid, at, width, first, end);
                        }
                        beside(wide, first, end - first, first, n);
                    } else {
                        panels(first, end);
                        beside(mid, first, end - first, first, n);
                    }
                }
                LeftExchangesArgs l = {};
                args.m = m, args.n = n, args.columns = steps, args.at = 0, args.first = is_wide ? last : 0;
                l.lu = args, l.wide = 128, l.strips = last / 32, l.together = 1 + n % 5;
                if (search && last > 0) {
                    host::give(left, {m, l.together});
                    host::launch(members * l.strips, left_threads, [&] { left(l); });
                }
            });
}

template <typename T, typename Kernel>
void exchanged(const char *name, Kernel kernel) {
    for (int m : {3, 32, 33, 100})
        for (int backwards : {0, 1}) {
            const int columns = 19, count = 2, k1 = m > 5 ? 2 : 0, k2 = m;
            Batch<T> start(m, columns, count);
            auto got = start, expected = start;
            std::vector<int> ipiv(count * m * 2);
            for (int &p : ipiv) p = 1 + static_cast<int>(engine() % m);
            LaswpArgs args = {};
            args.a = got.operand(), args.ipiv = {ipiv.data(), 2 * m, 0, 0};
            args.lda = got.ld, args.batch = count, args.n = columns, args.k1 = k1, args.k2 = k2;
            args.first = 1, args.stride = 1, args.backwards = backwards;
            host::launch(3, 256, [&] { kernel(args); });
            for (int i = 0; i < count; ++i)
                for (int s = 0; s < k2 - k1; ++s) {
                    const int k = backwards ? k2 - 1 - s : k1 + s, p = ipiv[i * 2 * m + 1 + k - k1] - 1;
                    for (int c = 0; c < columns; ++c) std::swap(expected.at(i, k, c), expected.at(i, p, c));
                }
            report(std::string(name) + " " + std::to_string(m),
                   memcmp(got.data.data(), expected.data.data(), got.data.size() * sizeof(T)) == 0);
        }
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    whole<float>("small_s4", small_s4, 16, 64, {{4, 4}, {3, 4}, {4, 2}, {1, 1}}, {true});
    whole<double>("small_d8", small_d8, 4, 32, {{8, 8}, {5, 7}, {7, 3}}, {true});
    whole<Complex<float>>("small_c16", small_c16, 4, 64, {{16, 16}, {9, 16}, {16, 11}}, {true});
    whole<Complex<double>>("small_z32", small_z32, 1, 32, {{32, 32}, {17, 20}}, {true});
    whole<double>("small_d32", small_d32, 2, 64, {{32, 32}, {20, 32}, {32, 25}}, {true});
    whole<float>("small_s32x8", small_s32x8, 2, 64, {{32, 8}, {5, 5}, {31, 7}}, {true});
    whole<float>("nopiv_small_s4", nopiv_small_s4, 16, 64, {{4, 4}, {3, 4}, {4, 2}, {1, 1}}, {false});
    whole<Complex<double>>("nopiv_small_z16", nopiv_small_z16, 8, 64, {{16, 16}, {9, 16}, {16, 11}}, {false});
    whole<double>("nopiv_small_d32", nopiv_small_d32, 2, 32, {{32, 32}, {20, 32}, {32, 25}}, {false});
    whole<Complex<float>>("nopiv_small_c24", nopiv_small_c24, 4, 64, {{24, 24}, {32, 20}, {19, 24}}, {false});
    whole<float>("nopiv_small_s32x8", nopiv_small_s32x8, 4, 64, {{32, 8}, {5, 5}, {31, 7}}, {false});
    const auto grid = [](auto scalar, const char *name, auto kernel, int per_block, int threads, int order) {
        using T = decltype(scalar);
        whole<T>(
            name, kernel, per_block, threads,
            {{order, order}, {order * 2 / 3, order}, {order, order / 3}, {5, order}, {1, 1}, {order - 1, order - 2}},
            {false});
        odd_pivots<T>(name, kernel, per_block, threads, order);
        odd_pivots<T>(name, kernel, per_block, threads, order - 3);
    };
    grid(0.0f, "grid_s48", grid_s48, 1, 32, 48);
    grid(0.0f, "grid_s64", grid_s64, 1, 32, 64);
    grid(0.0f, "grid_s32", grid_s32, 4, 64, 32);
    grid(0.0f, "grid_s80", grid_s80, 1, 32, 80);
    grid(0.0f, "grid_s96", grid_s96, 1, 32, 96);
    grid(0.0, "grid_d48", grid_d48, 1, 32, 48);
    grid(0.0, "grid_d64", grid_d64, 1, 32, 64);
    grid(0.0, "grid_d24", grid_d24, 4, 64, 24);
    grid(0.0, "grid_d32", grid_d32, 1, 32, 32);
    grid(Complex<float>(), "grid_c48", grid_c48, 1, 32, 48);
    grid(Complex<float>(), "grid_c64", grid_c64, 1, 32, 64);
    grid(Complex<double>(), "grid_z24", grid_z24, 1, 32, 24);
    grid(Complex<double>(), "grid_z48", grid_z48, 1, 32, 48);
    grid(Complex<double>(), "grid_z64", grid_z64, 1, 32, 64);
    odd_pivots<Complex<double>>("nopiv_small_z16", nopiv_small_z16, 8, 64, 16);
    odd_pivots<double>("nopiv_small_d32", nopiv_small_d32, 2, 32, 32);
    odd_pivots<float>("team_s64", team_s64, 1, 64, 61);
    whole<float>("team_s64", team_s64, 1, 64, {{64, 64}, {33, 33}, {63, 50}, {40, 64}, {2, 3}, {1, 64}, {64, 9}});
    whole<float>("team_s64w1", team_s64w1, 1, 32, {{64, 64}, {33, 33}, {63, 50}, {40, 64}, {2, 3}, {1, 64}, {64, 9}});
    whole<float>("team_s96", team_s96, 1, 96, {{96, 96}, {65, 33}, {71, 96}, {90, 81}});
    whole<float>("team_s128", team_s128, 1, 128, {{128, 128}, {100, 100}, {127, 127}, {99, 128}, {128, 70}});
    whole<float>("team_s160", team_s160, 1, 160, {{160, 160}, {129, 129}, {160, 80}, {131, 160}, {97, 159}});
    whole<float>("team_s192", team_s192, 1, 192, {{192, 192}, {161, 161}, {192, 33}, {170, 190}});
    whole<Complex<float>>("team_c96", team_c96, 1, 128, {{96, 96}, {65, 70}, {33, 33}, {30, 90}, {64, 96}});
    whole<Complex<double>>("team_z48", team_z48, 1, 128, {{48, 48}, {64, 48}, {50, 33}, {33, 47}});
    const auto left_looking = [](auto scalar, const char *name, auto kernel,
                                 std::initializer_list<std::pair<int, int>> shapes, std::initializer_list<int> odd) {
        using T = decltype(scalar);
        for (const auto &shape : shapes) whole<T>(name, kernel, 1, (shape.first + 31) / 32 * 32, {shape});
        for (int order : odd) odd_pivots<T>(name, kernel, 1, (order + 31) / 32 * 32, order);
    };
    left_looking(0.0, "left_looking_d", left_looking_d,
                 {{128, 128}, {127, 127}, {97, 97}, {96, 96}, {65, 128}, {128, 65}, {33, 90}, {1, 96}}, {128, 93});
    left_looking(Complex<float>(), "left_looking_c", left_looking_c,
                 {{128, 128}, {100, 100}, {65, 65}, {72, 128}, {128, 61}, {64, 70}, {1, 128}}, {125, 64});
    left_looking(0.0, "left_looking_d144", left_looking_d144,
                 {{144, 144}, {129, 129}, {140, 60}, {100, 144}, {135, 139}}, {144, 131});
    left_looking(Complex<float>(), "left_looking_c144", left_looking_c144,
                 {{144, 144}, {129, 130}, {133, 20}, {10, 141}}, {137});
    left_looking(Complex<double>(), "left_looking_z", left_looking_z,
                 {{128, 128}, {121, 121}, {96, 96}, {64, 64}, {33, 33}, {97, 128}, {128, 17}, {12, 64}}, {96, 61, 33});
    steps<float>("step_s", step_s, 64, columns_s, 128, 1, {{300, 16}, {64, 7}, {65, 1}, {9, 12}, {1, 1}});
    steps<double>("step_d", step_d, 32, columns_d, 64, 2, {{300, 16}, {64, 16}, {200, 9}, {130, 3}, {5, 16}});
    steps<Complex<float>>("step_c", step_c, 32, columns_c, 64, 3, {{250, 16}, {97, 5}, {16, 16}});
    steps<Complex<double>>("step_z", step_z, 64, columns_z, 64, 1, {{130, 16}, {129, 11}, {2, 16}});
    whole<double>("team_d48", team_d48, 1, 64, {{48, 48}, {64, 48}, {37, 41}, {33, 33}});
    whole<double>("team_d64", team_d64, 1, 64, {{64, 64}, {50, 33}, {17, 64}});
    whole<Complex<float>>("team_c64", team_c64, 1, 64, {{64, 64}, {33, 33}, {40, 60}});
    whole<float>("columns_s", columns_s, 1, 128, {{40, 40}, {200, 9}, {7, 30}});
    whole<Complex<float>>("columns_c", columns_c, 7, 64, {{33, 33}, {100, 5}});
    blocked<float>("panel_s", panel_s, 128, update_s, 256, 16, 32, {{100, 100}, {256, 70}, {50, 130}, {256, 16}});
    blocked<double>("panel_d", panel_d, 256, update_d, 256, 32, 32, {{200, 200}, {65, 65}, {33, 90}, {256, 40}});
    blocked<Complex<double>>("panel_z", panel_z, 128, update_z, 128, 8, 16, {{100, 60}, {64, 64}, {9, 50}});
    blocked<Complex<float>>("columns_c and update", columns_c, 64, update_c, 128, 16, 16, {{80, 80}, {120, 40}});
    whole<float>("half panel s", half_panel_s, 1, 64, {{128, 32}, {100, 17}, {77, 16}, {20, 32}, {9, 31}, {1, 5}});
    whole<float>("half panel s", half_panel_s, 1, 32, {{64, 32}, {40, 20}, {20, 32}});
    blocked<double>("half panel d", half_panel_d, 128, update_d, 256, 32, 32, {{200, 200}, {65, 65}, {256, 40}});
    whole<Complex<float>>("half panel c", half_panel_c, 1, 96, {{190, 32}, {33, 30}, {16, 32}, {12, 32}});
    blocked<Complex<double>>("half panel z", half_panel_z, 64, update_z16, 128, 16, 16, {{100, 60}, {64, 64}, {9, 50}});
    two_level<float>("two levels s", panel_s, 128, update_s, 256, 16, 32, by_laswp<float>(laswp_s, 128), gemm_s, 128,
                     48, false, {{150, 150}, {200, 100}, {100, 200}});
    two_level<double>("two levels d", panel_d, 256, update_d, 256, 32, 32, by_update(update_d64, 128, 16), gemm_d, 128,
                      64, true, {{200, 200}, {256, 130}, {90, 170}});
    two_level<Complex<double>>("two levels z", panel_z, 128, update_z, 128, 8, 16,
                               by_laswp<Complex<double>>(laswp_z, 256), gemm_z, 128, 32, true, {{100, 100}, {120, 60}});
    two_level<Complex<float>>("two levels c", columns_c, 64, update_c, 128, 16, 16, by_update(update_c64, 128, 16),
                              gemm_c, 128, 40, false, {{90, 90}, {60, 100}});
    one_visit<float>("one visit s", panel_s, 128, update_s, 256, 16, 32, trailing_s, 128, left_s, 64, 200,
                     {{250, 250}, {200, 300}});
    one_visit<Complex<double>>("one visit z", panel_z, 128, update_z, 128, 8, 16, trailing_z, 32, left_z, 64, 100,
                               {{120, 170}, {101, 101}});
    one_visit<Complex<float>>("one visit c", columns_c, 64, update_c, 128, 16, 16, trailing_c, 64, left_c, 64, 1000,
                              {{140, 140}});
    nested<double>("strips of 128", half_panel_d, 128, 32, update_d, strip_d64, strip_d128, true, left_d, 128,
                   {{256, 256}, {207, 203}, {140, 260}, {250, 135}});
    nested<double>("strips of 64", half_panel_d, 128, 32, update_d, strip_d64, strip_d128, false, left_d, 128,
                   {{175, 175}, {90, 150}});
    exchanged<double>("laswp_d", laswp_d);
    exchanged<Complex<float>>("laswp_c", laswp_c);
    printf(failures ? "%d checks failed\n" : "getrf kernels on the host: ok\n", failures);
    return failures != 0;
}
