// Columns of extreme size of a tall matrix, brought near one in memory before they are loaded for good, and R's back at
// the end: see column_scale.cuh. In registers, the code for it would take those that the steps need.
#pragma once
#include "tall_ahead.cuh"

namespace tephra {

template <typename Base_>
struct TallScale : Base_ {
    using Base = Base_;
    using Base::Base;
    using typename Base::R;
    using typename Base::T;
    using Base::memory, Base::m, Base::n, Base::w, Base::lane;
    using Base::N, Base::W, Base::threads, Base::sync;
    static constexpr int rows = 4; // that a thread looks at, of one column

    // The largest of some elements of a column, one column a thread: a sign of what the matrix is like. Asked for before
    // the matrix is loaded, so that the two wait for memory together.
    __device__ __forceinline__ unsigned look(const T *A, long long lda) const {
        const int j = threadIdx.x % N, i = threadIdx.x / N * rows;
        const T *p = A + j * lda + i;
        unsigned size = PlainSize<R>::lo;
        if (j < n && i + rows <= m) {
            size = 0;
#pragma unroll
            for (int r = 0; r < rows; ++r) size = larger(size, size_word(p[r]));
        }
        return size;
    }
    // Whether the matrix is to be loaded again, as columns of it have been scaled in memory. on_chip(): what is on its
    // way there has arrived.
    template <typename Wait>
    __device__ __forceinline__ bool scale_columns(T *A, long long lda, unsigned seen, const Wait &on_chip) {
        const bool odd = !is_plain<R>(seen);
        if (threadIdx.x == 0) memory.step.scaled = 0; // others read it behind the steps' barriers
        if (W == 1 ? !__any_sync(0xffffffffu, odd) : !__syncthreads_or(odd)) [[likely]]
            return false;
        on_chip();
        sync();
        bool some = false;
#pragma unroll 1
        for (int j = w; j < n; j += W) {
            T *const p = A + j * lda;
            unsigned size = 0;
#pragma unroll 4
            for (int i = lane; i < m; i += 32) size = larger(size, exact_size(p[i]));
            const int e = scale_exponent<R>(lanes_largest<32>(size));
            if (lane == 0) memory.step.exponent[j] = e;
            some |= e != 0;
            if (e == 0) continue;
            const R factor = pow2(-e, R());
#pragma unroll 4
            for (int i = lane; i < m; i += 32) p[i] = scale(p[i], factor);
        }
        if (W == 1 ? !__any_sync(0xffffffffu, some) : !__syncthreads_or(some)) return false;
        if (threadIdx.x == 0) memory.step.scaled = 1;
        return true;
    }
    // R's columns back; all of the block.
    __device__ __forceinline__ void unscale(T *A, long long lda) const {
        if (!memory.step.scaled) [[likely]]
            return;
        sync(); // other threads have stored them
#pragma unroll 1
        for (int j = w; j < n; j += W) {
            T *const p = A + j * lda + lane;
            if (lane <= j && lane < m) *p = scale(*p, pow2(memory.step.exponent[j], R()));
        }
    }
};

} // namespace tephra
