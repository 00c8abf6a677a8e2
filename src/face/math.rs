//! Determines whether a call may use TF32, FP16, or tensor cores with FP32 accuracy: by the math mode of a cuBLAS
//! handle, and for the other ABIs by the setting of the thread or of the environment.

use crate::host::environment;
use crate::routine::Math;
use once_cell::race::{OnceBool, OnceNonZeroUsize};
use std::cell::Cell;
use std::ffi::c_int;
use std::num::NonZeroUsize;

/// `NVIDIA_TF32_OVERRIDE=0` forbids TF32 in NVIDIA's libraries, whatever a program sets, so it does here, too.
fn is_forbidden() -> bool {
    static FORBIDDEN: OnceBool = OnceBool::new();
    FORBIDDEN.get_or_init(|| environment::value("NVIDIA_TF32_OVERRIDE").as_deref() == Some("0"))
}

/// The setting for threads that have none of their own (`TEPHRA_MATH=fp32|tf32|fp32_tensor|fp16`).
fn default_math() -> Math {
    const MODES: [Math; 4] = [Math::Fp32, Math::Tf32, Math::Fp32Tensor, Math::Fp16];
    static INDEX: OnceNonZeroUsize = OnceNonZeroUsize::new(); // in MODES, counted from 1
    let index = INDEX.get_or_init(|| {
        let word = environment::value("TEPHRA_MATH");
        let index = MODES.iter().position(|math| word.as_deref() == Some(math.word())).unwrap_or(0);
        NonZeroUsize::MIN.saturating_add(index)
    });
    MODES[index.get() - 1]
}

thread_local! {
    static THREAD_MATH: Cell<Option<Math>> = const { Cell::new(None) };
}

fn permitted(math: Math) -> Math {
    if math.allows_tf32() && is_forbidden() { Math::Fp32 } else { math }
}

/// The setting of the calling thread, for calls of all ABIs except cuBLAS's.
pub fn of_thread() -> Math {
    permitted(THREAD_MATH.get().unwrap_or_else(default_math))
}

/// Sets [`of_thread`]; `None` returns to the setting of the environment.
pub fn set_for_thread(math: Option<Math>) {
    THREAD_MATH.set(math);
}

/// What a `cublasMath_t` allows: `CUBLAS_TF32_TENSOR_OP_MATH` is the only mode that allows TF32 for FP32 products, and
/// `CUBLAS_FP32_EMULATED_BF16X9_MATH` the only one that allows tensor cores with FP32 accuracy.
pub fn of_mode(mode: c_int) -> Math {
    const TF32_TENSOR_OP: c_int = 3;
    const FP32_EMULATED: c_int = 4;
    const DISALLOW_REDUCED_PRECISION_REDUCTION: c_int = 16;
    permitted(match mode & !DISALLOW_REDUCED_PRECISION_REDUCTION {
        TF32_TENSOR_OP => Math::Tf32,
        FP32_EMULATED => Math::Fp32Tensor,
        _ => Math::Fp32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mode_allows_each() {
        let allowing = |math| (0..32).filter(|mode| of_mode(*mode) == math).collect::<Vec<c_int>>();
        assert_eq!(allowing(Math::Tf32), [3, 19]);
        assert_eq!(allowing(Math::Fp32Tensor), [4, 20]);
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
