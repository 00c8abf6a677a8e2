// Blocks within members that have their own sizes: their addresses, and the part of them that is inside each member.
#pragma once
#include "../common/instance.cuh"

namespace tephra {

// All mirrored in src/gpu/data_movement/blocks.rs.

struct BlockArray {
    char *const *from;
    char **to; // receives the addresses of elements (row, column)
    const int *leading;
    int row, column;
};

// What remains of a size of each member after `before` rows or columns, at most `most`.
struct BlockSize {
    const int *each;
    int *out; // -1 for a member that ends before, or has no matrix
    int before, most;
};

struct BlocksArgs {
    static constexpr int MOST = 3;

    BlockArray arrays[MOST];
    BlockSize sizes[MOST];
    long long batch;
    int array_count, size_count, element;
    int pad;
};

template <int THREADS>
__device__ __forceinline__ void blocks(const BlocksArgs &args) {
    for (long long i = blockIdx.x * (THREADS + 0ll) + threadIdx.x; i < args.batch; i += gridDim.x * (THREADS + 0ll)) {
        bool there = true;
        for (int k = 0; k < args.size_count; ++k) there &= args.sizes[k].each[i] >= args.sizes[k].before;
        for (int k = 0; k < args.array_count; ++k) {
            const BlockArray &array = args.arrays[k];
            char *const from = array.from[i];
            there &= from != nullptr;
            const long long first = array.row + static_cast<long long>(array.column) * array.leading[i];
            array.to[i] = from ? from + first * args.element : nullptr;
        }
        for (int k = 0; k < args.size_count; ++k) {
            const BlockSize &size = args.sizes[k];
            const int left = there ? size.each[i] - size.before : -1;
            size.out[i] = left < size.most ? left : size.most;
        }
    }
}

} // namespace tephra

#define TEPHRA_BLOCKS(NAME, T, THREADS)                                                                                \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), BlocksArgs, blocks<THREADS>)
