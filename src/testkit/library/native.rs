//! The native C API (`include/tephra.h`).

use super::{Library, by_dtype, symbol, text};
use crate::{Dtype, Error, Result};
use libloading::Library as Object;
use std::ffi::{CString, c_char, c_int, c_void};

/// `tephra_?geqrf_batched`
pub type GeqrfPointers = unsafe extern "C" fn(
    m: i64,
    n: i64,
    a_array: *const *mut c_void,
    lda: i64,
    tau_array: *const *mut c_void,
    batch_count: i64,
    work: *mut c_void,
    work_bytes: usize,
    stream: *mut c_void,
) -> c_int;
/// `tephra_?geqrf_strided_batched`
pub type GeqrfStrided = unsafe extern "C" fn(
    m: i64,
    n: i64,
    a: *mut c_void,
    lda: i64,
    stride_a: i64,
    tau: *mut c_void,
    stride_tau: i64,
    batch_count: i64,
    work: *mut c_void,
    work_bytes: usize,
    stream: *mut c_void,
) -> c_int;
type GeqrfPointersWorkspace = unsafe extern "C" fn(i64, i64, i64, i64, *mut usize) -> c_int;
type GeqrfStridedWorkspace = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;

/// Functions that return text about a shape.
type ShapeText = unsafe extern "C" fn(*const c_char, i64, i64, i64, *mut c_char, usize, *mut usize) -> c_int;

pub(super) struct Native {
    geqrf_pointers: [GeqrfPointers; 4],
    geqrf_strided: [GeqrfStrided; 4],
    geqrf_pointers_workspace: [GeqrfPointersWorkspace; 4],
    geqrf_strided_workspace: [GeqrfStridedWorkspace; 4],
    version: unsafe extern "C" fn() -> *const c_char,
    build_info: unsafe extern "C" fn() -> *const c_char,
    last_error: unsafe extern "C" fn() -> *const c_char,
    get_backend: unsafe extern "C" fn(*mut c_int) -> c_int,
    set_backend: unsafe extern "C" fn(c_int) -> c_int,
    explain: ShapeText,
    candidates: ShapeText,
    set_batch_invariant: unsafe extern "C" fn(c_int) -> c_int,
    set_plan: unsafe extern "C" fn(*const c_char) -> c_int,
    malloc: unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int,
    free: unsafe extern "C" fn(*mut c_void) -> c_int,
    memcpy: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut c_void) -> c_int,
    stream_create: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    stream_destroy: unsafe extern "C" fn(*mut c_void) -> c_int,
    stream_synchronize: unsafe extern "C" fn(*mut c_void) -> c_int,
}

impl Native {
    pub(super) fn load(o: &Object) -> Result<Self> {
        // SAFETY: the types match include/tephra.h.
        unsafe {
            Ok(Native {
                geqrf_pointers: by_dtype(o, "tephra_?geqrf_batched")?,
                geqrf_strided: by_dtype(o, "tephra_?geqrf_strided_batched")?,
                geqrf_pointers_workspace: by_dtype(o, "tephra_?geqrf_batched_workspace")?,
                geqrf_strided_workspace: by_dtype(o, "tephra_?geqrf_strided_batched_workspace")?,
                version: symbol(o, "tephra_version")?,
                build_info: symbol(o, "tephra_build_info")?,
                last_error: symbol(o, "tephra_last_error")?,
                get_backend: symbol(o, "tephra_get_backend")?,
                set_backend: symbol(o, "tephra_set_backend")?,
                explain: symbol(o, "tephra_explain")?,
                candidates: symbol(o, "tephra_candidates")?,
                set_batch_invariant: symbol(o, "tephra_set_batch_invariant")?,
                set_plan: symbol(o, "tephra_set_plan")?,
                malloc: symbol(o, "tephra_malloc")?,
                free: symbol(o, "tephra_free")?,
                memcpy: symbol(o, "tephra_memcpy")?,
                stream_create: symbol(o, "tephra_stream_create")?,
                stream_destroy: symbol(o, "tephra_stream_destroy")?,
                stream_synchronize: symbol(o, "tephra_stream_synchronize")?,
            })
        }
    }
}

/// Where the library runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Host memory and host threads.
    Cpu,
    /// The current CUDA device.
    Cuda,
}

impl Backend {
    /// Its name in `TEPHRA_BACKEND`.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Cpu => "cpu",
            Backend::Cuda => "cuda",
        }
    }
}

impl Library {
    /// `tephra_version()`
    pub fn version(&self) -> String {
        text(unsafe { (self.native.version)() })
    }

    /// `tephra_build_info()`: lines of key=value.
    pub fn build_info(&self) -> String {
        text(unsafe { (self.native.build_info)() })
    }

    /// `tephra_last_error()`: the reason for this thread's last failure.
    pub fn last_error(&self) -> String {
        text(unsafe { (self.native.last_error)() })
    }

    /// Converts a `tephra_status` into a result with the library's own message.
    pub fn status(&self, function: &str, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        Err(Error::Status { function: function.into(), code, text: self.last_error() })
    }

    /// The backend in use, chosen by `TEPHRA_BACKEND` or at the first call.
    pub fn backend(&self) -> Result<Backend> {
        let mut kind = 0;
        self.status("tephra_get_backend", unsafe { (self.native.get_backend)(&mut kind) })?;
        match kind {
            1 => Ok(Backend::Cpu),
            2 => Ok(Backend::Cuda),
            other => Err(Error::Load(format!("tephra_get_backend answered the unknown backend {other}"))),
        }
    }

    /// Selects the backend for the whole process.
    pub fn set_backend(&self, backend: Backend) -> Result<()> {
        let code = match backend {
            Backend::Cpu => 1,
            Backend::Cuda => 2,
        };
        self.status("tephra_set_backend", unsafe { (self.native.set_backend)(code) })
    }

    /// The plan for a shape as text; `op` is a LAPACK name such as `dgeqrf`.
    pub fn explain(&self, op: &str, m: i64, n: i64, batch: i64) -> Result<String> {
        self.shape_text("tephra_explain", self.native.explain, op, m, n, batch)
    }

    /// The plan candidates that can be pinned for a shape, one per line.
    pub fn candidates(&self, op: &str, m: i64, n: i64, batch: i64) -> Result<String> {
        self.shape_text("tephra_candidates", self.native.candidates, op, m, n, batch)
    }

    fn shape_text(&self, name: &str, function: ShapeText, op: &str, m: i64, n: i64, batch: i64) -> Result<String> {
        let op = CString::new(op).map_err(|e| Error::Load(e.to_string()))?;
        let mut buffer = vec![0u8; 16 * 1024];
        loop {
            let mut needed = 0;
            // SAFETY: the buffer has the size that is passed.
            let code =
                unsafe { function(op.as_ptr(), m, n, batch, buffer.as_mut_ptr().cast(), buffer.len(), &mut needed) };
            if needed > buffer.len() {
                buffer.resize(needed, 0);
                continue;
            }
            self.status(name, code)?;
            let end = buffer.iter().position(|&b| b == 0).unwrap_or(buffer.len());
            return Ok(String::from_utf8_lossy(&buffer[..end]).into_owned());
        }
    }

    /// Makes plans independent of the batch count, or not, for the whole process. Tests must use
    /// [`crate::sweep::batch_invariantly`] instead.
    pub fn set_batch_invariant(&self, on: bool) -> Result<()> {
        self.status("tephra_set_batch_invariant", unsafe { (self.native.set_batch_invariant)(on.into()) })
    }

    /// Allows only the named plan candidates (a comma-separated list) for the whole process; `None` allows all. Tests
    /// must use [`crate::sweep::with_plan`] instead, which keeps other threads out meanwhile.
    pub fn set_plan(&self, candidates: Option<&str>) -> Result<()> {
        let list = candidates.map(|c| CString::new(c).expect("plan names have no NUL"));
        let p = list.as_ref().map_or(std::ptr::null(), |c| c.as_ptr());
        self.status("tephra_set_plan", unsafe { (self.native.set_plan)(p) })
    }

    /// The native pointer-array entry point.
    pub fn geqrf_pointers(&self, dtype: Dtype) -> GeqrfPointers {
        self.native.geqrf_pointers[dtype as usize]
    }

    /// The native strided entry point.
    pub fn geqrf_strided(&self, dtype: Dtype) -> GeqrfStrided {
        self.native.geqrf_strided[dtype as usize]
    }

    /// The workspace of the pointer-array form, in bytes.
    pub fn geqrf_workspace(&self, dtype: Dtype, m: i64, n: i64, lda: i64, batch: i64) -> Result<usize> {
        let mut bytes = usize::MAX;
        let code = unsafe { self.native.geqrf_pointers_workspace[dtype as usize](m, n, lda, batch, &mut bytes) };
        self.status("tephra_geqrf_batched_workspace", code)?;
        Ok(bytes)
    }

    /// The workspace of the strided form, in bytes.
    pub fn geqrf_strided_workspace(
        &self,
        dtype: Dtype,
        m: i64,
        n: i64,
        lda: i64,
        strides: (i64, i64),
        batch: i64,
    ) -> Result<usize> {
        let mut bytes = usize::MAX;
        let query = self.native.geqrf_strided_workspace[dtype as usize];
        let code = unsafe { query(m, n, lda, strides.0, strides.1, batch, &mut bytes) };
        self.status("tephra_geqrf_strided_batched_workspace", code)?;
        Ok(bytes)
    }

    /// Allocates memory of the backend.
    pub fn malloc(&self, bytes: usize) -> Result<*mut c_void> {
        let mut p = std::ptr::null_mut();
        self.status("tephra_malloc", unsafe { (self.native.malloc)(&mut p, bytes) })?;
        Ok(p)
    }

    /// Frees memory from [`Library::malloc`].
    ///
    /// # Safety
    /// `p` must come from `malloc`, must not have been freed, and must no longer be in use.
    pub unsafe fn free(&self, p: *mut c_void) -> Result<()> {
        self.status("tephra_free", unsafe { (self.native.free)(p) })
    }

    /// Copies in stream order, in any direction, and waits.
    ///
    /// # Safety
    /// Both addresses must be valid for `bytes`.
    pub unsafe fn memcpy(&self, dst: *mut c_void, src: *const c_void, bytes: usize, stream: *mut c_void) -> Result<()> {
        self.status("tephra_memcpy", unsafe { (self.native.memcpy)(dst, src, bytes, stream) })
    }

    /// Creates a stream (on the CPU backend, a token).
    pub fn stream_create(&self) -> Result<*mut c_void> {
        let mut s = std::ptr::null_mut();
        self.status("tephra_stream_create", unsafe { (self.native.stream_create)(&mut s) })?;
        Ok(s)
    }

    /// Destroys a stream from [`Library::stream_create`].
    ///
    /// # Safety
    /// The stream must no longer be in use.
    pub unsafe fn stream_destroy(&self, s: *mut c_void) -> Result<()> {
        self.status("tephra_stream_destroy", unsafe { (self.native.stream_destroy)(s) })
    }

    /// Waits for the work of a stream.
    ///
    /// # Safety
    /// `s` must be a live stream or one of CUDA's special values.
    pub unsafe fn stream_synchronize(&self, s: *mut c_void) -> Result<()> {
        self.status("tephra_stream_synchronize", unsafe { (self.native.stream_synchronize)(s) })
    }
}
