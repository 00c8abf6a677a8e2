//! The CUDA backend: driver API only, loaded at run time; kernels embedded as fatbins.

use super::Runtime;
use crate::error::Error;

/// The CUDA runtime, when a driver and a device are there.
pub fn runtime() -> Result<&'static dyn Runtime, Error> {
    Err(Error::NoDevice("not built yet".into()))
}
