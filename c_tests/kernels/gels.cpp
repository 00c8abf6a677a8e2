// The kernels of least squares, run on the host: members of all scales in one batch, compared with the same ones scaled
// to near one.
#include "qr_on_host.h"

#include "gels/fused.cuh"
#include "given.h"
#include "lu_case.h"

#include <array>

TEPHRA_GELS(gels_s, s, 4, 2, 2, 8, 2, 1)
TEPHRA_GELS(gels_d, d, 4, 4, 4, 6, 1, 1)
TEPHRA_GELS(gels_c, c, 4, 2, 2, 8, 2, 1)
TEPHRA_GELS(gels_z, z, 4, 4, 4, 6, 1, 1)
TEPHRA_GELS_SCALE(scale_s, s, 64)
TEPHRA_GELS_SCALE(scale_z, z, 64)
TEPHRA_GELS_FINISH(finish_s, s, 64)
TEPHRA_GELS_FINISH(finish_z, z, 64)

namespace {

struct Scale {
    int a, b;
};

// Near one, at both ends of the range, and with A and B apart.
template <typename R>
std::vector<Scale> scales() {
    const int top = sizeof(R) == 4 ? 125 : 1021, bottom = sizeof(R) == 4 ? -145 : -1070, side = top - 20;
    return {{0, 0},   {top, top}, {bottom, bottom}, {0, 0},      {top, 0},
            {0, top}, {-side, 0}, {0, -side},       {top, side}, {0, 0}};
}

template <typename T>
T times(T x, int e) {
    using R = Real<T>;
    return make<T>(static_cast<R>(ldexp(double(re(x)), e)), static_cast<R>(ldexp(double(im(x)), e)));
}

GelsArgs arguments(Operand a, Operand b, int *info, int lda, int ldb, int count, int m, int n, int nrhs) {
    GelsArgs args = {};
    args.a = args.w = args.shifts = a, args.b = b, args.info = info, args.batch = count;
    args.lda = args.ldw = lda, args.ldb = ldb, args.m = m, args.n = n, args.nrhs = nrhs;
    return args;
}

// The distance of `got`, which is scaled by 2^e, from `expected`, relative to its largest element.
template <typename T>
double far_from(Batch<T> &got, int i, int e, Batch<T> &expected, int first, int last, int columns, bool triangle) {
    double worst = 0, most = 0;
    for (int c = 0; c < columns; ++c)
        for (int r = first; r < (triangle && c + 1 < last ? c + 1 : last); ++r) {
            const T x = got.at(i, r, c), y = expected.at(i, r, c);
            const double d = hypot(ldexp(double(re(x)), -e) - double(re(y)), ldexp(double(im(x)), -e) - double(im(y)));
            worst = d == d ? fmax(worst, d) : INFINITY;
            most = fmax(most, size_of(y));
        }
    return worst / (most > 0 ? most : 1);
}

// The largest real or imaginary part.
template <typename T>
double largest(Batch<T> &x, int i, int rows, int columns) {
    double most = 0;
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r)
            most = fmax(most, fmax(fabs(double(re(x.at(i, r, c)))), fabs(double(im(x.at(i, r, c))))));
    return most;
}

template <typename T, typename Kernel>
void fused(const char *name, Kernel kernel, int per_block, int threads, int m, int n, int nrhs) {
    using R = Real<T>;
    const auto all = scales<R>();
    const int count = static_cast<int>(all.size());
    Batch<T> a(m, n, count), b(m, nrhs, count);
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < n; ++c) a.at(i, c, c) = add(a.at(i, c, c), make<T>(2));
    auto scaled_a = a, scaled_b = b;
    for (int i = 0; i < count; ++i) {
        for (int r = 0; r < m; ++r) {
            for (int c = 0; c < n; ++c) {
                scaled_a.at(i, r, c) = times(a.at(i, r, c), all[i].a);
                a.at(i, r, c) = times(scaled_a.at(i, r, c), -all[i].a); // as it was rounded
            }
            for (int c = 0; c < nrhs; ++c) {
                scaled_b.at(i, r, c) = times(b.at(i, r, c), all[i].b);
                b.at(i, r, c) = times(scaled_b.at(i, r, c), -all[i].b);
            }
        }
    }
    std::vector<int> info(count, -7);
    const auto run = [&](Batch<T> &A, Batch<T> &B) {
        const auto args = arguments(A.operand(), B.operand(), info.data(), A.ld, B.ld, count, m, n, nrhs);
        host::launch((count + per_block - 1) / per_block, threads, [&] { kernel(args); });
    };
    run(a, b);
    run(scaled_a, scaled_b);
    for (int i = 0; i < count; ++i) {
        const auto [of_a, of_b] = all[i];
        const std::string what = std::string(name) + " " + std::to_string(m) + "x" + std::to_string(n) + " member " +
                                 std::to_string(i) + " 2^" + std::to_string(of_a) + " 2^" + std::to_string(of_b);
        const double limit = 32 * epsilon<T>(), denormal = of_a < 0 ? 1e-1 : limit;
        const double x = far_from(scaled_b, i, of_b - of_a, b, 0, n, nrhs, false);
        report(what + " x " + std::to_string(x / epsilon<T>()), x <= limit);
        const double rest = far_from(scaled_b, i, of_b, b, n, m, nrhs, false);
        report(what + " rest " + std::to_string(rest / epsilon<T>()), rest <= (of_b < 0 ? 1e-1 : limit));
        const double r = far_from(scaled_a, i, of_a, a, 0, n, n, true);
        report(what + " r " + std::to_string(r / epsilon<T>()), r <= denormal);
        report(what + " info", info[i] == 0);
    }
}

// Scaling and its reversal: R and the rest of B must become what they were; X has the scales of both A and B.
template <typename T, typename ToScale, typename Finish>
void apart(const char *name, ToScale to_scale, Finish finish, int threads, int m, int n, int nrhs) {
    using R = Real<T>;
    auto all = scales<R>();
    const int count = static_cast<int>(all.size()) + 3;
    while (static_cast<int>(all.size()) < count) all.push_back({0, 0});
    const int huge = count - 1, zero = count - 2, no_number = count - 3;
    Batch<T> a(m, n, count), b(m, nrhs, count), shifts(1, 1, count);
    for (int i = 0; i < count; ++i)
        for (int r = 0; r < m; ++r) {
            if (r < n) a.at(i, r, r) = add(a.at(i, r, r), make<T>(2));
            for (int c = 0; c < n; ++c)
                a.at(i, r, c) = i == zero   ? make<T>(0)
                                : i == huge ? make<T>(sizeof(R) == 4 ? R(0x1p127) : R(0x1p1023))
                                            : times(a.at(i, r, c), all[i].a);
            for (int c = 0; c < nrhs; ++c) b.at(i, r, c) = r % 2 ? make<T>(0) : times(b.at(i, r, c), all[i].b);
        }
    a.at(no_number, 0, 0) = make<T>(static_cast<R>(NAN));
    auto got_a = a, got_b = b;
    std::vector<int> info(count, -7);
    auto args = arguments(got_a.operand(), got_b.operand(), info.data(), a.ld, b.ld, count, m, n, nrhs);
    args.shifts = shifts.operand(), args.rows = m;
    host::launch(2, threads, [&] { to_scale(args); });
    for (int i = 0; i < count; ++i) {
        Shifts by;
        memcpy(&by, shifts.member(i), sizeof by);
        const auto [of_a, of_b] = all[i];
        const std::string what = std::string(name) + " member " + std::to_string(i) + " shifts " +
                                 std::to_string(by.a) + " " + std::to_string(by.b);
        const auto odd = [](int e) { return abs(e) > (sizeof(R) == 4 ? 104 : 971); };
        const auto at_bound = [](double size, int e) {
            const double low = double(Ordinary<R>::low), high = double(Ordinary<R>::high);
            return size == 0 || (e < 0 ? size >= low && size < 2 * low : size >= high / 2 && size < high);
        };
        const bool odd_a = i == huge || odd(of_a), odd_b = odd(of_b);
        // A zero matrix is not scaled, and NaNs are ignored.
        report(what, odd_a && i != zero && i != no_number ? at_bound(largest(got_a, i, m, n), i == huge ? 1 : of_a)
                                                          : by.a == 0);
        report(what, odd_b ? at_bound(largest(got_b, i, m, nrhs), of_b) : by.b == 0);
        bool same = true;
        for (int r = 0; r < m; ++r) {
            for (int c = 0; c < n; ++c) {
                const T x = times(a.at(i, r, c), by.a), y = got_a.at(i, r, c);
                same &= memcmp(&x, &y, sizeof x) == 0 || re(x) != re(x);
            }
            for (int c = 0; c < nrhs; ++c) {
                const T x = times(b.at(i, r, c), by.b), y = got_b.at(i, r, c);
                same &= distance(x, y) == 0;
            }
        }
        report(what + " scaled", same);
    }
    args.zero = args.solution = n;
    auto solved = b; // B taken as the solution
    for (int i = 0; i < count; ++i) {
        Shifts by;
        memcpy(&by, shifts.member(i), sizeof by);
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < nrhs; ++c) solved.at(i, r, c) = times(got_b.at(i, r, c), by.a - by.b);
    }
    host::launch(3, threads, [&] { finish(args); });
    for (int i = 0; i < count; ++i) {
        const std::string what = std::string(name) + " finish, member " + std::to_string(i);
        report(what + " info " + std::to_string(info[i]), info[i] == (i == zero ? 1 : 0));
        if (i == no_number) continue;
        report(what + " r", far_from(got_a, i, 0, a, 0, n, n, true) == 0);
        report(what + " x", far_from(got_b, i, 0, solved, 0, n, nrhs, false) == 0);
        report(what + " rest", far_from(got_b, i, 0, b, n, m, nrhs, false) == 0);
    }
}

} // namespace

int main() {
    for (auto [m, n, nrhs] : {std::array{1, 1, 1}, {2, 1, 3}, {8, 8, 4}, {7, 3, 2}}) {
        fused<float>("gels_s", gels_s, 8, 64, m, n, nrhs);
        fused<Complex<float>>("gels_c", gels_c, 8, 64, m, n, nrhs);
    }
    for (auto [m, n, nrhs] : {std::array{1, 1, 1}, {3, 2, 2}, {16, 16, 4}, {15, 9, 8}}) {
        fused<double>("gels_d", gels_d, 2, 32, m, n, nrhs);
        fused<Complex<double>>("gels_z", gels_z, 2, 32, m, n, nrhs);
    }
    for (auto [m, n, nrhs] : {std::array{1, 1, 1}, {9, 4, 2}, {70, 40, 3}, {300, 3, 1}}) {
        apart<float>("scale_s", scale_s, finish_s, 64, m, n, nrhs);
        apart<Complex<double>>("scale_z", scale_z, finish_z, 64, m, n, nrhs);
    }
    printf(failures ? "%d failures\n" : "least squares: passed\n", failures);
    return failures != 0;
}
