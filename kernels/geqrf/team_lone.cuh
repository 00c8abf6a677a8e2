// A step of a warp that has a matrix, or a strip of it, to itself: lanes communicate by shuffles, or through shared
// memory where that is cheaper.
#pragma once
#include "../arch/arch.cuh"
#include "team_tile.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, bool WHOLE>
struct LoneSteps : TeamTile<T_, PR_, PC_, RPT_, CPT_, 1, WHOLE> {
    using Base = TeamTile<T_, PR_, PC_, RPT_, CPT_, 1, WHOLE>;
    using Base::a, Base::box_rows, Base::by_line, Base::via_shared, Base::CPT, Base::lane, Base::lc, Base::lr, Base::PC,
        Base::PR, Base::RPT, Base::V;
    using typename Base::Done;
    using typename Base::Exchange;
    using typename Base::R;
    using typename Base::T;

    // Places in the exchange: the pivot row of this lane's columns, this lane's rows of the pivot column, and the
    // scalars that its columns end with.
    T *const row_line, *const box;
    Done *const done;
    const int all_steps; // of a whole matrix: lanes by which all steps advance the pivot's lane
    // Elements of the pivot row that belong to the sums this lane gets, in the current register column.
    const T *pivot_row_at[CPT];

    __device__ __forceinline__ LoneSteps(int m, int n, T *tau, Exchange &exchange)
        : Base(m, n, tau, exchange), row_line(pinned<16>(exchange.row[by_line ? lc : 0])),
          box(pinned<16>(exchange.x[0] + (via_shared(CPT) ? lr * box_rows : 0))),
          done(pinned<alignof(Done)>(exchange.done + lc)), all_steps(opaque((PR + 1) * this->k_end)) {}

    // The scalars of this lane's column in register column 0.
    __device__ __forceinline__ const Done *scalars() const { return done; }

    // How far steps K .. END - 1, or those of them that exist, advance the pivot's lane: each moves it by one column
    // and one row.
    template <int K, int END>
    __device__ __forceinline__ int advance() const {
        const int left = WHOLE ? all_steps - (PR + 1) * K : (PR + 1) * (this->k_end - K), most = (PR + 1) * (END - K);
        return left < most ? left : most;
    }

    // Whether the pivot column's owner computes its norm, from register row r0 on. The norm is then known before x^H
    // a_j, and the reflector's scalars overlap with the dots. This costs more instructions than it saves while columns
    // are long and, as the FP64 pipe is busy, in double precision always; in strips it is too much code.
    static __host__ __device__ constexpr bool owner_sums(int r0) {
        return WHOLE && sizeof(T) == sizeof(float) && RPT - r0 <= 8;
    }

    // Sends column k, the owner's register column c, from register row r0 on, for the step that begins with it.
    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void broadcast(int k) {
        if constexpr (via_shared(CPT - c)) {
            __syncwarp(); // the previous one has been read
            send_column<c, r0>(this->owns(c, k - FIRST));
        }
    }
    template <int c, int r0>
    __device__ __forceinline__ void send_column(bool owner) {
        if (owner) this->template send<RPT>(box, r0, [&](int r) { return a[r][c]; });
    }

    // Before the steps of register column c.
    template <int c>
    __device__ __forceinline__ void enter() {
        using Sums = Sums<T, PR, CPT - c>;
        // The pivot's row must have been read. While the pivot column goes through the exchange, its barrier implies
        // that.
        if constexpr (c > 0 && via_shared(CPT - c + 1) && !via_shared(CPT - c)) __syncwarp();
        if constexpr (Sums::scattered)
#pragma unroll
            for (int j = 0; j < Sums::slots; ++j)
                pivot_row_at[j] = pinned<alignof(T)>(row_line + c + Sums::index(lr, j));
    }

    // The pivot column's sum of squares, from the parts of the lanes that own it: lane `mine` and its neighbours. In
    // register row r0, this lane's element does not count if it is `above`.
    template <int c, int r0>
    __device__ __forceinline__ R owner_sum(bool above, int mine) const {
        constexpr int chains = Base::chains_of(2, RPT - r0);
        R part[chains] = {}, piece[4] = {0, 0, 0, 0};
#pragma unroll
        for (int r = r0; r < RPT; ++r)
            part[r % chains] = abs2_add(r == r0 && above ? make<T>(0) : a[r][c], part[r % chains]);
        R sum = part[0];
        if constexpr (chains > 1) sum += part[1];
#pragma unroll
        for (int s = PR / 2; s >= 4; s /= 2) sum += shfl_xor(sum, s);
#pragma unroll
        for (int i = 0; i < 4 && i < PR; ++i) piece[i] = shfl_group<32>(sum, mine ^ i);
        return (piece[0] + piece[1]) + (piece[2] + piece[3]);
    }

    // mine: the lane that holds this lane's rows of the pivot column; pivot: the lane that holds the pivot.
    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void step(int mine, int pivot) {
        constexpr int N = CPT - c; // columns of a lane that are not finished in all lanes
        constexpr int chains = Base::chains_of(N, RPT - r0);
        using Sums = Sums<T, PR, N>;
        constexpr bool lines = by_line && (Sums::scattered || (!is_complex<T> && WHOLE && sizeof(T) > 4 && N > 1));
        static_assert(lines || !Sums::scattered);
        const int from = mine - lr;
        T x[RPT], dot[chains][N], pivot_row[N], alpha;
        R sum = 0;
        if constexpr (via_shared(N)) {
            __syncwarp();
#pragma unroll
            for (int first = r0 / V * V; first < RPT; first += V) {
                const auto q = *reinterpret_cast<const Chunk<T> *>(box + first);
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (first + e >= r0 && first + e < RPT) x[first + e] = q.e[e];
            }
        } else {
#pragma unroll
            for (int r = r0; r < RPT; ++r) x[r] = shfl_group<32>(a[r][c], mine);
        }
        if constexpr (via_shared(N) && is_complex<T>)
            alpha = box[(pivot - mine) * box_rows + r0];
        else
            alpha = shfl_group<32>(a[r0][c], pivot);
        // The pivot's row is needed where the dots are: in one lane each, or in all.
        if constexpr (lines) {
            if (mine == pivot) this->template send<CPT>(row_line, c, [&](int j) { return a[r0][j]; });
            __syncwarp();
        }
        if constexpr (owner_sums(r0)) sum = owner_sum<c, r0>(mine <= pivot, mine);
        if (mine <= pivot) x[r0] = make<T>(0);
#pragma unroll
        for (int j = 0; j < N; ++j) {
            if constexpr (!lines) pivot_row[j] = PR == 1 ? a[r0][c + j] : shfl_group<PR>(a[r0][c + j], pivot);
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s][j] = make<T>(0);
        }
#pragma unroll
        for (int r = r0; r < RPT; ++r)
#pragma unroll
            for (int j = 0; j < N; ++j) dot[r % chains][j] = cfma_(x[r], a[r][c + j], dot[r % chains][j]);
#pragma unroll
        for (int j = 0; j < N; ++j)
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0][j] = add(dot[0][j], dot[s][j]);
        Sums::run(dot[0], lane);
        if constexpr (!owner_sums(r0)) // the norm is among the dots, in the lanes of the pivot column
            sum = shfl_group<32>(re(dot[0][Sums::slot(0)]), Sums::scattered ? from + Sums::lane(0) : mine);
        const UnscaledReflector<T> h = this->reflect_unscaled(alpha, sum);
        if (!Base::scaled && h.identity) [[unlikely]]
            if (!this->all_zero(x, r0)) this->fail(); // lanes may differ in what they have seen
        const T d = h.d, g = h.g;
        // y = g (conj(d) pivot_row + dot), in the lane that has the dot. Finished columns are updated with zero; values
        // that are not finite fail the range check anyway.
        T y[N];
        if constexpr (Sums::scattered) {
#pragma unroll
            for (int j = 0; j < Sums::slots; ++j) dot[0][j] = mul(g, cfma_(d, *pivot_row_at[j], dot[0][j]));
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = shfl_group<PR>(dot[0][Sums::slot(j)], Sums::lane(j));
        } else {
            if constexpr (lines) {
#pragma unroll
                for (int j = c / V * V; j < CPT; j += V) {
                    const auto q = *reinterpret_cast<const Chunk<T> *>(row_line + j);
#pragma unroll
                    for (int e = 0; e < V; ++e)
                        if (j + e >= c && j + e < CPT) pivot_row[j + e - c] = q.e[e];
                }
            }
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = mul(g, cfma_(d, pivot_row[j], dot[0][j]));
        }
        if constexpr (lines && !via_shared(N)) __syncwarp(); // the row has been read
        if (lane <= mine) y[0] = make<T>(0);
        if (lane == pivot) this->finish_pivot(h, a[r0][c], done[c * PC]);
        const T u = mine == pivot ? d : x[r0];
        const auto update = [&](int j) {
#pragma unroll
            for (int r = r0; r < RPT; ++r) a[r][c + j] = fnma_(r == r0 ? u : x[r], y[j], a[r][c + j]);
        };
        update(0);
        if constexpr (via_shared(N)) { // the next pivot, if it is in this register column
            if constexpr (!lines) __syncwarp();
            send_column<c, r0>(lane == mine + PR);
        }
#pragma unroll
        for (int j = 1; j < N; ++j) update(j);
    }
};

} // namespace tephra
