// QR of a matrix (or panel) that lives in registers: one read and one write of A, no workspace.
//
// A team of W warps owns a matrix; in each warp PR x PC lanes share rows and columns cyclically:
//   lane (lr, lc) of warp w holds rows i = r PR + lr, r < RPT, of columns j = (c PC + lc) W + w, c < CPT,
// so that every column belongs to PR lanes of one warp. With W = 1 a warp holds 32 / (PR PC) matrices.
// A step: the owner makes the reflector (norm by shuffles) and puts v, zero above its row and one in it, into shared
// memory; after one barrier everyone applies it (v is read once per lane, dots are summed by shuffles).
// Sizes below the compiled ones are masked: what is outside is zero and never stored.
// Source: LAPACK geqr2/larfg; layout in the spirit of register-resident batched QR (paper 000, section 4).
#pragma once
#include "../common/batch.cuh"
#include "../common/householder.cuh"

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int W>
struct Resident {
    using R = Real<T>;
    static constexpr int lanes = PR * PC;         // of a matrix in one warp
    static constexpr int mats = 32 / lanes;       // matrices of a warp
    static constexpr int cols_per_c = PC * W;     // columns that share one register index c
    static constexpr int max_m = PR * RPT, max_n = cols_per_c * CPT;
    static_assert(lanes <= 32 && (W == 1 || lanes == 32), "a team of several warps uses whole warps");

    // Mailbox of a matrix: v twice (double buffer), tau with each.
    struct Mail {
        T v[2][max_m];
        T tau[2];
    };

    T a[RPT][CPT];
    int lr, lc, w, m, n;

    __device__ __forceinline__ int row(int r) const { return r * PR + lr; }
    __device__ __forceinline__ int col(int c) const { return (c * PC + lc) * W + w; }

    __device__ __forceinline__ void load(const T* A, long long lda) {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const T* p = A + col(c) * lda + lr;
            const int rows = col(c) < n ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = r * PR < rows ? p[r * PR] : make<T>(0);
        }
    }
    __device__ __forceinline__ void store(T* A, long long lda) const {
        asm volatile("" : "+l"(A), "+l"(lda)); // or the loads' addresses would stay in registers until here
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T* p = A + col(c) * lda + lr;
            const int rows = col(c) < n ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR < rows) p[r * PR] = a[r][c];
        }
    }

    // Reflector of column k = (c PC + lc) W + w of the owning lanes; the other lanes of the warp compute along.
    template <int c>
    __device__ __forceinline__ void reflect(int k, bool mine, Mail& mail, T* tau_out) {
        constexpr int r_lo = c * cols_per_c / PR;                                      // first row that can be k
        constexpr int r_hi_ = ((c + 1) * cols_per_c - 1) / PR;                         // last one
        constexpr int r_hi = r_hi_ < RPT ? r_hi_ : RPT - 1;
        T alpha = make<T>(0);
        R sum = 0;
#pragma unroll
        for (int r = r_lo; r < RPT; ++r) {
            const bool below = r > r_hi || row(r) > k;
            if (r <= r_hi && row(r) == k) alpha = a[r][c];
            sum = abs2_add(below ? a[r][c] : make<T>(0), sum);
        }
        sum = lanes_sum<PR>(sum);
        alpha = shfl(alpha, ((threadIdx.x & 31) & ~(PR - 1)) | (k % PR));
        const R q = abs2_add(alpha, sum);
        Reflector<T> h = reflector_safe<T>(alpha, q);
        const bool safe = sum > SafeRange<R>::lo && q < SafeRange<R>::hi;
        if (__any_sync(0xffffffffu, mine && !safe)) guard<c>(k, mine && !safe, alpha, sum, h);
        if (mine) {
            T* v = mail.v[k & 1];
#pragma unroll
            for (int r = r_lo; r < RPT; ++r) {
                const bool below = r > r_hi || row(r) > k;
                if (below) a[r][c] = mul(a[r][c], h.factor);
                T publish = below ? a[r][c] : make<T>(0);
                if (r <= r_hi && row(r) == k) {
                    publish = make<T>(1);
                    a[r][c] = make<T>(h.beta);
                }
                v[row(r)] = publish;
            }
            if (lr == 0) {
                mail.tau[k & 1] = conj(h.tau);
                if (tau_out) tau_out[k] = h.tau;
            }
        }
    }

    // Columns that could underflow or overflow: again, on the column scaled by a power of two.
    template <int c>
    __device__ __forceinline__ void guard(int k, bool needed, T alpha, R raw, Reflector<T>& h) {
        R below = 0;
#pragma unroll
        for (int r = 0; r < RPT; ++r)
            if (row(r) > k) below = fmax(below, abs_inf(a[r][c]));
        below = lanes_max<PR>(below);
        const R largest = fmax(below, abs_inf(alpha));
        const Rescale<R> rescale(largest);
        R sum = 0;
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            if (row(r) > k) {
                const T scaled = rescale(a[r][c]);
                sum = abs2_add(scaled, sum);
                if (needed) a[r][c] = scaled;
            }
        }
        sum = lanes_sum<PR>(sum);
        if (needed)
            h = reflector_guarded<T>(rescale(alpha), sum, below, largest, rescale.e, raw + re(alpha) + im(alpha));
    }

    // A := H^H A for the columns after k, with v and conj(tau) from the mailbox.
    template <int c0>
    __device__ __forceinline__ void apply(int k, const Mail& mail) {
        constexpr int r_lo = c0 * cols_per_c / PR;
        // v is kept between its two uses where registers allow, else read again.
        constexpr bool keep = RPT * sizeof(T) <= 128;
        constexpr int chains = CPT - c0 >= 4 ? 1 : 4 / (CPT - c0); // independent sums to hide the FMA's latency
        const T* box = mail.v[k & 1] + lr;
        const T tau = mail.tau[k & 1];
        T v[keep ? RPT : 1], x[chains][CPT];
#pragma unroll
        for (int c = c0; c < CPT; ++c)
#pragma unroll
            for (int s = 0; s < chains; ++s) x[s][c] = make<T>(0);
#pragma unroll
        for (int r = r_lo; r < RPT; ++r) {
            const T vr = box[r * PR];
            if constexpr (keep) v[r] = vr;
#pragma unroll
            for (int c = c0; c < CPT; ++c) x[r % chains][c] = cfma_(vr, a[r][c], x[r % chains][c]);
        }
#pragma unroll
        for (int c = c0; c < CPT; ++c) {
#pragma unroll
            for (int s = 1; s < chains; ++s) x[0][c] = add(x[0][c], x[s][c]);
            x[0][c] = mul(tau, lanes_sum<PR>(x[0][c]));
        }
        if constexpr (!keep) asm volatile("" ::: "memory"); // do not keep v alive
        const bool after = col(c0) > k;
#pragma unroll
        for (int r = r_lo; r < RPT; ++r) {
            const T vr = keep ? v[keep ? r : 0] : box[r * PR];
            if (after) a[r][c0] = fnma_(vr, x[0][c0], a[r][c0]);
#pragma unroll
            for (int c = c0 + 1; c < CPT; ++c) a[r][c] = fnma_(vr, x[0][c], a[r][c]);
        }
    }

    // The columns whose register index is c, then those after.
    template <int c>
    __device__ __forceinline__ void steps(int k_end, Mail& mail, T* tau_out) {
        if constexpr (c < CPT) {
            constexpr int first = c * cols_per_c;
            constexpr int all = first + cols_per_c < max_m ? first + cols_per_c : max_m;
            if (first < k_end) {
                const int last = all < k_end ? all : k_end;
#pragma unroll 1
                for (int k = first; k < last; ++k) {
                    const int owner = k - first; // = lc W + w
                    if (owner % W == w) reflect<c>(k, owner / W == lc, mail, tau_out);
                    if constexpr (W == 1) __syncwarp();
                    else __syncthreads();
                    apply<c>(k, mail);
                }
                steps<c + 1>(k_end, mail, tau_out);
            }
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int W, int TEAMS>
__device__ __forceinline__ void geqrf_resident(const GeqrfArgs& args) {
    using K = Resident<T, PR, PC, RPT, CPT, W>;
    constexpr int per_block = K::mats * TEAMS; // matrices of a block
    __shared__ typename K::Mail mail[per_block];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int team = warp / W, slot = team * K::mats + lane / K::lanes;
    K k;
    k.w = warp % W;
    k.lr = lane % PR;
    k.lc = lane % K::lanes / PR;
    const long long first = blockIdx.x * (long long)per_block + slot;
    const long long i = first < args.batch ? first : args.batch - 1; // idle lanes follow the last matrix, storing nothing
    const bool live = first < args.batch;
    k.m = live ? static_cast<int>(args.m) : 0;
    k.n = static_cast<int>(args.n);
    T* A = member<T>(args.a, i) + args.col0 * args.lda + args.row0;
    T* tau = live ? member<T>(args.tau, i) + args.col0 : nullptr;
    if (args.info && k.w == 0 && k.lr == 0 && k.lc == 0 && live) args.info[i] = 0;
    k.load(A, args.lda);
    const int k_end = static_cast<int>(args.m < args.n ? args.m : args.n);
    k.template steps<0>(k_end, mail[slot], tau);
    k.store(A, args.lda);
}

} // namespace tephra
