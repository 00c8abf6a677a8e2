//! The arguments of our prototypes, counted from 1. Those that no check names (info, stream) are left out at the end or
//! stand as what they are.

use crate::error::Arg::{self, *};

/// A prototype's arguments and their positions, counted from 1.
pub type Positions = [(Arg, i32)];

/// Where `arg` stands; 0 if the prototype has no such argument, which is a defect of ours.
pub fn position(positions: &Positions, arg: Arg) -> i32 {
    positions.iter().find(|(a, _)| *a == arg).map_or(0, |&(_, i)| i)
}

const fn numbered<const COUNT: usize>(args: [Arg; COUNT]) -> [(Arg, i32); COUNT] {
    let mut table = [(Arg::M, 0); COUNT];
    let mut i = 0;
    while i < COUNT {
        table[i] = (args[i], i as i32 + 1);
        i += 1;
    }
    table
}

macro_rules! prototypes {
    ($($(#[$meta:meta])* $name:ident: $($arg:ident)*;)*) => {
        $($(#[$meta])* pub const $name: &Positions = &numbered([$($arg),*]);)*
    };
}

prototypes! {
    /// `tephra_memcpy`: to, from, how much
    MEMCPY: C A N;

    /// `tephra_?geqrf_batched`
    GEQRF_BATCHED: M N A Lda Tau BatchCount;
    /// `tephra_?geqrf_strided_batched`
    GEQRF_STRIDED: M N A Lda StrideA Tau StrideTau BatchCount;
    /// `tephra_?geqrf_batched_workspace`
    GEQRF_BATCHED_WORKSPACE: M N Lda BatchCount;
    /// `tephra_?geqrf_strided_batched_workspace`
    GEQRF_STRIDED_WORKSPACE: M N Lda StrideA StrideTau BatchCount;

    /// `tephra_?{orgqr,ungqr}_batched`
    ORGQR_BATCHED: M N K A Lda Tau BatchCount;
    /// `tephra_?{orgqr,ungqr}_strided_batched`
    ORGQR_STRIDED: M N K A Lda StrideA Tau StrideTau BatchCount;

    /// `tephra_?{ormqr,unmqr}_batched`
    ORMQR_BATCHED: Side Trans M N K A Lda Tau C Ldc BatchCount;
    /// `tephra_?{ormqr,unmqr}_strided_batched`
    ORMQR_STRIDED: Side Trans M N K A Lda StrideA Tau StrideTau C Ldc StrideC BatchCount;

    /// `tephra_?qr_batched`
    QR_BATCHED: Part M N A Lda Q Ldq R Ldr BatchCount Work Lwork;
    /// `tephra_?qr_strided_batched`
    QR_STRIDED: Part M N A Lda StrideA Q Ldq StrideQ R Ldr StrideR BatchCount Work Lwork;
    /// `tephra_?qr_batched_workspace`
    QR_BATCHED_WORKSPACE: Part M N Lda Ldq Ldr BatchCount;
    /// `tephra_?qr_strided_batched_workspace`
    QR_STRIDED_WORKSPACE: Part M N Lda StrideA Ldq StrideQ Ldr StrideR BatchCount;

    /// `tephra_?gels_batched`; argument 9 is info.
    GELS_BATCHED: Trans M N Nrhs A Lda B Ldb Info BatchCount Work Lwork;
    /// `tephra_?gels_strided_batched`; argument 11 is info.
    GELS_STRIDED: Trans M N Nrhs A Lda StrideA B Ldb StrideB Info BatchCount Work Lwork;
    /// `tephra_?gels_batched_workspace`
    GELS_BATCHED_WORKSPACE: Trans M N Nrhs Lda Ldb BatchCount;
    /// `tephra_?gels_strided_batched_workspace`
    GELS_STRIDED_WORKSPACE: Trans M N Nrhs Lda StrideA Ldb StrideB BatchCount;

    /// `tephra_?trsm_batched`
    TRSM_BATCHED: Side Uplo Trans Diag M N Alpha A Lda B Ldb BatchCount;
    /// `tephra_?trsm_strided_batched`
    TRSM_STRIDED: Side Uplo Trans Diag M N Alpha A Lda StrideA B Ldb StrideB BatchCount;

    /// `tephra_?larft_batched`
    LARFT_BATCHED: M K V Ldv Tau T Ldt BatchCount;
    /// `tephra_?larft_strided_batched`
    LARFT_STRIDED: M K V Ldv StrideV Tau StrideTau T Ldt StrideT BatchCount;

    /// `tephra_?larfb_batched`
    LARFB_BATCHED: Side Trans M N K V Ldv T Ldt C Ldc BatchCount;
    /// `tephra_?larfb_strided_batched`
    LARFB_STRIDED: Side Trans M N K V Ldv StrideV T Ldt StrideT C Ldc StrideC BatchCount;
}
