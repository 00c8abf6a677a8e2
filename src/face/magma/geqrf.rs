//! `magma_?geqrf_batched`, `_work` and `_expert`, with MAGMA's argument numbers, order of checks and synchronisation.

use super::Pointers;
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::native::Positions;
use crate::face::{call, math};
use crate::routine::{Dtype, ExtractPart, Geqrf, GeqrfExtract, Operand, Routine, Verdict};
use std::ffi::c_int;

/// The value of `magma_get_?geqrf_batched_nb`, which in MAGMA is the same for every m and precision. It determines the
/// sizes of R, T and W of the expert form.
pub const PANEL: c_int = 32;

/// The arguments that all three forms share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function without its suffix, as far as messages need it.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the scalar factors.
    pub tau: Pointers,
    /// Device array of one code per matrix, set to 0; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

const PLAIN: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5)];
const WORK: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::Lwork, 8), (Arg::BatchCount, 9)];
/// MAGMA reports lda, ldr and ldt by the numbers that they had before `nb` was inserted. They are kept, as programs may
/// rely on them.
const EXPERT: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::Nb, 3),
    (Arg::Lda, 4),
    (Arg::Ldr, 6),
    (Arg::A, 4),
    (Arg::Ldt, 8),
    (Arg::R, 6),
    (Arg::T, 8),
    (Arg::Tau, 10),
    (Arg::BatchCount, 14),
];

impl Call {
    fn problem(&self) -> Geqrf {
        Geqrf {
            dtype: self.dtype,
            m: self.m.into(),
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            sizes: None,
            tau: Operand::Pointers(self.tau),
            batch: self.batch.into(),
            info: self.info,
            math: math::of_thread(),
        }
    }
}

/// `magma_?geqrf_batched`. This outer form checks only the sizes, and returns at once for an empty matrix; a bad batch
/// count is reported as argument 9 of the `_work` form, by its name. It always waits for the queue, because programs
/// written for MAGMA read the result on the host right afterwards.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn plain(call: &Call, work_name: &'static str) -> Result<MagmaInt, Error> {
    match (Geqrf { batch: 1, ..call.problem() }).check() {
        Ok(Verdict::Go) => {}
        other => return into_code(call.name, PLAIN, other.map(|_| ())),
    }
    let mut no_workspace = 0;
    let info = unsafe { work(&Call { name: work_name, ..*call }, &mut no_workspace)? };
    unsafe { synchronize(call.queue)? };
    Ok(info)
}

/// `magma_?geqrf_batched_work`: `*lwork < 0` is a workspace query, which reports 0 bytes and checks nothing else.
/// Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn work(call: &Call, lwork: *mut c_int) -> Result<MagmaInt, Error> {
    let Some(lwork) = (unsafe { lwork.as_mut() }) else { return into_code(call.name, WORK, Err(Arg::Lwork.into())) };
    if *lwork < 0 {
        *lwork = 0;
        return Ok(MagmaInt::SUCCESS);
    }
    let result = backend::current()
        .and_then(|runtime| unsafe { call::geqrf(call.name, runtime, &call.problem(), stream_of(call.queue)) });
    into_code(call.name, WORK, result)
}

/// The expert form's own arguments.
#[derive(Clone, Copy, Debug)]
pub struct Expert {
    /// Columns in a panel.
    pub nb: c_int,
    /// Receives R.
    pub r: Pointers,
    /// Leading dimension of R.
    pub ldr: c_int,
    /// Receives T.
    pub t: Pointers,
    /// Leading dimension of T.
    pub ldt: c_int,
    /// 0, 1 or 2.
    pub provide_rt: c_int,
}

/// `magma_?geqrf_expert_batched`. Asynchronous.
///
/// * `provide_RT` 0: A and tau are as in the plain form; R and T are not touched (MAGMA uses them as scratch memory).
/// * 1: R receives all of R (min(m,n) x n, zero below its diagonal), and T the nb x nb factors side by side. MAGMA
///   documents this, although its code leaves the blocks of R to the right of the panels in A only.
/// * 2: R and T receive the nb x nb diagonal blocks, side by side.
///
/// With 1 and 2 the upper triangle of each diagonal block of A is set to that of the identity, so that the block holds
/// V with its ones and zeros; elements above the diagonal blocks still hold R. MAGMA does the same.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn expert(call: &Call, expert: &Expert) -> Result<MagmaInt, Error> {
    let extract = GeqrfExtract {
        qr: call.problem(),
        nb: expert.nb.into(),
        r: Operand::Pointers(expert.r),
        ldr: expert.ldr.into(),
        t: Operand::Pointers(expert.t),
        ldt: expert.ldt.into(),
        part: if expert.provide_rt == 1 { ExtractPart::Full } else { ExtractPart::DiagonalBlocks },
        explicit_v: true,
    };
    // MAGMA does not check nb and the batch count (it hangs for nb < 1). Here they are checked in the order of their
    // positions.
    let result = extract.check().and_then(|verdict| match verdict {
        Verdict::QuickReturn => Ok(()),
        Verdict::Go => unsafe { run_expert(call, expert.provide_rt, &extract) },
    });
    into_code(call.name, EXPERT, result)
}

unsafe fn run_expert(call: &Call, provide_rt: c_int, extract: &GeqrfExtract) -> Result<(), Error> {
    if !matches!(provide_rt, 0..=2) {
        return Err(Error::NotSupported(format!("provide_RT = {provide_rt} (known: 0, 1, 2)")));
    }
    let wanted = provide_rt != 0;
    if wanted && extract.r.is_null() {
        return Err(Arg::R.into());
    }
    if wanted && extract.t.is_null() {
        return Err(Arg::T.into());
    }
    let (runtime, stream) = (backend::current()?, unsafe { stream_of(call.queue) });
    unsafe { call::geqrf(call.name, runtime, &extract.qr, stream)? };
    if wanted { unsafe { runtime.geqrf_extract(extract, stream) } } else { Ok(()) }
}
