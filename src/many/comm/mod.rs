//! Communicators: ranks that make the same call, each with a part of the data.
//!
//! | module | ranks |
//! | --- | --- |
//! | `callbacks` | processes that the caller's two functions connect, for example through MPI or torch.distributed |
//! | `nccl` | the ranks of the caller's `ncclComm_t` |
//! | `threads` | the devices of this process, each with a thread of its own |
//!
//! We implement no collectives except between threads. Between processes, they are up to the caller or NCCL.

mod callbacks;
mod nccl;
mod staged;
mod threads;

pub use callbacks::{Allgather, Broadcast};

use crate::failure::{Failure, not_null};
use crate::memory::{collected, filled, reserved};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tephra_core::backend::{Kind, Runtime, current};
use tephra_core::{Error, Stream};

/// Bytes at the end of each message, which are zero from a rank that did its part. If messages pass through the host,
/// other values are detected there; otherwise a rank that failed sends a message of NaN.
pub const TAIL: usize = 16;

/// Size of what a rank sends in [`Transport::agree`], in words of 8 bytes.
pub const RECORD: usize = 5;

/// The context of a collective.
#[derive(Clone, Copy)]
pub struct Context {
    /// The backend whose memory the operands are in.
    pub runtime: &'static dyn Runtime,
    /// The stream that orders the collective.
    pub stream: Stream,
    /// The timeout for other ranks, if the transport lets us set one.
    pub timeout: Duration,
}

/// How the ranks of a communicator reach each other.
pub trait Transport {
    /// Whether waiting for other ranks' messages occupies the device.
    fn waits_on_the_device(&self) -> bool {
        false
    }

    /// Makes room for messages of up to this many bytes, so that none of the following collectives lacks it.
    fn make_room(&self, context: &Context, bytes: usize) -> Result<(), Error> {
        _ = (context, bytes);
        Ok(())
    }

    /// Gathers a few bytes of each rank, in host memory, and waits for them.
    fn agree(&self, context: &Context, mine: &[u8], all: &mut [u8]) -> Result<(), Failure>;
    /// Gathers messages of `bytes`, which include a [`TAIL`], in the backend's memory and in stream order.
    ///
    /// # Safety
    /// `send` must hold a message, and `receive` must have room for as many as there are ranks.
    unsafe fn gather(
        &self,
        context: &Context,
        send: *const c_void,
        receive: *mut c_void,
        bytes: usize,
    ) -> Result<(), Failure>;
    /// Whether [`Transport::broadcast`] is supported.
    fn broadcasts(&self) -> bool {
        true
    }
    /// Sends the message of rank 0 to all ranks, in the backend's memory and in stream order.
    ///
    /// # Safety
    /// `buffer` must be valid for reads and writes of `bytes` bytes.
    unsafe fn broadcast(&self, context: &Context, buffer: *mut c_void, bytes: usize) -> Result<(), Failure>;
}

/// One rank of a communicator. Only one thread at a time may use it.
pub struct Comm {
    /// Number of this rank.
    pub rank: usize,
    /// Number of ranks.
    pub size: usize,
    /// The device that must be current in this rank's calls, if it is fixed.
    device: Option<i32>,
    transport: Box<dyn Transport>,
    /// The timeout in seconds, as the bits of an `f64`.
    timeout: AtomicU64,
    /// Room for what all ranks send in [`Transport::agree`]. It is there from the beginning, so that a rank without memory
    /// can tell the others.
    pub records: Cell<Vec<[u64; RECORD]>>,
    /// A hash of the call whose kernels were loaded last, as all ranks agreed on it. 0 if there was none.
    pub loaded: AtomicU64,
}

/// Default timeout in seconds.
const DEFAULT_TIMEOUT: f64 = 300.0;
/// Maximum number of ranks, so that their number times the size of a message does not overflow.
const MAX_RANKS: i32 = 1 << 20;

impl Comm {
    fn new(rank: usize, size: usize, device: Option<i32>, transport: Box<dyn Transport>) -> Result<Comm, Error> {
        let timeout = AtomicU64::new(DEFAULT_TIMEOUT.to_bits());
        let records = Cell::new(filled(size, [0; RECORD])?);
        Ok(Comm { rank, size, device, transport, timeout, records, loaded: AtomicU64::new(0) })
    }

    /// The transport.
    pub fn transport(&self) -> &dyn Transport {
        &*self.transport
    }

    /// The context of a collective in this stream.
    pub fn context(&self, runtime: &'static dyn Runtime, stream: Stream) -> Context {
        let timeout = Duration::from_secs_f64(f64::from_bits(self.timeout.load(Ordering::Relaxed)));
        Context { runtime, stream, timeout }
    }

    /// Checks that this rank's device is the calling thread's current device.
    pub fn check_device(&self, runtime: &dyn Runtime) -> Result<(), Failure> {
        match self.device {
            Some(device) if runtime.kind() == Kind::Cuda => {
                let here = runtime.current_device()?;
                let text = || format!("belongs to device {device}, and the thread's device is {here}");
                if here == device { Ok(()) } else { Err(Failure::Argument("comm", text())) }
            }
            _ => Ok(()),
        }
    }

    /// Sets the timeout for other ranks.
    pub fn set_timeout(&self, seconds: f64) -> Result<(), Failure> {
        if !(seconds > 0.0 && seconds <= 1e9) {
            return Err(Failure::Argument(
                "seconds",
                format!("is {seconds:?}: more than 0 and at most 1e9 is possible"),
            ));
        }
        self.timeout.store(seconds.to_bits(), Ordering::Relaxed);
        Ok(())
    }
}

/// Passes ownership of a communicator to the caller.
///
/// # Safety
/// `comm` must be valid for a write.
unsafe fn return_to_caller(comm: *mut *mut Comm, made: Comm) {
    unsafe { comm.write(Box::into_raw(Box::new(made))) };
}

/// `tephra_comm_create`
///
/// # Safety
/// `comm` must be NULL or valid for a write. The functions must be as the header says.
pub unsafe fn create(
    rank: c_int,
    size: c_int,
    functions: (Option<Allgather>, Option<Broadcast>, *mut c_void),
    comm: *mut *mut Comm,
) -> Result<(), Failure> {
    let bad = |name, value| Err(Failure::Argument(name, format!("is {value}")));
    match () {
        () if !(1..=MAX_RANKS).contains(&size) => return bad("size", size),
        () if !(0..size).contains(&rank) => return bad("rank", rank),
        () => not_null("comm", comm, true)?,
    }
    let (allgather, broadcast, user) = functions;
    let Some(allgather) = allgather else { return Err(Failure::Argument("allgather", "is NULL".into())) };
    let functions = callbacks::Callbacks { allgather, broadcast, user, size: size as usize };
    let transport = staged::Staged::new(functions, size as usize);
    unsafe { return_to_caller(comm, Comm::new(rank as usize, size as usize, None, Box::new(transport))?) };
    Ok(())
}

/// `tephra_comm_from_nccl`
///
/// # Safety
/// `nccl` must be NULL or a live `ncclComm_t`, and `comm` NULL or valid for a write.
pub unsafe fn from_nccl(nccl: *mut c_void, comm: *mut *mut Comm) -> Result<(), Failure> {
    not_null("nccl_comm", nccl, true)?;
    not_null("comm", comm, true)?;
    let runtime = current()?;
    if runtime.kind() != Kind::Cuda {
        return Err(Error::NotSupported("NCCL connects CUDA devices, and the backend is the CPU's".into()).into());
    }
    let transport = unsafe { nccl::Nccl::of(runtime, nccl, false)? };
    let (rank, size, device) = (transport.rank, transport.size, transport.device);
    unsafe { return_to_caller(comm, Comm::new(rank, size, Some(device), Box::new(transport))?) };
    Ok(())
}

/// `tephra_comm_init_all`
///
/// # Safety
/// `devices` must be NULL or hold `count` numbers, and `comms` must be NULL or have room for `count` communicators.
pub unsafe fn init_all(count: c_int, devices: *const c_int, comms: *mut *mut Comm) -> Result<(), Failure> {
    if !(1..=MAX_RANKS).contains(&count) {
        return Err(Failure::Argument("count", format!("is {count}")));
    }
    not_null("comms", comms, true)?;
    let runtime = current()?;
    let device = |i: c_int| if devices.is_null() { i } else { unsafe { *devices.add(i as usize) } };
    let devices = collected((0..count).map(device))?;
    let available = runtime.device_count();
    let cuda = runtime.kind() == Kind::Cuda;
    if let Some(wrong) = devices.iter().find(|device| cuda && !(0..available).contains(*device)) {
        return Err(Failure::Argument("devices", format!("name device {wrong}, but there are {available}")));
    }
    let of_rank = |rank: usize| cuda.then(|| devices[rank]);
    let mut made = reserved(count as usize)?;
    for (rank, transport) in threads::create_all(runtime, &devices)?.into_iter().enumerate() {
        made.push(Comm::new(rank, count as usize, of_rank(rank), transport)?);
    }
    made.into_iter().enumerate().for_each(|(rank, comm)| unsafe { return_to_caller(comms.add(rank), comm) });
    Ok(())
}

/// `tephra_comm_destroy`
///
/// # Safety
/// `comm` must be NULL, or a communicator that nothing uses any more.
pub unsafe fn destroy(comm: *mut Comm) {
    if !comm.is_null() {
        drop(unsafe { Box::from_raw(comm) });
    }
}
