//! Individual sizes of members, with the layout that `kernels/common/extent.cuh` declares.

use crate::routine::Sizes;

/// A size that differs between members: an array on the device, and an upper bound.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Extent {
    each: *const i32,
    most: i32,
    pad: i32,
}

impl Extent {
    /// `each` holds one size per member, none of them above `most`.
    pub fn new(each: *const i32, most: i64) -> Extent {
        Extent { each, most: most.min(i32::MAX.into()) as i32, pad: 0 }
    }
}

/// The sizes of all matrices, for a launch of a factorisation.
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
    /// For matrices of at most m x n. The launch handles the members whose larger size is above `over` and at
    /// most `upto`.
    pub fn new(sizes: &Sizes, (m, n): (i64, i64), (over, upto): (i64, i64)) -> SizesArgs {
        let int = |size: i64| size.min(i32::MAX.into()) as i32;
        let (rows, columns) = (Extent::new(sizes.m, m), Extent::new(sizes.n, n));
        SizesArgs { rows, columns, leading: sizes.lda, over: int(over), upto: int(upto) }
    }
}
