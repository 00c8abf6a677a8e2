//! What is to be computed. Layouts are data: one routine serves pointer arrays and strided batches.

mod assign;
pub mod check;
pub mod extent;
mod solve;

pub use assign::{Assign, Part, Source};
pub use solve::{
    Alpha, Diag, Gels, Larfb, Larft, Operation, Orgqr, Ormqr, QPart, Qr, Side, Trans, Trsm, Uplo, Workspace,
};

use std::ffi::c_void;

/// A CUDA stream (`CUstream`, `cudaStream_t`): NULL is the legacy default stream, and CUDA's special values 1 and 2
/// (legacy, per-thread) pass through. The CPU backend ignores it: host work is done when the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Stream(pub *mut c_void);

/// Element type, in BLAS's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Dtype {
    /// `float`
    S,
    /// `double`
    D,
    /// `cuComplex`
    C,
    /// `cuDoubleComplex`
    Z,
}

impl Dtype {
    /// All four, in BLAS's order.
    pub const ALL: [Dtype; 4] = [Dtype::S, Dtype::D, Dtype::C, Dtype::Z];

    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            Dtype::S => 4,
            Dtype::D | Dtype::C => 8,
            Dtype::Z => 16,
        }
    }

    /// BLAS's letter, lower case.
    pub const fn letter(self) -> char {
        match self {
            Dtype::S => 's',
            Dtype::D => 'd',
            Dtype::C => 'c',
            Dtype::Z => 'z',
        }
    }

    /// Whether elements are complex.
    pub const fn is_complex(self) -> bool {
        matches!(self, Dtype::C | Dtype::Z)
    }
}

/// How single precision real matrices may be computed with; other types ignore it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Math {
    /// In FP32.
    #[default]
    Fp32,
    /// Products may round their operands to TF32 (10 bits of mantissa); sums are FP32. A permission: the CPU backend, and
    /// plans that gain nothing by it, compute in FP32.
    Tf32,
}

/// Where the members of a batch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `array[i]` points to member i. The array itself is device memory, or host memory the device can read.
    Pointers(*const *mut c_void),
    /// Member i starts `i * stride` elements after `base`.
    Strided {
        /// Start of member 0.
        base: *mut c_void,
        /// Elements from one member to the next.
        stride: i64,
    },
}

/// Batched QR, LAPACK `?geqrf`: A(i) = Q(i) R(i) in place.
///
/// On exit A holds R on and above the diagonal and the reflectors' vectors below it; `tau` their scalar factors.
#[derive(Clone, Copy, Debug)]
pub struct Geqrf {
    /// Element type of A and tau.
    pub dtype: Dtype,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices, column-major, `lda * n` elements each (rows m..lda are never touched).
    pub a: Operand,
    /// Leading dimension, >= max(1, m).
    pub lda: i64,
    /// The scalar factors, `max(1, min(m, n))` elements each.
    pub tau: Operand,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// `int[batch]` in the backend's memory set to 0, or NULL (cuBLAS has no such array; MAGMA has).
    pub info: *mut i32,
    /// How the blocked path's trailing updates may compute.
    pub math: Math,
}

/// MAGMA's expert outputs, taken from a finished factorisation: R and the block reflectors' triangular factors T.
///
/// For panel p (columns p*nb .. p*nb+nb, up to min(m, n)) T is the upper triangular factor of LAPACK `?larft`
/// (forward, columnwise), strictly lower part set to zero.
#[derive(Clone, Copy, Debug)]
pub struct GeqrfExtract {
    /// The factorisation, as given to [`Geqrf`].
    pub qr: Geqrf,
    /// Columns in a panel, >= 1.
    pub nb: i64,
    /// Receives the blocks of R.
    pub r: Operand,
    /// Leading dimension of R.
    pub ldr: i64,
    /// Receives the nb x nb factors T.
    pub t: Operand,
    /// Leading dimension of T.
    pub ldt: i64,
    /// Which parts are stored, and where.
    pub part: ExtractPart,
    /// Afterwards replace the upper triangle of each nb x nb diagonal block of A (columns up to min(m, n)) by that
    /// of the identity, so that the blocks hold the reflectors explicitly. MAGMA leaves A like that.
    pub explicit_v: bool,
}

/// What [`GeqrfExtract`] stores (MAGMA's `provide_RT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractPart {
    /// 1: R whole, min(m, n) x n, zero below its diagonal; block p of T in columns p*nb .. of T.
    Full,
    /// 2: the diagonal nb x nb blocks of R and of T, block p in columns p*nb .. of each.
    DiagonalBlocks,
}
