// QR of one matrix in the registers of a team of warps: a barrier a column, the pivot column through shared memory. A
// team of one warp has it by shuffles.
//
// A step, with x the part of the pivot column below alpha, as it is, and u = (alpha - beta, x):
//   H^H = I - g u u^H,  g = conj(tau) / |alpha - beta|^2
// so that the norm and all dots x^H a_j come from one round of sums, and the scalars are found while nothing waits
// for a scaled v. The next pivot column is published as soon as it is up to date.
#pragma once
#include "../common/chunk.cuh"
#include "columns.cuh"
#include "scatter.cuh"
#include "stage.cuh"
#include "tile.cuh"

namespace tephra {

// FIRST: the matrix's column that is column 0 of the tile, for matrices of several tiles (strip.cuh).
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_>
struct TeamQr : Tile<T_, PR_, PC_, RPT_, CPT_, W_> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, W_>;
    using Base::a, Base::CPT, Base::k_end, Base::lane, Base::lc, Base::lr, Base::P, Base::PC, Base::PR, Base::RPT,
        Base::w, Base::W;
    using typename Base::R;
    using typename Base::T;

    static constexpr int V = Chunk<T>::size;
    // Rows of a lane in the mail, side by side; an odd number of chunks keeps the lanes in different banks.
    static constexpr int box_rows = ((RPT + V - 1) / V | 1) * V, box_size = W == 1 ? 1 : box_rows * PR;

    static constexpr bool by_line = sizeof(R) == 4 && PR >= 4; // sums may be scattered
    static constexpr int line = by_line ? ((CPT + V - 1) / V | 1) * V : 1;
    struct alignas(2 * sizeof(T)) Done {
        T d;
        R beta;
    };
    struct Mail {
        // Pivot columns on their way, from the pivot's register row on. Two, so that one barrier a step is enough.
        alignas(16) T x[2][box_size];
        alignas(16) T row[by_line ? W * PC : 1][line]; // the pivot's row, a line for each lane column of each warp
        Done done[Base::max_n];                        // the tile's finished columns, for the store
        R scratch[32];
    };
    Mail &mail;
    T *tau;

    __device__ __forceinline__ TeamQr(int m, int n, T *tau_, Mail &mail_) : Base(m, n), mail(mail_), tau(tau_) {}

    // Element (r, c) of the tile as LAPACK leaves it, with its column's factor.
    template <int FIRST>
    __device__ __forceinline__ T finished(int r, int c, T factor) const {
        const bool never = (r + 1) * PR <= c * P + FIRST, always = r * PR >= (c + 1) * P + FIRST; // below the diagonal
        return never || !(always || this->row(r) > FIRST + this->col(c)) ? a[r][c] : mul(a[r][c], factor);
    }
    // What turns owned column c into v; its tau is stored on the way.
    template <int FIRST>
    __device__ __forceinline__ T factor_of(int c) const {
        const int diagonal = FIRST + this->col(c);
        if (diagonal >= k_end) return make<T>(1);
        const Done done = mail.done[this->col(c)];
        if (lr == 0) tau[diagonal] = scale(done.d, -reciprocal_or_zero(done.beta));
        return reciprocal_or_zero(done.d);
    }
    template <int FIRST>
    __device__ __forceinline__ void store(T *A, long long lda) const {
        asm volatile("" : "+l"(A), "+l"(lda)); // or the loads' addresses would stay in registers until here
        __syncwarp();                          // a column's lanes share its factor
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int j = this->col(c), diagonal = FIRST + j;
            T *p = A + diagonal * lda + lr;
            const int rows = j < this->n ? this->m - lr : 0;
            const T factor = factor_of<FIRST>(c);
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const T x = finished<FIRST>(r, c, factor);
                if (r * PR < rows) p[r * PR] = x;
            }
        }
    }

    // The whole tile from shared memory and back: columns ld apart.
    template <int ld>
    __device__ __forceinline__ void take(const T *cells) {
        cells += this->col(0) * ld + lr;
#pragma unroll
        for (int c = 0; c < CPT; ++c)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = cells[c * P * ld + r * PR];
    }
    template <int ld>
    __device__ __forceinline__ void give(T *cells) const {
        __syncwarp(); // a column's lanes share its factor
        cells += this->col(0) * ld + lr;
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const T factor = factor_of<0>(c);
#pragma unroll
            for (int r = 0; r < RPT; ++r) cells[c * P * ld + r * PR] = finished<0>(r, c, factor);
        }
    }

    static __device__ __forceinline__ void sync() {
        if constexpr (W == 1)
            __syncwarp();
        else
            __syncthreads();
    }

    // Elements first .. END - 1 of x(i), i a multiple of V, side by side.
    template <int END, typename F>
    static __device__ __forceinline__ void send(T *to, int first, const F &x) {
#pragma unroll
        for (int i = first / V * V; i < END; i += V) {
            if (i + V <= END) {
                Chunk<T> q;
#pragma unroll
                for (int e = 0; e < V; ++e) q.e[e] = x(i + e < END ? i + e : 0);
                *reinterpret_cast<Chunk<T> *>(to + i) = q;
            } else { // a whole chunk would want its registers in a row
#pragma unroll
                for (int e = 0; i + e < END; ++e) to[i + e] = x(i + e);
            }
        }
    }

    // Column k = owned register column c, from register row r0 on.
    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void publish(int k) {
        if (!this->owns(c, k - FIRST)) return;
        send<RPT>(mail.x[k & 1] + lr * box_rows, r0, [&](int r) { return a[r][c]; });
    }

    template <int FIRST, int c, int r0>
    __device__ __forceinline__ void step(int k) {
        // x is kept between its two uses where registers allow, else read again.
        constexpr bool keep = W == 1 || (RPT - r0) * sizeof(T) <= 128;
        constexpr int N = CPT - c;                 // columns of a lane that are not finished in all lanes
        constexpr int chains = N >= 4 ? 1 : 4 / N; // independent sums, to hide the FMA's latency
        using Sums = Sums<T, PR, N>;
        const int kr = k % PR;
        const T *box = mail.x[k & 1] + (W > 1 ? lr * box_rows : 0);
        T x[keep ? RPT : 1], dot[chains][N], pivot_row[N], alpha;
        if constexpr (W == 1) {
            const int source = (k - FIRST - c * P) * PR;
#pragma unroll
            for (int r = r0; r < RPT; ++r) x[r] = shfl_group<32>(a[r][c], source + lr);
            alpha = shfl_group<32>(a[r0][c], source + kr);
            if (lr <= kr) x[r0] = make<T>(0);
        } else {
            __syncthreads();
            alpha = mail.x[k & 1][kr * box_rows + r0];
            if constexpr (keep) {
#pragma unroll
                for (int first = r0 / V * V; first < RPT; first += V) {
                    const auto q = *reinterpret_cast<const Chunk<T> *>(box + first);
#pragma unroll
                    for (int e = 0; e < V; ++e)
                        if (first + e >= r0 && first + e < RPT) x[first + e] = q.e[e];
                }
                if (lr <= kr) x[r0] = make<T>(0);
            }
        }
        // A lone warp has x's sum of squares among its dots, in the lanes of the pivot column. Where the dots are many
        // and cheap they come too late for that.
        constexpr bool own = W == 1 && (CPT < 12 || sizeof(T) > 4);
        R sums[4] = {0, 0, 0, 0};
        // The pivot's row is wanted where the dots are: in one lane each, or in all.
        static_assert(by_line || !Sums::scattered);
        T *const row = mail.row[by_line ? this->w * PC + lc : 0];
        if constexpr (Sums::scattered) {
            if (lr == kr) send<CPT>(row, c, [&](int j) { return a[r0][j]; });
            __syncwarp();
        }
#pragma unroll
        for (int j = 0; j < N; ++j) {
            if constexpr (!Sums::scattered) pivot_row[j] = PR == 1 ? a[r0][c + j] : shfl_group<PR>(a[r0][c + j], kr);
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s][j] = make<T>(0);
        }
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T xr = keep ? x[keep ? r : 0] : r == r0 && lr <= kr ? make<T>(0) : box[r];
            if constexpr (!own) sums[r % 4] = abs2_add(xr, sums[r % 4]);
#pragma unroll
            for (int j = 0; j < N; ++j) dot[r % chains][j] = cfma_(xr, a[r][c + j], dot[r % chains][j]);
        }
#pragma unroll
        for (int j = 0; j < N; ++j)
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0][j] = add(dot[0][j], dot[s][j]);
        R sum;
        if constexpr (own) {
            Sums::run(dot[0], lane);
            sum = shfl_group<32>(re(dot[0][Sums::slot(0)]), (k - FIRST - c * P) * PR + Sums::lane(0));
        } else {
            sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            Sums::run(dot[0], lane, &sum);
        }
        const UnscaledReflector<T> h = this->unscaled(k, alpha, sum);
        const T d = h.d, g = h.g;
        // y = g (conj(d) pivot_row + dot), in the lane that has the dot. Finished columns take part with a zero: what
        // is not finite never passes ok.
        T y[N];
        if constexpr (Sums::scattered) {
#pragma unroll
            for (int j = 0; j < Sums::slots; ++j) dot[0][j] = mul(g, cfma_(d, row[c + Sums::index(lr, j)], dot[0][j]));
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = shfl_group<PR>(dot[0][Sums::slot(j)], Sums::lane(j));
            __syncwarp(); // the row has been read
        } else {
#pragma unroll
            for (int j = 0; j < N; ++j) y[j] = mul(g, cfma_(d, pivot_row[j], dot[0][j]));
        }
        if (this->col(c) <= k - FIRST) y[0] = make<T>(0);
        if constexpr (!keep) asm volatile("" ::: "memory"); // do not keep x alive
        if (this->owns(c, k - FIRST) && lr == kr) {
            a[r0][c] = make<T>(h.beta);
            mail.done[k - FIRST] = {h.d, h.beta};
        }

        // The columns that may be the next pivot, then that one on its way, then the rest.
        const auto update = [&](int from, int to) {
#pragma unroll
            for (int r = r0; r < RPT; ++r) {
                const T xr = keep ? x[keep ? r : 0] : r == r0 && lr < kr ? make<T>(0) : box[r];
                const T ur = r == r0 && lr == kr ? d : xr;
#pragma unroll
                for (int j = 0; j < N; ++j)
                    if (j >= from && j < to) a[r][c + j] = fnma_(ur, y[j], a[r][c + j]);
            }
        };
        update(0, 2);
        if (W > 1 && k + 1 < k_end) {
            if (k + 1 < FIRST + (c + 1) * P)
                publish<FIRST, c, r0>(k + 1);
            else if constexpr (c + 1 < CPT)
                publish<FIRST, c + 1, r0>(k + 1);
        }
        update(2, N);
    }

    // All steps of the tile, register column and row of the pivot being compile-time constants.
    template <int FIRST, int K = FIRST>
    __device__ __forceinline__ void steps() {
        constexpr int last = FIRST + Base::max_n < Base::max_m ? FIRST + Base::max_n : Base::max_m;
        if constexpr (K < last) {
            constexpr int c = (K - FIRST) / P, r = K / PR;
            constexpr int next_c = FIRST + (c + 1) * P, next_r = (r + 1) * PR, next = next_c < next_r ? next_c : next_r;
            if (K < k_end) {
                if constexpr (next == K + 1) {
                    step<FIRST, c, r>(K);
                } else {
                    const int end = next < k_end ? next : k_end;
#pragma unroll 1
                    for (int k = K; k < end; ++k) step<FIRST, c, r>(k);
                }
                steps<FIRST, next>();
            }
        }
    }

    // Factors the tile. k_end: steps of the matrix up to the tile's last column.
    template <int FIRST>
    __device__ __forceinline__ void factor_tile() {
        if (W > 1 && FIRST < k_end) publish<FIRST, 0, FIRST / PR>(FIRST);
        steps<FIRST>();
    }

    // What range the columns from k_end on have, this lane's rows of them: they never become a pivot. FIRST: the
    // matrix's column that is the tile's first.
    template <int FIRST>
    __device__ __forceinline__ void watch_rest() {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            if (FIRST + this->col(c) < k_end) continue;
            R sum = 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) sum = abs2_add(a[r][c], sum);
            if (sum == 0) continue;
            const unsigned bits = Base::order(sum);
            this->seen(bits, bits);
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int W>
__device__ __forceinline__ void geqrf_team(const GeqrfArgs &args) {
    using K = TeamQr<T, PR, PC, RPT, CPT, W>;
    using Stage = TeamStage<K>;
    __shared__ typename K::Mail mail;
    __shared__ alignas(16) T cells[Stage::used ? Stage::size : 1];
    const int m = static_cast<int>(args.m), n = static_cast<int>(args.n);
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *A = member<T>(args.a, i) + args.col0 * args.lda + args.row0;
        T *tau = member<T>(args.tau, i) + args.col0;
        if (args.info && threadIdx.x == 0) args.info[i] = 0;
        K k(m, n, tau, mail);
        // Few matrices do not fill the memory's queues, and would only wait longer.
        const bool staged = Stage::used && args.batch >= 512 && Stage::takes(A, args.lda, m);
        if (staged) {
            Stage::fetch(cells, A, args.lda, m, n);
            K::sync();
            k.template take<Stage::ld>(cells);
        } else {
            k.load(A, args.lda);
        }
        const bool rest = k.k_end < n;
        if (rest) k.template watch_rest<0>();
        k.template factor_tile<0>();
        if (k.k_end < m && m <= n && threadIdx.x == 0) tau[m - 1] = make<T>(0); // the last row of a real matrix
        bool ok = k.template ok<ProductRange<Real<T>>>();
        if (rest) ok = __syncthreads_and(ok);
        if (ok && staged) {
            k.template give<Stage::ld>(cells);
            K::sync();
            Stage::put(cells, A, args.lda, m, n);
        } else if (ok) {
            k.template store<0>(A, args.lda);
        } else {
            geqrf_columns_call(A, args.lda, tau, args.m, args.n, BlockTeam<32 * W, Real<T>>(mail.scratch));
        }
        __syncthreads();
    }
}

} // namespace tephra
