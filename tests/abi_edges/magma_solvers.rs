//! MAGMA's functions for Q, least squares and triangular solves.

use super::fixture::{BATCH, Fixture, assert_line};
use super::magma::illegal;
use crate::stderr::stderr_of;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::library::symbol_name;
use tephra_testkit::{Dtype, any_call, words};

const LEFT: c_int = 141;
const RIGHT: c_int = 142;
const N: c_int = 111;
const T: c_int = 112;
const C: c_int = 113;
const B: c_int = BATCH as c_int;

const NULL: *mut c_void = null_mut();

fn for_each_dtype(check: impl Fn(&Fixture, &Fixture)) {
    for dtype in Dtype::ALL {
        check(&Fixture::new(dtype, 8, 5), &Fixture::new(dtype, 8, 5));
    }
}

/// Calls a function in the fixture's precision; scalars passed by value are 2.
fn issue(s: &Fixture, pattern: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match MAGMA's headers, and the library refuses the invalid ones.
    unsafe { any_call::call(s.lib, &symbol_name(pattern, s.dtype), [2.0, 0.0, 0.0, 0.0], arguments) }
}

/// Checks the return value, and the line that xerbla prints.
fn refused(name: &str, expected: c_int, call: impl Fn() -> c_int) {
    let (answer, text) = stderr_of(call);
    assert_eq!(answer, expected, "{name}");
    assert_line(&text, &illegal(name, -expected));
}

#[test]
fn ormqr() {
    for_each_dtype(|s, other| {
        let pattern = "magma_?ormqr_batched";
        let (name, f, queue) =
            (symbol_name(pattern, s.dtype), |arguments: &[u64]| issue(s, pattern, arguments), s.queue());
        let call = |side, trans, [m, n, k, lda, ldc, batch]: [c_int; 6], a, lwork: i64| {
            let (mut lwork, q) = (lwork, queue.raw());
            f(words![side, trans, m, n, k, a, lda, s.tau(), other.a(), ldc, NULL, &mut lwork, s.info(), batch, q])
        };
        let good = [8, 5, 5, 8, 8, B];
        for (side, trans, sizes, expected) in [
            (0, N, good, -1),
            (LEFT, 0, good, -2),
            (LEFT, N, [-1, 5, 5, 8, 8, B], -3),
            (LEFT, N, [8, -1, 5, 8, 8, B], -4),
            (LEFT, N, [8, 5, 9, 8, 8, B], -5),
            (RIGHT, N, [8, 5, 6, 8, 8, B], -5),
            (LEFT, N, [8, 5, 5, 7, 8, B], -7),
            (LEFT, N, [8, 5, 5, 8, 7, B], -10),
            (LEFT, N, [8, 5, 5, 8, 8, -1], -14),
        ] {
            refused(&name, expected, || call(side, trans, sizes, s.a(), 0));
        }
        if s.dtype.is_complex() {
            refused(&name, -2, || call(LEFT, T, good, s.a(), 0));
        }
        refused(&name, -6, || call(LEFT, N, good, null(), 0));
        refused(&name, -12, || {
            f(words![LEFT, N, 8, 5, 5, s.a(), 8, s.tau(), other.a(), 8, NULL, NULL, s.info(), B, queue.raw()])
        });
        // A query checks no other argument; with nothing to do, the codes stay unchanged.
        let mut lwork = -1i64;
        let query = f(words![0, 0, -1, -1, -1, NULL, -1, NULL, NULL, -1, NULL, &mut lwork, NULL, -1, queue.raw()]);
        assert_eq!((query, lwork), (0, 0));
        for sizes in [[0, 5, 0, 1, 1, B], [8, 5, 0, 8, 8, B], [8, 5, 5, 8, 8, 0]] {
            assert_eq!(call(LEFT, N, sizes, s.a(), 0), 0);
        }
        assert!(s.is_untouched() && other.is_untouched());
        assert_eq!(call(LEFT, C, good, s.a(), 1 << 40), 0, "more than needed is fine");
        assert_eq!(s.infos(), [0; BATCH]);
        assert!(!other.is_untouched());
    });
}

#[test]
fn orgqr() {
    for_each_dtype(|s, _| {
        let pattern = "magma_?orgqr_batched";
        let (name, f, queue) =
            (symbol_name(pattern, s.dtype), |arguments: &[u64]| issue(s, pattern, arguments), s.queue());
        let call =
            |[m, n, k, lda, batch]: [c_int; 5], a, info| f(words![m, n, k, a, lda, s.tau(), info, batch, queue.raw()]);
        for (sizes, expected) in [
            ([-1, 0, 0, 8, B], -1),
            ([4, 5, 4, 8, B], -2),
            ([8, 5, 6, 8, B], -3),
            ([8, 5, 5, 7, B], -5),
            ([8, 5, 5, 8, -1], -8),
        ] {
            refused(&name, expected, || call(sizes, s.a(), s.info()));
        }
        refused(&name, -4, || call([8, 5, 5, 8, B], null(), s.info()));
        assert_eq!(call([8, 0, 0, 8, B], null(), s.info()), 0);
        assert!(s.is_untouched());
        assert_eq!(call([8, 5, 5, 8, B], s.a(), s.info()), 0);
        assert_eq!(s.infos(), [0; BATCH]);
        s.restore();
        assert_eq!(call([8, 5, 5, 8, B], s.a(), null_mut()), 0, "codes are not needed");
    });
}

#[test]
fn gels() {
    for_each_dtype(|s, other| {
        let pattern = "magma_?gels_batched";
        let (name, f, queue) =
            (symbol_name(pattern, s.dtype), |arguments: &[u64]| issue(s, pattern, arguments), s.queue());
        let call = |trans, [m, n, nrhs, lda, ldb, batch]: [c_int; 6], a| {
            f(words![trans, m, n, nrhs, a, lda, other.a(), ldb, NULL, 0, s.info(), batch, queue.raw()])
        };
        let good = [8, 5, 2, 8, 8, B];
        for (trans, sizes, expected) in [
            (0, good, -1),
            (N, [-1, 5, 2, 8, 8, B], -2),
            (N, [8, -1, 2, 8, 8, B], -3),
            (N, [8, 5, -1, 8, 8, B], -4),
            (N, [8, 5, 2, 7, 8, B], -6),
            (N, [5, 8, 2, 5, 7, B], -8),
            (N, [8, 5, 2, 8, 8, -1], -12),
        ] {
            refused(&name, expected, || call(trans, sizes, s.a()));
        }
        if s.dtype.is_complex() {
            refused(&name, -1, || call(T, good, s.a()));
        }
        refused(&name, -5, || call(N, good, null()));
        // The size of the unused host workspace, one element, is reported as LAPACK does.
        let mut hwork = [0u8; 16];
        let ask = f(words![0, -1, -1, -1, NULL, 0, NULL, 0, &mut hwork, -1, NULL, -1, queue.raw()]);
        let one = if s.dtype.is_double() { 1f64.to_ne_bytes().to_vec() } else { 1f32.to_ne_bytes().to_vec() };
        assert_eq!((ask, &hwork[..one.len()]), (0, &one[..]));
        assert!(s.is_untouched() && other.is_untouched());
        for nothing in [[8, 0, 2, 8, 8, B], [0, 5, 0, 1, 8, B], good] {
            s.restore();
            assert_eq!(call(N, nothing, s.a()), 0);
            assert_eq!(s.infos(), [0; BATCH], "{nothing:?}");
        }
    });
}

#[test]
fn trsm_says_what_is_wrong_on_stderr() {
    let (s, other) = (Fixture::new(Dtype::D, 8, 5), Fixture::new(Dtype::D, 8, 5));
    let queue = s.queue();
    for pattern in ["magmablas_?trsm_batched", "magmablas_?trsm_inv_batched"] {
        let (name, f) = (symbol_name(pattern, s.dtype), |arguments: &[u64]| issue(&s, pattern, arguments));
        let call = |flags: [c_int; 4], [m, n, lda, ldb, batch]: [c_int; 5], a| {
            let [side, uplo, trans, diag] = flags;
            f(words![side, uplo, trans, diag, m, n, a, lda, other.a(), ldb, batch, queue.raw()]);
        };
        let (flags, good) = ([LEFT, 121, N, 131], [5, 5, 8, 8, B]);
        for (flags, sizes, position) in [
            ([0, 121, N, 131], good, 1),
            ([LEFT, 0, N, 131], good, 2),
            ([LEFT, 121, 0, 131], good, 3),
            ([LEFT, 121, N, 0], good, 4),
            (flags, [-1, 5, 8, 8, B], 5),
            (flags, [5, -1, 8, 8, B], 6),
            (flags, [5, 5, 4, 8, B], 9),
            (flags, [5, 5, 8, 4, B], 11),
            (flags, [5, 5, 8, 8, -1], 12),
        ] {
            let ((), text) = stderr_of(|| call(flags, sizes, s.a()));
            assert_line(&text, &illegal(&name, position));
        }
        let ((), text) = stderr_of(|| call(flags, good, null()));
        assert_line(&text, &illegal(&name, 8));
        call(flags, [0, 5, 8, 8, B], null());
        call(flags, [5, 5, 8, 8, 0], null());
        assert!(s.is_untouched() && other.is_untouched());
    }
    issue(&s, "magmablas_?trsm_inv_batched", words![LEFT, 121, N, 131, 5, 5, s.a(), 8, other.a(), 8, B, queue.raw()]);
    assert!(s.is_untouched() && !other.is_untouched());
}
