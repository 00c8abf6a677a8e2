//! `cublas?getrfBatched`, `getrsBatched`, `getriBatched`, `matinvBatched`: the rows that cuBLAS 13.1 was measured at, and NULL.

use crate::any_call::call;
use crate::stage::{BATCH, Stage, element, integers};
use std::ffi::c_int;
use tephra_testkit::Dtype;
use tephra_testkit::library::{CublasHandle, symbol_name};

const SUCCESS: c_int = 0;
const NOT_INITIALIZED: c_int = 1;
const INVALID_VALUE: c_int = 7;
const EXECUTION_FAILED: c_int = 13;
/// What host integers hold before a call.
const UNSET: c_int = 77;
const B: i64 = BATCH as i64;
const N: usize = 10;
const NULL: u64 = 0;

/// What the calls work on: matrices and codes, right-hand sides or inverses, pivots.
struct Scene {
    a: Stage,
    c: Stage,
    /// Its scalar factors are the room for pivots.
    room: Stage,
    handle: CublasHandle,
}

/// What the matrices hold.
#[derive(Clone, Copy)]
enum Input {
    /// No interchange is needed: 40 on the diagonal, small numbers off it.
    Regular,
    /// The same, and the middle member's third column is zero.
    Singular,
    /// The middle member is zero.
    Zero,
    /// The middle member's last element is a NaN.
    Nan,
    /// The second element of the first columns is as large as the first.
    Tied,
}

fn value(input: Input, n: usize, (b, i, j): (usize, usize, usize)) -> f64 {
    match input {
        Input::Singular if b == 1 && j == 2 => 0.0,
        Input::Zero if b == 1 => 0.0,
        Input::Nan if b == 1 && i + 1 == n && j + 1 == n => f64::NAN,
        Input::Tied if i == 1 && j == 0 => -40.0,
        _ if i == j => 40.0,
        _ => ((3 * i + 7 * j + b) % 5) as f64 - 2.0,
    }
}

impl Scene {
    /// Square matrices of order n, and as many columns beside them.
    fn new(dtype: Dtype, n: usize, input: Input) -> Scene {
        let [mut a, c, room] = [(); 3].map(|()| Stage::new(dtype, n, n));
        a.fill(n, |b, i, j| value(input, n, (b, i, j)));
        let handle = a.lib.cublas_handle(a.stream.raw()).unwrap();
        Scene { a, c, room, handle }
    }

    fn restore(&self) {
        [&self.a, &self.c, &self.room].map(Stage::restore);
    }

    fn is_untouched(&self) -> bool {
        [&self.a, &self.c, &self.room].iter().all(|s| s.is_untouched())
    }

    /// The addresses that stand for words.
    fn argument(&self, word: &str) -> u64 {
        match word {
            "handle" => self.handle.raw() as u64,
            "A" => self.a.a() as u64,
            "C" => self.c.a() as u64,
            "pivots" => self.room.tau_base() as u64,
            "info" => self.a.info() as u64,
            number => number.parse::<i64>().unwrap() as u64,
        }
    }

    /// A call; `words`: its arguments, numbers and those of [`Scene::argument`]; `instead`: one of another value.
    fn call(&self, routine: &str, words: &str, instead: (&str, u64)) -> c_int {
        let argument = |word| if word == instead.0 { instead.1 } else { self.argument(word) };
        let arguments: Vec<u64> = words.split(' ').map(argument).collect();
        let symbol = symbol_name(&format!("cublas?{routine}Batched"), self.a.dtype);
        // SAFETY: cuBLAS's prototypes, on memory that is there, or for calls that are refused.
        unsafe { call(self.a.lib, &symbol, [0.0; 4], &arguments) }
    }

    fn run(&self, routine: &str, words: &str) -> c_int {
        self.call(routine, words, ("", NULL))
    }

    /// `getrs` with its host integer: the status and what is there afterwards.
    fn getrs(&self, [trans, n, nrhs, lda, ldb, batch]: [i64; 6], instead: (&str, u64)) -> (c_int, c_int) {
        let mut info = UNSET;
        let host = &raw mut info as u64;
        let words = format!("handle {trans} {n} {nrhs} A {lda} pivots C {ldb} {host} {batch}");
        (self.call("getrs", &words, instead), info)
    }

    /// The pivots by member, which stand one behind the other; what is behind them is not written.
    fn pivots(&self, n: usize) -> Vec<Vec<c_int>> {
        let (all, poison) = (integers(&self.room.factors()), c_int::from_ne_bytes([0xa7; 4]));
        assert!(all[BATCH * n..].iter().all(|&p| p == poison));
        all[..BATCH * n].chunks(n).map(<[c_int]>::to_vec).collect()
    }

    fn codes(&self) -> [c_int; BATCH] {
        self.a.infos().try_into().unwrap()
    }

    /// Factors, and gives the codes.
    fn factor(&self, n: usize) -> [c_int; BATCH] {
        assert_eq!(self.run("getrf", &format!("handle {n} A {n} pivots info {B}")), SUCCESS);
        self.codes()
    }
}

fn on_every_dtype(n: usize, input: Input, check: impl Fn(&Scene)) {
    Dtype::ALL.iter().for_each(|&dtype| check(&Scene::new(dtype, n, input)));
}

/// Of routines without a host integer: each row of arguments with its status; nothing is written.
fn answers(scene: &Scene, routine: &str, rows: &[(&str, c_int)]) {
    for (words, status) in rows {
        assert_eq!(scene.run(routine, words), *status, "{routine} {words}");
    }
    assert!(scene.is_untouched());
}

fn refuses(scene: &Scene, routine: &str, words: &str, arrays: &[&str]) {
    assert_eq!(scene.call(routine, words, ("handle", NULL)), NOT_INITIALIZED);
    // cuBLAS would fault on the device; here they are bad arguments.
    for array in arrays {
        assert_eq!(scene.call(routine, words, (array, NULL)), INVALID_VALUE, "{routine} without {array}");
    }
    assert!(scene.is_untouched());
}

const GETRF: &str = "handle 10 A 10 pivots info 3";
const GETRI: &str = "handle 10 A 10 pivots C 10 info 3";
const MATINV: &str = "handle 10 A 10 C 10 info 3";

#[test]
fn getrf_answers_as_measured() {
    on_every_dtype(N, Input::Regular, |s| {
        answers(
            s,
            "getrf",
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
        refuses(s, "getrf", GETRF, &["A"]);
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
            assert_eq!(s.factor(N), codes);
            // Where nothing is larger than the diagonal, rows stay where they are; also among ties, the first of which counts.
            let moved = if let Input::Singular = input { [0, 2].to_vec() } else { (0..BATCH).collect() };
            moved.iter().for_each(|&i| assert_eq!(s.pivots(N)[i], identity));
            let with_pivots = s.a.matrices();
            s.restore();
            assert_eq!(s.call("getrf", GETRF, ("pivots", NULL)), SUCCESS, "without pivoting");
            assert_eq!(s.codes(), codes);
            assert!(s.room.is_untouched());
            let same = with_pivots == s.a.matrices();
            assert!(same || matches!(input, Input::Singular), "the same factors, as no rows are exchanged");
        });
    }
}

/// With pivots that are not the identity: each matrix's stand behind those of the one before.
#[test]
fn getrf_writes_pivots_of_each_matrix() {
    for n in [N, 33] {
        on_every_dtype(n, Input::Regular, |s| {
            let mut upside_down = Scene::new(s.a.dtype, n, Input::Regular);
            // Rows in the opposite order, but for the first member.
            upside_down.a.fill(n, |b, i, j| value(Input::Regular, n, (b, if b == 0 { i } else { n - 1 - i }, j)));
            assert_eq!(upside_down.factor(n), [0; BATCH]);
            let pivots = upside_down.pivots(n);
            let identity: Vec<c_int> = (1..=n as c_int).collect();
            let turned = |k: usize| if 2 * k < n { n - k } else { k + 1 };
            let turned: Vec<c_int> = (0..n).map(|k| turned(k) as c_int).collect();
            assert_eq!(pivots, [identity, turned.clone(), turned]);
            s.factor(n);
            let (size, factors) = (n * n * s.a.dtype.bytes(), upside_down.a.matrices());
            assert_eq!(s.a.matrices()[..size], factors[..size]);
            assert_eq!(s.a.matrices()[size..], factors[size..], "the same after the interchanges");
        });
    }
}

/// cuBLAS faults on the device without codes; here they are not told.
#[test]
fn codes_need_not_be_wanted() {
    for n in [8usize, 16, 24, 32, 40] {
        on_every_dtype(n, Input::Singular, |s| {
            let words = format!("handle {n} A {n} pivots info {B}");
            assert_eq!(s.call("getrf", &words, ("info", NULL)), SUCCESS);
            let factors = s.a.matrices();
            s.restore();
            assert_eq!(s.run("getrf", &words), SUCCESS);
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
            assert_eq!(s.getrs(sizes, ("", NULL)), (status, info), "{sizes:?}");
        }
        assert_eq!(s.getrs(good, ("handle", NULL)), (NOT_INITIALIZED, UNSET));
        assert_eq!(s.run("getrs", "handle 0 10 2 A 10 pivots C 10 0 3"), INVALID_VALUE, "info is NULL");
        // cuBLAS would fault on the device; here they are bad arguments.
        assert_eq!(s.getrs(good, ("A", NULL)), (INVALID_VALUE, -4));
        assert_eq!(s.getrs(good, ("C", NULL)), (INVALID_VALUE, -7));
        assert!(s.is_untouched());

        s.factor(N);
        for trans in [0, 1, 2] {
            s.c.restore();
            assert_eq!(s.getrs([trans, 10, 2, 10, 10, B], ("", NULL)), (SUCCESS, 0));
            let solved = s.c.matrices();
            s.c.restore();
            assert_eq!(s.getrs([trans, 10, 2, 10, 10, B], ("pivots", NULL)), (SUCCESS, 0), "without interchanges");
            assert!(s.c.matrices() == solved && !s.c.is_untouched(), "which are none here");
        }
    });
}

#[test]
fn getri_answers_as_measured() {
    on_every_dtype(N, Input::Regular, |s| {
        answers(
            s,
            "getri",
            &[
                ("handle -1 A 10 pivots C 10 info 3", INVALID_VALUE),
                ("handle 10 A 9 pivots C 10 info 3", INVALID_VALUE),
                ("handle 10 A 10 pivots C 9 info 3", INVALID_VALUE),
                ("handle 10 A 10 pivots C 10 info -1", INVALID_VALUE),
                ("handle 10 A 10 pivots C 10 info 0", SUCCESS),
                ("handle 0 A 10 pivots C 10 info 3", SUCCESS),
            ],
        );
        refuses(s, "getri", GETRI, &["A", "C"]);
        s.factor(N);
        assert_eq!(s.run("getri", GETRI), SUCCESS);
        let (codes, inverses) = (s.codes(), s.c.matrices());
        s.c.restore();
        assert_eq!(s.call("getri", GETRI, ("pivots", NULL)), SUCCESS, "without interchanges");
        assert!(codes == [0; BATCH] && s.codes() == codes && s.c.matrices() == inverses && !s.c.is_untouched());
    });
}

/// The member without an inverse keeps what was in its place (in cuBLAS that becomes NaN).
#[test]
fn singular_members_have_codes_and_no_inverse() {
    for (input, code) in [(Input::Zero, 1), (Input::Singular, 3)] {
        on_every_dtype(N, input, |s| {
            let size = N * N * s.a.dtype.bytes();
            let before = s.c.matrices();
            for routine in ["getri", "matinv"] {
                s.restore();
                let words = if routine == "getri" { GETRI } else { MATINV };
                if routine == "getri" {
                    s.factor(N);
                }
                assert_eq!(s.run(routine, words), SUCCESS);
                assert_eq!(s.codes(), [0, code, 0], "{routine}");
                let kept: Vec<bool> =
                    s.c.matrices().chunks(size).zip(before.chunks(size)).map(|(a, b)| a == b).collect();
                assert_eq!(kept, [false, true, false], "{routine}");
            }
        });
    }
}

#[test]
fn matinv_answers_as_measured() {
    on_every_dtype(33, Input::Singular, |s| {
        answers(
            s,
            "matinv",
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
        refuses(s, "matinv", "handle 10 A 33 C 33 info 3", &["A", "C"]);
        for n in [10, 32] {
            assert_eq!(s.run("matinv", &format!("handle {n} A 33 C 33 info 3")), SUCCESS);
            assert_eq!(s.codes(), [0, 3, 0], "n = {n}");
        }
    });
}

/// A is only read, and the inverse is one.
#[test]
fn matinv_inverts() {
    on_every_dtype(2, Input::Regular, |s| {
        let mut s = Scene::new(s.a.dtype, 2, Input::Regular);
        // [0 2; 4 0] needs its rows exchanged; its inverse is [0 1/4; 1/2 0], exactly.
        s.a.fill(2, |_, i, j| if i == j { 0.0 } else { [2.0, 4.0][i] });
        let before = s.a.matrices();
        assert_eq!(s.run("matinv", "handle 2 A 2 C 2 info 3"), SUCCESS);
        let inverse = [0.0, 0.5, 0.25, 0.0].map(|x| element(s.a.dtype, x)).concat();
        assert!(s.a.matrices() == before && s.codes() == [0; BATCH]);
        assert_eq!(s.c.matrices(), inverse.repeat(BATCH));
    });
}
