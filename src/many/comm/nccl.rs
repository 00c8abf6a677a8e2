//! NCCL, loaded from `libnccl.so.2` at run time: the copy that the program has already loaded, or the system's.

use super::{Context, Transport};
use crate::failure::Failure;
use once_cell::race::OnceBox;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::time::Instant;
use tephra_core::backend::Runtime;
use tephra_core::{Error, Stream};

type Code = c_int;
type Communicator = *mut c_void;
/// `ncclInt8`
const BYTES: c_int = 0;
/// `ncclInProgress`
const IN_PROGRESS: Code = 7;

macro_rules! functions {
    ($($name:ident: fn($($type:ty),*) -> $returns:ty;)*) => {
        #[allow(non_snake_case)]
        struct Table {
            $($name: unsafe extern "C" fn($($type),*) -> $returns,)*
        }

        impl Table {
            /// # Safety
            /// `library` must be a handle of `dlopen` for NCCL.
            unsafe fn of(library: *mut c_void) -> Result<Table, String> {
                Ok(Table {
                    $($name: {
                        // SAFETY: a valid handle and a terminated name.
                        let address = unsafe { libc::dlsym(library, concat!(stringify!($name), "\0").as_ptr().cast()) };
                        if address.is_null() {
                            return Err(format!("libnccl.so.2 has no {}", stringify!($name)));
                        }
                        // SAFETY: NCCL's function of this name has this type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> $returns>(address) }
                    },)*
                })
            }
        }
    };
}

functions! {
    ncclCommInitAll: fn(*mut Communicator, c_int, *const c_int) -> Code;
    ncclCommDestroy: fn(Communicator) -> Code;
    ncclCommCount: fn(Communicator, *mut c_int) -> Code;
    ncclCommUserRank: fn(Communicator, *mut c_int) -> Code;
    ncclCommCuDevice: fn(Communicator, *mut c_int) -> Code;
    ncclCommGetAsyncError: fn(Communicator, *mut Code) -> Code;
    ncclGetErrorString: fn(Code) -> *const c_char;
    ncclAllGather: fn(*const c_void, *mut c_void, usize, c_int, Communicator, *mut c_void) -> Code;
    ncclBroadcast: fn(*const c_void, *mut c_void, usize, c_int, c_int, Communicator, *mut c_void) -> Code;
}

/// NCCL's functions, or why they are unavailable. Loaded once.
fn table() -> Result<&'static Table, Error> {
    static TABLE: OnceBox<Result<Table, String>> = OnceBox::new();
    let load = || {
        // SAFETY: the name is terminated. The library is never closed, so its functions stay valid.
        let library = unsafe { libc::dlopen(c"libnccl.so.2".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            return Box::new(Err("libnccl.so.2 cannot be loaded".into()));
        }
        // SAFETY: a handle of NCCL.
        Box::new(unsafe { Table::of(library) })
    };
    TABLE.get_or_init(load).as_ref().map_err(|why| Error::NotSupported(why.clone()))
}

/// One rank of an `ncclComm_t`, with the buffers for `agree`.
pub struct Nccl {
    functions: &'static Table,
    nccl: Communicator,
    pub rank: usize,
    pub size: usize,
    pub device: i32,
    /// Whether to destroy the communicator on drop.
    owned: bool,
    runtime: &'static dyn Runtime,
    /// Room for one record of each rank and this rank's own, on the device and in pinned memory, and the event that
    /// marks the arrival of the records.
    on_device: *mut c_void,
    on_host: *mut c_void,
    event: *mut c_void,
}

/// Maximum size of a record in bytes.
const MAX_RECORD: usize = 128;

impl Nccl {
    /// Wraps one rank of a communicator, which is destroyed on drop if it is `owned`. The rank's device must be
    /// current.
    ///
    /// # Safety
    /// `nccl` must be a live `ncclComm_t`.
    pub unsafe fn of(runtime: &'static dyn Runtime, nccl: Communicator, owned: bool) -> Result<Nccl, Failure> {
        let functions = table()?;
        let null = null_mut();
        // Whatever fails below, dropping this destroys what has been created.
        let mut made = Nccl {
            functions,
            nccl,
            rank: 0,
            size: 0,
            device: 0,
            owned,
            runtime,
            on_device: null,
            on_host: null,
            event: null,
        };
        let query = |name: &str, getter: unsafe extern "C" fn(Communicator, *mut c_int) -> Code| {
            let mut value = 0;
            // SAFETY: a live communicator and a valid out-parameter.
            check(functions, name, unsafe { getter(nccl, &mut value) }).map(|()| value)
        };
        made.size = query("ncclCommCount", functions.ncclCommCount)? as usize;
        made.rank = query("ncclCommUserRank", functions.ncclCommUserRank)? as usize;
        made.device = query("ncclCommCuDevice", functions.ncclCommCuDevice)?;
        let bytes = (made.size + 1) * MAX_RECORD;
        made.on_device = runtime.alloc(bytes)?;
        made.on_host = runtime.alloc_pinned(bytes)?;
        made.event = runtime.event_create(false)?;
        Ok(made)
    }

    /// Creates a communicator with one rank for each of these devices of this process. `None` if NCCL is unavailable.
    pub fn create_all(runtime: &'static dyn Runtime, devices: &[c_int]) -> Result<Option<Vec<Nccl>>, Failure> {
        let Ok(functions) = table() else { return Ok(None) };
        let before = runtime.current_device()?;
        let mut raw = vec![null_mut(); devices.len()];
        // SAFETY: `raw` has room for one communicator per device.
        let code = unsafe { (functions.ncclCommInitAll)(raw.as_mut_ptr(), devices.len() as c_int, devices.as_ptr()) };
        let made = check(functions, "ncclCommInitAll", code).and_then(|()| {
            // A communicator is created of each of them, also after a failure, so that all are destroyed.
            let rank = |(&nccl, &device): (&Communicator, &c_int)| {
                let here = runtime.set_device(device);
                // SAFETY: the communicator was just created.
                let made = unsafe { Nccl::of(runtime, nccl, true) };
                here.map_err(Failure::from).and(made)
            };
            let made: Vec<_> = raw.iter().zip(devices).map(rank).collect();
            made.into_iter().collect::<Result<Vec<_>, _>>()
        });
        runtime.set_device(before)?;
        made.map(Some)
    }

    fn check(&self, name: &str, code: Code) -> Result<(), Failure> {
        check(self.functions, name, code)
    }

    fn agree_on_device(&self, context: &Context, mine: &[u8], all: &mut [u8]) -> Result<(), Failure> {
        let bytes = mine.len();
        assert!(bytes <= MAX_RECORD && all.len() == bytes * self.size);
        let (stream, runtime) = (context.stream, self.runtime);
        let own_on_host = self.on_host.wrapping_byte_add(all.len());
        let own_on_device = self.on_device.wrapping_byte_add(all.len());
        // SAFETY: both buffers hold a record of each rank and one more, and the previous call waited for its copies.
        unsafe {
            from_raw_parts_mut(own_on_host.cast(), bytes).copy_from_slice(mine);
            runtime.copy_2d_async(own_on_device, bytes, own_on_host, bytes, bytes, 1, stream)?;
            self.gather(context, own_on_device, self.on_device, bytes)?;
            runtime.copy_2d_async(self.on_host, all.len(), self.on_device, all.len(), all.len(), 1, stream)?;
            runtime.event_record(self.event, stream)?;
        }
        let started = Instant::now();
        while !unsafe { runtime.event_query(self.event)? } {
            let mut state = 0;
            // SAFETY: a live communicator and a valid out-parameter.
            self.check("ncclCommGetAsyncError", unsafe {
                (self.functions.ncclCommGetAsyncError)(self.nccl, &mut state)
            })?;
            self.check("NCCL", state)?;
            let waited = started.elapsed();
            if waited > context.timeout {
                return Err(Failure::Communication("a rank did not arrive in time".into()));
            }
            if waited.as_millis() > 2 {
                std::thread::sleep(std::time::Duration::from_micros(50));
            } else {
                std::hint::spin_loop();
            }
        }
        // SAFETY: the event says that the copy is complete.
        all.copy_from_slice(unsafe { from_raw_parts(self.on_host.cast(), all.len()) });
        Ok(())
    }
}

fn check(functions: &Table, name: &str, code: Code) -> Result<(), Failure> {
    if code == 0 || code == IN_PROGRESS {
        return Ok(());
    }
    // SAFETY: NCCL's messages are terminated and never freed.
    let text = unsafe { CStr::from_ptr((functions.ncclGetErrorString)(code)) };
    Err(Failure::Communication(format!("{name}: {}", text.to_string_lossy())))
}

impl Drop for Nccl {
    fn drop(&mut self) {
        // SAFETY: `of` created all of this, and nothing uses it any more.
        unsafe {
            if !self.event.is_null() {
                _ = self.runtime.event_destroy(self.event);
            }
            if !self.on_host.is_null() {
                _ = self.runtime.free_pinned(self.on_host);
            }
            if !self.on_device.is_null() {
                _ = self.runtime.free(self.on_device);
            }
            if self.owned {
                (self.functions.ncclCommDestroy)(self.nccl);
            }
        }
    }
}

impl Transport for Nccl {
    fn waits_on_the_device(&self) -> bool {
        true
    }

    /// Goes through the device, as everything in NCCL. The wait ends early with an NCCL error or after the timeout. In
    /// that case the enqueued work stays in the stream until the communicator's owner aborts it.
    fn agree(&self, context: &Context, mine: &[u8], all: &mut [u8]) -> Result<(), Failure> {
        // A thread whose current device is not this rank's must still reach the others, to tell them of its error.
        let here = self.runtime.current_device()?;
        if here == self.device {
            return self.agree_on_device(context, mine, all);
        }
        self.runtime.set_device(self.device)?;
        let context = Context { stream: Stream(null_mut()), ..*context };
        let agreed = self.agree_on_device(&context, mine, all);
        self.runtime.set_device(here)?;
        agreed
    }

    unsafe fn gather(
        &self,
        context: &Context,
        send: *const c_void,
        receive: *mut c_void,
        bytes: usize,
    ) -> Result<(), Failure> {
        let code = unsafe { (self.functions.ncclAllGather)(send, receive, bytes, BYTES, self.nccl, context.stream.0) };
        self.check("ncclAllGather", code)
    }

    unsafe fn broadcast(&self, context: &Context, buffer: *mut c_void, bytes: usize) -> Result<(), Failure> {
        let (send, stream) = (buffer.cast_const(), context.stream.0);
        let code = unsafe { (self.functions.ncclBroadcast)(send, buffer, bytes, BYTES, 0, self.nccl, stream) };
        self.check("ncclBroadcast", code)
    }
}
