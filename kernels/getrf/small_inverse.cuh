// The inverse of small matrices, given as they are or by their LU factors, with one row per lane.
#pragma once
#include "nan.cuh"
#include "row_tile.cuh"

namespace tephra {

// C := A^-1 by Gauss-Jordan elimination with row interchanges, in place in the registers. If the matrix is singular, C
// is NaN, and info is the first step without a pivot.
template <typename T, int PR, int WARPS>
struct GaussJordan {
    using Tile = RowTile<T, PR, PR>;
    Tile &t;
    int order, first_zero = 0, pivot_of = 0; // pivot_of: the pivot row of the step with this lane's number

    template <int k = 0>
    __device__ __forceinline__ void eliminate() {
        if constexpr (k < PR) {
            if (k >= order) return;
            const auto pivot = t.template find<k>();
            const bool is_pivot = t.row() == pivot.row();
            const T value = of_lane<PR>(t.a[0][k], pivot.row());
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = k + 1;
            if (t.row() == k) pivot_of = pivot.row();
            if (t.position[0] == k) t.position[0] = pivot.position;
            if (is_pivot) t.position[0] = k;
            const Divisor<T> by(zero ? make<T>(1) : value);
            // The pivot row is divided by the pivot; the others subtract their multiple of it.
            const T multiple = is_pivot ? make<T>(0) : t.a[0][k];
            t.a[0][k] = make<T>(is_pivot ? 1 : 0);
            if (is_pivot) by.template divide<PR>(t.a[0]);
            const auto *const theirs = t.template broadcast<0>(k, is_pivot);
            t.template combine<0>(theirs, [&](int, T &mine, T u) { mine = fnma_(multiple, u, mine); });
            eliminate<k + 1>();
        }
    }
};

template <typename T, int PR, int WARPS>
__device__ __forceinline__ void inverse_small(const InverseArgs &args) {
    using Tile = RowTile<T, PR, PR>;
    __shared__ typename Tile::Exchange exchange[WARPS];
    const long long i = Tile::template member_of_lane<WARPS>();
    const bool live = i < args.batch;
    Tile t(args.n, live ? args.n : 0, exchange[threadIdx.x / 32]);
    t.load(live ? member<T>(args.a, i) : nullptr, args.lda);
    GaussJordan<T, PR, WARPS> elimination{t, args.n};
    elimination.eliminate();
    // Column j of the result belongs to the row that was step j's pivot.
    T *const C = live ? member<T>(args.c, i) + t.position[0] : nullptr;
    const bool stores = live && t.row() < args.n;
    if (elimination.first_zero) make_nan(t.a);
    const int pivot_of = elimination.pivot_of;
#pragma unroll
    for (int j = 0; j < PR; ++j) {
        const int column = __shfl_sync(0xffffffffu, pivot_of, j, PR);
        if (stores && j < args.n) C[column * args.ldc] = t.a[0][j];
    }
    if (live && t.row() == 0 && args.info) args.info[i] = elimination.first_zero;
}

// A^-1 = U^-1 L^-1 P^T from the factors of getrf: U is inverted in place, then X L = U^-1 is solved column by column,
// from the last. If the matrix is singular, C is NaN, and info is the first zero on U's diagonal. Source: LAPACK getri.
template <typename T, int PR>
struct FactorsInverse {
    using Tile = RowTile<T, PR, PR>;
    static constexpr int V = Tile::V, packs = PR / V;
    using Lower = Pack<T>[PR][packs | 1]; // L by columns
    struct Divisors {                     // U's diagonal
        alignas(16) char bytes[PR * sizeof(Divisor<T>)];
    };
    Tile &t;
    Lower &lower;

    // Moves L's multipliers to shared memory, and leaves zeros in the registers.
    __device__ __forceinline__ void put_lower() {
#pragma unroll
        for (int k = 0; k < PR; ++k) {
            lower[k][t.row() / V].x[t.row() % V] = t.row() > k ? t.a[0][k] : make<T>(0);
            if (t.row() > k) t.a[0][k] = make<T>(0);
        }
    }
    // U := D^-1 U, which makes its diagonal unit; later U^-1 := U^-1 D^-1. `own` is this lane's element of D.
    __device__ __forceinline__ void divide_rows(const Divisor<T> &own) {
#pragma unroll
        for (int j = 1; j < PR; ++j)
            if (j > t.row()) t.a[0][j] = own.of(t.a[0][j]);
    }
    __device__ __forceinline__ void divide_columns(const Divisor<T> &own, Divisors &through) {
        auto *const of_column = reinterpret_cast<Divisor<T> *>(through.bytes);
        of_column[t.row()] = own;
#pragma unroll
        for (int k = 0; k < PR; ++k) {
            if (k % 4 == 0) __syncwarp(); // keeps the compiler from reading all ahead, which takes too many registers
            t.a[0][k] = of_column[k].of(t.a[0][k]);
        }
    }
    // Inverts a unit U: row k of the inverse is final, and the rows above subtract their multiple of it.
    template <int k = PR - 1>
    __device__ __forceinline__ void invert_upper(int order) {
        if constexpr (k >= 0) {
            if (k < order) {
                const bool above = t.row() < k;
                const T multiplier = t.a[0][k];
                if (t.row() <= k) t.a[0][k] = make<T>(above ? 0 : 1);
                const auto *const theirs = t.template broadcast<k>(k, t.row() == k);
                t.template combine<k>(theirs, [&](int, T &mine, T x) {
                    if (above) mine = fnma_(multiplier, x, mine);
                });
            }
            invert_upper<k - 1>(order);
        }
    }
    // Subtracts from column k of X the columns after it, times L's column k.
    template <int k = PR - 1>
    __device__ __forceinline__ void divide_by_lower(int order) {
        if constexpr (k >= 0) {
            if (k < order) {
                __syncwarp(); // keeps the compiler from reading L ahead, which takes too many registers
#pragma unroll
                for (int p = (k + 1) / V; p < packs; ++p) {
                    const Pack<T> pack = lower[k][p];
#pragma unroll
                    for (int v = 0; v < V; ++v)
                        if (p * V + v > k) t.a[0][k] = fnma_(t.a[0][p * V + v], pack.x[v], t.a[0][k]);
                }
            }
            divide_by_lower<k - 1>(order);
        }
    }
};

template <typename T, int PR, int WARPS>
__device__ __forceinline__ void getri_small(const InverseArgs &args) {
    using Tile = RowTile<T, PR, PR>;
    using Inverse = FactorsInverse<T, PR>;
    struct Storage { // of a warp
        typename Tile::Exchange exchange;
        typename Inverse::Lower lower[32 / PR];
        typename Inverse::Divisors divisors[32 / PR];
        int row_at[32 / PR][PR];
    };
    __shared__ Storage storages[WARPS];
    Storage &s = storages[threadIdx.x / 32];
    const long long i = Tile::template member_of_lane<WARPS>();
    const bool live = i < args.batch;
    Tile t(args.n, live ? args.n : 0, s.exchange);
    t.load(live ? member<T>(args.a, i) : nullptr, args.lda);
    if (args.ipiv.p) t.follow(live ? member<int>(args.ipiv, i) : nullptr);
    const T diagonal = t.diagonal(t.row());
    const bool zero = is_zero(diagonal);
    unsigned zeros = __ballot_sync(0xffffffffu, zero);
    if constexpr (PR < 32) zeros = zeros >> (Tile::mat() * PR) & ((1u << PR) - 1);
    const Divisor<T> own(zero ? make<T>(1) : diagonal);
    int *const row_at = s.row_at[Tile::mat()];
    row_at[t.position[0]] = t.row();
    Inverse inverse{t, s.lower[Tile::mat()]};
    inverse.put_lower();
    inverse.divide_rows(own);
    inverse.invert_upper(args.n);
    inverse.divide_columns(own, s.divisors[Tile::mat()]);
    inverse.divide_by_lower(args.n);
    if (!live) return;
    if (t.row() == 0 && args.info) args.info[i] = __ffs(zeros);
    if (t.row() >= args.n) return;
    if (zeros != 0) make_nan(t.a);
    T *const C = member<T>(args.c, i) + t.row();
#pragma unroll
    for (int j = 0; j < PR; ++j)
        if (j < args.n) C[row_at[j] * args.ldc] = t.a[0][j];
}

} // namespace tephra

#define TEPHRA_INVERSE_SMALL(NAME, T, PR, WARPS, MIN_BLOCKS)                                                           \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(PR, PR).places(32 / PR * WARPS),                                     \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), InverseArgs, inverse_small<letter::T, PR, WARPS>)
#define TEPHRA_GETRI_SMALL(NAME, T, PR, WARPS, MIN_BLOCKS)                                                             \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(PR, PR).places(32 / PR * WARPS),                                     \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), InverseArgs, getri_small<letter::T, PR, WARPS>)
