//! Tests the program, and with it the library, with incomplete drivers: one that lacks functions, and a toolkit's stub.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary folder for one test, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tephra-driver-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Compiles a shared library from C source.
    fn library(&self, name: &str, text: &str) {
        let source = self.0.join("driver.c");
        std::fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        let made = cc.args(["-shared", "-fPIC", "-o"]).arg(self.0.join(name)).arg(&source).status().unwrap();
        assert!(made.success(), "{name}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn info(folder: &Path, backend: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tephra"));
    program.env("LD_LIBRARY_PATH", folder).env("TEPHRA_BACKEND", backend).arg("info").output().unwrap()
}

/// The calls that find a device succeed, so that only the missing functions can stop the library.
const PARTIAL: &str = "int cuInit(unsigned f) { return 0; }\n\
    int cuDriverGetVersion(int *v) { *v = 12000; return 0; }\n\
    int cuDeviceGetCount(int *n) { *n = 1; return 0; }\n";

#[test]
fn a_driver_that_lacks_functions_is_no_device() {
    let folder = Folder::new("partial");
    folder.library("libcuda.so.1", PARTIAL);
    let output = info(&folder.0, "auto");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("cpu"), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");

    let output = info(&folder.0, "cuda");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("libcuda.so.1 has no cu"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(said.lines().filter(|line| line.contains("no usable device")).count(), 1, "{said}");
}

/// `libcuda.so` is the stub that programs are linked with; opening it would terminate this program.
#[test]
fn a_toolkits_stub_is_not_opened() {
    let folder = Folder::new("stub");
    let text = "#include <unistd.h>\n__attribute__((constructor)) static void opened(void) { _exit(77); }\n";
    folder.library("libcuda.so", text);
    folder.library("libcuda.so.1", PARTIAL);
    for backend in ["auto", "cuda", "cpu"] {
        assert_ne!(info(&folder.0, backend).status.code(), Some(77), "{backend}");
    }
}
