//! geqrf's tables of measured times ([`crate::gpu::plan::measured`]). Where they have no similar shape, the model in
//! [`crate::gpu::geqrf::select`] decides.

use crate::gpu::arch;
use crate::gpu::geqrf::select::Choice;
use crate::gpu::plan::Class;
use crate::gpu::plan::measured::{Entry, Table, lines, parse_fields};
use crate::routine::Dtype;
use once_cell::sync::OnceCell;

/// The table of a compute capability (times ten), if there is one.
pub fn table(arch: u16) -> Option<&'static Table<Choice>> {
    static TABLES: [OnceCell<Table<Choice>>; arch::ALL.len()] = [const { OnceCell::new() }; arch::ALL.len()];
    let (table, (_, described)) = TABLES.iter().zip(&arch::ALL).find(|(_, (of, _))| *of == arch)?;
    // Lines that name unknown kernels are skipped here; a test rejects them.
    Some(table.get_or_init(|| parse(described.tables.geqrf).0))
}

/// Reads lines of `precision,batch,m,n,us,plan`; `#` starts a comment line. Also returns the lines that are wrong.
pub fn parse(text: &str) -> (Table<Choice>, Vec<String>) {
    let (mut table, mut wrong) = (Table::default(), vec![]);
    for line in lines(text, HEADER) {
        match parse_line(line) {
            Some((dtype, class, entry)) => table.add(dtype, class, entry),
            None => wrong.push(line.to_owned()),
        }
    }
    (table, wrong)
}

const HEADER: &str = "precision,batch,m,n,us,plan";

fn parse_line(line: &str) -> Option<(Dtype, Class, Entry<Choice>)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [precision, batch, m, n, us, plan] = fields.try_into().ok()?;
    let choice = Choice::parse(plan)?;
    let (dtype, class, entry) = parse_fields([precision, batch, m, n, "0", us], choice)?;
    let right_type = !matches!(choice, Choice::Resident(r) if r.dtype != dtype);
    right_type.then_some((dtype, class, entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::measured::Origin;

    #[test]
    fn the_table_names_what_exists() {
        for (arch, described) in &arch::ALL {
            let (_, wrong) = parse(described.tables.geqrf);
            assert!(wrong.is_empty(), "src/gpu/arch/sm_{arch}.csv, run tephra tune again: {wrong:#?}");
        }
    }

    #[test]
    fn wrong_lines_are_found() {
        let lines =
            ["d,1000,8,8,5.0,generic", "d,1000,8,8,5.0,resident=gone", "d,999,8,8,5.0,generic", "d,1000,8,8,generic"];
        let (table, wrong) = parse(&lines.join("\n"));
        assert_eq!(wrong, lines[1..]);
        assert_eq!(table.entries(Dtype::D, Class::of(8, 8, 1000)).len(), 1);
    }

    /// The time estimated for a shape, the batch count that it holds for, and the number of elements of the measured
    /// shape.
    fn estimate(table: &Table<Choice>, dtype: Dtype, m: i64, n: i64, batch: i64) -> Option<(f32, i64, i64)> {
        match table.best(dtype, (m, n, 0), Class::of(m, n, batch), |c| c.takes(m, n))?.1 {
            Origin::Measured { us, batch, m, n } => Some((us, batch, m * n)),
            Origin::Model => None,
        }
    }

    fn has_no_cliffs(table: &Table<Choice>) {
        let sizes =
            [1, 2, 4, 5, 8, 9, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 200, 256, 500, 1000];
        let shapes = || sizes.iter().flat_map(|m| sizes.map(|n| (*m, n)));
        for (dtype, class) in Dtype::ALL.iter().flat_map(|d| Class::ALL.map(|c| (*d, c))) {
            for (m, n) in shapes() {
                let Some((us, batch, measured)) = estimate(table, dtype, m, n, class.batch()) else { continue };
                let what = format!("{dtype:?} {m} x {n} x {batch}: {us} us");
                // A measured shape may take longer than a larger one, because columns at odd offsets are not loaded
                // and stored in whole chunks.
                let us = if measured == m * n { us / 1.3 } else { us };
                // No slower than any measured shape to which it could be padded.
                let origin = Class::ALL.into_iter().find(|c| c.batch() == batch).unwrap();
                for e in table.entries(dtype, origin) {
                    let larger = e.covers((m, n, 0)) && e.choice.takes(m, n);
                    assert!(!larger || us <= e.us, "{what}, {e:?}");
                }
                // No slower than its neighbours.
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
        arch::ALL.iter().for_each(|(_, described)| has_no_cliffs(&parse(described.tables.geqrf).0));
    }

    /// The rules on a small table: an exact match, between entries, and outside.
    #[test]
    fn estimates_come_from_the_shapes_that_contain() {
        let lines = [
            "d,1000,64,64,50,blocked=32/32",
            "d,1000,32,32,9,generic",
            "d,1000,64,16,7,blocked=16/32",
            "d,100,100,100,900,generic",
        ];
        let (table, wrong) = parse(&lines.join("\n"));
        assert!(wrong.is_empty());
        has_no_cliffs(&table);
        let of = |m, n| estimate(&table, Dtype::D, m, n, 1000).map(|e| e.0);
        assert_eq!([of(32, 32), of(40, 30), of(32, 15), of(33, 10)], [9.0, 50.0, 7.0, 7.0].map(Some));
        assert_eq!([of(65, 64), of(101, 100)], [Some(900.0), None], "from the class below, then from none");
        assert_eq!(of(8, 8), None, "nothing near");
        assert_eq!(estimate(&table, Dtype::S, 8, 8, 1000), None);
    }
}
