//! Batches so large that the CUDA backend sorts their members by size: each member has the same bits and the same code
//! as in a batch that is not sorted.

use crate::{cholesky, lu};
use std::ops::Range;
use tephra_testkit::ops::Uplo;
use tephra_testkit::scalar::{Field, bytes_of};
use tephra_testkit::signatures;
use tephra_testkit::varying::vectors::{BatchFixture, Outcome};
use tephra_testkit::{Dtype, Matrix, Result, Rng, Scalar, with_scalar};

/// Bytes of as many matrices of the largest order, beyond which members are sorted.
const BYTES: usize = 130 << 20;
/// The least number of members that are sorted, and numbers that are not. (Cholesky has another plan for less than
/// 2048.)
const SORTED: usize = 2100;
const UNSORTED: usize = 500;
const UNSORTED_OF_CHOLESKY: usize = 2048;
/// The largest orders: with a kernel for each class of sizes, and by panels.
const LARGEST: [usize; 2] = [60, 140];

fn count<T: Scalar>(most: usize) -> usize {
    (BYTES / (most * most * T::DTYPE.bytes())).max(SORTED) + 13
}

/// Sizes of which most are small, so that this takes little memory.
fn sizes(count: usize, most: usize) -> Vec<(usize, usize)> {
    let mut rng = Rng::new(41);
    let mut below = |i: usize| if i.is_multiple_of(40) { rng.below(most) + 1 } else { rng.below(12) };
    (0..count).map(|i| (below(i), below(i))).collect()
}

/// A matrix whose diagonal outweighs the rest; now and then, one of zeros or with NaN.
fn member<T: Scalar>((m, n): (usize, usize), i: usize) -> Matrix<T> {
    let mut rng = Rng::new(1000 + i as u64);
    let real = <T as Scalar>::Double::real;
    let of = |r: usize, c: usize, x: <T as Scalar>::Double| match i % 31 {
        3 => real(0.0),
        5 if r == c && r > 1 => real(f64::NAN),
        _ if r == c => real(3.0 * m as f64),
        _ => x,
    };
    Matrix::from_fn(m, n, |r, c| T::from_double(of(r, c, <T as Scalar>::Double::uniform(&mut rng))))
}

/// Members with an invalid row count, column count or leading dimension: which array, and its value.
fn invalid(i: usize, most: usize) -> Option<(usize, usize)> {
    match i % 101 {
        7 => Some((0, usize::MAX)),
        11 => Some((1, most + 1)),
        _ => None,
    }
}

/// The parts of a batch with `unsorted` members.
fn parts(count: usize, unsorted: usize) -> [Range<usize>; 2] {
    [0..unsorted, count - unsorted..count]
}

fn fixture<T: Scalar, V: Scalar>(most: usize, of: Range<usize>, count: usize) -> Result<BatchFixture<T, V>> {
    let sizes = sizes(count, most);
    let members = of.clone().map(|i| member(sizes[i], i)).collect();
    let mut fixture = BatchFixture::of(members, (most, most))?;
    for (at, i) in of.enumerate() {
        if let Some((array, value)) = invalid(i, most) {
            fixture.set_size(array, at, value)?;
        }
    }
    Ok(fixture)
}

fn compare<T: Scalar, V: Scalar>(names: &str, words: &str, most: usize) -> Result<()> {
    let count = count::<T>(most);
    let run = |of: Range<usize>| -> Result<Outcome<T, V>> {
        let first = of.start;
        fixture::<T, V>(most, of, count)?.run(names, words, |i| invalid(first + i, most).is_none())
    };
    let all = run(0..count)?;
    for part in parts(count, UNSORTED) {
        let alone = run(part.clone())?;
        for (at, i) in part.enumerate() {
            let what = format!("{names} {:?} up to {most}, member {i}", T::DTYPE);
            assert_eq!(all.codes[i], alone.codes[at], "{what}");
            assert_eq!(bytes_of(all.members[i].data()), bytes_of(alone.members[at].data()), "{what}");
            assert_eq!(bytes_of(all.vectors[i].data()), bytes_of(alone.vectors[at].data()), "{what}");
        }
    }
    assert!(all.codes.iter().enumerate().all(|(i, &code)| invalid(i, most).is_none() || code < 0));
    Ok(())
}

#[test]
fn qr_of_sorted_members_is_the_same() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
        with_scalar!(dtype, T => compare::<T, T>(signatures::GEQRF.names[3], signatures::GEQRF.varying, most)?);
    }
    Ok(())
}

#[test]
fn lu_of_sorted_members_is_the_same() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
        for (names, words) in [lu::NATIVE.with_pivoting(), lu::NATIVE.without_pivoting()] {
            with_scalar!(dtype, T => compare::<T, f32>(names, words, most)?);
        }
    }
    Ok(())
}

#[test]
fn cholesky_of_sorted_members_is_the_same() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
        with_scalar!(dtype, T => {
            let count = count::<T>(most);
            let sizes = sizes(count, most);
            let run = |of: Range<usize>| {
                let squares = of.clone().map(|i| member::<T>((sizes[i].0, sizes[i].0), i)).collect();
                let mut fixture = cholesky::fixture(squares, Uplo::Lower, most)?;
                for (at, i) in of.clone().enumerate().filter(|(_, i)| invalid(*i, most).is_some()) {
                    fixture.set_size("n", at, if i.is_multiple_of(2) { usize::MAX } else { most + 1 })?;
                }
                fixture.run(cholesky::NATIVE, [0.0; 4], |at| invalid(of.start + at, most).is_none())
            };
            let all = run(0..count)?;
            for part in parts(count, if most > 64 { UNSORTED } else { UNSORTED_OF_CHOLESKY }) {
                let alone = run(part.clone())?;
                for (at, i) in part.enumerate() {
                    let what = format!("{dtype:?} up to {most}, member {i}");
                    assert_eq!(all.1[i], alone.1[at], "{what}");
                    assert_eq!(bytes_of(all.0[i].data()), bytes_of(alone.0[at].data()), "{what}");
                }
            }
        });
    }
    Ok(())
}
