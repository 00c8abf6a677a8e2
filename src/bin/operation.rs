//! The description of a routine: the fields of its row in `ops`, and what follows from them alone.

use crate::bench::call;
use crate::bench::operands::Operands;
use crate::case::{Case, Options, Part, Shape, Trans};
use crate::failure::Failure;
use crate::grid::Grid;
use crate::limits::{ElementCounts, FlopCount};
use std::fmt;
use std::hash::{Hash, Hasher};
use tephra_testkit::Dtype;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::signatures::{self, Access, Operand, Signature, dimension_of};

/// Makes the `measure` of a row from a function that is generic in the element type.
macro_rules! measure {
    ($measure:ident) => {
        |operands, i| tephra_testkit::with_scalar!(operands.case.dtype, T => $measure::<T>(operands, i))
    };
}

/// A reference to a routine's row.
pub type Op = &'static Operation;

/// A measurement of ratios that can run on any thread.
pub type Pending = Box<dyn FnOnce() -> Ratios + Send>;

/// The NAMEs of another library's routines, and their arguments after the handle, in the words of
/// [`crate::bench::call`].
pub type Calls = &'static [(&'static str, &'static str)];

/// Rows and columns of an operand.
pub type Size = (usize, usize);

/// A routine. Rows state only the fields in which they differ from [`DEFAULTS`].
pub struct Operation {
    /// LAPACK's or BLAS's name without the precision letter.
    pub name: &'static str,
    /// Its description in the program's help.
    pub help: &'static str,
    /// Its name in the `op` column of result files, if different from `name`.
    pub column: Option<&'static str>,
    /// Its functions and their operands. A case's options follow from their arguments ([`Operation::arguments`]).
    pub signature: &'static Signature,
    /// Whether it is called as `tephra_?NAME_strided_batched`.
    pub strided: bool,

    /// Whether members have individual sizes, at most the case's; its name then ends with `_vbatched`.
    pub varying: bool,

    /// Whether it takes only square matrices, so that one size suffices.
    pub square: bool,
    /// Whether it is measured in the complex types only, because it is a different routine in the real ones.
    pub complex: bool,
    /// The most common options, where they are not the first of each kind; `nrhs` is 1.
    pub default_options: fn(Dtype, Shape) -> Options,
    /// The reason why the routine does not support a case, or None if it does.
    pub unsupported: fn(&Case) -> Option<String>,
    /// Whether it is a product, which is displayed with its inner size and transpositions.
    pub is_product: bool,
    /// The letters of the relevant flags, for the `variant` column.
    pub variant: fn(&Case) -> String,
    /// The options that its plan may depend on, among `k`, `nrhs` and `trans`.
    pub plan_options: &'static str,

    /// Number of operations per matrix by LAPACK's count, in real arithmetic.
    pub flops: fn(&FlopCount) -> f64,
    /// Number of elements read plus written per matrix.
    pub elements: fn(&ElementCounts) -> usize,

    /// Its default grid, if different from that of the factorisations.
    pub grid: Option<Grid>,
    /// The options that each shape of a grid is measured with.
    pub variants: fn(&Case) -> Vec<Options>,
    /// Shapes of the full grid in addition to those of all routines.
    pub extra_shapes: fn(Dtype) -> Vec<Shape>,
    /// Its own cases, which replace those of every grid except energy.
    pub cases: Option<fn(Op, Dtype) -> Vec<Case>>,
    /// Whether it has a choice of plans, which `tephra tune` times.
    pub tuned: bool,

    /// The kind of input matrices.
    pub input: MatrixKind,
    /// The routine that prepares them for the calls, which take its reflectors or factors.
    pub prepared_by: Option<Op>,
    /// The inputs that the call overwrites, in this library or another one.
    pub overwrites: &'static [Input],
    /// The sequence of cuBLAS routines, `cublas?NAMEBatched`, that does the same; empty if there is none.
    pub cublas: fn(&Case) -> Calls,
    /// The same for cuSOLVER, `cusolverDn?NAMEBatched`.
    pub cusolver: fn(&Case) -> Calls,
    /// LAPACK's routine, which the CPU backend is compared with.
    pub lapack: Option<Lapack>,

    /// Fetches the result of member `i`; the returned measurement computes LAPACK's test ratios.
    pub measure: fn(&Operands<'_>, usize) -> Result<Pending, Failure>,
    /// The bound that the residual must stay below.
    pub limit: fn(&Case) -> f64,
}

/// The kinds of input matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixKind {
    /// Random, of the input class.
    OfClass,
    /// With a dominant diagonal.
    DiagonallyDominant,
    /// Hermitian with a dominant diagonal.
    Definite,
}

/// An operand that may be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    A,
    B,
    /// jpvt, the choice of columns.
    Jpvt,
}

/// The argument list of a LAPACK routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapack {
    /// That of `?geqrf`.
    Geqrf,
    /// That of `?potrf`, which has a triangle.
    Triangle,
}

/// The fields that most routines share: they overwrite a matrix of the shape.
pub const DEFAULTS: Operation = Operation {
    name: "",
    help: "",
    column: None,
    signature: &signatures::GEQRF,
    strided: false,
    varying: false,
    square: false,
    complex: false,
    default_options: |_, _| Options::default(),
    unsupported: |_| None,
    is_product: false,
    variant: |_| String::new(),
    plan_options: "",
    flops: |_| f64::NAN,
    elements: |s| 2 * s.a,
    grid: None,
    variants: |c| vec![c.options],
    extra_shapes: |_| vec![],
    cases: None,
    tuned: false,
    input: MatrixKind::OfClass,
    prepared_by: None,
    overwrites: &[Input::A],
    cublas: |_| &[],
    cusolver: |_| &[],
    lapack: None,
    measure: |_, _| unreachable!("every row has its own"),
    limit: |_| Ratios::THRESHOLD,
};

/// Rejects a transposition that the routine lacks in the complex types, as in LAPACK and BLAS.
pub fn lacks_trans(c: &Case, trans: Trans) -> Option<String> {
    let wrong = c.dtype.is_complex() && c.options.trans == trans;
    let letter = format!("{trans:?}").to_lowercase();
    wrong.then(|| format!("{} has no --trans {letter} in the complex types", c.op.name))
}

/// The names that measurements use for operands.
const SLOTS: [&str; 3] = ["A", "B", "R"];
/// The words of their leading dimensions.
const DIMENSIONS: [&str; 3] = ["lda", "ldb", "ldr"];
/// The words of sizes and leading dimensions, with those of the arrays that replace them if members have individual
/// sizes.
pub const EACH: [(&str, &str); 6] =
    [("m", "m_each"), ("n", "n_each"), ("k", "k_each"), ("lda", "lda_each"), ("ldb", "ldb_each"), ("ldr", "ldr_each")];

impl Operation {
    /// Whether its matrices may be given by strides.
    pub fn has_strided(&self) -> bool {
        !self.varying
    }

    /// Whether the routine takes the program's option of this name, without the dashes.
    pub fn takes(&self, option: &str) -> bool {
        match option {
            "trans-b" => self.has("trans_b"),
            "m" => self.has("m") || self.square,
            other => self.has(other),
        }
    }

    /// Whether a word is among its arguments.
    pub fn has(&self, word: &str) -> bool {
        self.arguments().any(|w| w == word)
    }

    /// The arguments of its functions without strides, in the words of [`crate::bench::call`].
    pub fn arguments(&self) -> impl Iterator<Item = &'static str> {
        let words = if self.varying { self.signature.varying } else { self.signature.arguments };
        words.split(' ').filter_map(|word| self.as_measured(word))
    }

    /// The word that measurements use for a word of the signature; None for arguments that are the same in all calls.
    fn as_measured(&self, word: &'static str) -> Option<&'static str> {
        if let Some(largest) = word.strip_prefix("max_") {
            return Some(largest);
        }
        let has_beta = || self.signature.arguments.contains("beta");
        let measured = match word {
            "work_bytes" | "stream" => return None,
            "tolerance" => "default",
            // Zero would accept every rank.
            "rcond" => "negative",
            "rank" => "info",
            "zero" => "null",
            "trans_a" => "trans",
            "alpha" if has_beta() => "one",
            // In a sum, beta is the scalar of the second matrix.
            "beta" => {
                if self.is_write_only("R") {
                    "one"
                } else {
                    "zero"
                }
            }
            "incx" if self.is_product => "inc_b",
            "incy" if self.is_product => "inc_r",
            "incx" | "tsize" => word,
            _ => match (self.slot(word), dimension_of(word).and_then(|of| self.slot(of))) {
                (Some(slot), _) => SLOTS[slot],
                (_, Some(slot)) => DIMENSIONS[slot],
                _ => word,
            },
        };
        let each = EACH.iter().find(|(size, _)| self.varying && *size == measured);
        Some(each.map_or(measured, |(_, each)| each))
    }

    /// The signature's operands that have a leading dimension or an increment, with their index in [`SLOTS`].
    fn placed(&self) -> impl Iterator<Item = (usize, &'static Operand)> {
        let words = self.signature.arguments;
        let has_dimension = move |operand: &&Operand| {
            let is_its = |word: &str| dimension_of(word).is_some_and(|of| operand.name.eq_ignore_ascii_case(of));
            words.split(' ').any(|word| word != "tsize" && is_its(word))
        };
        let operands = self.signature.operands.iter().filter(has_dimension);
        // The result of a product is in the third slot, even if there is only one factor.
        let (last, is_product) = (operands.clone().count() - 1, self.is_product);
        operands.enumerate().map(move |(place, operand)| (if is_product && place == last { 2 } else { place }, operand))
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.placed().find(|(_, operand)| operand.name.eq_ignore_ascii_case(name)).map(|(slot, _)| slot)
    }

    fn operand(&self, name: &str) -> Option<&'static Operand> {
        self.placed().find(|(slot, _)| SLOTS[*slot] == name).map(|(_, operand)| operand)
    }

    /// Whether operand A, B or R is only written.
    pub fn is_write_only(&self, name: &str) -> bool {
        self.operand(name).is_some_and(|operand| operand.access == Access::Written)
    }

    /// Stored rows and columns of operand A, B or R.
    pub fn size(&self, name: &str, case: &Case) -> Size {
        let Some(operand) = self.operand(name) else { return (0, 0) };
        if operand.name == "Q" && case.options.part == Part::None {
            return (0, 0);
        }
        let (rows, columns) = operand.shape(|word| call::size(case, word).expect("a size of the case"));
        // A contiguous vector is stored as a column; one with another increment is a row.
        let is_column = operand.size[0] == "1" && case.options.incx.0 == 1;
        let (rows, columns) = if is_column { (columns, rows) } else { (rows, columns) };
        (rows as usize, columns as usize)
    }

    /// The short name in the `op` column of the CSV files.
    pub fn column(&self) -> &'static str {
        self.column.unwrap_or(self.name)
    }

    /// The default grid.
    pub fn grid(&self, factorisations: Grid) -> Grid {
        if self.cases.is_some() { Grid::Full } else { self.grid.unwrap_or(factorisations) }
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Operation {}

impl Hash for Operation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
