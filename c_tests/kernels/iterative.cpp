// Iterative least squares, run on the host, compared with plain sums and the known solution.
#include "cuda_on_host.h"

#include "iterative/gram.cuh"
#include "iterative/pass.cuh"
#include "iterative/step.cuh"
#include "given.h"
#include "lu_case.h"

TEPHRA_ITERATIVE_GRAM(gram_s, s, 64, 16, 32, 32, 3, 1)
TEPHRA_ITERATIVE_GRAM(gram_d, d, 64, 16, 32, 32, 3, 1)
TEPHRA_ITERATIVE_GRAM(gram_c, c, 64, 8, 32, 16, 3, 1)
TEPHRA_ITERATIVE_GRAM(gram_z, z, 64, 8, 32, 16, 3, 1)
TEPHRA_ITERATIVE_GRAM(narrow_s, s, 32, 32, 16, 16, 3, 1)
TEPHRA_ITERATIVE_GRAM(narrow_d, d, 32, 32, 16, 16, 3, 1)
TEPHRA_ITERATIVE_GRAM(narrow_c, c, 32, 16, 16, 16, 3, 1)
TEPHRA_ITERATIVE_GRAM(narrow_z, z, 32, 8, 16, 16, 3, 1)
TEPHRA_ITERATIVE_SCALES(scales_d, d, 256)
TEPHRA_ITERATIVE_SCALES(scales_z, z, 256)
TEPHRA_ITERATIVE_SUM(sum_d, d, 256)
TEPHRA_ITERATIVE_SUM(sum_z, z, 256)
TEPHRA_ITERATIVE_PASS(pass_s, s, 256, 1)
TEPHRA_ITERATIVE_PASS(pass_d, d, 256, 1)
TEPHRA_ITERATIVE_PASS(pass_c, c, 256, 1)
TEPHRA_ITERATIVE_PASS(pass_z, z, 256, 1)
TEPHRA_ITERATIVE_STEP(step_s, s, 256)
TEPHRA_ITERATIVE_STEP(step_d, d, 256)
TEPHRA_ITERATIVE_STEP(step_c, c, 256)
TEPHRA_ITERATIVE_STEP(step_z, z, 256)
TEPHRA_ITERATIVE_TAKE(take_s, s, 256)
TEPHRA_ITERATIVE_TAKE(take_d, d, 256)
TEPHRA_ITERATIVE_TAKE(take_c, c, 256)
TEPHRA_ITERATIVE_TAKE(take_z, z, 256)

namespace {

struct Case {
    int m, n, nrhs, chunk, height, workers;
    bool odd;
    double spoil; // relative perturbation of R, so that more than one step is needed
};

// Computes R^-1 from G = R^H R, over G's upper triangle.
template <typename W>
void invert(W *g, int n, double spoil) {
    const auto at = [&](int i, int j) -> W & { return g[i + j * n]; };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < j; ++i) {
            W x = at(i, j);
            for (int k = 0; k < i; ++k) x = add(x, scale(mul(conj(at(k, i)), at(k, j)), -1.0));
            at(i, j) = scale(x, 1 / re(at(i, i)));
        }
        double d = re(at(j, j));
        for (int k = 0; k < j; ++k) d -= abs2_add(at(k, j), 0.0);
        at(j, j) = make<W>(sqrt(d));
    }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < j; ++i) at(i, j) = scale(at(i, j), 1 + spoil * ((i * 7 + j) % 5 - 2));
    for (int j = n; j-- > 0;) { // columns from the right, each from the triangle to its left
        W x[200];
        for (int i = 0; i <= j; ++i) x[i] = make<W>(i == j);
        for (int i = j; i >= 0; --i) {
            x[i] = scale(x[i], 1 / re(at(i, i)));
            for (int k = 0; k < i; ++k) x[k] = add(x[k], scale(mul(at(k, i), x[i]), -1.0));
        }
        for (int i = 0; i <= j; ++i) at(i, j) = x[i];
    }
}

// A member's matrices, aligned to 16 bytes.
template <typename T>
struct Matrices {
    static constexpr int P = 16 / sizeof(T);
    int lda;
    std::vector<T> room;
    T *A, *B;
    std::vector<Wide<T>> x; // the known solutions

    explicit Matrices(const Case &c)
        : lda(c.odd ? c.m + 1 - c.m % 2 : (c.m + P - 1) / P * P), room((c.m + 3) * (c.n + c.nrhs) + P),
          A(reinterpret_cast<T *>((reinterpret_cast<uintptr_t>(room.data()) + 15) / 16 * 16)), B(A + lda * c.n),
          x(c.n * c.nrhs) {
        using W = Wide<T>;
        for (int j = 0; j < c.n; ++j)
            for (int i = 0; i < c.m; ++i) A[i + j * lda] = scale(random_number<T>(), Real<T>(j % 3 == 0 ? 1e-3 : 1));
        for (W &e : x) e = random_number<W>();
        for (int j = 0; j < c.nrhs; ++j)
            for (int i = 0; i < c.m; ++i) {
                W b = make<W>(0);
                if (j != 1)
                    for (int k = 0; k < c.n; ++k) b = fma_(widen(A[i + k * lda]), x[k + j * c.n], b);
                if (j == 2) b = add(b, scale(random_number<W>(), 0.1));
                B[i + j * c.m] = narrow<T>(b);
            }
        if (c.nrhs > 3) B[3 * c.m] = make<T>(static_cast<Real<T>>(NAN));
    }
    Matrices(const Matrices &) = delete;
};

template <typename T, typename Gram, typename Scales, typename Sum, typename Pass, typename Step, typename Take>
void solved(const char *name, const Case &c, int tile, int gram_threads, Gram gram, Scales scales, Sum sum, Pass pass,
            Step step, Take take) {
    using W = Wide<T>;
    constexpr int MEMBERS = 2;
    const double eps = epsilon<T>();
    const Matrices<T> first(c), second(c);
    const Matrices<T> *const of[MEMBERS] = {&first, &second};
    const int lda = first.lda, square = c.n * c.n, solution = c.n * c.nrhs;

    std::vector<W> sums(1000000), g(MEMBERS * square), vectors(MEMBERS * 4 * solution);
    std::vector<double> scale_of(MEMBERS * 2 * c.n), scalars(IterativeScalar::COUNT * c.nrhs * MEMBERS);
    std::vector<T> got(MEMBERS * solution);
    std::vector<Real<T>> residuals(MEMBERS * c.nrhs);
    std::vector<int> states(MEMBERS * c.nrhs), iterations(MEMBERS * c.nrhs, -77);
    int broken[MEMBERS] = {};
    void *places[3][MEMBERS];
    for (int k = 0; k < MEMBERS; ++k)
        places[0][k] = of[k]->A, places[1][k] = of[k]->B, places[2][k] = &got[k * solution];
    IterativeArgs args = {};
    args.a = {places[0], 0, 1, 0}, args.b = {places[1], 0, 1, 0};
    args.x = c.odd ? Operand{places[2], 0, 1, 0} : Operand{got.data(), solution, 0, 0};
    args.lda = lda, args.ldb = c.m, args.ldx = c.n, args.m = c.m;
    args.n = c.n, args.nrhs = c.nrhs, args.sums = sums.data(), args.gram = g.data(), args.scales = scale_of.data(),
    args.inverse = g.data();
    args.broken = broken, args.vectors = vectors.data(), args.scalars = scalars.data(), args.states = states.data();
    args.tolerance = eps, args.iterations = iterations.data(), args.residuals = residuals.data(), args.tile = tile;
    args.chunk = c.chunk, args.chunks = (c.m + c.chunk - 1) / c.chunk;
    const int side = (c.n + tile - 1) / tile;
    host::launch(MEMBERS * args.chunks * (side * (side + 1) / 2), gram_threads, [&] { gram(args); });
    host::launch(MEMBERS * ((c.n + 255) / 256), 256, [&] { scales(args); });
    host::launch(MEMBERS * ((c.n * c.n + 255) / 256), 256, [&] { sum(args); });
    const std::string text = std::string(name) + " " + std::to_string(c.m) + "x" + std::to_string(c.n) + "x" +
                             std::to_string(c.nrhs) + (c.odd ? " odd" : "");
    for (int item = 0; item < MEMBERS; ++item) {
        const T *const A = of[item]->A;
        double worst = 0;
        for (int j = 0; j < c.n; ++j)
            for (int i = 0; i <= j; ++i) {
                W e = make<W>(0);
                for (int r = 0; r < c.m; ++r) e = cfma_(widen(A[r + i * lda]), widen(A[r + j * lda]), e);
                const double *const s = &scale_of[item * 2 * c.n];
                const double d = distance(scale(e, s[i] * s[j]), g[item * square + i + j * c.n]);
                worst = d == d ? fmax(worst, d) : INFINITY;
            }
        report(text + " A^H A differs by " + std::to_string(worst / 0x1p-52), worst <= 100 * 0x1p-52);
        invert(&g[item * square], c.n, c.spoil);
    }

    args.chunk = c.height, args.chunks = (c.m + c.height - 1) / c.height, args.workers = c.workers, args.group = 2;
    const int groups = (c.nrhs + 1) / 2;
    int steps = 0;
    for (bool running = true; running && steps < 12; ++steps) {
        args.step = steps, args.last = steps == 11;
        int parts = 1;
        while (2 * parts * c.n <= 256 && 2 * parts * 16 <= c.height * static_cast<int>(sizeof(T))) parts *= 2;
        host::give(pass, {c.n, c.height, (c.n * (1 + parts) + c.height) * (c.nrhs < 2 ? c.nrhs : 2)});
        host::launch(MEMBERS * groups * c.workers, 256, [&] { pass(args); });
        host::give(step, {c.n});
        host::launch(MEMBERS * c.nrhs, 256, [&] { step(args); });
        running = false;
        for (int s : states) running = running || s == IterativeState::RUNNING;
    }
    for (int item = 0; item < MEMBERS; ++item) {
        const T *const A = of[item]->A, *const B = of[item]->B, *const X = &got[item * solution];
        for (int j = 0; j < c.nrhs; ++j) {
            const int place = item * c.nrhs + j;
            const std::string which =
                text + " member " + std::to_string(item) + " right-hand side " + std::to_string(j);
            report(which + " state " + std::to_string(states[place]), states[place] == IterativeState::DONE);
            if (j == 3) {
                report(which + " not NaN", re(X[j * c.n]) != re(X[j * c.n]));
                continue;
            }
            double error = 0, gradient = 0, size = 0, norm = 0, r2 = 0;
            std::vector<W> r(c.m);
            for (int i = 0; i < c.m; ++i) {
                W e = widen(B[i + j * c.m]);
                for (int k = 0; k < c.n; ++k) e = fnma_(widen(A[i + k * lda]), widen(X[k + j * c.n]), e);
                r[i] = e, r2 = abs2_add(e, r2);
            }
            for (int k = 0; k < c.n; ++k) {
                W e = make<W>(0);
                for (int i = 0; i < c.m; ++i)
                    e = cfma_(widen(A[i + k * lda]), r[i], e), norm = abs2_add(widen(A[i + k * lda]), norm);
                gradient = abs2_add(e, gradient), size = abs2_add(widen(X[k + j * c.n]), size);
                if (j == 0) error = fmax(error, distance(widen(X[k]), of[item]->x[k]));
            }
            const double of_b = sqrt(norm * size) + sqrt(r2);
            report(which + " gradient " + std::to_string(sqrt(gradient) / (sqrt(norm) * of_b * eps)) + " iterations " +
                       std::to_string(iterations[place]),
                   sqrt(gradient) <= 20 * eps * sqrt(norm) * of_b && iterations[place] >= 0 && iterations[place] < 12);
            report(which + " residual differs by " + std::to_string(fabs(residuals[place] - sqrt(r2)) / (eps * of_b)),
                   fabs(residuals[place] - sqrt(r2)) <= 10 * eps * of_b);
            report(which + " error " + std::to_string(error / eps), error <= 1e6 * eps);
            if (j == 1) report(which + " not zero", size == 0 && iterations[place] == 0);
        }
    }

    // Results taken from the direct method where there is no other: for the second member's first right-hand side.
    std::vector<T> direct(MEMBERS * c.m * c.nrhs, make<T>(2));
    const std::vector<T> was = got;
    int info[MEMBERS] = {}, codes[MEMBERS] = {5, 7};
    states[c.nrhs] = IterativeState::NO_FACTOR, args.direct = direct.data(), args.info = info, args.codes = codes;
    const auto told = [&] {
        host::launch(MEMBERS * c.nrhs, 256, [&] { take(args); });
        return static_cast<double>(residuals[c.nrhs]);
    };
    bool taken = std::isnan(told()) && iterations[c.nrhs] == -1 && info[0] == 0 && info[1] == 7;
    codes[1] = 0;
    T *const of_b = &direct[c.nrhs * c.m];
    of_b[c.n - 1] = make<T>(static_cast<Real<T>>(NAN));
    taken = taken && std::isnan(told());
    // Below the solution, `direct` holds the rest of B, whose norm is the residual.
    for (double size : {ldexp(1, -900), ldexp(1, 900), 2.0}) {
        if (sizeof(Real<T>) == 4 && size != 2) continue;
        for (int i = 0; i < c.m; ++i) of_b[i] = make<T>(static_cast<Real<T>>(size));
        const double residual = told() / size;
        taken = taken && fabs(residual - sqrt(c.m - c.n)) <= 1e-3 * residual && info[1] == 0;
    }
    for (int e = 0; e < MEMBERS * solution; ++e) {
        const bool replaced = e >= solution && e < solution + c.n;
        taken = taken && memcmp(&got[e], replaced ? &direct[0] : &was[e], sizeof(T)) == 0;
    }
    report(text + " takes others", taken);
}

template <typename T, typename Narrow, typename Gram, typename... Kernels>
void all(const char *name, int gram_threads, Narrow narrow, Gram gram, Kernels... kernels) {
    const Case cases[] = {{300, 40, 4, 64, 32, 3, false, 0},     {501, 7, 3, 128, 64, 2, true, 0},
                          {260, 130, 1, 128, 16, 2, false, 0},   {333, 65, 5, 192, 8, 7, true, 0.01},
                          {17, 17, 1, 64, 16, 5, true, 0},       {40, 1, 3, 64, 256, 1, false, 0},
                          {300, 30, 4, 64, 32, 3, false, 0.003}, {400, 32, 2, 128, 64, 2, false, 0}};
    for (const Case &c : cases)
        if (c.n <= 32)
            solved<T>(name, c, 32, 128, narrow, kernels...);
        else
            solved<T>(name, c, 64, gram_threads, gram, kernels...);
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    all<float>("s", 128, narrow_s, gram_s, scales_d, sum_d, pass_s, step_s, take_s);
    all<double>("d", 128, narrow_d, gram_d, scales_d, sum_d, pass_d, step_d, take_d);
    all<Complex<float>>("c", 256, narrow_c, gram_c, scales_z, sum_z, pass_c, step_c, take_c);
    all<Complex<double>>("z", 256, narrow_z, gram_z, scales_z, sum_z, pass_z, step_z, take_z);
    printf(failures ? "%d checks failed\n" : "iterative least squares on the host: ok\n", failures);
    return failures != 0;
}
