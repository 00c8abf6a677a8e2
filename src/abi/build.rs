//! Gives libtephra.so its SONAME, so that a program linked by full path (as CMake links) asks for the library by name.
//! The symbols are unversioned on purpose: see src/preload/.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap();
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtephra.so.{major}");
}
