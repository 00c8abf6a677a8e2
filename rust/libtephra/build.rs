//! Tests and examples of this package find the library where it was linked from.

fn main() {
    println!("cargo::rerun-if-env-changed=DEP_TEPHRA_LIBDIR");
    if let Ok(folder) = std::env::var("DEP_TEPHRA_LIBDIR")
        && !folder.is_empty()
    {
        println!("cargo::rustc-link-arg-tests=-Wl,-rpath,{folder}");
        println!("cargo::rustc-link-arg-examples=-Wl,-rpath,{folder}");
    }
}
