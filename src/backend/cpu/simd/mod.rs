//! Vectors of real numbers, one type per instruction set and precision, and packs of matrix elements made of them.
//!
//! Kernels are written once over [`Pack`]. Each instruction set has one function that enables its instructions
//! (`#[target_feature]`), [`Lanes::call_out_of_line`], and everything below is `#[inline(always)]`, so the kernels are
//! compiled into its instances.

mod pack;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use pack::{Pack, Packed};

use crate::scalar::Real;
use std::mem::MaybeUninit;

/// Lanes of the widest vector there is.
pub const MAX_LANES: usize = 16;

/// A piece of work for [`Lanes::call_out_of_line`].
pub trait OutOfLine {
    /// Performs the work. Must be `#[inline(always)]`, so that it is compiled with the instructions of
    /// [`Lanes::call_out_of_line`].
    unsafe fn run(self);
}

/// A vector of `L` real numbers.
///
/// # Safety
/// Methods may be called only if the CPU has the type's instruction set.
pub unsafe trait Lanes: Copy + 'static {
    /// The type of a lane.
    type R: Real;
    /// Number of lanes.
    const L: usize;
    /// Whether there are enough registers for tiles of 4 x 4 vectors.
    const MANY_REGISTERS: bool;

    /// Performs the work in a separate function, compiled once and called, instead of inlined into every caller.
    unsafe fn call_out_of_line(work: impl OutOfLine);
    /// All lanes x.
    fn splat(x: Self::R) -> Self;
    /// Loads L numbers; p need only be aligned to one number.
    unsafe fn load(p: *const Self::R) -> Self;
    /// Stores L numbers; p need only be aligned to one number.
    unsafe fn store(self, p: *mut Self::R);
    /// Loads the first k numbers, with zeros in the other lanes (k <= L). Nothing else is read.
    unsafe fn load_first(p: *const Self::R, k: usize) -> Self;
    /// Stores the first k lanes (k <= L). Nothing else is written.
    unsafe fn store_first(self, p: *mut Self::R, k: usize);
    /// self + o
    fn add(self, o: Self) -> Self;
    /// self - o
    fn sub(self, o: Self) -> Self;
    /// self * o
    fn mul(self, o: Self) -> Self;
    /// self / o
    fn div(self, o: Self) -> Self;
    /// sqrt(self)
    fn sqrt(self) -> Self;
    /// |self| with the signs of `sign`
    fn copysign(self, sign: Self) -> Self;
    /// Bit i: low <= self and self <= high in lane i; false for NaN.
    fn within(self, low: Self, high: Self) -> u32;
    /// Bit i: self > o in lane i; false for NaN.
    fn above(self, o: Self) -> u32;
    /// self + a * b
    fn add_mul(self, a: Self, b: Self) -> Self;
    /// self - a * b
    fn sub_mul(self, a: Self, b: Self) -> Self;
    /// Sum of the lanes.
    fn sum(self) -> Self::R;
    /// Lanes below k become 0 (0 <= k <= L).
    fn zero_below(self, k: usize) -> Self;
    /// Lane k becomes x (k < L).
    fn replace(self, k: usize, x: Self::R) -> Self;
    /// Lanes below k come from `low`; the others are kept.
    fn blend_low(self, k: usize, low: Self) -> Self;
    /// Lanes whose bit is set are kept; the others come from `other`.
    fn select(self, lanes: u32, other: Self) -> Self;
    /// The mask for [`Lanes::blend_by_mask`] that selects the lanes below k (0 <= k <= L).
    fn mask_low(k: usize) -> Self;
    /// The mask for [`Lanes::blend_by_mask`] that selects lane k; no lane if k is L.
    fn mask_lane(k: usize) -> Self;
    /// Lanes selected by `mask` come from o; the others are kept. Unlike [`Lanes::blend_low`] and
    /// [`Lanes::select`], the compiler never turns this into a masked store, from which a later full load could not be
    /// forwarded.
    fn blend_by_mask(self, o: Self, mask: Self) -> Self;
    /// Bit i: self = o in lane i; false for NaN.
    fn same(self, o: Self) -> u32;
    /// The larger of the two in each lane; o's lane if either is a NaN.
    fn larger(self, o: Self) -> Self;
    /// The largest lane, broadcast to all lanes; for vectors without NaN.
    fn largest(self) -> Self;
    /// Broadcasts lane k to all lanes (k < L).
    fn broadcast_lane(self, k: usize) -> Self;
    /// Exchanges each even lane with the odd lane after it (unless L is 1).
    fn swapped(self) -> Self;
    /// Splits a sequence of 2 L numbers into its even and its odd members, that is, real and imaginary parts.
    fn split(low: Self, high: Self) -> (Self, Self);
    /// The inverse of [`Lanes::split`].
    fn join(even: Self, odd: Self) -> (Self, Self);
}

/// [`std::array::from_fn`], but always inlined.
#[inline(always)]
pub fn array_of<X: Copy, const N: usize>(f: impl Fn(usize) -> X) -> [X; N] {
    let mut all = [const { MaybeUninit::uninit() }; N];
    let mut i = 0;
    while i < N {
        all[i].write(f(i));
        i += 1;
    }
    // SAFETY: every element has been written, and `MaybeUninit` has the layout of its content.
    unsafe { all.as_ptr().cast::<[X; N]>().read() }
}

/// Prefetches the cache line at p for writing; p need not be a valid address.
#[inline(always)]
pub fn prefetch_for_write<T>(p: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has the instruction, and it never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_ET0>(p.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}

/// Prefetches the cache line at p into the second-level cache; p need not be a valid address.
#[inline(always)]
pub fn prefetch_l2<T>(p: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as above.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(p.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}

/// Code with the target's baseline instructions. Each instruction set has such a module, because rustc divides a crate
/// into codegen units by the modules of its functions: the kernels of the instruction sets are then compiled in parallel.
mod baseline {
    #[inline(never)]
    pub unsafe fn call(work: impl super::OutOfLine) {
        unsafe { work.run() }
    }
}

/// Plain arrays, which the compiler vectorises with the target's baseline instructions.
#[derive(Clone, Copy)]
pub struct Array<R, const N: usize>([R; N]);

macro_rules! each {
    ($f:expr) => {
        Array(array_of($f))
    };
}

unsafe impl<R: Real, const N: usize> Lanes for Array<R, N> {
    type R = R;
    const L: usize = N;
    const MANY_REGISTERS: bool = false;
    #[inline(always)]
    unsafe fn call_out_of_line(work: impl OutOfLine) {
        unsafe { baseline::call(work) }
    }
    #[inline(always)]
    fn splat(x: R) -> Self {
        Array([x; N])
    }
    #[inline(always)]
    unsafe fn load(p: *const R) -> Self {
        Array(unsafe { p.cast::<[R; N]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut R) {
        unsafe { p.cast::<[R; N]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const R, k: usize) -> Self {
        each!(|i| if i < k { unsafe { *p.add(i) } } else { R::zero() })
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut R, k: usize) {
        for i in 0..k {
            unsafe { *p.add(i) = self.0[i] };
        }
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        each!(|i| Real::copysign(self.0[i], sign.0[i]))
    }
    #[inline(always)]
    fn within(self, low: Self, high: Self) -> u32 {
        (0..N).fold(0, |bits, i| bits | ((low.0[i] <= self.0[i] && self.0[i] <= high.0[i]) as u32) << i)
    }
    #[inline(always)]
    fn above(self, o: Self) -> u32 {
        (0..N).fold(0, |bits, i| bits | ((self.0[i] > o.0[i]) as u32) << i)
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        each!(|i| self.0[i] + o.0[i])
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        each!(|i| self.0[i] - o.0[i])
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        each!(|i| self.0[i] * o.0[i])
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        each!(|i| self.0[i] / o.0[i])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        each!(|i| Real::sqrt(self.0[i]))
    }
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        // Fused only where every CPU of the architecture has FMA; elsewhere mul_add would be a library call.
        if cfg!(target_arch = "aarch64") {
            each!(|i| Real::mul_add(a.0[i], b.0[i], self.0[i]))
        } else {
            each!(|i| self.0[i] + a.0[i] * b.0[i])
        }
    }
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        if cfg!(target_arch = "aarch64") {
            each!(|i| Real::mul_add(-a.0[i], b.0[i], self.0[i]))
        } else {
            each!(|i| self.0[i] - a.0[i] * b.0[i])
        }
    }
    #[inline(always)]
    fn sum(self) -> R {
        let mut s = self.0[0];
        for i in 1..N {
            s += self.0[i];
        }
        s
    }
    #[inline(always)]
    fn zero_below(self, k: usize) -> Self {
        each!(|i| if i < k { R::zero() } else { self.0[i] })
    }
    #[inline(always)]
    fn replace(self, k: usize, x: R) -> Self {
        each!(|i| if i == k { x } else { self.0[i] })
    }
    #[inline(always)]
    fn blend_low(self, k: usize, low: Self) -> Self {
        each!(|i| if i < k { low.0[i] } else { self.0[i] })
    }
    #[inline(always)]
    fn select(self, lanes: u32, other: Self) -> Self {
        each!(|i| if lanes >> i & 1 == 1 { self.0[i] } else { other.0[i] })
    }
    #[inline(always)]
    fn mask_low(k: usize) -> Self {
        each!(|i| R::from_f64((i < k) as u32 as f64))
    }
    #[inline(always)]
    fn mask_lane(k: usize) -> Self {
        each!(|i| R::from_f64((i == k) as u32 as f64))
    }
    #[inline(always)]
    fn blend_by_mask(self, o: Self, mask: Self) -> Self {
        each!(|i| if mask.0[i] > R::zero() { o.0[i] } else { self.0[i] })
    }
    #[inline(always)]
    fn same(self, o: Self) -> u32 {
        (0..N).fold(0, |bits, i| bits | ((self.0[i] == o.0[i]) as u32) << i)
    }
    #[inline(always)]
    fn larger(self, o: Self) -> Self {
        each!(|i| if self.0[i] > o.0[i] { self.0[i] } else { o.0[i] })
    }
    #[inline(always)]
    fn largest(self) -> Self {
        let mut most = self.0[0];
        for i in 1..N {
            most = if self.0[i] > most { self.0[i] } else { most };
        }
        Array([most; N])
    }
    #[inline(always)]
    fn broadcast_lane(self, k: usize) -> Self {
        Array([self.0[k]; N])
    }
    #[inline(always)]
    fn swapped(self) -> Self {
        each!(|i| self.0[(i ^ 1) % N])
    }
    #[inline(always)]
    fn split(low: Self, high: Self) -> (Self, Self) {
        let at = |i: usize| if i < N { low.0[i] } else { high.0[i - N] };
        (each!(|i| at(2 * i)), each!(|i| at(2 * i + 1)))
    }
    #[inline(always)]
    fn join(even: Self, odd: Self) -> (Self, Self) {
        let at = |i: usize| if i & 1 == 0 { even.0[i / 2] } else { odd.0[i / 2] };
        (each!(at), each!(|i| at(N + i)))
    }
}

/// An instruction set, given by its vector types.
pub trait Isa: Copy + 'static {
    /// Single-precision vectors.
    type F32: Lanes<R = f32>;
    /// Double-precision vectors.
    type F64: Lanes<R = f64>;
}

macro_rules! isa {
    ($(#[$doc:meta])* $name:ident, $f32:ty, $f64:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name;
        impl Isa for $name {
            type F32 = $f32;
            type F64 = $f64;
        }
    };
}
#[cfg(target_arch = "x86_64")]
isa!(
    /// For CPUs without AVX2, which are more than ten years old. One lane, because that takes the least code.
    Baseline, Array<f32, 1>, Array<f64, 1>
);
#[cfg(not(target_arch = "x86_64"))]
isa!(
    /// The vectors every CPU of the architecture has (NEON on AArch64).
    Baseline, Array<f32, 4>, Array<f64, 2>
);
#[cfg(target_arch = "x86_64")]
isa!(
    /// AVX2 with FMA.
    Avx2, x86::F32x8, x86::F64x4
);
#[cfg(target_arch = "x86_64")]
isa!(
    /// AVX-512 F and DQ.
    Avx512, x86::F32x16, x86::F64x8
);

/// The instruction sets that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// [`Baseline`].
    Baseline,
    /// `Avx2`.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// `Avx512`.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The highest level this CPU supports.
    pub fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if avx2 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                return Level::Avx512;
            }
            if avx2 {
                return Level::Avx2;
            }
        }
        Level::Baseline
    }

    /// The level to use: the highest, or `TEPHRA_SIMD` (a [`Level::name`]) if this CPU supports that.
    pub fn in_use() -> Level {
        let best = Level::detect();
        let wish = crate::host::environment::value("TEPHRA_SIMD").unwrap_or_default();
        Level::ALL.into_iter().find(|l| l.name() == wish && *l <= best).unwrap_or(best)
    }

    /// All levels of this architecture, in ascending order.
    #[cfg(target_arch = "x86_64")]
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];
    /// All levels of this architecture, in ascending order.
    #[cfg(not(target_arch = "x86_64"))]
    pub const ALL: [Level; 1] = [Level::Baseline];

    /// Its name in `tephra explain`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }
}
