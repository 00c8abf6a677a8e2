// Strips in single precision: four reflectors at a time, read as one vector per row, on the FP32 units.
#pragma once
#include "../arch/arch.cuh"
#include "team.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int STRIPS>
struct VectorStrip : TeamQr<T_, PR_, PC_, RPT_, CPT_, 1, false> {
    using Base = TeamQr<T_, PR_, PC_, RPT_, CPT_, 1, false>;
    using Base::a, Base::CPT, Base::k_end, Base::lane, Base::lc, Base::lr, Base::m, Base::n, Base::P, Base::PR,
        Base::RPT, Base::tau;
    using typename Base::T;
    static constexpr int step = 4; // reflectors applied at a time
    static constexpr int NB = Base::max_n, rows = Base::max_m;
    static constexpr int quarter = (RPT + 3) / 4 * PR;                      // rows are skipped by quarters of the tile
    static constexpr int stored = (rows + quarter - 1) / quarter * quarter; // rows of a buffer
    using Sum = Sums<T, PR, 4 * CPT>;
    static_assert(PR == 8 && CPT == 8 && quarter % step == 0, "a lane sums one column for all four reflectors");

    struct alignas(4 * sizeof(T)) Four {
        T x[4];
    };
    struct Exchange : Base::Exchange {
        // 4 reflectors a row: zero above the diagonal and past the last row
        Four v[2][stored];
        Four x[32 / PR][CPT + 1];         // X of each lane column; the odd length avoids bank conflicts
        Four s[(STRIPS - 1) * NB / 4][4]; // S of each group of four reflectors
    };
    Exchange &exchange;

    __device__ __forceinline__ VectorStrip(int m, int n, T *tau_, Exchange &exchange_)
        : Base(m, n, tau_, exchange_), exchange(exchange_) {}

    // Clears the rows past the matrix's last one in both buffers.
    __device__ __forceinline__ void clear_rest() {
        for (int i = m + lane; i < stored; i += 32)
#pragma unroll
            for (int b = 0; b < 2; ++b)
#pragma unroll
                for (int j = 0; j < 4; ++j) exchange.v[b][i].x[j] = make<T>(0);
    }

    // Starts copies of reflectors k0 .. k0 + 3 to a buffer, from the row where `apply` begins, a quarter of the tile at
    // a time. The first quarter contains everything that is not below the diagonal. A lane takes every eighth row of
    // one reflector.
    __device__ __forceinline__ void fetch(const T *A, long long lda, int k0) {
        const int j = lane / 8, top = k0 / quarter * quarter, first = top + lane % 8, diagonal = k0 + j - first;
        const T *p = A + (k0 + j) * lda + first;
        T *to = &exchange.v[k0 / 4 & 1][first].x[j];
        if (top + quarter <= m) {
#pragma unroll
            for (int i = 0; i < quarter; i += 8) copy_async<sizeof(T)>(to + 4 * i, p + i, i > diagonal);
        } else {
#pragma unroll
            for (int i = 0; i < quarter; i += 8)
                copy_async<sizeof(T)>(to + 4 * i, p + i, i > diagonal && i < m - first);
        }
        int left = m - top - quarter; // rows of the whole warp
#pragma unroll 1
        for (; left >= quarter; left -= quarter) {
            p += quarter;
            to += 4 * quarter;
#pragma unroll
            for (int i = 0; i < quarter; i += 8) copy_async(to + 4 * i, p + i);
        }
        if (left > 0) {
#pragma unroll
            for (int i = 0; i < quarter; i += 8)
                if (i < left - lane % 8) copy_async(to + 4 * (i + quarter), p + i + quarter);
        }
        copies_sent();
    }
    // Waits for this lane's part of reflectors k0 .. k0 + 3, provided that at most one fetch followed theirs.
    __device__ __forceinline__ void arrive(int k0) {
        copies_done_but<1>();
        const int i = k0 + lane / 8; // row of the diagonal, where this lane has fetched a zero
        if (lane % 8 == i % 8 && i < m) element(k0, lane / 8, i) = make<T>(1);
    }

    // Computes S of the reflectors in a buffer. tau: of these four, in shared memory.
    __device__ __forceinline__ void make_s(int k0, const T *tau) {
        using Gram = Sums<T, 32, 6>; // above the diagonal, column by column
        const Four *v = exchange.v[k0 / 4 & 1];
        T diagonal[4], gram[6], s[4][4];
#pragma unroll
        for (int j = 0; j < 4; ++j) diagonal[j] = conj(scale(tau[j], Real<T>(-1)));
#pragma unroll
        for (int e = 0; e < 6; ++e) gram[e] = make<T>(0);
#pragma unroll 1
        for (int r = k0 / quarter * quarter + lane; r < stored; r += 32) {
            const Four b = v[r];
#pragma unroll
            for (int j = 1; j < 4; ++j)
#pragma unroll
                for (int i = 0; i < j; ++i)
                    gram[j * (j - 1) / 2 + i] = cfma_(b.x[i], b.x[j], gram[j * (j - 1) / 2 + i]);
        }
        Gram::run(gram, lane);
        T above[6];
#pragma unroll
        for (int e = 0; e < 6; ++e)
            above[e] = conj(Gram::scattered ? shfl_group<32>(gram[Gram::slot(e)], Gram::lane(e)) : gram[e]);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                T sum = make<T>(0);
#pragma unroll
                for (int l = i; l < j; ++l) sum = fma_(s[i][l], above[j * (j - 1) / 2 + l], sum);
                s[i][j] = i < j ? mul(diagonal[j], sum) : i == j ? diagonal[j] : make<T>(0);
            }
        }
        if (lane == 0)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) exchange.s[k0 / 4][i].x[j] = s[i][j];
        __syncwarp();
    }

    // Element i of reflector k0 + j.
    __device__ __forceinline__ T &element(int k0, int j, int i) { return exchange.v[k0 / 4 & 1][i].x[j]; }

    // Replaces S by S^H, for H instead of H^H.
    __device__ __forceinline__ void turn_s(int k0) {
        Four *s = exchange.s[k0 / 4];
        const int i = lane / 4, j = lane % 4;
        const T x = lane < 16 ? conj(s[j].x[i]) : make<T>(0);
        __syncwarp();
        if (lane < 16) s[i].x[j] = x;
        __syncwarp();
    }

    // Applies reflectors k0 .. k0 + 3 to the tile's first COLUMNS register columns; the others are zero. The tile's
    // rows before BEGIN are above all of V. UPPER: whether S is upper or lower triangular.
    static constexpr int narrow = CPT / 2; // register columns that a short last strip needs
    template <int BEGIN, bool UPPER = true, int COLUMNS = CPT>
    __device__ __forceinline__ void apply(int k0) {
        const Four *v = exchange.v[k0 / 4 & 1] + lr;
        T w[4 * CPT];
#pragma unroll
        for (int j = 0; j < 4 * CPT; ++j) w[j] = make<T>(0);
#pragma unroll
        for (int r = BEGIN / PR; r < RPT; ++r) {
            const Four b = v[r * PR];
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
                for (int i = 0; i < 4; ++i) w[4 * c + i] = cfma_(b.x[i], a[r][c], w[4 * c + i]);
        }
        // Lane lr of a lane column gets the column of W that belongs to column lr.
        Sum::run(w, lane);
        const Four *s = exchange.s[k0 / 4];
        Four x;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int first = UPPER ? 0 : j, last = UPPER ? j : 3;
            x.x[j] = mul(s[first].x[j], w[first]);
#pragma unroll
            for (int i = first + 1; i <= last; ++i) x.x[j] = fma_(s[i].x[j], w[i], x.x[j]);
        }
        exchange.x[lc][lr] = x;
        __syncwarp();
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            const Four y = exchange.x[lc][c];
#pragma unroll
            for (int i = 0; i < 4; ++i) w[4 * c + i] = y.x[i];
        }
#pragma unroll
        for (int r = BEGIN / PR; r < RPT; ++r) {
            const Four b = v[r * PR];
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
                for (int i = 0; i < 4; ++i) a[r][c] = fma_(b.x[i], w[4 * c + i], a[r][c]);
        }
    }
};

} // namespace tephra
