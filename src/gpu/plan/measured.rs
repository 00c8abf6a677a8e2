//! Tables of measured times, by device architecture: `src/gpu/arch/`, written by `tephra tune`.
//!
//! A table has, for each precision and class of batch counts, shapes with the fastest plan measured for them. Kernels mask
//! what a matrix leaves of their tile, so the plan of a measured shape takes every shape inside that, in about the same
//! time or less. The estimate of any shape is thus the least time of the measured shapes that contain it, and no shape is
//! planned slower than a larger one; but where the shape itself was measured, that counts, since full tiles may be faster
//! than nearly full ones. Shapes several times as large are not looked at: where measurements are that thin, a
//! routine's own choice knows better.

use crate::gpu::plan::Class;
use crate::routine::Dtype;
use std::fmt;

/// A measured shape, with a choice of its routine's.
#[derive(Clone, Copy, Debug)]
pub struct Entry<C> {
    /// Rows.
    pub m: i64,
    /// Columns.
    pub n: i64,
    /// Terms of a product; 0: there are none.
    pub k: i64,
    /// Time of the whole batch in microseconds.
    pub us: f32,
    /// The plan that was timed.
    pub choice: C,
}

impl<C> Entry<C> {
    /// Whether it contains an m x n matrix and is not so much larger that it says nothing about that; of products, with about
    /// as many terms.
    pub(crate) fn covers(&self, (m, n, k): (i64, i64, i64)) -> bool {
        const PADDING: i64 = 4;
        // A tile of so few elements takes about as long as one that fits.
        const TINY: i64 = 128;
        let near = self.k <= k.saturating_mul(2) && k <= self.k.saturating_mul(2);
        near && self.m >= m && self.n >= n && self.m * self.n <= TINY.max(PADDING * m.saturating_mul(n))
    }
}

/// The measurements of an architecture: entries by precision and class.
#[derive(Debug)]
pub struct Table<C> {
    entries: [[Vec<Entry<C>>; Class::COUNT]; 4],
    count: usize,
}

impl<C> Default for Table<C> {
    fn default() -> Self {
        Table { entries: Default::default(), count: 0 }
    }
}

/// The lines of a table's text without comments and header.
pub fn lines<'a>(text: &'a str, header: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |l| !l.is_empty() && !l.starts_with('#') && *l != header)
}

impl<C: Copy> Table<C> {
    /// Adds an entry.
    pub fn add(&mut self, dtype: Dtype, class: Class, entry: Entry<C>) {
        self.entries[dtype as usize][class.index()].push(entry);
        self.count += 1;
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The time of `size` (m, n and, of products, their terms) or else the least time of the measured shapes that cover it, of
    /// those whose plan `takes` it: of the batch's class, or of the nearest class that has any.
    pub fn best(
        &self,
        dtype: Dtype,
        size: (i64, i64, i64),
        class: Class,
        takes: impl Fn(C) -> bool,
    ) -> Option<(C, Origin)> {
        class.nearest_first().find_map(|class| {
            let covering = self.entries(dtype, class).iter().filter(|e| e.covers(size) && takes(e.choice));
            let order = |e: &Entry<C>| (e.m, e.n, e.k) != size;
            let e = covering.min_by(|a, b| order(a).cmp(&order(b)).then(a.us.total_cmp(&b.us)))?;
            Some((e.choice, Origin::Measured { m: e.m, n: e.n, batch: class.batch(), us: e.us }))
        })
    }

    /// The entries of a precision and class.
    pub fn entries(&self, dtype: Dtype, class: Class) -> &[Entry<C>] {
        &self.entries[dtype as usize][class.index()]
    }
}

/// An entry by its fields in words: precision, batch, m, n, k, us.
pub fn parse_fields<C>(fields: [&str; 6], choice: C) -> Option<(Dtype, Class, Entry<C>)> {
    let [precision, batch, m, n, k, us] = fields;
    let dtype = Dtype::ALL.into_iter().find(|d| precision.parse() == Ok(d.letter()))?;
    let [batch, m, n, k] = [batch, m, n, k].map(|x| x.parse::<i64>().ok());
    let (batch, entry) = (batch?, Entry { m: m?, n: n?, k: k?, us: us.parse().ok()?, choice });
    let class = Class::of(entry.m, entry.n, batch);
    (class.batch() == batch && entry.us > 0.0).then_some((dtype, class, entry))
}

/// Why a plan was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// The least time that the table has for a shape at least as large.
    Measured {
        /// Rows of the measured shape.
        m: i64,
        /// Its columns.
        n: i64,
        /// Its batch count.
        batch: i64,
        /// Its time in microseconds.
        us: f32,
    },
    /// No measurement covers the shape on this device.
    Model,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Measured { m, n, batch, us } => {
                write!(f, "by the table: {us} us were measured for {m} x {n} x {batch}")
            }
            Origin::Model => f.write_str("by the model"),
        }
    }
}
