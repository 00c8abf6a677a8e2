// QR of one matrix by one warp in strips of columns, left-looking. One strip at a time is in registers: the reflectors
// of all earlier strips are applied to it, it is factored as in team.cuh, and it is written once. A matrix thus takes
// only the registers of one strip, so that many are in flight on a multiprocessor that one whole matrix would fill, and
// no barriers are needed.
//
// A few reflectors at a time are applied as C += V X, X = S^T V^H C. V comes from global memory, where the previous
// strips have stored it, through two buffers in shared memory: the next reflectors are loaded while these are applied.
// S = -conj(T) is computed from the Gram matrix of its columns when these are first loaded.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "outside.cuh"
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
    using Base::a, Base::k_end, Base::lane, Base::lr, Base::m, Base::exchange, Base::n, Base::NB, Base::quarter,
        Base::step;

    struct Exchange : Base::Exchange {
        T taus[NB]; // of the previous strip
        ColumnScales<NB * STRIPS> scales;
        Place<T> from; // where A is read; here, since it is needed once a strip and registers are short
    };
    T *taus;
    const Place<T> *from;

    __device__ __forceinline__ StripQr(int m, int n, T *tau, Exchange &exchange)
        : Base(m, n, tau, exchange), taus(exchange.taus), from(&exchange.from) {}

    // As Tile::load, but with a separate row count, since the compiler would keep the comparisons of all elements,
    // packed into words, until the store. Nor should it hold the addresses of all columns at once.
    __device__ __forceinline__ void load(const T *A, long long lda) {
        const int left = opaque(m) - lr;
        const T *p = A + this->col(0) * lda + lr;
        const long long step = Base::P * lda;
#pragma unroll
        for (int c = 0; c < CPT; ++c, p += step) {
            p = global(p);
            const int rows = this->col(c) < n ? left : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = r * PR < rows ? p[r * PR] : make<T>(0);
        }
    }

    // The factor that turns owned column c into v; also stores its tau. Every lane computes it, which is less code, and
    // the code of strips is compiled once for each position.
    template <int FIRST>
    __device__ __forceinline__ T factor_of(int c) const {
        const auto done = exchange.done[this->col(c)];
        const int diagonal = FIRST + this->col(c);
        if (diagonal >= k_end) return make<T>(1);
        if (lr == 0) this->tau[diagonal] = scale(done.d, reciprocal_or_zero(done.minus_beta));
        return reciprocal_or_zero(done.d);
    }
    template <int FIRST>
    __device__ __forceinline__ void store(T *A, long long lda) const {
        forget(A, lda); // or the loads' addresses would stay in registers until here
        const int left = m - lr;
        __syncwarp(); // a column's lanes share its factor
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            constexpr int P = Base::P;
            const int j = this->col(c), diagonal = FIRST + j;
            T *p = A + diagonal * lda + lr;
            const int rows = j < n ? left : 0;
            const T factor = factor_of<FIRST>(c);
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                // Whether none of these rows is below the diagonal, or all are.
                const bool never = (r + 1) * PR <= c * P + FIRST, always = r * PR >= (c + 1) * P + FIRST;
                const T x = never || !(always || this->row(r) > diagonal) ? a[r][c] : mul(a[r][c], factor);
                if (r * PR < rows) p[r * PR] = x;
            }
        }
    }

    // What is compiled for each strip (the pivots' rows) fills the instruction cache. Many strips therefore share the
    // rest of the code, where FIRST, the strip's first column, is ANY. Few strips have code of their own.
    static constexpr int ANY = -1;

    // Applies reflectors k0 .. k0 + step - 1, which are in a buffer, to the tile. At least BEGIN rows are skipped.
    template <int BEGIN, int COLUMNS>
    __device__ __forceinline__ void apply_from(int k0) {
        if constexpr (BEGIN + quarter < (STRIPS - 1) * NB)
            if (k0 >= BEGIN + quarter) return apply_from<BEGIN + quarter, COLUMNS>(k0);
        this->template apply<BEGIN, true, COLUMNS>(k0);
    }

    // The same after starting to load the next reflectors, if there are more among the `count` before column `first`.
    template <int FIRST, int BEGIN, int COLUMNS = CPT>
    __device__ __forceinline__ void apply_next(const T *A, long long lda, int k0, int first, int count) {
        if (k0 + step < count)
            this->fetch(A, lda, k0 + step);
        else
            copies_sent(); // none
        this->arrive(k0);
        __syncwarp();
        if (k0 >= first - NB) this->make_s(k0, taus + k0 % NB);
        if constexpr (FIRST == ANY)
            apply_from<BEGIN, COLUMNS>(k0);
        else
            this->template apply<BEGIN>(k0);
        __syncwarp();
    }

    // Applies all `count` reflectors before column `first`; the first of them are being loaded.
    template <int FIRST, int BEGIN = 0>
    __device__ __forceinline__ void apply_before(const T *A, long long lda, int first, int count) {
        if constexpr (FIRST == ANY) {
            if (Base::narrow < CPT && n <= Base::narrow * Base::P) {
#pragma unroll 1
                for (int k0 = 0; k0 < count; k0 += step) apply_next<ANY, 0, Base::narrow>(A, lda, k0, first, count);
            } else {
#pragma unroll 1
                for (int k0 = 0; k0 < count; k0 += step) apply_next<ANY, 0>(A, lda, k0, first, count);
            }
        } else if constexpr (BEGIN < FIRST) {
            constexpr int last = BEGIN + quarter < FIRST ? BEGIN + quarter : FIRST;
            const int end = last < count ? last : count;
#pragma unroll 1
            for (int k0 = BEGIN; k0 < end; k0 += step) apply_next<FIRST, BEGIN>(A, lda, k0, FIRST, count);
            apply_before<FIRST, BEGIN + quarter>(A, lda, FIRST, count);
        }
    }

    // Factors the tile, to which all previous reflectors have been applied, and stores it unless it left the range.
    // FIRST: a lower bound of `first`.
    template <int FIRST>
    __device__ __forceinline__ bool finish(T *A, long long lda, int first) {
        if constexpr (FIRST < STRIPS * NB) {
            if (first != FIRST) return finish<FIRST + NB>(A, lda, first);
            // The column of a real matrix's last row never is a pivot.
            const bool rest_ok = k_end == FIRST + n || this->template rest_ok<FIRST>();
            this->template factor_tile<FIRST>(nullptr);
            // All lanes have seen the same, except for the columns that never are pivots. A vote tells the compiler so,
            // which saves a third of the code.
            const bool ok = __all_sync(0xffffffffu, rest_ok && this->template ok<ProductRange<Real<T>>>());
            if (ok) store<FIRST>(A, lda);
            return ok;
        } else {
            return false;
        }
    }

    // Factors the strip at column `first` of `all`; false if it left the range. steps: of the matrix.
    template <int FIRST>
    __device__ __forceinline__ bool strip(T *A, long long lda, int first, int all, int steps) {
        n = all - first < NB ? all - first : NB;
        k_end = steps < first + n ? steps : first + n;
        if (first > 0) this->fetch(A, lda, 0);
        this->load(from->p + first * from->ld, from->ld);
        this->begin_done();
        apply_before<FIRST>(A, lda, first, first < k_end ? first : k_end);
        if (!finish<(FIRST == ANY ? 0 : FIRST)>(A, lda, first)) return false;
        if (lane < NB) {
            const auto done = exchange.done[lane];
            const T x = scale(done.d, reciprocal_or_zero(done.minus_beta));
            taus[lane] = first + lane < k_end ? x : make<T>(0); // beyond the last reflector of a wide matrix
        }
        __syncwarp(); // V is in memory
        return true;
    }

    // Factors all strips. Returns the number of finished columns: all, or those before a strip that left the range.
    template <int FIRST = 0>
    __device__ __forceinline__ int run(T *A, long long lda, int all, int steps) {
        if constexpr (STRIPS > 3) {
#pragma unroll 1
            for (int first = 0; first < all; first += NB)
                if (!strip<ANY>(A, lda, first, all, steps)) return first;
        } else if constexpr (FIRST < STRIPS * NB) {
            if (FIRST >= all) return all;
            if (!strip<FIRST>(A, lda, FIRST, all, steps)) return FIRST;
            return run<FIRST + NB>(A, lda, all, steps);
        }
        return all;
    }
};

// One block per matrix, and no loop: after the calls of the slow path, the compiler would prepare every shuffle of
// another turn for a warp that has diverged.
template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS>
__device__ __forceinline__ void geqrf_strip(const GeqrfArgs &args) {
    using K = StripQr<T, PR, PC, RPT, CPT, STRIPS>;
    __shared__ typename K::Exchange exchange;
    const int m = args.m, n = args.n;
    const long long i = blockIdx.x;
    T *A = global(args.matrix<T>(i));
    T *tau = args.taus<T>(i);
    const Place<T> a = {A, args.lda};
    Place<T> from = args.source<T>(i);
    K k(m, n, tau, exchange);
    exchange.scales.begin();
    if (looks_odd(from.p, from.ld, m, n, exchange.scales)) [[unlikely]] {
        if (args.flags & GeqrfArgs::FROM) bring_call(from, a, m, 0, n);
        from = a;
        scale_call(A, args.lda, m, n, &exchange.scales);
    }
    if (threadIdx.x == 0) {
        args.no_error(i);
        exchange.from = from;
    }
    k.clear_rest();
    __syncwarp();
    const int done = k.run(A, args.lda, n, k.k_end);
    if (!is_complex<T> && m <= done && threadIdx.x == 0) tau[m - 1] = make<T>(0); // the last row of a real matrix
    if (done < n) {
        __syncwarp();
        if (exchange.from.p != A) bring_call(exchange.from, a, m, done, n);
        geqrf_rest_call(A, args.lda, tau, args.m, args.n, done, WarpTeam());
    }
    if (exchange.scales.any[0]) unscale_r_call(A, args.lda, m, 0, n, &exchange.scales, 0);
    if (args.flags & GeqrfArgs::R) put_r_call(a, args.r_place<T>(i), m, args.rows - args.at, n);
}

} // namespace tephra

#define TEPHRA_STRIP(NAME, T, PR, PC, RPT, CPT, STRIPS, MIN_BLOCKS)                                                    \
    TEPHRA_ENTRY(NAME, Instance(32).lanes(PR, PC, RPT, CPT).strips(STRIPS).from_outside(),                             \
                 __launch_bounds__(32, MIN_BLOCKS), GeqrfArgs, geqrf_strip<letter::T, PR, PC, RPT, CPT, STRIPS>)
