//! Chooses the kernel that factors a panel in a cluster, whose blocks share the matrix's rows, and decides whether a
//! cluster is used at all, by the estimated time of a batch's clusters.

use crate::gpu::arch::Clusters;
use crate::gpu::plan::table::{Instance, RESIDENT};
use crate::gpu::plan::{Limits, ceil_div};
use crate::gpu::tall::{fused, tree as tall_panel};
use crate::routine::Dtype;

/// The kernel for an m x n panel, if it is faster than a tree and than one block per matrix.
pub fn cluster(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<&'static Instance> {
    const ROWS: i64 = 2048; // of a block's registers
    let (instance, time) = best(dtype, m, n, limits)?;
    if m <= ROWS {
        let (rows, columns) = limits.measured().clusters.overtakes[dtype];
        return (limits.cluster_per_matrix() && m > rows && n > columns).then_some(instance);
    }
    let (tree, columns) = tall_panel::times(dtype, m, n, matrices(limits), limits);
    (time < tree.min(columns)).then_some(instance)
}

/// The fastest instance that accepts the shape, and its time for the batch in microseconds.
fn best(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<(&'static Instance, f64)> {
    RESIDENT
        .iter()
        .filter(|r| r.cluster > 1 && r.dtype == dtype && r.takes(m, n) && r.permitted() && r.runs(limits))
        .map(|r| (r, time(r, m, n, limits)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The number of matrices for which a batch is planned.
fn matrices(limits: Limits) -> i64 {
    if limits.cluster_per_matrix() {
        limits.clusters_at_once(8) / i64::from(limits.share)
    } else {
        limits.class.batch()
    }
}

/// Waves of clusters for a batch. Two blocks of few warps share a multiprocessor.
fn waves(instance: &Instance, limits: Limits) -> i64 {
    let share = if instance.warps <= 4 && instance.shared <= limits.shared_by(2) { 2 } else { 1 };
    ceil_div(matrices(limits), limits.clusters_at_once(instance.cluster) * share)
}

/// Microseconds for a batch's clusters.
fn time(instance: &Instance, m: i64, n: i64, limits: Limits) -> f64 {
    // The first steps have the most columns; a narrower panel omits the last steps.
    let left = 1.0 - (ceil_div(n, 8) * 8) as f64 / f64::from(instance.columns);
    let part = 1.0 - left * left;
    let bytes = (matrices(limits) * m * n * 2 * instance.dtype.bytes() as i64) as f64;
    let of = &limits.measured().clusters;
    of.call + waves(instance, limits) as f64 * of_one(instance, of) * part + bytes / of.traffic
}

/// The time of one cluster for all of the instance's columns.
fn of_one(instance: &Instance, measured: &Clusters) -> f64 {
    let name = instance.name().strip_prefix("geqrf_").unwrap_or_default();
    let slow = measured.untimed * f64::from(instance.columns);
    measured.times.iter().find(|(of, _)| *of == name).map_or(slow, |(_, time)| *time)
}

/// Whether it is faster to factor a panel in two halves, each by clusters, than by a tree or as a whole by clusters.
pub fn halves_pay(dtype: Dtype, m: i64, n: i64, limits: Limits) -> bool {
    let half = (n + 1) / 2;
    cluster(dtype, m, half, limits).and_then(|_| best(dtype, m, half, limits)).is_some_and(|(r, of_half)| {
        let (tree, _) = tall_panel::times(dtype, m, n, matrices(limits), limits);
        let whole = best(dtype, m, n, limits).map_or(tree, |(_, time)| time.min(tree));
        let of = &limits.measured().clusters;
        // The update is one launch of a cluster, or, with rows divided among blocks, four launches that read both
        // halves twice.
        let update = if fused::in_cluster(dtype, m, limits) {
            of.update * waves(r, limits) as f64
        } else {
            let bytes = (matrices(limits) * m * n * 5 / 2 * dtype.bytes() as i64) as f64;
            of.divided_update + bytes / (of.divided_traffic * of.traffic)
        };
        2.0 * of_half + update < whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::SM_90;

    #[test]
    fn every_kernel_has_a_time() {
        let clusters = || RESIDENT.iter().filter(|r| r.cluster > 1 && r.name().contains("cluster"));
        for r in clusters() {
            assert!(SM_90.clusters.times.iter().any(|(name, _)| r.name().ends_with(name)), "{}", r.name());
        }
        for (name, _) in SM_90.clusters.times {
            assert!(clusters().any(|r| r.name().strip_prefix("geqrf_") == Some(*name)), "{name}");
        }
    }

    #[test]
    fn more_matrices_get_fewer_blocks_each() {
        let blocks = |dtype, m, n, batch| {
            let limits = Limits::HOPPER.with_batch(m, n, batch);
            cluster(dtype, m, n, limits).map(|r| r.cluster)
        };
        let all = [1, 20, 100];
        assert_eq!(all.map(|batch| blocks(Dtype::S, 4096, 32, batch)), [8, 8, 2].map(Some));
        assert_eq!(all.map(|batch| blocks(Dtype::D, 4096, 32, batch)), [8, 8, 4].map(Some));
        assert_eq!(all.map(|batch| blocks(Dtype::S, 16_384, 16, batch)), [8, 5, 5].map(Some));
        assert_eq!(all.map(|batch| blocks(Dtype::D, 16_384, 16, batch)), [16, 8, 8].map(Some));
    }
}
