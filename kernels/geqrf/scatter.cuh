// Sums of several values over the lanes of a group, by the cheapest method for the type and the group's size.
#pragma once
#include "../arch/arch.cuh"

#include <type_traits>

namespace tephra {

// N values in each lane of groups of LANES adjacent lanes. Unless `scattered`, every lane gets every sum. If
// `scattered`, the sum of value j is in slot(j) of the group's lane lane(j): at every level a lane keeps one half of
// the values and sends the other, and both partners keep a value that is left over. Double precision in groups of four
// uses products with ones on the tensor cores.
template <typename T, int LANES, int N>
struct Sums {
  private:
    static __host__ __device__ constexpr int half(int n) { return (n + 1) / 2; }
    static __host__ __device__ constexpr int left() {
        int n = N;
        for (int s = LANES / 2; s > 0; s /= 2) n = half(n);
        return n;
    }
    // Compares the exchanges of scattered sums, with one broadcast each, to those of sums in all lanes. For more than
    // four values, where the scattered form also saves multiplications, a draw is enough.
    static __host__ __device__ constexpr bool pays() {
        int n = N, count = N, all = 0;
        for (int s = LANES / 2; s > 0; s /= 2) {
            count += n = half(n);
            all += N;
        }
        return count < all + (N > 4);
    }

  public:
    static constexpr bool tensor = std::is_same_v<T, double> && LANES == 4;
    static constexpr bool scattered = sizeof(Real<T>) == 4 && pays();
    static constexpr int slots = scattered ? left() : N; // values of a lane afterwards

    static __host__ __device__ constexpr int lane(int j) {
        if (!scattered) return 0;
        int n = N, at = 0;
        for (int s = LANES / 2; s > 0; s /= 2) {
            n = half(n);
            if (j >= n) {
                at |= s;
                j -= n;
            }
        }
        return at;
    }
    static __host__ __device__ constexpr int slot(int j) {
        if (!scattered) return j;
        int n = N;
        for (int s = LANES / 2; s > 0; s /= 2) {
            n = half(n);
            if (j >= n) j -= n;
        }
        return j;
    }

    // The value whose sum a lane of a group has in a slot. Two lanes have the sum of a value that was left over.
    static __device__ __forceinline__ int index(int lane, int slot) {
        return scattered ? at<LANES / 2, N>(lane, slot) : slot;
    }

    // Sums v; also *one, if it is not null, whose sum every lane gets.
    static __device__ __forceinline__ void run(T (&v)[N], int lane, Real<T> *one = nullptr) {
        if constexpr (tensor) {
#pragma unroll
            for (int j = one ? -1 : 0; j < N; j += 2) {
                double acc[4] = {0, 0, 0, 0};
                mma_f64(acc, j < 0 ? *one : v[j], j + 1 < N ? v[j + 1] : 0.0, 1.0);
                (j < 0 ? *one : v[j]) = acc[0];
                if (j + 1 < N) v[j + 1] = acc[2];
            }
        } else {
            if (one) *one = lanes_sum<LANES>(*one);
            if constexpr (scattered) {
                level<LANES / 2, N>(v, lane);
            } else {
#pragma unroll
                for (int j = 0; j < N; ++j) v[j] = lanes_sum<LANES>(v[j]);
            }
        }
    }

  private:
    template <int S, int n>
    static __device__ __forceinline__ int at(int lane, int slot) {
        if constexpr (S > 0) {
            constexpr int h = half(n);
            const int i = at<S / 2, h>(lane, slot);
            return (lane & S) && i + h < n ? i + h : i;
        } else {
            return slot;
        }
    }
    template <int S, int n>
    static __device__ __forceinline__ void level(T (&v)[N], int lane) {
        if constexpr (S > 0) {
            constexpr int h = half(n);
            const bool upper = lane & S;
#pragma unroll
            for (int i = 0; i < h; ++i) {
                if (i + h < n) {
                    const T kept = upper ? v[i + h] : v[i], sent = upper ? v[i] : v[i + h];
                    v[i] = add(kept, shfl_xor(sent, S));
                } else {
                    v[i] = add(v[i], shfl_xor(v[i], S));
                }
            }
            level<S / 2, h>(v, lane);
        }
    }
};

} // namespace tephra
