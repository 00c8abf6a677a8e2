//! Random calls of every routine through every interface, both valid ones and ones with one wrong argument.
//!
//! A valid call must succeed; its results must pass LAPACK's test ratios (on a sample); it must write nothing else,
//! neither read-only operands nor guard pages; a ruined member must not change another one; members whose own sizes are
//! invalid must get their codes and stay unchanged; and another entry point, another place in memory and, if plans
//! ignore the batch count, a batch of one must produce the same bits. A call with one wrong argument must return the
//! documented error and write nothing. If there is nothing to do, the call must read and write nothing.
//!
//! `TEPHRA_FUZZ_SEED` is the seed of the first call; each further call adds 1. `TEPHRA_FUZZ_CALLS` is the number of
//! calls. A failure reports the seed of its call, and the smallest similar call that also fails.

#[path = "fuzz/case.rs"]
mod case;
#[path = "fuzz/checks.rs"]
mod checks;
#[path = "fuzz/fill.rs"]
mod fill;
#[path = "fuzz/invoke.rs"]
mod invoke;
#[path = "fuzz/placed.rs"]
mod placed;
#[path = "fuzz/properties.rs"]
mod properties;
#[path = "fuzz/region.rs"]
mod region;
#[path = "fuzz/setup.rs"]
mod setup;
#[path = "support/stderr.rs"]
mod stderr;
#[path = "fuzz/tally.rs"]
mod tally;
#[path = "fuzz/varying.rs"]
mod varying;
#[path = "fuzz/wrong.rs"]
mod wrong;

use case::Case;
use properties::run;
use setup::Resources;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tally::Tally;
use tephra_testkit::Library;
use tephra_testkit::library::Backend;
use tephra_testkit::sweep::report;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{name}={v} is not a number")))
}

/// Returns the smallest similar case that fails, and its failure.
fn shrink(mut case: Case, mut why: String, fails: impl Fn(&Case) -> Option<String>) -> (Case, String) {
    // Each step reduces a size, so the loop ends; the bound limits its time.
    for _ in 0..500 {
        match case.smaller().into_iter().find_map(|smaller| fails(&smaller).map(|why| (smaller, why))) {
            Some(smaller) => (case, why) = smaller,
            None => break,
        }
    }
    (case, why)
}

/// The number of calls that suffices to reach every function with valid arguments and with a wrong one.
const FEW: u64 = 28_000;

#[test]
fn random_calls() {
    let library = Library::required();
    // Short calls take longer on a device, which also has only one queue for them.
    let (workers, calls) = match library.backend().unwrap() {
        Backend::Cpu => (std::thread::available_parallelism().map_or(1, |n| n.get()).min(8), 100_000),
        Backend::Cuda => (1, FEW),
    };
    let (seed, calls) = (setting("TEPHRA_FUZZ_SEED", 20_261_127), setting("TEPHRA_FUZZ_CALLS", calls));
    let (next, failure, tally) = (AtomicU64::new(0), Mutex::new(None), Mutex::new(Tally::default()));
    let work = || {
        let (resources, mut own) = (Resources::new(library).unwrap(), Tally::default());
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= calls {
                break;
            }
            let case = Case::draw(seed.wrapping_add(number));
            match run(&resources, &case) {
                Ok(ratio) => own.add(&case, ratio),
                Err(why) => {
                    next.store(calls, Relaxed);
                    failure.lock().unwrap().get_or_insert((case, why));
                    break;
                }
            }
        }
        tally.lock().unwrap().merge(own, resources.calls.get());
    };
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    if let Some((case, why)) = failure.into_inner().unwrap() {
        let described = case.describe();
        let resources = Resources::new(library).unwrap();
        let (smallest, still) = shrink(case.clone(), why.clone(), |case| run(&resources, case).err());
        panic!(
            "{why}\n{described}\nthe smallest like it: {still}\n{}\n\
             again: TEPHRA_FUZZ_SEED={} TEPHRA_FUZZ_CALLS=1 cargo test --release --test fuzz\n",
            smallest.describe(),
            case.seed
        );
    }
    let tally = tally.into_inner().unwrap();
    report(format!("fuzz, seed {seed}: {calls} calls drawn, {tally}"));
    // Without this check, nobody would notice that the fuzzer leaves a function out.
    if calls >= FEW {
        assert_eq!(tally.missing(), Vec::<String>::new(), "entry points that were not called");
    }
}
