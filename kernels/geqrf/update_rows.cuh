// The trailing update of a wide matrix with few rows: each lane has a column, to which it applies the reflectors one
// after another. Memory bandwidth is the limit, so columns go through shared memory, which makes accesses to the few
// rows of neighbouring columns contiguous. Source: LAPACK larf.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"
#include "update.cuh"

namespace tephra {

// At most ROWS rows and reflectors, with W warps per block; a warp takes 32 columns at a time.
template <typename T, int ROWS, int W>
struct RowsUpdate {
    static constexpr int cluster = 1, teams = W, round = 32 * W, capacity = ROWS, threads = 32 * W;
    struct Rounds {
        int first, last, step;
    };

    // In shared memory.
    T v[ROWS][ROWS];
    T tau[ROWS];
    T box[W][32][ROWS + 1]; // a warp's columns
    long long job, end;

    __device__ __forceinline__ void run(const LarfbArgs &args, const T *V, const T *tau_, const T *, T *C,
                                        Place<const T> from, Place<T> r_place, Rounds rounds, unsigned &) {
        const int m = static_cast<int>(args.m), k = static_cast<int>(args.k);
        __syncthreads(); // the previous matrix's are in use
        for (int e = threadIdx.x; e < k * ROWS; e += threads) {
            const int j = e / ROWS, i = e % ROWS;
            v[j][i] = i > j && i < m ? V[j * args.ldv + i] : make<T>(i == j ? 1 : 0);
        }
        if (static_cast<int>(threadIdx.x) < k) tau[threadIdx.x] = conj(tau_[threadIdx.x]);
        __syncthreads();
        for (int turn = rounds.last; turn >= rounds.first; turn -= rounds.step) {
            const long long first = static_cast<long long>(turn) * round + threadIdx.x / 32 * 32, left = args.n - first;
            if (left <= 0) continue;
            const int columns = left < 32 ? static_cast<int>(left) : 32;
            bring(global(from.p + first * from.ld), from.ld, m, columns);
            apply(m, k);
            take<false>(global(C + first * args.ldc), args.ldc, m, columns);
            if (args.flags & GeqrfArgs::R) take<true>(r_place.p + first * r_place.ld, r_place.ld, k, columns);
        }
    }

  private:
    // Calls f(column, row) for this lane's share of the warp's columns, in which neighbouring lanes have elements that
    // are neighbours in memory.
    template <typename F>
    static __device__ __forceinline__ void for_own(int rows, int columns, F f) {
        const int lane = threadIdx.x % 32, down = 32 % rows, across = 32 / rows;
        int column = lane / rows, row = lane % rows;
        while (column < columns) {
            f(column, row);
            column += across, row += down;
            if (row >= rows) row -= rows, ++column;
        }
    }
    __device__ __forceinline__ void bring(const T *from, long long ld, int m, int columns) {
        auto &mine = box[threadIdx.x / 32];
        __syncwarp(); // the previous columns have been stored
        for_own(m, columns, [&](int column, int row) { copy_async(&mine[column][row], from + column * ld + row); });
        copies_done();
        __syncwarp();
    }
    // ROWS_OF_R: stores the first rows to R, after the columns themselves.
    template <bool ROWS_OF_R>
    __device__ __forceinline__ void take(T *to, long long ld, int rows, int columns) const {
        const auto &mine = box[threadIdx.x / 32];
        if constexpr (!ROWS_OF_R) __syncwarp();
        for_own(rows, columns, [&](int column, int row) { to[column * ld + row] = mine[column][row]; });
    }
    // Applies the reflectors to this lane's column. Lanes without a column of the matrix compute values that nobody
    // uses.
    __device__ __forceinline__ void apply(int m, int k) {
        T *const mine = box[threadIdx.x / 32][threadIdx.x % 32];
        T c[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) c[r] = r < m ? mine[r] : make<T>(0);
#pragma unroll 1
        for (int i = 0; i < k; ++i) {
            T x = make<T>(0);
#pragma unroll
            for (int r = 0; r < ROWS; ++r) x = cfma_(v[i][r], c[r], x);
            x = mul(tau[i], x);
#pragma unroll
            for (int r = 0; r < ROWS; ++r) c[r] = fnma_(v[i][r], x, c[r]);
        }
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            if (r < m) mine[r] = c[r];
    }
};

} // namespace tephra

#define TEPHRA_UPDATE_ROWS(NAME, T, ROWS, W, MIN_BLOCKS)                                                               \
    TEPHRA_ENTRY(                                                                                                      \
        NAME,                                                                                                          \
        (Instance(32 * W).applies<RowsUpdate<letter::T, ROWS, W>>(ROWS, 32, W).from_outside().at_once(MIN_BLOCKS)),    \
        __launch_bounds__(32 * W, MIN_BLOCKS), LarfbArgs,                                                              \
        larfb_jobs<RowsUpdate<letter::T, ROWS, W>, letter::T, false>)
