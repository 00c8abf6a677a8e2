// The panel's first n rows, by Householder reconstruction: from the first rows Q1 of its thin Q, which the first blocks
// of all levels make, Q1 - S = L U without exchanges, each sign S_j such that the pivot is at least one. Then V = (Q -
// [S; 0]) U^-1, whose first rows are L, R becomes S R, and tau_j = -u_jj S_j.
// Source: Ballard, Demmel, Grigori, Jacquelin, Nguyen and Solomonik, Reconstructing Householder vectors from tall-skinny
// QR, 2014.
#pragma once
#include "../common/divide.cuh"
#include "block.cuh"

namespace tephra {

template <typename T, int N, int THREADS>
struct TsqrHead : TsqrBlock<T, N, THREADS> {
    using Base = TsqrBlock<T, N, THREADS>;
    using Base::Base, Base::v, Base::c, Base::product, Base::ld, Base::n;

    // C := the first n rows of H [C; 0]
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

template <typename T, int N, int THREADS>
__device__ __forceinline__ void tsqr_head(const TsqrHeadArgs &args) {
    using R = Real<T>;
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ R signs[N];
    const int n = args.n, t = threadIdx.x, top = args.levels - 1;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        constexpr int NP = TsqrBlock<T, N, THREADS>::NP;
        const TsqrLevel &root = args.level[top];
        T *x = nullptr;
        for (int k = top; k >= 0; --k) {
            const TsqrLevel &level = args.level[k];
            TsqrHead<T, N, THREADS> block(raw, n, level.height(0, n));
            // C is in the same place for all levels, but the Gram matrix's parts are there in between.
            constexpr int each = (N * N + THREADS - 1) / THREADS;
            T mine[each];
#pragma unroll
            for (int q = 0; q < each; ++q) {
                const int e = t + q * THREADS;
                mine[q] = k == top ? make<T>(e / N == e % N ? 1 : 0) : e < N * N ? block.c[e / N * NP + e % N] : make<T>(0);
            }
            block.load(level.block<T>(i, 0, n), level.lda, level.taus<T>(i, 0, n));
            block.form_gram();
#pragma unroll
            for (int q = 0; q < each; ++q)
            {
                const int e = t + q * THREADS;
                if (e < N * N) block.c[e / N * NP + e % N] = mine[q];
            }
            __syncthreads();
            block.form_product();
            block.apply_top();
            x = block.c;
        }
        // Q1 - S = L U, L's columns not yet divided by the pivot. Row by row, as C is.
        const T *const r = root.block<T>(i, 0, n);
        for (int j = 0; j < n; ++j) {
            const T p = x[j * NP + j];
            R s = re(p) > 0 ? R(-1) : R(1);
            if (re(p) == 0) s = re(r[j * (root.lda + 1)]) > 0 ? R(-1) : R(1);
            const T u = add(p, make<T>(-s));
            const T w = divide(make<T>(1), u);
            for (int e = t; e < N * N; e += THREADS) {
                const int row = e / N, l = e % N;
                if (row > j && l > j) x[row * NP + l] = fnma_(mul(x[row * NP + j], w), x[j * NP + l], x[row * NP + l]);
            }
            if (t == 0) signs[j] = s;
            __syncthreads();
        }
        T *const tau = member<T>(args.tau, i) + args.tau0;
        T *const head = static_cast<T *>(args.head) + i * args.stride;
        T *const inverse = static_cast<T *>(args.inverse) + i * args.stride;
        T *const y = x + N * NP; // U^-1, column by column
        const auto pivot = [&](int j) { return add(x[j * NP + j], make<T>(-signs[j])); };
        for (int e = t; e < n * n; e += THREADS) {
            const int row = e % n, l = e / n;
            T h;
            if (row > l)
                h = divide(x[row * NP + l], pivot(l));
            else
                h = scale(r[l * root.lda + row], signs[row]);
            head[e] = h;
        }
        if (t < n) tau[t] = scale(pivot(t), -signs[t]);
        for (int e = t; e < N * N; e += THREADS) y[e / N * NP + e % N] = make<T>(e / N == e % N ? 1 : 0);
        __syncthreads();
        for (int j = n - 1; j >= 0; --j) {
            // Row j of U^-1 is done but for the pivot, of which the rows above have to hear.
            const T w = divide(make<T>(1), pivot(j));
            for (int e = t; e < N * N; e += THREADS) {
                const int row = e % N, l = e / N;
                if (row < j && l >= j && l < n) y[l * NP + row] = fnma_(mul(x[row * NP + j], w), y[l * NP + j], y[l * NP + row]);
            }
            __syncthreads();
        }
        for (int e = t; e < n * n; e += THREADS) {
            const int row = e % n, l = e / n;
            inverse[e] = row > l ? make<T>(0) : divide(y[l * NP + row], pivot(row));
        }
        if (t < 2) args.marks[2 * i + t] = 0;
        if (t == 0 && args.info) args.info[i] = 0;
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_TSQR_HEAD(NAME, T, N, THREADS, ROWS)                                                                    \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ROWS, N).needs(TsqrHead<letter::T, N, THREADS>::bytes(ROWS)),           \
                 __launch_bounds__(THREADS), TsqrHeadArgs, tsqr_head<letter::T, N, THREADS>)
