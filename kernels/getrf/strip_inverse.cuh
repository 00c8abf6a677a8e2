// The inverse from LU factors, X = U^-1 L^-1 P, with a strip of X's columns per block.
//
// The strip stays in shared memory while the factors pass through in tiles of 32 x 32. Block row by block row, the
// block solves L Y = I, starting at the strip's own rows since Y is zero above them, and then U X = Y from the last row
// to the first. With inverted diagonal blocks both are products; an earlier launch inverts them
// (diagonal_inverses.cuh), or every block for itself (a few at a time, one triangle per warp). The interchanges give
// the columns of the result. Source: LAPACK getri; inverted diagonal blocks as in Abdelfattah, Haidar, Tomov, Dongarra,
// "Progressive batched LU".
#pragma once
#include "nan.cuh"
#include "strip.cuh"

namespace tephra {

// Mirrored in src/gpu/getri/steps.rs.
struct StripInverseArgs {
    Operand a, c;
    Operand ipiv;     // of the factors, n ints; p null: no interchanges
    Operand inverses; // of the diagonal blocks; p null: every block inverts them
    int *info;        // may be null
    long long lda, ldc, batch;
    int n;
    int strips;   // blocks per matrix
    int slots;    // slots of the ring of tiles: 2 .. 4
    int at_once;  // diagonal blocks inverted at a time; 0: given
    int composed; // 1: ipiv is the composed permutation of rows, counted from 1
    int pad;
};

// The tiles in the order of use: L's, from block row and column `begin` on, then U's from the last one backwards.
struct InverseOrder {
    static constexpr bool may_have_inverses = true;
    int begin, blocks, inverses, row, column; // inverses: 1: a block row's tiles end with its inverted diagonal block
    bool upper = false;

    __device__ __forceinline__ InverseOrder(int begin, int blocks, bool inverses)
        : begin(begin), blocks(blocks), inverses(inverses), row(begin + 1 - this->inverses), column(begin) {
        if (row == blocks) to_upper();
    }
    __device__ __forceinline__ void to_upper() { upper = true, row = blocks - 2 + inverses, column = blocks - 1; }
    __device__ __forceinline__ bool on_diagonal() const { return row == column; }
    __device__ __forceinline__ bool more() const { return row >= 0; }
    __device__ __forceinline__ constexpr bool transposed() const { return false; }
    __device__ __forceinline__ void advance() {
        if (upper) {
            if (--column == row - inverses) --row, column = blocks - 1;
        } else if (++column == row + inverses) {
            ++row, column = begin;
            if (row == blocks) to_upper();
        }
    }
};

template <typename T, int NT, int W, int H>
struct StripInverse {
    using Strip = tephra::Strip<T, NT, W, H>;
    static constexpr int NB = Strip::NB, ldx = Strip::ldx, threads = Strip::threads;
    static_assert(NT % NB == 0 || NB % NT == 0, "a strip's columns begin in one block row");
    // What plans need to know. Row origins follow the strip, if interchanges are traced.
    static constexpr Instance about() { return Strip::template about<NB * sizeof(unsigned short)>(NB); }

    const StripInverseArgs &args;
    const int n = args.n, blocks = (n + NB - 1) / NB;
    const long long i = blockIdx.x / args.strips;
    const int strip = static_cast<int>(blockIdx.x - i * args.strips), first_column = strip * NT;
    const int begin = first_column / NB; // the first block row in which Y is not zero
    Strip s;
    unsigned short *const origin = reinterpret_cast<unsigned short *>(s.rest()); // row origins, after the strip

    __device__ __forceinline__ StripInverse(const StripInverseArgs &args_, unsigned char *shared)
        : args(args_), s(member<T>(args.a, i), args.lda, n, n, args.slots, args.at_once, blocks, shared) {
        if (args.inverses.p) s.inverses = member<T>(args.inverses, i);
    }

    // Sets the first zero on U's diagonal that each warp finds, or n. Contains a barrier.
    __device__ __forceinline__ void find_zero(int *firsts) const {
        int first = n;
        for (int k = threadIdx.x; k < n && first == n; k += threads)
            if (is_zero(s.factors[k * (args.lda + 1)])) first = k;
        first = static_cast<int>(__reduce_min_sync(0xffffffffu, first));
        if (s.lane == 0) firsts[s.w] = first;
        __syncthreads();
    }
    __device__ __forceinline__ static int least(const int *firsts) {
        int first = firsts[0];
#pragma unroll
        for (int v = 1; v < W; ++v) first = firsts[v] < first ? firsts[v] : first;
        return first;
    }

    // none: the inverse does not exist.
    __device__ __forceinline__ void store(bool none) const {
        T *const C = member<T>(args.c, i);
        const int *const order = args.ipiv.p && args.composed ? member<int>(args.ipiv, i) : nullptr;
        // 8 rows of 4 columns: different banks, whole sectors.
        for (int c = s.lane / 8 + s.w * 4; c < NT && first_column + c < n; c += W * 4) {
            const int from = first_column + c, to = order ? order[from] - 1 : args.ipiv.p ? origin[from] : from;
            T *const column = C + to * args.ldc;
#pragma unroll 4
            for (int r = s.lane % 8; r < n; r += 8) column[r] = none ? not_a_number<T>() : s.x[r * ldx + c];
        }
    }

    __device__ __forceinline__ void run(int *firsts) {
        const bool given = s.inverses, together = blocks <= args.at_once; // together: all diagonal blocks fit, and stay
        if (together) s.bring_diagonals(0, blocks);
        InverseOrder order(begin, blocks, given);
        for (int slot = 1; slot < args.slots; ++slot) s.send(order);
        for (int e = threadIdx.x; e < begin * NB * NT; e += threads) s.x[e / NT * ldx + e % NT] = make<T>(0);
        if (args.ipiv.p && !args.composed && s.w == W - 1) {
            const int *const ipiv = member<int>(args.ipiv, i);
            trace_origins(origin, ipiv, s.lane < n ? ipiv[s.lane] : 0, n, s.lane);
        }
        copies_done_but<0>();
        find_zero(firsts);
        const int zero = least(firsts); // for a singular matrix the work below has no effect
        if (strip == 0 && threadIdx.x == 0 && args.info) args.info[i] = zero < n ? zero + 1 : 0;
        // Forwards with L, backwards with U. A warp's columns are the identity's in block row `own`.
        using Do = typename Strip::Do;
        const int column = first_column + s.row.first_column(), own = column / NB;
        int held = 0, count = 0; // the inverted blocks: first, and number
#pragma unroll 1
        for (int step = begin; step < 2 * blocks; ++step) {
            const bool of_u = step >= blocks;
            const int b = of_u ? 2 * blocks - 1 - step : step, terms = of_u ? blocks - 1 - b : b - begin;
            const bool turn = of_u && step == blocks && !together;
            if (!given && (turn || b < held || b >= held + count)) {
                const int most = args.at_once;
                count = together            ? blocks
                        : of_u              ? (b + 1 < most ? b + 1 : most)
                        : blocks - b < most ? blocks - b
                                            : most;
                held = together ? 0 : of_u ? b + 1 - count : b;
                if (!together) {
                    __syncthreads(); // the previous ones have been used
                    s.bring_diagonals(held, count);
                    copies_done_but<0>();
                    __syncthreads();
                }
                s.invert(held, count, together || !of_u, together || of_u, begin);
            }
            if (!given && terms == 0) __syncthreads(); // the last step's sums, of all groups, are visible
            const bool live = column < n && b * NB + s.row.first_row() < n;
            s.row.clear();
#pragma unroll 1
            for (int k = 0; k < terms; k += Strip::G) {
                const T *const a = s.receive(order);
                const int own_k = k + s.row.group % Strip::G, from = of_u ? blocks - 1 - own_k : begin + own_k;
                if (live && own_k < terms && (of_u || from >= own))
                    s.row.template multiply<(Strip::G < H)>(a, s.rows(from), Whole(), n - from * NB);
            }
            const Do what = !live ? Do::nothing : of_u || b > own ? Do::sums : b == own ? Do::identity : Do::zeros;
            const T *const inverse = given ? s.receive_inverse(order) : s.diagonals + (b - held) * Strip::tile;
            s.finish(b, inverse, Triangle{of_u}, what, !of_u, first_column - b * NB);
        }
        __syncthreads();
        store(least(firsts) < n);
    }
};

template <typename T, int NT, int W, int H>
__device__ __forceinline__ void strip_inverse(const StripInverseArgs &args) {
    __shared__ int firsts[W];
    StripInverse<T, NT, W, H> k(args, dynamic_shared());
    k.run(firsts);
}

} // namespace tephra

#define TEPHRA_STRIP_INVERSE(NAME, T, NT, W, H, MIN_BLOCKS)                                                            \
    TEPHRA_ENTRY(NAME, (StripInverse<letter::T, NT, W, H>::about()), __launch_bounds__(32 * W, MIN_BLOCKS),            \
                 StripInverseArgs, strip_inverse<letter::T, NT, W, H>)
