//! The triangular factors of block reflectors on the device. The sizes alone decide how T is formed, so there is no
//! plan to look up:
//!
//! - `generic`: one launch with a block per matrix, for any sizes.
//! - `divided`: the rows of tall matrices are divided among blocks, for up to as many reflectors as those kernels hold.
//! - `halves`: many reflectors. T is a triangle of two halves T1 and T2, each formed from its own reflectors V1 and V2,
//!   and of -T1 (V1^H V2) T2 beside them. Blocks of T on the diagonal are formed in one of the ways above, then joined
//!   to ever larger ones by products, which many blocks share. Source: LAPACK 3.12 larft.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::args::DeviceOperand;
use crate::gpu::plan::queue::{List, Queue};
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::{Instance, LARFT};
use crate::gpu::plan::walk::{current_limits, launch_kernel};
use crate::gpu::plan::{Launch, Limits, allowed, ceil_div, restricted};
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update::{DividedReflectorKernels, PANEL};
use crate::gpu::tall::update_steps::{Reflector, with_scratch};
use crate::gpu::triangle::steps::product_at;
use crate::routine::{Alpha, Diag, Gemm, Larft, Routine, Side, Trans, Trmm, Uplo};

/// Reflectors of the blocks that are joined, if a block of threads forms each of them.
const BLOCK: i64 = 32;

/// Declared in `kernels/auxiliary/larft.cuh`.
#[repr(C)]
struct LarftArgs {
    v: DeviceOperand,
    tau: DeviceOperand,
    t: DeviceOperand,
    ldv: i64,
    ldt: i64,
    batch: i64,
    at: i64,
    m: i64,
    k: i64,
    width: i64,
    blocks: i64,
    form: i32,
    pad: i32,
}

/// How T is formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Generic,
    Divided,
    Halves,
}

impl Way {
    fn of(p: &Larft, limits: Limits) -> Way {
        match () {
            () if has_divided(p, p.m, p.k, limits) => Way::Divided,
            () if p.k > DEFAULT.larft_at_once && allowed("halves") => Way::Halves,
            () => Way::Generic,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Way::Generic => "generic",
            Way::Divided => "divided",
            Way::Halves => "halves",
        }
    }
}

/// Whether the rows of k reflectors are divided among blocks.
fn has_divided(p: &Larft, rows: i64, k: i64, limits: Limits) -> bool {
    DividedReflectorKernels::for_larft(p.dtype, rows, k, limits).is_some()
}

impl Run for Larft {
    unsafe fn enqueue(&self, queue: Queue<'_>) -> Result<(), Error> {
        let limits = current_limits()?;
        let listed = queue.list().map(|list| (list, list.begin()));
        let (whole, way) = (Span { at: 0, k: self.k }, Way::of(self, limits));
        if way == Way::Halves && restricted() && listed.is_none() {
            List::of(self)?; // fails before T is written if some product has no allowed kernel
        }
        match way {
            Way::Generic => blocks(self, whole, self.k, true, queue)?,
            Way::Divided => divided(self, whole, limits, queue)?,
            Way::Halves => {
                let form = |step: Step| match step {
                    Step::Rest(span) => blocks(self, span, BLOCK, false, queue),
                    Step::Blocks(span) => blocks(self, span, BLOCK, true, queue),
                    Step::Divided(span) => divided(self, span, limits, queue),
                    Step::Join(left, right) => join(self, left, right, queue),
                };
                halves(self, limits, form)?;
            }
        }
        if let Some((list, begin)) = listed {
            list.end_as(begin, self.name(), way.name(), 0, "");
        }
        Ok(())
    }
}

/// Consecutive reflectors: k of them from `at` on. Their triangular factor is a block on T's diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    at: i64,
    k: i64,
}

impl Span {
    /// Its two halves, of which the first is a multiple of the smallest blocks.
    fn halves(self) -> (Span, Span) {
        let first = ceil_div(self.k, 2 * BLOCK) * BLOCK;
        (Span { k: first, ..self }, Span { at: self.at + first, k: self.k - first })
    }
}

/// A step of forming T by halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Everything but the smallest blocks on the diagonal: zeros below, V^H above.
    Rest(Span),
    /// The same, and these blocks.
    Blocks(Span),
    /// The block of these reflectors, with divided rows.
    Divided(Span),
    /// The block of two adjacent spans, from theirs.
    Join(Span, Span),
}

/// Passes on the steps, in order.
fn halves(p: &Larft, limits: Limits, mut step: impl FnMut(Step) -> Result<(), Error>) -> Result<(), Error> {
    let whole = Span { at: 0, k: p.k };
    if has_divided(p, p.m, PANEL, limits) {
        step(Step::Rest(whole))?;
    }
    halve(p, whole, false, limits, &mut step)
}

/// The same for a part. `formed`: whether its smallest blocks have been formed already.
fn halve(
    p: &Larft,
    span: Span,
    formed: bool,
    limits: Limits,
    step: &mut impl FnMut(Step) -> Result<(), Error>,
) -> Result<(), Error> {
    let rows = p.m - span.at;
    if !formed && has_divided(p, rows, span.k, limits) {
        return step(Step::Divided(span));
    }
    // One launch forms the smallest blocks of all rows that are not divided.
    let formed = formed || {
        let here = !has_divided(p, rows, PANEL, limits);
        if here {
            step(Step::Blocks(span))?;
        }
        here
    };
    if span.k <= BLOCK {
        return Ok(());
    }
    let (left, right) = span.halves();
    halve(p, left, formed, limits, step)?;
    halve(p, right, formed, limits, step)?;
    step(Step::Join(left, right))
}

/// Forms blocks of `width` reflectors on the diagonal, or only what is beside them.
fn blocks(p: &Larft, Span { at, k }: Span, width: i64, form: bool, queue: Queue<'_>) -> Result<(), Error> {
    let &Larft { dtype, m, v, ldv, tau, t, ldt, batch, .. } = p;
    let (m, blocks, form) = (m - at, ceil_div(k, width), form.into());
    let (v, tau, t) = (v.into(), tau.into(), t.into());
    let mut args = LarftArgs { v, tau, t, ldv, ldt, batch, at, m, k, width, blocks, form, pad: 0 };
    let launch = Launch::on(Instance::plain(LARFT, dtype)?, m, k, 0);
    // SAFETY: the kernel takes LarftArgs; the operands are the caller's.
    unsafe { launch_kernel(&launch, batch.saturating_mul(blocks), &mut args, queue) }
}

/// Forms the block of these reflectors, with divided rows.
fn divided(p: &Larft, Span { at, k }: Span, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let &Larft { dtype, m, v, ldv, tau, t, ldt, batch, .. } = p;
    // There is no matrix C.
    let (c, ldc, n, first) = (v, ldv, 0, [at * (ldv + 1), at, 0]);
    let (m, adjoint, zeros, pending) = (m - at, false, 0, PendingMembers::ALL);
    let v = Reflector { dtype, v, ldv, tau, c, ldc, batch, first, m, n, k, adjoint, zeros, pending };
    with_scratch(v.bytes(limits)?, queue, |sums| {
        // SAFETY: the operands are the caller's, and the scratch memory has the size that `bytes` says.
        unsafe { v.larft((t, ldt, at * (ldt + 1)), limits, sums, queue) }
    })
}

/// W := -T1 (V1^H V2) T2 beside T1, where V1^H has been written above the rows of V2's triangle.
fn join(p: &Larft, left: Span, right: Span, queue: Queue<'_>) -> Result<(), Error> {
    let &Larft { dtype, m: rows, v, ldv, t, ldt, batch, .. } = p;
    let (m, n, end) = (left.k, right.k, right.at + right.k);
    let place = left.at + right.at * ldt;
    let (one, minus_one) = (Alpha::host(1.0), Alpha::host(-1.0));
    let triangle = Trmm {
        dtype,
        side: Side::Right,
        uplo: Uplo::Lower,
        trans: Trans::N,
        diag: Diag::Unit,
        m,
        n,
        alpha: one,
        a: v,
        lda: ldv,
        b: t,
        ldb: ldt,
        sizes: None,
        batch,
    };
    let upper = Trmm { uplo: Uplo::Upper, diag: Diag::NonUnit, a: t, lda: ldt, ..triangle };
    let sizes = [m, n, rows - end];
    let below = Gemm {
        first: [end + left.at * ldv, end + right.at * ldv, place],
        ..Gemm::uniform(dtype, [Trans::C, Trans::N], sizes, [one; 2], [v, v, t], [ldv, ldv, ldt], batch)
    };
    // SAFETY: the operands are the caller's; a product reads no elements of T that it writes, except W's own.
    unsafe {
        product_at(&triangle, [right.at * (ldv + 1), place], queue)?;
        if below.k > 0 {
            below.enqueue(queue)?;
        }
        product_at(&Trmm { side: Side::Left, alpha: minus_one, ..upper }, [left.at * (ldt + 1), place], queue)?;
        product_at(&upper, [right.at * (ldt + 1), place], queue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::{Dtype, Operand};

    fn problem(dtype: Dtype, m: i64, k: i64) -> Larft {
        let (v, tau, t) = (Operand::NULL, Operand::NULL, Operand::NULL);
        Larft { dtype, m, k, v, ldv: m, tau, t, ldt: k, batch: 1 }
    }

    #[test]
    fn many_reflectors_are_halved() {
        for dtype in Dtype::ALL {
            let way = |m, k| Way::of(&problem(dtype, m, k), Limits::HOPPER);
            assert_eq!([way(64, 64), way(2000, 64)], [Way::Generic; 2], "{dtype:?}");
            assert_eq!([way(65, 65), way(2000, 300), way(5000, 129)], [Way::Halves; 3], "{dtype:?}");
            assert_eq!([way(2500, 1), way(5000, 64)], [Way::Divided; 2], "{dtype:?}");
            assert_eq!(Way::of(&problem(dtype, 5000, 64), Limits::NONE), Way::Generic, "{dtype:?}");
            assert_eq!(Way::of(&problem(dtype, 5000, 100), Limits::NONE), Way::Halves, "{dtype:?}");
        }
    }

    /// Every block on the diagonal is formed once, after what is beside it has been written, and joined once, after it
    /// has been formed.
    #[test]
    fn blocks_are_formed_and_then_joined() {
        for dtype in Dtype::ALL {
            for limits in [Limits::HOPPER, Limits::NONE] {
                for (m, k) in [(65, 65), (128, 128), (1000, 300), (2500, 1000), (5000, 129), (9000, 700), (2049, 97)] {
                    let (p, text) = (problem(dtype, m, k), format!("{dtype:?} {m} x {k}"));
                    let (mut there, mut beside) = (vec![], vec![]);
                    halves(&p, limits, |step| {
                        match step {
                            Step::Rest(span) => beside.push(span),
                            Step::Blocks(span) => {
                                beside.push(span);
                                let blocks = (0..ceil_div(span.k, BLOCK)).map(|i| i * BLOCK);
                                there.extend(blocks.map(|i| Span { at: span.at + i, k: BLOCK.min(span.k - i) }));
                            }
                            Step::Divided(span) => {
                                assert!(has_divided(&p, m - span.at, span.k, limits), "{text}");
                                there.push(span);
                            }
                            Step::Join(left, right) => {
                                assert!(beside.iter().any(|s| s.at <= left.at && right.at + right.k <= s.at + s.k));
                                for half in [left, right] {
                                    let found = there.iter().position(|span| *span == half);
                                    there.swap_remove(found.unwrap_or_else(|| panic!("{text}: {half:?}")));
                                }
                                assert_eq!(left.at + left.k, right.at, "{text}");
                                there.push(Span { at: left.at, k: left.k + right.k });
                            }
                        }
                        Ok(())
                    })
                    .unwrap();
                    assert_eq!(there, [Span { at: 0, k }], "{text}");
                }
            }
        }
    }
}
