// A group of adjacent elements of a column that is moved at once: 16 bytes, or fewer.
#pragma once
#include "../arch/arch.cuh"
#include "scalar.cuh"

namespace tephra {

template <typename T, int BYTES = 16>
struct alignas(BYTES) Chunk {
    static constexpr int size = BYTES / sizeof(T);
    T e[size];
};

// Reads the chunk at an address in shared memory now; the compiler cannot reuse an earlier load of it.
template <typename T>
__device__ __forceinline__ Chunk<T> read_again(const T *from) {
    const uint4 w = read_now(from);
    Chunk<T> chunk;
    memcpy(&chunk, &w, sizeof chunk);
    return chunk;
}

// Whether every column of a matrix at p with leading dimension ld starts at a multiple of BYTES.
template <int BYTES, typename T>
__device__ __forceinline__ bool aligned(const T *p, long long ld) {
    const auto bits = reinterpret_cast<unsigned long long>(p) | static_cast<unsigned long long>(ld * sizeof(T));
    return (bits & (BYTES - 1)) == 0;
}
// Whether, in addition, columns of m rows consist of whole chunks.
template <int BYTES = 16, typename T>
__device__ __forceinline__ bool in_chunks(const T *p, long long ld, int m) {
    return aligned<BYTES>(p, ld | m);
}

} // namespace tephra
