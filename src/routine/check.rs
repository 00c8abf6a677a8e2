//! Building blocks of the argument checks of all routines.

use super::extent::Extent;
use super::{Dtype, Operand};
use crate::error::{Arg, Error, Fault};

/// What to do if the arguments are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is work.
    Go,
    /// Nothing to do: a zero size or an empty batch.
    QuickReturn,
}

impl Verdict {
    #[inline]
    pub(super) fn quick_return_if(nothing_to_do: bool) -> Self {
        if nothing_to_do { Verdict::QuickReturn } else { Verdict::Go }
    }

    /// Carries out the checks of leading dimensions, strides and the batch count. [`Checked::check_extents`] says
    /// whether their outcome is what is reported.
    #[inline]
    pub(super) fn after(self, others: impl FnOnce() -> Result<(), Error>) -> Checked {
        Checked { verdict: self, others: others() }
    }
}

/// The outcome of all checks that concern one argument alone.
pub(super) struct Checked {
    verdict: Verdict,
    /// That of leading dimensions, strides and the batch count.
    others: Result<(), Error>,
}

impl Checked {
    /// If there is work, refuses operands that do not fit into the address space. If something else is wrong as well,
    /// the first of the wrong arguments is reported.
    #[inline]
    pub(super) fn check_extents<const N: usize>(self, operands: [Extent; N]) -> Result<Verdict, Error> {
        let Checked { verdict, others } = self;
        if verdict == Verdict::QuickReturn || (others.is_ok() && operands.iter().all(Extent::fits)) {
            return others.map(|()| verdict);
        }
        Err(first_fault(others.err(), &operands))
    }
}

/// The fault to report of a call with work of which something is wrong: `other`, the first one among the leading
/// dimensions, strides and the batch count, or the first argument with which an operand does not fit.
#[cold]
fn first_fault(other: Option<Error>, operands: &[Extent]) -> Error {
    // Sizes precede everything else: a leading dimension is not to blame for rows that none of them could hold.
    if let Some(size) = operands.iter().filter_map(Extent::size_at_fault).min() {
        return size.into();
    }
    // The leading dimension and the stride of one operand precede those of the next.
    for operand in operands {
        let at_fault = operand.at_fault();
        for arg in [operand.ld.1, operand.stride] {
            if let Some(other) = other.as_ref().filter(|other| other.argument() == Some(arg)) {
                return other.clone();
            }
            if at_fault == Some(arg) {
                return arg.into();
            }
        }
    }
    let too_many = || operands.iter().find_map(Extent::at_fault).unwrap_or(Arg::BatchCount).into();
    other.unwrap_or_else(too_many)
}

/// The extent of the vectors tau: k scalar factors per member.
#[inline]
pub(super) fn tau_extent(operand: &Operand, element: usize, k: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { operand, element, rows: k, columns: (1, k.1), ld: k, stride: Arg::StrideTau, batch }
}

/// The extent of the vectors ipiv: k C ints per member.
#[inline]
pub(super) fn ipiv_extent(operand: &Operand, k: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { element: size_of::<i32>(), stride: Arg::StrideIpiv, ..tau_extent(operand, 0, k, batch) }
}

/// The extent of the vectors jpvt: n C ints per member.
#[inline]
pub(super) fn jpvt_extent(operand: &Operand, n: (i64, Arg), batch: i64) -> Extent<'_> {
    Extent { stride: Arg::StrideJpvt, ..ipiv_extent(operand, n, batch) }
}

#[inline]
pub(super) fn at_least(value: i64, least: i64, arg: Arg) -> Result<(), Error> {
    if value < least { Err(Error::BadArgument(arg, Fault::Below(value, least))) } else { Ok(()) }
}

#[inline]
pub(super) fn at_most(value: i64, most: i64, arg: Arg) -> Result<(), Error> {
    if value < 0 || value > most { Err(Error::BadArgument(arg, Fault::Outside(value, most))) } else { Ok(()) }
}

/// Checks the stride of an output. Members that are written must not overlap: in a strided batch, members that shared a
/// first column would overwrite each other. A single member needs no stride.
#[inline]
pub(super) fn check_output_stride(operand: &Operand, rows: i64, batch: i64, arg: Arg) -> Result<(), Error> {
    match operand {
        Operand::Strided { stride, .. } if batch > 1 => at_least(*stride, rows.max(1), arg),
        _ => Ok(()),
    }
}

/// Checks the stride of an input. Members that are only read may overlap; with a stride of 0 they are all the same one.
#[inline]
pub(super) fn check_input_stride(operand: &Operand, batch: i64, arg: Arg) -> Result<(), Error> {
    match operand {
        Operand::Strided { stride, .. } if batch > 1 => at_least(*stride, 0, arg),
        _ => Ok(()),
    }
}

/// The operand with the absolute value of its stride, for the extent of one that may have any stride.
#[inline]
pub(super) fn with_abs_stride(operand: &Operand) -> Operand {
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

/// One matrix operand, each number with the argument it comes from.
pub(super) struct Matrix<'a> {
    pub operand: &'a Operand,
    pub rows: (i64, Arg),
    pub columns: (i64, Arg),
    pub ld: (i64, Arg),
    pub stride: Arg,
    /// Whether the matrices are written, not only read.
    pub written: bool,
}

/// The checks that follow those of the sizes: leading dimensions and strides in the order of the arguments, then the
/// batch count, then, if there is work, the extents of the matrices.
pub(super) fn check_matrices<const N: usize>(
    dtype: Dtype,
    matrices: [Matrix<'_>; N],
    batch: i64,
    nothing_to_do: bool,
) -> Result<Verdict, Error> {
    let others = || {
        for m in &matrices {
            at_least(m.ld.0, m.rows.0.max(1), m.ld.1)?;
            if m.written {
                check_output_stride(m.operand, m.rows.0, batch, m.stride)?
            } else {
                check_input_stride(m.operand, batch, m.stride)?
            }
        }
        at_least(batch, 0, Arg::BatchCount)
    };
    let element = dtype.bytes();
    let extents = matrices.each_ref().map(|m| {
        let &Matrix { operand, rows, columns, ld, stride, .. } = m;
        Extent { operand, element, rows, columns, ld, stride, batch }
    });
    Verdict::quick_return_if(nothing_to_do || batch == 0).after(others).check_extents(extents)
}

/// The distance between consecutive elements of a vector, used as the leading dimension of a one-row matrix. At least
/// 1, also for an increment of 0, with which all elements are the same one.
pub(super) fn spacing(incx: i64) -> i64 {
    i64::try_from(incx.unsigned_abs()).unwrap_or(i64::MAX).max(1)
}
