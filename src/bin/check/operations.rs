//! The rows of the table that stand for routines. Each routine is checked through all its interfaces, by its rows of
//! the test kit; some also by a function here.

use super::by_rows::{self, BATCH, SHAPES};
use super::table::Tally;
use super::varying;
use tephra_testkit::any_call::AnyFunction;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::implicit::{self, gemqr, geqr};
use tephra_testkit::ops::measure::{orthogonality, product};
use tephra_testkit::ops::q::{NATIVE_FORMS, Part, qr, random};
use tephra_testkit::ops::{EntryForm, Output, Prepared, Side, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::routines::routine::Routine;
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Matrix, Result, Rng, Scalar, words};

/// Shapes for which Q has geqrf's form, and for which it is a tree of two levels, with one panel and with two.
const IMPLICIT_SHAPES: [(usize, usize); 5] = [(33, 32), (20, 50), (300, 16), (2600, 12), (2100, 35)];

/// The name of an operation, and its check.
pub type Named = (String, Box<dyn Fn(&Session) -> Tally>);

/// All operations, except geqrf, which has a row for each interface.
pub fn all<T: Scalar>() -> Vec<Named> {
    let named = by_rows::uniform().into_iter().filter(|(name, _)| name != "geqrf");
    let check = |(name, rows): by_rows::Named| -> Named {
        let title = title(&name, &rows);
        let by_rows = move |session: &Session| by_rows::check::<T>(&rows, session);
        let check: Box<dyn Fn(&Session) -> Tally> = match &name[..] {
            "qr" => Box::new(move |session| by_rows(session).and(tall_factors::<T>(session))),
            "geqr" => Box::new(move |session| by_rows(session).and(implicit::<T>(session))),
            "lu_to_permutation" => Box::new(permutations),
            _ => Box::new(by_rows),
        };
        (title, check)
    };
    named.map(check).chain(varying::all::<T>()).collect()
}

/// A routine's name, and those of its variants in the complex types.
pub fn title(name: &str, rows: &[&Routine]) -> String {
    let complex = match (name.strip_prefix("or"), name.strip_prefix("sy")) {
        (Some(rest), _) => format!(", un{rest}"),
        (_, Some(rest)) if rows.iter().any(|row| row.name.starts_with("he")) => format!(", he{rest}"),
        _ => String::new(),
    };
    name.to_owned() + &complex
}

/// Measures the worst ratio of an operation for matrix i.
type Measure<'a, T> = &'a dyn Fn(&Output<T>, usize) -> f64;

/// Runs one operation in all its forms.
fn every<'a, T: Scalar>(
    tally: &mut Tally,
    what: &str,
    forms: &[EntryForm],
    call: &dyn Fn(EntryForm) -> Result<Prepared<'a, T>>,
    measure: Measure<T>,
) {
    for &form in forms {
        let name = || format!("{what} {form:?}");
        let output = match call(form).and_then(|call| call.run()) {
            Ok(output) => output,
            Err(e) => {
                tally.check(name, Err(e.to_string()));
                continue;
            }
        };
        let ratio = (0..BATCH).map(|i| measure(&output, i)).fold(0.0, worst);
        tally.ratio(ratio);
        let good = ratio < Ratios::THRESHOLD;
        tally.check(name, if good { Ok(()) } else { Err(format!("ratio {ratio}")) });
    }
}

fn uniform<T: Scalar>(m: usize, n: usize) -> Vec<Matrix<T>> {
    random(Class::Uniform, m, n, BATCH, (m * 1000 + n) as u64)
}

/// QR with explicit thin Q and R of a panel with more rows than the blocks of a cluster hold together, and a
/// rank-deficient member among others.
fn tall_factors<T: Scalar>(session: &Session) -> Tally {
    let (mut tally, mut a) = (Tally::default(), uniform::<T>(20_000, 20));
    a[1] = random(Class::RankDeficient, 20_000, 20, 1, 7).remove(0);
    let call = |form| qr(session, form, Part::Thin, &a, &Placement::guarded());
    let measure = |o: &Output<T>, i: usize| {
        let (q, r) = (&o.operands[0][i], &o.operands[1][i]);
        worst(product(&a[i], q, r), orthogonality(q))
    };
    every(&mut tally, "20000x20", &NATIVE_FORMS, &call, &measure);
    tally
}

/// QR with an implicit Q. The thin Q is formed as Q times an identity, and its adjoint as an identity times Q^H.
fn implicit<T: Scalar>(session: &Session) -> Tally {
    let mut tally = Tally::default();
    let element = |x: f64| T::from_double(Field::real(x));
    let identity = |m: usize, n: usize| vec![Matrix::from_fn(m, n, |i, j| element(f64::from(u8::from(i == j)))); BATCH];
    for ((m, n), form) in IMPLICIT_SHAPES.into_iter().flat_map(|shape| implicit::FORMS.map(|form| (shape, form))) {
        let (a, k) = (uniform::<T>(m, n), m.min(n));
        let factors = match geqr(session, form, &a, &Placement::guarded()).and_then(|call| call.run()) {
            Ok(factors) => factors,
            Err(e) => {
                tally.check(|| format!("geqr {m}x{n} {form:?}"), Err(e.to_string()));
                continue;
            }
        };
        let [f, t] = [&factors.operands[0], &factors.operands[1]];
        for (how, c) in [((Side::Left, Trans::N), identity(m, k)), ((Side::Right, Trans::C), identity(k, m))] {
            let call = |form| gemqr(session, form, how, f, t, &c, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                let q = &o.operands[0][i];
                let q = if how.0 == Side::Left { q.clone() } else { Matrix::from_double(&q.to_double().adjoint()) };
                let r = Matrix::from_fn(k, n, |row, j| if row <= j { f[i][(row, j)] } else { element(0.0) });
                worst(product(&a[i], &q, &r), orthogonality(&q))
            };
            every(&mut tally, &format!("{m}x{n} {how:?}"), &[form], &call, &measure);
        }
    }
    tally
}

/// Permutations from interchanges; these routines have no precision.
fn permutations(session: &Session) -> Tally {
    let mut tally = Tally::default();
    for (m, n) in SHAPES {
        let outcome = permuted(session, m, n).map_err(|e| e.to_string());
        tally.check(|| format!("{n} of {m}"), outcome.and_then(|right| right.then_some(()).ok_or("wrong".into())));
    }
    tally
}

/// Whether the permutation from k interchanges of m rows equals their effect when applied one by one.
fn permuted(session: &Session, m: usize, k: usize) -> Result<bool> {
    let library = session.library();
    let mut rng = Rng::new((m + k) as u64);
    let (mut ipiv, mut expected) = (vec![], vec![]);
    for _ in 0..BATCH {
        let rows: Vec<i32> = (0..k).map(|j| (j + 1 + rng.below(m - j)) as i32).collect();
        let mut permutation: Vec<i32> = (1..=m as i32).collect();
        rows.iter().enumerate().for_each(|(j, &row)| permutation.swap(j, row as usize - 1));
        ipiv.extend(rows);
        expected.extend(permutation);
    }
    let to_backend = |numbers: &[i32]| {
        let memory = Memory::new(library, Kind::Device, size_of_val(numbers))?;
        memory.write(numbers).map(|()| memory)
    };
    let (from, to) = (to_backend(&ipiv)?, to_backend(&vec![0; expected.len()])?);
    let symbol = "tephra_lu_to_permutation_strided_batched";
    // SAFETY: the arguments are those of include/tephra.h; memory is allocated for the sizes given.
    let code = unsafe {
        AnyFunction::named(library, symbol)?
            .call([0.0; 4], words![m, k, from.pointer(), k, to.pointer(), m, BATCH, session.stream()])
    };
    library.status(symbol, code)?;
    session.synchronize()?;
    let mut found = vec![0; expected.len()];
    to.read(&mut found)?;
    Ok(found == expected)
}
