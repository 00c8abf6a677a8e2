//! How often a call is timed, and how its time is determined.

use std::time::{Duration, Instant};

/// A first call that takes this long is taken as the measurement.
const SLOW: Duration = Duration::from_secs(1);

/// When timing a case stops.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// Calls before the first timed one.
    pub warm_ups: usize,
    /// Timed calls, if the budget allows.
    pub at_least: usize,
    /// Short calls are repeated until they add up to this much...
    pub until_ms: f64,
    /// ...or have been timed this often.
    pub at_most: usize,
    /// Wall time for the whole case. A slow call gets fewer repeats, but at least one after a warm-up, because the
    /// first call may also load code, unless the warm-up took [`SLOW`]. A budget of zero allows one call.
    pub budget: Duration,
}

impl Protocol {
    /// Two warm-ups and at least five timed calls; short calls are repeated for 30 ms or 50 times.
    pub fn standard(budget_seconds: f64) -> Self {
        let budget = Duration::try_from_secs_f64(budget_seconds.max(0.0)).unwrap_or(Duration::MAX);
        Protocol { warm_ups: 2, at_least: 5, until_ms: 30.0, at_most: 50, budget }
    }

    /// For sweeps over many cases: one warm-up and at least three timed calls; short calls are repeated for 2 ms or 15
    /// times.
    pub fn quick(budget_seconds: f64) -> Self {
        Protocol { warm_ups: 1, at_least: 3, until_ms: 2.0, at_most: 15, ..Self::standard(budget_seconds) }
    }
}

/// The outcome of [`Protocol::measure`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Median over the repeats.
    pub ms: f64,
    /// Number of timed calls.
    pub repeats: usize,
}

impl Protocol {
    /// Repeats `call`, which restores its input, untimed, runs once and returns the milliseconds of the run.
    pub fn measure<E>(&self, call: impl FnMut() -> Result<f64, E>) -> Result<Timing, E> {
        self.measure_below(f64::INFINITY, call)
    }

    /// [`Protocol::measure`], which stops after the first timed call if that takes more than `hopeless` ms.
    pub fn measure_below<E>(&self, hopeless: f64, mut call: impl FnMut() -> Result<f64, E>) -> Result<Timing, E> {
        let start = Instant::now();
        let mut slowest = Duration::ZERO;
        // Whether another call is likely to end within the budget.
        let fits = |slowest: Duration| start.elapsed().saturating_add(slowest) <= self.budget;
        let mut timed = |slowest: &mut Duration| {
            let before = Instant::now();
            let ms = call();
            *slowest = before.elapsed().max(*slowest);
            ms
        };
        for _ in 0..self.warm_ups {
            let ms = timed(&mut slowest)?;
            if self.budget.is_zero() || (!fits(Duration::ZERO) && slowest >= SLOW) {
                return Ok(Timing { ms, repeats: 1 });
            }
            if !fits(2 * slowest) {
                break;
            }
        }
        let (mut times, mut total) = (Vec::new(), 0.0);
        while times.is_empty() || (times.len() < self.at_most && fits(slowest)) {
            let ms = timed(&mut slowest)?;
            times.push(ms);
            total += ms;
            if (times.len() >= self.at_least && total >= self.until_ms) || times[0] > hopeless {
                break;
            }
        }
        Ok(Timing { ms: median(&mut times), repeats: times.len() })
    }
}

/// The median; for an even count, the mean of the two middle values. The input must not be empty.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(protocol: Protocol, sleep: Duration, ms: impl Fn(usize) -> f64) -> (Timing, usize) {
        let mut calls = 0;
        let timing = protocol
            .measure(|| {
                calls += 1;
                std::thread::sleep(sleep);
                Ok::<_, ()>(ms(calls))
            })
            .unwrap();
        (timing, calls)
    }

    #[test]
    fn long_calls_are_timed_five_times_after_two_warm_ups() {
        let (timing, calls) = run(Protocol::standard(60.0), Duration::ZERO, |i| 100.0 + i as f64);
        assert_eq!((timing.repeats, calls), (5, 7));
        assert_eq!(timing.ms, 105.0, "the median of calls 3 to 7: warm-ups do not count");
    }

    #[test]
    fn short_calls_are_repeated_until_they_add_up() {
        assert_eq!(run(Protocol::standard(60.0), Duration::ZERO, |_| 1.0).0.repeats, 30);
        assert_eq!(run(Protocol::standard(60.0), Duration::ZERO, |_| 0.001).0.repeats, 50);
    }

    #[test]
    fn slow_calls_stay_near_the_budget() {
        let (timing, calls) = run(Protocol::standard(0.2), Duration::from_millis(50), |_| 50.0);
        assert!((1..=2).contains(&timing.repeats) && calls <= 4, "{timing:?} after {calls} calls");
        let first_loads = |i: usize| if i == 1 { 60.0 } else { 30.0 };
        let (timing, calls) = run(Protocol::standard(0.01), Duration::from_millis(30), first_loads);
        assert_eq!((timing, calls), (Timing { ms: 30.0, repeats: 1 }, 2), "never the first call alone");
        assert_eq!(run(Protocol::standard(0.0), Duration::ZERO, |_| 1.0).1, 1, "no budget, one call");
        assert_eq!(run(Protocol::standard(0.1), SLOW, |_| 1000.0).1, 1, "a very slow call is its own measurement");
    }

    #[test]
    fn what_is_hopeless_is_timed_once() {
        let mut calls = 0;
        let timing = Protocol::standard(60.0).measure_below(10.0, || {
            calls += 1;
            Ok::<_, ()>(if calls <= 2 { 1.0 } else { 11.0 })
        });
        assert_eq!((timing, calls), (Ok(Timing { ms: 11.0, repeats: 1 }), 3));
    }

    #[test]
    fn errors_come_through() {
        assert_eq!(Protocol::standard(1.0).measure(|| Err::<f64, _>("no")), Err("no"));
    }

    #[test]
    fn medians() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
