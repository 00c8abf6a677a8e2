//! Passes the name of the library that the preload object opens to its compilation.

#[path = "../library/soname.rs"]
mod soname;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../library/soname.rs");
    println!("cargo::rustc-env=LIBRARY={}", soname::soname());
}
