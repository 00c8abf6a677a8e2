//! Process-wide restrictions of plans: which candidates may be used, and whether plans may depend on the batch count.

use crate::environment;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, Ordering};

/// The candidates of all operations.
pub const CANDIDATES: &[&str] = &[
    "resident",
    "blocked",
    "large",
    "tree",
    "gram",
    "generic",
    "stepped",
    "thin",
    "fused",
    "parts",
    "lanes",
    "tiles",
    "split",
    "halves",
    "doubling",
    "padded",
    "interleaved",
    "unblocked",
    "iterative",
    "direct",
];

/// The candidates that products alone have.
const OF_PRODUCTS: [&str; 3] = ["lanes", "tiles", "split"];

/// A list of allowed candidates. Lists are never freed, because another thread may still be reading one, but setting
/// the same list again reuses the old one. Therefore reading needs no lock.
struct List {
    /// `None` allows all candidates.
    names: Option<Vec<String>>,
    /// The list that was kept before this one.
    previous: *const List,
}

/// The list in force. NULL until the environment has been read.
static ALLOWED: AtomicPtr<List> = AtomicPtr::new(ptr::null_mut());
/// The head of the linked list of all lists.
static KEPT: AtomicPtr<List> = AtomicPtr::new(ptr::null_mut());

/// Counts changes of the list in force, so that caches of plans can detect without a lock that they are stale.
static GENERATION: AtomicU64 = AtomicU64::new(0);

fn parse(list: &str) -> Option<Vec<String>> {
    let names: Vec<String> = list.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect();
    if names.is_empty() { None } else { Some(names) }
}

/// Whether these may be parameters of a candidate: the name of a kernel, whether or not there is one, or a panel width
/// of at least 1 with an optional order after a slash.
fn has_parameters(candidate: &str, parameters: &str) -> bool {
    match candidate {
        "resident" | "lanes" | "tiles" => !parameters.is_empty(),
        "blocked" => {
            let (width, order) = parameters.split_once('/').unwrap_or((parameters, "0"));
            width.parse::<u32>().is_ok_and(|width| width > 0) && order.parse::<u32>().is_ok()
        }
        _ => false,
    }
}

/// The first name in the list that is not in [`CANDIDATES`], or whose parameters are invalid.
pub fn unknown_candidate(list: &str) -> Option<String> {
    let known = |name: &str| match name.split_once('=') {
        Some((candidate, parameters)) => has_parameters(candidate, parameters),
        None => CANDIDATES.contains(&name),
    };
    parse(list)?.into_iter().find(|name| !known(name))
}

/// Parses the list of the environment. A list with an unknown name is ignored;
/// [`environment::warn_about_variables`] warns about it.
fn parse_allowed(list: Option<&str>) -> Option<Vec<String>> {
    list.filter(|list| unknown_candidate(list).is_none()).and_then(parse)
}

/// The kept list of these names, which is created if needed.
fn intern(names: Option<Vec<String>>) -> *mut List {
    let mut newest = KEPT.load(Ordering::Acquire);
    let mut at = newest.cast_const();
    // SAFETY: kept lists are never freed or changed.
    while let Some(list) = unsafe { at.as_ref() } {
        if list.names == names {
            return at.cast_mut();
        }
        at = list.previous;
    }
    let new_list = Box::into_raw(Box::new(List { names, previous: newest }));
    while let Err(other) = KEPT.compare_exchange(newest, new_list, Ordering::AcqRel, Ordering::Acquire) {
        newest = other;
        // SAFETY: `new_list` has not been published yet.
        unsafe { (*new_list).previous = newest };
    }
    new_list
}

fn list() -> Option<&'static [String]> {
    let mut list = ALLOWED.load(Ordering::Acquire);
    if list.is_null() {
        let read = intern(parse_allowed(environment::value("TEPHRA_PLAN").as_deref()));
        // If a list has been set in the meantime, that one stays.
        list = match ALLOWED.compare_exchange(list, read, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => read,
            Err(set) => set,
        };
    }
    // SAFETY: kept lists are never freed or changed.
    unsafe { &*list }.names.as_deref()
}

/// Whether the candidate may be used.
pub fn allowed(candidate: &str) -> bool {
    list().is_none_or(|names| allows(names, candidate))
}

/// Whether a list allows the candidate. A pinned kernel of products restricts no other routine.
fn allows(names: &[String], candidate: &str) -> bool {
    let pins_product = |name: &str| name.split_once('=').is_some_and(|(of, _)| OF_PRODUCTS.contains(&of));
    let for_products = OF_PRODUCTS.contains(&candidate);
    let mut names = names.iter().filter(|name| for_products || !pins_product(name)).peekable();
    names.peek().is_none()
        || names.any(|name| name.strip_prefix(candidate).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')))
}

/// Whether any candidate is excluded.
pub fn restricted() -> bool {
    list().is_some()
}

/// Restricts plans to a comma-separated list of candidates. `None` or an empty list lifts the restriction. Returns
/// false and changes nothing if a name is not in [`CANDIDATES`] or has invalid parameters.
#[must_use]
pub fn set_allowed(list: Option<&str>) -> bool {
    if list.and_then(unknown_candidate).is_some() {
        return false;
    }
    ALLOWED.store(intern(list.and_then(parse)), Ordering::Release);
    GENERATION.fetch_add(1, Ordering::Release);
    true
}

/// A number that changes with every successful call of [`set_allowed`].
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

/// The forms of a candidate that the list pins, that is, the texts after `candidate=`. If empty, all its forms may be
/// used.
pub fn pins(candidate: &str) -> Vec<String> {
    let names = list().unwrap_or_default().iter();
    names.filter_map(|n| n.strip_prefix(candidate)?.strip_prefix('=')).map(str::to_owned).collect()
}

/// The environment has not been read yet.
const UNREAD: u8 = 2;
static BATCH_INVARIANT: AtomicU8 = AtomicU8::new(UNREAD);

/// Whether plans must not depend on the batch count (`TEPHRA_BATCH_INVARIANT`, `tephra_set_batch_invariant`), so that a
/// matrix has bitwise the same result in every batch.
#[inline]
pub fn batch_invariant() -> bool {
    match BATCH_INVARIANT.load(Ordering::Relaxed) {
        UNREAD => read_batch_invariant(),
        on => on != 0,
    }
}

#[cold]
fn read_batch_invariant() -> bool {
    let on = environment::is_on("TEPHRA_BATCH_INVARIANT");
    // If a value has been set in the meantime, that one stays.
    let _ = BATCH_INVARIANT.compare_exchange(UNREAD, on.into(), Ordering::Relaxed, Ordering::Relaxed);
    BATCH_INVARIANT.load(Ordering::Relaxed) != 0
}

/// Sets [`batch_invariant`] for all later calls in the process.
pub fn set_batch_invariant(on: bool) {
    BATCH_INVARIANT.store(on.into(), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::{CANDIDATES, allows, parse, parse_allowed};

    #[test]
    fn the_header_and_the_guide_name_every_candidate() {
        let header = include_str!("../../include/tephra.h");
        let restricts = header.split("/**").find(|comment| comment.contains("tephra_set_plan(const char")).unwrap();
        let guide = include_str!("../../docs/guide.md");
        let row = guide.lines().find(|line| line.starts_with("| `TEPHRA_PLAN` |")).unwrap();
        for candidate in CANDIDATES {
            let named = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == *candidate);
            assert!(named(restricts) && named(row), "{candidate}");
        }
    }

    #[test]
    fn pinned_kernels_of_products_restrict_products_alone() {
        for (list, candidate, expected) in [
            ("lanes=any", "unblocked", true),
            ("lanes=any,tiles=any", "resident", true),
            ("lanes=any", "tiles", false),
            ("lanes=any", "split", false),
            ("tiles=any", "tiles", true),
            ("lanes=any,blocked", "unblocked", false),
            ("lanes=any,blocked=8", "blocked", true),
            ("lanes", "unblocked", false),
            ("resident=any", "unblocked", false),
        ] {
            assert_eq!(allows(&parse(list).unwrap(), candidate), expected, "{candidate} with {list}");
        }
    }

    #[test]
    fn lists_with_unknown_names_are_ignored() {
        assert_eq!(parse_allowed(Some("resident, blocked=64")), Some(vec!["resident".into(), "blocked=64".into()]));
        assert_eq!(parse_allowed(Some("resident,garbage")), None);
        assert_eq!(parse_allowed(Some("garbage")), None);
        for list in [
            "resident=",
            "lanes=",
            "blocked=",
            "blocked=a",
            "blocked=32/",
            "blocked=32/16/8",
            "blocked=-1",
            "blocked=0",
            "blocked=0/16",
            "generic=7",
            "garbage=7",
        ] {
            assert_eq!(parse_allowed(Some(list)), None, "{list}");
        }
        for list in ["resident=any", "blocked=32/64", "blocked=7/0", "tiles=any"] {
            assert_eq!(parse_allowed(Some(list)), Some(vec![list.to_owned()]));
        }
        assert_eq!(parse_allowed(Some(" ,")), None);
        assert_eq!(parse_allowed(None), None);
    }
}
