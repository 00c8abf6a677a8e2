//! Explicit Q of a single matrix, and its application.

use super::{DEFAULT_STREAM, HostTau, Raw, conclude, one};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::magma::host::size_as_element;
use crate::face::magma::int::MagmaInt;
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Operation, Orgqr, Ormqr, Routine, Trans, Verdict};
use crate::scalar::{C32, C64};
use std::ffi::c_int;

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
    /// The reflectors in device memory, overwritten by Q.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// k scalar factors, in host memory.
    pub tau: Raw,
    /// One code in host memory.
    pub info: *mut c_int,
}

/// `magma_?orgqr_gpu`, for the results of either factorisation format.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn orgqr(call: &OrgqrCall) -> Result<MagmaInt, Error> {
    let &OrgqrCall { name, dtype, m, n, k, a, lda, tau, info } = call;
    let (m, n, k, lda) = (m.into(), n.into(), k.into(), lda.into());
    let p = Orgqr { dtype, m, n, k, a: one(a), lda, sizes: None, tau: one(tau), batch: 1 };
    let host_tau = HostTau { dtype, count: k, host: tau };
    let with = |tau| Operation::Orgqr(Orgqr { tau, ..p });
    let done = unsafe { with_tau_on_device(name, &p, host_tau, with, |_| Ok(()), |_| Ok(())) };
    unsafe { conclude(name, ORGQR, info, done) }
}

/// If `ready` succeeds, runs the operation `with` the scalar factors on the device, then calls `then`.
unsafe fn with_tau_on_device(
    name: &str,
    p: &impl Routine,
    host_tau: HostTau,
    with: impl FnOnce(Operand) -> Operation,
    ready: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
    then: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
) -> Result<(), Error> {
    if p.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    p.refuse_nulls()?;
    let run = |runtime: &dyn Runtime, device| unsafe {
        ready(runtime)?;
        host_tau.copy(runtime, device, host_tau.host, DEFAULT_STREAM)?;
        call::run(name, runtime, &with(one(device)), DEFAULT_STREAM, WorkspaceSource::Caller)?;
        then(runtime)
    };
    unsafe { host_tau.with(DEFAULT_STREAM, run) }
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

/// The workspace of `magma_?ormqr_gpu`. Neither it nor the T factors are needed here.
#[derive(Clone, Copy, Debug)]
pub struct HostWork {
    /// The workspace in host memory. Its first element receives its size.
    pub work: Raw,
    /// Its size in elements; -1 is a query.
    pub lwork: c_int,
    /// The panel width from which that size is computed.
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
        Ok(Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc, batch: 1, sizes: None })
    }

    unsafe fn apply(
        &self,
        p: &Ormqr,
        ready: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
        then: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let host_tau = HostTau { dtype: p.dtype, count: p.k, host: self.tau };
        let with = |tau| Operation::Ormqr(Ormqr { tau, ..*p });
        unsafe { with_tau_on_device(self.name, p, host_tau, with, ready, then) }
    }

    /// The size of the workspace that MAGMA requires, in elements.
    fn needed(&self, nb: c_int) -> i64 {
        let [m, n, k, nb] = [self.m, self.n, self.k, nb].map(i64::from);
        let (order, other) = if self.side == 141 { (m, n) } else { (n, m) };
        (order - k).saturating_add(nb).saturating_mul(other.saturating_add(nb)).saturating_add(other.saturating_mul(nb))
    }

    /// Writes a size as an element; in single precision it is rounded up.
    unsafe fn write_size(&self, work: Raw, size: i64) {
        unsafe {
            match self.dtype {
                Dtype::S => *work.cast::<f32>() = size_as_element(size),
                Dtype::C => *work.cast::<C32>() = size_as_element(size),
                Dtype::D => *work.cast::<f64>() = size_as_element(size),
                Dtype::Z => *work.cast::<C64>() = size_as_element(size),
            }
        }
    }

    /// If `ready` succeeds, applies Q and calls `then`; a query only writes the size of the workspace.
    pub(super) unsafe fn run(
        &self,
        HostWork { work, lwork, nb }: HostWork,
        ready: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
        then: impl FnOnce(&dyn Runtime) -> Result<(), Error>,
    ) -> Result<(), Error> {
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
            unsafe { self.apply(&p, ready, then)? };
        }
        unsafe { self.write_size(work, if idle && !query { 1 } else { needed }) };
        Ok(())
    }
}

/// `magma_?ormqr_gpu`, for the results of either factorisation format. As in MAGMA, a query checks the sizes, too, and
/// the workspace must be large enough, although it is not used.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn ormqr(call: &OrmqrCall, work: HostWork) -> Result<MagmaInt, Error> {
    let done = unsafe { call.run(work, |_| Ok(()), |_| Ok(())) };
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
    let done = checked.and_then(|p| unsafe { call.apply(&p, |_| Ok(()), |_| Ok(())) });
    unsafe { conclude(call.name, ORMQR, call.info, done) }
}
