//! The energy that this machine's processor packages consume, from RAPL, the energy counters of x86 processors, which
//! Linux exposes under powercap. Memory is included where it has counters of its own. The counters are only read.

use super::{Gauge, Kind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs};

/// The directory of the counters on Linux.
const FOLDER: &str = "/sys/class/powercap";
/// The environment variable that overrides [`FOLDER`].
const VARIABLE: &str = "TEPHRA_POWERCAP";

/// A counter of microjoules, which wraps to zero after `most`.
struct Zone {
    counter: PathBuf,
    most: u64,
}

impl Zone {
    fn read(&self) -> Result<u64, String> {
        number(&self.counter)
    }
}

fn number(file: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(file).map_err(|e| {
        let who = match e.kind() {
            std::io::ErrorKind::PermissionDenied => " (Linux lets root alone read it, unless its mode is changed)",
            _ => "",
        };
        format!("{}: {e}{who}", file.display())
    })?;
    text.trim().parse().map_err(|_| format!("{}: {:?} is no count", file.display(), text.trim()))
}

/// The last reading of a zone, and the energy counted since the first one.
struct Count {
    last: u64,
    sum: u64,
}

/// The gauge that sums all processor packages of the machine.
pub struct Rapl {
    zones: Vec<Zone>,
    counts: Mutex<Vec<Count>>,
}

impl Rapl {
    /// The gauge of this machine's packages.
    pub fn of_machine() -> Result<Rapl, String> {
        let folder = env::var_os(VARIABLE).map_or_else(|| FOLDER.into(), PathBuf::from);
        Rapl::of(&folder).map_err(|e| {
            format!("reading a processor's energy needs RAPL's counters, which Linux shows under powercap: {e}")
        })
    }

    /// Zones with one colon in their name are packages, those with two are parts of packages. Of the parts, only memory
    /// is not included in its package. `psys` is the whole machine, and other controllers repeat the same packages.
    fn of(folder: &Path) -> Result<Rapl, String> {
        let at = |e| format!("{}: {e}", folder.display());
        let mut zones = vec![];
        for entry in fs::read_dir(folder).map_err(at)? {
            let entry = entry.map_err(at)?;
            let file = entry.file_name();
            let Some(place) = file.to_str().and_then(|name| name.strip_prefix("intel-rapl:")) else { continue };
            let zone = entry.path();
            let name = fs::read_to_string(zone.join("name")).unwrap_or_default();
            let counts = match place.contains(':') {
                false => name.starts_with("package"),
                true => name.trim() == "dram",
            };
            if counts {
                let most = number(&zone.join("max_energy_range_uj"))?;
                zones.push(Zone { counter: zone.join("energy_uj"), most });
            }
        }
        if zones.is_empty() {
            return Err(format!("{} has no package", folder.display()));
        }
        let first = |zone: &Zone| zone.read().map(|last| Count { last, sum: 0 });
        let counts = zones.iter().map(first).collect::<Result<_, _>>()?;
        Ok(Rapl { zones, counts: Mutex::new(counts) })
    }
}

impl Gauge for Rapl {
    fn kind(&self) -> Kind {
        Kind::Counter
    }

    fn read(&self) -> Result<u64, String> {
        let mut counts = self.counts.lock().unwrap_or_else(|e| e.into_inner());
        let mut sum = 0;
        for (zone, count) in self.zones.iter().zip(counts.iter_mut()) {
            let now = zone.read()?;
            let less = now < count.last; // the counter has wrapped
            count.sum += if less { (zone.most + now).saturating_sub(count.last) } else { now - count.last };
            count.last = now;
            sum += count.sum;
        }
        Ok(sum / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Machine(PathBuf);

    impl Machine {
        /// Creates zones from their directories, names and counts; each wraps after one joule.
        fn new(test: &str, zones: &[(&str, &str, u64)]) -> Machine {
            let machine = Machine(env::temp_dir().join(format!("tephra-rapl-{}-{test}", std::process::id())));
            for (place, name, count) in zones {
                let zone = machine.0.join(place);
                fs::create_dir_all(&zone).unwrap();
                fs::write(zone.join("name"), format!("{name}\n")).unwrap();
                fs::write(zone.join("max_energy_range_uj"), "1000000\n").unwrap();
                machine.count(place, *count);
            }
            machine
        }

        fn count(&self, place: &str, count: u64) {
            fs::write(self.0.join(place).join("energy_uj"), format!("{count}\n")).unwrap();
        }
    }

    impl Drop for Machine {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn packages_and_their_memory_count_and_go_round() {
        let machine = Machine::new(
            "round",
            &[
                ("intel-rapl:0", "package-0", 900_000),
                ("intel-rapl:0:0", "core", 0),
                ("intel-rapl:0:1", "dram", 5000),
                ("intel-rapl:1", "package-1", 0),
                ("intel-rapl:2", "psys", 0),
                ("intel-rapl-mmio:0", "package-0", 0),
                ("dtpm", "", 0),
            ],
        );
        let gauge = Rapl::of(&machine.0).unwrap();
        assert_eq!(gauge.zones.len(), 3);
        assert_eq!(gauge.read(), Ok(0));
        for (place, count, sum) in [
            ("intel-rapl:0", 950_000, 50),
            ("intel-rapl:1", 3000, 53),
            ("intel-rapl:0:1", 9000, 57),
            // Not counted again: a part of a package, the whole machine, and another view of the same package.
            ("intel-rapl:0:0", 77_000, 57),
            ("intel-rapl:2", 77_000, 57),
            ("intel-rapl-mmio:0", 77_000, 57),
            ("intel-rapl:0", 20_000, 127),
            ("intel-rapl:0", 21_000, 128),
        ] {
            machine.count(place, count);
            assert_eq!(gauge.read(), Ok(sum), "{place} {count}");
        }
        machine.count("intel-rapl:1", 4000);
        fs::write(machine.0.join("intel-rapl:0/energy_uj"), "much\n").unwrap();
        assert!(gauge.read().unwrap_err().contains("no count"));
    }

    #[test]
    fn what_is_missing_is_named() {
        let missing = |machine: &Machine| Rapl::of(&machine.0).err().unwrap();
        let none = Machine::new("none", &[("intel-rapl:0:0", "core", 0), ("intel-rapl:1", "psys", 0)]);
        assert!(missing(&none).contains("has no package"));
        let hidden = Machine::new("hidden", &[("intel-rapl:0", "package-0", 0)]);
        fs::remove_file(hidden.0.join("intel-rapl:0/energy_uj")).unwrap();
        assert!(missing(&hidden).contains("energy_uj: No such file"), "{}", missing(&hidden));
        fs::remove_dir_all(&none.0).unwrap();
        assert!(missing(&none).contains("No such file"));
    }
}
