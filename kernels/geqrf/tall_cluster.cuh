// QR of a panel that is taller than a block holds, with its rows dealt to the blocks of a cluster. Each block keeps its
// rows as it would keep a tall matrix (tall.cuh): NB columns in registers, the others waiting in shared or global
// memory. In each step and each update, the blocks exchange the sums over their rows.
#pragma once
#include "../arch/arch.cuh"
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "columns.cuh"
#include "tall_panel.cuh"
#include "tall_update.cuh"

namespace tephra {

template <typename T_, int... SHAPE>
struct TallCluster : TallUpdate<TallPanel<T_, SHAPE...>> {
    using Base = TallUpdate<TallPanel<T_, SHAPE...>>;
    using Base::Base;
    using Base::memory, Base::m, Base::n, Base::k_end, Base::lane, Base::w, Base::start;
    using Base::N, Base::NB, Base::G, Base::slots, Base::threads, Base::far, Base::near, Base::CL, Base::W;
    using typename Base::R;
    using typename Base::T;

    // Scales columns of extreme size to near one, in memory. All blocks call, and each scales its own rows.
    __device__ __noinline__ static void scale_call(T *own, long long lda, int m, int n, typename Base::Memory *memory) {
        auto &scales = memory->step.scales;
        const auto sizes_of = reinterpret_cast<T(*)[N]>(memory->parked); // of each block
        static_assert(CL * N <= Base::PLACES * Base::max_m && N <= threads);
        const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
        unsigned *const sizes = reinterpret_cast<unsigned *>(memory->block.sums);
#pragma unroll 1
        for (int j = w; j < n; j += W) {
            Largest<T> all;
#pragma unroll 8
            for (int i = lane; i < m; i += 32) all.add(own[j * lda + i]);
            const unsigned size = warp_largest(all.size());
            if (lane == 0) sizes[j] = size;
        }
        __syncthreads();
        if (threadIdx.x == 0) memory->sizes.expect(CL * N * sizeof(T));
        if (threadIdx.x < N) {
            const T size = threadIdx.x < n ? as_number(sizes[threadIdx.x]) : make<T>(0);
            const unsigned to = shared_address(&sizes_of[cluster_rank()][threadIdx.x]);
#pragma unroll 1
            for (int q = 0; q < CL; ++q) store_there(in_block(to, q), size, in_block(memory->sizes.address(), q));
        }
        wait_for_cluster(memory->sizes.address(), 0);
        bool some = false;
        if (threadIdx.x < n) {
            unsigned size = 0;
            for (int q = 0; q < CL; ++q) size = larger(size, as_size(sizes_of[q][threadIdx.x]));
            const int e = scale_exponent<R>(size);
            scales.exponent[threadIdx.x] = e;
            some = e != 0;
        }
        some = __syncthreads_or(some);
        if (lane == 0) scales.any[w] = some;
#pragma unroll 1
        for (int j = w; some && j < n; j += W) {
            T *column[1] = {own + j * lda + lane};
            if (scales.exponent[j] != 0) times_powers<1>(column, -scales.exponent[j], [&](int) { return m - lane; });
        }
        __syncthreads();
    }
    static __device__ __forceinline__ T as_number(unsigned size) {
        if constexpr (sizeof(R) == 8)
            return make<T>(__hiloint2double(size, 0));
        else
            return make<T>(__uint_as_float(size));
    }
    static __device__ __forceinline__ unsigned as_size(T x) {
        if constexpr (sizeof(R) == 8)
            return __double2hiint(re(x));
        else
            return __float_as_uint(re(x));
    }
    // The slow path, by one block, for the columns from `done` on: columns that wait on chip have not seen the previous
    // panels.
    __device__ __forceinline__ void run_columns(T *A, long long lda, T *tau, int rows, int done) {
        const BlockTeam<threads, R> team(memory.step.scratch);
        for (int k0 = 0; k0 < done; k0 += NB) {
            const int end = far && near(k0) < n ? near(k0) : n;
            apply_columns_call(A + k0 * (lda + 1), lda, tau + k0, rows - k0, end - k0, NB, done - k0, team);
        }
        geqrf_columns_call(A + done * lda + done, lda, tau + done, rows - done, n - done, team);
    }
    // Factors the matrix whose copies `load` has started. Returns the number of finished columns: all, or those before
    // a panel that left the range.
    __device__ __forceinline__ int factor(const GeqrfArgs &args) {
        int done = 0;
#pragma unroll 1
        for (;;) {
            const bool last = done + NB >= n;
            if (G == slots || !last)
                this->template steps<true>(done, memory.tau);
            else
                this->template steps<false>(done, memory.tau);
            if (!this->template ok<ProductRange<R>>()) return done; // all blocks have seen the same
            this->store(memory.own, args.lda, done);
            if (last) return n;
            this->update_in_cluster(memory.own, args.lda, done);
            done += NB;
            this->next_panel(memory.own, args.lda, done);
        }
    }
    __device__ __forceinline__ void run(const GeqrfArgs &args) {
        if (threadIdx.x == 0) {
            const long long i = blockIdx.x / CL;
            memory.box.init();
            memory.products.init();
            memory.sizes.init(1);
            memory.own = args.matrix<T>(i) + start;
            memory.tau = args.taus<T>(i);
        }
        memory.step.scales.begin(w);
        __syncthreads();
        // All blocks judge by the same rows, and have read them before any of them scales.
        const bool odd = looks_odd(memory.own - start, args.lda, args.m, n, memory.step.scales);
        cluster_sync();
        if (odd) scale_call(memory.own, args.lda, m, n, &memory);
        int done = 0;
        if (k_end >= n) { // else some columns would escape the range test
            this->load(memory.own, args.lda);
            __syncthreads(); // or the compiler would mix the loads with the first step, and spill
            done = factor(args);
        }
        if (done < n)
            finish_call(args, memory, done);
        else if (start == 0)
            end(args);
    }
    // Called by the block that has R.
    __device__ __forceinline__ void end(const GeqrfArgs &args) {
        if (memory.step.scales.any[w]) {
            __syncthreads(); // other threads have stored them
            unscale_r_call(memory.own, args.lda, args.m, 0, n, &memory.step.scales, w);
        }
        if (threadIdx.x == 0) args.no_error(blockIdx.x / CL);
    }
    // Handles what the short formulas do not cover. Not inlined, because ordinary matrices must not carry it.
    static __device__ __noinline__ void finish_call(const GeqrfArgs &args, typename Base::Memory &memory, int done) {
        TallCluster k(args.m, args.n, memory);
        copies_done();
        cluster_sync(); // makes what other blocks have stored visible
        if (k.start > 0) return;
        k.run_columns(memory.own, args.lda, memory.tau, args.m, done);
        k.end(args);
    }
};

template <typename T, int... SHAPE>
__device__ __forceinline__ void geqrf_tall_cluster(const GeqrfArgs &args) {
    using K = TallCluster<T, SHAPE...>;
    K k(args.m, args.n, *reinterpret_cast<typename K::Memory *>(dynamic_shared()));
    k.run(args);
}

} // namespace tephra

#define TEPHRA_TALL_CLUSTER(NAME, T, N, NB, G, RPT, W, CL, MIN_BLOCKS, PLACES)                                         \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 clustered(Instance(32 * W)                                                                            \
                               .holds(CL * 32 * W * RPT, N)                                                            \
                               .by_warps(W)                                                                            \
                               .needs(sizeof(TallCluster<letter::T, N, NB, 1, G, RPT, W, PLACES, 0, CL>::Memory)),     \
                           CL),                                                                                        \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W, MIN_BLOCKS), GeqrfArgs,                                  \
                 geqrf_tall_cluster<letter::T, N, NB, 1, G, RPT, W, PLACES, 0, CL>)
