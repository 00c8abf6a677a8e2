// A small matrix with a row in each lane, several matrices a warp; beside it, right-hand sides as further columns.
//
// Rows stay in their lanes: a lane knows at which position its row is by now, and stores it there. What a lane's row is
// to all others goes through shared memory: reading 16 bytes that all lanes want costs what a shuffle of four does.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "lanes.cuh"
#include "pivot.cuh"

namespace tephra {

// What one access to shared memory moves.
template <typename T>
struct alignas(16) Pack {
    static constexpr int size = 16 / sizeof(T);
    T x[size];
};

// *to = from, if `mine`; without a branch, so that what is before and behind it can be mixed.
template <typename T>
__device__ __forceinline__ void store_if(bool mine, Pack<T> *to, const Pack<T> &from) {
#ifdef __CUDA_ARCH__
    using R = Real<T>;
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const R *const x = reinterpret_cast<const R *>(from.x);
    if constexpr (sizeof(R) == 4)
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.shared.v4.f32 [%1], {%2, %3, %4, %5}; }" ::"r"(
                         static_cast<int>(mine)),
                     "r"(place), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3])
                     : "memory");
    else
        asm volatile(
            "{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.shared.v2.f64 [%1], {%2, %3}; }" ::"r"(static_cast<int>(mine)),
            "r"(place), "d"(x[0]), "d"(x[1])
            : "memory");
#else
    if (mine) *to = from;
#endif
}

// Rows of COLUMNS elements on their way from one lane to the PR lanes of its matrix. There are two places, taken in
// turn, so that a step has one barrier.
template <typename T, int PR, int COLUMNS>
struct RowExchange {
    static constexpr int packs = (COLUMNS + Pack<T>::size - 1) / Pack<T>::size;
    // Odd, or matrices of a warp would be in the same banks.
    Pack<T> rows[2][32 / PR][packs | 1];
};

// PR lanes have a row each: N columns of the matrix, then R of right-hand sides.
template <typename T, int PR, int N, int R = 0>
struct RowTile {
    using Real = tephra::Real<T>;
    using Exchange = RowExchange<T, PR, N + R>;
    static constexpr int V = Pack<T>::size, mats = 32 / PR;

    T a[N + R];
    int row, position, m, n;
    Exchange &exchange;

    __device__ __forceinline__ RowTile(int m_, int n_, Exchange &exchange_) : m(m_), n(n_), exchange(exchange_) {
        row = position = threadIdx.x % PR;
    }
    // Of this warp's matrices.
    static __device__ __forceinline__ int mat() { return threadIdx.x % 32 / PR; }
    // The matrix of this lane, of blocks of WARPS warps.
    template <int WARPS>
    static __device__ __forceinline__ long long member_of_lane() {
        return (static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32) * mats + mat();
    }

    __device__ __forceinline__ void load(const T *A, long long lda) {
        A += row;
#pragma unroll
        for (int j = 0; j < N; ++j) a[j] = row < m && j < n ? A[j * lda] : make<T>(0);
    }
    // Of B, `count` columns.
    __device__ __forceinline__ void load_sides(const T *B, long long ldb, int count) {
        B += row;
#pragma unroll
        for (int j = 0; j < R; ++j) a[N + j] = row < n && j < count ? B[j * ldb] : make<T>(0);
    }
    __device__ __forceinline__ void store(T *A, long long lda) const {
        if (row >= m) return;
        A += position;
#pragma unroll
        for (int j = 0; j < N; ++j)
            if (j < n) A[j * lda] = a[j];
    }
    // To row `to` of B.
    __device__ __forceinline__ void store_sides(T *B, long long ldb, int count, int to) const {
        if (row >= n) return;
        B += to;
#pragma unroll
        for (int j = 0; j < R; ++j)
            if (j < count) B[j * ldb] = a[N + j];
    }

    // The columns from FROM on of the lane that says `mine`, for all of its matrix's lanes. The place is that of the
    // next call but one.
    template <int FROM>
    __device__ __forceinline__ const Pack<T> *broadcast(int turn, bool mine) {
        auto &there = exchange.rows[turn & 1][mat()];
#pragma unroll
        for (int p = FROM / V; p < Exchange::packs; ++p) {
            Pack<T> pack;
#pragma unroll
            for (int v = 0; v < V; ++v) pack.x[v] = p * V + v < N + R ? a[p * V + v] : make<T>(0);
            store_if(mine, &there[p], pack);
        }
        __syncwarp();
        return there;
    }
    // f(a[j], theirs[j]) for the columns from FROM on.
    template <int FROM, typename F>
    __device__ __forceinline__ void combine(const Pack<T> *theirs, F f) {
#pragma unroll
        for (int p = FROM / V; p < Exchange::packs; ++p) {
            const Pack<T> pack = theirs[p];
#pragma unroll
            for (int v = 0; v < V; ++v) {
                const int j = p * V + v;
                if (j >= FROM && j < N + R) f(a[j], pack.x[v]);
            }
        }
    }

    struct Found {
        int row, position;
    };
    // The pivot of column k among the rows at positions from k on. A whole warp asks for the largest size and then for
    // the first position; in smaller groups the high words of the sizes tell the largest nearly always, and nothing
    // else is compared.
    template <int k>
    __device__ __forceinline__ Found find() const {
        const bool candidate = row < m && position >= k;
        const Size<Real> size = candidate ? pivot_size(a[k]) : Size<Real>::none();
        const Candidate<Real> mine = {size, static_cast<unsigned>(position << 16 | row)};
        if constexpr (PR == 32) {
            const auto best = mine.template best<32>();
            return {best.row(), best.position()};
        } else {
            unsigned largest = size.high;
#pragma unroll
            for (int s = PR / 2; s > 0; s /= 2) {
                const unsigned other = __shfl_xor_sync(0xffffffffu, largest, s);
                largest = other > largest ? other : largest;
            }
            unsigned best = __ballot_sync(0xffffffffu, size.high == largest);
            best = best >> (mat() * PR) & ((1u << PR) - 1);
            int source = __ffs(best) - 1;
            if (__any_sync(0xffffffffu, (best & (best - 1)) != 0)) source = mine.template best<PR>().row();
            return {source, __shfl_sync(0xffffffffu, position, source, PR)};
        }
    }

    // What the factorisation leaves beside the rows.
    struct Result {
        int first_zero = 0;  // counted from 1
        int interchange = 0; // of this lane's number's step
        int pivot_row = 0;   // the row that was the pivot of that step
    };
    // A = P L U in place, or L U without a search, and B := L^-1 P^T B. own(whether, divisor): whether this lane's
    // row is the step's pivot row. Whether there is a step is asked for every few: in between, steps beyond the last
    // change nothing, and the compiler can mix the end of a step with the next one's search.
    template <bool SEARCH, int k = 0, typename F>
    __device__ __forceinline__ void factor(int steps, Result &result, F own) {
        if constexpr (k < N) {
            if (k % 4 == 0 && k >= steps) return;
            const bool active = k < steps;
            Found found = {k, k};
            if constexpr (SEARCH) found = find<k>();
            const bool is_pivot = active && row == found.row;
            const T value = of_lane<PR>(a[k], found.row);
            const Pack<T> *const theirs = broadcast<k>(k, is_pivot);
            const bool zero = is_zero(value);
            if (active && zero && result.first_zero == 0) result.first_zero = k + 1;
            if (row == k) result.interchange = found.position + 1, result.pivot_row = found.row;
            if (active && position == k) position = found.position;
            if (is_pivot) position = k;
            const Divisor<T> by(zero ? make<T>(1) : value);
            own(is_pivot, by);
            const bool below = active && position > k;
            if (below) a[k] = by.of(a[k]);
            const T multiplier = a[k];
            combine<k + 1>(theirs, [&](T &mine, T u) {
                if (below) mine = fnma_(multiplier, u, mine);
            });
            factor<SEARCH, k + 1>(steps, result, own);
        }
    }

    // One unknown's step of the solution for the right-hand sides: the lane with equation k divides by `own`, if
    // `divides` says so, and the lanes that need it take their multiple of what it has.
    template <int k, typename Source>
    __device__ __forceinline__ void substitute(const Divisor<T> &own, bool divides, int place, bool need,
                                               Source source) {
        if (divides && place == k) own.template divide<R>(a + N);
        const T multiplier = a[k];
        const auto take = [&](T &mine, T x) {
            if (need) mine = fnma_(multiplier, x, mine);
        };
        if constexpr (R == 1)
            take(a[N], of_lane<PR>(a[N], source(k)));
        else
            combine<N>(broadcast<N>(k, place == k), take);
    }
    // With the lower triangle of rows that are at `place`; own: this lane's element of its diagonal, unless that
    // is ones; source(k): the lane of the row at k.
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
    // With the upper triangle.
    template <int k = N - 1, typename Source>
    __device__ __forceinline__ void solve_upper(int order, const Divisor<T> &own, bool divides, int place,
                                                Source source) {
        if constexpr (k >= 0) {
            if (k == N - 1) __syncwarp();
            if (k < order) substitute<k>(own, divides, place, place < k, source);
            solve_upper<k - 1>(order, own, divides, place, source);
        }
    }

    // This lane's element of column `place`; one beyond the matrix.
    __device__ __forceinline__ T diagonal(int place) const {
        T x = make<T>(1);
#pragma unroll
        for (int j = 0; j < N; ++j)
            if (j == place && j < n) x = a[j];
        return x;
    }

    // Where the row of this lane gets by the n interchanges of a factorisation.
    __device__ __forceinline__ void follow(const int *ipiv) {
        const int mine = row < n ? ipiv[row] - 1 : row;
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const int other = __shfl_sync(0xffffffffu, mine, k, PR);
            position = position == k ? other : position == other ? k : position;
        }
    }
    // The right-hand sides to the lanes of their positions, or from there.
    template <bool to>
    __device__ __forceinline__ void move_sides(T (&through)[PR][R | 1]) {
        __syncwarp();
#pragma unroll
        for (int r = 0; r < R; ++r) through[to ? position : row][r] = a[N + r];
        __syncwarp();
#pragma unroll
        for (int r = 0; r < R; ++r) a[N + r] = through[to ? row : position][r];
    }
    // The matrix's transpose, of order N.
    __device__ __forceinline__ void transpose(T (&through)[N][PR + 1], bool conjugate) {
        if (row < N) {
#pragma unroll
            for (int j = 0; j < N; ++j) through[row][j] = a[j];
        }
        __syncwarp();
        if (row < N) {
#pragma unroll
            for (int j = 0; j < N; ++j) a[j] = conjugate ? conj(through[j][row]) : through[j][row];
        }
    }
};

} // namespace tephra
