//! MAGMA's names of LU and what follows it: argument numbers, messages, quick returns, codes.

use crate::lu_scene::{Input, Scene, on_every_dtype, value};
use crate::magma::illegal;
use crate::stage::{BATCH, assert_line, element, integers};
use crate::stderr::stderr_of;
use tephra_testkit::Dtype;

const N: usize = 10;
const GETRF: &str = "magma_?getrf_batched";
const GETRF_NOPIV: &str = "magma_?getrf_nopiv_batched";
const GETF2: &str = "magma_?getf2_batched";
const GETF2_NOPIV: &str = "magma_?getf2_nopiv_batched";
const GETRS: &str = "magma_?getrs_batched";
const GETRS_NOPIV: &str = "magma_?getrs_nopiv_batched";
const GETRI: &str = "magma_?getri_outofplace_batched";
const GESV: &str = "magma_?gesv_batched";
const GESV_NOPIV: &str = "magma_?gesv_nopiv_batched";
const LASWP: &str = "magma_?laswp_rowserial_batched";

/// The number of the first bad argument, as answer and as message; nothing is written.
#[test]
fn bad_arguments_have_magmas_numbers() {
    let rows = [
        (GETRF, "-1 10 A 10 ipiv info 3 queue", 1),
        (GETRF, "10 -1 A 10 ipiv info 3 queue", 2),
        (GETRF, "10 10 0 10 ipiv info 3 queue", 3),
        (GETRF, "10 10 A 9 ipiv info 3 queue", 4),
        (GETRF, "0 10 A 0 ipiv info 3 queue", 4),
        (GETRF, "10 10 A 10 0 info 3 queue", 5),
        (GETRF, "10 10 A 10 ipiv info -1 queue", 7),
        (GETRF_NOPIV, "-1 10 A 10 info 3 queue", 1),
        (GETRF_NOPIV, "10 -1 A 10 info 3 queue", 2),
        (GETRF_NOPIV, "10 10 0 10 info 3 queue", 3),
        (GETRF_NOPIV, "10 10 A 9 info 3 queue", 4),
        (GETRF_NOPIV, "10 10 A 10 info -1 queue", 6),
        (GETF2, "-1 10 A 0 0 10 ipiv 0 info 0 3 queue", 1),
        (GETF2, "10 -1 A -1 0 10 ipiv 0 info 0 3 queue", 2),
        (GETF2, "10 10 A -1 0 9 ipiv 0 info 0 3 queue", 4),
        (GETF2, "10 10 A 0 -1 9 ipiv 0 info 0 3 queue", 5),
        // The block is on the diagonal.
        (GETF2, "10 10 A 1 2 10 ipiv 0 info 0 3 queue", 5),
        (GETF2, "10 10 A 0 0 9 ipiv 0 info 0 3 queue", 6),
        (GETF2, "10 10 A 0 0 10 0 0 info 0 3 queue", 7),
        (GETF2, "10 10 A 0 0 10 ipiv 0 info 0 -1 queue", 11),
        (GETF2_NOPIV, "10 10 A -1 0 9 info 0 3 queue", 4),
        (GETF2_NOPIV, "10 10 A 0 -1 9 info 0 3 queue", 5),
        (GETF2_NOPIV, "10 10 A 0 0 9 info 0 3 queue", 6),
        (GETF2_NOPIV, "10 10 A 0 0 10 info 0 -1 queue", 9),
        (GETRS, "0 10 2 A 10 ipiv C 10 3 queue", 1),
        (GETRS, "111 -1 2 A 10 ipiv C 10 3 queue", 2),
        (GETRS, "111 10 -1 A 10 ipiv C 10 3 queue", 3),
        (GETRS, "111 10 2 0 10 ipiv C 10 3 queue", 4),
        (GETRS, "111 10 2 A 9 ipiv C 10 3 queue", 5),
        (GETRS, "111 10 2 A 10 ipiv 0 10 3 queue", 7),
        (GETRS, "111 10 2 A 10 ipiv C 9 3 queue", 8),
        (GETRS, "111 10 2 A 10 ipiv C 10 -1 queue", 9),
        (GETRS_NOPIV, "114 10 2 A 10 C 10 info 3 queue", 1),
        (GETRS_NOPIV, "113 -1 2 A 10 C 10 info 3 queue", 2),
        (GETRS_NOPIV, "113 10 -1 A 10 C 10 info 3 queue", 3),
        (GETRS_NOPIV, "113 10 2 A 9 C 10 info 3 queue", 5),
        (GETRS_NOPIV, "113 10 2 A 10 0 10 info 3 queue", 6),
        // MAGMA's own number, which is that of getrs.
        (GETRS_NOPIV, "113 10 2 A 10 C 9 info 3 queue", 8),
        (GETRS_NOPIV, "113 10 2 A 10 C 10 info -1 queue", 9),
        (GETRI, "-1 A 10 ipiv C 10 info 3 queue", 1),
        (GETRI, "10 0 10 ipiv C 10 info 3 queue", 2),
        (GETRI, "10 A 9 ipiv C 10 info 3 queue", 3),
        (GETRI, "10 A 10 ipiv 0 10 info 3 queue", 5),
        (GETRI, "10 A 10 ipiv C 9 info 3 queue", 6),
        (GETRI, "10 A 10 ipiv C 10 info -1 queue", 8),
        (GESV, "-1 2 A 10 ipiv C 10 info 3 queue", 1),
        (GESV, "10 -1 A 10 ipiv C 10 info 3 queue", 2),
        (GESV, "10 2 0 10 ipiv C 10 info 3 queue", 3),
        (GESV, "10 2 A 9 ipiv C 10 info 3 queue", 4),
        (GESV, "10 2 A 10 0 C 10 info 3 queue", 5),
        (GESV, "10 2 A 10 ipiv 0 10 info 3 queue", 6),
        // MAGMA's own number, which does not count the interchanges.
        (GESV, "10 2 A 10 ipiv C 9 info 3 queue", 6),
        (GESV, "10 2 A 10 ipiv C 10 info -1 queue", 9),
        (GESV_NOPIV, "-1 2 A 10 C 10 info 3 queue", 1),
        (GESV_NOPIV, "10 -1 A 10 C 10 info 3 queue", 2),
        (GESV_NOPIV, "10 2 0 10 C 10 info 3 queue", 3),
        (GESV_NOPIV, "10 2 A 9 C 10 info 3 queue", 4),
        (GESV_NOPIV, "10 2 A 10 0 10 info 3 queue", 5),
        (GESV_NOPIV, "10 2 A 10 C 9 info 3 queue", 6),
        (GESV_NOPIV, "10 2 A 10 C 10 info -1 queue", 8),
    ];
    on_every_dtype(N, Input::Regular, |s| {
        for (pattern, words, position) in rows {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(answer, -position, "{pattern} {words}");
            assert_line(&text, &illegal(&s.name(pattern), position));
        }
        // It returns nothing.
        for (words, position) in [
            ("-1 A 10 1 10 ipiv 3 queue", 1),
            ("10 0 10 1 10 ipiv 3 queue", 2),
            ("10 A 8 1 10 ipiv 3 queue", 3),
            ("10 A 10 0 10 ipiv 3 queue", 4),
            ("10 A 10 1 10 0 3 queue", 6),
            ("10 A 10 1 10 ipiv -1 queue", 7),
        ] {
            let (_, text) = stderr_of(|| s.run(LASWP, words));
            assert_line(&text, &illegal(&s.name(LASWP), position));
        }
        assert!(s.is_untouched());
    });
}

#[test]
fn nothing_to_do() {
    on_every_dtype(N, Input::Regular, |s| {
        for (pattern, words) in [
            (GETRF, "0 10 0 1 0 info 3 queue"),
            (GETRF, "10 0 A 10 ipiv info 3 queue"),
            (GETRF, "10 10 A 10 ipiv info 0 queue"),
            (GETRF_NOPIV, "0 10 0 1 info 3 queue"),
            (GETF2, "0 10 A 4 4 10 ipiv 0 info 4 3 queue"),
            (GETF2_NOPIV, "10 10 0 0 0 10 info 0 0 queue"),
            (GETRS, "112 0 2 0 10 0 0 10 3 queue"),
            (GETRS, "112 10 0 A 10 ipiv 0 10 3 queue"),
            (GETRS_NOPIV, "111 10 2 A 10 C 10 info 0 queue"),
            (GETRI, "0 A 10 ipiv C 10 info 3 queue"),
            (GETRI, "10 0 10 0 0 10 info 0 queue"),
            (GESV, "0 2 A 10 ipiv C 10 info 3 queue"),
            // As in MAGMA, nothing is factored then.
            (GESV, "10 0 A 10 ipiv C 10 info 3 queue"),
            (GESV_NOPIV, "10 0 A 10 C 10 info 3 queue"),
            (LASWP, "0 A 10 1 10 ipiv 3 queue"),
            (LASWP, "10 A 10 4 4 0 3 queue"),
        ] {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(text, "", "{pattern} {words}");
            assert!(pattern == LASWP || answer == 0, "{pattern} {words}");
        }
        assert!(s.is_untouched());
    });
}

/// A panel inside of a matrix, and codes that count from elsewhere.
#[test]
fn getf2_factors_whole_matrices_only() {
    on_every_dtype(N, Input::Regular, |s| {
        for (pattern, words) in [
            (GETF2, "5 5 A 2 2 10 ipiv 0 info 0 3 queue"),
            (GETF2, "10 10 A 0 0 10 ipiv 0 info 2 3 queue"),
            (GETF2_NOPIV, "5 5 A 0 2 10 info 0 3 queue"),
        ] {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(answer, -103, "{pattern} {words}");
            assert_line(&text, &format!("Error in {}, not supported (info = -103)", s.name(pattern)));
        }
        assert!(s.is_untouched());
    });
}

#[test]
fn singular_members_have_codes() {
    for (input, code) in [(Input::Regular, 0), (Input::Singular, 3), (Input::Zero, 1)] {
        on_every_dtype(N, input, |s| {
            let codes = [0, code, 0];
            let mut factors = vec![];
            for (pattern, words) in [
                (GETRF, "10 10 A 10 ipiv info 3 queue"),
                (GETF2, "10 10 A 0 0 10 ipiv 0 info 0 3 queue"),
                (GETRF_NOPIV, "10 10 A 10 info 3 queue"),
                (GETF2_NOPIV, "10 10 A 0 0 10 info 0 3 queue"),
                (GESV, "10 2 A 10 ipiv C 10 info 3 queue"),
                (GESV_NOPIV, "10 2 A 10 C 10 info 3 queue"),
            ] {
                s.restore();
                assert_eq!(s.run(pattern, words), 0, "{pattern}");
                assert_eq!(s.codes(), codes, "{pattern}");
                factors.push(s.a.matrices());
                s.restore();
                assert_eq!(s.call(pattern, words, ("info", 0)), 0, "{pattern}: codes need not be wanted");
                assert!(s.a.matrices() == *factors.last().unwrap());
                s.restore();
                assert_eq!(s.call(pattern, words, ("queue", 0)), 0, "{pattern}: the default stream");
            }
            let [pivoted, plain] = [[0, 1, 4], [2, 3, 5]].map(|which| which.map(|i| &factors[i]));
            assert!(pivoted.iter().all(|f| *f == pivoted[0]) && plain.iter().all(|f| *f == plain[0]));
        });
    }
}

/// What is in place of the solution or inverse that there is not is unspecified; the others have theirs.
#[test]
fn neighbours_of_singular_members_are_solved() {
    on_every_dtype(N, Input::Singular, |s| {
        let regular = Scene::new(s.a.dtype, N, Input::Regular);
        for (pattern, words, columns) in [
            (GESV, "10 2 A 10 ipiv C 10 info 3 queue", 2),
            (GETRI, "10 A 10 ipiv C 10 0 3 queue", N),
            (GESV_NOPIV, "10 2 A 10 C 10 info 3 queue", 2),
        ] {
            let [(before, after), (_, expected)] = [s, &regular].map(|scene| {
                scene.restore();
                let before = scene.solutions(columns);
                if pattern == GETRI {
                    assert_eq!(scene.run(GETRF, "10 10 A 10 ipiv info 3 queue"), 0);
                }
                assert_eq!(scene.run(pattern, words), 0);
                (before, scene.solutions(columns))
            });
            for i in [0, 2] {
                assert!(after[i] == expected[i] && after[i] != before[i], "{pattern}");
            }
        }
    });
}

/// As in MAGMA; `getrs_nopiv` and `getri` have the argument only.
#[test]
fn codes_that_are_not_touched() {
    on_every_dtype(N, Input::Regular, |s| {
        let poison = integers(&[0xa7; 4 * BATCH]);
        for (pattern, words) in
            [(GETRS_NOPIV, "111 10 2 A 10 C 10 info 3 queue"), (GETRI, "10 A 10 ipiv C 10 info 3 queue")]
        {
            s.restore();
            assert_eq!(s.run(GETRF, "10 10 A 10 ipiv 0 3 queue"), 0);
            assert_eq!(s.run(pattern, words), 0);
            assert_eq!(s.codes().to_vec(), poison);
            assert!(!s.c.is_untouched());
        }
    });
}

/// The pivots are behind pointers, a matrix's at each.
#[test]
fn pivots_are_where_the_pointers_say() {
    for dtype in Dtype::ALL {
        let mut s = Scene::new(dtype, N, Input::Regular);
        s.a.fill(N, |b, i, j| value(Input::Regular, N, (b, N - 1 - i, j)));
        assert_eq!(s.run(GETRF, "10 10 A 10 ipiv info 3 queue"), 0);
        for member in s.room.factors().chunks(N * dtype.bytes()) {
            assert_eq!(integers(&member[..4 * N]), [10, 9, 8, 7, 6, 6, 7, 8, 9, 10]);
        }
    }
}

/// LAPACK's solution of each system, exactly.
#[test]
fn getrs_solves_transposed_systems() {
    for dtype in Dtype::ALL {
        let mut s = Scene::new(dtype, 2, Input::Regular);
        // Its rows are exchanged.
        let a = [[2.0, 8.0], [4.0, 0.0]];
        s.a.fill(2, |_, i, j| a[i][j]);
        assert_eq!(s.run(GETRF, "2 2 A 2 ipiv info 3 queue"), 0);
        for (trans, b, x) in
            [(111, [18.0, 4.0], [1.0, 2.0]), (112, [10.0, 8.0], [1.0, 2.0]), (113, [10.0, 8.0], [1.0, 2.0])]
        {
            s.c.fill(2, |_, i, j| if j == 0 { b[i] } else { -b[i] });
            assert_eq!(s.run(GETRS, &format!("{trans} 2 2 A 2 ipiv C 2 3 queue")), 0);
            let expected = [x[0], x[1], -x[0], -x[1]].map(|x: f64| element(dtype, x)).concat();
            assert_eq!(s.c.matrices(), expected.repeat(BATCH), "trans = {trans}");
        }
    }
}

/// Rows k1 to k2 - 1, which is less by one than in LAPACK.
#[test]
fn laswp_leaves_the_last_row() {
    for dtype in Dtype::ALL {
        let mut s = Scene::new(dtype, 3, Input::Regular);
        // The pivots 2, 3, 3 of a matrix whose largest elements are below the diagonal.
        let turned = [[0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        s.a.fill(3, |_, i, j| turned[i][j]);
        assert_eq!(s.run(GETRF, "3 3 A 3 ipiv info 3 queue"), 0);
        for (k, rows) in
            [("1 4", [2.0, 3.0, 1.0]), ("1 3", [2.0, 3.0, 1.0]), ("1 2", [2.0, 1.0, 3.0]), ("2 3", [1.0, 3.0, 2.0])]
        {
            s.c.fill(3, |_, i, _| i as f64 + 1.0);
            s.run(LASWP, &format!("3 C 3 {k} ipiv 3 queue"));
            let columns = rows.map(|x: f64| element(dtype, x)).concat();
            assert_eq!(s.c.matrices(), columns.repeat(3 * BATCH), "{k}");
        }
    }
}
