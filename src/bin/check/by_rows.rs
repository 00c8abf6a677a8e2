//! Checks routines by their rows (`tephra_testkit::routines`), with the fuzzer's operands, data and measures, and sizes
//! suited to a self-test.

use super::table::Tally;
use tephra_testkit::engine::Entry as TestEntry;
use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::lu::integers;
use tephra_testkit::ops::{EntryForm, INFO_POISON, Output, by_signature};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::routines::routine::{Entry, Fill, Member, Operand, Routine, Sizes, Verdict, scalar};
use tephra_testkit::routines::{self, fill};
use tephra_testkit::scalar::{bytes_of, worst};
use tephra_testkit::signatures::{self, Access, Signature};
use tephra_testkit::{Dtype, Matrix, Result, Rng, Scalar};

/// Shapes with m >= n, which cover fused tiles, several warps, and column blocks on one level and on two.
pub const SHAPES: [(usize, usize); 8] =
    [(1, 1), (5, 3), (8, 8), (33, 32), (100, 70), (150, 140), (210, 203), (300, 16)];
pub const BATCH: usize = 3;
/// Columns of the operand that a factor of the shape's order is applied to.
const COLUMNS: i64 = 9;
const SIDES: [i64; 3] = [1, 3, 9];
/// From this many elements on, measuring the results takes the host so long that there are fewer calls.
const COSTLY: usize = 8000;

/// Number of calls for a shape. They differ in flags, right-hand sides and data; every second one swaps rows and
/// columns.
fn calls((m, n): (usize, usize)) -> u64 {
    if m * n < COSTLY { 6 } else { 3 }
}

/// A row of the table: its name, and the rows of the test kit that it checks.
pub type Named = (String, Vec<&'static Routine>);

/// The routines on members of the same size that a signature describes, in place and out of place, by its name.
pub fn uniform() -> Vec<Named> {
    let name = |routine: &'static Routine| {
        let name = described(routine)?.1.stem();
        (routine.name.strip_suffix(" in place").unwrap_or(routine.name) == name).then_some(name)
    };
    in_all_types(routines::all().filter_map(|routine| Some((name(routine)?, routine))))
}

/// Those of these routines that exist in all types. Hermitian variants, which exist in the complex types only, belong
/// to the symmetric routine.
pub fn in_all_types(routines: impl Iterator<Item = (&'static str, &'static Routine)>) -> Vec<Named> {
    let mut all: Vec<Named> = vec![];
    for (name, routine) in routines {
        let name = name.strip_prefix("he").map_or(name.to_owned(), |rest| format!("sy{rest}"));
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, rows)) => rows.push(routine),
            None => all.push((name, vec![routine])),
        }
    }
    all.retain(|(_, rows)| Dtype::ALL.iter().all(|dtype| rows.iter().any(|row| row.dtypes.contains(dtype))));
    all
}

/// The bytes of each member of an operand.
pub type Bytes = Vec<Vec<u8>>;

/// Checks every shape through every interface.
pub fn check<T: Scalar>(rows: &[&'static Routine], session: &Session) -> Tally {
    let mut tally = Tally::default();
    for routine in rows.iter().filter(|routine| routine.dtypes.contains(&T::DTYPE)) {
        let (native, signature) = described(routine).expect("a function with a signature");
        let is_product = signature.arguments.contains(" k alpha");
        let shapes = SHAPES.into_iter().filter(|(m, n)| !is_product || m * n < COSTLY);
        for (shape, seed) in shapes.flat_map(|shape| (0..calls(shape)).map(move |seed| (shape, seed))) {
            let sizes = drawn::<T>(routine, native, shape, BATCH, seed);
            let operands = (routine.operands)(&sizes);
            let mut rng = Rng::new(seed);
            let data = data::<T>(&sizes, &operands, BATCH, &mut rng);
            let supported = |entry: &&Entry| (routine.supports)(&sizes, entry);
            for entry in routine.entries.iter().filter(supported) {
                for form in forms(signature, entry) {
                    let call = Call { session, routine, signature, sizes: &sizes, operands: &operands, data: &data };
                    let outcome = call.ratio::<T>(entry, form).and_then(|ratio| {
                        tally.ratio(ratio);
                        if ratio < Ratios::THRESHOLD { Ok(()) } else { Err(format!("ratio {ratio}")) }
                    });
                    tally.check(|| format!("{} {:?} {form:?}", routine.name, sizes.values), outcome);
                }
            }
        }
    }
    tally
}

/// A routine's first function on members of the same size that has a signature.
fn described(routine: &'static Routine) -> Option<(&'static Entry, &'static Signature)> {
    let uniform = |signature: &&&Signature, entry: &Entry| signature.names[..3].contains(&entry.symbol());
    let of = |entry| Some((entry, *signatures::ALL.iter().find(|signature| uniform(signature, entry))?));
    routine.entries.iter().find_map(of)
}

/// The forms of call through which a function can be reached.
fn forms(signature: &Signature, entry: &Entry) -> Vec<EntryForm> {
    let [pointers, strided, one, _] = signature.names;
    let cublas = format!("cublas{}Batched", one.trim_start_matches("tephra_"));
    match entry.symbol() {
        symbol if symbol == pointers => vec![EntryForm::Pointers],
        symbol if symbol == strided => vec![EntryForm::Strided],
        symbol if symbol == one => vec![EntryForm::One],
        symbol if symbol == signature.magma.0 => vec![EntryForm::Magma],
        symbol if signature.cublas.is_empty() || !symbol.starts_with(&cublas) => vec![],
        symbol if symbol.ends_with("_64") => vec![EntryForm::Cublas64],
        _ if signature.cublas.contains("alpha") => vec![EntryForm::Cublas, EntryForm::CublasDevice],
        _ => vec![EntryForm::Cublas],
    }
}

/// Draws sizes and flags for a function's call that are valid and leave something to compute.
pub fn drawn<T: Scalar>(routine: &Routine, entry: &Entry, (m, n): (usize, usize), batch: usize, seed: u64) -> Sizes {
    let mut rng = Rng::new((m * 1000 + n) as u64 ^ seed << 32);
    let draw = || {
        // Swap sizes only for routines with two sizes; the order of a factor is that of Q, or the number of columns.
        let wide = seed % 2 == 1 && entry.has("m") && !entry.has("side");
        let (m, n) = if wide { (n as i64, m as i64) } else { (m as i64, n as i64) };
        let nrhs = SIDES[seed as usize % SIDES.len()];
        let scalars = [(-1.5, 0.0), (0.5, 0.0)];
        let values = vec![("m", m), ("n", n), ("k", n), ("nrhs", nrhs), ("batch", batch as i64)];
        let mut sizes = Sizes { dtype: T::DTYPE, values, scalars };
        for (word, first, choices) in [("side", 141, 2), ("trans", 111, 3), ("uplo", 121, 2), ("diag", 131, 2)] {
            sizes.set(word, first + rng.below(choices) as i64);
        }
        (routine.draw)(&mut sizes, &mut rng);
        if entry.has("side") {
            let order = if entry.has("k") { m } else { n };
            let [m, n] = if sizes["side"] == 141 { [order, COLUMNS] } else { [COLUMNS, order] };
            sizes.set("m", m);
            sizes.set("n", n);
        }
        sizes.scalars = scalars;
        (routine.limit)(&mut sizes);
        sizes
    };
    let supports = |sizes: &Sizes| (routine.supports)(sizes, entry) && !(routine.no_work)(sizes);
    std::iter::repeat_with(draw).find(supports).expect("some are served, and have something to do")
}

/// The data of the operands' members.
pub fn data<T: Scalar>(p: &Sizes, operands: &[Operand], batch: usize, rng: &mut Rng) -> Vec<Bytes> {
    let mut data: Vec<Bytes> = vec![vec![]; operands.len()];
    for _ in 0..batch {
        let mut last = Matrix::from_fn(0, 0, |_, _| T::POISON);
        for (operand, members) in operands.iter().zip(&mut data) {
            members.push(fill::member(p, operand, &mut last, rng));
        }
    }
    data
}

/// A call of a routine.
struct Call<'a> {
    session: &'a Session,
    routine: &'static Routine,
    signature: &'static Signature,
    sizes: &'a Sizes,
    operands: &'a [Operand],
    data: &'a [Bytes],
}

impl Call<'_> {
    /// The worst ratio over the members.
    fn ratio<T: Scalar>(&self, entry: &Entry, form: EntryForm) -> Verdict {
        let replacements = entry.prototype.replacements();
        let output = self.output::<T>(form, replacements).map_err(|e| e.to_string())?;
        if let Some(code) = output.info.iter().find(|code| ![0, INFO_POISON].contains(code)) {
            return Err(format!("a member has the code {code}"));
        }
        let stands_in = |name: &str| replacements.iter().any(|(_, other)| *other == name);
        let replaced = |name: &str| replacements.iter().any(|(other, _)| *other == name);
        let written = |operand: &&signatures::Operand| {
            (operand.access != Access::Read || stands_in(operand.name)) && !replaced(operand.name)
        };
        // Integers are collected last.
        let (ints, others): (Vec<&signatures::Operand>, Vec<_>) =
            self.signature.operands.iter().filter(written).partition(|operand| operand.is_of_integers());
        let places: Vec<_> = others.iter().chain(&ints).map(|operand| self.place(operand.name)).collect();
        (0..BATCH).try_fold(0.0, |largest, i| {
            let mut after: Vec<Vec<u8>> = self.data.iter().map(|members| members[i].clone()).collect();
            for (place, members) in places.iter().zip(&output.operands) {
                let Some(place) = *place else { continue };
                after[place] = bytes(&self.operands[place], &members[i]);
            }
            let before = self.data.iter().map(|members| &members[i][..]).collect();
            let after = after.iter().map(|bytes| &bytes[..]).collect();
            let member = Member { sizes: self.sizes, operands: self.operands, before, after };
            Ok(worst(largest, (self.routine.measure[T::DTYPE as usize])(&member)?))
        })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|operand| operand.name == name)
    }

    fn output<T: Scalar>(
        &self,
        form: EntryForm,
        replacements: &'static [(&'static str, &'static str)],
    ) -> Result<Output<T>> {
        let given = self.operands.iter().zip(self.data).filter(|(operand, _)| operand.fill != Fill::Poison);
        let members = |(operand, members): (&Operand, &Bytes)| {
            members.iter().map(|bytes| matrix(self.sizes, operand, bytes)).collect()
        };
        let given: Vec<(&str, Vec<Matrix<T>>)> = given.map(|of| (of.0.name, members(of))).collect();
        let entry = TestEntry { session: self.session, form, place: Placement::guarded() };
        by_signature(
            entry,
            self.signature,
            &self.sizes.values,
            &self.sizes.scalars.map(scalar::<T>),
            &given,
            replacements,
        )?
        .run()
    }
}

/// A member as a matrix, in the form of the test kit's calls, from its bytes.
pub fn matrix<T: Scalar>(sizes: &Sizes, operand: &Operand, bytes: &[u8]) -> Matrix<T> {
    let operands = std::slice::from_ref(operand);
    let member = Member { sizes, operands, before: vec![bytes], after: vec![] };
    match operand.is_of_integers() {
        true => member.integers(operand.name, &member.before),
        false => member.before(operand.name),
    }
}

/// The inverse of [`matrix`].
fn bytes<T: Scalar>(operand: &Operand, member: &Matrix<T>) -> Vec<u8> {
    match operand.is_of_integers() {
        true => integers(member).into_iter().flat_map(|number| (number as i32).to_ne_bytes()).collect(),
        false => bytes_of(member.data()).to_vec(),
    }
}
