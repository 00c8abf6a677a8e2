//! What a backend offers beside routines.

use crate::error::Error;
use crate::{Assign, GeqrfExtract, Operation, PanelStep, Stream};
use std::ffi::c_void;

/// Where work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Host memory, host threads.
    Cpu = 1,
    /// Device memory, the caller's current CUDA device.
    Cuda = 2,
}

impl Kind {
    /// Its name in `TEPHRA_BACKEND` and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Cpu => "cpu",
            Kind::Cuda => "cuda",
        }
    }
}

/// One device, as `tephra info` and MAGMA's device queries show it. On the CPU backend: the host.
#[derive(Clone, Debug, Default)]
pub struct DeviceInfo {
    /// Marketing name.
    pub name: String,
    /// Compute capability * 10 (90 for sm_90); 0 on the CPU backend.
    pub arch: u32,
    /// Streaming multiprocessors, or host threads.
    pub multiprocessors: u32,
    /// Largest thread block.
    pub threads_per_block: u32,
    /// Resident threads of a multiprocessor.
    pub threads_per_multiprocessor: u32,
    /// Shared memory of a block, without opting in.
    pub shared_per_block: usize,
    /// Shared memory of a block, opted in.
    pub shared_per_block_optin: usize,
    /// Shared memory of a multiprocessor.
    pub shared_per_multiprocessor: usize,
    /// Total memory.
    pub memory: usize,
}

/// A backend: memory, streams and what beside routines is done there. What it does is ordered on its stream, allocates nothing
/// and does not synchronise; on the CPU backend it is finished when it returns. Routines are run by each backend's own trait
/// `Run`, as the backend's kind says.
///
/// # Safety
/// Pointers must be valid in the backend's memory space for the sizes named.
#[allow(missing_docs)] // the names are CUDA's
pub trait Runtime: Sync {
    fn kind(&self) -> Kind;

    // Devices. On the CPU backend there is one, number 0.
    fn device_count(&self) -> i32;
    fn current_device(&self) -> Result<i32, Error>;
    fn set_device(&self, device: i32) -> Result<(), Error>;
    fn device_info(&self, device: i32) -> Result<DeviceInfo, Error>;
    /// (free, total) bytes of the current device.
    fn memory_info(&self) -> Result<(usize, usize), Error>;
    /// 1 device memory, 0 host memory, -1 unknown (`magma_is_devptr`); on the CPU backend always 1.
    fn is_device_pointer(&self, p: *const c_void) -> i32;

    // Memory.
    fn alloc(&self, bytes: usize) -> Result<*mut c_void, Error>;
    unsafe fn free(&self, p: *mut c_void) -> Result<(), Error>;
    fn alloc_pinned(&self, bytes: usize) -> Result<*mut c_void, Error>;
    unsafe fn free_pinned(&self, p: *mut c_void) -> Result<(), Error>;
    /// Any direction: the pointers say which memory they are in. `height` rows of `width` bytes, pitches in bytes.
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
    /// A stream with implicit ordering against the legacy default stream, as MAGMA's queues have.
    fn stream_create(&self) -> Result<Stream, Error>;
    unsafe fn stream_destroy(&self, s: Stream) -> Result<(), Error>;
    unsafe fn stream_synchronize(&self, s: Stream) -> Result<(), Error>;
    unsafe fn stream_wait_event(&self, s: Stream, event: *mut c_void) -> Result<(), Error>;
    fn event_create(&self, timed: bool) -> Result<*mut c_void, Error>;
    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<(), Error>;
    unsafe fn event_record(&self, event: *mut c_void, s: Stream) -> Result<(), Error>;
    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool, Error>;
    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<(), Error>;
    /// Milliseconds between two recorded timed events.
    unsafe fn event_elapsed_ms(&self, start: *mut c_void, end: *mut c_void) -> Result<f32, Error>;

    // What MAGMA's interface has beside routines.
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
    /// Matrices, or their triangles, copied or filled; arguments were checked, there is work.
    unsafe fn assign(&self, p: &Assign, stream: Stream) -> Result<(), Error>;
    /// What beside routines a factorisation is made of; arguments were checked, there is work.
    unsafe fn panel(&self, step: &PanelStep, stream: Stream) -> Result<(), Error>;
    /// R and T of a finished factorisation, see [`GeqrfExtract`].
    unsafe fn geqrf_extract(&self, p: &GeqrfExtract, stream: Stream) -> Result<(), Error>;

    // What is asked of routines.
    /// Bytes of workspace that an operation needs (0 for those without one).
    fn workspace(&self, op: &Operation) -> Result<usize, Error>;
    /// The plan of an operation, for people (`tephra explain`).
    fn explain(&self, op: &Operation) -> Result<String, Error>;
    /// Loads what an operation's first call else loads, for which it may wait until the device has ended what it is doing.
    fn prepare(&self, op: &Operation) -> Result<(), Error>;
    /// The plans that can be pinned for an operation (`tephra tune`), a line each: the text that
    /// `set_allowed` takes, and of plans made for matrices up to a size that many rows and columns.
    fn candidates(&self, op: &Operation) -> Result<String, Error>;
    /// Memory for the time between two points of a stream, for ABIs whose callers bring no workspace: taken and given
    /// back in stream order (a graph captures both), from the device's default pool: what that keeps past a
    /// synchronisation is the program's to say (CUDA's release threshold, 0 unless set).
    fn scratch(&self, bytes: usize, stream: Stream) -> Result<*mut c_void, Error>;
    /// Gives [`Runtime::scratch`] memory back, in stream order.
    unsafe fn scratch_free(&self, p: *mut c_void, stream: Stream) -> Result<(), Error>;
}
