// Conversion of matrices between FP16 or BF16, in which they are stored, and FP32, in which they are computed with.
#pragma once
#include "../arch/arch.cuh"
#include "../common/batch.cuh"
#include "../common/chunk.cuh"
#include "../common/instance.cuh"

namespace tephra {

// Mirrored in src/gpu/plan/parts/convert.rs.
struct ConvertArgs {
    Operand half, single; // elements of 16 bits, and of 32
    long long ld_half, ld_single, batch;
    long long rows, columns;
    int part;   // 0: all, 1: the upper triangle, 2: the lower one; both with the diagonal
    int bfloat; // 1: BF16, 0: FP16
};

using Bits = unsigned short;

// x rounded to BF16 (to nearest, ties to even); values that are too large become infinite. Not every architecture has
// an instruction for this.
__device__ __forceinline__ Bits to_bfloat(float x) {
    const unsigned bits = __float_as_uint(x);
    if (x != x) return static_cast<Bits>(bits >> 16 | 0x40); // quiet, whatever the lower half was
    return static_cast<Bits>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

__device__ __forceinline__ void converted(Bits from, bool bfloat, float &to) {
    to = bfloat ? __uint_as_float(static_cast<unsigned>(from) << 16) : from_half(from);
}
__device__ __forceinline__ void converted(float from, bool bfloat, Bits &to) {
    to = bfloat ? to_bfloat(from) : half_of(from);
}

// Eight elements of a column, of which `first` to `last` - 1 are used; moved 16 bytes at a time if all are, and
// aligned.
template <typename T>
struct Eight {
    static constexpr int each = Chunk<T>::size, words = 8 / each;
    Chunk<T> word[words];

    __device__ __forceinline__ T &operator[](int k) { return word[k / each].e[k % each]; }
    static __device__ __forceinline__ bool whole(const T *p, int first, int last) {
        return last - first == 8 && aligned<16>(p, 0);
    }
    __device__ __forceinline__ void load(const T *p, int first, int last) {
        if (whole(p, first, last)) {
#pragma unroll
            for (int w = 0; w < words; ++w) word[w] = reinterpret_cast<const Chunk<T> *>(p)[w];
        } else {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                if (first <= k && k < last) (*this)[k] = p[k];
        }
    }
    __device__ __forceinline__ void store(T *p, int first, int last) {
        if (whole(p, first, last)) {
#pragma unroll
            for (int w = 0; w < words; ++w) reinterpret_cast<Chunk<T> *>(p)[w] = word[w];
        } else {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                if (first <= k && k < last) p[k] = (*this)[k];
        }
    }
};

constexpr int CONVERT_AT_ONCE = 4;

// In each iteration a block converts adjacent columns of a matrix, or a part of one column: CONVERT_AT_ONCE times eight
// elements per thread, all of which are loaded before the first is stored. Memory is the limit.
template <typename From, typename To, int THREADS>
__device__ __forceinline__ void convert(const ConvertArgs &args, const Operand &source, long long ld_source,
                                        const Operand &target, long long ld_target) {
    constexpr int at_once = CONVERT_AT_ONCE;
    constexpr long long turn = THREADS * at_once;
    const long long pieces = (args.rows + 7) / 8, parts = (pieces + turn - 1) / turn;
    const long long group = pieces < turn ? turn / pieces : 1; // columns per iteration
    const long long turns = parts * ((args.columns + group - 1) / group);
    for (long long job = blockIdx.x; job < args.batch * turns; job += gridDim.x) {
        const long long i = job / turns, place = job % turns, column = place / parts * group,
                        top = place % parts * turn;
        const long long columns = args.columns - column < group ? args.columns - column : group;
        const unsigned height = static_cast<unsigned>(pieces - top < turn ? pieces - top : turn);
        const unsigned total = height * static_cast<unsigned>(columns);
        const From *from = member<From>(source, i);
        To *to = member<To>(target, i);
        Eight<From> x[at_once];
        const auto each = [&](auto f) {
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                const unsigned e = threadIdx.x + u * THREADS, c = e / height;
                if (e >= total) continue;
                const long long j = column + c, r = (top + (e - c * height)) * 8, left = args.rows - r;
                int first = 0, last = left < 8 ? static_cast<int>(left) : 8;
                if (args.part == 1 && j + 1 - r < last) last = j < r ? 0 : static_cast<int>(j + 1 - r);
                if (args.part == 2 && j > r) first = j - r < 8 ? static_cast<int>(j - r) : 8;
                f(x[u], j, r, first, last);
            }
        };
        each([&](Eight<From> &p, long long j, long long r, int first, int last) {
            p.load(from + j * ld_source + r, first, last);
        });
        each([&](Eight<From> &p, long long j, long long r, int first, int last) {
            Eight<To> q;
#pragma unroll
            for (int k = 0; k < 8; ++k) converted(p[k], args.bfloat, q[k]);
            q.store(to + j * ld_target + r, first, last);
        });
    }
}

template <int THREADS>
__device__ __forceinline__ void widen(const ConvertArgs &args) {
    convert<Bits, float, THREADS>(args, args.half, args.ld_half, args.single, args.ld_single);
}
template <int THREADS>
__device__ __forceinline__ void narrow(const ConvertArgs &args) {
    convert<float, Bits, THREADS>(args, args.single, args.ld_single, args.half, args.ld_half);
}

} // namespace tephra

// `holds`: the elements that a block converts in an iteration.
#define TEPHRA_CONVERT(NAME, THREADS, FUNCTION)                                                                        \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(8 * CONVERT_AT_ONCE * THREADS, 1), __launch_bounds__(THREADS),          \
                 ConvertArgs, FUNCTION<THREADS>)
#define TEPHRA_WIDEN(NAME, T, THREADS) TEPHRA_CONVERT(NAME, THREADS, widen)
#define TEPHRA_NARROW(NAME, T, THREADS) TEPHRA_CONVERT(NAME, THREADS, narrow)
