// QR of a tall panel from its Gram matrix: the arguments of the launches (mirrored in src/gpu/tall/gram_steps.rs).
#pragma once
#include "../common/batch.cuh"

namespace tephra {

// An m x n panel of each member. Rows are divided into parts, and several parts form a group. The last block of a group
// to finish adds up the group's sums, and the last one of a member adds up those of the groups.
struct CholqrArgs {
    static constexpr int REFLECTORS = 0, FACTORS = 1, TRIANGLE = 2; // what is wanted: V, R and tau; Q and R; R
    // States of a member: Q must be orthogonalised again; all but the remaining rows is finished; a wider panel did it.
    static constexpr unsigned AGAIN = 1, DONE = 2, WITHIN = 3;
    static constexpr int WORDS = 32; // per member: state, number of finished groups, of finished parts of each

    Operand a, to, r, tau; // the panel; where V or Q is written; where R is written; tau
    long long a0, lda, to0, ldto, r0, ldr, tau0;
    long long m, chunk, batch; // chunk: rows of a part
    int *info;                 // set to 0 for finished members, unless null
    void *sums; // per member: the Gram matrix of each part, then of each group; wide panels: the whole one
    long long sums_stride;
    void *factors; // per member, N x N each: R, R2, an inverse, and the rows' factor in lane order
    long long factors_stride;
    unsigned *words;       // zero before the first launch
    const unsigned *outer; // the members' states in a wider panel that includes these columns, or null
    int n, parts, group, wanted;
    int head;      // rows at the top that are not multiplied
    unsigned when; // multiply the rows of members in this state
    int again;     // wide panels: 1: A holds Q
    int pad;
    Operand by; // n x n and upper triangular, unless null: Q is multiplied by it from the right
    long long ld_by;

    __device__ __forceinline__ unsigned *state(long long i) const { return words + i * WORDS; }
};

// Whether other kernels have nothing left to do for a member, given these states (or null).
__device__ __forceinline__ bool cholqr_done(const unsigned *states, long long i) {
    return states && states[i * CholqrArgs::WORDS] >= CholqrArgs::DONE;
}

} // namespace tephra
