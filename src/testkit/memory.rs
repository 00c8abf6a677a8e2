//! Memory of the backend, freed on drop.

use crate::{Library, Result, Scalar};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `tephra_malloc`: device memory; host memory on the CPU backend.
    Device,
    /// `magma_malloc_pinned`: page-locked host memory that the device can read.
    Pinned,
}

/// An allocation, freed on drop.
pub struct Memory {
    library: &'static Library,
    kind: Kind,
    pointer: *mut c_void,
    bytes: usize,
}

// SAFETY: the value owns a plain allocation, and the library's memory functions may be called from any thread.
unsafe impl Send for Memory {}
unsafe impl Sync for Memory {}

impl Memory {
    /// Allocates `bytes` bytes, but at least one, so that the pointer is not NULL.
    pub fn new(library: &'static Library, kind: Kind, bytes: usize) -> Result<Self> {
        let pointer = match kind {
            Kind::Device => library.malloc(bytes.max(1))?,
            Kind::Pinned => library.malloc_pinned(bytes.max(1))?,
        };
        Ok(Memory { library, kind, pointer, bytes })
    }

    /// The start of the memory.
    pub fn pointer(&self) -> *mut c_void {
        self.pointer
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Copies plain values to the start of the memory and waits.
    pub fn write<T: Copy>(&self, data: &[T]) -> Result<()> {
        assert!(size_of_val(data) <= self.bytes);
        // SAFETY: the size was checked, and the host slice is valid.
        unsafe { self.library.memcpy(self.pointer, data.as_ptr().cast(), size_of_val(data), null_mut()) }
    }

    /// Copies the start of the memory into plain values and waits.
    pub fn read<T: Copy>(&self, data: &mut [T]) -> Result<()> {
        assert!(size_of_val(data) <= self.bytes);
        // SAFETY: as above.
        unsafe { self.library.memcpy(data.as_mut_ptr().cast(), self.pointer, size_of_val(data), null_mut()) }
    }

    /// Allocates device memory that holds a copy of `data`.
    pub fn from_slice<T: Scalar>(library: &'static Library, data: &[T]) -> Result<Self> {
        let memory = Self::new(library, Kind::Device, size_of_val(data))?;
        memory.write(data)?;
        Ok(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: `new` allocated it, and it is freed only here. An error here would already have shown in an earlier
        // copy.
        let _ = unsafe {
            match self.kind {
                Kind::Device => self.library.free(self.pointer),
                Kind::Pinned => self.library.free_pinned(self.pointer),
            }
        };
    }
}

/// A stream of the library, destroyed on drop.
pub struct Stream {
    library: &'static Library,
    raw: *mut c_void,
}

// SAFETY: streams may be used from any thread.
unsafe impl Send for Stream {}

impl Stream {
    /// Creates a stream.
    pub fn new(library: &'static Library) -> Result<Self> {
        Ok(Stream { library, raw: library.stream_create()? })
    }

    /// The raw stream.
    pub fn raw(&self) -> *mut c_void {
        self.raw
    }

    /// Waits for all work of the stream.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the stream is alive.
        unsafe { self.library.stream_synchronize(self.raw) }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let _ = unsafe { self.library.stream_destroy(self.raw) };
    }
}
