// Least squares in one launch, for small sizes: [A | B] in the registers of a warp or a part of one, as many QR steps
// as A has columns, then back substitution on the columns of B. No workspace. Source: LAPACK gels, op N, m >= n.
#pragma once
#include "../common/instance.cuh"
#include "../geqrf/warp.cuh"
#include "../trsm/diagonal.cuh"
#include "steps.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_>
struct WarpGels : WarpQr<T_, PR_, PC_, RPT_, CPT_> {
    using Base = WarpQr<T_, PR_, PC_, RPT_, CPT_>;
    using Base::a, Base::CPT, Base::factor, Base::lane, Base::lanes, Base::lr, Base::PC, Base::PR, Base::RPT;
    using typename Base::R;
    using typename Base::T;
    int width; // of A; the columns from there on are B's
    int info;

    __device__ __forceinline__ WarpGels(int m, int n, int nrhs)
        : Base(m, n + nrhs, nullptr, nullptr), width(n), info(0) {
        this->k_end = this->k_end < n ? this->k_end : n;
    }

    // Calls f(address, r, c) for every element of the tile, A's and B's; the address is null outside.
    template <typename F>
    __device__ __forceinline__ void each(T *A, long long lda, T *B, long long ldb, F f) {
        forget(A, B); // otherwise the addresses of the loads stay in registers until the stores
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int j = this->col(c);
            T *p = (j < width ? A + j * lda : B + (j - width) * ldb) + lr;
            const int rows = j < this->n ? this->m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) f(r * PR < rows ? p + r * PR : nullptr, r, c);
        }
    }

    // Step k of the back substitution: column k of R is in register column c, row k in register row r0.
    template <int c, int r0>
    __device__ __forceinline__ void back(int k) {
        const int owner = k - c * PC, kr = k % PR;
        const int source = (lane & ~(lanes - 1)) + owner * PR;
        T v[r0 + 1];
#pragma unroll
        for (int r = 0; r <= r0; ++r) v[r] = PC == 1 ? a[r][c] : shfl(a[r][c], source + lr);
        const R d = re(lanes == 1 ? v[r0] : shfl(a[r0][c], source + kr)); // real after QR
        if (d == 0) info = k + 1;
        const R inverse = reciprocal_is_safe(d) ? reciprocal(d) : R(1) / d;
#pragma unroll
        for (int j = c; j < CPT; ++j) {
            if ((j + 1) * PC <= width) continue; // A's in all lanes
            const T y = PR == 1 ? a[r0][j] : shfl(a[r0][j], this->row_lane(k));
            const T x = scale(y, inverse);
            const bool rhs = this->col(j) >= width;
#pragma unroll
            for (int r = 0; r < r0; ++r) a[r][j] = rhs ? fnma_(v[r], x, a[r][j]) : a[r][j];
            const T above = fnma_(v[r0], x, a[r0][j]);
            a[r0][j] = !rhs || lr > kr ? a[r0][j] : lr == kr ? x : above;
        }
    }
    // Whether right-hand sides in this lane's columns have overflowed or are NaN.
    __device__ __forceinline__ bool lost_sides() const {
        R nothing = 0;
#pragma unroll
        for (int j = 0; j < CPT; ++j) {
            if ((j + 1) * PC <= width) continue;
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                nothing = fma(re(a[r][j]), R(0), nothing);
                if (is_complex<T>) nothing = fma(im(a[r][j]), R(0), nothing);
            }
        }
        return nothing != 0;
    }
    // From the last row up; c and r0 are compile-time constants.
    template <int K0 = 0>
    __device__ __forceinline__ void walk_back() {
        if constexpr (K0 < Base::max_k) {
            constexpr int c = K0 / PC, r = K0 / PR;
            constexpr int next_c = (c + 1) * PC, next_r = (r + 1) * PR, next = next_c < next_r ? next_c : next_r;
            if (K0 < width) {
                walk_back<next>();
                const int last = next < width ? next : width;
#pragma unroll 1
                for (int k = last - 1; k >= K0; --k) back<c, r>(k);
            }
        }
    }
};

// Scales back columns in memory, by a warp: R's columns, those of X (the solution of the scaled system), and those of
// the rest of B below. In two factors, because the quotient of two scales need not be a normal number.
template <typename T, int N>
__device__ __noinline__ void gels_unscale(T *A, long long lda, T *B, long long ldb, int m, int n, int nrhs,
                                          const ColumnScales<N> &scales) {
    using R = Real<T>;
    __syncwarp(); // other lanes have written it
    for (int j = 0; j < n + nrhs; ++j) {
        T *const x = j < n ? A + j * lda : B + (j - n) * ldb;
        for (int r = threadIdx.x % 32; r < (j < n ? j + 1 : m); r += 32) {
            const int e = scales.exponent[j] - (j >= n && r < n ? scales.exponent[r] : 0);
            x[r] = scale(scale(x[r], pow2(e / 2, R())), pow2(e - e / 2, R()));
        }
    }
}

// The same in global memory, by a warp, for a matrix whose scaling the fast formulas do not cover. tau: one element.
// Columns that are not plain are scaled first, as in registers.
template <typename T, int N>
__device__ __noinline__ int gels_columns(T *A, long long lda, T *B, long long ldb, int m, int n, int nrhs, T *tau,
                                         ColumnScales<N> &scales) {
    using Team = WarpTeam;
    using R = Real<T>;
    const Team team;
    const auto column = [&](int j) { return Part<T>{j < n ? A + j * lda : B + (j - n) * ldb, 0, m, 1}; };
    __syncwarp(); // the scales have been read
    for (int j = 0; j < n + nrhs; ++j) {
        Largest<T> size;
        column(j).template each<1>(0, [&](const T &x) { size.add(x); });
        const int e = scale_exponent<R>(warp_largest(size.size()));
        if (team.rank == 0) scales.exponent[j] = e;
        if (e != 0) column(j).template times_power<1>(-e, 0);
    }
    team.sync();
    const int t = team.rank, warp = t / 32, lane = t % 32;
    int info = 0;
    for (int k = 0; k < n; ++k) {
        const T *x = A + k * lda;
        geqrf_columns(A + k * lda + k, lda, tau, m - k, 1, team);
        const T tau_h = conj(*tau);
        for (int j = k + 1 + warp; j < n + nrhs; j += Team::threads / 32) {
            T *y = j < n ? A + j * lda : B + (j - n) * ldb;
            T dot = lane == 0 ? y[k] : make<T>(0);
            for (int r = k + 1 + lane; r < m; r += 32) dot = cfma_(x[r], y[r], dot);
            dot = mul(tau_h, lanes_sum<32>(dot));
            if (lane == 0) y[k] = add(y[k], scale(dot, Real<T>(-1)));
            for (int r = k + 1 + lane; r < m; r += 32) y[r] = fnma_(x[r], dot, y[r]);
        }
        team.sync();
    }
    for (int k = n - 1; k >= 0; --k) {
        const T *x = A + k * lda;
        if (is_zero(x[k])) info = k + 1;
        for (int j = warp; j < nrhs; j += Team::threads / 32) {
            T *y = B + j * ldb;
            const T value = divide(y[k], x[k]);
            __syncwarp(); // all lanes have read y[k]
            if (lane == 0) y[k] = value;
            for (int r = lane; r < k; r += 32) y[r] = fnma_(x[r], value, y[r]);
            __syncwarp();
        }
    }
    gels_unscale(A, lda, B, ldb, m, n, nrhs, scales);
    return info;
}

template <typename T, int PR, int PC, int RPT, int CPT, int TEAMS>
__device__ __forceinline__ void gels_fused(const GelsArgs &args) {
    using K = WarpGels<T, PR, PC, RPT, CPT>;
    __shared__ T tau[TEAMS];
    __shared__ ColumnScales<K::max_n> all_scales[TEAMS][K::mats];
    auto &scales = all_scales[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, rank = lane % K::lanes;
    const long long wave = blockIdx.x * (long long)TEAMS + threadIdx.x / 32;
    const long long first = wave * K::mats, i = first + lane / K::lanes;
    const bool live = i < args.batch;
    const int m = static_cast<int>(args.m), n = static_cast<int>(args.n), nrhs = static_cast<int>(args.nrhs);
    T *A = live ? member<T>(args.a, i) : nullptr, *B = live ? member<T>(args.b, i) : nullptr;
    K k(m, n, nrhs);
    if (!live) k.n = 0; // loads and stores nothing, but takes the same steps
    k.each(A, args.lda, B, args.ldb, [&](const T *p, int r, int c) { k.a[r][c] = p ? *p : make<T>(0); });
    scales[0].begin();
    scale_columns(k, scales[lane / K::lanes], scales[0].any[0]);
    walk(k);
    const bool fails = k.failed();
    k.walk_back();
    // If one lane failed, its matrix failed.
    const unsigned failed = __ballot_sync(0xffffffffu, fails || k.lost_sides());
    const bool ok = live && !(failed << (32 - K::lanes - lane + rank) >> (32 - K::lanes));
    if (ok) {
        k.each(A, args.lda, B, args.ldb, [&](T *p, int r, int c) {
            const bool v = k.col(c) < n && k.row(r) > k.col(c);
            if (p) *p = v ? mul(k.a[r][c], k.factor[c]) : k.a[r][c];
        });
        if (args.info && rank == 0) args.info[i] = k.info;
    }
    if (scales[0].any[0]) {
        unsigned stored = __ballot_sync(0xffffffffu, ok && rank == 0);
        for (; stored; stored &= stored - 1) {
            const int slot = (__ffs(stored) - 1) / K::lanes;
            const long long j = first + slot;
            gels_unscale(member<T>(args.a, j), args.lda, member<T>(args.b, j), args.ldb, m, n, nrhs, scales[slot]);
        }
    }
    // The failed ones, one at a time; they still have their original contents.
    unsigned left = __ballot_sync(0xffffffffu, live && !ok && rank == 0);
    while (left) {
        const long long j = first + (__ffs(left) - 1) / K::lanes;
        const int info = gels_columns(member<T>(args.a, j), args.lda, member<T>(args.b, j), args.ldb, m, n, nrhs,
                                      tau + threadIdx.x / 32, scales[0]);
        if (args.info && lane == 0) args.info[j] = info;
        left &= left - 1;
    }
}

} // namespace tephra

#define TEPHRA_GELS(NAME, T, PR, PC, RPT, CPT, TEAMS, MIN_BLOCKS)                                                      \
    TEPHRA_ENTRY(NAME, Instance(32 * TEAMS).lanes(PR, PC, RPT, CPT), __launch_bounds__(32 * TEAMS, MIN_BLOCKS),        \
                 GelsArgs, gels_fused<letter::T, PR, PC, RPT, CPT, TEAMS>)
