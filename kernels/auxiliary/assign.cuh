// Copies matrices or one of their triangles, or sets them to constants: LAPACK's lacpy and laset.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Both mirrored in src/gpu/args/.

// Right-hand sides of triangular systems whose members have their own sizes; otherwise `rows.each` is null.
struct AssignEach {
    Extent rows, columns;
    const int *ld_from, *ld_to, *triangles; // leading dimensions; triangles: those of the triangles
    int *checked;                           // receives the rows of each member, or -1 if the member is invalid
    int right;                              // 1: the order of the triangles is the number of columns
    int pad;

    __device__ __forceinline__ bool valid(long long i) const {
        const int m = rows.of(i), n = columns.of(i);
        return rows.allows(m) && columns.allows(n) && leads(triangles[i], right ? n : m) && leads(ld_from[i], m) &&
               leads(ld_to[i], m);
    }
};

struct AssignArgs {
    Operand from, to;
    long long ld_from, ld_to, batch;
    long long rows, columns;
    double constants[4]; // off the diagonal (re, im), then on it
    int part;            // 0: all, 1: the upper triangle, 2: the lower one; both with the diagonal
    int constant;        // 1: `constants` instead of `from`
    AssignEach each;
};

__device__ __forceinline__ void from_parts(float &x, double re, double) { x = static_cast<float>(re); }
__device__ __forceinline__ void from_parts(double &x, double re, double) { x = re; }
template <typename R>
__device__ __forceinline__ void from_parts(Complex<R> &x, double re, double im) {
    x = make<Complex<R>>(static_cast<R>(re), static_cast<R>(im));
}

// Rows of a column that a warp takes at a time, so that a few long columns keep all warps busy, too.
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
        long long rows = args.rows, ld_from = args.ld_from, ld_to = args.ld_to;
        if (args.each.rows.each) {
            const bool valid = args.each.valid(i);
            rows = args.each.rows.of(i);
            if (j == 0 && tile == 0 && lane == 0) args.each.checked[i] = valid ? static_cast<int>(rows) : -1;
            if (!valid || j >= args.each.columns.of(i)) continue;
            ld_from = args.each.ld_from[i], ld_to = args.each.ld_to[i];
        }
        // The rows of this column that are assigned.
        long long first = tile * TILE, last = first + TILE < rows ? first + TILE : rows;
        if (args.part == 1 && last > j + 1) last = j + 1;
        if (args.part == 2 && first < j) first = j;
        T *to = member<T>(args.to, i) + j * ld_to;
        if (args.constant) {
            for (long long r = first + lane; r < last; r += 32) to[r] = r == j ? on : off;
        } else {
            const T *from = member<T>(args.from, i) + j * ld_from;
            for (long long r = first + lane; r < last; r += 32) to[r] = from[r];
        }
    }
}

} // namespace tephra

#define TEPHRA_ASSIGN(NAME, T, THREADS)                                                                                \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ASSIGN_TILE, 1), __launch_bounds__(THREADS), AssignArgs,                \
                 assign<letter::T, THREADS>)
