//! The entries of gesv_rbt's butterflies.

use tephra_cpu::parts::butterfly_entry as entry;

/// The same values as in c_tests/kernels/butterfly.cpp, which tests the kernel.
#[test]
fn entries_are_the_kernels() {
    let entries = [entry(0, 0), entry(1, 1), entry(77, 2), entry(1_000_000, 3)];
    assert_eq!(entries, [0.958_236_75, 1.035_031_3, 1.019_966_5, 0.998_450_3]);
}
