//! LQ factorisation: LAPACK's test ratios, and element-wise comparison with LAPACK's gelqf, in every precision and
//! form, from poisoned memory between red zones. Runs on whichever backend the library picks.

use tephra_testkit::agreement::{Agreement, compare, well_separated};
use tephra_testkit::engine::{Determined, Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::q::{NATIVE_FORMS, gelqf, random};
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::ratios::{convention, measure};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, any_call, routine_tests, sweep, words};

struct Gelqf;

fn adjoint<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    Matrix::from_double(&a.to_double().adjoint())
}

impl Routine for Gelqf {
    const NAME: &'static str = "gelqf";
    const FORMS: &'static [EntryForm] = &NATIVE_FORMS;
    const CLASSES: &'static [Class] =
        &[Class::Uniform, Class::Cond2, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];
    /// Rows and columns of A.
    type Case = [usize; 2];

    /// Both sides of the edges of the transposition's tiles, and of the ranges that the backends factor in different
    /// ways.
    fn cases(_: Dtype) -> Vec<Self::Case> {
        sizes(
            "1x1 2x1 1x2 3x3 8x8 9x4 4x9 7x300 16x16 16x17 32x32 32x33 50x20 20x50 65x64 33x65 7x100 130x130 16x256 \
             300x40 90x300 5x600",
        )
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        sizes("4x6 20x33 65x70 130x9")
    }
    fn zeros() -> Vec<Self::Case> {
        sizes("0x0 3x0 0x3")
    }
    fn inputs<T: Scalar>([m, n]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![random(class, m, n, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        gelqf(entry.session, entry.form, &inputs[0], &entry.place)
    }
    /// The ratios of A - L Q and of Q, which equal those of A^H - Q^H L^H.
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let (factors, tau) = (adjoint(&member.got[0]), member.got[1].data());
        match convention(&factors, tau) {
            Ok(()) => measure(&adjoint(&member.given[0]), &factors, tau).largest(),
            Err(_) => f64::INFINITY,
        }
    }
    fn spots([m, _]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (m - 1, 0))]
    }
}

/// Compares signs and conjugations of L, the reflectors and tau.
impl Determined for Gelqf {
    const BOUND: f64 = Agreement::BOUND;

    fn paths(backend: Backend) -> &'static [&'static str] {
        sweep::paths(backend)
    }
    fn determined<T: Scalar>([m, n]: Self::Case, batch: usize, rng: &mut Rng) -> Inputs<T> {
        vec![(0..batch).map(|_| adjoint(&well_separated::<T>(n, m, rng))).collect()]
    }
    fn difference<T: Scalar>(lapack: &Lapack, _: Self::Case, member: &Member<T>) -> Result<f64> {
        let theirs = lapack.by("?gelqf", &member.given[0])?;
        let ours = (&adjoint(&member.got[0]), member.got[1].data());
        Ok(compare(ours, (&adjoint(&theirs.factors), &theirs.tau)).largest())
    }
}

routine_tests!([Gelqf]:
    a_bad_member_stays_alone,
    elements_are_lapacks,
    numbers_whose_squares_are_out_of_range = extreme_members,
    zero_sizes_touch_nothing,
);

/// On a device, A^H is stored in the workspace; on the CPU, threads use memory of their own.
#[test]
fn the_workspace_is_what_is_needed() -> Result<()> {
    let library = Library::required();
    let on_device = library.backend()? == Backend::Cuda;
    let mut bytes = usize::MAX;
    let arguments = words![30, 7, 33, 9, &mut bytes];
    // SAFETY: the arguments match include/tephra.h.
    let code = unsafe { any_call::call(library, "tephra_dgelqf_batched_workspace", [0.0; 4], arguments) };
    assert_eq!((code, bytes), (0, if on_device { (30 * 7 * 9 * size_of::<f64>()).next_multiple_of(16) } else { 0 }));
    Ok(())
}
