//! Arguments of copies, transposes and assignments of constants.

use crate::gpu::args::{DeviceOperand, Extent};
use crate::gpu::plan::{Copy, Form};
use crate::routine::{Assign, Part, Side, Source};
use std::ptr::{null, null_mut};

/// `CopyArgs` and `TransposeArgs`, declared in `kernels/auxiliary/transpose.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CopyArgs {
    from: DeviceOperand,
    to: DeviceOperand,
    ld_from: i64,
    ld_to: i64,
    batch: i64,
    rows: i64,
    columns: i64,
    /// For copies, 1 writes zeros below the diagonal; for transposes, 1 conjugates.
    otherwise: i32,
    pad: i32,
}

impl From<&Copy> for CopyArgs {
    fn from(c: &Copy) -> Self {
        let Copy { from: (from, ld_from), to: (to, ld_to), rows, columns, form, batch, .. } = *c;
        let (from, to, otherwise) = (from.into(), to.into(), matches!(form, Form::Triangle | Form::Adjoint).into());
        CopyArgs { from, to, ld_from, ld_to, batch, rows, columns, otherwise, pad: 0 }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct AssignArgs {
    from: DeviceOperand,
    to: DeviceOperand,
    ld_from: i64,
    ld_to: i64,
    batch: i64,
    rows: i64,
    columns: i64,
    /// Real and imaginary part of the off-diagonal elements, then of the diagonal.
    constants: [f64; 4],
    part: i32,
    constant: i32,
    each: AssignEach,
}

/// Sizes of members with individual sizes; null pointers in a uniform batch.
#[repr(C)]
#[derive(Clone, Copy)]
struct AssignEach {
    rows: Extent,
    columns: Extent,
    ld_from: *const i32,
    ld_to: *const i32,
    triangles: *const i32,
    checked: *mut i32,
    right: i32,
    pad: i32,
}

impl From<&Assign> for AssignEach {
    fn from(p: &Assign) -> Self {
        let Some(sizes) = p.sizes else {
            let (none, nowhere) = (Extent::new(null(), 0), null());
            let (ld_from, ld_to, triangles) = (nowhere, nowhere, nowhere);
            return AssignEach {
                rows: none,
                columns: none,
                ld_from,
                ld_to,
                triangles,
                checked: null_mut(),
                right: 0,
                pad: 0,
            };
        };
        let system = sizes.system;
        AssignEach {
            rows: Extent::new(system.m, p.m),
            columns: Extent::new(system.n, p.n),
            ld_from: sizes.ld_from,
            ld_to: system.ldb,
            triangles: system.lda,
            checked: sizes.checked,
            right: (sizes.side == Side::Right).into(),
            pad: 0,
        }
    }
}

impl From<&Assign> for AssignArgs {
    fn from(p: &Assign) -> Self {
        let (from, ld_from, constants) = match p.source {
            Source::Matrices(from, ld) => (from.into(), ld, None),
            Source::Constants { off, on } => (DeviceOperand::NONE, 0, Some([off.re, off.im, on.re, on.im])),
        };
        let part = match p.part {
            Part::Full => 0,
            Part::Upper => 1,
            Part::Lower => 2,
        };
        let (to, ld_to, batch, rows, columns) = (p.to.into(), p.ld, p.batch, p.m, p.n);
        let (constant, constants) = (constants.is_some().into(), constants.unwrap_or_default());
        let each = p.into();
        AssignArgs { from, to, ld_from, ld_to, batch, rows, columns, constants, part, constant, each }
    }
}
