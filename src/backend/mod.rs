//! Chooses between the two backends, which share one interface.

use crate::gpu;
pub use crate::routine::runtime::{Device, DeviceInfo, Kind, Runtime};
pub use tephra_cpu as cpu;

use crate::error::Error;
use crate::host::environment;
use once_cell::race::OnceBox;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicU8, Ordering};

static CHOSEN: AtomicU8 = AtomicU8::new(0);

thread_local! {
    /// The [`Kind`] that overrides the process's choice in this thread, or 0.
    static OF_THREAD: Cell<u8> = const { Cell::new(0) };
}

/// The backend requested by name: 0 before the first look, then a [`Kind`] or [`NOTHING_ASKED`].
static ASKED: AtomicU8 = AtomicU8::new(0);
const NOTHING_ASKED: u8 = 255;

/// The backend in use, as set by [`select`] or `TEPHRA_BACKEND=auto|cuda|cpu`; `auto` takes CUDA when a device is
/// usable. The decision is made at the first call and kept.
pub fn current() -> Result<&'static dyn Runtime, Error> {
    let of_thread = OF_THREAD.get();
    match if of_thread == 0 { CHOSEN.load(Ordering::Acquire) } else { of_thread } {
        1 => Ok(cpu::runtime()),
        2 => gpu::runtime(),
        _ => choose(),
    }
}

fn wish() -> Result<Option<Kind>, Error> {
    environment::warn_about_variables();
    match environment::value("TEPHRA_BACKEND").as_deref() {
        None | Some("auto") => Ok(None),
        Some("cpu") => Ok(Some(Kind::Cpu)),
        Some("cuda") => Ok(Some(Kind::Cuda)),
        Some(other) => Err(Error::NoDevice(format!("TEPHRA_BACKEND={other} is invalid (valid: auto, cuda, cpu)"))),
    }
}

fn choose() -> Result<&'static dyn Runtime, Error> {
    let kind = match wish()? {
        Some(kind) => kind,
        None if get(Kind::Cuda).is_ok() => Kind::Cuda,
        None => Kind::Cpu,
    };
    let runtime = get(kind)?;
    CHOSEN.store(kind as u8, Ordering::Release);
    Ok(runtime)
}

/// Selects the backend for the whole process. Memory, streams and queues of the other backend must not be used
/// afterwards.
pub fn select(kind: Kind) -> Result<&'static dyn Runtime, Error> {
    environment::warn_about_variables();
    let runtime = get(kind)?;
    ASKED.store(kind as u8, Ordering::Release);
    CHOSEN.store(kind as u8, Ordering::Release);
    Ok(runtime)
}

/// Selects the backend for calls of this thread, regardless of the process's choice; `None` returns to that choice.
/// This is for programs with matrices in both host and device memory.
pub fn select_for_thread(kind: Option<Kind>) -> Result<(), Error> {
    environment::warn_about_variables();
    if let Some(kind) = kind {
        get(kind)?;
    }
    OF_THREAD.set(kind.map_or(0, |kind| kind as u8));
    Ok(())
}

/// The backend requested through [`select`] or `TEPHRA_BACKEND`; `None` if the library is free to choose. After the
/// first call this is a single load.
pub fn asked_for() -> Option<Kind> {
    match ASKED.load(Ordering::Acquire) {
        1 => Some(Kind::Cpu),
        2 => Some(Kind::Cuda),
        NOTHING_ASKED => None,
        _ => {
            let wish = wish().ok().flatten();
            ASKED.store(wish.map_or(NOTHING_ASKED, |kind| kind as u8), Ordering::Release);
            wish
        }
    }
}

/// Returns a backend without selecting it.
pub fn get(kind: Kind) -> Result<&'static dyn Runtime, Error> {
    match kind {
        Kind::Cpu => Ok(cpu::runtime()),
        Kind::Cuda => gpu::runtime(),
    }
}

/// Whether a backend can copy from or to `p` without staging: `p` is page-locked host memory, or the backend is the
/// CPU.
pub fn is_page_locked(runtime: &dyn Runtime, p: *const c_void) -> bool {
    runtime.kind() == Kind::Cpu || gpu::is_page_locked(p)
}

/// Describes this build, one `key=value` per line: `version`, `backends` (compiled in), `kernel_hash` (of the compiled
/// kernels) and `archs` (compute capabilities with embedded kernels). A value is `none` if there is nothing to list.
pub fn build_info() -> &'static CStr {
    static TEXT: OnceBox<CString> = OnceBox::new();
    TEXT.get_or_init(|| {
        let backends = if cfg!(feature = "cuda") { "cuda,cpu" } else { "cpu" };
        let text = format!(
            "version={}\nbackends={backends}\nkernel_hash={}\narchs={}\n",
            env!("CARGO_PKG_VERSION"),
            option_env!("TEPHRA_KERNEL_HASH").unwrap_or("none"),
            option_env!("TEPHRA_CUDA_ARCHS_BUILT").unwrap_or("none"),
        );
        Box::new(CString::new(text).unwrap_or_default())
    })
}
