//! What the tests of the operations share.

use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::{Form, Output};
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::{Field, same_bits, worst};
use tephra_testkit::sweep::report;
use tephra_testkit::{Matrix, Scalar};

/// Members of the batches of sweeps: more than one, and not a power of two.
pub const BATCH: usize = 3;

/// Where the operands of a form lie: pointer arrays take any order.
pub fn place(form: Form, seed: usize) -> Placement {
    if form == Form::Strided { Placement::guarded() } else { Placement::shuffled(seed as u64) }
}

/// Ratios of a sweep, gathered: the worst is reported, every failure shown.
#[derive(Default)]
pub struct Verdicts {
    worst: f64,
    count: usize,
    failures: Vec<String>,
}

impl Verdicts {
    /// Adds one ratio; NaN fails.
    pub fn add(&mut self, ratio: f64, what: impl FnOnce() -> String) {
        self.count += 1;
        if ratio.is_nan() || ratio >= Ratios::THRESHOLD {
            self.failures.push(format!("{}: ratio {ratio}", what()));
        } else {
            self.worst = worst(self.worst, ratio);
        }
    }

    /// Reports, and panics if anything failed or fewer than `least` ratios were measured.
    pub fn close(self, name: &str, least: usize) {
        let failures = &self.failures;
        let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{name}: {} of {} failed:\n{shown}", failures.len(), self.count);
        assert!(self.count >= least, "{name}: only {} results were measured", self.count);
        report(format!("{name}: {} results, worst ratio {:.2}", self.count, self.worst));
    }
}

/// Whether two members are the same to the last bit.
pub fn same<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> bool {
    same_bits(a.data(), b.data())
}

/// Every written operand of member `bad` is expected to differ somewhere, in a way that shows (not finite); the other
/// members are the same bits as in the clean run.
pub fn assert_isolated<T: Scalar>(what: &str, bad: usize, clean: &Output<T>, dirty: &Output<T>) {
    let mut hidden = true;
    for (clean, dirty) in clean.operands.iter().zip(&dirty.operands) {
        for (i, (clean, dirty)) in clean.iter().zip(dirty).enumerate() {
            if i == bad {
                hidden &= dirty.is_finite();
            } else {
                assert!(same(clean, dirty), "{what}: neighbour {i} changed");
            }
        }
    }
    assert!(!hidden, "{what}: the result hides it");
    for (i, (clean, dirty)) in clean.info.iter().zip(&dirty.info).enumerate() {
        assert!(i == bad || clean == dirty, "{what}: the code of neighbour {i} changed");
    }
}

/// A copy with one element replaced.
pub fn with<T: Scalar>(a: &Matrix<T>, at: (usize, usize), value: f64) -> Matrix<T> {
    let mut a = a.clone();
    a[at] = T::narrow(<T as Scalar>::Wide::real(value));
    a
}

/// x * 2^e for every element.
pub fn scaled<T: Scalar>(a: &Matrix<T>, e: i32) -> Matrix<T> {
    a.map(|x| T::narrow(x.wide().ldexp(e)))
}

/// A power of two whose square is far out of the range of the type, while it and products with numbers near 1 are not.
pub fn extreme<T: Scalar>() -> i32 {
    if T::DTYPE.is_double() { 700 } else { 90 }
}
