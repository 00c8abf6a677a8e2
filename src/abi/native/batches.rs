//! Batches over several devices.

use super::Status;
use std::ffi::{c_int, c_void};
use tephra_core::entry;
use tephra_many::batches;
use tephra_many::failure::finish;

/// Callback for one part of a batch: calls Tephra on `stream`, with the part's device as the current one. Returns 0, or
/// the status that Tephra returned. It must return: an exception or a `longjmp` out of it would end the process.
pub type OfPart = Option<unsafe extern "C" fn(part: i64, stream: *mut c_void, user: *mut c_void) -> i32>;

/// Callback for members first to first+count-1 of a batch: calls Tephra on `stream`. operands[i] is the address of
/// operand i of the first of these members in device memory; the others follow at a stride of one member's bytes.
/// Returns 0, or the status that Tephra returned. No exception may leave it.
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
    /// Runs the parts of a batch that is spread over several devices. For each part, in order and from this thread, it
    /// calls `call` once, with the part's device as the current one and a stream of that device. `call` enqueues the
    /// asynchronous Tephra calls that the part needs, so the devices work concurrently.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | count | parts, >= 0 |
    /// | 2 | devices | the device of each part |
    /// | 3 | streams | a stream on each part's device; the call only enqueues. NULL: the call uses its own streams and waits for them |
    /// | 4 | call | the callback |
    /// | 5 | user | passed to it |
    ///
    /// The first nonzero value that a callback returns ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and
    /// tephra_last_error() names the part, its device and the error; work that was enqueued before still runs. The
    /// called functions write their members' codes (info) as usual. The thread's current device is restored. The only
    /// device of the CPU backend is 0.
    fn tephra_run_parts(
        count: i64, devices: *const c_int, streams: *const *mut c_void, call: OfPart, user: *mut c_void,
    ) -> Status {
        Ok(Status(finish(PROTOTYPE, batches::run_parts(count, devices, streams, (call, user)))))
    }

    /// Runs a batch in host memory, which may be larger than the memory of all devices. Chunks of it are copied to the
    /// devices in turn, `call` is called for each chunk, and its results are copied back while other chunks are copied
    /// and computed. `call` may call any strided_batched function of Tephra.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | count | members, >= 0 |
    /// | 2 | operands | how many operands the members have: matrices, vectors, codes; >= 0 |
    /// | 3 | host | host address of each operand of member 0; ignored for scratch memory |
    /// | 4 | bytes | per operand, the bytes of a member, which is also the stride between members; best a multiple of 16 |
    /// | 5 | access | per operand, TEPHRA_ACCESS_SCRATCH, _READ, _WRITE or _READ_WRITE; plus _PINNED if it is in page-locked memory |
    /// | 6 | chunk | members per chunk; 0: as many as fit in 64 MiB, or in 16 MiB if most data needs staging buffers |
    /// | 7 | device_count | how many devices take part; 0: all |
    /// | 8 | devices | which ones; ignored if device_count is 0 |
    /// | 9 | call | the callback, called from this thread |
    /// | 10 | user | passed to it |
    ///
    /// For the duration of the call, each device holds three chunks, and operands that are not in page-locked memory
    /// get page-locked staging buffers of the same size; large operands are best allocated in page-locked memory. The
    /// call waits for all work. A callback that returns a nonzero value ends the call with
    /// TEPHRA_STATUS_FUNCTION_ERROR, and tephra_last_error() names the members and the device; written operands are
    /// then unspecified. On the CPU backend the callback gets the members in place.
    fn tephra_run_host(
        count: i64, operands: c_int, host: *const *mut c_void, bytes: *const usize, access: *const c_int, chunk: i64,
        device_count: c_int, devices: *const c_int, call: OfChunk, user: *mut c_void,
    ) -> Status {
        let arrays = [host.cast(), bytes.cast(), access.cast()];
        let done = batches::run_host(count, operands, arrays, chunk, (device_count, devices), (call, user));
        Ok(Status(finish(PROTOTYPE, done)))
    }
}
