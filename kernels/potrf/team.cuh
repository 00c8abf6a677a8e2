// Cholesky factorisation of a matrix in a block's shared memory, a panel of columns at a time, and solution of systems
// with it.
//
// Left-looking: a panel is updated with all panels before it, a strip of rows in a warp's accumulators. The first warp
// does so for the diagonal block and factors it in registers, while the others update the panel's other rows; after a
// barrier each thread solves for a row. An upper triangle is the lower one of conj(A) with strides exchanged, whose
// factor is U^T. Right-hand sides are 16 further rows, B^H or B^T, for which the same steps are forward substitution.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../geqrf/update_tensor.cuh"
#include "tile.cuh"

namespace tephra {

// A strip of 16 rows of a panel of 16 columns: sums of products in a warp's registers.
template <typename T>
struct CholeskyStrip;

// Four rows and two columns per lane.
template <typename R>
struct CholeskyVectorStrip {
    using T = R;
    using Four = Chunk<T, 4 * sizeof(T) <= 16 ? 4 * sizeof(T) : 16>;
    static constexpr int packs = 4 / Four::size;
    T c[2][4];
    int row = threadIdx.x % 4 * 4, column = threadIdx.x % 32 / 4 * 2;

    __device__ __forceinline__ CholeskyVectorStrip() {
#pragma unroll
        for (int j = 0; j < 2; ++j)
#pragma unroll
            for (int i = 0; i < 4; ++i) c[j][i] = make<T>(0);
    }
    // Adds X Y^H, each of 16 columns with leading dimension ld.
    __device__ __forceinline__ void multiply(const T *x, const T *y, int ld) {
        x += row, y += column;
#pragma unroll 4
        for (int k = 0; k < 16; ++k, x += ld, y += ld) {
            Four a[packs];
#pragma unroll
            for (int p = 0; p < packs; ++p) a[p] = reinterpret_cast<const Four *>(x)[p];
            const auto b = *reinterpret_cast<const Chunk<T, 2 * sizeof(T)> *>(y);
#pragma unroll
            for (int j = 0; j < 2; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) c[j][i] = fma_(a[i / Four::size].e[i % Four::size], conj(b.e[j]), c[j][i]);
        }
    }
    // Adds X Y: X has 16 columns with leading dimension ldx, Y 16 rows.
    __device__ __forceinline__ void multiply_by(const T *x, int ldx, const T *y, int ld) {
        x += row, y += column * ld;
#pragma unroll 4
        for (int k = 0; k < 16; ++k, x += ldx, ++y) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j) c[j][i] = fma_(x[i], y[j * ld], c[j][i]);
        }
    }
    // Subtracts the sums from C.
    __device__ __forceinline__ void take(T *C, int ld) const {
#pragma unroll
        for (int j = 0; j < 2; ++j)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                T &to = C[row + i + (column + j) * ld];
                to = sub(to, c[j][i]);
            }
    }
    static __device__ __forceinline__ T sub(T a, T b) { return add(a, make<T>(-re(b), -im(b))); }
};
template <>
struct CholeskyStrip<float> : CholeskyVectorStrip<float> {};
template <>
struct CholeskyStrip<Complex<float>> : CholeskyVectorStrip<Complex<float>> {};

// On the FP64 tensor instruction: lane 4 g + q has rows g and g + 8 of columns 2 q and 2 q + 1 of either half.
template <typename T>
struct CholeskyTensorStrip {
    Accumulator<T> c[2];
    int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;

    __device__ __forceinline__ CholeskyTensorStrip() { c[0].clear(), c[1].clear(); }
    __device__ __forceinline__ void multiply(const T *x, const T *y, int ld) {
        x += g + q * ld, y += g + q * ld;
#pragma unroll
        for (int k = 0; k < 16; k += 4, x += 4 * ld, y += 4 * ld) {
            const T a0 = x[0], a1 = x[8];
            c[0].fma_conj(a0, a1, y[0]);
            c[1].fma_conj(a0, a1, y[8]);
        }
    }
    __device__ __forceinline__ void multiply_by(const T *x, int ldx, const T *y, int ld) {
        x += g + q * ldx, y += q + g * ld;
#pragma unroll
        for (int k = 0; k < 16; k += 4, x += 4 * ldx, y += 4) {
            const T a0 = x[0], a1 = x[8];
            c[0].fma(a0, a1, y[0]);
            c[1].fma(a0, a1, y[8 * ld]);
        }
    }
    __device__ __forceinline__ void take(T *C, int ld) const {
#pragma unroll
        for (int v = 0; v < 2; ++v)
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                T &to = C[g + r / 2 * 8 + (8 * v + 2 * q + r % 2) * ld];
                const T sum = c[v].get(r);
                to = add(to, make<T>(-re(sum), -im(sum)));
            }
    }
};
template <>
struct CholeskyStrip<double> : CholeskyTensorStrip<double> {};
template <>
struct CholeskyStrip<Complex<double>> : CholeskyTensorStrip<Complex<double>> {};

// W warps per matrix; SIDES: room for right-hand sides (16 or none), or for further rows, a multiple of 16.
template <typename T, int W, int SIDES = 0>
struct CholeskyTeam {
    using R = Real<T>;
    static constexpr int threads = 32 * W, nb = 16;
    // Columns are padded so that reads of 4 columns fall into different banks. For the same reason a warp loads J rows
    // of 32 / J columns of an upper triangle at a time.
    static constexpr int pad = 16 / sizeof(T) * (sizeof(R) / 4), J = sizeof(R) == 4 ? 8 : 4;

    static_assert(SIDES % nb == 0, "whole strips");

    T *const shared;  // panel after panel, each from its own rows on
    R *const inverse; // of the factor's diagonal
    const int n, height;

    static __host__ __device__ constexpr int elements(int height) {
        return height * (height + SIDES + pad) - nb * nb / 2 * (height / nb) * (height / nb - 1);
    }
    // Shared memory of a block in bytes, for so many panels: `inverse`, then `shared` as panel() lays it out.
    static constexpr size_t bytes(int panels) { return nb * panels * sizeof(R) + elements(nb * panels) * sizeof(T); }
    // What plans need to know about a kernel for orders up to n.
    static constexpr Instance about(int n) {
        return Instance(threads).holds(n, SIDES > 0 ? SIDES : n).by_warps(W).needs(bytes, Count{nb});
    }
    __device__ __forceinline__ CholeskyTeam(unsigned char *memory, int n_)
        : shared(reinterpret_cast<T *>(memory + (n_ + nb - 1) / nb * nb * sizeof(R))),
          inverse(reinterpret_cast<R *>(memory)), n(n_), height((n_ + nb - 1) / nb * nb) {}

    // Element (0, 0) of panel p's diagonal block, and the panel's leading dimension.
    __device__ __forceinline__ T *panel(int p) const {
        return shared + nb * p * (height + SIDES + pad) - nb * nb / 2 * p * (p - 1);
    }
    __device__ __forceinline__ int ld(int p) const { return height + SIDES - nb * p + pad; }
    __device__ __forceinline__ T *element(int i, int j) const {
        const int p = j / nb;
        return panel(p) + (i - nb * p) + (j - nb * p) * ld(p);
    }

    // Calls f(address in shared memory, address in A) for each element of the triangle.
    template <typename F>
    __device__ __forceinline__ void each(T *A, long long lda, bool upper, F f) {
        const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
        if (upper) {
            for (int first = w * (32 / J); first < n; first += W * (32 / J)) {
                const int i = first + lane / J;
                for (int j = lane % J; j <= i; j += J)
                    if (i < n) f(element(i, j), A + j + i * lda);
            }
        } else {
            for (int j = w; j < n; j += W)
                for (int i = j + lane; i < n; i += 32) f(element(i, j), A + i + j * lda);
        }
    }
    __device__ __forceinline__ void store(T *A, long long lda, bool upper) {
        each(A, lda, upper, [](const T *from, T *to) { *to = *from; });
    }
    __device__ __forceinline__ void load(T *A, long long lda, bool upper) {
        each(A, lda, upper, [](T *to, const T *from) { copy_async<sizeof(T)>(to, from, true); });
        // Beyond the matrix it is the identity.
        for (int e = threadIdx.x; e < (height - n) * height; e += threads) {
            const int i = n + e % (height - n), j = e / (height - n);
            if (j <= i) *element(i, j) = make<T>(i == j ? 1 : 0);
        }
    }
    // Loads `count` right-hand sides from B.
    __device__ __forceinline__ void load_sides(const T *B, long long ldb, int count, bool upper) {
        for (int e = threadIdx.x; e < height * SIDES; e += threads) {
            const int j = e % height, side = e / height;
            const T b = j < n && side < count ? B[j + side * ldb] : make<T>(0);
            *element(height + side, j) = upper ? b : conj(b);
        }
    }
    __device__ __forceinline__ void store_sides(T *B, long long ldb, int count, bool upper) {
        for (int e = threadIdx.x; e < n * count; e += threads) {
            const int j = e % n, side = e / n;
            const T b = *element(height + side, j);
            B[j + side * ldb] = upper ? b : conj(b);
        }
    }
    // The `count` further rows, of which A points to the first: calls f(address in shared memory, address in A, whether
    // the element exists).
    template <typename F>
    __device__ __forceinline__ void each_row(T *A, long long lda, int count, bool upper, F f) {
        for (int e = threadIdx.x; e < height * SIDES; e += threads) {
            const int j = upper ? e % height : e / SIDES, r = upper ? e / height : e % SIDES;
            f(element(height + r, j), A + (upper ? j + r * lda : r + j * lda), j < n && r < count);
        }
    }
    __device__ __forceinline__ void load_rows(T *A, long long lda, int count, bool upper) {
        each_row(A, lda, count, upper,
                 [&](T *to, const T *from, bool there) { copy_async<sizeof(T)>(to, there ? from : A, there); });
    }
    __device__ __forceinline__ void store_rows(T *A, long long lda, int count, bool upper) {
        each_row(A, lda, count, upper, [](const T *from, T *to, bool there) {
            if (there) *to = *from;
        });
    }
    // Waits until everything that was loaded is visible to all threads.
    __device__ __forceinline__ void loaded() {
        copies_done();
        __syncthreads();
    }

    // Updates the rows of strip s in panel p.
    __device__ __forceinline__ void update(int s, int p) {
        CholeskyStrip<T> sums;
#pragma unroll 1
        for (int k = 0; k < p; ++k) sums.multiply(panel(k) + nb * (s - k), panel(k) + nb * (p - k), ld(k));
        sums.take(panel(p) + nb * (s - p), ld(p));
    }
    // Factors panel p's diagonal block. Returns the order of its first minor that is not positive definite, or 0.
    __device__ __forceinline__ int factor(int p) {
        using Tile = CholeskyTile<T, 4, 4, 1>;
        Tile t(nb, true);
        t.load(panel(p), ld(p), false);
        t.factor();
        t.live = Tile::mat() == 0; // the other lanes have repeated the same work
        __syncwarp();
        t.put(panel(p), ld(p), false);
        __syncwarp();
        const int k = threadIdx.x % nb;
        inverse[nb * p + k] = reciprocal_of(re(panel(p)[k + k * ld(p)]));
        return t.info;
    }
    // X := X L^-H for the diagonal block L of panel p: this thread's rows `first`, `first` + `each`, ...
    __device__ __forceinline__ void solve(int p, int first, int each) {
        constexpr int V = Chunk<T>::size;
        T *const L = panel(p);
        const R *const by = inverse + nb * p;
        const int step = ld(p);
#pragma unroll 1
        for (int row = first; row < height + SIDES - nb * p; row += each) {
            T x[nb];
#pragma unroll
            for (int j = 0; j < nb; ++j) x[j] = L[row + j * step];
#pragma unroll
            for (int k = 0; k < nb; ++k) {
                x[k] = scale(x[k], by[k]);
#pragma unroll
                for (int first = (k + 1) / V * V; first < nb; first += V) {
                    const auto l = *reinterpret_cast<const Chunk<T> *>(L + first + k * step);
#pragma unroll
                    for (int v = 0; v < V; ++v)
                        if (first + v > k) x[first + v] = fnma_(x[k], conj(l.e[v]), x[first + v]);
                }
            }
#pragma unroll
            for (int j = 0; j < nb; ++j) L[row + j * step] = x[j];
        }
    }

    // X := X L^-1, one right-hand side per thread.
    __device__ __forceinline__ void solve_adjoint(int p, int side) {
        T *const L = panel(p), *const row = L + height - nb * p + side;
        const R *const by = inverse + nb * p;
        const int step = ld(p);
        T x[nb];
#pragma unroll
        for (int j = 0; j < nb; ++j) x[j] = row[j * step];
#pragma unroll
        for (int k = nb - 1; k >= 0; --k) {
            x[k] = scale(x[k], by[k]);
#pragma unroll
            for (int j = 0; j < k; ++j) x[j] = fnma_(x[k], L[k + j * step], x[j]);
        }
#pragma unroll
        for (int j = 0; j < nb; ++j) row[j * step] = x[j];
    }
    // Multiply the right-hand sides by the inverse of the factor's adjoint, and of the factor; called by one warp.
    __device__ __forceinline__ void substitute() {
        const int panels = height / nb, lane = threadIdx.x % 32;
#pragma unroll 1
        for (int p = 0; p < panels; ++p) {
            if (p > 0) update(panels, p);
            __syncwarp();
            if (lane < SIDES) solve(p, height - nb * p + lane, SIDES);
            __syncwarp();
        }
    }
    __device__ __forceinline__ void substitute_back() {
        const int panels = height / nb, lane = threadIdx.x % 32;
#pragma unroll 1
        for (int p = panels - 1; p >= 0; --p) {
            CholeskyStrip<T> sums;
#pragma unroll 1
            for (int k = p + 1; k < panels; ++k)
                sums.multiply_by(panel(k) + height - nb * k, ld(k), panel(p) + nb * (k - p), ld(p));
            sums.take(panel(p) + height - nb * p, ld(p));
            __syncwarp();
            if (lane < SIDES) solve_adjoint(p, lane);
            __syncwarp();
        }
    }
    // Makes the diagonal of a loaded factor real.
    __device__ __forceinline__ void turn() {
        const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
        bool odd = false;
        for (int k = lane; k < n; k += 32) odd |= im(*element(k, k)) != 0;
        if (!__any_sync(0xffffffffu, odd)) return; // all warps see the same
        __syncthreads();
        for (int j = w; j < n; j += W) {
            const T d = *element(j, j);
            __syncwarp(); // all lanes have read it
            if (im(d) == 0) continue;
            const Phase<T> phase(d);
            for (int i = j + lane; i < n; i += 32) {
                T &x = *element(i, j);
                x = i == j ? make<T>(phase.size) : mul(x, phase.turn);
            }
        }
        __syncthreads();
    }
    // Reciprocals of the diagonal of a loaded factor.
    __device__ __forceinline__ void invert_diagonal() {
        for (int k = threadIdx.x; k < height; k += threads) inverse[k] = reciprocal_of(re(*element(k, k)));
        __syncthreads();
    }

    __device__ __forceinline__ int factor() {
        const int w = W > 1 ? __shfl_sync(0xffffffffu, threadIdx.x / 32, 0) : 0, panels = height / nb;
        int info = 0;
#pragma unroll 1
        for (int p = 0; p < panels; ++p) {
            if (w == 0) {
                if (p > 0) update(p, p);
                __syncwarp();
                const int bad = factor(p);
                if (bad && info == 0) info = nb * p + bad;
            } else if (p > 0) {
#pragma unroll 1
                for (int s = p + w; s < panels + SIDES / nb; s += W - 1) update(s, p);
            }
            __syncthreads();
            solve(p, nb + static_cast<int>(threadIdx.x), threads);
            __syncthreads();
        }
        return info;
    }
};

// Source: LAPACK potrf.
template <typename T, int W, typename Args>
__device__ __forceinline__ void potrf_team(const Args &launch) {
    TEPHRA_DYNAMIC_SHARED(memory);
    const long long i = blockIdx.x;
    const auto &args = launch.of(i);
    if (args.idle()) return;
    T *const A = member<T>(args.a, i) + args.at * (args.lda + 1);
    CholeskyTeam<T, W> team(memory, args.n);
    team.load(A, args.lda, args.upper);
    team.loaded();
    const int info = team.factor();
    team.store(A, args.lda, args.upper);
    if (threadIdx.x == 0) args.set_info(i, info);
}

// A = L L^H and B := A^-1 B. Source: LAPACK posv.
template <typename T, int W>
__device__ __forceinline__ void posv_team(const CholeskyArgs &args) {
    TEPHRA_DYNAMIC_SHARED(memory);
    const long long i = blockIdx.x;
    T *const A = member<T>(args.a, i), *const B = member<T>(args.b, i);
    CholeskyTeam<T, W, 16> team(memory, args.n);
    team.load(A, args.lda, args.upper);
    team.load_sides(B, args.ldb, args.nrhs, args.upper);
    team.loaded();
    const int info = team.factor();
    __shared__ int failed;
    if (threadIdx.x == 0) failed = info, args.set_info(i, info);
    // One warp continues with the right-hand sides while the others store the factor.
    if (threadIdx.x < 32) team.substitute_back();
    team.store(A, args.lda, args.upper);
    __syncthreads();
    if (!failed) team.store_sides(B, args.ldb, args.nrhs, args.upper);
}

// B := A^-1 B with the factor of potrf, 16 right-hand sides per block. Source: LAPACK potrs.
template <typename T, int W>
__device__ __forceinline__ void potrs_team(const CholeskyArgs &args) {
    TEPHRA_DYNAMIC_SHARED(memory);
    const long long i = blockIdx.x / args.tiles;
    const int first = static_cast<int>(blockIdx.x - i * args.tiles) * 16, left = args.nrhs - first;
    const int count = left < 16 ? left : 16;
    T *const A = member<T>(args.a, i), *const B = member<T>(args.b, i) + first * args.ldb;
    CholeskyTeam<T, W, 16> team(memory, args.n);
    team.load(A, args.lda, args.upper);
    team.load_sides(B, args.ldb, count, args.upper);
    team.loaded();
    if constexpr (is_complex<T>) team.turn();
    team.invert_diagonal();
    if (threadIdx.x < 32) {
        team.substitute();
        team.substitute_back();
    }
    __syncthreads();
    team.store_sides(B, args.ldb, count, args.upper);
}

} // namespace tephra

// N: largest order.
#define TEPHRA_POTRF_TEAM_OF(NAME, ARGS, T, N, W, MIN_BLOCKS)                                                          \
    TEPHRA_ENTRY(NAME, (CholeskyTeam<letter::T, W>::about(N)), __launch_bounds__(32 * W, MIN_BLOCKS), ARGS,            \
                 potrf_team<letter::T, W>)
#define TEPHRA_POTRF_TEAM(NAME, ...) TEPHRA_POTRF_TEAM_OF(NAME, CholeskyArgs, __VA_ARGS__)
#define TEPHRA_POTRF_TEAM_EACH(NAME, ...) TEPHRA_POTRF_TEAM_OF(NAME, CholeskyEachArgs, __VA_ARGS__)
#define TEPHRA_POSV_TEAM(NAME, T, N, W, MIN_BLOCKS)                                                                    \
    TEPHRA_ENTRY(NAME, (CholeskyTeam<letter::T, W, 16>::about(N)), __launch_bounds__(32 * W, MIN_BLOCKS),              \
                 CholeskyArgs, posv_team<letter::T, W>)
#define TEPHRA_POTRS_TEAM(NAME, T, N, W, MIN_BLOCKS)                                                                   \
    TEPHRA_ENTRY(NAME, (CholeskyTeam<letter::T, W, 16>::about(N)), __launch_bounds__(32 * W, MIN_BLOCKS),              \
                 CholeskyArgs, potrs_team<letter::T, W>)
