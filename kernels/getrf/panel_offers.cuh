// What the warps of a panel offer as pivot rows, and the choice among them.
#pragma once
#include "../common/instance.cuh"
#include "pivot.cuh"

namespace tephra {

// Of up to W warps, rows of N elements; two steps use it in turn.
template <typename T, int N, int W>
struct PanelOffers {
    using Best = Candidate<Real<T>>;
    struct Offer {
        alignas(16) T row[N];
        Best pivot;
    };
    Offer offers[2][W];

    // The best of all warps, in all lanes. Behind the barrier after which a step's offers are there.
    __device__ __forceinline__ Best best(int turn, int lane, int warps) const {
        const Best mine = lane < warps ? offers[turn][lane < warps ? lane : 0].pivot : Best::none();
        return mine.template best<32>();
    }
};

} // namespace tephra
