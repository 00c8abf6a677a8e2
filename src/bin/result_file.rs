//! Writes results to plain files in existing folders. A new file is created under a temporary name next to its
//! destination and renamed, so that no link is followed, and no file truncated or created, that the user did not name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Fails unless `path` is a plain file or does not exist. A symbolic link is rejected, because the user did not name
/// its target.
fn check(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) => {
            let what = if found.is_symlink() { "a symbolic link" } else { "not a regular file" };
            Err(io::Error::new(ErrorKind::InvalidInput, format!("{what}; results are written to regular files only")))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Fails if no result could be written to `path`, to report that before long work.
pub fn refuse_early(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = check(path).and_then(|()| match folder.is_dir() && path.file_name().is_some() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::NotFound, "no file in a folder that exists")),
    });
    found.map_err(|error| format!("{}: {error}", path.display()))
}

/// Replaces the file at `path` by one that contains `start`. Processes that have the old file open keep it.
pub fn replace(path: &Path, start: &[u8]) -> io::Result<File> {
    check(path)?;
    let (beside, mut file) = open_beside(path)?;
    let placed = file.write_all(start).and_then(|()| fs::rename(&beside, path));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed.map(|()| file)
}

/// Replaces the file at `path` by what `write` writes to the path that it is passed.
pub fn replace_by(path: &Path, write: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    let at = |error: io::Error| format!("{}: {error}", path.display());
    check(path).map_err(at)?;
    let (beside, _) = open_beside(path).map_err(at)?;
    let placed = write(&beside).and_then(|()| fs::rename(&beside, path).map_err(at));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed
}

/// Opens the existing file at `path` for appending. An incomplete last line, which an interrupted run left behind, is
/// removed, so that no row is appended to it. If there is no other line, it is completed.
pub fn extend(path: &Path) -> io::Result<File> {
    check(path)?;
    let mut file = OpenOptions::new().read(true).append(true).custom_flags(libc::O_NOFOLLOW).open(path)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    match text.iter().rposition(|byte| *byte == b'\n') {
        Some(last) if last + 1 < text.len() => file.set_len(last as u64 + 1)?,
        None if !text.is_empty() => file.write_all(b"\n")?,
        _ => {}
    }
    Ok(file)
}

/// What [`extend`] keeps of a file's text.
pub fn complete_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(text.len(), |last| last + 1)]
}

/// Creates a new file under an unused name in the folder of `path`.
fn open_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "not the name of a file"))?;
    for attempt in 0.. {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{attempt}", std::process::id()));
        let beside = path.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < 100 => continue,
            opened => return opened.map(|file| (beside, file)),
        }
    }
    unreachable!("the last attempt returns")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_plain_files_are_written() {
        let folder = std::env::temp_dir().join(format!("tephra-result-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name);
        let text = |path: &Path| fs::read_to_string(path).unwrap();

        let mut open = replace(&file("new"), b"one\n").unwrap();
        assert_eq!(text(&file("new")), "one\n", "it is in its place from the start");
        open.write_all(b"two\n").unwrap();
        assert_eq!(text(&file("new")), "one\ntwo\n");
        extend(&file("new")).unwrap().write_all(b"three\n").unwrap();
        assert_eq!(text(&file("new")), "one\ntwo\nthree\n");
        for (before, after) in
            [("one\ntw", "one\nthree\n"), ("one\n", "one\nthree\n"), ("one", "one\nthree\n"), ("", "three\n")]
        {
            replace(&file("new"), before.as_bytes()).unwrap();
            assert!(after.starts_with(complete_lines(before)), "{before:?}");
            extend(&file("new")).unwrap().write_all(b"three\n").unwrap();
            assert_eq!(text(&file("new")), after, "{before:?}");
        }
        open = replace(&file("new"), b"one\n").unwrap();
        replace(&file("new"), b"").unwrap();
        open.write_all(b"four\n").unwrap();
        assert_eq!([refuse_early(&file("new")), refuse_early(&file("newer"))], [Ok(()), Ok(())]);
        assert_eq!(text(&file("new")), "", "what has the old file open does not write to the new one");

        fs::write(file("target"), "kept").unwrap();
        symlink(file("target"), file("link")).unwrap();
        symlink(file("nothing"), file("dangling")).unwrap();
        for path in
            [&file("link"), &file("dangling"), &folder, Path::new("/dev/null"), &file("no-folder/new"), Path::new("..")]
        {
            assert!(replace(path, b"x").is_err(), "{}", path.display());
            assert!(refuse_early(path).is_err(), "{}", path.display());
            assert!(extend(path).is_err(), "{}", path.display());
        }
        assert_eq!(text(&file("target")), "kept");
        let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["dangling", "link", "new", "target"], "no folder and no file of an attempt is left");
        fs::remove_dir_all(&folder).unwrap();
    }
}
