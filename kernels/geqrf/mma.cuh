// The FP64 tensor instruction.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// acc[0..3] += A B, A 16 x 4 (a0: row g, a1: row g + 8), B 4 x 8; acc: rows g (two columns), then g + 8.
// Lane 4 g + q has column q of A, row q and column g of B, columns 2 q and 2 q + 1 of acc.
__device__ __forceinline__ void mma_f64(double (&acc)[4], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
                 : "d"(a0), "d"(a1), "d"(b));
#else
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(acc[0]), "+d"(acc[1])
                 : "d"(a0), "d"(b));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(acc[2]), "+d"(acc[3])
                 : "d"(a1), "d"(b));
#endif
}

} // namespace tephra
