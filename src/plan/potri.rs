//! Plans for the inverse from a Cholesky factor.

use super::{Limits, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Potri, Uplo};

/// The bit of `form`: the upper triangle.
const UPPER: u32 = 1;

/// The order.
impl Planned for Potri {
    fn shape(&self, _: Limits) -> Shape {
        let form = if self.uplo == Uplo::Upper { UPPER } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form }
    }

    fn plan(_: Shape, _: Limits) -> Result<Plan<Potri>, Error> {
        Err(Error::NotSupported("inverses from Cholesky factors on CUDA".into()))
    }
}

impl Launches for Potri {}
