//! LU, and what is made of its factors.

use super::operations::{BATCH, Named, every, shapes, uniform};
use super::table::Tally;
use tephra_testkit::any_call::AnyFunction;
use tephra_testkit::guarded::Placement;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::lu::{FORMS, from_integers, gesv, gesv_rbt, getrf, getri, getrs, inv, laswp};
use tephra_testkit::ops::residuals::{factorisation, inverse, solution};
use tephra_testkit::ops::{Form, Output, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::{Matrix, Result, Rng, Scalar, words};

/// Right-hand sides: one, few enough for the fused solves, and more.
const SIDES: [usize; 3] = [1, 3, 9];

/// All operations.
pub fn all<T: Scalar>() -> [Named; 9] {
    [
        ("getrf", factored::<T>),
        ("getrf_nopiv", without_pivots::<T>),
        ("getrs", solutions::<T>),
        ("gesv", systems::<T>),
        ("gesv_rbt", without_interchanges::<T>),
        ("getri", inverses_of_factors::<T>),
        ("inv", inverses::<T>),
        ("laswp", exchanges::<T>),
        ("lu_to_permutation", permutations),
    ]
}

/// The ratio where the routine says that all is well.
fn unless_singular<T: Scalar>(o: &Output<T>, i: usize, ratio: impl FnOnce() -> f64) -> f64 {
    if o.info[i] == 0 { ratio() } else { f64::NAN }
}

/// With pivoting, of tall and wide matrices.
fn factored<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        for (m, n) in [(m, n), (n, m)] {
            let a = uniform::<T>(m, n);
            let call = |form| getrf(session, form, true, &a, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                unless_singular(o, i, || factorisation(&a[i], &o.operands[0][i], &o.operands[1][i]))
            };
            every(tally, &format!("{m}x{n}"), &FORMS, &call, &measure);
        }
    })
}

/// Of matrices that need no pivots.
fn without_pivots<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let a: Vec<Matrix<T>> = uniform::<T>(m, n).iter().map(dominant).collect();
        let none = Matrix::from_fn(0, 1, |_, _| T::POISON);
        let call = |form| getrf(session, form, false, &a, &Placement::guarded());
        let measure =
            |o: &Output<T>, i: usize| unless_singular(o, i, || factorisation(&a[i], &o.operands[0][i], &none));
        every(tally, &format!("{m}x{n}"), &FORMS, &call, &measure);
    })
}

/// The same with more on the diagonal than beside it.
pub fn dominant<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    let more = <T as Scalar>::Wide::real(2.0 * a.rows() as f64);
    Matrix::from_fn(a.rows(), a.cols(), |i, j| if i == j { T::narrow(a[(i, j)].wide() + more) } else { a[(i, j)] })
}

/// Uniform matrices with their factors and pivots.
type Factored<T> = (Vec<Matrix<T>>, Vec<Matrix<T>>, Vec<Matrix<T>>);

fn factors<T: Scalar>(session: &Session, m: usize, n: usize) -> Result<Factored<T>> {
    let a = uniform::<T>(m, n);
    let mut done = getrf(session, Form::Pointers, true, &a, &Placement::guarded())?.run()?.operands;
    let ipiv = done.pop().expect("pivots");
    Ok((a, done.pop().expect("factors"), ipiv))
}

/// A subject for each shape whose factorisation went well.
fn of_factors<T: Scalar>(session: &Session, each: impl Fn(&mut Tally, usize, &Factored<T>)) -> Tally {
    shapes(|tally, _, n| match factors(session, n, n) {
        Ok(factored) => each(tally, n, &factored),
        Err(e) => tally.check(|| format!("getrf {n}"), Err(e.to_string())),
    })
}

/// Systems from factors.
fn solutions<T: Scalar>(session: &Session) -> Tally {
    of_factors::<T>(session, |tally, n, (a, f, ipiv)| {
        for (trans, sides) in [Trans::N, Trans::T, Trans::C].into_iter().zip(SIDES) {
            let b = uniform(n, sides);
            let call = |form| getrs(session, form, trans, f, Some(ipiv), &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| solution(trans, &a[i].wide(), &b[i], &o.operands[0][i]);
            every(tally, &format!("{n} {trans:?}"), &FORMS, &call, &measure);
        }
    })
}

/// Systems of equations.
fn systems<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        for sides in SIDES {
            let (a, b) = (uniform::<T>(n, n), uniform(n, sides));
            let call = |form| gesv(session, form, &a, &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                unless_singular(o, i, || solution(Trans::N, &a[i].wide(), &b[i], &o.operands[1][i]))
            };
            every(tally, &format!("{n}, {sides}"), &FORMS, &call, &measure);
        }
    })
}

/// Systems of matrices that need no pivots, after butterflies.
fn without_interchanges<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        for sides in SIDES {
            let (a, b): (Vec<_>, _) = (uniform::<T>(n, n).iter().map(dominant).collect(), uniform(n, sides));
            let call = |form| gesv_rbt(session, form, &a, &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                unless_singular(o, i, || solution(Trans::N, &a[i].wide(), &b[i], &o.operands[1][i]))
            };
            every(tally, &format!("{n}, {sides}"), &FORMS, &call, &measure);
        }
    })
}

/// Inverses from factors, in place.
fn inverses_of_factors<T: Scalar>(session: &Session) -> Tally {
    of_factors::<T>(session, |tally, n, (a, f, ipiv)| {
        let call = |form| getri(session, form, f, Some(ipiv), None, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| unless_singular(o, i, || inverse(&a[i].wide(), &o.operands[0][i]));
        every(tally, &format!("{n}"), &FORMS, &call, &measure);
    })
}

/// Inverses, in place and beside A.
fn inverses<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        let a = uniform::<T>(n, n);
        for beside in [None, Some(&a[..])] {
            let call = |form| inv(session, form, &a, beside, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| unless_singular(o, i, || inverse(&a[i].wide(), &o.operands[0][i]));
            every(tally, &format!("{n}"), &FORMS, &call, &measure);
        }
    })
}

/// Rows exchanged as a loop over the interchanges does it, to the bit.
fn exchanges<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (a, mut rng) = (uniform::<T>(m, n), Rng::new((m + n) as u64));
        let rows: Vec<Vec<usize>> =
            a.iter().map(|_| (0..n.min(m)).map(|j| j + 1 + rng.below(m - j)).collect()).collect();
        let ipiv: Vec<Matrix<T>> = rows.iter().map(|rows| from_integers(rows.iter().copied())).collect();
        let call = |form| laswp(session, form, [1, rows[0].len() as i64, 1], &a, &ipiv, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| {
            let mut order: Vec<usize> = (0..m).collect();
            rows[i].iter().enumerate().for_each(|(j, &row)| order.swap(j, row - 1));
            let expected = Matrix::from_fn(m, n, |r, c| a[i][(order[r], c)]);
            if same_bits(expected.data(), o.operands[0][i].data()) { 0.0 } else { f64::INFINITY }
        };
        every(tally, &format!("{m}x{n}"), &FORMS, &call, &measure);
    })
}

/// Permutations from interchanges, which have no precision.
fn permutations(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let outcome = permuted(session, m, n).map_err(|e| e.to_string());
        tally.check(|| format!("{n} of {m}"), outcome.and_then(|right| right.then_some(()).ok_or("wrong".into())));
    })
}

/// Whether k interchanges of m rows come to what they do one after the other.
fn permuted(session: &Session, m: usize, k: usize) -> Result<bool> {
    let library = session.library();
    let mut rng = Rng::new((m + k) as u64);
    let (mut ipiv, mut expected) = (vec![], vec![]);
    for _ in 0..BATCH {
        let rows: Vec<i32> = (0..k).map(|j| (j + 1 + rng.below(m - j)) as i32).collect();
        let mut permutation: Vec<i32> = (1..=m as i32).collect();
        rows.iter().enumerate().for_each(|(j, &row)| permutation.swap(j, row as usize - 1));
        ipiv.extend(rows);
        expected.extend(permutation);
    }
    let there = |numbers: &[i32]| {
        let memory = Memory::new(library, Kind::Device, size_of_val(numbers))?;
        memory.write(numbers).map(|()| memory)
    };
    let (from, to) = (there(&ipiv)?, there(&vec![0; expected.len()])?);
    let symbol = "tephra_lu_to_permutation_strided_batched";
    // SAFETY: the arguments are those of include/tephra.h; memory is allocated for the sizes given.
    let code = unsafe {
        AnyFunction::named(library, symbol)?
            .call([0.0; 4], words![m, k, from.pointer(), k, to.pointer(), m, BATCH, session.stream()])
    };
    library.status(symbol, code)?;
    session.synchronize()?;
    let mut found = vec![0; expected.len()];
    to.read(&mut found)?;
    Ok(found == expected)
}
