//! Compiles `kernels/` (see `kernels/compile.rs`) if the CUDA backend is enabled.

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
