//! The CPU backend: the same semantics on host memory, multi-threaded over the batch.
//!
//! Every pointer is host memory, streams are synchronous, and operations are finished when they return.

use super::{DeviceInfo, Kind, Runtime};
use crate::error::Error;
use crate::problem::{Geqrf, GeqrfExtract, Stream};
use std::ffi::c_void;

struct Cpu;

/// The one CPU runtime.
pub fn runtime() -> &'static dyn Runtime {
    &Cpu
}

impl Runtime for Cpu {
    fn kind(&self) -> Kind {
        Kind::Cpu
    }
    fn device_count(&self) -> i32 {
        1
    }
    fn current_device(&self) -> Result<i32, Error> {
        Ok(0)
    }
    fn set_device(&self, _device: i32) -> Result<(), Error> {
        todo!()
    }
    fn device_info(&self, _device: i32) -> Result<DeviceInfo, Error> {
        todo!()
    }
    fn memory_info(&self) -> Result<(usize, usize), Error> {
        todo!()
    }
    fn is_device_pointer(&self, _p: *const c_void) -> i32 {
        1
    }
    fn alloc(&self, _bytes: usize) -> Result<*mut c_void, Error> {
        todo!()
    }
    unsafe fn free(&self, _p: *mut c_void) -> Result<(), Error> {
        todo!()
    }
    fn alloc_pinned(&self, _bytes: usize) -> Result<*mut c_void, Error> {
        todo!()
    }
    unsafe fn free_pinned(&self, _p: *mut c_void) -> Result<(), Error> {
        todo!()
    }
    unsafe fn copy_2d_async(
        &self,
        _dst: *mut c_void,
        _dst_pitch: usize,
        _src: *const c_void,
        _src_pitch: usize,
        _width: usize,
        _height: usize,
        _stream: Stream,
    ) -> Result<(), Error> {
        todo!()
    }
    unsafe fn memset_async(&self, _p: *mut c_void, _value: u8, _bytes: usize, _stream: Stream) -> Result<(), Error> {
        todo!()
    }
    fn stream_create(&self) -> Result<Stream, Error> {
        todo!()
    }
    unsafe fn stream_destroy(&self, _s: Stream) -> Result<(), Error> {
        todo!()
    }
    unsafe fn stream_synchronize(&self, _s: Stream) -> Result<(), Error> {
        todo!()
    }
    unsafe fn stream_wait_event(&self, _s: Stream, _event: *mut c_void) -> Result<(), Error> {
        todo!()
    }
    fn event_create(&self, _timed: bool) -> Result<*mut c_void, Error> {
        todo!()
    }
    unsafe fn event_destroy(&self, _event: *mut c_void) -> Result<(), Error> {
        todo!()
    }
    unsafe fn event_record(&self, _event: *mut c_void, _s: Stream) -> Result<(), Error> {
        todo!()
    }
    unsafe fn event_query(&self, _event: *mut c_void) -> Result<bool, Error> {
        todo!()
    }
    unsafe fn event_synchronize(&self, _event: *mut c_void) -> Result<(), Error> {
        todo!()
    }
    unsafe fn event_elapsed_ms(&self, _start: *mut c_void, _end: *mut c_void) -> Result<f32, Error> {
        todo!()
    }
    unsafe fn set_pointers(
        &self,
        _out: *mut *mut c_void,
        _base: *mut c_void,
        _offset_bytes: i64,
        _stride_bytes: i64,
        _batch: i64,
        _stream: Stream,
    ) -> Result<(), Error> {
        todo!()
    }
    unsafe fn geqrf(&self, _p: &Geqrf, _stream: Stream) -> Result<(), Error> {
        todo!()
    }
    unsafe fn geqrf_extract(&self, _p: &GeqrfExtract, _stream: Stream) -> Result<(), Error> {
        todo!()
    }
    fn explain_geqrf(&self, _p: &Geqrf) -> Result<String, Error> {
        todo!()
    }
}
