//! Makes each call over the recorder twice, cold and warm, and keeps the requests of the warm one.

use crate::cases::{Call, Setting, calls};
use crate::explained::Log;
use crate::streams::assert_between;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt::Write;
use tephra_testkit::Library;
use tephra_testkit::library::Backend;

/// The stand-in driver, loaded in place of the real one, and the library on top of it.
pub struct Recorder {
    take: unsafe extern "C" fn() -> *const c_char,
    pub library: &'static Library,
    /// The names of the compiled kernels.
    pub kernels: BTreeSet<String>,
}

impl Recorder {
    pub fn start() -> Recorder {
        let library = Library::required();
        // Cargo keeps two copies of each library; the list is next to the one that is not meant for linking.
        let beside =
            |name| library.path.ancestors().skip(1).take(2).map(|folder| folder.join(name)).find(|path| path.exists());
        let object = beside("libtephra_recorder.so").expect("no stand-in driver: cargo build --release --workspace");
        // SAFETY: these are plain functions of our own object. It has the driver's SONAME, so the library finds it
        // under that name; it is never closed.
        // is never closed.
        let (take, tell) = unsafe {
            let object: &'static libloading::Library = Box::leak(Box::new(libloading::Library::new(object).unwrap()));
            let tell = object.get::<unsafe extern "C" fn(*const c_char) -> c_int>(b"recorder_kernels").unwrap();
            (*object.get(b"recorder_take").unwrap(), *tell)
        };
        let list =
            std::fs::read_to_string(beside("kernels.txt").expect("no list of kernels beside the library")).unwrap();
        let text = CString::new(list.clone()).unwrap();
        // SAFETY: the string outlives the call.
        assert_eq!(unsafe { tell(text.as_ptr()) }, 0, "a line of kernels.txt");
        library.set_backend(Backend::Cuda).unwrap();
        let kernels =
            list.lines().filter_map(|line| line.strip_prefix("90 ")?.split(' ').next()).map(str::to_owned).collect();
        let recorder = Recorder { take, library, kernels };
        assert!(recorder.take().is_empty(), "the library was not idle");
        recorder
    }

    /// Counts the calls for which the only allowed plan does not apply, and checks that none of them launched anything.
    pub fn refused(&self, plan: &str) -> usize {
        let calls = calls(self.library, Setting::ALL[0]);
        self.library.set_plan(Some(plan)).unwrap();
        let mut refused = 0;
        for call in calls {
            let code = call.run(self.library);
            let asked = self.take();
            if code != 0 {
                refused += 1;
                let launch =
                    asked.lines().find(|line| self.kernels.contains(line.split(' ').next().unwrap_or_default()));
                assert_eq!(launch, None, "{} with {plan} only: refused, but begun", call.describe());
            }
        }
        self.library.set_plan(None).unwrap();
        refused
    }

    /// The lines written since the last call.
    pub fn take(&self) -> String {
        // SAFETY: the recorder's string is valid until the next call.
        unsafe { CStr::from_ptr((self.take)()) }.to_str().unwrap().to_owned()
    }
}

/// The requests of all calls.
pub struct Trace {
    /// One line for each call, followed by a line for each of its requests.
    pub text: String,
    /// By kernel, the routines that launch it.
    pub launched: BTreeMap<String, BTreeSet<&'static str>>,
    /// By setting and entry point: the number of calls, the number of requests, and a hash of both.
    groups: BTreeMap<(String, String), (usize, usize, Sha256)>,
}

impl Trace {
    pub fn of(recorder: &Recorder) -> Trace {
        let mut trace = Trace { text: String::new(), launched: BTreeMap::new(), groups: BTreeMap::new() };
        for setting in Setting::ALL {
            setting.enter(recorder.library);
            let calls = calls(recorder.library, setting);
            recorder.take();
            for call in calls {
                trace.add(recorder, setting, &call);
            }
            setting.leave(recorder.library);
        }
        trace
    }

    fn add(&mut self, recorder: &Recorder, setting: Setting, call: &Call) {
        let header = call.describe();
        let run = || {
            let code = call.run(recorder.library);
            assert_eq!(code, 0, "{header}: {}\n{}", recorder.library.last_error(), recorder.take());
            recorder.take()
        };
        let cold = run();
        let warm = run();
        // Warm calls can be captured into a graph, so they must neither allocate nor wait, unless that is documented.
        for line in warm.lines() {
            let launch = line.split(' ').next().filter(|word| recorder.kernels.contains(*word));
            let ordered =
                ["set ", "copy ", "take ", "give ", "record ", "stream "].iter().any(|start| line.starts_with(start));
            let waits = call.waits && line.starts_with("synchronize stream");
            assert!(
                launch.is_some() && !line.contains("REFUSED") || ordered || waits,
                "{header}: a warm call asks to {line}"
            );
            if let Some(kernel) = launch {
                self.launched.entry(kernel.to_owned()).or_default().insert(call.routine);
            }
        }
        assert_between(&warm);
        // Calls that wait depend on results that the device would compute, so their plans are not compared.
        if call.symbol.starts_with("tephra_") && !call.waits {
            let log = Log::of(recorder.library, || drop(run()));
            log.assert_lists(&header, &warm, &recorder.kernels);
        }
        let preparations = ["load ", "create pool", "pool attribute", "create stream", "create event"];
        let kept = |line: &&str| {
            !preparations.iter().any(|start| line.starts_with(start))
                && !line.contains(": attribute ")
                && !line.contains(" at once?")
        };
        assert!(cold.lines().filter(kept).eq(warm.lines()), "{header}: the first call\n{cold}\nand the second\n{warm}");
        let mut entry = String::new();
        writeln!(entry, "{} {header}", setting.name()).unwrap();
        entry.push_str(&warm);
        let (calls, requests, hash) = self.groups.entry((setting.name().to_owned(), call.symbol.clone())).or_default();
        *calls += 1;
        *requests += warm.lines().count();
        hash.update(&entry);
        self.text.push_str(&entry);
    }

    /// The text that is committed.
    pub fn summary(&self) -> String {
        let mut text = String::from("# Made by make launches.\n# kernel: the routines that launch it\n");
        for (kernel, routines) in &self.launched {
            let routines: Vec<&str> = routines.iter().copied().collect();
            writeln!(text, "kernel {kernel}: {}", routines.join(" ")).unwrap();
        }
        text.push_str("# call, setting, entry point: calls, requests to the driver, hash\n");
        for ((setting, symbol), (calls, requests, hash)) in &self.groups {
            let digest: String = hash.clone().finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
            writeln!(text, "call {setting} {symbol}: {calls} {requests} {digest}").unwrap();
        }
        text
    }
}
