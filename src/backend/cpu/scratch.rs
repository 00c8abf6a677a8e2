//! Workspace that each thread keeps between calls, so that calls on a warm thread allocate nothing.

use crate::error::Error;
use crate::host::thread_exit::ThreadExit;
use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ffi::c_void;
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

/// A place in memory; an empty one if `bytes` is 0. Whoever holds it must release it.
#[derive(Clone, Copy)]
struct Buffer {
    p: NonNull<u8>,
    bytes: usize,
}

impl Buffer {
    const EMPTY: Buffer = Buffer { p: NonNull::dangling(), bytes: 0 };

    fn release(self) {
        if self.bytes > 0 {
            // SAFETY: allocated in `Taken::grow` with this layout.
            unsafe { dealloc(self.p.as_ptr(), Layout::from_size_align_unchecked(self.bytes, ALIGN)) };
        }
    }
}

/// A buffer in use, which is freed if the use ends in a panic.
struct Taken(Buffer);

impl Taken {
    fn grow(&mut self, bytes: usize) -> Result<(), Error> {
        if bytes <= self.0.bytes {
            return Ok(());
        }
        std::mem::replace(&mut self.0, Buffer::EMPTY).release();
        let refused = || Error::OutOfMemory(format!("{bytes} bytes of host memory"));
        let layout = Layout::from_size_align(bytes, ALIGN).map_err(|_| refused())?;
        // SAFETY: the size is not zero, because it is larger than the previous one.
        let p = NonNull::new(unsafe { alloc(layout) }).ok_or_else(refused)?;
        self.0 = Buffer { p, bytes };
        Ok(())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.release();
    }
}

type Slot = LocalKey<Cell<Buffer>>;

// None of these has a destructor, see `host::thread_exit`.
thread_local! {
    static BUFFER: Cell<Buffer> = const { Cell::new(Buffer::EMPTY) };
    static OUTER: Cell<Buffer> = const { Cell::new(Buffer::EMPTY) };
    /// Whether the buffers are freed at the end of this thread.
    static IS_FREED: Cell<bool> = const { Cell::new(false) };
}

static AT_EXIT: ThreadExit = ThreadExit::new(free_all);

unsafe extern "C" fn free_all(_: *mut c_void) {
    IS_FREED.set(false);
    [&BUFFER, &OUTER].into_iter().for_each(|slot| slot.replace(Buffer::EMPTY).release());
}

fn is_freed_at_exit() -> bool {
    let asked = IS_FREED.get() || AT_EXIT.ask();
    IS_FREED.set(asked);
    asked
}

/// Calls `f` with this thread's buffer: at least `bytes` bytes, aligned to a cache line, contents unspecified.
///
/// The buffer is taken out of its slot meanwhile, so a nested call from within `f` gets a buffer of its own.
pub fn with<R>(bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    with_buffer(&BUFFER, bytes, f)
}

/// [`with`] a second buffer, for callers that run other routines within `f`, which use the first one.
pub fn with_outer<R>(bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    with_buffer(&OUTER, bytes, f)
}

fn with_buffer<R>(of: &'static Slot, bytes: usize, f: impl FnOnce(*mut u8) -> R) -> Result<R, Error> {
    let mut taken = Taken(of.replace(Buffer::EMPTY));
    taken.grow(bytes)?;
    let r = f(taken.0.p.as_ptr());
    if taken.0.bytes <= MAX_KEPT_BYTES && is_freed_at_exit() {
        // What a nested call left there is freed instead.
        taken.0 = of.replace(taken.0);
    }
    Ok(r)
}
