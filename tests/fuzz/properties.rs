//! Properties that every call must have.

use crate::case::{Case, Place, Property};
use crate::fill::{Data, fill, spoil};
use crate::invoke::{Answer, UNSET};
use crate::setup::{Resources, Setup};
use crate::varying::Members;
use crate::wrong;
use std::ffi::c_int;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::routines::routine::{Entry, Interface, Member, Sizes, Writes};
use tephra_testkit::scalar::worst;
use tephra_testkit::sweep::{batch_invariantly, paths, with_plan, without_forced_plan};
use tephra_testkit::{Rng, with_scalar};

/// The largest ratio, or a description of what is wrong.
pub type Found = Result<f64, String>;

/// The results of a call by operand and member; `None` if it had nothing to do.
type Results = Option<Data>;

/// Runs a case.
pub fn run(resources: &Resources, case: &Case) -> Found {
    let run = Run::new(resources, case);
    let library = resources.session.library();
    let text = |e: tephra_testkit::Error| e.to_string();
    match case.property {
        Property::Alone { member } => batch_invariantly(library, None, || run.alone(member)).map_err(text)?,
        Property::Plan { candidate } => {
            let path = paths(library.backend().map_err(text)?)[candidate];
            with_plan(library, path, || run.planned()).map_err(text)?
        }
        Property::Wrong { choice } => without_forced_plan(|| run.wrong(choice)),
        Property::Repeat => without_forced_plan(|| run.relocated(case.entry(), &case.place)),
        Property::Relocated { entry, place } => {
            // A shared member is different data from separate members, so sharing stays as it is. TEPHRA_MATH does not
            // apply to cuBLAS's names, so if it is set the entry point stays the same too.
            let place = Place { shared: case.place.shared, ..place };
            let other = std::env::var("TEPHRA_MATH").is_ok_and(|math| math != "fp32");
            let (entry, device_scalars) = match other {
                true => (case.entry(), case.place.device_scalars),
                false => (&case.routine.entries[entry], place.device_scalars),
            };
            let place = Place { device_scalars, ..place };
            without_forced_plan(|| run.relocated(entry, &place))
        }
        Property::Isolation { member, seed } => without_forced_plan(|| run.isolated(member, seed)),
    }
}

struct Run<'a> {
    resources: &'a Resources,
    case: &'a Case,
    sizes: &'a Sizes,
    members: Members,
    data: Data,
    /// Whether there is nothing to do.
    no_work: bool,
    /// The ruined member, whose ratio is not measured and which may have a code.
    ruined: Option<usize>,
}

impl<'a> Run<'a> {
    fn new(resources: &'a Resources, case: &'a Case) -> Self {
        let (sizes, routine) = (&case.sizes, case.routine);
        let members = Members::of(routine, sizes);
        let (batch, shared, no_work) = (sizes["batch"] as usize, case.place.shared, (routine.no_work)(sizes));
        let mut data = fill(sizes, &members, shared, case.seed);
        let ruined = case.ruined.filter(|_| !no_work && batch > 0).map(|member| member % batch);
        let rng = &mut Rng::new(!case.seed);
        let spoilt = |i: &usize| spoil(sizes, members.operands(*i), shared, *i, &mut data, rng);
        let ruined = ruined.filter(spoilt);
        Run { resources, case, sizes, members, data, no_work, ruined }
    }

    /// Whether operands are NULL, which is valid if there is nothing to do.
    fn null(&self) -> bool {
        self.no_work && self.case.seed.is_multiple_of(2)
    }

    /// Makes one valid call; member `ruined` may have a code.
    fn call(
        &self,
        entry: &'static Entry,
        place: &Place,
        data: &Data,
        ruined: Option<usize>,
    ) -> Result<Results, String> {
        let setup = Setup::new(self.resources, self.sizes, entry, place, &self.members, data)?;
        let answer = setup.call(None, self.null(), false)?;
        self.finish(&setup, &answer, ruined)
    }

    fn finish(&self, setup: &Setup, answer: &Answer, ruined: Option<usize>) -> Result<Results, String> {
        let entry = setup.entry;
        let info = if entry.has("argument_info") { 0 } else { UNSET };
        // MAGMA's factorisation of one matrix returns that matrix's code.
        let may_report = entry.returns_code() && [ruined, self.ruined].iter().any(Option::is_some);
        let reported = may_report && answer.code > 0 && answer.code == answer.argument_info;
        if !reported && (answer.code, answer.argument_info) != (0, info) {
            return Err(format!("{}: a valid call gives {answer:?}: {}", entry.symbol(), setup.last_error()));
        }
        // Ours and cuSOLVER's functions write codes even if there is nothing to do, and so do all functions on members
        // with their own sizes. For MAGMA's least squares, this is ours to define.
        let ours = matches!(entry.interface(), Interface::Native | Interface::Cusolver) || !self.members.are_alike();
        let writes_codes = !self.no_work || (ours || entry.symbol().starts_with("magma_?gels_")) && !self.null();
        if let Some(codes) = setup.codes().filter(|_| writes_codes) {
            let counts = |i: usize| entry.has("code") || ![ruined, self.ruined].contains(&Some(i));
            let expected = |i: usize| if self.no_work { 0 } else { self.members.code(i) };
            if let Some((i, code)) = codes.iter().enumerate().find(|(i, code)| counts(*i) && **code != expected(*i)) {
                return Err(format!("{}: info[{i}] is {code}, expected {}", entry.symbol(), expected(i)));
            }
        }
        match (self.no_work, writes_codes) {
            (false, _) => setup.collect().map(Some),
            (true, false) => setup.untouched().map(|()| None),
            (true, true) => setup.untouched_but_codes().map(|()| None),
        }
    }

    fn first(&self) -> Result<Results, String> {
        self.call(self.case.entry(), &self.case.place, &self.data, None)
    }

    /// Measures as many members as time allows.
    fn measure(&self, results: &Results) -> Found {
        let Some(results) = results else { return Ok(0.0) };
        let rng = &mut Rng::new(self.case.seed ^ 0x6a75_6467);
        let size = self.members.largest.iter().map(|o| o.rows.max(o.cols)).max().unwrap_or(0);
        let count = results.iter().map(Vec::len).max().unwrap_or(0);
        let cost = size.pow(3);
        let chosen: Vec<usize> = match () {
            () if cost * count < 50_000 => (0..count).collect(),
            () if rng.one_in(1 + cost / 100_000) => vec![rng.below(count)],
            () => vec![],
        };
        let mut largest = 0.0;
        for i in chosen.into_iter().filter(|i| self.ruined != Some(*i)) {
            let ratio = self.measure_one(i, results).map_err(|why| format!("matrix {i}: {why}"))?;
            if ratio.is_nan() || ratio >= Ratios::THRESHOLD {
                return Err(format!("matrix {i}: ratio {ratio}"));
            }
            largest = worst(largest, ratio);
        }
        Ok(largest)
    }

    fn measure_one(&self, i: usize, results: &Data) -> Found {
        let (before, after) = (self.member(&self.data, i), self.member(results, i));
        if let Some(sizes) = self.members.sizes(i)
            && (self.members.code(i) != 0 || (self.case.routine.no_work)(sizes))
        {
            return if before == after { Ok(0.0) } else { Err("nothing was to be done, and something was".into()) };
        }
        let member = Member {
            sizes: self.members.sizes(i).unwrap_or(self.sizes),
            operands: self.members.operands(i),
            before: before.iter().map(Vec::as_slice).collect(),
            after: after.iter().map(Vec::as_slice).collect(),
        };
        (self.case.routine.measure[self.sizes.dtype as usize])(&member)
    }

    /// The data of matrix `i`, for the routine's operands.
    fn member(&self, data: &Data, i: usize) -> Vec<Vec<u8>> {
        let of = |members: &Vec<Vec<u8>>| members[i.min(members.len() - 1)].clone();
        data.iter().take(self.members.largest.len()).map(of).collect()
    }

    /// Checks that another placement or entry point gives the same bits.
    fn relocated(&self, entry: &'static Entry, place: &Place) -> Found {
        let results = self.first()?;
        let again = self.call(entry, place, &self.data, None)?;
        self.same(&results, &again, |_| true, &format!("{}, {place:?}", entry.symbol()))?;
        self.measure(&results)
    }

    fn isolated(&self, member: usize, seed: u64) -> Found {
        let results = self.first()?;
        let (batch, mut data) = (self.sizes["batch"] as usize, self.data.clone());
        let rng = &mut Rng::new(seed);
        let member = member % batch.max(1);
        let (operands, shared) = (self.members.operands(member), self.case.place.shared);
        if batch > 1 && !self.no_work && spoil(self.sizes, operands, shared, member, &mut data, rng) {
            let other = self.call(self.case.entry(), &self.case.place, &data, Some(member))?;
            self.same(&results, &other, |i| i != member, &format!("matrix {member} ruined"))?;
        }
        self.measure(&results)
    }

    /// Checks that a batch of one member gives the result that the member had in its batch.
    fn alone(&self, member: usize) -> Found {
        let results = self.first()?;
        if let Some(all) = &results
            && self.members.largest.iter().all(|operand| operand.each)
            // A function that computes the largest sizes itself would find different ones.
            && (self.members.are_alike() || self.case.entry().has_maxima())
        {
            let member = self.ruined.unwrap_or(member % self.sizes["batch"] as usize);
            let single = |data: &Data| self.member(data, member).into_iter().map(|bytes| vec![bytes]).collect();
            let mut sizes = self.sizes.clone();
            sizes.set("batch", 1);
            if !self.members.are_alike() {
                sizes.set("first", sizes["first"] + member as i64);
            }
            let members = Members::of(self.case.routine, &sizes);
            let (resources, case, data) = (self.resources, self.case, single(&self.data));
            let one =
                Run { resources, case, sizes: &sizes, members, data, no_work: false, ruined: self.ruined.map(|_| 0) };
            let result = one.first()?;
            one.same(&Some(single(all)), &result, |_| true, &format!("matrix {member} alone"))?;
        }
        self.measure(&results)
    }

    /// Checks that with only one candidate a call is right, or declines and writes nothing.
    fn planned(&self) -> Found {
        let (entry, place) = (self.case.entry(), &self.case.place);
        let setup = Setup::new(self.resources, self.sizes, entry, place, &self.members, &self.data)?;
        let answer = setup.call(None, self.null(), true)?;
        if wrong::declined(entry, &answer) {
            return setup.untouched().map(|()| 0.0);
        }
        self.measure(&self.finish(&setup, &answer, None)?)
    }

    fn wrong(&self, choice: u64) -> Found {
        let (entry, place) = (self.case.entry(), &self.case.place);
        let mut setup = Setup::new(self.resources, self.sizes, entry, place, &self.members, &self.data)?;
        let choices = wrong::choices(self.case.routine, &setup);
        // Only set_pointer, with nothing to do, accepts every argument.
        let Some(&(word, value)) = choices.get((choice % choices.len().max(1) as u64) as usize) else {
            return Ok(0.0);
        };
        let what = |why: String| format!("{word} = {value}: {why}");
        let replaced = if setup.is_of_sizes(word) && value != 0 {
            setup.set_invalid_size(word, (choice >> 32) as usize % self.sizes["batch"] as usize, value as c_int);
            None
        } else {
            Some((word, value))
        };
        let answer = setup.call(replaced, false, true)?;
        wrong::check(entry, word, &answer).map_err(what)?;
        wrong::check_memory(&setup, word).map_err(what)?;
        wrong::check_query(&setup, word, value).map_err(what)?;
        Ok(0.0)
    }

    /// Whether the results of the members that count are bitwise equal.
    fn same(&self, a: &Results, b: &Results, counts: impl Fn(usize) -> bool, what: &str) -> Result<(), String> {
        let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
        for (operand, (a, b)) in self.members.largest.iter().zip(a.iter().zip(b)) {
            let written = operand.writes != Writes::Nothing;
            if let Some(i) = (0..a.len()).find(|&i| written && counts(i) && a[i] != b[i]) {
                let e = operand.element;
                let differ = a[i].chunks(e).zip(b[i].chunks(e)).enumerate().find(|(_, (a, b))| a != b);
                let (at, (a, b)) = differ.expect("not the same");
                let shown = [a, b].map(|bytes| show(self.sizes, bytes));
                return Err(format!("{} of matrix {i} differs, element {at} is {shown:?}: {what}", operand.name));
            }
        }
        Ok(())
    }
}

/// An element as a number and as bytes.
fn show(sizes: &Sizes, bytes: &[u8]) -> String {
    with_scalar!(sizes.dtype, T => match bytes.len() == size_of::<T>() {
        // SAFETY: there are as many bytes as the type has, and the read allows any alignment.
        true => format!("{:?} = {bytes:02x?}", unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }),
        false => format!("{bytes:02x?}"),
    })
}
