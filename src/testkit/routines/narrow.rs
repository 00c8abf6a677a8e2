//! Routines on 16-bit matrices: the rows of single precision, with ratios in units of the 16-bit type's rounding.

use super::cholesky::POTRF;
use super::factorisations::{GEQRF, QR};
use super::lu::GESV;
use super::products::GEMM;
use crate::halves::Half;
use crate::routines::routine::{Entry, Fill, Member, Operand, Routine, Sizes, Verdict, native};
use crate::signatures;
use crate::{Dtype, Rng};

pub const ALL: &[&Routine] = &[&XGEQRF, &XQR, &XPOTRF, &XGESV, &XGEMM];

const SINGLE: &[Dtype] = &[Dtype::S];

const XGEQRF: Routine = Routine {
    name: "xgeqrf",
    entries: &[native(signatures::XGEQRF.pointers()), native(signatures::XGEQRF.strided())],
    dtypes: SINGLE,
    draw: |p, rng| draw(&GEQRF, p, rng),
    operands: |p| operands(&GEQRF, p),
    invalid_args: |p, entry| invalid_args(&GEQRF, p, entry),
    launches: true,
    measure: [|member| measure(&GEQRF, member); 4],
    ..GEQRF
};

const XQR: Routine = Routine {
    name: "xqr",
    entries: &[native(signatures::XQR.pointers()), native(signatures::XQR.strided())],
    dtypes: SINGLE,
    draw: |p, rng| draw(&QR, p, rng),
    operands: |p| operands(&QR, p),
    invalid_args: |p, entry| invalid_args(&QR, p, entry),
    launches: true,
    measure: [|member| measure(&QR, member); 4],
    ..QR
};

const XPOTRF: Routine = Routine {
    name: "xpotrf",
    entries: &[native(signatures::XPOTRF.pointers()), native(signatures::XPOTRF.strided())],
    dtypes: SINGLE,
    draw: |p, rng| draw(&POTRF, p, rng),
    operands: |p| operands(&POTRF, p),
    invalid_args: |p, entry| invalid_args(&POTRF, p, entry),
    measure: [|member| measure(&POTRF, member); 4],
    ..POTRF
};

const XGESV: Routine = Routine {
    name: "xgesv",
    entries: &[native(signatures::XGESV.pointers()), native(signatures::XGESV.strided())],
    dtypes: SINGLE,
    draw: |p, rng| draw(&GESV, p, rng),
    // With so few bits, small random matrices are occasionally singular.
    operands: |p| {
        let mut all = operands(&GESV, p);
        all[0].fill = Fill::DiagonallyDominant;
        all
    },
    invalid_args: |p, entry| invalid_args(&GESV, p, entry),
    measure: [|member| measure(&GESV, member); 4],
    ..GESV
};

const XGEMM: Routine = Routine {
    name: "xgemm",
    entries: &[native(signatures::XGEMM.pointers()), native(signatures::XGEMM.strided())],
    dtypes: SINGLE,
    draw: |p, rng| draw(&GEMM, p, rng),
    operands: |p| operands(&GEMM, p),
    invalid_args: |p, entry| invalid_args(&GEMM, p, entry),
    measure: [|member| measure(&GEMM, member); 4],
    ..GEMM
};

fn draw(of: &Routine, p: &mut Sizes, rng: &mut Rng) {
    p.set("storage", rng.pick(&Half::ALL).number().into());
    (of.draw)(p, rng);
}

/// The operands of single precision stored in 16 bits, except for interchanges, which remain ints. The numbers stay
/// within FP16's range.
fn operands(of: &Routine, p: &Sizes) -> Vec<Operand> {
    let half = |operand: Operand| match operand {
        Operand { name: "ipiv", .. } => operand,
        Operand { fill: Fill::Classes, .. } => Operand { fill: Fill::Uniform, element: 2, ..operand },
        _ => Operand { element: 2, ..operand },
    };
    (of.operands)(p).into_iter().map(half).collect()
}

fn invalid_args(of: &Routine, p: &Sizes, entry: &Entry) -> Vec<(&'static str, i64)> {
    [(of.invalid_args)(p, entry), vec![("storage", 0), ("storage", 3), ("storage", -2)]].concat()
}

/// A solution of one unknown that is subnormal has too few digits to be measured.
fn measure(of: &Routine, member: &Member) -> Verdict {
    let half = Half::of(member.sizes["storage"]);
    let bits = |pair: &[u8]| u16::from_ne_bytes([pair[0], pair[1]]);
    let written = || member.operands.iter().zip(&member.after).filter(|(operand, _)| operand.element == 2);
    if member.sizes["n"] == 1 && written().any(|(_, bytes)| bytes.chunks_exact(2).any(|x| half.is_subnormal(bits(x)))) {
        return Ok(0.0);
    }
    let eps = half.eps();
    Ok((of.measure[Dtype::S as usize])(member)? * Dtype::S.eps() / eps)
}
