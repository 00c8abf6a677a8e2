// A panel of a tall matrix in registers: the places of it and of the columns to its right, their loads and stores, and
// the steps that factor it. See tall.cuh.
#pragma once
#include "../common/copy_barrier.cuh"
#include "cluster_box.cuh"
#include "column_scale.cuh"
#include "halve.cuh"
#include "range.cuh"
#include "update_memory.cuh"

#include <type_traits>

namespace tephra {

template <typename T_, int N_, int NB_, int PC_, int G_, int RPT_, int W_, int PLACES_, int AHEAD_, int CL_ = 1>
struct TallPanel : RangeWatch<T_> {
    using T = T_;
    using R = Real<T>;
    static constexpr int N = N_, NB = NB_, PC = PC_, G = G_, RPT = RPT_, W = W_, AHEAD = AHEAD_, CL = CL_;
    static constexpr int PLACES = PLACES_ < N - NB ? PLACES_ : N - NB; // columns that wait in shared memory
    static constexpr int PR = 32 / PC, threads = 32 * W;
    static constexpr int slots = NB / PC;                       // columns of a lane
    static constexpr int step_m = PR * W, max_m = step_m * RPT; // rows between two of a lane
    static constexpr bool blocked = N > NB;
    static constexpr bool far = PLACES < N - NB; // the others wait in global memory
    // Columns between two barriers of the update (in a cluster, as many as its sums have room for), and of one of its
    // rounds.
    static constexpr int CH = CL > 8 ? 8 : CL > 1 ? N - NB : NB < 8 ? NB : 8, most = CL > 1 && NB < 8 ? 4 : CH;
    static constexpr int JB = PR / slots < most ? PR / slots : most;
    // Whether columns of extreme size are scaled first. In double precision, where the steps take all registers, the
    // mere check would cost a tenth of a block's time, so they are left to the slow path.
    static constexpr bool scaled = sizeof(R) == 4 || CL > 1;
    static_assert(N % NB == 0 && N <= step_m && PC <= 2 && (NB & (NB - 1)) == 0 && (G & (G - 1)) == 0 && G <= slots,
                  "a pivot row is a lane's first row");
    static_assert(!far || PC == 1 && AHEAD == 0 && PLACES >= NB && PLACES % JB == 0, "a thread has its rows to itself");
    static_assert(CL == 1 || PC == 1 && AHEAD == 0 && blocked && CH % JB == 0, "rows of a cluster");
    static_assert(AHEAD == 0 || blocked && AHEAD % PC == 0 && AHEAD <= NB, "columns of the first panel");

    struct alignas(16) Step {
        T sums[2][W][NB]; // of each warp; two, so that one barrier per step is enough
        T row[2][NB];     // the pivot row
        T y[W][NB];       // each warp's own copy
        T tau[N];
        R scratch[32]; // of the slow path
        ColumnScales<N, W> scales;
        Place<T> from; // where the matrix is read
        int lost;      // whether a column was wrongly taken for zero; unused if columns are scaled
    };
    struct alignas(16) Block { // only where N > NB
        T sums[W][NB * CH];
        T gram[NB * (NB - 1) / 2]; // v_i^H v_l, l < i, row by row
    };
    struct Plain {
        Step step;
    };
    struct Blocked {
        Step step;
        Block block;
        T parked[(blocked ? PLACES : 1) * max_m];
    };
    struct alignas(16) Lasting : Blocked { // only where AHEAD > 0: a block that takes one matrix after another
        T ahead[(AHEAD ? AHEAD : 1) * max_m];
        CopyBarrier first, rest; // for `ahead`, for `parked`
        T *next;                 // the next matrix; null: none
        int fetched;             // whether bulk copies fetch it
    };
    struct alignas(16) Shared : Blocked { // only where CL > 1: a block of a cluster
        ClusterBox<T, NB, CL> box;
        ClusterSum<T, NB *(blocked ? CH : 1), CL> products; // of an update
        CopyBarrier sizes;                                  // for the columns' sizes, which are sent to `parked`
        T *own, *tau;                                       // this block's rows of the matrix; its tau
    };
    using Memory =
        std::conditional_t<(CL > 1), Shared,
                           std::conditional_t<(AHEAD > 0), Lasting, std::conditional_t<blocked, Blocked, Plain>>>;

    Memory &memory;
    T a[RPT][slots];
    const int lane, lc, w, t, m, n; // t: first row; lc: its columns are c PC + lc
    int k_end;                      // steps; a real matrix's last row needs none (H = I)
    // start: this block's first row in a cluster, whose blocks have adjacent rows, m of them in this one. top: t in the
    // block that has the pivots, and otherwise beyond all of them.
    const int start, top;
    unsigned round = 0; // of an update: turns of `products`

    static __device__ __forceinline__ int rank() {
        if constexpr (CL > 1)
            return static_cast<int>(cluster_rank());
        else
            return 0;
    }
    // Number of rows of each block, except the last ones.
    static __device__ __forceinline__ int height(int m) { return (m + CL * 32 - 1) / (CL * 32) * 32; }
    static __device__ __forceinline__ int rows_here(int m) {
        const int left = m - rank() * height(m);
        return CL == 1 || left < height(m) ? left : height(m);
    }
    __device__ __forceinline__ TallPanel(int m_, int n_, Memory &memory_)
        : memory(memory_), lane(threadIdx.x % 32), lc(lane / PR), w(threadIdx.x / 32), t(w * PR + lane % PR),
          m(rows_here(m_)), n(n_), start(CL > 1 ? rank() * height(m_) : 0), top(CL == 1 || rank() == 0 ? t : 1 << 30) {
        const int rows = is_complex<T> ? m_ : m_ - 1;
        k_end = rows < n ? rows : n;
    }
    // Exchanges number `lane % NB` among all blocks, in order of rank; passed by the lanes below NB of warps below CL.
    __device__ __forceinline__ void exchange(unsigned turn, T part, T row) {
        if (threadIdx.x == 0) memory.box.expect(turn);
        if (lane < NB) {
#pragma unroll
            for (int to = 0; to < CL; to += W)
                if (to + w < CL) memory.box.send(turn, to + w, lane, part, row);
        }
        memory.box.wait(turn);
    }
    static __device__ __forceinline__ void sync() {
        if constexpr (W == 1)
            __syncwarp();
        else
            __syncthreads();
    }
    // The slot in which a finished panel's column ends up, and vice versa.
    static __device__ __forceinline__ constexpr int place(int j) { return j ^ (slots - G); }
    // This thread's rows of column j >= NB.
    __device__ __forceinline__ T *parked(int j) const {
        const unsigned place = j - NB;
        return memory.parked + (far ? place % PLACES : place) * max_m + t;
    }
    // Columns before this one are on chip while the panel at k0 is factored and applied.
    static __device__ __forceinline__ constexpr int near(int k0) { return k0 + NB + PLACES; }

    __device__ __forceinline__ void load(const T *A, long long lda) {
        const T *p = A + lc * lda + t;
#pragma unroll
        for (int c = 0; c < slots; ++c, p += PC * lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = c * PC + lc < n && r * step_m < m - t ? p[r * step_m] : make<T>(0);
        if constexpr (blocked) {
#pragma unroll 1
            for (int j = NB + lc; j < near(0); j += PC, p += PC * lda) bring(j, p);
            if (far && near(0) + threadIdx.x < n && (CL == 1 || m > 0))
                prefetch_column(A + (near(0) + threadIdx.x) * lda, m);
        }
    }
    // Starts copies of this thread's rows of column j, which are at p, to shared memory.
    __device__ __forceinline__ void bring(int j, const T *p) {
#pragma unroll
        for (int r = 0; r < RPT; ++r)
            copy_async<sizeof(T)>(parked(j) + r * step_m, p + r * step_m, j < n && r * step_m < m - t);
    }
    // Stores the finished panel at column k0.
    __device__ __forceinline__ void store(T *A, long long lda, int k0) const {
        forget(A, lda); // or the loads' addresses would stay in registers until here
        T *p = A + (k0 + lc) * lda + t;
#pragma unroll
        for (int c = 0; c < slots; ++c, p += PC * lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (k0 + c * PC + lc < n && r * step_m < m - t) p[r * step_m] = a[r][place(c)];
    }

    // The step of column k, which is in slot 0 of the lanes with lc = O. The loop over slots 0 .. L - 1 has finished i
    // of them. GRAM: the dots include the finished columns, which yields the Gram matrix.
    template <int L, int O, bool GRAM>
    __device__ __forceinline__ void step(int k, int i, T *tau) {
        constexpr int D = GRAM ? slots : L;
        const int half = k & 1;
        const int e = lane % NB; // column c PC + lc of the slots, for which this lane computes scalars
        Step &box = memory.step;
        T x[RPT];
#pragma unroll
        for (int r = 0; r < RPT; ++r) x[r] = PC == 1 ? a[r][0] : shfl(a[r][0], O * PR + lane % PR);
        if (top <= k) x[0] = make<T>(0);
        T dot = halve<slots, 0, D, 1, PR>(lane, [&](auto c) {
            if constexpr (PC == 1 && c.value == 0) {
                R sum = abs2_add(x[0], R(0));
#pragma unroll
                for (int r = 1; r < RPT; ++r) sum = abs2_add(x[r], sum);
                return make<T>(sum);
            } else {
                T s = cfma_(x[0], a[0][c], make<T>(0));
#pragma unroll
                for (int r = 1; r < RPT; ++r) s = cfma_(x[r], a[r][c], s);
                return s;
            }
        });
        if (top == k) {
#pragma unroll
            for (int c = 0; c < D; ++c) box.row[half][c * PC + lc] = a[0][c];
        }
        if constexpr (W > 1 || PC > 1) {
            const int c = lane % PR;
            if (c < D) box.sums[half][w][c * PC + lc] = dot;
        }
        sync();
        if constexpr (W > 1 || PC > 1) {
            T part[W];
            if (CL == 1 || w < CL) {
#pragma unroll
                for (int q = 0; q < W; ++q) part[q] = box.sums[half][q][e];
#pragma unroll
                for (int h = 1; h < W; h *= 2)
#pragma unroll
                    for (int q = 0; q + h < W; q += 2 * h) part[q] = add(part[q], part[q + h]);
            }
            dot = part[0];
        }
        const T *pivots = box.row[half];
        if constexpr (CL > 1) {
            exchange(k, dot, box.row[half][e]);
            dot = memory.box.parts[half][0][e];
#pragma unroll
            for (int q = 1; q < CL; ++q) dot = add(dot, memory.box.parts[half][q][e]);
            pivots = memory.box.row[half];
        }
        const T alpha = pivots[O], pivot = pivots[e];
        const R norm = re(shfl(dot, O));
        Reflector<T> h = this->reflect(alpha, norm);
        // A pivot that is not real has a reflector even if nothing is below it, and however small it is.
        if (!scaled && h.identity) [[unlikely]]
            if (!this->all_zero(x, 0) || im(alpha) != 0) box.lost = 1;
        if (h.identity) { // also past the last step, where columns still change places
            h.tau = make<T>(0);
            h.factor = make<T>(1);
            h.beta = re(alpha);
        }
        // Live columns: y = g (conj(d) a_k + x^H a), d = alpha - beta = 1 / factor. Finished ones: v_k^H v.
        const T z = cfma_(h.factor, dot, pivot), d = add(alpha, make<T>(-h.beta));
        const T y = mul(mul(conj(h.tau), h.factor), z);
        if constexpr (L > 1 || O + 1 < PC) {
            // lanes of one column write the same
            box.y[w][e % PC * slots + e / PC] = e > O && e / PC < L - i ? y : make<T>(0);
            __syncwarp();
        }
        if constexpr (GRAM) {
            const int c = e / PC;
            if (w == 0 && lane < NB && (e < O || c >= L - i)) {
                // those of this loop have not reached their final slot
                const int to = e < O ? k % NB - O + e : place(c < L ? c - (L - i) + (L - G) : c) * PC + e % PC;
                memory.block.gram[(k % NB) * (k % NB - 1) / 2 + to] = z;
            }
        }
        const T u0 = top == k ? d : x[0];
        const bool mine = PC == 1 || lc == O;
        T done[RPT];
        done[0] = !mine || top < k ? a[0][0] : top == k ? make<T>(h.beta) : mul(x[0], h.factor);
#pragma unroll
        for (int r = 1; r < RPT; ++r) done[r] = mine ? mul(x[r], h.factor) : a[r][0];
        const T *ys = box.y[w] + lc * slots;
        constexpr int down = O + 1 == PC; // the slots move
        if constexpr (!down) {
            const T y0 = ys[0];
            a[0][0] = fnma_(u0, y0, done[0]);
#pragma unroll
            for (int r = 1; r < RPT; ++r) a[r][0] = fnma_(x[r], y0, done[r]);
        }
#pragma unroll
        for (int c = 1; c < L; ++c) {
            const T yc = ys[c];
            a[0][c - down] = fnma_(u0, yc, a[0][c]);
#pragma unroll
            for (int r = 1; r < RPT; ++r) a[r][c - down] = fnma_(x[r], yc, a[r][c]);
        }
        if constexpr (down) {
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][L - 1] = done[r];
        }
        if (threadIdx.x == 0 && k < k_end) {
            if (CL == 1 || top == 0) tau[k] = h.tau;
            if constexpr (GRAM) box.tau[k] = h.tau;
        }
    }
    template <bool GRAM, int L = slots>
    __device__ __forceinline__ void steps(int k0, T *tau) {
        if constexpr (L > 0) {
            if (k0 < k_end) {
#pragma unroll 1
                for (int i = 0; i < G; ++i) {
                    step<L, 0, GRAM>(k0 + i * PC, i, tau);
                    if constexpr (PC > 1) step<L, 1, GRAM>(k0 + i * PC + 1, i, tau);
                }
            } else {
#pragma unroll
                for (int r = 0; r < RPT; ++r) {
                    T x[L];
#pragma unroll
                    for (int c = 0; c < L; ++c) x[c] = a[r][c];
#pragma unroll
                    for (int c = 0; c < L; ++c) a[r][c] = x[(c + G) % L];
                }
            }
            steps<GRAM, L - G>(k0 + G * PC, tau);
        }
    }
};

} // namespace tephra
