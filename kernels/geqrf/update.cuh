// A block reflector of at most NB columns applied, fused, without workspace: D := H^H D (the blocked path's trailing
// update, where D is C) or, if ANY, whatever else LarfbArgs says.
//
//   W = V^H D;  X = S^T W with S = -conj(T), T the triangular factor (H D: S^H in place of S);  D += V X
// A block takes tiles of NT columns of one matrix, one after another: V stays in shared memory, a tile of C in the
// registers of the warps from its one read to its one write. Rows are dealt to the warps in small groups, so that short
// matrices load all of them. S comes from the Gram matrix V^H V (LAPACK larft, paper 001) once per block.
// Matrices taller than the block's capacity go through it in chunks of rows, which reads C and V again.
#pragma once
#include "../common/async.cuh"
#include "../common/batch.cuh"
#include "../common/scalar.cuh"
#include "update_tensor.cuh"
#include "update_vector.cuh"

#include <type_traits>

namespace tephra {

template <typename T, int NB, int NT, int W, int U, bool ANY>
struct Update {
    static constexpr bool tensor = std::is_same_v<Real<T>, double>;
    using Tile = std::conditional_t<tensor, TensorTile<T, NB, NT, W, U>, VectorTile<T, NB, NT, W, U>>;
    static constexpr int threads = 32 * W;
    static constexpr int capacity = Tile::capacity;
    static_assert(NB % NT == 0);

    // In shared memory
    T v[NB * Tile::ldv];
    T part[W][Tile::size]; // each warp's part of W; between times the stage of its loads and stores
    T x[Tile::size];       // W, then X
    T s[NB][NB + 1];
    T tau[NB];

    // Rows first.. of V, zero above the diagonal and past the end, one on the diagonal, up to `filled` rows;
    // they are there after `arrived`.
    __device__ __forceinline__ void load_v(const T *V, long long lda, long long first, int rows, int filled, int k) {
        __syncthreads(); // v may still be read
        for (int j = threadIdx.x / 32; j < NB; j += W) {
            const T *p = V + j * lda + first;
            for (int r = threadIdx.x % 32; r < filled; r += 32) {
                T *to = v + j * Tile::ldv + Tile::place(r);
                const long long i = first + r;
                if (j < k && r < rows && i > j)
                    copy_async(to, p + r);
                else
                    *to = make<T>(j < k && i == j ? 1 : 0);
            }
        }
    }

    // W := [W +] sum of the warps' parts, between two barriers.
    __device__ __forceinline__ void reduce(bool add_to) {
        __syncthreads();
#pragma unroll
        for (int e = threadIdx.x; e < Tile::size; e += threads) {
            T sum = part[0][e];
#pragma unroll
            for (int i = 1; i < W; ++i) sum = add(sum, part[i][e]);
            x[e] = add_to ? add(x[e], sum) : sum;
        }
        __syncthreads();
    }

    // Blocks of rows of each warp that hold any of `rows` rows, in quarters of U.
    static constexpr int quarter = U >= 4 ? U / 4 : 1;
    static __device__ __forceinline__ int quarters(int rows) {
        constexpr int step = quarter * (capacity / U);
        return (rows + step - 1) / step;
    }
    __device__ __forceinline__ void dots(Tile &tile, int rows) {
        T *p = part[tile.warp];
        switch (quarters(rows)) {
        case 1:
            tile.template dots<quarter>(v, p);
            break;
        case 2:
            tile.template dots<2 * quarter>(v, p);
            break;
        case 3:
            tile.template dots<3 * quarter>(v, p);
            break;
        default:
            tile.template dots<U>(v, p);
        }
    }
    __device__ __forceinline__ void update(Tile &tile, int rows) {
        switch (quarters(rows)) {
        case 1:
            tile.template update<quarter>(v, x);
            break;
        case 2:
            tile.template update<2 * quarter>(v, x);
            break;
        case 3:
            tile.template update<3 * quarter>(v, x);
            break;
        default:
            tile.template update<U>(v, x);
        }
    }

    // S from the conjugate of the Gram matrix above the diagonal and -conj(tau) on it, in place: blocks of 8, row by
    // row, then pairs of blocks: S12 = S1 conj(G12) S2.
    __device__ __forceinline__ void form_s() {
        const int t = threadIdx.x;
        if (t < NB) {
            const int b = t & ~7;
            T row[8];
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                T sum = make<T>(0);
#pragma unroll
                for (int l = 0; l < j; ++l) sum = fma_(row[l], s[b + l][b + j], sum);
                const T diagonal = s[b + j][b + j];
                row[j] = b + j == t ? diagonal : b + j > t ? mul(diagonal, sum) : make<T>(0);
            }
            __syncwarp(NB >= 32 ? 0xffffffffu : (1u << (NB % 32)) - 1);
#pragma unroll
            for (int j = 0; j < 8; ++j) s[t][b + j] = row[j];
        }
#pragma unroll
        for (int h = 8; h < NB; h *= 2) {
            __syncthreads();
            for (int e = t; e < NB * h / 2; e += threads) {
                const int i = e / h % h, j = e % h, b = e / (h * h) * 2 * h;
                T sum = make<T>(0);
#pragma unroll
                for (int l = 0; l < h; ++l) sum = fma_(s[b + i][b + l], s[b + l][b + h + j], sum);
                x[e] = sum;
            }
            __syncthreads();
            for (int e = t; e < NB * h / 2; e += threads) {
                const int i = e / h % h, j = e % h, b = e / (h * h) * 2 * h;
                T sum = make<T>(0);
#pragma unroll
                for (int l = 0; l < h; ++l) sum = fma_(x[e - j + l], s[b + h + l][b + h + j], sum);
                s[b + i][b + h + j] = sum;
            }
        }
        __syncthreads();
    }

    // S^H in place of S.
    __device__ __forceinline__ void turn_s() {
#pragma unroll 1
        for (int e = threadIdx.x; e < NB * NB; e += threads) {
            const int i = e / NB, j = e % NB;
            if (i > j) continue;
            const T x = conj(s[i][j]);
            s[i][j] = make<T>(0);
            s[j][i] = x;
        }
        __syncthreads();
    }

    // Sets the lines of this block's next tile, a full one, on their way to the L2 cache.
    static __device__ __forceinline__ void prefetch(const T *C, long long lda, long long m) {
        constexpr int line = 128 / sizeof(T);
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        const int rows = static_cast<int>(m < capacity ? m : capacity);
        for (int j = warp; j < NT; j += W)
            for (int r = lane * line; r < rows; r += 32 * line)
                asm volatile("prefetch.global.L2 [%0];" ::"l"(C + j * lda + r));
    }

    // S from a T that is there.
    __device__ __forceinline__ void take_s(const T *F, long long ldt, int k) {
#pragma unroll 1
        for (int e = threadIdx.x; e < NB * NB; e += threads) {
            const int i = e % NB, j = e / NB;
            s[i][j] = i <= j && j < k ? scale(conj(F[j * ldt + i]), Real<T>(-1)) : make<T>(0);
        }
        __syncthreads();
    }

    // A chunk of a tile of D, from column `first` of it on, and back.
    static __device__ __forceinline__ void load(const LarfbArgs &args, Tile &tile, const T *C, long long row,
                                                long long first, int rows, int cols, T *stage) {
        if (ANY && first < args.identity) {
            const long long shift = args.diagonal + first - row;
            tile.fill([&](int i, int j) { return make<T>(i == j + shift ? 1 : 0); });
            return;
        }
        if (ANY && args.turned) {
            const T *p = C + row * args.ldc + first;
            tile.fill([&](int i, int j) { return i < rows && j < cols ? p[i * args.ldc + j] : make<T>(0); });
        } else {
            tile.load(C + first * args.ldc + row, args.ldc, rows, cols, stage);
        }
        if (ANY && is_complex<T> && args.conjugate) tile.fill_from([](int, T x) { return conj(x); });
        if (ANY && row < args.zeros) tile.fill_from([&](int i, T x) { return row + i < args.zeros ? make<T>(0) : x; });
    }
    static __device__ __forceinline__ void store(const LarfbArgs &args, Tile &tile, T *C, long long row,
                                                 long long first, int rows, int cols, T *stage) {
        if (ANY && is_complex<T> && args.conjugate) tile.fill_from([](int, T x) { return conj(x); });
        if (ANY && args.turned) {
            T *p = C + row * args.ldc + first;
            tile.visit([&](int i, int j, T x) {
                if (i < rows && j < cols) p[i * args.ldc + j] = x;
            });
        } else {
            tile.store(C + first * args.ldc + row, args.ldc, rows, cols, stage);
        }
    }

    __device__ __forceinline__ void run(const LarfbArgs &args, const T *V, const T *tau_, const T *F, T *C,
                                        long long share) {
        const long long ldc = args.ldc, m = args.m;
        const int k = static_cast<int>(args.k);
        const int chunks = static_cast<int>((m + capacity - 1) / capacity);
        const auto rows_of = [&](int chunk) {
            const long long left = m - static_cast<long long>(chunk) * capacity;
            return static_cast<int>(left < capacity ? left : capacity);
        };
        int loaded = -1; // the chunk of V that is in shared memory, or on its way there
        bool pending = false;
        const auto need = [&](int chunk) {
            if (loaded == chunk) return;
            const int filled = quarters(rows_of(chunk)) * quarter * (capacity / U);
            load_v(V, args.ldv, static_cast<long long>(chunk) * capacity, rows_of(chunk),
                   filled < capacity ? filled : capacity, k);
            loaded = chunk;
            pending = true;
        };
        const auto arrived = [&] {
            if (!pending) return;
            copies_done();
            __syncthreads();
            pending = false;
        };
        Tile tile;
        if (threadIdx.x < NB)
            tau[threadIdx.x] = threadIdx.x < k && !(ANY && args.given) ? conj(tau_[threadIdx.x]) : make<T>(0);

        if (ANY && args.given) {
            take_s(F, args.ldt, k);
        } else {
            for (int first = 0; first < NB; first += NT) {
                for (int chunk = 0; chunk < chunks; ++chunk) {
                    need(chunk);
                    arrived();
                    tile.load_v(v, first);
                    dots(tile, rows_of(chunk));
                    reduce(chunk > 0);
                }
                for (int e = threadIdx.x; e < Tile::size; e += threads) {
                    int i, j;
                    Tile::decode(e, i, j);
                    j += first;
                    if (j < NB) s[i][j] = i < j ? conj(x[e]) : i == j ? scale(tau[i], Real<T>(-1)) : make<T>(0);
                }
                __syncthreads();
            }
            form_s();
        }
        if (ANY && !args.adjoint) turn_s();

        // From the last tile to the first: V's own columns come when V is no longer needed.
        for (long long t = (args.n + NT - 1) / NT - 1 - share; t >= 0; t -= args.tiles) {
            const long long first = t * NT, left = args.n - first;
            const int cols = static_cast<int>(left < NT ? left : NT);
            for (int chunk = 0; chunk < chunks; ++chunk) {
                const long long row = static_cast<long long>(chunk) * capacity;
                need(chunk);
                load(args, tile, C, row, first, rows_of(chunk), cols, part[tile.warp]);
                arrived();
                dots(tile, rows_of(chunk));
                reduce(chunk > 0);
                if (chunk == chunks - 1 && t >= args.tiles && !(ANY && args.turned))
                    prefetch(C + (first - args.tiles * NT) * ldc, ldc, m);
            }
            tile.expand(s, x, !ANY || args.adjoint);
            __syncthreads();
            for (int chunk = chunks - 1; chunk >= 0; --chunk) {
                const long long row = static_cast<long long>(chunk) * capacity;
                if (chunk < chunks - 1) {
                    need(chunk);
                    load(args, tile, C, row, first, rows_of(chunk), cols, part[tile.warp]);
                    arrived();
                }
                update(tile, rows_of(chunk));
                store(args, tile, C, row, first, rows_of(chunk), cols, part[tile.warp]);
            }
        }
    }
};

template <typename T, int NB, int NT, int W, int U, bool ANY>
__device__ __forceinline__ void larfb_fused(const LarfbArgs &args) {
    using K = Update<T, NB, NT, W, U, ANY>;
    extern __shared__ __align__(16) unsigned char raw[];
    K &k = *reinterpret_cast<K *>(raw);
    const long long all = args.batch * args.tiles;
    for (long long job = blockIdx.x; job < all; job += gridDim.x) {
        const long long i = job / args.tiles;
        const T *F = ANY && args.given ? member<T>(args.t, i) + args.t0 : nullptr;
        k.run(args, member<T>(args.v, i) + args.v0, member<T>(args.tau, i) + args.tau0, F,
              member<T>(args.c, i) + args.c0, job % args.tiles);
        __syncthreads();
    }
}

} // namespace tephra
