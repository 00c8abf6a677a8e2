//! Working memory that each thread keeps between calls, so that a call allocates nothing once its thread is warm.

use crate::error::Error;
use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ptr::NonNull;
use std::thread::LocalKey;

const ALIGN: usize = 64;

/// Lays the parts of a buffer out one after another, each from a cache line on; sizes in numbers of type R.
pub struct Arena<R> {
    end: usize,
    number: std::marker::PhantomData<R>,
}

impl<R> Arena<R> {
    /// Nothing in it.
    #[inline(always)]
    pub const fn new() -> Self {
        Arena { end: 0, number: std::marker::PhantomData }
    }
    /// Where the next part of `numbers` starts; `None`: the size overflows.
    #[inline(always)]
    pub fn part(&mut self, numbers: usize) -> Option<usize> {
        let start = self.end;
        self.end = start.checked_add(numbers)?.checked_next_multiple_of(ALIGN / size_of::<R>())?;
        Some(start)
    }
    /// Bytes of the whole.
    #[inline(always)]
    pub fn bytes(&self) -> Option<usize> {
        self.end.checked_mul(size_of::<R>())
    }
}
/// More than this is given back at the end of the call.
const KEEP: usize = 64 << 20;

struct Buffer {
    p: NonNull<u8>,
    bytes: usize,
}

impl Buffer {
    const EMPTY: Buffer = Buffer { p: NonNull::dangling(), bytes: 0 };

    fn release(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        if bytes > 0 {
            // SAFETY: allocated below with this very layout.
            unsafe { dealloc(self.p.as_ptr(), Layout::from_size_align_unchecked(bytes, ALIGN)) };
        }
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Error> {
        if bytes <= self.bytes {
            return Ok(());
        }
        self.release();
        let refused = || Error::OutOfMemory(format!("{bytes} bytes of host memory"));
        let layout = Layout::from_size_align(bytes, ALIGN).map_err(|_| refused())?;
        // SAFETY: bytes > 0 here.
        self.p = NonNull::new(unsafe { alloc(layout) }).ok_or_else(refused)?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Buffer::EMPTY
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.release();
    }
}

thread_local! {
    static BUFFER: Cell<Buffer> = const { Cell::new(Buffer::EMPTY) };
    static OUTER: Cell<Buffer> = const { Cell::new(Buffer::EMPTY) };
}

/// Calls `f` with this thread's buffer of at least `bytes` bytes, aligned to a cache line, content unspecified.
///
/// The buffer is taken while it is used: a call from within `f` (a thread that waits for its helpers may be given other
/// work), or from a thread that is ending, gets one of its own.
pub fn with<R>(bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    with_buffer(&BUFFER, bytes, f)
}

/// [`with`] another buffer, for what calls other routines from within `f`, whose own is kept beside it.
pub fn with_outer<R>(bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    with_buffer(&OUTER, bytes, f)
}

fn with_buffer<R>(of: &'static LocalKey<Cell<Buffer>>, bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    let mut b = of.try_with(Cell::take).unwrap_or(Buffer::EMPTY);
    b.grow(bytes)?;
    let r = f(b.p.as_ptr());
    if b.bytes <= KEEP {
        let _ = of.try_with(|kept| kept.set(b));
    }
    Ok(r)
}
