// Computes the panel's first n rows by Householder reconstruction. From the first rows Q1 of the panel's thin Q, which
// the first blocks of all levels determine: Q1 - S = L U without interchanges, where each sign S_j makes its pivot at
// least one in magnitude. Then V = (Q - [S; 0]) U^-1, whose first rows are L, R becomes S R, and tau_j = -u_jj S_j.
// Source: Ballard, Demmel, Grigori, Jacquelin, Nguyen and Solomonik, Reconstructing Householder vectors from
// tall-skinny QR, 2014.
#pragma once
#include "../common/divide.cuh"
#include "block.cuh"

namespace tephra {

template <typename T, int N, int THREADS>
struct TsqrHead : TsqrBlock<T, N, THREADS> {
    using Base = TsqrBlock<T, N, THREADS>;
    using Base::Base, Base::v, Base::c, Base::product, Base::ld, Base::n, Base::rows;

    // C := the first n rows of H [C; 0].
    __device__ __forceinline__ void apply_top() {
        for (int e = threadIdx.x; e < N * N; e += THREADS) {
            const int r = e / N, j = e % N;
            T s = c[r * Base::NP + j];
            if (r < n)
                for (int l = 0; l <= r; ++l) s = fnma_(v[l * ld + r], product[l * Base::NP + j], s);
            c[r * Base::NP + j] = s;
        }
        __syncthreads();
    }
};

// Factors Q1 - S = L U, with Q1 in x by rows. U overwrites it; column j of L, from the diagonal on, goes to row j of
// `left`, S to `signs`, and U^-1 by rows to y. r: R, which determines the sign where Q1's element is zero. Called by a
// warp, with one lane per column. The pivot's row is always in the first slot, or in the last on the way back, so that
// a step can be a loop's body.
template <typename T, int N>
__device__ __forceinline__ void tsqr_reconstruct(T *left, T *x, T *y, const T *r, long long ldr, Real<T> *signs,
                                                 int n) {
    using R = Real<T>;
    constexpr int E = 16 / sizeof(T), NP = N + E;
    const int lane = threadIdx.x % 32, mine = lane % N;
    T a[N];
#pragma unroll
    for (int i = 0; i < N; ++i) a[i] = x[i * NP + mine];
    const bool positive = mine < n && re(r[mine * (ldr + 1)]) > 0;
    T reciprocal = make<T>(0); // of this lane's pivot
    __syncwarp();
#pragma unroll 1
    for (int j = 0; j < n; ++j) {
        if (lane == j) {
            const R p = re(a[0]), sign = p > 0 || (p == 0 && positive) ? R(-1) : R(1);
            a[0] = add(a[0], make<T>(-sign));
            signs[j] = sign;
            reciprocal = divide(make<T>(1), a[0]);
            left[j * NP] = make<T>(1);
#pragma unroll
            for (int i = 1; i < N; ++i) left[j * NP + i] = mul(a[i], reciprocal);
        }
        __syncwarp();
        const T top = a[0];
        if (lane < N) x[j * NP + lane] = top;
#pragma unroll
        for (int i0 = 0; i0 < N; i0 += E) {
            const Chunk<T> l = *reinterpret_cast<const Chunk<T> *>(left + j * NP + i0);
#pragma unroll
            for (int e = 0; e < E; ++e)
                if (i0 + e > 0) a[i0 + e - 1] = fnma_(l.e[e], top, a[i0 + e]);
        }
        a[N - 1] = make<T>(0);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < N; ++i) a[i] = make<T>(i - N + n == lane ? 1 : 0);
#pragma unroll 1
    for (int j = n - 1; j >= 0; --j) {
        const T bottom = mul(a[N - 1], shfl(reciprocal, j));
        if (lane < N) y[j * NP + lane] = bottom;
        const T *const u = x + (j - N) * NP + j; // slots above the first row hold unused values
#pragma unroll
        for (int i = N - 1; i > 0; --i) a[i] = fnma_(u[i * NP], bottom, a[i - 1]);
        a[0] = make<T>(0);
    }
}

// Stores R with LAPACK's signs, and the signs of Q's columns as the C of the highest level. A column with H = I in the
// first blocks of all levels has H = I in the whole panel: LAPACK leaves its sign, which reconstruction would turn.
template <typename T>
__device__ __noinline__ void tsqr_signs(const TsqrHeadArgs &args, long long i, const Real<T> *signs, unsigned plain) {
    const int n = args.n, top = args.levels - 1;
    const T *const from = args.level[top].block<T>(i, 0, n);
    const long long ld = args.level[top].lda;
    T *const to = member<T>(args.r, i), *const diagonal = static_cast<T *>(args.inverse) + i * args.stride;
    for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
        const int row = e % n, l = e / n;
        const Real<T> sign = plain >> row & 1 ? -signs[row] : signs[row];
        to[l * args.ldr + row] = row > l ? make<T>(0) : scale(from[l * ld + row], sign);
        diagonal[e] = row == l ? make<T>(sign) : make<T>(0);
    }
    if (threadIdx.x == 0 && args.info) args.info[i] = 0;
}

template <typename T, int N, int THREADS>
__device__ __forceinline__ void tsqr_head(const TsqrHeadArgs &args) {
    using R = Real<T>;
    __shared__ R signs[N];
    __shared__ unsigned known, plain; // plain: columns for which H = I, one bit each
    const int n = args.n, t = threadIdx.x, top = args.levels - 1;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        if (cholqr_done(args.states, i)) continue;
        constexpr int NP = TsqrBlock<T, N, THREADS>::NP;
        const TsqrLevel &root = args.level[top];
        T *x = nullptr;
        if (t == 0) plain = ~0u;
        for (int k = top; k >= 0; --k) {
            const TsqrLevel &level = args.level[k];
            TsqrHead<T, N, THREADS> block(dynamic_shared(), n, level.height(0, n));
            // C is in the same place for all levels, but the Gram matrix's parts overwrite it in between.
            constexpr int each = (N * N + THREADS - 1) / THREADS;
            T mine[each];
#pragma unroll
            for (int q = 0; q < each; ++q) {
                const int e = t + q * THREADS;
                mine[q] = k == top    ? make<T>(e / N == e % N ? 1 : 0)
                          : e < N * N ? block.c[e / N * NP + e % N]
                                      : make<T>(0);
            }
            block.load(level.block<T>(i, 0, n), level.lda, level.taus<T>(i, 0, n));
            if (t < 32) {
                const unsigned zeros = __ballot_sync(0xffffffffu, t < n && is_zero(block.tau[t]));
                if (t == 0) plain &= zeros;
            }
            block.form_gram();
#pragma unroll
            for (int q = 0; q < each; ++q) {
                const int e = t + q * THREADS;
                if (e < N * N) block.c[e / N * NP + e % N] = mine[q];
            }
            __syncthreads();
            block.form_product();
            block.apply_top();
            x = block.c;
        }
        T *const left = x - N * NP, *const m = x + N * NP, *const y = m + N * NP; // `left`: in place of G
        if (t < 32) tsqr_reconstruct<T, N>(left, x, y, root.block<T>(i, 0, n), root.lda, signs, n);
        __syncthreads();
        if (args.r.p) {
            tsqr_signs<T>(args, i, signs, plain);
            __syncthreads();
            continue;
        }
        T *const tau = member<T>(args.tau, i) + args.tau0;
        T *const head = static_cast<T *>(args.head) + i * args.stride;
        T *const inverse = static_cast<T *>(args.inverse) + i * args.stride;
        const T *const r = root.block<T>(i, 0, n);
        if (t == 0) known = 0;
        __syncthreads();
        for (int e = t; e < n * n; e += THREADS) {
            const int row = e % n, l = e / n;
            const T below = row > l ? left[l * NP + row - l] : make<T>(0);
            head[e] = row > l ? below : scale(r[l * root.lda + row], signs[row]);
            if (row > l && !is_zero(below)) atomicOr(&known, 1u << l);
            inverse[e] = row > l ? make<T>(0) : y[row * NP + l];
        }
        if (t < n) tau[t] = scale(x[t * NP + t], -signs[t]);
        __syncthreads();
        if (t < 32) {
            // The last column has nothing below its diagonal in the first rows, so some of the following rows are
            // computed, too.
            const TsqrLevel &level = args.level[0];
            const TsqrHead<T, N, THREADS> block(dynamic_shared(), n, level.height(0, n));
            T z = make<T>(0);
            if (t < n)
                for (int l = 0; l < n; ++l) z = fma_(m[t * NP + l], y[l * NP + n - 1], z);
            T below = make<T>(0);
            for (int l = 0; l < n; ++l) {
                const T zl = shfl(z, l);
                if (n + t < block.rows) below = fma_(block.v[l * block.ld + n + t], zl, below);
            }
            const bool more = __ballot_sync(0xffffffffu, !is_zero(below)) != 0;
            if (t == 0) args.marks[i] = {known | (more ? 1u << (n - 1) : 0), 0, 0, 0};
        }
        if (t == 0 && args.info) args.info[i] = 0;
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_TSQR_HEAD(NAME, T, N, THREADS, ROWS)                                                                    \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ROWS, N).needs(TsqrHead<letter::T, N, THREADS>::bytes(ROWS)),           \
                 __launch_bounds__(THREADS, 1), TsqrHeadArgs, tsqr_head<letter::T, N, THREADS>)
