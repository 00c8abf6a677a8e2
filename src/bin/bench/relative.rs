//! Compares times with reference times of the same run: of one column fewer, of ordinary data, or of members of one
//! size. A jump in time reveals a flaw in the plan or in a kernel, however fast it is compared with another library.

use super::input::Input;
use crate::case::{Case, Shape};
use crate::cases::as_much;
use crate::csv::Row;
use crate::grid::Grid;
use crate::limits::flops;
use tephra_testkit::matrices::Class;

/// The reference that a case's time is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    pub case: Case,
    pub input: Input,
    /// The ratio of the times should not exceed this.
    pub bound: f64,
    /// A factor for the reference's time that corrects for a different number of operations.
    pub work: f64,
}

/// A time over that of its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    pub ratio: f64,
    pub bound: f64,
}

impl Relative {
    pub fn is_beyond(&self) -> bool {
        self.ratio > self.bound
    }
}

/// The bound for one more row or column.
const STEP: f64 = 1.5;
/// The bound for members with individual sizes.
const OWN_SIZES: f64 = 1.5;
/// The bound for another class of ordinary numbers.
const ORDINARY: f64 = 1.3;
/// The bound for one matrix in a hundred with elements whose squares overflow or underflow.
const FEW_EXTREME: f64 = 2.0;
/// The bound for a batch of such matrices.
const ALL_EXTREME: f64 = 6.0;

/// One matrix in this many, if only some are of a class.
const FEW: usize = 100;

/// The inputs of [`Grid::Classes`]: uniform first, which the others are compared with.
pub fn inputs() -> Vec<Input> {
    let ordinary = [
        Class::Uniform,
        Class::Zero,
        Class::ZeroColumns,
        Class::Identity,
        Class::NegativeDiagonal,
        Class::RankDeficient,
        Class::Clustered,
        Class::NearRank,
        Class::MixedOrdinary,
    ];
    let extreme = [FEW, 1].into_iter().flat_map(|one_in| EXTREME.map(|class| Input { class, one_in }));
    ordinary.into_iter().map(Input::all).chain(extreme).collect()
}

/// Classes with columns whose squares overflow or underflow.
const EXTREME: [Class; 3] = [Class::Mixed, Class::ScaledColumns, Class::DenormalColumns];

/// The reference for a case of a grid; it precedes the case in the grid.
pub fn reference(grid: Option<Grid>, case: Case, input: Input) -> Option<Reference> {
    let Shape { m, n, batch } = case.shape;
    match grid? {
        Grid::Steps if m > 1 && n > 1 => {
            let before = Case::packed(case.op, case.dtype, Shape { m: m - 1, n: n - 1, batch });
            Some(Reference { case: before, input, bound: STEP, work: 1.0 })
        }
        Grid::Classes if input != Input::UNIFORM => {
            let bound = match (EXTREME.contains(&input.class), input.one_in) {
                (false, _) => ORDINARY,
                (true, 1) => ALL_EXTREME,
                (true, _) => FEW_EXTREME,
            };
            Some(Reference { case, input: Input::UNIFORM, bound, work: 1.0 })
        }
        Grid::Members => {
            let uniform = as_much(&case)?;
            Some(Reference { case: uniform, input, bound: OWN_SIZES, work: flops(&case) / flops(&uniform) })
        }
        _ => None,
    }
}

/// A few lines with the largest ratios of a run and those beyond their bounds; empty if nothing was compared.
pub fn summary(rows: &[Row]) -> Vec<String> {
    let mut compared: Vec<(&Row, Relative)> = rows.iter().filter_map(|r| Some((r, r.relative?))).collect();
    compared.sort_by(|a, b| (b.1.ratio / b.1.bound).total_cmp(&(a.1.ratio / a.1.bound)));
    let Some((row, relative)) = compared.first() else { return vec![] };
    let name = |row: &Row, relative: &Relative| {
        format!("{} {} {:.2}x (bound {})", row.case, row.input, relative.ratio, relative.bound)
    };
    let beyond: Vec<String> = compared.iter().filter(|c| c.1.is_beyond()).map(|(r, x)| name(r, x)).collect();
    let mut lines = vec![format!(
        "time over that of the reference: {} compared, {} beyond the bound; nearest to it or furthest beyond: {}",
        compared.len(),
        beyond.len(),
        name(row, relative)
    )];
    lines.extend(beyond.into_iter().take(MOST_NAMED).map(|text| format!("  beyond: {text}")));
    lines
}

/// The most cases that a summary lists.
const MOST_NAMED: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::named;
    use tephra_testkit::Dtype;

    #[test]
    fn every_reference_comes_first() {
        for grid in [Grid::Steps, Grid::Classes] {
            let mut seen = vec![];
            let cases = grid.cases(named("geqrf"), &[Dtype::S]);
            let inputs = if grid == Grid::Classes { inputs() } else { vec![Input::UNIFORM] };
            let mut compared = 0;
            for case in cases {
                for &input in &inputs {
                    if let Some(reference) = reference(Some(grid), case, input) {
                        assert!(seen.contains(&(reference.case, reference.input)), "{case} {input}");
                        compared += 1;
                    }
                    seen.push((case, input));
                }
            }
            let alone = if grid == Grid::Steps { 1 } else { grid.shapes().len() };
            assert_eq!(compared, seen.len() - alone, "{grid:?}");
        }
    }

    #[test]
    fn bounds_by_what_the_data_is() {
        let case = Case::packed(named("geqrf"), Dtype::D, Shape { m: 8, n: 8, batch: 10 });
        let bound = |text: &str| reference(Some(Grid::Classes), case, text.parse().unwrap()).map(|r| r.bound);
        assert_eq!(bound("uniform"), None);
        assert_eq!(["zero", "mixed-ordinary", "clustered"].map(bound), [Some(1.3); 3]);
        assert_eq!(["mixed:100", "scaled-columns:100", "denormal-columns:100"].map(bound), [Some(2.0); 3]);
        assert_eq!(["mixed", "scaled-columns", "denormal-columns"].map(bound), [Some(6.0); 3]);
        assert_eq!(reference(Some(Grid::Full), case, Input::UNIFORM), None);
        let varying = Case::packed(named("geqrf_vbatched"), Dtype::D, Shape { m: 32, n: 32, batch: 10 });
        let uniform = reference(Some(Grid::Members), varying, Input::UNIFORM).unwrap();
        // n^3 / 4 operations on average
        assert_eq!((uniform.case.op.name, uniform.case.shape.n, uniform.bound), ("geqrf", 20, 1.5));
        assert!((uniform.work - 0.25 * 1.6f64.powi(3)).abs() < 1e-9);
        assert_eq!(reference(Some(Grid::Members), case, Input::UNIFORM), None);
        assert_eq!(reference(None, case, Input::all(Class::Zero)), None);
    }
}
