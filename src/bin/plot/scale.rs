//! Logarithmic axes: the mapping of data to pixels, and the positions of ticks.

/// Maps `low..high` (both > 0) to pixels, logarithmically. `from > to` flips the axis.
#[derive(Clone, Copy, Debug)]
pub struct LogScale {
    pub low: f64,
    pub high: f64,
    pub from: f64,
    pub to: f64,
}

impl LogScale {
    pub fn pixel(&self, value: f64) -> f64 {
        let t = (value / self.low).ln() / (self.high / self.low).ln();
        self.from + t * (self.to - self.from)
    }

    /// Powers of ten within the range, and 2 and 5 times them if it spans fewer than three decades.
    pub fn decimal_ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high / self.low < 1e3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        let all = decades.flat_map(|e| steps.iter().map(move |s| s * 10f64.powi(e)));
        all.filter(|&v| v >= self.low * 0.9999 && v <= self.high * 1.0001).collect()
    }

    /// Powers of two within the range.
    pub fn binary_ticks(&self) -> Vec<f64> {
        let powers = self.low.log2().ceil() as i32..=self.high.log2().floor() as i32;
        powers.map(|e| 2f64.powi(e)).collect()
    }
}

/// The range of the values, widened to 1, 2 or 5 times powers of ten.
pub fn round_range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let values: Vec<f64> = values.filter(|v| *v > 0.0 && v.is_finite()).collect();
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    let (low, high) = (round_down(low), 1.0 / round_down(1.0 / high));
    Some(if low < high { (low, high) } else { (low / 2.0, high * 2.0) })
}

/// The largest 1, 2 or 5 times a power of ten that does not exceed `v`.
fn round_down(v: f64) -> f64 {
    let decade = 10f64.powf(v.log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().find(|s| s * decade <= v * 1.000_001);
    step.unwrap_or(1.0) * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let wide = LogScale { low: 20.0, high: 50_000.0, from: 0.0, to: 1.0 };
        assert_eq!(wide.decimal_ticks(), [100.0, 1000.0, 10_000.0]);
        let narrow = LogScale { low: 0.5, high: 20.0, from: 0.0, to: 1.0 };
        assert_eq!(narrow.decimal_ticks(), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        let sizes = LogScale { low: 3.5, high: 1100.0, from: 0.0, to: 1.0 };
        assert_eq!(sizes.binary_ticks(), [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0]);
    }

    #[test]
    fn ranges_are_widened_to_round_numbers() {
        let (low, high) = round_range([67.0, 23_000.0].into_iter()).unwrap();
        assert!((low - 50.0).abs() < 1e-9 && (high - 50_000.0).abs() < 1e-6, "{low} {high}");
        assert!(round_range([f64::NAN, 0.0].into_iter()).is_none());
        let (low, high) = round_range([1.0].into_iter()).unwrap();
        assert!(low < 1.0 && high > 1.0, "a single value still has an axis");
    }

    #[test]
    fn pixels_follow_the_logarithm() {
        let s = LogScale { low: 1.0, high: 100.0, from: 200.0, to: 0.0 };
        assert!((s.pixel(10.0) - 100.0).abs() < 1e-9);
    }
}
