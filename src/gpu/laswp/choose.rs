//! Plans for row interchanges: one launch.

use crate::error::Error;
use crate::gpu::plan::table::{Instance, LASWP, LASWP_EACH};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::Laswp;

/// Bit of `form`: members have individual sizes.
const EACH: u32 = 1;

/// The shape has the number of interchanges and of columns; `form` has the bit above.
impl Planned for Laswp {
    type Task = ();

    /// Every device runs the kernel.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape {
            dtype: self.dtype,
            m: self.k2 - self.k1 + 1,
            n: self.n,
            k: 0,
            form: if self.sizes.is_some() { EACH } else { 0 },
        }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Laswp>, Error> {
        if shape.form == EACH && shape.n > i32::MAX.into() {
            return Err(Error::NotSupported("members with 2^31 or more columns on the device".into()));
        }
        let instance = Instance::plain(if shape.form == EACH { LASWP_EACH } else { LASWP }, shape.dtype)?;
        Ok(Plan::new("laswp", [Launch::on(instance, shape.m, shape.n, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("{} interchanges of rows of {} columns", l.m, l.n)
    }
}
