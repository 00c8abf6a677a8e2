//! The choice of pivots and the division by them, on matrices made by hand.

use super::matrices::real;
use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::EntryForm;
use tephra_testkit::ops::lu::{getrf, integers};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, with_scalar};

/// Factors a matrix: the factors, interchanges and code.
fn factored<T: Scalar>(a: &Matrix<T>, pivoting: bool) -> Result<(Matrix<T>, Vec<usize>, i32)> {
    let session = Session::new(Library::required());
    let output =
        getrf(&session, EntryForm::Pointers, pivoting, std::slice::from_ref(a), &Placement::guarded())?.run()?;
    let ipiv = if pivoting { integers(&output.operands[1][0]) } else { vec![] };
    Ok((output.operands[0][0].clone(), ipiv, output.info[0]))
}

fn column<T: Scalar>(parts: &[(f64, f64)]) -> Matrix<T> {
    Matrix::from_fn(parts.len(), 1, |i, _| T::from_double(<T as Scalar>::Double::parts(parts[i].0, parts[i].1)))
}

/// The pivot of a column, which must be the same alone and in a batch.
fn pivot<T: Scalar>(parts: &[(f64, f64)]) -> Result<usize> {
    let (a, session) = (column::<T>(parts), Session::new(Library::required()));
    let alone = factored(&a, true)?.1[0];
    let output = getrf(&session, EntryForm::Pointers, true, &vec![a; 33], &Placement::guarded())?.run()?;
    assert!(output.operands[1].iter().all(|ipiv| integers(ipiv)[0] == alone), "{parts:?}");
    Ok(alone)
}

#[test]
fn the_first_of_the_largest_is_taken() -> Result<()> {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            assert_eq!(pivot::<T>(&[(1.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (2.0, 0.0)])?, 2);
            assert_eq!(pivot::<T>(&[(-2.0, 0.0), (2.0, 0.0)])?, 1);
            // In a long column, at positions around the edges of vectors.
            for at in [0, 1, 15, 16, 17, 40, 69] {
                let parts: Vec<_> = (0..70).map(|i| (if i >= at { -1.0 } else { 0.5 }, 0.0)).collect();
                assert_eq!(pivot::<T>(&parts)?, at + 1, "{}", dtype.letter());
            }
            if dtype.is_complex() {
                // |re| + |im| are 7, 7 and 7.5; the moduli would be 5, 7 and 5.3.
                assert_eq!(pivot::<T>(&[(3.0, 4.0), (0.0, -7.0)])?, 1);
                assert_eq!(pivot::<T>(&[(0.0, 7.0), (3.75, -3.75)])?, 2);
                // Neither part alone decides: the sums are 2 and 6; 5.5, 6 and 5.75.
                assert_eq!(pivot::<T>(&[(2.0, 0.0), (1.0, 5.0)])?, 2);
                assert_eq!(pivot::<T>(&[(5.0, 0.5), (3.0, -3.0), (0.0, 5.75)])?, 2);
            }
        });
    }
    Ok(())
}

/// LAPACK's own routines do not agree on NaN. Here it counts as 0 in the pivot search, but not as a zero pivot.
#[test]
fn nan_is_not_searched_for() -> Result<()> {
    const NAN: f64 = f64::NAN;
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            assert_eq!(pivot::<T>(&[(NAN, 0.0), (1.0, 0.0), (2.0, 0.0)])?, 3);
            assert_eq!(pivot::<T>(&[(1.0, 0.0), (NAN, 0.0), (-1.0, 0.0)])?, 1);
            let (factors, ipiv, code) = factored::<T>(&column(&[(NAN, 0.0), (0.0, 0.0)]), true)?;
            assert_eq!((ipiv[0], code), (1, 0));
            assert!(factors[(1, 0)].to_double().re().is_nan());
            let (factors, ipiv, code) = factored::<T>(&column(&[(0.0, 0.0), (NAN, 0.0)]), true)?;
            assert_eq!((ipiv[0], code), (1, 1), "a zero comes first");
            assert!(factors[(1, 0)].to_double().re().is_nan(), "and divides nothing");
        });
    }
    Ok(())
}

/// The first of several zero pivots is reported. Elements below a zero pivot stay unchanged, and the rest is factored.
#[test]
fn zero_pivots_divide_nothing() -> Result<()> {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let a = Matrix::from_fn(4, 4, |i, j| real::<T>([
                [0.0, 1.0, 2.0, 3.0],
                [4.0, 1.0, 2.0, 3.0],
                [0.0, 0.0, 0.0, 5.0],
                [0.0, 0.0, 0.0, 7.0],
            ][i][j]));
            let (factors, ipiv, code) = factored(&a, true)?;
            assert_eq!((ipiv, code), (vec![2, 2, 3, 4], 3));
            let expected = [[4.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 5.0], [0.0, 0.0, 0.0, 7.0]];
            assert_eq!(factors, Matrix::from_fn(4, 4, |i, j| real(expected[i][j])));
            // Without pivoting the zero stays where it is, and the elements below it are used unscaled.
            let (factors, _, code) = factored(&a, false)?;
            assert_eq!(code, 1);
            assert_eq!((factors[(1, 0)], factors[(1, 1)]), (real(4.0), real(-3.0)));
        });
    }
    Ok(())
}

/// Pivots whose reciprocals overflow or lose digits, with elements that are exact multiples of them, so that L is
/// exact.
#[test]
fn pivots_near_the_ends_of_the_range() -> Result<()> {
    for dtype in Dtype::ALL {
        let ends = if dtype.is_double() { [-1070, -1024, -1022, 1020, 1023] } else { [-145, -128, -126, 124, 127] };
        for e in ends {
            with_scalar!(dtype, T => for imaginary in [0.0, 1.0] {
                let multiples = [1.0, 0.5, -0.25, 0.5];
                let part = |i: usize| <T as Scalar>::Double::parts(multiples[i], multiples[i] * imaginary);
                let a = Matrix::from_fn(4, 1, |i, _| T::from_double(part(i).ldexp(e)));
                for pivoting in [true, false] {
                    let (factors, _, code) = factored(&a, pivoting)?;
                    let what = format!("{} 2^{e} (1 + {imaginary}i), pivoting {pivoting}", dtype.letter());
                    let expected = [a[(0, 0)], real(0.5), real(-0.25), real(0.5)];
                    assert_eq!((factors.data(), code), (&expected[..], 0), "{what}");
                }
            });
        }
    }
    Ok(())
}
