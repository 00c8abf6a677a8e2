//! `magma_queue_t`: a stream with the vendor's handles, in MAGMA's own memory layout.

use crate::backend;
use crate::backend::Kind;
use crate::error::{Arg, Error};
use crate::face::cublas::Status;
use crate::face::cublas::handle;
use crate::face::cublas::handle::RawHandle;
use crate::face::process::{CUBLAS, CUSPARSE, Library};
use crate::routine::Stream;
use crate::vendor;
use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use std::ptr;

/// The fields have MAGMA's layout (LP64), because a MAGMA inside another library may read them; PyTorch's wheels export
/// one.
#[repr(C)]
#[derive(Debug)]
pub struct Queue {
    own: c_int,
    device: c_int,
    max_batch: c_int,
    pointers: *mut *mut c_void,
    a: *mut *mut c_void,
    b: *mut *mut c_void,
    c: *mut *mut c_void,
    stream: *mut c_void,
    cublas: RawHandle,
    cusparse: *mut c_void,
}

const _: () = assert!(offset_of!(Queue, device) == 4 && offset_of!(Queue, max_batch) == 8);
const _: () = assert!(offset_of!(Queue, pointers) == 16 && offset_of!(Queue, stream) == 48);
const _: () = assert!(offset_of!(Queue, cusparse) == 64 && size_of::<Queue>() == 72);

/// `magma_queue_t` as it is passed through the ABI.
pub type RawQueue = *mut Queue;

const OWN_STREAM: c_int = 1;
const OWN_CUBLAS: c_int = 2;
const OWN_CUSPARSE: c_int = 4;
/// MAGMA's limit of the batch count of one launch. Only for readers of the structure; Tephra has no such limit.
const MAX_BATCH: c_int = 65534;

/// The stream of a queue. NULL means the default stream; MAGMA allows NULL only in copies and synchronisation, Tephra
/// everywhere.
///
/// # Safety
/// `queue` is NULL or a live queue.
#[inline]
pub unsafe fn stream_of(queue: RawQueue) -> Stream {
    Stream(unsafe { queue.as_ref() }.map_or(ptr::null_mut(), |queue| queue.stream))
}

/// The device of a queue; the current one for NULL.
///
/// # Safety
/// As [`stream_of`].
pub unsafe fn device_of(queue: RawQueue) -> Result<c_int, Error> {
    match unsafe { queue.as_ref() } {
        Some(queue) => Ok(queue.device),
        None => backend::current()?.current_device(),
    }
}

/// Waits for all work in the queue.
///
/// # Safety
/// As [`stream_of`].
pub unsafe fn synchronize(queue: RawQueue) -> Result<(), Error> {
    unsafe { backend::current()?.stream_synchronize(stream_of(queue)) }
}

/// `magma_queue_create`: makes `device` the current one and creates a stream that synchronises with the default stream,
/// as MAGMA does.
///
/// # Safety
/// `out` is NULL, which is refused, or valid for a write.
pub unsafe fn create(device: c_int, out: *mut RawQueue) -> Result<(), Error> {
    if out.is_null() {
        return Err(Arg::Pointer.into());
    }
    let runtime = backend::current()?;
    runtime.set_device(device)?;
    let stream = runtime.stream_create()?;
    unsafe { publish(Queue { own: OWN_STREAM, stream: stream.0, ..empty(device) }, out) }
}

/// `magma_queue_create_from_cuda`: adopts the caller's stream and handles, and sets the stream on the handles.
///
/// # Safety
/// `out` is NULL, which is refused, or valid for a write; the handles are NULL or living.
pub unsafe fn adopt(
    device: c_int,
    stream: *mut c_void,
    cublas: RawHandle,
    cusparse: *mut c_void,
    out: *mut RawQueue,
) -> Result<(), Error> {
    if out.is_null() {
        return Err(Arg::Pointer.into());
    }
    backend::current()?.set_device(device)?;
    if !cublas.is_null() {
        let status = unsafe { handle::set_stream(cublas, stream) };
        if status != Status::SUCCESS {
            return Err(Error::Driver(format!("cublasSetStream: {}", status.name().to_string_lossy())));
        }
    }
    if !cusparse.is_null() {
        unsafe { sparse_set_stream(cusparse, stream)? };
    }
    unsafe { publish(Queue { stream, cublas, cusparse, ..empty(device) }, out) }
}

fn empty(device: c_int) -> Queue {
    let none = ptr::null_mut();
    Queue {
        own: 0,
        device,
        max_batch: MAX_BATCH,
        pointers: none,
        a: none,
        b: none,
        c: none,
        stream: ptr::null_mut(),
        cublas: ptr::null_mut(),
        cusparse: ptr::null_mut(),
    }
}

/// Moves a queue to the C heap, because another MAGMA in the process, which frees queues with `free`, may destroy it.
unsafe fn publish(queue: Queue, out: *mut RawQueue) -> Result<(), Error> {
    let memory = unsafe { libc::malloc(size_of::<Queue>()) }.cast::<Queue>();
    if memory.is_null() {
        return Err(Error::OutOfMemory("a queue".into()));
    }
    unsafe {
        memory.write(queue);
        *out = memory;
    }
    Ok(())
}

/// `magma_queue_destroy`: also destroys the stream and the handles that the queue owns.
///
/// # Safety
/// `queue` is NULL or a live queue, and is not used afterwards.
pub unsafe fn destroy(queue: RawQueue) -> Result<(), Error> {
    if queue.is_null() {
        return Ok(());
    }
    let Queue { own, stream, cublas, cusparse, .. } = unsafe { queue.read() };
    // All of it is released, whatever fails; the first error is returned.
    unsafe {
        let no_handle = if own & OWN_CUBLAS != 0 { handle::destroy(cublas).map(|_| ()) } else { Ok(()) };
        if own & OWN_CUSPARSE != 0 {
            sparse_destroy(cusparse);
        }
        let destroy = || backend::current()?.stream_destroy(Stream(stream));
        let no_stream = if own & OWN_STREAM != 0 { destroy() } else { Ok(()) };
        queue.write(empty(-1));
        libc::free(queue.cast());
        no_handle.and(no_stream)
    }
}

/// Checks that an event is not NULL.
pub fn event(raw: *mut c_void) -> Result<*mut c_void, Error> {
    if raw.is_null() { Err(Arg::Pointer.into()) } else { Ok(raw) }
}

/// `magma_queue_get_cublas_handle`. The handle is created at the first request, as most programs never make one. On
/// CUDA it is the vendor's if its library can be loaded, so that any cuBLAS function works with it, else one of ours.
///
/// # Safety
/// `queue` is NULL or a live queue, and no other thread makes this call at the same time.
pub unsafe fn cublas_handle(queue: RawQueue) -> Result<RawHandle, Error> {
    let Some(queue) = (unsafe { queue.as_mut() }) else { return Ok(ptr::null_mut()) };
    if queue.cublas.is_null() {
        let mut made = ptr::null_mut();
        let status = unsafe { create_blas(&mut made)? };
        if status != Status::SUCCESS {
            return Err(Error::Driver(format!("cublasCreate: {}", status.name().to_string_lossy())));
        }
        unsafe { handle::set_stream(made, queue.stream) };
        queue.cublas = made;
        queue.own |= OWN_CUBLAS;
    }
    Ok(queue.cublas)
}

unsafe fn create_blas(out: *mut RawHandle) -> Result<Status, Error> {
    const LOADED: Library = Library { load: true, ..CUBLAS };
    if backend::current()?.kind() == Kind::Cuda
        && let Some(create) = vendor!(LOADED, c"cublasCreate_v2", fn(*mut RawHandle) -> Status)
    {
        return Ok(unsafe { create(out) });
    }
    unsafe { handle::create(out) }
}

/// `magma_queue_get_cusparse_handle`: the vendor's handle, created at the first request; NULL if cuSPARSE cannot be
/// loaded. No routine of Tephra needs it.
///
/// # Safety
/// As [`cublas_handle`].
pub unsafe fn cusparse_handle(queue: RawQueue) -> Result<*mut c_void, Error> {
    let Some(queue) = (unsafe { queue.as_mut() }) else { return Ok(ptr::null_mut()) };
    if queue.cusparse.is_null()
        && backend::current()?.kind() == Kind::Cuda
        && let Some(create) = vendor!(CUSPARSE, c"cusparseCreate", fn(*mut *mut c_void) -> c_int)
    {
        let mut made = ptr::null_mut();
        sparse_ok("cusparseCreate", unsafe { create(&mut made) })?;
        unsafe { sparse_set_stream(made, queue.stream)? };
        queue.cusparse = made;
        queue.own |= OWN_CUSPARSE;
    }
    Ok(queue.cusparse)
}

unsafe fn sparse_set_stream(cusparse: *mut c_void, stream: *mut c_void) -> Result<(), Error> {
    match vendor!(CUSPARSE, c"cusparseSetStream", fn(*mut c_void, *mut c_void) -> c_int) {
        Some(set_stream) => sparse_ok("cusparseSetStream", unsafe { set_stream(cusparse, stream) }),
        None => Err(Error::NotSupported("a cuSPARSE handle without cuSPARSE".into())),
    }
}

unsafe fn sparse_destroy(cusparse: *mut c_void) {
    if let Some(destroy) = vendor!(CUSPARSE, c"cusparseDestroy", fn(*mut c_void) -> c_int) {
        unsafe { destroy(cusparse) };
    }
}

fn sparse_ok(what: &str, status: c_int) -> Result<(), Error> {
    if status == 0 { Ok(()) } else { Err(Error::Driver(format!("{what}: status {status}"))) }
}
