// Sums of many values at once over a warp.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// Sums value(j), LO <= j < HI, over the lanes: lane i gets the sum of value(i % L), and lanes without one get anything.
// Each exchange with a neighbour keeps one half of the values and gives the other away, so that L values cost L +
// log2(32 / L) exchanges instead of 5 L. Each value is requested just before its exchange, so that few are in registers
// at a time and the exchanges hide behind the arithmetic of the next values.
// LANES: sums over groups of that many lanes. PLACED: a lane passes value(i ^ lane % PLACED) as its i-th value, so that
// the first exchanges need not select what to give away.
template <int L, int LO, int HI, int PLACED = 1>
struct Halve {
    static_assert(L <= 32 && (L & (L - 1)) == 0 && 0 <= LO && LO < HI && HI <= L);

    // Of values FIRST .. FIRST + SIZE
    template <int FIRST, int SIZE, typename F>
    static __device__ __forceinline__ auto block(const F &value, int lane) {
        if constexpr (SIZE == 1) {
            return value(Index<FIRST>());
        } else {
            constexpr int H = SIZE / 2, MID = FIRST + H;
            if constexpr (MID <= LO) {
                const auto x = block<MID, H>(value, lane);
                return add(x, shfl_xor(x, H));
            } else if constexpr (MID >= HI) {
                const auto x = block<FIRST, H>(value, lane);
                return add(x, shfl_xor(x, H));
            } else {
                const auto x = block<FIRST, H>(value, lane), y = block<MID, H>(value, lane);
                if constexpr (H < PLACED) {
                    return add(x, shfl_xor(y, H));
                } else {
                    const bool odd = lane & H;
                    return add(odd ? y : x, shfl_xor(odd ? x : y, H));
                }
            }
        }
    }
    template <int I>
    struct Index {
        static constexpr int value = I;
        constexpr __device__ operator int() const { return I; }
    };
};

template <int L, int LO, int HI, int PLACED = 1, int LANES = 32, typename F>
__device__ __forceinline__ auto halve(int lane, const F &value) {
    auto sum = Halve<L, LO, HI, PLACED>::template block<0, L>(value, lane);
#pragma unroll
    for (int mask = L; mask < LANES; mask *= 2) sum = add(sum, shfl_xor(sum, mask));
    return sum;
}

} // namespace tephra
