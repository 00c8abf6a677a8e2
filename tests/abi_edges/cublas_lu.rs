//! `cublas?getrfBatched`, `getrsBatched`, `getriBatched`, `matinvBatched`: the answers measured on cuBLAS 13.1, and
//! NULL arguments.

use super::fixture::{BATCH, element, integers};
use super::lu_fixture::{Input, LuFixture, on_every_dtype, value};
use std::ffi::c_int;

const SUCCESS: c_int = 0;
const NOT_INITIALIZED: c_int = 1;
const INVALID_VALUE: c_int = 7;
const EXECUTION_FAILED: c_int = 13;
/// The value of host integers before a call.
const UNSET: c_int = 77;
const B: i64 = BATCH as i64;
const N: usize = 10;
const NULL: u64 = 0;

const GETRF: &str = "cublas?getrfBatched";
const GETRS: &str = "cublas?getrsBatched";
const GETRI: &str = "cublas?getriBatched";
const MATINV: &str = "cublas?matinvBatched";

/// Calls `getrs` with its host integer. Returns the status and the integer's value.
fn getrs(s: &LuFixture, [trans, n, nrhs, lda, ldb, batch]: [i64; 6], replaced: (&str, u64)) -> (c_int, c_int) {
    let mut info = UNSET;
    let host = &raw mut info as u64;
    let words = format!("handle {trans} {n} {nrhs} A {lda} pivots C {ldb} {host} {batch}");
    (s.call(GETRS, &words, replaced), info)
}

/// The pivots of each member, which are stored contiguously. Checks that nothing was written beyond them.
fn pivots(s: &LuFixture, n: usize) -> Vec<Vec<c_int>> {
    let (all, poison) = (integers(&s.pivots.factors()), c_int::from_ne_bytes([0xa7; 4]));
    assert!(all[BATCH * n..].iter().all(|&p| p == poison));
    all[..BATCH * n].chunks(n).map(<[c_int]>::to_vec).collect()
}

/// Factors the matrices and returns the codes.
fn factor(s: &LuFixture, n: usize) -> [c_int; BATCH] {
    assert_eq!(s.run(GETRF, &format!("handle {n} A {n} pivots info {B}")), SUCCESS);
    s.codes()
}

/// For routines without a host integer: checks the status for each row of arguments, and that nothing is written.
fn answers(fixture: &LuFixture, routine: &str, rows: &[(&str, c_int)]) {
    for (words, status) in rows {
        assert_eq!(fixture.run(routine, words), *status, "{routine} {words}");
    }
    assert!(fixture.is_untouched());
}

fn refuses(fixture: &LuFixture, routine: &str, words: &str, arrays: &[&str]) {
    assert_eq!(fixture.call(routine, words, ("handle", NULL)), NOT_INITIALIZED);
    // cuBLAS would fault on the device; here they are bad arguments.
    for array in arrays {
        assert_eq!(fixture.call(routine, words, (array, NULL)), INVALID_VALUE, "{routine} without {array}");
    }
    assert!(fixture.is_untouched());
}

const GETRF_WORDS: &str = "handle 10 A 10 pivots info 3";
const GETRI_WORDS: &str = "handle 10 A 10 pivots C 10 info 3";

#[test]
fn getrf_answers_as_measured() {
    on_every_dtype(N, Input::Regular, |s| {
        answers(
            s,
            GETRF,
            &[
                ("handle -1 A 10 pivots info 3", INVALID_VALUE),
                ("handle 10 A 9 pivots info 3", INVALID_VALUE),
                ("handle 0 A 0 pivots info 3", INVALID_VALUE),
                ("handle 10 A 10 pivots info -1", INVALID_VALUE),
                ("handle 10 A 10 pivots info 0", SUCCESS),
                ("handle 0 A 10 pivots info 3", SUCCESS),
                ("handle 0 0 1 0 0 3", SUCCESS),
            ],
        );
        refuses(s, GETRF, GETRF_WORDS, &["A"]);
    });
}

#[test]
fn getrf_tells_pivots_and_codes() {
    let identity: Vec<c_int> = (1..=N as c_int).collect();
    for (input, codes) in [
        (Input::Regular, [0, 0, 0]),
        (Input::Singular, [0, 3, 0]),
        (Input::Zero, [0, 1, 0]),
        (Input::Nan, [0, 0, 0]),
        (Input::Tied, [0, 0, 0]),
    ] {
        on_every_dtype(N, input, |s| {
            assert_eq!(factor(s, N), codes);
            // If no element exceeds the diagonal, rows are not exchanged; among ties the first element is chosen.
            let moved = if let Input::Singular = input { [0, 2].to_vec() } else { (0..BATCH).collect() };
            moved.iter().for_each(|&i| assert_eq!(pivots(s, N)[i], identity));
            let with_pivots = s.a.matrices();
            s.restore();
            assert_eq!(s.call(GETRF, GETRF_WORDS, ("pivots", NULL)), SUCCESS, "without pivoting");
            assert_eq!(s.codes(), codes);
            assert!(s.pivots.is_untouched());
            let same = with_pivots == s.a.matrices();
            assert!(same || matches!(input, Input::Singular), "the same factors, as no rows are exchanged");
        });
    }
}

/// With nontrivial pivots, which are stored member after member.
#[test]
fn getrf_writes_pivots_of_each_matrix() {
    for n in [N, 33] {
        on_every_dtype(n, Input::Regular, |s| {
            let mut upside_down = LuFixture::new(s.a.dtype, n, Input::Regular);
            // Reverses the rows of all members but the first.
            upside_down.a.fill(n, |b, i, j| value(Input::Regular, n, (b, if b == 0 { i } else { n - 1 - i }, j)));
            assert_eq!(factor(&upside_down, n), [0; BATCH]);
            let pivots = pivots(&upside_down, n);
            let identity: Vec<c_int> = (1..=n as c_int).collect();
            let turned = |k: usize| if 2 * k < n { n - k } else { k + 1 };
            let turned: Vec<c_int> = (0..n).map(|k| turned(k) as c_int).collect();
            assert_eq!(pivots, [identity, turned.clone(), turned]);
            factor(s, n);
            let (size, factors) = (n * n * s.a.dtype.bytes(), upside_down.a.matrices());
            assert_eq!(s.a.matrices()[..size], factors[..size]);
            // The order of summation may depend on where a row was before the interchanges.
            let parts = |bytes: &[u8]| -> Vec<f64> {
                if s.a.dtype.is_double() {
                    bytes.as_chunks().0.iter().map(|&part| f64::from_ne_bytes(part)).collect()
                } else {
                    bytes.as_chunks().0.iter().map(|&part| f32::from_ne_bytes(part).into()).collect()
                }
            };
            let (wanted, got) = (parts(&s.a.matrices()[size..]), parts(&factors[size..]));
            let far = wanted.iter().zip(&got).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(far <= 100.0 * s.a.dtype.eps(), "the same after the interchanges, but for {far:e}");
        });
    }
}

/// cuBLAS faults on the device if info is NULL; here the codes are simply not reported.
#[test]
fn codes_need_not_be_wanted() {
    for n in [8usize, 16, 24, 32, 40] {
        on_every_dtype(n, Input::Singular, |s| {
            let words = format!("handle {n} A {n} pivots info {B}");
            assert_eq!(s.call(GETRF, &words, ("info", NULL)), SUCCESS);
            let factors = s.a.matrices();
            s.restore();
            assert_eq!(s.run(GETRF, &words), SUCCESS);
            assert!(s.a.matrices() == factors && s.codes() == [0, 3, 0]);
        });
    }
}

#[test]
fn getrs_answers_as_measured() {
    // (trans, n, nrhs, lda, ldb, batch), status, info
    let rows = [
        ([9, 10, 2, 10, 10, B], INVALID_VALUE, -1),
        ([0, -1, 2, 10, 10, B], INVALID_VALUE, -2),
        ([0, 10, -1, 10, 10, B], INVALID_VALUE, -3),
        ([0, 10, 2, 9, 10, B], INVALID_VALUE, -5),
        ([0, 10, 2, 10, 9, B], INVALID_VALUE, -8),
        ([0, 10, 2, 10, 10, 0], EXECUTION_FAILED, 0),
        ([0, 10, 2, 10, 10, -1], EXECUTION_FAILED, 0),
        ([0, 0, 2, 10, 10, B], SUCCESS, 0),
        ([0, 10, 0, 10, 10, B], SUCCESS, 0),
    ];
    on_every_dtype(N, Input::Regular, |s| {
        let good = [0, 10, 2, 10, 10, B];
        for (sizes, status, info) in rows {
            assert_eq!(getrs(s, sizes, ("", NULL)), (status, info), "{sizes:?}");
        }
        assert_eq!(getrs(s, good, ("handle", NULL)), (NOT_INITIALIZED, UNSET));
        assert_eq!(s.run(GETRS, "handle 0 10 2 A 10 pivots C 10 0 3"), INVALID_VALUE, "info is NULL");
        // cuBLAS would fault on the device; here they are bad arguments.
        assert_eq!(getrs(s, good, ("A", NULL)), (INVALID_VALUE, -4));
        assert_eq!(getrs(s, good, ("C", NULL)), (INVALID_VALUE, -7));
        assert!(s.is_untouched());

        factor(s, N);
        for trans in [0, 1, 2] {
            s.c.restore();
            assert_eq!(getrs(s, [trans, 10, 2, 10, 10, B], ("", NULL)), (SUCCESS, 0));
            let solved = s.c.matrices();
            s.c.restore();
            assert_eq!(getrs(s, [trans, 10, 2, 10, 10, B], ("pivots", NULL)), (SUCCESS, 0), "without interchanges");
            assert!(s.c.matrices() == solved && !s.c.is_untouched(), "which are none here");
        }
    });
}

#[test]
fn getri_answers_as_measured() {
    on_every_dtype(N, Input::Regular, |s| {
        answers(
            s,
            GETRI,
            &[
                ("handle -1 A 10 pivots C 10 info 3", INVALID_VALUE),
                ("handle 10 A 9 pivots C 10 info 3", INVALID_VALUE),
                ("handle 10 A 10 pivots C 9 info 3", INVALID_VALUE),
                ("handle 10 A 10 pivots C 10 info -1", INVALID_VALUE),
                ("handle 10 A 10 pivots C 10 info 0", SUCCESS),
                ("handle 0 A 10 pivots C 10 info 3", SUCCESS),
            ],
        );
        refuses(s, GETRI, GETRI_WORDS, &["A", "C"]);
        factor(s, N);
        assert_eq!(s.run(GETRI, GETRI_WORDS), SUCCESS);
        let (codes, inverses) = (s.codes(), s.c.matrices());
        s.c.restore();
        assert_eq!(s.call(GETRI, GETRI_WORDS, ("pivots", NULL)), SUCCESS, "without interchanges");
        assert!(codes == [0; BATCH] && s.codes() == codes && s.c.matrices() == inverses && !s.c.is_untouched());
    });
}

/// The inverse of a singular member is NaN in every element; the other members have theirs.
#[test]
fn singular_members_have_codes_and_no_inverse() {
    for (input, code, n) in
        [(Input::Zero, 1, N), (Input::Singular, 3, N), (Input::Singular, 3, 32), (Input::Zero, 1, 150)]
    {
        on_every_dtype(n, input, |s| {
            let regular = LuFixture::new(s.a.dtype, n, Input::Regular);
            let (getri, matinv) =
                (format!("handle {n} A {n} pivots C {n} info 3"), format!("handle {n} A {n} C {n} info 3"));
            for (routine, words) in [(GETRI, &getri), (MATINV, &matinv)].into_iter().take(if n > 32 { 1 } else { 2 }) {
                let inverses = [s, &regular].map(|fixture| {
                    fixture.restore();
                    if routine == GETRI {
                        factor(fixture, n);
                    }
                    assert_eq!(fixture.run(routine, words), SUCCESS);
                    fixture.solutions(n)
                });
                assert!(s.is_nan(&inverses[0][1]), "{routine} {n}");
                assert_eq!((s.codes(), regular.codes()), ([0, code, 0], [0; BATCH]), "{routine}");
                assert!([0, 2].iter().all(|&i| inverses[0][i] == inverses[1][i]), "{routine}");
            }
        });
    }
}

#[test]
fn matinv_answers_as_measured() {
    on_every_dtype(33, Input::Singular, |s| {
        answers(
            s,
            MATINV,
            &[
                ("handle 33 A 33 C 33 info 3", INVALID_VALUE),
                ("handle -1 A 33 C 33 info 3", INVALID_VALUE),
                ("handle 0 A 33 C 33 info 3", SUCCESS),
                ("handle 10 A 9 C 33 info 3", INVALID_VALUE),
                ("handle 10 A 33 C 9 info 3", INVALID_VALUE),
                ("handle 10 A 33 C 33 info 0", SUCCESS),
                ("handle 10 A 33 C 33 info -1", INVALID_VALUE),
            ],
        );
        refuses(s, MATINV, "handle 10 A 33 C 33 info 3", &["A", "C"]);
        for n in [10, 32] {
            assert_eq!(s.run(MATINV, &format!("handle {n} A 33 C 33 info 3")), SUCCESS);
            assert_eq!(s.codes(), [0, 3, 0], "n = {n}");
        }
    });
}

/// A is only read, and the result is its inverse.
#[test]
fn matinv_inverts() {
    on_every_dtype(2, Input::Regular, |s| {
        let mut s = LuFixture::new(s.a.dtype, 2, Input::Regular);
        // [0 2; 4 0] needs its rows exchanged; its inverse is [0 1/4; 1/2 0], exactly.
        s.a.fill(2, |_, i, j| if i == j { 0.0 } else { [2.0, 4.0][i] });
        let before = s.a.matrices();
        assert_eq!(s.run(MATINV, "handle 2 A 2 C 2 info 3"), SUCCESS);
        let inverse = [0.0, 0.5, 0.25, 0.0].map(|x| element(s.a.dtype, x)).concat();
        assert!(s.a.matrices() == before && s.codes() == [0; BATCH]);
        // A zero may have either sign, which depends on the processor's instructions.
        let real = s.a.dtype.bytes() / if s.a.dtype.is_complex() { 2 } else { 1 };
        let mut found = s.c.matrices();
        for number in found.chunks_mut(real) {
            if number[real - 1] == 0x80 && number[..real - 1].iter().all(|byte| *byte == 0) {
                number[real - 1] = 0;
            }
        }
        assert_eq!(found, inverse.repeat(BATCH));
    });
}
