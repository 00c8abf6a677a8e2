//! Plans by what they were made for, so that a warm call neither searches a table nor allocates.

use super::generation;
use crate::error::Error;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::thread::LocalKey;

/// Most entries: shapes without end must not become memory without end.
const MOST: usize = 4096;

/// A map that forgets everything when the allowed candidates change. Each operation has one per thread: no lock.
pub struct Cache<K, P> {
    generation: u64,
    plans: HashMap<K, P, BuildHasherDefault<Words>>,
}

impl<K, P> Default for Cache<K, P> {
    fn default() -> Self {
        Cache { generation: 0, plans: HashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, P: Clone> Cache<K, P> {
    /// What is kept under `key`, else what `make` makes; errors are not kept. `make` must not use this cache.
    pub fn get(&mut self, key: K, make: impl FnOnce() -> Result<P, Error>) -> Result<P, Error> {
        let now = generation();
        if self.generation != now || self.plans.len() >= MOST {
            self.plans.clear();
            self.generation = now;
        }
        if let Some(p) = self.plans.get(&key) {
            return Ok(p.clone());
        }
        let p = make()?;
        self.plans.insert(key, p.clone());
        Ok(p)
    }
}

/// [`Cache::get`] of this thread's cache; where the thread ends and that is gone, what `make` makes.
pub fn of_thread<K: Copy + Eq + Hash, P: Clone>(
    cache: &'static LocalKey<RefCell<Cache<K, P>>>,
    key: K,
    make: impl FnOnce() -> Result<P, Error>,
) -> Result<P, Error> {
    let mut make = Some(make);
    let mut once = || make.take().map_or_else(|| Err(Error::Internal("a plan is made once".into())), |make| make());
    match cache.try_with(|cache| cache.borrow_mut().get(key, &mut once)) {
        Ok(plan) => plan,
        Err(_) => once(),
    }
}

/// A hash of integers: a multiplication a word. The map takes its place from the low bits and a tag from the high ones, so
/// that the end mixes both.
#[derive(Default)]
pub struct Words(u64);

impl Words {
    fn add(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(26) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.add(u64::from(*b)));
    }
    fn write_u8(&mut self, x: u8) {
        self.add(x.into());
    }
    fn write_u16(&mut self, x: u16) {
        self.add(x.into());
    }
    fn write_u32(&mut self, x: u32) {
        self.add(x.into());
    }
    fn write_u64(&mut self, x: u64) {
        self.add(x);
    }
    fn write_i64(&mut self, x: i64) {
        self.add(x as u64);
    }
    fn write_isize(&mut self, x: isize) {
        self.add(x as u64);
    }
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
