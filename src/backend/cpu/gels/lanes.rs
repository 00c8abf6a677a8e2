//! Least squares in lanes: a tile with B to the right of F, the matrix that is factored.

use super::super::interleaved::{self, Prefetch, Tile, Triangle};
use super::super::packed::Re;
use super::super::simd::{MAX_LANES, OutOfLine, Pack, Packed};
use super::super::view::Transform;
use super::unscaled_range;
use crate::routine::Trans;
use crate::scalar::Real;

/// How to transform A into F: A or its adjoint, whichever is tall. If the second result is true, F X = B is solved in
/// the least-squares sense, otherwise F^H X = B with minimum norm.
pub fn route(wide: bool, trans: Trans) -> (Transform, bool) {
    (if wide { Transform::ADJOINT } else { Transform::default() }, wide == (trans != Trans::N))
}

/// Factors F and solves with R, in the lanes of a tile. The lanes that do not succeed are removed from `lanes`.
/// Compiled once for all callers.
pub struct Solve<'a, P: Pack> {
    pub f: Tile<P>,
    pub tau: *mut Re<P>,
    /// Rows and columns of F.
    pub size: (usize, usize),
    pub sides: usize,
    pub least_squares: bool,
    /// For members of sizes of their own.
    pub of_members: Option<OfMembers>,
    pub lanes: &'a mut u32,
}

/// What belongs to members of sizes of their own, which zeros continue.
pub struct OfMembers {
    /// The columns of each F.
    pub columns: [u32; MAX_LANES],
    /// See [`interleaved::factor_each`].
    pub ends: [u32; MAX_LANES],
    pub prefetch: Option<Prefetch>,
}

impl<P: Pack<S: Packed>> OutOfLine for Solve<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Solve { f, tau, size: (m, n), sides, least_squares, of_members, lanes } = self;
        let (wanted, each) = (*lanes, of_members.is_some());
        *lanes = 0;
        unsafe {
            let (x, rows) = (f.starting_at(n), if least_squares { m } else { n });
            let mut left = !x.largest_within(rows, sides, unscaled_range::<Re<P>>());
            if each {
                // What continues a member stays zero if nothing is or becomes infinite.
                left |= !x.finite(rows, sides) | !f.squares_up_to(m, n, Re::<P>::SQUARES_IN_RANGE.1);
            }
            if wanted & left != 0 {
                x.clear_lanes(rows, sides, left);
            }
            if wanted & !left == 0 {
                return;
            }
            // In a lane that succeeds, each column of R has a norm in the safe range or nothing below its diagonal.
            let width = if least_squares { n + sides } else { n };
            let good = match of_members {
                None => interleaved::factor(f, tau, m, n, width, wanted & !left),
                Some(OfMembers { columns, ends, prefetch }) => {
                    let large = left & interleaved::all_lanes::<P>();
                    if large != 0 {
                        f.clear_lanes(m, n, large);
                    }
                    let good = interleaved::factor_each(f, tau, m, n, width, wanted & !left, &ends, prefetch);
                    f.continue_by_identity(n, &columns);
                    good
                }
            };
            if good == 0 {
                return;
            }
            // Members with a zero on R's diagonal are done one by one.
            let mut singular = 0;
            for j in 0..n {
                singular |= f.zeros(j, j);
            }
            f.make_identity(n, singular);
            let upper = Triangle { upper: true, transposed: false, conjugated: false };
            let lower = Triangle { upper: false, transposed: true, conjugated: true };
            let triangle = if least_squares { upper } else { lower };
            // Below the solutions of a member that is solved in the least-squares sense is its residual, which is
            // finite, beside zeros of R: this changes nothing but signs of zeros.
            interleaved::solve(f, triangle, n, x, sides, interleaved::divide_by_real, each);
            // Results that are not finite may become so if the matrix is scaled. Those members are done one by one;
            // their matrices have not been written yet.
            *lanes = good & !singular & x.finite(n, sides);
        }
    }
}

/// Turns the solution of the system with R into the one with F, if that is another one.
#[inline(always)]
pub unsafe fn multiply_by_q<P: Pack>(
    f: Tile<P>,
    tau: *mut Re<P>,
    (m, n): (usize, usize),
    sides: usize,
    least_squares: bool,
) {
    if !least_squares {
        unsafe {
            f.starting_at(n).clear_rows(n..m, sides);
            interleaved::apply_q(f, tau, m, n, n, n + sides);
        }
    }
}
