//! Calls that make and apply block reflectors.

use super::{Access, Form, Pointers, Prepared, Side, Trans, beside, entry, holding, no_such_form, vectors};
use crate::guarded::{Guarded, Placement};
use crate::qr::Session;
use crate::{Matrix, Result, Scalar};
use std::ffi::{c_int, c_void};

type Raw = *mut c_void;

/// Forms of both.
pub const FORMS: [Form; 2] = [Form::Pointers, Form::Strided];

/// `tephra_?larft`: T of the reflectors in `v` (m x k).
pub fn larft<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    v: &[Matrix<T>],
    tau: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = unsafe extern "C" fn(i64, i64, Pointers, i64, Pointers, Pointers, i64, i64, Raw) -> c_int;
    type Strided = unsafe extern "C" fn(i64, i64, Raw, i64, i64, Raw, i64, Raw, i64, i64, i64, Raw) -> c_int;
    let (m, k, batch) = (v[0].rows() as i64, v[0].cols() as i64, v.len() as i64);
    let (stream, lib) = (session.stream(), session.library());
    let operands = vec![
        (holding(session, v, place)?, Access::Read),
        (holding(session, tau, &vectors(place))?, Access::Read),
        (Guarded::new(lib, k as usize, k as usize, v.len(), &beside(place, 0x7))?, Access::Written),
    ];
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let f: Native = entry::<T, _>(session, "tephra_?larft_batched")?;
                Box::new(move |o, _| {
                    let (v, tau, t) = (&o[0], &o[1], &o[2]);
                    let code = f(m, k, v.pointers(), v.ld(), tau.pointers(), t.pointers(), t.ld(), batch, stream);
                    lib.status("tephra_larft_batched", code)
                })
            }
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?larft_strided_batched")?;
                Box::new(move |o, _| {
                    let (v, tau, t) = (&o[0], &o[1], &o[2]);
                    let (sv, stau, st) = (v.stride(), tau.stride(), t.stride());
                    let code = f(m, k, v.base(), v.ld(), sv, tau.base(), stau, t.base(), t.ld(), st, batch, stream);
                    lib.status("tephra_larft_strided_batched", code)
                })
            }
            other => return no_such_form("larft", other),
        }
    };
    Prepared::new(session, v.len(), operands, issue)
}

/// `tephra_?larfb`: op(H) C or C op(H), H of the reflectors in `v` (order x k) and `t` of [`larft`].
pub fn larfb<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    (side, trans): (Side, Trans),
    v: &[Matrix<T>],
    t: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = unsafe extern "C" fn(
        c_int,
        c_int,
        i64,
        i64,
        i64,
        Pointers,
        i64,
        Pointers,
        i64,
        Pointers,
        i64,
        i64,
        Raw,
    ) -> c_int;
    type Strided = unsafe extern "C" fn(
        c_int,
        c_int,
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
        i64,
        Raw,
    ) -> c_int;
    let (m, n, k) = (c[0].rows() as i64, c[0].cols() as i64, v[0].cols() as i64);
    let (batch, stream, lib) = (c.len() as i64, session.stream(), session.library());
    let (side, trans) = (side.cblas(), trans.cblas());
    let operands = vec![
        (holding(session, v, place)?, Access::Read),
        (holding(session, t, &beside(place, 0x7))?, Access::Read),
        (holding(session, c, &beside(place, 0xc0))?, Access::Written),
    ];
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let f: Native = entry::<T, _>(session, "tephra_?larfb_batched")?;
                Box::new(move |o, _| {
                    let (pv, pt, pc) = (o[0].pointers(), o[1].pointers(), o[2].pointers());
                    let (ldv, ldt, ldc) = (o[0].ld(), o[1].ld(), o[2].ld());
                    let code = f(side, trans, m, n, k, pv, ldv, pt, ldt, pc, ldc, batch, stream);
                    lib.status("tephra_larfb_batched", code)
                })
            }
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?larfb_strided_batched")?;
                Box::new(move |o, _| {
                    let (v, t, c) = (o[0].base(), o[1].base(), o[2].base());
                    let (ldv, ldt, ldc) = (o[0].ld(), o[1].ld(), o[2].ld());
                    let (sv, st, sc) = (o[0].stride(), o[1].stride(), o[2].stride());
                    let code = f(side, trans, m, n, k, v, ldv, sv, t, ldt, st, c, ldc, sc, batch, stream);
                    lib.status("tephra_larfb_strided_batched", code)
                })
            }
            other => return no_such_form("larfb", other),
        }
    };
    Prepared::new(session, c.len(), operands, issue)
}
