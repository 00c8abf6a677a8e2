// The update of a strip of columns to the right of an outer panel of an LU factorisation, in one launch: the panel's
// row interchanges, U12 := L11^-1 A12 and A22 := A22 - L21 U12.
//
// The rows that the interchanges touch are exchanged first; those of U12 stay in shared memory, where inverted diagonal
// blocks of L11 turn the solution into products. A22's rows are read and written once, in blocks of 32.
#pragma once
#include "interchange.cuh"
#include "strip.cuh"

namespace tephra {

// Mirrored in src/gpu/getrf/steps.rs.
struct TrailingArgs {
    GetrfArgs lu;
    int strips;         // per matrix
    int slots, at_once; // slots of the ring of tiles; diagonal blocks inverted at a time
    int pad;
};

// Tiles of L from the second block row on, row by row.
struct TrailingOrder {
    static constexpr bool may_have_inverses = false;
    int blocks, down, row = 1, column = 0; // numbers of block columns and block rows

    __device__ __forceinline__ bool more() const { return row < down; }
    __device__ __forceinline__ constexpr bool transposed() const { return false; }
    __device__ __forceinline__ void advance() {
        if (++column == (row < blocks ? row : blocks)) ++row, column = 0;
    }
};

template <typename T, int NT, int W>
struct Trailing {
    using Strip = tephra::Strip<T, NT, W, 1>;
    using List = Interchanges<64>;
    static constexpr int NB = Strip::NB, ldx = Strip::ldx, threads = Strip::threads, together = 16;

    const TrailingArgs &args;
    const GetrfArgs &lu = args.lu;
    const int k = lu.columns, end = lu.at + k, blocks = (k + NB - 1) / NB;
    const long long i = blockIdx.x / args.strips;
    const int first = end + static_cast<int>(blockIdx.x - i * args.strips) * NT;
    const int count = lu.n - first < NT ? lu.n - first : NT;
    T *const matrix = lu.matrix<T>(i), *const A = matrix + first * lu.lda; // the strip's columns
    Strip s;

    __device__ __forceinline__ Trailing(const TrailingArgs &args_, unsigned char *shared)
        : args(args_),
          s(matrix + lu.at * (lu.lda + 1), lu.lda, lu.m - lu.at, k, args.slots, args.at_once, blocks, shared) {}

    // Puts the panel's `list.count` rows from list.base on, exchanged, into shared memory, and the others back to the
    // matrix.
    __device__ __forceinline__ void exchange(const List &list) {
        const RowMove<64, threads> move(list, false);
        T *const top = s.x + (list.base - lu.at) * ldx;
        const int room = blocks * NB - (list.base - lu.at);
#pragma unroll 1
        for (int c = 0; c < NT; c += together)
            move.template run<together, T>(A + c * lu.lda, lu.lda, count - c, top + c, room, ldx, 1);
    }
    __device__ __forceinline__ void load(List &list) {
        const int *const ipiv = lu.pivots() ? lu.interchanges(i) : nullptr;
#pragma unroll 1
        for (int begin = 0; begin < blocks * NB; begin += 64) {
            const int rows = k - begin < 64 ? k - begin : 64;
            __syncthreads(); // the previous rows have been written, and their list read
            for (int e = threadIdx.x; e < rows; e += threads)
                list.pivot[e] = ipiv ? ipiv[begin + e] - 1 : lu.at + begin + e;
            if (threadIdx.x == 0) list.base = lu.at + begin, list.count = rows;
            __syncthreads();
            exchange(list);
        }
    }
    // Stores U12.
    __device__ __forceinline__ void store() const {
        for (int c = s.lane / 8 + s.w * 4; c < count; c += W * 4) {
#pragma unroll 4
            for (int r = s.lane % 8; r < k; r += 8) A[lu.at + r + c * lu.lda] = s.x[r * ldx + c];
        }
    }
    // Calls f for this thread's elements of A22's block row b.
    template <typename F>
    __device__ __forceinline__ void each(int b, F f) {
        T *const C = A + lu.at + b * NB;
        const int left = lu.m - lu.at - b * NB;
        int e = 0;
        s.row.each([&](int r, int c, T sum) { f(e++, C + r + c * lu.lda, r < left && c < count, sum); });
    }

    __device__ __forceinline__ void run(List &list) {
        const int down = (s.m + NB - 1) / NB;
        TrailingOrder order{blocks, down};
        s.bring_diagonals(0, blocks < args.at_once ? blocks : args.at_once);
        for (int slot = 1; slot < args.slots; ++slot) s.send(order);
        load(list);
        copies_done_but<0>();
        __syncthreads();
        int held = 0;
        s.invert(0, blocks < args.at_once ? blocks : args.at_once, true, false, 0);
#pragma unroll 1
        for (int b = 0; b < blocks; ++b) {
            if (b == held + args.at_once) {
                const int left = blocks - b < args.at_once ? blocks - b : args.at_once;
                held = b;
                s.bring_diagonals(b, left);
                copies_done_but<0>();
                __syncthreads();
                s.invert(b, left, true, false, 0);
            }
            s.row.clear();
#pragma unroll 1
            for (int j = 0; j < b; ++j) {
                const T *const a = s.receive(order);
                s.row.template multiply<false>(a, s.rows(j), Whole(), k - j * NB);
            }
            s.finish(b, s.diagonals + (b - held) * Strip::tile, Triangle{false}, Strip::Do::sums, false, 0);
        }
        __syncthreads();
        store();
#pragma unroll 1
        for (int b = blocks; b < down; ++b) {
            T was[Strip::Row::size]; // loaded during the products
            each(b, [&](int e, const T *from, bool there, T) { was[e] = there ? *from : make<T>(0); });
            s.row.clear();
#pragma unroll 1
            for (int j = 0; j < blocks; ++j) {
                const T *const a = s.receive(order);
                s.row.template multiply<false>(a, s.rows(j), Whole(), k - j * NB);
            }
            each(b, [&](int e, T *to, bool there, T sum) {
                if (there) *to = add(was[e], scale(sum, -1));
            });
        }
    }
};

template <typename T, int NT, int W>
__device__ __forceinline__ void getrf_trailing(const TrailingArgs &args) {
    __shared__ typename Trailing<T, NT, W>::List list;
    Trailing<T, NT, W> k(args, dynamic_shared());
    k.run(list);
}

} // namespace tephra

#define TEPHRA_GETRF_TRAILING(NAME, T, NT, W, MIN_BLOCKS)                                                              \
    TEPHRA_ENTRY(NAME, (Strip<letter::T, NT, W, 1>::about(128)), __launch_bounds__(32 * W, MIN_BLOCKS), TrailingArgs,  \
                 getrf_trailing<letter::T, NT, W>)
