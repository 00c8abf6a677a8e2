// A team's tile of a matrix, and the shared memory through which its lanes communicate.
#pragma once
#include "../common/chunk.cuh"
#include "scatter.cuh"
#include "tile.cuh"

namespace tephra {

// The tile's row and column where its matrix begins. They are the first, except for matrices that are placed in the
// last rows and columns of tiles made for larger ones: the steps from there on are the tile's cheapest.
template <bool PLACED>
struct Placement {
    static constexpr int skip = 0;
};
template <>
struct Placement<true> {
    int skip;
};

// WHOLE: the tile is the whole matrix; otherwise the matrix has several tiles (strip.cuh), and FIRST is the matrix's
// column that is column 0 of this one. PLACED: the matrix begins at `skip`; m and n count the rows and columns of the
// tile up to the matrix's last, and addresses are those that the tile's first element would have.
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_, bool WHOLE, bool PLACED = false>
struct TeamTile : Tile<T_, PR_, PC_, RPT_, CPT_, W_>, Placement<PLACED> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, W_>;
    using Base::a, Base::CPT, Base::k_end, Base::lr, Base::m, Base::n, Base::P, Base::PC, Base::PR, Base::RPT, Base::W;
    using Placement<PLACED>::skip;
    using typename Base::R;
    using typename Base::T;

    static constexpr bool placed = PLACED;
    static constexpr int V = Chunk<T>::size;
    // Two register rows by which columns are judged; a small matrix has none of the tile's first.
    static constexpr int looked_at = PLACED && RPT > 1 ? RPT - 2 : 0;
    // Whether columns of extreme size are scaled first. In double precision, a lone warp's matrix takes all registers,
    // and even the check for such columns would cost a tenth of the time, so they are left to the slow path.
    static constexpr bool scaled = !(WHOLE && W == 1 && sizeof(R) == 8);
    // Whether the pivot column goes through shared memory while N register columns are left. A lone warp has shuffles,
    // but an element of eight bytes takes two, and while columns are long the shuffles wait for each other.
    static __host__ __device__ constexpr bool via_shared(int N) {
        return W > 1 || (WHOLE && (sizeof(T) == 2 * sizeof(float) ? N >= 4 : sizeof(T) == sizeof(float) && N >= 5));
    }
    // A lane's rows in the exchange, side by side; an odd number of chunks keeps the lanes in different banks.
    static constexpr int box_rows = ((RPT + V - 1) / V | 1) * V, box_size = via_shared(CPT) ? box_rows * PR : 1;

    // Whether the pivot's row may go through shared memory: sums are scattered, or shuffles expensive.
    static constexpr bool by_line = PR >= 4 && (sizeof(R) == 4 || (WHOLE && W == 1));
    static constexpr int line = by_line ? ((CPT + V - 1) / V | 1) * V : 1;
    struct alignas(2 * sizeof(T)) Done {
        T d;
        R minus_beta; // of the step; 0: H = I
    };
    struct Exchange {
        // Pivot columns on their way, from the pivot's register row on. Two, so that one barrier per step is enough.
        alignas(16) T x[W > 1 ? 2 : 1][box_size];
        alignas(16) T row[by_line ? W * PC : 1][line]; // the pivot's row, a line for each lane column of each warp
        Done done[Base::max_n];                        // scalars of the tile's finished columns, for the store
        R scratch[32];
    };
    Exchange &exchange;
    T *tau;

    __device__ __forceinline__ TeamTile(int m, int n, T *tau_, Exchange &exchange_)
        : Base(m, n), exchange(exchange_), tau(tau_) {}

    __device__ __forceinline__ bool has_column(int j) const { return j >= skip && j < n; }
    // Where an m x n matrix is placed: its last row or column is the tile's last.
    static __device__ __forceinline__ int place(int m, int n) {
        const int rows = Base::max_m - m, columns = Base::max_n - n;
        return !PLACED ? 0 : rows < columns ? rows : columns;
    }
    // How many of the tile's columns before `end` are the matrix's.
    __device__ __forceinline__ int own_columns(int end) const { return PLACED && end < skip ? 0 : end - skip; }
    __device__ __forceinline__ void load(const T *A, long long lda) {
        if constexpr (PLACED) {
            const int first = skip - lr;
#pragma unroll
            for (int c = 0; c < CPT; ++c) {
                const T *p = A + this->col(c) * lda + lr;
                const int rows = has_column(this->col(c)) ? m - lr : 0;
#pragma unroll
                for (int r = 0; r < RPT; ++r) a[r][c] = r * PR >= first && r * PR < rows ? p[r * PR] : make<T>(0);
            }
        } else {
            Base::load(A, lda);
        }
    }

    // Called before the steps. Steps that find H = I leave these values. A placed matrix has no step in the register
    // columns before its first, whose scalars are nevertheless read, so no step's barrier would come between.
    __device__ __forceinline__ void begin_done() {
        for (int j = threadIdx.x; j < Base::max_n; j += 32 * W) exchange.done[j] = {make<T>(1), R(0)};
        if constexpr (PLACED)
            __syncthreads();
        else
            __syncwarp(); // a step may be next
    }
    // Called by the lane that has the pivot: writes what the step leaves of the pivot, and the column's scalars for the
    // store.
    __device__ __forceinline__ void finish_pivot(const UnscaledReflector<T> &h, T &pivot, Done &to) {
        if (is_complex<T> || !h.identity) pivot = make<T>(is_complex<T> && h.identity ? re(pivot) : h.beta);
        if (!h.identity) to = {h.d, -h.beta};
    }

    // Whether all threads of the team say yes.
    static __device__ __forceinline__ bool all(bool yes) {
        if constexpr (W == 1)
            return __all_sync(0xffffffffu, yes);
        else
            return __syncthreads_and(yes);
    }

    // Writes x(first) .. x(END - 1) to `to`, whose index 0 is aligned to a chunk, by chunks where possible.
    template <int END, typename F>
    static __device__ __forceinline__ void send(T *to, int first, const F &x) {
#pragma unroll
        for (int i = first / V * V; i < END; i += V) {
            if (i + V <= END && i + 1 >= first) {
                Chunk<T> q;
#pragma unroll
                for (int e = 0; e < V; ++e) q.e[e] = x(i + e);
                *reinterpret_cast<Chunk<T> *>(to + i) = q;
            } else { // a whole chunk would need consecutive registers, also for finished elements
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (i + e >= first && i + e < END) to[i + e] = x(i + e);
            }
        }
    }

    // Whether the columns from k_end on, which never become pivots, are in the range, judging by the rows of this lane.
    // FIRST: the matrix's column that is the tile's first. In a square real matrix, only the last column is such a one.
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
