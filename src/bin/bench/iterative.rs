//! Least squares by iteration, as [`super::accuracy`] and [`super::contender`] have the others. X is the third operand.

use super::Failure;
use super::accuracy::{Pending, residual};
use super::operands::Operands;
use crate::case::Case;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::Scalar;
use tephra_testkit::library::{Library, symbol_name};
use tephra_testkit::ops::{Trans, measure};

type Array = *const *mut c_void;

/// Bytes of workspace.
pub fn workspace(library: &Library, case: &Case) -> Result<usize, Failure> {
    type Sizes = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    let Case { shape, lda, options, .. } = *case;
    let [m, n, nrhs, lda, ldb, ldx, batch] =
        [shape.m, shape.n, options.nrhs, lda, options.ldb, options.ldr, shape.batch].map(|x| x as i64);
    let (name, mut bytes) = (symbol_name("tephra_?gels_iterative_batched_workspace", case.dtype), 0);
    // SAFETY: the type is that of include/tephra.h.
    library.status(&name, unsafe { library.symbol::<Sizes>(&name)?(m, n, nrhs, lda, ldb, ldx, batch, &mut bytes) })?;
    Ok(bytes)
}

/// The library's answer to the call of the case.
pub fn tephra(o: &Operands<'_>) -> Result<c_int, Failure> {
    type Solve = unsafe extern "C" fn(
        i64,
        i64,
        i64,
        Array,
        i64,
        Array,
        i64,
        Array,
        i64,
        f64,
        i64,
        *mut c_int,
        *mut c_void,
        *mut c_int,
        i64,
        *mut c_void,
        usize,
        *mut c_void,
    ) -> c_int;
    let Case { shape, dtype, options, .. } = o.case;
    let [m, n, nrhs, batch] = [shape.m, shape.n, options.nrhs, shape.batch].map(|x| x as i64);
    let ([a, b, x], [lda, ldb, ldx]) =
        ([&o.a, &o.b, &o.r].map(|part| part.array()), [&o.a, &o.b, &o.r].map(|part| part.ld()));
    let (work, bytes, stream) = (o.workspace.pointer(), o.workspace.bytes(), o.machine.stream.raw());
    let (name, info) = (symbol_name("tephra_?gels_iterative_batched", dtype), o.info.pointer().cast());
    // SAFETY: the type is that of include/tephra.h; the operands have the sizes of the case and outlive the stream's work.
    Ok(unsafe {
        let call = o.machine.library.symbol::<Solve>(&name)?;
        let (usual, untold) = ((0.0, 0), (null_mut(), null_mut()));
        call(m, n, nrhs, a, lda, b, ldb, x, ldx, usual.0, usual.1, untold.0, untold.1, info, batch, work, bytes, stream)
    })
}

/// `?qrt17`'s ratio; for square matrices that of the residual.
pub fn measured<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x) = (o.inputs, o.result::<T>(&o.r, i)?);
    Ok(Box::new(move || {
        let (a, b) = (inputs.matrix::<T>(i), inputs.right::<T>(i));
        residual(measure::least_squares(Trans::N, &a, &b, &measure::with_residuals(&a, &b, &x)))
    }))
}
