//! The energy of a call, measured over repeated calls.
//!
//! A gauge that is updated twenty times a second cannot measure a call of a few microseconds. So calls are repeated for
//! a second while a thread reads the gauge, and the energy of a call is the mean power times its duration. Restoring
//! the input between calls is measured separately and subtracted.

mod nvml;
mod power;
mod rapl;

pub use nvml::Nvml;
use power::Reading;
pub use rapl::Rapl;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the readings of a gauge mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Millijoules since an arbitrary time.
    Counter,
    /// Milliwatts. Some devices report the mean over the last second.
    Power,
}

impl Kind {
    /// Its name in result files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Power => "power",
        }
    }
}

/// A source of readings that can be read while the device works.
pub trait Gauge: Sync {
    fn kind(&self) -> Kind;
    fn read(&self) -> Result<u64, String>;
}

impl<G: Gauge + ?Sized> Gauge for Box<G> {
    fn kind(&self) -> Kind {
        (**self).kind()
    }

    fn read(&self) -> Result<u64, String> {
        (**self).read()
    }
}

/// The load of repeated calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Mean power.
    pub watts: f64,
    /// Seconds per call.
    pub seconds: f64,
}

impl Load {
    /// Joules per call.
    pub fn joules(&self) -> f64 {
        self.watts * self.seconds
    }
}

/// A gauge, and how long it is read.
pub struct Meter<G> {
    gauge: G,
    /// Duration of the measured calls.
    window: Duration,
    /// Duration of the calls before those, until clocks and readings reflect the load.
    warm_up: Duration,
}

/// The time between two readings.
const PAUSE: Duration = Duration::from_millis(1);
/// Calls are issued for about this long between two waits: long compared with a wait, short compared with the window.
const CHUNK: Duration = Duration::from_millis(5);

impl<G: Gauge> Meter<G> {
    pub fn new(gauge: G) -> Self {
        // Readings of power may be means over a second.
        let warm_up = match gauge.kind() {
            Kind::Counter => 300,
            Kind::Power => 1200,
        };
        Meter { gauge, window: Duration::from_secs(1), warm_up: Duration::from_millis(warm_up) }
    }

    pub fn kind(&self) -> Kind {
        self.gauge.kind()
    }

    /// The power in watts while the device, or the processors, are idle.
    pub fn idle(&self) -> Result<f64, String> {
        let load = self.measure(|count| {
            std::thread::sleep(count as u32 * PAUSE);
            Ok(())
        });
        load.map(|load| load.watts)
    }

    /// Measures repeated calls; `run` issues the given number of calls and waits for them.
    pub fn measure<E: From<String>>(&self, mut run: impl FnMut(usize) -> Result<(), E>) -> Result<Load, E> {
        let mut chunk = 1;
        let begin = Instant::now();
        loop {
            let before = Instant::now();
            run(chunk)?;
            if before.elapsed() < CHUNK / 2 {
                chunk *= 2;
            }
            if begin.elapsed() >= self.warm_up {
                break;
            }
        }
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| self.readings(begin, &done));
            let timed = repeat(self.window, chunk, &mut run);
            done.store(true, Ordering::Release);
            let readings = reader.join().expect("reading a gauge does not panic")?;
            let (start, end, calls) = timed?;
            let [start, end] = [start, end].map(|t| t.duration_since(begin).as_secs_f64());
            let watts = power::mean(self.gauge.kind(), &readings, start, end);
            let watts =
                watts.ok_or_else(|| format!("the energy counter did not change twice in {:.2} s", end - start))?;
            Ok(Load { watts, seconds: (end - start) / calls as f64 })
        })
    }

    fn readings(&self, begin: Instant, done: &AtomicBool) -> Result<Vec<Reading>, String> {
        let mut readings = vec![];
        while !done.load(Ordering::Acquire) {
            let value = self.gauge.read()?;
            readings.push(Reading { at: begin.elapsed().as_secs_f64(), value });
            std::thread::sleep(PAUSE);
        }
        Ok(readings)
    }
}

/// Runs chunks of calls for at least `window`. Returns when they began and ended, and the number of calls.
fn repeat<E>(
    window: Duration,
    chunk: usize,
    run: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<(Instant, Instant, usize), E> {
    let (start, mut calls) = (Instant::now(), 0);
    loop {
        run(chunk)?;
        calls += chunk;
        if start.elapsed() >= window {
            return Ok((start, Instant::now(), calls));
        }
    }
}

/// The energy of a contender's calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Joules per call, without restoring its input.
    pub joules: f64,
    /// Mean power of the repeated calls, including the restoring.
    pub watts: f64,
    /// Share of restoring in the measured energy; near 1, `joules` is not reliable.
    pub restoring: f64,
}

impl Energy {
    /// Combines the load of calls that restore their input with that of restoring alone, if there is any.
    pub fn of(both: Load, restoring: Option<Load>) -> Energy {
        let (all, off) = (both.joules(), restoring.map_or(0.0, |load| load.joules()));
        Energy { joules: all - off, watts: both.watts, restoring: off / all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// A gauge of a device that draws 100 W, and 200 W more during a call.
    struct Fake {
        kind: Kind,
        start: Instant,
        /// Seconds of finished work, and when the current work began.
        work: Mutex<(f64, Option<Instant>)>,
    }

    impl Fake {
        fn new(kind: Kind) -> Fake {
            Fake { kind, start: Instant::now(), work: Mutex::new((0.0, None)) }
        }

        fn work(&self, time: Duration) {
            self.work.lock().unwrap().1 = Some(Instant::now());
            std::thread::sleep(time);
            let (done, since) = &mut *self.work.lock().unwrap();
            *done += since.take().unwrap().elapsed().as_secs_f64();
        }
    }

    impl Gauge for &Fake {
        fn kind(&self) -> Kind {
            self.kind
        }

        fn read(&self) -> Result<u64, String> {
            let (done, since) = *self.work.lock().unwrap();
            Ok(match self.kind {
                Kind::Counter => {
                    let work = done + since.map_or(0.0, |t| t.elapsed().as_secs_f64());
                    (1e5 * self.start.elapsed().as_secs_f64() + 2e5 * work) as u64
                }
                Kind::Power => 100_000 + if since.is_some() { 200_000 } else { 0 },
            })
        }
    }

    fn meter(gauge: &Fake) -> Meter<&Fake> {
        Meter { gauge, window: Duration::from_millis(150), warm_up: Duration::from_millis(20) }
    }

    #[test]
    fn a_call_costs_its_power_over_its_time() {
        for kind in [Kind::Counter, Kind::Power] {
            let fake = Fake::new(kind);
            let meter = meter(&fake);
            // A busy machine may delay a thread between a reading and its timestamp; the tolerance still separates 100,
            // 200 and 300 W.
            assert!((meter.idle().unwrap() - 100.0).abs() < 40.0, "{kind:?}");
            let mut most = 0;
            let load = meter.measure(|count| {
                most = most.max(count);
                fake.work(count as u32 * Duration::from_millis(1));
                Ok::<_, String>(())
            });
            let load = load.unwrap();
            assert!((load.watts - 300.0).abs() < 80.0, "{kind:?}: {load:?}");
            assert!(load.seconds >= 0.001 && most > 1, "{kind:?}: {load:?}");
        }
    }

    #[test]
    fn restoring_is_taken_off() {
        let load = |watts, seconds| Load { watts, seconds };
        let energy = Energy::of(load(300.0, 0.004), Some(load(100.0, 0.003)));
        assert!((energy.joules - 0.9).abs() < 1e-12 && (energy.restoring - 0.25).abs() < 1e-12);
        assert_eq!(Energy::of(load(300.0, 0.004), None).restoring, 0.0);
    }

    struct Broken;

    impl Gauge for Broken {
        fn kind(&self) -> Kind {
            Kind::Counter
        }

        fn read(&self) -> Result<u64, String> {
            Err("no permission".into())
        }
    }

    #[test]
    fn errors_come_through() {
        let short = Duration::from_millis(5);
        assert_eq!(Meter { gauge: Broken, window: short, warm_up: short }.idle(), Err("no permission".into()));
        let fake = Fake::new(Kind::Counter);
        assert_eq!(meter(&fake).measure(|_| Err("a call".to_owned())), Err("a call".into()));
    }
}
