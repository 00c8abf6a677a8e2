//! Gives libtephra.so its SONAME, so that a program linked by full path (as CMake does) still requests the library by
//! name. The symbols are deliberately unversioned, so a program finds them whatever version node the vendor's symbols
//! have.

mod soname;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=soname.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{}", soname::soname());
    // Helper threads and functions that run at the end of threads need the code until the process ends.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
