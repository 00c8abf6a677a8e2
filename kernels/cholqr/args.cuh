// QR of a tall panel from its Gram matrix: what the launches are told (mirrored in src/gpu/tall/gram_steps.rs).
#pragma once
#include "../common/batch.cuh"

namespace tephra {

// An m x n panel of each member. Rows are divided into parts; a few parts are a group, whose last block to end adds up
// the group's sums, and the member's last one those of the groups.
struct CholqrArgs {
    static constexpr int REFLECTORS = 0, FACTORS = 1, TRIANGLE = 2; // what is wanted: V, R and tau; Q and R; R
    // States of a member: Q is to be made orthogonal; all but the other rows is there; a wider panel has done it.
    static constexpr unsigned AGAIN = 1, DONE = 2, WITHIN = 3;
    static constexpr int WORDS = 32; // of a member: state, groups that have ended, parts of each

    Operand a, to, r, tau; // the panel; where V or Q goes; where R goes; tau
    long long a0, lda, to0, ldto, r0, ldr, tau0;
    long long m, chunk, batch; // chunk: rows of a part
    int *info;                 // set to 0 of members that are done, unless null
    void *sums; // of a member: a Gram matrix's numbers of each part, then of each group; wide panels: all of it
    long long sums_stride;
    void *factors; // of a member, N x N each: R, R2, an inverse, and what rows are multiplied with as lanes take it
    long long factors_stride;
    unsigned *words;       // zero before the first launch
    const unsigned *outer; // of members, the states of a wider panel that has these columns, or null
    int n, parts, group, wanted;
    int head;      // rows at the top that are not multiplied
    unsigned when; // state of the members whose rows are
    int again;     // wide panels: 1: A is Q

    __device__ __forceinline__ unsigned *state(long long i) const { return words + i * WORDS; }
};

// Whether there is nothing left to do for a member by other kernels: these are its states, or null.
__device__ __forceinline__ bool cholqr_done(const unsigned *states, long long i) {
    return states && states[i * CholqrArgs::WORDS] >= CholqrArgs::DONE;
}

} // namespace tephra
