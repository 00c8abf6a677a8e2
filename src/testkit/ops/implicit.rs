//! QR with an implicit Q, and that Q applied.

use super::{Access, Form, Prepared, Side, Trans, beside, each, entry, holding, no_such_form, vectors};
use crate::guarded::{Guarded, Placement};
use crate::library::symbol_name;
use crate::qr::Session;
use crate::{Matrix, Result, Scalar};
use std::ffi::{c_int, c_void};

type Raw = *mut c_void;

/// Forms of geqr and gemqr, which have no arrays of pointers.
pub const FORMS: [Form; 2] = [Form::Strided, Form::One];

/// Elements of T for an m x n matrix.
pub fn tsize<T: Scalar>(session: &Session, m: usize, n: usize) -> Result<usize> {
    type Query = unsafe extern "C" fn(i64, i64, *mut i64) -> c_int;
    let mut elements = i64::MAX;
    // SAFETY, here and below: the types are those of the headers; memory is allocated for the sizes given.
    let code = unsafe { entry::<T, Query>(session, "tephra_?geqr_tsize")?(m as i64, n as i64, &mut elements) };
    session.library().status(&symbol_name("tephra_?geqr_tsize", T::DTYPE), code)?;
    Ok(elements as usize)
}

/// `tephra_?geqr`: written are A and T, the latter as vectors.
pub fn geqr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Strided = unsafe extern "C" fn(i64, i64, Raw, i64, i64, Raw, i64, i64, i64, Raw) -> c_int;
    type One = unsafe extern "C" fn(i64, i64, Raw, i64, Raw, i64, Raw) -> c_int;
    let elements = tsize::<T>(session, a[0].rows(), a[0].cols())?;
    let (m, n, batch, tsize) = (a[0].rows() as i64, a[0].cols() as i64, a.len() as i64, elements as i64);
    let (stream, lib) = (session.stream(), session.library());
    let t = Guarded::<T>::new(lib, elements, 1, a.len(), &vectors(place))?;
    let operands = vec![(holding(session, a, place)?, Access::Written), (t, Access::Written)];
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?geqr_strided_batched")?;
                Box::new(move |o, _| {
                    let (a, t) = (&o[0], &o[1]);
                    let code = f(m, n, a.base(), a.ld(), a.stride(), t.base(), tsize, t.stride(), batch, stream);
                    lib.status("tephra_geqr_strided_batched", code)
                })
            }
            Form::One => {
                let f: One = entry::<T, _>(session, "tephra_?geqr")?;
                Box::new(move |o, _| {
                    let mut members = each(&o[0]).zip(each(&o[1]));
                    members.try_for_each(|(a, t)| lib.status("tephra_geqr", f(m, n, a, o[0].ld(), t, tsize, stream)))
                })
            }
            other => return no_such_form("geqr", other),
        }
    };
    Prepared::new(session, a.len(), operands, issue)
}

/// `tephra_?gemqr`: op(Q) C or C op(Q), Q as [`geqr`] left it in `a` and `t`.
pub fn gemqr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    (side, trans): (Side, Trans),
    a: &[Matrix<T>],
    t: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
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
    type One = unsafe extern "C" fn(c_int, c_int, i64, i64, i64, Raw, i64, Raw, i64, Raw, i64, Raw) -> c_int;
    let (m, n, batch, tsize) = (c[0].rows() as i64, c[0].cols() as i64, c.len() as i64, t[0].rows() as i64);
    let k = a[0].rows().min(a[0].cols()) as i64;
    let (stream, lib) = (session.stream(), session.library());
    let (side, trans) = (side.cblas(), trans.cblas());
    let operands = vec![
        (holding(session, a, place)?, Access::Read),
        (holding(session, t, &vectors(place))?, Access::Read),
        (holding(session, c, &beside(place, 0xc0))?, Access::Written),
    ];
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?gemqr_strided_batched")?;
                Box::new(move |o, _| {
                    let [a, t, c] = [&o[0], &o[1], &o[2]];
                    let [pa, pt, pc] = [a.base(), t.base(), c.base()];
                    let [sa, st, sc] = [a.stride(), t.stride(), c.stride()];
                    let code = f(side, trans, m, n, k, pa, a.ld(), sa, pt, tsize, st, pc, c.ld(), sc, batch, stream);
                    lib.status("tephra_gemqr_strided_batched", code)
                })
            }
            Form::One => {
                let f: One = entry::<T, _>(session, "tephra_?gemqr")?;
                Box::new(move |o, _| {
                    let (lda, ldc) = (o[0].ld(), o[2].ld());
                    let mut members = each(&o[0]).zip(each(&o[1])).zip(each(&o[2]));
                    members.try_for_each(|((a, t), c)| {
                        lib.status("tephra_gemqr", f(side, trans, m, n, k, a, lda, t, tsize, c, ldc, stream))
                    })
                })
            }
            other => return no_such_form("gemqr", other),
        }
    };
    Prepared::new(session, c.len(), operands, issue)
}
