//! A routine as the program has it: what its row says, and what follows from that alone.

use crate::bench::call;
use crate::bench::operands::Operands;
use crate::case::{Case, Options, Part, Shape, Trans};
use crate::failure::Failure;
use crate::grid::Grid;
use crate::limits::{Areas, Count};
use std::fmt;
use std::hash::{Hash, Hasher};
use tephra_testkit::Dtype;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::rows::{self, Access, Operand, Row, dimension_of};

/// The judge of a row, from a function that is generic in the element type.
macro_rules! judge {
    ($judge:ident) => {
        |operands, i| tephra_testkit::with_scalar!(operands.case.dtype, T => $judge::<T>(operands, i))
    };
}

/// A routine, by its row.
pub type Op = &'static Operation;

/// A measurement that is ready to run, on any thread.
pub type Pending = Box<dyn FnOnce() -> Ratios + Send>;

/// NAMEs of another library's routines, and their arguments behind the handle, by the same words.
pub type Calls = &'static [(&'static str, &'static str)];

/// Rows and columns of an operand.
pub type Size = (usize, usize);

/// A routine: rows state what they have beside [`PLAIN`].
pub struct Operation {
    /// LAPACK's or BLAS's name without the precision's letter.
    pub name: &'static str,
    /// What it is, in the program's help.
    pub help: &'static str,
    /// What the `op` column of result files has, if not the name.
    pub column: Option<&'static str>,
    /// Its functions, and their operands. Which options a case has follows from their arguments ([`Operation::words`]).
    pub row: &'static Row,
    /// It is called as `tephra_?NAME_strided_batched`.
    pub strided: bool,

    /// Members have sizes of their own, at most the case's; its name ends with `_vbatched`.
    pub varying: bool,

    /// Its matrices are square only, so that the order says it all.
    pub square: bool,
    /// It is measured in the complex types only: in the real ones it is another routine.
    pub complex: bool,
    /// The most usual options, where they are not the first of each kind; of `nrhs` one is.
    pub usual: fn(Dtype, Shape) -> Options,
    /// Why a case is none of the routine's.
    pub refuses: fn(&Case) -> Option<String>,
    /// It is a product, which people see with its terms and transpositions.
    pub is_product: bool,
    /// The flags that are meant, by their letters, for the `variant` column.
    pub variant: fn(&Case) -> String,
    /// The options that its plan may depend on, among `k`, `nrhs` and `trans`.
    pub planned_by: &'static str,

    /// Operations of a matrix, by LAPACK's count, in real arithmetic.
    pub flops: fn(&Count) -> f64,
    /// Elements of a matrix that are read, and those that are written.
    pub elements: fn(&Areas) -> usize,

    /// What it is measured on when no grid is named, if not what factorisations are.
    pub grid: Option<Grid>,
    /// The options that each shape of a grid is measured with.
    pub variants: fn(&Case) -> Vec<Options>,
    /// Shapes of the full grid beside those of all routines.
    pub more: fn(Dtype) -> Vec<Shape>,
    /// Cases of its own, whatever the grid is called; energy has its grid.
    pub cases: Option<fn(Op, Dtype) -> Vec<Case>>,
    /// It has plans to choose from, which `tephra tune` times.
    pub tuned: bool,

    /// What the matrices are.
    pub input: Matrices,
    /// The routine that makes of them what the calls take: reflectors or factors.
    pub after: Option<Op>,
    /// The inputs that some call overwrites, ours or another library's.
    pub overwrites: &'static [Input],
    /// cuBLAS's routines that do it, `cublas?NAMEBatched`, one after the other; empty where it has none.
    pub cublas: fn(&Case) -> Calls,
    /// The same of cuSOLVER, `cusolverDn?NAMEBatched`.
    pub cusolver: fn(&Case) -> Calls,
    /// LAPACK's, beside the CPU backend.
    pub lapack: Option<Lapack>,

    /// Fetches the result of member `i`, to be judged by LAPACK's test ratios.
    pub judge: fn(&Operands<'_>, usize) -> Result<Pending, Failure>,
    /// What the residual is to stay below.
    pub limit: fn(&Case) -> f64,
}

/// What input matrices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrices {
    /// As drawn.
    Drawn,
    /// With a diagonal that outweighs the rest.
    Dominant,
    /// Hermitian with such a diagonal.
    Definite,
}

/// An operand that may be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    A,
    B,
    /// Of columns.
    Choice,
}

/// How LAPACK is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapack {
    /// As `?geqrf`.
    Geqrf,
    /// With a triangle, as `?potrf`.
    Triangle,
}

/// What most routines have: a matrix of the shape, which is overwritten.
pub const PLAIN: Operation = Operation {
    name: "",
    help: "",
    column: None,
    row: &rows::GEQRF,
    strided: false,
    varying: false,
    square: false,
    complex: false,
    usual: |_, _| Options::default(),
    refuses: |_| None,
    is_product: false,
    variant: |_| String::new(),
    planned_by: "",
    flops: |_| f64::NAN,
    elements: |s| 2 * s.a,
    grid: None,
    variants: |c| vec![c.options],
    more: |_| vec![],
    cases: None,
    tuned: false,
    input: Matrices::Drawn,
    after: None,
    overwrites: &[Input::A],
    cublas: |_| &[],
    cusolver: |_| &[],
    lapack: None,
    judge: |_, _| unreachable!("every row has its own"),
    limit: |_| Ratios::THRESHOLD,
};

/// A transposition that the routine has not in the complex types, as in LAPACK and BLAS.
pub fn has_not(c: &Case, trans: Trans) -> Option<String> {
    let wrong = c.dtype.is_complex() && c.options.trans == trans;
    let letter = format!("{trans:?}").to_lowercase();
    wrong.then(|| format!("{} has no --trans {letter} in the complex types", c.op.name))
}

/// Operands as measurements have them.
const SLOTS: [&str; 3] = ["A", "B", "R"];
/// The words of their leading dimensions.
const DIMENSIONS: [&str; 3] = ["lda", "ldb", "ldr"];
/// Sizes, and arrays of them where members have their own.
pub const EACH: [(&str, &str); 6] =
    [("m", "m_each"), ("n", "n_each"), ("k", "k_each"), ("lda", "lda_each"), ("ldb", "ldb_each"), ("ldr", "ldr_each")];

impl Operation {
    /// Whether the program's option of this name, without the dashes, says something of it.
    pub fn takes(&self, option: &str) -> bool {
        match option {
            "trans-b" => self.has("trans_b"),
            "m" => self.has("m") || self.square,
            other => self.has(other),
        }
    }

    /// Whether a word is among its arguments.
    pub fn has(&self, word: &str) -> bool {
        self.words().any(|w| w == word)
    }

    /// The arguments of its functions but for strides, by the words of [`crate::bench::call`].
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let words = if self.varying { self.row.varying } else { self.row.words };
        words.split(' ').filter_map(|word| self.as_measured(word))
    }

    /// A word of the row as measurements have it; none of what is the same in all calls.
    fn as_measured(&self, word: &'static str) -> Option<&'static str> {
        if let Some(largest) = word.strip_prefix("max_") {
            return Some(largest);
        }
        let has_beta = || self.row.words.contains("beta");
        let measured = match word {
            "work_bytes" | "stream" => return None,
            "rcond" | "tolerance" => "default",
            "rank" => "info",
            "zero" => "null",
            "trans_a" => "trans",
            "alpha" if has_beta() => "one",
            // Of a sum it is the second matrix's.
            "beta" => {
                if self.makes("R") {
                    "one"
                } else {
                    "zero"
                }
            }
            "incx" | "incy" if self.is_product => "1",
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

    /// The row's operands that have a leading dimension or an increment, and the slots that they are in.
    fn placed(&self) -> impl Iterator<Item = (usize, &'static Operand)> {
        let words = self.row.words;
        let has_dimension = move |operand: &&Operand| {
            let is_its = |word: &str| dimension_of(word).is_some_and(|of| operand.name.eq_ignore_ascii_case(of));
            words.split(' ').any(|word| word != "tsize" && is_its(word))
        };
        let operands = self.row.operands.iter().filter(has_dimension);
        // A product is the third, also where there is one factor.
        let (last, is_product) = (operands.clone().count() - 1, self.is_product);
        operands.enumerate().map(move |(place, operand)| (if is_product && place == last { 2 } else { place }, operand))
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.placed().find(|(_, operand)| operand.name.eq_ignore_ascii_case(name)).map(|(slot, _)| slot)
    }

    fn operand(&self, name: &str) -> Option<&'static Operand> {
        self.placed().find(|(slot, _)| SLOTS[*slot] == name).map(|(_, operand)| operand)
    }

    /// Whether an operand, A, B or R, is only written.
    pub fn makes(&self, name: &str) -> bool {
        self.operand(name).is_some_and(|operand| operand.access == Access::Made)
    }

    /// Rows and columns of an operand, A, B or R, as it is stored.
    pub fn size(&self, name: &str, case: &Case) -> Size {
        let Some(operand) = self.operand(name) else { return (0, 0) };
        if operand.name == "Q" && case.options.part == Part::None {
            return (0, 0);
        }
        let (rows, columns) = operand.shape(|word| call::size(case, word).expect("a size of the case"));
        // A vector that is packed is a column; one that is not is a row.
        let is_column = operand.size[0] == "1" && case.options.incx.0 == 1;
        let (rows, columns) = if is_column { (columns, rows) } else { (rows, columns) };
        (rows as usize, columns as usize)
    }

    /// The short name in the `op` column of the CSV files.
    pub fn column(&self) -> &'static str {
        self.column.unwrap_or(self.name)
    }

    /// What it is measured on when no grid is named.
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
