//! The run over the cases: time each contender, check its result, write the rows.

use super::accuracy;
use super::contender::{Contender, Ready};
use super::input::Input;
use super::machine::Machine;
use super::operands::{Operands, Source};
use super::pending::{Checked, Measured, Running};
use super::protocol::Protocol;
use super::relative::{self, Relative};
use super::report::{self, Summary};
use crate::args::BenchArgs;
use crate::case::Case;
use crate::csv::{EnergyUse, Key, Row, Times, Writer};
use crate::energy::{self, Energy, Load, Meter, Nvml, Rapl};
use crate::failure::Failure;
use crate::grid::Grid;
use crate::limits::Ceilings;
use crate::output::Outcome;
use crate::{explain, info};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::path::Path;
use tephra_testkit::library::Backend;

/// The most cases whose results are being checked while the device measures the next ones.
const MOST_PENDING: usize = 8;

/// Bytes of distinct matrices in a batch.
const DISTINCT_BYTES: usize = 64 << 20;
/// The same for sweeps over many cases.
const QUICK_DISTINCT_BYTES: usize = 4 << 20;

/// Runs the cases of the command line.
pub fn run(args: &BenchArgs) -> Outcome {
    let machine = Machine::new().map_err(|e| e.to_string())?;
    let cases = args.cases(match machine.backend {
        Backend::Cuda => Grid::Full,
        Backend::Cpu => Grid::Host,
    })?;
    let inputs = args.inputs()?;
    if cases.is_empty() && args.dtype.is_some() {
        let (what, rows) = ("nothing to time: a size is zero", args.out.as_deref() == Some(Path::new("-")));
        if rows {
            complain!("{what}")
        } else {
            say!("{what}")
        }
        return Ok(true);
    }
    let mut bench = Bench::new(args, &machine)?;
    let all = cases.into_iter().flat_map(|case| inputs.iter().map(move |input| (case, *input)));
    let todo: Vec<(Case, Input)> = all.filter(|(case, input)| bench.known(case, *input).is_none()).collect();
    bench.bar.set_length(todo.len() as u64);
    bench.say(&report::heading(bench.vendor_name(), bench.gauge.is_some()));
    for (case, input) in todo {
        bench.bar.set_message(case.to_string());
        match bench.measure(case, input) {
            Ok(measured) => bench.pending.push_back(measured),
            Err(failure) => {
                bench.flush(0)?; // lines stay in the order of the cases
                bench.summary.fail();
                bench.say(&format!("{case}: {failure}"));
                bench.bar.inc(1);
            }
        }
        bench.flush(MOST_PENDING)?;
    }
    bench.flush(0)?;
    bench.bar.finish_and_clear();
    bench.say(&format!("\n{}", bench.summary.text(bench.vendor_name())));
    Ok(bench.summary.is_clean())
}

/// The state of a run: what its rows have in common, and where they are written.
struct Bench<'a> {
    args: &'a BenchArgs,
    machine: &'a Machine,
    ceilings: Option<Ceilings>,
    device: String,
    /// The library first, then those it is compared with.
    contenders: Vec<Contender>,
    versions: Vec<String>,
    out: Option<Writer>,
    /// The library's times, of this run and of the file that it continues.
    times: Times,
    table_on_stdout: bool,
    bar: ProgressBar,
    summary: Summary,
    pending: VecDeque<Measured>,
    gauge: Option<Gauge>,
}

/// The energy meter, and the power of the idle device.
struct Gauge {
    meter: Meter<Box<dyn energy::Gauge>>,
    idle_watts: f64,
}

impl<'a> Bench<'a> {
    fn new(args: &'a BenchArgs, machine: &'a Machine) -> Result<Self, String> {
        let device = info::device_name(machine.backend)?;
        let known = Ceilings::of_device(&device).filter(|_| machine.backend == Backend::Cuda);
        let ceilings = match &args.ceilings {
            Some(text) => Some(Ceilings::parse(text, known)?),
            None => known,
        };
        let ours = if args.strided { Contender::TephraStrided } else { Contender::Tephra };
        let own_name = ours.name();
        let mut contenders = vec![ours];
        if !args.no_vendor && !args.grid.is_some_and(Grid::is_of_own_times) {
            let (beside, note) = Contender::other_libraries(machine);
            contenders.extend(beside);
            if let Some(note) = note {
                complain!("tephra: {note}");
            }
        }
        let gauge = args.energy.then(|| Gauge::new(machine)).transpose()?;
        let open = |path: &Path| match args.append {
            true => Writer::append(path, own_name, args.energy),
            false => Writer::create(path, args.energy).map(|out| (out, Times::new())),
        };
        let opened = args.out.as_deref().map(|path| open(path).map_err(|e| format!("{}: {e}", path.display())));
        let (out, times) = opened.transpose()?.unzip();
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} (about {eta} left) {msg}");
        Ok(Bench {
            args,
            machine,
            ceilings,
            device,
            versions: contenders.iter().map(|c| c.version(machine)).collect(),
            contenders,
            out,
            times: times.unwrap_or_default(),
            table_on_stdout: args.out.as_deref() != Some(Path::new("-")),
            bar: ProgressBar::new(0).with_style(style.map_err(|e| e.to_string())?),
            summary: Summary::default(),
            pending: VecDeque::new(),
            gauge,
        })
    }

    /// The time in milliseconds of a case that has already been measured.
    fn known(&self, case: &Case, input: Input) -> Option<f64> {
        self.times.get(&Key::new(case, &input.to_string())).copied()
    }

    fn vendor_name(&self) -> &'static str {
        self.contenders.get(1).map_or("vendor", Contender::title)
    }

    /// Prints a line for the user, on standard output unless the rows go there.
    fn say(&self, line: &str) {
        self.bar.suspend(|| if self.table_on_stdout { say!("{line}") } else { complain!("{line}") });
    }

    /// Times all contenders on one batch and starts the check of their results.
    fn measure(&self, case: Case, input: Input) -> Result<Measured, Failure> {
        let bytes = if self.is_quick() { QUICK_DISTINCT_BYTES } else { DISTINCT_BYTES };
        let source = Source { input, seed: self.args.seed, bytes };
        let operands = Operands::new(self.machine, case, source)?;
        let mut measured = Measured { case, input, plan: String::new(), results: Vec::new() };
        let restoring = self.gauge.as_ref().map(|gauge| gauge.restoring(&operands)).transpose()?.flatten();
        for (i, contender) in self.contenders.iter().enumerate() {
            if !contender.supports(&case) {
                measured.results.push(None);
                continue;
            }
            let budget = if i == 0 { self.args.budget } else { self.args.vendor_budget };
            match self.time(contender, &operands, budget, restoring) {
                Ok(running) => measured.results.push(Some(running)),
                Err(failure) if i == 0 => return Err(failure),
                Err(failure) => {
                    self.say(&format!("{case}: {} failed: {failure}", contender.name()));
                    measured.results.push(None);
                }
            }
            if self.machine.backend == Backend::Cpu {
                measured.settle(); // the check would disturb the next contender: both use the host's cores
            }
        }
        measured.plan = explain::on_one_line(self.machine.library, &case, self.args.strided);
        Ok(measured)
    }

    fn time(
        &self,
        contender: &Contender,
        operands: &Operands<'_>,
        budget: f64,
        restoring: Option<Load>,
    ) -> Result<Running, Failure> {
        let call = contender.ready(operands)?;
        operands.poison()?;
        let protocol = if self.is_quick() { Protocol::quick(budget) } else { Protocol::standard(budget) };
        let timing = protocol.measure(|| {
            operands.restore()?;
            self.machine.time(&call)
        })?;
        let samples = self.args.samples.or(self.args.grid.and_then(|grid| match grid {
            Grid::Steps => Some(accuracy::few(&operands.case)),
            Grid::Classes | Grid::Members => Some(accuracy::few(&operands.case).max(1)),
            _ => None,
        }));
        let check = accuracy::sample(operands, samples)?;
        let energy = self.gauge.as_ref().map(|gauge| gauge.energy(&call, operands, restoring)).transpose()?;
        Ok(Running { timing, energy, check: std::thread::spawn(move || (samples != Some(0)).then(check)) })
    }

    fn is_quick(&self) -> bool {
        self.args.grid.is_some_and(Grid::is_of_own_times)
    }

    /// Writes the rows of measured cases in order, as far as their checks are finished; waits until at most `most` are
    /// left.
    fn flush(&mut self, most: usize) -> Result<(), String> {
        while self.pending.len() > most || self.pending.front().is_some_and(Measured::is_settled) {
            let measured = self.pending.pop_front().expect("there is a first");
            self.finish(measured)?;
            self.bar.inc(1);
        }
        Ok(())
    }

    /// Writes the rows of one case: the library's, then the other contenders'.
    fn finish(&mut self, measured: Measured) -> Result<(), String> {
        let (case, input, plan) = (measured.case, measured.input, measured.plan.clone());
        let results = measured.join()?;
        // The library is compared with the fastest of the others.
        let beside = results[1..].iter().flatten().min_by(|a, b| a.timing.ms.total_cmp(&b.timing.ms)).copied();
        for (i, result) in results.into_iter().enumerate() {
            let Some(Checked { timing, energy, ratios }) = result else { continue };
            let ours = i == 0;
            if ours {
                self.times.insert(Key::new(&case, &input.to_string()), timing.ms);
            }
            let reference = relative::reference(self.args.grid, case, input).filter(|_| ours);
            let relative = reference
                .and_then(|r| Some((self.known(&r.case, r.input)? * r.work, r.bound)))
                .map(|(known, bound)| Relative { ratio: timing.ms / known, bound });
            let row = Row {
                library: self.contenders[i].name().into(),
                case,
                ms: timing.ms,
                repeats: timing.repeats,
                ceilings: self.ceilings,
                vendor_ms: beside.filter(|_| ours).map(|b| b.timing.ms),
                ratios,
                vendor_ratios: beside.filter(|_| ours).and_then(|b| b.ratios),
                input: input.to_string(),
                backend: self.machine.backend.name().into(),
                device: self.device.clone(),
                version: self.versions[i].clone(),
                relative,
                energy: energy.zip(self.gauge.as_ref()).map(|(own, gauge)| EnergyUse {
                    own,
                    vendor_joules: beside.filter(|_| ours).and_then(|b| b.energy).map(|e| e.joules),
                    idle_watts: gauge.idle_watts,
                    kind: gauge.meter.kind(),
                }),
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

impl Gauge {
    fn new(machine: &Machine) -> Result<Gauge, String> {
        let gauge: Box<dyn energy::Gauge> = match machine.backend {
            Backend::Cpu => Box::new(Rapl::of_machine()?),
            Backend::Cuda => Box::new(Nvml::of_device()?),
        };
        let meter = Meter::new(gauge);
        Ok(Gauge { idle_watts: meter.idle()?, meter })
    }

    /// Measures the restoring of inputs between calls alone; None if calls overwrite no input.
    fn restoring(&self, operands: &Operands<'_>) -> Result<Option<Load>, Failure> {
        let needed = operands.is_overwritten();
        needed.then(|| self.load(operands, || operands.refresh())).transpose()
    }

    /// Measures the energy of a contender's call.
    fn energy(&self, call: &Ready<'_>, operands: &Operands<'_>, restoring: Option<Load>) -> Result<Energy, Failure> {
        let both = self.load(operands, || operands.refresh().and_then(|()| call()))?;
        Ok(Energy::of(both, restoring))
    }

    fn load(&self, operands: &Operands<'_>, each: impl Fn() -> Result<(), Failure>) -> Result<Load, Failure> {
        self.meter.measure(|count| {
            (0..count).try_for_each(|_| each())?;
            Ok(operands.machine.stream.synchronize()?)
        })
    }
}
