//! Host memory behind the runtime's memory calls.

use crate::error::Error;
use std::ffi::c_void;

/// Alignment in bytes, that of CUDA's allocations.
const ALIGN: usize = 256;

/// Allocates at least one byte, to be freed by [`free`].
pub fn alloc(bytes: usize) -> Result<*mut c_void, Error> {
    let mut p = std::ptr::null_mut();
    // SAFETY: p is written only on success.
    match unsafe { libc::posix_memalign(&mut p, ALIGN, bytes.max(1)) } {
        0 => Ok(p),
        _ => Err(Error::OutOfMemory(format!("{bytes} bytes of host memory"))),
    }
}

/// Frees memory; NULL is allowed.
pub unsafe fn free(p: *mut c_void) {
    unsafe { libc::free(p) }
}

/// Copies `height` rows of `width` bytes; pitches are in bytes.
pub unsafe fn copy_2d(dst: *mut u8, dst_pitch: usize, src: *const u8, src_pitch: usize, width: usize, height: usize) {
    if width == 0 || height == 0 {
        return;
    }
    unsafe {
        if dst_pitch == width && src_pitch == width {
            std::ptr::copy(src, dst, width * height);
            return;
        }
        for row in 0..height {
            std::ptr::copy(src.add(row * src_pitch), dst.add(row * dst_pitch), width);
        }
    }
}

/// Available and total memory of the host in bytes.
pub fn info() -> (usize, usize) {
    let line = |text: &str, key: &str| -> Option<usize> {
        let rest = text.lines().find_map(|l| l.strip_prefix(key))?;
        Some(rest.trim().trim_end_matches("kB").trim().parse::<usize>().ok()? << 10)
    };
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let pages = |name| {
        // SAFETY: plain queries.
        let (pages, size) = unsafe { (libc::sysconf(name), libc::sysconf(libc::_SC_PAGESIZE)) };
        pages.max(0) as usize * size.max(0) as usize
    };
    let total = line(&meminfo, "MemTotal:").unwrap_or_else(|| pages(libc::_SC_PHYS_PAGES));
    (line(&meminfo, "MemAvailable:").unwrap_or(total), total)
}

/// The CPU's model name.
pub fn cpu_name() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find(|l| l.starts_with("model name")).and_then(|l| l.split_once(':'));
    model.map_or_else(|| format!("{} CPU", std::env::consts::ARCH), |(_, name)| name.trim().to_owned())
}
