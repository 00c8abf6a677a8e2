//! Cholesky factorisations of few large matrices.
//!
//! The algorithm is right-looking, in outer panels. An outer panel is factored by diagonal blocks: one launch for
//! each block and the part below it (`kernels/potrf/panel.cuh`), then the products that update the rest of the outer
//! panel. An outer panel updates the columns of the next one first; that is then factored on a second stream while
//! the caller's stream updates the rest. Products are cuBLAS's if it is available ([`Blas`]). Source: LAPACK potrf;
//! look-ahead as in HPL.

use crate::error::Error;
use crate::gpu::arch::LargeCholesky;
use crate::gpu::args::offset_by;
use crate::gpu::driver::blas::{Blas, WORKSPACE, workspaces};
use crate::gpu::driver::pool::Scratch;
use crate::gpu::driver::second::SecondQueue;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{Instance, POTRF_PANEL};
use crate::gpu::plan::walk::launch_kernel;
use crate::gpu::plan::{Launch, Limits, ceil_div};
use crate::gpu::potrf::resident_in;
use crate::gpu::potrf::steps::CholeskyArgs;
use crate::routine::{Alpha, Dtype, Gemm, Operand, Potrf, Syrk, Trans, Uplo};
use std::ffi::c_void;

/// Declared in `kernels/potrf/panel.cuh`.
#[repr(C)]
struct CholeskyPanelArgs {
    all: CholeskyArgs,
    arrived: *mut c_void,
    below: i32,
    rest: i32,
}

/// Whether a problem is factored this way unless plans are restricted. It must be strided, because the host cannot
/// read an array of pointers.
pub(crate) fn is_large(p: &Potrf, limits: Limits) -> bool {
    let of = &limits.measured().potrf.large;
    p.n >= of.from && p.batch <= of.most && p.sizes.is_none() && matches!(p.a, Operand::Strided { .. })
}

/// The panel kernel, if the device runs it.
pub(crate) fn panel(dtype: Dtype, limits: Limits) -> Option<&'static Instance> {
    let instance = POTRF_PANEL.iter().find(|i| i.dtype == dtype)?;
    limits.runs(instance.shared_for(&[instance.rows.into()])).then_some(instance)
}

/// The finished columns `first` .. `first + terms`, by which others are updated.
#[derive(Clone, Copy)]
struct FinishedColumns {
    first: i64,
    terms: i64,
}

/// The factorisation of one call.
struct Large<'a> {
    p: &'a Potrf,
    limits: Limits,
    kernel: &'static Instance,
    arrived: *mut c_void,
}

/// Runs the factorisation.
pub(crate) fn walk(p: &Potrf, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let kernel = panel(p.dtype, limits).ok_or_else(|| Error::Internal("no kernel factors panels".into()))?;
    let second = if p.n > 2 * limits.measured().potrf.large.outer { SecondQueue::beside(queue) } else { None };
    let room = workspaces(1 + usize::from(second.is_some()));
    let counters = p.batch as usize * size_of::<u32>();
    let scratch = Scratch::take(room + counters, queue)?;
    let arrived = scratch.p.wrapping_byte_add(room);
    let done = (|| {
        // SAFETY: the scratch memory has room for the counters.
        unsafe { queue.memset(arrived, 0, counters)? };
        let work = |i: usize| if room == 0 { std::ptr::null_mut() } else { scratch.p.wrapping_byte_add(i * WORKSPACE) };
        let main = Blas::new(queue, work(0));
        let beside = second.as_ref().map(|second| Blas::new(second.queue(), work(1)));
        Large { p, limits, kernel, arrived }.run(&main, second.as_ref().zip(beside.as_ref()))
    })();
    drop(second); // after an error, this makes the caller's stream wait
    scratch.give_back(done)
}

impl Large<'_> {
    fn run(&self, main: &Blas<'_>, beside: Option<(&SecondQueue<'_>, &Blas<'_>)>) -> Result<(), Error> {
        let (n, outer) = (self.p.n, self.limits.measured().potrf.large.outer);
        self.blocks(0, outer.min(n)).try_for_each(|at| self.block(at, outer.min(n), main))?;
        for first in (0..n).step_by(outer as usize) {
            let (end, next) = (n.min(first + outer), n.min(first + 2 * outer));
            if end == n {
                break;
            }
            let done = FinishedColumns { first, terms: end - first };
            self.update(done, end, next, main)?;
            let ahead = match beside {
                Some((second, blas)) if next < n => {
                    second.fork()?;
                    blas
                }
                _ => main,
            };
            // The first block is launched before the products, which would otherwise occupy all multiprocessors
            // first.
            let mut blocks = self.blocks(end, next);
            blocks.next().map_or(Ok(()), |at| self.block(at, next, ahead))?;
            if next < n {
                self.triangle(done, next, n - next, main)?;
            }
            blocks.try_for_each(|at| self.block(at, next, ahead))?;
            if let Some((second, _)) = beside {
                second.join()?;
            }
        }
        Ok(())
    }

    fn blocks(&self, first: i64, end: i64) -> impl Iterator<Item = i64> + use<> {
        (first..end).step_by(self.kernel.rows as usize)
    }

    /// Factors the diagonal block at `at` and the part below it, and updates the columns up to `end`.
    fn block(&self, at: i64, end: i64, blas: &Blas<'_>) -> Result<(), Error> {
        let &Potrf { dtype, uplo, n, a, lda, info, batch, .. } = self.p;
        let width = (end - at).min(self.kernel.rows.into());
        let below = n - at - width;
        if below == 0 {
            let launch = resident_in(dtype, width, at, self.limits)?;
            return CholeskyArgs::new(&launch, uplo, (a, lda), info, batch).launch(&launch, blas.queue());
        }
        let launch = Launch::on(self.kernel, width, width, at).with_shared(self.kernel.shared_for(&[width]));
        let mut all = CholeskyArgs::new(&launch, uplo, (a, lda), info, batch);
        let tiles = ceil_div(below, self.kernel.columns.into());
        // The plan has refused orders of 2^31 and more.
        all.in_tiles(tiles as i32);
        let mut args = CholeskyPanelArgs { all, arrived: self.arrived, below: below as i32, rest: 0 };
        // SAFETY: the kernel takes CholeskyPanelArgs; the operands are the caller's, and the call's scratch memory.
        unsafe { launch_kernel(&launch, tiles * batch, &mut args, blas.queue())? };
        self.update(FinishedColumns { first: at, terms: width }, at + width, end, blas)
    }

    /// Updates the columns `at` .. `end` by the columns `done`.
    fn update(&self, done: FinishedColumns, at: i64, end: i64, blas: &Blas<'_>) -> Result<(), Error> {
        if at == end {
            return Ok(());
        }
        self.triangle(done, at, end - at, blas)?;
        self.rectangle(done, (end, self.p.n), (at, end), blas)
    }

    /// Updates rows from .. to in the columns at .. end.
    fn rectangle(
        &self,
        done: FinishedColumns,
        (from, to): (i64, i64),
        (at, end): (i64, i64),
        blas: &Blas<'_>,
    ) -> Result<(), Error> {
        let &Potrf { dtype, uplo, a, lda, batch, .. } = self.p;
        let (lower, rows, columns) = (uplo == Uplo::Lower, to - from, end - at);
        let (below, beside) = (self.at(from, done.first), self.at(at, done.first));
        let [minus_one, one] = [-1.0, 1.0].map(Alpha::host);
        let (trans_a, trans_b) = if lower { (Trans::N, Trans::C) } else { (Trans::C, Trans::N) };
        let (m, n, first) = if lower { (rows, columns, [below, beside]) } else { (columns, rows, [beside, below]) };
        let (trans, sizes) = ([trans_a, trans_b], [m, n, done.terms]);
        let product = Gemm {
            first: [first[0], first[1], self.at(from, at)],
            any_stride: true,
            ..Gemm::uniform(dtype, trans, sizes, [minus_one, one], [a; 3], [lda; 3], batch)
        };
        // SAFETY: the operands are the caller's.
        unsafe { blas.gemm(&product) }
    }

    /// Updates the triangle of this order at `at`.
    fn triangle(&self, done: FinishedColumns, at: i64, order: i64, blas: &Blas<'_>) -> Result<(), Error> {
        let LargeCholesky { outer, whole, .. } = self.limits.measured().potrf.large;
        if order > whole {
            let (half, end) = (ceil_div(order, 2 * outer) * outer, at + order);
            self.triangle(done, at, half, blas)?;
            self.rectangle(done, (at + half, end), (at, at + half), blas)?;
            return self.triangle(done, at + half, order - half, blas);
        }
        let &Potrf { dtype, uplo, a, lda, batch, .. } = self.p;
        let [alpha, beta] = [-1.0, 1.0].map(Alpha::host);
        let (a, c) = (offset_by(a, dtype, self.at(at, done.first)), offset_by(a, dtype, self.at(at, at)));
        let trans = match (uplo, dtype.is_complex()) {
            (Uplo::Lower, _) => Trans::N,
            (_, true) => Trans::C,
            (_, false) => Trans::T,
        };
        let hermitian = true;
        let product = Syrk {
            dtype,
            hermitian,
            uplo,
            trans,
            n: order,
            k: done.terms,
            alpha,
            a,
            lda,
            beta,
            c,
            ldc: lda,
            sizes: None,
            batch,
        };
        // SAFETY: the operands are the caller's.
        unsafe { blas.syrk(&product) }
    }

    /// The offset of element (row, column) of L; for U, of its mirror image.
    fn at(&self, row: i64, column: i64) -> i64 {
        match self.p.uplo {
            Uplo::Lower => row + column * self.p.lda,
            Uplo::Upper => column + row * self.p.lda,
        }
    }
}
