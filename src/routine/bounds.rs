//! Which per-member sizes are valid. Defined once, for the host, which checks a member before it works on it, and for
//! the device kernel that checks the whole batch.

use std::ptr::{null, null_mut};

/// The constraint on a per-member number: from 0 to `most`, and if `least` is not NULL, at least the member's entry of
/// `least`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The numbers, one int per member, in the backend's memory.
    pub each: *const i32,
    /// Lower bounds, one int per member, in the backend's memory. A preceding bound must have found them valid.
    pub least: *const i32,
    /// Upper bound.
    pub most: i64,
    /// The member's status code if the bound does not hold: minus the position of the argument.
    pub code: i32,
}

impl Bound {
    /// A size of at most `most`.
    #[inline]
    pub fn size(each: *const i32, most: i64, code: i32) -> Bound {
        Bound { each, least: null(), most: most.min(i32::MAX.into()), code }
    }

    /// A number that is at least the member's entry of `least`, as a leading dimension is at least the rows.
    #[inline]
    pub fn at_least(each: *const i32, least: *const i32, code: i32) -> Bound {
        Bound { each, least, most: i32::MAX.into(), code }
    }

    #[inline]
    unsafe fn holds(&self, i: usize) -> bool {
        let least = if self.least.is_null() { 0 } else { unsafe { *self.least.add(i) } };
        (i64::from(least)..=self.most).contains(&unsafe { *self.each.add(i) }.into())
    }
}

/// All bounds of a routine, sizes first and otherwise in the order of the arguments. The code of a member is that of
/// the first bound that does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    all: [Bound; Bounds::MAX],
    count: usize,
}

impl Bounds {
    /// The largest number of bounds that any routine has.
    pub const MAX: usize = 8;

    /// No bounds, which every member is within.
    pub const NONE: Bounds =
        Bounds { all: [Bound { each: null(), least: null(), most: 0, code: 0 }; Bounds::MAX], count: 0 };

    /// Collects these bounds.
    #[inline]
    pub fn new<const N: usize>(bounds: [Bound; N]) -> Bounds {
        const { assert!(N <= Bounds::MAX) };
        let mut all = Bounds::NONE.all;
        all[..N].copy_from_slice(&bounds);
        Bounds { all, count: N }
    }

    /// The bounds, in order.
    #[inline]
    pub fn all(&self) -> &[Bound] {
        &self.all[..self.count]
    }

    /// The code of member `i`, 0 if all bounds hold. The arrays must be in host memory.
    ///
    /// # Safety
    /// The bounds' arrays must be valid for reads at index `i`.
    #[inline]
    pub unsafe fn code(&self, i: usize) -> i32 {
        self.all().iter().find(|bound| !unsafe { bound.holds(i) }).map_or(0, |bound| bound.code)
    }
}

/// A device-side check before or after a routine that is composed of others. Before, it keeps the parts from touching a
/// member whose sizes are invalid; after, it gives each member the status code of the whole routine.
#[derive(Clone, Copy, Debug)]
pub struct BoundsCheck {
    /// The constraints.
    pub bounds: Bounds,
    /// Receives one int per member: the size that the first bound is about, or -1 if the member is invalid. The
    /// following parts use it as the member's size.
    pub checked: Option<*mut i32>,
    /// Receives the status codes. NULL if they are not wanted.
    pub info: *mut i32,
    /// Whether the codes of valid members are left unchanged.
    pub only_wrong: bool,
    /// Number of members.
    pub batch: i64,
}

impl BoundsCheck {
    /// Writes the codes of all members.
    pub fn report(bounds: Bounds, info: *mut i32, batch: i64) -> BoundsCheck {
        BoundsCheck { bounds, checked: None, info, only_wrong: false, batch }
    }

    /// Writes the codes of the invalid members only.
    pub fn report_invalid(bounds: Bounds, info: *mut i32, batch: i64) -> BoundsCheck {
        BoundsCheck { only_wrong: true, ..BoundsCheck::report(bounds, info, batch) }
    }

    /// Writes the sizes that the following parts use.
    pub fn write_sizes(bounds: Bounds, checked: *mut i32, batch: i64) -> BoundsCheck {
        BoundsCheck { checked: Some(checked), ..BoundsCheck::report(bounds, null_mut(), batch) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bound_that_does_not_hold_is_told() {
        let (n, nrhs, ld) = ([3, -1, 4, 0, 2, 2], [1, 1, 9, 0, 3, 3], [3, 3, 0, 0, 1, 2]);
        let bounds = Bounds::new([
            Bound::size(n.as_ptr(), 3, -1),
            Bound::size(nrhs.as_ptr(), 3, -2),
            Bound::at_least(ld.as_ptr(), n.as_ptr(), -4),
        ]);
        let codes: Vec<i32> = (0..6).map(|i| unsafe { bounds.code(i) }).collect();
        assert_eq!(codes, [0, -1, -1, 0, -4, 0]);
    }
}
