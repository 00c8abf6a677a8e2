//! `tephra info`: what is installed on this machine, and which devices it can use.

use crate::cuda::Cuda;
use crate::output::Outcome;
use tephra_testkit::library::{Backend, Library};
use tephra_testkit::vendor::Vendor;

pub fn run() -> Outcome {
    let library = Library::get().map_err(|e| e.to_string())?;
    say!("library    {} (tephra {})", library.path.display(), library.version());
    match library.backend() {
        Ok(backend) => say!("backend    {}, {}", backend.name(), wish()),
        Err(e) => say!("backend    none: {e}"),
    }
    for line in library.build_info().lines().filter(|l| !l.starts_with("version=")) {
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        say!("build      {key}: {value}");
    }
    say!("host       {}, {} threads", host_name(), host_threads());
    for line in devices() {
        say!("cuda       {line}");
    }
    say!("vendor     {}", vendor());
    say!("lapack     {}", std::env::var("TEPHRA_LAPACK").unwrap_or_else(|_| "TEPHRA_LAPACK is not set".into()));
    Ok(true)
}

fn wish() -> String {
    match std::env::var("TEPHRA_BACKEND") {
        Ok(wish) if !wish.is_empty() => format!("as TEPHRA_BACKEND={wish} asks"),
        _ => "chosen automatically (TEPHRA_BACKEND=auto|cuda|cpu)".into(),
    }
}

fn devices() -> Vec<String> {
    let describe = || {
        let cuda = Cuda::get()?;
        let mut lines = vec![format!("driver for CUDA {}", cuda.version()?)];
        for (i, d) in cuda.devices()?.into_iter().enumerate() {
            let (major, minor) = d.capability;
            lines.push(format!(
                "device {i}: {}, sm_{major}{minor}, {} multiprocessors, {:.1} GiB, {} KiB shared memory per block",
                d.name,
                d.multiprocessors,
                d.memory_bytes as f64 / f64::powi(2.0, 30),
                d.shared_bytes / 1024,
            ));
        }
        Ok::<_, String>(lines)
    };
    // The loader lists every place it tried, one per line; the last line is informative enough.
    let last = |why: String| why.lines().last().unwrap_or_default().trim().to_string();
    describe().unwrap_or_else(|why| vec![format!("no driver ({})", last(why))])
}

fn vendor() -> String {
    match Vendor::get() {
        Ok(vendor) => format!("cuBLAS at {}", vendor.path.display()),
        Err(_) => "no cuBLAS found (TEPHRA_VENDOR_CUBLAS names one)".into(),
    }
}

/// The name of the device for result files: the GPU's, or the host's.
pub fn device_name(backend: Backend) -> Result<String, String> {
    match backend {
        Backend::Cpu => Ok(format!("{} ({} threads)", host_name(), host_threads())),
        Backend::Cuda => Ok(Cuda::get()?.devices()?.into_iter().next().ok_or("no CUDA device")?.name),
    }
}

fn host_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let line = text.lines().find(|l| l.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    value("model name").or_else(|| value("CPU implementer")).unwrap_or_else(|| std::env::consts::ARCH.into())
}

fn host_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}
