// Triangular solves with strips of right-hand sides, run on the host: compares T X with alpha B in long doubles.

#include "cuda_on_host.h"
#include "exact.h"

#include "lu_case.h"
#include "trsm/strips.cuh"
#include "given.h"

TEPHRA_TRSM_STRIPS(strips_s, s, 2)
TEPHRA_TRSM_STRIPS(strips_c, c, 2)

namespace {

constexpr int count = 3; // members

struct Form {
    const char *name;
    int sweeps;
    StripTriangle t[2];
    double alpha = 1;
    bool right = false, extreme = false;
};
// {across, back, conj, unit}
const Form forms[] = {
    {"L", 1, {{0, 0, 0, 0}}},
    {"U", 1, {{0, 1, 0, 0}}, -1.5},
    {"L^H", 1, {{1, 1, 1, 1}}},
    {"U^T", 1, {{1, 0, 0, 0}}},
    {"L and L^H", 2, {{0, 0, 0, 0}, {1, 1, 1, 0}}, 2},
    {"L and U", 2, {{0, 0, 0, 1}, {0, 1, 0, 0}}},
    {"X op(A)", 1, {{0, 0, 1, 0}}, 2, true},
    {"X op(A), back", 1, {{1, 1, 0, 0}}, 1, true},
    {"extreme pivots", 1, {{0, 0, 0, 0}}, 1, false, true},
    {"nothing", 1, {{0, 0, 0, 0}}, 0},
};

// Element T(i, k).
template <typename T>
T &element(Batch<T> &a, int member, const StripTriangle &t, int i, int k) {
    return t.across ? a.at(member, k, i) : a.at(member, i, k);
}

// Largest element of |alpha B - T X| in a column, relative to |T| |X|; infinite if it is NaN.
template <typename T>
double residual(const Form &f, Batch<T> &a, Batch<T> &b, Batch<T> &got, int member, int column) {
    const int n = a.m;
    const auto at = [&](Batch<T> &x, int i) { return f.right ? x.at(member, column, i) : x.at(member, i, column); };
    std::vector<Exact> x(n);
    std::vector<long double> size(n);
    for (int i = 0; i < n; ++i) x[i] = exact(at(got, i)), size[i] = std::abs(x[i]);
    for (int s = f.sweeps - 1; s >= 0; --s) {
        const StripTriangle t = f.t[s];
        std::vector<Exact> y(n);
        std::vector<long double> sizes(n);
        for (int i = 0; i < n; ++i)
            for (int k = t.back ? i : 0; k < (t.back ? n : i + 1); ++k) {
                Exact l = i == k && t.unit ? Exact(1) : exact(element(a, member, t, i, k));
                if (t.conj) l = std::conj(l);
                y[i] += l * x[k], sizes[i] += std::abs(l) * size[k];
            }
        x = y, size = sizes;
    }
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        const long double d = std::abs(x[i] - static_cast<long double>(f.alpha) * exact(at(b, i)));
        worst = fmax(worst, d < INFINITY ? static_cast<double>(size[i] > 0 ? d / size[i] : d) : INFINITY);
    }
    return worst;
}

template <typename T, typename Kernel>
void solves(const std::string &name, int n, int nrhs, const Form &f, Kernel kernel) {
    using R = Real<T>;
    const T nan = make<T>(static_cast<R>(NAN));
    Batch<T> a(n, n, count), b(f.right ? nrhs : n, f.right ? n : nrhs, count);
    a.apart = b.apart = 4; // so that members are aligned where the leading dimension allows it
    const int bad = nrhs / 2;
    for (int m = 0; m < count; ++m)
        for (int i = 0; i < n; ++i) {
            const R size = sqrt(R(n)) * R(2 + i % 3) * (f.extreme && i % 5 == 1 ? R(1e18) : R(1));
            a.at(m, i, i) = add(a.at(m, i, i), make<T>(i % 2 ? size : -size, size / 2));
            // Elements outside the only triangle must be ignored.
            const StripTriangle t = f.t[0];
            for (int k = 0; f.sweeps == 1 && k < n; ++k)
                if (f.alpha == 0 || (k == i ? t.unit : t.back == (k < i))) element(a, m, t, i, k) = nan;
        }
    // A right-hand side with a NaN, and a matrix with one.
    (f.right ? b.at(1, bad, 0) : b.at(1, 0, bad)) = nan;
    if (!f.t[0].unit) a.at(2, n / 2, n / 2) = nan;
    Batch<T> got = b;
    StripsArgs args = {};
    args.a = a.operand(), args.b = got.operand(), args.alpha_re = f.alpha, args.lda = a.ld;
    args.brs = f.right ? b.ld : 1, args.bcs = f.right ? 1 : b.ld, args.order = n, args.nrhs = nrhs;
    args.sweeps = f.sweeps, args.sweep[0] = f.t[0], args.sweep[1] = f.t[1];
    constexpr int width = StripTile<T>::CW, most = 3;
    const int strips = (nrhs + width - 1) / width, warps = strips < most ? strips : most;
    args.tiles = (strips + warps - 1) / warps;
    host::give(kernel, {n, warps});
    host::shared_memory.resize(host::given_shared + 1024);
    host::launch(count * args.tiles, 32 * warps, [&] { kernel(args); });

    const auto text = name + " " + f.name + " " + std::to_string(n) + ", " + std::to_string(nrhs) + " right-hand sides";
    double worst = 0;
    for (int m = 0; m < (f.t[0].unit || f.alpha == 0 ? 3 : 2); ++m)
        for (int j = 0; j < nrhs; ++j) {
            if (f.alpha == 0) {
                for (int i = 0; i < n; ++i) report(text, is_zero(f.right ? got.at(m, j, i) : got.at(m, i, j)));
            } else if (m != 1 || j != bad) {
                worst = fmax(worst, residual(f, a, b, got, m, j));
            }
        }
    const double limit = 10 * sqrt(double(n)) * epsilon<T>();
    report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= limit);
    bool same = true;
    for (int m = 0; m < count; ++m)
        for (long long e = 0; e < b.stride(); ++e)
            if (e % b.ld >= b.m || e / b.ld >= b.n) same &= memcmp(got.member(m) + e, b.member(m) + e, sizeof(T)) == 0;
    report(text + " writes outside", same);
}

template <typename T, typename Kernel>
void all(const std::string &name, Kernel kernel) {
    for (int n : {1, 33, 48, 65, 130})
        for (int nrhs : {1, 70, 133})
            for (const Form &form : forms) solves<T>(name, n, nrhs, form, kernel);
}

} // namespace

int main() {
    all<float>("strips s", strips_s);
    all<Complex<float>>("strips c", strips_c);
    printf(failures ? "%d checks failed\n" : "triangular solves in strips on the host: ok\n", failures);
    return failures != 0;
}
