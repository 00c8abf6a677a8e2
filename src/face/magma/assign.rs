//! `magmablas_?laset` and `magmablas_?lacpy`: set or copy one matrix in device memory, or a triangle of it. They return
//! nothing, so a bad argument is only reported on stderr. Asynchronous.

use super::int::bad_argument;
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::native::{Positions, position};
use crate::routine::{Assign, Dtype, Operand, Part, Source, extent};
use crate::scalar::C64;
use std::ffi::{c_int, c_void};

/// A matrix in device memory and its leading dimension.
pub type Matrix = (*mut c_void, c_int);

/// The arguments that both routines share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_uplo_t`; both triangles include the diagonal.
    pub uplo: c_int,
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// The matrix that is written.
    pub to: Matrix,
    /// The queue.
    pub queue: RawQueue,
}

/// `magmablas_?laset`: sets elements off the diagonal to `off`, and those on it to `on`.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn laset(call: &Call, off: C64, on: C64) -> Result<(), Error> {
    const POSITIONS: &Positions = &[(Arg::Uplo, 1), (Arg::M, 2), (Arg::N, 3), (Arg::B, 6), (Arg::Ldb, 7)];
    unsafe { assign(call, Source::Constants { off, on }, POSITIONS) }
}

/// `magmablas_?lacpy`.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn lacpy(call: &Call, (from, ld): Matrix) -> Result<(), Error> {
    const POSITIONS: &Positions =
        &[(Arg::Uplo, 1), (Arg::M, 2), (Arg::N, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::B, 6), (Arg::Ldb, 7)];
    let from = Source::Matrices(Operand::Strided { base: from, stride: 0 }, ld.into());
    unsafe { assign(call, from, POSITIONS) }
}

unsafe fn assign(call: &Call, source: Source, positions: &Positions) -> Result<(), Error> {
    let problem = match check(call, source) {
        Ok(Some(problem)) => problem,
        Ok(None) => return Ok(()),
        Err(arg) => {
            bad_argument(call.name, &arg.into(), position(positions, arg));
            return Ok(());
        }
    };
    unsafe { backend::current()?.assign(&problem, stream_of(call.queue)) }
}

/// Checks the arguments in MAGMA's order. Returns `None` if there is nothing to do.
fn check(call: &Call, source: Source) -> Result<Option<Assign>, Arg> {
    let &Call { dtype, uplo, m, n, to: (to, ld), .. } = call;
    let part = match uplo {
        121 => Part::Upper,
        122 => Part::Lower,
        123 => Part::Full,
        _ => return Err(Arg::Uplo),
    };
    let (m, n, ld) = (i64::from(m), i64::from(n), i64::from(ld));
    let exceeds_address_space = |ld| extent::bytes(dtype.bytes() as i64, n, ld, 1, 0).is_none();
    let reject_if = |bad: bool, arg| if bad { Err(arg) } else { Ok(()) };
    reject_if(m < 0, Arg::M)?;
    reject_if(n < 0, Arg::N)?;
    if let Source::Matrices(_, ld_from) = source {
        reject_if(ld_from < m.max(1) || exceeds_address_space(ld_from), Arg::Lda)?;
    }
    reject_if(ld < m.max(1) || exceeds_address_space(ld), Arg::Ldb)?;
    if m == 0 || n == 0 {
        return Ok(None);
    }
    if let Source::Matrices(Operand::Strided { base, .. }, _) = source {
        reject_if(base.is_null(), Arg::A)?;
    }
    reject_if(to.is_null(), Arg::B)?;
    Ok(Some(Assign {
        dtype,
        part,
        m,
        n,
        source,
        to: Operand::Strided { base: to, stride: 0 },
        ld,
        sizes: None,
        batch: 1,
    }))
}
