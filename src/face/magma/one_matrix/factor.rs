//! Factorisations of one matrix, in LAPACK's form and in MAGMA's.

use super::{Factors, Raw, conclude, one};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::Scratch;
use crate::face::magma::int::MagmaInt;
use crate::face::native::Positions;
use crate::face::{call, math};
use crate::routine::{
    Assign, Diag, Dtype, Geqrf, Larft, Operand, Operation, Part, Routine, Source, Stream, Trtri, Uplo, Verdict,
};
use crate::scalar::C64;
use std::ffi::c_int;
use std::ptr::null_mut;

const GEQRF: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::T, 6), (Arg::Ldt, 2)];

/// `magma_get_?geqrf_nb`: MAGMA's answer for devices of compute capability 3 and later. It is the width of the panels of
/// [`geqrf`], whose T factors and inverses programs and MAGMA's other routines find by it.
pub fn block_size(dtype: Dtype, m: c_int, n: c_int) -> c_int {
    let order = m.min(n);
    let below =
        |steps: &[(c_int, c_int)], last| steps.iter().find(|(limit, _)| order < *limit).map_or(last, |step| step.1);
    match dtype {
        Dtype::S => below(&[(4096, 96), (7168, 128), (18432, 256)], 512),
        Dtype::D => below(&[(3072, 64), (10240, 128)], 256),
        Dtype::C | Dtype::Z => below(&[(4096, 64)], 128),
    }
}

/// A matrix from an element on, as members of a batch.
fn from(base: Raw, dtype: Dtype, elements: i64, stride: i64) -> Operand {
    Operand::Strided { base: base.wrapping_byte_offset((elements * dtype.bytes() as i64) as isize), stride }
}

/// The arguments of both factorisations.
#[derive(Clone, Copy, Debug)]
pub struct GeqrfCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// The matrix, in device memory.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// min(m, n) scalar factors, in host memory.
    pub tau: Raw,
    /// One code in host memory.
    pub info: *mut c_int,
}

impl GeqrfCall {
    fn problem(&self) -> Geqrf {
        let &GeqrfCall { dtype, m, n, a, lda, tau, .. } = self;
        let (m, n, lda, math) = (m.into(), n.into(), lda.into(), math::of_thread());
        Geqrf { dtype, m, n, a: one(a), lda, sizes: None, tau: one(tau), batch: 1, info: null_mut(), math }
    }

    /// Factors, then does what follows with the factors on the device.
    unsafe fn run(
        &self,
        ready: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
        then: impl FnOnce(&dyn Runtime, Raw, Stream) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let p = self.problem();
        if p.check()? == Verdict::QuickReturn {
            return Ok(());
        }
        p.refuse_nulls()?;
        let factors = Factors { dtype: p.dtype, count: p.m.min(p.n), host: self.tau };
        let run = |runtime: &dyn Runtime, device, stream| {
            ready(runtime)?;
            unsafe { call::geqrf(self.name, runtime, &Geqrf { tau: one(device), ..p }, stream)? };
            then(runtime, device, stream)?;
            unsafe { factors.copy(runtime, factors.host, device, stream) }
        };
        unsafe { factors.with(run) }
    }
}

/// `magma_?geqrf2_gpu`: LAPACK's form.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrf2(call: &GeqrfCall) -> Result<MagmaInt, Error> {
    let done = unsafe { call.run(|_| Ok(()), |_, _, _| Ok(())) };
    unsafe { conclude(call.name, GEQRF, call.info, done) }
}

/// `magma_?geqrf_gpu`: with nb of [`block_size`] and min(m, n) > nb the first columns, all whole panels but the last nb or
/// fewer, are kept in another form, and the rest in LAPACK's; what is here is what MAGMA 2.10's code leaves.
///
/// * A: the upper triangles of the nb x nb diagonal blocks are those of the identity, so that the panels are V with its
///   ones and zeros; what is right of the blocks stays R.
/// * `t`, with leading dimension nb: the triangular factor T of the panel that begins in column i is in columns i .. i+nb, its
///   diagonal block of R inverted in columns min(m, n) + i .. (as it was, where its diagonal has an exact zero). Below their
///   diagonals both are zero. The rest is workspace of MAGMA's, and not touched.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrf(call: &GeqrfCall, t: Raw) -> Result<MagmaInt, Error> {
    let panels = Panels::of(call, t);
    let checked = call.problem().check().and_then(|verdict| match verdict {
        Verdict::Go if panels.count > 0 && t.is_null() => call.problem().refuse_nulls().and(Err(Arg::T.into())),
        _ => Ok(()),
    });
    let run = || unsafe {
        call.run(|runtime| panels.ready(runtime), |runtime, tau, stream| panels.take_out(runtime, tau, stream))
    };
    unsafe { conclude(call.name, GEQRF, call.info, checked.and_then(|()| run())) }
}

/// The panels of [`geqrf`] that are kept in another form.
struct Panels {
    name: &'static str,
    qr: Geqrf,
    a: Raw,
    t: Raw,
    nb: i64,
    count: i64,
}

impl Panels {
    fn of(call: &GeqrfCall, t: Raw) -> Self {
        let qr = call.problem();
        let nb = i64::from(block_size(call.dtype, call.m, call.n));
        let count = (qr.m.min(qr.n).max(1) - 1) / nb;
        Panels { name: call.name, qr, a: call.a, t, nb, count }
    }

    fn larft(&self, panel: i64, tau: Raw) -> Operation {
        let (&Panels { qr: Geqrf { dtype, m, lda, .. }, a, t, nb, .. }, first) = (self, panel * self.nb);
        let (v, tau) = (from(a, dtype, first * (lda + 1), 0), from(tau, dtype, first, 0));
        let t = from(t, dtype, first * nb, 0);
        Operation::Larft(Larft { dtype, m: m - first, k: nb, v, ldv: lda, tau, t, ldt: nb, batch: 1 })
    }

    /// Blocks of R, side by side behind all of T.
    fn blocks(&self) -> Operand {
        let order = self.qr.m.min(self.qr.n);
        from(self.t, self.qr.dtype, order * self.nb, self.nb * self.nb)
    }

    fn invert(&self) -> Operation {
        let (&Panels { nb: n, count: batch, .. }, a) = (self, self.blocks());
        let (dtype, uplo, diag, info) = (self.qr.dtype, Uplo::Upper, Diag::NonUnit, null_mut());
        Operation::Trtri(Trtri { dtype, uplo, diag, n, a, lda: n, info, batch })
    }

    /// Whether all that is to follow the factorisation has a plan.
    fn ready(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        if self.count > 0 {
            runtime.workspace(&self.larft(0, null_mut()))?;
            runtime.workspace(&self.invert())?;
        }
        Ok(())
    }

    fn take_out(&self, runtime: &dyn Runtime, tau: Raw, stream: Stream) -> Result<(), Error> {
        let &Panels { nb, count, .. } = self;
        if count == 0 {
            return Ok(());
        }
        let Operand::Strided { base: blocks, .. } = self.blocks() else { return Ok(()) };
        let (dtype, lda) = (self.qr.dtype, self.qr.lda);
        let diagonal = Operand::Strided { base: self.a, stride: nb * (lda + 1) };
        let block = Assign {
            dtype,
            part: Part::Upper,
            m: nb,
            n: nb,
            source: Source::Matrices(diagonal, lda),
            to: self.blocks(),
            ld: nb,
            batch: count,
        };
        let identity = Source::Constants { off: C64::default(), on: C64 { re: 1.0, im: 0.0 } };
        unsafe {
            (0..count).try_for_each(|panel| {
                call::run(self.name, runtime, &self.larft(panel, tau), stream, Scratch::Callers)
            })?;
            runtime.memset_async(blocks, 0, (count * nb * nb) as usize * dtype.bytes(), stream)?;
            runtime.assign(&block, stream)?;
            call::run(self.name, runtime, &self.invert(), stream, Scratch::Callers)?;
            runtime.assign(&Assign { source: identity, to: diagonal, ld: lda, ..block }, stream)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_sizes_are_magmas() {
        let of = |dtype, orders: &[c_int]| orders.iter().map(|&n| block_size(dtype, n + 5, n)).collect::<Vec<_>>();
        assert_eq!(of(Dtype::S, &[0, 4095, 4096, 7168, 18431, 18432]), [96, 96, 128, 256, 256, 512]);
        assert_eq!(of(Dtype::D, &[3071, 3072, 10239, 10240]), [64, 128, 128, 256]);
        assert_eq!(of(Dtype::C, &[4095, 4096]), [64, 128]);
        assert_eq!(of(Dtype::Z, &[1, 4096]), [64, 128]);
    }
}
