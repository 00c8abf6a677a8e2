//! `tephra check`: self-test of the installed library on this machine.
//!
//! A few minutes' worth of the project's tests in a few seconds, for people who have only the installed files: every interface,
//! precision and plan on a handful of shapes and input classes, judged by LAPACK's test ratios.

mod operations;
mod subjects;
mod table;

use crate::args::CheckArgs;
use crate::{Outcome, info};
use subjects::Checker;
use table::Table;
use tephra_testkit::library::Library;
use tephra_testkit::qr::{Form, Session};
use tephra_testkit::ratios::Ratios;
use tephra_testkit::{Dtype, sweep, with_scalar};

pub fn run(args: &CheckArgs) -> Outcome {
    let library = Library::get().map_err(|e| e.to_string())?;
    let backend = library.backend().map_err(|e| e.to_string())?;
    let session = Session::new(library);
    say!("{} (tephra {})", library.path.display(), library.version());
    say!("{} backend on {}\n", backend.name(), info::device_name(backend)?);
    let mut table = Table::new(args.verbose);
    for dtype in Dtype::ALL {
        let checker = Checker { session: &session };
        with_scalar!(dtype, T => {
            for form in Form::ALL {
                table.enter(form_name(form), dtype, checker.form::<T>(form));
            }
            for path in sweep::paths(backend) {
                table.enter(&format!("plan '{path}' forced"), dtype, checker.plan::<T>(path));
            }
            table.enter("batch of 70,000", dtype, checker.large_batch::<T>());
            table.enter("a NaN stays in its matrix", dtype, checker.isolation::<T>());
            table.enter("empty problems", dtype, checker.empty::<T>());
            table.enter("bad arguments", dtype, checker.arguments::<T>());
            for (name, check) in operations::all::<T>(backend) {
                table.enter(name, dtype, check(&session));
            }
        });
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
    }
}
