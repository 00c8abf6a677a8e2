// Applies a finished panel of a tall matrix to the columns to its right. See tall.cuh.
#pragma once
#include "tall_panel.cuh"

namespace tephra {

template <typename Panel>
struct TallUpdate : Panel {
    using Panel::a, Panel::memory, Panel::lane, Panel::lc, Panel::w, Panel::t, Panel::m, Panel::n;
    using Panel::CL, Panel::top, Panel::round, Panel::N;
    using Panel::NB, Panel::PC, Panel::PR, Panel::RPT, Panel::W, Panel::PLACES, Panel::threads, Panel::slots;
    using Panel::Panel;
    using Panel::step_m, Panel::max_m, Panel::far, Panel::CH, Panel::JB;
    using Panel::sync, Panel::place, Panel::parked, Panel::near;
    using typename Panel::T;
    static constexpr int JF = 2; // columns per round of the update of those that wait in global memory

    // Sums over the warps (and the cluster) into sums[0], between two barriers.
    __device__ __forceinline__ void gather(int columns, unsigned turn = 0) {
        auto &b = memory.block;
        sync();
        if constexpr (CL > 1) {
            auto &all = memory.products;
            if (threadIdx.x == 0) all.expect(turn);
#pragma unroll 1
            for (int e = threadIdx.x; e < NB * CH; e += threads) {
                T x = b.sums[0][e];
#pragma unroll
                for (int i = 1; i < W; ++i) x = add(x, b.sums[i][e]);
                all.send(turn, e, x);
            }
            all.wait(turn);
#pragma unroll 1
            for (int e = threadIdx.x; e < NB * CH; e += threads) b.sums[0][e] = all.sum(turn, e);
        } else {
            for (int e = threadIdx.x; W > 1 && e < NB * columns; e += threads) {
                T x = b.sums[0][e];
#pragma unroll
                for (int i = 1; i < W; ++i) x = add(x, b.sums[i][e]);
                b.sums[0][e] = x;
            }
        }
        sync();
    }
    // V^H C for JB columns of C. Lanes read them in different orders, so that the first exchanges of sums need no
    // selection.
    __device__ __forceinline__ void dots(const T *p, T *to) {
        T c[JB][RPT];
#pragma unroll
        for (int j = 0; j < JB; ++j)
#pragma unroll
            for (int r = 0; r < RPT; ++r) c[j][r] = p[(j ^ lane % JB) * max_m + r * step_m];
        const T sum = halve<slots * JB, 0, slots * JB, JB, PR>(lane, [&](auto e) {
            constexpr int i = e.value / JB, j = e.value % JB;
            T s = cfma_(a[0][i], c[j][0], make<T>(0));
#pragma unroll
            for (int r = 1; r < RPT; ++r) s = cfma_(a[r][i], c[j][r], s);
            return s;
        });
        const int l = lane % PR;
        if (l < slots * JB) to[place(l / JB) * PC + lc + l % JB * NB] = sum;
    }
    // C -= V Y for JA columns of C; the lanes with lc = j finish column j.
    static constexpr int JA = PC == 1 ? JB : PC;
    __device__ __forceinline__ void apply(T *p, const T *y) {
        T c[JA][RPT];
#pragma unroll
        for (int j = 0; j < JA; ++j)
#pragma unroll
            for (int r = 0; r < RPT; ++r) c[j][r] = PC == 1 || j == 0 ? p[(j ^ lc) * max_m + r * step_m] : make<T>(0);
#pragma unroll
        for (int i = 0; i < slots; ++i)
#pragma unroll
            for (int j = 0; j < JA; ++j) {
                const T x = y[(j ^ lc) * NB + lc * slots + i];
#pragma unroll
                for (int r = 0; r < RPT; ++r) c[j][r] = fnma_(a[r][place(i)], x, c[j][r]);
            }
#pragma unroll
        for (int j = 0; j < (PC == 1 ? JA : 1); ++j)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                p[(j ^ lc) * max_m + r * step_m] = PC == 1 ? c[j][r] : add(c[j][r], shfl_xor(c[JA - 1][r], PR));
    }
    // y_i = conj(tau_i) (w_i - sum over l < i of (v_i^H v_l) y_l), in place, with the result in the order that `apply`
    // reads.
    __device__ __forceinline__ void substitute(T *y, const T *tau) {
        T v[NB];
#pragma unroll
        for (int i = 0; i < NB; ++i) v[i] = y[i];
#pragma unroll
        for (int i = 0; i < NB; ++i) {
            v[i] = mul(conj(tau[i]), v[i]);
#pragma unroll
            for (int l = i + 1; l < NB; ++l) v[l] = fnma_(memory.block.gram[l * (l - 1) / 2 + i], v[i], v[l]);
            y[i % PC * slots + i / PC] = v[i];
        }
    }
    // Applies the block reflector of the panel at k0 to the columns from `first` on that wait in global memory, JF at a
    // time.
    __device__ __forceinline__ void update_far(T *A, long long lda, int k0, int first) {
        auto &sums = memory.block.sums;
        forget(A, lda);
#pragma unroll 1
        for (; first < n; first += JF) {
            T *p = A + first * lda + t, c[JF][RPT];
            const auto there = [&](int j, int r) { return first + j < n && r * step_m < m - t; };
#pragma unroll
            for (int j = 0; j < JF; ++j)
#pragma unroll
                for (int r = 0; r < RPT; ++r) c[j][r] = there(j, r) ? p[j * lda + r * step_m] : make<T>(0);
            const T sum = halve<slots * JF, 0, slots * JF, 1, PR>(lane, [&](auto e) {
                constexpr int i = e.value / JF, j = e.value % JF;
                T s = cfma_(a[0][i], c[j][0], make<T>(0));
#pragma unroll
                for (int r = 1; r < RPT; ++r) s = cfma_(a[r][i], c[j][r], s);
                return s;
            });
            const int l = lane % PR;
            if (l < slots * JF) sums[w][place(l / JF) + l % JF * NB] = sum;
            gather(JF);
            if (threadIdx.x < JF) substitute(sums[0] + threadIdx.x * NB, memory.step.tau + k0);
            sync();
#pragma unroll
            for (int i = 0; i < slots; ++i)
#pragma unroll
                for (int j = 0; j < JF; ++j) {
                    const T y = sums[0][j * NB + i];
#pragma unroll
                    for (int r = 0; r < RPT; ++r) c[j][r] = fnma_(a[r][place(i)], y, c[j][r]);
                }
#pragma unroll
            for (int j = 0; j < JF; ++j)
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (there(j, r)) p[j * lda + r * step_m] = c[j][r];
            sync(); // sums are written again
        }
    }
    // Applies the block reflector of the panel at k0 to all columns to its right.
    __device__ __forceinline__ void update(T *A, long long lda, int k0) {
        auto &sums = memory.block.sums;
#pragma unroll
        for (int c = 0; c < slots; ++c) {
            const int k = k0 + c * PC + lc;
            if (top <= k) a[0][place(c)] = make<T>(top == k ? 1 : 0);
        }
        copies_done();
        if constexpr (PC > 1) sync(); // else a thread reads what it has copied itself
        const int end = far && near(k0) < n ? near(k0) : n;
#pragma unroll 1
        for (int first = k0 + NB; first < end; first += CH) {
            const int cols = end - first < CH ? end - first : CH;
#pragma unroll 1
            for (int j = 0; j < cols; j += JB) dots(parked(first + j), sums[w] + j * NB);
            gather(CH);
            if (threadIdx.x < cols) substitute(sums[0] + threadIdx.x * NB, memory.step.tau + k0);
            sync();
#pragma unroll 1
            for (int j = 0; j < cols; j += JA) apply(parked(first + j), sums[0] + j * NB);
            sync(); // sums are written again
        }
        if constexpr (far) update_far(A, lda, k0, end);
    }
    // The same in a cluster; the blocks' sums of CH columns are exchanged at once.
    __device__ __forceinline__ void update_in_cluster(T *A, long long lda, int k0) {
        auto &sums = memory.block.sums;
#pragma unroll
        for (int c = 0; c < slots; ++c) {
            const int k = k0 + c;
            if (top <= k) a[0][place(c)] = make<T>(top == k ? 1 : 0);
        }
        copies_done();
        forget(A, lda);
        const int on_chip = far && near(k0) < n ? near(k0) : n;
        const auto far_columns = [&](int j, T(&c)[JF][RPT], auto access) {
            T *p = A + j * lda + t;
#pragma unroll
            for (int i = 0; i < JF; ++i)
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    access(c[i][r], p + i * lda + r * step_m, j + i < n && r * step_m < m - t);
        };
        const auto get = [](T &x, T *p, bool there) { x = there ? *p : make<T>(0); };
        const auto put = [](T &x, T *p, bool there) {
            if (there) *p = x;
        };
#pragma unroll 1
        for (int next = k0 + NB; next < n; next += CH) {
            const int last = n - next < CH ? n : next + CH, end = on_chip < last ? on_chip : last;
#pragma unroll 1
            for (int j = next; j < end; j += JB) dots(parked(j), sums[w] + (j - next) * NB);
            if constexpr (far) {
#pragma unroll 1
                for (int j = end > next ? end : next; j < last; j += JF) {
                    T c[JF][RPT];
                    far_columns(j, c, get);
                    const T sum = halve<slots * JF, 0, slots * JF, 1, PR>(lane, [&](auto e) {
                        constexpr int i = e.value / JF, q = e.value % JF;
                        T s = cfma_(a[0][i], c[q][0], make<T>(0));
#pragma unroll
                        for (int r = 1; r < RPT; ++r) s = cfma_(a[r][i], c[q][r], s);
                        return s;
                    });
                    if (lane < slots * JF) sums[w][(j - next + lane % JF) * NB + place(lane / JF)] = sum;
                }
            }
            gather(CH, CH == N - NB ? k0 / NB : round++);
            if (next + threadIdx.x < last) substitute(sums[0] + threadIdx.x * NB, memory.step.tau + k0);
            sync();
#pragma unroll 1
            for (int j = next; j < end; j += JA) apply(parked(j), sums[0] + (j - next) * NB);
            if constexpr (far) {
#pragma unroll 1
                for (int j = end > next ? end : next; j < last; j += JF) {
                    T c[JF][RPT];
                    far_columns(j, c, get);
#pragma unroll
                    for (int i = 0; i < slots; ++i)
#pragma unroll
                        for (int q = 0; q < JF; ++q) {
                            const T y = sums[0][(j - next + q) * NB + i];
#pragma unroll
                            for (int r = 0; r < RPT; ++r) c[q][r] = fnma_(a[r][place(i)], y, c[q][r]);
                        }
                    far_columns(j, c, put);
                }
            }
            sync(); // sums are written again
        }
    }
    __device__ __forceinline__ void next_panel(const T *A, long long lda, int k0) {
#pragma unroll
        for (int c = 0; c < slots; ++c) {
            const T *p = parked(k0 + c * PC + lc);
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = p[r * step_m];
        }
        if constexpr (far) {
            sync();
#pragma unroll 1
            for (int j = near(k0) - NB; j < near(k0) && j < n; ++j) this->bring(j, A + j * lda + t);
        }
    }
};

} // namespace tephra
