// The way of a factor from global to shared memory, a chunk of KC terms at a time, and what becomes of the sums.
#pragma once
#include "../common/async.cuh"
#include "../common/scalar.cuh"
#include "args.cuh"

namespace tephra {

// EXTENT rows of op(A), or columns of op(B): its lines. Neighbouring threads read what is adjacent in memory, if lines
// or terms are. In shared memory element (line, term) is at line * LINE + term * TERM.
template <typename T, int EXTENT, int KC, int THREADS, int LINE, int TERM>
struct GemmStage {
    static constexpr int each = EXTENT * KC / THREADS;
    static_assert(THREADS % EXTENT == 0 && THREADS % KC == 0 && EXTENT * KC % THREADS == 0, "whole turns");

    const T *from; // this thread's first element of the next chunk
    long long step, chunk;
    int lines;
    bool along_lines;

    // `first`: of the tile, `lines_`: those that are there.
    __device__ __forceinline__ GemmStage(const T *first, long long per_line, long long per_term, int lines_)
        : lines(lines_), along_lines(per_line == 1) {
        from = first + line() * per_line + term() * per_term;
        step = next_line() * per_line + next_term() * per_term, chunk = KC * per_term;
    }
    // Of this thread's first element, and to its next.
    __device__ __forceinline__ int line() const { return along_lines ? threadIdx.x % EXTENT : threadIdx.x / KC; }
    __device__ __forceinline__ int term() const { return along_lines ? threadIdx.x / EXTENT : threadIdx.x % KC; }
    __device__ __forceinline__ int next_line() const { return along_lines ? 0 : THREADS / KC; }
    __device__ __forceinline__ int next_term() const { return along_lines ? THREADS / EXTENT : 0; }

    // `terms`: those that are left. What is outside becomes zero.
    __device__ __forceinline__ void copy(T *shared, int terms) {
        const T *p = from;
        T *to = shared + line() * LINE + term() * TERM;
        const int shared_step = next_line() * LINE + next_term() * TERM;
        if (lines >= EXTENT && terms >= KC) {
#pragma unroll
            for (int e = 0; e < each; ++e, p += step, to += shared_step) copy_async<sizeof(T)>(to, p, true);
        } else {
            int l = line(), k = term();
#pragma unroll
            for (int e = 0; e < each; ++e, p += step, to += shared_step, l += next_line(), k += next_term())
                copy_async<sizeof(T)>(to, p, l < lines && k < terms);
        }
        from += chunk;
    }
};

// Without the floating-point pipes.
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

// Without its imaginary part, when `without` says so.
template <typename T>
__device__ __forceinline__ T gemm_real(T a, bool without) {
    if constexpr (is_complex<T>) a.y = without ? 0 : a.y;
    return a;
}

// alpha and beta, and what they make of a sum and of what C was. Real ones leave an infinity in one part out of the
// other.
template <typename T>
struct GemmScales {
    Real<T> factor; // of sums that `turns` has been applied to
    T alpha, beta;
    bool turns, beta_turns, reads; // alpha or beta is not real; C is read

    __device__ __forceinline__ explicit GemmScales(const GemmArgs &args)
        : alpha(value(args.alpha, args.alpha_re, args.alpha_im)), beta(value(args.beta, args.beta_re, args.beta_im)),
          turns(im(alpha) != 0), beta_turns(im(beta) != 0), reads(!is_zero(beta)) {
        factor = turns ? Real<T>(1) : re(alpha);
    }
    // Neither factor of the product is read.
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
