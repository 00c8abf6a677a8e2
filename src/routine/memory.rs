//! Memory: the operands of a batch, workspaces, streams.

use std::ffi::c_void;
use std::ptr;

/// A CUDA stream (`CUstream`, `cudaStream_t`). NULL is the legacy default stream, and CUDA's special values 1 and 2
/// (legacy, per-thread) pass through. The CPU backend ignores it: host work is complete when the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Stream(pub *mut c_void);

/// Where the members of a batch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `array[i]` points to member i. The array itself is in device memory, or in host memory that the device can read.
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
    /// Whether both batches start at the same address. Null operands do not.
    pub fn starts_at(&self, other: &Operand) -> bool {
        !self.is_null()
            && match (self, other) {
                (Operand::Pointers(one), Operand::Pointers(two)) => one == two,
                (Operand::Strided { base: one, .. }, Operand::Strided { base: two, .. }) => one == two,
                _ => false,
            }
    }

    /// Whether `batch` members are at the same places as those of `other`.
    pub(crate) fn coincides(&self, other: &Operand, batch: i64) -> bool {
        self.starts_at(other) && (batch <= 1 || self == other)
    }

    /// A null operand, for problems of which only the shape matters.
    pub const NULL: Operand = Operand::Pointers(ptr::null());

    /// Whether the pointer array, or the base of a strided batch, is NULL.
    #[inline]
    pub fn is_null(&self) -> bool {
        match self {
            Operand::Pointers(array) => array.is_null(),
            Operand::Strided { base, .. } => base.is_null(),
        }
    }

    /// The first member, or NULL if there is no array of pointers.
    ///
    /// # Safety
    /// An array of pointers must be valid for a read, in host memory.
    #[inline]
    pub unsafe fn first(self) -> *mut c_void {
        match self {
            Operand::Pointers(array) if array.is_null() => std::ptr::null_mut(),
            Operand::Pointers(array) => unsafe { *array },
            Operand::Strided { base, .. } => base,
        }
    }

    /// The operand that starts at member `first`, for elements of `element` bytes. A null operand stays null.
    #[inline]
    pub fn from_member(self, first: i64, element: usize) -> Operand {
        match self {
            null if null.is_null() => null,
            Operand::Pointers(array) => Operand::Pointers(array.wrapping_add(first as usize)),
            Operand::Strided { base, stride } => {
                let bytes = stride.wrapping_mul(first).wrapping_mul(element as i64);
                Operand::Strided { base: base.wrapping_byte_offset(bytes as isize), stride }
            }
        }
    }
}

/// Memory of the caller that a routine may use until it has finished: at least [`crate::runtime::Runtime::workspace`]
/// bytes, aligned to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Start, in the backend's memory; NULL if none is needed.
    pub p: *mut c_void,
    /// Size in bytes.
    pub bytes: usize,
}

impl Workspace {
    /// Alignment of the start, in bytes.
    pub const ALIGNMENT: usize = 16;
    /// No memory.
    pub const NONE: Workspace = Workspace { p: ptr::null_mut(), bytes: 0 };
}
