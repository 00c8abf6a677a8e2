//! Cholesky factorisations and the routines that use them. If the caller has the upper triangle, L = U^H is packed, so
//! that everything below works on lower triangles.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `factor` | factoring one packed matrix |
//! | `packed` | loading, storing, solving with and inverting one packed matrix |
//! | `lanes` | solves for many small matrices at once, one in each lane of a vector |
//! | `members` | small matrices of different sizes, one in each lane of a vector |
//! | `shared` | one large matrix, whose rows and columns are divided among threads |
//! | `potrf` | potrf and posv: routines that start with a factorisation |
//! | `potrs` | potrs and potri: routines that start with the caller's factor |

mod factor;
mod lanes;
mod members;
pub mod packed;
mod potrf;
mod potrs;
mod shared;

use super::batch::Members;
use super::choice::INTERLEAVED_BEST;
use super::interleaved::{self, Group, Part, Prefetch, Tile};
use super::packed::{Columns, set};
use super::simd::{Level, Pack, Packed};
use super::team::Team;
use super::view::{Transform, View, view};
use crate::routine::{Dtype, Operand, Uplo};
use crate::scalar::{Real, Scalar};

/// The triangles of a batch.
struct Triangles<T> {
    members: Members<T>,
    ld: i64,
    uplo: Uplo,
    n: usize,
}

impl<T: Packed> Triangles<T> {
    fn new(operand: Operand, ld: i64, uplo: Uplo, n: i64) -> Self {
        Triangles { members: Members::new(operand), ld, uplo, n: n as usize }
    }
    #[inline(always)]
    unsafe fn member(&self, i: usize) -> View<T> {
        unsafe { view(&self.members, i, self.ld) }
    }
    /// Packs member i.
    #[inline(always)]
    unsafe fn pack<P: Pack<S = T>>(&self, team: &Team, i: usize, to: Columns<P>) {
        unsafe { shared::transfer(team, &self.member(i), self.uplo, self.n, to, false) }
    }
    /// Packs member i, a factor whose diagonal need not be real.
    #[inline(always)]
    unsafe fn pack_factor<P: Pack<S = T>>(&self, team: &Team, i: usize, to: Columns<P>) {
        unsafe {
            self.pack(team, i, to);
            self.rotate_to_real_diagonal(i, |r, j, x| set::<P>(to.column(j), r, x));
        }
    }
    /// For every column of a factor whose diagonal element is not real, passes the elements times a phase that makes it
    /// real to `put`. This does not change the product with the adjoint.
    #[inline(always)]
    unsafe fn rotate_to_real_diagonal(&self, i: usize, put: impl Fn(usize, usize, T)) {
        if T::COMPLEX {
            unsafe { rotate_to_real_diagonal(self.member(i), self.uplo, self.n, put) };
        }
    }
    /// Writes member i.
    #[inline(always)]
    unsafe fn unpack<P: Pack<S = T>>(&self, team: &Team, i: usize, from: Columns<P>) {
        unsafe { shared::transfer(team, &self.member(i), self.uplo, self.n, from, true) }
    }
    /// The transformation from the caller's triangle to L, and the part to read.
    fn transform(&self) -> (Transform, Part) {
        to_lower(self.uplo)
    }
    /// Loads a group's members into a tile, with the real parts of their diagonals.
    #[inline(always)]
    unsafe fn load<P: Pack<S = T>>(&self, group: &Group, to: Tile<P>) {
        let (transform, part) = self.transform();
        unsafe {
            interleaved::load(&group.starts(&self.members), self.ld as usize, transform, part, self.n, self.n, to);
            if T::COMPLEX {
                (0..self.n).for_each(|j| to.make_real(j, j));
            }
        }
    }
    /// Prefetches the next group's members in the given number of steps.
    #[inline(always)]
    unsafe fn prefetch_next(&self, group: &Group, steps: usize) -> Option<Prefetch> {
        unsafe {
            Prefetch::for_next_group(
                group,
                &self.members,
                (self.n, self.n, self.ld as usize),
                self.transform().1,
                steps,
            )
        }
    }
    /// Loads factors, whose diagonals need not be real.
    #[inline(always)]
    unsafe fn load_factors<P: Pack<S = T>>(&self, group: &Group, to: Tile<P>) {
        unsafe {
            self.load(group, to);
            for (l, i) in group.members(group.lanes()).enumerate() {
                // Lanes without a member repeat the last one.
                let lanes = if group.lanes() >> l == 1 { u32::MAX << l } else { 1 << l };
                self.rotate_to_real_diagonal(i, |r, j, x| to.put(r, j, lanes, x));
            }
        }
    }
    /// Stores the members of a group whose bit is set.
    #[inline(always)]
    unsafe fn store<P: Pack<S = T>>(&self, group: &Group, lanes: u32, from: Tile<P>) {
        let (transform, part) = self.transform();
        let (starts, ld) = (unsafe { group.starts(&self.members) }, self.ld as usize);
        unsafe { interleaved::store_triangle(from, transform, part, self.n, &starts, ld, lanes) }
    }
}

/// [`Triangles::rotate_to_real_diagonal`] for a factor of order n in the triangle `uplo` of `a`.
#[inline(always)]
unsafe fn rotate_to_real_diagonal<T: Packed>(a: View<T>, uplo: Uplo, n: usize, put: impl Fn(usize, usize, T)) {
    let at = |r: usize, j: usize| match uplo {
        Uplo::Lower => unsafe { a.get(r, j) },
        Uplo::Upper => unsafe { a.get(j, r) }.conj(),
    };
    for j in 0..n {
        let d = at(j, j);
        if d.im() != T::Re::default() {
            let (size, rotation) = phase(d);
            put(j, j, T::real(size));
            (j + 1..n).for_each(|r| put(r, j, at(r, j) * rotation));
        }
    }
}

/// The transformation from the caller's triangle to L, and the part to read.
fn to_lower(uplo: Uplo) -> (Transform, Part) {
    match uplo {
        Uplo::Lower => (Transform::default(), Part::Lower),
        Uplo::Upper => (Transform::ADJOINT, Part::Upper),
    }
}

/// |d|, and conj(d) / |d|.
fn phase<T: Scalar>(d: T) -> (T::Re, T) {
    let (x, y) = (d.re().abs(), d.im().abs());
    let most = if x > y { x } else { y };
    let (x, y) = (d.re() / most, d.im() / most);
    let length = (x * x + y * y).sqrt();
    (most * length, T::new(x / length, -(y / length)))
}

/// Stores a member's info code, `place` counted from 1, unless the caller passed NULL.
unsafe fn set_info(info: *mut i32, i: usize, place: Option<usize>) {
    if !info.is_null() {
        unsafe { info.add(i).write(place.map_or(0, |j| j as i32 + 1)) };
    }
}

/// The size that decides whether to interleave: half of a triangle's elements. Interleaving pays off up to twice the
/// size it does in QR, where the alternative wastes less of a vector on short columns.
fn elements(n: i64) -> Option<i64> {
    Some(n.checked_mul(n)? / 4)
}

/// Number of [`elements`] up to which interleaving wins. With AVX-512 it is given by the orders (in s, d, c and z) at
/// which both ways take about the same time.
fn interleaved_best(orders: [i64; 4], dtype: Dtype, level: Level, lanes: i64) -> i64 {
    match (level, orders[dtype as usize]) {
        #[cfg(target_arch = "x86_64")]
        (Level::Avx512, order) => order * order / 4,
        _ => INTERLEAVED_BEST * lanes,
    }
}

/// The orders for factorisations.
const FACTORED: [i64; 4] = [208, 192, 160, 160];
