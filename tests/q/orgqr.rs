//! orgqr, ungqr.

use tephra_testkit::engine::{Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::explicit_q;
use tephra_testkit::ops::q::{FORMS, orgqr, reflectors};
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::{Dtype, Matrix, Result, Scalar, routine_tests};

struct Orgqr;

impl Routine for Orgqr {
    const NAME: &'static str = "orgqr";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &[EntryForm::Magma];
    /// Rows and columns of Q, number of reflectors.
    type Case = [usize; 3];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        let shapes =
            "1x1 2x1 3x3 8x8 9x4 16x16 17x16 32x32 33x32 64x64 65x33 100x7 130x130 256x16 300x300 420x150 600x5 1600x7";
        let ks = |[m, n]: [usize; 2]| {
            let mut ks = vec![n, n.div_ceil(2), 1, 0];
            ks.dedup();
            ks.into_iter().map(move |k| [m, n, k])
        };
        sizes(shapes).into_iter().flat_map(ks).collect()
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        sizes("6x4x4 33x20x20 70x65x65 150x140x130")
    }
    fn zeros() -> Vec<Self::Case> {
        sizes("0x0x0 3x0x0")
    }
    /// The columns without a reflector are poison, which Q must replace.
    fn inputs<T: Scalar>([m, n, k]: Self::Case, _: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (factors, tau) = reflectors::<T>(m, k, batch, seed);
        let padded = |f: &Matrix<T>| Matrix::from_fn(m, n, |i, j| if j < k { f[(i, j)] } else { T::POISON });
        vec![factors.iter().map(padded).collect(), tau]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        orgqr(entry.session, entry.form, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        explicit_q(&member.got[0], &member.given[0], &member.given[1])
    }
    /// Bad values go into V and tau.
    fn spots([m, ..]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (m - 1, 0)), Spot::not_finite(1, (0, 0))]
    }
}

routine_tests!([Orgqr]: a_bad_member_stays_alone, zero_sizes_touch_nothing);
