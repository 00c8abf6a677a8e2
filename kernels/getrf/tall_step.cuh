// One step of a panel that is too tall for registers, by many blocks per matrix, for batches of few matrices.
//
// A panel of n columns takes n + 1 launches. Launch k applies step k - 1 to the panel, and looks for the pivot of
// column k. Each block has a range of adjacent rows. It offers the best of them to the next launch, with all elements,
// in global memory: there, every block reads the pivot row, while the block that holds this row overwrites it. So a
// launch needs no barrier between blocks. Pivots, and all bits, are those of `getrf_columns`.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "pivot.cuh"

namespace tephra {

struct GetrfStepArgs {
    GetrfArgs lu;
    void *offers; // RowOffers: 2 * (blocks + 1) per matrix
    int k;        // the launch: 0 .. the number of steps
    int blocks;   // per matrix
    int height;   // rows of a block
    int pad;
};

// A candidate for the pivot row: its size and its row in the panel (INT_MAX: none), and the row's elements.
template <typename T, int NB>
struct RowOffer {
    Size<Real<T>> size;
    int row;
    alignas(16) T values[NB];
};

template <typename T, int THREADS, int NB>
struct TallStep {
    using R = Real<T>;
    using Offer = RowOffer<T, NB>;
    static constexpr int warps = THREADS / 32, none = 0x7fffffff;
    static_assert(sizeof(Offer) == 16 + NB * sizeof(T), "the host allocates this");
    struct alignas(16) Memory {
        T pivot[NB], above[NB];
        Size<R> sizes[2][warps];
        int rows[2][warps];
    };

    const GetrfStepArgs &args;
    Memory &memory;
    const int t = threadIdx.x, lane = t % 32, w = t / 32;
    const int m = args.lu.m - args.lu.at, n = args.lu.columns, steps = m < n ? m : n, k = args.k;
    const bool search = args.lu.pivots();

    __device__ __forceinline__ TallStep(const GetrfStepArgs &args_, Memory &memory_) : args(args_), memory(memory_) {}

    // The largest of the threads' candidates in all of them; among equals, the one with the lowest row. `part`
    // distinguishes two choices that no barrier separates.
    __device__ __forceinline__ void choose(int part, Size<R> &size, int &row) const {
        const auto take = [&](Size<R> other, int other_row) {
            if (other > size || (other == size && other_row < row)) size = other, row = other_row;
        };
#pragma unroll
        for (int s = 16; s > 0; s /= 2) take(size.from(s), __shfl_xor_sync(0xffffffffu, row, s));
        if (lane == 0) memory.sizes[part][w] = size, memory.rows[part][w] = row;
        __syncthreads();
        for (int o = 0; o < warps; ++o) take(memory.sizes[part][o], memory.rows[part][o]);
    }

    // The offers to launch `of` of one matrix; the last one is the row at the pivot's place.
    __device__ __forceinline__ Offer *offers(long long i, int of) const {
        return static_cast<Offer *>(args.offers) + (2 * i + (of & 1)) * (args.blocks + 1);
    }

    // Rows start .. end of member i.
    __device__ __forceinline__ void run(long long i, int block) const {
        const int start = block * args.height, end = start + args.height < m ? start + args.height : m;
        const long long lda = args.lu.lda;
        T *const A = args.lu.template matrix<T>(i) + args.lu.at * (lda + 1);
        const int column = k - 1; // the step that is applied; -1: none
        Size<R> best = Size<R>::none();
        int best_row = none;
        int r = start + t;
        T a[NB];
        const auto load = [&] {
#pragma unroll
            for (int j = 0; j < NB; ++j)
                if (j >= column && j < n && (column >= 0 || j == 0)) a[j] = A[r + j * lda];
        };
        const auto consider = [&](T x) {
            const Size<R> here = pivot_size(x);
            if (search && r >= k && here > best) best = here, best_row = r;
        };
        if (column < 0) {
            for (; r < end; r += THREADS) consider(A[r]);
        } else {
            if (r < end) load(); // while the pivot is found
            const Offer *const given = offers(i, column);
            Size<R> size = Size<R>::none();
            int pivot_row = none;
            if (search) {
                for (int b = t; b < args.blocks; b += THREADS) {
                    const Size<R> here = given[b].size;
                    if (here > size) size = here, pivot_row = given[b].row;
                }
                choose(0, size, pivot_row);
            } else {
                pivot_row = column;
            }
            const Offer &found = given[search ? pivot_row / args.height : args.blocks];
            if (t < n) memory.pivot[t] = found.values[t], memory.above[t] = given[args.blocks].values[t];
            __syncthreads();
            const T value = memory.pivot[column];
            const bool zero = is_zero(value);
            if (block == 0 && t == 0) tell(i, column, pivot_row, zero);
            const Divisor<T> by(zero ? make<T>(1) : value);
            for (; r < end; r += THREADS, r < end ? load() : void()) {
                const bool exchanged = r == pivot_row && r != column;
                if (r < column) continue;
                if (r == column) {
                    if (pivot_row != column)
                        for (int j = 0; j < n; ++j) A[r + j * lda] = memory.pivot[j];
                    continue;
                }
                if (exchanged) {
                    for (int j = 0; j < column; ++j) A[r + j * lda] = memory.above[j];
#pragma unroll
                    for (int j = 0; j < NB; ++j)
                        if (j >= column && j < n) a[j] = memory.above[j];
                }
                T multiplier = make<T>(0);
#pragma unroll
                for (int j = 0; j < NB; ++j)
                    if (j == column) multiplier = zero ? a[j] : by.of(a[j]);
#pragma unroll
                for (int j = 0; j < NB; ++j) {
                    if (j < column || j >= n) continue;
                    if (j == column)
                        a[j] = multiplier;
                    else if (!zero)
                        a[j] = fnma_(multiplier, memory.pivot[j], a[j]);
                    A[r + j * lda] = a[j];
                    if (j == k) consider(a[j]);
                }
            }
        }
        if (k == steps) return;
        Offer *const next = offers(i, k);
        if (search) choose(1, best, best_row);
        __syncthreads(); // the block's rows are written
        if (search && t == 0) next[block].size = best, next[block].row = best_row;
        if (search && best_row != none && t < n) next[block].values[t] = A[best_row + t * lda];
        if (start <= k && k < end && t < n) next[args.blocks].values[t] = A[k + t * lda];
    }

    // The pivot's index and info, by one thread.
    __device__ __forceinline__ void tell(long long i, int column, int pivot_row, bool zero) const {
        if (search) args.lu.interchanges(i)[column] = args.lu.at + pivot_row + 1;
        int *const info = args.lu.info;
        if (!info) return;
        if (args.lu.at == 0 && column == 0)
            info[i] = zero;
        else if (zero && info[i] == 0)
            info[i] = args.lu.at + column + 1;
    }
};

template <typename T, int THREADS, int NB>
__device__ __forceinline__ void getrf_tall_step(const GetrfStepArgs &args) {
    using Step = TallStep<T, THREADS, NB>;
    __shared__ typename Step::Memory memory;
    const Step step(args, memory);
    const long long jobs = args.lu.batch * args.blocks;
    for (long long job = blockIdx.x; job < jobs; job += gridDim.x) {
        step.run(job / args.blocks, static_cast<int>(job % args.blocks));
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_GETRF_TALL_STEP(NAME, T, THREADS, NB)                                                                   \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(0, NB), __launch_bounds__(THREADS), GetrfStepArgs,                      \
                 getrf_tall_step<letter::T, THREADS, NB>)
