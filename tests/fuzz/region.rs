//! Memory of the backend for the calls. On the CPU backend each region lies between two guard pages: the first access
//! to a guard page is recorded and makes the page accessible, so that the call continues and the failure is reported
//! like any other.

use std::ptr::null_mut;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use tephra_testkit::library::Backend;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Library, Result};

const PAGE: usize = 1 << 16;

/// The maximum number of regions that exist at once.
const MOST: usize = 1024;

/// The addresses of guard pages (0 for none), and whether each was touched.
static GUARDS: [AtomicUsize; 2 * MOST] = [const { AtomicUsize::new(0) }; 2 * MOST];
static TOUCHED: [AtomicBool; 2 * MOST] = [const { AtomicBool::new(false) }; 2 * MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A piece of memory between guard pages.
pub struct Region {
    start: usize,
    pub bytes: usize,
    /// The indices of its two guard pages.
    guards: Option<[usize; 2]>,
    /// The device memory, on the CUDA backend.
    device: Option<Memory>,
}

impl Region {
    /// Allocates `bytes` bytes, which must be whole pages of 64 KiB.
    pub fn new(library: &'static Library, bytes: usize) -> Result<Region> {
        assert!(bytes.is_multiple_of(PAGE));
        if library.backend()? == Backend::Cuda {
            let memory = Memory::new(library, Kind::Device, bytes)?;
            return Ok(Region { start: memory.pointer() as usize, bytes, guards: None, device: Some(memory) });
        }
        Ok(Region::of_host(bytes))
    }

    /// Allocates host memory, whatever the backend is.
    pub fn of_host(bytes: usize) -> Region {
        assert!(bytes.is_multiple_of(PAGE));
        static HANDLER: Once = Once::new();
        HANDLER.call_once(install);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: the mapping is fresh, and only its middle is made accessible. One extra page allows for alignment.
        let start = unsafe {
            let all = libc::mmap(null_mut(), bytes + 3 * PAGE, libc::PROT_NONE, flags, -1, 0);
            assert!(all != libc::MAP_FAILED, "no address space");
            let start = (all as usize).next_multiple_of(PAGE) + PAGE;
            assert_eq!(libc::mprotect(start as *mut _, bytes, libc::PROT_READ | libc::PROT_WRITE), 0);
            start
        };
        let guard = |page: usize| {
            let number = COUNT.fetch_add(1, SeqCst);
            GUARDS[number].store(page, SeqCst);
            number
        };
        Region { start, bytes, guards: Some([guard(start - PAGE), guard(start + bytes)]), device: None }
    }

    /// The address of `bytes` bytes that end with the region (`at_end`) or begin with it.
    pub fn place(&self, bytes: usize, at_end: bool) -> usize {
        assert!(bytes <= self.bytes, "{bytes} bytes do not fit into a region");
        if at_end { self.start + self.bytes - bytes } else { self.start }
    }

    /// Copies `data` to an `address` inside the region.
    pub fn write(&self, address: usize, data: &[u8]) {
        match &self.device {
            // SAFETY: the caller passes an address range inside the region.
            Some(_) => copy(address, data.as_ptr() as usize, data.len()),
            None => unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), address as *mut u8, data.len()) },
        }
    }

    /// Copies from an `address` inside the region to `data`. Work on that memory must be finished.
    pub fn read(&self, address: usize, data: &mut [u8]) {
        match &self.device {
            // SAFETY: the caller passes an address range inside the region.
            Some(_) => copy(data.as_mut_ptr() as usize, address, data.len()),
            None => unsafe { std::ptr::copy_nonoverlapping(address as *const u8, data.as_mut_ptr(), data.len()) },
        }
    }

    /// The address of the guard page after the region.
    pub fn guard(&self) -> Option<usize> {
        self.guards.map(|_| self.start + self.bytes)
    }

    /// Which guard page was touched since the previous call. Protects that page again.
    pub fn touched(&self) -> Option<&'static str> {
        let guards = self.guards?;
        let found = guards.iter().position(|&number| TOUCHED[number].swap(false, SeqCst))?;
        // SAFETY: the page is one of ours.
        unsafe { libc::mprotect(GUARDS[guards[found]].load(SeqCst) as *mut _, PAGE, libc::PROT_NONE) };
        Some(["before", "behind"][found])
    }
}

fn copy(to: usize, from: usize, bytes: usize) {
    let library = Library::required();
    // SAFETY: the callers pass valid ranges.
    unsafe { library.memcpy(to as *mut _, from as *const _, bytes, null_mut()) }.unwrap();
}

/// Faults at other addresses go to the previous handler (the runtime's, which reports stack overflows).
static mut BEFORE: std::mem::MaybeUninit<libc::sigaction> = std::mem::MaybeUninit::uninit();

fn install() {
    // SAFETY: the handler uses only what signal handlers may use: atomics and system calls.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_fault as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        let before = (&raw mut BEFORE).cast::<libc::sigaction>();
        assert_eq!(libc::sigaction(libc::SIGSEGV, &action, before), 0);
    }
}

unsafe extern "C" fn on_fault(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the structure comes from the system, and the pages are ours.
    unsafe {
        let page = (*info).si_addr() as usize / PAGE * PAGE;
        match GUARDS.iter().position(|guard| guard.load(SeqCst) == page) {
            Some(number) if page != 0 => {
                TOUCHED[number].store(true, SeqCst);
                libc::mprotect(page as *mut _, PAGE, libc::PROT_READ | libc::PROT_WRITE);
            }
            // The instruction is executed again and faults into the previous handler.
            _ => {
                libc::sigaction(libc::SIGSEGV, (&raw const BEFORE).cast(), null_mut());
            }
        }
    }
}
