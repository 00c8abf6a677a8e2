//! LU factorisations of few large matrices.
//!
//! The algorithm is right-looking, with three levels of blocking: outer panels, groups within them (their widths are
//! in [`LargeLu`]), and panels as wide as a cluster's registers hold (`kernels/getrf/cluster_panel.cuh`). A panel is
//! applied up to the end of its group, a group up to the end of its outer panel, and an outer panel up to the end of
//! the matrix: first to the columns of the next outer panel, which is then factored on a second stream while the
//! caller's stream goes on with the rest. Products are cuBLAS's if it is available ([`Blas`]). Source: LAPACK getrf;
//! look-ahead as in HPL.

use crate::error::Error;
use crate::gpu::arch::LargeLu;
use crate::gpu::args::offset_by;
use crate::gpu::driver::blas::{Blas, WORKSPACE, workspaces};
use crate::gpu::driver::pool::Scratch;
use crate::gpu::driver::second::SecondQueue;
use crate::gpu::getrf::steps::{Factorisation, LaswpArgs};
use crate::gpu::getrf::{Task, WIDE, resident_launch, runs, tightest};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{GETRF_CLUSTER_PANEL, GETRF_PANEL, GETRF_TALL_STEP, GETRF_UPDATE, Instance, LASWP};
use crate::gpu::plan::walk::launch_kernel;
use crate::gpu::plan::{Launch, Limits};
use crate::routine::{Alpha, Diag, Dtype, Gemm, Getrf, Operand, Side, Trans, Trsm, Uplo};
use std::ffi::c_void;

/// Whether a problem is factored this way unless plans are restricted. It must be strided, because the host cannot
/// read an array of pointers.
pub(crate) fn is_large(p: &Getrf, limits: Limits) -> bool {
    let of = &limits.measured().getrf.large;
    p.m.min(p.n) >= of.from && p.batch <= of.most && p.sizes.is_none() && matches!(p.a, Operand::Strided { .. })
}

/// The panel kernel for this many rows, and the panel's width: [`widest_panel`], or else the kernel that works in global
/// memory, step by step.
pub(super) fn tall_panel(
    dtype: Dtype,
    rows: i64,
    columns: i64,
    limits: Limits,
) -> Result<(&'static Instance, i64), Error> {
    widest_panel([GETRF_PANEL, GETRF_CLUSTER_PANEL], dtype, rows, columns, limits).map_or_else(
        || {
            let step = Instance::plain(GETRF_TALL_STEP, dtype)?;
            Ok((step, columns.min(step.columns.into())))
        },
        Ok,
    )
}

/// The kernel for the widest panels with this many rows, and the panel's width: one block if it holds them in wide
/// panels, or else the smallest cluster that does.
pub(super) fn widest_panel(
    [blocks, clusters]: [&'static [Instance]; 2],
    dtype: Dtype,
    rows: i64,
    columns: i64,
    limits: Limits,
) -> Option<(&'static Instance, i64)> {
    let of_block = |i: &&Instance| runs(i, rows, i.columns.into(), limits);
    let of_cluster = |i: &&Instance| limits.runs(i.shared) && limits.holds_cluster(i.cluster);
    let holding = |i: &&Instance| i.dtype == dtype && i64::from(i.rows) >= rows;
    let blocks = || blocks.iter().filter(holding).filter(of_block);
    let clusters = || clusters.iter().filter(holding).filter(of_cluster);
    let widest = blocks().chain(clusters()).map(|i| i64::from(i.columns)).max();
    let width = widest?.min(WIDE).min(columns);
    let cluster = || clusters().filter(|i| i64::from(i.columns) >= width).min_by_key(|i| (i.rows, i.columns));
    tightest(blocks(), dtype, rows, width, limits).or_else(cluster).map(|i| (i, width))
}

/// The factorisation of one call.
struct Large<'a> {
    lu: Factorisation<'a>,
    limits: Limits,
    /// Columns of an outer panel.
    outer: i64,
    /// Columns of a group.
    group: i64,
    /// Memory for [`Factorisation::panel`]. All panels share it, because each begins after the one before it.
    offers: *mut c_void,
}

/// Runs the factorisation.
pub(crate) fn walk(p: &Getrf, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let LargeLu { outer, wider, group, .. } = limits.measured().getrf.large;
    let second = if p.n > 2 * outer { SecondQueue::beside(queue) } else { None };
    let room = workspaces(1 + usize::from(second.is_some()));
    let (tallest, width) = tall_panel(p.dtype, p.m, p.m.min(p.n), limits)?;
    let offers = Factorisation(p).offer_bytes(&Launch::on(tallest, p.m, width, 0));
    let scratch = Scratch::take(room + offers, queue)?;
    let work = |i: usize| if room == 0 { std::ptr::null_mut() } else { scratch.p.wrapping_byte_add(i * WORKSPACE) };
    let main = Blas::new(queue, work(0));
    let beside = second.as_ref().map(|second| Blas::new(second.queue(), work(1)));
    let outer = if p.m.min(p.n) > wider.0 { wider.1 } else { outer };
    let offers = scratch.p.wrapping_byte_add(room);
    let done =
        Large { lu: Factorisation(p), limits, outer, group, offers }.run(&main, second.as_ref().zip(beside.as_ref()));
    drop(second); // after an error, this makes the caller's stream wait
    scratch.give_back(done)
}

impl Large<'_> {
    fn run(&self, main: &Blas<'_>, beside: Option<(&SecondQueue<'_>, &Blas<'_>)>) -> Result<(), Error> {
        let (n, steps, outer) = (self.lu.n, self.lu.m.min(self.lu.n), self.outer);
        self.groups(0, outer.min(steps)).try_for_each(|group| self.group(group, 0, outer.min(steps), main))?;
        for first in (0..steps).step_by(outer as usize) {
            let end = steps.min(first + outer);
            // There is no panel in the columns after the last step.
            let next = if end == steps { end } else { steps.min(end + outer) };
            self.follow((first, end), (end, next), main)?;
            let ahead = match beside {
                Some((second, blas)) if next > end && n > next => {
                    second.fork()?;
                    blas
                }
                _ => main,
            };
            // The first group is launched before the products, which would otherwise occupy all multiprocessors
            // first.
            let mut groups = self.groups(end, next);
            groups.next().map_or(Ok(()), |group| self.group(group, end, next, ahead))?;
            self.exchange((first, end), first, next, main.queue())?;
            self.eliminate((first, end), (next, n), main)?;
            groups.try_for_each(|group| self.group(group, end, next, ahead))?;
            if let Some((second, _)) = beside {
                second.join()?;
            }
        }
        Ok(())
    }

    fn groups(&self, first: i64, end: i64) -> impl Iterator<Item = (i64, i64)> + use<> {
        let group = self.group;
        (first..end).step_by(group as usize).map(move |at| (at, end.min(at + group)))
    }

    /// Factors the columns of a group, and applies them to the rest of the outer panel first .. end.
    fn group(&self, (at, upto): (i64, i64), first: i64, end: i64, blas: &Blas<'_>) -> Result<(), Error> {
        let (dtype, m) = (self.lu.dtype, self.lu.m);
        let mut column = at;
        while column < upto {
            let (instance, width) = tall_panel(dtype, m - column, upto - column, self.limits)?;
            let launch = resident_launch(instance, m - column, width, column);
            // SAFETY: the operands are the caller's, and `offers` suffices for the tallest panel.
            unsafe { self.lu.panel(&launch, self.offers, blas.queue())? };
            self.beside((column, column + width), (at, upto), blas)?;
            column += width;
        }
        self.beside((at, upto), (first, end), blas)
    }

    /// Applies the columns at .. upto to columns first .. end: to those on their left, interchanges only.
    fn beside(&self, (at, upto): (i64, i64), (first, end): (i64, i64), blas: &Blas<'_>) -> Result<(), Error> {
        if first == at && end == upto {
            return Ok(());
        }
        let width = upto - at;
        let Some(update) = tightest(GETRF_UPDATE.iter(), self.lu.dtype, width, 1, self.limits) else {
            self.exchange_left((at, upto), first, blas.queue())?;
            return self.follow((at, upto), (upto, end), blas);
        };
        let launch = Launch::with(update, width, end - first, at, width).from_column(first);
        match self.lu.blocks(&launch, Task::Update) {
            0 => {} // no columns beside it, or none that need interchanges
            // SAFETY: the kernel takes GetrfArgs; the operands are the caller's.
            blocks => unsafe {
                launch_kernel(&launch, blocks, &mut self.lu.args(&launch, Task::Update), blas.queue())?
            },
        }
        self.multiply((at, upto), (upto, end), blas)
    }

    /// Applies the columns at .. upto to columns from .. to on their right.
    fn follow(&self, of: (i64, i64), (from, to): (i64, i64), blas: &Blas<'_>) -> Result<(), Error> {
        if from == to {
            return Ok(());
        }
        self.swap(of, (0, from, to), blas.queue())?;
        self.eliminate(of, (from, to), blas)
    }

    /// The same without the interchanges.
    fn eliminate(&self, (at, upto): (i64, i64), (from, to): (i64, i64), blas: &Blas<'_>) -> Result<(), Error> {
        if from == to {
            return Ok(());
        }
        let &Getrf { dtype, a, lda, batch, .. } = &*self.lu;
        let solve = Trsm {
            dtype,
            side: Side::Left,
            uplo: Uplo::Lower,
            trans: Trans::N,
            diag: Diag::Unit,
            m: upto - at,
            n: to - from,
            alpha: Alpha::host(1.0),
            a: offset_by(a, dtype, at * (lda + 1)),
            lda,
            b: offset_by(a, dtype, at + from * lda),
            ldb: lda,
            sizes: None,
            batch,
        };
        // SAFETY: the operands are the caller's.
        unsafe { blas.trsm(&solve)? };
        self.multiply((at, upto), (from, to), blas)
    }

    /// A22 := A22 - L21 U12, in columns from .. to.
    fn multiply(&self, (at, upto): (i64, i64), (from, to): (i64, i64), blas: &Blas<'_>) -> Result<(), Error> {
        let &Getrf { dtype, m, a, lda, batch, .. } = &*self.lu;
        if from == to || m == upto {
            return Ok(());
        }
        let (sizes, factors) = ([m - upto, to - from, upto - at], [-1.0, 1.0].map(Alpha::host));
        let product = Gemm {
            first: [upto + at * lda, at + from * lda, upto + from * lda],
            any_stride: true,
            ..Gemm::uniform(dtype, [Trans::N; 2], sizes, factors, [a; 3], [lda; 3], batch)
        };
        // SAFETY: the operands are the caller's.
        unsafe { blas.gemm(&product) }
    }

    /// Applies the interchanges of steps at .. upto to columns 0 .. left and from `from` on.
    fn exchange(&self, of: (i64, i64), left: i64, from: i64, queue: Queue<'_>) -> Result<(), Error> {
        self.swap(of, (left, from, self.lu.n), queue)
    }

    /// The same for columns first .. at.
    fn exchange_left(&self, (at, upto): (i64, i64), first: i64, queue: Queue<'_>) -> Result<(), Error> {
        self.swap((at, upto), (0, first, at), queue)
    }

    /// The same for columns 0 .. left and from .. to.
    fn swap(&self, (k1, k2): (i64, i64), (left, from, to): (i64, i64, i64), queue: Queue<'_>) -> Result<(), Error> {
        if !self.lu.pivoting {
            return Ok(());
        }
        let launch = Launch::with(Instance::plain(LASWP, self.lu.dtype)?, k2 - k1, left + to - from, k1, k2 - k1);
        let mut args = LaswpArgs::of_steps(&self.lu, (k1, k2), (left, from, to));
        match args.blocks(&launch) {
            0 => Ok(()),
            // SAFETY: the kernel takes LaswpArgs; the operands are the caller's.
            blocks => unsafe { launch_kernel(&launch, blocks, &mut args, queue) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panels hold their rows and are as wide as possible, and every cluster kernel is used for some height.
    #[test]
    fn panels_hold_their_rows() {
        for dtype in Dtype::ALL {
            let mut taken = vec![];
            for rows in [300, 1024, 1025, 2048, 2049, 4096, 5000, 8192, 8193, 16384, 16385, 32768] {
                let (instance, width) = tall_panel(dtype, rows, 64, Limits::HOPPER).unwrap();
                assert!(i64::from(instance.rows) >= rows && i64::from(instance.columns) >= width, "{dtype:?} {rows}");
                assert!(width >= if rows > 16384 { 4 } else { 8 }, "{dtype:?} {rows}: {width}");
                taken.push(instance.kernel);
            }
            let mut clusters = GETRF_CLUSTER_PANEL.iter().filter(|i| i.dtype == dtype);
            assert!(clusters.all(|i| taken.contains(&i.kernel)), "{dtype:?}");
            for (rows, limits) in [(40_000, Limits::HOPPER), (300, Limits::NONE)] {
                let (instance, width) = tall_panel(dtype, rows, 64, limits).unwrap();
                assert!(instance.is_of(GETRF_TALL_STEP) && width == 16, "{dtype:?} {rows}");
            }
        }
    }
}
