// QR of one matrix by one warp in strips of columns, left-looking: a strip at a time is in registers, sees the
// reflectors of all earlier strips, is factored as in team.cuh and written once. So a matrix takes the registers of one
// strip, and many are in flight on a multiprocessor where a whole matrix would fill it; no barrier anywhere.
//
// A few reflectors at a time are applied as C += V X, X = S^T V^H C. V comes from global memory, where the strips
// before have left it, through two buffers in shared memory: the next ones are on their way while these are applied. S
// = -conj(T) is made when its columns are first there, from their Gram matrix.
#pragma once
#include "strip_tensor.cuh"
#include "strip_vector.cuh"

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS>
struct StripOf {
    using Type = VectorStrip<T, PR, PC, RPT, CPT, STRIPS>;
};
template <int RPT, int CPT, int STRIPS>
struct StripOf<double, 4, 8, RPT, CPT, STRIPS> {
    using Type = TensorStrip<RPT, CPT, STRIPS>;
};

template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS>
struct StripQr : StripOf<T, PR, PC, RPT, CPT, STRIPS>::Type {
    using Base = typename StripOf<T, PR, PC, RPT, CPT, STRIPS>::Type;
    using Base::k_end, Base::n, Base::NB, Base::quarter, Base::step;

    __device__ __forceinline__ StripQr(int m, int n, T *tau, typename Base::Mail &mail) : Base(m, n, tau, mail) {}

    // All reflectors before FIRST; the first are on their way.
    template <int FIRST, int BEGIN = 0>
    __device__ __forceinline__ void apply_before(const T *A, long long lda) {
        if constexpr (BEGIN < FIRST) {
            constexpr int end = BEGIN + quarter < FIRST ? BEGIN + quarter : FIRST;
#pragma unroll 1
            for (int k0 = BEGIN; k0 < end; k0 += step) {
                if (k0 + step < FIRST)
                    this->fetch(A, lda, k0 + step);
                else
                    copies_sent(); // none
                copies_but_last_done();
                __syncwarp();
                if (k0 >= FIRST - NB) this->make_s(k0);
                this->template apply<BEGIN>(k0);
                __syncwarp();
            }
            apply_before<FIRST, BEGIN + quarter>(A, lda);
        }
    }

    // Strips from FIRST on. Returns the columns that are done: all, or those before a strip that left the range.
    template <int FIRST = 0>
    __device__ __forceinline__ int run(T *A, long long lda, int all, int steps) {
        if constexpr (FIRST < STRIPS * NB) {
            if (FIRST >= all) return all;
            n = all - FIRST < NB ? all - FIRST : NB;
            k_end = steps < FIRST + n ? steps : FIRST + n;
            if constexpr (FIRST > 0) this->fetch(A, lda, 0);
            this->load(A + FIRST * lda, lda);
            apply_before<FIRST>(A, lda);
            const bool rest = k_end < FIRST + n; // the column of a real matrix's last row never is a pivot
            if (rest) this->template watch_rest<FIRST>();
            this->template factor_tile<FIRST>();
            bool ok = this->template ok<ProductRange<Real<T>>>();
            if (rest) ok = __all_sync(0xffffffffu, ok);
            if (!ok) return FIRST;
            this->template store<FIRST>(A, lda);
            __syncwarp(); // V is there
            return run<FIRST + NB>(A, lda, all, steps);
        } else {
            return all;
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS>
__device__ __forceinline__ void geqrf_strip(const GeqrfArgs &args) {
    using K = StripQr<T, PR, PC, RPT, CPT, STRIPS>;
    __shared__ typename K::Mail mail;
    const int m = static_cast<int>(args.m), n = static_cast<int>(args.n);
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *A = member<T>(args.a, i) + args.col0 * args.lda + args.row0;
        T *tau = member<T>(args.tau, i) + args.col0;
        if (args.info && threadIdx.x == 0) args.info[i] = 0;
        K k(m, n, tau, mail);
        k.clear_rest();
        const int done = m < n ? 0 : k.run(A, args.lda, n, k.k_end);
        if (done == n) {
            if (!is_complex<T> && m == n && threadIdx.x == 0) tau[m - 1] = make<T>(0); // the last row of a real matrix
        } else {
            apply_columns_call(A, args.lda, tau, args.m, args.n, done, WarpTeam());
            geqrf_columns_call(A + done * args.lda + done, args.lda, tau + done, args.m - done, args.n - done,
                               WarpTeam());
        }
        __syncwarp();
    }
}

} // namespace tephra
