// Sixteen bytes of a column at a time, or fewer.
#pragma once
#include "../arch/arch.cuh"
#include "scalar.cuh"

namespace tephra {

template <typename T, int BYTES = 16>
struct alignas(BYTES) Chunk {
    static constexpr int size = BYTES / sizeof(T);
    T e[size];
};

// The chunk at an address in shared memory, read here and now: the compiler would keep what it has read before.
template <typename T>
__device__ __forceinline__ Chunk<T> read_again(const T *from) {
    const uint4 w = read_now(from);
    Chunk<T> chunk;
    memcpy(&chunk, &w, sizeof chunk);
    return chunk;
}

// Whether all columns, ld apart from p on, start at a multiple of BYTES.
template <int BYTES, typename T>
__device__ __forceinline__ bool aligned(const T *p, long long ld) {
    const auto bits = reinterpret_cast<unsigned long long>(p) | static_cast<unsigned long long>(ld * sizeof(T));
    return (bits & (BYTES - 1)) == 0;
}
// Whether columns of m rows are whole chunks, too.
template <int BYTES = 16, typename T>
__device__ __forceinline__ bool in_chunks(const T *p, long long ld, int m) {
    return aligned<BYTES>(p, ld | m);
}

} // namespace tephra
