//! What a plan is: steps in stream order, without the operands and the batch count of a call, so that it can be kept.

use crate::error::Error;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::Instance;
use crate::gpu::plan::{Limits, restricted};
use crate::routine::{self, Assign, Check, Dtype, Geqrf, Operand, Routine, Storage};
use std::cell::Cell;
use std::fmt::Debug;

/// What of a problem its plan depends on. Which sizes `m`, `n` and `k` are, and what the bits of `form` say, is the routine's
/// to choose ([`Planned::shape`]).
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
    /// What `per_block` of its launches counts, in words.
    const UNIT: &'static str = "matrices";

    /// What its plan depends on besides the shape; `device`: what the device can hold.
    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        device()
    }

    /// What of it the plan depends on; there is work.
    fn shape(&self, limits: Limits) -> Shape;

    /// Chooses a candidate and makes its plan: of this alone, as it is kept for all problems of that shape.
    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Self>, Error>;

    /// The plans that can be pinned, a line each, see [`crate::backend::Runtime::candidates`].
    fn candidates(_shape: Shape, _limits: Limits) -> String {
        String::new()
    }

    /// What a launch of its plan works on, in words.
    fn words(&self, launch: &Launch) -> String {
        launch.words()
    }
}

/// How a problem is solved.
#[derive(Debug)]
pub struct Plan<P> {
    /// The candidate that was chosen.
    pub candidate: &'static str,
    /// Its parameters, and why it was chosen, for people.
    pub detail: (String, String),
    /// In stream order.
    pub steps: Vec<Step<P>>,
    /// What it was made for.
    pub limits: Limits,
    /// Whether a part may have no plan, since some candidate is not allowed.
    pub doubtful: bool,
    /// Bytes of workspace that a problem needs.
    pub workspace: fn(&P) -> Result<usize, Error>,
}

/// A step of a plan.
#[derive(Debug)]
pub enum Step<P> {
    /// A kernel of the routine's own.
    Launch(Launch),
    /// What is done by other code, on operands of the call: given one by one to what does it.
    Sub(Part<P>),
}

/// Gives what is done by other code to what does it.
pub type Part<P> = fn(&P, &mut dyn Parts) -> Result<(), Error>;

/// What is done with the parts of a problem that are problems of other kinds.
pub trait Parts {
    /// An operation, which has a plan of its own.
    fn operation(&mut self, op: &dyn Run) -> Result<(), Error>;
    /// A copy of matrices.
    fn copy(&mut self, copy: &Copy) -> Result<(), Error>;
    /// Elements of 16 bits as such of FP32, or back.
    fn convert(&mut self, convert: &Convert) -> Result<(), Error>;
    /// Constants in matrices.
    fn assign(&mut self, assign: &Assign) -> Result<(), Error>;
    /// A look at members' sizes.
    fn check(&mut self, check: &Check) -> Result<(), Error>;
    /// A factorisation that is not all in one place.
    fn factor(&mut self, qr: &Geqrf, outside: &Outside) -> Result<(), Error>;
}

/// What of a factorisation is elsewhere than in its place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outside {
    /// Where A is read, with its leading dimension; it stays as it is.
    pub from: Option<(Operand, i64)>,
    /// Where R goes, with its leading dimension and its rows: zeros below the diagonal.
    pub r: Option<(Operand, i64, i64)>,
}

impl Outside {
    /// All is in its place.
    pub const NONE: Outside = Outside { from: None, r: None };
}

/// How matrices are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As they are.
    Whole,
    /// With zeros below the diagonal.
    Triangle,
    /// Rows become columns.
    Transpose,
    /// Rows become columns, and are conjugated.
    Adjoint,
}

impl Form {
    /// Whether rows become columns.
    pub fn turns(self) -> bool {
        matches!(self, Form::Transpose | Form::Adjoint)
    }
}

/// rows x columns of each member of `from`, to `to`.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// Element type.
    pub dtype: Dtype,
    /// The matrices, and their leading dimension.
    pub from: (Operand, i64),
    /// Receives them.
    pub to: (Operand, i64),
    /// Rows that are read.
    pub rows: i64,
    /// Columns that are read.
    pub columns: i64,
    /// What is written of them.
    pub form: Form,
    /// Number of matrices.
    pub batch: i64,
}

/// rows x columns of each member between elements of 16 bits and of FP32.
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// Type of the 16 bits.
    pub storage: Storage,
    /// The matrices of 16 bits, and their leading dimension.
    pub half: (Operand, i64),
    /// Those of FP32.
    pub single: (Operand, i64),
    /// What of them is read and written.
    pub part: routine::Part,
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub columns: i64,
    /// To FP32; else to 16 bits.
    pub widen: bool,
    /// Number of matrices.
    pub batch: i64,
}

/// A launch of a kernel over the whole batch, on a part of each matrix.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What runs.
    pub instance: &'static Instance,
    /// Dynamic shared memory of a block, bytes: the instance's, or more where it depends on the shape.
    pub shared: u32,
    /// Threads of a block: the instance's, or fewer where they depend on the shape.
    pub threads: u32,
    /// Matrices, tiles or groups of a block, likewise.
    pub per_block: u32,
    /// Blocks of a cluster: the instance's, or of a kernel that asks for none as many as share a tile's terms.
    pub cluster: u32,
    /// First row and column of the part.
    pub offset: i64,
    /// Rows of the part.
    pub m: i64,
    /// Columns of it.
    pub n: i64,
    /// Reflectors that are applied; 0: none.
    pub k: i64,
    /// First column of it, where that is not at the offset.
    pub first: i64,
    /// Where members have sizes of their own: those whose larger size is at most this are another launch's.
    pub over: i64,
    /// Likewise: those whose larger size is more than this are another launch's.
    pub upto: i64,
    /// How the batch of the last call was divided, see [`Launch::divided`]; a batch count of 0: there was no call.
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
    /// The instance on the m x n part at (offset, offset).
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

    /// The instance, with k reflectors.
    pub fn with(instance: &'static Instance, m: i64, n: i64, offset: i64, k: i64) -> Launch {
        Launch { k, ..Launch::on(instance, m, n, offset) }
    }

    /// The same, whose columns begin at another one than the offset's.
    pub fn starting(self, first: i64) -> Launch {
        Launch { first, ..self }
    }

    /// The same for members with sizes of their own, of which one is larger than this.
    pub fn beyond(self, over: i64) -> Launch {
        Launch { over, ..self }
    }

    /// The same for members with sizes of their own, of which none is larger than this.
    pub fn up_to(self, upto: i64) -> Launch {
        Launch { upto, ..self }
    }

    /// The same with so much shared memory, in bytes.
    pub fn holding(self, shared: u32) -> Launch {
        Launch { shared, ..self }
    }

    /// The same in blocks of so many threads, with so many matrices.
    pub fn in_blocks(self, threads: u32, per_block: u32) -> Launch {
        Launch { threads, per_block, ..self }
    }

    /// The same in clusters of so many blocks, of a kernel that asks for none (at most eight: more need leave).
    pub fn in_clusters(self, cluster: u32) -> Launch {
        Launch { cluster, ..self }
    }

    /// What `divide` says of a batch (>= 1); it is only asked where the batch count is another than in the last call.
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
        let steps = launches.into_iter().map(Step::Launch).collect();
        let (detail, limits, doubtful) = (Default::default(), Limits::NONE, false);
        Plan { candidate, detail, steps, limits, doubtful, workspace: |_| Ok(0) }
    }

    /// Adds a launch.
    pub fn launch(&mut self, launch: Launch) {
        self.steps.push(Step::Launch(launch));
    }

    /// Adds what `part` gives of a call.
    pub fn sub(&mut self, part: Part<P>) {
        self.steps.push(Step::Sub(part));
        self.doubtful = restricted();
    }

    /// The launches among the steps.
    pub fn launches(&self) -> impl Iterator<Item = &Launch> {
        self.steps.iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch),
            Step::Sub(_) => None,
        })
    }
}
