// Numbers as sums of two FP16 numbers.
#pragma once
#include "../arch/arch.cuh"

namespace tephra {

// Two numbers, each as a sum of two 11-bit numbers; the first one's parts are in the lower halves of the words.
struct HalfPairs {
    unsigned high, low;
};

__device__ __forceinline__ HalfPairs halve(float x, float y) {
    HalfPairs p;
    float high_x, high_y;
    p.high = halves_of(x, y);
    from_halves(p.high, high_x, high_y);
    const float low_y = y - high_y, low_x = x - high_x;
    p.low = halves_of(low_x, low_y);
    return p;
}

} // namespace tephra
