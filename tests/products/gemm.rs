//! gemm.

use tephra_testkit::engine::{Entry, Inputs, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::products::{PRODUCT_FORMS, gemm, multiplied};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::sweep::without_forced_plan;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, vendor, with_scalar};

struct Gemm;

/// alpha and beta by number.
pub fn factors<T: Scalar>(number: usize) -> [T; 2] {
    let number = [(-1.5, 0.75, 0.5, -0.25), (1.0, 0.0, 0.0, 0.0), (-1.0, 0.0, 1.0, 0.0)][number];
    let (a, b, c, d) = number;
    [(a, b), (c, d)].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

/// The numbers of [`factors`] with which C is read.
const READS: [usize; 2] = [0, 2];

impl Routine for Gemm {
    const NAME: &'static str = "gemm";
    const FORMS: &'static [EntryForm] = &PRODUCT_FORMS;
    /// m, n and k; op of each factor; the number of the scalars.
    type Case = ([usize; 3], [Trans; 2], usize);

    fn cases(_: Dtype) -> Vec<Self::Case> {
        let mut sizes = vec![];
        for n in [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64, 65, 100] {
            sizes.push([n, n, n]);
        }
        sizes.extend([
            [64, 16, 16],
            [100, 16, 32],
            [16, 64, 70],
            [130, 1, 40],
            [1, 130, 40],
            [33, 130, 3],
            [5, 6, 300],
        ]);
        sizes.extend([
            [17, 9, 0],
            [130, 70, 33],
            [8, 8, 40],
            [16, 16, 100],
            [36, 60, 700],
            [6, 150, 450],
            [9, 23, 333],
            [5, 7, 20000],
            [40, 33, 16401],
            [2000, 6, 9],
        ]);
        with_all(sizes)
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_all([[4, 3, 5], [16, 16, 16], [20, 33, 40], [70, 66, 12], [40, 1, 30]])
    }
    fn zeros() -> Vec<Self::Case> {
        vec![([0, 3, 2], [Trans::N; 2], 0), ([3, 0, 2], [Trans::N; 2], 0), ([3, 4, 0], [Trans::N; 2], 2)]
    }
    fn tiny() -> Option<Self::Case> {
        Some(([2, 1, 1], [Trans::N; 2], 0))
    }
    /// One size runs in every form; for the others the forms take turns.
    fn sweeps(form: EntryForm, ([m, n, k], trans, factors): Self::Case) -> bool {
        let turn = (m + n + k + trans[0] as usize * 3 + trans[1] as usize + factors) % PRODUCT_FORMS.len();
        m == 17 || PRODUCT_FORMS[turn] == form
    }
    /// C is initially poison if it is not read.
    fn inputs<T: Scalar>(([m, n, k], trans, number): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let stored = |trans, rows, cols| if trans == Trans::N { (rows, cols) } else { (cols, rows) };
        let ((am, an), (bm, bn)) = (stored(trans[0], m, k), stored(trans[1], k, n));
        let c = match READS.contains(&number) {
            true => random(class, m, n, batch, seed ^ 0xc),
            false => vec![Matrix::from_fn(m, n, |_, _| T::POISON); batch],
        };
        vec![random(class, am, an, batch, seed), random(class, bm, bn, batch, !seed), c]
    }
    fn call<'a, T: Scalar>(
        entry: Entry<'a>,
        ([_, _, k], trans, number): Self::Case,
        inputs: &Inputs<T>,
    ) -> Result<Prepared<'a, T>> {
        let operands = [0, 1, 2].map(|i: usize| &inputs[i][..]);
        gemm(entry.session, entry.form, trans, k, factors(number), operands, &entry.place)
    }
    fn ratio<T: Scalar>((_, trans, number): Self::Case, _: Class, member: &Member<T>) -> f64 {
        let [a, b, c] = [0, 1, 2].map(|i: usize| &member.given[i]);
        multiplied(trans, factors(number), a, b, c, &member.got[0])
    }
    fn spots((_, _, number): Self::Case) -> Vec<Spot> {
        let mut spots = vec![Spot::not_finite(0, (0, 0)), Spot::not_finite(1, (0, 0))];
        if READS.contains(&number) {
            spots.push(Spot::not_finite(2, (0, 0)));
        }
        spots
    }
}

fn with_all(sizes: impl IntoIterator<Item = [usize; 3]>) -> Vec<([usize; 3], [Trans; 2], usize)> {
    let flags = || Trans::ALL.iter().flat_map(|&a| Trans::ALL.iter().map(move |&b| [a, b]));
    let each = |size: [usize; 3]| flags().enumerate().map(move |(i, trans)| (size, trans, (size[0] + size[2] + i) % 3));
    sizes.into_iter().flat_map(each).collect()
}

routine_tests!([Gemm]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
);

/// If alpha = 0, wherever it is stored, A and B are not read; if beta = 0, neither is C.
#[test]
fn zero_factors_read_nothing() -> Result<()> {
    // Other tests temporarily restrict the plans.
    without_forced_plan(zero_factors_read_nothing_at_rest)
}

fn zero_factors_read_nothing_at_rest() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for ([m, n, k], trans, _) in with_all([[3, 4, 5], [33, 20, 17], [100, 1, 30]]) {
            with_scalar!(dtype, T => {
                let zero = T::from_double(<T as Scalar>::Double::ZERO);
                let stored = |trans, rows, cols| if trans == Trans::N { (rows, cols) } else { (cols, rows) };
                let ((am, an), (bm, bn)) = (stored(trans[0], m, k), stored(trans[1], k, n));
                let poison = |rows, cols| vec![Matrix::from_fn(rows, cols, |_, _| T::POISON); 3];
                let (a, b, c) = (poison(am, an), poison(bm, bn), poison(m, n));
                for form in PRODUCT_FORMS {
                    let cublas = matches!(form, EntryForm::Cublas | EntryForm::CublasDevice | EntryForm::Cublas64);
                    if cublas && vendor::in_process() {
                        continue; // NVIDIA's own products multiply by zero
                    }
                    let call = gemm(&session, form, trans, k, [zero; 2], [&a, &b, &c], &Placement::guarded())?;
                    let cleared = |x: &Matrix<T>| x.data().iter().all(|&x| x == zero);
                    assert!(call.run()?.only().iter().all(cleared), "{} {m}x{n}x{k} {form:?}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}
