//! Statistics of a run.

use crate::case::{Case, Property};
use std::collections::BTreeMap;
use std::fmt;
use tephra_testkit::Dtype;
use tephra_testkit::library::symbol_name;
use tephra_testkit::routines;
use tephra_testkit::scalar::worst;

/// Counts of cases and calls, and the largest ratio of each routine.
#[derive(Default)]
pub struct Tally {
    /// By function: the number of valid calls, and of calls with a wrong argument.
    functions: BTreeMap<String, [usize; 2]>,
    ratios: BTreeMap<&'static str, f64>,
    /// The number of library calls, including queries and comparisons.
    made: usize,
}

impl Tally {
    pub fn add(&mut self, case: &Case, ratio: f64) {
        let symbol = symbol_name(case.entry().symbol(), case.sizes.dtype);
        let kind = matches!(case.property, Property::Wrong { .. }) as usize;
        self.functions.entry(symbol).or_default()[kind] += 1;
        let largest = self.ratios.entry(case.routine.name).or_default();
        *largest = worst(*largest, ratio);
    }

    pub fn merge(&mut self, other: Tally, made: usize) {
        for (symbol, counts) in other.functions {
            let sum = self.functions.entry(symbol).or_default();
            *sum = [sum[0] + counts[0], sum[1] + counts[1]];
        }
        for (name, ratio) in other.ratios {
            let largest = self.ratios.entry(name).or_default();
            *largest = worst(*largest, ratio);
        }
        self.made += made;
    }

    /// Functions of the table that were never called, or never with a wrong argument.
    pub fn missing(&self) -> Vec<String> {
        let entries = routines::all().flat_map(|routine| routine.entries.iter().map(|entry| (routine.dtypes, entry)));
        let of = |symbol| move |&dtype: &Dtype| symbol_name(symbol, dtype);
        let symbols = entries.flat_map(|(dtypes, entry)| dtypes.iter().map(of(entry.symbol())));
        symbols.filter(|s| self.functions.get(s).is_none_or(|counts| counts.contains(&0))).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} made of {} functions; largest ratios:", self.made, self.functions.len())?;
        self.ratios.iter().try_for_each(|(name, ratio)| write!(f, " {name} {ratio:.2}"))
    }
}
