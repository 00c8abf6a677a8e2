//! One function per LAPACK routine: run it, return at once, or name the first bad argument.
//!
//! Check order is part of the contract: LAPACK's argument list (sizes, leading dimensions, here also strides), then the
//! batch count, then quick returns, then, where there is work, how far the operands reach ([`extent`]); pointers are not
//! looked at (cuBLAS does not, and with a zero size NULL is fine).
//! `side`, `trans` and the like are checked where an ABI's numbers become our types.

mod reflectors;
mod solve;

pub use reflectors::{extract, larfb, larft, orgqr, ormqr, qr};
pub use solve::{gels, solution_rows, trsm};

use super::extent::Extent;
use crate::error::{Arg, Error};
use crate::routine::{Geqrf, Operand, Operation};

/// What to do with arguments that are not wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is work.
    Go,
    /// Nothing to do: a zero size or an empty batch.
    QuickReturn,
}

impl Verdict {
    fn unless(nothing_to_do: bool) -> Self {
        if nothing_to_do { Verdict::QuickReturn } else { Verdict::Go }
    }

    /// With work to do, operands that cannot be anywhere are refused.
    #[inline]
    fn within<const N: usize>(self, operands: [Extent; N]) -> Result<Self, Error> {
        if self == Verdict::Go {
            operands.iter().try_for_each(Extent::check)?;
        }
        Ok(self)
    }
}

/// The check of any operation.
pub fn operation(op: &Operation) -> Result<Verdict, Error> {
    match op {
        Operation::Geqrf(p) => geqrf(p),
        Operation::Orgqr(p) => orgqr(p),
        Operation::Ormqr(p) => ormqr(p),
        Operation::Qr(p) => qr(p),
        Operation::Gels(p) => gels(p),
        Operation::Trsm(p) => trsm(p),
        Operation::Larft(p) => larft(p),
        Operation::Larfb(p) => larfb(p),
    }
}

/// LAPACK `?geqrf`, batched.
pub fn geqrf(p: &Geqrf) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    at_least(p.lda, p.m.max(1), Arg::Lda)?;
    apart(&p.a, p.m, p.batch, Arg::StrideA)?;
    apart(&p.tau, p.m.min(p.n), p.batch, Arg::StrideTau)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    Verdict::unless(p.m == 0 || p.n == 0 || p.batch == 0).within(factored(p))
}

/// A and tau of a factorisation.
fn factored(p: &Geqrf) -> [Extent<'_>; 2] {
    let (m, n, (element, batch)) = ((p.m, Arg::M), (p.n, Arg::N), (p.dtype.bytes(), p.batch));
    let k = if p.m < p.n { m } else { n };
    [
        Extent { operand: &p.a, element, rows: m, columns: n, ld: (p.lda, Arg::Lda), stride: Arg::StrideA, batch },
        factors(&p.tau, element, k, batch),
    ]
}

/// k scalar factors of reflectors each.
fn factors(operand: &Operand, element: usize, k: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { operand, element, rows: k, columns: (1, k.1), ld: k, stride: Arg::StrideTau, batch }
}

#[inline]
fn at_least(value: i64, least: i64, arg: Arg) -> Result<(), Error> {
    if value < least { Err(arg.into()) } else { Ok(()) }
}

/// Members that are written must not overlap: in a strided batch, those that shared a first column would overwrite each
/// other. One member needs no stride.
#[inline]
fn apart(operand: &Operand, rows: i64, batch: i64, arg: Arg) -> Result<(), Error> {
    match operand {
        Operand::Strided { stride, .. } if batch > 1 => at_least(*stride, rows.max(1), arg),
        _ => Ok(()),
    }
}

/// Members that are only read may overlap, and with a stride of 0 are all the same one.
#[inline]
fn forward(operand: &Operand, batch: i64, arg: Arg) -> Result<(), Error> {
    match operand {
        Operand::Strided { stride, .. } if batch > 1 => at_least(*stride, 0, arg),
        _ => Ok(()),
    }
}

/// NULL, as far as an operand can be.
pub(crate) fn is_null(operand: &Operand) -> bool {
    match operand {
        Operand::Pointers(array) => array.is_null(),
        Operand::Strided { base, .. } => base.is_null(),
    }
}
