//! larft, larfb.

use tephra_testkit::engine::{BATCH, Entry, Inputs, Member, Routine, Spot, Verdicts, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::blocks::{self, larfb, larft};
use tephra_testkit::ops::measure::{applied, block_applied, block_factor, difference};
use tephra_testkit::ops::q::{random, reflectors};
use tephra_testkit::ops::{EntryForm, Prepared, Side, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

/// Rows of V, number of reflectors, and the other dimension of C.
const SHAPES: &str = "1x1x1 3x2x4 5x5x3 8x8x8 17x16x5 32x32x33 33x20x7 64x32x64 70x64x9 100x40x20 200x8x3";
const FEW: &str = "6x4x3 40x33x20";
/// For larft alone: more reflectors than a device forms T of at once.
const MANY: &str = "66x65x1 130x100x1";

struct Larft;

impl Routine for Larft {
    const NAME: &'static str = "larft";
    const FORMS: &'static [EntryForm] = &blocks::FORMS;
    type Case = [usize; 3];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        [sizes(SHAPES), sizes(MANY)].concat()
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        [sizes(FEW), sizes(MANY)].concat()
    }
    fn inputs<T: Scalar>([m, k, _]: Self::Case, _: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (v, tau) = reflectors(m, k, batch, seed);
        vec![v, tau]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        larft(entry.session, entry.form, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        block_factor(&member.given[0], &member.given[1], &member.got[0])
    }
    /// Bad values go into tau.
    fn spots(_: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(1, (0, 0))]
    }
}

struct Larfb;

impl Routine for Larfb {
    const NAME: &'static str = "larfb";
    const FORMS: &'static [EntryForm] = &blocks::FORMS;
    type Case = ([usize; 3], (Side, Trans));

    fn cases(dtype: Dtype) -> Vec<Self::Case> {
        with_all_flags(SHAPES, dtype)
    }
    fn few(dtype: Dtype) -> Vec<Self::Case> {
        with_all_flags(FEW, dtype)
    }
    /// V with larft's T, C, and tau, which only the reference needs.
    fn inputs<T: Scalar>(case: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let ([m, k, _], _) = case;
        let (v, tau) = reflectors(m, k, batch, seed);
        let t = factors(&v, &tau).expect("larft's answer");
        vec![v, t, given_c(case, class, batch, seed), tau]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, flags): Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        larfb(entry.session, entry.form, flags, &inputs[0], &inputs[1], &inputs[2], &entry.place)
    }
    fn ratio<T: Scalar>((_, flags): Self::Case, _: Class, member: &Member<T>) -> f64 {
        let [v, _, c, tau] = &member.given[..] else { unreachable!("four matrices") };
        difference(&member.got[0], &applied(flags, v, tau, c))
    }
    /// Bad values go into V, T and C.
    fn spots(([m, ..], _): Self::Case) -> Vec<Spot> {
        [(0, (m - 1, 0)), (1, (0, 0)), (2, (0, 0))].map(|(operand, at)| Spot::not_finite(operand, at)).into()
    }
}

fn with_all_flags(shapes: &str, dtype: Dtype) -> Vec<([usize; 3], (Side, Trans))> {
    let transpositions = || Trans::ALL.iter().filter(|&&trans| trans != Trans::T || !dtype.is_complex());
    let flags = || Side::ALL.iter().flat_map(|&side| transpositions().map(move |&trans| (side, trans)));
    sizes(shapes).into_iter().flat_map(|shape| flags().map(move |flags| (shape, flags))).collect()
}

fn given_c<T: Scalar>(
    ([m, _, n], (side, _)): ([usize; 3], (Side, Trans)),
    class: Class,
    batch: usize,
    seed: u64,
) -> Vec<Matrix<T>> {
    let (rows, cols) = if side == Side::Left { (m, n) } else { (n, m) };
    random(class, rows, cols, batch, !seed)
}

/// T computed by larft, as a pointer batch.
fn factors<T: Scalar>(v: &[Matrix<T>], tau: &[Matrix<T>]) -> Result<Vec<Matrix<T>>> {
    let session = Session::new(Library::required());
    Ok(larft(&session, EntryForm::Pointers, v, tau, &Placement::guarded())?.run()?.only())
}

routine_tests!([Larft, Larfb]: a_bad_member_stays_alone);

/// T of many reflectors satisfies its recurrence, also with rows that a device divides among blocks for some of them,
/// and for reflectors that are the identity.
#[test]
fn many_reflectors_have_a_triangular_factor() -> Result<()> {
    for dtype in Dtype::ALL {
        for [m, k] in sizes("129x129 400x300 2100x140 2500x200") {
            with_scalar!(dtype, T => {
                let (v, mut tau) = reflectors::<T>(m, k, 2, 21);
                tau[1].col_mut(0)[k / 2] = T::from_double(<T as Scalar>::Double::ZERO);
                for (i, t) in factors(&v, &tau)?.iter().enumerate() {
                    let ratio = difference(t, &by_recurrence(&v[i], &tau[i]));
                    assert!(ratio < 30.0, "{} {m} x {k}, member {i}: {ratio}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

/// T(0..c, c) = -tau_c T(0..c, 0..c) V^H v_c.
fn by_recurrence<T: Scalar>(v: &Matrix<T>, tau: &Matrix<T>) -> Matrix<T::Double> {
    let (m, k) = (v.rows(), v.cols());
    let (zero, one) = (<T as Scalar>::Double::ZERO, <T as Scalar>::Double::ONE);
    let unit = Matrix::from_fn(m, k, |i, j| {
        if i == j {
            one
        } else if i < j {
            zero
        } else {
            v[(i, j)].to_double()
        }
    });
    let gram = unit.adjoint().times(&unit);
    let mut t = Matrix::from_fn(k, k, |i, j| if i == j { tau[(j, 0)].to_double() } else { zero });
    for c in 0..k {
        for r in 0..c {
            let sum = (r..c).fold(zero, |sum, l| sum + t[(r, l)] * gram[(l, c)]);
            t[(r, c)] = -(t[(c, c)] * sum);
        }
    }
    t
}

/// Order of H, number of reflectors, the other dimension of C: several panels of reflectors; more rows than a block
/// holds on a device; more reflectors than a tile's W has room for there.
const GIVEN: &str = "40x33x20 64x64x33 100x100x7 300x70x40 600x65x18 130x17x3 1500x1450x2";

/// Applies H = I - V T V^H for any given T, even if it does not belong to V's reflectors.
#[test]
fn any_t_is_applied_as_it_is() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let mut verdicts = Verdicts::default();
            for case in with_all_flags(GIVEN, dtype) {
                let ([order, k, _], flags) = case;
                let batch = if k > 1000 { 1 } else { 3 };
                let v = random::<T>(Class::Uniform, order, k, batch, 11);
                let t = random::<T>(Class::Uniform, k, k, batch, 12);
                let inputs = vec![v, t, given_c(case, Class::Uniform, batch, 13)];
                for form in blocks::FORMS {
                    let got = Larfb::call(Entry::anywhere(&session, form, order as u64), case, &inputs)?.run()?.only();
                    for (i, got) in got.iter().enumerate() {
                        let reference = block_applied(flags, &inputs[0][i], &inputs[1][i], &inputs[2][i]);
                        verdicts.add(difference(got, &reference), || format!("{} {case:?} {form:?}", dtype.letter()));
                    }
                }
            }
            verdicts.close(&format!("larfb {} of any T", dtype.letter()), 7 * 8);
        });
    }
    Ok(())
}

/// The elements on and above the diagonal of V and below that of T must not be read.
#[test]
fn only_the_stored_parts_are_read() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for shape in sizes("5x3x4 40x20x33 70x50x18 150x100x3") {
            with_scalar!(dtype, T => {
                let (case, [_, k, _]) = ((shape, (Side::Left, Trans::N)), shape);
                let mut inputs = Larfb::inputs::<T>(case, Class::Uniform, BATCH, 5);
                for j in 0..k {
                    inputs[0].iter_mut().for_each(|v| v.col_mut(j)[..=j].fill(T::POISON));
                    inputs[1].iter_mut().for_each(|t| t.col_mut(j)[j + 1..].fill(T::POISON));
                }
                assert!(factors(&inputs[0], &inputs[3])?.iter().all(Matrix::is_finite), "{} larft", dtype.letter());
                let c = Larfb::call(Entry::guarded(&session, EntryForm::Pointers), case, &inputs)?.run()?.only();
                assert!(c.iter().all(Matrix::is_finite), "{} larfb", dtype.letter());
            });
        }
    }
    Ok(())
}
