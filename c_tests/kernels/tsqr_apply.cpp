// The implicit Q of a tree, applied by its kernels on the host: to the matrix itself, which becomes R, and to other
// columns and back, in both layouts. Blocks are factored by plain loops.
#include "cuda_on_host.h"

#include "tall_case.h"

#include "tsqr/apply.cuh"

TEPHRA_TSQR_APPLY(apply_s, s, 16, 256, 128, 8, 1)
TEPHRA_TSQR_APPLY(apply_d, d, 32, 256, 128, 8, 1)
TEPHRA_TSQR_APPLY(apply_c, c, 32, 256, 128, 4, 1)
TEPHRA_TSQR_APPLY(apply_z, z, 16, 256, 128, 4, 1)

namespace {

constexpr int count = 2, rows = 128; // members; rows per block

// A tree as the library stores it: V of the first level in A, V of the others and all taus apart.
template <typename T>
struct Tree {
    int n;
    Batch<T> a;
    std::vector<TsqrLevel> levels;
    std::vector<std::vector<T>> stacks, taus;

    Tree(int m, int n_, const Batch<T> &given) : n(n_), a(given) {
        for (int height = m;;) {
            TsqrLevel l = {};
            l.m = height, l.rows = rows, l.blocks = (height + rows - 1) / rows;
            l.lda = height + 1, l.stride = l.blocks * n + 2;
            stacks.emplace_back(l.lda * n * count), taus.emplace_back(l.stride * count);
            levels.push_back(l);
            if (l.blocks == 1) break;
            height = static_cast<int>(l.blocks) * n;
        }
        for (size_t k = 0; k < levels.size(); ++k) {
            TsqrLevel &l = levels[k];
            l.a = {stacks[k].data(), l.lda * n, 0, 0}, l.tau = taus[k].data();
            if (k == 0) l.a = a.operand(), l.lda = a.ld;
        }
        for (size_t k = 0; k < levels.size(); ++k)
            for (int i = 0; i < count; ++i)
                for (int j = 0; j < levels[k].blocks; ++j) {
                    T *const block = levels[k].template block<T>(i, j, n);
                    factor(block, levels[k].lda, levels[k].template taus<T>(i, j, n), levels[k].height(j, n), n);
                    if (k + 1 == levels.size()) continue;
                    const TsqrLevel &above = levels[k + 1];
                    for (int c = 0; c < n; ++c)
                        for (int r = 0; r < n; ++r)
                            (member<T>(above.a, i) + j * n)[c * above.lda + r] =
                                r <= c ? block[c * levels[k].lda + r] : make<T>(0);
                }
        // What is on and above the diagonals belongs to R, and must not be read.
        for (size_t k = 0; k < levels.size(); ++k)
            for (int i = 0; i < count; ++i)
                for (int j = 0; j < levels[k].blocks; ++j)
                    for (int c = 0; c < n && k + 1 < levels.size(); ++c)
                        for (int r = 0; r <= c; ++r)
                            levels[k].template block<T>(i, j, n)[c * levels[k].lda + r] = make<T>(Real<T>(NAN));
    }
    T r(int i, int row, int column) {
        const TsqrLevel &top = levels.back();
        return row <= column ? member<T>(top.a, i)[column * top.lda + row] : make<T>(0);
    }

    // C := Q^H C or Q C; `turned`: c holds C^T.
    template <typename Kernel>
    void apply(Kernel kernel, size_t shared, Batch<T> &c, bool turned, bool conjugate, bool adjoint, int groups) {
        for (size_t step = 0; step < levels.size(); ++step) {
            const size_t k = adjoint ? step : levels.size() - 1 - step;
            TsqrApplyArgs args = {};
            args.level = levels[k], args.c = c.operand();
            args.rs = turned ? c.ld : 1, args.cs = turned ? 1 : c.ld;
            args.columns = turned ? c.m : c.n, args.groups = groups, args.batch = count;
            args.n = n, args.below = static_cast<int>(k), args.adjoint = adjoint, args.conjugate = conjugate;
            for (size_t below = 0; below < k; ++below) args.heights[below] = levels[below].m;
            host::shared_memory.assign(shared, 0xff); // NaN
            // Fewer blocks of threads than jobs, so that some take several.
            const unsigned blocks = static_cast<unsigned>(levels[k].blocks) * count * groups;
            host::launch(blocks > 3 ? blocks - 2 : blocks, 256, [&] { kernel(args); });
        }
    }
};

template <typename T, typename Kernel>
void tree(const char *name, Kernel kernel, size_t shared, int m, int n, int others, int groups) {
    const std::string what = std::string(name) + " " + std::to_string(m) + " x " + std::to_string(n) + ", " +
                             std::to_string(others) + " more columns";
    Batch<T> a(m, n, count);
    for (int r = 0; r < m && n > 2; ++r) a.at(1, r, 2) = make<T>(0); // H = I in every block
    Tree<T> q(m, n, a);

    Batch<T> c(m, n + others, count);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < m; ++r) c.at(i, r, j) = a.at(i, r, j);
    const Batch<T> before = c;
    q.apply(kernel, shared, c, false, false, true, groups);
    double worst = 0;
    const auto see = [&](double d) { worst = d == d ? std::max(worst, d) : INFINITY; };
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < m; ++r) see(distance(c.at(i, r, j), r < n ? q.r(i, r, j) : make<T>(0)) / sqrt(m));
    report(what + ": R differs by " + std::to_string(worst / epsilon<T>()), worst <= 10 * epsilon<T>());
    bool outside = true;
    for (size_t e = 0; e < c.data.size(); ++e) {
        const size_t in = e % c.stride();
        const bool inside = e < count * static_cast<size_t>(c.stride()) && in < static_cast<size_t>(c.ld * c.n) &&
                            in % c.ld < static_cast<size_t>(m);
        outside = outside && (inside || distance(c.data[e], before.data[e]) == 0);
    }
    report(what + ": writes elsewhere", outside);

    // The same numbers as rows, and conjugated: the bits must agree.
    Batch<T> turned(n + others, m, count), conjugates(m, n + others, count);
    Batch<T> given = before;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < n + others; ++j)
            for (int r = 0; r < m; ++r) {
                turned.at(i, j, r) = given.at(i, r, j);
                conjugates.at(i, r, j) = conj(given.at(i, r, j));
            }
    q.apply(kernel, shared, turned, true, false, true, 1);
    q.apply(kernel, shared, conjugates, false, true, true, 1);
    double differs = 0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < n + others; ++j)
            for (int r = 0; r < m; ++r) {
                differs += distance(turned.at(i, j, r), c.at(i, r, j));
                differs += distance(conjugates.at(i, r, j), conj(c.at(i, r, j)));
            }
    report(what + ": rows and conjugates", differs == 0);

    q.apply(kernel, shared, c, false, false, false, 1);
    worst = 0;
    for (size_t e = 0; e < c.data.size(); ++e) see(distance(c.data[e], before.data[e]) / sqrt(m));
    report(what + ": Q Q^H C differs by " + std::to_string(worst / epsilon<T>()), worst <= 10 * epsilon<T>());
}

template <typename T, int N, int CB, typename Kernel>
void all(const char *name, Kernel kernel) {
    const size_t shared = TsqrApply<T, N, 256, CB>::bytes(rows);
    for (int n : {N, N - 3, 1})
        for (int m : {3 * rows, 5 * rows + 1, 20 * rows + n + 1}) {
            const int others = m < 20 * rows ? 5 : 0;
            tree<T>(name, kernel, shared, m, n, others, n > 1 ? 3 : 1);
        }
}

} // namespace

int main() {
    all<float, 16, 8>("tsqr_apply_s", apply_s);
    all<double, 32, 8>("tsqr_apply_d", apply_d);
    all<Complex<float>, 32, 4>("tsqr_apply_c", apply_c);
    all<Complex<double>, 16, 4>("tsqr_apply_z", apply_z);
    printf(failures ? "%d failures\n" : "the implicit Q of a tree: C becomes R, and C again\n", failures);
    return failures != 0;
}
