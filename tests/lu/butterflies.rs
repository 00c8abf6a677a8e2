//! gesv_rbt.

use super::matrices::{inputs, real};
use tephra_testkit::engine::{BATCH, Entry, Inputs, Leftover, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{FORMS, from_integers, gesv_rbt};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::residuals::{factorisation, solution};
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Dtype, Field, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

/// Orders with every remainder of their halves and quarters.
const ORDERS: [usize; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 33, 64, 65, 66, 67, 130, 200];

/// The documented factor by which growth without pivoting may increase the ratio for matrices of independent random
/// elements.
const GROWTH: f64 = 1000.0;

struct GesvRbt;

fn with_columns(orders: &[usize], columns: &[usize]) -> Vec<[usize; 2]> {
    orders.iter().flat_map(|&n| columns.iter().map(move |&nrhs| [n, nrhs])).collect()
}

impl Routine for GesvRbt {
    const NAME: &'static str = "gesv_rbt";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    /// Uniform matrices have a diagonal that outweighs their columns, so that growth is small.
    const CLASSES: &'static [Class] = &[Class::Uniform, Class::Cond2];
    /// Order and right-hand sides.
    type Case = [usize; 2];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        with_columns(&ORDERS, &[1, 4, 9])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_columns(&[4, 33, 70], &[2, 7])
    }
    fn zeros() -> Vec<Self::Case> {
        vec![[0, 0], [0, 2], [3, 0]]
    }
    fn tiny() -> Option<Self::Case> {
        Some([3, 1])
    }
    fn inputs<T: Scalar>([n, nrhs]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let any = class != Class::Uniform;
        vec![inputs(class, (n, n), any, batch, seed), random(Class::Uniform, n, nrhs, batch, seed + 1)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        gesv_rbt(entry.session, entry.form, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, class: Class, member: &Member<T>) -> f64 {
        let solved = solution(Trans::N, &member.given[0].to_double(), &member.given[1], &member.got[1]);
        if class == Class::Uniform { solved } else { solved / GROWTH }
    }
    fn spots([n, _]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (n / 2, 0)), Spot::not_finite(1, (0, 0))]
    }
    /// The butterflies mix any other zeros with nonzero elements.
    fn make_singular<T: Scalar>(_: Self::Case, a: &mut Matrix<T>, _: usize) -> i32 {
        *a = a.map(|_| real(0.0));
        1
    }
    fn leftovers<T: Scalar>([n, _]: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        let zeros = member.got[0].data().iter().all(|x| *x == real(0.0));
        vec![Leftover::stated("A", "the factors", zeros), Leftover::no_column_finite("B", n, &member.got[1])]
    }
}

routine_tests!([GesvRbt]:
    a_bad_member_stays_alone,
    a_singular_member_is_told_and_stays_alone,
    extreme_members,
    zero_sizes_touch_nothing,
    batches_beyond_the_limits_of_a_grid,
);

/// An element of a diagonal, as documented. `which` selects level 0 or 1 of U, then of V.
fn entry(index: usize, which: u32) -> f64 {
    let mut x = (index as u32 * 4 + which).wrapping_add(0x9e37_79b9);
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    let r = f64::from(((x ^ (x >> 16)) as i32) >> 8) / 16_777_216.0;
    (r / 10.0).exp()
}

/// A butterfly on rows `first` .. `first + n` of the given order; the second row of each pair is `half` below the
/// first.
fn butterfly(order: usize, (first, n, half): (usize, usize, usize), which: u32) -> Matrix<f64> {
    let end = first + n;
    Matrix::from_fn(order, order, |i, j| {
        let (low, high) = (i.min(j), i.max(j));
        let upper = i >= first && i + half < end;
        let lower = i >= first + half && i < end;
        let size = entry(j, which) / 2f64.sqrt();
        match () {
            () if i == j && upper => size,
            () if i == j && lower => -size,
            () if i == j => 1.0,
            () if low >= first && high < end && high - low == half => size,
            () => 0.0,
        }
    })
}

/// U or V of order n.
fn transformation(n: usize, side: u32) -> Matrix<f64> {
    let half = n.div_ceil(2);
    let (outer, apart) = (butterfly(n, (0, n, half), side), half.div_ceil(2));
    let inner = [(0, half, apart), (half, n - half, apart)].map(|rows| butterfly(n, rows, side + 1));
    inner[0].times(&inner[1]).times(&outer)
}

fn of_type<T: Scalar>(m: &Matrix<f64>) -> Matrix<T::Double> {
    Matrix::from_fn(m.rows(), m.cols(), |i, j| <T as Scalar>::Double::real(m[(i, j)]))
}

/// For every order, to single precision, which is the precision of the diagonals.
#[test]
fn the_factors_are_those_of_the_transformed_matrix() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for n in (1..40).chain([100, 129]) {
            with_scalar!(dtype, T => {
                let (a, b) = (inputs::<T>(Class::Uniform, (n, n), false, BATCH, 3), random::<T>(Class::Uniform, n, 1, BATCH, 4));
                let (u, v) = (of_type::<T>(&transformation(n, 0)), of_type::<T>(&transformation(n, 2)));
                let got = gesv_rbt(&session, EntryForm::Pointers, &a, &b, &Placement::guarded())?.run()?;
                for (i, a) in a.iter().enumerate() {
                    let transformed = u.adjoint().times(&a.to_double()).times(&v);
                    let ratio = factorisation(&Matrix::<T>::from_double(&transformed), &got.operands[0][i], &from_integers([]));
                    let eps = dtype.eps().max(Dtype::S.eps());
                    let ratio = ratio * dtype.eps() / eps * n as f64;
                    assert!(ratio < 30.0, "{} {n} member {i}: {ratio}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

/// Backward errors of random matrices: the median, and the 99th percentile.
#[test]
fn growth_is_as_documented() -> Result<()> {
    const MEMBERS: usize = 200;
    let session = Session::new(Library::required());
    for n in [16, 64, 100] {
        let (a, b) = (random::<f32>(Class::Uniform, n, n, MEMBERS, 3), random(Class::Uniform, n, 1, MEMBERS, 4));
        let got = gesv_rbt(&session, EntryForm::Strided, &a, &b, &Placement::guarded())?.run()?;
        let ratio = |i: usize| solution(Trans::N, &a[i].to_double(), &b[i], &got.operands[1][i]);
        let mut ratios: Vec<f64> = (0..MEMBERS).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let (middle, most) = (ratios[MEMBERS / 2], ratios[MEMBERS * 99 / 100 - 1]);
        assert!(middle < 4.0 && most < 1000.0, "{n}: {middle}, {most}");
    }
    Ok(())
}

/// |i - j|, whose diagonal is zero, and the matrix that exchanges the halves.
#[test]
fn matrices_that_need_pivots_are_solved() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for n in [2usize, 3, 4, 5, 7, 8, 16, 33, 64, 100, 129] {
            with_scalar!(dtype, T => for form in FORMS {
                let half = n.div_ceil(2);
                let distance = Matrix::from_fn(n, n, |i, j| real::<T>(i.abs_diff(j) as f64));
                let exchange = Matrix::from_fn(n, n, |i, j| real::<T>(if (i + half) % n == j { 1.0 } else { 0.0 }));
                let (a, b) = (vec![distance, exchange], random::<T>(Class::Uniform, n, 3, 2, 4));
                let got = gesv_rbt(&session, form, &a, &b, &Placement::guarded())?.run()?;
                for i in 0..2 {
                    let ratio = solution(Trans::N, &a[i].to_double(), &b[i], &got.operands[1][i]);
                    assert!(got.info[i] == 0 && ratio < 30.0 * GROWTH, "{} {n} {form:?} {i}: {ratio}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

/// The code is that of the first pivot.
#[test]
fn a_zero_matrix_is_told_and_stays_alone() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for n in [1, 4, 33, 100] {
            with_scalar!(dtype, T => for form in FORMS {
                let mut a = inputs::<T>(Class::Uniform, (n, n), false, BATCH, 3);
                let b = random::<T>(Class::Uniform, n, 2, BATCH, 4);
                let alone = gesv_rbt(&session, form, &a, &b, &Placement::guarded())?.run()?;
                a[1] = Matrix::from_fn(n, n, |_, _| real(0.0));
                let got = gesv_rbt(&session, form, &a, &b, &Placement::guarded())?.run()?;
                assert_eq!(got.info, [0, 1, 0], "{} {n} {form:?}", dtype.letter());
                for i in [0, 2] {
                    let same = |k: usize| same_bits(got.operands[k][i].data(), alone.operands[k][i].data());
                    assert!(same(0) && same(1), "{} {n} {form:?} member {i}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}
