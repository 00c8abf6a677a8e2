//! QR with column pivoting: LAPACK's test ratios, the order of the remaining column norms, columns chosen to come
//! first, and element-wise comparison with LAPACK's geqp3. Runs on whichever backend the library picks.

use tephra_testkit::agreement::{Agreement, compare, well_separated};
use tephra_testkit::engine::{Determined, Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{from_integers, integers};
use tephra_testkit::ops::pivoted::ratio;
use tephra_testkit::ops::q::{NATIVE_FORMS, geqp3, random};
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, any_call, routine_tests, words};

struct Geqp3;

/// One column in this many is chosen to come first; 0 means none.
const CHOICES: [usize; 3] = [0, 3, 1];

fn choices<T: Scalar>(n: usize, one_in: usize, batch: usize, rng: &mut Rng) -> Vec<Matrix<T>> {
    let mut choice = || usize::from(one_in > 0 && rng.one_in(one_in));
    (0..batch).map(|_| from_integers((0..n).map(|_| choice()).collect::<Vec<_>>())).collect()
}

impl Routine for Geqp3 {
    const NAME: &'static str = "geqp3";
    const FORMS: &'static [EntryForm] = &NATIVE_FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &NATIVE_FORMS;
    const CLASSES: &'static [Class] =
        &[Class::Uniform, Class::Cond2, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];
    /// Rows and columns of A, and the entry of [`CHOICES`].
    type Case = [usize; 3];

    /// Both sides of the largest sizes that lanes and blocks hold.
    fn cases(_: Dtype) -> Vec<Self::Case> {
        let shapes = "1x1 2x1 1x2 3x3 8x8 9x4 4x9 5x8 16x16 16x17 12x16 32x32 32x33 33x32 20x31 50x20 20x50 65x64 7x100 \
                      130x50 3x140 300x9 16x300";
        let all = sizes(shapes).into_iter().enumerate();
        all.map(|(i, [m, n])| [m, n, CHOICES[i % 3]]).chain(sizes("8x8x3 32x32x3 64x64x0 130x130x0")).collect()
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        sizes("4x6x0 8x8x3 20x33x0 32x32x3 65x70x3 130x9x0 5x300x3")
    }
    fn zeros() -> Vec<Self::Case> {
        sizes("0x0x0 3x0x0 0x3x0")
    }
    fn tiny() -> Option<Self::Case> {
        Some([3, 2, 0])
    }
    fn inputs<T: Scalar>([m, n, chosen]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![random(class, m, n, batch, seed), choices(n, chosen, batch, &mut Rng::new(!seed))]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        geqp3(entry.session, entry.form, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        ratio(&member.given[0], &member.given[1], &member.got[0], member.got[1].data(), &member.got[2])
    }
    fn spots([m, n, _]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (m - 1, 0)), Spot::not_finite(0, (0, n - 1))]
    }
}

/// Columns in random order, each of which is larger than anything that may remain of the smaller ones.
impl Determined for Geqp3 {
    const BOUND: f64 = Agreement::BOUND;
    /// The resident plan does not hold the largest cases, which leaves one plan for them.
    const BY_TWO: bool = false;

    fn paths(backend: Backend) -> &'static [&'static str] {
        if backend == Backend::Cuda { &["resident", "generic"] } else { &[""] }
    }
    fn determined<T: Scalar>([m, n, _]: Self::Case, batch: usize, rng: &mut Rng) -> Inputs<T> {
        let mut one = |_| {
            let a = well_separated::<T>(m, n, rng);
            let a = Matrix::from_fn(m, n, |i, j| T::from_double(a[(i, j)].to_double().ldexp(-2 * j.min(MOST) as i32)));
            let mut order: Vec<usize> = (0..n).collect();
            (1..n).for_each(|j| order.swap(j, rng.below(j + 1)));
            Matrix::from_fn(m, n, |i, j| a[(i, order[j])])
        };
        let a = (0..batch).map(&mut one).collect();
        vec![a, choices(n, 0, batch, rng)]
    }
    fn difference<T: Scalar>(lapack: &Lapack, [m, n, _]: Self::Case, member: &Member<T>) -> Result<f64> {
        let choice: Vec<i32> = integers(&member.given[1]).iter().map(|&x| x as i32).collect();
        let (theirs, jpvt) = lapack.geqp3(&member.given[0], &choice)?;
        if m.min(n) > MOST || m < n {
            return Ok(0.0); // columns may be as large as others here
        }
        if integers(&member.got[2]) != jpvt.iter().map(|&x| x as usize).collect::<Vec<_>>() {
            return Ok(f64::INFINITY);
        }
        Ok(compare((&member.got[0], member.got[1].data()), (&theirs.factors, &theirs.tau)).largest())
    }
}

/// The maximum number of columns of different sizes, which are a factor of four apart.
const MOST: usize = 50;

routine_tests!([Geqp3]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    elements_are_lapacks,
    numbers_whose_squares_are_out_of_range = extreme_members,
    zero_sizes_touch_nothing,
);

/// On a device, the workspace holds two norms per column and, per member, the number of columns that the caller chose
/// (eight bytes per member, rounded up to a multiple of 16), for matrices that are factored in device memory.
#[test]
fn the_workspace_is_what_is_needed() -> Result<()> {
    let library = Library::required();
    let on_device = library.backend()? == Backend::Cuda;
    for (m, n, needed) in [(30, 7, 0), (3000, 1000, 2000 * 9 * size_of::<f64>() + 80)] {
        let mut bytes = usize::MAX;
        let arguments = words![m, n, m, 9, &mut bytes];
        // SAFETY: the arguments match include/tephra.h.
        let code = unsafe { any_call::call(library, "tephra_dgeqp3_batched_workspace", [0.0; 4], arguments) };
        assert_eq!((code, bytes), (0, if on_device { needed } else { 0 }));
    }
    Ok(())
}
