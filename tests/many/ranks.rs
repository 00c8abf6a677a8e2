//! Ranks: communicators of threads in this process, connected by the library itself or by callbacks of the tests.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::{Arc, Barrier, Mutex};
use tephra_testkit::Library;
use tephra_testkit::library::Backend;
use tephra_testkit::library::many::{Raw, named, ok};
use tephra_testkit::memory::Memory;

type Gather = unsafe extern "C" fn(*const c_void, Raw, usize, Raw) -> c_int;
type Send = unsafe extern "C" fn(Raw, usize, c_int, Raw) -> c_int;

/// How ranks are connected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Connection {
    /// tephra_comm_init_all()
    Own,
    /// tephra_comm_init_all() with one device for all ranks, so that they communicate through host memory on CUDA too.
    OneDevice,
    /// tephra_comm_create()
    Callbacks,
    /// tephra_comm_from_nccl(), if NCCL is installed and each rank has a device; otherwise like [`Connection::Own`].
    Nccl,
}

impl Connection {
    pub const ALL: [Connection; 4] = [Connection::Own, Connection::OneDevice, Connection::Callbacks, Connection::Nccl];
}

/// The tests' own exchange between ranks, as a caller's communicator has one.
struct Rendezvous {
    barrier: Barrier,
    messages: Mutex<Vec<Vec<u8>>>,
}

struct Participant {
    rendezvous: Arc<Rendezvous>,
    rank: usize,
}

unsafe extern "C" fn gather(send: *const c_void, receive: Raw, bytes: usize, user: Raw) -> c_int {
    let participant = unsafe { &*user.cast::<Participant>() };
    let mine = unsafe { std::slice::from_raw_parts(send.cast::<u8>(), bytes) };
    participant.rendezvous.messages.lock().unwrap()[participant.rank] = mine.to_vec();
    participant.rendezvous.barrier.wait();
    let all = participant.rendezvous.messages.lock().unwrap().concat();
    unsafe { receive.cast::<u8>().copy_from_nonoverlapping(all.as_ptr(), all.len()) };
    participant.rendezvous.barrier.wait();
    0
}

unsafe extern "C" fn send(buffer: Raw, bytes: usize, root: c_int, user: Raw) -> c_int {
    let size = unsafe { &*user.cast::<Participant>() }.rendezvous.messages.lock().unwrap().len();
    let mut all = vec![0u8; bytes * size];
    unsafe { gather(buffer, all.as_mut_ptr().cast(), bytes, user) };
    unsafe { buffer.cast::<u8>().copy_from_nonoverlapping(all[root as usize * bytes..].as_ptr(), bytes) };
    0
}

/// NCCL, if the CUDA backend is in use and each rank has a device.
fn nccl(size: usize) -> Option<libloading::Library> {
    if Library::required().backend().unwrap() == Backend::Cpu || devices(size) < size {
        return None;
    }
    // SAFETY: this is the library's own name.
    let found = unsafe { libloading::Library::new("libnccl.so.2") };
    if found.is_err() {
        eprintln!("ranks: NOT TESTED with NCCL, which is not here");
    }
    found.ok()
}

/// Runs ranks on an `ncclComm_t` created by the tests.
fn with_nccl<R: std::marker::Send>(
    nccl: &libloading::Library,
    size: usize,
    body: impl Fn(usize, Raw) -> R + Sync,
) -> Vec<R> {
    type InitAll = unsafe extern "C" fn(*mut Raw, c_int, *const c_int) -> c_int;
    type Destroy = unsafe extern "C" fn(Raw) -> c_int;
    // SAFETY: the types match NCCL's prototypes.
    let (init, end): (InitAll, Destroy) =
        unsafe { (*nccl.get(b"ncclCommInitAll").unwrap(), *nccl.get(b"ncclCommDestroy").unwrap()) };
    let (mut raw, list) = (vec![null_mut(); size], (0..size as c_int).collect::<Vec<_>>());
    assert_eq!(unsafe { init(raw.as_mut_ptr(), size as c_int, list.as_ptr()) }, 0);
    let raw: Vec<_> = raw.into_iter().map(Comm).collect();
    let finish = Barrier::new(size);
    let results = std::thread::scope(|scope| {
        let start = |(rank, &nccl): (usize, &Comm)| {
            let (body, finish) = (&body, &finish);
            scope.spawn(move || {
                let _barrier = BarrierOnDrop(finish);
                let nccl = nccl;
                let set: unsafe extern "C" fn(c_int) = named("magma_setdevice");
                let from: unsafe extern "C" fn(Raw, *mut Raw) -> c_int = named("tephra_comm_from_nccl");
                let destroy: unsafe extern "C" fn(Raw) -> c_int = named("tephra_comm_destroy");
                let ask: unsafe extern "C" fn(Raw, *mut c_int, *mut c_int) -> c_int = named("tephra_comm_rank");
                let (mut comm, mut numbers) = (null_mut(), [-1; 2]);
                unsafe {
                    set(rank as c_int);
                    assert_eq!(from(nccl.0, &mut comm), 0, "{}", Library::required().last_error());
                    assert_eq!(ask(comm, &mut numbers[0], &mut numbers[1]), 0);
                }
                assert_eq!(numbers, [rank as c_int, size as c_int]);
                let result = body(rank, comm);
                assert_eq!(unsafe { destroy(comm) }, 0);
                result
            })
        };
        let threads: Vec<_> = raw.iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    raw.iter().for_each(|comm| assert_eq!(unsafe { end(comm.0) }, 0));
    results
}

thread_local! {
    /// Memory of this rank that is no longer needed.
    static RETIRED: RefCell<Vec<Memory>> = const { RefCell::new(vec![]) };
}

/// Memory of a rank, which is freed after all ranks are done. Freeing memory waits for the devices that can access it,
/// and a device on which NCCL waits for this rank's next call would never finish.
pub struct DeferredFree(Option<Memory>);

impl From<Memory> for DeferredFree {
    fn from(memory: Memory) -> DeferredFree {
        DeferredFree(Some(memory))
    }
}
impl Deref for DeferredFree {
    type Target = Memory;
    fn deref(&self) -> &Memory {
        self.0.as_ref().unwrap()
    }
}
impl Drop for DeferredFree {
    fn drop(&mut self) {
        RETIRED.with_borrow_mut(|done| done.extend(self.0.take()));
    }
}

/// On drop, even after a panic of this rank, waits for the other ranks and frees the memory.
struct BarrierOnDrop<'a>(&'a Barrier);

impl Drop for BarrierOnDrop<'_> {
    fn drop(&mut self) {
        self.0.wait();
        RETIRED.take();
    }
}

/// An address that can be sent to the thread of its rank.
#[derive(Clone, Copy)]
pub struct Comm(pub Raw);
// SAFETY: only one thread at a time uses it.
unsafe impl std::marker::Send for Comm {}

/// The number of devices for the ranks; on the CPU backend, as many as wanted.
pub fn devices(size: usize) -> usize {
    let library = Library::required();
    if library.backend().unwrap() == Backend::Cpu {
        return size;
    }
    let ask: unsafe extern "C" fn(*mut c_int, c_int, *mut c_int) = named("magma_getdevices");
    let (mut list, mut count) = ([0; 64], 0);
    unsafe { ask(list.as_mut_ptr(), 64, &mut count) };
    count as usize
}

/// The device of a rank.
fn device(connection: Connection, rank: usize, size: usize) -> usize {
    if connection == Connection::OneDevice { 0 } else { rank % devices(size).max(1) }
}

/// Runs `body` for each rank in its own thread, on its device. Returns the results by rank.
pub fn with_ranks<R: std::marker::Send>(
    connection: Connection,
    size: usize,
    body: impl Fn(usize, Raw) -> R + Sync,
) -> Vec<R> {
    // On devices, only one communicator at a time: the NCCL kernels of several could wait for each other forever.
    static ALONE: Mutex<()> = Mutex::new(());
    let cuda = Library::required().backend().unwrap() == Backend::Cuda;
    let _alone = cuda.then(|| ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    if let Some(nccl) = Some(connection).filter(|connection| *connection == Connection::Nccl).and_then(|_| nccl(size)) {
        return with_nccl(&nccl, size, body);
    }
    let rendezvous = Arc::new(Rendezvous { barrier: Barrier::new(size), messages: Mutex::new(vec![vec![]; size]) });
    let participants: Vec<_> = (0..size).map(|rank| Participant { rendezvous: rendezvous.clone(), rank }).collect();
    let mut comms = vec![null_mut::<c_void>(); size];
    if connection == Connection::Callbacks {
        #[rustfmt::skip]
        let create: unsafe extern "C" fn(c_int, c_int, Option<Gather>, Option<Send>, Raw, *mut Raw) -> c_int =
            named("tephra_comm_create");
        for (rank, comm) in comms.iter_mut().enumerate() {
            let user = (&raw const participants[rank]).cast_mut().cast();
            ok(unsafe { create(rank as c_int, size as c_int, Some(gather), Some(send), user, comm) });
        }
    } else {
        let init: unsafe extern "C" fn(c_int, *const c_int, *mut Raw) -> c_int = named("tephra_comm_init_all");
        let devices: Vec<_> = (0..size).map(|rank| device(connection, rank, size) as c_int).collect();
        ok(unsafe { init(size as c_int, devices.as_ptr(), comms.as_mut_ptr()) });
    }
    let comms: Vec<_> = comms.into_iter().map(Comm).collect();
    let finish = Barrier::new(size);
    let results = std::thread::scope(|scope| {
        let start = |(rank, &comm): (usize, &Comm)| {
            let (body, finish) = (&body, &finish);
            scope.spawn(move || {
                let _barrier = BarrierOnDrop(finish);
                let comm = comm;
                if Library::required().backend().unwrap() == Backend::Cuda {
                    let set: unsafe extern "C" fn(c_int) = named("magma_setdevice");
                    unsafe { set(device(connection, rank, size) as c_int) };
                }
                body(rank, comm.0)
            })
        };
        let threads: Vec<_> = comms.iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let destroy: unsafe extern "C" fn(Raw) -> c_int = named("tephra_comm_destroy");
    for comm in comms {
        assert_eq!(unsafe { destroy(comm.0) }, 0);
    }
    results
}
