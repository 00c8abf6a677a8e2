//! Least squares, and triangular systems.

use super::products::letter;
use crate::bench::accuracy::{residual, solution};
use crate::bench::operands::Operands;
use crate::case::{Alpha, Case, Options, Trans};
use crate::failure::Failure;
use crate::grid::{Grid, right_hand_sides};
use crate::operation::{DEFAULTS, Input, MatrixKind, Operation, Pending, lacks_trans};
use tephra_testkit::ops::{self, exact, least_squares, measure};
use tephra_testkit::scalar::Field;
use tephra_testkit::signatures;
use tephra_testkit::{Matrix, Scalar};

pub const ROWS: &[Operation] = &[
    Operation {
        name: "gels",
        help: "Least squares, LAPACK `?gels`",
        signature: &signatures::GELS,
        elements: |s| 2 * s.a + 2 * s.b,
        unsupported: |c| lacks_trans(c, Trans::T),
        variant: |c| if c.options.trans == Trans::N { String::new() } else { letter(c.options.trans).to_owned() },
        overwrites: &[Input::A, Input::B],
        // cuBLAS has only these cases.
        cublas: |c| match c.options.trans == Trans::N && c.shape.m >= c.shape.n {
            true => &[("gels", "trans m n nrhs A lda B ldb host_info info batch")],
            false => &[],
        },
        measure: measure!(direct),
        ..LEAST
    },
    Operation {
        name: "gelsy",
        help: "Least squares of matrices of any rank, LAPACK `?gelsy`",
        signature: &signatures::GELSY,
        elements: |s| 2 * s.a + 2 * s.b,
        overwrites: &[Input::A, Input::B, Input::Jpvt],
        measure: measure!(of_any_rank),
        ..LEAST
    },
    Operation {
        name: "gels_iterative",
        help: "Least squares by iteration",
        signature: &signatures::GELS_ITERATIVE,
        // A is read once for A^H A and once for the residual.
        elements: |s| 2 * s.a + 2 * s.b + s.r,
        unsupported: wide,
        overwrites: &[],
        measure: measure!(iterated),
        ..LEAST
    },
    Operation {
        name: "trsm",
        help: "Triangular solve, BLAS `?trsm`",
        signature: &signatures::TRSM,
        flops: |c| c.order * c.m * c.n,
        // Only one triangle of A is read.
        elements: |s| s.a / 2 + 2 * s.b,
        grid: Some(Grid::Triangles),
        input: MatrixKind::DiagonallyDominant,
        overwrites: &[Input::B],
        cublas: |_| &[("trsm", "side uplo trans diag m n alpha A lda B ldb batch")],
        measure: measure!(triangular),
        ..DEFAULTS
    },
    // Sizes are uniformly distributed.
    Operation {
        name: "trsm_vbatched",
        help: "Triangular solves with sizes of their own: random ones up to m and n",
        signature: &signatures::TRSM,
        varying: true,
        flops: |c| c.order * c.m * c.n / if c.m == c.n { 4.0 } else { 6.0 },
        elements: |s| s.a / 6 + s.b / 2,
        grid: Some(Grid::Triangles),
        input: MatrixKind::DiagonallyDominant,
        overwrites: &[Input::B],
        measure: measure!(varying_triangle),
        ..DEFAULTS
    },
];

const LEAST: Operation = Operation {
    plan_options: "nrhs",
    // Both methods use the direct method's count, so that their rates are comparable.
    flops: |c| c.qr() + c.nrhs * (2.0 * c.short * (2.0 * c.tall - c.short) + c.short * c.short),
    grid: Some(Grid::Least),
    variants: one_and_eight,
    ..DEFAULTS
};

fn one_and_eight(c: &Case) -> Vec<Options> {
    right_hand_sides(c, &[(1, Trans::N), (8, Trans::N)])
}

fn wide(c: &Case) -> Option<String> {
    (c.shape.m < c.shape.n).then(|| format!("{} takes matrices with m >= n", c.op.name))
}

/// Measures the ratio of `?qrt17`, or that of the residual if there are no more equations than unknowns.
fn direct<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, trans, code) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options.trans.kit(), o.code(i)?);
    Ok(Box::new(move || {
        let (a, b) = (inputs.matrix(i), inputs.right(i));
        solution(code, system(trans, &a, &b).each_ref(), &x, || least_squares::least_squares(trans, &a, &b, &x))
    }))
}

/// op(A), and the rows of B that are right-hand sides. These are multiplied by a norm of A if it is more than 1: the
/// products of elements of A and X must be in range, too.
fn system<T: Scalar>(trans: ops::Trans, a: &Matrix<T>, b: &Matrix<T>) -> [Matrix<T::Double>; 2] {
    let op = exact::op(trans, &a.to_double());
    let norm = measure::norm1(&op).max(1.0);
    let b = Matrix::from_fn(op.rows(), b.cols(), |i, j| b[(i, j)].to_double().scale(norm));
    [op, b]
}

/// Measures the ratios of `?qrt17` and `?qrt14`, with the rank that the call reported.
fn of_any_rank<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, rank) = (o.inputs, o.result::<T>(&o.b, i)?, o.code(i)?);
    Ok(Box::new(move || {
        let (a, b, rank) = (inputs.matrix(i), inputs.right(i), usize::try_from(rank).unwrap_or(usize::MAX));
        let [op, scaled] = system(ops::Trans::N, &a, &b);
        let out_of_range = !x.is_finite() && least_squares::overflows::<T>(&op, &scaled);
        residual(if out_of_range { 0.0 } else { least_squares::shortest(&a, rank, &b, &x) })
    }))
}

/// The same measure as [`direct`], for X in its own operand.
fn iterated<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, code) = (o.inputs, o.result::<T>(&o.r, i)?, o.code(i)?);
    Ok(Box::new(move || {
        let (a, b, trans) = (inputs.matrix::<T>(i), inputs.right::<T>(i), ops::Trans::N);
        let ratio = || least_squares::least_squares(trans, &a, &b, &least_squares::with_residuals(&a, &b, &x));
        solution(code, system(trans, &a, &b).each_ref(), &x, ratio)
    }))
}

/// Measures B - op(A) X, or B - X op(A), where A is the triangle.
pub fn triangular<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, options) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options);
    Ok(Box::new(move || {
        // A vector with another increment than 1 is stored as a row, in reverse order if the increment is negative.
        let column = |x: Matrix<T>| match options.incx.0 {
            1 => x,
            apart => Matrix::from_fn(x.cols(), 1, |i, _| x[(0, if apart < 0 { x.cols() - 1 - i } else { i })]),
        };
        let (b, x) = (column(inputs.right(i)), column(x));
        residual(measure::solved(options.kit(), factor(options.alpha), &inputs.matrix(i), &b, &x))
    }))
}

/// [`triangular`] for a member with individual sizes.
fn varying_triangle<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, options, (m, n)) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options, o.size_of(i));
    Ok(Box::new(move || {
        let part = |a: &Matrix<T>, m, n| Matrix::from_fn(m, n, |r, c| a[(r, c)]);
        let how = options.kit();
        let order = if how.side == ops::Side::Left { m } else { n };
        let (a, b) = (part(&inputs.matrix(i), order, order), part(&inputs.right(i), m, n));
        residual(measure::solved(how, factor(options.alpha), &a, &b, &part(&x, m, n)))
    }))
}

/// The value of alpha.
pub fn factor<T: Scalar>(alpha: Alpha) -> T {
    T::from_double(if alpha == Alpha::Zero { T::Double::ZERO } else { T::Double::ONE })
}
