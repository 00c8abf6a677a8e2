//! `cublas{Set,Get}{Matrix,Vector}[Async][_64]`: a strided copy, whose direction follows from the pointers.

use super::status::Status;
use crate::backend;
use crate::error::Error;
use crate::face::guard::record;
use crate::routine::{Stream, extent};
use std::ffi::c_void;
use std::ptr;

/// A copy of a matrix; sizes are in elements of `element` bytes.
#[derive(Clone, Copy, Debug)]
pub struct MatrixCopy {
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
    /// Bytes of an element.
    pub element: i64,
    /// Source.
    pub src: *const c_void,
    /// Leading dimension there.
    pub ld_src: i64,
    /// Destination.
    pub dst: *mut c_void,
    /// Leading dimension there.
    pub ld_dst: i64,
}

/// The copy as `count` contiguous runs of `bytes`; pitches are in bytes.
struct Runs {
    count: usize,
    bytes: usize,
    pitch_src: usize,
    pitch_dst: usize,
}

impl MatrixCopy {
    /// A vector of n elements, which is a matrix of one row whose leading dimensions are the increments.
    pub fn vector(
        n: i64,
        element: i64,
        src: *const c_void,
        inc_src: i64,
        dst: *mut c_void,
        inc_dst: i64,
    ) -> MatrixCopy {
        MatrixCopy { rows: n.min(1), cols: n, element, src, ld_src: inc_src, dst, ld_dst: inc_dst }
    }

    /// Returns `None` if there is nothing to copy. As in cuBLAS, negative sizes, and element sizes or leading
    /// dimensions below 1, are errors; so are leading dimensions below the rows.
    fn runs(&self) -> Result<Option<Runs>, Status> {
        let min_ld = self.rows.max(1);
        if self.rows < 0 || self.cols < 0 || self.element < 1 || self.ld_src < min_ld || self.ld_dst < min_ld {
            return Err(Status::INVALID_VALUE);
        }
        if self.rows == 0 || self.cols == 0 {
            return Ok(None);
        }
        let extent_with = |ld| extent::bytes(self.element, self.cols, ld, 1, 0);
        let (Some(src), Some(dst)) = (extent_with(self.ld_src), extent_with(self.ld_dst)) else {
            return Err(Status::INVALID_VALUE);
        };
        // `src` and `dst` are the extents of `count` columns.
        let (count, bytes) = (self.cols as usize, (self.rows * self.element) as usize);
        let (pitch_src, pitch_dst) = (src / count, dst / count);
        if pitch_src == bytes && pitch_dst == bytes {
            return Ok(Some(Runs { count: 1, bytes: src, pitch_src: src, pitch_dst: dst }));
        }
        Ok(Some(Runs { count, bytes, pitch_src, pitch_dst }))
    }

    /// Starts the copy on `stream`.
    ///
    /// # Safety
    /// Both sides must be valid for the sizes given.
    pub unsafe fn start(&self, stream: Stream) -> Result<Status, Error> {
        let runs = match self.runs() {
            Ok(Some(runs)) => runs,
            Ok(None) => return Ok(Status::SUCCESS),
            Err(status) => return Ok(status),
        };
        if self.src.is_null() || self.dst.is_null() {
            return Ok(Status::INVALID_VALUE);
        }
        let runtime = backend::current()?;
        let copied = unsafe {
            runtime.copy_2d_async(self.dst, runs.pitch_dst, self.src, runs.pitch_src, runs.bytes, runs.count, stream)
        };
        Ok(copied.map_or_else(
            |error| {
                record("cuBLAS copy", &error);
                Status::MAPPING_ERROR
            },
            |()| Status::SUCCESS,
        ))
    }

    /// Copies on the default stream and waits.
    ///
    /// # Safety
    /// As [`MatrixCopy::start`].
    pub unsafe fn copy(&self) -> Result<Status, Error> {
        let stream = Stream(ptr::null_mut());
        let status = unsafe { self.start(stream)? };
        if status == Status::SUCCESS {
            unsafe { backend::current()?.stream_synchronize(stream)? };
        }
        Ok(status)
    }
}
