//! MAGMA's host helpers: printing, dot products and norms of vectors, strings, square roots, NaN tests.

use super::int::xerbla;
use super::queue::{RawQueue, synchronize};
use crate::backend;
use crate::error::Error;
use crate::face::cublas::Status;
use crate::face::cublas::copy::MatrixCopy;
pub use crate::host::output::write_stdout;
use crate::routine::{Stream, extent};
use crate::scalar::{C32, C64};
use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write;
use std::slice;

/// An element type of MAGMA's host routines, which compute in double precision, real or complex.
pub trait Element: Copy + Default {
    /// Converts a computed value to the element type.
    fn from_parts(re: f64, im: f64) -> Self;
    /// Real and imaginary part; exact, as every element type fits into double.
    fn parts(self) -> (f64, f64);
    /// One entry of a printed matrix.
    fn print(self, text: &mut String);
}

macro_rules! real_element {
    ($($ty:ty),*) => {$(
        impl Element for $ty {
            fn from_parts(re: f64, _im: f64) -> Self { re as $ty }
            fn parts(self) -> (f64, f64) { (self.into(), 0.0) }
            fn print(self, text: &mut String) {
                let _ = match self == 0.0 {
                    true => write!(text, "   0.    "),
                    false => write!(text, " {:8.4}", self),
                };
            }
        }
    )*};
}
real_element!(f32, f64);

macro_rules! complex_element {
    ($($ty:ty: $part:ty),*) => {$(
        impl Element for $ty {
            fn from_parts(re: f64, im: f64) -> Self { Self { re: re as $part, im: im as $part } }
            fn parts(self) -> (f64, f64) { (self.re.into(), self.im.into()) }
            fn print(self, text: &mut String) {
                let _ = match self.parts() == (0.0, 0.0) {
                    true => write!(text, "   0.              "),
                    false => write!(text, " {:8.4}+{:8.4}i", self.re, self.im),
                };
            }
        }
    )*};
}
complex_element!(C32: f32, C64: f64);

impl Element for c_int {
    fn from_parts(re: f64, _im: f64) -> Self {
        re as c_int
    }
    fn parts(self) -> (f64, f64) {
        (self.into(), 0.0)
    }
    fn print(self, text: &mut String) {
        let _ = write!(text, " {self:8}");
    }
}

/// MAGMA's checks of the arguments m (1), n (2) and lda (4) of a print function; additionally, the matrix (3) must not
/// be NULL.
fn printable<T>(name: &str, m: c_int, n: c_int, a: *const T, lda: c_int) -> bool {
    let reach = extent::bytes(size_of::<T>() as i64, n.into(), lda.into(), 1, 0);
    let bad = match (m, n, lda) {
        (..0, _, _) => 1,
        (_, ..0, _) => 2,
        _ if lda < m.max(1) || reach.is_none() => 4,
        _ if a.is_null() && m > 0 && n > 0 => 3,
        _ => return true,
    };
    xerbla(name, bad);
    false
}

/// `magma_?print`: prints a host matrix in Matlab syntax.
///
/// # Safety
/// `a` holds `lda * n` elements.
pub unsafe fn print<T: Element>(name: &str, m: c_int, n: c_int, a: *const T, lda: c_int) {
    if printable(name, m, n, a, lda) {
        unsafe { print_matlab(m, n, a, lda) };
    }
}

/// Prints row by row, so that a large matrix does not need a string of its size.
unsafe fn print_matlab<T: Element>(m: c_int, n: c_int, a: *const T, lda: c_int) {
    let (open, end_of_row) = if m == 1 { ("[ ", " ") } else { ("[\n", "\n") };
    let mut text = String::from(open);
    for i in 0..m as usize {
        for j in 0..n as usize {
            unsafe { *a.add(i + j * lda as usize) }.print(&mut text);
        }
        text += end_of_row;
        write_stdout(&text);
        text.clear();
    }
    write_stdout(&(text + "];\n"));
}

/// `magma_?print_gpu`: prints a matrix in the backend's memory.
///
/// # Safety
/// `a` holds `lda * n` elements there; `queue` is NULL or a live queue.
pub unsafe fn print_device<T: Element>(
    name: &str,
    m: c_int,
    n: c_int,
    a: *const T,
    lda: c_int,
    queue: RawQueue,
) -> Result<(), Error> {
    if !printable(name, m, n, a, lda) {
        return Ok(());
    }
    let (mut host, elements) = (Vec::new(), m as usize * n as usize);
    host.try_reserve_exact(elements).map_err(|e| Error::OutOfMemory(format!("a copy to print: {e}")))?;
    host.resize(elements, T::default());
    let copy = MatrixCopy {
        rows: m.into(),
        cols: n.into(),
        element: size_of::<T>() as i64,
        src: a.cast(),
        ld_src: lda.into(),
        dst: host.as_mut_ptr().cast(),
        ld_dst: m.max(1).into(),
    };
    let stream: Stream = unsafe { super::queue::stream_of(queue) };
    backend::current()?;
    unsafe {
        let status = copy.start(stream)?;
        if status != Status::SUCCESS {
            return Err(Error::Driver(format!("copy: {}", status.text().to_string_lossy())));
        }
        synchronize(queue)?;
        print_matlab(m, n, host.as_ptr(), m);
    }
    Ok(())
}

/// The elements of a BLAS vector with increment `inc`; if it is negative, they start at the far end. NULL is an empty
/// vector.
fn elements<T: Element>(n: c_int, x: *const T, inc: c_int) -> impl Iterator<Item = (f64, f64)> + use<T> {
    let (n, inc) = (if x.is_null() { 0 } else { n.max(0) as isize }, inc as isize);
    let start = if inc < 0 { (1 - n) * inc } else { 0 };
    (0..n).map(move |i| unsafe { *x.offset(start + i * inc) }.parts())
}

/// `magma_cblas_?asum`: the sum of |re| + |im|.
///
/// # Safety
/// `x` holds n elements, `inc` apart.
pub unsafe fn asum<T: Element>(n: c_int, x: *const T, inc: c_int) -> f64 {
    if inc <= 0 {
        return 0.0;
    }
    elements(n, x, inc).map(|(re, im)| re.abs() + im.abs()).sum()
}

/// `magma_cblas_?nrm2`: the Euclidean norm, scaled to avoid overflow and underflow, as in LAPACK `?lassq`.
///
/// # Safety
/// `x` holds n elements, `inc` apart.
pub unsafe fn nrm2<T: Element>(n: c_int, x: *const T, inc: c_int) -> f64 {
    if inc <= 0 {
        return 0.0;
    }
    let (mut scale, mut sum) = (0.0_f64, 1.0_f64);
    for part in elements(n, x, inc).flat_map(|(re, im)| [re, im]).filter(|part| *part != 0.0) {
        let size = part.abs();
        if size.is_nan() {
            return size;
        }
        if scale < size {
            sum = 1.0 + sum * (scale / size).powi(2);
            scale = size;
        } else {
            sum += (size / scale).powi(2);
        }
    }
    if scale.is_infinite() { scale } else { scale * sum.sqrt() }
}

/// `magma_cblas_?dot`, `?dotu`, `?dotc`: the sum of x y, or of conj(x) y.
///
/// # Safety
/// Both vectors hold n elements, their increments apart.
pub unsafe fn dot<T: Element>(n: c_int, x: *const T, incx: c_int, y: *const T, incy: c_int, conjugate: bool) -> T {
    let sign = if conjugate { -1.0 } else { 1.0 };
    let (mut re, mut im) = (0.0, 0.0);
    for ((a, b), (c, d)) in elements(n, x, incx).zip(elements(n, y, incy)) {
        let b = sign * b;
        re += a * c - b * d;
        im += a * d + b * c;
    }
    T::from_parts(re, im)
}

/// sqrt(x^2 + y^2) without intermediate overflow or underflow. libm's hypot is not used because its newest symbol
/// version would be the only one for which the library needs a GLIBC later than 2.34.
fn modulus(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    let (huge, tiny) = (2f64.powi(600), 2f64.powi(-600));
    let largest = x.abs().max(y.abs());
    // Scaling by powers of two is exact.
    let (scale, unscale) = match largest {
        l if l > 2f64.powi(500) => (tiny, huge),
        l if l < 2f64.powi(-400) => (huge, tiny),
        _ => (1.0, 1.0),
    };
    let (x, y) = (x * scale, y * scale);
    (x * x + y * y).sqrt() * unscale
}

/// The principal square root, without overflow or cancellation (`magma_csqrt`, `magma_zsqrt`).
pub fn square_root<T: Element>(x: T) -> T {
    let (re, im) = x.parts();
    if re == 0.0 && im == 0.0 {
        return T::from_parts(0.0, im);
    }
    // x is halved first because |x| can overflow even if sqrt(x) does not.
    let half = ((re / 2.0).abs() + modulus(re / 2.0, im / 2.0)).sqrt();
    if re >= 0.0 {
        T::from_parts(half, im / (2.0 * half))
    } else {
        T::from_parts(im.abs() / (2.0 * half), half.copysign(im))
    }
}

/// A workspace size as the smallest element that is not below it, for `magma_?make_lwork` and workspace queries.
pub fn size_as_element<T: Element>(size: impl Into<i64>) -> T {
    let size = size.into();
    let rounded = T::from_parts(size as f64, 0.0);
    // Only single precision can round a realistic size down.
    if rounded.parts().0 as i64 >= size { rounded } else { T::from_parts((size as f32).next_up().into(), 0.0) }
}

/// Whether a part of `x` is a NaN.
pub fn is_nan<T: Element>(x: T) -> bool {
    let (re, im) = x.parts();
    re.is_nan() || im.is_nan()
}

/// Whether a part of `x` is infinite.
pub fn is_inf<T: Element>(x: T) -> bool {
    let (re, im) = x.parts();
    re.is_infinite() || im.is_infinite()
}

/// `magma_strlcpy`: copies at most `size - 1` characters and appends a NUL; returns the length of `src`. A NULL `src`
/// is an empty string; nothing is written to a NULL `dst`.
///
/// # Safety
/// `src` is NULL or a C string, `dst` NULL or holds `size` bytes.
pub unsafe fn copy_text(dst: *mut c_char, src: *const c_char, size: usize) -> usize {
    let src = if src.is_null() { c"" } else { unsafe { CStr::from_ptr(src) } }.to_bytes();
    if size > 0 && !dst.is_null() {
        let len = src.len().min(size - 1);
        let dst = unsafe { slice::from_raw_parts_mut(dst.cast::<u8>(), size) };
        dst[..len].copy_from_slice(&src[..len]);
        dst[len] = 0;
    }
    src.len()
}

/// `magma_indices_1D_bcyclic`: the range of local columns on `device` for columns j0..j1 of a matrix whose blocks of
/// `nb` columns are distributed cyclically over `devices`.
pub fn local_columns(nb: c_int, devices: c_int, device: c_int, j0: c_int, j1: c_int) -> (c_int, c_int) {
    // Local columns of `device` before global column j.
    let before = |j: c_int| {
        let (block, within) = (j.div_euclid(nb), j.rem_euclid(nb));
        let (round, owner) = (block.div_euclid(devices), block.rem_euclid(devices));
        nb * round
            + match device.cmp(&owner) {
                std::cmp::Ordering::Less => nb,
                std::cmp::Ordering::Equal => within,
                std::cmp::Ordering::Greater => 0,
            }
    };
    (before(j0), before(j1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_never_told_as_less() {
        for size in [0, 1, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, (1 << 24) + 2, i32::MAX - 64, i32::MAX - 1, i32::MAX]
        {
            let (single, double) = (size_as_element::<f32>(size), size_as_element::<f64>(size));
            assert!(double == f64::from(size) && f64::from(single) >= double && f64::from(single.next_down()) < double);
            assert_eq!(size_as_element::<C32>(size), C32 { re: single, im: 0.0 });
            assert_eq!(size_as_element::<C64>(size), C64 { re: double, im: 0.0 });
        }
    }

    #[test]
    fn columns_of_the_documented_example() {
        // n = 75, nb = 10 on 3 devices, columns 13..69 and 13..71.
        assert_eq!([0, 1, 2].map(|d| local_columns(10, 3, d, 13, 69)), [(10, 29), (3, 20), (0, 20)]);
        assert_eq!([0, 1, 2].map(|d| local_columns(10, 3, d, 13, 71)), [(10, 30), (3, 21), (0, 20)]);
    }

    #[test]
    fn square_roots_square_back() {
        for (re, im) in [(3.0, 4.0), (-3.0, 4.0), (-3.0, -4.0), (0.0, -2.0), (1e300, 1e300), (-4.0, 0.0)] {
            let root = square_root(C64 { re, im });
            let (a, b) = (root.re * root.re - root.im * root.im, 2.0 * root.re * root.im);
            assert!((a - re).abs() + (b - im).abs() <= 4e-16 * (re.abs() + im.abs()), "{re} {im}: {a} {b}");
            assert!(root.re >= 0.0);
        }
    }

    #[test]
    fn modulus_is_hypot() {
        let mut bits = 1u64;
        let mut any = || {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from_bits(bits)
        };
        for _ in 0..100_000 {
            // All exponents, subnormals, infinities and NaNs occur; about every fourth pair is of similar magnitude.
            let (x, mut y) = (any(), any());
            if x.to_bits() % 4 == 0 {
                y = x * 1.37;
            }
            let (got, wanted) = (modulus(x, y), x.hypot(y));
            let like = got == wanted || (got.is_nan() && wanted.is_nan());
            assert!(
                like || (got - wanted).abs() <= 2.0 * f64::EPSILON * wanted + f64::from_bits(1),
                "{x:e} {y:e}: {got:e}"
            );
        }
        assert_eq!(modulus(3e307, 4e307), 5e307);
        assert_eq!(modulus(f64::NAN, f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn norm_survives_extremes() {
        let x = [3e300, 4e300];
        assert_eq!(unsafe { nrm2(2, x.as_ptr(), 1) }, 5e300);
        assert_eq!(unsafe { nrm2(2, [3e-320, 4e-320].as_ptr(), 1) }, 5e-320);
        assert!(unsafe { nrm2(2, [f64::NAN, 1.0].as_ptr(), 1) }.is_nan());
    }

    #[test]
    fn dot_products_conjugate_the_first() {
        let (x, y) = ([C64 { re: 1.0, im: 2.0 }], [C64 { re: 3.0, im: 5.0 }]);
        assert_eq!(unsafe { dot(1, x.as_ptr(), 1, y.as_ptr(), 1, false) }, C64 { re: -7.0, im: 11.0 });
        assert_eq!(unsafe { dot(1, x.as_ptr(), 1, y.as_ptr(), 1, true) }, C64 { re: 13.0, im: -1.0 });
    }

    #[test]
    fn strings_are_cut_and_ended() {
        let mut dst = [1 as c_char; 4];
        assert_eq!(unsafe { copy_text(dst.as_mut_ptr(), c"hello".as_ptr(), 4) }, 5);
        assert_eq!(unsafe { CStr::from_ptr(dst.as_ptr()) }, c"hel");
    }
}
