//! The device's power as libnvidia-ml.so.1 would report it: 500 W from the first reading on, with an energy counter
//! updated twenty times a second. `RECORDER_NVML=power` omits the counter, as on old devices, and `none` omits the
//! device.

use crate::{Code, SUCCESS, give};
use std::ffi::{CStr, c_char, c_uint, c_ulonglong, c_void};
use std::sync::OnceLock;
use std::time::Instant;

const MILLIWATTS: c_uint = 500_000;
const UPDATE: f64 = 0.05;
const NOT_SUPPORTED: Code = 3;
const NOT_FOUND: Code = 6;

fn told(what: &str) -> bool {
    std::env::var("RECORDER_NVML").is_ok_and(|told| told == what)
}

#[unsafe(no_mangle)]
extern "C" fn nvmlInit_v2() -> Code {
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn nvmlErrorString(code: Code) -> *const c_char {
    match code {
        NOT_SUPPORTED => c"Not Supported",
        NOT_FOUND => c"Not Found",
        _ => c"(an error of the recorder)",
    }
    .as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetHandleByPciBusId_v2(place: *const c_char, device: *mut *mut c_void) -> Code {
    // SAFETY: the caller passes a NUL-terminated string.
    let here = unsafe { CStr::from_ptr(place) } == crate::device::BUS_ID;
    if here && !told("none") { give(device, 0x30 as *mut c_void) } else { NOT_FOUND }
}

#[unsafe(no_mangle)]
extern "C" fn nvmlDeviceGetTotalEnergyConsumption(_device: *mut c_void, millijoules: *mut c_ulonglong) -> Code {
    static START: OnceLock<Instant> = OnceLock::new();
    if told("power") {
        return NOT_SUPPORTED;
    }
    let updates = (START.get_or_init(Instant::now).elapsed().as_secs_f64() / UPDATE).floor();
    give(millijoules, (f64::from(MILLIWATTS) * UPDATE * updates) as c_ulonglong)
}

#[unsafe(no_mangle)]
extern "C" fn nvmlDeviceGetPowerUsage(_device: *mut c_void, milliwatts: *mut c_uint) -> Code {
    give(milliwatts, MILLIWATTS)
}
