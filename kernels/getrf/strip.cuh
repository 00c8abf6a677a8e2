// A strip of columns that a block holds in shared memory, while LU factors come by in tiles of 32 x 32.
#pragma once
#include "../common/instance.cuh"
#include "permutation.cuh"
#include "stage.cuh"
#include "triangle_inverse.cuh"

namespace tephra {

// NT columns; W warps in H groups (block_row.cuh). In shared memory, mirrored in src/plan/strip.rs: the strip, by whole
// blocks of rows; diagonal blocks; tiles on their way and in use.
template <typename T, int NT, int W, int H>
struct Strip {
    using Row = typename RowOf<T, NT, W, H>::Type;
    static constexpr int NB = Row::NB, lda = Row::lda, ldx = Row::ldx, tile = Row::tile, threads = 32 * W;

    const T *const factors;
    const long long ld;
    const int m, n, slots, at_once; // the factors' size; tiles in shared memory; diagonal blocks
    T *const x, *const diagonals, *const ring;
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    int to_place = 0, from_place = 0; // of the next tile to bring, and of the next to use
    Row row;

    __device__ __forceinline__ Strip(const T *factors_, long long ld_, int m_, int n_, int slots_, int at_once_,
                                     int block_rows, unsigned char *shared)
        : factors(factors_), ld(ld_), m(m_), n(n_), slots(slots_), at_once(at_once_), x(reinterpret_cast<T *>(shared)),
          diagonals(x + block_rows * NB * ldx), ring(diagonals + at_once * tile) {}
    // Behind all of those.
    __device__ __forceinline__ unsigned char *rest() const {
        return reinterpret_cast<unsigned char *>(ring + slots * tile);
    }
    __device__ __forceinline__ T *rows(int b) const { return x + b * NB * ldx; }

    // Block (br, bc) on its way; zeros beyond the factors.
    __device__ __forceinline__ void bring(T *to, int br, int bc) const {
        const int r = br * NB + lane;
#pragma unroll
        for (int k = w; k < NB; k += W) {
            const int c = bc * NB + k;
            const bool there = r < m && c < n;
            stage<sizeof(T)>(to + k * lda + lane, factors + (there ? r + c * ld : 0), there ? sizeof(T) : 0, true);
        }
    }
    // The next tile, if there is one, to the next place.
    template <typename Order>
    __device__ __forceinline__ void send(Order &order) {
        if (order.more()) {
            bring(ring + to_place * tile, order.row, order.column);
            order.advance();
        }
        if (++to_place == slots) to_place = 0;
        copies_sent();
    }
    // The next tile that was sent, for all; the one before has been used.
    template <typename Order>
    __device__ __forceinline__ const T *receive(Order &order) {
        if (slots == 2)
            copies_done_but<0>();
        else if (slots == 3)
            copies_done_but<1>();
        else
            copies_done_but<2>();
        __syncthreads();
        send(order);
        const T *const here = ring + from_place * tile;
        if (++from_place == slots) from_place = 0;
        return here;
    }

    // Diagonal blocks from `first` on, on their way. Nobody uses those before any more.
    __device__ __forceinline__ void bring_diagonals(int first, int count) const {
        for (int b = 0; b < count; ++b) bring(diagonals + b * tile, first + b, first + b);
        copies_sent();
    }
    // Inverts the triangles of the first `count` of them, L's from number `from` on; all are there.
    __device__ __forceinline__ void invert(int count, bool of_l, bool of_u, int from) const {
        const int kinds = of_l && of_u ? 2 : 1;
#pragma unroll 1
        for (int task = w; task < count * kinds; task += W) {
            const bool of_upper = kinds == 2 ? task % 2 : of_u;
            const int b = task / kinds;
            if (of_upper || b >= from) TriangleInverse<T, lda>{diagonals + b * tile}.run(of_upper);
        }
        __syncthreads();
    }
    // Block row b loses what the sums are, and is multiplied by the inverse of its diagonal block.
    __device__ __forceinline__ void finish(int b, const T *inverse, bool of_u) {
        T *const here = rows(b);
#pragma unroll
        for (int h = 0; h < H; ++h) {
            if (h == row.group)
                row.each([&](int r, int c, T sum) { here[r * ldx + c] = add(here[r * ldx + c], scale(sum, -1)); });
            __syncthreads();
        }
        row.clear();
        row.multiply(inverse, here, Triangle{of_u});
#pragma unroll
        for (int h = 0; h < H; ++h) {
            __syncthreads();
            if (h == row.group)
                row.each([&](int r, int c, T part) { here[r * ldx + c] = h > 0 ? add(here[r * ldx + c], part) : part; });
        }
    }
};

} // namespace tephra
