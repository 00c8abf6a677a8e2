// Block reflectors with any number of reflectors whose triangular factor is given by the caller: D := H D or H^H D with
// H = I - V T V^H. Only larft's T makes H a product of block reflectors of V's panels; with any other T, all of W = V^H
// D must be known before D changes:
//
//   W_j = V_j^H D for all panels j;  X_i = -sum_j op(T)_ij W_j;  D += sum_i V_i X_i
//
// W, which X later overwrites, is in shared memory behind the structure. No workspace is needed.
#pragma once
#include "../common/instance.cuh"
#include "../geqrf/update.cuh"

namespace tephra {

// Uses the tiles of the fused block reflector, panel after panel. D is read once per panel for W and once for the
// update.
template <typename T, int NB, int NT, int W, int U, int G>
struct Given : Update<T, NB, NT, W, U, G, 1, true> {
    using Base = Update<T, NB, NT, W, U, G, 1, true>;
    using Tile = typename Base::Tile;
    static constexpr int size = Base::size, capacity = Base::capacity, team_threads = Base::team_threads;
    static constexpr int groups = team_threads / NB, columns = NT / groups; // of X, per thread
    static_assert(team_threads % NB == 0 && NT % groups == 0);
    // Elements of W, over all teams, from one panel to the next.
    static constexpr int stride = G * size;
    // Shared memory of a block, given the number of V's panels.
    static constexpr size_t bytes(int panels) { return sizeof(Given) + panels * stride * sizeof(T); }

    // Index from which Tile::update reads the element of X at reflector r of a panel and column c.
    static __device__ __forceinline__ int place(int r, int c) {
        if constexpr (Base::tensor) {
            int x = 0;
#pragma unroll
            for (int i = 0; i < 8; ++i)
                if (Tile::second_of(0, i) == r % 8) x = i;
            return (4 * (r / 8) + (x & 1) + c / 8 * 2) * 32 + c % 8 * 4 + (x >> 1);
        } else {
            return r * NT + c;
        }
    }

    // Overwrites a team's W by X, panel by panel, beginning with panels whose W no later one needs. A panel's W is
    // stored by reflector and column, and its X in the order of Tile::update; a team's panels are `stride` apart.
    static __device__ __forceinline__ void expand(T *w, int stride, const T *F, long long ldt, int k, bool adjoint) {
        const int panels = (k + NB - 1) / NB, t = Base::member_of_team(), r = t % NB, c = t / NB;
        for (int step = 0; step < panels; ++step) {
            const int p = adjoint ? panels - 1 - step : step, row = p * NB + r;
            T x[columns];
#pragma unroll
            for (int q = 0; q < columns; ++q) x[q] = make<T>(0);
            for (int from = adjoint ? 0 : p; from <= (adjoint ? p : panels - 1); ++from) {
                const T *y = w + from * stride + c;
                const int first = from * NB, count = k - first < NB ? k - first : NB;
#pragma unroll 4
                for (int l = 0; l < count; ++l) {
                    const int other = first + l;
                    if (row >= k || (adjoint ? other > row : other < row)) continue;
                    const T f = adjoint ? conj(F[row * ldt + other]) : F[other * ldt + row];
#pragma unroll
                    for (int q = 0; q < columns; ++q) x[q] = fma_(f, y[l * NT + q * groups], x[q]);
                }
            }
            Base::sync_team(); // this panel's W has been read
#pragma unroll
            for (int q = 0; q < columns; ++q) w[p * stride + place(r, c + q * groups)] = scale(x[q], Real<T>(-1));
        }
    }

    // Processes G tiles of D from column `column` on.
    __device__ __forceinline__ void run(const LarfbArgs &args, const T *V, const T *F, T *C, long long column, T *w) {
        const int m = static_cast<int>(args.m), k = static_cast<int>(args.k), panels = (k + NB - 1) / NB;
        const long long first = column + Base::team() * NT, left = args.n - first;
        const int cols = static_cast<int>(left < 0 ? 0 : left < NT ? left : NT);
        T(*const part)[size] = this->exchanges[Base::team()].part[0];
        w += Base::team() * size;
        Tile tile;
        tile.arrange(m);

        // Calls f(panel, rows) for every chunk of rows of every panel, with V and D loaded; f may then store D.
        int held = -1; // the panel of V in shared memory, if it is a single chunk
        const auto each = [&](int from, int step, auto f) {
            for (int p = from; 0 <= p && p < panels; p += step) {
                const long long corner = p * NB;
                const int rows_left = m - p * NB, count = k - p * NB < NB ? k - p * NB : NB;
                const T *v_here = V + corner * (args.ldv + 1);
                T *c_here = C + corner * (args.transposed ? args.ldc : 1);
                for (int row = 0; row < rows_left; row += capacity) {
                    const int rows = rows_left - row < capacity ? rows_left - row : capacity;
                    if (held == p)
                        __syncthreads();
                    else
                        this->load_v(tile, v_here, args.ldv, row, rows,
                                     Base::blocks(Base::pieces(rows)) * Base::block_rows, count);
                    held = rows_left <= capacity ? p : -1;
                    Base::load(args, tile, {c_here, args.ldc}, row, first, rows, cols, part[tile.warp]);
                    copies_done();
                    __syncthreads();
                    f(p, c_here, row, rows);
                }
            }
        };
        each(0, 1, [&](int p, T *, int row, int rows) {
            this->dots(tile, part[tile.warp], rows, false, true);
            Base::sync_team();
            for (int e = Base::member_of_team(); e < size; e += team_threads) {
                T sum = part[0][e];
#pragma unroll
                for (int i = 1; i < W; ++i) sum = add(sum, part[i][e]);
                int i, j;
                Tile::decode(e, i, j);
                T &total = w[p * stride + i * NT + j]; // the same thread has it in every chunk
                total = row > 0 ? add(total, sum) : sum;
            }
            Base::sync_team(); // `part` becomes the stage again
        });
        expand(w, stride, F, args.ldt, k, args.adjoint);
        each(panels - 1, -1, [&](int p, T *c_here, int row, int rows) {
            const T *x = w + p * stride;
            Base::with_blocks(rows, tile, [&](auto blocks) {
                if constexpr (Base::tensor)
                    tile.template update<blocks.value, 1>(this->v, reinterpret_cast<const T(*)[size]>(x));
                else
                    tile.template update<blocks.value>(this->v, x);
            });
            Base::store(args, tile, c_here, row, first, rows, cols, part[tile.warp]);
        });
        __syncthreads(); // the next run's W overwrites X
    }
};

template <typename T, int NB, int NT, int W, int U, int G>
__device__ __forceinline__ void larfb_given(const LarfbArgs &args) {
    using K = Given<T, NB, NT, W, U, G>;
    TEPHRA_DYNAMIC_SHARED(raw);
    K &k = *reinterpret_cast<K *>(raw);
    T *const w = reinterpret_cast<T *>(raw + sizeof(K));
    const long long rounds = (args.n + K::Base::round - 1) / K::Base::round;
    for (long long job = blockIdx.x; job < args.batch * rounds; job += gridDim.x) {
        const long long i = job / rounds;
        k.run(args, member<T>(args.v, i) + args.v0, member<T>(args.t, i) + args.t0, member<T>(args.c, i) + args.c0,
              job % rounds * K::Base::round, w);
    }
}

// The same for more reflectors than shared memory has room for in W of a tile: one block per column of D, with only
// that column's W (k elements) in shared memory.
template <typename T>
constexpr size_t larfb_columns_bytes(int k) {
    return k * sizeof(T);
}
template <typename T, int THREADS>
__device__ __forceinline__ void larfb_columns(const LarfbArgs &args) {
    TEPHRA_DYNAMIC_SHARED(raw);
    T *const w = reinterpret_cast<T *>(raw);
    constexpr int warps = THREADS / 32;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    const long long m = args.m, k = args.k, ldv = args.ldv, ldt = args.ldt;
    for (long long job = blockIdx.x; job < args.batch * args.n; job += gridDim.x) {
        const long long i = job / args.n, j = job % args.n;
        const T *V = member<T>(args.v, i) + args.v0, *F = member<T>(args.t, i) + args.t0;
        T *const C = member<T>(args.c, i) + args.c0 + j * (args.transposed ? 1 : args.ldc);
        const long long step = args.transposed ? args.ldc : 1;
        const auto as_d = [&](T x) { return args.conjugate ? conj(x) : x; };
        for (long long l = warp; l < k; l += warps) {
            T sum = lane == 0 ? as_d(C[l * step]) : make<T>(0);
            for (long long r = l + 1 + lane; r < m; r += 32) sum = cfma_(V[l * ldv + r], as_d(C[r * step]), sum);
            sum = lanes_sum<32>(sum);
            if (lane == 0) w[l] = sum;
        }
        __syncthreads();
        // X overwrites W, beginning with rows that no later one needs.
        if (args.adjoint) {
            for (long long last = k - 1; last >= 0; last -= warps) {
                const long long row = last - warp;
                T sum = make<T>(0);
                for (long long l = lane; l <= row; l += 32) sum = cfma_(F[row * ldt + l], w[l], sum);
                sum = lanes_sum<32>(sum);
                __syncthreads();
                if (row >= 0 && lane == 0) w[row] = sum;
                __syncthreads();
            }
        } else {
            for (long long first = 0; first < k; first += THREADS) {
                const long long row = first + t;
                T sum = make<T>(0);
                for (long long l = row; l < k; ++l) sum = fma_(F[l * ldt + row], w[l], sum);
                __syncthreads();
                if (row < k) w[row] = sum;
                __syncthreads();
            }
        }
        for (long long r = t; r < m; r += THREADS) {
            T x = as_d(C[r * step]);
            for (long long l = 0; l < r && l < k; ++l) x = fnma_(V[l * ldv + r], w[l], x);
            if (r < k) x = add(x, scale(w[r], Real<T>(-1)));
            C[r * step] = as_d(x);
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_LARFB_COLUMNS(NAME, T, THREADS)                                                                         \
    TEPHRA_ENTRY(NAME, Instance(THREADS).needs(larfb_columns_bytes<letter::T>, Count()), __launch_bounds__(THREADS),   \
                 LarfbArgs, larfb_columns<letter::T, THREADS>)

#define TEPHRA_LARFB_GIVEN(NAME, T, NB, NT, W, U, G, MIN_BLOCKS)                                                       \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * W * G)                                                                                 \
                      .applies<Given<letter::T, NB, NT, W, U, G>>(NB, NT, G)                                           \
                      .needs(Given<letter::T, NB, NT, W, U, G>::bytes, Count{NB})                                      \
                      .at_once(MIN_BLOCKS)),                                                                           \
                 __launch_bounds__(32 * W * G, MIN_BLOCKS), LarfbArgs, larfb_given<letter::T, NB, NT, W, U, G>)
