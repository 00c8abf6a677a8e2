// QR of a tall panel by a reduction tree: the arguments of its launches (mirrored in src/gpu/tall/tree_steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../cholqr/args.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// A level of the tree: matrices of m rows and n columns, one per member of the batch, whose rows are divided into
// blocks. The matrices of level 0 are the panels; those of a higher level are the R factors of the blocks below,
// stacked.
struct TsqrLevel {
    Operand a;
    long long a0, lda; // first element from the member's start; leading dimension
    long long m;
    long long rows, blocks; // rows per block, except as `first` says; blocks per matrix
    void *tau;              // block j of member i has n of them, from i * stride + j * n on
    long long stride;

    // Block j's first row. A block that would have at most n rows takes over 32 of its neighbour's.
    __device__ __forceinline__ long long first(long long j, int n) const {
        const long long row = j * rows;
        return j > 0 && m - row <= n ? row - 32 : row;
    }
    __device__ __forceinline__ int height(long long j, int n) const {
        const long long end = j + 1 < blocks ? first(j + 1, n) : m;
        return static_cast<int>(end - first(j, n));
    }
    template <typename T>
    __device__ __forceinline__ T *block(long long i, long long j, int n) const {
        return member<T>(a, i) + a0 + first(j, n);
    }
    template <typename T>
    __device__ __forceinline__ T *taus(long long i, long long j, int n) const {
        return static_cast<T *>(tau) + i * stride + j * n;
    }
};

// Which columns of V, one bit each, have nonzero elements below the diagonal; for each member.
struct TsqrMarks {
    unsigned known; // seen in its first rows
    unsigned found; // by blocks, if `known` is incomplete
    unsigned done;  // number of blocks that have searched
    unsigned pad;
};

// A launch for all blocks of a level.
struct TsqrArgs {
    static constexpr int FROM = 1, SLOTS = 2; // flags
    TsqrLevel level;
    Operand up; // the n x n matrix of block j is at row j n: takes R, later provides C
    long long up_ld;
    long long batch;
    int n;
    int last; // 1: the result is V, not Q
    // Used if `last`:
    void *head; // the panels' first n rows: n x n per member, from i * stride on
    long long stride;
    Operand tau;
    long long tau0;
    TsqrMarks *marks;
    // On the way up, if flags say so: the level's matrix is read here instead of from `level.a`.
    Operand from;
    long long ld_from;
    // If flags say so: places where blocks that are not needed again are factored, one for each thread block, which
    // takes every gridDim.x-th block. level.a then has only the first blocks of the members.
    void *slots;
    int flags;
    long long blocks;       // of all members, fewer than 2^31
    const unsigned *states; // of members that may be finished already (cholqr/args.cuh), or null
    // On the way down, in the highest level, unless null: n x n, by which Q is multiplied from the right. What the
    // level finds above it is then the diagonal matrix of the signs of Q's columns.
    Operand factor;
    long long ld_factor;

    template <typename T>
    __device__ __forceinline__ T *above(long long i, long long j) const {
        return member<T>(up, i) + j * n;
    }
};

// Computes the panels' first rows from the first blocks of all levels; or, if R is wanted with Q or alone, R and the
// signs of Q's columns.
struct TsqrHeadArgs {
    static constexpr int most = 12;

    int levels, n;
    long long batch;
    void *inverse;    // U^-1, n x n; or a diagonal matrix of signs
    void *head;       // the panel's first n rows: R, and V below the diagonal
    long long stride; // of both, from one member to the next
    Operand tau;
    long long tau0;
    TsqrMarks *marks;
    int *info; // set to 0 unless null
    Operand r; // where R is written, with zeros below its diagonal; null: V, R and tau are wanted
    long long ldr;
    const unsigned *states; // as in TsqrArgs
    TsqrLevel level[most];
};

} // namespace tephra
