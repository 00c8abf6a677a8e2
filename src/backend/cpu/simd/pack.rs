//! Packs: as many matrix elements as a vector has lanes, real or complex. Kernels are written in terms of packs.

use super::{Isa, Lanes};
use crate::scalar::{C32, C64, Real, Scalar};

/// L matrix elements, as one vector (real) or two (complex: all real parts, then all imaginary parts).
pub trait Pack: Copy {
    /// The element type.
    type S: Scalar<Re = <Self::V as Lanes>::R>;
    /// The type of the vectors it consists of.
    type V: Lanes;
    /// Number of elements.
    const L: usize = <Self::V as Lanes>::L;
    /// Number of real numbers.
    const REALS: usize = Self::L * Self::S::PARTS;

    /// Makes a pack from its parts; real packs ignore the imaginary one.
    fn from_parts(re: Self::V, im: Self::V) -> Self;
    /// Real parts.
    fn re(self) -> Self::V;
    /// Imaginary parts.
    fn im(self) -> Self::V;
    /// self + a * b
    fn add_mul(self, a: Self, b: Self) -> Self;
    /// self - a * b
    fn sub_mul(self, a: Self, b: Self) -> Self;
    /// self + conj(a) * b
    fn add_conj_mul(self, a: Self, b: Self) -> Self;

    /// Whether members of a batch are interleaved, if `wished`. Never in packs of one element, for which this keeps the
    /// interleaved kernels from being compiled.
    #[inline(always)]
    fn interleaves(wished: bool) -> bool {
        Self::L > 1 && wished
    }
    /// All elements 0.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(Self::S::zero())
    }
    /// All elements x.
    #[inline(always)]
    fn splat(x: Self::S) -> Self {
        Self::from_parts(Self::V::splat(x.re()), Self::V::splat(x.im()))
    }
    /// Loads REALS numbers in pack order.
    #[inline(always)]
    unsafe fn load(p: *const <Self::S as Scalar>::Re) -> Self {
        unsafe {
            let re = Self::V::load(p);
            if Self::S::COMPLEX {
                Self::from_parts(re, Self::V::load(p.add(Self::L)))
            } else {
                Self::from_parts(re, re)
            }
        }
    }
    /// Stores REALS numbers in pack order.
    #[inline(always)]
    unsafe fn store(self, p: *mut <Self::S as Scalar>::Re) {
        unsafe {
            self.re().store(p);
            if Self::S::COMPLEX {
                self.im().store(p.add(Self::L));
            }
        }
    }
    /// Loads the first k elements at p, in callers' order (real and imaginary parts alternate), with zeros after them.
    #[inline(always)]
    unsafe fn load_elements(p: *const <Self::S as Scalar>::Re, k: usize) -> Self {
        unsafe {
            if Self::S::COMPLEX {
                let (low, high) = ((2 * k).min(Self::L), (2 * k).saturating_sub(Self::L));
                let low = Self::V::load_first(p, low);
                // Wrapping, because with few elements this may be past the end; nothing is loaded then.
                let (re, im) = Self::V::split(low, Self::V::load_first(p.wrapping_add(Self::L), high));
                Self::from_parts(re, im)
            } else {
                let x = Self::V::load_first(p, k);
                Self::from_parts(x, x)
            }
        }
    }
    /// Stores the first k elements at p, in callers' order. Nothing else is written.
    #[inline(always)]
    unsafe fn store_elements(self, p: *mut <Self::S as Scalar>::Re, k: usize) {
        unsafe {
            if Self::S::COMPLEX {
                let (low, high) = Self::V::join(self.re(), self.im());
                low.store_first(p, (2 * k).min(Self::L));
                high.store_first(p.wrapping_add(Self::L), (2 * k).saturating_sub(Self::L));
            } else {
                self.re().store_first(p, k);
            }
        }
    }
    /// self + o
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::from_parts(self.re().add(o.re()), self.im().add(o.im()))
    }
    /// self - o
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::from_parts(self.re().sub(o.re()), self.im().sub(o.im()))
    }
    /// acc + |self|^2
    #[inline(always)]
    fn add_squares(self, acc: Self::V) -> Self::V {
        let acc = acc.add_mul(self.re(), self.re());
        if Self::S::COMPLEX { acc.add_mul(self.im(), self.im()) } else { acc }
    }
    /// Sum of the elements.
    #[inline(always)]
    fn sum(self) -> Self::S {
        Self::S::new(self.re().sum(), if Self::S::COMPLEX { self.im().sum() } else { Default::default() })
    }
    /// Elements below k become 0.
    #[inline(always)]
    fn zero_below(self, k: usize) -> Self {
        Self::from_parts(self.re().zero_below(k), self.im().zero_below(k))
    }
    /// Element k becomes x.
    #[inline(always)]
    fn replace(self, k: usize, x: Self::S) -> Self {
        Self::from_parts(self.re().replace(k, x.re()), self.im().replace(k, x.im()))
    }
    /// Elements below k come from `low`.
    #[inline(always)]
    fn blend_low(self, k: usize, low: Self) -> Self {
        Self::from_parts(self.re().blend_low(k, low.re()), self.im().blend_low(k, low.im()))
    }
    /// Elements whose bit is set are kept; the others come from `other`.
    #[inline(always)]
    fn select(self, lanes: u32, other: Self) -> Self {
        Self::from_parts(self.re().select(lanes, other.re()), self.im().select(lanes, other.im()))
    }
    /// Elements selected by `mask` come from o, see [`Lanes::blend_by_mask`].
    #[inline(always)]
    fn blend_by_mask(self, o: Self, mask: Self::V) -> Self {
        Self::from_parts(self.re().blend_by_mask(o.re(), mask), self.im().blend_by_mask(o.im(), mask))
    }
    /// Broadcasts element k to all elements (k < L).
    #[inline(always)]
    fn broadcast_lane(self, k: usize) -> Self {
        Self::from_parts(self.re().broadcast_lane(k), self.im().broadcast_lane(k))
    }
    /// The complex conjugates.
    #[inline(always)]
    fn conj(self) -> Self {
        Self::from_parts(self.re(), Self::V::splat(Default::default()).sub(self.im()))
    }
    /// self * a
    #[inline(always)]
    fn mul(self, a: Self) -> Self {
        Self::zero().add_mul(self, a)
    }
}

/// A pack of real elements.
#[derive(Clone, Copy)]
pub struct RealPack<V>(V);

impl<V: Lanes> Pack for RealPack<V> {
    type S = V::R;
    type V = V;
    #[inline(always)]
    fn from_parts(re: V, _im: V) -> Self {
        RealPack(re)
    }
    #[inline(always)]
    fn re(self) -> V {
        self.0
    }
    #[inline(always)]
    fn im(self) -> V {
        self.0 // its value does not matter: from_parts ignores what is computed from it
    }
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        RealPack(self.0.add_mul(a.0, b.0))
    }
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        RealPack(self.0.sub_mul(a.0, b.0))
    }
    #[inline(always)]
    fn add_conj_mul(self, a: Self, b: Self) -> Self {
        RealPack(self.0.add_mul(a.0, b.0))
    }
    #[inline(always)]
    fn mul(self, a: Self) -> Self {
        RealPack(self.0.mul(a.0))
    }
}

/// A pack of complex elements.
#[derive(Clone, Copy)]
pub struct ComplexPack<V> {
    re: V,
    im: V,
}

impl<V: Lanes> Pack for ComplexPack<V> {
    type S = <V::R as Real>::Complex;
    type V = V;
    #[inline(always)]
    fn from_parts(re: V, im: V) -> Self {
        ComplexPack { re, im }
    }
    #[inline(always)]
    fn re(self) -> V {
        self.re
    }
    #[inline(always)]
    fn im(self) -> V {
        self.im
    }
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        ComplexPack {
            re: self.re.add_mul(a.re, b.re).sub_mul(a.im, b.im),
            im: self.im.add_mul(a.re, b.im).add_mul(a.im, b.re),
        }
    }
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        ComplexPack {
            re: self.re.sub_mul(a.re, b.re).add_mul(a.im, b.im),
            im: self.im.sub_mul(a.re, b.im).sub_mul(a.im, b.re),
        }
    }
    #[inline(always)]
    fn add_conj_mul(self, a: Self, b: Self) -> Self {
        ComplexPack {
            re: self.re.add_mul(a.re, b.re).add_mul(a.im, b.im),
            im: self.im.add_mul(a.re, b.im).sub_mul(a.im, b.re),
        }
    }
}

/// An element type together with its packs.
pub trait Packed: Scalar {
    /// The pack for an instruction set.
    type Pack<I: Isa>: Pack<S = Self>;
}

impl Packed for f32 {
    type Pack<I: Isa> = RealPack<I::F32>;
}
impl Packed for f64 {
    type Pack<I: Isa> = RealPack<I::F64>;
}
impl Packed for C32 {
    type Pack<I: Isa> = ComplexPack<I::F32>;
}
impl Packed for C64 {
    type Pack<I: Isa> = ComplexPack<I::F64>;
}
