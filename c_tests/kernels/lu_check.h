// Compares the results of LU kernels on the host with a plain elimination. Include it after the header that replaces
// CUDA.
#pragma once
#include "lu_case.h"

namespace {

constexpr int members = 8; // of the batches of `factor`

// run(args): the launches of a factorisation.
template <typename T, typename Run>
void factor(const char *name, int m, int n, int count, bool search, Run run) {
    auto start = mixed<T>(m, n, count);
    for (int k = 0; !search && k < m && k < n; ++k) start.at(0, k, k) = make<T>(m); // needs no interchanges
    auto got = start, expected = start;
    const int steps = m < n ? m : n;
    std::vector<int> ipiv(count * (steps + 2), -7), info(count, -7);
    GetrfArgs args = {};
    args.a = got.operand();
    if (search) args.ipiv = {ipiv.data(), steps + 2, 0, 0};
    args.info = info.data();
    args.lda = got.ld, args.batch = count, args.m = m, args.n = n, args.at = 0, args.columns = n;
    run(args);
    for (int i = 0; i < count; ++i) {
        const std::string what = std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n) + " member " +
                                 std::to_string(i) + (search ? "" : " without interchanges");
        if (!search && i > 0) break; // the others have no factorisation without interchanges
        const Expected e = eliminate(expected, i, search);
        // With a NaN any result is allowed. The rest of a dependent column, or of tiny ones, is rounding, for which no
        // pivot is the only correct one. The residuals of these members are checked below.
        if (i == 5 || i == 2 || i == 4 || i == 6) continue;
        report(what + " info " + std::to_string(info[i]), info[i] == e.info);
        for (int k = 0; search && k < steps; ++k)
            report(what + " pivot " + std::to_string(k) + ": " + std::to_string(ipiv[i * (steps + 2) + k]) + " for " +
                       std::to_string(e.ipiv[k]),
                   ipiv[i * (steps + 2) + k] == e.ipiv[k]);
        double worst = 0, largest = 0;
        for (int c = 0; c < n; ++c)
            for (int r = 0; r < m; ++r) {
                const double d = distance(got.at(i, r, c), expected.at(i, r, c));
                worst = d == d ? fmax(worst, d) : INFINITY;
                largest = fmax(largest, size_of(expected.at(i, r, c)));
            }
        report(what + " differs by " + std::to_string(worst), worst <= 100 * steps * epsilon<T>() * fmax(largest, 1));
    }
    // The interchanges of every member are in range, and P A = L U.
    for (int i = 0; search && i < count; ++i)
        for (int k = 0; k < steps; ++k) {
            const int p = ipiv[i * (steps + 2) + k];
            report(std::string(name) + " pivot out of range", p > k && p <= m);
        }
    for (int i = 0; search && i < count; ++i) {
        if (i == 5) continue;
        auto pa = start;
        double worst = 0, largest = 0;
        for (int k = 0; k < steps; ++k)
            for (int c = 0; c < n; ++c) std::swap(pa.at(i, k, c), pa.at(i, ipiv[i * (steps + 2) + k] - 1, c));
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < n; ++c) {
                T x = pa.at(i, r, c);
                largest = fmax(largest, size_of(x));
                for (int k = 0; k <= r && k <= c && k < steps; ++k)
                    x = fnma_(k == r ? make<T>(1) : got.at(i, r, k), got.at(i, k, c), x);
                worst = fmax(worst, size_of(x));
            }
        const double tiny = i == 6 ? steps * 16 * (sizeof(Real<T>) == 4 ? 0x1p-149 : 0x1p-1074) : 0;
        report(std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n) + " member " + std::to_string(i) +
                   " residual " + std::to_string(worst / largest / epsilon<T>()),
               worst <= 4 * steps * epsilon<T>() * largest + tiny);
    }
    // Nothing between the columns and the members has changed.
    auto before = start;
    bool untouched = true;
    for (int i = 0; i < count; ++i)
        for (long long e = 0; e < got.stride(); ++e)
            if (e >= got.ld * n || e % got.ld >= m)
                untouched &= memcmp(got.member(i) + e, before.member(i) + e, sizeof(T)) == 0;
    report(std::string(name) + " writes outside", untouched);
}

} // namespace
