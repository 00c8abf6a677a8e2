//! Who allows TF32: a cuBLAS handle's math mode; for the other ABIs the thread, or the environment.

use crate::host::environment;
use crate::routine::Math;
use once_cell::race::OnceBool;
use std::cell::Cell;
use std::ffi::c_int;

/// `NVIDIA_TF32_OVERRIDE=0` forbids NVIDIA's libraries TF32 whatever a program sets: it forbids it here, too.
fn is_forbidden() -> bool {
    static FORBIDDEN: OnceBool = OnceBool::new();
    FORBIDDEN.get_or_init(|| environment::value("NVIDIA_TF32_OVERRIDE").as_deref() == Some("0"))
}

/// What threads have that set nothing (`TEPHRA_MATH=fp32|tf32`).
fn initial() -> Math {
    static IS_TF32: OnceBool = OnceBool::new();
    let is_tf32 = IS_TF32.get_or_init(|| environment::value("TEPHRA_MATH").as_deref() == Some("tf32"));
    if is_tf32 { Math::Tf32 } else { Math::Fp32 }
}

thread_local! {
    static OF_THREAD: Cell<Option<Math>> = const { Cell::new(None) };
}

fn permitted(math: Math) -> Math {
    if math == Math::Tf32 && is_forbidden() { Math::Fp32 } else { math }
}

/// How the calling thread's calls compute, apart from those of cuBLAS's ABI.
pub fn of_thread() -> Math {
    permitted(OF_THREAD.get().unwrap_or_else(initial))
}

/// Sets [`of_thread`]; `None`: what the environment says.
pub fn set_for_thread(math: Option<Math>) {
    OF_THREAD.set(math);
}

/// What a `cublasMath_t` allows: `CUBLAS_TF32_TENSOR_OP_MATH` is the one mode that takes TF32 for products in FP32.
pub fn of_mode(mode: c_int) -> Math {
    const TF32_TENSOR_OP: c_int = 3;
    const DISALLOW_REDUCED_PRECISION_REDUCTION: c_int = 16;
    let tf32 = mode & !DISALLOW_REDUCED_PRECISION_REDUCTION == TF32_TENSOR_OP;
    permitted(if tf32 { Math::Tf32 } else { Math::Fp32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mode_allows_tf32() {
        let allowing: Vec<c_int> = (0..32).filter(|mode| of_mode(*mode) == Math::Tf32).collect();
        assert_eq!(allowing, [3, 19]);
    }

    #[test]
    fn a_thread_speaks_for_itself() {
        set_for_thread(Some(Math::Tf32));
        assert_eq!(of_thread(), Math::Tf32);
        assert_eq!(std::thread::spawn(of_thread).join().unwrap(), Math::Fp32);
        set_for_thread(None);
        assert_eq!(of_thread(), Math::Fp32);
    }
}
