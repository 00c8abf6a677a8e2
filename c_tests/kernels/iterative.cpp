// Iterative least squares, run on the host, against plain sums and the solution that was put in.
#include "assembly_on_host.h"

#include "iterative/gram.cuh"
#include "iterative/pass.cuh"
#include "iterative/step.cuh"
#include "lu_case.h"

TEPHRA_ITERATIVE_GRAM(gram_s, s, 64, 16, 32, 32, 3, 1)
TEPHRA_ITERATIVE_GRAM(gram_d, d, 64, 16, 32, 32, 3, 1)
TEPHRA_ITERATIVE_GRAM(gram_c, c, 64, 8, 32, 16, 3, 1)
TEPHRA_ITERATIVE_GRAM(gram_z, z, 64, 8, 32, 16, 3, 1)
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
    double spoil; // of R, relative: what more than one step is for
};

// R^-1 of G = R^H R, in place of G's upper triangle.
template <typename W>
void invert(std::vector<W> &g, int n, double spoil) {
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
    for (int j = n; j-- > 0;) { // columns from the right, each from the triangle left of it
        W x[200];
        for (int i = 0; i <= j; ++i) x[i] = make<W>(i == j);
        for (int i = j; i >= 0; --i) {
            x[i] = scale(x[i], 1 / re(at(i, i)));
            for (int k = 0; k < i; ++k) x[k] = add(x[k], scale(mul(at(k, i), x[i]), -1.0));
        }
        for (int i = 0; i <= j; ++i) at(i, j) = x[i];
    }
}

template <typename T, typename Gram, typename Scales, typename Sum, typename Pass, typename Step, typename Take>
void solved(const char *name, const Case &c, int gram_threads, Gram gram, Scales scales, Sum sum, Pass pass, Step step,
            Take take) {
    using W = Wide<T>;
    constexpr int P = 16 / sizeof(T);
    const double eps = epsilon<T>();
    std::vector<T> room((c.m + 3) * (c.n + c.nrhs) + P);
    T *const A = reinterpret_cast<T *>((reinterpret_cast<uintptr_t>(room.data()) + 15) / 16 * 16);
    const int lda = c.odd ? c.m + 1 - c.m % 2 : (c.m + P - 1) / P * P;
    T *const B = A + lda * c.n;
    for (int j = 0; j < c.n; ++j)
        for (int i = 0; i < c.m; ++i) A[i + j * lda] = scale(random_number<T>(), Real<T>(j % 3 == 0 ? 1e-3 : 1));
    std::vector<W> x(c.n * c.nrhs);
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

    std::vector<W> sums(500000), g(c.n * c.n), vectors(4 * c.n * c.nrhs);
    std::vector<double> scale_of(2 * c.n), scalars(IterativeScalar::COUNT * c.nrhs);
    std::vector<T> got(c.n * c.nrhs);
    std::vector<Real<T>> residuals(c.nrhs);
    std::vector<int> states(c.nrhs), iterations(c.nrhs, -77);
    int broken = 0;
    IterativeArgs args = {};
    args.a = A, args.b = B, args.x = got.data(), args.lda = lda, args.ldb = c.m, args.ldx = c.n, args.m = c.m;
    args.n = c.n, args.nrhs = c.nrhs, args.sums = sums.data(), args.gram = g.data(), args.scales = scale_of.data(),
    args.inverse = g.data();
    args.broken = &broken, args.vectors = vectors.data(), args.scalars = scalars.data(), args.states = states.data();
    args.tolerance = eps, args.iterations = iterations.data(), args.residuals = residuals.data(), args.tile = 64;
    args.chunk = c.chunk, args.chunks = (c.m + c.chunk - 1) / c.chunk;
    host::launch(4, gram_threads, [&] { gram(args); });
    host::launch((c.n + 255) / 256, 256, [&] { scales(args); });
    host::launch((c.n * c.n + 255) / 256, 256, [&] { sum(args); });
    double worst = 0;
    for (int j = 0; j < c.n; ++j)
        for (int i = 0; i <= j; ++i) {
            W e = make<W>(0);
            for (int r = 0; r < c.m; ++r) e = cfma_(widen(A[r + i * lda]), widen(A[r + j * lda]), e);
            const double d = distance(scale(e, scale_of[i] * scale_of[j]), g[i + j * c.n]);
            worst = d == d ? fmax(worst, d) : INFINITY;
        }
    const std::string text = std::string(name) + " " + std::to_string(c.m) + "x" + std::to_string(c.n) + "x" +
                             std::to_string(c.nrhs) + (c.odd ? " odd" : "");
    report(text + " A^H A differs by " + std::to_string(worst / 0x1p-52), worst <= 100 * 0x1p-52);

    invert(g, c.n, c.spoil);
    args.chunk = c.height, args.chunks = (c.m + c.height - 1) / c.height, args.workers = c.workers, args.group = 2;
    const int groups = (c.nrhs + 1) / 2;
    int steps = 0;
    for (bool running = true; running && steps < 12; ++steps) {
        args.step = steps, args.last = steps == 11;
        host::launch(groups * c.workers, 256, [&] { pass(args); });
        host::launch(c.nrhs, 256, [&] { step(args); });
        running = false;
        for (int s : states) running = running || s == IterativeState::RUNNING;
    }
    for (int j = 0; j < c.nrhs; ++j) {
        const std::string which = text + " right-hand side " + std::to_string(j);
        report(which + " state " + std::to_string(states[j]), states[j] == IterativeState::DONE);
        if (j == 3) {
            report(which + " not NaN", re(got[j * c.n]) != re(got[j * c.n]));
            continue;
        }
        double error = 0, gradient = 0, size = 0, norm = 0, r2 = 0;
        std::vector<W> r(c.m);
        for (int i = 0; i < c.m; ++i) {
            W e = widen(B[i + j * c.m]);
            for (int k = 0; k < c.n; ++k) e = fnma_(widen(A[i + k * lda]), widen(got[k + j * c.n]), e);
            r[i] = e, r2 = abs2_add(e, r2);
        }
        for (int k = 0; k < c.n; ++k) {
            W e = make<W>(0);
            for (int i = 0; i < c.m; ++i)
                e = cfma_(widen(A[i + k * lda]), r[i], e), norm = abs2_add(widen(A[i + k * lda]), norm);
            gradient = abs2_add(e, gradient), size = abs2_add(widen(got[k + j * c.n]), size);
            if (j == 0) error = fmax(error, distance(widen(got[k]), x[k]));
        }
        const double of_b = sqrt(norm * size) + sqrt(r2);
        report(which + " gradient " + std::to_string(sqrt(gradient) / (sqrt(norm) * of_b * eps)) + " iterations " +
                   std::to_string(iterations[j]),
               sqrt(gradient) <= 20 * eps * sqrt(norm) * of_b && iterations[j] >= 0 && iterations[j] < 12);
        report(which + " residual differs by " + std::to_string(fabs(residuals[j] - sqrt(r2)) / (eps * of_b)),
               fabs(residuals[j] - sqrt(r2)) <= 10 * eps * of_b);
        report(which + " error " + std::to_string(error / eps), error <= 1e6 * eps);
        if (j == 1) report(which + " not zero", size == 0 && iterations[j] == 0);
    }

    // What the direct way has found, where there is no other.
    std::vector<T> direct(c.m * c.nrhs, make<T>(2));
    const std::vector<T> was = got;
    states[0] = IterativeState::NO_FACTOR, args.direct = direct.data();
    host::launch(c.nrhs, 256, [&] { take(args); });
    bool taken = iterations[0] == -1 && fabs(residuals[0] - 2 * sqrt(c.m - c.n)) <= 1e-3 * residuals[0];
    for (int e = 0; e < c.n * c.nrhs; ++e)
        taken = taken && memcmp(&got[e], e < c.n ? &direct[e] : &was[e], sizeof(T)) == 0;
    report(text + " takes others", taken);
}

template <typename T, typename... Kernels>
void all(const char *name, int gram_threads, Kernels... kernels) {
    const Case cases[] = {{300, 40, 4, 64, 32, 3, false, 0},    {501, 7, 3, 128, 64, 2, true, 0},
                          {260, 130, 1, 128, 16, 2, false, 0},  {333, 65, 5, 192, 8, 7, true, 0.01},
                          {17, 17, 1, 64, 16, 5, true, 0},      {40, 1, 3, 64, 256, 1, false, 0},
                          {300, 30, 4, 64, 32, 3, false, 0.003}};
    for (const Case &c : cases) solved<T>(name, c, gram_threads, kernels...);
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    all<float>("s", 128, gram_s, scales_d, sum_d, pass_s, step_s, take_s);
    all<double>("d", 128, gram_d, scales_d, sum_d, pass_d, step_d, take_d);
    all<Complex<float>>("c", 256, gram_c, scales_z, sum_z, pass_c, step_c, take_c);
    all<Complex<double>>("z", 256, gram_z, scales_z, sum_z, pass_z, step_z, take_z);
    printf(failures ? "%d checks failed\n" : "iterative least squares on the host: ok\n", failures);
    return failures != 0;
}
