//! R and the triangular factors T of a finished factorisation.

use super::check::{Verdict, at_least};
use super::extent::Extent;
use super::geqrf::Geqrf;
use super::{Operand, Routine};
use crate::error::{Arg, Error};

/// MAGMA's expert outputs of a finished factorisation: R and the block reflectors' triangular factors T.
///
/// For panel p (columns p*nb .. p*nb+nb, up to min(m, n)), T is the upper triangular factor of LAPACK `?larft`
/// (forward, columnwise). Its strictly lower part is set to zero.
#[derive(Clone, Copy, Debug)]
pub struct GeqrfExtract {
    /// The factorisation, as given to [`Geqrf`].
    pub qr: Geqrf,
    /// Columns per panel, >= 1.
    pub nb: i64,
    /// Receives R, or the diagonal blocks of R.
    pub r: Operand,
    /// Leading dimension of R.
    pub ldr: i64,
    /// Receives the nb x nb factors T.
    pub t: Operand,
    /// Leading dimension of T.
    pub ldt: i64,
    /// What is stored, and where.
    pub part: ExtractPart,
    /// Whether to replace the upper triangle of each nb x nb diagonal block of A (columns up to min(m, n)) by that of
    /// the identity afterwards, so that the blocks hold the reflectors explicitly, as MAGMA leaves them.
    pub explicit_v: bool,
}

/// What [`GeqrfExtract`] stores (MAGMA's `provide_RT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractPart {
    /// 1: all of R, min(m, n) x n, zero below the diagonal; block p of T in columns p*nb .. of T.
    Full,
    /// 2: the diagonal nb x nb blocks of R and of T, block p in columns p*nb .. of each.
    DiagonalBlocks,
}

impl GeqrfExtract {
    /// As [`Routine::check`], in the order of MAGMA's own checks: sizes, nb, R, T, batch count.
    pub fn check(&self) -> Result<Verdict, Error> {
        let (qr, k) = (&self.qr, self.qr.m.min(self.qr.n));
        Geqrf { batch: 1, ..*qr }.check()?;
        let block = k.min(self.nb);
        let others = || {
            at_least(self.nb, 1, Arg::Nb)?;
            at_least(self.ldr, if self.part == ExtractPart::Full { k } else { block }, Arg::Ldr)?;
            at_least(self.ldt, block, Arg::Ldt)?;
            at_least(qr.batch, 0, Arg::BatchCount)
        };
        let (n, element, batch) = ((qr.n, Arg::N), qr.dtype.bytes(), qr.batch);
        let [a, tau] = qr.extents();
        let (ldr, ldt) = ((self.ldr, Arg::Ldr), (self.ldt, Arg::Ldt));
        Verdict::quick_return_if(qr.m == 0 || qr.n == 0 || qr.batch == 0).after(others).check_extents([
            a,
            tau,
            Extent { operand: &self.r, element, rows: (k, Arg::N), columns: n, ld: ldr, stride: Arg::StrideR, batch },
            Extent {
                operand: &self.t,
                element,
                rows: (block, Arg::Nb),
                columns: n,
                ld: ldt,
                stride: Arg::StrideT,
                batch,
            },
        ])
    }
}
