//! LQ factorisation, and QR with column pivoting.

use crate::bench::operands::Operands;
use crate::failure::Failure;
use crate::operation::{DEFAULTS, Input, Operation, Pending};
use tephra_testkit::ops::lu::integers;
use tephra_testkit::ops::pivoted::permuted;
use tephra_testkit::signatures;
use tephra_testkit::{Matrix, Scalar, ratios};

pub const ROWS: &[Operation] = &[
    Operation {
        name: "gelqf",
        help: "LQ factorisation, LAPACK `?gelqf`",
        signature: &signatures::GELQF,
        flops: |c| c.qr(),
        elements: |s| 2 * s.a + s.k,
        measure: measure!(factors),
        ..DEFAULTS
    },
    Operation {
        name: "geqp3",
        help: "QR factorisation with column pivoting, LAPACK `?geqp3`",
        signature: &signatures::GEQP3,
        flops: |c| c.qr(),
        elements: |s| 2 * s.a + s.k,
        overwrites: &[Input::A, Input::Jpvt],
        measure: measure!(pivoted),
        ..DEFAULTS
    },
];

/// Measures the adjoint of the factors as a QR factorisation of A^H.
fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    let adjoint = |x: &Matrix<T>| Matrix::from_double(&x.to_double().adjoint());
    Ok(Box::new(move || ratios::measure(&adjoint(&inputs.matrix(i)), &adjoint(&factors), tau.data())))
}

/// Measures QR's ratios for A P.
fn pivoted<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    let jpvt = integers(&o.interchanges::<T>(i)?);
    Ok(Box::new(move || ratios::measure(&permuted(&inputs.matrix(i), &jpvt), &factors, tau.data())))
}
