//! Initialisation, versions, devices, clocks, threads, error texts.

use std::ffi::{c_char, c_int, c_void};
use tephra_core::face::guard::{read_text, store};
use tephra_core::face::magma::int::{bad_argument, print_xerbla, text};
use tephra_core::face::magma::system::*;
use tephra_core::face::magma::{MagmaInt, RawQueue, host, queue};
use tephra_core::{Arg, backend, entry};

entry! {
    fn magma_init() -> MagmaInt { init() }

    fn magma_finalize() -> MagmaInt { Ok(finalize()) }

    fn magma_version(major: *mut c_int, minor: *mut c_int, micro: *mut c_int) {
        version(major, minor, micro);
        Ok(())
    }

    fn magma_print_environment() {
        host::write_stdout(&environment()?);
        Ok(())
    }

    fn magma_wtime() -> f64 { Ok(wall_time()) }

    fn magma_sync_wtime(queue: RawQueue) -> f64 {
        queue::synchronize(queue)?;
        Ok(wall_time())
    }

    fn magma_getdevice(device: *mut c_int) {
        store(device, backend::current()?.current_device()?)
    }

    fn magma_setdevice(device: c_int) { backend::current()?.set_device(device) }

    fn magma_getdevices(list: *mut c_int, size: c_int, count: *mut c_int) { devices(list, size, count) }

    fn magma_num_gpus() -> MagmaInt { num_gpus().map(MagmaInt) }

    fn magma_getdevice_arch() -> MagmaInt { Ok(MagmaInt(device_info()?.arch as c_int * 10)) }

    fn magma_getdevice_multiprocessor_count() -> MagmaInt { Ok(MagmaInt(device_info()?.multiprocessors as c_int)) }

    fn magma_getdevice_num_threads_block() -> MagmaInt { Ok(MagmaInt(device_info()?.threads_per_block as c_int)) }

    fn magma_getdevice_num_threads_multiprocessor() -> MagmaInt {
        Ok(MagmaInt(device_info()?.threads_per_multiprocessor as c_int))
    }

    fn magma_getdevice_shmem_block() -> usize { Ok(device_info()?.shared_per_block) }

    fn magma_getdevice_shmem_block_optin() -> usize { Ok(device_info()?.shared_per_block_optin) }

    fn magma_getdevice_shmem_multiprocessor() -> usize { Ok(device_info()?.shared_per_multiprocessor) }

    fn magma_is_devptr(pointer: *const c_void) -> MagmaInt {
        Ok(MagmaInt(backend::current()?.is_device_pointer(pointer)))
    }

    fn magma_mem_info(free: *mut usize, total: *mut usize) -> MagmaInt {
        if free.is_null() || total.is_null() {
            let position = if free.is_null() { 1 } else { 2 };
            return Ok(bad_argument("magma_mem_info", &Arg::Pointer.into(), position));
        }
        (*free, *total) = backend::current()?.memory_info()?;
        Ok(MagmaInt::SUCCESS)
    }

    fn magma_mem_size(queue: RawQueue) -> usize { free_memory(queue) }

    fn magma_get_lapack_numthreads() -> MagmaInt { Ok(MagmaInt(threads(LAPACK_GETTERS))) }

    fn magma_set_lapack_numthreads(count: c_int) {
        set_lapack_threads(count);
        Ok(())
    }

    fn magma_get_omp_numthreads() -> MagmaInt { Ok(MagmaInt(threads(OMP_GETTERS))) }

    fn magma_set_omp_numthreads(count: c_int) {
        set_threads(OMP_SETTERS, count);
        Ok(())
    }

    fn magma_get_parallel_numthreads() -> MagmaInt { Ok(MagmaInt(parallel_threads())) }

    fn magma_strerror(code: c_int) -> *const c_char { Ok(text(code).as_ptr()) }

    fn magma_xerbla(name: *const c_char, info: c_int) {
        print_xerbla(&read_text(name).unwrap_or_default(), info);
        Ok(())
    }
}
