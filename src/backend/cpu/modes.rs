//! The floating-point modes of a thread.

/// Rounding, treatment of subnormal numbers, and enabled traps. Helpers adopt the caller's modes; otherwise the bits of
/// a result would depend on which thread computed it.
#[derive(Clone, Copy)]
pub struct Modes(u64);

impl Modes {
    /// The modes of the calling thread.
    #[cfg(target_arch = "x86_64")]
    pub fn current() -> Modes {
        /// The sticky exception flags.
        const FLAGS: u32 = 0x3f;
        let mut register = 0_u32;
        // SAFETY: writes 32 bits to a local variable.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
        Modes((register & !FLAGS).into())
    }

    /// Sets the modes of the calling thread.
    #[cfg(target_arch = "x86_64")]
    pub fn set(self) {
        let register = self.0 as u32;
        // SAFETY: the value was read from another thread's register, with the exception flags cleared.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags)) };
    }

    /// These modes with the bits of `more` set.
    #[cfg(target_arch = "x86_64")]
    pub fn with(self, more: u32) -> Modes {
        Modes(self.0 | u64::from(more))
    }

    /// The modes of the calling thread.
    #[cfg(target_arch = "aarch64")]
    pub fn current() -> Modes {
        let register: u64;
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) register, options(nomem, nostack, preserves_flags)) };
        Modes(register)
    }

    /// Sets the modes of the calling thread.
    #[cfg(target_arch = "aarch64")]
    pub fn set(self) {
        // SAFETY: the value was read from another thread's register.
        unsafe { std::arch::asm!("msr fpcr, {}", in(reg) self.0, options(nomem, nostack, preserves_flags)) };
    }

    /// Other processors are not supported, so nothing is read or set.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn current() -> Modes {
        Modes(0)
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn set(self) {}
}
