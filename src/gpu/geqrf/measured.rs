//! Tables of measured times, by device architecture: `src/gpu/arch/`, written by `tephra tune`.
//!
//! A table has, for each precision and class of batch counts, shapes with the fastest plan measured for them. Kernels mask
//! what a matrix leaves of their tile, so the plan of a measured shape takes every shape inside that, in about the same
//! time or less. The estimate of any shape is thus the least time of the measured shapes that contain it, and no shape is
//! planned slower than a larger one; but where the shape itself was measured, that counts, since full tiles may be faster
//! than nearly full ones. Shapes several times as large are not looked at: where measurements are that thin, the
//! model of [`crate::gpu::geqrf::select`] knows better.

use crate::gpu::arch;
use crate::gpu::geqrf::select::{Choice, Origin};
use crate::gpu::plan::Class;
use crate::routine::Dtype;
use once_cell::sync::OnceCell;

/// A measured shape, with a choice of geqrf's or of another routine's.
#[derive(Clone, Copy, Debug)]
pub struct Entry<C = Choice> {
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
    fn covers(&self, (m, n, k): (i64, i64, i64)) -> bool {
        const PADDING: i64 = 4;
        // A tile of so few elements takes about as long as one that fits.
        const TINY: i64 = 128;
        let near = self.k <= k.saturating_mul(2) && k <= self.k.saturating_mul(2);
        near && self.m >= m && self.n >= n && self.m * self.n <= TINY.max(PADDING * m.saturating_mul(n))
    }
}

/// The measurements of an architecture: entries by precision and class.
#[derive(Debug)]
pub struct Table<C = Choice> {
    entries: [[Vec<Entry<C>>; Class::COUNT]; 4],
    count: usize,
}

impl<C> Default for Table<C> {
    fn default() -> Self {
        Table { entries: Default::default(), count: 0 }
    }
}

impl Table {
    /// The table of a compute capability (times ten), if there is one.
    pub fn of(arch: u16) -> Option<&'static Table> {
        static TABLES: [OnceCell<Table>; arch::ALL.len()] = [const { OnceCell::new() }; arch::ALL.len()];
        let (table, (_, described)) = TABLES.iter().zip(&arch::ALL).find(|(_, (of, _))| *of == arch)?;
        // Lines that name what does not exist are left out here; a test refuses them.
        Some(table.get_or_init(|| Table::parse(described.tables.geqrf).0))
    }

    /// Reads lines of `precision,batch,m,n,us,plan`; `#` starts a comment line. Also returns the lines that are wrong.
    pub fn parse(text: &str) -> (Table, Vec<String>) {
        let (mut table, mut wrong) = (Table::default(), vec![]);
        for line in lines(text, HEADER) {
            match parse_line(line) {
                Some((dtype, class, entry)) => table.add(dtype, class, entry),
                None => wrong.push(line.to_owned()),
            }
        }
        (table, wrong)
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

const HEADER: &str = "precision,batch,m,n,us,plan";

fn parse_line(line: &str) -> Option<(Dtype, Class, Entry)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [precision, batch, m, n, us, plan] = fields.try_into().ok()?;
    let choice = Choice::parse(plan)?;
    let (dtype, class, entry) = parse_fields([precision, batch, m, n, "0", us], choice)?;
    let right_type = !matches!(choice, Choice::Resident(r) if r.dtype != dtype);
    right_type.then_some((dtype, class, entry))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_what_exists() {
        for (arch, described) in &arch::ALL {
            let (_, wrong) = Table::parse(described.tables.geqrf);
            assert!(wrong.is_empty(), "src/gpu/arch/sm_{arch}.csv, run tephra tune again: {wrong:#?}");
        }
    }

    #[test]
    fn wrong_lines_are_found() {
        let lines =
            ["d,1000,8,8,5.0,generic", "d,1000,8,8,5.0,resident=gone", "d,999,8,8,5.0,generic", "d,1000,8,8,generic"];
        let (table, wrong) = Table::parse(&lines.join("\n"));
        assert_eq!(wrong, lines[1..]);
        assert_eq!(table.entries(Dtype::D, Class::of(8, 8, 1000)).len(), 1);
    }

    /// Time estimated for a shape, the batch count that it is for, and the elements of the shape that it comes from.
    fn estimate(table: &Table, dtype: Dtype, m: i64, n: i64, batch: i64) -> Option<(f32, i64, i64)> {
        match table.best(dtype, (m, n, 0), Class::of(m, n, batch), |c| c.takes(m, n))?.1 {
            Origin::Measured { us, batch, m, n } => Some((us, batch, m * n)),
            Origin::Model => None,
        }
    }

    fn has_no_cliffs(table: &Table) {
        let sizes =
            [1, 2, 4, 5, 8, 9, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 200, 256, 500, 1000];
        let shapes = || sizes.iter().flat_map(|m| sizes.map(|n| (*m, n)));
        for (dtype, class) in Dtype::ALL.iter().flat_map(|d| Class::ALL.map(|c| (*d, c))) {
            for (m, n) in shapes() {
                let Some((us, batch, measured)) = estimate(table, dtype, m, n, class.batch()) else { continue };
                let what = format!("{dtype:?} {m} x {n} x {batch}: {us} us");
                // A shape's own time may be longer than a larger one's: columns at odd places are not loaded and stored by
                // whole chunks.
                let us = if measured == m * n { us / 1.3 } else { us };
                // Not slower than anything measured that it could be padded to
                let origin = Class::ALL.into_iter().find(|c| c.batch() == batch).unwrap();
                for e in table.entries(dtype, origin) {
                    let larger = e.covers((m, n, 0)) && e.choice.takes(m, n);
                    assert!(!larger || us <= e.us, "{what}, {e:?}");
                }
                // Nor slower than its neighbours.
                for (m1, n1) in [(m + 1, n), (m, n + 1)] {
                    let next = estimate(table, dtype, m1, n1, class.batch());
                    let worse = next.is_some_and(|next| next.0 < us && next.1 == batch && next.2 <= 4 * m * n);
                    assert!(!worse, "{what}, {m1} x {n1}: {next:?}");
                }
            }
        }
    }

    #[test]
    fn the_table_has_no_cliffs() {
        arch::ALL.iter().for_each(|(_, described)| has_no_cliffs(&Table::parse(described.tables.geqrf).0));
    }

    /// What holds for a small table: exact, between, outside.
    #[test]
    fn estimates_come_from_the_shapes_that_contain() {
        let lines = [
            "d,1000,64,64,50,blocked=32/32",
            "d,1000,32,32,9,generic",
            "d,1000,64,16,7,blocked=16/32",
            "d,100,100,100,900,generic",
        ];
        let (table, wrong) = Table::parse(&lines.join("\n"));
        assert!(wrong.is_empty());
        has_no_cliffs(&table);
        let of = |m, n| estimate(&table, Dtype::D, m, n, 1000).map(|e| e.0);
        assert_eq!([of(32, 32), of(40, 30), of(32, 15), of(33, 10)], [9.0, 50.0, 7.0, 7.0].map(Some));
        assert_eq!([of(65, 64), of(101, 100)], [Some(900.0), None], "from the class below, then from none");
        assert_eq!(of(8, 8), None, "nothing near");
        assert_eq!(estimate(&table, Dtype::S, 8, 8, 1000), None);
    }
}
