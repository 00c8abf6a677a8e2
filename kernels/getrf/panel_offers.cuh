// The warps' candidates for a panel's pivot row, and the choice among them.
#pragma once
#include "../common/instance.cuh"
#include "pivot.cuh"

namespace tephra {

// Candidates of up to W warps, rows of N elements; two steps alternate.
template <typename T, int N, int W>
struct PanelOffers {
    using Best = Candidate<Real<T>>;
    struct Offer {
        alignas(16) T row[N];
        Best pivot;
    };
    Offer offers[2][W];

    // The best of all warps' candidates, in all lanes. Call it after the barrier that follows the offers.
    __device__ __forceinline__ Best best(int turn, int lane, int warps) const {
        const Best mine = lane < warps ? offers[turn][lane < warps ? lane : 0].pivot : Best::none();
        return mine.template best<32>();
    }
};

} // namespace tephra
