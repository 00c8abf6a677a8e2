// The FP64 tensor instruction with longer inner dimensions than `mma_f64` has: fewer instructions, whose accumulations
// wait less often for one another.
#pragma once
#include "arch.cuh"

namespace tephra {

// acc[0..3] += A B, A 16 x TERMS, B TERMS x 8; TERMS: 4, 8 or 16. Each four terms have their operands as `mma_f64` has
// them: a holds rows g and g + 8 of its column q, b holds row q and column g.
template <int TERMS>
__device__ __forceinline__ void mma_f64(double (&acc)[4], const double (&a)[TERMS / 2], const double (&b)[TERMS / 4]) {
    static_assert(TERMS == 4 || TERMS == 8 || TERMS == 16, "what the instruction has");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if constexpr (TERMS == 16) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
                     "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
                     : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                       "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
        return;
    } else if constexpr (TERMS == 8) {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
        return;
    }
#endif
#pragma unroll
    for (int k = 0; k < TERMS / 4; ++k) mma_f64(acc, a[2 * k], a[2 * k + 1], b[k]);
}

} // namespace tephra
