// Entry points: each family's header ends with a macro that makes one of its kernels, under a name and for a precision
// that build.rs fills in from manifest.toml. With TEPHRA_DESCRIBE it leaves what plans must know of that kernel
// instead.
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

// What plans must know of a kernel; build.rs reads the fields in this order, and src/gpu/plan/table.rs has the same.
struct Instance {
    int threads;       // of a block
    int rows = 0;      // that it holds
    int columns = 0;   // that it holds
    int warps = 1;     // that share a matrix
    int per_block = 1; // matrices or tiles of a block
    int shared = 0;    // dynamic shared memory of a block, bytes; where it depends on sizes, what does not
    int per_processor =
        0;              // blocks of a multiprocessor where blocks take one matrix after another; 0: one matrix a place
    int reflectors = 0; // that it applies at a time
    int tile = 0;       // columns of a team's tile
    int cluster = 1;    // blocks that share a matrix's rows
    int outside = 0;    // 1: may read A elsewhere than where it factors, and put R elsewhere
    int grids[5] = {};  // of 1 x 1, 2 x 2, .. lanes: matrices that share a block; 0: not so
    Room room;

    constexpr explicit Instance(int threads) : threads(threads) {}

    constexpr Instance holds(int m, int n) const {
        Instance with = *this;
        with.rows = m, with.columns = n;
        return with;
    }
    // PR x PC lanes of each of W warps hold RPT x CPT elements each, the warps side by side; the other warps of the
    // block have matrices of their own.
    constexpr Instance lanes(int pr, int pc, int rpt, int cpt, int w = 1) const {
        Instance with = holds(pr * rpt, pc * cpt * w);
        with.warps = w, with.per_block = 32 / (pr * pc) * (threads / 32 / w);
        return with;
    }
    // The same lanes hold so many tiles side by side, in a block with one matrix.
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
    // Of shared memory that depends on sizes: `bytes` is a function of their counts.
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
    // NB reflectors to tiles of NT columns, by G teams in each of CL blocks that keep a Storage each.
    template <typename Storage>
    constexpr Instance applies(int nb, int nt, int g, int cl = 1) const {
        Instance with = holds(Storage::capacity * cl, nt * g).needs(sizeof(Storage));
        with.reflectors = nb, with.tile = nt, with.cluster = cl;
        return with;
    }
};

} // namespace tephra

// ABOUT: an Instance, in parentheses where commas ask for them. BOUNDS: the kernel's launch bounds. The rest: the
// function that it calls, with template arguments. (Descriptions are more than constant memory holds.)
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
