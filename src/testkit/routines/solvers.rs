//! gels, gelsy, gels_iterative, geqrs, trsm.

use super::flags::{trans, triangular};
use crate::measures;
use crate::ops::Trans;
use crate::ops::least_squares::{least_squares, with_residuals};
use crate::ops::measure::solved;
use crate::routines::routine::{
    Entry, Fill, Interface, Member, ROUTINE, Routine, Sizes, Verdict, Writes, entry, native, of_signature, operand,
    reads, scalar, updates,
};
use crate::signatures;
use crate::{Field, Matrix, Scalar, householder};

pub const ALL: &[&Routine] = &[&GELS, &GELSY, &GELS_ITERATIVE, &GEQRS, &TRSM, &TRSM_OUT_OF_PLACE];

pub(super) const GELS: Routine = Routine {
    name: "gels",
    entries: &[
        native(signatures::GELS.pointers()),
        native(signatures::GELS.strided()),
        // cuBLAS numbers the arguments in its own way; 0 means "not supported".
        entry("cublas?gelsBatched", "handle trans m n nrhs A lda B ldb argument_info info batch").numbers(&[
            ("trans", 0),
            ("m", 1),
            ("nrhs", 2),
            ("n", 3),
            ("A", 4),
            ("lda", 5),
            ("B", 6),
            ("ldb", 7),
            ("batch", 8),
        ]),
        native(signatures::GELS.magma()),
        native(signatures::GELS.one()),
    ],
    // The matrices are well-conditioned because the ratios require it: errors of X enter the residuals.
    operands: |p| of_signature(p, &signatures::GELS, &[Fill::DiagonallyDominant, Fill::Uniform]),
    // Without equations there is still a solution to write, namely zero; without unknowns there is none.
    no_work: |p| {
        let unknowns = p[if p["trans"] == 111 { "n" } else { "m" }];
        p["batch"] == 0 || unknowns == 0 || (p.smaller() == 0 && p["nrhs"] == 0)
    },
    supports: |p, entry| match entry.interface() {
        Interface::Cublas => p["trans"] == 111 && p["m"] >= p["n"],
        _ => !p.dtype.is_complex() || p["trans"] != 112,
    },
    invalid_args: |p, entry| {
        let mut wrong = vec![];
        if p.dtype.is_complex() || entry.interface() == Interface::Cublas {
            wrong.push(("trans", 112));
        }
        if entry.is_wide() && !(GELS.no_work)(p) {
            wrong.push(("nrhs", i64::MAX));
        }
        wrong
    },
    measure: measures!(gels),
    ..ROUTINE
};

fn gels<T: Scalar>(member: &Member) -> Verdict {
    Ok(least_squares::<T>(trans(member.sizes), &member.before("A"), &member.before("B"), &member.after("B")))
}

/// Omits the ranks.
const NO_RANKS: &[(&str, &str)] = &[("rank", "null")];

const GELSY: Routine = Routine {
    name: "gelsy",
    entries: &[
        native(signatures::GELSY.pointers().replacing(NO_RANKS)),
        native(signatures::GELSY.strided().replacing(NO_RANKS)),
    ],
    operands: |p| of_signature(p, &signatures::GELSY, &[Fill::DiagonallyDominant, Fill::Uniform, Fill::ColumnChoice]),
    no_work: |p| p.any_zero(&["batch", "n"]) || (p["m"] == 0 && p["nrhs"] == 0),
    invalid_args: |p, _| if (GELSY.no_work)(p) { vec![] } else { vec![("nrhs", i64::MAX)] },
    // Without equations no column is chosen.
    unchecked_args: |p, _| if p["m"] == 0 { &["jpvt", "stride_jpvt"] } else { &[] },
    launches: true,
    measure: measures!(gelsy),
    ..ROUTINE
};

fn gelsy<T: Scalar>(member: &Member) -> Verdict {
    Ok(least_squares::<T>(Trans::N, &member.before("A"), &member.before("B"), &member.after("B")))
}

const GELS_ITERATIVE: Routine = Routine {
    name: "gels_iterative",
    entries: &[
        native(signatures::GELS_ITERATIVE.one()),
        native(signatures::GELS_ITERATIVE.pointers()),
        native(signatures::GELS_ITERATIVE.strided()),
    ],
    limit: |p| {
        let m = p["m"];
        p.at_most("n", m);
    },
    operands: |p| {
        of_signature(p, &signatures::GELS_ITERATIVE, &[Fill::DiagonallyDominant, Fill::Uniform, Fill::Poison])
    },
    no_work: |p| p.any_zero(&["n", "nrhs", "batch"]),
    invalid_args: |p, _| {
        let mut wrong = vec![("n", p["m"] + 1)];
        if !(GELS_ITERATIVE.no_work)(p) {
            wrong.push(("nrhs", i64::MAX));
        }
        wrong
    },
    measure: measures!(gels_iterative),
    ..ROUTINE
};

fn gels_iterative<T: Scalar>(member: &Member) -> Verdict {
    let (a, b, x) = (member.before::<T>("A"), member.before::<T>("B"), member.after::<T>("X"));
    Ok(least_squares::<T>(Trans::N, &a, &b, &with_residuals(&a, &b, &x)))
}

const GEQRS_ARGUMENTS: &str = "m n nrhs A lda host_tau T B ldb hwork hwork_size argument_info";

/// The factors are a single panel, so that T keeps nothing; `tests/abi_edges/magma_geqrs.rs` tests the other cases.
const GEQRS: Routine = Routine {
    name: "geqrs",
    entries: &[
        entry("magma_?geqrs_gpu", GEQRS_ARGUMENTS),
        // MAGMA numbers the arguments in its own way.
        entry("magma_?geqrs3_gpu", GEQRS_ARGUMENTS).numbers(&[("ldb", 8), ("hwork_size", 10)]),
    ],
    limit: |p| {
        let columns = p["m"].min(64);
        p.at_most("n", columns);
        p.set("batch", 1);
    },
    operands: |p| {
        let (m, n, nrhs) = (p["m"], p["n"], p["nrhs"]);
        vec![
            reads(p, "A", m, n, Fill::Factored),
            reads(p, "tau", n, 1, Fill::Factors),
            reads(p, "T", 2, n, Fill::Poison),
            updates(p, "B", m, nrhs, Fill::Uniform),
        ]
    },
    no_work: |p| p.any_zero(&["n", "nrhs"]),
    invalid_args: |p, _| vec![("n", p["m"] + 1), ("hwork_size", -2)],
    unchecked_args: |_, _| &["T", "argument_info"],
    measure: measures!(geqrs),
    ..ROUTINE
};

fn geqrs<T: Scalar>(member: &Member) -> Verdict {
    let (factors, tau) = (member.before::<T>("A").to_double(), member.before::<T>("tau").to_double());
    let mut a = householder::upper(&factors);
    a = Matrix::from_fn(factors.rows(), a.cols(), |i, j| if i < a.rows() { a[(i, j)] } else { T::Double::ZERO });
    householder::apply(&factors, tau.data(), &mut a);
    Ok(least_squares::<T>(Trans::N, &Matrix::from_double(&a), &member.before("B"), &member.after("B")))
}

pub(super) const TRSM: Routine = Routine {
    name: "trsm",
    entries: &[
        native(signatures::TRSM.pointers()),
        native(signatures::TRSM.strided()),
        entry("cublas?trsmBatched", signatures::TRSM.cublas),
        entry("cublas?trsmBatched_64", signatures::TRSM.cublas),
        native(signatures::TRSM.magma()),
        entry("magmablas_?trsm_inv_batched", signatures::TRSM.magma.1),
    ],
    operands: |p| of_signature(p, &signatures::TRSM, &[triangle(p), Fill::Uniform]),
    invalid_args: |p, entry: &Entry| {
        let huge = entry.is_wide() && p["side"] == 141 && !(ROUTINE.no_work)(p);
        if huge { vec![("n", i64::MAX)] } else { vec![] }
    },
    unchecked_args: |p, _| if alpha_is_zero(p) { &["A"] } else { &[] },
    measure: measures!(trsm),
    ..ROUTINE
};

fn alpha_is_zero(p: &Sizes) -> bool {
    p.scalars[0] == (0.0, 0.0)
}

/// If alpha = 0, A is not read.
fn triangle(p: &Sizes) -> Fill {
    let (upper, unit) = (p["uplo"] == 121, p["diag"] == 132);
    if alpha_is_zero(p) { Fill::Poison } else { Fill::Triangle { upper, unit } }
}

fn trsm<T: Scalar>(member: &Member) -> Verdict {
    solution::<T>(member, "B")
}

fn solution<T: Scalar>(member: &Member, result: &str) -> Verdict {
    let (p, x) = (member.sizes, member.after::<T>(result));
    if alpha_is_zero(p) {
        let zero = scalar::<T>((0.0, 0.0));
        return if x.data().iter().all(|&x| x == zero) { Ok(0.0) } else { Err("alpha = 0, and not all is 0".into()) };
    }
    Ok(solved::<T>(triangular(p), scalar(p.scalars[0]), &member.before("A"), &member.before("B"), &x))
}

pub(super) const TRSM_OUT_OF_PLACE: Routine = Routine {
    name: "trsm out of place",
    // MAGMA leaves out its flag, the fifth argument, when it numbers the arguments.
    entries: &[entry(
        "magmablas_?trsm_inv_outofplace_batched",
        "side uplo trans diag zero m n by_value A lda B ldb X ldx null zero null null null null zero batch queue",
    )
    .numbers(&[
        ("m", 5),
        ("n", 6),
        ("A", 8),
        ("lda", 9),
        ("B", 10),
        ("ldb", 11),
        ("X", 12),
        ("ldx", 13),
        ("batch", 21),
    ])],
    operands: |p| {
        let (m, n) = (p["m"], p["n"]);
        vec![
            reads(p, "A", p.order(), p.order(), triangle(p)),
            reads(p, "B", m, n, if alpha_is_zero(p) { Fill::Poison } else { Fill::Uniform }),
            operand(p, "X", (m, n), Fill::Poison, Writes::All),
        ]
    },
    unchecked_args: |p, _| if alpha_is_zero(p) { &["A", "B"] } else { &[] },
    measure: measures!(trsm_out_of_place),
    ..ROUTINE
};

fn trsm_out_of_place<T: Scalar>(member: &Member) -> Verdict {
    solution::<T>(member, "X")
}
