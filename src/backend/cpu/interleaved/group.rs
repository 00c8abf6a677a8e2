//! Groups of matrices, one in each lane of a vector, and their workspace.

use super::super::batch::Members;
use super::super::scratch::Arena;
use super::super::simd::{Lanes, MAX_LANES, Pack, array_of};
use crate::scalar::Scalar;
use std::ops::Range;

pub(super) type Re<P> = <<P as Pack>::S as Scalar>::Re;
pub(super) type V<P> = <P as Pack>::V;

/// Columns that factorisations compute together, so that their rows stay in the first-level cache. The numbers of rows
/// that LU computes together divide it.
pub(super) const WIDTH: usize = 4;

/// The smallest number of rows or columns that leaves none over from blocks of them, and is at least n.
#[inline(always)]
pub fn whole_blocks(n: usize) -> usize {
    n.next_multiple_of(WIDTH)
}

/// Where the matrix (or tau) of each lane starts in the callers' memory.
pub type LanePointers<R> = [*mut R; MAX_LANES];

/// The mask of all lanes of a pack.
#[inline(always)]
pub const fn all_lanes<P: Pack>() -> u32 {
    u32::MAX >> (32 - P::L)
}

/// The matrices of a group in the workspace: pack (i, j) holds element (i, j) of every lane's matrix. Row-major, so
/// that the columns of an update are at constant distances.
pub struct Tile<P: Pack> {
    /// Pack (0, 0).
    pub(super) p: *mut Re<P>,
    /// Packs from one row to the next.
    pub(super) ld: usize,
}

impl<P: Pack> Clone for Tile<P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Pack> Copy for Tile<P> {}

impl<P: Pack> Tile<P> {
    /// Pack (i, j).
    #[inline(always)]
    pub(super) unsafe fn at(self, i: usize, j: usize) -> *mut Re<P> {
        unsafe { self.p.add((i * self.ld + j) * P::REALS) }
    }
    /// The tile without its first j columns.
    #[inline(always)]
    pub unsafe fn starting_at(self, j: usize) -> Self {
        Tile { p: unsafe { self.at(0, j) }, ld: self.ld }
    }
    /// The part that starts at (i, j).
    #[inline(always)]
    pub(super) unsafe fn corner(self, i: usize, j: usize) -> Self {
        Tile { p: unsafe { self.at(i, j) }, ld: self.ld }
    }
    /// Sets pack (i, j) to x in the lanes whose bit is set.
    #[inline(always)]
    pub unsafe fn put(self, i: usize, j: usize, lanes: u32, x: P::S) {
        unsafe { P::splat(x).select(lanes, P::load(self.at(i, j))).store(self.at(i, j)) };
    }
    /// Copies pack `from` to pack `to`.
    #[inline(always)]
    pub unsafe fn copy(self, from: (usize, usize), to: (usize, usize)) {
        unsafe { P::load(self.at(from.0, from.1)).store(self.at(to.0, to.1)) };
    }
    /// Sets the first n rows and columns to the identity in lanes whose result is not used, so that solving with them
    /// raises no floating-point exception.
    #[inline(always)]
    pub unsafe fn make_identity(self, n: usize, lanes: u32) {
        for i in 0..if lanes == 0 { 0 } else { n } {
            for j in 0..n {
                unsafe { self.put(i, j, lanes, if i == j { P::S::one() } else { P::S::zero() }) };
            }
        }
    }
    /// Sets each lane's diagonal elements from its own place to n to 1.
    #[inline(always)]
    pub unsafe fn continue_by_identity(self, n: usize, from: &[u32; MAX_LANES]) {
        for i in 0..n {
            let lanes = lanes_up_to::<P>(from, i);
            if lanes != 0 {
                unsafe { self.put(i, i, lanes, P::S::one()) };
            }
        }
    }
    /// Sets the first n rows and columns from each lane's own place on to those of the identity.
    #[inline(always)]
    pub unsafe fn make_identity_beyond(self, n: usize, from: &[u32; MAX_LANES]) {
        for i in 0..n {
            let lanes = lanes_up_to::<P>(from, i);
            for j in 0..if lanes == 0 { 0 } else { i } {
                unsafe {
                    self.put(i, j, lanes, P::S::zero());
                    self.put(j, i, lanes, P::S::zero());
                }
            }
            if lanes != 0 {
                unsafe { self.put(i, i, lanes, P::S::one()) };
            }
        }
    }
    /// Sets the rows of n x `columns` elements from each lane's own place on to zero.
    #[inline(always)]
    pub unsafe fn clear_beyond(self, n: usize, columns: usize, from: &[u32; MAX_LANES]) {
        for i in 0..n {
            let lanes = lanes_up_to::<P>(from, i);
            for j in 0..if lanes == 0 { 0 } else { columns } {
                unsafe { self.put(i, j, lanes, P::S::zero()) };
            }
        }
    }
    /// Sets the imaginary parts of element (i, j) to zero.
    #[inline(always)]
    pub unsafe fn make_real(self, i: usize, j: usize) {
        let zero = V::<P>::splat(Re::<P>::default());
        unsafe { P::from_parts(P::load(self.at(i, j)).re(), zero).store(self.at(i, j)) };
    }
    /// The lanes whose element (i, j) is exactly zero.
    #[inline(always)]
    pub unsafe fn zeros(self, i: usize, j: usize) -> u32 {
        zeros(unsafe { P::load(self.at(i, j)) })
    }
    /// Multiplies the m x n elements by x.
    #[inline(always)]
    pub unsafe fn scale(self, m: usize, n: usize, x: P::S) {
        for i in 0..m {
            for j in 0..n {
                unsafe { P::load(self.at(i, j)).mul(P::splat(x)).store(self.at(i, j)) };
            }
        }
    }
    /// Adds zero to the m x n elements, so that their zeros are positive.
    #[inline(always)]
    pub unsafe fn make_zeros_positive(self, m: usize, n: usize) {
        for i in 0..m {
            for j in 0..n {
                unsafe { P::load(self.at(i, j)).add(P::zero()).store(self.at(i, j)) };
            }
        }
    }
    /// The lanes in which the largest absolute value of a real or imaginary part of the m x n elements is zero or
    /// between `low` and `high`. Unspecified for lanes with a NaN.
    #[inline(always)]
    pub unsafe fn largest_within(self, m: usize, n: usize, (low, high): (Re<P>, Re<P>)) -> u32 {
        let zero = V::<P>::splat(Re::<P>::default());
        let mut most = zero;
        for i in 0..m {
            for j in 0..n {
                let x = unsafe { P::load(self.at(i, j)) };
                most = most.larger(x.re().copysign(zero));
                if P::S::COMPLEX {
                    most = most.larger(x.im().copysign(zero));
                }
            }
        }
        most.within(V::<P>::splat(low), V::<P>::splat(high)) | most.within(zero, zero)
    }
    /// The lanes in which the sum of the squares of the m x n elements is at most `high`, so that there is no NaN.
    /// Zeros to the right and below change nothing.
    #[inline(always)]
    pub unsafe fn squares_up_to(self, m: usize, n: usize, high: Re<P>) -> u32 {
        let zero = V::<P>::splat(Re::<P>::default());
        let mut sums = [zero; 4];
        for i in 0..m {
            let mut j = 0;
            while j < n {
                for (k, sum) in sums.iter_mut().enumerate() {
                    if j + k < n {
                        *sum = unsafe { P::load(self.at(i, j + k)) }.add_squares(*sum);
                    }
                }
                j += 4;
            }
        }
        sums[0].add(sums[1]).add(sums[2].add(sums[3])).within(zero, V::<P>::splat(high))
    }
    /// The lanes whose m x n elements are all finite.
    #[inline(always)]
    pub unsafe fn finite(self, m: usize, n: usize) -> u32 {
        let zero = V::<P>::splat(Re::<P>::default());
        let mut nothing = zero;
        for i in 0..m {
            for j in 0..n {
                let x = unsafe { P::load(self.at(i, j)) };
                nothing = nothing.add_mul(x.re(), zero);
                if P::S::COMPLEX {
                    nothing = nothing.add_mul(x.im(), zero);
                }
            }
        }
        nothing.within(zero, zero)
    }
    /// The lanes in which the first columns of m elements are finite, as many as the lane's own number says, at most n.
    #[inline(always)]
    pub unsafe fn columns_finite(self, m: usize, n: usize, own: &[u32; MAX_LANES]) -> u32 {
        let mut finite = all_lanes::<P>();
        for j in 0..n {
            finite &= unsafe { self.starting_at(j).finite(m, 1) } | lanes_up_to::<P>(own, j);
        }
        finite
    }
    /// Sets the m x n elements to zero in the lanes whose bit is set.
    #[inline(always)]
    pub unsafe fn clear_lanes(self, m: usize, n: usize, lanes: u32) {
        for i in 0..m {
            for j in 0..n {
                unsafe { self.put(i, j, lanes, P::S::zero()) };
            }
        }
    }
    /// Reverses the order of the first n rows of the first column.
    #[inline(always)]
    pub unsafe fn reverse(self, n: usize) {
        for i in 0..n / 2 {
            unsafe {
                let (p, q) = (self.at(i, 0), self.at(n - 1 - i, 0));
                let (one, other) = (P::load(p), P::load(q));
                other.store(p);
                one.store(q);
            }
        }
    }
    /// Sets the given rows of n columns to zero.
    #[inline(always)]
    pub unsafe fn clear_rows(self, rows: Range<usize>, n: usize) {
        for i in rows {
            for j in 0..n {
                unsafe { P::zero().store(self.at(i, j)) };
            }
        }
    }
}

/// The lanes whose number is at most i.
#[inline(always)]
fn lanes_up_to<P: Pack>(numbers: &[u32; MAX_LANES], i: usize) -> u32 {
    let mut lanes = 0;
    for (l, &number) in numbers.iter().enumerate().take(P::L) {
        lanes |= u32::from(i as u32 >= number) << l;
    }
    lanes
}

/// The lanes of x that are exactly zero.
#[inline(always)]
pub(super) fn zeros<P: Pack>(x: P) -> u32 {
    let zero = V::<P>::splat(Re::<P>::default());
    let re = x.re().within(zero, zero);
    if P::S::COMPLEX { re & x.im().within(zero, zero) } else { re }
}

/// Packs from one row to the next: odd, so that the rows of a column do not compete for the same cache sets.
#[inline(always)]
pub fn row_length(n: usize) -> usize {
    n | 1
}

/// Offsets of a group's tile and its scalar factors in a buffer.
#[derive(Clone, Copy, Default)]
pub struct GroupLayout {
    tile: usize,
    ld: usize,
    tau: usize,
}

impl GroupLayout {
    /// Space for an m x n tile and `k` scalar factors. `None` if the size overflows.
    #[inline(always)]
    pub fn new<P: Pack>(arena: &mut Arena<Re<P>>, m: usize, n: usize, k: usize) -> Option<GroupLayout> {
        let ld = row_length(n);
        let tile = arena.part(m.checked_mul(ld)?.checked_mul(P::REALS)?)?;
        Some(GroupLayout { tile, ld, tau: arena.part(k.checked_mul(P::REALS)?)? })
    }
    /// The tile and its scalar factors in a buffer.
    #[inline(always)]
    pub unsafe fn at<P: Pack>(&self, buffer: *mut Re<P>) -> (Tile<P>, *mut Re<P>) {
        (Tile { p: buffer.wrapping_add(self.tile), ld: self.ld }, buffer.wrapping_add(self.tau))
    }
}

/// The members of a batch that lie in the lanes of one tile.
pub struct Group {
    first: usize,
    count: usize,
    /// Number of members in the next group.
    next_count: usize,
}

impl Group {
    /// Divides a range of members into groups; groups of one if members are not interleaved.
    #[inline(always)]
    pub fn of<P: Pack>(range: Range<usize>, interleaved: bool) -> impl Iterator<Item = Group> {
        let step = if interleaved { P::L } else { 1 };
        let end = range.end;
        range.step_by(step).map(move |first| {
            let count = step.min(end - first);
            Group { first, count, next_count: step.min(end - first - count) }
        })
    }
    /// A mask with one bit per member.
    #[inline(always)]
    pub fn lanes(&self) -> u32 {
        u32::MAX >> (32 - self.count)
    }
    /// Number of members in the next group; 0 if this is the last.
    #[inline(always)]
    pub fn next_count(&self) -> usize {
        self.next_count
    }
    /// Where the members of the next group start, as [`Group::starts`].
    #[inline(always)]
    pub unsafe fn next_starts<T: Scalar>(&self, of: &Members<T>) -> LanePointers<T::Re> {
        let last = self.first + self.count + self.next_count - 1;
        array_of(|l| unsafe { of.member((self.first + self.count + l).min(last)) })
    }
    /// Where the members of an operand start. Lanes without a member repeat the last one.
    #[inline(always)]
    pub unsafe fn starts<T: Scalar>(&self, of: &Members<T>) -> LanePointers<T::Re> {
        array_of(|l| unsafe { of.member(self.first + l.min(self.count - 1)) })
    }
    /// The members whose lanes' bits are set.
    #[inline(always)]
    pub fn members(&self, mut lanes: u32) -> impl Iterator<Item = usize> {
        let first = self.first;
        std::iter::from_fn(move || {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes.wrapping_sub(1);
            (lane < 32).then_some(first + lane)
        })
    }
}
