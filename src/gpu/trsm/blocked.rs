//! Large triangles: the triangle is halved recursively, and a product between the two halves updates the remaining
//! right-hand sides. Those of up to a thousand rows are only halved for many right-hand sides, and orders of 65 to 96,
//! also where such a part is left of a larger triangle, only in large batches. Source: LAPACK's recursive forms
//! (`?potrf2`), BLAS `?trsm`.

use crate::error::Error;
use crate::gpu::args::TrsmArgs;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::walk::{current_limits, launch_kernel};
use crate::gpu::plan::{Launch, Limits, batch_invariant, ceil_div};
use crate::gpu::trsm::steps;
use crate::gpu::trsm::{MEASURED, TILE, few_sides, instance, strips, strips_fill};
use crate::routine::canonical::Canonical;
use crate::routine::{Alpha, Gemm, Side, Trans, Trsm, Uplo};
use crate::scalar::C64;
use std::ops::Range;

const ONE: Alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
/// Matrices of which no device has more at a time, if each has a block.
const ENOUGH: i64 = 512;
const MINUS_ONE: Alpha = Alpha::Host(C64 { re: -1.0, im: 0.0 });

/// Whether the triangles are certainly read: if alpha is zero, they must not be, and an alpha in device memory may be
/// zero.
pub(super) fn reads_triangles(p: &Trsm) -> bool {
    is_certainly_not_zero(p.alpha)
}

/// Whether a factor is known not to be zero.
pub(crate) fn is_certainly_not_zero(alpha: Alpha) -> bool {
    matches!(alpha, Alpha::Host(_)) && !alpha.is_zero()
}

/// Whether a problem is solved this way unless plans are restricted. `fill` is the result of [`strips_fill`].
pub(super) fn is_large(p: &Trsm, fill: bool, limits: Limits) -> bool {
    let (order, nrhs) = if p.side == Side::Left { (p.m, p.n) } else { (p.n, p.m) };
    let (from, least) = MEASURED.halves;
    let pays = || {
        nrhs >= least && (order >= from || is_middle(p, (order, nrhs)) || takes_rounds(p, (order, nrhs), fill, limits))
    };
    p.sizes.is_none() && (is_large_alone(order, p.batch) || pays()) && reads_triangles(p)
}

/// Whether the main kernel would have to solve in rounds, and its tiles keep a device busy. Up to two tiles of
/// right-hand sides are faster on strips, where these serve the shape.
fn takes_rounds(p: &Trsm, (order, nrhs): (i64, i64), fill: bool, limits: Limits) -> bool {
    let busy = || batch_invariant() || p.batch.saturating_mul(ceil_div(nrhs, TILE)) >= MEASURED.busy;
    let in_strips = || fill && strips(p.dtype, (order, nrhs), true, 1, limits).is_some();
    order > MEASURED.block && busy() && !(nrhs <= 2 * TILE && in_strips())
}

/// Whether a triangle would need the main kernel's blocks for 128 rows, of which few fit on a multiprocessor, and is
/// solved by halves, which do not need them. The two further launches are worth that if the batch is large.
fn is_middle(p: &Trsm, (order, nrhs): (i64, i64)) -> bool {
    let (most, least) = MEASURED.halves_middle[p.dtype];
    let many = || batch_invariant() || p.batch >= least;
    order > MEASURED.middle && order <= most && nrhs > 2 * TILE && many()
}

/// Whether triangles of a batch are halved for any number of right-hand sides. Where the batch count must not matter,
/// they are if any batch's are that leaves a device idle.
pub(crate) fn is_large_alone(order: i64, batch: i64) -> bool {
    suffices(order, batch, MEASURED.halves_alone)
}

/// The same for both triangles of a factorisation. One launch for both is slower for several right-hand sides, for
/// which `several` is the order and how many times it must exceed the batch.
pub(crate) fn are_large_alone(order: i64, nrhs: i64, batch: i64, several: (i64, i64)) -> bool {
    suffices(order, batch, if nrhs > 1 { several } else { MEASURED.halves_both })
}

fn suffices(order: i64, batch: i64, (least, times): (i64, i64)) -> bool {
    // No more than a comparison for small triangles.
    order >= least && order / times >= if batch_invariant() { ENOUGH } else { batch }
}

/// Solves the problem.
pub(crate) fn walk(p: &Trsm, queue: Queue<'_>) -> Result<(), Error> {
    let canonical = Canonical::of(p);
    let fill = MEASURED.halves_in_strips[p.dtype] > 0 && strips_fill(p.dtype, canonical.nrhs, p.batch);
    let limits = if fill { Some(current_limits()?) } else { None };
    solve(p, &canonical, 0..canonical.order, p.alpha, limits, queue)
}

/// Solves for a range of unknowns, counted in the order in which they are computed. The right-hand sides are
/// multiplied by `alpha` first. `fill`: the device's limits, if strips of right-hand sides fill it.
fn solve(
    p: &Trsm,
    all: &Canonical,
    range: Range<i64>,
    alpha: Alpha,
    fill: Option<Limits>,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let order = range.end - range.start;
    let is_middle = is_middle(p, (order, all.nrhs));
    let in_strips = fill.filter(|_| order <= MEASURED.halves_in_strips[p.dtype] && !is_middle);
    let launch = |nrhs| in_strips.and_then(|limits| strips(p.dtype, (order, nrhs), true, 1, limits));
    let Some(whole) = launch(all.nrhs) else {
        if order > MEASURED.block || is_middle {
            let half = range.start + ceil_div(order, 128) * 64;
            solve(p, all, range.start..half, alpha, fill, queue)?;
            let product = update_product(p, all.order, range.start..half, half..range.end, alpha);
            // SAFETY: parts of the caller's operands.
            unsafe { product.enqueue(queue)? };
            return solve(p, all, half..range.end, ONE, fill, queue);
        }
        return solve_in_tiles(p, all, range, 0, alpha, queue);
    };
    // A strip takes as long for a few right-hand sides as for all that it has room for.
    let last = all.nrhs % i64::from(whole.instance.columns);
    if all.order >= MEASURED.last_sides[p.dtype]
        && (1..=MEASURED.narrow).contains(&last)
        && let Some(most) = launch(all.nrhs - last)
    {
        solve_in_strips(p, all.order, range.clone(), last, alpha, &most, queue)?;
        return solve_in_tiles(p, all, range, all.nrhs - last, alpha, queue);
    }
    solve_in_strips(p, all.order, range, 0, alpha, &whole, queue)
}

/// Solves for a range of unknowns of the right-hand sides from `first` on, in tiles.
fn solve_in_tiles(
    p: &Trsm,
    all: &Canonical,
    range: Range<i64>,
    first: i64,
    alpha: Alpha,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let (order, nrhs) = (range.end - range.start, all.nrhs - first);
    let part = Canonical {
        a0: all.a0 + range.start * (all.ars + all.acs),
        b0: all.b0 + range.start * all.brs + first * all.bcs,
        order,
        nrhs,
        ..*all
    };
    let few = few_sides(p.dtype, (order, nrhs)).filter(|_| first > 0);
    let batch = if batch_invariant() { MEASURED.busy } else { p.batch };
    let instance = few.map_or_else(|| instance(p.dtype, order, nrhs, batch), Ok)?;
    let launch = Launch::on(instance, order, nrhs, 0);
    let tiles = ceil_div(nrhs, i64::from(instance.columns));
    let blocks = ceil_div(p.batch.saturating_mul(tiles), i64::from(instance.per_block));
    let mut args = TrsmArgs::new(&Trsm { alpha, ..*p }, &part, tiles);
    // SAFETY: the kernel takes TrsmArgs; the operands are the caller's.
    unsafe { launch_kernel(&launch, blocks, &mut args, queue) }
}

/// Solves for a range of unknowns on strips of right-hand sides, except the `last` of these.
fn solve_in_strips(
    p: &Trsm,
    order: i64,
    range: Range<i64>,
    last: i64,
    alpha: Alpha,
    launch: &Launch,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let (unknowns, at) = (range.end - range.start, stored_at(p, order, &range));
    let part = match p.side {
        Side::Left => Trsm { m: unknowns, n: p.n - last, alpha, ..*p },
        Side::Right => Trsm { n: unknowns, m: p.m - last, alpha, ..*p },
    };
    let step = if p.side == Side::Left { 1 } else { p.ldb };
    steps::strips(&[part], [at * (1 + p.lda), at * step], launch, queue)
}

/// Where a range of unknowns, counted in the order in which they are computed, begins in the stored matrices.
fn stored_at(p: &Trsm, order: i64, range: &Range<i64>) -> i64 {
    let forwards = ((p.uplo == Uplo::Lower) == (p.trans == Trans::N)) == (p.side == Side::Left);
    if forwards { range.start } else { order - range.end }
}

/// B := alpha B - op(A) X in the rows `left` of B, with the unknowns `done`. For a solve from the right: X op(A), in
/// columns of B. Both ranges count in the order in which unknowns are computed.
fn update_product(p: &Trsm, order: i64, done: Range<i64>, left: Range<i64>, alpha: Alpha) -> Gemm {
    let from_left = p.side == Side::Left;
    let (terms, rest) = (done.end - done.start, left.end - left.start);
    let (done, left) = (stored_at(p, order, &done), stored_at(p, order, &left));
    // Where the block of op(A) begins in the stored A.
    let (row, column) = if from_left == (p.trans == Trans::N) { (left, done) } else { (done, left) };
    let (a, step) = (row + column * p.lda, if from_left { 1 } else { p.ldb });
    let (solved, updated) = (done * step, left * step);
    let of = |m, n, operands: [_; 2], trans: [_; 2], leading: [_; 2], first: [i64; 2]| Gemm {
        dtype: p.dtype,
        trans_a: trans[0],
        trans_b: trans[1],
        m,
        n,
        k: terms,
        alpha: MINUS_ONE,
        a: operands[0],
        lda: leading[0],
        b: operands[1],
        ldb: leading[1],
        beta: alpha,
        c: p.b,
        ldc: p.ldb,
        sizes: None,
        batch: p.batch,
        first: [first[0], first[1], updated],
        any_stride: false,
    };
    if from_left {
        of(rest, p.n, [p.a, p.b], [p.trans, Trans::N], [p.lda, p.ldb], [a, solved])
    } else {
        of(p.m, rest, [p.b, p.a], [Trans::N, p.trans], [p.ldb, p.lda], [solved, a])
    }
}
