//! Where things are: the members of a batch, workspaces, streams.

use super::check::{Verdict, at_least};
use crate::error::{Arg, Error, Fault};
use std::ffi::c_void;
use std::ptr;

/// A CUDA stream (`CUstream`, `cudaStream_t`): NULL is the legacy default stream, and CUDA's special values 1 and 2
/// (legacy, per-thread) pass through. The CPU backend ignores it: host work is done when the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Stream(pub *mut c_void);

/// Where the members of a batch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `array[i]` points to member i. The array itself is device memory, or host memory the device can read.
    Pointers(*const *mut c_void),
    /// Member i starts `i * stride` elements after `base`.
    Strided {
        /// Start of member 0.
        base: *mut c_void,
        /// Elements from one member to the next.
        stride: i64,
    },
}

impl Operand {
    /// The operand of a problem of which only the shape matters.
    pub const NOWHERE: Operand = Operand::Pointers(ptr::null());

    /// NULL, as far as an operand can be.
    #[inline]
    pub fn is_null(&self) -> bool {
        match self {
            Operand::Pointers(array) => array.is_null(),
            Operand::Strided { base, .. } => base.is_null(),
        }
    }

    /// The operand from one of its members on, of elements of so many bytes. NULL stays NULL.
    pub fn from_member(self, first: i64, element: usize) -> Operand {
        match self {
            nowhere if nowhere.is_null() => nowhere,
            Operand::Pointers(array) => Operand::Pointers(array.wrapping_add(first as usize)),
            Operand::Strided { base, stride } => {
                let bytes = stride.wrapping_mul(first).wrapping_mul(element as i64);
                Operand::Strided { base: base.wrapping_byte_offset(bytes as isize), stride }
            }
        }
    }
}

/// Sizes of members that do not have the same ones: an int a member in each array, in the backend's memory. A problem's
/// own sizes are then the largest that a member may have, and its leading dimension is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Rows.
    pub m: *const i32,
    /// Columns.
    pub n: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
}

impl Sizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: Sizes = Sizes { m: ptr::null(), n: ptr::null(), lda: ptr::null() };

    /// Looks at what the host knows of such a problem: the most rows and columns, and the number of members.
    pub(super) fn check((m, n): (i64, i64), batch: i64) -> Result<Verdict, Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        at_least(batch, 0, Arg::BatchCount)?;
        Ok(Verdict::unless(m == 0 || n == 0 || batch == 0))
    }

    /// Refuses arrays that are NULL.
    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let null = [(self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda)].into_iter().find(|(p, _)| p.is_null());
        null.map_or(Ok(()), |(_, arg)| Err(Error::BadArgument(arg, Fault::Null)))
    }

    /// Rows, columns and leading dimension of a member, in host memory, whose rows and columns are at most these; or, by LAPACK's
    /// numbers with a minus, the first that is not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64)) -> Result<(i64, i64, i64), i32> {
        let [m, n, lda] = [self.m, self.n, self.lda].map(|array| i64::from(unsafe { *array.add(i) }));
        if !(0..=most_m).contains(&m) {
            return Err(-1);
        }
        if !(0..=most_n).contains(&n) {
            return Err(-2);
        }
        if lda < m.max(1) { Err(-4) } else { Ok((m, n, lda)) }
    }

    /// The same of a member that has elements; else its code is set, which is at `info` if that is not NULL.
    ///
    /// # Safety
    /// As [`Sizes::member`], and the code is valid.
    pub unsafe fn work(&self, i: usize, most: (i64, i64), info: *mut i32) -> Option<(i64, i64, i64)> {
        let code = match unsafe { self.member(i, most) } {
            Ok((m, n, lda)) if m > 0 && n > 0 => return Some((m, n, lda)),
            Ok(_) => 0,
            Err(code) => code,
        };
        if !info.is_null() {
            unsafe { *info = code };
        }
        None
    }
}

/// Memory of the caller's that a routine may use until it is done: at least
/// [`crate::backend::Runtime::workspace`] bytes, aligned to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Start, in the backend's memory; NULL when none is needed.
    pub p: *mut c_void,
    /// Size.
    pub bytes: usize,
}

impl Workspace {
    /// Of its start, in bytes.
    pub const ALIGNMENT: usize = 16;
    /// No memory.
    pub const NONE: Workspace = Workspace { p: ptr::null_mut(), bytes: 0 };
}
