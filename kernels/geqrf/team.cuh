// QR of one matrix in the registers of several warps: a barrier a column, v through shared memory.
//
// A step, with x the part of the pivot column below alpha, as it is, and u = (alpha - beta, x):
//   H^H = I - g u u^H,  g = conj(tau) / |alpha - beta|^2
// so that the norm and all dots x^H a_j come from one round of sums, and the scalars are found while nothing waits
// for a scaled v. The next pivot column is published as soon as it is up to date.
#pragma once
#include "columns.cuh"
#include "tile.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_>
struct TeamQr : Tile<T_, PR_, PC_, RPT_, CPT_, W_> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, W_>;
    using Base::a, Base::CPT, Base::factor, Base::k_end, Base::lc, Base::lr, Base::P, Base::PR, Base::RPT, Base::w,
        Base::W;
    using typename Base::R;
    using typename Base::T;

    // Pivot columns on their way: rows up to the diagonal are zero. Two, so that one barrier a step is enough.
    struct Mail {
        T x[2][Base::max_m];
        T alpha[2];
        R scratch[32];
    };
    Mail &mail;
    T *tau;

    __device__ __forceinline__ TeamQr(int m, int n, T *tau_, Mail &mail_) : Base(m, n), mail(mail_), tau(tau_) {}

    // Column k = owned register column c, whose pivot is in register row r0 or r0 + 1.
    template <int c, int r0>
    __device__ __forceinline__ void publish(int k) {
        if (!this->owns(c, k)) return;
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const bool near = r <= r0 + 1;
            mail.x[k & 1][this->row(r)] = !near || this->row(r) > k ? a[r][c] : make<T>(0);
            if (near && this->row(r) == k) mail.alpha[k & 1] = a[r][c];
        }
    }

    template <int c, int r0>
    __device__ __forceinline__ void step(int k) {
        // x is kept between its two uses where registers allow, else read again.
        constexpr bool keep = (RPT - r0) * sizeof(T) <= 128;
        constexpr int chains = CPT - c >= 4 ? 1 : 4 / (CPT - c); // independent sums, to hide the FMA's latency
        __syncthreads();
        const T *box = mail.x[k & 1] + lr;
        const T alpha = mail.alpha[k & 1];
        const int kr = k % PR;
        T x[keep ? RPT : 1], dot[chains][CPT], pivot_row[CPT];
        R sum = 0;
#pragma unroll
        for (int j = c; j < CPT; ++j) {
            pivot_row[j] = PR == 1 ? a[r0][j] : shfl(a[r0][j], this->row_lane(k));
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s][j] = make<T>(0);
        }
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T xr = box[r * PR];
            if constexpr (keep) x[r] = xr;
            sum = abs2_add(xr, sum);
#pragma unroll
            for (int j = c; j < CPT; ++j) dot[r % chains][j] = cfma_(xr, a[r][j], dot[r % chains][j]);
        }
        sum = lanes_sum<PR>(sum);
#pragma unroll
        for (int j = c; j < CPT; ++j) {
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0][j] = add(dot[0][j], dot[s][j]);
            dot[0][j] = lanes_sum<PR>(dot[0][j]);
        }
        const Reflector<T> h = this->reflector(k, alpha, sum);
        const T d = add(alpha, make<T>(-h.beta));
        const T g = scale(conj(h.tau), abs2_add(h.factor, R(0)));
        // Finished columns take part with a zero: what is not finite never passes ok.
        T y[CPT];
#pragma unroll
        for (int j = c; j < CPT; ++j)
            y[j] = mul(j > c || this->col(c) > k ? g : make<T>(0), cfma_(d, pivot_row[j], dot[0][j]));
        if constexpr (!keep) asm volatile("" ::: "memory"); // do not keep x alive
        if (this->owns(c, k)) {
            factor[c] = h.factor;
            if (lr == kr) {
                a[r0][c] = make<T>(h.beta);
                tau[k] = h.tau;
            }
        }

        // The columns that may be the next pivot, then that one on its way, then the rest.
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T xr = keep ? x[keep ? r : 0] : box[r * PR];
            const T ur = r == r0 && lr == kr ? d : xr;
            a[r][c] = fnma_(ur, y[c], a[r][c]);
            if constexpr (c + 1 < CPT) a[r][c + 1] = fnma_(ur, y[c + 1], a[r][c + 1]);
        }
        if (k + 1 < k_end) {
            if (k + 1 < (c + 1) * P)
                publish<c, r0>(k + 1);
            else if constexpr (c + 1 < CPT)
                publish<c + 1, r0>(k + 1);
        }
        if constexpr (c + 2 < CPT) {
#pragma unroll
            for (int r = r0; r < RPT; ++r) {
                const T xr = keep ? x[keep ? r : 0] : box[r * PR];
                const T ur = r == r0 && lr == kr ? d : xr;
#pragma unroll
                for (int j = c + 2; j < CPT; ++j) a[r][j] = fnma_(ur, y[j], a[r][j]);
            }
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int W>
__device__ __forceinline__ void geqrf_team(const GeqrfArgs &args) {
    using K = TeamQr<T, PR, PC, RPT, CPT, W>;
    __shared__ typename K::Mail mail;
    const int m = static_cast<int>(args.m), n = static_cast<int>(args.n);
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *A = member<T>(args.a, i) + args.col0 * args.lda + args.row0;
        T *tau = member<T>(args.tau, i) + args.col0;
        if (args.info && threadIdx.x == 0) args.info[i] = 0;
        K k(m, n, tau, mail);
        k.load(A, args.lda);
        if (k.k_end > 0) k.template publish<0, 0>(0);
        walk(k);
        if (k.k_end < m && m <= n && threadIdx.x == 0) tau[m - 1] = make<T>(0); // the last row of a real matrix
        // Columns that never become a pivot (m < n) are not seen by the range test.
        if (m >= n && k.template ok<ProductRange<Real<T>>>())
            k.store(A, args.lda);
        else
            geqrf_columns_call(A, args.lda, tau, args.m, args.n, BlockTeam<32 * W, Real<T>>(mail.scratch));
        __syncthreads();
    }
}

} // namespace tephra
