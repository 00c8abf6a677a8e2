//! Symmetric and Hermitian products, and products with triangular matrices, in the forms of `blas`.

use super::super::Pointers;
use super::super::queue::RawQueue;
use super::blas::{SizePolicy, System, run};
use super::{check_leading, check_not_negative, largest, to_host};
use crate::error::{Arg, Error};
use crate::face::constants::cblas;
use crate::face::guard::Prototype;
use crate::routine::{Alpha, Dtype, Operand, Operation, Side, Symm, SymmSizes, Syr2k, Syrk, SyrkSizes, Trans};
use std::ffi::c_int;

/// What all forms of `magmablas_?{syrk,herk,syr2k,her2k}_vbatched` share.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// Element type.
    pub dtype: Dtype,
    /// Whether C is Hermitian.
    pub hermitian: bool,
    /// Whether only the first of the two products of a rank-2k update is computed.
    pub once: bool,
    /// `magma_uplo_t`, `magma_trans_t`
    pub flags: [c_int; 2],
    /// Device arrays.
    pub sizes: SyrkSizes,
    /// alpha and beta.
    pub factors: [Alpha; 2],
    /// Device arrays of device pointers to A, B and C; B is `None` for rank-k updates.
    pub operands: (Pointers, Option<Pointers>, Pointers),
    /// Number of members.
    pub batch: c_int,
}

impl Update {
    unsafe fn problem(&self, policy: SizePolicy<2>, queue: RawQueue) -> Result<Operation, Error> {
        let (uplo, trans) = (cblas::uplo(self.flags[0])?, cblas::trans(self.flags[1])?);
        let other = if self.hermitian { Trans::T } else { Trans::C };
        if self.dtype.is_complex() && trans == other {
            return Err(Arg::Trans.into());
        }
        let [n, k] = unsafe { self.maxima(policy, trans, queue)? }.map(i64::from);
        let &Update { dtype, hermitian, once, factors: [alpha, beta], operands: (a, b, c), .. } = self;
        let ([a, c], sizes, batch) =
            ([a, c].map(|array| Operand::Pointers(array)), Some(self.sizes), self.batch.into());
        let (lda, ldb, ldc) = (1, 1, 1);
        Ok(match b.map(|b| Operand::Pointers(b)) {
            None => {
                Operation::Syrk(Syrk { dtype, hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc, sizes, batch })
            }
            Some(b) => Operation::Syr2k(Syr2k {
                dtype,
                hermitian,
                once,
                uplo,
                trans,
                n,
                k,
                alpha,
                a,
                lda,
                b,
                ldb,
                beta,
                c,
                ldc,
                sizes,
                batch,
            }),
        })
    }

    unsafe fn maxima(&self, policy: SizePolicy<2>, trans: Trans, queue: RawQueue) -> Result<[c_int; 2], Error> {
        if let Some(maxima) = policy.maxima.filter(|_| !policy.waits()) {
            return Ok(maxima);
        }
        let SyrkSizes { n, k, lda, ldb, ldc } = self.sizes;
        let arrays = [(n, Arg::N), (k, Arg::K), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)];
        let [n, k, lda, ldb, ldc] = unsafe { to_host(queue, self.batch, arrays)? };
        if policy.checks_on_host {
            check_not_negative(&n, Arg::N)?;
            check_not_negative(&k, Arg::K)?;
            let rows = if trans == Trans::N { &n } else { &k };
            check_leading(&lda, rows, 0, Arg::Lda)?;
            check_leading(&ldb, rows, 0, Arg::Ldb)?;
            check_leading(&ldc, &n, 0, Arg::Ldc)?;
        }
        Ok(policy.maxima.unwrap_or([largest(&n), largest(&k)]))
    }
}

/// `magmablas_?{syrk,herk,syr2k,her2k}_vbatched` and their forms.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn update(
    prototype: &Prototype,
    call: &Update,
    policy: SizePolicy<2>,
    queue: RawQueue,
) -> Result<(), Error> {
    run(prototype, unsafe { call.problem(policy, queue) }, queue)
}

/// `magmablas_?trmm_vbatched` and its forms, whose arguments are those of trsm.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn trmm(prototype: &Prototype, call: &System, policy: SizePolicy<2>, queue: RawQueue) -> Result<(), Error> {
    run(prototype, unsafe { call.problem(policy, queue) }.map(|p| Operation::Trmm(p.product())), queue)
}

/// The arguments of all forms of `magmablas_?symm_vbatched` and `magmablas_?hemm_vbatched`.
#[derive(Clone, Copy, Debug)]
pub struct Symmetric {
    /// Element type.
    pub dtype: Dtype,
    /// Whether A is Hermitian.
    pub hermitian: bool,
    /// `magma_side_t`, `magma_uplo_t`
    pub flags: [c_int; 2],
    /// Device arrays.
    pub sizes: SymmSizes,
    /// alpha and beta.
    pub factors: [Alpha; 2],
    /// Device arrays of device pointers to A, B and C.
    pub operands: [Pointers; 3],
    /// Number of members.
    pub batch: c_int,
}

impl Symmetric {
    pub(super) unsafe fn problem(&self, policy: SizePolicy<2>, queue: RawQueue) -> Result<Symm, Error> {
        let (side, uplo) = (cblas::side(self.flags[0])?, cblas::uplo(self.flags[1])?);
        let [m, n] = unsafe { self.maxima(policy, side, queue)? }.map(i64::from);
        let &Symmetric { dtype, hermitian, factors: [alpha, beta], .. } = self;
        let ([a, b, c], sizes) = (self.operands.map(|array| Operand::Pointers(array)), Some(self.sizes));
        let (lda, ldb, ldc, batch) = (1, 1, 1, self.batch.into());
        Ok(Symm { dtype, hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch })
    }

    unsafe fn maxima(&self, policy: SizePolicy<2>, side: Side, queue: RawQueue) -> Result<[c_int; 2], Error> {
        if let Some(maxima) = policy.maxima.filter(|_| !policy.waits()) {
            return Ok(maxima);
        }
        let SymmSizes { m, n, lda, ldb, ldc } = self.sizes;
        let arrays = [(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)];
        let [m, n, lda, ldb, ldc] = unsafe { to_host(queue, self.batch, arrays)? };
        if policy.checks_on_host {
            check_not_negative(&m, Arg::M)?;
            check_not_negative(&n, Arg::N)?;
            check_leading(&lda, if side == Side::Left { &m } else { &n }, 0, Arg::Lda)?;
            check_leading(&ldb, &m, 0, Arg::Ldb)?;
            check_leading(&ldc, &m, 0, Arg::Ldc)?;
        }
        Ok(policy.maxima.unwrap_or([largest(&m), largest(&n)]))
    }
}

/// `magmablas_?symm_vbatched`, `magmablas_?hemm_vbatched` and their forms.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn symm(
    prototype: &Prototype,
    call: &Symmetric,
    policy: SizePolicy<2>,
    queue: RawQueue,
) -> Result<(), Error> {
    run(prototype, unsafe { call.problem(policy, queue) }.map(Operation::Symm), queue)
}
