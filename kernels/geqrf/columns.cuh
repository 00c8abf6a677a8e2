// QR in global memory, column by column, by a team of threads (a warp or a block): takes every shape and every
// scaling. The generic path, the panel of the blocked path where a panel is too tall for registers, and what the
// register kernels turn to for a matrix whose scaling their short formulas do not cover.
// Source: LAPACK geqr2/larfg.
#pragma once
#include "../common/householder.cuh"

namespace tephra {

// A warp as a team.
struct WarpTeam {
    static constexpr int threads = 32, unroll = 1;
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

// A block as a team; scratch: 32 values of R in shared memory.
template <int THREADS, typename R>
struct BlockTeam {
    // In double precision, where the slow path is all that there is for columns of extreme size in small blocks; in
    // single, calls that take more registers cost the kernels' own code two to five per cent.
    static constexpr int threads = THREADS, unroll = THREADS >= 256 || sizeof(R) == 8 && THREADS == 32 ? 4
                                                     : sizeof(R) == 8                                  ? 8
                                                                                                       : 1;
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
    // One value of each warp to the lanes of every warp.
    __device__ R gather(R x) const {
        __syncthreads(); // scratch may still be read
        if (rank % 32 == 0) scratch[rank / 32] = x;
        __syncthreads();
        return rank % 32 < THREADS / 32 ? scratch[rank % 32] : R(0);
    }
};

// Elements first, first + STEP, ... of x, those below m, U at a time: so many loads are on their way. f(index,
// elements): zeros past the end.
template <int STEP, int U, typename T, typename F>
__device__ __forceinline__ void by_some(const T *x, long long first, long long m, F f) {
#pragma unroll 1
    for (long long r = first; r < m; r += STEP * U) {
        T v[U];
#pragma unroll
        for (int u = 0; u < U; ++u) v[u] = r + u * STEP < m ? x[r + u * STEP] : make<T>(0);
        f(r, v);
    }
}

// Columns first .. n - 1 := (I - tau_h v v^H) times them, v below row k of column k, one warp a column.
template <typename T, typename Team>
__device__ __forceinline__ void apply_reflector(T *A, long long lda, T tau_h, long long m, long long k, long long first,
                                                long long n, Team team) {
    constexpr int U = Team::unroll;
    const int warp = team.rank / 32, lane = team.rank % 32;
    const T *x = A + k * lda;
    for (long long j = first + warp; j < n; j += Team::threads / 32) {
        T *y = A + j * lda;
        T dot = lane == 0 ? y[k] : make<T>(0);
        by_some<32, U>(x, k + 1 + lane, m, [&](long long r, const T(&v)[U]) {
            T w[U];
#pragma unroll
            for (int u = 0; u < U; ++u) w[u] = r + 32 * u < m ? y[r + 32 * u] : make<T>(0);
#pragma unroll
            for (int u = 0; u < U; ++u) dot = cfma_(v[u], w[u], dot);
        });
        dot = mul(tau_h, lanes_sum<32>(dot));
        if (lane == 0) y[k] = add(y[k], scale(dot, Real<T>(-1)));
        by_some<32, U>(x, k + 1 + lane, m, [&](long long r, const T(&v)[U]) {
            T w[U];
#pragma unroll
            for (int u = 0; u < U; ++u) w[u] = r + 32 * u < m ? y[r + 32 * u] : make<T>(0);
#pragma unroll
            for (int u = 0; u < U; ++u)
                if (r + 32 * u < m) y[r + 32 * u] = fnma_(v[u], dot, w[u]);
        });
    }
}

template <typename T, typename Team>
__device__ __forceinline__ void geqrf_columns(T *A, long long lda, T *tau, long long m, long long n, Team team) {
    using R = Real<T>;
    constexpr int U = Team::unroll, step = Team::threads;
    const long long k_end = m < n ? m : n;
    const int t = team.rank;
    for (long long k = 0; k < k_end; ++k) {
        T *x = A + k * lda; // column k; rows k+1.. become v
        R sum = 0;
        by_some<step, U>(x, k + 1 + t, m, [&](long long, const T(&v)[U]) {
#pragma unroll
            for (int u = 0; u < U; ++u) sum = abs2_add(v[u], sum);
        });
        sum = team.sum(sum);
        const T alpha = x[k];
        const R q = abs2_add(alpha, sum);
        Reflector<T> h = reflector_exact(alpha, sum);
        R first = 1, second = 1;
        if (!(sum > SafeRange<R>::lo && q < SafeRange<R>::hi)) { // the same for the whole team
            R below = 0, scaled_sum = 0;
            by_some<step, U>(x, k + 1 + t, m, [&](long long, const T(&v)[U]) {
#pragma unroll
                for (int u = 0; u < U; ++u) below = fmax(below, abs_inf(v[u]));
            });
            below = team.max(below);
            const R largest = fmax(below, abs_inf(alpha));
            const Rescale<R> rescale(largest);
            by_some<step, U>(x, k + 1 + t, m, [&](long long, const T(&v)[U]) {
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
        by_some<step, U>(x, k + 1 + t, m, [&](long long r, const T(&v)[U]) {
#pragma unroll
            for (int u = 0; u < U; ++u)
                if (r + step * u < m) x[r + step * u] = mul(scale(scale(v[u], first), second), h.factor);
        });
        if (t == 0) {
            x[k] = make<T>(h.beta);
            tau[k] = h.tau;
        }
        team.sync();
        apply_reflector(A, lda, conj(h.tau), m, k, k + 1, n, team);
        team.sync();
    }
}

// The same as a call: what the register kernels turn to must not cost them registers.
template <typename T, typename Team>
__device__ __noinline__ void geqrf_columns_call(T *A, long long lda, T *tau, long long m, long long n, Team team) {
    geqrf_columns(A, lda, tau, m, n, team);
}

// The first k reflectors on columns first .. n - 1, as a call; a warp has its columns to itself.
template <typename T, typename Team>
__device__ __noinline__ void apply_columns_call(T *A, long long lda, const T *tau, long long m, long long n,
                                                long long k, long long first, Team team) {
    for (long long i = 0; i < k; ++i) {
        apply_reflector(A, lda, conj(tau[i]), m, i, first, n, team);
        __syncwarp();
    }
    team.sync();
}

// Goes on with a matrix whose first `done` columns are as LAPACK leaves them, with their taus, and the others as they
// came: as a call.
template <typename T, typename Team>
__device__ __noinline__ void geqrf_rest_call(T *A, long long lda, T *tau, long long m, long long n, int done,
                                             Team team) {
    const long long k_end = m < n ? m : n;
    for (long long i = 0; i < k_end && i < done; ++i) {
        apply_reflector(A, lda, conj(tau[i]), m, i, done, n, team);
        __syncwarp();
    }
    team.sync();
    if (done < k_end) geqrf_columns(A + done * (lda + 1), lda, tau + done, m - done, n - done, team);
}

} // namespace tephra
