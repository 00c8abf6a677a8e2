//! The CUDA driver functions that only this program uses: names and sizes of devices, and a bare kernel launch.
//! Streams, events and copies are in the test kit's driver module.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::OnceLock;
use tephra_testkit::driver::Driver;
use tephra_testkit::library::open_first;

type Code = c_int;

/// The driver's entry points.
pub struct Cuda {
    driver_version: unsafe extern "C" fn(*mut c_int) -> Code,
    device_count: unsafe extern "C" fn(*mut c_int) -> Code,
    device_get: unsafe extern "C" fn(*mut c_int, c_int) -> Code,
    device_name: unsafe extern "C" fn(*mut c_char, c_int, c_int) -> Code,
    device_attribute: unsafe extern "C" fn(*mut c_int, c_int, c_int) -> Code,
    device_bus_id: unsafe extern "C" fn(*mut c_char, c_int, c_int) -> Code,
    device_memory: unsafe extern "C" fn(*mut usize, c_int) -> Code,
    module_load: unsafe extern "C" fn(*mut *mut c_void, *const c_void) -> Code,
    module_function: unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const c_char) -> Code,
    launch: Launch,
}

type Launch = unsafe extern "C" fn(
    function: *mut c_void,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared_bytes: c_uint,
    stream: *mut c_void,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Code;

/// The properties of a device that are shown to the user.
pub struct Device {
    pub name: String,
    /// Compute capability, major and minor.
    pub capability: (c_int, c_int),
    pub multiprocessors: c_int,
    /// The most shared memory of a block, in bytes.
    pub shared_bytes: c_int,
    pub memory_bytes: usize,
}

const CAPABILITY_MAJOR: c_int = 75;
const CAPABILITY_MINOR: c_int = 76;
const MULTIPROCESSORS: c_int = 16;
const SHARED_PER_BLOCK_OPTIN: c_int = 97;

impl Cuda {
    /// Returns the driver, or the reason why there is none.
    pub fn get() -> Result<&'static Cuda, String> {
        static CUDA: OnceLock<Result<Cuda, String>> = OnceLock::new();
        CUDA.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Cuda, String> {
        Driver::get().map_err(|e| e.to_string())?; // initialises the driver
        let (_, object) = open_first("TEPHRA_LIBCUDA", &[PathBuf::from("libcuda.so.1")]).map_err(|e| e.to_string())?;
        macro_rules! entry {
            ($name:literal) => {
                // SAFETY: the types above are those of cuda.h.
                *unsafe { object.get($name.as_bytes()) }
                    .map_err(|e| format!("the CUDA driver lacks {} ({e})", $name))?
            };
        }
        let cuda = Cuda {
            driver_version: entry!("cuDriverGetVersion"),
            device_count: entry!("cuDeviceGetCount"),
            device_get: entry!("cuDeviceGet"),
            device_name: entry!("cuDeviceGetName"),
            device_attribute: entry!("cuDeviceGetAttribute"),
            device_bus_id: entry!("cuDeviceGetPCIBusId"),
            device_memory: entry!("cuDeviceTotalMem_v2"),
            module_load: entry!("cuModuleLoadData"),
            module_function: entry!("cuModuleGetFunction"),
            launch: entry!("cuLaunchKernel"),
        };
        std::mem::forget(object); // stays loaded
        Ok(cuda)
    }

    /// The CUDA version of the driver, as "13.0".
    pub fn version(&self) -> Result<String, String> {
        let mut v = 0;
        check("cuDriverGetVersion", unsafe { (self.driver_version)(&mut v) })?;
        Ok(format!("{}.{}", v / 1000, v % 1000 / 10))
    }

    /// All devices.
    pub fn devices(&self) -> Result<Vec<Device>, String> {
        let mut count = 0;
        check("cuDeviceGetCount", unsafe { (self.device_count)(&mut count) })?;
        (0..count).map(|i| self.device(i)).collect()
    }

    fn device(&self, number: c_int) -> Result<Device, String> {
        let (mut device, mut name, mut memory_bytes) = (0, [0 as c_char; 256], 0);
        check("cuDeviceGet", unsafe { (self.device_get)(&mut device, number) })?;
        check("cuDeviceGetName", unsafe { (self.device_name)(name.as_mut_ptr(), 256, device) })?;
        check("cuDeviceTotalMem", unsafe { (self.device_memory)(&mut memory_bytes, device) })?;
        let attribute = |which| {
            let mut value = 0;
            check("cuDeviceGetAttribute", unsafe { (self.device_attribute)(&mut value, which, device) })?;
            Ok::<_, String>(value)
        };
        Ok(Device {
            // SAFETY: the driver ends the name with a NUL.
            name: unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned(),
            capability: (attribute(CAPABILITY_MAJOR)?, attribute(CAPABILITY_MINOR)?),
            multiprocessors: attribute(MULTIPROCESSORS)?,
            shared_bytes: attribute(SHARED_PER_BLOCK_OPTIN)?,
            memory_bytes,
        })
    }

    /// The PCI bus address of a device, such as "0000:1A:00.0".
    pub fn bus_id(&self, number: c_int) -> Result<String, String> {
        let (mut device, mut text) = (0, [0 as c_char; 32]);
        check("cuDeviceGet", unsafe { (self.device_get)(&mut device, number) })?;
        check("cuDeviceGetPCIBusId", unsafe { (self.device_bus_id)(text.as_mut_ptr(), 32, device) })?;
        // SAFETY: the driver ends the text with a NUL.
        Ok(unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned())
    }

    /// Loads the kernel `name` from PTX text. The module is never unloaded.
    pub fn kernel(&self, ptx: &CStr, name: &CStr) -> Result<Kernel<'_>, String> {
        let (mut module, mut function) = (null_mut(), null_mut());
        check("cuModuleLoadData", unsafe { (self.module_load)(&mut module, ptx.as_ptr().cast()) })?;
        check("cuModuleGetFunction", unsafe { (self.module_function)(&mut function, module, name.as_ptr()) })?;
        Ok(Kernel { cuda: self, function })
    }
}

/// A kernel without parameters.
pub struct Kernel<'a> {
    cuda: &'a Cuda,
    function: *mut c_void,
}

impl Kernel<'_> {
    /// Launches one block of one warp.
    pub fn launch(&self, stream: *mut c_void) -> Result<(), String> {
        // SAFETY: the kernel takes no parameters.
        let code = unsafe { (self.cuda.launch)(self.function, 1, 1, 1, 32, 1, 1, 0, stream, null_mut(), null_mut()) };
        check("cuLaunchKernel", code)
    }
}

fn check(call: &str, code: Code) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("{call} failed with CUDA error {code}")) }
}
