//! The command-line arguments.

mod bench;

pub use bench::BenchArgs;

use crate::case::{Shape, Trans};
use crate::operation::Op;
use crate::ops;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tephra_testkit::{Dtype, Library};

/// Inspects, measures and tests the installed libtephra.so.
#[derive(Parser)]
#[command(name = "tephra", version, arg_required_else_help = true)]
pub struct Cli {
    /// Where work runs [default: TEPHRA_BACKEND, else auto: CUDA if a device is usable]
    #[arg(long, global = true, value_enum, display_order = 100)]
    pub backend: Option<Backend>,
    /// The libtephra.so to use [default: TEPHRA_LIBRARY, else the one installed with this program]
    #[arg(long, global = true, value_name = "FILE", display_order = 100)]
    pub library: Option<PathBuf>,
    /// The arithmetic that single-precision real QR may use [default: TEPHRA_MATH, else fp32]
    #[arg(long, global = true, value_enum, display_order = 100)]
    pub math: Option<Math>,
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Passes the choices of backend and math on to the library in its environment variables, and that of the library
    /// to its loader.
    ///
    /// Must be called at the start of the program, while no other thread is running.
    pub fn apply(&self) {
        let backend = self.backend.map(|b| match b {
            Backend::Auto => "auto",
            Backend::Cpu => "cpu",
            Backend::Cuda => "cuda",
        });
        if let Some(path) = &self.library {
            Library::choose(path);
        }
        // SAFETY: no other thread reads the environment yet.
        unsafe {
            if let Some(backend) = backend {
                std::env::set_var("TEPHRA_BACKEND", backend);
            }
            if let Some(math) = self.math {
                let word = match math {
                    Math::Fp32 => "fp32",
                    Math::Tf32 => "tf32",
                    Math::Fp32Tensor => "fp32_tensor",
                    Math::Fp16 => "fp16",
                };
                std::env::set_var("TEPHRA_MATH", word);
            }
        }
    }
}

/// Values of `--backend`, the same as those of `TEPHRA_BACKEND`.
#[derive(Clone, Copy, ValueEnum)]
pub enum Backend {
    Auto,
    Cpu,
    Cuda,
}

/// Values of `--math`, the same as those of `TEPHRA_MATH`.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Math {
    Fp32,
    Tf32,
    #[value(name = "fp32_tensor")]
    Fp32Tensor,
    Fp16,
}

#[derive(Subcommand)]
pub enum Command {
    /// Devices, backend, versions and how the library was built
    Info,
    /// The plan of a shape: which kernels run it, and how
    #[command(allow_negative_numbers = true)]
    Explain(ExplainArgs),
    /// Measures speed and accuracy, over a grid of shapes or for one
    #[command(allow_negative_numbers = true)]
    Bench(Box<BenchArgs>),
    /// Times every possible plan of each shape, and writes the table from which the library chooses plans
    #[command(allow_negative_numbers = true)]
    Tune(TuneArgs),
    /// Self-test of the library on this machine: all precisions, layouts and interfaces
    Check(CheckArgs),
}

/// One shape, spelled as in the log lines of TEPHRA_VERBOSE=1.
#[derive(Args, Clone)]
pub struct ShapeArgs {
    /// Rows of each matrix
    #[arg(long, value_parser = size)]
    pub m: usize,
    /// Columns of each matrix
    #[arg(long, value_parser = size)]
    pub n: usize,
    /// Number of matrices
    #[arg(long, value_parser = size)]
    pub batch: usize,
}

impl ShapeArgs {
    pub fn shape(&self) -> Shape {
        Shape { m: self.m, n: self.n, batch: self.batch }
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:\n  \
tephra explain --dtype d --m 100 --n 100 --batch 50\n  \
tephra explain --op gesv --dtype s --m 32 --n 32 --nrhs 4 --batch 10000 --strided")]
pub struct ExplainArgs {
    /// Any routine of the library, by LAPACK's name without the precision letter
    #[arg(long, default_value = "geqrf")]
    pub op: String,
    /// Precision, in BLAS's letters
    #[arg(long, value_parser = dtype)]
    pub dtype: Dtype,
    #[command(flatten)]
    pub shape: ShapeArgs,
    /// Terms of a product, or reflectors [default: the columns; min(m, n)]
    #[arg(long, value_parser = size)]
    pub k: Option<usize>,
    /// Right-hand sides [default: 1]
    #[arg(long, value_parser = size)]
    pub nrhs: Option<usize>,
    /// Transposition of A
    #[arg(long, value_enum)]
    pub trans: Option<Trans>,
    /// Give the matrices by strides, not by arrays of pointers: the plan may differ
    #[arg(long)]
    pub strided: bool,
}

#[derive(Args)]
#[command(after_help = "\
Timed as in tephra bench, with fewer repeats; a plan much slower than the best one of its shape is timed once. The result file\n\
keeps all times. A restarted sweep continues where the last one stopped. Start a new file after kernels have changed.\n\n\
Examples:\n  \
tephra tune --out results/h200/tune.csv --table src/gpu/arch/sm_90.csv\n  \
tephra tune --op potrf --out results/h200/tune_others.csv --table src/gpu/arch/sm_90_others.csv")]
pub struct TuneArgs {
    /// Result file, continued if it exists
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Table to write from the result file, for src/gpu/arch of the sources
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Write the table and measure nothing
    #[arg(long, requires = "table")]
    pub condense_only: bool,
    /// Stop after about this many seconds; the benchmark's shapes come first
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Shapes
    #[arg(long, value_enum, default_value = "full")]
    pub grid: TuneGrid,
    /// Precisions, any of sdcz [default: sdcz]
    #[arg(long, value_parser = precisions)]
    pub precisions: Option<Precisions>,
    /// Operation: geqrf, or getrf, getrf_nopiv, potrf, gemm, which share another table; the others have only one plan
    #[arg(long, value_enum, default_value = "geqrf", hide_possible_values = true)]
    pub op: Op,
}

/// Shapes of `tephra tune`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TuneGrid {
    /// The benchmark's, sizes between them, and the size of every kernel
    Full,
    /// A few, to try the program
    Small,
}

#[derive(Args)]
#[command(after_help = "\
Examples:\n  \
tephra check                               everything: about a minute\n  \
tephra check --only getrf,gesv --verbose\n  \
tephra check --client ./program            what a program that uses cuBLAS or MAGMA would get from Tephra")]
pub struct CheckArgs {
    /// Show every failure, and the number of checks passed by routine and precision
    #[arg(long, short)]
    pub verbose: bool,
    /// Precisions
    #[arg(long, default_value = "sdcz", value_parser = precisions)]
    pub precisions: Precisions,
    /// Check only these rows of the table: routines as named there, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "ROUTINES")]
    pub only: Vec<String>,
    /// List which of the cuBLAS, cuSOLVER and MAGMA functions that a program, library, archive or object file uses are
    /// provided by the library, instead of checking anything. Functions are recognised by the prefixes of their names;
    /// NVIDIA's libraries are not searched
    #[arg(long, value_name = "FILE", conflicts_with_all = ["verbose", "precisions", "only"])]
    pub client: Option<PathBuf>,
}

impl CheckArgs {
    /// Whether a row of the table was requested.
    pub fn wants(&self, subject: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| is_called(subject, only))
    }

    /// The first requested name that matches no row.
    pub fn unknown<'a>(&'a self, subjects: &[String]) -> Option<&'a str> {
        let known = |only: &str| subjects.iter().any(|subject| is_called(subject, only));
        self.only.iter().map(|only| only.trim()).find(|only| !known(only))
    }
}

/// Whether a row answers to this name: its full title, any routine named in the title, or, for a row that is a
/// function, the function's routine.
fn is_called(subject: &str, name: &str) -> bool {
    let name = name.trim();
    let of_function = subject.split_once('?').map(|(_, rest)| rest.split(|c: char| !c.is_ascii_lowercase()).next());
    let words = subject.split([' ', ',']).chain(of_function.flatten());
    subject == name || words.into_iter().any(|word| !word.is_empty() && word == name)
}

/// A set of precisions, as `--precisions` takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Precisions(pub Vec<Dtype>);

/// The operation, if the command is a TEPHRA_VERBOSE=1 line for one that `bench` does not measure. Its options are not
/// checked.
pub fn unmeasured(words: &[String]) -> Option<&str> {
    let behind = |word: &str| words.iter().skip_while(|w| *w != word).nth(1);
    let (_, _, op) = (behind("bench")?, behind("--dtype")?, behind("--op")?);
    ops::is_unmeasured(op).then_some(op)
}

/// Parses a size, which must fit the library's signed 64-bit integers.
fn size(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| i64::try_from(*number).is_ok());
    number.ok_or_else(|| format!("it must be a whole number from 0 to {}", i64::MAX))
}

/// Parses a non-negative number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| *seconds >= 0.0)
        .ok_or_else(|| "it must be a number of seconds, 0 or more".into())
}

fn dtype(text: &str) -> Result<Dtype, String> {
    let mut letters = text.chars();
    let first = letters.next().filter(|_| letters.next().is_none()).and_then(Dtype::from_letter);
    first.ok_or_else(|| "the precisions are s, d, c and z".into())
}

fn precisions(text: &str) -> Result<Precisions, String> {
    let mut list = Vec::new();
    for c in text.chars().filter(|c| *c != ',') {
        let p = dtype(c.encode_utf8(&mut [0; 4]))?;
        if !list.contains(&p) {
            list.push(p);
        }
    }
    if list.is_empty() { Err("give at least one of s, d, c, z".into()) } else { Ok(Precisions(list)) }
}

#[test]
fn the_definition_is_sound() {
    <Cli as clap::CommandFactory>::command().debug_assert();
}
