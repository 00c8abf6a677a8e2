//! The `_core` forms: products and triangular solves on blocks inside of the matrices, which begin at a given row and
//! column, counted from 0. A block extends to the end of its matrix, but has at most the maximal sizes.
//!
//! The addresses and sizes of the blocks are in memory of the stream-ordered pool, allocated for the duration of the
//! call. Asynchronous.

use super::super::Pointers;
use super::super::int::report_at;
use super::super::queue::{RawQueue, stream_of};
use super::blas::{Product, SizePolicy, System};
use super::products::Symmetric;
use crate::backend;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, WorkspaceSource};
use crate::face::guard::Prototype;
use crate::face::native::by_name;
use crate::routine::{
    BlocksOfEach, Corner, Gemm, GemmSizes, Operand, Operation, PanelStep, Remainder, Routine, Side, Symm, SymmSizes,
    Trans, Trmm, Trsm, TrsmSizes, Verdict,
};
use std::ffi::{c_int, c_void};

/// First row and column of a block.
pub type At = [c_int; 2];

/// The array of a size, the part of that size before the block, and the maximal size of the block.
type Size = (*const c_int, c_int, i64);

/// A routine on whole matrices that can also run on blocks of them.
trait BlockRoutine: Routine + Copy + Sized {
    /// Its operands, and their leading dimensions.
    fn operands(&self) -> Vec<(Operand, *const c_int)>;
    /// Its sizes, for blocks of the operands that begin at `at`.
    fn sizes(&self, at: &[At]) -> Vec<Size>;
    /// The same routine with other operands and sizes.
    fn with_operands(&self, operands: &[Operand], sizes: &[*const c_int]) -> Operation;
}

/// The row and column of op(A): swapped if the matrix is transposed.
fn transposed_offset(at: At, trans: Trans) -> At {
    if trans == Trans::N { at } else { [at[1], at[0]] }
}

impl BlockRoutine for Gemm {
    fn operands(&self) -> Vec<(Operand, *const c_int)> {
        let GemmSizes { lda, ldb, ldc, .. } = self.sizes.unwrap_or(GemmSizes::NULL);
        vec![(self.a, lda), (self.b, ldb), (self.c, ldc)]
    }
    fn sizes(&self, at: &[At]) -> Vec<Size> {
        let GemmSizes { m, n, k, .. } = self.sizes.unwrap_or(GemmSizes::NULL);
        let ([am, ak], [bk, bn], [cm, cn]) =
            (transposed_offset(at[0], self.trans_a), transposed_offset(at[1], self.trans_b), at[2]);
        vec![(m, am.max(cm), self.m), (n, bn.max(cn), self.n), (k, ak.max(bk), self.k)]
    }
    fn with_operands(&self, operands: &[Operand], sizes: &[*const c_int]) -> Operation {
        let block_sizes = self.sizes.map(|whole| GemmSizes { m: sizes[0], n: sizes[1], k: sizes[2], ..whole });
        Operation::Gemm(Gemm { a: operands[0], b: operands[1], c: operands[2], sizes: block_sizes, ..*self })
    }
}

impl BlockRoutine for Symm {
    fn operands(&self) -> Vec<(Operand, *const c_int)> {
        let SymmSizes { lda, ldb, ldc, .. } = self.sizes.unwrap_or(SymmSizes::NULL);
        vec![(self.a, lda), (self.b, ldb), (self.c, ldc)]
    }
    fn sizes(&self, at: &[At]) -> Vec<Size> {
        let SymmSizes { m, n, .. } = self.sizes.unwrap_or(SymmSizes::NULL);
        let (of_a, [bm, bn], [cm, cn]) = (at[0][0].max(at[0][1]), at[1], at[2]);
        let (before_m, before_n) = (bm.max(cm), bn.max(cn));
        match self.side {
            Side::Left => vec![(m, before_m.max(of_a), self.m), (n, before_n, self.n)],
            Side::Right => vec![(m, before_m, self.m), (n, before_n.max(of_a), self.n)],
        }
    }
    fn with_operands(&self, operands: &[Operand], sizes: &[*const c_int]) -> Operation {
        let block_sizes = self.sizes.map(|whole| SymmSizes { m: sizes[0], n: sizes[1], ..whole });
        Operation::Symm(Symm { a: operands[0], b: operands[1], c: operands[2], sizes: block_sizes, ..*self })
    }
}

impl BlockRoutine for Trsm {
    fn operands(&self) -> Vec<(Operand, *const c_int)> {
        let TrsmSizes { lda, ldb, .. } = self.sizes.unwrap_or(TrsmSizes::NULL);
        vec![(self.a, lda), (self.b, ldb)]
    }
    fn sizes(&self, at: &[At]) -> Vec<Size> {
        let TrsmSizes { m, n, .. } = self.sizes.unwrap_or(TrsmSizes::NULL);
        let (of_a, [bm, bn]) = (at[0][0].max(at[0][1]), at[1]);
        match self.side {
            Side::Left => vec![(m, bm.max(of_a), self.m), (n, bn, self.n)],
            Side::Right => vec![(m, bm, self.m), (n, bn.max(of_a), self.n)],
        }
    }
    fn with_operands(&self, operands: &[Operand], sizes: &[*const c_int]) -> Operation {
        let block_sizes = self.sizes.map(|whole| TrsmSizes { m: sizes[0], n: sizes[1], ..whole });
        Operation::Trsm(Trsm { a: operands[0], b: operands[1], sizes: block_sizes, ..*self })
    }
}

impl BlockRoutine for Trmm {
    fn operands(&self) -> Vec<(Operand, *const c_int)> {
        self.system().operands()
    }
    fn sizes(&self, at: &[At]) -> Vec<Size> {
        self.system().sizes(at)
    }
    fn with_operands(&self, operands: &[Operand], sizes: &[*const c_int]) -> Operation {
        let block_sizes = self.sizes.map(|whole| TrsmSizes { m: sizes[0], n: sizes[1], ..whole });
        Operation::Trmm(Trmm { a: operands[0], b: operands[1], sizes: block_sizes, ..*self })
    }
}

/// `magmablas_?gemm_vbatched_core`
///
/// # Safety
/// As MAGMA's code has it.
pub unsafe fn gemm(
    prototype: &Prototype,
    call: &Product,
    at: [At; 3],
    maxima: [c_int; 3],
    queue: RawQueue,
) -> Result<(), Error> {
    let policy = SizePolicy { checks_on_host: false, maxima: Some(maxima) };
    run(prototype, unsafe { call.problem(policy, queue) }, &at, queue)
}

/// `magmablas_?symm_vbatched_core`, `magmablas_?hemm_vbatched_core`; a positive size in `bounds` is an additional upper
/// bound.
///
/// # Safety
/// As MAGMA's code has it.
pub unsafe fn symm(
    prototype: &Prototype,
    call: &Symmetric,
    at: [At; 3],
    (maxima, bounds): ([c_int; 2], [c_int; 2]),
    queue: RawQueue,
) -> Result<(), Error> {
    let max = |k: usize| if bounds[k] > 0 { maxima[k].min(bounds[k]) } else { maxima[k] };
    let policy = SizePolicy { checks_on_host: false, maxima: Some([max(0), max(1)]) };
    run(prototype, unsafe { call.problem(policy, queue) }, &at, queue)
}

/// `magmablas_?trsm_vbatched_core`, `magmablas_?trsm_small_vbatched`
///
/// # Safety
/// As MAGMA's code has it.
pub unsafe fn trsm(
    prototype: &Prototype,
    call: &System,
    at: [At; 2],
    maxima: [c_int; 2],
    queue: RawQueue,
) -> Result<(), Error> {
    let policy = SizePolicy { checks_on_host: false, maxima: Some(maxima) };
    run(prototype, unsafe { call.problem(policy, queue) }, &at, queue)
}

/// `magmablas_?trmm_vbatched_core`
///
/// # Safety
/// As MAGMA's code has it.
pub unsafe fn trmm(
    prototype: &Prototype,
    call: &System,
    at: [At; 2],
    maxima: [c_int; 2],
    queue: RawQueue,
) -> Result<(), Error> {
    let policy = SizePolicy { checks_on_host: false, maxima: Some(maxima) };
    run(prototype, unsafe { call.problem(policy, queue) }.map(|p| p.product()), &at, queue)
}

/// Names of the arguments for the first row and column of each block.
const CORNERS: [[&str; 2]; 3] = [["ai", "aj"], ["bi", "bj"], ["ci", "cj"]];

fn run<P: BlockRoutine>(
    prototype: &Prototype,
    problem: Result<P, Error>,
    at: &[At],
    queue: RawQueue,
) -> Result<(), Error> {
    let corners = CORNERS.as_flattened().iter().zip(at.as_flattened());
    if let Some((name, &number)) = corners.into_iter().find(|(_, number)| **number < 0) {
        let place = prototype.arguments.iter().position(|argument| argument == name).map_or(0, |i| i as i32 + 1);
        return report_at(prototype.name, |_| place, Err(Error::BadArgument(Arg::Row, Fault::Below(number.into(), 0))));
    }
    report_at(
        prototype.name,
        |arg| by_name(prototype, arg),
        problem.and_then(|p| unsafe { on_blocks(prototype.name, &p, at, queue) }),
    )
}

unsafe fn on_blocks<P: BlockRoutine>(name: &str, p: &P, at: &[At], queue: RawQueue) -> Result<(), Error> {
    if p.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    p.refuse_nulls()?;
    let (runtime, stream) = (backend::current()?, unsafe { stream_of(queue) });
    let (operands, sizes, members) = (p.operands(), p.sizes(at), p.batch() as usize);
    // At most 40 bytes for each of fewer than 2^31 members.
    let bytes = members * (operands.len() * size_of::<*mut c_void>() + sizes.len() * size_of::<c_int>());
    let scratch = runtime.alloc_async(bytes, stream)?;
    let address = |k: usize| scratch.cast::<*mut c_void>().wrapping_add(k * members);
    let size = |k: usize| address(operands.len()).cast::<c_int>().wrapping_add(k * members);
    // Operands may be NULL if their factor is zero.
    let corner = |(k, (&(from, leading), &at)): (usize, (&(Operand, *const c_int), &At))| {
        (!from.is_null()).then(|| Corner { from: array(from), to: address(k), leading, at })
    };
    let corners: Vec<Corner> = operands.iter().zip(at).enumerate().filter_map(corner).collect();
    let remainders: Vec<Remainder> = sizes
        .iter()
        .enumerate()
        .map(|(k, &(each, before, max))| Remainder { each, out: size(k), before, most: max as c_int })
        .collect();
    let blocks = BlocksOfEach::new(&corners, &remainders, p.dtype().bytes(), p.batch());
    let block = |(k, (from, _)): (usize, &(Operand, _))| {
        if from.is_null() { Operand::NULL } else { Operand::Pointers(address(k).cast_const()) }
    };
    let block_operands: Vec<Operand> = operands.iter().enumerate().map(block).collect();
    let block_sizes: Vec<*const c_int> = (0..sizes.len()).map(|k| size(k).cast_const()).collect();
    // SAFETY: the arrays have one element per member.
    let done = unsafe { runtime.panel(&PanelStep::Blocks(blocks), stream) }.and_then(|()| unsafe {
        call::run(name, runtime, &p.with_operands(&block_operands, &block_sizes), stream, WorkspaceSource::Caller)
    });
    done.and(unsafe { runtime.free_async(scratch, stream) })
}

/// The array of pointers of an operand; all of MAGMA's operands are given by one.
fn array(operand: Operand) -> Pointers {
    match operand {
        Operand::Pointers(array) => array.cast_mut(),
        Operand::Strided { .. } => std::ptr::null_mut(),
    }
}
