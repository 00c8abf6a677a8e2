//! The support functions of MAGMA's Fortran module (`use magma`): lower-case names with a trailing underscore, all
//! arguments by reference.

use std::ffi::{c_int, c_void};
use tephra_core::face::guard::{load, store};
use tephra_core::face::magma::system::{Memory, allocate, device_info, finalize, free, free_memory, init};
use tephra_core::face::magma::system::{environment, num_gpus, version};
use tephra_core::face::magma::{MagmaInt, RawQueue, host, queue};
use tephra_core::scalar::{C32, C64};
use tephra_core::{backend, entry};

type Pointer = *mut c_void;

entry! {
    fn magmaf_init_() {
        init()?;
        Ok(())
    }

    fn magmaf_finalize_() {
        finalize();
        Ok(())
    }

    fn magmaf_version_(major: *mut c_int, minor: *mut c_int, micro: *mut c_int) {
        version(major, minor, micro);
        Ok(())
    }

    fn magmaf_print_environment_() {
        host::write_stdout(&environment()?);
        Ok(())
    }

    fn magmaf_num_gpus_() -> MagmaInt { num_gpus().map(MagmaInt) }

    fn magmaf_getdevice_(device: *mut c_int) {
        store(device, backend::current()?.current_device()?)
    }

    fn magmaf_setdevice_(device: *const c_int) { backend::current()?.set_device(load(device)?) }

    fn magmaf_getdevice_arch_() -> MagmaInt { Ok(MagmaInt(device_info()?.arch as c_int * 10)) }

    fn magmaf_mem_size_(queue: *const RawQueue) -> usize { free_memory(load(queue)?) }

    fn magmaf_queue_create_(device: *const c_int, queue: *mut RawQueue) { queue::create(load(device)?, queue) }

    fn magmaf_queue_destroy_(queue: *const RawQueue) { queue::destroy(load(queue)?) }

    fn magmaf_queue_sync_(queue: *const RawQueue) { queue::synchronize(load(queue)?) }

    fn magmaf_queue_get_device_(queue: *const RawQueue) -> MagmaInt { queue::device_of(load(queue)?).map(MagmaInt) }
}

macro_rules! allocators {
    ($($ty:ty: $device:ident $host:ident $pinned:ident;)*) => { entry! {$(
        fn $device(out: *mut Pointer, n: *const c_int) -> MagmaInt {
            Ok(elements::<$ty>(PROTOTYPE.name, out, load(n)?, Memory::Device))
        }

        fn $host(out: *mut Pointer, n: *const c_int) -> MagmaInt {
            Ok(elements::<$ty>(PROTOTYPE.name, out, load(n)?, Memory::Host))
        }

        fn $pinned(out: *mut Pointer, n: *const c_int) -> MagmaInt {
            Ok(elements::<$ty>(PROTOTYPE.name, out, load(n)?, Memory::Pinned))
        }
    )*}};
}

unsafe fn elements<T>(name: &str, out: *mut Pointer, n: c_int, memory: Memory) -> MagmaInt {
    unsafe { allocate(name, out, n.max(0) as usize * size_of::<T>(), memory) }
}

allocators! {
    u8: magmaf_malloc_ magmaf_malloc_cpu_ magmaf_malloc_pinned_;
    f32: magmaf_smalloc_ magmaf_smalloc_cpu_ magmaf_smalloc_pinned_;
    f64: magmaf_dmalloc_ magmaf_dmalloc_cpu_ magmaf_dmalloc_pinned_;
    C32: magmaf_cmalloc_ magmaf_cmalloc_cpu_ magmaf_cmalloc_pinned_;
    C64: magmaf_zmalloc_ magmaf_zmalloc_cpu_ magmaf_zmalloc_pinned_;
    c_int: magmaf_imalloc_ magmaf_imalloc_cpu_ magmaf_imalloc_pinned_;
}

macro_rules! deallocators {
    ($($name:ident: $memory:ident;)*) => { entry! {$(
        fn $name(pointer: *const Pointer) -> MagmaInt {
            let freed = load(pointer).and_then(|pointer| free(pointer, Memory::$memory));
            Ok(if freed.is_ok() { MagmaInt::SUCCESS } else { MagmaInt::INVALID_PTR })
        }
    )*}};
}

deallocators! {
    magmaf_free_: Device;
    magmaf_free_cpu_: Host;
    magmaf_free_pinned_: Pinned;
}
