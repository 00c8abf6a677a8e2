//! Gives libtephra.so its SONAME, so that a program linked by full path (as CMake links) asks for the library by name.
//! Before 1.0 a minor release may break programs: the name tells it from the others. scripts/soname.sh agrees.
//! The symbols are unversioned on purpose: see src/preload/.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let [major, minor] = ["MAJOR", "MINOR"].map(|part| std::env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap());
    let version = if major == "0" { format!("0.{minor}") } else { major };
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtephra.so.{version}");
}
