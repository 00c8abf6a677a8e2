//! Plans of symmetric and Hermitian products: a launch for each product.
//!
//! Candidates: `resident` (small orders, all of C in a team of threads) and `gemm`, the tiles that hold a part of C's
//! triangle, which takes everything.

use super::table::{GEMM, Instance, RANK_SMALL};
use super::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Syr2k, Syrk};

/// A launch for each product.
fn products<P: Planned>(Shape { dtype, n, k, .. }: Shape, count: i64) -> Result<Plan<P>, Error> {
    if n.max(k) > i32::MAX.into() {
        return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
    }
    let small = Instance::tiles(RANK_SMALL, dtype, n)?;
    // A list that does not name it is about other operations' plans.
    let (candidate, instance) = match n <= i64::from(small.rows) && allowed("resident") {
        true => ("resident", small),
        false => ("gemm", Instance::plain(GEMM, dtype)?),
    };
    Ok(Plan::new(candidate, (0..count).map(|_| Launch::with(instance, n, n, 0, k))))
}

fn words(l: &Launch) -> String {
    format!("a triangle of {} x {}, {} term(s)", l.m, l.n, l.k)
}

/// Order and terms.
impl Planned for Syrk {
    const UNIT: &'static str = "tiles";

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: self.k, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Syrk>, Error> {
        products(shape, 1)
    }

    fn words(&self, launch: &Launch) -> String {
        words(launch)
    }
}

/// Order and terms; `form`: how many products.
impl Planned for Syr2k {
    const UNIT: &'static str = "tiles";

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: self.k, form: if self.once { 1 } else { 2 } }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Syr2k>, Error> {
        products(shape, shape.form.into())
    }

    fn words(&self, launch: &Launch) -> String {
        words(launch)
    }
}
