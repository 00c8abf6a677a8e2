// The products of update_tf32.cuh to FP32's accuracy: x = high + low, both in TF32, and of a product all but low x low.
//
// The instruction's sums are cut off, not rounded. Those of a few products are therefore begun at zero and added in
// FP32: of W those of 8 rows, of X those over all reflectors, of V X, which is small beside C, those over 16.
#pragma once
#include "mma.cuh"

namespace tephra {

// x, rounded, and what is left; the instruction does not look at the last bits of that.
struct Tf32Parts {
    float high, low;
};
__device__ __forceinline__ Tf32Parts tf32_parts(float x) {
    const float high = tf32(x);
    return {high, x - high};
}

// U: an UpdateTf32.
template <typename U>
struct SplitProducts {
    using Tile = typename U::Tile;
    static constexpr int CT = U::CT, JT = U::JT;

    // Fragments of A, and of B, high and low.
    struct Left {
        float high[4], low[4];

        __device__ __forceinline__ Left() = default;
        __device__ __forceinline__ Left(float x0, float x1, float x2, float x3) {
            const float x[4] = {x0, x1, x2, x3};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const Tf32Parts p = tf32_parts(x[i]);
                high[i] = p.high, low[i] = p.low;
            }
        }
    };
    struct Right {
        float high[2], low[2];

        __device__ __forceinline__ Right() = default;
        __device__ __forceinline__ Right(float x0, float x1) {
            const Tf32Parts p = tf32_parts(x0), r = tf32_parts(x1);
            high[0] = p.high, low[0] = p.low, high[1] = r.high, low[1] = r.low;
        }
    };
    // acc[i][j] += a[i] b[j]; products in a row do not wait for each other.
    template <int I, int J>
    static __device__ __forceinline__ void multiply(float (&acc)[I][J][4], const Left (&a)[I], const Right (&b)[J]) {
#pragma unroll
        for (int part = 0; part < 3; ++part)
#pragma unroll
            for (int i = 0; i < I; ++i)
#pragma unroll
                for (int j = 0; j < J; ++j) {
                    const float(&x)[4] = part == 0 ? a[i].low : a[i].high;
                    const float(&y)[2] = part == 1 ? b[j].low : b[j].high;
                    mma_tf32(acc[i][j], x[0], x[1], x[2], x[3], y[0], y[1]);
                }
    }

    static __device__ __forceinline__ void dots(const U &u_, const Tile &tile, float (&w)[CT][JT][4], int rows) {
#pragma unroll
        for (int t = 0; t < CT; ++t)
#pragma unroll
            for (int j = 0; j < JT; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) w[t][j][i] = 0;
        const float *x = u_.v + U::first_of(U::g()) * U::ldv + U::group * U::warp() + 4 * U::q();
#pragma unroll
        for (int u = 0; u < U::groups; ++u) {
            if (u * U::step + U::group * U::warp() >= rows) break;
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                Left a[CT];
#pragma unroll
                for (int t = 0; t < CT; ++t) {
                    const float(&c)[2][4] = tile.c[u][t];
                    a[t] = Left(c[0][2 * k], c[1][2 * k], c[0][2 * k + 1], c[1][2 * k + 1]);
                }
                constexpr int H = 2;
#pragma unroll
                for (int first = 0; first < JT; first += H) {
                    float sum[CT][H][4] = {};
                    Right b[H];
#pragma unroll
                    for (int j = 0; j < H; ++j) {
                        const float *const y = x + 8 * (first + j) * U::ldv + u * U::step + 2 * k;
                        const float2 z = *reinterpret_cast<const float2 *>(y);
                        b[j] = Right(z.x, z.y);
                    }
                    multiply(sum, a, b);
#pragma unroll
                    for (int t = 0; t < CT; ++t)
#pragma unroll
                        for (int j = 0; j < H; ++j)
#pragma unroll
                            for (int i = 0; i < 4; ++i) w[t][first + j][i] += sum[t][j][i];
                }
            }
        }
    }

    static __device__ __forceinline__ void put_expanded(const U &u, const float (&w)[CT][JT][4], float *out) {
        const float *low = &u.s[U::first_of(2 * U::q())][U::second_of(U::g())],
                    *high = &u.s[U::first_of(2 * U::q() + 1)][U::second_of(U::g())];
        constexpr int H = 2;
#pragma unroll
        for (int first = 0; first < JT; first += H) {
            float x[CT][H][4] = {};
#pragma unroll
            for (int j = 0; j < first + H; ++j) {
                Left a[CT];
                Right b[H]; // zero below S's diagonal
#pragma unroll
                for (int t = 0; t < CT; ++t) a[t] = Left(w[t][j][0], w[t][j][2], w[t][j][1], w[t][j][3]);
#pragma unroll
                for (int to = 0; to < H; ++to) {
                    const int place = 8 * j * U::lds + 8 * (first + to);
                    b[to] = Right(low[place], high[place]);
                }
                multiply(x, a, b);
            }
#pragma unroll
            for (int to = 0; to < H; ++to)
#pragma unroll
                for (int t = 0; t < CT; ++t)
                    *reinterpret_cast<float4 *>(out + (((first + to) * CT + t) * 32 + threadIdx.x % 32) * 4) =
                        make_float4(x[t][to][0], x[t][to][1], x[t][to][2], x[t][to][3]);
        }
    }

    template <int PARTS>
    static __device__ __forceinline__ void update(const U &u_, Tile &tile, const float (*parts)[U::size], int rows) {
        const float *y = u_.v + U::q() * U::ldv + U::group * U::warp() + 2 * U::g();
        constexpr int H = 2; // reflectors whose X is in registers, in eights
#pragma unroll
        for (int first = 0; first < JT; first += H) {
            Left a[H][CT];
#pragma unroll
            for (int j = 0; j < H; ++j)
#pragma unroll
                for (int t = 0; t < CT; ++t) {
                    const int place = (((first + j) * CT + t) * 32 + threadIdx.x % 32) * 4;
                    float4 x = U::at(parts[0] + place);
#pragma unroll
                    for (int i = 1; i < PARTS; ++i) {
                        const float4 z = U::at(parts[i] + place);
                        x.x += z.x, x.y += z.y, x.z += z.z, x.w += z.w;
                    }
                    a[j][t] = Left(x.x, x.z, x.y, x.w);
                }
#pragma unroll
            for (int u = 0; u < U::groups; ++u) {
                if (u * U::step + U::group * U::warp() >= rows) break;
                float sum[CT][2][4] = {};
#pragma unroll
                for (int j = 0; j < H; ++j) {
                    const float *const z = y + 8 * (first + j) * U::ldv + u * U::step;
                    const float2 b0 = *reinterpret_cast<const float2 *>(z);
                    const float2 b1 = *reinterpret_cast<const float2 *>(z + 4 * U::ldv);
                    const Right b[2] = {Right(b0.x, b1.x), Right(b0.y, b1.y)};
                    multiply(sum, a[j], b);
                }
#pragma unroll
                for (int t = 0; t < CT; ++t)
#pragma unroll
                    for (int k = 0; k < 2; ++k) {
                        float(&c)[2][4] = tile.c[u][t];
                        c[0][k] += sum[t][k][0], c[0][2 + k] += sum[t][k][1];
                        c[1][k] += sum[t][k][2], c[1][2 + k] += sum[t][k][3];
                    }
            }
        }
    }
};

} // namespace tephra
