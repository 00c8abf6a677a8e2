//! The native functions, as declared in their header.

/// The names of the functions that include/tephra.h declares, in its order.
pub fn names() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../include/tephra.h");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let declared = text.lines().filter_map(|line| {
        let (head, _) = line.split_once('(').filter(|_| line.starts_with(|c: char| c.is_ascii_alphabetic()))?;
        let name = head.rsplit([' ', '*']).next()?;
        name.starts_with("tephra_").then(|| name.to_owned())
    });
    declared.collect()
}
