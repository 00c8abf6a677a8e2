// Addresses of blocks on the diagonals of a batch's matrices, so that a launch can work on all of them.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"

namespace tephra {

// Each operand gets the addresses of all blocks, then of every second one, then of every fourth one, and so on, at last
// of the first one alone. Addresses of the same block in all members are adjacent. Mirrored in
// src/gpu/triangle/diagonals.rs.
struct DiagonalPointersArgs {
    static constexpr int OPERANDS = 3;

    Operand of[OPERANDS];                      // strides are in bytes
    long long first[OPERANDS], step[OPERANDS]; // bytes before a member's first block, and from one block to the next
    void **to;
    long long pointers; // of an operand
    long long blocks;   // of a member
    long long batch;
};

template <int THREADS>
__device__ __forceinline__ void diagonal_pointers(const DiagonalPointersArgs &args) {
    const long long all = args.pointers * DiagonalPointersArgs::OPERANDS;
    for (long long p = blockIdx.x * (THREADS + 0ll) + threadIdx.x; p < all; p += gridDim.x * (THREADS + 0ll)) {
        const int operand = static_cast<int>(p / args.pointers);
        long long at = p % args.pointers, blocks = args.blocks;
        int level = 0;
        for (; at >= blocks * args.batch; blocks = (blocks + 1) / 2, ++level) at -= blocks * args.batch;
        const long long block = at / args.batch << level;
        char *const start = member<char>(args.of[operand], at % args.batch);
        args.to[p] = start + args.first[operand] + block * args.step[operand];
    }
}

} // namespace tephra

#define TEPHRA_DIAGONAL_POINTERS(NAME, T, THREADS)                                                                     \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), DiagonalPointersArgs, diagonal_pointers<THREADS>)
