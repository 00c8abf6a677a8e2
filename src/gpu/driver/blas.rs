//! Products and triangular solves within operations on large matrices: cuBLAS's, if it is in the process or can be
//! loaded, or else our own.
//!
//! A handle is created at the first use in a context and kept. A call has a handle to itself, set to the call's
//! stream and to a workspace that the call provides, so a warm call allocates nothing, and a captured graph refers
//! only to memory of that capture. No handle is created while a stream is being captured; if no earlier call has
//! left one, our own kernels are used.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::args::offset_by;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::driver::second::{context, is_captured};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::host::{environment, fork};
use crate::routine::{Alpha, Diag, Dtype, Gemm, Operand, Side, Syrk, Trans, Trsm, Uplo};
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use std::ffi::{CStr, c_int, c_void};
use tephra_vendor::{CUBLAS, Library, find};

/// Bytes of a workspace.
pub const WORKSPACE: usize = arch::DEFAULT.cublas.workspace;

type Raw = *const c_void;
type GemmFunction =
    unsafe extern "C" fn(usize, c_int, c_int, i64, i64, i64, Raw, Raw, i64, Raw, i64, Raw, *mut c_void, i64) -> c_int;
type GemmStridedFunction = unsafe extern "C" fn(
    usize,
    c_int,
    c_int,
    i64,
    i64,
    i64,
    Raw,
    Raw,
    i64,
    i64,
    Raw,
    i64,
    i64,
    Raw,
    *mut c_void,
    i64,
    i64,
    i64,
) -> c_int;
type RankFunction = unsafe extern "C" fn(usize, c_int, c_int, i64, i64, Raw, Raw, i64, Raw, *mut c_void, i64) -> c_int;
type SolveFunction =
    unsafe extern "C" fn(usize, c_int, c_int, c_int, c_int, i64, i64, Raw, Raw, i64, *mut c_void, i64) -> c_int;

/// The cuBLAS functions in use. Arrays have one entry per type, in the order of [`Dtype::ALL`].
struct Functions {
    create: unsafe extern "C" fn(*mut usize) -> c_int,
    set_stream: unsafe extern "C" fn(usize, *mut c_void) -> c_int,
    set_workspace: unsafe extern "C" fn(usize, *mut c_void, usize) -> c_int,
    gemm: [GemmFunction; 4],
    gemm_strided: [GemmStridedFunction; 4],
    rank: [RankFunction; 4],
    solve: [SolveFunction; 4],
}

impl Functions {
    #[allow(clippy::missing_transmute_annotations)] // each field's type determines the target
    fn of(library: &Library) -> Option<Functions> {
        // SAFETY (of the transmutations): cuBLAS's functions of these names have these types.
        let one = |name: &CStr| find(library, name);
        macro_rules! function {
            ($name:expr) => {
                unsafe { std::mem::transmute::<*mut c_void, _>(one($name)?) }
            };
        }
        macro_rules! of_types {
            ($s:expr, $d:expr, $c:expr, $z:expr) => {
                [function!($s), function!($d), function!($c), function!($z)]
            };
        }
        Some(Functions {
            create: function!(c"cublasCreate_v2"),
            set_stream: function!(c"cublasSetStream_v2"),
            set_workspace: function!(c"cublasSetWorkspace_v2"),
            gemm: of_types!(c"cublasSgemm_v2_64", c"cublasDgemm_v2_64", c"cublasCgemm_v2_64", c"cublasZgemm_v2_64"),
            gemm_strided: of_types!(
                c"cublasSgemmStridedBatched_64",
                c"cublasDgemmStridedBatched_64",
                c"cublasCgemmStridedBatched_64",
                c"cublasZgemmStridedBatched_64"
            ),
            rank: of_types!(c"cublasSsyrk_v2_64", c"cublasDsyrk_v2_64", c"cublasCherk_v2_64", c"cublasZherk_v2_64"),
            solve: of_types!(c"cublasStrsm_v2_64", c"cublasDtrsm_v2_64", c"cublasCtrsm_v2_64", c"cublasZtrsm_v2_64"),
        })
    }

    /// The functions of the cuBLAS in this process, or else of one that is loaded now (once). `TEPHRA_CUBLAS=0`
    /// disables cuBLAS.
    fn get() -> Option<&'static Functions> {
        static FOUND: OnceCell<Option<Functions>> = OnceCell::new();
        let look = || {
            if environment::is_off("TEPHRA_CUBLAS") {
                return None;
            }
            let loaded = Library { load: true, ..CUBLAS };
            fork::with_fork_lock(|| Functions::of(&CUBLAS).or_else(|| Functions::of(&loaded)))
        };
        FOUND.get_or_init(look).as_ref()
    }
}

/// Handles that no call is using, each with the number of its context.
static IDLE: Mutex<Vec<(u64, usize)>> = Mutex::new(vec![]);

/// A cuBLAS handle that one call has to itself.
struct Handle {
    functions: &'static Functions,
    context: u64,
    handle: usize,
}

impl Handle {
    /// A handle for `queue`; `work` must have [`WORKSPACE`] bytes.
    fn take(queue: Queue<'_>, work: *mut c_void) -> Option<Handle> {
        let Queue::Stream(stream) = queue else { return None };
        let (functions, id) = (Functions::get()?, context()?);
        let idle = {
            let mut idle = IDLE.lock();
            idle.iter().position(|(context, _)| *context == id).map(|i| idle.swap_remove(i).1)
        };
        let handle = match idle {
            Some(handle) => handle,
            None if is_captured(stream) => return None,
            None => {
                let mut made = 0;
                // SAFETY: `made` is an out-parameter.
                if unsafe { (functions.create)(&mut made) } != 0 {
                    return None;
                }
                made
            }
        };
        let own = Handle { functions, context: id, handle };
        // SAFETY: this call has the handle and the workspace to itself.
        let set = unsafe {
            (functions.set_stream)(handle, stream.0) == 0 && (functions.set_workspace)(handle, work, WORKSPACE) == 0
        };
        set.then_some(own)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        IDLE.lock().push((self.context, self.handle));
    }
}

/// Whether cuBLAS is available, so that it does large products.
pub fn is_available() -> bool {
    Functions::get().is_some()
}

/// Products and solves on one queue.
pub struct Blas<'a> {
    queue: Queue<'a>,
    handle: Option<Handle>,
}

fn status(what: &str, code: c_int) -> Result<(), Error> {
    if code == 0 { Ok(()) } else { Err(Error::Driver(format!("{what}: cuBLAS status {code}"))) }
}

/// A scalar that cuBLAS reads through a host pointer, in double and in single precision.
struct Scalar([f64; 2], [f32; 2]);

impl Scalar {
    fn of(x: Alpha) -> Option<Scalar> {
        match x {
            Alpha::Host(x) => Some(Scalar([x.re, x.im], [x.re as f32, x.im as f32])),
            Alpha::Device(_) => None,
        }
    }

    fn at(&self, dtype: Dtype) -> Raw {
        if dtype.real() == Dtype::S { self.1.as_ptr().cast() } else { self.0.as_ptr().cast() }
    }
}

fn operation(trans: Trans) -> c_int {
    match trans {
        Trans::N => 0,
        Trans::T => 1,
        Trans::C => 2,
    }
}

fn triangle(uplo: Uplo) -> c_int {
    (uplo == Uplo::Upper).into()
}

/// The first member's address, moved by `first` elements, and the stride. `None` for an array of pointers.
fn place(dtype: Dtype, operand: Operand, first: i64) -> Option<(*mut c_void, i64)> {
    match offset_by(operand, dtype, first) {
        Operand::Strided { base, stride } => Some((base, stride)),
        Operand::Pointers(_) => None,
    }
}

/// Whether cuBLAS does the triangular solves of a system or an inverse with few large matrices, unless plans are
/// restricted.
pub fn takes_solves(n: i64, batch: i64, operands: &[Operand]) -> bool {
    const MEASURED: &arch::Cublas = &arch::DEFAULT.cublas;
    let strided = || operands.iter().all(|operand| matches!(operand, Operand::Strided { .. }));
    n >= MEASURED.solves_from && batch <= MEASURED.solves_most && strided() && is_available()
}

/// Calls `run` with a workspace from the pool.
pub fn with_workspace<'a>(queue: Queue<'a>, run: impl FnOnce(&Blas<'a>) -> Result<(), Error>) -> Result<(), Error> {
    let scratch = Scratch::take(workspaces(1), queue)?;
    let done = run(&Blas::new(queue, scratch.p));
    scratch.give_back(done)
}

impl<'a> Blas<'a> {
    /// On `queue`. `work` must have [`WORKSPACE`] bytes of device memory that are valid in stream order; if it is
    /// null, cuBLAS is not used.
    pub fn new(queue: Queue<'a>, work: *mut c_void) -> Blas<'a> {
        Blas { queue, handle: if work.is_null() { None } else { Handle::take(queue, work) } }
    }

    /// Where launches go.
    pub fn queue(&self) -> Queue<'a> {
        self.queue
    }

    /// Calls cuBLAS. Returns `None` if there is no handle, or if cuBLAS cannot do what is asked for.
    fn try_cublas(
        &self,
        call: impl FnOnce(&Functions, usize) -> Option<c_int>,
        what: &str,
    ) -> Option<Result<(), Error>> {
        let own = self.handle.as_ref()?;
        call(own.functions, own.handle).map(|code| status(what, code))
    }

    /// In a list, a call of cuBLAS is a line of its own. Returns whether it was listed.
    fn listed(&self, what: &str, dtype: Dtype, words: std::fmt::Arguments<'_>) -> bool {
        let Some(list) = self.queue.list().filter(|_| is_available()) else { return false };
        let beside = if matches!(self.queue, Queue::SecondList(_)) { ", on a second stream" } else { "" };
        list.note(&format!("cublas{}{what}: {words}{beside}", dtype.letter().to_ascii_uppercase()));
        true
    }

    /// Multiplies as `p` says.
    ///
    /// # Safety
    /// The operands must be device memory in stream order, sized as the problem says.
    pub unsafe fn gemm(&self, p: &Gemm) -> Result<(), Error> {
        let &Gemm { dtype, m, n, k, lda, ldb, ldc, batch, first: [a0, b0, c0], .. } = p;
        if m == 0 || n == 0 || self.listed("gemm", dtype, format_args!("{m} x {n}, {k} terms")) {
            return Ok(());
        }
        let call = |f: &Functions, handle| {
            let (alpha, beta) = (Scalar::of(p.alpha)?, Scalar::of(p.beta)?);
            let ((a, sa), (b, sb), (c, sc)) = (place(dtype, p.a, a0)?, place(dtype, p.b, b0)?, place(dtype, p.c, c0)?);
            let (ta, tb) = (operation(p.trans_a), operation(p.trans_b));
            let (alpha, beta, i) = (alpha.at(dtype), beta.at(dtype), dtype as usize);
            // SAFETY: as cuBLAS documents; the scalars outlive the call.
            Some(unsafe {
                match batch {
                    1 => (f.gemm[i])(handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc),
                    _ => (f.gemm_strided[i])(
                        handle, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, batch,
                    ),
                }
            })
        };
        // SAFETY: forwarded from the caller.
        self.try_cublas(call, "gemm").unwrap_or_else(|| unsafe { p.enqueue(self.queue) })
    }

    /// Updates the members one by one, since cuBLAS has no batched form. Complex updates must be Hermitian.
    ///
    /// # Safety
    /// See [`Blas::gemm`].
    pub unsafe fn syrk(&self, p: &Syrk) -> Result<(), Error> {
        let &Syrk { dtype, n, k, lda, ldc, batch, .. } = p;
        debug_assert!(p.hermitian || !dtype.is_complex(), "complex updates are made by herk");
        let name = if dtype.is_complex() { "herk" } else { "syrk" };
        if n == 0 || self.listed(name, dtype, format_args!("a triangle of {n} x {n}, {k} terms")) {
            return Ok(());
        }
        let call = |f: &Functions, handle| {
            let (alpha, beta) = (Scalar::of(p.alpha)?, Scalar::of(p.beta)?);
            let ((a, sa), (c, sc)) = (place(dtype, p.a, 0)?, place(dtype, p.c, 0)?);
            let (uplo, trans) = (triangle(p.uplo), operation(p.trans));
            let (alpha, beta) = (alpha.at(dtype), beta.at(dtype));
            let at = |p: *mut c_void, stride: i64, i: i64| {
                p.wrapping_byte_offset((i * stride * dtype.bytes() as i64) as isize)
            };
            // SAFETY: as cuBLAS documents; the scalars outlive the call.
            let one = |i| unsafe {
                let (a, c) = (at(a, sa, i), at(c, sc, i));
                (f.rank[dtype as usize])(handle, uplo, trans, n, k, alpha, a, lda, beta, c, ldc)
            };
            Some((0..batch).map(one).find(|code| *code != 0).unwrap_or(0))
        };
        // SAFETY: forwarded from the caller.
        self.try_cublas(call, name).unwrap_or_else(|| unsafe { p.enqueue(self.queue) })
    }

    /// Solves the members one by one.
    ///
    /// # Safety
    /// See [`Blas::gemm`].
    pub unsafe fn trsm(&self, p: &Trsm) -> Result<(), Error> {
        let &Trsm { dtype, m, n, lda, ldb, batch, .. } = p;
        if m == 0 || n == 0 || self.listed("trsm", dtype, format_args!("{m} x {n}")) {
            return Ok(());
        }
        let call = |f: &Functions, handle| {
            let alpha = Scalar::of(p.alpha)?;
            let ((a, sa), (b, sb)) = (place(dtype, p.a, 0)?, place(dtype, p.b, 0)?);
            let (side, uplo) = (c_int::from(p.side == Side::Right), triangle(p.uplo));
            let (trans, diag) = (operation(p.trans), c_int::from(p.diag == Diag::Unit));
            let alpha = alpha.at(dtype);
            let at = |p: *mut c_void, stride: i64, i: i64| {
                p.wrapping_byte_offset((i * stride * dtype.bytes() as i64) as isize)
            };
            // SAFETY: as cuBLAS documents; the scalar outlives the call.
            let one = |i| unsafe {
                let (a, b) = (at(a, sa, i), at(b, sb, i));
                (f.solve[dtype as usize])(handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb)
            };
            Some((0..batch).map(one).find(|code| *code != 0).unwrap_or(0))
        };
        // SAFETY: forwarded from the caller.
        self.try_cublas(call, "trsm").unwrap_or_else(|| unsafe { p.enqueue(self.queue) })
    }
}

/// Bytes of the workspaces for `queues` queues: 0 without cuBLAS.
pub fn workspaces(queues: usize) -> usize {
    if is_available() { queues * WORKSPACE } else { 0 }
}
