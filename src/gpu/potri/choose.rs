//! Plans for the inverse from a Cholesky factor.
//!
//! Candidates, in order: `resident` (in registers, one launch: squares of lanes, or a grid of them), `fused` (both
//! triangular solves with the identity in one launch, whose blocks hold strips of the inverse's columns in shared
//! memory; for larger orders in large batches a launch before it inverts the factor's diagonal blocks) and `parts`,
//! which accepts every order: W = L^-1 by a triangular solve with the identity, then W^H W, both in the workspace. A
//! last launch copies the inverse over the factor, unless that is singular; a strip that is the whole matrix is
//! written there directly. For few large matrices (`large`), cuBLAS does the solve and the product.

use crate::error::Error;
use crate::gpu::driver::blas::takes_solves;
use crate::gpu::getri::{are_many, in_grid};
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::each::{Each, begin_with_checks, checked, end_with_codes};
use crate::gpu::plan::strip::{StripLayout, blocks, inverted_diagonals, with_given_diagonals};
use crate::gpu::plan::table::{
    DIAGONAL_INVERSES, GEMM, IDENTITY_EACH, Instance, POTRI_FINISH, POTRI_GRID, POTRI_SMALL, POTRI_STRIPS,
};
use crate::gpu::plan::work::{Arrays, members};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div};
use crate::gpu::potrf::upper;
use crate::routine::{
    Alpha, Assign, Diag, Dtype, Operand, Part, PotrfSizes, Potri, Side, Source, Syrk, SyrkSizes, Trans, Trsm,
    TrsmSizes, Uplo,
};
use crate::scalar::C64;

/// Bits of `form`: members have individual orders; the batch has few, large matrices; strips get inverted diagonal
/// blocks. Another bit is the triangle.
const EACH: u32 = 2;
const LARGE: u32 = 4;
const AHEAD: u32 = 8;

/// What a launch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Inverts in registers.
    #[default]
    Invert,
    /// Inverts the blocks on the factor's diagonal, for the strips.
    InvertDiagonals,
    /// Solves with the factor and its adjoint for strips of the identity's columns.
    InvertByStrips,
    /// Writes the members' identities and info.
    Identity,
    /// Multiplies the factor's inverse by its adjoint.
    Product,
    /// Copies the inverse over the factor.
    Finish,
}

/// The shape has the order.
impl Planned for Potri {
    type Task = Task;

    fn shape(&self, limits: Limits) -> Shape {
        let [first, last] = limits.measured().potri.ahead;
        let given = are_many(self.batch, limits) && (first..=last).contains(&self.n);
        let ahead = if given { AHEAD } else { 0 };
        let form = match self.sizes {
            Some(_) => EACH,
            None if !batch_invariant() && takes_solves(self.n, self.batch, &[self.a]) => LARGE,
            None => ahead,
        };
        let form = upper(self.uplo) | form;
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Potri>, Error> {
        let Shape { dtype, n, .. } = shape;
        if n > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if shape.form & EACH != 0 {
            return each(dtype, n);
        }
        // A list of allowed plans that does not name it may be meant for other operations, or for the parts.
        let small = tightest(POTRI_SMALL.iter(), dtype, n, n).map(|small| Launch::on(small, n, n, 0));
        let grid = || {
            let quick = n <= limits.measured().potri.grid[dtype];
            let mut all = POTRI_GRID.iter().filter(|i| quick && i.dtype == dtype && i64::from(i.rows) >= n);
            all.next().map(|instance| in_grid(instance, n))
        };
        if let Some(launch) = small.or_else(grid).filter(|_| limits.native && allowed("resident")) {
            return Ok(Plan::new("resident", [launch]));
        }
        let large = shape.form & LARGE != 0 && allowed("large");
        let given = shape.form & AHEAD != 0;
        if let Some(launch) = strips(dtype, n, given, limits).filter(|_| !large && allowed("fused")) {
            let mut plan = Plan::new("fused", []);
            let whole = is_whole(&launch);
            if given {
                plan.launch_for(Task::InvertDiagonals, Launch::on(Instance::plain(DIAGONAL_INVERSES, dtype)?, n, n, 0));
            }
            plan.launch_for(Task::InvertByStrips, launch);
            plan.workspace = match (whole, given) {
                (_, true) => |p| Ok(strips_ahead(p)?.bytes),
                (false, false) => |p| Ok(strips_beside(p)?.bytes),
                (true, false) => plan.workspace,
            };
            if !whole {
                plan.launch_for(Task::Finish, Launch::on(Instance::plain(POTRI_FINISH, dtype)?, n, n, 0));
            }
            return Ok(plan);
        }
        let mut plan = Plan::new(if large { "large" } else { "parts" }, []);
        plan.workspace = |p| Ok(arrays(p)?.bytes);
        plan.sub(|p, to| to.assign(&identity(p)?));
        if large {
            // One launch less than in `parts`: here the product has no kernel of its own.
            plan.launch_for(Task::Finish, Launch::on(Instance::plain(POTRI_FINISH, dtype)?, n, n, 0));
            return Ok(plan);
        }
        plan.sub(|p, to| to.operation(&inversion(p)?));
        plan.launch_for(Task::Product, Launch::on(Instance::plain(GEMM, dtype)?, n, n, 0));
        plan.launch_for(Task::Finish, Launch::on(Instance::plain(POTRI_FINISH, dtype)?, n, n, 0));
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let order = l.n;
        match task {
            Task::Identity => format!("the identity of orders up to {order}, and info"),
            Task::Product => format!("triangle of the inverse of order {order}, from the factor's"),
            Task::Invert if l.instance.is_of(POTRI_GRID) => {
                let (side, tile) = (side(l), l.instance.tile);
                format!("order {order}, {side} x {side} lanes with {tile} x {tile} elements each")
            }
            Task::Invert => format!("order {order}"),
            Task::InvertDiagonals => format!("diagonal blocks of order {order}"),
            Task::InvertByStrips => format!("order {order}, strips of {} columns", l.instance.columns),
            Task::Finish => format!("the triangle of order {order} to its place, and info"),
        }
    }
}

/// Lanes per row of a matrix's grid.
pub(crate) fn side(l: &Launch) -> i64 {
    ceil_div(l.n, i64::from(l.instance.tile))
}

/// The widest strips of which a multiprocessor holds two blocks while some diagonal blocks are inverted at a time,
/// or else the widest that fit at all, with as many warps as possible. If the diagonal blocks are given:
/// [`with_given_diagonals`].
fn strips(dtype: Dtype, n: i64, given: bool, limits: Limits) -> Option<Launch> {
    if !limits.native {
        return None;
    }
    let layout = |i: &Instance, most: u32| StripLayout::of_inverse(i, n, 0, most, given);
    if given {
        return with_given_diagonals(POTRI_STRIPS, dtype, n, limits, layout);
    }
    let with = |most: u32, least: i64, threads: i64| {
        let fits = |i: &&Instance| layout(i, most).is_some_and(|h| h.at_once >= least.min(blocks(i, n)));
        let widest = |i: &&Instance| (-i64::from(i.columns), threads * i64::from(i.threads));
        let instance = POTRI_STRIPS.iter().filter(|i| i.dtype == dtype).filter(fits).min_by_key(widest)?;
        Some(Launch::on(instance, n, n, 0).with_shared(layout(instance, most)?.bytes))
    };
    let of = limits.measured();
    let least = if n <= of.potri.pairs[dtype] { 2 } else { of.getri.diagonals };
    with(limits.shared_by(2), least, 1).or_else(|| with(limits.shared_for_one_block(), 1, -1))
}

/// Whether one strip is the whole matrix.
pub(crate) fn is_whole(l: &Launch) -> bool {
    l.n <= i64::from(l.instance.columns)
}

/// The workspace of strips.
fn strips_beside(p: &Potri) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n)])
}

/// The same if a launch of its own inverts the factors' diagonal blocks, followed by these inverses.
fn strips_ahead(p: &Potri) -> Result<Arrays<1>, Error> {
    Arrays::after(strips_beside(p)?.bytes, p, [inverted_diagonals(p.n)])
}

/// Where that launch puts them.
pub(crate) fn inverses_ahead(p: &Potri) -> Result<Operand, Error> {
    Ok(strips_ahead(p)?.operand(0, p.work))
}

/// The inverses in that workspace, with a leading dimension of n.
pub(crate) fn beside(p: &Potri) -> Result<Operand, Error> {
    Ok(strips_beside(p)?.operand(0, p.work))
}

/// Like `parts`, except that the product writes directly over the factor. A singular factor is kept: its member's
/// order becomes -1, so that the later parts skip it.
fn each(dtype: Dtype, n: i64) -> Result<Plan<Potri>, Error> {
    let mut plan = begin_with_checks();
    plan.workspace = |p| own(p).map(|(_, bytes)| bytes);
    plan.launch_for(Task::Identity, Launch::on(Instance::plain(IDENTITY_EACH, dtype)?, n, n, 0));
    plan.sub(|p: &Potri, to| to.operation(&inversion_of_each(&checked(p))?));
    plan.sub(|p, to| to.operation(&product_of_each(&checked(p))?));
    end_with_codes(&mut plan);
    Ok(plan)
}

impl Each for Potri {
    fn with_first(&self, n: *const i32) -> Potri {
        Potri { sizes: self.sizes.map(|sizes| PotrfSizes { n, ..sizes }), ..*self }
    }
}

/// The inverses of the members' factors, which follow the checked orders in the workspace and have those as leading
/// dimensions; and the bytes of both.
pub(crate) fn own(p: &Potri) -> Result<(Operand, usize), Error> {
    let arrays = Arrays::after(members(p)?, p, [p.n.saturating_mul(p.n)])?;
    Ok((arrays.operand(0, p.work), arrays.bytes))
}

/// L W = I, or U W = I, for members with individual orders.
fn inversion_of_each(p: &Potri) -> Result<Trsm, Error> {
    let &Potri { dtype, uplo, n, a, lda, batch, .. } = p;
    let sizes = p.sizes.map(|PotrfSizes { n, lda }| TrsmSizes { m: n, n, lda, ldb: n });
    let (side, trans, diag, alpha, b) = (Side::Left, Trans::N, Diag::NonUnit, Alpha::host(1.0), own(p)?.0);
    Ok(Trsm { dtype, side, uplo, trans, diag, m: n, n, alpha, a, lda, b, ldb: n, sizes, batch })
}

/// A := W^H W, or W W^H, for members with individual orders.
fn product_of_each(p: &Potri) -> Result<Syrk, Error> {
    let &Potri { dtype, uplo, n, a: c, lda: ldc, batch, .. } = p;
    let sizes = p.sizes.map(|PotrfSizes { n, lda }| SyrkSizes { n, k: n, lda: n, ldb: n, ldc: lda });
    let [alpha, beta] = [1.0, 0.0].map(Alpha::host);
    let trans = match (uplo, dtype.is_complex()) {
        (Uplo::Upper, _) => Trans::N,
        (_, true) => Trans::C,
        (_, false) => Trans::T,
    };
    let (a, hermitian) = (own(p)?.0, true);
    Ok(Syrk { dtype, hermitian, uplo, trans, n, k: n, alpha, a, lda: n, beta, c, ldc, sizes, batch })
}

/// The workspace: the inverses of the factors, then those of the matrices.
fn arrays(p: &Potri) -> Result<Arrays<2>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n); 2])
}

/// The inverses of the factors and of the matrices, both with a leading dimension of n.
pub(crate) fn inverses(p: &Potri) -> Result<(Operand, Operand), Error> {
    let arrays = arrays(p)?;
    Ok((arrays.operand(0, p.work), arrays.operand(1, p.work)))
}

fn identity(p: &Potri) -> Result<Assign, Error> {
    let number = |re| C64 { re, im: 0.0 };
    let source = Source::Constants { off: number(0.0), on: number(1.0) };
    let to = inverses(p)?.0;
    Ok(Assign { dtype: p.dtype, part: Part::Full, m: p.n, n: p.n, source, to, ld: p.n, sizes: None, batch: p.batch })
}

/// W^H W, or W W^H, in the workspace after the inverses of the factors.
pub(crate) fn product(p: &Potri) -> Result<Syrk, Error> {
    let (a, c) = inverses(p)?;
    Ok(Syrk { a, c, ldc: p.n, sizes: None, ..product_of_each(&Potri { sizes: None, ..*p })? })
}

/// L W = I, or U W = I.
pub(crate) fn inversion(p: &Potri) -> Result<Trsm, Error> {
    let &Potri { dtype, uplo, n, a, lda, batch, .. } = p;
    let (side, trans, diag, alpha, b) = (Side::Left, Trans::N, Diag::NonUnit, Alpha::host(1.0), inverses(p)?.0);
    Ok(Trsm { dtype, side, uplo, trans, diag, m: n, n, alpha, a, lda, b, ldb: n, sizes: None, batch })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::{Math, Routine};

    /// Each candidate takes over where the previous one has no room. Registers and a single strip need no workspace.
    /// For orders of 129 to 256, in batches of 200 matrices or more, the diagonal blocks are inverted first.
    #[test]
    fn middle_orders_are_inverted_in_one_launch_two_or_three() {
        for (dtype, registers, strip) in [(Dtype::S, 128, 0), (Dtype::D, 40, 64), (Dtype::C, 64, 0), (Dtype::Z, 96, 0)]
        {
            for (n, batch) in (1..=512).flat_map(|n| [(n, 199), (n, 200)]) {
                let (math, extra) = (Math::Fp32, Default::default());
                let p = Potri::of_shape(&crate::routine::Shape { dtype, m: n, n, batch, math, extra });
                let plan = Potri::plan(p.shape(Limits::HOPPER), Limits::HOPPER).unwrap();
                let given = batch == 200 && (129..=256).contains(&n);
                let candidate = if n <= registers { "resident" } else { "fused" };
                let launches = if n <= registers.max(strip) { 1 } else { 2 + usize::from(given) };
                assert_eq!((plan.candidate, plan.launches().count()), (candidate, launches), "{dtype:?} {n}");
                let bytes = match launches {
                    1 => 0,
                    2 => strips_beside(&p).unwrap().bytes,
                    _ => strips_ahead(&p).unwrap().bytes,
                };
                assert_eq!((plan.workspace)(&p).unwrap(), bytes, "{dtype:?} {n}");
                assert_eq!(plan.launches().next().unwrap().instance.is_of(DIAGONAL_INVERSES), given, "{dtype:?} {n}");
                let launch = plan.launches().nth(usize::from(given)).unwrap();
                if launch.instance.is_of(POTRI_STRIPS) {
                    assert!(launch.shared + 512 <= Limits::HOPPER.shared_per_block);
                    let layout = StripLayout::of_inverse(launch.instance, n, 0, launch.shared, given);
                    assert_eq!(layout.unwrap().bytes, launch.shared);
                }
                if launch.instance.is_of(POTRI_GRID) {
                    let lanes = side(launch) * side(launch);
                    assert!(side(launch) * i64::from(launch.instance.tile) >= n);
                    assert!(lanes * i64::from(launch.per_block) <= launch.threads.into());
                }
            }
            let plan = |n, form| Potri::plan(Shape { dtype, m: n, n, k: 0, form }, Limits::HOPPER).unwrap();
            assert_eq!(plan(2000, 0).candidate, "parts");
            assert_eq!(plan(512, LARGE).candidate, "large");
        }
    }
}
