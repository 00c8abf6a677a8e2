//! A batch of members with their own sizes, and the arguments of calls on it.

use super::{VariableSizeBatch, ints};
use crate::any_call::AnyFunction;
use crate::library::symbol_name;
use crate::memory::{Kind, Memory};
use crate::qr::Session;
use crate::{Error, Library, Matrix, Result, Scalar, sweep};
use std::ffi::c_int;

/// The value of the codes before a call.
pub const UNSET: c_int = -77;

/// A batch and its arguments. The call writes the last operand, and others only if [`BatchFixture::writing`] says so.
pub struct BatchFixture<T> {
    /// The initial members, by operand.
    pub members: Vec<Vec<Matrix<T>>>,
    operands: Vec<(&'static str, VariableSizeBatch<T>)>,
    arrays: Vec<(&'static str, Vec<c_int>, Memory)>,
    numbers: Vec<(&'static str, u64)>,
    /// The info codes.
    pub info: Memory,
    /// Words of the other operands that the call writes.
    also_written: Vec<&'static str>,
    work: Memory,
}

/// Bytes of workspace, enough for all calls.
const WORK: usize = 16 << 20;

/// The members of the written operand and the codes after a call.
pub struct Outcome<T>(pub Vec<Matrix<T>>, pub Vec<c_int>);

impl<T: Scalar> BatchFixture<T> {
    /// Takes the operands, each with the words for its array of pointers and its array of leading dimensions ("" if no
    /// argument is the latter), the arrays of sizes with their words, and other numbers.
    pub fn new(
        operands: Vec<([&'static str; 2], Vec<Matrix<T>>)>,
        sizes: Vec<(&'static str, Vec<usize>)>,
        numbers: Vec<(&'static str, u64)>,
    ) -> Result<Self> {
        let (lib, batch) = (Library::required(), operands[0].1.len());
        let (info, work) = (ints(lib, &vec![UNSET; batch])?, Memory::new(lib, Kind::Device, WORK)?);
        let mut fixture = BatchFixture {
            members: vec![],
            operands: vec![],
            arrays: vec![],
            numbers,
            info,
            also_written: vec![],
            work,
        };
        fixture.numbers.push(("batch", batch as u64));
        for (word, values) in sizes {
            let values: Vec<c_int> = values.into_iter().map(|size| size as c_int).collect();
            let memory = ints(lib, &values)?;
            fixture.arrays.push((word, values, memory));
        }
        for (i, ([word, ld], members)) in operands.into_iter().enumerate() {
            let varying = VariableSizeBatch::of(lib, &members, i as u64 + 1)?;
            let memory = ints(lib, &varying.lds())?;
            fixture.arrays.push((ld, varying.lds(), memory));
            fixture.operands.push((word, varying));
            fixture.members.push(members);
        }
        Ok(fixture)
    }

    /// Declares that the call writes another operand too.
    pub fn writing(mut self, word: &'static str) -> Self {
        self.also_written.push(word);
        self
    }

    /// The current contents of a written operand.
    pub fn contents(&self, operand: usize) -> Result<Vec<Matrix<T>>> {
        self.operands[operand].1.download_if(&|_| true)
    }

    /// Changes the initial value of a member.
    pub fn change(&mut self, operand: usize, i: usize, f: impl FnOnce(&mut Matrix<T>)) {
        let a = &mut self.members[operand][i];
        f(a);
        self.operands[operand].1.set(i, a);
    }

    /// Makes the pointer to a member of an operand NULL.
    pub fn forget(&mut self, operand: usize, i: usize) -> Result<()> {
        self.operands[operand].1.forget(i)
    }

    /// Changes one member's entry of an array of sizes.
    pub fn set_size(&mut self, word: &str, i: usize, value: usize) -> Result<()> {
        let (_, values, memory) = self.arrays.iter_mut().find(|(w, ..)| *w == word).expect("an array of sizes");
        values[i] = value as c_int;
        memory.write(values)
    }

    /// Negates one member's entry of an array of sizes.
    pub fn negate_size(&mut self, word: &str, i: usize) -> Result<()> {
        let (_, values, memory) = self.arrays.iter_mut().find(|(w, ..)| *w == word).expect("an array of sizes");
        values[i] = -values[i];
        memory.write(values)
    }

    /// Resolves words to arguments.
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

    /// Copies the initial members to the backend's memory.
    pub fn upload(&self) -> Result<()> {
        self.operands.iter().try_for_each(|(_, operand)| operand.upload())?;
        self.info.write(&vec![UNSET; self.members[0].len()])
    }

    /// Calls a function, which returns a code if `returns_code` is set. `valid` says in which members the call may
    /// write.
    pub fn run(
        &self,
        (symbol, words, returns_code): (&str, &str, bool),
        scalars: [f64; 4],
        valid: impl Fn(usize) -> bool,
    ) -> Result<Outcome<T>> {
        self.run_if((symbol, words, returns_code), scalars, &valid)
    }

    /// [`BatchFixture::run`], not generic so that it is compiled only once.
    fn run_if(
        &self,
        (symbol, words, returns_code): (&str, &str, bool),
        scalars: [f64; 4],
        valid: &dyn Fn(usize) -> bool,
    ) -> Result<Outcome<T>> {
        let lib = Library::required();
        let session = Session::new(lib);
        self.upload()?;
        let name = symbol_name(symbol, T::DTYPE);
        let arguments = self.arguments(words, &session)?;
        // SAFETY: the arguments follow the words of the prototype, and the memory is as large as the sizes say.
        let function = AnyFunction::named(lib, &name)?;
        let code = sweep::without_forced_plan(|| unsafe { function.call(scalars, &arguments) });
        if returns_code && code != 0 {
            return Err(Error::status(name, code));
        }
        session.synchronize()?;
        self.outcome_if(valid)
    }

    /// The current contents. Operands that are only read must be unchanged.
    pub fn outcome(&self, valid: impl Fn(usize) -> bool) -> Result<Outcome<T>> {
        self.outcome_if(&valid)
    }

    fn outcome_if(&self, valid: &dyn Fn(usize) -> bool) -> Result<Outcome<T>> {
        let mut codes = vec![0; self.members[0].len()];
        self.info.read(&mut codes)?;
        let Some(((_, written), read)) = self.operands.split_last() else { panic!("no operand") };
        for (word, operand) in read {
            operand.download_if(if self.also_written.contains(word) { valid } else { &|_| false })?;
        }
        Ok(Outcome(written.download_if(valid)?, codes))
    }
}
