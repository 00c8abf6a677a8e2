//! Plans for products with symmetric and Hermitian matrices: one launch, with tiles of C no larger than needed, for
//! uniform batches as well as for members with individual sizes.

use crate::error::Error;
use crate::gpu::plan::table::{Instance, SYMM};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::Symm;

/// The shape has the rows and columns of C.
impl Planned for Symm {
    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(Shape { dtype, m, n, .. }: Shape, _: Limits) -> Result<Plan<Symm>, Error> {
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        Ok(Plan::new("tiles", [Launch::on(Instance::tiles(SYMM, dtype, m.max(n))?, m, n, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        let (rows, columns) = (l.instance.rows, l.instance.columns);
        format!("{} x {} in tiles of {rows} x {columns}", l.m, l.n)
    }
}
