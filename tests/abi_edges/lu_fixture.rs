//! Batches of square matrices for LU under the vendors' names, and calls on them.

use super::fixture::{BATCH, Fixture};
use std::ffi::c_int;
use tephra_testkit::Dtype;
use tephra_testkit::any_call::call;
use tephra_testkit::library::{CublasHandle, MagmaQueue, symbol_name};

/// The operands of the calls: matrices and codes, right-hand sides or inverses, pivots.
pub struct LuFixture {
    pub a: Fixture,
    pub c: Fixture,
    /// The memory of its scalar factors is used for pivots.
    pub pivots: Fixture,
    handle: CublasHandle,
    queue: MagmaQueue,
}

/// The contents of the matrices.
#[derive(Clone, Copy)]
pub enum Input {
    /// 40 on the diagonal and small numbers elsewhere, so that no interchange is needed.
    Regular,
    /// Like `Regular`, but the third column of the middle member is zero.
    Singular,
    /// The middle member is zero.
    Zero,
    /// The middle member's last element is a NaN.
    Nan,
    /// In the first columns, the second element is as large as the first.
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

impl LuFixture {
    /// Square matrices of order n, and as many columns for right-hand sides.
    pub fn new(dtype: Dtype, n: usize, input: Input) -> LuFixture {
        let [mut a, c, pivots] = [(); 3].map(|()| Fixture::new(dtype, n, n));
        a.fill(n, |b, i, j| value(input, n, (b, i, j)));
        let handle = a.lib.cublas_handle(a.stream.raw()).unwrap();
        let queue = a.queue();
        LuFixture { a, c, pivots, handle, queue }
    }

    pub fn restore(&self) {
        [&self.a, &self.c, &self.pivots].into_iter().for_each(Fixture::restore);
    }

    pub fn is_untouched(&self) -> bool {
        [&self.a, &self.c, &self.pivots].iter().all(|s| s.is_untouched())
    }

    /// The address that a word stands for.
    fn argument(&self, word: &str) -> u64 {
        match word {
            "handle" => self.handle.raw() as u64,
            "A" => self.a.a() as u64,
            "C" => self.c.a() as u64,
            // Lower-case words stand for the first member.
            "a" => self.a.a_base() as u64,
            "c" => self.c.a_base() as u64,
            "tau" => self.a.tau_base() as u64,
            "queue" => self.queue.raw() as u64,
            "pivots" => self.pivots.tau_base() as u64,
            "ipiv" => self.pivots.tau() as u64,
            "info" => self.a.info() as u64,
            number => number.parse::<i64>().unwrap() as u64,
        }
    }

    /// Calls an exported function. `words` lists its arguments, as numbers or words of [`LuFixture::argument`];
    /// `replaced` is a word and the value that it gets instead.
    pub fn call(&self, pattern: &str, words: &str, replaced: (&str, u64)) -> c_int {
        let argument = |word| if word == replaced.0 { replaced.1 } else { self.argument(word) };
        let arguments: Vec<u64> = words.split(' ').map(argument).collect();
        // SAFETY: the arguments match the prototypes of cuBLAS and MAGMA; they point to valid memory, or the call is
        // refused.
        unsafe { call(self.a.lib, &self.name(pattern), [0.0; 4], &arguments) }
    }

    pub fn run(&self, pattern: &str, words: &str) -> c_int {
        self.call(pattern, words, ("", 0))
    }

    pub fn name(&self, pattern: &str) -> String {
        symbol_name(pattern, self.a.dtype)
    }

    /// The first columns of each member's right-hand sides.
    pub fn solutions(&self, columns: usize) -> Vec<Vec<u8>> {
        let all = self.c.matrices();
        let element = self.c.dtype.bytes();
        let rows = (all.len() / BATCH / element).isqrt();
        all.chunks(all.len() / BATCH).map(|member| member[..rows * columns * element].to_vec()).collect()
    }

    /// The real and imaginary parts of these elements.
    fn parts(&self, elements: &[u8]) -> Vec<f64> {
        let number = |x: &[u8]| match <[u8; 8]>::try_from(x) {
            Ok(x) => f64::from_ne_bytes(x),
            Err(_) => f32::from_ne_bytes(x.try_into().unwrap()).into(),
        };
        elements.chunks(if self.a.dtype.is_double() { 8 } else { 4 }).map(number).collect()
    }

    /// Whether these elements are NaN in all their parts.
    pub fn is_nan(&self, elements: &[u8]) -> bool {
        self.parts(elements).iter().all(|x| x.is_nan())
    }

    /// Whether none of this many columns is entirely finite.
    pub fn is_divided(&self, elements: &[u8], columns: usize) -> bool {
        let parts = self.parts(elements);
        parts.chunks(parts.len() / columns).all(|column| !column.iter().all(|x| x.is_finite()))
    }

    pub fn codes(&self) -> [c_int; BATCH] {
        self.a.infos().try_into().unwrap()
    }
}

pub fn on_every_dtype(n: usize, input: Input, check: impl Fn(&LuFixture)) {
    Dtype::ALL.iter().for_each(|&dtype| check(&LuFixture::new(dtype, n, input)));
}
