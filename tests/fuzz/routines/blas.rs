//! syrk, herk, syr2k, her2k, trmm, trsv, trtri, geam, dgmm, transpose, lacpy, laset.

use super::assignments::{assigned, part};
use super::flags::{trans, trans_of, triangular};
use crate::judges;
use crate::routine::{
    Entry, Fill, Member, Operand, ROUTINE, Routine, Sizes, Verdict, Writes, entry, operand, reads, scalar, updates,
};
use tephra_testkit::ops::exact::{Exact, inverted, multiplied, op};
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Side, Trans};
use tephra_testkit::{Dtype, Field, Matrix, Scalar};

pub const ALL: &[&Routine] = &[
    &SYRK,
    &HERK,
    &SYR2K,
    &HER2K,
    &SYRK_CORE,
    &HERK_CORE,
    &TRMM,
    &TRMM_CORE,
    &TRSM_BLOCKS,
    &TRSV,
    &TRTRI,
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

/// What all of them have.
const BLAS: Routine = Routine { launches: true, ..ROUTINE };

fn is_zero(p: &Sizes, scalar: usize) -> bool {
    p.scalars[scalar] == (0.0, 0.0)
}

fn triangle_written(p: &Sizes) -> Writes {
    if p["uplo"] == 121 { Writes::Upper } else { Writes::Lower }
}

/// An extent that overflows, in an argument of which no other one is larger then.
fn too_many(word: &'static str, p: &Sizes, entry: &Entry, idle: bool) -> Vec<(&'static str, i64)> {
    if entry.is_wide() && !idle && p[word] > 0 { vec![(word, i64::MAX)] } else { vec![] }
}

/// A triangle to be updated: its other half, and all of it with beta = 0, is not to be read.
fn updated(p: &Sizes) -> Operand {
    let fill = match is_zero(p, 1) {
        true => Fill::Poison,
        false => Fill::Triangle { upper: p["uplo"] == 121, unit: false },
    };
    operand(p, "C", (p["n"], p["n"]), fill, triangle_written(p))
}

/// A or B of a rank-k update.
fn factor(p: &Sizes, name: &'static str) -> Operand {
    let (rows, cols) = if p["trans"] == 111 { (p["n"], p["k"]) } else { (p["k"], p["n"]) };
    reads(p, name, rows, cols, if is_zero(p, 0) { Fill::Poison } else { Fill::Uniform })
}

/// Whether C is Hermitian, and two matrices are multiplied, twice or once.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Rank,
    Rank2,
    Core,
}

fn rank<T: Scalar>(member: &Member, hermitian: bool, kind: Kind) -> Verdict {
    let p = member.sizes;
    let n = p["n"] as usize;
    let adjoint = if hermitian { Trans::C } else { Trans::T };
    let [mut alpha, mut beta] = p.scalars.map(|x| scalar::<T>(x).wide());
    let real = <T::Wide as Field>::real;
    if hermitian && kind == Kind::Rank {
        alpha = real(alpha.re());
    }
    if hermitian && kind != Kind::Core {
        beta = real(beta.re());
    }
    let mut exact = Exact::zeros(n, n);
    if !is_zero(p, 0) && alpha.abs() != 0.0 {
        let a = op(trans(p), &member.before::<T>("A").wide());
        let b = if kind == Kind::Rank { a.clone() } else { op(trans(p), &member.before::<T>("B").wide()) };
        exact = exact.product(alpha, &a, &op(adjoint, &b));
        if kind == Kind::Rank2 {
            let alpha = if hermitian { alpha.conj() } else { alpha };
            exact = exact.product(alpha, &b, &op(adjoint, &a));
        }
    }
    if beta.abs() != 0.0 {
        let c = member.before::<T>("C").wide();
        let c = Matrix::from_fn(n, n, |i, j| match (counts(p, i, j), hermitian && i == j) {
            (false, _) => T::Wide::ZERO,
            (_, true) => real(c[(i, j)].re()),
            _ => c[(i, j)],
        });
        exact = exact.plus(beta, &c);
    }
    let got = member.after::<T>("C");
    if hermitian && kind != Kind::Core && (0..n).any(|i| got[(i, i)].wide().im() != 0.0) {
        return Err("the diagonal is not real".into());
    }
    // The core's diagonal is real whatever the product's is.
    Ok(exact.ratio(&got, |i, j| counts(p, i, j) && (i != j || !hermitian || kind != Kind::Core)))
}

fn counts(p: &Sizes, i: usize, j: usize) -> bool {
    if p["uplo"] == 121 { i <= j } else { i >= j }
}

fn rank_idle(p: &Sizes) -> bool {
    p.any_zero(&["n", "batch"])
}

/// The transposition that a symmetric product of complex matrices has not.
fn no_adjoint(p: &Sizes) -> bool {
    !p.dtype.is_complex() || p["trans"] != 113
}

fn wrong_adjoint(p: &Sizes, _: &Entry) -> Vec<(&'static str, i64)> {
    if p.dtype.is_complex() { vec![("trans", 113)] } else { vec![] }
}

/// Factors are not read with alpha = 0, nor without terms.
fn unread(p: &Sizes) -> bool {
    is_zero(p, 0) || p["k"] == 0
}

const SYRK: Routine = Routine {
    name: "syrk",
    entries: &[
        entry("tephra_?syrk_batched", "uplo trans n k alpha A lda beta C ldc batch stream"),
        entry("tephra_?syrk_strided_batched", "uplo trans n k alpha A lda stride_a beta C ldc stride_c batch stream"),
        entry("magmablas_?syrk_batched", "uplo trans n k by_value A lda by_value C ldc batch queue"),
    ],
    limit: |p| {
        if !no_adjoint(p) {
            p.set("trans", 112);
        }
    },
    operands: |p| vec![factor(p, "A"), updated(p)],
    idle: rank_idle,
    serves: |p, _| no_adjoint(p),
    wrong: wrong_adjoint,
    lenient: |p, _| if unread(p) { &["A"] } else { &[] },
    judge: judges!(syrk),
    ..BLAS
};

fn syrk<T: Scalar>(member: &Member) -> Verdict {
    rank::<T>(member, false, Kind::Rank)
}

/// Of complex types.
const HERK: Routine = Routine {
    name: "herk",
    entries: &[
        entry("tephra_?herk_batched", "uplo trans n k alpha A lda beta C ldc batch stream"),
        entry("tephra_?herk_strided_batched", "uplo trans n k alpha A lda stride_a beta C ldc stride_c batch stream"),
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
    serves: |p, _| p["trans"] != 112,
    wrong: |_, _| vec![("trans", 112)],
    judge: judges!(herk),
    ..SYRK
};

fn herk<T: Scalar>(member: &Member) -> Verdict {
    rank::<T>(member, true, Kind::Rank)
}

/// The types that have a conjugate.
const COMPLEX: &[Dtype] = &[Dtype::C, Dtype::Z];

const SYR2K: Routine = Routine {
    name: "syr2k",
    entries: &[
        entry("tephra_?syr2k_batched", "uplo trans n k alpha A lda B ldb beta C ldc batch stream"),
        entry(
            "tephra_?syr2k_strided_batched",
            "uplo trans n k alpha A lda stride_a B ldb stride_b beta C ldc stride_c batch stream",
        ),
        entry("magmablas_?syr2k_batched", "uplo trans n k by_value A lda B ldb by_value C ldc batch queue"),
    ],
    operands: |p| vec![factor(p, "A"), factor(p, "B"), updated(p)],
    lenient: |p, _| if unread(p) { &["A", "B"] } else { &[] },
    judge: judges!(syr2k),
    ..SYRK
};

fn syr2k<T: Scalar>(member: &Member) -> Verdict {
    rank::<T>(member, false, Kind::Rank2)
}

const HER2K: Routine = Routine {
    name: "her2k",
    entries: &[
        entry("tephra_?her2k_batched", "uplo trans n k alpha A lda B ldb beta C ldc batch stream"),
        entry(
            "tephra_?her2k_strided_batched",
            "uplo trans n k alpha A lda stride_a B ldb stride_b beta C ldc stride_c batch stream",
        ),
        entry("magmablas_?her2k_batched", "uplo trans n k by_value A lda B ldb real_value C ldc batch queue"),
    ],
    dtypes: COMPLEX,
    limit: |p| {
        p.scalars[1].1 = 0.0;
        if p["trans"] == 112 {
            p.set("trans", 113);
        }
    },
    serves: HERK.serves,
    wrong: HERK.wrong,
    judge: judges!(her2k),
    ..SYR2K
};

fn her2k<T: Scalar>(member: &Member) -> Verdict {
    rank::<T>(member, true, Kind::Rank2)
}

/// MAGMA's, of blocks at the matrices' starts.
const CORE: &str = "uplo trans n k by_value A zero zero lda B zero zero ldb by_value C zero zero ldc batch queue";

const SYRK_CORE: Routine = Routine {
    name: "syrk core",
    entries: &[entry("magmablas_?syrk_batched_core", CORE)],
    judge: judges!(syrk_core),
    launches: false,
    ..SYR2K
};

fn syrk_core<T: Scalar>(member: &Member) -> Verdict {
    rank::<T>(member, false, Kind::Core)
}

const HERK_CORE: Routine = Routine {
    name: "herk core",
    entries: &[entry("magmablas_?herk_batched_core", CORE)],
    judge: judges!(herk_core),
    launches: false,
    ..HER2K
};

fn herk_core<T: Scalar>(member: &Member) -> Verdict {
    rank::<T>(member, true, Kind::Core)
}

/// The triangle that is read; none with alpha = 0.
fn triangle(p: &Sizes) -> Fill {
    let (upper, unit) = (p["uplo"] == 121, p["diag"] == 132);
    if is_zero(p, 0) { Fill::Poison } else { Fill::Triangle { upper, unit } }
}

const TRMM: Routine = Routine {
    name: "trmm",
    entries: &[
        entry("tephra_?trmm_batched", "side uplo trans diag m n alpha A lda B ldb batch stream"),
        entry(
            "tephra_?trmm_strided_batched",
            "side uplo trans diag m n alpha A lda stride_a B ldb stride_b batch stream",
        ),
        entry("magmablas_?trmm_batched", "side uplo trans diag m n by_value A lda B ldb batch queue"),
    ],
    draw: |p, rng| {
        // The record of launches has no flags of its own.
        for (word, first, count) in [("side", 141, 2), ("uplo", 121, 2), ("diag", 131, 2)] {
            p.set(word, first + rng.below(count) as i64);
        }
    },
    operands: |p| {
        let a = reads(p, "A", p.order(), p.order(), triangle(p));
        vec![a, updates(p, "B", p["m"], p["n"], Fill::Uniform)]
    },
    wrong: |p, entry| if p["side"] == 141 { too_many("n", p, entry, (BLAS.idle)(p)) } else { vec![] },
    lenient: |p, _| if is_zero(p, 0) { &["A"] } else { &[] },
    judge: judges!(trmm),
    ..BLAS
};

fn trmm<T: Scalar>(member: &Member) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("B"));
    if is_zero(p, 0) {
        return Ok(Exact::<T::Wide>::zeros(got.rows(), got.cols()).ratio(&got, |_, _| true));
    }
    Ok(multiplied::<T>(triangular(p), scalar(p.scalars[0]), &member.before("A"), &member.before("B"), &got))
}

const BLOCKS: &str = "side uplo trans diag m n by_value A zero zero lda B zero zero ldb batch queue";

const TRMM_CORE: Routine =
    Routine { name: "trmm core", entries: &[entry("magmablas_?trmm_batched_core", BLOCKS)], launches: false, ..TRMM };

const TRSM_BLOCKS: Routine = Routine {
    name: "trsm of blocks",
    entries: &[entry("magmablas_?trsm_small_batched", BLOCKS), entry("magmablas_?trsm_recursive_batched", BLOCKS)],
    judge: judges!(trsm),
    launches: false,
    ..TRMM
};

fn trsm<T: Scalar>(member: &Member) -> Verdict {
    let (p, x) = (member.sizes, member.after::<T>("B"));
    if is_zero(p, 0) {
        return Ok(Exact::<T::Wide>::zeros(x.rows(), x.cols()).ratio(&x, |_, _| true));
    }
    Ok(solved::<T>(triangular(p), scalar(p.scalars[0]), &member.before("A"), &member.before("B"), &x))
}

/// A vector, as a row.
fn vector(p: &Sizes, name: &'static str, length: i64, writes: Writes) -> Operand {
    operand(p, name, (1, length), Fill::Uniform, writes)
}

const TRSV: Routine = Routine {
    name: "trsv",
    entries: &[
        entry("tephra_?trsv_batched", "uplo trans diag n A lda X incx batch stream"),
        entry("tephra_?trsv_strided_batched", "uplo trans diag n A lda stride_a X incx stride_x batch stream"),
        entry("magmablas_?trsv_batched", "uplo trans diag n A lda X incx batch queue"),
        entry("magmablas_?trsv_recursive_batched", "uplo trans diag n A zero zero lda X zero incx batch queue"),
    ],
    draw: TRMM.draw,
    operands: |p| {
        let (upper, unit) = (p["uplo"] == 121, p["diag"] == 132);
        let a = reads(p, "A", p["n"], p["n"], Fill::Triangle { upper, unit });
        vec![a, vector(p, "X", p["n"], Writes::All)]
    },
    idle: |p| p.any_zero(&["n", "batch"]),
    judge: judges!(trsv),
    ..BLAS
};

fn trsv<T: Scalar>(member: &Member) -> Verdict {
    let how = Triangular { side: Side::Left, ..triangular(member.sizes) };
    let column = |x: Matrix<T>| Matrix::from_fn(x.cols(), 1, |i, _| x[(0, i)]);
    let one = T::narrow(T::Wide::ONE);
    let (b, x) = (column(member.before("X")), column(member.after("X")));
    Ok(solved::<T>(how, one, &member.before("A"), &b, &x))
}

const TRTRI: Routine = Routine {
    name: "trtri",
    entries: &[
        entry("tephra_?trtri_batched", "uplo diag n A lda info batch stream"),
        entry("tephra_?trtri_strided_batched", "uplo diag n A lda stride_a info batch stream"),
    ],
    draw: TRMM.draw,
    operands: |p| {
        let fill = Fill::Triangle { upper: p["uplo"] == 121, unit: p["diag"] == 132 };
        vec![operand(p, "A", (p["n"], p["n"]), fill, triangle_written(p))]
    },
    idle: |p| p.any_zero(&["n", "batch"]),
    judge: judges!(trtri),
    ..BLAS
};

fn trtri<T: Scalar>(member: &Member) -> Verdict {
    let how = Triangular { side: Side::Left, trans: Trans::N, ..triangular(&with_flags(member.sizes)) };
    Ok(inverted::<T>(how, &member.before("A"), &member.after("A")))
}

/// The flags that trtri has not are there, too.
fn with_flags(p: &Sizes) -> Sizes {
    let mut p = p.clone();
    p.set("side", 141);
    p.set("trans", 111);
    p
}

/// Rows and columns of what op makes m x n.
fn stored(p: &Sizes, trans: &str) -> (i64, i64) {
    if p[trans] == 111 { (p["m"], p["n"]) } else { (p["n"], p["m"]) }
}

fn geam_operands(p: &Sizes) -> Vec<Operand> {
    let fill = |scalar| if is_zero(p, scalar) { Fill::Poison } else { Fill::Uniform };
    let ((am, an), (bm, bn)) = (stored(p, "trans_a"), stored(p, "trans_b"));
    let c = operand(p, "C", (p["m"], p["n"]), Fill::Poison, Writes::All);
    vec![reads(p, "A", am, an, fill(0)), reads(p, "B", bm, bn, fill(1)), c]
}

const GEAM: Routine = Routine {
    name: "geam",
    entries: &[
        entry("tephra_?geam_batched", "trans_a trans_b m n alpha A lda beta B ldb C ldc batch stream"),
        entry(
            "tephra_?geam_strided_batched",
            "trans_a trans_b m n alpha A lda stride_a beta B ldb stride_b C ldc stride_c batch stream",
        ),
    ],
    draw: |p, rng| {
        for word in ["trans_a", "trans_b"] {
            p.set(word, 111 + rng.below(3) as i64);
        }
    },
    operands: geam_operands,
    lenient: |p, _| match (is_zero(p, 0), is_zero(p, 1)) {
        (true, true) => &["A", "B"],
        (true, false) => &["A"],
        (false, true) => &["B"],
        _ => &[],
    },
    judge: judges!(geam),
    ..BLAS
};

fn geam<T: Scalar>(member: &Member) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("C"));
    let mut exact = Exact::zeros(got.rows(), got.cols());
    for (i, (name, trans)) in [("A", "trans_a"), ("B", "trans_b")].into_iter().enumerate() {
        if !is_zero(p, i) {
            let term = op(trans_of(p, trans), &member.before::<T>(name).wide());
            exact = exact.plus(scalar::<T>(p.scalars[i]).wide(), &term);
        }
    }
    Ok(exact.ratio(&got, |_, _| true))
}

/// One matrix, not a batch.
fn single(operands: Vec<Operand>) -> Vec<Operand> {
    operands.into_iter().map(|operand| Operand { each: false, ..operand }).collect()
}

const GEAM_CUBLAS: &str = "handle trans_a trans_b m n alpha A lda beta B ldb C ldc";

const GEAM_SINGLE: Routine = Routine {
    name: "geam of one matrix",
    entries: &[
        entry("cublas?geam", GEAM_CUBLAS),
        entry("cublas?geam_64", GEAM_CUBLAS),
        entry(
            "tephra_?geam_strided_batched",
            "trans_a trans_b m n alpha A lda stride_a beta B ldb stride_b C ldc stride_c batch stream",
        ),
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
    lenient: |p, _| if is_zero(p, 0) { &["A"] } else { &[] },
    judge: judges!(geadd),
    launches: false,
    ..BLAS
};

fn geadd<T: Scalar>(member: &Member) -> Verdict {
    let (p, got) = (member.sizes, member.after::<T>("B"));
    let mut exact = Exact::zeros(got.rows(), got.cols()).plus(T::Wide::ONE, &member.before::<T>("B").wide());
    if !is_zero(p, 0) {
        exact = exact.plus(scalar::<T>(p.scalars[0]).wide(), &member.before::<T>("A").wide());
    }
    Ok(exact.ratio(&got, |_, _| true))
}

fn dgmm_operands(p: &Sizes) -> Vec<Operand> {
    let (m, n) = (p["m"], p["n"]);
    let c = operand(p, "C", (m, n), Fill::Poison, Writes::All);
    vec![reads(p, "A", m, n, Fill::Uniform), vector(p, "X", p.order(), Writes::Nothing), c]
}

const DGMM: Routine = Routine {
    name: "dgmm",
    entries: &[
        entry("tephra_?dgmm_batched", "side m n A lda X incx C ldc batch stream"),
        entry("tephra_?dgmm_strided_batched", "side m n A lda stride_a X incx stride_x C ldc stride_c batch stream"),
    ],
    draw: |p, rng| p.set("side", 141 + rng.below(2) as i64),
    operands: dgmm_operands,
    // With 0 all elements are the first.
    lenient: |_, _| &["incx"],
    judge: judges!(dgmm),
    ..BLAS
};

fn dgmm<T: Scalar>(member: &Member) -> Verdict {
    let (a, x, got) = (member.before::<T>("A").wide(), member.before::<T>("X").wide(), member.after::<T>("C"));
    let left = member.sizes["side"] == 141;
    let product = Matrix::from_fn(a.rows(), a.cols(), |i, j| x[(0, if left { i } else { j })] * a[(i, j)]);
    Ok(Exact::zeros(a.rows(), a.cols()).plus(T::Wide::ONE, &product).ratio(&got, |_, _| true))
}

const DGMM_CUBLAS: &str = "handle side m n A lda X incx C ldc";

const DGMM_SINGLE: Routine = Routine {
    name: "dgmm of one matrix",
    entries: &[
        entry("cublas?dgmm", DGMM_CUBLAS),
        entry("cublas?dgmm_64", DGMM_CUBLAS),
        entry("tephra_?dgmm_strided_batched", "side m n A lda stride_a X incx stride_x C ldc stride_c batch stream"),
    ],
    limit: |p| p.set("batch", 1),
    operands: |p| single(dgmm_operands(p)),
    launches: false,
    ..DGMM
};

const TRANSPOSE: Routine = Routine {
    name: "transpose",
    entries: &[
        entry("tephra_?transpose_batched", "trans m n A lda B ldb batch stream"),
        entry("tephra_?transpose_strided_batched", "trans m n A lda stride_a B ldb stride_b batch stream"),
    ],
    draw: |p, rng| p.set("trans", 112 + rng.below(2) as i64),
    operands: |p| {
        let (m, n) = (p["m"], p["n"]);
        vec![reads(p, "A", m, n, Fill::Uniform), operand(p, "B", (n, m), Fill::Poison, Writes::All)]
    },
    wrong: |_, _| vec![("trans", 111)],
    judge: judges!(transpose),
    ..BLAS
};

fn transpose<T: Scalar>(member: &Member) -> Verdict {
    turned::<T>(member, trans(member.sizes))
}

fn turned<T: Scalar>(member: &Member, trans: Trans) -> Verdict {
    let (exact, got) = (op(trans, &member.before::<T>("A").wide()).map(T::narrow), member.after::<T>("B"));
    // A conjugate's zeros have signs.
    let same = exact.data().iter().zip(got.data()).all(|(x, y)| x.wide() == y.wide());
    if same { Ok(0.0) } else { Err(format!("B is {got:?}")) }
}

const TRANSPOSE_PLAIN: Routine = Routine {
    name: "transpose, MAGMA's",
    entries: &[entry("magmablas_?transpose_batched", "m n A lda B ldb batch queue")],
    draw: |p, _| p.set("trans", 112),
    wrong: |_, _| vec![],
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

/// With the full matrix, which no other routine has; the record of launches has no flags of its own.
fn draw_part(p: &mut Sizes, rng: &mut tephra_testkit::Rng) {
    p.set("uplo", 121 + rng.below(3) as i64);
}

const LACPY_BATCHED: Routine = Routine {
    name: "lacpy of a batch",
    entries: &[
        entry("tephra_?lacpy_batched", "uplo m n A lda B ldb batch stream"),
        entry("tephra_?lacpy_strided_batched", "uplo m n A lda stride_a B ldb stride_b batch stream"),
        entry("magmablas_?lacpy_batched", "uplo m n A lda B ldb batch queue"),
        entry("magmablas_?lacpy_internal_batched", "uplo m n A zero zero lda B zero zero ldb batch queue"),
    ],
    draw: draw_part,
    operands: |p| {
        let (m, n) = (p["m"], p["n"]);
        vec![reads(p, "A", m, n, Fill::Uniform), operand(p, "B", (m, n), Fill::Poison, part(p))]
    },
    judge: judges!(lacpy),
    ..BLAS
};

fn lacpy<T: Scalar>(member: &Member) -> Verdict {
    let from = member.before::<T>("A");
    assigned(member, "B", |i, j| from[(i, j)])
}

const LASET_BATCHED: Routine = Routine {
    name: "laset of a batch",
    entries: &[
        entry("tephra_?laset_batched", "uplo m n alpha beta A lda batch stream"),
        entry("tephra_?laset_strided_batched", "uplo m n alpha beta A lda stride_a batch stream"),
        entry("magmablas_?laset_batched", "uplo m n by_value by_value A lda batch queue"),
        entry("magmablas_?laset_internal_batched", "uplo m n by_value by_value A zero zero lda batch queue"),
    ],
    draw: draw_part,
    operands: |p| vec![operand(p, "A", (p["m"], p["n"]), Fill::Poison, part(p))],
    judge: judges!(laset),
    ..BLAS
};

fn laset<T: Scalar>(member: &Member) -> Verdict {
    let [off, on] = member.sizes.scalars.map(scalar::<T>);
    assigned(member, "A", |i, j| if i == j { on } else { off })
}
