//! laswp, checked exactly.

use tephra_testkit::engine::{Entry, Inputs, Member, Routine};
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{FORMS, from_integers, integers, laswp};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Dtype, Result, Rng, Scalar, routine_tests};

struct Laswp;

/// The parameters of a call; A has m rows.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    m: usize,
    n: usize,
    k1: i64,
    k2: i64,
    incx: i64,
}

/// The number of interchanges that the routine accesses.
fn length(case: Exchange) -> usize {
    if case.k2 < case.k1 { 1 } else { (case.k1 + (case.k2 - case.k1) * case.incx.abs()) as usize }
}

fn all(shapes: &[(usize, usize)]) -> Vec<Exchange> {
    let mut all = vec![];
    for &(m, n) in shapes {
        let last = m as i64;
        for (k1, k2) in [(1, last), (1, 1), (last, last), (last / 2 + 1, last), (1, last / 2), (2.min(last), last)] {
            for incx in [1, -1, 2, -3] {
                all.push(Exchange { m, n, k1, k2: k2.max(k1), incx });
            }
        }
    }
    all
}

impl Routine for Laswp {
    const NAME: &'static str = "laswp";
    const FORMS: &'static [EntryForm] = &FORMS;
    type Case = Exchange;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        all(&[(1, 1), (2, 3), (5, 1), (8, 8), (33, 7), (64, 70), (300, 4)])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        all(&[(7, 5)])
    }
    fn zeros() -> Vec<Self::Case> {
        let case = Exchange { m: 4, n: 3, k1: 1, k2: 4, incx: 1 };
        vec![Exchange { n: 0, ..case }, Exchange { incx: 0, ..case }, Exchange { k1: 3, k2: 2, ..case }]
    }
    fn tiny() -> Option<Self::Case> {
        Some(Exchange { m: 3, n: 2, k1: 1, k2: 3, incx: -1 })
    }
    fn inputs<T: Scalar>(case: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let mut rng = Rng::new(seed + 1);
        let mut ipiv = || from_integers((0..length(case)).map(|_| 1 + rng.below(case.m)));
        vec![random(class, case.m, case.n, batch, seed), (0..batch).map(|_| ipiv()).collect()]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        laswp(entry.session, entry.form, [case.k1, case.k2, case.incx], &inputs[0], &inputs[1], &entry.place)
    }
    /// Compares with LAPACK's definition: 0 if equal, otherwise infinite.
    fn ratio<T: Scalar>(case: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let Exchange { k1, k2, incx, .. } = case;
        let (mut a, ipiv) = (member.given[0].clone(), integers(&member.given[1]));
        let mut at = if incx > 0 { k1 } else { k1 + (k1 - k2) * incx };
        for step in 0..=k2 - k1 {
            let row = if incx > 0 { k1 + step } else { k2 - step };
            for j in 0..a.cols() {
                a.col_mut(j).swap(row as usize - 1, ipiv[at as usize - 1] - 1);
            }
            at += incx;
        }
        if same_bits(a.data(), member.got[0].data()) { 0.0 } else { f64::INFINITY }
    }
}

routine_tests!([Laswp]: zero_sizes_touch_nothing, batches_beyond_the_limits_of_a_grid);
