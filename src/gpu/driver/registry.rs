//! Loads kernels from the embedded images, lazily and independently of contexts, and launches them.

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

/// The most blocks of a launch. Kernels that could need more loop over the rest.
pub const MAX_BLOCKS: i64 = i32::MAX as i64;

struct Loaded {
    kernel: sys::CUkernel,
    /// Per device: the shared-memory limit in bytes that has been set.
    raised: [AtomicU32; DEVICES],
    /// Per device: the number of clusters that run concurrently; 0 if it has not been queried.
    clusters: [AtomicU32; DEVICES],
    /// One bit for each device on which clusters above [`DEFAULT_CLUSTER`] are enabled.
    large_clusters: AtomicU64,
}
/// The number of devices for which such values are remembered; for others the driver is asked each time.
const DEVICES: usize = 64;
// SAFETY: a CUkernel is a process-wide token.
unsafe impl Send for Loaded {}
unsafe impl Sync for Loaded {}

struct Image(sys::CUlibrary);
// SAFETY: a CUlibrary is a process-wide token.
unsafe impl Send for Image {}
unsafe impl Sync for Image {}

/// What has been loaded of one of [`CODES`](crate::gpu::plan::table::CODES).
struct Library {
    /// The index of the code.
    code: usize,
    images: Box<[OnceCell<Image>]>,
    kernels: Box<[OnceCell<Loaded>]>,
}

/// A loaded library serves all devices of the process, but contains code for one architecture only. Devices that run
/// different codes, according to their compute capabilities, therefore have separate libraries. Only in that case
/// does a launch need to know the current device. (It relies on the driver's default of loading lazily: otherwise
/// every image would be loaded into all contexts at once.)
enum Libraries {
    Same(Library),
    OfDevice(Vec<Option<Arc<Library>>>),
}

static LIBRARIES: OnceCell<Libraries> = OnceCell::new();

impl Libraries {
    /// `codes` holds the code that each device runs.
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

/// The library for the current device.
fn library() -> Result<&'static Library, Error> {
    match LIBRARIES.get_or_try_init(Libraries::of_devices)? {
        Libraries::Same(library) => Ok(library),
        Libraries::OfDevice(libraries) => {
            libraries.get(current_device()? as usize).and_then(Option::as_deref).ok_or_else(no_kernels)
        }
    }
}

/// The kernel for the current device. A warm call takes only two branches.
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
        // SAFETY: the code is complete, PTX is NUL-terminated, and the driver copies both.
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

/// Dynamic shared memory that a kernel may use without opting in: 48 KiB, less an allowance for the kernels' static
/// shared memory.
const DEFAULT_SHARED: u32 = (48 - 16) * 1024;
/// Blocks that a cluster may have without opting in.
const DEFAULT_CLUSTER: u32 = 8;

impl Loaded {
    #[cold]
    fn raise_shared(&self, bytes: u32, device: i32) -> Result<(), Error> {
        // The lock prevents a thread that needs less from lowering a limit that another thread has just raised.
        static RAISING: Mutex<()> = Mutex::new(());
        let _one = RAISING.lock();
        let known = self.raised.get(device as usize);
        if known.is_some_and(|known| known.load(Ordering::Acquire) >= bytes) {
            return Ok(());
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: sets an attribute of a loaded kernel.
        let r = unsafe { api::cuKernelSetAttribute(attribute, bytes as i32, self.kernel, device) };
        check("cuKernelSetAttribute", r)?;
        if let Some(known) = known {
            known.store(bytes, Ordering::Release);
        }
        Ok(())
    }

    /// Ensures that the limit on `device` is at least `bytes`, which may differ between launches of a kernel.
    fn allow_shared(&self, bytes: u32, device: i32) -> Result<(), Error> {
        if self.raised.get(device as usize).is_none_or(|known| known.load(Ordering::Acquire) < bytes) {
            self.raise_shared(bytes, device)?;
        }
        Ok(())
    }

    /// Ensures that `device` accepts the kernel's clusters, whatever their size.
    fn allow_clusters(&self, device: i32) -> Result<(), Error> {
        let bit = 1u64.checked_shl(device as u32).unwrap_or(0);
        if self.large_clusters.load(Ordering::Acquire) & bit == 0 {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
            // SAFETY: sets an attribute of a loaded kernel.
            let r = unsafe { api::cuKernelSetAttribute(attribute, 1, self.kernel, device) };
            check("cuKernelSetAttribute", r)?;
            self.large_clusters.fetch_or(bit, Ordering::Release);
        }
        Ok(())
    }

    /// Sets the attributes that the kernel needs for a launch with `shared` bytes of shared memory.
    fn prepare(&self, id: KernelId, shared: u32) -> Result<(), Error> {
        if shared > DEFAULT_SHARED {
            self.allow_shared(shared, current_device()?)?;
        }
        if KERNELS[id].cluster > DEFAULT_CLUSTER {
            self.allow_clusters(current_device()?)?;
        }
        Ok(())
    }

    /// Queries the driver; see [`clusters_at_once`].
    #[cold]
    fn ask_clusters(&self, threads: u32, shared: u32, cluster: u32) -> Result<u32, Error> {
        let mut attribute = cluster_attribute(cluster);
        let config = cluster_config(&mut attribute, cluster, threads, shared, null_mut());
        let mut count = 0;
        // SAFETY: this function accepts a CUkernel in place of a CUfunction, too; the configuration outlives the
        // call.
        let r = unsafe { api::cuOccupancyMaxActiveClusters(&mut count, self.kernel.cast(), &config) };
        check("cuOccupancyMaxActiveClusters", r)?;
        Ok(count.max(1) as u32)
    }
}

/// The attribute for a launch in clusters of this many blocks.
fn cluster_attribute(cluster: u32) -> sys::CUlaunchAttribute {
    // SAFETY: plain data, for which zeros are valid.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: cluster, y: 1, z: 1 };
    attribute
}

/// A launch configuration that points to that attribute.
fn cluster_config(
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

/// The number of clusters of `cluster` blocks of kernel `id` that run concurrently on the current device. It can be
/// less than the number of multiprocessors suggests, because GPCs differ in size.
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

/// Pointers to a kernel's parameters. Most kernels take one structure.
pub struct Parameters(pub [*mut c_void; 4]);

impl<A> From<&mut A> for Parameters {
    fn from(args: &mut A) -> Parameters {
        Parameters([(&raw mut *args).cast(), null_mut(), null_mut(), null_mut()])
    }
}

/// Launches a kernel in the current context, with `clusters` clusters (of one block, for most kernels) or as many as
/// a launch can have.
///
/// # Safety
/// The parameters must be of the types that the kernel takes, and pointers in them must be valid device memory in
/// stream order.
pub unsafe fn launch_kernel(
    l: &Launch,
    clusters: i64,
    args: impl Into<Parameters>,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let stream = match queue {
        Queue::Stream(stream) => stream,
        Queue::List(list) | Queue::SecondList(list) => {
            list.launch(l, matches!(queue, Queue::SecondList(_)));
            return Ok(());
        }
    };
    let (id, cluster) = (l.instance.kernel, l.cluster);
    // Division is slow, and most kernels have no clusters.
    let most = if cluster == 1 { MAX_BLOCKS } else { MAX_BLOCKS / i64::from(cluster) };
    let blocks = clusters.min(most) as u32 * cluster;
    let Parameters(mut parameters) = args.into();
    let loaded = loaded(id)?;
    loaded.prepare(id, l.shared)?;
    let mut launch = || {
        if cluster != l.instance.cluster {
            let mut attribute = cluster_attribute(cluster);
            let config = cluster_config(&mut attribute, blocks, l.threads, l.shared, stream.0.cast());
            // SAFETY: as below; the configuration outlives the call.
            return unsafe {
                api::cuLaunchKernelEx(&config, loaded.kernel.cast(), parameters.as_mut_ptr(), null_mut())
            };
        }
        // SAFETY: forwarded from the caller; cuLaunchKernel accepts a CUkernel in place of a CUfunction.
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
        // The thread has no context yet: make the primary one current and launch again.
        CUresult::CUDA_ERROR_INVALID_CONTEXT => {
            current_device()?;
            check("cuLaunchKernel", launch())
        }
        r => Err(failed(id, r)),
    }
}

/// Loads the kernel of a launch onto the current device and sets its attributes. Otherwise the first launch does
/// this, and the driver may then wait for work in progress on the device.
pub fn load(l: &Launch) -> Result<(), Error> {
    current_device()?;
    let id = l.instance.kernel;
    let loaded = loaded(id)?;
    loaded.prepare(id, l.shared)?;
    let mut function = null_mut();
    // SAFETY: the kernel is loaded, and a context is current.
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
