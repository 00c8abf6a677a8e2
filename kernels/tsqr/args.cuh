// QR of a tall panel by a tree: what its launches are told (mirrored in src/gpu/tall/tree_steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../cholqr/args.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// A level of the tree: matrices of m rows and n columns, one for each member of the batch, whose rows are divided into
// blocks. Level 0's are the panels, those of a level above are the R of the blocks below, one under the other.
struct TsqrLevel {
    Operand a;
    long long a0, lda; // first element from the member's start; leading dimension
    long long m;
    long long rows, blocks; // rows of a block, but see `first`; blocks of a matrix
    void *tau;              // of member i's block j: n of them from i * stride + j * n on
    long long stride;

    // Block j's first row. One that had no more than n rows gets 32 of its neighbour's.
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

// Of a member: columns of V with more than a one, a bit each.
struct TsqrMarks {
    unsigned known; // seen in its first rows
    unsigned found; // by blocks, if those are not all
    unsigned done;  // blocks that have looked
    unsigned pad;
};

// A launch on all blocks of a level.
struct TsqrArgs {
    static constexpr int FROM = 1, SLOTS = 2; // flags
    TsqrLevel level;
    Operand up; // the n x n matrix of block j from row j n on: where R goes, and where C comes from
    long long up_ld;
    long long batch;
    int n;
    int last; // 1: V comes, not Q
    // By `last`:
    void *head; // the panels' first n rows: member i's n x n from i * stride on
    long long stride;
    Operand tau;
    long long tau0;
    TsqrMarks *marks;
    // On the way up, by flag: where the level's matrix is read, in place of `level.a`.
    Operand from;
    long long ld_from;
    // And where blocks that nobody asks for again are factored, one place for each block of the launch. Then level.a
    // has only the first blocks of the members.
    void *slots;
    int flags;
    long long first;        // of all members' blocks, the launch's first
    const unsigned *states; // of members that may be done already (cholqr/args.cuh), or null

    template <typename T>
    __device__ __forceinline__ T *above(long long i, long long j) const {
        return member<T>(up, i) + j * n;
    }
};

// From the first blocks of all levels to the panels' first rows; or, where R is wanted with Q or alone, to R and the
// signs of Q's columns.
struct TsqrHeadArgs {
    static constexpr int most = 12;

    int levels, n;
    long long batch;
    void *inverse;    // U^-1, n x n; or the signs on a diagonal
    void *head;       // the panel's first n rows: R, and V below the diagonal
    long long stride; // of both, from one member to the next
    Operand tau;
    long long tau0;
    TsqrMarks *marks;
    int *info; // set to 0 unless null
    Operand r; // where R goes, with zeros below its diagonal; null: V, R and tau are wanted
    long long ldr;
    const unsigned *states; // as in TsqrArgs
    TsqrLevel level[most];
};

} // namespace tephra
