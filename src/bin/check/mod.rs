//! `tephra check`: self-test of the installed library on this machine.
//!
//! A quick version of the project's tests for users who have only the installed files: it takes seconds and covers
//! every interface, precision and plan on a handful of shapes and input classes, judged by LAPACK's test ratios.

mod by_rows;
mod client;
mod operations;
mod subjects;
mod table;
mod varying;

use crate::args::CheckArgs;
use crate::info;
use crate::output::Outcome;
use subjects::Checker;
use table::{Table, Tally};
use tephra_testkit::library::{Backend, Library};
use tephra_testkit::qr::{EntryForm, Session};
use tephra_testkit::ratios::Ratios;
use tephra_testkit::{Scalar, sweep, with_scalar};

pub fn run(args: &CheckArgs) -> Outcome {
    if let Some(file) = &args.client {
        return client::run(file);
    }
    let library = Library::get().map_err(|e| e.to_string())?;
    let backend = library.backend().map_err(|e| e.to_string())?;
    let session = Session::new(library);
    say!("{} (tephra {})", library.path.display(), library.version());
    say!("{} backend on {}\n", backend.name(), info::device_name(backend)?);
    let checker = Checker { session: &session };
    let subjects: Vec<String> = rows::<f32>(&checker, backend).into_iter().map(|(subject, _)| subject).collect();
    if let Some(name) = args.unknown(&subjects) {
        return Err(format!("the table has no row {name:?}; its rows are: {}", subjects.join("; ")));
    }
    let mut table = Table::new(args.verbose, &args.precisions.0);
    for &dtype in &args.precisions.0 {
        with_scalar!(dtype, T => {
            for (subject, check) in rows::<T>(&checker, backend) {
                if args.wants(&subject) {
                    table.enter(&subject, dtype, check());
                }
            }
        });
    }
    say!("{}", table.text().trim_end());
    say!("\nNumbers are the worst of LAPACK's test ratios; its testers pass below {}.", Ratios::THRESHOLD);
    say!("{}", table.verdict());
    Ok(table.passed())
}

/// The title of a row of the table, and the check that fills it.
type Row<'a> = (String, Box<dyn Fn() -> Tally + 'a>);

/// All rows; they are the same in every precision.
fn rows<'a, T: Scalar>(checker: &'a Checker<'a>, backend: Backend) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for form in EntryForm::ALL {
        rows.push((form_name(form).into(), Box::new(move || checker.form::<T>(form))));
    }
    for path in sweep::paths(backend) {
        rows.push((format!("plan '{path}' forced"), Box::new(move || checker.plan::<T>(path))));
    }
    rows.push(("batch of 70,000".into(), Box::new(|| checker.large_batch::<T>())));
    rows.push(("tall panels".into(), Box::new(|| checker.tall::<T>())));
    rows.push(("a NaN stays in its matrix".into(), Box::new(|| checker.isolation::<T>())));
    rows.push(("empty problems".into(), Box::new(|| checker.empty::<T>())));
    rows.push(("bad arguments".into(), Box::new(|| checker.arguments::<T>())));
    for (name, check) in operations::all::<T>() {
        rows.push((name, Box::new(move || check(checker.session))));
    }
    rows
}

fn form_name(form: EntryForm) -> &'static str {
    match form {
        EntryForm::Pointers => "tephra_?geqrf_batched",
        EntryForm::Strided => "tephra_?geqrf_strided_batched",
        EntryForm::Cublas => "cublas?geqrfBatched",
        EntryForm::Magma => "magma_?geqrf_batched",
        EntryForm::MagmaWork => "magma_?geqrf_batched_work",
        EntryForm::One => "tephra_?geqrf",
    }
}
