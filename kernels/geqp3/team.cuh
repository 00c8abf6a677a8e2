// QR with column pivoting of a matrix in the registers of a block.
//
// Columns stay in their lanes. Eight lanes share a column, and one of them has its norm and the place that it has moved
// to. A step has one barrier. Before it, every warp writes its column with the largest norm to shared memory, scaled to
// about one by a power of two. After it, all warps find the best of these columns, make the same reflector from it, and
// apply it to their own columns. Norms and the next pivot are known before the matrix itself is up to date. Source:
// LAPACK laqp2.
#pragma once
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "../geqrf/column_scale.cuh"
#include "args.cuh"

namespace tephra {

// Sums N values over groups of lanes that differ in bits S, S / 2, .., 1, and leaves each sum in some of the lanes
// only: at every level a lane keeps one half of the values and sends the other, and both partners keep a value that is
// left over. N <= 2 S, so that one sum is left, in v[0].
template <int S, int N, typename T, int ALL>
__device__ __forceinline__ void sum_apart(T (&v)[ALL], int lane) {
    if constexpr (S > 0) {
        constexpr int half = (N + 1) / 2;
        const bool upper = lane & S;
#pragma unroll
        for (int i = 0; i < half; ++i) {
            if (i + half < N) {
                const T kept = upper ? v[i + half] : v[i], sent = upper ? v[i] : v[i + half];
                v[i] = add(kept, shfl_xor(sent, S));
            } else {
                v[i] = add(v[i], shfl_xor(v[i], S));
            }
        }
        sum_apart<S / 2, half>(v, lane);
    }
}
// The value whose sum a lane has afterwards, and a lane that has the sum of value j.
template <int S, int N>
__device__ __forceinline__ int whose_sum(int lane) {
    if constexpr (S > 0) {
        constexpr int half = (N + 1) / 2;
        const int i = whose_sum<S / 2, half>(lane);
        return (lane & S) && i + half < N ? i + half : i;
    } else {
        return 0;
    }
}
template <int S, int N>
__host__ __device__ constexpr int lane_of_sum(int j) {
    if constexpr (S > 0) {
        constexpr int half = (N + 1) / 2;
        return j >= half ? S | lane_of_sum<S / 2, half>(j - half) : lane_of_sum<S / 2, half>(j);
    } else {
        return 0;
    }
}

// PR x PC lanes of each of W warps hold RPT x CPT elements each. The first LOW rows of a lane are in shared memory;
// they are not touched again once they are finished. KEEP: whether a step keeps the pivot column in registers between
// its two uses, or reads it again.
template <typename T, int RPT, int CPT, int W, int LOW, bool KEEP>
struct PivotTeam {
    using R = Real<T>;
    static constexpr int PR = 8, PC = 4, P = PC * W, THREADS = 32 * W, V = Chunk<T>::size;
    static constexpr int rows = PR * RPT, columns = P * CPT;
    static constexpr int chunk = 2; // register rows that are finished by the same code
    // A lane's rows side by side; an odd number of chunks keeps the lanes in different banks.
    static constexpr int box_rows = ((RPT + V - 1) / V | 1) * V;
    static constexpr int low_bytes = LOW * CPT * THREADS * static_cast<int>(sizeof(T));
    static_assert(CPT <= PR, "a lane knows one column's norm");

    struct alignas(2 * sizeof(T)) Done {
        T d;
        R minus_beta; // of the scaled column in the step; 0: H = I
    };
    // Double buffers for what a step reads and leaves for the next one, so that one barrier is enough.
    struct Shared {
        alignas(16) T box[2][W][PR * box_rows]; // each warp's best column
        Offer<R> offers[2][W];                  // id: place, number and exponent of that column
        T row[2][columns];                      // the pivot's row, of all columns
        Done done[columns < rows ? columns : rows];
    };

    Shared &shared;
    T *low;
    int m, n, lane, lr, lc, w, k_end, fixed;
    int own;    // the column whose norm and place this lane has
    bool there; // whether the matrix has it
    int place;  // its current place
    // The square of the norm of what is left of the column, and the same when it was last summed, of the column times
    // 2^-power. As squares, a step can take the new element of R out without a division.
    R square, whole;
    int power;
    T a[RPT - LOW][CPT];

    __device__ __forceinline__ PivotTeam(Shared &s, T *low_, int m_, int n_)
        : shared(s), low(low_ + threadIdx.x), m(m_), n(n_), lane(threadIdx.x % 32), lr(lane % PR), lc(lane / PR),
          w(threadIdx.x / 32), k_end(m_ < n_ ? m_ : n_), fixed(0), own(col(whose_sum<PR / 2, CPT>(lane))),
          there(own < n_), place(own), square(0), whole(0), power(0) {}

    __device__ __forceinline__ int col(int c) const { return (c * PC + lc) * W + w; }
    __device__ __forceinline__ T at(int r, int c) const {
        return r < LOW ? low[(r * CPT + c) * THREADS] : a[r < LOW ? 0 : r - LOW][c];
    }
    __device__ __forceinline__ void put(int r, int c, T x) {
        if (r < LOW)
            low[(r * CPT + c) * THREADS] = x;
        else
            a[r - LOW][c] = x;
    }

    __device__ __forceinline__ void load(const T *A, long long lda) {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const T *const p = A + col(c) * lda + lr;
            const int left = col(c) < n ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) put(r, c, r * PR < left ? p[r * PR] : make<T>(0));
            if (lr == 0) shared.row[0][col(c)] = at(0, c);
        }
    }
    // Moves the columns that the caller has chosen to the front, in the order that LAPACK's exchanges leave.
    __device__ __forceinline__ void choose_first(const int *jpvt) {
        for (int from = 0; from < n; from += 32) {
            unsigned chosen = __ballot_sync(0xffffffffu, from + lane < n && jpvt[from + lane] != 0);
            for (; chosen; chosen &= chosen - 1) {
                const int j = from + __ffs(chosen) - 1;
                place = place == j ? fixed : place == fixed ? j : place;
                ++fixed;
            }
        }
    }

    // Sums the norms of rows first, first + 1, ... of the columns whose lanes ask for it.
    __device__ __forceinline__ void sum_norms(bool asks, int first) {
        R sums[CPT];
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            sums[c] = 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR + lr >= first) sums[c] = abs2_add(at(r, c), sums[c]);
        }
        sum_apart<PR / 2, CPT>(sums, lane);
        const R sum = sums[0];
        R x = sqrt(sum);
        if (__any_sync(0xffffffffu, asks && !safe_square(sum))) {
            R most = 0;
#pragma unroll
            for (int c = 0; c < CPT; ++c) {
                R largest = 0;
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (r * PR + lr >= first) largest = fmax(largest, abs_inf(at(r, c)));
                largest = lanes_max<PR>(largest);
                const Rescale<R> rescale(largest);
                sums[c] = 0;
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (r * PR + lr >= first) sums[c] = abs2_add(rescale(at(r, c)), sums[c]);
                most = own == col(c) ? largest : most;
            }
            sum_apart<PR / 2, CPT>(sums, lane);
            if (!safe_square(sum)) x = guarded_norm(most, sums[0], Rescale<R>(most).e, sum);
        }
        if (asks) {
            power = normal(exponent_above(x));
            x *= pow2(-power, R());
            square = whole = x * x;
        }
    }
    // LAPACK's rule (downdate() of args.cuh) for squares. Returns whether the norm must be summed again.
    __device__ __forceinline__ bool take_out(T gone) {
        constexpr R limit = sizeof(R) == 8 ? R(0x1.6a09e667f3bcdp-27) : R(0x1p-12f);
        if (square == 0) return false;
        gone = scale(gone, pow2(-power, R()));
        R left = fma(-re(gone), re(gone), square);
        if constexpr (is_complex<T>) left = fma(-im(gone), im(gone), left);
        left = left < 0 ? R(0) : left; // a NaN stays
        if (left <= limit * whole) return true;
        square = left;
        return false;
    }
    // A number that orders columns by their norms, whatever their powers are: the exponent field holds the sum of the
    // exponents, is two bits longer than usual, and leaves two bits less to the mantissa. Values that are not finite
    // stay as they are.
    static constexpr int bias = sizeof(R) == 8 ? 1023 : 127, bits = sizeof(R) == 8 ? 18 : 21;
    __device__ __forceinline__ R rank() const {
        if (square == 0 || !(square <= Limits<R>::max)) return square;
        const unsigned powers = static_cast<unsigned>(2 * (power + bias + 1)) << bits;
        if constexpr (sizeof(R) == 8) {
            const unsigned high = static_cast<unsigned>(__double2hiint(square));
            const unsigned low = static_cast<unsigned>(__double2loint(square));
            return __hiloint2double(static_cast<int>((high >> 2) + powers), static_cast<int>(high << 30 | low >> 2));
        } else {
            return __uint_as_float((__float_as_uint(square) >> 2) + powers);
        }
    }
    // The power of two above a norm with the given rank, and that above or near a given norm.
    static __device__ __forceinline__ int power_of_rank(R rank) {
        const unsigned high = size_word(rank);
        const int e = (static_cast<int>(high >> bits) - 2 * (bias + 1) - bias) >> 1;
        return at_most(rank > 0 && rank <= Limits<R>::max ? e + 1 : 1);
    }
    static __device__ __forceinline__ int exponent_above(R norm) {
        return at_most(norm <= Limits<R>::max ? exponent(norm) + 1 : 1);
    }
    // Clamps an exponent such that its power of two, and with `normal` also the reciprocal, is a normal number.
    static __device__ __forceinline__ int at_most(int e) { return e > bias - 1 ? bias - 1 : e; }
    static __device__ __forceinline__ int normal(int e) { return e < 1 - bias ? 1 - bias : e; }

    // The best of the warp's columns that may move to place k, for all lanes. Its id holds place, number and the
    // exponent of a power of two near its norm, so that a scaled reflector's first element is between 1/2 and 2.
    __device__ __forceinline__ Offer<R> offer(int k) const {
        const bool left = there && (k < fixed ? place == k : place >= k);
        Offer<R> best = Offer<R>::best_of_warp(left, rank(), place << 20 | own << 12);
        best.id = (best.id & ~0xfff) | (power_of_rank(best.norm) + 2048);
        return best;
    }
    static __device__ __forceinline__ int place_of(int id) { return id >> 20; }
    static __device__ __forceinline__ int number_of(int id) { return id >> 12 & 0xff; }
    static __device__ __forceinline__ int exponent_of(int id) { return (id & 0xfff) - 2048; }
    // Calls f(c) for the register column of a column, which is the same for all threads of a warp.
    template <int c = 0, typename F>
    static __device__ __forceinline__ void for_column(int number, F f) {
        if (number / P == c)
            f(std::integral_constant<int, c>());
        else if constexpr (c + 1 < CPT)
            for_column<c + 1>(number, f);
    }
    __device__ __forceinline__ bool has(int number) const { return number % W == w && number / W % PC == lc; }

    // Applies the reflector of step k to all columns, whose rows from r0 PR on may change. x_rows: this lane's rows of
    // the pivot column. Leaves the warp's offer for the next step in `next`; returns whether this lane's norm must be
    // summed again.
    template <int r0>
    __device__ __forceinline__ bool step(int k, const T *x_rows, T alpha, R &beta, Offer<R> &next) {
        const auto below = [&](int r) { return r >= r0 + chunk || r * PR + lr > k; };
        T kept[KEEP ? RPT : 1], dot[CPT];
        R sums[2] = {0, 0};
        if constexpr (KEEP) {
#pragma unroll
            for (int first = r0 / V * V; first < RPT; first += V) {
                const auto q = *reinterpret_cast<const Chunk<T> *>(x_rows + first);
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (first + e >= r0 && first + e < RPT) kept[first + e] = below(first + e) ? q.e[e] : make<T>(0);
            }
        }
#pragma unroll
        for (int c = 0; c < CPT; ++c) dot[c] = make<T>(0);
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T x = KEEP ? kept[KEEP ? r : 0] : below(r) ? x_rows[r] : make<T>(0);
            sums[r % 2] = abs2_add(x, sums[r % 2]);
#pragma unroll
            for (int c = 0; c < CPT; ++c) dot[c] = cfma_(x, at(r, c), dot[c]);
        }
        const R sum = lanes_sum<PR>(sums[0] + sums[1]), q = abs2_add(alpha, sum);
        sum_apart<PR / 2, CPT>(dot, lane);
        UnscaledReflector<T> h;
        bool finite = true;
        if (sum > SafeRange<R>::lo && q < SafeRange<R>::hi) {
            h = unscaled_fast(alpha, q, false);
        } else {
            R most = 0;
#pragma unroll 1
            for (int r = r0; r < RPT; ++r)
                if (r * PR + lr > k) most = fmax(most, abs_inf(x_rows[r]));
            most = lanes_max<PR>(most);
            finite = q <= Limits<R>::max;
            const bool identity = finite && most == 0 && im(alpha) == 0;
            h = unscaled_fast(alpha, identity || !finite ? R(1) : q, false);
            h.identity = identity;
            // Values that are not finite reach the remaining columns by y alone.
            if (!finite || identity) h.d = make<T>(1), h.g = make<T>(0), h.beta = re(alpha);
            if constexpr (KEEP) {
#pragma unroll
                for (int r = r0; r < RPT; ++r)
                    if (!finite) kept[r] = make<T>(below(r) ? 1 : 0);
            }
        }
        const R nan = R(0) * Limits<R>::inf();
        beta = finite ? h.beta : nan;
        if (threadIdx.x == 0)
            shared.done[k] = finite ? Done{h.d, h.identity ? R(0) : -h.beta} : Done{make<T>(nan, nan), nan};

        const T pivot_row = shared.row[k & 1][own];
        const bool left = there && place > k;
        T y_own = finite ? mul(h.g, cfma_(h.d, pivot_row, dot[0])) : make<T>(nan, nan);
        if (!left) y_own = make<T>(0);
        const T gone = fnma_(h.d, y_own, pivot_row);
        const bool again = left && k >= fixed && take_out(gone);
        T y[CPT];
#pragma unroll
        for (int c = 0; c < CPT; ++c) y[c] = shfl_group<PR>(y_own, lane_of_sum<PR / 2, CPT>(c));
        next = offer(k + 1);
        if constexpr (!KEEP) keep_order(); // or x would stay in registers after it has been read
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T x = KEEP ? kept[KEEP ? r : 0] : finite ? x_rows[r] : make<T>(1);
#pragma unroll
            for (int c = 0; c < CPT; ++c) {
                if (r >= r0 + chunk) {
                    put(r, c, fnma_(x, y[c], at(r, c)));
                } else {
                    const T changed = fnma_(r * PR + lr == k ? h.d : x, y[c], at(r, c));
                    put(r, c, r * PR + lr >= k ? changed : at(r, c));
                }
            }
        }
#pragma unroll
        for (int r = r0; r <= r0 + chunk && r < RPT; ++r)
            if (r * PR + lr == k + 1) {
#pragma unroll
                for (int c = 0; c < CPT; ++c) shared.row[(k + 1) & 1][col(c)] = at(r, c);
            }
        return again;
    }
    // The same, by the code for the register rows that contain row k.
    template <int FIRST, int END>
    __device__ __forceinline__ bool step_at(int k, const T *x_rows, T alpha, R &beta, Offer<R> &next) {
        if constexpr (FIRST + chunk >= END) {
            return step<FIRST>(k, x_rows, alpha, beta, next);
        } else {
            constexpr int middle = FIRST + (END - FIRST + 2 * chunk - 1) / (2 * chunk) * chunk;
            return k < middle * PR ? step_at<FIRST, middle>(k, x_rows, alpha, beta, next)
                                   : step_at<middle, END>(k, x_rows, alpha, beta, next);
        }
    }

    __device__ __forceinline__ void factor() {
        Offer<R> next = {R(-1), 0};
        bool again = false;
#pragma unroll 1
        for (int k = -1;; ++k) {
            if (k >= 0) {
                __syncthreads();
                Offer<R> offers[W];
#pragma unroll
                for (int o = 0; o < W; ++o) offers[o] = shared.offers[k & 1][o];
#pragma unroll
                for (int s = 1; s < W; s *= 2)
#pragma unroll
                    for (int o = 0; o + s < W; o += 2 * s) offers[o].take(offers[o + s].norm, offers[o + s].id);
                const int id = offers[0].id, number = number_of(id);
                const T *const box = shared.box[k & 1][number % W], *const x_rows = box + lr * box_rows;
                place = own == number ? k : place == k ? place_of(id) : place;
                R beta;
                again = step_at<0, RPT>(k, x_rows, box[k % PR * box_rows + k / PR], beta, next);
                if (has(number)) {
                    const int e = exponent_of(id);
                    beta = beta * pow2(normal(e), R()) * pow2(e - normal(e), R());
                    for_column(number, [&](auto of) {
                        constexpr int c = decltype(of)::value;
#pragma unroll
                        for (int r = 0; r < RPT; ++r)
                            if (r * PR + lr >= k) put(r, c, r * PR + lr == k ? make<T>(beta) : x_rows[r]);
                    });
                }
            }
            if (k + 1 == k_end) break;
            if (k + 1 <= fixed) again = there && (k + 1 < fixed ? place == k + 1 : place > k);
            if (__any_sync(0xffffffffu, again)) {
                sum_norms(again, k + 1);
                next = offer(k + 1);
            }
            const int number = number_of(next.id);
            if (next.norm != R(-1) && has(number)) {
                T *const to = shared.box[(k + 1) & 1][w] + lr * box_rows;
                const int e = exponent_of(next.id);
                const R factor = pow2(-normal(e), R()), more = pow2(normal(e) - e, R());
                for_column(number, [&](auto of) {
                    constexpr int c = decltype(of)::value;
#pragma unroll
                    for (int first = 0; first < RPT; first += V) {
                        Chunk<T> q;
#pragma unroll
                        for (int e = 0; e < V; ++e)
                            q.e[e] =
                                first + e < RPT ? scale(at(first + e < RPT ? first + e : 0, c), factor) : make<T>(0);
                        *reinterpret_cast<Chunk<T> *>(to + first) = q;
                    }
                });
                if (more != 1) {
#pragma unroll 1
                    for (int r = 0; r < RPT; ++r) to[r] = scale(to[r], more);
                }
            }
            if (lane == 0) shared.offers[(k + 1) & 1][w] = next;
        }
        __syncthreads();
    }

    // Stores the columns in their places; pivots become R's columns and the reflectors' vectors.
    __device__ __forceinline__ void store(T *A, long long lda, T *tau, int *jpvt) {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int to = __shfl_sync(0xffffffffu, place, lane_of_sum<PR / 2, CPT>(c), PR);
            const T factor = to < k_end ? reciprocal_or_zero(shared.done[to < k_end ? to : 0].d) : make<T>(1);
            const int diagonal = to < k_end ? to : m, left = col(c) < n ? m - lr : 0;
            T *const p = A + to * lda + lr;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR < left) p[r * PR] = r * PR + lr > diagonal ? mul(at(r, c), factor) : at(r, c);
        }
        for (int k = threadIdx.x; k < k_end; k += THREADS) {
            const Done h = shared.done[k];
            tau[k] = scale(h.d, reciprocal_or_zero(h.minus_beta));
        }
        if (there) jpvt[place] = own + 1; // lanes with the same column write the same value
    }
};

template <typename T, int RPT, int CPT, int W, int LOW, bool KEEP>
__device__ __forceinline__ void geqp3_team(const Geqp3Args &args) {
    using K = PivotTeam<T, RPT, CPT, W, LOW, KEEP>;
    __shared__ typename K::Shared shared;
    long long i = blockIdx.x;
    const auto own = args.of(i);
    if (own.m == 0) return;
    K k(shared, reinterpret_cast<T *>(dynamic_shared()), own.m, own.n);
    k.load(member<T>(args.a, i), own.lda);
    k.choose_first(member<int>(args.jpvt, i));
    k.factor();
    forget(i); // or addresses would stay in registers until here
    const long long lda = args.each ? args.sizes.leading[i] : args.lda;
    k.store(member<T>(args.a, i), lda, member<T>(args.tau, i), member<int>(args.jpvt, i));
    if (threadIdx.x == 0 && args.info) args.info[i] = 0;
}

} // namespace tephra

#define TEPHRA_GEQP3_TEAM(NAME, T, RPT, CPT, W, LOW, KEEP, MIN_BLOCKS)                                                 \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W)                                                                                      \
                     .holds(8 * RPT, 4 * W * CPT)                                                                      \
                     .by_warps(W)                                                                                      \
                     .needs(PivotTeam<letter::T, RPT, CPT, W, LOW, KEEP>::low_bytes),                                  \
                 __launch_bounds__(32 * W, MIN_BLOCKS), Geqp3Args, geqp3_team<letter::T, RPT, CPT, W, LOW, KEEP>)
