// The tree of a tall panel, run on the host: plain loops factor its blocks, the kernels compute the first rows and the
// way down; compared with a plain factorisation of the whole panel.
#include "cuda_on_host.h"

#include "tall_case.h"

#include "tsqr/down.cuh"
#include "tsqr/head.cuh"

TEPHRA_TSQR_DOWN(down_s, s, 16, 256, 128, 1)
TEPHRA_TSQR_DOWN(down_d, d, 32, 256, 128, 1)
TEPHRA_TSQR_DOWN(down_c, c, 32, 256, 128, 1)
TEPHRA_TSQR_DOWN(down_z, z, 16, 256, 128, 1)
TEPHRA_TSQR_HEAD(head_s, s, 16, 256, 128)
TEPHRA_TSQR_HEAD(head_d, d, 32, 256, 128)
TEPHRA_TSQR_HEAD(head_c, c, 32, 256, 128)
TEPHRA_TSQR_HEAD(head_z, z, 16, 256, 128)

namespace {

constexpr int count = 3, rows = 128; // members; rows per block

// The largest error of Q R from the matrix, of Q from orthogonality, and of R from a plain factorisation's.
template <typename T>
double factors(const T *before, long long ld, const T *right, const T *q, const T *r, int m, int n) {
    double worst = 0;
    const auto see = [&](double d) { worst = d == d ? std::max(worst, d) : INFINITY; };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const T expected = i <= j ? right[j * ld + i] : make<T>(0);
            see(distance(r[j * n + i], expected) / (i <= j ? sqrt(m) : 0.01));
            T dot = make<T>(0);
            for (int l = 0; l < m; ++l) dot = cfma_(q[i * ld + l], q[j * ld + l], dot);
            see(distance(dot, make<T>(i == j ? 1 : 0)));
        }
        for (int i = 0; i < m; ++i) {
            T x = make<T>(0);
            for (int l = 0; l <= j; ++l) x = fma_(q[l * ld + i], r[j * n + l], x);
            see(distance(x, before[j * ld + i]));
        }
    }
    return worst;
}

// kind 0: random; 1: zeros; 2: upper triangular with real diagonal; 3: the first column is zero. explicit_q: Q and R,
// not V, R and tau.
template <typename T, typename Head, typename Down>
void panels(const char *name, Head head, Down down, size_t shared, int m, int n, int kind, bool explicit_q) {
    Batch<T> a(m, n, count), before = a;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < m; ++r) {
                T &x = a.at(i, r, j);
                if (kind == 1 || (kind == 2 && r > j) || (kind == 3 && j == 0)) x = make<T>(0);
                if (kind == 2 && r == j) x = make<T>(re(x));
            }
    before = a;
    std::vector<T> r_of(static_cast<size_t>(n) * n * count, make<T>(99));
    const Operand place = a.operand();
    std::vector<TsqrLevel> levels;
    std::vector<std::vector<T>> stacks, taus;
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
        if (k == 0) l.a = place, l.lda = a.ld;
    }
    std::vector<T> inverse(n * n * count), first(n * n * count), tau(n * count);
    std::vector<TsqrMarks> marks(count, {77, 77, 77, 77});
    std::vector<int> info(count, -7);
    TsqrHeadArgs top = {};
    top.levels = static_cast<int>(levels.size()), top.n = n, top.batch = count;
    top.inverse = inverse.data(), top.head = first.data(), top.stride = n * n;
    top.tau = {tau.data(), n, 0, 0}, top.marks = marks.data(), top.info = info.data();
    if (explicit_q) top.r = {r_of.data(), n * n, 0, 0}, top.ldr = n, top.tau = {};
    std::vector<TsqrArgs> steps;
    for (size_t k = 0; k < levels.size(); ++k) {
        TsqrArgs s = {};
        s.level = top.level[k] = levels[k], s.batch = count, s.blocks = s.level.blocks * count, s.n = n,
        s.last = k == 0 && !explicit_q;
        s.head = first.data(), s.stride = n * n, s.tau = top.tau, s.marks = marks.data();
        s.up = {inverse.data(), n * n, 0, 0}, s.up_ld = n;
        if (k + 1 < levels.size()) s.up = levels[k + 1].a, s.up_ld = levels[k + 1].lda;
        steps.push_back(s);
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < s.level.blocks; ++j) {
                T *const block = s.level.template block<T>(i, j, n);
                factor(block, s.level.lda, s.level.template taus<T>(i, j, n), s.level.height(j, n), n);
                for (int c = 0; c < n && s.level.blocks > 1; ++c)
                    for (int r = 0; r < n; ++r)
                        s.template above<T>(i, j)[c * s.up_ld + r] = r <= c ? block[c * s.level.lda + r] : make<T>(0);
            }
    }
    host::shared_memory.resize(shared);
    host::launch(count, 256, [&] { head(top); });
    const auto go_down = [&] {
        for (size_t k = levels.size(); k-- > 0;)
            host::launch(static_cast<unsigned>(steps[k].blocks), 256, [&] { down(steps[k]); });
    };

    double worst = 0;
    if (explicit_q) {
        // Q times an upper triangular matrix.
        const Batch<T> climbed = a;
        const std::vector<std::vector<T>> stacked = stacks;
        std::vector<T> right(n * n);
        for (T &x : right) x = random_number<T>();
        for (int j = 0; j < n; ++j)
            for (int i = j + 1; i < n; ++i) right[j * n + i] = make<T>(0);
        steps.back().factor = {right.data(), 0, 0, 0}, steps.back().ld_factor = n;
        go_down();
        Batch<T> product = a;
        steps.back().factor = {};
        a = climbed;
        for (size_t k = 0; k < stacks.size(); ++k) std::copy(stacked[k].begin(), stacked[k].end(), stacks[k].begin());
        go_down();
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < n; ++j)
                for (int r = 0; r < m; ++r) {
                    T x = make<T>(0);
                    for (int k = 0; k <= j; ++k) x = fma_(a.at(i, r, k), right[j * n + k], x);
                    const double d = distance(x, product.at(i, r, j));
                    worst = d == d ? std::max(worst, d) : INFINITY;
                }
        report(std::string(name) + " Q B " + std::to_string(m) + " x " + std::to_string(n) + " differs by " +
                   std::to_string(worst / epsilon<T>()),
               worst <= 100 * epsilon<T>());
        worst = 0;
        std::vector<T> unused(n);
        for (int i = 0; i < count; ++i) {
            Batch<T> right = before;
            factor(right.member(i), right.ld, unused.data(), m, n);
            const double d =
                factors(before.member(i), a.ld, right.member(i), a.member(i), r_of.data() + i * n * n, m, n);
            worst = std::max(worst, d);
        }
        report(std::string(name) + " Q " + std::to_string(m) + " x " + std::to_string(n) + " kind " +
                   std::to_string(kind) + " differs by " + std::to_string(worst / epsilon<T>()),
               worst <= (kind == 1 || kind == 2 ? 0 : 100) * epsilon<T>());
        return;
    }
    go_down();
    for (int i = 0; i < count; ++i) {
        std::vector<T> right(n);
        factor(before.member(i), before.ld, right.data(), m, n);
        for (int j = 0; j < n; ++j) {
            worst = std::max(worst, distance(tau[i * n + j], right[j]));
            for (int r = 0; r < m; ++r) {
                const double size = r <= j ? sqrt(m) : 1, d = distance(a.at(i, r, j), before.at(i, r, j)) / size;
                worst = d == d ? std::max(worst, d) : INFINITY;
            }
        }
        for (int j = 0; j < n; ++j)
            for (int r = m; r < a.ld; ++r) worst += distance(a.at(i, r, j), before.at(i, r, j));
        report(std::string(name) + " info", info[i] == 0);
    }
    report(std::string(name) + " " + std::to_string(m) + " x " + std::to_string(n) + " kind " + std::to_string(kind) +
               " differs by " + std::to_string(worst / epsilon<T>()),
           worst <= (kind == 1 || kind == 2 ? 0 : 100) * epsilon<T>());
}

template <typename T, int N, typename Head, typename Down>
void all(const char *name, Head head, Down down) {
    const size_t shared = TsqrBlock<T, N, 256>::bytes(rows);
    for (int n : {N, N - 3, 1})
        for (int m : {3 * rows, 5 * rows + 1, 20 * rows + n + 1})
            for (int kind : {0, 1, 2, 3})
                for (bool explicit_q : {false, true})
                    if (m < 20 * rows || kind == 0) panels<T>(name, head, down, shared, m, n, kind, explicit_q);
}

} // namespace

int main() {
    all<float, 16>("tsqr_s", head_s, down_s);
    all<double, 32>("tsqr_d", head_d, down_d);
    all<Complex<float>, 32>("tsqr_c", head_c, down_c);
    all<Complex<double>, 16>("tsqr_z", head_z, down_z);
    printf(failures ? "%d failures\n" : "the tree of a tall panel agrees with a plain factorisation\n", failures);
    return failures != 0;
}
