//! Batched least squares for matrices of any rank: QR with column pivoting, the rank by incremental condition
//! estimation, and a reduction of R's leading rows to a triangle from the right.

use super::batch::Members;
use super::blocked::{Block, BlockLayout, Form};
use super::choice::{self, Execution};
use super::gels::{largest, scaling_exponent, solve, times_power};
use super::geqp3::factor_pivoted;
use super::householder::divide_unvectorised;
use super::lu::Pivots;
use super::over_batch::{OverBatch, Task, run};
use super::packed::{Columns, Re, get, leading, set};
use super::reflectors::{Vectors, apply_q, at, width};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::team::Team;
use super::trapezoid::TrapezoidLayout;
use super::view::{Transform, View, view};
use crate::error::Error;
use crate::routine::Gelsy;
use crate::scalar::{Real, Scalar};
use std::ops::Range;

struct GelsyTask<'a, T> {
    p: &'a Gelsy,
    a: Members<T>,
    b: Members<T>,
    jpvt: Pivots,
    team: Team,
}

/// Offsets of the parts of one problem's workspace.
struct Layout {
    ld: usize,
    b: usize,
    ldb: usize,
    /// A packed vector as long as a column of A.
    v: usize,
    norms: usize,
    tau: usize,
    /// Two vectors for the estimates; later a column of B.
    vectors: usize,
    block: BlockLayout,
    trapezoid: TrapezoidLayout,
    bytes: usize,
}

impl<T: Packed> GelsyTask<'_, T> {
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (m, n, nrhs) = (self.p.m as usize, self.p.n as usize, self.p.nrhs as usize);
        let (ld, ldb) = (leading::<P>(m)?, leading::<P>(m.max(n))?);
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(n)?)?;
        let b = arena.part(ldb.checked_mul(nrhs)?)?;
        let v = arena.part(ld)?;
        let norms = arena.part(n.checked_mul(2)?)?;
        let tau = arena.part(n.checked_mul(T::PARTS)?)?;
        let vectors = arena.part(n.checked_mul(2 * T::PARTS)?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, width(m))?;
        let trapezoid = TrapezoidLayout::new::<P>(&mut arena, m, n)?;
        Some(Layout { ld, b, ldb, v, norms, tau, vectors, block, trapezoid, bytes: arena.bytes()? })
    }
}

/// The estimate of an extreme singular value after the triangle has grown by a row and a column, and its vector (s x,
/// c).
struct Estimate<T: Scalar> {
    value: T::Re,
    s: T::Re,
    c: T,
}

/// Extends the estimate |x^H R| = `value` by a column with real `diagonal`, where alpha = x^H w for the part w above
/// the diagonal element. Minimises or maximises the norm over combinations of the rows (value, |alpha|) and (0,
/// |diagonal|), which a rotation makes orthogonal. Source: Bischof, Incremental condition estimation (1990).
#[inline(always)]
fn extended<T: Scalar>(value: T::Re, alpha: T, diagonal: T::Re, greatest: bool) -> Estimate<T> {
    let (zero, one, two) = (T::Re::default(), T::Re::from_f64(1.0), T::Re::from_f64(2.0));
    let mut most = zero;
    for x in [value, alpha.re().abs(), alpha.im().abs(), diagonal.abs()] {
        most = if x > most || x.is_nan() { x } else { most };
    }
    if most == zero || !most.is_finite() {
        // A value that is not finite ends the search for the rank.
        return Estimate { value: most * zero, s: one, c: T::zero() };
    }
    let (ax, ay) = (divide_unvectorised(alpha.re(), most), divide_unvectorised(alpha.im(), most));
    let (f, h) = (divide_unvectorised(value, most), divide_unvectorised(diagonal.abs(), most));
    let square = ax * ax + ay * ay;
    let g = square.sqrt();
    let (aa, bb, p) = (f * f + square, h * h, g * h);
    let mut t = zero;
    if p > zero {
        let zeta = divide_unvectorised(bb - aa, two * p);
        if zeta.is_finite() {
            t = divide_unvectorised(one.copysign(zeta), zeta.abs() + (zeta * zeta + one).sqrt());
        }
    }
    // The rows cs a - sn b and sn a + cs b have the squared norms aa - t p and bb + t p.
    let cs = divide_unvectorised(one, (t * t + one).sqrt());
    let sn = t * cs;
    let first = aa - t * p >= bb + t * p;
    let great = if first { aa - t * p } else { bb + t * p }.sqrt();
    let (of_a, of_b) = if first == greatest { (cs, -sn) } else { (sn, cs) };
    // The component of the new row takes alpha's phase and the sign of the diagonal element.
    let phase = if g > zero { T::new(divide_unvectorised(ax, g), -divide_unvectorised(ay, g)) } else { T::one() };
    let value = most * if greatest { great } else { f * divide_unvectorised(h, great) };
    Estimate { value, s: of_a, c: phase.scaled(of_b * one.copysign(diagonal)) }
}

/// The rank of R's leading k x k triangle, whose diagonal does not increase in magnitude; `vectors` is workspace of 2 k
/// elements.
#[inline(always)]
unsafe fn rank_of<P: Pack>(a: Columns<P>, k: usize, vectors: *mut P::S, rcond: Re<P>) -> usize {
    unsafe {
        let (least, most) = (vectors, vectors.add(k));
        let mut small = at(a, 0, 0).re().abs();
        let mut great = small;
        if small == Re::<P>::default() {
            return 0;
        }
        least.write(P::S::one());
        most.write(P::S::one());
        for i in 1..k {
            let (mut of_least, mut of_most) = (P::S::zero(), P::S::zero());
            for r in 0..i {
                let w = at(a, r, i);
                of_least += (*least.add(r)).conj() * w;
                of_most += (*most.add(r)).conj() * w;
            }
            let diagonal = at(a, i, i).re();
            let s = extended(small, of_least, diagonal, false);
            let g = extended(great, of_most, diagonal, true);
            let counts = g.value * rcond <= s.value && s.value > Re::<P>::default();
            if !counts {
                return i;
            }
            for r in 0..i {
                *least.add(r) = (*least.add(r)).scaled(s.s);
                *most.add(r) = (*most.add(r)).scaled(g.s);
            }
            *least.add(i) = s.c;
            *most.add(i) = g.c;
            (small, great) = (s.value, g.value);
        }
        k
    }
}

impl<T: Packed> GelsyTask<'_, T> {
    /// Solves member i, whose A has been packed. Returns its rank.
    #[inline(always)]
    unsafe fn member<P: Pack<S = T>>(&self, i: usize, base: *mut Re<P>, layout: &Layout, block: &Block<P>) -> usize {
        let (m, n, nrhs) = (self.p.m as usize, self.p.n as usize, self.p.nrhs as usize);
        unsafe {
            let a = Columns::<P> { p: base, ld: layout.ld };
            let b = Columns::<P> { p: base.add(layout.b), ld: layout.ldb };
            let (v, tau) = (base.add(layout.v), base.add(layout.tau));
            let (vectors, jpvt) = (base.add(layout.vectors).cast::<T>(), self.jpvt.member(i));
            let of_a = scaling_exponent(largest(a, m, n, false));
            for j in 0..if of_a == 0 { 0 } else { n } {
                times_power::<P>(a.column(j), 0..m, of_a);
            }
            factor_pivoted(a, (m, n), jpvt, v, base.add(layout.norms), tau.cast());
            let rank = rank_of(a, m.min(n), vectors, Re::<P>::from_f64(self.p.effective_rcond()));
            if nrhs == 0 {
                return rank;
            }
            let rhs = view(&self.b, i, self.p.ldb);
            rhs.pack(Transform::default(), m, nrhs, b);
            let of_b = scaling_exponent(largest(b, m, nrhs, false));
            for j in 0..if of_b == 0 { 0 } else { nrhs } {
                times_power::<P>(b.column(j), 0..m, of_b);
            }
            if rank > 0 {
                let tau = View::<T> { p: tau, ld: 1 };
                apply_q(block, &Vectors::Packed(a), &tau, rank, Form::Adjoint, b, m, nrhs);
            }
            let trapezoid = layout.trapezoid.reduce(base, a, n, rank);
            for j in 0..nrhs {
                solve(a, rank, b.column(j));
                (rank..n).for_each(|r| set::<P>(b.column(j), r, T::zero()));
            }
            trapezoid.apply(b, nrhs);
            for j in 0..nrhs {
                let y = b.column(j);
                (0..n).for_each(|r| *vectors.add(r) = get::<P>(y, r));
                (0..n).for_each(|r| set::<P>(y, *jpvt.add(r) as usize - 1, *vectors.add(r)));
                if (of_a, of_b) != (0, 0) {
                    times_power::<P>(y, 0..n, of_a - of_b);
                    times_power::<P>(y, n..m.max(n), -of_b);
                }
            }
            rhs.unpack(Transform::default(), m.max(n), nrhs, b);
            rank
        }
    }
}

impl<T: Packed> Task<T> for GelsyTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let base = buffer.cast::<Re<P>>();
        unsafe {
            let block = layout.block.at::<P>(base, self.team);
            let a = Columns::<P> { p: base, ld: layout.ld };
            for i in range {
                let member = view(&self.a, i, self.p.lda);
                member.pack(Transform::default(), self.p.m as usize, self.p.n as usize, a);
                let rank = self.member(i, base, &layout, &block);
                member.unpack(Transform::default(), self.p.m as usize, self.p.n as usize, a);
                if !self.p.rank.is_null() {
                    self.p.rank.add(i).write(rank as i32);
                }
            }
        }
    }
}

impl OverBatch for Gelsy {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let (m, n) = (self.m as f64, self.n as f64);
        choice::flops(self.dtype, self.m, self.n) + 4.0 * m.max(n) * m.min(n) * self.nrhs as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (a, b, jpvt) = (Members::new(self.a), Members::new(self.b), Pivots::new(self.jpvt));
        let task = GelsyTask::<T> { p: self, a, b, jpvt, team: execution.distribution.team(execution.level) };
        unsafe { run(&task, self.batch, execution) }
    }
}
