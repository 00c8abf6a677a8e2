// The second launch where all reflectors of a matrix act at once: the triangular system whose solution is the matrix by
// which V is multiplied. To form Q: with T^-1 = D^-1 + G, D = diag(tau) and G the strict upper triangle of V^H V, the
// matrix X = -T V1^H, V1 being V's first n rows, solves (1 + D G) X = -D V1^H, where no tau is divided by. Source:
// Joffrain, Low, Quintana-Orti, van de Geijn, Accumulating Householder transformations, revisited (2006). To apply Q
// from the left, X = T V^H C solves (1 + D G) X = (V D^H)^H C; for Q^H, X solves (1 + G D)^H X = (V D)^H C.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "box.cuh"

namespace tephra {

// Writes the triangle over the first chunk's part of V^H V, from the sums of all chunks, and V with its zeros and ones
// to `t`. To form Q (`identity`): 1 + D G; -D V1^H before it; and the identity's columns over C, which may be V's own
// memory. To apply it: the conjugate of 1 + D G, and V D^H to C; if `adjoint`, of 1 + G D, and V D. A block has THREADS
// elements of a row of the triangle, or of a column of C.
template <typename T, int THREADS>
__device__ __forceinline__ void reflect_system(const ReflectArgs &args) {
    const long long k = args.k, across = (k + THREADS - 1) / THREADS, down = (args.m + THREADS - 1) / THREADS;
    const bool forms = args.identity;
    const long long of_gram = k * across, blocks = of_gram + down * (forms ? args.n : k);
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
            sum = mul(tau[!forms && args.adjoint ? column : row], sum);
            at[0] = forms ? sum : conj(sum);
        } else {
            const long long column = (place - of_gram) / down;
            const long long row = (place - of_gram - column * down) * THREADS + threadIdx.x;
            if (row >= args.m) continue;
            if (column < k) {
                const T given = row > column ? args.template reflectors<T>(i)[column * args.ldv + row] : make<T>(0);
                const T x = unit_lower(row, static_cast<int>(column), given);
                member<T>(args.t, i)[column * args.ldt + row] = x;
                if (!forms) {
                    const T factor = args.adjoint ? tau[column] : conj(tau[column]);
                    args.template matrix<T>(i)[column * args.ldc + row] = mul(x, factor);
                    continue;
                }
                if (row < args.n) sums[column * args.pitch + row] = mul(scale(tau[column], Real<T>(-1)), conj(x));
            }
            args.template matrix<T>(i)[column * args.ldc + row] = make<T>(row == column ? 1 : 0);
        }
    }
}

} // namespace tephra

#define TEPHRA_REFLECT_SYSTEM(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ReflectArgs, reflect_system)
