// The second launch where all reflectors of a matrix act at once to form Q: the triangular system whose solution is the
// matrix by which V is multiplied. With T^-1 = D^-1 + G, D = diag(tau) and G the strict upper triangle of V^H V, the
// matrix X = -T V1^H, V1 being V's first n rows, solves (1 + D G) X = -D V1^H, where no tau is divided by. Source:
// Joffrain, Low, Quintana-Orti, van de Geijn, Accumulating Householder transformations, revisited (2006).
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "box.cuh"

namespace tephra {

// Writes 1 + D G over the first chunk's part of V^H V, from the sums of all chunks; -D V1^H before it; V
// with its zeros and ones to `t`; and the identity's columns over C, which may be V's own memory. A block has THREADS
// elements of a row of D G, or of a column of C.
template <typename T, int THREADS>
__device__ __forceinline__ void reflect_system(const ReflectArgs &args) {
    const long long k = args.k, across = (k + THREADS - 1) / THREADS, down = (args.m + THREADS - 1) / THREADS;
    const long long of_gram = k * across, blocks = of_gram + down * args.n;
    for (long long job = blockIdx.x; job < blocks * args.batch; job += gridDim.x) {
        const long long i = job / blocks, place = job - i * blocks;
        T *const sums = args.template sums_of<T>(i, 0);
        const T *const tau = member<T>(args.tau, i) + args.tau0;
        if (place < of_gram) {
            const long long row = place / across, column = (place - row * across) * THREADS + threadIdx.x;
            if (column >= k) continue;
            T *const at = sums + row * args.pitch + args.gram + column;
            if (column <= row) {
                at[0] = make<T>(column == row ? 1 : 0);
                continue;
            }
            T sum = at[0];
#pragma unroll 8
            for (long long chunk = 1; chunk < args.chunks; ++chunk) sum = add(sum, at[chunk * args.part()]);
            at[0] = mul(tau[row], sum);
        } else {
            const long long column = (place - of_gram) / down;
            const long long row = (place - of_gram - column * down) * THREADS + threadIdx.x;
            if (row >= args.m) continue;
            if (column < k) {
                const T given = row > column ? args.template reflectors<T>(i)[column * args.ldv + row] : make<T>(0);
                const T x = unit_lower(row, static_cast<int>(column), given);
                member<T>(args.t, i)[column * args.ldt + row] = x;
                if (row < args.n) sums[column * args.pitch + row] = mul(scale(tau[column], Real<T>(-1)), conj(x));
            }
            args.template matrix<T>(i)[column * args.ldc + row] = make<T>(row == column ? 1 : 0);
        }
    }
}

} // namespace tephra

#define TEPHRA_REFLECT_SYSTEM(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ReflectArgs, reflect_system)
