//! Checks of routines whose members have individual sizes, by the test kit's rows like the uniform routines
//! (`by_rows`). In every other call, one member gets an invalid size.

use super::by_rows::{self, data, matrix};
use super::operations::{Named, title};
use super::table::Tally;
use std::ffi::c_int;
use tephra_testkit::library::symbol_name;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::Trans;
use tephra_testkit::ops::products::multiplied;
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::routines;
use tephra_testkit::routines::routine::{Entry, Interface, Member, Operand, Routine, Sizes, Verdict, Writes, scalar};
use tephra_testkit::scalar::{Field, bytes_of, worst};
use tephra_testkit::signatures::dimension_of;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome, UNSET};
use tephra_testkit::varying::{VariableSizeBatch, shapes};
use tephra_testkit::{Error, Library, Matrix, Result, Rng, Scalar, any_call};

/// The largest sizes: within what the kernels for small members hold, and beyond.
const LARGEST: [(usize, usize); 6] = [(5, 3), (8, 8), (33, 32), (64, 70), (150, 140), (300, 16)];
const BATCH: usize = 11;
/// Number of calls for a size, which differ in flags and data.
const CALLS: u64 = 2;

/// All operations: every routine that has a native function for individual sizes.
pub fn all<T: Scalar>() -> Vec<Named> {
    let native = |entry: &Entry| entry.interface() == Interface::Native && entry.symbol().ends_with("_vbatched");
    let rows = routines::all().filter(|row| row.entries.iter().any(native)).map(|row| (row.name, row));
    let by_rows = |(name, rows): by_rows::Named| -> Named {
        let title = title(&name, &rows);
        let of_type = move || rows.clone().into_iter().filter(|row| row.dtypes.contains(&T::DTYPE));
        (title, Box::new(move |_| of_type().map(check::<T>).fold(Tally::default(), Tally::and)))
    };
    let mut all: Vec<Named> = by_rows::in_all_types(rows).into_iter().map(by_rows).collect();
    all.push(("gemm_grouped".into(), Box::new(groups::<T>)));
    all
}

/// Checks every largest size, once with all members valid and once with an invalid one.
fn check<T: Scalar>(routine: &'static Routine) -> Tally {
    mixes(|tally, what, most, members| {
        let native = |entry: &&Entry| entry.interface() == Interface::Native;
        let entry = routine.entries.iter().find(native).expect("a native function");
        for (seed, wrong) in (0..CALLS).flat_map(|seed| [(seed, None), (seed, Some(BATCH / 2))]) {
            let largest = by_rows::drawn::<T>(routine, entry, most, BATCH, 2 * seed);
            let outcome = Call::<T>::of(routine, entry, &largest, &members, seed).ratio(wrong).and_then(|ratio| {
                tally.ratio(ratio);
                if ratio < Ratios::THRESHOLD { Ok(()) } else { Err(format!("ratio {ratio}")) }
            });
            let invalid = if wrong.is_some() { ", one not valid" } else { "" };
            tally.check(|| format!("{what} {:?}{invalid}", largest.values), outcome);
        }
    })
}

/// A call, with its sizes and operands by member.
struct Call<'a, T> {
    routine: &'static Routine,
    entry: &'static Entry,
    largest: &'a Sizes,
    sizes: Vec<Sizes>,
    operands: Vec<Vec<Operand>>,
    data: Vec<Vec<Vec<u8>>>,
    scalars: [T; 2],
}

impl<'a, T: Scalar> Call<'a, T> {
    fn of(
        routine: &'static Routine,
        entry: &'static Entry,
        largest: &'a Sizes,
        members: &[(usize, usize)],
        seed: u64,
    ) -> Self {
        let mut rng = Rng::new(seed);
        let own = |&(m, n): &(usize, usize)| {
            let mut own = largest.clone();
            for (word, size) in [("m", m), ("n", n), ("k", n), ("nrhs", m)] {
                own.set(word, largest[word].min(size as i64));
            }
            (routine.limit)(&mut own);
            own.scalars = largest.scalars;
            own
        };
        let sizes: Vec<Sizes> = members.iter().map(own).collect();
        let operands: Vec<Vec<Operand>> = sizes.iter().map(|own| (routine.operands)(own)).collect();
        let of_member = |(own, operands): (&Sizes, &Vec<Operand>)| data::<T>(own, operands, 1, &mut rng).concat();
        let data = sizes.iter().zip(&operands).map(of_member).collect();
        Call { routine, entry, largest, sizes, operands, data, scalars: largest.scalars.map(scalar::<T>) }
    }

    /// The worst ratio over the valid members. Checks that the invalid member has its info code, if the routine has
    /// info, and is not modified.
    fn ratio(&self, wrong: Option<usize>) -> Verdict {
        self.measured(wrong).map_err(|e| e.to_string())?
    }

    fn measured(&self, wrong: Option<usize>) -> Result<Verdict> {
        let first = &self.operands[0];
        // A fixture's last operand is the one that is written; integer operands, viewed as `f32`, are kept separately.
        let mut order: Vec<usize> = (0..first.len()).filter(|&at| !first[at].is_of_integers()).collect();
        order.sort_by_key(|&at| first[at].writes != Writes::Nothing);
        let ints = (0..first.len()).find(|&at| first[at].is_of_integers());
        let lists = ints.map(|at| self.integers(at)).transpose()?;
        let mut fixture = self.fixture(&order, ints.zip(lists.as_ref()))?;
        let uniform: Vec<&str> = self.routine.varying.expect("the uniform arguments").split(' ').collect();
        let place = uniform.iter().position(|word| SIZES.contains(word)).expect("a size");
        if let Some(i) = wrong {
            fixture.set_size(uniform[place], i, usize::MAX)?;
        }
        let valid = |i: usize| Some(i) != wrong;
        let form = (self.entry.symbol(), self.entry.prototype.given(), true);
        let Outcome(last, codes) = fixture.run(form, [0.0; 4], valid)?;
        for (i, &code) in codes.iter().enumerate() {
            let right = if valid(i) { 0 } else { -(place as c_int) - 1 };
            if code != if self.entry.has("info") { right } else { UNSET } {
                return Ok(Err(format!("member {i} has the code {code}")));
            }
        }
        let mut after = self.data.clone();
        for (at, &operand) in order.iter().enumerate().filter(|(_, operand)| first[**operand].writes != Writes::Nothing)
        {
            let left = if at + 1 == order.len() { last.clone() } else { fixture.contents(at)? };
            left.iter().zip(&mut after).for_each(|(left, after)| after[operand] = bytes_of(left.data()).to_vec());
        }
        if let Some((at, lists)) = ints.zip(lists.as_ref()) {
            let written = first[at].writes != Writes::Nothing;
            let left = lists.download(|i| written && valid(i))?;
            left.iter().zip(&mut after).for_each(|(left, after)| after[at] = bytes_of(left.data()).to_vec());
        }
        let judged = (0..BATCH).filter(|&i| valid(i) && !(self.routine.no_work)(&self.sizes[i]));
        Ok(judged.map(|i| self.measure(i, &after[i])).try_fold(0.0, |largest, ratio| Ok(worst(largest, ratio?))))
    }

    fn measure(&self, i: usize, after: &[Vec<u8>]) -> Verdict {
        let [before, after] = [&self.data[i][..], after].map(|all| all.iter().map(|bytes| &bytes[..]).collect());
        let member = Member { sizes: &self.sizes[i], operands: &self.operands[i], before, after };
        (self.routine.measure[T::DTYPE as usize])(&member)
    }

    fn integers(&self, at: usize) -> Result<VariableSizeBatch<f32>> {
        let of = |(operands, data): (&Vec<Operand>, &Vec<Vec<u8>>)| {
            let number = |i: usize| f32::from_ne_bytes(data[at][4 * i..][..4].try_into().expect("four bytes"));
            Matrix::from_fn(operands[at].rows, 1, |i, _| number(i))
        };
        let lists: Vec<Matrix<f32>> = self.operands.iter().zip(&self.data).map(of).collect();
        let lists = VariableSizeBatch::of(Library::required(), &lists, 3)?;
        lists.upload()?;
        Ok(lists)
    }

    /// Makes a fixture of the operands in this order, and the integers.
    fn fixture(&self, order: &[usize], integers: Option<(usize, &VariableSizeBatch<f32>)>) -> Result<BatchFixture<T>> {
        let words = self.entry.prototype.arguments();
        let first = &self.operands[0];
        let members = |at: usize| -> Vec<Matrix<T>> {
            (0..BATCH).map(|i| matrix(&self.sizes[i], &self.operands[i][at], &self.data[i][at])).collect()
        };
        let dimension = |name: &str| {
            let is_its = |word: &&&'static str| dimension_of(word).is_some_and(|of| name.eq_ignore_ascii_case(of));
            words.iter().find(is_its).copied().unwrap_or("")
        };
        let operands = order.iter().map(|&at| ([first[at].name, dimension(first[at].name)], members(at))).collect();
        let is_size = |word: &&&str| SIZES.contains(*word);
        let sizes =
            words.iter().filter(is_size).map(|word| (*word, self.sizes.iter().map(|own| own[word] as usize).collect()));
        let largest = |word: &&'static str| Some((*word, self.largest[word.strip_prefix("max_")?] as u64));
        let mut numbers: Vec<(&str, u64)> = words.iter().filter_map(largest).collect();
        let flags = self.largest.values.iter().filter(|(word, _)| !SIZES.contains(word) && *word != "batch");
        numbers.extend(flags.map(|&(word, value)| (word, value as u64)));
        let [alpha, beta] = &self.scalars;
        numbers.extend([("alpha", &raw const *alpha as u64), ("beta", &raw const *beta as u64)]);
        numbers.extend(integers.map(|(at, lists)| (first[at].name, lists.pointers())));
        let fixture = BatchFixture::new(operands, sizes.collect(), numbers)?;
        let written = order[..order.len() - 1].iter().filter(|&&at| first[at].writes != Writes::Nothing);
        Ok(written.fold(fixture, |fixture, &at| fixture.writing(first[at].name)))
    }
}

/// The words that stand for sizes.
const SIZES: [&str; 4] = ["m", "n", "k", "nrhs"];

/// Runs a check for every largest size, with members of at most that size.
fn mixes(each: impl Fn(&mut Tally, &str, (usize, usize), Vec<(usize, usize)>)) -> Tally {
    let mut tally = Tally::default();
    for (m, n) in LARGEST {
        let members = shapes(BATCH, (m, n), &mut Rng::new((m * 1000 + n) as u64));
        each(&mut tally, &format!("up to {m}x{n}"), (m, n), members);
    }
    tally
}

fn uniform<T: Scalar>(rows: usize, cols: usize) -> Matrix<T> {
    Class::Uniform.generate(rows, cols, &mut Rng::new((rows * 1000 + cols) as u64))
}

/// The ratio of a member, or 0 if it has no elements.
fn unless_empty<T: Scalar>(a: &Matrix<T>, ratio: impl FnOnce() -> f64) -> f64 {
    if a.data().is_empty() { 0.0 } else { ratio() }
}

fn real<T: Scalar>(x: f64) -> T {
    T::from_double(<T as Scalar>::Double::real(x))
}

/// Checks grouped products, with one member per group; the arrays that describe the groups are in host memory.
fn groups<T: Scalar>(session: &Session) -> Tally {
    let (trans, library) = ([Trans::C, Trans::N], Library::required());
    let factors = [-1.5, 0.5].map(real::<T>);
    mixes(|tally, what, _, members| {
        let sizes = |of: fn(&(usize, usize)) -> usize| members.iter().map(|size| of(size) as i64).collect::<Vec<_>>();
        let [m, n, k, one] = [sizes(|size| size.0), sizes(|size| size.1), sizes(|size| size.1.min(40)), sizes(|_| 1)];
        let of = |rows: &[i64], columns: &[i64]| -> Vec<Matrix<T>> {
            rows.iter().zip(columns).map(|(&rows, &columns)| uniform(rows as usize, columns as usize)).collect()
        };
        let (a, b, c) = (of(&k, &m), of(&k, &n), of(&m, &n));
        let measured = || -> Result<f64> {
            let placed =
                [(&a, 1), (&b, 2), (&c, 3)].map(|(members, seed)| VariableSizeBatch::of(library, members, seed));
            let [of_a, of_b, of_c] = placed;
            let (of_a, of_b, of_c) = (of_a?, of_b?, of_c?);
            let lds = |x: &VariableSizeBatch<T>| x.lds().into_iter().map(i64::from).collect::<Vec<i64>>();
            let ([lda, ldb, ldc], flags) = ([&of_a, &of_b, &of_c].map(lds), trans.map(|trans| [trans.cblas(); BATCH]));
            let scalars = factors.map(|factor| [factor; BATCH]);
            [&of_a, &of_b, &of_c].into_iter().try_for_each(VariableSizeBatch::upload)?;
            let address = |numbers: &Vec<i64>| numbers.as_ptr() as u64;
            let [ta, tb] = flags.each_ref().map(|flags| flags.as_ptr() as u64);
            let [alpha, beta] = scalars.each_ref().map(|factors| factors.as_ptr() as u64);
            let [m, n, k, one, lda, ldb, ldc] = [&m, &n, &k, &one, &lda, &ldb, &ldc].map(address);
            let (a_array, b_array, c_array) = (of_a.pointers(), of_b.pointers(), of_c.pointers());
            let (batch, stream) = (BATCH as u64, session.stream() as u64);
            let call = [ta, tb, m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, batch, one, stream];
            let name = symbol_name("tephra_?gemm_grouped_batched", T::DTYPE);
            // SAFETY: the arguments match the prototype, and the arrays have an entry for each group.
            let code = unsafe { any_call::call(library, &name, [0.0; 4], &call) };
            if code != 0 {
                return Err(Error::status(name, code));
            }
            session.synchronize()?;
            of_a.download(|_| false)?;
            of_b.download(|_| false)?;
            let left = of_c.download(|_| true)?;
            let ratio = |i: usize| unless_empty(&left[i], || multiplied(trans, factors, &a[i], &b[i], &c[i], &left[i]));
            Ok((0..BATCH).map(ratio).fold(0.0, worst))
        };
        let outcome = measured().map_err(|error| error.to_string()).and_then(|ratio| {
            tally.ratio(ratio);
            if ratio < Ratios::THRESHOLD { Ok(()) } else { Err(format!("ratio {ratio}")) }
        });
        tally.check(|| what.to_string(), outcome);
    })
}
