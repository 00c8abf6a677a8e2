//! Memory of the backend in use.

use crate::error::{Error, check};
use crate::sys;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// What a [`Batch`] may hold.
///
/// # Safety
/// Every pattern of bits is a value: elements are copied between host and device as bytes.
pub unsafe trait Element: Copy + 'static {}
// SAFETY: numbers, and pairs of numbers without padding.
unsafe impl Element for f32 {}
// SAFETY: as above.
unsafe impl Element for f64 {}
// SAFETY: as above.
unsafe impl Element for crate::C32 {}
// SAFETY: as above.
unsafe impl Element for crate::C64 {}
// SAFETY: as above.
unsafe impl Element for i32 {}

/// `count` matrices of `rows` by `columns`, column-major and without gaps, in memory of the backend in use. Freed when dropped.
///
/// A batch belongs to the backend, and on CUDA to the device, that was current when it was made.
#[derive(Debug)]
pub struct Batch<T: Element> {
    /// None where there is no element.
    memory: Option<NonNull<T>>,
    rows: usize,
    columns: usize,
    count: usize,
    _owned: PhantomData<T>,
}

// SAFETY: it owns its memory, and the library's functions may be called from any thread.
unsafe impl<T: Element> Send for Batch<T> {}
// SAFETY: shared references only read sizes and copy from the memory.
unsafe impl<T: Element> Sync for Batch<T> {}

impl<T: Element> Batch<T> {
    /// Memory whose contents are unspecified; for what a routine writes whole.
    fn uninitialised(rows: usize, columns: usize, count: usize) -> Result<Self, Error> {
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
            // SAFETY: writes to a local.
            check(unsafe { sys::tephra_malloc(&mut pointer, bytes) })?;
        }
        Ok(Batch { memory: NonNull::new(pointer.cast()), rows, columns, count, _owned: PhantomData })
    }

    /// A batch of zeros: of numbers whose bytes are all 0.
    pub fn zeros(rows: usize, columns: usize, count: usize) -> Result<Self, Error> {
        let batch = Self::uninitialised(rows, columns, count)?;
        let zeros = vec![0u8; batch.bytes()];
        batch.copy(batch.pointer().cast(), zeros.as_ptr().cast())?;
        Ok(batch)
    }

    /// A batch with the elements of `host`: matrix after matrix, each column by column. Its length tells how many matrices there are;
    /// of matrices without elements there are none.
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

    /// Its elements on the host, in the order of [`Batch::from_slice`]. Waits for the calls before.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut host: Vec<T> = Vec::with_capacity(self.len());
        self.copy(host.as_mut_ptr().cast(), self.pointer().cast())?;
        // SAFETY: the copy has written all of them.
        unsafe { host.set_len(self.len()) };
        Ok(host)
    }

    /// A second batch with the same elements.
    pub fn try_clone(&self) -> Result<Self, Error> {
        let batch = Self::uninitialised(self.rows, self.columns, self.count)?;
        batch.copy(batch.pointer().cast(), self.pointer().cast())?;
        Ok(batch)
    }

    fn copy(&self, to: *mut c_void, from: *const c_void) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        // SAFETY: both have as many bytes as this batch: its own memory, and a vector or a batch of the same size.
        check(unsafe { sys::tephra_memcpy(to, from, self.bytes(), null_mut()) })
    }

    /// Rows of each matrix.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of each matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many matrices there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Elements of all matrices.
    pub fn len(&self) -> usize {
        self.rows * self.columns * self.count
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first element, for functions of [`sys`]; NULL where there is none.
    pub fn as_ptr(&self) -> *const T {
        self.pointer()
    }

    /// The first element, for functions of [`sys`] that write; NULL where there is none.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer()
    }

    pub(crate) fn pointer(&self) -> *mut T {
        self.memory.map_or(null_mut(), NonNull::as_ptr)
    }

    fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    /// The leading dimension that the library takes, which is 1 for matrices without rows.
    pub(crate) fn ld(&self) -> i64 {
        self.rows.max(1) as i64
    }

    /// From one matrix to the next; 1 for matrices without elements.
    pub(crate) fn stride(&self) -> i64 {
        (self.rows * self.columns).max(1) as i64
    }
}

impl<T: Element> Drop for Batch<T> {
    fn drop(&mut self) {
        // SAFETY: given by tephra_malloc, or NULL. A failure cannot be told from here.
        unsafe { sys::tephra_free(self.pointer().cast()) };
    }
}
