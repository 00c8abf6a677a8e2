//! LQ factorisations.

use super::{Operation, PLAIN};
use crate::bench::Failure;
use crate::bench::accuracy::Pending;
use crate::bench::operands::Operands;
use tephra_testkit::{Matrix, Scalar, ratios};

pub const ROWS: &[Operation] = &[Operation {
    name: "gelqf",
    help: "LQ factorisation, LAPACK `?gelqf`",
    words: "m n A lda tau batch work",
    flops: |c| c.qr(),
    elements: |s| 2 * s.a + s.k,
    judge: judge!(factors),
    ..PLAIN
}];

/// The adjoint of what is left of A is the QR factorisation of A^H.
fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    let adjoint = |x: &Matrix<T>| Matrix::narrow(&x.wide().adjoint());
    Ok(Box::new(move || ratios::measure(&adjoint(&inputs.matrix(i)), &adjoint(&factors), tau.data())))
}
