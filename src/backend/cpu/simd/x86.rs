//! The vectors of AVX2 (with FMA) and of AVX-512, each defined by a list of intrinsics.

use super::{Lanes, OutOfLine};
use std::arch::x86_64::*;

/// Comparison masks for AVX2: a load that starts k lanes before the middle has its first k lanes set. Constants rather
/// than statics, so that every codegen unit knows their content and a load of a whole vector needs no mask.
#[repr(align(64))]
struct Steps<T, const N: usize>([T; N]);
const STEPS32: &Steps<i32, 16> = &Steps([-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0]);
const STEPS64: &Steps<i64, 8> = &Steps([-1, -1, -1, -1, 0, 0, 0, 0]);

/// The masks of [`Lanes::blend_by_mask`].
const STEPS512: &Steps<i64, 24> =
    &Steps([-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0]);

/// `bytes` bytes of ones (at most 128) followed by zeros, cut to a vector of 64 bytes.
#[inline(always)]
unsafe fn ones512(bytes: usize) -> __m512i {
    unsafe { _mm512_loadu_si512(STEPS512.0.as_ptr().cast::<u8>().add(128 - bytes).cast()) }
}
/// The same for a vector of 32 bytes.
#[inline(always)]
unsafe fn ones256(bytes: usize) -> __m256i {
    unsafe { _mm256_loadu_si256(STEPS512.0.as_ptr().cast::<u8>().add(128 - bytes).cast()) }
}

/// All ones in the lanes whose bit is set.
#[inline(always)]
unsafe fn mask64(lanes: u32) -> __m256i {
    unsafe {
        let bits = _mm256_setr_epi64x(1, 2, 4, 8);
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(lanes as i64), bits), bits)
    }
}

/// All ones in the lanes whose bit is set.
#[inline(always)]
unsafe fn mask32(lanes: u32) -> __m256i {
    unsafe {
        let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(lanes as i32), bits), bits)
    }
}

/// Code with AVX2. See [`super::baseline`].
mod avx2 {
    #[inline(never)]
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn call(work: impl super::OutOfLine) {
        unsafe { work.run() }
    }
}

/// Code with AVX-512. See [`super::baseline`].
mod avx512 {
    #[inline(never)]
    #[target_feature(enable = "avx2,fma,avx512f,avx512dq")]
    pub unsafe fn call(work: impl super::OutOfLine) {
        unsafe { work.run() }
    }
}

// SAFETY of all blocks below: the trait's contract says that the CPU has the instruction set.
macro_rules! lanes {
    (
        $(#[$doc:meta])* $name:ident, $r:ident, $v:ident, $l:literal, $many:literal,
        $splat:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident
        $fmadd:ident $fnmadd:ident,
        load_first($lp:ident, $lk:ident) $load_first:expr, store_first($sv:ident, $sp:ident, $sk:ident) $store_first:expr,
        copysign($ca:ident, $cs:ident) $copysign:expr, within($wx:ident, $wl:ident, $wh:ident) $within:expr,
        above($ax:ident, $ay:ident) $above:expr,
        sum($s:ident) $sum:expr, blend_low($k:ident, $a:ident, $low:ident) $blend_low:expr,
        select($cx:ident, $cl:ident, $co:ident) $select:expr,
        mask_low($fk:ident) $mask_low:expr, mask_lane($ok:ident) $mask_lane:expr,
        blend_by_mask($mx:ident, $mo:ident, $mp:ident) $blend_by_mask:expr,
        same($qx:ident, $qy:ident) $same:expr, larger $larger:ident, largest($g:ident) $largest:expr,
        broadcast_lane($nx:ident, $nk:ident) $broadcast_lane:expr,
        swapped($sx:ident) $swapped:expr, split($x:ident, $y:ident) $split:expr, join($e:ident, $o:ident) $join:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name($v);

        unsafe impl Lanes for $name {
            type R = $r;
            const L: usize = $l;
            const MANY_REGISTERS: bool = $many;
            #[inline(always)]
            unsafe fn call_out_of_line(work: impl OutOfLine) {
                unsafe { if $many { avx512::call(work) } else { avx2::call(work) } }
            }
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
            fn above(self, o: Self) -> u32 {
                let ($ax, $ay) = (self.0, o.0);
                unsafe { $above as u32 }
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
                self.blend_low(k, Self::splat(0.0))
            }
            #[inline(always)]
            fn replace(self, k: usize, x: $r) -> Self {
                self.blend_low(k + 1, Self::splat(x)).blend_low(k, self)
            }
            #[inline(always)]
            fn blend_low(self, k: usize, low: Self) -> Self {
                let ($k, $a, $low) = (k, self.0, low.0);
                $name(unsafe { $blend_low })
            }
            #[inline(always)]
            fn select(self, lanes: u32, other: Self) -> Self {
                let ($cx, $cl, $co) = (self.0, lanes, other.0);
                $name(unsafe { $select })
            }
            #[inline(always)]
            fn mask_low($fk: usize) -> Self {
                $name(unsafe { $mask_low })
            }
            #[inline(always)]
            fn mask_lane($ok: usize) -> Self {
                $name(unsafe { $mask_lane })
            }
            #[inline(always)]
            fn blend_by_mask(self, o: Self, mask: Self) -> Self {
                let ($mx, $mo, $mp) = (self.0, o.0, mask.0);
                $name(unsafe { $blend_by_mask })
            }
            #[inline(always)]
            fn same(self, o: Self) -> u32 {
                let ($qx, $qy) = (self.0, o.0);
                unsafe { $same as u32 }
            }
            #[inline(always)]
            fn larger(self, o: Self) -> Self {
                // The instruction returns its second operand if either is a NaN.
                $name(unsafe { $larger(self.0, o.0) })
            }
            #[inline(always)]
            fn largest(self) -> Self {
                let $g = self.0;
                $name(unsafe { $largest })
            }
            #[inline(always)]
            fn broadcast_lane(self, k: usize) -> Self {
                let ($nx, $nk) = (self.0, k);
                $name(unsafe { $broadcast_lane })
            }
            #[inline(always)]
            fn swapped(self) -> Self {
                let $sx = self.0;
                $name(unsafe { $swapped })
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

/// Sum of a 256-bit vector: the halves are added first.
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
    above(x, y) _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(x, y)),
    sum(v) sum_pd(v),
    blend_low(k, a, low) {
        let mask = _mm256_loadu_pd(STEPS64.0.as_ptr().add(4 - k).cast());
        _mm256_blendv_pd(a, low, mask)
    },
    select(x, lanes, other) _mm256_blendv_pd(other, x, _mm256_castsi256_pd(mask64(lanes))),
    mask_low(k) _mm256_castsi256_pd(ones256(8 * k)),
    mask_lane(k) _mm256_castsi256_pd(_mm256_xor_si256(ones256(8 * (k + 1)), ones256(8 * k))),
    blend_by_mask(x, o, mask) _mm256_or_pd(_mm256_and_pd(mask, o), _mm256_andnot_pd(mask, x)),
    same(x, y) _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(x, y)),
    larger _mm256_max_pd,
    largest(x) {
        let x = _mm256_max_pd(x, _mm256_permute2f128_pd::<1>(x, x));
        _mm256_max_pd(x, _mm256_permute_pd::<0b0101>(x))
    },
    broadcast_lane(x, k) {
        // AVX2 has no permutation of 64-bit numbers by variable indices, so each is moved as two 32-bit halves.
        let k = 2 * k as i64;
        let indices = _mm256_set1_epi64x(k | (k + 1) << 32);
        _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(x), indices))
    },
    swapped(x) _mm256_permute_pd::<0b0101>(x),
    split(x, y) {
        // The unpacks work within each 128-bit half; then the middle quarters are exchanged.
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
    above(x, y) _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(x, y)),
    sum(v) sum_ps(v),
    blend_low(k, a, low) {
        let mask = _mm256_loadu_ps(STEPS32.0.as_ptr().add(8 - k).cast());
        _mm256_blendv_ps(a, low, mask)
    },
    select(x, lanes, other) _mm256_blendv_ps(other, x, _mm256_castsi256_ps(mask32(lanes))),
    mask_low(k) _mm256_castsi256_ps(ones256(4 * k)),
    mask_lane(k) _mm256_castsi256_ps(_mm256_xor_si256(ones256(4 * (k + 1)), ones256(4 * k))),
    blend_by_mask(x, o, mask) _mm256_or_ps(_mm256_and_ps(mask, o), _mm256_andnot_ps(mask, x)),
    same(x, y) _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(x, y)),
    larger _mm256_max_ps,
    largest(x) {
        let x = _mm256_max_ps(x, _mm256_permute2f128_ps::<1>(x, x));
        let x = _mm256_max_ps(x, _mm256_permute_ps::<0b01_00_11_10>(x));
        _mm256_max_ps(x, _mm256_permute_ps::<0b10_11_00_01>(x))
    },
    broadcast_lane(x, k) _mm256_permutevar8x32_ps(x, _mm256_set1_epi32(k as i32)),
    swapped(x) _mm256_permute_ps::<0b10_11_00_01>(x),
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
    above(x, y) _mm512_cmp_pd_mask::<_CMP_GT_OQ>(x, y),
    sum(v) sum_pd(_mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v))),
    blend_low(k, a, low) _mm512_mask_mov_pd(a, ((1u32 << k) - 1) as u8, low),
    select(x, lanes, other) _mm512_mask_mov_pd(other, lanes as u8, x),
    mask_low(k) _mm512_castsi512_pd(ones512(8 * k)),
    mask_lane(k) _mm512_castsi512_pd(_mm512_xor_si512(ones512(8 * (k + 1)), ones512(8 * k))),
    blend_by_mask(x, o, mask) {
        let (x, o, mask) = (_mm512_castpd_si512(x), _mm512_castpd_si512(o), _mm512_castpd_si512(mask));
        _mm512_castsi512_pd(_mm512_ternarylogic_epi64::<0b1100_1010>(mask, o, x))
    },
    same(x, y) _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(x, y),
    larger _mm512_max_pd,
    largest(x) {
        let x = _mm512_max_pd(x, _mm512_shuffle_f64x2::<0b01_00_11_10>(x, x));
        let x = _mm512_max_pd(x, _mm512_shuffle_f64x2::<0b10_11_00_01>(x, x));
        _mm512_max_pd(x, _mm512_permute_pd::<0b0101_0101>(x))
    },
    broadcast_lane(x, k) _mm512_permutexvar_pd(_mm512_set1_epi64(k as i64), x),
    swapped(x) _mm512_permute_pd::<0b0101_0101>(x),
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
    above(x, y) _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, y),
    sum(v) sum_ps(_mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps::<1>(v))),
    blend_low(k, a, low) _mm512_mask_mov_ps(a, ((1u32 << k) - 1) as u16, low),
    select(x, lanes, other) _mm512_mask_mov_ps(other, lanes as u16, x),
    mask_low(k) _mm512_castsi512_ps(ones512(4 * k)),
    mask_lane(k) _mm512_castsi512_ps(_mm512_xor_si512(ones512(4 * (k + 1)), ones512(4 * k))),
    blend_by_mask(x, o, mask) {
        let (x, o, mask) = (_mm512_castps_si512(x), _mm512_castps_si512(o), _mm512_castps_si512(mask));
        _mm512_castsi512_ps(_mm512_ternarylogic_epi64::<0b1100_1010>(mask, o, x))
    },
    same(x, y) _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(x, y),
    larger _mm512_max_ps,
    largest(x) {
        let x = _mm512_max_ps(x, _mm512_shuffle_f32x4::<0b01_00_11_10>(x, x));
        let x = _mm512_max_ps(x, _mm512_shuffle_f32x4::<0b10_11_00_01>(x, x));
        let x = _mm512_max_ps(x, _mm512_permute_ps::<0b01_00_11_10>(x));
        _mm512_max_ps(x, _mm512_permute_ps::<0b10_11_00_01>(x))
    },
    broadcast_lane(x, k) _mm512_permutexvar_ps(_mm512_set1_epi32(k as i32), x),
    swapped(x) _mm512_permute_ps::<0b10_11_00_01>(x),
    split(x, y) (
        _mm512_permutex2var_ps(x, _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), y),
        _mm512_permutex2var_ps(x, _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), y),
    ),
    join(e, o) (
        _mm512_permutex2var_ps(e, _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), o),
        _mm512_permutex2var_ps(e, _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), o),
    )
);
