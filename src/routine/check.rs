//! What the argument checks of all routines are made of.

use super::extent::Extent;
use super::{Dtype, Operand};
use crate::error::{Arg, Error, Fault};

/// What to do with arguments that are not wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is work.
    Go,
    /// Nothing to do: a zero size or an empty batch.
    QuickReturn,
}

impl Verdict {
    #[inline]
    pub(super) fn unless(nothing_to_do: bool) -> Self {
        if nothing_to_do { Verdict::QuickReturn } else { Verdict::Go }
    }

    /// With work to do, operands that cannot be anywhere are refused.
    #[inline]
    pub(super) fn within<const N: usize>(self, operands: [Extent; N]) -> Result<Self, Error> {
        if self == Verdict::Go {
            operands.iter().try_for_each(Extent::check)?;
        }
        Ok(self)
    }
}

/// k scalar factors of reflectors each.
#[inline]
pub(super) fn factors(operand: &Operand, element: usize, k: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { operand, element, rows: k, columns: (1, k.1), ld: k, stride: Arg::StrideTau, batch }
}

/// k row interchanges each, which are C's ints.
#[inline]
pub(super) fn interchanges(operand: &Operand, k: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { element: size_of::<i32>(), stride: Arg::StrideIpiv, ..factors(operand, 0, k, batch) }
}

/// The choice of n columns each, and then their permutation, in C's ints.
#[inline]
pub(super) fn column_choice(operand: &Operand, n: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { stride: Arg::StrideJpvt, ..interchanges(operand, n, batch) }
}

#[inline]
pub(super) fn at_least(value: i64, least: i64, arg: Arg) -> Result<(), Error> {
    if value < least { Err(Error::BadArgument(arg, Fault::Below(value, least))) } else { Ok(()) }
}

#[inline]
pub(super) fn at_most(value: i64, most: i64, arg: Arg) -> Result<(), Error> {
    if value < 0 || value > most { Err(Error::BadArgument(arg, Fault::Outside(value, most))) } else { Ok(()) }
}

/// Members that are written must not overlap: in a strided batch, those that shared a first column would overwrite each
/// other. One member needs no stride.
#[inline]
pub(super) fn apart(operand: &Operand, rows: i64, batch: i64, arg: Arg) -> Result<(), Error> {
    match operand {
        Operand::Strided { stride, .. } if batch > 1 => at_least(*stride, rows.max(1), arg),
        _ => Ok(()),
    }
}

/// Members that are only read may overlap, and with a stride of 0 are all the same one.
#[inline]
pub(super) fn forward(operand: &Operand, batch: i64, arg: Arg) -> Result<(), Error> {
    match operand {
        Operand::Strided { stride, .. } if batch > 1 => at_least(*stride, 0, arg),
        _ => Ok(()),
    }
}

/// [`forward`], unless strides may be `any` numbers; the operand with its stride's size, for its extent.
#[inline]
pub(super) fn reads(operand: &Operand, batch: i64, arg: Arg, any: bool) -> Result<Operand, Error> {
    if !any {
        forward(operand, batch, arg)?;
    }
    Ok(spread(operand))
}

/// [`apart`], likewise.
#[inline]
pub(super) fn writes(operand: &Operand, rows: i64, batch: i64, arg: Arg, any: bool) -> Result<Operand, Error> {
    if !any {
        apart(operand, rows, batch, arg)?;
    }
    Ok(spread(operand))
}

/// The operand, its members in the other direction where the stride is negative.
#[inline]
fn spread(operand: &Operand) -> Operand {
    match *operand {
        Operand::Strided { base, stride } => Operand::Strided { base, stride: stride.saturating_abs() },
        pointers => pointers,
    }
}

/// Refuses an operand that is NULL although it has elements.
#[inline]
pub(super) fn not_null(operand: &Operand, has_elements: bool, arg: Arg) -> Result<(), Error> {
    if has_elements && operand.is_null() { Err(Error::BadArgument(arg, Fault::Null)) } else { Ok(()) }
}

/// A matrix of every member, each number with the argument that it is.
pub(super) struct Matrix<'a> {
    pub operand: &'a Operand,
    pub rows: (i64, Arg),
    pub columns: (i64, Arg),
    pub ld: (i64, Arg),
    pub stride: Arg,
    /// Else it is only read.
    pub written: bool,
}

/// The checks that follow those of the sizes: of leading dimensions and strides in the order of the arguments, of the batch
/// count, and where there is work of how far the matrices reach.
pub(super) fn matrices<const N: usize>(
    dtype: Dtype,
    matrices: [Matrix<'_>; N],
    batch: i64,
    nothing_to_do: bool,
) -> Result<Verdict, Error> {
    for m in &matrices {
        at_least(m.ld.0, m.rows.0.max(1), m.ld.1)?;
        if m.written { apart(m.operand, m.rows.0, batch, m.stride)? } else { forward(m.operand, batch, m.stride)? }
    }
    at_least(batch, 0, Arg::BatchCount)?;
    let element = dtype.bytes();
    Verdict::unless(nothing_to_do || batch == 0).within(matrices.map(|m| {
        let Matrix { operand, rows, columns, ld, stride, .. } = m;
        Extent { operand, element, rows, columns, ld, stride, batch }
    }))
}

/// Elements from one of a vector's to the next, as the leading dimension of a row. Those of an increment of 0 are all one.
pub(super) fn spacing(incx: i64) -> i64 {
    i64::try_from(incx.unsigned_abs()).unwrap_or(i64::MAX).max(1)
}
