// Strips in double precision: eight reflectors at a time on the FP64 tensor cores.
//
// The registers of a tile with PR = 4, PC = 8 are accumulators of C^T (rows 8 u + lr and 8 u + 4 + lr in two of them)
// as well as its A operand, as in update_tensor.cuh.
#pragma once
#include "../arch/arch.cuh"
#include "team.cuh"

namespace tephra {

template <int RPT_, int CPT_, int STRIPS>
struct TensorStrip : TeamQr<double, 4, 8, RPT_, CPT_, 1, false> {
    using Base = TeamQr<double, 4, 8, RPT_, CPT_, 1, false>;
    using Base::a, Base::CPT, Base::k_end, Base::lane, Base::lc, Base::lr, Base::m, Base::n, Base::RPT, Base::tau;
    static constexpr int step = 8; // reflectors applied at a time
    static constexpr int NB = Base::max_n, U = RPT / 2, MT = CPT / 2, rows = Base::max_m;
    static constexpr int quarter = (U + 3) / 4 * 8;          // rows are skipped by quarters of the tile
    static constexpr int ldv = rows + (18 - rows % 16) % 16; // 2 past a multiple of 16: no bank conflicts
    static_assert(RPT % 2 == 0 && CPT % 2 == 0 && NB % 8 == 0, "whole tensor tiles");

    struct Exchange : Base::Exchange {
        double v[2][8][ldv];                   // 8 reflectors: zero above the diagonal and past the last row
        double s[(STRIPS - 1) * NB / 8][8][8]; // S of each group of eight reflectors
    };
    Exchange &exchange;

    __device__ __forceinline__ TensorStrip(int m, int n, double *tau_, Exchange &exchange_)
        : Base(m, n, tau_, exchange_), exchange(exchange_) {}

    // The reflectors that belong to column x of W^T, and to column x of X^T: orders that read V without bank conflicts.
    static __device__ __forceinline__ int first_of(int x) { return 2 * (x & 3) + (x >> 2); }
    static __device__ __forceinline__ int second_of(int x) { return (x >> 1 & 1) + 4 * (x >> 2) + 2 * (x & 1); }

    // Clears the rows past the matrix's last one in both buffers.
    __device__ __forceinline__ void clear_rest() {
#pragma unroll
        for (int b = 0; b < 16; ++b)
            for (int i = m + lane; i < rows; i += 32) exchange.v[b / 8][b % 8][i] = 0;
    }

    // Starts copies of reflectors k0 .. k0 + 7 to a buffer.
    __device__ __forceinline__ void fetch(const double *A, long long lda, int k0) {
        double(*v)[ldv] = exchange.v[k0 / 8 & 1];
        const double *p = A + k0 * lda;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int i = lane % 8, j = lane / 8 + 4 * h;
            const bool inside = k0 + i < m; // false in the last ones of a wide matrix
            if (inside && i > j)
                copy_async(&v[j][k0 + i], p + j * lda + k0 + i);
            else
                v[j][k0 + i] = inside && i == j ? 1 : 0;
        }
        const int begin = k0 / quarter * quarter; // where `apply` begins
        for (int i = begin + lane / 8; i < k0; i += 4) v[lane % 8][i] = 0;
#pragma unroll 1
        for (int i = k0 + 8 + lane; i < m; i += 32)
#pragma unroll
            for (int j = 0; j < 8; ++j) copy_async(&v[j][i], p + j * lda + i);
        copies_sent();
    }

    // Waits for this lane's part of reflectors k0 .. k0 + 7, provided that at most one fetch followed theirs.
    __device__ __forceinline__ void arrive(int) { copies_done_but<1>(); }

    // Computes S of the reflectors in a buffer. tau: of these eight, in shared memory.
    __device__ __forceinline__ void make_s(int k0, const double *tau) {
        const double *p = exchange.v[k0 / 8 & 1][first_of(lc)] + lr;
        double gram[2][4] = {};
#pragma unroll 4
        for (int i = k0; i < m; i += 8) {
            const double v0 = p[i], v1 = p[i + 4];
            mma_f64(gram[0], v0, 0.0, v0);
            mma_f64(gram[1], v1, 0.0, v1);
        }
        // Row t of S depends on the Gram matrix above the diagonal, and on tau.
        double(*s)[8] = exchange.s[k0 / 8];
        const int t = lane % 8;
        double row[8], tau_[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) tau_[j] = tau[j];
        s[first_of(lc)][first_of(2 * lr)] = gram[0][0] + gram[1][0];
        s[first_of(lc)][first_of(2 * lr + 1)] = gram[0][1] + gram[1][1];
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            double sum[2] = {0, 0};
#pragma unroll
            for (int l = 0; l < j; ++l) sum[l & 1] = fma(row[l], s[l][j], sum[l & 1]);
            row[j] = j == t ? -tau_[j] : j > t ? -tau_[j] * (sum[0] + sum[1]) : 0.0;
        }
        __syncwarp();
        if (lane < 8)
#pragma unroll
            for (int j = 0; j < 8; ++j) s[t][j] = row[j];
        __syncwarp();
    }

    // Element i of reflector k0 + j.
    __device__ __forceinline__ double &element(int k0, int j, int i) { return exchange.v[k0 / 8 & 1][j][i]; }

    // Replaces S by S^T, for H instead of H^T.
    __device__ __forceinline__ void turn_s(int k0) {
        double(*s)[8] = exchange.s[k0 / 8];
        const int i = lane / 4, j = lane % 4;
        const double x = s[j][i], y = s[j + 4][i];
        __syncwarp();
        s[i][j] = x;
        s[i][j + 4] = y;
        __syncwarp();
    }

    // Applies reflectors k0 .. k0 + 7 to the tile, whose rows before BEGIN are above all of V. UPPER: whether S is
    // upper or lower triangular.
    static constexpr int narrow = CPT; // the instruction has no narrower form
    template <int BEGIN, bool UPPER = true, int COLUMNS = CPT>
    __device__ __forceinline__ void apply(int k0) {
        constexpr int FIRST_U = BEGIN / 8, chains = 4 / MT;
        const double(*v)[ldv] = exchange.v[k0 / 8 & 1];
        double acc[MT][chains][4] = {};
        const double *p = v[first_of(lc)] + lr;
#pragma unroll
        for (int r = 2 * FIRST_U; r < RPT; ++r) {
            const double b = p[4 * r];
#pragma unroll
            for (int t = 0; t < MT; ++t) mma_f64(acc[t][r % chains], a[r][2 * t], a[r][2 * t + 1], b);
        }
        // The accumulators of W^T serve as A operands, with their columns 2 q + e in the order of q.
        const double(*s)[8] = exchange.s[k0 / 8];
        const double s0 = s[first_of(2 * lr)][second_of(lc)], s1 = s[first_of(2 * lr + 1)][second_of(lc)];
        double x[MT][4] = {};
#pragma unroll
        for (int t = 0; t < MT; ++t) {
#pragma unroll
            for (int i = 1; i < chains; ++i)
#pragma unroll
                for (int e = 0; e < 4; ++e) acc[t][0][e] += acc[t][i][e];
            mma_f64(x[t], acc[t][0][0], acc[t][0][2], s0);
            mma_f64(x[t], acc[t][0][1], acc[t][0][3], s1);
        }
        const int row = (lc >> 1) + 4 * (lc & 1);
        const double *p0 = v[second_of(2 * lr)] + row, *p1 = v[second_of(2 * lr + 1)] + row;
#pragma unroll
        for (int u = FIRST_U; u < U; ++u) {
            const double b0 = p0[8 * u], b1 = p1[8 * u];
#pragma unroll
            for (int t = 0; t < MT; ++t) {
                double c[4] = {a[2 * u][2 * t], a[2 * u + 1][2 * t], a[2 * u][2 * t + 1], a[2 * u + 1][2 * t + 1]};
                mma_f64(c, x[t][0], x[t][2], b0);
                mma_f64(c, x[t][1], x[t][3], b1);
                a[2 * u][2 * t] = c[0];
                a[2 * u + 1][2 * t] = c[1];
                a[2 * u][2 * t + 1] = c[2];
                a[2 * u + 1][2 * t + 1] = c[3];
            }
        }
    }
};

} // namespace tephra
