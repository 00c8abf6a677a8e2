//! The registry of live handles, which every call searches. It is lock-free, so threads do not wait for each other, and a
//! forked child never waits for a lock held by a thread that it does not have.

use crate::error::Error;
use std::alloc::{Layout, alloc};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

const SLOTS: usize = 64;

/// The owner of a handle; ours are of type `H`.
#[derive(Clone, Copy, Debug)]
pub enum Owner<H: 'static> {
    /// NULL, for which the vendor returns "not initialized".
    Null,
    /// Ours, and live.
    Ours(&'static H),
    /// Not ours: the vendor's, or garbage, which the vendor's library then has to reject.
    Foreign,
}

/// Moves a value to the heap; `Box::from_raw` takes it back. Returns an error if the allocation fails, where `Box::new`
/// would abort the process.
fn try_box<T>(value: T) -> Result<*mut T, Error> {
    let memory = allocate(Layout::new::<T>())?.cast::<T>();
    // SAFETY: the memory was just allocated for a T.
    unsafe { memory.write(value) };
    Ok(memory)
}

/// Allocates memory for a layout of nonzero size.
fn allocate(layout: Layout) -> Result<*mut u8, Error> {
    assert!(layout.size() > 0);
    // SAFETY: the size is not 0.
    let memory = unsafe { alloc(layout) };
    if memory.is_null() { Err(Error::OutOfMemory("a handle".into())) } else { Ok(memory) }
}

/// A set of addresses. Programs have few handles, so a linear search takes nanoseconds.
pub struct HandleRegistry {
    /// Addresses; 0 marks a free slot.
    slots: [AtomicUsize; SLOTS],
    /// The number of slots that were ever used; those from here on need no search.
    used: AtomicUsize,
    /// Further slots. Never freed, because another thread may be searching them.
    next: AtomicPtr<HandleRegistry>,
}

impl HandleRegistry {
    /// An empty set.
    pub const fn new() -> Self {
        HandleRegistry {
            slots: [const { AtomicUsize::new(0) }; SLOTS],
            used: AtomicUsize::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    fn next(&self) -> Option<&HandleRegistry> {
        // SAFETY: further slots are never freed.
        unsafe { self.next.load(Ordering::Acquire).as_ref() }
    }

    fn slot(&self, address: usize) -> Option<&AtomicUsize> {
        let used = &self.slots[..self.used.load(Ordering::Acquire)];
        let found = used.iter().find(|slot| slot.load(Ordering::Acquire) == address);
        found.or_else(|| self.next()?.slot(address))
    }

    /// Whether `address`, which is not 0, is in the set.
    #[inline]
    pub fn contains(&self, address: usize) -> bool {
        self.slot(address).is_some()
    }

    /// The owner of the handle at an address.
    ///
    /// # Safety
    /// All inserted addresses must be those of `H`s, and must be removed before these are freed. As with the vendors'
    /// libraries, the caller must not use a handle while it is being destroyed.
    #[inline]
    pub unsafe fn owner<H>(&self, address: usize) -> Owner<H> {
        if address == 0 {
            Owner::Null
        } else if self.contains(address) {
            Owner::Ours(unsafe { &*(address as *const H) })
        } else {
            Owner::Foreign
        }
    }

    /// Moves a value to the heap and adds its address. If either allocation fails, it does neither.
    pub fn register<H>(&self, value: H) -> Result<*mut H, Error> {
        let made = try_box(value)?;
        self.insert(made as usize).inspect_err(|_| {
            // SAFETY: no one else has this address.
            drop(unsafe { Box::from_raw(made) });
        })?;
        Ok(made)
    }

    /// Adds a nonzero address.
    fn insert(&self, address: usize) -> Result<(), Error> {
        for (i, slot) in self.slots.iter().enumerate() {
            if slot.compare_exchange(0, address, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                self.used.fetch_max(i + 1, Ordering::AcqRel);
                return Ok(());
            }
        }
        let made = try_box(HandleRegistry::new())?;
        if self.next.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: no one else has this address.
            drop(unsafe { Box::from_raw(made) });
        }
        self.next().map_or(Ok(()), |next| next.insert(address))
    }

    /// Removes an address. Returns false if it is not in the set, or if another thread removed it first.
    pub fn remove(&self, address: usize) -> bool {
        let taken = |slot: &AtomicUsize| slot.compare_exchange(address, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        self.slot(address).is_some_and(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let too_much = Layout::from_size_align(1 << 62, 8).unwrap();
        assert!(matches!(allocate(too_much), Err(Error::OutOfMemory(_))));
    }

    #[test]
    fn what_is_adopted_is_living_until_removed() {
        static SET: HandleRegistry = HandleRegistry::new();
        let made = SET.register([7_u64; 3]).unwrap();
        assert!(SET.contains(made as usize) && SET.remove(made as usize) && !SET.contains(made as usize));
        // SAFETY: it is ours, and no longer in the set.
        assert_eq!(*unsafe { Box::from_raw(made) }, [7; 3]);
    }

    #[test]
    fn many_come_and_go() {
        static SET: HandleRegistry = HandleRegistry::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    let mine = |i: usize| 1 + thread + 4 * i;
                    for _ in 0..20 {
                        (0..100).for_each(|i| SET.insert(mine(i)).unwrap());
                        assert!((0..100).all(|i| SET.contains(mine(i))));
                        assert!((0..100).all(|i| SET.remove(mine(i))));
                        assert!(!(0..100).any(|i| SET.contains(mine(i)) || SET.remove(mine(i))));
                    }
                });
            }
        });
    }
}
