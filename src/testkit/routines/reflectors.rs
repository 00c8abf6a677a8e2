//! orgqr, ormqr, gemqr, larft, larfb.

use super::flags::{side, trans};
use crate::Scalar;
use crate::measures;
use crate::ops::measure::{applied, block_applied, block_factor, difference, explicit_q, norm1};
use crate::routines::routine::{
    Entry, Fill, Interface, Member, ROUTINE, Routine, Sizes, Verdict, entry, native, of_signature,
};
use crate::signatures;

pub const ALL: &[&Routine] = &[&ORGQR, &ORMQR, &GEMQR, &LARFT, &LARFB];

pub(super) const ORGQR: Routine = Routine {
    name: "orgqr",
    entries: &[
        native(signatures::ORGQR.pointers()),
        native(signatures::ORGQR.strided()),
        native(signatures::ORGQR.magma()),
        native(signatures::ORGQR.one()),
        entry("cusolverDn?orgqr", "handle m n k A lda tau null zero info"),
        entry("magma_?orgqr_gpu", "m n k A lda host_tau null zero argument_info"),
    ],
    limit: |p| {
        p.at_most("n", p["m"]);
        p.at_most("k", p["n"]);
    },
    operands: |p| of_signature(p, &signatures::ORGQR, &[Fill::Reflectors(p["k"] as usize), Fill::Factors]),
    no_work: |p| p.any_zero(&["n", "batch"]),
    invalid_args: |p, _| vec![("n", p["m"] + 1), ("k", p["n"] + 1)],
    unchecked_args: |_, _| &["argument_info"],
    measure: measures!(orgqr),
    ..ROUTINE
};

fn orgqr<T: Scalar>(member: &Member) -> Verdict {
    Ok(explicit_q(&member.after::<T>("A"), &member.before("A"), &member.before("tau")))
}

/// Bad values: more reflectors than the order of their product; a plain transposition of complex matrices, if the entry
/// point has none (unless `plain`); and more columns of C than memory can hold.
fn invalid_args(p: &Sizes, entry: &Entry, plain: bool) -> Vec<(&'static str, i64)> {
    let mut wrong = vec![("k", p.order() + 1)];
    if p.dtype.is_complex() && !plain {
        wrong.push(("trans", if entry.interface().is_nvidias() { 1 } else { 112 }));
    }
    if entry.is_wide() && p["side"] == 141 && !p.any_zero(&["m", "n", "k", "batch"]) {
        wrong.push(("n", i64::MAX));
    }
    wrong
}

/// MAGMA's functions on one matrix, which have no conjugate transpose for real types.
fn on_host(entry: &Entry) -> bool {
    entry.has("hwork_size")
}

pub(super) const ORMQR: Routine = Routine {
    name: "ormqr",
    entries: &[
        native(signatures::ORMQR.pointers()),
        native(signatures::ORMQR.strided()),
        native(signatures::ORMQR.magma()),
        native(signatures::ORMQR.one()),
        entry("cusolverDn?ormqr", "handle side trans m n k A lda tau C ldc null zero info"),
        entry("magma_?ormqr_gpu", "side trans m n k A lda host_tau C ldc hwork hwork_size null zero argument_info"),
        entry("magma_?ormqr2_gpu", "side trans m n k A lda host_tau C ldc null hwork_size argument_info"),
    ],
    limit: |p| p.at_most("k", p.order()),
    operands: |p| {
        of_signature(p, &signatures::ORMQR, &[Fill::Reflectors(p["k"] as usize), Fill::Factors, Fill::Uniform])
    },
    no_work: |p| p.any_zero(&["m", "n", "k", "batch"]),
    supports: |p, entry| match (p["trans"], p.dtype.is_complex()) {
        (112, true) => entry.interface() == Interface::Native,
        (113, false) => !on_host(entry),
        _ => true,
    },
    invalid_args: |p, entry| {
        let mut wrong = invalid_args(p, entry, entry.interface() == Interface::Native);
        if on_host(entry) {
            // A bad leading dimension is not tested; of the workspace sizes, -2 is wrong, whereas -1 would be a query.
            wrong.push(("hwork_size", -2));
            wrong.extend((!p.dtype.is_complex()).then_some(("trans", 113)));
        }
        wrong
    },
    unchecked_args: |_, _| &["argument_info"],
    measure: measures!(ormqr),
    ..ROUTINE
};

fn ormqr<T: Scalar>(member: &Member) -> Verdict {
    let how = (side(member.sizes), trans(member.sizes));
    let reference = applied::<T>(how, &member.before("A"), &member.before("tau"), &member.before("C"));
    Ok(difference(&member.after::<T>("C"), &reference))
}

/// Sizes for which Q is the same as geqrf's, so that T is tau.
const GEMQR: Routine = Routine {
    name: "gemqr",
    entries: &[native(signatures::GEMQR.one()), native(signatures::GEMQR.strided())],
    limit: |p| {
        p.at_most("k", p.order());
        p.set("tsize", p["k"]);
    },
    operands: |p| {
        of_signature(p, &signatures::GEMQR, &[Fill::Reflectors(p["k"] as usize), Fill::Factors, Fill::Uniform])
    },
    no_work: |p| p.any_zero(&["m", "n", "k", "batch"]),
    invalid_args: |p, entry| [invalid_args(p, entry, true), vec![("tsize", p["tsize"] - 1)]].concat(),
    measure: measures!(gemqr),
    ..ROUTINE
};

fn gemqr<T: Scalar>(member: &Member) -> Verdict {
    let how = (side(member.sizes), trans(member.sizes));
    let reference = applied::<T>(how, &member.before("A"), &member.before("T"), &member.before("C"));
    Ok(difference(&member.after::<T>("C"), &reference))
}

const LARFT: Routine = Routine {
    name: "larft",
    entries: &[native(signatures::LARFT.pointers()), native(signatures::LARFT.strided())],
    limit: |p| p.at_most("k", p["m"]),
    operands: |p| {
        of_signature(p, &signatures::LARFT, &[Fill::Reflectors(p["k"] as usize), Fill::Factors, Fill::Poison])
    },
    no_work: |p| p.any_zero(&["k", "batch"]),
    invalid_args: |p, _| vec![("k", p["m"] + 1)],
    measure: measures!(larft),
    ..ROUTINE
};

fn larft<T: Scalar>(member: &Member) -> Verdict {
    Ok(block_factor::<T>(&member.before("V"), &member.before("tau"), &member.after("T")))
}

const LARFB: Routine = Routine {
    name: "larfb",
    entries: &[native(signatures::LARFB.pointers()), native(signatures::LARFB.strided())],
    limit: |p| p.at_most("k", p.order()),
    operands: |p| {
        of_signature(
            p,
            &signatures::LARFB,
            &[Fill::Reflectors(p["k"] as usize), Fill::Triangle { upper: true, unit: false }, Fill::Uniform],
        )
    },
    no_work: |p| p.any_zero(&["m", "n", "k", "batch"]),
    supports: |p, _| !p.dtype.is_complex() || p["trans"] != 112,
    invalid_args: |p, entry| invalid_args(p, entry, false),
    measure: measures!(larfb),
    ..ROUTINE
};

fn larfb<T: Scalar>(member: &Member) -> Verdict {
    let how = (side(member.sizes), trans(member.sizes));
    let c = member.before::<T>("C");
    let reference = block_applied::<T>(how, &member.before("V"), &member.before("T"), &c);
    // T is random, not that of a product of reflectors, so most of C may cancel; the errors are relative to C.
    let cancelled = norm1(&reference) / norm1(&c.to_double());
    Ok(difference(&member.after::<T>("C"), &reference) * cancelled.min(1.0))
}
