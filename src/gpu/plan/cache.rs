//! Caches plans, so that a warm call neither searches a table nor allocates.

use crate::error::Error;
use crate::gpu::plan::{Limits, Plan, Planned, Shape, generation};
use crate::host::thread_exit::ThreadExit;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// The largest number of entries, so that an endless variety of shapes does not use up memory.
const MOST: usize = 8192;

/// What a plan was built for, packed into whole words. Every call builds and compares a key, and loading a
/// word right after it was stored in parts is slow.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    m: i64,
    n: i64,
    k: i64,
    limits: u64,
    /// The routine, the element type and the form.
    kind: u64,
}

impl Key {
    #[inline]
    fn new<P: Planned>(shape: Shape, limits: Limits) -> Key {
        let Shape { dtype, form, m, n, k } = shape;
        let mut routine = Word(0);
        TypeId::of::<P>().hash(&mut routine);
        let kind = routine.0 ^ (dtype as u64) << 32 ^ u64::from(form);
        Key { m, n, k, limits: limits.word(), kind }
    }
}

impl Hash for Key {
    /// A sum of products with odd numbers. The map takes the slot from the low bits and a tag from the high
    /// ones, so the last step mixes both.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let sum = (self.m as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add((self.n as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            .wrapping_add((self.k as u64).wrapping_mul(0x1656_67b1_9e37_79f9))
            .wrapping_add((self.limits ^ self.kind).wrapping_mul(0xd6e8_feb8_6659_fd93));
        state.write_u64(sum ^ sum >> 32);
    }
}

/// Passes a finished hash on.
#[derive(Default)]
struct Word(u64);

impl Hasher for Word {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.0 = self.0.rotate_left(8) ^ u64::from(*b));
    }
    #[inline]
    fn write_u64(&mut self, x: u64) {
        self.0 ^= x;
    }
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A cache that is cleared whenever the allowed candidates change. Each thread has its own, so it needs no
/// lock.
struct Cache {
    generation: u64,
    /// Each value is a [`Plan`] of the key's routine.
    plans: HashMap<Key, Rc<dyn Any>, BuildHasherDefault<Word>>,
    /// Whether the end of the thread frees the plans.
    is_freed: bool,
}

impl Cache {
    const EMPTY: Cache =
        Cache { generation: 0, plans: HashMap::with_hasher(BuildHasherDefault::new()), is_freed: false };
}

thread_local! {
    // It has no destructor, see `host::thread_exit`.
    static PLANS: ManuallyDrop<RefCell<Cache>> = const { ManuallyDrop::new(RefCell::new(Cache::EMPTY)) };
}

static AT_EXIT: ThreadExit = ThreadExit::new(free_all);

unsafe extern "C" fn free_all(_: *mut c_void) {
    PLANS.with(|cache| drop(cache.replace(Cache::EMPTY)));
}

impl Cache {
    fn find(&mut self, key: &Key) -> Option<&Rc<dyn Any>> {
        let now = generation();
        if self.generation != now || self.plans.len() >= MOST {
            self.plans.clear();
            self.generation = now;
        }
        self.plans.get(key)
    }

    /// Keeps a plan, if there is memory for it.
    fn keep(&mut self, key: Key, plan: Rc<dyn Any>) {
        self.is_freed = self.is_freed || AT_EXIT.ask();
        if self.is_freed && self.plans.try_reserve(1).is_ok() {
            self.plans.insert(key, plan);
        }
    }
}

/// The plan of a non-empty problem, from this thread's cache. Errors are not cached. `device` returns the current device's limits.
pub fn of<P: Planned>(p: &P, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Rc<Plan<P>>, Error> {
    let limits = p.limits(device)?;
    let shape = p.shape(limits);
    let key = Key::new::<P>(shape, limits);
    let kept = PLANS.with(|cache| cache.borrow_mut().find(&key).cloned());
    match kept.map(Rc::downcast) {
        Some(Ok(plan)) => Ok(plan),
        _ => make(key, shape, limits),
    }
}

#[cold]
fn make<P: Planned>(key: Key, shape: Shape, limits: Limits) -> Result<Rc<Plan<P>>, Error> {
    let plan = Rc::new(Plan { limits, ..P::plan(shape, limits)? });
    PLANS.with(|cache| cache.borrow_mut().keep(key, plan.clone()));
    Ok(plan)
}
