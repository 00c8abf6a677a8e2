//! Products of matrices with matrices and vectors, with alpha = 1 and beta = 0.

use crate::bench::accuracy::{compared, part, residual, rows_of};
use crate::bench::operands::Operands;
use crate::case::{Case, Options, Shape, Trans, Uplo};
use crate::failure::Failure;
use crate::grid::{shape, squares};
use crate::operation::{DEFAULTS, Op, Operation, Pending, lacks_trans};
use tephra_testkit::ops;
use tephra_testkit::ops::blas::RankUpdate;
use tephra_testkit::scalar::Field;
use tephra_testkit::signatures;
use tephra_testkit::{Dtype, Matrix, Scalar};

pub const ROWS: &[Operation] = &[
    Operation {
        name: "gemm",
        help: "Matrix product, BLAS `?gemm`",
        signature: &signatures::GEMM,
        default_options: |_, s| Options { k: s.n, ..Options::default() },
        variant: |c| letter(c.options.trans).to_owned() + letter(c.options.trans_b),
        plan_options: "k trans",
        flops: |c| 2.0 * c.m * c.n * c.k,
        cases: Some(of_matrices),
        tuned: true,
        cublas: |_| &[("gemm", "trans trans_b m n k one A lda B ldb zero R ldr batch")],
        measure: measure!(multiplied),
        ..PRODUCT
    },
    // Sizes are uniformly distributed.
    Operation {
        name: "gemm_vbatched",
        help: "Products of matrices with sizes of their own: random ones up to m, n and k",
        signature: &signatures::GEMM,
        varying: true,
        default_options: |_, s| Options { k: s.n, ..Options::default() },
        variant: |c| letter(c.options.trans).to_owned() + letter(c.options.trans_b),
        plan_options: "k trans",
        flops: |c| c.m * c.n * c.k / if c.m == c.n { 3.0 } else { 4.0 },
        elements: |s| (s.a + s.b + s.r) / 4,
        measure: measure!(varying_product),
        ..PRODUCT
    },
    Operation {
        name: "gemv",
        help: "Matrix times vector, BLAS `?gemv`",
        signature: &signatures::GEMV,
        plan_options: "trans",
        flops: |c| 2.0 * c.m * c.n,
        cases: Some(with_vectors),
        cublas: |_| &[("gemv", "trans m n one A lda B 1 zero R 1 batch")],
        measure: measure!(multiplied),
        ..PRODUCT
    },
    Operation {
        name: "syrk",
        signature: &signatures::SYRK,
        help: "Symmetric product, BLAS `?syrk`",
        // cuBLAS has no batched syrk; it is compared with gemm, which computes both triangles.
        cublas: |_| &[("gemm", "trans transposed n n k one A lda A lda zero R ldr batch")],
        ..OF_ITSELF
    },
    Operation {
        name: "herk",
        signature: &signatures::HERK,
        help: "Hermitian product, BLAS `?herk`",
        complex: true,
        cublas: |_| &[("gemm", "trans adjoint n n k one A lda A lda zero R ldr batch")],
        ..OF_ITSELF
    },
];

const PRODUCT: Operation = Operation {
    is_product: true,
    variant: |c| letter(c.options.trans).to_owned(),
    // The product is only written.
    elements: |s| s.a + s.b + s.r,
    overwrites: &[],
    ..DEFAULTS
};

/// A product of which only one triangle is computed.
pub const RANKED: Operation = Operation {
    square: true,
    default_options: |_, s| Options { k: s.n, uplo: Uplo::Lower, ..Options::default() },
    unsupported: |c| lacks_trans(c, if c.op.complex { Trans::T } else { Trans::C }),
    plan_options: "k trans",
    elements: |s| s.a + s.b + s.r / 2,
    measure: measure!(ranked),
    ..PRODUCT
};

/// A product of a matrix with itself.
const OF_ITSELF: Operation = Operation { flops: |c| c.n * (c.n + 1.0) * c.k, cases: Some(with_itself), ..RANKED };

/// A transposition in the `variant` column.
pub fn letter(trans: Trans) -> &'static str {
    ["N", "T", "H"][trans as usize]
}

/// Square products with and without transpositions, and the products that factorisations consist of: panels, updates of
/// a trailing matrix, V^H V and V^H C.
fn of_matrices(op: Op, dtype: Dtype) -> Vec<Case> {
    let (n, h) = (Trans::N, Trans::adjoint(dtype));
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

fn with_vectors(op: Op, dtype: Dtype) -> Vec<Case> {
    let (n, h) = (Trans::N, Trans::adjoint(dtype));
    let square = squares(&[4, 8, 16, 32], 10_000).chain(squares(&[16, 32], 100_000));
    let all = square.chain(squares(&[64, 128, 256, 512], 1000));
    let narrow = [(256, 16), (1024, 16), (16, 256)].map(|(m, n)| shape(m, n, 1000));
    all.chain(narrow).flat_map(|s| [n, h].map(|trans| case(op, dtype, s, 0, [trans, n]))).collect()
}

fn with_itself(op: Op, dtype: Dtype) -> Vec<Case> {
    if op.complex && !dtype.is_complex() {
        return vec![];
    }
    let (n, turned) = (Trans::N, if op.complex { Trans::C } else { Trans::T });
    let small = squares(&[8, 16, 24, 32], 10_000).chain(squares(&[64, 128, 256], 1000)).chain(squares(&[512], 100));
    let both = small.flat_map(|s| [n, turned].map(|trans| (s, s.n, trans)));
    let updates = [64, 128, 256, 512].into_iter().flat_map(|m| [16, 32].map(|k| (shape(m, m, 1000), k, n)));
    both.chain(updates).map(|(s, k, trans)| case(op, dtype, s, k, [trans, n])).collect()
}

fn case(op: Op, dtype: Dtype, shape: Shape, k: usize, [trans, trans_b]: [Trans; 2]) -> Case {
    let usual = Case::packed(op, dtype, shape);
    usual.with(Options { k, trans, trans_b, ..usual.options })
}

/// Measures C - op(A) op(B).
fn multiplied<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c) = (o.inputs, o.result::<T>(&o.r, i)?);
    let trans = [o.case.options.trans, o.case.options.trans_b].map(Trans::kit);
    let factors = [<T as Scalar>::Double::ONE, <T as Scalar>::Double::ZERO].map(T::from_double);
    Ok(Box::new(move || {
        let (rows, columns) = (compared(c.rows()), compared(c.cols()));
        let turned = if trans[1] == ops::Trans::N { ops::Trans::T } else { ops::Trans::N };
        let a = rows_of(&inputs.matrix::<T>(i), trans[0], &rows);
        let b = rows_of(&inputs.right::<T>(i), turned, &columns);
        let c = part(&c, Some(&rows), Some(&columns));
        residual(ops::products::multiplied(trans, factors, &a, &b, &c, &c))
    }))
}

/// [`multiplied`] for a member with individual sizes.
fn varying_product<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c, (m, n), k) = (o.inputs, o.result::<T>(&o.r, i)?, o.size_of(i), o.terms_of(i));
    let (trans, options) = ([o.case.options.trans, o.case.options.trans_b].map(Trans::kit), o.case.options);
    let factors = [<T as Scalar>::Double::ONE, <T as Scalar>::Double::ZERO].map(T::from_double);
    Ok(Box::new(move || {
        let part = |a: Matrix<T>, (m, n)| Matrix::from_fn(m, n, |r, c| a[(r, c)]);
        let a = part(inputs.matrix(i), options.trans.stored((m, k)));
        let b = part(inputs.right(i), options.trans_b.stored((k, n)));
        let c = part(c, (m, n));
        residual(ops::products::multiplied(trans, factors, &a, &b, &c, &c))
    }))
}

/// Measures the triangle of C - op(A) op(A)', or of C - op(A) op(B)' - op(B) op(A)'.
fn ranked<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c, second) = (o.inputs, o.result::<T>(&o.r, i)?, o.case.op.has("B"));
    let options = o.case.options.kit();
    let how = RankUpdate { hermitian: o.case.op.complex, uplo: options.uplo, trans: options.trans };
    let factors = [<T as Scalar>::Double::ONE, <T as Scalar>::Double::ZERO].map(T::from_double);
    Ok(Box::new(move || {
        // With beta = 0, the previous contents of C are irrelevant.
        let before = c.map(|_| factors[1]);
        let rows = compared(c.rows());
        let [before, c] = [&before, &c].map(|c| part(c, Some(&rows), Some(&rows)));
        let (a, b) = (inputs.matrix::<T>(i), second.then(|| rows_of(&inputs.right::<T>(i), how.trans, &rows)));
        residual(ops::exact::ranked(how, factors, (&rows_of(&a, how.trans, &rows), b.as_ref()), &before, &c))
    }))
}
