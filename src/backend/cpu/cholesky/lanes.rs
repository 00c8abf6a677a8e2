//! Solves in lanes with given factors.

use super::super::batch::Members;
use super::super::interleaved::{self, Group, GroupLayout, Part, Tile, Triangle};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::small_members::SIDES;
use super::super::view::Transform;

/// Right-hand sides that are solved at a time.
const CHUNK: usize = SIDES;

/// The systems with L and with L^H.
pub const FORWARD: Triangle = Triangle { upper: false, transposed: false, conjugated: false };
pub const BACK: Triangle = Triangle { upper: true, transposed: true, conjugated: true };

/// Offsets of a group's tiles: triangles of order n, and right-hand sides.
pub struct Tiles {
    a: GroupLayout,
    x: GroupLayout,
    pub bytes: usize,
}

impl Tiles {
    #[inline(always)]
    pub fn new<P: Pack>(n: usize, nrhs: usize) -> Option<Tiles> {
        let mut arena = Arena::<Re<P>>::new();
        let a = GroupLayout::new::<P>(&mut arena, n, n, 0)?;
        let x = GroupLayout::new::<P>(&mut arena, n, nrhs.min(CHUNK), 0)?;
        Some(Tiles { a, x, bytes: arena.bytes()? })
    }
    #[inline(always)]
    pub unsafe fn at<P: Pack>(&self, buffer: *mut u8) -> (Tile<P>, Tile<P>) {
        let buffer = buffer.cast();
        unsafe { (self.a.at(buffer).0, self.x.at(buffer).0) }
    }
}

/// Solves the systems of the members of a group whose bit is set, with L in the tile `l`. The other lanes of `l` must
/// hold a regular triangle too.
#[inline(always)]
pub unsafe fn solve<T: Packed, P: Pack<S = T>>(
    group: &Group,
    lanes: u32,
    (l, n): (Tile<P>, usize),
    (b, ldb): (&Members<T>, usize),
    nrhs: usize,
    x: Tile<P>,
) {
    let untransformed = Transform::default();
    unsafe {
        let mut members = group.starts(b);
        for first in (0..nrhs).step_by(CHUNK) {
            let count = CHUNK.min(nrhs - first);
            interleaved::load(&members, ldb, untransformed, Part::Whole, n, count, x);
            interleaved::solve(l, FORWARD, n, x, count, interleaved::divide_by_real, false);
            interleaved::solve(l, BACK, n, x, count, interleaved::divide_by_real, false);
            interleaved::store(x, untransformed, n, count, &members, ldb, lanes);
            for p in &mut members {
                // Not dereferenced after the last chunk.
                *p = p.wrapping_add(CHUNK * ldb * T::PARTS);
            }
        }
    }
}
