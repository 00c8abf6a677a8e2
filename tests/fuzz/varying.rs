//! The members of a call: all alike, or with their own sizes, some of which are invalid.

use std::ffi::c_int;
use tephra_testkit::Rng;
use tephra_testkit::routines::routine::{Operand, Routine, Sizes, Writes};
use tephra_testkit::signatures::dimension_of;

/// One in this many members gets invalid sizes.
const WRONG: usize = 5;

/// A wrong value that the call gets for a member in place of the correct one.
struct WrongArg {
    word: &'static str,
    value: c_int,
}

/// A member with its own sizes.
struct Own {
    sizes: Sizes,
    operands: Vec<Operand>,
    wrong_args: Vec<WrongArg>,
    /// The member's code after the call: 0, or minus the number of its first invalid argument.
    code: c_int,
}

/// The operands of a call.
pub struct Members {
    /// The operands with the largest sizes; if members are alike, those of each member.
    pub largest: Vec<Operand>,
    own: Option<Vec<Own>>,
}

impl Members {
    pub fn of(routine: &Routine, p: &Sizes) -> Members {
        let own = routine.varying.map(|words| (0..p["batch"]).map(|i| Own::new(routine, words, p, i)).collect());
        Members { largest: (routine.operands)(p), own }
    }

    /// An operand that does not belong to the routine, with identical members.
    pub fn identical(operand: Operand) -> Members {
        Members { largest: vec![operand], own: None }
    }

    pub fn are_alike(&self) -> bool {
        self.own.is_none()
    }

    fn own(&self, i: usize) -> Option<&Own> {
        self.own.as_ref()?.get(i)
    }

    pub fn operands(&self, i: usize) -> &[Operand] {
        self.own(i).map_or(&self.largest, |own| &own.operands)
    }

    /// A member's own sizes.
    pub fn sizes(&self, i: usize) -> Option<&Sizes> {
        self.own(i).map(|own| &own.sizes)
    }

    pub fn code(&self, i: usize) -> c_int {
        self.own(i).map_or(0, |own| own.code)
    }

    /// The values that the call is given for all members: of a size, or of a leading dimension whose correct values are
    /// `lds`.
    pub fn passed_values(&self, word: &str, lds: Option<&[usize]>) -> Vec<c_int> {
        let right = |i: usize, own: &Own| lds.map_or_else(|| own.sizes[word] as c_int, |lds| lds[i] as c_int);
        let replaced = |own: &Own| own.wrong_args.iter().find(|arg| arg.word == word).map(|arg| arg.value);
        self.own.iter().flatten().enumerate().map(|(i, own)| replaced(own).unwrap_or_else(|| right(i, own))).collect()
    }

    pub fn describe(&self) -> String {
        let one = |own: &Own| {
            let sizes = ["m", "n", "k", "nrhs"].map(|word| own.sizes[word]);
            let wrong: Vec<_> =
                own.wrong_args.iter().map(|arg| format!(" {} said to be {}", arg.word, arg.value)).collect();
            format!("{sizes:?}{}", wrong.concat())
        };
        self.own.iter().flatten().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Draws the numbers that determine the members' sizes.
pub fn draw(p: &mut Sizes, rng: &mut Rng) {
    p.set("seed", rng.below(1 << 30) as i64);
    p.set("wrong", rng.below(2) as i64);
    p.set("first", 0);
}

/// Whether a member has the largest sizes, so that a function that computes the maxima finds those that others are
/// given.
pub fn has_largest(p: &Sizes) -> bool {
    largest(p) < p["batch"]
}

/// The index of the member with the largest sizes, one of the first three.
fn largest(p: &Sizes) -> i64 {
    p["seed"] % 3
}

impl Own {
    fn new(routine: &Routine, words: &'static str, p: &Sizes, i: i64) -> Own {
        // In a batch of one member, the member keeps its index in the original batch.
        let number = p["first"] + i;
        let mut rng = Rng::new((p["seed"] as u64) << 20 ^ number as u64);
        let mut sizes = p.clone();
        if number != largest(p) {
            ["m", "n", "k", "nrhs"].into_iter().for_each(|word| sizes.set(word, size(p[word], &mut rng)));
            (routine.limit)(&mut sizes);
            sizes.scalars = p.scalars;
        }
        let mut operands = (routine.operands)(&sizes);
        let (mut wrong_args, mut code) = (vec![], 0);
        if p["wrong"] == 1 && number != largest(p) && rng.one_in(WRONG) {
            let all: Vec<_> = words.split(' ').filter(|word| is_array_argument(word, &operands)).collect();
            for _ in 0..1 + rng.below(2) {
                let word = *rng.pick(&all);
                wrong_args.push(WrongArg { word, value: wrong(routine, word, &operands, p, &sizes, &mut rng) });
            }
            let first = words.split(' ').position(|word| wrong_args.iter().any(|arg| arg.word == word));
            code = -(first.expect("one of them") as c_int + 1);
            operands.iter_mut().for_each(|operand| operand.writes = Writes::Untouched);
        }
        Own { sizes, operands, wrong_args, code }
    }
}

/// The words of sizes.
pub const SIZES: [&str; 4] = ["m", "n", "k", "nrhs"];

/// Whether a word stands for an array if members have their own sizes.
pub fn is_array_argument(word: &str, operands: &[Operand]) -> bool {
    SIZES.contains(&word)
        || dimension_of(word).is_some_and(|of| operands.iter().any(|operand| operand.name.eq_ignore_ascii_case(of)))
}

/// Draws a size up to the largest, with extra weight at both ends.
fn size(most: i64, rng: &mut Rng) -> i64 {
    match rng.below(12) {
        0 => 0,
        1 => most.min(1),
        2 => most,
        _ => rng.below(most as usize + 1) as i64,
    }
}

/// An invalid value, whatever other values are wrong as well.
fn wrong(routine: &Routine, word: &'static str, operands: &[Operand], p: &Sizes, own: &Sizes, rng: &mut Rng) -> c_int {
    // Increments may be negative.
    if word.starts_with("inc") {
        return 0;
    }
    if let Some(name) = dimension_of(word) {
        let operand = operands.iter().find(|operand| operand.name.to_lowercase() == name).expect("a matrix");
        // Leading dimensions of operands without rows may be 0.
        let rows = operand.rows as c_int;
        return *rng.pick(&[rows - 1, rows.min(1) - 1, -1, c_int::MIN]);
    }
    // One more than the largest size, or than the member's other sizes allow.
    let mut limited = own.clone();
    limited.set(word, p[word]);
    (routine.limit)(&mut limited);
    *rng.pick(&[-1, c_int::MIN, c_int::MAX, p[word] as c_int + 1, limited[word] as c_int + 1])
}
