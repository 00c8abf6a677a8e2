// What follows an outer panel of an LU factorisation in single precision, in one launch: its row interchanges in the
// columns beside it, and in those to the right U12 := L11^-1 A12 and A22 := A22 - L21 U12.
//
// A block has a strip of columns, of which all rows are read at the start, once and in whole lines: those below the
// panel into registers, of a warp for each MT of them, the panel's own into shared memory. There they change places,
// and U12 is solved for. Then every warp goes its own way: it multiplies its rows' part of L, which comes by a ring of
// its own, and its registers go to the matrix.
#pragma once
#include "../gemm/store.cuh"
#include "interchange.cuh"
#include "stage.cuh"
#include "strip_update.cuh"

namespace tephra {

// K: most columns of the panel. A thread has TM rows and TN columns of the strip, in packs of 16 bytes. A column of
// U12 is solved for by Q lanes. L comes KC columns at a time, in PLACES places.
template <typename T, int K, int TM, int TN, int Q, int KC, int PLACES>
struct RegisterStrip {
    using R = Real<T>;
    static constexpr int parts = sizeof(T) / sizeof(R), P = 16 / sizeof(T), NT = 4 * TN, MT = 8 * TM;
    static constexpr int ldx = NT + 4, plane = K * ldx; // of rows in shared memory, real parts before imaginary ones
    static constexpr int B = 16, own = B / Q;           // rows of a step of the solve, and of a lane's
    static constexpr unsigned none = 255;
    static_assert(sizeof(R) == 4 && TM % P == 0 && TN % 4 == 0 && K % B == 0 && own % P == 0 && K < none, "packs");
    static_assert(NT * Q % 32 == 0 && K % KC == 0 && 32 % (MT / P) == 0 && KC % (32 / (MT / P)) == 0, "whole turns");
    using Pack = GemmPack<T>;
    using Four = GemmPack<R>;

    // Shared memory of so many warps.
    static constexpr size_t bytes(int warps) {
        return warps * (PLACES * KC * MT * sizeof(T) + 2 * MT) + K * K * sizeof(T) + 2 * parts * plane * sizeof(R) +
               2 * K * sizeof(int);
    }
    static constexpr int warps(int rows_below) { return rows_below > MT ? (rows_below + MT - 1) / MT : 1; }

    const StripUpdateArgs &args;
    const GetrfArgs &lu = args.lu;
    const int W = blockDim.x / 32, lane = threadIdx.x % 32, w = threadIdx.x / 32;
    // As in a matrix product: eight lanes read few different words at a time.
    const int tm = lane >> 1 & 7, tn = lane % 2 + lane / 16 * 2;
    T *const ring = reinterpret_cast<T *>(dynamic_shared()), *const l11 = ring + W * PLACES * KC * MT;
    R *const top = reinterpret_cast<R *>(l11 + K * K), *const x = top + parts * plane;
    int *const pivot = reinterpret_cast<int *>(x + parts * plane), *const from = pivot + K;
    // Of a row below the panel that was a pivot: which row of U12 it becomes, and which of the panel's takes its place.
    unsigned char *const give = reinterpret_cast<unsigned char *>(from + K), *const take = give + W * MT;
    const int k = lu.columns, below = lu.m - lu.at - k, mine = below - w * MT; // rows, and from this warp's on
    const long long i = blockIdx.x / args.strips, lda = lu.lda;
    const int strip = static_cast<int>(blockIdx.x - i * args.strips);
    const bool solves = strip >= args.left;
    const int first = solves ? lu.at + k + (strip - args.left) * NT : lu.first + strip * NT;
    const int left_over = (solves ? lu.n : lu.at) - first, count = left_over < NT ? left_over : NT;
    T *const matrix = lu.matrix<T>(i) + lu.at; // its rows from the panel's on
    T *const A = matrix + first * lda, *const C = A + k + w * MT;
    const T *const L = matrix + lu.at * lda;
    const bool packs = reinterpret_cast<unsigned long long>(matrix) % 16 == 0 && lda % P == 0 && k % P == 0;
    T c[TN][TM];

    __device__ __forceinline__ int row(int r) const { return (r / P * 8 + tm) * P + r % P; }
    __device__ __forceinline__ int column(int j) const { return (j / 4 * 4 + tn) * 4 + j % 4; }
    __device__ __forceinline__ T at(const R *rows, int r, int j) const {
        return make<T>(rows[r * ldx + j], rows[(parts - 1) * plane + r * ldx + j]);
    }

    // The panel's columns from q KC on, in this warp's rows, on their way.
    __device__ __forceinline__ void send(int q) const {
        if (q * KC < k) {
            T *const to = ring + (w * PLACES + q % PLACES) * (KC * MT);
            const T *const source = L + k + w * MT + q * KC * lda;
            if (packs) {
                constexpr int per = MT / P;
                const int r = lane % per * P, there = mine - r < P ? mine - r : P;
#pragma unroll
                for (int s = 0; s < KC; s += 32 / per) {
                    const int o = s + lane / per;
                    const bool wanted = there > 0 && q * KC + o < k;
                    stage<16>(to + o * MT + r, wanted ? source + r + o * lda : L, wanted ? there * int(sizeof(T)) : 0,
                              true);
                }
            } else {
#pragma unroll
                for (int r = lane; r < MT; r += 32)
#pragma unroll
                    for (int o = 0; o < KC; ++o) {
                        const bool wanted = r < mine && q * KC + o < k;
                        stage<sizeof(T)>(to + o * MT + r, wanted ? source + r + o * lda : L,
                                         wanted ? int(sizeof(T)) : 0, true);
                    }
            }
        }
        copies_sent();
    }
    // L11 and the strip's rows beside it, on their way.
    __device__ __forceinline__ void bring() const {
        if (packs) {
#pragma unroll 4
            for (int e = threadIdx.x; e < K * K / P; e += blockDim.x) {
                const int o = e / (K / P), r = e % (K / P) * P;
                const bool there = r < k && o < k;
                stage<16>(l11 + o * K + r, there ? L + r + o * lda : L, there ? 16 : 0, r + P - 1 > o);
            }
        } else {
#pragma unroll 4
            for (int e = threadIdx.x; e < K * K; e += blockDim.x) {
                const int o = e / K, r = e % K;
                const bool there = r < k && o < k;
                stage<sizeof(T)>(l11 + o * K + r, there ? L + r + o * lda : L, there ? int(sizeof(T)) : 0, r > o);
            }
        }
#pragma unroll 4
        for (int e = threadIdx.x; e < K * NT; e += blockDim.x) {
            const int r = e % K, j = e / K;
            const bool there = r < k && j < count;
            const R *const source = reinterpret_cast<const R *>(there ? A + r + j * lda : A);
#pragma unroll
            for (int part = 0; part < parts; ++part)
                stage<sizeof(R)>(top + part * plane + r * ldx + j, source + part, there ? int(sizeof(R)) : 0, true);
        }
        copies_sent();
    }
    __device__ __forceinline__ bool whole() const { return packs && mine >= MT && count == NT; }
    __device__ __forceinline__ void load() {
        if (whole()) {
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int p = 0; p < TM; p += P) {
                    const Pack was = *reinterpret_cast<const Pack *>(C + row(p) + column(j) * lda);
#pragma unroll
                    for (int e = 0; e < P; ++e) c[j][p + e] = was.v[e];
                }
        } else {
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int r = 0; r < TM; ++r)
                    c[j][r] = row(r) < mine && column(j) < count ? C[row(r) + column(j) * lda] : make<T>(0);
        }
    }
    __device__ __forceinline__ void store() const {
        if (whole()) {
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int p = 0; p < TM; p += P) {
                    Pack now;
#pragma unroll
                    for (int e = 0; e < P; ++e) now.v[e] = c[j][p + e];
                    *reinterpret_cast<Pack *>(C + row(p) + column(j) * lda) = now;
                }
        } else {
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int r = 0; r < TM; ++r)
                    if (row(r) < mine && column(j) < count) C[row(r) + column(j) * lda] = c[j][r];
        }
    }

    // Where what ends up at a row comes from.
    __device__ __forceinline__ int origin(int r) const {
#pragma unroll 8
        for (int s = k - 1; s >= 0; --s) {
            const int p = pivot[s];
            r = r == p ? s : r == s ? p : r;
        }
        return r;
    }
    // A row below the panel can only get one of the panel's: those are exchanged upwards no later than downwards.
    __device__ __forceinline__ void trace(const int (&asked)[K / 32]) const {
        for (int r = threadIdx.x; r < W * MT; r += blockDim.x) give[r] = none;
#pragma unroll
        for (int h = 0; h < K / 32; ++h) {
            const int s = threadIdx.x + h * blockDim.x, p = asked[h];
            if (s < K) pivot[s] = p < s || p >= k + below ? s : p; // what is no row is not exchanged
        }
        __syncthreads();
        for (int s = threadIdx.x; s < K; s += blockDim.x) {
            const int p = pivot[s], upper = lu.pivots() ? origin(s) : s;
            from[s] = upper;
            if (upper >= k && s < k) give[upper - k] = static_cast<unsigned char>(s);
            if (p >= k && s < k) take[p - k] = static_cast<unsigned char>(origin(p));
        }
    }
    __device__ __forceinline__ void exchange() {
        for (int e = threadIdx.x; e < K * NT / 4; e += blockDim.x) {
            const int r = e / (NT / 4), j = e % (NT / 4) * 4, source = from[r];
            if (source >= k && r < k) continue;
#pragma unroll
            for (int part = 0; part < parts; ++part)
                *reinterpret_cast<Four *>(x + part * plane + r * ldx + j) =
                    *reinterpret_cast<const Four *>(top + part * plane + source * ldx + j);
        }
#pragma unroll
        for (int r = 0; r < TM; ++r) {
            const unsigned to = give[w * MT + row(r)];
            if (to == none) continue;
            const int source = take[w * MT + row(r)];
#pragma unroll
            for (int j = 0; j < TN; j += 4) {
                Four out[parts], in[parts];
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    out[0].v[e] = re(c[j + e][r]);
                    if (parts > 1) out[parts - 1].v[e] = im(c[j + e][r]);
                }
#pragma unroll
                for (int part = 0; part < parts; ++part) {
                    *reinterpret_cast<Four *>(x + part * plane + to * ldx + column(j)) = out[part];
                    in[part] = *reinterpret_cast<const Four *>(top + part * plane + source * ldx + column(j));
                }
#pragma unroll
                for (int e = 0; e < 4; ++e) c[j + e][r] = make<T>(in[0].v[e], in[parts - 1].v[e]);
            }
        }
    }
    // The sums are of the product less what A22 was. So they have registers of their own: those of loads and stores lie
    // in order, in the banks of which multiply-adds would be held up.
    __device__ __forceinline__ void negate() {
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int r = 0; r < TM; ++r) c[j][r] = scale(c[j][r], -1);
    }
    // U12, 32 / Q columns of it by this warp.
    __device__ __forceinline__ void solve(int unit) const {
        const int j = unit * (32 / Q) + lane / Q, r0 = lane % Q * own;
        const auto left = [&](int o, int r, T(&l)[own]) {
#pragma unroll
            for (int p = 0; p < own; p += P) {
                const Pack some = *reinterpret_cast<const Pack *>(l11 + o * K + r + r0 + p);
#pragma unroll
                for (int e = 0; e < P; ++e) l[p + e] = some.v[e];
            }
        };
#pragma unroll 1
        for (int b = 0; b < k; b += B) {
            T v[own];
#pragma unroll
            for (int r = 0; r < own; ++r) v[r] = at(x, b + r0 + r, j);
#pragma unroll(own > 8 ? 1 : 4)
            for (int o = 0; o < b; ++o) {
                T l[own];
                left(o, b, l);
                const T u = at(x, o, j);
#pragma unroll
                for (int r = 0; r < own; ++r) v[r] = fnma_(l[r], u, v[r]);
            }
#pragma unroll
            for (int s = 0; s < B; ++s) {
                T l[own], u = v[s % own];
                left(b + s, b, l);
                if (Q > 1) u = shfl(u, (lane & ~(Q - 1)) | s / own);
#pragma unroll
                for (int r = 0; r < own; ++r)
                    if (r0 + r > s) v[r] = fnma_(l[r], u, v[r]);
            }
#pragma unroll
            for (int r = 0; r < own; ++r) {
                x[(b + r0 + r) * ldx + j] = re(v[r]);
                if (parts > 1) x[(parts - 1) * plane + (b + r0 + r) * ldx + j] = im(v[r]);
            }
            __syncwarp();
        }
    }
    __device__ __forceinline__ void multiply(int q) {
        const T *const l = ring + (w * PLACES + q % PLACES) * (KC * MT) + tm * P;
        const R *const u = x + q * KC * ldx + tn * 4;
#pragma unroll
        for (int s = 0; s < KC; ++s) {
            Pack a[TM / P];
            Four b[parts][TN / 4];
#pragma unroll
            for (int p = 0; p < TM / P; ++p) a[p] = *reinterpret_cast<const Pack *>(l + s * MT + p * 8 * P);
#pragma unroll
            for (int part = 0; part < parts; ++part)
#pragma unroll
                for (int p = 0; p < TN / 4; ++p)
                    b[part][p] = *reinterpret_cast<const Four *>(u + part * plane + s * ldx + p * 16);
            gemm_outer<false>(
                c, [&](int r) { return a[r / P].v[r % P]; }, [&](int j) { return b[0][j / 4].v[j % 4]; },
                [&](int j) { return b[parts - 1][j / 4].v[j % 4]; });
        }
    }
    // Where rows are only exchanged: a column by a warp.
    __device__ __forceinline__ void exchange_only() const {
        constexpr int S = K / 32, together = 4;
        int source[2 * S], to[2 * S];
        bool moves[2 * S];
#pragma unroll
        for (int s = 0; s < S; ++s) {
            const int r = lane + 32 * s, p = pivot[r];
            to[s] = r, source[s] = from[r], moves[s] = r < k && source[s] != r;
            to[S + s] = p, moves[S + s] = r < k && p >= k, source[S + s] = moves[S + s] ? take[p - k] : 0;
        }
#pragma unroll 1
        for (int j = w * together; j < count; j += W * together) {
            T v[together][2 * S];
#pragma unroll
            for (int e = 0; e < together; ++e)
#pragma unroll
                for (int s = 0; s < 2 * S; ++s)
                    v[e][s] = moves[s] && j + e < count ? A[source[s] + (j + e) * lda] : make<T>(0);
            __syncwarp();
#pragma unroll
            for (int e = 0; e < together; ++e)
#pragma unroll
                for (int s = 0; s < 2 * S; ++s)
                    if (moves[s] && j + e < count) A[to[s] + (j + e) * lda] = v[e][s];
        }
    }

    __device__ __forceinline__ void run() {
        const int *const ipiv = lu.pivots() ? lu.interchanges(i) : nullptr;
        int asked[K / 32]; // interchanges
#pragma unroll
        for (int h = 0; h < K / 32; ++h) {
            const int s = threadIdx.x + h * blockDim.x;
            asked[h] = ipiv && s < k ? ipiv[s] - 1 - lu.at : s;
        }
        if (!solves) {
            trace(asked);
            __syncthreads();
            exchange_only();
            return;
        }
        bring();
        load();
#pragma unroll
        for (int q = 0; q < PLACES - 1; ++q) send(q);
        trace(asked);
        copies_done_but<PLACES - 1>();
        __syncthreads();
        exchange();
        __syncthreads();
#pragma unroll 1
        for (int unit = w; unit < NT * Q / 32; unit += W) solve(unit);
        __syncthreads();
#pragma unroll 4
        for (int e = threadIdx.x; e < K * NT; e += blockDim.x) {
            const int r = e % K, j = e / K;
            if (r < k && j < count) A[r + j * lda] = at(x, r, j);
        }
        if (mine <= 0) return;
        negate();
#pragma unroll 1
        for (int q = 0; q * KC < k; ++q) {
            copies_done_but<PLACES - 2>();
            __syncwarp(); // everybody's, and the columns before have been used
            send(q + PLACES - 1);
            multiply(q);
        }
        negate();
        store();
    }
};

template <typename T, int K, int TM, int TN, int Q, int KC, int PLACES>
__device__ __forceinline__ void getrf_register_strip(const StripUpdateArgs &args) {
    RegisterStrip<T, K, TM, TN, Q, KC, PLACES> strip{args};
    strip.run();
}

} // namespace tephra

#define TEPHRA_GETRF_REGISTER_STRIP(NAME, T, K, TM, TN, Q, KC, PLACES, THREADS, MIN_BLOCKS)                            \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(K, 4 * TN), __launch_bounds__(THREADS, MIN_BLOCKS), StripUpdateArgs,    \
                 getrf_register_strip<letter::T, K, TM, TN, Q, KC, PLACES>)
