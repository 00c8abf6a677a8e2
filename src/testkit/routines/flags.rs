//! The flags in [`Sizes`], converted to the testkit's enums.

use crate::ops::solve::Triangular;
use crate::ops::{Diag, Side, Trans, Uplo};
use crate::routines::routine::Sizes;

fn of<F: Copy>(all: &[F], number: fn(F) -> i32, value: i64) -> F {
    *all.iter().find(|&&flag| i64::from(number(flag)) == value).expect("a CBLAS number")
}

pub fn side(p: &Sizes) -> Side {
    of(Side::ALL, Side::cblas, p["side"])
}

pub fn trans(p: &Sizes) -> Trans {
    trans_of(p, "trans")
}

/// The value of `trans_a` or `trans_b`.
pub fn trans_of(p: &Sizes, word: &str) -> Trans {
    of(Trans::ALL, Trans::cblas, p[word])
}

pub fn uplo(p: &Sizes) -> Uplo {
    of(Uplo::ALL, Uplo::cblas, p["uplo"])
}

pub fn triangular(p: &Sizes) -> Triangular {
    let diag = of(Diag::ALL, Diag::cblas, p["diag"]);
    Triangular { side: side(p), uplo: uplo(p), trans: trans(p), diag }
}
