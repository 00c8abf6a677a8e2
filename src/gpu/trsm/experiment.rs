//! Temporary, for measurements: the environment variable TEPHRA_W2 replaces the orders of [`crate::gpu::arch::Trsm`] that
//! decide between ways to solve. It is "old" (none of the new ones), or some of "halves", "dense" and "sides".

use crate::gpu::trsm::MEASURED;
use crate::routine::Dtype;
use once_cell::sync::OnceCell;

fn chosen(way: &str, orders: i64, usual: i64) -> i64 {
    static WAYS: OnceCell<Option<String>> = OnceCell::new();
    match WAYS.get_or_init(|| std::env::var("TEPHRA_W2").ok()) {
        Some(ways) if ways.contains(way) => orders,
        Some(ways) if way == "sides" && !ways.is_empty() => i64::MAX,
        Some(ways) if !ways.is_empty() => 0,
        _ => usual,
    }
}

pub(super) fn halves_middle(dtype: Dtype) -> i64 {
    chosen("halves", 128, MEASURED.halves_middle[dtype])
}

pub(super) fn dense(dtype: Dtype) -> i64 {
    chosen("dense", 128, MEASURED.dense[dtype])
}

pub(super) fn last_sides(dtype: Dtype) -> i64 {
    chosen("sides", 65, MEASURED.last_sides[dtype])
}
