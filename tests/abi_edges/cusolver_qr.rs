//! QR of one matrix under cuSOLVER's names: the answers measured on cuSOLVER 12.0, and consistency of the results.

use super::cusolver::{INVALID_VALUE, NOT_INITIALIZED, SUCCESS, Solver, UNSET, plain};
use super::fixture::element;
use super::lu_fixture::{Input, LuFixture, on_every_dtype};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

const N: usize = 10;
const GEQRF: &str = "cusolverDn?geqrf";
const NOT_SUPPORTED: c_int = 9;

/// The name of a routine on Q in this type.
fn of_q(s: &LuFixture, what: &str) -> String {
    format!("cusolverDn?{}{what}", if s.a.dtype.is_complex() { "un" } else { "or" })
}

/// Each row holds the arguments, the status and the code.
fn answers(routine: impl Fn(&LuFixture) -> String, rows: &[(&str, c_int, c_int)]) {
    on_every_dtype(N, Input::Regular, |s| {
        let solver = Solver::on(s.a.stream.raw());
        for &(words, status, code) in rows {
            let (before, routine) = (s.a.matrices(), routine(s));
            assert_eq!(solver.run(s, &routine, words), status, "{routine} {words}");
            assert_eq!(s.codes(), [code, UNSET, UNSET], "{routine} {words}");
            assert!(status == SUCCESS || s.a.matrices() == before, "{routine} {words}");
            s.restore();
        }
    });
}

#[test]
fn geqrf_answers_as_measured() {
    answers(
        |_| GEQRF.into(),
        &[
            ("10 6 a 10 tau 0 0 info", SUCCESS, 0),
            ("6 10 a 10 tau 0 -1 info", SUCCESS, 0),
            ("-1 6 a 10 tau 0 0 info", INVALID_VALUE, -1),
            ("10 -1 a 10 tau 0 0 info", INVALID_VALUE, -2),
            ("-1 -1 a 10 tau 0 0 info", INVALID_VALUE, -1),
            ("10 6 a 9 tau 0 0 info", INVALID_VALUE, -4),
            ("0 6 a 0 tau 0 0 info", INVALID_VALUE, -4),
            ("0 6 a 1 tau 0 0 info", SUCCESS, 0),
            ("10 0 a 10 tau 0 0 info", SUCCESS, 0),
            // cuSOLVER faults on the device here.
            ("10 6 0 10 tau 0 0 info", INVALID_VALUE, -3),
            ("10 6 a 10 0 0 0 info", INVALID_VALUE, -5),
        ],
    );
}

#[test]
fn orgqr_answers_as_measured() {
    answers(
        |s| of_q(s, "gqr"),
        &[
            ("10 6 4 a 10 tau 0 0 info", SUCCESS, 0),
            ("10 6 0 a 10 tau 0 0 info", SUCCESS, 0),
            ("-1 6 4 a 10 tau 0 0 info", INVALID_VALUE, -1),
            ("10 -1 4 a 10 tau 0 0 info", INVALID_VALUE, -2),
            ("10 11 4 a 10 tau 0 0 info", INVALID_VALUE, -2),
            ("10 6 7 a 10 tau 0 0 info", INVALID_VALUE, -3),
            ("10 6 -1 a 10 tau 0 0 info", INVALID_VALUE, -3),
            ("10 6 4 a 9 tau 0 0 info", INVALID_VALUE, -5),
            // cuSOLVER returns 7 here.
            ("10 0 0 a 10 tau 0 0 info", SUCCESS, 0),
            ("10 6 4 0 10 tau 0 0 info", INVALID_VALUE, -4),
        ],
    );
}

#[test]
fn ormqr_answers_as_measured() {
    answers(
        |s| of_q(s, "mqr"),
        &[
            ("0 0 10 6 4 a 10 tau c 10 0 0 info", SUCCESS, 0),
            ("1 0 10 6 4 a 6 tau c 10 0 0 info", SUCCESS, 0),
            ("0 2 10 6 4 a 10 tau c 10 0 0 info", SUCCESS, 0),
            ("9 0 10 6 4 a 10 tau c 10 0 0 info", INVALID_VALUE, -1),
            ("0 9 10 6 4 a 10 tau c 10 0 0 info", INVALID_VALUE, -2),
            ("0 0 -1 6 4 a 10 tau c 10 0 0 info", INVALID_VALUE, -3),
            ("0 0 10 -1 4 a 10 tau c 10 0 0 info", INVALID_VALUE, -4),
            ("0 0 10 6 -1 a 10 tau c 10 0 0 info", INVALID_VALUE, -5),
            ("0 0 10 6 11 a 10 tau c 10 0 0 info", INVALID_VALUE, -5),
            ("0 0 10 6 4 a 9 tau c 10 0 0 info", INVALID_VALUE, -7),
            ("0 0 10 6 4 a 10 tau c 9 0 0 info", INVALID_VALUE, -10),
            ("0 0 10 0 4 a 10 tau c 10 0 0 info", SUCCESS, 0),
            ("0 0 0 6 0 a 10 tau c 10 0 0 info", SUCCESS, 0),
            ("0 0 10 6 4 a 10 tau 0 10 0 0 info", INVALID_VALUE, -9),
        ],
    );
}

#[test]
fn any_type_is_served_by_one_name() {
    on_every_dtype(N, Input::Regular, |s| {
        let solver = Solver::on(s.a.stream.raw());
        let ty = match s.a.dtype.letter() {
            's' => 0,
            'd' => 1,
            'c' => 4,
            _ => 5,
        };
        let mut params = null_mut::<c_void>();
        assert_eq!(plain("cusolverDnCreateParams", &[&raw mut params as u64]), SUCCESS);
        let run = |m: i64, lda: i64, [a, b]: [i64; 2]| {
            let words = format!("{} {m} 6 {a} a {lda} {b} tau {b} 0 0 0 0 info", params as u64);
            solver.run(s, "cusolverDnXgeqrf", &words)
        };
        assert_eq!(run(10, 9, [ty, ty]), INVALID_VALUE);
        assert_eq!(s.codes()[0], -4, "counted without the handle and its options");
        // cuSOLVER returns 3 here.
        assert_eq!(run(10, 10, [ty, 2]), NOT_SUPPORTED);
        s.restore();
        assert_eq!(solver.run(s, GEQRF, "10 6 a 10 tau 0 0 info"), SUCCESS);
        let plain_result = s.a.matrices();
        s.restore();
        assert_eq!(run(10, 10, [ty, ty]), SUCCESS);
        assert_eq!((s.codes()[0], s.a.matrices() == plain_result), (0, true));
        assert_eq!(plain("cusolverDnDestroyParams", &[params as u64]), SUCCESS);
        assert_eq!(plain("cusolverDnDestroyParams", &[0]), INVALID_VALUE);
    });
}

#[test]
fn buffers_are_of_one_element() {
    on_every_dtype(N, Input::Regular, |s| {
        let solver = Solver::on(s.a.stream.raw());
        let (mut elements, mut bytes) = (c_int::MIN, [usize::MAX; 2]);
        let out = &raw mut elements as u64;
        for (routine, words) in [
            (format!("{GEQRF}_bufferSize"), "10 6 a 10"),
            // No other argument is checked, which is the same in cuSOLVER.
            (format!("{GEQRF}_bufferSize"), "-1 6 0 9"),
            (of_q(s, "gqr_bufferSize"), "10 6 4 a 10 tau"),
            (of_q(s, "mqr_bufferSize"), "0 1 10 6 4 a 10 tau c 10"),
        ] {
            elements = c_int::MIN;
            assert_eq!(solver.run(s, &routine, &format!("{words} {out}")), SUCCESS, "{routine}");
            assert_eq!(elements, 1, "{routine}");
            assert_eq!(solver.run(s, &routine, &format!("{words} 0")), INVALID_VALUE, "{routine}");
            assert_eq!(s.call(&routine, &format!("0 {words} {out}"), ("", 0)), NOT_INITIALIZED, "{routine}");
        }
        let out = [&raw mut bytes[0] as u64, &raw mut bytes[1] as u64];
        let words = format!("0 10 6 1 a 10 1 tau 1 {} {}", out[0], out[1]);
        assert_eq!(solver.run(s, "cusolverDnXgeqrf_bufferSize", &words), SUCCESS);
        assert_eq!(bytes, [8, 0]);
    });
}

/// The real parts of elements.
fn parts(s: &LuFixture, bytes: &[u8]) -> Vec<f64> {
    let part = |x: &[u8]| match s.a.dtype.is_double() {
        true => f64::from_ne_bytes(x[..8].try_into().unwrap()),
        false => f64::from(f32::from_ne_bytes(x[..4].try_into().unwrap())),
    };
    bytes.chunks(element(s.a.dtype, 0.0).len()).map(part).collect()
}

#[test]
fn q_and_r_are_those_of_the_matrix() {
    for n in [N, 70] {
        on_every_dtype(n, Input::Regular, |s| {
            let solver = Solver::on(s.a.stream.raw());
            let mut s = LuFixture::new(s.a.dtype, n, Input::Regular);
            s.c.fill(n, |b, i, j| super::lu_fixture::value(Input::Regular, n, (b, i, j)));
            let near = |x: f64, y: f64| assert!((x - y).abs() < 2e-4, "{x} {y}");
            assert_eq!(solver.run(&s, GEQRF, &format!("{n} {n} a {n} tau 0 0 info")), SUCCESS);
            let apply = |s: &LuFixture, trans: u8| {
                let words = format!("0 {trans} {n} {n} {n} a {n} tau c {n} 0 0 info");
                assert_eq!(solver.run(s, &of_q(s, "mqr"), &words), SUCCESS);
                s.a.stream.synchronize().unwrap();
                parts(s, &s.solutions(n)[0])
            };
            // Q^H A = R, which geqrf left on and above the diagonal.
            let r = parts(&s, &s.a.matrices())[..n * n].to_vec();
            for (k, x) in apply(&s, 2).into_iter().enumerate() {
                near(x, if k % n <= k / n { r[k] } else { 0.0 });
            }
            // Q I = Q, which orgqr forms from the reflectors.
            s.c.fill(n, |_, i, j| if i == j { 1.0 } else { 0.0 });
            let q = apply(&s, 0);
            assert_eq!(solver.run(&s, &of_q(&s, "gqr"), &format!("{n} {n} {n} a {n} tau 0 0 info")), SUCCESS);
            s.a.stream.synchronize().unwrap();
            q.iter().zip(parts(&s, &s.a.matrices())).for_each(|(x, y)| near(*x, y));
        });
    }
}
