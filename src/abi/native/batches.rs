//! Batches over several devices.

use super::Status;
use std::ffi::{c_int, c_void};
use tephra_core::entry;
use tephra_many::batches;
use tephra_many::failure::finish;

/// Calls Tephra for one part of a batch, in this stream, the part's device being the current one; 0, or what Tephra
/// answered.
pub type OfPart = Option<unsafe extern "C" fn(part: i64, stream: *mut c_void, user: *mut c_void) -> i32>;

/// Calls Tephra for members first to first+count-1 of a batch, in this stream; 0, or what Tephra answered. operands[i] is
/// where the first of them has its operand i in device memory; the next ones follow at the distance that a member has in
/// bytes.
pub type OfChunk = Option<
    unsafe extern "C" fn(
        first: i64,
        count: i64,
        operands: *const *mut c_void,
        stream: *mut c_void,
        user: *mut c_void,
    ) -> i32,
>;

entry! {
    /// Runs the parts of a batch that lie on several devices: for each part `call` is called once, in order and from this
    /// thread, with the part's device as the current one and a stream of that device, and calls whatever functions of
    /// Tephra, asynchronous ones, the part needs. So the devices work at the same time.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | count | parts, >= 0 |
    /// | 2 | devices | the device of each |
    /// | 3 | streams | a stream for each, of its device: the call then returns when all is enqueued. NULL: streams of Tephra's, one for each device; the call waits for them |
    /// | 4 | call | the function |
    /// | 5 | user | handed to it |
    ///
    /// The first part whose function answers other than 0 ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and
    /// tephra_last_error() names the part, its device and what went wrong there; what was enqueued before is done. Codes of
    /// members (info) are written as by the functions that are called. The thread's device is afterwards what it was before.
    /// The CPU backend has device 0.
    fn tephra_run_parts(
        count: i64, devices: *const c_int, streams: *const *mut c_void, call: OfPart, user: *mut c_void,
    ) -> Status {
        Ok(Status(finish(PROTOTYPE, batches::parts(count, devices, streams, (call, user)))))
    }

    /// Runs a batch that lies in host memory, and may be larger than all devices: chunks of it are copied to the devices in
    /// turn, `call` is called for each chunk, and what it writes is copied back, while other chunks are copied and computed.
    /// `call` calls whatever functions of Tephra (those for matrices at a fixed distance) it likes.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | count | members, >= 0 |
    /// | 2 | operands | how many operands the members have: matrices, vectors, codes; >= 0 |
    /// | 3 | host | where member 0 has each of them, in host memory; not looked at for scratch memory |
    /// | 4 | bytes | of each operand the bytes of one member, also the distance of members; a multiple of 16 keeps the members aligned on the device as their matrices best are |
    /// | 5 | access | of each operand TEPHRA_ACCESS_READ, _WRITE or _READ_WRITE, plus TEPHRA_ACCESS_PINNED where it is in page-locked memory; or TEPHRA_ACCESS_SCRATCH |
    /// | 6 | chunk | members of a chunk; 0: as many as have 64 MiB, or 16 where most passes through page-locked memory of the library |
    /// | 7 | device_count | how many devices take part; 0: all |
    /// | 8 | devices | which; not looked at for 0 |
    /// | 9 | call | the function, called from this thread |
    /// | 10 | user | handed to it |
    ///
    /// Each device has room for three chunks, and for operands that are not in page-locked memory there is as much of that,
    /// taken for the time of the call: what is large is best in page-locked memory itself. The call waits for all of it. A
    /// chunk whose function answers other than 0 ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and tephra_last_error()
    /// names its members and device; operands that are written are then unspecified. On the CPU backend the function gets
    /// the members where they are.
    fn tephra_run_host(
        count: i64, operands: c_int, host: *const *mut c_void, bytes: *const usize, access: *const c_int, chunk: i64,
        device_count: c_int, devices: *const c_int, call: OfChunk, user: *mut c_void,
    ) -> Status {
        let arrays = [host.cast(), bytes.cast(), access.cast()];
        let done = batches::host(count, operands, arrays, chunk, (device_count, devices), (call, user));
        Ok(Status(finish(PROTOTYPE, done)))
    }
}
