// Lists the members of a batch by falling size. The launches for each class of sizes then find their members side by
// side: blocks without work cost up to half as much again if they lie between those with work.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"

namespace tephra {

// Mirrored in src/gpu/plan/parts/sort.rs. Each array has one element per member.
struct SortEachArgs {
    static constexpr int BINS = 16; // for members with elements; bin 0 has the others

    Operand from[2];                     // the members' operands; the second may be missing
    void **to[2];                        // receive their addresses, in the new order
    long long bytes[2];                  // of an element
    const int *rows, *columns, *leading; // sizes; columns is null for squares
    int *sorted[3];                      // receive them in the new order
    int *order;                          // receives each place's member
    long long batch;                     // at most 2^30, so that indices are ints
    int most;                            // no valid member has more rows or columns
    int shift; // bin b has the members whose larger size is above (b - 1) 2^shift and at most b 2^shift

    __device__ __forceinline__ int bin(int m, int n) const {
        const int larger = m > n ? m : n;
        return m > 0 && n > 0 && larger <= most ? ((larger - 1) >> shift) + 1 : 0;
    }
};

// The lanes of a warp whose members have the same number, of BITS bits. Numbers of lanes without a member are ignored.
template <int BITS>
__device__ __forceinline__ unsigned lanes_with(int number, bool there) {
    unsigned lanes = __ballot_sync(0xffffffffu, there);
#pragma unroll
    for (int k = 0; k < BITS; ++k) {
        const unsigned set = __ballot_sync(0xffffffffu, number >> k & 1);
        lanes &= number >> k & 1 ? set : ~set;
    }
    return lanes;
}

// A stable counting sort of the members of BLOCKS blocks, with one member per thread. Each block counts the members of
// the others itself, which is faster than a second launch. More members than that are not merged: runs of members of
// one class only have to be long. Most code runs once, so that fetching it takes much of the time; loops that need not
// be unrolled are not.
template <int THREADS, int BLOCKS>
__device__ __forceinline__ void sort_each(const SortEachArgs &args) {
    constexpr int bins = SortEachArgs::BINS + 1, warps = THREADS / 32, at_once = 8;
    static_assert(warps == 32, "the lanes of a warp scan the counts of all warps");
    static_assert(bins <= warps && bins < 32, "each bin has a warp, and a number of 5 bits");
    static_assert(BLOCKS % at_once == 0);
    enum { own, before, after, kinds }; // members of this block, and of the blocks before and after it
    __shared__ int counts[warps][kinds][bins];
    __shared__ int totals[2][warps], places[2][warps][bins];
    // The block's members in the new order, so that neighbouring threads write to neighbouring places.
    __shared__ int m_at[THREADS], n_at[THREADS], ld_at[THREADS], member_at[THREADS], place_at[THREADS];
    __shared__ void *operand_at[2][THREADS];

    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32, batch = args.batch;
    const int first = blockIdx.x * THREADS, start = first - blockIdx.x % BLOCKS * THREADS, i = first + thread;
    const int *const rows = args.rows, *const columns = args.columns ? args.columns : args.rows;
    const bool there = i < batch;
    const int valid = there ? i : batch - 1;
    const int m = rows[valid], n = columns[valid], ld = args.leading[valid];
    void *operand[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const long long stride = args.from[k].stride * args.bytes[k];
        operand[k] = args.to[k] ? member<char>(args.from[k].p, args.from[k].pointers, stride, valid) : nullptr;
    }
    if (lane < bins)
        for (int kind = 0; kind < kinds; ++kind) counts[warp][kind][lane] = 0;
    __syncwarp();
#pragma unroll 1
    for (int block = 0; block < BLOCKS && start + block * THREADS < batch; block += at_once) {
        int other_m[at_once], other_n[at_once];
#pragma unroll
        for (int u = 0; u < at_once; ++u) {
            const int other = start + (block + u) * THREADS + thread, at = other < batch ? other : batch - 1;
            other_m[u] = rows[at], other_n[u] = columns[at];
        }
        keep_order(); // so that all loads are in flight at once
#pragma unroll
        for (int u = 0; u < at_once; ++u) {
            const int other = start + (block + u) * THREADS, kind = other < first ? before : after;
            if (other != first && other + thread < batch)
                atomicAdd(&counts[warp][kind][args.bin(other_m[u], other_n[u])], 1);
        }
    }
    const int bin = args.bin(m, n);
    const unsigned lanes = lanes_with<5>(bin, there);
    const int rank = __popc(lanes & ((1u << lane) - 1)); // among the warp's members of the bin
    if (there && rank == 0) counts[warp][own][bin] = __popc(lanes);
    __syncthreads();

    // A warp for each bin, and a lane for each warp's members of it.
    const bool counts_bin = warp < bins;
    const int here = counts_bin ? counts[lane][own][warp] : 0;
    int earlier = here, preceding = counts_bin ? counts[lane][before][warp] : 0;
    int all = preceding + (counts_bin ? counts[lane][after][warp] : 0);
#pragma unroll 1
    for (int step = 1; step < 32; step *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, earlier, step);
        if (lane >= step) earlier += left;
        preceding += __shfl_xor_sync(0xffffffffu, preceding, step);
        all += __shfl_xor_sync(0xffffffffu, all, step);
    }
    if (lane == 31) totals[0][warp] = all + earlier, totals[1][warp] = earlier;
    __syncthreads();
    int larger = lane > warp ? totals[0][lane] : 0, larger_here = lane > warp ? totals[1][lane] : 0; // they come first
#pragma unroll 1
    for (int step = 1; step < 32; step *= 2) {
        larger += __shfl_xor_sync(0xffffffffu, larger, step);
        larger_here += __shfl_xor_sync(0xffffffffu, larger_here, step);
    }
    if (counts_bin) {
        places[0][lane][warp] = start + larger + preceding + earlier - here;
        places[1][lane][warp] = larger_here + earlier - here;
    }
    __syncthreads();
    if (there) {
        const int slot = places[1][warp][bin] + rank;
        m_at[slot] = m, n_at[slot] = n, ld_at[slot] = ld, member_at[slot] = i;
        operand_at[0][slot] = operand[0], operand_at[1][slot] = operand[1];
        place_at[slot] = places[0][warp][bin] + rank;
    }
    __syncthreads();
    if (!there) return;
    const int place = place_at[thread];
    args.sorted[0][place] = m_at[thread];
    if (args.columns) args.sorted[1][place] = n_at[thread];
    args.sorted[2][place] = ld_at[thread];
    args.order[place] = member_at[thread];
#pragma unroll
    for (int k = 0; k < 2; ++k)
        if (args.to[k]) args.to[k][place] = operand_at[k][thread];
}

// Mirrored in src/gpu/plan/parts/sort.rs.
struct ReturnInfoArgs {
    const int *sorted, *order; // status codes by place, and each place's member
    int *info;
    long long batch;
};

// Writes the status codes in the members' original order.
template <int THREADS>
__device__ __forceinline__ void return_info(const ReturnInfoArgs &args) {
    const long long i = blockIdx.x * (THREADS + 0ll) + threadIdx.x;
    if (i < args.batch) args.info[args.order[i]] = args.sorted[i];
}

} // namespace tephra

#define TEPHRA_SORT_EACH(NAME, T, THREADS, BLOCKS)                                                                     \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(THREADS, SortEachArgs::BINS), __launch_bounds__(THREADS), SortEachArgs, \
                 sort_each<THREADS, BLOCKS>)
#define TEPHRA_RETURN_INFO(NAME, T, THREADS)                                                                           \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), ReturnInfoArgs, return_info<THREADS>)
