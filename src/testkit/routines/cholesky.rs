//! potrf, potrs, posv, potri.

use super::flags::uplo;
use crate::measures;
use crate::ops::Uplo;
use crate::ops::cholesky::{factorisation, hermitian, inverted, product, solved};
use crate::routines::routine::{
    Entry, Fill, Interface, Member, Operand, ROUTINE, Routine, Sizes, Verdict, Writes, entry, native, operand, updates,
};
use crate::scalar::worst;
use crate::signatures;
use crate::{Rng, Scalar};

pub const ALL: &[&Routine] = &[&POTRF, &POTRS, &POSV, &POTRI];

/// The fields that all of these routines share.
const CHOLESKY: Routine = Routine {
    no_work: |p| p.any_zero(&["n", "batch"]),
    draw: |p, rng| p.set("uplo", 121 + rng.below(2) as i64),
    launches: true,
    ..ROUTINE
};

/// Some calls get more right-hand sides, for which there are other kernels.
fn draw_sides(p: &mut Sizes, rng: &mut Rng) {
    (CHOLESKY.draw)(p, rng);
    if rng.below(2) == 0 {
        p.set("nrhs", p["nrhs"].min(3) * 4);
    }
}

/// cuSOLVER rejects a batch of 0 matrices.
fn has_matrices(p: &Sizes, entry: &Entry) -> bool {
    entry.is_single() || entry.interface() != Interface::Cusolver || p["batch"] > 0
}

fn no_matrices(entry: &Entry) -> Vec<(&'static str, i64)> {
    if entry.interface() == Interface::Cusolver && !entry.is_single() { vec![("batch", 0)] } else { vec![] }
}

/// MAGMA's one-matrix functions accept NULL for the info code.
pub(super) fn code_of_one(_: &Sizes, entry: &Entry) -> &'static [&'static str] {
    if entry.is_single() && entry.has("argument_info") { &["argument_info"] } else { &[] }
}

/// One triangle, whose elements the call either writes or only reads.
fn triangle(p: &Sizes, written: bool) -> Operand {
    let upper = uplo(p) == Uplo::Upper;
    let writes = match (written, upper) {
        (false, _) => Writes::Nothing,
        (true, true) => Writes::Upper,
        (true, false) => Writes::Lower,
    };
    operand(p, "A", (p["n"], p["n"]), Fill::Definite { upper }, writes)
}

pub(super) const POTRF: Routine = Routine {
    name: "potrf",
    entries: &[
        native(signatures::POTRF.pointers()),
        native(signatures::POTRF.strided()),
        entry("magma_?potrf_batched", "uplo n A lda info batch queue"),
        // MAGMA keeps the argument numbers of potrf here.
        entry("magma_?potrf_expert_batched", "uplo n zero zero A lda info batch queue")
            .numbers(&[("lda", 4), ("batch", 6)]),
        entry("magma_?potf2_batched", "uplo n A zero zero lda info zero batch queue"),
        entry("cusolverDn?potrfBatched", "handle uplo n A lda info batch"),
        entry("cusolverDn?potrf", "handle uplo n A lda null zero info"),
        entry("magma_?potrf_gpu", "uplo n A lda argument_info"),
    ],
    operands: |p| vec![triangle(p, true)],
    supports: has_matrices,
    invalid_args: |_, entry| no_matrices(entry),
    unchecked_args: code_of_one,
    measure: measures!(potrf),
    ..CHOLESKY
};

fn potrf<T: Scalar>(member: &Member) -> Verdict {
    Ok(factorisation::<T>(uplo(member.sizes), &member.before("A"), &member.after("A")))
}

pub(super) const POTRS: Routine = Routine {
    name: "potrs",
    entries: &[
        native(signatures::POTRS.pointers()),
        native(signatures::POTRS.strided()),
        entry("magma_?potrs_batched", "uplo n nrhs A lda B ldb batch queue"),
        entry("cusolverDn?potrsBatched", "handle uplo n nrhs A lda B ldb code batch"),
        entry("cusolverDn?potrs", "handle uplo n nrhs A lda B ldb code"),
        entry("magma_?potrs_gpu", "uplo n nrhs A lda B ldb argument_info"),
    ],
    operands: |p| vec![triangle(p, false), updates(p, "B", p["n"], p["nrhs"], Fill::Uniform)],
    draw: draw_sides,
    no_work: |p| p.any_zero(&["n", "nrhs", "batch"]),
    supports: has_matrices,
    invalid_args: |p, entry| {
        if (POTRS.no_work)(p) || !entry.is_wide() { no_matrices(entry) } else { vec![("nrhs", i64::MAX)] }
    },
    unchecked_args: code_of_one,
    measure: measures!(potrs),
    ..CHOLESKY
};

fn potrs<T: Scalar>(member: &Member) -> Verdict {
    let a = product(uplo(member.sizes), &member.before::<T>("A").to_double());
    Ok(solved::<T>(&a, &member.before("B"), &member.after("B")))
}

pub(super) const POSV: Routine = Routine {
    name: "posv",
    entries: &[
        native(signatures::POSV.pointers()),
        native(signatures::POSV.strided()),
        entry("magma_?posv_batched", "uplo n nrhs A lda B ldb info batch queue"),
    ],
    operands: |p| vec![triangle(p, true), updates(p, "B", p["n"], p["nrhs"], Fill::Uniform)],
    draw: draw_sides,
    // With no right-hand sides the call still factors A, except in MAGMA.
    supports: |p, entry| entry.interface() != Interface::Magma || p["nrhs"] > 0,
    invalid_args: |p, entry| if (POSV.no_work)(p) || !entry.is_wide() { vec![] } else { vec![("nrhs", i64::MAX)] },
    measure: measures!(posv),
    ..CHOLESKY
};

fn posv<T: Scalar>(member: &Member) -> Verdict {
    let a = hermitian(uplo(member.sizes), &member.before::<T>("A").to_double());
    Ok(worst(solved::<T>(&a, &member.before("B"), &member.after("B")), potrf::<T>(member)?))
}

pub(super) const POTRI: Routine = Routine {
    name: "potri",
    entries: &[native(signatures::POTRI.pointers()), native(signatures::POTRI.strided())],
    operands: |p| vec![triangle(p, true)],
    measure: measures!(potri),
    ..CHOLESKY
};

fn potri<T: Scalar>(member: &Member) -> Verdict {
    let (before, uplo) = (member.before::<T>("A"), uplo(member.sizes));
    Ok(inverted(uplo, &product(uplo, &before.to_double()), &before, &member.after("A")))
}
