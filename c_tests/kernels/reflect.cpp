// Block reflectors whose rows are divided among blocks, run on the host, compared with single reflectors.
#include "cuda_on_host.h"

#include "auxiliary/larft.cuh"
#include "lu_case.h"
#include "reflect/apply.cuh"
#include "reflect/dots.cuh"
#include "reflect/factor.cuh"
#include "reflect/kept.cuh"
#include "reflect/scale.cuh"
#include "reflect/system.cuh"

TEPHRA_REFLECT_DOTS_VECTOR(dots_s, s, 32, 128, 32, 4, 8, 3, 1)
TEPHRA_REFLECT_DOTS_VECTOR(dots_c, c, 32, 64, 16, 4, 4, 3, 1)
TEPHRA_REFLECT_DOTS_TENSOR(dots_d, d, 32, 64, 16, 32, 16, 3, 1)
TEPHRA_REFLECT_DOTS_TENSOR(dots_wide_d, d, 128, 64, 16, 64, 32, 3, 1)
TEPHRA_REFLECT_DOTS_TENSOR(dots_z, z, 32, 64, 8, 32, 16, 3, 1)
TEPHRA_REFLECT_SCALE(scale_s, s, 64)
TEPHRA_REFLECT_DOTS_SPLIT(dots_split_s, s, 128, 128, 64, 32, 3, 1)
TEPHRA_REFLECT_APPLY_SPLIT(apply_split_s, s, 64, 128, 64, 32, 3, 1)
TEPHRA_REFLECT_DOTS_HALF(dots_half_s, s, 128, 128, 64, 32, 3, 1)
TEPHRA_REFLECT_APPLY_HALF(apply_half_s, s, 64, 128, 64, 32, 3, 1)
TEPHRA_REFLECT_SUM(sum_s, s, 64)
TEPHRA_REFLECT_SUM(sum_c, c, 64)
TEPHRA_REFLECT_SUM(sum_d, d, 64)
TEPHRA_REFLECT_SUM(sum_z, z, 64)
TEPHRA_REFLECT_SYSTEM(system_s, s, 64)
TEPHRA_REFLECT_SYSTEM(system_c, c, 32)
TEPHRA_REFLECT_SYSTEM(system_d, d, 64)
TEPHRA_REFLECT_SYSTEM(system_z, z, 32)
TEPHRA_REFLECT_FACTOR(factor_s, s, 128, 32, 512)
TEPHRA_REFLECT_FACTOR(factor_c, c, 128, 32, 512)
TEPHRA_REFLECT_FACTOR(factor_d, d, 128, 32, 512)
TEPHRA_REFLECT_FACTOR(factor_z, z, 64, 32, 256)
TEPHRA_REFLECT_LARFT(larft_s, s, 32, 32, 256)
TEPHRA_REFLECT_LARFT(larft_c, c, 32, 32, 256)
TEPHRA_REFLECT_LARFT(larft_d, d, 32, 32, 256)
TEPHRA_REFLECT_LARFT(larft_z, z, 32, 32, 256)
TEPHRA_REFLECT_APPLY_VECTOR(apply_s, s, 64, 128, 16, 8, 8, 3, 1)
TEPHRA_REFLECT_APPLY_VECTOR(apply_c, c, 64, 64, 8, 4, 4, 3, 1)
TEPHRA_REFLECT_APPLY_TENSOR(apply_d, d, 64, 128, 16, 32, 32, 3, 1)
TEPHRA_REFLECT_APPLY_TENSOR(apply_wide_d, d, 128, 64, 16, 64, 32, 3, 1)
TEPHRA_REFLECT_KEPT(kept_d, d, 128, 64, 128, 16, 32, 32, 6)
TEPHRA_REFLECT_APPLY_TENSOR(apply_z, z, 64, 64, 8, 32, 32, 3, 1)

TEPHRA_LARFT(blocks_s, s, 64)
TEPHRA_LARFT(blocks_z, z, 32)

namespace {

constexpr int count = 2;

struct Case {
    int m, n, k, chunk;
    bool adjoint, odd;
    int zeros;
    bool own; // Q overwrites V, and is applied to the columns to its right
};

// Element (r, j) of V, with its implicit zeros and ones.
template <typename T>
T element(Batch<T> &v, int i, int r, int j) {
    return unit_lower(r, j, r > j ? v.at(i, r, j) : make<T>(0));
}

// HALF: operands are rounded to FP16.
template <bool SPLIT, bool HALF, typename T, typename Dots, typename Sum, typename Factor, typename Larft,
          typename Apply>
void reflected(const char *name, const Case &c, int dots_threads, int factor_threads, int apply_threads, Dots dots,
               Sum sum, Factor factor, Larft larft, Apply apply) {
    constexpr int P = 16 / sizeof(T);
    Batch<T> v(c.odd ? c.m : (c.m + P - 1) / P * P, c.own ? c.n : c.k, count), a(v.m, c.n, count);
    if (!c.odd) {
        v.ld = a.ld = v.m, v.apart = a.apart = 4;
        v.data.resize(count * v.stride()), a.data.resize(count * a.stride());
    }
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < c.k; ++j)
            for (int r = j + 1; r < c.m; ++r) v.at(i, r, j) = scale(v.at(i, r, j), Real<T>(0.1));
    for (int j = 0; j < c.k; ++j) v.at(0, 0, j) = make<T>(static_cast<Real<T>>(NAN)); // not V's
    constexpr int t_at_first = 3;                                                     // T is a part of a larger matrix
    std::vector<T> tau(count * c.k), sums(1000000, make<T>(static_cast<Real<T>>(NAN)));
    std::vector<T> t(t_at_first + count * c.k * c.k);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < c.k; ++j) tau[i * c.k + j] = j == 2 ? make<T>(0) : random_number<T>();
    if (SPLIT) // true reflectors, and columns of very different norms
        for (int i = 0; i < count; ++i) {
            for (int j = 0; j < c.k; ++j) {
                Real<T> norm2 = 0;
                for (int r = j; r < c.m; ++r) norm2 = abs2_add(element(v, i, r, j), norm2);
                if (j != 2) tau[i * c.k + j] = make<T>(2 / norm2);
            }
            for (int j = 0; j < c.n; ++j)
                for (int r = 0; r < c.m; ++r)
                    a.at(i, r, j) = scale(a.at(i, r, j), Real<T>(ldexp(1, j * 37 % 160 - 80)));
        }
    std::vector<float> powers(count * c.n);
    for (int r = 0; r < c.zeros; ++r)
        if (c.n > 0) a.at(1, r, 0) = make<T>(static_cast<Real<T>>(NAN)); // not read
    auto expected = a;
    Batch<T> was = c.own ? v : a;
    if (c.own) expected = v;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < c.n; ++j) {
            std::vector<T> x(c.m);
            for (int r = 0; r < c.m; ++r)
                x[r] = c.own && j < c.k ? make<T>(r == j) : r < c.zeros ? make<T>(0) : was.at(i, r, j);
            for (int s = 0; s < c.k; ++s) {
                const int l = c.adjoint ? s : c.k - 1 - s;
                T dot = make<T>(0);
                for (int r = l; r < c.m; ++r) dot = cfma_(element(v, i, r, l), x[r], dot);
                const T f = tau[i * c.k + l], g = mul(c.adjoint ? conj(f) : f, dot);
                for (int r = l; r < c.m; ++r) x[r] = fnma_(element(v, i, r, l), g, x[r]);
            }
            for (int r = 0; r < c.m; ++r) expected.at(i, r, j) = x[r];
        }

    ReflectArgs args = {};
    args.v = v.operand(), args.tau = {tau.data(), c.k, 0, 0}, args.c = a.operand();
    args.t = {t.data(), c.k * c.k, 0, 0}, args.ldt = c.k;
    args.sums = reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(sums.data()) + 15) / 16 * 16);
    args.ldv = v.ld, args.ldc = a.ld, args.batch = count, args.m = c.m, args.n = c.n, args.k = c.k;
    args.chunk = c.chunk, args.chunks = (c.m + c.chunk - 1) / c.chunk;
    args.pitch = (args.n + c.k + P - 1) / P * P, args.gram = args.n;
    args.adjoint = c.adjoint, args.zeros = c.zeros, args.run = 3;
    void *const base = args.sums;
    const Operand t_at = args.t, powers_at = {powers.data(), c.n, 0, 0};
    if (SPLIT) {
        args.t = powers_at;
        host::launch(3, 64, [&] { scale_s(args); });
    }
    const auto from = [&](int first, int columns) {
        args.sums = static_cast<T *>(base) + first;
        args.c0 = first * args.ldc, args.diagonal = first, args.n = columns;
    };
    if (c.own) {
        args.c = args.v, args.ldc = args.ldv;
        from(c.k, c.n - c.k);
    }
    host::launch(5, dots_threads, [&] { dots(args); });
    host::launch(3, 64, [&] { sum(args); });
    args.t = t_at;
    if (c.k <= 32) {
        const auto of_c = args.c0;
        args.c0 = t_at_first;
        host::launch(1, 256, [&] { larft(args); });
        args.c0 = of_c;
    }
    if (SPLIT) args.t = powers_at;
    if (c.own) {
        from(0, c.n);
        args.identity = c.k;
    }
    host::launch(2, factor_threads, [&] { factor(args); });
    if (c.own) {
        args.identity = 0;
        from(c.k, c.n - c.k);
        host::launch(4, apply_threads, [&] { apply(args); });
        from(0, c.k);
        args.identity = c.k;
    }
    host::launch(4, apply_threads, [&] { apply(args); });

    auto &got = c.own ? v : a;
    double worst = 0, worst_t = 0;
    bool untouched = true;
    for (int i = 0; i < count; ++i)
        for (long long e = 0; e < got.stride(); ++e) {
            const int r = e % got.ld, j = e / got.ld;
            if (r < c.m && j < c.n) {
                double d = distance(got.at(i, r, j), expected.at(i, r, j));
                if (SPLIT) d = ldexp(d, 80 - j * 37 % 160);
                worst = d == d ? fmax(worst, d) : INFINITY;
            } else {
                untouched &= memcmp(got.member(i) + e, was.member(i) + e, sizeof(T)) == 0;
            }
        }
    // T by its recurrence.
    for (int i = 0; i < count && c.k <= 32 && !c.own; ++i) {
        std::vector<T> f(c.k * c.k, make<T>(0));
        for (int j = 0; j < c.k; ++j) {
            for (int r = 0; r < j; ++r) {
                T x = make<T>(0);
                for (int l = r; l < j; ++l) {
                    T g = make<T>(0);
                    for (int row = 0; row < c.m; ++row) g = cfma_(element(v, i, row, l), element(v, i, row, j), g);
                    x = fma_(f[l * c.k + r], g, x);
                }
                f[j * c.k + r] = scale(mul(tau[i * c.k + j], x), Real<T>(-1));
            }
            f[j * c.k + j] = tau[i * c.k + j];
        }
        for (int e = 0; e < c.k * c.k; ++e) {
            const double d = distance(f[e], t[t_at_first + i * c.k * c.k + e]);
            worst_t = d == d ? fmax(worst_t, d) : INFINITY;
        }
    }
    const std::string text = std::string(name) + " " + std::to_string(c.m) + "x" + std::to_string(c.n) + "x" +
                             std::to_string(c.k) + (c.adjoint ? " H" : "") + (c.odd ? " odd" : "") +
                             (c.own ? " own" : "");
    const double bound = HALF ? 8 * 0x1p-11 : 300 * epsilon<T>();
    report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= bound);
    // Otherwise the rounding that was requested did not take place.
    if (HALF && c.n > 1 && c.k > 1) report(text + " is too exact", worst > 300 * epsilon<T>());
    report(text + " T differs by " + std::to_string(worst_t / epsilon<T>()), worst_t <= 300 * epsilon<T>());
    report(text + " writes outside", untouched);
}

template <typename T, bool SPLIT = false, bool HALF = false, typename... Kernels>
void all(const char *name, int dots, int factor, int apply, int most, Kernels... kernels) {
    const Case cases[] = {{300, 40, 32, 64, true, false, 0, false},    {301, 7, 5, 128, false, true, 0, false},
                          {140, 130, most, 64, true, false, 0, false}, {130, 65, most - 3, 192, false, true, 0, false},
                          {33, 1, 32, 64, true, true, 0, false},       {200, 33, 17, 64, false, false, 17, false},
                          {200, 17, 17, 64, false, false, 0, true},    {150, 32, 32, 64, false, true, 0, true},
                          {200, 90, 17, 64, false, true, 17, true},    {140, 200, 64, 128, false, false, 64, true},
                          {4, 3, 4, 64, true, false, 0, false},        {1, 1, 1, 64, true, true, 0, false}};
    for (const Case &c : cases)
        if (!SPLIT || !c.own) reflected<SPLIT, HALF, T>(name, c, dots, factor, apply, kernels...);
}

// The system for applying Q or Q^H, and both copies of V, compared with their definition. Returns the largest
// difference.
template <typename T, typename Dots, typename System>
double scaled_system(Batch<T> &v, const std::vector<T> &tau, ReflectArgs args, T *sums, int dots_threads,
                     int system_threads, Dots dots, System system) {
    const int m = static_cast<int>(args.m), k = args.k;
    Batch<T> copy(m, k, count), scaled(m, k, count);
    args.v = v.operand(), args.ldv = v.ld, args.identity = 0;
    args.t = copy.operand(), args.ldt = copy.ld, args.c = scaled.operand(), args.ldc = scaled.ld;
    // The sums of a call that has no columns of C, in a part of the memory.
    const std::vector<T> kept(sums, sums + count * args.chunks * args.part());
    double worst = 0;
    const auto see = [&](double d) { worst = d == d ? fmax(worst, d) : INFINITY; };
    for (int adjoint : {0, 1}) {
        args.adjoint = adjoint, args.sums = sums, args.n = args.gram = 0;
        host::launch(5, dots_threads, [&] { dots(args); });
        host::launch(7, system_threads, [&] { system(args); });
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < k; ++j) {
                for (int row = 0; row < k; ++row) {
                    T dot = make<T>(row == j ? 1 : 0);
                    for (int r = j; r < m && row < j; ++r) dot = cfma_(element(v, i, r, row), element(v, i, r, j), dot);
                    if (row < j) dot = conj(mul(tau[i * k + (adjoint ? j : row)], dot));
                    see(distance(args.sums_of<T>(i, 0)[row * args.pitch + j], dot));
                }
                const T factor = adjoint ? tau[i * k + j] : conj(tau[i * k + j]);
                for (int r = 0; r < m; ++r) {
                    see(distance(copy.at(i, r, j), element(v, i, r, j)));
                    see(distance(scaled.at(i, r, j), mul(element(v, i, r, j), factor)));
                }
            }
    }
    std::copy(kept.begin(), kept.end(), sums);
    return worst;
}

// Q from all reflectors at once: V^H V in many tiles, the system, its solution by substitution, and C := E + V X.
template <typename T, typename Dots, typename System, typename Apply>
void at_once(const char *name, int dots_threads, int system_threads, int apply_threads, int m, int n, int k, int chunk,
             Dots dots, System system, Apply apply) {
    constexpr int P = 16 / sizeof(T);
    Batch<T> v(m, n, count), copy((m + P - 1) / P * P, k, count);
    copy.ld = copy.m, copy.apart = 0;
    copy.data.assign(count * copy.stride(), make<T>(static_cast<Real<T>>(NAN)));
    std::vector<T> tau(count * k, make<T>(0));
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < k; ++j) {
            for (int r = j + 1; r < m; ++r) v.at(i, r, j) = scale(v.at(i, r, j), Real<T>(0.1));
            // A unitary reflection, with a complex tau if it is one.
            Real<T> norm2 = 1, angle = is_complex<T> ? j % 7 : 3.1415926535897932;
            for (int r = j + 1; r < m; ++r) norm2 = abs2_add(v.at(i, r, j), norm2);
            if (j != 2) tau[i * k + j] = make<T>((1 - std::cos(angle)) / norm2, -std::sin(angle) / norm2);
        }
    v.at(0, 0, 0) = make<T>(static_cast<Real<T>>(NAN)); // not V's
    auto expected = v, was = v;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < n; ++j) {
            std::vector<T> x(m, make<T>(0));
            x[j] = make<T>(1);
            for (int l = k - 1; l >= 0; --l) {
                T dot = make<T>(0);
                for (int r = l; r < m; ++r) dot = cfma_(element(v, i, r, l), x[r], dot);
                for (int r = l; r < m; ++r) x[r] = fnma_(element(v, i, r, l), mul(tau[i * k + l], dot), x[r]);
            }
            for (int r = 0; r < m; ++r) expected.at(i, r, j) = x[r];
        }
    ReflectArgs args = {};
    args.v = args.c = v.operand(), args.tau = {tau.data(), k, 0, 0}, args.ldv = args.ldc = v.ld;
    args.batch = count, args.m = m, args.k = k, args.chunk = chunk, args.chunks = (m + chunk - 1) / chunk;
    args.pitch = (n + k + P - 1) / P * P, args.run = 1;
    std::vector<T> memory(count * args.chunks * args.part() + P, make<T>(static_cast<Real<T>>(NAN)));
    T *const sums = reinterpret_cast<T *>((reinterpret_cast<uintptr_t>(memory.data()) + 15) / 16 * 16);
    args.sums = sums + n;
    host::launch(5, dots_threads, [&] { dots(args); });
    args.sums = sums, args.n = args.gram = args.identity = n, args.t = copy.operand(), args.ldt = copy.ld;
    host::launch(7, system_threads, [&] { system(args); });
    bool identity = true;
    for (int i = 0; i < count; ++i) {
        T *const x = args.sums_of<T>(i, 0), *const u = x + n;
        for (int row = 0; row < k; ++row)
            for (int j = 0; j <= row; ++j) identity &= distance(u[row * args.pitch + j], make<T>(row == j)) == 0;
        for (int row = k - 1; row >= 0; --row)
            for (int j = 0; j < n; ++j)
                for (int l = row + 1; l < k; ++l)
                    x[row * args.pitch + j] =
                        fnma_(u[row * args.pitch + l], x[l * args.pitch + j], x[row * args.pitch + j]);
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < m; ++r) identity &= distance(v.at(i, r, j), make<T>(r == j)) == 0;
        for (int j = 0; j < k; ++j)
            for (int r = 0; r < m; ++r) identity &= distance(copy.at(i, r, j), element(was, i, r, j)) == 0;
    }
    const double of_system = scaled_system(was, tau, args, sums, dots_threads, system_threads, dots, system);
    args.v = copy.operand(), args.ldv = copy.ld, args.identity = n;
    host::launch(4, apply_threads, [&] { apply(args); });
    double worst = 0;
    bool untouched = true;
    for (int i = 0; i < count; ++i)
        for (long long e = 0; e < v.stride(); ++e) {
            const int r = e % v.ld, j = e / v.ld;
            if (r < m && j < n) {
                const double d = distance(v.at(i, r, j), expected.at(i, r, j));
                worst = d == d ? fmax(worst, d) : INFINITY;
            } else {
                untouched &= memcmp(v.member(i) + e, was.member(i) + e, sizeof(T)) == 0;
            }
        }
    const std::string text =
        std::string(name) + " at once " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 1000 * epsilon<T>());
    report(text + ": identity or copy of V", identity);
    report(text + ": the system for applying Q differs by " + std::to_string(of_system / epsilon<T>()),
           of_system <= 100 * epsilon<T>());
    report(text + " writes outside", untouched);
}

template <typename T, typename... Kernels>
void all_at_once(const char *name, int dots, int system, int apply, Kernels... kernels) {
    at_once<T>(name, dots, system, apply, 90, 70, 65, 64, kernels...);
    at_once<T>(name, dots, system, apply, 150, 140, 140, 128, kernels...);
    at_once<T>(name, dots, system, apply, 301, 33, 33, 64, kernels...);
    at_once<T>(name, dots, system, apply, 5, 5, 4, 64, kernels...);
    at_once<T>(name, dots, system, apply, 1, 1, 1, 64, kernels...);
}

// T's smallest blocks on the diagonal, which are joined later: they are formed or left alone, with V^H to their right
// and zeros below. The reflectors are the last ones of larger matrices.
template <typename T, typename Kernel>
void beside_blocks(const char *name, Kernel kernel, int threads, int at, int m, int k, int width, bool form) {
    Batch<T> v(at + m, at + k, count), t(at + k, at + k, count);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < k; ++j)
            for (int r = 0; r < m; ++r) {
                T &x = v.at(i, at + r, at + j);
                x = r > j ? scale(x, Real<T>(0.1)) : make<T>(static_cast<Real<T>>(NAN)); // not V's
            }
    std::vector<T> tau(count * (at + k));
    for (T &x : tau) x = random_number<T>();
    auto was = t;
    LarftArgs args = {};
    args.v = v.operand(), args.tau = {tau.data(), at + k, 0, 0}, args.t = t.operand();
    args.ldv = v.ld, args.ldt = t.ld, args.batch = count, args.at = at, args.m = m, args.k = k, args.width = width;
    args.blocks = (k + width - 1) / width, args.form = form;
    host::launch(3, threads, [&] { kernel(args); });
    double worst = 0;
    bool right = true;
    for (int i = 0; i < count; ++i) {
        const auto vector = [&](int r, int j) {
            return unit_lower(r, j, r > j ? v.at(i, at + r, at + j) : make<T>(0));
        };
        for (int c = 0; c < at + k; ++c)
            for (int r = 0; r < at + k; ++r) {
                const T got = t.at(i, r, c), old = was.at(i, r, c);
                const int row = r - at, column = c - at;
                const bool inside = row >= 0 && column >= 0, block = inside && row / width == column / width;
                T expected = old;
                if (inside && row > column && (form || !block)) expected = make<T>(0);
                if (inside && row < column && !block) expected = conj(v.at(i, c, r));
                if (block && form && row <= column) {
                    // T(:, c) = -tau_c T (V^H v_c) above the diagonal; the columns before c have been checked.
                    const T factor = tau[i * (at + k) + c];
                    expected = row == column ? factor : make<T>(0);
                    for (int l = row; l < column; ++l) {
                        T g = make<T>(0);
                        for (int s = 0; s < m; ++s) g = cfma_(vector(s, l), vector(s, column), g);
                        expected = fma_(t.at(i, r, at + l), scale(mul(factor, g), Real<T>(-1)), expected);
                    }
                    const double d = distance(expected, got);
                    worst = d == d ? fmax(worst, d) : INFINITY;
                } else if (block && !form && row > column) {
                    right &= memcmp(&got, &old, sizeof(T)) == 0 || is_zero(got);
                } else {
                    right &= memcmp(&got, &expected, sizeof(T)) == 0;
                }
            }
    }
    const auto text = std::string(name) + " at " + std::to_string(at) + ": " + std::to_string(m) + "x" +
                      std::to_string(k) + " by " + std::to_string(width) + (form ? "" : " beside");
    report(text, right);
    report(text + " T differs by " + std::to_string(worst / epsilon<T>()), worst <= 300 * epsilon<T>());
}

// The kernel that keeps X, and the one that does not, in blocks of `run` tiles: they must give the same bits, whether
// or not tiles are complete.
void keeps_bits(int m, int n, int k, int zeros, int run, bool odd) {
    Batch<double> v(odd ? m | 1 : (m + 1) / 2 * 2, k, count), a(v.m, n, count);
    v.ld = a.ld = v.m, v.apart = a.apart = 4;
    v.data.resize(count * v.stride()), a.data.resize(count * a.stride());
    for (int j = 0; j < k; ++j) v.at(0, 0, j) = NAN; // not V's
    for (int r = 0; r < zeros; ++r) a.at(1, r, 0) = NAN;
    auto b = a;
    ReflectArgs args = {};
    args.v = v.operand(), args.ldv = v.ld, args.ldc = a.ld, args.batch = count;
    args.m = m, args.n = n, args.k = k, args.chunks = 1, args.pitch = (n + 1) / 2 * 2, args.zeros = zeros;
    args.run = run;
    std::vector<double> sums(count * k * args.pitch + 2);
    for (auto &e : sums) e = random_number<double>();
    args.sums = reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(sums.data()) + 15) / 16 * 16);
    args.c = a.operand();
    host::launch(4, 128, [&] { apply_wide_d(args); });
    args.c = b.operand();
    host::launch(5, 256, [&] { kept_d(args); });
    report("kept " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " in " +
               std::to_string(run) + (odd ? " odd" : "") + ": other bits",
           memcmp(a.data.data(), b.data.data(), a.data.size() * sizeof(double)) == 0);
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    all<float>("s", 128, 512, 128, 128, dots_s, sum_s, factor_s, larft_s, apply_s);
    all<float, true>("s split", 256, 512, 128, 128, dots_split_s, sum_s, factor_s, larft_s, apply_split_s);
    all<float, true, true>("s half", 256, 512, 128, 128, dots_half_s, sum_s, factor_s, larft_s, apply_half_s);
    all<double>("d", 128, 512, 256, 128, dots_d, sum_d, factor_d, larft_d, apply_d);
    // Complete boxes that follow each other without a gap, beside others.
    const Case large[] = {{460, 270, 128, 192, true, false, 0, false}, {420, 140, 112, 256, false, false, 150, false}};
    for (const Case &c : large)
        reflected<false, false, double>("d wide", c, 128, 512, 128, dots_wide_d, sum_d, factor_d, larft_d,
                                        apply_wide_d);
    reflected<false, false, double>("d kept", large[0], 128, 512, 256, dots_wide_d, sum_d, factor_d, larft_d, kept_d);
    keeps_bits(600, 300, 128, 0, 3, false), keeps_bits(450, 128, 128, 200, 8, false);
    keeps_bits(320, 256, 128, 0, 1, false), keeps_bits(64 * 9, 130, 128, 0, 4, true);
    keeps_bits(192, 2200, 128, 0, 2, false), keeps_bits(300, 140, 100, 0, 8, false);
    all<double>("d wide", 128, 512, 128, 128, dots_wide_d, sum_d, factor_d, larft_d, apply_wide_d);
    all<Complex<float>>("c", 128, 512, 256, 128, dots_c, sum_c, factor_c, larft_c, apply_c);
    all<Complex<double>>("z", 128, 256, 128, 64, dots_z, sum_z, factor_z, larft_z, apply_z);
    all_at_once<float>("s", 128, 64, 128, dots_s, system_s, apply_s);
    all_at_once<double>("d", 128, 64, 256, dots_d, system_d, apply_d);
    all_at_once<double>("d wide", 128, 64, 256, dots_wide_d, system_d, apply_d);
    all_at_once<Complex<float>>("c", 128, 32, 256, dots_c, system_c, apply_c);
    all_at_once<Complex<double>>("z", 128, 32, 128, dots_z, system_z, apply_z);
    for (bool form : {true, false}) {
        beside_blocks<float>("blocks_s", blocks_s, 64, 0, 60, 40, 8, form);
        beside_blocks<float>("blocks_s", blocks_s, 64, 7, 33, 33, 16, form);
        beside_blocks<Complex<double>>("blocks_z", blocks_z, 32, 5, 50, 21, 6, form);
    }
    beside_blocks<Complex<double>>("blocks_z", blocks_z, 32, 0, 30, 9, 9, true);
    printf(failures ? "%d checks failed\n" : "divided block reflectors on the host: ok\n", failures);
    return failures != 0;
}
