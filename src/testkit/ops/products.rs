//! Calls of products: of matrices, and of matrices with vectors; their residuals.

use super::measure::transposed;
use super::{Access, Form, Issue, Pointers, Prepared, Trans, beside, cublas_status, entry, holding, no_such_form};
use crate::guarded::{Guarded, Placement};
use crate::memory::Memory;
use crate::qr::Session;
use crate::scalar::{Field, worst};
use crate::twice::Parts;
use crate::{C32, C64, Dtype, Matrix, Result, Scalar};
use std::ffi::{c_int, c_void};

type Raw = *mut c_void;

/// Forms of the products.
pub const PRODUCT_FORMS: [Form; 6] =
    [Form::Pointers, Form::Strided, Form::Cublas, Form::CublasDevice, Form::Cublas64, Form::Magma];

/// The factors of a call: at their places in the library's memory or in ours.
enum Factors<T> {
    Host([T; 2]),
    Device(Memory),
}

impl<T: Scalar> Factors<T> {
    fn of(session: &Session, form: Form, factors: [T; 2]) -> Result<Self> {
        Ok(match form {
            Form::CublasDevice => Factors::Device(Memory::from_slice(session.library(), &factors)?),
            _ => Factors::Host(factors),
        })
    }
    fn places(&self) -> [*const c_void; 2] {
        let first: *const T = match self {
            Factors::Host(factors) => factors.as_ptr(),
            Factors::Device(memory) => memory.pointer().cast_const().cast(),
        };
        [first.cast(), first.wrapping_add(1).cast()]
    }
    /// Calls with the handle in the pointer mode.
    fn call(&self, session: &Session, name: &str, call: impl FnOnce(Raw) -> c_int) -> Result<()> {
        let handle = session.handle()?.raw();
        // SAFETY: cuBLAS's prototype.
        unsafe {
            let set: unsafe extern "C" fn(Raw, c_int) -> c_int = session.library().symbol("cublasSetPointerMode_v2")?;
            set(handle, matches!(self, Factors::Device(_)).into());
            let code = call(handle);
            set(handle, 0);
            cublas_status(name, code, 0)
        }
    }
}

/// The scalars' own types, where they are passed by value: `with!(T => expression)`.
macro_rules! by_value {
    ($dtype:expr, $T:ident => $value:expr) => {
        match $dtype {
            Dtype::S => {
                type $T = f32;
                $value
            }
            Dtype::D => {
                type $T = f64;
                $value
            }
            Dtype::C => {
                type $T = C32;
                $value
            }
            Dtype::Z => {
                type $T = C64;
                $value
            }
        }
    };
}

/// `?gemm`: written is C.
pub fn gemm<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    trans: [Trans; 2],
    k: usize,
    factors: [T; 2],
    operands: [&[Matrix<T>]; 3],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = unsafe extern "C" fn(
        c_int,
        c_int,
        i64,
        i64,
        i64,
        *const c_void,
        Pointers,
        i64,
        Pointers,
        i64,
        *const c_void,
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
        *const c_void,
        Raw,
        i64,
        i64,
        Raw,
        i64,
        i64,
        *const c_void,
        Raw,
        i64,
        i64,
        i64,
        Raw,
    ) -> c_int;
    type Cublas<S> = unsafe extern "C" fn(
        Raw,
        c_int,
        c_int,
        S,
        S,
        S,
        *const c_void,
        Pointers,
        S,
        Pointers,
        S,
        *const c_void,
        Pointers,
        S,
        S,
    ) -> c_int;
    type Magma<A> = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        A,
        Pointers,
        c_int,
        Pointers,
        c_int,
        A,
        Pointers,
        c_int,
        c_int,
        Raw,
    );
    let [a, b, c] = operands;
    let (m, n, k, batch) = (c[0].rows() as i64, c[0].cols() as i64, k as i64, c.len() as i64);
    let memory = vec![
        (holding(session, a, place)?, Access::Read),
        (holding(session, b, &beside(place, 0xb0))?, Access::Read),
        (holding(session, c, &beside(place, 0xc0))?, Access::Written),
    ];
    let [lda, ldb, ldc] = [0, 1, 2].map(|i: usize| memory[i].0.ld());
    let at = Factors::of(session, form, factors)?;
    let (stream, lib) = (session.stream(), session.library());
    let [ta, tb] = trans.map(Trans::cblas);
    let [cta, ctb] = trans.map(Trans::cublas);
    let [m32, n32, k32, lda32, ldb32, ldc32, batch32] = [m, n, k, lda, ldb, ldc, batch].map(|x| x as c_int);
    // SAFETY, here and below: the types are those of the headers; memory is allocated for the sizes given.
    let issue: Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let f: Native = entry::<T, _>(session, "tephra_?gemm_batched")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, [x, y]) = ([0, 1, 2].map(|i: usize| o[i].pointers()), at.places());
                    let code = f(ta, tb, m, n, k, x, p[0], lda, p[1], ldb, y, p[2], ldc, batch, stream);
                    lib.status("tephra_gemm_batched", code)
                })
            }
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?gemm_strided_batched")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, s) = ([0, 1, 2].map(|i: usize| o[i].base()), [0, 1, 2].map(|i: usize| o[i].stride()));
                    let [x, y] = at.places();
                    let code =
                        f(ta, tb, m, n, k, x, p[0], lda, s[0], p[1], ldb, s[1], y, p[2], ldc, s[2], batch, stream);
                    lib.status("tephra_gemm_strided_batched", code)
                })
            }
            Form::Cublas | Form::CublasDevice => {
                let f: Cublas<c_int> = entry::<T, _>(session, "cublas?gemmBatched")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, [x, y]) = ([0, 1, 2].map(|i: usize| o[i].pointers()), at.places());
                    at.call(session, "cublas?gemmBatched", |h| {
                        f(h, cta, ctb, m32, n32, k32, x, p[0], lda32, p[1], ldb32, y, p[2], ldc32, batch32)
                    })
                })
            }
            Form::Cublas64 => {
                let f: Cublas<i64> = entry::<T, _>(session, "cublas?gemmBatched_64")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, [x, y]) = ([0, 1, 2].map(|i: usize| o[i].pointers()), at.places());
                    at.call(session, "cublas?gemmBatched_64", |h| {
                        f(h, cta, ctb, m, n, k, x, p[0], lda, p[1], ldb, y, p[2], ldc, batch)
                    })
                })
            }
            Form::Magma => by_value!(T::DTYPE, A => {
                let f: Magma<A> = entry::<T, _>(session, "magma_?gemm_batched")?;
                let [x, y]: [A; 2] = std::mem::transmute_copy(&factors);
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, queue) = ([0, 1, 2].map(|i: usize| o[i].pointers()), session.queue()?.raw());
                    f(ta, tb, m32, n32, k32, x, p[0], lda32, p[1], ldb32, y, p[2], ldc32, batch32, queue);
                    Ok(())
                })
            }),
            Form::One => return no_such_form("gemm", form),
        }
    };
    Prepared::new(session, c.len(), memory, issue)
}

/// `?gemv`: written is y. Vectors are matrices of one row; their increments are its leading dimensions, which `place` pads,
/// or with `backwards` the negative of those: then a vector's first element is the row's last.
pub fn gemv<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    trans: Trans,
    backwards: bool,
    factors: [T; 2],
    operands: [&[Matrix<T>]; 3],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    type Native = unsafe extern "C" fn(
        c_int,
        i64,
        i64,
        *const c_void,
        Pointers,
        i64,
        Pointers,
        i64,
        *const c_void,
        Pointers,
        i64,
        i64,
        Raw,
    ) -> c_int;
    type Strided = unsafe extern "C" fn(
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
        *const c_void,
        Raw,
        i64,
        i64,
        i64,
        Raw,
    ) -> c_int;
    type Cublas<S> = unsafe extern "C" fn(
        Raw,
        c_int,
        S,
        S,
        *const c_void,
        Pointers,
        S,
        Pointers,
        S,
        *const c_void,
        Pointers,
        S,
        S,
    ) -> c_int;
    type Magma<A> =
        unsafe extern "C" fn(c_int, c_int, c_int, A, Pointers, c_int, Pointers, c_int, A, Pointers, c_int, c_int, Raw);
    let [a, x, y] = operands;
    let (m, n, batch) = (a[0].rows() as i64, a[0].cols() as i64, y.len() as i64);
    let memory = vec![
        (holding(session, a, place)?, Access::Read),
        (holding(session, x, &beside(place, 0xb0))?, Access::Read),
        (holding(session, y, &beside(place, 0xc0))?, Access::Written),
    ];
    let sign = if backwards { -1 } else { 1 };
    let [lda, incx, incy] = [memory[0].0.ld(), sign * memory[1].0.ld(), sign * memory[2].0.ld()];
    let at = Factors::of(session, form, factors)?;
    let (stream, lib) = (session.stream(), session.library());
    let (t, ct) = (trans.cblas(), trans.cublas());
    let [m32, n32, lda32, incx32, incy32, batch32] = [m, n, lda, incx, incy, batch].map(|x| x as c_int);
    let issue: Issue<'a, T> = unsafe {
        match form {
            Form::Pointers => {
                let f: Native = entry::<T, _>(session, "tephra_?gemv_batched")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, [x, y]) = ([0, 1, 2].map(|i: usize| o[i].pointers()), at.places());
                    let code = f(t, m, n, x, p[0], lda, p[1], incx, y, p[2], incy, batch, stream);
                    lib.status("tephra_gemv_batched", code)
                })
            }
            Form::Strided => {
                let f: Strided = entry::<T, _>(session, "tephra_?gemv_strided_batched")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, s) = ([0, 1, 2].map(|i: usize| o[i].base()), [0, 1, 2].map(|i: usize| o[i].stride()));
                    let [x, y] = at.places();
                    let code = f(t, m, n, x, p[0], lda, s[0], p[1], incx, s[1], y, p[2], incy, s[2], batch, stream);
                    lib.status("tephra_gemv_strided_batched", code)
                })
            }
            Form::Cublas | Form::CublasDevice => {
                let f: Cublas<c_int> = entry::<T, _>(session, "cublas?gemvBatched")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, [x, y]) = ([0, 1, 2].map(|i: usize| o[i].pointers()), at.places());
                    at.call(session, "cublas?gemvBatched", |h| {
                        f(h, ct, m32, n32, x, p[0], lda32, p[1], incx32, y, p[2], incy32, batch32)
                    })
                })
            }
            Form::Cublas64 => {
                let f: Cublas<i64> = entry::<T, _>(session, "cublas?gemvBatched_64")?;
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, [x, y]) = ([0, 1, 2].map(|i: usize| o[i].pointers()), at.places());
                    at.call(session, "cublas?gemvBatched_64", |h| {
                        f(h, ct, m, n, x, p[0], lda, p[1], incx, y, p[2], incy, batch)
                    })
                })
            }
            Form::Magma => by_value!(T::DTYPE, A => {
                let f: Magma<A> = entry::<T, _>(session, "magmablas_?gemv_batched")?;
                let [x, y]: [A; 2] = std::mem::transmute_copy(&factors);
                Box::new(move |o: &[Guarded<T>], _| {
                    let (p, queue) = ([0, 1, 2].map(|i: usize| o[i].pointers()), session.queue()?.raw());
                    f(t, m32, n32, x, p[0], lda32, p[1], incx32, y, p[2], incy32, batch32, queue);
                    Ok(())
                })
            }),
            Form::One => return no_such_form("gemv", form),
        }
    };
    Prepared::new(session, y.len(), memory, issue)
}

/// The worst element's |C - (alpha op(A) op(B) + beta C0)|, against sums in twice double precision, over
/// (k + 2) eps (|alpha| |op(A)| |op(B)| + |beta| |C0|): the usual bound of a product (Higham, "Accuracy and stability of
/// numerical algorithms", section 3.5).
pub fn multiplied<T: Scalar>(
    trans: [Trans; 2],
    [alpha, beta]: [T; 2],
    a: &Matrix<T>,
    b: &Matrix<T>,
    before: &Matrix<T>,
    after: &Matrix<T>,
) -> f64 {
    let (a, b) = (transposed(trans[0], &a.wide()), transposed(trans[1], &b.wide()));
    let (alpha, beta, zero) = (alpha.wide(), beta.wide(), <T as Scalar>::Wide::ZERO);
    let k = if alpha == zero { 0 } else { a.cols() };
    let mut ratio = 0.0;
    for j in 0..after.cols() {
        for i in 0..after.rows() {
            let (mut product, mut whole, mut size) = (Parts::default(), Parts::default(), 0.0);
            for l in 0..k {
                product.add_product(a[(i, l)], b[(l, j)]);
                size += alpha.abs() * a[(i, l)].abs() * b[(l, j)].abs();
            }
            whole.add_scaled(alpha, product);
            if beta != zero {
                whole.add_product(beta, before[(i, j)].wide());
                size += beta.abs() * before[(i, j)].wide().abs();
            }
            let got = after[(i, j)].wide();
            whole.re.add(-got.re());
            whole.im.add(-got.im());
            // Not libm's hypot: its newest version would be the only reason for the program to need a GLIBC later than 2.34.
            let (re, im) = (whole.re.high, whole.im.high);
            let larger = worst(re.abs(), im.abs());
            let scaled = larger > 0.0 && larger.is_finite();
            let error = if scaled { larger * ((re / larger).powi(2) + (im / larger).powi(2)).sqrt() } else { larger };
            ratio = worst(ratio, super::measure::over(error, (k + 2) as f64 * size * T::DTYPE.eps()));
        }
    }
    ratio
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_bit_is_seen_where_the_bound_is_tight() {
        let one = |x: f64| Matrix::from_fn(1, 1, |_, _| x);
        let ratio = |got: f64| multiplied([Trans::N; 2], [1.0, 0.0], &one(0.1), &one(0.3), &one(f64::NAN), &one(got));
        assert!(ratio(0.1 * 0.3) < 1.0);
        assert!(ratio(0.1 * 0.3 * (1.0 + 1e-13)) > 30.0);
        assert!(ratio(f64::NAN).is_nan());
    }

    #[test]
    fn conjugates_and_factors_count() {
        let one = |x: C64| Matrix::from_fn(1, 1, |_, _| x);
        let (i, two) = (C64::new(0.0, 1.0), C64::new(2.0, 0.0));
        let ratio = |trans: [Trans; 2], got: C64| multiplied(trans, [two, i], &one(i), &one(i), &one(two), &one(got));
        assert!(ratio([Trans::N; 2], C64::new(-2.0, 2.0)) < 1.0);
        assert!(ratio([Trans::C, Trans::T], C64::new(2.0, 2.0)) < 1.0);
        assert!(ratio([Trans::N; 2], C64::new(2.0, 2.0)) > 30.0);
    }
}
