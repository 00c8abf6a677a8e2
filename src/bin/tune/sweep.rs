//! The sweep over every candidate plan of every case, with one batch per case.

use super::record::{Record, Writer};
use super::shapes;
use crate::args::TuneArgs;
use crate::bench::accuracy;
use crate::bench::contender::{Contender, own_version};
use crate::bench::input::Input;
use crate::bench::machine::Machine;
use crate::bench::operands::{Operands, Source};
use crate::bench::protocol::{Protocol, Timing};
use crate::bench::report;
use crate::case::Case;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::{explain, info};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::time::Instant;
use tephra_testkit::Dtype;
use tephra_testkit::library::Library;

/// A candidate that is slower than the best so far by more than this factor is timed only once.
const HOPELESS: f64 = 1.5;
/// Kernels for matrices with more than this many times the elements are not tried...
const PADDING: usize = 4;
/// ...except for this many of the smallest, which always are.
const SMALLEST: usize = 8;
/// One result is checked for matrices with up to this much work; larger ones run the same kernels.
const CHECKED: usize = 1 << 21;

/// Times everything that the result file lacks.
pub fn run(args: &TuneArgs) -> Outcome {
    let machine = Machine::new().map_err(|e| e.to_string())?;
    let (device, version) = (info::device_name(machine.backend)?, own_version(&machine));
    let out = Writer::open(&args.out, args.op, &device, &version);
    let (out, done) = out.map_err(|e| format!("{}: {e}", args.out.display()))?;
    let mut cases = vec![];
    for dtype in args.precisions.as_ref().map_or(Dtype::ALL.to_vec(), |p| p.0.clone()) {
        // A matrix of one element fits every kernel.
        let one = Case::packed(args.op, dtype, crate::case::Shape { m: 1, n: 1, batch: 1000 });
        let instances: Vec<_> = candidates(machine.library, &one)?.into_iter().filter_map(|c| c.largest).collect();
        cases.extend(shapes::cases(args.op, dtype, args.grid, &instances));
        let listed = cases.last().map(|case| candidates(machine.library, case)).transpose()?;
        if listed.is_some_and(|listed| listed.is_empty()) {
            let (op, backend) = (args.op.name, machine.backend.name());
            return Err(format!("{op} has no plans to choose from on the {backend} backend"));
        }
    }
    let mut sweep = Sweep { machine: &machine, out, done: by_case(done), rejected: 0, wrong: vec![] };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} (about {eta} left) {msg}");
    let bar = ProgressBar::new(cases.len() as u64).with_style(style.map_err(|e| e.to_string())?);
    // The benchmark's shapes come first, in all precisions, because a sweep may be cut short.
    cases.sort_by_key(|c| !shapes::is_of_the_benchmark(c));
    let (start, mut timed) = (Instant::now(), 0);
    for case in cases {
        let elapsed = start.elapsed().as_secs_f64();
        if args.seconds.is_some_and(|limit| elapsed > limit) {
            let left = bar.length().unwrap_or(0) - bar.position();
            bar.suspend(|| complain!("stopped after {elapsed:.0} s with {left} cases left"));
            break;
        }
        bar.set_message(case.to_string());
        match sweep.case(case) {
            Ok(count) => timed += count,
            Err(failure) => bar.suspend(|| complain!("{case}: {failure}")),
        }
        for text in sweep.wrong.drain(..) {
            bar.suspend(|| complain!("{text}"));
            sweep.rejected += 1;
        }
        bar.inc(1);
    }
    machine.library.set_plan(None).map_err(|e| e.to_string())?;
    bar.finish_and_clear();
    say!("{}: {timed} timings added, {} results wrong", args.out.display(), sweep.rejected);
    Ok(sweep.rejected == 0)
}

/// A plan that can be selected.
struct Candidate {
    plan: String,
    /// The most rows and columns that the plan supports, if it is limited.
    largest: Option<(usize, usize)>,
}

fn candidates(library: &Library, case: &Case) -> Result<Vec<Candidate>, String> {
    let name = explain::name(case);
    let [m, n, batch] = [case.shape.m, case.shape.n, case.shape.batch].map(|x| x as i64);
    let text = library.candidates(&name, m, n, batch).map_err(|e| e.to_string())?;
    let candidate = |line: &str| {
        let mut words = line.split(' ');
        let plan = words.next().unwrap_or_default().to_owned();
        let mut number = || words.next()?.parse().ok();
        Candidate { plan, largest: number().zip(number()) }
    };
    Ok(text.lines().map(candidate).collect())
}

/// Drops the candidates that cannot win.
fn sensible(case: &Case, all: Vec<Candidate>) -> Vec<Candidate> {
    let mut instances = 0;
    let worth = |c: &Candidate| match c.largest {
        Some((m, n)) => {
            instances += 1;
            instances <= SMALLEST || m * n <= PADDING * case.shape.m * case.shape.n
        }
        None => true,
    };
    all.into_iter().filter(worth).collect()
}

fn by_case(records: Vec<Record>) -> HashMap<Case, Vec<Record>> {
    let mut map: HashMap<Case, Vec<Record>> = HashMap::new();
    for r in records {
        map.entry(r.case).or_default().push(r);
    }
    map
}

struct Sweep<'a> {
    machine: &'a Machine,
    out: Writer,
    done: HashMap<Case, Vec<Record>>,
    rejected: usize,
    wrong: Vec<String>,
}

impl Sweep<'_> {
    /// Times the candidates that the file lacks and returns their number.
    fn case(&mut self, case: Case) -> Result<usize, Failure> {
        let done = self.done.remove(&case).unwrap_or_default();
        self.machine.library.set_plan(None)?; // otherwise the previous case's plan would rule out candidates
        let mut todo = sensible(&case, candidates(self.machine.library, &case).map_err(Failure::other)?);
        todo.retain(|c| done.iter().all(|d| d.plan != c.plan));
        if todo.is_empty() {
            return Ok(0);
        }
        let source = Source { input: Input::UNIFORM, seed: 1, bytes: 4 << 20 };
        let operands = Operands::new(self.machine, case, source)?;
        let mut best = done.iter().map(|d| d.ms).fold(f64::INFINITY, f64::min);
        let mut checks = vec![];
        for Candidate { plan, .. } in todo {
            self.machine.library.set_plan(Some(&plan))?;
            let timing = self.time(&operands, HOPELESS * best);
            let Timing { ms, repeats } = match timing {
                Ok(timing) => timing,
                Err(Failure::NotSupported) => continue,
                Err(failure) => return Err(failure),
            };
            best = best.min(ms);
            let check = match case.shape.m * case.shape.n * case.k() <= CHECKED && repeats > 1 {
                true => Some(std::thread::spawn(accuracy::sample(&operands, Some(1))?)),
                false => None,
            };
            checks.push((Record { case, plan, ms, repeats }, check));
        }
        let count = checks.len();
        for (record, check) in checks {
            let ratios = check.map(|c| c.join().map_err(|_| Failure::other("a check panicked".into()))).transpose()?;
            match ratios.map(|r| [r.residual, r.orthogonality]) {
                Some(r) if !report::within_threshold(&case, r) => {
                    self.wrong.push(format!("{case}: {} is wrong: {r:?}", record.plan))
                }
                _ => self.out.row(&record).map_err(|e| Failure::other(format!("the result file: {e}")))?,
            }
        }
        Ok(count)
    }

    fn time(&self, operands: &Operands<'_>, hopeless: f64) -> Result<Timing, Failure> {
        let call = Contender::Tephra.ready(operands)?;
        Protocol::quick(0.3).measure_below(hopeless, || {
            operands.restore()?;
            self.machine.time(&call)
        })
    }
}
