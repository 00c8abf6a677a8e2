// A tile of a matrix product on the vector pipes.
#pragma once
#include "../arch/there.cuh"
#include "store.cuh"

namespace tephra {

// BM x BN, of which a thread has TM x TN, in packs of 16 bytes: consecutive packs of a thread's rows are LM packs
// apart. KC terms at a time, in PLACES slots.
template <typename T_, int BM_, int BN_, int KC_, int PLACES, int TM, int TN>
struct GemmVector {
    using T = T_;
    static constexpr int BM = BM_, BN = BN_, KC = KC_, places = PLACES;
    using R = Real<T>;
    static constexpr int P = 16 / sizeof(T), Q = 16 / sizeof(R), LM = BM / TM, LN = BN / TN, threads = LM * LN;
    static constexpr int lda = BM + P, ldb = BN + Q, parts = sizeof(T) / sizeof(R);
    // All real parts of B precede all imaginary ones: both parts of an element are then read into registers of the same
    // bank.
    static constexpr int b_part = KC * ldb;
    using StageA = GemmStage<T, BM, KC, threads, lda, 0, 0>;
    using StageB = GemmStage<T, BN, KC, threads, ldb, 0, b_part>;
    static_assert(LM % 8 == 0 && LN % 4 == 0 && TM % P == 0 && TN % Q == 0, "warps of 8 x 4 threads, whole packs");

    using Pack = GemmPack<T>;
    using PackB = GemmPack<R>;
    struct Storage {
        alignas(16) T a[PLACES][KC * lda];
        alignas(16) R b[PLACES][parts * KC * ldb];
    };
    static __device__ __forceinline__ Storage &storage() { return shared_of_block<Storage>(); }
    static constexpr int dynamic_bytes = 0;

    T c[TN][TM];
    int tm, tn;

    // The two lanes of a pair share their rows, and every other lane of a half warp has the same columns, so that eight
    // lanes read few different words at a time.
    __device__ __forceinline__ GemmVector() {
        const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
        tm = w % (LM / 8) * 8 + (lane >> 1 & 7), tn = w / (LM / 8) * 4 + lane % 2 + lane / 16 * 2;
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int i = 0; i < TM; ++i) c[j][i] = make<T>(0);
    }

    // Calls f(layout of A, layout of B): shared memory has the same layout for all.
    template <typename F>
    static __device__ __forceinline__ void by_layout(const StageA &, const StageB &, F f) {
        f(GemmEitherWay(), GemmEitherWay());
    }
    // `terms`: remaining terms, in this chunk and later ones.
    __device__ __forceinline__ void multiply(const T *a, const R *b, bool conj_b, int terms, GemmEitherWay,
                                             GemmEitherWay) {
        if (is_complex<T> && conj_b)
            multiply<true>(a, b, terms);
        else
            multiply<false>(a, b, terms);
    }
    template <bool CONJ>
    __device__ __forceinline__ void multiply(const T *a, const R *b, int terms) {
        constexpr int step = 8; // terms between checks of what is left; beyond it there are zeros
        static_assert(KC % step == 0, "whole steps");
        terms = terms < KC ? terms : KC;
#pragma unroll 1
        for (int first = 0; first < terms; first += step, a += step * lda, b += step * ldb)
#pragma unroll
            for (int k = 0; k < step; ++k) {
                Pack x[TM / P];
                PackB y[parts][TN / Q];
#pragma unroll
                for (int p = 0; p < TM / P; ++p)
                    x[p] = *reinterpret_cast<const Pack *>(a + k * lda + (p * LM + tm) * P);
#pragma unroll
                for (int part = 0; part < parts; ++part)
#pragma unroll
                    for (int p = 0; p < TN / Q; ++p)
                        y[part][p] = *reinterpret_cast<const PackB *>(b + part * b_part + k * ldb + (p * LN + tn) * Q);
                gemm_outer<CONJ>(
                    c, [&](int i) { return x[i / P].v[i % P]; }, [&](int j) { return y[0][j / Q].v[j % Q]; },
                    [&](int j) { return y[parts - 1][j / Q].v[j % Q]; });
            }
    }

    // Stores the tile to C.
    __device__ __forceinline__ void finish(T *C, long long ldc, const GemmStored &stored, const GemmScales<T> &scales) {
        gemm_store<LM>(C, ldc, c, tm, [&](int j) { return column_of(j); }, stored, scales);
    }
    // Stores the sums to shared memory, by columns.
    __device__ __forceinline__ void keep(T *sums, int pitch) const {
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int p = 0; p < TM / P; ++p) {
                Pack pack;
#pragma unroll
                for (int i = 0; i < P; ++i) pack.v[i] = c[j][p * P + i];
                *reinterpret_cast<Pack *>(sums + column_of(j) * pitch + (p * LM + tm) * P) = pack;
            }
    }
    // The tile's column of this thread's column j.
    __device__ __forceinline__ int column_of(int j) const { return ((j / Q) * LN + tn) * Q + j % Q; }
};

} // namespace tephra
