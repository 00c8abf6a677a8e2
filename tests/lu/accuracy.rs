//! How much of single precision's accuracy is lost in comparison with LAPACK: errors of factors, solutions and inverses
//! against double precision.

use std::ffi::c_int;
use tephra_testkit::accuracy::{
    Comparison, ORDERS, SINGLE, error, exact_factors, general, members, rhs_counts, right_hand_sides,
};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{from_integers, gesv, getrf, getri, getrs, integers, inv};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Trans};
use tephra_testkit::{C32, Dtype, Matrix, Result, Rng, Scalar};

/// The factors and interchanges of a batch, computed by LAPACK.
struct Factored<T> {
    factors: Vec<Matrix<T>>,
    ipiv: Vec<Vec<c_int>>,
}

impl<T: Scalar> Factored<T> {
    fn new(lapack: &Lapack, a: &[Matrix<T>]) -> Result<Self> {
        let (mut factors, mut ipiv) = (vec![], vec![]);
        for a in a {
            let (f, p, _) = lapack.getrf(a)?;
            factors.push(f);
            ipiv.push(p);
        }
        Ok(Factored { factors, ipiv })
    }
    fn interchanges(&self) -> Vec<Matrix<T>> {
        self.ipiv.iter().map(|p| from_integers(p.iter().map(|&row| row as usize))).collect()
    }
    fn each<R>(&self, of: impl Fn(&Matrix<T>, &[c_int], usize) -> Result<R>) -> Result<Vec<R>> {
        self.factors.iter().zip(&self.ipiv).enumerate().map(|(i, (f, p))| of(f, p, i)).collect()
    }
}

fn place() -> Placement {
    Placement::guarded()
}

fn factorisations<T: Scalar>(comparison: &Comparison, n: usize, rng: &mut Rng) -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let uniform = random::<T>(Class::Uniform, n, n, members(n), n as u64);
    for (kind, a) in general::<T>(n, rng).into_iter().chain([("uniform", uniform)]) {
        let error_of = |a: &Matrix<T>, f: &Matrix<T>, p: &[c_int]| {
            exact_factors(comparison.lapack, a, p).map(|exact| error(&exact, &f.to_double()))
        };
        let theirs = Factored::new(comparison.lapack, &a)?;
        let lapacks: f64 = theirs.each(|f, p, i| error_of(&a[i], f, p))?.iter().sum();
        for path in comparison.paths(n)? {
            // LAPACK does not exchange rows of the first two kinds either.
            for pivoting in if matches!(kind, "heavy" | "positive") { vec![true, false] } else { vec![true] } {
                let call = || getrf(&comparison.session, EntryForm::Strided, pivoting, &a, &place());
                let Some(written) = comparison.written(path, call)? else { continue };
                let mut ours = 0.0;
                for (i, a) in a.iter().enumerate() {
                    let rows = if pivoting { integers(&written[1][i]) } else { (1..=n).collect() };
                    let rows: Vec<c_int> = rows.iter().map(|&row| row as c_int).collect();
                    ours += error_of(a, &written[0][i], &rows)?;
                }
                let what = format!("getrf{} {kind} {n} {path}", if pivoting { "" } else { "_nopiv" });
                comparison.check::<T>(&what, a.len(), ours, lapacks)?;
            }
        }
    }
    Ok(())
}

fn solutions<T: Scalar>(comparison: &Comparison, n: usize, rng: &mut Rng) -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let (session, lapack, form) = (&comparison.session, comparison.lapack, EntryForm::Strided);
    for (kind, a) in general::<T>(n, rng) {
        let factored = Factored::new(lapack, &a)?;
        for &nrhs in rhs_counts(n) {
            let b = right_hand_sides::<T>(n, nrhs, a.len(), rng);
            for trans in if T::DTYPE.is_complex() { [Trans::N, Trans::C] } else { [Trans::N, Trans::T] } {
                let letter = trans.letter();
                let exact = factored.each(|f, p, i| lapack.getrs(letter, &f.to_double(), p, &b[i].to_double()))?;
                let lapacks = factored.each(|f, p, i| lapack.getrs(letter, f, p, &b[i]))?;
                let what = format!("getrs {trans:?} {kind} {n} x {nrhs}");
                comparison.check_all_plans(&what, n, &exact, &lapacks, 0, || {
                    let ipiv = factored.interchanges();
                    getrs(session, form, trans, &factored.factors, Some(&ipiv), &b, &place())
                })?;
            }
            let exact = solved(lapack, &to_double(&a), &to_double(&b))?;
            let what = format!("gesv {kind} {n} x {nrhs}");
            comparison.check_all_plans(&what, n, &exact, &solved(lapack, &a, &b)?, 1, || {
                gesv(session, form, &a, &b, &place())
            })?;
        }
    }
    Ok(())
}

fn to_double<T: Scalar>(batch: &[Matrix<T>]) -> Vec<Matrix<T::Double>> {
    batch.iter().map(Matrix::to_double).collect()
}

/// The solutions of a batch, computed by LAPACK.
fn solved<T: Scalar>(lapack: &Lapack, a: &[Matrix<T>], b: &[Matrix<T>]) -> Result<Vec<Matrix<T>>> {
    a.iter().zip(b).map(|(a, b)| Ok(lapack.gesv(a, b)?.expect("regular"))).collect()
}

fn inverses<T: Scalar>(comparison: &Comparison, n: usize, rng: &mut Rng) -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let (session, lapack, form) = (&comparison.session, comparison.lapack, EntryForm::Strided);
    for (kind, a) in general::<T>(n, rng) {
        let factored = Factored::new(lapack, &a)?;
        let exact = factored.each(|f, p, _| lapack.getri(&f.to_double(), p))?;
        let lapacks = factored.each(|f, p, _| lapack.getri(f, p))?;
        comparison.check_all_plans(&format!("getri {kind} {n}"), n, &exact, &lapacks, 0, || {
            getri(session, form, &factored.factors, Some(&factored.interchanges()), None, &place())
        })?;
        let exact: Vec<_> =
            a.iter().map(|a| Ok(lapack.inverse(&a.to_double())?.expect("regular"))).collect::<Result<_>>()?;
        comparison.check_all_plans(&format!("inv {kind} {n}"), n, &exact, &lapacks, 0, || {
            inv(session, form, &a, None, &place())
        })?;
    }
    Ok(())
}

macro_rules! errors_are_lapacks {
    ($($test:ident: $of:ident, $limit:literal;)*) => {$(
        /// On average over a batch, errors stay within the limits of [`Comparison::check`] relative to LAPACK's, under
        /// every plan of the CPU. Other backends only report theirs (`--nocapture`).
        #[test]
        fn $test() -> Result<()> {
            let Some(comparison) = Comparison::new()? else { return Ok(()) };
            let comparison = Comparison { limit: $limit, ..comparison };
            let mut rng = Rng::new(17);
            for dtype in SINGLE {
                for n in ORDERS {
                    match dtype {
                        Dtype::S => $of::<f32>(&comparison, n, &mut rng)?,
                        _ => $of::<C32>(&comparison, n, &mut rng)?,
                    }
                }
            }
            Ok(())
        }
    )*};
}
errors_are_lapacks! {
    errors_of_factors_are_lapacks: factorisations, 2.0;
    // With one right-hand side per ill-conditioned member, the sum is of few errors: on AVX2, s getrs with T and 33 rows has
    // 2.08 times LAPACK's.
    errors_of_solutions_are_lapacks: solutions, 2.5;
    errors_of_inverses_are_lapacks: inverses, 2.0;
}
