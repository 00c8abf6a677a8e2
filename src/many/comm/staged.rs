//! Collectives through host memory: directly if the operands are there, otherwise staged in pinned memory.

use super::{Context, TAIL, Transport};
use crate::failure::Failure;
use crate::memory::filled;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::time::Duration;
use tephra_core::Error;
use tephra_core::backend::{Kind, Runtime};

/// Collectives in host memory. `timeout` bounds the wait for other ranks.
pub trait HostCollectives {
    /// Makes room for messages of up to this many bytes, if they need any.
    fn make_room(&self, bytes: usize) -> Result<(), Error> {
        _ = bytes;
        Ok(())
    }
    fn gather(&self, mine: &[u8], all: &mut [u8], timeout: Duration) -> Result<(), Failure>;
    fn broadcasts(&self) -> bool {
        true
    }
    /// Sends the buffer of rank 0 to all ranks.
    fn broadcast(&self, buffer: &mut [u8], timeout: Duration) -> Result<(), Failure>;
}

/// The same collectives for operands in the backend's memory.
pub struct Staged<C> {
    collectives: C,
    size: usize,
    /// Pinned memory, its size and the backend that allocated it. Kept between calls.
    staging: Cell<(*mut c_void, usize, Option<&'static dyn Runtime>)>,
}

impl<C> Staged<C> {
    pub fn new(collectives: C, size: usize) -> Self {
        Staged { collectives, size, staging: Cell::new((null_mut(), 0, None)) }
    }

    pub fn collectives(&self) -> &C {
        &self.collectives
    }

    /// Pinned memory of at least `bytes` bytes.
    fn staging(&self, runtime: &'static dyn Runtime, bytes: usize) -> Result<*mut c_void, Error> {
        let (have, size, _) = self.staging.get();
        if size >= bytes {
            return Ok(have);
        }
        self.free_staging();
        let p = runtime.alloc_pinned(bytes)?;
        self.staging.set((p, bytes, Some(runtime)));
        Ok(p)
    }

    fn free_staging(&self) {
        if let (p, _, Some(runtime)) = self.staging.replace((null_mut(), 0, None)) {
            // SAFETY: allocated by `staging`, and no copy to or from it is in flight, since each was waited for.
            _ = unsafe { runtime.free_pinned(p) };
        }
    }
}

impl<C> Drop for Staged<C> {
    fn drop(&mut self) {
        self.free_staging();
    }
}

/// Fails with the first rank whose message says that the rank failed.
fn check_messages(messages: &[u8], bytes: usize) -> Result<(), Failure> {
    let failed = |message: &[u8]| message[bytes - TAIL..].iter().any(|&byte| byte != 0);
    match messages.chunks_exact(bytes).position(failed) {
        Some(rank) => Err(Failure::Communication(format!("rank {rank} failed in the course of the call"))),
        None => Ok(()),
    }
}

impl<C: HostCollectives> Transport for Staged<C> {
    fn make_room(&self, context: &Context, bytes: usize) -> Result<(), Error> {
        self.collectives.make_room(bytes)?;
        if context.runtime.kind() == Kind::Cpu {
            return Ok(());
        }
        let total = bytes.checked_mul(self.size).and_then(|total| total.checked_add(bytes));
        let total = total.ok_or_else(|| Error::OutOfMemory("more bytes than can be counted".into()))?;
        self.staging(context.runtime, total).map(|_| ())
    }

    fn agree(&self, context: &Context, mine: &[u8], all: &mut [u8]) -> Result<(), Failure> {
        self.collectives.gather(mine, all, context.timeout)
    }

    unsafe fn gather(
        &self,
        context: &Context,
        send: *const c_void,
        receive: *mut c_void,
        bytes: usize,
    ) -> Result<(), Failure> {
        let total = bytes * self.size;
        if context.runtime.kind() == Kind::Cpu {
            // SAFETY: the caller guarantees both buffers, and on this backend all memory is host memory.
            let (mine, all) =
                unsafe { (from_raw_parts(send.cast(), bytes), from_raw_parts_mut(receive.cast(), total)) };
            self.collectives.gather(mine, all, context.timeout)?;
            return check_messages(all, bytes);
        }
        // A rank that cannot stage its message still takes part with a failure message, so that no other rank waits for
        // it.
        let staged = self.staging(context.runtime, bytes + total).and_then(|staging| {
            unsafe { context.runtime.copy_2d_async(staging, bytes, send, bytes, bytes, 1, context.stream)? };
            unsafe { context.runtime.stream_synchronize(context.stream)? };
            Ok(staging)
        });
        let staging = match staged {
            Ok(staging) => staging,
            Err(error) => {
                self.collectives.gather(&filled(bytes, 255)?, &mut filled(total, 0)?, context.timeout)?;
                return Err(error.into());
            }
        };
        // SAFETY: the pinned memory has this size, and nothing else uses it.
        let (mine, all) = unsafe {
            (from_raw_parts(staging.cast(), bytes), from_raw_parts_mut(staging.cast::<u8>().add(bytes), total))
        };
        self.collectives.gather(mine, all, context.timeout)?;
        check_messages(all, bytes)?;
        let from = all.as_ptr().cast();
        unsafe { context.runtime.copy_2d_async(receive, total, from, total, total, 1, context.stream)? };
        unsafe { context.runtime.stream_synchronize(context.stream) }.map_err(Failure::from)
    }

    fn broadcasts(&self) -> bool {
        self.collectives.broadcasts()
    }

    unsafe fn broadcast(&self, context: &Context, buffer: *mut c_void, bytes: usize) -> Result<(), Failure> {
        if context.runtime.kind() == Kind::Cpu {
            // SAFETY: the caller guarantees the buffer.
            let message = unsafe { from_raw_parts_mut(buffer.cast(), bytes) };
            self.collectives.broadcast(message, context.timeout)?;
            return check_messages(message, bytes);
        }
        let staged = self.staging(context.runtime, bytes).and_then(|staging| {
            unsafe { context.runtime.copy_2d_async(staging, bytes, buffer, bytes, bytes, 1, context.stream)? };
            unsafe { context.runtime.stream_synchronize(context.stream)? };
            Ok(staging)
        });
        let staging = match staged {
            Ok(staging) => staging,
            Err(error) => {
                self.collectives.broadcast(&mut filled(bytes, 255)?, context.timeout)?;
                return Err(error.into());
            }
        };
        // SAFETY: the pinned memory has this size.
        let message = unsafe { from_raw_parts_mut(staging.cast(), bytes) };
        self.collectives.broadcast(message, context.timeout)?;
        check_messages(message, bytes)?;
        unsafe { context.runtime.copy_2d_async(buffer, bytes, staging, bytes, bytes, 1, context.stream)? };
        unsafe { context.runtime.stream_synchronize(context.stream) }.map_err(Failure::from)
    }
}
