// LU without interchanges of a matrix in the registers of a warp, or of a part of one, whose lanes form a grid of rows
// and columns.
//
// Lanes synchronise only within their warp. A step's column and row are sent through shared memory, and the reciprocal
// of its pivot is computed, while the previous step's update of all other elements is still under way. A matrix that
// does not fit into registers is factored in passes from left to right; the multipliers of earlier passes stay in
// shared memory.
#pragma once
#include "../arch/arch.cuh"
#include "row_tile.cuh"

namespace tephra {

// Lane (x, y) of PR x PC has rows x + PR r, r < RPT, and columns y + PC c, c < CPT, of each pass. LOOPS: steps that use
// the same registers share code. EARLY: columns are stored as soon as they are done, and an unusual pivot is handled in
// its step; otherwise all columns are stored at the end of a pass, and a pass that meets such a pivot is loaded again
// and repeated with CAREFUL steps.
template <typename T, int PR, int PC, int RPT, int CPT, int PASSES, bool LOOPS, bool EARLY>
struct GridLu {
    static constexpr int lanes = PR * PC, mats = 32 / lanes, V = Pack<T>::size;
    static constexpr int rows = PR * RPT, width = PC * CPT, held = (PASSES - 1) * width;
    static constexpr int G = PR < PC ? PR : PC; // steps with the same register row and column
    static constexpr int row_packs = (RPT + V - 1) / V, column_packs = (CPT + V - 1) / V;

    struct Exchange {
        // Odd numbers of packs avoid bank conflicts. The last two columns, and the rows, alternate.
        Pack<T> columns[held + 2][mats][PR][row_packs | 1];
        Pack<T> rows[2][mats][PC][column_packs | 1];
    };
    static_assert(!EARLY || rows >= PASSES * width, "all columns have steps");

    T a[RPT][CPT], pivot;
    Exchange &exchange;
    int lr, lc, m, n, steps;
    int first_zero = 0;   // counted from 1
    bool unusual = false; // whether a pivot was not is_usual (without EARLY)
    T *out;               // where the next column is stored
    long long apart;      // distance between this lane's columns

    __device__ __forceinline__ GridLu(int m_, int n_, Exchange &exchange_)
        : pivot(make<T>(0)), exchange(exchange_), m(m_), n(n_) {
        lr = threadIdx.x % PR, lc = threadIdx.x % lanes / PR;
        steps = m < n ? m : n;
    }
    static __device__ __forceinline__ int mat() { return threadIdx.x % 32 / lanes; }
    __device__ __forceinline__ int row(int r) const { return r * PR + lr; }

    template <int FIRST>
    __device__ __forceinline__ void load(const T *A, long long lda) {
        const T *from = A + lr + (FIRST + lc) * lda;
#pragma unroll
        for (int c = 0; c < CPT; ++c, from += apart)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = row(r) < m && FIRST + c * PC + lc < n ? from[r * PR] : make<T>(0);
    }
    template <int FIRST, int c>
    __device__ __forceinline__ void store_column(T *to) const {
        if (FIRST + c * PC + lc < n) {
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (row(r) < m) to[r * PR] = a[r][c];
        }
    }
    template <int FIRST, int c = 0>
    __device__ __forceinline__ void store(T *to) const {
        if constexpr (c < CPT) {
            store_column<FIRST, c>(to);
            store<FIRST, c + 1>(to + apart);
        }
    }

    // Writes elements FROM .. COUNT - 1 of this lane, if `mine`.
    template <int FROM, int COUNT, typename Element>
    static __device__ __forceinline__ void send(bool mine, Pack<T> *to, Element element) {
#pragma unroll
        for (int p = FROM / V; p * V < COUNT; ++p) {
            Pack<T> pack;
#pragma unroll
            for (int v = 0; v < V; ++v) {
                const int i = p * V + v;
                pack.x[v] = i >= FROM && i < COUNT ? element(i < FROM ? FROM : i < COUNT ? i : COUNT - 1) : make<T>(0);
            }
            store_if(mine, to + p, pack);
        }
    }
    template <int FROM, int COUNT>
    static __device__ __forceinline__ void receive(const Pack<T> *from, T (&x)[COUNT]) {
#pragma unroll
        for (int p = FROM / V; p * V < COUNT; ++p) {
            const Pack<T> pack = from[p];
#pragma unroll
            for (int v = 0; v < V; ++v)
                if (p * V + v >= FROM && p * V + v < COUNT) x[p * V + v] = pack.x[v];
        }
    }
    // Broadcast step k's pivot, which is in lane (kr, kc) and register (r, c), and its column; and step k's row.
    template <int r, int c>
    __device__ __forceinline__ void send_column(int k, int kr, int kc) {
        pivot = of_lane<lanes>(a[r][c], kc * PR + kr);
        send<r, RPT>(lc == kc, exchange.columns[held + (k & 1)][mat()][lr], [&](int i) { return a[i][c]; });
    }
    template <int r, int c>
    __device__ __forceinline__ void send_row(int k, int kr) {
        send<c, CPT>(lr == kr, exchange.rows[k & 1][mat()][lc], [&](int i) { return a[r][i]; });
    }

    template <bool CAREFUL>
    __device__ __forceinline__ Divisor<T> divisor(int k) {
        const bool odd = !is_usual(pivot) && k < steps;
        if constexpr (!CAREFUL) {
            unusual = unusual || odd;
            return Divisor<T>::of_usual(pivot);
        } else {
            if (!__any_sync(0xffffffffu, odd)) return Divisor<T>::of_usual(pivot);
            const bool zero = is_zero(pivot);
            if (odd && zero && first_zero == 0) first_zero = k + 1;
            return Divisor<T>(zero ? make<T>(1) : pivot);
        }
    }

    // Step k, whose row and column are in registers R0 and C0. It sends the next step's row and column, from registers
    // R1 and C1, as early as it can. FACTORS: whether the pivot's column belongs to this pass; NEXT: whether the next
    // step's does; HOLDS: whether a later pass needs the multipliers.
    template <int R0, int C0, bool FACTORS, int R1, int C1, bool NEXT, bool CAREFUL, bool HOLDS>
    __device__ __forceinline__ void step(int k, int kr, int kc, int next_kr, int next_kc) {
        T l[RPT], u[CPT];
        __syncwarp();
        receive<R0>(exchange.columns[FACTORS ? held + (k & 1) : k][mat()][lr], l);
        receive<C0>(exchange.rows[k & 1][mat()][lc], u);
        if constexpr (FACTORS) {
            const Divisor<T> by = divisor<CAREFUL>(k);
#pragma unroll
            for (int r = R0; r < RPT; ++r) l[r] = CAREFUL ? by.of(l[r]) : mul(l[r], by.reciprocal);
        }
        const bool below = lr > kr, right = lc > kc;
        const auto update = [&](int r, int c) {
            if ((r > R0 || below) && (!FACTORS || c > C0 || right)) a[r][c] = fnma_(l[r], u[c], a[r][c]);
        };
        constexpr bool more = C1 < CPT && R1 < RPT;
        if constexpr (more && NEXT) {
#pragma unroll
            for (int r = R1; r < RPT; ++r) update(r, C1);
            send_column<R1, C1>(k + 1, next_kr, next_kc);
        }
        if constexpr (more) {
#pragma unroll
            for (int c = C1 + NEXT; c < CPT; ++c) update(R1, c);
            send_row<R1, C1>(k + 1, next_kr);
        }
#pragma unroll
        for (int r = R0; r < RPT; ++r)
#pragma unroll
            for (int c = C0; c < CPT; ++c) {
                const bool done = more && ((NEXT && r >= R1 && c == C1) || (r == R1 && c >= C1));
                if (!done) update(r, c);
            }
        if constexpr (FACTORS) {
            if (lc == kc) {
#pragma unroll
                for (int r = R0; r < RPT; ++r)
                    if (r > R0 || below) a[r][C0] = l[r];
            }
        }
        if constexpr (FACTORS && HOLDS)
            send<R0, RPT>(lc == kc, exchange.columns[k][mat()][lr], [&](int i) { return l[i]; });
    }

    // Sends row and column for the first step of a group that uses the same registers, or for the very first: no step
    // before has sent them.
    template <int K, int FIRST>
    __device__ __forceinline__ void begin() {
        constexpr bool factors = K >= FIRST;
        constexpr int r = K / PR, c = factors ? (K - FIRST) / PC : 0;
        if constexpr (factors) send_column<r, c>(K, K % PR, (K - FIRST) % PC);
        send_row<r, c>(K, K % PR);
    }
    // The steps from K on, of the pass that begins with column FIRST. The number of steps is only checked every few
    // steps: the extra ones change nothing that is stored.
    template <int K, int FIRST, bool CAREFUL>
    __device__ __forceinline__ void walk() {
        if constexpr (K < FIRST + width && K < rows) {
            constexpr bool factors = K >= FIRST, holds = FIRST < held, loops = LOOPS || CAREFUL != EARLY;
            constexpr int r = K / PR, c = factors ? (K - FIRST) / PC : 0, kc = factors ? (K - FIRST) % PC : 0;
            if (K % 4 == 0 && K >= steps) {
                if constexpr (EARLY) store<FIRST, K <= FIRST ? 0 : (K - FIRST) / PC>(out);
                return;
            }
            constexpr int next = K + (loops ? G : 1);
            if constexpr (loops) {
                begin<K, FIRST>();
#pragma unroll 1
                for (int s = 0; s < G; ++s)
                    step<r, c, factors, r, c, factors, CAREFUL, holds>(K + s, K % PR + s, kc + s, K % PR + s + 1,
                                                                       kc + s + 1);
            } else {
                constexpr bool goes_on = next >= FIRST;
                constexpr int next_c = goes_on ? next - FIRST : 0;
                if constexpr (K == 0) begin<K, FIRST>();
                step<r, c, factors, next / PR, next_c / PC, goes_on, CAREFUL, holds>(K, K % PR, kc, next % PR,
                                                                                     next_c % PC);
            }
            if constexpr (EARLY) after<next, FIRST>();
            walk<next, FIRST, CAREFUL>();
        }
    }
    // Before step K: stores the column that has been completed.
    template <int K, int FIRST>
    __device__ __forceinline__ void after() {
        if constexpr (K > FIRST && (K - FIRST) % PC == 0) {
            store_column<FIRST, (K - FIRST) / PC - 1>(out);
            out += apart;
        }
    }
    template <int FIRST = 0>
    __device__ __forceinline__ void run(T *A, long long lda, bool live) {
        if constexpr (FIRST < PASSES * width) {
            if (FIRST > 0 && FIRST >= n) return;
            apart = PC * lda;
            load<FIRST>(A, lda);
            __syncwarp(); // the previous pass's exchange has been read
            if constexpr (EARLY) {
                out = A + lr + (FIRST + lc) * lda;
                walk<0, FIRST, true>();
            } else {
                walk<0, FIRST, false>();
                if (__any_sync(0xffffffffu, unusual)) {
                    load<FIRST>(A, lda);
                    __syncwarp();
                    walk<0, FIRST, true>();
                    unusual = false;
                }
                if (live) store<FIRST>(A + lr + (FIRST + lc) * lda);
            }
            run<FIRST + width>(A, lda, live);
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int PASSES, int WARPS, bool LOOPS, bool EARLY>
__device__ __forceinline__ void getrf_grid(const GetrfArgs &args) {
    using Lu = GridLu<T, PR, PC, RPT, CPT, PASSES, LOOPS, EARLY>;
    static_assert(!EARLY || Lu::mats * WARPS == 1, "what is stored early is not the last matrix once more");
    auto *const exchange = reinterpret_cast<typename Lu::Exchange *>(dynamic_shared());
    const long long place = (static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32) * Lu::mats + Lu::mat();
    const bool live = place < args.batch;
    const long long i = live ? place : args.batch - 1;
    Lu lu(args.m, args.n, exchange[threadIdx.x / 32]);
    lu.run(args.matrix<T>(i), args.lda, live);
    if (live && lu.lr == 0 && lu.lc == 0) args.set_info(i, lu.first_zero);
}

} // namespace tephra

#define TEPHRA_GETRF_NOPIV_GRID(NAME, T, PR, PC, RPT, CPT, PASSES, WARPS, MIN_BLOCKS, LOOPS, EARLY)                    \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * WARPS)                                                                                 \
                      .holds(PR * RPT, PC * CPT * PASSES)                                                              \
                      .places(32 / (PR * PC) * WARPS)                                                                  \
                      .needs(WARPS * sizeof(GridLu<letter::T, PR, PC, RPT, CPT, PASSES, LOOPS, EARLY>::Exchange))),    \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), GetrfArgs,                                                 \
                 getrf_grid<letter::T, PR, PC, RPT, CPT, PASSES, WARPS, LOOPS, EARLY>)
