//! QR factorisation, and forming or applying Q.

use crate::bench::accuracy::residual;
use crate::bench::operands::Operands;
use crate::case::{Case, Options, Part, Shape, Side, Trans};
use crate::failure::Failure;
use crate::grid::Grid;
use crate::operation::{DEFAULTS, Input, Lapack, Operation, Pending};
use tephra_testkit::Dtype;
use tephra_testkit::ops::measure;
use tephra_testkit::ratios::{self, Ratios};
use tephra_testkit::scalar::Field;
use tephra_testkit::signatures;
use tephra_testkit::{Matrix, Scalar};

pub const ROWS: &[Operation] = &[
    QR,
    Operation {
        name: "geqrf_vbatched",
        help: "QR of matrices with sizes of their own: random ones up to m and n",
        signature: &signatures::GEQRF,
        varying: true,
        // The average over uniformly distributed sizes.
        flops: |c| c.qr() / 4.0,
        elements: |s| 2 * s.a / 3,
        measure: measure!(varying_factors),
        ..DEFAULTS
    },
    Operation {
        name: "orgqr",
        help: "Q over its reflectors, LAPACK `?orgqr`",
        signature: &signatures::ORGQR,
        default_options: |_, s| Options { k: s.m.min(s.n), ..Options::default() },
        unsupported: |c| {
            let wide = || (c.shape.n > c.shape.m).then(|| "Q has no more columns than rows".to_owned());
            too_many(c).or_else(wide)
        },
        plan_options: "k",
        flops: |c| c.q(c.n, c.k),
        elements: |s| s.m * s.k + s.k + s.a,
        grid: Some(Grid::Q),
        prepared_by: Some(&QR),
        measure: measure!(q),
        ..DEFAULTS
    },
    Operation {
        name: "ormqr",
        help: "Q applied, LAPACK `?ormqr`",
        signature: &signatures::ORMQR,
        prepared_by: Some(&QR),
        measure: measure!(product),
        ..APPLIED
    },
    Operation {
        name: "qr",
        help: "QR with explicit Q and R",
        column: Some("qrq"),
        signature: &signatures::QR,
        variant: |c| match c.options.part {
            Part::Thin => String::new(),
            other => format!("{other:?}"),
        },
        // Q costs as much as orgqr of min(m, n) reflectors.
        flops: |c| c.qr() + if c.b_columns > 0.0 { c.q(c.b_columns, c.short) } else { 0.0 },
        elements: |s| s.a + s.b + s.r,
        grid: Some(Grid::Q),
        measure: measure!(explicit),
        ..DEFAULTS
    },
    IMPLICIT,
    Operation {
        name: "gemqr",
        help: "That Q applied, LAPACK `?gemqr`",
        signature: &signatures::GEMQR,
        strided: true,
        prepared_by: Some(&IMPLICIT),
        measure: measure!(applied),
        ..APPLIED
    },
];

/// The factorisation whose reflectors define Q.
const QR: Operation = Operation {
    name: "geqrf",
    help: "QR factorisation, LAPACK `?geqrf`",
    column: Some("qr"),
    signature: &signatures::GEQRF,
    flops: |c| c.qr(),
    elements: |s| 2 * s.a + s.k,
    tuned: true,
    cublas: |_| &[("geqrf", "m n A lda tau host_info batch")],
    lapack: Some(Lapack::Geqrf),
    measure: measure!(factors),
    limit: |c| ratios::residual_limit(c.dtype, c.shape.m),
    ..DEFAULTS
};

/// The factorisation whose implicit Q `gemqr` applies.
const IMPLICIT: Operation = Operation {
    name: "geqr",
    help: "QR with an implicit Q, LAPACK `?geqr`",
    signature: &signatures::GEQR,
    strided: true,
    flops: |c| c.qr(),
    elements: |s| 2 * s.a + s.k,
    grid: Some(Grid::Q),
    measure: measure!(implicit),
    ..DEFAULTS
};

/// Routines that apply Q, of k reflectors, to a matrix of the shape.
const APPLIED: Operation = Operation {
    default_options: adjoint,
    unsupported: too_many,
    plan_options: "k trans",
    flops: |c| 2.0 * c.k * (2.0 * c.order - c.k) * (c.m * c.n / c.order),
    elements: |s| s.a + s.k + 2 * s.b,
    grid: Some(Grid::Q),
    overwrites: &[Input::B],
    ..DEFAULTS
};

fn adjoint(dtype: Dtype, shape: Shape) -> Options {
    Options { k: shape.m.min(shape.n), trans: Trans::adjoint(dtype), ..Options::default() }
}

/// Rejects more reflectors than A has.
fn too_many(c: &Case) -> Option<String> {
    let ((rows, columns), k) = (c.a_size(), c.options.k);
    (k > rows.min(columns)).then(|| format!("--k {k} does not fit A"))
}

/// Measures the ratios of `?qrt01`.
fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    Ok(Box::new(move || ratios::measure(&inputs.matrix(i), &factors, tau.data())))
}

/// [`factors`] for a member with an individual size.
fn varying_factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    let (m, n) = o.size_of(i);
    let part = move |a: &Matrix<T>| Matrix::from_fn(m, n, |r, c| a[(r, c)]);
    Ok(Box::new(move || ratios::measure(&part(&inputs.matrix(i)), &part(&factors), &tau.data()[..m.min(n)])))
}

/// Compares Q with that of the same reflectors in double precision, and measures its orthogonality.
fn q<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (v, tau, q) = (o.before::<T>(&o.a, i)?, o.before::<T>(&o.tau, i)?, o.result::<T>(&o.a, i)?);
    Ok(Box::new(move || {
        let known = Matrix::from_fn(v.rows(), tau.rows(), |i, j| v[(i, j)]);
        let orthogonality = measure::orthogonality(&q);
        Ratios { residual: measure::explicit_q(&q, &known, &tau), orthogonality, ..Ratios::default() }
    }))
}

/// Compares op(Q) C or C op(Q) with the same product in double precision.
fn product<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (v, tau, op) = (o.before::<T>(&o.a, i)?, o.before::<T>(&o.tau, i)?, o.case.options.kit());
    let (inputs, got) = (o.inputs, o.result::<T>(&o.b, i)?);
    Ok(Box::new(move || {
        let c = inputs.right(i);
        residual(measure::difference(&got, &measure::applied((op.side, op.trans), &v, &tau, &c)))
    }))
}

/// Measures A - Q R and Q's orthogonality; without Q, compares A^H A with R^H R.
fn explicit<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, q, r) = (o.inputs, o.result::<T>(&o.b, i)?, o.result::<T>(&o.r, i)?);
    let without = o.case.options.part == Part::None;
    Ok(Box::new(move || {
        let a = inputs.matrix(i);
        if without {
            return residual(measure::gram(&a, &r));
        }
        let orthogonality = measure::orthogonality(&q);
        Ratios { residual: measure::product(&a, &q, &r), orthogonality, ..Ratios::default() }
    }))
}

/// Compares A^H A with R^H R.
fn implicit<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, a) = (o.inputs, o.result::<T>(&o.a, i)?);
    let zero = T::from_double(Field::real(0.0));
    let r = Matrix::from_fn(a.rows().min(a.cols()), a.cols(), |i, j| if i <= j { a[(i, j)] } else { zero });
    Ok(Box::new(move || residual(measure::gram(&inputs.matrix(i), &r))))
}

/// Compares C^H C, or C C^H, with the same product of op(Q) C or C op(Q).
fn applied<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, got, left) = (o.inputs, o.result::<T>(&o.b, i)?, o.case.options.side == Side::Left);
    Ok(Box::new(move || {
        let turned = |x: Matrix<T>| if left { x } else { Matrix::from_double(&x.to_double().adjoint()) };
        residual(measure::products(&turned(inputs.right(i)), &turned(got)))
    }))
}
