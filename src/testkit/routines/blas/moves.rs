//! geam, dgmm, transpose, lacpy, laset.

use super::super::assignments::{assigned, part};
use super::super::flags::{trans, trans_of};
use super::{BLAS, COMPLEX, is_zero};
use crate::measures;
use crate::ops::Trans;
use crate::ops::exact::{Exact, op};
use crate::routines::routine::{
    Fill, Member, Operand, Routine, Sizes, Verdict, entry, native, of_signature, operand, reads, scalar, updates,
};
use crate::signatures;
use crate::{Field, Matrix, Scalar};

pub const ALL: &[&Routine] = &[
    &GEAM,
    &GEAM_SINGLE,
    &GEADD,
    &DGMM,
    &DGMM_SINGLE,
    &TRANSPOSE,
    &TRANSPOSE_PLAIN,
    &TRANSPOSE_CONJ,
    &LACPY_BATCHED,
    &LASET_BATCHED,
];

fn geam_operands(p: &Sizes) -> Vec<Operand> {
    let fill = |scalar| if is_zero(p, scalar) { Fill::Poison } else { Fill::Uniform };
    of_signature(p, &signatures::GEAM, &[fill(0), fill(1), Fill::Poison])
}

const GEAM: Routine = Routine {
    name: "geam",
    entries: &[native(signatures::GEAM.pointers()), native(signatures::GEAM.strided())],
    draw: |p, rng| {
        for word in ["trans_a", "trans_b"] {
            p.set(word, 111 + rng.below(3) as i64);
        }
    },
    operands: geam_operands,
    unchecked_args: |p, _| match (is_zero(p, 0), is_zero(p, 1)) {
        (true, true) => &["A", "B"],
        (true, false) => &["A"],
        (false, true) => &["B"],
        _ => &[],
    },
    measure: measures!(geam),
    ..BLAS
};

fn geam<T: Scalar>(member: &Member) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("C"));
    let mut exact = Exact::zeros(got.rows(), got.cols());
    for (i, (name, trans)) in [("A", "trans_a"), ("B", "trans_b")].into_iter().enumerate() {
        if !is_zero(p, i) {
            let term = op(trans_of(p, trans), &member.before::<T>(name).to_double());
            exact = exact.plus(scalar::<T>(p.scalars[i]).to_double(), &term);
        }
    }
    Ok(exact.ratio(&got, |_, _| true))
}

/// Makes the operands single matrices instead of batches.
fn single(operands: Vec<Operand>) -> Vec<Operand> {
    operands.into_iter().map(|operand| Operand { each: false, ..operand }).collect()
}

const GEAM_CUBLAS: &str = "handle trans_a trans_b m n alpha A lda beta B ldb C ldc";

const GEAM_SINGLE: Routine = Routine {
    name: "geam of one matrix",
    entries: &[
        entry("cublas?geam", GEAM_CUBLAS),
        entry("cublas?geam_64", GEAM_CUBLAS),
        native(signatures::GEAM.strided()),
    ],
    limit: |p| p.set("batch", 1),
    operands: |p| single(geam_operands(p)),
    launches: false,
    ..GEAM
};

/// MAGMA's B := alpha A + B.
const GEADD: Routine = Routine {
    name: "geadd",
    entries: &[entry("magmablas_?geadd_batched", "m n by_value A lda B ldb batch queue")],
    operands: |p| {
        let fill = if is_zero(p, 0) { Fill::Poison } else { Fill::Uniform };
        vec![reads(p, "A", p["m"], p["n"], fill), updates(p, "B", p["m"], p["n"], Fill::Uniform)]
    },
    unchecked_args: |p, _| if is_zero(p, 0) { &["A"] } else { &[] },
    measure: measures!(geadd),
    launches: false,
    ..BLAS
};

fn geadd<T: Scalar>(member: &Member) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("B"));
    let mut exact = Exact::zeros(got.rows(), got.cols()).plus(T::Double::ONE, &member.before::<T>("B").to_double());
    if !is_zero(p, 0) {
        exact = exact.plus(scalar::<T>(p.scalars[0]).to_double(), &member.before::<T>("A").to_double());
    }
    Ok(exact.ratio(&got, |_, _| true))
}

fn dgmm_operands(p: &Sizes) -> Vec<Operand> {
    of_signature(p, &signatures::DGMM, &[Fill::Uniform, Fill::Uniform, Fill::Poison])
}

const DGMM: Routine = Routine {
    name: "dgmm",
    entries: &[native(signatures::DGMM.pointers()), native(signatures::DGMM.strided())],
    draw: |p, rng| p.set("side", 141 + rng.below(2) as i64),
    operands: dgmm_operands,
    // An increment of 0 reads the first element every time.
    unchecked_args: |_, _| &["incx"],
    measure: measures!(dgmm),
    ..BLAS
};

fn dgmm<T: Scalar>(member: &Member) -> Verdict {
    let (a, x, got) =
        (member.before::<T>("A").to_double(), member.before::<T>("X").to_double(), member.after::<T>("C"));
    let left = member.sizes["side"] == 141;
    let product = Matrix::from_fn(a.rows(), a.cols(), |i, j| x[(0, if left { i } else { j })] * a[(i, j)]);
    Ok(Exact::zeros(a.rows(), a.cols()).plus(T::Double::ONE, &product).ratio(&got, |_, _| true))
}

const DGMM_CUBLAS: &str = "handle side m n A lda X incx C ldc";

const DGMM_SINGLE: Routine = Routine {
    name: "dgmm of one matrix",
    entries: &[
        entry("cublas?dgmm", DGMM_CUBLAS),
        entry("cublas?dgmm_64", DGMM_CUBLAS),
        native(signatures::DGMM.strided()),
    ],
    limit: |p| p.set("batch", 1),
    operands: |p| single(dgmm_operands(p)),
    launches: false,
    ..DGMM
};

const TRANSPOSE: Routine = Routine {
    name: "transpose",
    entries: &[native(signatures::TRANSPOSE.pointers()), native(signatures::TRANSPOSE.strided())],
    draw: |p, rng| p.set("trans", 112 + rng.below(2) as i64),
    operands: |p| of_signature(p, &signatures::TRANSPOSE, &[Fill::Uniform, Fill::Poison]),
    invalid_args: |_, _| vec![("trans", 111)],
    measure: measures!(transpose),
    ..BLAS
};

fn transpose<T: Scalar>(member: &Member) -> Verdict {
    turned::<T>(member, trans(member.sizes))
}

fn turned<T: Scalar>(member: &Member, trans: Trans) -> Verdict {
    let (exact, got) = (op(trans, &member.before::<T>("A").to_double()).map(T::from_double), member.after::<T>("B"));
    // Conjugation changes the signs of zeros, so the values are compared, not the bits.
    let same = exact.data().iter().zip(got.data()).all(|(x, y)| x.to_double() == y.to_double());
    if same { Ok(0.0) } else { Err(format!("B is {got:?}")) }
}

const TRANSPOSE_PLAIN: Routine = Routine {
    name: "transpose, MAGMA's",
    entries: &[entry("magmablas_?transpose_batched", "m n A lda B ldb batch queue")],
    draw: |p, _| p.set("trans", 112),
    invalid_args: |_, _| vec![],
    launches: false,
    ..TRANSPOSE
};

const TRANSPOSE_CONJ: Routine = Routine {
    name: "transpose_conj",
    entries: &[entry("magmablas_?transpose_conj_batched", "m n A lda B ldb batch queue")],
    dtypes: COMPLEX,
    draw: |p, _| p.set("trans", 113),
    ..TRANSPOSE_PLAIN
};

/// Draws `uplo` including the full matrix, which no other routine has. The launch record draws no flags itself.
fn draw_part(p: &mut Sizes, rng: &mut crate::Rng) {
    p.set("uplo", 121 + rng.below(3) as i64);
}

pub(in super::super) const LACPY_BATCHED: Routine = Routine {
    name: "lacpy",
    entries: &[
        native(signatures::LACPY.pointers()),
        native(signatures::LACPY.strided()),
        entry("magmablas_?lacpy_batched", "uplo m n A lda B ldb batch queue"),
        entry("magmablas_?lacpy_internal_batched", "uplo m n A zero zero lda B zero zero ldb batch queue"),
    ],
    draw: draw_part,
    operands: |p| {
        let (m, n) = (p["m"], p["n"]);
        vec![reads(p, "A", m, n, Fill::Uniform), operand(p, "B", (m, n), Fill::Poison, part(p))]
    },
    measure: measures!(lacpy),
    ..BLAS
};

fn lacpy<T: Scalar>(member: &Member) -> Verdict {
    let from = member.before::<T>("A");
    assigned(member, "B", |i, j| from[(i, j)])
}

pub(in super::super) const LASET_BATCHED: Routine = Routine {
    name: "laset",
    entries: &[
        native(signatures::LASET.pointers()),
        native(signatures::LASET.strided()),
        entry("magmablas_?laset_batched", "uplo m n by_value by_value A lda batch queue"),
        entry("magmablas_?laset_internal_batched", "uplo m n by_value by_value A zero zero lda batch queue"),
    ],
    draw: draw_part,
    operands: |p| vec![operand(p, "A", (p["m"], p["n"]), Fill::Poison, part(p))],
    measure: measures!(laset),
    ..BLAS
};

fn laset<T: Scalar>(member: &Member) -> Verdict {
    let [off, on] = member.sizes.scalars.map(scalar::<T>);
    assigned(member, "A", |i, j| if i == j { on } else { off })
}
