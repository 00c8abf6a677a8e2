// QR in global memory, column by column, by a team of threads (a warp or a block), for any shape and scaling. This is
// the generic path, the panel factorisation of the blocked path where a panel is too tall for registers, and the
// register kernels' fallback for matrices that their short formulas do not cover.
// Source: LAPACK geqr2/larfg.
#pragma once
#include "../common/householder.cuh"

namespace tephra {

// A warp as a team.
struct WarpTeam {
    static constexpr int threads = 32, unroll = 1, columns = 1;
    static constexpr bool keeps = true;
    int rank;
    __device__ WarpTeam() : rank(threadIdx.x % 32) {}
    __device__ void sync() const { __syncwarp(); }
    template <typename R>
    __device__ R sum(R x) const {
        return lanes_sum<32>(x);
    }
    template <typename R>
    __device__ R max(R x) const {
        return lanes_max<32>(x);
    }
};

// A block as a team; scratch: 32 values of R in shared memory. AMPLE: the surrounding kernel needs more registers than
// this code does.
template <int THREADS, typename R, bool AMPLE = true>
struct BlockTeam {
    // Unrolled in double precision, where small blocks handle columns of extreme size by this path alone. In single
    // precision, calls that take more registers slow the surrounding kernel by two to five per cent.
    static constexpr int threads = THREADS, unroll = THREADS >= 256 || sizeof(R) == 8 && THREADS == 32 ? 4
                                                     : sizeof(R) == 8                                  ? 8
                                                                                                       : 1;
    static constexpr int columns = AMPLE && sizeof(R) == 8 ? 2 : 1; // columns that a warp handles at a time
    static constexpr bool keeps = AMPLE;                            // elements stay in registers from dot to update
    int rank;
    R *scratch;
    __device__ explicit BlockTeam(R *s) : rank(threadIdx.x), scratch(s) {}
    __device__ void sync() const { __syncthreads(); }
    __device__ R sum(R x) const {
        x = gather(lanes_sum<32>(x));
        return lanes_sum<32>(x);
    }
    __device__ R max(R x) const {
        x = gather(lanes_max<32>(x));
        return lanes_max<32>(x);
    }

  private:
    // Hands the lanes of every warp one value of each warp.
    __device__ R gather(R x) const {
        __syncthreads(); // scratch may still be read
        if (rank % 32 == 0) scratch[rank / 32] = x;
        __syncthreads();
        return rank % 32 < THREADS / 32 ? scratch[rank % 32] : R(0);
    }
};

// Calls f(r, elements) for the elements first, first + STEP, ... below m of x, U at a time, so that U loads are in
// flight; r is the index of the first of them. Elements past the end are zero.
template <int STEP, int U, typename T, typename F>
__device__ __forceinline__ void by_some(const T *x, int first, int m, F f) {
#pragma unroll 1
    for (int r = first; r < m; r += STEP * U) {
        T v[U];
#pragma unroll
        for (int u = 0; u < U; ++u) v[u] = u * STEP < m - r ? (x + r)[u * STEP] : make<T>(0);
        f(r, v);
    }
}

// Applies I - tau_h v v^H to columns first .. n - 1, where v is below row k of column k. A warp handles J columns at a
// time. The update runs backwards, since the rows that the dots read last are still in registers.
template <typename T, typename Team>
__device__ __forceinline__ void apply_reflector(T *A, long long lda, T tau_h, int m, int k, int first, int n,
                                                Team team) {
    constexpr int U = Team::unroll, J = Team::columns, warps = Team::threads / 32;
    const int warp = team.rank / 32, lane = team.rank % 32;
    const T *const x = A + k * lda + (k + 1 + lane);
    const int rows = m - (k + 1); // below row k
#pragma unroll 1
    for (int j = first + warp; j < n; j += J * warps) {
        T *y[J], dot[J], v[U], w[J][U];
        int left[J], r = 0; // rows of this lane
#pragma unroll
        for (int q = 0; q < J; ++q) {
            const bool there = j + q * warps < n;
            y[q] = A + (there ? j + q * warps : j) * lda + (k + 1 + lane);
            left[q] = there ? rows - lane : 0;
            dot[q] = lane == 0 ? y[q][-1] : make<T>(0);
        }
        const auto take = [&] {
#pragma unroll
            for (int u = 0; u < U; ++u) {
                v[u] = 32 * u < left[0] - r ? (x + r)[32 * u] : make<T>(0);
#pragma unroll
                for (int q = 0; q < J; ++q) w[q][u] = 32 * u < left[q] - r ? (y[q] + r)[32 * u] : make<T>(0);
            }
            if constexpr (U > 1) __syncwarp(); // keeps the first products behind the last loads
        };
#pragma unroll 1
        for (;; r += 32 * U) {
            take();
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int q = 0; q < J; ++q) dot[q] = cfma_(v[u], w[q][u], dot[q]);
            if (r + 32 * U >= rows) break;
        }
#pragma unroll
        for (int q = 0; q < J; ++q) {
            dot[q] = mul(tau_h, lanes_sum<32>(dot[q]));
            if (lane == 0 && j + q * warps < n) y[q][-1] = add(y[q][-1], scale(dot[q], Real<T>(-1)));
        }
#pragma unroll 1
        for (;;) {
            if constexpr (!Team::keeps) take();
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int q = 0; q < J; ++q)
                    if (32 * u < left[q] - r) (y[q] + r)[32 * u] = fnma_(v[u], dot[q], w[q][u]);
            if (r == 0) break;
            r -= 32 * U;
            if constexpr (Team::keeps) take();
        }
    }
}
// Applies the first k reflectors to columns first .. n - 1. A warp keeps its columns, so that the reflectors need no
// block barrier between them.
template <typename T, typename Team>
__device__ __noinline__ void apply_columns_call(T *A, long long lda, const T *tau, int m, int n, int k, int first,
                                                Team team) {
#pragma unroll 1
    for (int i = 0; i < k; ++i) {
        apply_reflector(A, lda, conj(tau[i]), m, i, first, n, team);
        __syncwarp();
    }
    team.sync();
}

// Factors A. CALL: the update is a function that is not inlined, which the slow paths share.
template <bool CALL = false, typename T, typename Team>
__device__ __forceinline__ void geqrf_columns(T *A, long long lda, T *tau, int m, int n, Team team) {
    using R = Real<T>;
    constexpr int U = Team::unroll, step = Team::threads;
    const int k_end = m < n ? m : n, t = team.rank;
#pragma unroll 1
    for (int k = 0; k < k_end; ++k) {
        T *const x = A + k * lda + (k + 1); // below alpha: becomes v
        const int rows = m - (k + 1);
        R sum = 0, below = 0;
        by_some<step, U>(x, t, rows, [&](int, const T(&v)[U]) {
#pragma unroll
            for (int u = 0; u < U; ++u) {
                sum = abs2_add(v[u], sum);
                below = fmax(below, abs_inf(v[u]));
            }
        });
        sum = team.sum(sum);
        const T alpha = x[-1];
        const R q = abs2_add(alpha, sum);
        Reflector<T> h;
        R first = 1, second = 1;
        if (sum > SafeRange<R>::lo && q < SafeRange<R>::hi) { // the same for the whole team
            h = reflector_exact(alpha, sum);
        } else {
            R scaled_sum = 0;
            below = team.max(below);
            const R largest = fmax(below, abs_inf(alpha));
            const Rescale<R> rescale(largest);
            by_some<step, U>(x, t, rows, [&](int, const T(&v)[U]) {
#pragma unroll
                for (int u = 0; u < U; ++u) scaled_sum = abs2_add(rescale(v[u]), scaled_sum);
            });
            scaled_sum = team.sum(scaled_sum);
            h = reflector_guarded<T>(rescale(alpha), scaled_sum, below, largest, rescale.e,
                                     sum + re(alpha) + im(alpha));
            first = rescale.first;
            second = rescale.second;
        }
        team.sync(); // everyone has read alpha
        by_some<step, U>(x, t, rows, [&](int r, const T(&v)[U]) {
#pragma unroll
            for (int u = 0; u < U; ++u)
                if (step * u < rows - r) (x + r)[step * u] = mul(scale(scale(v[u], first), second), h.factor);
        });
        if (t == 0) {
            x[-1] = make<T>(h.beta);
            tau[k] = h.tau;
        }
        team.sync();
        if constexpr (CALL) {
            apply_columns_call(x - 1, lda, tau + k, m - k, n - k, 1, 1, team);
        } else {
            apply_reflector(A, lda, conj(h.tau), m, k, k + 1, n, team);
            team.sync();
        }
    }
}

// The same, not inlined: the register kernels' fallback must not cost them registers.
template <typename T, typename Team>
__device__ __noinline__ void geqrf_columns_call(T *A, long long lda, T *tau, int m, int n, Team team) {
    geqrf_columns<true>(A, lda, tau, m, n, team);
}

// Finishes a matrix whose first `done` columns are factored, with their taus stored, and whose other columns are
// untouched.
template <typename T, typename Team>
__device__ __noinline__ void geqrf_rest_call(T *A, long long lda, T *tau, int m, int n, int done, Team team) {
    const int k_end = m < n ? m : n;
    if (done > 0) apply_columns_call(A, lda, tau, m, n, done < k_end ? done : k_end, done, team);
    if (done < k_end) geqrf_columns<true>(A + done * (lda + 1), lda, tau + done, m - done, n - done, team);
}

} // namespace tephra
