// The matrix products, run on the host, against plain ones.
#include "assembly_on_host.h"

#include "gemm/gemm.cuh"
#include "lu_case.h"

TEPHRA_GEMM_VECTOR(gemm_s, s, 128, 64, 16, 8, 8, 1)
TEPHRA_GEMM_VECTOR(gemm_c, c, 64, 64, 16, 8, 4, 1)
TEPHRA_GEMM_TENSOR(gemm_d, d, 64, 64, 16, 32, 32, 1)
TEPHRA_GEMM_TENSOR(gemm_z, z, 64, 64, 8, 32, 32, 1)

namespace {

struct Shape {
    int m, n, k;
};

// A product of a batch, and what it should be.
template <typename T>
struct Product {
    static constexpr int count = 3;
    const Shape shape;
    const bool ta, tb, ca, cb;
    Batch<T> a, b, start, got;
    T alpha = random_number<T>(), beta = random_number<T>();
    GemmArgs args = {};

    // form: its bits say what is transposed or conjugated.
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

    // on_device: alpha and beta are passed by their places.
    template <typename Launch>
    void run(const std::string &name, bool on_device, Launch launch) {
        if (on_device) {
            args.alpha = &alpha, args.beta = &beta, args.alpha_re = args.beta_re = NAN;
        } else {
            args.alpha_re = re(alpha), args.alpha_im = im(alpha), args.beta_re = re(beta), args.beta_im = im(beta);
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
void multiplied(const std::string &name, std::initializer_list<Shape> shapes, Launch launch) {
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
void triangles(const std::string &name, int bm, int bn, Kernel kernel) {
    for (int n : {1, 64, 65, 128, 130, 200, 300})
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
                host::launch(tiles * p.count, 128, [&] { kernel(args); });
            });
        }
}

template <typename T, typename Kernel>
void tiled(const char *name, int bm, int bn, Kernel kernel) {
    const auto launch = [&](const GemmArgs &args) { host::launch(3, 128, [&] { kernel(args); }); };
    multiplied<T>(name,
                  {{1, 1, 1}, {64, 64, 32}, {130, 70, 33}, {63, 65, 7}, {200, 5, 16}, {128, 64, 48}, {125, 66, 20}},
                  launch);
    multiplied<T>(name, {{9, 70, 0}}, launch);
    triangles<T>(name, bm, bn, kernel);
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    tiled<float>("gemm_s", 128, 64, gemm_s);
    tiled<double>("gemm_d", 64, 64, gemm_d);
    tiled<Complex<float>>("gemm_c", 64, 64, gemm_c);
    tiled<Complex<double>>("gemm_z", 64, 64, gemm_z);
    printf(failures ? "%d checks failed\n" : "products on the host: ok\n", failures);
    return failures != 0;
}
