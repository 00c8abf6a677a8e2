// A tile of a matrix product on the vector pipes.
#pragma once
#include "store.cuh"

namespace tephra {

// BM x BN, of which a thread has TM x TN, in packs of 16 bytes: pack p of a thread's rows is p LM packs after its
// first. KC terms at a time, in PLACES places.
template <typename T_, int BM_, int BN_, int KC_, int PLACES, int TM, int TN>
struct GemmVector {
    using T = T_;
    static constexpr int BM = BM_, BN = BN_, KC = KC_, places = PLACES;
    static constexpr int P = 16 / sizeof(T), LM = BM / TM, LN = BN / TN, threads = LM * LN;
    static constexpr int lda = BM + P, ldb = BN + P;
    // Places of element (line, term) in shared memory.
    static constexpr int a_line = 1, a_term = lda, b_line = 1, b_term = ldb;
    static_assert(LM % 8 == 0 && LN % 4 == 0 && TM % P == 0 && TN % P == 0, "warps of 8 x 4 threads, whole packs");

    using Pack = GemmPack<T>;
    struct Storage {
        alignas(16) T a[PLACES][KC * lda];
        alignas(16) T b[PLACES][KC * ldb];
    };
    T c[TN][TM];
    int tm, tn;

    // Of lanes, neighbours share their rows, and the next pair but three its columns: eight lanes read few different
    // words at a time.
    __device__ __forceinline__ GemmVector() {
        const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
        tm = w % (LM / 8) * 8 + (lane >> 1 & 7), tn = w / (LM / 8) * 4 + lane % 2 + lane / 16 * 2;
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int i = 0; i < TM; ++i) c[j][i] = make<T>(0);
    }

    __device__ __forceinline__ void multiply(const T *a, const T *b, bool conj_b) {
#pragma unroll 8
        for (int k = 0; k < KC; ++k) {
            Pack x[TM / P], y[TN / P];
#pragma unroll
            for (int p = 0; p < TM / P; ++p) x[p] = *reinterpret_cast<const Pack *>(a + k * lda + (p * LM + tm) * P);
#pragma unroll
            for (int p = 0; p < TN / P; ++p) y[p] = *reinterpret_cast<const Pack *>(b + k * ldb + (p * LN + tn) * P);
            if constexpr (is_complex<T>) {
#pragma unroll
                for (int j = 0; j < TN; ++j) y[j / P].v[j % P] = gemm_conj(y[j / P].v[j % P], conj_b);
            }
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int i = 0; i < TM; ++i) c[j][i] = fma_(x[i / P].v[i % P], y[j / P].v[j % P], c[j][i]);
        }
    }

    // To C, what is stored of the tile.
    __device__ __forceinline__ void finish(T *C, long long ldc, const GemmStored &stored, const GemmScales<T> &scales) {
        gemm_store<LM>(C, ldc, c, tm, [&](int j) { return column_of(j); }, stored, scales);
    }
    // Of the tile, this thread's.
    __device__ __forceinline__ int column_of(int j) const { return ((j / P) * LN + tn) * P + j % P; }
};

} // namespace tephra
