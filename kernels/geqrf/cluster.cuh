// QR of a tall matrix by a cluster. Each of its CL blocks holds adjacent rows of all columns in registers; thread t has
// their rows t + 32 W r, r < RPT. This is tall.cuh with a single panel, except that in each step all blocks receive the
// sums and the pivot row, which the first block has (cluster_box.cuh): an exchange between multiprocessors instead of
// one launch per level of a reduction tree. All blocks then compute the same reflector, to the last bit.
//
// Columns of extreme size are scaled to near one by powers of two (column_scale.cuh), so that the short formulas hold
// for every finite matrix. The first block factors other matrices again in memory, column by column.
// Source: LAPACK geqr2/larfg.
#pragma once
#include "../arch/arch.cuh"
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "cluster_box.cuh"
#include "column_scale.cuh"
#include "columns.cuh"
#include "halve.cuh"
#include "range.cuh"

namespace tephra {

template <typename T_, int N_, int RPT_, int W_, int CL_>
struct ClusterQr : RangeWatch<T_> {
    using T = T_;
    using R = Real<T>;
    static constexpr int N = N_, RPT = RPT_, W = W_, CL = CL_, threads = 32 * W, G = 8;
    static constexpr int grain = 32; // a block's rows are a multiple of this
    static_assert(N == 16 || N == 32, "lanes of a warp, whole or half");

    struct alignas(16) Memory {
        ClusterBox<T, N, CL> box;
        T sums[2][W][N]; // of each warp; two, so that one barrier per step is enough
        T row[2][N];     // the first block's: the pivot row
        T y[W][N];       // each warp's own copy
        R scratch[32];   // of the slow path
        short exponent[N];
    };

    Memory &memory;
    T a[RPT][N];
    const int lane, w, t, n, k_end, first, rows; // steps; the block's first row, and its number of rows
    const bool leads;                            // whether the block has the pivots

    __device__ __forceinline__ ClusterQr(int m, int n_, Memory &memory_)
        : memory(memory_), lane(threadIdx.x % 32), w(threadIdx.x / 32), t(threadIdx.x), n(n_), k_end(least(m, n)),
          first(static_cast<int>(cluster_rank()) * height(m)), rows(least(m - first, height(m))),
          leads(cluster_rank() == 0) {}
    static __device__ __forceinline__ int least(int x, int y) { return x < y ? x : y; }
    static __device__ __forceinline__ int height(int m) { return (m + CL * grain - 1) / (CL * grain) * grain; }
    // The slot in which a finished column ends up.
    static __device__ __forceinline__ constexpr int place(int j) { return j ^ (N - G); }

    __device__ __forceinline__ void load(const T *A, long long lda) {
        const T *p = A + first + t;
#pragma unroll
        for (int c = 0; c < N; ++c, p += lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = c < n && r * threads < rows - t ? p[r * threads] : make<T>(0);
    }
    __device__ __forceinline__ void store(T *A, long long lda) const {
        forget(A, lda); // or the loads' addresses would stay in registers until here
        T *p = A + first + t;
#pragma unroll
        for (int c = 0; c < N; ++c, p += lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (c < n && r * threads < rows - t) p[r * threads] = a[r][place(c)];
    }

    // Exchanges number `lane % N` among all blocks; the box then holds the parts in order of rank. Lanes below N of
    // warps below CL pass `part` and `row`.
    __device__ __forceinline__ void exchange(unsigned turn, T part, T row) {
        if (t == 0) memory.box.expect(turn);
        if constexpr (W >= CL) {
            if (w < CL && lane < N) memory.box.send(turn, w, lane, part, row);
        } else if (lane < N) {
#pragma unroll
            for (int to = 0; to < CL; to += W)
                if (CL % W == 0 || to + w < CL) memory.box.send(turn, to + w, lane, part, row);
        }
        memory.box.wait(turn);
    }

    // A number whose upper word is `size`.
    static __device__ __forceinline__ T of_size(unsigned size) {
        if constexpr (sizeof(R) == 8)
            return make<T>(__hiloint2double(size, 0));
        else
            return make<T>(__uint_as_float(size));
    }
    // Scales columns to near one, using turn 0 of the box. Returns whether any needed it.
    __device__ __forceinline__ bool scale_columns() {
        const int e = lane % N;
#pragma unroll
        for (int c = 0; c < N; ++c) {
            Largest<T> all;
#pragma unroll
            for (int r = 0; r < RPT; ++r) all.add(a[r][c]);
            const unsigned size = __reduce_max_sync(0xffffffffu, all.size());
            if (lane == c) memory.sums[0][w][c] = of_size(size);
        }
        __syncthreads();
        unsigned size = 0;
#pragma unroll
        for (int q = 0; q < W; ++q) size = larger(size, size_word(memory.sums[0][q][e]));
        exchange(0, of_size(size), make<T>(0));
        size = 0;
#pragma unroll
        for (int q = 0; q < CL; ++q) size = larger(size, size_word(memory.box.parts[0][q][e]));
        const int exponent = scale_exponent<R>(size);
        if (!__any_sync(0xffffffffu, exponent != 0)) return false;
        if (w == 0 && lane < N) memory.exponent[lane] = exponent;
        if (lane < N) memory.y[w][lane] = make<T>(pow2(-exponent, R()));
        __syncwarp();
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const R factor = re(memory.y[w][c]);
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = scale(a[r][c], factor);
        }
        __syncthreads();
        return true;
    }
    // Scales R's columns back.
    __device__ __forceinline__ void unscale_columns() {
        if (!leads) return;
#pragma unroll
        for (int c = 0; c < N; ++c)
            if (t <= c) a[0][place(c)] = scale(a[0][place(c)], pow2(memory.exponent[c], R()));
    }

    // The step of column k, which is in slot 0. The loop over slots 0 .. L - 1 has finished i of them.
    template <int L>
    __device__ __forceinline__ void step(int k, int i, T *tau) {
        const int e = lane % N; // of the slots: the column for which this lane computes scalars
        const unsigned turn = k + 1, half = turn & 1;
        const bool above = leads && t < k, pivot = leads && t == k;
        T x[RPT];
#pragma unroll
        for (int r = 0; r < RPT; ++r) x[r] = a[r][0];
        if (above || pivot) x[0] = make<T>(0);
        T dot = halve<N, 0, L>(lane, [&](auto c) {
            if constexpr (c.value == 0) {
                R sum = abs2_add(x[0], R(0));
#pragma unroll
                for (int r = 1; r < RPT; ++r) sum = abs2_add(x[r], sum);
                return make<T>(sum);
            } else {
                T s = cfma_(x[0], a[0][c], make<T>(0));
#pragma unroll
                for (int r = 1; r < RPT; ++r) s = cfma_(x[r], a[r][c], s);
                return s;
            }
        });
        if (pivot) {
#pragma unroll
            for (int c = 0; c < L; ++c) memory.row[half][c] = a[0][c];
        }
        if (lane < L) memory.sums[half][w][lane] = dot;
        __syncthreads();
        T part = make<T>(0), row = make<T>(0);
        if (w < CL && lane < L) {
            part = memory.sums[half][0][lane];
#pragma unroll
            for (int q = 1; q < W; ++q) part = add(part, memory.sums[half][q][lane]);
            if (leads) row = memory.row[half][lane];
        }
        exchange(turn, part, row);
        const ClusterBox<T, N, CL> &box = memory.box;
        dot = box.parts[half][0][e];
#pragma unroll
        for (int q = 1; q < CL; ++q) dot = add(dot, box.parts[half][q][e]);
        const T alpha = box.row[half][0], beside = box.row[half][e];
        const R norm = re(shfl(dot, 0));
        Reflector<T> h = this->reflect(alpha, norm);
        if (h.identity) { // also past the last step, where columns still change places
            h.tau = make<T>(0);
            h.factor = make<T>(1);
            h.beta = re(alpha);
        }
        // y = g (conj(d) a_k + x^H a), d = alpha - beta = 1 / factor.
        const T z = cfma_(h.factor, dot, beside), d = add(alpha, make<T>(-h.beta));
        const T y = mul(mul(conj(h.tau), h.factor), z);
        if (lane < N) memory.y[w][lane] = lane > 0 && lane < L - i ? y : make<T>(0);
        __syncwarp();
        const T u0 = pivot ? d : x[0];
        T done[RPT];
        done[0] = above ? a[0][0] : pivot ? make<T>(h.beta) : mul(x[0], h.factor);
#pragma unroll
        for (int r = 1; r < RPT; ++r) done[r] = mul(x[r], h.factor);
#pragma unroll
        for (int c = 1; c < L; ++c) {
            const T yc = memory.y[w][c];
            a[0][c - 1] = fnma_(u0, yc, a[0][c]);
#pragma unroll
            for (int r = 1; r < RPT; ++r) a[r][c - 1] = fnma_(x[r], yc, a[r][c]);
        }
#pragma unroll
        for (int r = 0; r < RPT; ++r) a[r][L - 1] = done[r];
        if (leads && t == 0 && k < k_end) tau[k] = h.tau;
        __syncwarp(); // y has been read
    }
    template <int L = N>
    __device__ __forceinline__ void steps(T *tau, int k0 = 0) {
        if constexpr (L > 0) {
            if (k0 < k_end) {
#pragma unroll 1
                for (int i = 0; i < G; ++i) step<L>(k0 + i, i, tau);
            } else { // columns change places nevertheless
#pragma unroll
                for (int r = 0; r < RPT; ++r) {
                    T x[L];
#pragma unroll
                    for (int c = 0; c < L; ++c) x[c] = a[r][c];
#pragma unroll
                    for (int c = 0; c < L; ++c) a[r][c] = x[(c + G) % L];
                }
            }
            steps<L - G>(tau, k0 + G);
        }
    }
};

// One cluster per matrix.
template <typename T, int N, int RPT, int W, int CL>
__device__ __forceinline__ void geqrf_cluster(const GeqrfArgs &args) {
    using K = ClusterQr<T, N, RPT, W, CL>;
    typename K::Memory &memory = *reinterpret_cast<typename K::Memory *>(dynamic_shared());
    const long long i = blockIdx.x / CL;
    T *const A = args.matrix<T>(i), *const tau = args.taus<T>(i);
    K k(args.m, args.n, memory);
    if (threadIdx.x == 0) memory.box.init();
    cluster_sync();
    k.load(A, args.lda);
    const bool scaled = k.scale_columns();
    k.steps(tau);
    // All threads of all blocks have seen the same values.
    if (k.template ok<ProductRange<Real<T>>>()) {
        if (scaled) k.unscale_columns();
        k.store(A, args.lda);
    } else if (k.leads) {
        geqrf_columns_call<T>(A, args.lda, tau, args.m, args.n, BlockTeam<K::threads, Real<T>>(memory.scratch));
    }
    if (k.leads && threadIdx.x == 0) args.no_error(i);
}

} // namespace tephra

#define TEPHRA_GEQRF_CLUSTER(NAME, T, N, RPT, W, CL, MIN_BLOCKS)                                                       \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 clustered(Instance(32 * W)                                                                            \
                               .holds(CL * 32 * W * RPT, N)                                                            \
                               .by_warps(W)                                                                            \
                               .needs(sizeof(ClusterQr<letter::T, N, RPT, W, CL>::Memory)),                            \
                           CL),                                                                                        \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W, MIN_BLOCKS), GeqrfArgs,                                  \
                 geqrf_cluster<letter::T, N, RPT, W, CL>)
