//! Test ratios collected over a sweep.

use crate::ratios::Ratios;
use crate::scalar::worst;
use crate::sweep::report;

/// The ratios of a sweep: the worst one is reported, and every failure is listed.
#[derive(Default)]
pub struct Verdicts {
    worst: f64,
    count: usize,
    failures: Vec<String>,
}

impl Verdicts {
    /// Adds one ratio; NaN counts as a failure.
    pub fn add(&mut self, ratio: f64, what: impl FnOnce() -> String) {
        self.count += 1;
        if ratio.is_nan() || ratio >= Ratios::THRESHOLD {
            self.failures.push(format!("{}: ratio {ratio}", what()));
        } else {
            self.worst = worst(self.worst, ratio);
        }
    }

    /// Reports the worst ratio. Panics if any ratio failed or if fewer than `least` were added.
    pub fn close(self, name: &str, least: usize) {
        let failures = &self.failures;
        let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{name}: {} of {} failed:\n{shown}", failures.len(), self.count);
        assert!(self.count >= least, "{name}: only {} results were measured", self.count);
        report(format!("{name}: {} results, worst ratio {:.2}", self.count, self.worst));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_ratios_and_missing_ones_fail() {
        let closes = |ratios: &[f64]| {
            let mut verdicts = Verdicts::default();
            ratios.iter().for_each(|&ratio| verdicts.add(ratio, String::new));
            std::panic::catch_unwind(move || verdicts.close("test", 2)).is_ok()
        };
        assert!(closes(&[1.0, 29.0]));
        assert!(!closes(&[1.0, Ratios::THRESHOLD]) && !closes(&[1.0, f64::NAN]) && !closes(&[1.0]));
    }
}
