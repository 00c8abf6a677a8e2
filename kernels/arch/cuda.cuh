// NVIDIA GPUs from compute capability 8.0 on. All inline assembly of the kernels is here, and in mma.cuh and there.cuh.
#pragma once
#define TEPHRA_ARCH "CUDA"

// Instructions of compute capability 9.0. Below it no plan launches clusters, and no kernel uses bulk copies.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TEPHRA_SM90(...) __trap()
#define TEPHRA_CLUSTER(CL)
#else
#define TEPHRA_SM90(...) asm volatile(__VA_ARGS__)
#define TEPHRA_CLUSTER(CL) __cluster_dims__(CL, 1, 1)
#endif

// Declares a block's dynamic shared memory, under a name in the scope of the function.
#define TEPHRA_DYNAMIC_SHARED(NAME) extern __shared__ __align__(16) unsigned char NAME[]

namespace tephra {

// The same as a function. (nvcc may allocate registers differently for the two.)
__device__ __forceinline__ unsigned char *dynamic_shared() {
    TEPHRA_DYNAMIC_SHARED(raw);
    return raw;
}
__device__ __forceinline__ unsigned shared_address(const void *p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// ---- optimisation barriers

// These keep the values, but the compiler no longer knows anything about them.
__device__ __forceinline__ void forget(int &x) { asm volatile("" : "+r"(x)); }
__device__ __forceinline__ void forget(unsigned &x) { asm volatile("" : "+r"(x)); }
__device__ __forceinline__ void forget(long long &x) { asm volatile("" : "+l"(x)); }
__device__ __forceinline__ void forget(float &x) { asm volatile("" : "+f"(x)); }
__device__ __forceinline__ void forget(double &x) { asm volatile("" : "+d"(x)); }
template <typename T>
__device__ __forceinline__ void forget(T *&p) {
    asm volatile("" : "+l"(p));
}
template <typename T>
__device__ __forceinline__ void forget(T *&p, long long &ld) {
    asm volatile("" : "+l"(p), "+l"(ld));
}
template <typename T>
__device__ __forceinline__ void forget(T *&p, T *&q) {
    asm volatile("" : "+l"(p), "+l"(q));
}
// The compiler moves no memory access across this.
__device__ __forceinline__ void keep_order() { asm volatile("" ::: "memory"); }

// The same pointer. The compiler learns that it points to global memory, but not that it equals p; otherwise it would
// keep the addresses of the loads in registers until the stores.
template <typename T>
__device__ __forceinline__ T *global(T *p) {
    size_t q = __cvta_generic_to_global(p);
    asm volatile("" : "+l"(q));
    return static_cast<T *>(__cvta_global_to_generic(q));
}
// The same address in shared memory, kept in a register from here on. The assembler would otherwise recompute it at
// every use, but it cannot see through a shuffle. The register holds the address less 16, because accesses are merged
// into wider ones only at an offset from an unknown address. ALIGN: alignment in bytes.
template <int ALIGN, typename T>
__device__ __forceinline__ T *pinned(T *p) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p)) - 16;
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(at) : "r"(threadIdx.x % 32));
    void *const q = __builtin_assume_aligned(__cvta_shared_to_generic(at), ALIGN);
    return reinterpret_cast<T *>(static_cast<char *>(q) + 16);
}
// The same number, but neither the compiler nor the assembler knows that it is: it passes through a shuffle of a value
// that differs among lanes.
__device__ __forceinline__ long long again(long long x) {
    x += threadIdx.x;
    asm volatile("{ .reg .b32 lo, hi;\n"
                 "mov.b64 {lo, hi}, %0;\n"
                 "shfl.sync.idx.b32 lo, lo, %1, 31, 0xffffffff;\n"
                 "shfl.sync.idx.b32 hi, hi, %1, 31, 0xffffffff;\n"
                 "mov.b64 %0, {lo, hi}; }"
                 : "+l"(x)
                 : "r"(threadIdx.x % 32));
    return x - threadIdx.x;
}

// ---- numbers

// 1 / sqrt(x) and 1 / x by the hardware's estimates: 20 bits or more; subnormal numbers count as zero.
__device__ __forceinline__ double rsqrt_estimate(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
__device__ __forceinline__ float rsqrt_estimate(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ __forceinline__ double rcp_estimate(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
__device__ __forceinline__ float rcp_estimate(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
// The larger of the two, or NaN if either is NaN.
__device__ __forceinline__ float max_or_nan(float x, float y) {
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
    return x;
}
// yes ? a : b. With the plain expression, the compiler turns selections among registers into an array in local memory.
__device__ __forceinline__ float choose(bool yes, float a, float b) {
    float x;
    asm("{ .reg .pred p; setp.ne.s32 p, %3, 0; selp.f32 %0, %1, %2, p; }"
        : "=f"(x)
        : "f"(a), "f"(b), "r"(static_cast<int>(yes)));
    return x;
}
__device__ __forceinline__ double choose(bool yes, double a, double b) {
    double x;
    asm("{ .reg .pred p; setp.ne.s32 p, %3, 0; selp.f64 %0, %1, %2, p; }"
        : "=d"(x)
        : "d"(a), "d"(b), "r"(static_cast<int>(yes)));
    return x;
}

// ---- warps

// The value of lane `lane` in this lane's group of LANES adjacent lanes. The shuffle uses registers of the value's own
// type: through integers, as in the intrinsic, values that live across a loop would be copied in every iteration.
template <int LANES>
__device__ __forceinline__ float shfl_group(float a, int lane) {
    float x;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, 0xffffffff;"
                 : "=f"(x)
                 : "f"(a), "r"(lane), "n"((32 - LANES) << 8 | 31));
    return x;
}
template <int LANES>
__device__ __forceinline__ double shfl_group(double a, int lane) {
    double x;
    asm volatile("{ .reg .b32 lo, hi;\n\t"
                 "mov.b64 {lo, hi}, %1;\n\t"
                 "shfl.sync.idx.b32 lo, lo, %2, %3, 0xffffffff;\n\t"
                 "shfl.sync.idx.b32 hi, hi, %2, %3, 0xffffffff;\n\t"
                 "mov.b64 %0, {lo, hi}; }"
                 : "=d"(x)
                 : "d"(a), "r"(lane), "n"((32 - LANES) << 8 | 31));
    return x;
}
// Barrier number `number` (1 to 15) of the block, for THREADS of its threads, which are whole warps.
template <int THREADS>
__device__ __forceinline__ void named_barrier(int number) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(THREADS) : "memory");
}
// The slot of this warp on the multiprocessor.
__device__ __forceinline__ int warp_slot() {
    int slot;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    return slot;
}

// ---- loads, stores

// Starts to bring the line at this address into the L2 cache.
__device__ __forceinline__ void prefetch(const void *p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
// The same for `bytes` from `first` on, both multiples of 16. Only where bulk copies exist.
__device__ __forceinline__ void prefetch_bulk(unsigned long long first, unsigned bytes) {
    TEPHRA_SM90("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"(bytes));
}
// Sixteen bytes of shared memory, read now; the compiler cannot reuse an earlier load of them.
__device__ __forceinline__ uint4 read_now(const void *from) {
    uint4 w;
    asm volatile("ld.volatile.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
    return w;
}
// Stores sixteen bytes to shared memory if `yes`, without a branch, so that the code before and after can be
// interleaved.
__device__ __forceinline__ void store_if(bool yes, void *to, const float *x) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.shared.v4.f32 [%1], {%2, %3, %4, %5}; }" ::"r"(
                     static_cast<int>(yes)),
                 "r"(place), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3])
                 : "memory");
}
__device__ __forceinline__ void store_if(bool yes, void *to, const double *x) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.shared.v2.f64 [%1], {%2, %3}; }" ::"r"(static_cast<int>(yes)),
        "r"(place), "d"(x[0]), "d"(x[1])
        : "memory");
}
// The L2 cache policy for loads: normal, or evict-first if the data is only passing through.
__device__ __forceinline__ unsigned long long read_policy(bool passes) {
    unsigned long long stays, goes;
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(stays));
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(goes));
    return passes ? goes : stays;
}
// Loads BYTES (4, 8 or 16) of global memory under a cache policy if `there`; otherwise `r` keeps its value. One
// predicated load, so that no branch separates the loads of an iteration.
template <int BYTES>
__device__ __forceinline__ void load_if(unsigned (&r)[BYTES / 4], const void *from, bool there,
                                        unsigned long long policy) {
    const size_t at = __cvta_generic_to_global(from);
    if constexpr (BYTES == 4)
        asm volatile("{ .reg .pred q; setp.ne.s32 q, %2, 0; @q ld.global.L2::cache_hint.b32 %0, [%1], %3; }"
                     : "+r"(r[0])
                     : "l"(at), "r"(static_cast<int>(there)), "l"(policy));
    else if constexpr (BYTES == 8)
        asm volatile("{ .reg .pred q; setp.ne.s32 q, %3, 0; @q ld.global.L2::cache_hint.v2.b32 {%0, %1}, [%2], %4; }"
                     : "+r"(r[0]), "+r"(r[1])
                     : "l"(at), "r"(static_cast<int>(there)), "l"(policy));
    else
        asm volatile("{ .reg .pred q; setp.ne.s32 q, %5, 0;"
                     " @q ld.global.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], %6; }"
                     : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])
                     : "l"(at), "r"(static_cast<int>(there)), "l"(policy));
}

// ---- asynchronous copies from global to shared memory, without registers

// Copies BYTES (4, 8 or 16). Constants added to the shared address become part of the instruction.
template <int BYTES>
__device__ __forceinline__ void copy_async_at(unsigned shared, const void *global) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(global), "n"(BYTES) : "memory");
}
// Copies one element.
template <typename T>
__device__ __forceinline__ void copy_async(T *shared, const T *global) {
    copy_async_at<sizeof(T)>(shared_address(shared), global);
}
// Copies BYTES, or writes zeros if not `valid`.
template <int BYTES>
__device__ __forceinline__ void copy_async(void *to, const void *from, bool valid) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int bytes = valid ? BYTES : 0;
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from), "n"(BYTES), "r"(bytes)
                     : "memory");
}
// Copies the first `bytes` of 16, and fills the rest with zeros.
__device__ __forceinline__ void copy_async_part(void *to, const void *from, int bytes) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}
// Copies BYTES; 16 bypass the L1 cache.
template <int BYTES>
__device__ __forceinline__ void stage(void *to, const void *from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(BYTES) : "memory");
}
// If `wanted`, copies the first `valid` of BYTES, and fills the rest with zeros.
template <int BYTES>
__device__ __forceinline__ void stage(void *to, const void *from, int valid, bool wanted) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to)), yes = wanted;
    if constexpr (BYTES == 16)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0;\n"
                     "@p cp.async.cg.shared.global [%0], [%1], 16, %2; }" ::"r"(shared),
                     "l"(from), "r"(valid), "r"(yes)
                     : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n"
                     "@p cp.async.ca.shared.global [%0], [%1], %2, %3; }" ::"r"(shared),
                     "l"(from), "n"(BYTES), "r"(valid), "r"(yes)
                     : "memory");
}
// Waits until all copies of this thread have arrived.
__device__ __forceinline__ void copies_done() { asm volatile("cp.async.wait_all;" ::: "memory"); }
// `copies_sent` closes a group of the copies so far; `copies_done_but` waits for all but the newest N groups.
__device__ __forceinline__ void copies_sent() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void copies_done_but() {
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// ---- bulk copies (TMA)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool bulk_copies = false;
#else
constexpr bool bulk_copies = true;
#endif

// A barrier is a word in shared memory, here given by its address. A phase completes once `barrier_expect` has been
// called `arrivals` times and all the bytes so announced have arrived.
__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals) {
    TEPHRA_SM90("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
// Publishes the barriers that this thread initialised; others may use them after a barrier of the block or cluster.
__device__ __forceinline__ void barriers_initialised() {
    TEPHRA_SM90("fence.mbarrier_init.release.cluster;" :: : "memory");
}
__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes) {
    TEPHRA_SM90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
// Whether phase number `phase` (the first is 0) has completed; may wait for a limited time. Phase `phase` + 1 must not
// have completed yet.
__device__ __forceinline__ bool barrier_over(unsigned barrier, unsigned phase) {
    unsigned done = 0;
    TEPHRA_SM90("{\n.reg .pred p;\n"
                "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(barrier),
                "r"(phase & 1) : "memory");
    return done;
}
// Copies `bytes` from global to shared memory, counted by a barrier; both addresses and the size are multiples of 16.
__device__ __forceinline__ void bulk_load(void *to, const void *from, unsigned bytes, unsigned barrier) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    TEPHRA_SM90("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared),
                "l"(from), "r"(bytes), "r"(barrier) : "memory");
}
// Orders this thread's accesses to shared memory so far before the bulk copies that follow the block's next barrier.
__device__ __forceinline__ void before_bulk_copies() { TEPHRA_SM90("fence.proxy.async.shared::cta;" :: : "memory"); }
// Copies `bytes` from shared to global memory; both addresses and the size are multiples of 16. It reads what other
// threads wrote to shared memory only if they called `before_bulk_copies` and then a barrier.
__device__ __forceinline__ void bulk_store(void *to, const void *from, unsigned bytes) {
    TEPHRA_SM90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" ::"l"(
                    __cvta_generic_to_global(to)),
                "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))), "r"(bytes) : "memory");
}
// Waits until this thread's bulk stores have read shared memory.
__device__ __forceinline__ void bulk_stores_read() { TEPHRA_SM90("cp.async.bulk.wait_group.read 0;" :: : "memory"); }
// Waits until this thread can read its bulk stores in global memory.
__device__ __forceinline__ void bulk_stores_done() { TEPHRA_SM90("cp.async.bulk.wait_group 0;" :: : "memory"); }

// ---- clusters of blocks, which can access each other's shared memory

__device__ __forceinline__ unsigned cluster_rank() {
    unsigned rank = 0;
    TEPHRA_SM90("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void cluster_sync() {
    TEPHRA_SM90("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" :: : "memory");
}
// The corresponding address in the shared memory of block `rank` of the cluster.
__device__ __forceinline__ unsigned in_block(unsigned shared, unsigned rank) {
    unsigned there = 0;
    TEPHRA_SM90("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared), "r"(rank));
    return there;
}
// Store one or two numbers in another block's shared memory. A barrier there counts their bytes: whoever waits for it
// sees them.
__device__ __forceinline__ void store_there(unsigned to, float x, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(to), "f"(x),
                "r"(barrier) : "memory");
}
__device__ __forceinline__ void store_there(unsigned to, double x, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [%0], %1, [%2];" ::"r"(to), "d"(x),
                "r"(barrier) : "memory");
}
__device__ __forceinline__ void store_there(unsigned to, float x, float y, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(to),
                "f"(x), "f"(y), "r"(barrier) : "memory");
}
__device__ __forceinline__ void store_there(unsigned to, double x, double y, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3];" ::"r"(to),
                "d"(x), "d"(y), "r"(barrier) : "memory");
}
// As `barrier_over` for a barrier of this block, and stores by other blocks are visible afterwards.
__device__ __forceinline__ bool cluster_barrier_over(unsigned barrier, unsigned phase) {
    unsigned done = 0;
    TEPHRA_SM90("{\n.reg .pred p;\n"
                "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(barrier),
                "r"(phase & 1) : "memory");
    return done;
}

// ---- tensor instructions; all lanes of a warp take part, this one being lane 4 g + q

// acc[0..3] += A B, A 16 x 4 (a0: row g, a1: row g + 8), B 4 x 8; acc: row g (two columns), then row g + 8. The lane
// has column q of A, row q and column g of B, columns 2 q and 2 q + 1 of acc.
__device__ __forceinline__ void mma_f64(double (&acc)[4], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
                 : "d"(a0), "d"(a1), "d"(b));
#else
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(acc[0]), "+d"(acc[1])
                 : "d"(a0), "d"(b));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(acc[2]), "+d"(acc[3])
                 : "d"(a1), "d"(b));
#endif
}

// x rounded to TF32 (to nearest, ties away from zero): 8 bits of exponent, 10 of mantissa.
__device__ __forceinline__ float tf32(float x) {
    unsigned y;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return __uint_as_float(y);
}
// acc[0..3] += A B of values rounded to TF32. A is 16 x 8 (a0: row g, column q; a1: row g + 8; a2, a3: column q + 4), B
// is 8 x 8 (b0: row q, b1: row q + 4; column g); acc: row g (columns 2 q and 2 q + 1), then row g + 8.
__device__ __forceinline__ void mma_tf32(float (&acc)[4], float a0, float a1, float a2, float a3, float b0, float b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
        : "r"(__float_as_uint(a0)), "r"(__float_as_uint(a1)), "r"(__float_as_uint(a2)), "r"(__float_as_uint(a3)),
          "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

// x rounded to FP16 (to nearest, ties to even); values that are too large become infinite.
__device__ __forceinline__ unsigned short half_of(float x) {
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}
__device__ __forceinline__ float from_half(unsigned short h) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}
// x and y rounded to FP16, in one word with x in its low half.
__device__ __forceinline__ unsigned halves_of(float x, float y) {
    unsigned word;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(y), "f"(x));
    return word;
}
__device__ __forceinline__ void from_halves(unsigned word, float &x, float &y) {
    asm("{ .reg .b16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b; }" : "=f"(x), "=f"(y) : "r"(word));
}
// acc[0..3] += A B with FP32 sums. A is 16 x 16 (a0: row g, columns 2 q and 2 q + 1; a1: row g + 8; a2, a3: columns 8
// further), B is 16 x 8 (b0: rows 2 q and 2 q + 1; b1: 8 further; column g); acc: row g (columns 2 q and 2 q + 1), then
// row g + 8. FRESH: overwrites acc instead of adding to it.
template <bool FRESH>
__device__ __forceinline__ void mma_f16(float (&acc)[4], const uint4 &a, const unsigned (&b)[2]) {
    if constexpr (FRESH)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%10,%10,%10,%10};"
            : "=f"(acc[0]), "=f"(acc[1]), "=f"(acc[2]), "=f"(acc[3])
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]), "f"(0.0f));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]));
}

} // namespace tephra
#undef TEPHRA_SM90
