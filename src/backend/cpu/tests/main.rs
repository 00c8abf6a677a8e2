//! Tests of the CPU backend on its own: small cases checked by hand, a naive reference, and every path on small shapes.

mod butterfly;
mod by_hand;
mod exceptions;
mod extract;
mod halves;
mod interleaved;
mod inverses;
mod paths;
mod products;
mod range;
mod runtime;
mod small_members;
mod solve;
mod support;
mod team;
mod threads;
mod triangles;

/// The library is compiled without unit tests, so one in its sources would never run.
#[test]
fn no_test_is_among_the_kernels() {
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"))];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(!text.contains("cfg(test)"), "{}: tests belong into tests/", path.display());
            }
        }
    }
    assert!(files > 50, "{files} files");
}
