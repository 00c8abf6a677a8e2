// The inverse from LU factors, in place, in the registers of a grid of lanes.
//
// Gauss-Jordan elimination without the work that LU has already done. Before step k, the leading k x k block is the
// inverse of the leading factors' product, the rows to its right are U11^-1 U12, those below are -L21 L11^-1, and the
// trailing block still holds L and U. A step subtracts the product of its column and its row everywhere except in the
// trailing block, which makes two thirds of n^3 multiplications in all. The grid grows with the order; the number of a
// lane's registers is the same for all orders.
#pragma once
#include "nan.cuh"
#include "permutation.cuh"
#include "row_tile.cuh"

namespace tephra {

// InverseArgs, and the number of lanes in a column of the grid.
struct GridInverseArgs {
    Operand a, c, ipiv;
    int *info;
    long long lda, ldc, batch;
    int n, lanes;
};

// Lane (x, y) of pr x pc has rows x + pr r, r < RPT, and columns y + pc c, c < CPT; pr is at most PR. ONES: U has a
// unit diagonal, too.
template <typename T, int RPT, int CPT, int PR, bool ONES = false>
struct GridInverse {
    static constexpr int V = Pack<T>::size, bodies = RPT > CPT ? RPT : CPT, PC = PR * RPT / CPT;
    static constexpr int row_packs = (RPT + V - 1) / V, column_packs = (CPT + V - 1) / V;
    static constexpr int threads = (PR * PC + 31) / 32 * 32, most = PR * RPT;
    static_assert(RPT % CPT == 0 || CPT % RPT == 0, "registers' rows and columns change together");

    // Matrices per block, if a matrix has pr rows of lanes.
    static constexpr __host__ __device__ int together(int pr) {
        const int lanes = pr * (pr * RPT / CPT), warp = lanes > 32 ? 1 : 32 / lanes;
        return warp < PR / pr ? warp : PR / pr;
    }
    // Room for a matrix's row origins, in whole warps.
    static constexpr __host__ __device__ int origins(int n) { return (n + 31) / 32 * 32; }
    static constexpr __host__ __device__ int all_origins() {
        int room = 0;
        for (int pr = 1; pr <= PR; ++pr)
            if (const int all = together(pr) * origins(pr * RPT); all > room) room = all;
        return room;
    }

    // What plans need to know: square grids of lanes, whose size the launch chooses.
    static constexpr Instance about() {
        Instance with = Instance(threads).holds(most, most);
        with.tile = CPT;
        int side = 0;
        for (int &matrices : with.grids)
            if (++side <= PR) matrices = together(side);
        return with;
    }

    struct Shared {
        // Odd numbers of packs avoid bank conflicts. Two buffers alternate between steps.
        Pack<T> columns[2][PR][row_packs | 1], rows[2][PC][column_packs | 1];
        T reciprocals[most];                  // of U's diagonal
        int firsts[threads / 32];             // each warp's first zero on the diagonal
        unsigned short origin[all_origins()]; // of rows
    };

    T a[RPT][CPT];
    Shared &shared;
    int n, pr, pc, group, lr, lc; // group: number of steps that use the same registers
    Pack<T> *column, *row;        // this lane's, for even steps

    __device__ __forceinline__ explicit GridInverse(Shared &all) : shared(all) {}

    __device__ __forceinline__ void sync() const {
        if (blockDim.x == 32)
            __syncwarp();
        else
            __syncthreads();
    }

    template <int COUNT, typename Element>
    static __device__ __forceinline__ void send(bool mine, Pack<T> *to, Element element) {
#pragma unroll
        for (int p = 0; p * V < COUNT; ++p) {
            Pack<T> pack;
#pragma unroll
            for (int v = 0; v < V; ++v) pack.x[v] = p * V + v < COUNT ? element(p * V + v) : make<T>(0);
            store_if(mine, to + p, pack);
        }
    }
    template <int COUNT>
    static __device__ __forceinline__ void receive(const Pack<T> *from, T (&x)[COUNT]) {
#pragma unroll
        for (int p = 0; p * V < COUNT; ++p) {
            const Pack<T> pack = from[p];
#pragma unroll
            for (int v = 0; v < V; ++v)
                if (p * V + v < COUNT) x[p * V + v] = pack.x[v];
        }
    }
    template <int c>
    __device__ __forceinline__ void send_column(int k, int kc) {
        send<RPT>(lc == kc, column + (k & 1) * (PR * (row_packs | 1)), [&](int i) { return a[i][c]; });
    }
    template <int r>
    __device__ __forceinline__ void send_row(int k, int kr) {
        send<CPT>(lr == kr, row + (k & 1) * (PC * (column_packs | 1)), [&](int i) { return a[r][i]; });
    }

    // Step k, whose row and column are in row kr and column kc of the grid of lanes.
    template <int R, int C>
    __device__ __forceinline__ void step(int k, int kr, int kc, const T *reciprocals) {
        T l[RPT], u[CPT];
        sync();
        receive(column + (k & 1) * (PR * (row_packs | 1)), l);
        receive(row + (k & 1) * (PC * (column_packs | 1)), u);
        const T by = ONES ? make<T>(1) : reciprocals[k], zero = make<T>(0);
        const bool below = lr > kr, right = lc > kc, in_row = lr == kr, in_column = lc == kc;
        // Lets the update below produce the step's own row and column, too.
#pragma unroll
        for (int r = 0; r <= R; ++r) {
            const T divided = ONES ? l[r] : mul(l[r], by);
            l[r] = r < R ? divided : in_row ? scale(by, -1) : below ? l[r] : divided;
        }
        u[C] = in_column ? make<T>(1) : u[C];
#pragma unroll
        for (int c = 0; c < CPT; ++c) a[R][c] = in_row ? zero : a[R][c];
#pragma unroll
        for (int r = 0; r < RPT; ++r) a[r][C] = in_column ? zero : a[r][C];
        const T left_u = right ? zero : u[C], upper_l = below ? zero : l[R], corner_u = below ? left_u : u[C];
        const auto update = [&](int r, int c) {
            const T x = r == R && c > C ? upper_l : l[r], y = c != C || r < R ? u[c] : r > R ? left_u : corner_u;
            if (r <= R || c <= C) a[r][c] = fnma_(x, y, a[r][c]);
        };
#pragma unroll
        for (int r = 0; r < RPT; ++r) update(r, C);
        send_column<C>(k + 1, kc + 1);
#pragma unroll
        for (int c = 0; c < CPT; ++c)
            if (c != C) update(R, c);
        send_row<R>(k + 1, kr + 1);
#pragma unroll
        for (int r = 0; r < RPT; ++r)
#pragma unroll
            for (int c = 0; c < CPT; ++c)
                if (r != R && c != C) update(r, c);
    }
    template <int b = 0>
    __device__ __forceinline__ void steps(const T *reciprocals) {
        if constexpr (b < bodies) {
            constexpr int R = b * RPT / bodies, C = b * CPT / bodies;
            const int begin = b * group, kr = begin - R * pr, kc = begin - C * pc;
            if (begin >= n) return;
            send_column<C>(begin, kc);
            send_row<R>(begin, kr);
#pragma unroll 1
            for (int s = 0; s < group; ++s) step<R, C>(begin + s, kr + s, kc + s, reciprocals);
            steps<b + 1>(reciprocals);
        }
    }

    // Elements beyond the matrix are those of the identity, so that their steps change nothing.
    __device__ __forceinline__ void load(const T *A, long long lda) {
        const T *from = A + lr + lc * lda;
#pragma unroll
        for (int c = 0; c < CPT; ++c, from += pc * lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const int i = lr + r * pr, j = lc + c * pc;
                a[r][c] = i < n && j < n ? from[r * pr] : make<T>(i == j ? 1 : 0);
            }
    }
    __device__ __forceinline__ void store(T *C, long long ldc, const unsigned short *origin) const {
        C += lr;
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int j = lc + c * pc;
            if (j >= n) continue;
            T *const to = C + (origin ? origin[j] : j) * ldc;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (lr + r * pr < n) to[r * pr] = a[r][c];
        }
    }

    // The block's matrix that this thread works on, if any, and the thread's index within it.
    struct Mine {
        int mats, mat, lanes, within;
        long long first, i; // the block's first matrix, and this one
        bool live;
    };
    __device__ __forceinline__ Mine take(int order, int rows_of_lanes, long long batch) {
        n = order, pr = rows_of_lanes, pc = pr * RPT / CPT, group = pr < pc ? pr : pc;
        Mine mine;
        mine.lanes = pr * pc, mine.mats = together(pr), mine.mat = threadIdx.x / mine.lanes;
        mine.within = threadIdx.x - mine.mat * mine.lanes;
        mine.first = static_cast<long long>(blockIdx.x) * mine.mats, mine.i = mine.first + mine.mat;
        mine.live = mine.mat < mine.mats && mine.i < batch;
        column = row = shared.columns[0][0];
        row = shared.rows[0][0];
        lr = lc = 1 << 20;
        if (mine.live) {
            lr = mine.within % pr, lc = mine.within / pr;
            column = shared.columns[0][mine.mat * pr + lr], row = shared.rows[0][mine.mat * pc + lc];
        }
        return mine;
    }
    __device__ __forceinline__ T *reciprocals_of(const Mine &mine) const {
        return shared.reciprocals + (mine.live ? mine.mat * (pr * RPT) : 0);
    }
    // Computes the reciprocals of the diagonal, by the matrix's lanes. Returns the first zero that this lane finds, or
    // n.
    __device__ __forceinline__ int divide(const Mine &mine, const T *A, long long lda, T *reciprocals) const {
        int zero = n;
        for (int k = mine.within; k < pr * RPT; k += mine.lanes) {
            const T x = k < n ? A[k * (lda + 1)] : make<T>(1);
            const bool none = is_zero(x);
            if (none && k < zero) zero = k;
            const Divisor<T> by(none ? make<T>(1) : x);
            reciprocals[k] = scale(by.reciprocal, by.lift);
        }
        return zero;
    }
    // The first zero of this thread's matrix that threads of its warp have found. Calls `each` for every matrix of the
    // block on the way.
    template <typename Each>
    __device__ __forceinline__ int first_in_warp(const Mine &mine, int zero, Each each) const {
#pragma unroll 1
        for (int m = 0; m < mine.mats; ++m) {
            const bool own = mine.mats == 1 || m == mine.mat;
            const int least = static_cast<int>(__reduce_min_sync(0xffffffffu, own ? zero : n));
            if (own) zero = least;
            each(m);
        }
        return zero;
    }

    __device__ __forceinline__ void run(const GridInverseArgs &args) {
        const int lane = threadIdx.x % 32, w = threadIdx.x / 32, warps = blockDim.x / 32;
        const Mine mine = take(args.n, args.lanes, args.batch);
        T *const reciprocals = reciprocals_of(mine);
        const T *const A = mine.live ? member<T>(args.a, mine.i) : nullptr;
        const int room = origins(n);
        int zero = n;
        if (mine.live) zero = divide(mine, A, args.lda, reciprocals);
        load(A, args.lda);
        zero = first_in_warp(mine, zero, [&](int m) {
            const bool there = args.ipiv.p && mine.first + m < args.batch;
            const int *const ipiv = there ? member<int>(args.ipiv, mine.first + m) : nullptr;
            if (ipiv && w == warps - 1)
                trace_origins(shared.origin + m * room, ipiv, lane < n ? ipiv[lane] : 0, n, lane);
        });
        if (warps > 1 && lane == 0) shared.firsts[w] = zero;
        steps(reciprocals);
        for (int v = 0; v < warps && warps > 1; ++v) zero = shared.firsts[v] < zero ? shared.firsts[v] : zero;
        if (!mine.live) return;
        if (mine.within == 0 && args.info) args.info[mine.i] = zero < n ? zero + 1 : 0;
        if (zero < n) make_nan(a);
        store(member<T>(args.c, mine.i), args.ldc, args.ipiv.p ? shared.origin + mine.mat * room : nullptr);
    }
};

template <typename T, int RPT, int CPT, int PR>
__device__ __forceinline__ void grid_inverse(const GridInverseArgs &args) {
    using Inverse = GridInverse<T, RPT, CPT, PR>;
    __shared__ typename Inverse::Shared shared;
    Inverse inverse(shared);
    inverse.run(args);
}

} // namespace tephra

// LIMIT: threads for which a multiprocessor has registers.
#define TEPHRA_GRID_INVERSE(NAME, T, E, PR, LIMIT)                                                                     \
    TEPHRA_ENTRY(NAME, (GridInverse<letter::T, E, E, PR>::about()), __launch_bounds__(LIMIT, 1), GridInverseArgs,      \
                 grid_inverse<letter::T, E, E, PR>)
