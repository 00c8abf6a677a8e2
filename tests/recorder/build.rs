//! Gives the object the driver's soname, so that once it is loaded the dynamic linker returns it to
//! anyone who asks for the driver.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
}
