//! `tephra_*` functions for Q, least squares and triangular solves: each argument out of range is reported by its
//! position; strides; workspaces.

use super::fixture::{BATCH, Fixture, element};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::library::symbol_name;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Dtype, Library, any_call, words};

const LEFT: c_int = 141;
const RIGHT: c_int = 142;
const N: c_int = 111;
const T: c_int = 112;
const C: c_int = 113;
const UPPER: c_int = 121;
const NON_UNIT: c_int = 131;
const B: i64 = BATCH as i64;

type Raw = *mut c_void;
const NULL: Raw = null_mut();

/// A scalar that is near 1 when read as any of the types.
const NONZERO: [f64; 2] = [f64::from_bits(0x3ff0_0000_3f80_0000); 2];

/// Runs a check on two fixtures for every type: 8 x 5 matrices with their tau, and another 8 x 5 batch.
fn for_each_dtype(check: impl Fn(&Fixture, &Fixture)) {
    for dtype in Dtype::ALL {
        check(&Fixture::new(dtype, 8, 5), &Fixture::new(dtype, 8, 5));
    }
}

/// Calls a function in the fixture's precision.
fn issue(s: &Fixture, pattern: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match include/tephra.h, and the library refuses the invalid ones.
    unsafe { any_call::call(s.lib, &symbol_name(pattern, s.dtype), [0.0; 4], arguments) }
}

fn assert_rows(rows: &[(c_int, c_int)]) {
    for (i, (status, expected)) in rows.iter().enumerate() {
        assert_eq!(status, expected, "row {i}: {}", Library::required().last_error());
    }
}

#[test]
fn orgqr() {
    for_each_dtype(|s, _| {
        let f = |arguments: &[u64]| issue(s, "tephra_?orgqr_batched", arguments);
        let call = |m, n, k, a, lda, tau, batch| f(words![m, n, k, a, lda, tau, batch, s.stream.raw()]);
        let (a, tau) = (s.a(), s.tau());
        assert_rows(&[
            (call(-1, 0, 0, a, 8, tau, B), -1),
            (call(8, -1, 0, a, 8, tau, B), -2),
            (call(4, 5, 4, a, 8, tau, B), -2),
            (call(8, 5, -1, a, 8, tau, B), -3),
            (call(8, 5, 6, a, 8, tau, B), -3),
            (call(8, 5, 5, null(), 8, tau, B), -4),
            (call(8, 5, 5, a, 7, tau, B), -5),
            (call(8, 5, 5, a, 8, null(), B), -6),
            (call(8, 5, 5, a, 8, tau, -1), -7),
            (call(8, 0, 0, null(), 8, null(), B), 0),
            (call(8, 5, 5, null(), 8, null(), 0), 0),
        ]);
        let f = |arguments: &[u64]| issue(s, "tephra_?orgqr_strided_batched", arguments);
        let call = |a, sa, tau, stau, batch| f(words![8, 5, 5, a, 8, sa, tau, stau, batch, s.stream.raw()]);
        let (a, tau) = (s.a_base(), s.tau_base());
        assert_rows(&[
            (call(null_mut(), 40, tau, 5, B), -4),
            (call(a, 7, tau, 5, B), -6),
            (call(a, 40, null_mut(), 5, B), -7),
            (call(a, 40, tau, -1, B), -8),
            (call(a, 40, tau, 5, -1), -9),
        ]);
        assert!(s.is_untouched());
        assert_eq!(call(a, 40, tau, 0, B), 0, "one tau for all");
    });
}

#[test]
fn ormqr() {
    for_each_dtype(|s, other| {
        let f = |arguments: &[u64]| issue(s, "tephra_?ormqr_batched", arguments);
        let call = |side, trans, [m, n, k, lda, ldc, batch]: [i64; 6], a, tau, c| {
            f(words![side, trans, m, n, k, a, lda, tau, c, ldc, batch, s.stream.raw()])
        };
        let (a, tau, c) = (s.a(), s.tau(), other.a());
        let good = [8, 5, 5, 8, 8, B];
        assert_rows(&[
            (call(140, N, good, a, tau, c), -1),
            (call(143, N, good, a, tau, c), -1),
            (call(LEFT, 0, good, a, tau, c), -2),
            (call(LEFT, N, [-1, 5, 5, 8, 8, B], a, tau, c), -3),
            (call(LEFT, N, [8, -1, 5, 8, 8, B], a, tau, c), -4),
            (call(LEFT, N, [8, 5, -1, 8, 8, B], a, tau, c), -5),
            (call(LEFT, N, [8, 5, 9, 8, 8, B], a, tau, c), -5),
            (call(RIGHT, N, [8, 5, 6, 8, 8, B], a, tau, c), -5),
            (call(LEFT, N, good, null(), tau, c), -6),
            (call(LEFT, N, [8, 5, 5, 7, 8, B], a, tau, c), -7),
            (call(RIGHT, N, [8, 5, 5, 4, 8, B], a, tau, c), -7),
            (call(LEFT, N, good, a, null(), c), -8),
            (call(LEFT, N, good, a, tau, null()), -9),
            (call(LEFT, N, [8, 5, 5, 8, 7, B], a, tau, c), -10),
            (call(LEFT, N, [8, 5, 5, 8, 8, -1], a, tau, c), -11),
            (call(LEFT, N, [0, 5, 0, 1, 1, B], null(), null(), null()), 0),
            (call(LEFT, N, [8, 5, 0, 8, 8, B], null(), null(), null()), 0),
            (call(LEFT, N, [8, 5, 5, 8, 8, 0], null(), null(), null()), 0),
        ]);
        assert!(s.is_untouched() && other.is_untouched());

        let f = |arguments: &[u64]| issue(s, "tephra_?ormqr_strided_batched", arguments);
        let (a, tau, c) = (s.a_base(), s.tau_base(), other.a_base());
        let call = |sa, stau, sc| f(words![LEFT, C, 8, 5, 5, a, 8, sa, tau, stau, c, 8, sc, B, s.stream.raw()]);
        assert_rows(&[(call(-1, 5, 40), -8), (call(40, -1, 40), -10), (call(40, 5, 7), -13), (call(40, 5, -40), -13)]);
        assert!(other.is_untouched());
        // The same Q for every member, by strides of 0.
        assert_eq!(call(0, 0, 40), 0);
        assert!(s.is_untouched() && !other.is_untouched());
    });
}

#[test]
fn qr() {
    for_each_dtype(|s, other| {
        let f = |arguments: &[u64]| issue(s, "tephra_?qr_batched", arguments);
        let call = |part, [m, n, lda, ldq, ldr, batch]: [i64; 6], a, q, r| {
            f(words![part, m, n, a, lda, q, ldq, r, ldr, batch, NULL, 0, s.stream.raw()])
        };
        let (a, q, r) = (s.a(), other.a(), other.tau());
        let good = [8, 5, 8, 8, 5, B];
        assert_rows(&[
            (call(3, good, a, q, r), -1),
            (call(-1, good, a, q, r), -1),
            (call(1, [-1, 5, 8, 8, 5, B], a, q, r), -2),
            (call(1, [8, -1, 8, 8, 5, B], a, q, r), -3),
            (call(1, good, null(), q, r), -4),
            (call(1, [8, 5, 7, 8, 5, B], a, q, r), -5),
            (call(1, good, a, null(), r), -6),
            (call(1, [8, 5, 8, 7, 5, B], a, q, r), -7),
            (call(1, good, a, q, null()), -8),
            (call(1, [8, 5, 8, 8, 4, B], a, q, r), -9),
            (call(2, [8, 5, 8, 8, 7, B], a, q, r), -9),
            (call(1, [8, 5, 8, 8, 5, -1], a, q, r), -10),
            // Q stored over A: only thin, tall, and with A's leading dimension; R must not overlap anything.
            (call(2, [8, 5, 8, 8, 8, B], a, a, r), -6),
            (call(1, [5, 8, 8, 8, 5, B], a, a, r), -6),
            (call(1, [8, 5, 9, 8, 5, B], a, a, r), -7),
            (call(1, good, a, q, a), -8),
            (call(1, good, a, q, q), -8),
            // Addresses are compared last, and not at all if there is nothing to do.
            (call(1, [8, 5, 8, 8, 4, B], a, q, a), -9),
            (call(1, [8, 5, 8, 8, 5, -1], a, q, a), -10),
            (call(2, [8, 5, 8, 7, 8, B], a, a, r), -7),
            (call(1, [8, 5, 8, 8, 5, 0], a, a, a), 0),
            (call(2, [0, 5, 1, 1, 1, B], a, a, a), 0),
            (call(0, [0, 5, 1, 0, 1, B], null(), null(), null()), 0),
            (call(1, [8, 5, 8, 8, 5, 0], null(), null(), null()), 0),
        ]);
        assert!(s.is_untouched() && other.is_untouched());
    });
}

/// Operands are the same if they start at the same address, whatever the strides of a single matrix are.
#[test]
fn strides_do_not_hide_that_operands_are_the_same() {
    for_each_dtype(|s, other| {
        let qr = |part, [ldq, stride_q, batch]: [i64; 3], a, q, r| {
            let arguments = words![part, 8, 5, a, 8, 40, q, ldq, stride_q, r, 8, 40, batch, NULL, 0, s.stream.raw()];
            issue(s, "tephra_?qr_strided_batched", arguments)
        };
        let (a, q, r) = (s.a(), other.a(), other.tau());
        let [zero, one] = [0.0, 1.0].map(|x| element(s.dtype, x));
        let geam = |[trans, lda, stride_a, batch]: [i64; 4], a, c| {
            let scalars = [&one, &zero].map(|x| x.as_ptr());
            let arguments = words![
                trans,
                111,
                6,
                6,
                scalars[0],
                a,
                lda,
                stride_a,
                scalars[1],
                NULL,
                6,
                36,
                c,
                6,
                36,
                batch,
                s.stream.raw()
            ];
            issue(s, "tephra_?geam_strided_batched", arguments)
        };
        assert_rows(&[
            (qr(1, [9, 45, 1], a, a, r), -8),
            (qr(1, [8, 48, 2], a, a, r), -9),
            (qr(2, [8, 64, 1], a, a, r), -7),
            (qr(1, [8, 40, 1], a, q, a), -10),
            (qr(1, [8, 40, 1], a, q, q), -10),
            (qr(1, [8, 40, 0], a, a, a), 0),
            (geam([112, 6, 0, 1], a, a), -6),
            (geam([111, 7, 42, 1], a, a), -6),
            (geam([111, 6, 72, 2], a, a), -6),
            (geam([112, 6, 0, 0], a, a), 0),
        ]);
        assert!(s.is_untouched() && other.is_untouched());
    });
}

/// If an operation requires a workspace, then a smaller one, none, or a misaligned one is refused.
#[test]
fn too_small_a_workspace_is_refused() {
    for_each_dtype(|s, _| {
        let query = |arguments: &[u64]| issue(s, "tephra_?gels_batched_workspace", arguments);
        let gels = |arguments: &[u64]| issue(s, "tephra_?gels_batched", arguments);
        let big = Fixture::new(s.dtype, 300, 200);
        let mut bytes = usize::MAX;
        assert_eq!(query(words![N, 300, 200, 200, 300, 300, B, &mut bytes]), 0);
        assert_eq!(query(words![N, 300, 200, 200, 300, 300, B, NULL]), 0);
        let rhs = Fixture::new(s.dtype, 300, 200);
        let call = |work, bytes| {
            gels(words![N, 300, 200, 200, big.a(), 300, rhs.a(), 300, NULL, B, work, bytes, s.stream.raw()])
        };
        if bytes > 0 {
            let work = Memory::new(s.lib, Kind::Device, bytes + 16).unwrap();
            assert_rows(&[
                (call(null_mut(), 0), -12),
                (call(work.pointer(), bytes - 1), -12),
                (call(null_mut(), bytes), -11),
                (call(work.pointer().wrapping_byte_add(4), bytes), -11),
            ]);
            assert!(big.is_untouched() && rhs.is_untouched());
        }
        for ([m, n, nrhs, lda, ldb, batch], position) in [
            ([-1, 200, 2, 300, 300, B], 2),
            ([300, -1, 2, 300, 300, B], 3),
            ([300, 200, -1, 300, 300, B], 4),
            ([300, 200, 2, 299, 300, B], 5),
            ([300, 200, 2, 300, 299, B], 6),
            ([300, 200, 2, 300, 300, -1], 7),
        ] {
            assert_eq!(query(words![N, m, n, nrhs, lda, ldb, batch, &mut bytes]), -position);
        }
        assert_eq!(query(words![0, 3, 2, 1, 3, 3, 1, &mut bytes]), -1);
        assert_eq!(query(words![N, 0, 0, 1, 1, 1, 1, &mut bytes]), 0);
        assert_eq!(bytes, 0);
    });
}

#[test]
fn gels() {
    for_each_dtype(|s, other| {
        let f = |arguments: &[u64]| issue(s, "tephra_?gels_batched", arguments);
        let call = |trans, [m, n, nrhs, lda, ldb, batch]: [i64; 6], a, b| {
            f(words![trans, m, n, nrhs, a, lda, b, ldb, s.info(), batch, NULL, 0, s.stream.raw()])
        };
        let (a, b) = (s.a(), other.a());
        let good = [8, 5, 2, 8, 8, B];
        // LAPACK does not offer the plain transpose for complex matrices; for real ones, with m < n, this B is too
        // short.
        let plain = call(T, [5, 8, 2, 5, 7, B], a, b);
        assert_eq!(plain, if s.dtype.is_complex() { -1 } else { -8 });
        assert_rows(&[
            (call(0, good, a, b), -1),
            (call(N, [-1, 5, 2, 8, 8, B], a, b), -2),
            (call(N, [8, -1, 2, 8, 8, B], a, b), -3),
            (call(N, [8, 5, -1, 8, 8, B], a, b), -4),
            (call(N, good, null(), b), -5),
            (call(N, [8, 5, 2, 7, 8, B], a, b), -6),
            (call(N, good, a, null()), -7),
            (call(N, [8, 5, 2, 8, 7, B], a, b), -8),
            (call(N, [5, 8, 2, 5, 7, B], a, b), -8),
            (call(N, [8, 5, 2, 8, 8, -1], a, b), -10),
            (call(N, [8, 5, 2, 8, 8, 0], null(), null()), 0),
        ]);
        assert!(s.is_untouched() && other.is_untouched());
        assert_rows(&[
            (call(N, [8, 0, 2, 8, 8, B], null(), null()), 0),
            (call(C, [0, 5, 2, 1, 5, B], null(), null()), 0),
        ]);
        assert!(other.is_untouched());
        // Without right-hand sides B need not exist, nor have a stride.
        let strided = |nrhs: i64, stride_b: i64| {
            let sizes =
                words![N, 8, 5, nrhs, s.a_base(), 8, 40, NULL, 8, stride_b, s.info(), B, NULL, 0, s.stream.raw()];
            issue(s, "tephra_?gels_strided_batched", sizes)
        };
        assert_rows(&[(strided(1, 40), -8), (strided(0, 0), 0)]);
        // Without equations the shortest X is zero, so the call succeeds for every matrix.
        assert_eq!(call(N, [0, 5, 2, 1, 8, B], null(), b), 0);
        assert_eq!(s.infos(), [0; BATCH]);
        let column = 8 * s.dtype.bytes();
        let x = other.matrices();
        assert!(x.chunks(5 * column).all(|member| {
            member[..2 * column].chunks(column).all(|x| x[..column / 8 * 5].iter().all(|&byte| byte == 0))
        }));
    });
}

#[test]
fn trsm() {
    for_each_dtype(|s, other| {
        let f = |arguments: &[u64]| issue(s, "tephra_?trsm_batched", arguments);
        let one = NONZERO;
        let some = one.as_ptr().cast::<c_void>();
        let call = |flags: [c_int; 4], [m, n, lda, ldb, batch]: [i64; 5], alpha, a, b| {
            let [side, uplo, trans, diag] = flags;
            f(words![side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, s.stream.raw()])
        };
        let (a, b, flags, good) = (s.a(), other.a(), [LEFT, UPPER, N, NON_UNIT], [5, 5, 8, 8, B]);
        assert_rows(&[
            (call([0, UPPER, N, NON_UNIT], good, some, a, b), -1),
            (call([LEFT, 0, N, NON_UNIT], good, some, a, b), -2),
            (call([LEFT, UPPER, 0, NON_UNIT], good, some, a, b), -3),
            (call([LEFT, UPPER, N, 0], good, some, a, b), -4),
            (call(flags, [-1, 5, 8, 8, B], some, a, b), -5),
            (call(flags, [5, -1, 8, 8, B], some, a, b), -6),
            (call(flags, good, null(), a, b), -7),
            (call(flags, good, some, null(), b), -8),
            (call(flags, [5, 5, 4, 8, B], some, a, b), -9),
            (call([RIGHT, UPPER, N, NON_UNIT], [8, 5, 4, 8, B], some, a, b), -9),
            (call(flags, good, some, a, null()), -10),
            (call(flags, [5, 5, 8, 4, B], some, a, b), -11),
            (call(flags, [5, 5, 8, 8, -1], some, a, b), -12),
            (call(flags, [0, 5, 8, 8, B], null(), null(), null()), 0),
            (call(flags, [5, 5, 8, 8, 0], null(), null(), null()), 0),
        ]);
        assert!(s.is_untouched() && other.is_untouched());
    });
}

#[test]
fn block_reflectors() {
    for_each_dtype(|s, other| {
        let larft = |arguments: &[u64]| issue(s, "tephra_?larft_batched", arguments);
        let (v, tau, t) = (s.a(), s.tau(), other.a());
        let call = |[m, k, ldv, ldt, batch]: [i64; 5], v, tau, t| {
            larft(words![m, k, v, ldv, tau, t, ldt, batch, s.stream.raw()])
        };
        assert_rows(&[
            (call([-1, 0, 8, 5, B], v, tau, t), -1),
            (call([8, -1, 8, 5, B], v, tau, t), -2),
            (call([4, 5, 8, 5, B], v, tau, t), -2),
            (call([8, 5, 8, 5, B], null(), tau, t), -3),
            (call([8, 5, 7, 5, B], v, tau, t), -4),
            (call([8, 5, 8, 5, B], v, null(), t), -5),
            (call([8, 5, 8, 5, B], v, tau, null()), -6),
            (call([8, 5, 8, 4, B], v, tau, t), -7),
            (call([8, 5, 8, 5, -1], v, tau, t), -8),
            (call([8, 0, 8, 1, B], null(), null(), null()), 0),
        ]);
        let larfb = |arguments: &[u64]| issue(s, "tephra_?larfb_batched", arguments);
        let call = |side, trans, [m, n, k, ldv, ldt, ldc, batch]: [i64; 7], v, t, c| {
            larfb(words![side, trans, m, n, k, v, ldv, t, ldt, c, ldc, batch, s.stream.raw()])
        };
        let (good, c) = ([8, 5, 5, 8, 5, 8, B], other.a());
        let plain = call(LEFT, T, [-1, 5, 5, 8, 5, 8, B], v, t, c);
        assert_eq!(plain, if s.dtype.is_complex() { -2 } else { -3 });
        assert_rows(&[
            (call(0, N, good, v, t, c), -1),
            (call(LEFT, 0, good, v, t, c), -2),
            (call(LEFT, N, [-1, 5, 5, 8, 5, 8, B], v, t, c), -3),
            (call(LEFT, N, [8, -1, 5, 8, 5, 8, B], v, t, c), -4),
            (call(LEFT, N, [8, 5, 9, 8, 9, 8, B], v, t, c), -5),
            (call(LEFT, N, good, null(), t, c), -6),
            (call(LEFT, N, [8, 5, 5, 7, 5, 8, B], v, t, c), -7),
            (call(LEFT, N, good, v, null(), c), -8),
            (call(LEFT, N, [8, 5, 5, 8, 4, 8, B], v, t, c), -9),
            (call(LEFT, N, good, v, t, null()), -10),
            (call(LEFT, N, [8, 5, 5, 8, 5, 7, B], v, t, c), -11),
            (call(LEFT, N, [8, 5, 5, 8, 5, 8, -1], v, t, c), -12),
            (call(LEFT, N, [8, 0, 5, 8, 5, 8, B], null(), null(), null()), 0),
        ]);
        assert!(s.is_untouched() && other.is_untouched());
    });
}

/// With nothing to do, all codes are 0 and nothing else is written. More codes than can exist are refused.
#[test]
fn codes_are_zero_where_there_is_nothing_to_do() {
    for_each_dtype(|s, other| {
        let (a, b, base, tau) = (s.a(), other.a(), s.a_base(), s.tau());
        let check = |pattern: &str, arguments: &dyn Fn(i64, *mut c_int) -> Vec<u64>, batch: i64| {
            s.restore();
            let none = issue(s, pattern, &arguments(batch, null_mut()));
            assert!(none == 0 && s.is_untouched(), "{pattern}: {none}");
            assert_eq!(issue(s, pattern, &arguments(0, s.info())), 0, "{pattern}");
            assert!(s.is_untouched(), "{pattern}: an empty batch has no codes");
            assert_eq!(issue(s, pattern, &arguments(batch, s.info())), 0, "{pattern}: {}", s.lib.last_error());
            assert_eq!(s.infos(), [0; BATCH], "{pattern}");
            s.restore();
            assert!(issue(s, pattern, &arguments(1 << 61, s.info())) < 0, "{pattern}");
            assert!(s.is_untouched() && other.is_untouched(), "{pattern}");
        };
        let stream = s.stream.raw();
        check("tephra_?gels_batched", &|n, i| words![N, 5, 0, 2, a, 5, b, 5, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?gels_batched", &|n, i| words![N, 0, 5, 0, a, 1, b, 5, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?gels_batched", &|n, i| words![C, 0, 5, 2, a, 1, b, 5, i, n, NULL, 0, stream].to_vec(), B);
        check(
            "tephra_?gels_strided_batched",
            &|n, i| words![N, 5, 0, 2, base, 5, 5, other.a_base(), 5, 10, i, n, NULL, 0, stream].to_vec(),
            B,
        );
        check(
            "tephra_?gels_iterative_batched",
            &|n, i| words![5, 5, 0, a, 5, b, 5, b, 5, 0, NULL, NULL, i, n, NULL, 0, stream].to_vec(),
            B,
        );
        check("tephra_?getrf_batched", &|n, i| words![0, 5, a, 1, tau, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?getrf_nopiv_batched", &|n, i| words![5, 0, a, 5, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?gesv_batched", &|n, i| words![0, 2, a, 1, tau, b, 1, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?gesv_rbt_batched", &|n, i| words![5, 0, a, 5, b, 5, i, n, stream].to_vec(), B);
        check("tephra_?getri_batched", &|n, i| words![0, a, 1, tau, b, 1, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?inv_batched", &|n, i| words![0, a, 1, b, 1, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?potrf_batched", &|n, i| words![UPPER, 0, a, 1, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?potri_batched", &|n, i| words![UPPER, 0, a, 1, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?posv_batched", &|n, i| words![UPPER, 0, 2, a, 1, b, 1, i, n, NULL, 0, stream].to_vec(), B);
        check("tephra_?trtri_batched", &|n, i| words![UPPER, NON_UNIT, 0, a, 1, i, n, stream].to_vec(), B);
        // A single matrix has a single code.
        let one = |arguments: &[u64]| {
            s.restore();
            assert_eq!(issue(s, "tephra_?gels", arguments), 0, "{}", s.lib.last_error());
            assert!(s.infos()[0] == 0 && s.infos()[1] != 0);
        };
        one(words![N, 5, 0, 2, base, 5, other.a_base(), 5, s.info(), NULL, 0, stream]);
    });
}

#[test]
fn explain_knows_every_operation() {
    let lib = Library::required();
    for op in ["dorgqr", "zungqr", "sormqr", "cunmqr", "dqr", "zgels", "strsm", "dlarft", "dlarfb"] {
        assert!(!lib.explain(op, 33, 32, 100).unwrap().is_empty(), "{op}");
        assert!(lib.explain(op, -1, 1, 1).unwrap_err().to_string().contains("-2"), "{op}");
    }
    assert!(lib.explain("dorgqr", 3, 4, 1).unwrap_err().to_string().contains("-3"));
    assert!(!lib.explain("slaswp_vbatched", 33, 32, 100).unwrap().is_empty());
    for (op, said) in [
        ("dormlq", "unknown operation \"dormlq\" (known: [sdcz] and geqrf, "),
        ("geqrf", "unknown operation \"geqrf\""),
        ("", "unknown operation \"\""),
        ("dgeqrf --k 3", "dgeqrf has no --k 3"),
        ("dgemm --k x", "--k x is not an option (known: --k, --nrhs, --trans, --strided)"),
        ("dgemm_vbatched --strided", "dgemm_vbatched has no --strided"),
        ("dgemm --lda 3", "--lda 3 is not an option"),
        ("dgetrs --trans", "--trans  is not an option"),
    ] {
        for (name, answer) in
            [("tephra_explain", lib.explain(op, 3, 4, 1)), ("tephra_candidates", lib.candidates(op, 3, 4, 1))]
        {
            let text = answer.unwrap_err().to_string();
            assert!(text.contains(&format!("{name}: argument op: {said}")), "{op}: {text}");
        }
    }
}

#[test]
fn explain_and_candidates_name_the_argument_that_is_wrong() {
    let lib = Library::required();
    const MOST: i64 = i64::MAX;
    for (op, m, n, batch, position) in [
        ("dormqr --k 5", 4, 4, 1, 1),
        ("dgemm", 1, MOST, 1, 3),
        (&*format!("dgemm --k {MOST}"), 2, 2, 1, 1),
        (&*format!("dgesv --nrhs {MOST}"), 2, 2, 1, 1),
        ("zsyrk --trans c", 4, 4, 1, 1),
        ("dlaswp", MOST, MOST, 1, 2),
        ("dlaswp", MOST, 2, 1, 2),
        ("dlu_to_permutation", MOST, 2, 1, 2),
        ("dgeqrf", 2, 2, MOST, 4),
        ("dgeqrf_vbatched", -1, 2, 1, 2),
        ("zunmqr_vbatched", 2, -1, 1, 3),
        ("sgemm_vbatched", 2, -1, 1, 3),
        ("dgesv_vbatched", 2, -1, 1, 3),
        ("dlaswp_vbatched", 2, -1, 1, 3),
        ("dsyrk", -1, 2, 1, 2),
        ("zher2k_vbatched", 2, -1, 1, 3),
    ] {
        for answer in [lib.explain(op, m, n, batch), lib.candidates(op, m, n, batch)] {
            let text = answer.unwrap_err().to_string();
            assert!(text.contains(&format!("(status -{position})")), "{op} {m} {n} {batch}: {text}");
        }
    }
}
