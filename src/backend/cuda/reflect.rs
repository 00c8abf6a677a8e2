//! Block reflectors whose rows are divided among blocks, on the device.

use super::args::DeviceOperand;
use super::driver::check;
use super::walk::go;
use super::{driver, pool};
use crate::error::Error;
use crate::plan::table::Instance;
use crate::plan::tall_update::{Cut, Divided};
use crate::plan::{Launch, Limits, ceil_div};
use crate::routine::{Dtype, Operand, Stream};
use cudarc::driver::sys;
use std::ffi::c_void;

/// Declared in `kernels/reflect/args.cuh`.
#[repr(C)]
struct ReflectArgs {
    v: DeviceOperand,
    tau: DeviceOperand,
    c: DeviceOperand,
    t: DeviceOperand,
    sums: *mut c_void,
    v0: i64,
    tau0: i64,
    c0: i64,
    ldv: i64,
    ldc: i64,
    ldt: i64,
    batch: i64,
    m: i64,
    n: i64,
    chunk: i64,
    chunks: i64,
    pitch: i64,
    gram: i64,
    k: i32,
    adjoint: i32,
    own: i32,
    zeros: i32,
}

/// A block reflector on n columns of each member: the first elements of V, of its scalar factors and of C, from the
/// members' starts.
pub struct Reflector {
    pub dtype: Dtype,
    pub v: Operand,
    pub ldv: i64,
    pub tau: Operand,
    pub c: Operand,
    pub ldc: i64,
    pub batch: i64,
    pub first: [i64; 3],
    /// Rows, columns of C and reflectors.
    pub m: i64,
    pub n: i64,
    pub k: i64,
    /// H^H C rather than H C.
    pub adjoint: bool,
    /// C's first rows, as many, are zero whatever they hold.
    pub zeros: i64,
}

impl Reflector {
    fn kernels(&self, limits: Limits) -> Result<Divided, Error> {
        let found = Divided::kernels(self.dtype, self.k, limits);
        found.ok_or_else(|| Error::Internal("no kernels for divided rows".into()))
    }

    fn cut(&self, kernels: &Divided, limits: Limits) -> Result<Cut, Error> {
        Cut::of(kernels.dots, self.m, self.n, self.k, self.batch, limits.multiprocessors.into())
    }

    /// Bytes of scratch that [`Reflector::launch`] needs.
    pub fn bytes(&self, limits: Limits) -> Result<usize, Error> {
        Ok(self.cut(&self.kernels(limits)?, limits)?.bytes)
    }

    /// # Safety
    /// The operands are on the device, and `sums` are as many bytes of it as [`Reflector::bytes`] says.
    pub unsafe fn launch(&self, limits: Limits, sums: *mut c_void, stream: Stream) -> Result<(), Error> {
        let Reflector { m, n, k, batch, .. } = *self;
        let kernels = self.kernels(limits)?;
        let cut = self.cut(&kernels, limits)?;
        let mut args = self.args(&cut, sums);
        let size = |i: &Instance| (i64::from(i.rows), i64::from(i.columns));
        let (down, across) = size(kernels.dots);
        let dots = (ceil_div(k, down) * ceil_div(n + k, across)).saturating_mul(cut.chunks);
        let sum = ceil_div(k * cut.pitch, kernels.sum.threads.into());
        let factor = ceil_div(n, size(kernels.factor).1);
        let (down, across) = size(kernels.apply);
        let apply = ceil_div(m, down).saturating_mul(ceil_div(n, across));
        let launches = [(kernels.dots, dots), (kernels.sum, sum), (kernels.factor, factor), (kernels.apply, apply)];
        for (instance, blocks) in launches {
            // SAFETY: the kernels take ReflectArgs; the caller answers for the operands.
            unsafe { go(&Launch::on(instance, m, n, 0), blocks.saturating_mul(batch), &mut args, stream)? };
        }
        Ok(())
    }

    fn args(&self, cut: &Cut, sums: *mut c_void) -> ReflectArgs {
        let [v0, tau0, c0] = self.first;
        ReflectArgs {
            v: self.v.into(),
            tau: self.tau.into(),
            c: self.c.into(),
            t: DeviceOperand::NONE,
            sums,
            v0,
            tau0,
            c0,
            ldv: self.ldv,
            ldc: self.ldc,
            ldt: 0,
            batch: self.batch,
            m: self.m,
            n: self.n,
            chunk: cut.chunk,
            chunks: cut.chunks,
            pitch: cut.pitch,
            gram: self.n,
            k: self.k as i32,
            adjoint: self.adjoint.into(),
            own: 0,
            zeros: self.zeros as i32,
        }
    }
}

/// Calls `f` with so many bytes of the pool, or with null for none; they are taken and given back in stream order.
pub fn with_scratch(
    bytes: usize,
    stream: Stream,
    f: impl FnOnce(*mut c_void) -> Result<(), Error>,
) -> Result<(), Error> {
    if bytes == 0 {
        return f(std::ptr::null_mut());
    }
    let pool = pool::of(driver::current_device()?)?;
    let mut p = 0;
    // SAFETY: a pool of the current device, an out-parameter; what was taken is given back once.
    unsafe {
        check("cuMemAllocFromPoolAsync", sys::cuMemAllocFromPoolAsync(&mut p, bytes, pool, stream.0.cast()))?;
        let done = f(p as *mut c_void);
        done.and(check("cuMemFreeAsync", sys::cuMemFreeAsync(p, stream.0.cast())))
    }
}
