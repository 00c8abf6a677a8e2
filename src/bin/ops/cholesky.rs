//! Cholesky factorisation, solves and inverses.

use super::lu::solution;
use crate::bench::accuracy::residual;
use crate::bench::operands::Operands;
use crate::case::{Case, Options, Trans, Uplo};
use crate::failure::Failure;
use crate::grid::{few_sides, right_hand_sides};
use crate::operation::{Calls, DEFAULTS, Input, Lapack, MatrixKind, Operation, Pending};
use tephra_testkit::ops::cholesky;
use tephra_testkit::signatures;
use tephra_testkit::{Matrix, Scalar};

pub const ROWS: &[Operation] = &[
    CHOLESKY,
    // Orders are uniformly distributed.
    Operation {
        name: "potrf_vbatched",
        help: "Cholesky factorisation of matrices with orders of their own: random ones up to n",
        signature: &signatures::POTRF,
        varying: true,
        flops: |c| c.n.powi(3) / 12.0,
        elements: |s| s.a / 3,
        measure: measure!(varying_factor),
        ..TRIANGLE
    },
    Operation {
        name: "potrs",
        help: "Solve with Cholesky's factor, LAPACK `?potrs`",
        signature: &signatures::POTRS,
        flops: |c| 2.0 * c.n * c.n * c.nrhs,
        elements: |s| s.a / 2 + 2 * s.b,
        variants: |c| {
            let n = c.shape.n;
            right_hand_sides(c, &[(1, Trans::N), (n.min(8), Trans::N), (n, Trans::N)])
        },
        prepared_by: Some(&CHOLESKY),
        overwrites: &[Input::B],
        cusolver: |c| of_one(c, &[POTRS]),
        ..SYSTEM
    },
    Operation {
        name: "posv",
        help: "Factor and solve, LAPACK `?posv`",
        signature: &signatures::POSV,
        flops: |c| c.n.powi(3) / 3.0 + 2.0 * c.n * c.n * c.nrhs,
        elements: |s| s.a + 2 * s.b,
        variants: few_sides,
        overwrites: &[Input::A, Input::B],
        cusolver: |c| of_one(c, &[POTRF, POTRS]),
        ..SYSTEM
    },
    Operation {
        name: "potri",
        help: "Inverse from Cholesky's factor, LAPACK `?potri`",
        signature: &signatures::POTRI,
        flops: |c| 2.0 / 3.0 * c.n.powi(3),
        prepared_by: Some(&CHOLESKY),
        lapack: Some(Lapack::Triangle),
        measure: measure!(inverse),
        ..TRIANGLE
    },
];

/// The factorisation that solves and inverses start from.
const CHOLESKY: Operation = Operation {
    name: "potrf",
    help: "Cholesky factorisation, LAPACK `?potrf`",
    signature: &signatures::POTRF,
    flops: |c| c.n.powi(3) / 3.0,
    variants: |c| [Uplo::Lower, Uplo::Upper].map(|uplo| Options { uplo, ..c.options }).to_vec(),
    tuned: true,
    cusolver: |_| &[POTRF],
    lapack: Some(Lapack::Triangle),
    measure: measure!(factor),
    ..TRIANGLE
};

const POTRF: (&str, &str) = ("potrf", "uplo n A lda info batch");
/// cuSOLVER's routine, which takes one right-hand side only.
const POTRS: (&str, &str) = ("potrs", "uplo n 1 A lda B ldb info batch");

fn of_one(c: &Case, calls: Calls) -> Calls {
    if c.options.nrhs == 1 { calls } else { &[] }
}

/// One triangle of a Hermitian matrix.
const TRIANGLE: Operation = Operation {
    square: true,
    default_options: |_, _| Options { uplo: Uplo::Lower, ..Options::default() },
    variant: |c| format!("{:?}", c.options.uplo)[..1].to_owned(),
    elements: |s| s.a,
    input: MatrixKind::Definite,
    ..DEFAULTS
};

/// Routines with right-hand sides.
const SYSTEM: Operation = Operation { plan_options: "nrhs", measure: measure!(solution), ..TRIANGLE };

/// Measures A - L L^H.
fn factor<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factor, uplo) = (o.inputs, o.result::<T>(&o.a, i)?, o.case.options.kit().uplo);
    Ok(Box::new(move || residual(cholesky::factorisation(uplo, &inputs.matrix(i), &factor))))
}

/// [`factor`] for a member with an individual order.
fn varying_factor<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factor, uplo) = (o.inputs, o.result::<T>(&o.a, i)?, o.case.options.kit().uplo);
    let (n, part) = (o.size_of(i).0, |a: &Matrix<T>, n| Matrix::from_fn(n, n, |r, c| a[(r, c)]));
    Ok(Box::new(move || residual(cholesky::factorisation(uplo, &part(&inputs.matrix(i), n), &part(&factor, n)))))
}

/// Measures I - A C, where C overwrote the factor.
fn inverse<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (before, got) = (o.before::<T>(&o.a, i)?, o.result::<T>(&o.a, i)?);
    let (inputs, uplo) = (o.inputs, o.case.options.kit().uplo);
    Ok(Box::new(move || residual(cholesky::inverted(uplo, &inputs.matrix::<T>(i).to_double(), &before, &got))))
}
