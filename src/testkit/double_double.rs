//! Sums of products in double-double arithmetic, twice double precision.

use crate::scalar::Field;

/// The exact sum of two doubles (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// A sum of doubles as an unevaluated sum of two doubles, the second of which collects rounding errors (Ogita, Rump and
/// Oishi, "Accurate sum and dot product", 2005).
#[derive(Clone, Copy, Default)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Adds a number.
    pub fn add(&mut self, x: f64) {
        let (high, low) = two_sum(self.high, x);
        self.high = high;
        self.low += low;
    }
    /// The sum rounded to a double.
    pub fn rounded(self) -> f64 {
        self.high + self.low
    }
    fn add_product(&mut self, a: f64, b: f64) {
        let p = a * b;
        self.add(p);
        self.low += a.mul_add(b, -p);
    }
    fn add_scaled(&mut self, a: f64, of: DoubleDouble) {
        self.add_product(a, of.high);
        self.low += a * of.low;
    }
}

/// A sum of products of complex numbers, by real and imaginary part.
#[derive(Clone, Copy, Default)]
pub struct ComplexSum {
    /// The real part.
    pub re: DoubleDouble,
    /// The imaginary part.
    pub im: DoubleDouble,
}

impl ComplexSum {
    /// Adds a * b.
    pub fn add_product<F: Field>(&mut self, a: F, b: F) {
        self.re.add_product(a.re(), b.re());
        if F::COMPLEX {
            self.re.add_product(-a.im(), b.im());
            self.im.add_product(a.re(), b.im());
            self.im.add_product(a.im(), b.re());
        }
    }
    /// Adds a * b, rounded to double precision, which is exact enough for factors that were in single precision.
    pub fn add_rounded_product<F: Field>(&mut self, a: F, b: F) {
        let product = a * b;
        self.re.high += product.re();
        self.im.high += product.im();
    }
    /// Adds a multiple of another sum.
    pub fn add_scaled<F: Field>(&mut self, a: F, of: ComplexSum) {
        self.re.add_scaled(a.re(), of.re);
        self.re.add_scaled(-a.im(), of.im);
        self.im.add_scaled(a.re(), of.im);
        self.im.add_scaled(a.im(), of.re);
    }
}
