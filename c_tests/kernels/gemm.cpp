// The matrix products, run on the host, compared with plain ones.
#include "cuda_on_host.h"

#include "gemm/gemm.cuh"
#include "gemm/lanes.cuh"
#include "gemv/gemv.cuh"
#include "lu_case.h"

TEPHRA_GEMM_VECTOR(gemm_s, s, 128, 64, 16, 2, 8, 8, 1)
TEPHRA_GEMM_VECTOR(gemm_c, c, 64, 64, 16, 3, 8, 4, 1)
TEPHRA_GEMM_VECTOR(gemm_c48, c, 48, 48, 16, 2, 6, 4, 1)
TEPHRA_GEMM_VECTOR(gemm_s32, s, 32, 32, 16, 2, 4, 4, 1)
TEPHRA_GEMM_VECTOR(gemm_c32, c, 32, 32, 16, 2, 4, 4, 1)
TEPHRA_GEMM_TENSOR(gemm_d64x16, d, 64, 16, 16, 2, 16, 16, 8, 1)
TEPHRA_GEMM_TENSOR(gemm_d, d, 64, 64, 16, 3, 32, 32, 16, 1)
TEPHRA_GEMM_TENSOR(gemm_d48, d, 48, 48, 24, 3, 48, 24, 8, 1)
TEPHRA_GEMM_TENSOR(gemm_z, z, 64, 32, 8, 3, 32, 16, 8, 1)
TEPHRA_GEMM_TENSOR(gemm_z32, z, 32, 32, 8, 3, 16, 16, 4, 1)
TEPHRA_GEMM_LANES(lanes_s8, s, 8, 8, 8, 4, 2, 4, 1)
TEPHRA_GEMM_LANES(lanes_s16, s, 16, 16, 32, 4, 2, 2, 1)
TEPHRA_GEMM_LANES(lanes_s24, s, 24, 24, 12, 12, 6, 1, 1)
TEPHRA_GEMM_LANES(lanes_s24_idle, s, 24, 24, 12, 4, 6, 2, 1)
TEPHRA_GEMM_LANES(lanes_s32, s, 32, 32, 16, 8, 4, 2, 1)
TEPHRA_GEMM_LANES(lanes_s48, s, 48, 48, 24, 4, 6, 3, 1)
TEPHRA_GEMM_LANES(lanes_s64, s, 64, 64, 16, 8, 8, 2, 1)
TEPHRA_GEMM_LANES(lanes_s16x64, s, 16, 64, 32, 4, 8, 1, 1)
TEPHRA_GEMM_LANES(lanes_d8, d, 8, 8, 8, 4, 2, 2, 1)
TEPHRA_GEMM_LANES(lanes_d16, d, 16, 16, 8, 4, 4, 2, 1)
TEPHRA_GEMM_LANES(lanes_d32, d, 32, 16, 16, 4, 4, 2, 1)
TEPHRA_GEMM_LANES(lanes_c16, c, 16, 16, 8, 4, 4, 2, 1)
TEPHRA_GEMM_LANES(lanes_c24, c, 24, 24, 8, 6, 6, 2, 1)
TEPHRA_GEMM_LANES(lanes_z8, z, 8, 8, 4, 2, 4, 2, 1)
TEPHRA_GEMM_LANES(lanes_z16, z, 16, 16, 8, 2, 4, 2, 1)
TEPHRA_GEMV(gemv_s, s, 4, 256, 1)
TEPHRA_GEMV(gemv_d, d, 4, 128, 1)
TEPHRA_GEMV(gemv_c, c, 4, 64, 1)
TEPHRA_GEMV(gemv_z, z, 4, 128, 1)
TEPHRA_GEMV_TRANSPOSED(gemv_transposed_s, s, 4, 256, 1)
TEPHRA_GEMV_TRANSPOSED(gemv_transposed_d, d, 4, 128, 1)
TEPHRA_GEMV_TRANSPOSED(gemv_transposed_c, c, 4, 64, 1)
TEPHRA_GEMV_TRANSPOSED(gemv_transposed_z, z, 4, 128, 1)
TEPHRA_GEMV_EACH(gemv_each_s, s, 4, 256, 1)
TEPHRA_GEMV_EACH(gemv_each_d, d, 4, 128, 1)
TEPHRA_GEMV_EACH(gemv_each_c, c, 4, 64, 1)
TEPHRA_GEMV_EACH(gemv_each_z, z, 4, 128, 1)
TEPHRA_GEMV_TRANSPOSED_EACH(gemv_transposed_each_s, s, 4, 256, 1)
TEPHRA_GEMV_TRANSPOSED_EACH(gemv_transposed_each_d, d, 4, 128, 1)
TEPHRA_GEMV_TRANSPOSED_EACH(gemv_transposed_each_c, c, 4, 64, 1)
TEPHRA_GEMV_TRANSPOSED_EACH(gemv_transposed_each_z, z, 4, 128, 1)

namespace {

struct Shape {
    int m, n, k;
};

// A product of a batch, and the expected result.
template <typename T>
struct Product {
    static constexpr int count = 3;
    const Shape shape;
    const bool ta, tb, ca, cb;
    Batch<T> a, b, start, got;
    T alpha = random_number<T>(), beta = random_number<T>();
    GemmArgs args = {};

    // The bits of `form` say what is transposed or conjugated.
    Product(Shape shape, int form)
        : shape(shape), ta(form & 1), tb(form & 2), ca(form & 4), cb(form & 8),
          a(ta ? Batch<T>(shape.k, shape.m, count) : Batch<T>(shape.m, shape.k, count)),
          b(tb ? Batch<T>(shape.n, shape.k, count) : Batch<T>(shape.k, shape.n, count)), start(shape.m, shape.n, count),
          got(start) {
        args.a = a.operand(), args.b = b.operand(), args.c = got.operand();
        args.ars = ta ? a.ld : 1, args.acs = ta ? 1 : a.ld, args.brs = tb ? b.ld : 1, args.bcs = tb ? 1 : b.ld;
        args.ldc = got.ld, args.batch = count, args.m = shape.m, args.n = shape.n, args.k = shape.k;
        args.conj_a = ca, args.conj_b = cb;
    }

    T expected(int i, int r, int c) {
        T sum = make<T>(0), was = start.at(i, r, c);
        if (args.real_diagonal && r == c) was = make<T>(re(was));
        for (int l = 0; l < shape.k && !is_zero(alpha); ++l) {
            const T x = ta ? a.at(i, l, r) : a.at(i, r, l), y = tb ? b.at(i, c, l) : b.at(i, l, c);
            sum = fma_(ca ? conj(x) : x, cb ? conj(y) : y, sum);
        }
        const T whole = is_zero(beta) ? mul(alpha, sum) : add(mul(alpha, sum), mul(beta, was));
        return args.real_diagonal && r == c ? make<T>(re(whole)) : whole;
    }
    bool stored(int r, int c) const {
        return args.triangle == GemmArgs::FULL || (args.triangle == GemmArgs::LOWER ? r >= c : r <= c);
    }

    // on_device: alpha and beta are passed by pointers.
    template <typename Launch>
    void run(const std::string &name, bool on_device, Launch launch) {
        if (on_device) {
            args.factors = {&alpha, &beta, NAN, NAN, NAN, NAN};
        } else {
            args.factors = {nullptr, nullptr, re(alpha), im(alpha), re(beta), im(beta)};
        }
        launch(args);
        double worst = 0;
        bool untouched = true;
        for (int i = 0; i < count; ++i)
            for (long long e = 0; e < got.stride(); ++e) {
                const int r = e % got.ld, c = e / got.ld;
                if (r < shape.m && c < shape.n && stored(r, c)) {
                    const T x = got.at(i, r, c);
                    const double d = distance(x, expected(i, r, c));
                    worst = d == d ? fmax(worst, d) : INFINITY;
                    if (args.real_diagonal && r == c) untouched &= im(x) == 0;
                } else {
                    untouched &= memcmp(got.member(i) + e, start.member(i) + e, sizeof(T)) == 0;
                }
            }
        const auto text = name + " " + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
                          std::to_string(shape.k) + " form " + std::to_string(ta + 2 * tb + 4 * ca + 8 * cb);
        report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 8 * (shape.k + 1) * epsilon<T>());
        report(text + " writes outside", untouched);
    }
};

template <typename T, typename Launch>
void multiplied(const std::string &name, std::vector<Shape> shapes, Launch launch) {
    for (Shape shape : shapes)
        for (int form = 0; form < (is_complex<T> ? 16 : 4); ++form) {
            Product<T> p(shape, form);
            if (form % 3 == 0) p.alpha = make<T>(-1), p.beta = make<T>(1);
            if (form == 1) p.beta = make<T>(0), p.got.at(1, 0, 0) = make<T>(static_cast<Real<T>>(NAN)); // not read
            if (form == 2) {
                p.alpha = make<T>(0);
                for (T &x : p.a.data) x = make<T>(static_cast<Real<T>>(NAN)); // not read
            }
            p.run(name, form % 2, launch);
        }
}

// Triangles of C, with real diagonals and without.
template <typename T, typename Kernel>
void triangles(const std::string &name, int bm, int bn, int threads, Kernel kernel) {
    for (int n : {1, bm, bm + 1, 2 * bm, 2 * bm + 2, 3 * bm + 8})
        for (int triangle : {GemmArgs::LOWER, GemmArgs::UPPER}) {
            Product<T> p({n, n, 5}, 0);
            p.args.triangle = triangle, p.args.real_diagonal = n % 2;
            if (p.args.real_diagonal) {
                p.alpha = make<T>(re(p.alpha)), p.beta = make<T>(re(p.beta));
                for (int i = 0; i < p.count; ++i)
                    for (int j = 0; j < n; ++j) { // imaginary parts that are not read
                        p.start.at(i, j, j) = make<T>(re(p.start.at(i, j, j)), static_cast<Real<T>>(NAN));
                        p.got.at(i, j, j) = p.start.at(i, j, j);
                    }
            }
            p.run(name + (triangle == GemmArgs::LOWER ? " lower" : " upper"), false, [&](const GemmArgs &args) {
                const int down = (n + bm - 1) / bm, across = (n + bn - 1) / bn;
                int tiles = 0; // those that hold a part of the triangle
                for (int i = 0; i < down; ++i)
                    for (int j = 0; j < across; ++j)
                        tiles += triangle == GemmArgs::LOWER ? i * bm + bm > j * bn : j * bn + bn > i * bm;
                host::launch(tiles * p.count, threads, [&] { kernel(args); });
            });
        }
}

template <typename T, typename Kernel>
void tiled(const char *name, int bm, int bn, int threads, Kernel kernel) {
    const auto launch = [&](const GemmArgs &args) { host::launch(3, threads, [&] { kernel(args); }); };
    multiplied<T>(name,
                  {{1, 1, 1}, {64, 64, 32}, {130, 70, 33}, {63, 65, 7}, {200, 5, 16}, {128, 64, 48}, {125, 66, 20}},
                  launch);
    multiplied<T>(name, {{9, 70, 0}}, launch);
    triangles<T>(name, bm, bn, threads, kernel);
}

// Terms are shared out among the blocks of clusters, of which there may be more than chunks. Runs twice, to compare the
// bits.
template <typename T, typename Kernel>
void over_clusters(const std::string &name, int bm, int bn, int threads, int halvings, Kernel kernel) {
    const auto launch = [&](GemmArgs &args, unsigned clusters) {
        args.halvings = halvings;
        host::launch(clusters << halvings, threads, [&] { kernel(args); }, 1u << halvings);
    };
    const std::string text = name + " by " + std::to_string(1 << halvings);
    multiplied<T>(text, {{bm + 3, bn - 1, 70}, {5, 3, 9}, {9, 4, 0}}, [&](GemmArgs &args) { launch(args, 2); });
    Product<T> p({bm, bn, 97}, 0), again = p;
    for (Product<T> *x : {&p, &again}) {
        x->args.a = x->a.operand(), x->args.b = x->b.operand(), x->args.c = x->got.operand();
        x->args.factors = {nullptr, nullptr, 1, 0, 0, 0};
        launch(x->args, x == &p ? 1 : 3);
    }
    const size_t bytes = p.got.data.size() * sizeof(T);
    report(text + " has other bits", memcmp(p.got.data.data(), again.got.data.data(), bytes) == 0);
}

template <typename T, typename Kernel>
void by_lanes(const char *name, int bm, int bn, int threads, Kernel kernel) {
    const auto launch = [&](const GemmArgs &args) { host::launch(2, threads, [&] { kernel(args); }); };
    multiplied<T>(name,
                  {{1, 1, 1},
                   {8, 8, 8},
                   {7, 5, 3},
                   {bm, bn, 16},
                   {bm - 1, bn - 3, 19},
                   {17, 33, 70},
                   {4, 4, 0},
                   {13, 5, 29},
                   {29, 13, 5},
                   {5, 13, 13},
                   {45, 29, 61}},
                  launch);
    triangles<T>(name, bm, bn, threads, kernel);
}

// y := op(A) x as products with one column: m x k with k terms, transposed or not, in both directions, in strips of
// `down` x `across` lanes.
template <typename T, typename Kernel>
void by_vectors(const std::string &name, int threads, Kernel plain, Kernel transposed) {
    constexpr int P = 16 / sizeof(T), U = 4;
    for (Shape shape : {Shape{1, 1, 1}, Shape{4, 1, 4}, Shape{8, 1, 8}, Shape{7, 1, 13}, Shape{100, 1, 3},
                        Shape{3, 1, 100}, Shape{130, 1, 67}, Shape{32, 1, 32}, Shape{9, 1, 1100}})
        for (int form = 0; form < 16; form += 1) {
            const bool ta = form & 1, tb = form & 2;
            if (form >= 4 && (!is_complex<T> || (form & 4 && !ta))) continue;
            for (int down = 1; down <= (ta ? threads : 32); down *= form % 3 ? 4 : 2)
                for (int across = 1; across == 1 || across * down <= (ta ? 32 : threads); across *= 4) {
                    Product<T> p(shape, form);
                    if (form == 1) // not read
                        p.beta = make<T>(0), p.got.at(1, 0, 0) = make<T>(static_cast<Real<T>>(NAN));
                    p.run(name + " " + std::to_string(down) + "x" + std::to_string(across), form % 2,
                          [&](const GemmArgs &g) {
                              GemvArgs args = {};
                              args.a = g.a, args.x = g.b, args.y = g.c, args.factors = g.factors;
                              args.lda = p.a.ld, args.incx = tb ? p.b.ld : 1, args.incy = 1, args.batch = p.count;
                              args.m = ta ? shape.k : shape.m, args.n = ta ? shape.m : shape.k;
                              args.conj_a = g.conj_a, args.conj_x = g.conj_b;
                              args.down = __builtin_ctz(down), args.across = __builtin_ctz(across),
                              args.passes = form & 1;
                              const int each = ta ? U * across : P * down, of = ta ? args.n : args.m;
                              args.strips = (of + each - 1) / each;
                              host::launch(2, threads, [&] { (ta ? transposed : plain)(args); });
                          });
                }
        }
}

// y := alpha op(A) x + beta y for members with their own sizes and increments. Some are invalid, and the pointers of
// those must not be dereferenced.
template <typename T>
struct VectorsOfEach {
    static constexpr int most_m = 70, most_n = 41, count = 23;
    const bool transposed, conjugated;
    std::vector<int> m, n, lda, incx, incy;
    std::vector<bool> valid;
    std::vector<std::vector<T>> a, x, y;
    std::vector<T *> to_a, to_x, to_y;
    T alpha = random_number<T>(), beta = random_number<T>();

    VectorsOfEach(bool transposed, bool conjugated) : transposed(transposed), conjugated(conjugated) {
        for (int i = 0; i < count; ++i) {
            const int steps[] = {1, 1, 2, -1, -3};
            m.push_back(i == 0 ? most_m : i == 1 ? 0 : draw(most_m)), n.push_back(i == 0 ? most_n : draw(most_n));
            lda.push_back(m[i] + draw(3)), incx.push_back(steps[draw(4)]), incy.push_back(steps[draw(4)]);
            a.push_back(numbers(lda[i] * n[i])), x.push_back(numbers(of_x(i) * abs(incx[i])));
            y.push_back(numbers(of_y(i) * abs(incy[i])));
            const int wrong = i < 2 ? -1 : draw(13);
            valid.push_back(wrong < 0 || wrong > 6);
            if (wrong == 0) m[i] = -1;
            if (wrong == 1) m[i] = most_m + 1, lda[i] = most_m + 5;
            if (wrong == 2) n[i] = -2;
            if (wrong == 3) n[i] = most_n + 1;
            if (wrong == 4) lda[i] = m[i] - 1;
            if (wrong == 5) incx[i] = 0;
            if (wrong == 6) incy[i] = 0;
        }
        const auto places = [&](std::vector<std::vector<T>> &all) {
            std::vector<T *> to;
            for (int i = 0; i < count; ++i)
                to.push_back(valid[i] && m[i] > 0 && n[i] > 0 ? all[i].data() : reinterpret_cast<T *>(16));
            return to;
        };
        to_a = places(a), to_x = places(x), to_y = places(y);
    }
    static int draw(int most) { return static_cast<int>(engine() % (most + 1)); }
    static std::vector<T> numbers(int size) {
        std::vector<T> all(size);
        for (T &x : all) x = random_number<T>();
        return all;
    }
    int of_x(int i) const { return transposed ? m[i] : n[i]; }
    int of_y(int i) const { return transposed ? n[i] : m[i]; }
    static int place(int e, int length, int inc) { return inc > 0 ? e * inc : (e - length + 1) * inc; }

    template <typename Kernel>
    void run(const std::string &name, int threads, int down, int across, Kernel kernel) {
        constexpr int P = 16 / sizeof(T), U = 4;
        GemvEachArgs args = {};
        args.a = {to_a.data(), 0, 1, 0}, args.x = {to_x.data(), 0, 1, 0}, args.y = {to_y.data(), 0, 1, 0};
        args.factors = {nullptr, nullptr, re(alpha), im(alpha), re(beta), im(beta)};
        args.batch = count, args.m = most_m, args.n = most_n, args.conj_a = conjugated;
        args.down = __builtin_ctz(down), args.across = __builtin_ctz(across);
        const int each = transposed ? U * across : P * down, all = transposed ? most_n : most_m;
        args.strips = (all + each - 1) / each;
        args.rows = {m.data(), most_m}, args.columns = {n.data(), most_n};
        args.leading = lda.data(), args.x_steps = incx.data(), args.y_steps = incy.data();
        const std::vector<std::vector<T>> start = y;
        host::launch(2, threads, [&] { kernel(args); });
        double worst = 0;
        bool untouched = true;
        for (int i = 0; i < count; ++i) {
            std::vector<bool> written(y[i].size());
            for (int e = 0; valid[i] && m[i] > 0 && n[i] > 0 && e < of_y(i); ++e) {
                T sum = make<T>(0);
                for (int l = 0; l < of_x(i) && !is_zero(alpha); ++l) {
                    const T f = a[i][transposed ? l + e * lda[i] : e + l * lda[i]];
                    sum = fma_(conjugated ? conj(f) : f, x[i][place(l, of_x(i), incx[i])], sum);
                }
                const int at = place(e, of_y(i), incy[i]);
                const T whole = is_zero(beta) ? mul(alpha, sum) : add(mul(alpha, sum), mul(beta, start[i][at]));
                const double d = distance(y[i][at], whole);
                worst = d == d ? fmax(worst, d) : INFINITY, written[at] = true;
            }
            for (size_t e = 0; e < y[i].size(); ++e)
                untouched &= written[e] || memcmp(&y[i][e], &start[i][e], sizeof(T)) == 0;
        }
        const auto text = name + " " + std::to_string(down) + "x" + std::to_string(across) + " of each size";
        report(text + " differs by " + std::to_string(worst / epsilon<T>()), worst <= 8 * (most_m + 1) * epsilon<T>());
        report(text + " writes outside", untouched);
    }
};

template <typename T, typename Kernel>
void vectors_of_each(const std::string &name, int threads, Kernel plain, Kernel transposed) {
    for (int form = 0; form < (is_complex<T> ? 3 : 2); ++form)
        for (int down = 1; down <= 32; down *= 2)
            for (int across = 1; across * down <= (form ? 32 : threads); across *= 2)
                for (int factors = 0; factors < 3; ++factors) {
                    VectorsOfEach<T> p(form > 0, form == 2);
                    if (factors == 1) p.beta = make<T>(0);
                    if (factors == 2) p.alpha = make<T>(0);
                    p.run(name, threads, down, across, form ? transposed : plain);
                }
}

} // namespace

int main() {
    host::shared_memory.resize(8 * 64 * 1024); // of a cluster
    tiled<float>("gemm_s", 128, 64, 128, gemm_s);
    tiled<double>("gemm_d", 64, 64, 128, gemm_d);
    tiled<double>("gemm_d48", 48, 48, 64, gemm_d48);
    tiled<Complex<double>>("gemm_z32", 32, 32, 128, gemm_z32);
    tiled<Complex<float>>("gemm_c", 64, 64, 128, gemm_c);
    tiled<Complex<float>>("gemm_c48", 48, 48, 96, gemm_c48);
    tiled<Complex<double>>("gemm_z", 64, 32, 128, gemm_z);
    over_clusters<float>("gemm_s32", 32, 32, 64, 1, gemm_s32);
    over_clusters<Complex<float>>("gemm_c32", 32, 32, 64, 2, gemm_c32);
    over_clusters<double>("gemm_d64x16", 64, 16, 128, 2, gemm_d64x16);
    over_clusters<Complex<double>>("gemm_z32", 32, 32, 128, 2, gemm_z32);
    over_clusters<float>("lanes_s16x64", 16, 64, 32, 3, lanes_s16x64);
    by_lanes<float>("lanes_s8", 8, 8, 128, lanes_s8);
    by_lanes<float>("lanes_s16", 16, 16, 64, lanes_s16);
    by_lanes<float>("lanes_s24", 24, 24, 32, lanes_s24);
    by_lanes<float>("lanes_s24_idle", 24, 24, 64, lanes_s24_idle);
    by_lanes<float>("lanes_s48", 48, 48, 96, lanes_s48);
    by_lanes<float>("lanes_s64", 64, 64, 64, lanes_s64);
    by_lanes<Complex<float>>("lanes_c24", 24, 24, 64, lanes_c24);
    by_lanes<float>("lanes_s32", 32, 32, 64, lanes_s32);
    by_lanes<double>("lanes_d8", 8, 8, 64, lanes_d8);
    by_lanes<double>("lanes_d16", 16, 16, 64, lanes_d16);
    by_lanes<double>("lanes_d32", 32, 16, 64, lanes_d32);
    by_lanes<Complex<float>>("lanes_c16", 16, 16, 64, lanes_c16);
    by_lanes<Complex<double>>("lanes_z8", 8, 8, 64, lanes_z8);
    by_lanes<Complex<double>>("lanes_z16", 16, 16, 64, lanes_z16);
    by_vectors<float>("gemv_s", 256, gemv_s, gemv_transposed_s);
    by_vectors<double>("gemv_d", 128, gemv_d, gemv_transposed_d);
    by_vectors<Complex<float>>("gemv_c", 64, gemv_c, gemv_transposed_c);
    by_vectors<Complex<double>>("gemv_z", 128, gemv_z, gemv_transposed_z);
    vectors_of_each<float>("gemv_each_s", 256, gemv_each_s, gemv_transposed_each_s);
    vectors_of_each<double>("gemv_each_d", 128, gemv_each_d, gemv_transposed_each_d);
    vectors_of_each<Complex<float>>("gemv_each_c", 64, gemv_each_c, gemv_transposed_each_c);
    vectors_of_each<Complex<double>>("gemv_each_z", 128, gemv_each_z, gemv_transposed_each_z);
    printf(failures ? "%d checks failed\n" : "products on the host: ok\n", failures);
    return failures != 0;
}
