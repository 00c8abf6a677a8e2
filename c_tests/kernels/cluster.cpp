// QR of a tall matrix by a cluster, run on the host with the cluster's blocks in one memory, compared with LAPACK's
// algorithm column by column.
#include "cuda_on_host.h"

#include "tall_case.h"

#include "geqrf/cluster.cuh"

TEPHRA_GEQRF_CLUSTER(cluster_s, s, 32, 2, 2, 2, 1)
TEPHRA_GEQRF_CLUSTER(cluster_d, d, 32, 1, 4, 4, 1)
TEPHRA_GEQRF_CLUSTER(cluster_c, c, 16, 3, 3, 2, 1)
TEPHRA_GEQRF_CLUSTER(cluster_z, z, 16, 1, 4, 3, 1)
// More blocks than warps.
TEPHRA_GEQRF_CLUSTER(cluster_16_s, s, 32, 2, 1, 16, 1)
TEPHRA_GEQRF_CLUSTER(cluster_16_d, d, 32, 2, 2, 16, 1)
TEPHRA_GEQRF_CLUSTER(cluster_16_c, c, 16, 1, 2, 16, 1)
TEPHRA_GEQRF_CLUSTER(cluster_16_z, z, 16, 1, 1, 16, 1)

namespace {

// The kinds of members.
enum Kind { plain, scaled_columns, dependent, zeros, not_finite, ones_below, kinds };

template <typename T>
Batch<T> members(int m, int n) {
    using R = Real<T>;
    Batch<T> a(m, n, kinds);
    const int far = sizeof(R) == 4 ? 120 : 1000;
    for (int j = 0; j < n; ++j)
        for (int r = 0; r < m; ++r) {
            a.at(scaled_columns, r, j) = scale(a.at(scaled_columns, r, j), R(ldexp(1, (j * 37 % 9 - 4) * far / 4)));
            if (j % 3 == 1) a.at(dependent, r, j) = a.at(dependent, r, j - 1);
            a.at(zeros, r, j) = make<T>(0);
            if (j % 2 == 0) a.at(ones_below, r, j) = make<T>(r == j ? 1 : 0); // H = I in a real type
        }
    a.at(not_finite, m - 1, n / 2) = make<T>(static_cast<R>(NAN));
    return a;
}

template <typename T, typename Kernel>
void all(const char *name, int most, int columns, int each, int cluster, Kernel kernel) {
    using R = Real<T>;
    for (int m : {most, most / 2 + 33, columns * 2 + 5})
        for (int n : {columns, columns - 3, 1}) {
            if (m == most && n < columns) continue;
            auto a = members<T>(m, n), was = a;
            std::vector<T> tau(kinds * n, make<T>(R(7))), expected_tau(n);
            std::vector<int> info(kinds, -1);
            GeqrfArgs args = {};
            args.a = a.operand().p, args.a_stride = a.operand().stride, args.lda = a.ld;
            args.tau = tau.data(), args.tau_stride = n, args.info = info.data(), args.flags = GeqrfArgs::INFO;
            args.m = m, args.n = n, args.batch = kinds;
            host::launch(kinds * cluster, each, [&] { kernel(args); }, cluster);
            for (int i = 0; i < kinds; ++i) {
                const std::string text = std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n) +
                                         " kind " + std::to_string(i);
                report(text + " info", info[i] == 0);
                if (i == not_finite) {
                    bool told = true;
                    for (int j = n / 2; j < n; ++j) told &= re(a.at(i, j, j)) != re(a.at(i, j, j));
                    report(text + " is not told", told);
                    continue;
                }
                // The plain algorithm, in range: columns are brought near one, as the kernel should do.
                std::vector<T> plain_a(static_cast<size_t>(m) * n);
                std::vector<int> e(n);
                for (int j = 0; j < n; ++j) {
                    R largest = 0;
                    for (int r = 0; r < m; ++r) largest = fmax(largest, abs_inf(was.at(i, r, j)));
                    e[j] = largest > 0 ? ilogb(largest) : 0;
                    for (int r = 0; r < m; ++r) plain_a[j * m + r] = scale(was.at(i, r, j), R(ldexp(1, -e[j])));
                }
                factor(plain_a.data(), m, expected_tau.data(), m, n);
                double worst = 0;
                for (int j = 0; j < n; ++j) {
                    // The rest of a dependent column is rounding errors, so its reflector is arbitrary.
                    if (i == dependent && j >= 1) break;
                    worst = fmax(worst, distance(tau[i * n + j], expected_tau[j]));
                    for (int r = 0; r < m; ++r) {
                        const T x = r <= j ? scale(a.at(i, r, j), R(ldexp(1, -e[j]))) : a.at(i, r, j);
                        const double d = distance(x, plain_a[j * m + r]);
                        worst = d == d ? fmax(worst, d) : INFINITY;
                    }
                }
                report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 3000 * epsilon<T>());
                // A = Q R, column by column, whatever the reflectors are.
                double residual = 0;
                for (int j = 0; j < n; ++j) {
                    std::vector<T> x(m);
                    for (int r = 0; r < m; ++r) x[r] = r <= j ? scale(a.at(i, r, j), R(ldexp(1, -e[j]))) : make<T>(0);
                    for (int l = n - 1; l >= 0; --l) {
                        T dot = x[l];
                        for (int r = l + 1; r < m; ++r) dot = cfma_(a.at(i, r, l), x[r], dot);
                        dot = mul(tau[i * n + l], dot);
                        x[l] = add(x[l], scale(dot, R(-1)));
                        for (int r = l + 1; r < m; ++r) x[r] = fnma_(a.at(i, r, l), dot, x[r]);
                    }
                    for (int r = 0; r < m; ++r) {
                        const double d = distance(x[r], scale(was.at(i, r, j), R(ldexp(1, -e[j]))));
                        residual = d == d ? fmax(residual, d) : INFINITY;
                    }
                }
                report(text + " residual " + std::to_string(residual / epsilon<T>()), residual <= 500 * epsilon<T>());
            }
        }
}

} // namespace

int main() {
    host::shared_memory.resize(8 * 64 * 1024);
    all<float>("s", 2 * 2 * 32 * 2, 32, 64, 2, cluster_s);
    all<double>("d", 4 * 4 * 32, 32, 128, 4, cluster_d);
    all<Complex<float>>("c", 2 * 3 * 32 * 3, 16, 96, 2, cluster_c);
    all<Complex<double>>("z", 3 * 4 * 32, 16, 128, 3, cluster_z);
    all<float>("s of 16", 16 * 1 * 32 * 2, 32, 32, 16, cluster_16_s);
    all<double>("d of 16", 16 * 2 * 32 * 2, 32, 64, 16, cluster_16_d);
    all<Complex<float>>("c of 16", 16 * 2 * 32, 16, 64, 16, cluster_16_c);
    all<Complex<double>>("z of 16", 16 * 1 * 32, 16, 32, 16, cluster_16_z);
    printf(failures ? "%d checks failed\n" : "QR by clusters on the host: ok\n", failures);
    return failures != 0;
}
