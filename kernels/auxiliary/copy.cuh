// Copies of matrices: whole, or their upper triangles with zeros below.
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// A warp a column.
template <typename T, int THREADS>
__device__ __forceinline__ void copy(const CopyArgs &args) {
    const int lane = threadIdx.x % 32;
    for (long long job = blockIdx.x * (long long)(THREADS / 32) + threadIdx.x / 32; job < args.batch * args.columns;
         job += gridDim.x * (long long)(THREADS / 32)) {
        const long long i = job / args.columns, j = job % args.columns;
        const T *from = member<T>(args.from, i) + j * args.ld_from;
        T *to = member<T>(args.to, i) + j * args.ld_to;
        for (long long r = lane; r < args.rows; r += 32) to[r] = args.triangle && r > j ? make<T>(0) : from[r];
    }
}

} // namespace tephra
