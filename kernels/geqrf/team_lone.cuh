// A step of a warp that has a matrix (or a strip of it) to itself: what lanes want of each other goes by shuffles, or
// through shared memory where that is cheaper.
#pragma once
#include "team_tile.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, bool WHOLE>
struct LoneSteps : TeamTile<T_, PR_, PC_, RPT_, CPT_, 1, WHOLE> {
    using Base = TeamTile<T_, PR_, PC_, RPT_, CPT_, 1, WHOLE>;
    using Base::a, Base::box_rows, Base::by_line, Base::CPT, Base::lane, Base::lc, Base::lr, Base::mail, Base::PC,
        Base::PR, Base::RPT, Base::V;
    using Base::Base;
    using typename Base::R;
    using typename Base::T;

    // Whether the pivot column's owner finds its norm, from register row r0 on: it comes before x^H a_j, and the
    // reflector's scalars beside them. While columns are long it costs more instructions than it is worth, in double
    // (an FP64 pipe that is busy) always, and in strips too much code.
    static __host__ __device__ constexpr bool owner_sums(int r0) {
        return WHOLE && sizeof(T) == sizeof(float) && RPT - r0 <= 8;
    }

    // Column k = owned register column c, from register row r0 on, for the step that begins with it.
    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void publish(int k) {
        if constexpr (Base::by_mail(CPT - c)) {
            __syncwarp(); // the last one has been read
            if (this->owns(c, k - FIRST))
                this->template send<RPT>(mail.x[0] + lr * box_rows, r0, [&](int r) { return a[r][c]; });
        }
    }

    // This lane's part of the sum of squares of its register column c below row kr of register row r0, from where it is
    // summed in the lanes from `from` on.
    template <int c, int r0>
    __device__ __forceinline__ R owner_sum(int kr, int from) const {
        R part[2] = {0, 0}, piece[4] = {0, 0, 0, 0};
#pragma unroll
        for (int r = r0; r < RPT; ++r) part[r % 2] = abs2_add(r == r0 && lr <= kr ? make<T>(0) : a[r][c], part[r % 2]);
        R sum = part[0] + part[1];
#pragma unroll
        for (int s = PR / 2; s >= 4; s /= 2) sum += shfl_xor(sum, s);
#pragma unroll
        for (int i = 0; i < 4 && i < PR; ++i) piece[i] = shfl_group<32>(sum, from + i);
        return (piece[0] + piece[1]) + (piece[2] + piece[3]);
    }

    // from: the first lane of those that own column k.
    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void step(int k, int from) {
        constexpr int N = CPT - c;                 // columns of a lane that are not finished in all lanes
        constexpr int chains = N >= 4 ? 1 : 4 / N; // independent sums, to hide the FMA's latency
        using Sums = Sums<T, PR, N>;
        constexpr bool lines = by_line && (Sums::scattered || (!is_complex<T> && WHOLE && sizeof(T) > 4 && N > 1));
        static_assert(lines || !Sums::scattered);
        const int kr = k % PR;
        T x[RPT], dot[chains][N], pivot_row[N], alpha;
        R sum = 0;
        if constexpr (Base::by_mail(N)) {
            __syncwarp();
#pragma unroll
            for (int first = r0 / V * V; first < RPT; first += V) {
                const auto q = *reinterpret_cast<const Chunk<T> *>(mail.x[0] + lr * box_rows + first);
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (first + e >= r0 && first + e < RPT) x[first + e] = q.e[e];
            }
            alpha = mail.x[0][kr * box_rows + r0];
        } else {
#pragma unroll
            for (int r = r0; r < RPT; ++r) x[r] = shfl_group<32>(a[r][c], from + lr);
            alpha = shfl_group<32>(a[r0][c], from + kr);
        }
        // The pivot's row is wanted where the dots are: in one lane each, or in all.
        T *const row = mail.row[by_line ? lc : 0];
        if constexpr (lines) {
            if (lr == kr) this->template send<CPT>(row, c, [&](int j) { return a[r0][j]; });
            __syncwarp();
        }
        if constexpr (owner_sums(r0)) sum = owner_sum<c, r0>(kr, from);
        if (lr <= kr) x[r0] = make<T>(0);
#pragma unroll
        for (int j = 0; j < N; ++j) {
            if constexpr (!lines) pivot_row[j] = PR == 1 ? a[r0][c + j] : shfl_group<PR>(a[r0][c + j], kr);
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
        if constexpr (!owner_sums(r0)) // it is among the dots, in the lanes of the pivot column
            sum = shfl_group<32>(re(dot[0][Sums::slot(0)]), from + Sums::lane(0));
        const UnscaledReflector<T> h = this->reflect_unscaled(k, this->m, alpha, sum);
        const T d = h.d, g = h.g;
        // y = g (conj(d) pivot_row + dot), in the lane that has the dot. Finished columns take part with a zero: what
        // is not finite never passes ok.
        T y[N];
        if constexpr (Sums::scattered) {
#pragma unroll
            for (int j = 0; j < Sums::slots; ++j) dot[0][j] = mul(g, cfma_(d, row[c + Sums::index(lr, j)], dot[0][j]));
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = shfl_group<PR>(dot[0][Sums::slot(j)], Sums::lane(j));
        } else {
            if constexpr (lines) {
#pragma unroll
                for (int j = c / V * V; j < CPT; j += V) {
                    const auto q = *reinterpret_cast<const Chunk<T> *>(row + j);
#pragma unroll
                    for (int e = 0; e < V; ++e)
                        if (j + e >= c && j + e < CPT) pivot_row[j + e - c] = q.e[e];
                }
            }
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = mul(g, cfma_(d, pivot_row[j], dot[0][j]));
        }
        if constexpr (lines) __syncwarp(); // the row has been read
        if (this->col(c) <= k - FIRST) y[0] = make<T>(0);
        if (this->owns(c, k - FIRST) && lr == kr) {
            a[r0][c] = make<T>(h.beta);
            mail.done[k - FIRST] = {h.d, h.beta};
        }
        const T u = lr == kr ? d : x[r0];
        const auto update = [&](int j) {
#pragma unroll
            for (int r = r0; r < RPT; ++r) a[r][c + j] = fnma_(r == r0 ? u : x[r], y[j], a[r][c + j]);
        };
        update(0);
        publish<FIRST, c, r0>(k + 1); // if it is in this register column
#pragma unroll
        for (int j = 1; j < N; ++j) update(j);
    }
};

} // namespace tephra
