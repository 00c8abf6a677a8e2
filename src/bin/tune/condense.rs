//! Condenses all timings to the table that the library reads (`src/gpu/geqrf/measured.rs`): the fastest plan of each
//! shape, without the entries that the others imply.

use super::record::{Record, terms};
use crate::case::Case;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A plan that is slower than the fastest by at most this factor counts as equally good.
const AS_GOOD: f64 = 1.02;

/// Shapes with more than this many times the elements are ignored, as in src/gpu/plan/measured.rs.
const PADDING: usize = 4;

/// The text of geqrf's table, or of that of the other operations.
pub fn table(records: &[Record], geqrf: bool) -> String {
    let mut text = String::from(match geqrf {
        true => {
            "# Fastest measured plans, written by tephra tune. How it is read: src/gpu/geqrf/measured.rs.\n\
             precision,batch,m,n,us,plan\n"
        }
        false => {
            "# Fastest measured plans, written by tephra tune --op. How it is read: src/gpu/plan/tuned.rs.\n\
             op,precision,batch,m,n,k,us,plan\n"
        }
    });
    let mut groups: BTreeMap<_, BTreeMap<Case, Vec<&Record>>> = BTreeMap::new();
    for r in records.iter().filter(|r| (r.case.op.name == "geqrf") == geqrf) {
        groups.entry((r.case.op, r.case.dtype, r.case.shape.batch)).or_default().entry(r.case).or_default().push(r);
    }
    for ((op, dtype, batch), cases) in groups {
        let mut entries: Vec<&Record> = vec![];
        // Condense for lookups of any plan, and for those of panels of larger matrices, which take kernels only. Each
        // kind of lookup also sees the other's entries, so this is repeated until nothing changes.
        let mut before = usize::MAX;
        while before != entries.len() {
            before = entries.len();
            condense(&cases, &mut entries, |_| true);
            if geqrf {
                condense(&cases, &mut entries, |r| r.plan.starts_with("resident="));
            }
        }
        entries.sort_by_key(|r| (r.case, r.plan.clone()));
        for r in entries {
            let (m, n, us) = (r.case.shape.m, r.case.shape.n, significant(1e3 * r.ms));
            let (letter, plan) = (dtype.letter(), &r.plan);
            let _ = match geqrf {
                true => writeln!(text, "{letter},{batch},{m},{n},{us},{plan}"),
                false => writeln!(text, "{},{letter},{batch},{m},{n},{},{us},{plan}", op.name, terms(&r.case)),
            };
        }
    }
    text
}

/// Adds the entries needed by lookups that are restricted to plans of `kind`.
fn condense<'a>(
    cases: &BTreeMap<Case, Vec<&'a Record>>,
    entries: &mut Vec<&'a Record>,
    kind: impl Fn(&Record) -> bool,
) {
    // An entry only affects smaller shapes, so going from large to small never invalidates earlier decisions.
    let mut order: Vec<_> = cases.iter().collect();
    order.sort_by_key(|(case, _)| std::cmp::Reverse(case.shape.m * case.shape.n));
    for (case, times) in order {
        let of_kind = || times.iter().copied().filter(|r| kind(r));
        let Some(fastest) = of_kind().min_by(|a, b| a.ms.total_cmp(&b.ms)) else { continue };
        // Mimic the library's lookup: entries of the shape itself come first, then, of the entries that cover the shape
        // and whose plan supports it, the one with the least time. Kernels that support the shape were timed for it. A
        // blocking may not have been timed, if another one starts with the same steps, but the lookup can still find
        // it.
        let covers = |e: &&&Record| {
            let (large, small) = (e.case.shape, case.shape);
            let (more, terms) = (terms(&e.case), terms(case));
            let near = more <= 2 * terms && terms <= 2 * more;
            near && large.m >= small.m && large.n >= small.n && large.m * large.n <= PADDING * small.m * small.n
        };
        let time_of = |plan: &str| of_kind().find(|r| r.plan == plan).map(|r| r.ms);
        let implied = entries
            .iter()
            .filter(covers)
            .filter(|e| kind(e) && (e.plan.starts_with("blocked") || time_of(&e.plan).is_some()))
            .min_by(|a, b| (a.case != *case).cmp(&(b.case != *case)).then(a.ms.total_cmp(&b.ms)));
        let good = implied.and_then(|e| time_of(&e.plan)).is_some_and(|ms| ms <= AS_GOOD * fastest.ms);
        if !good && !entries.iter().any(|e| std::ptr::eq(*e, fastest)) {
            entries.push(fastest);
        }
    }
}

/// Four significant digits.
fn significant(x: f64) -> String {
    let digits = 3i32.saturating_sub(x.log10().floor() as i32).clamp(0, 6) as usize;
    format!("{x:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Options, Shape};
    use crate::ops::named;
    use tephra_testkit::Dtype;

    fn record(m: usize, n: usize, plan: &str, us: f64) -> Record {
        let case = Case::packed(named("geqrf"), Dtype::D, Shape { m, n, batch: 1000 });
        Record { case, plan: plan.into(), ms: us * 1e-3, repeats: 3 }
    }

    fn rows(records: &[Record]) -> Vec<String> {
        table(records, true).lines().filter(|l| !l.starts_with(['#', 'p'])).map(str::to_owned).collect()
    }

    #[test]
    fn other_operations_have_a_table_of_their_own() {
        let of = |op, m: usize, n, k, plan: &str, us: f64| {
            let case = Case::packed(op, Dtype::S, Shape { m, n, batch: 1000 });
            let case = Case { options: Options { k, ..case.options }, ..case };
            Record { case, ..record(m, n, plan, us) }
        };
        let all = [
            of(named("gemm"), 64, 64, 64, "tiles=a", 20.0),
            of(named("gemm"), 64, 64, 64, "lanes=b", 30.0),
            // Equally good, with about as many terms.
            of(named("gemm"), 60, 60, 60, "tiles=a", 20.0),
            of(named("gemm"), 64, 64, 16, "tiles=a", 9.0),
            of(named("potrf"), 200, 200, 0, "blocked", 50.0),
            of(named("potrf"), 200, 200, 0, "blocked=64", 40.0),
            record(64, 64, "resident=a", 50.0),
        ];
        let text = table(&all, false);
        let rows: Vec<&str> = text.lines().skip(2).collect();
        let expected = [
            "potrf,s,1000,200,200,0,40.00,blocked=64",
            "gemm,s,1000,64,64,16,9.000,tiles=a",
            "gemm,s,1000,64,64,64,20.00,tiles=a",
        ];
        assert_eq!(rows, expected);
        assert_eq!(self::rows(&all), ["d,1000,64,64,50.00,resident=a"]);
    }

    #[test]
    fn what_is_implied_is_left_out() {
        let mut all = vec![
            record(64, 64, "resident=a", 50.0),
            record(64, 64, "blocked=32/32", 60.0),
            record(40, 40, "resident=a", 40.1),
            record(40, 40, "blocked=32/32", 40.0),
        ];
        // At 40 x 40, the plan of 64 x 64 is as good as the fastest.
        assert_eq!(rows(&all), ["d,1000,64,64,50.00,resident=a"]);
        all[3].ms = 0.030;
        let expected = ["d,1000,40,40,30.00,blocked=32/32", "d,1000,64,64,50.00,resident=a"];
        assert_eq!(rows(&all), expected);
    }

    #[test]
    fn kernels_for_panels_are_kept_beside_faster_plans() {
        let all = [record(64, 64, "resident=a", 50.0), record(64, 64, "blocked=32/32", 20.0)];
        assert_eq!(rows(&all), ["d,1000,64,64,20.00,blocked=32/32", "d,1000,64,64,50.00,resident=a"]);
    }

    #[test]
    fn a_kernel_for_panels_does_not_hide_a_faster_plan() {
        // The plan of 96 x 96 is as good as the fastest at 64 x 64, but the kernel kept for panels has a smaller time.
        let all = [
            record(96, 96, "blocked=32/32", 90.0),
            record(64, 64, "blocked=32/32", 40.0),
            record(64, 64, "resident=a", 50.0),
        ];
        let expected =
            ["d,1000,64,64,40.00,blocked=32/32", "d,1000,64,64,50.00,resident=a", "d,1000,96,96,90.00,blocked=32/32"];
        assert_eq!(rows(&all), expected);
    }

    #[test]
    fn a_shape_slower_than_a_larger_one_keeps_its_plan() {
        let all = [
            record(32, 32, "resident=a", 30.0),
            record(31, 31, "resident=a", 50.0),
            record(31, 31, "resident=b", 40.0),
        ];
        assert_eq!(rows(&all), ["d,1000,31,31,40.00,resident=b", "d,1000,32,32,30.00,resident=a"]);
    }

    #[test]
    fn an_entry_whose_plan_was_not_tried_implies_nothing() {
        let all = [record(64, 64, "resident=a", 9.0), record(40, 40, "resident=b", 10.0)];
        assert_eq!(rows(&all).len(), 2);
    }

    #[test]
    fn a_blocking_that_was_not_tried_hides_nothing() {
        // The lookup of 64 x 64 would prefer the entry of 80 x 64, which has a smaller time than that of 96 x 96.
        let all = [
            record(96, 96, "blocked=32/32", 90.0),
            record(80, 64, "blocked=64/64", 60.0),
            record(64, 64, "blocked=32/32", 40.0),
        ];
        assert_eq!(rows(&all).len(), 3);
    }

    #[test]
    fn times_keep_four_digits() {
        assert_eq!([2.34159, 23.4159, 234159.0, 0.023416].map(significant), ["2.342", "23.42", "234159", "0.02342"]);
    }
}
