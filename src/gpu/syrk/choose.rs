//! Plans for symmetric and Hermitian products: one launch per product, on those of gemm's tiles that contain a part
//! of C's triangle.

use crate::error::Error;
use crate::gpu::gemm;
use crate::gpu::plan::table::GEMM_LANES;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::{Syr2k, Syrk};

/// Bit of `form`: members have individual sizes.
const EACH: u32 = 4;

/// One launch per product.
fn products<P: Planned>(Shape { dtype, n, k, form, .. }: Shape, count: u32) -> Result<Plan<P>, Error> {
    if n.max(k) > i32::MAX.into() {
        return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
    }
    let instance =
        if form & EACH == 0 { gemm::triangle_tile(dtype, n, k)? } else { gemm::triangle_tile_of_each(dtype, n, k)? };
    let candidate = if instance.is_of(GEMM_LANES) { "lanes" } else { "tiles" };
    Ok(Plan::new(candidate, (0..count).map(|_| Launch::with(instance, n, n, 0, k))))
}

fn words(l: &Launch) -> String {
    let (rows, columns) = (l.instance.rows, l.instance.columns);
    format!("a triangle of {} x {}, {} terms, in tiles of {rows} x {columns}", l.m, l.n, l.k)
}

/// The shape has the order and the number of terms; `form` has the bit above.
impl Planned for Syrk {
    type Task = ();

    const UNIT: &'static str = "tiles";

    fn shape(&self, _: Limits) -> Shape {
        let form = if self.sizes.is_some() { EACH } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: self.k, form }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Syrk>, Error> {
        products(shape, 1)
    }

    fn words(&self, launch: &Launch, (): ()) -> String {
        words(launch)
    }
}

/// The shape has the order and the number of terms; `form` is the number of products, with the bit above.
impl Planned for Syr2k {
    type Task = ();

    const UNIT: &'static str = "tiles";

    fn shape(&self, _: Limits) -> Shape {
        let form = if self.once { 1 } else { 2 } | if self.sizes.is_some() { EACH } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: self.k, form }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Syr2k>, Error> {
        products(shape, shape.form & !EACH)
    }

    fn words(&self, launch: &Launch, (): ()) -> String {
        words(launch)
    }
}
