//! getri and potri.

use tephra_testkit::ops::Uplo;
use tephra_testkit::ops::cholesky::{self, hermitian, inverted, other_triangle_unchanged, triangle};
use tephra_testkit::ops::residuals::{inverse, reference};
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::signatures;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::{VariableSizeBatch, shapes};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

const LARGEST: [usize; 5] = [1, 9, 33, 70, 130];

/// Matrices with heavy diagonals, so that their Hermitian parts are definite.
fn matrices<T: Scalar>(most: usize, count: usize, seed: u64) -> Vec<Matrix<T>> {
    let mut rng = Rng::new(seed);
    let orders = shapes(count, (most, most), &mut rng);
    let mut of = |n: usize| {
        Matrix::from_fn(n, n, |i, j| {
            let x = <T as Scalar>::Double::uniform(&mut rng);
            T::from_double(if i == j { x + <T as Scalar>::Double::real(2.0 * n as f64) } else { x })
        })
    };
    orders.into_iter().map(|(n, _)| of(n)).collect()
}

/// A batch with the factors and a poisoned C, and the interchanges, which are typed `f32`.
fn general<T: Scalar>(
    factors: &[(Matrix<T>, Vec<usize>)],
    most: usize,
) -> Result<(BatchFixture<T>, VariableSizeBatch<f32>)> {
    let orders: Vec<usize> = factors.iter().map(|(a, _)| a.rows()).collect();
    let mut ipiv = VariableSizeBatch::new(Library::required(), &orders.iter().map(|&n| (n, 1)).collect::<Vec<_>>(), 9)?;
    for (i, (_, pivots)) in factors.iter().enumerate() {
        ipiv.set(i, &Matrix::from_fn(pivots.len(), 1, |r, _| f32::from_bits(pivots[r] as u32)));
    }
    ipiv.upload()?;
    let a = factors.iter().map(|(a, _)| a.clone()).collect();
    let c = orders.iter().map(|&n| Matrix::from_fn(n, n, |_, _| T::POISON)).collect();
    let numbers = vec![("max_n", most as u64), ("ipiv", ipiv.pointers())];
    Ok((BatchFixture::new(vec![(["A", "lda"], a), (["C", "ldc"], c)], vec![("n", orders)], numbers)?, ipiv))
}

fn definite<T: Scalar>(factors: &[Matrix<T>], uplo: Uplo, most: usize) -> Result<BatchFixture<T>> {
    let orders = factors.iter().map(Matrix::rows).collect();
    let numbers = vec![("max_n", most as u64), ("uplo", uplo.cblas() as u64)];
    BatchFixture::new(vec![(["A", "lda"], factors.to_vec())], vec![("n", orders)], numbers)
}

/// Members of all orders are inverted. A singular member has no result left, and members with invalid sizes are not
/// written.
#[test]
fn factors_of_lu_are_inverted() -> Result<()> {
    crate::also_padded(|| {
        for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
            with_scalar!(dtype, T => {
                let a = matrices::<T>(most, 21, 71);
                let mut factors: Vec<_> = a.iter().map(|a| reference(a, true)).collect();
                let (fixture, _ipiv) = general(&factors, most)?;
                let Outcome(clean, codes) = fixture.run(signatures::GETRI.entry_spec(), [0.0; 4], |_| true)?;
                for i in 0..21 {
                    let ratio = if a[i].rows() == 0 { 0.0 } else { inverse::<T>(&a[i].to_double(), &clean[i]) };
                    assert!(ratio < 30.0 && codes[i] == 0, "{dtype:?} {most}, member {i}: {ratio}");
                }
                let some: Vec<usize> = (0..21).filter(|&i| a[i].rows() > 1).take(4).collect();
                if some.len() < 4 {
                    continue;
                }
                factors[some[0]].0[(1, 1)] = T::from_double(<T as Scalar>::Double::ZERO);
                let (mut fixture, _ipiv) = general(&factors, most)?;
                fixture.set_size("n", some[1], most + 1)?;
                fixture.set_size("lda", some[2], a[some[2]].rows() - 1)?;
                fixture.set_size("ldc", some[3], a[some[3]].rows() - 1)?;
                let Outcome(got, codes) = fixture.run(signatures::GETRI.entry_spec(), [0.0; 4], |i| !some[1..].contains(&i))?;
                assert_eq!(some.iter().map(|&i| codes[i]).collect::<Vec<_>>(), [2, -1, -3, -6], "{dtype:?} {most}");
                assert!(got[some[0]].data().iter().all(|x| x.to_double().re().is_nan()), "{dtype:?} {most}");
                for i in (0..21).filter(|i| !some.contains(i)) {
                    assert!(same_bits(got[i].data(), clean[i].data()) && codes[i] == 0, "{dtype:?} {most}, member {i}");
                }
            });
        }
        Ok(())
    })
}

/// The same for Cholesky factors, of which a singular one stays unchanged.
#[test]
fn factors_of_cholesky_are_inverted() -> Result<()> {
    crate::also_padded(|| {
        for ((dtype, most), &uplo) in Dtype::ALL
            .into_iter()
            .flat_map(|dtype| LARGEST.map(|most| (dtype, most)))
            .flat_map(|case| Uplo::ALL.iter().map(move |uplo| (case, uplo)))
        {
            with_scalar!(dtype, T => {
                let a = matrices::<T>(most, 21, 72);
                let of = |a: &Matrix<T>| triangle(uplo, &cholesky::reference(uplo, a), |_, _| T::POISON);
                let mut factors: Vec<_> = a.iter().map(of).collect();
                let Outcome(clean, codes) = definite(&factors, uplo, most)?.run(signatures::POTRI.entry_spec(), [0.0; 4], |_| true)?;
                for i in 0..21 {
                    let whole = hermitian(uplo, &a[i].to_double());
                    let ratio = if a[i].rows() == 0 { 0.0 } else { inverted(uplo, &whole, &factors[i], &clean[i]) };
                    let real = (0..a[i].rows()).all(|j| clean[i][(j, j)].to_double().im() == 0.0);
                    assert!(ratio < 30.0 && codes[i] == 0 && real, "{dtype:?} {uplo:?} {most}, member {i}: {ratio}");
                    assert!(other_triangle_unchanged(uplo, &factors[i], &clean[i]), "{dtype:?} {uplo:?} {most}, member {i}");
                }
                let some: Vec<usize> = (0..21).filter(|&i| a[i].rows() > 1).take(3).collect();
                if some.len() < 3 {
                    continue;
                }
                factors[some[0]][(1, 1)] = T::from_double(<T as Scalar>::Double::ZERO);
                let mut fixture = definite(&factors, uplo, most)?;
                fixture.set_size("n", some[1], most + 1)?;
                fixture.set_size("lda", some[2], a[some[2]].rows() - 1)?;
                let Outcome(got, codes) = fixture.run(signatures::POTRI.entry_spec(), [0.0; 4], |i| !some.contains(&i))?;
                assert_eq!(some.iter().map(|&i| codes[i]).collect::<Vec<_>>(), [2, -2, -4], "{dtype:?} {uplo:?} {most}");
                for i in (0..21).filter(|i| !some.contains(i)) {
                    assert!(same_bits(got[i].data(), clean[i].data()) && codes[i] == 0, "{dtype:?} {most}, member {i}");
                }
            });
        }
        Ok(())
    })
}
