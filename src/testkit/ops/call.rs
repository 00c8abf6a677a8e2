//! Makes calls from words: the signature of a routine ([`crate::signatures`]) lists each entry point's arguments as
//! text, and the call is built from that text. Here `info` and `rank` both mean the codes, and the arguments passed by
//! value are the call's `number` or, in MAGMA, its scalars.

use super::entry::Entry;
use super::{EntryForm, Integers, Issue, Prepared, guarded_operand, place_of, reordered, vectors, workspace};
use crate::any_call::{AnyFunction, registers};
use crate::guarded::{Guarded, Placement};
use crate::library::symbol_name;
use crate::memory::Memory;
use crate::qr::Session;
use crate::scalar::{Field, bytes_of};
use crate::signatures::{Access, Operand, Prototype, Signature, dimension_of, is_by_value};
use crate::sweep::without_forced_plan;
use crate::{Error, Matrix, Result, Scalar};
use std::borrow::Cow;
use std::ffi::{c_int, c_void};

/// One call of a routine.
pub(super) struct Call<'a, T> {
    signature: &'a Signature,
    /// Sizes, and flags as CBLAS's numbers.
    sizes: Vec<(&'static str, i64)>,
    /// The values of `alpha` and `beta`.
    scalars: &'a [T],
    /// The members of the given operands.
    given: Vec<(&'static str, &'a [Matrix<T>])>,
    /// The value of `rcond`.
    number: f64,
    /// Whether increments are negative, so that a vector's first element is the last one in memory.
    backwards: bool,
    /// Words that are replaced by others, for example to pass one operand in another's place.
    replacements: &'static [(&'static str, &'static str)],
}

/// Poisoned members of an operand that the call only writes.
fn unset<T: Scalar>(batch: usize, rows: usize, cols: usize) -> Vec<Matrix<T>> {
    vec![Matrix::from_fn(rows, cols, |_, _| T::POISON); batch]
}

/// Stores integers as elements, the representation of [`crate::engine::Inputs`].
pub fn from_integers<T: Scalar>(values: impl IntoIterator<Item = usize>) -> Matrix<T> {
    let values: Vec<T> = values.into_iter().map(|x| T::from_double(<T as Scalar>::Double::real(x as f64))).collect();
    Matrix::from_fn(values.len(), 1, |i, _| values[i])
}

/// Reads integers back from elements: the inverse of [`from_integers`].
pub fn integers<T: Scalar>(of: &Matrix<T>) -> Vec<usize> {
    of.data().iter().map(|x| x.to_double().re() as usize).collect()
}

/// Interchanges or a permutation: ints between red zones. The memory is typed `f32`, which has the same size; only bits
/// are moved.
struct Interchanges {
    memory: Guarded<f32>,
    written: bool,
}

impl Interchanges {
    fn new<T: Scalar>(session: &Session, members: &[Matrix<T>], access: Access, place: &Placement) -> Result<Self> {
        let mut memory = Guarded::new(session.library(), members[0].rows(), 1, members.len(), &vectors(place))?;
        for (i, member) in members.iter().enumerate().filter(|_| access != Access::Written) {
            let bits: Vec<f32> = integers(member).iter().map(|&x| f32::from_bits(x as u32)).collect();
            memory.set(i, &Matrix::from_fn(bits.len(), 1, |i, _| bits[i]));
        }
        Ok(Interchanges { memory, written: access != Access::Read })
    }
}

impl<T: Scalar> Integers<T> for Interchanges {
    fn upload(&self) -> Result<()> {
        self.memory.upload()
    }

    fn collect(&self) -> Result<Option<Vec<Matrix<T>>>> {
        let contents = self.memory.download()?;
        if !self.written {
            return if contents.is_untouched() {
                Ok(None)
            } else {
                Err(Error::Guard("ipiv, which is only read".into()))
            };
        }
        let member = |i| from_integers(contents.member(i).data().iter().map(|x| x.to_bits() as usize));
        Ok(Some((0..self.memory.batch()).map(member).collect()))
    }

    fn is_untouched(&self) -> Result<bool> {
        Ok(self.memory.download()?.is_untouched())
    }
}

/// What a word stands for in a call.
#[derive(Clone, Copy)]
enum Argument {
    Number(u64),
    Operand(usize),
    Info,
    Work,
    Bytes,
    /// The address of a scalar.
    Scalar(usize),
    Handle,
    Queue,
    Position,
    Lwork,
}

/// The memory that holds the scalars.
enum Scalars<T> {
    Host(Vec<T>),
    Device(Memory),
}

impl<T> Scalars<T> {
    fn place(&self, index: usize) -> u64 {
        let first: *const T = match self {
            Scalars::Host(scalars) => scalars.as_ptr(),
            Scalars::Device(memory) => memory.pointer().cast_const().cast(),
        };
        first.wrapping_add(index) as u64
    }
}

/// Converts CBLAS's number of a flag to that of NVIDIA's libraries. Values of other words are unchanged.
pub fn nvidias(word: &str, value: i64) -> i64 {
    match word {
        "side" => value - 141,
        "uplo" => 122 - value,
        "trans" | "trans_a" | "trans_b" => value - 111,
        "diag" => value - 131,
        _ => value,
    }
}

/// An operand that has been placed in memory.
enum Placed<'a, T> {
    Elements(usize, &'a Guarded<T>),
    Integers(&'a Interchanges),
}

impl<'c, T: Scalar> Call<'c, T> {
    /// A call with these flags and any sizes that do not follow from the operands.
    pub fn of(signature: &'c Signature, sizes: &[(&'static str, i64)]) -> Self {
        Call {
            signature,
            sizes: sizes.to_vec(),
            scalars: &[],
            given: vec![],
            number: 0.0,
            backwards: false,
            replacements: &[],
        }
    }

    /// Adds the members of an operand. A write-only operand need not be given; a read operand that is not given is
    /// passed as NULL.
    pub fn given(mut self, name: &'static str, members: &'c [Matrix<T>]) -> Self {
        let operand = self.signature.operands.iter().find(|operand| operand.name == name).expect("an operand");
        let first = &members[0];
        for (word, extent) in operand.stored(|flag| self.size(flag)).into_iter().zip([first.rows(), first.cols()]) {
            if !self.sizes.iter().any(|(known, _)| *known == word) {
                self.sizes.push((word, extent as i64));
            }
        }
        self.given.push((name, members));
        self
    }

    /// Sets `alpha` and `beta`.
    pub fn scalars(self, scalars: &'c [T]) -> Self {
        Call { scalars, ..self }
    }

    /// Sets `rcond`.
    pub fn number(self, number: f64) -> Self {
        Call { number, ..self }
    }

    /// Makes increments negative.
    pub fn backwards(self, backwards: bool) -> Self {
        Call { backwards, ..self }
    }

    /// Passes one operand in another's place.
    pub fn replacing(self, replacements: &'static [(&'static str, &'static str)]) -> Self {
        Call { replacements, ..self }
    }

    fn size(&self, word: &str) -> i64 {
        let found = self.sizes.iter().find(|(known, _)| *known == word);
        found.unwrap_or_else(|| panic!("nothing says {word}")).1
    }

    /// The name of the form's entry point and its arguments.
    fn entry(&self, form: EntryForm) -> Result<(String, Prototype)> {
        let signature = self.signature;
        let name = signature.names[2].trim_start_matches("tephra_?");
        let (symbol, prototype) = match form {
            EntryForm::Pointers => (signature.names[0].to_owned(), signature.pointers()),
            EntryForm::Strided => (signature.names[1].to_owned(), signature.strided()),
            EntryForm::One => (signature.names[2].to_owned(), signature.one()),
            EntryForm::Cublas | EntryForm::CublasDevice => {
                (format!("cublas?{name}Batched"), Prototype::of("", signature.cublas))
            }
            EntryForm::Cublas64 => (format!("cublas?{name}Batched_64"), Prototype::of("", signature.cublas)),
            EntryForm::Magma => (signature.magma.0.to_owned(), signature.magma()),
        };
        match prototype.given() {
            "" => Err(Error::Load(format!("{name} has no {form:?}"))),
            _ => Ok((symbol, prototype.replacing(self.replacements))),
        }
    }

    /// The members of an operand and how the call uses it; `None` if the call does not have the operand.
    fn members(&self, operand: &Operand, batch: usize) -> Option<(Cow<'c, [Matrix<T>]>, Access)> {
        if self.replacements.iter().any(|(other, _)| *other == operand.name) {
            return None;
        }
        let access = if self.replacements.iter().any(|(_, replacement)| *replacement == operand.name) {
            Access::Updated
        } else {
            operand.access
        };
        match self.given.iter().find(|(name, _)| *name == operand.name) {
            Some((_, members)) => Some((Cow::Borrowed(*members), access)),
            None if access == Access::Read => None,
            None => {
                let (rows, columns) = operand.shape(|word| self.size(word));
                Some((Cow::Owned(unset(batch, rows as usize, columns as usize)), access))
            }
        }
    }

    /// Allocates the memory of the call and resolves its arguments.
    pub fn prepare<'a>(self, session: &'a Session, form: EntryForm, place: &Placement) -> Result<Prepared<'a, T>> {
        let (symbol, prototype) = self.entry(form)?;
        let symbol = symbol_name(&symbol, T::DTYPE);
        let words = prototype.arguments();
        let given = self.given.first().map(|(_, members)| members.len());
        let batch = given.unwrap_or_else(|| self.size("batch") as usize);
        let (mut memory, mut names, mut integers) = (vec![], vec![], None);
        for operand in self.signature.operands {
            let Some((members, access)) = self.members(operand, batch) else { continue };
            if operand.is_of_integers() {
                integers = Some((operand.name, Interchanges::new(session, &members, access, place)?));
                continue;
            }
            let is_dimension =
                |word: &&&str| dimension_of(word).is_some_and(|of| operand.name.eq_ignore_ascii_case(of));
            let place = match names.len() {
                _ if matches!(words.iter().find(is_dimension), None | Some(&"tsize")) => vectors(place),
                0 => place.clone(),
                other => reordered(place, 0xb0 + other as u64),
            };
            names.push(operand.name);
            memory.push((guarded_operand(session, &members, &place)?, access));
        }
        let placed = |name: &str| match (&integers, names.iter().position(|other| other.eq_ignore_ascii_case(name))) {
            (Some((word, integers)), _) if *word == name => Some(Placed::Integers(integers)),
            (_, place) => place.map(|i| Placed::Elements(i, &memory[i].0)),
        };
        let arguments = words.iter().filter(|word| !is_by_value(word));
        let arguments: Vec<Argument> =
            arguments.map(|word| self.argument(word, form, batch, session, &placed)).collect();
        let lib = session.library();
        let mut bytes = 0usize;
        if let Some(query) = prototype.query() {
            let number = |word: &&str| self.number_of(word, form, batch, &placed).expect("a number");
            let mut query: Vec<u64> = query.iter().map(|word| number(word) as u64).collect();
            bytes = usize::MAX;
            query.push(&raw mut bytes as u64);
            let symbol = format!("{symbol}_workspace");
            let function = AnyFunction::named(lib, &symbol)?;
            // SAFETY: the arguments follow the words of the prototype.
            lib.status(&symbol, without_forced_plan(|| unsafe { function.call([0.0; 4], &query) }))?;
        }
        let scalars = match form {
            EntryForm::CublasDevice => Scalars::Device(Memory::from_slice(lib, self.scalars)?),
            _ => Scalars::Host(self.scalars.to_vec()),
        };
        let issuing = Issuing {
            session,
            form,
            function: AnyFunction::named(lib, &symbol)?,
            symbol,
            words,
            arguments,
            registers: match form {
                EntryForm::Magma => {
                    registers(self.scalars.iter().map(|x| bytes_of(std::slice::from_ref(x))), T::DTYPE.is_double())
                }
                _ => [self.number, 0.0, 0.0, 0.0],
            },
            scalars,
            work: workspace(session, bytes)?,
        };
        let issue: Issue<'a, T> = Box::new(move |operands, info| issuing.issue(operands, info));
        let prepared = Prepared::new(session, batch, memory, issue)?;
        match integers {
            Some((_, integers)) => prepared.with_integers(integers),
            None => Ok(prepared),
        }
    }

    /// The value of a size, of a flag in the interface's own numbers, of a leading dimension or of a stride.
    fn number_of<'m>(
        &self,
        word: &str,
        form: EntryForm,
        batch: usize,
        placed: &dyn Fn(&str) -> Option<Placed<'m, T>>,
    ) -> Option<i64>
    where
        T: 'm,
    {
        if let Some((_, value)) = self.sizes.iter().find(|(name, _)| *name == word) {
            let nvidias = [EntryForm::Cublas, EntryForm::CublasDevice, EntryForm::Cublas64].contains(&form);
            return Some(if nvidias { super::nvidias(word, *value) } else { *value });
        }
        if let Some(name) = word.strip_prefix("stride_") {
            return Some(match placed(name) {
                Some(Placed::Elements(_, memory)) => memory.stride(),
                Some(Placed::Integers(integers)) => integers.memory.stride(),
                None => 0,
            });
        }
        match (dimension_of(word).and_then(placed), word) {
            (Some(Placed::Elements(_, memory)), _) if self.backwards && word.starts_with("inc") => Some(-memory.ld()),
            (Some(Placed::Elements(_, memory)), _) => Some(memory.ld()),
            (_, "batch") => Some(batch as i64),
            (_, "null" | "zero") => Some(0),
            _ => None,
        }
    }

    fn argument<'m>(
        &self,
        word: &str,
        form: EntryForm,
        batch: usize,
        session: &Session,
        placed: &dyn Fn(&str) -> Option<Placed<'m, T>>,
    ) -> Argument
    where
        T: 'm,
    {
        if let Some(number) = self.number_of(word, form, batch, placed) {
            return Argument::Number(number as u64);
        }
        match (word, placed(word)) {
            (_, Some(Placed::Elements(i, _))) => Argument::Operand(i),
            (_, Some(Placed::Integers(integers))) if form == EntryForm::Strided => {
                Argument::Number(integers.memory.base() as u64)
            }
            (_, Some(Placed::Integers(integers))) => Argument::Number(integers.memory.pointers() as u64),
            ("ipiv" | "jpvt", None) => Argument::Number(0),
            ("info" | "rank", _) => Argument::Info,
            ("alpha", _) => Argument::Scalar(0),
            ("beta", _) => Argument::Scalar(1),
            ("work", _) => Argument::Work,
            ("work_bytes", _) => Argument::Bytes,
            ("stream", _) => Argument::Number(session.stream() as u64),
            ("handle", _) => Argument::Handle,
            ("queue", _) => Argument::Queue,
            ("argument_info", _) => Argument::Position,
            ("lwork", _) => Argument::Lwork,
            (other, _) => panic!("{other} stands for nothing"),
        }
    }
}

/// The operands of a call by name, with their members.
pub type Given<'a, T> = &'a [(&'static str, Vec<Matrix<T>>)];

/// A call of a routine by its signature, from sizes and flags (CBLAS's numbers), scalars, the members of every operand
/// that is read, and replacements of words.
pub fn by_signature<'a, T: Scalar>(
    entry: Entry<'a>,
    signature: &Signature,
    sizes: &[(&'static str, i64)],
    scalars: &[T],
    given: Given<'_, T>,
    replacements: &'static [(&'static str, &'static str)],
) -> Result<Prepared<'a, T>> {
    let call = Call::of(signature, sizes).scalars(scalars).replacing(replacements);
    let call = given.iter().fold(call, |call, (name, members)| call.given(name, members));
    call.prepare(entry.session, entry.form, &entry.place)
}

/// A prepared call that can be issued repeatedly.
struct Issuing<'a, T> {
    session: &'a Session,
    form: EntryForm,
    symbol: String,
    function: AnyFunction,
    words: Vec<&'static str>,
    arguments: Vec<Argument>,
    registers: [f64; 4],
    scalars: Scalars<T>,
    work: Option<Memory>,
}

impl<T: Scalar> Issuing<'_, T> {
    fn issue(&self, operands: &[Guarded<T>], info: *mut c_int) -> Result<()> {
        if self.form == EntryForm::One {
            return (0..operands[0].batch()).try_for_each(|i| self.member(operands, info.wrapping_add(i), i));
        }
        self.member(operands, info, 0)
    }

    /// Issues the call, or in the one-matrix form the call for member `i`.
    fn member(&self, operands: &[Guarded<T>], info: *mut c_int, i: usize) -> Result<()> {
        // A value that is nonzero unless the call writes it.
        let mut argument_info: c_int = if self.has("argument_info") { 77 } else { 0 };
        let (mut lwork, (work, bytes)) = (0i64, place_of(&self.work));
        let place = |operand: &Guarded<T>| match self.form {
            EntryForm::Strided => operand.base() as u64,
            EntryForm::One => operand.base() as u64 + (i * operand.stride() as usize * size_of::<T>()) as u64,
            _ => operand.pointers() as u64,
        };
        let mut arguments = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            arguments.push(match *argument {
                Argument::Number(value) => value,
                Argument::Operand(index) => place(&operands[index]),
                Argument::Info => info as u64,
                Argument::Work => work as u64,
                Argument::Bytes => bytes as u64,
                Argument::Scalar(index) => self.scalars.place(index),
                Argument::Handle => self.session.handle()?.raw() as u64,
                Argument::Queue => self.session.queue()?.raw() as u64,
                Argument::Position => &raw mut argument_info as u64,
                Argument::Lwork => &raw mut lwork as u64,
            });
        }
        self.pointer_mode(1)?;
        // SAFETY: the arguments follow the words of the prototype, and the memory is allocated for the given sizes.
        let code = unsafe { self.function.call(self.registers, &arguments) };
        self.pointer_mode(0)?;
        match self.form {
            EntryForm::Cublas | EntryForm::CublasDevice | EntryForm::Cublas64 => {
                self.cublas_status(code, argument_info)
            }
            // MAGMA's functions without codes return nothing.
            EntryForm::Magma if !self.has("info") => Ok(()),
            EntryForm::Magma if code != 0 => Err(Error::status(&self.symbol, code)),
            EntryForm::Magma => Ok(()),
            _ => self.session.library().status(&self.symbol, code),
        }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The status and, for routines that report it, the number of a bad argument.
    fn cublas_status(&self, code: c_int, argument_info: c_int) -> Result<()> {
        match (code, argument_info) {
            (0, 0) => Ok(()),
            (0, info) => Err(Error::status(format!("{}: success, but host info", self.symbol), info)),
            (code, _) => Err(Error::status(&self.symbol, code)),
        }
    }

    /// Sets the handle's pointer mode if the scalars are in the backend's memory.
    fn pointer_mode(&self, mode: c_int) -> Result<()> {
        if self.form != EntryForm::CublasDevice {
            return Ok(());
        }
        // SAFETY: this is the prototype of cublasSetPointerMode_v2.
        unsafe {
            let set: unsafe extern "C" fn(*mut c_void, c_int) -> c_int =
                self.session.library().symbol("cublasSetPointerMode_v2")?;
            set(self.session.handle()?.raw(), mode);
        }
        Ok(())
    }
}
