//! What measured times, or a list of allowed plans, say of LU, Cholesky and products: [`arch::Tables::others`], written by
//! `tephra tune --op`, read as geqrf's table is ([`crate::gpu::plan::measured`]). A table that has nothing of a routine leaves
//! it to that routine's own choice.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::plan::measured::{Entry, Origin, Table, lines, parse_fields};
use crate::gpu::plan::table::{
    GEMM, GEMM_LANES, GETRF_LEFT_LOOKING, GETRF_NOPIV_GRID, GETRF_NOPIV_SMALL, GETRF_PANEL, GETRF_SMALL, GETRF_TEAM,
    Instance, POTRF_ROWS, POTRF_SMALL, POTRF_TEAM,
};
use crate::gpu::plan::{Class, Launch, Limits, allowed, pins};
use crate::routine::Dtype;
use once_cell::sync::{Lazy, OnceCell};
use std::fmt;

/// A routine that has such choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuned {
    /// With interchanges.
    Getrf,
    /// Without.
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

    /// Families of kernels that do the whole of it in one launch, by candidate.
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

    /// Their kernels of a type.
    fn kernels(self, dtype: Dtype) -> impl Iterator<Item = Choice> {
        let named = |&(name, families): &(&'static str, &'static [&'static [Instance]])| {
            families.iter().flat_map(|family| family.iter()).map(move |instance| Choice::Kernel(name, instance))
        };
        self.families().iter().flat_map(named).filter(move |c| matches!(c, Choice::Kernel(_, i) if i.dtype == dtype))
    }

    /// The choice that `text` names in full.
    fn parse(self, text: &str) -> Option<Choice> {
        let (candidate, parameter) = text.split_once('=').unwrap_or((text, ""));
        if candidate == BLOCKED && self != Tuned::Gemm {
            let width = if parameter.is_empty() { Ok(0) } else { parameter.parse() };
            return width.ok().filter(|w: &i64| *w > 0 || parameter.is_empty()).map(Choice::Blocked);
        }
        Dtype::ALL.into_iter().flat_map(|dtype| self.kernels(dtype)).find(|kernel| kernel.to_string() == text)
    }

    /// Whether the list of allowed plans has it. Of the texts that pin a candidate those count that pin one of this routine:
    /// others are for other routines.
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
        // Products have no candidates that another list than one of their kernels could forbid.
        (self == Tuned::Gemm || allowed(candidate)) && (own.is_empty() || own.contains(&choice))
    }

    /// The limits of a problem: the batch count tells only where something was measured.
    pub fn limits(self, device: Limits, (m, n): (i64, i64), batch: i64) -> Limits {
        if table(self, device.arch).is_empty() { device } else { device.with_batch(m, n, batch) }
    }

    /// Whether something was measured on any device.
    pub fn is_measured(self) -> bool {
        arch::ALL.iter().any(|(arch, _)| !table(self, *arch).is_empty())
    }

    /// The fastest that was measured of those that are allowed and that the shape can have.
    pub fn measured(
        self,
        dtype: Dtype,
        size: (i64, i64, i64),
        limits: Limits,
        takes: impl Fn(Choice) -> bool,
    ) -> Option<(Choice, Origin)> {
        table(self, limits.arch).best(dtype, size, limits.class, |c| takes(c) && self.permits(c))
    }

    /// A line for each of the choices whose launches differ: the routine's own choice first, then its kernels and these widths.
    pub fn list(
        self,
        dtype: Dtype,
        own: Choice,
        widths: &[i64],
        launches: impl Fn(Choice) -> Result<Option<Vec<Launch>>, Error>,
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
                // Tiles are of any matrix.
                Choice::Kernel(_, i) if self != Tuned::Gemm => format!("{choice} {} {}\n", i.rows, i.columns),
                _ => format!("{choice}\n"),
            };
        }
        text
    }
}

/// A candidate with its parameters. As text it is what [`crate::gpu::plan::set_allowed`] takes to pin it.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// One launch of this instance, by the candidate's name.
    Kernel(&'static str, &'static Instance),
    /// Several launches: the most columns of what is done at a time; 0: as the routine chooses them.
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

/// What a plan's text says of a choice that was measured.
pub fn told(choice: Choice, origin: Origin) -> (String, String) {
    let parameter = if let Choice::Blocked(w @ 1..) = choice { format!("={w}") } else { String::new() };
    (parameter, format!("; chosen {origin}"))
}

type Tables = [Table<Choice>; Tuned::ALL.len()];

/// The table of a routine on an architecture.
fn table(of: Tuned, arch: u16) -> &'static Table<Choice> {
    static NONE: Lazy<Table<Choice>> = Lazy::new(Table::default);
    #[cfg(test)]
    if let Some(tables) = tests::TABLES.get() {
        return &tables[of as usize];
    }
    static TABLES: [OnceCell<Tables>; arch::ALL.len()] = [const { OnceCell::new() }; arch::ALL.len()];
    let found = TABLES.iter().zip(&arch::ALL).find(|(_, (of, _))| *of == arch);
    // Lines that name what does not exist are left out here; a test refuses them.
    found
        .map_or(&NONE, |(tables, (_, described))| &tables.get_or_init(|| parse(described.tables.others).0)[of as usize])
}

const HEADER: &str = "op,precision,batch,m,n,k,us,plan";

/// Reads lines of the header's fields; also returns those that are wrong.
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
        /// Instead of the device's.
        pub static TABLES: Cell<Option<&'static Tables>> = const { Cell::new(None) };
    }

    /// Plans are those of the table where it has any, and say so.
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
        fn told<P: Planned>(plan: Result<Plan<P>, Error>) -> String {
            let Plan { candidate, detail: (parameter, reason), steps, .. } = plan.unwrap();
            format!("{candidate}{parameter}{reason} {}", steps.len())
        }
        let all = || {
            [
                told(Gemm::plan(shape((64, 64, 64), 0), Limits::HOPPER)),
                told(Getrf::plan(shape((48, 32, 512), 1), Limits::HOPPER)),
                told(Getrf::plan(shape((500, 500, 512), 1), Limits::HOPPER)),
                told(Getrf::plan(shape((500, 500, 512), 0), Limits::HOPPER)),
                told(Potrf::plan(shape((100, 100, 512), 0), Limits::HOPPER)),
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
        // Of products only those with about as many terms say something.
        let terms = |k| tables[Tuned::Gemm as usize].best(Dtype::S, (60, 60, k), Class::INVARIANT, |_| true).is_some();
        assert_eq!([7, 8, 32, 33].map(terms), [false, true, true, false]);
    }
}
