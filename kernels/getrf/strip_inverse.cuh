// The inverse from LU factors, X = U^-1 L^-1 P, a strip of X's columns a block.
//
// The strip stays in shared memory while the factors come by in tiles of 32 x 32: block row after block row, L Y = I from
// the strip's own rows on, as above them Y is zero, then U X = Y from the last to the first. With the diagonal blocks
// inverted (some at a time, a triangle a warp) both are products. The interchanges say to which columns X's go.
// Source: LAPACK getri; inverted diagonal blocks as in Abdelfattah, Haidar, Tomov, Dongarra, "Progressive batched LU".
#pragma once
#include "../common/instance.cuh"
#include "permutation.cuh"
#include "stage.cuh"
#include "triangle_inverse.cuh"

namespace tephra {

// Mirrored in src/backend/cuda/inverse.rs.
struct StripInverseArgs {
    Operand a, c;
    Operand ipiv; // of the factors, n ints; p null: no interchanges
    int *info;    // may be null
    long long lda, ldc, batch;
    int n;
    int strips;   // of a matrix
    int slots;    // tiles on their way and in use: 2 .. 4
    int at_once;  // diagonal blocks that are inverted at a time
    int composed; // ipiv is the permutation that the interchanges are, rows counted from 1
    int pad;
};

template <typename T, int NT, int W, int H>
struct StripInverse {
    using Row = typename RowOf<T, NT, W, H>::Type;
    static constexpr int NB = Row::NB, lda = Row::lda, ldx = Row::ldx, tile = Row::tile, threads = 32 * W;
    static_assert(NT % NB == 0 || NB % NT == 0, "a strip's columns begin in one block row");

    const StripInverseArgs &args;
    const int n = args.n, blocks = (n + NB - 1) / NB;
    const long long i = blockIdx.x / args.strips;
    const int strip = static_cast<int>(blockIdx.x - i * args.strips), first_column = strip * NT;
    const int begin = first_column / NB; // the first block row in which Y is not zero
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    const T *const A = member<T>(args.a, i);
    // Shared memory, mirrored in src/plan/getri.rs: the strip, diagonal blocks, tiles, where rows come from.
    T *const x, *const diagonals, *const ring;
    unsigned short *const origin;
    Row row;
    // The next tile to bring: its block row and column, whether it is U's, and its place; and the place of the next to use.
    int next_row, next_column, to_place = 0, from_place = 0;
    bool upper = false;

    __device__ __forceinline__ StripInverse(const StripInverseArgs &args_, unsigned char *shared)
        : args(args_), x(reinterpret_cast<T *>(shared)), diagonals(x + blocks * NB * ldx),
          ring(diagonals + args.at_once * tile),
          origin(reinterpret_cast<unsigned short *>(ring + args.slots * tile)) {
        next_row = begin + 1, next_column = begin;
        if (next_row == blocks) to_upper();
    }

    // Block (br, bc) on its way; zeros beyond the matrix.
    __device__ __forceinline__ void bring(T *to, int br, int bc) {
        const int r = lane, row_of_a = br * NB + r;
#pragma unroll
        for (int k = w; k < NB; k += W) {
            const int column = bc * NB + k;
            const bool there = row_of_a < n && column < n;
            stage<sizeof(T)>(to + k * lda + r, A + (there ? row_of_a + column * args.lda : 0), there ? sizeof(T) : 0,
                             true);
        }
    }
    __device__ __forceinline__ void to_upper() { upper = true, next_row = blocks - 2, next_column = blocks - 1; }
    // The tiles in the order in which they are used, each in the next place.
    __device__ __forceinline__ void send() {
        if (next_row >= 0) {
            bring(ring + to_place * tile, next_row, next_column);
            if (upper) {
                if (--next_column == next_row) --next_row, next_column = blocks - 1;
            } else if (++next_column == next_row) {
                ++next_row, next_column = begin;
                if (next_row == blocks) to_upper();
            }
        }
        if (++to_place == args.slots) to_place = 0;
        copies_sent();
    }
    __device__ __forceinline__ const T *receive() {
        if (args.slots == 2)
            copies_done_but<0>();
        else if (args.slots == 3)
            copies_done_but<1>();
        else
            copies_done_but<2>();
        __syncthreads(); // everybody's, and the tile before has been used
        send();
        const T *const here = ring + from_place * tile;
        if (++from_place == args.slots) from_place = 0;
        return here;
    }

    // Diagonal blocks from `first` on, on their way. Nobody uses those before any more.
    __device__ __forceinline__ void bring_diagonals(int first, int count) {
        for (int b = 0; b < count; ++b) bring(diagonals + b * tile, first + b, first + b);
        copies_sent();
    }
    // Inverts their triangles, L's from block row `begin` on.
    __device__ __forceinline__ void invert(int first, int count, bool of_l, bool of_u) {
        const int kinds = of_l && of_u ? 2 : 1;
#pragma unroll 1
        for (int task = w; task < count * kinds; task += W) {
            const bool of_upper = kinds == 2 ? task % 2 : of_u;
            const int b = task / kinds;
            if (of_upper || first + b >= begin) TriangleInverse<T, lda>{diagonals + b * tile}.run(of_upper);
        }
        __syncthreads();
    }

    // Block row b loses what the sums are, and is multiplied by the inverse of its diagonal block.
    __device__ __forceinline__ void finish(int b, const T *inverse, bool of_u) {
        T *const rows = x + b * NB * ldx;
#pragma unroll
        for (int h = 0; h < H; ++h) {
            if (h == row.group)
                row.each([&](int r, int c, T sum) { rows[r * ldx + c] = add(rows[r * ldx + c], scale(sum, -1)); });
            __syncthreads();
        }
        row.clear();
        row.multiply(inverse, rows, Triangle{of_u});
#pragma unroll
        for (int h = 0; h < H; ++h) {
            __syncthreads();
            if (h == row.group)
                row.each([&](int r, int c, T part) {
                    rows[r * ldx + c] = h > 0 ? add(rows[r * ldx + c], part) : part;
                });
        }
    }

    // The first zero on U's diagonal, counted from 1; 0: none. All threads ask; there is a barrier in it.
    __device__ __forceinline__ int first_zero(int *firsts) const {
        int first = n;
        for (int k = threadIdx.x; k < n && first == n; k += threads)
            if (is_zero(A[k * (args.lda + 1)])) first = k;
        first = static_cast<int>(__reduce_min_sync(0xffffffffu, first));
        if (lane == 0) firsts[w] = first;
        __syncthreads();
#pragma unroll
        for (int v = 0; v < W; ++v) first = firsts[v] < first ? firsts[v] : first;
        return first < n ? first + 1 : 0;
    }

    __device__ __forceinline__ void store() const {
        T *const C = member<T>(args.c, i);
        const int *const order = args.ipiv.p && args.composed ? member<int>(args.ipiv, i) : nullptr;
        // 8 rows of 4 columns: different banks, whole sectors.
        for (int c = lane / 8 + w * 4; c < NT && first_column + c < n; c += W * 4) {
            const int from = first_column + c, to = order ? order[from] - 1 : args.ipiv.p ? origin[from] : from;
            T *const column = C + to * args.ldc;
#pragma unroll 4
            for (int r = lane % 8; r < n; r += 8) column[r] = x[r * ldx + c];
        }
    }

    __device__ __forceinline__ void run(int *firsts) {
        const bool together = blocks <= args.at_once; // all diagonal blocks fit, and stay
        if (together) bring_diagonals(0, blocks);
        for (int s = 1; s < args.slots; ++s) send();
        for (int e = threadIdx.x; e < blocks * NB * NT; e += threads) {
            const int r = e / NT, c = e % NT;
            x[r * ldx + c] = make<T>(r == first_column + c && r < n ? 1 : 0);
        }
        if (args.ipiv.p && !args.composed && w == W - 1) {
            const int *const ipiv = member<int>(args.ipiv, i);
            trace_origins(origin, ipiv, lane < n ? ipiv[lane] : 0, n, lane);
        }
        copies_done_but<0>();
        const int zero = first_zero(firsts);
        if (strip == 0 && threadIdx.x == 0 && args.info) args.info[i] = zero;
        if (zero) return;
        // Down with L, up with U.
        int held = 0, count = 0; // the inverted blocks: the first, and how many
#pragma unroll 1
        for (int step = begin; step < 2 * blocks; ++step) {
            const bool of_u = step >= blocks;
            const int b = of_u ? 2 * blocks - 1 - step : step, terms = of_u ? blocks - 1 - b : b - begin;
            const bool turn = of_u && step == blocks && !together;
            if (turn || b < held || b >= held + count) {
                const int most = args.at_once;
                count = together ? blocks : of_u ? (b + 1 < most ? b + 1 : most) : blocks - b < most ? blocks - b : most;
                held = together ? 0 : of_u ? b + 1 - count : b;
                if (!together) {
                    bring_diagonals(held, count);
                    copies_done_but<0>();
                    __syncthreads();
                }
                invert(held, count, together || !of_u, together || of_u);
            }
            row.clear();
#pragma unroll 1
            for (int k = 0; k < terms; ++k) {
                const int from = of_u ? blocks - 1 - k : begin + k;
                const T *const a = receive();
                row.multiply(a, x + from * NB * ldx, Whole());
            }
            finish(b, diagonals + (b - held) * tile, of_u);
        }
        __syncthreads();
        store();
    }
};

template <typename T, int NT, int W, int H>
__device__ __forceinline__ void strip_inverse(const StripInverseArgs &args) {
    __shared__ int firsts[W];
    StripInverse<T, NT, W, H> k(args, dynamic_shared());
    k.run(firsts);
}

} // namespace tephra

#define TEPHRA_STRIP_INVERSE(NAME, T, NT, W, H, MIN_BLOCKS)                                                               \
    TEPHRA_ENTRY(NAME, Instance(32 * W).holds(32, NT).by_warps(W), __launch_bounds__(32 * W, MIN_BLOCKS), StripInverseArgs,        \
                 strip_inverse<letter::T, NT, W, H>)
