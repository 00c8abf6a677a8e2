//! Calls that solve: least squares, triangular systems.

use super::{
    Access, Diag, Form, Pointers, Prepared, Side, Trans, Uplo, beside, cublas_status, each, entry, holding,
    magma_status, no_such_form, place_of, workspace,
};
use crate::guarded::Placement;
use crate::memory::Memory;
use crate::qr::Session;
use crate::{C32, C64, Dtype, Matrix, Result, Scalar, library};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

/// Forms of gels; cuBLAS's is for trans N and m >= n.
pub const GELS_FORMS: [Form; 5] = [Form::Pointers, Form::Strided, Form::One, Form::Cublas, Form::Magma];
/// Forms of trsm.
pub const TRSM_FORMS: [Form; 6] =
    [Form::Pointers, Form::Strided, Form::Cublas, Form::CublasDevice, Form::Cublas64, Form::Magma];

/// `?gels`: written are A (its factors) and B (the solutions); codes are in info.
pub fn gels<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    trans: Trans,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = library::Gels;
    type Query = library::GelsWorkspace;
    type Strided = unsafe extern "C" fn(
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
        *mut c_int,
        i64,
        Raw,
        usize,
        Raw,
    ) -> c_int;
    type StridedQuery = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    type OneQuery = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    type One = unsafe extern "C" fn(c_int, i64, i64, i64, Raw, i64, Raw, i64, *mut c_int, Raw, usize, Raw) -> c_int;
    type Cublas = unsafe extern "C" fn(
        Raw,
        c_int,
        c_int,
        c_int,
        c_int,
        Pointers,
        c_int,
        Pointers,
        c_int,
        *mut c_int,
        *mut c_int,
        c_int,
    ) -> c_int;
    type Magma = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        Pointers,
        c_int,
        Pointers,
        c_int,
        Raw,
        c_int,
        *mut c_int,
        c_int,
        Raw,
    ) -> c_int;
    let (m, n, nrhs, batch) = (a[0].rows() as i64, a[0].cols() as i64, b[0].cols() as i64, a.len() as i64);
    let [m32, n32, nrhs32, batch32] = [m, n, nrhs, batch].map(|x| x as c_int);
    let (stream, lib) = (session.stream(), session.library());
    let operands = vec![
        (holding(session, a, place)?, Access::Written),
        (holding(session, b, &beside(place, 0xb0))?, Access::Written),
    ];
    let (lda, ldb) = (operands[0].0.ld(), operands[1].0.ld());
    let mut bytes = usize::MAX;
    // SAFETY, here and below: the types are those of the headers; memory is allocated for the sizes given.
    let issue: super::Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let query: Query = entry::<T, _>(session, "tephra_?gels_batched_workspace")?;
                let code = query(trans.cblas(), m, n, nrhs, lda, ldb, batch, &mut bytes);
                lib.status("tephra_gels_batched_workspace", code)?;
                let f: Native = entry::<T, _>(session, "tephra_?gels_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, info| {
                    let (a, b, (work, bytes)) = (o[0].pointers(), o[1].pointers(), place_of(&work));
                    let code = f(trans.cblas(), m, n, nrhs, a, lda, b, ldb, info, batch, work, bytes, stream);
                    lib.status("tephra_gels_batched", code)
                })
            }
            Form::Strided => {
                let (sa, sb) = (operands[0].0.stride(), operands[1].0.stride());
                let query: StridedQuery = entry::<T, _>(session, "tephra_?gels_strided_batched_workspace")?;
                let code = query(trans.cblas(), m, n, nrhs, lda, sa, ldb, sb, batch, &mut bytes);
                lib.status("tephra_gels_strided_batched_workspace", code)?;
                let f: Strided = entry::<T, _>(session, "tephra_?gels_strided_batched")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, info| {
                    let (a, b, (work, bytes)) = (o[0].base(), o[1].base(), place_of(&work));
                    let code = f(trans.cblas(), m, n, nrhs, a, lda, sa, b, ldb, sb, info, batch, work, bytes, stream);
                    lib.status("tephra_gels_strided_batched", code)
                })
            }
            Form::One => {
                let query: OneQuery = entry::<T, _>(session, "tephra_?gels_workspace")?;
                let code = query(trans.cblas(), m, n, nrhs, lda, ldb, &mut bytes);
                lib.status("tephra_gels_workspace", code)?;
                let f: One = entry::<T, _>(session, "tephra_?gels")?;
                let work = workspace(session, bytes)?;
                Box::new(move |o, info| {
                    let mut members = each(&o[0]).zip(each(&o[1])).enumerate();
                    members.try_for_each(|(i, (a, b))| {
                        let (info, (work, bytes)) = (info.wrapping_add(i), place_of(&work));
                        let code = f(trans.cblas(), m, n, nrhs, a, lda, b, ldb, info, work, bytes, stream);
                        lib.status("tephra_gels", code)
                    })
                })
            }
            Form::Cublas => {
                let f: Cublas = entry::<T, _>(session, "cublas?gelsBatched")?;
                Box::new(move |o, dev_info| {
                    let (a, b, handle, mut info) = (o[0].pointers(), o[1].pointers(), session.handle()?.raw(), 77);
                    let (lda, ldb) = (lda as c_int, ldb as c_int);
                    let trans = trans.cublas();
                    let code = f(handle, trans, m32, n32, nrhs32, a, lda, b, ldb, &mut info, dev_info, batch32);
                    cublas_status("cublas?gelsBatched", code, info)
                })
            }
            Form::Magma => {
                let f: Magma = entry::<T, _>(session, "magma_?gels_batched")?;
                Box::new(move |o, info| {
                    let (a, b, queue) = (o[0].pointers(), o[1].pointers(), session.queue()?.raw());
                    let (lda, ldb) = (lda as c_int, ldb as c_int);
                    let trans = trans.cblas();
                    let code = f(trans, m32, n32, nrhs32, a, lda, b, ldb, null_mut(), 0, info, batch32, queue);
                    magma_status("magma_gels_batched", code)
                })
            }
            other => return no_such_form("gels", other),
        }
    };
    Prepared::new(session, a.len(), operands, issue)
}

/// What trsm is told beside its operands.
#[derive(Clone, Copy, Debug)]
pub struct Triangular {
    /// Side of A.
    pub side: Side,
    /// Its triangle.
    pub uplo: Uplo,
    /// Its transposition.
    pub trans: Trans,
    /// Its diagonal.
    pub diag: Diag,
}

impl Triangular {
    /// Every combination.
    pub fn all() -> impl Iterator<Item = Triangular> {
        let sides = Side::ALL.iter().flat_map(|&side| Uplo::ALL.iter().map(move |&uplo| (side, uplo)));
        let flags = Trans::ALL.iter().flat_map(|&trans| Diag::ALL.iter().map(move |&diag| (trans, diag)));
        sides.flat_map(move |(side, uplo)| {
            flags.clone().map(move |(trans, diag)| Triangular { side, uplo, trans, diag })
        })
    }
}

/// `?trsm`: written is B.
pub fn trsm<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    how: Triangular,
    alpha: T,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let operands = vec![
        (holding(session, a, place)?, Access::Read),
        (holding(session, b, &beside(place, 0xb0))?, Access::Written),
    ];
    let sizes = [b[0].rows() as i64, b[0].cols() as i64, operands[0].0.ld(), operands[1].0.ld(), b.len() as i64];
    let issue: super::Issue<'a, T> = match form {
        Form::Pointers => trsm_native(session, how, alpha, sizes)?,
        Form::Strided => trsm_strided(session, how, alpha, sizes)?,
        Form::Cublas => trsm_cublas::<T, c_int>(session, "cublas?trsmBatched", how, Alpha::Host(alpha), sizes)?,
        Form::Cublas64 => trsm_cublas::<T, i64>(session, "cublas?trsmBatched_64", how, Alpha::Host(alpha), sizes)?,
        Form::CublasDevice => {
            let alpha = Alpha::Device(Memory::from_slice(session.library(), &[alpha])?);
            trsm_cublas::<T, c_int>(session, "cublas?trsmBatched", how, alpha, sizes)?
        }
        Form::Magma => trsm_magma(session, how, alpha, sizes)?,
        Form::One => return no_such_form("trsm", form),
    };
    Prepared::new(session, b.len(), operands, issue)
}

fn trsm_native<'a, T: Scalar>(
    session: &'a Session,
    how: Triangular,
    alpha: T,
    [m, n, lda, ldb, batch]: [i64; 5],
) -> Result<super::Issue<'a, T>> {
    type Native = library::Trsm;
    let f: Native = unsafe { entry::<T, _>(session, "tephra_?trsm_batched")? };
    let Triangular { side, uplo, trans, diag } = how;
    Ok(Box::new(move |o, _| {
        let (a, b, alpha) = (o[0].pointers(), o[1].pointers(), (&raw const alpha).cast());
        let [side, uplo, trans, diag] = [side.cblas(), uplo.cblas(), trans.cblas(), diag.cblas()];
        let code = unsafe { f(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, session.stream()) };
        session.library().status("tephra_trsm_batched", code)
    }))
}

fn trsm_strided<'a, T: Scalar>(
    session: &'a Session,
    how: Triangular,
    alpha: T,
    [m, n, lda, ldb, batch]: [i64; 5],
) -> Result<super::Issue<'a, T>> {
    type Strided = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        i64,
        i64,
        *const c_void,
        Raw,
        i64,
        i64,
        Raw,
        i64,
        i64,
        i64,
        Raw,
    ) -> c_int;
    let f: Strided = unsafe { entry::<T, _>(session, "tephra_?trsm_strided_batched")? };
    let Triangular { side, uplo, trans, diag } = how;
    Ok(Box::new(move |o, _| {
        let (a, b, alpha) = (o[0].base(), o[1].base(), (&raw const alpha).cast());
        let (sa, sb) = (o[0].stride(), o[1].stride());
        let [side, uplo, trans, diag] = [side.cblas(), uplo.cblas(), trans.cblas(), diag.cblas()];
        let stream = session.stream();
        let code = unsafe { f(side, uplo, trans, diag, m, n, alpha, a, lda, sa, b, ldb, sb, batch, stream) };
        session.library().status("tephra_trsm_strided_batched", code)
    }))
}

enum Alpha<T> {
    Host(T),
    Device(Memory),
}

/// cuBLAS's integers: `int`, or `int64_t` in the names ending in `_64`.
trait Size: Copy + 'static {
    fn of(value: i64) -> Self;
}
impl Size for c_int {
    fn of(value: i64) -> Self {
        value as c_int
    }
}
impl Size for i64 {
    fn of(value: i64) -> Self {
        value
    }
}

fn trsm_cublas<'a, T: Scalar, S: Size>(
    session: &'a Session,
    name: &'static str,
    how: Triangular,
    alpha: Alpha<T>,
    sizes: [i64; 5],
) -> Result<super::Issue<'a, T>> {
    type Cublas<S> = unsafe extern "C" fn(
        Raw,
        c_int,
        c_int,
        c_int,
        c_int,
        S,
        S,
        *const c_void,
        Pointers,
        S,
        Pointers,
        S,
        S,
    ) -> c_int;
    let f: Cublas<S> = unsafe { entry::<T, _>(session, name)? };
    let set_mode: unsafe extern "C" fn(Raw, c_int) -> c_int =
        unsafe { session.library().symbol("cublasSetPointerMode_v2")? };
    let [m, n, lda, ldb, batch] = sizes.map(S::of);
    let [side, uplo, trans, diag] = [how.side.cublas(), how.uplo.cublas(), how.trans.cublas(), how.diag.cublas()];
    Ok(Box::new(move |o, _| {
        let (a, b, handle) = (o[0].pointers(), o[1].pointers(), session.handle()?.raw());
        let (place, mode) = match &alpha {
            Alpha::Host(alpha) => ((alpha as *const T).cast(), 0),
            Alpha::Device(memory) => (memory.pointer().cast_const(), 1),
        };
        let code = unsafe {
            set_mode(handle, mode);
            let code = f(handle, side, uplo, trans, diag, m, n, place, a, lda, b, ldb, batch);
            set_mode(handle, 0);
            code
        };
        cublas_status(name, code, 0)
    }))
}

fn trsm_magma<'a, T: Scalar>(
    session: &'a Session,
    how: Triangular,
    alpha: T,
    [m, n, lda, ldb, batch]: [i64; 5],
) -> Result<super::Issue<'a, T>> {
    type Magma<A> =
        unsafe extern "C" fn(c_int, c_int, c_int, c_int, c_int, c_int, A, Pointers, c_int, Pointers, c_int, c_int, Raw);
    let [m, n, lda, ldb, batch] = [m, n, lda, ldb, batch].map(|x| x as c_int);
    let [side, uplo, trans, diag] = [how.side.cblas(), how.uplo.cblas(), how.trans.cblas(), how.diag.cblas()];
    // The scalar is passed by value, so each type has its own prototype.
    macro_rules! by_value {
        ($ty:ty) => {{
            let f: Magma<$ty> = unsafe { entry::<T, _>(session, "magmablas_?trsm_batched")? };
            // SAFETY: T is this type.
            let alpha: $ty = unsafe { std::mem::transmute_copy(&alpha) };
            Box::new(move |o: &[crate::guarded::Guarded<T>], _: *mut c_int| {
                let (a, b, queue) = (o[0].pointers(), o[1].pointers(), session.queue()?.raw());
                unsafe { f(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, queue) };
                Ok(())
            })
        }};
    }
    Ok(match T::DTYPE {
        Dtype::S => by_value!(f32),
        Dtype::D => by_value!(f64),
        Dtype::C => by_value!(C32),
        Dtype::Z => by_value!(C64),
    })
}
