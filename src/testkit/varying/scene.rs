//! A batch of members with sizes of their own, and what a call is told of it.

use super::{Varying, ints};
use crate::any_call::AnyFunction;
use crate::library::symbol_name;
use crate::memory::{Kind, Memory};
use crate::qr::Session;
use crate::{Error, Library, Matrix, Result, Scalar, sweep};
use std::ffi::c_int;

/// Codes before a call.
pub const UNSET: c_int = -77;

/// The last operand is the one that is written, unless others are said to be, too.
pub struct Scene<T> {
    /// By operand: what the call begins with.
    pub members: Vec<Vec<Matrix<T>>>,
    operands: Vec<(&'static str, Varying<T>)>,
    arrays: Vec<(&'static str, Vec<c_int>, Memory)>,
    numbers: Vec<(&'static str, u64)>,
    /// Codes.
    pub info: Memory,
    /// Words of others that are written.
    also: Vec<&'static str>,
    work: Memory,
}

/// Bytes of workspace, enough for all.
const WORK: usize = 16 << 20;

/// What a call leaves of the operand that it writes, and codes.
pub struct Outcome<T>(pub Vec<Matrix<T>>, pub Vec<c_int>);

impl<T: Scalar> Scene<T> {
    /// Operands with the words for their arrays of pointers and of leading dimensions ("": it has none that is told); sizes by their words; other numbers.
    pub fn new(
        operands: Vec<([&'static str; 2], Vec<Matrix<T>>)>,
        sizes: Vec<(&'static str, Vec<usize>)>,
        numbers: Vec<(&'static str, u64)>,
    ) -> Result<Self> {
        let (lib, batch) = (Library::required(), operands[0].1.len());
        let (info, work) = (ints(lib, &vec![UNSET; batch])?, Memory::new(lib, Kind::Device, WORK)?);
        let mut scene = Scene { members: vec![], operands: vec![], arrays: vec![], numbers, info, also: vec![], work };
        scene.numbers.push(("batch", batch as u64));
        for (word, values) in sizes {
            let values: Vec<c_int> = values.into_iter().map(|size| size as c_int).collect();
            let memory = ints(lib, &values)?;
            scene.arrays.push((word, values, memory));
        }
        for (i, ([word, ld], members)) in operands.into_iter().enumerate() {
            let varying = Varying::of(lib, &members, i as u64 + 1)?;
            let memory = ints(lib, &varying.lds())?;
            scene.arrays.push((ld, varying.lds(), memory));
            scene.operands.push((word, varying));
            scene.members.push(members);
        }
        Ok(scene)
    }

    /// The same, where another operand is written, too.
    pub fn writing(mut self, word: &'static str) -> Self {
        self.also.push(word);
        self
    }

    /// What is now in an operand that is written.
    pub fn left(&self, operand: usize) -> Result<Vec<Matrix<T>>> {
        self.operands[operand].1.download_if(&|_| true)
    }

    /// Changes what a member of an operand begins with.
    pub fn change(&mut self, operand: usize, i: usize, f: impl FnOnce(&mut Matrix<T>)) {
        let a = &mut self.members[operand][i];
        f(a);
        self.operands[operand].1.set(i, a);
    }

    /// Tells the call something else of a member.
    pub fn say(&mut self, word: &str, i: usize, value: usize) -> Result<()> {
        let (_, values, memory) = self.arrays.iter_mut().find(|(w, ..)| *w == word).expect("an array of sizes");
        values[i] = value as c_int;
        memory.write(values)
    }

    /// Tells the call the same number of a member with the other sign.
    pub fn turn(&mut self, word: &str, i: usize) -> Result<()> {
        let (_, values, memory) = self.arrays.iter_mut().find(|(w, ..)| *w == word).expect("an array of sizes");
        values[i] = -values[i];
        memory.write(values)
    }

    /// The arguments that words stand for.
    pub fn arguments(&self, words: &str, session: &Session) -> Result<Vec<u64>> {
        let of = |word: &str| {
            let operand = self.operands.iter().find(|(w, _)| *w == word).map(|(_, operand)| operand.pointers());
            let array = || self.arrays.iter().find(|(w, ..)| *w == word).map(|(.., memory)| memory.pointer() as u64);
            let number = || self.numbers.iter().find(|(w, _)| *w == word).map(|(_, number)| *number);
            Ok(match (operand.or_else(array).or_else(number), word) {
                (Some(value), _) => value,
                (_, "info") => self.info.pointer() as u64,
                (_, "queue") => session.queue()?.raw() as u64,
                (_, "stream") => session.stream() as u64,
                (_, "work") => self.work.pointer() as u64,
                (_, "work_bytes") => WORK as u64,
                (_, "0") => 0,
                (_, other) => panic!("{other} stands for nothing"),
            })
        };
        words.split(' ').map(of).collect()
    }

    /// Brings what the members were to the backend's memory.
    pub fn upload(&self) -> Result<()> {
        self.operands.iter().try_for_each(|(_, operand)| operand.upload())?;
        self.info.write(&vec![UNSET; self.members[0].len()])
    }

    /// Calls a function that returns a code, or nothing: `valid` says of which members something may be written.
    pub fn run(
        &self,
        (symbol, words, tells): (&str, &str, bool),
        scalars: [f64; 4],
        valid: impl Fn(usize) -> bool,
    ) -> Result<Outcome<T>> {
        self.run_if((symbol, words, tells), scalars, &valid)
    }

    /// The same, compiled once for all callers.
    fn run_if(
        &self,
        (symbol, words, tells): (&str, &str, bool),
        scalars: [f64; 4],
        valid: &dyn Fn(usize) -> bool,
    ) -> Result<Outcome<T>> {
        let lib = Library::required();
        let session = Session::new(lib);
        self.upload()?;
        let name = symbol_name(symbol, T::DTYPE);
        let arguments = self.arguments(words, &session)?;
        // SAFETY: the words are the prototype's; memory is as large as the sizes say.
        let function = AnyFunction::named(lib, &name)?;
        let code = sweep::with_any_plan(|| unsafe { function.call(scalars, &arguments) });
        if tells && code != 0 {
            return Err(Error::status(name, code));
        }
        session.synchronize()?;
        self.outcome_if(valid)
    }

    /// What is there now; operands that are only read must be as they were.
    pub fn outcome(&self, valid: impl Fn(usize) -> bool) -> Result<Outcome<T>> {
        self.outcome_if(&valid)
    }

    fn outcome_if(&self, valid: &dyn Fn(usize) -> bool) -> Result<Outcome<T>> {
        let mut codes = vec![0; self.members[0].len()];
        self.info.read(&mut codes)?;
        let Some(((_, written), read)) = self.operands.split_last() else { panic!("no operand") };
        for (word, operand) in read {
            operand.download_if(if self.also.contains(word) { valid } else { &|_| false })?;
        }
        Ok(Outcome(written.download_if(valid)?, codes))
    }
}
