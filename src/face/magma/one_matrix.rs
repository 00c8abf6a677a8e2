//! QR of one matrix: `magma_?geqrf2_gpu`, `magma_?geqrf_gpu`, `magma_?orgqr_gpu`, `magma_?ormqr_gpu`, `magma_?ormqr2_gpu` (`ungqr`,
//! `unmqr`).
//!
//! The scalar factors are in host memory, so each call takes memory for them on the device, and waits for its end; it has no
//! queue, and runs on the default stream. The code is in host memory, too; NULL is accepted.

use super::int::{MagmaInt, finish};
use crate::backend::{self, Runtime};
use crate::error::{Arg, Error};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::face::{call, math};
use crate::routine::{
    Assign, Diag, Dtype, Geqrf, Larft, Operand, Operation, Orgqr, Ormqr, Part, Routine, Source, Stream, Trans, Trtri,
    Uplo, Verdict,
};
use crate::scalar::C64;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

const GEQRF: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::T, 6), (Arg::Ldt, 2)];
const ORGQR: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::K, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::Tau, 6)];
const ORMQR: &Positions = &[
    (Arg::Side, 1),
    (Arg::Trans, 2),
    (Arg::M, 3),
    (Arg::N, 4),
    (Arg::K, 5),
    (Arg::A, 6),
    (Arg::Lda, 7),
    (Arg::Tau, 8),
    (Arg::C, 9),
    (Arg::Ldc, 10),
    (Arg::Work, 11),
    (Arg::Lwork, 12),
    (Arg::Ldv, 12),
];

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

/// A matrix or vector itself.
fn one(base: Raw) -> Operand {
    Operand::Strided { base, stride: 0 }
}

/// The same from an element on, as members of a batch.
fn from(base: Raw, dtype: Dtype, elements: i64, stride: i64) -> Operand {
    Operand::Strided { base: base.wrapping_byte_offset((elements * dtype.bytes() as i64) as isize), stride }
}

/// What a call says: its code, in host memory too.
unsafe fn conclude(
    name: &'static str,
    positions: &Positions,
    info: *mut c_int,
    result: Result<(), Error>,
) -> Result<MagmaInt, Error> {
    let answer = finish(name, positions, result);
    if let Some(info) = unsafe { info.as_mut() } {
        *info = answer.as_ref().map_or_else(|error| MagmaInt::from(error).0, |code| code.0);
    }
    answer
}

/// A vector of scalar factors, and where it is on the host.
#[derive(Clone, Copy)]
struct Factors {
    dtype: Dtype,
    count: i64,
    host: Raw,
}

impl Factors {
    /// Runs with room for them on the device, in the default stream, and waits for its end.
    unsafe fn with(self, run: impl FnOnce(&dyn Runtime, Raw, Stream) -> Result<(), Error>) -> Result<(), Error> {
        let (runtime, stream) = (backend::current()?, Stream(null_mut()));
        let device = runtime.scratch(self.bytes().max(1), stream)?;
        let done = run(runtime, device, stream);
        let freed = unsafe { runtime.scratch_free(device, stream) };
        let finished = unsafe { runtime.stream_synchronize(stream) };
        done.and(freed).and(finished)
    }

    fn bytes(self) -> usize {
        self.count as usize * self.dtype.bytes()
    }

    unsafe fn copy(self, runtime: &dyn Runtime, to: Raw, from: Raw, stream: Stream) -> Result<(), Error> {
        let bytes = self.bytes();
        if bytes == 0 { Ok(()) } else { unsafe { runtime.copy_2d_async(to, bytes, from, bytes, bytes, 1, stream) } }
    }
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
        Geqrf { dtype, m, n, a: one(a), lda, tau: one(tau), batch: 1, info: null_mut(), math }
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
            (0..count).try_for_each(|panel| call::run(self.name, runtime, &self.larft(panel, tau), stream))?;
            runtime.memset_async(blocks, 0, (count * nb * nb) as usize * dtype.bytes(), stream)?;
            runtime.assign(&block, stream)?;
            call::run(self.name, runtime, &self.invert(), stream)?;
            runtime.assign(&Assign { source: identity, to: diagonal, ld: lda, ..block }, stream)
        }
    }
}

/// The arguments of `magma_?orgqr_gpu`; the T factors are not needed here.
#[derive(Clone, Copy, Debug)]
pub struct OrgqrCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows of Q.
    pub m: c_int,
    /// Columns of Q.
    pub n: c_int,
    /// Reflectors.
    pub k: c_int,
    /// The reflectors in device memory, which Q replaces.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// k scalar factors, in host memory.
    pub tau: Raw,
    /// One code in host memory.
    pub info: *mut c_int,
}

/// `magma_?orgqr_gpu`, of what either factorisation left.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn orgqr(call: &OrgqrCall) -> Result<MagmaInt, Error> {
    let &OrgqrCall { name, dtype, m, n, k, a, lda, tau, info } = call;
    let (m, n, k, lda) = (m.into(), n.into(), k.into(), lda.into());
    let p = Orgqr { dtype, m, n, k, a: one(a), lda, tau: one(tau), batch: 1 };
    let factors = Factors { dtype, count: k, host: tau };
    let done = unsafe { read_factors(name, &p, factors, |tau| Operation::Orgqr(Orgqr { tau, ..p })) };
    unsafe { conclude(name, ORGQR, info, done) }
}

/// Runs what reads scalar factors.
unsafe fn read_factors(
    name: &str,
    p: &impl Routine,
    factors: Factors,
    with: impl FnOnce(Operand) -> Operation,
) -> Result<(), Error> {
    if p.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    p.refuse_nulls()?;
    let run = |runtime: &dyn Runtime, device, stream| unsafe {
        factors.copy(runtime, device, factors.host, stream)?;
        call::run(name, runtime, &with(one(device)), stream)
    };
    unsafe { factors.with(run) }
}

/// The arguments that `magma_?ormqr_gpu` and `magma_?ormqr2_gpu` share.
#[derive(Clone, Copy, Debug)]
pub struct OrmqrCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_side_t`
    pub side: c_int,
    /// `magma_trans_t`: no transposition, or the (conjugate) transpose.
    pub trans: c_int,
    /// Rows of C.
    pub m: c_int,
    /// Columns of C.
    pub n: c_int,
    /// Reflectors.
    pub k: c_int,
    /// The reflectors, in device memory.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// k scalar factors, in host memory.
    pub tau: Raw,
    /// The matrix C, in device memory.
    pub c: Raw,
    /// Leading dimension.
    pub ldc: c_int,
    /// One code in host memory.
    pub info: *mut c_int,
}

/// The workspace of `magma_?ormqr_gpu`, which is not needed here, and neither are the T factors.
#[derive(Clone, Copy, Debug)]
pub struct HostWork {
    /// In host memory: its first element receives its size.
    pub work: Raw,
    /// Its size in elements; -1 asks for it.
    pub lwork: c_int,
    /// The width of panels of which that size is made.
    pub nb: c_int,
}

impl OrmqrCall {
    fn problem(&self) -> Result<Ormqr, Error> {
        let (side, trans) = (cblas::side(self.side)?, cblas::trans(self.trans)?);
        let trans_of_type = if self.dtype.is_complex() { Trans::C } else { Trans::T };
        if trans != Trans::N && trans != trans_of_type {
            return Err(Arg::Trans.into());
        }
        let &OrmqrCall { dtype, m, n, k, a, lda, tau, c, ldc, .. } = self;
        let [m, n, k, lda, ldc] = [m, n, k, lda, ldc].map(Into::into);
        let (a, tau, c) = (one(a), one(tau), one(c));
        Ok(Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc, batch: 1 })
    }

    unsafe fn apply(&self, p: &Ormqr) -> Result<(), Error> {
        let factors = Factors { dtype: p.dtype, count: p.k, host: self.tau };
        unsafe { read_factors(self.name, p, factors, |tau| Operation::Ormqr(Ormqr { tau, ..*p })) }
    }

    /// Elements of workspace that MAGMA wants.
    fn needed(&self, nb: c_int) -> i64 {
        let [m, n, k, nb] = [self.m, self.n, self.k, nb].map(i64::from);
        let (order, other) = if self.side == 141 { (m, n) } else { (n, m) };
        (order - k).saturating_add(nb).saturating_mul(other.saturating_add(nb)).saturating_add(other.saturating_mul(nb))
    }

    /// Tells a size as an element; in single precision rounded up.
    unsafe fn tell(&self, work: Raw, size: i64) {
        let single = size as f32;
        let single = if (single as i64) < size { single.next_up() } else { single };
        unsafe {
            match self.dtype {
                Dtype::S => *work.cast::<f32>() = single,
                Dtype::C => *work.cast::<[f32; 2]>() = [single, 0.0],
                Dtype::D => *work.cast::<f64>() = size as f64,
                Dtype::Z => *work.cast::<[f64; 2]>() = [size as f64, 0.0],
            }
        }
    }

    unsafe fn run(&self, HostWork { work, lwork, nb }: HostWork) -> Result<(), Error> {
        let p = self.problem()?;
        let idle = p.check()? == Verdict::QuickReturn;
        let (needed, query) = (self.needed(nb), lwork == -1);
        if work.is_null() {
            return Err(Arg::Work.into());
        }
        if i64::from(lwork) < needed && !query {
            return Err(Arg::Lwork.into());
        }
        if !query && !idle {
            unsafe { self.apply(&p)? };
        }
        unsafe { self.tell(work, if idle && !query { 1 } else { needed }) };
        Ok(())
    }
}

/// `magma_?ormqr_gpu`, of what either factorisation left. Sizes are checked in a query, too, as in MAGMA, and its workspace is
/// asked for, though not needed.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn ormqr(call: &OrmqrCall, work: HostWork) -> Result<MagmaInt, Error> {
    let done = unsafe { call.run(work) };
    unsafe { conclude(call.name, ORMQR, call.info, done) }
}

/// `magma_?ormqr2_gpu`, whose copy of the reflectors on the host, with leading dimension `ldv`, is not needed here.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn ormqr2(call: &OrmqrCall, ldv: c_int) -> Result<MagmaInt, Error> {
    let checked = call.problem().and_then(|p| {
        p.check()?;
        let (order, _) = p.side.order(p.m, p.n);
        if i64::from(ldv) < order.max(1) { Err(Arg::Ldv.into()) } else { Ok(p) }
    });
    let done = checked.and_then(|p| unsafe { call.apply(&p) });
    unsafe { conclude(call.name, ORMQR, call.info, done) }
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
