//! Kernels, loaded lazily from the embedded images and independently of contexts.

use crate::error::Error;
use crate::gpu::driver;
use crate::gpu::driver::images;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::Launch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{IMAGES, KERNELS, KernelId};
use cudarc::driver::sys::{self, CUfunction_attribute, CUresult};
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Most blocks of a launch; many kernels that could need more loop over the rest.
pub const MAX_BLOCKS: i64 = i32::MAX as i64;

struct Loaded {
    kernel: sys::CUkernel,
    /// By device: bytes to which the shared-memory limit was raised.
    raised: [AtomicU32; DEVICES],
    /// By device: clusters that it runs at a time, 0 while nobody has asked.
    clusters: [AtomicU32; DEVICES],
    /// A bit for each device on which clusters above [`DEFAULT_CLUSTER`] are allowed.
    large_clusters: AtomicU64,
}
/// Devices that are told apart without asking the driver again.
const DEVICES: usize = 64;
// SAFETY: a CUkernel is a process-wide token.
unsafe impl Send for Loaded {}
unsafe impl Sync for Loaded {}

struct Image(sys::CUlibrary);
// SAFETY: a CUlibrary is a process-wide token.
unsafe impl Send for Image {}
unsafe impl Sync for Image {}

/// What is loaded of one of [`CODES`](crate::gpu::plan::table::CODES).
struct Library {
    /// Its place.
    code: usize,
    images: Box<[OnceCell<Image>]>,
    kernels: Box<[OnceCell<Loaded>]>,
}

/// What is loaded is for all devices of the process, but has code of one architecture only. Devices that run different code, as
/// their compute capabilities tell, have libraries of their own; only where there are such does a launch ask for its device. (The
/// driver has to load lazily then, which is its default: else it would load each image in all contexts at once.)
enum Libraries {
    Same(Library),
    OfDevice(Vec<Option<Arc<Library>>>),
}

static LIBRARIES: OnceCell<Libraries> = OnceCell::new();

impl Libraries {
    /// For devices that run these codes.
    fn new(codes: &[Option<usize>]) -> Libraries {
        match *codes {
            [Some(code), ref rest @ ..] if rest.iter().all(|other| *other == Some(code)) => {
                Libraries::Same(Library::new(code))
            }
            _ => {
                let mut made = BTreeMap::new();
                let mut library = |code| made.entry(code).or_insert_with(|| Arc::new(Library::new(code))).clone();
                Libraries::OfDevice(codes.iter().map(|code| code.map(&mut library)).collect())
            }
        }
    }

    #[cold]
    fn of_devices() -> Result<Libraries, Error> {
        let code = |device| driver::arch(device).map(images::code_for);
        let codes: Vec<_> = (0..driver::device_count()?).map(code).collect::<Result<_, _>>()?;
        Ok(Libraries::new(&codes))
    }
}

fn no_kernels() -> Error {
    let built_for = option_env!("TEPHRA_CUDA_ARCHS_BUILT").unwrap_or("none");
    Error::NoDevice(format!("this build has no kernels for the current device (built for {built_for})"))
}

/// The current device's.
fn library() -> Result<&'static Library, Error> {
    match LIBRARIES.get_or_try_init(Libraries::of_devices)? {
        Libraries::Same(library) => Ok(library),
        Libraries::OfDevice(libraries) => {
            libraries.get(current_device()? as usize).and_then(Option::as_deref).ok_or_else(no_kernels)
        }
    }
}

/// A kernel for the current device. All that a warm call passes is two tests.
#[inline(always)]
fn loaded(id: KernelId) -> Result<&'static Loaded, Error> {
    match LIBRARIES.get() {
        Some(Libraries::Same(library)) => library.kernels[id].get().map_or_else(|| first_loaded(id), Ok),
        _ => first_loaded(id),
    }
}

#[cold]
#[inline(never)]
fn first_loaded(id: KernelId) -> Result<&'static Loaded, Error> {
    let library = library()?;
    library.kernels[id].get_or_try_init(|| library.load(id))
}

impl Library {
    fn new(code: usize) -> Library {
        let images = IMAGES.iter().map(|_| OnceCell::new()).collect();
        Library { code, images, kernels: KERNELS.iter().map(|_| OnceCell::new()).collect() }
    }

    #[cold]
    fn image(&self, image: usize) -> Result<Image, Error> {
        let code = images::unpack(IMAGES[image].get(self.code).ok_or_else(no_kernels)?)?;
        let mut library = null_mut();
        let (data, none) = (code.as_ptr().cast(), null_mut());
        // SAFETY: the code is complete, and PTX ends with a 0; the driver makes a copy of it.
        let r = unsafe { api::cuLibraryLoadData(&mut library, data, none, null_mut(), 0, null_mut(), null_mut(), 0) };
        match r {
            CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => Err(no_kernels()),
            r => check("cuLibraryLoadData", r).map(|()| Image(library)),
        }
    }

    #[cold]
    fn load(&self, id: KernelId) -> Result<Loaded, Error> {
        current_device()?; // loading needs a context
        let image = KERNELS[id].image;
        let library = self.images[image].get_or_try_init(|| self.image(image))?;
        let mut kernel = null_mut();
        // SAFETY: library and name are valid; the name is NUL-terminated.
        let r = unsafe { api::cuLibraryGetKernel(&mut kernel, library.0, KERNELS[id].name.as_ptr()) };
        check("cuLibraryGetKernel", r)?;
        let none = || [const { AtomicU32::new(0) }; DEVICES];
        Ok(Loaded { kernel, raised: none(), clusters: none(), large_clusters: AtomicU64::new(0) })
    }
}

/// Dynamic shared memory that a kernel may use without asking: 48 KiB, less what kernels have of static shared memory.
const DEFAULT_SHARED: u32 = (48 - 16) * 1024;
/// Blocks that a cluster may have without asking.
const DEFAULT_CLUSTER: u32 = 8;

impl Loaded {
    #[cold]
    fn raise_shared(&self, bytes: u32, device: i32) -> Result<(), Error> {
        // One at a time: of two threads the one that wants less would else lower what the other has raised.
        static RAISING: Mutex<()> = Mutex::new(());
        let _one = RAISING.lock();
        let known = self.raised.get(device as usize);
        if known.is_some_and(|known| known.load(Ordering::Acquire) >= bytes) {
            return Ok(());
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: attribute call on a loaded kernel.
        let r = unsafe { api::cuKernelSetAttribute(attribute, bytes as i32, self.kernel, device) };
        check("cuKernelSetAttribute", r)?;
        if let Some(known) = known {
            known.store(bytes, Ordering::Release);
        }
        Ok(())
    }

    /// Makes sure that the limit on `device` is at least `bytes`: not the same for every launch of a kernel.
    fn allow_shared(&self, bytes: u32, device: i32) -> Result<(), Error> {
        if self.raised.get(device as usize).is_none_or(|known| known.load(Ordering::Acquire) < bytes) {
            self.raise_shared(bytes, device)?;
        }
        Ok(())
    }

    /// Makes sure that `device` takes the kernel's clusters, however large they are.
    fn allow_clusters(&self, device: i32) -> Result<(), Error> {
        let bit = 1u64.checked_shl(device as u32).unwrap_or(0);
        if self.large_clusters.load(Ordering::Acquire) & bit == 0 {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
            // SAFETY: attribute call on a loaded kernel.
            let r = unsafe { api::cuKernelSetAttribute(attribute, 1, self.kernel, device) };
            check("cuKernelSetAttribute", r)?;
            self.large_clusters.fetch_or(bit, Ordering::Release);
        }
        Ok(())
    }

    /// What the kernel has to be allowed before a launch with so much shared memory.
    fn prepare(&self, id: KernelId, shared: u32) -> Result<(), Error> {
        if shared > DEFAULT_SHARED {
            self.allow_shared(shared, current_device()?)?;
        }
        if KERNELS[id].cluster > DEFAULT_CLUSTER {
            self.allow_clusters(current_device()?)?;
        }
        Ok(())
    }

    /// Asks the driver; see [`clusters_at_once`].
    #[cold]
    fn ask_clusters(&self, threads: u32, shared: u32, cluster: u32) -> Result<u32, Error> {
        let mut attribute = of_clusters(cluster);
        let config = in_clusters(&mut attribute, cluster, threads, shared, null_mut());
        let mut count = 0;
        // SAFETY: a CUkernel may stand for a CUfunction here, too; the configuration outlives the call.
        let r = unsafe { api::cuOccupancyMaxActiveClusters(&mut count, self.kernel.cast(), &config) };
        check("cuOccupancyMaxActiveClusters", r)?;
        Ok(count.max(1) as u32)
    }
}

/// The attribute of a launch in clusters of so many blocks.
fn of_clusters(cluster: u32) -> sys::CUlaunchAttribute {
    // SAFETY: plain data, for which zeros are valid.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: cluster, y: 1, z: 1 };
    attribute
}

/// A launch with that attribute, which it points to.
fn in_clusters(
    attribute: &mut sys::CUlaunchAttribute,
    blocks: u32,
    threads: u32,
    shared: u32,
    stream: sys::CUstream,
) -> sys::CUlaunchConfig {
    sys::CUlaunchConfig {
        gridDimX: blocks,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: shared,
        hStream: stream,
        attrs: attribute,
        numAttrs: 1,
    }
}

/// How many clusters of `cluster` blocks of kernel `id` the current device runs at a time. Multiprocessors in groups of
/// different sizes make it less than their count says.
pub fn clusters_at_once(id: KernelId, threads: u32, shared: u32, cluster: u32) -> Result<i64, Error> {
    let loaded = loaded(id)?;
    let device = current_device()?;
    let known = loaded.clusters.get(device as usize);
    if let Some(count) = known.map(|k| k.load(Ordering::Relaxed)).filter(|count| *count > 0) {
        return Ok(count.into());
    }
    loaded.prepare(id, shared)?;
    let count = loaded.ask_clusters(threads, shared, cluster)?;
    if let Some(known) = known {
        known.store(count, Ordering::Relaxed);
    }
    Ok(count.into())
}

/// A kernel's parameters, by their addresses. Most kernels take one structure.
pub struct Parameters(pub [*mut c_void; 4]);

impl<A> From<&mut A> for Parameters {
    fn from(args: &mut A) -> Parameters {
        Parameters([(&raw mut *args).cast(), null_mut(), null_mut(), null_mut()])
    }
}

/// Launches a kernel on the current context: so many clusters (of one block, for most kernels), or as many as a launch may
/// have.
///
/// # Safety
/// The parameters must be what the kernel takes, and what they name must be valid device memory in stream order.
pub unsafe fn go(l: &Launch, clusters: i64, args: impl Into<Parameters>, queue: Queue<'_>) -> Result<(), Error> {
    let stream = match queue {
        Queue::Stream(stream) => stream,
        Queue::List(list) | Queue::Beside(list) => {
            list.launch(l, matches!(queue, Queue::Beside(_)));
            return Ok(());
        }
    };
    let (id, cluster) = (l.instance.kernel, l.cluster);
    // Divisions are slow, and most kernels have no clusters.
    let most = if cluster == 1 { MAX_BLOCKS } else { MAX_BLOCKS / i64::from(cluster) };
    let blocks = clusters.min(most) as u32 * cluster;
    let Parameters(mut parameters) = args.into();
    let loaded = loaded(id)?;
    loaded.prepare(id, l.shared)?;
    let mut launch = || {
        if cluster != l.instance.cluster {
            let mut attribute = of_clusters(cluster);
            let config = in_clusters(&mut attribute, blocks, l.threads, l.shared, stream.0.cast());
            // SAFETY: as below; the configuration outlives the call.
            return unsafe {
                api::cuLaunchKernelEx(&config, loaded.kernel.cast(), parameters.as_mut_ptr(), null_mut())
            };
        }
        // SAFETY: forwarded from the caller; a CUkernel may stand for a CUfunction here.
        unsafe {
            api::cuLaunchKernel(
                loaded.kernel.cast(),
                blocks,
                1,
                1,
                l.threads,
                1,
                1,
                l.shared,
                stream.0.cast(),
                parameters.as_mut_ptr(),
                null::<*mut c_void>().cast_mut(),
            )
        }
    };
    match launch() {
        CUresult::CUDA_SUCCESS => Ok(()),
        // The thread's first CUDA call: give it the primary context and go again.
        CUresult::CUDA_ERROR_INVALID_CONTEXT => {
            current_device()?;
            check("cuLaunchKernel", launch())
        }
        r => Err(failed(id, r)),
    }
}

/// Puts the kernel of a launch on the current device and allows it what it needs, all of which the first launch else does: the driver
/// may wait then for what the device is doing.
pub fn load(l: &Launch) -> Result<(), Error> {
    current_device()?;
    let id = l.instance.kernel;
    let loaded = loaded(id)?;
    loaded.prepare(id, l.shared)?;
    let mut function = null_mut();
    // SAFETY: a loaded kernel, and a context is current.
    check("cuKernelGetFunction", unsafe { api::cuKernelGetFunction(&mut function, loaded.kernel) })
}

#[cold]
fn failed(id: KernelId, r: CUresult) -> Error {
    check(&format!("cuLaunchKernel {:?}", KERNELS[id].name), r).unwrap_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_share_what_is_loaded_of_a_code() {
        let same = |codes: &[Option<usize>]| match Libraries::new(codes) {
            Libraries::Same(library) => Some(library.code),
            Libraries::OfDevice(_) => None,
        };
        assert_eq!(same(&[Some(1)]), Some(1));
        assert_eq!(same(&[Some(2), Some(2), Some(2)]), Some(2));
        for codes in [&[][..], &[None], &[Some(0), None], &[None, Some(0)], &[Some(0), Some(1)]] {
            assert_eq!(same(codes), None, "{codes:?}");
        }
        let Libraries::OfDevice(libraries) = Libraries::new(&[Some(1), None, Some(0), Some(1)]) else { unreachable!() };
        let [Some(first), None, Some(third), Some(last)] = &libraries[..] else {
            panic!("the wrong devices are served")
        };
        assert_eq!((first.code, third.code), (1, 0));
        assert!(Arc::ptr_eq(first, last));
    }
}
