// The way of two factors through shared memory: some boxes are on their way while one is multiplied.
#pragma once
#include "../getrf/stage.cuh"

namespace tephra {

// Whether a tile's boxes are split before they are multiplied (split.cuh).
template <typename Tile>
inline constexpr bool is_split = false;

template <typename Tile, int STAGES>
struct ReflectStages {
    using T = typename Tile::T;
    struct Stage {
        alignas(16) T a[Tile::BoxA::size];
        alignas(16) T b[Tile::BoxB::size];
    };
    Stage places[STAGES];

    // `steps` boxes of both: copy(step, a, b) sends them, patch(step, a, b) changes what this thread has copied, when
    // it is there, use(a, b) multiplies.
    template <typename Copy, typename Patch, typename Use>
    __device__ __forceinline__ void run(int steps, Copy copy, Patch patch, Use use) {
        int here = 1, next = 0; // places of the boxes that are multiplied, and of those that are sent
#pragma unroll 1
        for (int step = 1 - STAGES; step < steps; ++step) {
            if (step >= 0) {
                copies_done_but<STAGES - 2>();
                patch(step, places[here].a, places[here].b);
                __syncthreads(); // everybody's are there, and the boxes before have been used
            }
            if (step + STAGES - 1 < steps) copy(step + STAGES - 1, places[next].a, places[next].b);
            copies_sent();
            next = next + 1 < STAGES ? next + 1 : 0;
            if (step >= 0) use(places[here].a, places[here].b);
            here = here + 1 < STAGES ? here + 1 : 0;
        }
    }
};

} // namespace tephra
