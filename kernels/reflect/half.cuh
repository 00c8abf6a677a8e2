// Numbers as sums of two FP16 ones, and the tensor instruction for these.
#pragma once

namespace tephra {

// Two numbers, each of which is the sum of two with 11 bits: those of the first are in the lower halves.
struct HalfPairs {
    unsigned high, low;
};

// acc[0..3] += A B with FP32 sums, A 16 x 16 (a0: row g, columns 2 q and 2 q + 1; a1: row g + 8; a2, a3: columns 8
// further), B 16 x 8 (b0: rows 2 q and 2 q + 1; b1: 8 further; column g); acc: rows g (columns 2 q and 2 q + 1), then
// g + 8. Lane 4 g + q. FRESH: in place of what acc holds.
template <bool FRESH>
__device__ __forceinline__ void mma_f16(float (&acc)[4], const uint4 &a, const unsigned (&b)[2]) {
    if constexpr (FRESH)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%10,%10,%10,%10};"
            : "=f"(acc[0]), "=f"(acc[1]), "=f"(acc[2]), "=f"(acc[3])
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]), "f"(0.0f));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ HalfPairs halve(float x, float y) {
    HalfPairs p;
    float high_x, high_y;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p.high) : "f"(y), "f"(x));
    asm("{ .reg .b16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b; }"
        : "=f"(high_x), "=f"(high_y)
        : "r"(p.high));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p.low) : "f"(y - high_y), "f"(x - high_x));
    return p;
}

} // namespace tephra
