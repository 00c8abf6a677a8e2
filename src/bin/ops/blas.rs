//! Symmetric and triangular products, triangular inverses and sums, for which vendors have no batched routines. alpha
//! is 1 and beta 0, except for sums, where both are 1.

use super::products::{RANKED, letter};
use super::solves::{factor, triangular};
use crate::bench::accuracy::{compared, part, residual};
use crate::bench::operands::Operands;
use crate::case::Trans;
use crate::failure::Failure;
use crate::grid::Grid;
use crate::operation::{DEFAULTS, Input, MatrixKind, Operation, Pending};
use tephra_testkit::ops::exact::{self, Exact};
use tephra_testkit::ops::{self, Side, residuals};
use tephra_testkit::scalar::Field;
use tephra_testkit::signatures;
use tephra_testkit::{Matrix, Scalar};

pub const ROWS: &[Operation] = &[
    Operation {
        name: "syr2k",
        signature: &signatures::SYR2K,
        help: "Symmetric product of two, BLAS `?syr2k`",
        ..OF_TWO
    },
    Operation {
        name: "her2k",
        signature: &signatures::HER2K,
        help: "Hermitian product of two, BLAS `?her2k`",
        complex: true,
        ..OF_TWO
    },
    Operation {
        name: "symm",
        signature: &signatures::SYMM,
        help: "Product with a symmetric matrix, BLAS `?symm`",
        ..OF_SYMMETRIC
    },
    Operation {
        name: "hemm",
        signature: &signatures::HEMM,
        help: "Product with a Hermitian matrix, BLAS `?hemm`",
        complex: true,
        ..OF_SYMMETRIC
    },
    Operation {
        name: "trmm",
        help: "Triangular product, BLAS `?trmm`",
        signature: &signatures::TRMM,
        flops: |c| c.order * c.m * c.n,
        elements: |s| s.a / 2 + 2 * s.b,
        grid: Some(Grid::Triangles),
        overwrites: &[Input::B],
        measure: measure!(multiplied),
        ..DEFAULTS
    },
    Operation {
        name: "trtri",
        help: "Inverse of a triangle, LAPACK `?trtri`",
        signature: &signatures::TRTRI,
        square: true,
        flops: |c| c.n.powi(3) / 3.0,
        elements: |s| s.a,
        input: MatrixKind::DiagonallyDominant,
        measure: measure!(inverted),
        ..DEFAULTS
    },
    Operation {
        name: "trsv",
        help: "Triangular solve with a vector, BLAS `?trsv`",
        signature: &signatures::TRSV,
        square: true,
        flops: |c| c.n * c.n,
        elements: |s| s.a / 2 + 2 * s.b,
        input: MatrixKind::DiagonallyDominant,
        overwrites: &[Input::B],
        measure: measure!(triangular),
        ..DEFAULTS
    },
    Operation {
        name: "geam",
        help: "Sum of matrices, cuBLAS `?geam`",
        signature: &signatures::GEAM,
        variant: |c| letter(c.options.trans).to_owned() + letter(c.options.trans_b),
        flops: |c| 2.0 * c.m * c.n,
        elements: |s| s.a + s.b + s.r,
        overwrites: &[],
        measure: measure!(sum),
        ..DEFAULTS
    },
];

const OF_TWO: Operation = Operation { flops: |c| 2.0 * c.n * (c.n + 1.0) * c.k, ..RANKED };

/// A product with a matrix of which only a triangle is stored.
const OF_SYMMETRIC: Operation = Operation {
    flops: |c| 2.0 * c.order * c.m * c.n,
    elements: |s| s.a / 2 + s.b + s.r,
    grid: Some(Grid::Triangles),
    overwrites: &[],
    measure: measure!(of_symmetric),
    ..DEFAULTS
};

/// Compares some columns of A B, or rows of B A.
fn of_symmetric<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, how, hermitian) = (o.inputs, o.result::<T>(&o.r, i)?, o.case.options.kit(), o.case.op.complex);
    Ok(Box::new(move || {
        let (stored, one) = (inputs.matrix::<T>(i).to_double(), <T as Scalar>::Double::ONE);
        let whole = Matrix::from_fn(stored.rows(), stored.cols(), |i, j| match (i == j, hermitian) {
            (true, true) => <T as Scalar>::Double::real(stored[(i, i)].re()),
            (true, false) => stored[(i, i)],
            _ if (how.uplo == ops::Uplo::Upper) == (i < j) => stored[(i, j)],
            (_, true) => stored[(j, i)].conj(),
            _ => stored[(j, i)],
        });
        let (b, zeros) = (inputs.right::<T>(i), Exact::zeros);
        let (exact, got) = match how.side {
            Side::Left => {
                let some = |x: &Matrix<T>| part(x, None, Some(&compared(x.cols())));
                (zeros(got.rows(), some(&b).cols()).product(one, &whole, &some(&b).to_double()), some(&got))
            }
            Side::Right => {
                let some = |x: &Matrix<T>| part(x, Some(&compared(x.rows())), None);
                (zeros(some(&b).rows(), got.cols()).product(one, &some(&b).to_double(), &whole), some(&got))
            }
        };
        residual(exact.ratio(&got, |_, _| true))
    }))
}

/// Compares some columns of op(A) B, or rows of B op(A).
fn multiplied<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, options) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options);
    Ok(Box::new(move || {
        let how = options.kit();
        let chosen = compared(if how.side == Side::Left { got.cols() } else { got.rows() });
        let some = |x: &Matrix<T>| match how.side {
            Side::Left => part(x, None, Some(&chosen)),
            Side::Right => part(x, Some(&chosen), None),
        };
        let alpha = factor(options.alpha);
        residual(exact::multiplied(how, alpha, &inputs.matrix(i), &some(&inputs.right(i)), &some(&got)))
    }))
}

/// Measures I - A C, where A is the triangle.
fn inverted<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, how) = (o.inputs, o.result::<T>(&o.a, i)?, o.case.options.kit());
    Ok(Box::new(move || {
        let (zero, one) = (<T as Scalar>::Double::ZERO, <T as Scalar>::Double::ONE);
        let triangle = |x: &Matrix<T>| {
            Matrix::from_fn(x.rows(), x.cols(), |i, j| match (i == j, (how.uplo == ops::Uplo::Upper) == (i < j)) {
                (true, _) if how.diag == ops::Diag::Unit => one,
                (false, false) => zero,
                _ => x[(i, j)].to_double(),
            })
        };
        residual(residuals::inverse(&triangle(&inputs.matrix(i)), &triangle(&got).map(T::from_double)))
    }))
}

/// Measures C - op(A) - op(B).
fn sum<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, options) = (o.inputs, o.result::<T>(&o.r, i)?, o.case.options);
    Ok(Box::new(move || {
        let [ta, tb] = [options.trans, options.trans_b].map(Trans::kit);
        let (one, a, b) =
            (<T as Scalar>::Double::ONE, inputs.matrix::<T>(i).to_double(), inputs.right::<T>(i).to_double());
        let exact = Exact::zeros(got.rows(), got.cols()).plus(one, &exact::op(ta, &a)).plus(one, &exact::op(tb, &b));
        residual(exact.ratio(&got, |_, _| true))
    }))
}
