//! Which sizes of a member are valid: said once, for the host, which looks at a member before it does it, and for the kernel that
//! looks at all of them on a device.

use std::ptr::{null, null_mut};

/// A number that each member has its own of, from 0 to `most`, and where `least` is not NULL at least the member's number there.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// An int a member, in the backend's memory.
    pub each: *const i32,
    /// What it is held against, likewise; a number that was found valid before.
    pub least: *const i32,
    /// At most this.
    pub most: i64,
    /// The code of a member where that does not hold: minus the argument's number.
    pub code: i32,
}

impl Bound {
    /// A size of at most `most`.
    pub fn size(each: *const i32, most: i64, code: i32) -> Bound {
        Bound { each, least: null(), most: most.min(i32::MAX.into()), code }
    }

    /// A leading dimension of matrices with so many rows.
    pub fn leading(each: *const i32, rows: *const i32, code: i32) -> Bound {
        Bound { each, least: rows, most: i32::MAX.into(), code }
    }

    unsafe fn holds(&self, i: usize) -> bool {
        let least = if self.least.is_null() { 0 } else { unsafe { *self.least.add(i) } };
        (i64::from(least)..=self.most).contains(&unsafe { *self.each.add(i) }.into())
    }
}

/// All of a routine's, in the order of its arguments, sizes first: a member's code is that of the first that does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    all: [Bound; Bounds::MOST],
    count: usize,
}

impl Bounds {
    /// As many as any routine has.
    pub const MOST: usize = 8;

    /// These.
    pub fn new<const N: usize>(bounds: [Bound; N]) -> Bounds {
        const { assert!(N <= Bounds::MOST) };
        let mut all = [Bound { each: null(), least: null(), most: 0, code: 0 }; Bounds::MOST];
        all[..N].copy_from_slice(&bounds);
        Bounds { all, count: N }
    }

    /// They.
    pub fn all(&self) -> &[Bound] {
        &self.all[..self.count]
    }

    /// The code of a member of arrays in host memory, 0 if all hold.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn code(&self, i: usize) -> i32 {
        self.all().iter().find(|bound| !unsafe { bound.holds(i) }).map_or(0, |bound| bound.code)
    }
}

/// What a routine that is made of others does on a device before and after them, so that none touches a member whose sizes are not
/// valid, and each member's code is the whole routine's.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// What must hold.
    pub bounds: Bounds,
    /// Receives what the first bound is about, or -1 of a member that is not valid: its size from then on.
    pub checked: Option<*mut i32>,
    /// Receives the codes. NULL: not wanted.
    pub info: *mut i32,
    /// Whether those of valid members stay as they are.
    pub only_wrong: bool,
    /// Number of members.
    pub batch: i64,
}

impl Check {
    /// Codes for all members.
    pub fn tell(bounds: Bounds, info: *mut i32, batch: i64) -> Check {
        Check { bounds, checked: None, info, only_wrong: false, batch }
    }

    /// Codes for those that are not valid.
    pub fn tell_wrong(bounds: Bounds, info: *mut i32, batch: i64) -> Check {
        Check { only_wrong: true, ..Check::tell(bounds, info, batch) }
    }

    /// Sizes for what follows.
    pub fn note(bounds: Bounds, checked: *mut i32, batch: i64) -> Check {
        Check { checked: Some(checked), ..Check::tell(bounds, null_mut(), batch) }
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
            Bound::leading(ld.as_ptr(), n.as_ptr(), -4),
        ]);
        let codes: Vec<i32> = (0..6).map(|i| unsafe { bounds.code(i) }).collect();
        assert_eq!(codes, [0, -1, -1, 0, -4, 0]);
    }
}
