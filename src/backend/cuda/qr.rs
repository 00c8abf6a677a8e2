//! QR with explicit factors on the device: the launch that does all of it.

use super::args::QArgs;
use super::walk::{Call, Launches, go};
use crate::error::Error;
use crate::plan::{ceil_div, qr};
use crate::routine::Qr;

impl Launches for Qr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let mut args = QArgs::qr(self, qr::columns(self), qr::rows(self), qr::place(self, false)?);
            // SAFETY: the kernel takes QArgs; the operands are the caller's.
            unsafe { go(l, ceil_div(self.batch, i64::from(l.instance.per_block)), &mut args, call.stream) }
        })
    }
}
