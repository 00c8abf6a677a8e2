// A team's tile of a matrix, and the shared memory by which lanes tell each other of it.
#pragma once
#include "../common/chunk.cuh"
#include "scatter.cuh"
#include "tile.cuh"

namespace tephra {

// WHOLE: the tile is all of the matrix; else there are several (strip.cuh), and FIRST is the matrix's column that is
// column 0 of the tile.
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_, bool WHOLE>
struct TeamTile : Tile<T_, PR_, PC_, RPT_, CPT_, W_> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, W_>;
    using Base::a, Base::CPT, Base::k_end, Base::P, Base::PC, Base::PR, Base::RPT, Base::W;
    using typename Base::R;
    using typename Base::T;

    static constexpr int V = Chunk<T>::size;
    // Whether columns of extreme size are scaled first. A lone warp's matrix in double precision takes all registers:
    // there, even the look at them costs a tenth, and they are left to the slow path.
    static constexpr bool scaled = !(WHOLE && W == 1 && sizeof(R) == 8);
    // Whether the pivot column goes through shared memory while N register columns are left. A lone warp has shuffles,
    // but those of eight bytes are two each, and while columns are long they wait for each other.
    static __host__ __device__ constexpr bool via_shared(int N) {
        return W > 1 || (WHOLE && (sizeof(T) == 2 * sizeof(float) ? N >= 4 : sizeof(T) == sizeof(float) && N >= 5));
    }
    // Rows of a lane in the exchange, side by side; an odd number of chunks keeps the lanes in different banks.
    static constexpr int box_rows = ((RPT + V - 1) / V | 1) * V, box_size = via_shared(CPT) ? box_rows * PR : 1;

    // Whether the pivot's row may go through shared memory: sums are scattered, or shuffles dear.
    static constexpr bool by_line = PR >= 4 && (sizeof(R) == 4 || (WHOLE && W == 1));
    static constexpr int line = by_line ? ((CPT + V - 1) / V | 1) * V : 1;
    struct alignas(2 * sizeof(T)) Done {
        T d;
        R minus_beta; // as a step has it; 0: H = I
    };
    struct Exchange {
        // Pivot columns on their way, from the pivot's register row on. Two, so that one barrier a step is enough.
        alignas(16) T x[W > 1 ? 2 : 1][box_size];
        alignas(16) T row[by_line ? W * PC : 1][line]; // the pivot's row, a line for each lane column of each warp
        Done done[Base::max_n];                        // the tile's finished columns, for the store
        R scratch[32];
    };
    Exchange &exchange;
    T *tau;

    __device__ __forceinline__ TeamTile(int m, int n, T *tau_, Exchange &exchange_)
        : Base(m, n), exchange(exchange_), tau(tau_) {}

    // Before the steps: those that find H = I leave it at that.
    __device__ __forceinline__ void begin_done() {
        for (int j = threadIdx.x; j < Base::max_n; j += 32 * W) exchange.done[j] = {make<T>(1), R(0)};
        __syncwarp(); // a step may be next
    }
    // By the lane that has the pivot: what the step leaves of it, and of its column for the store.
    __device__ __forceinline__ void finish_pivot(const UnscaledReflector<T> &h, T &pivot, Done &to) {
        if (is_complex<T> || !h.identity) pivot = make<T>(is_complex<T> && h.identity ? re(pivot) : h.beta);
        if (!h.identity) to = {h.d, -h.beta};
    }

    // Whether all threads say so.
    static __device__ __forceinline__ bool all(bool yes) {
        if constexpr (W == 1)
            return __all_sync(0xffffffffu, yes);
        else
            return __syncthreads_and(yes);
    }

    // Elements first .. END - 1 of x(i), i a multiple of V, side by side.
    template <int END, typename F>
    static __device__ __forceinline__ void send(T *to, int first, const F &x) {
#pragma unroll
        for (int i = first / V * V; i < END; i += V) {
            if (i + V <= END && i + 1 >= first) {
                Chunk<T> q;
#pragma unroll
                for (int e = 0; e < V; ++e) q.e[e] = x(i + e);
                *reinterpret_cast<Chunk<T> *>(to + i) = q;
            } else { // a whole chunk would want its registers in a row, those of finished elements too
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (i + e >= first && i + e < END) to[i + e] = x(i + e);
            }
        }
    }

    // Whether the columns from k_end on, which never become a pivot, are in the range, as far as this lane has their
    // rows. FIRST: the matrix's column that is the tile's first. Of a square real matrix that is the last one alone.
    template <int FIRST>
    __device__ __forceinline__ bool rest_ok() const {
        using Range = ProductRange<R>;
        const auto good = [&](int c) {
            R part[2] = {0, 0};
#pragma unroll
            for (int r = 0; r < RPT; ++r) part[r % 2] = abs2_add(a[r][c], part[r % 2]);
            const R sum = part[0] + part[1];
            const bool not_tiny = scaled || sum == 0 || sum > NegligibleSquare<R>::limit;
            return FIRST + this->col(c) < k_end || (not_tiny && sum < Range::hi);
        };
        bool ok = good(CPT - 1);
        if (k_end < FIRST + (CPT - 1) * P) {
#pragma unroll
            for (int c = 0; c < CPT - 1; ++c) ok &= good(c);
        }
        return ok;
    }
};

} // namespace tephra
