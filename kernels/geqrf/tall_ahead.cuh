// For a block that fills a multiprocessor and takes one tall matrix after another: the next matrix is fetched while
// this one is factored. Bulk copies fetch NB columns at a time, as soon as their place in shared memory is free. Of the
// first panel, whose place is in registers, AHEAD columns have a place of their own in shared memory, and the others
// are prefetched into the L2 cache. Matrices that bulk copies cannot handle (16-byte alignment) are loaded when their
// turn comes. See tall.cuh.
#pragma once
#include "../common/copy_barrier.cuh"
#include "update_memory.cuh"

namespace tephra {

template <typename Update>
struct TallAhead : Update {
    using typename Update::T;
    using Update::a, Update::memory, Update::lane, Update::lc, Update::w, Update::t, Update::m, Update::n;
    using Update::N, Update::NB, Update::PC, Update::RPT, Update::AHEAD;
    using Update::slots, Update::step_m, Update::max_m, Update::sync;
    using Update::Update;

    // Writes zeros where bulk copies leave gaps in `count` columns, the first of which is column `first`.
    __device__ __forceinline__ void clear(T *to, int first, int count) const {
        if (m == max_m && n == N) return;
        for (int j = lc; j < count; j += PC)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (first + j >= n || r * step_m >= m - t) to[j * max_m + t + r * step_m] = make<T>(0);
    }
    // Called before all other functions here; a barrier of the block must follow.
    __device__ __forceinline__ void begin() {
        clear(memory.ahead, 0, AHEAD);
        if (bulk_copies && threadIdx.x == 0) {
            memory.first.init(1);
            memory.rest.init(n > NB ? (n - 1) / NB : 1);
        }
    }
    // Starts copies of columns first .. first + count - 1 of A to `to`. Called by warp 0, when nobody reads `to` any
    // more.
    __device__ __forceinline__ void fetch(const T *A, long long lda, int first, int count, T *to, CopyBarrier &there) {
        const int live = n - first < count ? n - first : count;
        const unsigned bytes = m * sizeof(T);
        if (lane == 0) there.expect(live * bytes);
        __syncwarp();
        if (lane < live) there.copy(to + lane * max_m, A + (first + lane) * lda, bytes);
    }
    // Orders this block's previous reads and writes before the bulk copies that follow, if there are any.
    static __device__ __forceinline__ void release_places(bool any) {
        if (bulk_copies && any) before_bulk_copies();
        sync();
    }
    // Fetches the first panel of the next matrix (null: none). release_places must be called between `take` and this.
    __device__ __forceinline__ void fetch_first(T *A, long long lda) {
        if (w != 0) return;
        const bool bulk = bulk_copies && A && aligned<16>(A, lda) && m * sizeof(T) % 16 == 0;
        if (lane == 0) {
            memory.next = A;
            memory.fetched = bulk;
        }
        if (bulk) {
            fetch(A, lda, 0, AHEAD, memory.ahead, memory.first);
            if (AHEAD + lane < NB && AHEAD + lane < n) prefetch_column(A + (AHEAD + lane) * lda, m);
        }
    }
    // Fetches NB columns of the next matrix, from column `first` on, whose place this thread no longer needs.
    __device__ __forceinline__ void fetch_piece(long long lda, int first) {
        T *to = memory.parked + (first - NB) * max_m;
        if (memory.fetched) clear(to, first, NB);
        release_places(memory.fetched);
        if (w == 0 && memory.fetched) fetch(memory.next, lda, first, NB, to, memory.rest);
    }
    // Moves the first panel to registers: the fetched columns, and the others from the L2 cache. `turn`: the number of
    // matrices fetched before this one.
    __device__ __forceinline__ void take(const T *A, long long lda, unsigned turn) {
        const T *p = A + (AHEAD + lc) * lda + t;
#pragma unroll
        for (int c = AHEAD / PC; c < slots; ++c, p += PC * lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = c * PC + lc < n && r * step_m < m - t ? p[r * step_m] : make<T>(0);
        memory.first.wait(turn);
        const T *q = memory.ahead + lc * max_m + t;
#pragma unroll
        for (int c = 0; c < AHEAD / PC; ++c, q += PC * max_m)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = q[r * step_m];
    }
};

} // namespace tephra
