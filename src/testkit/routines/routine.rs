//! A routine as the fuzzer sees it: entry points, sizes, operands, and a measure of the results.
//!
//! The arguments of an entry point are words; those of native functions are listed in `src/testkit/signatures.rs`. `m`,
//! `side` and the like are numbers in [`Sizes`]. The name of an operand stands for its pointer array, or for its first
//! member if the entry point also has the operand's `stride_` word or takes one matrix. `ld` and the operand's name is
//! its leading dimension; so is `inc` and the name of a vector, which is stored as a row. `packed_` and the name stands
//! for the first of members stored without gaps, `host_` and the name for an operand in host memory. If members have
//! their own sizes, sizes and leading dimensions are arrays, and `max_` and a size is the largest value. `invoke.rs`
//! lists the other words.

use crate::halves::Half;
use crate::ops::lu::from_integers;
use crate::signatures::{self, Access, Prototype, Signature, is_of_integers};
use crate::{Dtype, Field, Matrix, Rng, Scalar};
use std::ops::{Index, Range};

/// Sizes and flags of a call, by word. Flags are CBLAS's numbers.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// The precision.
    pub dtype: Dtype,
    /// Numbers by word.
    pub values: Vec<(&'static str, i64)>,
    /// The scalars alpha and beta (passed by value or by address) as real and imaginary parts.
    pub scalars: [(f64, f64); 2],
}

impl Sizes {
    /// The number of a word, if it has one.
    pub fn find(&self, word: &str) -> Option<i64> {
        self.values.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
    }

    /// Sets the number of a word.
    pub fn set(&mut self, word: &'static str, value: i64) {
        match self.values.iter_mut().find(|(name, _)| *name == word) {
            Some((_, old)) => *old = value,
            None => self.values.push((word, value)),
        }
    }

    /// Lowers a value to at most `most`.
    pub fn at_most(&mut self, word: &'static str, most: i64) {
        self.set(word, self[word].min(most));
    }

    /// The order of an operator: of Q, of a triangle, of a block reflector.
    pub fn order(&self) -> i64 {
        self[if self["side"] == 141 { "m" } else { "n" }]
    }

    /// The smaller of m and n.
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

/// The contents of an operand's members before the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Poison, for operands that are only written.
    Poison,
    /// Uniform numbers.
    Uniform,
    /// Uniform numbers and a dominant diagonal: well-conditioned.
    DiagonallyDominant,
    /// A matrix of a random class.
    Classes,
    /// This many reflectors below the diagonal, and poison in the rest, which is not read.
    Reflectors(usize),
    /// Reflectors below the diagonal, and a well-conditioned upper triangle.
    Factored,
    /// Scalar factors tau that make the reflectors of the previous operand unitary.
    Factors,
    /// Integers: LAPACK row interchanges among this many rows. They are always valid, since bad ones would address rows
    /// outside the matrix.
    Interchanges {
        /// Rows of the matrix.
        rows: usize,
    },
    /// Integers, most of them 0, that choose columns.
    ColumnChoice,
    /// A well-conditioned triangle, with or without a stored diagonal, and poison in the rest.
    Triangle {
        /// Upper instead of lower.
        upper: bool,
        /// The diagonal is not stored.
        unit: bool,
    },
    /// A triangle of a Hermitian positive definite matrix, which also serves as its factor; poison in the rest.
    Definite {
        /// Upper instead of lower.
        upper: bool,
    },
}

/// The elements of a member that the call may write.
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
    /// No element is written or read, since no pointer leads to them.
    Untouched,
}

/// One operand.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The word that names it.
    pub name: &'static str,
    /// Rows of a member.
    pub rows: usize,
    /// Columns of a member.
    pub cols: usize,
    /// Its contents before a call.
    pub fill: Fill,
    /// The elements that the call may write.
    pub writes: Writes,
    /// Whether there is one for each matrix of the batch rather than one for the whole call.
    pub each: bool,
    /// Bytes per element: those of the call's type, of an int, or the 2 of the type that `storage` selects.
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

    /// Whether its elements are C ints.
    pub fn is_of_integers(&self) -> bool {
        is_of_integers(self.name)
    }

    /// Whether a member has no elements.
    pub fn is_empty(&self) -> bool {
        self.rows * self.cols == 0
    }
}

/// An operand with one member per matrix, with elements of the call's type.
pub fn operand(p: &Sizes, name: &'static str, (rows, cols): (i64, i64), fill: Fill, writes: Writes) -> Operand {
    Operand { name, rows: rows as usize, cols: cols as usize, fill, writes, each: true, element: p.dtype.bytes() }
}

/// The operands of a signature with these contents. A written operand may be written everywhere.
pub fn of_signature(p: &Sizes, signature: &Signature, fills: &[Fill]) -> Vec<Operand> {
    let of = |(operand, &fill): (&signatures::Operand, &Fill)| {
        let (rows, columns) = operand.shape(|word| p[word]);
        let writes = if operand.access == Access::Read { Writes::Nothing } else { Writes::All };
        match operand.is_of_integers() {
            true => integers(operand.name, rows, fill, writes),
            false => self::operand(p, operand.name, (rows, columns), fill, writes),
        }
    };
    signature.operands.iter().zip(fills).map(of).collect()
}

/// An operand that is only read.
pub fn reads(p: &Sizes, name: &'static str, rows: i64, cols: i64, fill: Fill) -> Operand {
    operand(p, name, (rows, cols), fill, Writes::Nothing)
}

/// An operand that is overwritten.
pub fn updates(p: &Sizes, name: &'static str, rows: i64, cols: i64, fill: Fill) -> Operand {
    operand(p, name, (rows, cols), fill, Writes::All)
}

/// An operand of C ints.
pub fn integers(name: &'static str, rows: i64, fill: Fill, writes: Writes) -> Operand {
    Operand { name, rows: rows as usize, cols: 1, fill, writes, each: true, element: size_of::<i32>() }
}

/// One exported function, in the precisions of its routine.
#[derive(Debug)]
pub struct Entry {
    /// The function and its arguments.
    pub prototype: Prototype,
    /// Arguments whose number in error codes is not their position.
    pub numbers: &'static [(&'static str, i32)],
}

/// A function without a signature in [`crate::signatures`].
pub const fn entry(symbol: &'static str, arguments: &'static str) -> Entry {
    native(Prototype::of(symbol, arguments))
}

/// A function of the routine's signature.
pub const fn native(prototype: Prototype) -> Entry {
    Entry { prototype, numbers: &[] }
}

impl Entry {
    /// The same function with these argument numbers in its error codes.
    pub const fn numbers(self, numbers: &'static [(&'static str, i32)]) -> Entry {
        Entry { numbers, ..self }
    }

    /// The name, with a `?` for the precision's letter.
    pub fn symbol(&self) -> &'static str {
        self.prototype.symbol
    }

    /// The arguments.
    pub fn arguments(&self) -> impl Iterator<Item = &'static str> {
        self.prototype.arguments().into_iter()
    }

    /// Whether a word is among the arguments.
    pub fn has(&self, word: &str) -> bool {
        self.prototype.has(word)
    }

    /// The interface, which determines how errors are reported.
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

    /// Whether sizes are 64-bit integers.
    pub fn is_wide(&self) -> bool {
        self.interface() == Interface::Native || self.symbol().ends_with("_64") || self.symbol() == "cusolverDnXgeqrf"
    }

    /// Whether it takes one matrix, by a plain pointer.
    pub fn is_single(&self) -> bool {
        !self.has("batch") && !self.has("groups")
    }

    /// Whether the matrix's code is the return value.
    pub fn returns_code(&self) -> bool {
        ["magma_?getrf_gpu", "magma_?potrf_gpu"].contains(&self.symbol())
    }

    /// Whether the caller passes the largest of the members' own sizes. Otherwise the function copies all sizes to the
    /// host to find them.
    pub fn has_maxima(&self) -> bool {
        self.arguments().any(|word| word.starts_with("max_"))
    }

    /// Whether it checks the sizes of all members first and does nothing if one is invalid.
    pub fn checks_sizes(&self) -> bool {
        let checks = |s: &str| {
            s.contains("_vbatched")
                && !["nocheck", "outofplace", "inv_work", "internal", "laset", "lacpy", "core", "small"]
                    .iter()
                    .any(|name| s.contains(name))
        };
        self.symbol().starts_with("magma") && checks(self.symbol())
    }
}

/// The interface that a function belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// Returns a status: 0, or minus the argument's number.
    Native,
    /// Returns cuBLAS's status; some functions also store the argument's number in a host integer.
    Cublas,
    /// Returns cuSOLVER's status, and stores the argument's number in a code on the device: positive for batches,
    /// otherwise negative.
    Cusolver,
    /// Returns 0 or minus the argument's number, and prints a message.
    Magma,
    /// Only prints a message.
    MagmaVoid,
}

impl Interface {
    /// Whether flags have cuBLAS's numbers and argument numbers exclude the handle.
    pub fn is_nvidias(self) -> bool {
        matches!(self, Interface::Cublas | Interface::Cusolver)
    }
}

/// One matrix of the batch before and after a call.
pub struct Member<'a> {
    /// The sizes of the call.
    pub sizes: &'a Sizes,
    /// The operands, in the order of `before` and `after`.
    pub operands: &'a [Operand],
    /// Bytes before the call, by operand.
    pub before: Vec<&'a [u8]>,
    /// Bytes after the call, by operand.
    pub after: Vec<&'a [u8]>,
}

impl Member<'_> {
    /// The index of an operand.
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

    /// An operand of ints, before or after the call, converted to elements.
    pub fn integers<T: Scalar>(&self, name: &str, when: &[&[u8]]) -> Matrix<T> {
        let number = |bytes: &[u8]| i32::from_ne_bytes(bytes.try_into().expect("four bytes"));
        from_integers(when[self.place(name)].chunks(4).map(|bytes| number(bytes).max(0) as usize))
    }

    /// An operand before the call.
    pub fn before<T: Scalar>(&self, name: &str) -> Matrix<T> {
        self.matrix(name, &self.before)
    }

    /// An operand after the call.
    pub fn after<T: Scalar>(&self, name: &str) -> Matrix<T> {
        self.matrix(name, &self.after)
    }
}

/// A scalar of the call in the call's precision.
pub fn scalar<T: Scalar>(value: (f64, f64)) -> T {
    T::from_double(T::Double::parts(value.0, value.1))
}

/// A test ratio, which must be below LAPACK's threshold, or a description of what is wrong.
pub type Verdict = Result<f64, String>;

/// A routine. To add one, add such a constant to the list in its file in `routines/`.
pub struct Routine {
    /// The LAPACK or BLAS name, with any special property.
    pub name: &'static str,
    /// The functions that compute it.
    pub entries: &'static [Entry],
    /// The precisions that offer it.
    pub dtypes: &'static [Dtype],
    /// Draws the values that only this routine needs.
    pub draw: fn(&mut Sizes, &mut Rng),
    /// Adjusts the sizes to each other's limits.
    pub limit: fn(&mut Sizes),
    /// The operands, in the order in which they are filled.
    pub operands: fn(&Sizes) -> Vec<Operand>,
    /// For members with their own sizes: the arguments of the uniform function. A member whose size is invalid gets the
    /// number of that argument as its code, and m, n and k are the largest sizes.
    pub varying: Option<&'static str>,
    /// Whether there is nothing to do, so that the call succeeds, writes nothing and follows no pointer.
    pub no_work: fn(&Sizes) -> bool,
    /// Whether an entry point offers this combination of flags.
    pub supports: fn(&Sizes, &Entry) -> bool,
    /// Bad argument values beyond those that are bad everywhere.
    pub invalid_args: fn(&Sizes, &Entry) -> Vec<(&'static str, i64)>,
    /// Words for which neither any value nor NULL is an error.
    pub unchecked_args: fn(&Sizes, &Entry) -> &'static [&'static str],
    /// Whether the launch record (tests/launches/) takes its calls of this routine from here rather than from its own
    /// list.
    pub launches: bool,
    /// The measure, by precision.
    pub measure: [fn(&Member) -> Verdict; 4],
}

/// The defaults of most routines.
pub const ROUTINE: Routine = Routine {
    name: "",
    entries: &[],
    dtypes: &Dtype::ALL,
    draw: |_, _| {},
    limit: |_| {},
    operands: |_| vec![],
    varying: None,
    no_work: |p| p.any_zero(&["m", "n", "batch"]),
    supports: |_, _| true,
    invalid_args: |_, _| vec![],
    unchecked_args: |_, _| &[],
    launches: false,
    measure: [|_| Ok(0.0); 4],
};

/// The instances of a generic function of a [`Member`] in the four precisions.
#[macro_export]
macro_rules! measures {
    ($measure:ident) => {
        [$measure::<f32>, $measure::<f64>, $measure::<$crate::C32>, $measure::<$crate::C64>]
    };
}
