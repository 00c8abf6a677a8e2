//! QR with an implicit Q, and that Q applied: T is in the workspace. No vendor has them.

use super::Failure;
use super::accuracy::{Pending, residual};
use super::contender::cblas;
use super::operands::Operands;
use crate::case::{Case, Op};
use std::ffi::{c_int, c_void};
use tephra_testkit::library::{Library, symbol_name};
use tephra_testkit::ops::measure;
use tephra_testkit::{Matrix, Scalar};

type Raw = *mut c_void;

/// Elements of each T.
fn elements(library: &Library, case: &Case) -> Result<i64, Failure> {
    type Query = unsafe extern "C" fn(i64, i64, *mut i64) -> c_int;
    let (name, mut elements) = (symbol_name("tephra_?geqr_tsize", case.dtype), 0);
    let (rows, columns) = case.a_size();
    // SAFETY: the type is that of include/tephra.h.
    let code = unsafe { library.symbol::<Query>(&name)?(rows as i64, columns as i64, &mut elements) };
    library.status(&name, code)?;
    Ok(elements)
}

/// Bytes of all T.
pub fn workspace(library: &Library, case: &Case) -> Result<usize, Failure> {
    Ok(elements(library, case)? as usize * case.dtype.bytes() * case.shape.batch)
}

/// Factors what is in A.
pub fn factor(o: &Operands<'_>) -> Result<c_int, Failure> {
    type Geqr = unsafe extern "C" fn(i64, i64, Raw, i64, i64, Raw, i64, i64, i64, Raw) -> c_int;
    let (library, stream, (rows, columns)) = (o.machine.library, o.machine.stream.raw(), o.case.a_size());
    let [m, n, stride, batch] = [rows, columns, o.case.matrix_elements(), o.case.shape.batch].map(|x| x as i64);
    let (name, tsize) = (symbol_name("tephra_?geqr_strided_batched", o.case.dtype), elements(library, &o.case)?);
    let (a, lda, t) = (o.a.start(), o.a.ld(), o.workspace.pointer());
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    Ok(unsafe { library.symbol::<Geqr>(&name)?(m, n, a, lda, stride, t, tsize, tsize, batch, stream) })
}

/// The library's answer to the call of the case.
pub fn tephra(o: &Operands<'_>) -> Result<c_int, Failure> {
    type Gemqr = unsafe extern "C" fn(
        c_int,
        c_int,
        i64,
        i64,
        i64,
        Raw,
        i64,
        i64,
        Raw,
        i64,
        i64,
        Raw,
        i64,
        i64,
        i64,
        Raw,
    ) -> c_int;
    if o.case.op == Op::Geqr {
        return factor(o);
    }
    let Case { shape, options, .. } = o.case;
    let (library, [side, _, trans, _]) = (o.machine.library, cblas(&options));
    let [m, n, k, batch] = [shape.m, shape.n, options.k, shape.batch].map(|x| x as i64);
    let (name, tsize) = (symbol_name("tephra_?gemqr_strided_batched", o.case.dtype), elements(library, &o.case)?);
    let (a, lda, stride_a) = (o.a.start(), o.a.ld(), o.case.matrix_elements() as i64);
    let (t, c, ldc, stream) = (o.workspace.pointer(), o.b.start(), o.b.ld(), o.machine.stream.raw());
    // SAFETY: as above.
    Ok(unsafe {
        let f = library.symbol::<Gemqr>(&name)?;
        f(side, trans, m, n, k, a, lda, stride_a, t, tsize, tsize, c, ldc, ldc * n, batch, stream)
    })
}

/// A^H A against R^H R.
pub fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, a) = (o.inputs, o.result::<T>(&o.a, i)?);
    let zero = T::narrow(tephra_testkit::Field::real(0.0));
    let r = Matrix::from_fn(a.rows().min(a.cols()), a.cols(), |i, j| if i <= j { a[(i, j)] } else { zero });
    Ok(Box::new(move || residual(measure::gram(&inputs.matrix(i), &r))))
}

/// C^H C, or C C^H, against the same of op(Q) C or C op(Q).
pub fn applied<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, left) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options.side == crate::case::Side::Left);
    Ok(Box::new(move || {
        let turned = |x: Matrix<T>| if left { x } else { Matrix::narrow(&x.wide().adjoint()) };
        residual(measure::products(&turned(inputs.right(i)), &turned(got)))
    }))
}
