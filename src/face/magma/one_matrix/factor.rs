//! QR factorisations of a single matrix, in LAPACK's format and in MAGMA's.

use super::{DEFAULT_STREAM, HostTau, MagmaPanels, Raw, conclude, one, operand_at};
use crate::backend::Runtime;
use crate::error::{Arg, Error, Fault};
use crate::face::call::WorkspaceSource;
use crate::face::magma::int::MagmaInt;
use crate::face::magma::queue::{RawQueue, stream_of, synchronize};
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
/// The workspace sizes are identified by [`Arg::Lwork`] (host) and [`Arg::Pointer`] (device).
const EXPERT: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::A, 3),
    (Arg::Lda, 4),
    (Arg::Tau, 5),
    (Arg::T, 6),
    (Arg::Ldt, 2),
    (Arg::Mode, 8),
    (Arg::Nb, 9),
    (Arg::Lwork, 11),
    (Arg::Pointer, 13),
];

/// `magma_get_?geqrf_nb`: MAGMA's value for devices of compute capability 3 and later. It is the width of the panels of
/// [`geqrf`]; programs and MAGMA's other routines locate T factors and inverses by it.
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

/// The arguments that the factorisations share.
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

    /// Factors if `ready` succeeds, then calls `then` with the scalar factors on the device, and copies these to the
    /// host.
    unsafe fn run(
        &self,
        stream: Stream,
        ready: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
        then: impl FnOnce(&dyn Runtime, Raw) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let p = self.problem();
        if p.check()? == Verdict::QuickReturn {
            return Ok(());
        }
        p.refuse_nulls()?;
        let host_tau = HostTau { dtype: p.dtype, count: p.m.min(p.n), host: self.tau };
        let run = |runtime: &dyn Runtime, device| {
            ready(runtime)?;
            unsafe { call::geqrf(self.name, runtime, &Geqrf { tau: one(device), ..p }, stream)? };
            then(runtime, device)?;
            unsafe { host_tau.copy(runtime, host_tau.host, device, stream) }
        };
        unsafe { host_tau.with(stream, run) }
    }
}

/// `magma_?geqrf2_gpu`, in LAPACK's format.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrf2(call: &GeqrfCall) -> Result<MagmaInt, Error> {
    let done = unsafe { call.run(DEFAULT_STREAM, |_| Ok(()), |_, _| Ok(())) };
    unsafe { conclude(call.name, GEQRF, call.info, done) }
}

/// How the diagonal blocks of R are stored, for panels in MAGMA's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Inverted, except blocks with an exact zero on the diagonal.
    Inverted,
    /// Not inverted.
    Plain,
}

/// `magma_?geqrf_gpu`, `magma_?geqrf3_gpu`. With nb of [`block_size`] and min(m, n) > nb, all whole panels except the
/// last nb columns or fewer are stored in MAGMA's format, and the rest in LAPACK's. The format is what the code of
/// MAGMA 2.10 produces:
///
/// * A: the upper triangles of the nb x nb diagonal blocks are those of the identity, so that the panels hold V with
///   its ones and zeros; elements to the right of the blocks still hold R.
/// * `t`, with leading dimension nb: the triangular factor T of the panel that begins in column i is in columns i ..
///   i+nb, and its diagonal block of R, inverted or not according to `blocks`, in columns min(m, n) + i .. . Both are
///   zero below their diagonals. The rest is MAGMA's workspace, and is not touched.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrf(call: &GeqrfCall, t: Raw, blocks: Blocks) -> Result<MagmaInt, Error> {
    let factorisation = PanelFactorisation::of(call, t, block_size(call.dtype, call.m, call.n), blocks);
    let done = factorisation.check().and_then(|()| unsafe { factorisation.run(DEFAULT_STREAM) });
    unsafe { conclude(call.name, GEQRF, call.info, done) }
}

/// The additional arguments of `magma_?geqrf_expert_gpu_work`. Its workspaces are not needed.
#[derive(Clone, Copy, Debug)]
pub struct Expert {
    /// `magma_mode_t`: hybrid (the only mode that MAGMA implements) or native. Here they are the same.
    pub mode: c_int,
    /// Columns of a panel, at least 1.
    pub nb: c_int,
    /// Bytes of workspace in host memory; a negative value queries both sizes.
    pub lwork_host: *mut c_int,
    /// Bytes of workspace in device memory.
    pub lwork_device: *mut c_int,
    /// Two queues, or NULL for the default stream.
    pub queues: *const RawQueue,
}

const HYBRID: c_int = 701;
const NATIVE: c_int = 702;

/// `magma_?geqrf_expert_gpu_work`: [`geqrf`] with panels of nb columns, on the caller's queues. A query checks nothing
/// else.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqrf_expert(call: &GeqrfCall, t: Raw, expert: &Expert) -> Result<MagmaInt, Error> {
    let factorisation = PanelFactorisation::of(call, t, expert.nb, Blocks::Inverted);
    let sizes = unsafe { (expert.lwork_host.as_mut(), expert.lwork_device.as_mut()) };
    let done = match sizes {
        (None, _) => Err(Error::BadArgument(Arg::Lwork, Fault::Null)),
        (_, None) => Err(Error::BadArgument(Arg::Pointer, Fault::Null)),
        (Some(host), Some(device)) if *host < 0 || *device < 0 => {
            (*host, *device) = (0, 0);
            Ok(())
        }
        _ => expert
            .check(call)
            .and_then(|()| factorisation.check())
            .and_then(|()| unsafe { factorisation.run(expert.stream()?) }),
    };
    unsafe { conclude(call.name, EXPERT, call.info, done) }
}

impl Expert {
    /// Checks the arguments in MAGMA's order: sizes first.
    fn check(&self, call: &GeqrfCall) -> Result<(), Error> {
        call.problem().check()?;
        if ![HYBRID, NATIVE].contains(&self.mode) {
            return Err(Arg::Mode.into());
        }
        if self.nb < 1 {
            return Err(Error::BadArgument(Arg::Nb, Fault::Below(self.nb.into(), 1)));
        }
        Ok(())
    }

    /// The stream of the first queue, after waiting for the second.
    unsafe fn stream(&self) -> Result<Stream, Error> {
        if self.queues.is_null() {
            return Ok(DEFAULT_STREAM);
        }
        let [first, second] = unsafe { self.queues.cast::<[RawQueue; 2]>().read() };
        unsafe { synchronize(second)? };
        Ok(unsafe { stream_of(first) })
    }
}

/// A factorisation, and its panels in MAGMA's format.
struct PanelFactorisation<'a> {
    call: &'a GeqrfCall,
    qr: Geqrf,
    panels: MagmaPanels,
    count: i64,
    blocks: Blocks,
}

impl<'a> PanelFactorisation<'a> {
    fn of(call: &'a GeqrfCall, t: Raw, nb: c_int, blocks: Blocks) -> Self {
        let qr = call.problem();
        let panels = MagmaPanels { dtype: qr.dtype, order: qr.m.min(qr.n), nb: nb.into(), t };
        PanelFactorisation { call, qr, panels, count: panels.count(), blocks }
    }

    /// Checks that T is not NULL if it is needed. Errors of A take precedence.
    fn check(&self) -> Result<(), Error> {
        match self.qr.check()? {
            Verdict::Go if self.count > 0 && self.panels.t.is_null() => {
                self.qr.refuse_nulls().and(Err(Error::BadArgument(Arg::T, Fault::Null)))
            }
            _ => Ok(()),
        }
    }

    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        unsafe {
            self.call.run(
                stream,
                |runtime| self.check_plans(runtime),
                |runtime, tau| self.store_panels(runtime, tau, stream),
            )
        }
    }

    fn larft(&self, panel: i64, tau: Raw) -> Operation {
        let (&PanelFactorisation { call, qr: Geqrf { dtype, m, lda, .. }, panels, .. }, first) =
            (self, panel * self.panels.nb);
        let (v, tau) = (operand_at(call.a, dtype, first * (lda + 1), 0), operand_at(tau, dtype, first, 0));
        let (t, nb) = (panels.factor(panel), panels.nb);
        Operation::Larft(Larft { dtype, m: m - first, k: nb, v, ldv: lda, tau, t, ldt: nb, batch: 1 })
    }

    fn invert(&self) -> Operation {
        let (n, batch, a) = (self.panels.nb, self.count, self.panels.blocks());
        let (dtype, uplo, diag, info) = (self.qr.dtype, Uplo::Upper, Diag::NonUnit, null_mut());
        Operation::Trtri(Trtri { dtype, uplo, diag, n, a, lda: n, info, batch })
    }

    /// Checks that every step after the factorisation has a plan.
    fn check_plans(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        if self.count > 0 {
            runtime.workspace(&self.larft(0, null_mut()))?;
            runtime.workspace(&self.invert())?;
        }
        Ok(())
    }

    fn store_panels(&self, runtime: &dyn Runtime, tau: Raw, stream: Stream) -> Result<(), Error> {
        let (&PanelFactorisation { call, panels, count, .. }, nb) = (self, self.panels.nb);
        if count == 0 {
            return Ok(());
        }
        let (dtype, lda) = (self.qr.dtype, self.qr.lda);
        let diagonal = Operand::Strided { base: call.a, stride: nb * (lda + 1) };
        let block = Assign {
            dtype,
            part: Part::Upper,
            m: nb,
            n: nb,
            source: Source::Matrices(diagonal, lda),
            to: panels.blocks(),
            ld: nb,
            sizes: None,
            batch: count,
        };
        let identity = Source::Constants { off: C64::default(), on: C64 { re: 1.0, im: 0.0 } };
        unsafe {
            (0..count).try_for_each(|panel| {
                call::run(call.name, runtime, &self.larft(panel, tau), stream, WorkspaceSource::Caller)
            })?;
            runtime.memset_async(panels.block(0), 0, (count * nb * nb) as usize * dtype.bytes(), stream)?;
            runtime.assign(&block, stream)?;
            if self.blocks == Blocks::Inverted {
                call::run(call.name, runtime, &self.invert(), stream, WorkspaceSource::Caller)?;
            }
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
