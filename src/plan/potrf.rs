//! Plans for Cholesky factorisations.

use super::{Limits, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Potrf, Uplo};

/// The bit of `form`: the upper triangle.
const UPPER: u32 = 1;

/// The order.
impl Planned for Potrf {
    fn shape(&self, _: Limits) -> Shape {
        let form = if self.uplo == Uplo::Upper { UPPER } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form }
    }

    fn plan(_: Shape, _: Limits) -> Result<Plan<Potrf>, Error> {
        Err(Error::NotSupported("Cholesky factorisations on CUDA".into()))
    }
}

impl Launches for Potrf {}
