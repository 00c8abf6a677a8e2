//! Tables of measured times per device architecture: `src/gpu/arch/`, written by `tephra tune`.
//!
//! For each precision and class of batch counts, a table lists shapes with the fastest plan measured for
//! them. Kernels mask the part of their tile that lies outside the matrix, so the plan of a measured shape
//! handles every smaller shape in about the same time or less. The estimate for a shape is therefore the
//! least time among the measured shapes that contain it, and no shape gets a slower plan than a larger one.
//! If the shape itself was measured, that measurement takes precedence, because full tiles may be faster than
//! nearly full ones. Much larger shapes are not considered: where measurements are that sparse, the routine's
//! own rules are better.

use crate::gpu::plan::Class;
use crate::routine::Dtype;
use std::fmt;

/// A measured shape and the plan that was fastest for it.
#[derive(Clone, Copy, Debug)]
pub struct Entry<C> {
    /// Rows.
    pub m: i64,
    /// Columns.
    pub n: i64,
    /// Terms of a product; 0 for other routines.
    pub k: i64,
    /// Time of the whole batch in microseconds.
    pub us: f32,
    /// The plan that was timed.
    pub choice: C,
}

impl<C> Entry<C> {
    /// Whether this measurement applies to the given size: the measured shape contains it and is not much
    /// larger, and for products the number of terms is similar.
    pub(crate) fn covers(&self, (m, n, k): (i64, i64, i64)) -> bool {
        const PADDING: i64 = 4;
        // A tile with so few elements takes about as long as one that fits.
        const TINY: i64 = 128;
        let near = self.k <= k.saturating_mul(2) && k <= self.k.saturating_mul(2);
        near && self.m >= m && self.n >= n && self.m * self.n <= TINY.max(PADDING * m.saturating_mul(n))
    }
}

/// The measurements on an architecture: entries by precision and class.
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

/// The lines of a table without comments, blank lines and the header.
pub fn lines<'a>(text: &'a str, header: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |l| !l.is_empty() && !l.starts_with('#') && *l != header)
}

impl<C: Copy> Table<C> {
    /// Adds an entry.
    pub fn add(&mut self, dtype: Dtype, class: Class, entry: Entry<C>) {
        self.entries[dtype as usize][class.index()].push(entry);
        self.count += 1;
    }

    /// Whether the table has no entry.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The best measured choice for `size` (m, n and, for products, the number of terms) among those that
    /// `takes` accepts: that of `size` itself, or else the fastest among the measured shapes that cover it.
    /// Entries of the batch's class are preferred, then those of the nearest class that has any.
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

/// Parses an entry from its fields: precision, batch, m, n, k, us.
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
    /// The table's least time among shapes that contain this one.
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
