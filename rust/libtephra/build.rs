//! Sets the run path of this package's tests and examples to the directory of the library they are linked with.

fn main() {
    println!("cargo::rerun-if-env-changed=DEP_TEPHRA_LIBDIR");
    if let Ok(folder) = std::env::var("DEP_TEPHRA_LIBDIR")
        && !folder.is_empty()
    {
        println!("cargo::rustc-link-arg-tests=-Wl,-rpath,{folder}");
        println!("cargo::rustc-link-arg-examples=-Wl,-rpath,{folder}");
    }
}
