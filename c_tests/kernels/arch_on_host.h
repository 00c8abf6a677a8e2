// What kernels need from an architecture (kernels/arch), emulated on the host: plain forms, asynchronous copies that
// may complete late, and the blocks of a cluster side by side in one memory.
#pragma once
#define TEPHRA_ARCH "host"
#define TEPHRA_THERE   // replaces arch/there.cuh
#define TEPHRA_OF_WARP // replaces OfWarp of arch/portable.cuh
#define TEPHRA_CLUSTER(CL)
#define TEPHRA_DYNAMIC_SHARED(NAME) unsigned char *const NAME = host::dynamic_shared()

namespace tephra {

template <typename T>
struct OfWarp {
    T all[32];

    explicit OfWarp(T own) {
        host::meet(host::full_warp, own, [&](auto of) {
            for (unsigned lane = 0; lane < 32; ++lane) all[lane] = of(lane);
            return 0;
        });
    }
    T operator[](int lane) const { return all[lane]; }
};

} // namespace tephra

#include "arch/portable.cuh"

namespace host {

// A barrier in shared memory that counts arrivals and bytes, as in kernels/arch/cuda.cuh.
struct Barrier {
    int bytes;
    unsigned char arrivals, left, parity, pad;

    void count() {
        if (left != 0 || bytes != 0) return;
        parity ^= 1;
        left = arrivals;
    }
};
inline unsigned char *at(unsigned shared) { return shared_memory.data() + shared; }
inline Barrier &barrier(unsigned shared) { return *reinterpret_cast<Barrier *>(at(shared)); }

inline Gate named_barriers[16]; // for parts of a block

} // namespace host

namespace tephra {

inline unsigned char *dynamic_shared() { return host::dynamic_shared(); }
inline unsigned shared_address(const void *p) {
    return static_cast<unsigned>(static_cast<const unsigned char *>(p) - host::shared_memory.data());
}

// As rough as the hardware's estimate; subnormal numbers count as zero, too.
template <typename R>
R rsqrt_estimate(R x) {
    constexpr R least = sizeof(R) == 4 ? R(0x1p-126) : R(0x1p-1022);
    return x < least ? R(HUGE_VAL) : R(1 + 0x1p-20) / sqrt(x);
}
template <typename R>
R rcp_estimate(R x) {
    return R(1 - 0x1p-20) / x;
}

template <int THREADS>
void named_barrier(int number) {
    host::gather(host::named_barriers[number], THREADS);
}

template <int BYTES>
void stage(void *to, const void *from, int valid, bool wanted) {
    if (wanted) host::stage(to, from, BYTES, valid);
}
template <int BYTES>
void stage(void *to, const void *from) {
    host::stage(to, from, BYTES, BYTES);
}
template <int BYTES>
void copy_async_at(unsigned shared, const void *from) {
    host::stage(host::at(shared), from, BYTES, BYTES);
}
template <typename T>
void copy_async(T *to, const T *from) {
    host::stage(to, from, sizeof(T), sizeof(T));
}
template <int BYTES>
void copy_async(void *to, const void *from, bool valid) {
    host::stage(to, from, BYTES, valid ? BYTES : 0);
}
inline void copy_async_part(void *to, const void *from, int bytes) { host::stage(to, from, 16, bytes); }
inline void copies_sent() { host::copies_sent(); }
template <int N>
void copies_done_but() {
    host::copies_done_but(N);
}
inline void copies_done() {
    copies_sent();
    copies_done_but<0>();
}

constexpr bool bulk_copies = true;
inline void prefetch_bulk(unsigned long long, unsigned) {}
inline void barrier_init(unsigned barrier, unsigned arrivals) {
    host::barrier(barrier) = {0, static_cast<unsigned char>(arrivals), static_cast<unsigned char>(arrivals), 0, 0};
}
inline void barriers_initialised() {}
inline void barrier_expect(unsigned barrier, unsigned bytes) {
    host::barrier(barrier).bytes += static_cast<int>(bytes);
    --host::barrier(barrier).left;
    host::barrier(barrier).count();
}
inline bool barrier_over(unsigned barrier, unsigned phase) {
    const auto over = [&] { return host::barrier(barrier).parity != (phase & 1); };
    if (!over()) host::yield_now();
    if (over()) host::block->progress = true;
    return over();
}
inline void bulk_load(void *to, const void *from, unsigned bytes, unsigned barrier) {
    memcpy(to, from, bytes);
    host::barrier(barrier).bytes -= static_cast<int>(bytes);
    host::barrier(barrier).count();
}
inline void before_bulk_copies() {}
inline void bulk_store(void *to, const void *from, unsigned bytes) { memcpy(to, from, bytes); }
inline void bulk_stores_read() {}
inline void bulk_stores_done() {}

inline unsigned cluster_rank() { return host::block->me().rank; }
inline void cluster_sync() { host::gather(host::block->all, host::block->threads.size()); }
inline unsigned in_block(unsigned shared, unsigned rank) {
    return static_cast<unsigned>(shared + (rank - cluster_rank()) * host::shared_share());
}
// In a cluster each block has its own S, in its share of the launch's dynamic shared memory.
template <typename S>
S &shared_of_block() {
    static S alone;
    if (host::block->cluster == 1) return alone;
    if (sizeof(S) > host::shared_share()) abort();
    return *reinterpret_cast<S *>(host::dynamic_shared());
}
template <typename T>
const T *in_block(const T *p, unsigned rank) {
    const long long blocks = static_cast<long long>(rank) - host::block->me().rank;
    return reinterpret_cast<const T *>(reinterpret_cast<const unsigned char *>(p) +
                                       blocks * static_cast<long long>(host::shared_share()));
}
template <typename R>
void store_there(unsigned to, R x, unsigned barrier) {
    memcpy(host::at(to), &x, sizeof x);
    host::barrier(barrier).bytes -= static_cast<int>(sizeof x);
    host::barrier(barrier).count();
}
template <typename R>
void store_there(unsigned to, R x, R y, unsigned barrier) {
    store_there(to, x, barrier);
    store_there(static_cast<unsigned>(to + sizeof x), y, barrier);
}
inline bool cluster_barrier_over(unsigned barrier, unsigned phase) { return barrier_over(barrier, phase); }

} // namespace tephra
