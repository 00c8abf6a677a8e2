// Triangular solves with few right-hand sides, run on the host, compared with substitution in long doubles.
#include <random>

#include "cuda_on_host.h"
#include "exact.h"

#include "trsm/rows.cuh"
#include "given.h"

TEPHRA_TRSM_ROWS(rows_s_64x4, s, 2, 4, 4, 4)
TEPHRA_TRSM_ROWS(rows_d_32x4, d, 1, 4, 4, 4)
TEPHRA_TRSM_ROWS(rows_c_64x4, c, 2, 4, 4, 4)
TEPHRA_TRSM_ROWS(rows_z_32x4, z, 1, 4, 4, 3)

namespace {

struct Case {
    int order, nrhs, batch, blocks;
    bool transposed, backwards, right, conj, unit;
    double alpha;
    double scale; // of the triangle; far from one, the reciprocals of its diagonal are not used
};

template <typename T, typename Kernel>
int check(const char *name, Kernel kernel, const Case &s) {
    using R = tephra::Real<T>;
    std::mt19937_64 random(31 * s.order + s.nrhs);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto number = [&] { return tephra::make<T>(R(uniform(random)), R(uniform(random))); };
    const T poison = tephra::make<T>(R(NAN), R(NAN));
    const int lda = s.order + 2, ldb = (s.right ? s.nrhs : s.order) + 1;
    const long long a_member = lda * s.order, b_member = ldb * (s.right ? s.order : s.nrhs);
    std::vector<T> a(a_member * s.batch, poison), b(b_member * s.batch, poison);
    tephra::TrsmArgs args = {};
    args.a = {a.data(), a_member, 0, 0}, args.b = {b.data(), b_member, 0, 0};
    args.alpha_re = s.alpha, args.conj = s.conj, args.unit = s.unit;
    args.ars = s.transposed ? lda : 1, args.acs = s.transposed ? 1 : lda;
    args.brs = s.right ? ldb : 1, args.bcs = s.right ? 1 : ldb;
    if (s.backwards) {
        args.a0 = (s.order - 1) * (args.ars + args.acs), args.b0 = (s.order - 1) * args.brs;
        args.ars = -args.ars, args.acs = -args.acs, args.brs = -args.brs;
    }
    args.order = s.order, args.nrhs = s.nrhs, args.batch = s.batch, args.tiles = (s.nrhs + 3) / 4;
    const auto at = [&](int m, int i, int j) -> T & { return a[m * a_member + args.a0 + i * args.ars + j * args.acs]; };
    const auto side = [&](int m, int i, int r) -> T & {
        return b[m * b_member + args.b0 + i * args.brs + r * args.bcs];
    };
    for (int m = 0; m < s.batch; ++m)
        for (int j = 0; j < s.order; ++j) {
            for (int i = j + !!s.unit; i < s.order; ++i) {
                at(m, i, j) = number();
                const R factor = R(s.scale / (i == j ? 1 : s.order));
                at(m, i, j) = tephra::make<T>(tephra::re(at(m, i, j)) * factor, tephra::im(at(m, i, j)) * factor);
                if (i == j)
                    at(m, i, j) =
                        tephra::make<T>(R(s.scale) * R(1.5) + tephra::re(at(m, i, j)), tephra::im(at(m, i, j)));
            }
            for (int r = 0; r < s.nrhs; ++r) side(m, j, r) = number();
        }
    // A NaN must stay in its right-hand side, from its row on. It is in the last of several members.
    const int bad = s.nrhs > 1 && s.batch > 1 ? s.batch - 1 : -1;
    if (bad >= 0) side(bad, s.order / 2, 1) = poison;
    const std::vector<T> before_a = a, before = b;
    const auto was = [&](int m, int i, int r) { return exact(before[&side(m, i, r) - b.data()]); };
    const tephra::Instance &about = host::about(kernel);
    host::launch(s.blocks, about.threads, [&] { kernel(args); });
    int failures = memcmp(a.data(), before_a.data(), a.size() * sizeof(T)) != 0;
    std::vector<bool> written(b.size());
    for (int m = 0; m < s.batch; ++m)
        for (int r = 0; r < s.nrhs; ++r) {
            std::vector<Exact> x(s.order);
            long double size = 0;
            for (int i = 0; i < s.order; ++i) {
                x[i] = Exact(s.alpha) * was(m, i, r);
                const auto of = [&](int j) { return s.conj ? std::conj(exact(at(m, i, j))) : exact(at(m, i, j)); };
                if (s.alpha == 0) x[i] = 0;
                for (int j = 0; j < i && s.alpha != 0; ++j) x[i] -= of(j) * x[j];
                if (!s.unit && s.alpha != 0) x[i] /= of(i);
                if (std::abs(x[i]) > size) size = std::abs(x[i]);
            }
            const long double bound = size * 16 * (s.order + 1) * std::numeric_limits<R>::epsilon();
            for (int i = 0; i < s.order; ++i) {
                written[&side(m, i, r) - b.data()] = true;
                const Exact got = exact(side(m, i, r));
                const bool lost = s.alpha != 0 && m == bad && r == 1 && i >= s.order / 2;
                const bool right = lost ? std::isnan(std::abs(got)) : std::abs(got - x[i]) <= bound;
                if (!right && ++failures <= 3)
                    printf("%s order %d, %d sides: row %d of side %d of member %d\n", name, s.order, s.nrhs, i, r, m);
            }
        }
    for (size_t e = 0; e < b.size(); ++e) failures += !written[e] && memcmp(&b[e], &before[e], sizeof(T)) != 0;
    return failures;
}

} // namespace

int main() {
    int failures = 0;
    for (const int order : {1, 2, 5, 17, 31, 32, 33, 47, 64})
        for (const int nrhs : {1, 3, 4, 9}) {
            const bool odd = (order + nrhs) % 2, third = (order + nrhs) % 3 == 0;
            const Case cases[] = {
                {order, nrhs, 3, 2, false, false, false, false, odd, 1, 1},
                {order, nrhs, 5, 1, true, odd, third, true, third, -0.5, 1},
                {order, nrhs, 2, 3, odd, true, !third, third, false, 1, 1e-30},
                {order, nrhs, 2, 1, third, odd, odd, false, true, 0, 1},
            };
            for (const Case &s : cases) {
                failures += check<float>("s", tephra::rows_s_64x4, s);
                failures += check<tephra::Complex<float>>("c", tephra::rows_c_64x4, s);
                if (order > 32) continue;
                failures += check<double>("d", tephra::rows_d_32x4, s);
                failures += check<tephra::Complex<double>>("z", tephra::rows_z_32x4, s);
            }
        }
    printf(failures ? "%d failures\n" : "triangular solves with few right-hand sides on the host: ok\n", failures);
    return failures != 0;
}
