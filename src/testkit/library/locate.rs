//! Where shared objects are searched for.

use crate::{Error, Result};
use libloading::Library as Object;
use std::path::{Path, PathBuf};

/// The places to search for a shared object that ships with the executable: its own directory, `../lib`, the directory
/// above (tests are in `target/PROFILE/deps`, the library in `target/PROFILE`), and the other profiles of the same
/// target directory.
pub fn search_list(file: &str) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let here = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_path_buf));
    if let Some(here) = here {
        places.push(here.join(file));
        let above: Vec<&Path> = here.ancestors().skip(1).take(2).collect();
        if let Some(prefix) = above.first() {
            places.push(prefix.join("lib").join(file));
            places.push(prefix.join(file));
        }
        for up in above {
            for profile in ["release", "debug"] {
                places.push(up.join(profile).join(file));
            }
        }
    }
    places
}

/// Opens the file that the environment variable names, and no other; if it is not set, the first of `places` that
/// exists. A name without a slash is left to the dynamic linker's search.
pub fn open_first(variable: &str, places: &[PathBuf]) -> Result<(PathBuf, Object)> {
    if let Some(path) = std::env::var_os(variable).filter(|v| !v.is_empty()) {
        let path = PathBuf::from(path);
        return open_named(&path, &format!("{variable}={}", path.display()));
    }
    let mut tried = Vec::new();
    for path in places {
        let by_name = path.components().count() == 1;
        if !by_name && !path.exists() {
            tried.push(format!("{}: no such file", path.display()));
            continue;
        }
        match open(path) {
            Ok(object) => return Ok((path.clone(), object)),
            Err(e) if by_name => tried.push(format!("{}: {}", path.display(), reason(path, &e))),
            Err(e) => return Err(Error::Load(format!("{}: {}", path.display(), reason(path, &e)))),
        }
    }
    Err(Error::Load(format!("{variable} is not set, and nothing was found:\n  {}", tried.join("\n  "))))
}

/// Opens exactly this file. `description` describes it in the error message.
pub(super) fn open_named(path: &Path, description: &str) -> Result<(PathBuf, Object)> {
    open(path)
        .map(|object| (path.to_path_buf(), object))
        .map_err(|e| Error::Load(format!("{description}: {}", reason(path, &e))))
}

/// Why an object could not be opened, without the path, which the loader puts in front.
fn reason(path: &Path, error: &libloading::Error) -> String {
    let text = error.to_string();
    text.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&text).to_owned()
}

fn open(path: &Path) -> std::result::Result<Object, libloading::Error> {
    // SAFETY: the objects named here have no initialisers that could break this process.
    unsafe { Object::new(path) }
}

/// The file from which a loaded object of ours came.
pub(super) fn origin(object: &Object) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: the address is not called; the name that dladdr returns lives as long as the object is loaded.
    unsafe {
        let symbol = object.get::<unsafe extern "C" fn()>(b"tephra_version\0").ok()?;
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(*symbol as *const libc::c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        Some(std::ffi::OsStr::from_bytes(std::ffi::CStr::from_ptr(info.dli_fname).to_bytes()).into())
    }
}
