//! Images, kernels and launches.

use crate::device::{MULTIPROCESSORS, SHARED_PER_BLOCK, SHARED_PER_BLOCK_OPTIN, THREADS_PER_BLOCK};
use crate::{Code, INVALID_IMAGE, INVALID_VALUE, NOT_FOUND, SUCCESS, give, note};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{LazyLock, PoisonError, RwLock};

/// The shared memory of each block that the system keeps for itself. The build's list counts it, the driver's limits do
/// not.
const RESERVED: c_int = 1 << 10;

/// A kernel, as the build's list (kernels.txt) describes it.
struct Kernel {
    name: String,
    /// The size of each parameter in bytes.
    parameters: Vec<usize>,
    /// The largest block size that it was compiled for.
    threads: c_uint,
    /// Static shared memory in bytes.
    shared: c_int,
    /// The dynamic shared memory that it may use.
    limit: AtomicI32,
    /// The cluster size that it was compiled for.
    cluster: c_uint,
    /// The largest cluster size that it may have.
    most: AtomicU32,
}

static KERNELS: RwLock<Option<HashMap<String, &'static Kernel>>> = RwLock::new(None);

/// Registers the kernels listed in the text of kernels.txt. Returns 0, or the number of the first line that cannot be
/// parsed.
#[unsafe(no_mangle)]
unsafe extern "C" fn recorder_kernels(text: *const c_char) -> c_int {
    // SAFETY: the caller passes a NUL-terminated string.
    learn(&unsafe { CStr::from_ptr(text) }.to_string_lossy())
}

fn learn(text: &str) -> c_int {
    let mut kernels = HashMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("90 ")) {
        let Some(kernel) = kernel(line) else { return number as c_int + 1 };
        kernels.insert(kernel.name.clone(), &*Box::leak(Box::new(kernel)));
    }
    *KERNELS.write().unwrap_or_else(PoisonError::into_inner) = Some(kernels);
    0
}

/// Whether the kernels were registered from the file that the environment names, or from the build's list beside this
/// library.
pub fn are_of_the_environment() -> bool {
    static TOLD: LazyLock<bool> = LazyLock::new(|| {
        if KERNELS.read().unwrap_or_else(PoisonError::into_inner).is_some() {
            return false; // a test has registered them
        }
        let path = std::env::var_os("RECORDER_KERNELS").map(PathBuf::from).or_else(beside_this_library);
        let text = path.and_then(|path| std::fs::read_to_string(path).ok());
        text.is_some_and(|text| learn(&text) == 0)
    });
    *TOLD
}

/// Where the build writes its list of kernels, whatever link this library was loaded by.
fn beside_this_library() -> Option<PathBuf> {
    // SAFETY: the structure is for the call to fill in, and the name that it returns ends with a zero byte.
    let name = unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        let known = libc::dladdr(recorder_kernels as *const c_void, &mut found) != 0 && !found.dli_fname.is_null();
        known.then(|| CStr::from_ptr(found.dli_fname).to_string_lossy().into_owned())
    }?;
    Some(Path::new(&name).canonicalize().ok()?.with_file_name("kernels.txt"))
}

/// Parses `90 NAME DIGEST threads=256 shared=1024 parameters=96,8`, followed by ` cluster=8` if it has clusters and `
/// dynamic` if launches give it dynamic shared memory.
fn kernel(line: &str) -> Option<Kernel> {
    let mut words = line.split(' ').skip(1);
    let name = words.next()?.to_owned();
    let field = |key: &str| line.split(' ').find_map(|w| w.strip_prefix(key)).map(str::to_owned);
    let shared = (field("shared=")?.parse::<c_int>().ok()? - RESERVED).max(0);
    Some(Kernel {
        name,
        shared,
        limit: AtomicI32::new(SHARED_PER_BLOCK - shared),
        cluster: field("cluster=").map_or(Some(1), |blocks| blocks.parse().ok())?,
        most: AtomicU32::new(8),
        threads: field("threads=")?.parse().ok()?,
        parameters: field("parameters=")?.split(',').map(|bytes| bytes.parse().ok()).collect::<Option<_>>()?,
    })
}

/// Whether an image is code for an H200: a CUDA ELF file for compute capability 9.0.
///
/// # Safety
/// `image` must point to at least the bytes of an ELF header.
unsafe fn is_code(image: *const u8) -> bool {
    const CUDA: [u8; 2] = 190_u16.to_le_bytes();
    // SAFETY: the caller guarantees a whole header.
    let header = unsafe { std::slice::from_raw_parts(image, 64) };
    header.starts_with(b"\x7fELF\x02\x01") && header[0x12..0x14] == CUDA && header[0x31] == 90
}

#[unsafe(no_mangle)]
extern "C" fn cuLibraryLoadData(
    library: *mut *mut c_void,
    image: *const c_void,
    _options: *mut c_void,
    _values: *mut c_void,
    _count: c_uint,
    _library_options: *mut c_void,
    _library_values: *mut c_void,
    _library_count: c_uint,
) -> Code {
    note!("load image");
    // SAFETY: every image has a header.
    if unsafe { is_code(image.cast()) } { give(library, image.cast_mut()) } else { INVALID_IMAGE }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuLibraryGetKernel(
    kernel: *mut *const c_void,
    _library: *mut c_void,
    name: *const c_char,
) -> Code {
    // SAFETY: the caller passes a NUL-terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let kernels = KERNELS.read().unwrap_or_else(PoisonError::into_inner);
    match kernels.as_ref().and_then(|kernels| kernels.get(&*name)) {
        Some(&found) => give(kernel, (&raw const *found).cast()),
        None => NOT_FOUND,
    }
}

/// # Safety
/// `kernel` must be a handle from `cuLibraryGetKernel`.
unsafe fn known(kernel: *const c_void) -> &'static Kernel {
    // SAFETY: the caller guarantees a valid handle, and kernels live as long as the process.
    unsafe { &*kernel.cast::<Kernel>() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuKernelGetFunction(function: *mut *const c_void, kernel: *const c_void) -> Code {
    note!("{}: loaded", unsafe { known(kernel) }.name);
    give(function, kernel)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuKernelSetAttribute(
    attribute: c_uint,
    value: c_int,
    kernel: *const c_void,
    _device: c_int,
) -> Code {
    const DYNAMIC_SHARED: c_uint = 8;
    const LARGE_CLUSTERS: c_uint = 14;
    let kernel = unsafe { known(kernel) };
    note!("{}: attribute {attribute} = {value}", kernel.name);
    match attribute {
        DYNAMIC_SHARED if value + kernel.shared <= SHARED_PER_BLOCK_OPTIN => {
            kernel.limit.store(value, Ordering::Relaxed);
        }
        LARGE_CLUSTERS => kernel.most.store(if value != 0 { 16 } else { 8 }, Ordering::Relaxed),
        _ => return INVALID_VALUE,
    }
    SUCCESS
}

#[repr(C)]
struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: *mut c_void,
    attributes: *const c_void,
    count: c_uint,
}

/// Returns the number of clusters that would fit if every multiprocessor could take part.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuOccupancyMaxActiveClusters(
    count: *mut c_int,
    kernel: *const c_void,
    config: *const Config,
) -> Code {
    // SAFETY: the caller passes a live configuration.
    let (kernel, config) = unsafe { (known(kernel), &*config) };
    note!("{}: clusters of {} x {} + {} at once?", kernel.name, config.grid[0], config.block[0], config.shared);
    if config.shared as c_int > kernel.limit.load(Ordering::Relaxed) {
        return INVALID_VALUE;
    }
    give(count, MULTIPROCESSORS / config.grid[0].max(1) as c_int)
}

fn fits(kernel: &Kernel, grid: [c_uint; 3], block: [c_uint; 3], shared: c_uint) -> bool {
    let threads = block.iter().product::<c_uint>();
    grid[0] > 0
        && grid[0] < 1 << 31
        && (1..1 << 16).contains(&grid[1])
        && (1..1 << 16).contains(&grid[2])
        && threads > 0
        && threads <= kernel.threads.min(THREADS_PER_BLOCK)
        && shared as c_int <= kernel.limit.load(Ordering::Relaxed)
        && grid[0].is_multiple_of(kernel.cluster)
        && kernel.cluster <= kernel.most.load(Ordering::Relaxed)
}

/// Handles a launch with a cluster size that the kernel does not specify itself: the configuration's single attribute
/// is that size.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchKernelEx(
    config: *const Config,
    kernel: *const c_void,
    parameters: *const *const u8,
    extra: *const c_void,
) -> Code {
    /// `CUlaunchAttribute`: its number, and its value as words.
    #[repr(C)]
    struct Attribute {
        id: c_uint,
        pad: c_uint,
        value: [c_uint; 16],
    }
    const CLUSTER_DIMENSION: c_uint = 4;
    // SAFETY: the caller passes a live configuration with this many attributes.
    let (config, kernel) = unsafe { (&*config, known(kernel)) };
    let attributes =
        unsafe { std::slice::from_raw_parts(config.attributes.cast::<Attribute>(), config.count as usize) };
    let cluster = match attributes {
        [Attribute { id: CLUSTER_DIMENSION, value: [x, 1, 1, ..], .. }] => *x,
        _ => 0,
    };
    if kernel.cluster != 1 || !(1..=8).contains(&cluster) {
        note!("{}: REFUSED clusters of {cluster}", kernel.name);
        return INVALID_VALUE;
    }
    // SAFETY: the requirements are passed on to the caller.
    unsafe { launch(kernel, cluster, config.grid, config.block, config.shared, config.stream, parameters, extra) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchKernel(
    kernel: *const c_void,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: *mut c_void,
    parameters: *const *const u8,
    extra: *const c_void,
) -> Code {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    // SAFETY: the requirements are passed on to the caller.
    unsafe { launch(known(kernel), 1, grid, block, shared, stream, parameters, extra) }
}

/// # Safety
/// `parameters` must hold an address for each of the kernel's parameters, as for any launch.
#[allow(clippy::too_many_arguments)] // the arguments of a launch
unsafe fn launch(
    kernel: &Kernel,
    cluster: c_uint,
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: *mut c_void,
    parameters: *const *const u8,
    extra: *const c_void,
) -> Code {
    let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (grid, block);
    if !extra.is_null() || !fits(kernel, grid, block, shared) || !grid_x.is_multiple_of(cluster) {
        note!("{}: REFUSED {grid_x},{grid_y},{grid_z} x {block_x},{block_y},{block_z} + {shared}", kernel.name);
        return INVALID_VALUE;
    }
    let mut text = String::new();
    for (i, &bytes) in kernel.parameters.iter().enumerate() {
        // SAFETY: the caller guarantees an address for each of the kernel's parameters.
        let parameter = unsafe { std::slice::from_raw_parts(*parameters.add(i), bytes) };
        text.push(' ');
        for word in parameter.chunks(8) {
            let value = word.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
            _ = write!(text, "{}{value:x}", if text.ends_with(' ') { "" } else { "." });
        }
    }
    let more = if grid_y * grid_z * block_y * block_z == 1 {
        String::new()
    } else {
        format!(" ({grid_y},{grid_z} x {block_y},{block_z})")
    };
    // Multiprocessors allocate shared memory in units of this size.
    let shared = shared.next_multiple_of(128);
    let clusters = if cluster == 1 { String::new() } else { format!(" in clusters of {cluster}") };
    note!("{} {grid_x}x{block_x}+{shared}{more}{clusters} stream {:x}:{text}", kernel.name, stream as usize);
    SUCCESS
}
