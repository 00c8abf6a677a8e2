//! Sizes of members that each have their own, as `kernels/common/extent.cuh` declares them.

use crate::routine::Sizes;

/// A size that each member has its own of.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Extent {
    each: *const i32,
    most: i32,
    pad: i32,
}

impl Extent {
    /// At most this in any member.
    pub fn new(each: *const i32, most: i64) -> Extent {
        Extent { each, most: most.min(i32::MAX.into()) as i32, pad: 0 }
    }
}

/// What a factorisation's launch knows of all matrices.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SizesArgs {
    rows: Extent,
    columns: Extent,
    leading: *const i32,
    over: i32,
    upto: i32,
}

impl SizesArgs {
    /// Of at most m x n, for members whose larger size is above `over` and at most `upto`.
    pub fn new(sizes: &Sizes, (m, n): (i64, i64), (over, upto): (i64, i64)) -> SizesArgs {
        let int = |size: i64| size.min(i32::MAX.into()) as i32;
        let (rows, columns) = (Extent::new(sizes.m, m), Extent::new(sizes.n, n));
        SizesArgs { rows, columns, leading: sizes.lda, over: int(over), upto: int(upto) }
    }
}
