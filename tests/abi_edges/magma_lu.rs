//! MAGMA's LU functions and those that use the factors: argument numbers, messages, quick returns, codes.

use super::fixture::{BATCH, assert_line, element, integers};
use super::lu_fixture::{Input, LuFixture, on_every_dtype, value};
use super::magma::illegal;
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
const GESV_RBT: &str = "magma_?gesv_rbt_batched";
const LASWP: &str = "magma_?laswp_rowserial_batched";
const LASWP_COLUMNS: &str = "magma_?laswp_columnserial_batched";
const LASWP_PARALLEL: &str = "magma_?laswp_rowparallel_batched";

/// The number of the first bad argument appears in the return value and in the message; nothing is written.
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
        // Blocks must begin on the diagonal.
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
        // MAGMA's argument number, which is that of getrs.
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
        // MAGMA's argument number, which does not count the interchanges.
        (GESV, "10 2 A 10 ipiv C 9 info 3 queue", 6),
        (GESV, "10 2 A 10 ipiv C 10 info -1 queue", 9),
        (GESV_NOPIV, "-1 2 A 10 C 10 info 3 queue", 1),
        (GESV_NOPIV, "10 -1 A 10 C 10 info 3 queue", 2),
        (GESV_NOPIV, "10 2 0 10 C 10 info 3 queue", 3),
        (GESV_NOPIV, "10 2 A 9 C 10 info 3 queue", 4),
        (GESV_NOPIV, "10 2 A 10 0 10 info 3 queue", 5),
        (GESV_NOPIV, "10 2 A 10 C 9 info 3 queue", 6),
        (GESV_NOPIV, "10 2 A 10 C 10 info -1 queue", 8),
        (GESV_RBT, "-1 2 A 10 C 10 info 3 queue", 1),
        (GESV_RBT, "10 -1 A 10 C 10 info 3 queue", 2),
        (GESV_RBT, "10 2 0 10 C 10 info 3 queue", 3),
        (GESV_RBT, "10 2 A 9 C 10 info 3 queue", 4),
        (GESV_RBT, "10 2 A 10 0 10 info 3 queue", 5),
        (GESV_RBT, "10 2 A 10 C 9 info 3 queue", 6),
        (GESV_RBT, "10 2 A 10 C 10 info -1 queue", 8),
    ];
    on_every_dtype(N, Input::Regular, |s| {
        for (pattern, words, position) in rows {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(answer, -position, "{pattern} {words}");
            assert_line(&text, &illegal(&s.name(pattern), position));
        }
        // These functions return nothing.
        for (pattern, words, position) in [
            (LASWP, "-1 A 10 1 10 ipiv 3 queue", 1),
            (LASWP, "10 0 10 1 10 ipiv 3 queue", 2),
            (LASWP, "10 A 8 1 10 ipiv 3 queue", 3),
            (LASWP, "10 A 10 0 10 ipiv 3 queue", 4),
            (LASWP, "10 A 10 1 10 0 3 queue", 6),
            (LASWP, "10 A 10 1 10 ipiv -1 queue", 7),
            (LASWP_COLUMNS, "-1 A 10 1 10 ipiv 3 queue", 1),
            (LASWP_COLUMNS, "10 0 10 1 10 ipiv 3 queue", 2),
            (LASWP_COLUMNS, "10 A 9 1 10 ipiv 3 queue", 3),
            (LASWP_COLUMNS, "2147483647 A 2147483647 1 2147483647 ipiv 3 queue", 3),
            (LASWP_COLUMNS, "10 A 10 1 10 0 3 queue", 6),
            (LASWP_COLUMNS, "10 A 10 1 10 ipiv -1 queue", 7),
            (LASWP_PARALLEL, "-1 A 0 0 10 C 0 0 10 0 10 ipiv 3 queue", 1),
            (LASWP_PARALLEL, "10 0 0 0 10 C 0 0 10 0 10 ipiv 3 queue", 2),
            (LASWP_PARALLEL, "10 A -1 0 10 C 0 0 10 0 10 ipiv 3 queue", 3),
            (LASWP_PARALLEL, "10 A 0 -1 10 C 0 0 10 0 10 ipiv 3 queue", 4),
            (LASWP_PARALLEL, "10 A 0 0 9 C 0 0 10 0 10 ipiv 3 queue", 5),
            (LASWP_PARALLEL, "10 A 0 2147483647 2147483647 C 0 0 10 0 10 ipiv 3 queue", 5),
            (LASWP_PARALLEL, "10 A 0 0 10 0 0 0 10 0 10 ipiv 3 queue", 6),
            (LASWP_PARALLEL, "10 A 0 0 10 C -1 0 10 0 10 ipiv 3 queue", 7),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 -1 10 0 10 ipiv 3 queue", 8),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 0 9 -5 5 ipiv 3 queue", 9),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 0 10 0 10 0 3 queue", 12),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 0 10 0 10 ipiv -1 queue", 13),
        ] {
            let (_, text) = stderr_of(|| s.run(pattern, words));
            assert_line(&text, &illegal(&s.name(pattern), position));
        }
        let (_, text) = stderr_of(|| s.run(LASWP_PARALLEL, "10 A 0 0 2000 C 0 0 2000 0 1025 ipiv 3 queue"));
        assert!(text.contains("not supported: 1025 rows at a time"), "{text}");
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
            // As in MAGMA, A is not factored then.
            (GESV, "10 0 A 10 ipiv C 10 info 3 queue"),
            (GESV_NOPIV, "10 0 A 10 C 10 info 3 queue"),
            (GESV_RBT, "10 0 A 10 C 10 info 3 queue"),
            (LASWP, "0 A 10 1 10 ipiv 3 queue"),
            (LASWP, "10 A 10 4 4 0 3 queue"),
            (LASWP_COLUMNS, "0 0 10 1 10 0 3 queue"),
            (LASWP_COLUMNS, "10 A 10 1 10 ipiv 0 queue"),
            // As in MAGMA.
            (LASWP_COLUMNS, "10 A 10 0 10 ipiv 3 queue"),
            (LASWP_COLUMNS, "10 A 10 10 0 ipiv 3 queue"),
            (LASWP_PARALLEL, "0 0 0 0 10 0 0 0 10 0 10 0 3 queue"),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 0 10 5 5 ipiv 3 queue"),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 0 10 5 4 ipiv 3 queue"),
            (LASWP_PARALLEL, "10 A 0 0 10 C 0 0 10 0 10 ipiv 0 queue"),
        ] {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(text, "", "{pattern} {words}");
            assert!(pattern.contains("laswp") || answer == 0, "{pattern} {words}");
        }
        assert!(s.is_untouched());
    });
}

/// Nothing is written if the panel, or the part before it, is invalid.
#[test]
fn getf2_refuses_blocks_that_cannot_be() {
    on_every_dtype(N, Input::Regular, |s| {
        for (pattern, words) in [
            (GETF2, "10 10 A 0 0 10 ipiv 0 info -1 3 queue"),
            (GETF2, "5 5 A 2 2 10 ipiv 0 info 2147483643 3 queue"),
            (GETF2_NOPIV, "5 5 A 0 2 10 info -2147483648 3 queue"),
        ] {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(answer, -103, "{pattern} {words}");
            assert_line(&text, &format!("Error in {}, not supported (info = -103)", s.name(pattern)));
        }
        for (pattern, words, position) in
            [(GETF2, "5 5 0 2 2 10 ipiv 0 info 0 3 queue", 3), (GETF2, "5 5 A 2 2 10 0 0 info 0 3 queue", 7)]
        {
            let (answer, text) = stderr_of(|| s.run(pattern, words));
            assert_eq!(answer, -position, "{pattern} {words}");
            assert_line(&text, &illegal(&s.name(pattern), position));
        }
        assert!(s.is_untouched());
    });
}

/// A panel inside a matrix gives the same result as in a matrix of its own, and nothing else is written.
#[test]
fn getf2_factors_blocks() {
    const ROWS: usize = 6;
    const COLUMNS: usize = 4;
    for dtype in Dtype::ALL {
        let element = dtype.bytes();
        // This matrix needs interchanges with rows further down.
        let number = |b: usize, i: usize, j: usize| value(Input::Regular, N, (b, N - 1 - i, j)) + i as f64;
        for (pattern, words, alone, (row, column)) in [
            (GETF2, "6 4 A 2 2 10 ipiv 0 info 0 3 queue", "6 4 A 0 0 10 ipiv 0 info 0 3 queue", (2, 2)),
            (GETF2_NOPIV, "6 4 A 0 5 10 info 0 3 queue", "6 4 A 0 0 10 info 0 3 queue", (0, 5)),
            (GETF2_NOPIV, "6 4 A 4 2 10 info 0 3 queue", "6 4 A 0 0 10 info 0 3 queue", (4, 2)),
        ] {
            // A matrix with a large diagonal, for the variant without interchanges.
            let number = |b: usize, i: usize, j: usize| {
                if pattern == GETF2_NOPIV && i + column == j + row { 50.0 } else { number(b, i, j) }
            };
            let [mut s, mut own] = [(); 2].map(|()| LuFixture::new(dtype, N, Input::Regular));
            s.a.fill(N, number);
            own.a.fill(N, |b, i, j| if i < ROWS && j < COLUMNS { number(b, i + row, j + column) } else { 0.5 });
            assert_eq!((s.run(pattern, words), own.run(pattern, alone)), (0, 0), "{pattern}");
            assert_eq!((s.codes(), own.codes()), ([0; BATCH], [0; BATCH]), "{pattern}");
            let (got, block) = (s.a.matrices(), own.a.matrices());
            s.a.restore();
            let before = s.a.matrices();
            for (place, x) in got.chunks(element).enumerate() {
                let (b, j, i) = (place / N / N, place / N % N, place % N);
                let inside = (row..row + ROWS).contains(&i) && (column..column + COLUMNS).contains(&j);
                let from = if inside { &block } else { &before };
                let at = if inside { (b * N + j - column) * N + i - row } else { place };
                assert!(x == &from[at * element..][..element], "{pattern}: {b} {i} {j}");
            }
            if pattern == GETF2 {
                // Pivots are counted from the block's first row and stored at its position.
                for (got, own) in s.pivots.factors().chunks(N * element).zip(own.pivots.factors().chunks(N * element)) {
                    assert_eq!(got[..4 * row], [0xa7; 4 * N][..4 * row]);
                    assert_eq!(got[4 * row..][..4 * COLUMNS], own[..4 * COLUMNS]);
                    assert!(integers(&own[..4 * COLUMNS]).iter().any(|&p| p > COLUMNS as i32));
                }
            }
        }
    }
}

/// Codes count the columns before the panel. An earlier code stays, unless there are no columns before the panel.
#[test]
fn getf2_adds_to_codes() {
    on_every_dtype(N, Input::Regular, |s| {
        let singular = LuFixture::new(s.a.dtype, N, Input::Singular);
        for (pattern, words, clear) in [
            (GETF2, "10 10 A 0 0 10 ipiv 0 info 7 3 queue", "10 10 A 0 0 10 ipiv 0 info 0 3 queue"),
            (GETF2_NOPIV, "8 8 A 2 2 10 info 7 3 queue", "8 8 A 2 2 10 info 0 3 queue"),
        ] {
            let code = if pattern == GETF2 { 3 } else { 1 };
            singular.restore();
            assert_eq!(singular.run(pattern, clear), 0);
            assert_eq!(singular.codes(), [0, code, 0], "{pattern}: set");
            let factors = singular.a.matrices();
            singular.a.restore();
            assert_eq!(singular.call(pattern, words, ("info", 0)), 0, "codes need not be wanted");
            assert!(singular.a.matrices() == factors);
            // The codes hold poison, which counts as a code.
            singular.restore();
            assert_eq!(singular.run(pattern, words), 0);
            assert_eq!(singular.codes().to_vec(), integers(&[0xa7; 4 * BATCH]), "{pattern}: stays");
            // Codes of zero, from regular matrices.
            assert_eq!(s.run(pattern, clear), 0);
            assert_eq!(s.codes(), [0; BATCH]);
            singular.a.restore();
            assert_eq!(singular.call(pattern, words, ("info", s.a.info() as u64)), 0);
            assert_eq!(s.codes(), [0, 7 + code, 0], "{pattern}: added");
        }
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

/// A singular member has NaN for its inverse, or columns that are not finite for its solution; the others have theirs.
#[test]
fn neighbours_of_singular_members_are_solved() {
    on_every_dtype(N, Input::Singular, |s| {
        let regular = LuFixture::new(s.a.dtype, N, Input::Regular);
        for (pattern, words, columns) in [
            (GESV, "10 2 A 10 ipiv C 10 info 3 queue", 2),
            (GETRI, "10 A 10 ipiv C 10 0 3 queue", N),
            (GESV_NOPIV, "10 2 A 10 C 10 info 3 queue", 2),
            (GESV_RBT, "10 2 A 10 C 10 info 3 queue", 2),
        ] {
            let [(before, after), (_, expected)] = [s, &regular].map(|fixture| {
                fixture.restore();
                let before = fixture.solutions(columns);
                if pattern == GETRI {
                    assert_eq!(fixture.run(GETRF, "10 10 A 10 ipiv info 3 queue"), 0);
                }
                assert_eq!(fixture.run(pattern, words), 0);
                (before, fixture.solutions(columns))
            });
            for i in [0, 2] {
                assert!(after[i] == expected[i] && after[i] != before[i], "{pattern}");
            }
            match pattern {
                GETRI => assert!(s.is_nan(&after[1]), "{pattern}"),
                // The butterflies leave no zero column.
                GESV_RBT => {}
                _ => assert!(s.is_divided(&after[1], columns), "{pattern}"),
            }
        }
    });
}

/// As in MAGMA, `getrs_nopiv` and `getri` take the codes but do not write them.
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

/// Each pointer leads to the pivots of one matrix.
#[test]
fn pivots_are_where_the_pointers_say() {
    for dtype in Dtype::ALL {
        let mut s = LuFixture::new(dtype, N, Input::Regular);
        s.a.fill(N, |b, i, j| value(Input::Regular, N, (b, N - 1 - i, j)));
        assert_eq!(s.run(GETRF, "10 10 A 10 ipiv info 3 queue"), 0);
        for member in s.pivots.factors().chunks(N * dtype.bytes()) {
            assert_eq!(integers(&member[..4 * N]), [10, 9, 8, 7, 6, 6, 7, 8, 9, 10]);
        }
    }
}

/// Gives exactly LAPACK's solution of each system.
#[test]
fn getrs_solves_transposed_systems() {
    for dtype in Dtype::ALL {
        let mut s = LuFixture::new(dtype, 2, Input::Regular);
        // The rows of A are exchanged.
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

/// Exchanges rows k1 to k2 - 1, one row fewer than in LAPACK.
#[test]
fn laswp_leaves_the_last_row() {
    for dtype in Dtype::ALL {
        let mut s = LuFixture::new(dtype, 3, Input::Regular);
        // A matrix with pivots 2, 3, 3, because its largest elements are below the diagonal.
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

/// Exchanges columns k1 to k2, and in reverse.
#[test]
fn columnserial_exchanges_columns() {
    for dtype in Dtype::ALL {
        let mut s = LuFixture::new(dtype, 3, Input::Regular);
        let turned = [[0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        s.a.fill(3, |_, i, j| turned[i][j]);
        // The pivots are 2, 3, 3.
        assert_eq!(s.run(GETRF, "3 3 A 3 ipiv info 3 queue"), 0);
        for (k, columns) in [
            ("1 3", [2.0, 3.0, 1.0]),
            ("3 1", [3.0, 1.0, 2.0]),
            ("1 1", [2.0, 1.0, 3.0]),
            ("2 2", [1.0, 3.0, 2.0]),
            ("2 1", [3.0, 1.0, 2.0]),
            ("3 3", [1.0, 2.0, 3.0]),
        ] {
            s.c.fill(3, |b, i, j| (10 * i + 100 * b + j + 1) as f64);
            s.run(LASWP_COLUMNS, &format!("2 C 3 {k} ipiv 3 queue"));
            let expected = |b: usize, i: usize, j: usize| {
                let column = if i < 2 { columns[j] } else { j as f64 + 1.0 };
                element(dtype, (10 * i + 100 * b) as f64 + column)
            };
            let places = (0..BATCH).flat_map(|b| (0..3).flat_map(move |j| (0..3).map(move |i| (b, i, j))));
            let expected: Vec<u8> = places.flat_map(|(b, i, j)| expected(b, i, j)).collect();
            assert_eq!(s.c.matrices(), expected, "{k}");
        }
    }
}

/// A permutation of five rows, the first three of which are requested.
#[test]
fn rowparallel_brings_rows() {
    // The permutation that MAGMA makes of the interchanges 4, 2, 5; the rows after the first three come from these.
    const ORDER: [usize; 5] = [4, 2, 5, 1, 3];
    for dtype in Dtype::ALL {
        let mut s = LuFixture::new(dtype, 5, Input::Regular);
        let mut bytes = vec![];
        for _ in 0..BATCH {
            let mut member: Vec<u8> = ORDER.iter().flat_map(|&row| (row as i32).to_ne_bytes()).collect();
            member.resize(5 * dtype.bytes(), 0);
            bytes.extend(member);
        }
        s.pivots.set_factors(&bytes);
        let number = |b: usize, i: usize, j: usize| (10 * i + 100 * b + j) as f64;
        s.a.fill(5, number);
        s.c.fill(5, |_, _, _| -1.0);
        let all = |value: &dyn Fn(usize, usize, usize) -> f64| -> Vec<u8> {
            let places = (0..BATCH).flat_map(|b| (0..5).flat_map(move |j| (0..5).map(move |i| (b, i, j))));
            places.flat_map(|(b, i, j)| element(dtype, value(b, i, j))).collect()
        };
        // Moves columns 1 to 3 of A to columns 0 to 2 and rows 1 to 3 of C.
        s.run(LASWP_PARALLEL, "3 A 0 1 5 C 1 0 5 6 9 ipiv 3 queue");
        let to = |b, i: usize, j| if (1..4).contains(&i) && j < 3 { number(b, ORDER[i - 1] - 1, j + 1) } else { -1.0 };
        assert_eq!(s.c.matrices(), all(&to));
        let from = |b, i, j| number(b, if (1..4).contains(&j) && i >= 3 { ORDER[i] - 1 } else { i }, j);
        assert_eq!(s.a.matrices(), all(&from));
        // In place and on all columns, it performs the interchanges.
        s.a.restore();
        s.run(LASWP_PARALLEL, "5 A 0 0 5 A 0 0 5 0 3 ipiv 3 queue");
        assert_eq!(s.a.matrices(), all(&|b, i, j| number(b, ORDER[i] - 1, j)));
    }
}
