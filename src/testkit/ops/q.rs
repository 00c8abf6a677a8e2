//! Calls that make Q, apply it, or give it with R or in reflectors with L.

use super::{
    Access, Form, Pointers, Prepared, Side, Trans, beside, each, entry, holding, magma_status, no_such_form, place_of,
    vectors, workspace,
};
use crate::guarded::{Guarded, Placement};
use crate::matrices::Class;
use crate::qr::Session;
use crate::{Matrix, Result, Rng, Scalar, householder, library};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

/// Forms of ormqr and of orgqr.
pub const FORMS: [Form; 4] = [Form::Pointers, Form::Strided, Form::One, Form::Magma];
/// Forms of qr and gelqf.
pub const NATIVE_FORMS: [Form; 2] = [Form::Pointers, Form::Strided];

/// `?orgqr`: the first `n` columns of Q from the reflectors in the first tau.rows() columns of m x n matrices.
pub fn orgqr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    factors: &[Matrix<T>],
    tau: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = library::Orgqr;
    type Strided = unsafe extern "C" fn(i64, i64, i64, Raw, i64, i64, Raw, i64, i64, Raw) -> c_int;
    type One = unsafe extern "C" fn(i64, i64, i64, Raw, i64, Raw, Raw) -> c_int;
    type Magma = unsafe extern "C" fn(c_int, c_int, c_int, Pointers, c_int, Pointers, *mut c_int, c_int, Raw) -> c_int;
    let (m, n, k) = (factors[0].rows() as i64, factors[0].cols() as i64, tau[0].rows() as i64);
    let (batch, stream, lib) = (factors.len() as i64, session.stream(), session.library());
    let operands = vec![
        (holding(session, factors, place)?, Access::Written),
        (holding(session, tau, &vectors(place))?, Access::Read),
    ];
    // SAFETY, here and below: the types are those of the headers; memory is allocated for the sizes given.
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let f: Native = entry::<T, _>(session, "tephra_?orgqr_batched")?;
                Box::new(move |o, _| {
                    let code = f(m, n, k, o[0].pointers(), o[0].ld(), o[1].pointers(), batch, stream);
                    lib.status("tephra_orgqr_batched", code)
                })
            }
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?orgqr_strided_batched")?;
                Box::new(move |o, _| {
                    let (a, tau) = (&o[0], &o[1]);
                    let code = f(m, n, k, a.base(), a.ld(), a.stride(), tau.base(), tau.stride(), batch, stream);
                    lib.status("tephra_orgqr_strided_batched", code)
                })
            }
            Form::One => {
                let f: One = entry::<T, _>(session, "tephra_?orgqr")?;
                Box::new(move |o, _| {
                    let mut members = each(&o[0]).zip(each(&o[1]));
                    members.try_for_each(|(a, tau)| lib.status("tephra_orgqr", f(m, n, k, a, o[0].ld(), tau, stream)))
                })
            }
            Form::Magma => {
                let f: Magma = entry::<T, _>(session, "magma_?orgqr_batched")?;
                let [m, n, k, batch] = [m, n, k, batch].map(|x| x as c_int);
                Box::new(move |o, info| {
                    let queue = session.queue()?.raw();
                    let code = f(m, n, k, o[0].pointers(), o[0].ld() as c_int, o[1].pointers(), info, batch, queue);
                    magma_status("magma_orgqr_batched", code)
                })
            }
            other => return no_such_form("orgqr", other),
        }
    };
    Prepared::new(session, factors.len(), operands, issue)
}

/// `?ormqr`: op(Q) C or C op(Q), Q of the reflectors in `factors` (order x k).
pub fn ormqr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    (side, trans): (Side, Trans),
    factors: &[Matrix<T>],
    tau: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = library::Ormqr;
    type Strided =
        unsafe extern "C" fn(c_int, c_int, i64, i64, i64, Raw, i64, i64, Raw, i64, Raw, i64, i64, i64, Raw) -> c_int;
    type One = unsafe extern "C" fn(c_int, c_int, i64, i64, i64, Raw, i64, Raw, Raw, i64, Raw) -> c_int;
    type Magma = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        Pointers,
        c_int,
        Pointers,
        Pointers,
        c_int,
        Raw,
        *mut i64,
        *mut c_int,
        c_int,
        Raw,
    ) -> c_int;
    let (m, n, k) = (c[0].rows() as i64, c[0].cols() as i64, tau[0].rows() as i64);
    let (batch, stream, lib) = (c.len() as i64, session.stream(), session.library());
    let (side, trans) = (side.cblas(), trans.cblas());
    let operands = vec![
        (holding(session, factors, place)?, Access::Read),
        (holding(session, tau, &vectors(place))?, Access::Read),
        (holding(session, c, &beside(place, 0xc0))?, Access::Written),
    ];
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let f: Native = entry::<T, _>(session, "tephra_?ormqr_batched")?;
                Box::new(move |o, _| {
                    let (a, tau, c) = (&o[0], &o[1], &o[2]);
                    let code = f(
                        side,
                        trans,
                        m,
                        n,
                        k,
                        a.pointers(),
                        a.ld(),
                        tau.pointers(),
                        c.pointers(),
                        c.ld(),
                        batch,
                        stream,
                    );
                    lib.status("tephra_ormqr_batched", code)
                })
            }
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?ormqr_strided_batched")?;
                Box::new(move |o, _| {
                    let (a, tau, c) = (&o[0], &o[1], &o[2]);
                    let code = f(
                        side,
                        trans,
                        m,
                        n,
                        k,
                        a.base(),
                        a.ld(),
                        a.stride(),
                        tau.base(),
                        tau.stride(),
                        c.base(),
                        c.ld(),
                        c.stride(),
                        batch,
                        stream,
                    );
                    lib.status("tephra_ormqr_strided_batched", code)
                })
            }
            Form::One => {
                let f: One = entry::<T, _>(session, "tephra_?ormqr")?;
                Box::new(move |o, _| {
                    let (lda, ldc) = (o[0].ld(), o[2].ld());
                    let mut members = each(&o[0]).zip(each(&o[1])).zip(each(&o[2]));
                    members.try_for_each(|((a, tau), c)| {
                        lib.status("tephra_ormqr", f(side, trans, m, n, k, a, lda, tau, c, ldc, stream))
                    })
                })
            }
            Form::Magma => {
                let f: Magma = entry::<T, _>(session, "magma_?ormqr_batched")?;
                let [m, n, k, batch] = [m, n, k, batch].map(|x| x as c_int);
                Box::new(move |o, info| {
                    let (a, tau, c, queue) = (&o[0], &o[1], &o[2], session.queue()?.raw());
                    let mut lwork = 0;
                    let code = f(
                        side,
                        trans,
                        m,
                        n,
                        k,
                        a.pointers(),
                        a.ld() as c_int,
                        tau.pointers(),
                        c.pointers(),
                        c.ld() as c_int,
                        null_mut(),
                        &mut lwork,
                        info,
                        batch,
                        queue,
                    );
                    magma_status("magma_ormqr_batched", code)
                })
            }
            other => return no_such_form("ormqr", other),
        }
    };
    Prepared::new(session, c.len(), operands, issue)
}

/// How much of Q is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// R only.
    None = 0,
    /// min(m, n) columns.
    Thin = 1,
    /// All.
    Full = 2,
    /// Thin, in the place of A.
    InPlace = 3,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 4] = [Part::None, Part::Thin, Part::Full, Part::InPlace];

    fn number(self) -> c_int {
        if self == Part::InPlace { Part::Thin as c_int } else { self as c_int }
    }
}

/// `tephra_?qr`: written are Q (but for [`Part::None`]) and R.
pub fn qr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    part: Part,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = library::Qr;
    type Query = library::QrWorkspace;
    type Strided = unsafe extern "C" fn(
        c_int,
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
        usize,
        Raw,
    ) -> c_int;
    type StridedQuery = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    let (rows, cols, count) = (a[0].rows(), a[0].cols(), a.len());
    let (m, n, batch) = (rows as i64, cols as i64, count as i64);
    let (stream, lib, number) = (session.stream(), session.library(), part.number());
    let k = rows.min(cols);
    let (columns, r_rows) = if part == Part::Full { (rows, rows) } else { (k, k) };
    let r = (Guarded::new(lib, r_rows, cols, count, &beside(place, 0x8))?, Access::Written);
    let mut operands = vec![(holding(session, a, place)?, Access::Read)];
    match part {
        Part::None => {}
        Part::InPlace => operands[0].1 = Access::Written,
        _ => operands.push((Guarded::new(lib, rows, columns, count, &beside(place, 0x9))?, Access::Written)),
    }
    operands.push(r);
    // Q is the second of three operands; A itself in place; of no interest without Q, where R stands in.
    let q_of = move |o: &[Guarded<T>]| if part == Part::InPlace { 0 } else { 1.min(o.len() - 1) };
    let (lda, q, r) = (operands[0].0.ld(), q_of_list(&operands, part), &operands[operands.len() - 1].0);
    let mut bytes = usize::MAX;
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let query: Query = entry::<T, _>(session, "tephra_?qr_batched_workspace")?;
                let code = query(number, m, n, lda, q.ld(), r.ld(), batch, &mut bytes);
                lib.status("tephra_qr_batched_workspace", code)?;
                let f: Native = entry::<T, _>(session, "tephra_?qr_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, _| {
                    let (a, q, r, (work, bytes)) = (&o[0], &o[q_of(o)], &o[o.len() - 1], place_of(&work));
                    let code = f(
                        number,
                        m,
                        n,
                        a.pointers(),
                        a.ld(),
                        q.pointers(),
                        q.ld(),
                        r.pointers(),
                        r.ld(),
                        batch,
                        work,
                        bytes,
                        stream,
                    );
                    lib.status("tephra_qr_batched", code)
                })
            }
            Form::Strided => {
                let query: StridedQuery = entry::<T, _>(session, "tephra_?qr_strided_batched_workspace")?;
                let (sa, sq, sr) = (operands[0].0.stride(), q.stride(), r.stride());
                let code = query(number, m, n, lda, sa, q.ld(), sq, r.ld(), sr, batch, &mut bytes);
                lib.status("tephra_qr_strided_batched_workspace", code)?;
                let f: Strided = entry::<T, _>(session, "tephra_?qr_strided_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, _| {
                    let (a, q, r, (work, bytes)) = (&o[0], &o[q_of(o)], &o[o.len() - 1], place_of(&work));
                    let code = f(
                        number,
                        m,
                        n,
                        a.base(),
                        a.ld(),
                        a.stride(),
                        q.base(),
                        q.ld(),
                        q.stride(),
                        r.base(),
                        r.ld(),
                        r.stride(),
                        batch,
                        work,
                        bytes,
                        stream,
                    );
                    lib.status("tephra_qr_strided_batched", code)
                })
            }
            other => return no_such_form("qr", other),
        }
    };
    Prepared::new(session, count, operands, issue)
}

/// `tephra_?gelqf`: written are A and tau.
pub fn gelqf<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Query = unsafe extern "C" fn(i64, i64, i64, i64, *mut usize) -> c_int;
    type StridedQuery = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    let (rows, cols, count) = (a[0].rows(), a[0].cols(), a.len());
    let (m, n, batch) = (rows as i64, cols as i64, count as i64);
    let (stream, lib) = (session.stream(), session.library());
    let tau = Guarded::<T>::new(lib, rows.min(cols), 1, count, &vectors(place))?;
    let operands = vec![(holding(session, a, place)?, Access::Written), (tau, Access::Written)];
    let lda = operands[0].0.ld();
    let mut bytes = usize::MAX;
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let query: Query = entry::<T, _>(session, "tephra_?gelqf_batched_workspace")?;
                lib.status("tephra_gelqf_batched_workspace", query(m, n, lda, batch, &mut bytes))?;
                let f: library::GeqrfPointers = entry::<T, _>(session, "tephra_?gelqf_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, _| {
                    let (a, tau, (work, bytes)) = (&o[0], &o[1], place_of(&work));
                    let code = f(m, n, a.pointers(), a.ld(), tau.pointers(), batch, work, bytes, stream);
                    lib.status("tephra_gelqf_batched", code)
                })
            }
            Form::Strided => {
                let query: StridedQuery = entry::<T, _>(session, "tephra_?gelqf_strided_batched_workspace")?;
                let (sa, st) = (operands[0].0.stride(), operands[1].0.stride());
                lib.status("tephra_gelqf_strided_batched_workspace", query(m, n, lda, sa, st, batch, &mut bytes))?;
                let f: library::GeqrfStrided = entry::<T, _>(session, "tephra_?gelqf_strided_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, _| {
                    let (a, tau, (work, bytes)) = (&o[0], &o[1], place_of(&work));
                    let code = f(m, n, a.base(), a.ld(), sa, tau.base(), st, batch, work, bytes, stream);
                    lib.status("tephra_gelqf_strided_batched", code)
                })
            }
            other => return no_such_form("gelqf", other),
        }
    };
    Prepared::new(session, count, operands, issue)
}

fn q_of_list<T>(operands: &[(Guarded<T>, Access)], part: Part) -> &Guarded<T> {
    &operands[if part == Part::InPlace { 0 } else { 1.min(operands.len() - 1) }].0
}

/// Reflectors of seeded random m x k matrices, by the host reference: (factors, tau as k x 1 matrices).
pub fn reflectors<T: Scalar>(m: usize, k: usize, batch: usize, seed: u64) -> (Vec<Matrix<T>>, Vec<Matrix<T>>) {
    let mut rng = Rng::new(seed);
    let one = |_| {
        let mut wide = Class::Uniform.generate::<T>(m, k, &mut rng).wide();
        let tau = householder::factor(&mut wide);
        (Matrix::narrow(&wide), Matrix::from_fn(tau.len(), 1, |i, _| T::narrow(tau[i])))
    };
    (0..batch).map(one).unzip()
}

/// Seeded random matrices of a class.
pub fn random<T: Scalar>(class: Class, m: usize, n: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    let mut rng = Rng::new(seed);
    (0..batch).map(|_| class.generate(m, n, &mut rng)).collect()
}
