//! The members of a call: all alike, or with sizes of their own, of which some are not valid.

use std::ffi::c_int;
use tephra_testkit::Rng;
use tephra_testkit::routines::routine::{Operand, Routine, Sizes, Writes};
use tephra_testkit::rows::dimension_of;

/// Members that are told sizes which are not valid, one in so many.
const WRONG: usize = 5;

/// What a member is told instead of what is right.
struct Told {
    word: &'static str,
    value: c_int,
}

/// A member that is not like the others.
struct Own {
    sizes: Sizes,
    operands: Vec<Operand>,
    told: Vec<Told>,
    /// What becomes of its code: 0, or minus the number of the first argument that is not valid.
    code: c_int,
}

/// The operands of a call.
pub struct Members {
    /// By the largest sizes; of members that are alike, each one's.
    pub largest: Vec<Operand>,
    own: Option<Vec<Own>>,
}

impl Members {
    pub fn of(routine: &Routine, p: &Sizes) -> Members {
        let own = routine.varying.map(|words| (0..p["batch"]).map(|i| Own::new(routine, words, p, i)).collect());
        Members { largest: (routine.operands)(p), own }
    }

    /// Operands that a call has beside those of its routine, the same for all members.
    pub fn beside(operand: Operand) -> Members {
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

    /// What the members are told, of a size or where these leading dimensions are right.
    pub fn told(&self, word: &str, lds: Option<&[usize]>) -> Vec<c_int> {
        let right = |i: usize, own: &Own| lds.map_or_else(|| own.sizes[word] as c_int, |lds| lds[i] as c_int);
        let instead = |own: &Own| own.told.iter().find(|told| told.word == word).map(|told| told.value);
        self.own.iter().flatten().enumerate().map(|(i, own)| instead(own).unwrap_or_else(|| right(i, own))).collect()
    }

    pub fn describe(&self) -> String {
        let one = |own: &Own| {
            let sizes = ["m", "n", "k", "nrhs"].map(|word| own.sizes[word]);
            let told: Vec<_> =
                own.told.iter().map(|told| format!(" {} said to be {}", told.word, told.value)).collect();
            format!("{sizes:?}{}", told.concat())
        };
        self.own.iter().flatten().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Draws what the sizes of members follow from.
pub fn draw(p: &mut Sizes, rng: &mut Rng) {
    p.set("seed", rng.below(1 << 30) as i64);
    p.set("wrong", rng.below(2) as i64);
    p.set("first", 0);
}

/// Whether a member has the largest sizes, so that who looks for them finds what others are told.
pub fn has_largest(p: &Sizes) -> bool {
    largest(p) < p["batch"]
}

/// One of the first members.
fn largest(p: &Sizes) -> i64 {
    p["seed"] % 3
}

impl Own {
    fn new(routine: &Routine, words: &'static str, p: &Sizes, i: i64) -> Own {
        // Of a batch of one member, which has a number from the batch that it was in.
        let number = p["first"] + i;
        let mut rng = Rng::new((p["seed"] as u64) << 20 ^ number as u64);
        let mut sizes = p.clone();
        if number != largest(p) {
            ["m", "n", "k", "nrhs"].into_iter().for_each(|word| sizes.set(word, size(p[word], &mut rng)));
            (routine.limit)(&mut sizes);
            sizes.scalars = p.scalars;
        }
        let mut operands = (routine.operands)(&sizes);
        let (mut told, mut code) = (vec![], 0);
        if p["wrong"] == 1 && number != largest(p) && rng.one_in(WRONG) {
            let all: Vec<_> = words.split(' ').filter(|word| is_told(word, &operands)).collect();
            for _ in 0..1 + rng.below(2) {
                let word = *rng.pick(&all);
                told.push(Told { word, value: wrong(routine, word, &operands, p, &sizes, &mut rng) });
            }
            let first = words.split(' ').position(|word| told.iter().any(|told| told.word == word));
            code = -(first.expect("one of them") as c_int + 1);
            operands.iter_mut().for_each(|operand| operand.writes = Writes::Untouched);
        }
        Own { sizes, operands, told, code }
    }
}

/// The words of sizes.
pub const SIZES: [&str; 4] = ["m", "n", "k", "nrhs"];

/// Whether a word stands for an array where members have sizes of their own.
pub fn is_told(word: &str, operands: &[Operand]) -> bool {
    SIZES.contains(&word)
        || dimension_of(word).is_some_and(|of| operands.iter().any(|operand| operand.name.eq_ignore_ascii_case(of)))
}

/// All sizes to the largest, with more of those at the ends.
fn size(most: i64, rng: &mut Rng) -> i64 {
    match rng.below(12) {
        0 => 0,
        1 => most.min(1),
        2 => most,
        _ => rng.below(most as usize + 1) as i64,
    }
}

/// A value that is not valid, in whatever other ones are wrong, too.
fn wrong(routine: &Routine, word: &'static str, operands: &[Operand], p: &Sizes, own: &Sizes, rng: &mut Rng) -> c_int {
    // Increments may be negative.
    if word.starts_with("inc") {
        return 0;
    }
    if let Some(name) = dimension_of(word) {
        let operand = operands.iter().find(|operand| operand.name.to_lowercase() == name).expect("a matrix");
        // Of no rows it may be 0.
        let rows = operand.rows as c_int;
        return *rng.pick(&[rows - 1, rows.min(1) - 1, -1, c_int::MIN]);
    }
    // One more than the largest; or than the member's other sizes allow.
    let mut limited = own.clone();
    limited.set(word, p[word]);
    (routine.limit)(&mut limited);
    *rng.pick(&[-1, c_int::MIN, c_int::MAX, p[word] as c_int + 1, limited[word] as c_int + 1])
}
