// Loads under a predicate, with a policy of the L2 cache.
#pragma once

namespace tephra {

// The L2 cache's policy for what a launch reads: as for all else, or what `passes` goes first.
__device__ __forceinline__ unsigned long long gemv_policy(bool passes) {
    unsigned long long stays, goes;
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(stays));
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(goes));
    return passes ? goes : stays;
}

// *p if it is there, else zero: one load under a predicate, so that no branch parts the loads of a turn.
template <typename V>
__device__ __forceinline__ void gemv_load(V &to, const V *p, bool there, unsigned long long policy) {
    static_assert(sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16, "what an instruction loads");
    unsigned r[sizeof(V) / 4] = {};
    const size_t at = __cvta_generic_to_global(p);
    if constexpr (sizeof(V) == 4)
        asm volatile("{ .reg .pred q; setp.ne.s32 q, %2, 0; @q ld.global.L2::cache_hint.b32 %0, [%1], %3; }"
                     : "+r"(r[0])
                     : "l"(at), "r"(static_cast<int>(there)), "l"(policy));
    else if constexpr (sizeof(V) == 8)
        asm volatile("{ .reg .pred q; setp.ne.s32 q, %3, 0; @q ld.global.L2::cache_hint.v2.b32 {%0, %1}, [%2], %4; }"
                     : "+r"(r[0]), "+r"(r[1])
                     : "l"(at), "r"(static_cast<int>(there)), "l"(policy));
    else
        asm volatile("{ .reg .pred q; setp.ne.s32 q, %5, 0;"
                     " @q ld.global.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], %6; }"
                     : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])
                     : "l"(at), "r"(static_cast<int>(there)), "l"(policy));
    memcpy(&to, r, sizeof(V));
}

} // namespace tephra
