//! BLAS routines and copies.

pub(super) mod moves;
pub(super) mod rank_updates;
pub(super) mod symmetric;
pub(super) mod triangles;

pub use moves::ALL as MOVES;
pub use rank_updates::ALL as RANK_UPDATES;
pub use symmetric::ALL as SYMMETRIC;
pub use triangles::ALL as TRIANGLES;

use crate::Dtype;
use crate::routines::routine::{ROUTINE, Routine, Sizes, Writes};

/// The fields that all of these routines share.
const BLAS: Routine = Routine { launches: true, ..ROUTINE };

fn is_zero(p: &Sizes, scalar: usize) -> bool {
    p.scalars[scalar] == (0.0, 0.0)
}

fn triangle_written(p: &Sizes) -> Writes {
    if p["uplo"] == 121 { Writes::Upper } else { Writes::Lower }
}

/// The types that have a conjugate.
const COMPLEX: &[Dtype] = &[Dtype::C, Dtype::Z];
