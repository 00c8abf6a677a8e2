// Inverses from Cholesky factors, run on the host.
#include "cuda_on_host.h"

#include "cholesky_case.h"
#include "diagonal_inverses.h"
#include "potrf/grid_inverse.cuh"
#include "potrf/inverse.cuh"
#include "potrf/small.cuh"
#include "potrf/strip_inverse.cuh"
#include "given.h"

TEPHRA_POTRI_SMALL(potri_s8, s, 2, 4, 4, 2, 1)
TEPHRA_POTRI_SMALL(potri_d32, d, 4, 8, 1, 1, 1)
TEPHRA_POTRI_SMALL(potri_c16, c, 4, 4, 1, 2, 1)
TEPHRA_POTRI_SMALL(potri_z16, z, 2, 8, 1, 1, 1)
TEPHRA_POTRI_GRID(grid_s, s, 8, 16, 512)
TEPHRA_POTRI_GRID(grid_d, d, 8, 8, 256)
TEPHRA_POTRI_GRID(grid_c, c, 8, 16, 256)
TEPHRA_POTRI_GRID(grid_z, z, 6, 16, 256)
TEPHRA_POTRI_STRIPS(strips_s, s, 64, 4, 1, 1)
TEPHRA_POTRI_STRIPS(strips_s8, s, 64, 8, 2, 1)
TEPHRA_POTRI_STRIPS(strips_d64, d, 64, 8, 1, 1)
TEPHRA_POTRI_STRIPS(strips_d32, d, 32, 8, 2, 1)
TEPHRA_POTRI_STRIPS(strips_c64, c, 64, 8, 1, 1)
TEPHRA_POTRI_STRIPS(strips_c32, c, 32, 8, 2, 1)
TEPHRA_POTRI_STRIPS(strips_z32, z, 32, 8, 1, 1)
TEPHRA_POTRI_STRIPS(strips_z16, z, 16, 8, 2, 1)
TEPHRA_POTRI_FINISH(finish_s, s, 256)
TEPHRA_POTRI_FINISH(finish_d, d, 256)
TEPHRA_POTRI_FINISH(finish_c, c, 256)
TEPHRA_POTRI_FINISH(finish_z, z, 256)

namespace {

// run(args): the launches of an inversion.
template <typename T, typename Run>
void inverses(const std::string &name, std::initializer_list<int> orders, Run run) {
    for (int n : orders)
        for (bool upper : {false, true}) {
            auto start = definite<T>(n, count, upper, n);
            auto a = start;
            std::vector<int> info(count, -7);
            std::vector<std::vector<Exact>> factors(count);
            for (int i = 0; i < count; ++i) {
                const Triangle<T> t = {a, i, upper};
                cholesky(t, n, factors[i]);
                for (int c = 0; c < n; ++c)
                    for (int r = c; r < n; ++r) t.set(r, c, factors[i][r + c * n] * turn<T>(i, c));
                if (i == 6) t.set(n / 2, n / 2, 0);
            }
            auto before = a;
            run(arguments(a.operand(), info.data(), a.ld, n, upper));
            for (int i = 0; i < count; ++i) {
                const auto what = name_of(name.c_str(), n, upper, i);
                const Triangle<T> t = {a, i, upper};
                if (i == 6 || info[i]) {
                    report(what + " info", info[i] == (i == 6 ? n / 2 + 1 : is_zero(before.at(i, 0, 0)) ? 1 : n));
                    bool same = true;
                    for (int c = 0; c < n; ++c)
                        for (int r = c; r < n; ++r) {
                            const T was = upper ? before.at(i, c, r) : before.at(i, r, c);
                            same &= memcmp(&t.at(r, c), &was, sizeof(T)) == 0;
                        }
                    report(what + " stays", same);
                    continue;
                }
                if ((i >= 1 && i <= 4) || i == 7) continue; // no inverse, or out of range
                // A^-1 A = I
                const Triangle<T> s = {start, i, upper};
                long double worst = 0;
                for (int r = 0; r < n; ++r)
                    for (int c = 0; c < n; ++c) {
                        Exact sum = r == c ? -1 : 0;
                        long double size = 1;
                        for (int k = 0; k < n; ++k) {
                            const auto full = [&](const Triangle<T> &of, int x, int y) {
                                return x == y  ? Exact(of.get(x, x).real())
                                       : x > y ? of.get(x, y)
                                               : std::conj(of.get(y, x));
                            };
                            sum += full(t, r, k) * full(s, k, c);
                            size += std::abs(full(t, r, k)) * std::abs(full(s, k, c));
                        }
                        worst = fmaxl(worst, std::abs(sum) / size);
                        if (r == c) report(what + " diagonal", t.get(r, r).imag() == 0);
                    }
                report(what + " residual " + std::to_string(double(worst / epsilon<T>())),
                       worst <= 8 * n * epsilon<T>());
            }
            report(name + " writes outside", only_triangles(a, before, upper));
        }
}

template <typename T, typename Kernel>
void small(const char *name, Kernel kernel, int per_block, int threads, std::initializer_list<int> orders) {
    inverses<T>(name, orders, [&](const CholeskyArgs &args) {
        host::launch((count + per_block - 1) / per_block, threads, [&] { kernel(args); });
    });
}

// In a grid of lanes with E x E elements each, and at most PR rows of lanes.
template <typename T, int E, int PR, typename Kernel>
void by_grid(const char *name, Kernel kernel, std::initializer_list<int> orders) {
    inverses<T>(name, orders, [&](CholeskyArgs args) {
        const int side = args.tiles = (args.n + E - 1) / E, together = GridInverse<T, E, E, PR>::together(side);
        const int threads = (side * side + 31) / 32 * 32;
        host::launch((count + together - 1) / together, threads, [&] { kernel(args); });
    });
}

// Inverses of triangles by the same strips. The elements that must not be read are NaN. Member 1 is singular.
template <typename T, typename Kernel, typename Finish>
void triangles(const char *name, Kernel kernel, Finish finish, int NT, int threads, std::initializer_list<int> orders) {
    for (int n : orders)
        for (int form : {0, 1, 2, 3}) {
            const bool upper = form & 1, unit = form & 2, whole = n <= NT;
            const int all = 3, blocks = (n + 31) / 32;
            Batch<T> a(n, n, all), b(n, n, all);
            for (int i = 0; i < all; ++i)
                for (int c = 0; c < n; ++c)
                    for (int r = 0; r < n; ++r) {
                        T &x = a.at(i, r, c);
                        if (r == c) x = make<T>(unit ? static_cast<Real<T>>(NAN) : i == 1 && r == n / 2 ? 0 : 2);
                        if (r != c && upper == (r > c)) x = make<T>(static_cast<Real<T>>(NAN));
                        if (r != c && upper != (r > c)) x = scale(x, static_cast<Real<T>>(2.0 / n));
                    }
            const auto start = a;
            std::vector<int> info(all, -7);
            std::vector<T> inverted(all * blocks * 1024, make<T>(static_cast<Real<T>>(NAN)));
            CholeskyInverseArgs args = {arguments(a.operand(), info.data(), a.ld, n, upper), 2 + form % 3, 0, {}, 0, 0};
            args.inverses = {inverted.data(), blocks * 1024, 0, 0}, args.triangle = unit ? 2 : 1;
            args.factor.batch = all, args.factor.tiles = (n + NT - 1) / NT;
            args.factor.b = whole ? a.operand() : b.operand(), args.factor.ldb = whole ? a.ld : b.ld;
            invert_diagonals<T>({a.operand(), args.inverses, a.ld, all, n, blocks, upper ? 2 : 1, unit});
            host::give(kernel, {n, 0, args.slots});
            host::launch(all * args.factor.tiles, threads, [&] { kernel(args); });
            if (!whole) {
                CholeskyArgs last = arguments(a.operand(), info.data(), a.ld, n, upper);
                last.batch = all, last.b = b.operand(), last.ldb = b.ld, last.shifted = unit ? 2 : 1;
                host::launch(2, 256, [&] { finish(last); });
            }
            for (int i = 0; i < all; ++i) {
                const auto what = std::string(name) + " triangle " + std::to_string(n) + " form " +
                                  std::to_string(form) + " member " + std::to_string(i);
                const bool singular = i == 1 && !unit;
                report(what + " info", info[i] == (singular ? n / 2 + 1 : 0));
                bool untouched = true;
                double worst = 0;
                for (int c = 0; c < n; ++c)
                    for (int r = 0; r < n; ++r) {
                        const bool outside = r == c ? unit : upper == (r > c);
                        if (outside || singular)
                            untouched &=
                                memcmp(&a.at(i, r, c), &start.data[&a.at(i, r, c) - a.data.data()], sizeof(T)) == 0;
                        if (outside || singular) continue;
                        T sum = make<T>(r == c ? -1 : 0);
                        const auto of = [&](const Batch<T> &x, int row, int column) {
                            return row == column && unit ? make<T>(1) : x.data[&a.at(i, row, column) - a.data.data()];
                        };
                        for (int k = upper ? r : c; k <= (upper ? c : r); ++k)
                            sum = fma_(of(start, r, k), of(a, k, c), sum);
                        const double off = fabs(double(re(sum))) + fabs(double(im(sum)));
                        worst = off == off ? fmax(worst, off) : INFINITY;
                    }
                report(what + " writes outside", untouched);
                report(what + " residual " + std::to_string(worst), worst <= 100 * epsilon<T>());
            }
        }
}

// By strips of NT columns: in place if there is one strip, else into other memory, followed by a copy over the factors.
template <typename T, typename Kernel, typename Finish>
void by_strips(const char *name, Kernel kernel, Finish finish, int NT, int threads, std::initializer_list<int> orders) {
    for (int form = 2; form <= 7; ++form) // from 5 on, the diagonal blocks are inverted before
        inverses<T>(std::string(name) + " with " + std::to_string(form), orders, [&](const CholeskyArgs &whole) {
            const int slots = form > 4 ? form - 3 : form, blocks = (whole.n + 31) / 32;
            CholeskyInverseArgs args = {whole, slots, form > 4 ? 0 : slots == 3 ? 1 : slots, {}, 0, 0};
            std::vector<T> inverted(count * blocks * 1024, make<T>(static_cast<Real<T>>(NAN)));
            if (form > 4) {
                args.inverses = {inverted.data(), blocks * 1024, 0, 0};
                invert_diagonals<T>(
                    {whole.a, args.inverses, whole.lda, count, whole.n, blocks, whole.upper ? 2 : 1, 0});
            }
            const int strips = args.factor.tiles = (whole.n + NT - 1) / NT;
            Batch<T> beside(whole.n, whole.n, count);
            args.factor.b = whole.a, args.factor.ldb = whole.lda;
            if (strips > 1) args.factor.b = beside.operand(), args.factor.ldb = beside.ld;
            host::give(kernel, {whole.n, args.at_once, slots});
            host::launch(count * strips, threads, [&] { kernel(args); });
            if (strips == 1) return;
            CholeskyArgs last = whole;
            last.b = beside.operand(), last.ldb = beside.ld;
            if (slots == 3) { // several blocks share a matrix
                last.tiles = 3, last.nrhs = finish_beside_diagonal;
                host::launch(5, 256, [&] { finish(last); });
                last.nrhs = finish_diagonal;
            }
            last.tiles = 1;
            host::launch(3, 256, [&] { finish(last); });
        });
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    using C = Complex<float>;
    using Z = Complex<double>;
    small<float>("potri_s8", potri_s8, 16, 64, {8, 5, 1});
    small<double>("potri_d32", potri_d32, 2, 32, {32, 29});
    small<C>("potri_c16", potri_c16, 4, 64, {16, 9});
    small<Z>("potri_z16", potri_z16, 8, 32, {16, 7});
    by_grid<float, 8, 16>("grid_s", grid_s, {5, 16, 23, 33, 64, 100});
    by_grid<double, 8, 8>("grid_d", grid_d, {8, 20, 40, 61});
    by_grid<C, 8, 16>("grid_c", grid_c, {9, 24, 33, 70});
    by_grid<Z, 6, 16>("grid_z", grid_z, {6, 17, 34, 50});
    triangles<float>("strips_s", strips_s, finish_s, 64, 128, {40, 150});
    triangles<double>("strips_d32", strips_d32, finish_d, 32, 256, {32, 129});
    triangles<C>("strips_c64", strips_c64, finish_c, 64, 256, {50, 97});
    triangles<Z>("strips_z32", strips_z32, finish_z, 32, 256, {75});
    by_strips<float>("strips_s", strips_s, finish_s, 64, 128, {33, 64, 65, 150});
    by_strips<float>("strips_s8", strips_s8, finish_s, 64, 256, {50, 97});
    by_strips<double>("strips_d64", strips_d64, finish_d, 64, 256, {5, 40, 100});
    by_strips<double>("strips_d32", strips_d32, finish_d, 32, 256, {32, 70});
    by_strips<C>("strips_c64", strips_c64, finish_c, 64, 256, {35, 130});
    by_strips<C>("strips_c32", strips_c32, finish_c, 32, 256, {31, 68});
    by_strips<Z>("strips_z32", strips_z32, finish_z, 32, 256, {20, 75});
    by_strips<Z>("strips_z16", strips_z16, finish_z, 16, 256, {16, 40});
    printf(failures ? "%d checks failed\n" : "inverses from Cholesky factors on the host: ok\n", failures);
    return failures != 0;
}
