//! Plans for solving systems from their LU factors.
//!
//! Candidates, in order: `resident` (small factors in registers, one launch), `fused` (one launch, for a few
//! right-hand sides, or with small factors for any number), `large` (few large matrices: interchanges, and solves by
//! cuBLAS) and `parts`, which accepts every shape: row interchanges and two triangular solves, which are one launch
//! for many right-hand sides in single precision.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::driver::blas::takes_solves;
use crate::gpu::orgqr::underfills_device;
use crate::gpu::plan::each::write_codes;
use crate::gpu::plan::table::{GETRS_FUSED, GETRS_SMALL, Instance, POTRS_FUSED, SOLVE_SIDES};
use crate::gpu::plan::{
    Launch, Limits, Part, Plan, Planned, Shape, Step, allowed, batch_invariant, ceil_div, restricted,
};
use crate::gpu::trsm;
use crate::gpu::trsm::blocked::are_large_alone;
use crate::routine::{Alpha, Diag, Dtype, Getrs, Laswp, Side, Trans, Trsm, Uplo};

/// Bit of `form`: rows were interchanged.
const EXCHANGED: u32 = 1;
/// Bit of `form`: op(A) is not A.
const TRANSPOSED: u32 = 2;
/// Bit of `form`: the batch leaves much of the device idle.
const FEW: u32 = 4;
/// Bit of `form`: strips of right-hand sides fill a device.
const FILL: u32 = 8;

/// Bit of `form`: members have individual sizes.
const EACH: u32 = 16;
/// Bit of `form`: the batch has few, large matrices.
const LARGE: u32 = 32;
/// Bit of `form`: each triangle has a solve of its own; large ones by halves, so that more than one block reads them.
const HALVED: u32 = 64;
/// Bit of `form`: copies of A are shifted ([`shifts_copies`]).
const SHIFTED: u32 = 128;

/// The shape has the order and the number of right-hand sides.
impl Planned for Getrs {
    type Task = ();

    fn shape(&self, limits: Limits) -> Shape {
        let flag = |set: bool, flag| if set { flag } else { 0 };
        let form = flag(!self.ipiv.is_null(), EXCHANGED)
            | flag(self.trans != Trans::N, TRANSPOSED)
            | match self.sizes {
                Some(_) => EACH,
                None => {
                    let large = !batch_invariant() && takes_solves(self.n, self.batch, &[self.a, self.b]);
                    flag(underfills_device(self.batch, limits), FEW)
                        | flag(large, LARGE)
                        | flag(are_large_alone(self.n, self.nrhs, self.batch, DEFAULT.getrs.several), HALVED)
                        | flag(trsm::strips_fill(self.dtype, self.nrhs, self.batch), FILL)
                        | flag(
                            shifts_copies(GETRS_FUSED, self.dtype, (self.n, self.nrhs, self.lda, self.batch), limits),
                            SHIFTED,
                        )
                }
            };
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getrs>, Error> {
        let Shape { dtype, m: n, n: nrhs, .. } = shape;
        let each = shape.form & EACH != 0;
        if shape.form & LARGE != 0 && allowed("large") {
            return Ok(Plan::new("large", []));
        }
        // A list of allowed plans that names neither may be meant for other operations, or for the parts.
        if let Some(small) = small(dtype, n, nrhs).filter(|_| !each && limits.native && allowed("resident")) {
            return Ok(Plan::new("resident", [Launch::on(small, n, nrhs, 0)]));
        }
        let of = &limits.measured().getrs;
        let first = if nrhs > 1 && shape.form & FEW == 0 { of.sides_first[dtype] } else { 0 };
        let sides = |most| sides(dtype, (n, nrhs), most, limits);
        let of_some = of.sides_of_some.iter().find(|(most, _)| nrhs <= *most);
        let most = of_some.map_or(of.sides, |(_, order)| order[dtype]);
        let held = sides(first).or_else(|| fused(shape, limits)).or_else(|| sides(most));
        if let Some(launch) = held.filter(|_| !each && allowed("fused")) {
            return Ok(Plan::new("fused", [launch]));
        }
        let (first, second): (Part<Getrs>, Part<Getrs>) =
            (|p, to| to.operation(&triangles(p)[0]), |p, to| to.operation(&triangles(p)[1]));
        let exchange: Part<Getrs> = |p, to| to.operation(&exchange(p));
        let strips = trsm::strips(dtype, (n, nrhs), shape.form & FILL != 0, 2, limits).filter(|_| allowed("fused"));
        let mut parts =
            strips.map_or_else(|| vec![Step::Sub(first), Step::Sub(second)], |both| vec![Step::Launch(both, ())]);
        if shape.form & EXCHANGED != 0 {
            let at = if shape.form & TRANSPOSED != 0 { parts.len() } else { 0 };
            parts.insert(at, Step::Sub(exchange));
        }
        if each {
            parts.push(Step::Sub(write_codes));
        }
        Ok(Plan { steps: parts, parts_may_be_refused: restricted(), ..Plan::new("parts", []) })
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("order {}, {} right-hand side(s) in tiles of {}", l.m, l.n, l.instance.columns)
    }
}

/// Among the instances with the fewest sufficient rows, the narrowest one whose tile holds all right-hand sides.
fn small(dtype: Dtype, n: i64, nrhs: i64) -> Option<&'static Instance> {
    let of_type = || GETRS_SMALL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= n);
    let rows = of_type().map(|i| i.rows).min()?;
    of_type().filter(|i| i.rows == rows && i64::from(i.columns) >= nrhs).min_by_key(|i| i.columns)
}

/// The narrowest tile that holds all right-hand sides, if that tile fits in shared memory.
fn fused(shape: Shape, limits: Limits) -> Option<Launch> {
    let Shape { dtype, m: n, n: nrhs, form, .. } = shape;
    let of = &limits.measured().getrs;
    if n <= of.in_registers || form & HALVED != 0 || nrhs > 1 && n > of.tallest[dtype] {
        return None;
    }
    let held = two_triangles(GETRS_FUSED, dtype, (n, nrhs), (form & FEW != 0, form & SHIFTED != 0), limits)?;
    (i64::from(held.instance.columns) >= nrhs).then_some(held)
}

/// One thread per right-hand side, for factors of orders up to `most`. A block has so few matrices that several
/// blocks fit on a multiprocessor.
pub(crate) fn sides(dtype: Dtype, (n, nrhs): (i64, i64), most: i64, limits: Limits) -> Option<Launch> {
    let instance = SOLVE_SIDES.iter().find(|i| i.dtype == dtype && n <= most.min(i.rows.into()))?;
    let width = ceil_div(nrhs, ceil_div(nrhs, instance.columns.into()));
    let each = instance.shared_for(&[n, width]);
    let room = limits.measured().getrs.sides_room / i64::from(each);
    let slots = (i64::from(instance.threads) / width).min(room).max(1);
    let (threads, slots) = (ceil_div(slots * width, 32) as u32 * 32, slots as u32);
    let launch = Launch::on(instance, n, nrhs, 0).in_blocks(threads, slots).with_shared(slots * each);
    limits.runs(launch.shared).then_some(launch)
}

/// The launch that solves with both triangles, for matrices of order n (kernels/getrf/solve.cuh): the narrowest tile
/// that holds all right-hand sides, or the widest one. A matrix that has a multiprocessor to itself needs many
/// warps; where several share one, few warps each are enough. `shifted`: with room for shifted copies,
/// if that fits.
pub(crate) fn two_triangles(
    family: &'static [Instance],
    dtype: Dtype,
    (n, nrhs): (i64, i64),
    (few, shifted): (bool, bool),
    limits: Limits,
) -> Option<Launch> {
    let fits = |i: &Instance| limits.runs(i.shared_for(&[n, 0]));
    let instance = preferred(family, dtype, nrhs, few && n >= limits.measured().getrs.wide, fits)?;
    let shared = [shifted.into(), 0].map(|shifted| instance.shared_for(&[n, shifted]));
    let shared = shared.into_iter().find(|shared| limits.runs(*shared))?;
    Some(Launch::on(instance, n, nrhs, 0).with_shared(shared))
}

/// The instance that `two_triangles` takes of those that fit.
fn preferred(
    family: &'static [Instance],
    dtype: Dtype,
    nrhs: i64,
    many_warps: bool,
    fits: impl Fn(&Instance) -> bool,
) -> Option<&'static Instance> {
    let by = |i: &&Instance| {
        let (columns, warps) = (i64::from(i.columns), i64::from(i.warps));
        (columns < nrhs, if columns < nrhs { -columns } else { columns }, if many_warps { -warps } else { warps })
    };
    family.iter().filter(|i| i.dtype == dtype && fits(i)).min_by_key(by)
}

/// Whether such a launch copies tiles in aligned chunks of 16 bytes although columns start at different positions within
/// them, which is faster but needs more shared memory. A batch whose blocks would all run at the same time without it
/// is not divided into two rounds for it.
pub(crate) fn shifts_copies(
    family: &'static [Instance],
    dtype: Dtype,
    (n, nrhs, lda, batch): (i64, i64, i64, i64),
    limits: Limits,
) -> bool {
    if is_aligned(dtype, lda) {
        return false;
    }
    // Smaller batches have one round in any case, larger ones several.
    let multiprocessors = i64::from(limits.multiprocessors);
    if batch <= multiprocessors || batch > multiprocessors * 32 {
        return true;
    }
    let many_warps = underfills_device(batch, limits) && n >= limits.measured().getrs.wide;
    preferred(family, dtype, nrhs, many_warps, |_| true).is_none_or(|instance| {
        let blocks = batch.saturating_mul(ceil_div(nrhs, instance.columns.into()));
        let in_a_round = |shifted| multiprocessors * i64::from(limits.blocks_of(instance.shared_for(&[n, shifted])));
        blocks <= in_a_round(1) || blocks > in_a_round(0)
    })
}

/// Whether all columns of a matrix start at the same position within 16 bytes.
fn is_aligned(dtype: Dtype, lda: i64) -> bool {
    lda.wrapping_mul(dtype.bytes() as i64) % 16 == 0
}

/// Whether a launch solves with both triangles and has room for shifted copies.
pub(crate) fn has_room_for_shifts(l: &Launch, lda: i64) -> bool {
    let solves = || l.instance.is_of(GETRS_FUSED) || l.instance.is_of(POTRS_FUSED);
    !is_aligned(l.instance.dtype, lda) && solves() && l.shared > l.instance.shared_for(&[l.m, 0])
}

/// The two triangular systems in the order in which they are solved. L has a unit diagonal.
pub fn triangles(p: &Getrs) -> [Trsm; 2] {
    let &Getrs { dtype, trans, n, nrhs, a, lda, b, ldb, batch, .. } = p;
    let sizes = p.sizes.map(|sizes| sizes.triangle());
    let order = if trans == Trans::N { [Uplo::Lower, Uplo::Upper] } else { [Uplo::Upper, Uplo::Lower] };
    order.map(|uplo| {
        let (side, diag) = (Side::Left, if uplo == Uplo::Lower { Diag::Unit } else { Diag::NonUnit });
        Trsm { dtype, side, uplo, trans, diag, m: n, n: nrhs, alpha: Alpha::host(1.0), a, lda, b, ldb, sizes, batch }
    })
}

/// The interchanges of the factorisation; for op(A) = A^T or A^H, their inverse.
pub(crate) fn exchange(p: &Getrs) -> Laswp {
    let &Getrs { dtype, trans, n, nrhs, ipiv, b, ldb, batch, .. } = p;
    let (incx, sizes) = (if trans == Trans::N { 1 } else { -1 }, p.sizes.map(|sizes| sizes.interchanges()));
    Laswp { dtype, n: nrhs, a: b, lda: ldb, k1: 1, k2: n, ipiv, incx, sizes, batch }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::Dtype;

    const WIDE: i64 = DEFAULT.getrs.wide;
    const TALLEST_Z: i64 = DEFAULT.getrs.tallest.z;

    fn plan(dtype: Dtype, n: i64, nrhs: i64, form: u32, limits: Limits) -> Plan<Getrs> {
        Getrs::plan(Shape { dtype, m: n, n: nrhs, k: 0, form }, limits).unwrap()
    }

    #[test]
    fn few_right_hand_sides_are_one_launch() {
        for dtype in Dtype::ALL {
            for n in [41, 64, 127, 128, 500, 1024] {
                for nrhs in [1, 2, 8].into_iter().filter(|nrhs| dtype != Dtype::Z || *nrhs == 1 || n <= TALLEST_Z) {
                    for form in [0, EXCHANGED, TRANSPOSED | FEW, EXCHANGED | FEW] {
                        let plan = plan(dtype, n, nrhs, form, Limits::HOPPER);
                        let launch = plan.launches().next().unwrap();
                        assert_eq!((plan.candidate, plan.steps.len()), ("fused", 1), "{dtype:?} {n} x {nrhs}");
                        assert_eq!(launch.instance.columns, if nrhs == 1 { 1 } else { 8 });
                        assert!(i64::from(launch.shared) >= n * (nrhs + 1) * dtype.bytes() as i64);
                        assert!(form & FEW != 0 && n >= WIDE || launch.instance.warps == 2, "{dtype:?} {n}");
                        assert!(form & FEW == 0 || n < WIDE || nrhs > 1 || launch.instance.warps > 2);
                    }
                }
            }
        }
    }

    #[test]
    fn copies_are_shifted_unless_a_batch_would_take_a_second_round() {
        let shifts = |dtype, n, lda, batch| {
            shifts_copies(GETRS_FUSED, dtype, (n, 1, lda, batch), Limits::HOPPER)
                .then(|| two_triangles(GETRS_FUSED, dtype, (n, 1), (false, true), Limits::HOPPER).unwrap())
                .is_some_and(|launch| has_room_for_shifts(&launch, lda))
        };
        for (lda, batch, expected) in
            [(129, 900, true), (129, 1000, false), (129, 1057, true), (129, 100_000, true), (130, 900, false)]
        {
            assert_eq!(shifts(Dtype::D, 129, lda, batch), expected, "{lda}, {batch}");
        }
        // Eight blocks share a multiprocessor in both ways.
        assert!(shifts(Dtype::D, 65, 65, 1000) && shifts(Dtype::S, 65, 66, 1000));
        assert!(!shifts(Dtype::Z, 129, 129, 900), "elements of 16 bytes are aligned");
    }

    #[test]
    fn what_does_not_fit_is_solved_in_parts() {
        for (n, nrhs, limits) in [
            (65, 9, Limits::HOPPER),
            (64, 49, Limits::HOPPER),
            (1 << 20, 1, Limits::HOPPER),
            (i64::MAX, 1, Limits::HOPPER),
            (64, 1, Limits::NONE),
        ] {
            assert_eq!(plan(Dtype::D, n, nrhs, EXCHANGED, limits).steps.len(), 3, "{n} x {nrhs}");
        }
        for (form, steps) in [(FILL, 1), (FILL | EXCHANGED, 2), (FILL | EXCHANGED | TRANSPOSED, 2), (EXCHANGED, 3)] {
            assert_eq!(plan(Dtype::C, 64, 64, form, Limits::HOPPER).steps.len(), steps, "{form}");
        }
        assert_eq!(plan(Dtype::Z, TALLEST_Z + 1, 2, EXCHANGED, Limits::HOPPER).steps.len(), 3);
    }

    /// Just above the orders that registers hold, several right-hand sides have a thread each if there are many
    /// matrices; a single one never does.
    #[test]
    fn many_small_factors_have_a_thread_for_each_side() {
        for dtype in Dtype::ALL {
            let is_of = |family, nrhs, form| {
                plan(dtype, 36, nrhs, form, Limits::HOPPER).launches().next().unwrap().instance.is_of(family)
            };
            assert!(is_of(SOLVE_SIDES, 2, EXCHANGED) && is_of(SOLVE_SIDES, 8, TRANSPOSED), "{dtype:?}");
            assert!(is_of(GETRS_FUSED, 8, FEW) && is_of(GETRS_FUSED, 1, 0), "{dtype:?}");
        }
    }

    /// Either one tile holds all right-hand sides, or each has a thread.
    #[test]
    fn small_factors_stay_in_registers() {
        for (dtype, n, nrhs, candidate) in [
            (Dtype::D, 32, 1, "resident"),
            (Dtype::D, 8, 8, "resident"),
            (Dtype::D, 8, 9, "fused"),
            (Dtype::D, 16, 40, "fused"),
            (Dtype::D, 32, 9, "fused"),
            (Dtype::Z, 32, 1, "resident"),
            (Dtype::Z, 17, 8, "fused"),
            (Dtype::Z, 32, 2, "fused"),
            (Dtype::Z, 48, 20, "fused"),
            (Dtype::Z, 52, 20, "fused"),
            (Dtype::Z, 53, 20, "parts"),
            (Dtype::D, 64, 48, "fused"),
            (Dtype::D, 64, 49, "parts"),
        ] {
            let plan = plan(dtype, n, nrhs, EXCHANGED, Limits::HOPPER);
            assert_eq!(plan.candidate, candidate, "{dtype:?} {n} x {nrhs}");
        }
    }
}
