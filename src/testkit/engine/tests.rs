//! Checks that each test of the engine detects its kind of error, with a made-up routine, B := -B, that is correct or
//! has exactly one flaw.

use super::*;
use crate::engine;
use crate::guarded::Guarded;
use crate::ops::guarded_operand;
use crate::ops::q::random;
use crate::ratios::Ratios;
use crate::scalar::Field;
use crate::signatures::Access;
use std::ffi::c_void;
use std::panic::catch_unwind;

const NONE: u8 = 0;
/// One element of each member is wrong.
const WRONG: u8 = 1;
/// The member that follows a singular or non-finite one is wrong.
const NEIGHBOUR_CHANGED: u8 = 2;
/// Non-finite results become zero.
const HIDDEN: u8 = 3;
/// Singular members have no code.
const NO_CODE: u8 = 4;
/// Nonzero codes are written although there is nothing to compute.
const WRITTEN: u8 = 5;
/// Members from index 65,535 on are skipped.
const SHORT: u8 = 6;
/// Singular members stay unchanged.
const UNCHANGED: u8 = 7;
/// The guide does not say what is left of singular members.
const UNDOCUMENTED: u8 = 8;

/// Negates; a member whose first element is zero counts as singular and has code 1.
struct Negate<const FLAW: u8>;

impl<const FLAW: u8> Routine for Negate<FLAW> {
    const NAME: &'static str = "negate";
    const FORMS: &'static [EntryForm] = &[EntryForm::Strided];
    const REPORTS_CODES: &'static [EntryForm] = &[EntryForm::Strided];
    type Case = [usize; 2];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        sizes("1x1 2x3")
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        sizes("2x3")
    }
    fn zeros() -> Vec<Self::Case> {
        sizes("0x3")
    }
    fn tiny() -> Option<Self::Case> {
        Some([1, 1])
    }
    fn inputs<T: Scalar>([m, n]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![random(class, m, n, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, [m, n]: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let session = entry.session;
        let (batch, operand) = (inputs[0].len(), guarded_operand(session, &inputs[0], &entry.place)?);
        let issue = move |o: &[Guarded<T>], info: *mut c_int| {
            let (given, number) = (o[0].download()?, |x| T::from_double(<T as Scalar>::Double::real(x)));
            let (mut codes, mut after_a_bad_one) = (vec![0; batch], false);
            let copy = |to: *mut c_void, from: *const c_void, bytes| {
                // SAFETY: the operands have room for their members, and info for the codes.
                unsafe { session.library().memcpy(to, from, bytes, session.stream()) }
            };
            for (i, code) in codes.iter_mut().enumerate() {
                let a = given.member(i);
                let mut b = a.map(|x| T::from_double(-x.to_double()));
                let singular = a.data().first().is_some_and(|x| x.to_double() == <T as Scalar>::Double::ZERO);
                *code = c_int::from(singular && FLAW != NO_CODE);
                match FLAW {
                    WRONG if m * n > 0 => b[(0, 0)] = number(0.125),
                    NEIGHBOUR_CHANGED if after_a_bad_one => b[(0, 0)] = number(0.125),
                    HIDDEN if !a.is_finite() => b = b.map(|_| number(0.0)),
                    SHORT if i >= 65_535 => b = a.clone(),
                    UNCHANGED if singular => b = a.clone(),
                    _ => {}
                }
                after_a_bad_one = singular || !a.is_finite();
                let (stride, ld) = (o[0].stride() as usize, o[0].ld() as usize);
                for j in 0..if m == 0 { 0 } else { n } {
                    let to = o[0].base().wrapping_byte_add((i * stride + j * ld) * size_of::<T>());
                    copy(to, b.col(j).as_ptr().cast(), m * size_of::<T>())?;
                }
            }
            if m * n == 0 {
                codes.fill(1);
            }
            if m * n > 0 || FLAW == WRITTEN {
                copy(info.cast(), codes.as_ptr().cast(), batch * size_of::<c_int>())?;
            }
            Ok(())
        };
        Prepared::new(session, batch, vec![(operand, Access::Updated)], Box::new(issue))
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let right = |(a, b): (&T, &T)| (a.to_double() + b.to_double()) == <T as Scalar>::Double::ZERO;
        let all = member.given[0].data().iter().zip(member.got[0].data()).all(right);
        if all { 0.0 } else { Ratios::THRESHOLD }
    }
    fn spots(_: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (1, 2))]
    }
    fn make_singular<T: Scalar>(_: Self::Case, a: &mut Matrix<T>, _: usize) -> c_int {
        a[(0, 0)] = T::from_double(<T as Scalar>::Double::ZERO);
        1
    }
    fn leftovers<T: Scalar>(case: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        let negated = Self::ratio(case, Class::Uniform, member) == 0.0;
        vec![Leftover::stated("B", "negated", negated)]
    }
    fn guide() -> &'static str {
        if FLAW == UNDOCUMENTED {
            "| `other` | `B`: negated |\n`negate` | `B`: negated |"
        } else {
            "| `negate` | `B`: negated |"
        }
    }
}

/// Names of the engine's tests that fail.
fn failing<const FLAW: u8>() -> Vec<&'static str> {
    type Test = fn() -> Result<()>;
    let tests: [(_, Test); 6] = [
        ("sweep", engine::sweep::<Negate<FLAW>, f32>),
        ("extreme", engine::extreme_members::<Negate<FLAW>>),
        ("bad", engine::a_bad_member_stays_alone::<Negate<FLAW>>),
        ("singular", engine::a_singular_member_is_told_and_stays_alone::<Negate<FLAW>>),
        ("zero", engine::zero_sizes_touch_nothing::<Negate<FLAW>>),
        ("large", engine::batches_beyond_the_limits_of_a_grid::<Negate<FLAW>>),
    ];
    let fails = |test: Test| catch_unwind(test).map_or(true, |result| result.is_err());
    tests.into_iter().filter(|&(_, test)| fails(test)).map(|(name, _)| name).collect()
}

#[test]
fn each_flaw_is_seen_by_the_tests_it_is_for() {
    assert_eq!(failing::<NONE>(), [""; 0]);
    assert_eq!(failing::<WRONG>(), ["sweep", "extreme", "singular", "large"]);
    assert_eq!(failing::<NEIGHBOUR_CHANGED>(), ["bad", "singular"]);
    assert_eq!(failing::<HIDDEN>(), ["bad"]);
    assert_eq!(failing::<NO_CODE>(), ["singular"]);
    assert_eq!(failing::<WRITTEN>(), ["zero"]);
    assert_eq!(failing::<SHORT>(), ["large"]);
    assert_eq!(failing::<UNCHANGED>(), ["singular"]);
    assert_eq!(failing::<UNDOCUMENTED>(), ["singular"]);
}
