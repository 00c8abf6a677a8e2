//! Plans of trmm, trsv and trtri: one launch each, on triangles in the form of [`crate::routine::canonical`]; trsv is a solve with one
//! right-hand side.

use crate::error::Error;
use crate::gpu::plan::table::{Instance, TRMM, TRTRI};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::gpu::trsm;
use crate::routine::{Trmm, Trsv, Trtri};

/// Sizes: order and columns.
impl Planned for Trmm {
    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let (order, _) = self.side.order(self.m, self.n);
        Shape { dtype: self.dtype, m: order, n: self.m + self.n - order, k: 0, form: 0 }
    }

    fn plan(Shape { dtype, m, n, .. }: Shape, _: Limits) -> Result<Plan<Trmm>, Error> {
        // A tile of the triangle that is no larger than needed, whatever the columns.
        Ok(Plan::new("tiles", [Launch::on(Instance::tiles(TRMM, dtype, m)?, m, n, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        format!("order {}, {} columns in tiles of {}", l.m, l.n, l.instance.columns)
    }
}

/// The order; the batch up to what keeps a device busy.
impl Planned for Trsv {
    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: 1, k: 0, form: 0 }
    }

    fn plan(Shape { dtype, m, .. }: Shape, _: Limits) -> Result<Plan<Trsv>, Error> {
        // With one right-hand side the batch makes no difference to the instance.
        Ok(Plan::new("trsm", [Launch::on(trsm::instance(dtype, m, 1, 1)?, m, 1, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        format!("order {}", l.m)
    }
}

/// The order.
impl Planned for Trtri {
    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form: 0 }
    }

    fn plan(Shape { dtype, n, .. }: Shape, _: Limits) -> Result<Plan<Trtri>, Error> {
        // The small ones come first in the table, in the order of their sizes; what goes by tiles takes any.
        let of_type = || TRTRI.iter().filter(|i| i.dtype == dtype);
        let small = of_type().find(|i| i.per_block > 1 && i64::from(i.rows) >= n);
        let (candidate, instance) = match small.filter(|_| allowed("resident")) {
            Some(small) => ("resident", Some(small)),
            None => ("tiles", of_type().find(|i| i.per_block == 1)),
        };
        let instance = instance.ok_or_else(|| Error::Internal("no kernel of this type".into()))?;
        Ok(Plan::new(candidate, [Launch::on(instance, n, n, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        format!("order {}", l.n)
    }
}
