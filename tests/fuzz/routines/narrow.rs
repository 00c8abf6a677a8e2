//! Routines on matrices of 16 bits: the rows of single precision, with ratios in units of the type's rounding.

use super::cholesky::POTRF;
use super::factorisations::{GEQRF, QR};
use super::lu::GESV;
use super::products::GEMM;
use crate::routine::{Entry, Fill, Member, Operand, Routine, Sizes, Verdict, entry};
use tephra_testkit::halves::Half;
use tephra_testkit::{Dtype, Rng};

pub const ALL: &[&Routine] = &[&XGEQRF, &XQR, &XPOTRF, &XGESV, &XGEMM];

const SINGLE: &[Dtype] = &[Dtype::S];

const XGEQRF: Routine = Routine {
    name: "xgeqrf",
    entries: &[
        entry("tephra_xgeqrf_batched", "storage m n A lda tau batch work work_bytes stream")
            .query("storage m n lda batch bytes"),
        entry(
            "tephra_xgeqrf_strided_batched",
            "storage m n A lda stride_a tau stride_tau batch work work_bytes stream",
        )
        .query("storage m n lda stride_a stride_tau batch bytes"),
    ],
    dtypes: SINGLE,
    draw: |p, rng| draw(&GEQRF, p, rng),
    operands: |p| operands(&GEQRF, p),
    wrong: |p, entry| wrong(&GEQRF, p, entry),
    launches: true,
    judge: [|member| judge(&GEQRF, member); 4],
    ..GEQRF
};

const XQR: Routine = Routine {
    name: "xqr",
    entries: &[
        entry("tephra_xqr_batched", "storage part m n A lda Q ldq R ldr batch work work_bytes stream")
            .query("storage part m n lda ldq ldr batch bytes"),
        entry(
            "tephra_xqr_strided_batched",
            "storage part m n A lda stride_a Q ldq stride_q R ldr stride_r batch work work_bytes stream",
        )
        .query("storage part m n lda stride_a ldq stride_q ldr stride_r batch bytes"),
    ],
    dtypes: SINGLE,
    draw: |p, rng| draw(&QR, p, rng),
    operands: |p| operands(&QR, p),
    wrong: |p, entry| wrong(&QR, p, entry),
    launches: true,
    judge: [|member| judge(&QR, member); 4],
    ..QR
};

const XPOTRF: Routine = Routine {
    name: "xpotrf",
    entries: &[
        entry("tephra_xpotrf_batched", "storage uplo n A lda info batch work work_bytes stream")
            .query("storage uplo n lda batch bytes"),
        entry("tephra_xpotrf_strided_batched", "storage uplo n A lda stride_a info batch work work_bytes stream")
            .query("storage uplo n lda stride_a batch bytes"),
    ],
    dtypes: SINGLE,
    draw: |p, rng| draw(&POTRF, p, rng),
    operands: |p| operands(&POTRF, p),
    wrong: |p, entry| wrong(&POTRF, p, entry),
    judge: [|member| judge(&POTRF, member); 4],
    ..POTRF
};

const XGESV: Routine = Routine {
    name: "xgesv",
    entries: &[
        entry("tephra_xgesv_batched", "storage n nrhs A lda ipiv B ldb info batch work work_bytes stream")
            .query("storage n nrhs lda ldb batch bytes"),
        entry(
            "tephra_xgesv_strided_batched",
            "storage n nrhs A lda stride_a ipiv stride_ipiv B ldb stride_b info batch work work_bytes stream",
        )
        .query("storage n nrhs lda stride_a stride_ipiv ldb stride_b batch bytes"),
    ],
    dtypes: SINGLE,
    draw: |p, rng| draw(&GESV, p, rng),
    // So few bits make small random matrices singular now and then.
    operands: |p| {
        let mut all = operands(&GESV, p);
        all[0].fill = Fill::Heavy;
        all
    },
    wrong: |p, entry| wrong(&GESV, p, entry),
    judge: [|member| judge(&GESV, member); 4],
    ..GESV
};

const XGEMM: Routine = Routine {
    name: "xgemm",
    entries: &[
        entry(
            "tephra_xgemm_batched",
            "storage trans_a trans_b m n k alpha A lda B ldb beta C ldc batch work work_bytes stream",
        )
        .query("storage trans_a trans_b m n k lda ldb ldc batch bytes"),
        entry(
            "tephra_xgemm_strided_batched",
            "storage trans_a trans_b m n k alpha A lda stride_a B ldb stride_b beta C ldc stride_c batch work work_bytes stream",
        )
        .query("storage trans_a trans_b m n k lda stride_a ldb stride_b ldc stride_c batch bytes"),
    ],
    dtypes: SINGLE,
    draw: |p, rng| draw(&GEMM, p, rng),
    operands: |p| operands(&GEMM, p),
    wrong: |p, entry| wrong(&GEMM, p, entry),
    judge: [|member| judge(&GEMM, member); 4],
    ..GEMM
};

fn draw(of: &Routine, p: &mut Sizes, rng: &mut Rng) {
    p.set("storage", rng.pick(&Half::ALL).number().into());
    (of.draw)(p, rng);
}

/// Those of single precision with 16 bits; interchanges are ints as ever. Numbers stay in FP16's range.
fn operands(of: &Routine, p: &Sizes) -> Vec<Operand> {
    let half = |operand: Operand| match operand {
        Operand { name: "ipiv", .. } => operand,
        Operand { fill: Fill::Classes, .. } => Operand { fill: Fill::Uniform, element: 2, ..operand },
        _ => Operand { element: 2, ..operand },
    };
    (of.operands)(p).into_iter().map(half).collect()
}

fn wrong(of: &Routine, p: &Sizes, entry: &Entry) -> Vec<(&'static str, i64)> {
    [(of.wrong)(p, entry), vec![("storage", 0), ("storage", 3), ("storage", -2)]].concat()
}

fn judge(of: &Routine, member: &Member) -> Verdict {
    let eps = Half::of(member.sizes["storage"]).eps();
    Ok((of.judge[Dtype::S as usize])(member)? * Dtype::S.eps() / eps)
}
