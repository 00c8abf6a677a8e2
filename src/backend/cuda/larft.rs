//! The triangular factors of block reflectors on the device: one kernel for all shapes, so there is no plan to look up.

use super::Run;
use super::args::LarfbArgs;
use super::walk::go;
use crate::error::Error;
use crate::plan::Launch;
use crate::plan::table::{Instance, LARFT};
use crate::routine::{Larft, Stream};

impl Run for Larft {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let launch = Launch::on(Instance::plain(LARFT, self.dtype)?, self.m, self.k, 0);
        // SAFETY: the kernel takes LarfbArgs; the operands are the caller's.
        unsafe { go(&launch, self.batch, &mut LarfbArgs::from(self), stream) }
    }

    fn explain(&self) -> Result<String, Error> {
        Ok("generic, 1 launch(es), no workspace\n".into())
    }
}
