//! Calls of the routines whose rows contain everything this needs (src/testkit/routines/): their native functions, with
//! separate operands and with leading dimensions that do and do not equal the number of rows.

use crate::cases::{Grid, INFO, STREAM, WORK, WORK_BYTES, device, one};
use tephra_testkit::Rng;
use tephra_testkit::routines;
use tephra_testkit::routines::routine::{Entry, Interface, Operand, Routine, Sizes};
use tephra_testkit::signatures::is_by_value;

impl Grid {
    /// Adds calls on matrices of these sizes, in batches of these sizes.
    pub fn rows(&mut self, sizes: &[u64], batches: &[u64]) {
        let dtype = self.dtype;
        for routine in routines::all().filter(|r| r.launches && r.dtypes.contains(&dtype)) {
            for &m in sizes {
                for &n in sizes {
                    for &batch in batches {
                        let drawn = self.sizes(routine, [m, n, batch]);
                        let native = |entry: &&Entry| entry.interface() == Interface::Native;
                        for entry in routine.entries.iter().filter(native) {
                            self.row(routine, entry, &drawn);
                        }
                    }
                }
            }
        }
    }

    fn sizes(&self, routine: &Routine, [m, n, batch]: [u64; 3]) -> Sizes {
        let [trans, uplo] = [111 + (m + n) % 3, 121 + m % 2]; // CBLAS's numbers
        let values = [("m", m), ("n", n), ("k", m.min(n)), ("nrhs", 1 + m % 3), ("trans", trans), ("uplo", uplo)];
        let values = values.into_iter().chain([("batch", batch)]);
        let values = values.map(|(word, value)| (word, value as i64)).collect();
        let mut sizes = Sizes { dtype: self.dtype, values, scalars: [(1.0, 0.0); 2] };
        (routine.draw)(&mut sizes, &mut Rng::new(m * 1000 + n));
        (routine.limit)(&mut sizes);
        sizes
    }

    fn row(&mut self, routine: &Routine, entry: &'static Entry, sizes: &Sizes) {
        let operands = (routine.operands)(sizes);
        let padding = if entry.has("stride_a") { 3 } else { 0 };
        let word = |word: &str| match word {
            "info" => INFO,
            "null" => 0,
            "work" => WORK,
            "work_bytes" => WORK_BYTES,
            "stream" => STREAM,
            "alpha" | "beta" => one(self.dtype),
            word => operands
                .iter()
                .enumerate()
                .find_map(|(place, operand)| of_operand(operand, place, padding, word))
                .or_else(|| sizes.find(word).map(|value| value as u64))
                .unwrap_or_else(|| of_absent(word)),
        };
        let arguments: Vec<u64> = entry.arguments().filter(|word| !is_by_value(word)).map(word).collect();
        self.call(entry.symbol(), &arguments);
    }
}

/// The argument for an operand that these sizes and flags do without.
fn of_absent(word: &str) -> u64 {
    let is_name = word.starts_with(char::is_uppercase);
    assert!(is_name || ["ld", "stride_"].iter().any(|prefix| word.starts_with(prefix)), "there is no {word}");
    word.starts_with("ld").into()
}

/// The argument that a word stands for, if it belongs to the operand.
fn of_operand(operand: &Operand, place: usize, padding: u64, word: &str) -> Option<u64> {
    let is = |prefix: &str| word.strip_prefix(prefix).is_some_and(|rest| rest == operand.name.to_lowercase());
    // Vectors have no leading dimension.
    let ld = operand.rows as u64 + if operand.cols > 1 || operand.name.len() == 1 { padding } else { 0 };
    match word {
        _ if word == operand.name => Some(device(place as u64 + 1)),
        _ if is("ld") || is("inc") => Some(ld.max(1)),
        _ if is("stride_") => Some((ld * operand.cols as u64).max(1)),
        _ => None,
    }
}
