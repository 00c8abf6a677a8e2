//! What a plan is: steps in stream order, without a call's operands and batch count, so that it can be
//! cached.

use crate::error::Error;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::Instance;
use crate::gpu::plan::{Limits, restricted};
use crate::routine::{self, Assign, BoundsCheck, Dtype, Geqrf, Operand, Routine, Storage};
use std::cell::Cell;
use std::fmt::Debug;
use std::marker;

/// The properties of a problem on which its plan depends. Each routine defines which sizes `m`, `n` and `k`
/// are and what the bits of `form` mean ([`Planned::shape`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Shape {
    pub dtype: Dtype,
    pub form: u32,
    pub m: i64,
    pub n: i64,
    pub k: i64,
}

/// A routine that has plans.
pub trait Planned: Routine + Debug + Sized + 'static {
    /// What a launch of this routine's plans is for; `()` if all are for the same. The default is the task of
    /// launches that are added without one.
    type Task: marker::Copy + Default + PartialEq + Debug + 'static;

    /// What `per_block` counts in this routine's launches, for descriptions.
    const UNIT: &'static str = "matrices";

    /// What the plan depends on besides the shape. `device` returns the current device's limits.
    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        device()
    }

    /// The shape on which the plan depends. The problem is not empty.
    fn shape(&self, limits: Limits) -> Shape;

    /// Chooses a candidate and builds its plan, from these arguments alone: it is cached for all problems of
    /// that shape.
    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Self>, Error>;

    /// Bytes of workspace under this plan.
    fn workspace_under(&self, plan: &Plan<Self>) -> Result<usize, Error> {
        (plan.workspace)(self)
    }

    /// The plans that can be pinned, one per line, see [`crate::backend::Runtime::candidates`].
    fn candidates(_shape: Shape, _limits: Limits) -> String {
        String::new()
    }

    /// Describes what a launch works on.
    fn words(&self, launch: &Launch, _: Self::Task) -> String {
        launch.words()
    }
}

/// How a problem is solved.
#[derive(Debug)]
pub struct Plan<P: Planned> {
    /// The chosen candidate.
    pub candidate: &'static str,
    /// Its parameters and the reason for the choice, as text for people.
    pub detail: (String, String),
    /// The steps in stream order.
    pub steps: Vec<Step<P>>,
    /// The limits that the plan was built for.
    pub limits: Limits,
    /// Whether some part may lack an allowed plan, because candidates are restricted.
    pub parts_may_be_refused: bool,
    /// Bytes of workspace that a problem needs.
    pub workspace: fn(&P) -> Result<usize, Error>,
}

/// A step of a plan.
#[derive(Debug)]
pub enum Step<P: Planned> {
    /// A launch of one of the routine's own kernels, and what it is for.
    Launch(Launch, P::Task),
    /// Other operations on the call's operands, which the function passes to a [`Parts`] one by one.
    Sub(Part<P>),
}

/// Passes the operations of a step to a [`Parts`].
pub type Part<P> = fn(&P, &mut dyn Parts) -> Result<(), Error>;

/// Executes the parts of a plan that are not the routine's own launches.
pub trait Parts {
    /// An operation with a plan of its own.
    fn operation(&mut self, op: &dyn Run) -> Result<(), Error>;
    /// A copy of matrices.
    fn copy(&mut self, copy: &Copy) -> Result<(), Error>;
    /// A conversion between 16-bit elements and FP32.
    fn convert(&mut self, convert: &Convert) -> Result<(), Error>;
    /// An assignment of constants to matrices.
    fn assign(&mut self, assign: &Assign) -> Result<(), Error>;
    /// A check of the members' sizes.
    fn check(&mut self, check: &BoundsCheck) -> Result<(), Error>;
    /// A factorisation that reads A from, or writes R to, other memory.
    fn factor(&mut self, qr: &Geqrf, separate: &SeparateOperands) -> Result<(), Error>;
}

/// Operands of a factorisation that are not in A's own memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeparateOperands {
    /// Where A is read, with its leading dimension. It is not modified.
    pub from: Option<(Operand, i64)>,
    /// Where R is written, with its leading dimension and number of rows; zeros go below the diagonal.
    pub r: Option<(Operand, i64, i64)>,
}

impl SeparateOperands {
    /// A is read in place, and R stays there.
    pub const NONE: SeparateOperands = SeparateOperands { from: None, r: None };
}

/// What a copy does to the matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Copies them unchanged.
    Whole,
    /// Writes zeros below the diagonal.
    Triangle,
    /// Transposes.
    Transpose,
    /// Transposes and conjugates.
    Adjoint,
}

impl Form {
    /// Whether rows become columns.
    pub fn transposes(self) -> bool {
        matches!(self, Form::Transpose | Form::Adjoint)
    }
}

/// Copies rows x columns elements of each member of `from` to `to`.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// Element type.
    pub dtype: Dtype,
    /// The source matrices and their leading dimension.
    pub from: (Operand, i64),
    /// The destination and its leading dimension.
    pub to: (Operand, i64),
    /// Rows to read.
    pub rows: i64,
    /// Columns to read.
    pub columns: i64,
    /// What is done to them.
    pub form: Form,
    /// Number of matrices.
    pub batch: i64,
}

/// Converts rows x columns elements of each member between a 16-bit type and FP32.
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// The 16-bit type.
    pub storage: Storage,
    /// The 16-bit matrices and their leading dimension.
    pub half: (Operand, i64),
    /// The FP32 matrices and their leading dimension.
    pub single: (Operand, i64),
    /// Which part of the matrices is read and written.
    pub part: routine::Part,
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub columns: i64,
    /// Whether to convert to FP32, rather than to 16 bits.
    pub widen: bool,
    /// Number of matrices.
    pub batch: i64,
}

/// A launch of a kernel over the whole batch, on a part of each matrix.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel.
    pub instance: &'static Instance,
    /// Dynamic shared memory per block in bytes: the instance's, or more where it depends on the shape.
    pub shared: u32,
    /// Threads per block: the instance's, or fewer where they depend on the shape.
    pub threads: u32,
    /// Matrices, tiles or groups per block: the instance's, unless it depends on the shape.
    pub per_block: u32,
    /// Blocks per cluster: the instance's, or, for a kernel without clusters of its own, the number of blocks
    /// that share a tile's terms.
    pub cluster: u32,
    /// First row and column of the part.
    pub offset: i64,
    /// Rows of the part.
    pub m: i64,
    /// Columns of the part.
    pub n: i64,
    /// Reflectors to be applied; 0 if none.
    pub k: i64,
    /// First column of the part, where it differs from `offset`.
    pub first: i64,
    /// For members with individual sizes: the launch skips those whose larger size is at most this.
    pub over: i64,
    /// For members with individual sizes: the launch skips those whose larger size is above this.
    pub upto: i64,
    /// The batch count of the last call and how it was divided, see [`Launch::divided`]. A count of 0 means
    /// that there was no call.
    pub(crate) divided: Cell<(i64, (i64, i64))>,
}

impl PartialEq for Launch {
    fn eq(&self, other: &Launch) -> bool {
        let of =
            |l: &Launch| (l.instance.kernel, l.shared, l.cluster, l.offset, l.m, l.n, l.k, l.first, l.over, l.upto);
        of(self) == of(other)
    }
}

impl Launch {
    /// Launches `instance` on the m x n part at (offset, offset).
    pub fn on(instance: &'static Instance, m: i64, n: i64, offset: i64) -> Launch {
        let Instance { shared, threads, per_block, cluster, .. } = *instance;
        let divided = Cell::new((0, (0, 0)));
        Launch {
            instance,
            shared,
            threads,
            per_block,
            cluster,
            offset,
            m,
            n,
            k: 0,
            first: offset,
            over: 0,
            upto: i64::MAX,
            divided,
        }
    }

    /// The same, with k reflectors.
    pub fn with(instance: &'static Instance, m: i64, n: i64, offset: i64, k: i64) -> Launch {
        Launch { k, ..Launch::on(instance, m, n, offset) }
    }

    /// Starts the part at column `first` rather than at the offset.
    pub fn from_column(self, first: i64) -> Launch {
        Launch { first, ..self }
    }

    /// Restricts the launch to members whose larger size is above `over`.
    pub fn beyond(self, over: i64) -> Launch {
        Launch { over, ..self }
    }

    /// Restricts the launch to members whose larger size is at most `upto`.
    pub fn up_to(self, upto: i64) -> Launch {
        Launch { upto, ..self }
    }

    /// Sets the shared memory per block, in bytes.
    pub fn with_shared(self, shared: u32) -> Launch {
        Launch { shared, ..self }
    }

    /// Sets the threads and the matrices per block.
    pub fn in_blocks(self, threads: u32, per_block: u32) -> Launch {
        Launch { threads, per_block, ..self }
    }

    /// Sets the cluster size, for a kernel that declares none. At most eight blocks: larger clusters require
    /// an opt-in.
    pub fn in_clusters(self, cluster: u32) -> Launch {
        Launch { cluster, ..self }
    }

    /// Returns `divide`'s result for a batch (>= 1). `divide` runs only if the batch count differs from the
    /// last call's.
    pub fn divided(&self, batch: i64, divide: impl FnOnce() -> Result<(i64, i64), Error>) -> Result<(i64, i64), Error> {
        let (of, division) = self.divided.get();
        if of == batch {
            return Ok(division);
        }
        let division = divide()?;
        self.divided.set((batch, division));
        Ok(division)
    }

    fn words(&self) -> String {
        let Launch { m, n, offset, k, .. } = self;
        match k {
            0 => format!("{m} x {n} at ({offset}, {offset})"),
            _ => format!("{k} reflector(s) from {offset} on, {m} x {n}"),
        }
    }
}

impl<P: Planned> Plan<P> {
    /// A plan of these launches, to which [`Plan::sub`] and [`Plan::launch`] may add.
    pub fn new(candidate: &'static str, launches: impl IntoIterator<Item = Launch>) -> Plan<P> {
        Plan::with_tasks(candidate, launches.into_iter().map(|launch| (launch, P::Task::default())))
    }

    /// The same, with the task of each launch.
    pub fn with_tasks(candidate: &'static str, launches: impl IntoIterator<Item = (Launch, P::Task)>) -> Plan<P> {
        let steps = launches.into_iter().map(|(launch, task)| Step::Launch(launch, task)).collect();
        let (detail, limits, parts_may_be_refused) = (Default::default(), Limits::NONE, false);
        Plan { candidate, detail, steps, limits, parts_may_be_refused, workspace: |_| Ok(0) }
    }

    /// Appends a launch.
    pub fn launch(&mut self, launch: Launch) {
        self.launch_for(P::Task::default(), launch);
    }

    /// Appends a launch for this task.
    pub fn launch_for(&mut self, task: P::Task, launch: Launch) {
        self.steps.push(Step::Launch(launch, task));
    }

    /// Appends the operations that `part` passes on.
    pub fn sub(&mut self, part: Part<P>) {
        self.steps.push(Step::Sub(part));
        self.parts_may_be_refused = restricted();
    }

    /// The launches among the steps.
    pub fn launches(&self) -> impl Iterator<Item = &Launch> {
        self.tasks().map(|(launch, _)| launch)
    }

    /// The launches among the steps, and what each is for.
    pub fn tasks(&self) -> impl Iterator<Item = (&Launch, P::Task)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Launch(launch, task) => Some((launch, *task)),
            Step::Sub(_) => None,
        })
    }
}
