//! geqrf, gelqf, geqp3, geqr, qr.

use crate::measures;
use crate::ops::measure::{difference, gram, norm1, orthogonality, product};
use crate::ratios::{convention, measure};
use crate::routines::routine::{
    Fill, Member, ROUTINE, Routine, Sizes, Verdict, Writes, entry, native, of_signature, operand, updates,
};
use crate::scalar::worst;
use crate::signatures;
use crate::{Dtype, Field, Matrix, Scalar, householder, ops};

pub const ALL: &[&Routine] =
    &[&GEQRF, &GEQRF_EXPERT, &GEQRF_KEPT, &GEQRF3, &GEQRF_PANELS, &GELQF, &GEQP3, &GEQR, &QR, &QR_IN_PLACE];

pub(super) const GEQRF: Routine = Routine {
    name: "geqrf",
    entries: &[
        native(signatures::GEQRF.pointers()),
        native(signatures::GEQRF.strided()),
        entry("cublas?geqrfBatched", "handle m n A lda tau argument_info batch"),
        // The variant with a workspace reports the bad batch count, which is its ninth argument.
        entry("magma_?geqrf_batched", "m n A lda tau info batch queue").numbers(&[("batch", 9)]),
        entry("magma_?geqrf_batched_work", "m n A lda tau info null lwork batch queue"),
        native(signatures::GEQRF.one()),
        entry("cusolverDn?geqrf", "handle m n A lda tau null zero info"),
        // Argument numbers exclude the handle and its options; 0 means "not supported".
        entry("cusolverDnXgeqrf", "handle null m n type A lda type tau type null zero null zero info").numbers(&[
            ("type", 0),
            ("m", 1),
            ("n", 2),
            ("A", 3),
            ("lda", 4),
            ("tau", 5),
        ]),
        entry("magma_?geqrf2_gpu", "m n A lda host_tau argument_info"),
    ],
    operands: |p| of_signature(p, &signatures::GEQRF, &[Fill::Classes, Fill::Poison]),
    // The strided function is excluded because tau would need as many elements.
    invalid_args: |p, entry| {
        let huge = entry.is_wide() && !entry.has("stride_a") && !(ROUTINE.no_work)(p);
        let words = [("n", i64::MAX, huge), ("type", 2, entry.has("type"))];
        words.into_iter().filter(|(.., is)| *is).map(|(word, value, _)| (word, value)).collect()
    },
    // MAGMA's function without a workspace checks the batch count last, and only if the matrices have elements.
    unchecked_args: |p, entry| match entry.symbol() {
        "magma_?geqrf_batched" if p.smaller() == 0 => &["batch"],
        "magma_?geqrf2_gpu" => &["argument_info"],
        _ => &[],
    },
    measure: measures!(geqrf),
    ..ROUTINE
};

fn geqrf<T: Scalar>(member: &Member) -> Verdict {
    factored::<T>(&member.before("A"), &member.after("A"), &member.after("tau"))
}

fn factored<T: Scalar>(a: &Matrix<T>, factors: &Matrix<T>, tau: &Matrix<T>) -> Verdict {
    convention(factors, tau.data())?;
    let ratios = measure(a, factors, tau.data());
    // If TF32 is allowed, the residuals have a limit of their own.
    let limit = crate::ratios::residual_limit(T::DTYPE, a.rows());
    let scale = crate::ratios::Ratios::THRESHOLD / limit;
    Ok(worst(ratios.orthogonality, scale * worst(ratios.residual, ratios.columnwise)))
}

pub(super) const GELQF: Routine = Routine {
    name: "gelqf",
    entries: &[native(signatures::GELQF.pointers()), native(signatures::GELQF.strided())],
    operands: GEQRF.operands,
    invalid_args: GEQRF.invalid_args,
    launches: true,
    measure: measures!(gelqf),
    ..ROUTINE
};

/// gelqf leaves in A the adjoint of what geqrf leaves of A^H.
fn gelqf<T: Scalar>(member: &Member) -> Verdict {
    let [a, factors] =
        [member.before::<T>("A"), member.after("A")].map(|x| x.to_double().adjoint().map(T::from_double));
    factored::<T>(&a, &factors, &member.after("tau"))
}

pub(super) const GEQP3: Routine = Routine {
    name: "geqp3",
    entries: &[native(signatures::GEQP3.pointers()), native(signatures::GEQP3.strided())],
    operands: |p| of_signature(p, &signatures::GEQP3, &[Fill::Classes, Fill::ColumnChoice, Fill::Poison]),
    invalid_args: GEQRF.invalid_args,
    launches: true,
    measure: measures!(geqp3),
    ..ROUTINE
};

fn geqp3<T: Scalar>(member: &Member) -> Verdict {
    let [choice, jpvt] = [&member.before, &member.after].map(|when| member.integers::<T>("jpvt", when));
    let (a, factors, tau) = (member.before::<T>("A"), member.after("A"), member.after::<T>("tau"));
    Ok(ops::pivoted::ratio(&a, &choice, &factors, tau.data(), &jpvt))
}

/// Sizes for which Q is the same as geqrf's, so that T is tau.
const GEQR: Routine = Routine {
    name: "geqr",
    entries: &[native(signatures::GEQR.one()), native(signatures::GEQR.strided())],
    limit: |p| p.set("tsize", p.smaller()),
    operands: |p| of_signature(p, &signatures::GEQR, &[Fill::Classes, Fill::Poison]),
    invalid_args: |p, _| vec![("tsize", p["tsize"] - 1), ("tsize", i64::MIN)],
    measure: measures!(geqr),
    ..ROUTINE
};

fn geqr<T: Scalar>(member: &Member) -> Verdict {
    factored::<T>(&member.before("A"), &member.after("A"), &member.after("T"))
}

const GEQRF_EXPERT: Routine = Routine {
    name: "geqrf expert",
    // MAGMA numbers the leading dimensions as if nb were not an argument; 0 means "not supported".
    entries: &[entry("magma_?geqrf_expert_batched", "m n nb A lda R ldr T ldt tau provide null info batch queue")
        .numbers(&[("lda", 4), ("ldr", 6), ("ldt", 8), ("provide", 0)])],
    draw: |p, rng| {
        p.set("provide", rng.below(3) as i64);
        p.set("nb", *rng.pick(&[1, 2, 5, 8, 32, 40]));
    },
    operands: |p| {
        let (m, n, k) = (p["m"], p["n"], p.smaller());
        let block = k.min(p["nb"]);
        let r = if p["provide"] == 1 { (k, n) } else { (block, k) };
        let writes = if p["provide"] == 0 { Writes::Nothing } else { Writes::All };
        vec![
            updates(p, "A", m, n, Fill::Uniform),
            operand(p, "R", r, Fill::Poison, writes),
            operand(p, "T", (block, k), Fill::Poison, writes),
            operand(p, "tau", (k, 1), Fill::Poison, Writes::All),
        ]
    },
    invalid_args: |p, _| {
        if (ROUTINE.no_work)(p) { vec![("nb", 0)] } else { vec![("nb", 0), ("provide", 3), ("provide", -1)] }
    },
    // MAGMA's lower limits for these leading dimensions lack the usual max(1, ...).
    unchecked_args: |p, _| match (p.smaller(), p["provide"]) {
        (0, _) => &["ldr", "ldt"],
        (_, 0) => &["R", "T"],
        _ => &[],
    },
    measure: measures!(geqrf_expert),
    ..ROUTINE
};

/// Judges the factorisation, reassembled from V, R and the part of R that stayed in A, and the T of each panel.
fn geqrf_expert<T: Scalar>(member: &Member) -> Verdict {
    let (p, a, tau) = (member.sizes, member.after::<T>("A"), member.after::<T>("tau"));
    let input = member.before::<T>("A");
    if p["provide"] == 0 {
        return factored(&input, &a, &tau);
    }
    let (r, t) = (member.after::<T>("R"), member.after::<T>("T"));
    let (nb, k, whole) = (p["nb"] as usize, p.smaller() as usize, p["provide"] == 1);
    let in_block = |i: usize, j: usize| i <= j && j < k && i / nb == j / nb;
    v_is_explicit(&a, nb, k)?;
    let factors = Matrix::from_fn(a.rows(), a.cols(), |i, j| match (in_block(i, j), whole) {
        (_, true) if i <= j => r[(i, j)],
        (true, false) => r[(i % nb, j)],
        _ => a[(i, j)],
    });
    Ok(worst(factored(&input, &factors, &tau)?, block_factors(&a, &tau, &t, nb, k)))
}

/// Checks that the nb x nb diagonal blocks of V in the first `k` columns hold explicit ones and zeros.
fn v_is_explicit<T: Scalar>(a: &Matrix<T>, nb: usize, k: usize) -> Result<(), String> {
    let (zero, one) = (T::from_double(T::Double::ZERO), T::from_double(T::Double::ONE));
    for j in 0..k {
        if let Some(i) = (j / nb * nb..=j).find(|&i| a[(i, j)] != if i == j { one } else { zero }) {
            return Err(format!("V({i},{j}) is {:?}", a[(i, j)]));
        }
    }
    Ok(())
}

/// Judges the T factors of the panels in the first `k` columns, stored side by side.
fn block_factors<T: Scalar>(a: &Matrix<T>, tau: &Matrix<T>, t: &Matrix<T>, nb: usize, k: usize) -> f64 {
    let panel = |from: usize| {
        let width = nb.min(k - from);
        let v = Matrix::from_fn(a.rows() - from, width, |i, j| a[(from + i, from + j)]);
        let tau = Matrix::from_fn(width, 1, |i, _| tau[(from + i, 0)]);
        let t = Matrix::from_fn(width, width, |i, j| t[(i, from + j)]);
        ops::measure::block_factor(&v, &tau, &t)
    };
    (0..k).step_by(nb).map(panel).fold(0.0, worst)
}

/// The requested panel width, or else MAGMA's for matrices of these sizes.
fn width(p: &Sizes) -> i64 {
    p.find("nb").unwrap_or(if p.dtype == Dtype::S { 96 } else { 64 })
}

/// The number of leading columns whose panels are kept in MAGMA's form.
fn kept(p: &Sizes) -> i64 {
    if width(p) > 1 { (p.smaller().max(1) - 1) / width(p) * width(p) } else { 0 }
}

/// Keeps the T factors and, in every panel but the last, an explicit V and the inverted diagonal blocks of R.
const GEQRF_KEPT: Routine = Routine {
    name: "geqrf kept",
    entries: &[entry("magma_?geqrf_gpu", "m n A lda host_tau T argument_info")],
    draw: |p, rng| {
        if rng.one_in(2) {
            p.set("m", 60 + rng.below(160) as i64);
            p.set("n", 60 + rng.below(160) as i64);
        }
    },
    limit: |p| p.set("batch", 1),
    operands: |p| {
        let (m, n, k, nb) = (p["m"], p["n"], p.smaller(), width(p));
        let writes = if kept(p) > 0 { Writes::All } else { Writes::Nothing };
        vec![
            updates(p, "A", m, n, Fill::DiagonallyDominant),
            operand(p, "tau", (k, 1), Fill::Poison, Writes::All),
            operand(p, "T", (nb, 2 * k), Fill::Poison, writes),
        ]
    },
    unchecked_args: |p, _| if kept(p) > 0 { &["argument_info"] } else { &["T", "argument_info"] },
    measure: measures!(geqrf_kept),
    ..ROUTINE
};

/// Like [`GEQRF_KEPT`], but keeps the diagonal blocks of R uninverted.
const GEQRF3: Routine = Routine {
    name: "geqrf3",
    entries: &[entry("magma_?geqrf3_gpu", "m n A lda host_tau T argument_info")],
    measure: measures!(geqrf3),
    ..GEQRF_KEPT
};

/// Panels of any width.
const GEQRF_PANELS: Routine = Routine {
    name: "geqrf in panels",
    entries: &[entry(
        "magma_?geqrf_expert_gpu_work",
        "m n A lda host_tau T argument_info mode nb null lwork null lwork queues",
    )],
    draw: |p, rng| {
        p.set("mode", 701 + rng.below(2) as i64);
        p.set("nb", *rng.pick(&[1, 2, 5, 8, 32, 40, 100]));
    },
    invalid_args: |_, _| vec![("nb", 0), ("mode", 0), ("mode", 703)],
    ..GEQRF_KEPT
};

fn geqrf_kept<T: Scalar>(member: &Member) -> Verdict {
    kept_panels::<T>(member, |block, stored| {
        let product = block.times(stored);
        let residual = Matrix::from_fn(product.rows(), product.cols(), |i, j| match i == j {
            true => product[(i, j)] - T::Double::ONE,
            false => product[(i, j)],
        });
        norm1(&residual) / (product.rows() as f64 * norm1(block) * norm1(stored) * T::DTYPE.eps())
    })
}

fn geqrf3<T: Scalar>(member: &Member) -> Verdict {
    kept_panels::<T>(member, |block, stored| difference(&Matrix::<T>::from_double(stored), block))
}

/// Judges the kept factors after reassembling the factorisation; `compare` compares a diagonal block of R with what T
/// holds of it.
fn kept_panels<T: Scalar>(member: &Member, compare: impl Fn(&Matrix<T::Double>, &Matrix<T::Double>) -> f64) -> Verdict {
    let (p, a, tau) = (member.sizes, member.after::<T>("A"), member.after::<T>("tau"));
    let (t, input) = (member.after::<T>("T"), member.before::<T>("A"));
    let (k, nb, kept) = (p.smaller() as usize, width(p) as usize, kept(p) as usize);
    v_is_explicit(&a, nb, kept)?;
    // The blocks of R that A no longer holds follow from the reflectors.
    let mut r = input.to_double();
    householder::apply_adjoint(&a.to_double(), tau.map(|x| x.to_double()).data(), &mut r);
    let of_block = |i: usize, j: usize| match i == j {
        true => T::from_double(T::Double::real(r[(i, j)].re())), // LAPACK's diagonal is real
        false => T::from_double(r[(i, j)]),
    };
    let in_block = |i: usize, j: usize| i <= j && j < kept && i / nb == j / nb;
    let factors = Matrix::from_fn(a.rows(), a.cols(), |i, j| if in_block(i, j) { of_block(i, j) } else { a[(i, j)] });
    let block = |from: usize| {
        let block = Matrix::from_fn(nb, nb, |i, j| if i <= j { r[(from + i, from + j)] } else { T::Double::ZERO });
        compare(&block, &Matrix::from_fn(nb, nb, |i, j| t[(i, k + from + j)].to_double()))
    };
    let blocks = (0..kept).step_by(nb).map(block).fold(0.0, worst);
    Ok([factored(&input, &factors, &tau)?, block_factors(&a, &tau, &t, nb, kept), blocks].into_iter().fold(0.0, worst))
}

pub(super) const QR: Routine = Routine {
    name: "qr",
    entries: &[native(signatures::QR.pointers()), native(signatures::QR.strided())],
    draw: |p, rng| p.set("part", rng.below(3) as i64),
    operands: |p| {
        let mut operands = of_signature(p, &signatures::QR, &[Fill::Uniform, Fill::Poison, Fill::Poison]);
        operands.retain(|operand| operand.name != "Q" || p["part"] != NONE);
        operands
    },
    no_work: |p| p.any_zero(&["batch", "m"]) || (p["n"] == 0 && p["part"] != FULL),
    measure: measures!(qr),
    ..ROUTINE
};

const NONE: i64 = 0;
const THIN: i64 = 1;
const FULL: i64 = 2;

fn qr<T: Scalar>(member: &Member) -> Verdict {
    let (a, r) = (member.before::<T>("A"), member.after::<T>("R"));
    if member.sizes["part"] == NONE {
        return Ok(gram(&a, &r));
    }
    let q = member.after::<T>("Q");
    Ok(worst(product(&a, &q, &r), orthogonality(&q)))
}

const Q_IN_PLACE: &[(&str, &str)] = &[("Q", "A"), ("ldq", "lda")];

const QR_IN_PLACE: Routine = Routine {
    name: "qr in place",
    entries: &[
        native(signatures::QR.pointers().replacing(Q_IN_PLACE)),
        native(signatures::QR.strided().replacing(Q_IN_PLACE)),
    ],
    draw: |p, _| p.set("part", THIN),
    limit: |p| p.at_most("n", p["m"]),
    operands: |p| {
        let (m, n) = (p["m"], p["n"]);
        vec![updates(p, "A", m, n, Fill::Uniform), operand(p, "R", (n, n), Fill::Poison, Writes::All)]
    },
    measure: measures!(qr_in_place),
    ..ROUTINE
};

fn qr_in_place<T: Scalar>(member: &Member) -> Verdict {
    let (a, q, r) = (member.before::<T>("A"), member.after::<T>("A"), member.after::<T>("R"));
    Ok(worst(product(&a, &q, &r), orthogonality(&q)))
}
