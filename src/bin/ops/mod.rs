//! Everything that the program knows about a routine, in one row in the file of its family. `bench`, its grids and its
//! result files, `explain` and `tune` use these rows, whose fields are documented in [`crate::operation`].
//!
//! | module | routines |
//! | --- | --- |
//! | [`qr`], [`lq`] | factorisations, and forming or applying Q |
//! | [`solves`] | least squares; triangular systems with many right-hand sides |
//! | [`lu`], [`cholesky`] | factorisations, solves and inverses |
//! | [`products`], [`blas`] | matrix products and rank-k updates; symmetric and triangular products, inverses, sums |

mod blas;
mod cholesky;
mod lq;
mod lu;
mod products;
mod qr;
mod solves;

use crate::operation::{Op, Operation};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::cmp::Ordering;
use std::sync::LazyLock;
use tephra_testkit::signatures;

/// The families, in the order of listing.
const FAMILIES: [&[Operation]; 7] =
    [qr::ROWS, solves::ROWS, lu::ROWS, cholesky::ROWS, products::ROWS, lq::ROWS, blas::ROWS];

/// All routines.
pub fn all() -> &'static [Op] {
    static ALL: LazyLock<Vec<Op>> = LazyLock::new(|| FAMILIES.into_iter().flatten().collect());
    &ALL
}

/// Whether the library logs calls of a routine under this name, but no row says how `bench` measures it.
pub fn is_unmeasured(name: &str) -> bool {
    let uniform = name.strip_suffix("_vbatched");
    let stem = uniform.unwrap_or(name);
    let stem = stem.strip_prefix("un").map_or(stem.to_owned(), |rest| format!("or{rest}"));
    let mut logged = signatures::ALL.iter().filter(|of| of.stem() == stem);
    logged.any(|of| uniform.is_none() || !of.varying.is_empty()) && all().iter().all(|op| op.name != name)
}

/// The routine of a name, which must exist.
pub fn named(name: &str) -> Op {
    all().iter().find(|op| op.name == name).unwrap_or_else(|| panic!("there is no routine {name}"))
}

/// Routines are ordered as in [`all`].
impl Ord for Operation {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |of: &Self| all().iter().position(|op| *op == of);
        place(self).cmp(&place(other))
    }
}

impl PartialOrd for Operation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl ValueEnum for Op {
    fn value_variants<'a>() -> &'a [Self] {
        all()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name).help(self.help))
    }
}
