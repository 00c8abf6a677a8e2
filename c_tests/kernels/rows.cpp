// The update in QR of wide matrices of few rows, run on the host, compared with one reflector after another in long
// doubles.
#include <random>

#include "cuda_on_host.h"
#include "exact.h"

#include "geqrf/update_rows.cuh"
#include "given.h"

TEPHRA_UPDATE_ROWS(rows_s, s, 8, 4, 9)
TEPHRA_UPDATE_ROWS(rows_d, d, 16, 4, 4)
TEPHRA_UPDATE_ROWS(rows_c, c, 16, 4, 4)
TEPHRA_UPDATE_ROWS(rows_z, z, 8, 4, 4)

namespace {

struct Case {
    int m, k, n, batch, blocks, tiles; // n: columns that are updated; tiles: as in LarfbArgs
    bool apart;                        // R's rows are also stored elsewhere, and C is read from elsewhere
};

template <typename T, typename Kernel>
int check(const char *name, Kernel kernel, const Case &s) {
    using R = tephra::Real<T>;
    std::mt19937_64 random(7 * s.m + s.n);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto number = [&] { return tephra::make<T>(R(uniform(random)), R(uniform(random))); };
    const int ld = s.m + 3, columns = s.k + s.n, member = ld * columns;
    const T poison = tephra::make<T>(R(NAN), R(NAN));
    std::vector<T> a(member * s.batch, poison), tau(s.k * s.batch), r(s.k * s.n * s.batch, poison);
    for (int b = 0; b < s.batch; ++b) {
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < s.m; ++i) a[b * member + j * ld + i] = number();
        for (int i = 0; i < s.k; ++i) tau[b * s.k + i] = number();
    }
    const std::vector<T> before = a;
    std::vector<T> source = a;
    tephra::LarfbArgs args = {};
    args.v = args.c = {a.data(), member, 0, 0};
    args.tau = {tau.data(), s.k, 0, 0};
    args.c0 = static_cast<long long>(s.k) * ld;
    args.ldv = args.ldc = ld;
    args.m = s.m, args.n = s.n, args.k = s.k, args.batch = s.batch, args.tiles = s.tiles;
    args.adjoint = 1;
    if (s.apart) {
        args.flags = tephra::GeqrfArgs::FROM | tephra::GeqrfArgs::R;
        args.from = {source.data(), member, 0, 0}, args.from0 = args.c0, args.ld_from = ld;
        args.r = {r.data(), s.k * s.n, 0, 0}, args.ldr = s.k;
        for (int b = 0; b < s.batch; ++b) // the contents of C differ from what is read
            std::fill_n(a.begin() + b * member + s.k * ld, s.n * ld, poison);
    }
    const tephra::Instance &about = host::about(kernel);
    host::shared_memory.resize(about.shared);
    host::launch(s.blocks, about.threads, [&] { kernel(args); });
    int failures = 0;
    for (int b = 0; b < s.batch; ++b)
        for (int j = 0; j < s.n; ++j) {
            std::vector<Exact> c(s.m);
            const T *const was = &before[b * member + (s.k + j) * ld];
            for (int i = 0; i < s.m; ++i) c[i] = exact(was[i]);
            long double size = 1;
            for (int l = 0; l < s.k; ++l) {
                const T *const v = &before[b * member + l * ld];
                const auto of = [&](int i) { return i == l ? Exact(1) : exact(v[i]); };
                Exact x = 0;
                for (int i = l; i < s.m; ++i) x += std::conj(of(i)) * c[i];
                x *= std::conj(exact(tau[b * s.k + l]));
                for (int i = l; i < s.m; ++i) c[i] -= of(i) * x;
                for (int i = 0; i < s.m; ++i) size = std::max(size, std::abs(c[i]));
            }
            const long double bound = size * 64 * (s.m + s.k) * std::numeric_limits<R>::epsilon();
            const T *const got = &a[b * member + (s.k + j) * ld];
            for (int i = 0; i < s.m; ++i) {
                const bool same = !s.apart || i >= s.k || !memcmp(&r[(b * s.n + j) * s.k + i], &got[i], sizeof(T));
                if (std::abs(exact(got[i]) - c[i]) <= bound && same) continue;
                if (++failures <= 3)
                    printf("%s %d x %d, k = %d: (%d, %d) of member %d\n", name, s.m, s.n, s.k, i, j, b);
            }
            for (int i = s.m; i < ld && !s.apart; ++i) failures += memcmp(&got[i], &was[i], sizeof(T)) != 0;
        }
    return failures;
}

} // namespace

int main() {
    const Case cases[] = {
        {2, 2, 128, 3, 3, 1, false}, {7, 7, 133, 2, 2, 2, false}, {8, 5, 31, 4, 2, 0, false},
        {1, 1, 300, 2, 4, 3, false}, {5, 5, 200, 3, 2, 0, true},  {8, 8, 129, 1, 2, 2, true},
    };
    int failures = 0;
    for (const Case &s : cases) {
        failures += check<float>("s", tephra::rows_s, s);
        failures += check<double>("d", tephra::rows_d, s);
        failures += check<tephra::Complex<float>>("c", tephra::rows_c, s);
        failures += check<tephra::Complex<double>>("z", tephra::rows_z, s);
    }
    failures += check<double>("d", tephra::rows_d, {16, 16, 140, 2, 2, 1, false});
    failures += check<tephra::Complex<float>>("c", tephra::rows_c, {13, 11, 65, 2, 1, 0, true});
    printf(failures ? "%d failures\n" : "updates of a few rows on the host: ok\n", failures);
    return failures != 0;
}
