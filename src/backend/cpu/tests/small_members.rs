//! Members that have sizes of their own give the same bits in every batch that is not too small to share vectors, at any
//! place in it, whatever the others are, and with any leading dimension.

use super::exceptions::quietly;
use super::interleaved::Kind;
use super::support::*;
use std::ffi::c_void;
use tephra_cpu::of;
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{
    Alpha, Diag, Gelqf, Gels, GelsSizes, Geqrf, Gesv, Getrf, Getri, GetriSizes, Getrs, Math, Operand, Operation, Orgqr,
    Posv, Potrf, PotrfSizes, Potri, Potrs, QSizes, Side, Sizes, SmallPivots, SolveSizes, Trans, Trsm, TrsmSizes, Trsv,
    TrsvSizes, Uplo, Workspace,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Routine {
    Geqrf,
    Gelqf,
    Getrf { pivoting: bool },
    Getrs(Trans),
    Getri,
    Gesv,
    Potrf(Uplo),
    Potrs(Uplo),
    Potri(Uplo),
    Posv(Uplo),
    Gels(Trans),
    Trsm(Side, Uplo, Trans, Diag, f64),
    Orgqr,
    Trsv(Uplo, Trans, Diag),
}

impl Routine {
    fn is_cholesky(self) -> bool {
        matches!(self, Routine::Potrf(_) | Routine::Potrs(_) | Routine::Potri(_) | Routine::Posv(_))
    }
    fn is_square(self) -> bool {
        self.is_cholesky()
            || matches!(
                self,
                Routine::Getrs(_) | Routine::Getri | Routine::Gesv | Routine::Trsm(..) | Routine::Trsv(..)
            )
    }
    /// A second matrix that belongs to a member: right-hand sides, of which some are special numbers, or the inverse.
    /// A member has the same in all batches.
    fn right<T: Scalar>(self, a: &Dense<T>) -> Dense<T> {
        let seed = bits(&a.x).fold(7, |sum: u64, x| sum.wrapping_mul(31).wrapping_add(x));
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].get(seed as usize % 17);
        match self {
            Routine::Getrs(_) | Routine::Gesv | Routine::Potrs(_) | Routine::Posv(_) | Routine::Trsm(..) => {
                let sides = (seed >> 7) as usize % if seed.is_multiple_of(9) { 36 } else { 6 };
                let mut b = match self {
                    Routine::Trsm(Side::Right, ..) => Dense::random(sides, a.m, seed),
                    _ => Dense::random(a.m, sides, seed),
                };
                if let (Some(&x), true) = (special, !b.x.is_empty()) {
                    b.x[0] = T::real(T::Re::from_f64(x));
                }
                b
            }
            Routine::Gels(_) => {
                let sides = (seed >> 7) as usize % if seed.is_multiple_of(9) { 36 } else { 6 };
                let mut b = Dense::random(a.m.max(a.n), sides, seed);
                // Zeros of both signs below the solutions and in them.
                for (i, x) in
                    b.x.iter_mut().enumerate().filter(|(i, _)| (seed >> 11).wrapping_add(*i as u64).is_multiple_of(5))
                {
                    *x = T::real(T::Re::from_f64(if i % 2 == 0 { -0.0 } else { 0.0 }));
                }
                if let (Some(&x), true) = (special, !b.x.is_empty()) {
                    let last = b.x.len() - 1;
                    b.x[if seed % 2 == 0 { 0 } else { last }] = T::real(T::Re::from_f64(x));
                }
                b
            }
            // A row, whose leading dimension becomes the increment.
            Routine::Trsv(..) => {
                let mut x = Dense::random(1, a.m, seed);
                if let (Some(&special), true) = (special, a.m > 0) {
                    x.x[a.m / 2] = T::real(T::Re::from_f64(special));
                }
                x
            }
            Routine::Getri => Dense::from_fn(a.m, a.m, |_, _| T::real(T::Re::from_f64(-777.0))),
            _ => Dense { m: 0, n: 0, x: vec![] },
        }
    }
}

/// Everything that a call writes for a member, as bits: its matrices, tau, its interchanges, its code.
type Bits = Vec<u64>;

fn bits<T: Scalar>(x: &[T]) -> impl Iterator<Item = u64> {
    x.iter().flat_map(|x| [x.re().to_f64().to_bits(), x.im().to_f64().to_bits()])
}

/// Runs a routine on these members, each with a leading dimension of its own, and checks that nothing around them is
/// written.
fn run<T: Scalar>(routine: Routine, members: &[&Dense<T>], seed: u64) -> Vec<Bits> {
    let mut random = Random(seed);
    let guard = T::real(T::Re::from_f64(-777.0));
    let mut below = |n: usize| ((random.real::<f64>() + 1.0) * n as f64 / 2.0) as usize % n;
    let padded: Vec<usize> = members.iter().map(|a| a.m.max(1) + below(4)).collect();
    let mut matrices: Vec<Vec<T>> = members.iter().zip(&padded).map(|(a, lda)| vec![guard; lda * a.n + 1]).collect();
    let mut vectors: Vec<Vec<T>> = members.iter().map(|a| vec![guard; a.m.min(a.n) + 1]).collect();
    let mut pivots: Vec<Vec<i32>> = members.iter().map(|a| vec![-777; a.m.min(a.n) + 1]).collect();
    if matches!(routine, Routine::Getrs(_) | Routine::Getri) {
        for (a, ipiv) in members.iter().zip(&mut pivots) {
            (0..a.m).for_each(|j| ipiv[j] = (j + 1 + (7 * a.m + 3 * j) % (a.m - j)) as i32);
        }
    }
    let reflectors: Vec<i32> = members.iter().map(|a| (a.n - a.n.min(bits(&a.x).count() % 3)) as i32).collect();
    if routine == Routine::Orgqr {
        for ((a, tau), &k) in members.iter().zip(&mut vectors).zip(&reflectors) {
            let seed = bits(&a.x).fold(3, |sum: u64, x| sum.wrapping_mul(37).wrapping_add(x));
            tau[..k as usize].copy_from_slice(&Dense::random(k as usize, 1, seed).x);
        }
    }
    let right: Vec<Dense<T>> = members.iter().map(|a| routine.right(a)).collect();
    let right_ld: Vec<usize> = right.iter().map(|b| b.m.max(1) + below(3)).collect();
    let mut rights: Vec<Vec<T>> = right.iter().zip(&right_ld).map(|(b, ldb)| vec![guard; ldb * b.n + 1]).collect();
    let fill = |from: &Dense<T>, to: &mut [T], ld: usize| {
        (0..from.n).for_each(|j| to[j * ld..][..from.m].copy_from_slice(&from.x[j * from.m..][..from.m]));
    };
    for (i, a) in members.iter().enumerate() {
        fill(a, &mut matrices[i], padded[i]);
        fill(&right[i], &mut rights[i], right_ld[i]);
    }
    let ints = |size: fn(&Dense<T>) -> usize| members.iter().map(|a| size(a) as i32).collect::<Vec<_>>();
    let (m, n, ld) = (ints(|a| a.m), ints(|a| a.n), padded.iter().map(|&lda| lda as i32).collect::<Vec<_>>());
    let heights: Vec<i32> = right.iter().map(|b| b.m as i32).collect();
    let sides: Vec<i32> = right.iter().map(|b| b.n as i32).collect();
    let ldb: Vec<i32> = right_ld.iter().map(|&ldb| ldb as i32).collect();
    // Some vectors are in reverse order, always the same ones.
    let reversed = |a: &Dense<T>| a.m % 3 == 1;
    let steps: Vec<i32> = members.iter().zip(&ldb).map(|(a, &ld)| if reversed(a) { -ld } else { ld }).collect();
    fn starts<X>(of: &mut [Vec<X>]) -> Vec<*mut c_void> {
        of.iter_mut().map(|x| x.as_mut_ptr().cast()).collect()
    }
    let [a, tau, ipiv, b] = [starts(&mut matrices), starts(&mut vectors), starts(&mut pivots), starts(&mut rights)];
    let mut codes = vec![-777; members.len()];
    {
        let [a, tau, ipiv, b] = [&a, &tau, &ipiv, &b].map(|starts| Operand::Pointers(starts.as_ptr()));
        let most = |sizes: &[i32]| sizes.iter().copied().max().unwrap_or(0).into();
        let (dtype, batch, info, work) = (T::DTYPE, members.len() as i64, codes.as_mut_ptr(), Workspace::NONE);
        let sizes = Some(Sizes { m: m.as_ptr(), n: n.as_ptr(), lda: ld.as_ptr() });
        let orders = sizes.map(|Sizes { n, lda, .. }| PotrfSizes { n, lda });
        let (height, heights, most_k) = (most(&heights), heights.as_ptr(), most(&reflectors));
        let (nrhs, sides, right_ld) = (most(&sides), sides.as_ptr(), &ldb);
        let systems = sizes.map(|Sizes { n, lda, .. }| SolveSizes { n, nrhs: sides, lda, ldb: ldb.as_ptr() });
        let inverses = sizes.map(|Sizes { n, lda, .. }| GetriSizes { n, lda, ldc: ldb.as_ptr() });
        let (lda, ldb, m, n) = (most(&ld), most(&ldb), most(&m), most(&n));
        let op = match routine {
            Routine::Geqrf => {
                Operation::Geqrf(Geqrf { dtype, m, n, a, lda, sizes, tau, batch, info, math: Math::Fp32 })
            }
            Routine::Gelqf => Operation::Gelqf(Gelqf { dtype, m, n, a, lda, sizes, tau, batch, info, work }),
            Routine::Getrf { pivoting } => {
                let small = SmallPivots::KEEP;
                Operation::Getrf(Getrf { dtype, m, n, a, lda, sizes, pivoting, small, ipiv, info, batch, work })
            }
            Routine::Getrs(trans) => {
                let sizes = systems;
                Operation::Getrs(Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work })
            }
            Routine::Getri => {
                let (c, ldc, sizes) = (b, ldb, inverses);
                Operation::Getri(Getri { dtype, n, a, lda, ipiv, c, ldc, sizes, info, batch, work })
            }
            Routine::Gesv => {
                let sizes = systems;
                Operation::Gesv(Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work })
            }
            Routine::Potrf(uplo) => {
                Operation::Potrf(Potrf { dtype, uplo, n, a, lda, sizes: orders, info, batch, work })
            }
            Routine::Potrs(uplo) => {
                let sizes = systems;
                Operation::Potrs(Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch, work })
            }
            Routine::Potri(uplo) => {
                Operation::Potri(Potri { dtype, uplo, n, a, lda, sizes: orders, info, batch, work })
            }
            Routine::Trsm(side, uplo, trans, diag, alpha) => {
                let sizes =
                    sizes.map(|Sizes { lda, .. }| TrsmSizes { m: heights, n: sides, lda, ldb: right_ld.as_ptr() });
                let (m, n, alpha) = (height, nrhs, Alpha::Host(C64 { re: alpha, im: 0.0 }));
                Operation::Trsm(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch })
            }
            Routine::Trsv(uplo, trans, diag) => {
                let sizes = sizes.map(|Sizes { n, lda, .. }| TrsvSizes { n, lda, incx: steps.as_ptr() });
                Operation::Trsv(Trsv { dtype, uplo, trans, diag, n, a, lda, x: b, incx: 1, sizes, batch })
            }
            Routine::Orgqr => {
                let of =
                    |Sizes { m, n, lda }| QSizes { m, n, k: reflectors.as_ptr(), lda, ldc: std::ptr::null(), info };
                Operation::Orgqr(Orgqr { dtype, m, n, k: most_k, a, lda, tau, sizes: sizes.map(of), batch })
            }
            Routine::Gels(trans) => {
                let sizes =
                    sizes.map(|Sizes { m, n, lda }| GelsSizes { m, n, nrhs: sides, lda, ldb: right_ld.as_ptr() });
                Operation::Gels(Gels { dtype, trans, m, n, nrhs, a, lda, b, ldb, sizes, info, batch, work })
            }
            Routine::Posv(uplo) => {
                let sizes = systems;
                Operation::Posv(Posv { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch, work })
            }
        };
        unsafe { of(&op).run() }.unwrap();
    }
    (0..members.len())
        .map(|i| {
            let (a, lda) = (members[i], padded[i]);
            for (at, x) in matrices[i].iter().enumerate() {
                assert!((at % lda < a.m && at / lda < a.n) || *x == guard, "{routine:?} {} x {}: {at}", a.m, a.n);
            }
            assert!(*vectors[i].last().unwrap() == guard && *pivots[i].last().unwrap() == -777);
            let (b, ldb) = (&right[i], right_ld[i]);
            for (at, x) in rights[i].iter().enumerate() {
                assert!((at % ldb < b.m && at / ldb < b.n) || *x == guard, "{routine:?} {} x {}: {at}", b.m, b.n);
            }
            let columns = (0..a.n).flat_map(|j| bits(&matrices[i][j * lda..][..a.m]));
            let columns = columns.chain((0..b.n).flat_map(|j| bits(&rights[i][j * ldb..][..b.m])));
            let others = pivots[i].iter().chain([&codes[i]]).map(|&x| x as u64);
            columns.chain(bits(&vectors[i])).chain(others).collect()
        })
        .collect()
}

/// A member of any kind; for Cholesky a square one, which is positive definite unless its kind prevents that. In some of
/// them, if wanted, elements are replaced by special numbers.
fn member<T: Scalar>(routine: Routine, most: usize, special: bool, random: &mut Random) -> Dense<T> {
    let mut below = |n: usize| ((random.real::<f64>() + 1.0) * n as f64 / 2.0) as usize % n;
    let (m, n, kind, seed) = (below(most + 1), below(most + 1), below(24), below(1 << 20) as u64);
    let (row, column, value) = (below(m.max(1)), below(n.max(1)), below(8));
    let square = routine.is_square() || kind % 2 == 1;
    let n = if square || routine == Routine::Orgqr && n > m { m } else { n };
    let kinds = [Kind::TAME.as_slice(), &[Kind::Nan]].concat();
    let kind = *kinds.get(kind).unwrap_or(&Kind::Uniform);
    let mut a = kind.matrix::<T>(m, n, seed);
    if routine.is_cholesky() {
        let largest = a.x.iter().map(|&x| magnitude(x)).fold(0.0, f64::max);
        for j in 0..n {
            let shift = T::Re::from_f64(2.0 * largest * n as f64);
            a.set(j, j, a.at(j, j) + T::real(shift));
        }
    }
    let single = T::Re::EPSILON.to_f64() > 1e-10;
    let tiny = if single { 1e-42 } else { 1e-315 };
    let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, if single { 1e38 } else { 1e308 }, tiny, -0.0];
    if let (true, Some(&x)) = (special && seed.is_multiple_of(4) && m * n > 0, numbers.get(value)) {
        let column = column.min(n - 1);
        a.set(row, column, T::real(T::Re::from_f64(x)));
        if seed.is_multiple_of(8) {
            (0..n).for_each(|j| a.set(row, j, T::real(T::Re::from_f64(x))));
        }
    }
    a
}

fn members_do_not_depend_on_others<T: Scalar>(routines: &[Routine], most: usize, rounds: u64) {
    for &routine in routines {
        let mut alone_total = 0;
        for round in 0..rounds {
            let mut random = Random(round * 7919 + most as u64);
            // Fewer members would not share vectors; large ones do so from 65 on, also if a third is left out.
            let count = [17, 31, 120, 300, 2300][round as usize % 5];
            let members: Vec<Dense<T>> = (0..count).map(|_| member(routine, most, true, &mut random)).collect();
            let all: Vec<&Dense<T>> = members.iter().collect();
            let together = run(routine, &all, round);
            let what = |i: usize| {
                let a = &members[i];
                format!(
                    "{:?} {routine:?}, up to {most}, round {round}, member {i} of {count}, {} x {}",
                    T::DTYPE,
                    a.m,
                    a.n
                )
            };
            for i in (0..count).step_by(1 + count / if most > 64 { 40 } else { 300 }) {
                let right = routine.right(all[i]);
                let largest = [all[i].m, all[i].n, right.m, right.n].into_iter().max();
                let many = count > 64 && largest > Some(32);
                for alone in run(routine, &vec![all[i]; if many { 65 } else { 9 }], round + 99) {
                    assert!(together[i] == alone, "{}", what(i));
                }
                alone_total += 1;
            }
            // Some of them, in another order.
            let mut order: Vec<usize> = (0..count).filter(|i| i % 3 != round as usize % 3 || count < 3).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, ((random.real::<f64>() + 1.0) * 1e6) as usize % (i + 1));
            }
            let some: Vec<&Dense<T>> = order.iter().map(|&i| &members[i]).collect();
            for (got, &i) in run(routine, &some, round + 7).into_iter().zip(&order) {
                assert!(together[i] == got, "{}, in another order", what(i));
            }
        }
        assert!(alone_total > if most > 64 { 70 } else { 100 });
    }
}

fn every_size_and_type(routines: &[Routine]) {
    // Up to 140, so that some of the largest are done alone.
    for (most, rounds) in [(9, 12), (40, 12), (140, 3)] {
        members_do_not_depend_on_others::<f32>(routines, most, rounds);
        members_do_not_depend_on_others::<f64>(routines, most, rounds);
        members_do_not_depend_on_others::<C32>(routines, most, rounds);
        members_do_not_depend_on_others::<C64>(routines, most, rounds);
    }
}

const QR: [Routine; 2] = [Routine::Geqrf, Routine::Gelqf];
const LU: [Routine; 2] = [Routine::Getrf { pivoting: true }, Routine::Getrf { pivoting: false }];
const LU_SOLVES: [Routine; 5] =
    [Routine::Getrs(Trans::N), Routine::Getrs(Trans::T), Routine::Getrs(Trans::C), Routine::Getri, Routine::Gesv];
const CHOLESKY: [Routine; 2] = [Routine::Potrf(Uplo::Lower), Routine::Potrf(Uplo::Upper)];
const TRIANGLES: [Routine; 8] = [
    Routine::Trsm(Side::Left, Uplo::Lower, Trans::N, Diag::NonUnit, 1.0),
    Routine::Trsm(Side::Left, Uplo::Upper, Trans::N, Diag::Unit, -2.5),
    Routine::Trsm(Side::Left, Uplo::Lower, Trans::C, Diag::NonUnit, f64::INFINITY),
    Routine::Trsm(Side::Right, Uplo::Upper, Trans::N, Diag::NonUnit, 0.5),
    Routine::Trsm(Side::Right, Uplo::Lower, Trans::T, Diag::Unit, 1.0),
    Routine::Trsm(Side::Right, Uplo::Upper, Trans::C, Diag::NonUnit, 0.0),
    Routine::Trsm(Side::Left, Uplo::Upper, Trans::C, Diag::NonUnit, 1.0),
    Routine::Trsm(Side::Right, Uplo::Lower, Trans::C, Diag::Unit, -1.5),
];
const CHOLESKY_SOLVES: [Routine; 6] = [
    Routine::Potrs(Uplo::Lower),
    Routine::Potrs(Uplo::Upper),
    Routine::Potri(Uplo::Lower),
    Routine::Potri(Uplo::Upper),
    Routine::Posv(Uplo::Lower),
    Routine::Posv(Uplo::Upper),
];

#[test]
fn members_of_qr_do_not_depend_on_others() {
    every_size_and_type(&QR);
}

#[test]
fn members_of_lu_do_not_depend_on_others() {
    every_size_and_type(&LU);
}

#[test]
fn members_of_cholesky_do_not_depend_on_others() {
    every_size_and_type(&CHOLESKY);
}

#[test]
fn members_of_least_squares_do_not_depend_on_others() {
    fn of<T: Scalar>(trans: Trans) {
        for (most, rounds) in [(9, 12), (40, 12), (90, 3)] {
            members_do_not_depend_on_others::<T>(&[Routine::Gels(Trans::N), Routine::Gels(trans)], most, rounds);
        }
    }
    of::<f32>(Trans::T);
    of::<f64>(Trans::T);
    of::<C32>(Trans::C);
    of::<C64>(Trans::C);
}

#[test]
fn members_of_triangular_solves_do_not_depend_on_others() {
    every_size_and_type(&TRIANGLES);
}

#[test]
fn members_with_one_right_hand_side_do_not_depend_on_others() {
    every_size_and_type(&[
        Routine::Trsv(Uplo::Lower, Trans::N, Diag::NonUnit),
        Routine::Trsv(Uplo::Upper, Trans::N, Diag::Unit),
        Routine::Trsv(Uplo::Lower, Trans::T, Diag::Unit),
        Routine::Trsv(Uplo::Upper, Trans::C, Diag::NonUnit),
    ]);
}

#[test]
fn members_of_q_do_not_depend_on_others() {
    every_size_and_type(&[Routine::Orgqr]);
}

#[test]
fn members_of_lu_solves_do_not_depend_on_others() {
    every_size_and_type(&LU_SOLVES);
}

#[test]
fn members_of_cholesky_solves_do_not_depend_on_others() {
    every_size_and_type(&CHOLESKY_SOLVES);
}

/// What continues the members, and lanes without one, raise no exceptions either.
#[test]
fn small_members_raise_nothing() {
    fn quiet<T: Scalar>() {
        let transposed = Routine::Gels(if T::DTYPE.is_complex() { Trans::C } else { Trans::T });
        let others = [Routine::Gels(Trans::N), transposed, Routine::Orgqr, TRIANGLES[0], TRIANGLES[6], TRIANGLES[7]];
        for routine in [&QR[..], &LU, &CHOLESKY, &others].concat() {
            let mut random = Random(5);
            let mut tame = || loop {
                let a = member::<T>(routine, 32, false, &mut random);
                let singular = (0..a.m.min(a.n)).any(|k| magnitude(a.x[k + k * a.m]) < 0.1);
                let divides = matches!(routine, Routine::Trsm(_, _, _, Diag::NonUnit, _));
                if a.x.iter().chain(&routine.right(&a).x).all(|&x| magnitude(x) < 1e6) && !(divides && singular) {
                    return a;
                }
            };
            let members: Vec<Dense<T>> = (0..200).map(|_| tame()).collect();
            for members in members.chunks(3).chain([members.as_slice()]) {
                let members: Vec<&Dense<T>> = members.iter().collect();
                quietly(&format!("{routine:?} {:?}", T::DTYPE), || {
                    run(routine, &members, 1);
                });
            }
        }
    }
    quiet::<f32>();
    quiet::<f64>();
    quiet::<C32>();
    quiet::<C64>();
}
