//! Plans for converting row interchanges to permutations: one launch, with a warp per permutation.

use crate::error::Error;
use crate::gpu::plan::table::{Instance, LU_TO_PERMUTATION};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::LuToPermutation;

/// The shape has the number of rows.
impl Planned for LuToPermutation {
    type Task = ();

    const UNIT: &'static str = "permutations";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: 0, k: 0, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<LuToPermutation>, Error> {
        let held = LU_TO_PERMUTATION.iter().find(|i| shape.m <= i64::from(i.rows));
        // If shared memory does not hold the permutation, it is traced in the caller's memory.
        let bytes = |i: &Instance| i.shared_for(&[shape.m]);
        let instance = held.or(LU_TO_PERMUTATION.last());
        let instance = instance.ok_or_else(|| Error::Internal("no kernel for permutations".into()))?;
        Ok(Plan::new("trace", [Launch::on(instance, shape.m, 0, 0).with_shared(held.map_or(0, bytes))]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        let memory = if l.shared > 0 { "in shared memory" } else { "in place" };
        format!("{} rows, {} interchanges, {memory}", self.m, self.k)
    }
}
