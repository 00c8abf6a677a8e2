// The step of a team of several warps: one barrier per column, with the pivot column in shared memory. The next pivot
// column is broadcast as soon as it is up to date.
#pragma once
#include "team_tile.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W, bool WHOLE, bool PLACED>
struct TeamSteps : TeamTile<T_, PR_, PC_, RPT_, CPT_, W, WHOLE, PLACED> {
    using Base = TeamTile<T_, PR_, PC_, RPT_, CPT_, W, WHOLE, PLACED>;
    using Base::a, Base::box_rows, Base::by_line, Base::CPT, Base::k_end, Base::lane, Base::lc, Base::lr,
        Base::exchange, Base::P, Base::PC, Base::PR, Base::RPT, Base::V;
    using Base::Base;
    using typename Base::R;
    using typename Base::T;

    // The scalars of this lane's column in register column 0.
    __device__ __forceinline__ const typename Base::Done *scalars() const { return exchange.done + this->col(0); }

    // Called before the steps of register column c.
    template <int c>
    __device__ __forceinline__ void enter() const {}
    // Sends column k, the owner's register column c, from register row r0 on.
    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void broadcast(int k) {
        if (!this->owns(c, k - FIRST)) return;
        this->template send<RPT>(exchange.x[k & 1] + lr * box_rows, r0, [&](int r) { return a[r][c]; });
    }

    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void step(int k) {
        // x is kept between its two uses if registers allow, and otherwise read again.
        constexpr bool keep = (RPT - r0) * sizeof(T) <= 128;
        constexpr int N = CPT - c; // columns of a lane that are not finished in all lanes
        constexpr int chains = Base::chains_of(N, RPT - r0);
        using Sums = Sums<T, PR, N>;
        const int kr = k % PR;
        const T *box = exchange.x[k & 1] + lr * box_rows;
        T x[keep ? RPT : 1], dot[chains][N], pivot_row[N];
        __syncthreads();
        const T alpha = exchange.x[k & 1][kr * box_rows + r0];
        if constexpr (keep) {
#pragma unroll
            for (int first = r0 / V * V; first < RPT; first += V) {
                const auto q = *reinterpret_cast<const Chunk<T> *>(box + first);
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (first + e >= r0 && first + e < RPT) x[first + e] = q.e[e];
            }
            if (lr <= kr) x[r0] = make<T>(0);
        }
        R sums[4] = {0, 0, 0, 0};
        // The pivot's row is needed where the dots are: in one lane each, or in all.
        static_assert(by_line || !Sums::scattered);
        T *const row = exchange.row[by_line ? this->w * PC + lc : 0];
        if constexpr (Sums::scattered) {
            if (lr == kr) this->template send<CPT>(row, c, [&](int j) { return a[r0][j]; });
            __syncwarp();
        }
#pragma unroll
        for (int j = 0; j < N; ++j) {
            if constexpr (!Sums::scattered) pivot_row[j] = PR == 1 ? a[r0][c + j] : shfl_group<PR>(a[r0][c + j], kr);
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s][j] = make<T>(0);
        }
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T xr = keep ? x[keep ? r : 0] : r == r0 && lr <= kr ? make<T>(0) : box[r];
            sums[r % 4] = abs2_add(xr, sums[r % 4]);
#pragma unroll
            for (int j = 0; j < N; ++j) dot[r % chains][j] = cfma_(xr, a[r][c + j], dot[r % chains][j]);
        }
#pragma unroll
        for (int j = 0; j < N; ++j)
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0][j] = add(dot[0][j], dot[s][j]);
        R sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        Sums::run(dot[0], lane, &sum);
        const UnscaledReflector<T> h = this->reflect_unscaled(alpha, sum);
        const T d = h.d, g = h.g;
        // y = g (conj(d) pivot_row + dot), in the lane that has the dot. Finished columns are updated with zero; values
        // that are not finite fail the range check anyway.
        T y[N];
        if constexpr (Sums::scattered) {
#pragma unroll
            for (int j = 0; j < Sums::slots; ++j) dot[0][j] = mul(g, cfma_(d, row[c + Sums::index(lr, j)], dot[0][j]));
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = shfl_group<PR>(dot[0][Sums::slot(j)], Sums::lane(j));
            __syncwarp(); // the row has been read
        } else {
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = mul(g, cfma_(d, pivot_row[j], dot[0][j]));
        }
        if (this->col(c) <= k - FIRST) y[0] = make<T>(0);
        if constexpr (!keep) keep_order(); // do not keep x alive
        if (this->owns(c, k - FIRST) && lr == kr) this->finish_pivot(h, a[r0][c], exchange.done[k - FIRST]);

        // Update the columns that may be the next pivot, send that one, then update the rest.
        const auto update = [&](int from, int to) {
#pragma unroll
            for (int r = r0; r < RPT; ++r) {
                const T xr = keep ? x[keep ? r : 0] : r == r0 && lr < kr ? make<T>(0) : box[r];
                const T ur = r == r0 && lr == kr ? d : xr;
#pragma unroll
                for (int j = 0; j < N; ++j)
                    if (j >= from && j < to) a[r][c + j] = fnma_(ur, y[j], a[r][c + j]);
            }
        };
        update(0, 2);
        if (k + 1 < k_end) {
            if (k + 1 < FIRST + (c + 1) * P)
                broadcast<FIRST, c, r0>(k + 1);
            else if constexpr (c + 1 < CPT)
                broadcast<FIRST, c + 1, r0>(k + 1);
        }
        update(2, N);
    }
};

} // namespace tephra
