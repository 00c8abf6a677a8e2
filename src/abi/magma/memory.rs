//! Allocation and memset.

use std::ffi::{c_char, c_int, c_void};
use tephra_core::face::magma::copy::Place;
use tephra_core::face::magma::queue::stream_of;
use tephra_core::face::magma::system::{Memory, allocate, free};
use tephra_core::face::magma::{MagmaInt, RawQueue};
use tephra_core::{Error, Stream, backend, entry};

type Pointer = *mut c_void;
type Text = *const c_char;

fn freed(result: Result<(), Error>, place: Place) -> MagmaInt {
    let code = if result.is_ok() { MagmaInt::SUCCESS } else { MagmaInt::INVALID_PTR };
    place.check(result);
    code
}

entry! {
    fn magma_malloc(out: *mut Pointer, bytes: usize) -> MagmaInt { Ok(allocate(out, bytes, Memory::Device)) }

    fn magma_malloc_cpu(out: *mut Pointer, bytes: usize) -> MagmaInt { Ok(allocate(out, bytes, Memory::Host)) }

    fn magma_malloc_pinned(out: *mut Pointer, bytes: usize) -> MagmaInt { Ok(allocate(out, bytes, Memory::Pinned)) }

    fn magma_free_internal(pointer: Pointer, func: Text, file: Text, line: c_int) -> MagmaInt {
        Ok(freed(free(pointer, Memory::Device), Place(func, file, line)))
    }

    fn magma_free_pinned_internal(pointer: Pointer, func: Text, file: Text, line: c_int) -> MagmaInt {
        Ok(freed(free(pointer, Memory::Pinned), Place(func, file, line)))
    }

    fn magma_free_cpu(pointer: Pointer) -> MagmaInt {
        free(pointer, Memory::Host)?;
        Ok(MagmaInt::SUCCESS)
    }

    fn magma_memset(pointer: Pointer, value: c_int, bytes: usize) -> MagmaInt {
        let (runtime, stream) = (backend::current()?, Stream(std::ptr::null_mut()));
        runtime.memset_async(pointer, value as u8, bytes, stream)?;
        runtime.stream_synchronize(stream)?;
        Ok(MagmaInt::SUCCESS)
    }

    fn magma_memset_async(pointer: Pointer, value: c_int, bytes: usize, queue: RawQueue) -> MagmaInt {
        backend::current()?.memset_async(pointer, value as u8, bytes, stream_of(queue))?;
        Ok(MagmaInt::SUCCESS)
    }
}
