// A small matrix with one or a few rows in each lane, and right-hand sides as further columns; a warp holds several
// matrices.
//
// Rows stay in their lanes: a lane keeps track of its row's current position, and stores it there. Lanes broadcast rows
// through shared memory: a read of 16 bytes that all lanes need costs as much as a shuffle of four.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "lanes.cuh"
#include "pivot.cuh"

namespace tephra {

// The unit of access to shared memory: 16 bytes.
template <typename T>
struct alignas(16) Pack {
    static constexpr int size = 16 / sizeof(T);
    T x[size];
};

// Stores *to = from if `mine`, without a branch.
template <typename T>
__device__ __forceinline__ void store_if(bool mine, Pack<T> *to, const Pack<T> &from) {
    store_if(mine, static_cast<void *>(to), reinterpret_cast<const Real<T> *>(from.x));
}

// A buffer through which one lane sends a row of COLUMNS elements to the PR lanes of its matrix. Two buffers alternate,
// so that a step has a single barrier.
template <typename T, int PR, int COLUMNS>
struct RowExchange {
    static constexpr int packs = (COLUMNS + Pack<T>::size - 1) / Pack<T>::size;
    // Odd; otherwise the matrices of a warp would use the same banks.
    Pack<T> rows[2][32 / PR][packs | 1];
};

// PR lanes have S rows each, PR apart: N columns of the matrix, then R columns of right-hand sides. MIXED: the matrices
// of a warp have their own sizes.
template <typename T, int PR, int N, int R = 0, int S = 1, bool MIXED = false>
struct RowTile : LeastPivot<tephra::Real<T>, MIXED> {
    using Real = tephra::Real<T>;
    using Exchange = RowExchange<T, PR, N + R>;
    static constexpr int V = Pack<T>::size, mats = 32 / PR;
    static constexpr bool single = S == 1;
    static_assert(single || R == 0, "right-hand sides are in lanes with one row");

    T a[S][N + R];
    int lane, position[S], m, n;
    Exchange &exchange;
    int most; // if MIXED: number of steps of the warp's largest matrix

    __device__ __forceinline__ RowTile(int m_, int n_, Exchange &exchange_) : m(m_), n(n_), exchange(exchange_) {
        lane = threadIdx.x % PR;
        restart();
    }
    // Resets the positions to those before any exchange.
    __device__ __forceinline__ void restart() {
#pragma unroll
        for (int s = 0; s < S; ++s) position[s] = row(s);
    }
    __device__ __forceinline__ int row(int s = 0) const { return s * PR + lane; }
    // Index of this lane's matrix in its warp.
    static __device__ __forceinline__ int mat() { return threadIdx.x % 32 / PR; }
    // The member that this lane works on, in blocks of WARPS warps.
    template <int WARPS>
    static __device__ __forceinline__ long long member_of_lane() {
        return (static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32) * mats + mat();
    }

    // If the columns are contiguous, they are constant distances apart, and addresses take no instructions. Columns
    // beside the matrix are zero; rows below it are zero or copies of a row, but are never candidates and are not
    // stored.
    __device__ __forceinline__ void load(const T *A, long long lda) {
        const bool packed = n == N && lda == N;
#pragma unroll
        for (int s = 0; s < S; ++s) {
            const bool mine = row(s) < m;
            const T *from = A + (mine ? row(s) : 0);
            if (packed) {
#pragma unroll
                for (int j = 0; j < N; ++j) a[s][j] = from[j * N];
            } else {
#pragma unroll
                for (int j = 0; j < N; ++j, from += lda) a[s][j] = mine && j < n ? *from : make<T>(0);
            }
        }
    }
    // Loads `count` columns of B.
    __device__ __forceinline__ void load_sides(const T *B, long long ldb, int count) {
        B += row();
#pragma unroll
        for (int j = 0; j < R; ++j, B += ldb) a[0][N + j] = row() < n && j < count ? *B : make<T>(0);
    }
    __device__ __forceinline__ void store(T *A, long long lda) const {
        const bool packed = n == N && lda == N;
#pragma unroll
        for (int s = 0; s < S; ++s) {
            if (row(s) >= m) continue;
            T *to = A + position[s];
            if (packed) {
#pragma unroll
                for (int j = 0; j < N; ++j) to[j * N] = a[s][j];
            } else {
#pragma unroll
                for (int j = 0; j < N; ++j, to += lda)
                    if (j < n) *to = a[s][j];
            }
        }
    }
    // Stores to row `to` of B.
    __device__ __forceinline__ void store_sides(T *B, long long ldb, int count, int to) const {
        if (row() >= n) return;
        B += to;
#pragma unroll
        for (int j = 0; j < R; ++j, B += ldb)
            if (j < count) *B = a[0][N + j];
    }

    // Broadcasts the row selected by `mine`, from column FROM on, to all lanes of its matrix. The call after the next
    // reuses the buffer.
    template <int FROM, typename Mine>
    __device__ __forceinline__ const Pack<T> *broadcast(int turn, Mine mine) {
        auto &there = exchange.rows[turn & 1][mat()];
#pragma unroll
        for (int s = 0; s < S; ++s) {
            if (!mine.possible(s)) continue;
#pragma unroll
            for (int p = FROM / V; p < Exchange::packs; ++p) {
                Pack<T> pack;
#pragma unroll
                for (int v = 0; v < V; ++v) pack.x[v] = p * V + v < N + R ? a[s][p * V + v] : make<T>(0);
                store_if(mine(s), &there[p], pack);
            }
        }
        __syncwarp();
        return there;
    }
    // Selects this lane's only row.
    struct OnlyRow {
        bool mine;
        __device__ __forceinline__ bool possible(int) const { return true; }
        __device__ __forceinline__ bool operator()(int) const { return mine; }
    };
    template <int FROM>
    __device__ __forceinline__ const Pack<T> *broadcast(int turn, bool mine) {
        return broadcast<FROM>(turn, OnlyRow{mine});
    }
    // Calls f(s, a[s][j], theirs[j]) for the columns from FROM on.
    template <int FROM, typename F>
    __device__ __forceinline__ void combine(const Pack<T> *theirs, F f) {
#pragma unroll
        for (int p = FROM / V; p < Exchange::packs; ++p) {
            const Pack<T> pack = theirs[p];
#pragma unroll
            for (int v = 0; v < V; ++v) {
                const int j = p * V + v;
                if (j < FROM || j >= N + R) continue;
#pragma unroll
                for (int s = 0; s < S; ++s) f(s, a[s][j], pack.x[v]);
            }
        }
    }

    struct Found {
        int lane, slot, position;

        __device__ __forceinline__ int row() const { return slot * PR + lane; }
    };
    // Finds the pivot of column k among the rows at positions from k on. A whole warp reduces to the largest size and
    // then to the first position; in smaller groups the high words of the sizes nearly always decide, and nothing else
    // is compared.
    template <int k>
    __device__ __forceinline__ Found find() const {
        Candidate<Real> mine[S];
#pragma unroll
        for (int s = 0; s < S; ++s) {
            const bool candidate = row(s) < m && position[s] >= k;
            mine[s] = {candidate ? pivot_size(a[s][k]) : Size<Real>::none(),
                       static_cast<unsigned>(position[s] << 16 | row(s))};
        }
        if constexpr (PR == 32 && S == 1) {
            const auto best = mine[0].template best<32>();
            return {best.row(), 0, best.position()};
        } else {
            unsigned largest = mine[0].size.high;
#pragma unroll
            for (int s = 1; s < S; ++s) largest = mine[s].size.high > largest ? mine[s].size.high : largest;
#pragma unroll
            for (int d = PR / 2; d > 0; d /= 2) {
                const unsigned other = __shfl_xor_sync(0xffffffffu, largest, d);
                largest = other > largest ? other : largest;
            }
            Found found = {0, 0, 0};
            unsigned as_large = 0; // lanes with the largest size, in slot found.slot
            bool tie = false;
#pragma unroll
            for (int s = 0; s < S; ++s) {
                unsigned these = __ballot_sync(0xffffffffu, mine[s].size.high == largest);
                if constexpr (PR < 32) these = these >> (mat() * PR) & ((1u << PR) - 1);
                tie = tie || (these & (these - 1)) != 0 || (these != 0 && as_large != 0);
                if (these != 0) as_large = these, found.slot = s;
            }
            found.lane = __ffs(as_large) - 1;
            if (__any_sync(0xffffffffu, tie)) {
#pragma unroll
                for (int s = 1; s < S; ++s) mine[0].take(mine[s]);
                const int row = mine[0].template best<PR>().row();
                found.lane = row % PR, found.slot = row / PR;
            }
            int there = position[0];
#pragma unroll
            for (int s = 1; s < S; ++s) there = s == found.slot ? position[s] : there;
            found.position = __shfl_sync(0xffffffffu, there, found.lane, PR);
            return found;
        }
    }

    // What the factorisation returns besides the rows.
    struct Result {
        int first_zero = 0;      // counted from 1; if pivots are replaced, how many were
        int interchange[S] = {}; // for the steps with the numbers of this lane's rows
        int pivot_row = 0;       // the row that was the pivot of the first of these steps
        bool unusual = false;    // whether a pivot was not is_usual
    };
    // The row that is a step's pivot. Without a search it is known at compile time.
    template <bool SEARCH, int k>
    struct Pivot {
        int lane, slot;
        bool active, here; // here: in this lane

        __device__ __forceinline__ bool possible(int s) const { return SEARCH || s == k / PR; }
        __device__ __forceinline__ bool operator()(int s) const { return active && here && s == slot; }
    };
    // A = P L U in place (L U without a search), and B := L^-1 P^T B. own(whether, divisor) is told whether this lane's
    // row is the step's pivot row. The number of steps is only checked every few steps: the extra ones change nothing,
    // and the compiler can overlap the end of a step with the next one's search. For the same reason pivots are treated
    // as usual unless CAREFUL; if one is not, `unusual` tells the caller to start again.
    template <bool SEARCH, bool CAREFUL, int k = 0, typename F>
    __device__ __forceinline__ void factor(int steps, Result &result, F own) {
        if constexpr (k < N) {
            if (k % 4 == 0 && k >= (MIXED ? most : steps)) return;
            const bool active = k < steps;
            Found found = {k % PR, k / PR, k};
            if constexpr (SEARCH) found = find<k>();
            const Pivot<SEARCH, k> pivot = {found.lane, found.slot, active, lane == found.lane};
            T value = a[SEARCH ? 0 : k / PR][k];
            if constexpr (SEARCH) {
#pragma unroll
                for (int s = 1; s < S; ++s) value = choose(s == found.slot, a[s][k], value);
            }
            value = of_lane<PR>(value, found.lane);
            if constexpr (MIXED && !SEARCH) {
                if (active && this->least > 0 && replace_small(value, this->least)) {
                    ++result.first_zero; // replaced pivots are not zero
                    if (pivot(k / PR)) a[k / PR][k] = value;
                }
            }
            const Pack<T> *const theirs = broadcast<k>(k, pivot);
            if constexpr (SEARCH) {
                if (lane == k % PR) result.interchange[k / PR] = found.position + 1;
                if (single && row() == k) result.pivot_row = found.row();
#pragma unroll
                for (int s = 0; s < S; ++s) {
                    if (active && position[s] == k) position[s] = found.position;
                    if (pivot(s)) position[s] = k;
                }
            }
            const Divisor<T> by = divisor<CAREFUL>(value, active, k, result);
            if constexpr (R > 0) own(pivot(0), by);
            T multiplier[S];
            bool below[S];
#pragma unroll
            for (int s = 0; s < S; ++s) {
                below[s] = SEARCH ? active && position[s] > k : row(s) > k;
                if (below[s]) a[s][k] = CAREFUL ? by.of(a[s][k]) : mul(a[s][k], by.reciprocal);
                multiplier[s] = a[s][k];
            }
            combine<k + 1>(theirs, [&](int s, T &mine, T u) {
                if (below[s]) mine = fnma_(multiplier[s], u, mine);
            });
            factor<SEARCH, CAREFUL, k + 1>(steps, result, own);
        }
    }
    template <bool CAREFUL>
    __device__ __forceinline__ static Divisor<T> divisor(T value, bool active, int k, Result &result) {
        const bool usual = is_usual(value);
        if constexpr (!CAREFUL) {
            result.unusual = result.unusual || (active && !usual);
            return Divisor<T>::of_usual(value);
        } else {
            if (usual) return Divisor<T>::of_usual(value);
            const bool zero = is_zero(value);
            if (active && zero && result.first_zero == 0) result.first_zero = k + 1;
            return Divisor<T>(zero ? make<T>(1) : value);
        }
    }
    // Factors what load() loads.
    template <bool SEARCH, typename Load, typename F>
    __device__ __forceinline__ Result factored(int steps, Load load, F own) {
        Result result;
        if constexpr (MIXED) most = __reduce_max_sync(0xffffffffu, steps);
        load();
        factor<SEARCH, false>(steps, result, own);
        if (__any_sync(0xffffffffu, result.unusual)) {
            result = Result();
            restart();
            load();
            factor<SEARCH, true>(steps, result, own);
        }
        return result;
    }

    // The solution's step for one unknown: the lane with equation k divides by `own`, if `divides`, and the lanes that
    // `need` it subtract their multiple of the result.
    template <int k, typename Source>
    __device__ __forceinline__ void substitute(const Divisor<T> &own, bool divides, int place, bool need,
                                               Source source) {
        if (divides && place == k) own.template divide<R>(a[0] + N);
        const T multiplier = a[0][k];
        const auto take = [&](int, T &mine, T x) {
            if (need) mine = fnma_(multiplier, x, mine);
        };
        if constexpr (R == 1)
            take(0, a[0][N], of_lane<PR>(a[0][N], source(k)));
        else
            combine<N>(broadcast<N>(k, place == k), take);
    }
    // Solves with the lower triangle. place: position of this lane's row; own: its diagonal element, unless the
    // diagonal is unit; source(k): the lane of the row at position k.
    template <int k = 0, typename Source>
    __device__ __forceinline__ void solve_lower(int order, const Divisor<T> &own, bool divides, int place,
                                                Source source) {
        if constexpr (k < N) {
            if (k == 0) __syncwarp(); // shared memory is free
            if (k >= order) return;
            substitute<k>(own, divides, place, place > k, source);
            solve_lower<k + 1>(order, own, divides, place, source);
        }
    }
    // The same with the upper triangle.
    template <int k = N - 1, typename Source>
    __device__ __forceinline__ void solve_upper(int order, const Divisor<T> &own, bool divides, int place,
                                                Source source) {
        if constexpr (k >= 0) {
            if (k == N - 1) __syncwarp();
            if (k < order) substitute<k>(own, divides, place, place < k, source);
            solve_upper<k - 1>(order, own, divides, place, source);
        }
    }

    // This lane's element in column `place`; 1 beyond the matrix.
    __device__ __forceinline__ T diagonal(int place) const {
        T x = make<T>(1);
#pragma unroll
        for (int j = 0; j < N; ++j)
            if (j == place && j < n) x = a[0][j];
        return x;
    }

    // Moves this lane's position through the n interchanges of a factorisation.
    __device__ __forceinline__ void follow(const int *ipiv) {
        const int mine = row() < n ? ipiv[row()] - 1 : row();
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const int other = __shfl_sync(0xffffffffu, mine, k, PR);
            position[0] = position[0] == k ? other : position[0] == other ? k : position[0];
        }
    }
    // Moves the right-hand sides to the lanes of their positions, or back.
    template <bool to>
    __device__ __forceinline__ void move_sides(T (&through)[PR][R | 1]) {
        __syncwarp();
#pragma unroll
        for (int r = 0; r < R; ++r) through[to ? position[0] : row()][r] = a[0][N + r];
        __syncwarp();
#pragma unroll
        for (int r = 0; r < R; ++r) a[0][N + r] = through[to ? row() : position[0]][r];
    }
    // Transposes the matrix, of order N.
    __device__ __forceinline__ void transpose(T (&through)[N][PR + 1], bool conjugate) {
        if (row() < N) {
#pragma unroll
            for (int j = 0; j < N; ++j) through[row()][j] = a[0][j];
        }
        __syncwarp();
        if (row() < N) {
#pragma unroll
            for (int j = 0; j < N; ++j) a[0][j] = conjugate ? conj(through[j][row()]) : through[j][row()];
        }
    }
};

} // namespace tephra
