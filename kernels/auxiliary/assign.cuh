// Matrices, or one triangle of them, copied or set to constants: LAPACK's lacpy and laset.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Mirrored in src/gpu/args/.
struct AssignArgs {
    Operand from, to;
    long long ld_from, ld_to, batch;
    long long rows, columns;
    double constants[4]; // re, im off the diagonal, then on it
    int part;            // 0: all, 1: the upper triangle, 2: the lower one; both with the diagonal
    int constant;        // 1: `constants` instead of `from`
};

__device__ __forceinline__ void from_parts(float &x, double re, double) { x = static_cast<float>(re); }
__device__ __forceinline__ void from_parts(double &x, double re, double) { x = re; }
template <typename R>
__device__ __forceinline__ void from_parts(Complex<R> &x, double re, double im) {
    x = make<Complex<R>>(static_cast<R>(re), static_cast<R>(im));
}

// Rows of one column that a warp takes at a time, so that few long columns keep all warps busy, too.
constexpr int ASSIGN_TILE = 256;

template <typename T, int THREADS>
__device__ __forceinline__ void assign(const AssignArgs &args) {
    constexpr long long TILE = ASSIGN_TILE;
    const int lane = threadIdx.x % 32;
    T off, on;
    from_parts(off, args.constants[0], args.constants[1]);
    from_parts(on, args.constants[2], args.constants[3]);
    const long long tiles = (args.rows + TILE - 1) / TILE, jobs = args.batch * args.columns * tiles;
    for (long long job = blockIdx.x * (long long)(THREADS / 32) + threadIdx.x / 32; job < jobs;
         job += gridDim.x * (long long)(THREADS / 32)) {
        const long long tile = job % tiles, j = job / tiles % args.columns, i = job / tiles / args.columns;
        // The rows of this column that are set.
        long long first = tile * TILE, last = first + TILE < args.rows ? first + TILE : args.rows;
        if (args.part == 1 && last > j + 1) last = j + 1;
        if (args.part == 2 && first < j) first = j;
        T *to = member<T>(args.to, i) + j * args.ld_to;
        if (args.constant) {
            for (long long r = first + lane; r < last; r += 32) to[r] = r == j ? on : off;
        } else {
            const T *from = member<T>(args.from, i) + j * args.ld_from;
            for (long long r = first + lane; r < last; r += 32) to[r] = from[r];
        }
    }
}

} // namespace tephra

#define TEPHRA_ASSIGN(NAME, T, THREADS)                                                                                \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ASSIGN_TILE, 1), __launch_bounds__(THREADS), AssignArgs,                \
                 assign<letter::T, THREADS>)
