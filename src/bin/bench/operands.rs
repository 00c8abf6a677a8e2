//! The batch a case is timed on: the untouched input, the copy that is factored, tau, and the pointer arrays.

use super::Failure;
use super::machine::Machine;
use crate::case::Case;
use std::ffi::c_void;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Matrix, Rng, Scalar, with_scalar};

/// Bytes of matrices made on the host; larger batches repeat them by copies within the backend's memory.
const DISTINCT_BYTES: usize = 64 << 20;

/// Operands of one case in the memory of the backend, matrices and tau vectors packed one after the other.
pub struct Operands<'a> {
    pub case: Case,
    pub machine: &'a Machine,
    /// The library's workspace for the case (it may be empty).
    pub workspace: Memory,
    work: Memory,
    pristine: Memory,
    tau: Memory,
    a_array: Memory,
    tau_array: Memory,
    distinct: usize,
    source: Source,
}

/// What the input matrices are.
#[derive(Clone, Copy)]
pub struct Source {
    /// Their class; speed is measured on uniform(-1, 1).
    pub class: Class,
    /// The same seed gives the same matrices on every machine.
    pub seed: u64,
}

impl<'a> Operands<'a> {
    /// Allocates and fills the batch.
    pub fn new(machine: &'a Machine, case: Case, source: Source) -> Result<Self, Failure> {
        let (library, shape, element) = (machine.library, case.shape, case.dtype.bytes());
        let (a_stride, tau_stride) = (case.matrix_elements() * element, case.k() * element);
        let [m, n, lda, batch] = [shape.m, shape.n, case.lda, shape.batch].map(|x| x as i64);
        let workspace = library.geqrf_workspace(case.dtype, m, n, lda, batch)?;
        let new = |bytes| Memory::new(library, Kind::Device, bytes);
        let operands = Operands {
            case,
            machine,
            workspace: new(workspace)?,
            work: new(case.batch_bytes())?,
            pristine: new(case.batch_bytes())?,
            tau: new(tau_stride * shape.batch)?,
            a_array: new(size_of::<usize>() * shape.batch)?,
            tau_array: new(size_of::<usize>() * shape.batch)?,
            distinct: (DISTINCT_BYTES / a_stride).clamp(1, shape.batch),
            source,
        };
        operands.a_array.write(&addresses(&operands.work, a_stride, shape.batch))?;
        operands.tau_array.write(&addresses(&operands.tau, tau_stride, shape.batch))?;
        with_scalar!(case.dtype, T => operands.fill::<T>())?;
        Ok(operands)
    }

    /// The array of pointers to the matrices.
    pub fn a_array(&self) -> *const *mut c_void {
        self.a_array.pointer() as *const *mut c_void
    }

    /// The array of pointers to the tau vectors.
    pub fn tau_array(&self) -> *const *mut c_void {
        self.tau_array.pointer() as *const *mut c_void
    }

    /// Start of the first matrix.
    pub fn a(&self) -> *mut c_void {
        self.work.pointer()
    }

    /// Start of the first tau vector.
    pub fn tau(&self) -> *mut c_void {
        self.tau.pointer()
    }

    /// Matrix `i` of the input.
    pub fn input<T: Scalar>(&self, i: usize) -> Matrix<T> {
        input(&self.case, self.source, i % self.distinct)
    }

    /// Makes the distinct matrices on all cores, uploads them, and repeats them by doubling copies.
    fn fill<T: Scalar>(&self) -> Result<(), Failure> {
        let (case, source, each) = (self.case, self.source, self.case.matrix_elements());
        let mut host = vec![T::POISON; self.distinct * each];
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let share = self.distinct.div_ceil(threads);
        std::thread::scope(|scope| {
            for (t, chunk) in host.chunks_mut(share * each).enumerate() {
                scope.spawn(move || {
                    for (i, a) in chunk.chunks_mut(each).enumerate() {
                        let input = input::<T>(&case, source, t * share + i);
                        for (j, column) in a.chunks_mut(case.lda).enumerate() {
                            column[..case.shape.m].copy_from_slice(input.col(j));
                        }
                    }
                });
            }
        });
        self.pristine.write(&host)?;
        let (start, bytes) = (self.pristine.pointer(), self.pristine.bytes());
        let (library, stream) = (self.machine.library, self.machine.stream.raw());
        let mut done = size_of_val(&host[..]);
        while done < bytes {
            let more = done.min(bytes - done);
            // SAFETY: both ranges lie in the allocation and do not overlap.
            unsafe { library.memcpy(start.byte_add(done), start, more, stream) }?;
            done += more;
        }
        Ok(())
    }

    /// Puts NaN where tau is expected, so that nothing left by an earlier run can pass for a result.
    pub fn poison(&self) -> Result<(), Failure> {
        Ok(self.tau.write(&vec![0xffu8; self.tau.bytes()])?)
    }

    /// Copies the input over the matrices.
    pub fn restore(&self) -> Result<(), Failure> {
        self.machine.restore(&self.work, &self.pristine)
    }

    /// The result of matrix `i`: the factored matrix and its tau.
    pub fn result<T: Scalar>(&self, i: usize) -> Result<(Matrix<T>, Vec<T>), Failure> {
        let Case { lda, shape, .. } = self.case;
        let a = self.download(&self.work, i, self.case.matrix_elements())?;
        let tau = self.download(&self.tau, i, self.case.k())?;
        Ok((Matrix::from_fn(shape.m, shape.n, |row, col| a[row + col * lda]), tau))
    }

    /// Member `i` of packed members of `each` elements.
    fn download<T: Scalar>(&self, memory: &Memory, i: usize, each: usize) -> Result<Vec<T>, Failure> {
        let mut host = vec![T::POISON; each];
        let bytes = size_of_val(&host[..]);
        assert!((i + 1) * bytes <= memory.bytes());
        // SAFETY: the member lies in the allocation, and the host buffer has its size.
        unsafe {
            let member = memory.pointer().byte_add(i * bytes);
            self.machine.library.memcpy(host.as_mut_ptr().cast(), member, bytes, self.machine.stream.raw())
        }?;
        Ok(host)
    }
}

/// The `i`-th distinct matrix of a case.
fn input<T: Scalar>(case: &Case, source: Source, i: usize) -> Matrix<T> {
    let mut rng = Rng::new(source.seed.wrapping_mul(1_000_003).wrapping_add(i as u64));
    source.class.generate(case.shape.m, case.shape.n, &mut rng)
}

fn addresses(memory: &Memory, stride: usize, count: usize) -> Vec<usize> {
    (0..count).map(|i| memory.pointer() as usize + i * stride).collect()
}
