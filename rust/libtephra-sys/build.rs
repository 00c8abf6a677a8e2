//! Finds libtephra: below `TEPHRA_DIR` (an install prefix) when that is set, else by pkg-config.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=TEPHRA_DIR");
    let fixed = env::var_os("CARGO_FEATURE_STATIC").is_some();
    if let Some(prefix) = env::var_os("TEPHRA_DIR") {
        let folder = Path::new(&prefix).join("lib");
        assert!(
            folder.is_dir(),
            "TEPHRA_DIR must be the prefix where Tephra is installed, but there is no folder {}",
            folder.display()
        );
        link(&folder.display().to_string(), fixed);
        return;
    }
    let found = pkg_config::Config::new().atleast_version("0.2").cargo_metadata(false).probe("tephra");
    let library = found.unwrap_or_else(|why| panic!("{why}\nInstall Tephra, or set TEPHRA_DIR to its prefix."));
    let folder = library.link_paths.first().map_or(String::new(), |path| path.display().to_string());
    link(&folder, fixed);
}

fn link(folder: &str, fixed: bool) {
    if !folder.is_empty() {
        println!("cargo::rustc-link-search=native={folder}");
    }
    if fixed {
        println!("cargo::rustc-link-lib=static:-bundle=tephra");
        for library in ["pthread", "dl", "m"] {
            println!("cargo::rustc-link-lib={library}");
        }
    } else {
        println!("cargo::rustc-link-lib=dylib=tephra");
    }
    // For the build scripts of packages above this one: DEP_TEPHRA_LIBDIR.
    println!("cargo::metadata=LIBDIR={folder}");
}
