// Left-looking LU of a matrix of up to 144 rows, by strips of 16 columns.
//
// L stays in shared memory, without the part above its panels; U is stored with its strip. A strip is loaded into
// registers in the current order of its rows, is updated with all earlier panels (on the tensor instruction in double
// precision), and is factored with one row per thread and one barrier per column. The rows of L are exchanged after
// each strip.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "args.cuh"
#include "pivot.cuh"
#include "row_tile.cuh"
#include <type_traits>

namespace tephra {

// One row per thread, in as many warps as the rows need. G: steps that share code. ROWS: the most rows.
template <typename T, int G, int ROWS = 128>
struct LeftLookingLu {
    using R = Real<T>;
    static constexpr int S = 16, V = Pack<T>::size; // columns of a strip; elements in 16 bytes
    static constexpr bool tensor = sizeof(R) == 8;
    // Padding between columns in shared memory, so that four adjacent ones fall in different banks.
    static constexpr int gap = sizeof(T) == 16 ? 2 : 4;
    static constexpr int most = (ROWS + 31) / 32; // warps
    static constexpr int fours = (most + 3) / 4;  // accesses that read the keys of all warps
    static_assert(S % G == 0, "whole groups of steps");
    // Bits of a row's number in an entry of Exchange::pivot.
    static constexpr int bits = ROWS > 128 ? 8 : 7, rows_mask = (1 << bits) - 1;

    // A warp's candidate for the pivot: its row from the step's column on.
    struct Offer {
        alignas(16) T u[S];
        struct alignas(16) Head {
            T reciprocal;
            int id;      // position << 16 | row of the strip, as loaded
            int unusual; // USUAL, ODD or ZERO
        } head;
    };
    static constexpr int USUAL = 0, ODD = 1, ZERO = 2;
    struct Exchange {
        alignas(16) int key[2][4 * fours]; // high words of the candidates' sizes; 0: no candidate
        // For each step: whether its pivot is zero, its row's previous position, and its row of the strip, from the
        // highest bits down
        alignas(16) std::conditional_t<(bits > 7), unsigned, unsigned short> pivot[S];
    };

    // In shared memory, in this order. offers: of all warps, for two alternating steps. places: where each row of the
    // strip goes.
    Exchange &exchange;
    Offer *offers;
    unsigned char *places;
    T *strip, *panels;
    int *ipiv; // null: no interchanges
    int i, lane, w, warps, m, n, steps, rows, apart;
    int in_place;       // the last panel, if it stays in the strip because none follows; else -1
    int first_zero = 0; // counted from 1

    __device__ __forceinline__ LeftLookingLu(int m_, int n_, int *ipiv_, void *shared)
        : exchange(*static_cast<Exchange *>(shared)), ipiv(ipiv_), m(m_), n(n_) {
        i = threadIdx.x, lane = threadIdx.x % 32;
        // The shuffle tells the compiler that a warp's lanes stay together in branches on w.
        w = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0), warps = warps_of(m);
        steps = m < n ? m : n, rows = padded(m), apart = rows + gap;
        in_place = panels_of(steps) == panels_of(n) ? panels_of(n) - 1 : -1;
        offers = reinterpret_cast<Offer *>(static_cast<Exchange *>(shared) + 1);
        places = reinterpret_cast<unsigned char *>(offers + 2 * warps);
        strip = reinterpret_cast<T *>(places + 32 * warps);
        panels = strip + S * apart;
    }
    static constexpr __host__ __device__ int warps_of(int m) { return (m + 31) / 32; }
    static constexpr __host__ __device__ int padded(int m) { return (m + 7) / 8 * 8; }
    static constexpr __host__ __device__ int panels_of(int columns) { return (columns + S - 1) / S; }
    // Elements of the panels before panel p.
    static constexpr __host__ __device__ int before(int p, int apart) {
        return S * p * apart - S * S / 2 * p * (p - 1);
    }
    // Shared memory of a block in bytes, for rows in units of eight, the number of panels that others follow, and
    // warps.
    static constexpr size_t bytes(int eights, int panels, int warps) {
        const int apart = 8 * eights + gap;
        return sizeof(Exchange) + warps * (2 * sizeof(Offer) + 32) + (S * apart + before(panels, apart)) * sizeof(T);
    }
    // What plans need to know. Where columns follow the last panel, all panels stay: plans count at most S columns more
    // than rows.
    static constexpr Instance about() {
        Instance with = Instance(32 * most).holds(ROWS, ROWS).by_warps(most);
        with.tile = S;
        return with.needs(bytes, Count{8}, Count{S, S}, Count{32});
    }
    // Panel p: element (row, k) is at [k * apart_of(p) + row - S p].
    __device__ __forceinline__ T *panel(int p) const {
        return p == in_place ? strip + S * p : panels + before(p, apart);
    }
    __device__ __forceinline__ int apart_of(int p) const { return p == in_place ? apart : apart - S * p; }

    // ---- Update of the strip with earlier panels. Warp w has rows 32 w .. 32 w + 31.

    // Solves with panel p's unit triangle for rows S p .. S p + S - 1 of the strip, a column in each lane.
    __device__ __forceinline__ void solve(int p) {
        __syncwarp();
        if (lane < S) {
            T *const x_at = strip + lane * apart + S * p;
            const T *l_at = panel(p);
            const bool whole = S * p + S <= rows;
            T x[S];
#pragma unroll
            for (int k = 0; k < S; k += V) {
                const Pack<T> pack = *reinterpret_cast<const Pack<T> *>(x_at + (whole || k < S / 2 ? k : 0));
#pragma unroll
                for (int v = 0; v < V; ++v) x[k + v] = pack.x[v];
            }
#pragma unroll
            for (int k = 0; k < S - 1; ++k, l_at += apart_of(p))
#pragma unroll
                for (int e = (k + 1) / V * V; e < S; e += V) {
                    const Pack<T> l = *reinterpret_cast<const Pack<T> *>(l_at + (whole || e < S / 2 ? e : 0));
#pragma unroll
                    for (int v = 0; v < V; ++v)
                        if (e + v > k) x[e + v] = fnma_(l.x[v], x[k], x[e + v]);
                }
#pragma unroll
            for (int k = 0; k < S; k += V)
                if (whole || k < S / 2) {
                    Pack<T> pack;
#pragma unroll
                    for (int v = 0; v < V; ++v) pack.x[v] = x[k + v];
                    *reinterpret_cast<Pack<T> *>(x_at + k) = pack;
                }
        }
        __syncwarp();
    }
    // Updates with panels 0 .. count - 1.
    __device__ __forceinline__ void look_left(int count) {
        if constexpr (tensor)
            look_left_tensor(count);
        else
            look_left_tiles(count);
    }

    // Tile t of the warp: lane 4 g + q has columns g and g + 8, rows 32 w + 8 t + 2 q + {0, 1}.
    struct Tiles {
        double re[4][4];
        double im[is_complex<T> ? 4 : 1][4];

        __device__ __forceinline__ void set(int t, int e, T x) {
            re[t][e] = tephra::re(x);
            if constexpr (is_complex<T>) im[t][e] = x.y;
        }
        __device__ __forceinline__ T get(int t, int e) const {
            if constexpr (is_complex<T>)
                return {re[t][e], im[t][e]};
            else
                return re[t][e];
        }
    };
    struct alignas(sizeof(T) < 16 ? 2 * sizeof(T) : 16) Two {
        T x[2];
    };
    __device__ __forceinline__ Two *two(int t) const {
        return reinterpret_cast<Two *>(strip + lane / 4 * apart + 32 * w + 8 * t + lane % 4 * 2);
    }
    __device__ __forceinline__ void put(const Tiles &of, int t) const {
        Two *const to = two(t);
        *to = {of.get(t, 0), of.get(t, 1)};
        to[4 * apart] = {of.get(t, 2), of.get(t, 3)};
    }
    __device__ __forceinline__ void look_left_tensor(int count) {
        const int g = lane / 4, q = lane % 4;
        Tiles x;
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            Two a = {}, b = {};
            if (32 * w + 8 * t < rows) a = *two(t), b = two(t)[4 * apart];
            x.set(t, 0, a.x[0]), x.set(t, 1, a.x[1]), x.set(t, 2, b.x[0]), x.set(t, 3, b.x[1]);
        }
#pragma unroll 1
        for (int p = 0; p < count; ++p) {
            if (p / 2 == w) {
#pragma unroll
                for (int t = 0; t < 4; ++t)
                    if (t / 2 == (p & 1) && 32 * w + 8 * t < rows) put(x, t);
                solve(p);
            }
            __syncthreads();
            const int begin = S * (p + 1) - 32 * w, end = rows - 32 * w; // range of the warp's rows below panel p
            if (begin < 32 && end > begin) {
                const T *u_at = strip + g * apart + S * p + q;
                const T *l_at = panel(p) + q * apart_of(p) + 32 * w + g - S * p;
#pragma unroll
                for (int k = 0; k < S; k += 4, l_at += 4 * apart_of(p)) {
                    const T u0 = u_at[k], u1 = u_at[k + 8 * apart];
#pragma unroll
                    for (int t = 0; t < 4; ++t)
                        if (8 * t >= begin && 8 * t < end) {
                            const T l = l_at[8 * t];
                            mma_f64(x.re[t], -re(u0), -re(u1), re(l));
                            if constexpr (is_complex<T>) {
                                mma_f64(x.im[t], -u0.y, -u1.y, l.x);
                                mma_f64(x.re[t], u0.y, u1.y, l.y);
                                mma_f64(x.im[t], -u0.x, -u1.x, l.y);
                            }
                        }
                }
            }
        }
#pragma unroll
        for (int t = 0; t < 4; ++t)
            if (32 * w + 8 * t >= S * count && 32 * w + 8 * t < rows) put(x, t);
        __syncwarp();
    }

    // Lane g + 8 y has rows 32 w + 16 h + 2 g + {0, 1} and columns 4 y .. 4 y + 3.
    __device__ __forceinline__ void look_left_tiles(int count) {
        const int g = lane % 8, y = lane / 8;
        T x[2][2][4];
        T *const at = strip + 4 * y * apart + 32 * w + 2 * g;
        const auto there = [&](int h) { return 32 * w + 16 * h + 2 * g < rows; };
        const auto put = [&](int h) {
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if (there(h)) *reinterpret_cast<Two *>(at + c * apart + 16 * h) = {x[h][0][c], x[h][1][c]};
        };
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                Two a = {};
                if (there(h)) a = *reinterpret_cast<const Two *>(at + c * apart + 16 * h);
                x[h][0][c] = a.x[0], x[h][1][c] = a.x[1];
            }
#pragma unroll 1
        for (int p = 0; p < count; ++p) {
            if (p / 2 == w) {
                if (p & 1)
                    put(1);
                else
                    put(0);
                solve(p);
            }
            __syncthreads();
            const int begin = S * (p + 1) - 32 * w, end = rows - 32 * w;
            if (begin < 32 && end > begin) {
                const T *u_at = strip + 4 * y * apart + S * p;
                const T *l_at = panel(p) + 32 * w + 2 * g - S * p;
#pragma unroll
                for (int k = 0; k < S; k += V) {
                    Pack<T> u[4];
#pragma unroll
                    for (int c = 0; c < 4; ++c) u[c] = *reinterpret_cast<const Pack<T> *>(u_at + c * apart + k);
#pragma unroll
                    for (int v = 0; v < V; ++v, l_at += apart_of(p))
#pragma unroll
                        for (int h = 0; h < 2; ++h)
                            if (16 * h >= begin && 16 * h < end) {
                                // Lanes beyond the last row read the first row of their block.
                                const Two l = *reinterpret_cast<const Two *>(l_at + 16 * h - (there(h) ? 0 : 2 * g));
#pragma unroll
                                for (int c = 0; c < 4; ++c) {
                                    x[h][0][c] = fnma_(l.x[0], u[c].x[v], x[h][0][c]);
                                    x[h][1][c] = fnma_(l.x[1], u[c].x[v], x[h][1][c]);
                                }
                            }
                }
            }
        }
#pragma unroll
        for (int h = 0; h < 2; ++h)
            if (32 * w + 16 * h >= S * count) put(h);
        __syncwarp();
    }

    // ---- The strip's own steps.

    // Waits until a step's offers are visible. Warps without rows in the strip take part, because racecheck only
    // follows barriers of the whole block.
    static __device__ __forceinline__ void meet(bool alone) {
        if (alone)
            __syncwarp();
        else
            __syncthreads();
    }
    // Steps J .. J + G - 1. a[0] is in the step's column; the columns move up by one in each step.
    template <bool SEARCH, int J>
    __device__ __forceinline__ void walk(T (&a)[S], int s, bool alone, int &place) {
        constexpr int width = S - J, packs = (width + V - 1) / V;
        const int first = S * s;
        T *l_to = panel(s) + J * apart_of(s) + i - first;
#pragma unroll 1
        for (int j = J; j < J + G && first + j < steps; ++j, l_to += apart_of(s)) {
            const int k = first + j, turn = j & 1;
            Divisor<T> by = Divisor<T>::of_usual(a[0]);
            bool wins;
            if constexpr (SEARCH) {
                const bool live = place >= k && i < m;
                Size<R> size = pivot_size(a[0]);
                if (!live) size = Size<R>::none();
                const unsigned highest = __reduce_max_sync(0xffffffffu, size.high);
                const unsigned who = __ballot_sync(0xffffffffu, size.high == highest);
                wins = who >> lane & 1;
                if (who & (who - 1)) {
                    Candidate<R> mine;
                    mine.size = size, mine.id = live ? static_cast<unsigned>(place << 16 | i) : 0xffffffffu;
                    wins = mine.template best<32>().id == mine.id && live;
                }
                if (lane == 0) exchange.key[turn][w] = static_cast<int>(highest);
            } else {
                wins = i == k;
            }
            if (SEARCH || w == k / 32) {
                const bool odd = !is_usual(a[0]);
                if (__any_sync(0xffffffffu, wins && odd)) by = Divisor<T>(is_zero(a[0]) ? make<T>(1) : a[0]);
                Offer &mine = offers[turn * warps + w];
                if (wins) {
#pragma unroll
                    for (int e = 0; e < packs; ++e) {
                        Pack<T> pack;
#pragma unroll
                        for (int v = 0; v < V; ++v) pack.x[v] = a[e * V + v < S ? e * V + v : 0];
                        reinterpret_cast<Pack<T> *>(mine.u)[e] = pack;
                    }
                    mine.head = {by.reciprocal, place << 16 | i, odd ? is_zero(a[0]) ? ZERO : ODD : USUAL};
                }
            }
            meet(alone);
            int from = k / 32;
            if constexpr (SEARCH) {
                int4 keys[fours];
                int largest = 0, count = 0;
#pragma unroll
                for (int f = 0; f < fours; ++f) {
                    const int4 key = keys[f] = reinterpret_cast<const int4 *>(exchange.key[turn])[f];
                    const int largest_of_four = max(max(key.x, key.y), max(key.z, key.w));
                    largest = f == 0 ? largest_of_four : max(largest, largest_of_four);
                }
#pragma unroll
                for (int f = fours - 1; f >= 0; --f) {
                    const int4 key = keys[f];
                    count += (key.x == largest) + (key.y == largest) + (key.z == largest) + (key.w == largest);
                    const int last = f == fours - 1 ? 4 * f + 3 : key.w == largest ? 4 * f + 3 : from;
                    from = key.x == largest   ? 4 * f
                           : key.y == largest ? 4 * f + 1
                           : key.z == largest ? 4 * f + 2
                                              : last;
                }
                if (count > 1) {
                    Candidate<R> best = Candidate<R>::none();
#pragma unroll 1
                    for (int other = from; other < warps; ++other) {
                        if (exchange.key[turn][other] != largest) continue;
                        const Offer &offer = offers[turn * warps + other];
                        Candidate<R> its;
                        its.size = pivot_size(offer.u[0]), its.id = offer.head.id;
                        best.take(its);
                        if (best.id == its.id) from = other;
                    }
                }
            }
            const Offer &pivot = offers[turn * warps + from];
            const typename Offer::Head head = pivot.head;
            const int source = head.id & 0xffff, its = head.id >> 16;
            T u[packs * V];
#pragma unroll
            for (int e = 0; e < packs; ++e) {
                const Pack<T> pack = reinterpret_cast<const Pack<T> *>(pivot.u)[e];
#pragma unroll
                for (int v = 0; v < V; ++v) u[e * V + v] = pack.x[v];
            }
            if constexpr (SEARCH) {
                if (place == k) place = its;
                if (i == source) place = k;
            }
            if (i == source) exchange.pivot[j] = (head.unusual & ZERO) << (2 * bits - 1) | its << bits | source;
            if (head.unusual == ODD) a[0] = scale(a[0], Divisor<T>(u[0]).lift);
            const T l = mul(a[0], head.reciprocal);
            if (place > k && i < rows) *l_to = l;
            if (w == from && lane < S - j) panel(s)[(j + lane) * apart_of(s) + source - first] = pivot.u[lane];
#pragma unroll
            for (int c = 1; c < width; ++c) a[c - 1] = fnma_(l, u[c], a[c]);
        }
        if constexpr (J + G < S) walk<SEARCH, J + G>(a, s, alone, place);
    }
    // Factors strip s, by the warps that have rows from S s on; the others take part in the block's barriers, one per
    // step.
    template <bool SEARCH>
    __device__ __forceinline__ void factor(int s) {
        int place = i;
        const int first_warp = S * s / 32;
        const bool alone = first_warp + 1 == warps; // the strip's last warp needs no other
        if (w >= first_warp) {
            T a[S];
            // Lanes beyond the matrix read a row of their own warp, which no other warp is writing.
            const T *from = strip + (i < rows ? i : 32 * w);
#pragma unroll
            for (int c = 0; c < S; ++c) a[c] = from[c * apart];
            // Rows of earlier panels, and those beyond the matrix, are never candidates or below a pivot.
            walk<SEARCH, 0>(a, s, alone, place);
        } else if (!alone) {
#pragma unroll 1
            for (int j = 0; j < S && S * s + j < steps; ++j) meet(alone);
        }
        if (SEARCH) places[i] = static_cast<unsigned char>(place);
    }

    // ---- Loads and stores.

    __device__ __forceinline__ void load(T (&a)[S], const T *A, long long lda, int first) const {
        const T *p = A + i + first * lda;
#pragma unroll
        for (int c = 0; c < S; ++c, p += lda) a[c] = i < m && first + c < n ? *p : make<T>(0);
    }
    // Applies strip s's interchanges to the columns of L so far, and stores the strip's diagonal block, which is final.
    __device__ __forceinline__ void settle(int s, T *A, long long lda) {
        const int first = S * s, count = steps - first < S ? steps - first : S;
        const bool of_pivot = lane >= S && lane - S < count;
        const int pivot = of_pivot ? exchange.pivot[lane - S] : 0;
        const unsigned zeros = __ballot_sync(0xffffffffu, pivot >> 2 * bits) >> S;
        if (zeros && first_zero == 0) first_zero = first + __ffs(zeros);
        int from = 0, to = 0;
        bool moves = false;
        if (ipiv) {
            if (of_pivot) {
                from = pivot & rows_mask, to = first + lane - S;
                moves = from >= first + S;
                if (w == 0) ipiv[to] = (pivot >> bits & rows_mask) + 1;
            } else if (lane < S) {
                from = first + lane;
                to = from < rows ? places[from] : from;
                moves = from != to;
            }
        }
        const bool any = __any_sync(0xffffffffu, moves);
#pragma unroll 1
        for (int k = (any ? 0 : first) + w; k < first + S; k += warps) {
            const int q = k / S;
            T *const column = panel(q) + (k - q * S) * apart_of(q) - q * S;
            if (any) {
                T x = make<T>(0);
                if (moves) x = column[from];
                __syncwarp();
                if (moves) column[to] = x;
                __syncwarp();
            }
            if (q == s && lane < S && first + lane < m && k < n) A[first + lane + k * lda] = column[first + lane];
        }
    }
    __device__ __forceinline__ void store_above(int first, T *A, long long lda) const {
        const int end = first < m ? first : m;
#pragma unroll 1
        for (int c = w; c < S && first + c < n; c += warps)
#pragma unroll
            for (int r = 0; r < most; ++r)
                if (32 * r + lane < end) A[32 * r + lane + (first + c) * lda] = strip[c * apart + 32 * r + lane];
    }
    __device__ __forceinline__ void store_below(T *A, long long lda) const {
        __syncwarp(); // each warp stores the columns that it has settled
#pragma unroll 1
        for (int k = w; k < steps; k += warps) {
            const int q = k / S;
            const T *const column = panel(q) + (k - q * S) * apart_of(q) - q * S;
#pragma unroll
            for (int r = 0; r < most; ++r) {
                const int row = 32 * r + lane;
                if (row >= S * (q + 1) && row < m) A[row + k * lda] = column[row];
            }
        }
    }

    __device__ __forceinline__ void run(T *A, long long lda) {
        T next[S];
        int position = i; // of the row that this thread loads
        load(next, A, lda, 0);
#pragma unroll 1
        for (int s = 0; S * s < n; ++s) {
            const int first = S * s, panels = (first < steps ? first : steps + S - 1) / S;
            if (i < 8 * fours) exchange.key[i / (4 * fours)][i % (4 * fours)] = 0;
            if (i < rows) {
                T *const to = strip + position;
#pragma unroll
                for (int c = 0; c < S; ++c) to[c * apart] = next[c];
            }
            __syncthreads();
            look_left(panels);
            if (first < steps) {
                if (ipiv)
                    factor<true>(s);
                else
                    factor<false>(s);
            }
            __syncthreads();
            load(next, A, lda, first + S);
            if (first < steps) {
                if (ipiv && i < rows) position = places[position];
                settle(s, A, lda);
            }
            store_above(first, A, lda);
            __syncthreads();
        }
        store_below(A, lda);
    }
};

template <typename T, int G, int ROWS>
__device__ __forceinline__ void getrf_left_looking(const GetrfArgs &args) {
    const long long i = blockIdx.x;
    LeftLookingLu<T, G, ROWS> lu(args.m, args.n, args.pivots() ? args.interchanges(i) : nullptr, dynamic_shared());
    lu.run(args.matrix<T>(i), args.lda);
    if (threadIdx.x == 0) args.set_info(i, lu.first_zero);
}

} // namespace tephra

// Launched with a thread for each row, in whole warps.
#define TEPHRA_GETRF_LEFT_LOOKING(NAME, T, G, ROWS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, (LeftLookingLu<letter::T, G, ROWS>::about()),                                                   \
                 __launch_bounds__((LeftLookingLu<letter::T, G, ROWS>::most * 32), MIN_BLOCKS), GetrfArgs,             \
                 getrf_left_looking<letter::T, G, ROWS>)
