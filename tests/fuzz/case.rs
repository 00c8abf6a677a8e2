//! One drawn call, fully determined, and how to make it smaller.

use crate::varying::{self, Members};
use tephra_testkit::Rng;
use tephra_testkit::routines;
use tephra_testkit::routines::routine::{Entry, Routine, Sizes};

/// The layout of operands in memory.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Rows of padding, if there is a leading dimension.
    pub padding: usize,
    /// Elements between members.
    pub gap: usize,
    /// Elements of the red zone on the side without a guard page.
    pub zone: usize,
    /// Whether the last element ends the region; otherwise the first element begins it.
    pub at_end: bool,
    /// Whether members lie side by side in each column.
    pub interleaved: bool,
    /// Whether each member has its own guard page, if members are reached through pointers.
    pub apart: bool,
    /// Seed of the members' order, if they are reached through pointers.
    pub shuffle: Option<u64>,
    /// Whether operands that are only read have one member that all matrices share.
    pub shared: bool,
    /// Whether the array of codes is omitted.
    pub without_info: bool,
    /// Whether scalars are in the backend's memory, if the handle says where they are.
    pub device_scalars: bool,
}

impl Place {
    fn draw(entry: &Entry, rng: &mut Rng) -> Self {
        Place {
            padding: rng.below(5) * rng.below(2),
            gap: rng.below(6),
            zone: 16 + rng.below(8),
            at_end: !rng.one_in(3),
            interleaved: rng.one_in(8),
            apart: rng.one_in(2),
            shuffle: rng.one_in(2).then(|| rng.bits()),
            shared: rng.one_in(10),
            without_info: rng.one_in(10) && !entry.has("argument_info"),
            device_scalars: entry.symbol().starts_with("cublas") && rng.one_in(2),
        }
    }

    /// The same placement without any special features.
    fn plain(self) -> Self {
        Place { padding: 0, gap: 0, interleaved: false, apart: false, shuffle: None, without_info: false, ..self }
    }
}

/// What is checked in addition to the results of the call.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    /// Repeating the call gives the same bits.
    Repeat,
    /// Another entry point and another placement give the same bits.
    Relocated { entry: usize, place: Place },
    /// A ruined member changes no other member.
    Isolation { member: usize, seed: u64 },
    /// With plans that ignore the batch count, a member gives the same bits in a batch of one.
    Alone { member: usize },
    /// Only one plan candidate is allowed; it may decline.
    Plan { candidate: usize },
    /// One argument is wrong.
    Wrong { choice: u64 },
}

/// One drawn call.
#[derive(Clone)]
pub struct Case {
    pub routine: &'static Routine,
    pub entry: usize,
    pub sizes: Sizes,
    pub place: Place,
    pub property: Property,
    /// A member that is ruined in all calls of the case: neither its neighbours nor its placement may change its
    /// result.
    pub ruined: Option<usize>,
    pub seed: u64,
}

/// The maximum number of elements of an operand, over all its members.
const ELEMENTS: i64 = 100_000;

/// Draws a size whose logarithm is uniform, so that most are small; occasionally 0.
fn size(rng: &mut Rng) -> i64 {
    let most: f64 = if rng.one_in(200) { 300.0 } else { 70.0 };
    if rng.one_in(40) { 0 } else { most.powf((rng.uniform() + 1.0) / 2.0) as i64 }
}

/// Whether the entry point offers this call.
fn supports(routine: &Routine, sizes: &Sizes, entry: &Entry) -> bool {
    let sizes_serve = routine.varying.is_none()
        || (sizes["wrong"] == 0 || entry.has_maxima() && !entry.checks_sizes())
            && (entry.has_maxima() || varying::has_largest(sizes));
    (routine.supports)(sizes, entry) && sizes_serve && (!entry.is_single() || sizes["batch"] == 1)
}

/// Draws sizes and flags, first those common to all routines, then the routine's own, and adjusts them to each other's
/// limits.
fn draw_sizes(routine: &Routine, rng: &mut Rng) -> Sizes {
    let mut sizes = Sizes { dtype: *rng.pick(routine.dtypes), values: vec![], scalars: [(0.0, 0.0); 2] };
    for (word, first, choices) in [("side", 141, 2), ("trans", 111, 3), ("uplo", 121, 2), ("diag", 131, 2)] {
        sizes.set(word, first + rng.below(choices) as i64);
    }
    for word in ["m", "n", "k", "nrhs"] {
        sizes.set(word, size(rng));
    }
    let largest = ["m", "n", "k", "nrhs"].map(|word| sizes[word]).into_iter().fold(1, i64::max);
    let batch = if rng.one_in(40) { 0 } else { 40f64.powf((rng.uniform() + 1.0) / 2.0) as i64 };
    sizes.set("batch", batch.min((ELEMENTS / (largest * largest)).max(1)));
    let mut part = || {
        let any = rng.uniform();
        *rng.pick(&[0.0, 1.0, -0.5, any])
    };
    sizes.scalars = [(); 2].map(|()| (part(), part()));
    if !sizes.dtype.is_complex() {
        sizes.scalars = sizes.scalars.map(|(re, _)| (re, 0.0));
    }
    (routine.draw)(&mut sizes, rng);
    if routine.varying.is_some() {
        varying::draw(&mut sizes, rng);
    }
    (routine.limit)(&mut sizes);
    sizes
}

impl Case {
    /// The case that a seed determines.
    pub fn draw(seed: u64) -> Case {
        let rng = &mut Rng::new(seed);
        let all = routines::all().flat_map(|routine| (0..routine.entries.len()).map(move |entry| (routine, entry)));
        let (routine, entry) = *rng.pick(&all.collect::<Vec<_>>());
        let chosen = &routine.entries[entry];
        let served = |sizes: &Sizes| supports(routine, sizes, chosen);
        let sizes = std::iter::repeat_with(|| draw_sizes(routine, rng)).find(served).expect("some are");
        let mut place = Place::draw(chosen, rng);
        // Members that differ cannot be shared.
        place.shared &= routine.varying.is_none();
        let property = Property::draw(routine, &sizes, rng);
        let ruined = rng.one_in(6).then(|| rng.below(1 << 20));
        Case { routine, entry, sizes, place, property, ruined, seed }
    }

    pub fn entry(&self) -> &'static Entry {
        &self.routine.entries[self.entry]
    }

    /// Similar cases that are each one step smaller or plainer.
    pub fn smaller(&self) -> Vec<Case> {
        let mut cases = vec![];
        for word in ["batch", "m", "n", "k", "nrhs"] {
            let value = self.sizes[word];
            for less in [value / 2, value - 1] {
                let mut case = self.clone();
                case.sizes.set(word, less);
                (case.routine.limit)(&mut case.sizes);
                let differs = case.sizes.values != self.sizes.values;
                if less >= 0 && less < value && differs && supports(case.routine, &case.sizes, case.entry()) {
                    cases.push(case);
                }
            }
        }
        if self.sizes.find("wrong") == Some(1) {
            let mut case = self.clone();
            case.sizes.set("wrong", 0);
            cases.push(case);
        }
        if self.ruined.is_some() {
            cases.push(Case { ruined: None, ..self.clone() });
        }
        let place = self.place.plain();
        if format!("{place:?}") != format!("{:?}", self.place) {
            cases.push(Case { place, ..self.clone() });
        }
        cases
    }

    pub fn describe(&self) -> String {
        let p = &self.sizes;
        let words = self.entry().arguments().filter_map(|word| p.find(word).map(|value| format!("{word} {value}")));
        let symbol = tephra_testkit::library::symbol_name(self.entry().symbol(), p.dtype);
        let (words, scalars, ruined) = (words.collect::<Vec<_>>().join(", "), p.scalars, self.ruined);
        let own = Members::of(self.routine, p).describe();
        let own = if own.is_empty() { own } else { format!("\nmembers: {own}") };
        format!("{symbol}: {words}, scalars {scalars:?}, ruined {ruined:?}{own}\n{:?}\n{:?}", self.property, self.place)
    }
}

impl Property {
    fn draw(routine: &Routine, sizes: &Sizes, rng: &mut Rng) -> Property {
        let member = rng.below(1 << 20);
        match rng.below(20) {
            0..7 => Property::Wrong { choice: rng.bits() },
            7..10 => Property::Repeat,
            10..14 => {
                let served = |&entry: &usize| supports(routine, sizes, &routine.entries[entry]);
                let entries: Vec<usize> = (0..routine.entries.len()).filter(served).collect();
                let entry = *rng.pick(&entries);
                Property::Relocated { entry, place: Place::draw(&routine.entries[entry], rng) }
            }
            14..17 => Property::Isolation { member, seed: rng.bits() },
            17..19 => Property::Alone { member },
            _ => Property::Plan { candidate: rng.below(3) },
        }
    }
}
