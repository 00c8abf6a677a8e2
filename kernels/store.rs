//! A cache of compiled kernels, keyed by their content. Part of build.rs.
//!
//! The libraries are linked from files below the target folder, which all cargo profiles share. In addition there is a
//! store per user, in `tephra/kernels` below `XDG_CACHE_HOME` or `~/.cache`, from which other clones and branches take
//! what they need. Its size is limited, and the least recently used files are removed first. Files are written next to
//! their final place and then renamed, so that concurrent builds do not interfere.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

/// Maximum size in bytes of the user's store: about twenty builds for one architecture that share nothing.
const LIMIT: u64 = 512 << 20;

pub struct Store {
    /// The folder below the target folder.
    local: PathBuf,
    /// The user's store, if there is a place for it.
    user_cache: Option<PathBuf>,
}

impl Store {
    pub fn new(local: PathBuf) -> Store {
        fs::create_dir_all(&local).unwrap_or_else(|e| panic!("{}: {e}", local.display()));
        let user_cache = users_folder(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"));
        Store { local, user_cache: user_cache.filter(|folder| fs::create_dir_all(folder).is_ok()) }
    }

    /// The path of a file in the local store.
    pub fn path(&self, file: &str) -> PathBuf {
        self.local.join(file)
    }

    /// Creates a folder private to this process, next to the files. Its name has the same length in every process:
    /// nvcc 13.0's choice between equivalent instructions depends on the lengths of the paths that it is given.
    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.local.join(format!("{name}.part{:08}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Makes all of the files available in the local store, from the user's store if necessary. Returns whether it
    /// succeeded. `is_intact` says whether a file of the user's store is undamaged.
    pub fn fetch(&self, files: &[String], is_intact: impl Fn(&Path) -> bool) -> bool {
        let local = files.iter().all(|file| self.path(file).exists());
        let Some(user_cache) = &self.user_cache else { return local };
        let cached: Vec<PathBuf> = files.iter().map(|file| user_cache.join(file)).collect();
        if local {
            // The files may predate the user's store, or may have been removed from it.
            match cached.iter().all(|file| file.exists()) {
                true => cached.iter().for_each(|file| used_now(file)),
                false => self.keep(files),
            }
            return true;
        }
        let there = cached.iter().all(|file| file.exists() && is_intact(file));
        // Another build may have removed a file since the check.
        there && cached.iter().zip(files).all(|(from, file)| copy(from, &self.path(file)).is_ok())
    }

    /// Copies new files to the user's store as well. Errors such as a full disk are ignored, because the local store
    /// has the files.
    pub fn keep(&self, files: &[String]) {
        if let Some(user_cache) = &self.user_cache {
            for file in files {
                let _ = copy(&self.path(file), &user_cache.join(file));
            }
        }
    }

    /// Reads a small text file that does not belong to a kernel. Empty if there is none.
    pub fn read(&self, name: &str) -> String {
        let local = fs::read_to_string(self.path(name));
        let user_cache =
            || self.user_cache.as_ref().and_then(|user_cache| fs::read_to_string(user_cache.join(name)).ok());
        local.ok().or_else(user_cache).unwrap_or_default()
    }

    pub fn write(&self, name: &str, text: &str) {
        let folder = self.folder("text");
        let place = folder.join(name);
        let written = fs::write(&place, text).and_then(|()| fs::rename(&place, self.path(name)));
        written.unwrap_or_else(|e| panic!("{}: {e}", self.path(name).display()));
        let _ = fs::remove_dir(folder);
        self.keep(&[name.to_owned()]);
    }

    /// Reduces the user's store to its maximum size.
    pub fn trim(&self) {
        if let Some(user_cache) = &self.user_cache {
            let _ = trim(user_cache, LIMIT);
        }
    }
}

/// A relative `XDG_CACHE_HOME` is ignored, as its specification says.
fn users_folder(cache: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute(cache).or_else(|| absolute(home).map(|home| home.join(".cache")))?;
    Some(cache.join("tephra/kernels"))
}

/// Replaces `to`, or leaves it unchanged on an error.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut beside = to.as_os_str().to_owned();
    beside.push(format!(".partial{}", std::process::id()));
    let written = fs::copy(from, &beside).and_then(|_| fs::rename(&beside, to));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    used_now(from);
    written
}

fn used_now(file: &Path) {
    let _ = fs::File::open(file).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Removes the least recently used files, all files of a key together.
fn trim(folder: &Path, limit: u64) -> io::Result<()> {
    let mut keys: BTreeMap<String, (SystemTime, u64, Vec<PathBuf>)> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        // Another build may remove the file in the meantime.
        let Ok(entry) = entry else { continue };
        let (Ok(about), name) = (entry.metadata(), entry.file_name()) else { continue };
        let key = name.to_string_lossy().split('.').next().unwrap_or_default().to_owned();
        let (used, bytes, files) = keys.entry(key).or_insert((SystemTime::UNIX_EPOCH, 0, vec![]));
        *used = (*used).max(about.modified()?);
        *bytes += about.len();
        files.push(entry.path());
    }
    let mut total: u64 = keys.values().map(|(_, bytes, _)| bytes).sum();
    let mut oldest: Vec<_> = keys.into_values().collect();
    oldest.sort_unstable();
    for (_, bytes, files) in oldest {
        if total <= limit {
            break;
        }
        files.iter().for_each(|file| _ = fs::remove_file(file));
        total -= bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("tephra-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_users_folder_is_where_the_environment_says() {
        let folder = |cache: &str, home: &str| {
            let set = |text: &str| (!text.is_empty()).then(|| OsString::from(text));
            users_folder(set(cache), set(home)).map(|path| path.to_str().unwrap().to_owned())
        };
        assert_eq!(folder("/c", "/h").as_deref(), Some("/c/tephra/kernels"));
        assert_eq!(folder("c", "/h").as_deref(), Some("/h/.cache/tephra/kernels"));
        assert_eq!(folder("", "/h").as_deref(), Some("/h/.cache/tephra/kernels"));
        assert_eq!((folder("c", ""), folder("", ""), folder("", "h")), (None, None, None));
    }

    #[test]
    fn another_clone_takes_what_one_has_kept() {
        let root = folder("clones");
        let store = |local: &str, user_cache: Option<PathBuf>| {
            let local = root.join(local);
            fs::create_dir_all(&local).unwrap();
            Store { local, user_cache }
        };
        let user_cache = root.join("far");
        fs::create_dir_all(&user_cache).unwrap();
        let (first, second) = (store("first", Some(user_cache.clone())), store("second", Some(user_cache.clone())));
        let files = ["k.kernels".to_owned(), "k.sm_90.zst".to_owned()];
        assert!(!first.fetch(&files, |_| true));
        for file in &files {
            fs::write(first.path(file), file).unwrap();
        }
        assert!(!second.fetch(&files, |_| true));
        assert!(first.fetch(&files, |_| false), "what is near needs nothing else");
        assert!(!second.fetch(&files, |_| false), "what is damaged counts as missing");
        assert!(second.fetch(&files, |_| true));
        assert_eq!(fs::read_to_string(second.path(&files[1])).unwrap(), files[1]);
        // An incomplete set of files counts as missing.
        fs::remove_file(user_cache.join(&files[0])).unwrap();
        let third = store("third", Some(user_cache));
        assert!(!third.fetch(&files, |_| true) && !third.path(&files[1]).exists());
        // Without a user's store.
        let alone = store("first", None);
        assert!(alone.fetch(&files, |_| false));
        alone.keep(&files);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_store_that_cannot_be_written_is_no_failure() {
        let root = folder("unwritable");
        fs::write(root.join("file"), "").unwrap();
        let store = Store { local: root.clone(), user_cache: Some(root.join("file/far")) };
        fs::write(store.path("k.log"), "log").unwrap();
        store.keep(&["k.log".into()]);
        store.trim();
        assert!(store.fetch(&["k.log".into()], |_| true));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let root = folder("trim");
        let put = |name: &str, age: u64| {
            fs::write(root.join(name), [0; 100]).unwrap();
            let then = SystemTime::now() - Duration::from_secs(age);
            fs::File::open(root.join(name)).unwrap().set_modified(then).unwrap();
        };
        // One file of key a was used recently, so all its files stay.
        for (name, age) in [("a.log", 900), ("a.zst", 10), ("b.log", 50), ("b.zst", 60), ("c.zst", 70)] {
            put(name, age);
        }
        let left = |limit| {
            trim(&root, limit).unwrap();
            let mut names: Vec<_> =
                fs::read_dir(&root).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names.join(" ")
        };
        assert_eq!(left(500), "a.log a.zst b.log b.zst c.zst");
        assert_eq!(left(499), "a.log a.zst b.log b.zst");
        used_now(&root.join("b.zst"));
        assert_eq!(left(399), "b.log b.zst");
        assert_eq!(left(0), "");
        fs::remove_dir_all(root).unwrap();
    }
}
