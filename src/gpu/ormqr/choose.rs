//! Plans for applying Q (`ormqr`) or a block reflector (`larfb`).
//!
//! Candidates: `thin` (few columns: all reflectors in one launch, one after another) and `blocked` (one launch of
//! the fused block reflector per panel). `blocked` also answers to the name `generic`, because it accepts every
//! shape. `parts`: all reflectors of few matrices act at once (at_once.rs). Few large members with individual sizes are
//! `padded` to one size.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::geqrf::each_choose as geqrf_each;
use crate::gpu::ormqr::at_once;
use crate::gpu::plan::padded;
use crate::gpu::plan::table::{Instance, LARFB, LARFB_COLUMNS, LARFB_GIVEN, THIN};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, ceil_div, panels_fit, restricted};
use crate::gpu::tall::update::RowDivisionOptions;
use crate::gpu::tall::{Task, update as tall_update};
use crate::routine::{Dtype, Larfb, Ormqr, Side, Trans};

/// The canonical form of applying op(Q), or op(H), from either side: Q D or Q^H D, where D is derived from C.
#[derive(Clone, Copy, Debug)]
pub struct Canonical {
    /// Order of Q.
    pub order: i64,
    /// Columns of D.
    pub columns: i64,
    /// Whether D is C^T.
    pub transposed: bool,
    /// Whether D is conjugated.
    pub conjugate: bool,
    /// Whether it is Q^H D rather than Q D.
    pub adjoint: bool,
}

impl Canonical {
    /// Left: op(Q) C, where Q^T C = conj(Q^H conj(C)). Right: C Q = (Q^H C^H)^H, C Q^H = (Q C^H)^H and
    /// C Q^T = (Q C^T)^T.
    pub fn of(dtype: Dtype, side: Side, trans: Trans, m: i64, n: i64) -> Canonical {
        let complex = dtype.is_complex();
        let transposed = trans != Trans::N;
        match side {
            Side::Left => Canonical {
                order: m,
                columns: n,
                transposed: false,
                conjugate: complex && trans == Trans::T,
                adjoint: transposed,
            },
            Side::Right => Canonical {
                order: n,
                columns: m,
                transposed: true,
                conjugate: complex && trans != Trans::T,
                adjoint: !transposed,
            },
        }
    }

    /// m is the order, n the number of columns of D; `form` has the bits [`ADJOINT`] and [`PLAIN`].
    fn shape(self, dtype: Dtype, k: i64) -> Shape {
        let plain = if self.transposed || self.conjugate { 0 } else { PLAIN };
        let adjoint = if self.adjoint { ADJOINT } else { 0 };
        Shape { dtype, m: self.order, n: self.columns, k, form: adjoint | plain }
    }
}

/// Bit of `form`: the first reflector is applied first, as in Q^H D.
const ADJOINT: u32 = 1;
/// Bit of `form`: D is C itself.
const PLAIN: u32 = 2;
/// Bit of `form`: rows should be divided, see [`tall_update::rows_should_be_divided`].
const DIVIDE_ROWS: u32 = 4;
/// Bit of `form`: members have individual sizes.
const EACH: u32 = 8;
/// Position of the number of such members in `form` ([`padded::few`]).
const NUMBER: u32 = 4;
/// Bit of `form`: the sums of divided rows take little memory ([`tall_update::sums_are_small`]).
const SMALL_SUMS: u32 = 64;
/// Bit of `form`: the same as [`DIVIDE_ROWS`] where Q is applied to few columns.
const SEVERAL: u32 = 128;
/// Bit of `form`: all reflectors act at once ([`at_once::pays`]).
const AT_ONCE: u32 = 256;

/// The shape has the sizes of [`Canonical`], and the number of reflectors.
impl Planned for Ormqr {
    type Task = Task;

    const UNIT: &'static str = "tiles";

    fn shape(&self, limits: Limits) -> Shape {
        let shape = Canonical::of(self.dtype, self.side, self.trans, self.m, self.n).shape(self.dtype, self.k);
        if self.sizes.is_some() {
            let number = padded::few(self.batch) << NUMBER;
            return Shape { form: shape.form & ADJOINT | EACH | number, ..shape };
        }
        let flag = |set: bool, flag| if set { flag } else { 0 };
        let small = tall_update::sums_are_small(self.dtype, [self.m, self.n], self.batch);
        let [few, several] = tall_update::rows_should_be_divided(self.batch, limits);
        let divided = flag(few, DIVIDE_ROWS) | flag(several, SEVERAL) | flag(small, SMALL_SUMS);
        Shape { form: shape.form | divided | flag(at_once::pays(self, limits), AT_ONCE), ..shape }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Ormqr>, Error> {
        let Shape { dtype, m: order, n: columns, k, form } = shape;
        if form & EACH != 0 {
            let padded =
                padded::plan(dtype, form >> NUMBER, [order, k.min(order)], [order, columns], DEFAULT.padded.ormqr);
            if let Some(plan) = padded.filter(|_| k > 0) {
                return Ok(plan);
            }
            panels_fit(k.min(order))?;
            let launches =
                geqrf_each::of_q(dtype, (order, columns, k.min(order)), limits).filter(|_| blocked_allowed());
            let mut launches = launches.ok_or_else(|| refused("ormqr", order, columns))?;
            if form & ADJOINT == 0 {
                launches.reverse();
            }
            return Ok(Plan::with_tasks("blocked", launches.into_iter().map(|l| (l, Task::Update))));
        }
        if form & AT_ONCE != 0 && allowed("parts") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("parts", []) });
        }
        let of = &limits.measured().ormqr;
        let few_reflectors = k <= of.few[dtype] && order <= of.few_rows;
        if (columns <= of.thin || few_reflectors)
            && allowed("thin")
            && let Some(t) = thin(dtype, order, columns)
        {
            return Ok(Plan::with_tasks("thin", [(Launch::with(t, order, columns, 0, k), Task::Update)]));
        }
        let divided = if form & PLAIN != 0 {
            let (few_matrices, small_sums) = (form & DIVIDE_ROWS != 0, form & SMALL_SUMS != 0);
            let several_matrices = form & SEVERAL != 0;
            Some(RowDivisionOptions { few_matrices, several_matrices, small_sums, in_place: false })
        } else {
            None
        };
        Ok(Plan::with_tasks("blocked", by_panels(shape, divided, limits)?))
    }
}

/// As for [`Ormqr`].
impl Planned for Larfb {
    type Task = ();

    const UNIT: &'static str = "tiles";

    fn shape(&self, _: Limits) -> Shape {
        Canonical::of(self.dtype, self.side, self.trans, self.m, self.n).shape(self.dtype, self.k)
    }

    /// A single launch, since the triangular factor is the caller's.
    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Larfb>, Error> {
        let mut launches: Vec<Launch> = by_panels(shape, None, limits)?.into_iter().map(|(l, _)| l).collect();
        if launches.len() > 1 {
            let Shape { dtype, m: order, n: columns, k, .. } = shape;
            let too_many = || {
                let what = format!("larfb: {k} reflectors at once are more than the device's shared memory holds");
                Error::NotSupported(what)
            };
            launches = vec![given(dtype, order, columns, k, limits).ok_or_else(too_many)?];
        }
        Ok(Plan::new("blocked", launches))
    }
}

/// Whether `blocked` may be used.
pub(crate) fn blocked_allowed() -> bool {
    allowed("blocked") || allowed("generic")
}

/// The error if no candidate is left.
pub(crate) fn refused(what: &str, m: i64, n: i64) -> Error {
    Error::NotSupported(format!("{what}: no allowed plan takes {m} x {n}"))
}

/// One launch of the fused block reflector per panel, in the order in which they are applied; `divided` as for
/// [`panels`].
fn by_panels(shape: Shape, divided: Option<RowDivisionOptions>, limits: Limits) -> Result<Vec<(Launch, Task)>, Error> {
    let Shape { dtype, m: order, n: columns, k, form } = shape;
    let panels = || panels(dtype, (order, columns, k), divided, limits, |u, _| i64::from(u.reflectors));
    let panels = if blocked_allowed() { panels() } else { None };
    let panels = panels.ok_or_else(|| refused("ormqr", order, columns))?;
    let launch = |(u, offset, nb, task)| (Launch::with(u, order - offset, columns, offset, nb), task);
    let mut launches: Vec<(Launch, Task)> = panels.into_iter().map(launch).collect();
    if form & ADJOINT == 0 {
        launches.reverse();
    }
    Ok(launches)
}

/// The instance for panels of `rows` rows, among those that the device runs: one that holds the rows if there is
/// one, then the widest, then the one with the least padding. Instances with clusters must hold the rows, since they
/// cannot process chunks.
pub(crate) fn blocking(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let runs = |u: &&Instance| {
        let cluster = u.cluster == 1 || limits.native && limits.holds_cluster(2) && i64::from(u.rows) >= rows;
        u.dtype == dtype && u.shared <= limits.shared_per_block && cluster
    };
    LARFB.iter().filter(runs).max_by_key(|u| {
        let (fits, size) = (i64::from(u.rows) >= rows, i64::from(u.rows));
        (fits, u.reflectors, if fits { -size } else { size })
    })
}

/// The panels of the k reflectors of a Q of this order on so many columns, in order: the instance, the offset, the
/// number of reflectors, and whether rows are divided. `divided` says which may have their rows divided among blocks;
/// `width` may narrow the others.
pub(crate) fn panels(
    dtype: Dtype,
    (order, columns, k): (i64, i64, i64),
    divided: Option<RowDivisionOptions>,
    limits: Limits,
    width: impl Fn(&Instance, i64) -> i64,
) -> Option<Vec<(&'static Instance, i64, i64, Task)>> {
    let mut panels = vec![];
    let mut offset = 0;
    while offset < k {
        let of_rows = |options: RowDivisionOptions| options.panel(dtype, (order - offset, columns), k - offset, limits);
        if let Some((dots, nb)) = divided.and_then(of_rows) {
            panels.push((dots, offset, nb, Task::DividedUpdate));
            offset += nb;
            continue;
        }
        let u = blocking(dtype, order - offset, limits)?;
        let nb = width(u, order - offset).min(k - offset);
        panels.push((u, offset, nb, Task::Update));
        offset += nb;
    }
    Some(panels)
}

fn thin(dtype: Dtype, rows: i64, columns: i64) -> Option<&'static Instance> {
    THIN.iter()
        .filter(|t| t.dtype == dtype && i64::from(t.rows) >= rows)
        .min_by_key(|t| (t.rows, ceil_div(columns, i64::from(t.columns)), t.columns))
}

/// All k reflectors in one launch, with the caller's triangular factor. (Only a factor known to be larft's could be
/// applied panel by panel.) The sums over all reflectors stay in shared memory, for a block's columns or, if those
/// are too many, for one column. `None` if not even that fits.
fn given(dtype: Dtype, order: i64, columns: i64, k: i64, limits: Limits) -> Option<Launch> {
    let shared = |u: &Instance| Some(u.shared_for(&[k])).filter(|bytes| *bytes <= limits.shared_per_block);
    let fitting = LARFB_GIVEN.iter().filter(|u| u.dtype == dtype).filter_map(|u| Some((u, shared(u)?)));
    // An instance that holds all rows if there is one, and of those the one with the least padding.
    let chosen = fitting.max_by_key(|(u, _)| {
        let (fits, rows) = (i64::from(u.rows) >= order, i64::from(u.rows));
        (fits, if fits { -rows } else { rows })
    });
    if let Some((u, shared)) = chosen {
        return Some(Launch::with(u, order, columns, 0, k).with_shared(shared));
    }
    let plain = Instance::plain(LARFB_COLUMNS, dtype).ok()?;
    Some(Launch::with(plain, order, columns, 0, k).with_shared(shared(plain)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::samples::{SHARED, shapes};
    use crate::gpu::plan::table::REFLECT_DOTS;

    /// The launches of larfb, whose T is given, or of ormqr.
    fn launches(shape: Shape, given: bool, limits: Limits) -> Result<Vec<Launch>, Error> {
        fn of<P: Planned>(shape: Shape, limits: Limits) -> Result<Vec<Launch>, Error> {
            Ok(P::plan(shape, limits)?.launches().cloned().collect())
        }
        if given { of::<Larfb>(shape, limits) } else { of::<Ormqr>(shape, limits) }
    }

    #[test]
    fn every_reflector_is_applied_once_and_in_order() {
        for (dtype, order, k, limits) in shapes().filter(|(_, order, k, _)| k <= order) {
            for (columns, ascending, given) in
                [(1, true, true), (7, false, false), (8, true, false), (100, false, true)]
            {
                let shape = Shape { dtype, m: order, n: columns, k, form: PLAIN | u32::from(ascending) };
                let launches = launches(shape, given, limits).unwrap();
                let mut seen = if ascending { 0 } else { k };
                for s in &launches {
                    assert!(s.shared <= limits.shared_per_block && s.m == order - s.offset && s.n == columns);
                    assert_eq!(if ascending { s.offset } else { s.offset + s.k }, seen, "{launches:?}");
                    seen = if ascending { s.offset + s.k } else { s.offset };
                    let (panel, divided) = (s.instance.is_of(LARFB), s.instance.is_of(REFLECT_DOTS));
                    assert!(!panel || s.k <= i64::from(s.instance.reflectors), "{launches:?}");
                    let least = limits.measured().divided.always_rows[dtype];
                    assert!(!divided || !given && s.m > least, "{launches:?}");
                    assert!(panel || divided || launches.len() == 1, "{launches:?}");
                    assert!(!given || s.k == k, "a caller's T is one block: {launches:?}");
                }
                assert_eq!(seen, if ascending { k } else { 0 });
            }
        }
    }

    #[test]
    fn a_callers_t_goes_by_tiles_while_they_have_room() {
        let table = |dtype, k, shared: u32| {
            let limits = Limits { shared_per_block: shared * 1024, ..Limits::HOPPER };
            let shape = Shape { dtype, m: 20_000, n: 64, k, form: 1 };
            let launches = launches(shape, true, limits).ok()?;
            Some((launches[0].instance.is_of(LARFB_GIVEN), launches[0].shared <= limits.shared_per_block))
        };
        for dtype in Dtype::ALL {
            for shared in SHARED {
                assert_eq!(table(dtype, 128, shared), Some((true, true)), "{dtype:?} {shared}");
                assert_eq!(table(dtype, 4000, shared), Some((false, true)), "{dtype:?} {shared}");
            }
        }
        assert_eq!(table(Dtype::Z, 20_000, 227), None, "320 KB for a column");
    }

    /// A few reflectors of a small matrix are applied in one launch, to any number of columns; the rows of a tall one
    /// are divided if there are at most several matrices.
    #[test]
    fn few_reflectors_are_one_launch_and_several_tall_matrices_are_divided() {
        let plan = |dtype, order, columns, k, form| {
            Ormqr::plan(Shape { dtype, m: order, n: columns, k, form: form | PLAIN | ADJOINT }, Limits::HOPPER).unwrap()
        };
        for (dtype, most) in [(Dtype::S, 16), (Dtype::D, 8), (Dtype::C, 12), (Dtype::Z, 4)] {
            for (order, k, columns, candidate) in [
                (100, most, 500, "thin"),
                (100, most + 1, 500, "blocked"),
                (128, 2, 9, "thin"),
                (129, 2, 9, "blocked"),
                (1000, 64, 8, "thin"),
            ] {
                assert_eq!(plan(dtype, order, columns, k, 0).candidate, candidate, "{dtype:?} {order} {k}");
            }
            let divided = |rows, form| {
                let plan = plan(dtype, rows, 32, 64, form);
                plan.launches().next().unwrap().instance.is_of(REFLECT_DOTS)
            };
            assert!(divided(1500, SEVERAL) && divided(1500, SEVERAL | DIVIDE_ROWS) && divided(2500, 0), "{dtype:?}");
            assert!(!divided(400, SEVERAL | DIVIDE_ROWS) && !divided(1500, SMALL_SUMS), "{dtype:?}");
        }
    }
}
