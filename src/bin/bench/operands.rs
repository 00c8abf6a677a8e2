//! The operands of a timed case: the pristine inputs, the working copies, the results, and the pointer arrays.

use super::call::{self, Call};
use super::input::Input;
use super::machine::Machine;
use crate::case::{Case, Shape};
use crate::failure::Failure;
use crate::operation::{EACH, Input as Overwritten, MatrixKind, Op};
use std::cell::OnceCell;
use std::ffi::c_void;
use tephra_testkit::library::Backend;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Rng, Scalar, with_scalar};

/// One operand of the batch: its members stored contiguously, and the array of pointers to them.
pub struct BatchOperand {
    rows: usize,
    cols: usize,
    ld: usize,
    element: usize,
    pristine: Option<Memory>,
    work: Memory,
    array: Memory,
}

impl BatchOperand {
    fn new(
        machine: &Machine,
        batch: usize,
        element: usize,
        (rows, cols): (usize, usize),
        ld: usize,
        input: bool,
    ) -> Result<Self, Failure> {
        let new = |bytes| Memory::new(machine.library, Kind::Device, bytes);
        let (bytes, ld) = (ld.max(1) * cols * element * batch, ld.max(1));
        let pristine = if input { Some(new(bytes)?) } else { None };
        let part = BatchOperand {
            rows,
            cols,
            ld,
            element,
            pristine,
            work: new(bytes)?,
            array: new(size_of::<usize>() * batch)?,
        };
        part.array.write(&addresses(&part.work, part.each() * element, batch)?)?;
        Ok(part)
    }

    /// Number of elements of a member.
    pub fn each(&self) -> usize {
        self.ld * self.cols
    }

    /// The array of pointers to its members.
    pub fn array(&self) -> *const *mut c_void {
        self.array.pointer() as *const *mut c_void
    }

    /// Start of its first member.
    pub fn start(&self) -> *mut c_void {
        self.work.pointer()
    }

    /// Its leading dimension.
    pub fn ld(&self) -> i64 {
        self.ld as i64
    }

    /// Fills the memory with NaN, so that nothing from an earlier run can be mistaken for a result.
    fn poison(&self) -> Result<(), Failure> {
        Ok(self.work.write(&filled(0xffu8, self.work.bytes())?)?)
    }

    /// Generates the distinct members on all cores, uploads them, and repeats them over the batch by doubling copies.
    fn fill<T: Scalar>(
        &self,
        machine: &Machine,
        distinct: usize,
        member: impl Fn(usize) -> Matrix<T> + Sync,
    ) -> Result<(), Failure> {
        let (Some(pristine), each) = (&self.pristine, self.each()) else { return Ok(()) };
        let mut host = filled(T::POISON, distinct * each)?;
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let (share, member) = (distinct.div_ceil(threads), &member);
        std::thread::scope(|scope| {
            for (t, chunk) in host.chunks_mut((share * each).max(1)).enumerate() {
                scope.spawn(move || {
                    for (i, a) in chunk.chunks_mut(each).enumerate() {
                        let input = member(t * share + i);
                        for (j, column) in a.chunks_mut(self.ld).enumerate() {
                            column[..self.rows].copy_from_slice(input.col(j));
                        }
                    }
                });
            }
        });
        pristine.write(&host)?;
        let (start, bytes) = (pristine.pointer(), pristine.bytes());
        let mut done = size_of_val(&host[..]);
        while done < bytes {
            let more = done.min(bytes - done);
            // SAFETY: both ranges lie in the allocation and do not overlap.
            unsafe { machine.library.memcpy(start.byte_add(done), start, more, machine.stream.raw()) }?;
            done += more;
        }
        Ok(())
    }

    fn restore(&self, machine: &Machine) -> Result<(), Failure> {
        self.pristine.as_ref().map_or(Ok(()), |from| machine.restore(&self.work, from))
    }

    /// Makes the current contents of the working copy the pristine input.
    fn keep(&self, machine: &Machine) -> Result<(), Failure> {
        let Some(to) = &self.pristine else { return Ok(()) };
        let (bytes, stream) = (to.bytes(), machine.stream.raw());
        // SAFETY: two live allocations of that size.
        Ok(unsafe { machine.library.memcpy(to.pointer(), self.work.pointer(), bytes, stream) }?)
    }

    fn member<T: Scalar>(&self, machine: &Machine, memory: &Memory, i: usize) -> Result<Matrix<T>, Failure> {
        assert_eq!(size_of::<T>(), self.element);
        let mut host = vec![T::POISON; self.each()];
        let bytes = self.each() * self.element;
        assert!((i + 1) * bytes <= memory.bytes());
        // SAFETY: the member lies in the allocation, and the host buffer has its size.
        unsafe {
            let member = memory.pointer().byte_add(i * bytes);
            machine.library.memcpy(host.as_mut_ptr().cast(), member, bytes, machine.stream.raw())
        }?;
        Ok(Matrix::from_fn(self.rows, self.cols, |row, col| host[row + col * self.ld]))
    }
}

/// Operands of one case in the memory of the backend.
pub struct Operands<'a> {
    pub case: Case,
    pub machine: &'a Machine,
    /// The library's workspace for the case (it may be empty).
    pub workspace: Memory,
    /// The matrices, the factors, or the triangles.
    pub a: BatchOperand,
    /// B, C, Q or the inverse.
    pub b: BatchOperand,
    /// R of an explicit QR, a product, or X.
    pub r: BatchOperand,
    /// Scalar factors.
    pub tau: BatchOperand,
    /// Row interchanges, or jpvt, the columns chosen to come first and the permutation: ints.
    pub ipiv: BatchOperand,
    /// The members' own sizes and leading dimensions: ints, in the order of [`EACH`].
    each: [Memory; EACH.len()],
    /// A code per matrix.
    pub info: Memory,
    /// Scratch memory for another library, once it has reported how much it needs.
    pub buffer: OnceCell<Memory>,
    /// Generates the input matrices.
    pub inputs: Inputs,
}

/// A description of the input matrices.
#[derive(Clone, Copy)]
pub struct Source {
    /// The class of all or some of them; speed is measured on uniform(-1, 1).
    pub input: Input,
    /// The same seed gives the same matrices on every machine.
    pub seed: u64,
    /// Bytes of matrices generated on the host; larger batches repeat them by copies within the backend's memory.
    pub bytes: usize,
}

impl<'a> Operands<'a> {
    /// Allocates and fills the batch.
    pub fn new(machine: &'a Machine, case: Case, source: Source) -> Result<Self, Failure> {
        let (library, shape) = (machine.library, case.shape);
        if machine.backend == Backend::Cpu {
            fits_the_host(case.bytes())?;
        }
        let (b, k) = (case.b_size(), case.k());
        let new = |element, size, ld, input| BatchOperand::new(machine, shape.batch, element, size, ld, input);
        let part = |size, ld, input| new(case.dtype.bytes(), size, ld, input);
        let (ldb, ldr) = (case.options.ldb.max(1), case.options.ldr.max(1));
        let op = case.op;
        let pivots = op.has("ipiv") || (op.cublas)(&case).iter().any(|(_, words)| words.contains("pivots"));
        let made_before = |word| op.prepared_by.is_some() && op.has(word);
        let operands = Operands {
            case,
            machine,
            workspace: Memory::new(library, Kind::Device, call::workspace(library, &case)?)?,
            a: part(case.a_size(), case.lda, true)?,
            b: part(b, ldb, !op.is_write_only("B"))?,
            r: part(case.r_size(), ldr, false)?,
            tau: part((k, 1), k, made_before("tau"))?,
            ipiv: match case.shape.n {
                n if op.has("jpvt") => new(size_of::<i32>(), (n, 1), n, true)?,
                _ => new(size_of::<i32>(), if pivots { (k, 1) } else { (0, 0) }, k, made_before("ipiv"))?,
            },
            each: sizes(machine, &case)?,
            info: Memory::new(library, Kind::Device, size_of::<i32>() * shape.batch)?,
            buffer: OnceCell::new(),
            inputs: Inputs::new(case, source),
        };
        with_scalar!(case.dtype, T => operands.fill::<T>())?;
        if let Some(routine) = op.prepared_by {
            operands.factor(routine)?;
        }
        Ok(operands)
    }

    fn fill<T: Scalar>(&self) -> Result<(), Failure> {
        let inputs = self.inputs;
        self.a.fill(self.machine, inputs.distinct, |i| inputs.matrix::<T>(i))?;
        if self.case.op.has("jpvt") {
            // f32 zeros have the bits of integer zeros, which leave all columns free to be permuted.
            let columns = self.case.shape.n;
            self.ipiv.fill(self.machine, 1, |_| Matrix::<f32>::from_fn(columns, 1, |_, _| 0.0))?;
        }
        if self.b.each() == 0 {
            return Ok(());
        }
        self.b.fill(self.machine, inputs.distinct, |i| inputs.right::<T>(i))
    }

    /// Factors A with `op`, and keeps the reflectors or factors as the input.
    fn factor(&self, op: Op) -> Result<(), Failure> {
        self.a.restore(self.machine)?;
        let shape = Shape { m: self.a.rows, n: self.case.k(), ..self.case.shape };
        let case = Case { op, shape, ..self.case };
        // T of an implicit Q stays in the workspace.
        let own = if op.has("T") { 0 } else { call::workspace(self.machine.library, &case)? };
        let own = Memory::new(self.machine.library, Kind::Device, own)?;
        Call::native(self, &case, op.strided, if op.has("T") { &self.workspace } else { &own })?.make()?;
        self.a.keep(self.machine)?;
        self.ipiv.keep(self.machine)?;
        self.tau.keep(self.machine)
    }

    /// Fills all operands that are only written with NaN.
    pub fn poison(&self) -> Result<(), Failure> {
        for part in [&self.b, &self.r, &self.tau, &self.ipiv] {
            if part.pristine.is_none() {
                part.poison()?;
            }
        }
        Ok(self.info.write(&filled(0xffu8, self.info.bytes())?)?)
    }

    /// Copies the pristine inputs over the working copies.
    pub fn restore(&self) -> Result<(), Failure> {
        self.tau.restore(self.machine)?;
        self.ipiv.restore(self.machine)?;
        if self.b.each() > 0 {
            self.b.restore(self.machine)?;
        }
        self.a.restore(self.machine)
    }

    /// The inputs that the case's call overwrites, in this library or another one.
    fn overwritten(&self) -> Vec<&BatchOperand> {
        let part = |input: &Overwritten| match input {
            Overwritten::A => &self.a,
            Overwritten::B => &self.b,
            Overwritten::Jpvt => &self.ipiv,
        };
        self.case.op.overwrites.iter().map(part).collect()
    }

    /// Whether repeated calls need [`Operands::refresh`] between them.
    pub fn is_overwritten(&self) -> bool {
        !self.overwritten().is_empty()
    }

    /// Like [`Operands::restore`], but only for what a call overwrites.
    pub fn refresh(&self) -> Result<(), Failure> {
        self.overwritten().into_iter().try_for_each(|part| match &part.pristine {
            Some(from) => self.machine.copy(&part.work, from),
            None => Ok(()),
        })
    }

    /// The current contents of member `i` of a part.
    pub fn result<T: Scalar>(&self, part: &BatchOperand, i: usize) -> Result<Matrix<T>, Failure> {
        part.member(self.machine, &part.work, i)
    }

    /// The code of member `i`, which is not positive if the routine has none.
    pub fn code(&self, i: usize) -> Result<i32, Failure> {
        let (mut code, size) = (-1, size_of::<i32>());
        assert!((i + 1) * size <= self.info.bytes());
        // SAFETY: the element lies in the array, and the variable has its size.
        unsafe {
            let from = self.info.pointer().byte_add(i * size);
            self.machine.library.memcpy((&raw mut code).cast(), from, size, self.machine.stream.raw())
        }?;
        Ok(code)
    }

    /// Rows and columns of member `i`, for members with individual sizes.
    pub fn size_of(&self, i: usize) -> (usize, usize) {
        size_of_member(&self.case, i)
    }

    /// The inner size k of member `i`'s product, for members with individual sizes.
    pub fn terms_of(&self, i: usize) -> usize {
        terms_of_member(&self.case, i)
    }

    /// The array of sizes that a word stands for.
    pub fn sizes(&self, word: &str) -> *mut c_void {
        let place = EACH.iter().position(|(_, each)| *each == word);
        self.each[place.expect("a word for sizes")].pointer()
    }

    /// The current row interchanges of member `i`, as a matrix of whole numbers.
    pub fn interchanges<T: Scalar>(&self, i: usize) -> Result<Matrix<T>, Failure> {
        // Read as f32, which has the size of an int, without changing the bits.
        let bits = self.result::<f32>(&self.ipiv, i)?;
        Ok(from_integers(bits.data().iter().map(|x| x.to_bits() as usize)))
    }

    /// Member `i` of a part as it was before the call.
    pub fn before<T: Scalar>(&self, part: &BatchOperand, i: usize) -> Result<Matrix<T>, Failure> {
        part.member(self.machine, part.pristine.as_ref().unwrap_or(&part.work), i)
    }
}

/// Rows and columns of a member with an individual size, from 1 to the case's; square if the case is.
fn size_of_member(case: &Case, i: usize) -> (usize, usize) {
    let (Shape { m, n, .. }, mut rng) = (case.shape, Rng::new(0x517e ^ i as u64));
    let rows = 1 + rng.below(m.max(1));
    (rows, if m == n { rows } else { 1 + rng.below(n.max(1)) })
}

fn terms_of_member(case: &Case, i: usize) -> usize {
    1 + Rng::new(0x7e12 ^ i as u64).below(case.options.k.max(1))
}

/// The arrays of the members' sizes; all members have the case's leading dimensions.
fn sizes(machine: &Machine, case: &Case) -> Result<[Memory; EACH.len()], Failure> {
    let count = if case.op.varying { case.shape.batch } else { 0 };
    let members = || (0..count).map(|i| size_of_member(case, i));
    let new = |values: Vec<i32>| -> Result<Memory, Failure> {
        let memory = Memory::new(machine.library, Kind::Device, size_of_val(&values[..]))?;
        memory.write(&values)?;
        Ok(memory)
    };
    let same = |ld: usize| new(vec![ld.max(1) as i32; count]);
    Ok([
        new(members().map(|(m, _)| m as i32).collect())?,
        new(members().map(|(_, n)| n as i32).collect())?,
        new((0..count).map(|i| terms_of_member(case, i) as i32).collect())?,
        same(case.lda)?,
        same(case.options.ldb)?,
        same(case.options.ldr)?,
    ])
}

/// Regenerates the input matrices of a case wherever they are needed.
#[derive(Clone, Copy)]
pub struct Inputs {
    case: Case,
    source: Source,
    /// Members that differ; the batch repeats them.
    distinct: usize,
}

impl Inputs {
    fn new(case: Case, source: Source) -> Self {
        let affordable = source.bytes / (case.matrix_elements() * case.dtype.bytes());
        // A multiple of the class's period, so that the repeated batch keeps the class's share.
        let period = source.input.one_in;
        let distinct = (affordable / period * period).max(period).clamp(1, case.shape.batch);
        Inputs { case, source, distinct }
    }

    /// Matrix `i` of the batch as it was generated: A, or the triangle.
    pub fn matrix<T: Scalar>(&self, i: usize) -> Matrix<T> {
        let (rows, cols) = self.case.a_size();
        let (drawn, input) = (self.random::<T>(self.source, i, rows, cols), self.case.op.input);
        if input == MatrixKind::OfClass {
            return drawn;
        }
        // A dominant diagonal makes a triangle well conditioned, so that the residual also says something about the
        // solution; LU then needs no pivoting, and a Hermitian matrix is positive definite.
        let (order, hermitian) = (rows as f64, input == MatrixKind::Definite);
        let dominant = drawn.data().iter().map(|x| 1.5 * x.to_double().max_abs_part()).fold(2.0, f64::max);
        Matrix::from_fn(rows, cols, |i, j| {
            let x = drawn[if hermitian { (i.max(j), i.min(j)) } else { (i, j) }].to_double();
            T::from_double(match (i == j, hermitian) {
                (true, true) => T::Double::real(dominant + x.re().abs()),
                (true, false) => x + T::Double::real(dominant),
                (false, true) if i < j => x.scale(1.0 / order).conj(),
                (false, _) => x.scale(1.0 / order),
            })
        })
    }

    /// Right-hand side, or C, of member `i` as it was generated.
    pub fn right<T: Scalar>(&self, i: usize) -> Matrix<T> {
        let (rows, cols) = self.case.b_size();
        let source = Source { input: Input::UNIFORM, seed: self.source.seed ^ 0x5eed, ..self.source };
        self.random(source, i, rows, cols)
    }

    fn random<T: Scalar>(&self, source: Source, i: usize, rows: usize, cols: usize) -> Matrix<T> {
        let i = i % self.distinct;
        let mut rng = Rng::new(source.seed.wrapping_mul(1_000_003).wrapping_add(i as u64));
        source.input.class_of(i).generate(rows, cols, &mut rng)
    }
}

fn addresses(memory: &Memory, stride: usize, count: usize) -> Result<Vec<usize>, Failure> {
    let mut all = filled(0, count)?;
    all.iter_mut().enumerate().for_each(|(i, address)| *address = memory.pointer() as usize + i * stride);
    Ok(all)
}

/// Allocates a vector of `count` elements, or fails if there is not enough host memory.
fn filled<T: Copy>(with: T, count: usize) -> Result<Vec<T>, Failure> {
    let mut all = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    all.try_reserve_exact(count).map_err(|_| Failure::other(format!("the host has no {bytes} bytes")))?;
    all.resize(count, with);
    Ok(all)
}

/// Rejects matrices of which two copies, of this many bytes each, exceed the host's available memory: a system that
/// overcommits memory would kill the program later. None: more than can be counted.
pub fn fits_the_host(bytes: Option<usize>) -> Result<(), Failure> {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let Some(free) = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok()) else {
        return Ok(());
    };
    let (free, needed) = (free.saturating_mul(1024), bytes.unwrap_or(usize::MAX).saturating_mul(2));
    let gib = |bytes: usize| bytes as f64 / f64::powi(2.0, 30);
    if needed <= free {
        return Ok(());
    }
    Err(Failure::other(format!(
        "two copies of its matrices take {:.1} GiB, and {:.1} GiB are free",
        gib(needed),
        gib(free)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::named;
    use tephra_testkit::Dtype;
    use tephra_testkit::matrices::Class;

    #[test]
    fn a_share_of_the_batch_is_of_the_class() {
        let case = Case::packed(named("geqrf"), Dtype::D, Shape { m: 4, n: 3, batch: 1000 });
        for bytes in [1, 150 * 96, 1 << 20] {
            let source = Source { input: Input { class: Class::Zero, one_in: 100 }, seed: 1, bytes };
            let inputs = Inputs::new(case, source);
            let zeros: Vec<usize> =
                (0..1000).filter(|&i| inputs.matrix::<f64>(i).data().iter().all(|x| *x == 0.0)).collect();
            assert_eq!(zeros, (0..1000).step_by(100).collect::<Vec<_>>(), "{bytes} bytes");
        }
    }
}
