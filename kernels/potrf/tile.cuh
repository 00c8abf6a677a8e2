// A small Hermitian matrix in the registers of P x P lanes, with several matrices per warp.
//
// Only one triangle is kept: rows and columns are dealt out to lanes in the same cyclic way, so that registers of the
// other triangle are known at compile time, and do not exist. In each step a lane needs the pivot column's elements for
// its rows and for its columns: two shuffles for P of either. An upper triangle is the lower one of conj(A) with
// strides exchanged, whose factor is U^T; right-hand sides are then conjugated.
#pragma once
#include "../common/chunk.cuh"
#include "../getrf/lanes.cuh"
#include "args.cuh"
#include "phase.cuh"
#include "root.cuh"

namespace tephra {

// R rows and columns per lane, E of them adjacent; below the matrix there are P S further rows, the adjoints of
// right-hand sides.
template <typename T, int P, int R, int E, int S = 0>
struct CholeskyTile {
    using Number = Real<T>;
    static constexpr int lanes = P * P, mats = 32 / lanes, order = P * R, block = P * E, sides = P * S;
    static_assert(R % E == 0 && lanes <= 32, "whole blocks");

    T a[R + S][R];                 // defined where `in` is true
    Number inverse[S > 0 ? R : 1]; // of the diagonal elements of this lane's columns
    int n;                         // the order
    bool live;                     // whether this lane has a matrix
    int lr, lc;                    // row and column of this lane in the grid
    int info = 0;                  // order of the first minor that is not positive definite

    __device__ __forceinline__ CholeskyTile(int n_, bool live_) : n(n_), live(live_) {
        const int lane = threadIdx.x % lanes;
        lr = lane % P, lc = lane / P;
    }
    // Index of this lane's matrix in its warp.
    static __device__ __forceinline__ int mat() { return threadIdx.x % 32 / lanes; }
    // The member that this lane works on, in blocks of WARPS warps.
    template <int WARPS>
    static __device__ __forceinline__ long long member_of_lane() {
        return (static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32) * mats + mat();
    }

    // Whether register (r, c) belongs to the matrix, or to the right-hand sides.
    static __host__ __device__ constexpr bool in(int r, int c) { return r >= R || r / E >= c / E; }
    static __host__ __device__ constexpr int place(int r) { return r / E * block + r % E; }
    __device__ __forceinline__ int row(int r) const { return place(r) + lr * E; }
    __device__ __forceinline__ int column(int c) const { return place(c) + lc * E; }
    // For row or column k: the row or column of lanes that has it, its register, and the first register of its block.
    static __host__ __device__ constexpr int owner(int k) { return k % block / E; }
    static __host__ __device__ constexpr int index(int k) { return k / block * E + k % E; }
    static __host__ __device__ constexpr int begin(int k) { return k / block * E; }
    // The value in the lane in row x and column y of the grid.
    template <typename V>
    static __device__ __forceinline__ V of(V value, int x, int y) {
        return of_lane<lanes>(value, y * P + x);
    }

    // Calls f(register row, register column, address, whether the element exists) for all registers of the matrix at A,
    // with row stride rs and column stride cs.
    template <typename F>
    __device__ __forceinline__ void each(T *A, long long rs, long long cs, F f) {
        A += lr * E * rs + lc * E * cs;
#pragma unroll
        for (int c = 0; c < R; ++c) {
            T *const p = A + place(c) * cs;
#pragma unroll
            for (int r = 0; r < R; ++r)
                if (in(r, c)) f(r, c, p + place(r) * rs, live && row(r) < n && (r / E > c / E || row(r) >= column(c)));
        }
    }
    // The same for E adjacent elements at a time, in a column, or for an upper triangle in a row: calls f(register row
    // and column of the first, address, whether they exist, whether they cross the diagonal). n must be a multiple of
    // E.
    template <bool UPPER, typename F>
    __device__ __forceinline__ void each_line(T *A, long long lda, F f) {
        A += (UPPER ? lc : lr) * E + (UPPER ? lr : lc) * E * lda;
#pragma unroll
        for (int x = 0; x < R; ++x) {
            T *const p = A + place(x) * lda;
#pragma unroll
            for (int s = 0; s < R; s += E) {
                const int r = UPPER ? x : s, c = UPPER ? s : x;
                if (!in(r, c) || (UPPER ? row(x) : row(s)) >= n) continue;
                const bool whole = r / E > c / E || (UPPER ? lc < lr : lr > lc);
                const bool crossed = r / E == c / E && lr == lc;
                f(r, c, p + place(s), whole || crossed, crossed);
            }
        }
    }
    // Whether E adjacent elements can be read and written at once.
    __device__ __forceinline__ bool in_lines(const T *A, long long lda) const {
        return E > 1 && live && n % E == 0 && aligned<E * sizeof(T)>(A, lda);
    }
    template <bool UPPER>
    __device__ __forceinline__ void load_lines(T *A, long long lda) {
        using Line = Chunk<T, E * sizeof(T)>;
        each_line<UPPER>(A, lda, [&](int r, int c, const T *from, bool there, bool) {
            if (!there) return;
            const Line line =
                *reinterpret_cast<const Line *>(from); // elements of the other triangle are loaded, too, but not used
#pragma unroll
            for (int e = 0; e < E; ++e)
                if constexpr (UPPER)
                    a[r][c + e] = line.e[e];
                else
                    a[r + e][c] = line.e[e];
        });
    }
    template <bool UPPER>
    __device__ __forceinline__ void store_lines(T *A, long long lda) {
        using Line = Chunk<T, E * sizeof(T)>;
        each_line<UPPER>(A, lda, [&](int r, int c, T *to, bool there, bool crossed) {
            Line line;
#pragma unroll
            for (int e = 0; e < E; ++e) line.e[e] = UPPER ? a[r][c + e] : a[r + e][c];
            if (crossed) {
#pragma unroll
                for (int e = 0; e < E; ++e)
                    if (UPPER ? e <= r % E : e >= c % E) to[e] = line.e[e];
            } else if (there) {
                *reinterpret_cast<Line *>(to) = line;
            }
        });
    }
    // Beyond the matrix it is the identity.
    __device__ __forceinline__ void load(T *A, long long lda, bool upper) {
#pragma unroll
        for (int c = 0; c < R; ++c)
#pragma unroll
            for (int r = 0; r < R; ++r)
                if (in(r, c)) a[r][c] = make<T>(r == c && lr == lc && (row(r) >= n || !live) ? 1 : 0);
        if (in_lines(A, lda)) {
            if (upper)
                load_lines<true>(A, lda);
            else
                load_lines<false>(A, lda);
        } else {
            each(A, upper ? lda : 1, upper ? 1 : lda, [&](int r, int c, const T *from, bool there) {
                if (there) a[r][c] = *from;
            });
        }
    }
    // Stores to an operand. Addresses are computed again: those of the loads would take registers from the steps.
    __device__ __forceinline__ void store(T *A, long long lda, bool upper) {
        put(reinterpret_cast<T *>(again(reinterpret_cast<long long>(A))), again(lda), upper);
    }
    __device__ __forceinline__ void put(T *A, long long lda, bool upper) {
        if (in_lines(A, lda)) {
            if (upper)
                store_lines<true>(A, lda);
            else
                store_lines<false>(A, lda);
        } else {
            each(A, upper ? lda : 1, upper ? 1 : lda, [&](int r, int c, T *to, bool there) {
                if (there) *to = a[r][c];
            });
        }
    }

    // For B, `count` columns.
    __device__ __forceinline__ int side(int s) const { return s * P + lr; }
    __device__ __forceinline__ void load_sides(const T *B, long long ldb, int count, bool upper) {
#pragma unroll
        for (int s = 0; s < S; ++s)
#pragma unroll
            for (int c = 0; c < R; ++c) {
                const bool there = live && side(s) < count && column(c) < n;
                const T b = there ? B[column(c) + side(s) * ldb] : make<T>(0);
                a[R + s][c] = upper ? b : conj(b);
            }
    }
    __device__ __forceinline__ void store_sides(T *B, long long ldb, int count, bool upper) const {
#pragma unroll
        for (int s = 0; s < S; ++s)
#pragma unroll
            for (int c = 0; c < R; ++c)
                if (live && side(s) < count && column(c) < n)
                    B[column(c) + side(s) * ldb] = upper ? a[R + s][c] : conj(a[R + s][c]);
    }

    // A = L L^H in place, and B := L^-1 B for the right-hand sides. steps: the order, or the largest one in the warp.
    // The number of steps is checked once per block only, since steps beyond the matrix change nothing. After a bad
    // pivot, columns become zero.
    __device__ __forceinline__ void factor() { factor<0>(n); }
    template <int k = 0>
    __device__ __forceinline__ void factor(int steps) {
        if constexpr (k < order) {
            if (k % block == 0 && k >= steps) return;
            constexpr int c = index(k), q = owner(k), first = k % block == block - 1 ? begin(k) + E : begin(k);
            const Number pivot = of(re(a[c][c]), q, q);
            if (!(pivot > 0) && info == 0) info = k + 1;
            const bool good = info == 0, owns = lc == q;
            const Number scaled = choose(good, inverse_root(pivot), Number(0));
            const Number root = choose(good, root_from_inverse(pivot, scaled), pivot);
            if constexpr (S > 0) inverse[c] = choose(owns, scaled, inverse[c]);
#pragma unroll
            for (int r = begin(k); r < R + S; ++r)
                if (owns) a[r][c] = scale(a[r][c], scaled);
            a[c][c] = choose(owns && lr == q, make<T>(root), a[c][c]);
            T x[R + S], y[R];
#pragma unroll
            for (int j = first; j < R; ++j) y[j] = conj(of(a[j][c], lc, q));
#pragma unroll
            for (int r = first; r < R + S; ++r) x[r] = of(a[r][c], lr, q);
#pragma unroll
            for (int j = first; j < R; ++j) {
                const bool later = j >= begin(k) + E || column(j) > k;
#pragma unroll
                for (int r = first; r < R + S; ++r)
                    if (in(r, j) && later) a[r][j] = fnma_(x[r], y[j], a[r][j]);
            }
            factor<k + 1>(steps);
        }
    }

    // Makes the diagonal of loaded factors real.
    __device__ __forceinline__ void turn() {
        if constexpr (is_complex<T>) {
            bool odd = false;
#pragma unroll
            for (int c = 0; c < R; ++c) odd |= lr == lc && im(a[c][c]) != 0;
            if (!__any_sync(0xffffffffu, odd)) return;
#pragma unroll
            for (int c = 0; c < R; ++c) {
                const T d = of(a[c][c], lc, lc);
                if (im(d) == 0) continue;
                const Phase<T> phase(d);
#pragma unroll
                for (int r = c / E * E; r < R; ++r)
                    a[r][c] = r == c && lr == lc ? make<T>(phase.size) : mul(a[r][c], phase.turn);
            }
        }
    }
    // Reciprocals of the diagonal of loaded factors.
    __device__ __forceinline__ void invert_diagonal() {
#pragma unroll
        for (int c = 0; c < R; ++c) inverse[c] = reciprocal_of(of(re(a[c][c]), lc, lc));
    }
    // B := L^-1 B.
    template <int k = 0>
    __device__ __forceinline__ void solve_lower() {
        if constexpr (k < order) {
            if (k % block == 0 && k >= n) return;
            constexpr int c = index(k), q = owner(k);
            T x[S];
#pragma unroll
            for (int s = 0; s < S; ++s) {
                if (lc == q) a[R + s][c] = scale(a[R + s][c], inverse[c]);
                x[s] = of(a[R + s][c], lr, q);
            }
#pragma unroll
            for (int j = begin(k); j < R; ++j) {
                const T l = conj(of(a[j][c], lc, q));
                const bool later = j >= begin(k) + E || column(j) > k;
#pragma unroll
                for (int s = 0; s < S; ++s)
                    if (later) a[R + s][j] = fnma_(x[s], l, a[R + s][j]);
            }
            solve_lower<k + 1>();
        }
    }
    // B := L^-H B.
    template <int k = order - 1>
    __device__ __forceinline__ void solve_adjoint() {
        if constexpr (k >= 0) {
            if (k / block * block < n) {
                constexpr int c = index(k), q = owner(k);
                T x[S];
#pragma unroll
                for (int s = 0; s < S; ++s) {
                    if (lc == q) a[R + s][c] = scale(a[R + s][c], inverse[c]);
                    x[s] = of(a[R + s][c], lr, q);
                }
#pragma unroll
                for (int j = begin(k) + E - 1; j >= 0; --j) {
                    const T l = of(a[c][j], q, lc);
                    const bool earlier = j < begin(k) || column(j) < k;
#pragma unroll
                    for (int s = 0; s < S; ++s)
                        if (earlier) a[R + s][j] = fnma_(x[s], l, a[R + s][j]);
                }
            }
            solve_adjoint<k - 1>();
        }
    }

    // The first zero on the diagonal, counted from 1, or 0.
    __device__ __forceinline__ int first_zero() const {
        int first = 0;
#pragma unroll
        for (int k = order - 1; k >= 0; --k) {
            const T element = of(a[index(k)][index(k)], owner(k), owner(k));
            if (is_zero(element)) first = k + 1;
        }
        return first;
    }
    // L := L^-1, from the first row on: each finished row is subtracted from those below.
    template <int k = 0>
    __device__ __forceinline__ void invert() {
        if constexpr (k < order) {
            if (k % block == 0 && k >= n) return;
            constexpr int c = index(k), q = owner(k), end = begin(k) + E;
            const Number by = reciprocal_of(of(re(a[c][c]), q, q));
            T x[R], y[end];
#pragma unroll
            for (int r = begin(k); r < R; ++r) x[r] = of(a[r][c], lr, q);
#pragma unroll
            for (int j = 0; j < end; ++j) {
                if (lr == q) a[c][j] = column(j) == k ? make<T>(by) : scale(a[c][j], by);
                y[j] = of(a[c][j], q, lc);
            }
#pragma unroll
            for (int j = 0; j < end; ++j)
#pragma unroll
                for (int r = begin(k); r < R; ++r) {
                    const bool wanted = (r >= end || row(r) > k) && (j < begin(k) || column(j) <= k);
                    if (in(r, j) && wanted) {
                        const T was = j >= begin(k) && column(j) == k ? make<T>(0) : a[r][j];
                        a[r][j] = fnma_(x[r], y[j], was);
                    }
                }
            invert<k + 1>();
        }
    }
    // The lower triangle of L := L^H L: the sum of the products of rows with themselves, each stored over rows that
    // have been used.
    template <int k = 0>
    __device__ __forceinline__ void square() {
        if constexpr (k < order) {
            if (k % block == 0 && k >= n) return;
            constexpr int c = index(k), q = owner(k), end = begin(k) + E;
            T x[end], y[end];
#pragma unroll
            for (int j = 0; j < end; ++j) {
                y[j] = of(a[c][j], q, lc);
                x[j] = of(a[c][j], q, lr);
            }
#pragma unroll
            for (int j = 0; j < end; ++j)
#pragma unroll
                for (int r = 0; r < end; ++r)
                    if (in(r, j) && (r < begin(k) || row(r) <= k)) {
                        const T was = r >= begin(k) && row(r) == k ? make<T>(0) : a[r][j];
                        a[r][j] = cfma_(x[r], y[j], was);
                    }
            square<k + 1>();
        }
    }
    // Clears the imaginary parts of a Hermitian matrix's diagonal.
    __device__ __forceinline__ void make_diagonal_real() {
        if constexpr (is_complex<T>) {
#pragma unroll
            for (int c = 0; c < R; ++c)
#pragma unroll
                for (int e = 0; e < E; ++e)
                    if (c % E == e && lr == lc) a[c][c].y = 0;
        }
    }
};

} // namespace tephra
