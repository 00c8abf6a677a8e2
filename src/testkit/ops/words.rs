//! Calls by words: a routine's argument list is text, and each of its entry points' calls is made from that.
//!
//! | word | stands for |
//! | --- | --- |
//! | a name of the sizes | that number; a flag in the interface's own numbers |
//! | an operand's name | the array of pointers; strided the first member; of one matrix that member |
//! | `ld` or `inc` and an operand's name, `tsize` (of `T`) | its leading dimension, strided with the stride behind it |
//! | `alpha`, `beta` | the address of a scalar, or in MAGMA the scalar |
//! | `info`, `batch` | the codes, the number of members |
//! | `work` | a workspace and its bytes, which the workspace query says |
//! | `handle`, `queue` | cuBLAS's, MAGMA's |
//! | `argument_info`, `lwork` | the number of a bad argument, and a size of 0, in host memory |
//! | `rcond` | the call's number, in a register |
//! | `rank` | the codes |
//! | `null`, `zero`, `default` | of no interest; `default` is a floating-point number |
//!
//! An operand without a leading dimension is a vector, whose stride follows it. Native lists are those of pointer arrays without
//! the stream, which is the last; those of strides and of one matrix follow from them.

use super::{Access, Form, Integers, Issue, Prepared, beside, holding, place_of, vectors, workspace};
use crate::any_call::{AnyFunction, registers};
use crate::guarded::{Guarded, Placement};
use crate::library::symbol_name;
use crate::memory::Memory;
use crate::qr::Session;
use crate::scalar::{Field, bytes_of};
use crate::sweep::with_any_plan;
use crate::{Error, Matrix, Result, Scalar};
use std::ffi::{c_int, c_void};

/// An operand: the word it is called by, its members, and whether it is written.
pub(super) type Operand<'a, T> = (&'static str, &'a [Matrix<T>], bool);

/// One call of a routine.
pub(super) struct Call<'a, T> {
    /// LAPACK's or BLAS's name without its letter.
    pub name: &'static str,
    /// The arguments of `tephra_?NAME_batched`.
    pub words: &'static str,
    /// Those of `cublas?NAMEBatched`, if there is one.
    pub cublas: Option<&'static str>,
    /// MAGMA's name with a `?` for the letter, and its arguments.
    pub magma: Option<(&'static str, &'static str)>,
    /// Sizes and flags, the latter CBLAS's numbers.
    pub sizes: &'a [(&'static str, i64)],
    /// What stands for `alpha` and `beta`.
    pub scalars: &'a [T],
    /// In the order in which their memory is laid out and results are collected; ints (`ipiv`, `jpvt`) are last.
    pub operands: &'a [Operand<'a, T>],
    /// What stands for `rcond`.
    pub number: f64,
    /// Increments are below zero: a vector's first element is the last in memory.
    pub backwards: bool,
}

impl<T> Call<'_, T> {
    /// What most routines do not have.
    pub const PLAIN: Self = Call {
        name: "",
        words: "",
        cublas: None,
        magma: None,
        sizes: &[],
        scalars: &[],
        operands: &[],
        number: 0.0,
        backwards: false,
    };
}

/// The members of an operand that the call is to write.
pub(super) fn unset<T: Scalar>(batch: usize, rows: usize, cols: usize) -> Vec<Matrix<T>> {
    vec![Matrix::from_fn(rows, cols, |_, _| T::POISON); batch]
}

/// Whole numbers as elements, and back: see [`crate::engine::Inputs`].
pub fn from_integers<T: Scalar>(values: impl IntoIterator<Item = usize>) -> Matrix<T> {
    let values: Vec<T> = values.into_iter().map(|x| T::narrow(<T as Scalar>::Wide::real(x as f64))).collect();
    Matrix::from_fn(values.len(), 1, |i, _| values[i])
}

/// The inverse of [`from_integers`].
pub fn integers<T: Scalar>(of: &Matrix<T>) -> Vec<usize> {
    of.data().iter().map(|x| x.wide().re() as usize).collect()
}

/// Operands that are ints. `jpvt` is read and written.
const INTEGERS: [&str; 2] = ["ipiv", "jpvt"];

/// Interchanges or a permutation in memory: ints between red zones. They are seen as `f32`, which is as long; only bits are moved.
struct Interchanges {
    memory: Guarded<f32>,
    written: bool,
}

impl Interchanges {
    fn new<T: Scalar>(
        session: &Session,
        word: &str,
        members: &[Matrix<T>],
        written: bool,
        place: &Placement,
    ) -> Result<Self> {
        let mut memory = Guarded::new(session.library(), members[0].rows(), 1, members.len(), &vectors(place))?;
        for (i, member) in members.iter().enumerate().filter(|_| !written || word == "jpvt") {
            let bits: Vec<f32> = integers(member).iter().map(|&x| f32::from_bits(x as u32)).collect();
            memory.set(i, &Matrix::from_fn(bits.len(), 1, |i, _| bits[i]));
        }
        Ok(Interchanges { memory, written })
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

/// Where scalars are read.
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

/// CBLAS's number of a flag, by its word, as NVIDIA's libraries have it; other numbers stay.
pub fn nvidias(word: &str, value: i64) -> i64 {
    match word {
        "side" => value - 141,
        "uplo" => 122 - value,
        "trans" | "trans_a" | "trans_b" => value - 111,
        "diag" => value - 131,
        _ => value,
    }
}

/// The operand whose leading dimension a word is, in lower case.
fn dimension_of(word: &str) -> Option<&str> {
    if word == "tsize" { Some("t") } else { word.strip_prefix("ld").or(word.strip_prefix("inc")) }
}

impl<'c, T: Scalar> Call<'c, T> {
    /// The entry point of a form and its arguments.
    fn entry(&self, form: Form) -> Result<(String, &'static str)> {
        let name = self.name;
        let found = match form {
            Form::Pointers => Some((format!("tephra_?{name}_batched"), self.words)),
            Form::Strided => Some((format!("tephra_?{name}_strided_batched"), self.words)),
            Form::One => Some((format!("tephra_?{name}"), self.words)),
            Form::Cublas | Form::CublasDevice => self.cublas.map(|words| (format!("cublas?{name}Batched"), words)),
            Form::Cublas64 => self.cublas.map(|words| (format!("cublas?{name}Batched_64"), words)),
            Form::Magma => self.magma.map(|(symbol, words)| (symbol.to_owned(), words)),
        };
        found.ok_or_else(|| Error::Load(format!("{name} has no {form:?}")))
    }

    /// The word that is the operand's leading dimension.
    fn dimension(&self, operand: &str) -> Option<&'static str> {
        self.words.split(' ').find(|word| dimension_of(word).is_some_and(|of| operand.eq_ignore_ascii_case(of)))
    }

    /// The call made ready.
    pub fn prepare<'a>(self, session: &'a Session, form: Form, place: &Placement) -> Result<Prepared<'a, T>> {
        let (symbol, words) = self.entry(form)?;
        let symbol = symbol_name(&symbol, T::DTYPE);
        let (mut memory, mut ipiv) = (vec![], None);
        for (i, &(word, members, written)) in self.operands.iter().enumerate() {
            if INTEGERS.contains(&word) {
                ipiv = Some(Interchanges::new(session, word, members, written, place)?);
                continue;
            }
            let place = match i {
                _ if matches!(self.dimension(word), None | Some("tsize")) => vectors(place),
                0 => place.clone(),
                _ => beside(place, 0xb0 + i as u64),
            };
            let access = if written { Access::Written } else { Access::Read };
            memory.push((holding(session, members, &place)?, access));
        }
        let (arguments, mut query) = self.arguments(words, form, session, &memory, &ipiv);
        let mut bytes = 0usize;
        let lib = session.library();
        if words.ends_with("work") {
            bytes = usize::MAX;
            query.push(&raw mut bytes as u64);
            let symbol = format!("{symbol}_workspace");
            let function = AnyFunction::named(lib, &symbol)?;
            // SAFETY: the words are the prototype's.
            lib.status(&symbol, with_any_plan(|| unsafe { function.call([0.0; 4], &query) }))?;
        }
        let scalars = match form {
            Form::CublasDevice => Scalars::Device(Memory::from_slice(lib, self.scalars)?),
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
                Form::Magma => {
                    registers(self.scalars.iter().map(|x| bytes_of(std::slice::from_ref(x))), T::DTYPE.is_double())
                }
                _ => [self.number, 0.0, 0.0, 0.0],
            },
            scalars,
            work: workspace(session, bytes)?,
        };
        let batch = self.operands[0].1.len();
        let issue: Issue<'a, T> = Box::new(move |operands, info| issuing.issue(operands, info));
        let prepared = Prepared::new(session, batch, memory, issue)?;
        match ipiv {
            Some(ipiv) => prepared.with_integers(ipiv),
            None => Ok(prepared),
        }
    }

    /// The arguments of the call, and those of its workspace query but for the last.
    fn arguments(
        &self,
        words: &str,
        form: Form,
        session: &Session,
        memory: &[(Guarded<T>, Access)],
        ipiv: &Option<Interchanges>,
    ) -> (Vec<Argument>, Vec<u64>) {
        let strided = form == Form::Strided;
        let native = [Form::Pointers, Form::Strided, Form::One].contains(&form);
        let names: Vec<&str> =
            self.operands.iter().map(|&(name, ..)| name).filter(|name| !INTEGERS.contains(name)).collect();
        let (mut call, mut query) = (vec![], vec![]);
        for word in words.split(' ') {
            let mut size = |value: i64| {
                call.push(Argument::Number(value as u64));
                query.push(value as u64);
            };
            if let Some((_, value)) = self.sizes.iter().find(|(name, _)| *name == word) {
                size(if native || form == Form::Magma { *value } else { nvidias(word, *value) });
            } else if let Some(i) = names.iter().position(|name| *name == word) {
                call.push(Argument::Operand(i));
                if strided && self.dimension(word).is_none() {
                    let stride = memory[i].0.stride() as u64;
                    call.push(Argument::Number(stride));
                    query.push(stride);
                }
            } else if let Some(of) = dimension_of(word) {
                let of = names.iter().position(|name| name.eq_ignore_ascii_case(of)).expect("an operand");
                let of = &memory[of].0;
                size(if self.backwards && word.starts_with("inc") { -of.ld() } else { of.ld() });
                if strided {
                    size(of.stride());
                }
            } else {
                match word {
                    "batch" if form == Form::One => {}
                    "batch" => size(self.operands[0].1.len() as i64),
                    "info" | "rank" => call.push(Argument::Info),
                    // By value.
                    "alpha" | "beta" if form == Form::Magma => {}
                    "alpha" => call.push(Argument::Scalar(0)),
                    "beta" => call.push(Argument::Scalar(1)),
                    "default" | "rcond" => {}
                    "work" => call.extend([Argument::Work, Argument::Bytes]),
                    "handle" => call.push(Argument::Handle),
                    "queue" => call.push(Argument::Queue),
                    "argument_info" => call.push(Argument::Position),
                    "lwork" => call.push(Argument::Lwork),
                    "null" | "zero" => call.push(Argument::Number(0)),
                    "ipiv" | "jpvt" => {
                        let at = |p: &Interchanges| {
                            if strided { p.memory.base() as u64 } else { p.memory.pointers() as u64 }
                        };
                        call.push(Argument::Number(ipiv.as_ref().map_or(0, at)));
                        if strided {
                            let stride = ipiv.as_ref().map_or(0, |p| p.memory.stride()) as u64;
                            call.push(Argument::Number(stride));
                            query.push(stride);
                        }
                    }
                    other => panic!("{other} stands for nothing"),
                }
            }
        }
        if native {
            call.push(Argument::Number(session.stream() as u64));
        }
        (call, query)
    }
}

/// A call that can be made again and again.
struct Issuing<'a, T> {
    session: &'a Session,
    form: Form,
    symbol: String,
    function: AnyFunction,
    words: &'static str,
    arguments: Vec<Argument>,
    registers: [f64; 4],
    scalars: Scalars<T>,
    work: Option<Memory>,
}

impl<T: Scalar> Issuing<'_, T> {
    fn issue(&self, operands: &[Guarded<T>], info: *mut c_int) -> Result<()> {
        if self.form == Form::One {
            return (0..operands[0].batch()).try_for_each(|i| self.member(operands, info.wrapping_add(i), i));
        }
        self.member(operands, info, 0)
    }

    /// The call, or of one matrix that of member `i`.
    fn member(&self, operands: &[Guarded<T>], info: *mut c_int, i: usize) -> Result<()> {
        // What is looked at must be written.
        let mut argument_info: c_int = if self.has("argument_info") { 77 } else { 0 };
        let (mut lwork, (work, bytes)) = (0i64, place_of(&self.work));
        let place = |operand: &Guarded<T>| match self.form {
            Form::Strided => operand.base() as u64,
            Form::One => operand.base() as u64 + (i * operand.stride() as usize * size_of::<T>()) as u64,
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
        // SAFETY: the words are the prototype's; memory is allocated for the sizes given.
        let code = unsafe { self.function.call(self.registers, &arguments) };
        self.pointer_mode(0)?;
        match self.form {
            Form::Cublas | Form::CublasDevice | Form::Cublas64 => self.cublas_status(code, argument_info),
            // MAGMA's functions without codes return nothing.
            Form::Magma if !self.has("info") => Ok(()),
            Form::Magma if code != 0 => Err(Error::status(&self.symbol, code)),
            Form::Magma => Ok(()),
            _ => self.session.library().status(&self.symbol, code),
        }
    }

    fn has(&self, word: &str) -> bool {
        self.words.split(' ').any(|w| w == word)
    }

    /// The status, and where the routine has one the number of a bad argument.
    fn cublas_status(&self, code: c_int, argument_info: c_int) -> Result<()> {
        match (code, argument_info) {
            (0, 0) => Ok(()),
            (0, info) => Err(Error::status(format!("{}: success, but host info", self.symbol), info)),
            (code, _) => Err(Error::status(&self.symbol, code)),
        }
    }

    /// Sets the handle's pointer mode, where scalars are in the backend's memory.
    fn pointer_mode(&self, mode: c_int) -> Result<()> {
        if self.form != Form::CublasDevice {
            return Ok(());
        }
        // SAFETY: cuBLAS's prototype.
        unsafe {
            let set: unsafe extern "C" fn(*mut c_void, c_int) -> c_int =
                self.session.library().symbol("cublasSetPointerMode_v2")?;
            set(self.session.handle()?.raw(), mode);
        }
        Ok(())
    }
}
