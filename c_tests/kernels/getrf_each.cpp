// The LU kernels for members with their own sizes, run on the host, compared with a plain elimination of each member;
// also with small pivots replaced.
#include "cuda_on_host.h"

#include "auxiliary/check.cuh"
#include "auxiliary/identity_each.cuh"
#include "getrf/cluster_panel.cuh"
#include "getrf/exchange_each.cuh"
#include "getrf/left_looking_each.cuh"
#include "getrf/panel.cuh"
#include "getrf/small.cuh"
#include "getrf/team.cuh"
#include "getrf/update.cuh"
#include "lu_case.h"

TEPHRA_GETRF_SMALL_EACH(small_s8, s, 8, 8, 2, 1)
TEPHRA_GETRF_SMALL_EACH(small_z32, z, 32, 32, 1, 1)
TEPHRA_GETRF_NOPIV_SMALL_EACH(nopiv_small_d8, d, 8, 1, 8, 2, 1)
TEPHRA_GETRF_NOPIV_SMALL_EACH(nopiv_small_c16, c, 16, 1, 16, 2, 1)
TEPHRA_GETRF_NOPIV_SMALL_EACH(nopiv_small_s32, s, 16, 2, 32, 1, 1)
TEPHRA_GETRF_TEAM_EACH(team_s64, s, 2, 32, 2, 8, 1, 1)
TEPHRA_GETRF_TEAM_EACH(team_d96, d, 3, 16, 3, 8, 2, 1)
TEPHRA_GETRF_TEAM_EACH(team_c64, c, 2, 16, 2, 8, 2, 1)
TEPHRA_GETRF_TEAM_EACH(team_z64, z, 2, 8, 4, 8, 2, 1)
TEPHRA_GETRF_LEFT_LOOKING_EACH(left_looking_d, d, 4, 1)
TEPHRA_GETRF_LEFT_LOOKING_EACH(left_looking_c, c, 4, 1)
TEPHRA_GETRF_LEFT_LOOKING_EACH(left_looking_z, z, 4, 1)
TEPHRA_GETRF_PANEL_EACH(panel_s, s, 2, 16, 4, 1)
TEPHRA_GETRF_PANEL_EACH(panel_d, d, 1, 32, 8, 1)
TEPHRA_GETRF_PANEL_EACH(panel_z, z, 2, 8, 4, 1)
TEPHRA_GETRF_COLUMNS_EACH(columns_c, c, 64)
TEPHRA_GETRF_COLUMNS_EACH(columns_d, d, 128)
TEPHRA_GETRF_CLUSTER_PANEL_EACH(cluster_s, s, 2, 16, 4, 4)
TEPHRA_GETRF_CLUSTER_PANEL_EACH(cluster_d, d, 1, 32, 3, 2)
TEPHRA_GETRF_CLUSTER_PANEL_EACH(cluster_z, z, 2, 8, 2, 2)
TEPHRA_LASWP_EACH(laswp_s, s, 32, 16, 256)
TEPHRA_LASWP_EACH(laswp_z, z, 32, 16, 256)
TEPHRA_CHECK_SIZES(check_sizes, s, 256)
TEPHRA_IDENTITY_EACH(identity_d, d, 64)
TEPHRA_IDENTITY_EACH(identity_c, c, 64)
TEPHRA_GETRF_UPDATE_EACH(update_s, s, 16, 32, 4, 8, 1)
TEPHRA_GETRF_UPDATE_EACH(update_d, d, 32, 32, 4, 8, 1)
TEPHRA_GETRF_UPDATE_EACH(update_z, z, 8, 16, 2, 4, 1)
TEPHRA_GETRF_UPDATE_EACH(update_c, c, 16, 16, 2, 4, 1)

namespace {

constexpr int count = 11;
constexpr double least = 0.5;

// How a batch is factored: with interchanges, without, or with small pivots replaced, by one bound or by each member's.
enum Way { search, plain, replaced, replaced_each };

// A member's bound; with a bound per member, every third has none.
double least_of(Way way, int i) { return way == replaced ? least : way == replaced_each && i % 3 ? least : 0; }

// Without interchanges, the diagonal has numbers far below the bound and far above it, and the other elements are so
// small that they change the diagonal little.
template <typename T>
Batch<T> member(int m, int n, Way way, int i) {
    Batch<T> a(m, n, 1);
    if (way == search) return a;
    const double small = 1.0 / (8 * std::max(m, n) + 8);
    for (int c = 0; c < n; ++c)
        for (int r = 0; r < m; ++r) {
            T &x = a.at(0, r, c);
            if (r != c) {
                x = scale(x, static_cast<Real<T>>(small));
                continue;
            }
            const int kind = least_of(way, i) > 0 ? static_cast<int>(engine() % 4) : 3;
            x = kind == 0   ? make<T>(0)
                : kind == 1 ? scale(x, Real<T>(0.1))
                            : make<T>(kind == 2 ? -1.5f : 1.5f, kind == 2 ? 0.25f : -0.25f);
        }
    return a;
}

// run(args): the launches of a factorisation of members of at most m x n.
template <typename T, typename Run>
void factor(const std::string &name, int most_m, int most_n, Way way, Run run) {
    using R = Real<T>;
    std::vector<int> m, n, ld, info(count, -7);
    std::vector<Batch<T>> got;
    std::vector<std::vector<int>> ipiv;
    std::vector<R> bounds;
    for (int i = 0; i < count; ++i) {
        const auto size = [&](int most) { return 1 + static_cast<int>(engine() % static_cast<unsigned>(most)); };
        m.push_back(i < 2 ? most_m : size(most_m)), n.push_back(i < 2 ? most_n : size(most_n));
        got.push_back(member<T>(m[i], n[i], way, i)), ld.push_back(got[i].ld);
        ipiv.emplace_back(std::min(m[i], n[i]) + 2, -7);
        bounds.push_back(static_cast<R>(least_of(way, i)));
    }
    // Some members are invalid or empty.
    const int codes[count] = {0, 0, 0, -1, -2, -4, 0, 0, 0, 0, 0};
    m[3] = most_m + 1, n[4] = -1, ld[5] = m[5] - 1, m[6] = 0, ld[6] = 0;
    std::vector<T *> a_array;
    std::vector<int *> ipiv_array;
    for (int i = 0; i < count; ++i) a_array.push_back(got[i].member(0)), ipiv_array.push_back(ipiv[i].data());
    auto expected = got;
    GetrfEachArgs args = {};
    args.a = {a_array.data(), 0, 1, 0};
    if (way == search) args.ipiv = {ipiv_array.data(), 0, 1, 0};
    args.info = info.data(), args.batch = count, args.m = most_m, args.n = most_n;
    args.columns = std::min(most_m, most_n);
    args.sizes = {{m.data(), most_m}, {n.data(), most_n}, ld.data(), 0, 1 << 30};
    args.least_pivots = way == replaced_each ? bounds.data() : nullptr;
    args.least_of_all = way == replaced ? least : way == replaced_each ? 7 : 0; // if both are given, the array counts
    run(args);
    for (int i = 0; i < count; ++i) {
        const std::string what = name + " " + std::to_string(most_m) + "x" + std::to_string(most_n) + " way " +
                                 std::to_string(way) + " member " + std::to_string(i);
        const bool factored = codes[i] == 0 && m[i] > 0;
        Expected e;
        e.info = codes[i];
        if (factored) e = eliminate(expected[i], 0, way == search, least_of(way, i));
        report(what + " info " + std::to_string(info[i]) + " for " + std::to_string(e.info), info[i] == e.info);
        e.ipiv.resize(way == search && factored ? e.ipiv.size() : 0);
        e.ipiv.resize(ipiv[i].size(), -7);
        report(what + " interchanges", ipiv[i] == e.ipiv);
        double worst = 0, largest = 1;
        bool untouched = true;
        for (long long k = 0; k < static_cast<long long>(got[i].data.size()); ++k) {
            const T x = got[i].data[k], y = expected[i].data[k];
            const bool inside = factored && k < got[i].ld * got[i].n && k % got[i].ld < got[i].m;
            if (!inside) untouched &= memcmp(&x, &y, sizeof(T)) == 0;
            worst = fmax(worst, distance(x, y)), largest = fmax(largest, size_of(y));
        }
        report(what + " writes outside", untouched);
        report(what + " differs by " + std::to_string(worst), worst <= 2000 * epsilon<T>() * largest);
    }
}

template <typename T, typename Kernel>
void whole(const char *name, Kernel kernel, int per_block, int threads, std::initializer_list<Way> ways,
           std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (Way way : ways)
            factor<T>(name, m, n, way, [&](const GetrfEachArgs &args) {
                host::launch((count + per_block - 1) / per_block, threads, [&] { kernel(args); });
            });
}

template <typename T, typename Panel, typename Update>
void blocked(const char *name, Panel panel, int panel_threads, Update update, int update_threads, int nb, int nt,
             std::initializer_list<std::pair<int, int>> shapes, int cluster = 1) {
    for (auto [m, n] : shapes)
        for (Way way : {search, plain, replaced, replaced_each})
            factor<T>(name, m, n, way, [&, m = m, n = n](GetrfEachArgs args) {
                const int steps = std::min(m, n);
                for (args.at = 0; args.at < steps; args.at += nb) {
                    args.columns = std::min(steps - args.at, nb);
                    // Blocks, or clusters, loop over members.
                    host::launch(4 * cluster, panel_threads, [&] { panel(args); }, cluster);
                    args.strips = (way == search ? (args.at + nt - 1) / nt : 0) + (n - args.at + nt - 1) / nt;
                    host::launch(5, update_threads, [&] { update(args); });
                }
            });
}

// Members with other sizes than the launch's, some of them invalid; checks the info that check_sizes gives for them,
// too.
template <typename T, typename Kernel>
void exchanged(const char *name, Kernel kernel) {
    constexpr int some = 7, most = 100, sides = 35;
    const int last[some] = {100, 32, 1, 0, 101, 64, 70}, columns[some] = {35, 5, 35, 7, 3, 20, 17};
    for (int backwards : {0, 1}) {
        Batch<T> start(most, sides, some);
        auto got = start, expected = start;
        std::vector<int> ipiv(some * most), leading(some, static_cast<int>(got.ld)), checked(some), info(some, 5);
        for (int &p : ipiv) p = 1 + static_cast<int>(engine() % most);
        leading[5] = 63;
        LaswpEachArgs args = {};
        args.a = got.operand(), args.ipiv = {ipiv.data(), most, 0, 0};
        args.batch = some, args.n = sides, args.k2 = most, args.stride = 1, args.backwards = backwards;
        args.columns = {columns, sides}, args.rows = {last, most}, args.leading = leading.data();
        host::launch(5, 256, [&] { kernel(args); });
        for (int i : {0, 1, 2, 3, 6})
            for (int s = 0; s < last[i]; ++s) {
                const int k = backwards ? last[i] - 1 - s : s, p = ipiv[i * most + k] - 1;
                for (int c = 0; c < columns[i]; ++c) std::swap(expected.at(i, k, c), expected.at(i, p, c));
            }
        report(std::string(name) + " of members with sizes of their own",
               memcmp(got.data.data(), expected.data.data(), got.data.size() * sizeof(T)) == 0);
        CheckArgs check = {};
        check.bounds[0] = {last, nullptr, most, -1}, check.bounds[1] = {columns, nullptr, 20, -2};
        check.bounds[2] = {leading.data(), last, 1 << 30, -4};
        check.checked = checked.data(), check.info = info.data(), check.batch = some, check.count = 3;
        check.only_wrong = backwards;
        host::launch(2, 256, [&] { check_sizes(check); });
        const int valid = backwards ? 5 : 0;
        report("sizes checked", checked == std::vector<int>({-1, 32, -1, 0, -1, -1, 70}) &&
                                    info == std::vector<int>({-2, valid, -2, valid, -1, -4, valid}));
    }
}

// The identity for members of some orders. One is invalid; two are singular, and become NaN, or are left alone.
// shares: blocks per member.
template <typename T, typename Kernel>
void identities(const char *name, Kernel kernel, int shares) {
    constexpr int some = 6, most = 70;
    const int n[some] = {70, 1, 0, -1, 33, 40};
    for (int leave : {0, 1}) {
        Batch<T> factors(most, most, some), to(most, most, some);
        factors.at(4, 20, 20) = factors.at(4, 32, 32) = factors.at(1, 0, 0) = make<T>(0);
        auto before = to;
        std::vector<int> orders(n, n + some), leading(some, static_cast<int>(factors.ld)), info(some, -7);
        IdentityEachArgs args = {};
        args.a = factors.operand(), args.to = to.operand(), args.orders = orders.data();
        args.leading = args.leading_to = leading.data(), args.info = info.data(), args.batch = some, args.leave = leave;
        args.shares = shares;
        host::launch(4, 64, [&] { kernel(args); });
        bool right = info == std::vector<int>({0, 1, 0, -7, 21, 0});
        right &= orders == (leave ? std::vector<int>({70, -1, 0, -1, -1, 40}) : std::vector<int>(n, n + some));
        for (int i = 0; i < some; ++i)
            for (int c = 0; c < most; ++c)
                for (int r = 0; r < most; ++r) {
                    const T x = to.at(i, r, c), old = before.at(i, r, c);
                    const bool inside = r < n[i] && c < n[i], singular = i == 1 || i == 4;
                    if (!inside || (singular && leave))
                        right &= memcmp(&x, &old, sizeof(T)) == 0;
                    else
                        right &= singular ? re(x) != re(x) : re(x) == (r == c) && im(x) == 0;
                }
        report(std::string(name) + " by " + std::to_string(shares) + (leave ? " left" : " NaN"), right);
    }
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    const auto without = {plain, replaced, replaced_each}, all = {search, plain, replaced, replaced_each};
    whole<float>("small_s8", small_s8, 8, 64, {search}, {{8, 8}, {5, 8}, {1, 1}});
    whole<Complex<double>>("small_z32", small_z32, 1, 32, {search}, {{32, 32}, {20, 31}});
    whole<double>("nopiv_small_d8", nopiv_small_d8, 8, 64, without, {{8, 8}, {7, 3}, {1, 1}});
    whole<Complex<float>>("nopiv_small_c16", nopiv_small_c16, 4, 64, without, {{16, 16}, {9, 16}});
    whole<float>("nopiv_small_s32", nopiv_small_s32, 2, 32, without, {{32, 32}, {31, 20}});
    whole<float>("team_s64", team_s64, 1, 64, all, {{64, 64}, {40, 64}, {64, 9}});
    whole<double>("team_d96", team_d96, 1, 96, all, {{96, 96}, {90, 81}});
    whole<Complex<float>>("team_c64", team_c64, 1, 64, all, {{64, 64}, {40, 60}});
    whole<double>("left_looking_d", left_looking_d, 1, 128, {search, plain}, {{128, 128}, {100, 70}, {40, 128}});
    whole<Complex<float>>("left_looking_c", left_looking_c, 1, 96, {search}, {{96, 90}, {33, 20}});
    whole<Complex<double>>("left_looking_z", left_looking_z, 1, 96, {search}, {{70, 96}, {96, 5}});
    whole<Complex<double>>("team_z64", team_z64, 1, 128, all, {{64, 64}, {50, 33}});
    blocked<float>("panel_s", panel_s, 128, update_s, 256, 16, 32, {{100, 100}, {256, 40}, {50, 130}});
    blocked<double>("panel_d", panel_d, 256, update_d, 256, 32, 32, {{140, 140}, {33, 90}});
    blocked<Complex<double>>("panel_z", panel_z, 128, update_z, 128, 8, 16, {{70, 50}, {9, 50}});
    blocked<Complex<float>>("columns_c", columns_c, 64, update_c, 128, 16, 16, {{60, 60}, {90, 20}});
    blocked<double>("columns_d", columns_d, 128, update_d, 256, 32, 32, {{70, 90}});
    blocked<float>("cluster_s", cluster_s, 128, update_s, 256, 16, 32, {{300, 70}, {50, 130}, {20, 9}}, 4);
    blocked<double>("cluster_d", cluster_d, 96, update_d, 256, 32, 32, {{180, 100}, {33, 90}}, 2);
    blocked<Complex<double>>("cluster_z", cluster_z, 64, update_z, 128, 8, 16, {{90, 50}, {9, 50}}, 2);
    exchanged<float>("laswp_s", laswp_s);
    exchanged<Complex<double>>("laswp_z", laswp_z);
    for (int shares : {1, 3, 50}) {
        identities<double>("identity_d", identity_d, shares);
        identities<Complex<float>>("identity_c", identity_c, shares);
    }
    printf(failures ? "%d checks failed\n" : "LU of members with sizes of their own on the host: ok\n", failures);
    return failures != 0;
}
