// The trailing update by few reflectors, for a panel that is only wide enough to make the order of the remaining matrix
// a convenient one. The reflectors are applied one after another to columns that a warp keeps in registers from their
// one read to their one write. Memory bandwidth is the limit, so a triangular factor would not pay. Source: LAPACK
// larf.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"
#include "update.cuh"

namespace tephra {

// At most NB reflectors of 32 RPT rows, with W warps per block. A warp takes J columns at a time, so that J sums over
// its lanes are in flight.
template <typename T, int NB, int RPT, int W, int J>
struct FewUpdate {
    static constexpr int cluster = 1, teams = W, round = W * J, capacity = 32 * RPT, threads = 32 * W;
    static_assert(NB <= 32, "a row of R is in a lane's first register");
    struct Rounds {
        int first, last, step;
    };

    // In shared memory.
    T v[NB][capacity];
    T tau[NB];
    long long job, end;

    __device__ __forceinline__ void run(const LarfbArgs &args, const T *V, const T *tau_, const T *, T *C,
                                        Place<const T> from, Place<T> r_place, Rounds rounds, unsigned &) {
        const int m = static_cast<int>(args.m), k = static_cast<int>(args.k), lane = threadIdx.x % 32;
        __syncthreads(); // the previous matrix's are in use
        for (int j = threadIdx.x / 32; j < k; j += W) {
            const T *const p = V + j * args.ldv;
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const int i = lane + 32 * r;
                v[j][i] = i > j && i < m ? p[i] : make<T>(i == j ? 1 : 0);
            }
        }
        if (threadIdx.x < k) tau[threadIdx.x] = conj(tau_[threadIdx.x]);
        __syncthreads();
        for (int turn = rounds.last; turn >= rounds.first; turn -= rounds.step) {
            const long long first = static_cast<long long>(turn) * round + threadIdx.x / 32 * J;
            const long long left = args.n - first;
            const int columns = left < J ? static_cast<int>(left) : J;
            if (columns > 0)
                apply(args, from.p + first * from.ld, from.ld, C + first * args.ldc, r_place, first, columns);
        }
    }

  private:
    __device__ __forceinline__ void apply(const LarfbArgs &args, const T *from, long long ld, T *C, Place<T> r_place,
                                          long long first, int columns) const {
        const int m = static_cast<int>(args.m), k = static_cast<int>(args.k), lane = threadIdx.x % 32;
        T c[J][RPT];
#pragma unroll
        for (int j = 0; j < J; ++j) {
            const T *const p = global(from + j * ld + lane);
            const int rows = j < columns ? m - lane : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) c[j][r] = 32 * r < rows ? p[32 * r] : make<T>(0);
        }
#pragma unroll 1
        for (int i = 0; i < k; ++i) {
            T x[J];
#pragma unroll
            for (int j = 0; j < J; ++j) x[j] = make<T>(0);
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const T y = v[i][lane + 32 * r];
#pragma unroll
                for (int j = 0; j < J; ++j) x[j] = cfma_(y, c[j][r], x[j]);
            }
#pragma unroll
            for (int j = 0; j < J; ++j) x[j] = mul(tau[i], lanes_sum<32>(x[j]));
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const T y = v[i][lane + 32 * r];
#pragma unroll
                for (int j = 0; j < J; ++j) c[j][r] = fnma_(y, x[j], c[j][r]);
            }
        }
#pragma unroll
        for (int j = 0; j < J; ++j) {
            T *const p = global(C + j * args.ldc + lane);
            const int rows = j < columns ? m - lane : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (32 * r < rows) p[32 * r] = c[j][r];
        }
        if (args.flags & GeqrfArgs::R && lane < k)
#pragma unroll
            for (int j = 0; j < J; ++j)
                if (j < columns) r_place.p[(first + j) * r_place.ld + lane] = c[j][0];
    }
};

} // namespace tephra

#define TEPHRA_UPDATE_FEW(NAME, T, NB, RPT, W, J, MIN_BLOCKS)                                                          \
    TEPHRA_ENTRY(                                                                                                      \
        NAME,                                                                                                          \
        (Instance(32 * W).applies<FewUpdate<letter::T, NB, RPT, W, J>>(NB, J, W).from_outside().at_once(MIN_BLOCKS)),  \
        __launch_bounds__(32 * W, MIN_BLOCKS), LarfbArgs,                                                              \
        larfb_jobs<FewUpdate<letter::T, NB, RPT, W, J>, letter::T, false>)
