//! What is timed side by side: the library, the vendor's, LAPACK in a loop.

use super::Failure;
use super::machine::Machine;
use super::operands::Operands;
use crate::case::{Case, Shape};
use std::ffi::c_int;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::{Backend, CublasHandle};
use tephra_testkit::vendor::Vendor;
use tephra_testkit::{Error, Scalar, with_scalar};

/// Something that factors a batch.
pub enum Contender {
    /// The library under test, by its native interface.
    Tephra,
    /// NVIDIA's cuBLAS.
    Cublas(CublasHandle),
    /// A loop over the batch; LAPACK may use all cores within a call.
    LapackLoop(&'static Lapack),
    /// One loop per core, each over its share of the batch; LAPACK uses one thread within a call.
    LapackThreads(&'static Lapack),
}

impl Contender {
    /// What can be timed beside the library, and a note for people when there is nothing.
    pub fn beside(machine: &Machine) -> (Vec<Contender>, Option<String>) {
        match machine.backend {
            Backend::Cuda => match Vendor::get().and_then(|v| v.handle(machine.stream.raw())) {
                Ok(handle) => (vec![Contender::Cublas(handle)], None),
                Err(e) => (Vec::new(), Some(format!("no vendor beside it: {e}"))),
            },
            Backend::Cpu if std::env::var_os("TEPHRA_LAPACK").is_none() => {
                (Vec::new(), Some("no LAPACK beside it: TEPHRA_LAPACK is not set".into()))
            }
            Backend::Cpu => match Lapack::get() {
                Ok(lapack) => (vec![Contender::LapackLoop(lapack), Contender::LapackThreads(lapack)], None),
                Err(e) => (Vec::new(), Some(format!("no LAPACK beside it: {e}"))),
            },
        }
    }

    /// Its name in the `library` column.
    pub fn name(&self) -> &'static str {
        match self {
            Contender::Tephra => "tephra",
            Contender::Cublas(_) => "cublas",
            Contender::LapackLoop(_) => "lapack",
            Contender::LapackThreads(_) => "lapack-threads",
        }
    }

    /// What people call it.
    pub fn title(&self) -> &'static str {
        match self {
            Contender::Tephra => "Tephra",
            Contender::Cublas(_) => "cuBLAS",
            Contender::LapackLoop(_) | Contender::LapackThreads(_) => "LAPACK",
        }
    }

    /// Its version, where it tells.
    pub fn version(&self, machine: &Machine) -> String {
        match self {
            Contender::Tephra => own_version(machine),
            Contender::Cublas(handle) => {
                Vendor::get().ok().and_then(|v| v.version(handle)).map_or(String::new(), |v| v.to_string())
            }
            Contender::LapackLoop(l) | Contender::LapackThreads(l) => {
                l.path.file_name().map_or(String::new(), |f| f.to_string_lossy().into_owned())
            }
        }
    }

    /// Before its first call of a case.
    pub fn prepare(&self) {
        match self {
            Contender::LapackLoop(lapack) => lapack.set_threads(threads() as i32),
            Contender::LapackThreads(lapack) => lapack.set_threads(1),
            Contender::Tephra | Contender::Cublas(_) => {}
        }
    }

    /// Factors the batch, or issues that on the machine's stream.
    pub fn call(&self, o: &Operands<'_>) -> Result<(), Failure> {
        match self {
            Contender::Tephra => tephra(o),
            Contender::Cublas(handle) => cublas(handle, o),
            Contender::LapackLoop(lapack) => with_scalar!(o.case.dtype, T => lapack_over::<T>(lapack, o, 1)),
            Contender::LapackThreads(lapack) => {
                with_scalar!(o.case.dtype, T => lapack_over::<T>(lapack, o, threads()))
            }
        }
    }
}

/// The library's version with the hash of its kernels, so that a result file says what it measured.
fn own_version(machine: &Machine) -> String {
    let info = machine.library.build_info();
    let hash = info.lines().find_map(|l| l.strip_prefix("kernel_hash=")).unwrap_or_default();
    let hash: String = hash.chars().take(12).collect();
    let version = machine.library.version();
    if hash.is_empty() { version } else { format!("{version}+{hash}") }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

fn tephra(o: &Operands<'_>) -> Result<(), Failure> {
    let Case { shape, lda, dtype, .. } = o.case;
    let [m, n, lda, batch] = [shape.m, shape.n, lda, shape.batch].map(|x| x as i64);
    let library = o.machine.library;
    let (work, bytes, stream) = (o.workspace.pointer(), o.workspace.bytes(), o.machine.stream.raw());
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    let code =
        unsafe { library.geqrf_pointers(dtype)(m, n, o.a_array(), lda, o.tau_array(), batch, work, bytes, stream) };
    Ok(library.status("tephra_geqrf_batched", code)?)
}

fn cublas(handle: &CublasHandle, o: &Operands<'_>) -> Result<(), Failure> {
    let Case { shape, lda, dtype, .. } = o.case;
    let [m, n, lda, batch] = [shape.m, shape.n, lda, shape.batch].map(|x| x as c_int);
    let mut info = 0;
    // SAFETY: as above.
    let code = unsafe { handle.geqrf(dtype)(handle.raw(), m, n, o.a_array(), lda, o.tau_array(), &mut info, batch) };
    if code == 0 && info == 0 {
        return Ok(());
    }
    Err(Error::status("cublas?geqrfBatched (with info)", if code != 0 { code } else { info }).into())
}

/// Pointers that threads may share: each uses its own members.
#[derive(Clone, Copy)]
struct Members<T> {
    a: *mut T,
    tau: *mut T,
}
unsafe impl<T> Send for Members<T> {}

fn lapack_over<T: Scalar>(lapack: &'static Lapack, o: &Operands<'_>, threads: usize) -> Result<(), Failure> {
    let Case { shape: Shape { m, n, batch }, lda, .. } = o.case;
    let (a_stride, tau_stride) = (o.case.matrix_elements(), o.case.k());
    let members = Members { a: o.a() as *mut T, tau: o.tau() as *mut T };
    let run = move |first: usize, end: usize| {
        let Members { a, tau } = { members };
        let mut work = vec![T::POISON; 64 * n];
        for i in first..end {
            // SAFETY: member i of the batch, in host memory on this backend.
            let info = unsafe { lapack.geqrf_raw(m, n, a.add(i * a_stride), lda, tau.add(i * tau_stride), &mut work) };
            if info != 0 {
                return Err(Failure::from(Error::status("LAPACK's geqrf", info)));
            }
        }
        Ok(())
    };
    if threads == 1 {
        return run(0, batch);
    }
    let share = batch.div_ceil(threads);
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..batch)
            .step_by(share)
            .map(|first| scope.spawn(move || run(first, (first + share).min(batch))))
            .collect();
        handles.into_iter().try_for_each(|h| h.join().expect("a LAPACK thread panicked"))
    })
}
