//! Choices for LU, Cholesky and products by measured times or by the list of allowed plans. The table is
//! [`arch::Tables::others`], which `tephra tune --op` writes; it is read as geqrf's is
//! ([`crate::gpu::plan::measured`]). A routine without entries in the table uses its own rules.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::plan::measured::{Entry, Origin, Table, lines, parse_fields};
use crate::gpu::plan::table::{
    GEMM, GEMM_LANES, GETRF_LEFT_LOOKING, GETRF_NOPIV_GRID, GETRF_NOPIV_SMALL, GETRF_PANEL, GETRF_SMALL, GETRF_TEAM,
    Instance, POTRF_ROWS, POTRF_SMALL, POTRF_TEAM,
};
use crate::gpu::plan::{Class, Limits, allowed, pins};
use crate::routine::Dtype;
use once_cell::sync::{Lazy, OnceCell};
use std::fmt;

/// A routine that can be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuned {
    /// With interchanges.
    Getrf,
    /// Without interchanges.
    GetrfNopiv,
    /// Either triangle.
    Potrf,
    /// All transpositions.
    Gemm,
}

impl Tuned {
    const ALL: [Tuned; 4] = [Tuned::Getrf, Tuned::GetrfNopiv, Tuned::Potrf, Tuned::Gemm];

    /// Its name in tables.
    fn name(self) -> &'static str {
        match self {
            Tuned::Getrf => "getrf",
            Tuned::GetrfNopiv => "getrf_nopiv",
            Tuned::Potrf => "potrf",
            Tuned::Gemm => "gemm",
        }
    }

    /// For each candidate that is a single launch, the families of its kernels.
    fn families(self) -> &'static [(&'static str, &'static [&'static [Instance]])] {
        match self {
            Tuned::Getrf => const { &[("resident", &[GETRF_SMALL, GETRF_PANEL, GETRF_TEAM, GETRF_LEFT_LOOKING])] },
            Tuned::GetrfNopiv => {
                const { &[("resident", &[GETRF_NOPIV_SMALL, GETRF_NOPIV_GRID, GETRF_PANEL, GETRF_TEAM, GETRF_LEFT_LOOKING])] }
            }
            Tuned::Potrf => const { &[("resident", &[POTRF_SMALL, POTRF_TEAM, POTRF_ROWS])] },
            Tuned::Gemm => const { &[("lanes", &[GEMM_LANES]), ("tiles", &[GEMM])] },
        }
    }

    /// The kernels of those families for a type.
    fn kernels(self, dtype: Dtype) -> impl Iterator<Item = Choice> {
        let named = |&(name, families): &(&'static str, &'static [&'static [Instance]])| {
            families.iter().flat_map(|family| family.iter()).map(move |instance| Choice::Kernel(name, instance))
        };
        self.families().iter().flat_map(named).filter(move |c| matches!(c, Choice::Kernel(_, i) if i.dtype == dtype))
    }

    /// Parses the full name of a choice.
    fn parse(self, text: &str) -> Option<Choice> {
        let (candidate, parameter) = text.split_once('=').unwrap_or((text, ""));
        if candidate == BLOCKED && self != Tuned::Gemm {
            let width = if parameter.is_empty() { Ok(0) } else { parameter.parse() };
            return width.ok().filter(|w: &i64| *w > 0 || parameter.is_empty()).map(Choice::Blocked);
        }
        Dtype::ALL.into_iter().flat_map(|dtype| self.kernels(dtype)).find(|kernel| kernel.to_string() == text)
    }

    /// Whether the list of allowed plans permits the choice. A pin only counts if it names a choice of this
    /// routine, since the list may also hold pins for other routines.
    pub fn permits(self, choice: Choice) -> bool {
        let candidate = choice.candidate();
        let own: Vec<Choice> = match choice {
            Choice::Blocked(_) => {
                pins(BLOCKED).iter().filter_map(|pin| self.parse(&format!("{BLOCKED}={pin}"))).collect()
            }
            Choice::Kernel(..) => {
                let all = || Dtype::ALL.into_iter().flat_map(|dtype| self.kernels(dtype));
                self.families()
                    .iter()
                    .flat_map(|(name, _)| pins(name))
                    .flat_map(|pin| all().filter(move |c| c.ends_with(&pin)))
                    .collect()
            }
        };
        // Products have no candidates that the list could forbid except by pinning one of their kernels.
        (self == Tuned::Gemm || allowed(candidate)) && (own.is_empty() || own.contains(&choice))
    }

    /// The limits of a problem. The batch count only matters if there are measurements.
    pub fn limits(self, device: Limits, (m, n): (i64, i64), batch: i64) -> Limits {
        if table(self, device.arch).is_empty() { device } else { device.with_batch(m, n, batch) }
    }

    /// Whether anything was measured on any device.
    pub fn is_measured(self) -> bool {
        arch::ALL.iter().any(|(arch, _)| !table(self, *arch).is_empty())
    }

    /// The fastest measured choice among those that are permitted and that `takes` accepts for the shape.
    pub fn measured(
        self,
        dtype: Dtype,
        size: (i64, i64, i64),
        limits: Limits,
        takes: impl Fn(Choice) -> bool,
    ) -> Option<(Choice, Origin)> {
        table(self, limits.arch).best(dtype, size, limits.class, |c| takes(c) && self.permits(c))
    }

    /// One line for each choice with different launches: the routine's own choice first, then its kernels,
    /// then the blocked plans of the given widths.
    pub fn list<L: PartialEq>(
        self,
        dtype: Dtype,
        own: Choice,
        widths: &[i64],
        launches: impl Fn(Choice) -> Result<Option<Vec<L>>, Error>,
    ) -> String {
        let blocked = widths.iter().map(|&width| Choice::Blocked(width));
        let (mut seen, mut text) = (vec![], String::new());
        for choice in [own].into_iter().chain(self.kernels(dtype)).chain(blocked) {
            let Ok(Some(steps)) = launches(choice) else { continue };
            if seen.contains(&steps) {
                continue;
            }
            seen.push(steps);
            text += &match choice {
                // Tiles of products accept matrices of any size.
                Choice::Kernel(_, i) if self != Tuned::Gemm => format!("{choice} {} {}\n", i.rows, i.columns),
                _ => format!("{choice}\n"),
            };
        }
        text
    }
}

/// A candidate with its parameters. Its text form is what [`crate::gpu::plan::set_allowed`] accepts to pin
/// it.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// One launch of this instance; the name is the candidate's.
    Kernel(&'static str, &'static Instance),
    /// Several launches, with at most this many columns per block; 0 lets the routine choose.
    Blocked(i64),
}

const BLOCKED: &str = "blocked";

impl Choice {
    /// The candidate's name.
    pub fn candidate(self) -> &'static str {
        match self {
            Choice::Kernel(name, _) => name,
            Choice::Blocked(_) => BLOCKED,
        }
    }

    fn ends_with(&self, pin: &str) -> bool {
        matches!(self, Choice::Kernel(_, i) if !pin.is_empty() && i.name().ends_with(pin))
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::Kernel(_, a), Choice::Kernel(_, b)) => a.kernel == b.kernel,
            (Choice::Blocked(a), Choice::Blocked(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Kernel(name, instance) => write!(f, "{name}={}", instance.name()),
            Choice::Blocked(0) => f.write_str(BLOCKED),
            Choice::Blocked(width) => write!(f, "{BLOCKED}={width}"),
        }
    }
}

/// The two texts of [`crate::gpu::plan::Plan::detail`] for a measured choice.
pub fn plan_detail(choice: Choice, origin: Origin) -> (String, String) {
    let parameter = if let Choice::Blocked(w @ 1..) = choice { format!("={w}") } else { String::new() };
    (parameter, format!("; chosen {origin}"))
}

type Tables = [Table<Choice>; Tuned::ALL.len()];

/// A routine's table for an architecture.
fn table(of: Tuned, arch: u16) -> &'static Table<Choice> {
    static NONE: Lazy<Table<Choice>> = Lazy::new(Table::default);
    #[cfg(test)]
    if let Some(tables) = tests::TABLES.get() {
        return &tables[of as usize];
    }
    static TABLES: [OnceCell<Tables>; arch::ALL.len()] = [const { OnceCell::new() }; arch::ALL.len()];
    let found = TABLES.iter().zip(&arch::ALL).find(|(_, (of, _))| *of == arch);
    // Lines that name unknown kernels are skipped here; a test rejects them.
    found
        .map_or(&NONE, |(tables, (_, described))| &tables.get_or_init(|| parse(described.tables.others).0)[of as usize])
}

const HEADER: &str = "op,precision,batch,m,n,k,us,plan";

/// Parses a table. Also returns the lines that are wrong.
fn parse(text: &str) -> (Tables, Vec<String>) {
    let (mut tables, mut wrong) = (Tables::default(), vec![]);
    for line in lines(text, HEADER) {
        match parse_line(line) {
            Some((of, dtype, class, entry)) => tables[of as usize].add(dtype, class, entry),
            None => wrong.push(line.to_owned()),
        }
    }
    (tables, wrong)
}

fn parse_line(line: &str) -> Option<(Tuned, Dtype, Class, Entry<Choice>)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [op, precision, batch, m, n, k, us, plan] = fields.try_into().ok()?;
    let of = Tuned::ALL.into_iter().find(|of| of.name() == op)?;
    let choice = of.parse(plan)?;
    let (dtype, class, entry) = parse_fields([precision, batch, m, n, k, us], choice)?;
    let right_type = !matches!(choice, Choice::Kernel(_, i) if i.dtype != dtype);
    (right_type && (entry.k > 0) == (of == Tuned::Gemm)).then_some((of, dtype, class, entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::{Plan, Planned, Shape};
    use crate::routine::{Gemm, Getrf, Potrf};
    use std::cell::Cell;

    thread_local! {
        /// Replaces the device's tables.
        pub static TABLES: Cell<Option<&'static Tables>> = const { Cell::new(None) };
    }

    /// Plans follow the table where it has an entry, and say so.
    #[test]
    fn tables_are_followed() {
        let lanes = Tuned::Gemm.kernels(Dtype::D).next().unwrap();
        let panel = Tuned::Getrf
            .kernels(Dtype::D)
            .filter(|c| matches!(c, Choice::Kernel(_, i) if i.rows >= 48 && i.columns >= 32));
        let panel = panel.last().unwrap();
        let text = [
            format!("gemm,d,1000,64,64,64,5.0,{lanes}"),
            format!("getrf,d,1000,48,32,0,5.0,{panel}"),
            "getrf,d,1000,512,512,0,5.0,blocked=128".into(),
            "potrf,d,1000,100,100,0,5.0,blocked=32".into(),
        ];
        let (tables, wrong) = parse(&text.join("\n"));
        assert!(wrong.is_empty(), "{wrong:?}");
        let shape = |(m, n, k), form| Shape { dtype: Dtype::D, m, n, k, form };
        fn summary<P: Planned>(plan: Result<Plan<P>, Error>) -> String {
            let Plan { candidate, detail: (parameter, reason), steps, .. } = plan.unwrap();
            format!("{candidate}{parameter}{reason} {}", steps.len())
        }
        let all = || {
            [
                summary(Gemm::plan(shape((64, 64, 64), 0), Limits::HOPPER)),
                summary(Getrf::plan(shape((48, 32, 512), 1), Limits::HOPPER)),
                summary(Getrf::plan(shape((500, 500, 512), 1), Limits::HOPPER)),
                summary(Getrf::plan(shape((500, 500, 512), 0), Limits::HOPPER)),
                summary(Potrf::plan(shape((100, 100, 512), 0), Limits::HOPPER)),
            ]
        };
        let before = all();
        assert!(before.iter().all(|text| !text.contains("chosen")), "{before:?}");
        TABLES.set(Some(Box::leak(Box::new(tables))));
        let after = all();
        TABLES.set(None);
        let starts =
            ["lanes; chosen by the table", "resident; chosen", "blocked=128; chosen", "blocked ", "blocked=32; chosen"];
        assert!(after.iter().zip(starts).all(|(text, start)| text.starts_with(start)), "{after:?}");
        assert_eq!((&after[3], after[1].ends_with(" 1")), (&before[3], true));
        assert_eq!(all(), before);
    }

    #[test]
    fn the_table_names_what_exists() {
        for (arch, described) in &arch::ALL {
            let (_, wrong) = parse(described.tables.others);
            assert!(wrong.is_empty(), "src/gpu/arch/sm_{arch}_others.csv, run tephra tune again: {wrong:#?}");
        }
    }

    #[test]
    fn every_choice_is_read_as_it_is_written() {
        for of in Tuned::ALL {
            for choice in Dtype::ALL.into_iter().flat_map(|dtype| of.kernels(dtype)) {
                assert_eq!(of.parse(&choice.to_string()), Some(choice));
            }
            let blocked = (of != Tuned::Gemm).then_some([Choice::Blocked(64), Choice::Blocked(0)]);
            assert_eq!([of.parse("blocked=64"), of.parse("blocked")], blocked.map_or([None; 2], |both| both.map(Some)));
            assert_eq!([of.parse("blocked=32/96"), of.parse("blocked=0"), of.parse("resident=gone")], [None; 3]);
        }
    }

    #[test]
    fn wrong_lines_are_found() {
        let kernel = Tuned::Gemm.kernels(Dtype::S).next().unwrap();
        let right = [format!("gemm,s,1000,64,64,16,5.0,{kernel}"), "potrf,d,1000,200,200,0,5.0,blocked=64".into()];
        let wrong = [
            format!("gemm,d,1000,64,64,16,5.0,{kernel}"),
            format!("gemm,s,1000,64,64,0,5.0,{kernel}"),
            format!("potrf,s,1000,64,64,0,5.0,{kernel}"),
            "potrf,d,999,200,200,0,5.0,blocked=64".into(),
            "geqrf,d,1000,200,200,0,5.0,blocked=64".into(),
        ];
        let (tables, found) = parse(&[&right[..], &wrong].concat().join("\n"));
        assert_eq!(found, wrong);
        assert_eq!(Tuned::ALL.map(|of| tables[of as usize].is_empty()), [true, true, false, false]);
        // For products, only entries with a similar number of terms apply.
        let terms = |k| tables[Tuned::Gemm as usize].best(Dtype::S, (60, 60, k), Class::INVARIANT, |_| true).is_some();
        assert_eq!([7, 8, 32, 33].map(terms), [false, true, true, false]);
    }
}
