//! Makes each call over the recorder twice, cold and warm, and keeps the requests of the warm one.

use crate::cases::{Call, Setting, calls};
use crate::explained::Log;
use crate::streams::assert_between;
use crate::workspace::Workspaces;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt::Write;
use tephra_testkit::Library;
use tephra_testkit::library::Backend;

/// The stand-in driver, loaded in place of the real one, and the library on top of it.
pub struct Recorder {
    take: unsafe extern "C" fn() -> *const c_char,
    answer: unsafe extern "C" fn(c_int),
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
        let (take, answer, tell) = unsafe {
            let object: &'static libloading::Library = Box::leak(Box::new(libloading::Library::new(object).unwrap()));
            let tell = object.get::<unsafe extern "C" fn(*const c_char) -> c_int>(b"recorder_kernels").unwrap();
            (*object.get(b"recorder_take").unwrap(), *object.get(b"recorder_answer").unwrap(), *tell)
        };
        let list =
            std::fs::read_to_string(beside("kernels.txt").expect("no list of kernels beside the library")).unwrap();
        let text = CString::new(list.clone()).unwrap();
        // SAFETY: the string outlives the call.
        assert_eq!(unsafe { tell(text.as_ptr()) }, 0, "a line of kernels.txt");
        library.set_backend(Backend::Cuda).unwrap();
        let kernels =
            list.lines().filter_map(|line| line.strip_prefix("90 ")?.split(' ').next()).map(str::to_owned).collect();
        let recorder = Recorder { take, answer, library, kernels };
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

    /// Makes a call, which must succeed, and returns what it requests.
    fn run(&self, call: &Call) -> String {
        let code = call.run(self.library);
        assert_eq!(code, 0, "{}: {}\n{}", call.describe(), self.library.last_error(), self.take());
        self.take()
    }

    /// What copies of the device's memory consist of, as ints: 0 at first.
    pub fn answer(&self, value: c_int) {
        // SAFETY: a plain function.
        unsafe { (self.answer)(value) };
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
    /// The workspaces of the calls.
    pub workspaces: Workspaces,
    /// By kernel, the routines that launch it.
    pub launched: BTreeMap<String, BTreeSet<&'static str>>,
    /// By setting and entry point: the number of calls, the number of requests, and a hash of both.
    groups: BTreeMap<(String, String), (usize, usize, Sha256)>,
}

impl Trace {
    pub fn of(recorder: &Recorder) -> Trace {
        let (workspaces, launched) = (Workspaces::new(), BTreeMap::new());
        let mut trace = Trace { text: String::new(), workspaces, launched, groups: BTreeMap::new() };
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
        let run = || recorder.run(call);
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
        self.compare(recorder, call, Some(&warm));
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

    /// Makes a call with exactly the workspace that it needs. What it requests must be what the library says about its
    /// plan, and, unless it depends on results, what it requests with more workspace (`warm`).
    pub fn compare(&mut self, recorder: &Recorder, call: &Call, warm: Option<&str>) {
        let header = call.describe();
        // Of the native functions, only iterations wait: for states, of which 1 means that nothing is left to do.
        let iterates = call.waits && call.is_native();
        recorder.answer(iterates.into());
        let queried = self.workspaces.of(recorder.library, call);
        let made = |bytes| queried.map_or_else(|| call.clone(), |_| self.workspaces.with(call, bytes).0);
        let asks = |bytes| {
            let asked = recorder.run(&made(bytes));
            let same = iterates || warm.is_none_or(|warm| asked == warm);
            assert!(same, "{header}: with {bytes} bytes of workspace, it asks for\n{asked}");
            asked
        };
        let (log, asked) = Log::of(recorder.library, || asks(queried.unwrap_or(0)));
        log.assert_lists(call, &asked, &recorder.kernels);
        if !call.is_native() {
            log.assert_explained(call, recorder.library);
        }
        if let Some(queried) = queried {
            let needed = log.workspace();
            // The query does not know whether a call is in place.
            let enough = needed == queried || needed < queried && call.symbol.contains("getri") && !call.is_in_place();
            assert!(enough, "{header}: its query reports {queried} bytes of workspace, its plan {needed}");
            if needed < queried {
                asks(needed);
            }
            if needed > 0 {
                let (short, status) = self.workspaces.with(call, needed - 1);
                let code = short.run(recorder.library);
                assert_eq!((code, &recorder.take()[..]), (status, ""), "{header}: with a byte too few of workspace");
            }
        }
        recorder.answer(0);
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
