//! `tephra_?qr`: Q and R explicitly.

use tephra_testkit::engine::{self, Entry, Inputs, Member, Routine, Spot, scaled, sizes};
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::{orthogonality, product, triangle};
use tephra_testkit::ops::q::{NATIVE_FORMS, Part, qr, random};
use tephra_testkit::ops::{Form, Prepared};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Dtype, Library, Result, Scalar, routine_tests, with_scalar};

struct Qr;

impl Routine for Qr {
    const NAME: &'static str = "qr";
    const FORMS: &'static [Form] = &NATIVE_FORMS;
    const CLASSES: &'static [Class] =
        &[Class::Uniform, Class::Cond2, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];
    /// Rows and columns of A, and what of Q is wanted.
    type Case = ([usize; 2], Part);

    fn cases(_: Dtype) -> Vec<Self::Case> {
        with_all_parts(
            "1x1 2x1 1x2 3x3 8x8 9x4 4x9 16x16 17x16 32x32 33x32 20x50 47x47 64x64 65x33 72x72 100x7 130x130 150x210 \
             193x193 256x16 300x40 600x5 900x30",
        )
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_all_parts("6x4 4x6 8x8 33x20 40x33 70x65 90x70 200x12 256x16")
    }
    fn zeros() -> Vec<Self::Case> {
        vec![([0, 3], Part::Thin), ([3, 0], Part::Thin), ([3, 0], Part::None), ([0, 3], Part::Full)]
    }
    fn inputs<T: Scalar>(([m, n], _): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![random(class, m, n, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, part): Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        qr(entry.session, entry.form, part, &inputs[0], &entry.place)
    }
    fn ratio<T: Scalar>((_, part): Self::Case, class: Class, member: &Member<T>) -> f64 {
        let (a, r) = (&member.given[0], member.got.last().expect("R is always written"));
        // Where R is determined to rounding, R itself is compared, signs and all.
        let of_r = match class {
            Class::Cond2 => triangle(a, r),
            _ if !r.is_finite() => f64::NAN,
            _ => 0.0,
        };
        let of_q = |q| worst(product(a, q, r), orthogonality(q));
        worst(of_r, if part == Part::None { 0.0 } else { of_q(&member.got[0]) })
    }
    fn spots(([m, n], _): Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (m / 2, n / 2))]
    }
    /// Q does not depend on the scale of A, and R scales with it.
    fn unscale<T: Scalar>(_: Self::Case, member: &mut Member<T>, e: i32) {
        for x in member.given.iter_mut().chain(member.got.last_mut()) {
            *x = scaled(x, -e);
        }
    }
}

/// In the place of A Q has no more columns than A.
fn with_all_parts(shapes: &str) -> Vec<([usize; 2], Part)> {
    let parts = |[m, n]: [usize; 2]| {
        let parts = Part::ALL.into_iter().filter(move |&part| part != Part::InPlace || m >= n);
        parts.map(move |part| ([m, n], part))
    };
    sizes(shapes).into_iter().flat_map(parts).collect()
}

routine_tests!([Qr]: a_bad_member_stays_alone, extreme_members);

#[test]
fn zero_sizes() -> Result<()> {
    engine::zero_sizes_touch_nothing::<Qr>()?;
    // A matrix without columns still has a full Q.
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => for form in NATIVE_FORMS {
            let case = ([4, 0], Part::Full);
            let none = Qr::inputs::<T>(case, Class::Uniform, 2, 1);
            let output = Qr::call(Entry::guarded(&session, form), case, &none)?.run()?;
            for q in &output.operands[0] {
                for j in 0..4 {
                    for i in 0..4 {
                        let expected = <T as Scalar>::Wide::real(f64::from(u8::from(i == j)));
                        assert_eq!(q[(i, j)].wide(), expected, "{} ({i},{j})", dtype.letter());
                    }
                }
            }
        });
    }
    Ok(())
}
