// A pass over A: A^H r and |r|^2 for r = b - A x, with rows divided among blocks, which read A once.
//
// A block has one chunk of rows after another in shared memory, while the next one is being copied. For each chunk, it
// first computes r, where lanes handle packs of rows, and then A^H r, where lanes handle columns, whose sums stay in
// shared memory from chunk to chunk. Finally it writes its sums to memory, and the following step adds them in a fixed
// order.
#pragma once
#include "../arch/arch.cuh"
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// Shared memory of a block: two chunks by columns, each padded by 16 bytes; the rows' norms; numbers of the right-hand
// sides (residuals of rows, x, and shares of A^H r of columns); and a row's shares of A x.
template <typename T, int THREADS>
constexpr size_t iterative_pass_bytes(int columns, int rows, int numbers) {
    constexpr int P = 16 / sizeof(T);
    return 2 * columns * (rows + P) * sizeof(T) + rows * sizeof(double) + (numbers + THREADS * P) * sizeof(Wide<T>);
}

template <typename T, int THREADS>
__device__ __forceinline__ void iterative_pass(const IterativeArgs &args) {
    using W = Wide<T>;
    constexpr int P = 16 / sizeof(T), pair = Chunk<W>::size;
    const int n = args.n, height = static_cast<int>(args.chunk), pitch = height + P; // an odd number of packs: no bank
                                                                                     // conflicts
    const int groups = (args.nrhs + args.group - 1) / args.group;
    // All groups of a member before the next member's, so that they read the same rows at the same time.
    const int place = static_cast<int>(blockIdx.x) / groups, item = place / args.workers;
    const int first = static_cast<int>(blockIdx.x) % groups * args.group, worker = place - item * args.workers;
    const int count = args.nrhs - first < args.group ? args.nrhs - first : args.group;
    const long long right_side = static_cast<long long>(item) * args.nrhs + first; // the first one, counting those of
                                                                                   // all members
    bool wanted = false;
    for (int j = 0; j < count; ++j) wanted = wanted || args.states[right_side + j] == IterativeState::RUNNING;
    if (!wanted) return;

    // Several threads share a column, each with a part of the rows.
    int parts = 1, shift = 0;
    while (2 * parts * n <= THREADS && 2 * parts * P <= height) parts *= 2;
    const int width = n * parts; // sums per right-hand side
    // For rows: threads have a pack of rows each and share its columns; lanes of a warp add theirs up first.
    const int packs_high = height / P, teams = THREADS / packs_high, share = (n + teams - 1) / teams;
    while (1 << shift < packs_high) ++shift;
    const int in_warp = packs_high < 32 ? 32 / packs_high : 1, parts_of_row = teams / in_warp;
    T *const boxes = reinterpret_cast<T *>(dynamic_shared());
    W *const residual = reinterpret_cast<W *>(boxes + 2ll * n * pitch);      // columns of height
    W *const partial = residual + height * count;                            // the same: at most THREADS * P
    double *const norms = reinterpret_cast<double *>(partial + THREADS * P); // of each row
    W *const x = reinterpret_cast<W *>(norms + height);                      // columns of n
    W *const sums = x + n * count;

    const T *const A = member<const T>(args.a, item), *const B = member<const T>(args.b, item);
    const bool packs = aligned<16>(A, args.lda);
    for (int e = threadIdx.x; e < width * count; e += THREADS) sums[e] = make<W>(0);
    for (int e = threadIdx.x; e < n * count; e += THREADS) {
        const int j = e / n, i = e % n;
        x[e] = args.step == 0 ? make<W>(0) : static_cast<const W *>(args.vectors)[4 * (right_side + j) * n + i];
    }
    double norm2[4] = {0, 0, 0, 0}; // of the rows that this thread completes, for each right-hand side

    const auto copy = [&](long long chunk, T *box) {
        const long long row = chunk * height, left = args.m - row;
        const int rows = left < height ? static_cast<int>(left) : height;
        if (packs) {
#pragma unroll 4
            for (int e = threadIdx.x; e < packs_high * n; e += THREADS) {
                const int c = e >> shift, r = (e & (packs_high - 1)) * P, there = rows - r < P ? rows - r : P;
                stage<16>(box + c * pitch + r, there > 0 ? A + c * args.lda + row + r : A,
                          there > 0 ? there * int(sizeof(T)) : 0, true);
            }
        } else {
            for (int e = threadIdx.x; e < height * n; e += THREADS) {
                const int c = e / height, r = e % height;
                stage<sizeof(T)>(box + c * pitch + r, r < rows ? A + c * args.lda + row + r : A,
                                 r < rows ? int(sizeof(T)) : 0, true);
            }
        }
    };

    const int mine = threadIdx.x, top = threadIdx.x % packs_high * P, team = threadIdx.x / packs_high;
    const bool ends = mine < height; // whether this thread completes a row
    int here = 0;
    if (worker < args.chunks) copy(worker, boxes);
    copies_sent();
    for (long long chunk = worker; chunk < args.chunks; chunk += args.workers, here ^= 1) {
        T *const box = boxes + here * n * pitch;
        if (chunk + args.workers < args.chunks) copy(chunk + args.workers, boxes + (here ^ 1) * n * pitch);
        copies_sent();
        const long long row = chunk * height + mine;
        W right[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            right[j] = j < count && ends && row < args.m ? widen(B[(first + j) * args.ldb + row]) : make<W>(0);
        copies_done_but<1>();
        __syncthreads();
        for (int j = 0; j < count; ++j) {
            if (args.step > 0) {
                const int end = (team + 1) * share < n ? (team + 1) * share : n;
                const T *const a = box + top;
                const W *const y = x + j * n;
                W sum[P];
#pragma unroll
                for (int i = 0; i < P; ++i) sum[i] = make<W>(0);
#pragma unroll 4
                for (int c = team * share; c < end; ++c) {
                    const Chunk<T> pack = *reinterpret_cast<const Chunk<T> *>(a + c * pitch);
                    const W factor = y[c];
#pragma unroll
                    for (int i = 0; i < P; ++i) sum[i] = fma_(widen(pack.e[i]), factor, sum[i]);
                }
                for (int lanes = packs_high; lanes < 32; lanes *= 2)
#pragma unroll
                    for (int i = 0; i < P; ++i) sum[i] = add(sum[i], shfl_xor(sum[i], lanes));
                if (team % in_warp == 0)
#pragma unroll
                    for (int i = 0; i < P; ++i) partial[team / in_warp * height + top + i] = sum[i];
                __syncthreads();
            }
            if (ends) {
                W sum = make<W>(0);
                if (args.step > 0)
                    for (int t = 0; t < parts_of_row; ++t) sum = add(sum, partial[t * height + mine]);
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (i == j) {
                        sum = add(right[i], scale(sum, -1.0));
                        norm2[i] = abs2_add(sum, norm2[i]);
                        if (norm2[i] == 0 && !is_zero(sum)) norm2[i] = 5e-324; // so that only zeros have norm zero
                    }
                residual[j * height + mine] = sum;
            }
            if (args.step > 0 && j + 1 < count) __syncthreads();
        }
        __syncthreads();
        const int part_rows = height / parts;
        for (int e = threadIdx.x; e < width; e += THREADS) {
            const int c = e % n, r = e / n * part_rows;
            const T *const a = box + c * pitch + r;
            for (int j = 0; j < count; ++j) {
                const W *const y = residual + j * height + r;
                W sum = sums[j * width + e];
#pragma unroll 4
                for (int k = 0; k < part_rows; k += P) {
                    const Chunk<T> pack = *reinterpret_cast<const Chunk<T> *>(a + k);
#pragma unroll
                    for (int i = 0; i < P; i += pair) {
                        const Chunk<W> two = *reinterpret_cast<const Chunk<W> *>(y + k + i);
#pragma unroll
                        for (int h = 0; h < pair; ++h) sum = cfma_(widen(pack.e[i + h]), two.e[h], sum);
                    }
                }
                sums[j * width + e] = sum;
            }
        }
        __syncthreads(); // box and residuals have been used
    }

    __syncthreads(); // for workers without chunks
    for (int j = 0; j < count; ++j) {
        W *const out = static_cast<W *>(args.sums) + ((right_side + j) * args.workers + worker) * (n + 1);
        for (int c = threadIdx.x; c < n; c += THREADS) {
            W sum = sums[j * width + c];
            for (int p = 1; p < parts; ++p) sum = add(sum, sums[j * width + p * n + c]);
            out[c] = sum;
        }
        double mine2 = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (i == j) mine2 = norm2[i];
        if (ends) norms[mine] = mine2;
        __syncthreads();
        if (threadIdx.x < 32) {
            double sum = 0;
            for (int r = threadIdx.x; r < height; r += 32) sum += norms[r];
            sum = lanes_sum<32>(sum);
            if (threadIdx.x == 0) out[n] = make<W>(sum);
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_ITERATIVE_PASS(NAME, T, THREADS, MIN_BLOCKS)                                                            \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(THREADS)                                                                                    \
                      .at_once(MIN_BLOCKS)                                                                             \
                      .needs(iterative_pass_bytes<letter::T, THREADS>, Count(), Count(), Count())),                    \
                 __launch_bounds__(THREADS, MIN_BLOCKS), IterativeArgs, iterative_pass<letter::T, THREADS>)
