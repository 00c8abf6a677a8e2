// QR of small matrices whose lanes hold whole columns: lane l of a matrix has columns c PC + l in registers.
//
// A step. With x the unscaled pivot column below alpha, u = (alpha - beta, x) and g = -1 / (beta (alpha - beta)):
//   H^H = I - g u u^H, so that a_j -= u y_j with y_j = g (conj(alpha - beta) a_kj + x^H a_j)
// The pivot column goes to all lanes of the matrix through shared memory, sixteen bytes per access. Each lane computes
// the products of its columns with it (for the owner, that is the norm) and the same scalars as the others, and updates
// its columns: first the next pivot, which is sent before the rest are updated. There are no sums over lanes, and every
// index is a compile-time constant.
// Source: LAPACK geqr2/larfg.
#pragma once
#include "../common/copy_barrier.cuh"
#include "lane_stage.cuh"
#include "tile.cuh"

namespace tephra {

// REGISTERS: approximate number per thread. CELLS: the stage in shared memory; if it has more rows than RPT, the tile's
// rows are its last. SCALED: whether columns of extreme size are scaled first; lanes whose columns take nearly all
// registers have none to spare for that.
template <typename T_, int PC_, int RPT_, int CPT_, int REGISTERS, typename CELLS = Stage<T_, RPT_, PC_ * CPT_, PC_>,
          bool SCALED = (RPT_ * CPT_ * sizeof(T_) / 4 <= 100)>
struct LaneQr : Tile<T_, 1, PC_, RPT_, CPT_, 1> {
    using Base = Tile<T_, 1, PC_, RPT_, CPT_, 1>;
    using Base::a, Base::CPT, Base::lane, Base::lanes, Base::lc, Base::mats, Base::PC, Base::RPT;
    using typename Base::R;
    using typename Base::T;
    using Range = ProductRange<R>;
    static constexpr bool scaled = SCALED;
    static constexpr int stride = 4;                         // steps past the last one do nothing
    static constexpr int words = sizeof(T) / 4, others = 40; // registers of an element; of all else, about
    static constexpr bool tau_first = (RPT * CPT + RPT) * words + others <= 216;
    static constexpr bool outside = false; // see WarpQr
    static constexpr int pivots =
        is_complex<T> || Base::max_k < RPT ? Base::max_k : RPT - 1; // a real pivot in the last row has H = I
    static constexpr int V = Chunk<T>::size;
    using Cells = CELLS;
    static constexpr unsigned bytes = Cells::rows * Cells::columns * sizeof(T); // of a matrix in the stage
    static constexpr int top = Cells::rows - RPT;
    // Whether each lane loads its only column itself, in one or two accesses; the pivot column then goes through
    // shuffles.
    static constexpr bool direct = CPT == 1 && RPT * sizeof(T) <= 32 && RPT % V == 0 && !Cells::box;
    static constexpr int shared = direct ? V : Cells::size; // elements per warp
    T d[CPT];       // alpha - beta of the previous pivots; 0: not a pivot yet, or H = I
    T *const cells; // the matrix on its way in and out; in between, each column since it became the pivot

    __device__ __forceinline__ LaneQr(int m, int n, T *, T *warp_cells)
        : Base(m, n),
          cells(direct ? warp_cells : warp_cells + (idle(lane) ? mats - 1 : matrix(lane)) * (Cells::size / mats)) {
        lc = idle(lane) ? PC : rank(lane);
#pragma unroll
        for (int c = 0; c < CPT; ++c) d[c] = make<T>(0);
    }

    // Lanes that are left over where PC does not divide 32 read what the last matrix's lanes do, and write nothing.
    static __device__ __forceinline__ bool idle(int lane) { return 32 % PC != 0 && lane >= mats * PC; }
    // A lane's matrix among those of its warp, and the lane's number within that matrix.
    static __device__ __forceinline__ int matrix(int lane) { return Cells::pairs ? lane / 2 % mats : lane / PC; }
    static __device__ __forceinline__ int rank(int lane) {
        return Cells::pairs ? lane / 2 / mats * 2 + lane % 2 : lane % PC;
    }
    // The lane with number k within this lane's matrix.
    __device__ __forceinline__ int peer(int k) const {
        return Cells::pairs ? 2 * (k / 2 * mats + matrix(lane)) + k % 2
                            : (32 % PC == 0 ? lane & ~(PC - 1) : lane / PC * PC) + k;
    }
    // Whether a ballot has no bit of this lane's matrix.
    __device__ __forceinline__ bool none(unsigned ballot) const {
        unsigned first = 0; // the first matrix's lanes
#pragma unroll
        for (int k = 0; k < PC; ++k) first |= 1u << (Cells::pairs ? 2 * (k / 2 * mats) + k % 2 : k);
        return !(ballot >> (matrix(lane) * (Cells::pairs ? 2 : PC)) & first);
    }
    // The places of column k in the stage, and while it is the pivot.
    static __device__ __forceinline__ int place(int k) { return k * Cells::ld + top; }
    static __device__ __forceinline__ int pivot_place(int k) {
        return Cells::box ? Cells::columns * Cells::ld : place(k);
    }
    // Writes register column c, from row r0 on, to its place in the stage. `receive` reads one back.
    template <int c, int r0, int end = RPT>
    __device__ __forceinline__ void send(T *to) const {
#pragma unroll
        for (int r = r0 / V * V; r < end; r += V) {
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
    // Sends pivot column k, if other lanes need it.
    template <int k>
    __device__ __forceinline__ void broadcast(int column) const {
        if constexpr (PC > 1 && k < pivots && !direct) {
            if constexpr (Cells::box && k > 0) __syncwarp(); // all have read the previous one
            broadcast<k, k>(column);
        }
    }
    // The compiler predicates the stores of up to six chunks; a branch would prevent the other columns' updates from
    // hiding the latency of the exchange. So columns of nine to twelve chunks are sent in two parts. (More parts, or
    // two of four chunks, do not pay.)
    template <int k, int r0>
    __device__ __forceinline__ void broadcast(int column) const {
        constexpr int part = Cells::units > 8 && Cells::units <= 12 ? 6 * V : RPT;
        constexpr int end = r0 / V * V + part < RPT ? r0 / V * V + part : RPT;
        if (opaque(column) == k % PC) send<k / PC, r0, end>(cells + pivot_place(k));
        if constexpr (end < RPT) broadcast<k, end>(column);
    }

    template <int j, int k>
    __device__ __forceinline__ void update(const T (&x)[RPT], T d_k, T y) {
        a[k][j] = fnma_(d_k, y, a[k][j]);
#pragma unroll
        for (int r = k + 1; r < RPT; ++r) a[r][j] = fnma_(x[r], y, a[r][j]);
    }

    template <int c, int k>
    __device__ __forceinline__ void step(int) {
        if constexpr (k < pivots) pivot<c, k>();
    }
    template <int c, int k>
    __device__ __forceinline__ void pivot() {
        constexpr int j0 = PC == 1 ? c + 1 : c; // register columns before this one are finished in all lanes
        constexpr bool keep =
            PC == 1 || direct || (RPT - k) * words <= 8 || (RPT * CPT + RPT - k) * words + others <= REGISTERS;
        constexpr int chains = CPT - j0 >= (keep ? 4 : 3) ? 1
                               : CPT - j0 >= 2            ? 2
                                                          : 4;        // independent sums hide the latency
        constexpr bool own_norm = PC == 1 || RPT - k <= 9; // short columns: faster than asking the owner
        constexpr int owner = k % PC;
        const int column = opaque(lc);
        T x[RPT]; // if not `keep`, the update reads it again, chunk by chunk
        if constexpr (PC == 1) {
#pragma unroll
            for (int r = k; r < RPT; ++r) x[r] = a[r][c];
        } else if constexpr (direct) {
#pragma unroll
            for (int r = k; r < RPT; ++r) x[r] = shfl(a[r][c], peer(owner));
        } else {
            __syncwarp();
            receive<k>(cells + pivot_place(k), x);
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
            below = shfl(re(dot[0][c]), peer(owner));
        const UnscaledReflector<T> h = this->reflect_unscaled(alpha, below);
        if (!SCALED && h.identity && below != 0) this->fail(); // "negligible" only makes sense for scaled columns
        forget(this->high);                                    // or the compiler would keep several steps' sums
        T y[CPT];
        // Finished columns are updated with y = 0. A product of zero and a value that is not finite does no harm: such
        // a matrix fails the range check.
#pragma unroll
        for (int j = j0; j < CPT; ++j)
            y[j] = mul(j > c || column > owner ? h.g : make<T>(0), cfma_(h.d, a[k][j], dot[0][j]));
        if ((PC == 1 || column == owner) && !h.identity) {
            d[c] = h.d;
            a[k][c] = make<T>(h.beta);
        }
        if (is_complex<T> && (PC == 1 || column == owner) && h.identity) a[k][c] = make<T>(re(alpha));
        if constexpr (keep) {
            constexpr int next = (k + 1) / PC; // the next pivot's register column
            if constexpr (next < CPT) update<next, k>(x, h.d, y[next]);
            broadcast<k + 1>(column);
            rest<j0, k, next>(x, h.d, y);
        } else {
            update_reading<j0, k>(h.d, y);
            broadcast<k + 1>(column);
        }
    }
    // Updates all columns, reading x again chunk by chunk.
    template <int j0, int k>
    __device__ __forceinline__ void update_reading(T d_k, const T (&y)[CPT]) {
#pragma unroll
        for (int r0 = k / V * V; r0 < RPT; r0 += V) {
            const Chunk<T> q = read_again(cells + pivot_place(k) + r0);
#pragma unroll
            for (int e = 0; e < V; ++e) {
                const int r = r0 + e < RPT ? r0 + e : RPT - 1;
                if (r0 + e < k || r0 + e >= RPT) continue;
#pragma unroll
                for (int j = j0; j < CPT; ++j) a[r][j] = fnma_(r == k ? d_k : q.e[e], y[j], a[r][j]);
            }
        }
    }
    // Updates the register columns from j on, except column `but`.
    template <int j, int k, int but>
    __device__ __forceinline__ void rest(const T (&x)[RPT], T d_k, const T (&y)[CPT]) {
        if constexpr (j < CPT) {
            if constexpr (j != but) update<j, k>(x, d_k, y[j]);
            rest<j + 1, k, but>(x, d_k, y);
        }
    }

    // Offset of the address that this lane calls A below, from its matrix: its own column, if it only reads that.
    static __device__ __forceinline__ long long own(int lane, long long lda) { return direct ? lane % PC * lda : 0; }
    // All lanes of the warp call the following functions. `load` scales columns of extreme size (column_scale.cuh).
    template <typename Scales>
    __device__ __forceinline__ void load(const T *p, long long lda, Scales &scales, unsigned char &any) {
        if constexpr (direct) {
            const bool inside = lc < this->n, whole = this->m >= RPT && in_chunks(p, lda, RPT);
#pragma unroll
            for (int r = 0; r < RPT; r += V) {
                Chunk<T> q{};
                if (inside && whole) q = *reinterpret_cast<const Chunk<T> *>(p + r);
#pragma unroll
                for (int e = 0; e < V; ++e) a[r + e][0] = q.e[e];
            }
            if (!whole) [[unlikely]] {
#pragma unroll
                for (int r = 0; r < RPT; ++r) a[r][0] = inside && r < this->m ? p[r] : make<T>(0);
            }
            if constexpr (SCALED) scale_columns(*this, scales, any);
            return;
        }
        fetch(p, lda, this->n);
        copies_done();
        __syncwarp();
        scale_stage(Cells::Run::is(lda, this->m) ? cells + Cells::Run::before(p) : nullptr, this->n, scales, any);
        take(p, lda);
    }
    // Scales the n columns in the stage, which are contiguous at `run` unless it is null.
    template <typename Scales>
    __device__ __forceinline__ void scale_stage(T *run, int n, Scales &scales, unsigned char &any) const {
        if (!SCALED) return;
        const auto column = [&](int c) { return run ? run + this->col(c) * this->m : cells + place(this->col(c)); };
        unsigned odd = 0; // a bit for each column
#pragma unroll
        for (int c = 0; c < CPT; ++c)
            if (this->col(c) < n && has_columns()) {
                const T *const p = column(c);
                const bool plain = is_plain<R>(larger(size_word(p[0]), size_word(p[this->m > 1])));
                odd |= plain ? 0 : 1u << c;
            }
        if (__any_sync(0xffffffffu, odd)) [[unlikely]] {
#pragma unroll 1
            for (int c = 0; c < CPT; ++c)
                scale_stage_call(column(c), this->m, odd >> c & 1,
                                 has_columns() ? &scales.exponent[this->col(c)] : nullptr, &any);
        }
    }
    // Prepares the first step, once the columns are loaded and scaled.
    __device__ __forceinline__ void begin() { broadcast<0>(lc); }
    __device__ __forceinline__ bool has_columns() const { return !idle(lane); }
    // Starts copies of A's first n columns to the stage; its other columns become zero.
    __device__ __forceinline__ void fetch(const T *A, long long lda, int n) const {
        const int m = this->m + top;
        if (idle(lane)) return;
        if (in_chunks(A, lda, m)) [[likely]]
            Cells::template fetch<V>(cells, rank(lane), A, lda, m, n);
        else if (Cells::Run::is(lda, m))
            Cells::Run::fetch(cells, rank(lane), A, m, n);
        else
            Cells::template fetch<1>(cells, rank(lane), A, lda, m, n);
    }
    // Whether bulk copies may move the columns of all matrices of the warp; A (null: none) is this lane's, with as many
    // rows as the stage. Columns must be contiguous and share no 32-byte sector with other data, because L1 does not
    // see what a bulk copy writes.
    static __device__ __forceinline__ bool in_bulk(const T *A, long long lda, int m, bool all_columns) {
        return Cells::bulk && __all_sync(0xffffffffu, all_columns && lda == m && m == Cells::rows &&
                                                          reinterpret_cast<unsigned long long>(A) % 32 == 0);
    }
    // Starts a bulk copy from A (null: no matrix) to the stage. `barrier` counts one arrival for each of `mats`
    // matrices.
    __device__ __forceinline__ void fetch_bulk(CopyBarrier &barrier, const T *A) const {
        if (lc != 0) return;
        barrier.expect(A ? bytes : 0);
        if (A) barrier.copy(cells, A, bytes);
    }
    // Moves columns that `fetch` has copied as a run to their places, once all copies of the warp are complete.
    __device__ __forceinline__ void settle(const T *A, long long lda, int n) const {
        const int m = this->m + top;
        if (Cells::Run::is(lda, m)) Cells::Run::settle(cells, idle(lane) ? lanes : rank(lane), A, m, n);
    }
    // Reads the columns that `fetch` has copied from the stage into registers.
    __device__ __forceinline__ void take(const T *A, long long lda) {
        if (Cells::Run::is(lda, this->m)) {
            const T *const from = cells + Cells::Run::before(A) + lc * this->m;
#pragma unroll
            for (int c = 0; c < CPT; ++c)
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    a[r][c] = r < this->m && this->col(c) < this->n ? from[c * PC * this->m + r] : make<T>(0);
            __syncwarp(); // the first pivot column may overwrite columns of others
            return;
        }
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T column[RPT];
            receive<0>(cells + place(this->col(c)), column);
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = column[r];
        }
    }
    // Stores the result if all lanes of the matrix say ok; otherwise the caller finds the original matrix in memory.
    // bulk: by bulk copy (see `in_bulk`), in which case the caller must wait until the stage has been read.
    __device__ __forceinline__ void store(T *A, long long lda, T *tau, bool ok, bool bulk = false) {
        const int column = opaque(lc), k_max = this->m < this->n ? this->m : this->n;
        if constexpr (direct) {
            if (ok) store_column(A, lda, tau, k_max);
            return;
        }
        __syncwarp(); // all have read the last pivot column
        scale_and_send<0>(column);
        if constexpr (Cells::bulk) before_bulk_copies();
        __syncwarp();
        if (!ok) return;
        put(A, lda, bulk);
        store_taus(tau, column, k_max);
    }
    // Sends register columns c .. end - 1 to the stage and from there to memory by a bulk copy, for matrices with as
    // many rows and columns as the tile. The caller must wait until the stage has been read.
    template <int c, int end>
    __device__ __forceinline__ void store_bulk(T *A, bool ok) {
        scale_and_send<c, end>(opaque(lc));
        before_bulk_copies();
        __syncwarp();
        constexpr int first = c * PC * Cells::rows, size = (end - c) * PC * Cells::rows;
        if (ok && lc == 0) bulk_store(A + first, cells + first, size * sizeof(T));
    }
    // Stores the taus of the columns in the stage.
    __device__ __forceinline__ void store_taus(T *tau, int column, int k_max) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int k = c * PC + column;
            if (k < k_max) tau[k] = tau_of(c, k);
        }
    }
    // Stores the columns in the stage, including the rows above the tile's.
    __device__ __forceinline__ void put(T *A, long long lda, bool bulk = false) const {
        const int m = this->m + top;
        if (Cells::bulk && bulk) {
            if (lc == 0) bulk_store(A, cells, bytes);
        } else if (in_chunks(A, lda, m)) [[likely]] {
            Cells::template put<V>(cells, rank(lane), A, lda, m, this->n);
        } else if (Cells::Run::is(lda, m)) {
            Cells::Run::put(cells, rank(lane), A, m, this->n);
        } else {
            Cells::template put<1>(cells, rank(lane), A, lda, m, this->n);
        }
    }
    // tau of this lane's register column c, which is column k of the matrix and in the stage. For the last row of a
    // real matrix, H = I.
    __device__ __forceinline__ T tau_of(int c, int k) const {
        const T tau = scale(d[c], -reciprocal_or_zero(re(cells[place(k) + k]))); // without a branch
        return k < this->k_end && !is_zero(d[c]) ? tau : make<T>(0);
    }
    // Stores this lane's only column at p, and its tau.
    __device__ __forceinline__ void store_column(T *p, long long lda, T *tau, int k_max) {
        const T factor = reciprocal_or_zero(d[0]);
        R beta = 0;
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            if (r == lc) beta = re(a[r][0]);
            if (r > lc) a[r][0] = mul(a[r][0], factor);
        }
        const T t = scale(d[0], -reciprocal_or_zero(beta)); // here, to overlap with the other reciprocal
        if (lc >= this->n) return;
        if (lc < k_max) tau[lc] = lc < this->k_end && !is_zero(d[0]) ? t : make<T>(0);
        if (this->m >= RPT && in_chunks(p, lda, RPT)) [[likely]] {
#pragma unroll
            for (int r = 0; r < RPT; r += V) {
                Chunk<T> q;
#pragma unroll
                for (int e = 0; e < V; ++e) q.e[e] = a[r + e][0];
                *reinterpret_cast<Chunk<T> *>(p + r) = q;
            }
        } else {
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r < this->m) p[r] = a[r][0];
        }
    }
    // Turns register column c into R and v.
    template <int c>
    __device__ __forceinline__ void finish(int column) {
        const T factor = reciprocal_or_zero(d[c]);
#pragma unroll
        for (int r = c * PC + 1; r < RPT; ++r)
            if (r >= (c + 1) * PC || r - c * PC > column) a[r][c] = mul(a[r][c], factor);
    }
    template <int c, int end = CPT>
    __device__ __forceinline__ void scale_and_send(int column) {
        if constexpr (c < end) {
            finish<c>(column);
            if (!idle(lane)) send<c, 0>(cells + place(c * PC + column));
            scale_and_send<c + 1, end>(column);
        }
    }
    // Whether the short formulas failed for a column of this lane.
    __device__ __forceinline__ bool failed() const { return failed_steps() | failed_rest(this->k_end, this->n); }
    // Whether a pivot among the register columns before END, whose steps are done, left the range, or was taken for
    // zero below the diagonal without even being negligible (its squares underflow).
    template <int END = CPT>
    __device__ __forceinline__ bool failed_steps() const {
        bool bad = !this->template ok<Range>(), zero = false;
        const int column = opaque(lc), k_end = this->k_end;
#pragma unroll
        for (int c = 0; c < END; ++c) zero |= is_zero(d[c]) & (c * PC + column < k_end);
        if (zero) [[unlikely]] {
#pragma unroll
            for (int c = 0; c < END; ++c) {
                const int k = c * PC + column;
                unsigned any = 0;
                R largest = 0;
#pragma unroll
                for (int r = c * PC; r < RPT; ++r) {
                    any |= r > k ? magnitude_bits(a[r][c]) : 0;
                    largest = r >= k ? fmax(largest, abs_inf(a[r][c])) : largest;
                }
                const bool counts = !SCALED || largest * largest > NegligibleSquare<R>::limit;
                bad |= is_zero(d[c]) & (k < k_end) & (any != 0) & counts;
            }
        }
        return bad;
    }
    // Whether one of the tile's columns k_end .. n - 1 is out of the range. These never are pivots: they exist if m <
    // n, or for the last row of a real matrix.
    __device__ __forceinline__ bool failed_rest(int k_end, int n) const {
        bool bad = false;
        const int column = opaque(lc);
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            if ((c + 1) * PC > k_end && k_end < n) {
                R sum[2] = {0, 0};
#pragma unroll
                for (int r = 0; r < RPT; ++r) sum[r & 1] = abs2_add(a[r][c], sum[r & 1]);
                const unsigned all = this->order(sum[0] + sum[1]);
                bool in_range = all < this->order(Range::hi);
                if constexpr (!SCALED) {
                    unsigned any = 0;
#pragma unroll
                    for (int r = 0; r < RPT; ++r) any |= magnitude_bits(a[r][c]);
                    in_range &= any == 0 || all > this->order(NegligibleSquare<R>::limit);
                }
                bad |= (c * PC + column >= k_end) & !in_range;
            }
        }
        return bad;
    }
};

} // namespace tephra
