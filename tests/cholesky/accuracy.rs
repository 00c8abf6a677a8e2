//! How much of single precision's accuracy is lost in comparison with LAPACK: errors of factors, solutions and
//! inverses, and matrices that are barely definite.

use super::matrices::{half, real};
use tephra_testkit::accuracy::{self, Comparison, ORDERS, SINGLE, definite, error, rhs_counts, right_hand_sides};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::ops::cholesky::{hermitian, lower, posv, potrf, potri, potrs};
use tephra_testkit::ops::{EntryForm, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::sweep::{paths as all_paths, with_plan};
use tephra_testkit::{C32, Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// The plans to try, all of them up to a certain order; the last one, "", is the default plan.
fn paths(backend: Backend, n: usize) -> Vec<&'static str> {
    let all = if n > 260 { &[] } else { all_paths(backend) };
    all.iter().copied().chain([""]).collect()
}

/// The factors and their codes.
type Factors<T> = (Vec<Matrix<T>>, Vec<i32>);

/// The factors and codes of a batch under a plan; `None` if the plan does not accept it.
fn factors<T: Scalar>(session: &Session, path: &str, a: &[Matrix<T>]) -> Result<Option<Factors<T>>> {
    let call = potrf(session, EntryForm::Strided, Uplo::Lower, a, &Placement::guarded())?;
    let mut output = match path {
        "" => call.run()?,
        _ => match with_plan(session.library(), path, || call.issue())? {
            Err(e) if e.is_not_supported() => return Ok(None),
            issued => issued.and_then(|()| call.collect())?,
        },
    };
    Ok(Some((output.operands.remove(0), output.info)))
}

/// A heavy diagonal from which every column subtracts a little, so that many subtractions lose accuracy.
fn heavy<T: Scalar>(n: usize, rng: &mut Rng) -> Matrix<T> {
    let a = Matrix::from_fn(n, n, |i, j| if i == j { T::Double::real(n as f64) } else { T::Double::uniform(rng) });
    half(Uplo::Lower, &Matrix::<T>::from_double(&hermitian(Uplo::Lower, &a)))
}

/// A Gram matrix of random columns: little of its diagonal remains in the end.
fn gram<T: Scalar>(n: usize, rng: &mut Rng) -> Matrix<T> {
    let g: Matrix<T::Double> = Matrix::from_fn(n, n, |_, _| T::Double::uniform(rng));
    let g = g.times(&g.adjoint());
    let a = Matrix::from_fn(n, n, |i, j| if i == j { g[(i, j)] + T::Double::ONE } else { g[(i, j)] });
    half(Uplo::Lower, &Matrix::<T>::from_double(&hermitian(Uplo::Lower, &a)))
}

/// The lower triangle of a kernel matrix.
fn kernel<T: Scalar>(n: usize, length: f64, more: f64, rng: &mut Rng) -> Matrix<T> {
    half(Uplo::Lower, &accuracy::kernel(n, length, more, rng))
}

/// L in double precision.
fn exact<T: Scalar>(lapack: &Lapack, a: &Matrix<T>) -> Result<Matrix<T::Double>> {
    let wide = a.to_double();
    if T::DTYPE.is_complex() {
        let a: Matrix<tephra_testkit::C64> = wide.map(|x| tephra_testkit::C64::new(x.re(), x.im()));
        Ok(lower(Uplo::Lower, &lapack.potrf(false, &a)?.0).map(|x| T::Double::parts(x.re, x.im)))
    } else {
        Ok(lower(Uplo::Lower, &lapack.potrf(false, &wide.map(|x| x.re()))?.0).map(T::Double::real))
    }
}

/// On average over a batch, the error of L is at most about twice LAPACK's under every plan of the CPU. Other backends
/// only report theirs (`--nocapture`).
#[test]
fn errors_are_lapacks() -> Result<()> {
    let Some(lapack) = Lapack::get_unless_waived()? else { return Ok(()) };
    let session = Session::new(Library::required());
    let (backend, mut rng) = (session.library().backend()?, Rng::new(11));
    for dtype in SINGLE {
        for n in [4, 8, 17, 33, 64, 100, 130, 200, 257, 512, 1025] {
            // More members than the interleaved plan has lanes, or few if they are large.
            let batch = if n > 260 { 2 } else { 16 };
            with_scalar!(dtype, T => for make in [heavy::<T>, gram::<T>] {
                let a: Vec<Matrix<T>> = (0..batch).map(|_| make(n, &mut rng)).collect();
                let (mut truth, mut lapacks) = (vec![], 0.0);
                for a in &a {
                    truth.push(exact(lapack, a)?);
                    lapacks += error(&truth[truth.len() - 1], &lower(Uplo::Lower, &lapack.potrf(false, a)?.0.to_double()));
                }
                for path in paths(backend, n) {
                    let Some((l, codes)) = factors(&session, path, &a)? else { continue };
                    assert!(codes.iter().all(|&code| code == 0), "{} {n} {path}", dtype.letter());
                    let of = |(l, truth): (&Matrix<T>, &Matrix<_>)| error(truth, &lower(Uplo::Lower, &l.to_double()));
                    let ratio = l.iter().zip(&truth).map(of).sum::<f64>() / lapacks;
                    println!("{} {n} {path}: {ratio:.2} times LAPACK's error", dtype.letter());
                    // A few roundings decide the error of a few columns.
                    let bound = 2.0 + 4.0 / n as f64;
                    assert!(backend != Backend::Cpu || ratio <= bound, "{} {n} {path}: {ratio}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

/// Of kernel matrices that LAPACK can barely factor, Tephra factors at least 95% as many as LAPACK under every plan of
/// the CPU. Other backends only report theirs (`--nocapture`).
#[test]
fn barely_definite_matrices_are_factored_as_by_lapack() -> Result<()> {
    const EACH: usize = 20;
    let Some(lapack) = Lapack::get_unless_waived()? else { return Ok(()) };
    let session = Session::new(Library::required());
    let backend = session.library().backend()?;
    for dtype in SINGLE {
        for path in paths(backend, 0) {
            let (mut all, mut lapacks, mut ours, mut rng) = (0, 0, 0, Rng::new(3));
            with_scalar!(dtype, T => for n in [40, 48, 60, 100] {
                for length in [0.2, 0.5, 1.0] {
                    for ulps in [3.0, 4.0, 5.0, 6.0, 8.0, 12.0] {
                        let more = ulps * T::DTYPE.eps() * 2.0 * (n as f64 / 48.0).sqrt();
                        let a: Vec<Matrix<T>> = (0..EACH).map(|_| kernel(n, length, more, &mut rng)).collect();
                        let Some((_, codes)) = factors(&session, path, &a)? else { continue };
                        all += EACH;
                        ours += codes.iter().filter(|&&code| code == 0).count();
                        for a in &a {
                            lapacks += (lapack.potrf(false, a)?.1 == 0) as usize;
                        }
                    }
                }
            });
            println!("{} {path}: of {all} LAPACK factors {lapacks}, this library {ours}", dtype.letter());
            assert!(
                all == 0 || (all / 10..all * 9 / 10).contains(&lapacks),
                "{lapacks} of {all}: too easy, or too hard"
            );
            let few = 20 * ours < 19 * lapacks;
            assert!(backend != Backend::Cpu || !few, "{} {path}: {ours} of LAPACK's {lapacks}", dtype.letter());
        }
    }
    Ok(())
}

/// A kernel matrix on a grid, which must be factored in a batch of any size.
#[test]
fn a_kernel_on_a_grid_is_definite() -> Result<()> {
    let session = Session::new(Library::required());
    let of = |i: usize, j: usize| {
        let distance = (i as f64 - j as f64) / 59.0 / 0.5;
        real::<f32>((-0.5 * distance * distance).exp() + if i == j { 1e-6 } else { 0.0 })
    };
    let a = half(Uplo::Lower, &Matrix::from_fn(60, 60, of));
    let backend = session.library().backend()?;
    for batch in [1, 8, 9, 16, 40] {
        let Some((_, codes)) = factors(&session, "", &vec![a.clone(); batch])? else { continue };
        println!("batch {batch}: codes {:?}", &codes[..codes.len().min(2)]);
        assert!(backend != Backend::Cpu || codes.iter().all(|&code| code == 0), "batch {batch}: {codes:?}");
    }
    Ok(())
}

/// Applies a LAPACK routine to the triangles of a batch.
fn by_lapack<T: Scalar>(
    batch: &[Matrix<T>],
    routine: impl Fn(&Matrix<T>) -> Result<(Matrix<T>, i32)>,
) -> Result<Vec<Matrix<T>>> {
    batch.iter().map(|a| routine(a).map(|(result, _)| result)).collect()
}

fn to_double<T: Scalar>(batch: &[Matrix<T>]) -> Vec<Matrix<T::Double>> {
    batch.iter().map(Matrix::to_double).collect()
}

fn solutions<T: Scalar>(comparison: &Comparison, n: usize, rng: &mut Rng) -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let (session, lapack, form, place) =
        (&comparison.session, comparison.lapack, EntryForm::Strided, Placement::guarded());
    for (kind, a) in definite::<T>(n, rng) {
        let uplo = if rng.one_in(2) { Uplo::Upper } else { Uplo::Lower };
        let upper = uplo == Uplo::Upper;
        let factors = by_lapack(&a, |a| lapack.potrf(upper, a))?;
        for &nrhs in rhs_counts(n) {
            let b = right_hand_sides::<T>(n, nrhs, a.len(), rng);
            let (mut exact, mut theirs) = (vec![], vec![]);
            for (l, b) in factors.iter().zip(&b) {
                exact.push(lapack.potrs(upper, &l.to_double(), &b.to_double())?);
                theirs.push(lapack.potrs(upper, l, b)?);
            }
            let what = format!("potrs {uplo:?} {kind} {n} x {nrhs}");
            comparison
                .check_all_plans(&what, n, &exact, &theirs, 0, || potrs(session, form, uplo, &factors, &b, &place))?;
            let (mut exact, mut theirs) = (vec![], vec![]);
            for (a, b) in a.iter().zip(&b) {
                exact.push(lapack.posv(upper, &a.to_double(), &b.to_double())?.expect("definite"));
                theirs.push(lapack.posv(upper, a, b)?.expect("definite"));
            }
            let what = format!("posv {uplo:?} {kind} {n} x {nrhs}");
            comparison.check_all_plans(&what, n, &exact, &theirs, 1, || posv(session, form, uplo, &a, &b, &place))?;
        }
    }
    Ok(())
}

fn inverses<T: Scalar>(comparison: &Comparison, n: usize, rng: &mut Rng) -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let (lapack, uplo) = (comparison.lapack, Uplo::Lower);
    for (kind, a) in definite::<T>(n, rng) {
        let factors = by_lapack(&a, |a| lapack.potrf(false, a))?;
        let exact = by_lapack(&to_double(&factors), |l| lapack.potri(false, l))?;
        let theirs = by_lapack(&factors, |l| lapack.potri(false, l))?;
        let errors = |got: &[Matrix<T>]| -> f64 {
            let lower = |a: &Matrix<T::Double>| lower(uplo, a);
            exact.iter().zip(got).map(|(x, y)| error(&lower(x), &lower(&y.to_double()))).sum()
        };
        for path in comparison.paths(n)? {
            let call = || potri(&comparison.session, EntryForm::Strided, uplo, &factors, &Placement::guarded());
            let Some(written) = comparison.written(path, call)? else { continue };
            let what = format!("potri {kind} {n} {path}");
            comparison.check::<T>(&what, a.len(), errors(&written[0]), errors(&theirs))?;
        }
    }
    Ok(())
}

/// The same comparison as [`errors_are_lapacks`] for solutions and inverses.
#[test]
fn errors_of_solutions_and_inverses_are_lapacks() -> Result<()> {
    let Some(comparison) = Comparison::new()? else { return Ok(()) };
    let mut rng = Rng::new(29);
    for dtype in SINGLE {
        for n in ORDERS {
            if dtype == Dtype::S {
                solutions::<f32>(&comparison, n, &mut rng)?;
                inverses::<f32>(&comparison, n, &mut rng)?;
            } else {
                solutions::<C32>(&comparison, n, &mut rng)?;
                inverses::<C32>(&comparison, n, &mut rng)?;
            }
        }
    }
    Ok(())
}
