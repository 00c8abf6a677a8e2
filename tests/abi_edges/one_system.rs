//! LU, Cholesky and linear systems of one matrix under cuSOLVER's and MAGMA's names: their status codes, and that their
//! results are those of the batched routines.

use super::cusolver::{INVALID_VALUE, SUCCESS, Solver, UNSET};
use super::lu_fixture::{Input, LuFixture, on_every_dtype};
use std::ffi::c_int;

const N: usize = 10;
const NOT_SUPPORTED: c_int = 9;

/// Each row holds the routine, the arguments, the status and the code.
const ANSWERS: &[(&str, &str, c_int, c_int)] = &[
    ("potrf", "0 10 a 10 0 0 info", SUCCESS, 0),
    ("potrf", "1 10 a 10 0 0 info", SUCCESS, 0),
    ("potrf", "0 0 a 1 0 0 info", SUCCESS, 0),
    ("potrf", "9 10 a 10 0 0 info", INVALID_VALUE, -1),
    ("potrf", "0 -1 a 10 0 0 info", INVALID_VALUE, -2),
    ("potrf", "0 10 0 10 0 0 info", INVALID_VALUE, -3),
    ("potrf", "0 10 a 9 0 0 info", INVALID_VALUE, -4),
    ("potrs", "0 10 2 a 10 c 10 info", SUCCESS, 0),
    ("potrs", "0 10 0 a 10 c 10 info", SUCCESS, 0),
    ("potrs", "9 10 2 a 10 c 10 info", INVALID_VALUE, -1),
    ("potrs", "0 10 -1 a 10 c 10 info", INVALID_VALUE, -3),
    ("potrs", "0 10 2 a 9 c 10 info", INVALID_VALUE, -5),
    ("potrs", "0 10 2 a 10 0 10 info", INVALID_VALUE, -6),
    ("potrs", "0 10 2 a 10 c 9 info", INVALID_VALUE, -7),
    ("getrf", "10 6 a 10 0 pivots info", SUCCESS, 0),
    ("getrf", "6 10 a 10 0 pivots info", SUCCESS, 0),
    ("getrf", "10 6 a 10 0 0 info", SUCCESS, 0),
    ("getrf", "0 6 a 1 0 pivots info", SUCCESS, 0),
    ("getrf", "-1 6 a 10 0 pivots info", INVALID_VALUE, -1),
    ("getrf", "10 -1 a 10 0 pivots info", INVALID_VALUE, -2),
    ("getrf", "10 6 0 10 0 pivots info", INVALID_VALUE, -3),
    ("getrf", "10 6 a 9 0 pivots info", INVALID_VALUE, -4),
    ("getrs", "9 10 2 a 10 0 c 10 info", INVALID_VALUE, -1),
    ("getrs", "0 10 2 a 10 0 c 10 info", SUCCESS, 0),
    ("getrs", "2 10 2 a 10 0 c 10 info", SUCCESS, 0),
    ("getrs", "0 10 2 a 9 0 c 10 info", INVALID_VALUE, -5),
    ("getrs", "0 10 2 a 10 0 0 10 info", INVALID_VALUE, -7),
    ("getrs", "0 10 2 a 10 0 c 9 info", INVALID_VALUE, -8),
];

#[test]
fn bad_arguments_are_told_by_the_status_and_on_the_device() {
    on_every_dtype(N, Input::Regular, |s| {
        let solver = Solver::on(s.a.stream.raw());
        for &(routine, words, status, code) in ANSWERS {
            let before = s.a.matrices();
            let routine = format!("cusolverDn?{routine}");
            assert_eq!(solver.run(s, &routine, words), status, "{routine} {words}");
            assert_eq!(s.codes(), [code, UNSET, UNSET], "{routine} {words}");
            assert!(status == SUCCESS || s.a.matrices() == before && s.c.is_untouched(), "{routine} {words}");
            s.restore();
        }
    });
}

/// The 64-bit interchanges of these calls do not exist, and in some calls would exceed memory.
#[test]
fn bad_arguments_are_told_before_interchanges_are_looked_at() {
    on_every_dtype(N, Input::Regular, |s| {
        let solver = Solver::on(s.a.stream.raw());
        let (ty, most) = ([0, 1, 4, 5][s.a.dtype as usize], 1i64 << 62);
        for (name, words, code) in [
            ("Xgetrs", format!("0 0 10 2 {ty} a 9 16 {ty} c 10 info"), -5),
            ("Xgetrs", format!("0 0 10 2 {ty} a 10 16 {ty} c 9 info"), -8),
            ("Xgetrs", format!("0 0 10 2 {ty} a 10 16 {ty} 0 10 info"), -7),
            ("Xgetrs", format!("0 0 {most} 2 {ty} a 10 16 {ty} c 10 info"), -2),
            ("Xgetrs", format!("0 0 10 0 {ty} a 10 16 {ty} c 10 info"), 0),
            ("Xgetrf", format!("0 {0} {0} {ty} a 10 16 {ty} 0 0 0 0 info", 1i64 << 44), -1),
            ("Xgetrf", format!("0 10 10 {ty} 0 10 16 {ty} 0 0 0 0 info"), -3),
        ] {
            let status = if code == 0 { SUCCESS } else { INVALID_VALUE };
            assert_eq!(solver.run(s, &format!("cusolverDn{name}"), &words), status, "{name} {words}");
            assert_eq!(s.codes(), [code, UNSET, UNSET], "{name} {words}");
            s.restore();
        }
    });
}

#[test]
fn buffers_are_of_one_element() {
    on_every_dtype(N, Input::Regular, |s| {
        let solver = Solver::on(s.a.stream.raw());
        let mut bytes = [usize::MAX; 2];
        for words in ["potrf_bufferSize 0 10 a 10", "getrf_bufferSize 10 6 a 10"] {
            let (name, words) = words.split_once(' ').unwrap();
            let mut elements = c_int::MIN;
            let words = format!("{words} {}", &raw mut elements as u64);
            assert_eq!((solver.run(s, &format!("cusolverDn?{name}"), &words), elements), (SUCCESS, 1), "{name}");
        }
        let [device, host] = [0, 1].map(|i| &raw mut bytes[i] as u64);
        for words in ["Xpotrf_bufferSize 0 0 10 1 a 10 1", "Xgetrf_bufferSize 0 10 6 1 a 10 1"] {
            let (name, words) = words.split_once(' ').unwrap();
            let words = format!("{words} {device} {host}");
            assert_eq!(solver.run(s, &format!("cusolverDn{name}"), &words), SUCCESS, "{name}");
            assert_eq!(bytes, [8, 0], "{name}");
        }
    });
}

/// The first member's matrix and right-hand sides after a factorisation and a solve by `run`.
fn results(s: &LuFixture, run: impl Fn(&LuFixture)) -> (Vec<u8>, Vec<u8>) {
    s.restore();
    run(s);
    s.a.stream.synchronize().unwrap();
    let (matrices, sides) = (s.a.matrices(), s.c.matrices());
    (matrices[..matrices.len() / 3].to_vec(), sides[..sides.len() / 3].to_vec())
}

/// cuSOLVER's functions, including those for any type, and MAGMA's give the same results as the native routines on a
/// batch of one.
#[test]
fn results_are_the_batched_routines() {
    for n in [N, 70] {
        on_every_dtype(n, Input::Tied, |s| {
            let solver = Solver::on(s.a.stream.raw());
            let ok = |status: c_int, what: &str| assert_eq!(status, SUCCESS, "{} {n} {what}", s.a.dtype.letter());
            let ty = [0, 1, 4, 5][s.a.dtype as usize];
            let mut s = LuFixture::new(s.a.dtype, n, Input::Tied);
            s.c.fill(n, |b, i, j| super::lu_fixture::value(Input::Regular, n, (b, i, j)));
            let square = n * n;
            let stream = s.a.stream.raw() as u64;
            let native = results(&s, |s| {
                let words = format!("{n} {n} a {n} {square} pivots {n} info 1 0 0 {stream}");
                ok(s.run("tephra_?getrf_strided_batched", &words), "getrf");
                let words = format!("111 {n} 2 a {n} {square} pivots {n} c {n} {square} 1 0 0 {stream}");
                ok(s.run("tephra_?getrs_strided_batched", &words), "getrs");
            });
            let plain = results(&s, |s| {
                ok(solver.run(s, "cusolverDn?getrf", &format!("{n} {n} a {n} 0 pivots info")), "getrf");
                ok(solver.run(s, "cusolverDn?getrs", &format!("0 {n} 2 a {n} pivots c {n} info")), "getrs");
            });
            assert!(plain == native, "cusolverDn?getrf, getrs");
            let any = results(&s, |s| {
                let words = format!("0 {n} {n} {ty} a {n} pivots {ty} 0 0 0 0 info");
                ok(solver.run(s, "cusolverDnXgetrf", &words), "Xgetrf");
                let words = format!("0 0 {n} 2 {ty} a {n} pivots {ty} c {n} info");
                ok(solver.run(s, "cusolverDnXgetrs", &words), "Xgetrs");
                let words = format!("0 0 {n} 2 {ty} a {n} pivots 2 c {n} info");
                assert_eq!(solver.run(s, "cusolverDnXgetrs", &words), NOT_SUPPORTED);
            });
            assert!(any == native, "cusolverDnXgetrf, Xgetrs");
            let (mut pivots, mut info) = (vec![0 as c_int; n], 77 as c_int);
            let [pivots, info] = [pivots.as_mut_ptr() as u64, &raw mut info as u64];
            let magmas = results(&s, |s| {
                ok(s.run("magma_?getrf_gpu", &format!("{n} {n} a {n} {pivots} {info}")), "getrf_gpu");
                ok(s.run("magma_?getrs_gpu", &format!("111 {n} 2 a {n} {pivots} c {n} {info}")), "getrs_gpu");
            });
            assert!(magmas == native, "magma_?getrf_gpu, getrs_gpu");
            let definite =
                |b, i, j| if i == j { 400.0 } else { super::lu_fixture::value(Input::Regular, n, (b, i, j)) };
            s.a.fill(n, definite);
            for (uplo, cusolver) in [(121, 1), (122, 0)] {
                let native = results(&s, |s| {
                    let words = format!("{uplo} {n} a {n} {square} info 1 0 0 {stream}");
                    ok(s.run("tephra_?potrf_strided_batched", &words), "potrf");
                    let words = format!("{uplo} {n} 2 a {n} {square} c {n} {square} 1 0 0 {stream}");
                    ok(s.run("tephra_?potrs_strided_batched", &words), "potrs");
                });
                let plain = results(&s, |s| {
                    ok(solver.run(s, "cusolverDn?potrf", &format!("{cusolver} {n} a {n} 0 0 info")), "potrf");
                    ok(solver.run(s, "cusolverDn?potrs", &format!("{cusolver} {n} 2 a {n} c {n} info")), "potrs");
                });
                assert!(plain == native, "cusolverDn?potrf, potrs {uplo}");
                let any = results(&s, |s| {
                    let words = format!("0 {cusolver} {n} {ty} a {n} {ty} 0 0 0 0 info");
                    ok(solver.run(s, "cusolverDnXpotrf", &words), "Xpotrf");
                    let words = format!("0 {cusolver} {n} 2 {ty} a {n} {ty} c {n} info");
                    ok(solver.run(s, "cusolverDnXpotrs", &words), "Xpotrs");
                });
                assert!(any == native, "cusolverDnXpotrf, Xpotrs {uplo}");
                let magmas = results(&s, |s| {
                    ok(s.run("magma_?potrf_gpu", &format!("{uplo} {n} a {n} {info}")), "potrf_gpu");
                    ok(s.run("magma_?potrs_gpu", &format!("{uplo} {n} 2 a {n} c {n} {info}")), "potrs_gpu");
                });
                assert!(magmas == native, "magma_?potrf_gpu, potrs_gpu {uplo}");
            }
        });
    }
}

/// MAGMA returns the code as well, whether of a matrix or of a bad argument.
#[test]
fn magmas_codes_are_its_answers() {
    on_every_dtype(N, Input::Regular, |s| {
        let (mut pivots, mut info) = (vec![0 as c_int; N], 77 as c_int);
        let [pivots, at] = [pivots.as_mut_ptr() as u64, &raw mut info as u64];
        let mut answer = |routine: &str, words: &str, code: c_int| {
            info = 77;
            assert_eq!(
                (s.run(&format!("magma_?{routine}_gpu"), &format!("{words} {at}")), info),
                (code, code),
                "{routine} {words}"
            );
            s.restore();
        };
        answer("getrf", &format!("-1 10 a 10 {pivots}"), -1);
        answer("getrf", &format!("10 10 a 9 {pivots}"), -4);
        answer("potrf", "120 10 a 10", -1);
        answer("potrf", "121 10 a 9", -4);
        answer("getrs", &format!("111 10 -1 a 10 {pivots} c 10"), -3);
        answer("getrs", &format!("111 10 1 a 10 {pivots} c 9"), -8);
        answer("potrs", "121 10 1 a 10 c 9", -7);
    });
    on_every_dtype(N, Input::Regular, |s| {
        let mut s = LuFixture::new(s.a.dtype, N, Input::Regular);
        s.a.fill(N, |_, i, j| if i == j && i != 4 { 2.0 } else { 0.0 });
        let (mut pivots, mut info) = (vec![0 as c_int; N], 77 as c_int);
        let [pivots, at] = [pivots.as_mut_ptr() as u64, &raw mut info as u64];
        assert_eq!(s.run("magma_?getrf_gpu", &format!("10 10 a 10 {pivots} {at}")), 5);
        s.restore();
        assert_eq!(s.run("magma_?potrf_gpu", &format!("121 10 a 10 {at}")), 5);
        assert_eq!(info, 5);
    });
}
