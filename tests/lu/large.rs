//! A few large matrices, which have a plan of their own: square, tall, wide and singular ones, and a NaN in a
//! neighbour; and panels so tall that the blocks of a GPU share their rows.

use tephra_testkit::engine::sizes;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::EntryForm;
use tephra_testkit::ops::lu::{getrf, integers};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::residuals::factorisation;
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, with_scalar};

/// Checks that multipliers are at most 1 and P A = L U. In a batch of three, one matrix has a NaN and one a zero
/// column.
#[test]
fn large_matrices_are_factored() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for [m, n] in sizes("520x520 640x513 515x600 4600x37 70000x17") {
            let form = EntryForm::Strided;
            with_scalar!(dtype, T => {
                let mut a = random::<T>(Class::Uniform, m, n, 3, (m + n) as u64);
                let zero = n.min(m) / 2;
                (0..m).for_each(|i| a[1][(i, zero)] = T::from_double(<T as Scalar>::Double::ZERO));
                a[2][(m - 1, 3)] = T::from_double(<T as Scalar>::Double::real(f64::NAN));
                let output = getrf(&session, form, true, &a, &Placement::guarded())?.run()?;
                let what = format!("{} {m}x{n} {form:?}", dtype.letter());
                assert_eq!(output.info[..2], [0, zero as i32 + 1], "{what}");
                #[allow(clippy::needless_range_loop)] // several arrays are indexed
                for i in 0..2 {
                    let factors = &output.operands[0][i];
                    let ratio = factorisation(&a[i], factors, &output.operands[1][i]);
                    assert!(ratio < 30.0, "{what} member {i}: ratio {ratio}");
                    let large = |(r, c): (usize, usize)| factors[(r, c)].to_double().abs().re() > 1.0 + 1e-5;
                    let below = (0..n.min(m)).flat_map(|c| (c + 1..m).map(move |r| (r, c)));
                    // For complex numbers, |re| + |im| is compared.
                    assert!(dtype.is_complex() || !below.clone().any(large), "{what}: a multiplier above one");
                }
                let lost: &Matrix<T> = &output.operands[0][2];
                assert!(!lost.is_finite(), "{what}: the NaN is gone");
                let pivots = integers(&output.operands[1][2]);
                let ranged = pivots.iter().enumerate().all(|(k, &p)| p > k && p <= m);
                assert!(ranged, "{what}: interchanges out of range");
            });
        }
    }
    Ok(())
}
