//! symm, hemm.

use super::{BLAS, COMPLEX, is_zero};
use crate::Scalar;
use crate::measures;
use crate::ops::blas::Symmetric;
use crate::ops::exact::symmetric_product;
use crate::ops::{Side, Uplo};
use crate::routines::routine::{Fill, Member, Operand, Routine, Sizes, Verdict, native, of_signature, scalar};
use crate::signatures;

pub const ALL: &[&Routine] = &[&SYMM, &HEMM];

/// A holds one triangle and poison in the rest.
fn operands(p: &Sizes) -> Vec<Operand> {
    let of = |scalar, fill| if is_zero(p, scalar) { Fill::Poison } else { fill };
    let triangle = Fill::Triangle { upper: p["uplo"] == 121, unit: false };
    of_signature(p, &signatures::SYMM, &[of(0, triangle), of(0, Fill::Uniform), of(1, Fill::Uniform)])
}

fn product<T: Scalar>(member: &Member, hermitian: bool) -> Verdict {
    let p = member.sizes;
    let side = if p["side"] == 141 { Side::Left } else { Side::Right };
    let uplo = if p["uplo"] == 121 { Uplo::Upper } else { Uplo::Lower };
    let [a, b, c] = ["A", "B", "C"].map(|name| member.before::<T>(name));
    let how = Symmetric { hermitian, side, uplo };
    Ok(symmetric_product(how, p.scalars.map(scalar), [&a, &b, &c], &member.after("C")))
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
