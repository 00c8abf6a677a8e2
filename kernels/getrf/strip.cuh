// A strip of columns that a block keeps in shared memory while LU factors pass through in tiles of 32 x 32.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "permutation.cuh"
#include "triangle_inverse.cuh"

namespace tephra {

// NT columns; W warps in H groups (block_row.cuh). Shared memory holds the strip, in whole blocks of rows; diagonal
// blocks; and tiles being copied or in use.
template <typename T, int NT, int W, int H>
struct Strip {
    using Row = typename RowOf<T, NT, W, H>::Type;
    // Tiles per slot: one for each group, or one that the groups share if several do not fit.
    static constexpr int G = sizeof(T) < 16 ? H : 1;
    static constexpr int NB = Row::NB, lda = Row::lda, ldx = Row::ldx, tile = Row::tile, threads = 32 * W;

    // Shared memory of a block in bytes: all of that, and `rest` bytes for each of the `with_rest` blocks of rows after
    // it.
    template <int rest>
    static constexpr size_t bytes(int block_rows, int at_once, int slots, int with_rest) {
        return (block_rows * NB * ldx + (at_once + slots * G) * tile) * sizeof(T) + with_rest * rest;
    }
    static constexpr int most = 4; // most diagonal blocks inverted at a time, and most slots
    // What plans need to know.
    template <int rest = 0>
    static constexpr Instance about(int rows) {
        const Instance with = Instance(threads).holds(rows, NT).by_warps(W / H);
        return with.needs(bytes<rest>, Count{NB}, Count{1, 0, most}, Count{1, 0, most}, Count{NB});
    }

    const T *const factors;
    const long long ld;
    const bool packs = reinterpret_cast<unsigned long long>(factors) % 16 == 0 && ld * sizeof(T) % 16 == 0;
    const int m, n, slots, at_once; // the factors' size; slots of the ring; diagonal blocks inverted at a time
    T *const x, *const diagonals, *const ring;
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    const T *inverses = nullptr;      // the inverted diagonal blocks, if an earlier launch inverted them
    int to_place = 0, from_place = 0; // slot of the next tiles to copy, and of the next to use
    Row row;

    __device__ __forceinline__ Strip(const T *factors_, long long ld_, int m_, int n_, int slots_, int at_once_,
                                     int block_rows, unsigned char *shared)
        : factors(factors_), ld(ld_), m(m_), n(n_), slots(slots_), at_once(at_once_), x(reinterpret_cast<T *>(shared)),
          diagonals(x + block_rows * NB * ldx), ring(diagonals + at_once * tile) {}
    // The shared memory after all of that.
    __device__ __forceinline__ unsigned char *rest() const {
        return reinterpret_cast<unsigned char *>(ring + slots * G * tile);
    }
    __device__ __forceinline__ T *rows(int b) const { return x + b * NB * ldx; }

    // Starts to copy block (br, bc) of the factors, or of their transpose; zeros beyond them.
    __device__ __forceinline__ void bring(T *to, int br, int bc, bool transposed) const {
        if (transposed) {
            // Eight elements of four columns at a time: whole sectors, and different banks.
            const int left = m - bc * NB, right = n - br * NB;
            const T *const from = factors + bc * NB + br * NB * ld;
#pragma unroll 4
            for (int e = threadIdx.x; e < NB * NB; e += threads) {
                const int k = e / 32 % 4 * 8 + e % 8, r = e / 128 * 4 + e / 8 % 4;
                const bool there = k < left && r < right;
                stage<sizeof(T)>(to + k * lda + r, there ? from + k + r * ld : factors, there ? sizeof(T) : 0, true);
            }
            return;
        }
        constexpr int P = Pack<T>::size, down = NB / P; // elements per copy, copies per column
        const int left = m - br * NB, right = n - bc * NB;
        const T *const from = factors + br * NB + bc * NB * ld;
        if (P > 1 && packs) {
            const int r = threadIdx.x % down * P, valid = left - r < P ? left - r : P;
#pragma unroll
            for (int k = threadIdx.x / down; k < NB; k += threads / down) {
                const bool there = valid > 0 && k < right;
                stage<16>(to + k * lda + r, there ? from + r + k * ld : factors, there ? valid * int(sizeof(T)) : 0,
                          true);
            }
        } else {
            const bool inside = lane < left;
#pragma unroll
            for (int k = w; k < NB; k += W) {
                const bool there = inside && k < right;
                stage<sizeof(T)>(to + k * lda + lane, there ? from + lane + k * ld : factors, there ? sizeof(T) : 0,
                                 true);
            }
        }
    }
    // Starts to copy an inverted diagonal block.
    __device__ __forceinline__ void bring_inverse(T *to, int b) const {
        constexpr int P = Pack<T>::size, down = NB / P;
        const T *const from = inverses + b * NB * NB;
#pragma unroll
        for (int e = threadIdx.x; e < NB * down; e += threads)
            stage<16>(to + e / down * lda + e % down * P, from + e * P, 16, true);
    }
    // Starts to copy the next tiles, if any, to the next slot: up to G, of one block row; or an inverted diagonal
    // block.
    template <typename Order>
    __device__ __forceinline__ void send(Order &order) {
        const int row_of_tiles = order.row;
        if constexpr (Order::may_have_inverses) {
            if (order.more() && order.on_diagonal()) {
                bring_inverse(ring + to_place * G * tile, order.row);
                order.advance();
                if (++to_place == slots) to_place = 0;
                copies_sent();
                return;
            }
        }
#pragma unroll 1
        for (int h = 0; h < G && order.more() && order.row == row_of_tiles; ++h) {
            if constexpr (Order::may_have_inverses)
                if (order.on_diagonal()) break;
            bring(ring + (to_place * G + h) * tile, order.row, order.column, order.transposed());
            order.advance();
        }
        if (++to_place == slots) to_place = 0;
        copies_sent();
    }
    // Waits for the next tiles that were sent, and returns this thread's group's. The previous ones must no longer be
    // in use.
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
        const T *const here = ring + (from_place * G + row.group % G) * tile;
        if (++from_place == slots) from_place = 0;
        return here;
    }

    // The same for an inverted diagonal block, which all groups use.
    template <typename Order>
    __device__ __forceinline__ const T *receive_inverse(Order &order) {
        const T *const here = receive(order);
        return here - row.group % G * tile;
    }

    // Starts to copy the diagonal blocks from `first` on. The previous ones must no longer be in use.
    __device__ __forceinline__ void bring_diagonals(int first, int count) const {
        for (int b = 0; b < count; ++b) bring(diagonals + b * tile, first + b, first + b, false);
        copies_sent();
    }
    // Inverts the triangles of `count` diagonal blocks, which are blocks `first` and on; L's only from block `from` on.
    // All must have arrived. The two triangles of a block are inverted one after the other, because a warp also reads
    // the other triangle, and masks it.
    __device__ __forceinline__ void invert(int first, int count, bool of_l, bool of_u, int from) const {
#pragma unroll 1
        for (int kind = of_l ? 0 : 1; kind < (of_u ? 2 : 1); ++kind) {
#pragma unroll 1
            for (int b = w; b < count; b += W)
                if (kind == 1 || first + b >= from)
                    TriangleInverse<T, lda>{diagonals + b * tile, n - (first + b) * NB}.run(kind == 1);
            __syncthreads();
        }
    }

    // What a warp's columns of a block row become.
    enum class Do { nothing, zeros, identity, sums };
    // Block row b becomes the inverse of its diagonal block (a `part` of the tile) times: its old value less the sums
    // (`fresh`: the old value counts as zero); or the identity's columns from `column` on.
    template <typename Part>
    __device__ __forceinline__ void finish(int b, const T *inverse, Part part, Do what, bool fresh, int column) {
        T *const here = rows(b);
#pragma unroll
        for (int h = 0; h < H; ++h) {
            if (h == row.group && what == Do::sums)
                row.each([&](int r, int c, T sum) {
                    T &x = here[r * ldx + c];
                    x = fresh && h == 0 ? scale(sum, -1) : add(x, scale(sum, -1));
                });
            __syncthreads();
        }
        row.clear();
        if (what == Do::sums) row.template multiply<true>(inverse, here, part, n - b * NB);
#pragma unroll
        for (int h = 0; h < H; ++h) {
            __syncthreads();
            if (h != row.group) continue;
            if (what == Do::sums)
                row.each([&](int r, int c, T sum) { here[r * ldx + c] = h > 0 ? add(here[r * ldx + c], sum) : sum; });
            else if (what != Do::nothing && h == 0)
                row.each([&](int r, int c, T) {
                    const int of = c + column;
                    here[r * ldx + c] = what == Do::identity ? part(inverse[of * lda + r], r, of) : make<T>(0);
                });
        }
    }
};

} // namespace tephra
