//! Timed cases whose results are still being checked: the checks run on host threads while a device measures the next case.

use super::input::Input;
use super::protocol::Timing;
use crate::case::Case;
use crate::energy::Energy;
use std::thread::JoinHandle;
use std::time::Duration;
use tephra_testkit::ratios::Ratios;

/// A timed case.
pub struct Measured {
    pub case: Case,
    pub input: Input,
    pub plan: String,
    /// In the order of the contenders; None for a contender other than the library that failed.
    pub results: Vec<Option<Running>>,
}

/// A timing, and the check of its result, which may still be running.
pub struct Running {
    pub timing: Timing,
    /// If requested.
    pub energy: Option<Energy>,
    /// None if no matrix is checked.
    pub check: JoinHandle<Option<Ratios>>,
}

/// A timing with the outcome of its check.
#[derive(Clone, Copy)]
pub struct Checked {
    pub timing: Timing,
    pub energy: Option<Energy>,
    /// Residual and orthogonality, if any matrix was checked.
    pub ratios: Option<[f64; 2]>,
}

impl Measured {
    /// Whether all checks are done.
    pub fn is_settled(&self) -> bool {
        self.results.iter().flatten().all(|r| r.check.is_finished())
    }

    /// Waits for the checks.
    pub fn settle(&self) {
        while !self.is_settled() {
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// The finished results, in the order of the contenders; waits for the checks.
    pub fn join(self) -> Result<Vec<Option<Checked>>, String> {
        let case = self.case;
        let join = |Running { timing, energy, check }: Running| {
            let ratios = check.join().map_err(|_| format!("{case}: the check of the result panicked"))?;
            Ok(Checked { timing, energy, ratios: ratios.map(|r| [r.residual, r.orthogonality]) })
        };
        self.results.into_iter().map(|r| r.map(join).transpose()).collect()
    }
}
