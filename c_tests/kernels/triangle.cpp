// Sums, products with triangles, and inverses of triangles, run on the host, compared with plain ones.
#include "cuda_on_host.h"

#include "auxiliary/geam.cuh"
#include "lu_case.h"
#include "triangle/symm.cuh"
#include "triangle/trmm.cuh"
#include "triangle/trtri_copy.cuh"

// The kernels of one precision.
#define TEPHRA_TRY(T)                                                                                                  \
    TEPHRA_GEAM(geam_##T##_8, T, 8, 256)                                                                               \
    TEPHRA_GEAM(geam_##T##_32, T, 32, 256)                                                                             \
    TEPHRA_SYMM(symm_##T##_16, T, 16, 256)                                                                             \
    TEPHRA_TRMM(trmm_##T##_8, T, 8, 256)                                                                               \
    TEPHRA_TRMM(trmm_##T##_32, T, 32, 256)                                                                             \
    TEPHRA_TRTRI_SMALL(trtri_small_##T##_8, T, 8, 4)                                                                   \
    TEPHRA_TRTRI_SMALL(trtri_small_##T##_16, T, 16, 4)                                                                 \
    TEPHRA_TRTRI_SMALL(trtri_small_##T##_32, T, 32, 4)                                                                 \
    TEPHRA_TRTRI(trtri_##T##_16, T, 16, 64)                                                                            \
    TEPHRA_TRTRI(trtri_##T##_32, T, 32, 256)                                                                           \
    TEPHRA_TRTRI_BEGIN(trtri_begin_##T, T, 32, 256)                                                                    \
    TEPHRA_TRTRI_END(trtri_end_##T, T, 32, 256)
TEPHRA_TRY(s)
TEPHRA_TRY(d)
TEPHRA_TRY(c)
TEPHRA_TRY(z)

namespace {

constexpr int count = 5; // members

// Sets every element that must not be read to NaN.
template <typename T>
void poison(Batch<T> &a, bool upper, bool unit) {
    for (int i = 0; i < a.count; ++i)
        for (int r = 0; r < a.m; ++r)
            for (int c = 0; c < a.n; ++c) {
                T &x = a.at(i, r, c);
                if (r == c)
                    x = unit ? make<T>(static_cast<Real<T>>(NAN)) : add(x, make<T>(2));
                else if (upper == (r < c))
                    x = scale(x, Real<T>(1.0 / a.m));
                else
                    x = make<T>(static_cast<Real<T>>(NAN));
            }
}
template <typename T>
bool outside_untouched(Batch<T> &got, Batch<T> &start, bool upper, bool unit, bool triangle) {
    bool same = true;
    for (int i = 0; i < got.count; ++i)
        for (long long e = 0; e < got.stride(); ++e) {
            const int r = e % got.ld, c = e / got.ld;
            const bool stored = r < got.m && c < got.n && (!triangle || (r == c ? !unit : upper == (r < c)));
            if (!stored) same &= memcmp(got.member(i) + e, start.member(i) + e, sizeof(T)) == 0;
        }
    return same;
}
// Element (r, c) of a triangle, with its implicit zeros and ones.
template <typename T>
T element(Batch<T> &a, int i, int r, int c, bool upper, bool unit) {
    if (r == c) return unit ? make<T>(1) : a.at(i, r, c);
    return upper == (r < c) ? a.at(i, r, c) : make<T>(0);
}

template <typename T, typename Kernel>
void products(const std::string &name, int side, int order, int columns, Kernel kernel) {
    for (int form = 0; form < 8; ++form) {
        const bool upper = form & 1, unit = form & 2, right = form & 4;
        Batch<T> a(order, order, count), b(right ? columns : order, right ? order : columns, count);
        poison(a, upper, unit);
        // A NaN must affect exactly what it is multiplied with.
        const int bad = order / 2;
        b.at(3, right ? 0 : bad, right ? bad : 0) = make<T>(static_cast<Real<T>>(NAN));
        Batch<T> got = b;
        TrsmArgs args = {};
        args.a = a.operand(), args.b = got.operand(), args.alpha_re = 2, args.order = order, args.nrhs = columns;
        args.batch = count, args.tiles = (columns + side - 1) / side, args.unit = unit;
        // A on the left as it is; A on the right as its transpose to the left of B's transpose.
        args.ars = right ? a.ld : 1, args.acs = right ? 1 : a.ld, args.brs = right ? b.ld : 1,
        args.bcs = right ? 1 : b.ld;
        if (upper != right) { // upper in that form: from the last unknown on
            args.a0 = (order - 1) * (args.ars + args.acs), args.b0 = (order - 1) * args.brs;
            args.ars = -args.ars, args.acs = -args.acs, args.brs = -args.brs;
        }
        host::launch(2, 256, [&] { kernel(args); });
        double worst = 0;
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < b.m; ++r)
                for (int c = 0; c < b.n; ++c) {
                    T sum = make<T>(0);
                    bool feels = false;
                    for (int k = 0; k < order; ++k) {
                        const T t = right ? element(a, i, k, c, upper, unit) : element(a, i, r, k, upper, unit);
                        const T x = right ? b.at(i, r, k) : b.at(i, k, c);
                        const bool in = right ? (k == c || upper == (k < c)) : (r == k || upper == (r < k));
                        if (in && re(x) != re(x)) feels = true;
                        if (in) sum = fma_(t, x, sum);
                    }
                    const T x = got.at(i, r, c);
                    const double d = distance(x, scale(sum, Real<T>(2)));
                    if (feels != (re(x) != re(x)))
                        worst = INFINITY;
                    else if (!feels)
                        worst = fmax(worst, d == d ? d : INFINITY);
                }
        const auto text = name + " " + std::to_string(order) + ", " + std::to_string(columns) + " columns, form " +
                          std::to_string(form);
        report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 20 * (order + 1) * epsilon<T>());
        report(text + " writes outside", outside_untouched(got, b, false, false, false));
    }
}

template <typename T, typename Kernel>
void inverses(const std::string &name, int order, int threads, Kernel kernel) {
    for (int form = 0; form < 4; ++form) {
        const bool upper = form & 1, unit = form & 2;
        Batch<T> a(order, order, count);
        poison(a, upper, unit);
        // Two zeros on the diagonal of one member: info is the first in memory.
        const int first = order / 3, second = order - 1;
        if (!unit) a.at(2, first, first) = a.at(2, second, second) = make<T>(0);
        Batch<T> got = a;
        std::vector<int> info(count, 77);
        TrtriArgs args = {};
        args.a = got.operand(), args.info = info.data(), args.order = order, args.batch = count, args.unit = unit;
        args.ars = 1, args.acs = a.ld;
        if (upper) args.a0 = (order - 1) * (1 + a.ld), args.ars = -1, args.acs = -a.ld;
        host::launch(2, threads, [&] { kernel(args); });
        const auto text = name + " " + std::to_string(order) + " form " + std::to_string(form);
        double worst = 0;
        for (int i = 0; i < count; ++i) {
            const bool singular = !unit && i == 2;
            report(text + " info", info[i] == (singular ? first + 1 : 0));
            if (singular) {
                for (int r = 0; r < order; ++r)
                    for (int c = 0; c < order; ++c)
                        report(text + " singular", memcmp(&got.at(i, r, c), &a.at(i, r, c), sizeof(T)) == 0);
                continue;
            }
            for (int r = 0; r < order; ++r)
                for (int c = 0; c < order; ++c) {
                    T sum = make<T>(r == c ? -1 : 0);
                    for (int k = 0; k < order; ++k)
                        sum = fma_(element(a, i, r, k, upper, unit), element(got, i, k, c, upper, unit), sum);
                    const double d = distance(sum, make<T>(0));
                    worst = d == d ? fmax(worst, d) : INFINITY;
                }
        }
        report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 20 * (order + 1) * epsilon<T>());
        report(text + " writes outside", outside_untouched(got, a, upper, unit, true));
    }
}

// Into squares that are larger than the triangles, and back: the copies' elements change sign between.
template <typename T, typename Begin, typename End>
void copies(const std::string &name, int order, Begin begin, End end) {
    const int side = order + 7;
    const long long stride = 1ll * side * (side + 1);
    for (int form = 0; form < 4; ++form) {
        const bool upper = form & 1, unit = form & 2;
        const auto text = name + " " + std::to_string(order) + " form " + std::to_string(form);
        Batch<T> a(order, order, count);
        poison(a, upper, unit);
        const int first = order / 3, second = order - 1;
        if (!unit) a.at(2, first, first) = a.at(2, second, second) = make<T>(0);
        Batch<T> got = a;
        std::vector<int> info(count, 77), zeros(count, 77);
        std::vector<T> work(count * stride, make<T>(static_cast<Real<T>>(NAN)));
        TrtriCopyArgs args = {};
        args.of.a = got.operand(), args.of.info = info.data(), args.of.order = order, args.of.batch = count;
        args.of.unit = unit, args.of.ars = 1, args.of.acs = a.ld;
        if (upper) args.of.a0 = (order - 1) * (1 + a.ld), args.of.ars = -1, args.of.acs = -a.ld;
        args.work = work.data(), args.zeros = zeros.data(), args.side = side, args.stride = stride;
        args.tiles = (side + 31) / 32;
        host::launch(5, 256, [&] { begin(args); });
        bool right = true;
        for (int i = 0; i < count; ++i) {
            const int code = !unit && i == 2 ? first + 1 : 0;
            report(text + " info", info[i] == code && zeros[i] == code);
            for (int r = 0; r < side; ++r)
                for (int c = 0; c < side; ++c) {
                    // An upper triangle is read from its last element on.
                    T x = make<T>(r == c ? 1 : 0), &copy = work[i * stride + r + 1ll * c * side];
                    const int row = upper ? order - 1 - r : r, column = upper ? order - 1 - c : c;
                    if (r < order && c < order) x = element(a, i, row, column, upper, unit);
                    right &= memcmp(&copy, &x, sizeof(T)) == 0;
                    copy = scale(copy, Real<T>(-1));
                }
        }
        report(text + " squares", right);
        host::launch(5, 256, [&] { end(args); });
        right = true;
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < order; ++r)
                for (int c = 0; c < order; ++c) {
                    T x = a.at(i, r, c);
                    const bool inside = r == c ? !unit : upper == (r < c);
                    if (inside && (unit || i != 2)) x = scale(x, Real<T>(-1));
                    right &= memcmp(&got.at(i, r, c), &x, sizeof(T)) == 0;
                }
        report(text + " results", right);
        report(text + " writes outside", outside_untouched(got, a, upper, unit, true));
    }
}

template <typename T, typename Kernel>
void sums(const std::string &name, int m, int n, Kernel kernel) {
    for (int form = 0; form < 36; ++form) {
        const int op_a = form % 3, op_b = form / 3 % 3, zeros = form / 9; // bits: alpha, beta
        Batch<T> a(op_a ? n : m, op_a ? m : n, count), b(op_b ? n : m, op_b ? m : n, count), start(m, n, count),
            got = start;
        const T alpha = zeros & 1 ? make<T>(0) : random_number<T>(), beta = zeros & 2 ? make<T>(0) : make<T>(1);
        if (zeros & 1) a.data.clear(); // not read
        if (zeros & 2) b.data.clear();
        GeamArgs args = {};
        args.c = got.operand(), args.ldc = got.ld, args.a = a.operand(), args.lda = a.ld, args.b = b.operand();
        args.ldb = b.ld, args.op_a = op_a, args.op_b = op_b, args.rows = m, args.columns = n, args.batch = count;
        args.alpha_re = re(alpha), args.alpha_im = im(alpha), args.beta = &beta;
        host::launch(2, 256, [&] { kernel(args); });
        const auto of = [](Batch<T> &x, int op, int i, int r, int c) {
            const T value = op ? x.at(i, c, r) : x.at(i, r, c);
            return op == GeamArgs::ADJOINT ? conj(value) : value;
        };
        double worst = 0;
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < m; ++r)
                for (int c = 0; c < n; ++c) {
                    T sum = make<T>(0);
                    if (!(zeros & 1)) sum = mul(alpha, of(a, op_a, i, r, c));
                    if (!(zeros & 2)) sum = add(sum, of(b, op_b, i, r, c));
                    const double d = distance(got.at(i, r, c), sum);
                    worst = d == d ? fmax(worst, d) : INFINITY;
                }
        const auto text = name + " " + std::to_string(m) + "x" + std::to_string(n) + " form " + std::to_string(form);
        report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 8 * epsilon<T>());
        report(text + " writes outside", outside_untouched(got, start, false, false, false));
    }
}

// C := diag(x) A in place, with x from the last element on; or A diag(x).
template <typename T, typename Kernel>
void diagonals(const std::string &name, int m, int n, Kernel kernel) {
    for (int diagonal : {GeamArgs::ROWS, GeamArgs::COLUMNS}) {
        const int length = diagonal == GeamArgs::ROWS ? m : n;
        Batch<T> a(m, n, count), x(2 * length, 1, count), got = a;
        GeamArgs args = {};
        args.a = args.c = got.operand(), args.lda = args.ldc = got.ld, args.x = x.operand(), args.diagonal = diagonal;
        args.incx = -2, args.x0 = 2 * (length - 1), args.rows = m, args.columns = n, args.batch = count;
        args.alpha_re = 1;
        host::launch(2, 256, [&] { kernel(args); });
        double worst = 0;
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < m; ++r)
                for (int c = 0; c < n; ++c) {
                    const int at = 2 * (length - 1 - (diagonal == GeamArgs::ROWS ? r : c));
                    const double d = distance(got.at(i, r, c), mul(x.at(i, at, 0), a.at(i, r, c)));
                    worst = d == d ? fmax(worst, d) : INFINITY;
                }
        const auto text = name + " diagonal " + std::to_string(m) + "x" + std::to_string(n);
        report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 8 * epsilon<T>());
        report(text + " writes outside", outside_untouched(got, a, false, false, false));
    }
}

#define TEPHRA_RUN(T)                                                                                                  \
    {                                                                                                                  \
        using Type = letter::T;                                                                                        \
        for (int order : {1, 5, 8, 9, 20, 33}) {                                                                       \
            products<Type>("trmm " #T " 8", 8, order, 3, trmm_##T##_8);                                                \
            products<Type>("trmm " #T " 32", 32, order, 35, trmm_##T##_32);                                            \
        }                                                                                                              \
        for (int order : {1, 3, 8}) inverses<Type>("trtri " #T " 8", order, 128, trtri_small_##T##_8);                 \
        for (int order : {9, 16}) inverses<Type>("trtri " #T " 16", order, 128, trtri_small_##T##_16);                 \
        for (int order : {17, 31, 32}) inverses<Type>("trtri " #T " 32", order, 128, trtri_small_##T##_32);            \
        for (int order : {1, 16, 17, 40}) inverses<Type>("trtri " #T " tiles 16", order, 64, trtri_##T##_16);          \
        for (int order : {33, 70, 100}) inverses<Type>("trtri " #T " tiles 32", order, 256, trtri_##T##_32);           \
        for (int order : {33, 70}) copies<Type>("trtri " #T " copies", order, trtri_begin_##T, trtri_end_##T);         \
        for (int n : {1, 7, 8, 40}) {                                                                                  \
            sums<Type>("geam " #T " 8", n, 9, geam_##T##_8);                                                           \
            sums<Type>("geam " #T " 32", n, 35, geam_##T##_32);                                                        \
            diagonals<Type>("dgmm " #T, n, 33, geam_##T##_32);                                                         \
        }                                                                                                              \
    }

// Products with a matrix of which only a triangle is stored, and the rest is NaN; for uniform batches, and for members
// with their own sizes, of which one is invalid.
template <typename T, typename Kernel>
void symmetric(const char *name, Kernel kernel, int m, int n) {
    for (int form = 0; form < 16; ++form) {
        const bool right = form & 1, upper = form & 2, hermitian = form & 4, varying = form & 8;
        const int order = right ? n : m;
        Batch<T> a(order, order, count), b(m, n, count), c(m, n, count);
        poison(a, upper, false);
        auto got = c, expected = c;
        const T alpha = make<T>(static_cast<Real<T>>(-0.5), static_cast<Real<T>>(0.25)), beta = make<T>(2);
        std::vector<int> rows, columns, lda(count, a.ld), ldb(count, b.ld), ldc(count, c.ld);
        for (int i = 0; i < count; ++i) {
            rows.push_back(varying ? (m * (i + 1)) / count : m);
            columns.push_back(varying ? (n * (count - i)) / count : n);
        }
        if (varying) rows[3] = m + 1;
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < rows[i] && rows[i] <= m; ++r)
                for (int k = 0; k < columns[i]; ++k) {
                    T sum = make<T>(0);
                    for (int l = 0; l < (right ? columns[i] : rows[i]); ++l) {
                        const int p = right ? l : r, q = right ? k : l;
                        T x = (upper ? p <= q : p >= q) ? a.at(i, p, q) : conj_if(a.at(i, q, p), hermitian);
                        if (hermitian && p == q) x = make<T>(re(x));
                        sum = right ? fma_(b.at(i, r, l), x, sum) : fma_(x, b.at(i, l, k), sum);
                    }
                    expected.at(i, r, k) = add(mul(alpha, sum), mul(beta, c.at(i, r, k)));
                }
        SymmArgs args = {};
        args.a = a.operand(), args.b = b.operand(), args.c = got.operand();
        args.factors = {nullptr, nullptr, re(alpha), im(alpha), 2, 0};
        args.lda = a.ld, args.ldb = b.ld, args.ldc = c.ld, args.batch = count, args.m = m, args.n = n;
        args.right = right, args.upper = upper, args.hermitian = hermitian;
        if (varying) {
            args.rows = {rows.data(), m}, args.columns = {columns.data(), n};
            args.a_leading = lda.data(), args.b_leading = ldb.data(), args.c_leading = ldc.data();
        }
        host::launch(7, 256, [&] { kernel(args); });
        double worst = 0;
        for (int i = 0; i < count; ++i)
            for (int r = 0; r < m; ++r)
                for (int k = 0; k < n; ++k) {
                    const T x = got.at(i, r, k), y = expected.at(i, r, k);
                    const double off = std::abs(re(x) - re(y)) + std::abs(im(x) - im(y));
                    if (!(off <= worst)) worst = off;
                }
        const double most = sizeof(Real<T>) == 8 ? 1e-12 : 1e-3;
        report(std::string(name) + " form " + std::to_string(form), worst < most);
    }
}

} // namespace

int main() {
    symmetric<float>("symm s", symm_s_16, 33, 20);
    symmetric<Complex<float>>("symm c", symm_c_16, 20, 33);
    symmetric<double>("symm d", symm_d_16, 16, 17);
    symmetric<Complex<double>>("symm z", symm_z_16, 35, 1);
    TEPHRA_RUN(s)
    TEPHRA_RUN(d)
    TEPHRA_RUN(c)
    TEPHRA_RUN(z)
    printf(failures ? "%d checks failed\n" : "sums and triangles on the host: ok\n", failures);
    return failures != 0;
}
