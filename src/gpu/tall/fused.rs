//! Chooses the kernel for an update by a panel in one launch (`kernels/geqrf/update.cuh`).

use crate::gpu::plan::table::{Instance, UPDATE, UPDATE_TF32};
use crate::gpu::plan::{Limits, ceil_div};
use crate::routine::Dtype;

/// The update kernel for panels of `rows` rows, among those that the device runs. A kernel that reads the rows once
/// comes first, then the widest, then the one with the least padding, then one for clusters. `narrow` is the number
/// of columns if there are few; for small batches these are divided among as many blocks as can run concurrently. If
/// TF32 is allowed, a TF32 kernel that reads the rows once takes precedence.
pub(crate) fn blocking(dtype: Dtype, rows: i64, narrow: Option<i64>, limits: Limits) -> Option<&'static Instance> {
    let runs = |u: &&Instance| {
        let cluster = u.cluster == 1 || limits.holds_cluster(u.cluster) && i64::from(u.rows) >= rows;
        u.dtype == dtype && limits.runs(u.shared) && cluster
    };
    if limits.math.allows_tf32() {
        let once = UPDATE_TF32.iter().filter(runs).filter(|u| i64::from(u.rows) >= rows);
        if let Some(tightest) = once.min_by_key(|u| u.rows) {
            return Some(tightest);
        }
    }
    let most = narrow.filter(|_| limits.cluster_per_matrix() && rows > limits.measured().geqrf.spread);
    // Clusters of up to eight blocks are worth waiting for; larger ones must be able to run at once.
    let there = |u: &Instance, n: i64| {
        let clusters = ceil_div(n, u.columns.into()) * i64::from(u.cluster) / 8;
        u.cluster <= 8 || clusters <= limits.share.into()
    };
    UPDATE.iter().filter(runs).max_by_key(|u| {
        let (fits, size) = (i64::from(u.rows) >= rows, i64::from(u.rows));
        let blocks = if most.is_some_and(|n| fits && there(u, n)) { u.cluster } else { 0 };
        (fits, u.reflectors, blocks, if fits { -size } else { size }, u.cluster)
    })
}

/// Whether some kernel's cluster holds all rows of an update's V.
pub(crate) fn in_cluster(dtype: Dtype, rows: i64, limits: Limits) -> bool {
    blocking(dtype, rows, None, limits).is_some_and(|u| i64::from(u.rows) >= rows)
}
