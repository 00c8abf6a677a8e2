//! What is timed side by side: the library, the vendor's, LAPACK in a loop.

use super::machine::Machine;
use super::operands::Operands;
use super::{Failure, blas, cholesky, implicit, iterative, lu, one_by_one, products};
use crate::case::{Case, Op, Options, Shape, Uplo};
use std::ffi::{c_int, c_void};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::{Backend, CublasHandle, CusolverHandle};
use tephra_testkit::vendor::{Vendor, cusolver};
use tephra_testkit::{Dtype, Error, Scalar, with_scalar};

/// Something that factors a batch.
pub enum Contender {
    /// The library under test, by its native interface with pointer arrays.
    Tephra,
    /// The same with strides.
    TephraStrided,
    /// NVIDIA's cuBLAS.
    Cublas(CublasHandle),
    /// NVIDIA's cuSOLVER.
    Cusolver(CusolverHandle),
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
                Ok(handle) => {
                    // What only cuSOLVER has is measured alone where that cannot be loaded.
                    let solver = cusolver(machine.stream.raw()).ok().map(Contender::Cusolver);
                    ([Contender::Cublas(handle)].into_iter().chain(solver).collect(), None)
                }
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
            Contender::TephraStrided => "tephra-strided",
            Contender::Cublas(_) => "cublas",
            Contender::Cusolver(_) => "cusolver",
            Contender::LapackLoop(_) => "lapack",
            Contender::LapackThreads(_) => "lapack-threads",
        }
    }

    /// What people call it.
    pub fn title(&self) -> &'static str {
        match self {
            Contender::Tephra | Contender::TephraStrided => "Tephra",
            Contender::Cublas(_) => "cuBLAS",
            Contender::Cusolver(_) => "cuSOLVER",
            Contender::LapackLoop(_) | Contender::LapackThreads(_) => "LAPACK",
        }
    }

    /// Its version, where it tells.
    pub fn version(&self, machine: &Machine) -> String {
        match self {
            Contender::Tephra | Contender::TephraStrided => own_version(machine),
            Contender::Cublas(handle) => {
                Vendor::get().ok().and_then(|v| v.version(handle)).map_or(String::new(), |v| v.to_string())
            }
            Contender::Cusolver(handle) => handle.version().map_or(String::new(), |v| v.to_string()),
            Contender::LapackLoop(l) | Contender::LapackThreads(l) => {
                l.path.file_name().map_or(String::new(), |f| f.to_string_lossy().into_owned())
            }
        }
    }

    /// Whether it has the operation, for that shape.
    pub fn serves(&self, case: &Case) -> bool {
        let op = case.op;
        match self {
            Contender::Tephra => true,
            Contender::Cublas(_) => {
                matches!(op, Op::Geqrf | Op::Gels | Op::Trsm) || op.is_product() || lu::cublas_serves(case)
            }
            Contender::Cusolver(_) => cholesky::cusolver_serves(case) || one_by_one::serves(case),
            Contender::TephraStrided => op == Op::Geqrf,
            Contender::LapackLoop(_) | Contender::LapackThreads(_) => matches!(op, Op::Geqrf | Op::Potrf | Op::Potri),
        }
    }

    /// Before its first call of a case.
    pub fn prepare(&self) {
        match self {
            Contender::LapackLoop(lapack) => lapack.set_threads(threads() as i32),
            Contender::LapackThreads(lapack) => lapack.set_threads(1),
            Contender::Tephra | Contender::TephraStrided | Contender::Cublas(_) | Contender::Cusolver(_) => {}
        }
    }

    /// Factors the batch, or issues that on the machine's stream.
    pub fn call(&self, o: &Operands<'_>) -> Result<(), Failure> {
        match self {
            Contender::Tephra => tephra(o),
            Contender::TephraStrided => tephra_strided(o),
            Contender::Cublas(handle) if o.case.op.is_lu() => lu::cublas(handle, o),
            Contender::Cublas(handle) if o.case.op.is_product() => products::cublas(handle, o),
            Contender::Cublas(handle) => cublas(handle, o),
            Contender::Cusolver(handle) if o.case.op == Op::Geqrf => one_by_one::geqrf(handle, o),
            Contender::Cusolver(handle) => cholesky::cusolver(handle, o),
            Contender::LapackLoop(lapack) => with_scalar!(o.case.dtype, T => lapack_over::<T>(lapack, o, 1)),
            Contender::LapackThreads(lapack) => {
                with_scalar!(o.case.dtype, T => lapack_over::<T>(lapack, o, threads()))
            }
        }
    }
}

/// The library's version with the hash of its kernels, so that a result file says what it measured.
pub fn own_version(machine: &Machine) -> String {
    let info = machine.library.build_info();
    let hash = info.lines().find_map(|l| l.strip_prefix("kernel_hash=")).unwrap_or_default();
    let hash: String = hash.chars().take(12).collect();
    let version = machine.library.version();
    if hash.is_empty() { version } else { format!("{version}+{hash}") }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// CBLAS's numbers of the options: side, uplo, trans, diag.
pub fn cblas(o: &Options) -> [c_int; 4] {
    let from = |first: c_int, index: usize| first + index as c_int;
    [from(141, o.side as usize), from(121, o.uplo as usize), from(111, o.trans as usize), from(131, o.diag as usize)]
}

/// 1 in any element type: its first part 1, the second 0.
fn one(dtype: Dtype) -> *const c_void {
    static SINGLE: [f32; 2] = [1.0, 0.0];
    static DOUBLE: [f64; 2] = [1.0, 0.0];
    if dtype.is_double() { DOUBLE.as_ptr().cast() } else { SINGLE.as_ptr().cast() }
}

fn tephra(o: &Operands<'_>) -> Result<(), Failure> {
    let Case { op, shape, dtype, options, .. } = o.case;
    let [m, n, k, nrhs, batch] = [shape.m, shape.n, o.case.k(), options.nrhs, shape.batch].map(|x| x as i64);
    let [side, uplo, trans, diag] = cblas(&options);
    let (a, lda, b, ldb, tau) = (o.a.array(), o.a.ld(), o.b.array(), o.b.ld(), o.tau.array());
    let library = o.machine.library;
    let (work, bytes, stream) = (o.workspace.pointer(), o.workspace.bytes(), o.machine.stream.raw());
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    let code = unsafe {
        match op {
            Op::Geqrf => library.geqrf_pointers(dtype)(m, n, a, lda, tau, batch, work, bytes, stream),
            Op::Orgqr => library.orgqr(dtype)(m, n, k, a, lda, tau, batch, stream),
            Op::Ormqr => library.ormqr(dtype)(side, trans, m, n, k, a, lda, tau, b, ldb, batch, stream),
            Op::Qr => {
                const THIN: c_int = 1;
                let (r, ldr) = (o.r.array(), o.r.ld());
                library.qr(dtype)(THIN, m, n, a, lda, b, ldb, r, ldr, batch, work, bytes, stream)
            }
            Op::Geqr | Op::Gemqr => implicit::tephra(o)?,
            Op::Gels => {
                let info = o.info.pointer().cast();
                library.gels(dtype)(trans, m, n, nrhs, a, lda, b, ldb, info, batch, work, bytes, stream)
            }
            Op::GelsIterative => iterative::tephra(o)?,
            Op::Trsm => library.trsm(dtype)(side, uplo, trans, diag, m, n, one(dtype), a, lda, b, ldb, batch, stream),
            Op::Getrf | Op::GetrfNopiv | Op::Getrs | Op::Gesv | Op::Getri | Op::Inv => lu::tephra(o),
            Op::GesvRbt => lu::with_butterflies(o)?,
            Op::Potrf | Op::Potrs | Op::Posv | Op::Potri => cholesky::tephra(o),
            Op::Gemm | Op::Gemv | Op::Syrk | Op::Herk => products::tephra(o)?,
            Op::Gelqf | Op::Trmm | Op::Trtri | Op::Trsv | Op::Geam | Op::Syr2k | Op::Her2k => blas::tephra(o)?,
        }
    };
    Ok(library.status(&format!("tephra_{}_batched", op.lapack()), code)?)
}

fn tephra_strided(o: &Operands<'_>) -> Result<(), Failure> {
    let Case { op, shape, dtype, .. } = o.case;
    assert_eq!(op, Op::Geqrf, "see Contender::serves");
    let [m, n, batch, tau_stride, a_stride] =
        [shape.m, shape.n, shape.batch, o.case.k(), o.case.matrix_elements()].map(|x| x as i64);
    let (a, lda, tau) = (o.a.start(), o.a.ld(), o.tau.start());
    let library = o.machine.library;
    let (work, bytes, stream) = (o.workspace.pointer(), o.workspace.bytes(), o.machine.stream.raw());
    // SAFETY: as above.
    let code =
        unsafe { library.geqrf_strided(dtype)(m, n, a, lda, a_stride, tau, tau_stride, batch, work, bytes, stream) };
    Ok(library.status("tephra_geqrf_strided_batched", code)?)
}

fn cublas(handle: &CublasHandle, o: &Operands<'_>) -> Result<(), Failure> {
    let Case { op, shape, dtype, options, .. } = o.case;
    let [m, n, lda, ldb, batch] =
        [shape.m as i64, shape.n as i64, o.a.ld(), o.b.ld(), shape.batch as i64].map(|x| x as c_int);
    let (a, b, raw) = (o.a.array(), o.b.array(), handle.raw());
    let mut info = 0;
    // SAFETY: as above.
    let code = unsafe {
        match op {
            Op::Geqrf => handle.geqrf(dtype)(raw, m, n, a, lda, o.tau.array(), &mut info, batch),
            Op::Gels => {
                let codes = o.info.pointer().cast();
                handle.gels(dtype)(raw, 0, m, n, options.nrhs as c_int, a, lda, b, ldb, &mut info, codes, batch)
            }
            Op::Trsm => {
                // cuBLAS counts from 0, and the lower triangle first.
                let (side, trans, diag) = (options.side as c_int, options.trans as c_int, options.diag as c_int);
                let uplo = c_int::from(options.uplo == Uplo::Upper);
                handle.trsm(dtype)(raw, side, uplo, trans, diag, m, n, one(dtype), a, lda, b, ldb, batch)
            }
            _ => unreachable!("see Contender::serves and call"),
        }
    };
    if code == 0 && info == 0 {
        return Ok(());
    }
    let what = format!("cublas?{}Batched (with info)", op.lapack());
    Err(Error::status(&what, if code != 0 { code } else { info }).into())
}

/// Pointers that threads may share: each uses its own members.
#[derive(Clone, Copy)]
struct Members<T> {
    a: *mut T,
    tau: *mut T,
}
unsafe impl<T> Send for Members<T> {}

fn lapack_over<T: Scalar>(lapack: &'static Lapack, o: &Operands<'_>, threads: usize) -> Result<(), Failure> {
    let Case { op, shape: Shape { m, n, batch }, lda, options, .. } = o.case;
    let (a_stride, tau_stride) = (o.case.matrix_elements(), o.case.k());
    let members = Members { a: o.a.start() as *mut T, tau: o.tau.start() as *mut T };
    let run = move |first: usize, end: usize| {
        let Members { a, tau } = { members };
        let mut work = vec![T::POISON; 64 * n];
        let routine = lapack.of_triangles::<T>(&format!("?{}", op.lapack())).ok();
        for i in first..end {
            // SAFETY: member i of the batch, in host memory on this backend.
            let info = unsafe {
                let member = a.add(i * a_stride);
                match op {
                    Op::Geqrf => lapack.geqrf_raw(m, n, member, lda, tau.add(i * tau_stride), &mut work),
                    _ => routine.map_or(-1, |f| f.call(options.uplo == Uplo::Upper, n, member, lda)),
                }
            };
            if info != 0 {
                return Err(Failure::from(Error::status(format!("LAPACK's {}", op.lapack()), info)));
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
