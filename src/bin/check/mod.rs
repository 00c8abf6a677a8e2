//! `tephra check`: self-test of the installed library on this machine.
//!
//! A few minutes' worth of the project's tests in a few seconds, for people who have only the installed files: every interface,
//! precision and plan on a handful of shapes and input classes, judged by LAPACK's test ratios.

mod blas;
mod cholesky;
mod lu;
mod operations;
mod products;
mod subjects;
mod table;

use crate::args::CheckArgs;
use crate::{Outcome, info};
use subjects::Checker;
use table::{Table, Tally};
use tephra_testkit::library::Library;
use tephra_testkit::qr::{Form, Session};
use tephra_testkit::ratios::Ratios;
use tephra_testkit::{sweep, with_scalar};

pub fn run(args: &CheckArgs) -> Outcome {
    let library = Library::get().map_err(|e| e.to_string())?;
    let backend = library.backend().map_err(|e| e.to_string())?;
    let session = Session::new(library);
    say!("{} (tephra {})", library.path.display(), library.version());
    say!("{} backend on {}\n", backend.name(), info::device_name(backend)?);
    let mut table = Table::new(args.verbose);
    for &dtype in &args.precisions.0 {
        let checker = Checker { session: &session };
        let mut enter = |subject: &str, check: &dyn Fn() -> Tally| {
            if args.wants(subject) {
                table.enter(subject, dtype, check());
            }
        };
        with_scalar!(dtype, T => {
            for form in Form::ALL {
                enter(form_name(form), &|| checker.form::<T>(form));
            }
            for path in sweep::paths(backend) {
                enter(&format!("plan '{path}' forced"), &|| checker.plan::<T>(path));
            }
            enter("batch of 70,000", &|| checker.large_batch::<T>());
            enter("a NaN stays in its matrix", &|| checker.isolation::<T>());
            enter("empty problems", &|| checker.empty::<T>());
            enter("bad arguments", &|| checker.arguments::<T>());
            for (name, check) in operations::all::<T>() {
                enter(name, &|| check(&session));
            }
        });
    }
    if table.is_empty() {
        return Err(format!("nothing is checked under the name of {}", args.only.join(", ")));
    }
    say!("{}", table.text().trim_end());
    say!("\nNumbers are the worst of LAPACK's test ratios; its testers pass below {}.", Ratios::THRESHOLD);
    say!("{}", table.verdict());
    Ok(table.passed())
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::Pointers => "tephra_?geqrf_batched",
        Form::Strided => "tephra_?geqrf_strided_batched",
        Form::Cublas => "cublas?geqrfBatched",
        Form::Magma => "magma_?geqrf_batched",
        Form::MagmaWork => "magma_?geqrf_batched_work",
        Form::One => "tephra_?geqrf",
    }
}
