//! Calls of products, the library's and cuBLAS's: alpha = 1, beta = 0.

use super::Failure;
use super::operands::Operands;
use crate::case::{Case, Op, Shape, Trans};
use crate::grid::{shape, squares};
use std::ffi::{c_int, c_void};
use tephra_testkit::library::{CublasGemm, CublasGemv, CublasHandle, symbol_name};
use tephra_testkit::ops::blas::Rank;
use tephra_testkit::ops::{Trans as Op_, Uplo};
use tephra_testkit::vendor::Vendor;
use tephra_testkit::{Dtype, Error};

type Array = *const *mut c_void;
type Raw = *mut c_void;
type Number = *const c_void;

/// The op of each factor, in the test kit's type.
pub fn transpositions(case: &Case) -> [Op_; 2] {
    [case.options.trans, case.options.trans_b].map(|trans| Op_::ALL[trans as usize])
}

/// A product of a matrix with itself, into the lower triangle.
pub fn rank(case: &Case) -> Rank {
    Rank { hermitian: matches!(case.op, Op::Herk | Op::Her2k), uplo: Uplo::Lower, trans: transpositions(case)[0] }
}

/// 1 and 0 in any element type.
pub fn factors(dtype: Dtype) -> [Number; 2] {
    static SINGLE: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
    static DOUBLE: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
    if dtype.is_double() {
        [DOUBLE.as_ptr().cast(), DOUBLE[2..].as_ptr().cast()]
    } else {
        [SINGLE.as_ptr().cast(), SINGLE[2..].as_ptr().cast()]
    }
}

/// The library's answer to the call of the case.
pub fn tephra(o: &Operands<'_>) -> Result<c_int, Failure> {
    type Gemm = unsafe extern "C" fn(
        c_int,
        c_int,
        i64,
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
    type Gemv =
        unsafe extern "C" fn(c_int, i64, i64, Number, Array, i64, Array, i64, Number, Array, i64, i64, Raw) -> c_int;
    type Rank = unsafe extern "C" fn(c_int, c_int, i64, i64, Number, Array, i64, Number, Array, i64, i64, Raw) -> c_int;
    let Case { op, shape, dtype, options, .. } = o.case;
    let [m, n, k, batch] = [shape.m, shape.n, options.k, shape.batch].map(|x| x as i64);
    let ([a, b, c], [lda, ldb, ldc]) =
        ([&o.a, &o.b, &o.r].map(|part| part.array()), [&o.a, &o.b, &o.r].map(|p| p.ld()));
    let ([ta, tb], [alpha, beta]) = (transpositions(&o.case).map(Op_::cblas), factors(dtype));
    let (library, stream) = (o.machine.library, o.machine.stream.raw());
    let name = symbol_name(&format!("tephra_?{}_batched", op.lapack()), dtype);
    // SAFETY: the types are those of include/tephra.h; the operands have the sizes of the case and outlive the stream's work.
    Ok(unsafe {
        if op == Op::Gemv {
            library.symbol::<Gemv>(&name)?(ta, m, n, alpha, a, lda, b, 1, beta, c, 1, batch, stream)
        } else if op.is_rank_k() {
            library.symbol::<Rank>(&name)?(Uplo::Lower.cblas(), ta, n, k, alpha, a, lda, beta, c, ldc, batch, stream)
        } else {
            library.symbol::<Gemm>(&name)?(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch, stream)
        }
    })
}

/// The same by cuBLAS, which has no batched syrk and herk: there it is gemm, which makes both triangles.
pub fn cublas(handle: &CublasHandle, o: &Operands<'_>) -> Result<(), Failure> {
    let Case { op, shape, dtype, options, .. } = o.case;
    let [m, n, k, batch] = [shape.m, shape.n, options.k, shape.batch].map(|x| x as c_int);
    let parts = [&o.a, &o.b, &o.r];
    let ([a, b, c], [lda, ldb, ldc]) = (parts.map(|part| part.array()), parts.map(|part| part.ld() as c_int));
    let ([ta, tb], [alpha, beta], raw) = (transpositions(&o.case).map(Op_::cublas), factors(dtype), handle.raw());
    let routine = if op.is_rank_k() { Op::Gemm } else { op };
    let (vendor, name) = (Vendor::get()?, symbol_name(&format!("cublas?{}Batched", routine.lapack()), dtype));
    // op(A)'
    let turned = if op == Op::Herk { Op_::C } else { Op_::T };
    let other = if o.case.options.trans == Trans::N { turned } else { Op_::N }.cublas();
    // SAFETY: the types are those of cublas_v2.h; as above.
    let code = unsafe {
        if op == Op::Gemv {
            vendor.symbol::<CublasGemv>(&name)?(raw, ta, m, n, alpha, a, lda, b, 1, beta, c, 1, batch)
        } else if op.is_rank_k() {
            vendor.symbol::<CublasGemm>(&name)?(raw, ta, other, n, n, k, alpha, a, lda, a, lda, beta, c, ldc, batch)
        } else {
            vendor.symbol::<CublasGemm>(&name)?(raw, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch)
        }
    };
    if code == 0 { Ok(()) } else { Err(Error::status(&name, code).into()) }
}

/// The products that are measured where no grid is named: squares with and without transpositions, and what
/// factorisations are made of: panels, updates of a trailing matrix, V^H V and V^H C.
pub fn cases(op: Op, dtype: Dtype) -> Vec<Case> {
    let adjoint = if dtype.is_complex() { Trans::C } else { Trans::T };
    let (n, h) = (Trans::N, adjoint);
    if op == Op::Gemv {
        let square = squares(&[4, 8, 16, 32], 10_000).chain(squares(&[16, 32], 100_000));
        let all = square.chain(squares(&[64, 128, 256, 512], 1000));
        let narrow = [(256, 16), (1024, 16), (16, 256)].map(|(m, n)| shape(m, n, 1000));
        return all.chain(narrow).flat_map(|s| [n, h].map(|trans| case(op, dtype, s, 0, [trans, n]))).collect();
    }
    if op.is_rank_k() {
        if op == Op::Herk && !dtype.is_complex() {
            return vec![];
        }
        let turned = if op == Op::Herk { Trans::C } else { Trans::T };
        let small = squares(&[8, 16, 24, 32], 10_000).chain(squares(&[64, 128, 256], 1000)).chain(squares(&[512], 100));
        let both = small.flat_map(|s| [n, turned].map(|trans| (s, s.n, trans)));
        let updates = [64, 128, 256, 512].into_iter().flat_map(|m| [16, 32].map(|k| (shape(m, m, 1000), k, n)));
        return both.chain(updates).map(|(s, k, trans)| case(op, dtype, s, k, [trans, n])).collect();
    }
    let gemm = |s: Shape, k, trans| case(op, dtype, s, k, trans);
    let mut all: Vec<Case> = squares(&[4, 8, 12, 16, 24, 32], 10_000).map(|s| gemm(s, s.n, [n, n])).collect();
    all.extend(squares(&[16, 32], 10_000).flat_map(|s| [[h, n], [n, h]].map(|trans| gemm(s, s.n, trans))));
    all.extend(squares(&[8, 16, 32], 100_000).map(|s| gemm(s, s.n, [n, n])));
    all.extend(squares(&[33, 48, 64, 96, 128, 192, 256], 1000).map(|s| gemm(s, s.n, [n, n])));
    all.extend(squares(&[64, 128], 1000).flat_map(|s| [[h, n], [n, h]].map(|trans| gemm(s, s.n, trans))));
    all.extend(squares(&[512, 1024], 100).map(|s| gemm(s, s.n, [n, n])));
    for m in [64, 128, 256, 512, 1024] {
        all.extend([16, 32].map(|k| gemm(shape(m, 16, 1000), k, [n, n])));
    }
    for m in [64, 128, 256, 512] {
        all.extend([8, 16, 32, 64].into_iter().filter(|k| *k < m).map(|k| gemm(shape(m, m, 1000), k, [n, n])));
    }
    for k in [128, 512, 1024] {
        all.extend([16, 64].map(|columns| gemm(shape(16, columns, 1000), k, [h, n])));
    }
    all
}

fn case(op: Op, dtype: Dtype, shape: Shape, k: usize, [trans, trans_b]: [Trans; 2]) -> Case {
    let usual = Case::packed(op, dtype, shape);
    Case { options: crate::case::Options { k, trans, trans_b, ..usual.options }, ..usual }.with_packed_columns()
}
