//! ormqr, unmqr.

use tephra_testkit::engine::{BATCH, Entry, Inputs, Member, Routine, Spot, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::{applied, difference};
use tephra_testkit::ops::q::{FORMS, ormqr, random, reflectors};
use tephra_testkit::ops::{EntryForm, Prepared, Side, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Dtype, Library, Result, Scalar, routine_tests, with_scalar};

struct Ormqr;

impl Routine for Ormqr {
    const NAME: &'static str = "ormqr";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &[EntryForm::Magma];
    /// Rows and columns of C, number of reflectors, flags.
    type Case = ([usize; 2], usize, (Side, Trans));

    fn cases(_: Dtype) -> Vec<Self::Case> {
        let shapes = "1x1 2x1 3x2 2x5 8x8 17x5 5x17 33x32 32x33 64x64 65x70 100x7 7x100 130x130 300x20 20x300 210x160";
        let ks = |(shape, flags)| {
            let order = order(shape, flags);
            let mut ks = vec![order, order.div_ceil(2), 1];
            ks.dedup();
            ks.into_iter().map(move |k| (shape, k, flags))
        };
        with_all_flags(shapes).flat_map(ks).collect()
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        let all = with_all_flags("6x4 5x3 33x20 40x33 70x65 90x70 140x12 11x135");
        all.map(|(shape, flags)| (shape, order(shape, flags), flags)).collect()
    }
    fn zeros() -> Vec<Self::Case> {
        [([0, 3], 0), ([3, 0], 2), ([3, 3], 0)].map(|(shape, k)| (shape, k, (Side::Left, Trans::N))).to_vec()
    }
    fn tiny() -> Option<Self::Case> {
        Some(([3, 2], 2, (Side::Left, Trans::C)))
    }
    /// MAGMA's `?unmqr` does not offer the plain transpose for complex matrices.
    fn supports(form: EntryForm, (_, _, (_, trans)): Self::Case, dtype: Dtype) -> bool {
        form != EntryForm::Magma || trans != Trans::T || !dtype.is_complex()
    }
    /// The one-matrix form runs only with the maximum number of reflectors.
    fn sweeps(form: EntryForm, (shape, k, flags): Self::Case) -> bool {
        form != EntryForm::One || k == order(shape, flags)
    }
    fn inputs<T: Scalar>(([m, n], k, flags): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (factors, tau) = reflectors(order([m, n], flags), k, batch, seed);
        vec![factors, tau, random(class, m, n, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, _, flags): Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        ormqr(entry.session, entry.form, flags, &inputs[0], &inputs[1], &inputs[2], &entry.place)
    }
    fn ratio<T: Scalar>((_, _, flags): Self::Case, _: Class, member: &Member<T>) -> f64 {
        let [factors, tau, c] = &member.given[..] else { unreachable!("three operands") };
        difference(&member.got[0], &applied(flags, factors, tau, c))
    }
    /// Bad values go into V, tau and C.
    fn spots(([m, n], _, flags): Self::Case) -> Vec<Spot> {
        [(0, (order([m, n], flags) - 1, 0)), (1, (0, 0)), (2, (m - 1, n - 1))]
            .map(|(operand, at)| Spot::not_finite(operand, at))
            .into()
    }
    const SCALED: usize = 2;
}

/// The order of Q.
fn order([m, n]: [usize; 2], (side, _): (Side, Trans)) -> usize {
    if side == Side::Left { m } else { n }
}

fn with_all_flags(shapes: &str) -> impl Iterator<Item = ([usize; 2], (Side, Trans))> {
    let flags = || Side::ALL.iter().flat_map(|&side| Trans::ALL.iter().map(move |&trans| (side, trans)));
    sizes(shapes).into_iter().flat_map(move |shape| flags().map(move |flags| (shape, flags)))
}

routine_tests!([Ormqr]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    extreme_members,
    zero_sizes_touch_nothing,
);

/// The elements on and above the diagonal of A are R, which ormqr must not read.
#[test]
fn only_the_reflectors_are_read() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n, k) in [(5, 3, 3), (40, 33, 17), (90, 70, 70), (200, 30, 90)] {
            with_scalar!(dtype, T => {
                let (factors, tau) = reflectors::<T>(m, k, BATCH, 5);
                let c = random::<T>(Class::Uniform, m, n, BATCH, 6);
                let run = |factors: &_| {
                    let flags = (Side::Left, Trans::C);
                    Ok(ormqr(&session, EntryForm::Pointers, flags, factors, &tau, &c, &Placement::guarded())?.run()?.only())
                };
                let expected = run(&factors)?;
                let mut poisoned = factors.clone();
                for f in &mut poisoned {
                    for j in 0..k {
                        f.col_mut(j)[..=j].fill(T::POISON);
                    }
                }
                let got: Vec<_> = run(&poisoned)?;
                assert!(got.iter().zip(&expected).all(|(a, b)| same_bits(a.data(), b.data())), "{} {m}x{n} {k}", dtype.letter());
                tephra_testkit::Result::Ok(())
            })?;
        }
    }
    Ok(())
}
