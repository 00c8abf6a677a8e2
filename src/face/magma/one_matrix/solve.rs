//! Least squares by the factors of one matrix.

use super::factor::{Blocks, block_size};
use super::q::{HostWork, OrmqrCall};
use super::{DEFAULT_STREAM, Kept, Raw, conclude, from, one};
use crate::backend::Runtime;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, Scratch};
use crate::face::magma::int::MagmaInt;
use crate::face::native::Positions;
use crate::routine::{
    Alpha, Assign, Diag, Dtype, Gemm, Operand, Operation, Part, Side, Source, Trans, Trmm, Trsm, Uplo,
};
use crate::scalar::C64;
use std::ffi::c_int;

/// What is said of Q applied to B: its m, n and k are those of B and of A.
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
/// MAGMA counts the last ones of this form otherwise.
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

/// The arguments of both forms, but for the workspace.
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
    /// m x nrhs right-hand sides, in device memory; the solutions replace their first n rows.
    pub b: Raw,
    /// Leading dimension.
    pub ldb: c_int,
    /// One code in host memory.
    pub info: *mut c_int,
}

/// `magma_?geqrs_gpu` of what `magma_?geqrf_gpu` left, `magma_?geqrs3_gpu` of what `magma_?geqrf3_gpu` did, as `blocks` says. Where
/// R's diagonal has an exact zero no column of X is finite. Of B the rows behind X hold what is left of the right-hand sides. Sizes
/// are checked in a query, too.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrs(call: &GeqrsCall, work: Raw, lwork: c_int, blocks: Blocks) -> Result<MagmaInt, Error> {
    let nb = block_size(call.dtype, call.m, call.n);
    let factors = Factors { call, kept: call.kept(nb), blocks };
    let work = HostWork { work, lwork, nb };
    let done = unsafe { call.q().run(work, |runtime| factors.ready(runtime), |runtime| factors.solve(runtime)) };
    let positions = if blocks == Blocks::Inverted { GEQRS } else { GEQRS3 };
    unsafe { conclude(call.name, positions, call.info, done) }
}

impl GeqrsCall {
    /// Q^H applied to B.
    fn q(&self) -> OrmqrCall {
        let &GeqrsCall { name, dtype, m, n, nrhs, a, lda, tau, b, ldb, info, .. } = self;
        let trans = if dtype.is_complex() { 113 } else { 112 };
        OrmqrCall { name, dtype, side: 141, trans, m, n: nrhs, k: n, a, lda, tau, c: b, ldc: ldb, info }
    }

    fn kept(&self, nb: c_int) -> Kept {
        Kept { dtype: self.dtype, order: self.n.into(), nb: nb.into(), t: self.t }
    }
}

/// R, of which the diagonal blocks of all but the last columns are kept in T.
struct Factors<'a> {
    call: &'a GeqrsCall,
    kept: Kept,
    blocks: Blocks,
}

impl Factors<'_> {
    /// Whether all steps have a plan, whatever becomes of the blocks; and T is there where it is needed.
    fn ready(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        let count = self.kept.count();
        if count > 0 && self.kept.t.is_null() {
            return Err(Error::BadArgument(Arg::T, Fault::Null));
        }
        let updates = (1..=count).map(|panel| self.update(panel));
        let solves = [self.divide(count), self.divide(0)].map(Operation::Trsm);
        let inverse = (count > 0).then(|| Operation::Trmm(self.multiply(0)));
        let mut steps = solves.into_iter().chain(inverse).chain(updates);
        steps.try_for_each(|step| runtime.workspace(&step).map(|_| ()))
    }

    /// R X = B, from the last columns to the first.
    fn solve(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        let inverted = match self.blocks {
            Blocks::Inverted => self.inverted(runtime)?,
            Blocks::Plain => vec![],
        };
        let run = |step| unsafe { call::run(self.call.name, runtime, &step, DEFAULT_STREAM, Scratch::Callers) };
        (0..=self.kept.count()).rev().try_for_each(|panel| {
            let is_inverse = inverted.get(panel as usize) == Some(&true);
            run(match is_inverse {
                true => Operation::Trmm(self.multiply(panel)),
                false => Operation::Trsm(self.divide(panel)),
            })?;
            // Before the first panel there are no rows: nothing is done then.
            run(self.update(panel))
        })
    }

    /// Which of the kept blocks are inverses: a block with a zero on its diagonal could not be inverted, and is R's.
    fn inverted(&self, runtime: &dyn Runtime) -> Result<Vec<bool>, Error> {
        let &Factors { kept: kept @ Kept { dtype, nb, .. }, .. } = self;
        let count = kept.count();
        let mut diagonals = vec![0u8; (count * nb) as usize * dtype.bytes()];
        if count == 0 {
            return Ok(vec![]);
        }
        let gather = Assign {
            dtype,
            part: Part::Full,
            m: 1,
            n: nb,
            source: Source::Matrices(kept.blocks(), nb + 1),
            to: Operand::Strided { base: kept.rest(), stride: nb },
            ld: 1,
            sizes: None,
            batch: count,
        };
        let (bytes, stream) = (diagonals.len(), DEFAULT_STREAM);
        // SAFETY: T's workspace has that many elements, and so has the vector.
        unsafe {
            runtime.assign(&gather, stream)?;
            runtime.copy_2d_async(diagonals.as_mut_ptr().cast(), bytes, kept.rest(), bytes, bytes, 1, stream)?;
            runtime.stream_synchronize(stream)?;
        }
        let of_block = diagonals.chunks(nb as usize * dtype.bytes());
        Ok(of_block.map(|block| !block.chunks(dtype.bytes()).any(|element| is_zero(dtype, element))).collect())
    }

    /// The rows of X that a panel is for: the first and how many.
    fn rows(&self, panel: i64) -> (i64, i64) {
        let first = panel * self.kept.nb;
        (first, if panel < self.kept.count() { self.kept.nb } else { self.kept.order - first })
    }

    /// A from a row and a column on.
    fn a(&self, row: i64, column: i64) -> Operand {
        from(self.call.a, self.call.dtype, row + column * i64::from(self.call.lda), 0)
    }

    /// B from a row on.
    fn b(&self, row: i64) -> Operand {
        from(self.call.b, self.call.dtype, row, 0)
    }

    /// The panel's rows of X by its block of R.
    fn divide(&self, panel: i64) -> Trsm {
        let ((first, m), alpha) = (self.rows(panel), number(1.0));
        let (a, lda) = match panel < self.kept.count() {
            true => (one(self.kept.block(panel)), self.kept.nb),
            false => (self.a(first, first), self.call.lda.into()),
        };
        let &GeqrsCall { dtype, nrhs, ldb, .. } = self.call;
        let (side, uplo, trans, diag) = (Side::Left, Uplo::Upper, Trans::N, Diag::NonUnit);
        let (n, b, ldb, sizes, batch) = (nrhs.into(), self.b(first), ldb.into(), None, 1);
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch }
    }

    /// The same by the block's inverse.
    fn multiply(&self, panel: i64) -> Trmm {
        let Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, .. } = self.divide(panel);
        Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes: None, batch }
    }

    /// The rows before the panel's, less what these rows of X contribute.
    fn update(&self, panel: i64) -> Operation {
        let ((m, k), alpha, beta) = (self.rows(panel), number(-1.0), number(1.0));
        let &GeqrsCall { dtype, nrhs, lda, ldb, .. } = self.call;
        let (trans_a, trans_b, n, lda, ldb) = (Trans::N, Trans::N, nrhs.into(), lda.into(), ldb.into());
        let (a, b, c, ldc, sizes, batch) = (self.a(0, m), self.b(m), self.b(0), ldb, None, 1);
        let (first, any_stride) = ([0; 3], false);
        Operation::Gemm(Gemm {
            dtype,
            trans_a,
            trans_b,
            m,
            n,
            k,
            alpha,
            a,
            lda,
            b,
            ldb,
            beta,
            c,
            ldc,
            sizes,
            batch,
            first,
            any_stride,
        })
    }
}

fn number(x: f64) -> Alpha {
    Alpha::Host(C64 { re: x, im: 0.0 })
}

/// Of one element's bytes, by value: -0 is zero, too.
fn is_zero(dtype: Dtype, element: &[u8]) -> bool {
    let zero = |part: &[u8]| match *part {
        [a, b, c, d] => f32::from_ne_bytes([a, b, c, d]) == 0.0,
        _ => part.try_into().is_ok_and(|bytes| f64::from_ne_bytes(bytes) == 0.0),
    };
    element.chunks(dtype.real().bytes()).all(zero)
}
