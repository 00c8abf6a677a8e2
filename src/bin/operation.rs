//! A routine as the program has it: what its row says, and what follows from that alone.

use crate::bench::operands::Operands;
use crate::case::{Case, Options, Shape, Trans};
use crate::failure::Failure;
use crate::grid::Grid;
use crate::limits::{Areas, Count};
use std::fmt;
use std::hash::{Hash, Hasher};
use tephra_testkit::Dtype;
use tephra_testkit::ratios::Ratios;

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
    /// The arguments of `tephra_?NAME_batched`, by the words of [`crate::bench::call`]. Which options a case has follows from
    /// them: right-hand sides from `nrhs`, reflectors or terms from `k`, interchanges from `ipiv`, a third operand from `R`.
    pub words: &'static str,
    /// It is called as `tephra_?NAME_strided_batched`.
    pub strided: bool,

    /// Members have sizes of their own, at most the case's: its name, which ends with `_vbatched`, is all of the function's.
    pub varying: bool,

    /// Its matrices are square only, so that the order says it all.
    pub square: bool,
    /// It is measured in the complex types only: in the real ones it is another routine.
    pub complex: bool,
    /// The most usual options, where they are not the first of each kind; of `nrhs` one is.
    pub usual: fn(Dtype, Shape) -> Options,
    /// Size of A, the first operand.
    pub a: fn(&Case) -> Size,
    /// Size of the second operand: B, C, Q, x, or the inverse.
    pub b: fn(&Case) -> Size,
    /// Size of the third operand: R, the product, or X.
    pub r: fn(&Case) -> Size,
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
    /// B is only written.
    pub makes_b: bool,
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
    words: "",
    strided: false,
    varying: false,
    square: false,
    complex: false,
    usual: |_, _| Options::default(),
    a: |c| (c.shape.m, c.shape.n),
    b: nothing,
    r: nothing,
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
    makes_b: false,
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

pub fn nothing(_: &Case) -> Size {
    (0, 0)
}

/// Of the order n.
pub fn square(c: &Case) -> Size {
    (c.shape.n, c.shape.n)
}

/// Right-hand sides of order n.
pub fn sides(c: &Case) -> Size {
    (c.shape.n, c.options.nrhs)
}

/// Of the shape.
pub fn whole(c: &Case) -> Size {
    (c.shape.m, c.shape.n)
}

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
        self.words.split(' ').any(|w| w == word)
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
