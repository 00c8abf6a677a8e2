//! The MAGMA-compatible entry points that QR needs. MAGMA's source-level macros append the caller's function, file and
//! line and call the `_internal` functions, so those are the names that programs link to.

use super::{Library, by_dtype, symbol};
use crate::{Dtype, Error, Result};
use libloading::Library as Object;
use std::ffi::{c_char, c_int, c_void};

/// `magma_?geqrf_batched`
pub type MagmaGeqrf = unsafe extern "C" fn(
    m: c_int,
    n: c_int,
    a_array: *const *mut c_void,
    lda: c_int,
    tau_array: *const *mut c_void,
    info_array: *mut c_int,
    batch: c_int,
    queue: *mut c_void,
) -> c_int;
/// `magma_?geqrf_batched_work`
pub type MagmaGeqrfWork = unsafe extern "C" fn(
    m: c_int,
    n: c_int,
    a_array: *const *mut c_void,
    lda: c_int,
    tau_array: *const *mut c_void,
    info_array: *mut c_int,
    device_work: *mut c_void,
    device_lwork: *mut c_int,
    batch: c_int,
    queue: *mut c_void,
) -> c_int;
/// `magma_?geqrf_expert_batched`
pub type MagmaGeqrfExpert = unsafe extern "C" fn(
    m: c_int,
    n: c_int,
    nb: c_int,
    a_array: *const *mut c_void,
    lda: c_int,
    r_array: *const *mut c_void,
    ldr: c_int,
    t_array: *const *mut c_void,
    ldt: c_int,
    tau_array: *const *mut c_void,
    provide_rt: c_int,
    w_array: *const *mut c_void,
    info_array: *mut c_int,
    batch: c_int,
    queue: *mut c_void,
) -> c_int;

const FUNCTION: *const c_char = c"tephra_testkit".as_ptr();
const FILE: *const c_char = c"magma.rs".as_ptr();

type QueueCreateFromCuda = unsafe extern "C" fn(
    device: c_int,
    stream: *mut c_void,
    cublas: *mut c_void,
    cusparse: *mut c_void,
    queue: *mut *mut c_void,
    function: *const c_char,
    file: *const c_char,
    line: c_int,
);

pub(super) struct Magma {
    init: unsafe extern "C" fn() -> c_int,
    queue_create: unsafe extern "C" fn(c_int, *mut *mut c_void, *const c_char, *const c_char, c_int),
    queue_create_from_cuda: QueueCreateFromCuda,
    queue_destroy: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, c_int),
    queue_stream: unsafe extern "C" fn(*mut c_void) -> *mut c_void,
    malloc_pinned: unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int,
    free_pinned: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, c_int) -> c_int,
    geqrf: [MagmaGeqrf; 4],
    geqrf_work: [MagmaGeqrfWork; 4],
    geqrf_expert: [MagmaGeqrfExpert; 4],
    geqrf_nb: [unsafe extern "C" fn(c_int) -> c_int; 4],
}

impl Magma {
    pub(super) fn load(o: &Object) -> Result<Self> {
        // SAFETY: the types match MAGMA's headers.
        unsafe {
            Ok(Magma {
                init: symbol(o, "magma_init")?,
                queue_create: symbol(o, "magma_queue_create_internal")?,
                queue_create_from_cuda: symbol(o, "magma_queue_create_from_cuda_internal")?,
                queue_destroy: symbol(o, "magma_queue_destroy_internal")?,
                queue_stream: symbol(o, "magma_queue_get_cuda_stream")?,
                malloc_pinned: symbol(o, "magma_malloc_pinned")?,
                free_pinned: symbol(o, "magma_free_pinned_internal")?,
                geqrf: by_dtype(o, "magma_?geqrf_batched")?,
                geqrf_work: by_dtype(o, "magma_?geqrf_batched_work")?,
                geqrf_expert: by_dtype(o, "magma_?geqrf_expert_batched")?,
                geqrf_nb: by_dtype(o, "magma_get_?geqrf_batched_nb")?,
            })
        }
    }
}

/// A `magma_queue_t`, destroyed on drop.
pub struct MagmaQueue {
    raw: *mut c_void,
    library: &'static Library,
}

impl MagmaQueue {
    /// The raw queue.
    pub fn raw(&self) -> *mut c_void {
        self.raw
    }

    /// `magma_queue_get_cuda_stream`
    pub fn stream(&self) -> *mut c_void {
        unsafe { (self.library.magma.queue_stream)(self.raw) }
    }
}

impl Drop for MagmaQueue {
    fn drop(&mut self) {
        // SAFETY: the functions below created it, and it is destroyed only here.
        unsafe { (self.library.magma.queue_destroy)(self.raw, FUNCTION, FILE, line!() as c_int) };
    }
}

impl Library {
    fn magma_init(&self) -> Result<()> {
        // The library counts initialisations. Ours is never finalised because the process uses it to its end.
        match unsafe { (self.magma.init)() } {
            0 => Ok(()),
            code => Err(Error::status("magma_init", code)),
        }
    }

    fn queue(&'static self, raw: *mut c_void, function: &str) -> Result<MagmaQueue> {
        if raw.is_null() {
            return Err(Error::Load(format!("{function} left the queue NULL: {}", self.last_error())));
        }
        Ok(MagmaQueue { raw, library: self })
    }

    /// Creates a MAGMA queue with its own stream, on device 0.
    pub fn magma_queue(&'static self) -> Result<MagmaQueue> {
        self.magma_init()?;
        let mut raw = std::ptr::null_mut();
        unsafe { (self.magma.queue_create)(0, &mut raw, FUNCTION, FILE, line!() as c_int) };
        self.queue(raw, "magma_queue_create_internal")
    }

    /// Creates a MAGMA queue on the caller's stream, on device 0.
    #[allow(clippy::not_unsafe_ptr_arg_deref)] // a stream is an opaque handle, not dereferenced here
    pub fn magma_queue_on(&'static self, stream: *mut c_void) -> Result<MagmaQueue> {
        self.magma_init()?;
        let (mut raw, null) = (std::ptr::null_mut(), std::ptr::null_mut());
        let create = self.magma.queue_create_from_cuda;
        unsafe { create(0, stream, null, null, &mut raw, FUNCTION, FILE, line!() as c_int) };
        self.queue(raw, "magma_queue_create_from_cuda_internal")
    }

    /// Allocates page-locked host memory that the device can read.
    pub fn malloc_pinned(&self, bytes: usize) -> Result<*mut c_void> {
        let mut p = std::ptr::null_mut();
        match unsafe { (self.magma.malloc_pinned)(&mut p, bytes) } {
            0 => Ok(p),
            code => Err(Error::status("magma_malloc_pinned", code)),
        }
    }

    /// Frees memory from [`Library::malloc_pinned`].
    ///
    /// # Safety
    /// `p` must come from `malloc_pinned`, must not have been freed, and must no longer be in use.
    pub unsafe fn free_pinned(&self, p: *mut c_void) -> Result<()> {
        match unsafe { (self.magma.free_pinned)(p, FUNCTION, FILE, line!() as c_int) } {
            0 => Ok(()),
            code => Err(Error::status("magma_free_pinned", code)),
        }
    }

    /// `magma_?geqrf_batched`
    pub fn magma_geqrf(&self, dtype: Dtype) -> MagmaGeqrf {
        self.magma.geqrf[dtype as usize]
    }

    /// `magma_?geqrf_batched_work`
    pub fn magma_geqrf_work(&self, dtype: Dtype) -> MagmaGeqrfWork {
        self.magma.geqrf_work[dtype as usize]
    }

    /// `magma_?geqrf_expert_batched`
    pub fn magma_geqrf_expert(&self, dtype: Dtype) -> MagmaGeqrfExpert {
        self.magma.geqrf_expert[dtype as usize]
    }

    /// `magma_get_?geqrf_batched_nb`
    pub fn magma_geqrf_nb(&self, dtype: Dtype, m: c_int) -> c_int {
        unsafe { (self.magma.geqrf_nb[dtype as usize])(m) }
    }
}
