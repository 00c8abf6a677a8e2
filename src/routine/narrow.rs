//! Routines on matrices that are stored in 16-bit types and computed with in FP32.

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

/// A 16-bit element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// IEEE 754 binary16: 11 bits of significand, up to 65504.
    Fp16,
    /// bfloat16, the upper half of an FP32 number: 8 bits of significand, the range of FP32.
    Bf16,
}

impl Storage {
    /// Bytes per element.
    pub const BYTES: usize = 2;
}

/// A 16-bit matrix operand of a routine.
#[derive(Clone, Copy, Debug)]
pub struct StoredOperand {
    /// The matrices.
    pub operand: Operand,
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub columns: i64,
    /// Leading dimension.
    pub ld: i64,
    /// The part in use; the rest is neither read nor written.
    pub part: Part,
    /// Whether it is read.
    pub read: bool,
    /// Whether it is written.
    pub written: bool,
}

impl StoredOperand {
    /// An unused operand.
    const NONE: StoredOperand = StoredOperand {
        operand: Operand::NULL,
        rows: 0,
        columns: 0,
        ld: 1,
        part: Part::Full,
        read: false,
        written: false,
    };

    /// An input, in full.
    fn input(operand: Operand, [rows, columns]: [i64; 2], ld: i64) -> StoredOperand {
        StoredOperand { operand, rows, columns, ld, read: true, ..StoredOperand::NONE }
    }

    /// An output, in full.
    fn output(operand: Operand, size: [i64; 2], ld: i64) -> StoredOperand {
        StoredOperand { read: false, written: true, ..StoredOperand::input(operand, size, ld) }
    }

    /// An operand that is read and then overwritten, in full.
    fn in_out(operand: Operand, size: [i64; 2], ld: i64) -> StoredOperand {
        StoredOperand { written: true, ..StoredOperand::input(operand, size, ld) }
    }

    /// Whether the operand is unused or has no elements.
    pub fn is_none(&self) -> bool {
        !(self.read || self.written) || self.rows == 0 || self.columns == 0
    }

    /// Whether all members are the same matrix.
    pub fn is_shared(&self) -> bool {
        matches!(self.operand, Operand::Strided { stride: 0, .. }) && !self.written
    }

    /// Leading dimension and number of elements of an FP32 copy. It is contiguous if the original is, so that the whole
    /// batch can be converted as one array; otherwise its columns start at multiples of 16 bytes.
    pub fn copy_layout(&self) -> (i64, i64) {
        let up = |x: i64| x.saturating_add(3) / 4 * 4;
        let ld = if self.ld == self.rows { self.rows } else { up(self.rows) }.max(1);
        let elements = ld.saturating_mul(self.columns);
        let contiguous =
            matches!(self.operand, Operand::Strided { stride, .. } if stride == elements && ld == self.rows);
        (ld, if contiguous { elements } else { up(elements) })
    }
}

macro_rules! fp32_problems {
    ($($Routine:ident $name:literal)*) => {
        /// A single precision problem of a routine that also takes 16-bit matrices.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // the variants' types say it
        pub enum Fp32Problem {
            $($Routine($Routine),)*
        }

        impl Deref for Fp32Problem {
            type Target = dyn Routine;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Fp32Problem::$Routine(p) => p,)*
                }
            }
        }

        $(impl From<$Routine> for Fp32Problem {
            fn from(p: $Routine) -> Fp32Problem {
                Fp32Problem::$Routine(p)
            }
        })*

        impl Fp32Problem {
            /// The routine with this name from [`NAMES`], for this shape.
            fn of_shape(name: &str, shape: &Shape) -> Option<Fp32Problem> {
                match name {
                    $($name => Some($Routine::of_shape(shape).into()),)*
                    _ => None,
                }
            }

            /// Index into [`NAMES`].
            fn name_index(&self) -> usize {
                let mut place = 0;
                $(
                    if matches!(self, Fp32Problem::$Routine(_)) {
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

fp32_problems! {
    Geqrf "xgeqrf"
    Qr "xqr"
    Potrf "xpotrf"
    Gesv "xgesv"
    Gemm "xgemm"
}

/// A batched FP32 routine on matrices with 16-bit elements. Inputs are widened, which is exact; outputs are rounded to
/// nearest, ties to even.
///
/// In the rounding, values too large for the type become infinities, values too small become subnormal or 0, and NaN
/// stays NaN. Status codes, interchanges and scalars are those of the FP32 routine.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    /// Type of the arithmetic: single precision.
    pub dtype: Dtype,
    /// Type of the matrices and tau.
    pub storage: Storage,
    /// The FP32 routine. Its leading dimensions and strides are in elements.
    pub single: Fp32Problem,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
    /// The shape that `tephra_explain` asks about. If set, `names` lists all routines and `by_name` picks one.
    shape: Option<Shape>,
}

impl Narrow {
    /// The 16-bit problem for an FP32 problem with operands of this type.
    pub fn new(storage: Storage, single: impl Into<Fp32Problem>, work: Workspace) -> Narrow {
        let single = single.into();
        Narrow { dtype: Dtype::S, storage, single, batch: single.batch(), work, shape: None }
    }

    /// The 16-bit matrices of the routine. An operand that is not needed, such as a separate Q if Q overwrites A, is
    /// neither read nor written.
    pub fn operands(&self) -> [StoredOperand; 3] {
        let none = StoredOperand::NONE;
        match self.single {
            Fp32Problem::Geqrf(Geqrf { m, n, a, lda, tau, .. }) => {
                let k = m.min(n);
                [StoredOperand::in_out(a, [m, n], lda), StoredOperand::output(tau, [k, 1], k), none]
            }
            Fp32Problem::Qr(p) => {
                let Qr { m, n, part, a, lda, q, ldq, r, ldr, .. } = p;
                let k = if part == QPart::Full { m } else { m.min(n) };
                let r = StoredOperand::output(r, [k, n], ldr);
                match part {
                    QPart::None => [StoredOperand::input(a, [m, n], lda), none, r],
                    _ => {
                        let written = p.in_place();
                        let q = StoredOperand { written: !written, ..StoredOperand::output(q, [m, k], ldq) };
                        [StoredOperand { written, ..StoredOperand::input(a, [m, n], lda) }, q, r]
                    }
                }
            }
            Fp32Problem::Potrf(Potrf { uplo, n, a, lda, .. }) => {
                let part = if uplo == Uplo::Upper { Part::Upper } else { Part::Lower };
                [StoredOperand { part, ..StoredOperand::in_out(a, [n, n], lda) }, none, none]
            }
            Fp32Problem::Gesv(Gesv { n, nrhs, a, lda, b, ldb, .. }) => {
                [StoredOperand::in_out(a, [n, n], lda), StoredOperand::in_out(b, [n, nrhs], ldb), none]
            }
            Fp32Problem::Gemm(p) => {
                let Gemm { trans_a, trans_b, m, n, k, a, lda, b, ldb, beta, c, ldc, .. } = p;
                let stored = |trans, rows, columns| if trans == Trans::N { [rows, columns] } else { [columns, rows] };
                let c = StoredOperand { read: !beta.is_zero(), ..StoredOperand::in_out(c, [m, n], ldc) };
                let read = k > 0 && !p.alpha.is_zero();
                let factor = |factor, size, ld| StoredOperand { read, ..StoredOperand::input(factor, size, ld) };
                [factor(a, stored(trans_a, m, k), lda), factor(b, stored(trans_b, k, n), ldb), c]
            }
        }
    }

    /// The FP32 routine on members `first` to `first + count`, with its matrices replaced by FP32 copies at `places`,
    /// each with its leading dimension.
    pub fn with_copies(&self, first: i64, count: i64, places: [(Operand, i64); 3], work: Workspace) -> Fp32Problem {
        let [(a, lda), (second, ld_second), (third, ld_third)] = places;
        let batch = count;
        let code = |info: *mut i32| if info.is_null() { info } else { info.wrapping_add(first as usize) };
        match self.single {
            Fp32Problem::Geqrf(p) => Geqrf { a, lda, tau: second, info: code(p.info), batch, ..p }.into(),
            Fp32Problem::Qr(p) => {
                let (q, ldq) = if p.in_place() { (a, lda) } else { (second, ld_second) };
                Qr { a, lda, q, ldq, r: third, ldr: ld_third, batch, work, ..p }.into()
            }
            Fp32Problem::Potrf(p) => Potrf { a, lda, info: code(p.info), batch, work, ..p }.into(),
            Fp32Problem::Gesv(p) => {
                let ipiv = p.ipiv.from_member(first, size_of::<i32>());
                Gesv { a, lda, ipiv, b: second, ldb: ld_second, info: code(p.info), batch, work, ..p }.into()
            }
            Fp32Problem::Gemm(p) => {
                Gemm { a, lda, b: second, ldb: ld_second, c: third, ldc: ld_third, batch, ..p }.into()
            }
        }
    }
}

impl Routine for Narrow {
    fn names(&self) -> &'static [&'static str] {
        match self.shape {
            Some(_) => NAMES,
            None => &NAMES[self.single.name_index()..=self.single.name_index()],
        }
    }

    fn without_letter(&self) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let single = Fp32Problem::of_shape(name, self.shape.as_ref()?)?;
        Some(Narrow::new(self.storage, single, self.work))
    }

    /// Extents are checked as if elements had 32 bits, which the copies do.
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
        Shape { dtype: Dtype::S, m: 5, n: 4, batch: 3, math: Default::default(), extra: Default::default() }
    }

    #[test]
    fn routines_are_found_by_their_names() {
        let all = Narrow::of_shape(&shape());
        assert_eq!(all.names(), NAMES);
        for name in NAMES {
            let found = all.by_name(name).unwrap();
            assert_eq!(found.names(), &[*name]);
            assert!(
                Operation::Narrow(found).to_string().starts_with(&format!("--dtype s --op {name} --")),
                "{found:?}"
            );
        }
        assert!(all.by_name("xgetrf").is_none());
    }

    #[test]
    fn copies_have_gaps_where_matrices_have() {
        let at = |ld, stride| StoredOperand {
            operand: Operand::Strided { base: std::ptr::null_mut(), stride },
            ..StoredOperand::input(Operand::NULL, [5, 3], ld)
        };
        assert_eq!([at(5, 15), at(5, 16), at(6, 18)].map(|s| s.copy_layout()), [(5, 15), (5, 16), (8, 24)]);
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
