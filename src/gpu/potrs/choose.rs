//! Plans for solving systems from their Cholesky factors.
//!
//! Candidates, in order: `resident` (small factors in registers, one launch), `fused` (one launch for a few
//! right-hand sides, which are in shared memory, as is the factor in the kernels for small and medium orders; or for
//! many right-hand sides in strips), `large` (few large matrices: solves by cuBLAS) and `parts`, which accepts every
//! shape: two triangular solves.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::driver::blas::takes_solves;
use crate::gpu::getrs::{shifts_copies, sides, two_triangles};
use crate::gpu::orgqr::underfills_device;
use crate::gpu::plan::each::write_codes;
use crate::gpu::plan::table::{Instance, POTRS_FUSED, POTRS_SMALL, POTRS_TEAM};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div};
use crate::gpu::potrf::{team, upper};
use crate::gpu::trsm;
use crate::gpu::trsm::blocked::are_large_alone;
use crate::routine::{Alpha, Diag, Dtype, Potrs, Side, Trans, Trsm, Uplo};

/// Bit of `form`: the batch leaves much of the device idle. Another bit is the triangle.
const FEW: u32 = 2;
/// Bit of `form`: strips of right-hand sides fill a device.
const FILL: u32 = 4;

/// Bit of `form`: members have individual sizes.
const EACH: u32 = 8;
/// Bit of `form`: the batch has few, large matrices.
const LARGE: u32 = 16;
/// Bit of `form`: each triangle has a solve of its own; large ones by halves, so that more than one block reads them.
const HALVED: u32 = 32;
/// Bit of `form`: copies of A are shifted.
const SHIFTED: u32 = 64;

/// The shape has the order and the number of right-hand sides.
impl Planned for Potrs {
    type Task = ();

    fn shape(&self, limits: Limits) -> Shape {
        let fill = if trsm::strips_fill(self.dtype, self.nrhs, self.batch) { FILL } else { 0 };
        let large = || !batch_invariant() && takes_solves(self.n, self.batch, &[self.a, self.b]);
        let form = match self.sizes {
            Some(_) => EACH,
            None if large() => LARGE,
            None => {
                let few = if underfills_device(self.batch, limits) { FEW } else { 0 };
                let halved =
                    if are_large_alone(self.n, self.nrhs, self.batch, DEFAULT.potrs.several) { HALVED } else { 0 };
                let sizes = (self.n, self.nrhs, self.lda, self.batch);
                let shifted = if shifts_copies(POTRS_FUSED, self.dtype, sizes, limits) { SHIFTED } else { 0 };
                upper(self.uplo) | fill | few | halved | shifted
            }
        };
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Potrs>, Error> {
        let Shape { dtype, m: n, n: nrhs, form, .. } = shape;
        let each = form & EACH != 0;
        if form == LARGE && allowed("large") {
            return Ok(Plan::new("large", []));
        }
        // A list of allowed plans that does not name it may be meant for other operations, or for the parts.
        if let Some(small) = small(dtype, n, nrhs, limits).filter(|_| !each && limits.native && allowed("resident")) {
            return Ok(Plan::new("resident", [Launch::on(small, n, nrhs, 0)]));
        }
        let of = &limits.measured().potrs;
        let of_some = of.sides_of_some.iter().find(|(most, _)| nrhs > 1 && form & FEW == 0 && nrhs <= *most);
        let most = of_some.map_or(of.sides, |(_, order)| order[dtype]);
        let beside = || sides(dtype, (n, nrhs), most, limits);
        let strips = || trsm::strips(dtype, (n, nrhs), form & FILL != 0, 2, limits);
        if let Some(launch) =
            beside().or_else(|| fused(shape, limits)).or_else(strips).filter(|_| !each && allowed("fused"))
        {
            return Ok(Plan::new("fused", [launch]));
        }
        let mut plan = Plan::<Potrs>::new("parts", []);
        plan.sub(|p, to| to.operation(&triangles(p)[0]));
        plan.sub(|p, to| to.operation(&triangles(p)[1]));
        if each {
            plan.sub(write_codes);
        }
        Ok(plan)
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("order {}, {} right-hand side(s) in tiles of {}", l.m, l.n, l.instance.columns)
    }
}

/// Among the instances with the fewest sufficient rows, one whose tile holds all right-hand sides, or else the
/// widest: a few tiles, each of which reads the factor.
fn small(dtype: Dtype, n: i64, nrhs: i64, limits: Limits) -> Option<&'static Instance> {
    let of = &limits.measured().potrs;
    let most = of.tiles[usize::from(n > of.tiny)];
    let best = POTRS_SMALL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= n).min_by_key(|i| {
        let columns = i64::from(i.columns);
        (i.rows, columns < nrhs, if columns < nrhs { -columns } else { columns })
    });
    best.filter(|i| nrhs <= most * i64::from(i.columns))
}

/// One launch for a few right-hand sides, if that is fastest.
fn fused(shape: Shape, limits: Limits) -> Option<Launch> {
    let Shape { dtype, m: n, n: nrhs, form, .. } = shape;
    let of = &limits.measured().potrs;
    let ways = (form & FEW != 0, form & SHIFTED != 0);
    let triangles = two_triangles(POTRS_FUSED, dtype, (n, nrhs), ways, limits).filter(|launch| {
        let tiles = ceil_div(nrhs, i64::from(launch.instance.columns));
        let takes = if nrhs > 1 { of.tallest[dtype] } else { i64::MAX };
        form & HALVED == 0 && n <= takes && tiles <= if n <= of.tiled { of.tiled_most[dtype] } else { 1 }
    });
    let beside = team(POTRS_TEAM, dtype, (n, nrhs), limits).filter(|_| {
        let one_tile = triangles.as_ref().is_none_or(|launch| nrhs <= i64::from(launch.instance.columns));
        let apart = triangles.is_none() && n <= of.short[dtype];
        !apart && (triangles.is_none() || nrhs > 1 && n <= of.beside[usize::from(!one_tile)])
    });
    beside.or(triangles)
}

/// The two triangular systems, with the factor and its adjoint, in the order in which they are solved.
pub fn triangles(p: &Potrs) -> [Trsm; 2] {
    let &Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, batch, .. } = p;
    let (side, diag, alpha) = (Side::Left, Diag::NonUnit, Alpha::host(1.0));
    let sizes = p.sizes.map(|sizes| sizes.triangle());
    let order = if uplo == Uplo::Upper { [Trans::C, Trans::N] } else { [Trans::N, Trans::C] };
    order.map(|trans| Trsm { dtype, side, uplo, trans, diag, m: n, n: nrhs, alpha, a, lda, b, ldb, sizes, batch })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::table::SOLVE_SIDES;

    /// More right-hand sides take two triangular solves, or both in one launch where strips are fast.
    #[test]
    fn few_right_hand_sides_are_one_launch() {
        for dtype in Dtype::ALL {
            for (n, nrhs, candidate) in [
                (1, 1, "resident"),
                (16, 30, "fused"),
                (32, 12, "resident"),
                (32, 13, "fused"),
                (8, 8, "resident"),
                (20, 1, "resident"),
                (33, 1, "fused"),
                (128, 16, "fused"),
                (64, 32, if dtype == Dtype::Z { "parts" } else { "fused" }),
                (24, 24, "fused"),
                (128, 33, if dtype.bytes() == 4 || dtype == Dtype::C { "fused" } else { "parts" }),
                (1024, 64, if dtype.bytes() == 4 || dtype == Dtype::C { "fused" } else { "parts" }),
                (1024, 1, "fused"),
                (192, 8, "fused"),
                (129, 9, "parts"),
            ] {
                for form in [FILL, FILL | 1] {
                    let plan = Potrs::plan(Shape { dtype, m: n, n: nrhs, k: 0, form }, Limits::HOPPER).unwrap();
                    assert_eq!(plan.candidate, candidate, "{dtype:?} {n} x {nrhs}");
                    assert_eq!(plan.steps.len(), if candidate == "parts" { 2 } else { 1 });
                }
            }
        }
        for (n, nrhs, threads) in [(48, 8, true), (49, 8, false), (64, 16, true), (64, 48, true), (64, 49, false)] {
            for form in [0, FEW] {
                let plan = Potrs::plan(Shape { dtype: Dtype::C, m: n, n: nrhs, k: 0, form }, Limits::HOPPER).unwrap();
                let found = plan.launches().next().is_some_and(|l| l.instance.is_of(SOLVE_SIDES));
                assert_eq!(found, threads && form == 0, "{n} x {nrhs}");
            }
        }
        let few = Shape { dtype: Dtype::C, m: 128, n: 64, k: 0, form: FEW };
        assert_eq!(
            Potrs::plan(few, Limits::HOPPER).unwrap().steps.len(),
            2,
            "strips would leave much of the device idle"
        );
    }
}
