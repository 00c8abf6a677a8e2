//! Transport through the caller's own functions.

use super::staged::HostCollectives;
use crate::failure::Failure;
use std::ffi::{c_int, c_void};
use std::time::Duration;

/// Gathers `bytes` bytes of each rank into `receive` on all ranks, ordered by rank. Returns 0, or the caller's own code
/// for a failure.
pub type Allgather =
    unsafe extern "C" fn(send: *const c_void, receive: *mut c_void, bytes: usize, user: *mut c_void) -> c_int;
/// Sends `bytes` bytes of the rank `root` to all ranks. Returns 0, or the caller's own code for a failure.
pub type Broadcast = unsafe extern "C" fn(buffer: *mut c_void, bytes: usize, root: c_int, user: *mut c_void) -> c_int;

/// The caller's functions. They decide themselves how long to wait.
pub struct Callbacks {
    pub allgather: Allgather,
    pub broadcast: Option<Broadcast>,
    pub user: *mut c_void,
    pub size: usize,
}

fn check(name: &str, code: c_int) -> Result<(), Failure> {
    if code == 0 { Ok(()) } else { Err(Failure::Communication(format!("the communicator's {name} returned {code}"))) }
}

impl HostCollectives for Callbacks {
    fn gather(&self, mine: &[u8], all: &mut [u8], _: Duration) -> Result<(), Failure> {
        debug_assert_eq!(all.len(), mine.len() * self.size);
        // SAFETY: both buffers have the given lengths.
        let code = unsafe { (self.allgather)(mine.as_ptr().cast(), all.as_mut_ptr().cast(), mine.len(), self.user) };
        check("allgather", code)
    }

    fn broadcasts(&self) -> bool {
        self.broadcast.is_some()
    }

    fn broadcast(&self, buffer: &mut [u8], _: Duration) -> Result<(), Failure> {
        let Some(broadcast) = self.broadcast else {
            return Err(Failure::Communication("the communicator has no broadcast".into()));
        };
        // SAFETY: the buffer has the given length.
        check("broadcast", unsafe { broadcast(buffer.as_mut_ptr().cast(), buffer.len(), 0, self.user) })
    }
}
