//! A small batch in the backend's memory, and capture of stderr, to see what a call writes.

use std::ffi::{c_int, c_void};
use tephra_testkit::library::MagmaQueue;
use tephra_testkit::memory::{Kind, Memory, Stream};
use tephra_testkit::{Dtype, Library};

pub const BATCH: usize = 3;
const POISON: u8 = 0xa7;

/// BATCH matrices, their tau and MAGMA's info. The matrices hold small integers; the rest is poisoned.
pub struct Fixture {
    pub lib: &'static Library,
    pub dtype: Dtype,
    pub stream: Stream,
    a: Memory,
    tau: Memory,
    info: Memory,
    a_array: Memory,
    tau_array: Memory,
    before: [Vec<u8>; 3],
}

impl Fixture {
    pub fn new(dtype: Dtype, m: usize, n: usize) -> Fixture {
        let lib = Library::required();
        let device = |bytes: usize| Memory::new(lib, Kind::Device, bytes).unwrap();
        let (size, k) = (m * n * dtype.bytes(), m.min(n) * dtype.bytes());
        let (a, tau, info) = (device(BATCH * size), device(BATCH * k), device(BATCH * size_of::<c_int>()));
        let array = |base: &Memory, step: usize| {
            let array = device(BATCH * size_of::<usize>());
            array.write(&(0..BATCH).map(|i| base.pointer() as usize + i * step).collect::<Vec<_>>()).unwrap();
            array
        };
        let (a_array, tau_array) = (array(&a, size), array(&tau, k));
        let before = [numbers(dtype, BATCH * m * n), vec![POISON; tau.bytes()], vec![POISON; info.bytes()]];
        let stream = Stream::new(lib).unwrap();
        let fixture = Fixture { lib, dtype, stream, a, tau, info, a_array, tau_array, before };
        fixture.restore();
        fixture
    }

    /// Fills the matrices by member, row and column.
    pub fn fill(&mut self, m: usize, value: impl Fn(usize, usize, usize) -> f64) {
        let dtype = self.dtype;
        let columns = self.a.bytes() / (BATCH * m * dtype.bytes());
        let places = (0..BATCH).flat_map(|b| (0..columns).flat_map(move |j| (0..m).map(move |i| (b, i, j))));
        self.before[0] = places.flat_map(|(b, i, j)| element(dtype, value(b, i, j))).collect();
        self.restore();
    }

    /// Sets the scalar factors, or whatever is stored in their memory.
    pub fn set_factors(&mut self, bytes: &[u8]) {
        self.before[1] = bytes.to_vec();
        self.restore();
    }

    /// Restores the memory's initial contents.
    pub fn restore(&self) {
        for (memory, bytes) in [&self.a, &self.tau, &self.info].into_iter().zip(&self.before) {
            memory.write(bytes).unwrap();
        }
    }

    pub fn a(&self) -> *const *mut c_void {
        self.a_array.pointer().cast()
    }

    pub fn tau(&self) -> *const *mut c_void {
        self.tau_array.pointer().cast()
    }

    pub fn a_base(&self) -> *mut c_void {
        self.a.pointer()
    }

    pub fn tau_base(&self) -> *mut c_void {
        self.tau.pointer()
    }

    pub fn info(&self) -> *mut c_int {
        self.info.pointer().cast()
    }

    pub fn queue(&self) -> MagmaQueue {
        self.lib.magma_queue_on(self.stream.raw()).unwrap()
    }

    fn bytes(&self, memory: &Memory) -> Vec<u8> {
        self.stream.synchronize().unwrap();
        let mut bytes = vec![0; memory.bytes()];
        memory.read(&mut bytes).unwrap();
        bytes
    }

    /// The current matrices, as bytes.
    pub fn matrices(&self) -> Vec<u8> {
        self.bytes(&self.a)
    }

    /// The current scalar factors, as bytes.
    pub fn factors(&self) -> Vec<u8> {
        self.bytes(&self.tau)
    }

    /// MAGMA's current info array.
    pub fn infos(&self) -> Vec<c_int> {
        integers(&self.bytes(&self.info))
    }

    pub fn is_untouched(&self) -> bool {
        [&self.a, &self.tau, &self.info].into_iter().zip(&self.before).all(|(memory, b)| self.bytes(memory) == *b)
    }

    /// Whether both matrices and scalar factors have been written.
    pub fn is_factored(&self) -> bool {
        let tau = self.factors();
        self.matrices() != self.before[0] && tau.chunks(self.dtype.bytes()).all(|t| t.iter().any(|&b| b != POISON))
    }
}

pub fn integers(bytes: &[u8]) -> Vec<c_int> {
    bytes.chunks(4).map(|b| c_int::from_ne_bytes(b.try_into().unwrap())).collect()
}

/// The bytes of a real number in the type.
pub fn element(dtype: Dtype, x: f64) -> Vec<u8> {
    let mut bytes = if dtype.is_double() { x.to_ne_bytes().to_vec() } else { (x as f32).to_ne_bytes().to_vec() };
    bytes.resize(dtype.bytes(), 0);
    bytes
}

/// Small integers, varied enough that no matrix is triangular to begin with.
fn numbers(dtype: Dtype, elements: usize) -> Vec<u8> {
    let parts = elements * if dtype.is_complex() { 2 } else { 1 };
    let values = (0..parts).map(|i| ((i * 7919 + 13) % 17) as f64 - 8.0);
    if dtype.is_double() {
        values.flat_map(f64::to_ne_bytes).collect()
    } else {
        values.flat_map(|x| (x as f32).to_ne_bytes()).collect()
    }
}

pub fn assert_line(text: &str, line: &str) {
    assert!(text.lines().any(|l| l == line), "expected {line:?} in {text:?}");
}
