//! getrf and getrf_nopiv.

use super::matrices::{all_interchanges, inputs, well_separated};
use tephra_testkit::engine::{BATCH, Determined, Entry, Inputs, Leftover, Member, Routine, Spot, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{FORMS, from_integers, getrf, integers};
use tephra_testkit::ops::residuals::factorisation;
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, routine_tests, sweep, with_scalar};

/// Both sides of the edges of packs, of blocks, and of pairs of blocks.
const SHAPES: &str = "1x1 2x1 1x2 3x3 8x8 9x4 4x9 7x300 16x16 17x16 16x17 31x31 32x32 33x33 32x40 40x32 50x20 20x50 65x64 64x65 \
                      96x96 100x70 70x100 130x130 300x33 33x300 200x190";

/// getrf with pivoting, or getrf_nopiv.
struct Getrf<const PIVOTING: bool>;

impl<const PIVOTING: bool> Routine for Getrf<PIVOTING> {
    const NAME: &'static str = if PIVOTING { "getrf" } else { "getrf_nopiv" };
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    const CLASSES: &'static [Class] = &[Class::Uniform, Class::Cond2, Class::CondRoot, Class::RowScaled];
    /// Rows and columns of A.
    type Case = [usize; 2];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        sizes(SHAPES)
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        sizes("2x2 6x4 4x6 20x33 70x65 130x40")
    }
    fn zeros() -> Vec<Self::Case> {
        sizes("0x0 3x0 0x3")
    }
    fn tiny() -> Option<Self::Case> {
        Some([3, 2])
    }
    fn inputs<T: Scalar>([m, n]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![inputs(class, (m, n), PIVOTING, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        getrf(entry.session, entry.form, PIVOTING, &inputs[0], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let none = Matrix::from_fn(0, 1, |_, _| T::POISON);
        factorisation(&member.given[0], &member.got[0], if PIVOTING { &member.got[1] } else { &none })
    }
    fn spots([m, n]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (0, 0)), Spot::not_finite(0, (m - 1, n - 1)), Spot::not_finite(0, (m / 2, 0))]
    }
    fn make_singular<T: Scalar>([m, n]: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let column = [0, m.min(n) / 2, m.min(n) - 1][flaw];
        a.col_mut(column).fill(T::from_double(<T as Scalar>::Double::ZERO));
        column as i32 + 1
    }
    fn leftovers<T: Scalar>(case: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        let right = Self::ratio(case, Class::Uniform, member) < Ratios::THRESHOLD;
        let ipiv = member.got.get(1).map(|ipiv| all_interchanges(case[0], ipiv));
        [Some(Leftover::stated("A", "the factors", right)), ipiv].into_iter().flatten().collect()
    }
}

impl Determined for Getrf<true> {
    const BOUND: f64 = 20.0;

    fn paths(backend: Backend) -> &'static [&'static str] {
        sweep::paths(backend)
    }
    fn determined<T: Scalar>([m, n]: Self::Case, batch: usize, rng: &mut Rng) -> Inputs<T> {
        vec![(0..batch).map(|_| well_separated::<T>(m, n, rng)).collect()]
    }
    /// The pivots are the same and the factors differ by rounding only: by at most 2 in units of n eps times the
    /// largest element.
    fn difference<T: Scalar>(lapack: &Lapack, [m, n]: Self::Case, member: &Member<T>) -> Result<f64> {
        let (factors, ipiv, code) = lapack.getrf(&member.given[0])?;
        if code != 0 || integers(&member.got[1]) != ipiv.iter().map(|&i| i as usize).collect::<Vec<_>>() {
            return Ok(f64::INFINITY);
        }
        let pairs = factors.data().iter().zip(member.got[0].data());
        let largest = pairs.map(|(x, y)| (x.to_double() - y.to_double()).abs()).fold(0.0, worst);
        Ok(largest / (m.min(n) as f64 * T::DTYPE.eps()))
    }
}

mod pivoted {
    use super::*;

    routine_tests!([Getrf<true>]:
        a_bad_member_stays_alone,
        a_singular_member_is_told_and_stays_alone,
        elements_are_lapacks,
        extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

mod without_pivots {
    use super::*;

    routine_tests!([Getrf<false>]:
        a_bad_member_stays_alone,
        a_singular_member_is_told_and_stays_alone,
        extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

/// A singular matrix is factored to the end, and the code is that of the first zero on the diagonal of U.
#[test]
fn singular_matrices_are_factored_all_the_same() -> Result<()> {
    let (session, mut singular) = (Session::new(Library::required()), 0);
    for dtype in Dtype::ALL {
        for [m, n] in sizes("1x1 5x5 9x4 4x9 33x33 70x65 40x130") {
            for class in [Class::Zero, Class::ZeroColumns, Class::RankDeficient, Class::Mixed, Class::Identity] {
                with_scalar!(dtype, T => {
                    let a = inputs::<T>(class, (m, n), true, BATCH, (m + n) as u64);
                    let output = getrf(&session, EntryForm::Pointers, true, &a, &Placement::guarded())?.run()?;
                    for (i, a) in a.iter().enumerate() {
                        let (factors, ipiv) = (&output.operands[0][i], &output.operands[1][i]);
                        let what = format!("{} {m}x{n} {}", dtype.letter(), class.name());
                        let zero = |j: &usize| factors[(*j, *j)].to_double() == <T as Scalar>::Double::ZERO;
                        let expected = (0..m.min(n)).find(zero).map_or(0, |j| j as i32 + 1);
                        assert_eq!(output.info[i], expected, "{what}");
                        let ratio = factorisation(a, factors, ipiv);
                        assert!(ratio < 30.0, "{what}: ratio {ratio}");
                        singular += usize::from(expected > 0);
                    }
                });
            }
        }
    }
    assert!(singular > 4 * 7 * BATCH, "{singular} singular matrices");
    Ok(())
}

/// For input of every class, the ratio is below LAPACK's threshold (unless element growth puts LAPACK's own above it)
/// and, if it exceeds a tenth of the threshold, at most twice LAPACK's own. Multipliers are at most 1.
#[test]
fn hard_matrices_are_factored_as_well_as_by_lapack() -> Result<()> {
    let (session, lapack) = (Session::new(Library::required()), Lapack::get_unless_waived()?);
    for dtype in Dtype::ALL {
        for (seed, [m, n]) in sizes("2x2 7x7 20x33 31x31 48x48 100x100").into_iter().enumerate() {
            for &class in Class::ALL {
                with_scalar!(dtype, T => {
                    let a: Vec<Matrix<T>> = (0..BATCH).map(|i| class.generate(m, n, &mut Rng::new((seed * 8 + i) as u64))).collect();
                    let output = getrf(&session, EntryForm::Strided, true, &a, &Placement::guarded())?.run()?;
                    for (i, a) in a.iter().enumerate() {
                        let (factors, ipiv) = (&output.operands[0][i], &output.operands[1][i]);
                        let what = format!("{} {m}x{n} {}", dtype.letter(), class.name());
                        let ratio = factorisation(a, factors, ipiv);
                        let own = match &lapack {
                            Some(lapack) => {
                                let (factors, ipiv, _) = lapack.getrf(a)?;
                                factorisation(a, &factors, &from_integers(ipiv.iter().map(|&p| p as usize)))
                            }
                            None => 0.0,
                        };
                        assert!(
                            (ratio < 30.0 || own > 30.0) && ratio <= (2.0 * own).max(sweep::floor(m)), "{what}: ratio {ratio}, LAPACK's {own}");
                        let below = (0..m.min(n)).flat_map(|j| factors.col(j)[j + 1..].to_vec());
                        let largest = below.map(|l| l.to_double().abs()).fold(0.0, worst);
                        // the modulus of a quotient of numbers with equal |re| + |im|
                        let most = if dtype.is_complex() { 2f64.sqrt() } else { 1.0 };
                        assert!(largest <= most * (1.0 + 8.0 * dtype.eps()), "{what}: {largest} in L");
                    }
                });
            }
        }
    }
    Ok(())
}
