// The same for more columns, whose Gram matrix is formed by the kernels of iterative least squares
// (iterative/gram.cuh). In double precision, Q overwrites A before R is computed again.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../reflect/box.cuh"
#include "finish.cuh"

namespace tephra {

// One block per member.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void cholqr_wide_finish(const CholqrArgs &args) {
    using Factor = CholqrFactor<T, N, THREADS>;
    using W = Wide<T>;
    const long long i = blockIdx.x;
    const int n = args.n;
    if (args.again && *args.state(i) != CholqrArgs::AGAIN) return;
    auto &factor = *reinterpret_cast<Factor *>(dynamic_shared());
    const W *const gram = static_cast<const W *>(args.sums) + i * args.sums_stride;
    typename Factor::Matrix x;
    factor.each([&](int a, int b, int row, int column) {
        x[a][b] = row <= column && column < n ? gram[column * n + row] : make<W>(0);
    });
    cholqr_finish<T, N, THREADS, true>(args, i, factor, x, args.again);
}

// Rows being copied through shared memory, and the factor by which they are multiplied. Eight warps process 64 rows:
// two warps share 16 rows, and each has half of the columns.
template <typename T_, int N, int THREADS>
struct CholqrWideRows {
    using T = T_;
    using Tile = CholqrTile<T, N, 2 * sizeof(T)>;
    static constexpr int ROWS = 64, PITCH = ROWS + 32 / sizeof(T); // lets the lanes read from different banks
    using Box = ReflectBox<T, ROWS, N, PITCH, THREADS>;
    static_assert(THREADS == 256 && Box::even);

    Wide<T> f[Tile::FACTOR];
    alignas(16) T boxes[2][Box::size];

    // The row, of 8, that is line i of an operand. A lane has lines 2 q and 2 q + 1 of the product, and the stores of
    // four lanes should be to adjacent elements.
    static __device__ __forceinline__ int line(int i) { return is_complex<T> ? i / 2 + i % 2 * 4 : i; }

    template <int HALF>
    __device__ __forceinline__ void multiply(const T *box, T *to, long long ld, int n, long long head, long long left,
                                             bool packed) const {
        const int lane = threadIdx.x % 32, g = lane / 4, q = lane % 4, first = threadIdx.x / 64 * 16;
        typename Tile::template Columns<HALF> product;
        product.clear();
        const T *const x = box + q * PITCH + first + line(g);
#pragma unroll
        for (int s = 0; s < N / 4; ++s) {
            typename Tile::Piece y;
            y.e[0] = x[4 * s * PITCH], y.e[1] = x[4 * s * PITCH + 8];
            product.add(y, s, f);
        }
#pragma unroll
        for (int k = 0; k < 2 * product.BLOCKS; ++k) {
            const int column = 16 * product.block(k / 2) + k % 2 * 8 + g;
            if (column >= n) continue;
            T *const p = to + column * ld;
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int rows[2] = {first + 8 * e + line(2 * q), first + 8 * e + line(2 * q + 1)};
                typename Tile::Piece v;
#pragma unroll
                for (int h = 0; h < 2; ++h) v.e[h] = narrow<T>(product.c[k / 2][e].get(k % 2 * 2 + h));
                if (!is_complex<T> && packed && rows[0] >= head && rows[1] < left) {
                    *reinterpret_cast<typename Tile::Piece *>(p + rows[0]) = v;
                } else {
#pragma unroll
                    for (int h = 0; h < 2; ++h)
                        if (rows[h] >= head && rows[h] < left) p[rows[h]] = v.e[h];
                }
            }
        }
    }
};

// Multiplies the panel's rows, except those at its head, by the factor from cholqr_finish.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void cholqr_wide_rows(const CholqrArgs &args) {
    using Rows = CholqrWideRows<T, N, THREADS>;
    constexpr int ROWS = Rows::ROWS;
    const long long i = blockIdx.x / args.parts;
    const int p = static_cast<int>(blockIdx.x - i * args.parts), n = args.n;
    if (*args.state(i) != args.when) return;
    auto &rows = *reinterpret_cast<Rows *>(dynamic_shared());
    const T *const A = member<T>(args.a, i) + args.a0;
    T *const to = member<T>(args.to, i) + args.to0;
    const bool packs = aligned<16>(A, args.lda), packed = aligned<2 * sizeof(T)>(to, args.ldto);
    const long long end = args.m < (p + 1) * args.chunk ? args.m : (p + 1) * args.chunk;
    const auto send = [&](long long row, T *box) {
        if (packs && n == N && row + ROWS <= end)
            Rows::Box::copy_whole(box, A + row + Rows::Box::mine(args.lda), args.lda);
        else if (row < end)
            Rows::Box::copy(box, [&](int o) { return A + row + o * args.lda; }, end - row, n, packs);
        copies_sent();
    };
    long long row = p * args.chunk;
    send(row, rows.boxes[0]);
    cholqr_take<T, N, THREADS>(args, i, rows.f);
#pragma unroll 1
    for (int here = 0; row < end; row += ROWS, here ^= 1) {
        copies_done_but<0>();
        __syncthreads(); // the box is complete, and the previous one has been used
        send(row + ROWS, rows.boxes[here ^ 1]);
        if (threadIdx.x / 32 % 2)
            rows.template multiply<1>(rows.boxes[here], to + row, args.ldto, n, args.head - row, end - row, packed);
        else
            rows.template multiply<0>(rows.boxes[here], to + row, args.ldto, n, args.head - row, end - row, packed);
    }
    copies_done();
}

} // namespace tephra

#define TEPHRA_CHOLQR_WIDE_FINISH(NAME, T, N, THREADS)                                                                 \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(0, N).needs(sizeof(CholqrFactor<letter::T, N, THREADS>)),               \
                 __launch_bounds__(THREADS, 1), CholqrArgs, cholqr_wide_finish<letter::T, N, THREADS>)
#define TEPHRA_CHOLQR_WIDE_ROWS(NAME, T, N, THREADS, MIN_BLOCKS)                                                       \
    TEPHRA_ENTRY(                                                                                                      \
        NAME, Instance(THREADS).holds(0, N).needs(sizeof(CholqrWideRows<letter::T, N, THREADS>)).at_once(MIN_BLOCKS),  \
        __launch_bounds__(THREADS, MIN_BLOCKS), CholqrArgs, cholqr_wide_rows<letter::T, N, THREADS>)
