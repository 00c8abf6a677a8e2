// Between two passes over A: one step of conjugate gradients on R^-H A^H A R^-1, whose eigenvalues are about 1.
//
// A step is tried with length 1, and the pass over A yields the true residual there. The change of the gradient is the
// operator applied to the direction. It determines the best length, from which the next step starts, and the next
// direction. A is thus read once per step, and no errors of a recurrence accumulate. Sources: Hestenes and Stiefel
// (1952) for the method; Bjorck, Numerical Methods for Least Squares Problems, for the preconditioned form.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// Sums N numbers of each thread over the block; all threads get the sums.
template <int THREADS, int N>
__device__ __forceinline__ void block_sums(double (&x)[N]) {
    __shared__ double of_warp[THREADS / 32][N];
#pragma unroll
    for (int i = 0; i < N; ++i) x[i] = lanes_sum<32>(x[i]);
    __syncthreads(); // the previous sums have been read
    if (threadIdx.x % 32 == 0)
#pragma unroll
        for (int i = 0; i < N; ++i) of_warp[threadIdx.x / 32][i] = x[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; ++i) x[i] = threadIdx.x % 32 < THREADS / 32 ? of_warp[threadIdx.x % 32][i] : 0;
#pragma unroll
    for (int i = 0; i < N; ++i) x[i] = lanes_sum<32>(x[i]);
}

// Shared memory of a block, in elements of W: its n unknowns, and one per thread.
template <typename W, int THREADS>
constexpr size_t iterative_step_bytes(int n) {
    return (n + THREADS) * sizeof(W);
}

// A right-hand side's vectors between two steps, with one thread per unknown.
template <typename W, int THREADS>
struct IterativeVectors {
    const IterativeArgs &args;
    const int n, teams, mine, team;
    W *const in, *const parts; // in shared memory: n elements, and one per thread
    const int item;            // the member

    __device__ __forceinline__ IterativeVectors(const IterativeArgs &args, int item)
        : args(args), n(args.n), teams(THREADS / args.n), mine(threadIdx.x % args.n), team(threadIdx.x / args.n),
          in(reinterpret_cast<W *>(dynamic_shared())), parts(in + args.n), item(item) {}
    // R^-1 of the member, and the scaling factors of its columns.
    __device__ __forceinline__ const W *inverse() const {
        return static_cast<const W *>(args.inverse) + static_cast<long long>(item) * n * n;
    }
    __device__ __forceinline__ const double *scales() const { return args.scales + 2ll * item * n; }

    __device__ __forceinline__ bool there() const { return team == 0; }
    // Adds up the teams' sums, for the threads of team 0.
    __device__ __forceinline__ W total(W sum) {
        parts[threadIdx.x] = sum;
        __syncthreads();
        if (there())
            for (int t = 1; t < teams; ++t) sum = add(sum, parts[t * n + mine]);
        __syncthreads();
        return sum;
    }
    // A^H r of a right-hand side, summed over the workers of a pass.
    __device__ __forceinline__ W gradient(const W *sums) {
        W sum = make<W>(0);
        if (team < teams)
#pragma unroll(is_complex<W> ? 4 : 8)
            for (int k = team; k < args.workers; k += teams)
                sum = add(sum, sums[static_cast<long long>(k) * (n + 1) + mine]);
        return total(sum);
    }
    // R^-H w. In step 0, also adds up the squares of R^-1 as it is stored, and of R^-1 with its rows scaled back
    // relative to the first one's factor, a power of two without which they might leave the range.
    __device__ __forceinline__ W forward(W w, double (&squares)[2]) {
        if (there()) in[mine] = scale(w, scales()[mine]);
        __syncthreads();
        const int lane = threadIdx.x % 32;
        for (int c = threadIdx.x / 32; c < n; c += THREADS / 32) {
            const W *const column = inverse() + static_cast<long long>(c) * n;
            W sum = make<W>(0);
#pragma unroll 4
            for (int i = lane; i <= c; i += 32) {
                const W r = column[i];
                sum = cfma_(r, in[i], sum);
                if (args.step == 0) {
                    squares[0] = abs2_add(r, squares[0]);
                    squares[1] = abs2_add(scale(r, scales()[i] / scales()[0]), squares[1]);
                }
            }
            sum = lanes_sum<32>(sum);
            if (lane == 0) parts[c] = sum;
        }
        __syncthreads();
        const W s = there() ? parts[mine] : make<W>(0);
        __syncthreads();
        return s;
    }
    // R^-1 p.
    __device__ __forceinline__ W back(W p) {
        if (there()) in[mine] = p;
        __syncthreads();
        W sum = make<W>(0);
        if (team < teams) {
            const W *const row = inverse() + mine;
            const int c0 = mine + (teams + team - mine % teams) % teams;
#pragma unroll 4
            for (int c = c0; c < n; c += teams) sum = fma_(row[static_cast<long long>(c) * n], in[c], sum);
        }
        sum = total(sum);
        return there() ? scale(sum, scales()[mine]) : sum;
    }
};

// The real part of conj(a) b.
template <typename W>
__device__ __forceinline__ double dot(W a, W b) {
    return re(cfma_(a, b, make<W>(0)));
}

// One block per right-hand side of a member.
template <typename T, int THREADS>
__device__ __forceinline__ void iterative_step(const IterativeArgs &args) {
    using W = Wide<T>;
    using Scalar = IterativeScalar;
    using State = IterativeState;
    const long long j = blockIdx.x;
    if (args.states[j] != State::RUNNING) return;
    const int n = args.n, item = static_cast<int>(j / args.nrhs);
    double *const scalars = args.scalars + j * Scalar::COUNT;
    IterativeVectors<W, THREADS> v(args, item);
    W *const place = static_cast<W *>(args.vectors) + 4 * j * n + v.mine; // of x, s, p, R^-1 p
    const W *const sums = static_cast<const W *>(args.sums) + j * args.workers * (n + 1);
    const auto end = [&](int state, W x, double residual2, int iterations) {
        if (state == State::DONE && v.there())
            member<T>(args.x, item)[(j - static_cast<long long>(item) * args.nrhs) * args.ldx + v.mine] = narrow<T>(x);
        if (threadIdx.x != 0) return;
        args.states[j] = state;
        if (state != State::DONE) return;
        if (args.iterations) args.iterations[j] = iterations;
        if (args.residuals) static_cast<Real<T> *>(args.residuals)[j] = static_cast<Real<T>>(sqrt(residual2));
    };

    const W w = v.gradient(sums);
    double squares[2] = {0, 0};
    const W s = v.forward(w, squares);
    double r2 = 0;
    for (int k = threadIdx.x; k < args.workers; k += THREADS) r2 += re(sums[static_cast<long long>(k) * (n + 1) + n]);

    if (args.step == 0) {
        const double d = v.there() ? v.scales()[v.mine] : 0, norm2 = v.there() ? v.scales()[n + v.mine] : 0;
        if (v.there() && norm2 < 1e-300) squares[0] = NAN; // squares have lost digits to underflow
        double x[6] = {r2, v.there() ? abs2_add(s, 0.0) : 0, squares[0], squares[1], norm2, norm2 * d * d};
        block_sums<THREADS>(x);
        // Above this bound, rounding errors of A^H A spoil R as a preconditioner. NaN fails, too.
        const bool usable = args.broken[item] == 0 && x[2] * x[5] < 1e16;
        if (usable && (x[0] == 0 || x[0] != x[0])) return end(State::DONE, make<W>(x[0]), x[0], 0);
        if (!usable || !(x[0] > 1e-200 && x[0] < 1e300) || !(x[1] < 1e300))
            return end(State::NO_FACTOR, make<W>(0), 0, 0);
        if (x[1] == 0) return end(State::DONE, make<W>(0), x[0], 0);
        const W t = v.back(s);
        if (v.there()) place[0] = t, place[n] = s, place[2 * n] = s, place[3 * n] = t;
        if (threadIdx.x == 0) {
            scalars[Scalar::RIGHT] = sqrt(x[0]), scalars[Scalar::BEFORE] = sqrt(x[1]);
            scalars[Scalar::MATRIX] = sqrt(x[4]), scalars[Scalar::CONDITION] = sqrt(x[4]) * args.scales[0] * sqrt(x[3]);
            scalars[Scalar::ROUNDING] = 0x1p-52 * x[2] * x[5];
        }
        return;
    }

    W x = make<W>(0), change = x, p = x;
    double along = 0;
    if (v.there()) {
        p = place[2 * n], change = place[n], along = dot(p, change);
        change = add(change, scale(s, -1.0));
    }
    // A^H r is squared in units of |A|, and x in units of |b| / |A|, so that significant squares stay in the range.
    const double matrix = scalars[Scalar::MATRIX], right = scalars[Scalar::RIGHT];
    const double gradient = v.there() ? abs2_add(scale(w, 1 / matrix), 0.0) : 0;
    double q[5] = {r2, dot(p, change), along, gradient, abs2_add(s, 0.0)};
    block_sums<THREADS>(q);
    const double more = q[2] / q[1] - 1; // correction to the step's length
    if (!(q[1] > 0) || !(fabs(more) < 1e6)) return end(State::NO_CONVERGENCE, x, 0, 0);
    if (v.there()) x = add(place[0], scale(place[3 * n], more));
    const W now = add(s, scale(change, -more));
    double u[3] = {abs2_add(now, 0.0), dot(change, now), abs2_add(scale(x, matrix / right), 0.0)};
    block_sums<THREADS>(u);

    const double size = sqrt(u[0]), r = sqrt(q[0]), bound = args.tolerance * right * (sqrt(u[2]) + 1);
    const double noise = args.tolerance * scalars[Scalar::CONDITION] * r; // due to rounding errors in A^H r
    const double ratio = size / scalars[Scalar::BEFORE];
    const bool stagnates = ratio > 0.5 && size <= 16 * (bound + noise);
    // One last step is made without a check of its result. It leaves as much as the previous one did, or as much as
    // rounding errors of A^H A let it leave of the components along A's smallest singular values.
    const double left = fmin(fmax(16 * ratio, scalars[Scalar::ROUNDING]), 1.0) * size;
    if (left <= bound || sqrt(q[3]) <= args.tolerance * r || stagnates) {
        x = add(x, v.back(now));
        return end(State::DONE, x, fmax(q[0] - q[4], 0.0), args.step); // subtract the part of r that lies in A's range
    }
    if (args.last) return end(State::NO_CONVERGENCE, x, 0, 0);
    p = add(now, scale(p, -u[1] / q[1]));
    const W t = v.back(p);
    if (v.there()) place[0] = add(x, t), place[n] = now, place[2 * n] = p, place[3 * n] = t;
    if (threadIdx.x == 0) scalars[Scalar::BEFORE] = size;
}

// Takes the direct solutions for those right-hand sides that have no others, and their members' info. One block per
// right-hand side of a member.
template <typename T, int THREADS>
__device__ __forceinline__ void iterative_take(const IterativeArgs &args) {
    using W = Wide<T>;
    const long long j = blockIdx.x;
    const int state = args.code ? args.code : args.states[j];
    if (state == IterativeState::DONE) return;
    const long long item = j / args.nrhs;
    const T *const from = static_cast<const T *>(args.direct) + j * args.m;
    T *const x = member<T>(args.x, item) + (j - item * args.nrhs) * args.ldx;
    // Squares of the residual, also scaled up and down by a power of two; then zeros, or NaN if X is not finite.
    constexpr double BY = 0x1p600;
    double sums[4] = {0, 0, 0, 0};
    for (long long i = threadIdx.x; i < args.m; i += THREADS) {
        const W y = widen(from[i]);
        if (i < args.n) {
            x[i] = from[i], sums[3] += (re(y) - re(y)) + (im(y) - im(y));
        } else {
            sums[0] = abs2_add(y, sums[0]);
            sums[1] = abs2_add(scale(y, BY), sums[1]), sums[2] = abs2_add(scale(y, 1 / BY), sums[2]);
        }
    }
    block_sums<THREADS>(sums);
    if (threadIdx.x != 0) return;
    const int code = args.codes[item];     // nonzero: X and the residual are invalid
    if (args.info) args.info[item] = code; // all right-hand sides of a member write the same value
    if (args.iterations) args.iterations[j] = IterativeState::DONE - state;
    const double norm = sums[0] < 1e-200 ? sqrt(sums[1]) / BY : sums[0] > 1e300 ? sqrt(sums[2]) * BY : sqrt(sums[0]);
    if (args.residuals) static_cast<Real<T> *>(args.residuals)[j] = static_cast<Real<T>>(code ? NAN : norm + sums[3]);
}

} // namespace tephra

#define TEPHRA_ITERATIVE_STEP(NAME, T, THREADS)                                                                        \
    TEPHRA_ENTRY(NAME, (Instance(THREADS).needs(iterative_step_bytes<Wide<letter::T>, THREADS>, Count())),             \
                 __launch_bounds__(THREADS), IterativeArgs, iterative_step<letter::T, THREADS>)
#define TEPHRA_ITERATIVE_TAKE(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, IterativeArgs, iterative_take)
