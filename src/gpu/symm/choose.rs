//! Plans for products with symmetric and Hermitian matrices: one launch, with tiles of C no larger than needed, for
//! uniform batches as well as for members with individual sizes. Products with large matrices are composed of general
//! ones (`halves.rs`).

use crate::error::Error;
use crate::gpu::plan::table::{Instance, SYMM};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, restricted};
use crate::gpu::symm::halves;
use crate::routine::Symm;

/// Bit of `form`: the symmetric matrix is large.
const LARGE: u32 = 1;

/// The shape has the rows and columns of C; `form` has the bit above.
impl Planned for Symm {
    type Task = ();

    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let form = if halves::pays(self) { LARGE } else { 0 };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form }
    }

    fn plan(Shape { dtype, m, n, form, .. }: Shape, _: Limits) -> Result<Plan<Symm>, Error> {
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if form == LARGE && allowed("halves") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("halves", []) });
        }
        Ok(Plan::new("tiles", [Launch::on(Instance::tiles(SYMM, dtype, m.max(n))?, m, n, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        let (rows, columns) = (l.instance.rows, l.instance.columns);
        format!("{} x {} in tiles of {rows} x {columns}", l.m, l.n)
    }
}
