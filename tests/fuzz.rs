//! Random calls of every routine through every interface, valid ones and ones with a wrong argument.
//!
//! Of a valid call: it succeeds; its results pass LAPACK's test ratios (on a sample); nothing else is written, read-only operands
//! and guard pages included; a ruined member changes no other; of members with sizes of their own, those whose are not valid get their codes and are not touched; the same bits come from another entry point, another place in
//! memory, and where plans leave the batch count out of account from a batch of one. Of a call with one wrong argument: the
//! answer is the documented one, and nothing is written. With nothing to do nothing is looked at or written.
//!
//! `TEPHRA_FUZZ_SEED` is the first call's seed, the next has the next number, and so on; `TEPHRA_FUZZ_CALLS` is how many are drawn.
//! A failure tells the seed of its call, and the smallest call like it that fails too.

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
use setup::Stage;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tally::Tally;
use tephra_testkit::Library;
use tephra_testkit::library::Backend;
use tephra_testkit::sweep::report;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{name}={v} is not a number")))
}

/// The smallest case like this one that fails, and how.
fn shrink(mut case: Case, mut why: String, fails: impl Fn(&Case) -> Option<String>) -> (Case, String) {
    // Each step makes a size smaller, so that there is an end; the bound is for the time it takes.
    for _ in 0..500 {
        match case.smaller().into_iter().find_map(|smaller| fails(&smaller).map(|why| (smaller, why))) {
            Some(smaller) => (case, why) = smaller,
            None => break,
        }
    }
    (case, why)
}

/// So many calls reach every function, with valid arguments and with a wrong one.
const FEW: u64 = 28_000;

#[test]
fn random_calls() {
    let library = Library::required();
    // A device takes longer for a short call, and has one queue for them.
    let (workers, calls) = match library.backend().unwrap() {
        Backend::Cpu => (std::thread::available_parallelism().map_or(1, |n| n.get()).min(8), 100_000),
        Backend::Cuda => (1, FEW),
    };
    let (seed, calls) = (setting("TEPHRA_FUZZ_SEED", 20_261_127), setting("TEPHRA_FUZZ_CALLS", calls));
    let (next, failure, tally) = (AtomicU64::new(0), Mutex::new(None), Mutex::new(Tally::default()));
    let work = || {
        let (stage, mut own) = (Stage::new(library).unwrap(), Tally::default());
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= calls {
                break;
            }
            let case = Case::draw(seed.wrapping_add(number));
            match run(&stage, &case) {
                Ok(ratio) => own.add(&case, ratio),
                Err(why) => {
                    next.store(calls, Relaxed);
                    failure.lock().unwrap().get_or_insert((case, why));
                    break;
                }
            }
        }
        tally.lock().unwrap().merge(own, stage.calls.get());
    };
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    if let Some((case, why)) = failure.into_inner().unwrap() {
        let described = case.describe();
        let stage = Stage::new(library).unwrap();
        let (smallest, still) = shrink(case.clone(), why.clone(), |case| run(&stage, case).err());
        panic!(
            "{why}\n{described}\nthe smallest like it: {still}\n{}\n\
             again: TEPHRA_FUZZ_SEED={} TEPHRA_FUZZ_CALLS=1 cargo test --release --test fuzz\n",
            smallest.describe(),
            case.seed
        );
    }
    let tally = tally.into_inner().unwrap();
    report(format!("fuzz, seed {seed}: {calls} calls drawn, {tally}"));
    // A fuzzer that leaves something out would not be seen otherwise.
    if calls >= FEW {
        assert_eq!(tally.missing(), Vec::<String>::new(), "entry points that were not called");
    }
}
