// Arguments of block reflectors whose rows are divided among blocks (mirrored in src/gpu/tall/update_steps.rs).
#pragma once
#include "../cholqr/args.cuh"
#include "../common/batch.cuh"

namespace tephra {

// C := C + V X for each member, where X is computed from V^H [C | V] and tau. V is m x k and unit lower trapezoidal;
// memory on and above its diagonal is not part of it. Rows are divided into chunks. For each chunk, `sums` has k rows
// of `pitch` elements: the chunk's part of V^H C (n columns) and of V^H V.
struct ReflectArgs {
    Operand v, tau, c, t;
    void *sums;
    long long v0, tau0, c0; // first element of each, from the member's start; c0: of T, where T is the result
    long long ldv, ldc, ldt, batch;
    long long m, n;     // of C
    long long chunk;    // rows of a chunk; a multiple of 64
    long long chunks;   // of a member
    long long pitch;    // >= n + k, and a multiple of 16 bytes
    long long gram;     // column of the sums where V^H V begins
    long long diagonal; // of the identity's columns: row in which the first has its one
    int k;
    int adjoint;   // 1: H^H C, 0: H C
    int identity;  // number of C's first columns (in the last launch, all or none) to be taken from the identity,
                   // whatever C holds; they may be V's own, if they are in one tile
    int zeros;     // number of C's first rows to be taken as zero, whatever they hold
    long long run; // tiles of C, one below the other, per block, if it takes several (kept.cuh)
    const unsigned *states; // of members whose C may be finished already, or null

    // Whether a member is finished already.
    __device__ __forceinline__ bool done(long long i) const { return cholqr_done(states, i); }

    __device__ __forceinline__ long long part() const { return k * pitch; } // elements of a chunk's sums
    __device__ __forceinline__ int columns() const { return static_cast<int>(n) + k; }
    template <typename T>
    __device__ __forceinline__ T *sums_of(long long i, long long chunk_) const {
        return static_cast<T *>(sums) + (i * chunks + chunk_) * part();
    }
    template <typename T>
    __device__ __forceinline__ T *reflectors(long long i) const {
        return member<T>(v, i) + v0;
    }
    template <typename T>
    __device__ __forceinline__ T *matrix(long long i) const {
        return member<T>(c, i) + c0;
    }
};

} // namespace tephra
