//! From readings of a gauge to the mean power between two moments.

use super::Kind;

/// What a gauge said, and when: seconds from any start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    pub at: f64,
    /// Millijoules of a counter, else milliwatts.
    pub value: u64,
}

/// Mean power in watts of the readings from `start` to `end`; `None` where they are too few.
pub fn mean(kind: Kind, readings: &[Reading], start: f64, end: f64) -> Option<f64> {
    let inside: Vec<Reading> = readings.iter().copied().filter(|r| (start..=end).contains(&r.at)).collect();
    match kind {
        Kind::Counter => of_counter(&inside),
        Kind::Power => of_power(&inside),
    }
}

/// A counter stands still between its updates: from the first of these to the last one, which are seen within a reading.
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

    /// Readings each `step` seconds of a counter that is updated each `update` seconds, of a device that draws 80 W, and 400 W
    /// between `start` and `end`.
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

    /// To divide by the time of the loop what a counter gained over it would be off by up to an update.
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
