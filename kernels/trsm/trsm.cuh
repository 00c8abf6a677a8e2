// Batched triangular solve: a block (or a warp) per matrix and tile of right-hand sides.
//
// The tile stays in registers, 16 W MT rows at a time. The warp that owns the next 16 rows solves for them, one
// right-hand side per lane, and publishes the solution in shared memory; then every warp subtracts it from its rows
// below. The triangle's next blocks are loaded into registers meanwhile. Rows that do not fit into registers are
// processed in further rounds, which begin with the solutions of the earlier ones. Every element of X is computed by
// the same operations in the same order in all instances. Source: BLAS trsm. The diagonal is divided by through
// reciprocals where these are accurate enough.
#pragma once
#include <type_traits>

#include "../common/instance.cuh"
#include "diagonal.cuh"
#include "each_args.cuh"

namespace tephra {

template <typename T_, int W_, int MT_, int NT_>
struct Trsm {
    using T = T_;
    static constexpr int W = W_, MT = MT_, NT = NT_, NB = trsm_nb;
    static constexpr int capacity = NB * W * MT; // rows in registers
    using Product = typename ProductOf<T, MT, NT>::type;
    using Fragment = typename Product::Fragment;
    static constexpr int ldx = NT + Product::pad, KC = Product::KC, E = NT / 4;
    static_assert(NT <= 32 && NT % 8 == 0, "one right-hand side a lane, whole tiles of the tensor instruction");

    struct Shared {
        Diagonal<T> diagonal[W * MT];
        T x[2][NB * ldx]; // solutions in transit; two buffers, so that one barrier a block is enough
    };
    Shared &s;
    const TrsmArgs &args;
    Product acc;
    int warp, lane, g, q, cols;
    const T *A;
    T *B;
    long long base;   // first row in registers
    unsigned divided; // bit t: this warp's diagonal block t has no reciprocals

    __device__ __forceinline__ Trsm(Shared &s_, const TrsmArgs &args_)
        : s(s_), args(args_), warp(W == 1 ? 0 : threadIdx.x / 32), lane(threadIdx.x % 32), g(lane / 4), q(lane % 4) {}

    static __device__ __forceinline__ void sync() {
        if constexpr (W == 1)
            __syncwarp();
        else
            __syncthreads();
    }
    // A stride that the compiler knows nothing about: multiples of it, kept across the blocks, would take the
    // registers.
    static __device__ __forceinline__ long long fresh(long long stride) {
        forget(stride);
        return stride;
    }
    __device__ __forceinline__ long long row(int t, int h) const { return base + (t * W + warp) * NB + 8 * h + g; }

    // Calls f(address, t, h, e) for each element of the tile of B; the address is null outside.
    template <int t0, int t1, typename F>
    __device__ __forceinline__ void each(F f) {
        const long long brs = fresh(args.brs), bcs = fresh(args.bcs);
#pragma unroll
        for (int t = t0; t < t1; ++t)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const long long r = row(t, h);
                T *p = B + r * brs + q * bcs;
#pragma unroll
                for (int e = 0; e < E; ++e) {
                    f(r < args.order && q + 4 * e < cols ? p : nullptr, t, h, e);
                    p += 4 * bcs;
                }
            }
    }

    // Loads -T(own rows from block t0 on, column .. column + KC) for the product; block t0 itself only if `own`.
    template <int t0>
    __device__ __forceinline__ void fetch(Fragment &f, long long column, bool own) const {
        const long long ars = fresh(args.ars), acs = fresh(args.acs);
#pragma unroll
        for (int t = t0; t < MT; ++t)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const long long r = row(t, h);
                const bool in = r < args.order && (t > t0 || own);
                const T *p = A + r * ars + (column + Product::column(0, q)) * acs;
#pragma unroll
                for (int i = 0; i < Product::per_row; ++i) {
                    if (i > 0) p += (Product::column(i, 0) - Product::column(i - 1, 0)) * acs;
                    forget(p); // one address at a time, or they take the registers
                    T a = make<T>(0);
                    if (in) a = *p;
                    a = conj_if(a, args.conj);
                    Product::at(f, t, h, i) = make<T>(-re(a), -im(a));
                }
            }
    }
    template <int t0>
    __device__ __forceinline__ void update(const Fragment &f, const T *x, bool own) {
        if (own) acc.template update<t0>(f, x, g, q);
        if constexpr (t0 + 1 < MT) update<t0 + 1>(f, x, true);
    }
    // Subtracts the part of the solution in slot x, for the unknowns from `column` on, from the rows from block t0 on
    // (of t0 itself only if `own`). The first fragment has already been loaded.
    template <int t0>
    __device__ __forceinline__ void eliminate(const Fragment &first, const T *x, long long column, bool own) {
        if constexpr (KC < NB) {
            Fragment second;
            fetch<t0>(second, column + KC, own);
            update<t0>(first, x, own);
            update<t0>(second, x + KC * ldx, own);
        } else {
            update<t0>(first, x, own);
        }
    }

    // Solves for the unknowns of this warp's block t, into slot x.
    template <int t>
    __device__ __forceinline__ void solve(T *x) {
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int e = 0; e < E; ++e) x[(8 * h + g) * ldx + q + 4 * e] = acc.get(t, h, e);
        __syncwarp();
        if (lane < NT) {
            Diagonal<T> &d = s.diagonal[t * W + warp];
            const long long rows = args.order - (base + (t * W + warp) * NB);
            if (divided >> t & 1)
                solve_by_division(d.elements(), x + lane, ldx, rows < NB ? static_cast<int>(rows) : NB);
            else
                d.solve(x + lane, ldx);
        }
    }
    // Stores the solution in slot x of this warp's block t.
    template <int t>
    __device__ __forceinline__ void store(const T *x) {
        each<t, t + 1>([&](T *p, int, int h, int e) {
            if (p) *p = x[(8 * h + g) * ldx + q + 4 * e];
        });
    }

    template <int t>
    __device__ __forceinline__ void blocks() {
#pragma unroll 1
        for (int w = 0; w < W; ++w) {
            const long long column = base + (t * W + w) * NB;
            if (column >= args.order) return;
            T *x = s.x[(column / NB) & 1];
            Fragment f;
            fetch<t>(f, column, warp > w);
            if (warp == w) solve<t>(x);
            sync();
            eliminate<t>(f, x, column, warp > w);
            if (warp == w) store<t>(x);
        }
        if constexpr (t + 1 < MT) blocks<t + 1>();
    }

    // Solves for the tile of member i that begins with right-hand side `first`.
    __device__ __forceinline__ void run(long long i, long long first, T alpha) {
        const long long left = args.nrhs - first;
        const int count = static_cast<int>(left < NT ? left : NT);
        T *const tile = member<T>(args.b, i) + args.b0 + first * args.bcs;
        if (is_zero(alpha)) { // A is not read
            for (long long r = warp * 32 + lane; r < args.order * count; r += 32 * W)
                tile[r % args.order * args.brs + r / args.order * args.bcs] = make<T>(0);
        } else {
            run(member<T>(args.a, i) + args.a0, tile, count, alpha);
        }
    }
    __device__ __forceinline__ void run(const T *A_, T *B_, int cols_, T alpha) {
        A = A_;
        B = B_;
        cols = cols_;
        const bool scaled = !(re(alpha) == 1 && im(alpha) == 0);
        for (base = 0; base < args.order; base += capacity) {
            divided = 0;
#pragma unroll
            for (int t = 0; t < MT; ++t) {
                const long long first = base + (t * W + warp) * NB;
                const T *p = A + first * (args.ars + args.acs);
                if (first < args.order && !s.diagonal[t * W + warp].load(p, args.order - first, args, lane))
                    divided |= 1u << t;
            }
            each<0, MT>([&](T *p, int t, int h, int e) {
                const T x = p ? *p : make<T>(0);
                acc.set(t, h, e, scaled ? mul(alpha, x) : x);
            });
            // Earlier rounds' solutions, from memory.
#pragma unroll 1
            for (long long column = 0; column < base; column += NB) {
                T *x = s.x[(column / NB) & 1];
                Fragment f;
                fetch<0>(f, column, true);
                for (int e = warp * 32 + lane; e < NB * NT; e += 32 * W) {
                    const int i = e % NB, j = e / NB;
                    x[i * ldx + j] = j < cols ? B[(column + i) * args.brs + j * args.bcs] : make<T>(0);
                }
                sync();
                eliminate<0>(f, x, column, true);
            }
            blocks<0>();
            sync(); // the next round reads this one's solutions, and both write shared memory
        }
    }
};

// TEAMS: warps of a block, if each works on its own jobs (W = 1). Args: TrsmArgs, or TrsmEachArgs if members have their
// own sizes.
template <typename T, int W, int MT, int NT, int TEAMS, typename Args>
__device__ __forceinline__ void trsm(const Args &launch) {
    using K = Trsm<T, W, MT, NT>;
    TEPHRA_DYNAMIC_SHARED(raw);
    const int team = W == 1 ? threadIdx.x / 32 : 0;
    typename K::Shared &shared = reinterpret_cast<typename K::Shared *>(raw)[team];
    K whole(shared, launch);
    T alpha = make<T>(static_cast<Real<T>>(launch.alpha_re), static_cast<Real<T>>(launch.alpha_im));
    if (launch.alpha) alpha = *static_cast<const T *>(launch.alpha);
    const long long jobs = launch.batch * launch.tiles;
    for (long long job = blockIdx.x * (long long)TEAMS + team; job < jobs; job += gridDim.x * (long long)TEAMS) {
        const long long i = launch.tiles == 1 ? job : job / launch.tiles, first = (job - i * launch.tiles) * NT;
        if constexpr (std::is_same<Args, TrsmEachArgs>::value) {
            const auto own = launch.of(i);
            if (own.idle() || first >= own.nrhs) continue;
            K k(shared, own);
            k.run(i, first, alpha);
        } else {
            whole.run(i, first, alpha);
        }
    }
}

} // namespace tephra

#define TEPHRA_TRSM_OF(NAME, ARGS, T, W, MT, NT, TEAMS, MIN_BLOCKS)                                                    \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W * TEAMS)                                                                              \
                     .holds(16 * W * MT, NT)                                                                           \
                     .places(TEAMS)                                                                                    \
                     .needs(sizeof(Trsm<letter::T, W, MT, NT>::Shared[TEAMS])),                                        \
                 __launch_bounds__(32 * W * TEAMS, MIN_BLOCKS), ARGS, trsm<letter::T, W, MT, NT, TEAMS>)
#define TEPHRA_TRSM(NAME, ...) TEPHRA_TRSM_OF(NAME, TrsmArgs, __VA_ARGS__)
#define TEPHRA_TRSM_EACH(NAME, ...) TEPHRA_TRSM_OF(NAME, TrsmEachArgs, __VA_ARGS__)
