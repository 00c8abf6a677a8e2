// Triangular solves with many right-hand sides, for one triangle or for two in succession (as in potrs and getrs), in
// one launch. A warp has a strip of columns; the warps of a block are side by side on one matrix.
//
// Rows are processed in blocks of 32, from the first unknown to the last. Earlier blocks are subtracted from a block as
// a product in registers: the triangle's tiles come through a ring in shared memory that the block's warps share, and
// the stored solution's through a ring of each warp; the newest block of the solution is still in shared memory. Then
// each lane solves with the diagonal block for its own right-hand side, in registers, 16 unknowns at a time. Warps wait
// for each other only when a chunk of the triangle arrives. Every element of X is computed by the same operations
// whatever the batch. Single precision only; in double precision the products of trsm.cuh are faster. Source: BLAS
// trsm. The diagonal is divided by through reciprocals where these are accurate enough.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../gemm/store.cuh"
#include "diagonal.cuh"

namespace tephra {

// A triangle in memory order: rows are taken from first to last, or with `back` from last to first.
struct StripTriangle {
    int across; // 1: rows of T are contiguous in memory, 0: columns
    int back, conj, unit;
};

// T X = alpha B, or two such systems, where X of the first is B of the second. T(i, k) is at i + k lda, or at i lda +
// k; B(i, j) is at i brs + j bcs, of which one stride is 1 (mirrored in src/gpu/args/solve.rs).
struct StripsArgs {
    Operand a, b;
    const void *alpha; // alpha in device memory, or null
    double alpha_re, alpha_im;
    long long lda, brs, bcs;
    long long a0, b0; // elements of A and B before the triangle and the right-hand sides, as they are stored
    int order, nrhs;
    int tiles;  // blocks per matrix
    int sweeps; // number of triangles
    StripTriangle sweep[2];
};

// A strip's X in shared memory, in chunks of KC rows. Rows follow each other, with all real parts before the imaginary
// ones, so that both are read into registers of one bank.
template <typename T, int CW, int KC>
struct StripChunk {
    static constexpr int ld = CW + 4, part = KC * ld, size = (is_complex<T> ? 2 : 1) * part;

    static __device__ __forceinline__ int place(int row, int column) {
        return row / KC * size + row % KC * ld + column;
    }
    static __device__ __forceinline__ T get(const Real<T> *x, int row, int column) {
        const Real<T> *const p = x + place(row, column);
        if constexpr (is_complex<T>)
            return {p[0], p[part]};
        else
            return *p;
    }
    static __device__ __forceinline__ void set(Real<T> *x, int row, int column, T value) {
        Real<T> *const p = x + place(row, column);
        p[0] = re(value);
        if constexpr (is_complex<T>) p[part] = value.y;
    }
};

// A warp's sums, 32 x CW: LM x 32 / LM lanes of TM x TN elements, in packs of 16 bytes.
template <typename T>
struct StripTile {
    using R = Real<T>;
    static constexpr int NB = 32, KC = 16, CW = is_complex<T> ? 32 : 64, LM = is_complex<T> ? 8 : 4, LN = 32 / LM;
    static constexpr int TM = NB / LM, TN = CW / LN, P = 16 / sizeof(T), Q = 16 / sizeof(R);
    static constexpr int lda = NB + P, step = is_complex<T> ? 4 : 8;
    using Chunk = StripChunk<T, CW, KC>;
    using Pack = GemmPack<T>;
    using PackB = GemmPack<R>;

    T c[TN][TM];
    int tm, tn;

    __device__ __forceinline__ explicit StripTile(int lane)
        : tm(lane >> 1 & (LM - 1)), tn(lane % 2 + lane / (2 * LM) * 2) {}
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int i = 0; i < TM; ++i) c[j][i] = make<T>(0);
    }
    __device__ __forceinline__ int row(int i) const { return (i / P * LM + tm) * P + i % P; }
    __device__ __forceinline__ int column(int j) const { return (j / Q * LN + tn) * Q + j % Q; }

    __device__ __forceinline__ void multiply(const T *a, const R *b, bool conjugate, int terms) {
        constexpr int parts = is_complex<T> ? 2 : 1;
        a += tm * P, b += tn * Q;
#pragma unroll 1
        for (int first = 0; first < terms; first += step, a += step * lda, b += step * Chunk::ld)
#pragma unroll
            for (int k = 0; k < step; ++k) {
                Pack x[TM / P];
                PackB y[parts][TN / Q];
#pragma unroll
                for (int p = 0; p < TM / P; ++p) x[p] = *reinterpret_cast<const Pack *>(a + k * lda + p * LM * P);
#pragma unroll
                for (int part = 0; part < parts; ++part)
#pragma unroll
                    for (int p = 0; p < TN / Q; ++p)
                        y[part][p] =
                            *reinterpret_cast<const PackB *>(b + part * Chunk::part + k * Chunk::ld + p * LN * Q);
                gemm_outer<false>(
                    c, [&](int i) { return gemm_conj(x[i / P].v[i % P], conjugate); },
                    [&](int j) { return y[0][j / Q].v[j % Q]; }, [&](int j) { return y[parts - 1][j / Q].v[j % Q]; });
            }
    }
    // x := alpha b - sums, with B from `from` on, of which `rows` rows and `columns` columns exist.
    template <typename F>
    __device__ __forceinline__ void finish(R *x, const T *from, long long brs, long long bcs, int rows, int columns,
                                           bool packs, F scaled) {
        constexpr int some = 4; // columns at a time
#pragma unroll
        for (int j0 = 0; j0 < TN; j0 += some) {
            T was[some][TM];
#pragma unroll
            for (int j = 0; j < some; ++j) {
                const bool inside = column(j0 + j) < columns;
                const T *const p = from + column(j0 + j) * bcs;
#pragma unroll
                for (int i = 0; i < TM; i += P) {
                    if (packs && inside && row(i) + P <= rows) {
                        const Pack pack = *reinterpret_cast<const Pack *>(p + row(i));
#pragma unroll
                        for (int e = 0; e < P; ++e) was[j][i + e] = pack.v[e];
                    } else {
#pragma unroll
                        for (int e = 0; e < P; ++e)
                            was[j][i + e] = inside && row(i + e) < rows ? p[row(i + e) * brs] : make<T>(0);
                    }
                }
            }
#pragma unroll
            for (int j = 0; j < some; ++j)
#pragma unroll
                for (int i = 0; i < TM; ++i) c[j0 + j][i] = add(scaled(was[j][i]), scale(c[j0 + j][i], -1));
        }
        __syncwarp(); // the last block in x has been used
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
            for (int p = 0; p < TN / Q; ++p) {
                PackB y[2];
#pragma unroll
                for (int e = 0; e < Q; ++e) y[0].v[e] = re(c[p * Q + e][i]), y[1].v[e] = im(c[p * Q + e][i]);
                R *const to = x + Chunk::place(row(i), column(p * Q));
                *reinterpret_cast<PackB *>(to) = y[0];
                if constexpr (is_complex<T>) *reinterpret_cast<PackB *>(to + Chunk::part) = y[1];
            }
    }
};

// How the triangle is divided into blocks of rows.
struct StripOrder {
    int order, first, blocks; // first: rows of the first block
    bool back;

    // The first block takes the remainder, so that later products have fewer terms rather than fewer rows. It is
    // rounded up to P elements (16 bytes), so that no block starts within such a pack.
    __device__ __forceinline__ StripOrder(int order_, bool back_, int P) : order(order_), back(back_) {
        const int over = order % 32;
        first = over == 0 ? 32 : back ? over : (over + P - 1) / P * P;
        blocks = order <= first ? 1 : 1 + (order - first + 31) / 32;
    }
    __device__ __forceinline__ int start(int p) const {
        return back ? (blocks - 1 - p) * 32 : p == 0 ? 0 : first + (p - 1) * 32;
    }
    __device__ __forceinline__ int rows(int p) const {
        const int most = p == 0 ? first : 32, left = order - start(p);
        return left < most ? left : most;
    }
};

template <typename T>
struct Strips {
    using Tile = StripTile<T>;
    using Chunk = typename Tile::Chunk;
    using R = Real<T>;
    static constexpr int NB = 32, NS = 16, KC = Tile::KC, CW = Tile::CW, P = Tile::P, lda = Tile::lda;
    static constexpr int NC = CW / 32; // right-hand sides per lane
    static constexpr int chunk_a = KC * lda, block = NB / KC * Chunk::size;
    static constexpr int diagonal = NS * NB + NS * NS; // elements; second-half columns have 16 rows only

    // With more than two blocks of rows, X is read back from memory, and there is only room for two chunks at a time.
    static constexpr Count rows{NB, 2 * NB, 1};
    static __host__ __device__ constexpr bool streams(int order) { return order > rows.beyond; }
    static __host__ __device__ constexpr int places_of(bool streams) { return streams ? 2 : 4; }
    static __host__ __device__ constexpr int of_warp(bool streams) { // numbers of X
        return block + (streams ? places_of(true) * Chunk::size : 0);
    }
    // Shared memory of a block in bytes. streams: 1 or 0.
    static constexpr size_t bytes(int streams, int warps) {
        return (places_of(streams) * chunk_a + diagonal + NB) * sizeof(T) + warps * of_warp(streams) * sizeof(R);
    }

    const StripsArgs &args;
    const int places; // slots in the ring of the triangle's chunks
    T *const ring, *const d, *const reciprocals;
    R *const x, *const xs; // this warp's newest block of X, and its ring
    const int lane = threadIdx.x % 32, threads = blockDim.x;
    const T *A;
    T *B;
    int columns;

    __device__ __forceinline__ Strips(const StripsArgs &args_, unsigned char *shared)
        : args(args_), places(places_of(streams(args.order))), ring(reinterpret_cast<T *>(shared)),
          d(ring + places * chunk_a), reciprocals(d + diagonal),
          x(reinterpret_cast<R *>(reciprocals + NB) + threadIdx.x / 32 * of_warp(streams(args.order))), xs(x + block) {}

    // Copies chunk c of tile (p, q) of T to `to`, by all warps. Rows are those of block p, columns those of block q.
    __device__ __forceinline__ void bring(T *to, const StripOrder &o, bool across, int p, int q, int c) const {
        const int rows = o.rows(p), k0 = o.start(q) + c * KC, terms = o.rows(q) - c * KC, r0 = o.start(p);
        const long long rs = across ? args.lda : 1, cs = across ? 1 : args.lda;
        const T *const from = A + r0 * rs + k0 * cs;
        if (!across && ((reinterpret_cast<unsigned long long>(A) | args.lda * sizeof(T)) & 15) == 0) {
            for (int e = threadIdx.x; e < KC * NB / P; e += threads) {
                const int i = e % (NB / P) * P, k = e / (NB / P), left = rows - i;
                const int valid = k < terms && left > 0 ? (left < P ? left : P) * int(sizeof(T)) : 0;
                copy_async_part(to + k * lda + i, valid ? from + i + k * args.lda : A, valid);
            }
        } else { // adjacent threads copy what is adjacent in memory
            for (int e = threadIdx.x; e < KC * NB; e += threads) {
                const int i = across ? e / KC : e % NB, k = across ? e % KC : e / NB;
                const bool there = i < rows && k < terms;
                copy_async<sizeof(T)>(to + k * lda + i, there ? from + i * rs + k * cs : A, there);
            }
        }
    }
    static __device__ __forceinline__ void copy(R *to, const T *from, bool there) {
        const R *const parts = reinterpret_cast<const R *>(from);
        copy_async<sizeof(R)>(to, parts, there);
        if constexpr (is_complex<T>) copy_async<sizeof(R)>(to + Chunk::part, parts + 1, there);
    }
    // Copies up to `rows` rows of X from `row` on, by this warp.
    __device__ __forceinline__ void bring_x(R *to, int row, int rows) const {
        const T *const from = B + row * args.brs;
        if (args.brs == 1 && rows >= KC && columns == CW) { // without a check of each element
            const T *p = from + lane % KC + lane / KC * args.bcs;
            const unsigned first = shared_address(to + lane % KC * Chunk::ld + lane / KC);
            const long long step = 32 / KC * args.bcs;
#pragma unroll
            for (int j = 0; j < CW * KC / 32; ++j, p += step) {
                const unsigned at = first + j * (32 / KC) * sizeof(R);
                const R *const parts = reinterpret_cast<const R *>(p);
                copy_async_at<sizeof(R)>(at, parts);
                if constexpr (is_complex<T>) copy_async_at<sizeof(R)>(at + Chunk::part * sizeof(R), parts + 1);
            }
        } else {
#pragma unroll 2
            for (int e = lane; e < KC * CW; e += 32) {
                const int k = args.brs == 1 ? e % KC : e / CW, j = args.brs == 1 ? e / KC : e % CW;
                const bool there = k < rows && j < columns;
                copy(to + k * Chunk::ld + j, there ? from + k * args.brs + j * args.bcs : B, there);
            }
        }
    }

    struct Cursor {
        int p = 0, q = 0, c = 0;
        __device__ __forceinline__ void advance(const StripOrder &o) {
            if (++c * KC < o.rows(q)) return;
            c = 0;
            if (++q > p) ++p, q = 0;
        }
    };
    __device__ __forceinline__ void send(Cursor &next, const StripOrder &o, bool across, int place) const {
        if (next.p < o.blocks) {
            bring(ring + place * chunk_a, o, across, next.p, next.q, next.c);
            if (next.q < next.p - 1 && columns > 0)
                bring_x(xs + place * Chunk::size, o.start(next.q) + next.c * KC, o.rows(next.q) - next.c * KC);
            next.advance(o);
        }
        copies_sent();
    }

    // Start of the diagonal block's column k, counted from row 0; columns from 16 on only have rows from 16 on.
    static __device__ __forceinline__ int column_of(int k) { return k < NS ? k * NB : NS * NB - NS + (k - NS) * NS; }

    // Converts chunk c of a diagonal block of `rows` rows: columns are multiplied by the reciprocal of their diagonal,
    // except those of the first half in rows of the second half. Unknowns are counted in the order of the solution.
    // Returns whether reciprocals are accurate enough everywhere.
    __device__ __forceinline__ bool convert(const T *from, int c, int rows, const StripTriangle &t) const {
        const int k = threadIdx.x % KC, own = c * KC + k;
        if (own >= rows) return true;
        const T pivot = t.unit ? make<T>(1) : gemm_conj(from[k * lda + own], t.conj);
        const T r = t.unit ? pivot : reciprocal(pivot);
        const int u = t.back ? rows - 1 - own : own;
        bool safe = reciprocal_is_safe(pivot);
        T *const to = d + column_of(u);
#pragma unroll 2
        for (int i = threadIdx.x / KC; i < rows; i += threads / KC) {
            const int v = t.back ? rows - 1 - i : i;
            if (v <= u) continue;
            const T e = gemm_conj(from[k * lda + i], t.conj);
            safe = safe && is_moderate(e);
            to[v] = u < NS && v >= NS ? e : mul(e, r);
        }
        if (threadIdx.x < KC) reciprocals[u] = r;
        return safe;
    }

    // X := T^-1 X for a diagonal block of `rows` rows, for this lane's right-hand sides.
    __device__ __forceinline__ void solve(int rows, bool back) const {
        constexpr int per = 16 / sizeof(T);
        using Pack = GemmPack<T>;
        const auto place = [&](int u) { return back && u < rows ? rows - 1 - u : u; };
#pragma unroll 1
        for (int h = 0; h * NS < rows; ++h) {
            T y[NC][NS];
#pragma unroll
            for (int i = 0; i < NS; ++i)
#pragma unroll
                for (int n = 0; n < NC; ++n) y[n][i] = Chunk::get(x, place(h * NS + i), lane + 32 * n);
            if (h) {
#pragma unroll 2
                for (int k = 0; k < NS; ++k) {
                    T solved[NC];
#pragma unroll
                    for (int n = 0; n < NC; ++n) solved[n] = Chunk::get(x, place(k), lane + 32 * n);
                    Pack l[NS / per];
#pragma unroll
                    for (int i = 0; i < NS / per; ++i)
                        l[i] = *reinterpret_cast<const Pack *>(d + k * NB + NS + i * per);
#pragma unroll
                    for (int n = 0; n < NC; ++n)
#pragma unroll
                        for (int i = 0; i < NS; ++i) y[n][i] = fnma_(l[i / per].v[i % per], solved[n], y[n][i]);
                }
            }
            const int ld = h ? NS : NB;
            const T *const l0 = d + (h ? NS * NB : 0);
            Pack below[2][NS / per]; // a column of the block, and the next, which is loaded ahead
#pragma unroll
            for (int i = 0; i < NS / per; ++i) below[0][i] = *reinterpret_cast<const Pack *>(l0 + i * per);
#pragma unroll
            for (int k = 0; k < NS; ++k) {
#pragma unroll
                for (int i = (k + 2) / per; i < NS / per; ++i)
                    if (k + 1 < NS)
                        below[(k + 1) & 1][i] = *reinterpret_cast<const Pack *>(l0 + (k + 1) * ld + i * per);
                keep_order(); // read no further ahead, or registers run out
                const auto &l = below[k & 1];
#pragma unroll
                for (int n = 0; n < NC; ++n)
#pragma unroll
                    for (int i = k + 1; i < NS; ++i) y[n][i] = fnma_(l[i / per].v[i % per], y[n][k], y[n][i]);
            }
#pragma unroll
            for (int i = 0; i < NS; ++i) {
                const int u = h * NS + i;
                const T r = reciprocals[u];
#pragma unroll
                for (int n = 0; n < NC; ++n)
                    Chunk::set(x, place(u), lane + 32 * n, u < rows ? mul(r, y[n][i]) : make<T>(0));
            }
        }
    }
    // The same with divisions, with T read from memory, since speed does not matter.
    __device__ __forceinline__ void solve_by_division(int start, int rows, const StripTriangle &t) const {
        const long long ars = t.across ? args.lda : 1, acs = t.across ? 1 : args.lda;
        const T *const D = A + start * (args.lda + 1);
#pragma unroll 1
        for (int n = 0; n < NC; ++n) {
            const int column = lane + 32 * n;
#pragma unroll 1
            for (int e = 0; e < rows; ++e) {
                const int k = t.back ? rows - 1 - e : e;
                T solved = Chunk::get(x, k, column);
                if (!t.unit) solved = divide(solved, conj_if(D[k * (args.lda + 1)], t.conj));
                Chunk::set(x, k, column, solved);
#pragma unroll 1
                for (int f = e + 1; f < rows; ++f) {
                    const int i = t.back ? rows - 1 - f : f;
                    const T l = conj_if(D[i * ars + k * acs], t.conj);
                    Chunk::set(x, i, column, fnma_(l, solved, Chunk::get(x, i, column)));
                }
            }
        }
    }
    // Stores the block; adjacent lanes store what is adjacent in memory.
    __device__ __forceinline__ void store(int start, int rows) const {
        T *const to = B + start * args.brs;
        if (args.brs == 1) {
            const int j0 = lane / 8;
#pragma unroll 1
            for (int r0 = 0; r0 < NB; r0 += 8) {
                const int r = r0 + lane % 8;
                if (r >= rows) continue;
                T *p = to + r + j0 * args.bcs;
#pragma unroll 8
                for (int j = j0; j < CW; j += 4, p += 4 * args.bcs)
                    if (j < columns) *p = Chunk::get(x, r, j);
            }
        } else {
#pragma unroll
            for (int n = 0; n < NC; ++n) {
                const int j = lane + 32 * n;
                if (j >= columns) continue;
#pragma unroll 2
                for (int r = 0; r < rows; ++r) to[r * args.brs + j] = Chunk::get(x, r, j);
            }
        }
    }

    __device__ __forceinline__ void sweep(const StripTriangle &t, T alpha) {
        const StripOrder o(args.order, t.back, P);
        const bool scaled = !(re(alpha) == 1 && im(alpha) == 0);
        const bool packs =
            args.brs == 1 && ((reinterpret_cast<unsigned long long>(B) | args.bcs * sizeof(T)) & 15) == 0;
        Cursor next;
        int place = 0, ahead = places - 1; // slot of the chunk in use; chunks to start before the first one is used
        Tile tile(lane);
#pragma unroll 1
        for (int p = 0; p < o.blocks; ++p) {
            const int start = o.start(p), rows = o.rows(p);
            bool safe = true;
            tile.clear();
#pragma unroll 1
            for (int q = 0; q <= p; ++q) {
                const int terms = o.rows(q);
#pragma unroll 1
                for (int c = 0; c * KC < terms; ++c) {
#pragma unroll 1
                    for (;; --ahead) { // a loop, so that the code of `send` exists once
                        if (ahead == 0) {
                            if (q == p && c == 0 && columns > 0)
                                tile.finish(x, B + start * args.brs, args.brs, args.bcs, rows, columns, packs,
                                            [&](T b) { return scaled ? mul(alpha, b) : b; });
                            if (places == 2)
                                copies_done_but<0>();
                            else
                                copies_done_but<2>();
                            __syncthreads(); // all threads' copies have arrived, and the previous chunk has been used
                        }
                        send(next, o, t.across, (place + places - 1 - ahead) & (places - 1));
                        if (ahead == 0) break;
                    }
                    const T *const l = ring + place * chunk_a;
                    const int left = terms - c * KC;
                    if (q == p)
                        safe = convert(l, c, rows, t) && safe;
                    else if (columns > 0)
                        tile.multiply(l, q == p - 1 ? x + c * Chunk::size : xs + place * Chunk::size, t.conj,
                                      left < KC ? left : KC);
                    place = (place + 1) & (places - 1);
                }
            }
            safe = __syncthreads_and(safe);
            if (columns > 0) {
                if (safe)
                    solve(rows, t.back);
                else
                    solve_by_division(start, rows, t);
                __syncwarp();
                store(start, rows);
                __syncwarp();
            }
        }
    }

    __device__ __forceinline__ void run(long long i, int tile, T alpha) {
        const long long first = tile * (threads / 32LL * CW) + threadIdx.x / 32 * CW, left = args.nrhs - first;
        columns = static_cast<int>(left < 0 ? 0 : left < CW ? left : CW);
        A = global(member<T>(args.a, i) + args.a0);
        B = global(member<T>(args.b, i) + args.b0 + first * args.bcs);
        if (is_zero(alpha)) { // A is not read
#pragma unroll 1
            for (long long e = lane; e < static_cast<long long>(args.order) * columns; e += 32)
                B[e % args.order * args.brs + e / args.order * args.bcs] = make<T>(0);
            return;
        }
#pragma unroll 1
        for (int s = 0; s < args.sweeps; ++s) sweep(args.sweep[s], s ? make<T>(1) : alpha);
    }
};

template <typename T>
__device__ __forceinline__ void trsm_strips(const StripsArgs &args) {
    Strips<T> k(args, dynamic_shared());
    T alpha = make<T>(static_cast<Real<T>>(args.alpha_re), static_cast<Real<T>>(args.alpha_im));
    if (args.alpha) alpha = *static_cast<const T *>(args.alpha);
    const long long i = blockIdx.x / args.tiles;
    k.run(i, static_cast<int>(blockIdx.x - i * args.tiles), alpha);
}

} // namespace tephra

#define TEPHRA_TRSM_STRIPS(NAME, T, MIN_BLOCKS)                                                                        \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(128)                                                                                        \
                      .holds(32, StripTile<letter::T>::CW)                                                             \
                      .needs(Strips<letter::T>::bytes, Strips<letter::T>::rows, Count())),                             \
                 __launch_bounds__(128, MIN_BLOCKS), StripsArgs, trsm_strips<letter::T>)
