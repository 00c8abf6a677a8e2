//! syrk, herk, syr2k, her2k, geam.

use tephra_testkit::engine::{Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::blas::{FORMS, RankUpdate, geam, rank_update};
use tephra_testkit::ops::exact::{Exact, op, ranked};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared, Trans, Uplo};
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Matrix, Result, Scalar, routine_tests};

struct Ranks;

/// n and k, flags, whether there is a second matrix.
type RankCase = ([usize; 2], RankUpdate, bool);

fn with_flags(dtype: Dtype, sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<RankCase> {
    let flags = |size| RankUpdate::all(dtype.is_complex()).flat_map(move |how| [(size, how, false), (size, how, true)]);
    sizes.into_iter().flat_map(flags).collect()
}

const PLAIN: RankUpdate = RankUpdate { hermitian: false, uplo: Uplo::Lower, trans: Trans::N };

/// alpha and beta, real for herk.
fn factors<T: Scalar>(how: RankUpdate, two: bool) -> [T; 2] {
    let im = |beta: bool| if how.hermitian && (beta || !two) { 0.0 } else { 0.75 };
    [(-1.5, im(false)), (0.5, im(true))].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

impl Routine for Ranks {
    const NAME: &'static str = "syrk and its like";
    const FORMS: &'static [EntryForm] = &FORMS;
    type Case = RankCase;

    fn cases(dtype: Dtype) -> Vec<RankCase> {
        let orders = [1, 2, 5, 16, 33, 64, 65, 100, 130];
        with_flags(dtype, orders.iter().flat_map(|&n| [1, 4, 17, 40].map(|k| [n, k])))
    }
    fn few(dtype: Dtype) -> Vec<RankCase> {
        with_flags(dtype, sizes("3x4 20x5 70x9"))
    }
    fn zeros() -> Vec<RankCase> {
        vec![([0, 3], PLAIN, false), ([0, 3], PLAIN, true)]
    }
    fn tiny() -> Option<RankCase> {
        Some(([2, 1], PLAIN, false))
    }
    /// The other triangle of C is poison, as are imaginary parts on a Hermitian diagonal.
    fn inputs<T: Scalar>(([n, k], how, _): RankCase, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (rows, cols) = if how.trans == Trans::N { (n, k) } else { (k, n) };
        let real = |x: T| T::from_double(<T as Scalar>::Double::parts(x.to_double().re(), f64::NAN));
        let stored = |c: Matrix<T>| {
            Matrix::from_fn(n, n, |i, j| match (i == j, (i < j) == (how.uplo == Uplo::Upper)) {
                (true, _) if how.hermitian => real(c[(i, j)]),
                (true, _) | (_, true) => c[(i, j)],
                _ => T::POISON,
            })
        };
        let c = random(Class::Uniform, n, n, batch, seed ^ 0x77).into_iter().map(stored).collect();
        vec![random(class, rows, cols, batch, seed), random(Class::Uniform, rows, cols, batch, !seed), c]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, how, two): RankCase, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let second = two.then_some(&inputs[1][..]);
        rank_update(entry.session, entry.form, how, factors(how, two), (&inputs[0], second), &inputs[2], &entry.place)
    }
    fn ratio<T: Scalar>((_, how, two): RankCase, _: Class, member: &Member<T>) -> f64 {
        let second = two.then_some(&member.given[1]);
        ranked(how, factors(how, two), (&member.given[0], second), &member.given[2], &member.got[0])
    }
    fn spots(_: RankCase) -> Vec<Spot> {
        vec![Spot::not_finite(0, (0, 0)), Spot::not_finite(2, (0, 0))]
    }
}

struct Sums;

impl Routine for Sums {
    const NAME: &'static str = "geam";
    const FORMS: &'static [EntryForm] = &FORMS;
    type Case = ([usize; 2], [Trans; 2]);

    fn cases(_: Dtype) -> Vec<Self::Case> {
        let sides = [1, 2, 8, 9, 33, 100];
        transposed(sides.iter().flat_map(|&m| [1, 7, 16, 40].map(|n| [m, n])))
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        transposed(sizes("3x4 20x5 40x70"))
    }
    fn zeros() -> Vec<Self::Case> {
        vec![([0, 3], [Trans::N; 2]), ([3, 0], [Trans::T; 2])]
    }
    fn tiny() -> Option<Self::Case> {
        Some(([2, 1], [Trans::N, Trans::T]))
    }
    fn inputs<T: Scalar>(([m, n], ops): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let mut inputs: Inputs<T> = vec![];
        for (i, trans) in ops.into_iter().enumerate() {
            let (rows, cols) = if trans == Trans::N { (m, n) } else { (n, m) };
            inputs.push(random(class, rows, cols, batch, seed + 1000 * i as u64));
        }
        inputs.push(vec![Matrix::from_fn(m, n, |_, _| T::POISON); batch]);
        inputs
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, ops): Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let operands = [&inputs[0][..], &inputs[1][..]];
        geam(entry.session, entry.form, ops, factors(PLAIN, true), operands, &inputs[2], &entry.place)
    }
    fn ratio<T: Scalar>(([m, n], ops): Self::Case, _: Class, member: &Member<T>) -> f64 {
        let [alpha, beta] = factors::<T>(PLAIN, true).map(Scalar::to_double);
        let [a, b] = [0, 1].map(|i| op(ops[i], &member.given[i].to_double()));
        Exact::zeros(m, n).plus(alpha, &a).plus(beta, &b).ratio(&member.got[0], |_, _| true)
    }
    fn spots(_: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (0, 0)), Spot::not_finite(1, (0, 0))]
    }
}

fn transposed(sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<([usize; 2], [Trans; 2])> {
    let ops = |size| Trans::ALL.iter().flat_map(move |&a| Trans::ALL.iter().map(move |&b| (size, [a, b])));
    sizes.into_iter().flat_map(ops).collect()
}

routine_tests!([Ranks, Sums]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
);
