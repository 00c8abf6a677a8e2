//! Gives libtephra.so its SONAME, so that a program linked by full path (as CMake links) asks for the library by name.
//! The symbols are unversioned on purpose: a program finds them whatever version node the vendor's have.

mod soname;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=soname.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{}", soname::soname());
}
