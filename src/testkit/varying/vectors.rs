//! Batches of matrices with sizes of their own, each with a vector of min(m, n) elements, and a call of a function.

use super::{Varying, ints};
use crate::any_call::AnyFunction;
use crate::library::symbol_name;
use crate::memory::Memory;
use crate::qr::Session;
use crate::{Error, Library, Matrix, Result, Scalar, sweep};
use std::ffi::c_int;

/// A batch, and all that a call is told of it.
pub struct Scene<T, V = T> {
    /// What the call begins with.
    pub members: Vec<Matrix<T>>,
    /// The matrices.
    pub a: Varying<T>,
    /// Their vectors.
    pub vectors: Varying<V>,
    /// Rows, columns and leading dimensions, as the call is told.
    pub sizes: [Vec<c_int>; 3],
    arrays: [Memory; 3],
    /// Codes.
    pub info: Memory,
    most: (usize, usize),
    /// A workspace of no bytes, in host memory.
    lwork: Box<c_int>,
}

/// What a call leaves.
pub struct Outcome<T, V = T> {
    /// The matrices.
    pub members: Vec<Matrix<T>>,
    /// Their vectors.
    pub vectors: Vec<Matrix<V>>,
    /// Codes.
    pub codes: Vec<c_int>,
}

/// Codes before a call.
const UNSET: c_int = -77;

impl<T: Scalar, V: Scalar> Scene<T, V> {
    /// Members, with the largest sizes that are told.
    pub fn of(members: Vec<Matrix<T>>, most: (usize, usize)) -> Result<Self> {
        let lib = Library::required();
        let a = Varying::of(lib, &members, 1)?;
        let lengths: Vec<_> = members.iter().map(|a| (a.rows().min(a.cols()), 1)).collect();
        let vectors = Varying::new(lib, &lengths, 2)?;
        let of = |size: fn(&Matrix<T>) -> usize| members.iter().map(|a| size(a) as c_int).collect::<Vec<_>>();
        let sizes = [of(Matrix::rows), of(Matrix::cols), a.lds()];
        let arrays = [ints(lib, &sizes[0])?, ints(lib, &sizes[1])?, ints(lib, &sizes[2])?];
        let info = ints(lib, &vec![UNSET; members.len()])?;
        Ok(Scene { members, a, vectors, sizes, arrays, info, most, lwork: Box::new(0) })
    }

    /// Tells the call something else of a member.
    pub fn say(&mut self, array: usize, i: usize, value: usize) -> Result<()> {
        self.sizes[array][i] = value as c_int;
        self.arrays[array].write(&self.sizes[array])
    }

    /// Arguments of `words`: sizes by their names, `A`, the vectors as `tau` or `ipiv`, `info`, and what is the same in all calls.
    pub fn arguments(&self, words: &str, session: &Session) -> Result<Vec<u64>> {
        let of = |word: &str| {
            Ok(match word {
                "max_m" => self.most.0 as u64,
                "max_n" => self.most.1 as u64,
                "m" => self.arrays[0].pointer() as u64,
                "n" => self.arrays[1].pointer() as u64,
                "lda" => self.arrays[2].pointer() as u64,
                "A" => self.a.pointers(),
                "tau" | "ipiv" => self.vectors.pointers(),
                "info" => self.info.pointer() as u64,
                "batch" => self.members.len() as u64,
                "stream" => session.stream() as u64,
                "queue" => session.queue()?.raw() as u64,
                "lwork" => &raw const *self.lwork as u64,
                // None of them needs a workspace.
                "0" | "work" | "work_bytes" => 0,
                other => panic!("{other} stands for nothing"),
            })
        };
        words.split(' ').map(of).collect()
    }

    /// Runs a function that returns a code; `valid` says which members' sizes are.
    pub fn run(&self, symbol: &str, words: &str, valid: impl Fn(usize) -> bool) -> Result<Outcome<T, V>> {
        self.run_if(symbol, words, &valid)
    }

    /// The same, compiled once for all callers.
    fn run_if(&self, symbol: &str, words: &str, valid: &dyn Fn(usize) -> bool) -> Result<Outcome<T, V>> {
        let lib = Library::required();
        let (session, name) = (Session::new(lib), symbol_name(symbol, T::DTYPE));
        self.upload()?;
        // SAFETY: the words are the prototype's; memory is as large as the sizes say.
        let (function, arguments) = (AnyFunction::named(lib, &name)?, self.arguments(words, &session)?);
        let code = sweep::with_any_plan(|| unsafe { function.call([0.0; 4], &arguments) });
        if code != 0 {
            return Err(Error::status(name, code));
        }
        session.synchronize()?;
        self.outcome_if(valid, words.split(' ').any(|word| ["tau", "ipiv"].contains(&word)))
    }

    /// Brings what the members were to the backend's memory.
    pub fn upload(&self) -> Result<()> {
        self.a.upload()?;
        self.vectors.upload()?;
        self.info.write(&vec![UNSET; self.members.len()])
    }

    /// What is there now; `written`: vectors are.
    pub fn outcome(&self, valid: impl Fn(usize) -> bool, written: bool) -> Result<Outcome<T, V>> {
        self.outcome_if(&valid, written)
    }

    fn outcome_if(&self, valid: &dyn Fn(usize) -> bool, written: bool) -> Result<Outcome<T, V>> {
        let mut codes = vec![0; self.members.len()];
        self.info.read(&mut codes)?;
        let vectors = self.vectors.download_if(&|i| written && valid(i))?;
        Ok(Outcome { members: self.a.download_if(valid)?, vectors, codes })
    }
}
