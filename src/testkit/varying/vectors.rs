//! Batches of matrices with their own sizes, each with a vector of min(m, n) elements, and calls on them.

use super::{VariableSizeBatch, ints};
use crate::any_call::AnyFunction;
use crate::library::symbol_name;
use crate::memory::Memory;
use crate::qr::Session;
use crate::{Error, Library, Matrix, Result, Scalar, sweep};
use std::ffi::c_int;

/// A batch and the arguments of calls on it.
pub struct BatchFixture<T, V = T> {
    /// The initial matrices.
    pub members: Vec<Matrix<T>>,
    /// The memory of the matrices.
    pub a: VariableSizeBatch<T>,
    /// The memory of their vectors.
    pub vectors: VariableSizeBatch<V>,
    /// Rows, columns and leading dimensions, as the call receives them.
    pub sizes: [Vec<c_int>; 3],
    arrays: [Memory; 3],
    /// The info codes.
    pub info: Memory,
    most: (usize, usize),
    /// The size of an empty workspace, in host memory.
    lwork: Box<c_int>,
}

/// The results of a call.
pub struct Outcome<T, V = T> {
    /// The matrices.
    pub members: Vec<Matrix<T>>,
    /// The vectors.
    pub vectors: Vec<Matrix<V>>,
    /// The info codes.
    pub codes: Vec<c_int>,
}

/// The value of the codes before a call.
const UNSET: c_int = -77;

impl<T: Scalar, V: Scalar> BatchFixture<T, V> {
    /// A batch of these members, with `most` as the maximum sizes passed to the call.
    pub fn of(members: Vec<Matrix<T>>, most: (usize, usize)) -> Result<Self> {
        let lib = Library::required();
        let a = VariableSizeBatch::of(lib, &members, 1)?;
        let lengths: Vec<_> = members.iter().map(|a| (a.rows().min(a.cols()), 1)).collect();
        let vectors = VariableSizeBatch::new(lib, &lengths, 2)?;
        let of = |size: fn(&Matrix<T>) -> usize| members.iter().map(|a| size(a) as c_int).collect::<Vec<_>>();
        let sizes = [of(Matrix::rows), of(Matrix::cols), a.lds()];
        let arrays = [ints(lib, &sizes[0])?, ints(lib, &sizes[1])?, ints(lib, &sizes[2])?];
        let info = ints(lib, &vec![UNSET; members.len()])?;
        Ok(BatchFixture { members, a, vectors, sizes, arrays, info, most, lwork: Box::new(0) })
    }

    /// Changes one member's entry in one of the arrays of sizes.
    pub fn set_size(&mut self, array: usize, i: usize, value: usize) -> Result<()> {
        self.sizes[array][i] = value as c_int;
        self.arrays[array].write(&self.sizes[array])
    }

    /// Resolves `words` to arguments: sizes by their names, `A`, the vectors as `tau` or `ipiv`, `info`, and the
    /// arguments that all calls share.
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
                // No function here needs a workspace.
                "0" | "work" | "work_bytes" => 0,
                other => panic!("{other} stands for nothing"),
            })
        };
        words.split(' ').map(of).collect()
    }

    /// Runs a function that returns a code; `valid` says which members have valid sizes.
    pub fn run(&self, symbol: &str, words: &str, valid: impl Fn(usize) -> bool) -> Result<Outcome<T, V>> {
        self.run_if(symbol, words, &valid)
    }

    /// [`BatchFixture::run`], not generic so that it is compiled only once.
    fn run_if(&self, symbol: &str, words: &str, valid: &dyn Fn(usize) -> bool) -> Result<Outcome<T, V>> {
        let lib = Library::required();
        let (session, name) = (Session::new(lib), symbol_name(symbol, T::DTYPE));
        self.upload()?;
        // SAFETY: the arguments follow the words of the prototype, and the memory is as large as the sizes say.
        let (function, arguments) = (AnyFunction::named(lib, &name)?, self.arguments(words, &session)?);
        let code = sweep::without_forced_plan(|| unsafe { function.call([0.0; 4], &arguments) });
        if code != 0 {
            return Err(Error::status(name, code));
        }
        session.synchronize()?;
        self.outcome_if(valid, words.split(' ').any(|word| ["tau", "ipiv"].contains(&word)))
    }

    /// Copies the initial members to the backend's memory.
    pub fn upload(&self) -> Result<()> {
        self.a.upload()?;
        self.vectors.upload()?;
        self.info.write(&vec![UNSET; self.members.len()])
    }

    /// The current contents; `written` says whether the call writes the vectors.
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
