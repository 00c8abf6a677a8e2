//! Plans for operations that move memory rather than compute: geam and dgmm are one launch with square tiles;
//! transpose, lacpy and laset are copies and constants.

use crate::error::Error;
use crate::gpu::plan::table::{GEAM, Instance};
use crate::gpu::plan::walk::Launches;
use crate::gpu::plan::{Copy, Form, Launch, Limits, Plan, Planned, Shape};
use crate::routine::{Dgmm, Dtype, Geam, Lacpy, Laset, Trans, Transpose};

/// One launch, with tiles no larger than needed.
fn by_tiles<P: Planned>(Shape { dtype, m, n, .. }: Shape) -> Result<Plan<P>, Error> {
    Ok(Plan::new("tiles", [Launch::on(Instance::tiles(GEAM, dtype, m.min(n))?, m, n, 0)]))
}

/// The shape has m and n; the plans depend on nothing else.
fn sizes(dtype: Dtype, m: i64, n: i64) -> Shape {
    Shape { dtype, m, n, k: 0, form: 0 }
}

macro_rules! planned {
    ($($Routine:ident $plan:expr;)*) => {$(
        impl Planned for $Routine {
            type Task = ();

            const UNIT: &'static str = "tiles";

            /// Every device runs the kernels.
            fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
                Ok(Limits::NONE)
            }

            fn shape(&self, _: Limits) -> Shape {
                sizes(self.dtype, self.m, self.n)
            }

            fn plan(shape: Shape, _: Limits) -> Result<Plan<$Routine>, Error> {
                $plan(shape)
            }
        }
    )*};
}

planned! {
    Geam by_tiles;
    Dgmm by_tiles;
    Transpose transpose;
    Lacpy lacpy;
    Laset laset;
}

fn transpose(_: Shape) -> Result<Plan<Transpose>, Error> {
    let mut plan = Plan::new("copy", []);
    plan.sub(|p, to| {
        let &Transpose { dtype, trans, m: rows, n: columns, a, lda, b, ldb, batch } = p;
        let form = if trans == Trans::C { Form::Adjoint } else { Form::Transpose };
        to.copy(&Copy { dtype, from: (a, lda), to: (b, ldb), rows, columns, form, batch })
    });
    Ok(plan)
}

fn lacpy(_: Shape) -> Result<Plan<Lacpy>, Error> {
    let mut plan = Plan::new("copy", []);
    plan.sub(|p: &Lacpy, to| to.assign(&p.assign()));
    Ok(plan)
}

fn laset(_: Shape) -> Result<Plan<Laset>, Error> {
    let mut plan = Plan::new("set", []);
    plan.sub(|p: &Laset, to| to.assign(&p.assign()));
    Ok(plan)
}

/// These plans have no launches of their own.
impl Launches for Transpose {}
impl Launches for Lacpy {}
impl Launches for Laset {}
