// QR of a tall matrix whose rows are dealt to all lanes of a block: thread t holds rows t + 32 W r, r < RPT, of every
// column. With PC = 2, two lanes share rows, and each has every second column: that halves the exchanges, but the pivot
// column must be broadcast.
//
// With PC = 1, every lane has its part of the pivot column, and a step exchanges only one sum per column. Each lane
// computes its part of the dots x^H a_j (x: the unscaled part of the pivot column below alpha). The lanes of a warp
// halve the dots among themselves until lane j holds the sum of column j, and the warps' sums meet in shared memory:
// one barrier. As in team.cuh, with u = (alpha - beta, x): H^H = I - g u u^H, g = conj(tau) / |alpha - beta|^2, so that
// the norm is one of the dots.
//
// NB columns are in registers at a time, and those to their right in shared memory, where every thread keeps its own
// rows. A finished panel is stored and applied to the columns to its right as a block reflector, and the next panel
// takes its place: one read and one write of A. Source: LAPACK geqr2/larfg; the block reflector as in larft, with the
// triangular factor applied by substitution from the Gram matrix V^H V.
//
// The pivot is always in slot 0: a step writes what was in slot j to slot j - 1, which is free, and the finished column
// to the last slot. A step can thus be the body of a loop of G steps instead of straight-line code, which no
// instruction cache would hold. After G steps, the finished columns leave the loop's slots.
//
// Where two blocks with all columns on chip would almost fit a multiprocessor, PLACES columns wait in shared memory and
// the others in global memory, where they are updated: the other block's work hides this L2 traffic. Where a single
// block fills a multiprocessor (AHEAD > 0), it takes one matrix after another; see tall_ahead.cuh.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "columns.cuh"
#include "outside.cuh"
#include "tall_ahead.cuh"
#include "tall_panel.cuh"
#include "tall_update.cuh"

namespace tephra {

template <typename T_, int... SHAPE>
struct TallQr : TallAhead<TallUpdate<TallPanel<T_, SHAPE...>>> {
    using Base = TallAhead<TallUpdate<TallPanel<T_, SHAPE...>>>;
    using Base::Base;
    using Base::memory, Base::m, Base::n, Base::k_end;
    using Base::NB, Base::G, Base::slots, Base::threads, Base::blocked, Base::far, Base::near, Base::sync;
    using typename Base::R;
    using typename Base::T;

    // Where all rows of a matrix that looks extreme are checked: on chip, once they are loaded for the factorisation,
    // or before that in memory, which reads them twice. On chip only in blocks of few warps: in larger blocks it slows
    // ordinary matrices, even though they skip that code (on an H100 by 3 % in s 1024x32, by 12 % in c 1024x16).
    static constexpr bool looks_on_chip = Base::W <= 2;

    // Whether there may be columns of extreme size, judging by two rows of each.
    __device__ __forceinline__ bool may_be_extreme(const Place<T> &from) const {
        memory.step.scales.begin(this->w);
        return looks_odd(from.p, from.ld, m, n, memory.step.scales);
    }
    // Whether there are columns of extreme size, judging by all rows, which are in place for a panel's steps. on_chip()
    // waits for copies to shared memory. Few instructions, since none of these are in the instruction cache.
    template <typename Wait>
    __device__ __forceinline__ bool has_extreme(const Place<T> &from, const Wait &on_chip) const {
        if (n > NB) on_chip();
        constexpr int of_panel = Base::slots, PC = Base::PC, PR = Base::PR, RPT = Base::RPT, N = Base::N, W = Base::W;
        auto &sums = [&]() -> auto & {
            if constexpr (blocked)
                return memory.block.sums;
            else
                return memory.step.sums;
        }();
        static_assert(W * N * sizeof(unsigned) <= sizeof sums && of_panel <= PR && Base::PLACES % PC == 0);
        unsigned *const sizes = reinterpret_cast<unsigned *>(sums), l = this->lane % PR; // of each warp
        const auto of_warp = [](unsigned size) { return PC == 1 ? warp_largest(size) : lanes_largest<PR>(size); };
        unsigned own = 0;
#pragma unroll
        for (int c = 0; c < of_panel; ++c) {
            Largest<T> all;
#pragma unroll
            for (int r = 0; r < RPT; ++r) all.add(this->a[r][c]);
            const unsigned size = of_warp(all.size());
            if (l == c) own = size;
        }
        if (l < of_panel) sizes[this->w * N + l * PC + this->lc] = own;
        if constexpr (blocked) {
#pragma unroll 1
            for (int j = NB; j < n; j += PC) {
                const bool outside = far && j >= near(0);
                const T *const p = outside ? from.p + j * from.ld + this->t : this->parked(j + this->lc);
                Largest<T> all;
                T x[RPT];
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    x[r] = !outside || r * Base::step_m < m - this->t ? p[r * Base::step_m] : make<T>(0);
#pragma unroll
                for (int r = 0; r < RPT; ++r) all.add(x[r]);
                const unsigned size = of_warp(all.size());
                if (l == 0) sizes[this->w * N + j + this->lc] = size;
            }
        }
        sync();
        bool some = false;
#pragma unroll
        for (int first = 0; first < N; first += threads) {
            const int j = first + threadIdx.x;
            unsigned size = 0;
            if (j < n)
#pragma unroll
                for (int q = 0; q < W; ++q) size = larger(size, sizes[q * N + j]);
            some |= is_extreme<R>(size);
        }
        if constexpr (W > 1)
            return __syncthreads_or(some);
        else
            return __any_sync(0xffffffffu, some);
    }
    // Scales columns of extreme size to near one in memory (column_scale.cuh) and returns whether there are any. The
    // matrix is then where it is factored.
    __device__ __forceinline__ bool scale_columns(const Place<T> &from, const Place<T> &a) const {
        if (from.p != a.p) bring_call(from, a, m, 0, n);
        scale_call(a.p, a.ld, m, n, &memory.step.scales);
        return memory.step.scales.any[this->w];
    }
    // Scales R's columns back.
    template <bool SCALED = Base::scaled>
    __device__ __forceinline__ void unscale_columns(T *A, long long lda) const {
        if (!(SCALED || Base::scaled) || k_end < n || !memory.step.scales.any[this->w]) return;
        __syncthreads(); // other threads have stored them
        unscale_r_call(A, lda, m, 0, n, &memory.step.scales, this->w);
    }

    // Whether the short formulas held.
    __device__ __forceinline__ bool held() const {
        if constexpr (!Base::scaled) {
            sync();
            if (memory.step.lost) return false;
        }
        return this->template ok<ProductRange<R>>();
    }

    // The slow path, for the columns from `done` on.
    __device__ __forceinline__ void run_columns(T *A, long long lda, T *tau, int done) {
        const BlockTeam<threads, R> team(memory.step.scratch);
        const int k = done;
        if constexpr (far) {
            // In memory, a column has been updated only by the panels that were applied before it was moved on chip.
            for (int k0 = 0; k0 < done; k0 += NB) {
                const int end = near(k0) < n ? near(k0) : n;
                apply_columns_call(A + k0 * (lda + 1), lda, tau + k0, m - k0, end - k0, NB, k - k0, team);
            }
        } else if (k > 0) {
            apply_columns_call(A, lda, tau, m, n, k, k, team);
        }
        geqrf_columns_call(A + k * lda + k, lda, tau + k, m - k, n - k, team);
    }
    // Factors one matrix, whose first columns are in registers. The others are on their way to shared memory, and
    // on_chip() waits for them. Calls freed(j) when columns j .. j + NB - 1 have left their place. Returns the number
    // of finished columns: all, or those before a panel that left the range.
    template <typename Wait, typename Free>
    __device__ __forceinline__ int factor(T *A, long long lda, T *tau, const Wait &on_chip, const Free &freed) {
        int done = 0;
        if (!Base::scaled && threadIdx.x == 0) memory.step.lost = 0;
#pragma unroll 1
        for (;;) {
            const bool last = done + NB >= n;
            if constexpr (blocked) {
                if (G == slots || !last)
                    this->template steps<true>(done, tau);
                else
                    this->template steps<false>(done, tau);
            } else {
                this->template steps<false>(done, tau);
            }
            if (!held()) return done;
            this->store(A, lda, done);
            if (last) return n;
            if constexpr (blocked) {
                on_chip();
                this->update(A, lda, done);
                done += NB;
                this->next_panel(A, lda, done);
                freed(done);
            }
        }
    }
    // Not in complex double precision, where it costs registers.
    static constexpr bool attempts_twice = !Base::scaled && !is_complex<T>;

    // Factors only one matrix. AGAIN: the second attempt, with columns scaled in memory.
    template <bool AGAIN>
    __device__ __forceinline__ void run(const GeqrfArgs &args) {
        const long long i = blockIdx.x;
        const Place<T> a = {args.matrix<T>(i), args.lda};
        T *const tau = args.taus<T>(i);
        Place<T> from = AGAIN ? a : args.source<T>(i);
        int done = 0, there = n;   // finished columns; the first column to be read where it is factored
        if (AGAIN || k_end >= n) { // else some columns would escape the range test
            bool odd = Base::scaled && may_be_extreme(from);
            if (!looks_on_chip && odd && scale_columns(from, a)) from = a;
#pragma unroll 1
            for (;; odd = false) {
                if constexpr (far) {
                    there = near(0);
                    if (from.p != a.p) bring_call(from, a, m, there, n);
                }
                this->load(from.p, from.ld);
                if (!looks_on_chip || !odd || !has_extreme(from, copies_done)) break;
                scale_columns(from, a);
                from = a;
            }
            if (threadIdx.x == 0) memory.step.from = from;
            done = factor(a.p, a.ld, tau, copies_done, [](int) {});
            if (done >= n) return unscale_columns<AGAIN>(a.p, a.ld);
            from = memory.step.from;
        }
        copies_done();
        __syncthreads();
        if (from.p != a.p) bring_call(from, a, m, done, there < n ? there : n);
        if constexpr (attempts_twice && !AGAIN) {
            memory.step.scales.begin(this->w);
            if (done == 0 && k_end >= n) scale_call(a.p, a.ld, m, n, &memory.step.scales);
            if (memory.step.scales.any[this->w]) return run_scaled_call(args, memory);
        }
        run_columns(a.p, a.ld, tau, done);
        unscale_columns<AGAIN>(a.p, a.ld);
    }
    static __device__ __noinline__ void run_scaled_call(const GeqrfArgs &args, typename Base::Memory &memory) {
        __syncthreads(); // all threads have scaled
        TallQr(args.m, args.n, memory).template run<true>(args);
    }
    // Factors one matrix after another.
    __device__ __forceinline__ void run_all(const GeqrfArgs &args) {
        const long long lda = args.lda;
        this->begin();
        T *A = args.matrix<T>(blockIdx.x);
        bool fetched = false;
        unsigned turn = 0;
#pragma unroll 1
        for (long long i = blockIdx.x;; i += gridDim.x) {
            T *tau = args.taus<T>(i), *next = nullptr;
            if (k_end >= n && i + gridDim.x < args.batch) next = args.matrix<T>(i + gridDim.x);
            int done = 0;
            if (k_end >= n) {
                bool again = false; // whether what has been fetched is outdated
                const auto on_chip = [&] {
                    if (fetched && !again)
                        memory.rest.wait(turn);
                    else
                        copies_done();
                };
                bool odd = Base::scaled && may_be_extreme({A, lda});
                if (!looks_on_chip && odd) {
                    if (fetched) memory.first.wait(turn);
                    if (fetched && n > NB) memory.rest.wait(turn);
                    again = scale_columns({A, lda}, {A, lda});
                }
#pragma unroll 1
                for (;; odd = false) {
                    if (fetched && !again)
                        this->take(A, lda, turn);
                    else
                        this->load(A, lda);
                    if (!looks_on_chip || !odd || !has_extreme({A, lda}, on_chip)) break;
                    scale_columns({A, lda}, {A, lda});
                    again = true;
                }
                this->release_places(next);
                this->fetch_first(next, lda);
                static_cast<RangeWatch<T> &>(*this) = {};
                done = factor(A, lda, tau, on_chip, [&](int j) { this->fetch_piece(lda, j); });
                if (done == 0 && n > NB) on_chip(); // the later panels' copies are still pending
            }
            if (done < n) {
                __syncthreads();
                run_columns(A, lda, tau, done);
                if constexpr (blocked)
                    if (k_end >= n)
                        for (done += NB; done < n; done += NB) this->fetch_piece(lda, done);
            }
            unscale_columns(A, lda);
            if (threadIdx.x == 0) args.no_error(i);
            if (i + gridDim.x >= args.batch) return;
            __syncthreads();
            turn += fetched;
            if (k_end >= n) {
                A = memory.next;
                fetched = memory.fetched;
            } else {
                A = args.matrix<T>(i + gridDim.x);
            }
        }
    }
};

template <typename T, int... SHAPE>
__device__ __forceinline__ void geqrf_tall(const GeqrfArgs &args) {
    using K = TallQr<T, SHAPE...>;
    TEPHRA_DYNAMIC_SHARED(raw);
    K k(args.m, args.n, *reinterpret_cast<typename K::Memory *>(raw));
    if constexpr (K::AHEAD > 0) {
        k.run_all(args);
    } else {
        if (threadIdx.x == 0) args.no_error(blockIdx.x);
        k.template run<false>(args);
        if (args.flags & GeqrfArgs::R) {
            const Place<T> a = {args.matrix<T>(blockIdx.x), args.lda};
            put_r_call(a, args.r_place<T>(blockIdx.x), args.m, args.rows - args.at, args.n);
        }
    }
}

} // namespace tephra

#define TEPHRA_TALL(NAME, T, N, NB, PC, G, RPT, W, MIN_BLOCKS, PLACES, AHEAD)                                          \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W)                                                                                      \
                     .holds(32 / PC * W * RPT, N)                                                                      \
                     .by_warps(W)                                                                                      \
                     .needs(sizeof(TallQr<letter::T, N, NB, PC, G, RPT, W, PLACES, AHEAD>::Memory))                    \
                     .from_outside(AHEAD == 0)                                                                         \
                     .at_once(AHEAD > 0 ? MIN_BLOCKS : 0),                                                             \
                 __launch_bounds__(32 * W, MIN_BLOCKS), GeqrfArgs,                                                     \
                 geqrf_tall<letter::T, N, NB, PC, G, RPT, W, PLACES, AHEAD>)
