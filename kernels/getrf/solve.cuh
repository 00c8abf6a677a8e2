// Solves systems of equations from two triangular factors, for up to NR right-hand sides at once: interchanges, both
// triangles, and the store, in one launch with W warps a matrix. The policy class says which triangles: `LuFactors`
// here, Cholesky's in ../potrf/solve.cuh.
//
// The right-hand sides are in shared memory, in blocks of 32 rows. Warp w owns the blocks w, w + W, ..., and only it
// writes them. In each step the owner of a block solves with its diagonal block; after a barrier every warp subtracts
// that solution's part from its own unsolved blocks. Each warp copies the tiles of A that it needs through a ring of
// its own, S slots ahead, in the order of the steps and across both triangles, so that loads of A never wait for a
// barrier.
//
// If columns start at different positions within 16 bytes, as with an odd leading dimension, tiles are copied shifted:
// in aligned chunks of 16 bytes, from the one that holds a column's first element to the one that holds its last. A
// slot then has room for these further chunks, and readers add the column's shift.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "args.cuh"
#include "lanes.cuh"
#include "permutation.cuh"
#include "pivot.cuh"

namespace tephra {

// Adjacent elements, read with loads of 16 bytes.
template <typename T, int COUNT>
struct alignas(16) Side {
    T e[COUNT];
};
template <typename T>
using Quad = Side<T, 4>;

// Unit L and U, or U^T and L^T for the transposed system.
struct LuFactors {
    using Args = SolveArgs;
    // Whether op(A) is A^T in a sweep, and which triangle of A the sweep reads.
    static constexpr bool sweeps_alike = true;
    static __device__ __forceinline__ bool form(const Args &a) { return a.transposed; }
    static __device__ __forceinline__ bool transposed(bool form, bool) { return form; }
    static __device__ __forceinline__ bool upper(bool form, bool back) { return back != form; }
    // Whether a sweep's diagonal is unit.
    static __device__ constexpr bool unit(bool trans, bool back) { return trans == back; }
    // Whether right-hand sides are conjugated before a sweep, or after the last one.
    static __device__ __forceinline__ bool conjugates_before(const Args &a, bool back) { return !back && a.conjugate; }
    static __device__ __forceinline__ bool conjugates_after(const Args &a) { return a.conjugate; }
};

template <typename T, int NR, int W, int S, typename F, bool SHIFTED>
struct TwoTriangles {
    using R = Real<T>;
    using Args = typename F::Args;
    using Index = unsigned short;
    static constexpr int NB = 32;
    static constexpr int per_chunk = 16 / sizeof(T);
    static constexpr int KC = sizeof(T) == 4 ? 32 : 16; // columns of op(A) in a slot, which has NB x KC elements
    static constexpr int parts = NB / KC;               // slots per tile
    // Whether there are shifted copies. Complex numbers with several right-hand sides have so much arithmetic for an
    // element that they gain little.
    static constexpr bool shifts_pay = per_chunk > 1 && (NR == 1 || !is_complex<T>);
    // A part of a tile is H x V elements of A in a slot: a part of A itself, or for op(A) = A^T of its transpose.
    template <bool TRANS>
    static constexpr int H = TRANS ? KC : NB;
    template <bool TRANS>
    static constexpr int V = TRANS ? NB : KC;
    // Elements of `per_chunk` adjacent columns, of which at least one is not shifted.
    template <bool TRANS>
    static __host__ __device__ constexpr int per_group(bool shifted) {
        return per_chunk * (H<TRANS> + (shifted ? per_chunk - 1 : 0));
    }
    static __host__ __device__ constexpr int per_slot(bool shifted) {
        const int across = NB / per_chunk * per_group<true>(shifted), down = KC / per_chunk * per_group<false>(shifted);
        return across > down ? across : down;
    }
    static constexpr int G = NB / NR; // lanes that share a right-hand side in a diagonal block, with NR rows each
    // Leading dimension of the right-hand sides, for so many blocks of rows.
    static __host__ __device__ constexpr int ld_of(int blocks) { return blocks * NB + (NR > 1 ? per_chunk : 0); }
    // Shared memory of a block in bytes: the rings, right-hand sides, reciprocals of the diagonal, row origins.
    // `shifted`: 1 with room for shifted copies.
    static constexpr size_t bytes(int blocks, int shifted) {
        const int ring = per_slot(false) + (shifts_pay ? shifted * (per_slot(true) - per_slot(false)) : 0);
        return (W * S * ring + NR * ld_of(blocks) + blocks * NB) * sizeof(T) + blocks * NB * sizeof(Index);
    }
    // What plans need to know.
    static constexpr Instance about() {
        return Instance(32 * W).holds(NB, NR).by_warps(W).needs(bytes, Count{NB}, Count{1, 0, 1});
    }
    static_assert(NR == 1 || NR == 8, "a lane has a row, or every fourth");

    const Args &args;
    const T *const A;
    T *B;
    const int *ipiv;
    T *ring, *x, *reciprocals;
    Index *origin;
    const int lane, w, n, count, ldx; // count: number of blocks of rows
    const bool form;
    const bool aligned;
    const unsigned shifts;
    int slot = 0, sides; // sides: right-hand sides from the first on; may exceed NR
    bool odd = false;    // a Divisor of the diagonal has a lift other than one
    // The next part of a tile to fetch: sweep (0: forward, 1: backward, 2: done), step p, block q, part.
    int sweep = 0, p = 0, q, part = 0;

    // Forgotten, so that what plain and shifted copies need alike is not computed before they part: it would take
    // registers from both.
    static __device__ __forceinline__ int own_lane() {
        unsigned thread = threadIdx.x;
        forget(thread);
        return thread % 32;
    }
    // Works on matrix i, which is A, and its right-hand sides from `first` on.
    __device__ __forceinline__ TwoTriangles(const Args &a, const T *A, long long i, int first)
        : args(a), A(A), lane(own_lane()), w(__shfl_sync(0xffffffffu, threadIdx.x / 32, 0)), n(a.n),
          count((a.n + NB - 1) / NB), ldx(ld_of(count)), form(F::form(a)),
          aligned(((reinterpret_cast<unsigned long long>(A) | a.lda * sizeof(T)) & 15) == 0),
          shifts(shifts_of(A, a.lda)) {
        B = member<T>(a.b, i) + first * a.ldb;
        sides = a.nrhs - first;
        ipiv = nullptr;
        if constexpr (F::sweeps_alike)
            if (a.ipiv.p) ipiv = member<int>(a.ipiv, i);
        T *const shared = reinterpret_cast<T *>(dynamic_shared());
        ring = shared + w * S * per_slot(SHIFTED);
        x = shared + W * S * per_slot(SHIFTED);
        reciprocals = x + NR * ldx;
        origin = reinterpret_cast<Index *>(reciprocals + count * NB);
        q = own(0, false);
        if (q >= count) sweep = 2;
    }

    // How the columns of A are shifted: four bits for each of `per_chunk` adjacent ones, after which this repeats.
    // They are the elements of its first chunk that are not the column's, and the further chunks of the columns before
    // it, counted in elements.
    static __device__ __forceinline__ unsigned shifts_of(const T *A, long long lda) {
        const auto at = static_cast<unsigned>(reinterpret_cast<unsigned long long>(A) / sizeof(T));
        unsigned all = 0, further = 0;
#pragma unroll
        for (int j = 0; j < per_chunk; ++j) {
            const unsigned skipped = (at + j * static_cast<unsigned>(lda)) & (per_chunk - 1);
            all |= (further + skipped) << (4 * j);
            if (skipped > 0) further += per_chunk;
        }
        return all;
    }
    // Whether A is copied shifted. If all columns have a further chunk, there is no room, and elements are
    // copied one at a time.
    static __device__ __forceinline__ bool is_shifted(const T *A, long long lda) {
        const unsigned last = shifts_of(A, lda) >> (4 * (per_chunk - 1)), skipped = last & (per_chunk - 1);
        return last - skipped + (skipped > 0 ? per_chunk : 0) < per_chunk * per_chunk;
    }

    // Blocks are numbered in the order of the sweep. The first one at or after p that this warp owns.
    __device__ __forceinline__ int own(int p, bool back) const {
        const int mine = back ? count - 1 - w : w;
        return p + ((mine - p) & (W - 1));
    }
    __device__ __forceinline__ int block(int p, bool back) const { return back ? count - 1 - p : p; }
    // Number of parts that hold columns of block J.
    __device__ __forceinline__ int parts_of(int J) const {
        const int columns = n - J * NB;
        return columns >= NB ? parts : (columns + KC - 1) / KC;
    }

    // Position of a column's chunk c in a slot: columns that are read across are skewed, so that their chunks fall in
    // different banks.
    template <bool TRANS>
    static __device__ __forceinline__ int skewed(int c, int column) {
        return TRANS ? c ^ (column & 7) : c;
    }

    // Position of column v's first element in a shifted slot.
    __device__ __forceinline__ int shift(unsigned v) const { return (shifts >> (4 * (v & (per_chunk - 1)))) & 15; }
    template <bool TRANS>
    __device__ __forceinline__ int begin(unsigned v) const {
        return v / per_chunk * per_group<TRANS>(true) + v % per_chunk * H<TRANS> + shift(v);
    }

    // As `copy` below, in aligned chunks.
    template <bool TRANS, bool INNER>
    __device__ __forceinline__ void copy_shifted(T *to, int row0, int col0, bool diagonal, bool upper) const {
        constexpr int pieces = H<TRANS> / per_chunk, step = 32 / pieces;
        static_assert(step % per_chunk == 0 && V<TRANS> <= 32, "a lane's columns are shifted alike");
        const auto chunk = [&](T *place, const T *from, int row, int column) {
            if constexpr (INNER) {
                stage<16>(place, from);
            } else {
                const int left = n - row, rows = left < 0 ? 0 : left < per_chunk ? left : per_chunk;
                const int until = !diagonal ? -0x7fffffff : upper ? row : 1 - row - per_chunk;
                stage<16>(place, from, column < n ? rows * static_cast<int>(sizeof(T)) : 0,
                          until <= (upper ? column : -column));
            }
        };
        const int v = lane / pieces, within = lane % pieces * per_chunk - (shift(v) & (per_chunk - 1));
        const long long pitch = step * args.lda;
        T *const place = to + begin<TRANS>(v) + within;
        const T *from = A + (row0 + within) + (col0 + v) * args.lda;
#pragma unroll(INNER ? V<TRANS> / step : 2)
        for (int e = 0; e < V<TRANS> / step; ++e) {
            chunk(place + e * (step / per_chunk * per_group<TRANS>(true)), from, row0 + within, col0 + v + e * step);
            from += pitch;
        }
        // The further chunks, one per lane.
        const int skipped = shift(lane) & (per_chunk - 1), last = H<TRANS> - skipped;
        if (skipped > 0 && lane < V<TRANS>)
            chunk(to + begin<TRANS>(lane) + last, A + (row0 + last) + (col0 + lane) * args.lda, row0 + last,
                  col0 + lane);
    }

    // Copies rows row0 .. and columns col0 .. of A, H x V, to the slot, E elements at a time. INNER: all exist.
    // Otherwise zeros replace elements outside A, and of a diagonal block only the wanted triangle is copied, in whole
    // chunks.
    template <bool TRANS, int E, bool INNER>
    __device__ __forceinline__ void copy(T *to, int row0, int col0, bool diagonal, bool upper) const {
        constexpr int H = TwoTriangles::H<TRANS>, V = TwoTriangles::V<TRANS>, pieces = H / E;
        static_assert(pieces <= 32 && 32 % pieces == 0, "whole columns at a time");
        constexpr int step = 32 / pieces;
        const int piece = lane % pieces, row = row0 + piece * E, left = n - row;
        const int valid = (left < 0 ? 0 : left < E ? left : E) * static_cast<int>(sizeof(T));
        const long long pitch = step * args.lda;
        int v = lane / pieces;
        const T *from = A + row + (col0 + v) * args.lda;
        // A piece is in the triangle if its last row (lower) or its first row (upper) is.
        int until = !diagonal ? -0x7fffffff : upper ? row : 1 - row - E;
#pragma unroll(!INNER ? 2 : E < per_chunk ? 8 : V / step)
        for (int e = 0; e < V / step; ++e) {
            T *const place = to + v * H + skewed<TRANS>(piece * E / per_chunk, v) * per_chunk + piece * E % per_chunk;
            const int column = col0 + v;
            if constexpr (INNER)
                stage<E * sizeof(T)>(place, from);
            else
                stage<E * sizeof(T)>(place, from, column < n ? valid : 0, until <= (upper ? column : -column));
            v += step;
            from += pitch;
        }
    }

    // Fetches the next part of a tile to the free slot. TRANS: op of the current sweep. If the other sweep has another
    // op, only its first parts are fetched in this way, by slower code.
    template <bool TRANS>
    __device__ __forceinline__ void fetch() {
        if (sweep < 2) {
            if (F::sweeps_alike || F::transposed(form, sweep == 1) == TRANS)
                fetch_part<TRANS, true>();
            else
                fetch_part<!TRANS, false>();
        }
        copies_sent();
    }
    template <bool TRANS, bool FAST>
    __device__ __forceinline__ void fetch_part() {
        const bool back = sweep == 1, upper = F::upper(form, back);
        const int I = block(q, back), J = block(p, back), there = parts_of(J);
        const int k = J * NB + (back ? there - 1 - part : part) * KC;
        const int row0 = TRANS ? k : I * NB, col0 = TRANS ? I * NB : k;
        T *const to = ring + slot * per_slot(SHIFTED);
        const bool in_chunks = FAST && (per_chunk == 1 || aligned), edge = I + 1 == count || J + 1 == count;
        const bool inner = FAST && I != J && !edge;
        if constexpr (SHIFTED) {
            if (inner)
                copy_shifted<TRANS, true>(to, row0, col0, false, upper);
            else
                copy_shifted<TRANS, false>(to, row0, col0, I == J, upper);
        } else if (in_chunks && inner)
            copy<TRANS, per_chunk, true>(to, row0, col0, false, upper);
        else if (inner)
            copy<TRANS, 1, true>(to, row0, col0, false, upper);
        else if (in_chunks)
            copy<TRANS, per_chunk, false>(to, row0, col0, I == J, upper);
        else
            copy<TRANS, 1, false>(to, row0, col0, I == J, upper);
        advance(back, there);
    }
    __device__ __forceinline__ void advance(bool back, int there) {
        if (++part < there) return;
        part = 0;
        q += W;
        if (q < count) return;
        q = own(++p, back);
        if (q < count) return;
        ++sweep;
        p = 0;
        q = own(0, true);
    }

    // Waits for the next part in order; `give` frees its slot.
    __device__ __forceinline__ const T *take() const {
        copies_done_but<S - 1>();
        __syncwarp();
        return ring + slot * per_slot(SHIFTED);
    }
    template <bool TRANS>
    __device__ __forceinline__ void give() {
        __syncwarp();
        fetch<TRANS>();
        slot = slot + 1 == S ? 0 : slot + 1;
    }

    template <bool TRANS>
    __device__ __forceinline__ T element(const T *part, int k, int r) const {
        if constexpr (SHIFTED) return TRANS ? part[begin<true>(r) + k] : part[begin<false>(k) + r];
        return TRANS ? part[r * KC + skewed<true>(k / per_chunk, r) * per_chunk + k % per_chunk] : part[k * NB + r];
    }
    // Columns k .. k + 3 of a part, in row r of the tile of op(A).
    template <bool TRANS>
    __device__ __forceinline__ Quad<T> row(const T *part, int k, int r) const {
        Quad<T> m;
        if constexpr (TRANS && !SHIFTED) {
            constexpr int size = per_chunk < 4 ? per_chunk : 4;
#pragma unroll
            for (int c = 0; c < 4 / size; ++c) {
                const T *const at = part + r * KC + skewed<true>(k / per_chunk + c, r) * per_chunk;
                const auto chunk = *reinterpret_cast<const Side<T, per_chunk> *>(at);
#pragma unroll
                for (int e = 0; e < size; ++e) m.e[c * size + e] = chunk.e[e];
            }
        } else {
#pragma unroll
            for (int t = 0; t < 4; ++t) m.e[t] = element<TRANS>(part, k + t, r);
        }
        return m;
    }
    static __device__ __forceinline__ Quad<T> quad(const T *p) { return *reinterpret_cast<const Quad<T> *>(p); }

    // Solves for the unknowns 4 C .. 4 C + 3 of the diagonal block, which are the part's from k on. Every lane computes
    // them for its right-hand side, and subtracts them from its own rows that follow. C is a compile-time constant if a
    // lane has several rows.
    template <bool TRANS, bool BACK>
    __device__ __forceinline__ void unknowns(int C, const T *part, int k, T (&b)[NR], int first) const {
        constexpr bool unit = F::unit(TRANS, BACK);
        T u[4], own = b[0];
        Quad<T> m[4];
        if constexpr (NR > 1) {
#pragma unroll
            for (int i = 1; i < NR; ++i)
                if (i == C) own = b[i];
        }
#pragma unroll
        for (int s = 0; s < 4; ++s) {
            u[s] = of_lane<G>(own, NR == 1 ? C * 4 + s : s);
            m[s] = row<TRANS>(part, k, C * 4 + s);
        }
        Quad<T> by;
        if constexpr (!unit) by = quad(reciprocals + first + C * 4);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int s = BACK ? 3 - e : e;
#pragma unroll
            for (int f = 0; f < e; ++f) {
                const int t = BACK ? 3 - f : f;
                u[s] = fnma_(m[s].e[t], u[t], u[s]);
            }
            if constexpr (!unit) u[s] = mul(u[s], by.e[s]);
        }
        const int g = lane % 4;
        const T solved = choose(g < 2, choose(g == 0, u[0], u[1]), choose(g == 2, u[2], u[3]));
        if constexpr (NR == 1) {
            T rest = b[0]; // in all lanes, even where it is not used: a branch would delay the loads
            take_out<BACK>(rest, row<TRANS>(part, k, lane), u);
            const bool after = BACK ? lane < C * 4 : lane >= C * 4 + 4;
            b[0] = choose(lane / 4 == C, solved, choose(after, rest, b[0]));
        } else {
#pragma unroll
            for (int i = 0; i < NR; ++i) {
                if (i == C) b[i] = solved;
                if (BACK ? i < C : i > C) take_out<BACK>(b[i], row<TRANS>(part, k, i * 4 + g), u);
            }
        }
    }
    template <bool BACK>
    static __device__ __forceinline__ void take_out(T &b, const Quad<T> &a, const T (&u)[4]) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int s = BACK ? 3 - e : e;
            b = fnma_(a.e[s], u[s], b);
        }
    }
    // Solves for all unknowns of a part.
    template <bool TRANS, bool BACK, int HALF>
    __device__ __forceinline__ void all_unknowns(const T *part, T (&b)[NR], int first) const {
#pragma unroll(NR == 1 ? 4 : KC / 4)
        for (int e = 0; e < KC / 4; ++e) {
            const int c = BACK ? KC / 4 - 1 - e : e;
            unknowns<TRANS, BACK>(HALF * (KC / 4) + c, part, 4 * c, b, first);
        }
    }
    template <bool TRANS, bool BACK>
    __device__ __forceinline__ void all_unknowns(int half, const T *part, T (&b)[NR], int first) const {
        if (parts == 1 || half == 0)
            all_unknowns<TRANS, BACK, 0>(part, b, first);
        else
            all_unknowns<TRANS, BACK, parts - 1>(part, b, first);
    }

    // The same if a diagonal element's Divisor has a lift: one unknown after another, in shared memory.
    template <bool TRANS>
    __device__ __forceinline__ void solve_slowly(const T *part, int half, int first, bool back) {
#pragma unroll 1
        for (int e = 0; e < KC; ++e) {
            const int c = back ? KC - 1 - e : e, k = half * KC + c;
            if (lane < NR) {
                T &u = x[lane * ldx + first + k];
                const T d = element<TRANS>(part, c, k);
                if (first + k < n) u = scale(u, Divisor<T>(d).lift);
                u = mul(u, reciprocals[first + k]);
            }
            __syncwarp();
            const T a = element<TRANS>(part, c, lane);
            if ((back ? lane < k : lane > k) && first + lane < n)
                for (int j = 0; j < NR; ++j)
                    x[j * ldx + first + lane] = fnma_(a, x[j * ldx + first + k], x[j * ldx + first + lane]);
            __syncwarp();
        }
    }

    // Solves with diagonal block I for its own unknowns. Lane g + G j has rows g, g + G, ... of right-hand side j. Rows
    // outside the matrix stay zero.
    template <bool TRANS>
    __device__ __forceinline__ void solve(int I, bool back) {
        T b[NR];
        const int first = I * NB, there = parts_of(I);
        const bool slowly = odd && !F::unit(TRANS, back);
        T *const mine = x + (NR == 1 ? 0 : lane / G) * ldx + first + lane % G;
        __syncwarp(); // other lanes have written the rows
#pragma unroll
        for (int i = 0; i < NR; ++i) b[i] = mine[i * G];
#pragma unroll 1
        for (int e = 0; e < there; ++e) {
            const T *const part = take();
            if (slowly)
                solve_slowly<TRANS>(part, back ? there - 1 - e : e, first, back);
            else if (back)
                all_unknowns<TRANS, true>(there - 1 - e, part, b, first);
            else
                all_unknowns<TRANS, false>(e, part, b, first);
            give<TRANS>();
        }
#pragma unroll
        for (int i = 0; i < NR; ++i)
            if (first + lane % G + i * G < n && !slowly) mine[i * G] = b[i];
        __syncwarp();
    }

    // Subtracts the part of block J's solution from block I's rows, of which a lane has one.
    template <bool TRANS>
    __device__ __forceinline__ void eliminate(int I, int J, bool back) {
        constexpr int sums = NR == 1 ? 4 : 1; // per right-hand side: a single one would serialise its additions
        T *const mine = x + I * NB + lane;
        T b[NR][sums];
#pragma unroll
        for (int j = 0; j < NR; ++j)
#pragma unroll
            for (int s = 0; s < sums; ++s) b[j][s] = s == 0 ? mine[j * ldx] : make<T>(0);
        const int there = parts_of(J);
#pragma unroll 1
        for (int e = 0; e < there; ++e) {
            const T *const part = take(), *const solved = x + J * NB + (back ? there - 1 - e : e) * KC;
#pragma unroll(NR == 1 ? 4 : 2)
            for (int k = 0; k < KC; k += 4) {
                const Quad<T> m = row<TRANS>(part, k, lane);
#pragma unroll
                for (int j = 0; j < NR; ++j) {
                    const Quad<T> u = quad(solved + j * ldx + k);
#pragma unroll
                    for (int t = 0; t < 4; ++t) b[j][t % sums] = fnma_(m.e[t], u.e[t], b[j][t % sums]);
                }
            }
            give<TRANS>();
        }
        if (I * NB + lane < n) {
#pragma unroll
            for (int j = 0; j < NR; ++j)
                mine[j * ldx] =
                    sums == 1 ? b[j][0] : add(add(b[j][0], b[j][1 % sums]), add(b[j][2 % sums], b[j][3 % sums]));
        }
    }

    // One step, which finds block J's solution.
    template <bool TRANS>
    __device__ __forceinline__ void step(int p, bool back) {
        const int J = block(p, back);
        int q = own(p, back);
        if (q == p) {
            solve<TRANS>(J, back);
            if (back) store(J);
            q += W;
        }
        if (p + 1 == count) return; // nothing is left of this triangle
        __syncthreads();
#pragma unroll 1
        for (; q < count; q += W) eliminate<TRANS>(block(q, back), J, back);
    }
    // TRANS: op of the first sweep.
    template <bool TRANS>
    __device__ __forceinline__ void steps() {
        if constexpr (F::sweeps_alike) {
#pragma unroll 1
            for (int s = 0; s < 2 * count; ++s) step<TRANS>(s >= count ? s - count : s, s >= count);
        } else {
#pragma unroll 1
            for (int p = 0; p < count; ++p) step<TRANS>(p, false);
            if (is_complex<T>) conjugate();
#pragma unroll 1
            for (int p = 0; p < count; ++p) step<!TRANS>(p, true);
        }
    }
    // Conjugates this warp's blocks between the sweeps.
    __device__ __forceinline__ void conjugate() {
        __syncthreads(); // others have read them
#pragma unroll 1
        for (int I = w; I < count; I += W)
#pragma unroll
            for (int j = 0; j < NR; ++j) {
                T &b = x[j * ldx + I * NB + lane];
                b = conj(b);
            }
    }

    // Computes this warp's reciprocals of the diagonal that divides; the next element is loaded ahead.
    __device__ __forceinline__ void invert_diagonal() {
        bool found = false;
        const auto element = [&](int r) { return r < n ? A[r * (args.lda + 1)] : make<T>(1); };
        T next = element(w * NB + lane);
#pragma unroll 1
        for (int r = w * NB + lane; r < count * NB; r += W * NB) {
            const Divisor<T> by(next);
            next = element(r + W * NB);
            found |= by.lift != 1;
            reciprocals[r] = by.reciprocal;
        }
        odd = __reduce_max_sync(0xffffffffu, found) != 0;
    }
    // Loads this warp's blocks of B, with rows interchanged. A^H is solved with conjugates of B: A^T conj(x) = conj(b).
    __device__ __forceinline__ void load(bool interchanged) {
#pragma unroll 1
        for (int I = w; I < count; I += W) {
            const int r = I * NB + lane;
            const T *const from = B + (interchanged && r < n ? origin[r] : r);
            T b[NR];
#pragma unroll
            for (int j = 0; j < NR; ++j) b[j] = r < n && j < sides ? from[j * args.ldb] : make<T>(0);
#pragma unroll
            for (int j = 0; j < NR; ++j) x[j * ldx + r] = F::conjugates_before(args, false) ? conj(b[j]) : b[j];
        }
    }
    __device__ __forceinline__ void store(int I) const {
        const int r = I * NB + lane;
        if (r >= n) return;
        T *const to = B + (form && ipiv ? origin[r] : r);
#pragma unroll
        for (int j = 0; j < NR; ++j) {
            const T solved = x[j * ldx + r];
            if (j < sides) to[j * args.ldb] = F::conjugates_after(args) ? conj(solved) : solved;
        }
    }

    template <bool TRANS>
    __device__ __forceinline__ void run() {
        int pivot = 0;
        if (w == 0 && ipiv && lane < n) pivot = ipiv[lane];
#pragma unroll 1
        for (int s = 0; s < S; ++s) {
            fetch<TRANS>();
            slot = slot + 1 == S ? 0 : slot + 1;
        }
        if (!TRANS && ipiv) // the order of the rows is not known yet
            for (int j = 0; j < sides; ++j)
                for (int r = threadIdx.x * (128 / sizeof(T)); r < n; r += 32 * W * (128 / sizeof(T)))
                    prefetch(B + r + j * args.ldb);
        invert_diagonal();
        if (w == 0 && ipiv) trace_origins(origin, ipiv, pivot, n, lane);
        __syncthreads();
        load(!TRANS && ipiv);
        steps<TRANS>();
    }
};

// Works on matrix i, and its right-hand sides from `first` on.
template <typename T, int NR, int W, int S, typename F>
__device__ __forceinline__ void two_triangles(const typename F::Args &args, long long i, int first) {
    const auto run = [&](auto &k) {
        if (k.form)
            k.template run<true>();
        else
            k.template run<false>();
    };
    const T *const A = member<T>(args.a, i);
    using Shifted = TwoTriangles<T, NR, W, S, F, true>;
    if constexpr (Shifted::shifts_pay)
        if (args.shifted && Shifted::is_shifted(A, args.lda)) {
            Shifted k(args, A, i, first);
            return run(k);
        }
    TwoTriangles<T, NR, W, S, F, false> k(args, A, i, first);
    run(k);
}

template <typename T, int NR, int W, int S>
__device__ __forceinline__ void getrs_fused(const SolveArgs &args) {
    two_triangles<T, NR, W, S, LuFactors>(args, blockIdx.x, 0);
}

} // namespace tephra

#define TEPHRA_GETRS_FUSED(NAME, T, NR, W, S, MIN_BLOCKS)                                                              \
    TEPHRA_ENTRY(NAME, (TwoTriangles<letter::T, NR, W, S, LuFactors, false>::about()),                                 \
                 __launch_bounds__(32 * W, MIN_BLOCKS), SolveArgs, getrs_fused<letter::T, NR, W, S>)
