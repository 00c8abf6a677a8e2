//! Reports the progress of compiling the kernels, and remembers how long each unit took. Part of build.rs.
//!
//! cargo hides the output of a build script. The progress is therefore written to the file descriptor given by
//! `TEPHRA_PROGRESS_FD`, which cargo passes on (`scripts/compile.sh` sets it to its standard error), or otherwise to the
//! terminal that cargo itself writes to. A terminal shows one line that is updated in place; anything else gets a new
//! line every half minute.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{IsTerminal, Write as _};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Amount of work, in seconds of one core, whose measured pace has the same weight as the initial estimate.
const FIRST_GUESS: f64 = 20.0;
const ON_TERMINAL: Duration = Duration::from_secs(1);
const IN_LOG: Duration = Duration::from_secs(30);

/// A unit to compile.
pub struct Work<'a> {
    pub name: &'a str,
    pub kernels: usize,
    /// Expected time in seconds on one core.
    pub seconds: f64,
}

struct State {
    kernels: usize,
    /// Sum of the expected times of the finished units.
    seconds: f64,
    /// The units being compiled, and when each was started.
    running: Vec<(usize, Instant)>,
    over: bool,
}

pub struct Progress<'a> {
    work: Vec<Work<'a>>,
    /// Number of units compiled in parallel.
    workers: usize,
    start: Instant,
    state: Mutex<State>,
    ended: Condvar,
}

impl<'a> Progress<'a> {
    pub fn new(work: Vec<Work<'a>>, workers: usize) -> Self {
        let state = State { kernels: 0, seconds: 0.0, running: vec![], over: false };
        Progress { work, workers, start: Instant::now(), state: Mutex::new(state), ended: Condvar::new() }
    }

    /// Compiles one unit by calling `f`. Also returns how many seconds it took.
    pub fn during<T>(&self, unit: usize, f: impl FnOnce() -> T) -> (T, f64) {
        let begun = Instant::now();
        self.lock().running.push((unit, begun));
        let result = f();
        let mut state = self.lock();
        state.running.retain(|(other, _)| *other != unit);
        state.kernels += self.work[unit].kernels;
        state.seconds += self.work[unit].seconds;
        (result, begun.elapsed().as_secs_f64())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the progress repeatedly until [`Progress::end`]. Runs on its own thread.
    pub fn show(&self) {
        let Some(mut to) = target() else { return };
        let terminal = to.is_terminal();
        let mut state = self.lock();
        while !state.over {
            let line = self.line(&state);
            // The terminal may be closed before the build ends, so errors are ignored.
            let _ = if terminal { write!(to, "\r\x1b[K{line}") } else { writeln!(to, "{line}") };
            let wait = if terminal { ON_TERMINAL } else { IN_LOG };
            let until = Instant::now() + wait;
            while let Some(left) = until.checked_duration_since(Instant::now()).filter(|_| !state.over) {
                state = self.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        let _ = if terminal { write!(to, "\r\x1b[K") } else { Ok(()) };
        let minutes = self.start.elapsed().as_secs_f64() / 60.0;
        let _ = writeln!(to, "kernels: {} compiled in {minutes:.1} min", state.kernels);
    }

    pub fn end(&self) {
        self.lock().over = true;
        self.ended.notify_all();
    }

    fn line(&self, state: &State) -> String {
        let all: usize = self.work.iter().map(|work| work.kernels).sum();
        let mut line = format!("kernels: {} of {all} compiled", state.kernels);
        if let Some((unit, _)) = state.running.iter().max_by_key(|(_, since)| *since) {
            write!(line, ", now {}", self.work[*unit].name).unwrap();
        }
        let running =
            state.running.iter().map(|(unit, since)| since.elapsed().as_secs_f64().min(self.work[*unit].seconds));
        let done = state.seconds + running.sum::<f64>();
        let whole: f64 = self.work.iter().map(|work| work.seconds).sum();
        let left = left(done, whole, self.start.elapsed().as_secs_f64(), self.workers as f64);
        match (left / 60.0).ceil() {
            minutes if minutes <= 1.0 => line.push_str(", less than a minute left"),
            minutes => write!(line, ", about {minutes} min left").unwrap(),
        }
        line
    }
}

/// Estimated seconds left for `whole` seconds of work, of which `done` took `elapsed` seconds.
fn left(done: f64, whole: f64, elapsed: f64, workers: f64) -> f64 {
    (whole - done).max(0.0) * (elapsed + FIRST_GUESS / workers) / (done + FIRST_GUESS)
}

#[cfg(target_os = "linux")]
fn target() -> Option<File> {
    use std::os::fd::FromRawFd;
    let of_make = std::env::var("TEPHRA_PROGRESS_FD").ok().and_then(|text| text.parse().ok());
    if let Some(number) =
        of_make.filter(|number: &i32| std::fs::exists(format!("/proc/self/fd/{number}")).unwrap_or(false))
    {
        // SAFETY: the descriptor is open, and was passed to this process for this purpose only.
        return Some(unsafe { File::from_raw_fd(number) });
    }
    let of_cargo = format!("/proc/{}/fd/2", std::os::unix::process::parent_id());
    File::options().write(true).open(of_cargo).ok().filter(File::is_terminal)
}
#[cfg(not(target_os = "linux"))]
fn target() -> Option<File> {
    None
}

/// How long units took when they were last compiled, as lines `NAME SECONDS`.
pub struct Times(BTreeMap<String, f64>);

impl Times {
    pub fn read(text: &str) -> Times {
        let line =
            |line: &str| line.split_once(' ').and_then(|(name, time)| Some((name.to_owned(), time.parse().ok()?)));
        Times(text.lines().filter_map(line).collect())
    }

    /// The last time of a unit, or `guess` if it was never compiled.
    pub fn expected(&self, name: &str, guess: f64) -> f64 {
        self.0.get(name).copied().unwrap_or(guess)
    }

    pub fn take(&mut self, name: &str, seconds: f64) {
        self.0.insert(name.to_owned(), seconds);
    }

    pub fn text(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, (name, seconds)| {
            writeln!(text, "{name} {seconds:.1}").unwrap();
            text
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace() {
        // At first as expected: half the work on each of two cores.
        assert_eq!(left(0.0, 600.0, 0.0, 2.0), 300.0);
        // At a third of the expected pace.
        assert!((left(300.0, 600.0, 450.0, 2.0) - 431.25).abs() < 1e-9);
        assert_eq!(left(600.0, 600.0, 900.0, 2.0), 0.0);
    }

    #[test]
    fn a_line_names_what_is_at_work() {
        let work = |name, kernels, seconds| Work { name, kernels, seconds };
        let progress = Progress::new(vec![work("geqrf_s", 5, 90.0), work("trsm_z", 7, 400.0)], 1);
        let (line, seconds) = progress.during(0, || progress.line(&progress.lock()));
        assert_eq!(line, "kernels: 0 of 12 compiled, now geqrf_s, about 9 min left");
        assert!(seconds < 60.0);
        let (line, _) = progress.during(1, || progress.line(&progress.lock()));
        assert!(line.starts_with("kernels: 5 of 12 compiled, now trsm_z, "), "{line}");
        assert_eq!(progress.line(&progress.lock()), "kernels: 12 of 12 compiled, less than a minute left");
    }

    #[test]
    fn times_are_read_as_they_were_written() {
        let mut times = Times::read("a_s 3.5\ndamaged\nb x\n");
        times.take("c_z", 12.34);
        assert_eq!(times.text(), "a_s 3.5\nc_z 12.3\n");
        assert_eq!((times.expected("c_z", 1.0), times.expected("b", 1.0)), (12.34, 1.0));
    }
}
