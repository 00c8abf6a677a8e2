//! The implementations that are timed side by side: the library, the vendor's, and LAPACK in a loop.

use super::call::Call;
use super::machine::Machine;
use super::one_by_one;
use super::operands::Operands;
use crate::case::{Case, Shape, Uplo};
use crate::failure::Failure;
use crate::operation::{self, Calls};
use std::ffi::c_void;
use tephra_testkit::any_call::AnyFunction;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::{Backend, CublasHandle, CusolverHandle, symbol_name};
use tephra_testkit::vendor::{Vendor, cusolver};
use tephra_testkit::{Error, Scalar, with_scalar};

/// A prepared call that can be repeated.
pub type Ready<'a> = Box<dyn Fn() -> Result<(), Failure> + 'a>;

/// An implementation that is measured.
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
    /// The implementations available for comparison with the library, and a note for the user if there are none.
    pub fn other_libraries(machine: &Machine) -> (Vec<Contender>, Option<String>) {
        match machine.backend {
            Backend::Cuda => match Vendor::get().and_then(|v| v.handle(machine.stream.raw())) {
                Ok(handle) => {
                    // If cuSOLVER cannot be loaded, routines that only it provides are measured without a comparison.
                    let solver = cusolver(machine.stream.raw()).ok().map(Contender::Cusolver);
                    ([Contender::Cublas(handle)].into_iter().chain(solver).collect(), None)
                }
                Err(e) => (Vec::new(), Some(format!("not compared with the vendor's library: {e}"))),
            },
            Backend::Cpu if std::env::var_os("TEPHRA_LAPACK").is_none() => {
                (Vec::new(), Some("not compared with LAPACK: TEPHRA_LAPACK is not set".into()))
            }
            Backend::Cpu => match Lapack::get() {
                Ok(lapack) => (vec![Contender::LapackLoop(lapack), Contender::LapackThreads(lapack)], None),
                Err(e) => (Vec::new(), Some(format!("not compared with LAPACK: {e}"))),
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

    /// Its name for the user.
    pub fn title(&self) -> &'static str {
        match self {
            Contender::Tephra | Contender::TephraStrided => "Tephra",
            Contender::Cublas(_) => "cuBLAS",
            Contender::Cusolver(_) => "cuSOLVER",
            Contender::LapackLoop(_) | Contender::LapackThreads(_) => "LAPACK",
        }
    }

    /// Its version, or empty if it does not report one.
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

    /// Whether it provides the routine for the case's shape.
    pub fn supports(&self, case: &Case) -> bool {
        let op = case.op;
        match self {
            Contender::Tephra => true,
            Contender::Cublas(_) => !(op.cublas)(case).is_empty(),
            Contender::Cusolver(_) => !(op.cusolver)(case).is_empty() || one_by_one::supports(case),
            Contender::TephraStrided => op.has_strided(),
            Contender::LapackLoop(_) | Contender::LapackThreads(_) => op.lapack.is_some(),
        }
    }

    /// Prepares its call for a case. The timed call does the work, or enqueues it on the machine's stream.
    pub fn ready<'a>(&'a self, o: &'a Operands<'a>) -> Result<Ready<'a>, Failure> {
        let (op, case) = (o.case.op, &o.case);
        let native = |strided| -> Result<Ready<'a>, Failure> {
            let call = Call::native(o, case, strided, &o.workspace)?;
            Ok(Box::new(move || call.make()))
        };
        match self {
            Contender::Tephra => native(op.strided),
            Contender::TephraStrided => native(true),
            Contender::Cublas(handle) => {
                let function = |symbol: &str| AnyFunction::of_vendor(Vendor::get()?, symbol);
                in_turn(o, (op.cublas)(case), "cublas?", handle.raw(), function)
            }
            Contender::Cusolver(handle) if one_by_one::supports(case) => {
                Ok(Box::new(move || one_by_one::geqrf(handle, o)))
            }
            Contender::Cusolver(handle) => in_turn(o, (op.cusolver)(case), "cusolverDn?", handle.raw(), |symbol| {
                AnyFunction::of_cusolver(handle, symbol)
            }),
            Contender::LapackLoop(lapack) => {
                lapack.set_threads(threads() as i32);
                Ok(Box::new(move || with_scalar!(case.dtype, T => lapack_over::<T>(lapack, o, 1))))
            }
            Contender::LapackThreads(lapack) => {
                lapack.set_threads(1);
                Ok(Box::new(move || with_scalar!(case.dtype, T => lapack_over::<T>(lapack, o, threads()))))
            }
        }
    }
}

/// Prepares a sequence of NVIDIA's calls.
fn in_turn<'a>(
    o: &'a Operands<'a>,
    calls: Calls,
    prefix: &str,
    handle: *mut c_void,
    function: impl Fn(&str) -> tephra_testkit::Result<AnyFunction>,
) -> Result<Ready<'a>, Failure> {
    let ready = calls.iter().map(|(routine, words)| {
        let name = format!("{prefix}{routine}Batched");
        let function = function(&symbol_name(&name, o.case.dtype))?;
        Call::nvidias(o, (name, words), function, handle)
    });
    let ready = ready.collect::<Result<Vec<Call<'a>>, Failure>>()?;
    Ok(Box::new(move || ready.iter().try_for_each(Call::make)))
}

/// The library's version with the hash of its kernels, which identifies in result files what was measured.
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

/// Pointers that threads share; each thread uses only its own members.
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
        let routine = lapack.of_triangles::<T>(&format!("?{}", op.name)).ok();
        for i in first..end {
            // SAFETY: member i of the batch, in host memory on this backend.
            let info = unsafe {
                let member = a.add(i * a_stride);
                match op.lapack {
                    Some(operation::Lapack::Geqrf) => {
                        lapack.geqrf_raw(m, n, member, lda, tau.add(i * tau_stride), &mut work)
                    }
                    _ => routine.map_or(-1, |f| f.call(options.uplo == Uplo::Upper, n, member, lda)),
                }
            };
            if info != 0 {
                return Err(Failure::from(Error::status(format!("LAPACK's {}", op.name), info)));
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
