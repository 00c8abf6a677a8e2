//! symm, hemm.

use super::{BLAS, COMPLEX, is_zero};
use crate::measures;
use crate::ops::Uplo;
use crate::ops::cholesky::{hermitian, within};
use crate::ops::exact::Exact;
use crate::routines::routine::{Fill, Member, Operand, Routine, Sizes, Verdict, native, of_signature, scalar};
use crate::signatures;
use crate::{Field, Matrix, Scalar};

pub const ALL: &[&Routine] = &[&SYMM, &HEMM];

/// A holds one triangle and poison in the rest.
fn operands(p: &Sizes) -> Vec<Operand> {
    let of = |scalar, fill| if is_zero(p, scalar) { Fill::Poison } else { fill };
    let triangle = Fill::Triangle { upper: p["uplo"] == 121, unit: false };
    of_signature(p, &signatures::SYMM, &[of(0, triangle), of(0, Fill::Uniform), of(1, Fill::Uniform)])
}

fn product<T: Scalar>(member: &Member, adjoint: bool) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("C"));
    let [alpha, beta] = p.scalars.map(|x| scalar::<T>(x).to_double());
    let mut exact = Exact::zeros(got.rows(), got.cols());
    if !is_zero(p, 0) {
        let (a, b, uplo) = (member.before::<T>("A").to_double(), member.before::<T>("B").to_double(), uplo(p));
        let symmetric = |i, j| if within(uplo, i, j) { a[(i, j)] } else { a[(j, i)] };
        let a = if adjoint { hermitian(uplo, &a) } else { Matrix::from_fn(a.rows(), a.cols(), symmetric) };
        exact = if p["side"] == 141 { exact.product(alpha, &a, &b) } else { exact.product(alpha, &b, &a) };
    }
    if beta.abs() != 0.0 {
        exact = exact.plus(beta, &member.before::<T>("C").to_double());
    }
    Ok(exact.ratio(&got, |_, _| true))
}

fn uplo(p: &Sizes) -> Uplo {
    if p["uplo"] == 121 { Uplo::Upper } else { Uplo::Lower }
}

pub(in super::super) const SYMM: Routine = Routine {
    name: "symm",
    entries: &[native(signatures::SYMM.pointers()), native(signatures::SYMM.strided())],
    draw: |p, rng| {
        // The launch record draws no flags itself.
        for (word, first) in [("side", 141), ("uplo", 121)] {
            p.set(word, first + rng.below(2) as i64);
        }
    },
    operands,
    unchecked_args: |p, _| if is_zero(p, 0) { &["A", "B"] } else { &[] },
    measure: measures!(symm),
    ..BLAS
};

fn symm<T: Scalar>(member: &Member) -> Verdict {
    product::<T>(member, false)
}

pub(in super::super) const HEMM: Routine = Routine {
    name: "hemm",
    entries: &[native(signatures::HEMM.pointers()), native(signatures::HEMM.strided())],
    dtypes: COMPLEX,
    measure: measures!(hemm),
    ..SYMM
};

fn hemm<T: Scalar>(member: &Member) -> Verdict {
    product::<T>(member, true)
}
