//! Cholesky factorisations, and solves and inverses from them, on the device.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::args::{DeviceOperand, Extent, TrsmArgs, TrsmEachArgs};
use crate::gpu::data_movement::identity_each::Identity;
use crate::gpu::driver::blas;
use crate::gpu::driver::blas::Blas;
use crate::gpu::gemm::steps as gemm;
use crate::gpu::gemm::steps::{GemmArgs, GemmEachArgs, Stored};
use crate::gpu::getrs::has_room_for_shifts;
use crate::gpu::getrs::steps::{SolveArgs, by_sides};
use crate::gpu::plan::parts::diagonals::invert_diagonals;
use crate::gpu::plan::parts::sort::Members;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::strip::StripLayout;
use crate::gpu::plan::table::{POTRF_GENERIC, POTRF_GENERIC_EACH, POTRI_FINISH, POTRI_GRID, SOLVE_SIDES, TRSM_STRIPS};
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, blocks_per_matrix, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div, classes};
use crate::gpu::potrf::{Task, large};
use crate::gpu::potri;
use crate::gpu::potri::{beside, inverses, inverses_ahead, inversion, is_whole, own, product, side};
use crate::gpu::potrs;
use crate::gpu::trsm::steps::strips;
use crate::routine::canonical::Canonical;
use crate::routine::{Alpha, Diag, Operand, Posv, Potrf, PotrfSizes, Potri, Potrs, Side, Trans, Trsm, Trtri, Uplo};
use std::ops::Deref;
use std::ptr::null;

/// Declared in `kernels/potrf/args.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CholeskyArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldb: i64,
    batch: i64,
    n: i32,
    nrhs: i32,
    upper: i32,
    at: i32,
    tiles: i32,
    shifted: i32,
}

/// What a launch copies that shares a matrix's copy with another one (`kernels/potrf/inverse.cuh`).
const FINISH_BESIDE_DIAGONAL: i32 = 1;
const FINISH_DIAGONAL: i32 = 2;

/// The same for members with individual orders.
#[repr(C)]
struct CholeskyEachArgs {
    all: CholeskyArgs,
    order: Extent,
    leading: *const i32,
    over: i32,
    upto: i32,
}

/// Declared in `kernels/potrf/strip_inverse.cuh`.
#[repr(C)]
struct CholeskyInverseArgs {
    factor: CholeskyArgs,
    slots: i32,
    at_once: i32,
    inverses: DeviceOperand,
    triangle: i32,
    pad: i32,
}

/// What the kernels call a triangle that is no Cholesky factor.
fn form_of(p: &Trtri) -> i32 {
    if p.diag == Diag::Unit { 2 } else { 1 }
}

/// Inverts triangles by strips, whose diagonal blocks have been inverted. A triangle of one strip is inverted in place
/// (`to` is the triangle), and info set.
pub(crate) fn invert_by_strips(
    p: &Trtri,
    l: &Launch,
    inverses: Operand,
    to: (Operand, i64),
    queue: Queue<'_>,
) -> Result<(), Error> {
    let info = if is_whole(l) { p.info } else { std::ptr::null_mut() };
    let factor = CholeskyArgs::new(l, p.uplo, (p.a, p.lda), info, p.batch).sides(l, to)?;
    factor.invert_by_strips(l, Some(inverses), form_of(p), queue)
}

/// Copies inverses over triangles that are not singular, and sets info.
pub(crate) fn finish_triangles(p: &Trtri, l: &Launch, (b, ldb): (Operand, i64), queue: Queue<'_>) -> Result<(), Error> {
    let args = CholeskyArgs::new(l, p.uplo, (p.a, p.lda), p.info, p.batch);
    CholeskyArgs { b: b.into(), ldb, shifted: form_of(p), ..args }.launch(l, queue)
}

impl CholeskyArgs {
    /// For the part that a launch works on; the plan has refused larger orders.
    pub fn new(l: &Launch, uplo: Uplo, (a, lda): (Operand, i64), info: *mut i32, batch: i64) -> Self {
        let (b, n, upper, at) = (DeviceOperand::NONE, l.m as i32, (uplo == Uplo::Upper).into(), l.offset as i32);
        CholeskyArgs { a: a.into(), b, info, lda, ldb: 0, batch, n, nrhs: 0, upper, at, tiles: 1, shifted: 0 }
    }

    /// Adds right-hand sides, which the launch divides into tiles.
    fn sides(self, l: &Launch, (b, ldb): (Operand, i64)) -> Result<Self, Error> {
        let tiles = i32::try_from(ceil_div(l.n, i64::from(l.instance.columns)));
        let (Ok(nrhs), Ok(tiles)) = (i32::try_from(l.n), tiles) else {
            return Err(Error::NotSupported("2^31 or more right-hand sides on the device".into()));
        };
        Ok(CholeskyArgs { b: b.into(), ldb, nrhs, tiles, shifted: has_room_for_shifts(l, self.lda).into(), ..self })
    }

    /// Inverts by strips. The diagonal blocks' inverses are given, or each block of threads inverts them.
    fn invert_by_strips(
        self,
        l: &Launch,
        inverses: Option<Operand>,
        triangle: i32,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let layout = StripLayout::of_inverse(l.instance, l.n, 0, l.shared, inverses.is_some());
        let layout = layout.ok_or_else(|| Error::Internal("a launch without room".into()))?;
        let blocks = in_one_launch(self.batch.saturating_mul(self.tiles.into()))?;
        let (slots, at_once) = (layout.slots as i32, layout.at_once as i32);
        let inverses = inverses.map_or(DeviceOperand::NONE, Into::into);
        let mut args = CholeskyInverseArgs { factor: self, slots, at_once, inverses, triangle, pad: 0 };
        // SAFETY: the kernel takes CholeskyInverseArgs; the operands are the caller's, or in the caller's workspace or
        // scratch memory.
        unsafe { launch_kernel(l, blocks, &mut args, queue) }
    }

    /// The number of blocks: most kernels have several matrices per block. Kernels that work in global memory loop
    /// over the batch, so their grid has no limit.
    fn blocks(&self, l: &Launch) -> Result<i64, Error> {
        let jobs = self.batch.saturating_mul(self.tiles.into());
        if [POTRF_GENERIC, POTRF_GENERIC_EACH, POTRI_FINISH].into_iter().any(|family| l.instance.is_of(family)) {
            return Ok(jobs);
        }
        in_one_launch(ceil_div(jobs, i64::from(l.instance.per_block)))
    }

    /// Sets the number of tiles per matrix.
    pub fn in_tiles(&mut self, tiles: i32) {
        self.tiles = tiles;
    }

    /// Launches the kernel.
    pub fn launch(&mut self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let blocks = self.blocks(l)?;
        // SAFETY: the kernels take CholeskyArgs; the operands are the caller's, or in the caller's workspace.
        unsafe { launch_kernel(l, blocks, self, queue) }
    }
}

impl Launches for Potrf {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "large" {
            return large::walk(self, call.plan.limits, call.queue);
        }
        let Some(sizes) = &self.sizes else {
            return call.walk_tasks(|l, task| Factorisation(self).step(l, task, call.queue));
        };
        let &Potrf { dtype, n, a, info, batch, .. } = self;
        let operands = [(a, dtype.bytes()), (Operand::NULL, 0)];
        let members = Members { dtype, most: [n, n], sizes: [sizes.n, null(), sizes.lda], operands, info, batch };
        members.sorted(DEFAULT.sorted.potrf, call.queue, |members| {
            let &Members { sizes: [n, _, lda], operands: [(a, _), _], info, .. } = members;
            let p = Potrf { a, info, sizes: Some(PotrfSizes { n, lda }), ..*self };
            classes::walk(&call.of(&p), |l, task, queue| Factorisation(&p).step(l, task, queue))
        })
    }
}

/// The problem, from which its launches get their arguments.
struct Factorisation<'a>(&'a Potrf);

impl Deref for Factorisation<'_> {
    type Target = Potrf;
    fn deref(&self) -> &Potrf {
        self.0
    }
}

/// If members have individual orders ([`PotrfSizes`]), kernels get strides and offsets for a leading dimension of 0,
/// and the number of columns before a block.
impl Factorisation<'_> {
    fn step(&self, l: &Launch, task: Task, queue: Queue<'_>) -> Result<(), Error> {
        match task {
            Task::Factor => self.factor(l, queue),
            Task::Solve => self.solve(l, queue),
            Task::Update => self.update_next(l, queue),
            Task::Product => self.multiply(l, queue),
        }
    }

    fn lda(&self) -> i64 {
        if self.sizes.is_some() { 0 } else { self.lda }
    }

    fn factor(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let mut all = CholeskyArgs::new(l, self.uplo, (self.a, self.lda), self.info, self.batch);
        let Some(PotrfSizes { n, lda }) = self.sizes else { return all.launch(l, queue) };
        let blocks = all.blocks(l)?;
        // The plan has refused orders of 2^31 and more.
        let (over, upto) = (l.over as i32, l.upto.min(i32::MAX.into()) as i32);
        let mut args = CholeskyEachArgs { all, order: Extent::new(n, self.n), leading: lda, over, upto };
        // SAFETY: these kernels take CholeskyEachArgs; the operands are the caller's.
        unsafe { launch_kernel(l, blocks, &mut args, queue) }
    }

    /// L21 := A21 L11^-H, or U12 := U11^-H A12.
    fn solve(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let (&Potrf { dtype, uplo, a, sizes, batch, .. }, lda) = (self.0, self.lda());
        let (trans, diag, alpha) = (Trans::C, Diag::NonUnit, Alpha::host(1.0));
        let (side, m, n, b0) = match uplo {
            Uplo::Lower => (Side::Right, l.m, l.k, l.first + l.offset * lda),
            Uplo::Upper => (Side::Left, l.k, l.m, l.offset + l.first * lda),
        };
        let p = Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b: a, ldb: lda, sizes: None, batch };
        let canonical = Canonical::of(&p);
        let canonical = Canonical { a0: canonical.a0 + l.offset * (lda + 1), b0: canonical.b0 + b0, ..canonical };
        let tiles = ceil_div(l.m, i64::from(l.instance.columns));
        let blocks = ceil_div(batch.saturating_mul(tiles), i64::from(l.instance.per_block));
        let Some(sizes) = sizes else {
            let mut args = TrsmArgs::new(&p, &canonical, tiles);
            // SAFETY: the kernel takes TrsmArgs; the operands are the caller's.
            return unsafe { launch_kernel(l, blocks, &mut args, queue) };
        };
        let order = Extent::new(sizes.n, self.n);
        let mut args = TrsmEachArgs::new(&p, &canonical, tiles, [order; 2], [sizes.lda; 2]);
        // The plan has refused sizes of 2^31 and more.
        let (at, first) = (l.offset as i32, l.first as i32);
        args.at = [at, if uplo == Uplo::Upper { first } else { at }];
        args.before = [at, first];
        // SAFETY: this kernel takes TrsmEachArgs; the operands are the caller's.
        unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, queue) }
    }

    /// The rows of L from `first` on, in the columns from `at` on; for U, the adjoints of its columns.
    fn rows(&self, first: i64, at: i64) -> Rows {
        let lda = self.lda();
        match self.uplo {
            Uplo::Lower => Rows { first: first + at * lda, of_rows: 1, of_terms: lda, adjoint: false },
            Uplo::Upper => Rows { first: at + first * lda, of_rows: lda, of_terms: 1, adjoint: true },
        }
    }

    /// Launches a product of blocks of the matrices. `first` is the first row and column of C's block, and `columns`
    /// are the columns before the blocks of A, B and C.
    fn product(
        &self,
        l: &Launch,
        (mut args, blocks): (GemmArgs, i64),
        first: [i64; 2],
        columns: [i64; 3],
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let Some(PotrfSizes { n, lda }) = self.sizes else {
            // SAFETY: the kernel takes GemmArgs; the operands are the caller's.
            return unsafe { launch_kernel(l, blocks, &mut args, queue) };
        };
        // The plan has refused sizes of 2^31 and more.
        let (at, before) = (columns.map(|column| column as i32), first.map(|first| first as i32));
        let mut args = GemmEachArgs::on_squares(args, Extent::new(n, self.n), lda, at, before);
        // SAFETY: this kernel takes GemmEachArgs; the operands are the caller's.
        unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, queue) }
    }

    /// Updates the block's next columns: A23 := A23 - L21 L31^H, or for U its mirror image with U13^H U12. Rows 2 are
    /// below the block, rows 3 in it.
    fn update_next(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let (lda, end) = (self.lda(), l.offset + l.k);
        let (below, of_block) = (self.rows(l.first, l.offset), self.rows(end, l.offset));
        let ((rows, columns), (m, n), c0) = match self.uplo {
            Uplo::Lower => ((below, of_block), (l.m, l.n), l.first + end * lda),
            Uplo::Upper => ((of_block, below), (l.n, l.m), end + l.first * lda),
        };
        let (first, at) = match self.uplo {
            Uplo::Lower => ([l.first, end], [l.offset, l.offset, end]),
            Uplo::Upper => ([end, l.first], [end, l.first, l.first]),
        };
        let [minus_one, one] = [-1.0, 1.0].map(Alpha::host);
        let args = GemmArgs {
            a: self.a.into(),
            b: self.a.into(),
            a0: rows.first,
            ars: rows.of_rows,
            acs: rows.of_terms,
            conj_a: rows.adjoint.into(),
            b0: columns.first,
            brs: columns.of_terms,
            bcs: columns.of_rows,
            conj_b: (!columns.adjoint).into(),
            c0,
            // The plan has refused sizes of 2^31 and more.
            m: m as i32,
            n: n as i32,
            k: l.k as i32,
            ..GemmArgs::new(minus_one, one, (self.a, lda), Stored::Full, self.batch)
        };
        let blocks = gemm::blocks(&Launch::on(l.instance, m, n, 0), Stored::Full, self.batch);
        self.product(l, (args, blocks), first, at, queue)
    }

    /// A22 := A22 - L21 L21^H, or A22 - U12^H U12.
    fn multiply(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let (lda, end) = (self.lda(), l.offset + l.k);
        let factor = self.rows(end, l.offset);
        let scalars = [-1.0, 1.0].map(Alpha::host);
        let c = (self.a, lda, end * (lda + 1));
        let product = rows_product(l, self.uplo, (self.a, factor, l.k), c, scalars, self.batch);
        let of_rows = if self.uplo == Uplo::Upper { end } else { l.offset };
        self.product(l, product, [end; 2], [of_rows, of_rows, end], queue)
    }
}

/// The rows of F in F F^H, or their conjugates: the offset of the first element, and the strides between rows and
/// between terms.
struct Rows {
    first: i64,
    of_rows: i64,
    of_terms: i64,
    adjoint: bool,
}

/// C := alpha F F^H + beta C for the triangle `uplo` of C, of order `m`, which begins at element `c0` of its
/// members. Returns the kernel's arguments and the number of blocks.
fn rows_product(
    l: &Launch,
    uplo: Uplo,
    (from, rows, terms): (Operand, Rows, i64),
    (c, ldc, c0): (Operand, i64, i64),
    [alpha, beta]: [Alpha; 2],
    batch: i64,
) -> (GemmArgs, i64) {
    let stored = if uplo == Uplo::Upper { Stored::Upper } else { Stored::Lower };
    let Rows { first, of_rows, of_terms, adjoint } = rows;
    let args = GemmArgs {
        a: from.into(),
        b: from.into(),
        a0: first,
        ars: of_rows,
        acs: of_terms,
        conj_a: adjoint.into(),
        b0: first,
        brs: of_terms,
        bcs: of_rows,
        conj_b: (!adjoint).into(),
        c0,
        // The plan has refused sizes of 2^31 and more.
        m: l.m as i32,
        n: l.m as i32,
        k: terms as i32,
        real_diagonal: 1,
        ..GemmArgs::new(alpha, beta, (c, ldc), stored, batch)
    };
    (args, gemm::blocks(l, stored, batch))
}

impl Launches for Posv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Posv { uplo, a, lda, b, ldb, info, batch, .. } = self;
            CholeskyArgs::new(l, uplo, (a, lda), info, batch).sides(l, (b, ldb))?.launch(l, call.queue)
        })
    }
}

impl Launches for Potrs {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "large" {
            // SAFETY: the operands are the caller's.
            let solve = |blas: &Blas, triangle: &Trsm| unsafe { blas.trsm(triangle) };
            return blas::with_workspace(call.queue, |blas| {
                potrs::triangles(self).iter().try_for_each(|triangle| solve(blas, triangle))
            });
        }
        call.walk(|l| {
            if l.instance.is_of(TRSM_STRIPS) {
                return strips(&potrs::triangles(self), [0; 2], l, call.queue);
            }
            let &Potrs { uplo, a, lda, b, ldb, batch, .. } = self;
            if l.instance.is_of(SOLVE_SIDES) {
                let args = SolveArgs::new(l, (a, lda), Operand::NULL, (b, ldb), batch);
                return by_sides(args, Some(uplo), l, call.queue);
            }
            let args = CholeskyArgs::new(l, uplo, (a, lda), std::ptr::null_mut(), batch);
            args.sides(l, (b, ldb))?.launch(l, call.queue)
        })
    }
}

impl Launches for Potri {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk_tasks(|l, task| {
            let &Potri { uplo, n, a, lda, info, batch, .. } = self;
            if let (potri::Task::Identity, Some(PotrfSizes { lda, .. })) = (task, self.sizes) {
                let orders: *mut i32 = self.work.p.cast();
                let to = (own(self)?.0, orders.cast_const());
                let identity = Identity { a: (a, lda), to, orders, info, batch, leave: true };
                // SAFETY: the operands are the caller's, or in the caller's workspace.
                return unsafe { identity.launch(l, call.queue) };
            }
            let mut args = CholeskyArgs::new(l, uplo, (a, lda), info, batch);
            if task == potri::Task::Product {
                let (factors, inverses) = inverses(self)?;
                // L^-H L^-1, or U^-1 U^-H
                let rows = match uplo {
                    Uplo::Lower => Rows { first: 0, of_rows: n, of_terms: 1, adjoint: true },
                    Uplo::Upper => Rows { first: 0, of_rows: 1, of_terms: n, adjoint: false },
                };
                let scalars = [1.0, 0.0].map(Alpha::host);
                let (mut args, blocks) = rows_product(l, uplo, (factors, rows, n), (inverses, n, 0), scalars, batch);
                // SAFETY: the kernel takes GemmArgs; the operands are in the caller's workspace.
                return unsafe { launch_kernel(l, blocks, &mut args, call.queue) };
            }
            if l.instance.is_of(POTRI_GRID) {
                let mut args = CholeskyArgs::new(l, uplo, (a, lda), info, batch);
                args.in_tiles(side(l) as i32);
                let blocks = in_one_launch(ceil_div(batch, i64::from(l.per_block)))?;
                // SAFETY: the kernel takes CholeskyArgs; the operands are the caller's.
                return unsafe { launch_kernel(l, blocks, &mut args, call.queue) };
            }
            if task == potri::Task::InvertDiagonals {
                let (to, triangle) = (inverses_ahead(self)?, (uplo, Diag::NonUnit));
                return invert_diagonals(l, (a, lda), to, Some(triangle), batch, call.queue);
            }
            if task == potri::Task::InvertByStrips {
                let (to, info) =
                    if is_whole(l) { ((a, lda), info) } else { ((beside(self)?, n), std::ptr::null_mut()) };
                let given = call.plan.tasks().any(|(_, task)| task == potri::Task::InvertDiagonals);
                let inverses = if given { Some(inverses_ahead(self)?) } else { None };
                let factor = CholeskyArgs::new(l, uplo, (a, lda), info, batch).sides(l, to)?;
                return factor.invert_by_strips(l, inverses, 0, call.queue);
            }
            if task == potri::Task::Finish {
                if call.plan.candidate == "large" {
                    let (inversion, product) = (inversion(self)?, product(self)?);
                    // SAFETY: the operands are the caller's, or in the caller's workspace.
                    blas::with_workspace(call.queue, |blas| unsafe {
                        blas.trsm(&inversion).and_then(|()| blas.syrk(&product))
                    })?;
                }
                let from = if call.plan.candidate == "fused" { beside(self)? } else { inverses(self)?.1 };
                (args.b, args.ldb) = (from.into(), n);
                let shares = if n >= DEFAULT.potri.divided { blocks_per_matrix(batch, ceil_div(n, 8)) } else { 1 };
                if shares > 1 {
                    let mut beside = CholeskyArgs { tiles: shares as i32, nrhs: FINISH_BESIDE_DIAGONAL, ..args };
                    beside.launch(l, call.queue)?;
                    args.nrhs = FINISH_DIAGONAL;
                }
            }
            args.launch(l, call.queue)
        })
    }
}
