//! getrf, getrs, getri, gesv, gesv_rbt, inv, laswp, lu_to_permutation.

use super::cholesky::code_of_one;
use super::flags::trans;
use crate::measures;
use crate::ops::residuals::{factored, factorisation, inverse, solution};
use crate::routines::routine::{
    Entry, Fill, Interface, Member, Operand, ROUTINE, Routine, Sizes, Verdict, Writes, entry, integers, native,
    of_signature, operand, reads, updates,
};
use crate::scalar::worst;
use crate::signatures;
use crate::{Matrix, Scalar};

pub const ALL: &[&Routine] = &[
    &GETRF,
    &GETRF_SQUARE,
    &GETRF_NOPIV,
    &GETRF_NOPIV_SQUARE,
    &GETRS,
    &GETRS_NOPIV,
    &GETRI,
    &GETRI_IN_PLACE,
    &GESV,
    &GESV_NOPIV,
    &GESV_RBT,
    &INV,
    &INV_IN_PLACE,
    &LASWP,
    &LASWP_ROWSERIAL,
    &LU_TO_PERMUTATION,
    &LASWP_COLUMNSERIAL,
];

/// Replacements for square matrices, for an inverse that overwrites A, and for no interchanges.
const SQUARE: &[(&str, &str)] = &[("m", "n")];
const IN_PLACE: &[(&str, &str)] = &[("C", "A"), ("ldc", "lda")];
const UNPIVOTED: &[(&str, &str)] = &[("ipiv", "null")];

/// The fields that all of these routines share.
const LU: Routine = Routine { launches: true, ..ROUTINE };

pub(super) const GETRF: Routine = Routine {
    name: "getrf",
    entries: &[
        native(signatures::GETRF.pointers()),
        native(signatures::GETRF.strided()),
        entry("magma_?getrf_batched", "m n A lda ipiv info batch queue"),
        entry("magma_?getf2_batched", "m n A zero zero lda ipiv null info zero batch queue"),
        entry("cusolverDn?getrf", "handle m n A lda null ipiv info"),
        entry("magma_?getrf_gpu", "m n A lda host_ipiv argument_info"),
    ],
    operands: |p| of_signature(p, &signatures::GETRF, &[Fill::Uniform, Fill::Poison]),
    invalid_args: |p, entry| {
        let overflows = entry.is_wide() && !entry.has("stride_a") && !(LU.no_work)(p);
        if overflows { vec![("n", i64::MAX)] } else { vec![] }
    },
    // cuSOLVER's getrf does not pivot if ipiv is NULL.
    unchecked_args: |p, entry| if entry.symbol() == "cusolverDn?getrf" { &["ipiv"] } else { code_of_one(p, entry) },
    measure: measures!(getrf),
    ..LU
};

fn getrf<T: Scalar>(member: &Member) -> Verdict {
    Ok(factorisation::<T>(&member.before("A"), &member.after("A"), &member.integers("ipiv", &member.after)))
}

/// Functions that take square matrices only, and their native equivalent, which the launch record covers by another
/// row.
const GETRF_SQUARE: Routine = Routine {
    name: "getrf square",
    entries: &[
        entry("cublas?getrfBatched", "handle n A lda packed_ipiv info batch"),
        native(signatures::GETRF.pointers().replacing(SQUARE)),
    ],
    operands: |p| {
        let n = p["n"];
        vec![updates(p, "A", n, n, Fill::Uniform), integers("ipiv", n, Fill::Poison, Writes::All)]
    },
    no_work: |p| p.any_zero(&["n", "batch"]),
    invalid_args: |_, _| vec![],
    launches: false,
    ..GETRF
};

pub(super) const GETRF_NOPIV: Routine = Routine {
    name: "getrf_nopiv",
    entries: &[
        native(signatures::GETRF_NOPIV.pointers()),
        native(signatures::GETRF_NOPIV.strided()),
        entry("magma_?getrf_nopiv_batched", "m n A lda info batch queue"),
        entry("magma_?getf2_nopiv_batched", "m n A zero zero lda info zero batch queue"),
    ],
    operands: |p| of_signature(p, &signatures::GETRF_NOPIV, &[Fill::DiagonallyDominant]),
    measure: measures!(getrf_nopiv),
    ..LU
};

const GETRF_NOPIV_SQUARE: Routine = Routine {
    name: "getrf_nopiv square",
    entries: &[
        entry("cublas?getrfBatched", "handle n A lda null info batch"),
        native(signatures::GETRF_NOPIV.pointers().replacing(SQUARE)),
    ],
    operands: |p| vec![updates(p, "A", p["n"], p["n"], Fill::DiagonallyDominant)],
    no_work: |p| p.any_zero(&["n", "batch"]),
    launches: false,
    ..GETRF_NOPIV
};

fn getrf_nopiv<T: Scalar>(member: &Member) -> Verdict {
    Ok(factorisation::<T>(&member.before("A"), &member.after("A"), &Matrix::from_fn(0, 1, |_, _| T::POISON)))
}

/// LU factors, and interchanges among n rows.
fn factors(p: &Sizes, writes: Writes) -> [Operand; 2] {
    let n = p["n"];
    let pivots = Fill::Interchanges { rows: n as usize };
    [operand(p, "A", (n, n), Fill::DiagonallyDominant, writes), integers("ipiv", n, pivots, Writes::Nothing)]
}

/// The original A, computed from its factors.
fn product<T: Scalar>(member: &Member) -> Matrix<T::Double> {
    factored::<T>(&member.before("A"), &member.integers("ipiv", &member.before))
}

pub(super) const GETRS: Routine = Routine {
    name: "getrs",
    entries: &[
        native(signatures::GETRS.pointers()),
        native(signatures::GETRS.strided()),
        entry("cublas?getrsBatched", "handle trans n nrhs A lda packed_ipiv B ldb argument_info batch"),
        entry("magma_?getrs_batched", "trans n nrhs A lda ipiv B ldb batch queue"),
        entry("cusolverDn?getrs", "handle trans n nrhs A lda ipiv B ldb code"),
        entry("magma_?getrs_gpu", "trans n nrhs A lda host_ipiv B ldb argument_info"),
    ],
    operands: |p| {
        of_signature(
            p,
            &signatures::GETRS,
            &[Fill::DiagonallyDominant, Fill::Interchanges { rows: p["n"] as usize }, Fill::Uniform],
        )
    },
    no_work: |p| p.any_zero(&["n", "nrhs", "batch"]),
    supports: |p, entry| counts_matrices(entry) || p["batch"] > 0,
    invalid_args: |p, entry| if (GETRS.no_work)(p) || !entry.is_wide() { vec![] } else { vec![("nrhs", i64::MAX)] },
    unchecked_args: |_, entry| match entry.symbol() {
        "magma_?getrs_gpu" => &["argument_info"],
        _ if counts_matrices(entry) => &["ipiv"],
        _ => &["ipiv", "batch"],
    },
    measure: measures!(getrs),
    ..LU
};

/// Whether the interface accepts a batch count of 0 and rejects a negative one as a bad argument. cuBLAS reports an
/// execution failure for both (tests/abi_edges/).
fn counts_matrices(entry: &Entry) -> bool {
    entry.interface() != Interface::Cublas
}

/// Solves without interchanges.
const GETRS_NOPIV: Routine = Routine {
    name: "getrs_nopiv",
    entries: &[
        native(signatures::GETRS.pointers().replacing(UNPIVOTED)),
        entry("cublas?getrsBatched", "handle trans n nrhs A lda null B ldb argument_info batch"),
        entry("magma_?getrs_batched", "trans n nrhs A lda null B ldb batch queue"),
        // MAGMA keeps the argument numbers of getrs here, and leaves the codes untouched.
        entry("magma_?getrs_nopiv_batched", "trans n nrhs A lda B ldb null batch queue").numbers(&[("ldb", 8)]),
    ],
    operands: |p| {
        let n = p["n"];
        vec![reads(p, "A", n, n, Fill::DiagonallyDominant), updates(p, "B", n, p["nrhs"], Fill::Uniform)]
    },
    measure: measures!(getrs_nopiv),
    launches: false,
    ..GETRS
};

fn getrs_nopiv<T: Scalar>(member: &Member) -> Verdict {
    let a = factored::<T>(&member.before("A"), &Matrix::from_fn(0, 1, |_, _| T::POISON));
    Ok(solution::<T>(trans(member.sizes), &a, &member.before("B"), &member.after("B")))
}

fn getrs<T: Scalar>(member: &Member) -> Verdict {
    Ok(solution::<T>(trans(member.sizes), &product::<T>(member), &member.before("B"), &member.after("B")))
}

pub(super) const GESV: Routine = Routine {
    name: "gesv",
    entries: &[
        native(signatures::GESV.pointers()),
        native(signatures::GESV.strided()),
        // MAGMA leaves ipiv out when it numbers the arguments here.
        entry("magma_?gesv_batched", "n nrhs A lda ipiv B ldb info batch queue").numbers(&[("ldb", 6)]),
    ],
    operands: |p| of_signature(p, &signatures::GESV, &[Fill::Uniform, Fill::Poison, Fill::Uniform]),
    // With no right-hand sides the call still factors A, except in MAGMA.
    no_work: |p| p.any_zero(&["n", "batch"]),
    supports: |p, entry| entry.interface() != Interface::Magma || p["nrhs"] > 0,
    invalid_args: |p, entry| if (GESV.no_work)(p) || !entry.is_wide() { vec![] } else { vec![("nrhs", i64::MAX)] },
    measure: measures!(gesv),
    ..LU
};

fn gesv<T: Scalar>(member: &Member) -> Verdict {
    let a = member.before::<T>("A").to_double();
    let solved = solution::<T>(crate::ops::Trans::N, &a, &member.before("B"), &member.after("B"));
    Ok(worst(solved, getrf::<T>(member)?))
}

const GESV_NOPIV: Routine = Routine {
    name: "gesv_nopiv",
    entries: &[entry("magma_?gesv_nopiv_batched", "n nrhs A lda B ldb info batch queue")],
    operands: |p| of_signature(p, &signatures::GESV_RBT, &[Fill::DiagonallyDominant, Fill::Uniform]),
    no_work: |p| p.any_zero(&["n", "nrhs", "batch"]),
    measure: measures!(gesv_nopiv),
    ..LU
};

fn gesv_nopiv<T: Scalar>(member: &Member) -> Verdict {
    let a = member.before::<T>("A").to_double();
    let solved = solution::<T>(crate::ops::Trans::N, &a, &member.before("B"), &member.after("B"));
    Ok(worst(solved, getrf_nopiv::<T>(member)?))
}

const GESV_RBT: Routine = Routine {
    name: "gesv_rbt",
    entries: &[
        native(signatures::GESV_RBT.pointers()),
        native(signatures::GESV_RBT.strided()),
        entry("magma_?gesv_rbt_batched", "n nrhs A lda B ldb info batch queue"),
    ],
    measure: measures!(gesv_rbt),
    ..GESV_NOPIV
};

fn gesv_rbt<T: Scalar>(member: &Member) -> Verdict {
    let a = member.before::<T>("A").to_double();
    Ok(solution::<T>(crate::ops::Trans::N, &a, &member.before("B"), &member.after("B")))
}

pub(super) const GETRI: Routine = Routine {
    name: "getri",
    entries: &[
        native(signatures::GETRI.pointers()),
        native(signatures::GETRI.strided()),
        entry("cublas?getriBatched", "handle n A lda packed_ipiv C ldc info batch"),
        // MAGMA leaves the codes untouched here.
        entry("magma_?getri_outofplace_batched", "n A lda ipiv C ldc null batch queue"),
    ],
    operands: |p| {
        of_signature(
            p,
            &signatures::GETRI,
            &[Fill::DiagonallyDominant, Fill::Interchanges { rows: p["n"] as usize }, Fill::Poison],
        )
    },
    no_work: |p| p.any_zero(&["n", "batch"]),
    // A workspace is needed only if C overwrites A.
    unchecked_args: |_, _| &["ipiv", "work", "work_bytes"],
    measure: measures!(getri),
    ..LU
};

fn getri<T: Scalar>(member: &Member) -> Verdict {
    Ok(inverse::<T>(&product::<T>(member), &member.after("C")))
}

const GETRI_IN_PLACE: Routine = Routine {
    name: "getri in place",
    entries: &[
        native(signatures::GETRI.pointers().replacing(IN_PLACE)),
        native(signatures::GETRI.strided().replacing(IN_PLACE)),
    ],
    operands: |p| factors(p, Writes::All).to_vec(),
    measure: measures!(getri_in_place),
    unchecked_args: |_, _| &["ipiv"],
    ..GETRI
};

fn getri_in_place<T: Scalar>(member: &Member) -> Verdict {
    Ok(inverse::<T>(&product::<T>(member), &member.after("A")))
}

const INV: Routine = Routine {
    name: "inv",
    entries: &[
        native(signatures::INV.pointers()),
        native(signatures::INV.strided()),
        entry("cublas?matinvBatched", "handle n A lda C ldc info batch"),
    ],
    operands: |p| of_signature(p, &signatures::INV, &[Fill::Uniform, Fill::Poison]),
    no_work: |p| p.any_zero(&["n", "batch"]),
    supports: |p, entry| entry.interface() != Interface::Cublas || p["n"] <= 32,
    invalid_args: |_, entry| if entry.interface() == Interface::Cublas { vec![("n", 33)] } else { vec![] },
    measure: measures!(inv),
    ..LU
};

fn inv<T: Scalar>(member: &Member) -> Verdict {
    Ok(inverse::<T>(&member.before::<T>("A").to_double(), &member.after("C")))
}

const INV_IN_PLACE: Routine = Routine {
    name: "inv in place",
    entries: &[
        native(signatures::INV.pointers().replacing(IN_PLACE)),
        native(signatures::INV.strided().replacing(IN_PLACE)),
    ],
    operands: |p| vec![updates(p, "A", p["n"], p["n"], Fill::Uniform)],
    measure: measures!(inv_in_place),
    ..INV
};

fn inv_in_place<T: Scalar>(member: &Member) -> Verdict {
    Ok(inverse::<T>(&member.before::<T>("A").to_double(), &member.after("A")))
}

pub(super) const LASWP: Routine = Routine {
    name: "laswp",
    entries: &[native(signatures::LASWP.pointers()), native(signatures::LASWP.strided())],
    draw: |p, rng| {
        p.set("k1", 1 + rng.below(1 + p["m"] as usize) as i64);
        p.set("incx", rng.below(6) as i64 - 2);
    },
    // The routine knows the rows of A only through k2.
    limit: |p| {
        p.at_most("k1", p["m"].max(1));
        p.set("k2", p["m"]);
    },
    operands: |p| {
        let (m, length) = (p["m"], p["k1"] + (p["k2"] - p["k1"]).max(0) * p["incx"].abs());
        let rows = Fill::Interchanges { rows: m as usize };
        vec![updates(p, "A", m, p["n"], Fill::Uniform), integers("ipiv", length, rows, Writes::Nothing)]
    },
    no_work: |p| p.any_zero(&["m", "n", "incx", "batch"]),
    invalid_args: |p, _| {
        let too_far = if (LASWP.no_work)(p) { vec![] } else { vec![("n", i64::MAX)] };
        [vec![("k1", 0), ("k1", -1), ("k1", i64::MIN)], too_far].concat()
    },
    measure: measures!(laswp),
    ..LU
};

/// MAGMA's function, in which k2 is one past the last row.
const LASWP_ROWSERIAL: Routine = Routine {
    name: "laswp_rowserial",
    entries: &[entry("magma_?laswp_rowserial_batched", "n A lda k1 k2 ipiv batch queue")],
    limit: |p| {
        p.at_most("k1", p["m"].max(1));
        p.set("k2", p["m"] + 1);
    },
    operands: |p| {
        let rows = Fill::Interchanges { rows: p["m"] as usize };
        vec![updates(p, "A", p["m"], p["n"], Fill::Uniform), integers("ipiv", p["m"], rows, Writes::Nothing)]
    },
    no_work: |p| p.any_zero(&["m", "n", "batch"]),
    invalid_args: |_, _| vec![("k1", 0), ("k1", -1), ("k1", i32::MIN.into())],
    measure: measures!(laswp_rowserial),
    ..LASWP
};

/// MAGMA's function on m columns and n rows, in which k2 may be less than k1.
const LASWP_COLUMNSERIAL: Routine = Routine {
    name: "laswp_columnserial",
    entries: &[entry("magma_?laswp_columnserial_batched", "n A lda k1 k2 ipiv batch queue")],
    draw: |p, rng| {
        for word in ["k1", "k2"] {
            p.set(word, 1 + rng.below(1 + p["m"] as usize) as i64);
        }
    },
    limit: |p| {
        p.at_most("k1", p["m"]);
        p.at_most("k2", p["m"]);
    },
    operands: |p| {
        let rows = Fill::Interchanges { rows: p["m"] as usize };
        vec![updates(p, "A", p["n"], p["m"], Fill::Uniform), integers("ipiv", p["m"], rows, Writes::Nothing)]
    },
    no_work: |p| p.any_zero(&["m", "n", "batch"]),
    invalid_args: |_, _| vec![],
    measure: measures!(laswp_columnserial),
    ..LASWP
};

fn laswp_columnserial<T: Scalar>(member: &Member) -> Verdict {
    let (mut a, [k1, k2]) = (member.before::<T>("A"), ["k1", "k2"].map(|word| member.sizes[word]));
    let ipiv = crate::ops::lu::integers(&member.integers::<T>("ipiv", &member.before));
    for step in 0..=(k2 - k1).abs() {
        let column = (if k2 < k1 { k1 - step } else { k1 + step } - 1) as usize;
        for i in 0..a.rows() {
            let (x, y) = (a[(i, column)], a[(i, ipiv[column] - 1)]);
            (a[(i, column)], a[(i, ipiv[column] - 1)]) = (y, x);
        }
    }
    let same = crate::scalar::same_bits(a.data(), member.after::<T>("A").data());
    if same { Ok(0.0) } else { Err("columns are not exchanged as ipiv says".into()) }
}

fn laswp_rowserial<T: Scalar>(member: &Member) -> Verdict {
    exchanged::<T>(member, member.sizes["k1"], member.sizes["k2"] - 1, 1)
}

fn laswp<T: Scalar>(member: &Member) -> Verdict {
    let [k1, k2, incx] = ["k1", "k2", "incx"].map(|word| member.sizes[word]);
    exchanged::<T>(member, k1, k2, incx)
}

/// Checks the exchanged rows exactly.
fn exchanged<T: Scalar>(member: &Member, k1: i64, k2: i64, incx: i64) -> Verdict {
    let (mut a, ipiv) = (member.before::<T>("A"), member.integers::<T>("ipiv", &member.before));
    let ipiv = crate::ops::lu::integers(&ipiv);
    for step in 0..=k2 - k1 {
        let row = if incx > 0 { k1 + step } else { k2 - step };
        let other = ipiv[(k1 + (row - k1) * incx.abs() - 1) as usize];
        (0..a.cols()).for_each(|j| a.col_mut(j).swap(row as usize - 1, other - 1));
    }
    let same = crate::scalar::same_bits(a.data(), member.after::<T>("A").data());
    if same { Ok(0.0) } else { Err("rows are not exchanged as ipiv says".into()) }
}

/// One function serves all precisions.
const LU_TO_PERMUTATION: Routine = Routine {
    name: "lu_to_permutation",
    entries: &[native(signatures::LU_TO_PERMUTATION.pointers()), native(signatures::LU_TO_PERMUTATION.strided())],
    limit: |p| p.at_most("k", p["m"]),
    operands: |p| {
        of_signature(p, &signatures::LU_TO_PERMUTATION, &[Fill::Interchanges { rows: p["m"] as usize }, Fill::Poison])
    },
    no_work: |p| p.any_zero(&["m", "batch"]),
    measure: measures!(permuted),
    ..LU
};

/// Checks the permutation exactly.
fn permuted<T: Scalar>(member: &Member) -> Verdict {
    let of = |name, when| crate::ops::lu::integers(&member.integers::<T>(name, when));
    let mut expected: Vec<usize> = (1..=member.sizes["m"] as usize).collect();
    for (j, row) in of("ipiv", &member.before).into_iter().enumerate() {
        expected.swap(j, row - 1);
    }
    if of("perm", &member.after) == expected { Ok(0.0) } else { Err("perm is not what ipiv says".into()) }
}
