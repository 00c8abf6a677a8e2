//! syrk, herk, syr2k, her2k.

use super::super::flags::trans;
use super::{BLAS, COMPLEX, is_zero, triangle_written};
use crate::measures;
use crate::ops::Trans;
use crate::ops::exact::{Exact, op};
use crate::routines::routine::{
    Entry, Fill, Member, Operand, Routine, Sizes, Verdict, entry, native, of_signature, scalar,
};
use crate::signatures::{self, Signature};
use crate::{Field, Matrix, Scalar};

pub const ALL: &[&Routine] = &[&SYRK, &HERK, &SYR2K, &HER2K, &SYRK_CORE, &HERK_CORE];

/// The factors, and the triangle of C to update. The other half of C is never read, and with beta = 0 none of it is.
fn operands(p: &Sizes, signature: &Signature) -> Vec<Operand> {
    let of = |scalar, fill| if is_zero(p, scalar) { Fill::Poison } else { fill };
    let mut fills = vec![of(0, Fill::Uniform); signature.operands.len() - 1];
    fills.push(of(1, Fill::Triangle { upper: p["uplo"] == 121, unit: false }));
    let mut operands = of_signature(p, signature, &fills);
    operands.last_mut().expect("C").writes = triangle_written(p);
    operands
}

/// The kind of update: one matrix with itself, two matrices multiplied both ways, or two matrices multiplied once.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    RankK,
    Rank2K,
    Product,
}

fn rank_update<T: Scalar>(member: &Member, hermitian: bool, kind: Kind) -> Verdict {
    let p = member.sizes;
    let n = p["n"] as usize;
    let adjoint = if hermitian { Trans::C } else { Trans::T };
    let [mut alpha, mut beta] = p.scalars.map(|x| scalar::<T>(x).to_double());
    let real = <T::Double as Field>::real;
    if hermitian && kind == Kind::RankK {
        alpha = real(alpha.re());
    }
    if hermitian && kind != Kind::Product {
        beta = real(beta.re());
    }
    let mut exact = Exact::zeros(n, n);
    if !is_zero(p, 0) && alpha.abs() != 0.0 {
        let a = op(trans(p), &member.before::<T>("A").to_double());
        let b = if kind == Kind::RankK { a.clone() } else { op(trans(p), &member.before::<T>("B").to_double()) };
        exact = exact.product(alpha, &a, &op(adjoint, &b));
        if kind == Kind::Rank2K {
            let alpha = if hermitian { alpha.conj() } else { alpha };
            exact = exact.product(alpha, &b, &op(adjoint, &a));
        }
    }
    if beta.abs() != 0.0 {
        let c = member.before::<T>("C").to_double();
        let c = Matrix::from_fn(n, n, |i, j| match (counts(p, i, j), hermitian && i == j) {
            (false, _) => T::Double::ZERO,
            (_, true) => real(c[(i, j)].re()),
            _ => c[(i, j)],
        });
        exact = exact.plus(beta, &c);
    }
    let got = member.after::<T>("C");
    if hermitian && kind != Kind::Product && (0..n).any(|i| got[(i, i)].to_double().im() != 0.0) {
        return Err("the diagonal is not real".into());
    }
    // The core function makes the diagonal real whatever the product's is, so it is excluded.
    Ok(exact.ratio(&got, |i, j| counts(p, i, j) && (i != j || !hermitian || kind != Kind::Product)))
}

fn counts(p: &Sizes, i: usize, j: usize) -> bool {
    if p["uplo"] == 121 { i <= j } else { i >= j }
}

fn no_update(p: &Sizes) -> bool {
    p.any_zero(&["n", "batch"])
}

/// Whether the transposition is valid: a symmetric product of complex matrices has no conjugate transpose.
fn no_adjoint(p: &Sizes) -> bool {
    !p.dtype.is_complex() || p["trans"] != 113
}

fn wrong_adjoint(p: &Sizes, _: &Entry) -> Vec<(&'static str, i64)> {
    if p.dtype.is_complex() { vec![("trans", 113)] } else { vec![] }
}

/// The factors are not read if alpha = 0 or k = 0.
fn unread(p: &Sizes) -> bool {
    is_zero(p, 0) || p["k"] == 0
}

pub(in super::super) const SYRK: Routine = Routine {
    name: "syrk",
    entries: &[
        native(signatures::SYRK.pointers()),
        native(signatures::SYRK.strided()),
        entry("magmablas_?syrk_batched", "uplo trans n k by_value A lda by_value C ldc batch queue"),
    ],
    limit: |p| {
        if !no_adjoint(p) {
            p.set("trans", 112);
        }
    },
    operands: |p| operands(p, &signatures::SYRK),
    no_work: no_update,
    supports: |p, _| no_adjoint(p),
    invalid_args: wrong_adjoint,
    unchecked_args: |p, _| if unread(p) { &["A"] } else { &[] },
    measure: measures!(syrk),
    ..BLAS
};

fn syrk<T: Scalar>(member: &Member) -> Verdict {
    rank_update::<T>(member, false, Kind::RankK)
}

/// For complex types only.
pub(in super::super) const HERK: Routine = Routine {
    name: "herk",
    entries: &[
        native(signatures::HERK.pointers()),
        native(signatures::HERK.strided()),
        entry("magmablas_?herk_batched", "uplo trans n k real_value A lda real_value C ldc batch queue"),
        entry("magma_?herk_batched", "uplo trans n k real_value A lda real_value C ldc batch queue"),
    ],
    dtypes: COMPLEX,
    limit: |p| {
        p.scalars = p.scalars.map(|(re, _)| (re, 0.0));
        if p["trans"] == 112 {
            p.set("trans", 113);
        }
    },
    supports: |p, _| p["trans"] != 112,
    invalid_args: |_, _| vec![("trans", 112)],
    measure: measures!(herk),
    ..SYRK
};

fn herk<T: Scalar>(member: &Member) -> Verdict {
    rank_update::<T>(member, true, Kind::RankK)
}

pub(in super::super) const SYR2K: Routine = Routine {
    name: "syr2k",
    entries: &[
        native(signatures::SYR2K.pointers()),
        native(signatures::SYR2K.strided()),
        entry("magmablas_?syr2k_batched", "uplo trans n k by_value A lda B ldb by_value C ldc batch queue"),
    ],
    operands: |p| operands(p, &signatures::SYR2K),
    unchecked_args: |p, _| if unread(p) { &["A", "B"] } else { &[] },
    measure: measures!(syr2k),
    ..SYRK
};

fn syr2k<T: Scalar>(member: &Member) -> Verdict {
    rank_update::<T>(member, false, Kind::Rank2K)
}

pub(in super::super) const HER2K: Routine = Routine {
    name: "her2k",
    entries: &[
        native(signatures::HER2K.pointers()),
        native(signatures::HER2K.strided()),
        entry("magmablas_?her2k_batched", "uplo trans n k by_value A lda B ldb real_value C ldc batch queue"),
    ],
    dtypes: COMPLEX,
    limit: |p| {
        p.scalars[1].1 = 0.0;
        if p["trans"] == 112 {
            p.set("trans", 113);
        }
    },
    supports: HERK.supports,
    invalid_args: HERK.invalid_args,
    measure: measures!(her2k),
    ..SYR2K
};

fn her2k<T: Scalar>(member: &Member) -> Verdict {
    rank_update::<T>(member, true, Kind::Rank2K)
}

/// Arguments of MAGMA's core functions, on blocks that start at the matrices' first elements.
const CORE: &str = "uplo trans n k by_value A zero zero lda B zero zero ldb by_value C zero zero ldc batch queue";

pub(in super::super) const SYRK_CORE: Routine = Routine {
    name: "syrk core",
    entries: &[entry("magmablas_?syrk_batched_core", CORE)],
    measure: measures!(syrk_core),
    launches: false,
    ..SYR2K
};

fn syrk_core<T: Scalar>(member: &Member) -> Verdict {
    rank_update::<T>(member, false, Kind::Product)
}

pub(in super::super) const HERK_CORE: Routine = Routine {
    name: "herk core",
    entries: &[entry("magmablas_?herk_batched_core", CORE)],
    measure: measures!(herk_core),
    launches: false,
    ..HER2K
};

fn herk_core<T: Scalar>(member: &Member) -> Verdict {
    rank_update::<T>(member, true, Kind::Product)
}
