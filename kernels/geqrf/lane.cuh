// QR of small matrices with whole columns in a lane: lane l of a matrix holds columns c PC + l in registers.
//
// A step, with x the pivot column below alpha, as it is, u = (alpha - beta, x) and g = -1 / (beta (alpha - beta)):
//   H^H = I - g u u^H, so that a_j -= u y_j with y_j = g (conj(alpha - beta) a_kj + x^H a_j)
// The pivot column goes to all lanes through shared memory, sixteen bytes an access; each finds the products of its
// columns with it (the owner's is the norm) and the same reflector, and updates its columns: the next pivot first,
// which is sent on before the rest. No sums over lanes, and every index is a compile-time constant.
// Source: LAPACK geqr2/larfg.
#pragma once
#include "../common/chunk.cuh"
#include "tile.cuh"

namespace tephra {

template <typename T_, int PC_, int RPT_, int CPT_>
struct LaneQr : Tile<T_, 1, PC_, RPT_, CPT_, 1> {
    using Base = Tile<T_, 1, PC_, RPT_, CPT_, 1>;
    using Base::a, Base::CPT, Base::factor, Base::lane, Base::lanes, Base::lc, Base::mats, Base::PC, Base::RPT;
    using typename Base::R;
    using typename Base::T;
    using Range = ProductRange<R>;
    static constexpr int stride = 4; // steps past the last one do nothing
    static constexpr int V = Chunk<T>::size;
    using Cells = Stage<T, RPT, Base::max_n, lanes>;
    static constexpr int shared = Cells::size; // elements, of a warp
    T tau[CPT], *tau_out;
    T *cells; // the matrix on its way in and out; between, column k from when it is the pivot

    __device__ __forceinline__ LaneQr(int m, int n, T *tau_out_, T *warp_cells)
        : Base(m, n), tau_out(tau_out_), cells(warp_cells + lane / lanes * (Cells::size / mats)) {
#pragma unroll
        for (int c = 0; c < CPT; ++c) tau[c] = make<T>(0);
    }

    // Column c of the registers, from row r0 on, to or from its place in the stage.
    template <int c, int r0>
    __device__ __forceinline__ void send(T *to) const {
#pragma unroll
        for (int r = r0 / V * V; r < RPT; r += V) {
            Chunk<T> q;
#pragma unroll
            for (int e = 0; e < V; ++e) q.e[e] = r + e < RPT ? a[r + e < RPT ? r + e : 0][c] : make<T>(0);
            *reinterpret_cast<Chunk<T> *>(to + r) = q;
        }
    }
    template <int r0>
    static __device__ __forceinline__ void receive(const T *from, T (&x)[RPT]) {
#pragma unroll
        for (int r = r0 / V * V; r < RPT; r += V) {
            const Chunk<T> q = *reinterpret_cast<const Chunk<T> *>(from + r);
#pragma unroll
            for (int e = 0; e < V; ++e)
                if (r + e >= r0 && r + e < RPT) x[r + e] = q.e[e];
        }
    }
    // The pivot column k, if there is another lane to have it.
    template <int k>
    __device__ __forceinline__ void publish() const {
        if constexpr (PC > 1 && k < Base::max_k)
            if (lc == k % PC) send<k / PC, k>(cells + k * Cells::ld);
    }

    template <int j, int k>
    __device__ __forceinline__ void update(const T (&x)[RPT], T d, T y) {
        a[k][j] = fnma_(d, y, a[k][j]);
#pragma unroll
        for (int r = k + 1; r < RPT; ++r) a[r][j] = fnma_(x[r], y, a[r][j]);
    }

    template <int c, int k>
    __device__ __forceinline__ void step(int) {
        constexpr int j0 = PC == 1 ? c + 1 : c; // the columns that may not be finished start here
        constexpr bool keep = PC == 1 || (RPT - k) * sizeof(T) <= 128;
        constexpr int chains = CPT - j0 >= 4 ? 1 : CPT - j0 >= 2 ? 2 : 4; // independent sums hide the latency
        constexpr bool own_norm = PC == 1 || RPT - k <= 9;                // short: sooner than from the owner
        constexpr int owner = k % PC;
        T x[RPT];
        if constexpr (PC == 1) {
#pragma unroll
            for (int r = k; r < RPT; ++r) x[r] = a[r][c];
        } else {
            __syncwarp();
            receive<k>(cells + k * Cells::ld, x);
        }
        const T alpha = x[k];
        T dot[chains][CPT];
        R sum[2] = {0, 0};
#pragma unroll
        for (int j = j0; j < CPT; ++j)
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s][j] = make<T>(0);
#pragma unroll
        for (int r = k + 1; r < RPT; ++r) {
            if constexpr (own_norm) sum[r & 1] = abs2_add(x[r], sum[r & 1]);
#pragma unroll
            for (int j = j0; j < CPT; ++j) dot[r % chains][j] = cfma_(x[r], a[r][j], dot[r % chains][j]);
        }
#pragma unroll
        for (int j = j0; j < CPT; ++j)
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0][j] = add(dot[0][j], dot[s][j]);
        R below;
        if constexpr (own_norm)
            below = sum[0] + sum[1];
        else
            below = shfl(re(dot[0][c]), (lane & ~(lanes - 1)) + owner);
        const Reflector<T> h = this->reflector(alpha, below);
        const T d = add(alpha, make<T>(-h.beta)), g = scale(h.factor, copysign(h.inverse, re(alpha)));
        T y[CPT];
        // Finished columns take part with a zero: what is not finite never passes ok.
#pragma unroll
        for (int j = j0; j < CPT; ++j) y[j] = mul(j > c || lc > owner ? g : make<T>(0), cfma_(d, a[k][j], dot[0][j]));
        if (PC == 1 || lc == owner) {
            factor[c] = h.factor;
            tau[c] = h.tau;
            a[k][c] = make<T>(h.beta);
        }
        if constexpr (!keep) {
            asm volatile("" ::: "memory"); // or x would stay in registers
            receive<k>(cells + k * Cells::ld, x);
        }
        constexpr int next = (k + 1) / PC; // the next pivot's register column
        if constexpr (next < CPT) update<next, k>(x, d, y[next]);
        publish<k + 1>();
        rest<j0, k, next>(x, d, y);
    }
    // Updates the columns from j on, but for one.
    template <int j, int k, int but>
    __device__ __forceinline__ void rest(const T (&x)[RPT], T d, const T (&y)[CPT]) {
        if constexpr (j < CPT) {
            if constexpr (j != but) update<j, k>(x, d, y[j]);
            rest<j + 1, k, but>(x, d, y);
        }
    }

    // All lanes of the warp call the following.
    __device__ __forceinline__ void load(const T *A, long long lda) {
        if (Cells::in_chunks(A, lda, this->m))
            Cells::template fetch<V>(cells, lane % lanes, A, lda, this->m, this->n);
        else
            Cells::template fetch<1>(cells, lane % lanes, A, lda, this->m, this->n);
        copies_done();
        __syncwarp();
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T column[RPT];
            receive<0>(cells + this->col(c) * Cells::ld, column);
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = column[r];
        }
        publish<0>();
    }
    // Stores the result, if all lanes of the matrix say ok; else the caller finds the matrix as it was.
    __device__ __forceinline__ void store(T *A, long long lda, bool ok) {
        const int column = opaque(lc);
        __syncwarp(); // all have read the last pivot column
        scale_and_send<0>(column);
        __syncwarp();
        if (!ok) return;
        if (Cells::in_chunks(A, lda, this->m))
            Cells::template put<V>(cells, lane % lanes, A, lda, this->m, this->n);
        else
            Cells::template put<1>(cells, lane % lanes, A, lda, this->m, this->n);
        const int k_max = this->m < this->n ? this->m : this->n;
#pragma unroll
        for (int c = 0; c < CPT; ++c)
            if (c * PC + column < k_max) tau_out[c * PC + column] = tau[c];
    }
    template <int c>
    __device__ __forceinline__ void scale_and_send(int column) {
        if constexpr (c < CPT) {
#pragma unroll
            for (int r = c * PC + 1; r < RPT; ++r)
                if (r >= (c + 1) * PC || r - c * PC > column) a[r][c] = mul(a[r][c], factor[c]);
            send<c, 0>(cells + (c * PC + column) * Cells::ld);
            scale_and_send<c + 1>(column);
        }
    }
    // Whether the short formulas failed for a column of this lane. Columns that never are a pivot (those of m < n, and
    // that of a real matrix's last row) are not seen by the test of the pivots.
    __device__ __forceinline__ bool failed() const {
        bool bad = !this->template ok<Range>() || this->lost();
        if (this->k_end < this->n) {
#pragma unroll
            for (int c = 0; c < CPT; ++c) {
                R sum = 0;
                bool nonzero = false;
#pragma unroll
                for (int r = 0; r < RPT; ++r) {
                    sum = abs2_add(a[r][c], sum);
                    nonzero |= !is_zero(a[r][c]);
                }
                bad |= nonzero && this->col(c) >= this->k_end && !(sum > Range::lo && sum < Range::hi);
            }
        }
        return bad;
    }
};

} // namespace tephra
