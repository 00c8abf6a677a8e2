// Everything that one block computes from a panel's Gram matrix G = A^H A: G = R^H R, so that Q = A R^-1, and the first
// rows by Householder reconstruction as in tsqr/head.cuh: Q1 - S = L U without interchanges, V = (Q - [S; 0]) U^-1, R
// becomes S R, and tau_j = -u_jj S_j.
//
// If columns are nearly dependent, R is not accurate enough and the panel is left to the tree. LIMIT bounds how much
// longer the columns of D R^-1 are than those of an orthogonal matrix, where D contains the norms of A's columns. Also
// left to the tree are panels with a column that has almost nothing below its diagonal, for which LAPACK has H = I, and
// those with a column whose squares may leave the range.
// Sources: Fukaya, Nakatsukasa, Yanagisawa and Yamamoto, CholeskyQR2, 2014; Ballard et al. as in tsqr/head.cuh.
#pragma once
#include "args.cuh"
#include "tile.cuh"

namespace tephra {

// 1 / x up to the last bit or two, for numbers far from the ends of the range.
__device__ __forceinline__ double cholqr_reciprocal(double x) {
    double y = rcp_estimate(x);
    y = fma(fma(-x, y, 1.0), y, y);
    return fma(fma(-x, y, 1.0), y, y);
}

// A matrix is in the registers of 16 x 16 threads: thread (ty, tx) has rows ty, ty + 16, ... and columns tx, tx + 16,
// ... Each step needs one of its rows and one of its columns, which their owners write to shared memory.
template <typename T, int N, int THREADS>
struct CholqrFactor {
    using W = Wide<T>;
    using Tile = CholqrTile<T, N>;
    static constexpr int SIDE = 16, EACH = N / SIDE, NP = N + 16 / sizeof(W);
    static constexpr bool NARROW = sizeof(Real<T>) == 4; // the first R is accurate enough for A's precision
    // In single precision, LIMIT^2 times the error of double precision must stay below single precision's; in double
    // precision, the computed Q = A R^-1 has LIMIT times the rounding error of a triangular solve.
    static constexpr double LIMIT = NARROW ? 2048 : 16;
    // How much the sum of the squares of these norms may exceed their number for columns that are so nearly orthogonal
    // that Q is as orthogonal as Householder's, even in double precision.
    static constexpr double NEAR = 8;
    static constexpr double SMALLEST = 1e-250, LARGEST = 1e250; // squares of a column
    static constexpr double BELOW = 1e-8; // least square of a unit column's part below its diagonal
    static_assert(THREADS == SIDE * SIDE && N % SIDE == 0);
    using Matrix = W[EACH][EACH];

    W y[N * NP];                  // by rows
    W lines[2][N], columns[2][N]; // of this step and the previous one
    W stage[SIDE][NP];
    W taus[N];
    double squares[N], pivots[N], signs[N], sums[THREADS / 32];

    static __device__ __forceinline__ int row(int a) { return threadIdx.x / SIDE + SIDE * a; }
    static __device__ __forceinline__ int column(int b) { return threadIdx.x % SIDE + SIDE * b; }
    template <typename F>
    static __device__ __forceinline__ void each(F f) {
#pragma unroll
        for (int a = 0; a < EACH; ++a)
#pragma unroll
            for (int b = 0; b < EACH; ++b) f(a, b, row(a), column(b));
    }

    enum class Found { WANTING, GOOD, NEAR_ORTHOGONAL };

    // x holds G, whose elements below the diagonal are ignored. Writes R to r and its inverse to y, and returns whether
    // they are accurate enough. The matrix being eliminated shares x with the unit matrix beside it, which becomes L^-1
    // and takes the places that elimination has finished with.
    __device__ __forceinline__ Found cholesky(Matrix &x, int n, W *r) {
        const int t = threadIdx.x, tx = t % SIDE, ty = t / SIDE;
        each([&](int a, int b, int i, int j) {
            if (i == j) squares[i] = re(x[a][b]);
        });
#pragma unroll
        for (int a0 = 0; a0 < EACH; ++a0)
#pragma unroll 1
            for (int k0 = 0; k0 < SIDE; ++k0) {
                const int k = a0 * SIDE + k0;
                if (k >= n) break;
                W *const line = lines[k % 2];
                if (ty == k0)
#pragma unroll
                    for (int b = 0; b < EACH; ++b) line[column(b)] = x[a0][b];
                __syncthreads();
                const double p = re(line[k]), reciprocal = cholqr_reciprocal(p);
                if (t == 0) pivots[k] = p;
#pragma unroll
                for (int a = a0; a < EACH; ++a) {
                    if (a == a0 && ty <= k0) continue;
                    const W f = scale(conj(line[row(a)]), reciprocal);
#pragma unroll
                    for (int b = 0; b < EACH; ++b)
                        if (b <= a0 || b >= a) // in between, elements below the diagonal do not belong to L^-1 yet
                            x[a][b] = b == a0 && tx == k0 ? scale(f, -1.0) : fnma_(f, line[column(b)], x[a][b]);
                }
            }
        __syncthreads();
        bool good = true;
        if (t < n) {
            const double p = pivots[t], square = squares[t];
            good = square > SMALLEST && square < LARGEST && p > 1e-10 * square;
            pivots[t] = sqrt(p);
            signs[t] = 1 / sqrt(p);
        }
        good = __syncthreads_and(good);
        double sum = 0; // |D R^-1|^2
        each([&](int a, int b, int i, int j) {
            W inverse = make<W>(0), up = make<W>(0);
            if (i < n && j < n) {
                const double s = signs[i];
                if (j >= i) up = i == j ? make<W>(pivots[i]) : scale(x[a][b], s);
                // The conjugate transpose of its row is a column of the inverse: L^-1, scaled.
                if (j <= i) {
                    inverse = i == j ? make<W>(s) : scale(x[a][b], s);
                    sum = fma(abs2_add(inverse, 0.0), squares[j], sum);
                }
            }
            y[j * NP + i] = conj(inverse);
            r[i * N + j] = up;
        });
        sum = lanes_sum<32>(sum);
        if (t % 32 == 0) sums[t / 32] = sum;
        __syncthreads();
        sum = 0;
        for (int w = 0; w < THREADS / 32; ++w) sum += sums[w];
        if (!good || !(sum <= LIMIT * LIMIT * n)) return Found::WANTING;
        return sum <= n + NEAR ? Found::NEAR_ORTHOGONAL : Found::GOOD;
    }

    // x := f y, where f(row, column) is zero in columns from n on, and is read by columns or by rows.
    template <bool ROWS, typename F>
    __device__ __forceinline__ void multiply(Matrix &x, int n, F f) {
        each([&](int a, int b, int, int) { x[a][b] = make<W>(0); });
#pragma unroll 1
        for (int k0 = 0; k0 < n; k0 += SIDE) {
#pragma unroll
            for (int e0 = 0; e0 < SIDE * N; e0 += THREADS) {
                const int e = e0 + threadIdx.x, k = ROWS ? e % SIDE : e / N, row = ROWS ? e / SIDE : e % N;
                stage[k][row] = f(row, k0 + k);
            }
            __syncthreads();
#pragma unroll 2
            for (int k = 0; k < SIDE; ++k) {
                W right[EACH];
#pragma unroll
                for (int b = 0; b < EACH; ++b) right[b] = y[(k0 + k) * NP + column(b)];
#pragma unroll
                for (int a = 0; a < EACH; ++a) {
                    const W left = stage[k][row(a)];
#pragma unroll
                    for (int b = 0; b < EACH; ++b) x[a][b] = fma_(left, right[b], x[a][b]);
                }
            }
            __syncthreads();
        }
    }
    // Copies y to memory by rows, and back.
    __device__ __forceinline__ void give(W *to) const {
#pragma unroll 8
        for (int e = threadIdx.x; e < N * N; e += THREADS) to[e] = y[e / N * NP + e % N];
        __syncthreads();
    }
    __device__ __forceinline__ void take(const W *from) {
#pragma unroll 8
        for (int e = threadIdx.x; e < N * N; e += THREADS) y[e / N * NP + e % N] = from[e];
        __syncthreads();
    }

    // x holds the first rows of Q, and y the matrix by which A is multiplied to give Q. Changes y to the matrix for V,
    // with L below the diagonal, or to that for Q with the right signs; also sets `signs` and `taus`. Returns false if
    // a column has nothing below its diagonal.
    __device__ __forceinline__ bool reconstruct(Matrix &x, int n, bool reflectors) {
        const int t = threadIdx.x, tx = t % SIDE, ty = t / SIDE;
        bool good = true;
#pragma unroll
        for (int a0 = 0; a0 < EACH; ++a0)
#pragma unroll 1
            for (int k0 = 0; k0 < SIDE; ++k0) {
                const int k = a0 * SIDE + k0;
                if (k >= n) break;
                W *const line = lines[k % 2], *const factor = columns[k % 2];
                // Rows of Q1 are finished from the top, and rows of the inverse take their places.
                if (ty == k0)
#pragma unroll
                    for (int b = 0; b < EACH; ++b) {
                        line[column(b)] = x[a0][b];
                        if (b >= a0) x[a0][b] = b > a0 || tx >= k0 ? y[k * NP + column(b)] : make<W>(0);
                    }
                if (tx == k0)
#pragma unroll
                    for (int a = 0; a < EACH; ++a) factor[row(a)] = x[a][a0];
                __syncthreads();
                const W q = line[k];
                const double sign = re(q) >= 0 ? -1 : 1;
                const W u = add(q, make<W>(-sign));
                const W reciprocal = scale(conj(u), cholqr_reciprocal(abs2_add(u, 0.0)));
                good = good && 1 - abs2_add(q, 0.0) > BELOW;
                if (t < n && reflectors)
                    y[t * NP + k] = mul(factor[t], reciprocal); // row t has been used before, or belongs to L
                if (t == 0) {
                    signs[k] = sign;
                    taus[k] = scale(u, -sign);
                }
#pragma unroll
                for (int b = a0; b < EACH; ++b) {
                    if (b == a0 && tx <= k0) continue;
                    const W f = mul(line[column(b)], reciprocal);
#pragma unroll
                    for (int a = 0; a < EACH; ++a) x[a][b] = fnma_(factor[row(a)], f, x[a][b]);
                }
            }
        __syncthreads();
        if (!reflectors) {
            for (int e = t; e < N * n; e += THREADS) y[e / n * NP + e % n] = scale(y[e / n * NP + e % n], signs[e % n]);
            __syncthreads();
        }
        return good;
    }
};

} // namespace tephra
