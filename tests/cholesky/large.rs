//! A few large matrices, which have a plan of their own: LAPACK's ratio, a minor that is not definite, a NaN in a
//! neighbour.

use super::matrices::{UPLO, half, inputs, real};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::EntryForm;
use tephra_testkit::ops::cholesky::{factorisation, other_triangle_unchanged, potrf};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, with_scalar};

/// The leading minor of order k.
fn leading<T: Scalar>(a: &Matrix<T>, k: usize) -> Matrix<T> {
    Matrix::from_fn(k, k, |i, j| a[(i, j)])
}

/// A batch of three matrices: one that is factored, one whose pivot at `bad` is not positive, one with a NaN there.
#[test]
fn large_matrices_are_factored() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (n, bad) in [(300, 260), (520, 130)] {
            for uplo in UPLO {
                let form = EntryForm::Strided;
                with_scalar!(dtype, T => {
                    let mut a = inputs::<T>(Class::Diagonal, uplo, n, 3, n as u64);
                    // A weak coupling of all elements keeps the matrix definite.
                    for member in &mut a {
                        let coupled = Matrix::from_fn(n, n, |i, j| match i == j {
                            true => member[(i, j)],
                            false => real(((i * 7 + j * 7) % 11) as f64 / (16.0 * n as f64)),
                        });
                        *member = half(uplo, &coupled);
                    }
                    a[1][(bad, bad)] = real(-1.0);
                    a[2][(bad, bad)] = real(f64::NAN);
                    let output = potrf(&session, form, uplo, &a, &Placement::guarded())?.run()?;
                    let what = format!("{} {n} {uplo:?} {form:?}", dtype.letter());
                    assert_eq!(output.info, [0, bad as i32 + 1, bad as i32 + 1], "{what}");
                    for (i, factor) in output.operands[0].iter().enumerate() {
                        assert!(other_triangle_unchanged(uplo, &a[i], factor), "{what} member {i}: the other triangle");
                        let order = if i == 0 { n } else { bad };
                        let ratio = factorisation(uplo, &leading(&a[i], order), &leading(factor, order));
                        assert!(ratio < 30.0, "{what} member {i}: ratio {ratio}");
                        if i > 0 {
                            let pivot = factor[(bad, bad)].to_double().re();
                            assert!(pivot.is_nan() || pivot <= 0.0, "{what} member {i}: pivot {pivot}");
                        }
                    }
                });
            }
        }
    }
    Ok(())
}
