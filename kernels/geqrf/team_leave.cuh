// Stores a team's finished columns between the steps of the others. If the whole matrix were stored at the end, all
// warps would wait for memory at once.
#pragma once
#include "../common/householder.cuh"
#include "team_stage.cuh"

namespace tephra {

// Where a placed matrix begins, counted from a lane's column and first access; others begin there.
template <bool PLACED>
struct Before {
    static constexpr int columns_before = 0, rows_before = 0;
};
template <>
struct Before<true> {
    int columns_before, rows_before;
};

// K: the tile of a whole matrix. When register column c is finished, the reciprocals of its scalars are started; some
// steps later it is stored, so that nothing waits for what was just started. The code between the loops of steps runs
// once, uncached, so everything that it needs is computed before the first step.
template <typename K>
struct TeamLeave : Before<K::placed> {
    using Before<K::placed>::columns_before, Before<K::placed>::rows_before;
    using T = typename K::T;
    using R = typename K::R;
    using Done = typename K::Done;
    using Stage = TeamStage<K>;
    static constexpr int P = K::P, CPT = K::CPT, RPT = K::RPT, PR = K::PR, V = Stage::V;
    // A store of single elements writes PR elements of each column. If those are less than a sector, columns go through
    // shared memory and are stored by chunks.
    static constexpr bool by_chunk = Stage::used && PR * sizeof(T) < 32;
    static constexpr int E = by_chunk ? V : 1; // elements of an access

    K &k;
    T *const matrix, *const cells;
    const bool chunks;           // whether the matrix's columns are whole chunks
    T *const A, *const tau;      // this lane's first access in register column 0; its column's tau
    const Done *const dones;     // what the steps leave of that column
    const int column, step;      // that column's number; elements from one column to the next
    const int columns, steps;    // of the matrix, from that column on
    const int taus;              // the same, but only in lanes that store taus
    T *const slot, *const chunk; // in the cells, of register column 0: this lane's first row, its first chunk
    int rows;                    // of a column, from the first access on; 0 once the formulas failed
    int ready = 0;               // finished columns for which they held
    // The scalars of this lane's column in the last finished register column, and estimates of their reciprocals.
    Done done;
    R d_estimate, beta_estimate;

    __device__ __forceinline__ TeamLeave(K &k_, T *cells_, T *A_, long long lda)
        : k(k_), matrix(A_), cells(cells_), chunks(by_chunk && __all_sync(~0u, in_chunks(A_, lda, k.m))),
          A(pin(A_ + (k.col(0) * lda + k.lr * E))), tau(k.tau + k.col(0)), dones(k.scalars()), column(opaque(k.col(0))),
          step(static_cast<int>(lda)), columns(opaque(k.n - column)), steps(opaque(k.k_end - column)),
          taus(opaque(k.lr == 0 ? (k.m < k.n ? k.m : k.n) - column : 0)),
          slot(by_chunk ? pinned<sizeof(T)>(cells + (k.lc * Stage::ld + k.lr)) : nullptr),
          chunk(by_chunk ? pinned<16>(cells + (k.lc * Stage::ld + k.lr * V)) : nullptr),
          rows(opaque(!by_chunk || chunks ? k.m - k.lr * E : 0)) {
        if constexpr (K::placed) {
            columns_before = opaque(k.skip - column);
            rows_before = opaque(k.skip - k.lr * E);
        }
    }

    // Called between two loops of steps; the last one had pivots in register column c, up to the tile's column `end`.
    template <int c, int end>
    __device__ __forceinline__ void between() {
        constexpr bool over = end == (c + 1) * P, first = end <= (c * P / PR + 1) * PR; // of c's loops
        if constexpr (first && c > 0) store<c - 1>();
        if constexpr (over) {
            __syncwarp(); // the last pivot's scalars, and the cells, are written
            const Done next = dones[c * P];
            if constexpr (c > 0) put<c - 1>();
            done = next;
            d_estimate = rcp_estimate(is_complex<T> ? abs2_add(done.d, R(0)) : re(done.d));
            beta_estimate = rcp_estimate(done.minus_beta);
            pin(d_estimate);
            pin(beta_estimate);
            // Lanes agree on what they have seen, except for the columns that never become pivots. Those are checked
            // here, where it delays little: steps do not change a column's norm.
            if (c == 0 && k.k_end < k.n && !K::all(k.template rest_ok<0>())) k.fail();
            const bool ok = k.template ok<ProductRange<R>>();
            if (K::scaled ? ok : K::all(ok)) { // lanes agree if columns were scaled
                ready = end;
            } else {
                rows = 0;
                if constexpr (!K::scaled) k.k_end = 0; // the remaining steps would be in vain
            }
        }
    }
    // After the last step.
    __device__ __forceinline__ void last() {
        store<CPT - 1>();
        if constexpr (by_chunk) __syncwarp();
        put<CPT - 1>();
    }
    __device__ __forceinline__ bool complete() const { return ready == P * CPT; }

  private:
    // Whether the matrix has an element at this distance from the lane's first access.
    __device__ __forceinline__ bool has_row(int row) const { return row < rows && (!K::placed || row >= rows_before); }
    // Forces the computation here and now: the compiler would repeat or delay it to save registers.
    static __device__ __forceinline__ T *pin(T *p) {
        forget(p);
        return p;
    }
    static __device__ __forceinline__ void pin(float &x) { forget(x); }
    static __device__ __forceinline__ void pin(double &x) { forget(x); }
    static __device__ __forceinline__ void pin(Complex<R> &x) {
        pin(x.x);
        pin(x.y);
    }

    // This lane's first access in register column c.
    __device__ __forceinline__ T *at(int c) const { return global(A + static_cast<long long>(opaque(step)) * (c * P)); }
    // The factor that turns the column into v.
    __device__ __forceinline__ T factor() const {
        if constexpr (is_complex<T>) {
            const R g = rcp_refined(abs2_add(done.d, R(0)), d_estimate);
            return {done.d.x * g, -done.d.y * g};
        } else {
            return rcp_refined(done.d, d_estimate);
        }
    }
    // Stores register column c, to memory or to the cells, and its taus. For the last row of a real matrix, H = I.
    template <int c>
    __device__ __forceinline__ void store() {
        const bool zero = c * P >= steps || done.minus_beta == 0;
        T x = scale(done.d, rcp_refined(done.minus_beta, beta_estimate));
        x = zero ? make<T>(0) : x;
        pin(x);
        if (c * P < taus && (!K::placed || c * P >= columns_before)) tau[c * P] = x;
        const T f = factor();
        if constexpr (by_chunk) {
#pragma unroll
            for (int r = 0; r < RPT; ++r) slot[c * P * Stage::ld + r * PR] = element<c>(r, f);
        } else {
            T *const p = at(c);
            bool mine = c * P < columns;
            if constexpr (K::placed) mine = mine && c * P >= columns_before;
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const T e = element<c>(r, f);
                if (mine && has_row(r * PR)) p[r * PR] = e;
            }
        }
    }
    // Stores register column c from the cells to memory.
    template <int c>
    __device__ __forceinline__ void put() {
        if constexpr (by_chunk) {
            constexpr int rounds = (Stage::units + PR - 1) / PR;
            T *const p = at(c);
            const bool mine = c * P < columns;
            Chunk<T> q[rounds];
#pragma unroll
            for (int i = 0; i < rounds; ++i)
                if ((i + 1) * PR <= Stage::units || k.lr + i * PR < Stage::units)
                    q[i] = *reinterpret_cast<const Chunk<T> *>(chunk + (c * P * Stage::ld + i * PR * V));
#pragma unroll
            for (int i = 0; i < rounds; ++i)
                if (mine && i * PR * V < rows) *reinterpret_cast<Chunk<T> *>(p + i * PR * V) = q[i];
            if (!chunks) Stage::put_call(matrix, cells, step, k.m, c * P, k.n < ready ? k.n : ready);
        }
    }
    // Element (r, c) of the tile as LAPACK leaves it.
    template <int c>
    __device__ __forceinline__ T element(int r, T f) const {
        const bool never = (r + 1) * PR <= c * P, always = r * PR >= (c + 1) * P; // below the diagonal
        return never || !(always || k.lr - column > c * P - r * PR) ? k.a[r][c] : mul(k.a[r][c], f);
    }
};

} // namespace tephra
