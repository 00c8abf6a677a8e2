//! One batched QR factorisation through any of the library's ABIs, from poisoned memory to checked results.

use crate::guarded::{Guarded, Placement};
use crate::library::{CublasHandle, MagmaQueue, symbol_name};
use crate::memory::{Kind, Memory};
use crate::scalar::same_bits;
use crate::sweep::{with_plan, without_forced_plan};
use crate::{Error, Library, Matrix, Result, Scalar};
use std::cell::OnceCell;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

/// An entry point of batched QR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryForm {
    /// `tephra_?geqrf_batched`
    Pointers,
    /// `tephra_?geqrf_strided_batched`
    Strided,
    /// `cublas?geqrfBatched`
    Cublas,
    /// `magma_?geqrf_batched`
    Magma,
    /// `magma_?geqrf_batched_work`
    MagmaWork,
    /// `tephra_?geqrf`, called once per matrix.
    One,
}

impl EntryForm {
    /// All forms that take a batch.
    pub const ALL: [EntryForm; 5] =
        [EntryForm::Pointers, EntryForm::Strided, EntryForm::Cublas, EntryForm::Magma, EntryForm::MagmaWork];

    /// Whether the form fills MAGMA's info array.
    pub fn writes_info(self) -> bool {
        matches!(self, EntryForm::Magma | EntryForm::MagmaWork)
    }
}

/// A stream, with the handle and the queue that the ABIs need for it. Each is created on first use.
pub struct Session {
    library: &'static Library,
    stream: *mut c_void,
    handle: OnceCell<CublasHandle>,
    queue: OnceCell<MagmaQueue>,
}

impl Session {
    /// A session on the caller's stream (NULL is the default stream), which must outlive it.
    pub fn on(library: &'static Library, stream: *mut c_void) -> Self {
        Session { library, stream, handle: OnceCell::new(), queue: OnceCell::new() }
    }

    /// A session on the default stream.
    pub fn new(library: &'static Library) -> Self {
        Self::on(library, null_mut())
    }

    /// The cuBLAS handle.
    pub fn handle(&self) -> Result<&CublasHandle> {
        if let Some(handle) = self.handle.get() {
            return Ok(handle);
        }
        let handle = self.library.cublas_handle(self.stream)?;
        Ok(self.handle.get_or_init(|| handle))
    }

    /// The MAGMA queue. Creating it sets the current device, and with it the current context, as MAGMA does.
    pub fn queue(&self) -> Result<&MagmaQueue> {
        if let Some(queue) = self.queue.get() {
            return Ok(queue);
        }
        let queue = self.library.magma_queue_on(self.stream)?;
        Ok(self.queue.get_or_init(|| queue))
    }

    /// The library.
    pub fn library(&self) -> &'static Library {
        self.library
    }

    /// The stream.
    pub fn stream(&self) -> *mut c_void {
        self.stream
    }

    /// Waits for the stream.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the caller of `on` keeps the stream alive.
        unsafe { self.library.stream_synchronize(self.stream) }
    }
}

/// One factored matrix.
#[derive(Clone, Debug)]
pub struct Factored<T> {
    /// R on and above the diagonal, the reflectors' vectors below it.
    pub factors: Matrix<T>,
    /// The min(m, n) scalar factors.
    pub tau: Vec<T>,
}

impl<T: Scalar> Factored<T> {
    /// Whether factors and tau are bitwise equal.
    pub fn same_bits(&self, other: &Self) -> bool {
        same_bits(self.factors.data(), other.factors.data()) && same_bits(&self.tau, &other.tau)
    }
}

/// A batch and its outputs in guarded memory.
pub struct QrBatch<T> {
    m: usize,
    n: usize,
    a: Guarded<T>,
    tau: Guarded<T>,
    info: Memory,
    work: OnceCell<Memory>,
    library: &'static Library,
}

const INFO_POISON: c_int = -77;

type Raw = *mut c_void;

/// The addresses of members that lie one after the other at a fixed stride.
pub(crate) fn each<T: Scalar>(operand: &Guarded<T>) -> impl Iterator<Item = *mut c_void> + use<T> {
    let (base, step) = (operand.base(), operand.stride() as isize * T::DTYPE.bytes() as isize);
    (0..operand.batch() as isize).map(move |i| base.wrapping_byte_offset(i * step))
}

impl<T: Scalar> QrBatch<T> {
    /// Allocates `batch` m x n matrices and their tau, laid out as `place` says.
    pub fn new(library: &'static Library, m: usize, n: usize, batch: usize, place: &Placement) -> Result<Self> {
        // tau has a different order, and no padding because vectors have no leading dimension.
        let tau_place =
            Placement { padding: 0, interleaved: false, shuffle: place.shuffle.map(|s| s ^ 0x7a75), ..place.clone() };
        Ok(QrBatch {
            m,
            n,
            a: Guarded::new(library, m, n, batch, place)?,
            tau: Guarded::new(library, m.min(n), 1, batch, &tau_place)?,
            info: Memory::new(library, Kind::Device, batch * size_of::<c_int>())?,
            work: OnceCell::new(),
            library,
        })
    }

    /// Allocates and uploads a batch with these inputs, which must all have the same shape.
    pub fn of(library: &'static Library, inputs: &[Matrix<T>], place: &Placement) -> Result<Self> {
        let (m, n) = inputs.first().map_or((0, 0), |a| (a.rows(), a.cols()));
        let mut batch = Self::new(library, m, n, inputs.len(), place)?;
        inputs.iter().enumerate().for_each(|(i, a)| batch.set(i, a));
        batch.upload()?;
        Ok(batch)
    }

    /// Number of matrices.
    pub fn batch(&self) -> usize {
        self.a.batch()
    }

    /// Stores a matrix in the host image; [`QrBatch::upload`] copies it to the backend.
    pub fn set(&mut self, i: usize, a: &Matrix<T>) {
        self.a.set(i, a);
    }

    /// Restores the inputs and poisons all outputs.
    pub fn upload(&self) -> Result<()> {
        self.a.upload()?;
        self.tau.upload()?;
        self.info.write(&vec![INFO_POISON; self.batch()])
    }

    /// Issues the factorisation on the session's stream. It waits only where the ABI itself waits.
    pub fn issue(&self, session: &Session, form: EntryForm) -> Result<()> {
        let (m, n, lda, batch) = (self.m as i64, self.n as i64, self.a.ld(), self.batch() as i64);
        let (m32, n32, lda32, batch32) = (m as c_int, n as c_int, lda as c_int, batch as c_int);
        let (pa, ptau, info) = (self.a.pointers(), self.tau.pointers(), self.info.pointer() as *mut c_int);
        let (lib, stream) = (self.library, session.stream);
        let dtype = T::DTYPE;
        // SAFETY: all memory has the given sizes and lives until the caller has synchronised.
        unsafe {
            match form {
                EntryForm::Pointers => {
                    let code = lib.geqrf_pointers(dtype)(m, n, pa, lda, ptau, batch, null_mut(), 0, stream);
                    lib.status("tephra_geqrf_batched", code)
                }
                EntryForm::Strided => {
                    let (sa, stau) = (self.a.stride(), self.tau.stride());
                    let (a, tau) = (self.a.base(), self.tau.base());
                    let code = lib.geqrf_strided(dtype)(m, n, a, lda, sa, tau, stau, batch, null_mut(), 0, stream);
                    lib.status("tephra_geqrf_strided_batched", code)
                }
                EntryForm::One => {
                    type One = unsafe extern "C" fn(i64, i64, Raw, i64, Raw, Raw, usize, Raw) -> c_int;
                    let f: One = lib.symbol(&symbol_name("tephra_?geqrf", dtype))?;
                    let mut members = each(&self.a).zip(each(&self.tau));
                    members.try_for_each(|(a, tau)| {
                        lib.status("tephra_geqrf", f(m, n, a, lda, tau, null_mut(), 0, stream))
                    })
                }
                EntryForm::Cublas => self.issue_cublas(session.handle()?),
                EntryForm::Magma => {
                    let queue = session.queue()?.raw();
                    let code = lib.magma_geqrf(dtype)(m32, n32, pa, lda32, ptau, info, batch32, queue);
                    magma_status("magma_?geqrf_batched", code)
                }
                EntryForm::MagmaWork => {
                    let (geqrf, queue) = (lib.magma_geqrf_work(dtype), session.queue()?.raw());
                    let mut lwork: c_int = -1;
                    let query = geqrf(m32, n32, pa, lda32, ptau, info, null_mut(), &mut lwork, batch32, queue);
                    magma_status("magma_?geqrf_batched_work (query)", query)?;
                    let work = self.workspace(lwork as usize)?;
                    let code = geqrf(m32, n32, pa, lda32, ptau, info, work, &mut lwork, batch32, queue);
                    magma_status("magma_?geqrf_batched_work", code)
                }
            }
        }
    }

    /// Like [`QrBatch::run`], by `cublas?geqrfBatched` of another shared object: `handle` belongs to NVIDIA's cuBLAS.
    pub fn run_with_cublas(&self, session: &Session, handle: &CublasHandle) -> Result<Vec<Factored<T>>> {
        self.upload()?;
        self.issue_cublas(handle)?;
        self.collect(session, EntryForm::Cublas)
    }

    fn issue_cublas(&self, handle: &CublasHandle) -> Result<()> {
        let (m, n, lda, batch) = (self.m as c_int, self.n as c_int, self.a.ld() as c_int, self.batch() as c_int);
        let mut info = INFO_POISON;
        let geqrf = handle.geqrf(T::DTYPE);
        // SAFETY: as in `issue`.
        let code = unsafe { geqrf(handle.raw(), m, n, self.a.pointers(), lda, self.tau.pointers(), &mut info, batch) };
        match (code, info) {
            (0, 0) => Ok(()),
            (0, info) => Err(Error::status("cublas?geqrfBatched: success, but host info", info)),
            (code, _) => Err(Error::status("cublas?geqrfBatched", code)),
        }
    }

    /// A workspace of at least `bytes`, allocated on the first call, so that later calls can be captured into a graph.
    fn workspace(&self, bytes: usize) -> Result<*mut c_void> {
        if self.work.get().is_none_or(|w| w.bytes() < bytes)
            && self.work.set(Memory::new(self.library, Kind::Device, bytes)?).is_err()
        {
            return Err(Error::Load(format!("the workspace of one batch grew to {bytes} bytes between two calls")));
        }
        Ok(self.work.get().expect("just set").pointer())
    }

    /// Waits and returns the results. Fails if anything but the members and their tau was written, or if MAGMA's info
    /// is not 0.
    pub fn collect(&self, session: &Session, form: EntryForm) -> Result<Vec<Factored<T>>> {
        session.synchronize()?;
        let (a, tau) = (self.a.download()?, self.tau.download()?);
        let mut info = vec![0; self.batch()];
        self.info.read(&mut info)?;
        // MAGMA's quick returns leave info unchanged.
        let expected = if form.writes_info() && self.m > 0 && self.n > 0 { 0 } else { INFO_POISON };
        if let Some(i) = info.iter().position(|&x| x != expected) {
            return Err(Error::Guard(format!("info[{i}] is {}, expected {expected}", info[i])));
        }
        Ok((0..self.batch()).map(|i| Factored { factors: a.member(i), tau: tau.member(i).data().to_vec() }).collect())
    }

    /// Whether every bit of the matrices and tau is as uploaded.
    pub fn is_untouched(&self, session: &Session) -> Result<bool> {
        session.synchronize()?;
        Ok(self.a.download()?.is_untouched() && self.tau.download()?.is_untouched())
    }

    /// Restores the inputs, factors them and returns the results.
    pub fn run(&self, session: &Session, form: EntryForm) -> Result<Vec<Factored<T>>> {
        self.upload()?;
        without_forced_plan(|| self.issue(session, form))?;
        self.collect(session, form)
    }

    /// Like [`QrBatch::run`] with only the named plan path allowed (any if `None`). Returns `Ok(None)` if the path does
    /// not accept the shape.
    pub fn run_on(&self, session: &Session, form: EntryForm, path: Option<&str>) -> Result<Option<Vec<Factored<T>>>> {
        self.upload()?;
        let issued = match path {
            Some(path) => with_plan(self.library, path, || self.issue(session, form))?,
            None => without_forced_plan(|| self.issue(session, form)),
        };
        match issued {
            Ok(()) => self.collect(session, form).map(Some),
            Err(e) if path.is_some() && e.is_not_supported() => {
                if self.is_untouched(session)? {
                    Ok(None)
                } else {
                    Err(Error::Guard("a declined call wrote".into()))
                }
            }
            Err(e) => Err(e),
        }
    }

    /// The memory of the matrices, for tests that make calls themselves.
    pub fn matrices(&self) -> &Guarded<T> {
        &self.a
    }

    /// The memory of tau, for tests that make calls themselves.
    pub fn taus(&self) -> &Guarded<T> {
        &self.tau
    }
}

fn magma_status(function: &str, code: c_int) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Error::status(function, code)) }
}
