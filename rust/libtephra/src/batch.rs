//! Batches of matrices in memory of the backend in use.

use crate::error::{Error, check};
use crate::sys;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// The element types of a [`Batch`].
///
/// # Safety
/// Every bit pattern must be a valid value, because elements are copied between host and device as bytes.
pub unsafe trait Element: Copy + 'static {}
// SAFETY: every bit pattern of a number, and of a pair of numbers without padding, is a valid value.
unsafe impl Element for f32 {}
// SAFETY: as above.
unsafe impl Element for f64 {}
// SAFETY: as above.
unsafe impl Element for crate::C32 {}
// SAFETY: as above.
unsafe impl Element for crate::C64 {}
// SAFETY: as above.
unsafe impl Element for i32 {}

/// `count` contiguous column-major matrices of `rows` by `columns`, in memory of the backend in use, which is freed on
/// drop.
///
/// A batch belongs to the backend, and on CUDA to the device, that was current when it was created.
#[derive(Debug)]
pub struct Batch<T: Element> {
    /// None if the batch has no elements.
    memory: Option<NonNull<T>>,
    rows: usize,
    columns: usize,
    count: usize,
    _owned: PhantomData<T>,
}

// SAFETY: a batch owns its memory, and the library's functions may be called from any thread.
unsafe impl<T: Element> Send for Batch<T> {}
// SAFETY: through a shared reference, sizes are only read and the memory is only copied from.
unsafe impl<T: Element> Sync for Batch<T> {}

impl<T: Element> Batch<T> {
    /// Allocates a batch with unspecified contents, which the caller or a routine must overwrite.
    pub(crate) fn uninitialised(rows: usize, columns: usize, count: usize) -> Result<Self, Error> {
        let sizes = [rows, columns, count].map(|size| i64::try_from(size).ok());
        let bytes =
            rows.checked_mul(columns).and_then(|n| n.checked_mul(count)).and_then(|n| n.checked_mul(size_of::<T>()));
        let (Some(bytes), true) =
            (bytes.filter(|bytes| *bytes <= isize::MAX as usize), sizes.iter().all(Option::is_some))
        else {
            return Err(Error::Shape(format!(
                "{count} matrices of {rows} x {columns} have more bytes than there are addresses"
            )));
        };
        let mut pointer = null_mut();
        if bytes > 0 {
            // SAFETY: the pointer is to a local variable.
            check(unsafe { sys::tephra_malloc(&mut pointer, bytes) })?;
        }
        Ok(Batch { memory: NonNull::new(pointer.cast()), rows, columns, count, _owned: PhantomData })
    }

    /// Creates a batch of zeros.
    pub fn zeros(rows: usize, columns: usize, count: usize) -> Result<Self, Error> {
        let batch = Self::uninitialised(rows, columns, count)?;
        // In pieces, so that no second batch is needed on the host.
        const PIECE: usize = 1 << 20;
        let mut zeros = reserved(batch.bytes().min(PIECE))?;
        zeros.resize(batch.bytes().min(PIECE), 0u8);
        for start in (0..batch.bytes()).step_by(PIECE) {
            let size = PIECE.min(batch.bytes() - start);
            // SAFETY: the piece lies in the batch, and there are at least as many zeros.
            check(unsafe {
                let piece = batch.pointer().cast::<u8>().add(start);
                sys::tephra_memcpy(piece.cast(), zeros.as_ptr().cast(), size, null_mut())
            })?;
        }
        Ok(batch)
    }

    /// Creates a batch from the elements of `host`: matrix after matrix, each column by column. The number of matrices
    /// follows from the slice's length; if a matrix has no elements, the batch is empty.
    ///
    /// Returns [`Error::Shape`] if the length is not a multiple of the elements of a matrix.
    pub fn from_slice(rows: usize, columns: usize, host: &[T]) -> Result<Self, Error> {
        let size = rows.saturating_mul(columns);
        let count = host.len().checked_div(size).unwrap_or(0);
        if count.checked_mul(size) != Some(host.len()) {
            return Err(Error::Shape(format!(
                "{} elements are no whole number of {rows} x {columns} matrices",
                host.len()
            )));
        }
        let batch = Self::uninitialised(rows, columns, count)?;
        batch.copy(batch.pointer().cast(), host.as_ptr().cast())?;
        Ok(batch)
    }

    /// Copies the elements to the host, in the order of [`Batch::from_slice`]. Waits for all preceding calls.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut host = reserved::<T>(self.len())?;
        self.copy(host.as_mut_ptr().cast(), self.pointer().cast())?;
        // SAFETY: the copy has initialised all elements.
        unsafe { host.set_len(self.len()) };
        Ok(host)
    }

    /// Creates a copy of the batch. Fails if memory cannot be allocated.
    pub fn try_clone(&self) -> Result<Self, Error> {
        let batch = Self::uninitialised(self.rows, self.columns, self.count)?;
        batch.copy(batch.pointer().cast(), self.pointer().cast())?;
        Ok(batch)
    }

    fn copy(&self, to: *mut c_void, from: *const c_void) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        // SAFETY: one side is this batch's memory, the other a vector, slice or batch of the same size in bytes.
        check(unsafe { sys::tephra_memcpy(to, from, self.bytes(), null_mut()) })
    }

    /// Returns the number of rows of each matrix.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns of each matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of matrices.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of elements of all matrices together.
    pub fn len(&self) -> usize {
        self.rows * self.columns * self.count
    }

    /// Returns whether the batch has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a pointer to the first element, for functions of [`sys`]; NULL if there are no elements.
    pub fn as_ptr(&self) -> *const T {
        self.pointer()
    }

    /// Returns a mutable pointer to the first element, for functions of [`sys`]; NULL if there are no elements.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer()
    }

    pub(crate) fn pointer(&self) -> *mut T {
        self.memory.map_or(null_mut(), NonNull::as_ptr)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    /// The leading dimension, which the library requires to be at least 1.
    pub(crate) fn ld(&self) -> i64 {
        self.rows.max(1) as i64
    }

    /// The stride between matrices in elements, at least 1.
    pub(crate) fn stride(&self) -> i64 {
        (self.rows * self.columns).max(1) as i64
    }
}

/// An empty vector with room for `count` elements.
fn reserved<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut host = Vec::new();
    let why = |_| Error::OutOfMemory(format!("the host has no {} bytes", count.saturating_mul(size_of::<T>())));
    host.try_reserve_exact(count).map_err(why)?;
    Ok(host)
}

impl<T: Element> Drop for Batch<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer is from tephra_malloc, or NULL. Drop has no way to report a failure.
        unsafe { sys::tephra_free(self.pointer().cast()) };
    }
}
