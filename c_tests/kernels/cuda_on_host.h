// Runs kernels on the host: the parts of CUDA C++ that they use, with the threads of a block as coroutines of one
// thread.
//
// arch_on_host.h replaces the assembly by plain code. Blocks run one after another, except that those of a cluster run
// together. A thread runs until it must wait for others of its warp or block. If all threads wait, the kernel would
// hang on a device, and the program aborts. The order of the threads changes all the time, and one warp is held back
// until the others wait for it, so that missing barriers show.
#pragma once
#include <algorithm>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <functional>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(bytes)

namespace host {

struct Index {
    unsigned x = 0, y = 0, z = 0;
};

constexpr unsigned full_warp = 0xffffffffu;

struct Copy {
    void *to;
    const void *from;
    int bytes, valid;

    void run() const {
        if (valid > 0) memcpy(to, from, valid);
        memset(static_cast<char *>(to) + valid, 0, bytes - valid);
    }
};

// A meeting point of threads: how many wait there, and how often it has opened.
struct Gate {
    unsigned waiting = 0, opened = 0;
};

struct Thread {
    jmp_buf here; // where it continues; unlike a context switch, a jump needs no system call
    Index index;
    unsigned rank = 0;          // of its block in the cluster
    unsigned warp_steps = 0;    // how often it has met its warp
    unsigned part_steps = 0;    // and a part of it
    const Gate *gate = nullptr; // it waits until this gate has opened more than `before` times
    unsigned before = 0;
    std::vector<std::vector<Copy>> copies; // pending asynchronous copies by group; the last group is still open
    bool started = false, done = false;

    bool waits() const { return gate && gate->opened == before; }
};

struct Block { // or a cluster of them
    std::vector<Thread> threads;
    std::vector<ucontext_t> starts;   // of the threads
    std::vector<Gate> warps, blocks;  // gates where all threads of a warp or block meet
    std::vector<unsigned> running;    // threads of each block that have not ended
    Gate all;                         // for the cluster
    unsigned first = 0, cluster = 1;  // index of the first block; number of blocks
    std::vector<unsigned char> cells; // for each thread, two cells for the values that it publishes to its warp
    jmp_buf scheduler;
    std::function<void()> kernel;
    size_t current = 0;
    bool progress = false;

    Thread &me() { return threads[current]; }
    unsigned char *cell(size_t thread, unsigned step) { return &cells[(thread * 2 + step % 2) * 16]; }
    void open(Gate &gate) {
        gate.waiting = 0, ++gate.opened;
        progress = true;
    }
};
inline Block *block;

void yield_now();
template <typename Ready>
void wait(Ready ready) {
    while (!ready()) yield_now();
    block->progress = true;
}
// Waits until `threads` threads have come to the gate.
void gather(Gate &gate, unsigned threads);

} // namespace host

struct uint4 {
    unsigned x, y, z, w;
};
struct int4 {
    int x, y, z, w;
};
struct float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int max(int a, int b) { return a > b ? a : b; }

inline host::Index threadIdx, blockIdx, gridDim, blockDim;

namespace host {

inline void take_place() {
    threadIdx = block->me().index;
    blockIdx.x = block->first + block->me().rank;
}
__attribute__((noinline)) inline void yield_now() {
    if (_setjmp(block->me().here) == 0) _longjmp(block->scheduler, 1);
    take_place();
}
inline void gather(Gate &gate, unsigned threads) {
    if (++gate.waiting == threads) return block->open(gate);
    block->me().before = gate.opened, block->me().gate = &gate;
    yield_now();
    block->me().gate = nullptr;
}
inline void enter() {
    take_place();
    block->kernel();
    block->me().done = true;
    block->progress = true;
    // Barriers no longer wait for threads that have ended.
    Gate &gate = block->blocks[block->me().rank];
    if (--block->running[block->me().rank] > 0 && gate.waiting == block->running[block->me().rank]) block->open(gate);
    _longjmp(block->scheduler, 1);
}
__attribute__((noinline)) inline void resume(Thread &thread) {
    if (_setjmp(block->scheduler) != 0) return;
    if (thread.started) _longjmp(thread.here, 1);
    thread.started = true;
    setcontext(&block->starts[block->current]);
}

__attribute__((noinline)) inline void prepare(ucontext_t &start, char *stack, size_t size) {
    getcontext(&start);
    start.uc_stack.ss_sp = stack;
    start.uc_stack.ss_size = size;
    start.uc_link = nullptr;
    makecontext(&start, enter, 0);
}

// Publishes a value of each lane of this thread's warp; pick(lane) reads them once all have done so.
template <typename V, typename Pick>
auto meet(unsigned mask, V value, Pick pick) {
    static_assert(sizeof(V) <= 16, "a cell");
    if (mask != full_warp) {
        fprintf(stderr, "cuda_on_host: only whole warps meet\n");
        abort();
    }
    const size_t first = block->current / 32 * 32;
    const unsigned step = block->me().warp_steps++;
    memcpy(block->cell(block->current, step), &value, sizeof value);
    gather(block->warps[first / 32], 32);
    return pick([&](unsigned lane) {
        V theirs;
        memcpy(&theirs, block->cell(first + lane, step), sizeof theirs);
        return theirs;
    });
}

// Performs an asynchronous copy at once, or as late as possible.
inline void stage(void *to, const void *from, int bytes, int valid) {
    static unsigned random = 1;
    random = random * 1664525u + 1013904223u;
    const Copy copy = {to, from, bytes, valid};
    if (reinterpret_cast<uintptr_t>(to) % bytes || (valid > 0 && reinterpret_cast<uintptr_t>(from) % bytes)) {
        fprintf(stderr, "cuda_on_host: a copy of %d bytes is not aligned\n", bytes);
        abort();
    }
    auto &groups = block->me().copies;
    if (groups.empty()) groups.emplace_back();
    // A thread's copies to the same address complete in the order in which they were started.
    const auto waits = [&](const Copy &earlier) { return earlier.to == to; };
    const auto has = [&](const auto &group) { return std::any_of(group.begin(), group.end(), waits); };
    if (random >> 31 && std::none_of(groups.begin(), groups.end(), has))
        copy.run();
    else
        groups.back().push_back(copy);
}
inline void copies_sent() {
    auto &groups = block->me().copies;
    if (groups.empty()) groups.emplace_back();
    groups.emplace_back();
}
inline void copies_done_but(size_t count) {
    auto &groups = block->me().copies;
    while (groups.size() > count + 1) {
        for (const Copy &copy : groups.front()) copy.run();
        groups.erase(groups.begin());
    }
}

// Filled with ones at the start of a block: NaN in every floating-point type.
inline std::vector<unsigned char> shared_memory;
// Each block has its share, at the same distance from the next block's in all clusters of this size.
inline size_t shared_share() { return shared_memory.size() / block->cluster / 16 * 16; }
inline unsigned char *dynamic_shared() { return shared_memory.data() + block->me().rank * shared_share(); }
// Number of bytes that the next launch may use (given.h); those after them must not be written.
inline size_t given_shared = ~size_t(0);

template <typename Kernel>
void launch(unsigned blocks, unsigned each, Kernel kernel, unsigned cluster = 1) {
    constexpr size_t stack = 64 * 1024;
    static std::vector<char> stacks; // kept between launches
    const unsigned threads = each * cluster;
    if (stacks.size() < threads * stack) stacks.resize(threads * stack);
    gridDim.x = blocks;
    blockDim.x = each;
    Block here;
    here.cluster = cluster;
    here.threads.resize(threads), here.starts.resize(threads);
    here.cells.resize(threads * 32);
    here.kernel = kernel;
    block = &here;
    for (unsigned b = 0; b < blocks; b += cluster) {
        here.first = b;
        here.warps.assign((threads + 31) / 32, {}), here.blocks.assign(cluster, {}), here.running.assign(cluster, each);
        here.all = {};
        memset(shared_memory.data(), 0xff, shared_memory.size());
        for (unsigned t = 0; t < threads; ++t) {
            Thread &thread = here.threads[t];
            thread.index = {t % each, 0, 0};
            thread.rank = t / each;
            thread.warp_steps = thread.part_steps = 0;
            thread.started = thread.done = false;
            thread.gate = nullptr;
            thread.copies.clear();
            prepare(here.starts[t], &stacks[t * stack], stack);
        }
        static unsigned random = 1;
        const size_t warps = (threads + 31) / 32;
        size_t held_back = 0;
        for (size_t left = threads; left > 0;) {
            left = 0;
            here.progress = false;
            random = random * 1664525u + 1013904223u;
            if (held_back == warps && (random >> 20) % 8 == 0) held_back = (random >> 23) % warps;
            const size_t first = (random >> 8) % threads;
            const bool backwards = random >> 31;
            for (size_t t = 0; t < threads; ++t) {
                here.current = (first + (backwards ? threads - t : t)) % threads;
                if (here.me().done) continue;
                if (here.current / 32 == held_back || here.me().waits()) {
                    ++left;
                    continue;
                }
                resume(here.me());
                left += !here.me().done;
            }
            if (here.progress || left == 0) continue;
            if (held_back == warps) {
                fprintf(stderr, "cuda_on_host: %zu threads of block %u wait for ever\n", left, b);
                abort();
            }
            held_back = warps;
        }
        for (size_t at = given_shared; at < shared_memory.size(); ++at)
            if (shared_memory[at] != 0xff) {
                fprintf(stderr, "cuda_on_host: byte %zu was written of %zu of shared memory\n", at, given_shared);
                abort();
            }
    }
    given_shared = ~size_t(0);
}

} // namespace host

inline void __syncthreads() {
    const unsigned rank = host::block->me().rank;
    host::gather(host::block->blocks[rank], host::block->running[rank]);
}
inline int __syncthreads_and(int value) {
    static int votes[1024];
    votes[threadIdx.x] = value != 0;
    __syncthreads();
    int all = 1;
    for (unsigned t = 0; t < blockDim.x; ++t) all &= votes[t];
    __syncthreads();
    return all;
}
inline int __syncthreads_or(int value) { return !__syncthreads_and(!value); }
inline void __threadfence() {}
template <typename V>
V atomicAdd(V *p, V x) {
    const V old = *p;
    *p += x;
    return old;
}
inline unsigned atomicOr(unsigned *p, unsigned x) {
    const unsigned old = *p;
    *p |= x;
    return old;
}
inline int atomicMin(int *p, int x) {
    const int old = *p;
    if (x < old) *p = x;
    return old;
}
inline double __ldcg(const double *p) { return *p; }
inline void __syncwarp(unsigned mask = host::full_warp) {
    if (mask == host::full_warp) {
        host::meet(mask, 0, [](auto) { return 0; });
        return;
    }
    const size_t first = host::block->current / 32 * 32;
    const unsigned step = ++host::block->me().part_steps;
    host::wait([&] {
        for (size_t lane = 0; lane < 32; ++lane)
            if (mask >> lane & 1 && host::block->threads[first + lane].part_steps < step) return false;
        return true;
    });
}
template <typename V>
V __shfl_sync(unsigned mask, V value, int lane, int width = 32) {
    const unsigned from = (threadIdx.x % 32 & ~(width - 1u)) | (lane & (width - 1u));
    return host::meet(mask, value, [&](auto of) { return of(from); });
}
template <typename V>
V __shfl_up_sync(unsigned mask, V value, int by) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    return host::meet(mask, value, [&](auto of) { return of(lane < by ? lane : lane - by); });
}
template <typename V>
V __shfl_xor_sync(unsigned mask, V value, int bits) {
    return host::meet(mask, value, [&](auto of) { return of((threadIdx.x % 32) ^ bits); });
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    return host::meet(mask, value, [](auto of) {
        unsigned most = 0;
        for (unsigned l = 0; l < 32; ++l) most = of(l) > most ? of(l) : most;
        return most;
    });
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value) { return ~__reduce_max_sync(mask, ~value); }
inline unsigned __ballot_sync(unsigned mask, bool value) {
    return host::meet(mask, value, [](auto of) {
        unsigned bits = 0;
        for (unsigned l = 0; l < 32; ++l) bits |= of(l) ? 1u << l : 0;
        return bits;
    });
}
inline bool __any_sync(unsigned mask, bool value) { return __ballot_sync(mask, value) != 0; }
inline bool __all_sync(unsigned mask, bool value) { return __ballot_sync(mask, !value) == 0; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
inline int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
namespace host {
template <typename To, typename From>
To bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "as many");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace host
inline unsigned __float_as_uint(float x) { return host::bits<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return host::bits<float>(x); }
inline float __int_as_float(int x) { return host::bits<float>(x); }
inline double __longlong_as_double(long long x) { return host::bits<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(host::bits<uint64_t>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(host::bits<uint64_t>(x)); }
inline double __hiloint2double(int high, int low) {
    return host::bits<double>(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | static_cast<uint32_t>(low));
}

#include "arch_on_host.h"
