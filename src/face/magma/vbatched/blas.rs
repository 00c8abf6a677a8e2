//! Products and triangular solves. They return nothing, so a bad argument is only reported on stderr, by its position.

use super::super::Pointers;
use super::super::int::report_at;
use super::super::queue::{RawQueue, stream_of};
use super::{check_leading, check_not_negative, largest, to_host};
use crate::backend;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::guard::Prototype;
use crate::face::native::by_name;
use crate::routine::{
    Alpha, Assign, Dtype, Gemm, GemmSizes, Gemv, GemvSizes, Operand, Operation, Part, Routine, Side, Source,
    SystemSizes, Trans, Trsm, TrsmSizes, Verdict,
};
use crate::scalar::C64;
use std::ffi::c_int;

/// How a form treats the sizes on the host. Forms that check them, or that lack the maxima, wait for the queue.
#[derive(Clone, Copy, Debug)]
pub struct SizePolicy<const N: usize> {
    /// Whether all sizes are checked on the host; otherwise members with invalid sizes are skipped.
    pub checks_on_host: bool,
    /// The maxima, if the caller provides them.
    pub maxima: Option<[c_int; N]>,
}

impl<const N: usize> SizePolicy<N> {
    pub(super) fn waits(&self) -> bool {
        self.checks_on_host || self.maxima.is_none()
    }
}

/// The arguments of all forms of `magmablas_?gemm_vbatched`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Element type.
    pub dtype: Dtype,
    /// `magma_trans_t` of A and B.
    pub trans: [c_int; 2],
    /// Device arrays.
    pub sizes: GemmSizes,
    /// alpha and beta.
    pub factors: [Alpha; 2],
    /// Device arrays of device pointers to A, B and C.
    pub operands: [Pointers; 3],
    /// Number of members.
    pub batch: c_int,
}

impl Product {
    pub(super) unsafe fn problem(&self, policy: SizePolicy<3>, queue: RawQueue) -> Result<Gemm, Error> {
        let (trans_a, trans_b) = (cblas::trans(self.trans[0]), cblas::trans(self.trans[1]));
        let (trans_a, trans_b) = (trans_a.map_err(|_| Arg::TransA)?, trans_b.map_err(|_| Arg::TransB)?);
        let trans = [trans_a, trans_b];
        let largest = unsafe { self.maxima(policy, trans, queue)? }.map(i64::from);
        let (operands, batch) = (self.operands.map(|array| Operand::Pointers(array)), self.batch.into());
        let all = Gemm::uniform(self.dtype, trans, largest, self.factors, operands, [1; 3], batch);
        Ok(Gemm { sizes: Some(self.sizes), ..all })
    }

    unsafe fn maxima(
        &self,
        policy: SizePolicy<3>,
        [trans_a, trans_b]: [Trans; 2],
        queue: RawQueue,
    ) -> Result<[c_int; 3], Error> {
        if let Some(maxima) = policy.maxima.filter(|_| !policy.waits()) {
            return Ok(maxima);
        }
        let GemmSizes { m, n, k, lda, ldb, ldc } = self.sizes;
        let arrays = [(m, Arg::M), (n, Arg::N), (k, Arg::K), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)];
        let [m, n, k, lda, ldb, ldc] = unsafe { to_host(queue, self.batch, arrays)? };
        if policy.checks_on_host {
            check_not_negative(&m, Arg::M)?;
            check_not_negative(&n, Arg::N)?;
            check_not_negative(&k, Arg::K)?;
            check_leading(&lda, if trans_a == Trans::N { &m } else { &k }, 0, Arg::Lda)?;
            check_leading(&ldb, if trans_b == Trans::N { &k } else { &n }, 0, Arg::Ldb)?;
            check_leading(&ldc, &m, 0, Arg::Ldc)?;
        }
        Ok(policy.maxima.unwrap_or([largest(&m), largest(&n), largest(&k)]))
    }
}

/// The arguments of all forms of `magmablas_?gemv_vbatched`.
#[derive(Clone, Copy, Debug)]
pub struct VectorProduct {
    /// Element type.
    pub dtype: Dtype,
    /// `magma_trans_t`
    pub trans: c_int,
    /// Device arrays.
    pub sizes: GemvSizes,
    /// alpha and beta.
    pub factors: [Alpha; 2],
    /// Device arrays of device pointers to A, x and y.
    pub operands: [Pointers; 3],
    /// Number of members.
    pub batch: c_int,
}

impl VectorProduct {
    unsafe fn problem(&self, policy: SizePolicy<2>, queue: RawQueue) -> Result<Gemv, Error> {
        let (dtype, trans, sizes, batch) = (self.dtype, cblas::trans(self.trans)?, Some(self.sizes), self.batch.into());
        let [m, n] = unsafe { self.maxima(policy, queue)? }.map(i64::from);
        let ([alpha, beta], [a, x, y]) = (self.factors, self.operands.map(|array| Operand::Pointers(array)));
        let (lda, incx, incy, first, any_stride) = (1, 1, 1, [0; 3], false);
        Ok(Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, sizes, batch, first, any_stride })
    }

    unsafe fn maxima(&self, policy: SizePolicy<2>, queue: RawQueue) -> Result<[c_int; 2], Error> {
        if let Some(maxima) = policy.maxima.filter(|_| !policy.waits()) {
            return Ok(maxima);
        }
        let GemvSizes { m, n, lda, incx, incy } = self.sizes;
        let arrays = [(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (incx, Arg::Incx), (incy, Arg::Incy)];
        let [m, n, lda, incx, incy] = unsafe { to_host(queue, self.batch, arrays)? };
        if policy.checks_on_host {
            check_not_negative(&m, Arg::M)?;
            check_not_negative(&n, Arg::N)?;
            check_leading(&lda, &m, 0, Arg::Lda)?;
            for (increments, arg) in [(incx, Arg::Incx), (incy, Arg::Incy)] {
                if increments.contains(&0) {
                    return Err(arg.into());
                }
            }
        }
        Ok(policy.maxima.unwrap_or([largest(&m), largest(&n)]))
    }
}

/// The arguments of all forms of `magmablas_?trsm_vbatched`.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// Element type.
    pub dtype: Dtype,
    /// `magma_side_t`, `magma_uplo_t`, `magma_trans_t`, `magma_diag_t`
    pub flags: [c_int; 4],
    /// Device arrays.
    pub sizes: TrsmSizes,
    /// The factor alpha.
    pub alpha: Alpha,
    /// Device arrays of device pointers to A and B.
    pub operands: [Pointers; 2],
    /// Number of members.
    pub batch: c_int,
}

impl System {
    pub(super) unsafe fn problem(&self, policy: SizePolicy<2>, queue: RawQueue) -> Result<Trsm, Error> {
        let [side, uplo, trans, diag] = self.flags;
        let (side, uplo) = (cblas::side(side)?, cblas::uplo(uplo)?);
        let (trans, diag) = (cblas::trans(trans)?, cblas::diag(diag)?);
        let [m, n] = unsafe { self.maxima(policy, side, queue)? }.map(i64::from);
        let (&System { dtype, alpha, .. }, [a, b]) = (self, self.operands.map(|array| Operand::Pointers(array)));
        let (sizes, batch) = (Some(self.sizes), self.batch.into());
        Ok(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: 1, b, ldb: 1, sizes, batch })
    }

    unsafe fn maxima(&self, policy: SizePolicy<2>, side: Side, queue: RawQueue) -> Result<[c_int; 2], Error> {
        if let Some(maxima) = policy.maxima.filter(|_| !policy.waits()) {
            return Ok(maxima);
        }
        let TrsmSizes { m, n, lda, ldb } = self.sizes;
        let arrays = [(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb)];
        let [m, n, lda, ldb] = unsafe { to_host(queue, self.batch, arrays)? };
        if policy.checks_on_host {
            check_not_negative(&m, Arg::M)?;
            check_not_negative(&n, Arg::N)?;
            check_leading(&lda, if side == Side::Left { &m } else { &n }, 1, Arg::Lda)?;
            check_leading(&ldb, &m, 1, Arg::Ldb)?;
        }
        Ok(policy.maxima.unwrap_or([largest(&m), largest(&n)]))
    }
}

/// `magmablas_?gemm_vbatched` and its forms.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemm(prototype: &Prototype, call: &Product, policy: SizePolicy<3>, queue: RawQueue) -> Result<(), Error> {
    run(prototype, unsafe { call.problem(policy, queue) }.map(Operation::Gemm), queue)
}

/// `magmablas_?gemv_vbatched` and its forms.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemv(
    prototype: &Prototype,
    call: &VectorProduct,
    policy: SizePolicy<2>,
    queue: RawQueue,
) -> Result<(), Error> {
    run(prototype, unsafe { call.problem(policy, queue) }.map(Operation::Gemv), queue)
}

/// `magmablas_?trsm_vbatched` and its forms.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn trsm(prototype: &Prototype, call: &System, policy: SizePolicy<2>, queue: RawQueue) -> Result<(), Error> {
    run(prototype, unsafe { call.problem(policy, queue) }.map(Operation::Trsm), queue)
}

/// The matrices that receive the solutions of `magmablas_?trsm_inv_outofplace_vbatched`.
#[derive(Clone, Copy, Debug)]
pub struct Solutions {
    /// Device array of device pointers.
    pub x: Pointers,
    /// Device array of leading dimensions.
    pub ldx: *const c_int,
}

/// `magmablas_?trsm_inv_outofplace_vbatched`: writes the solutions to X. Asynchronous; one int per member is allocated
/// from the stream-ordered pool for the duration of the call. B is not modified; MAGMA uses it as workspace.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn trsm_out_of_place(
    prototype: &Prototype,
    call: &System,
    to: Solutions,
    maxima: [c_int; 2],
    queue: RawQueue,
) -> Result<(), Error> {
    let policy = SizePolicy { checks_on_host: false, maxima: Some(maxima) };
    let result = unsafe { call.problem(policy, queue).and_then(|p| solve_into(prototype.name, &p, call, to, queue)) };
    report_at(prototype.name, |arg| by_name(prototype, arg), result)
}

unsafe fn solve_into(name: &str, p: &Trsm, call: &System, to: Solutions, queue: RawQueue) -> Result<(), Error> {
    if p.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    let TrsmSizes { m, n, lda, ldb } = call.sizes;
    let (zero, [a, b]) = (p.alpha.is_zero(), call.operands.map(|array| array.is_null()));
    let arrays = [(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb), (to.ldx, Arg::Ldx)];
    let nulls = arrays.map(|(array, arg)| (array.is_null(), arg));
    let operands = [(a && !zero, Arg::A), (b && !zero, Arg::B), (to.x.is_null(), Arg::X)];
    if let Some((_, arg)) = nulls.into_iter().chain(operands).find(|(null, _)| *null) {
        return Err(Error::BadArgument(arg, Fault::Null));
    }
    let (runtime, stream, x) = (backend::current()?, unsafe { stream_of(queue) }, Operand::Pointers(to.x));
    runtime.workspace(&Operation::Trsm(*p))?;
    let checked = runtime.alloc_async(call.batch as usize * size_of::<c_int>(), stream)?.cast::<c_int>();
    let system = TrsmSizes { ldb: to.ldx, ..call.sizes };
    let copy = Assign {
        dtype: p.dtype,
        part: Part::Full,
        m: p.m,
        n: p.n,
        source: if zero {
            Source::Constants { off: C64::default(), on: C64::default() }
        } else {
            Source::Matrices(p.b, 1)
        },
        to: x,
        ld: 1,
        sizes: Some(SystemSizes { system, side: p.side, ld_from: ldb, checked }),
        batch: p.batch,
    };
    let solve = Trsm { b: x, sizes: Some(TrsmSizes { m: checked, ..system }), ..*p };
    let done = unsafe { runtime.assign(&copy, stream) }.and_then(|()| match zero {
        true => Ok(()),
        false => unsafe { call::run(name, runtime, &Operation::Trsm(solve), stream, WorkspaceSource::Caller) },
    });
    done.and(unsafe { runtime.free_async(checked.cast(), stream) })
}

pub(super) fn run(prototype: &Prototype, problem: Result<Operation, Error>, queue: RawQueue) -> Result<(), Error> {
    // SAFETY: the callers' functions are unsafe and pass this obligation on.
    let result = problem.and_then(|op| unsafe {
        call::run(prototype.name, backend::current()?, &op, stream_of(queue), WorkspaceSource::Caller)
    });
    report_at(prototype.name, |arg| by_name(prototype, arg), result)
}
