// The single-precision trailing update with products in TF32, for callers that allow it: C := H^H C as in update.cuh,
//
//   W = V^T C;  X = S^T W;  C += V X
// with V, S and the operands C, W, X rounded to TF32 (10 bits of mantissa) and sums in FP32. S comes from the Gram
// matrix at FP32's accuracy: each element of V is split into two parts, and three products are taken.
//
// A warp keeps 16 U rows of NT columns of C as accumulators of C^T: of each group of 16 rows, lane (g = lane / 4, q =
// lane % 4) holds rows 4 q .. 4 q + 3 of columns g, g + 8, ... The group's two tiles contain rows 4 q + 2 e + b (b the
// tile, e the column of a pair), so that accesses to C, and to V for W, are 16 bytes wide, and those to V for the
// update 8 bytes. Since sums may run in any order, the same registers serve as the A operand of W^T = C^T V, and W's
// accumulators as that of X^T = W^T S. Only V, S and the warps' parts of X go through shared memory. The orders of
// reflectors (first_of, second_of) and leading dimensions of 8 modulo 32 avoid bank conflicts.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "update.cuh"

namespace tephra {

template <int NB, int NT, int W, int U, int G, int CL>
struct UpdateTf32 {
    static constexpr int team_threads = 32 * W, threads = G * team_threads, teams = G, cluster = CL;
    static constexpr int group = 16, step = group * W,
                         capacity = step * U; // rows: dealt at a time, of a team's u, of a block
    static constexpr int ldv = capacity + 8, lds = NB + 8;
    static constexpr int CT = NT / 16, JT = NB / 8; // tiles of columns and of reflectors
    static constexpr int size = NB * NT;
    static_assert(NB % 32 == 0 && NT % 16 == 0 && capacity % 32 == 0 && threads >= NB && team_threads >= NT);
    static_assert(size % team_threads == 0 && NB * NB / 4 <= G * W * size);

    // Columns that a block handles at a time, and the rounds of a matrix in one run: last, last - step, ...
    static constexpr int round = G * NT;
    struct Rounds {
        int first, last, step;
    };
    struct Nothing {};

    // In shared memory.
    alignas(16) float v[NB * ldv];
    alignas(16) float part[G][W][size]; // the warps' parts of X, tile by tile and lane by lane
    alignas(16) std::conditional_t<(CL > 1), ClusterSum<float, size, CL>, Nothing> sums[CL > 1 ? G : 1];
    float s[NB][lds];
    long long job, end;

    static __device__ __forceinline__ int rank() {
        if constexpr (CL > 1)
            return cluster_rank();
        else
            return 0;
    }
    static __device__ __forceinline__ int team() { return threadIdx.x / team_threads; }
    static __device__ __forceinline__ int member_of_team() { return threadIdx.x % team_threads; }
    static __device__ __forceinline__ int warp() { return threadIdx.x / 32 % W; }
    static __device__ __forceinline__ int g() { return threadIdx.x % 32 / 4; }
    static __device__ __forceinline__ int q() { return threadIdx.x % 4; }
    static __device__ __forceinline__ void sync_team() { team_sync<W, G>(team()); }

    // The reflectors (of a tile's eight) that belong to column x of a tile of W^T, and to column x of a tile of X^T.
    static __device__ __forceinline__ int first_of(int x) { return (x >> 1 & 1 | (x & 1) << 1) ^ (x & 4 ? 6 : 0); }
    static __device__ __forceinline__ int second_of(int x) { return x >> 1 | (x & 1) << 2; }

    static __device__ __forceinline__ float4 at(const float *p) { return *reinterpret_cast<const float4 *>(p); }

    // Computes this warp's part of row block I (of 16 rows) of the Gram matrix, from the diagonal on.
    template <int I>
    __device__ __forceinline__ void gram(int rows, float *out) const {
        constexpr int J = JT - 2 * I;
        float acc[J][4] = {};
        const float *x = v + (16 * I + first_of(g())) * ldv + 4 * q();
#pragma unroll 1
        for (int r = threadIdx.x / 32 * group; r < rows; r += G * W * group) {
            // High and low parts of up to four reflectors at a time; the first two are the row block's own.
            constexpr int H = J < 4 ? J : 4;
            float own[2][2][4], y[2][H][4];
#pragma unroll
            for (int first = 0; first < J; first += H) {
#pragma unroll
                for (int j = 0; j < H; ++j) {
                    if (first + j >= J) break;
                    const float4 z = at(x + 8 * (first + j) * ldv + r);
                    const float z4[4] = {z.x, z.y, z.z, z.w};
#pragma unroll
                    for (int i = 0; i < 4; ++i) {
                        y[0][j][i] = tf32(z4[i]);
                        y[1][j][i] = tf32(z4[i] - y[0][j][i]);
                        if (first == 0 && j < 2) own[0][j][i] = y[0][j][i], own[1][j][i] = y[1][j][i];
                    }
                }
#pragma unroll
                for (int part = 0; part < 6; ++part) {
                    const int p = part / 2 == 0, o = part / 2 == 1, b = part % 2; // low x high, high x low, high x high
#pragma unroll
                    for (int j = 0; j < H; ++j)
                        if (first + j < J)
                            mma_tf32(acc[first + j], own[p][0][b], own[p][1][b], own[p][0][2 + b], own[p][1][2 + b],
                                     y[o][j][b], y[o][j][2 + b]);
                }
            }
        }
#pragma unroll
        for (int j = 0; j < J; ++j)
            *reinterpret_cast<float4 *>(out + (32 * j + threadIdx.x % 32) * 4) =
                make_float4(acc[j][0], acc[j][1], acc[j][2], acc[j][3]);
    }

    // Computes row blocks I, I + 1, ... of the Gram matrix above the diagonal, into s.
    template <int I = 0>
    __device__ __forceinline__ void grams(int rows, unsigned &turn) {
        if constexpr (2 * I < JT) {
            gram<I>(rows, part[team()][warp()]);
            if constexpr (CL > 1) {
                sum_over_cluster(turn);
                for (int e = member_of_team(); e < (JT - 2 * I) * 128; e += team_threads)
                    part[team()][0][e] = sums[team()].sum(turn, e);
                ++turn;
            }
            __syncthreads();
            for (int e = threadIdx.x; e < (JT - 2 * I) * 128; e += threads) {
                float sum = 0;
#pragma unroll
                for (int i = 0; i < (CL > 1 ? G : G * W); ++i) sum += CL > 1 ? part[i][0][e] : part[i / W][i % W][e];
                const int l = e / 4 % 32, r = e % 4;
                const int row = 16 * I + 8 * (r >> 1) + first_of(l / 4);
                const int col = 16 * I + 8 * (e / 128) + first_of(2 * (l % 4) + (r & 1));
                if (row < col) s[row][col] = sum;
            }
            __syncthreads();
            grams<I + 1>(rows, turn);
        }
    }

    // Sums the warps' parts over the cluster. Returns when the parts of all blocks are here.
    __device__ __forceinline__ void sum_over_cluster(unsigned turn) {
        if constexpr (CL > 1) {
            sync_team();
            if (member_of_team() == 0) sums[team()].expect(turn);
#pragma unroll
            for (int e = member_of_team(); e < size; e += team_threads) {
                float sum = part[team()][0][e];
#pragma unroll
                for (int i = 1; i < W; ++i) sum += part[team()][i][e];
                sums[team()].send(turn, e, sum);
            }
            sums[team()].wait(turn);
            sync_team(); // the parts may be written again
        }
    }

    // A tile of C: rows 4 q, ... of each of this warp's groups, and columns 8 h + g of each 16.
    struct Tile {
        float c[U][CT][2][4];
    };
    template <typename P, typename F>
    static __device__ __forceinline__ void each(P *p, long long ldc, int rows, int cols, F f) {
        const int row = group * warp() + 4 * q();
#pragma unroll
        for (int t = 0; t < CT; ++t)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int col = 16 * t + 8 * h + g();
                P *x = p + col * ldc + row;
                const int left = col < cols ? rows - row : 0;
#pragma unroll
                for (int u = 0; u < U; ++u) f(u, t, h, x + u * step, left - u * step);
            }
    }
    static __device__ __forceinline__ void load(Tile &tile, const float *p, long long ldc, int rows, int cols) {
        if (aligned<16>(p, ldc) && rows % 4 == 0)
            each(p, ldc, rows, cols, [&](int u, int t, int h, const float *x, int left) {
                float4 y = {};
                if (left > 0) y = at(x);
                tile.c[u][t][h][0] = y.x;
                tile.c[u][t][h][1] = y.y;
                tile.c[u][t][h][2] = y.z;
                tile.c[u][t][h][3] = y.w;
            });
        else
            each(p, ldc, rows, cols, [&](int u, int t, int h, const float *x, int left) {
#pragma unroll
                for (int i = 0; i < 4; ++i) tile.c[u][t][h][i] = i < left ? x[i] : 0.0f;
            });
    }
    static __device__ __forceinline__ void store(const Tile &tile, float *p, long long ldc, int rows, int cols) {
        if (aligned<16>(p, ldc) && rows % 4 == 0)
            each(p, ldc, rows, cols, [&](int u, int t, int h, float *x, int left) {
                const float(&y)[4] = tile.c[u][t][h];
                if (left > 0) *reinterpret_cast<float4 *>(x) = make_float4(y[0], y[1], y[2], y[3]);
            });
        else
            each(p, ldc, rows, cols, [&](int u, int t, int h, float *x, int left) {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (i < left) x[i] = tile.c[u][t][h][i];
            });
    }

    // Computes this warp's part of W^T.
    __device__ __forceinline__ void dots(const Tile &tile, float (&w)[CT][JT][4], int rows) const {
#pragma unroll
        for (int t = 0; t < CT; ++t)
#pragma unroll
            for (int j = 0; j < JT; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) w[t][j][i] = 0;
        const float *x = v + first_of(g()) * ldv + group * warp() + 4 * q();
#pragma unroll
        for (int u = 0; u < U; ++u) {
            if (u * step + group * warp() >= rows) break;
            float a[CT][2][4];
#pragma unroll
            for (int t = 0; t < CT; ++t)
#pragma unroll
                for (int h = 0; h < 2; ++h)
#pragma unroll
                    for (int i = 0; i < 4; ++i) a[t][h][i] = tf32(tile.c[u][t][h][i]);
            constexpr int H = 4; // H CT consecutive products that do not depend on each other
#pragma unroll
            for (int first = 0; first < JT; first += H) {
                float b[H][4];
#pragma unroll
                for (int j = 0; j < H; ++j) {
                    const float4 y = at(x + 8 * (first + j) * ldv + u * step);
                    b[j][0] = y.x, b[j][1] = y.y, b[j][2] = y.z, b[j][3] = y.w;
                }
#pragma unroll
                for (int k = 0; k < 2; ++k)
#pragma unroll
                    for (int j = 0; j < H; ++j)
#pragma unroll
                        for (int t = 0; t < CT; ++t)
                            mma_tf32(w[t][first + j], a[t][0][k], a[t][1][k], a[t][0][2 + k], a[t][1][2 + k], b[j][k],
                                     b[j][2 + k]);
            }
        }
    }
    // Stores this warp's part of X^T = W^T S, from its part of W in registers.
    __device__ __forceinline__ void put_expanded(float (&w)[CT][JT][4], float *out) const {
#pragma unroll
        for (int t = 0; t < CT; ++t)
#pragma unroll
            for (int j = 0; j < JT; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) w[t][j][i] = tf32(w[t][j][i]);
        const float *low = &s[first_of(2 * q())][second_of(g())], *high = &s[first_of(2 * q() + 1)][second_of(g())];
        constexpr int H = 4;
#pragma unroll
        for (int first = 0; first < JT; first += H) {
            float x[H][CT][4] = {};
#pragma unroll
            for (int j = 0; j < first + H; ++j)
#pragma unroll
                for (int to = 0; to < H; ++to) {
                    if (j > first + to) continue;
                    const int place = 8 * j * lds + 8 * (first + to);
#pragma unroll
                    for (int t = 0; t < CT; ++t)
                        mma_tf32(x[to][t], w[t][j][0], w[t][j][2], w[t][j][1], w[t][j][3], low[place], high[place]);
                }
#pragma unroll
            for (int to = 0; to < H; ++to)
#pragma unroll
                for (int t = 0; t < CT; ++t)
                    *reinterpret_cast<float4 *>(out + (((first + to) * CT + t) * 32 + threadIdx.x % 32) * 4) =
                        make_float4(x[to][t][0], x[to][t][1], x[to][t][2], x[to][t][3]);
        }
    }
    // C += V X, where X is the sum of PARTS arrays.
    template <int PARTS>
    __device__ __forceinline__ void update(Tile &tile, const float (*parts)[size], int rows) const {
        const float *y = v + q() * ldv + group * warp() + 2 * g();
#pragma unroll
        for (int j = 0; j < JT; ++j) {
            float a[CT][4];
#pragma unroll
            for (int t = 0; t < CT; ++t) {
                const int place = ((j * CT + t) * 32 + threadIdx.x % 32) * 4;
                float4 x = at(parts[0] + place);
#pragma unroll
                for (int i = 1; i < PARTS; ++i) {
                    const float4 z = at(parts[i] + place);
                    x.x += z.x;
                    x.y += z.y;
                    x.z += z.z;
                    x.w += z.w;
                }
                a[t][0] = tf32(x.x);
                a[t][1] = tf32(x.z);
                a[t][2] = tf32(x.y);
                a[t][3] = tf32(x.w);
            }
#pragma unroll
            for (int u = 0; u < U; ++u) {
                if (u * step + group * warp() >= rows) break;
                const float2 b0 = *reinterpret_cast<const float2 *>(y + 8 * j * ldv + u * step);
                const float2 b1 = *reinterpret_cast<const float2 *>(y + (8 * j + 4) * ldv + u * step);
#pragma unroll
                for (int k = 0; k < 2; ++k)
#pragma unroll
                    for (int t = 0; t < CT; ++t) {
                        float(&c)[2][4] = tile.c[u][t];
                        float acc[4] = {c[0][k], c[0][2 + k], c[1][k], c[1][2 + k]};
                        mma_tf32(acc, a[t][0], a[t][1], a[t][2], a[t][3], k ? b0.y : b0.x, k ? b1.y : b1.x);
                        c[0][k] = acc[0];
                        c[0][2 + k] = acc[1];
                        c[1][k] = acc[2];
                        c[1][2 + k] = acc[3];
                    }
            }
        }
    }

    // Prefetches this team's tile of a round into the L2 cache.
    static __device__ __forceinline__ void prefetch_round(int r, const LarfbArgs &args, const float *C, int rows) {
        const long long j = static_cast<long long>(r) * round + team() * NT + member_of_team();
        if (member_of_team() < NT && j < args.n && rows > 0) prefetch_column(C + j * args.ldc, rows);
    }

    __device__ __forceinline__ void run(const LarfbArgs &args, const float *V, const float *tau, const float *,
                                        float *C, const Place<const float> &, const Place<float> &,
                                        const Rounds &rounds, unsigned &turn) {
        const int m = static_cast<int>(args.m), k = static_cast<int>(args.k);
        // This block's part of the cluster's rows.
        const int most = (m + CL * group - 1) / (CL * group) * group, top = most * rank();
        const int rows = m - top < 0 ? 0 : m - top < most ? m - top : most;
        prefetch_round(rounds.last, args, C + top, rows);
        for (int e = threadIdx.x; e < NB * lds; e += threads) (&s[0][0])[e] = 0;
        load_reflectors<NB, ldv, threads>(v, V, args.ldv, top, rows, (rows + group - 1) / group * group, k, true,
                                          [](int r) { return r; });
        copies_done();
        __syncthreads();
        grams(rows, turn);
        if (threadIdx.x < NB) s[threadIdx.x][threadIdx.x] = threadIdx.x < k ? -tau[threadIdx.x] : 0.0f;
        __syncthreads();
        form_s<NB, threads>(s, part[0][0]);
        for (int e = threadIdx.x; e < NB * NB; e += threads) {
            float &x = s[e / NB][e % NB];
            x = tf32(x);
        }
        const int quads = (rows + 3) / 4;
        for (int j = threadIdx.x / 32; j < NB; j += G * W)
            for (int r = threadIdx.x % 32; r < quads; r += 32) {
                float4 *p = reinterpret_cast<float4 *>(v + j * ldv) + r;
                const float4 x = *p;
                *p = make_float4(tf32(x.x), tf32(x.y), tf32(x.z), tf32(x.w));
            }
        __syncthreads();

        Tile tile;
        for (int r = rounds.last; r >= rounds.first; r -= rounds.step) {
            const long long first = static_cast<long long>(r) * round + team() * NT, left = args.n - first;
            if (left <= 0) continue;
            const int cols = static_cast<int>(left < NT ? left : NT);
            float *here = C + first * args.ldc + top;
            load(tile, global(here), args.ldc, rows, cols);
            {
                float w[CT][JT][4];
                dots(tile, w, rows);
                if (r - rounds.step >= rounds.first) prefetch_round(r - rounds.step, args, C + top, rows);
                if (CL == 1) sync_team(); // the previous tile's parts have been read
                put_expanded(w, part[team()][warp()]);
            }
            if constexpr (CL == 1) {
                sync_team();
                update<W>(tile, part[team()], rows);
            } else {
                sum_over_cluster(turn);
                update<CL>(tile, sums[team()].box[turn & 1], rows);
                ++turn;
            }
            store(tile, global(here), args.ldc, rows, cols);
        }
    }
};

template <int NB, int NT, int W, int U, int G, int CL>
__device__ __forceinline__ void update_tf32(const LarfbArgs &args) {
    larfb_jobs<UpdateTf32<NB, NT, W, U, G, CL>, float, false>(args);
}

} // namespace tephra

// Real single precision only.
#define TEPHRA_UPDATE_TF32(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS)                                                   \
    TEPHRA_ENTRY(                                                                                                      \
        NAME, (Instance(32 * W * G).applies<UpdateTf32<NB, NT, W, U, G, CL>>(NB, NT, G, CL).at_once(MIN_BLOCKS)),      \
        TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W * G, MIN_BLOCKS), LarfbArgs, update_tf32<NB, NT, W, U, G, CL>)
