//! Least squares from the QR factors of a single matrix.

use super::factor::{Blocks, block_size};
use super::q::{HostWork, OrmqrCall};
use super::{DEFAULT_STREAM, MagmaPanels, Raw, conclude, one, operand_at};
use crate::backend::Runtime;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, WorkspaceSource};
use crate::face::magma::int::MagmaInt;
use crate::face::native::Positions;
use crate::routine::{
    Alpha, Assign, Diag, Dtype, Gemm, Operand, Operation, Part, Side, Source, Trans, Trmm, Trsm, Uplo,
};
use crate::scalar::C64;
use std::ffi::c_int;

/// Positions for errors of the application of Q to B, whose m, n and k are the arguments m, nrhs and n.
const GEQRS: &Positions = &[
    (Arg::M, 1),
    (Arg::K, 2),
    (Arg::N, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::Tau, 6),
    (Arg::T, 7),
    (Arg::C, 8),
    (Arg::Ldc, 9),
    (Arg::Work, 10),
    (Arg::Lwork, 11),
];
/// MAGMA numbers the last arguments of this form differently.
const GEQRS3: &Positions = &[
    (Arg::M, 1),
    (Arg::K, 2),
    (Arg::N, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::Tau, 6),
    (Arg::T, 7),
    (Arg::C, 8),
    (Arg::Ldc, 8),
    (Arg::Work, 10),
    (Arg::Lwork, 10),
];

/// The arguments of both forms, except the workspace.
#[derive(Clone, Copy, Debug)]
pub struct GeqrsCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows of A.
    pub m: c_int,
    /// Columns of A, at most m.
    pub n: c_int,
    /// Columns of B.
    pub nrhs: c_int,
    /// The factors, in device memory.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// n scalar factors, in host memory.
    pub tau: Raw,
    /// What the factorisation left in dT, in device memory; its workspace is used.
    pub t: Raw,
    /// m x nrhs right-hand sides, in device memory; the solutions overwrite their first n rows.
    pub b: Raw,
    /// Leading dimension.
    pub ldb: c_int,
    /// One code in host memory.
    pub info: *mut c_int,
}

/// `magma_?geqrs_gpu` for results of `magma_?geqrf_gpu`, or `magma_?geqrs3_gpu` for those of `magma_?geqrf3_gpu`,
/// according to `blocks`. If R has an exact zero on its diagonal, every column of X contains non-finite values. The
/// rows of B below X hold the rest of Q^H B, whose norms are those of the residuals. A query checks the sizes, too.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrs(call: &GeqrsCall, work: Raw, lwork: c_int, blocks: Blocks) -> Result<MagmaInt, Error> {
    let nb = block_size(call.dtype, call.m, call.n);
    let r = TriangularFactor { call, panels: call.panels(nb), blocks };
    let work = HostWork { work, lwork, nb };
    let done = unsafe { call.q().run(work, |runtime| r.check_plans(runtime), |runtime| r.solve(runtime)) };
    let positions = if blocks == Blocks::Inverted { GEQRS } else { GEQRS3 };
    unsafe { conclude(call.name, positions, call.info, done) }
}

impl GeqrsCall {
    /// The application of Q^H to B.
    fn q(&self) -> OrmqrCall {
        let &GeqrsCall { name, dtype, m, n, nrhs, a, lda, tau, b, ldb, info, .. } = self;
        let trans = if dtype.is_complex() { 113 } else { 112 };
        OrmqrCall { name, dtype, side: 141, trans, m, n: nrhs, k: n, a, lda, tau, c: b, ldc: ldb, info }
    }

    fn panels(&self, nb: c_int) -> MagmaPanels {
        MagmaPanels { dtype: self.dtype, order: self.n.into(), nb: nb.into(), t: self.t }
    }
}

/// R, whose diagonal blocks, except those of the last columns, are stored in T.
struct TriangularFactor<'a> {
    call: &'a GeqrsCall,
    panels: MagmaPanels,
    blocks: Blocks,
}

impl TriangularFactor<'_> {
    /// Checks that all steps have a plan, with blocks inverted or not, and that T is not NULL if it is needed.
    fn check_plans(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        let count = self.panels.count();
        if count > 0 && self.panels.t.is_null() {
            return Err(Error::BadArgument(Arg::T, Fault::Null));
        }
        let updates = (1..=count).map(|panel| self.update(panel));
        let solves = [self.solve_panel(count), self.solve_panel(0)].map(Operation::Trsm);
        let inverse = (count > 0).then(|| Operation::Trmm(self.apply_inverse(0)));
        let mut steps = solves.into_iter().chain(inverse).chain(updates);
        steps.try_for_each(|step| runtime.workspace(&step).map(|_| ()))
    }

    /// Solves R X = B by back substitution, from the last panel to the first.
    fn solve(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        let inverted = match self.blocks {
            Blocks::Inverted => self.inverted(runtime)?,
            Blocks::Plain => vec![],
        };
        let run = |step| unsafe { call::run(self.call.name, runtime, &step, DEFAULT_STREAM, WorkspaceSource::Caller) };
        (0..=self.panels.count()).rev().try_for_each(|panel| {
            let is_inverse = inverted.get(panel as usize) == Some(&true);
            run(match is_inverse {
                true => Operation::Trmm(self.apply_inverse(panel)),
                false => Operation::Trsm(self.solve_panel(panel)),
            })?;
            // For the first panel this is an empty update, as there are no rows above it.
            run(self.update(panel))
        })
    }

    /// Determines which of the stored blocks are inverted: a block with a zero on its diagonal could not be, and is the
    /// block of R itself.
    fn inverted(&self, runtime: &dyn Runtime) -> Result<Vec<bool>, Error> {
        let &TriangularFactor { panels: panels @ MagmaPanels { dtype, nb, .. }, .. } = self;
        let count = panels.count();
        let mut diagonals = vec![0u8; (count * nb) as usize * dtype.bytes()];
        if count == 0 {
            return Ok(vec![]);
        }
        let gather = Assign {
            dtype,
            part: Part::Full,
            m: 1,
            n: nb,
            source: Source::Matrices(panels.blocks(), nb + 1),
            to: Operand::Strided { base: panels.workspace(), stride: nb },
            ld: 1,
            sizes: None,
            batch: count,
        };
        let (bytes, stream) = (diagonals.len(), DEFAULT_STREAM);
        // SAFETY: the workspace in T and the vector both have that many elements.
        unsafe {
            runtime.assign(&gather, stream)?;
            runtime.copy_2d_async(diagonals.as_mut_ptr().cast(), bytes, panels.workspace(), bytes, bytes, 1, stream)?;
            runtime.stream_synchronize(stream)?;
        }
        let of_block = diagonals.chunks(nb as usize * dtype.bytes());
        Ok(of_block.map(|block| !block.chunks(dtype.bytes()).any(|element| is_zero(dtype, element))).collect())
    }

    /// The rows of X that a panel determines: the first one and their number.
    fn rows(&self, panel: i64) -> (i64, i64) {
        let first = panel * self.panels.nb;
        (first, if panel < self.panels.count() { self.panels.nb } else { self.panels.order - first })
    }

    /// The submatrix of A from a row and a column on.
    fn a(&self, row: i64, column: i64) -> Operand {
        operand_at(self.call.a, self.call.dtype, row + column * i64::from(self.call.lda), 0)
    }

    /// The submatrix of B from a row on.
    fn b(&self, row: i64) -> Operand {
        operand_at(self.call.b, self.call.dtype, row, 0)
    }

    /// Solves for the panel's rows of X with its block of R.
    fn solve_panel(&self, panel: i64) -> Trsm {
        let ((first, m), alpha) = (self.rows(panel), number(1.0));
        let (a, lda) = match panel < self.panels.count() {
            true => (one(self.panels.block(panel)), self.panels.nb),
            false => (self.a(first, first), self.call.lda.into()),
        };
        let &GeqrsCall { dtype, nrhs, ldb, .. } = self.call;
        let (side, uplo, trans, diag) = (Side::Left, Uplo::Upper, Trans::N, Diag::NonUnit);
        let (n, b, ldb, sizes, batch) = (nrhs.into(), self.b(first), ldb.into(), None, 1);
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch }
    }

    /// Computes the panel's rows of X with the inverse of its block.
    fn apply_inverse(&self, panel: i64) -> Trmm {
        let Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, .. } = self.solve_panel(panel);
        Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes: None, batch }
    }

    /// Subtracts the contribution of the panel's rows of X from the rows above them.
    fn update(&self, panel: i64) -> Operation {
        let ((m, k), factors) = (self.rows(panel), [-1.0, 1.0].map(number));
        let &GeqrsCall { dtype, nrhs, lda, ldb, .. } = self.call;
        let (operands, ld) = ([self.a(0, m), self.b(m), self.b(0)], [lda, ldb, ldb].map(i64::from));
        Operation::Gemm(Gemm::uniform(dtype, [Trans::N; 2], [m, nrhs.into(), k], factors, operands, ld, 1))
    }
}

fn number(x: f64) -> Alpha {
    Alpha::Host(C64 { re: x, im: 0.0 })
}

/// Whether an element, given by its bytes, is zero; -0 counts as zero.
fn is_zero(dtype: Dtype, element: &[u8]) -> bool {
    let zero = |part: &[u8]| match *part {
        [a, b, c, d] => f32::from_ne_bytes([a, b, c, d]) == 0.0,
        _ => part.try_into().is_ok_and(|bytes| f64::from_ne_bytes(bytes) == 0.0),
    };
    element.chunks(dtype.real().bytes()).all(zero)
}
