//! Calls whose argument lists are given as words, for operands that are already in memory. The words are those of the
//! routine's row, in the form that measurements use.
//!
//! | word | stands for |
//! | --- | --- |
//! | `m`, `n`, `k`, `nrhs`, `batch`, a number | its value |
//! | `side`, `uplo`, `trans`, `trans_b`, `diag`, `part` | the option, in the interface's own numbers |
//! | `incx`; `inc_b`, `inc_r` | the increment between elements of a vector; those of a product's vectors, which are 1; in strided calls followed by the stride |
//! | `transposed`, `adjoint` | in a product of A with itself: the transposition of the other factor |
//! | `A`, `B`, `R`, `tau`, `ipiv`, `jpvt` | the array of pointers, or in strided calls the first member |
//! | `lda`, `ldb`, `ldr` | the leading dimension, in strided calls followed by the stride |
//! | `m_each`, `n_each`, `k_each`, `lda_each`, `ldb_each`, `ldr_each` | arrays of the members' own sizes |
//! | `T`, `tsize` | factors of an implicit Q, which are in the workspace; their number of elements, in strided calls
//! twice |
//! | `pivots` | the interchanges of all members, contiguously |
//! | `one`, `zero`, `alpha` | the address of a scalar |
//! | `info`, `host_info` | the array of codes; a single code in host memory |
//! | `work` | the workspace and its size in bytes, from the workspace query |
//! | `null`, `default`, `negative` | zero; `default` is a floating-point argument, `negative` one of -1 |
//!
//! Native lists omit the stream, those of NVIDIA's libraries the handle.

use super::operands::{BatchOperand, Operands};
use crate::case::{Case, Trans};
use crate::failure::Failure;
use crate::operation::Op;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use tephra_testkit::any_call::AnyFunction;
use tephra_testkit::library::{Library, symbol_name};
use tephra_testkit::memory::Memory;
use tephra_testkit::ops::{self, nvidias};
use tephra_testkit::{Dtype, Error};

/// A call with its arguments prepared.
pub struct Call<'a> {
    /// The library whose status codes the call returns; None for other libraries' calls.
    library: Option<&'a Library>,
    /// The function's name, for messages.
    name: String,
    function: AnyFunction,
    arguments: Vec<u64>,
    /// The floating-point arguments, of which a function has one at most.
    scalars: [f64; 4],
    host_info: Box<Cell<c_int>>,
}

/// The interface that an argument list is for.
#[derive(Clone, Copy, PartialEq)]
enum Interface {
    Pointers,
    Strided,
    Nvidias,
}

impl<'a> Call<'a> {
    /// Prepares the library's call for a case that has these operands.
    pub fn native(o: &Operands<'a>, case: &Case, strided: bool, work: &Memory) -> Result<Call<'a>, Failure> {
        let (library, symbol) = (o.machine.library, symbol(case.op, strided));
        let mut call = Call {
            library: Some(library),
            name: symbol.replace('?', ""),
            function: AnyFunction::named(library, &symbol_name(symbol, case.dtype))?,
            arguments: vec![],
            scalars: [0.0; 4],
            host_info: Box::default(),
        };
        let interface = if strided { Interface::Strided } else { Interface::Pointers };
        call.push(o, case, case.op.arguments(), interface, work)?;
        call.arguments.push(o.machine.stream.raw() as u64);
        Ok(call)
    }

    /// Prepares a call of one of NVIDIA's functions, which takes a handle.
    pub fn nvidias(
        o: &Operands<'_>,
        (name, words): (String, &'static str),
        function: AnyFunction,
        handle: *mut c_void,
    ) -> Result<Call<'a>, Failure> {
        let host_info = Box::default();
        let (arguments, scalars) = (vec![handle as u64], [0.0; 4]);
        let mut call = Call { library: None, name, function, arguments, scalars, host_info };
        call.push(o, &o.case, words.split(' '), Interface::Nvidias, &o.workspace)?;
        Ok(call)
    }

    /// Makes the call, which does the work or enqueues it on the stream.
    pub fn make(&self) -> Result<(), Failure> {
        self.host_info.set(0);
        // SAFETY: the words match the prototype; the operands have the sizes of the case and outlive the stream's work.
        let code = unsafe { self.function.call(self.scalars, &self.arguments) };
        match (self.library, code, self.host_info.get()) {
            (Some(library), code, _) => Ok(library.status(&self.name, code)?),
            (None, 0, 0) => Ok(()),
            (None, 0, info) => Err(Error::status(format!("{}: success, but host info", self.name), info).into()),
            (None, code, _) => Err(Error::status(&self.name, code).into()),
        }
    }

    fn push(
        &mut self,
        o: &Operands<'_>,
        case: &Case,
        words: impl Iterator<Item = &'static str>,
        interface: Interface,
        work: &Memory,
    ) -> Result<(), Failure> {
        let strided = interface == Interface::Strided;
        let part = |word: &str| -> Option<&BatchOperand> {
            Some(match word {
                "A" | "lda" => &o.a,
                "B" | "ldb" | "inc_b" | "incx" => &o.b,
                "R" | "ldr" | "inc_r" => &o.r,
                "tau" => &o.tau,
                "ipiv" | "jpvt" => &o.ipiv,
                _ => return None,
            })
        };
        let mut push = |word: u64| self.arguments.push(word);
        for word in words {
            match (word, size(case, word), part(word)) {
                (_, Some(size), part) => {
                    push(if interface == Interface::Nvidias { nvidias(kind(word), size) } else { size } as u64);
                    part.filter(|_| strided).into_iter().for_each(|part| push(part.each() as u64));
                }
                (_, _, Some(part)) if strided => {
                    push(part.start() as u64);
                    if ["tau", "ipiv", "jpvt"].contains(&word) {
                        push(part.each() as u64);
                    }
                }
                (_, _, Some(part)) => push(part.array() as u64),
                ("T", ..) => push(work.pointer() as u64),
                ("tsize", ..) => {
                    let elements = tsize(o.machine.library, case)?;
                    (0..=usize::from(strided)).for_each(|_| push(elements as u64));
                }
                (word, ..) if word.ends_with("_each") => push(o.sizes(word) as u64),
                ("pivots", ..) => push(o.ipiv.start() as u64),
                ("one", ..) => push(scalars(case.dtype)[0] as u64),
                ("zero", ..) => push(scalars(case.dtype)[1] as u64),
                ("alpha", ..) => push(scalars(case.dtype)[case.options.alpha as usize] as u64),
                ("info", ..) => push(o.info.pointer() as u64),
                ("host_info", ..) => push(self.host_info.as_ptr() as u64),
                ("work", ..) => {
                    push(work.pointer() as u64);
                    push(work.bytes() as u64);
                }
                ("null", ..) => push(0),
                ("default", ..) => {}
                ("negative", ..) => self.scalars[0] = -1.0,
                _ => panic!("{word} stands for nothing"),
            }
        }
        Ok(())
    }
}

/// Bytes of workspace that the library's call for a case needs.
pub fn workspace(library: &Library, case: &Case) -> Result<usize, Failure> {
    if case.op.has("T") {
        return Ok(tsize(library, case)? as usize * case.dtype.bytes() * case.shape.batch);
    }
    if !case.op.has("work") {
        return Ok(0);
    }
    let symbol = symbol_name(&format!("{}_workspace", symbol(case.op, false)), case.dtype);
    // The workspace queries take what a plan depends on: the sizes and options.
    let sizes = case.op.arguments().filter_map(|word| size(case, word));
    query(library, &symbol, sizes.collect())
}

/// The function name of a routine, with `?` for the precision letter.
fn symbol(op: Op, strided: bool) -> &'static str {
    let [pointers, of_strides, _, varying] = op.signature.names;
    if op.varying {
        varying
    } else if strided {
        of_strides
    } else {
        pointers
    }
}

/// Number of elements in each member's factors of an implicit Q.
fn tsize(library: &Library, case: &Case) -> Result<i64, Failure> {
    let (rows, columns) = case.a_size();
    let symbol = symbol_name("tephra_?geqr_tsize", case.dtype);
    Ok(query(library, &symbol, vec![rows as i64, columns as i64])? as i64)
}

/// Calls a query function with these sizes and returns its answer.
fn query(library: &Library, symbol: &str, sizes: Vec<i64>) -> Result<usize, Failure> {
    let answer = Cell::new(0usize);
    let arguments: Vec<u64> = sizes.into_iter().map(|size| size as u64).chain([answer.as_ptr() as u64]).collect();
    // SAFETY: the arguments match the prototype, whose last one points to the answer.
    let code = unsafe { AnyFunction::named(library, symbol)?.call([0.0; 4], &arguments) };
    library.status(symbol, code)?;
    Ok(answer.get())
}

/// The value of a word: a size of the case, or an option as CBLAS's number.
pub fn size(case: &Case, word: &str) -> Option<i64> {
    let Case { shape, options: o, .. } = case;
    let how = o.kit();
    let flag = |number: c_int| Some(number.into());
    let size = match word {
        "m" => shape.m,
        "n" => shape.n,
        "k" => case.k(),
        "nrhs" => o.nrhs,
        "batch" => shape.batch,
        "lda" => case.lda,
        "ldb" => o.ldb.max(1),
        "ldr" => o.ldr.max(1),
        "side" => return flag(how.side.cblas()),
        "uplo" => return flag(how.uplo.cblas()),
        "trans" | "trans_a" => return flag(how.trans.cblas()),
        "diag" => return flag(how.diag.cblas()),
        "trans_b" => return flag(o.trans_b.kit().cblas()),
        "part" => return flag(o.part as c_int),
        "incx" => return Some(o.incx.0),
        "inc_b" | "inc_r" => 1,
        "transposed" | "adjoint" if o.trans != Trans::N => return flag(ops::Trans::N.cblas()),
        "transposed" => return flag(ops::Trans::T.cblas()),
        "adjoint" => return flag(ops::Trans::C.cblas()),
        number => return number.parse().ok(),
    };
    Some(size as i64)
}

/// The kind of flag that a word stands for.
fn kind(word: &str) -> &str {
    match word {
        "transposed" | "adjoint" => "trans",
        other => other,
    }
}

/// The addresses of 1 and 0 in an element type, with an imaginary part of 0.
fn scalars(dtype: Dtype) -> [*const c_void; 2] {
    /// Aligned like cuDoubleComplex, which cuBLAS relies on.
    #[repr(align(16))]
    struct Aligned<T>(T);
    static SINGLE: Aligned<[f32; 8]> = Aligned([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    static DOUBLE: Aligned<[f64; 4]> = Aligned([1.0, 0.0, 0.0, 0.0]);
    if dtype.is_double() {
        [DOUBLE.0.as_ptr().cast(), DOUBLE.0[2..].as_ptr().cast()]
    } else {
        [SINGLE.0.as_ptr().cast(), SINGLE.0[4..].as_ptr().cast()]
    }
}
