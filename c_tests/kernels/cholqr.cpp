// Panels factored from their Gram matrix, run on the host, compared with a plain factorisation in double precision. The
// launches are those of src/gpu/tall/gram_steps.rs; some members must be left to the tree.
#include "cuda_on_host.h"

#include "tall_case.h"

#include "cholqr/panel.cuh"
#include "cholqr/wide.cuh"
#include "iterative/gram.cuh"
#include "given.h"

// With a tile ahead or not, as the library's instances are.
TEPHRA_CHOLQR_SUMS(sums_s_16, s, 16, 256, 2)
TEPHRA_CHOLQR_SUMS(sums_d_16, d, 16, 256, 2)
TEPHRA_CHOLQR_SUMS(sums_c_16, c, 16, 256, 2)
TEPHRA_CHOLQR_SUMS(sums_z_16, z, 16, 256, 2)
TEPHRA_CHOLQR_SUMS(sums_s_32, s, 32, 256, 2)
TEPHRA_CHOLQR_SUMS(sums_d_32, d, 32, 256, 2)
TEPHRA_CHOLQR_SUMS(sums_c_32, c, 32, 256, 1)
TEPHRA_CHOLQR_SUMS(sums_z_32, z, 32, 256, 1)
TEPHRA_CHOLQR_AGAIN(again_d_16, d, 16, 256, 2)
TEPHRA_CHOLQR_AGAIN(again_z_16, z, 16, 256, 1)
TEPHRA_CHOLQR_AGAIN(again_d_32, d, 32, 256, 1)
TEPHRA_CHOLQR_AGAIN(again_z_32, z, 32, 256, 1)
TEPHRA_CHOLQR_ROWS(rows_s_16, s, 16, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_d_16, d, 16, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_c_16, c, 16, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_z_16, z, 16, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_s_32, s, 32, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_d_32, d, 32, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_c_32, c, 32, 256, 2)
TEPHRA_CHOLQR_ROWS(rows_z_32, z, 32, 256, 2)

TEPHRA_ITERATIVE_GRAM(gram_s, s, 64, 32, 32, 16, 3, 3)
TEPHRA_ITERATIVE_GRAM(gram_d, d, 64, 32, 32, 16, 3, 2)
TEPHRA_ITERATIVE_GRAM(gram_z, z, 64, 8, 32, 16, 4, 2)
TEPHRA_ITERATIVE_SUM(sum_d, d, 256)
TEPHRA_ITERATIVE_SUM(sum_z, z, 256)
TEPHRA_CHOLQR_WIDE_FINISH(finish_s_64, s, 64, 256)
TEPHRA_CHOLQR_WIDE_FINISH(finish_d_64, d, 64, 256)
TEPHRA_CHOLQR_WIDE_FINISH(finish_z_64, z, 64, 256)
TEPHRA_CHOLQR_WIDE_FINISH(finish_d_128, d, 128, 256)
TEPHRA_CHOLQR_WIDE_ROWS(wide_rows_s_64, s, 64, 256, 2)
TEPHRA_CHOLQR_WIDE_ROWS(wide_rows_d_64, d, 64, 256, 2)
TEPHRA_CHOLQR_WIDE_ROWS(wide_rows_z_64, z, 64, 256, 1)
TEPHRA_CHOLQR_WIDE_ROWS(wide_rows_d_128, d, 128, 256, 1)

namespace {

constexpr int WORDS = CholqrArgs::WORDS;
constexpr unsigned UNTOUCHED = 0, AGAIN = CholqrArgs::AGAIN, DONE = CholqrArgs::DONE, WITHIN = CholqrArgs::WITHIN;

int ceil_div(int a, int b) { return (a + b - 1) / b; }
std::string text(double x) { return std::to_string(x); }

// m x n panels, each within a larger matrix of NaNs that must not change. at: rows and columns before the panel.
template <typename T>
struct Panels {
    int m, n, count, at, ld;
    bool odd; // elements are copied one by one, and members are given by an array of pointers
    long long stride;
    std::vector<T> data;
    std::vector<void *> pointers;

    Panels(int m, int n, int count, int at, bool odd)
        : m(m), n(n), count(count), at(at), ld(odd ? (m + at + 2) | 1 : (m + at + 7) / 4 * 4), odd(odd),
          stride(ld * (n + at + 1) + odd), data(count * stride) {
        memset(static_cast<void *>(data.data()), 0xff, data.size() * sizeof(T));
    }
    long long offset() const { return at * (ld + 1ll); }
    T &operator()(int i, int r, int c) { return data[i * stride + offset() + c * ld + r]; }
    Operand operand() {
        pointers.clear();
        for (int i = 0; i < count; ++i) pointers.push_back(&data[i * stride]);
        return odd ? Operand{pointers.data(), 0, 1, 0} : Operand{data.data(), stride, 0, 0};
    }
    // Whether member i and another batch's member j agree in every bit, with their surroundings.
    bool same(int i, const Panels &other, int j) const {
        return memcmp(&data[i * stride], &other.data[j * stride], stride * sizeof(T)) == 0;
    }
    bool same_around(const Panels &other) const {
        for (long long e = 0; e < count * stride; ++e) {
            const long long c = e % stride / ld - at, r = e % stride % ld - at;
            const bool inside = c >= 0 && c < n && r >= 0 && r < m;
            if (!inside && memcmp(&data[e], &other.data[e], sizeof(T)) != 0) return false;
        }
        return true;
    }
};

// Scratch memory: initially NaN, with a gap after each member's that must not change.
template <typename W>
struct Scratch {
    long long each = 0, stride = 0;
    std::vector<W> data;

    W *take(long long numbers, int count) {
        each = numbers, stride = each + 3;
        data.resize(count * stride);
        memset(static_cast<void *>(data.data()), 0xff, data.size() * sizeof(W));
        return data.data();
    }
    // Whether member i's scratch still has its initial contents, from this number on.
    bool kept(int i, long long from) const {
        const auto *const p = reinterpret_cast<const unsigned char *>(&data[i * stride + from]);
        for (size_t b = 0; b < (stride - from) * sizeof(W); ++b)
            if (p[b] != 0xff) return false;
        return true;
    }
};

// Members: first those that must be factored, of which the first ones have nearly orthogonal columns; then those that
// must not.
enum class Kind {
    PLAIN,
    SCALED,   // columns of very different lengths
    LEANING,  // columns so dependent that double precision needs a second pass
    SLANTING, // nearly as dependent as allowed
    LAST_DONE = SLANTING,
    NOT_A_NUMBER,
    INFINITE,
    ZERO_COLUMN,
    EQUAL_COLUMNS,
    NOTHING_BELOW, // in the first column, below the diagonal
    TRIANGULAR,    // detected by the zeros below its diagonal, not by dependence
    DEPENDENT,     // more than allowed
    TINY,          // double precision only: squares underflow
    LARGE,         // likewise: squares nearly overflow
    END
};
std::string name_of(Kind kind) {
    const char *const names[] = {"plain",     "scaled",      "leaning",       "slanting",      "NaN",
                                 "infinite",  "zero column", "equal columns", "nothing below", "triangular",
                                 "dependent", "tiny",        "large"};
    return names[static_cast<int>(kind)];
}

template <typename T>
constexpr bool is_single = sizeof(Real<T>) == 4;

// The same numbers wherever the member is; they depend on `seed` only.
template <typename T>
void fill(Panels<T> &a, int i, Kind kind, int seed) {
    using R = Real<T>;
    engine.seed(seed);
    double lean = 0, size = 1;
    if (kind == Kind::LEANING) lean = 2;
    if (kind == Kind::SLANTING) lean = is_single<T> ? 1000 : 8;
    if (kind == Kind::DEPENDENT) lean = is_single<T> ? 3000 : 30;
    if (kind == Kind::TINY) size = 1e-200;
    if (kind == Kind::LARGE) size = 1e140;
    for (int c = 0; c < a.n; ++c)
        for (int r = 0; r < a.m; ++r) {
            T x = random_number<T>();
            if (c > 0) x = fma_(a(i, r, 0), make<T>(R(lean / size)), x);
            if (kind == Kind::TRIANGULAR) x = r > c ? make<T>(0) : r == c ? make<T>(R(4)) : x;
            if (kind == Kind::SCALED) size = pow(is_single<T> ? 1e-25 : 1e-100, (c + 1) % 3 - 1);
            a(i, r, c) = scale(x, R(size));
        }
    const int last = a.n - 1, middle = a.n / 2;
    if (kind == Kind::NOT_A_NUMBER) a(i, a.m - 1, last) = make<T>(R(NAN));
    if (kind == Kind::INFINITE) a(i, 0, middle) = make<T>(0, R(-INFINITY)), a(i, a.m / 2, 0) = make<T>(R(INFINITY));
    for (int r = 0; r < a.m; ++r) {
        if (kind == Kind::ZERO_COLUMN) a(i, r, middle) = make<T>(0);
        if (kind == Kind::EQUAL_COLUMNS) a(i, r, last) = a(i, r, 0);
        if (kind == Kind::NOTHING_BELOW && r > 0) a(i, r, 0) = make<T>(0);
    }
}

struct Shape {
    int m, n, wanted;
    int chunk; // rows of a part
    int at;    // where the panel of reflectors is in A
    bool odd;
    bool in_place = false; // Q overwrites A

    std::string name() const {
        const char *const of[] = {" V", " Q", " R"};
        return std::to_string(m) + " x " + std::to_string(n) + of[wanted] + (odd ? " odd" : "") +
               (in_place ? " in place" : "");
    }
};

// A batch, the workspace of its launches, and what they return.
template <typename T>
struct Call {
    using W = Wide<T>;
    Shape shape;
    int count;
    Panels<T> a, q, r, tau;
    std::vector<int> info;
    std::vector<unsigned> words, first; // first: states after the first launch that could be the last
    Scratch<W> sums, factors;

    Call(const Shape &s, int count)
        : shape(s), count(count), a(s.m, s.n, count, s.at, s.odd), q(s.m, s.n, count, 0, s.odd),
          r(s.n, s.n, count, 0, s.odd), tau(s.n, 1, count, s.at, s.odd), info(count, -7), words((count + 1) * WORDS) {
        for (int w = 0; w < WORDS; ++w) words[count * WORDS + w] = 77; // must not be written
    }
    unsigned state(int i) const { return words[i * WORDS]; }
    CholqrArgs args() {
        CholqrArgs args = {};
        args.a = a.operand(), args.a0 = a.offset(), args.lda = a.ld;
        if (shape.wanted == CholqrArgs::REFLECTORS) {
            args.tau = tau.operand(), args.tau0 = tau.offset(), args.info = info.data(), args.head = shape.n;
            args.r = args.a, args.r0 = args.a0, args.ldr = args.lda;
        } else {
            args.r = r.operand(), args.ldr = r.ld;
        }
        if (shape.wanted == CholqrArgs::REFLECTORS || shape.in_place)
            args.to = args.a, args.to0 = args.a0, args.ldto = args.lda;
        else if (shape.wanted == CholqrArgs::FACTORS)
            args.to = q.operand(), args.ldto = q.ld;
        args.m = shape.m, args.n = shape.n, args.batch = count, args.wanted = shape.wanted, args.when = DONE;
        args.words = words.data();
        return args;
    }
    void first_is_done() {
        for (int i = 0; i < count; ++i) first.push_back(state(i));
    }
    bool same(int i, const Call &other, int j) const {
        return a.same(i, other.a, j) && q.same(i, other.q, j) && r.same(i, other.r, j) && tau.same(i, other.tau, j) &&
               info[i] == other.info[j];
    }
    // Whether only the operands, scratch and the members' words were written, so that the rest is ready for another
    // launch.
    bool tidy(const Call &before) const {
        bool good = a.same_around(before.a) && q.same_around(before.q) && r.same_around(before.r) &&
                    tau.same_around(before.tau);
        for (int i = 0; i < count; ++i) good = good && sums.kept(i, sums.each) && factors.kept(i, factors.each);
        for (size_t w = 0; w < words.size(); ++w)
            if (w % WORDS != 0 || w >= static_cast<size_t>(count) * WORDS) good = good && words[w] == before.words[w];
        return good;
    }
};

// How rows are divided; there are at most as many groups as parts in each.
struct Parts {
    int chunk, parts, group = 1;
    Parts(int m, int chunk) : chunk(chunk), parts(ceil_div(m, chunk)) {
        while (group * group < parts) ++group;
    }
    int sums() const { return parts + ceil_div(parts, group); }
};

// Launches with the shared memory that the kernel asks for, and a little more, which must not be written.
template <typename Args>
void launch(void (*kernel)(Args), const Args &args, long long blocks) {
    host::shared_memory.resize(host::about(kernel).shared + 1024);
    host::give(kernel, {});
    host::launch(static_cast<unsigned>(blocks), host::about(kernel).threads, [&] { kernel(args); });
}
using Kernel = void(CholqrArgs);
void go(Kernel *kernel, CholqrArgs args, const Parts &p) {
    args.chunk = p.chunk, args.parts = p.parts, args.group = p.group;
    launch(kernel, args, p.parts * args.batch);
}

// In units of rounding: the distance of the results from those of a plain factorisation; and that of their product from
// A relative to the columns' lengths, or of Q from orthogonality.
struct Errors {
    double plain = 0, product = 0;
    static void see(double &worst, double d) { worst = d == d ? std::max(worst, d) : INFINITY; }
};

struct Narrow {
    Kernel *sums, *again, *rows;

    template <typename T>
    void operator()(Call<T> &call, const unsigned *outer = nullptr) const {
        // Each kernel has its own partition, since each has its own number of blocks.
        const Shape &s = call.shape;
        const Parts at_first(s.m, s.chunk), then(s.m, s.chunk + 256), at_last(s.m, 512);
        const long long part = host::about(sums).rows, n = host::about(rows).columns;
        CholqrArgs args = call.args();
        args.outer = outer;
        args.sums = call.sums.take(std::max(at_first.sums(), then.sums()) * part, call.count);
        args.factors = call.factors.take(4 * n * n, call.count);
        args.sums_stride = call.sums.stride, args.factors_stride = call.factors.stride;
        go(sums, args, at_first);
        call.first_is_done();
        if (again) go(again, args, then);
        if (s.wanted != CholqrArgs::TRIANGLE) go(rows, args, at_last);
        if (s.wanted == CholqrArgs::FACTORS && !s.in_place) multiplied(call, args, at_last);
    }

    // Q times an upper triangular matrix, whose other elements are not read.
    template <typename T>
    void multiplied(Call<T> &call, CholqrArgs args, const Parts &parts) const {
        const int m = call.shape.m, n = call.shape.n;
        Panels<T> by(n, n, call.count, 0, call.shape.odd), product(m, n, call.count, 0, call.shape.odd);
        for (int i = 0; i < call.count; ++i)
            for (int c = 0; c < n; ++c)
                for (int r = 0; r <= c; ++r) by(i, r, c) = random_number<T>();
        args.by = by.operand(), args.ld_by = by.ld, args.to = product.operand(), args.ldto = product.ld;
        go(rows, args, parts);
        double worst = 0;
        for (int i = 0; i < call.count; ++i)
            for (int c = 0; call.state(i) == DONE && c < n; ++c)
                for (int r = 0; r < m; ++r) {
                    auto sum = make<Wide<T>>(0);
                    for (int k = 0; k <= c; ++k) sum = fma_(widen(call.q(i, r, k)), widen(by(i, k, c)), sum);
                    Errors::see(worst, distance(widen(product(i, r, c)), sum));
                }
        report(call.shape.name() + " times a triangle differs by " + text(worst / epsilon<T>()),
               worst <= 30 * epsilon<T>());
    }
};

struct Whole {
    void (*gram)(IterativeArgs), (*sum)(IterativeArgs);
    Kernel *finish, *rows;

    template <typename T>
    void operator()(Call<T> &call) const {
        const Shape &s = call.shape;
        const int tile = host::about(gram).rows, chunks = ceil_div(s.m, s.chunk), side = ceil_div(s.n, tile);
        const int tiles = side * (side + 1) / 2;
        const long long n = host::about(finish).columns;
        // The Gram matrices of the members are contiguous, and so are their sums.
        Scratch<Wide<T>> sums, grams;
        sums.take(static_cast<long long>(call.count) * chunks * tiles * tile * tile, 1);
        CholqrArgs args = call.args();
        args.factors = call.factors.take(4 * n * n, call.count), args.factors_stride = call.factors.stride;
        args.sums = grams.take(static_cast<long long>(call.count) * s.n * s.n, 1), args.sums_stride = s.n * s.n;
        call.sums.take(0, call.count);
        const auto gram_matrix = [&](const unsigned *states) {
            IterativeArgs g = {};
            g.a = args.a, g.a0 = args.a0, g.lda = args.lda, g.m = s.m, g.n = s.n;
            g.sums = sums.data.data(), g.gram = args.sums, g.again = states;
            g.chunk = s.chunk, g.chunks = chunks, g.tile = tile;
            launch(gram, g, call.count * chunks * tiles);
            launch(sum, g, call.count * ceil_div(s.n * s.n, host::about(sum).threads));
        };
        const auto finished = [&](int again) {
            args.again = again;
            go(finish, args, Parts(s.m, s.m));
            args.again = 0;
        };
        const Parts parts(s.m, 256);
        gram_matrix(nullptr);
        finished(0);
        call.first_is_done();
        if (!is_single<T>) {
            CholqrArgs first = args;
            first.head = 0, first.when = AGAIN;
            go(rows, first, parts);
            gram_matrix(call.words.data());
            finished(1);
        }
        go(rows, args, parts);
        report("sums of Gram matrices are written behind", sums.kept(0, sums.each) && grams.kept(0, grams.each));
    }
};

// x^H y, summed up in pieces, so that the test's own rounding is smaller than what it looks for.
template <typename W>
W inner(const W *x, const W *y, int m) {
    W sum = make<W>(0);
    for (int r = 0; r < m;) {
        W piece = make<W>(0);
        for (int end = std::min(m, r + 32); r < end; ++r) piece = cfma_(x[r], y[r], piece);
        sum = add(sum, piece);
    }
    return sum;
}

template <typename T>
Errors errors(Call<T> &call, Call<T> &before, int i) {
    using W = Wide<T>;
    const int m = call.shape.m, n = call.shape.n;
    const bool reflectors = call.shape.wanted == CholqrArgs::REFLECTORS;
    std::vector<W> A(m * n), right, right_tau(n), x(m * n, make<W>(0)), v = x; // x: Q R; v: V or Q
    std::vector<double> length(n);
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < m; ++r) A[c * m + r] = widen(before.a(i, r, c));
        length[c] = sqrt(re(inner(&A[c * m], &A[c * m], m)));
    }
    right = A;
    factor(right.data(), m, right_tau.data(), m, n);
    Errors worst;
    for (int c = 0; c < n; ++c)
        for (int r = 0; r < n; ++r) {
            const T e = reflectors ? call.a(i, r, c) : call.r(i, r, c);
            if (r <= c)
                Errors::see(worst.plain, distance(x[c * m + r] = widen(e), right[c * m + r]) / length[c]);
            else if (!reflectors)
                Errors::see(worst.plain, is_zero(e) ? 0 : INFINITY);
        }
    if (reflectors) {
        for (int c = 0; c < n; ++c) {
            const W tau = widen(call.tau(i, c, 0));
            Errors::see(worst.plain, distance(tau, right_tau[c]));
            v[c * m + c] = make<W>(1);
            for (int r = c + 1; r < m; ++r) {
                v[c * m + r] = widen(call.a(i, r, c));
                Errors::see(worst.plain, distance(v[c * m + r], right[c * m + r]));
            }
            const double square = re(inner(&v[c * m], &v[c * m], m));
            Errors::see(worst.product, fabs(abs2_add(tau, 0.0) * square - 2 * re(tau))); // tests that H^H H = I
        }
        for (int k = n; k-- > 0;)
            for (int c = k; c < n; ++c) {
                const W dot = mul(widen(call.tau(i, k, 0)), inner(&v[k * m], &x[c * m], m));
                for (int r = k; r < m; ++r) x[c * m + r] = fnma_(v[k * m + r], dot, x[c * m + r]);
            }
    } else if (call.shape.wanted == CholqrArgs::FACTORS) {
        Panels<T> &q = call.shape.in_place ? call.a : call.q;
        for (int c = 0; c < n; ++c)
            for (int r = 0; r < m; ++r) v[c * m + r] = widen(q(i, r, c));
        for (int c = 0; c < n; ++c) {
            for (int d = 0; d <= c; ++d)
                Errors::see(worst.product, distance(inner(&v[d * m], &v[c * m], m), make<W>(c == d)));
            for (int r = m; r-- > 0;) {
                W e = make<W>(0);
                for (int k = 0; k <= c; ++k) e = fma_(v[k * m + r], widen(call.r(i, k, c)), e);
                x[c * m + r] = e;
            }
        }
    } else {
        x = A; // no factor to multiply R with
    }
    for (int c = 0; c < n; ++c)
        for (int r = 0; r < m; ++r) Errors::see(worst.product, distance(x[c * m + r], A[c * m + r]) / length[c]);
    return {worst.plain / epsilon<T>(), worst.product / epsilon<T>()};
}

// State after the first Gram matrix. In double precision, columns that are not nearly orthogonal need a second one, as
// do many random columns of few rows.
template <typename T>
unsigned first_state(Kind kind, const Shape &s) {
    const bool orthogonal = s.n == 1 || ((kind == Kind::PLAIN || kind == Kind::SCALED) && s.n * s.n <= 8 * (s.m - s.n));
    return is_single<T> || orthogonal ? DONE : AGAIN;
}

template <typename T>
void is_right(const std::string &what, Call<T> &call, Call<T> &before, int i, Kind kind) {
    const std::string which = what + ", " + name_of(kind);
    report(which + " state at first " + std::to_string(call.first[i]),
           call.first[i] == first_state<T>(kind, call.shape));
    report(which + " state " + std::to_string(call.state(i)), call.state(i) == DONE);
    report(which + " info", call.info[i] == (call.shape.wanted == CholqrArgs::REFLECTORS ? 0 : -7));
    const Errors e = errors(call, before, i);
    // In single precision little but the results is rounded.
    const double bound = is_single<T> ? 2 : 30;
    report(which + " differs by " + text(e.plain), e.plain <= bound);
    report(which + " has a product that differs by " + text(e.product), e.product <= bound);
}
// Operands that must not be written.
template <typename T>
bool others_stay(const Call<T> &call, const Call<T> &before, int i) {
    const Shape &s = call.shape;
    const bool q = s.wanted == CholqrArgs::FACTORS && !s.in_place;
    return (s.wanted == CholqrArgs::REFLECTORS || s.in_place || call.a.same(i, before.a, i)) &&
           (s.wanted == CholqrArgs::REFLECTORS || call.tau.same(i, before.tau, i)) &&
           (s.wanted != CholqrArgs::REFLECTORS || call.r.same(i, before.r, i)) && (q || call.q.same(i, before.q, i));
}

// Three members, all of which must be factored.
template <typename T, typename Launches>
void done(const std::string &name, const Launches &launches, const Shape &s) {
    const Kind kinds[] = {Kind::LEANING, Kind::PLAIN, Kind::SLANTING};
    const std::string what = name + " " + s.name();
    Call<T> call(s, 3);
    for (int i = 0; i < 3; ++i) fill(call.a, i, kinds[i], 10 + i);
    Call<T> before = call;
    launches(call);
    for (int i = 0; i < 3; ++i) {
        is_right(what, call, before, i, kinds[i]);
        report(what + " writes what is not wanted", others_stay(call, before, i));
    }
    report(what + " writes elsewhere", call.tidy(before));
}

// Members that must be left to the tree, between others, which must have the same bits as without them.
template <typename T, typename Launches>
void left(const std::string &name, const Launches &launches, const Shape &s) {
    const std::string what = name + " " + s.name();
    constexpr int last = static_cast<int>(Kind::LAST_DONE);
    std::vector<Kind> kinds;
    for (int k = last + 1, goods = 0; k < static_cast<int>(Kind::END); ++k) {
        const Kind kind = static_cast<Kind>(k);
        if (kinds.size() % 3 == 0) kinds.push_back(static_cast<Kind>(goods++ % (last + 1)));
        const bool columns = kind == Kind::EQUAL_COLUMNS || kind == Kind::DEPENDENT;
        const bool range = kind == Kind::TINY || kind == Kind::LARGE;
        if (!(columns && s.n == 1) && !(range && is_single<T>)) kinds.push_back(kind);
    }
    kinds.push_back(Kind::PLAIN);
    const int members = static_cast<int>(kinds.size());
    std::vector<int> good;
    for (int i = 0; i < members; ++i)
        if (kinds[i] <= Kind::LAST_DONE) good.push_back(i);
    Call<T> call(s, members), alone(s, static_cast<int>(good.size()));
    for (int i = 0; i < members; ++i) fill(call.a, i, kinds[i], 100 + i);
    for (int j = 0; j < alone.count; ++j) fill(alone.a, j, kinds[good[j]], 100 + good[j]);
    Call<T> before = call;
    launches(call), launches(alone);
    for (int j = 0; j < alone.count; ++j) {
        is_right(what, call, before, good[j], kinds[good[j]]);
        report(what + " neighbours have other bits", call.same(good[j], alone, j));
    }
    for (int i = 0; i < members; ++i) {
        if (kinds[i] <= Kind::LAST_DONE) continue;
        const std::string which = what + ", " + name_of(kinds[i]);
        const unsigned state = call.state(i);
        report(which + " is not left: " + std::to_string(state), state == UNTOUCHED || state == AGAIN);
        report(which + " is changed", call.same(i, before, i));
    }
    report(what + " with others writes elsewhere", call.tidy(before));
}

// Members that a wider panel has factored: only their states may be written.
template <typename T>
void within(const std::string &name, const Narrow &launches, const Shape &s) {
    const unsigned states[] = {DONE, UNTOUCHED, WITHIN, AGAIN};
    const Kind kinds[] = {Kind::LEANING, Kind::LEANING, Kind::PLAIN, Kind::PLAIN};
    const std::string what = name + " " + s.name() + " within others";
    std::vector<unsigned> outer(4 * WORDS, 99);
    Call<T> call(s, 4);
    for (int i = 0; i < 4; ++i) outer[i * WORDS] = states[i], fill(call.a, i, kinds[i], 10 + i);
    const std::vector<unsigned> outer_before = outer;
    Call<T> before = call;
    launches(call, outer.data());
    for (int i = 0; i < 4; ++i)
        if (states[i] == UNTOUCHED || states[i] == AGAIN) {
            is_right(what, call, before, i, kinds[i]);
        } else {
            report(what + " states", call.first[i] == WITHIN && call.state(i) == WITHIN);
            report(what + " is changed", call.same(i, before, i));
            report(what + " writes scratch", call.sums.kept(i, 0) && call.factors.kept(i, 0));
        }
    report(what + " writes elsewhere", call.tidy(before) && outer == outer_before);
}

constexpr int V = CholqrArgs::REFLECTORS, Q = CholqrArgs::FACTORS, R = CholqrArgs::TRIANGLE;

template <typename T>
void panels_16(const std::string &name, const Narrow &k) {
    done<T>(name, k, {1025, 16, V, 512, 0, false});
    if (!is_complex<T>) done<T>(name, k, {2400, 16, V, 256, 4, false}); // groups of four parts
    done<T>(name, k, {700, 13, V, 256, 3, true});
    done<T>(name, k, {300, 13, V, 512, 4, false});
    done<T>(name, k, {600, 1, V, 256, 4, false});
    done<T>(name, k, {300, 1, V, 512, 1, true});
    done<T>(name, k, {300, 16, Q, 256, 0, false});
    done<T>(name, k, {700, 13, Q, 256, 0, true});
    done<T>(name, k, {300, 1, Q, 256, 0, false});
    done<T>(name, k, {300, 13, Q, 256, 4, false, true});
    done<T>(name, k, {300, 16, R, 256, 0, true});
    done<T>(name, k, {300, 1, R, 512, 0, false});
    left<T>(name, k, {300, 16, V, 256, 3, true});
    left<T>(name, k, {150, 1, V, 256, 0, false});
    left<T>(name, k, {150, 16, Q, 256, 0, false});
    left<T>(name, k, {150, 13, Q, 256, 4, true, true});
    left<T>(name, k, {150, 13, R, 256, 0, false});
    within<T>(name, k, {300, 16, V, 256, 3, true});
    within<T>(name, k, {150, 13, Q, 256, 0, false});
}

template <typename T>
void panels_32(const std::string &name, const Narrow &k) {
    done<T>(name, k, {1025, 32, V, 512, 0, false});
    done<T>(name, k, {520, 29, V, 256, 3, true});
    done<T>(name, k, {150, 1, V, 256, 0, false});
    done<T>(name, k, {300, 29, Q, 256, 0, false});
    done<T>(name, k, {200, 32, Q, 256, 3, true, true});
    done<T>(name, k, {200, 32, R, 256, 0, true});
    left<T>(name, k, {150, 29, V, 256, 4, false});
    within<T>(name, k, {200, 32, V, 256, 3, true});
}

template <typename T>
void whole(const std::string &name, const Whole &k) {
    done<T>(name, k, {385, 64, V, 256, 4, false});
    done<T>(name, k, {260, 40, V, 192, 3, true});
    left<T>(name, k, {100, 20, V, 64, 4, false});
}

} // namespace

int main() {
    panels_16<float>("s 16", {sums_s_16, nullptr, rows_s_16});
    panels_16<double>("d 16", {sums_d_16, again_d_16, rows_d_16});
    panels_16<Complex<float>>("c 16", {sums_c_16, nullptr, rows_c_16});
    panels_16<Complex<double>>("z 16", {sums_z_16, again_z_16, rows_z_16});
    panels_32<float>("s 32", {sums_s_32, nullptr, rows_s_32});
    panels_32<double>("d 32", {sums_d_32, again_d_32, rows_d_32});
    panels_32<Complex<float>>("c 32", {sums_c_32, nullptr, rows_c_32});
    panels_32<Complex<double>>("z 32", {sums_z_32, again_z_32, rows_z_32});
    whole<float>("wide s", {gram_s, sum_d, finish_s_64, wide_rows_s_64});
    whole<double>("wide d", {gram_d, sum_d, finish_d_64, wide_rows_d_64});
    whole<Complex<double>>("wide z", {gram_z, sum_z, finish_z_64, wide_rows_z_64});
    done<double>("wide d 128", Whole{gram_d, sum_d, finish_d_128, wide_rows_d_128}, {260, 100, V, 256, 0, false});
    printf(failures ? "%d checks failed\n" : "panels from their Gram matrix agree with a plain factorisation\n",
           failures);
    return failures != 0;
}
