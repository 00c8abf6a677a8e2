//! The CPU backend: the same semantics on host memory, multi-threaded over the batch.
//!
//! Every pointer is host memory, streams are synchronous, and operations are finished when they return.
//!
//! The interface is not generic over the element type: callers use only [`of`] and [`runtime`], so the kernels are
//! instantiated in this crate and nowhere else. For the same reason the tests are a separate program, `tests/`; unit
//! tests in this crate would not be run.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `run` | maps an operation to the code that executes it |
//! | `choice` | the plan for a shape |
//! | `geqrf` | carries out that plan over the batch |
//! | `unblocked`, `blocked` | QR of one matrix in packed form (`packed`); `householder`: one reflector |
//! | `interleaved` | many small matrices at once, one per vector lane: QR, Q, LU, Cholesky, triangular solves |
//! | `geqp3` | QR with column pivoting |
//! | `geqr` | tree QR (TSQR), and applying its implicit Q |
//! | `extract` | R and T of a completed factorisation |
//! | `over_batch` | what the other routines share: the loop over the batch, compiled for every instruction set |
//! | `team` | threads that share one large matrix |
//! | `reflectors` | Q of one packed matrix, applied or generated |
//! | `orgqr`, `ormqr`, `qr`, `gels`, `trsm` | the routines that follow QR, on callers' memory (`view`, `transposed`) |
//! | `thin_q` | Q of low order, applied from the right |
//! | `few_rhs` | triangular systems with few right-hand sides |
//! | `systems` | batches whose members have sizes of their own |
//! | `small_members` | small members of such batches, several at once, one per vector lane |
//! | `gelsy` | least squares for matrices of any rank; `trapezoid`: the reduction of rows to a triangle |
//! | `gels_iterative` | iterative least squares |
//! | `gemm`, `gemv` | matrix products and matrix-vector products; `tile`: the register tile of the former |
//! | `lu` | LU factorisations and the routines that use them |
//! | `cholesky` | Cholesky factorisations and the routines that use them |
//! | `narrow`, `halves` | routines on 16-bit matrices; the 16-bit formats |
//! | `blas` | the other BLAS routines: triangular and symmetric products, sums, copies |
//! | `assign` | copying, and filling with a constant |
//! | `panel` | what MAGMA's LU has beside whole routines: panels of blocks, exchanges of rows and columns |
//! | `simd`, `batch`, `scratch` | instruction sets, callers' memory, workspace |
//! | `threads`, `thread_pool`, `modes` | host threads, the pool of helpers, floating-point modes |
//! | `memory`, `event` | the runtime's memory, streams and events |

#![warn(missing_docs)]

#[macro_use]
mod macros;
mod assign;
mod batch;
mod blas;
mod blocked;
mod choice;
mod cholesky;
mod divisor;
mod event;
mod extract;
mod few_rhs;
mod gels;
mod gels_iterative;
mod gelsy;
mod gemm;
mod gemv;
mod geqp3;
mod geqr;
mod geqrf;
mod halves;
mod householder;
mod interleaved;
mod lu;
mod memory;
mod modes;
mod narrow;
mod orgqr;
mod ormqr;
mod over_batch;
mod packed;
mod panel;
mod qr;
mod reflectors;
mod run;
mod scratch;
mod simd;
mod small_members;
mod systems;
mod team;
mod thin_q;
mod thread_pool;
mod threads;
mod tile;
mod transposed;
mod trapezoid;
mod trsm;
mod unblocked;
mod view;

use error::Error;
use routine::runtime::{Device, DeviceInfo, Kind, Runtime};
use routine::{Assign, GeqrfExtract, Operation, PanelStep, Stream};
pub use run::{Run, of};
use std::ffi::c_void;
use tephra_host as host;
use tephra_host::settings as plan;
use tephra_routine::{self as routine, error, scalar};

/// Internals for the tests: configurations that no caller can choose, and individual components.
#[doc(hidden)]
pub mod parts {
    pub use crate::choice::{Algorithm, Choice, Distribution, Execution, choose};
    pub use crate::geqrf::run_as as geqrf;
    pub use crate::halves::{Conversion, convert_at};
    pub use crate::lu::butterfly::entry as butterfly_entry;
    pub use crate::modes::Modes;
    pub use crate::simd::Level;
    pub use crate::threads::{count, for_ranges};
}

struct Cpu;

/// Returns the CPU runtime.
pub fn runtime() -> &'static dyn Runtime {
    &Cpu
}

fn only_device(device: i32) -> Result<(), Error> {
    if device == 0 {
        Ok(())
    } else {
        Err(Error::NoDevice(format!("device {device}: the CPU backend has device 0 only")))
    }
}

impl Device for Cpu {
    fn device_count(&self) -> i32 {
        1
    }
    fn current_device(&self) -> Result<i32, Error> {
        Ok(0)
    }
    fn set_device(&self, device: i32) -> Result<(), Error> {
        only_device(device)
    }
    fn device_info(&self, device: i32) -> Result<DeviceInfo, Error> {
        only_device(device)?;
        Ok(DeviceInfo {
            name: memory::cpu_name(),
            multiprocessors: threads::count() as u32,
            threads_per_block: 1,
            threads_per_multiprocessor: 1,
            memory: memory::info().1,
            ..DeviceInfo::default()
        })
    }
    fn memory_info(&self) -> Result<(usize, usize), Error> {
        Ok(memory::info())
    }
    fn is_device_pointer(&self, _p: *const c_void) -> i32 {
        1
    }
    fn alloc(&self, bytes: usize) -> Result<*mut c_void, Error> {
        memory::alloc(bytes)
    }
    unsafe fn free(&self, p: *mut c_void) -> Result<(), Error> {
        unsafe { memory::free(p) };
        Ok(())
    }
    fn alloc_pinned(&self, bytes: usize) -> Result<*mut c_void, Error> {
        memory::alloc(bytes)
    }
    unsafe fn free_pinned(&self, p: *mut c_void) -> Result<(), Error> {
        unsafe { memory::free(p) };
        Ok(())
    }
    unsafe fn copy_2d_async(
        &self,
        dst: *mut c_void,
        dst_pitch: usize,
        src: *const c_void,
        src_pitch: usize,
        width: usize,
        height: usize,
        _stream: Stream,
    ) -> Result<(), Error> {
        unsafe { memory::copy_2d(dst.cast(), dst_pitch, src.cast(), src_pitch, width, height) };
        Ok(())
    }
    unsafe fn memset_async(&self, p: *mut c_void, value: u8, bytes: usize, _stream: Stream) -> Result<(), Error> {
        if bytes > 0 {
            unsafe { p.cast::<u8>().write_bytes(value, bytes) };
        }
        Ok(())
    }
    fn stream_create(&self) -> Result<Stream, Error> {
        Ok(event::new_stream())
    }
    unsafe fn stream_destroy(&self, _s: Stream) -> Result<(), Error> {
        Ok(())
    }
    unsafe fn stream_synchronize(&self, _s: Stream) -> Result<(), Error> {
        Ok(())
    }
    unsafe fn stream_wait_event(&self, _s: Stream, event: *mut c_void) -> Result<(), Error> {
        unsafe { event::check(event) }
    }
    fn event_create(&self, timed: bool) -> Result<*mut c_void, Error> {
        Ok(event::create(timed))
    }
    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<(), Error> {
        unsafe { event::destroy(event) }
    }
    unsafe fn event_record(&self, event: *mut c_void, _s: Stream) -> Result<(), Error> {
        unsafe { event::record(event) }
    }
    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool, Error> {
        unsafe { event::check(event) }.map(|()| true)
    }
    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<(), Error> {
        unsafe { event::check(event) }
    }
    unsafe fn event_elapsed_ms(&self, start: *mut c_void, end: *mut c_void) -> Result<f32, Error> {
        unsafe { event::elapsed_ms(start, end) }
    }
    fn alloc_async(&self, bytes: usize, _stream: Stream) -> Result<*mut c_void, Error> {
        memory::alloc(bytes)
    }
    unsafe fn free_async(&self, p: *mut c_void, _stream: Stream) -> Result<(), Error> {
        unsafe { memory::free(p) };
        Ok(())
    }
}

impl Runtime for Cpu {
    fn kind(&self) -> Kind {
        Kind::Cpu
    }
    unsafe fn set_pointers(
        &self,
        out: *mut *mut c_void,
        base: *mut c_void,
        offset_bytes: i64,
        stride_bytes: i64,
        batch: i64,
        _stream: Stream,
    ) -> Result<(), Error> {
        for i in 0..batch.max(0) {
            let bytes = offset_bytes.wrapping_add(stride_bytes.wrapping_mul(i));
            // SAFETY: `out` has room for `batch` pointers; the addresses themselves are not dereferenced here.
            unsafe { out.add(i as usize).write(base.cast::<u8>().wrapping_offset(bytes as isize).cast()) };
        }
        Ok(())
    }
    unsafe fn assign(&self, p: &Assign, _stream: Stream) -> Result<(), Error> {
        unsafe { for_dtype!(p.dtype, T => assign::assign::<T>(p)) };
        Ok(())
    }
    unsafe fn panel(&self, step: &PanelStep, _stream: Stream) -> Result<(), Error> {
        unsafe { panel::run(step) };
        Ok(())
    }
    unsafe fn geqrf_extract(&self, p: &GeqrfExtract, _stream: Stream) -> Result<(), Error> {
        unsafe { extract::run(p) }
    }
    fn workspace(&self, _op: &Operation) -> Result<usize, Error> {
        Ok(0) // routines on the host take their workspace from their threads
    }
    fn explain(&self, op: &Operation) -> Result<String, Error> {
        of(op).explain()
    }
    fn prepare(&self, _op: &Operation) -> Result<(), Error> {
        Ok(())
    }
    fn candidates(&self, op: &Operation) -> Result<String, Error> {
        of(op).candidates()
    }
}
