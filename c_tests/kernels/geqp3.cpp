// QR with column pivoting, run on the host: small matrices with a column per lane, others in a block's registers, in
// shared memory, or in global memory. Checks that A P = Q R, that Q is unitary, that no column had a larger rest than
// the pivot, and that chosen columns come first.
#include "qr_on_host.h"
#include "exact.h"

#include "geqp3/block.cuh"
#include "geqp3/generic.cuh"
#include "geqp3/lane.cuh"
#include "geqp3/stepped.cuh"
#include "geqp3/team.cuh"
#include "given.h"

TEPHRA_GEQP3_LANE(lane_s8, s, 8, 8, 2, 1)
TEPHRA_GEQP3_LANE(lane_s32, s, 32, 32, 2, 1)
TEPHRA_GEQP3_LANE(lane_d16, d, 16, 16, 1, 1)
TEPHRA_GEQP3_LANE(lane_d32, d, 32, 32, 1, 1)
TEPHRA_GEQP3_LANE(lane_c8, c, 8, 8, 1, 1)
TEPHRA_GEQP3_LANE(lane_z16, z, 16, 16, 2, 1)
TEPHRA_GEQP3_BLOCK(block_s, s, 2, 1)
TEPHRA_GEQP3_BLOCK(block_d, d, 4, 1)
TEPHRA_GEQP3_BLOCK(block_c, c, 2, 1)
TEPHRA_GEQP3_BLOCK(block_z, z, 3, 1)
TEPHRA_GEQP3_TEAM(team_s, s, 6, 6, 2, 0, 1, 1)
TEPHRA_GEQP3_TEAM(team_s128, s, 16, 4, 8, 0, 0, 1)
TEPHRA_GEQP3_TEAM(team_d, d, 8, 4, 4, 0, 0, 1)
TEPHRA_GEQP3_TEAM(team_c, c, 12, 6, 4, 0, 1, 1)
TEPHRA_GEQP3_TEAM(team_z, z, 6, 3, 2, 2, 1, 1)
TEPHRA_GEQP3_TEAM(team_z128, z, 16, 4, 8, 9, 0, 1)
TEPHRA_GEQP3_GENERIC(generic_s, s, 64)
TEPHRA_GEQP3_GENERIC(generic_d, d, 96)
TEPHRA_GEQP3_GENERIC(generic_c, c, 32)
TEPHRA_GEQP3_GENERIC(generic_z, z, 64)
TEPHRA_GEQP3_PIVOT(pivot_s, s, 64)
TEPHRA_GEQP3_PIVOT(pivot_d, d, 96)
TEPHRA_GEQP3_PIVOT(pivot_z, z, 32)
TEPHRA_GEQP3_APPLY(apply_s, s, 32)
TEPHRA_GEQP3_APPLY(apply_d, d, 64)
TEPHRA_GEQP3_APPLY(apply_z, z, 64)

namespace {

constexpr int count = 11;

// Members as for LU, and: 8: columns that differ little from multiples of one; 9: columns of very different sizes; 10:
// huge elements.
template <typename T>
Batch<T> matrices(int m, int n) {
    auto a = mixed<T>(m, n, count);
    using R = Real<T>;
    const int apart = sizeof(R) == 4 ? 24 : 240;
    const R tiny = sizeof(R) == 4 ? R(1e-5) : R(1e-13), huge = sizeof(R) == 4 ? R(0x1p122f) : R(0x1p1018);
    for (int c = 0; c < n; ++c)
        for (int r = 0; r < m; ++r) {
            if (c > 0) a.at(8, r, c) = add(a.at(8, r, 0), scale(a.at(8, r, c), tiny));
            a.at(9, r, c) = scale(a.at(9, r, c), static_cast<R>(ldexp(1.0, (c * 7 % 5 - 2) * apart)));
            a.at(10, r, c) = scale(a.at(10, r, c), huge);
        }
    return a;
}

// Where the chosen columns must end up. Source: LAPACK geqp3.
std::vector<int> chosen_first(const int *jpvt, int n, int &fixed) {
    std::vector<int> p(jpvt, jpvt + n);
    fixed = 0;
    for (int j = 0; j < n; ++j) {
        const bool chosen = p[j] != 0;
        p[j] = j + 1;
        if (!chosen) continue;
        if (j != fixed) p[j] = p[fixed], p[fixed] = j + 1;
        ++fixed;
    }
    return p;
}

template <typename T>
void check(const std::string &what, Batch<T> &got, Batch<T> &start, int i, const int *given, const int *jpvt,
           const T *tau) {
    const int m = got.m, n = got.n, k_end = std::min(m, n);
    std::vector<char> seen(n);
    for (int j = 0; j < n; ++j) {
        if (jpvt[j] < 1 || jpvt[j] > n || seen[jpvt[j] - 1]) return report(what + " is no permutation", false);
        seen[jpvt[j] - 1] = 1;
    }
    int fixed;
    const auto first = chosen_first(given, n, fixed);
    for (int j = 0; j < fixed; ++j) report(what + " chosen", jpvt[j] == first[j]);
    if (i == 5) { // has a NaN
        bool found = false;
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < m; ++r) found = found || re(got.at(i, r, j)) != re(got.at(i, r, j));
        return report(what + " shows its NaN", found);
    }
    // Computes Q R, from the last reflector on, and Q.
    std::vector<Exact> x(m * n), q(m * m);
    for (int j = 0; j < n; ++j)
        for (int r = 0; r <= j && r < m; ++r) x[r + j * m] = exact(got.at(i, r, j));
    for (int r = 0; r < m; ++r) q[r + r * m] = 1;
    const auto apply = [&](std::vector<Exact> &to, int columns, int k) {
        for (int j = 0; j < columns; ++j) {
            Exact dot = to[k + j * m];
            for (int r = k + 1; r < m; ++r) dot += std::conj(exact(got.at(i, r, k))) * to[r + j * m];
            dot *= exact(tau[k]);
            to[k + j * m] -= dot;
            for (int r = k + 1; r < m; ++r) to[r + j * m] -= exact(got.at(i, r, k)) * dot;
        }
    };
    for (int k = k_end - 1; k >= 0; --k) apply(x, n, k), apply(q, m, k);
    long double worst = 0, unitary = 0;
    for (int j = 0; j < n; ++j) {
        long double off = 0, size = 0;
        for (int r = 0; r < m; ++r) {
            const Exact a = exact(start.at(i, r, jpvt[j] - 1));
            off += std::norm(x[r + j * m] - a), size += std::norm(a);
        }
        worst = fmaxl(worst, off == 0 ? 0 : sqrtl(off / size));
    }
    // Sums of subnormal numbers lose bits.
    const long double floor = i == 6 ? (sizeof(Real<T>) == 4 ? 0x1p-15 : 0x1p-40) : 0;
    report(what + " A P - Q R " + std::to_string(double(worst / epsilon<T>())),
           worst <= 4 * (m + 4) * epsilon<T>() + floor);
    for (int c = 0; c < m; ++c)
        for (int d = 0; d < m; ++d) {
            Exact dot = c == d ? -1 : 0;
            for (int r = 0; r < m; ++r) dot += std::conj(q[r + c * m]) * q[r + d * m];
            unitary = fmaxl(unitary, std::abs(dot));
        }
    report(what + " I - Q^H Q", unitary <= 4 * (m + 4) * epsilon<T>());
    // No column has a larger rest than the pivot had, up to the error of downdated norms.
    for (int k = fixed; k < k_end; ++k) {
        report(what + " real diagonal", im(got.at(i, k, k)) == 0);
        const long double pivot = std::abs(exact(got.at(i, k, k)));
        for (int j = k + 1; j < n; ++j) {
            long double left = 0;
            for (int r = k; r < m && r <= j; ++r) left += std::norm(exact(got.at(i, r, j)));
            report(what + " order " + std::to_string(k) + " " + std::to_string(j),
                   sqrtl(left) <=
                       pivot * (1 + 64 * sqrtl(epsilon<T>())) +
                           (i == 2 || i == 4 || i == 8 ? 1e-2L * (sizeof(Real<T>) == 4 ? 1e-3L : 1e-10L) : 0) + floor);
        }
    }
}

template <typename Kernel>
void run(Kernel kernel, Geqp3Args &args, int m, int n) {
    const auto &about = host::about(kernel);
    host::give(kernel, {m, n});
    host::launch((count + about.per_block - 1) / about.per_block, about.threads, [&] { kernel(args); });
}

// Two kernels, and two launches per column of the largest member.
template <typename Pivot, typename Apply>
struct Steps {
    Pivot pivot;
    Apply apply;
};
template <typename Pivot, typename Apply>
void run(const Steps<Pivot, Apply> &steps, Geqp3Args &args, int, int) {
    for (args.step = -1; args.step < std::min(args.m, args.n); ++args.step) {
        host::launch(count, host::about(steps.pivot).threads, [&] { steps.pivot(args); });
        const int right = args.n - static_cast<int>(args.step) - 1;
        if (right > 0) host::launch(count * right, host::about(steps.apply).threads, [&] { steps.apply(args); });
    }
}

// each: the launch states larger sizes, and members have their own sizes, of which one is invalid. over: other launches
// have the members up to this size, of which there is one, and report the invalid one.
template <typename T, typename Kernel>
void factor_all(const char *name, Kernel kernel, std::initializer_list<std::pair<int, int>> sizes, bool each = false,
                int over = 0) {
    for (const auto &[m, n] : sizes)
        for (int choice : {0, 1, 2}) {
            constexpr int wrong = 3, small = 7;
            auto start = matrices<T>(m, n), got = start;
            const int k = std::min(m, n);
            std::vector<int> given((count + 1) * n), jpvt, info(count + 1, -7);
            for (int &p : given) p = choice == 0 ? 0 : choice == 1 ? engine() % 3 == 0 : engine() % 4 != 0;
            jpvt = given;
            std::vector<T> tau(count * k + 1, make<T>(77)), norms(count * (2 * n + 15));
            Geqp3Args args = {};
            args.a = got.operand(), args.jpvt = {jpvt.data(), n, 0, 0}, args.tau = {tau.data(), k, 0, 0};
            args.norms = {norms.data(), 2 * n + 15, 0, 0}, args.info = info.data();
            args.lda = got.ld, args.batch = count, args.m = m, args.n = n;
            const std::vector<int> leading(count, got.ld);
            std::vector<int> rows(count, m), columns(count, n);
            if (each) {
                const int larger = m > n ? m : n;
                rows[wrong] = m + 8;
                if (over > 0) rows[small] = columns[small] = over;
                args.sizes = {{rows.data(), m + 7}, {columns.data(), n + 7}, leading.data(), over, larger};
                args.m = m + 7, args.n = n + 7, args.lda = 1, args.each = 1;
            }
            run(kernel, args, m, n);
            const auto what = std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n);
            for (int i = 0; i < count; ++i) {
                if (each && (i == wrong || (over > 0 && i == small))) {
                    const T *const before = start.member(i), *const after = got.member(i);
                    report(what + " left alone",
                           memcmp(before, after, n * got.ld * sizeof(T)) == 0 && info[i] == (over > 0 ? -7 : -1));
                    continue;
                }
                check(what + " choice " + std::to_string(choice) + " member " + std::to_string(i), got, start, i,
                      &given[i * n], &jpvt[i * n], &tau[i * k]);
                report(what + " info", info[i] == 0);
            }
            report(what + " outside", info[count] == -7 && re(tau.back()) == 77);
            for (int j = 0; j < n; ++j) report(what + " jpvt outside", jpvt[count * n + j] == given[count * n + j]);
            for (size_t at = 0; at < got.data.size(); ++at) {
                const auto in = static_cast<long long>(at) % got.stride();
                if (static_cast<long long>(at) / got.stride() >= count || in >= n * got.ld || in % got.ld >= m)
                    report(what + " writes outside", memcmp(&got.data[at], &start.data[at], sizeof(T)) == 0);
            }
        }
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    using C = Complex<float>;
    using Z = Complex<double>;
    factor_all<float>("lane_s8", lane_s8, {{8, 8}, {5, 8}, {8, 3}, {1, 1}, {1, 4}, {4, 1}});
    factor_all<float>("lane_s32", lane_s32, {{32, 32}, {17, 30}, {31, 9}});
    factor_all<double>("lane_d16", lane_d16, {{16, 16}, {9, 16}, {16, 10}});
    factor_all<double>("lane_d32", lane_d32, {{32, 32}, {25, 20}});
    factor_all<C>("lane_c8", lane_c8, {{8, 8}, {3, 7}, {7, 3}});
    factor_all<Z>("lane_z16", lane_z16, {{16, 16}, {11, 13}});
    factor_all<float>("block_s", block_s, {{64, 64}, {33, 40}, {200, 9}, {3, 50}, {1, 1}});
    factor_all<double>("block_d", block_d, {{64, 50}, {130, 128}, {40, 90}});
    factor_all<C>("block_c", block_c, {{40, 33}, {17, 64}, {150, 20}});
    factor_all<Z>("block_z", block_z, {{40, 33}, {32, 32}, {70, 50}});
    factor_all<float>("team_s", team_s, {{48, 48}, {33, 40}, {48, 9}, {3, 46}, {1, 1}, {1, 4}, {4, 1}});
    factor_all<float>("team_s128", team_s128, {{100, 50}});
    factor_all<double>("team_d", team_d, {{64, 64}, {49, 64}, {64, 51}, {8, 33}});
    factor_all<C>("team_c", team_c, {{70, 40}, {40, 96}});
    factor_all<Z>("team_z", team_z, {{48, 24}, {33, 24}, {17, 20}});
    factor_all<Z>("team_z128", team_z128, {{128, 40}});
    factor_all<float>("team_s each", team_s, {{48, 48}, {20, 30}}, true);
    factor_all<Z>("team_z each", team_z, {{33, 20}}, true);
    factor_all<double>("generic_d each", generic_d, {{70, 40}}, true);
    factor_all<float>("generic_s", generic_s, {{40, 70}, {100, 30}, {1, 1}});
    factor_all<double>("generic_d", generic_d, {{150, 40}, {33, 33}});
    factor_all<C>("generic_c", generic_c, {{30, 30}, {9, 40}});
    factor_all<Z>("generic_z", generic_z, {{65, 20}, {20, 65}});
    const Steps<decltype(&pivot_s), decltype(&apply_s)> stepped_s = {pivot_s, apply_s}, stepped_d = {pivot_d, apply_d},
                                                        stepped_z = {pivot_z, apply_z};
    factor_all<float>("stepped_s", stepped_s, {{40, 25}, {1, 1}});
    factor_all<double>("stepped_d", stepped_d, {{20, 37}});
    factor_all<double>("stepped_d each", stepped_d, {{33, 20}, {9, 30}}, true);
    factor_all<float>("stepped_s each", stepped_s, {{30, 30}}, true, 8);
    factor_all<Z>("stepped_z each", stepped_z, {{20, 12}}, true, 8);
    printf(failures ? "%d checks failed\n" : "QR with column pivoting on the host: ok\n", failures);
    return failures != 0;
}
