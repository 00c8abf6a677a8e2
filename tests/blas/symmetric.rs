//! symm, hemm.

use tephra_testkit::engine::{Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::blas::{FORMS, Symmetric, symmetric};
use tephra_testkit::ops::cholesky::triangle;
use tephra_testkit::ops::exact::symmetric_product;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared, Side, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::Field;
use tephra_testkit::{C64, Dtype, Library, Matrix, Result, Scalar, routine_tests};

struct Symm;

/// Order of A and columns of B (or its rows, if A is on the right), flags.
type Case = ([usize; 2], Symmetric);

const PLAIN: Symmetric = Symmetric { hermitian: false, side: Side::Left, uplo: Uplo::Lower };

fn with_flags(dtype: Dtype, sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<Case> {
    sizes.into_iter().flat_map(|sizes| Symmetric::all(dtype.is_complex()).map(move |how| (sizes, how))).collect()
}

fn factors<T: Scalar>() -> [T; 2] {
    [(-1.5, 0.75), (0.5, -0.25)].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

impl Routine for Symm {
    const NAME: &'static str = "symm and hemm";
    const FORMS: &'static [EntryForm] = &FORMS;
    type Case = Case;

    fn cases(dtype: Dtype) -> Vec<Case> {
        let orders = [1, 2, 5, 16, 17, 33, 64, 100, 130, 200];
        with_flags(dtype, orders.iter().flat_map(|&order| [1, 7, 40].map(|count| [order, count])))
    }
    fn few(dtype: Dtype) -> Vec<Case> {
        with_flags(dtype, sizes("3x4 20x5 70x9 140x33"))
    }
    fn zeros() -> Vec<Case> {
        vec![([0, 3], PLAIN), ([3, 0], PLAIN)]
    }
    fn tiny() -> Option<Case> {
        Some(([2, 1], PLAIN))
    }
    /// The other triangle of A is poison.
    fn inputs<T: Scalar>(([order, count], how): Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (rows, cols) = if how.side == Side::Left { (order, count) } else { (count, order) };
        let stored = |a: Matrix<T>| triangle(how.uplo, &a, |_, _| T::POISON);
        let a = random(class, order, order, batch, seed).into_iter().map(stored).collect();
        let other = |seed| random(Class::Uniform, rows, cols, batch, seed);
        vec![a, other(!seed), other(seed ^ 0x77)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, how): Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let operands = [0, 1, 2].map(|i| &inputs[i][..]);
        symmetric(entry.session, entry.form, how, factors(), operands, &entry.place)
    }
    fn ratio<T: Scalar>((_, how): Case, _: Class, member: &Member<T>) -> f64 {
        symmetric_product(how, factors(), [0, 1, 2].map(|i| &member.given[i]), &member.got[0])
    }
    fn spots(_: Case) -> Vec<Spot> {
        [0, 1, 2].map(|operand| Spot::not_finite(operand, (0, 0))).into()
    }
}

routine_tests!([Symm]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
);

/// On a GPU they are composed of general products, in both forms by the same ones.
#[test]
fn large_matrices_are_multiplied() -> Result<()> {
    let session = Session::new(Library::required());
    for (sizes, batch) in [([700, 3], 1), ([1050, 1], 3), ([257, 65], 2)] {
        for how in Symmetric::all(true) {
            let inputs = Symm::inputs::<C64>((sizes, how), Class::Uniform, batch, 5);
            let operands = [0, 1, 2].map(|i| &inputs[i][..]);
            let run = |form| symmetric(&session, form, how, factors(), operands, &Placement::guarded())?.run();
            let [one, other] = [run(EntryForm::Strided)?, run(EntryForm::Pointers)?];
            for i in 0..batch {
                let [got, same] = [&one, &other].map(|output| &output.operands[0][i]);
                let ratio = symmetric_product(how, factors(), operands.map(|of| &of[i]), got);
                assert!(ratio < Ratios::THRESHOLD, "{sizes:?}, {how:?}, member {i}: ratio {ratio}");
                assert_eq!(got, same, "{sizes:?}, {how:?}, member {i}");
            }
        }
    }
    Ok(())
}
