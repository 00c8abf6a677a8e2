// Shared memory as plans grant it: what a kernel's description asks for a launch with these sizes
// (src/gpu/plan/by_size.rs). Include it after the kernels' headers.
#pragma once
#include "common/instance.cuh"
#include "cuda_on_host.h"
#include <initializer_list>
#include <map>

namespace host {

inline std::map<const void *, tephra::Instance> &described() {
    static std::map<const void *, tephra::Instance> all;
    return all;
}
struct Description {
    Description(const void *kernel, const tephra::Instance &about) { described().emplace(kernel, about); }
};

template <typename Kernel>
const tephra::Instance &about(Kernel *kernel) {
    return described().at(reinterpret_cast<const void *>(kernel));
}

// Sets the limit for the next launch.
template <typename Kernel>
void give(Kernel *kernel, std::initializer_list<long long> sizes) {
    using tephra::Room;
    const tephra::Instance &i = about(kernel);
    long long n[Room::SIZES] = {}, bytes = i.shared;
    int at = 0;
    for (const long long size : sizes) {
        const tephra::Count &count = i.room.sizes[at];
        const long long more = size > count.beyond ? (size - count.beyond + count.step - 1) / count.step : 0;
        n[at++] = count.most > 0 && more > count.most ? count.most : more;
    }
    for (int a = 0, p = 0; a < Room::SIZES; ++a) {
        bytes += i.room.each[a] * n[a];
        for (int b = a; b < Room::SIZES; ++b, ++p) bytes += i.room.products[p] * n[a] * n[b];
    }
    given_shared = static_cast<size_t>(bytes);
}

} // namespace host

#undef TEPHRA_ENTRY
#define TEPHRA_ENTRY(NAME, ABOUT, BOUNDS, ARGS, ...)                                                                   \
    namespace tephra {                                                                                                 \
    extern "C" __global__ void BOUNDS NAME(const __grid_constant__ ARGS args) { __VA_ARGS__(args); }                   \
    static const host::Description NAME##_described(reinterpret_cast<const void *>(&NAME), ABOUT);                     \
    }
