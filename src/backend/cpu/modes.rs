//! How a thread's floating-point unit is set.

/// Rounding, what becomes of denormal numbers, which exceptions trap. Helpers take the caller's: else the bits of a
/// matrix would depend on which thread had it.
#[derive(Clone, Copy)]
pub struct Modes(u64);

impl Modes {
    /// Those of the calling thread.
    #[cfg(target_arch = "x86_64")]
    pub fn current() -> Modes {
        /// What has happened since it was last cleared.
        const FLAGS: u32 = 0x3f;
        let mut register = 0_u32;
        // SAFETY: writes the register's 32 bits.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
        Modes((register & !FLAGS).into())
    }

    /// Sets those of the calling thread.
    #[cfg(target_arch = "x86_64")]
    pub fn set(self) {
        let register = self.0 as u32;
        // SAFETY: what another thread's register holds, without what has happened there.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags)) };
    }

    /// These and the bits of `more`.
    #[cfg(target_arch = "x86_64")]
    pub fn with(self, more: u32) -> Modes {
        Modes(self.0 | u64::from(more))
    }

    /// Those of the calling thread.
    #[cfg(target_arch = "aarch64")]
    pub fn current() -> Modes {
        let register: u64;
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) register, options(nomem, nostack, preserves_flags)) };
        Modes(register)
    }

    /// Sets those of the calling thread.
    #[cfg(target_arch = "aarch64")]
    pub fn set(self) {
        // SAFETY: what another thread's register holds.
        unsafe { std::arch::asm!("msr fpcr, {}", in(reg) self.0, options(nomem, nostack, preserves_flags)) };
    }

    /// Nothing is known of other processors.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn current() -> Modes {
        Modes(0)
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn set(self) {}
}
