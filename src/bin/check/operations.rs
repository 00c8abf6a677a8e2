//! What follows a factorisation, each operation through all its interfaces.

use super::table::Tally;
use super::{blas, cholesky, lu, products, varying};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::blocks::{self, larfb, larft};
use tephra_testkit::ops::implicit::{self, gemqr, geqr};
use tephra_testkit::ops::iterative::{self, gels_iterative};
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::ops::measure::{
    applied, block_factor, difference, explicit_q, least_squares, orthogonality, product, solved, with_residuals,
};
use tephra_testkit::ops::pivoted::ratio;
use tephra_testkit::ops::q::{NATIVE_FORMS, Part, gelqf, geqp3, orgqr, ormqr, qr, random, reflectors};
use tephra_testkit::ops::solve::{GELS_FORMS, GELSY_FORMS, TRSM_FORMS, Triangular, gels, gelsy, trsm};
use tephra_testkit::ops::{Diag, Form, Output, Prepared, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::{self, Ratios};
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Matrix, Result, Scalar};

/// m >= n: fused tiles, several warps, blocks of columns on one level and on two.
const SHAPES: [(usize, usize); 8] = [(1, 1), (5, 3), (8, 8), (33, 32), (100, 70), (150, 140), (210, 203), (300, 16)];
pub const BATCH: usize = 3;
/// Q as geqrf leaves it, trees of two levels, of one panel and of two.
const IMPLICIT_SHAPES: [(usize, usize); 5] = [(33, 32), (20, 50), (300, 16), (2600, 12), (2100, 35)];
const WITH_MAGMA: [Form; 3] = [Form::Pointers, Form::Strided, Form::Magma];
const LEFT: (Side, Trans) = (Side::Left, Trans::C);
const RIGHT: (Side, Trans) = (Side::Right, Trans::N);

/// An operation's worst ratio of matrix i.
type Measure<'a, T> = &'a dyn Fn(&Output<T>, usize) -> f64;

/// Runs one operation over its forms.
pub fn every<'a, T: Scalar>(
    tally: &mut Tally,
    what: &str,
    forms: &[Form],
    call: &dyn Fn(Form) -> Result<Prepared<'a, T>>,
    measure: Measure<T>,
) {
    for &form in forms {
        let name = || format!("{what} {form:?}");
        let output = match call(form).and_then(|call| call.run()) {
            Ok(output) => output,
            Err(e) => {
                tally.check(name, Err(e.to_string()));
                continue;
            }
        };
        let ratio = (0..BATCH).map(|i| measure(&output, i)).fold(0.0, worst);
        tally.ratio(ratio);
        let good = ratio < Ratios::THRESHOLD;
        tally.check(name, if good { Ok(()) } else { Err(format!("ratio {ratio}")) });
    }
}

pub fn shapes(each: impl Fn(&mut Tally, usize, usize)) -> Tally {
    let mut tally = Tally::default();
    SHAPES.iter().for_each(|&(m, n)| each(&mut tally, m, n));
    tally
}

/// The shapes whose products sums in twice the precision soon have computed.
pub fn small_shapes(each: impl Fn(&mut Tally, usize, usize)) -> Tally {
    let mut tally = Tally::default();
    SHAPES.iter().filter(|(m, n)| m * n < 8000).for_each(|&(m, n)| each(&mut tally, m, n));
    tally
}

pub fn uniform<T: Scalar>(m: usize, n: usize) -> Vec<Matrix<T>> {
    random(Class::Uniform, m, n, BATCH, (m * 1000 + n) as u64)
}

/// An operation's name, and its check.
pub type Named = (&'static str, fn(&Session) -> Tally);

/// All operations.
pub fn all<T: Scalar>() -> Vec<Named> {
    let mut all = orthogonal::<T>().to_vec();
    all.extend(lu::all::<T>());
    all.extend(cholesky::all::<T>());
    all.extend(products::all::<T>());
    all.extend(blas::all::<T>());
    all.extend(varying::all::<T>());
    all
}

/// What goes with QR.
fn orthogonal<T: Scalar>() -> [Named; 11] {
    [
        ("orgqr, ungqr", generate::<T>),
        ("ormqr, unmqr", apply::<T>),
        ("qr with explicit factors", factors::<T>),
        ("gelqf", lq::<T>),
        ("geqp3", pivoted::<T>),
        ("geqr, gemqr", implicit::<T>),
        ("larft, larfb", blocks::<T>),
        ("gels", least::<T>),
        ("gelsy", of_any_rank::<T>),
        ("gels_iterative", iterated::<T>),
        ("trsm", triangular::<T>),
    ]
}

/// Q over its reflectors.
fn generate<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (f, tau) = reflectors::<T>(m, n, BATCH, 5);
        let call = |form| orgqr(session, form, &f, &tau, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| explicit_q(&o.operands[0][i], &f[i], &tau[i]);
        every(tally, &format!("{m}x{n}"), &WITH_MAGMA, &call, &measure);
    })
}

/// Q applied from both sides.
fn apply<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (f, tau) = reflectors::<T>(m, n, BATCH, 5);
        for (how, c) in [(LEFT, uniform::<T>(m, 9)), (RIGHT, uniform(9, m))] {
            let call = |form| ormqr(session, form, how, &f, &tau, &c, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| difference(&o.operands[0][i], &applied(how, &f[i], &tau[i], &c[i]));
            every(tally, &format!("{m}x{n} {how:?}"), &WITH_MAGMA, &call, &measure);
        }
    })
}

/// QR with explicit thin Q and R.
fn factors<T: Scalar>(session: &Session) -> Tally {
    let of = |tally: &mut Tally, a: &[Matrix<T>]| {
        let call = |form| qr(session, form, Part::Thin, a, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| {
            let (q, r) = (&o.operands[0][i], &o.operands[1][i]);
            worst(product(&a[i], q, r), orthogonality(q))
        };
        every(tally, &format!("{}x{}", a[0].rows(), a[0].cols()), &NATIVE_FORMS, &call, &measure);
    };
    let mut tally = shapes(|tally, m, n| of(tally, &uniform::<T>(m, n)));
    // A panel of more rows than the blocks of a cluster hold together, one of less than full rank beside others.
    let mut tall = uniform::<T>(20_000, 20);
    tall[1] = random(Class::RankDeficient, 20_000, 20, 1, 7).remove(0);
    of(&mut tally, &tall);
    tally
}

/// LQ: the adjoint of what is left of A is the QR factorisation of A^H.
fn lq<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let a = uniform::<T>(n, m);
        let adjoint = |x: &Matrix<T>| Matrix::narrow(&x.wide().adjoint());
        let call = |form| gelqf(session, form, &a, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| {
            ratios::measure(&adjoint(&a[i]), &adjoint(&o.operands[0][i]), o.operands[1][i].data()).largest()
        };
        every(tally, &format!("{n}x{m}"), &NATIVE_FORMS, &call, &measure);
    })
}

/// QR with column pivoting, the last column chosen to come first.
fn pivoted<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (a, choice) = (uniform::<T>(m, n), from_integers::<T>((1..=n).map(|j| usize::from(j == n && n > 1))));
        let choices = vec![choice; BATCH];
        let call = |form| geqp3(session, form, &a, &choices, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| {
            let [factors, tau, jpvt] = [0, 1, 2].map(|operand| &o.operands[operand][i]);
            ratio(&a[i], &choices[i], factors, tau.data(), jpvt)
        };
        every(tally, &format!("{m}x{n}"), &NATIVE_FORMS, &call, &measure);
    })
}

/// QR with an implicit Q: the thin Q is Q times an identity, and its adjoint an identity times Q's.
fn implicit<T: Scalar>(session: &Session) -> Tally {
    let mut tally = Tally::default();
    let element = |x: f64| T::narrow(Field::real(x));
    let identity = |m: usize, n: usize| vec![Matrix::from_fn(m, n, |i, j| element(f64::from(u8::from(i == j)))); BATCH];
    for ((m, n), form) in IMPLICIT_SHAPES.into_iter().flat_map(|shape| implicit::FORMS.map(|form| (shape, form))) {
        let (a, k) = (uniform::<T>(m, n), m.min(n));
        let factors = match geqr(session, form, &a, &Placement::guarded()).and_then(|call| call.run()) {
            Ok(factors) => factors,
            Err(e) => {
                tally.check(|| format!("geqr {m}x{n} {form:?}"), Err(e.to_string()));
                continue;
            }
        };
        let [f, t] = [&factors.operands[0], &factors.operands[1]];
        for (how, c) in [((Side::Left, Trans::N), identity(m, k)), ((Side::Right, Trans::C), identity(k, m))] {
            let call = |form| gemqr(session, form, how, f, t, &c, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                let q = &o.operands[0][i];
                let q = if how.0 == Side::Left { q.clone() } else { Matrix::narrow(&q.wide().adjoint()) };
                let r = Matrix::from_fn(k, n, |row, j| if row <= j { f[i][(row, j)] } else { element(0.0) });
                worst(product(&a[i], &q, &r), orthogonality(&q))
            };
            every(&mut tally, &format!("{m}x{n} {how:?}"), &[form], &call, &measure);
        }
    }
    tally
}

/// The triangular factor of a block of reflectors, and the block applied.
fn blocks<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (v, tau) = reflectors::<T>(m, n.min(32), BATCH, 5);
        let make = |form| larft(session, form, &v, &tau, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| block_factor(&v[i], &tau[i], &o.operands[0][i]);
        every(tally, &format!("larft {m}x{n}"), &blocks::FORMS, &make, &measure);
        let t = match make(Form::Pointers).and_then(|call| call.run()) {
            Ok(t) => t.only(),
            Err(e) => return tally.check(|| format!("larft {m}x{n}"), Err(e.to_string())),
        };
        let c = uniform::<T>(m, 9);
        let call = |form| larfb(session, form, LEFT, &v, &t, &c, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| difference(&o.operands[0][i], &applied(LEFT, &v[i], &tau[i], &c[i]));
        every(tally, &format!("larfb {m}x{n}"), &blocks::FORMS, &call, &measure);
    })
}

/// Least squares, of well-conditioned matrices.
fn least<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let a = random::<T>(Class::Cond2, m, n, BATCH, 6);
        let b = uniform::<T>(m, 3);
        let call = |form| gels(session, form, Trans::N, &a, &b, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| match o.info[i] {
            0 => least_squares(Trans::N, &a[i], &b[i], &o.operands[1][i]),
            _ => f64::NAN,
        };
        every(tally, &format!("{m}x{n}"), &GELS_FORMS, &call, &measure);
    })
}

/// Least squares of matrices of any rank, which these have in full.
fn of_any_rank<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (a, b) = (random::<T>(Class::Cond2, m, n, BATCH, 6), uniform::<T>(m, 3));
        let free = vec![from_integers(vec![0; n]); BATCH];
        let call = |form| gelsy(session, form, -1.0, [&a, &b, &free], &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| match o.info[i] as usize == n {
            true => least_squares(Trans::N, &a[i], &b[i], &o.operands[1][i]),
            false => f64::NAN,
        };
        every(tally, &format!("{m}x{n}"), &GELSY_FORMS, &call, &measure);
    })
}

/// Least squares by iteration.
fn iterated<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (a, b) = (random::<T>(Class::Cond2, m, n, BATCH, 6), uniform::<T>(m, 3));
        let call = |form| gels_iterative(session, form, &a, &b, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| match o.info[i] {
            0 => least_squares(Trans::N, &a[i], &b[i], &with_residuals(&a[i], &b[i], &o.operands[0][i])),
            _ => f64::NAN,
        };
        every(tally, &format!("{m}x{n}"), &iterative::FORMS, &call, &measure);
    })
}

/// Triangular solves with R.
fn triangular<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        let (r, _) = reflectors::<T>(n, n, BATCH, 5);
        let alpha = T::narrow(<T as Scalar>::Wide::real(-1.5));
        for (side, b) in [(Side::Left, uniform::<T>(n, 9)), (Side::Right, uniform(9, n))] {
            let how = Triangular { side, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
            let call = |form| trsm(session, form, how, alpha, &r, &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| solved(how, alpha, &r[i], &b[i], &o.operands[0][i]);
            every(tally, &format!("{n}, {side:?}"), &TRSM_FORMS, &call, &measure);
        }
    })
}
