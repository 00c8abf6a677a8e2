//! Members with sizes of their own, one of which is told a size that is not valid in every other call.

use super::lu::dominant;
use super::operations::Named;
use super::table::Tally;
use std::ffi::c_int;
use tephra_testkit::library::symbol_name;
use tephra_testkit::matrices::{Class, definite};
use tephra_testkit::ops::blas::Rank;
use tephra_testkit::ops::cholesky::{
    factorisation as of_triangle, hermitian, inverted, product as of_factor, reference, triangle,
};
use tephra_testkit::ops::exact;
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::ops::measure::{applied, difference, explicit_q, least_squares, solved};
use tephra_testkit::ops::pivoted::ratio as disorder;
use tephra_testkit::ops::products::multiplied;
use tephra_testkit::ops::q::reflectors;
use tephra_testkit::ops::residuals::{factorisation, inverse, product as of_factors, solution};
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::{self, Ratios};
use tephra_testkit::rows;
use tephra_testkit::scalar::{Field, same_bits, worst};
use tephra_testkit::varying::scene::{Outcome, Scene};
use tephra_testkit::varying::{Form, Varying, shapes, vectors};
use tephra_testkit::{Error, Library, Matrix, Result, Rng, Scalar, any_call};

/// The largest sizes: what kernels for small members hold, and more.
const LARGEST: [(usize, usize); 6] = [(5, 3), (8, 8), (33, 32), (64, 70), (150, 140), (300, 16)];
const BATCH: usize = 11;

/// All operations.
pub fn all<T: Scalar>() -> [Named; 25] {
    [
        ("getrf_vbatched", factored::<T>),
        ("getrf_nopiv_vbatched", without_pivots::<T>),
        ("potrf_vbatched", definites::<T>),
        ("getrs_vbatched", by_factors::<T>),
        ("gesv_vbatched", by_elimination::<T>),
        ("potrs_vbatched", by_triangles::<T>),
        ("posv_vbatched", of_definites::<T>),
        ("geqrf_vbatched", orthogonal::<T>),
        ("orgqr_vbatched, ungqr_vbatched", generated::<T>),
        ("ormqr_vbatched, unmqr_vbatched", multiplied_by_q::<T>),
        ("gemm_vbatched", products::<T>),
        ("gemv_vbatched", by_vectors::<T>),
        ("trsm_vbatched", systems::<T>),
        ("getri_vbatched", inverses::<T>),
        ("potri_vbatched", definite_inverses::<T>),
        ("syrk_vbatched", updates::<T>),
        ("syr2k_vbatched", updates_by_two::<T>),
        ("trmm_vbatched", triangles::<T>),
        ("gelqf_vbatched", lq::<T>),
        ("geqp3_vbatched", pivoted::<T>),
        ("gels_vbatched", least::<T>),
        ("symm_vbatched", symmetric::<T>),
        ("trsv_vbatched", vectors_solved::<T>),
        ("laswp_vbatched", exchanges::<T>),
        ("gemm_grouped", groups::<T>),
    ]
}

/// Code and ratio of each member.
type Measured = Result<Vec<(c_int, f64)>>;

/// Measures a call with all members valid, and one where a member is told a size that is not: its code is `code`, where there
/// are codes, and the others are as good. That it is not touched is seen where the memory is read.
fn both(tally: &mut Tally, what: &str, code: Option<c_int>, call: &mut dyn FnMut(Option<usize>) -> Measured) {
    for wrong in [None, Some(BATCH / 2)] {
        let name = || if wrong.is_some() { format!("{what}, one not valid") } else { what.to_string() };
        let measured = match call(wrong) {
            Ok(measured) => measured,
            Err(e) => {
                tally.check(name, Err(e.to_string()));
                continue;
            }
        };
        let valid = || measured.iter().enumerate().filter(|(i, _)| Some(*i) != wrong).map(|(_, one)| one);
        let ratio = valid().map(|(_, ratio)| *ratio).fold(0.0, worst);
        tally.ratio(ratio);
        let told = |i: usize| code.is_none_or(|code| measured[i].0 == code);
        let outcome = match () {
            () if code.is_some() && valid().any(|(code, _)| *code != 0) => Err("a valid member has a code".into()),
            () if !wrong.is_none_or(told) => Err("the member that is not valid has not its code".into()),
            () if ratio < Ratios::THRESHOLD => Ok(()),
            () => Err(format!("ratio {ratio}")),
        };
        tally.check(name, outcome);
    }
}

/// Every largest size, and members below it.
fn mixes(each: impl Fn(&mut Tally, &str, (usize, usize), Vec<(usize, usize)>)) -> Tally {
    let mut tally = Tally::default();
    for (m, n) in LARGEST {
        let members = shapes(BATCH, (m, n), &mut Rng::new((m * 1000 + n) as u64));
        each(&mut tally, &format!("up to {m}x{n}"), (m, n), members);
    }
    tally
}

fn uniform<T: Scalar>(rows: usize, cols: usize) -> Matrix<T> {
    Class::Uniform.generate(rows, cols, &mut Rng::new((rows * 1000 + cols) as u64))
}

/// The ratio of a member that has elements.
fn unless_empty<T: Scalar>(a: &Matrix<T>, ratio: impl FnOnce() -> f64) -> f64 {
    if a.data().is_empty() { 0.0 } else { ratio() }
}

/// Factorisations that leave a vector beside each member.
fn with_vectors<T: Scalar, V: Scalar>(
    (symbol, words, _): Form,
    member: fn(Matrix<T>) -> Matrix<T>,
    ratio: fn(&Matrix<T>, &Matrix<T>, &Matrix<V>) -> f64,
) -> Tally {
    mixes(|tally, what, most, members| {
        let members: Vec<Matrix<T>> = members.into_iter().map(|(m, n)| member(uniform(m, n))).collect();
        both(tally, what, Some(-1), &mut |wrong| {
            let mut scene = vectors::Scene::<T, V>::of(members.clone(), most)?;
            if let Some(i) = wrong {
                scene.say(0, i, usize::MAX)?;
            }
            let left = scene.run(symbol, words, |i| Some(i) != wrong)?;
            let of = |i: usize| unless_empty(&members[i], || ratio(&members[i], &left.members[i], &left.vectors[i]));
            Ok((0..BATCH).map(|i| (left.codes[i], if Some(i) == wrong { 0.0 } else { of(i) })).collect())
        });
    })
}

fn factored<T: Scalar>(_: &Session) -> Tally {
    // Interchanges, which are seen as `f32`.
    let ratio = |a: &Matrix<T>, f: &Matrix<T>, ipiv: &Matrix<f32>| {
        factorisation(a, f, &from_integers(ipiv.data().iter().map(|x| x.to_bits() as usize)))
    };
    with_vectors::<T, f32>(rows::GETRF.form(), |a| a, ratio)
}

fn without_pivots<T: Scalar>(_: &Session) -> Tally {
    let ratio = |a: &Matrix<T>, f: &Matrix<T>, _: &Matrix<f32>| factorisation(a, f, &from_integers([]));
    with_vectors::<T, f32>(rows::GETRF_NOPIV.form(), |a| dominant(&a), ratio)
}

fn orthogonal<T: Scalar>(_: &Session) -> Tally {
    let ratio = |a: &Matrix<T>, f: &Matrix<T>, tau: &Matrix<T>| match ratios::convention(f, tau.data()) {
        Ok(()) => ratios::measure(a, f, tau.data()).largest(),
        Err(_) => f64::NAN,
    };
    with_vectors::<T, T>(rows::GEQRF.form(), |a| a, ratio)
}

/// A call that overwrites its last operand: what it is, the code of a member that is told a `word` below zero, the measure of
/// a member from all its operands before and the last one after.
fn overwriting<T: Scalar>(
    (tally, what): (&mut Tally, &str),
    call: Form,
    (word, code): (&str, Option<c_int>),
    scene: impl Fn() -> Result<Scene<T>>,
    ratio: impl Fn(&[&Matrix<T>], &Matrix<T>) -> f64,
) {
    both(tally, what, code, &mut |wrong| {
        let mut scene = scene()?;
        if let Some(i) = wrong {
            scene.say(word, i, usize::MAX)?;
        }
        let Outcome(left, codes) = scene.run(call, [0.0; 4], |i| Some(i) != wrong)?;
        let of = |i: usize| {
            let before: Vec<&Matrix<T>> = scene.members.iter().map(|members| &members[i]).collect();
            unless_empty(&left[i], || ratio(&before, &left[i]))
        };
        Ok((0..BATCH).map(|i| (codes[i], if Some(i) == wrong { 0.0 } else { of(i) })).collect())
    });
}

fn definites<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (_, most), members| {
        for uplo in [Uplo::Lower, Uplo::Upper] {
            let orders: Vec<usize> = members.iter().map(|&(_, n)| n).collect();
            let scene = || {
                let mut rng = Rng::new(most as u64);
                let of = |&n: &usize| triangle(uplo, &definite(Class::Uniform, n, &mut rng), |_, _| T::POISON);
                let a = orders.iter().map(of).collect();
                let numbers = vec![("max_n", most as u64), ("uplo", uplo.cblas() as u64)];
                Scene::new(vec![(["A", "lda"], a)], vec![("n", orders.clone())], numbers)
            };
            let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| of_triangle(uplo, before[0], after);
            overwriting((tally, &format!("{what} {uplo:?}")), rows::POTRF.form(), ("n", Some(-2)), scene, ratio);
        }
    })
}

/// Systems of equations: `given` is what A holds of a matrix, `whole` what it stands for.
fn solved_with<T: Scalar>(
    call: Form,
    numbers: &[(&'static str, u64)],
    code: c_int,
    member: fn(usize) -> Matrix<T>,
    whole: fn(&Matrix<T>) -> Matrix<T::Wide>,
) -> Tally {
    mixes(|tally, what, (_, most), members| {
        let orders: Vec<(usize, usize)> = members.iter().map(|&(_, n)| (n, 1)).collect();
        let sides = |&(m, _): &(usize, usize)| m.min(9);
        let Ok(ipiv) = Varying::<f32>::new(Library::required(), &orders, 3) else { return };
        let scene = || {
            let a = orders.iter().map(|&(n, _)| member(n)).collect();
            let b = members.iter().map(|size| uniform(size.1, sides(size))).collect();
            // What is told first counts.
            let mut told = numbers.to_vec();
            told.extend([("max_n", most as u64), ("max_nrhs", 9), ("ipiv", ipiv.pointers())]);
            let sizes =
                vec![("n", orders.iter().map(|size| size.0).collect()), ("nrhs", members.iter().map(sides).collect())];
            Ok(Scene::new(vec![(["A", "lda"], a), (["B", "ldb"], b)], sizes, told)?.writing("A"))
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| solution(Trans::N, &whole(before[0]), before[1], after);
        overwriting((tally, what), call, ("n", Some(code)), scene, ratio);
    })
}

fn by_factors<T: Scalar>(_: &Session) -> Tally {
    let numbers = [("trans", Trans::N.cblas() as u64), ("ipiv", 0)];
    solved_with::<T>(rows::GETRS.form(), &numbers, -2, |n| dominant(&uniform(n, n)), |f| of_factors(&f.wide()))
}

fn by_elimination<T: Scalar>(_: &Session) -> Tally {
    solved_with::<T>(rows::GESV.form(), &[], -1, |n| uniform(n, n), |a| a.wide())
}

/// The lower triangle of a positive definite matrix.
fn of_definite<T: Scalar>(n: usize) -> Matrix<T> {
    triangle(Uplo::Lower, &definite(Class::Uniform, n, &mut Rng::new(n as u64)), |_, _| T::POISON)
}

fn by_triangles<T: Scalar>(_: &Session) -> Tally {
    let uplo = [("uplo", Uplo::Lower.cblas() as u64)];
    solved_with::<T>(
        rows::POTRS.form(),
        &uplo,
        -2,
        |n| reference(Uplo::Lower, &of_definite(n)),
        |l| of_factor(Uplo::Lower, &l.wide()),
    )
}

fn of_definites<T: Scalar>(_: &Session) -> Tally {
    let uplo = [("uplo", Uplo::Lower.cblas() as u64)];
    solved_with::<T>(rows::POSV.form(), &uplo, -2, of_definite, |a| hermitian(Uplo::Lower, &a.wide()))
}

/// Sizes of members by word, and the largest.
type Told = (Vec<(&'static str, Vec<usize>)>, Vec<(&'static str, u64)>);

/// m, n and k of members, with their largest, as calls are told.
fn sizes(members: &[[usize; 3]], most: [usize; 3]) -> Told {
    let of = |i: usize| members.iter().map(|size| size[i]).collect();
    let [m, n, k] = most.map(|most| most as u64);
    (vec![("m", of(0)), ("n", of(1)), ("k", of(2))], vec![("max_m", m), ("max_n", n), ("max_k", k)])
}

/// The same without k.
fn shapes_of(members: &[(usize, usize)], (m, n): (usize, usize)) -> Told {
    sizes(&members.iter().map(|&(m, n)| [m, n, 0]).collect::<Vec<_>>(), [m, n, 0])
}

fn real<T: Scalar>(x: f64) -> T {
    T::narrow(<T as Scalar>::Wide::real(x))
}

/// The factors of products, as calls are told.
fn scalars<T>([alpha, beta]: &[T; 2]) -> [(&'static str, u64); 2] {
    [("alpha", &raw const *alpha as u64), ("beta", &raw const *beta as u64)]
}

fn flags(Triangular { side, uplo, trans, diag }: Triangular) -> [(&'static str, u64); 4] {
    let numbers = [side.cblas(), uplo.cblas(), trans.cblas(), diag.cblas()].map(|flag| flag as u64);
    std::array::from_fn(|i| (["side", "uplo", "trans", "diag"][i], numbers[i]))
}

/// Q over its reflectors, of which there are fewer than columns.
fn generated<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (m, n), members| {
        let members: Vec<[usize; 3]> = members.into_iter().map(|(m, n)| [m, n.min(m), n.min(m).div_ceil(2)]).collect();
        let scene = || {
            let of = |&[m, n, k]: &[usize; 3]| {
                let (mut v, mut tau) = reflectors::<T>(m, k, 1, 5);
                let (v, rest) = (v.remove(0), uniform(m, n));
                (Matrix::from_fn(m, n, |i, j| if j < k { v[(i, j)] } else { rest[(i, j)] }), tau.remove(0))
            };
            let (a, tau) = members.iter().map(of).unzip();
            let (sizes, numbers) = sizes(&members, [m, n, n]);
            Scene::new(vec![(["tau", ""], tau), (["A", "lda"], a)], sizes, numbers)
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| explicit_q(after, before[1], before[0]);
        overwriting((tally, what), rows::ORGQR.form(), ("m", Some(-1)), scene, ratio);
    })
}

/// Q applied from both sides.
fn multiplied_by_q<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (m, n), members| {
        for how in [(Side::Left, Trans::C), (Side::Right, Trans::N)] {
            let order = |m, n| if how.0 == Side::Left { m } else { n };
            let members: Vec<[usize; 3]> = members.iter().map(|&(m, n)| [m, n, order(m, n).min(20)]).collect();
            let scene = || {
                let of = |&[m, n, k]: &[usize; 3]| reflectors::<T>(order(m, n), k, 1, 5);
                let (v, tau): (Vec<_>, Vec<_>) = members.iter().map(of).unzip();
                let (v, tau) = (v.into_iter().flatten().collect(), tau.into_iter().flatten().collect());
                let c = members.iter().map(|&[m, n, _]| uniform(m, n)).collect();
                let (sizes, mut numbers) = sizes(&members, [m, n, 20]);
                numbers.extend([("side", how.0.cblas() as u64), ("trans", how.1.cblas() as u64)]);
                Scene::new(vec![(["A", "lda"], v), (["tau", ""], tau), (["C", "ldc"], c)], sizes, numbers)
            };
            let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
                difference(after, &applied(how, before[0], before[1], before[2]))
            };
            overwriting((tally, &format!("{what} {how:?}")), rows::ORMQR.form(), ("m", Some(-3)), scene, ratio);
        }
    })
}

/// Products with the first factor transposed, of as many terms as C has columns.
fn products<T: Scalar>(_: &Session) -> Tally {
    let factors = [-1.5, 0.5].map(real::<T>);
    mixes(|tally, what, (m, n), members| {
        let trans = [Trans::C, Trans::N];
        let members: Vec<[usize; 3]> = members.into_iter().map(|(m, n)| [m, n, n.min(40)]).collect();
        let scene = || {
            let of = |rows: usize, cols: usize| members.iter().map(|size| uniform(size[rows], size[cols])).collect();
            let operands = vec![(["A", "lda"], of(2, 0)), (["B", "ldb"], of(2, 1)), (["C", "ldc"], of(0, 1))];
            let (sizes, mut numbers) = sizes(&members, [m, n, 40]);
            numbers.extend(["trans_a", "trans_b"].into_iter().zip(trans.map(|trans| trans.cblas() as u64)));
            numbers.extend(scalars(&factors));
            Scene::new(operands, sizes, numbers)
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
            multiplied(trans, factors, before[0], before[1], before[2], after)
        };
        overwriting((tally, what), rows::GEMM.form(), ("m", None), scene, ratio);
    })
}

/// Products with vectors, which are rows.
fn by_vectors<T: Scalar>(_: &Session) -> Tally {
    let factors = [-1.5, 0.5].map(real::<T>);
    mixes(|tally, what, (m, n), members| {
        for trans in [Trans::N, Trans::C] {
            let scene = || {
                // As long as A has rows, or columns.
                let vectors = |rows: bool| members.iter().map(|&(m, n)| uniform(1, if rows { m } else { n })).collect();
                let a = members.iter().map(|&(m, n)| uniform(m, n)).collect();
                let operands = vec![
                    (["A", "lda"], a),
                    (["X", "incx"], vectors(trans != Trans::N)),
                    (["Y", "incy"], vectors(trans == Trans::N)),
                ];
                let (sizes, mut numbers) = shapes_of(&members, (m, n));
                numbers.push(("trans", trans.cblas() as u64));
                numbers.extend(scalars(&factors));
                Scene::new(operands, sizes, numbers)
            };
            let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
                let column = |row: &Matrix<T>| Matrix::from_fn(row.cols(), 1, |i, _| row[(0, i)]);
                let [x, y, now] = [before[1], before[2], after].map(column);
                match before[0].data().is_empty() {
                    true => 0.0, // as in BLAS y stays, which its red zones say
                    false => multiplied([trans, Trans::N], factors, before[0], &x, &y, &now),
                }
            };
            overwriting((tally, &format!("{what} {trans:?}")), rows::GEMV.form(), ("m", None), scene, ratio);
        }
    })
}

/// Triangular solves with R from both sides.
fn systems<T: Scalar>(_: &Session) -> Tally {
    let alpha = real::<T>(-1.5);
    mixes(|tally, what, (m, n), members| {
        for side in [Side::Left, Side::Right] {
            let how = Triangular { side, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
            let scene = || {
                let order = |&(m, n): &(usize, usize)| if side == Side::Left { m } else { n };
                let r = members.iter().flat_map(|size| reflectors::<T>(order(size), order(size), 1, 5).0).collect();
                let b = members.iter().map(|&(m, n)| uniform(m, n)).collect();
                let (sizes, mut numbers) = shapes_of(&members, (m, n));
                numbers.extend(flags(how));
                numbers.push(("alpha", &raw const alpha as u64));
                Scene::new(vec![(["A", "lda"], r), (["B", "ldb"], b)], sizes, numbers)
            };
            let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| solved(how, alpha, before[0], before[1], after);
            overwriting((tally, &format!("{what} {side:?}")), rows::TRSM.form(), ("m", None), scene, ratio);
        }
    })
}

/// From factors without interchanges.
fn inverses<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (_, most), members| {
        let scene = || {
            let of = |n| dominant(&uniform::<T>(n, n));
            let (a, orders): (Vec<_>, Vec<_>) = members.iter().map(|&(_, n)| (of(n), n)).unzip();
            let operands = vec![(["A", "lda"], a.clone()), (["C", "ldc"], a)];
            Scene::new(operands, vec![("n", orders)], vec![("max_n", most as u64), ("ipiv", 0)])
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| inverse::<T>(&of_factors(&before[0].wide()), after);
        overwriting((tally, what), rows::GETRI.form(), ("n", Some(-1)), scene, ratio);
    })
}

fn definite_inverses<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (_, most), members| {
        let scene = || {
            let of = |n| triangle(Uplo::Lower, &reference(Uplo::Lower, &of_definite::<T>(n)), |_, _| T::POISON);
            let (a, orders): (Vec<_>, Vec<_>) = members.iter().map(|&(_, n)| (of(n), n)).unzip();
            let numbers = vec![("max_n", most as u64), ("uplo", Uplo::Lower.cblas() as u64)];
            Scene::new(vec![(["A", "lda"], a)], vec![("n", orders)], numbers)
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
            inverted(Uplo::Lower, &of_factor(Uplo::Lower, &before[0].wide()), before[0], after)
        };
        overwriting((tally, what), rows::POTRI.form(), ("n", Some(-2)), scene, ratio);
    })
}

fn updates<T: Scalar>(_: &Session) -> Tally {
    updated::<T>(rows::SYRK.form(), false)
}

fn updates_by_two<T: Scalar>(_: &Session) -> Tally {
    updated::<T>(rows::SYR2K.form(), true)
}

/// The lower triangles of symmetric products, of one matrix or two.
fn updated<T: Scalar>(call: Form, two: bool) -> Tally {
    let how = Rank { hermitian: false, uplo: Uplo::Lower, trans: Trans::N };
    let factors = [-1.5, 0.5].map(real::<T>);
    mixes(|tally, what, (m, _), members| {
        let scene = || {
            let of_a = || members.iter().map(|&(m, n)| uniform(m, n.min(40))).collect();
            let c = members.iter().map(|&(m, _)| triangle(how.uplo, &uniform(m, m), |_, _| T::POISON)).collect();
            let mut operands = vec![(["A", "lda"], of_a())];
            operands.extend(two.then(|| (["B", "ldb"], of_a())));
            operands.push((["C", "ldc"], c));
            let mut numbers = vec![("max_n", m as u64), ("max_k", 40), ("uplo", how.uplo.cblas() as u64)];
            numbers.push(("trans", how.trans.cblas() as u64));
            numbers.extend(scalars(&factors));
            let orders = members.iter().map(|size| size.0).collect();
            let terms = members.iter().map(|size| size.1.min(40)).collect();
            Scene::new(operands, vec![("n", orders), ("k", terms)], numbers)
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
            let (b, c) = (two.then(|| before[1]), before[before.len() - 1]);
            exact::ranked(how, factors, (before[0], b), c, after)
        };
        overwriting((tally, what), call, ("n", None), scene, ratio);
    })
}

/// Products with upper triangles from both sides.
fn triangles<T: Scalar>(_: &Session) -> Tally {
    let alpha = real::<T>(-1.5);
    mixes(|tally, what, (m, n), members| {
        for side in [Side::Left, Side::Right] {
            let how = Triangular { side, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
            let scene = || {
                let order = |&(m, n): &(usize, usize)| if side == Side::Left { m } else { n };
                let of = |order| triangle(how.uplo, &uniform::<T>(order, order), |_, _| T::POISON);
                let a = members.iter().map(|size| of(order(size))).collect();
                let b = members.iter().map(|&(m, n)| uniform(m, n)).collect();
                let (sizes, mut numbers) = shapes_of(&members, (m, n));
                numbers.extend(flags(how));
                numbers.push(("alpha", &raw const alpha as u64));
                Scene::new(vec![(["A", "lda"], a), (["B", "ldb"], b)], sizes, numbers)
            };
            let ratio =
                |before: &[&Matrix<T>], after: &Matrix<T>| exact::multiplied(how, alpha, before[0], before[1], after);
            overwriting((tally, &format!("{what} {side:?}")), rows::TRMM.form(), ("m", None), scene, ratio);
        }
    })
}

fn pivoted<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (m, n), members| {
        // The last column is chosen; numbers of columns are seen as `f32`.
        let chosen = |n: usize| (0..n).map(move |j| usize::from(j + 1 == n));
        let choice = |&(_, n): &(usize, usize)| Matrix::from_fn(n, 1, |j, _| f32::from_bits(u32::from(j + 1 == n)));
        let choices: Vec<Matrix<f32>> = members.iter().map(choice).collect();
        let Ok(jpvt) = Varying::of(Library::required(), &choices, 3) else { return };
        both(tally, what, Some(-1), &mut |wrong| {
            jpvt.upload()?;
            let a = members.iter().map(|&(m, n)| uniform(m, n)).collect();
            let tau = members.iter().map(|&(m, n)| Matrix::from_fn(m.min(n), 1, |_, _| T::POISON)).collect();
            let (sizes, mut numbers) = shapes_of(&members, (m, n));
            numbers.push(("jpvt", jpvt.pointers()));
            let mut scene = Scene::new(vec![(["tau", ""], tau), (["A", "lda"], a)], sizes, numbers)?.writing("tau");
            if let Some(i) = wrong {
                scene.say("m", i, usize::MAX)?;
            }
            let valid = |i: usize| Some(i) != wrong;
            let Outcome(left, codes) = scene.run(rows::GEQP3.form(), [0.0; 4], valid)?;
            let (a, tau) = (&scene.members[1], scene.left(0)?);
            let places = jpvt.download(|i| valid(i) && !a[i].data().is_empty())?;
            let of = |i: usize| {
                let places = places[i].data().iter().map(|x| x.to_bits() as usize);
                let (choice, jpvt) = (from_integers(chosen(left[i].cols())), from_integers(places));
                disorder(&a[i], &choice, &left[i], tau[i].data(), &jpvt)
            };
            let ratio = |i: usize| if valid(i) { unless_empty(&left[i], || of(i)) } else { 0.0 };
            Ok((0..BATCH).map(|i| (codes[i], ratio(i))).collect())
        });
    })
}

fn lq<T: Scalar>(_: &Session) -> Tally {
    let adjoint = |x: &Matrix<T>| Matrix::<T>::narrow(&x.wide().adjoint());
    mixes(|tally, what, (m, n), members| {
        both(tally, what, Some(-1), &mut |wrong| {
            let a = members.iter().map(|&(m, n)| uniform(m, n)).collect();
            let tau = members.iter().map(|&(m, n)| Matrix::from_fn(m.min(n), 1, |_, _| T::POISON)).collect();
            let (sizes, numbers) = shapes_of(&members, (m, n));
            let mut scene = Scene::new(vec![(["tau", ""], tau), (["A", "lda"], a)], sizes, numbers)?.writing("tau");
            if let Some(i) = wrong {
                scene.say("m", i, usize::MAX)?;
            }
            let Outcome(left, codes) = scene.run(rows::GELQF.form(), [0.0; 4], |i| Some(i) != wrong)?;
            let (a, tau) = (&scene.members[1], scene.left(0)?);
            let of = |i: usize| ratios::measure(&adjoint(&a[i]), &adjoint(&left[i]), tau[i].data()).largest();
            let ratio = |i: usize| if Some(i) == wrong { 0.0 } else { unless_empty(&left[i], || of(i)) };
            Ok((0..BATCH).map(|i| (codes[i], ratio(i))).collect())
        });
    })
}

/// Least squares, and solutions of least norm where there are more columns than rows.
fn least<T: Scalar>(_: &Session) -> Tally {
    const SIDES: usize = 3;
    mixes(|tally, what, (m, n), members| {
        let scene = || {
            let a = members.iter().map(|&(m, n)| uniform(m, n)).collect();
            let b = members.iter().map(|&(m, n)| uniform(m.max(n), SIDES)).collect();
            let (mut sizes, mut numbers) = shapes_of(&members, (m, n));
            sizes.push(("nrhs", vec![SIDES; BATCH]));
            numbers.extend([("max_nrhs", SIDES as u64), ("trans", Trans::N.cblas() as u64)]);
            Ok(Scene::new(vec![(["A", "lda"], a), (["B", "ldb"], b)], sizes, numbers)?.writing("A"))
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
            unless_empty(before[0], || least_squares(Trans::N, before[0], before[1], after))
        };
        overwriting((tally, what), rows::GELS.form(), ("m", Some(-2)), scene, ratio);
    })
}

/// Products with symmetric matrices, of which there is the lower triangle, from both sides.
fn symmetric<T: Scalar>(_: &Session) -> Tally {
    let factors = [-1.5, 0.5].map(real::<T>);
    mixes(|tally, what, (m, n), members| {
        for side in [Side::Left, Side::Right] {
            let scene = || {
                let order = |&(m, n): &(usize, usize)| if side == Side::Left { m } else { n };
                let of = |order| triangle(Uplo::Lower, &uniform::<T>(order, order), |_, _| T::POISON);
                let all = || members.iter().map(|&(m, n)| uniform(m, n)).collect();
                let a = members.iter().map(|size| of(order(size))).collect();
                let (sizes, mut numbers) = shapes_of(&members, (m, n));
                numbers.extend([("side", side.cblas() as u64), ("uplo", Uplo::Lower.cblas() as u64)]);
                numbers.extend(scalars(&factors));
                Scene::new(vec![(["A", "lda"], a), (["B", "ldb"], all()), (["C", "ldc"], all())], sizes, numbers)
            };
            let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
                let order = before[0].rows();
                let whole = Matrix::from_fn(order, order, |i, j| before[0][(i.max(j), i.min(j))]);
                let (first, second) = if side == Side::Left { (&whole, before[1]) } else { (before[1], &whole) };
                multiplied([Trans::N; 2], factors, first, second, before[2], after)
            };
            overwriting((tally, &format!("{what} {side:?}")), rows::SYMM.form(), ("m", None), scene, ratio);
        }
    })
}

/// Vectors, which are rows, and R.
fn vectors_solved<T: Scalar>(_: &Session) -> Tally {
    let how = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::C, diag: Diag::NonUnit };
    let one = real::<T>(1.0);
    mixes(|tally, what, (_, most), members| {
        let scene = || {
            let r = members.iter().flat_map(|&(_, n)| reflectors::<T>(n, n, 1, 5).0).collect();
            let x = members.iter().map(|&(_, n)| uniform(1, n)).collect();
            let mut numbers = vec![("max_n", most as u64)];
            numbers.extend(flags(how));
            let orders = members.iter().map(|size| size.1).collect();
            Scene::new(vec![(["A", "lda"], r), (["X", "incx"], x)], vec![("n", orders)], numbers)
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
            let column = |row: &Matrix<T>| Matrix::from_fn(row.cols(), 1, |i, _| row[(0, i)]);
            solved(how, one, before[0], &column(before[1]), &column(after))
        };
        overwriting((tally, what), rows::TRSV.form(), ("n", None), scene, ratio);
    })
}

/// The row that row i of m, counted from 0, is exchanged with, counted from 1.
fn exchanged_with(i: usize, m: usize) -> usize {
    i + i * 7 % (m - i) + 1
}

fn exchanges<T: Scalar>(_: &Session) -> Tally {
    mixes(|tally, what, (m, n), members| {
        // Interchanges, which are seen as `f32`.
        let of = |m: usize| Matrix::from_fn(m, 1, |i, _| f32::from_bits(exchanged_with(i, m) as u32));
        let all: Vec<Matrix<f32>> = members.iter().map(|&(m, _)| of(m)).collect();
        let Ok(ipiv) = Varying::of(Library::required(), &all, 3) else { return };
        let scene = || {
            ipiv.upload()?;
            let a = members.iter().map(|&(m, n)| uniform(m, n)).collect();
            let sizes = vec![
                ("n", members.iter().map(|size| size.1).collect()),
                ("k2", members.iter().map(|size| size.0).collect()),
            ];
            let numbers =
                [("max_n", n as u64), ("max_k2", m as u64), ("k1", 1), ("incx", 1), ("ipiv", ipiv.pointers())];
            Scene::new(vec![(["A", "lda"], a)], sizes, numbers.to_vec())
        };
        let ratio = |before: &[&Matrix<T>], after: &Matrix<T>| {
            let mut order: Vec<usize> = (0..after.rows()).collect();
            (0..after.rows()).for_each(|i| order.swap(i, exchanged_with(i, after.rows()) - 1));
            let expected = Matrix::from_fn(after.rows(), after.cols(), |i, j| before[0][(order[i], j)]);
            if same_bits(expected.data(), after.data()) { 0.0 } else { f64::INFINITY }
        };
        overwriting((tally, what), rows::LASWP.form(), ("n", None), scene, ratio);
    })
}

/// Products, each member a group of its own; what describes the groups is in host memory.
fn groups<T: Scalar>(session: &Session) -> Tally {
    let (trans, library) = ([Trans::C, Trans::N], Library::required());
    let factors = [-1.5, 0.5].map(real::<T>);
    mixes(|tally, what, _, members| {
        let sizes = |of: fn(&(usize, usize)) -> usize| members.iter().map(|size| of(size) as i64).collect::<Vec<_>>();
        let [m, n, k, one] = [sizes(|size| size.0), sizes(|size| size.1), sizes(|size| size.1.min(40)), sizes(|_| 1)];
        let of = |rows: &[i64], columns: &[i64]| -> Vec<Matrix<T>> {
            rows.iter().zip(columns).map(|(&rows, &columns)| uniform(rows as usize, columns as usize)).collect()
        };
        let (a, b, c) = (of(&k, &m), of(&k, &n), of(&m, &n));
        let measured = || -> Result<f64> {
            let placed = [(&a, 1), (&b, 2), (&c, 3)].map(|(members, seed)| Varying::of(library, members, seed));
            let [of_a, of_b, of_c] = placed;
            let (of_a, of_b, of_c) = (of_a?, of_b?, of_c?);
            let lds = |x: &Varying<T>| x.lds().into_iter().map(i64::from).collect::<Vec<i64>>();
            let ([lda, ldb, ldc], flags) = ([&of_a, &of_b, &of_c].map(lds), trans.map(|trans| [trans.cblas(); BATCH]));
            let scalars = factors.map(|factor| [factor; BATCH]);
            [&of_a, &of_b, &of_c].into_iter().try_for_each(Varying::upload)?;
            let address = |numbers: &Vec<i64>| numbers.as_ptr() as u64;
            let [ta, tb] = flags.each_ref().map(|flags| flags.as_ptr() as u64);
            let [alpha, beta] = scalars.each_ref().map(|factors| factors.as_ptr() as u64);
            let [m, n, k, one, lda, ldb, ldc] = [&m, &n, &k, &one, &lda, &ldb, &ldc].map(address);
            let (a_array, b_array, c_array) = (of_a.pointers(), of_b.pointers(), of_c.pointers());
            let (batch, stream) = (BATCH as u64, session.stream() as u64);
            let call = [ta, tb, m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, batch, one, stream];
            let name = symbol_name("tephra_?gemm_grouped_batched", T::DTYPE);
            // SAFETY: the prototype's arguments; an entry for each group.
            let code = unsafe { any_call::call(library, &name, [0.0; 4], &call) };
            if code != 0 {
                return Err(Error::status(name, code));
            }
            session.synchronize()?;
            of_a.download(|_| false)?;
            of_b.download(|_| false)?;
            let left = of_c.download(|_| true)?;
            let ratio = |i: usize| unless_empty(&left[i], || multiplied(trans, factors, &a[i], &b[i], &c[i], &left[i]));
            Ok((0..BATCH).map(ratio).fold(0.0, worst))
        };
        let outcome = measured().map_err(|error| error.to_string()).and_then(|ratio| {
            tally.ratio(ratio);
            if ratio < Ratios::THRESHOLD { Ok(()) } else { Err(format!("ratio {ratio}")) }
        });
        tally.check(|| what.to_string(), outcome);
    })
}
