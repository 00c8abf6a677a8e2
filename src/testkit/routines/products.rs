//! gemm and gemv. A vector is a matrix of one row whose leading dimension is the increment.

use super::flags::trans_of;
use crate::Scalar;
use crate::measures;
use crate::ops::Trans;
use crate::ops::products::multiplied;
use crate::routines::routine::{
    Entry, Fill, Interface, Member, ROUTINE, Routine, Sizes, Verdict, entry, native, of_signature, scalar,
};
use crate::signatures;

pub const ALL: &[&Routine] = &[&GEMM, &GEMV];

const GEMM_CUBLAS_STRIDED: &str =
    "handle trans_a trans_b m n k alpha A lda stride_a B ldb stride_b beta C ldc stride_c batch";
const GEMM_MAGMA_CORE: &str =
    "trans_a trans_b m n k by_value A zero zero lda B zero zero ldb by_value C zero zero ldc batch queue";

const fn magma(symbol: &'static str) -> Entry {
    entry(symbol, signatures::GEMM.magma.1)
}

const fn core(symbol: &'static str) -> Entry {
    entry(symbol, GEMM_MAGMA_CORE)
}

pub(super) const GEMM: Routine = Routine {
    name: "gemm",
    launches: true,
    entries: &[
        native(signatures::GEMM.pointers()),
        native(signatures::GEMM.strided()),
        entry("cublas?gemmBatched", signatures::GEMM.cublas),
        entry("cublas?gemmBatched_64", signatures::GEMM.cublas),
        entry("cublas?gemmStridedBatched", GEMM_CUBLAS_STRIDED),
        entry("cublas?gemmStridedBatched_64", GEMM_CUBLAS_STRIDED),
        magma("magma_?gemm_batched"),
        magma("magmablas_?gemm_batched"),
        core("magma_?gemm_batched_core"),
        core("magmablas_?gemm_batched_core"),
        core("magmablas_?gemm_batched_smallsq"),
        entry(
            "magmablas_?gemm_batched_strided",
            "trans_a trans_b m n k by_value A lda stride_a B ldb stride_b by_value C ldc stride_c batch queue",
        ),
    ],
    draw: |p, rng| {
        p.set("trans_a", 111 + rng.below(3) as i64);
        p.set("trans_b", 111 + rng.below(3) as i64);
    },
    // A call that does not change C does not check its other arguments, but only if the scalars are known on the host.
    limit: |p| keep_work(p, p["k"] == 0),
    operands: |p| of_signature(p, &signatures::GEMM, &[factor(p), factor(p), result(p)]),
    unchecked_args: |p, entry| {
        let strides = entry.interface() == Interface::Cublas && entry.has("stride_a");
        match (is_zero(p, 0), strides) {
            (true, false) => &["A", "B"],
            (false, true) => &["stride_a", "stride_b", "stride_c"],
            (true, true) => &["A", "B", "stride_a", "stride_b", "stride_c"],
            _ => &[],
        }
    },
    measure: measures!(gemm),
    ..ROUTINE
};

const GEMV_CUBLAS_STRIDED: &str = "handle trans m n alpha A lda stride_a X incx stride_x beta Y incy stride_y batch";

pub(super) const GEMV: Routine = Routine {
    name: "gemv",
    launches: true,
    entries: &[
        native(signatures::GEMV.pointers()),
        native(signatures::GEMV.strided()),
        entry("cublas?gemvBatched", signatures::GEMV.cublas),
        entry("cublas?gemvBatched_64", signatures::GEMV.cublas),
        entry("cublas?gemvStridedBatched", GEMV_CUBLAS_STRIDED),
        entry("cublas?gemvStridedBatched_64", GEMV_CUBLAS_STRIDED),
        native(signatures::GEMV.magma()),
        entry(
            "magmablas_?gemv_batched_core",
            "trans m n by_value A zero zero lda X zero incx by_value Y zero incy batch queue",
        ),
        entry(
            "magmablas_?gemv_batched_strided",
            "trans m n by_value A lda stride_a X incx stride_x by_value Y incy stride_y batch queue",
        ),
        entry(
            "magmablas_?gemv_batched_strided_core",
            "trans m n by_value A lda zero zero stride_a X incx zero stride_x by_value Y incy zero stride_y batch queue",
        ),
    ],
    limit: |p| keep_work(p, false),
    operands: |p| of_signature(p, &signatures::GEMV, &[factor(p), factor(p), result(p)]),
    // Increments may be negative. cuBLAS accepts almost anything (tests/abi_edges/cublas_products.rs).
    unchecked_args: |p, entry| match (is_zero(p, 0), entry.interface() == Interface::Cublas) {
        (false, false) => &["incx", "incy"],
        (true, false) => &["incx", "incy", "A", "X"],
        (false, true) => &["trans", "m", "n", "incx", "incy", "batch", "stride_a", "stride_x", "stride_y"],
        (true, true) => &["trans", "m", "n", "incx", "incy", "batch", "stride_a", "stride_x", "stride_y", "A", "X"],
    },
    measure: measures!(gemv),
    ..ROUTINE
};

fn is_zero(p: &Sizes, scalar: usize) -> bool {
    p.scalars[scalar] == (0.0, 0.0)
}

fn keep_work(p: &mut Sizes, no_terms: bool) {
    if (no_terms || is_zero(p, 0)) && p.scalars[1] == (1.0, 0.0) {
        p.scalars[1].0 = -0.5;
    }
}

/// If alpha = 0, neither factor is read.
fn factor(p: &Sizes) -> Fill {
    if is_zero(p, 0) { Fill::Poison } else { Fill::Uniform }
}

/// If beta = 0, the result is only written.
fn result(p: &Sizes) -> Fill {
    if is_zero(p, 1) { Fill::Poison } else { Fill::Uniform }
}

fn gemm<T: Scalar>(member: &Member) -> Verdict {
    let p = member.sizes;
    let trans = [trans_of(p, "trans_a"), trans_of(p, "trans_b")];
    let [a, b, c] = ["A", "B", "C"].map(|name| member.before::<T>(name));
    Ok(multiplied(trans, p.scalars.map(scalar), &a, &b, &c, &member.after("C")))
}

/// Vectors are rows, so this computes y^T := alpha x^T op(A)^T + beta y^T.
fn gemv<T: Scalar>(member: &Member) -> Verdict {
    let p = member.sizes;
    let [a, x, y] = ["A", "X", "Y"].map(|name| member.before::<T>(name));
    let after = member.after::<T>("Y");
    let turned = |x: &crate::Matrix<T>| crate::Matrix::from_fn(x.cols(), x.rows(), |i, j| x[(j, i)]);
    let trans = [trans_of(p, "trans"), Trans::N];
    Ok(multiplied(trans, p.scalars.map(scalar), &a, &turned(&x), &turned(&y), &turned(&after)))
}
