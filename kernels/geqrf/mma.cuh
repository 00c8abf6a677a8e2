// The tensor instructions: FP64, and TF32 with FP32 sums.
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

// x rounded to TF32 (to nearest, ties away from zero): 8 bits of exponent, 10 of mantissa.
__device__ __forceinline__ float tf32(float x) {
    unsigned y;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return __uint_as_float(y);
}

// acc[0..3] += A B of values rounded to TF32, A 16 x 8 (a0: row g, column q; a1: row g + 8; a2, a3: column q + 4), B 8
// x 8 (b0: row q, b1: row q + 4; column g); acc: rows g (columns 2 q and 2 q + 1), then g + 8. Lane 4 g + q.
__device__ __forceinline__ void mma_tf32(float (&acc)[4], float a0, float a1, float a2, float a3, float b0, float b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
        : "r"(__float_as_uint(a0)), "r"(__float_as_uint(a1)), "r"(__float_as_uint(a2)), "r"(__float_as_uint(a3)),
          "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

} // namespace tephra
