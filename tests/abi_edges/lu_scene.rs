//! Batches of square matrices for LU under the vendors' names, and calls of those.

use super::stage::{BATCH, Stage};
use std::ffi::c_int;
use tephra_testkit::Dtype;
use tephra_testkit::any_call::call;
use tephra_testkit::library::{CublasHandle, MagmaQueue, symbol_name};

/// What the calls work on: matrices and codes, right-hand sides or inverses, pivots.
pub struct Scene {
    pub a: Stage,
    pub c: Stage,
    /// Its scalar factors are the room for pivots.
    pub room: Stage,
    handle: CublasHandle,
    queue: MagmaQueue,
}

/// What the matrices hold.
#[derive(Clone, Copy)]
pub enum Input {
    /// No interchange is needed: 40 on the diagonal, small numbers off it.
    Regular,
    /// The same, and the middle member's third column is zero.
    Singular,
    /// The middle member is zero.
    Zero,
    /// The middle member's last element is a NaN.
    Nan,
    /// The second element of the first columns is as large as the first.
    Tied,
}

pub fn value(input: Input, n: usize, (b, i, j): (usize, usize, usize)) -> f64 {
    match input {
        Input::Singular if b == 1 && j == 2 => 0.0,
        Input::Zero if b == 1 => 0.0,
        Input::Nan if b == 1 && i + 1 == n && j + 1 == n => f64::NAN,
        Input::Tied if i == 1 && j == 0 => -40.0,
        _ if i == j => 40.0,
        _ => ((3 * i + 7 * j + b) % 5) as f64 - 2.0,
    }
}

impl Scene {
    /// Square matrices of order n, and as many columns beside them.
    pub fn new(dtype: Dtype, n: usize, input: Input) -> Scene {
        let [mut a, c, room] = [(); 3].map(|()| Stage::new(dtype, n, n));
        a.fill(n, |b, i, j| value(input, n, (b, i, j)));
        let handle = a.lib.cublas_handle(a.stream.raw()).unwrap();
        let queue = a.queue();
        Scene { a, c, room, handle, queue }
    }

    pub fn restore(&self) {
        [&self.a, &self.c, &self.room].into_iter().for_each(Stage::restore);
    }

    pub fn is_untouched(&self) -> bool {
        [&self.a, &self.c, &self.room].iter().all(|s| s.is_untouched())
    }

    /// The addresses that stand for words.
    fn argument(&self, word: &str) -> u64 {
        match word {
            "handle" => self.handle.raw() as u64,
            "A" => self.a.a() as u64,
            "C" => self.c.a() as u64,
            // The first members.
            "a" => self.a.a_base() as u64,
            "c" => self.c.a_base() as u64,
            "tau" => self.a.tau_base() as u64,
            "queue" => self.queue.raw() as u64,
            "pivots" => self.room.tau_base() as u64,
            "ipiv" => self.room.tau() as u64,
            "info" => self.a.info() as u64,
            number => number.parse::<i64>().unwrap() as u64,
        }
    }

    /// A call of an exported function; `words`: its arguments, numbers and those of [`Scene::argument`]; `instead`: one of
    /// another value.
    pub fn call(&self, pattern: &str, words: &str, instead: (&str, u64)) -> c_int {
        let argument = |word| if word == instead.0 { instead.1 } else { self.argument(word) };
        let arguments: Vec<u64> = words.split(' ').map(argument).collect();
        // SAFETY: the prototypes of cuBLAS and MAGMA, on memory that is there, or for calls that are refused.
        unsafe { call(self.a.lib, &self.name(pattern), [0.0; 4], &arguments) }
    }

    pub fn run(&self, pattern: &str, words: &str) -> c_int {
        self.call(pattern, words, ("", 0))
    }

    pub fn name(&self, pattern: &str) -> String {
        symbol_name(pattern, self.a.dtype)
    }

    /// What is in the first columns of each member beside the matrices.
    pub fn solutions(&self, columns: usize) -> Vec<Vec<u8>> {
        let all = self.c.matrices();
        let element = self.c.dtype.bytes();
        let rows = (all.len() / BATCH / element).isqrt();
        all.chunks(all.len() / BATCH).map(|member| member[..rows * columns * element].to_vec()).collect()
    }

    /// The parts of these elements.
    fn parts(&self, elements: &[u8]) -> Vec<f64> {
        let number = |x: &[u8]| match <[u8; 8]>::try_from(x) {
            Ok(x) => f64::from_ne_bytes(x),
            Err(_) => f32::from_ne_bytes(x.try_into().unwrap()).into(),
        };
        elements.chunks(if self.a.dtype.is_double() { 8 } else { 4 }).map(number).collect()
    }

    /// Whether these elements are NaN in all of their parts.
    pub fn is_nan(&self, elements: &[u8]) -> bool {
        self.parts(elements).iter().all(|x| x.is_nan())
    }

    /// Whether of so many columns none is finite.
    pub fn is_divided(&self, elements: &[u8], columns: usize) -> bool {
        let parts = self.parts(elements);
        parts.chunks(parts.len() / columns).all(|column| !column.iter().all(|x| x.is_finite()))
    }

    pub fn codes(&self) -> [c_int; BATCH] {
        self.a.infos().try_into().unwrap()
    }
}

pub fn on_every_dtype(n: usize, input: Input, check: impl Fn(&Scene)) {
    Dtype::ALL.iter().for_each(|&dtype| check(&Scene::new(dtype, n, input)));
}
