//! Calls of triangles, sums, products of two matrices with each other, and LQ, which no vendor has batched; alpha = 1, beta = 0, of
//! sums both 1.

use super::Failure;
use super::accuracy::{Pending, compared, part, residual, triangular};
use super::contender::cblas;
use super::operands::Operands;
use super::products::{factors, rank};
use crate::case::{Case, Op};
use std::ffi::{c_int, c_void};
use tephra_testkit::library::{Library, symbol_name};
use tephra_testkit::ops::exact::{self, Exact};
use tephra_testkit::ops::{self, Side, Trans, residuals};
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Scalar, ratios};

type Array = *const *mut c_void;
type Raw = *mut c_void;
type Number = *const c_void;

/// Bytes of workspace of gelqf.
pub fn workspace(library: &Library, case: &Case) -> Result<usize, Failure> {
    type Sizes = unsafe extern "C" fn(i64, i64, i64, i64, *mut usize) -> c_int;
    let [m, n, lda, batch] = [case.shape.m, case.shape.n, case.lda, case.shape.batch].map(|x| x as i64);
    let (name, mut bytes) = (symbol_name("tephra_?gelqf_batched_workspace", case.dtype), 0);
    // SAFETY: the type is that of include/tephra.h.
    library.status(&name, unsafe { library.symbol::<Sizes>(&name)?(m, n, lda, batch, &mut bytes) })?;
    Ok(bytes)
}

/// The library's answer to the call of the case.
pub fn tephra(o: &Operands<'_>) -> Result<c_int, Failure> {
    type Gelqf = unsafe extern "C" fn(i64, i64, Array, i64, Array, i64, Raw, usize, Raw) -> c_int;
    type Trtri = unsafe extern "C" fn(c_int, c_int, i64, Array, i64, Raw, i64, Raw) -> c_int;
    type Trsv = unsafe extern "C" fn(c_int, c_int, c_int, i64, Array, i64, Array, i64, i64, Raw) -> c_int;
    type Trmm =
        unsafe extern "C" fn(c_int, c_int, c_int, c_int, i64, i64, Number, Array, i64, Array, i64, i64, Raw) -> c_int;
    type Geam = unsafe extern "C" fn(
        c_int,
        c_int,
        i64,
        i64,
        Number,
        Array,
        i64,
        Number,
        Array,
        i64,
        Array,
        i64,
        i64,
        Raw,
    ) -> c_int;
    type Rank2 = unsafe extern "C" fn(
        c_int,
        c_int,
        i64,
        i64,
        Number,
        Array,
        i64,
        Array,
        i64,
        Number,
        Array,
        i64,
        i64,
        Raw,
    ) -> c_int;
    let Case { op, shape, dtype, options, .. } = o.case;
    let [m, n, k, batch] = [shape.m, shape.n, options.k, shape.batch].map(|x| x as i64);
    let ([a, b, c], [lda, ldb, ldc]) =
        ([&o.a, &o.b, &o.r].map(|part| part.array()), [&o.a, &o.b, &o.r].map(|part| part.ld()));
    let ([side, uplo, trans, diag], [one, zero]) = (cblas(&options), factors(dtype));
    let trans_b = Trans::ALL[options.trans_b as usize].cblas();
    let (work, bytes, stream) = (o.workspace.pointer(), o.workspace.bytes(), o.machine.stream.raw());
    let (library, tau, info) = (o.machine.library, o.tau.array(), o.info.pointer());
    let name = symbol_name(&format!("tephra_?{}_batched", op.lapack()), dtype);
    // SAFETY: the types are those of include/tephra.h; the operands have the sizes of the case and outlive the stream's work.
    Ok(unsafe {
        match op {
            Op::Gelqf => library.symbol::<Gelqf>(&name)?(m, n, a, lda, tau, batch, work, bytes, stream),
            Op::Trtri => library.symbol::<Trtri>(&name)?(uplo, diag, n, a, lda, info, batch, stream),
            Op::Trsv => library.symbol::<Trsv>(&name)?(uplo, trans, diag, n, a, lda, b, 1, batch, stream),
            Op::Trmm => {
                library.symbol::<Trmm>(&name)?(side, uplo, trans, diag, m, n, one, a, lda, b, ldb, batch, stream)
            }
            Op::Geam => {
                library.symbol::<Geam>(&name)?(trans, trans_b, m, n, one, a, lda, one, b, ldb, c, ldc, batch, stream)
            }
            Op::Syr2k | Op::Her2k => {
                let uplo = rank(&o.case).uplo.cblas();
                library.symbol::<Rank2>(&name)?(uplo, trans, n, k, one, a, lda, b, ldb, zero, c, ldc, batch, stream)
            }
            _ => unreachable!("{op:?} is called elsewhere"),
        }
    })
}

/// The adjoint of what is left of A is the QR factorisation of A^H.
pub fn lq<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    let adjoint = |x: &Matrix<T>| Matrix::narrow(&x.wide().adjoint());
    Ok(Box::new(move || ratios::measure(&adjoint(&inputs.matrix(i)), &adjoint(&factors), tau.data())))
}

/// Some columns, or rows, of op(A) B or B op(A).
pub fn multiplied<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, how) = (o.inputs, o.result::<T>(&o.b, i)?, triangular(&o.case.options));
    Ok(Box::new(move || {
        let chosen = compared(if how.side == Side::Left { got.cols() } else { got.rows() });
        let some = |x: &Matrix<T>| match how.side {
            Side::Left => part(x, None, Some(&chosen)),
            Side::Right => part(x, Some(&chosen), None),
        };
        let one = T::narrow(<T as Scalar>::Wide::ONE);
        residual(exact::multiplied(how, one, &inputs.matrix(i), &some(&inputs.right(i)), &some(&got)))
    }))
}

/// I - A C of the triangle.
pub fn inverted<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, how) = (o.inputs, o.result::<T>(&o.a, i)?, triangular(&o.case.options));
    Ok(Box::new(move || {
        let (zero, one) = (<T as Scalar>::Wide::ZERO, <T as Scalar>::Wide::ONE);
        let triangle = |x: &Matrix<T>| {
            Matrix::from_fn(x.rows(), x.cols(), |i, j| match (i == j, (how.uplo == ops::Uplo::Upper) == (i < j)) {
                (true, _) if how.diag == ops::Diag::Unit => one,
                (false, false) => zero,
                _ => x[(i, j)].wide(),
            })
        };
        residual(residuals::inverse(&triangle(&inputs.matrix(i)), &triangle(&got).map(T::narrow)))
    }))
}

/// C - op(A) - op(B).
pub fn sum<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, options) = (o.inputs, o.result::<T>(&o.r, i)?, o.case.options);
    Ok(Box::new(move || {
        let [ta, tb] = [options.trans, options.trans_b].map(|trans| Trans::ALL[trans as usize]);
        let (one, a, b) = (<T as Scalar>::Wide::ONE, inputs.matrix::<T>(i).wide(), inputs.right::<T>(i).wide());
        let exact = Exact::zeros(got.rows(), got.cols()).plus(one, &exact::op(ta, &a)).plus(one, &exact::op(tb, &b));
        residual(exact.ratio(&got, |_, _| true))
    }))
}
