// LU panels by a cluster, run on the host with the cluster's blocks in one memory.
#include "cuda_on_host.h"

#include "getrf/cluster_panel.cuh"
#include "given.h"
#include "lu_check.h"

TEPHRA_GETRF_CLUSTER_PANEL(panel_s, s, 2, 16, 4, 4)
TEPHRA_GETRF_CLUSTER_PANEL(panel_d, d, 1, 32, 2, 2)
TEPHRA_GETRF_CLUSTER_PANEL(panel_c, c, 4, 8, 2, 2)
TEPHRA_GETRF_CLUSTER_PANEL(panel_z, z, 1, 16, 4, 4)

namespace {

template <typename T, typename Kernel>
void panels(const char *name, Kernel kernel, int threads, int blocks,
            std::initializer_list<std::pair<int, int>> shapes) {
    for (auto [m, n] : shapes)
        for (bool search : {true, false})
            factor<T>(name, m, n, members, search, [&](const GetrfArgs &args) {
                host::launch(members * blocks, threads, [&] { kernel(args); }, blocks);
            });
}

} // namespace

int main() {
    host::shared_memory.resize(4 * 32 * 1024);
    panels<float>("cluster_panel_s", panel_s, 128, 4, {{1024, 16}, {600, 16}, {140, 5}, {16, 16}});
    panels<double>("cluster_panel_d", panel_d, 64, 2, {{128, 32}, {100, 20}, {33, 1}, {20, 32}});
    panels<Complex<float>>("cluster_panel_c", panel_c, 64, 2, {{512, 8}, {130, 8}});
    panels<Complex<double>>("cluster_panel_z", panel_z, 128, 4, {{512, 16}, {300, 13}});
    printf(failures ? "%d checks failed\n" : "panels of LU by clusters on the host: ok\n", failures);
    return failures != 0;
}
