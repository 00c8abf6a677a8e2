// QR of a tall matrix, rows dealt to all lanes of a block: thread t holds rows t + 32 W r, r < RPT, of every column.
// With PC = 2 two lanes share rows, each with every second column: half the exchanges, but the pivot column is
// broadcast.
//
// The pivot column is where it is needed, so nothing of it is broadcast; a step exchanges one sum a column. Each lane
// makes its part of the dots x^H a_j (x: the part of the pivot column below alpha, as it is), the lanes of a warp halve
// them among themselves until lane j holds the sum of column j, the warps' sums meet in shared memory: one barrier.
// As in team.cuh, with u = (alpha - beta, x): H^H = I - g u u^H, g = conj(tau) / |alpha - beta|^2, so that the norm
// comes with the dots.
//
// NB columns are in registers at a time, those to their right in shared memory, where every thread keeps its own rows.
// A finished panel is stored, applied to the columns to its right by its block reflector, and the next one takes its
// place: one read and one write of A. Source: LAPACK geqr2/larfg; the block reflector as in larft, with the triangular
// factor applied by substitution from the Gram matrix V^H V.
//
// The pivot is always in slot 0: a step writes what was in slot j to slot j - 1, which costs nothing, and the finished
// column to the last slot. So a step is a loop's body, G steps long, and not straight code that no instruction cache
// holds; after G steps the finished columns leave the loop's slots.
#pragma once
#include "../common/batch.cuh"
#include "../common/chunk.cuh"
#include "columns.cuh"
#include "halve.cuh"
#include "range.cuh"

#include <type_traits>

namespace tephra {

template <typename T_, int N_, int NB_, int PC_, int G_, int RPT_, int W_>
struct TallQr : RangeWatch<T_> {
    using T = T_;
    using R = Real<T>;
    static constexpr int N = N_, NB = NB_, PC = PC_, G = G_, RPT = RPT_, W = W_;
    static constexpr int PR = 32 / PC, threads = 32 * W;
    static constexpr int slots = NB / PC;                       // columns of a lane
    static constexpr int step_m = PR * W, max_m = step_m * RPT; // rows between two of a lane
    static constexpr bool blocked = N > NB;
    static constexpr int CH = NB < 8 ? NB : 8;                   // columns between two barriers of the update
    static constexpr int JB = PR / slots < CH ? PR / slots : CH; // columns of a round of the update
    static_assert(N % NB == 0 && N <= step_m && PC <= 2 && (NB & (NB - 1)) == 0 && (G & (G - 1)) == 0 && G <= slots,
                  "a pivot row is a lane's first row");

    struct alignas(16) Step {
        T sums[2][W][NB]; // of each warp; two, so that one barrier a step is enough
        T row[2][NB];     // the pivot row
        T y[W][NB];       // each warp's own copy
        T tau[N];
        R scratch[32]; // of the slow path
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
        T parked[(blocked ? N - NB : 1) * max_m];
    };
    using Memory = std::conditional_t<blocked, Blocked, Plain>;

    Memory &memory;
    T a[RPT][slots];
    const int lane, lc, w, t, m, n; // t: first row; lc: its columns are c PC + lc
    int k_end;                      // steps; a real matrix's last row needs none (H = I)

    __device__ __forceinline__ TallQr(int m_, int n_, Memory &memory_)
        : memory(memory_), lane(threadIdx.x % 32), lc(lane / PR), w(threadIdx.x / 32), t(w * PR + lane % PR), m(m_),
          n(n_) {
        const int rows = is_complex<T> ? m : m - 1;
        k_end = rows < n ? rows : n;
    }
    static __device__ __forceinline__ void sync() {
        if constexpr (W == 1)
            __syncwarp();
        else
            __syncthreads();
    }
    // Where a finished panel's slot has gone, and the other way round.
    static __device__ __forceinline__ constexpr int place(int j) { return j ^ (slots - G); }
    // This thread's rows of column j >= NB.
    __device__ __forceinline__ T *parked(int j) const { return memory.parked + (j - NB) * max_m + t; }

    __device__ __forceinline__ void load(const T *A, long long lda) {
        const T *p = A + lc * lda + t;
#pragma unroll
        for (int c = 0; c < slots; ++c, p += PC * lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = c * PC + lc < n && r * step_m < m - t ? p[r * step_m] : make<T>(0);
        if constexpr (blocked) {
#pragma unroll 1
            for (int j = NB + lc; j < N; j += PC, p += PC * lda)
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    copy_async<sizeof(T)>(parked(j) + r * step_m, p + r * step_m, j < n && r * step_m < m - t);
        }
    }
    // The finished panel at column k0.
    __device__ __forceinline__ void store(T *A, long long lda, int k0) const {
        asm volatile("" : "+l"(A), "+l"(lda)); // or the loads' addresses would stay in registers until here
        T *p = A + (k0 + lc) * lda + t;
#pragma unroll
        for (int c = 0; c < slots; ++c, p += PC * lda)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (k0 + c * PC + lc < n && r * step_m < m - t) p[r * step_m] = a[r][place(c)];
    }

    // Column k, in slot 0 of the lanes of lc = O; the loop over slots 0 .. L has finished i slots. GRAM: the finished
    // columns take part in the dots, which gives the Gram matrix.
    template <int L, int O, bool GRAM>
    __device__ __forceinline__ void step(int k, int i, T *tau) {
        constexpr int D = GRAM ? slots : L;
        const bool live = k < k_end;           // if not, the columns still change places
        const int half = k & 1, e = lane % NB; // e: column c PC + lc of the slots, for which this lane finds scalars
        Step &box = memory.step;
        T x[RPT];
#pragma unroll
        for (int r = 0; r < RPT; ++r) x[r] = PC == 1 ? a[r][0] : shfl(a[r][0], O * PR + lane % PR);
        if (t <= k) x[0] = make<T>(0);
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
        if (t == k) {
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
#pragma unroll
            for (int q = 0; q < W; ++q) part[q] = box.sums[half][q][e];
#pragma unroll
            for (int h = 1; h < W; h *= 2)
#pragma unroll
                for (int q = 0; q + h < W; q += 2 * h) part[q] = add(part[q], part[q + h]);
            dot = part[0];
        }
        const T alpha = box.row[half][O], pivot = box.row[half][e];
        const R norm = re(shfl(dot, O));
        Reflector<T> h = this->reflect(k, m, live ? alpha : make<T>(1), live ? norm : R(1));
        if (!live) {
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
                // those of this loop are on their way to their place
                const int to = e < O ? k % NB - O + e : place(c < L ? c - (L - i) + (L - G) : c) * PC + e % PC;
                memory.block.gram[(k % NB) * (k % NB - 1) / 2 + to] = z;
            }
        }
        const T u0 = t == k ? d : x[0];
        const bool mine = PC == 1 || lc == O;
        T done[RPT];
        done[0] = !mine || t < k ? a[0][0] : t == k ? make<T>(h.beta) : mul(x[0], h.factor);
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
        if (threadIdx.x == 0 && live) {
            tau[k] = h.tau;
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

    // sums[0] := sum over the warps, between two barriers
    __device__ __forceinline__ void gather() {
        Block &b = memory.block;
        sync();
        for (int e = threadIdx.x; W > 1 && e < NB * CH; e += threads) {
            T x = b.sums[0][e];
#pragma unroll
            for (int i = 1; i < W; ++i) x = add(x, b.sums[i][e]);
            b.sums[0][e] = x;
        }
        sync();
    }
    // V^H C for JB columns of C. Lanes read them in different orders, so that whom a lane's first sums go to needs no
    // selection.
    __device__ __forceinline__ void dots(const T *p, T *to) {
        T c[JB][RPT];
#pragma unroll
        for (int j = 0; j < JB; ++j)
#pragma unroll
            for (int r = 0; r < RPT; ++r) c[j][r] = p[(j ^ lane % JB) * max_m + r * step_m];
        const T sum = halve<slots * JB, 0, slots * JB, JB, PR>(lane, [&](auto e) {
            constexpr int i = e.value / JB, j = e.value % JB;
            T s = cfma_(a[0][i], c[j][0], make<T>(0));
#pragma unroll
            for (int r = 1; r < RPT; ++r) s = cfma_(a[r][i], c[j][r], s);
            return s;
        });
        const int l = lane % PR;
        if (l < slots * JB) to[place(l / JB) * PC + lc + l % JB * NB] = sum;
    }
    // C -= V Y for JA columns of C, of which the lanes of lc = j finish column j.
    static constexpr int JA = PC == 1 ? JB : PC;
    __device__ __forceinline__ void apply(T *p, const T *y) {
        T c[JA][RPT];
#pragma unroll
        for (int j = 0; j < JA; ++j)
#pragma unroll
            for (int r = 0; r < RPT; ++r) c[j][r] = PC == 1 || j == 0 ? p[(j ^ lc) * max_m + r * step_m] : make<T>(0);
#pragma unroll
        for (int i = 0; i < slots; ++i)
#pragma unroll
            for (int j = 0; j < JA; ++j) {
                const T x = y[(j ^ lc) * NB + lc * slots + i];
#pragma unroll
                for (int r = 0; r < RPT; ++r) c[j][r] = fnma_(a[r][place(i)], x, c[j][r]);
            }
#pragma unroll
        for (int j = 0; j < (PC == 1 ? JA : 1); ++j)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                p[(j ^ lc) * max_m + r * step_m] = PC == 1 ? c[j][r] : add(c[j][r], shfl_xor(c[JA - 1][r], PR));
    }
    // y_i = conj(tau_i) (w_i - sum over l < i of (v_i^H v_l) y_l), in place; the result in the order that apply reads.
    __device__ __forceinline__ void substitute(T *y, const T *tau) {
        T v[NB];
#pragma unroll
        for (int i = 0; i < NB; ++i) v[i] = y[i];
#pragma unroll
        for (int i = 0; i < NB; ++i) {
            v[i] = mul(conj(tau[i]), v[i]);
#pragma unroll
            for (int l = i + 1; l < NB; ++l) v[l] = fnma_(memory.block.gram[l * (l - 1) / 2 + i], v[i], v[l]);
            y[i % PC * slots + i / PC] = v[i];
        }
    }
    // Applies the block reflector of the panel at k0 to all columns to its right.
    __device__ __forceinline__ void update(int k0) {
        T(&sums)[W][NB * CH] = memory.block.sums;
#pragma unroll
        for (int c = 0; c < slots; ++c) {
            const int k = k0 + c * PC + lc;
            if (t <= k) a[0][place(c)] = make<T>(t == k ? 1 : 0);
        }
        copies_done();
        if constexpr (PC > 1) sync(); // else a thread reads what it has copied itself
#pragma unroll 1
        for (int first = k0 + NB; first < n; first += CH) {
            const int cols = n - first < CH ? n - first : CH;
#pragma unroll 1
            for (int j = 0; j < cols; j += JB) dots(parked(first + j), sums[w] + j * NB);
            gather();
            if (threadIdx.x < cols) substitute(sums[0] + threadIdx.x * NB, memory.step.tau + k0);
            sync();
#pragma unroll 1
            for (int j = 0; j < cols; j += JA) apply(parked(first + j), sums[0] + j * NB);
            sync(); // sums are written again
        }
    }
    __device__ __forceinline__ void next_panel(int k0) {
#pragma unroll
        for (int c = 0; c < slots; ++c) {
            const T *p = parked(k0 + c * PC + lc);
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = p[r * step_m];
        }
    }

    __device__ __forceinline__ void run(T *A, long long lda, T *tau) {
        int done = 0;     // columns that are in place
        if (k_end >= n) { // else there are columns that the range test never sees
            load(A, lda);
#pragma unroll 1
            for (;;) {
                const bool last = done + NB >= n;
                if constexpr (blocked) {
                    if (!last)
                        steps<true>(done, tau);
                    else
                        steps<false>(done, tau);
                } else {
                    steps<false>(done, tau);
                }
                if (!this->template ok<ProductRange<R>>()) break;
                store(A, lda, done);
                if (last) {
                    done = n;
                    break;
                }
                if constexpr (blocked) {
                    update(done);
                    done += NB;
                    next_panel(done);
                }
            }
            if (done >= n) return;
        }
        copies_done();
        __syncthreads();
        const BlockTeam<threads, R> team(memory.step.scratch);
        const long long k = done;
        if (k > 0) apply_columns_call(A, lda, tau, static_cast<long long>(m), static_cast<long long>(n), k, team);
        geqrf_columns_call(A + k * lda + k, lda, tau + k, m - k, n - k, team);
    }
};

template <typename T, int N, int NB, int PC, int G, int RPT, int W>
__device__ __forceinline__ void geqrf_tall(const GeqrfArgs &args) {
    using K = TallQr<T, N, NB, PC, G, RPT, W>;
    extern __shared__ __align__(16) unsigned char raw[];
    const long long i = blockIdx.x;
    if (args.info && threadIdx.x == 0) args.info[i] = 0;
    K k(static_cast<int>(args.m), static_cast<int>(args.n), *reinterpret_cast<typename K::Memory *>(raw));
    k.run(member<T>(args.a, i) + args.col0 * args.lda + args.row0, args.lda, member<T>(args.tau, i) + args.col0);
}

} // namespace tephra
