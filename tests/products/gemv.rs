//! gemv.

use super::gemm::factors;
use tephra_testkit::engine::{Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::products::{PRODUCT_FORMS, gemv, multiplied};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::{Dtype, Matrix, Result, Scalar, routine_tests};

struct Gemv;

impl Routine for Gemv {
    const NAME: &'static str = "gemv";
    const FORMS: &'static [EntryForm] = &PRODUCT_FORMS;
    /// m and n; op; the number of the scalars; whether increments are negative.
    type Case = ([usize; 2], Trans, usize, bool);

    fn cases(_: Dtype) -> Vec<Self::Case> {
        with_all(sizes("1x1 2x2 3x5 4x4 7x3 8x8 9x16 16x16 17x33 32x32 33x31 64x64 100x7 5x130 200x40 257x2 16x256"))
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_all(sizes("4x3 16x16 33x20 130x5"))
    }
    fn zeros() -> Vec<Self::Case> {
        vec![([0, 3], Trans::N, 0, false), ([3, 0], Trans::N, 1, false), ([3, 0], Trans::C, 1, true)]
    }
    fn tiny() -> Option<Self::Case> {
        Some(([2, 1], Trans::N, 0, false))
    }
    fn sweeps(form: EntryForm, ([m, n], trans, factors, backwards): Self::Case) -> bool {
        let turn = (m + n + trans as usize + factors + usize::from(backwards)) % PRODUCT_FORMS.len();
        m == 17 || PRODUCT_FORMS[turn] == form
    }
    fn inputs<T: Scalar>(([m, n], trans, number, _): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (of_x, of_y) = if trans == Trans::N { (n, m) } else { (m, n) };
        let y = match number {
            1 => vec![Matrix::from_fn(1, of_y, |_, _| T::POISON); batch],
            _ => random(class, 1, of_y, batch, seed ^ 0xc),
        };
        vec![random(class, m, n, batch, seed), random(class, 1, of_x, batch, !seed), y]
    }
    fn call<'a, T: Scalar>(
        entry: Entry<'a>,
        (_, trans, number, backwards): Self::Case,
        inputs: &Inputs<T>,
    ) -> Result<Prepared<'a, T>> {
        let operands = [0, 1, 2].map(|i: usize| &inputs[i][..]);
        // The gaps between the elements of a vector must stay unchanged.
        let place = if number == 2 { entry.place } else { Placement { padding: 2, ..entry.place } };
        gemv(entry.session, entry.form, trans, backwards, factors(number), operands, &place)
    }
    fn ratio<T: Scalar>((_, trans, number, backwards): Self::Case, _: Class, member: &Member<T>) -> f64 {
        let column = |x: &Matrix<T>| {
            let length = x.cols();
            Matrix::from_fn(length, 1, |i, _| x[(0, if backwards { length - 1 - i } else { i })])
        };
        let (a, [x, y]) = (&member.given[0], [1, 2].map(|i: usize| column(&member.given[i])));
        multiplied([trans, Trans::N], factors(number), a, &x, &y, &column(&member.got[0]))
    }
    fn spots((_, _, number, _): Self::Case) -> Vec<Spot> {
        let mut spots = vec![Spot::not_finite(0, (0, 0)), Spot::not_finite(1, (0, 0))];
        if number != 1 {
            spots.push(Spot::not_finite(2, (0, 0)));
        }
        spots
    }
}

fn with_all(sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<([usize; 2], Trans, usize, bool)> {
    let each = |size: [usize; 2]| {
        let flags = Trans::ALL.iter().flat_map(|&trans| [false, true].map(move |backwards| (trans, backwards)));
        flags.enumerate().map(move |(i, (trans, backwards))| (size, trans, (size[0] + i) % 3, backwards))
    };
    sizes.into_iter().flat_map(each).collect()
}

routine_tests!([Gemv]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
);
