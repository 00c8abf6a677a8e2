//! The CUDA implementation of [`Runtime`]: auxiliary operations, and queries about routines.

use crate::backend::{Kind, Runtime};
use crate::error::Error;
use crate::gpu::data_movement::lu_steps;
use crate::gpu::driver;
use crate::gpu::driver::device::Cuda;
use crate::gpu::driver::registry::{self, Parameters};
use crate::gpu::geqrf;
use crate::gpu::plan::parts::assign;
use crate::gpu::plan::queue;
use crate::gpu::plan::run::of;
use crate::gpu::plan::table::SET_POINTERS;
use crate::gpu::plan::{Launch, ceil_div};
use crate::host::fork;
use crate::routine::{Assign, GeqrfExtract, Operation, PanelStep, Stream};
use once_cell::sync::OnceCell;
use std::ffi::c_void;

/// The CUDA runtime, or an error if there is no usable driver or device.
pub fn runtime() -> Result<&'static dyn Runtime, Error> {
    /// The fork generation of the process that initialised the driver, and the result.
    static READY: OnceCell<(u32, Result<(), Error>)> = OnceCell::new();
    let set_up = || fork::with_fork_lock(|| READY.get_or_init(|| (fork::generation(), driver::init())));
    let (generation, result) = READY.get().unwrap_or_else(set_up);
    match result {
        Ok(()) if *generation != fork::generation() => {
            Err(Error::NoDevice("CUDA was in use before this process was forked, and cannot be used in it".into()))
        }
        result => result.clone().map(|()| &Cuda as &dyn Runtime),
    }
}

impl Runtime for Cuda {
    fn kind(&self) -> Kind {
        Kind::Cuda
    }

    unsafe fn set_pointers(
        &self,
        out: *mut *mut c_void,
        base: *mut c_void,
        offset_bytes: i64,
        stride_bytes: i64,
        batch: i64,
        stream: Stream,
    ) -> Result<(), Error> {
        let (mut out, mut stride, mut batch) = (out, stride_bytes, batch);
        let mut base = base.wrapping_byte_offset(offset_bytes as isize);
        let parameters = Parameters([
            (&raw mut out).cast(),
            (&raw mut base).cast(),
            (&raw mut stride).cast(),
            (&raw mut batch).cast(),
        ]);
        let launch = Launch::on(&SET_POINTERS[0], batch, 1, 0);
        let blocks = ceil_div(batch, launch.threads.into()).min(1 << 20);
        unsafe { registry::launch_kernel(&launch, blocks, parameters, stream.into()) }
    }

    unsafe fn assign(&self, p: &Assign, stream: Stream) -> Result<(), Error> {
        unsafe { assign::assign(p, stream.into()) }
    }

    unsafe fn panel(&self, step: &PanelStep, stream: Stream) -> Result<(), Error> {
        unsafe { lu_steps::run(step, stream.into()) }
    }

    unsafe fn geqrf_extract(&self, p: &GeqrfExtract, stream: Stream) -> Result<(), Error> {
        unsafe { geqrf::steps::extract(p, stream.into()) }
    }

    fn workspace(&self, op: &Operation) -> Result<usize, Error> {
        of(op).workspace()
    }

    fn explain(&self, op: &Operation) -> Result<String, Error> {
        queue::List::of(of(op))
    }

    fn prepare(&self, op: &Operation) -> Result<(), Error> {
        queue::List::load(of(op))
    }

    fn candidates(&self, op: &Operation) -> Result<String, Error> {
        of(op).candidates()
    }
}
