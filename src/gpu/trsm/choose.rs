//! Plans for batched triangular solves.
//!
//! The main kernel solves T X = alpha B with T lower triangular. Strides bring every case into that form (see
//! [`Canonical`](crate::routine::canonical::Canonical)), so a plan only chooses an instance: the number of
//! right-hand sides per tile, and the fewest registers that hold all rows. Taller problems use the largest instance
//! in rounds. A few right-hand sides of medium orders have a separate kernel ([`few_sides`]). In single precision,
//! many right-hand sides are solved by another one, with a strip of them per warp ([`strips`]); it can also solve
//! with both triangles of a factorisation in one launch. Large triangles, and in large batches some of 65 to 96 rows,
//! are solved by halves, with products between them (blocked.rs). Few large members with individual sizes are padded
//! to one size.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::plan::padded;
use crate::gpu::plan::table::{Instance, TRSM, TRSM_EACH, TRSM_ROWS, TRSM_STRIPS};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div, restricted};
use crate::gpu::trsm::blocked::{is_large, reads_triangles};
use crate::routine::{Dtype, Side, Trsm};

/// Bits of `form`: strips fill a device; members have individual sizes; the triangle is large.
const FILL: u32 = 1;
const EACH: u32 = 2;
const LARGE: u32 = 4;
/// Position of the number of members with individual sizes ([`padded::number_of_triangles`]).
const NUMBER: u32 = 3;

/// The shape has the order, the number of right-hand sides, and the batch count up to [`BUSY`] (larger batches have
/// the same plans); `form` has the bits above.
impl Planned for Trsm {
    type Task = ();

    const UNIT: &'static str = "tiles";

    fn shape(&self, limits: Limits) -> Shape {
        let (order, nrhs) = if self.side == Side::Left { (self.m, self.n) } else { (self.n, self.m) };
        let batch = if batch_invariant() { BUSY } else { self.batch.min(BUSY) };
        Shape {
            dtype: self.dtype,
            m: order,
            n: nrhs,
            k: batch,
            form: match self.sizes {
                Some(_) if reads_triangles(self) => {
                    EACH | padded::number_of_triangles(order, nrhs, self.batch) << NUMBER
                }
                Some(_) => EACH,
                None => {
                    let fill = strips_fill(self.dtype, nrhs, self.batch);
                    let large = is_large(self, fill, limits);
                    (u32::from(large) * LARGE) | (u32::from(fill) * FILL)
                }
            },
        }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Trsm>, Error> {
        let Shape { dtype, m: order, n: nrhs, k: batch, form } = shape;
        if form & LARGE != 0 && allowed("halves") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("halves", []) });
        }
        if let Some(plan) = padded::plan_of_triangles(dtype, form >> NUMBER, order, nrhs) {
            return Ok(plan);
        }
        let each = form & EACH != 0;
        if let Some(launch) = strips(dtype, (order, nrhs), form & FILL != 0, 1, limits) {
            return Ok(Plan::new("trsm", [launch]));
        }
        if each && order.max(nrhs) > i32::MAX.into() {
            return Err(Error::NotSupported("sizes of members of 2^31 or more".into()));
        }
        if let Some(rows) = few_sides(dtype, (order, nrhs)).filter(|_| !each) {
            return Ok(Plan::new("trsm", [Launch::on(rows, order, nrhs, 0)]));
        }
        let family = if each { TRSM_EACH } else { TRSM };
        Ok(Plan::new("trsm", [Launch::on(tightest(family, dtype, (order, nrhs), batch)?, order, nrhs, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        if l.instance.is_of(TRSM_STRIPS) {
            return format!("order {}, {} right-hand sides in strips of {}", l.m, l.n, l.instance.columns);
        }
        let rounds = ceil_div(l.m, i64::from(l.instance.rows));
        format!("order {}, {} right-hand sides in tiles of {}, {rounds} round(s)", l.m, l.n, l.instance.columns)
    }
}

/// The instance for an order, a number of right-hand sides and a batch (all >= 1).
pub(crate) fn instance(dtype: Dtype, order: i64, nrhs: i64, batch: i64) -> Result<&'static Instance, Error> {
    tightest(TRSM, dtype, (order, nrhs), batch)
}

/// The instance of a family with enough rows and columns, but no more than needed; rows take precedence.
pub(crate) fn tightest(
    family: &'static [Instance],
    dtype: Dtype,
    (order, nrhs): (i64, i64),
    batch: i64,
) -> Result<&'static Instance, Error> {
    let widest = family.iter().filter(|t| t.dtype == dtype).map(|t| i64::from(t.columns)).max().unwrap_or(1);
    // Few tiles would leave multiprocessors idle.
    let few = batch.saturating_mul(ceil_div(nrhs, widest)) < BUSY;
    let wanted = if few { nrhs.min(MEASURED.narrow) } else { nrhs };
    family
        .iter()
        .filter(|t| t.dtype == dtype && (t.shared > 0 || i64::from(t.rows) >= order))
        .min_by_key(|t| {
            let (rows, cols) = (i64::from(t.rows), i64::from(t.columns));
            let (low, narrow) = (rows < order, cols < wanted);
            (low, if low { -rows } else { rows }, narrow, if narrow { -cols } else { cols })
        })
        .ok_or_else(|| Error::Internal(format!("no kernel solves triangles of order {order}")))
}

/// The instance with one tile of right-hand sides per warp, which keeps no part of the triangle, if it is faster.
pub(crate) fn few_sides(dtype: Dtype, (order, nrhs): (i64, i64)) -> Option<&'static Instance> {
    const MOST_TILES: i64 = 4;
    let holds = |t: &&Instance| t.dtype == dtype && i64::from(t.rows) >= order;
    let tight = TRSM_ROWS.iter().filter(holds).min_by_key(|t| t.rows).filter(|t| i64::from(t.rows) < 2 * order)?;
    let (columns, orders) = (i64::from(tight.columns), MEASURED.few_sides[dtype]);
    let most = if nrhs <= columns { orders[0] } else { orders[1] };
    // For a single right-hand side, a warp can hold a triangle of up to 32 rows as well (small.cuh).
    let alone = nrhs == 1 && tight.rows <= 32;
    (order <= most && nrhs <= MOST_TILES * columns && !alone).then_some(tight)
}

/// Right-hand sides in the widest tile of the main kernel.
pub(super) const TILE: i64 = 32;

/// Whether every scheduler of a large device gets a strip. With fewer strips, the time of a single one counts, and
/// narrow tiles finish sooner.
pub(crate) fn strips_fill(dtype: Dtype, nrhs: i64, batch: i64) -> bool {
    const SCHEDULERS: i64 = 4;
    // A type need not have such kernels. `Instance::plain` would allocate an error in every call of those types.
    let Some(instance) = TRSM_STRIPS.iter().find(|i| i.dtype == dtype) else { return false };
    batch_invariant() || batch.saturating_mul(ceil_div(nrhs, i64::from(instance.columns))) >= SCHEDULERS * BUSY
}

/// The launch that solves with `triangles` triangles in succession on strips of right-hand sides, if it is faster.
/// `fill` is the result of [`strips_fill`].
pub(crate) fn strips(
    dtype: Dtype,
    (order, nrhs): (i64, i64),
    fill: bool,
    triangles: usize,
    limits: Limits,
) -> Option<Launch> {
    let instance = Instance::plain(TRSM_STRIPS, dtype).ok()?;
    let columns = i64::from(instance.columns);
    let dense = (nrhs - 1) % columns >= columns - TILE;
    let least = limits.measured().trsm.strips[dtype][usize::from(dense)][triangles - 1];
    let small = order.max(nrhs) < 1 << 30; // the kernel's sizes have 32 bits
    let warps = warps(ceil_div(nrhs, columns));
    let shared = instance.shared_for(&[order, warps.into()]);
    let launch = Launch::on(instance, order, nrhs, 0).in_blocks(32 * warps, warps).with_shared(shared);
    (fill && order >= least && nrhs > TILE && small && limits.runs(launch.shared)).then_some(launch)
}

/// Warps per block, each with a strip: four, or fewer if some would have no strip. Three warps would be spread
/// unevenly over the schedulers, and two are better where they divide the strips evenly.
fn warps(strips: i64) -> u32 {
    let most = if strips > 4 && strips % 4 == 2 { 2 } else { 4 };
    ceil_div(strips, ceil_div(strips, most)) as u32
}

/// Trsm's measurements, the same on every device.
pub(super) const MEASURED: &arch::Trsm = &arch::DEFAULT.trsm;
/// Tiles that keep a large device busy.
const BUSY: i64 = MEASURED.busy;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::{Alpha, Diag, Operand, Trans, Uplo};
    use crate::scalar::C64;

    #[test]
    fn many_right_hand_sides_go_in_strips() {
        let threads = |dtype, order, nrhs, triangles| {
            strips(dtype, (order, nrhs), true, triangles, Limits::HOPPER).map_or(0, |launch| launch.threads)
        };
        for (dtype, order, nrhs, one, both) in [
            (Dtype::C, 32, 1000, 0, 0),
            (Dtype::C, 33, 32, 0, 0),
            (Dtype::C, 33, 33, 64, 64),
            (Dtype::C, 100, 100, 128, 128),
            (Dtype::C, 192, 192, 64, 64),
            (Dtype::C, 256, 1000, 128, 128),
            (Dtype::S, 64, 64, 0, 32),
            (Dtype::S, 96, 96, 0, 64),
            (Dtype::S, 64, 65, 0, 0),
            (Dtype::S, 96, 97, 64, 64),
            (Dtype::S, 100, 33, 32, 32),
            (Dtype::S, 100, 32, 0, 0),
            (Dtype::S, 192, 65, 64, 64),
            (Dtype::S, 256, 288, 96, 96),
            (Dtype::S, 1 << 30, 100, 0, 0),
            (Dtype::D, 128, 128, 0, 0),
            (Dtype::Z, 128, 128, 0, 0),
        ] {
            let found = [1, 2].map(|triangles| threads(dtype, order, nrhs, triangles));
            assert_eq!(found, [one, both], "{dtype:?} {order} x {nrhs}");
        }
        assert!(strips(Dtype::C, (128, 128), false, 1, Limits::HOPPER).is_none());
        assert!(strips(Dtype::C, (128, 128), true, 1, Limits::NONE).is_none());
    }

    /// Triangles just above 64 are solved by halves if the batch is large enough, but not in c, which has strips.
    #[test]
    fn middle_orders_go_by_halves() {
        let candidate = |dtype, order, nrhs, batch| {
            let problem = Trsm {
                dtype,
                side: Side::Left,
                uplo: Uplo::Lower,
                trans: Trans::N,
                diag: Diag::NonUnit,
                m: order,
                n: nrhs,
                alpha: Alpha::Host(C64 { re: 1.0, im: 0.0 }),
                a: Operand::NULL,
                lda: order,
                b: Operand::NULL,
                ldb: order,
                sizes: None,
                batch,
            };
            Trsm::plan(problem.shape(Limits::HOPPER), Limits::HOPPER).unwrap().candidate
        };
        for (dtype, order, nrhs, batch, expected) in [
            (Dtype::Z, 64, 65, 1000, "trsm"),
            (Dtype::Z, 65, 65, 1000, "halves"),
            (Dtype::Z, 96, 96, 200, "halves"),
            (Dtype::Z, 97, 97, 1000, "trsm"),
            (Dtype::Z, 96, 96, 100, "trsm"),
            (Dtype::Z, 65, 64, 1000, "trsm"),
            (Dtype::S, 65, 65, 1000, "halves"),
            (Dtype::S, 65, 65, 200, "trsm"),
            (Dtype::D, 96, 96, 512, "halves"),
            (Dtype::D, 96, 96, 511, "trsm"),
            (Dtype::C, 65, 65, 1000, "trsm"),
            (Dtype::C, 129, 129, 1000, "halves"),
        ] {
            assert_eq!(candidate(dtype, order, nrhs, batch), expected, "{dtype:?} {order} x {nrhs} x {batch}");
        }
    }

    #[test]
    fn few_sides_of_middle_orders_have_a_kernel() {
        for (dtype, order, nrhs, rows) in [
            (Dtype::C, 16, 4, 0),
            (Dtype::C, 17, 1, 0),
            (Dtype::C, 17, 2, 32),
            (Dtype::C, 33, 1, 64),
            (Dtype::C, 48, 16, 64),
            (Dtype::C, 48, 17, 0),
            (Dtype::C, 49, 5, 0),
            (Dtype::C, 65, 1, 0),
            (Dtype::S, 32, 4, 0),
            (Dtype::S, 64, 16, 64),
            (Dtype::D, 48, 5, 0),
            (Dtype::Z, 17, 4, 32),
        ] {
            let found = few_sides(dtype, (order, nrhs)).map_or(0, |t| t.rows);
            assert_eq!(found, rows, "{dtype:?} {order} x {nrhs}");
        }
    }

    /// Few matrices keep narrow tiles.
    #[test]
    fn strips_fill_the_device() {
        for (dtype, nrhs, batch, fill) in [
            (Dtype::C, 128, 131, false),
            (Dtype::C, 128, 132, true),
            (Dtype::S, 128, 264, true),
            (Dtype::D, 128, 1000, false),
        ] {
            assert_eq!(strips_fill(dtype, nrhs, batch), fill, "{dtype:?} {nrhs} x {batch}");
        }
    }

    #[test]
    fn instances_fit() {
        for dtype in Dtype::ALL {
            for order in [1, 8, 16, 17, 32, 33, 64, 100, 128, 129, 256, 1000] {
                for (nrhs, batch) in [(1, 1000), (8, 1000), (9, 1), (33, 1000), (600_000, 1)] {
                    let t = instance(dtype, order, nrhs, batch).unwrap();
                    let rows = i64::from(t.rows);
                    assert!(rows >= order || TRSM.iter().all(|x| x.dtype != dtype || x.rows <= t.rows));
                    assert!(rows >= order || t.shared > 0, "small instances take no more rows");
                    assert!(rows < 2 * order.max(8) || rows == 8, "{dtype:?} {order}: {t:?}");
                    assert!(nrhs > 8 || t.columns <= 8);
                    assert!(t.shared <= 99 * 1024, "every device since sm_80 has that much");
                }
            }
        }
    }
}
