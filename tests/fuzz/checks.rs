//! Deliberate errors that the fuzzer must detect.

use crate::case::{Case, Property};
use crate::fill::{Data, fill};
use crate::setup::{Resources, Setup};
use crate::shrink;
use crate::varying::Members;
use tephra_testkit::Library;
use tephra_testkit::library::Backend;

/// A valid call of a routine with work to do, whose last element ends its memory region.
fn case(name: &str) -> Case {
    let fits = |case: &Case| {
        let p = &case.sizes;
        case.routine.name == name && !(case.routine.no_work)(p) && p["batch"] > 1 && p["m"] > 2 && case.place.at_end
    };
    let mut case = (0..).map(Case::draw).find(fits).expect("one of many");
    case.place.shared = false;
    case.ruined = None;
    case
}

fn filled(case: &Case) -> (Members, Data) {
    let members = Members::of(case.routine, &case.sizes);
    let data = fill(&case.sizes, &members, false, 1);
    (members, data)
}

/// Writes one byte to the address, as a faulty call would.
fn write(address: usize) {
    // SAFETY: the address is inside a region.
    unsafe { Library::required().memcpy(address as *mut _, [1u8].as_ptr().cast(), 1, std::ptr::null_mut()) }.unwrap();
}

/// What the fuzzer reports after a write to the chosen address.
fn found(resources: &Resources, case: &Case, choose: impl Fn(&Setup) -> usize) -> [Option<String>; 2] {
    let (members, data) = filled(case);
    let setup = Setup::new(resources, &case.sizes, case.entry(), &case.place, &members, &data).unwrap();
    assert_eq!((setup.untouched(), setup.collect().err()), (Ok(()), None), "before");
    write(choose(&setup));
    [setup.collect().err(), setup.untouched().err()]
}

#[test]
fn stray_writes_are_seen() {
    let resources = Resources::new(Library::required()).unwrap();
    let case = case("ormqr");
    let place = |name: &'static str| move |setup: &Setup| setup.find(name).unwrap().base();
    // A write to a result is only wrong if the call was to write nothing at all.
    let [among_results, at_all] = found(&resources, &case, place("C"));
    assert_eq!(among_results, None);
    assert!(at_all.unwrap().contains("C was written"));
    // Read-only operands; the bytes before all members; the pointers.
    let red_zone = |setup: &Setup| setup.find("C").unwrap().start();
    for (what, [collected, at_all]) in [
        ("A", found(&resources, &case, place("A"))),
        ("tau", found(&resources, &case, place("tau"))),
        ("C", found(&resources, &case, red_zone)),
    ] {
        assert!(collected.unwrap().starts_with(what) && at_all.unwrap().starts_with(what), "{what}");
    }
    let pointers = Case { entry: 0, ..case };
    let [collected, at_all] = found(&resources, &pointers, |setup| setup.find("C").unwrap().argument());
    assert!(collected.unwrap().contains("pointers changed") && at_all.unwrap().contains("pointers changed"));
}

#[test]
fn guard_pages_are_seen() {
    let library = Library::required();
    if library.backend().unwrap() == Backend::Cuda {
        return;
    }
    let (resources, case) = (Resources::new(library).unwrap(), case("geqrf"));
    let (members, data) = filled(&case);
    let setup = Setup::new(&resources, &case.sizes, case.entry(), &case.place, &members, &data).unwrap();
    let behind = setup.find("A").unwrap().end() as *const u8;
    // SAFETY: the signal handler makes the page accessible.
    unsafe { behind.read_volatile() };
    assert_eq!(setup.collect().unwrap_err(), "the guard page behind A was touched");
    assert_eq!(setup.untouched(), Ok(()), "told once");
    unsafe { behind.read_volatile() };
    assert!(setup.untouched().is_err(), "closed again");
}

/// The pointer of an invalid member leads to a guard page, and the sizes that the call is given for it are wrong.
#[test]
fn members_that_are_not_valid_are_out_of_reach() {
    let library = Library::required();
    if library.backend().unwrap() == Backend::Cuda {
        return;
    }
    let resources = Resources::new(library).unwrap();
    let has_wrong = |case: &Case| {
        let (members, batch) = (Members::of(case.routine, &case.sizes), case.sizes["batch"] as usize);
        (0..batch).find(|&i| members.code(i) == -4)
    };
    let cases = (0..).map(Case::draw).filter(|case| case.routine.name == "getrf_vbatched" && case.entry == 0);
    let (case, wrong) =
        cases.filter_map(|case| has_wrong(&case).map(|wrong| (case, wrong))).next().expect("one of many");
    let (members, data) = filled(&case);
    let setup = Setup::new(&resources, &case.sizes, case.entry(), &case.place, &members, &data).unwrap();
    let array = |name: &str| setup.find(name).unwrap().argument();
    // SAFETY: the arrays have an int and a pointer for each member.
    let (lda, m) = unsafe { ["lda", "m"].map(|name| *(array(name) as *const i32).add(wrong)) }.into();
    assert!(lda < m.max(1), "{lda} {m}");
    // SAFETY: the signal handler makes the page accessible.
    unsafe { (*(array("A") as *const *const u8).add(wrong)).read_volatile() };
    assert!(setup.collect().unwrap_err().contains("behind A was touched"));
}

#[test]
fn cases_shrink_and_repeat() {
    let case = case("gels");
    assert_eq!(Case::draw(case.seed).sizes.values, case.sizes.values, "the same by its seed");
    let fails = |case: &Case| (case.sizes["m"] > 2).then(|| case.sizes["m"].to_string());
    let (smallest, why) = shrink(case, "first".into(), fails);
    let p = &smallest.sizes;
    assert_eq!(["m", "n", "nrhs", "batch"].map(|word| p[word]), [3, 0, 0, 0]);
    assert_eq!((why.as_str(), smallest.place.padding), ("3", 0));
}

#[test]
fn wrong_arguments_are_drawn_for_every_word_that_has_one() {
    let resources = Resources::new(Library::required()).unwrap();
    let case = Case { property: Property::Wrong { choice: 0 }, ..case("gels") };
    let (members, data) = filled(&case);
    let setup = Setup::new(&resources, &case.sizes, &case.routine.entries[1], &case.place, &members, &data).unwrap();
    let words: Vec<&str> = crate::wrong::choices(case.routine, &setup).iter().map(|(word, _)| *word).collect();
    for word in ["trans", "m", "n", "nrhs", "A", "lda", "stride_a", "B", "ldb", "stride_b", "batch"] {
        assert!(words.contains(&word), "{word} among {words:?}");
    }
}
