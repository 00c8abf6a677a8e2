//! trmm, trsm of blocks, trsv, trtri.

use super::super::flags::triangular;
use super::{BLAS, is_zero, triangle_written};
use crate::measures;
use crate::ops::exact::{Exact, inverted, multiplied};
use crate::ops::measure::solved;
use crate::ops::solve::Triangular;
use crate::ops::{Side, Trans};
use crate::routines::routine::{
    Entry, Fill, Member, Routine, Sizes, Verdict, entry, native, of_signature, operand, scalar,
};
use crate::signatures;
use crate::{Field, Matrix, Scalar};

pub const ALL: &[&Routine] = &[&TRMM, &TRMM_CORE, &TRSM_BLOCKS, &TRSV, &TRTRI];

/// A value of `word` so large that the extent overflows, for functions in which no other argument would be reported
/// first.
fn too_many(word: &'static str, p: &Sizes, entry: &Entry, idle: bool) -> Vec<(&'static str, i64)> {
    if entry.is_wide() && !idle && p[word] > 0 { vec![(word, i64::MAX)] } else { vec![] }
}

fn stored_triangle(p: &Sizes) -> Fill {
    Fill::Triangle { upper: p["uplo"] == 121, unit: p["diag"] == 132 }
}

/// The triangle that the call reads; poison if alpha = 0, because then it reads none.
fn triangle(p: &Sizes) -> Fill {
    if is_zero(p, 0) { Fill::Poison } else { stored_triangle(p) }
}

pub(in super::super) const TRMM: Routine = Routine {
    name: "trmm",
    entries: &[
        native(signatures::TRMM.pointers()),
        native(signatures::TRMM.strided()),
        entry("magmablas_?trmm_batched", "side uplo trans diag m n by_value A lda B ldb batch queue"),
    ],
    draw: |p, rng| {
        // The launch record draws no flags itself.
        for (word, first, count) in [("side", 141, 2), ("uplo", 121, 2), ("diag", 131, 2)] {
            p.set(word, first + rng.below(count) as i64);
        }
    },
    operands: |p| of_signature(p, &signatures::TRMM, &[triangle(p), Fill::Uniform]),
    invalid_args: |p, entry| if p["side"] == 141 { too_many("n", p, entry, (BLAS.no_work)(p)) } else { vec![] },
    unchecked_args: |p, _| if is_zero(p, 0) { &["A"] } else { &[] },
    measure: measures!(trmm),
    ..BLAS
};

fn trmm<T: Scalar>(member: &Member) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("B"));
    if is_zero(p, 0) {
        return Ok(Exact::<T::Double>::zeros(got.rows(), got.cols()).ratio(&got, |_, _| true));
    }
    Ok(multiplied::<T>(triangular(p), scalar(p.scalars[0]), &member.before("A"), &member.before("B"), &got))
}

const BLOCKS: &str = "side uplo trans diag m n by_value A zero zero lda B zero zero ldb batch queue";

const TRMM_CORE: Routine =
    Routine { name: "trmm core", entries: &[entry("magmablas_?trmm_batched_core", BLOCKS)], launches: false, ..TRMM };

const TRSM_BLOCKS: Routine = Routine {
    name: "trsm of blocks",
    entries: &[entry("magmablas_?trsm_small_batched", BLOCKS), entry("magmablas_?trsm_recursive_batched", BLOCKS)],
    measure: measures!(trsm),
    launches: false,
    ..TRMM
};

fn trsm<T: Scalar>(member: &Member) -> Verdict {
    let (p, x) = (member.sizes, member.after::<T>("B"));
    if is_zero(p, 0) {
        return Ok(Exact::<T::Double>::zeros(x.rows(), x.cols()).ratio(&x, |_, _| true));
    }
    Ok(solved::<T>(triangular(p), scalar(p.scalars[0]), &member.before("A"), &member.before("B"), &x))
}

pub(in super::super) const TRSV: Routine = Routine {
    name: "trsv",
    entries: &[
        native(signatures::TRSV.pointers()),
        native(signatures::TRSV.strided()),
        entry("magmablas_?trsv_batched", "uplo trans diag n A lda X incx batch queue"),
        entry("magmablas_?trsv_recursive_batched", "uplo trans diag n A zero zero lda X zero incx batch queue"),
    ],
    draw: TRMM.draw,
    operands: |p| of_signature(p, &signatures::TRSV, &[stored_triangle(p), Fill::Uniform]),
    no_work: |p| p.any_zero(&["n", "batch"]),
    measure: measures!(trsv),
    ..BLAS
};

fn trsv<T: Scalar>(member: &Member) -> Verdict {
    let how = Triangular { side: Side::Left, ..triangular(member.sizes) };
    let column = |x: Matrix<T>| Matrix::from_fn(x.cols(), 1, |i, _| x[(0, i)]);
    let one = T::from_double(T::Double::ONE);
    let (b, x) = (column(member.before("X")), column(member.after("X")));
    Ok(solved::<T>(how, one, &member.before("A"), &b, &x))
}

const TRTRI: Routine = Routine {
    name: "trtri",
    entries: &[native(signatures::TRTRI.pointers()), native(signatures::TRTRI.strided())],
    draw: TRMM.draw,
    operands: |p| vec![operand(p, "A", (p["n"], p["n"]), stored_triangle(p), triangle_written(p))],
    no_work: |p| p.any_zero(&["n", "batch"]),
    measure: measures!(trtri),
    ..BLAS
};

fn trtri<T: Scalar>(member: &Member) -> Verdict {
    let how = Triangular { side: Side::Left, trans: Trans::N, ..triangular(&with_flags(member.sizes)) };
    Ok(inverted::<T>(how, &member.before("A"), &member.after("A")))
}

/// Adds the flags that trtri does not have.
fn with_flags(p: &Sizes) -> Sizes {
    let mut p = p.clone();
    p.set("side", 141);
    p.set("trans", 111);
    p
}
