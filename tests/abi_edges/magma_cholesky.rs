//! MAGMA's Cholesky functions: argument numbers, messages, quick returns, codes, blocks.

use super::fixture::assert_line;
use super::lu_fixture::{Input, LuFixture, on_every_dtype};
use super::magma::illegal;
use crate::stderr::stderr_of;

const N: usize = 10;
const POTRF: &str = "magma_?potrf_batched";
const EXPERT: &str = "magma_?potrf_expert_batched";
const POTF2: &str = "magma_?potf2_batched";
const POTRS: &str = "magma_?potrs_batched";
const POSV: &str = "magma_?posv_batched";

/// The number of the first bad argument appears in the return value and in the message; nothing is written.
#[test]
fn bad_arguments_have_magmas_numbers() {
    let rows = [
        (POTRF, "0 10 A 10 info 3 queue", 1),
        (POTRF, "122 -1 A 10 info 3 queue", 2),
        (POTRF, "122 10 0 10 info 3 queue", 3),
        (POTRF, "121 10 A 9 info 3 queue", 4),
        (POTRF, "122 0 A 0 info 3 queue", 4),
        (POTRF, "122 10 A 10 info -1 queue", 6),
        // MAGMA's argument numbers, which are those of potrf.
        (EXPERT, "0 10 0 0 A 10 info 3 queue", 1),
        (EXPERT, "122 -1 0 0 A 10 info 3 queue", 2),
        (EXPERT, "122 10 0 0 A 9 info 3 queue", 4),
        (EXPERT, "122 10 0 0 0 10 info 3 queue", 5),
        (EXPERT, "122 10 0 0 A 10 info -1 queue", 6),
        (POTF2, "0 10 A 0 0 10 info 0 3 queue", 1),
        (POTF2, "122 -1 A 0 0 10 info 0 3 queue", 2),
        (POTF2, "122 10 0 0 0 10 info 0 3 queue", 3),
        (POTF2, "122 10 A -1 0 10 info 0 3 queue", 4),
        (POTF2, "122 10 A 0 -1 10 info 0 3 queue", 5),
        (POTF2, "122 10 A 0 0 9 info 0 3 queue", 6),
        (POTF2, "122 10 A 0 0 10 info 0 -1 queue", 9),
        (POTRS, "0 10 2 A 10 C 10 3 queue", 1),
        (POTRS, "122 -1 2 A 10 C 10 3 queue", 2),
        (POTRS, "122 10 -1 A 10 C 10 3 queue", 3),
        (POTRS, "122 10 2 0 10 C 10 3 queue", 4),
        (POTRS, "122 10 2 A 9 C 10 3 queue", 5),
        (POTRS, "122 10 2 A 10 0 10 3 queue", 6),
        (POTRS, "122 10 2 A 10 C 9 3 queue", 7),
        (POTRS, "122 10 2 A 10 C 10 -1 queue", 8),
        (POSV, "0 10 2 A 10 C 10 info 3 queue", 1),
        (POSV, "122 -1 2 A 10 C 10 info 3 queue", 2),
        (POSV, "122 10 -1 A 10 C 10 info 3 queue", 3),
        (POSV, "122 10 2 0 10 C 10 info 3 queue", 4),
        (POSV, "122 10 2 A 9 C 10 info 3 queue", 5),
        (POSV, "122 10 2 A 10 0 10 info 3 queue", 6),
        (POSV, "122 10 2 A 10 C 9 info 3 queue", 7),
        (POSV, "122 10 2 A 10 C 10 info -1 queue", 9),
    ];
    on_every_dtype(N, Input::Regular, |s| {
        for (routine, words, number) in rows {
            let (code, text) = stderr_of(|| s.run(routine, words));
            assert_eq!(code, -number, "{routine} {words}");
            assert_line(&text, &illegal(&s.name(routine), number));
        }
        assert!(s.is_untouched());
    });
}

#[test]
fn nothing_to_do() {
    on_every_dtype(N, Input::Regular, |s| {
        for (routine, words) in [
            (POTRF, "122 0 A 1 info 3 queue"),
            (POTRF, "122 10 0 10 0 0 queue"),
            (EXPERT, "121 0 0 0 A 1 info 3 queue"),
            (POTF2, "122 0 A 0 0 1 info 0 3 queue"),
            (POTRS, "122 0 2 A 1 C 1 3 queue"),
            (POTRS, "122 10 0 A 10 C 10 3 queue"),
            (POSV, "122 0 2 A 1 C 1 info 3 queue"),
            // As in MAGMA, A is not factored if there are no right-hand sides.
            (POSV, "122 10 0 A 10 C 10 info 3 queue"),
        ] {
            assert_eq!(s.run(routine, words), 0, "{routine} {words}");
        }
        assert!(s.is_untouched());
    });
}

/// Both triangles report codes, unless the codes are NULL.
#[test]
fn codes_are_told() {
    for (input, codes) in [(Input::Regular, [0, 0, 0]), (Input::Singular, [0, 3, 0]), (Input::Nan, [0, 10, 0])] {
        on_every_dtype(N, input, |s| {
            for uplo in [121, 122] {
                for (routine, words) in [
                    (POTRF, format!("{uplo} 10 A 10 info 3 queue")),
                    (EXPERT, format!("{uplo} 10 4 2 A 10 info 3 queue")),
                    (POTF2, format!("{uplo} 10 A 0 0 10 info 0 3 queue")),
                    (POSV, format!("{uplo} 10 2 A 10 C 10 info 3 queue")),
                ] {
                    assert_eq!(s.run(routine, &words), 0, "{routine} {words}");
                    assert_eq!(s.codes(), codes, "{routine} {words}");
                    s.restore();
                    assert_eq!(s.call(routine, &words, ("info", 0)), 0, "{routine} {words}");
                    s.restore();
                }
            }
        });
    }
}

/// A 7 x 7 block at (3, 3) is factored like a matrix. Codes count the columns before it, and nonzero codes stay.
#[test]
fn potf2_factors_a_block() {
    on_every_dtype(N, Input::Nan, |s| {
        let block = |s: &LuFixture| -> Vec<Vec<u8>> {
            let (all, size) = (s.a.matrices(), s.a.dtype.bytes());
            let member =
                |bytes: &[u8]| (3..N).flat_map(|j| bytes[(3 + j * N) * size..(N + j * N) * size].to_vec()).collect();
            all.chunks(N * N * size).map(member).collect()
        };
        assert_eq!(s.run(POTF2, "122 7 A 3 3 10 info 3 3 queue"), 0);
        // The codes were poison, which counts as nonzero.
        assert_eq!(s.codes(), [i32::from_ne_bytes([0xa7; 4]); 3]);
        let factored = block(s);
        s.restore();
        assert_eq!(s.run(POTF2, "122 7 A 3 3 10 info 0 3 queue"), 0);
        assert_eq!((s.codes(), block(s) == factored), ([0, 7, 0], true));
        // Codes that are 0 now become the block's.
        let mut again = LuFixture::new(s.a.dtype, N, Input::Regular);
        assert_eq!(again.run(POTF2, "122 3 A 0 0 10 info 0 3 queue"), 0);
        assert_eq!(again.codes(), [0; 3]);
        again.a.fill(N, |b, i, j| super::lu_fixture::value(Input::Nan, N, (b, i, j)));
        assert_eq!(again.run(POTF2, "122 3 A 0 0 10 info 0 3 queue"), 0);
        assert_eq!(again.run(POTF2, "122 7 A 3 3 10 info 3 3 queue"), 0);
        assert_eq!(again.codes(), [0, 10, 0]);
    });
}
