//! Matrices that are stored in 16 bits and computed with in FP32.

use super::check::Verdict;
use super::gemm::Gemm;
use super::geqrf::Geqrf;
use super::gesv::Gesv;
use super::potrf::Potrf;
use super::qr::Qr;
use super::{Dtype, Operand, Part, QPart, Routine, Shape, Trans, Uplo, Workspace};
use crate::error::Error;
use std::fmt::{self, Formatter};
use std::ops::Deref;

/// An element type of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// IEEE 754's binary16: 11 bits of mantissa, up to 65504.
    Fp16,
    /// The upper half of an FP32 number: 8 bits of mantissa, FP32's range.
    Bf16,
}

impl Storage {
    /// Bytes of an element.
    pub const BYTES: usize = 2;
}

/// A matrix of every member that has elements of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The matrices.
    pub operand: Operand,
    /// Their rows.
    pub rows: i64,
    /// Their columns.
    pub columns: i64,
    /// Their leading dimension.
    pub ld: i64,
    /// What of them there is: the rest is neither read nor written.
    pub part: Part,
    /// Whether they are read.
    pub read: bool,
    /// Whether they are written.
    pub written: bool,
}

impl Stored {
    /// Not there.
    const NONE: Stored =
        Stored { operand: Operand::NOWHERE, rows: 0, columns: 0, ld: 1, part: Part::Full, read: false, written: false };

    /// All of each, which is read.
    fn reads(operand: Operand, [rows, columns]: [i64; 2], ld: i64) -> Stored {
        Stored { operand, rows, columns, ld, read: true, ..Stored::NONE }
    }

    /// All of each, which is written.
    fn writes(operand: Operand, size: [i64; 2], ld: i64) -> Stored {
        Stored { read: false, written: true, ..Stored::reads(operand, size, ld) }
    }

    /// All of each, which is read, then written.
    fn changes(operand: Operand, size: [i64; 2], ld: i64) -> Stored {
        Stored { written: true, ..Stored::reads(operand, size, ld) }
    }

    /// Whether it has no elements that matter.
    pub fn is_none(&self) -> bool {
        !(self.read || self.written) || self.rows == 0 || self.columns == 0
    }

    /// Whether all members are one.
    pub fn is_shared(&self) -> bool {
        matches!(self.operand, Operand::Strided { stride: 0, .. }) && !self.written
    }

    /// Leading dimension of a copy in FP32, and its elements. Without gaps where the matrices have none, so that all can be
    /// taken as one; else columns begin at a multiple of 16 bytes.
    pub fn copy(&self) -> (i64, i64) {
        let up = |x: i64| x.saturating_add(3) / 4 * 4;
        let ld = if self.ld == self.rows { self.rows } else { up(self.rows) }.max(1);
        let elements = ld.saturating_mul(self.columns);
        let gapless = matches!(self.operand, Operand::Strided { stride, .. } if stride == elements && ld == self.rows);
        (ld, if gapless { elements } else { up(elements) })
    }
}

macro_rules! singles {
    ($($Routine:ident $name:literal)*) => {
        /// A problem in single precision of a routine that takes matrices of 16 bits, too.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // the variants' types say it
        pub enum Single {
            $($Routine($Routine),)*
        }

        impl Deref for Single {
            type Target = dyn Routine;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Single::$Routine(p) => p,)*
                }
            }
        }

        $(impl From<$Routine> for Single {
            fn from(p: $Routine) -> Single {
                Single::$Routine(p)
            }
        })*

        impl Single {
            /// The routine of one of [`NAMES`], with this shape.
            fn of_shape(name: &str, shape: &Shape) -> Option<Single> {
                match name {
                    $($name => Some($Routine::of_shape(shape).into()),)*
                    _ => None,
                }
            }

            /// Its place in [`NAMES`].
            fn place(&self) -> usize {
                let mut place = 0;
                $(
                    if matches!(self, Single::$Routine(_)) {
                        return place;
                    }
                    place += 1;
                )*
                place
            }
        }

        const NAMES: &[&str] = &[$($name),*];
    };
}

singles! {
    Geqrf "xgeqrf"
    Qr "xqr"
    Potrf "xpotrf"
    Gesv "xgesv"
    Gemm "xgemm"
}

/// A batched routine in FP32 on matrices whose elements have 16 bits: they are widened, which is exact, and what the routine
/// writes is rounded to the nearest one of the type, ties to even.
///
/// What is too large for the type becomes an infinity, what is too small a subnormal number or 0, a NaN a NaN. Codes,
/// interchanges and scalars are the routine's own.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    /// Of the arithmetic: single precision.
    pub dtype: Dtype,
    /// Of the matrices and tau.
    pub storage: Storage,
    /// The routine; leading dimensions and strides in elements.
    pub single: Single,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
    /// What `tephra_explain` asks about, for routines to be found by their names.
    shape: Option<Shape>,
}

impl Narrow {
    /// The routine's problem with elements of this type.
    pub fn new(storage: Storage, single: impl Into<Single>, work: Workspace) -> Narrow {
        let single = single.into();
        Narrow { dtype: Dtype::S, storage, single, batch: single.batch(), work, shape: None }
    }

    /// The routine's matrices of 16 bits. One that is not needed, as Q in the place of A, is neither read nor written.
    pub fn operands(&self) -> [Stored; 3] {
        let none = Stored::NONE;
        match self.single {
            Single::Geqrf(Geqrf { m, n, a, lda, tau, .. }) => {
                let k = m.min(n);
                [Stored::changes(a, [m, n], lda), Stored::writes(tau, [k, 1], k), none]
            }
            Single::Qr(p) => {
                let Qr { m, n, part, a, lda, q, ldq, r, ldr, .. } = p;
                let k = if part == QPart::Full { m } else { m.min(n) };
                let r = Stored::writes(r, [k, n], ldr);
                match part {
                    QPart::None => [Stored::reads(a, [m, n], lda), none, r],
                    _ => {
                        let written = p.in_place();
                        let q = Stored { written: !written, ..Stored::writes(q, [m, k], ldq) };
                        [Stored { written, ..Stored::reads(a, [m, n], lda) }, q, r]
                    }
                }
            }
            Single::Potrf(Potrf { uplo, n, a, lda, .. }) => {
                let part = if uplo == Uplo::Upper { Part::Upper } else { Part::Lower };
                [Stored { part, ..Stored::changes(a, [n, n], lda) }, none, none]
            }
            Single::Gesv(Gesv { n, nrhs, a, lda, b, ldb, .. }) => {
                [Stored::changes(a, [n, n], lda), Stored::changes(b, [n, nrhs], ldb), none]
            }
            Single::Gemm(p) => {
                let Gemm { trans_a, trans_b, m, n, k, a, lda, b, ldb, beta, c, ldc, .. } = p;
                let stored = |trans, rows, columns| if trans == Trans::N { [rows, columns] } else { [columns, rows] };
                let c = Stored { read: !beta.is_zero(), ..Stored::changes(c, [m, n], ldc) };
                let read = k > 0 && !p.alpha.is_zero();
                let factor = |factor, size, ld| Stored { read, ..Stored::reads(factor, size, ld) };
                [factor(a, stored(trans_a, m, k), lda), factor(b, stored(trans_b, k, n), ldb), c]
            }
        }
    }

    /// The routine on `count` of the members, the first of which is `first`: on copies of its matrices in FP32, where each is
    /// with its leading dimension.
    pub fn on(&self, first: i64, count: i64, places: [(Operand, i64); 3], work: Workspace) -> Single {
        let [(a, lda), (second, ld_second), (third, ld_third)] = places;
        let batch = count;
        let code = |info: *mut i32| if info.is_null() { info } else { info.wrapping_add(first as usize) };
        match self.single {
            Single::Geqrf(p) => Geqrf { a, lda, tau: second, info: code(p.info), batch, ..p }.into(),
            Single::Qr(p) => {
                let (q, ldq) = if p.in_place() { (a, lda) } else { (second, ld_second) };
                Qr { a, lda, q, ldq, r: third, ldr: ld_third, batch, work, ..p }.into()
            }
            Single::Potrf(p) => Potrf { a, lda, info: code(p.info), batch, work, ..p }.into(),
            Single::Gesv(p) => {
                let ipiv = p.ipiv.from_member(first, size_of::<i32>());
                Gesv { a, lda, ipiv, b: second, ldb: ld_second, info: code(p.info), batch, work, ..p }.into()
            }
            Single::Gemm(p) => Gemm { a, lda, b: second, ldb: ld_second, c: third, ldc: ld_third, batch, ..p }.into(),
        }
    }
}

impl Routine for Narrow {
    fn names(&self) -> &'static [&'static str] {
        match self.shape {
            Some(_) => NAMES,
            None => &NAMES[self.single.place()..=self.single.place()],
        }
    }

    fn without_letter(&self) -> bool {
        true
    }

    fn called(&self, name: &str) -> Option<Self> {
        let single = Single::of_shape(name, self.shape.as_ref()?)?;
        Some(Narrow::new(self.storage, single, self.work))
    }

    /// How far operands reach is looked at as if their elements had 32 bits, as those of the copies have.
    fn check(&self) -> Result<Verdict, Error> {
        self.single.check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.single.refuse_nulls()
    }

    fn info(&self) -> *mut i32 {
        self.single.info()
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Narrow { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.single.arguments(f)
    }

    fn of_shape(shape: &Shape) -> Self {
        let single = Geqrf::of_shape(shape);
        Narrow { shape: Some(*shape), ..Narrow::new(Storage::Bf16, single, Workspace::NONE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alpha, Operation};

    fn shape() -> Shape {
        Shape { dtype: Dtype::S, m: 5, n: 4, batch: 3, math: Default::default(), told: Default::default() }
    }

    #[test]
    fn routines_are_found_by_their_names() {
        let all = Narrow::of_shape(&shape());
        assert_eq!(all.names(), NAMES);
        for name in NAMES {
            let found = all.called(name).unwrap();
            assert_eq!(found.names(), &[*name]);
            assert!(
                Operation::Narrow(found).to_string().starts_with(&format!("--dtype s --op {name} --")),
                "{found:?}"
            );
        }
        assert!(all.called("xgetrf").is_none());
    }

    #[test]
    fn copies_have_gaps_where_matrices_have() {
        let at = |ld, stride| Stored {
            operand: Operand::Strided { base: std::ptr::null_mut(), stride },
            ..Stored::reads(Operand::NOWHERE, [5, 3], ld)
        };
        assert_eq!([at(5, 15), at(5, 16), at(6, 18)].map(|s| s.copy()), [(5, 15), (5, 16), (8, 24)]);
        assert!(at(5, 0).is_shared() && !at(5, 15).is_shared());
    }

    #[test]
    fn what_is_not_read_is_no_operand() {
        let zero = Gemm { beta: Alpha::ZERO, ..Gemm::of_shape(&shape()) };
        let read = |gemm: Gemm| Narrow::new(Storage::Fp16, gemm, Workspace::NONE).operands().map(|o| o.read);
        assert_eq!(read(zero), [true, true, false]);
        assert_eq!(read(Gemm { alpha: Alpha::ZERO, beta: Alpha::host(2.0), ..zero }), [false, false, true]);
        let of_q = |part| Narrow::new(Storage::Fp16, Qr { part, ..Qr::of_shape(&shape()) }, Workspace::NONE).operands();
        assert!(of_q(QPart::None)[1].is_none() && !of_q(QPart::Thin)[1].is_none());
    }
}
