//! One call of any operation other than plain QR through any of the library's ABIs. Memory is guarded and poisoned
//! before the call; the results and everything around them are checked after it.
//!
//! | module | operations |
//! | --- | --- |
//! | [`q`], [`blocks`] | factors, Q and products with Q; block reflectors |
//! | [`implicit`] | QR with an implicit Q |
//! | [`solve`] | solutions of least-squares and triangular systems |
//! | [`iterative`] | iterative least squares |
//! | [`lu`] | LU factorisations, solutions and inverses |
//! | [`cholesky`] | Cholesky factorisations, solutions and inverses, with their test ratios |
//! | [`products`] | matrix and matrix-vector products; their residuals |
//! | [`blas`], [`exact`] | rank-k updates, triangles, sums; their exact results |
//! | [`measure`], [`residuals`], [`pivoted`] | test ratios: of QR's operations; of LU; of pivoted QR |
//! | `call`, [`entry`] | how these calls are made; their interface and memory |

pub mod blas;
pub mod blocks;
mod call;
pub mod cholesky;
pub mod entry;
pub mod exact;
pub mod implicit;
pub mod iterative;
pub mod least_squares;
pub mod lu;
pub mod measure;
pub mod pivoted;
pub mod products;
pub mod q;
pub mod residuals;
pub mod solve;

pub use call::{by_signature, nvidias};

use crate::guarded::{Guarded, Placement};
use crate::memory::{Kind, Memory};
use crate::qr::Session;
use crate::scalar::same_bits;
use crate::signatures::Access;
use crate::sweep::without_forced_plan;
use crate::{Error, Matrix, Result, Scalar};
use std::ffi::{c_int, c_void};

/// A kind of entry point. Not every operation has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryForm {
    /// `tephra_?OP_batched`
    Pointers,
    /// `tephra_?OP_strided_batched`
    Strided,
    /// `tephra_?OP`, called once per member.
    One,
    /// `cublas?OPBatched`, with scalars in host memory.
    Cublas,
    /// `cublas?OPBatched`, with scalars in the backend's memory.
    CublasDevice,
    /// `cublas?OPBatched_64`
    Cublas64,
    /// `magma_?OP_batched`, `magmablas_?OP_batched`
    Magma,
}

macro_rules! flags {
    ($($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $cblas:literal, $cublas:literal, $letter:literal;)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),* }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// CBLAS's number, which MAGMA and the native API share.
            pub const fn cblas(self) -> c_int {
                match self { $($name::$variant => $cblas),* }
            }

            /// cuBLAS's number.
            pub const fn cublas(self) -> c_int {
                match self { $($name::$variant => $cublas),* }
            }

            /// LAPACK's letter.
            pub const fn letter(self) -> u8 {
                match self { $($name::$variant => $letter),* }
            }
        }
    )*};
}

flags! {
    /// The side on which an operator acts.
    Side {
        /// op(Q) C
        Left = 141, 0, b'L';
        /// C op(Q)
        Right = 142, 1, b'R';
    }
    /// A transposition.
    Trans {
        /// None.
        N = 111, 0, b'N';
        /// Transpose.
        T = 112, 1, b'T';
        /// Conjugate transpose.
        C = 113, 2, b'C';
    }
    /// A triangle of a matrix.
    Uplo {
        /// On and above the diagonal.
        Upper = 121, 1, b'U';
        /// On and below the diagonal.
        Lower = 122, 0, b'L';
    }
    /// The kind of diagonal.
    Diag {
        /// As stored.
        NonUnit = 131, 0, b'N';
        /// All ones, not stored.
        Unit = 132, 1, b'U';
    }
}

/// The value of info before a call.
pub const INFO_POISON: c_int = -77;

/// An operand of integers, whose memory is guarded like that of the other operands.
trait Integers<T> {
    /// Restores inputs, poisons outputs.
    fn upload(&self) -> Result<()>;
    /// Its members, in the form of [`crate::engine::Inputs`], if the call writes it. Fails if any bit outside them
    /// changed.
    fn collect(&self) -> Result<Option<Vec<Matrix<T>>>>;
    /// Whether no bit of its memory changed.
    fn is_untouched(&self) -> Result<bool>;
}

pub(crate) type Issue<'a, T> = Box<dyn Fn(&[Guarded<T>], *mut c_int) -> Result<()> + 'a>;

/// A call that is ready to be made: memory is allocated and inputs are set. [`Prepared::run`] performs all steps; the
/// single steps serve graph capture.
pub struct Prepared<'a, T> {
    session: &'a Session,
    operands: Vec<Guarded<T>>,
    access: Vec<Access>,
    integers: Option<Box<dyn Integers<T> + 'a>>,
    info: Memory,
    batch: usize,
    issue: Issue<'a, T>,
}

/// The results of a call.
#[derive(Clone, Debug)]
pub struct Output<T> {
    /// The written operands, in the order of the arguments, with their members.
    pub operands: Vec<Vec<Matrix<T>>>,
    /// The codes, or [`INFO_POISON`] if the entry point has none.
    pub info: Vec<c_int>,
}

impl<T> Output<T> {
    /// The members of the only written operand.
    pub fn only(mut self) -> Vec<Matrix<T>> {
        assert_eq!(self.operands.len(), 1);
        self.operands.remove(0)
    }
}

impl<T: Scalar> Output<T> {
    /// Whether the written operands of member `i` are bitwise equal to those of member `j` of `other`.
    pub fn same_operands(&self, i: usize, other: &Self, j: usize) -> bool {
        let mut operands = self.operands.iter().zip(&other.operands);
        operands.all(|(a, b)| same_bits(a[i].data(), b[j].data()))
    }

    /// Whether their codes are equal as well.
    pub fn same_member(&self, i: usize, other: &Self, j: usize) -> bool {
        self.same_operands(i, other, j) && self.info[i] == other.info[j]
    }
}

impl<'a, T: Scalar> Prepared<'a, T> {
    pub(crate) fn new(
        session: &'a Session,
        batch: usize,
        operands: Vec<(Guarded<T>, Access)>,
        issue: Issue<'a, T>,
    ) -> Result<Self> {
        let info = Memory::new(session.library(), Kind::Device, batch * size_of::<c_int>())?;
        let (operands, access) = operands.into_iter().unzip();
        let prepared = Prepared { session, operands, access, integers: None, info, batch, issue };
        prepared.upload()?;
        Ok(prepared)
    }

    /// Adds an operand of integers. If the call writes it, it comes last in the output.
    fn with_integers(self, integers: impl Integers<T> + 'a) -> Result<Self> {
        let prepared = Prepared { integers: Some(Box::new(integers)), ..self };
        prepared.upload()?;
        Ok(prepared)
    }

    /// Restores the inputs and poisons the outputs and codes.
    pub fn upload(&self) -> Result<()> {
        self.operands.iter().try_for_each(Guarded::upload)?;
        self.integers.iter().try_for_each(|integers| integers.upload())?;
        self.info.write(&vec![INFO_POISON; self.batch])
    }

    /// Issues the call on the session's stream.
    pub fn issue(&self) -> Result<()> {
        without_forced_plan(|| (self.issue)(&self.operands, self.info.pointer().cast()))
    }

    /// Waits for the call and returns its results. Fails if any bit outside the written members changed.
    pub fn collect(&self) -> Result<Output<T>> {
        self.session.synchronize()?;
        let mut operands = Vec::new();
        for (index, (memory, access)) in self.operands.iter().zip(&self.access).enumerate() {
            let contents = memory.download()?;
            match access {
                Access::Read if !contents.is_untouched() => {
                    return Err(Error::Guard(format!("operand {index}, which is only read")));
                }
                Access::Read => {}
                _ => operands.push((0..self.batch).map(|i| contents.member(i)).collect()),
            }
        }
        if let Some(integers) = &self.integers {
            operands.extend(integers.collect()?);
        }
        let mut info = vec![0; self.batch];
        self.info.read(&mut info)?;
        Ok(Output { operands, info })
    }

    /// Uploads, issues and collects.
    pub fn run(&self) -> Result<Output<T>> {
        self.upload()?;
        self.issue()?;
        self.collect()
    }

    /// Whether nothing was written except codes of 0, which some interfaces write even if there is nothing to do.
    pub fn is_untouched(&self) -> Result<bool> {
        self.session.synchronize()?;
        for memory in &self.operands {
            if !memory.download()?.is_untouched() {
                return Ok(false);
            }
        }
        if let Some(integers) = &self.integers
            && !integers.is_untouched()?
        {
            return Ok(false);
        }
        let mut info = vec![0; self.batch];
        self.info.read(&mut info)?;
        Ok([INFO_POISON, 0].iter().any(|unset| info.iter().all(|code| code == unset)))
    }
}

/// Allocates guarded memory for members of one shape and sets it to `inputs`.
pub(crate) fn guarded_operand<T: Scalar>(
    session: &Session,
    inputs: &[Matrix<T>],
    place: &Placement,
) -> Result<Guarded<T>> {
    let (rows, cols) = inputs.first().map_or((0, 0), |a| (a.rows(), a.cols()));
    let mut memory = Guarded::new(session.library(), rows, cols, inputs.len(), place)?;
    inputs.iter().enumerate().for_each(|(i, a)| memory.set(i, a));
    Ok(memory)
}

/// The placement of vectors: like that of the matrices, but without padding and in a different order.
fn vectors(place: &Placement) -> Placement {
    Placement { padding: 0, interleaved: false, shuffle: place.shuffle.map(|s| s ^ 0x7a75), ..place.clone() }
}

/// The placement of another operand, with its members in a different order.
fn reordered(place: &Placement, salt: u64) -> Placement {
    Placement {
        padding: place.padding + 2 * (place.padding > 0) as usize,
        shuffle: place.shuffle.map(|s| s ^ salt),
        ..place.clone()
    }
}

/// A native workspace of the queried size, or none if the query returned 0.
fn workspace(session: &Session, bytes: usize) -> Result<Option<Memory>> {
    if bytes == 0 { Ok(None) } else { Memory::new(session.library(), Kind::Device, bytes).map(Some) }
}

fn place_of(work: &Option<Memory>) -> (*mut c_void, usize) {
    work.as_ref().map_or((std::ptr::null_mut(), 0), |w| (w.pointer(), w.bytes()))
}
