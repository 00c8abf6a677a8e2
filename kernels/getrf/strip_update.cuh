// The update after a panel of an LU factorisation, in one launch: its row interchanges in the columns beside it, and in
// those to the right U12 := L11^-1 A12 and A22 := A22 - L21 U12.
//
// A block has a strip of columns, whose U12 it keeps in shared memory. Below that the warps work independently, without
// barriers: each takes tiles of rows and reads their part of L straight into registers, so that one warp's memory
// latency is hidden by the others' products.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../geqrf/update_tensor.cuh"
#include "args.cuh"
#include "permutation.cuh"
#include "row_tile.cuh"

namespace tephra {

// Mirrored in src/gpu/getrf/steps.rs.
struct StripUpdateArgs {
    GetrfArgs lu;
    int left, strips; // strips per matrix: those with interchanges only, and all
};

// A warp's tile of A22, on the FP64 tensor instruction.
template <int NT>
struct WarpTile {
    static constexpr int rows = 16, J = NT / 8, steps = 2, wide = 4 * steps; // wide: columns of L loaded at a time
    Accumulator<double> c[J];
    int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;

    struct Left {
        double a[steps][2];
    };
    template <typename F>
    __device__ __forceinline__ void each(F f) {
#pragma unroll
        for (int j = 0; j < J; ++j)
#pragma unroll
            for (int r = 0; r < 4; ++r) f(j, r, g + r / 2 * 8, 8 * j + 2 * q + r % 2);
    }
    // Loads L's columns from k on, in `height` rows; L has `order` columns.
    template <bool INSIDE>
    __device__ __forceinline__ void bring(Left &l, const double *L, long long ld, int k, int order, int height) const {
#pragma unroll
        for (int s = 0; s < steps; ++s) {
            const int column = k + 4 * s + q;
            const double *const from = L + g + column * ld;
            l.a[s][0] = INSIDE || (column < order && g < height) ? from[0] : 0;
            l.a[s][1] = INSIDE || (column < order && g + 8 < height) ? from[8] : 0;
        }
    }
    template <int ldu>
    __device__ __forceinline__ void multiply(const Left &l, const double *u, int k) {
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
            for (int j = 0; j < J; ++j)
                c[j].fma(flip(l.a[s][0]), flip(l.a[s][1]), u[(8 * j + g) * ldu + k + 4 * s + q]);
    }
};

template <typename T, int K, int NT, int W>
struct StripUpdate {
    static_assert(sizeof(T) == sizeof(double) && !is_complex<T>, "on the tensor instruction");
    using Tile = WarpTile<NT>;
    static constexpr int threads = 32 * W, B = 16, blocks = K / B, ldu = K + 4, ldd = 20;
    static constexpr int each = K * NT / threads, apart = threads / K; // in `gather`: elements of a thread, column step
    static_assert(threads % K == 0 && K * NT % threads == 0 && blocks * 16 <= 32 * (W > 1 ? W - 1 : 1), "whole turns");
    // Shared memory of a block in bytes: U12 and L11's diagonal blocks; row origins, in whole warps and one more.
    static constexpr size_t bytes(int rows) {
        return (NT * ldu + blocks * B * ldd) * sizeof(T) + (rows + 64) * sizeof(unsigned short);
    }

    const StripUpdateArgs &args;
    const GetrfArgs &lu = args.lu;
    T *const u = reinterpret_cast<T *>(dynamic_shared()), *const diagonals = u + NT * ldu;
    unsigned short *const origin = reinterpret_cast<unsigned short *>(diagonals + blocks * B * ldd);
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32, k = lu.columns, below = lu.m - lu.at;
    const long long i = blockIdx.x / args.strips, lda = lu.lda;
    const int strip = static_cast<int>(blockIdx.x - i * args.strips);
    const bool solves = strip >= args.left;
    const int first = solves ? lu.at + k + (strip - args.left) * NT : lu.first + strip * NT;
    const int left_over = (solves ? lu.n : lu.at) - first, count = left_over < NT ? left_over : NT;
    T *const matrix = lu.matrix<T>(i) + lu.at; // its rows from the panel's on
    T *const A = matrix + first * lda;         // the strip
    const T *const L = matrix + lu.at * lda;

    // Inverts two diagonal blocks of L11, by a warp.
    __device__ __forceinline__ void invert(int pair) {
        const int b = 2 * pair + lane / B, c = lane % B;
        T *const d = diagonals + b * B * ldd;
        if (b < blocks) {
#pragma unroll 4
            for (int j = 0; j < B; ++j) {
                const bool there = B * b + c < k && B * b + j < k;
                stage<sizeof(T)>(d + j * ldd + c, there ? L + B * b + c + (B * b + j) * lda : L,
                                 there ? int(sizeof(T)) : 0, true);
            }
        }
        copies_sent();
        copies_done_but<0>();
        __syncwarp();
        T v[B];
#pragma unroll
        for (int r = 0; r < B; ++r) v[r] = make<T>(r == c ? 1 : 0);
        if (b < blocks) {
#pragma unroll
            for (int j = 0; j < B; ++j)
#pragma unroll
                for (int r = j + 1; r < B; ++r) v[r] = fnma_(d[j * ldd + r], v[j], v[r]);
        }
        __syncwarp();
        if (b < blocks) {
#pragma unroll
            for (int r = 0; r < B; ++r) d[c * ldd + r] = v[r];
        }
    }
    // Copies the panel's rows, exchanged, to shared memory, and moves the rows that they displace in the matrix.
    __device__ __forceinline__ void gather(const int *ipiv) {
        const int r = threadIdx.x % K, c0 = threadIdx.x / K;
        const bool there = r < k;
        const int from = there && ipiv ? origin[r] : r;
#pragma unroll 8
        for (int e = 0; e < each; ++e) {
            const int c = c0 + e * apart;
            const bool wanted = there && c < count;
            stage<sizeof(T)>(u + c * ldu + r, wanted ? A + from + c * lda : A, wanted ? int(sizeof(T)) : 0, true);
        }
        copies_sent();
        int to = 0, source = 0;
        if (there && ipiv) to = ipiv[r] - 1 - lu.at, source = to >= k && to < below ? origin[to] : to;
        const bool moves = there && ipiv && to >= k && source != to;
        constexpr int some = each < 16 ? each : 16;
#pragma unroll 1
        for (int e0 = 0; e0 < each; e0 += some) {
            T x[some];
#pragma unroll
            for (int e = 0; e < some; ++e) {
                const int c = c0 + (e0 + e) * apart;
                x[e] = moves && c < count ? A[source + c * lda] : make<T>(0);
            }
            if (e0 == 0) copies_done_but<0>();
            __syncthreads();
#pragma unroll
            for (int e = 0; e < some; ++e) {
                const int c = c0 + (e0 + e) * apart;
                if (moves && c < count) A[to + c * lda] = x[e];
            }
        }
    }
    // Computes U12 for this warp's 8 columns.
    __device__ __forceinline__ void solve() {
        T *const mine = u + w * 8 * ldu;
        const int g = lane / 4, q = lane % 4;
        const auto at = [&](int b, int r) -> T & { return mine[(2 * q + r % 2) * ldu + B * b + g + r / 2 * 8]; };
#pragma unroll 1
        for (int b = 0; b < blocks; ++b) {
            Accumulator<T> c[2];
            c[0].clear(), c[1].clear();
            const bool up = B * b + g < k, low = B * b + g + 8 < k;
            const T *const from = L + B * b + g + q * lda;
#pragma unroll 2
            for (int j = 0; j < B * b; j += 8) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const T *const l = from + (j + 4 * h) * lda;
                    c[h].fma(up ? l[0] : make<T>(0), low ? l[8] : make<T>(0), mine[g * ldu + j + 4 * h + q]);
                }
            }
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                T &x = at(b, r);
                x = add(x, scale(add(c[0].get(r), c[1].get(r)), -1));
            }
            __syncwarp();
            c[0].clear(), c[1].clear();
            const T *const inverse = diagonals + b * B * ldd + q * ldd + g;
#pragma unroll
            for (int j = 0; j < B; j += 4)
                c[j / 4 % 2].fma(inverse[j * ldd], inverse[j * ldd + 8], mine[g * ldu + B * b + j + q]);
            __syncwarp();
#pragma unroll
            for (int r = 0; r < 4; ++r) at(b, r) = add(c[0].get(r), c[1].get(r));
            __syncwarp();
        }
    }
    // Stores the panel's rows of columns `from` to `to`.
    __device__ __forceinline__ void store(int from, int to) const {
        for (int c = from; c < to && c < count; ++c)
#pragma unroll
            for (int r = lane; r < K; r += 32)
                if (r < k) A[r + c * lda] = u[c * ldu + r];
    }
    template <bool INSIDE>
    __device__ __forceinline__ void product(int row, int height) {
        Tile tile;
        T *const C = A + row;
        const T *const left = L + row;
        tile.each([&](int j, int r, int down, int right) {
            tile.c[j].set(r, INSIDE || (down < height && right < count) ? C[down + right * lda] : 0);
        });
        typename Tile::Left here, next;
        tile.template bring<INSIDE>(here, left, lda, 0, k, height);
#pragma unroll 2
        for (int j = 0; j < K; j += Tile::wide) {
            if (j + Tile::wide < K) tile.template bring<INSIDE>(next, left, lda, j + Tile::wide, k, height);
            tile.template multiply<ldu>(here, u, j);
            here = next;
        }
        tile.each([&](int j, int r, int down, int right) {
            if (INSIDE || (down < height && right < count)) C[down + right * lda] = tile.c[j].get(r);
        });
    }

    __device__ __forceinline__ void run() {
        const int *const ipiv = lu.pivots() ? lu.interchanges(i) : nullptr;
        if (w == 0) {
            if (ipiv) trace_origins(origin, ipiv, lane < k ? ipiv[lane] : 0, k, lane, below, lu.at);
        } else if (solves && (w - 1) * 2 < blocks) {
            invert(w - 1);
        }
        __syncthreads();
        gather(ipiv);
        constexpr int own = NT / W; // columns that a warp stores in a strip with interchanges only
        if (!solves) {
            store(w * own, (w + 1) * own);
            return;
        }
        if (w * 8 < NT) {
            solve();
            store(w * 8, w * 8 + 8);
        }
        int row = k + w * Tile::rows;
        __syncthreads();
#pragma unroll 1
        for (; row < below; row += W * Tile::rows) {
            const int height = below - row;
            if (height >= Tile::rows && count == NT && k == K)
                product<true>(row, height);
            else
                product<false>(row, height);
        }
    }
};

template <typename T, int K, int NT, int W>
__device__ __forceinline__ void getrf_strip_update(const StripUpdateArgs &args) {
    StripUpdate<T, K, NT, W> update{args};
    update.run();
}

} // namespace tephra

#define TEPHRA_GETRF_STRIP_UPDATE(NAME, T, K, NT, W, MIN_BLOCKS)                                                       \
    TEPHRA_ENTRY(NAME, (Instance(32 * W).holds(K, NT).needs(StripUpdate<letter::T, K, NT, W>::bytes, Count())),        \
                 __launch_bounds__(32 * W, MIN_BLOCKS), StripUpdateArgs, getrf_strip_update<letter::T, K, NT, W>)
