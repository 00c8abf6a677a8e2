//! What a backend provides beside the routines: a device's memory, streams and events, and auxiliary operations.

use crate::error::Error;
use crate::{Assign, GeqrfExtract, Operation, PanelStep, Stream};
use std::ffi::c_void;

/// A backend's memory space and execution resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Host memory and host threads.
    Cpu = 1,
    /// Device memory on the caller's current CUDA device.
    Cuda = 2,
}

impl Kind {
    /// The name in `TEPHRA_BACKEND` and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Cpu => "cpu",
            Kind::Cuda => "cuda",
        }
    }
}

/// Properties of a device, for `tephra info` and MAGMA's device queries. On the CPU backend, of the host.
#[derive(Clone, Debug, Default)]
pub struct DeviceInfo {
    /// Marketing name.
    pub name: String,
    /// Compute capability * 10 (90 for sm_90); 0 on the CPU backend.
    pub arch: u32,
    /// Streaming multiprocessors, or host threads.
    pub multiprocessors: u32,
    /// Maximum threads per block.
    pub threads_per_block: u32,
    /// Maximum resident threads per multiprocessor.
    pub threads_per_multiprocessor: u32,
    /// Shared memory per block in bytes, without opting in.
    pub shared_per_block: usize,
    /// Shared memory per block in bytes, with opting in.
    pub shared_per_block_optin: usize,
    /// Shared memory per multiprocessor in bytes.
    pub shared_per_multiprocessor: usize,
    /// Total memory in bytes.
    pub memory: usize,
}

/// A backend's devices, memory, streams and events.
///
/// # Safety
/// Pointers must be valid in the backend's memory space for the given sizes.
#[allow(missing_docs)] // the names are CUDA's
pub trait Device: Sync {
    // Devices. The CPU backend has one, number 0.
    fn device_count(&self) -> i32;
    fn current_device(&self) -> Result<i32, Error>;
    fn set_device(&self, device: i32) -> Result<(), Error>;
    fn device_info(&self, device: i32) -> Result<DeviceInfo, Error>;
    /// (free, total) bytes of the current device.
    fn memory_info(&self) -> Result<(usize, usize), Error>;
    /// 1 for device memory, 0 for host memory, -1 if unknown (`magma_is_devptr`). Always 1 on the CPU backend.
    fn is_device_pointer(&self, p: *const c_void) -> i32;

    // Memory.
    fn alloc(&self, bytes: usize) -> Result<*mut c_void, Error>;
    unsafe fn free(&self, p: *mut c_void) -> Result<(), Error>;
    fn alloc_pinned(&self, bytes: usize) -> Result<*mut c_void, Error>;
    unsafe fn free_pinned(&self, p: *mut c_void) -> Result<(), Error>;
    /// Copies `height` rows of `width` bytes, with pitches in bytes. The pointers imply the direction.
    unsafe fn copy_2d_async(
        &self,
        dst: *mut c_void,
        dst_pitch: usize,
        src: *const c_void,
        src_pitch: usize,
        width: usize,
        height: usize,
        stream: Stream,
    ) -> Result<(), Error>;
    unsafe fn memset_async(&self, p: *mut c_void, value: u8, bytes: usize, stream: Stream) -> Result<(), Error>;

    // Streams and events.
    /// Creates a stream that synchronises implicitly with the legacy default stream, as MAGMA's queues do.
    fn stream_create(&self) -> Result<Stream, Error>;
    unsafe fn stream_destroy(&self, s: Stream) -> Result<(), Error>;
    unsafe fn stream_synchronize(&self, s: Stream) -> Result<(), Error>;
    unsafe fn stream_wait_event(&self, s: Stream, event: *mut c_void) -> Result<(), Error>;
    fn event_create(&self, timed: bool) -> Result<*mut c_void, Error>;
    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<(), Error>;
    unsafe fn event_record(&self, event: *mut c_void, s: Stream) -> Result<(), Error>;
    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool, Error>;
    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<(), Error>;
    /// Milliseconds between two recorded events that were created with `timed`.
    unsafe fn event_elapsed_ms(&self, start: *mut c_void, end: *mut c_void) -> Result<f32, Error>;

    /// Allocates memory in stream order, for ABIs whose callers pass no workspace. A graph captures both the allocation
    /// and [`Device::free_async`]. The memory comes from the device's default pool; how much of it the pool keeps
    /// across a synchronisation is up to the program (CUDA's release threshold, 0 by default).
    fn alloc_async(&self, bytes: usize, stream: Stream) -> Result<*mut c_void, Error>;
    /// Frees memory of [`Device::alloc_async`] in stream order.
    unsafe fn free_async(&self, p: *mut c_void, stream: Stream) -> Result<(), Error>;
}

/// A backend apart from its routines: its device, and auxiliary operations. These are ordered on their stream, allocate
/// nothing and do not synchronise; on the CPU backend they are complete on return. Routines run through each backend's
/// own trait `Run`, which is selected by [`Kind`].
///
/// # Safety
/// As for [`Device`].
#[allow(missing_docs)]
pub trait Runtime: Device {
    fn kind(&self) -> Kind;

    // MAGMA's auxiliary operations.
    /// `out[i] = base + offset_bytes + i * stride_bytes` (MAGMA's `set_pointer`).
    unsafe fn set_pointers(
        &self,
        out: *mut *mut c_void,
        base: *mut c_void,
        offset_bytes: i64,
        stride_bytes: i64,
        batch: i64,
        stream: Stream,
    ) -> Result<(), Error>;
    /// Copies or fills matrices or their triangles. The arguments must have been checked, and there must be work.
    unsafe fn assign(&self, p: &Assign, stream: Stream) -> Result<(), Error>;
    /// The parts of a factorisation that are not routines. The arguments must have been checked, and there must be
    /// work.
    unsafe fn panel(&self, step: &PanelStep, stream: Stream) -> Result<(), Error>;
    /// Extracts R and T from a finished factorisation, see [`GeqrfExtract`].
    unsafe fn geqrf_extract(&self, p: &GeqrfExtract, stream: Stream) -> Result<(), Error>;

    // Queries about routines.
    /// Bytes of workspace that an operation needs, 0 if none.
    fn workspace(&self, op: &Operation) -> Result<usize, Error>;
    /// A human-readable description of an operation's plan (`tephra explain`).
    fn explain(&self, op: &Operation) -> Result<String, Error>;
    /// Loads ahead of time what the first call of an operation would load. This may wait until the device is idle.
    fn prepare(&self, op: &Operation) -> Result<(), Error>;
    /// The plans that can be pinned for an operation (`tephra tune`), one per line: the text that `set_allowed` takes
    /// and, for plans made for matrices up to some size, the numbers of rows and columns of that size.
    fn candidates(&self, op: &Operation) -> Result<String, Error>;
}
