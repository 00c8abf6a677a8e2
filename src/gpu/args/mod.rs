//! Kernel arguments, with the layouts that `kernels/common/batch.cuh` and the headers named at each type
//! declare.

mod data_movement;
mod geqrf;
mod q;
mod reflectors;
mod sizes;
mod solve;

pub use data_movement::{AssignArgs, CopyArgs};
pub use geqrf::{ExtractArgs, GeqrfArgs, GeqrfEachArgs};
pub use q::QArgs;
pub use reflectors::{LarfbArgs, LarfbEachArgs};
pub use sizes::{Extent, SizesArgs};
pub use solve::{GelsArgs, StripsArgs, TrsmArgs, TrsmEachArgs};

use crate::routine::{Alpha, Dtype, Operand};
use std::ffi::c_void;

/// Locates an operand's members on the device: by an array of pointers, or at a fixed stride (in elements).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceOperand {
    p: *mut c_void,
    stride: i64,
    pointers: i32,
    pad: i32,
}

impl DeviceOperand {
    pub const NONE: DeviceOperand = DeviceOperand { p: std::ptr::null_mut(), stride: 0, pointers: 0, pad: 0 };

    pub fn strided(p: *mut c_void, stride: i64) -> DeviceOperand {
        DeviceOperand { p, stride, pointers: 0, pad: 0 }
    }

    /// This operand moved by `bytes`. It must be a strided one.
    pub fn offset_by(self, bytes: usize) -> DeviceOperand {
        DeviceOperand { p: self.p.wrapping_byte_add(bytes), ..self }
    }
}

impl From<Operand> for DeviceOperand {
    fn from(o: Operand) -> Self {
        match o {
            // No member may be accessed, so that a kernel must not load an address either.
            Operand::Pointers(p) if p.is_null() => DeviceOperand::NONE,
            Operand::Pointers(p) => DeviceOperand { p: p as *mut c_void, stride: 0, pointers: 1, pad: 0 },
            Operand::Strided { base, stride } => DeviceOperand { p: base, stride, pointers: 0, pad: 0 },
        }
    }
}

/// Moves a strided operand by `elements` elements. An array of pointers is returned unchanged.
pub fn offset_by(operand: Operand, dtype: Dtype, elements: i64) -> Operand {
    match operand {
        Operand::Strided { base, stride } => {
            let bytes = elements.wrapping_mul(dtype.bytes() as i64);
            Operand::Strided { base: base.wrapping_byte_offset(bytes as isize), stride }
        }
        pointers => pointers,
    }
}

/// A scalar as kernels take it: its device address, or null and the real and imaginary parts of its value.
pub fn scalar(x: Alpha) -> (*const c_void, f64, f64) {
    match x {
        Alpha::Host(x) => (std::ptr::null(), x.re, x.im),
        Alpha::Device(x) => (x, 1.0, 0.0),
    }
}
