//! Writes the C header of the native API: `tephra-header OUTPUT`. Called by scripts/header.sh, in the project's root.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(output) = std::env::args_os().nth(1) else {
        eprintln!("usage: tephra-header OUTPUT");
        return ExitCode::FAILURE;
    };
    match generate(output.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tephra-header: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(output: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let config = cbindgen::Config::from_file("cbindgen.toml")?;
    let bindings = cbindgen::Builder::new().with_crate("src/abi").with_config(config).generate()?;
    bindings.write_to_file(output);
    Ok(())
}
