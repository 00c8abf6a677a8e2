//! Handles of another library: a stand-in for NVIDIA's libcublas.so.13 is loaded out of the linker's sight (RTLD_LOCAL,
//! as Python loads its modules), and its handles are passed to our functions.
//!
//! A process chooses the backend only once, so each case runs in a child process: this program again, with one ignored
//! test.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::null_mut;
use tephra_testkit::{Dtype, Library};

fn source(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

/// Builds the stand-in from c_tests/, with the vendor's SONAME and version node.
fn build_stand_in(case: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stand-in-{case}"));
    std::fs::create_dir_all(&folder).unwrap();
    let library = folder.join("libcublas.so.13");
    let map = source("c_tests/preload/standin.map");
    let output = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
        .args(["-std=gnu11", "-shared", "-fPIC", "-I"])
        .arg(source("include"))
        .arg(source("c_tests/preload/standin.c"))
        .arg(format!("-Wl,-soname,libcublas.so.13,--version-script={},-Bsymbolic", map.display()))
        .arg("-o")
        .arg(&library)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

fn in_child(test: &str, backend: &str) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("exports_foreign::{test}"), "--ignored", "--nocapture"])
        .env("STAND_IN", build_stand_in(&format!("{test}-{backend}")))
        .env("TEPHRA_BACKEND", backend)
        .env("TEPHRA_VERBOSE", "1")
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// The stand-in, opened the way a Python module would be.
struct StandIn(*mut c_void);

impl StandIn {
    fn open() -> StandIn {
        let path = CString::new(std::env::var("STAND_IN").expect("run by its parent test")).unwrap();
        let object = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!object.is_null());
        StandIn(object)
    }

    /// Looks up a symbol as a function of the given type.
    unsafe fn symbol<F: Copy>(&self, name: &str) -> F {
        let name = CString::new(name).unwrap();
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        assert!(!address.is_null(), "{name:?}");
        unsafe { std::mem::transmute_copy(&address) }
    }

    fn handle(&self) -> *mut c_void {
        let create: unsafe extern "C" fn(*mut *mut c_void) -> c_int = unsafe { self.symbol("cublasCreate_v2") };
        let mut handle = null_mut();
        assert_eq!(unsafe { create(&mut handle) }, 0);
        handle
    }

    fn calls(&self, name: &str) -> c_int {
        let calls: unsafe extern "C" fn(*const c_char) -> c_int = unsafe { self.symbol("standin_calls") };
        let name = CString::new(name).unwrap();
        unsafe { calls(name.as_ptr()) }
    }
}

/// Factors a 3 x 2 matrix through our exported function: (status, info, whether the matrix was factored).
fn geqrf(handle: *mut c_void, m: c_int) -> (c_int, c_int, bool) {
    let mut a = [3.0, 4.0, 0.0, 1.0, 2.0, 3.0];
    let mut tau = [0.0; 2];
    let (arrays, mut info) = ([a.as_mut_ptr().cast::<c_void>(), tau.as_mut_ptr().cast()], 77);
    let geqrf = Library::required().cublas_geqrf(Dtype::D);
    let status = unsafe { geqrf(handle, m, 2, &arrays[0], 3, &arrays[1], &mut info, 1) };
    (status, info, a[0] == -5.0)
}

#[test]
fn served_on_the_cpu_when_asked_for_by_name() {
    in_child("child_served", "cpu");
}

#[test]
#[ignore = "run by served_on_the_cpu_when_asked_for_by_name"]
fn child_served() {
    let vendor = StandIn::open();
    let handle = vendor.handle();
    assert_eq!(geqrf(handle, 3), (0, 0, true));
    assert_eq!(geqrf(handle, -1), (7, -1, false));
    assert_eq!([vendor.calls("cublasDgeqrfBatched"), vendor.calls("cublasGetStream_v2")], [0, 1]);

    // For such a handle, every other function is the vendor's.
    let lib = Library::required();
    let set_stream: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int =
        unsafe { lib.symbol("cublasSetStream_v2") }.unwrap();
    let get_mode: unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int =
        unsafe { lib.symbol("cublasGetPointerMode_v2") }.unwrap();
    let get_math: unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int =
        unsafe { lib.symbol("cublasGetMathMode") }.unwrap();
    let version: unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int =
        unsafe { lib.symbol("cublasGetVersion_v2") }.unwrap();
    let destroy: unsafe extern "C" fn(*mut c_void) -> c_int = unsafe { lib.symbol("cublasDestroy_v2") }.unwrap();
    let mut value = -1;
    assert_eq!(unsafe { set_stream(handle, null_mut()) }, 0);
    assert_eq!(unsafe { get_mode(handle, &mut value) }, 0);
    assert_eq!(unsafe { version(handle, &mut value) }, 0);
    assert_eq!(unsafe { get_math(handle, &mut value) }, 15, "a vendor's library without that function");
    assert_eq!(unsafe { destroy(handle) }, 0);
    let names = ["cublasSetStream_v2", "cublasGetPointerMode_v2", "cublasGetVersion_v2", "cublasDestroy_v2"];
    assert_eq!(names.map(|name| vendor.calls(name)), [1; 4]);

    // Our handles are ours even if the vendor's library is loaded: on the CPU backend, the vendor could not create one.
    let ours = lib.cublas_handle(null_mut()).unwrap();
    assert_eq!(geqrf(ours.raw(), 3), (0, 0, true));
    assert_eq!(vendor.calls("cublasCreate_v2"), 1);
}

#[test]
fn passed_on_when_nobody_asked_for_the_cpu() {
    in_child("child_passed_on", "auto");
}

#[test]
fn passed_on_without_a_device() {
    in_child("child_passed_on", "cuda");
}

#[test]
#[ignore = "run by the tests before it"]
fn child_passed_on() {
    let vendor = StandIn::open();
    let handle = vendor.handle();
    // The pointer may be a device pointer, so the host must not touch the matrix.
    assert_eq!(geqrf(handle, 3), (0, 0, false));
    assert_eq!(vendor.calls("cublasDgeqrfBatched"), 1);
    assert_eq!(geqrf(null_mut(), 3).0, 1);
    assert_eq!(vendor.calls("cublasDgeqrfBatched"), 1, "a NULL handle is answered here");
}
