//! The library's allocator: the system's, and a reserve of small blocks for when that one has no memory left.
//!
//! Large allocations are made fallibly, and a call that does not get one returns an error. The standard library and
//! error messages need small ones, too, and Rust ends the process if one of these fails.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

const BLOCK_BYTES: usize = 1024;
const BLOCKS: usize = u64::BITS as usize;

#[repr(align(128))]
struct Blocks(UnsafeCell<[[u8; BLOCK_BYTES]; BLOCKS]>);
// SAFETY: a block belongs to whoever took it.
unsafe impl Sync for Blocks {}

/// Memory from the system, or if it has none, from a static reserve of 64 blocks of 1 KiB.
pub struct WithReserve {
    blocks: Blocks,
    /// A bit for each block that is in use.
    taken: AtomicU64,
}

impl WithReserve {
    /// An allocator whose reserve is full.
    pub const fn new() -> WithReserve {
        WithReserve { blocks: Blocks(UnsafeCell::new([[0; BLOCK_BYTES]; BLOCKS])), taken: AtomicU64::new(0) }
    }

    fn start(&self) -> *mut u8 {
        self.blocks.0.get().cast()
    }

    /// The number of the block at this address, if it is one of the reserve.
    fn number(&self, p: *mut u8) -> Option<usize> {
        let offset = (p as usize).wrapping_sub(self.start() as usize);
        (offset < BLOCKS * BLOCK_BYTES).then_some(offset / BLOCK_BYTES)
    }

    #[cold]
    fn take(&self, layout: Layout) -> *mut u8 {
        if layout.size() > BLOCK_BYTES || layout.align() > align_of::<Blocks>() {
            return ptr::null_mut();
        }
        let first_free = |taken: u64| (taken != u64::MAX).then(|| taken | (taken + 1));
        match self.taken.fetch_update(Ordering::Acquire, Ordering::Relaxed, first_free) {
            Ok(before) => self.start().wrapping_add(before.trailing_ones() as usize * BLOCK_BYTES),
            Err(_) => ptr::null_mut(),
        }
    }
}

impl Default for WithReserve {
    fn default() -> Self {
        WithReserve::new()
    }
}

// SAFETY: blocks of the reserve are as large and as aligned as the layouts that they are given to, and never in use
// twice; everything else is the system's.
unsafe impl GlobalAlloc for WithReserve {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let p = unsafe { System.alloc(layout) };
        if p.is_null() { self.take(layout) } else { p }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let p = unsafe { System.alloc_zeroed(layout) };
        if !p.is_null() {
            return p;
        }
        let p = self.take(layout);
        if !p.is_null() {
            // SAFETY: the block has at least this size.
            unsafe { p.write_bytes(0, layout.size()) };
        }
        p
    }

    #[inline]
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        match self.number(p) {
            None => unsafe { System.dealloc(p, layout) },
            Some(number) => _ = self.taken.fetch_and(!(1 << number), Ordering::Release),
        }
    }

    #[inline]
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if self.number(p).is_none() {
            let grown = unsafe { System.realloc(p, layout, size) };
            if !grown.is_null() {
                return grown;
            }
        }
        // SAFETY: the caller guarantees that the size, rounded up to the alignment, does not overflow.
        let other = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !other.is_null() {
            // SAFETY: both places have this many bytes, and the old one is given back.
            unsafe {
                ptr::copy_nonoverlapping(p, other, layout.size().min(size));
                self.dealloc(p, layout);
            }
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_given_once_and_taken_back() {
        let reserve = WithReserve::new();
        let layout = Layout::from_size_align(BLOCK_BYTES, 128).unwrap();
        let all: Vec<_> = (0..BLOCKS).map(|_| reserve.take(layout)).collect();
        assert!(all.iter().enumerate().all(|(i, p)| !p.is_null() && reserve.number(*p) == Some(i)));
        assert!(reserve.take(layout).is_null());
        // SAFETY: these blocks were taken above with this layout.
        unsafe {
            reserve.dealloc(all[5], layout);
            assert_eq!(reserve.take(Layout::new::<u8>()), all[5]);
            all.iter().for_each(|p| reserve.dealloc(*p, layout));
        }
        assert_eq!(reserve.taken.load(Ordering::Relaxed), 0);
        for refused in [Layout::from_size_align(BLOCK_BYTES + 1, 8), Layout::from_size_align(8, 256)] {
            assert!(reserve.take(refused.unwrap()).is_null());
        }
    }

    #[test]
    fn a_block_grows_into_the_systems_memory() {
        let reserve = WithReserve::new();
        let layout = Layout::from_size_align(100, 8).unwrap();
        let p = reserve.take(layout);
        // SAFETY: `p` has 100 bytes, and then 5000.
        unsafe {
            p.write_bytes(7, 100);
            let grown = reserve.realloc(p, layout, 5000);
            assert!(reserve.number(grown).is_none() && reserve.taken.load(Ordering::Relaxed) == 0);
            assert!(std::slice::from_raw_parts(grown, 100).iter().all(|&byte| byte == 7));
            reserve.dealloc(grown, Layout::from_size_align(5000, 8).unwrap());
        }
    }
}
