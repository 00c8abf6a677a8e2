// The update after a panel of an LU factorisation, in one launch: its row interchanges in the columns beside it (or in
// those of an outer panel), and in the columns to the right U12 := L11^-1 A12 and A22 := A22 - L21 U12.
//
// A block has a strip of NT columns. The rows that the panel exchanged are read once, from their old positions; those
// of U12 go to shared memory, are solved there, and stay for the product.
#pragma once
#include "../arch/arch.cuh"
#include "interchange.cuh"

namespace tephra {

// Args: the launch as one member sees it.
template <typename T, int NB, int NT, int RM, int W, typename Args>
struct GetrfUpdate {
    static constexpr int threads = 32 * W, rows = 32 * RM;           // of a tile of A22
    static constexpr int columns = NT / W;                           // per warp
    static constexpr int solvers = 32 / columns, own = NB / solvers; // lanes of a column of U12, rows in each
    static constexpr int pack = 16 / sizeof(T);                      // steps whose elements of U are read at a time
    static_assert(NT % W == 0 && 32 % columns == 0 && NB % solvers == 0 && NB % pack == 0 && rows >= NB, "whole tiles");

    struct alignas(16) Pack {
        T v[pack];
    };
    struct Storage {
        alignas(16) T l[NB][rows]; // L21; before that, L11
        alignas(16) T u[NT][NB];
        Interchanges<NB> list;
    };
    Storage &s;
    const Args &args;
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;

    // Starts to copy `height` rows of the panel's columns of L, from `from` on, to shared memory; zeros where `wanted`
    // is false.
    template <typename Wanted>
    __device__ __forceinline__ void bring(const T *from, int height, Wanted wanted) {
        constexpr int wide = rows < threads ? rows : threads, together = threads / wide;
        static_assert(rows % wide == 0 && threads % wide == 0 && NB % together == 0, "whole turns");
#pragma unroll 8
        for (int first = 0; first < NB; first += together)
#pragma unroll
            for (int r0 = 0; r0 < rows; r0 += wide) {
                const int r = r0 + threadIdx.x % wide, k = first + threadIdx.x / wide;
                const bool there = k < args.columns && r < height && wanted(r, k);
                copy_async<sizeof(T)>(&s.l[k][r], from + (there ? r + k * args.lda : 0), there);
            }
    }

    // U12 := L11^-1 U12 in shared memory, and stores it to A. Each warp has its own columns.
    __device__ __forceinline__ void solve(T *A, int count) {
        const int column = w * columns + lane / solvers, lr = lane % solvers;
        T x[own];
#pragma unroll
        for (int r = 0; r < own; ++r) x[r] = s.u[column][r * solvers + lr];
#pragma unroll
        for (int k = 0; k < NB; ++k) {
            const T u = shfl(x[k / solvers], (lane & ~(solvers - 1)) | (k % solvers));
#pragma unroll
            for (int r = k / solvers; r < own; ++r)
                if (r * solvers + lr > k) x[r] = fnma_(s.l[k][r * solvers + lr], u, x[r]);
        }
#pragma unroll
        for (int r = 0; r < own; ++r) {
            const int row = r * solvers + lr;
            s.u[column][row] = x[r];
            if (row < args.columns && column < count) A[args.at + row + column * args.lda] = x[r];
        }
    }

    // Updates a tile of A22, from row `first` on.
    __device__ __forceinline__ void product(const T *L, T *A, int first, int count) {
        const int height = args.m - first;
        T c[columns][RM];
        const auto row = [&](int r) { return r * 32 + lane; };
#pragma unroll
        for (int j = 0; j < columns; ++j)
#pragma unroll
            for (int r = 0; r < RM; ++r) {
                const bool there = row(r) < height && w * columns + j < count;
                c[j][r] = there ? A[first + row(r) + (w * columns + j) * args.lda] : make<T>(0);
            }
        __syncthreads(); // the previous tile of L has been used
        bring(L + first, height, [&](int, int) { return true; });
        copies_done();
        __syncthreads();
#pragma unroll(NB / pack > 4 ? 2 : NB / pack)
        for (int k = 0; k < NB; k += pack) {
            Pack u[columns]; // 16 bytes at a time: a broadcast costs as much as a read of one element
#pragma unroll
            for (int j = 0; j < columns; ++j) u[j] = *reinterpret_cast<const Pack *>(&s.u[w * columns + j][k]);
#pragma unroll
            for (int p = 0; p < pack; ++p) {
                T l[RM];
#pragma unroll
                for (int r = 0; r < RM; ++r) l[r] = s.l[k + p][row(r)];
#pragma unroll
                for (int j = 0; j < columns; ++j)
#pragma unroll
                    for (int r = 0; r < RM; ++r) c[j][r] = fnma_(l[r], u[j].v[p], c[j][r]);
            }
        }
#pragma unroll
        for (int j = 0; j < columns; ++j)
#pragma unroll
            for (int r = 0; r < RM; ++r)
                if (row(r) < height && w * columns + j < count)
                    A[first + row(r) + (w * columns + j) * args.lda] = c[j][r];
    }

    // Updates a strip of a matrix; `job` numbers the strips of all matrices.
    __device__ __forceinline__ void run(unsigned job) {
        const long long lda = args.lda;
        const int end = args.at + args.columns; // end of the panel
        const int left = (args.at - args.first + NT - 1) / NT, right = (args.n - end + NT - 1) / NT;
        const bool exchanges = args.pivots();
        const int strips = Args::each ? args.strips : exchanges ? left + right : right;
        const long long i = job / strips;
        const int strip = job % strips + (exchanges ? 0 : left);
        if (Args::each && strip >= left + right) return; // other members have more strips
        const bool solves = strip >= left;
        const int first = solves ? end + (strip - left) * NT : args.first + strip * NT;
        const int limit = solves ? args.n : args.at;
        const int count = limit - first < NT ? limit - first : NT;
        T *const matrix = args.template matrix<T>(i), *const A = matrix + first * lda,
                 *const L = matrix + args.at * lda;
        // L11 arrives while rows are exchanged.
        if (solves) bring(L + args.at, args.columns, [](int r, int k) { return r > k; });
        if (exchanges) {
            const int *const ipiv = args.interchanges(i);
            if (static_cast<int>(threadIdx.x) < args.columns) s.list.pivot[threadIdx.x] = ipiv[threadIdx.x] - 1;
            if (threadIdx.x == 0) s.list.base = args.at, s.list.count = args.columns;
            __syncthreads();
            interchange<NB, NT, threads, T>(s.list, false, A, lda, count, solves ? s.u : nullptr);
        } else {
            for (int e = threadIdx.x; e < NB * NT; e += threads) {
                const int j = e / NB, k = e % NB;
                const bool there = k < args.columns && j < count;
                copy_async<sizeof(T)>(&s.u[j][k], A + (there ? args.at + k + j * lda : 0), there);
            }
        }
        if (!solves) return;
        copies_done();
        __syncthreads();
        solve(A, count);
        for (int tile = end; tile < args.m; tile += rows) product(L, A, tile, count);
    }
};

template <typename T, int NB, int NT, int RM, int W>
__device__ __forceinline__ void getrf_update(const GetrfArgs &args) {
    using K = GetrfUpdate<T, NB, NT, RM, W, GetrfArgs>;
    __shared__ typename K::Storage storage;
    K k{storage, args};
    k.run(blockIdx.x);
}
template <typename T, int NB, int NT, int RM, int W>
__device__ __forceinline__ void getrf_update_each(const GetrfEachArgs &launch) {
    using K = GetrfUpdate<T, NB, NT, RM, W, GetrfEachArgs::Own>;
    __shared__ typename K::Storage storage;
    for_jobs(launch.batch * launch.strips, [&](unsigned job) {
        const GetrfEachArgs::Own args = launch.of(job / launch.strips);
        if (args.idle()) return;
        K k{storage, args};
        k.run(job);
    });
}

} // namespace tephra

#define TEPHRA_GETRF_UPDATE_OF(NAME, ARGS, FUNCTION, T, NB, NT, RM, W, MIN_BLOCKS)                                     \
    TEPHRA_ENTRY(NAME, Instance(32 * W).holds(NB, NT), __launch_bounds__(32 * W, MIN_BLOCKS), ARGS,                    \
                 FUNCTION<letter::T, NB, NT, RM, W>)
#define TEPHRA_GETRF_UPDATE(NAME, ...) TEPHRA_GETRF_UPDATE_OF(NAME, GetrfArgs, getrf_update, __VA_ARGS__)
#define TEPHRA_GETRF_UPDATE_EACH(NAME, ...) TEPHRA_GETRF_UPDATE_OF(NAME, GetrfEachArgs, getrf_update_each, __VA_ARGS__)
