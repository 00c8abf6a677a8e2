//! Collectives through host memory: directly if the operands are there, otherwise staged in pinned memory.

use super::{Scene, TAIL, Transport};
use crate::failure::Failure;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::time::Duration;
use tephra_core::Error;
use tephra_core::backend::{Kind, Runtime};

/// Collectives in host memory. `patience` is the timeout for other ranks.
pub trait Host {
    fn gather(&self, mine: &[u8], all: &mut [u8], patience: Duration) -> Result<(), Failure>;
    fn broadcasts(&self) -> bool {
        true
    }
    /// Sends the buffer of rank 0 to all ranks.
    fn broadcast(&self, buffer: &mut [u8], patience: Duration) -> Result<(), Failure>;
}

/// The same collectives for operands in the backend's memory.
pub struct Hosts<H> {
    host: H,
    size: usize,
    /// Pinned memory, its size and the backend that allocated it. Kept between calls.
    room: Cell<(*mut c_void, usize, Option<&'static dyn Runtime>)>,
}

impl<H> Hosts<H> {
    pub fn new(host: H, size: usize) -> Self {
        Hosts { host, size, room: Cell::new((null_mut(), 0, None)) }
    }

    pub fn host(&self) -> &H {
        &self.host
    }

    /// Pinned memory of at least `bytes` bytes.
    fn room(&self, runtime: &'static dyn Runtime, bytes: usize) -> Result<*mut c_void, Error> {
        let (have, size, _) = self.room.get();
        if size >= bytes {
            return Ok(have);
        }
        self.give_room_back();
        let p = runtime.alloc_pinned(bytes)?;
        self.room.set((p, bytes, Some(runtime)));
        Ok(p)
    }

    fn give_room_back(&self) {
        if let (p, _, Some(runtime)) = self.room.replace((null_mut(), 0, None)) {
            // SAFETY: allocated by `room`, and no copy to or from it is in flight, since each was waited for.
            _ = unsafe { runtime.free_pinned(p) };
        }
    }
}

impl<H> Drop for Hosts<H> {
    fn drop(&mut self) {
        self.give_room_back();
    }
}

/// Fails with the first rank whose message says that the rank failed.
fn all_well(messages: &[u8], bytes: usize) -> Result<(), Failure> {
    let failed = |message: &[u8]| message[bytes - TAIL..].iter().any(|&byte| byte != 0);
    match messages.chunks_exact(bytes).position(failed) {
        Some(rank) => Err(Failure::Communication(format!("rank {rank} failed in the course of the call"))),
        None => Ok(()),
    }
}

impl<H: Host> Transport for Hosts<H> {
    fn agree(&self, scene: &Scene, mine: &[u8], all: &mut [u8]) -> Result<(), Failure> {
        self.host.gather(mine, all, scene.patience)
    }

    unsafe fn gather(
        &self,
        scene: &Scene,
        send: *const c_void,
        receive: *mut c_void,
        bytes: usize,
    ) -> Result<(), Failure> {
        let total = bytes * self.size;
        if scene.runtime.kind() == Kind::Cpu {
            // SAFETY: the caller guarantees both buffers, and on this backend all memory is host memory.
            let (mine, all) =
                unsafe { (from_raw_parts(send.cast(), bytes), from_raw_parts_mut(receive.cast(), total)) };
            self.host.gather(mine, all, scene.patience)?;
            return all_well(all, bytes);
        }
        // A rank that cannot stage its message still takes part with a failure message, so that no other rank waits for
        // it.
        let staged = self.room(scene.runtime, bytes + total).and_then(|room| {
            unsafe { scene.runtime.copy_2d_async(room, bytes, send, bytes, bytes, 1, scene.stream)? };
            unsafe { scene.runtime.stream_synchronize(scene.stream)? };
            Ok(room)
        });
        let room = match staged {
            Ok(room) => room,
            Err(error) => {
                self.host.gather(&vec![255; bytes], &mut vec![0; total], scene.patience)?;
                return Err(error.into());
            }
        };
        // SAFETY: the pinned memory has this size, and nothing else uses it.
        let (mine, all) =
            unsafe { (from_raw_parts(room.cast(), bytes), from_raw_parts_mut(room.cast::<u8>().add(bytes), total)) };
        self.host.gather(mine, all, scene.patience)?;
        all_well(all, bytes)?;
        let from = all.as_ptr().cast();
        unsafe { scene.runtime.copy_2d_async(receive, total, from, total, total, 1, scene.stream)? };
        unsafe { scene.runtime.stream_synchronize(scene.stream) }.map_err(Failure::from)
    }

    fn broadcasts(&self) -> bool {
        self.host.broadcasts()
    }

    unsafe fn broadcast(&self, scene: &Scene, buffer: *mut c_void, bytes: usize) -> Result<(), Failure> {
        if scene.runtime.kind() == Kind::Cpu {
            // SAFETY: the caller guarantees the buffer.
            let message = unsafe { from_raw_parts_mut(buffer.cast(), bytes) };
            self.host.broadcast(message, scene.patience)?;
            return all_well(message, bytes);
        }
        let staged = self.room(scene.runtime, bytes).and_then(|room| {
            unsafe { scene.runtime.copy_2d_async(room, bytes, buffer, bytes, bytes, 1, scene.stream)? };
            unsafe { scene.runtime.stream_synchronize(scene.stream)? };
            Ok(room)
        });
        let room = match staged {
            Ok(room) => room,
            Err(error) => {
                self.host.broadcast(&mut vec![255; bytes], scene.patience)?;
                return Err(error.into());
            }
        };
        // SAFETY: the pinned memory has this size.
        let message = unsafe { from_raw_parts_mut(room.cast(), bytes) };
        self.host.broadcast(message, scene.patience)?;
        all_well(message, bytes)?;
        unsafe { scene.runtime.copy_2d_async(buffer, bytes, room, bytes, bytes, 1, scene.stream)? };
        unsafe { scene.runtime.stream_synchronize(scene.stream) }.map_err(Failure::from)
    }
}
