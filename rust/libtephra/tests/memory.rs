//! A host without memory for a copy: an error, not the end of the process. The limit applies to the whole process, so
//! this is the only test of its program.

use libtephra::*;

#[repr(C)]
struct Limit {
    current: u64,
    most: u64,
}

unsafe extern "C" {
    fn getrlimit(resource: i32, limit: *mut Limit) -> i32;
    fn setrlimit(resource: i32, limit: *const Limit) -> i32;
}

/// The size of the address space.
const RLIMIT_AS: i32 = 9;

/// Limits the process to this many bytes of addresses more than it has.
fn allow_more(bytes: u64) {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = status.split(' ').next().unwrap().parse().unwrap();
    let mut limit = Limit { current: 0, most: 0 };
    // SAFETY: the pointers are to a local variable with the layout of C's rlimit.
    unsafe {
        assert_eq!(getrlimit(RLIMIT_AS, &mut limit), 0);
        limit.current = (pages * 4096 + bytes).min(limit.most);
        assert_eq!(setrlimit(RLIMIT_AS, &limit), 0);
    }
}

#[test]
fn a_host_without_memory_is_an_error() {
    if backend() != Ok(Backend::Cpu) {
        return; // a device's memory is reserved in the same space of addresses
    }
    const MIB: usize = 1 << 20;
    let small = Batch::<i32>::zeros(1, 1, 3).unwrap();
    assert_eq!(small.to_vec().unwrap(), [0; 3]);
    allow_more(384 * MIB as u64);
    // One element more than a whole number of pieces; two such batches do not fit.
    let large = Batch::<f64>::zeros(256 * MIB / 8 + 1, 1, 1).unwrap();
    assert!(matches!(large.to_vec(), Err(Error::OutOfMemory(_))));
    assert!(matches!(large.try_clone(), Err(Error::OutOfMemory(_))));
    assert!(matches!(Batch::<f64>::zeros(256 * MIB / 8, 1, 1), Err(Error::OutOfMemory(_))));
}
