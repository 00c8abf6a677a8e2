//! Workspace that each thread keeps between calls, so that calls on a warm thread allocate nothing.

use crate::error::Error;
use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ptr::NonNull;
use std::thread::LocalKey;

const ALIGN: usize = 64;

/// Lays out the parts of a buffer one after another, each aligned to a cache line. Sizes are in numbers of type R.
pub struct Arena<R> {
    end: usize,
    number: std::marker::PhantomData<R>,
}

impl<R> Arena<R> {
    /// An empty layout.
    #[inline(always)]
    pub const fn new() -> Self {
        Arena { end: 0, number: std::marker::PhantomData }
    }
    /// Appends a part of `numbers` numbers and returns its offset. `None` if the size overflows.
    #[inline(always)]
    pub fn part(&mut self, numbers: usize) -> Option<usize> {
        let start = self.end;
        self.end = start.checked_add(numbers)?.checked_next_multiple_of(ALIGN / size_of::<R>())?;
        Some(start)
    }
    /// Total size in bytes. `None` if it overflows.
    #[inline(always)]
    pub fn bytes(&self) -> Option<usize> {
        self.end.checked_mul(size_of::<R>())
    }
}
/// Buffers of more bytes than this are freed at the end of the call.
const MAX_KEPT_BYTES: usize = 64 << 20;

struct Buffer {
    p: NonNull<u8>,
    bytes: usize,
}

impl Buffer {
    const EMPTY: Buffer = Buffer { p: NonNull::dangling(), bytes: 0 };

    fn release(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        if bytes > 0 {
            // SAFETY: allocated in `grow` with this layout.
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
        // SAFETY: the size is not zero, because `bytes > self.bytes`.
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

/// Calls `f` with this thread's buffer: at least `bytes` bytes, aligned to a cache line, contents unspecified.
///
/// The buffer is taken out of its slot meanwhile, so a nested call from within `f` gets a buffer of its own, as does a
/// call from a thread that is being torn down.
pub fn with<R>(bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    with_buffer(&BUFFER, bytes, f)
}

/// [`with`] a second buffer, for callers that run other routines within `f`, which use the first one.
pub fn with_outer<R>(bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    with_buffer(&OUTER, bytes, f)
}

fn with_buffer<R>(of: &'static LocalKey<Cell<Buffer>>, bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    let mut b = of.try_with(Cell::take).unwrap_or(Buffer::EMPTY);
    b.grow(bytes)?;
    let r = f(b.p.as_ptr());
    if b.bytes <= MAX_KEPT_BYTES {
        let _ = of.try_with(|kept| kept.set(b));
    }
    Ok(r)
}
