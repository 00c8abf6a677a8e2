//! The arguments of `tephra bench`, and the cases that they select.

use super::{Precisions, dtype, precisions, seconds, size};
use crate::bench::input::Input;
use crate::bench::relative;
use crate::case::{Alpha, Case, Diag, Increment, Options, Part, Shape, Side, Trans, Uplo};
use crate::grid::Grid;
use crate::operation::Op;
use clap::Args;
use std::path::PathBuf;
use tephra_testkit::Dtype;

#[derive(Args)]
#[command(after_help = "\
Each call is timed alone: two warm-ups, the input restored by a copy before every call, the median of at least five,\n\
device events on a stream of its own (the monotonic clock on the CPU backend). The result of the last timed call is checked.\n\n\
Examples:\n  \
tephra bench --out results/geqrf.csv               the whole grid, all precisions, compared with the vendor's library\n  \
tephra bench --grid tall --precisions d --no-vendor\n  \
tephra bench --grid steps --out steps.csv          what one more column costs, for every size\n  \
tephra bench --grid classes --precisions sd        what other classes of data cost\n  \
tephra bench --grid energy --energy --op potrf     joules beside milliseconds\n  \
tephra bench --dtype d --op geqrf --m 32 --n 32 --batch 1000 --lda 32     one line of TEPHRA_VERBOSE=1\n  \
tephra bench --trace qr.json --dtype d --n 4096 --batch 1    what each thread or stream does when, for chrome://tracing\n  \
tephra bench --plot results/h200/geqrf.csv results/h200/peers.csv qr.json -o docs/img     geqrf's rows, and a trace")]
pub struct BenchArgs {
    /// Shapes to run [default: full; on the CPU backend host]
    #[arg(long, value_enum, conflicts_with_all = ["dtype", "m", "n", "batch", "lda"])]
    pub grid: Option<Grid>,
    /// Leave out the grid's shapes with more rows or columns than this
    #[arg(long, value_name = "ROWS", conflicts_with = "dtype")]
    pub largest: Option<usize>,
    /// Precisions of the grid, any of sdcz [default: sdcz; for the optimiser grid s]
    #[arg(long, value_parser = precisions, conflicts_with = "dtype")]
    pub precisions: Option<Precisions>,
    /// Operation
    #[arg(long, value_enum, default_value = "geqrf")]
    pub op: Op,
    /// One shape: its precision, in BLAS's letters
    #[arg(long, value_parser = dtype, requires = "batch")]
    pub dtype: Option<Dtype>,
    /// One shape: rows [default, where matrices are square: the columns]
    #[arg(long, requires = "dtype", value_parser = size)]
    pub m: Option<usize>,
    /// One shape: columns [default, where matrices are square: the rows]
    #[arg(long, requires = "dtype", value_parser = size)]
    pub n: Option<usize>,
    /// One shape: number of matrices
    #[arg(long, requires = "dtype", value_parser = size)]
    pub batch: Option<usize>,
    /// One shape: leading dimension of A [default: its rows]
    #[arg(long, requires = "dtype", value_parser = size)]
    pub lda: Option<usize>,
    /// One shape of least squares and systems: right-hand sides
    #[arg(long, requires = "dtype", value_parser = size)]
    pub nrhs: Option<usize>,
    /// One shape of orgqr, ormqr and gemqr: reflectors; of products and rank-k updates: terms
    #[arg(long, requires = "dtype", value_parser = size)]
    pub k: Option<usize>,
    /// One shape of ormqr, gemqr, trsm, trmm and symm: side of the operator
    #[arg(long, value_enum, requires = "dtype")]
    pub side: Option<Side>,
    /// One shape: transposition of the operator
    #[arg(long, value_enum, requires = "dtype")]
    pub trans: Option<Trans>,
    /// One shape of gemm and geam: transposition of the second matrix
    #[arg(long, value_enum, requires = "dtype")]
    pub trans_b: Option<Trans>,
    /// One shape of triangular or symmetric matrices: the triangle that is used
    #[arg(long, value_enum, requires = "dtype")]
    pub uplo: Option<Uplo>,
    /// One shape of triangular matrices: the kind of diagonal
    #[arg(long, value_enum, requires = "dtype")]
    pub diag: Option<Diag>,
    /// One shape: leading dimension of B, C, Q or the inverse [default: its rows]
    #[arg(long, aliases = ["ldc", "ldq"], requires = "dtype", value_parser = size)]
    pub ldb: Option<usize>,
    /// One shape of trsv: increment between elements of the vector
    #[arg(long, requires = "dtype", value_parser = increment, allow_negative_numbers = true)]
    pub incx: Option<Increment>,
    /// One shape of qr, products and gels_iterative: leading dimension of R, C or X [default: its rows]
    #[arg(long, requires = "dtype", value_parser = size)]
    pub ldr: Option<usize>,
    /// One shape of qr: the part of Q that is computed [default: thin]
    #[arg(long, value_enum, requires = "dtype")]
    pub part: Option<Part>,
    /// One shape of trsm and trmm: the scalar alpha; only 0 changes the time [default: 1]
    #[arg(long, value_enum, requires = "dtype")]
    pub alpha: Option<Alpha>,

    /// Result file ("-": standard output); with --plot the folder of the charts
    #[arg(long, short, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Continue the result file: run only the cases it lacks
    #[arg(long, requires = "out")]
    pub append: bool,
    /// Give the matrices by strides, not by arrays of pointers
    #[arg(long, conflicts_with_all = ["overhead", "plot"])]
    pub strided: bool,
    /// Do not measure the vendor's library (cuBLAS; on the CPU backend the LAPACK of TEPHRA_LAPACK)
    #[arg(long)]
    pub no_vendor: bool,
    /// Also measure the energy of a call, by NVML (on the CPU backend by RAPL): calls are repeated for a second each;
    /// adds the energy columns to the result file
    #[arg(long, conflicts_with_all = ["overhead", "plot"])]
    pub energy: bool,
    /// Seconds the library may take per case; a slow case gets fewer repeats, down to one
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", value_parser = seconds)]
    pub budget: f64,
    /// Seconds the vendor may take per case; a slow case gets fewer repeats, down to one
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", value_parser = seconds)]
    pub vendor_budget: f64,
    /// Hardware ceilings for the efficiency column, as copy=GB/s,s=GFLOP/s,d=GFLOP/s [default: those known for the device]
    #[arg(long, value_name = "LIST")]
    pub ceilings: Option<String>,
    /// Matrices of the batch whose result is checked [default: 2 large to 64 small ones]
    #[arg(long, value_name = "COUNT")]
    pub samples: Option<usize>,
    /// Class of the input matrices, such as uniform, rank-deficient, clustered, near-rank, mixed; CLASS:N makes one
    /// matrix in N of this class, the others uniform
    #[arg(long, default_value = "uniform", value_name = "CLASS[:N]")]
    pub input: Input,
    /// Seed of the random matrices
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Measure the host's time per call instead: a batch of one 4x4, warm, compared with a bare kernel launch
    #[arg(long, conflicts_with_all = ["grid", "dtype", "plot"])]
    pub overhead: bool,
    /// Write a timeline of the threads or streams during one QR of a matrix in host memory (--dtype, --m, --n) instead,
    /// in Chrome's trace format: in tiles on the CPU backend, streamed through the device on CUDA
    #[arg(long, value_name = "JSON", conflicts_with_all = ["grid", "overhead", "plot", "out", "append", "energy"])]
    pub trace: Option<PathBuf>,
    /// Bytes of the device's memory for --trace [default: a quarter of the matrix]
    #[arg(long, value_name = "BYTES", requires = "trace", value_parser = size)]
    pub device_memory: Option<usize>,
    /// Columns that the host's cores factor alongside the device, for --trace; -1: by measured rates
    #[arg(long, value_name = "COLUMNS", requires = "trace", allow_negative_numbers = true)]
    pub host_columns: Option<i64>,
    /// Draw geqrf's rows of result files, and traces, as SVG charts instead
    #[arg(long, num_args = 1.., value_name = "CSV", conflicts_with_all = ["grid", "dtype", "append"])]
    pub plot: Vec<PathBuf>,
}

impl BenchArgs {
    /// Refuses options that --trace and --overhead, which measure geqrf in a way of their own, would ignore.
    pub fn check_alternatives(&self) -> Result<(), String> {
        let what = match (&self.trace, self.overhead) {
            (Some(_), _) => "--trace",
            (_, true) => "--overhead",
            _ => return Ok(()),
        };
        if self.op.name != "geqrf" {
            return Err(format!("{what} measures geqrf only"));
        }
        if self.batch.is_some_and(|batch| batch != 1) {
            return Err(format!("{what} measures one matrix: --batch 1"));
        }
        let ignored = if self.lda.is_some() { Some("lda") } else { self.foreign() };
        ignored.map_or(Ok(()), |option| Err(format!("{what} has no --{option}")))
    }

    /// The kinds of input that each case is measured on, in turn.
    pub fn inputs(&self) -> Result<Vec<Input>, String> {
        match self.grid {
            Some(Grid::Classes) if self.input != Input::UNIFORM => {
                Err("--grid classes covers all classes itself: omit --input".into())
            }
            Some(Grid::Classes) => Ok(relative::inputs()),
            _ => Ok(vec![self.input]),
        }
    }

    /// The requested cases: a single one, or those of a grid (`default` if none is named). Empty if the single case has
    /// a size of zero.
    pub fn cases(&self, default: Grid) -> Result<Vec<Case>, String> {
        if self.strided && !self.op.has_strided() {
            return Err(format!("{} has no --strided", self.op.name));
        }
        let (Some(dtype), Some(batch)) = (self.dtype, self.batch) else {
            let grid = self.grid.unwrap_or(self.op.grid(default));
            let precisions = self.precisions.as_ref().map_or(grid.precisions(), |p| &p.0);
            let largest = self.largest.unwrap_or(usize::MAX);
            let mut cases = grid.cases(self.op, precisions);
            cases.retain(|c| c.shape.m.max(c.shape.n) <= largest);
            return Ok(cases);
        };
        if let Some(option) = self.foreign() {
            return Err(format!("{} has no --{option}", self.op.name));
        }
        if self.op.complex && !dtype.is_complex() {
            return Err(format!("{} is for complex matrices: --dtype c or z", self.op.name));
        }
        // Routines for square matrices are logged with the order alone.
        let order = self.n.or(self.m).filter(|_| self.op.square);
        let m = self.m.or(order).ok_or("--m is required")?;
        let n = self.n.or(order).ok_or("--n is required")?;
        if self.op.square && m != n {
            return Err(format!("{} takes square matrices", self.op.name));
        }
        let usual = Case::packed(self.op, dtype, Shape { m, n, batch });
        let o = usual.options;
        let options = Options {
            nrhs: self.nrhs.unwrap_or(o.nrhs),
            k: self.k.unwrap_or(o.k),
            side: self.side.unwrap_or(o.side),
            trans: self.trans.unwrap_or(o.trans),
            trans_b: self.trans_b.unwrap_or(o.trans_b),
            uplo: self.uplo.unwrap_or(o.uplo),
            diag: self.diag.unwrap_or(o.diag),
            part: self.part.unwrap_or(o.part),
            alpha: self.alpha.unwrap_or(o.alpha),
            incx: self.incx.unwrap_or(o.incx),
            ..o
        };
        let packed = Case { options, ..usual }.with_packed_columns();
        let at_least = |name: &str, wish: Option<usize>, least: usize| match wish {
            Some(ld) if ld < least => {
                Err(format!("--{name} is {ld}, but must be at least {least}, the number of rows"))
            }
            wish => Ok(wish.unwrap_or(least)),
        };
        let lda = at_least("lda", self.lda, packed.lda)?;
        let options = Options {
            ldb: at_least("ldb", self.ldb, packed.options.ldb)?,
            ldr: at_least("ldr", self.ldr, packed.options.ldr)?,
            ..packed.options
        };
        let case = Case { lda, options, ..packed };
        if let Some(why) = (self.op.unsupported)(&case) {
            return Err(why);
        }
        let others = [("nrhs", options.nrhs), ("k", options.k)].into_iter().filter(|(word, _)| self.op.has(word));
        if [m, n, batch].into_iter().chain(others.map(|(_, size)| size)).any(|size| size == 0) {
            return Ok(vec![]);
        }
        match case.bytes() {
            Some(_) => Ok(vec![case]),
            None => Err(format!("{case}: its matrices do not fit in the address space")),
        }
    }

    /// The first option that was given but that the operation does not have.
    fn foreign(&self) -> Option<&'static str> {
        let given = [
            ("m", self.m.is_some()),
            ("n", self.n.is_some()),
            ("lda", self.lda.is_some()),
            ("nrhs", self.nrhs.is_some()),
            ("k", self.k.is_some()),
            ("side", self.side.is_some()),
            ("trans", self.trans.is_some()),
            ("trans-b", self.trans_b.is_some()),
            ("uplo", self.uplo.is_some()),
            ("diag", self.diag.is_some()),
            ("ldb", self.ldb.is_some()),
            ("ldr", self.ldr.is_some()),
            ("incx", self.incx.is_some()),
            ("part", self.part.is_some()),
            ("alpha", self.alpha.is_some()),
        ];
        given.into_iter().find(|(option, given)| *given && !self.op.takes(option)).map(|(option, _)| option)
    }
}

fn increment(text: &str) -> Result<Increment, String> {
    match text.parse() {
        Ok(0) => Err("it must not be 0".into()),
        Ok(number) => Ok(Increment(number)),
        Err(_) => Err("it must be a whole number".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use crate::ops;
    use clap::Parser;

    fn bench(line: &str) -> Result<BenchArgs, String> {
        let words = ["tephra", "bench"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words).map_err(|e| e.to_string())?.command {
            Command::Bench(args) => Ok(*args),
            _ => unreachable!(),
        }
    }

    #[test]
    fn a_verbose_line_names_one_case() {
        assert!(bench("--dtype s --op geqrf --m 33 --n 32 --batch 1000 --lda 40 --math tf32").is_ok());
        assert!(bench("--dtype s --op geqrf --m 33 --n 32 --batch 1000 --lda 40 --math fp32_tensor").is_ok());
        assert!(bench("--dtype s --op geqrf --m 33 --n 32 --batch 1000 --lda 40 --math fp16").is_ok());
        let args = bench("--dtype d --op geqrf --m 33 --n 32 --batch 1000 --lda 40").unwrap();
        let cases = args.cases(Grid::Full).unwrap();
        assert_eq!(cases.len(), 1);
        assert_eq!((cases[0].dtype, cases[0].shape.m, cases[0].lda), (Dtype::D, 33, 40));
    }

    #[test]
    fn lines_of_other_operations_name_their_options() {
        let one = |line: &str| bench(line).unwrap().cases(Grid::Full).map(|c| (c.len(), c[0]));
        let line = "--dtype z --op ormqr --side right --trans c --m 9 --n 40 --k 7 --batch 3 --lda 41 --ldc 10";
        let (count, case) = one(line).unwrap();
        assert_eq!((count, case.a_size(), case.lda, case.options.ldb), (1, (40, 7), 41, 10));
        assert!(one("--dtype s --op ormqr --m 9 --n 4 --k 10 --batch 3").is_err(), "more reflectors than rows");
        let case = one("--dtype s --op gels --trans n --m 9 --n 4 --nrhs 2 --batch 3 --lda 9 --ldb 12").unwrap().1;
        assert_eq!((case.options.nrhs, case.b_size(), case.options.ldb), (2, (9, 2), 12));
        let line =
            "--dtype d --op trsm --side left --uplo lower --trans t --diag unit --m 9 --n 4 --batch 3 --lda 9 --ldb 8";
        assert!(one(line).is_err(), "ldb is below m");
        let case = one("--dtype d --op qr --part thin --m 9 --n 4 --batch 3 --lda 9 --ldq 9 --ldr 5").unwrap().1;
        assert_eq!((case.options.ldb, case.options.ldr, case.b_size()), (9, 5, (9, 4)));
    }

    #[test]
    fn the_order_of_square_matrices_says_it_all() {
        let one = |line: &str| bench(line).unwrap().cases(Grid::Full).map(|c| c[0]);
        let case = one("--dtype z --op getrs --trans c --n 9 --nrhs 2 --batch 3 --lda 10 --ldb 12").unwrap();
        assert_eq!((case.a_size(), case.b_size(), case.lda, case.options.ldb), ((9, 9), (9, 2), 10, 12));
        assert_eq!(one("--dtype s --op inv --n 9 --batch 3 --lda 9 --ldc 10").unwrap().options.ldb, 10);
        assert_eq!(one("--dtype s --op getrf_nopiv --m 9 --n 4 --batch 3").unwrap().op.name, "getrf_nopiv");
        assert!(one("--dtype s --op getrf --n 9 --batch 3").is_err(), "m is missing");
        assert!(one("--dtype s --op gesv --m 8 --n 9 --batch 3").is_err(), "not square");
        assert_eq!(one("--dtype s --op gesv --m 9 --batch 3").unwrap().a_size(), (9, 9), "either size is the order");
    }

    #[test]
    fn operations_have_grids_of_their_own() {
        let count = |line: &str| bench(line).unwrap().cases(Grid::Full).unwrap().len();
        assert_eq!(count("--op gels --precisions s"), 10);
        assert_eq!(count("--op trsm --precisions s"), 17, "n = 8 has two: 8 right-hand sides are n");
        assert_eq!(count("--op orgqr --precisions d"), count("--op qr --precisions d"));
    }

    #[test]
    fn the_default_is_the_full_grid() {
        assert_eq!(bench("").unwrap().cases(Grid::Full).unwrap().len(), 4 * 35);
        assert_eq!(bench("--grid optimiser").unwrap().cases(Grid::Full).unwrap().len(), 7);
        assert_eq!(bench("--grid odd --precisions zd").unwrap().cases(Grid::Full).unwrap().len(), 12);
    }

    #[test]
    fn energy_is_of_one_case_a_shape() {
        for op in ops::all() {
            let cases = bench(&format!("--grid energy --energy --op {}", op.name)).unwrap().cases(Grid::Full).unwrap();
            let precisions = if op.complex { 0 } else { 2 };
            assert_eq!(cases.len(), precisions * 7, "{op:?}");
        }
        assert!(bench("--energy --overhead").is_err());
    }

    #[test]
    fn grids_of_own_times() {
        let cases = |line: &str| bench(line).unwrap().cases(Grid::Full).unwrap();
        assert_eq!(cases("--grid steps").len(), 2 * 600);
        assert_eq!(cases("--grid steps --precisions z --largest 40").len(), 40);
        assert_eq!(cases("--grid classes --precisions s --largest 32").len(), 4);
        let inputs = |line: &str| bench(line).unwrap().inputs();
        assert_eq!(inputs("--grid classes").unwrap().len(), 9 + 6);
        assert_eq!(inputs("--input mixed:7").unwrap()[0].to_string(), "mixed:7");
        assert!(inputs("--grid classes --input mixed").is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(bench("--dtype d --m 3 --n 3").is_err(), "no batch");
        assert!(bench("--m 3").is_err(), "no dtype");
        assert!(bench("--grid full --dtype d --m 3 --n 3 --batch 1").is_err());
        assert!(bench("--precisions q").is_err());
        assert!(bench("--append").is_err(), "nothing to append to");
        assert!(bench("--input unknown").is_err());
        assert!(bench("--dtype d --m 3 --n 3 --batch 1 --lda 2").unwrap().cases(Grid::Full).is_err());
        for numbers in ["--m -1 --n 3", "--m 1e3 --n 3", "--m 9223372036854775808 --n 3", "--m 3 --n 3 --budget nan"] {
            assert!(bench(&format!("--dtype d --batch 1 {numbers}")).is_err(), "{numbers}");
        }
        for op in ["trsv --incx 0", "qr --part half", "trsm --alpha 2"] {
            assert!(bench(&format!("--dtype d --m 3 --n 3 --batch 1 --op {op}")).is_err(), "{op}");
        }
        for sizes in ["--m 9223372036854775807 --n 1", "--m 3 --n 3 --lda 4611686018427387904", "--n 3"] {
            assert!(bench(&format!("--dtype d --batch 1 {sizes}")).unwrap().cases(Grid::Full).is_err(), "{sizes}");
        }
    }

    #[test]
    fn sizes_of_zero_are_no_case() {
        for line in [
            "geqrf --m 0 --n 3 --batch 1",
            "geqrf --m 3 --n 0 --batch 1 --lda 3",
            "geqrf --m 3 --n 3 --batch 0",
            "gesv --n 9 --nrhs 0 --batch 3",
            "orgqr --m 9 --n 4 --k 0 --batch 3",
            "gemm --m 9 --n 4 --k 0 --batch 3",
            "qr --m 0 --n 4 --batch 3 --part full --ldq 1 --ldr 1",
        ] {
            let args = bench(&format!("--dtype d --op {line}")).unwrap();
            assert_eq!(args.cases(Grid::Full).map(|cases| cases.len()), Ok(0), "{line}");
        }
    }

    /// Every option either changes the case or is rejected by name.
    #[test]
    fn operations_take_the_options_that_they_have() {
        let all = [
            ("lda", ["20", "21"]),
            ("nrhs", ["2", "3"]),
            ("k", ["2", "3"]),
            ("side", ["left", "right"]),
            ("trans", ["n", "t"]),
            ("trans-b", ["n", "t"]),
            ("uplo", ["lower", "upper"]),
            ("diag", ["unit", "non-unit"]),
            ("ldb", ["20", "21"]),
            ("ldr", ["20", "21"]),
            ("incx", ["-2", "3"]),
            ("part", ["full", "none"]),
            ("alpha", ["0", "1"]),
        ];
        let mut taken = 0;
        for op in ops::all() {
            let (dtype, turned) = if op.complex { ("z", "c") } else { ("d", "t") };
            let plain = format!("--dtype {dtype} --batch 3 --m 9 --n 9 --op {}", op.name);
            let case = |more: &str| bench(&format!("{plain} {more}")).unwrap().cases(Grid::Full).map(|cases| cases[0]);
            for (option, values) in all {
                let values = values.map(|value| if value == "t" { turned } else { value });
                let [one, other] = values.map(|value| case(&format!("--{option} {value}")));
                if op.takes(option) {
                    assert_ne!(one.unwrap(), other.unwrap(), "{} --{option}", op.name);
                    taken += 1;
                } else {
                    let text = format!("{} has no --{option}", op.name);
                    assert_eq!((one, other), (Err(text.clone()), Err(text)));
                }
            }
        }
        assert!(taken > 100, "{taken}");
    }
}
