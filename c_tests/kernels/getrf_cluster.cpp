// Panels of LU by a cluster, run on the host: its blocks together, what they send each other in plain memory.
#include "assembly_on_host.h"

// The header's own keeps another name, and is never used.
#define ClusterOffers ClusterOffersOfTheDevice
#include "geqrf/cluster_box.cuh"
#include "getrf/cluster_offers.cuh"
#undef ClusterOffers

namespace tephra {

// Counts what has come of a step in place of bytes: elements and numbers of rows.
template <typename T, int NB, int CL>
struct ClusterOffers {
    alignas(16) T rows[2][CL][NB];
    unsigned ids[2][CL];
    long long missing[2];
    int steps[2]; // that are over

    void init() { missing[0] = missing[1] = steps[0] = steps[1] = 0; }
    void come(int k, long long count, bool expected = false) {
        // What comes first is not the end of a step.
        missing[k & 1] += expected ? count - 100000 : -count;
        if (missing[k & 1] == -100000) missing[k & 1] = 0, ++steps[k & 1];
    }
    void expect(int k) { come(k, CL * (NB - k + 1), true); }
    void send(int k, int to, int lane, const T *row, unsigned id) {
        const unsigned rank = cluster_rank(), half = k & 1;
        ClusterOffers &there = *reinterpret_cast<ClusterOffers *>(reinterpret_cast<unsigned char *>(this) +
                                                                  (to - static_cast<long long>(rank)) *
                                                                      static_cast<long long>(host::shared_share()));
        if (lane >= k && lane < NB) there.rows[half][rank][lane] = row[lane], there.come(k, 1);
        if (lane == 0) there.ids[half][rank] = id, there.come(k, 1);
    }
    void wait(int k) {
        host::wait([&] { return steps[k & 1] > k >> 1; });
    }
};

} // namespace tephra

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
