//! Vectors of real numbers, one type per instruction set and precision, and packs of matrix elements made of them.
//!
//! Kernels are written once over [`Pack`]. Each instruction set has one entry point that enables its instructions
//! (`#[target_feature]`), and everything below is `#[inline(always)]`, so the kernels are compiled into it.

use crate::scalar::{C32, C64, Real, Scalar};

/// A vector of `L` real numbers.
///
/// # Safety
/// Methods may only run where the instruction set of the type is there.
pub unsafe trait Lanes: Copy + 'static {
    /// What the lanes hold.
    type R: Real;
    /// Number of lanes.
    const L: usize;
    /// Enough registers for tiles of 4 x 4 vectors.
    const MANY_REGISTERS: bool;

    /// All lanes x.
    fn splat(x: Self::R) -> Self;
    /// L numbers, element-aligned.
    unsafe fn load(p: *const Self::R) -> Self;
    /// L numbers, element-aligned.
    unsafe fn store(self, p: *mut Self::R);
    /// The first k numbers, zeros in the other lanes (k <= L).
    unsafe fn load_first(p: *const Self::R, k: usize) -> Self;
    /// The first k lanes (k <= L).
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
    /// |self| with the signs of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// Bit i: low <= self and self <= high in lane i; false for NaN.
    fn within(self, low: Self, high: Self) -> u32;
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
    /// Lanes below k come from `low`, the others stay.
    fn below_from(self, k: usize, low: Self) -> Self;
    /// The even and the odd members of a sequence of 2 L numbers: real and imaginary parts.
    fn split(low: Self, high: Self) -> (Self, Self);
    /// The inverse of [`Lanes::split`].
    fn join(even: Self, odd: Self) -> (Self, Self);
}

/// Plain arrays: what the compiler makes of them with the target's baseline instructions.
#[derive(Clone, Copy)]
pub struct Array<R, const N: usize>([R; N]);

macro_rules! each {
    ($f:expr) => {
        Array(std::array::from_fn($f))
    };
}

unsafe impl<R: Real, const N: usize> Lanes for Array<R, N> {
    type R = R;
    const L: usize = N;
    const MANY_REGISTERS: bool = false;
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
        // Fused where every CPU of the architecture can; elsewhere mul_add would be a library call.
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
    fn below_from(self, k: usize, low: Self) -> Self {
        each!(|i| if i < k { low.0[i] } else { self.0[i] })
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::*;

    /// Comparison masks for AVX2: a load that starts k lanes before the middle has its first k lanes set.
    #[repr(align(64))]
    struct Steps<T, const N: usize>([T; N]);
    static STEPS32: Steps<i32, 16> = Steps([-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0]);
    static STEPS64: Steps<i64, 8> = Steps([-1, -1, -1, -1, 0, 0, 0, 0]);

    // SAFETY of all blocks below: the trait's contract says that the instruction set is there.
    macro_rules! lanes {
        (
            $(#[$doc:meta])* $name:ident, $r:ident, $v:ident, $l:literal, $many:literal,
            $splat:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident
            $fmadd:ident $fnmadd:ident,
            load_first($lp:ident, $lk:ident) $load_first:expr, store_first($sv:ident, $sp:ident, $sk:ident) $store_first:expr,
            copysign($ca:ident, $cs:ident) $copysign:expr, within($wx:ident, $wl:ident, $wh:ident) $within:expr,
            sum($s:ident) $sum:expr, below($k:ident, $a:ident, $low:ident) $below:expr,
            split($x:ident, $y:ident) $split:expr, join($e:ident, $o:ident) $join:expr
        ) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name($v);

            unsafe impl Lanes for $name {
                type R = $r;
                const L: usize = $l;
                const MANY_REGISTERS: bool = $many;
                #[inline(always)]
                fn splat(x: $r) -> Self {
                    $name(unsafe { $splat(x) })
                }
                #[inline(always)]
                unsafe fn load(p: *const $r) -> Self {
                    $name(unsafe { $load(p) })
                }
                #[inline(always)]
                unsafe fn store(self, p: *mut $r) {
                    unsafe { $store(p, self.0) }
                }
                #[inline(always)]
                unsafe fn load_first($lp: *const $r, $lk: usize) -> Self {
                    $name(unsafe { $load_first })
                }
                #[inline(always)]
                unsafe fn store_first(self, $sp: *mut $r, $sk: usize) {
                    let $sv = self.0;
                    unsafe { $store_first }
                }
                #[inline(always)]
                fn copysign(self, sign: Self) -> Self {
                    let ($ca, $cs) = (self.0, sign.0);
                    $name(unsafe { $copysign })
                }
                #[inline(always)]
                fn within(self, low: Self, high: Self) -> u32 {
                    let ($wx, $wl, $wh) = (self.0, low.0, high.0);
                    unsafe { $within as u32 }
                }
                #[inline(always)]
                fn add(self, o: Self) -> Self {
                    $name(unsafe { $add(self.0, o.0) })
                }
                #[inline(always)]
                fn sub(self, o: Self) -> Self {
                    $name(unsafe { $sub(self.0, o.0) })
                }
                #[inline(always)]
                fn mul(self, o: Self) -> Self {
                    $name(unsafe { $mul(self.0, o.0) })
                }
                #[inline(always)]
                fn div(self, o: Self) -> Self {
                    $name(unsafe { $div(self.0, o.0) })
                }
                #[inline(always)]
                fn sqrt(self) -> Self {
                    $name(unsafe { $sqrt(self.0) })
                }
                #[inline(always)]
                fn add_mul(self, a: Self, b: Self) -> Self {
                    $name(unsafe { $fmadd(a.0, b.0, self.0) })
                }
                #[inline(always)]
                fn sub_mul(self, a: Self, b: Self) -> Self {
                    $name(unsafe { $fnmadd(a.0, b.0, self.0) })
                }
                #[inline(always)]
                fn sum(self) -> $r {
                    let $s = self.0;
                    unsafe { $sum }
                }
                #[inline(always)]
                fn zero_below(self, k: usize) -> Self {
                    self.below_from(k, Self::splat(0.0))
                }
                #[inline(always)]
                fn replace(self, k: usize, x: $r) -> Self {
                    self.below_from(k + 1, Self::splat(x)).below_from(k, self)
                }
                #[inline(always)]
                fn below_from(self, k: usize, low: Self) -> Self {
                    let ($k, $a, $low) = (k, self.0, low.0);
                    $name(unsafe { $below })
                }
                #[inline(always)]
                fn split(low: Self, high: Self) -> (Self, Self) {
                    let ($x, $y) = (low.0, high.0);
                    let (even, odd) = unsafe { $split };
                    ($name(even), $name(odd))
                }
                #[inline(always)]
                fn join(even: Self, odd: Self) -> (Self, Self) {
                    let ($e, $o) = (even.0, odd.0);
                    let (low, high) = unsafe { $join };
                    ($name(low), $name(high))
                }
            }
        };
    }

    /// Sum of a 256-bit vector, in the order of the halves.
    #[inline(always)]
    unsafe fn sum_pd(v: __m256d) -> f64 {
        unsafe {
            let h = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
            _mm_cvtsd_f64(_mm_add_sd(h, _mm_unpackhi_pd(h, h)))
        }
    }
    /// The same for single precision.
    #[inline(always)]
    unsafe fn sum_ps(v: __m256) -> f32 {
        unsafe {
            let h = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let h = _mm_add_ps(h, _mm_movehl_ps(h, h));
            _mm_cvtss_f32(_mm_add_ss(h, _mm_movehdup_ps(h)))
        }
    }

    lanes!(
        /// AVX2, double.
        F64x4, f64, __m256d, 4, false,
        _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
        _mm256_sqrt_pd _mm256_fmadd_pd _mm256_fnmadd_pd,
        load_first(p, k) _mm256_maskload_pd(p, _mm256_loadu_si256(STEPS64.0.as_ptr().add(4 - k).cast())),
        store_first(v, p, k) _mm256_maskstore_pd(p, _mm256_loadu_si256(STEPS64.0.as_ptr().add(4 - k).cast()), v),
        copysign(a, s) {
            let sign = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_andnot_pd(sign, a), _mm256_and_pd(sign, s))
        },
        within(x, low, high) _mm256_movemask_pd(_mm256_and_pd(
            _mm256_cmp_pd::<_CMP_GE_OQ>(x, low),
            _mm256_cmp_pd::<_CMP_LE_OQ>(x, high),
        )),
        sum(v) sum_pd(v),
        below(k, a, low) {
            let mask = _mm256_loadu_pd(STEPS64.0.as_ptr().add(4 - k).cast());
            _mm256_blendv_pd(a, low, mask)
        },
        split(x, y) {
            // Within each half first, then the middle quarters change places.
            let (e, o) = (_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
            (_mm256_permute4x64_pd::<0b11_01_10_00>(e), _mm256_permute4x64_pd::<0b11_01_10_00>(o))
        },
        join(e, o) {
            let (l, h) = (_mm256_unpacklo_pd(e, o), _mm256_unpackhi_pd(e, o));
            (_mm256_permute2f128_pd::<0x20>(l, h), _mm256_permute2f128_pd::<0x31>(l, h))
        }
    );
    lanes!(
        /// AVX2, single.
        F32x8, f32, __m256, 8, false,
        _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps
        _mm256_sqrt_ps _mm256_fmadd_ps _mm256_fnmadd_ps,
        load_first(p, k) _mm256_maskload_ps(p, _mm256_loadu_si256(STEPS32.0.as_ptr().add(8 - k).cast())),
        store_first(v, p, k) _mm256_maskstore_ps(p, _mm256_loadu_si256(STEPS32.0.as_ptr().add(8 - k).cast()), v),
        copysign(a, s) {
            let sign = _mm256_set1_ps(-0.0);
            _mm256_or_ps(_mm256_andnot_ps(sign, a), _mm256_and_ps(sign, s))
        },
        within(x, low, high) _mm256_movemask_ps(_mm256_and_ps(
            _mm256_cmp_ps::<_CMP_GE_OQ>(x, low),
            _mm256_cmp_ps::<_CMP_LE_OQ>(x, high),
        )),
        sum(v) sum_ps(v),
        below(k, a, low) {
            let mask = _mm256_loadu_ps(STEPS32.0.as_ptr().add(8 - k).cast());
            _mm256_blendv_ps(a, low, mask)
        },
        split(x, y) {
            let e = _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(x, y));
            let o = _mm256_castps_pd(_mm256_shuffle_ps::<0b11_01_11_01>(x, y));
            (
                _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(e)),
                _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(o)),
            )
        },
        join(e, o) {
            let (l, h) = (_mm256_unpacklo_ps(e, o), _mm256_unpackhi_ps(e, o));
            (_mm256_permute2f128_ps::<0x20>(l, h), _mm256_permute2f128_ps::<0x31>(l, h))
        }
    );
    lanes!(
        /// AVX-512, double.
        F64x8, f64, __m512d, 8, true,
        _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd
        _mm512_sqrt_pd _mm512_fmadd_pd _mm512_fnmadd_pd,
        load_first(p, k) _mm512_maskz_loadu_pd(((1u32 << k) - 1) as u8, p),
        store_first(v, p, k) _mm512_mask_storeu_pd(p, ((1u32 << k) - 1) as u8, v),
        copysign(a, s) {
            let sign = _mm512_set1_pd(-0.0);
            _mm512_or_pd(_mm512_andnot_pd(sign, a), _mm512_and_pd(sign, s))
        },
        within(x, low, high)
            _mm512_cmp_pd_mask::<_CMP_GE_OQ>(x, low) & _mm512_cmp_pd_mask::<_CMP_LE_OQ>(x, high),
        sum(v) sum_pd(_mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v))),
        below(k, a, low) _mm512_mask_mov_pd(a, ((1u32 << k) - 1) as u8, low),
        split(x, y) (
            _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), y),
            _mm512_permutex2var_pd(x, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), y),
        ),
        join(e, o) (
            _mm512_permutex2var_pd(e, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), o),
            _mm512_permutex2var_pd(e, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), o),
        )
    );
    lanes!(
        /// AVX-512, single.
        F32x16, f32, __m512, 16, true,
        _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps
        _mm512_sqrt_ps _mm512_fmadd_ps _mm512_fnmadd_ps,
        load_first(p, k) _mm512_maskz_loadu_ps(((1u32 << k) - 1) as u16, p),
        store_first(v, p, k) _mm512_mask_storeu_ps(p, ((1u32 << k) - 1) as u16, v),
        copysign(a, s) {
            let sign = _mm512_set1_ps(-0.0);
            _mm512_or_ps(_mm512_andnot_ps(sign, a), _mm512_and_ps(sign, s))
        },
        within(x, low, high)
            _mm512_cmp_ps_mask::<_CMP_GE_OQ>(x, low) & _mm512_cmp_ps_mask::<_CMP_LE_OQ>(x, high),
        sum(v) sum_ps(_mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps::<1>(v))),
        below(k, a, low) _mm512_mask_mov_ps(a, ((1u32 << k) - 1) as u16, low),
        split(x, y) (
            _mm512_permutex2var_ps(x, _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), y),
            _mm512_permutex2var_ps(x, _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), y),
        ),
        join(e, o) (
            _mm512_permutex2var_ps(e, _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), o),
            _mm512_permutex2var_ps(e, _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), o),
        )
    );
}

/// An instruction set: its vectors.
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
isa!(
    /// What every CPU of the architecture has (SSE2 on x86-64, NEON on AArch64).
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

/// L matrix elements, as one vector (real) or two (complex: all real parts, then all imaginary parts).
pub trait Pack: Copy {
    /// An element.
    type S: Scalar<Re = <Self::V as Lanes>::R>;
    /// The vectors it is made of.
    type V: Lanes;
    /// Elements in it.
    const L: usize = <Self::V as Lanes>::L;
    /// Real numbers in it.
    const REALS: usize = Self::L * Self::S::PARTS;

    /// From its parts; real packs drop the imaginary one.
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
    /// From REALS numbers in pack order.
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
    /// To REALS numbers in pack order.
    #[inline(always)]
    unsafe fn store(self, p: *mut <Self::S as Scalar>::Re) {
        unsafe {
            self.re().store(p);
            if Self::S::COMPLEX {
                self.im().store(p.add(Self::L));
            }
        }
    }
    /// The first k elements at p, in callers' order (real and imaginary parts alternate), zeros after them.
    #[inline(always)]
    unsafe fn load_elements(p: *const <Self::S as Scalar>::Re, k: usize) -> Self {
        unsafe {
            if Self::S::COMPLEX {
                let (low, high) = ((2 * k).min(Self::L), (2 * k).saturating_sub(Self::L));
                let low = Self::V::load_first(p, low);
                // Wrapping: with few elements there is nothing there, and nothing is loaded.
                let (re, im) = Self::V::split(low, Self::V::load_first(p.wrapping_add(Self::L), high));
                Self::from_parts(re, im)
            } else {
                let x = Self::V::load_first(p, k);
                Self::from_parts(x, x)
            }
        }
    }
    /// The first k elements to p, in callers' order; nothing else is written.
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
    fn below_from(self, k: usize, low: Self) -> Self {
        Self::from_parts(self.re().below_from(k, low.re()), self.im().below_from(k, low.im()))
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
        self.0 // never used: what is computed from it is dropped by from_parts
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

/// The packs of an element type.
pub trait Packed: Scalar {
    /// Its pack in an instruction set.
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

/// What the running CPU offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The best level this CPU has.
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
