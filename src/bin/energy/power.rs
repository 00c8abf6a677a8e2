//! Computes the mean power between two times from readings of a gauge.

use super::Kind;

/// A reading of a gauge, and its time in seconds from an arbitrary start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    pub at: f64,
    /// Millijoules for a counter, else milliwatts.
    pub value: u64,
}

/// The mean power in watts from `start` to `end`; `None` if there are too few readings.
pub fn mean(kind: Kind, readings: &[Reading], start: f64, end: f64) -> Option<f64> {
    let inside: Vec<Reading> = readings.iter().copied().filter(|r| (start..=end).contains(&r.at)).collect();
    match kind {
        Kind::Counter => of_counter(&inside),
        Kind::Power => of_power(&inside),
    }
}

/// A counter does not change between its updates, so the mean is taken from the first update to the last, whose times
/// are known to within one reading.
fn of_counter(readings: &[Reading]) -> Option<f64> {
    let mut updates = readings.windows(2).filter(|pair| pair[1].value != pair[0].value).map(|pair| pair[1]);
    let (first, last) = (updates.next()?, updates.next_back()?);
    let millijoules = last.value.checked_sub(first.value)?;
    Some(millijoules as f64 * 1e-3 / (last.at - first.at))
}

fn of_power(readings: &[Reading]) -> Option<f64> {
    let sum: f64 = readings.iter().map(|r| r.value as f64).sum();
    (!readings.is_empty()).then(|| sum * 1e-3 / readings.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readings, every `step` seconds, of a counter that is updated every `update` seconds. The device draws 80 W, and
    /// 400 W between `start` and `end`.
    fn readings(step: f64, update: f64, start: f64, end: f64) -> Vec<Reading> {
        let millijoules = |t: f64| 1e9 + 80e3 * t + 320e3 * (t.clamp(start, end) - start);
        let at = |i: usize| {
            let at = i as f64 * step;
            Reading { at, value: millijoules((at / update).floor() * update) as u64 }
        };
        (0..(3.0 / step) as usize).map(at).collect()
    }

    #[test]
    fn a_counter_is_read_where_it_changes() {
        for update in [0.020, 0.0337, 0.1] {
            let all = readings(0.001, update, 1.0, 2.0);
            let watts = mean(Kind::Counter, &all, 1.2, 2.0).unwrap();
            assert!((watts / 400.0 - 1.0).abs() < 0.005, "{update}: {watts}");
            let idle = mean(Kind::Counter, &all, 0.0, 1.0).unwrap();
            assert!((idle / 80.0 - 1.0).abs() < 0.005, "{update}: {idle}");
        }
    }

    /// Dividing the counter's increase over the loop by the loop's duration would be wrong by up to one update.
    #[test]
    fn the_edges_of_the_loop_are_not_those_of_the_counter() {
        let all = readings(0.001, 0.1, 1.0, 2.0);
        let plain = |from: f64, to: f64| {
            let at = |t: f64| all.iter().rev().find(|r| r.at <= t).unwrap().value as f64;
            (at(to) - at(from)) * 1e-3 / (to - from)
        };
        assert!((plain(1.29, 1.91) / 400.0 - 1.0).abs() > 0.05);
        let edges = mean(Kind::Counter, &all, 1.29, 1.91).unwrap();
        assert!((edges / 400.0 - 1.0).abs() < 0.01, "{edges}");
    }

    #[test]
    fn too_few_updates_say_nothing() {
        let all = readings(0.001, 0.1, 1.0, 2.0);
        assert_eq!(mean(Kind::Counter, &all, 1.01, 1.09), None, "no update");
        assert_eq!(mean(Kind::Counter, &all, 1.05, 1.15), None, "one update");
        assert!(mean(Kind::Counter, &all, 1.05, 1.25).is_some());
        assert_eq!(mean(Kind::Power, &all, 5.0, 6.0), None);
        let back = [3, 2, 1].map(|value| Reading { at: 1.0 / value as f64, value });
        assert_eq!(mean(Kind::Counter, &back, 0.0, 2.0), None, "a counter that goes back");
    }

    #[test]
    fn samples_of_power_are_averaged() {
        let samples = [100, 300, 500, 900].map(|w: u64| Reading { at: w as f64, value: 1000 * w });
        assert_eq!(mean(Kind::Power, &samples, 100.0, 500.0), Some(300.0));
    }
}
