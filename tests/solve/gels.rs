//! gels.

use tephra_testkit::engine::{BATCH, Entry, Inputs, Leftover, Member, Routine, Spot, scaled, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::least_squares::least_squares;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::solve::{GELS_FORMS, gels};
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

struct Gels;

impl Routine for Gels {
    const NAME: &'static str = "gels";
    const FORMS: &'static [EntryForm] = &GELS_FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &GELS_FORMS;
    const CLASSES: &'static [Class] = &[Class::Cond2];
    /// Rows and columns of A, right-hand sides; transposition.
    type Case = ([usize; 3], Trans);

    fn cases(dtype: Dtype) -> Vec<Self::Case> {
        let shapes =
            "1x1 2x1 1x2 4x4 8x5 5x8 16x16 17x16 16x17 33x32 32x33 64x64 100x7 7x100 130x120 120x130 256x16 600x5";
        let shapes = sizes(shapes).into_iter().flat_map(|[m, n]| [1, 3, 8, 33].map(|nrhs| [m, n, nrhs]));
        with_transpositions(shapes, dtype)
    }
    fn few(dtype: Dtype) -> Vec<Self::Case> {
        let shapes = "4x4x3 6x4x2 4x6x2 8x8x2 20x10x3 33x20x2 40x33x2 33x40x2 64x40x3 70x65x2 90x70x2 150x130x3 37x2x1 89x6x1 120x3x1 200x12x2 256x16x2";
        with_transpositions(sizes(shapes), dtype)
    }
    fn tiny() -> Option<Self::Case> {
        Some(([3, 2, 1], Trans::N))
    }
    fn supports(form: EntryForm, ([m, n, _], trans): Self::Case, _: Dtype) -> bool {
        form != EntryForm::Cublas || (trans == Trans::N && m >= n)
    }
    fn inputs<T: Scalar>(([m, n, nrhs], _): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![random(class, m, n, batch, seed), random(Class::Uniform, m.max(n), nrhs, batch, !seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, trans): Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        gels(entry.session, entry.form, trans, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>((_, trans): Self::Case, _: Class, member: &Member<T>) -> f64 {
        least_squares(trans, &member.given[0], &member.given[1], &member.got[1])
    }
    /// Bad values go into A and B.
    fn spots(([m, n, nrhs], _): Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (m / 2, n / 2)), Spot::not_finite(1, (0, nrhs - 1))]
    }
    /// Scaling A by 2^e scales X by 2^-e.
    fn unscale<T: Scalar>(([m, n, _], trans): Self::Case, member: &mut Member<T>, e: i32) {
        member.given[0] = scaled(&member.given[0], -e);
        let (x, rows) = (&member.got[1], if trans == Trans::N { n } else { m });
        member.got[1] = Matrix::from_fn(x.rows(), x.cols(), |i, j| {
            if i < rows { T::from_double(x[(i, j)].to_double().ldexp(e)) } else { x[(i, j)] }
        });
    }
    /// The rank is checked per member: a zero column of A or A^H, whichever is tall, makes its diagonal element of R
    /// exactly zero.
    fn make_singular<T: Scalar>(([m, n, _], _): Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, m.min(n) / 2, m.min(n) - 1][flaw];
        for i in 0..m.max(n) {
            a[if m < n { (j, i) } else { (i, j) }] = T::from_double(<T as Scalar>::Double::ZERO);
        }
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(([m, n, _], trans): Self::Case, member: &Member<T>) -> Vec<Leftover> {
        let rows = if trans == Trans::N { n } else { m };
        let (a, b) = (&member.got[0], &member.got[1]);
        vec![Leftover::stated("A", "the factors", a.is_finite()), Leftover::no_column_finite("B", rows, b)]
    }
}

/// The transpositions that LAPACK offers: the plain transpose only for real matrices.
fn with_transpositions(shapes: impl IntoIterator<Item = [usize; 3]>, dtype: Dtype) -> Vec<([usize; 3], Trans)> {
    let all = || Trans::ALL.iter().filter(|&&trans| trans != Trans::T || !dtype.is_complex());
    shapes.into_iter().flat_map(|shape| all().map(move |&trans| (shape, trans))).collect()
}

routine_tests!([Gels]:
    a_bad_member_stays_alone,
    a_singular_member_is_told_and_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    extreme_members,
);

/// A is overwritten with its QR factors, which a solver may use; for m >= n and trans N every interface documents that.
#[test]
fn factors_are_left_in_a() -> Result<()> {
    use tephra_testkit::ratios::{Ratios, measure};
    let session = Session::new(Library::required());
    for [m, n] in sizes("8x8 33x20 100x70 256x16") {
        let case = ([m, n, 2], Trans::N);
        let inputs = Gels::inputs::<f64>(case, Class::Uniform, BATCH, 3);
        for form in GELS_FORMS {
            let output = Gels::call(Entry::anywhere(&session, form, m as u64), case, &inputs)?.run()?;
            for (a, factors) in inputs[0].iter().zip(&output.operands[0]) {
                // tau is not returned, but follows from each v: 2 / |v|^2, or 0 for the last row.
                let tau = |j: usize| {
                    let squares: f64 = 1.0 + factors.col(j)[j + 1..].iter().map(|x| x * x).sum::<f64>();
                    if j + 1 == m { 0.0 } else { 2.0 / squares }
                };
                let tau: Vec<f64> = (0..n).map(tau).collect();
                let ratio = measure(a, factors, &tau).largest();
                assert!(ratio < Ratios::THRESHOLD, "{m}x{n} {form:?}: ratio {ratio}");
            }
        }
    }
    Ok(())
}

#[test]
fn without_right_hand_sides_or_equations() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let zero = <T as Scalar>::Double::ZERO;
            for form in GELS_FORMS {
                // Without right-hand sides the rank is still reported, as in cuBLAS.
                let mut a = random::<T>(Class::Uniform, 7, 4, BATCH, 3);
                a[1].col_mut(2).fill(T::from_double(zero));
                let none = vec![Matrix::from_fn(7, 0, |_, _| T::POISON); BATCH];
                let output = gels(&session, form, Trans::N, &a, &none, &Placement::guarded())?.run()?;
                assert_eq!(output.info, [0, 3, 0], "{} {form:?}", dtype.letter());
                // Without unknowns nothing is written.
                let a = random::<T>(Class::Uniform, 5, 0, BATCH, 3);
                let b = random::<T>(Class::Uniform, 5, 2, BATCH, 3);
                let call = gels(&session, form, Trans::N, &a, &b, &Placement::guarded())?;
                call.issue()?;
                assert!(call.is_untouched()?, "{} {form:?}", dtype.letter());
            }
            // Without equations, the shortest X is zero.
            for form in [EntryForm::Pointers, EntryForm::Strided, EntryForm::Magma] {
                for (m, n, trans) in [(0, 5, Trans::N), (5, 0, Trans::C)] {
                    let a = random::<T>(Class::Uniform, m, n, BATCH, 3);
                    let b = random::<T>(Class::Uniform, 5, 2, BATCH, 3);
                    let output = gels(&session, form, trans, &a, &b, &Placement::guarded())?.run()?;
                    assert_eq!(output.info, [0; BATCH]);
                    let all_zero = |x: &Matrix<T>| x.data().iter().all(|x| x.to_double() == zero);
                    assert!(output.operands[1].iter().all(all_zero), "{} {m}x{n} {form:?}", dtype.letter());
                }
            }
        });
    }
    Ok(())
}
