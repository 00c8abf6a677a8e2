//! Allocation and memset.

use std::ffi::{c_char, c_int, c_void};
use tephra_core::face::magma::copy::CallSite;
use tephra_core::face::magma::int::bad_argument;
use tephra_core::face::magma::queue::stream_of;
use tephra_core::face::magma::system::{Memory, allocate, free};
use tephra_core::face::magma::{MagmaInt, RawQueue};
use tephra_core::{Arg, Error, Stream, backend, entry};

type Pointer = *mut c_void;
type Text = *const c_char;

fn freed(result: Result<(), Error>, call_site: CallSite) -> MagmaInt {
    let code = if result.is_ok() { MagmaInt::SUCCESS } else { MagmaInt::INVALID_PTR };
    call_site.check(result);
    code
}

unsafe fn memset(name: &str, p: Pointer, value: c_int, bytes: usize, stream: Stream) -> Result<MagmaInt, Error> {
    let bad = |position| Ok(bad_argument(name, &Arg::Pointer.into(), position));
    match isize::try_from(bytes) {
        Ok(1..) if p.is_null() => bad(1),
        Err(_) => bad(3),
        Ok(_) => {
            unsafe { backend::current()?.memset_async(p, value as u8, bytes, stream)? };
            Ok(MagmaInt::SUCCESS)
        }
    }
}

entry! {
    fn magma_malloc(out: *mut Pointer, bytes: usize) -> MagmaInt {
        Ok(allocate(PROTOTYPE.name, out, bytes, Memory::Device))
    }

    fn magma_malloc_cpu(out: *mut Pointer, bytes: usize) -> MagmaInt {
        Ok(allocate(PROTOTYPE.name, out, bytes, Memory::Host))
    }

    fn magma_malloc_pinned(out: *mut Pointer, bytes: usize) -> MagmaInt {
        Ok(allocate(PROTOTYPE.name, out, bytes, Memory::Pinned))
    }

    fn magma_free_internal(pointer: Pointer, func: Text, file: Text, line: c_int) -> MagmaInt {
        Ok(freed(free(pointer, Memory::Device), CallSite(func, file, line)))
    }

    fn magma_free_pinned_internal(pointer: Pointer, func: Text, file: Text, line: c_int) -> MagmaInt {
        Ok(freed(free(pointer, Memory::Pinned), CallSite(func, file, line)))
    }

    fn magma_free_cpu(pointer: Pointer) -> MagmaInt {
        free(pointer, Memory::Host)?;
        Ok(MagmaInt::SUCCESS)
    }

    fn magma_memset(pointer: Pointer, value: c_int, bytes: usize) -> MagmaInt {
        let stream = Stream(std::ptr::null_mut());
        let done = memset("magma_memset", pointer, value, bytes, stream)?;
        backend::current()?.stream_synchronize(stream)?;
        Ok(done)
    }

    fn magma_memset_async(pointer: Pointer, value: c_int, bytes: usize, queue: RawQueue) -> MagmaInt {
        memset("magma_memset_async", pointer, value, bytes, stream_of(queue))
    }
}
