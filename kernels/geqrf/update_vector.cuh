// Tiles of the trailing update in single and complex single precision: products on the FP32 units, without TF32.
//
// A warp keeps 8 V U rows of NT columns of C, with V elements to 16 bytes. Lane (rl = lane % 8, cl = lane / 8) holds V
// rows of each group of 8 V rows, and NT / 4 columns, so that one 16-byte load of V feeds V x NT / 4 multiply-adds. If
// the number of C's rows is a multiple of V, these are rows V rl + i, which are loaded and stored 16 bytes at a time if
// C is aligned; otherwise rows rl + 8 i, so that eight lanes access neighbouring elements (`strided`). V's rows in
// shared memory are in the same order.
#pragma once
#include "../common/chunk.cuh"
#include "../common/scalar.cuh"

#include <type_traits>

namespace tephra {

template <typename T>
struct alignas(16) Vec16 {
    static constexpr int size = 16 / sizeof(T);
    T x[size];
};
template <typename T>
__device__ __forceinline__ Vec16<T> load16(const T *p) {
    const float4 f = *reinterpret_cast<const float4 *>(p);
    Vec16<T> v;
    if constexpr (is_complex<T>) {
        v.x[0] = {f.x, f.y};
        v.x[1] = {f.z, f.w};
    } else {
        v.x[0] = f.x;
        v.x[1] = f.y;
        v.x[2] = f.z;
        v.x[3] = f.w;
    }
    return v;
}
template <typename T>
__device__ __forceinline__ void store16(T *p, const Vec16<T> &v) {
    if constexpr (is_complex<T>)
        *reinterpret_cast<float4 *>(p) = make_float4(v.x[0].x, v.x[0].y, v.x[1].x, v.x[1].y);
    else
        *reinterpret_cast<float4 *>(p) = make_float4(v.x[0], v.x[1], v.x[2], v.x[3]);
}

template <typename T, int NB, int NT, int W, int U>
struct VectorTile {
    using V16 = Vec16<T>;
    static constexpr int V = V16::size;
    static constexpr int group = 8 * V; // rows dealt to a warp at a time
    static constexpr int capacity = group * U * W;
    static constexpr int ldv = capacity;
    static constexpr int CPL = NT / 4;                    // columns of a lane
    static constexpr int RG = CPL >= 8 ? V : 8 * V / CPL; // reflectors whose dots are in registers at a time
    static constexpr int size = NB * NT;
    static constexpr bool tight = false;
    static_assert(CPL % V == 0 && NB % RG == 0 && RG * CPL % (8 * V) == 0);

    T c[U][V][CPL];
    int warp, lane, rl, cl;
    bool strided;

    __device__ __forceinline__ VectorTile()
        : warp(threadIdx.x / 32 % W), lane(threadIdx.x % 32), rl(lane % 8), cl(lane / 8) {}

    // Prepares for a C of `rows` rows. Only their number counts, since it determines the order of sums.
    __device__ __forceinline__ void arrange(long long rows) { strided = rows % V != 0; }
    // This lane's row i of a group, and the place of a row of V in shared memory.
    __device__ __forceinline__ int row(int i) const { return strided ? rl + 8 * i : V * rl + i; }
    __device__ __forceinline__ int slot(int r) const {
        return strided ? (r & ~(group - 1)) + r % 8 * V + r % group / 8 : r;
    }

    static __device__ __forceinline__ void decode(int e, int &reflector, int &col) {
        reflector = e / NT;
        col = e % NT;
    }
    __device__ __forceinline__ int col(int j) const { return j / V * 4 * V + cl * V + j % V; }

    // Calls f(u, j, address of this lane's first row of group u in column j, rows from there to the end of the matrix).
    template <typename P, typename F>
    __device__ __forceinline__ void each(P *p, long long ldc, int rows, int cols, F f) const {
#pragma unroll
        for (int j = 0; j < CPL; ++j) {
            P *x = p + col(j) * ldc + warp * group + row(0);
            const int left = col(j) < cols ? rows - warp * group - row(0) : 0;
#pragma unroll
            for (int u = 0; u < U; ++u) f(u, j, x + u * W * group, left - u * W * group);
        }
    }
    __device__ __forceinline__ void load(const T *p, long long ldc, int rows, int cols, T *) {
        if (!strided && aligned<16>(p, ldc))
            each(p, ldc, rows, cols, [&](int u, int j, const T *x, int left) {
                V16 y = {};
                if (left > 0) y = load16(x);
#pragma unroll
                for (int i = 0; i < V; ++i) c[u][i][j] = y.x[i];
            });
        else
            each(p, ldc, rows, cols, [&](int u, int j, const T *x, int left) {
#pragma unroll
                for (int i = 0; i < V; ++i) c[u][i][j] = row(i) - row(0) < left ? x[row(i) - row(0)] : make<T>(0);
            });
    }
    __device__ __forceinline__ void store(T *p, long long ldc, int rows, int cols, T *) const {
        if (!strided && aligned<16>(p, ldc))
            each(p, ldc, rows, cols, [&](int u, int j, T *x, int left) {
                V16 y;
#pragma unroll
                for (int i = 0; i < V; ++i) y.x[i] = c[u][i][j];
                if (left > 0) store16(x, y);
            });
        else
            each(p, ldc, rows, cols, [&](int u, int j, T *x, int left) {
#pragma unroll
                for (int i = 0; i < V; ++i)
                    if (row(i) - row(0) < left) x[row(i) - row(0)] = c[u][i][j];
            });
    }
    // Sets every element to f(row, column), with indices in this block's chunk. `fill_from` passes (row, value);
    // `visit` only reads.
    template <typename F>
    __device__ __forceinline__ void fill(F f) {
        elements([&](int row, int j, T &x) { x = f(row, j); });
    }
    template <typename F>
    __device__ __forceinline__ void fill_from(F f) {
        elements([&](int row, int, T &x) { x = f(row, x); });
    }
    template <typename F>
    __device__ __forceinline__ void visit(F f) {
        elements([&](int row, int j, T &x) { f(row, j, x); });
    }
    template <typename F>
    __device__ __forceinline__ void elements(F f) {
#pragma unroll
        for (int j = 0; j < CPL; ++j)
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int i = 0; i < V; ++i) f((u * W + warp) * group + row(i), col(j), c[u][i][j]);
    }
    __device__ __forceinline__ void load_v(const T *v, int first) {
#pragma unroll
        for (int j = 0; j < CPL; ++j)
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const V16 x = load16(v + (first + col(j)) * ldv + (u * W + warp) * group + rl * V);
#pragma unroll
                for (int i = 0; i < V; ++i) c[u][i][j] = x.x[i];
            }
    }

    // One level of the sums over the 8 lanes that share columns. Each level halves the values; a lane ends with an
    // eighth of them, in acc[0], ... Levels that halve the reflectors need not select what to give away, because `dots`
    // has the reflectors in different orders in different lanes.
    template <int HALF>
    __device__ __forceinline__ void scatter_sum(T (&acc)[RG * CPL], int bit) {
        const bool upper = HALF < CPL && (rl & bit);
#pragma unroll
        for (int i = 0; i < HALF; ++i) {
            const T keep = upper ? acc[HALF + i] : acc[i], send = upper ? acc[i] : acc[HALF + i];
            acc[i] = add(keep, shfl_xor(send, bit));
        }
    }

    template <int N>
    __device__ __forceinline__ void dots(const T *v, T *part) {
        constexpr int all = RG * CPL, each = all / 8;
        const int mine = (rl & 4 ? all / 2 : 0) + (rl & 2 ? all / 4 : 0) + (rl & 1 ? all / 8 : 0);
        T *out = part + mine / CPL * NT + col(mine % CPL);
        // Slot k belongs to reflector k ^ rl RG / 8, so that a lane keeps the slots that others give away.
        const T *x[RG];
#pragma unroll
        for (int k = 0; k < RG; ++k) x[k] = v + (k ^ rl * RG / 8) * ldv + warp * group + rl * V;
#pragma unroll 1
        for (int first = 0; first < NB; first += RG) {
            T acc[all];
#pragma unroll
            for (int i = 0; i < all; ++i) acc[i] = make<T>(0);
#pragma unroll
            for (int u = 0; u < N; ++u)
#pragma unroll
                for (int k = 0; k < RG; ++k) {
                    const V16 y = load16(x[k] + first * ldv + u * W * group);
#pragma unroll
                    for (int i = 0; i < V; ++i)
#pragma unroll
                        for (int j = 0; j < CPL; ++j) acc[k * CPL + j] = cfma_(y.x[i], c[u][i][j], acc[k * CPL + j]);
                }
            scatter_sum<all / 2>(acc, 4);
            scatter_sum<all / 4>(acc, 2);
            scatter_sum<all / 8>(acc, 1);
#pragma unroll
            for (int i = 0; i < each; i += V) {
                V16 y;
                T *o = out + first * NT + i / V * 4 * V;
#pragma unroll
                for (int l = 0; l < V; ++l) y.x[l] = acc[i + l];
                store16(o, y);
            }
        }
    }

    // X = S^T W, where S is upper or lower triangular. A thread computes one or more rows of V columns. Half of its
    // rows are from the triangle's long side and half from the short one, so that all warps have equal work.
    __device__ __forceinline__ void expand(const T (*s)[NB + 1], const T *w, T *x, bool upper) const {
        constexpr int CG = NT / V, rows_at_once = 32 * W / CG, RI = NB / rows_at_once, LONG = (RI + 1) / 2;
        static_assert(RI >= 1 && RI * rows_at_once == NB && (RI == 1 || RI % 2 == 0) && 32 % CG == 0);
        const int t = 32 * warp + lane, j = t % CG * V, g = t / CG;
        const int low = g * LONG, high = NB - low - LONG; // first rows of the two halves
        const int rows[2] = {RI > 1 && upper ? high : low, upper ? low : high};
        T acc[RI][V];
#pragma unroll
        for (int i = 0; i < RI; ++i)
#pragma unroll
            for (int l = 0; l < V; ++l) acc[i][l] = make<T>(0);
        const auto add_to = [&](int first, int last, auto count) {
#pragma unroll 4
            for (int k = first; k < last; ++k) {
                const V16 y = load16(w + k * NT + j);
#pragma unroll
                for (int i = 0; i < count.value; ++i) {
                    const T f = s[k][rows[i / LONG] + i % LONG];
#pragma unroll
                    for (int l = 0; l < V; ++l) acc[i][l] = fma_(f, y.x[l], acc[i][l]);
                }
            }
        };
        // The same bounds for all of a warp: S has zeros in its other triangle.
        const int first = warp * (32 / CG) * LONG, past = first + 32 / CG * LONG;
        if constexpr (RI > 1) {
            add_to(upper ? 0 : NB - past, upper ? past : NB, std::integral_constant<int, RI>());
            add_to(upper ? past : first, NB - (upper ? first : past), std::integral_constant<int, LONG>());
        } else {
            add_to(upper ? 0 : first, upper ? past : NB, std::integral_constant<int, 1>());
        }
#pragma unroll
        for (int i = 0; i < RI; ++i) {
            V16 y;
#pragma unroll
            for (int l = 0; l < V; ++l) y.x[l] = acc[i][l];
            store16(x + (rows[i / LONG] + i % LONG) * NT + j, y);
        }
    }

    template <int N>
    __device__ __forceinline__ void update(const T *v, const T *x) {
        const T *y = v + warp * group + rl * V;
#pragma unroll 2
        for (int k = 0; k < NB; ++k) {
            T f[CPL];
#pragma unroll
            for (int j = 0; j < CPL; j += V) {
                const V16 z = load16(x + k * NT + col(j));
#pragma unroll
                for (int l = 0; l < V; ++l) f[j + l] = z.x[l];
            }
#pragma unroll
            for (int u = 0; u < N; ++u) {
                const V16 z = load16(y + k * ldv + u * W * group);
#pragma unroll
                for (int i = 0; i < V; ++i)
#pragma unroll
                    for (int j = 0; j < CPL; ++j) c[u][i][j] = fma_(z.x[i], f[j], c[u][i][j]);
            }
        }
    }
};

} // namespace tephra
