// Entry points. The header of each family ends with a macro that instantiates one of its kernels, under the name and
// for the precision that build.rs fills in from manifest.toml. With TEPHRA_DESCRIBE defined, the macro instead emits
// the description of the kernel that plans need.
#pragma once
#include "batch.cuh"
#include "room.cuh"
#include "scalar.cuh"

// Precisions by their BLAS letter.
namespace tephra::letter {
using s = float;
using d = double;
using c = Complex<float>;
using z = Complex<double>;
} // namespace tephra::letter

namespace tephra {

// What plans need to know about a kernel. build.rs reads the fields in this order, and src/gpu/plan/table.rs mirrors
// it.
struct Instance {
    int threads;       // per block
    int rows = 0;      // held by the kernel
    int columns = 0;   // held by the kernel
    int warps = 1;     // per matrix
    int per_block = 1; // matrices or tiles per block
    int shared = 0;    // dynamic shared memory of a block in bytes, without the part that depends on sizes
    int per_processor =
        0;              // blocks per multiprocessor if blocks loop over matrices; 0: one matrix per place in the grid
    int reflectors = 0; // applied at a time
    int tile = 0;       // columns of a team's tile
    int cluster = 1;    // blocks that share the rows of a matrix
    int outside = 0;    // 1: can read A from another matrix than it factors, and write R to another
    int grids[5] = {};  // matrices per block for grids of 1 x 1, 2 x 2, ... lanes; 0: grid not supported
    Room room;

    constexpr explicit Instance(int threads) : threads(threads) {}

    constexpr Instance holds(int m, int n) const {
        Instance with = *this;
        with.rows = m, with.columns = n;
        return with;
    }
    // PR x PC lanes of each of W warps hold RPT x CPT elements each, with the W warps side by side. The block's other
    // warps have their own matrices.
    constexpr Instance lanes(int pr, int pc, int rpt, int cpt, int w = 1) const {
        Instance with = holds(pr * rpt, pc * cpt * w);
        with.warps = w, with.per_block = 32 / (pr * pc) * (threads / 32 / w);
        return with;
    }
    // The same lanes hold `count` tiles side by side, in a block with one matrix.
    constexpr Instance strips(int count, int w = 1) const {
        Instance with = holds(rows, columns * count);
        with.warps = w, with.per_block = 1;
        return with;
    }
    constexpr Instance at_most_square() const { return columns > rows ? holds(rows, rows) : *this; }
    constexpr Instance by_warps(int count) const {
        Instance with = *this;
        with.warps = count;
        return with;
    }
    constexpr Instance places(int count) const {
        Instance with = *this;
        with.per_block = count;
        return with;
    }
    constexpr Instance needs(size_t bytes) const {
        Instance with = *this;
        with.shared = static_cast<int>(bytes);
        return with;
    }
    // For shared memory that depends on sizes: `bytes` is a function of their counts (room.cuh).
    template <typename R, typename... N, typename... Sizes>
    constexpr Instance needs(R (*bytes)(N...), Sizes... sizes) const {
        static_assert(sizeof...(N) == sizeof...(Sizes), "a size for each argument");
        const auto of_counts = [=](const int(&n)[Room::SIZES]) {
            if constexpr (sizeof...(N) == 1)
                return static_cast<int>(bytes(n[0]));
            else if constexpr (sizeof...(N) == 2)
                return static_cast<int>(bytes(n[0], n[1]));
            else if constexpr (sizeof...(N) == 3)
                return static_cast<int>(bytes(n[0], n[1], n[2]));
            else
                return static_cast<int>(bytes(n[0], n[1], n[2], n[3]));
        };
        Instance with = needs(of_counts({}));
        with.room = Room(of_counts, with.shared, sizeof...(N), {sizes...});
        return with;
    }
    constexpr Instance from_outside(bool can = true) const {
        Instance with = *this;
        with.outside = can;
        return with;
    }
    constexpr Instance at_once(int blocks) const {
        Instance with = *this;
        with.per_processor = blocks;
        return with;
    }
    // The kernel applies NB reflectors to tiles of NT columns, with G teams in each of CL blocks, each of which keeps a
    // Storage.
    template <typename Storage>
    constexpr Instance applies(int nb, int nt, int g, int cl = 1) const {
        Instance with = holds(Storage::capacity * cl, nt * g).needs(sizeof(Storage));
        with.reflectors = nb, with.tile = nt, with.cluster = cl;
        return with;
    }
};

} // namespace tephra

// ABOUT: an Instance, in parentheses if it contains commas. BOUNDS: the kernel's launch bounds. The rest: the function
// that the kernel calls, with its template arguments. (The descriptions are __device__ and not __constant__ because
// together they exceed constant memory.)
#ifdef TEPHRA_DESCRIBE
#define TEPHRA_ENTRY(NAME, ABOUT, BOUNDS, ARGS, ...)                                                                   \
    namespace tephra {                                                                                                 \
    extern "C" __device__ const Instance NAME = ABOUT;                                                                 \
    }
#else
#define TEPHRA_ENTRY(NAME, ABOUT, BOUNDS, ARGS, ...)                                                                   \
    namespace tephra {                                                                                                 \
    extern "C" __global__ void BOUNDS NAME(const __grid_constant__ ARGS args) { __VA_ARGS__(args); }                   \
    }
#endif

// An entry point without size parameters.
#define TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ARGS, FUNCTION)                                                           \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), ARGS, FUNCTION<letter::T, THREADS>)
