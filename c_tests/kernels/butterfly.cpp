// Random butterflies, run on the host, compared with products of whole matrices.
#include "cuda_on_host.h"

#include "getrf/butterfly.cuh"
#include "lu_case.h"

TEPHRA_BUTTERFLY(butterfly_s, s, 128)
TEPHRA_BUTTERFLY(butterfly_d, d, 128)
TEPHRA_BUTTERFLY(butterfly_c, c, 128)
TEPHRA_BUTTERFLY(butterfly_z, z, 128)

namespace {

using Dense = std::vector<double>; // by columns

Dense times(const Dense &a, const Dense &b, int n) {
    Dense c(n * n);
    for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
            for (int i = 0; i < n; ++i) c[i + j * n] += a[i + k * n] * b[k + j * n];
    return c;
}
// The butterfly of rows first .. first + size - 1 as a matrix of order n; the second row of a pair is `apart` below the
// first.
Dense of_level(int n, int first, int size, int apart, unsigned which) {
    Dense b(n * n);
    for (int i = 0; i < n; ++i) b[i * (n + 1)] = 1;
    for (int i = first; i + apart < first + size; ++i) {
        const int k = i + apart;
        const double r = butterfly_entry(i, which) / sqrt(2), s = butterfly_entry(k, which) / sqrt(2);
        b[i + i * n] = b[k + i * n] = r, b[i + k * n] = s, b[k + k * n] = -s;
    }
    return b;
}
Dense whole(int n, unsigned side) {
    const int half = (n + 1) / 2, quarter = (half + 1) / 2;
    const Dense inner =
        times(of_level(n, 0, half, quarter, side + 1), of_level(n, half, n - half, quarter, side + 1), n);
    return times(inner, of_level(n, 0, n, half, side), n);
}
// op(F) B for the columns of B, or B F if `right`.
template <typename T>
Batch<T> product(Batch<T> &b, const Dense &f, bool transposed, bool right) {
    Batch<T> c = b;
    const int order = right ? b.n : b.m;
    for (int i = 0; i < b.count; ++i)
        for (int r = 0; r < b.m; ++r)
            for (int j = 0; j < b.n; ++j) {
                Complex<double> sum = {0, 0};
                for (int k = 0; k < order; ++k) {
                    const double factor = right ? f[k + j * order] : transposed ? f[k + r * order] : f[r + k * order];
                    const T x = right ? b.at(i, r, k) : b.at(i, k, j);
                    sum.x += factor * re(x), sum.y += factor * im(x);
                }
                c.at(i, r, j) = make<T>(static_cast<Real<T>>(sum.x), static_cast<Real<T>>(sum.y));
            }
    return c;
}
template <typename T>
bool near(Batch<T> &got, Batch<T> &expected, Batch<T> &before) {
    bool good = true;
    for (int i = 0; i < got.count; ++i)
        for (long long e = 0; e < got.stride(); ++e) {
            const T x = got.member(i)[e], y = expected.member(i)[e];
            const bool in = e < 1ll * got.ld * got.n && e % got.ld < got.m;
            // The butterfly's factors are single-precision numbers.
            good &= in ? distance(x, y) < 40 * epsilon<float>() : memcmp(&x, before.member(i) + e, sizeof(T)) == 0;
        }
    return good;
}

template <typename T, typename Kernel>
void butterflies(const std::string &name, Kernel kernel) {
    for (int n = 1; n < 24; ++n)
        for (int nrhs : {1, 4, 7}) {
            const int count = 3;
            Batch<T> a(n, n, count), b(n, nrhs, count), got_a = a, got_b = b;
            const Dense u = whole(n, 0), v = whole(n, 2);
            ButterflyArgs args = {};
            args.a = got_a.operand(), args.b = got_b.operand();
            args.lda = a.ld, args.ldb = b.ld, args.batch = count, args.nrhs = nrhs, args.n = n;
            host::launch(2, 128, [&] { kernel(args); });
            Batch<T> left = product(a, u, true, false), both = product(left, v, false, true);
            Batch<T> sides = product(b, u, true, false);
            const std::string what = name + " " + std::to_string(n) + ", " + std::to_string(nrhs);
            report(what + " A", near(got_a, both, a));
            report(what + " B", near(got_b, sides, b));
            args.back = 1, args.a = {};
            Batch<T> forth = got_b;
            host::launch(1, 128, [&] { kernel(args); });
            Batch<T> solutions = product(forth, v, false, false);
            report(what + " back", near(got_b, solutions, b));
        }
}

} // namespace

int main() {
    butterflies<float>("s", butterfly_s);
    butterflies<double>("d", butterfly_d);
    butterflies<Complex<float>>("c", butterfly_c);
    butterflies<Complex<double>>("z", butterfly_z);
    // A test of the CPU backend has the same numbers (src/backend/cpu/tests/butterfly.rs).
    const float entries[4] = {0.958236754f, 1.03503132f, 1.01996648f, 0.998450279f};
    const unsigned of[4] = {0, 1, 77, 1000000};
    for (int i = 0; i < 4; ++i) report("entry " + std::to_string(of[i]), butterfly_entry(of[i], i) == entries[i]);
    printf("butterflies: %d failures\n", failures);
    return failures != 0;
}
