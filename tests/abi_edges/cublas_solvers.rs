//! `cublas?gelsBatched`, `cublas?trsmBatched`: the answers measured on cuBLAS 13.1, and NULL arguments.

use super::fixture::{BATCH, Fixture};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::any_call::Word;
use tephra_testkit::library::{CublasHandle, symbol_name};
use tephra_testkit::{Dtype, any_call, words};

const SUCCESS: c_int = 0;
const NOT_INITIALIZED: c_int = 1;
const INVALID_VALUE: c_int = 7;
const NOT_SUPPORTED: c_int = 15;
const UNSET: c_int = 77;
const B: c_int = BATCH as c_int;

const NULL: *mut c_void = null_mut();

/// A scalar that is near 1 when read as any of the types.
const NONZERO: [f64; 2] = [f64::from_bits(0x3ff0_0000_3f80_0000); 2];

/// Calls a function in the fixture's precision.
fn issue(s: &Fixture, pattern: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match cublas_v2.h, and the library refuses the invalid ones.
    unsafe { any_call::call(s.lib, &symbol_name(pattern, s.dtype), [0.0; 4], arguments) }
}

/// Runs a check on 20 x 10 matrices and 20 x 2 right-hand sides of every type.
fn on_every_dtype(check: impl Fn(&Fixture, &Fixture, &CublasHandle)) {
    for dtype in Dtype::ALL {
        let (a, c) = (Fixture::new(dtype, 20, 10), Fixture::new(dtype, 20, 2));
        let handle = a.lib.cublas_handle(a.stream.raw()).unwrap();
        check(&a, &c, &handle);
    }
}

#[test]
fn gels_answers_as_measured() {
    // (trans, m, n, nrhs, lda, ldc, batch), status, info
    let rows = [
        ([0, 10, 20, 2, 20, 20, B], NOT_SUPPORTED, 0),
        ([1, 20, 10, 2, 20, 20, B], NOT_SUPPORTED, 0),
        ([2, 20, 10, 2, 20, 20, B], NOT_SUPPORTED, 0),
        ([9, 20, 10, 2, 20, 20, B], NOT_SUPPORTED, 0),
        ([0, -1, 10, 2, 20, 20, B], INVALID_VALUE, -1),
        ([0, 20, -1, 2, 20, 20, B], INVALID_VALUE, -3),
        ([0, 20, 10, -1, 20, 20, B], INVALID_VALUE, -2),
        ([0, 20, 10, 2, 19, 20, B], INVALID_VALUE, -5),
        ([0, 20, 10, 2, 20, 19, B], INVALID_VALUE, -7),
        ([0, 20, 10, 2, 20, 20, -1], INVALID_VALUE, -8),
        ([0, 20, 10, 2, 20, 20, 0], SUCCESS, 0),
        ([0, 20, 0, 2, 20, 20, B], SUCCESS, 0),
        ([0, 0, 0, 2, 1, 1, B], SUCCESS, 0),
    ];
    on_every_dtype(|a, c, handle| {
        let gels = |arguments: &[u64]| issue(a, "cublas?gelsBatched", arguments);
        for ([trans, m, n, nrhs, lda, ldc, batch], status, expected) in rows {
            let mut info = UNSET;
            let (h, dev) = (handle.raw(), a.info());
            let got = gels(words![h, trans, m, n, nrhs, a.a(), lda, c.a(), ldc, &mut info, dev, batch]);
            assert_eq!((got, info), (status, expected), "trans {trans} {m}x{n} nrhs {nrhs} {lda} {ldc} {batch}");
        }
        let call = |h, a_array, c_array, info: &mut c_int, nrhs| {
            gels(words![h, 0, 20, 10, nrhs, a_array, 20, c_array, 20, info, a.info(), B])
        };
        let (h, mut info) = (handle.raw(), UNSET);
        assert_eq!(call(null_mut(), a.a(), c.a(), &mut info, 2), NOT_INITIALIZED);
        assert_eq!(info, UNSET);
        let no_info = gels(words![h, 0, 20, 10, 2, a.a(), 20, c.a(), 20, NULL, a.info(), B]);
        assert_eq!(no_info, INVALID_VALUE);
        // cuBLAS would fault on the device; here they are bad arguments.
        assert_eq!((call(h, null(), c.a(), &mut info, 2), info), (INVALID_VALUE, -4));
        assert_eq!((call(h, a.a(), null(), &mut info, 2), info), (INVALID_VALUE, -6));
        assert!(a.is_untouched() && c.is_untouched());

        // Without right-hand sides the call factors A and reports the rank; C may then be NULL.
        assert_eq!((call(h, a.a(), null(), &mut info, 0), info), (SUCCESS, 0));
        assert!(a.infos() == [0; BATCH] && c.is_untouched());
        a.restore();
        let no_codes = gels(words![h, 0, 20, 10, 2, a.a(), 20, c.a(), 20, &mut info, NULL, B]);
        assert_eq!((no_codes, info), (SUCCESS, 0));
        assert!(!c.is_untouched());
        a.restore();
        c.restore();
        assert_eq!((call(h, a.a(), c.a(), &mut info, 2), info), (SUCCESS, 0));
        assert_eq!(a.infos(), [0; BATCH]);
    });
}

fn trsm_answers_as_measured<S: Copy + From<i8> + Word>(pattern: &str) {
    // (side, uplo, trans, diag, m, n, lda, ldb, batch), status
    let rows: [([i8; 9], c_int); 16] = [
        ([9, 0, 0, 0, 10, 2, 20, 20, 3], INVALID_VALUE),
        ([0, 2, 0, 0, 10, 2, 20, 20, 3], INVALID_VALUE),
        ([0, 0, 3, 0, 10, 2, 20, 20, 3], INVALID_VALUE),
        ([0, 0, 0, 2, 10, 2, 20, 20, 3], INVALID_VALUE),
        ([0, 0, 0, 0, -1, 2, 20, 20, 3], INVALID_VALUE),
        ([0, 0, 0, 0, 10, -1, 20, 20, 3], INVALID_VALUE),
        ([0, 0, 0, 0, 10, 2, 9, 20, 3], INVALID_VALUE),
        ([1, 0, 0, 0, 2, 10, 9, 20, 3], INVALID_VALUE),
        ([0, 0, 0, 0, 10, 2, 20, 9, 3], INVALID_VALUE),
        ([0, 0, 0, 0, 10, 2, 20, 20, -1], INVALID_VALUE),
        ([0, 0, 0, 0, 0, 2, 20, 20, 3], SUCCESS),
        ([0, 0, 0, 0, 0, 2, 0, 20, 3], INVALID_VALUE),
        ([0, 0, 0, 0, 10, 0, 20, 20, 3], SUCCESS),
        ([0, 0, 0, 0, 10, 2, 20, 20, 0], SUCCESS),
        ([1, 0, 0, 0, 2, 0, 1, 20, 3], SUCCESS),
        ([1, 1, 2, 1, 0, 10, 20, 1, 3], SUCCESS),
    ];
    on_every_dtype(|a, b, handle| {
        let trsm = |arguments: &[u64]| issue(a, pattern, arguments);
        let (h, one) = (handle.raw(), NONZERO);
        for ([side, uplo, trans, diag, m, n, lda, ldb, batch], status) in rows {
            let flags = [side, uplo, trans, diag].map(c_int::from);
            let [m, n, lda, ldb, batch] = [m, n, lda, ldb, batch].map(S::from);
            for alpha in [one.as_ptr(), null()] {
                let [side, uplo, trans, diag] = flags;
                let got = trsm(words![h, side, uplo, trans, diag, m, n, alpha, a.a(), lda, b.a(), ldb, batch]);
                assert_eq!(got, status, "{flags:?}");
            }
        }
        let s = S::from;
        let call = |h, alpha: *const c_void, a_array, b_array| {
            trsm(words![h, 0, 1, 0, 0, s(10), s(2), alpha, a_array, s(20), b_array, s(20), s(3)])
        };
        let alpha = one.as_ptr().cast();
        assert_eq!(call(null_mut(), alpha, a.a(), b.a()), NOT_INITIALIZED);
        assert_eq!(call(h, null(), a.a(), b.a()), INVALID_VALUE);
        assert_eq!(call(h, alpha, a.a(), null()), INVALID_VALUE);
        assert!(a.is_untouched() && b.is_untouched());
        // Zero in every type, for which A is not read.
        assert_eq!(call(h, [0.0f64; 2].as_ptr().cast(), null(), b.a()), SUCCESS);
        assert!(!b.is_untouched());
    });
}

#[test]
fn trsm() {
    trsm_answers_as_measured::<c_int>("cublas?trsmBatched");
}

#[test]
fn trsm_64() {
    trsm_answers_as_measured::<i64>("cublas?trsmBatched_64");
}
