//! Compares what the library reports about a call with what the call requests from the driver.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, PoisonError};
use tephra_testkit::Library;

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
    pub fn of(library: &'static Library, call: impl FnOnce()) -> Log {
        // SAFETY: the type is cuBLAS's.
        let set = unsafe { library.symbol::<unsafe extern "C" fn(Callback) -> c_int>("cublasSetLoggerCallback") };
        let set = |callback| assert_eq!(unsafe { set.as_ref().unwrap()(callback) }, 0);
        set(Some(keep as _));
        call();
        set(None);
        Log(std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Panics unless the log lists each kernel as often as it was launched, and all bytes that were taken from the
    /// pool.
    pub fn assert_lists(&self, call: &str, record: &str, kernels: &BTreeSet<String>) {
        let plans: Vec<&str> = self.0.iter().map(|line| line.split_once(" plan=").expect("a plan").1).collect();
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
        let (listed, asked) = (count(&mut { listed }), count(&mut { asked }));
        assert_eq!(listed, asked, "{call}: listed, and asked for:\n{}\n{record}", plans.join("\n"));

        // The first line of a plan describes all of it.
        let number = |plan: &&str, before: &str| -> usize {
            let first = plan.split("; ").next().unwrap_or_default();
            let words = first.split(before).next().filter(|rest| rest.len() < first.len());
            words.and_then(|words| words.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
        };
        let launches: usize = plans.iter().map(|plan| number(plan, " launch(es)")).sum();
        assert_eq!(launches, asked.values().sum::<usize>(), "{call}: launches in {}", plans.join("\n"));
        let scratch: usize = plans.iter().map(|plan| number(plan, " bytes of scratch memory")).sum();
        let taken: usize = record
            .lines()
            .filter_map(|line| line.strip_prefix("take ")?.split(' ').next()?.parse::<usize>().ok())
            .sum();
        assert_eq!(scratch, taken, "{call}: bytes from the pool in {}", plans.join("\n"));
    }
}
