//! Batches of matrices with their own sizes, between red zones, poisoned before a call and checked to the last bit
//! after it.

pub mod fixture;
pub mod vectors;

use crate::memory::{Kind, Memory};
use crate::scalar::bytes_of;
use crate::{Error, Library, Matrix, Result, Rng, Scalar};
use std::ffi::c_int;

/// A batch, with what a routine is told about it and what it leaves.
pub struct VariableSizeBatch<T> {
    /// Rows and columns of each member.
    shapes: Vec<(usize, usize)>,
    lds: Vec<usize>,
    starts: Vec<usize>,
    image: Vec<T>,
    memory: Memory,
    pointers: Memory,
}

/// A function's name, its arguments as words of [`fixture::BatchFixture`] or [`vectors::BatchFixture`], and whether it
/// returns a code.
pub type EntrySpec = (&'static str, &'static str, bool);

/// Elements between members.
const GAP: usize = 5;

impl<T: Scalar> VariableSizeBatch<T> {
    /// Allocates members in random order, each with a few rows of padding.
    pub fn new(lib: &'static Library, shapes: &[(usize, usize)], seed: u64) -> Result<Self> {
        let (mut rng, mut end) = (Rng::new(seed), GAP);
        let lds: Vec<usize> = shapes.iter().map(|&(m, _)| m.max(1) + rng.below(4)).collect();
        let mut starts = vec![0; shapes.len()];
        for i in rng.permutation(shapes.len()) {
            starts[i] = end;
            end += lds[i] * shapes[i].1 + GAP;
        }
        let image = vec![T::POISON; end];
        let memory = Memory::new(lib, Kind::Device, size_of_val(&image[..]))?;
        let base = memory.pointer() as usize;
        // Members without elements get a NULL pointer.
        let address =
            |(start, &(m, n)): (&usize, &(usize, usize))| if m * n == 0 { 0 } else { base + start * size_of::<T>() };
        let addresses: Vec<usize> = starts.iter().zip(shapes).map(address).collect();
        let pointers = Memory::new(lib, Kind::Device, size_of_val(&addresses[..]))?;
        pointers.write(&addresses)?;
        Ok(VariableSizeBatch { shapes: shapes.to_vec(), lds, starts, image, memory, pointers })
    }

    /// Allocates these members.
    pub fn of(lib: &'static Library, members: &[Matrix<T>], seed: u64) -> Result<Self> {
        let shapes: Vec<_> = members.iter().map(|a| (a.rows(), a.cols())).collect();
        let mut varying = VariableSizeBatch::new(lib, &shapes, seed)?;
        members.iter().enumerate().for_each(|(i, a)| varying.set(i, a));
        Ok(varying)
    }

    /// Makes the pointer to a member NULL.
    pub fn forget(&mut self, i: usize) -> Result<()> {
        let mut addresses = vec![0usize; self.shapes.len()];
        self.pointers.read(&mut addresses)?;
        addresses[i] = 0;
        self.pointers.write(&addresses)
    }

    /// Sets the value of a member before the call.
    pub fn set(&mut self, i: usize, a: &Matrix<T>) {
        for j in 0..a.cols() {
            let at = self.starts[i] + j * self.lds[i];
            self.image[at..at + a.rows()].copy_from_slice(a.col(j));
        }
    }

    /// Copies everything to the backend's memory.
    pub fn upload(&self) -> Result<()> {
        self.memory.write(&self.image)
    }

    /// The address of the pointer array.
    pub fn pointers(&self) -> u64 {
        self.pointers.pointer() as u64
    }

    /// Leading dimensions.
    pub fn lds(&self) -> Vec<c_int> {
        self.lds.iter().map(|&ld| ld as c_int).collect()
    }

    /// The current members. `written` says in which of them the call may have written; all other memory must be
    /// unchanged.
    pub fn download(&self, written: impl Fn(usize) -> bool) -> Result<Vec<Matrix<T>>> {
        self.download_if(&written)
    }

    /// [`VariableSizeBatch::download`], not generic so that it is compiled only once.
    fn download_if(&self, written: &dyn Fn(usize) -> bool) -> Result<Vec<Matrix<T>>> {
        let mut now = self.image.clone();
        self.memory.read(&mut now)?;
        let members = self
            .shapes
            .iter()
            .enumerate()
            .map(|(i, &(m, n))| Matrix::from_fn(m, n, |r, c| now[self.starts[i] + c * self.lds[i] + r]));
        let members: Vec<_> = members.collect();
        for (i, &(m, n)) in self.shapes.iter().enumerate().filter(|(i, _)| written(*i)) {
            for c in 0..n {
                let at = self.starts[i] + c * self.lds[i];
                now[at..at + m].copy_from_slice(&self.image[at..at + m]);
            }
        }
        if bytes_of(&now) != bytes_of(&self.image) {
            let at = now
                .iter()
                .zip(&self.image)
                .position(|(x, y)| bytes_of(std::slice::from_ref(x)) != bytes_of(std::slice::from_ref(y)));
            return Err(Error::Guard(format!("element {at:?} is in no matrix that may be written")));
        }
        Ok(members)
    }
}

/// Copies ints to the backend's memory.
pub fn ints(lib: &'static Library, values: &[c_int]) -> Result<Memory> {
    let memory = Memory::new(lib, Kind::Device, size_of_val(values))?;
    memory.write(values)?;
    Ok(memory)
}

/// Sizes for a test: zero, one, the largest, and random ones, which are usually all different.
pub fn shapes(count: usize, (most_m, most_n): (usize, usize), rng: &mut Rng) -> Vec<(usize, usize)> {
    let special = [(most_m, most_n), (0, most_n), (most_m, 0), (1, 1), (1, most_n), (most_m, 1), (0, 0)];
    let random = (special.len()..count).map(|_| (1 + rng.below(most_m), 1 + rng.below(most_n)));
    let mut all: Vec<_> = special.into_iter().take(count).collect();
    all.extend(random);
    let order = rng.permutation(all.len());
    order.into_iter().map(|i| all[i]).collect()
}
