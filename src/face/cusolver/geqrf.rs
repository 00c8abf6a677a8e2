//! `cusolverDn?geqrf`, `cusolverDnXgeqrf` and their buffer size queries: QR of a single matrix.
//!
//! Edge cases, as measured with cuSOLVER 12.0: a bad argument is reported by the status and by the integer on the
//! device, as minus its number counted without the handle. The buffers are not needed here and are ignored; their
//! reported size is that of one element, whatever the other arguments are, which cuSOLVER does not check in size
//! queries either.

use super::bad_argument::{ArgumentSign, report_bad_argument};
use super::prototype::call;
use super::serve;
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call as calls;
use crate::face::native::Positions;
use crate::routine::{Dtype, Geqrf, Math, Operand, Stream};
use tephra_vendor::types::*;

/// Also for `Xgeqrf`, whose `params` is not counted.
const GEQRF: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5)];

tephra_vendor::cusolver_geqrf!(call Factor);
tephra_vendor::cusolver_geqrf_buffer_size!(call Size);
tephra_vendor::cusolver_x_geqrf!(call FactorX);
tephra_vendor::cusolver_x_geqrf_buffer_size!(call SizeX);

fn problem(dtype: Dtype, [m, n, lda]: [i64; 3], a: Raw, tau: Raw, info: Codes) -> Geqrf {
    let [a, tau] = [a, tau].map(|base| Operand::Strided { base, stride: 0 });
    Geqrf { dtype, m, n, a, lda, sizes: None, tau, batch: 1, info, math: Math::Fp32 }
}

/// The element type, if all of these `cudaDataType`s are the same supported type.
pub(super) fn dtype<const N: usize>(types: [Int; N]) -> Result<Dtype, Error> {
    let of = |code| types.iter().all(|ty| *ty == code);
    let known = [(0, Dtype::S), (1, Dtype::D), (4, Dtype::C), (5, Dtype::Z)];
    let found = known.into_iter().find(|(code, _)| of(*code)).map(|(_, dtype)| dtype);
    found.ok_or_else(|| Error::NotSupported(format!("a matrix of types {types:?}")))
}

/// Writes the size of a buffer, that of one element: an allocation of 0 bytes might give callers a NULL pointer.
pub(super) unsafe fn write_buffer_size<T>(out: *mut T, size: T) -> Result<(), Error> {
    if out.is_null() {
        return Err(Arg::Lwork.into());
    }
    unsafe { *out = size };
    Ok(())
}

/// Writes the sizes of both buffers of a type-generic function (`X...`); that on the host is 0.
pub(super) unsafe fn write_buffer_sizes(dtype: Dtype, device: Bytes, host: Bytes) -> Result<(), Error> {
    unsafe {
        write_buffer_size(device, dtype.bytes())?;
        write_buffer_size(host, 0)
    }
}

impl serve::Call for Factor {
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let sizes = [self.m, self.n, self.lda].map(Into::into);
        let p = problem(self.dtype, sizes, self.a, self.tau, self.dev_info);
        unsafe { factor(self.name, runtime, &p, stream) }
    }
}

impl serve::Call for FactorX {
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let dtype = dtype([self.type_a, self.type_tau, self.compute])?;
        let p = problem(dtype, [self.m, self.n, self.lda], self.a, self.tau, self.dev_info);
        unsafe { factor(self.name, runtime, &p, stream) }
    }
}

unsafe fn factor(name: &str, runtime: &dyn Runtime, p: &Geqrf, stream: Stream) -> Result<(), Error> {
    let result = unsafe { calls::geqrf(name, runtime, p, stream) };
    if result.is_err() || p.m == 0 || p.n == 0 {
        unsafe { report_bad_argument(runtime, stream, (p.info, 1), (GEQRF, ArgumentSign::Minus), &result)? };
    }
    result
}

impl serve::Call for Size {
    fn prefers_vendor(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { write_buffer_size(self.lwork, 1) }
    }
}

impl serve::Call for SizeX {
    fn prefers_vendor(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        let dtype = dtype([self.type_a, self.type_tau, self.compute])?;
        unsafe { write_buffer_sizes(dtype, self.device_bytes, self.host_bytes) }
    }
}
