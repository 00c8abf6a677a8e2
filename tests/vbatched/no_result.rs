//! The promises of the guide's table about members without a result, for members with their own sizes: singular members
//! next to members with invalid sizes and empty ones, in every form and under every plan. The other members give the
//! same results as without them.

use crate::{blas, cholesky, lu};
use std::ffi::c_int;
use tephra_testkit::engine::GUIDE;
use tephra_testkit::ops::cholesky::{factorisation, other_triangle_unchanged};
use tephra_testkit::ops::lu::{from_integers, integers};
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, Side, Uplo};
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::signatures;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Scalar, sweep, with_scalar};

const COUNT: usize = 21;

/// Three members are made singular, and two get wrong sizes. The batches also have empty members.
struct Roles {
    singular: Vec<usize>,
    wrong: Vec<usize>,
}

impl Roles {
    fn of<T: Scalar>(members: &[Matrix<T>]) -> Roles {
        let mut whole = (0..COUNT).filter(|&i| members[i].rows().min(members[i].cols()) > 1);
        let (singular, wrong) = (whole.by_ref().take(3).collect(), whole.take(2).collect());
        assert!(members.iter().any(|a| a.data().is_empty()));
        Roles { singular, wrong }
    }

    fn valid(&self, i: usize) -> bool {
        !self.wrong.contains(&i)
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        (0..COUNT).filter(|i| !self.singular.contains(i) && self.valid(*i))
    }
}

/// The column that is at fault in the first, second and third singular member: the first, a middle one, the last.
fn fault(place: usize, order: usize) -> usize {
    [0, order / 2, order - 1][place]
}

fn zero<T: Scalar>() -> T {
    T::from_double(<T as Scalar>::Double::ZERO)
}

/// Panics unless the table's row for the routine contains this cell.
fn assert_said(routine: &str, cell: &str) {
    let mut rows =
        GUIDE.lines().filter(|line| line.split('|').nth(1).is_some_and(|c| c.contains(&format!("`{routine}`"))));
    assert!(rows.any(|row| row.contains(cell)), "the guide does not say {cell} of {routine}");
}

/// Runs under every plan, and with the library's own choice; skips plans that do not accept the shapes.
fn by_every_plan<O>(mut run: impl FnMut() -> Result<O>, mut check: impl FnMut(O, &str)) -> Result<()> {
    let lib = Library::required();
    for path in sweep::paths_of_members(lib.backend()?).iter().map(|path| Some(*path)).chain([None]) {
        let outcome = match path {
            Some(path) => sweep::with_plan(lib, path, &mut run)?,
            None => run(),
        };
        match outcome {
            // TEPHRA_STATUS_NOT_SUPPORTED
            Err(Error::Status { code: 1, .. }) if path.is_some() => {}
            outcome => check(outcome?, path.unwrap_or("any")),
        }
    }
    Ok(())
}

#[test]
fn factors_of_singular_members_go_to_their_end() -> Result<()> {
    let _alone = crate::alone();
    assert_said("getrf", "`A`: the factors, to their end; `ipiv`: all of them");
    for (dtype, pivoting) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, true), (dtype, false)]) {
        for most in [(8, 8), (30, 32), (64, 64), (129, 140), (260, 40)] {
            with_scalar!(dtype, T => {
                let clean = lu::LuFixture::<T>::new(most, COUNT, pivoting, 51)?;
                let roles = Roles::of(clean.members());
                let (mut members, mut codes) = (clean.members().to_vec(), vec![0; COUNT]);
                for (place, &i) in roles.singular.iter().enumerate() {
                    let column = fault(place, members[i].rows().min(members[i].cols()));
                    members[i].col_mut(column).fill(zero());
                    codes[i] = column as c_int + 1;
                }
                let check = |[before, got]: [lu::Outcome<T>; 2], fixture: &lu::LuFixture<T>, codes: &[c_int], what: &str| {
                    let what = format!("{what} {dtype:?} {most:?}, pivoting {pivoting}");
                    assert_eq!(got.codes, codes, "{what}");
                    for &i in &roles.singular {
                        let (a, steps) = (&fixture.members()[i], got.vectors[i].data());
                        let ipiv = from_integers::<T>(steps.iter().map(|x| x.to_bits() as usize).filter(|_| pivoting));
                        let all = integers(&ipiv).iter().enumerate().all(|(j, step)| (j + 1..=a.rows()).contains(step));
                        assert!(all, "{what}, member {i}: interchanges");
                        let ratio = tephra_testkit::ops::residuals::factorisation(a, &got.members[i], &ipiv);
                        assert!(ratio < Ratios::THRESHOLD, "{what}, member {i}: {ratio}");
                    }
                    for i in roles.others() {
                        assert!(same_bits(got.members[i].data(), before.members[i].data()), "{what}, member {i}");
                    }
                };
                let mut fixture = lu::LuFixture::of(members, most, pivoting)?;
                for entry in &lu::MAGMA {
                    check([clean.run(entry, |_| true)?, fixture.run(entry, |_| true)?], &fixture, &codes, entry.symbol);
                }
                for ((&i, code), (array, value)) in roles.wrong.iter().zip([-1, -4]).zip([(0, most.0 + 1), (2, 0)]) {
                    fixture.batch.set_size(array, i, value)?;
                    codes[i] = code;
                }
                let both = |entry: &lu::LuEntry| Ok([clean.run(entry, |_| true)?, fixture.run(entry, |i| roles.valid(i))?]);
                by_every_plan(|| both(&lu::NATIVE), |got, plan| check(got, &fixture, &codes, plan))?;
                for entry in lu::MAGMA.iter().filter(|entry| !entry.checks_sizes) {
                    check(both(entry)?, &fixture, &codes, entry.symbol);
                }
            });
        }
    }
    Ok(())
}

#[test]
fn factors_of_minors_are_left() -> Result<()> {
    let _alone = crate::alone();
    assert_said("potrf", "`A`: the minor's factor, and the pivot");
    for (dtype, uplo) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, Uplo::Lower), (dtype, Uplo::Upper)]) {
        for most in [8, 30, 64, 150, 300] {
            with_scalar!(dtype, T => {
                let clean = cholesky::random::<T>(most, COUNT, uplo, 52)?;
                let mut members = clean.members[0].clone();
                let (roles, mut codes) = (Roles::of(&members), vec![0; COUNT]);
                for (place, &i) in roles.singular.iter().enumerate() {
                    let j = fault(place, members[i].rows());
                    members[i][(j, j)] = T::from_double(<T as Scalar>::Double::real([0.0, -1.0, f64::NAN][place]));
                    codes[i] = j as c_int + 1;
                }
                let given = members.clone();
                let check = |[before, Outcome(got, said)]: [Outcome<T>; 2], codes: &[c_int], what: &str| {
                    let what = format!("{what} {dtype:?} {uplo:?} {most}");
                    assert_eq!(said, codes, "{what}");
                    for &i in &roles.singular {
                        let last = codes[i] as usize - 1;
                        let minor = |a: &Matrix<T>| Matrix::from_fn(last, last, |i, j| a[(i, j)]);
                        let ratio = if last == 0 { 0.0 } else { factorisation(uplo, &minor(&given[i]), &minor(&got[i])) };
                        assert!(ratio < Ratios::THRESHOLD, "{what}, member {i}: {ratio}");
                        // A NaN is not positive either.
                        let positive = got[i][(last, last)].to_double().re() > 0.0;
                        assert!(!positive, "{what}, member {i}: the pivot is {:?}", got[i][(last, last)]);
                        assert!(other_triangle_unchanged(uplo, &given[i], &got[i]), "{what}, member {i}: the other triangle");
                    }
                    for i in roles.others() {
                        assert!(same_bits(got[i].data(), before.0[i].data()), "{what}, member {i}");
                    }
                };
                let mut fixture = cholesky::fixture(members, uplo, most)?;
                for entry in cholesky::MAGMA {
                    let both = [clean.run(entry, [0.0; 4], |_| true)?, fixture.run(entry, [0.0; 4], |_| true)?];
                    check(both, &codes, entry.0);
                }
                for ((&i, code), (word, value)) in roles.wrong.iter().zip([-2, -4]).zip([("n", most + 1), ("lda", 0)]) {
                    fixture.set_size(word, i, value)?;
                    codes[i] = code;
                }
                let both = |entry| Ok([clean.run(entry, [0.0; 4], |_| true)?, fixture.run(entry, [0.0; 4], |i| roles.valid(i))?]);
                by_every_plan(|| both(cholesky::NATIVE), |got, plan| check(got, &codes, plan))?;
                check(both(cholesky::MAGMA[1])?, &codes, cholesky::MAGMA[1].0);
            });
        }
    }
    Ok(())
}

#[test]
fn solutions_of_singular_systems_are_not_finite() -> Result<()> {
    let _alone = crate::alone();
    assert_said("trsm", "`B`: no column is finite, or, solved from the right, no row");
    for dtype in Dtype::ALL {
        let all = Triangular::all().filter(|how| how.diag == Diag::NonUnit);
        for (most, how) in all.flat_map(|how| [(8, 8), (33, 20), (20, 70), (140, 130)].map(|most| (most, how))) {
            with_scalar!(dtype, T => {
                let alpha = T::from_double(<T as Scalar>::Double::real(-1.5));
                let systems = |apart: bool| -> Result<(BatchFixture<T>, Roles)> {
                    let mut fixture = blas::system_into::<T>(most, COUNT, how, &alpha, 53, apart)?;
                    let roles = Roles::of(&fixture.members[1]);
                    for (place, &i) in roles.singular.iter().enumerate() {
                        let order = fixture.members[0][i].rows();
                        fixture.change(0, i, |a| a[(fault(place, order), fault(place, order))] = zero());
                    }
                    for (&i, (word, value)) in roles.wrong.iter().zip([("n", most.1 + 1), ("ldb", 0)]) {
                        fixture.set_size(word, i, value)?;
                    }
                    Ok((fixture, roles))
                };
                let before = blas::system::<T>(most, COUNT, how, &alpha, 53)?.run(signatures::TRSM.entry_spec(), [0.0; 4], |_| true)?;
                let check = |Outcome(got, _): Outcome<T>, roles: &Roles, what: &str| {
                    let what = format!("{what} {dtype:?} {most:?} {how:?}");
                    for &i in &roles.singular {
                        let x = &got[i];
                        let x = if how.side == Side::Left { x.clone() } else { Matrix::from_fn(x.cols(), x.rows(), |i, j| x[(j, i)]) };
                        let finite = |j: usize| x.col(j).iter().all(|x| x.to_double().max_abs_part().is_finite());
                        assert!(!(0..x.cols()).any(finite), "{what}, member {i}");
                    }
                    for i in roles.others() {
                        assert!(same_bits(got[i].data(), before.0[i].data()), "{what}, member {i}");
                    }
                };
                let (fixture, roles) = systems(false)?;
                let with_maxima = blas::MAGMA_TRSM.into_iter().filter(|entry| !entry.2 && entry.1.contains("max_m"));
                for entry in with_maxima.chain([signatures::TRSM.entry_spec()]) {
                    let scalars = if entry.2 { [0.0; 4] } else { blas::by_value(&[alpha]) };
                    check(fixture.run(entry, scalars, |i| roles.valid(i))?, &roles, entry.0);
                }
                let (fixture, roles) = systems(true)?;
                check(fixture.run(blas::OUT_OF_PLACE, blas::by_value(&[alpha]), |i| roles.valid(i))?, &roles, blas::OUT_OF_PLACE.0);
            });
        }
    }
    Ok(())
}
