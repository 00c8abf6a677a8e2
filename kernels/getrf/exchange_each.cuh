// Row interchanges of members with their own number of columns and last row.
#pragma once
#include "interchange.cuh"

namespace tephra {

// The launch's sizes are the largest. Invalid members are left untouched.
struct LaswpEachArgs : LaswpArgs {
    Extent columns, rows;
    const int *leading;
    const int *beside; // leading dimensions, or null, of other matrices with as many rows, which must be valid, too

    __device__ __forceinline__ LaswpArgs of(long long i) const {
        LaswpArgs own = *this;
        const int width = columns.of(i), last = rows.of(i);
        own.n = width, own.k2 = last, own.lda = leading[i];
        const bool valid = columns.allows(width) && rows.allows(last) && leads(own.lda, last);
        if (!valid || (beside && !leads(beside[i], last))) own.n = 0;
        return own;
    }
};

template <typename T, int NB, int NT, int THREADS>
__device__ __forceinline__ void laswp_each(const LaswpEachArgs &args) {
    __shared__ Interchanges<NB> list;
    const long long strips = (args.n + NT - 1) / NT;
    for (long long job = blockIdx.x; job < args.batch * strips; job += gridDim.x) {
        const long long i = job / strips, first = job % strips * NT;
        const LaswpArgs own = args.of(i);
        const long long left = own.n - first, chunks = (own.k2 - own.k1 + NB - 1) / NB;
        if (left <= 0 || chunks <= 0) continue;
        T *const A = member<T>(args.a, i) + first * own.lda;
        const int *const ipiv = member<int>(args.ipiv, i) + args.first;
        for (long long c = 0; c < chunks; ++c) {
            const long long begin = (args.backwards ? chunks - 1 - c : c) * NB, rest = own.k2 - own.k1 - begin;
            const int count = static_cast<int>(rest < NB ? rest : NB);
            __syncthreads(); // the last chunk has been written, and its list read
            if (threadIdx.x < NB && static_cast<int>(threadIdx.x) < count)
                list.pivot[threadIdx.x] = ipiv[(begin + threadIdx.x) * args.stride] - 1;
            if (threadIdx.x == 0) list.base = static_cast<int>(own.k1 + begin), list.count = count;
            __syncthreads();
            interchange<NB, NT, THREADS, T>(list, args.backwards, A, own.lda, static_cast<int>(left < NT ? left : NT),
                                            nullptr);
        }
    }
}

} // namespace tephra

#define TEPHRA_LASWP_EACH(NAME, T, NB, NT, THREADS)                                                                    \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(NB, NT), __launch_bounds__(THREADS), LaswpEachArgs,                     \
                 laswp_each<letter::T, NB, NT, THREADS>)
