//! The energy that a device consumes, from NVML, NVIDIA's management library, which is loaded at run time and only read
//! from.

use super::{Gauge, Kind};
use crate::cuda::Cuda;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::path::PathBuf;
use tephra_testkit::library::open_first;

type Code = c_int;
type Device = *mut c_void;

/// The entry points, with the types of nvml.h.
struct Table {
    init: unsafe extern "C" fn() -> Code,
    error_string: unsafe extern "C" fn(Code) -> *const c_char,
    by_bus_id: unsafe extern "C" fn(*const c_char, *mut Device) -> Code,
    energy: unsafe extern "C" fn(Device, *mut c_ulonglong) -> Code,
    power: unsafe extern "C" fn(Device, *mut c_uint) -> Code,
}

impl Table {
    fn load() -> Result<Table, String> {
        let (path, object) = open_first("TEPHRA_LIBNVML", &[PathBuf::from("libnvidia-ml.so.1")])
            .map_err(|e| format!("reading energy needs NVML, which comes with NVIDIA's driver: {e}"))?;
        macro_rules! entry {
            ($name:literal) => {
                // SAFETY: the types above are those of nvml.h.
                *unsafe { object.get($name.as_bytes()) }.map_err(|e| format!("{}: {e}", path.display()))?
            };
        }
        let table = Table {
            init: entry!("nvmlInit_v2"),
            error_string: entry!("nvmlErrorString"),
            by_bus_id: entry!("nvmlDeviceGetHandleByPciBusId_v2"),
            energy: entry!("nvmlDeviceGetTotalEnergyConsumption"),
            power: entry!("nvmlDeviceGetPowerUsage"),
        };
        std::mem::forget(object); // the table points into it
        Ok(table)
    }

    fn check(&self, call: &str, code: Code) -> Result<(), String> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: NVML returns a static string for any code.
        let text = unsafe { (self.error_string)(code) };
        let text = if text.is_null() { "?".into() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy() };
        Err(format!("NVML's {call} failed with error {code} ({text})"))
    }
}

/// The energy gauge of the device that the library uses.
pub struct Nvml {
    table: Table,
    device: Device,
    kind: Kind,
}

// SAFETY: NVML may be called from any thread, and its handles are not bound to a thread.
unsafe impl Send for Nvml {}
unsafe impl Sync for Nvml {}

impl Nvml {
    /// The gauge of [`crate::cuda`]'s first device. NVML numbers devices in a different order, so the device is found
    /// by its PCI bus address.
    pub fn of_device() -> Result<Nvml, String> {
        let table = Table::load()?;
        // SAFETY: nvmlInit may be called any number of times.
        table.check("nvmlInit", unsafe { (table.init)() })?;
        let place = CString::new(Cuda::get()?.bus_id(0)?).map_err(|e| e.to_string())?;
        let mut device = std::ptr::null_mut();
        let found = unsafe { (table.by_bus_id)(place.as_ptr(), &mut device) };
        table.check(&format!("nvmlDeviceGetHandleByPciBusId({})", place.to_string_lossy()), found)?;
        let counts = Nvml { table, device, kind: Kind::Counter };
        match counts.read() {
            Ok(_) => Ok(counts),
            // Devices before Volta have no counter.
            Err(_) => {
                let samples = Nvml { kind: Kind::Power, ..counts };
                samples.read().map(|_| samples)
            }
        }
    }
}

impl Gauge for Nvml {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn read(&self) -> Result<u64, String> {
        let Nvml { table, device, kind } = self;
        match kind {
            Kind::Counter => {
                let mut millijoules = 0;
                let code = unsafe { (table.energy)(*device, &mut millijoules) };
                table.check("nvmlDeviceGetTotalEnergyConsumption", code).map(|()| millijoules)
            }
            Kind::Power => {
                let mut milliwatts = 0;
                let code = unsafe { (table.power)(*device, &mut milliwatts) };
                table.check("nvmlDeviceGetPowerUsage", code).map(|()| milliwatts.into())
            }
        }
    }
}
