//! Tall panels from their Gram matrix A^H A = R^H R (kernels/cholqr/): Q = A R^-1, and V from Q by Householder
//! reconstruction. The Gram matrix and what follows from it are in double precision, so in single precision two
//! passes over A suffice. They suffice in double precision, too, if the columns are nearly orthogonal; otherwise R
//! is computed again from Q's Gram matrix, in a third pass. The Cholesky factor shows on the device whether a
//! panel's columns are too nearly dependent for this method. Such members are left to the tree, whose launches
//! follow ([`crate::gpu::tall::tree`]) and do nothing for the others.

use crate::gpu::plan::table::{
    CHOLQR_AGAIN, CHOLQR_ROWS, CHOLQR_SUMS, CHOLQR_WIDE_FINISH, CHOLQR_WIDE_ROWS, ITERATIVE_GRAM, ITERATIVE_SUM,
    Instance,
};
use crate::gpu::plan::{Launch, Limits, allowed, batch_invariant, ceil_div};
use crate::gpu::tall::Task;
use crate::routine::Dtype;

/// This method's name in lists of allowed plans.
pub const NAME: &str = "gram";

/// The kernels for a panel.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// Sums of A's Gram matrix.
    pub sums: &'static Instance,
    /// Sums of Q's Gram matrix.
    pub again: Option<&'static Instance>,
    /// Computes V or Q.
    pub rows: &'static Instance,
}

impl Kernels {
    /// The kernels for n columns. `None` if the device has none, or is slow in double precision.
    pub fn of(dtype: Dtype, n: i64, limits: Limits) -> Option<Kernels> {
        if !limits.fast_in_double() || !allowed(NAME) {
            return None;
        }
        let fits = |i: &&'static Instance| i.dtype == dtype && i64::from(i.columns) >= n && limits.runs(i.shared);
        let rows = CHOLQR_ROWS.iter().filter(fits).min_by_key(|i| i.columns)?;
        let beside = |family: &'static [Instance]| family.iter().filter(fits).find(|i| i.columns == rows.columns);
        let again = match dtype {
            Dtype::S | Dtype::C => None,
            Dtype::D | Dtype::Z => Some(beside(CHOLQR_AGAIN)?),
        };
        Some(Kernels { sums: beside(CHOLQR_SUMS)?, again, rows })
    }

    /// The kernels that sum Gram matrices.
    pub fn all(&self) -> impl Iterator<Item = &'static Instance> {
        [Some(self.sums), self.again].into_iter().flatten()
    }

    /// Numbers in a member's sums, at most, for a panel of m rows or fewer.
    pub fn most_sums(&self, m: i64, limits: Limits) -> i64 {
        let parts = self.all().map(|kernel| RowParts::most(RowParts::at_once(kernel, limits), m, limits));
        let of = |parts| (parts + ceil_div(parts, RowParts::group_of(parts))) * i64::from(self.sums.rows);
        parts.map(of).max().unwrap_or(0)
    }
}

/// The kernels for an outer panel as a whole.
#[derive(Clone, Copy, Debug)]
pub struct OuterPanelKernels {
    /// The Gram matrix: sums of chunks.
    pub gram: &'static Instance,
    /// Sums over chunks.
    pub sum: &'static Instance,
    /// R, and what else follows from the Gram matrix.
    pub finish: &'static Instance,
    /// V, or in the first pass Q.
    pub rows: &'static Instance,
}

impl OuterPanelKernels {
    /// If `first`, a panel factored by a tree, begins an outer panel whose launches in `after` can all be skipped on
    /// the device: that outer panel's columns and kernels. `None` if its panels are factored one by one.
    pub fn of<'a>(
        dtype: Dtype,
        first: &Launch,
        after: impl Iterator<Item = (&'a Launch, Task)>,
        batch: i64,
        limits: Limits,
    ) -> Option<(i64, OuterPanelKernels)> {
        let batch = if batch_invariant() { 1 } else { batch };
        if first.m.saturating_mul(batch) < limits.measured().gram.outer_rows {
            return None;
        }
        Kernels::of(dtype, first.n, limits)?;
        let mut after = after.peekable();
        let (update, _) = after.peek().filter(|(l, _)| l.k == first.n && l.offset == first.offset)?;
        let end = update.offset + update.n;
        let mut within = after.take_while(|(l, _)| l.offset + l.n <= end);
        if !within.all(|(_, task)| matches!(task, Task::Tree | Task::DividedUpdate)) {
            return None;
        }
        let n = end - first.offset;
        let find = |family: &'static [Instance]| {
            let fits = |i: &&Instance| i.dtype == dtype && i64::from(i.columns) >= n && limits.runs(i.shared);
            family.iter().filter(fits).min_by_key(|i| i.columns)
        };
        let double = if dtype.is_complex() { Dtype::Z } else { Dtype::D };
        let wide = OuterPanelKernels {
            gram: find(ITERATIVE_GRAM)?,
            sum: Instance::plain(ITERATIVE_SUM, double).ok()?,
            finish: find(CHOLQR_WIDE_FINISH)?,
            rows: find(CHOLQR_WIDE_ROWS)?,
        };
        (wide.finish.columns == wide.rows.columns).then_some((n, wide))
    }
}

/// How the rows of a panel are divided among blocks. Except for outer panels, this does not depend on the batch
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowParts {
    /// Rows of a part.
    pub chunk: i64,
    /// Number of parts.
    pub parts: i64,
    /// RowParts whose sums are added to each other before the total.
    pub group: i64,
}

impl RowParts {
    /// For m rows, and a kernel of which a multiprocessor holds `per_processor` blocks.
    pub fn of(kernel: &Instance, m: i64, limits: Limits) -> RowParts {
        RowParts::at_most(RowParts::at_once(kernel, limits), m, limits)
    }

    /// Number of this kernel's blocks that run at the same time.
    fn at_once(kernel: &Instance, limits: Limits) -> i64 {
        i64::from(limits.multiprocessors) * i64::from(kernel.per_processor)
    }

    /// For m rows of an outer panel, whose sums are large. All members together have no more parts than keep the
    /// device busy, unless results must not depend on the batch count.
    pub fn of_wide(kernel: &Instance, m: i64, batch: i64, limits: Limits) -> RowParts {
        let at_once = RowParts::at_once(kernel, limits);
        let rounds = limits.measured().gram.outer_rounds;
        let parts = if batch_invariant() { at_once } else { (rounds * at_once / batch.max(1)).min(at_once) };
        RowParts::at_most(parts, m, limits)
    }

    fn at_most(parts: i64, m: i64, limits: Limits) -> RowParts {
        const GRAIN: i64 = 256; // whole tiles of a block's warps
        let chunk = ceil_div(m, RowParts::most(parts, m, limits));
        let chunk = ceil_div(chunk, GRAIN) * GRAIN;
        let parts = ceil_div(m, chunk);
        RowParts { chunk, parts, group: RowParts::group_of(parts) }
    }

    /// The number of parts, at most `parts`, before parts are rounded up to whole tiles. It does not fall with m.
    fn most(parts: i64, m: i64, limits: Limits) -> i64 {
        const MOST: i64 = 29 * 29; // limited by a member's words
        ceil_div(m, limits.measured().gram.part_rows).min(parts).clamp(1, MOST)
    }

    /// Parts of a group.
    fn group_of(parts: i64) -> i64 {
        (1..).find(|group| group * group >= parts).unwrap_or(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_all_rows_and_groups_have_words() {
        for kernel in CHOLQR_SUMS.iter().chain(CHOLQR_AGAIN) {
            for m in [2049, 2500, 4096, 16_384, 100_001, 1 << 20, 1 << 22, i64::from(i32::MAX)] {
                let RowParts { chunk, parts, group } = RowParts::of(kernel, m, Limits::HOPPER);
                assert!(chunk * parts >= m && chunk * (parts - 1) < m && chunk % 256 == 0, "{m}: {chunk} x {parts}");
                assert!(ceil_div(parts, group) <= 29 && group <= 29, "{m}: {parts} parts");
            }
        }
    }

    #[test]
    fn fewer_rows_need_no_more_memory() {
        for dtype in Dtype::ALL {
            let kernels = Kernels::of(dtype, 32, Limits::HOPPER).unwrap();
            let sums = |m| kernels.most_sums(m, Limits::HOPPER);
            for m in (2049..3_000_000).step_by(9_973) {
                assert!(sums(m - 32) <= sums(m), "{dtype:?} {m}");
                for kernel in kernels.all() {
                    let RowParts { parts, group, .. } = RowParts::of(kernel, m, Limits::HOPPER);
                    let used = (parts + ceil_div(parts, group)) * i64::from(kernels.sums.rows);
                    assert!(used <= sums(m), "{dtype:?} {m}");
                }
            }
        }
    }

    #[test]
    fn every_type_has_kernels_up_to_the_widest_panel() {
        for dtype in Dtype::ALL {
            for n in [1, 16, 17, 32] {
                assert!(Kernels::of(dtype, n, Limits::HOPPER).is_some(), "{dtype:?} {n}");
            }
            assert!(Kernels::of(dtype, 33, Limits::HOPPER).is_none());
            assert!(Kernels::of(dtype, 32, Limits { arch: 89, ..Limits::HOPPER }).is_none());
        }
    }
}
