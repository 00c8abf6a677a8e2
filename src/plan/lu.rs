//! Plans for LU: the CUDA backend has none yet, so that a call is refused before anything is touched.

use super::{Limits, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Gesv, Getrf, Getri, Getrs, Inv, Laswp};

macro_rules! none {
    ($($Routine:ident)*) => {$(
        impl Planned for $Routine {
            fn shape(&self, _: Limits) -> Shape {
                Shape { dtype: self.dtype, m: 0, n: 0, k: 0, form: 0 }
            }

            fn plan(_: Shape, _: Limits) -> Result<Plan<Self>, Error> {
                Err(Error::NotSupported("LU on the CUDA backend".into()))
            }
        }

        impl Launches for $Routine {}
    )*};
}
none! { Getrf Getrs Getri Gesv Inv Laswp }
