//! `cublas?gemmBatched`, `cublas?gemmStridedBatched`, `cublas?gemvBatched` and their variants with type arguments: the
//! answers measured on cuBLAS 13.1, and NULL arguments.

use super::fixture::{BATCH, Fixture};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::library::{CublasHandle, symbol_name};
use tephra_testkit::{Dtype, any_call, words};

const SUCCESS: c_int = 0;
const NOT_INITIALIZED: c_int = 1;
const INVALID_VALUE: c_int = 7;
const EXECUTION_FAILED: c_int = 13;
const NOT_SUPPORTED: c_int = 15;
const B: c_int = BATCH as c_int;

type Scalar = *const c_void;

/// Calls a function in the fixture's precision.
fn issue(s: &Fixture, pattern: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match cublas_v2.h, and the library refuses the invalid ones.
    unsafe { any_call::call(s.lib, &symbol_name(pattern, s.dtype), [0.0; 4], arguments) }
}

/// Runs a check on 10 x 10 matrices of every type.
fn on_every_dtype(check: impl Fn(&[Fixture; 3], &CublasHandle)) {
    for dtype in Dtype::ALL {
        let fixtures = [0, 1, 2].map(|_| Fixture::new(dtype, 10, 10));
        let handle = fixtures[0].lib.cublas_handle(fixtures[0].stream.raw()).unwrap();
        check(&fixtures, &handle);
    }
}

/// A real number in a precision, as bytes.
fn number(dtype: Dtype, x: f64) -> [u8; 16] {
    let mut bytes = [0; 16];
    match dtype.is_double() {
        true => bytes[..8].copy_from_slice(&x.to_ne_bytes()),
        false => bytes[..4].copy_from_slice(&(x as f32).to_ne_bytes()),
    }
    bytes
}

fn place(number: &[u8; 16]) -> Scalar {
    number.as_ptr().cast()
}

#[test]
fn gemm_answers_as_measured() {
    // (transa, transb, m, n, k, lda, ldb, ldc, batch), status
    let rows = [
        ([9, 0, 10, 4, 6, 10, 10, 10, B], INVALID_VALUE),
        ([0, 9, 10, 4, 6, 10, 10, 10, B], INVALID_VALUE),
        ([0, 0, -1, 4, 6, 10, 10, 10, B], INVALID_VALUE),
        ([0, 0, 10, -1, 6, 10, 10, 10, B], INVALID_VALUE),
        ([0, 0, 10, 4, -1, 10, 10, 10, B], INVALID_VALUE),
        ([0, 0, 10, 4, 6, 9, 10, 10, B], INVALID_VALUE),
        ([0, 0, 10, 4, 6, 10, 5, 10, B], INVALID_VALUE),
        ([0, 0, 10, 4, 6, 10, 10, 9, B], INVALID_VALUE),
        ([1, 0, 10, 4, 6, 5, 10, 10, B], INVALID_VALUE),
        ([0, 1, 10, 4, 6, 10, 3, 10, B], INVALID_VALUE),
        ([0, 0, 10, 4, 6, 10, 10, 10, -1], INVALID_VALUE),
        ([0, 0, 0, 4, 6, 0, 10, 10, B], INVALID_VALUE),
        ([0, 0, 10, 4, 6, 10, 10, 10, 0], SUCCESS),
        ([0, 0, 0, 4, 6, 10, 10, 10, B], SUCCESS),
        ([0, 0, 10, 0, 6, 10, 10, 10, B], SUCCESS),
    ];
    on_every_dtype(|[a, b, c], handle| {
        let gemm = |arguments: &[u64]| issue(a, "cublas?gemmBatched", arguments);
        let strided = |arguments: &[u64]| issue(a, "cublas?gemmStridedBatched", arguments);
        let (h, one, two, zero) = (handle.raw(), number(a.dtype, 1.0), number(a.dtype, 2.0), number(a.dtype, 0.0));
        for ([ta, tb, m, n, k, lda, ldb, ldc, batch], status) in rows {
            let (x, y) = (place(&one), place(&zero));
            let got = gemm(words![h, ta, tb, m, n, k, x, a.a(), lda, b.a(), ldb, y, c.a(), ldc, batch]);
            assert_eq!(got, status, "{ta} {tb} {m}x{n}x{k} {lda} {ldb} {ldc} {batch}");
            let (pa, pb, pc) = (a.a_base(), b.a_base(), c.a_base());
            let got = strided(words![h, ta, tb, m, n, k, x, pa, lda, 100, pb, ldb, 100, y, pc, ldc, 100, batch]);
            assert_eq!(got, status, "strided {ta} {tb} {m}x{n}x{k} {lda} {ldb} {ldc} {batch}");
        }
        let call = |h, k, x: Scalar, a_array, b_array, y: Scalar, c_array| {
            gemm(words![h, 0, 0, 10, 10, k, x, a_array, 10, b_array, 10, y, c_array, 10, B])
        };
        let (x, y) = (place(&one), place(&two));
        assert_eq!(call(null_mut(), 10, x, a.a(), b.a(), y, c.a()), NOT_INITIALIZED);
        assert_eq!(call(h, 10, null(), a.a(), b.a(), y, c.a()), INVALID_VALUE);
        assert_eq!(call(h, 10, x, null(), b.a(), y, c.a()), INVALID_VALUE);
        assert_eq!(call(h, 10, x, a.a(), null(), y, c.a()), INVALID_VALUE);
        assert_eq!(call(h, 10, x, a.a(), b.a(), null(), c.a()), INVALID_VALUE);
        assert_eq!(call(h, 10, x, a.a(), b.a(), y, null()), INVALID_VALUE);
        assert!(a.is_untouched() && b.is_untouched() && c.is_untouched());

        // With k = 0, C is scaled: 40 becomes 80.
        let before = real_parts(a.dtype, &c.matrices());
        assert_eq!(call(h, 0, x, null(), null(), y, c.a()), SUCCESS);
        assert!(real_parts(a.dtype, &c.matrices()).iter().zip(&before).all(|(now, was)| *now == 2.0 * was));
        c.restore();
        // With alpha = beta = 0, C is cleared.
        assert_eq!(call(h, 10, place(&zero), null(), null(), place(&zero), c.a()), SUCCESS);
        assert!(real_parts(a.dtype, &c.matrices()).iter().all(|&x| x == 0.0));
        c.restore();

        // Unusual strides: the same address for all results, overlapping results, and descending ones.
        let strides = |base, stride| {
            strided(words![h, 0, 0, 10, 10, 10, x, a.a_base(), 10, 0, b.a_base(), 10, 100, y, base, 10, stride, B])
        };
        let last = c.a_base().wrapping_byte_add((BATCH - 1) * 100 * a.dtype.bytes());
        for (base, stride) in [(c.a_base(), 0), (c.a_base(), 7), (last, -100)] {
            assert_eq!(strides(base, stride), SUCCESS, "stride {stride}");
            assert!(!c.is_untouched());
            c.restore();
        }
    });
}

/// The real parts of elements.
fn real_parts(dtype: Dtype, bytes: &[u8]) -> Vec<f64> {
    let real = |element: &[u8]| match dtype.is_double() {
        true => f64::from_ne_bytes(element[..8].try_into().unwrap()),
        false => f32::from_ne_bytes(element[..4].try_into().unwrap()).into(),
    };
    bytes.chunks(dtype.bytes()).map(real).collect()
}

#[test]
fn gemm_ex_serves_each_type_in_its_own_precision() {
    on_every_dtype(|[a, b, c], handle| {
        let ex = |arguments: &[u64]| issue(a, "cublasGemmBatchedEx", arguments);
        let (own, compute) = [(0, 68), (1, 70), (4, 68), (5, 70)][a.dtype as usize];
        let (x, y) = (number(a.dtype, 1.0), number(a.dtype, 0.0));
        let call = |types: [c_int; 3], compute| {
            let [ta, tb, tc] = types;
            let (x, y) = (place(&x), place(&y));
            ex(words![
                handle.raw(),
                0,
                0,
                10,
                10,
                10,
                x,
                a.a(),
                ta,
                10,
                b.a(),
                tb,
                10,
                y,
                c.a(),
                tc,
                10,
                B,
                compute,
                -1
            ])
        };
        // Half precision as compute type; mixed types; a compute type of another precision.
        for (types, compute) in
            [([2; 3], 64), ([2, 2, 0], 68), ([own, own, 2], compute), ([own; 3], 138 - compute), ([own; 3], 77)]
        {
            assert_eq!(call(types, compute), NOT_SUPPORTED, "{types:?} {compute}");
        }
        assert!(c.is_untouched());
        assert_eq!(call([own; 3], compute), SUCCESS);
        let expected = c.matrices();
        c.restore();
        let gemm = |arguments: &[u64]| issue(a, "cublas?gemmBatched", arguments);
        let (h, x, y) = (handle.raw(), place(&x), place(&y));
        assert_eq!(gemm(words![h, 0, 0, 10, 10, 10, x, a.a(), 10, b.a(), 10, y, c.a(), 10, B]), SUCCESS);
        assert!(c.matrices() == expected);
        c.restore();
        assert_eq!(call([own; 3], compute + 1), SUCCESS, "pedantic");
    });
}

#[test]
fn gemv_answers_as_measured() {
    // (trans, m, n, lda, incx, incy, batch), status, whether anything is written
    let rows = [
        ([0, 10, 6, 10, 1, 1, B], SUCCESS, true),
        ([0, 10, 6, 10, 0, 1, B], SUCCESS, true),
        ([0, 10, 6, 10, 1, 0, B], SUCCESS, true),
        ([0, 10, 6, 10, -1, 1, B], SUCCESS, true),
        ([0, 10, 6, 9, 1, 1, B], INVALID_VALUE, false),
        ([0, -1, 6, 10, 1, 1, B], SUCCESS, false),
        ([0, 10, -1, 10, 1, 1, B], SUCCESS, false),
        ([0, 0, 6, 10, 1, 1, B], SUCCESS, false),
        ([0, 10, 0, 10, 1, 1, B], SUCCESS, false), // although beta is 0
        ([0, 10, 6, 10, 1, 1, 0], SUCCESS, false),
        ([0, 10, 6, 10, 1, 1, -1], EXECUTION_FAILED, false),
        ([9, 10, 6, 10, 1, 1, B], SUCCESS, false),
    ];
    on_every_dtype(|[a, x, y], handle| {
        let gemv = |arguments: &[u64]| issue(a, "cublas?gemvBatched", arguments);
        let (h, one, zero) = (handle.raw(), number(a.dtype, 1.0), number(a.dtype, 0.0));
        let (alpha, beta) = (place(&one), place(&zero));
        for ([trans, m, n, lda, incx, incy, batch], status, writes) in rows {
            let got = gemv(words![h, trans, m, n, alpha, a.a(), lda, x.a(), incx, beta, y.a(), incy, batch]);
            let what = format!("{trans} {m}x{n} {lda} {incx} {incy} {batch}");
            assert_eq!(got, status, "{what}");
            assert_eq!(!y.is_untouched(), writes, "{what}");
            y.restore();
        }
        let call = |h, alpha, a_array, x_array, beta, y_array| {
            gemv(words![h, 0, 10, 6, alpha, a_array, 10, x_array, 1, beta, y_array, 1, B])
        };
        assert_eq!(call(null_mut(), alpha, a.a(), x.a(), beta, y.a()), NOT_INITIALIZED);
        assert_eq!(call(h, null(), a.a(), x.a(), beta, y.a()), INVALID_VALUE);
        assert_eq!(call(h, alpha, null(), x.a(), beta, y.a()), INVALID_VALUE);
        assert_eq!(call(h, alpha, a.a(), null(), beta, y.a()), INVALID_VALUE);
        assert_eq!(call(h, alpha, a.a(), x.a(), null(), y.a()), INVALID_VALUE);
        assert_eq!(call(h, alpha, a.a(), x.a(), beta, null()), INVALID_VALUE);
        assert!(a.is_untouched() && x.is_untouched() && y.is_untouched());
    });
}
