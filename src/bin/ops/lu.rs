//! LU factorisation, solves and inverses. cuBLAS has routines for square matrices; where it lacks one, it is measured
//! with a sequence of two.

use crate::bench::accuracy::{self, residual};
use crate::bench::operands::Operands;
use crate::case::{Case, Shape, Trans};
use crate::failure::Failure;
use crate::grid::{Grid, few_sides, right_hand_sides, squares};
use crate::operation::{Calls, DEFAULTS, Input, MatrixKind, Operation, Pending};
use tephra_testkit::ops::{exact, measure, residuals};
use tephra_testkit::scalar::Field;
use tephra_testkit::signatures;
use tephra_testkit::{Dtype, Matrix, Scalar};

pub const ROWS: &[Operation] = &[
    LU,
    Operation {
        name: "getrf_nopiv",
        help: "The same without pivoting",
        column: Some("lunp"),
        signature: &signatures::GETRF_NOPIV,
        input: MatrixKind::DiagonallyDominant,
        cublas: |c| if is_square(c) { &[("getrf", "n A lda null info batch")] } else { &[] },
        ..FACTORED
    },
    Operation {
        name: "getrf_vbatched",
        help: "LU of matrices with sizes of their own: random ones up to m and n",
        signature: &signatures::GETRF,
        ..VARYING
    },
    Operation {
        name: "getrf_nopiv_vbatched",
        help: "The same without pivoting",
        signature: &signatures::GETRF_NOPIV,
        input: MatrixKind::DiagonallyDominant,
        ..VARYING
    },
    Operation {
        name: "getrs",
        help: "Solve with LU's factors, LAPACK `?getrs`",
        signature: &signatures::GETRS,
        variant: |c| format!("{:?}", c.options.trans),
        plan_options: "nrhs trans",
        flops: |c| 2.0 * c.n * c.n * c.nrhs,
        elements: |s| s.a + 2 * s.b,
        variants: |c| {
            let n = c.shape.n;
            right_hand_sides(c, &[(1, Trans::N), (1, Trans::T), (n.min(8), Trans::N), (n, Trans::N)])
        },
        prepared_by: Some(&LU),
        overwrites: &[Input::B],
        cublas: |_| &[GETRS],
        ..SYSTEM
    },
    Operation { name: "gesv", help: "Factor and solve, LAPACK `?gesv`", signature: &signatures::GESV, ..SYSTEM },
    Operation {
        name: "gesv_rbt",
        help: "The same without pivoting, after random butterflies, MAGMA `?gesv_rbt`",
        signature: &signatures::GESV_RBT,
        input: MatrixKind::DiagonallyDominant,
        ..SYSTEM
    },
    Operation {
        name: "getri",
        help: "Inverse from LU's factors, LAPACK `?getri`",
        signature: &signatures::GETRI,
        flops: |c| 4.0 / 3.0 * c.n.powi(3),
        prepared_by: Some(&LU),
        cublas: |_| &[GETRI],
        ..INVERSE
    },
    Operation {
        name: "inv",
        help: "Inverse",
        signature: &signatures::INV,
        flops: |c| 2.0 * c.n.powi(3),
        cublas: |c| match c.shape.n {
            ..=MATINV_LARGEST => &[("matinv", "n A lda B ldb info batch")],
            _ => &[GETRF, GETRI],
        },
        ..INVERSE
    },
];

/// The factorisation that solves and inverses start from.
const LU: Operation = Operation {
    name: "getrf",
    help: "LU factorisation with partial pivoting, LAPACK `?getrf`",
    column: Some("lu"),
    signature: &signatures::GETRF,
    cublas: |c| if is_square(c) { &[GETRF] } else { &[] },
    ..FACTORED
};

/// cuBLAS's routines for square matrices.
const GETRF: (&str, &str) = ("getrf", "n A lda pivots info batch");
const GETRS: (&str, &str) = ("getrs", "trans n nrhs A lda pivots B ldb host_info batch");
const GETRI: (&str, &str) = ("getri", "n A lda pivots B ldb info batch");
const SYSTEMS: Calls = &[GETRF, GETRS];

/// The largest order that cuBLAS's `matinv` takes.
const MATINV_LARGEST: usize = 32;

/// A factorisation.
const FACTORED: Operation =
    Operation { flops: |c| c.lu(), extra_shapes: as_peers, tuned: true, measure: measure!(factors), ..DEFAULTS };

/// A factorisation of members with individual, uniformly distributed sizes: on average, a member has a quarter of the
/// largest one's operations and a third of its elements.
const VARYING: Operation = Operation {
    varying: true,
    flops: |c| c.lu() / 4.0,
    elements: |s| 2 * s.a / 3,
    measure: measure!(varying_factors),
    ..DEFAULTS
};

/// A linear system that is factored and solved.
const SYSTEM: Operation = Operation {
    square: true,
    plan_options: "nrhs",
    flops: |c| c.lu() + 2.0 * c.n * c.n * c.nrhs,
    elements: |s| 2 * s.a + 2 * s.b,
    variants: few_sides,
    overwrites: &[Input::A, Input::B],
    cublas: |_| SYSTEMS,
    measure: measure!(solution),
    ..DEFAULTS
};

/// An out-of-place inverse.
const INVERSE: Operation = Operation { square: true, elements: |s| s.a + s.b, measure: measure!(inverse), ..DEFAULTS };

fn is_square(c: &Case) -> bool {
    c.shape.m == c.shape.n
}

/// The shapes on which other projects measure LU; the largest only in the real types, because checking their results
/// takes the host long.
fn as_peers(dtype: Dtype) -> Vec<Shape> {
    let few = squares(&[256, 512], 64).chain(squares(&[1024, 2048], 16));
    let more = if dtype.is_complex() { vec![] } else { Grid::Optimiser.shapes() };
    squares(&[4, 24], 100_000).chain(few).chain(more).collect()
}

/// Measures A - P L U; without pivoting, P is the identity.
fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors) = (o.inputs, o.result::<T>(&o.a, i)?);
    let none = Matrix::from_fn(0, 1, |_, _| T::POISON);
    let ipiv = if o.case.op.has("ipiv") { o.interchanges(i)? } else { none };
    Ok(Box::new(move || residual(residuals::factorisation(&inputs.matrix(i), &factors, &ipiv))))
}

/// [`factors`] for a member with an individual size.
fn varying_factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, (m, n)) = (o.inputs, o.result::<T>(&o.a, i)?, o.size_of(i));
    let ipiv = if o.case.op.has("ipiv") { o.interchanges::<T>(i)? } else { Matrix::from_fn(0, 1, |_, _| T::POISON) };
    let steps = ipiv.rows().min(m.min(n));
    let part = |a: &Matrix<T>, m, n| Matrix::from_fn(m, n, |r, c| a[(r, c)]);
    let (factors, ipiv) = (part(&factors, m, n), part(&ipiv, steps, 1));
    Ok(Box::new(move || residual(residuals::factorisation(&part(&inputs.matrix(i), m, n), &factors, &ipiv))))
}

/// Measures B - op(A) X.
pub fn solution<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, trans, code) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options.trans.kit(), o.code(i)?);
    Ok(Box::new(move || {
        let (a, b) = (inputs.matrix::<T>(i), inputs.right(i));
        let wide = a.to_double();
        let ratio = || residuals::solution(trans, &wide, &b, &x) / residuals::growth(&a);
        accuracy::solution(code, [&exact::op(trans, &wide), &b.to_double()], &x, ratio)
    }))
}

/// Measures I - A C.
fn inverse<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c, code) = (o.inputs, o.result::<T>(&o.b, i)?, o.code(i)?);
    Ok(Box::new(move || {
        let a = inputs.matrix::<T>(i);
        // The inverse is computed from products of its elements and those of U, which are about as large as A's: these
        // must be in range, too.
        let wide = a.to_double();
        let reach = measure::norm1(&wide).max(1.0);
        let products = Matrix::from_fn(a.rows(), a.rows(), |i, j| T::Double::real(if i == j { reach } else { 0.0 }));
        let ratio = || residuals::inverse(&wide, &c) / residuals::growth(&a);
        accuracy::solution(code, [&wide, &products], &c, ratio)
    }))
}
