//! Communicators.

use super::Status;
use std::ffi::{c_int, c_void};
use tephra_core::entry;
use tephra_core::face::guard::Prototype;
use tephra_many::comm;
use tephra_many::failure::{Failure, finish, not_null};

/// Ranks that call the same functions together: processes of one or more hosts, or the devices of one process. Made by
/// tephra_comm_create(), tephra_comm_from_nccl() or tephra_comm_init_all(), one for each rank. A communicator is used by one
/// thread at a time.
pub struct Comm {
    _opaque: [u8; 0],
}

/// Gathers `bytes` of host memory of each rank: on return all ranks have all of them at `receive`, in the order of ranks. 0,
/// or a number of its own that says that it failed, which tephra_last_error() then quotes. MPI: `MPI_Allgather`.
pub type Allgather =
    Option<unsafe extern "C" fn(send: *const c_void, receive: *mut c_void, bytes: usize, user: *mut c_void) -> c_int>;

/// Sends `bytes` of host memory of the rank `root` to all ranks, in place; 0, or a number of its own. MPI: `MPI_Bcast`.
pub type Broadcast =
    Option<unsafe extern "C" fn(buffer: *mut c_void, bytes: usize, root: c_int, user: *mut c_void) -> c_int>;

fn inner(comm: *const Comm) -> *mut comm::Comm {
    comm.cast_mut().cast()
}

fn status(own: &Prototype, result: Result<(), Failure>) -> Status {
    Status(finish(own, result))
}

entry! {
    /// Makes a communicator of the caller's functions, as which MPI's and torch.distributed's serve: this process is the
    /// rank `rank` of `size`.
    ///
    /// The functions are called from the thread that calls Tephra, with buffers in host memory, on all ranks in the same
    /// order and with the same sizes. How long they wait for a rank that does not come is theirs to say, as is what happens
    /// then: a function that answers other than 0 ends the call with TEPHRA_STATUS_COMMUNICATION_ERROR. On the CUDA backend
    /// what is sent passes through pinned host memory, and calls wait for it; tephra_comm_from_nccl() sends from device to
    /// device.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | rank | this process, 0 <= rank < size |
    /// | 2 | size | how many there are, >= 1 |
    /// | 3 | allgather | not NULL |
    /// | 4 | broadcast | may be NULL where all ranks have the same kind of device, settings and build of Tephra; otherwise calls that need it fail on all ranks |
    /// | 5 | user | handed to both functions |
    /// | 6 | comm | receives the communicator |
    fn tephra_comm_create(
        rank: c_int, size: c_int, allgather: Allgather, broadcast: Broadcast, user: *mut c_void, comm: *mut *mut Comm,
    ) -> Status {
        Ok(status(PROTOTYPE, comm::create(rank, size, (allgather, broadcast, user), comm.cast())))
    }

    /// Makes a communicator of the caller's ncclComm_t, which stays the caller's and must outlive it. NCCL is looked for
    /// when this is first called, in libnccl.so.2: what the program has loaded already, or the system's;
    /// TEPHRA_STATUS_NOT_SUPPORTED where there is none, and on the CPU backend. The calling thread's device must be the
    /// communicator's, as in all calls with it. Arguments are numbered nccl_comm 1, comm 2.
    fn tephra_comm_from_nccl(nccl_comm: *mut c_void, comm: *mut *mut Comm) -> Status {
        Ok(status(PROTOTYPE, comm::from_nccl(nccl_comm, comm.cast())))
    }

    /// Makes communicators of `count` ranks of this process, each of which is then used by a thread of its own: all of them
    /// call at the same time. On CUDA rank i has the device devices[i] (NULL: device i), which is the current one of its
    /// thread; they send to each other through NCCL where it can be loaded, and through pinned host memory where it cannot
    /// or a device is named twice. On the CPU backend devices are not looked at. `comms` receives `count` communicators.
    /// Arguments are numbered count 1, devices 2, comms 3.
    fn tephra_comm_init_all(count: c_int, devices: *const c_int, comms: *mut *mut Comm) -> Status {
        Ok(status(PROTOTYPE, comm::init_all(count, devices, comms.cast())))
    }

    /// Destroys a communicator; NULL is fine. Nothing is sent: other ranks need not do it at the same time.
    fn tephra_comm_destroy(comm: *mut Comm) -> Status {
        comm::destroy(inner(comm));
        Ok(status(PROTOTYPE, Ok(())))
    }

    /// Writes the number of this rank, and of all ranks, to *rank and *size; either may be NULL. Arguments are numbered comm
    /// 1, rank 2, size 3.
    fn tephra_comm_rank(comm: *const Comm, rank: *mut c_int, size: *mut c_int) -> Status {
        let asked = not_null("comm", comm, true).map(|()| {
            let known = &*inner(comm);
            for (to, number) in [(rank, known.rank), (size, known.size)] {
                if !to.is_null() { *to = number as c_int; }
            }
        });
        Ok(status(PROTOTYPE, asked))
    }

    /// Sets how many seconds a rank waits for the others, 300 unless set: then the call fails on all that came, and with a
    /// communicator of tephra_comm_init_all() so do all later ones. Functions of tephra_comm_create() wait as long as they
    /// do. With NCCL what waits in the stream stays there until the ncclComm_t is aborted, by its owner. Arguments are
    /// numbered comm 1, seconds 2.
    fn tephra_comm_set_timeout(comm: *mut Comm, seconds: f64) -> Status {
        let set = not_null("comm", comm, true).and_then(|()| (*inner(comm)).set_patience(seconds));
        Ok(status(PROTOTYPE, set))
    }
}
