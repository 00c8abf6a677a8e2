//! The run over the cases: time each contender, check its result, write the rows.

use super::Failure;
use super::accuracy;
use super::contender::Contender;
use super::machine::Machine;
use super::operands::Operands;
use super::protocol::{Protocol, Timing};
use super::report::{self, Summary};
use crate::args::BenchArgs;
use crate::case::Case;
use crate::csv::{Row, Writer};
use crate::limits::Ceilings;
use crate::{Outcome, explain, info};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::path::Path;
use std::thread::JoinHandle;
use tephra_testkit::library::Backend;
use tephra_testkit::ratios::Ratios;

/// Runs the cases of the command line.
pub fn run(args: &BenchArgs) -> Outcome {
    let cases = args.cases()?;
    let machine = Machine::new().map_err(|e| e.to_string())?;
    let mut bench = Bench::new(args, &machine)?;
    let todo: Vec<Case> = cases.into_iter().filter(|c| bench.out.as_ref().is_none_or(|out| !out.has(c))).collect();
    bench.bar.set_length(todo.len() as u64);
    bench.say(&report::heading(bench.vendor_name()));
    for case in todo {
        bench.bar.set_message(case.to_string());
        match bench.measure(case) {
            Ok(measured) => bench.pending.push_back(measured),
            Err(failure) => {
                bench.flush(Wait::ForAll)?; // lines stay in the order of the cases
                bench.summary.fail();
                bench.say(&format!("{case}: {failure}"));
                bench.bar.inc(1);
            }
        }
        bench.flush(if machine.backend == Backend::Cpu { Wait::ForAll } else { Wait::Never })?;
    }
    bench.flush(Wait::ForAll)?;
    bench.bar.finish_and_clear();
    bench.say(&format!("\n{}", bench.summary.text(bench.vendor_name())));
    Ok(bench.summary.is_clean())
}

/// What the rows of a run have in common, and where they go.
struct Bench<'a> {
    args: &'a BenchArgs,
    machine: &'a Machine,
    ceilings: Option<Ceilings>,
    device: String,
    /// The library first, then what runs beside it.
    contenders: Vec<Contender>,
    versions: Vec<String>,
    out: Option<Writer>,
    table_on_stdout: bool,
    bar: ProgressBar,
    summary: Summary,
    pending: VecDeque<Measured>,
}

/// A timed case whose accuracy may still be under way on other threads.
struct Measured {
    case: Case,
    plan: String,
    /// In the order of the contenders.
    results: Vec<(Timing, JoinHandle<Ratios>)>,
}

enum Wait {
    Never,
    ForAll,
}

impl<'a> Bench<'a> {
    fn new(args: &'a BenchArgs, machine: &'a Machine) -> Result<Self, String> {
        let device = info::device_name(machine.backend)?;
        let known = Ceilings::of_device(&device).filter(|_| machine.backend == Backend::Cuda);
        let ceilings = match &args.ceilings {
            Some(text) => Some(Ceilings::parse(text, known)?),
            None => known,
        };
        let mut contenders = vec![Contender::Tephra];
        if !args.no_vendor {
            let (beside, note) = Contender::beside(machine);
            contenders.extend(beside);
            if let Some(note) = note {
                eprintln!("tephra: {note}");
            }
        }
        let open = |path: &Path| if args.append { Writer::append(path) } else { Writer::create(path) };
        let out =
            args.out.as_deref().map(|path| open(path).map_err(|e| format!("{}: {e}", path.display()))).transpose()?;
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} (about {eta} left) {msg}");
        Ok(Bench {
            args,
            machine,
            ceilings,
            device,
            versions: contenders.iter().map(|c| c.version(machine)).collect(),
            contenders,
            out,
            table_on_stdout: args.out.as_deref() != Some(Path::new("-")),
            bar: ProgressBar::new(0).with_style(style.map_err(|e| e.to_string())?),
            summary: Summary::default(),
            pending: VecDeque::new(),
        })
    }

    fn vendor_name(&self) -> &'static str {
        self.contenders.get(1).map_or("vendor", |c| c.name())
    }

    /// A line for people: on standard output, unless the rows go there.
    fn say(&self, line: &str) {
        self.bar.suspend(|| if self.table_on_stdout { println!("{line}") } else { eprintln!("{line}") });
    }

    /// Times all contenders on one batch and starts the check of their results.
    fn measure(&self, case: Case) -> Result<Measured, Failure> {
        let operands = Operands::new(self.machine, case, self.args.seed)?;
        let mut results = Vec::new();
        for (i, contender) in self.contenders.iter().enumerate() {
            let protocol = Protocol::standard(if i == 0 { self.args.budget } else { self.args.vendor_budget });
            contender.prepare();
            operands.poison()?;
            let timing = protocol.measure(|| {
                operands.restore()?;
                self.machine.time(|| contender.call(&operands))
            })?;
            let check = accuracy::sample(&operands, self.args.samples)?;
            results.push((timing, std::thread::spawn(check)));
            if self.machine.backend == Backend::Cpu {
                // The check would disturb the next contender's time: both use the host's cores.
                while !results[i].1.is_finished() {
                    std::thread::sleep(std::time::Duration::from_micros(200));
                }
            }
        }
        Ok(Measured { case, plan: explain::on_one_line(self.machine.library, &case), results })
    }

    /// Writes the rows of measured cases, in order, as far as their checks are done.
    fn flush(&mut self, wait: Wait) -> Result<(), String> {
        while let Some(first) = self.pending.front() {
            if matches!(wait, Wait::Never) && !first.results.iter().all(|(_, check)| check.is_finished()) {
                break;
            }
            let measured = self.pending.pop_front().expect("there is a first");
            self.finish(measured)?;
            self.bar.inc(1);
        }
        Ok(())
    }

    fn finish(&mut self, measured: Measured) -> Result<(), String> {
        let Measured { case, plan, results } = measured;
        let results: Vec<(Timing, [f64; 2])> = results
            .into_iter()
            .map(|(timing, check)| {
                let ratios = check.join().map_err(|_| format!("{case}: the check of the result panicked"))?;
                Ok((timing, [ratios.residual, ratios.orthogonality]))
            })
            .collect::<Result<_, String>>()?;
        // Of several beside it the fastest is the one to beat.
        let beside = results[1..].iter().min_by(|a, b| a.0.ms.total_cmp(&b.0.ms)).copied();
        for (i, (timing, ratios)) in results.into_iter().enumerate() {
            let ours = i == 0;
            let row = Row {
                library: self.contenders[i].name().into(),
                case,
                ms: timing.ms,
                repeats: timing.repeats,
                ceilings: self.ceilings,
                vendor_ms: beside.filter(|_| ours).map(|(t, _)| t.ms),
                ratios: Some(ratios),
                vendor_ratios: beside.filter(|_| ours).map(|(_, r)| r),
                input: "uniform".into(),
                backend: self.machine.backend.name().into(),
                device: self.device.clone(),
                version: self.versions[i].clone(),
                plan: if ours { plan.clone() } else { String::new() },
            };
            if ours {
                self.say(&report::line(&row));
                self.summary.add(&row);
            }
            if let Some(out) = &mut self.out {
                out.row(&row).map_err(|e| format!("the result file: {e}"))?;
            }
        }
        Ok(())
    }
}
