//! MAGMA's system functions: initialisation, versions, devices, memory, threads, clock.

use crate::backend;
use crate::backend::{DeviceInfo, Runtime};
use crate::error::{Arg, Error};
use crate::face::guard::{record, store};
use crate::face::magma::int::{MagmaInt, bad_argument};
use crate::face::magma::queue::{RawQueue, device_of};
use crate::face::process::global;
use crate::host::output::write_error_line;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The version that `magma_version` reports. It is not 2.10, whose interface is implemented, because PyTorch
/// before 2.10 refuses to build against a MAGMA whose minor or micro version has two digits.
pub const VERSION: [c_int; 3] = [2, 9, 0];

/// `magma_version`; arguments may be NULL.
///
/// # Safety
/// Each pointer is NULL or valid for a write.
pub unsafe fn version(major: *mut c_int, minor: *mut c_int, micro: *mut c_int) {
    for (out, part) in [major, minor, micro].into_iter().zip(VERSION) {
        if !out.is_null() {
            unsafe { *out = part };
        }
    }
}

/// MAGMA's limit on the number of devices in one program.
const MAX_DEVICES: c_int = 8;

static INITIALISED: AtomicI32 = AtomicI32::new(0);

/// `magma_init`: increments the count, and initialises the backend so that its first failure is reported here.
pub fn init() -> Result<MagmaInt, Error> {
    INITIALISED.fetch_add(1, Ordering::AcqRel);
    backend::current()?;
    Ok(MagmaInt::SUCCESS)
}

/// `magma_finalize`: decrements the count. The backend stays initialised, as other interfaces of Tephra may be in use.
pub fn finalize() -> MagmaInt {
    let counted = INITIALISED.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| (n > 0).then(|| n - 1));
    if counted.is_err() {
        record("magma_finalize", &"magma_init was not called as often");
        return MagmaInt::NOT_INITIALIZED;
    }
    MagmaInt::SUCCESS
}

/// Properties of the current device.
pub fn device_info() -> Result<DeviceInfo, Error> {
    let runtime = backend::current()?;
    runtime.device_info(runtime.current_device()?)
}

/// `magma_getdevices`: writes the indices 0, 1, ... of at most `size` devices.
///
/// # Safety
/// `devices` holds `size` numbers; `count` is valid for a write.
pub unsafe fn devices(devices: *mut c_int, size: c_int, count: *mut c_int) -> Result<(), Error> {
    if count.is_null() || (devices.is_null() && size > 0) {
        return Err(Arg::Pointer.into());
    }
    let found = backend::current()?.device_count().clamp(0, size.max(0));
    for device in 0..found {
        unsafe { *devices.add(device as usize) = device };
    }
    unsafe { store(count, found) }
}

/// `magma_num_gpus`: `MAGMA_NUM_GPUS`, else 1.
pub fn num_gpus() -> Result<c_int, Error> {
    let Ok(requested) = std::env::var("MAGMA_NUM_GPUS") else { return Ok(1) };
    let max = backend::current()?.device_count().clamp(1, MAX_DEVICES);
    Ok(match requested.trim().parse::<c_int>() {
        Ok(count) if count > max => {
            write_error_line(format_args!(
                "$MAGMA_NUM_GPUS='{requested}' exceeds the available GPUs or {MAX_DEVICES}; using {max}."
            ));
            max
        }
        Ok(count) if count >= 1 => count,
        _ => {
            write_error_line(format_args!("$MAGMA_NUM_GPUS='{requested}' is an invalid number; using 1 GPU."));
            1
        }
    })
}

/// `magma_mem_size`: free bytes on the queue's device.
///
/// # Safety
/// `queue` is NULL or a live queue.
pub unsafe fn free_memory(queue: RawQueue) -> Result<usize, Error> {
    let runtime = backend::current()?;
    let before = runtime.current_device()?;
    runtime.set_device(unsafe { device_of(queue)? })?;
    let info = runtime.memory_info();
    runtime.set_device(before)?;
    Ok(info?.0)
}

/// Seconds since the epoch.
pub fn wall_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |t| t.as_secs_f64())
}

/// The three kinds of memory that MAGMA allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Device memory.
    Device,
    /// Ordinary host memory, aligned to 64 bytes.
    Host,
    /// Page-locked host memory.
    Pinned,
}

/// Bytes allocated for a request of 0 bytes, for which MAGMA returns a valid pointer, too.
const MIN_ALLOCATION: usize = 16;
const HOST_ALIGNMENT: usize = 64;

/// `magma_malloc*`, for the exported function `name`. Sets `*out` to NULL on failure.
///
/// # Safety
/// `out` is NULL, which is refused, or valid for a write.
pub unsafe fn allocate(name: &str, out: *mut *mut c_void, bytes: usize, memory: Memory) -> MagmaInt {
    if out.is_null() {
        return bad_argument(name, &Arg::Pointer.into(), 1);
    }
    let bytes = bytes.max(MIN_ALLOCATION);
    let (result, code) = match memory {
        Memory::Device => (backend::current().and_then(|r| r.alloc(bytes)), MagmaInt::DEVICE_ALLOC),
        Memory::Pinned => (backend::current().and_then(|r| r.alloc_pinned(bytes)), MagmaInt::HOST_ALLOC),
        Memory::Host => (host_alloc(bytes), MagmaInt::HOST_ALLOC),
    };
    let (pointer, code) = match result {
        Ok(pointer) => (pointer, MagmaInt::SUCCESS),
        Err(error) => {
            crate::face::guard::record(name, &error);
            (ptr::null_mut(), code)
        }
    };
    unsafe { *out = pointer };
    code
}

fn host_alloc(bytes: usize) -> Result<*mut c_void, Error> {
    let mut pointer = ptr::null_mut();
    match unsafe { libc::posix_memalign(&mut pointer, HOST_ALIGNMENT, bytes) } {
        0 => Ok(pointer),
        code => Err(Error::OutOfMemory(format!("posix_memalign({bytes}): {code}"))),
    }
}

/// `magma_free*`; NULL is allowed.
///
/// # Safety
/// `pointer` came from [`allocate`] with the same kind.
pub unsafe fn free(pointer: *mut c_void, memory: Memory) -> Result<(), Error> {
    if pointer.is_null() {
        return Ok(());
    }
    match memory {
        Memory::Host => unsafe { libc::free(pointer) },
        Memory::Device => unsafe { backend::current()?.free(pointer)? },
        Memory::Pinned => unsafe { backend::current()?.free_pinned(pointer)? },
    }
    Ok(())
}

/// `magma_set_lapack_numthreads`: sets MKL's own number of threads if MKL is in the process, else those of OpenBLAS and
/// OpenMP, which other LAPACKs use.
pub fn set_lapack_threads(threads: c_int) {
    if !set_threads(&[c"MKL_Set_Num_Threads"], threads) {
        set_threads(&[c"openblas_set_num_threads", c"omp_set_num_threads"], threads);
    }
}

/// Calls those of the functions that this process has, and returns whether it has any. Counts below 1 are ignored.
pub fn set_threads(setters: &[&CStr], threads: c_int) -> bool {
    let found: Vec<_> = setters.iter().filter_map(|setter| global(setter)).collect();
    for address in found.iter().filter(|_| threads >= 1) {
        // SAFETY: each of the names is a function of one `int`.
        let set: unsafe extern "C" fn(c_int) = unsafe { std::mem::transmute(*address) };
        unsafe { set(threads) };
    }
    !found.is_empty()
}

/// `magma_get_{lapack,omp}_numthreads`: the value of the first of these functions that this process has, else 1.
pub fn threads(getters: &[&CStr]) -> c_int {
    getters.iter().find_map(|getter| global(getter)).map_or(1, |address| {
        // SAFETY: each of the names is a function without arguments that returns an `int`.
        let get: unsafe extern "C" fn() -> c_int = unsafe { std::mem::transmute(address) };
        unsafe { get() }
    })
}

/// `magma_get_parallel_numthreads`: `MAGMA_NUM_THREADS`, else OpenMP's number of threads, else the number of
/// processors; never more than that.
pub fn parallel_threads() -> c_int {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as c_int);
    let requested = match std::env::var("MAGMA_NUM_THREADS") {
        Ok(text) => text.trim().parse::<c_int>().ok().filter(|count| *count >= 1).unwrap_or_else(|| {
            write_error_line(format_args!("$MAGMA_NUM_THREADS='{text}' is an invalid number; using 1 thread."));
            1
        }),
        Err(_) if global(OMP_GETTERS[0]).is_some() => threads(OMP_GETTERS),
        Err(_) => processors,
    };
    requested.clamp(1, processors)
}

/// Functions that return a LAPACK's number of threads.
pub const LAPACK_GETTERS: &[&CStr] = &[c"MKL_Get_Max_Threads", c"openblas_get_num_threads", c"omp_get_max_threads"];
/// OpenMP's setter.
pub const OMP_SETTERS: &[&CStr] = &[c"omp_set_num_threads"];
/// OpenMP's getter.
pub const OMP_GETTERS: &[&CStr] = &[c"omp_get_max_threads"];

/// `magma_print_environment`: the lines that MAGMA's testers print first, on C's stdout.
pub fn environment() -> Result<String, Error> {
    let [major, minor, micro] = VERSION;
    let runtime = backend::current()?;
    let mut text = format!(
        "% MAGMA {major}.{minor}.{micro} (Tephra {}) {}-bit magma_int_t, {}-bit pointer.\n% Backend {}.\n",
        env!("CARGO_PKG_VERSION"),
        c_int::BITS,
        usize::BITS,
        runtime.kind().name(),
    );
    for device in 0..runtime.device_count() {
        text += &describe(runtime, device)?;
    }
    Ok(text)
}

fn describe(runtime: &dyn Runtime, device: c_int) -> Result<String, Error> {
    let info = runtime.device_info(device)?;
    let mebibytes = info.memory as f64 / (1024.0 * 1024.0);
    let (major, minor) = (info.arch / 10, info.arch % 10);
    Ok(format!("% device {device}: {}, {mebibytes:.1} MiB memory, capability {major}.{minor}\n", info.name))
}
