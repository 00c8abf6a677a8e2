// Copies chunks of KC terms of a factor from global to shared memory, and applies alpha and beta to the sums.
#pragma once
#include <type_traits>

#include "../arch/arch.cuh"
#include "../common/scalar.cuh"
#include "args.cuh"

namespace tephra {

// EXTENT lines: rows of op(A), or columns of op(B). Adjacent threads read what is adjacent in memory, be it lines or
// terms. If that is adjacent in shared memory, too, and aligned, 16 bytes are copied at a time.
//
// In shared memory lines are adjacent and terms LINES apart. But if terms are adjacent in global memory and TERMS is
// not 0, terms are adjacent and lines are TERMS apart. If PART is not 0, positions count real numbers, and the
// imaginary parts of complex numbers are PART after the real ones.
template <typename T, int EXTENT, int KC, int THREADS, int LINES, int TERMS, int PART>
struct GemmStage {
    static constexpr bool split = is_complex<T> && PART > 0;
    static constexpr int P = split ? 1 : 16 / sizeof(T); // elements that can be copied at a time
    static constexpr int size = KC * LINES > EXTENT *TERMS ? KC *LINES : EXTENT *TERMS;
    using Shared = std::conditional_t<split, Real<T>, T>;

    // Position of an element in shared memory.
    template <bool ALONG_LINES>
    static __device__ __forceinline__ int place(int line, int term) {
        return ALONG_LINES ? line + term * LINES : line * TERMS + term;
    }

    const T *from;  // the next chunk
    long long step; // stride of whichever of lines and terms is not adjacent
    int lines;
    bool along_lines, packs;

    // `first`: first element of the tile; `lines_`: lines that exist.
    __device__ __forceinline__ GemmStage(const T *first, long long per_line, long long per_term, int lines_)
        : from(first), step(per_line == 1 ? per_term : per_line), lines(lines_), along_lines(per_line == 1) {
        packs = reinterpret_cast<unsigned long long>(first) % 16 == 0 && step % P == 0;
    }

    // Copies the next chunk. `terms`: remaining terms. What is outside becomes zero.
    template <typename Lines>
    __device__ __forceinline__ void copy(Shared *shared, int terms, Lines lines_adjacent) {
        if (lines_adjacent(*this)) {
            if (P > 1 && packs)
                bring<EXTENT, KC, 1, LINES, P>(shared, lines, terms);
            else
                bring<EXTENT, KC, 1, LINES, 1>(shared, lines, terms);
            from += KC * step;
        } else {
            constexpr int term = TERMS ? 1 : LINES, line = TERMS ? TERMS : 1, most = TERMS ? P : 1;
            if (most > 1 && packs)
                bring<KC, EXTENT, term, line, most>(shared, terms, lines);
            else
                bring<KC, EXTENT, term, line, 1>(shared, terms, lines);
            from += KC;
        }
    }

  private:
    // INNER adjacent elements, OUTER times, of which `inner` and `outer` exist; W elements at a time.
    template <int INNER, int OUTER, int INNER_STEP, int OUTER_STEP, int W>
    __device__ __forceinline__ void bring(Shared *shared, int inner, int outer) const {
        static_assert(INNER % W == 0, "whole packs");
        constexpr int per = INNER / W, all = per * OUTER, turns = (all + THREADS - 1) / THREADS;
        constexpr bool even = THREADS % per == 0; // a thread's packs differ in their outer index only
        const bool whole = inner >= INNER && outer >= OUTER;
        int thread = threadIdx.x;
        forget(thread); // otherwise each address would occupy registers during the products
        const int i = thread % per * W, o = thread / per;
        const T *p = from + o * step + i;
        const long long next = THREADS / per * step;
        Shared *to = shared + i * INNER_STEP + o * OUTER_STEP;
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
            int at_i = i, at_o = o + turn * (THREADS / per);
            if constexpr (!even) {
                const int e = thread + turn * THREADS;
                at_i = e % per * W, at_o = e / per;
                p = from + at_o * step + at_i, to = shared + at_i * INNER_STEP + at_o * OUTER_STEP;
            }
            if (all % THREADS == 0 || at_o < OUTER) {
                const int left = inner - at_i, valid = whole || left >= W ? W : left > 0 ? left : 0;
                const int bytes = whole || at_o < outer ? valid * static_cast<int>(sizeof(T)) : 0;
                if constexpr (split) {
                    const auto *const parts = reinterpret_cast<const Real<T> *>(p);
                    copy_async<sizeof(Real<T>)>(to, parts, bytes > 0);
                    copy_async<sizeof(Real<T>)>(to + PART, parts + 1, bytes > 0);
                } else if constexpr (W * sizeof(T) == 16) {
                    copy_async_part(to, p, bytes);
                } else {
                    copy_async<sizeof(T)>(to, p, bytes > 0);
                }
            }
            if constexpr (even) p += next, to += THREADS / per * OUTER_STEP;
        }
    }
};

// Whether a factor's lines are adjacent in global memory: known at compile time, or asked of the stage.
template <bool LINES>
struct GemmLines {
    static constexpr bool value = LINES;
    template <typename Stage>
    __device__ __forceinline__ constexpr bool operator()(const Stage &) const {
        return LINES;
    }
};
struct GemmEitherWay {
    template <typename Stage>
    __device__ __forceinline__ bool operator()(const Stage &stage) const {
        return stage.along_lines;
    }
};

// Changes the sign without the floating-point pipes.
__device__ __forceinline__ float gemm_flip(float x, unsigned sign) {
    return __uint_as_float(__float_as_uint(x) ^ sign);
}
__device__ __forceinline__ double gemm_flip(double x, unsigned sign) {
    return __hiloint2double(__double2hiint(x) ^ sign, __double2loint(x));
}
template <typename T>
__device__ __forceinline__ T gemm_conj(T a, bool conjugate) {
    if constexpr (is_complex<T>) a.y = gemm_flip(a.y, conjugate ? 0x80000000u : 0);
    return a;
}

// a, without its imaginary part if `without`.
template <typename T>
__device__ __forceinline__ T gemm_real(T a, bool without) {
    if constexpr (is_complex<T>) a.y = without ? 0 : a.y;
    return a;
}

// alpha and beta, and how they apply to a sum and to the old value of C. If they are real, an infinity in one part of a
// number does not spread to the other.
template <typename T>
struct GemmScales {
    Real<T> factor; // factor of sums; if `turns`, alpha has been applied to them before
    T alpha, beta;
    bool turns, beta_turns, reads; // alpha is not real; beta is not real; C is read
    bool conjugate;                // sums are conjugated: conj(A) B is the conjugate of A conj(B)

    __device__ __forceinline__ explicit GemmScales(const GemmFactors &args, bool conjugate_ = false)
        : alpha(value(args.alpha, args.alpha_re, args.alpha_im)), beta(value(args.beta, args.beta_re, args.beta_im)),
          turns(im(alpha) != 0), beta_turns(im(beta) != 0), reads(!is_zero(beta)), conjugate(conjugate_) {
        factor = turns ? Real<T>(1) : re(alpha);
    }
    // Neither factor of the product needs to be read.
    __device__ __forceinline__ bool nothing() const { return is_zero(alpha); }
    __device__ __forceinline__ T of(T sum) const { return scale(sum, factor); }
    __device__ __forceinline__ T of(T sum, T was) const {
        if constexpr (is_complex<T>) {
            const T kept = beta_turns ? mul(beta, was) : scale(was, beta.x);
            return {fma(factor, sum.x, kept.x), fma(factor, sum.y, kept.y)};
        } else {
            return fma(factor, sum, beta * was);
        }
    }

  private:
    static __device__ __forceinline__ T value(const void *place, double re, double im) {
        return place ? *static_cast<const T *>(place) : make<T>(static_cast<Real<T>>(re), static_cast<Real<T>>(im));
    }
};

} // namespace tephra
