//! Queues and events.

use std::ffi::{c_char, c_int, c_void};
use tephra_core::face::cublas::RawHandle;
use tephra_core::face::magma::copy::CallSite;
use tephra_core::face::magma::queue::{self, stream_of};
use tephra_core::face::magma::{MagmaInt, RawQueue};
use tephra_core::{Arg, Error, backend, entry};

type Text = *const c_char;
type Event = *mut c_void;

unsafe fn create_event(out: *mut Event, timed: bool) -> Result<(), Error> {
    if out.is_null() {
        return Err(Arg::Pointer.into());
    }
    unsafe { *out = backend::current()?.event_create(timed)? };
    Ok(())
}

entry! {
    fn magma_queue_create_internal(device: c_int, queue: *mut RawQueue, func: Text, file: Text, line: c_int) {
        CallSite(func, file, line).check(queue::create(device, queue));
        Ok(())
    }

    fn magma_queue_create_from_cuda_internal(
        device: c_int, stream: *mut c_void, cublas: RawHandle, cusparse: *mut c_void, queue: *mut RawQueue,
        func: Text, file: Text, line: c_int,
    ) {
        CallSite(func, file, line).check(queue::adopt(device, stream, cublas, cusparse, queue));
        Ok(())
    }

    fn magma_queue_destroy_internal(queue: RawQueue, func: Text, file: Text, line: c_int) {
        CallSite(func, file, line).check(queue::destroy(queue));
        Ok(())
    }

    fn magma_queue_sync_internal(queue: RawQueue, func: Text, file: Text, line: c_int) {
        CallSite(func, file, line).check(queue::synchronize(queue));
        Ok(())
    }

    fn magma_queue_get_device(queue: RawQueue) -> MagmaInt { queue::device_of(queue).map(MagmaInt) }

    fn magma_queue_get_cuda_stream(queue: RawQueue) -> *mut c_void { Ok(stream_of(queue).0) }

    fn magma_queue_get_cublas_handle(queue: RawQueue) -> RawHandle { queue::cublas_handle(queue) }

    fn magma_queue_get_cusparse_handle(queue: RawQueue) -> *mut c_void { queue::cusparse_handle(queue) }

    fn magma_queue_wait_event(queue: RawQueue, event: Event) {
        backend::current()?.stream_wait_event(stream_of(queue), queue::event(event)?)
    }

    fn magma_event_create(event: *mut Event) {
        create_event(event, true)
    }

    fn magma_event_create_untimed(event: *mut Event) {
        create_event(event, false)
    }

    fn magma_event_destroy(event: Event) {
        if event.is_null() { Ok(()) } else { backend::current()?.event_destroy(event) }
    }

    fn magma_event_record(event: Event, queue: RawQueue) {
        backend::current()?.event_record(queue::event(event)?, stream_of(queue))
    }

    fn magma_event_sync(event: Event) { backend::current()?.event_synchronize(queue::event(event)?) }
}
