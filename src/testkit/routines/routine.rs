//! What a routine is to the fuzzer: its entry points, its sizes, its operands, and a measure of its results.
//!
//! Arguments are words, the native functions' those of `src/testkit/rows.rs`: `m`, `side` and the like are numbers of [`Sizes`]; the name of an operand stands for its pointer array,
//! or for its first member where the entry point has `stride_` and the operand's name in lower case as well, or is of one matrix;
//! `ld` and the operand's name is its leading dimension, as is `inc` and the name of a vector, which is a row; `packed_` and the
//! name stands for the first of members without gaps, `host_` and the name for an operand in host memory. Where members have sizes
//! of their own, sizes and leading dimensions are arrays, and `max_` and a size is the largest. `invoke.rs` lists the others.

use crate::halves::Half;
use crate::ops::lu::from_integers;
use crate::rows::{self, Access, Prototype, Row, is_of_integers};
use crate::{Dtype, Field, Matrix, Rng, Scalar};
use std::ops::{Index, Range};

/// Sizes and flags of a call, by word. Flags are CBLAS's numbers.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// The precision.
    pub dtype: Dtype,
    /// Numbers by word.
    pub values: Vec<(&'static str, i64)>,
    /// Scalars by value or by address, real and imaginary part.
    pub scalars: [(f64, f64); 2],
}

impl Sizes {
    /// The number of a word, if it has one.
    pub fn find(&self, word: &str) -> Option<i64> {
        self.values.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
    }

    /// Gives a word its number.
    pub fn set(&mut self, word: &'static str, value: i64) {
        match self.values.iter_mut().find(|(name, _)| *name == word) {
            Some((_, old)) => *old = value,
            None => self.values.push((word, value)),
        }
    }

    /// Lowers a value to a limit.
    pub fn at_most(&mut self, word: &'static str, most: i64) {
        self.set(word, self[word].min(most));
    }

    /// The order of an operator: of Q, of a triangle, of a block reflector.
    pub fn order(&self) -> i64 {
        self[if self["side"] == 141 { "m" } else { "n" }]
    }

    /// The smaller one of m and n.
    pub fn smaller(&self) -> i64 {
        self["m"].min(self["n"])
    }

    /// Whether one of the sizes is 0.
    pub fn any_zero(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self[word] == 0)
    }
}

impl Index<&str> for Sizes {
    type Output = i64;
    fn index(&self, word: &str) -> &i64 {
        &self.values.iter().find(|(name, _)| *name == word).unwrap_or_else(|| panic!("there is no {word}")).1
    }
}

/// What members of an operand hold before the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Poison: results go there.
    Poison,
    /// Uniform numbers.
    Uniform,
    /// Uniform numbers and a heavy diagonal: well-conditioned.
    Heavy,
    /// Any class of matrices.
    Classes,
    /// This many reflectors below the diagonal; poison in the rest, which is not read.
    Reflectors(usize),
    /// Reflectors below the diagonal, and a well-conditioned triangle on it and above.
    Factored,
    /// Scalar factors that make the reflectors of the operand before this one unitary.
    Factors,
    /// Integers: row interchanges, LAPACK's, among so many rows. No bad ones: they would name rows that are not there.
    Interchanges {
        /// Of the matrix.
        rows: usize,
    },
    /// Integers, most of them 0: columns that are chosen.
    Choice,
    /// A triangle (upper or not), its diagonal stored or not, well-conditioned; poison in the rest.
    Triangle {
        /// Or lower.
        upper: bool,
        /// Its diagonal is not stored.
        unit: bool,
    },
    /// A triangle of a Hermitian positive definite matrix, as good for its factor; poison in the rest.
    Definite {
        /// Or lower.
        upper: bool,
    },
}

/// Elements of a member that the call may write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Writes {
    /// None.
    Nothing,
    /// All.
    All,
    /// On and above the diagonal.
    Upper,
    /// On and below the diagonal.
    Lower,
    /// Nor may they be read: no pointer leads to them.
    Untouched,
}

/// One operand.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its word.
    pub name: &'static str,
    /// Rows of a member.
    pub rows: usize,
    /// Columns of a member.
    pub cols: usize,
    /// What it holds before a call.
    pub fill: Fill,
    /// What may be written.
    pub writes: Writes,
    /// One for each matrix of the batch, not one for all.
    pub each: bool,
    /// Bytes of an element: of the call's type, of an int, or 2 of the type that `storage` says.
    pub element: usize,
}

impl Operand {
    /// Elements of column `j` that may be written.
    pub fn written(&self, j: usize) -> Range<usize> {
        let rows = self.rows;
        match self.writes {
            Writes::Nothing | Writes::Untouched => 0..0,
            Writes::All => 0..rows,
            Writes::Upper => 0..rows.min(j + 1),
            Writes::Lower => rows.min(j)..rows,
        }
    }

    /// The columns that have elements.
    pub fn columns(&self) -> Range<usize> {
        0..if self.rows > 0 { self.cols } else { 0 }
    }

    /// Whether it is of C's ints.
    pub fn is_of_integers(&self) -> bool {
        is_of_integers(self.name)
    }

    /// Whether a member has no elements.
    pub fn is_empty(&self) -> bool {
        self.rows * self.cols == 0
    }
}

/// An operand of every matrix, in elements of the call's type.
pub fn operand(p: &Sizes, name: &'static str, (rows, cols): (i64, i64), fill: Fill, writes: Writes) -> Operand {
    Operand { name, rows: rows as usize, cols: cols as usize, fill, writes, each: true, element: p.dtype.bytes() }
}

/// The operands of a row, filled with these: all of what a routine may write.
pub fn of_row(p: &Sizes, row: &Row, fills: &[Fill]) -> Vec<Operand> {
    let of = |(operand, &fill): (&rows::Operand, &Fill)| {
        let (rows, columns) = operand.shape(|word| p[word]);
        let writes = if operand.access == Access::Read { Writes::Nothing } else { Writes::All };
        match operand.is_of_integers() {
            true => integers(operand.name, rows, fill, writes),
            false => self::operand(p, operand.name, (rows, columns), fill, writes),
        }
    };
    row.operands.iter().zip(fills).map(of).collect()
}

/// An operand that is only read.
pub fn reads(p: &Sizes, name: &'static str, rows: i64, cols: i64, fill: Fill) -> Operand {
    operand(p, name, (rows, cols), fill, Writes::Nothing)
}

/// An operand that is overwritten.
pub fn updates(p: &Sizes, name: &'static str, rows: i64, cols: i64, fill: Fill) -> Operand {
    operand(p, name, (rows, cols), fill, Writes::All)
}

/// An operand of C's ints.
pub fn integers(name: &'static str, rows: i64, fill: Fill, writes: Writes) -> Operand {
    Operand { name, rows: rows as usize, cols: 1, fill, writes, each: true, element: size_of::<i32>() }
}

/// One exported function in its routine's precisions.
#[derive(Debug)]
pub struct Entry {
    /// The function, and its arguments.
    pub prototype: Prototype,
    /// Arguments that errors number otherwise than by their place.
    pub numbers: &'static [(&'static str, i32)],
}

/// A function that no row has.
pub const fn entry(symbol: &'static str, arguments: &'static str) -> Entry {
    native(Prototype::of(symbol, arguments))
}

/// A function of the routine's row.
pub const fn native(prototype: Prototype) -> Entry {
    Entry { prototype, numbers: &[] }
}

impl Entry {
    /// The same, where errors number arguments otherwise.
    pub const fn numbers(self, numbers: &'static [(&'static str, i32)]) -> Entry {
        Entry { numbers, ..self }
    }

    /// Its name, with a `?` for the precision's letter.
    pub fn symbol(&self) -> &'static str {
        self.prototype.symbol
    }

    /// Its arguments.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.prototype.words().into_iter()
    }

    /// Whether a word is among them.
    pub fn has(&self, word: &str) -> bool {
        self.prototype.has(word)
    }

    /// The interface, which decides how an error is told.
    pub fn interface(&self) -> Interface {
        match self.symbol() {
            s if s.starts_with("tephra") => Interface::Native,
            s if s.starts_with("cublas") => Interface::Cublas,
            s if s.starts_with("cusolver") => Interface::Cusolver,
            s if s.starts_with("magmablas")
                || ["set_pointer", "laswp", "gemm", "syrk", "herk"].iter().any(|name| s.contains(name)) =>
            {
                Interface::MagmaVoid
            }
            _ => Interface::Magma,
        }
    }

    /// Whether sizes have 64 bits.
    pub fn is_wide(&self) -> bool {
        self.interface() == Interface::Native || self.symbol().ends_with("_64") || self.symbol() == "cusolverDnXgeqrf"
    }

    /// Whether it is of one matrix, which it takes as it is.
    pub fn is_single(&self) -> bool {
        !self.has("batch") && !self.has("groups")
    }

    /// Whether a matrix's code is what it answers.
    pub fn tells_by_answer(&self) -> bool {
        ["magma_?getrf_gpu", "magma_?potrf_gpu"].contains(&self.symbol())
    }

    /// Whether it is told the largest sizes of members that have their own; else it copies all of them to the host to find them.
    pub fn has_maxima(&self) -> bool {
        self.words().any(|word| word.starts_with("max_"))
    }

    /// Whether it looks at all sizes of members before it begins, and does nothing if one is not valid.
    pub fn looks_at_sizes(&self) -> bool {
        let looks = |s: &str| {
            s.contains("_vbatched")
                && !["nocheck", "outofplace", "inv_work", "internal", "laset", "lacpy", "core", "small"]
                    .iter()
                    .any(|name| s.contains(name))
        };
        self.symbol().starts_with("magma") && looks(self.symbol())
    }
}

/// Whose function it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// A status: 0, or minus the argument's number.
    Native,
    /// cuBLAS's status, and in some functions the argument's number in a host integer.
    Cublas,
    /// cuSOLVER's status, and the argument's number in a code on the device: as it is for batches, else with a minus.
    Cusolver,
    /// 0, or minus the argument's number; and a message.
    Magma,
    /// A message only.
    MagmaVoid,
}

impl Interface {
    /// Whether flags have cuBLAS's numbers, and arguments are counted without the handle.
    pub fn is_nvidias(self) -> bool {
        matches!(self, Interface::Cublas | Interface::Cusolver)
    }
}

/// One matrix of the batch before and after a call.
pub struct Member<'a> {
    /// Of the call.
    pub sizes: &'a Sizes,
    /// In the order of what follows.
    pub operands: &'a [Operand],
    /// Bytes before the call, by operand.
    pub before: Vec<&'a [u8]>,
    /// Those after it.
    pub after: Vec<&'a [u8]>,
}

impl Member<'_> {
    /// The place of an operand among them.
    pub fn place(&self, name: &str) -> usize {
        self.operands.iter().position(|o| o.name == name).unwrap_or_else(|| panic!("there is no {name}"))
    }

    fn matrix<T: Scalar>(&self, name: &str, bytes: &[&[u8]]) -> Matrix<T> {
        let index = self.place(name);
        let Operand { rows, cols, element, .. } = self.operands[index];
        if element == 2 {
            let half = Half::of(self.sizes["storage"]);
            let bits = |at: usize| u16::from_ne_bytes([bytes[index][2 * at], bytes[index][2 * at + 1]]);
            return Matrix::from_fn(rows, cols, |i, j| scalar((half.value(bits(i + j * rows)).into(), 0.0)));
        }
        let start = bytes[index].as_ptr().cast::<T>();
        // SAFETY: rows * cols elements without padding, in any alignment.
        Matrix::from_fn(rows, cols, |i, j| unsafe { start.add(i + j * rows).read_unaligned() })
    }

    /// An operand of ints as elements, before or after.
    pub fn integers<T: Scalar>(&self, name: &str, when: &[&[u8]]) -> Matrix<T> {
        let number = |bytes: &[u8]| i32::from_ne_bytes(bytes.try_into().expect("four bytes"));
        from_integers(when[self.place(name)].chunks(4).map(|bytes| number(bytes).max(0) as usize))
    }

    /// An operand before the call.
    pub fn before<T: Scalar>(&self, name: &str) -> Matrix<T> {
        self.matrix(name, &self.before)
    }

    /// An operand after it.
    pub fn after<T: Scalar>(&self, name: &str) -> Matrix<T> {
        self.matrix(name, &self.after)
    }
}

/// A scalar of the call in its own precision.
pub fn scalar<T: Scalar>(value: (f64, f64)) -> T {
    T::narrow(T::Wide::parts(value.0, value.1))
}

/// A test ratio, to be below LAPACK's threshold, or what is wrong.
pub type Verdict = Result<f64, String>;

/// A routine: adding one is adding one of these to the list of its file in `routines/`.
pub struct Routine {
    /// LAPACK's or BLAS's name, and what is special.
    pub name: &'static str,
    /// Its functions.
    pub entries: &'static [Entry],
    /// The precisions that have it.
    pub dtypes: &'static [Dtype],
    /// Draws what is drawn for this routine alone.
    pub draw: fn(&mut Sizes, &mut Rng),
    /// Brings the sizes within each other's limits.
    pub limit: fn(&mut Sizes),
    /// In the order in which they are filled.
    pub operands: fn(&Sizes) -> Vec<Operand>,
    /// Where members have sizes of their own: the arguments of the uniform function, whose numbers are the codes of members whose
    /// sizes are not valid. m, n and k are the largest sizes then.
    pub varying: Option<&'static str>,
    /// Whether there is nothing to do: the call succeeds, writes nothing and looks at no pointer.
    pub idle: fn(&Sizes) -> bool,
    /// Whether an entry point has this combination of flags.
    pub serves: fn(&Sizes, &Entry) -> bool,
    /// Bad values of arguments beyond those that are bad everywhere.
    pub wrong: fn(&Sizes, &Entry) -> Vec<(&'static str, i64)>,
    /// Words that no value makes wrong, or NULL.
    pub lenient: fn(&Sizes, &Entry) -> &'static [&'static str],
    /// Whether the record of launches (tests/launches/) has calls of it that are made of this; else it has others.
    pub launches: bool,
    /// The measure, by precision.
    pub judge: [fn(&Member) -> Verdict; 4],
}

/// What most routines have.
pub const ROUTINE: Routine = Routine {
    name: "",
    entries: &[],
    dtypes: &Dtype::ALL,
    draw: |_, _| {},
    limit: |_| {},
    operands: |_| vec![],
    varying: None,
    idle: |p| p.any_zero(&["m", "n", "batch"]),
    serves: |_, _| true,
    wrong: |_, _| vec![],
    lenient: |_, _| &[],
    launches: false,
    judge: [|_| Ok(0.0); 4],
};

/// A generic function of a [`Member`] in the four precisions.
#[macro_export]
macro_rules! judges {
    ($judge:ident) => {
        [$judge::<f32>, $judge::<f64>, $judge::<$crate::C32>, $judge::<$crate::C64>]
    };
}
