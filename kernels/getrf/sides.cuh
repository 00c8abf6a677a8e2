// Solves systems from the factors of small matrices, of LU or Cholesky, with several right-hand sides: one per thread.
//
// A block has a few matrices. It copies all factors and right-hand sides to shared memory at once. Each thread then
// exchanges the rows of its own right-hand side and solves for it, with eight unknowns in registers at a time. All
// threads of a matrix read the same elements of the factor, 16 bytes at a time, and need no barrier until the solutions
// are written.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../gemm/store.cuh"
#include "args.cuh"
#include "pivot.cuh"

namespace tephra {

// Arguments of these kernels (mirrored in src/gpu/getrs/steps.rs).
struct SidesArgs : SolveArgs {
    static constexpr int BOTH = 0, LOWER = 1, UPPER = 2; // `triangle`

    int slots;    // matrices, or tiles of their right-hand sides, per block
    int triangle; // LOWER or UPPER for a Cholesky factor; BOTH for LU
};

// One slot in shared memory: a matrix of order at most 4 quads, with at most 4 wide right-hand sides.
template <typename T>
struct Sides {
    using R = Real<T>;
    T *x, *a, *reciprocals; // right-hand sides; op(A) by columns; reciprocals of its diagonal
    R *lifts;               // factors to apply before the reciprocals (Divisor)
    int *pivots;
    int pitch, ldx;

    __host__ __device__ static constexpr size_t bytes(int quads, int wide) {
        return sizeof(T) * (4 * wide * (4 * quads + 1) + 16 * quads * quads + 4 * quads) +
               (sizeof(R) + sizeof(int)) * 4 * quads;
    }
    __device__ __forceinline__ Sides(unsigned char *shared, int quads, int wide)
        : x(reinterpret_cast<T *>(shared)), a(x + 4 * wide * (4 * quads + 1)), reciprocals(a + 16 * quads * quads),
          lifts(reinterpret_cast<R *>(reciprocals + 4 * quads)), pivots(reinterpret_cast<int *>(lifts + 4 * quads)),
          pitch(4 * quads), ldx(4 * quads + 1) {}

    // Solves with one triangle for one right-hand side; the upper one from the last unknown backwards.
    template <bool UPPER>
    __device__ __forceinline__ void solve(T *x, int n, bool divides, bool conjugates) const {
        constexpr int B = 8, P = 16 / sizeof(T); // unknowns in registers at a time
        using Pack = GemmPack<T>;
        const int blocks = (n + B - 1) / B;
#pragma unroll 1
        for (int b = 0; b < blocks; ++b) {
            const int base = (UPPER ? blocks - 1 - b : b) * B;
            T u[B];
#pragma unroll
            for (int r = 0; r < B; ++r) u[r] = base + r < n ? gemm_conj(x[base + r], conjugates) : make<T>(0);
            // Rows beyond the matrix get values that are not used.
            const auto column = [&](int k, T(&m)[B]) {
#pragma unroll
                for (int p = 0; p < B; p += P) {
                    const Pack pack = *reinterpret_cast<const Pack *>(a + k * pitch + base + p);
#pragma unroll
                    for (int e = 0; e < P; ++e) m[p + e] = pack.v[e];
                }
            };
            // In the order of gesv's steps, so that the results agree bit by bit.
            const int known_ones = UPPER ? n - base - B : base;
#pragma unroll(sizeof(T) == 16 ? 2 : 4)
            for (int e = 0; e < known_ones; ++e) {
                const int k = UPPER ? n - 1 - e : e;
                T m[B];
                column(k, m);
                const T known = x[k];
#pragma unroll
                for (int r = 0; r < B; ++r) u[r] = fnma_(m[r], known, u[r]);
            }
#pragma unroll
            for (int e = 0; e < B; ++e) {
                const int c = UPPER ? B - 1 - e : e;
                if (base + c >= n) continue;
                if (divides) u[c] = mul(scale(u[c], lifts[base + c]), reciprocals[base + c]);
                x[base + c] = u[c];
                if (e == B - 1) continue;
                T m[B];
                column(base + c, m);
#pragma unroll
                for (int r = 0; r < B; ++r)
                    if (UPPER ? r < c : r > c) u[r] = fnma_(m[r], u[c], u[r]);
            }
        }
    }
    // Applies the n interchanges of the factorisation, forwards or backwards.
    __device__ __forceinline__ void exchange(T *x, int n, bool back) const {
#pragma unroll 4
        for (int e = 0; e < n; ++e) {
            const int k = back ? n - 1 - e : e, with = pivots[k] - 1;
            const T here = x[k], there = x[with];
            x[k] = there, x[with] = here;
        }
    }
};

// B := op(A)^-1 B with the factors of getrf, or A^-1 B with that of potrf, which is mirrored to both triangles in
// shared memory. A triangle's adjoint is its transpose applied to conjugates: A^H x = b is A^T conj(x) = conj(b).
// Source: LAPACK getrs, potrs.
template <typename T>
__device__ __forceinline__ void solve_sides(const SidesArgs &args) {
    const int n = args.n, quads = (n + 3) / 4, width = (args.nrhs + args.tiles - 1) / args.tiles,
              wide = (width + 3) / 4;
    const auto place = [&](int slot) {
        return Sides<T>(dynamic_shared() + slot * Sides<T>::bytes(quads, wide), quads, wide);
    };
    const long long job = static_cast<long long>(blockIdx.x) * args.slots, jobs = args.batch * args.tiles - job;
    const int slots = jobs < args.slots ? static_cast<int>(jobs) : args.slots;
    const auto member_of = [&](int slot) { return args.tiles == 1 ? job + slot : (job + slot) / args.tiles; };
    const auto first_of = [&](int slot) {
        return args.tiles == 1 ? 0 : static_cast<int>((job + slot) % args.tiles) * width;
    };
    const auto count_of = [&](int first) { return args.nrhs - first < width ? args.nrhs - first : width; };
    // As many lanes as a column has elements, up to a warp.
    const int bits = n <= 8    ? 3
                     : n <= 16 ? 4
                               : 5,
              lane = threadIdx.x & ((1 << bits) - 1), group = threadIdx.x >> bits, groups = blockDim.x >> bits;
    const bool transposed = args.transposed, pivots = args.pivots();
    const bool cholesky = args.triangle != SidesArgs::BOTH, upper = args.triangle == SidesArgs::UPPER;
#pragma unroll 1
    for (int slot = 0; slot < slots; ++slot) {
        const Sides<T> s = place(slot);
        const long long i = member_of(slot);
        const int first = first_of(slot), count = count_of(first);
        const T *const A = member<T>(args.a, i), *const B = member<T>(args.b, i) + first * args.ldb;
        const int down = transposed ? s.pitch : 1, across = transposed ? 1 : s.pitch;
#pragma unroll 1
        for (int r = lane; r < n; r += 1 << bits) {
#pragma unroll 2
            for (int j = group; j < n; j += groups) {
                const bool wanted = !cholesky || (upper ? r <= j : r >= j), mirrored = cholesky && wanted && r != j;
                stage<sizeof(T)>(s.a + r * down + j * across, A + r + j * args.lda, sizeof(T), wanted);
                stage<sizeof(T)>(s.a + j * down + r * across, A + r + j * args.lda, sizeof(T), mirrored);
            }
#pragma unroll 2
            for (int j = group; j < count; j += groups) stage<sizeof(T)>(s.x + r + j * s.ldx, B + r + j * args.ldb);
        }
        if (pivots)
            for (int r = threadIdx.x; r < n; r += blockDim.x)
                stage<sizeof(int)>(s.pivots + r, member<int>(args.ipiv, i) + r);
    }
    copies_sent();
    copies_done_but<0>();
    __syncthreads();
    const int slot = threadIdx.x / width, column = threadIdx.x - slot * width;
    const bool there = slot < slots;
    const Sides<T> own = place(there ? slot : 0);
    if (there)
        for (int r = column; r < n; r += width) {
            const Divisor<T> by(own.a[r * (own.pitch + 1)]);
            own.lifts[r] = by.lift, own.reciprocals[r] = by.reciprocal;
        }
    __syncthreads();
    if (there && column < count_of(first_of(slot))) {
        T *const x = own.x + column * own.ldx;
        if (pivots && !transposed) own.exchange(x, n, false);
        own.template solve<false>(x, n, transposed || cholesky, args.conjugate || upper);
        own.template solve<true>(x, n, !transposed || cholesky, cholesky);
        if (pivots && transposed) own.exchange(x, n, true);
    }
    __syncthreads();
#pragma unroll 1
    for (int s = 0; s < slots; ++s) {
        const Sides<T> from = place(s);
        const int first = first_of(s), count = count_of(first);
        T *const B = member<T>(args.b, member_of(s)) + first * args.ldb;
        for (int r = lane; r < n; r += 1 << bits)
#pragma unroll 4
            for (int j = group; j < count; j += groups)
                B[r + j * args.ldb] = gemm_conj(from.x[r + j * from.ldx], args.conjugate || (cholesky && !upper));
    }
}

} // namespace tephra

// N: most rows; COLUMNS: most right-hand sides of a tile.
#define TEPHRA_SOLVE_SIDES(NAME, T, N, COLUMNS, THREADS, MIN_BLOCKS)                                                   \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(N, COLUMNS).needs(Sides<letter::T>::bytes, Count{4}, Count{4}),         \
                 __launch_bounds__(THREADS, MIN_BLOCKS), SidesArgs, solve_sides<letter::T>)
