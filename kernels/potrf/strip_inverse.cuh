// The inverse from a Cholesky factor, X = L^-H L^-1, with a strip of X's columns per block. As X is Hermitian, only the
// rows from the strip's first column on are computed.
//
// As in getrf/strip_inverse.cuh: the strip stays in shared memory while the factor passes through in tiles of 32 x 32,
// first for L Y = I, then for L^H X = Y (for the inverse of a triangle only the first). One of the two reads the
// factor's tiles transposed. Neither conjugates them; instead the second works on conj(Y). Source: LAPACK potri.
#pragma once
#include "../getrf/strip.cuh"
#include "args.cuh"

namespace tephra {

// a: the factor; b: the inverses, of which only the triangle is written, and which may be a's if a matrix has a single
// strip. Mirrored in src/gpu/potrf/steps.rs.
struct CholeskyInverseArgs {
    CholeskyArgs factor; // `tiles`: strips per matrix
    int slots;           // slots of the ring of tiles: 2 .. 4
    int at_once;         // diagonal blocks inverted at a time; 0: given
    Operand inverses;    // of the diagonal blocks, as symmetric matrices; p null: every block inverts them
    int triangle;        // 1: the result is L^-1, or U^-1; 2: the same with a unit diagonal, which is not stored
    int pad;
};

// The tiles in the order of use: first the triangle's from block row and column `begin` on, then those of its
// transpose, from the last one back to `begin`.
struct CholeskyOrder {
    static constexpr bool may_have_inverses = true;
    int begin, blocks, inverses, row, column; // inverses: 1: a block row's tiles end with its inverted diagonal block
    bool upper, once;                         // the factor's triangle; without its transpose
    bool back = false;

    __device__ __forceinline__ CholeskyOrder(int begin, int blocks, bool upper, bool inverses, bool once)
        : begin(begin), blocks(blocks), inverses(inverses), row(begin + 1 - this->inverses), column(begin),
          upper(upper), once(once) {
        if (row == blocks) turn();
    }
    __device__ __forceinline__ void turn() {
        back = true, row = once ? -1 : blocks - 2 + inverses, column = blocks - 1;
    }
    __device__ __forceinline__ bool on_diagonal() const { return row == column; }
    __device__ __forceinline__ bool more() const { return row >= begin; }
    __device__ __forceinline__ bool transposed() const { return back != upper; }
    __device__ __forceinline__ void advance() {
        if (back) {
            if (--column == row - inverses) --row, column = blocks - 1;
        } else if (++column == row + inverses) {
            ++row, column = begin;
            if (row == blocks) turn();
        }
    }
};

// How a product interprets an inverted diagonal block: as one triangle of a symmetric matrix.
struct CholeskyTriangle {
    bool upper;

    template <typename T>
    __device__ __forceinline__ T operator()(T x, int row, int column) const {
        return (upper ? row <= column : row >= column) ? x : make<T>(0);
    }
};

template <typename T, int NT, int W, int H>
struct CholeskyInverse {
    using Strip = tephra::Strip<T, NT, W, H>;
    static constexpr int NB = Strip::NB, ldx = Strip::ldx, threads = Strip::threads;
    static_assert(NT % NB == 0 || NB % NT == 0, "a strip's columns begin in one block row");

    const CholeskyInverseArgs &args;
    const CholeskyArgs &factor = args.factor;
    const int n = factor.n, blocks = (n + NB - 1) / NB;
    const long long i = blockIdx.x / factor.tiles;
    const int strip = static_cast<int>(blockIdx.x - i * factor.tiles), first_column = strip * NT;
    const int begin = first_column / NB; // the first block row
    Strip s;

    __device__ __forceinline__ CholeskyInverse(const CholeskyInverseArgs &args_, unsigned char *shared)
        : args(args_), s(member<T>(factor.a, i), factor.lda, n, n, args.slots, args.at_once, blocks, shared) {
        if (args.inverses.p) s.inverses = member<T>(args.inverses, i);
    }

    // The first zero on the factor's diagonal, or n. All threads must call it; it contains a barrier.
    __device__ __forceinline__ int first_zero(int *firsts) const {
        int first = n;
        for (int k = threadIdx.x; k < n && first == n; k += threads)
            if (is_zero(s.factors[k * (factor.lda + 1)])) first = k;
        first = static_cast<int>(__reduce_min_sync(0xffffffffu, first));
        if (s.lane == 0) firsts[s.w] = first;
        __syncthreads();
        first = firsts[0];
#pragma unroll
        for (int v = 1; v < W; ++v) first = firsts[v] < first ? firsts[v] : first;
        return first;
    }
    // Row and column of element e, if 8 rows of 4 columns are visited at a time: few bank conflicts on either side of a
    // transposition.
    static __device__ __forceinline__ int row_of(int e) { return e / 32 % 4 * 8 + e % 8; }
    static __device__ __forceinline__ int column_of(int e) { return e / 128 * 4 + e / 8 % 4; }

    // Starts to copy the diagonal blocks, as upper triangles.
    __device__ __forceinline__ void bring_diagonals(int first, int count) const {
        for (int b = 0; b < count; ++b) s.bring(s.diagonals + b * Strip::tile, first + b, first + b, !factor.upper);
        copies_sent();
    }
    // Inverts them, and puts their transposes below the diagonal.
    __device__ __forceinline__ void invert(int first, int count) const {
#pragma unroll 1
        for (int b = s.w; b < count; b += W) {
            T *const tile = s.diagonals + b * Strip::tile;
            TriangleInverse<T, Strip::lda>{tile, n - (first + b) * NB}.run(true);
#pragma unroll 4
            for (int e = s.lane; e < NB * NB; e += 32) {
                const int r = row_of(e), c = column_of(e);
                if (r > c) tile[c * Strip::lda + r] = tile[r * Strip::lda + c];
            }
        }
        __syncthreads();
    }
    // Conjugates the strip.
    __device__ __forceinline__ void conjugate() const {
        T *const x = s.rows(begin);
        for (int e = threadIdx.x; e < (blocks - begin) * NB * NT; e += threads) {
            T &element = x[e / NT * ldx + e % NT];
            element = conj(element);
        }
        __syncthreads();
    }
    // For either triangle, the strip holds the conjugate of what is stored, unless that is a triangle's inverse.
    __device__ __forceinline__ void store() const {
        T *const C = member<T>(factor.b, i);
        const long long down = factor.upper ? factor.ldb : 1, across = factor.upper ? 1 : factor.ldb;
        for (int c = s.lane / 8 + s.w * 4; c < NT && first_column + c < n; c += W * 4) {
            const int column = first_column + c;
            T *const to = C + column * across;
#pragma unroll 4
            for (int r = column / 8 * 8 + s.lane % 8; r < n; r += 8) {
                const T x = s.x[r * ldx + c];
                if (args.triangle ? r > column - (args.triangle == 1) : r >= column)
                    to[r * down] = args.triangle ? x : r == column ? make<T>(re(x)) : conj(x);
            }
        }
    }

    __device__ __forceinline__ void run(int *firsts) {
        const bool given = s.inverses, together = blocks - begin <= args.at_once; // together: all fit, and stay
        if (together) bring_diagonals(begin, blocks - begin);
        CholeskyOrder order(begin, blocks, factor.upper, given, args.triangle);
        for (int slot = 1; slot < args.slots; ++slot) s.send(order);
        copies_done_but<0>();
        const int zero = args.triangle == 2 ? n : first_zero(firsts);
        if (strip == 0 && threadIdx.x == 0) factor.set_info(i, zero < n ? zero + 1 : 0);
        if (zero < n) return; // leave the factor as it is
        // Forwards with L, backwards with L^H. A warp's columns are the identity's in block row `own`.
        using Do = typename Strip::Do;
        const int column = first_column + s.row.first_column(), own = column / NB;
        int held = 0, count = 0; // the inverted blocks: first, and number
#pragma unroll 1
        for (int step = begin; step < (args.triangle ? blocks : 2 * blocks - begin); ++step) {
            const bool up = step >= blocks;
            const int b = up ? 2 * blocks - 1 - step : step, terms = up ? blocks - 1 - b : b - begin;
            if (!given && (b < held || b >= held + count)) {
                const int left = up ? b + 1 - begin : blocks - b;
                count = left < args.at_once ? left : args.at_once;
                held = up ? b + 1 - count : b;
                if (!together) {
                    __syncthreads(); // the previous ones have been used
                    bring_diagonals(held, count);
                    copies_done_but<0>();
                    __syncthreads();
                }
                invert(held, count);
            }
            if (terms == 0) __syncthreads(); // the last step's sums, of all groups, are visible
            if (is_complex<T> && step == blocks) conjugate();
            const bool live = column < n && b * NB + s.row.first_row() < n;
            s.row.clear();
#pragma unroll 1
            for (int k = 0; k < terms; k += Strip::G) {
                const T *const a = s.receive(order);
                const int own_k = k + s.row.group % Strip::G, from = up ? blocks - 1 - own_k : begin + own_k;
                if (live && own_k < terms && (up || from >= own))
                    s.row.template multiply<(Strip::G < H)>(a, s.rows(from), Whole(), n - from * NB);
            }
            const Do what = !live ? Do::nothing : up || b > own ? Do::sums : b == own ? Do::identity : Do::zeros;
            const T *const inverse = given ? s.receive_inverse(order) : s.diagonals + (b - held) * Strip::tile;
            s.finish(b, inverse, CholeskyTriangle{up}, what, !up, first_column - b * NB);
        }
        __syncthreads();
        store();
    }
};

template <typename T, int NT, int W, int H>
__device__ __forceinline__ void potri_strips(const CholeskyInverseArgs &args) {
    __shared__ int firsts[W];
    CholeskyInverse<T, NT, W, H> k(args, dynamic_shared());
    k.run(firsts);
}

} // namespace tephra

#define TEPHRA_POTRI_STRIPS(NAME, T, NT, W, H, MIN_BLOCKS)                                                             \
    TEPHRA_ENTRY(NAME, (Strip<letter::T, NT, W, H>::about(Strip<letter::T, NT, W, H>::NB)),                            \
                 __launch_bounds__(32 * W, MIN_BLOCKS), CholeskyInverseArgs, potri_strips<letter::T, NT, W, H>)
