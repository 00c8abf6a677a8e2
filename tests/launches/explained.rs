//! Compares what the library reports about a call with what the call requests from the driver.

use crate::cases::Call;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, PoisonError};
use tephra_testkit::Library;

/// The beginnings of the names of kernels that MAGMA's functions launch before, between or after the operations that
/// they consist of.
const OF_NO_PLAN: [&str; 8] = [
    "assign",
    "blocks_of_each",
    "exchange_columns",
    "geqrf_extract",
    "merge_codes",
    "permute_rows",
    "set_pointers",
    "shift_pointers",
];

type Callback = Option<unsafe extern "C" fn(*const c_char)>;

static LINES: Mutex<Vec<String>> = Mutex::new(vec![]);

unsafe extern "C" fn keep(line: *const c_char) {
    // SAFETY: the library passes a NUL-terminated string.
    let line = unsafe { CStr::from_ptr(line) }.to_str().unwrap().to_owned();
    LINES.lock().unwrap_or_else(PoisonError::into_inner).push(line);
}

/// The lines that the library logs about calls.
pub struct Log(Vec<String>);

impl Log {
    /// The lines of a call, and its result.
    pub fn of<T>(library: &'static Library, call: impl FnOnce() -> T) -> (Log, T) {
        // SAFETY: the type is cuBLAS's.
        let set = unsafe { library.symbol::<unsafe extern "C" fn(Callback) -> c_int>("cublasSetLoggerCallback") };
        let set = |callback| assert_eq!(unsafe { set.as_ref().unwrap()(callback) }, 0);
        set(Some(keep as _));
        let result = call();
        set(None);
        (Log(std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner))), result)
    }

    /// The plans, as text.
    fn plans(&self) -> Vec<&str> {
        self.0.iter().map(|line| line.split_once(" plan=").expect("a plan").1).collect()
    }

    /// The sum of a number in the first lines of the plans, which describe them as a whole, by the words after it.
    fn sum(&self, before: &str) -> usize {
        let number = |plan: &str| -> Option<usize> {
            plan.split("; ").next()?.split_once(before)?.0.rsplit(' ').next()?.parse().ok()
        };
        self.plans().into_iter().filter_map(number).sum()
    }

    /// Bytes of workspace.
    pub fn workspace(&self) -> usize {
        self.sum(" bytes of workspace")
    }

    /// Panics unless `tephra_explain` says the same for the shapes of the call's operations, as far as it can be asked
    /// for them: flags other than `--trans` cannot be given, and whether codes are wanted, on which gels' plan depends.
    pub fn assert_explained(&self, call: &Call, library: &Library) {
        for line in &self.0 {
            let (operation, plan) = line.split_once(" plan=").expect("a plan");
            let words: Vec<&str> = operation.split(' ').skip(2).take_while(|word| *word != "#").collect();
            let value = |option: &str| words.iter().position(|word| *word == option).map(|at| words[at + 1]);
            let size = |option: &str| value(option).map(|number| number.parse::<i64>().expect("a size"));
            let hidden = ["--side", "--uplo"].iter().any(|flag| words.contains(flag)) || value("--op") == Some("gels");
            if hidden {
                continue;
            }
            let mut asked = ["--dtype", "--op"].into_iter().filter_map(value).collect::<String>();
            for option in ["--k", "--nrhs", "--trans"] {
                value(option).into_iter().for_each(|value| asked += &format!(" {option} {value}"));
            }
            asked += if words.contains(&"--strided") { " --strided" } else { "" };
            let [n, batch] = ["--n", "--batch"].map(|option| size(option).expect("it has one"));
            let explained = library.explain(&asked, size("--m").unwrap_or(n), n, batch);
            let explained = explained.unwrap_or_else(|error| panic!("{}: {asked}: {error}", call.describe()));
            let explained: Vec<&str> = explained.split('\n').filter(|line| !line.is_empty()).collect();
            assert_eq!(explained.join("; "), plan, "{}: {asked}", call.describe());
        }
    }

    /// Panics unless the log lists each kernel as often as it was launched, and all bytes that were taken from the
    /// pool.
    pub fn assert_lists(&self, call: &Call, record: &str, kernels: &BTreeSet<String>) {
        let plans = self.plans();
        let says = || format!("{}: the library says\n{}\nand asks for\n{record}", call.describe(), plans.join("\n"));
        let listed =
            plans.iter().flat_map(|plan| plan.split("; ")).filter_map(|part| Some(part.trim().split_once(": ")?.0));
        let asked = record.lines().filter_map(|line| line.split(' ').next());
        let count = |names: &mut dyn Iterator<Item = &str>| {
            let mut counts = BTreeMap::<String, usize>::new();
            names
                .filter(|name| kernels.contains(*name))
                .for_each(|name| *counts.entry(name.to_owned()).or_default() += 1);
            counts
        };
        let (listed, mut asked) = (count(&mut { listed }), count(&mut { asked }));
        let all = asked.len();
        if !call.is_native() {
            asked.retain(|name, _| listed.contains_key(name) || !OF_NO_PLAN.iter().any(|of| name.starts_with(of)));
        }
        assert_eq!(listed, asked, "{}", says());

        let sum: usize = asked.values().sum();
        assert_eq!(self.sum(" launch(es)"), sum, "launches: {}", says());
        let (scratch, work) = (self.sum(" bytes of scratch memory"), self.workspace());
        let bytes = |line: &str| line.strip_prefix("take ")?.split(' ').next()?.parse::<usize>().ok();
        let taken: usize = record.lines().filter_map(bytes).sum();
        // A function without a workspace argument takes its workspace from the pool, too. MAGMA's also take memory for
        // what kernels without a plan write, and for results that belong in host memory.
        let listed = scratch + if call.is_native() { 0 } else { work };
        let more = asked.len() < all || call.symbol.ends_with("_gpu");
        let right = if more { listed <= taken } else { listed == taken };
        assert!(right, "bytes from the pool: {}", says());
    }
}
