//! Pointer arrays may be NULL if no element of the operand is read; the call still does its work.

use super::fixture::{BATCH, Fixture, assert_line, element};
use super::magma::illegal;
use crate::stderr::stderr_of;
use tephra_testkit::Dtype;
use tephra_testkit::any_call::call;

const M: usize = 6;
const N: usize = 4;
const NULL: u64 = 0;

/// The bytes of the same matrix for every member.
fn matrices(dtype: Dtype, value: impl Fn(usize, usize) -> f64) -> Vec<u8> {
    let places = (0..BATCH).flat_map(|_| (0..N).flat_map(|j| (0..M).map(move |i| (i, j))));
    places.flat_map(|(i, j)| element(dtype, value(i, j))).collect()
}

/// Makes a call and returns the fixture's matrices. The name is without the precision letter.
fn done(s: &mut Fixture, name: &str, arguments: &[u64]) -> Vec<u8> {
    s.fill(M, |_, i, j| (1 + i + 10 * j) as f64);
    let real = !s.dtype.is_complex();
    let name = if real { name.to_owned() } else { name.replace("orgqr", "ungqr") };
    let symbol = format!("tephra_{}{name}_batched", s.dtype.letter());
    let all = [arguments, &[BATCH as u64, s.stream.raw() as u64]].concat();
    assert_eq!(unsafe { call(s.lib, &symbol, [0.0; 4], &all) }, 0, "{symbol}");
    s.matrices()
}

#[test]
fn operands_that_are_not_read_may_be_null() {
    let [no_trans, left, lower, non_unit] = [111, 141, 122, 131];
    let (m, n, k) = (M as u64, N as u64, 3);
    for dtype in Dtype::ALL {
        let mut s = Fixture::new(dtype, M, N);
        let [zero, two] = [0.0, 2.0].map(|x| element(dtype, x));
        let [zero, two] = [&zero, &two].map(|x| x.as_ptr() as u64);
        let out = s.a() as u64;
        let before = |i: usize, j: usize| (1 + i + 10 * j) as f64;
        let twice = matrices(dtype, |i, j| 2.0 * before(i, j));
        let nothing = matrices(dtype, |_, _| 0.0);

        let identity = matrices(dtype, |i, j| if i == j { 1.0 } else { 0.0 });
        assert_eq!(done(&mut s, "orgqr", &[m, n, 0, out, m, NULL]), identity, "{dtype:?}");
        for (alpha, k) in [(zero, k), (two, 0)] {
            let gemm = [no_trans, no_trans, m, n, k, alpha, NULL, m, NULL, k.max(1), two, out, m];
            assert_eq!(done(&mut s, "gemm", &gemm), twice, "{dtype:?}");
            let lower_twice = matrices(dtype, |i, j| if (j..N).contains(&i) { 2.0 } else { 1.0 } * before(i, j));
            let syrk = [lower, no_trans, n, k, alpha, NULL, n, two, out, m];
            assert_eq!(done(&mut s, "syrk", &syrk), lower_twice, "{dtype:?}");
            let syr2k = [lower, no_trans, n, k, alpha, NULL, n, NULL, n, two, out, m];
            assert_eq!(done(&mut s, "syr2k", &syr2k), lower_twice, "{dtype:?}");
        }
        let first_twice = matrices(dtype, |i, j| if j == 0 { 2.0 } else { 1.0 } * before(i, j));
        let gemv = [no_trans, m, n, zero, NULL, m, NULL, 1, two, out, 1];
        assert_eq!(done(&mut s, "gemv", &gemv), first_twice, "{dtype:?}");
        for name in ["trmm", "trsm"] {
            let triangle = [left, lower, no_trans, non_unit, m, n, zero, NULL, m, out, m];
            assert_eq!(done(&mut s, name, &triangle), nothing, "{dtype:?}");
        }
        assert_eq!(
            done(&mut s, "geam", &[no_trans, no_trans, m, n, zero, NULL, m, two, out, m, out, m]),
            twice,
            "{dtype:?}"
        );
        assert_eq!(
            done(&mut s, "geam", &[no_trans, no_trans, m, n, two, out, m, zero, NULL, m, out, m]),
            twice,
            "{dtype:?}"
        );
        assert_eq!(done(&mut s, "geam", &[no_trans, no_trans, m, n, zero, NULL, m, zero, NULL, m, out, m]), nothing);
        assert!(s.factors() == vec![0xa7; s.factors().len()]);
    }
}

/// MAGMA's products and transpositions compare leading dimensions with the rows alone: without rows they may be 0.
#[test]
fn matrices_without_rows_may_have_leading_dimension_0() {
    let [no_trans, trans, lower, queue] = [111, 112, 122, NULL];
    let (m, n, batch) = (M as u64, N as u64, BATCH as u64);
    for dtype in [Dtype::S, Dtype::D] {
        let mut s = Fixture::new(dtype, M, N);
        let out = s.a() as u64;
        let before = |i: usize, j: usize| (1 + i + 10 * j) as f64;
        let (same, twice) = (matrices(dtype, before), matrices(dtype, |i, j| 2.0 * before(i, j)));
        let lower_twice = matrices(dtype, |i, j| if (j..N).contains(&i) { 2.0 } else { 1.0 } * before(i, j));
        // alpha is 3 and beta 2; both are passed by value.
        let scalars =
            [3.0, 2.0].map(|x: f64| if dtype == Dtype::S { f64::from_bits((x as f32).to_bits().into()) } else { x });
        for (name, arguments, after) in [
            (
                "magmablas_?gemm_batched",
                vec![no_trans, no_trans, m, n, 0, out, m, out, 0, out, m, batch, queue],
                &twice,
            ),
            ("magmablas_?gemm_batched", vec![trans, no_trans, m, n, 0, out, 0, out, 0, out, m, batch, queue], &twice),
            ("magmablas_?gemm_batched", vec![no_trans, no_trans, 0, n, 3, out, 0, out, 3, out, 0, batch, queue], &same),
            (
                "magmablas_?gemm_batched_strided",
                vec![no_trans, no_trans, m, 0, 3, out, m, 0, out, 3, 0, out, m, 0, batch, queue],
                &same,
            ),
            ("magmablas_?gemv_batched", vec![no_trans, 0, n, out, 0, out, 1, out, 1, batch, queue], &same),
            ("magmablas_?syrk_batched", vec![lower, trans, n, 0, out, 0, out, m, batch, queue], &lower_twice),
            ("magmablas_?syr2k_batched", vec![lower, trans, n, 0, out, 0, out, 0, out, m, batch, queue], &lower_twice),
            ("magmablas_?transpose_batched", vec![0, n, out, 0, out, n, batch, queue], &same),
        ] {
            s.fill(M, |_, i, j| before(i, j));
            let symbol = name.replace('?', &dtype.letter().to_string());
            // SAFETY: the arguments match MAGMA's prototypes.
            let (_, text) =
                stderr_of(|| unsafe { call(s.lib, &symbol, [scalars[0], scalars[1], 0.0, 0.0], &arguments) });
            assert_eq!(text, "", "{symbol}");
            s.stream.synchronize().unwrap();
            assert!(s.matrices() == *after, "{symbol} {arguments:?}");
        }
    }
}

/// An empty matrix needs no memory, so NULL is not an error.
#[test]
fn nothing_is_assigned_to_empty_matrices() {
    let [full, queue] = [123, NULL];
    for dtype in Dtype::ALL {
        let s = Fixture::new(dtype, M, N);
        for (m, n) in [(0, 0), (0, 4), (4, 0)] {
            let ld = m.max(1);
            // alpha and beta are passed by value and are not listed here.
            for (name, arguments) in [
                ("laset", vec![full, m, n, NULL, ld, queue]),
                ("lacpy", vec![full, m, n, NULL, ld, NULL, ld, queue]),
                ("laset_batched", vec![full, m, n, NULL, ld, BATCH as u64, queue]),
                ("lacpy_batched", vec![full, m, n, NULL, ld, NULL, ld, BATCH as u64, queue]),
                ("laset_internal_batched", vec![full, m, n, NULL, 1, 2, ld, BATCH as u64, queue]),
                ("lacpy_internal_batched", vec![full, m, n, NULL, 1, 2, ld, NULL, 2, 1, ld, BATCH as u64, queue]),
            ] {
                let symbol = format!("magmablas_{}{name}", dtype.letter());
                // SAFETY: the arguments match MAGMA's prototypes, and nothing is read or written.
                let (_, text) = stderr_of(|| unsafe { call(s.lib, &symbol, [1.0; 4], &arguments) });
                assert_eq!(text, "", "{symbol} {m}x{n}");
            }
        }
        // For a matrix that is not empty, NULL is an error.
        let symbol = format!("magmablas_{}laset", dtype.letter());
        // SAFETY: as above, the call is refused before it accesses memory.
        let (_, text) = stderr_of(|| unsafe { call(s.lib, &symbol, [1.0; 4], &[full, 1, 1, NULL, 1, queue]) });
        assert_line(&text, &illegal(&symbol, 6));
    }
}
