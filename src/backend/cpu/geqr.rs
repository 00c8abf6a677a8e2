//! Tree QR (TSQR) and applying its implicit Q. Each level of the tree is one task, whose members are the blocks of rows
//! of all matrices, so that threads share tall matrices and blocks stay in the cache. Other shapes go to geqrf and
//! ormqr.

use super::batch::{Members, write};
use super::blocked::{BlockLayout, Form};
use super::choice::{self, flops};
use super::over_batch::{Task, over_batch};
use super::packed::{Columns, Re, get, leading, set};
use super::reflectors::{Vectors, apply_q, at, factor, route, width};
use super::run::Run;
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::team::Team;
use super::view::{Transform, View};
use crate::error::Error;
use crate::routine::tree::{Panel, Panels, Tree};
use crate::routine::{Gemqr, Geqr};
use crate::scalar::Scalar;
use std::ops::Range;

/// The blocks of one level of a panel's tree.
struct Level<T> {
    panel: Panel,
    tree: Tree,
    level: usize,
    a: Members<T>,
    lda: usize,
    t: Members<T>,
}

/// One of these blocks.
struct Block<T: Scalar> {
    /// First row in the level's matrix.
    first: i64,
    rows: usize,
    v: View<T>,
    tau: View<T>,
}

impl<T: Scalar> Level<T> {
    fn blocks(&self) -> usize {
        self.tree.levels.shapes[self.level].1 as usize
    }
    #[inline(always)]
    fn n(&self) -> usize {
        self.tree.n as usize
    }
    /// Address of an element in member i of T.
    #[inline(always)]
    unsafe fn in_t(&self, i: usize, element: i64) -> *mut T::Re {
        unsafe { self.t.member(i).wrapping_add((self.panel.t + element) as usize * T::PARTS) }
    }
    #[inline(always)]
    unsafe fn block(&self, i: usize, j: usize) -> Block<T> {
        let (first, rows) = (self.tree.first(self.level, j as i64), self.tree.height(self.level, j as i64) as usize);
        let (at, ld, taus) = self.tree.offsets[self.level];
        unsafe {
            let own = self.panel.at as usize * (self.lda + 1) * T::PARTS;
            let (matrix, ld) = match self.level {
                0 => (self.a.member(i).wrapping_add(own), self.lda),
                _ => (self.in_t(i, at), ld as usize),
            };
            let v = View { p: matrix.wrapping_add(first as usize * T::PARTS), ld };
            Block { first, rows, v, tau: View { p: self.in_t(i, taus + j as i64 * self.tree.n), ld: 1 } }
        }
    }
}

/// Offsets of the parts of one block's workspace: columns, a block reflector, scalar factors.
struct Layout {
    ld: usize,
    block: BlockLayout,
    tau: usize,
    bytes: usize,
}

impl Layout {
    #[inline(always)]
    fn new<P: Pack>(rows: usize, columns: usize, n: usize) -> Option<Layout> {
        let ld = leading::<P>(rows)?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(columns)?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, width(rows))?;
        let tau = arena.part(n * P::S::PARTS)?;
        Some(Layout { ld, block, tau, bytes: arena.bytes()? })
    }
}

fn single_threaded_team() -> Team {
    Team { threads: 1, level: choice::level() }
}

/// Factors blocks and copies their R to the level above.
struct Factoring<T>(Level<T>);

impl<T: Packed> Task<T> for Factoring<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        Layout::new::<P>(self.0.tree.rows as usize, self.0.n(), self.0.n()).map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let (l, n) = (&self.0, self.0.n());
        let Some(layout) = Layout::new::<P>(l.tree.rows as usize, n, n) else { return };
        let base = buffer.cast::<Re<P>>();
        let above = l.level + 1;
        unsafe {
            let (block, a) =
                (layout.block.at::<P>(base, single_threaded_team()), Columns::<P> { p: base, ld: layout.ld });
            let tau = base.add(layout.tau).cast::<T>();
            for index in range {
                let (i, j) = (index / l.blocks(), index % l.blocks());
                let own = l.block(i, j);
                own.v.pack(Transform::default(), own.rows, n, a);
                factor(&block, a, own.rows, n, tau);
                own.v.unpack(Transform::default(), own.rows, n, a);
                for c in 0..n {
                    write::<T>(own.tau.p.wrapping_add(c * T::PARTS), *tau.add(c));
                }
                if above < l.tree.levels.count {
                    let (start, ld, _) = l.tree.offsets[above];
                    let r = View::<T> { p: l.in_t(i, start + (j * n) as i64), ld: ld as usize };
                    for c in 0..n {
                        for row in 0..n {
                            r.set(row, c, if row <= c { at(a, row, c) } else { T::zero() });
                        }
                    }
                }
            }
        }
    }
}

unsafe fn factor_tree<T: Packed>(p: &Geqr, panel: &Panel) -> Result<(), Error> {
    let tree = &panel.tree;
    let (a, t) = (Members::<T>::new(p.a), Members::new(p.t));
    let each = flops(p.dtype, tree.rows, tree.n);
    for level in 0..tree.levels.count {
        let task = Factoring(Level { panel: *panel, tree: *tree, level, a, lda: p.lda as usize, t });
        let total = tree.levels.shapes[level].1.saturating_mul(p.batch);
        unsafe { over_batch(&task, total as usize, choice::level(), choice::distribute(each, total, 1))? };
    }
    if let Some(rest) = p.trailing_update(panel) {
        unsafe { apply_tree::<T>(&rest, panel)? };
    }
    unsafe { p.copy_r(panel).run() }
}

impl Run for Geqr {
    unsafe fn run(&self) -> Result<(), Error> {
        let Some(panels) = self.panels() else { return unsafe { self.factorisation().run() } };
        panels.all().try_for_each(|panel| unsafe { for_dtype!(self.dtype, T => factor_tree::<T>(self, &panel)) })
    }
    fn explain(&self) -> Result<String, Error> {
        self.panels().map_or_else(|| Run::explain(&self.factorisation()), |panels| Ok(words("geqr", &panels)))
    }
}

fn words(name: &str, panels: &Panels) -> String {
    format!("backend: cpu ({}), {}: {name}", choice::level().name(), panels.describe())
}

/// Applies blocks to their rows of C, a group of columns at a time.
struct Applying<'a, T> {
    of: Level<T>,
    p: &'a Gemqr,
    c: Members<T>,
}

impl<T: Packed> Applying<'_, T> {
    /// Columns per group: together with the rows of a block they stay in the cache.
    const GROUP: usize = 128;

    /// Number of columns of C as it is packed.
    #[inline(always)]
    fn columns(&self) -> usize {
        let transposed = route(self.p.side, self.p.trans).0.transposed;
        if transposed { self.p.m as usize } else { self.p.n as usize }
    }
    #[inline(always)]
    fn groups(&self) -> usize {
        self.columns().div_ceil(Self::GROUP)
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        Layout::new::<P>(self.of.tree.rows as usize, self.columns().min(Self::GROUP), 0)
    }

    /// Copies rows for a level above the first, which are not contiguous in C, to the workspace or back.
    #[inline(always)]
    unsafe fn transfer<P: Pack<S = T>>(
        &self,
        caller: &View<T>,
        transform: Transform,
        block: &Block<T>,
        n: usize,
        c: Columns<P>,
        back: bool,
    ) {
        let conjugated = |x: T| if transform.conjugated { x.conj() } else { x };
        unsafe {
            for j in 0..n {
                let column = c.column(j);
                if !back {
                    P::zero().store(column.add((block.rows - 1) / P::L * P::REALS)); // clears what follows the last row
                }
            }
            for r in 0..block.rows {
                let row = (self.of.panel.at + self.of.tree.row(self.of.level, block.first + r as i64)) as usize;
                for j in 0..n {
                    let (x, y) = if transform.transposed { (j, row) } else { (row, j) };
                    if back {
                        caller.set(x, y, conjugated(get::<P>(c.column(j), r)));
                    } else {
                        set::<P>(c.column(j), r, conjugated(caller.get(x, y)));
                    }
                }
            }
        }
    }
}

impl<T: Packed> Task<T> for Applying<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let ((transform, form), base) = (route(self.p.side, self.p.trans), buffer.cast::<Re<P>>());
        let (blocks, groups, ldc) = (self.of.blocks(), self.groups(), self.p.ldc as usize);
        unsafe {
            let (reflector, c) =
                (layout.block.at::<P>(base, single_threaded_team()), Columns::<P> { p: base, ld: layout.ld });
            for index in range {
                let (i, j, group) = (index / groups / blocks, index / groups % blocks, index % groups);
                let own = self.of.block(i, j);
                let from = group * Self::GROUP;
                let n = Self::GROUP.min(self.columns() - from);
                let step = |row: usize, column: usize| {
                    if transform.transposed { column + row * ldc } else { row + column * ldc }
                };
                let place = |row| self.c.member(i).wrapping_add(step(row, from) * T::PARTS);
                let q = Vectors::Caller(&own.v);
                if self.of.level == 0 {
                    let view = View::<T> { p: place((self.of.panel.at + own.first) as usize), ld: ldc };
                    view.pack(transform, own.rows, n, c);
                    apply_q(&reflector, &q, &own.tau, self.of.n(), form, c, own.rows, n);
                    view.unpack(transform, own.rows, n, c);
                } else {
                    let view = View::<T> { p: place(0), ld: ldc };
                    self.transfer(&view, transform, &own, n, c, false);
                    apply_q(&reflector, &q, &own.tau, self.of.n(), form, c, own.rows, n);
                    self.transfer(&view, transform, &own, n, c, true);
                }
            }
        }
    }
}

/// Whether the tree is traversed upwards: Q^H starts with the first panel and the bottom level, Q with the last panel
/// and the top.
fn applies_bottom_up(p: &Gemqr) -> bool {
    route(p.side, p.trans).1 == Form::Adjoint
}

unsafe fn apply_tree<T: Packed>(p: &Gemqr, panel: &Panel) -> Result<(), Error> {
    let tree = &panel.tree;
    let (a, t) = (Members::<T>::new(p.a), Members::new(p.t));
    let count = tree.levels.count;
    for step in 0..count {
        let level = if applies_bottom_up(p) { step } else { count - 1 - step };
        let of = Level { panel: *panel, tree: *tree, level, a, lda: p.lda as usize, t };
        let task = Applying { of, p, c: Members::new(p.c) };
        let (groups, columns) = (task.groups() as i64, task.columns() as f64);
        let each = 4.0 * (tree.rows * tree.n) as f64 * columns / groups as f64;
        let total = tree.levels.shapes[level].1.saturating_mul(groups).saturating_mul(p.batch);
        unsafe { over_batch(&task, total as usize, choice::level(), choice::distribute(each, total, 1))? };
    }
    Ok(())
}

impl Run for Gemqr {
    unsafe fn run(&self) -> Result<(), Error> {
        let Some(panels) = self.panels() else { return unsafe { self.application().run() } };
        let mut apply = |panel| unsafe { for_dtype!(self.dtype, T => apply_tree::<T>(self, &panel)) };
        if applies_bottom_up(self) {
            panels.all().try_for_each(&mut apply)
        } else {
            panels.all().rev().try_for_each(&mut apply)
        }
    }
    fn explain(&self) -> Result<String, Error> {
        self.panels().map_or_else(|| Run::explain(&self.application()), |panels| Ok(words("gemqr", &panels)))
    }
}
