//! Communicators.

use super::Status;
use std::ffi::{c_int, c_void};
use tephra_core::entry;
use tephra_core::face::guard::Prototype;
use tephra_many::comm;
use tephra_many::failure::{Failure, finish, not_null};

/// A communicator connects ranks that make the same calls together: processes on one or more hosts, or the devices of
/// one process. Each rank has its own, from tephra_comm_create(), tephra_comm_from_nccl() or tephra_comm_init_all().
/// Only one thread at a time may use a communicator.
pub struct Comm {
    _opaque: [u8; 0],
}

/// Gathers `bytes` of host memory from each rank: on return every rank has all of them at `receive`, in rank order.
/// Returns 0, or any error code, which tephra_last_error() then quotes. With MPI this is `MPI_Allgather`.
pub type Allgather =
    Option<unsafe extern "C" fn(send: *const c_void, receive: *mut c_void, bytes: usize, user: *mut c_void) -> c_int>;

/// Broadcasts `bytes` of host memory from the rank `root` to all ranks, in place. Returns 0 or any error code. With MPI
/// this is `MPI_Bcast`.
pub type Broadcast =
    Option<unsafe extern "C" fn(buffer: *mut c_void, bytes: usize, root: c_int, user: *mut c_void) -> c_int>;

fn inner(comm: *const Comm) -> *mut comm::Comm {
    comm.cast_mut().cast()
}

fn status(prototype: &Prototype, result: Result<(), Failure>) -> Status {
    Status(finish(prototype, result))
}

entry! {
    /// Makes a communicator from functions of the caller, such as wrappers of MPI or torch.distributed. This process is
    /// rank `rank` of `size`.
    ///
    /// The functions are called from the thread that calls Tephra, with buffers in host memory, on all ranks in the
    /// same order and with the same sizes. They decide how long to wait for a missing rank; a nonzero return value ends
    /// the call with TEPHRA_STATUS_COMMUNICATION_ERROR. On the CUDA backend data passes through pinned host memory, and
    /// calls wait for it; tephra_comm_from_nccl() sends from device to device.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | rank | this process, 0 <= rank < size |
    /// | 2 | size | number of ranks, >= 1 |
    /// | 3 | allgather | not NULL |
    /// | 4 | broadcast | may be NULL if device kind, settings and build of Tephra are the same on all ranks; else calls may fail |
    /// | 5 | user | passed to both functions |
    /// | 6 | comm | receives the communicator |
    fn tephra_comm_create(
        rank: c_int, size: c_int, allgather: Allgather, broadcast: Broadcast, user: *mut c_void, comm: *mut *mut Comm,
    ) -> Status {
        Ok(status(PROTOTYPE, comm::create(rank, size, (allgather, broadcast, user), comm.cast())))
    }

    /// Makes a communicator from the caller's ncclComm_t, which the caller keeps owning and which must outlive it. The
    /// first call looks for NCCL, in libnccl.so.2: a copy that the program has already loaded, or the system's. Returns
    /// TEPHRA_STATUS_NOT_SUPPORTED if there is none, and on the CPU backend. The calling thread's current device must
    /// be that of the communicator, as in all calls with it. Arguments are numbered nccl_comm 1, comm 2.
    fn tephra_comm_from_nccl(nccl_comm: *mut c_void, comm: *mut *mut Comm) -> Status {
        Ok(status(PROTOTYPE, comm::from_nccl(nccl_comm, comm.cast())))
    }

    /// Makes communicators for `count` ranks of this process, each to be used by a thread of its own, all of which call
    /// at the same time. On CUDA, rank i uses the device devices[i] (NULL: device i), which must be the current one of
    /// its thread. The ranks communicate through NCCL if it can be loaded, and through pinned host memory if it cannot
    /// or if a device is named twice. On the CPU backend devices is ignored. `comms` receives `count` communicators.
    /// Arguments are numbered count 1, devices 2, comms 3.
    fn tephra_comm_init_all(count: c_int, devices: *const c_int, comms: *mut *mut Comm) -> Status {
        Ok(status(PROTOTYPE, comm::init_all(count, devices, comms.cast())))
    }

    /// Destroys a communicator; NULL is allowed. This does not communicate, so other ranks need not call it at the same
    /// time.
    fn tephra_comm_destroy(comm: *mut Comm) -> Status {
        comm::destroy(inner(comm));
        Ok(status(PROTOTYPE, Ok(())))
    }

    /// Writes the index of this rank and the number of ranks to *rank and *size; either may be NULL. Arguments are
    /// numbered comm 1, rank 2, size 3.
    fn tephra_comm_rank(comm: *const Comm, rank: *mut c_int, size: *mut c_int) -> Status {
        let asked = not_null("comm", comm, true).map(|()| {
            let known = &*inner(comm);
            for (to, number) in [(rank, known.rank), (size, known.size)] {
                if !to.is_null() { *to = number as c_int; }
            }
        });
        Ok(status(PROTOTYPE, asked))
    }

    /// Sets how many seconds a rank waits for the others; the default is 300. After that time the call fails on all
    /// ranks that made it, and with a communicator of tephra_comm_init_all() so do all later calls. The functions of
    /// tephra_comm_create() are not affected. With NCCL, work that waits in the stream stays there until the owner of
    /// the ncclComm_t aborts it. Arguments are numbered comm 1, seconds 2: more than 0, at most 1e9.
    fn tephra_comm_set_timeout(comm: *mut Comm, seconds: f64) -> Status {
        let set = not_null("comm", comm, true).and_then(|()| (*inner(comm)).set_timeout(seconds));
        Ok(status(PROTOTYPE, set))
    }
}
