//! Members that have sizes of their own give the same bits in every batch that is not too small to share vectors, at any
//! place in it, whatever the others are, and with any leading dimension.

use super::exceptions::quietly;
use super::interleaved::Kind;
use super::support::*;
use std::ffi::c_void;
use tephra_cpu::of;
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{
    Gelqf, Geqrf, Getrf, Math, Operand, Operation, Potrf, PotrfSizes, Sizes, SmallPivots, Uplo, Workspace,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Routine {
    Geqrf,
    Gelqf,
    Getrf { pivoting: bool },
    Potrf(Uplo),
}

/// Everything that a call writes for a member, as bits: its matrix, tau, its interchanges, its code.
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
    for ((a, lda), x) in members.iter().zip(&padded).zip(&mut matrices) {
        (0..a.n).for_each(|j| x[j * lda..][..a.m].copy_from_slice(&a.x[j * a.m..][..a.m]));
    }
    let ints = |size: fn(&Dense<T>) -> usize| members.iter().map(|a| size(a) as i32).collect::<Vec<_>>();
    let (m, n, ld) = (ints(|a| a.m), ints(|a| a.n), padded.iter().map(|&lda| lda as i32).collect::<Vec<_>>());
    fn starts<X>(of: &mut [Vec<X>]) -> Vec<*mut c_void> {
        of.iter_mut().map(|x| x.as_mut_ptr().cast()).collect()
    }
    let [a, tau, ipiv] = [starts(&mut matrices), starts(&mut vectors), starts(&mut pivots)];
    let mut codes = vec![-777; members.len()];
    {
        let [a, tau, ipiv] = [&a, &tau, &ipiv].map(|starts| Operand::Pointers(starts.as_ptr()));
        let most = |sizes: &[i32]| sizes.iter().copied().max().unwrap_or(0).into();
        let (dtype, batch, info, work) = (T::DTYPE, members.len() as i64, codes.as_mut_ptr(), Workspace::NONE);
        let sizes = Some(Sizes { m: m.as_ptr(), n: n.as_ptr(), lda: ld.as_ptr() });
        let (lda, m, n) = (most(&ld), most(&m), most(&n));
        let op = match routine {
            Routine::Geqrf => {
                Operation::Geqrf(Geqrf { dtype, m, n, a, lda, sizes, tau, batch, info, math: Math::Fp32 })
            }
            Routine::Gelqf => Operation::Gelqf(Gelqf { dtype, m, n, a, lda, sizes, tau, batch, info, work }),
            Routine::Getrf { pivoting } => {
                let small = SmallPivots::KEEP;
                Operation::Getrf(Getrf { dtype, m, n, a, lda, sizes, pivoting, small, ipiv, info, batch, work })
            }
            Routine::Potrf(uplo) => {
                let sizes = sizes.map(|Sizes { n, lda, .. }| PotrfSizes { n, lda });
                Operation::Potrf(Potrf { dtype, uplo, n, a, lda, sizes, info, batch, work })
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
            let columns = (0..a.n).flat_map(|j| bits(&matrices[i][j * lda..][..a.m]));
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
    let square = matches!(routine, Routine::Potrf(_)) || kind % 2 == 1;
    let n = if square { m } else { n };
    let kinds = [Kind::TAME.as_slice(), &[Kind::Nan]].concat();
    let kind = *kinds.get(kind).unwrap_or(&Kind::Uniform);
    let mut a = kind.matrix::<T>(m, n, seed);
    if matches!(routine, Routine::Potrf(_)) {
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
            // Fewer members would not share vectors.
            let count = [17, 31, 90, 300, 2300][round as usize % 5];
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
            for i in (0..count).step_by(1 + count / 300) {
                for alone in run(routine, &[all[i]; 9], round + 99) {
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
        assert!(alone_total > 100);
    }
}

fn every_size_and_type(routines: &[Routine]) {
    for most in [9, 40] {
        members_do_not_depend_on_others::<f32>(routines, most, 12);
        members_do_not_depend_on_others::<f64>(routines, most, 12);
        members_do_not_depend_on_others::<C32>(routines, most, 12);
        members_do_not_depend_on_others::<C64>(routines, most, 12);
    }
}

const QR: [Routine; 2] = [Routine::Geqrf, Routine::Gelqf];
const LU: [Routine; 2] = [Routine::Getrf { pivoting: true }, Routine::Getrf { pivoting: false }];
const CHOLESKY: [Routine; 2] = [Routine::Potrf(Uplo::Lower), Routine::Potrf(Uplo::Upper)];

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

/// What continues the members, and lanes without one, raise no exceptions either.
#[test]
fn small_members_raise_nothing() {
    fn quiet<T: Scalar>() {
        for routine in [&QR, &LU, &CHOLESKY].into_iter().flatten().copied() {
            let mut random = Random(5);
            let mut tame = || loop {
                let a = member::<T>(routine, 32, false, &mut random);
                if a.x.iter().all(|&x| magnitude(x) < 1e6) {
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
