// Sixteen bytes of a column at a time.
#pragma once
#include "scalar.cuh"

namespace tephra {

template <typename T>
struct alignas(16) Chunk {
    static constexpr int size = 16 / sizeof(T);
    T e[size];
};

// The chunk at an address in shared memory, read here and now: the compiler would keep what it has read before.
template <typename T>
__device__ __forceinline__ Chunk<T> read_again(const T *from) {
    uint4 w;
    asm volatile("ld.volatile.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
    return *reinterpret_cast<const Chunk<T> *>(&w);
}

// Whether all columns, ld apart from p on, start at a multiple of 16 bytes.
template <typename T>
__device__ __forceinline__ bool aligned16(const T *p, long long ld) {
    return ((reinterpret_cast<unsigned long long>(p) | static_cast<unsigned long long>(ld * sizeof(T))) & 15) == 0;
}
// Whether columns of m rows are whole chunks, too.
template <typename T>
__device__ __forceinline__ bool in_chunks(const T *p, long long ld, int m) {
    return aligned16(p, ld | m);
}

} // namespace tephra
