// QR with column pivoting of small matrices, several per warp: each lane has a column in registers.
//
// Columns stay in their lanes, and a lane keeps track of the place that its column has moved to. In a step, the lane
// with the largest norm writes its column to shared memory, the matrix's lanes together turn it into the reflector's
// vector, and each lane applies that to its own column and takes the new element of R out of its norm. Source: LAPACK
// laqp2.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// Up to M rows and L columns; 32 / L matrices per warp.
template <typename T, int M, int L>
struct PivotLanes {
    using R = Real<T>;
    static constexpr int mats = 32 / L, chunk = M < 8 ? M : 8, own = (M + L - 1) / L, ld = M + 1;
    struct Shared {
        alignas(16) T v[M]; // of the current step
        T stage[L * ld];    // the matrix on its way in and out
    };

    Shared &shared;
    int m, n, lane, k_end, fixed;
    int place;     // current place of this lane's column
    R norm, whole; // norm of what is left of it; the same when it was last summed
    T a[M];

    __device__ __forceinline__ PivotLanes(Shared &s, int m_, int n_)
        : shared(s), m(m_), n(n_), lane(threadIdx.x % L), k_end(m_ < n_ ? m_ : n_), fixed(0), place(lane) {}

    __device__ __forceinline__ void load(const T *A, long long lda, bool live) {
#pragma unroll 4
        for (int c = 0; c < n; ++c)
            for (int r = lane; r < m; r += L) shared.stage[c * ld + r] = live ? A[c * lda + r] : make<T>(0);
        __syncwarp();
#pragma unroll
        for (int r = 0; r < M; ++r) a[r] = lane < n && r < m ? shared.stage[lane * ld + r] : make<T>(0);
    }
    __device__ __forceinline__ void store(T *A, long long lda, bool live) {
        if (lane < n) {
#pragma unroll
            for (int r = 0; r < M; ++r) shared.stage[place * ld + r] = a[r];
        }
        __syncwarp();
        if (!live) return;
#pragma unroll 4
        for (int c = 0; c < n; ++c)
            for (int r = lane; r < m; r += L) A[c * lda + r] = shared.stage[c * ld + r];
    }

    // Moves the columns that the caller has chosen to the front, in the order that LAPACK's exchanges leave.
    __device__ __forceinline__ void choose(bool chosen) {
        const unsigned all = __ballot_sync(0xffffffffu, chosen) >> (threadIdx.x % 32 / L * L);
        for (int j = 0; j < n; ++j)
            if (all >> j & 1) {
                place = place == j ? fixed : place == fixed ? j : place;
                ++fixed;
            }
    }

    // Sums the norm of rows first, first + 1, ... of this lane's column.
    __device__ __forceinline__ void sum_norm(int first) {
        R sum = 0, largest = 0;
#pragma unroll
        for (int r = 0; r < M; ++r) sum = r >= first ? abs2_add(a[r], sum) : sum;
        norm = sqrt(sum);
        if (!safe_square(sum)) {
#pragma unroll
            for (int r = 0; r < M; ++r) largest = r >= first ? fmax(largest, abs_inf(a[r])) : largest;
            const Rescale<R> rescale(largest);
            R scaled = 0;
#pragma unroll
            for (int r = 0; r < M; ++r) scaled = r >= first ? abs2_add(rescale(a[r]), scaled) : scaled;
            norm = guarded_norm(largest, scaled, rescale.e, sum);
        }
        whole = norm;
    }

    // Returns the pivot's lane. The pivot is exchanged with the column at place k.
    __device__ __forceinline__ int pivot(int k) {
        Offer<R> offer;
        if constexpr (L == 32) {
            const bool left = lane < n && (k < fixed ? place == k : place >= k);
            offer = Offer<R>::best_of_warp(left, norm, place << 6 | lane);
        } else {
            const bool left = lane < n && place >= k;
            offer = {!left ? R(-1) : k >= fixed ? norm : place == k ? R(1) : R(0), place << 6 | lane};
            offer.template best<L>();
        }
        const int p = offer.id & 63;
        place = lane == p ? k : place == k ? offer.id >> 6 : place;
        return p;
    }

    // Turns the column in shared memory into v, including its zeros and its one.
    __device__ __forceinline__ Reflector<T> reflector(int k) {
        T x[own];
        R sum = 0, below = 0;
#pragma unroll
        for (int s = 0; s < own; ++s) {
            const int r = s * L + lane;
            x[s] = r < M && r >= k ? shared.v[r] : make<T>(0);
            if (r > k) sum = abs2_add(x[s], sum), below = fmax(below, abs_inf(x[s]));
        }
        sum = lanes_sum<L>(sum);
        const T alpha = shared.v[k];
        const R q = abs2_add(alpha, sum);
        const bool good = sum > SafeRange<R>::lo && q < SafeRange<R>::hi;
        Reflector<T> h = reflector_fast(alpha, q);
        R first = 1, second = 1;
        if (!__all_sync(0xffffffffu, good)) {
            below = lanes_max<L>(below);
            const R largest = fmax(below, abs_inf(alpha));
            const Rescale<R> rescale(largest);
            R scaled = 0;
#pragma unroll
            for (int s = 0; s < own; ++s)
                if (s * L + lane > k) scaled = abs2_add(rescale(x[s]), scaled);
            scaled = lanes_sum<L>(scaled);
            if (!good) {
                h = reflector_guarded<T>(rescale(alpha), scaled, below, largest, rescale.e,
                                         sum + re(alpha) + im(alpha));
                first = rescale.first, second = rescale.second;
            }
        }
        __syncwarp(); // alpha has been read
#pragma unroll
        for (int s = 0; s < own; ++s) {
            const int r = s * L + lane;
            if (r < M) shared.v[r] = r == k ? make<T>(1) : mul(scale(scale(x[s], first), second), h.factor);
        }
        __syncwarp();
        return h;
    }

    // The steps from k0 on of a chunk, which only touch rows k0 and below.
    template <int k0>
    __device__ __forceinline__ void steps(T *tau) {
#pragma unroll 1
        for (int k = k0; k < k0 + chunk && k < k_end; ++k) {
            const auto above = [](int r, int k) { return r < k0 + chunk && r < k; }; // always false for later rows
            const int p = pivot(k);
            if (lane == p) {
#pragma unroll
                for (int r = k0; r < M; ++r) shared.v[r] = a[r];
            }
            __syncwarp();
            const Reflector<T> h = reflector(k);
            if (lane == p && tau) tau[k] = h.tau;
            if (lane == p) {
#pragma unroll
                for (int r = k0; r < M; ++r) a[r] = r > k ? shared.v[r] : r == k ? make<T>(h.beta) : a[r];
            } else if (place > k) {
                T dots[2] = {make<T>(0), make<T>(0)};
#pragma unroll
                for (int r = k0; r < M; ++r)
                    dots[r % 2] = above(r, k) ? dots[r % 2] : cfma_(shared.v[r], a[r], dots[r % 2]);
                const T x = mul(conj(h.tau), add(dots[0], dots[1]));
                T gone = make<T>(0);
#pragma unroll
                for (int r = k0; r < M; ++r) {
                    a[r] = above(r, k) ? a[r] : fnma_(shared.v[r], x, a[r]);
                    if (r < k0 + chunk && r == k) gone = a[r];
                }
                const bool again = k >= fixed ? downdate(norm, whole, re(gone), im(gone)) : k + 1 == fixed;
                if (again) sum_norm(k + 1);
            }
            __syncwarp(); // v has been read
        }
    }
    template <int k0 = 0>
    __device__ __forceinline__ void factor(T *tau) {
        steps<k0>(tau);
        if constexpr (k0 + chunk < M) factor<k0 + chunk>(tau);
    }
};

template <typename T, int M, int L, int TEAMS>
__device__ __forceinline__ void geqp3_lane(const Geqp3Args &args) {
    using K = PivotLanes<T, M, L>;
    __shared__ typename K::Shared shared[TEAMS][K::mats];
    const int w = threadIdx.x / 32, slot = threadIdx.x % 32 / L;
    const long long i = (blockIdx.x * static_cast<long long>(TEAMS) + w) * K::mats + slot;
    const bool live = i < args.batch;
    T *const A = live ? member<T>(args.a, i) : nullptr, *const tau = live ? member<T>(args.tau, i) : nullptr;
    int *const jpvt = live ? member<int>(args.jpvt, i) : nullptr;
    K k(shared[w][slot], args.m, args.n);
    k.load(A, args.lda, live);
    k.choose(live && k.lane < args.n && jpvt[k.lane] != 0);
    k.sum_norm(0);
    k.factor(tau);
    k.store(A, args.lda, live);
    if (live && k.lane < args.n) jpvt[k.place] = k.lane + 1;
    if (live && k.lane == 0 && args.info) args.info[i] = 0;
}

} // namespace tephra

#define TEPHRA_GEQP3_LANE(NAME, T, M, L, TEAMS, MIN_BLOCKS)                                                            \
    TEPHRA_ENTRY(NAME, Instance(32 * TEAMS).holds(M, L).places(32 / L * TEAMS),                                        \
                 __launch_bounds__(32 * TEAMS, MIN_BLOCKS), Geqp3Args, geqp3_lane<letter::T, M, L, TEAMS>)
