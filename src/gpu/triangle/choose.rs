//! Plans for trmm, trsv and trtri: one launch each, on triangles in the form of [`crate::routine::canonical`]. trsv
//! is a solve with one right-hand side, of a large triangle by halves (`trsm/blocked.rs`). Products with large
//! triangles are composed of general ones (`halves.rs`). Medium triangles of large batches are inverted by strips
//! (`by_strips.rs`), large ones by blocks whose order doubles (`doubling.rs`).

use crate::error::Error;
use crate::gpu::plan::padded;
use crate::gpu::plan::table::{Instance, TRMM, TRMM_EACH, TRSM_EACH, TRTRI};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, restricted};
use crate::gpu::triangle::{by_strips, doubling, halves};
use crate::gpu::trsm;
use crate::gpu::trsm::blocked::is_large_alone;
use crate::routine::{Side, Trmm, Trsv, Trtri};

/// Bit of `form` in trmm and trsv: members have individual sizes.
const EACH: u32 = 1;
/// Bit of `form` in trtri: strips of columns in shared memory.
const STRIPS: u32 = 4;
/// Bit of `form`: the triangle is large; in trsv also: x is contiguous.
const LARGE: u32 = 2;

/// Position of the number of members with individual sizes in trsv's `form` ([`padded::number_of_triangles`]).
const NUMBER: u32 = 2;

/// The shape has the order and the number of columns; `form` has the bits above.
impl Planned for Trmm {
    type Task = ();

    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let (order, _) = self.side.order(self.m, self.n);
        let form = match self.sizes {
            Some(_) => EACH,
            None if halves::pays(self) => LARGE,
            None => 0,
        };
        Shape { dtype: self.dtype, m: order, n: if self.side == Side::Left { self.n } else { self.m }, k: 0, form }
    }

    fn plan(Shape { dtype, m, n, form, .. }: Shape, _: Limits) -> Result<Plan<Trmm>, Error> {
        if form == EACH && m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("sizes of members of 2^31 or more".into()));
        }
        if form == LARGE && allowed("halves") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("halves", []) });
        }
        let family = if form == EACH { TRMM_EACH } else { TRMM };
        // The smallest tile that holds the triangle, whatever the number of columns.
        Ok(Plan::new("tiles", [Launch::on(Instance::tiles(family, dtype, m)?, m, n, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("order {}, {} columns in tiles of {}", l.m, l.n, l.instance.columns)
    }
}

/// The shape has the order; `form` has the bits above.
impl Planned for Trsv {
    type Task = ();

    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let form = match self.sizes {
            Some(_) => EACH | padded::number_of_triangles(self.n, 1, self.batch) << NUMBER,
            None if is_large_alone(self.n, self.batch) && self.incx == 1 => LARGE,
            None => 0,
        };
        Shape { dtype: self.dtype, m: self.n, n: 1, k: 0, form }
    }

    fn plan(Shape { dtype, m, form, .. }: Shape, _: Limits) -> Result<Plan<Trsv>, Error> {
        if let Some(plan) = padded::plan_of_triangles(dtype, form >> NUMBER, m, 1) {
            return Ok(plan);
        }
        if form & EACH != 0 {
            if m > i32::MAX.into() {
                return Err(Error::NotSupported("sizes of members of 2^31 or more".into()));
            }
            return Ok(Plan::new("trsm", [Launch::on(trsm::tightest(TRSM_EACH, dtype, (m, 1), 1)?, m, 1, 0)]));
        }
        if form == LARGE && allowed("halves") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("halves", []) });
        }
        // With one right-hand side, the instance does not depend on the batch count.
        let instance = trsm::few_sides(dtype, (m, 1)).map_or_else(|| trsm::instance(dtype, m, 1, 1), Ok)?;
        Ok(Plan::new("trsm", [Launch::on(instance, m, 1, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("order {}", l.m)
    }
}

/// Whether triangles may be inverted by strips.
fn in_strips(p: &Trtri) -> bool {
    by_strips::pays(p.dtype, p.n, (!batch_invariant()).then_some(p.batch))
}

/// The shape has the order; `form` has the second and third bit above.
impl Planned for Trtri {
    type Task = ();

    /// Every device runs the kernels, except those for strips.
    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        if in_strips(self) { device() } else { Ok(Limits::NONE) }
    }

    fn shape(&self, _: Limits) -> Shape {
        let large = doubling::pays(self.dtype, self.n, (!batch_invariant()).then_some(self.batch));
        Shape {
            dtype: self.dtype,
            m: self.n,
            n: self.n,
            k: 0,
            form: if large { LARGE } else { 0 } | if in_strips(self) { STRIPS } else { 0 },
        }
    }

    fn plan(Shape { dtype, n, form, .. }: Shape, limits: Limits) -> Result<Plan<Trtri>, Error> {
        if form & STRIPS != 0 && by_strips::launch(dtype, n, limits).is_some() && allowed("fused") {
            return Ok(Plan::new("fused", []));
        }
        if form & LARGE != 0 && allowed("doubling") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("doubling", []) });
        }
        // Instances for small orders come first in the table, by size; the tiled one accepts every order.
        let of_type = || TRTRI.iter().filter(|i| i.dtype == dtype);
        let small = of_type().find(|i| i.per_block > 1 && i64::from(i.rows) >= n);
        let (candidate, instance) = match small.filter(|_| allowed("resident")) {
            Some(small) => ("resident", Some(small)),
            None => ("tiles", of_type().find(|i| i.per_block == 1)),
        };
        let instance = instance.ok_or_else(|| Error::Internal("no kernel of this type".into()))?;
        Ok(Plan::new(candidate, [Launch::on(instance, n, n, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("order {}", l.n)
    }
}
