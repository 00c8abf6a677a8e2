//! The driver's own name: once this object is loaded, whoever asks the dynamic linker for the driver gets it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
}
