//! Compiles `kernels/` (`kernels/compile.rs`), for a build with the CUDA backend.

#[cfg(feature = "cuda")]
#[path = "kernels/compile.rs"]
mod compile;

fn main() {
    for path in ["kernels", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    #[cfg(feature = "cuda")]
    compile::main();
}
