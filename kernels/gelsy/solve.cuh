// Minimum-norm least-squares solutions from a QR factorisation with column pivoting, in global memory: a block per
// matrix. Steps: the rank, the reduction of R's rows to a triangle by reflectors from the right, Q^H B, the triangular
// solves, and back. Source: LAPACK gelsy, latrz.
#pragma once
#include "../common/instance.cuh"
#include "../gels/scale.cuh"
#include "../geqrf/columns.cuh"
#include "estimate.cuh"

namespace tephra {

// Mirrored in src/gpu/gelsy/steps.rs.
struct GelsyArgs {
    Operand a, b, jpvt, tau;
    Operand vectors; // workspace: 2 n elements per member
    Operand shifts;  // Shifts of each member
    int *rank;       // may be null
    double rcond;
    long long lda, ldb, batch, nrhs;
    int m, n;
};

// The rank of R's leading k x k triangle, by a warp; `least` and `most` have room for k elements each.
template <typename T>
__device__ __forceinline__ int rank_of(const T *A, long long lda, int k, T *least, T *most, double rcond) {
    using R = Real<T>;
    const int lane = threadIdx.x % 32;
    const R bound = static_cast<R>(rcond);
    R small = fabs(re(A[0])), great = small;
    if (small == 0) return 0;
    if (lane == 0) least[0] = most[0] = make<T>(1);
    __syncwarp();
    for (int i = 1; i < k; ++i) {
        const T *const w = A + i * lda;
        T of_least = make<T>(0), of_most = make<T>(0);
        for (int r = lane; r < i; r += 32) {
            of_least = cfma_(least[r], w[r], of_least);
            of_most = cfma_(most[r], w[r], of_most);
        }
        const R diagonal = re(w[i]);
        const auto s = extended(small, lanes_sum<32>(of_least), diagonal, false);
        const auto g = extended(great, lanes_sum<32>(of_most), diagonal, true);
        if (!(g.value * bound <= s.value) || s.value == 0) return i;
        for (int r = lane; r < i; r += 32) {
            least[r] = scale(least[r], s.s);
            most[r] = scale(most[r], g.s);
        }
        if (lane == 0) least[i] = s.c, most[i] = g.c;
        small = s.value, great = g.value;
        __syncwarp();
    }
    return k;
}

// Reduces R's first `rank` rows to a triangle: (T 0) = R H(rank - 1) .. H(0). The vectors of the reflectors are stored
// in rows in place of the eliminated elements, their factors in tau.
template <typename T, typename Team>
__device__ __forceinline__ void rows_to_triangle(T *A, long long lda, int n, int rank, T *tau, const Team &team) {
    using R = Real<T>;
    const int t = team.rank, beyond = n - rank;
    for (int q = rank - 1; q >= 0 && beyond > 0; --q) {
        T *const row = A + q + rank * lda; // with stride lda
        R sum = 0, below = 0;
        for (int c = t; c < beyond; c += Team::threads) {
            const T x = row[c * lda];
            sum = abs2_add(x, sum), below = fmax(below, abs_inf(x));
        }
        sum = team.sum(sum);
        const T alpha = make<T>(re(A[q + q * lda]));
        const R square = abs2_add(alpha, sum);
        Reflector<T> h;
        R first = 1, second = 1;
        if (sum > SafeRange<R>::lo && square < SafeRange<R>::hi) {
            h = reflector_exact(alpha, sum);
        } else {
            below = team.max(below);
            const R largest = fmax(below, abs_inf(alpha));
            const Rescale<R> rescale(largest);
            R scaled = 0;
            for (int c = t; c < beyond; c += Team::threads) scaled = abs2_add(rescale(row[c * lda]), scaled);
            scaled = team.sum(scaled);
            h = reflector_guarded<T>(rescale(alpha), scaled, below, largest, rescale.e, sum + re(alpha));
            first = rescale.first, second = rescale.second;
        }
        team.sync(); // alpha has been read
        for (int c = t; c < beyond; c += Team::threads)
            row[c * lda] = mul(scale(scale(conj(row[c * lda]), first), second), h.factor);
        if (t == 0) A[q + q * lda] = make<T>(h.beta), tau[q] = h.tau;
        team.sync();
        for (int p = t; p < q; p += Team::threads) {
            T *const x = A + p + rank * lda;
            T dot = A[p + q * lda];
            for (int c = 0; c < beyond; ++c) dot = fma_(x[c * lda], row[c * lda], dot);
            dot = mul(h.tau, dot);
            A[p + q * lda] = add(A[p + q * lda], scale(dot, R(-1)));
            for (int c = 0; c < beyond; ++c) x[c * lda] = fnma_(dot, conj(row[c * lda]), x[c * lda]);
        }
        team.sync();
    }
}

// One column of B, by a warp: applies Q^H, solves with T, appends zeros, and applies H(0), H(1), ...
template <typename T>
__device__ __forceinline__ void shortest(const T *A, long long lda, const T *tau, const T *row_tau, T *y, int m, int n,
                                         int rank) {
    using R = Real<T>;
    const int lane = threadIdx.x % 32, beyond = n - rank;
    for (int k = 0; k < rank; ++k) {
        const T *const x = A + k * lda;
        T dot = lane == 0 ? y[k] : make<T>(0);
        for (int r = k + 1 + lane; r < m; r += 32) dot = cfma_(x[r], y[r], dot);
        dot = mul(conj(tau[k]), lanes_sum<32>(dot));
        if (lane == 0) y[k] = add(y[k], scale(dot, R(-1)));
        for (int r = k + 1 + lane; r < m; r += 32) y[r] = fnma_(x[r], dot, y[r]);
        __syncwarp();
    }
    for (int k = rank - 1; k >= 0; --k) {
        const T *const x = A + k * lda;
        const R d = re(x[k]);
        const T value = make<T>(re(y[k]) / d, im(y[k]) / d);
        __syncwarp(); // all lanes have read y[k]
        if (lane == 0) y[k] = value;
        for (int r = lane; r < k; r += 32) y[r] = fnma_(x[r], value, y[r]);
        __syncwarp();
    }
    T *const rest = y + rank;
    for (int c = lane; c < beyond; c += 32) rest[c] = make<T>(0);
    for (int q = 0; q < rank && beyond > 0; ++q) {
        const T *const v = A + q + rank * lda;
        T dot = lane == 0 ? y[q] : make<T>(0);
        for (int c = lane; c < beyond; c += 32) dot = cfma_(v[c * lda], rest[c], dot);
        dot = mul(row_tau[q], lanes_sum<32>(dot));
        if (lane == 0) y[q] = add(y[q], scale(dot, R(-1)));
        for (int c = lane; c < beyond; c += 32) rest[c] = fnma_(v[c * lda], dot, rest[c]);
    }
}

template <typename T, int THREADS>
__device__ __forceinline__ void gelsy_solve(const GelsyArgs &args) {
    using R = Real<T>;
    constexpr int W = THREADS / 32;
    __shared__ R scratch[32];
    __shared__ int rank_of_member;
    const BlockTeam<THREADS, R, false> team(scratch);
    const int t = threadIdx.x, w = t / 32, m = args.m, n = args.n;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *const A = member<T>(args.a, i), *const B = member<T>(args.b, i);
        T *const row_tau = member<T>(args.vectors, i), *const other = row_tau + n;
        const T *const tau = member<T>(args.tau, i);
        const int *const jpvt = member<int>(args.jpvt, i);
        const Shifts shifts = member_shifts<T>(args.shifts, i);
        if (w == 0) {
            const int rank = rank_of(A, args.lda, m < n ? m : n, row_tau, other, args.rcond);
            if (t == 0) rank_of_member = rank;
        }
        __syncthreads();
        const int rank = rank_of_member;
        if (t == 0 && args.rank) args.rank[i] = rank;
        if (args.nrhs > 0) {
            rows_to_triangle(A, args.lda, n, rank, row_tau, team);
            for (long long j = w; j < args.nrhs; j += W)
                shortest(A, args.lda, tau, row_tau, B + j * args.ldb, m, n, rank);
            __syncthreads();
            for (long long j = 0; j < args.nrhs; ++j) {
                T *const y = B + j * args.ldb;
                for (int r = t; r < n; r += THREADS) other[r] = y[r];
                __syncthreads();
                for (int r = t; r < n; r += THREADS) y[jpvt[r] - 1] = other[r];
                __syncthreads();
            }
            if (shifts.a != 0 || shifts.b != 0) {
                Part<T>{B, args.ldb, n, args.nrhs}.template times_power<W>(shifts.a - shifts.b, w);
                if (m > n) Part<T>{B + n, args.ldb, m - n, args.nrhs}.template times_power<W>(-shifts.b, w);
            }
        }
        __syncthreads(); // the rank has been read
    }
}

} // namespace tephra

#define TEPHRA_GELSY_SOLVE(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsyArgs, gelsy_solve)
