//! Plans for row interchanges: one launch.

use crate::error::Error;
use crate::gpu::plan::table::{Instance, LASWP};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::Laswp;

/// Sizes: interchanges and columns.
impl Planned for Laswp {
    /// Every device runs the kernel.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.k2 - self.k1 + 1, n: self.n, k: 0, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Laswp>, Error> {
        let instance = Instance::plain(LASWP, shape.dtype)?;
        Ok(Plan::new("laswp", [Launch::on(instance, shape.m, shape.n, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        format!("{} interchanges of rows of {} columns", l.m, l.n)
    }
}
