//! The call of least squares by iteration.

use super::{Access, Form, Pointers, Prepared, beside, each, entry, holding, no_such_form, place_of, workspace};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::{Matrix, Result, Scalar};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

/// Forms of gels_iterative.
pub const FORMS: [Form; 3] = [Form::Pointers, Form::Strided, Form::One];

/// `?gels_iterative` in the usual way: written is X, the third operand; codes are in info.
pub fn gels_iterative<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Query = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    type StridedQuery = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    type OneQuery = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    type Native = unsafe extern "C" fn(
        i64,
        i64,
        i64,
        Pointers,
        i64,
        Pointers,
        i64,
        Pointers,
        i64,
        f64,
        i64,
        *mut c_int,
        Raw,
        *mut c_int,
        i64,
        Raw,
        usize,
        Raw,
    ) -> c_int;
    type Strided = unsafe extern "C" fn(
        i64,
        i64,
        i64,
        Raw,
        i64,
        i64,
        Raw,
        i64,
        i64,
        Raw,
        i64,
        i64,
        f64,
        i64,
        *mut c_int,
        Raw,
        *mut c_int,
        i64,
        Raw,
        usize,
        Raw,
    ) -> c_int;
    type One = unsafe extern "C" fn(
        i64,
        i64,
        i64,
        Raw,
        i64,
        Raw,
        i64,
        Raw,
        i64,
        f64,
        i64,
        *mut c_int,
        Raw,
        *mut c_int,
        Raw,
        usize,
        Raw,
    ) -> c_int;
    let (m, n, nrhs, batch) = (a[0].rows() as i64, a[0].cols() as i64, b[0].cols() as i64, a.len() as i64);
    let x: Vec<Matrix<T>> = a.iter().map(|a| Matrix::from_fn(a.cols(), nrhs as usize, |_, _| T::POISON)).collect();
    let (stream, lib) = (session.stream(), session.library());
    let operands = vec![
        (holding(session, a, place)?, Access::Read),
        (holding(session, b, &beside(place, 0xb0))?, Access::Read),
        (holding(session, &x, &beside(place, 0xc0))?, Access::Written),
    ];
    let [lda, ldb, ldx] = [0, 1, 2].map(|i| operands[i].0.ld());
    let [sa, sb, sx] = [0, 1, 2].map(|i| operands[i].0.stride());
    let mut bytes = usize::MAX;
    // SAFETY: the types are those of the header; memory is allocated for the sizes given.
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let query: Query = entry::<T, _>(session, "tephra_?gels_iterative_batched_workspace")?;
                let code = query(m, n, nrhs, lda, ldb, ldx, batch, &mut bytes);
                lib.status("tephra_gels_iterative_batched_workspace", code)?;
                let f: Native = entry::<T, _>(session, "tephra_?gels_iterative_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, info| {
                    let ([a, b, x], none) = ([0, 1, 2].map(|i| o[i].pointers()), (null_mut(), null_mut()));
                    let (work, bytes) = place_of(&work);
                    let code =
                        f(m, n, nrhs, a, lda, b, ldb, x, ldx, 0.0, 0, none.0, none.1, info, batch, work, bytes, stream);
                    lib.status("tephra_gels_iterative_batched", code)
                })
            }
            Form::Strided => {
                let query: StridedQuery = entry::<T, _>(session, "tephra_?gels_iterative_strided_batched_workspace")?;
                let code = query(m, n, nrhs, lda, sa, ldb, sb, ldx, sx, batch, &mut bytes);
                lib.status("tephra_gels_iterative_strided_batched_workspace", code)?;
                let f: Strided = entry::<T, _>(session, "tephra_?gels_iterative_strided_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, info| {
                    let ([a, b, x], none) = ([0, 1, 2].map(|i| o[i].base()), (null_mut(), null_mut()));
                    let (work, bytes) = place_of(&work);
                    let code = f(
                        m, n, nrhs, a, lda, sa, b, ldb, sb, x, ldx, sx, 0.0, 0, none.0, none.1, info, batch, work,
                        bytes, stream,
                    );
                    lib.status("tephra_gels_iterative_strided_batched", code)
                })
            }
            Form::One => {
                let query: OneQuery = entry::<T, _>(session, "tephra_?gels_iterative_workspace")?;
                lib.status("tephra_gels_iterative_workspace", query(m, n, nrhs, lda, ldb, ldx, &mut bytes))?;
                let f: One = entry::<T, _>(session, "tephra_?gels_iterative")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, info| {
                    let mut members = each(&o[0]).zip(each(&o[1])).zip(each(&o[2])).enumerate();
                    members.try_for_each(|(i, ((a, b), x))| {
                        let (none, info, (work, bytes)) =
                            ((null_mut(), null_mut()), info.wrapping_add(i), place_of(&work));
                        let code =
                            f(m, n, nrhs, a, lda, b, ldb, x, ldx, 0.0, 0, none.0, none.1, info, work, bytes, stream);
                        lib.status("tephra_gels_iterative", code)
                    })
                })
            }
            other => return no_such_form("gels_iterative", other),
        }
    };
    Prepared::new(session, a.len(), operands, issue)
}
