//! Lower bounds on the cost of a case: LAPACK's operation count, the memory traffic, and the time that no kernel can
//! beat.

use crate::case::{Alpha, Case};

/// The sizes of a case, as operation counts take them.
pub struct FlopCount {
    pub m: f64,
    pub n: f64,
    pub k: f64,
    pub nrhs: f64,
    /// The operator's order, from its side.
    pub order: f64,
    /// Columns of the second operand.
    pub b_columns: f64,
    /// The larger and the smaller of m and n.
    pub tall: f64,
    pub short: f64,
}

impl FlopCount {
    fn of(case: &Case) -> FlopCount {
        let [m, n, k, nrhs, order, b_columns] =
            [case.shape.m, case.shape.n, case.k(), case.options.nrhs, case.order(), case.b_size().1].map(|x| x as f64);
        FlopCount { m, n, k, nrhs, order, b_columns, tall: m.max(n), short: m.min(n) }
    }

    /// 2 m n^2 - 2/3 n^3 for m >= n, with m and n exchanged otherwise.
    pub fn qr(&self) -> f64 {
        2.0 * self.tall * self.short * self.short - 2.0 / 3.0 * self.short.powi(3)
    }

    /// Forming the first `columns` columns of Q, of m rows, from k reflectors.
    pub fn q(&self, columns: f64, k: f64) -> f64 {
        4.0 * self.m * columns * k - 2.0 * (self.m + columns) * k * k + 4.0 / 3.0 * k.powi(3)
    }

    /// Half of QR's count.
    pub fn lu(&self) -> f64 {
        self.tall * self.short * self.short - self.short.powi(3) / 3.0
    }
}

/// The numbers of elements in a case's operands, without padding rows, and its sizes.
pub struct ElementCounts {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: usize,
    pub b: usize,
    pub r: usize,
}

impl ElementCounts {
    fn of(case: &Case) -> ElementCounts {
        let [a, b, r] = [case.a_size(), case.b_size(), case.r_size()].map(|(rows, columns)| rows * columns);
        ElementCounts { m: case.shape.m, n: case.shape.n, k: case.k(), a, b, r }
    }
}

/// Floating-point operations of the whole batch, by LAPACK's count (working note 41): the leading terms, where a
/// complex operation counts as four real ones.
pub fn flops(case: &Case) -> f64 {
    if case.options.alpha == Alpha::Zero {
        return 0.0; // the result is zero
    }
    let one = (case.op.flops)(&FlopCount::of(case));
    one * case.shape.batch as f64 * if case.dtype.is_complex() { 4.0 } else { 1.0 }
}

/// Bytes that must be moved: each operand is read and written once, without padding rows.
pub fn bytes(case: &Case) -> f64 {
    let counts = ElementCounts::of(case);
    let elements = if case.options.alpha == Alpha::Zero { counts.b } else { (case.op.elements)(&counts) };
    let interchanges = if case.op.has("ipiv") { case.k() * size_of::<i32>() } else { 0 };
    ((elements * case.dtype.bytes() + interchanges) * case.shape.batch) as f64
}

/// Measured ceilings of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceilings {
    /// GB/s of a device copy, counting bytes read and written.
    pub copy_gbs: f64,
    /// GFLOP/s of FP32 multiply-adds on the vector pipe.
    pub single: f64,
    /// GFLOP/s of FP64 multiply-adds on the vector pipe.
    pub double: f64,
}

impl Ceilings {
    /// Measured on an H200 with CUDA 13.0.
    pub const H200: Ceilings = Ceilings { copy_gbs: 4311.4, single: 63_658.7, double: 31_920.3 };

    /// The ceilings known for a device by its marketing name.
    pub fn of_device(name: &str) -> Option<Self> {
        // Match whole words only: a "GH200" is a different chip with different memory.
        name.split_whitespace().any(|word| word == "H200").then_some(Self::H200)
    }

    /// Parses `copy=GB/s,s=GFLOP/s,d=GFLOP/s`; missing values are taken from `base`.
    pub fn parse(text: &str, base: Option<Self>) -> Result<Self, String> {
        let mut value = [base.map(|b| b.copy_gbs), base.map(|b| b.single), base.map(|b| b.double)];
        for part in text.split(',') {
            let wrong = || format!("'{part}': expected copy=GB/s, s=GFLOP/s or d=GFLOP/s");
            let (key, number) = part.split_once('=').ok_or_else(wrong)?;
            let slot = ["copy", "s", "d"].iter().position(|k| *k == key.trim()).ok_or_else(wrong)?;
            let number: f64 = number.trim().parse().map_err(|_| wrong())?;
            value[slot] = Some(number).filter(|v| *v > 0.0 && v.is_finite());
        }
        match value {
            [Some(copy_gbs), Some(single), Some(double)] => Ok(Ceilings { copy_gbs, single, double }),
            _ => Err("all of copy, s and d must be given (and positive): this device has no known ceilings".into()),
        }
    }

    /// `T_limit` in ms: the larger of the traffic at copy speed and the operations at the precision's vector peak.
    pub fn limit_ms(&self, case: &Case) -> f64 {
        let peak = if case.dtype.is_double() { self.double } else { self.single };
        (bytes(case) / self.copy_gbs).max(flops(case) / peak) * 1e-6
    }
}

/// The rate in GFLOP/s of a case that took `ms`.
pub fn gflops(case: &Case, ms: f64) -> f64 {
    flops(case) / ms * 1e-6
}

/// The rate in GB/s of a case that took `ms`, counting one read and one write.
pub fn gbs(case: &Case, ms: f64) -> f64 {
    bytes(case) / ms * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Shape;
    use crate::ops::named;
    use tephra_testkit::Dtype;

    fn case(p: Dtype, m: usize, n: usize, batch: usize) -> Case {
        Case::packed(named("geqrf"), p, Shape { m, n, batch })
    }

    #[test]
    fn counts_agree_with_the_published_tables() {
        // cuBLAS on the H200: d 32x32 x 10,000 in 1.1853 ms is 368.6 GFLOP/s; c 1024x16 x 1000 in 2.4348 ms is 856.8
        assert!((gflops(&case(Dtype::D, 32, 32, 10_000), 1.1853) - 368.6).abs() < 0.05);
        assert!((gflops(&case(Dtype::C, 1024, 16, 1000), 2.4348) - 856.8).abs() < 0.05);
    }

    #[test]
    fn lu_is_counted_with_its_solves_and_interchanges() {
        let of = |op, nrhs, n| {
            let case = Case::packed(named(op), Dtype::S, Shape { m: n, n, batch: 1000 });
            Case { options: crate::case::Options { nrhs, ..case.options }, ..case }.with_packed_columns()
        };
        // The operation count limits s 512x512 x 1000 to these times.
        for (op, nrhs, ms) in [
            ("getrf", 0, 1.40469),
            ("getrf_nopiv", 0, 1.40469),
            ("gesv", 8, 1.47053),
            ("getrs", 512, 4.21406),
            ("getri", 0, 2.80937),
            ("inv", 0, 4.21406),
        ] {
            let limit = Ceilings::H200.limit_ms(&of(op, nrhs, 512));
            assert!((limit / ms - 1.0).abs() < 1e-3, "{op:?}: {limit}");
        }
        // A member of order 16: a matrix is 1024 bytes, two right-hand sides 128, and the interchanges 64.
        for (op, nrhs, each) in [
            ("getrf", 0, 2 * 1024 + 64),
            ("getrf_nopiv", 0, 2 * 1024),
            ("getrs", 2, 1024 + 2 * 128 + 64),
            ("gesv", 2, 2 * 1024 + 2 * 128 + 64),
            ("getri", 0, 2 * 1024 + 64),
            ("inv", 0, 2 * 1024),
        ] {
            assert_eq!(bytes(&of(op, nrhs, 16)), f64::from(1000 * each), "{op:?}");
        }
    }

    #[test]
    fn wide_counts_as_its_transpose() {
        for op in ["geqrf", "getrf"].map(named) {
            let of = |m, n| flops(&Case { op, ..case(Dtype::D, m, n, 7) });
            assert_eq!(of(20, 50), of(50, 20));
        }
    }

    #[test]
    fn tall_is_memory_bound_and_square_is_not() {
        // 1024x16 d x 1000 "can finish in 0.061 ms"
        let tall = Ceilings::H200.limit_ms(&case(Dtype::D, 1024, 16, 1000));
        assert!((tall - 0.0609).abs() < 0.0002, "{tall}");
        let square = case(Dtype::D, 512, 512, 1000);
        let limit = Ceilings::H200.limit_ms(&square);
        assert!((limit - flops(&square) / 31_920.3e6).abs() < 1e-12);
    }

    #[test]
    fn padding_rows_are_not_traffic() {
        let mut padded = case(Dtype::S, 10, 10, 3);
        padded.lda = 16;
        assert_eq!(bytes(&padded), bytes(&case(Dtype::S, 10, 10, 3)));
        assert_eq!(bytes(&padded), 4.0 * 3.0 * 210.0);
    }

    #[test]
    fn ceilings_are_read_and_known() {
        assert_eq!(Ceilings::of_device("NVIDIA H200"), Some(Ceilings::H200));
        assert_eq!(Ceilings::of_device("NVIDIA GH200 480GB"), None);
        let over = Ceilings::parse("copy=3000", Some(Ceilings::H200)).unwrap();
        assert_eq!(over, Ceilings { copy_gbs: 3000.0, ..Ceilings::H200 });
        assert!(Ceilings::parse("copy=3000", None).is_err());
        assert!(Ceilings::parse("copy=0,s=1,d=1", Some(Ceilings::H200)).is_err());
        assert!(Ceilings::parse("speed=1", Some(Ceilings::H200)).is_err());
        assert!(Ceilings::parse("copy=1,s=2,d=3", None).is_ok());
    }
}
