// Cholesky factorisation of a matrix in the shared memory of a block, a panel of columns at a time.
//
// Left-looking: a panel loses what all panels before it take, a strip of rows in a warp's accumulators. The first warp
// does so for the block on the diagonal and factors that in its registers, while the others bring the panel's other
// rows up to date; behind a barrier a thread solves for a row. An upper triangle is, with strides exchanged, the lower
// one of conj(A), whose factor is U^T.
#pragma once
#include "../common/instance.cuh"
#include "../geqrf/update_tensor.cuh"
#include "../getrf/stage.cuh"
#include "tile.cuh"

namespace tephra {

// A strip of 16 rows of a panel of 16 columns: sums of products, in a warp's registers.
template <typename T>
struct CholeskyStrip;

// Four rows and two columns a lane.
template <typename R>
struct VectorStrip {
    using T = R;
    using Four = Chunk<T, 4 * sizeof(T) <= 16 ? 4 * sizeof(T) : 16>;
    static constexpr int packs = 4 / Four::size;
    T c[2][4];
    int row = threadIdx.x % 4 * 4, column = threadIdx.x % 32 / 4 * 2;

    __device__ __forceinline__ VectorStrip() {
#pragma unroll
        for (int j = 0; j < 2; ++j)
#pragma unroll
            for (int i = 0; i < 4; ++i) c[j][i] = make<T>(0);
    }
    // += X Y^H, of 16 columns ld apart.
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
                for (int i = 0; i < 4; ++i)
                    c[j][i] = fma_(a[i / Four::size].e[i % Four::size], conj(b.e[j]), c[j][i]);
        }
    }
    // C -= the sums.
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
struct CholeskyStrip<float> : VectorStrip<float> {};
template <>
struct CholeskyStrip<Complex<float>> : VectorStrip<Complex<float>> {};

// On the FP64 tensor instruction: rows g and g + 8 of columns 2 q and 2 q + 1 of either half, lane 4 g + q.
template <typename T>
struct TensorStrip {
    Accumulator<T> c[2];
    int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;

    __device__ __forceinline__ TensorStrip() { c[0].clear(), c[1].clear(); }
    __device__ __forceinline__ void multiply(const T *x, const T *y, int ld) {
        x += g + q * ld, y += g + q * ld;
#pragma unroll
        for (int k = 0; k < 16; k += 4, x += 4 * ld, y += 4 * ld) {
            const T a0 = x[0], a1 = x[8];
            c[0].fma_conj(a0, a1, y[0]);
            c[1].fma_conj(a0, a1, y[8]);
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
struct CholeskyStrip<double> : TensorStrip<double> {};
template <>
struct CholeskyStrip<Complex<double>> : TensorStrip<Complex<double>> {};

// W warps a matrix.
template <typename T, int W>
struct CholeskyTeam {
    using R = Real<T>;
    static constexpr int threads = 32 * W, nb = 16;
    // Columns are so much longer than their rows that reads of 4 columns fall into different banks; of an upper
    // triangle a warp brings J rows of 32 / J columns at a time, for the same reason.
    static constexpr int pad = sizeof(R) == 4 ? 16 / sizeof(T) : is_complex<T> ? 2 : 4, J = is_complex<T> == (sizeof(R) == 4) ? 8 : 4;

    T *const shared;  // panel after panel, from its own rows on
    R *const inverse; // of the diagonal of the last factor
    const int n, height;

    static __host__ __device__ constexpr int elements(int height) {
        return height * (height + pad) - nb * nb / 2 * (height / nb) * (height / nb - 1);
    }
    // Of a block, in bytes, for matrices of order n.
    static __host__ __device__ constexpr int bytes(int n) {
        return elements((n + nb - 1) / nb * nb) * static_cast<int>(sizeof(T)) + nb * static_cast<int>(sizeof(R));
    }
    __device__ __forceinline__ CholeskyTeam(unsigned char *memory, int n_)
        : shared(reinterpret_cast<T *>(memory) + nb * sizeof(R) / sizeof(T)), inverse(reinterpret_cast<R *>(memory)),
          n(n_), height((n_ + nb - 1) / nb * nb) {}

    // Row and column 0 of panel p's block on the diagonal, and its leading dimension.
    __device__ __forceinline__ T *panel(int p) const {
        return shared + nb * p * (height + pad) - nb * nb / 2 * p * (p - 1);
    }
    __device__ __forceinline__ int ld(int p) const { return height - nb * p + pad; }
    __device__ __forceinline__ T *element(int i, int j) const {
        const int p = j / nb;
        return panel(p) + (i - nb * p) + (j - nb * p) * ld(p);
    }

    // f(place in shared memory, place in A) for the triangle.
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
    __device__ __forceinline__ void load(T *A, long long lda, bool upper) {
        each(A, lda, upper, [](T *to, const T *from) { stage<sizeof(T)>(to, from); });
        // Beyond the matrix it is the identity.
        for (int e = threadIdx.x; e < (height - n) * height; e += threads) {
            const int i = n + e % (height - n), j = e / (height - n);
            if (j <= i) *element(i, j) = make<T>(i == j ? 1 : 0);
        }
        copies_sent();
        copies_done_but<0>();
        __syncthreads();
    }

    // The rows of strip s in panel p.
    __device__ __forceinline__ void update(int s, int p) {
        CholeskyStrip<T> sums;
#pragma unroll 1
        for (int k = 0; k < p; ++k) sums.multiply(panel(k) + nb * (s - k), panel(k) + nb * (p - k), ld(k));
        sums.take(panel(p) + nb * (s - p), ld(p));
    }
    // The first minor of panel p's block that is not positive definite; 0: none.
    __device__ __forceinline__ int factor(int p) {
        using Tile = CholeskyTile<T, 4, 4, 1>;
        Tile t(nb, true);
        t.load(panel(p), ld(p), false);
        t.factor();
        t.live = Tile::mat() == 0; // the other lanes have done the same
        __syncwarp();
        t.put(panel(p), ld(p), false);
        __syncwarp();
        const int k = threadIdx.x % nb;
        inverse[k] = reciprocal_of(re(panel(p)[k + k * ld(p)]));
        return t.info;
    }
    // The rows below the block in panel p.
    __device__ __forceinline__ void solve(int p) {
        constexpr int V = Chunk<T>::size;
        T *const L = panel(p);
        const int step = ld(p);
#pragma unroll 1
        for (int row = nb + static_cast<int>(threadIdx.x); row < height - nb * p; row += threads) {
            T x[nb];
#pragma unroll
            for (int j = 0; j < nb; ++j) x[j] = L[row + j * step];
#pragma unroll
            for (int k = 0; k < nb; ++k) {
                x[k] = scale(x[k], inverse[k]);
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

    __device__ __forceinline__ int run() {
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
                for (int s = p + w; s < panels; s += W - 1) update(s, p);
            }
            __syncthreads();
            solve(p);
            __syncthreads();
        }
        return info;
    }
};

template <typename T, int N, int W>
__device__ __forceinline__ void potrf_team(const CholeskyArgs &args) {
    const long long i = blockIdx.x;
    T *const A = member<T>(args.a, i) + args.at * (args.lda + 1);
    CholeskyTeam<T, W> team(dynamic_shared(), args.n);
    team.load(A, args.lda, args.upper);
    const int info = team.run();
    team.each(A, args.lda, args.upper, [](const T *from, T *to) { *to = *from; });
    if (threadIdx.x == 0) args.set_info(i, info);
}

} // namespace tephra

#define TEPHRA_POTRF_TEAM(NAME, T, N, W, MIN_BLOCKS)                                                                   \
    TEPHRA_ENTRY(NAME, (Instance(32 * W).holds(N, N).by_warps(W).needs(CholeskyTeam<letter::T, W>::bytes(N))),         \
                 __launch_bounds__(32 * W, MIN_BLOCKS), CholeskyArgs, potrf_team<letter::T, N, W>)
