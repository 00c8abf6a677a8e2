//! `cusolverDn?potrfBatched`, `potrsBatched`: the answers measured on cuSOLVER 12.0.4, the cases in which Tephra does
//! more, and handles.

use super::fixture::{BATCH, element};
use super::lu_fixture::{Input, LuFixture, on_every_dtype};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::Library;
use tephra_testkit::any_call::call;

pub const SUCCESS: c_int = 0;
pub const NOT_INITIALIZED: c_int = 1;
pub const INVALID_VALUE: c_int = 3;
const N: usize = 10;
const POTRF: &str = "cusolverDn?potrfBatched";
const POTRS: &str = "cusolverDn?potrsBatched";
/// The value of codes before a call.
pub const UNSET: c_int = c_int::from_ne_bytes([0xa7; 4]);

/// A cuSOLVER handle of the library.
pub struct Solver(pub *mut c_void);

/// Calls a function that has no precision.
pub fn plain(name: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match cuSOLVER's prototypes.
    unsafe { call(Library::required(), name, [0.0; 4], arguments) }
}

impl Solver {
    pub fn on(stream: *mut c_void) -> Solver {
        let mut raw = null_mut::<c_void>();
        assert_eq!(plain("cusolverDnCreate", &[&raw mut raw as u64]), SUCCESS);
        assert_eq!(plain("cusolverDnSetStream", &[raw as u64, stream as u64]), SUCCESS);
        Solver(raw)
    }

    pub fn run(&self, s: &LuFixture, routine: &str, words: &str) -> c_int {
        s.run(routine, &format!("{} {words}", self.0 as u64))
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        assert_eq!(plain("cusolverDnDestroy", &[self.0 as u64]), SUCCESS);
    }
}

/// Each row holds the arguments, the status and the codes.
fn answers(input: Input, routine: &str, rows: &[(&str, c_int, [c_int; BATCH])]) {
    on_every_dtype(N, input, |s| {
        let solver = Solver::on(s.a.stream.raw());
        for &(words, status, codes) in rows {
            let before = s.a.matrices();
            assert_eq!(solver.run(s, routine, words), status, "{routine} {words}");
            assert_eq!(s.codes(), codes, "{routine} {words}");
            assert!(status == SUCCESS || s.a.matrices() == before && s.c.is_untouched(), "{routine} {words}");
            s.restore();
        }
    });
}

#[test]
fn potrf_answers_as_measured() {
    let kept = [UNSET; BATCH];
    answers(
        Input::Regular,
        POTRF,
        &[
            ("0 10 A 10 info 3", SUCCESS, [0, 0, 0]),
            ("1 10 A 10 info 3", SUCCESS, [0, 0, 0]),
            ("0 -1 A 10 info 3", INVALID_VALUE, [2, 0, 0]),
            ("0 10 A 9 info 3", INVALID_VALUE, [4, 0, 0]),
            ("0 10 A 10 info 0", INVALID_VALUE, kept),
            ("0 10 A 10 info -1", INVALID_VALUE, kept),
            ("9 10 A 10 info 3", INVALID_VALUE, [1, 0, 0]),
            // cuSOLVER sets the codes to 2^31 - 1 here.
            ("0 0 A 10 info 3", SUCCESS, [0, 0, 0]),
            ("0 10 0 10 info 3", INVALID_VALUE, [3, 0, 0]),
        ],
    );
    for uplo in ["0", "1"] {
        answers(Input::Singular, POTRF, &[(&format!("{uplo} 10 A 10 info 3"), SUCCESS, [0, 3, 0])]);
        answers(Input::Zero, POTRF, &[(&format!("{uplo} 10 A 10 info 3"), SUCCESS, [0, 1, 0])]);
        // A deliberate difference: cuSOLVER's codes are 0 here.
        answers(Input::Nan, POTRF, &[(&format!("{uplo} 10 A 10 info 3"), SUCCESS, [0, 10, 0])]);
    }
}

/// Whether each element of the first member changed.
fn changed(s: &LuFixture, n: usize, before: &[u8]) -> Vec<bool> {
    let size = s.a.dtype.bytes();
    let after = s.a.matrices();
    before.chunks(size).zip(after.chunks(size)).map(|(x, y)| x != y).take(n * n).collect()
}

#[test]
fn potrf_keeps_the_other_triangle() {
    for n in [N, 33] {
        on_every_dtype(n, Input::Regular, |s| {
            let solver = Solver::on(s.a.stream.raw());
            for uplo in [0, 1] {
                let before = s.a.matrices();
                assert_eq!(solver.run(s, POTRF, &format!("{uplo} {n} A {n} info 3")), SUCCESS);
                let changed = changed(s, n, &before);
                let at = |i: usize, j: usize| changed[i + j * n];
                assert!((0..n).all(|j| at(j, j)));
                assert!((0..n).all(|j| (0..j).all(|i| if uplo == 0 { !at(i, j) } else { !at(j, i) })), "{uplo}");
                s.restore();
            }
        });
    }
}

#[test]
fn potrs_answers_as_measured() {
    let told = |code| [code, UNSET, UNSET];
    answers(
        Input::Regular,
        POTRS,
        &[
            ("0 10 1 A 10 C 10 info 3", SUCCESS, told(0)),
            // cuSOLVER supports one right-hand side only, and reports 3 for others.
            ("0 10 2 A 10 C 10 info 3", SUCCESS, told(0)),
            ("0 10 0 A 10 C 10 info 3", SUCCESS, told(0)),
            ("0 10 -1 A 10 C 10 info 3", INVALID_VALUE, told(3)),
            ("0 -1 1 A 10 C 10 info 3", INVALID_VALUE, told(2)),
            ("0 10 1 A 9 C 10 info 3", INVALID_VALUE, told(5)),
            ("0 10 1 A 10 C 9 info 3", INVALID_VALUE, told(7)),
            ("0 10 1 A 10 C 10 info 0", INVALID_VALUE, told(9)),
            ("0 10 1 A 10 C 10 info -1", INVALID_VALUE, told(9)),
            ("9 10 1 A 10 C 10 info 3", INVALID_VALUE, told(1)),
            ("0 10 1 0 10 C 10 info 3", INVALID_VALUE, told(4)),
            ("0 10 1 A 10 0 10 info 3", INVALID_VALUE, told(6)),
        ],
    );
}

/// Solves A X = B with X all ones, in both triangles.
#[test]
fn potrs_solves_what_potrf_factors() {
    for uplo in [0, 1] {
        on_every_dtype(N, Input::Regular, |s| {
            let solver = Solver::on(s.a.stream.raw());
            let mut s = LuFixture::new(s.a.dtype, N, Input::Regular);
            s.a.fill(N, |_, i, j| if i == j { 40.0 } else { 1.0 });
            s.c.fill(N, |_, _, _| 40.0 + (N - 1) as f64);
            assert_eq!(solver.run(&s, POTRF, &format!("{uplo} 10 A 10 info 3")), SUCCESS);
            assert_eq!(solver.run(&s, POTRS, &format!("{uplo} 10 2 A 10 C 10 info 3")), SUCCESS);
            s.a.stream.synchronize().unwrap();
            let one = element(s.a.dtype, 1.0);
            for x in s.solutions(2).iter().flat_map(|member| member.chunks(one.len())) {
                let near = |x: &[u8]| match s.a.dtype.is_double() {
                    true => f64::from_ne_bytes(x[..8].try_into().unwrap()),
                    false => f64::from(f32::from_ne_bytes(x[..4].try_into().unwrap())),
                };
                assert!((near(x) - 1.0).abs() < 1e-5, "{}", near(x));
            }
        });
    }
}

#[test]
fn handles_and_versions() {
    assert_eq!(plain("cusolverDnCreate", &[0]), INVALID_VALUE);
    assert_eq!(plain("cusolverDnDestroy", &[0]), NOT_INITIALIZED);
    assert_eq!(plain("cusolverDnSetStream", &[0, 0]), NOT_INITIALIZED);
    on_every_dtype(N, Input::Regular, |s| {
        let (solver, mut stream) = (Solver::on(s.a.stream.raw()), null_mut::<c_void>());
        assert_eq!(plain("cusolverDnGetStream", &[solver.0 as u64, &raw mut stream as u64]), SUCCESS);
        assert_eq!(stream, s.a.stream.raw());
        assert_eq!(plain("cusolverDnGetStream", &[0, &raw mut stream as u64]), NOT_INITIALIZED);
        assert_eq!(s.run(POTRF, "0 0 10 A 10 info 3"), NOT_INITIALIZED);
        assert_eq!(s.run(POTRS, "0 0 10 1 A 10 C 10 info 3"), NOT_INITIALIZED);
        assert!(s.is_untouched());
    });
    let (mut version, mut parts) = (0, [0; 3]);
    assert_eq!(plain("cusolverGetVersion", &[&raw mut version as u64]), SUCCESS);
    for (i, part) in parts.iter_mut().enumerate() {
        assert_eq!(plain("cusolverGetProperty", &[i as u64, &raw mut *part as u64]), SUCCESS);
    }
    assert_eq!(version, parts[0] * 1000 + parts[1] * 100 + parts[2]);
    assert!(version >= 11000);
    assert_eq!(plain("cusolverGetProperty", &[3, &raw mut version as u64]), INVALID_VALUE);
}
