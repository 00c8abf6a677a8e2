//! `tephra_?qr`: Q and R, both explicit.

use tephra_testkit::engine::{self, Entry, Inputs, Member, Routine, Spot, scaled, sizes};
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::{orthogonality, product, triangle};
use tephra_testkit::ops::q::{NATIVE_FORMS, Part, qr, random};
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

struct Qr;

impl Routine for Qr {
    const NAME: &'static str = "qr";
    const FORMS: &'static [EntryForm] = &NATIVE_FORMS;
    const CLASSES: &'static [Class] =
        &[Class::Uniform, Class::Cond2, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];
    /// Rows and columns of A, and the part of Q that is computed.
    type Case = ([usize; 2], Part);

    fn cases(_: Dtype) -> Vec<Self::Case> {
        with_all_parts(
            "1x1 2x1 1x2 3x3 8x8 9x4 4x9 16x16 17x16 32x32 33x32 20x50 47x47 64x64 65x33 72x72 100x7 130x130 150x210 \
             193x193 256x16 300x40 600x5 20x3 60x4 120x2 250x4 400x3 900x30 2600x12 4097x20 9000x32",
        )
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_all_parts("6x4 4x6 8x8 28x3 90x3 33x20 40x33 70x65 90x70 200x12 256x16 3000x9")
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
        // If R is determined up to rounding, R itself is compared, including signs.
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

/// In place, Q must not have more columns than A.
fn with_all_parts(shapes: &str) -> Vec<([usize; 2], Part)> {
    let parts = |[m, n]: [usize; 2]| {
        // The full Q of a tall matrix is mostly zeros, which take long to measure.
        let parts = Part::ALL.into_iter().filter(move |&part| part != Part::InPlace || m >= n);
        let parts = parts.filter(move |&part| part != Part::Full || m <= 2000);
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
                        let expected = <T as Scalar>::Double::real(f64::from(u8::from(i == j)));
                        assert_eq!(q[(i, j)].to_double(), expected, "{} ({i},{j})", dtype.letter());
                    }
                }
            }
        });
    }
    Ok(())
}

/// R of a tall matrix has LAPACK's signs, even where LAPACK chooses H = I and keeps the sign: for an upper triangle,
/// and for a leading zero column. Its bits depend neither on the rest of the batch nor on how much of Q is computed.
#[test]
fn tall_triangles_are_those_of_lapack() -> Result<()> {
    let session = Session::new(Library::required());
    let parts = [Part::None, Part::Thin, Part::InPlace];
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => for (m, n) in [(2900, 12), (5000, 32), (9001, 17)] {
            let of = |x: f64| T::from_double(<T as Scalar>::Double::real(x));
            let mut given = random::<T>(Class::Uniform, m, n, 5, 7);
            given[1] = Matrix::from_fn(m, n, |i, j| if i <= j { given[1][(i, j)] } else { of(0.0) });
            given[2] = Matrix::from_fn(m, n, |i, j| if j > 0 { given[2][(i, j)] } else { of(0.0) });
            given[3][(m / 2, n / 2)] = of(f64::NAN);
            let r = |part: Part, of: &[Matrix<T>]| -> Result<Vec<Matrix<T>>> {
                let output = Qr::call(Entry::guarded(&session, EntryForm::Pointers), ([m, n], part), &vec![of.to_vec()])?;
                Ok(output.run()?.operands.pop().expect("R is always written"))
            };
            let all = r(Part::None, &given)?;
            for i in [0, 1, 2, 4] {
                let ratio = triangle(&given[i], &all[i]);
                assert!(ratio < 30.0, "{} {m} x {n}, matrix {i}: {ratio}", dtype.letter());
            }
            assert!(!all[3].is_finite());
            for part in parts {
                let other = r(part, &given)?;
                let alone = r(part, &given[4..])?;
                for i in [0, 1, 2, 4] {
                    assert!(same_bits(&all[i], &other[i]), "{} {m} x {n}, {part:?}, matrix {i}", dtype.letter());
                }
                assert!(same_bits(&all[4], &alone[0]), "{} {m} x {n}, {part:?}, alone", dtype.letter());
            }
        });
    }
    Ok(())
}

fn same_bits<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> bool {
    tephra_testkit::scalar::same_bits(a.data(), b.data())
}
