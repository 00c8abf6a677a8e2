//! Converts words to arguments, makes the call and collects its answer.
//!
//! Besides sizes and operands, the words are:
//!
//! - `handle`, `queue`, `stream`; `work` and `work_bytes`; `bytes`, where a query stores its answer
//! - `info`, the codes of all matrices; `code`, a single code; `argument_info`, a single code in host memory
//! - `type`, the precision as a cudaDataType; `queues`, two of them; `lwork`, a size of 0 in host memory
//! - `hwork`, workspace in host memory, one element, and `hwork_size`, the size that the call is told it has
//! - `alpha` and `beta`, the addresses of scalars; `by_value`, the next scalar itself; `real_value`, its real part
//! - `each_` and a size, flag, scalar or leading dimension: a host array of the values of all members, each a group of
//!   its own; `groups`, their number; `each_one`, the members of each group, all 1
//! - `null` and `zero`, which the call ignores

use crate::setup::Setup;
use crate::stderr::stderr_of;
use std::ffi::{c_int, c_void};
use tephra_testkit::any_call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::ops::nvidias;
use tephra_testkit::routines::routine::{Entry, Interface, Sizes};
use tephra_testkit::scalar::bytes_of;
use tephra_testkit::signatures::is_by_value;
use tephra_testkit::with_scalar;

/// The value of host integers before a call.
pub const UNSET: c_int = 77;

/// The answer of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The return value; 0 if the function returns nothing.
    pub code: c_int,
    /// The value of `argument_info`, for functions that have one.
    pub argument_info: c_int,
    /// The lines on stderr, if they were captured.
    pub message: String,
}

/// An argument that gets a value other than the correct one.
pub type Override = Option<(&'static str, i64)>;

/// The words of scalars passed by address.
pub const SCALARS: [&str; 2] = ["alpha", "beta"];

/// The bytes of a scalar in the call's precision, padded with zeros. Index 0 is alpha, 1 is beta.
pub fn scalar_bytes(p: &Sizes, index: usize) -> [u8; 16] {
    let mut bytes = [0; 16];
    with_scalar!(p.dtype, T => {
        let value = tephra_testkit::routines::routine::scalar::<T>(p.scalars[index]);
        bytes[..size_of::<T>()].copy_from_slice(bytes_of(&[value]));
    });
    bytes
}

/// The scalars that are passed by value.
fn registers(entry: &Entry, p: &Sizes) -> [f64; 4] {
    let by_value = entry.arguments().filter(|word| ["by_value", "real_value"].contains(word)).enumerate();
    let bytes = by_value.map(|(i, word)| {
        let real = if p.dtype.is_double() { 8 } else { 4 };
        scalar_bytes(p, i)[..if word == "by_value" { p.dtype.bytes() } else { real }].to_vec()
    });
    any_call::registers(bytes, p.dtype.is_double())
}

/// Host memory that the functions read and write.
struct Host {
    hwork: [f64; 2],
    info: c_int,
    lwork: i64,
    bytes: usize,
    queues: [u64; 2],
    scalars: [[u8; 16]; 2],
    arrays: Vec<Vec<u8>>,
}

impl Setup<'_> {
    /// Makes the call and waits for it. With `null`, operands are NULL; with `watch`, stderr is captured.
    pub fn call(&self, replaced: Override, null: bool, watch: bool) -> Result<Answer, String> {
        let mut host = Host {
            hwork: [0.0; 2],
            info: UNSET,
            lwork: 0,
            bytes: 0,
            queues: [0; 2],
            scalars: [0, 1].map(|i| scalar_bytes(self.sizes, i)),
            arrays: vec![],
        };
        let arguments = self.arguments(self.entry.prototype.arguments(), &mut host, replaced, null)?;
        let on_device = self.find("alpha").is_some();
        if on_device {
            self.pointer_mode(1)?;
        }
        let call = || self.raw_call(self.entry.symbol(), &arguments);
        let (code, message) = if watch { stderr_of(call) } else { (call(), String::new()) };
        if on_device {
            self.pointer_mode(0)?;
        }
        self.resources.session.synchronize().map_err(|e| e.to_string())?;
        let code = if self.entry.interface() == Interface::MagmaVoid { 0 } else { code };
        Ok(Answer { code, argument_info: host.info, message })
    }

    /// The status and the answer of the workspace query.
    pub fn query(&self, mut arguments: Vec<&'static str>, replaced: Override) -> Result<(c_int, usize), String> {
        let (hwork, queues, scalars) = ([0.0; 2], [0; 2], [[0; 16]; 2]);
        let mut host = Host { hwork, info: UNSET, lwork: 0, bytes: usize::MAX, queues, scalars, arrays: vec![] };
        arguments.push("bytes");
        let arguments = self.arguments(arguments, &mut host, replaced, false)?;
        let code = self.raw_call(&format!("{}_workspace", self.entry.symbol()), &arguments);
        Ok((code, host.bytes))
    }

    /// The bytes of workspace that the call requires.
    pub fn workspace(&self) -> Result<usize, String> {
        let Some(arguments) = self.entry.prototype.query() else { return Ok(0) };
        match self.query(arguments, None)? {
            (0, bytes) => Ok(bytes),
            // No allowed plan accepts the shape; the call will report that as well.
            (1, _) => Ok(0),
            (code, _) => Err(format!("the workspace query answers {code}: {}", self.last_error())),
        }
    }

    pub fn last_error(&self) -> String {
        self.resources.session.library().last_error()
    }

    fn raw_call(&self, symbol: &str, arguments: &[u64]) -> c_int {
        self.resources.calls.set(self.resources.calls.get() + 1);
        let (library, symbol) = (self.resources.session.library(), symbol_name(symbol, self.sizes.dtype));
        // SAFETY: the arguments follow the words of the entry point, which are its prototype. The memory has the given
        // sizes, or the call must refuse them.
        unsafe { any_call::call(library, &symbol, registers(self.entry, self.sizes), arguments) }
    }

    fn pointer_mode(&self, mode: c_int) -> Result<(), String> {
        let session = &self.resources.session;
        // SAFETY: this is the prototype of cublasSetPointerMode_v2.
        unsafe {
            let set: unsafe extern "C" fn(*mut c_void, c_int) -> c_int =
                session.library().symbol("cublasSetPointerMode_v2").map_err(|e| e.to_string())?;
            set(session.handle().map_err(|e| e.to_string())?.raw(), mode);
        }
        Ok(())
    }

    fn arguments(
        &self,
        words: Vec<&'static str>,
        host: &mut Host,
        replaced: Override,
        null: bool,
    ) -> Result<Vec<u64>, String> {
        words
            .into_iter()
            .filter(|word| !is_by_value(word))
            .map(|word| match replaced {
                Some((other, value)) if other == word => Ok(value as u64),
                _ => self.argument(word, host, null),
            })
            .collect()
    }

    fn argument(&self, word: &str, host: &mut Host, null: bool) -> Result<u64, String> {
        if let Some(word) = word.strip_prefix("each_") {
            host.arrays.push(self.of_groups(word));
            return Ok(host.arrays.last().map_or(0, |array| array.as_ptr() as u64));
        }
        let session = &self.resources.session;
        let text = |e: tephra_testkit::Error| e.to_string();
        let argument = match word {
            "handle" if self.entry.interface() == Interface::Cusolver => self.resources.solver(),
            "handle" => session.handle().map_err(text)?.raw() as u64,
            "type" => [0, 1, 4, 5][self.sizes.dtype as usize],
            "queue" => session.queue().map_err(text)?.raw() as u64,
            "queues" => {
                host.queues = [session.queue().map_err(text)?.raw() as u64; 2];
                &raw mut host.queues as u64
            }
            "stream" => session.stream() as u64,
            "argument_info" => &raw mut host.info as u64,
            "lwork" => &raw mut host.lwork as u64,
            "bytes" => &raw mut host.bytes as u64,
            "hwork" => &raw mut host.hwork as u64,
            "hwork_size" => i32::MAX as u64,
            "groups" => self.sizes["batch"] as u64,
            "alpha" | "beta" => {
                let place = host.scalars[usize::from(word == "beta")].as_ptr() as u64;
                self.find(word).map_or(place, |scalar| scalar.argument() as u64)
            }
            "work_bytes" => self.work_bytes as u64,
            _ => match self.find(word) {
                Some(_) if null && !self.is_copied(word) => 0,
                Some(placed) => placed.argument() as u64,
                None => match self.placed.iter().find_map(|placed| placed_argument(placed, word, null)) {
                    Some(argument) => argument,
                    None => self.number(word) as u64,
                },
            },
        };
        Ok(argument)
    }

    /// The values of all members, each a group of its own.
    fn of_groups(&self, word: &str) -> Vec<u8> {
        let nvidias_number =
            |value: i64| if self.entry.interface().is_nvidias() { nvidias(word, value) } else { value };
        let number = |value: i64| match self.entry.is_wide() && !word.starts_with("trans") {
            true => value.to_ne_bytes().to_vec(),
            false => (value as c_int).to_ne_bytes().to_vec(),
        };
        let (scalar, matrix) = (
            SCALARS.iter().position(|name| *name == word),
            self.placed.iter().find(|placed| placed.has_dimension(word)),
        );
        let of = |(i, own): (usize, &Sizes)| match (scalar, matrix) {
            (Some(scalar), _) => scalar_bytes(self.sizes, scalar)[..self.sizes.dtype.bytes()].to_vec(),
            (_, Some(matrix)) => number(matrix.lds[i] as i64),
            _ if word == "one" => number(1),
            _ => number(nvidias_number(own[word])),
        };
        self.own.iter().enumerate().flat_map(of).collect()
    }

    /// A size, or a flag in the interface's numbers.
    fn number(&self, word: &str) -> i64 {
        let value = self.sizes.find(word.strip_prefix("max_").unwrap_or(word)).unwrap_or(0);
        if self.entry.interface().is_nvidias() { nvidias(word, value) } else { value }
    }
}

fn placed_argument(placed: &crate::placed::Placed, word: &str, null: bool) -> Option<u64> {
    let name = placed.operand.name;
    let of = |prefix: &str| word.strip_prefix(prefix).is_some_and(|rest| rest == name.to_lowercase());
    if of("packed_") || of("host_") {
        return Some(if null { 0 } else { placed.argument() as u64 });
    }
    if placed.has_dimension(word) {
        Some(placed.ld() as u64)
    } else if of("stride_") {
        Some(placed.stride as u64)
    } else {
        None
    }
}
