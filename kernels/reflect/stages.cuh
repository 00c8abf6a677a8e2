// The way of two factors through shared memory: some boxes are being copied while another is multiplied.
#pragma once
#include "../arch/arch.cuh"

namespace tephra {

// Whether a tile's boxes are split before they are multiplied (split.cuh).
template <typename Tile>
inline constexpr bool is_split = false;

// Whether a tile's boxes can follow each other without a gap (run_through).
template <typename Tile, int STAGES>
inline constexpr bool goes_through = false;

template <typename Tile, int STAGES>
struct ReflectStages {
    using T = typename Tile::T;
    struct Stage {
        alignas(16) T a[Tile::BoxA::size];
        alignas(16) T b[Tile::BoxB::size];
    };
    Stage places[STAGES];

    // Processes `steps` boxes of both factors: copy(step, a, b) starts their copies, patch(step, a, b) changes the
    // elements that this thread has copied once they are there, and use(a, b) multiplies.
    template <typename Copy, typename Patch, typename Use>
    __device__ __forceinline__ void run(int steps, Copy copy, Patch patch, Use use) {
        int here = 1, next = 0; // places of the boxes to be multiplied, and of those to be copied
#pragma unroll 1
        for (int step = 1 - STAGES; step < steps; ++step) {
            if (step >= 0) {
                copies_done_but<STAGES - 2>();
                patch(step, places[here].a, places[here].b);
                __syncthreads(); // all threads' copies are there, and the previous boxes have been used
            }
            if (step + STAGES - 1 < steps) copy(step + STAGES - 1, places[next].a, places[next].b);
            copies_sent();
            next = next + 1 < STAGES ? next + 1 : 0;
            if (step >= 0) use(places[here].a, places[here].b);
            here = here + 1 < STAGES ? here + 1 : 0;
        }
    }

    // The same for boxes that need no changes, added to the tile without a gap from box to box. The barrier is in the
    // middle of a box's products, whose next operands are in registers by then, and copies are started after products.
    template <bool CONJ, typename Copy>
    __device__ __forceinline__ void run_through(int steps, Tile &tile, Copy copy) {
        constexpr int last = Tile::KC - 4, meet = last > 4 ? 4 : 0;
        static_assert(STAGES >= 3 && last > meet && Tile::KC % 8 == 0, "the barrier is not at the end of a box");
#pragma unroll 1
        for (int s = 0; s < STAGES - 1; ++s) {
            if (s < steps) copy(s, places[s].a, places[s].b);
            copies_sent();
        }
        copies_done_but<STAGES - 2>();
        __syncthreads();
        typename Tile::Terms terms[2];
        tile.template fetch<CONJ>(terms[0], places[0].a, places[0].b, 0);
        int here = 0, free = STAGES - 1;
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            const int after = here + 1 < STAGES ? here + 1 : 0;
#pragma unroll
            for (int k = 0; k <= last; k += 4) {
                auto &now = terms[k / 4 % 2], &next = terms[(k / 4 + 1) % 2];
                if (k < last)
                    tile.template fetch<CONJ>(next, places[here].a, places[here].b, k + 4);
                else
                    tile.template fetch<CONJ>(next, places[after].a, places[after].b, 0); // unused after the last box
                if (k == meet) {
                    copies_done_but<STAGES - 3>();
                    __syncthreads(); // all threads' next boxes are there, and the previous ones have been used
                }
                tile.add(now);
                if (k == meet) {
                    if (step + STAGES - 1 < steps) copy(step + STAGES - 1, places[free].a, places[free].b);
                    copies_sent();
                }
            }
            here = after;
            free = free + 1 < STAGES ? free + 1 : 0;
        }
    }
};

} // namespace tephra
