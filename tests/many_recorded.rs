//! Several devices on the CUDA backend, over a stand-in for the driver that has 64 devices and executes nothing
//! (tests/recorder/): which device and stream each request goes to, and in which order.

#[allow(dead_code)] // some functions are for tests on real devices
#[path = "many/ranks.rs"]
mod ranks;

use ranks::{Connection, with_ranks};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::Library;
use tephra_testkit::library::Backend;
use tephra_testkit::library::many::*;
use tephra_testkit::memory::{Kind, Memory};

const DEVICES: usize = 64;

/// The stand-in driver, which the library finds under the driver's name.
struct Recorder {
    take: unsafe extern "C" fn() -> *const c_char,
    kernels: BTreeSet<String>,
}

impl Recorder {
    fn start() -> Recorder {
        // SAFETY: no other thread of this program reads the environment yet.
        unsafe { std::env::set_var("RECORDER_DEVICES", DEVICES.to_string()) };
        let library = Library::required();
        let beside =
            |name| library.path.ancestors().skip(1).take(2).map(|folder| folder.join(name)).find(|path| path.exists());
        let object = beside("libtephra_recorder.so").expect("no stand-in driver: cargo build --workspace");
        let list = std::fs::read_to_string(beside("kernels.txt").expect("no list of kernels")).unwrap();
        // SAFETY: these are plain functions of our own object, which is never closed.
        let take = unsafe {
            let object: &'static libloading::Library = Box::leak(Box::new(libloading::Library::new(object).unwrap()));
            let tell = object.get::<unsafe extern "C" fn(*const c_char) -> c_int>(b"recorder_kernels").unwrap();
            assert_eq!(tell(CString::new(list.clone()).unwrap().as_ptr()), 0);
            *object.get(b"recorder_take").unwrap()
        };
        library.set_backend(Backend::Cuda).unwrap();
        let name = |line: &str| line.strip_prefix("90 ")?.split(' ').next().map(str::to_owned);
        Recorder { take, kernels: list.lines().filter_map(name).collect() }
    }

    /// The requests since the previous call; `home` is the device that is current at first.
    fn take(&self, home: usize) -> Vec<Request> {
        // SAFETY: the recorder's string is valid until the next call.
        let text = unsafe { CStr::from_ptr((self.take)()) }.to_str().unwrap().to_owned();
        let mut device = home;
        let mut requests = vec![];
        for line in text.lines() {
            if let Some(number) = line.strip_prefix("device ") {
                device = number.parse().unwrap();
                continue;
            }
            let what = match line.split(' ').next().unwrap_or_default() {
                name if self.kernels.contains(name) => RequestKind::Kernel,
                "copy" if line.contains("from host") => RequestKind::Upload,
                "copy" if line.contains("to host") => RequestKind::Download,
                "synchronize" => RequestKind::Wait,
                "allocate" => RequestKind::Allocation,
                _ => continue,
            };
            let stream = line.split_once("stream ").map_or("", |(_, after)| after.split([':', ' ']).next().unwrap());
            requests.push(Request { kind: what, device, stream: stream.to_owned() });
        }
        requests
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum RequestKind {
    Kernel,
    Upload,
    Download,
    Wait,
    Allocation,
}

#[derive(Clone, Debug)]
struct Request {
    kind: RequestKind,
    device: usize,
    stream: String,
}

const N: i64 = 8;

unsafe fn cholesky(a: Raw, count: i64, stream: Raw) -> c_int {
    let potrf: PotrfStrided = named("tephra_dpotrf_strided_batched");
    unsafe { potrf(122, N, a, N, N * N, null_mut(), count, null_mut(), 0, stream) }
}

unsafe extern "C" fn part(_: i64, stream: Raw, user: Raw) -> c_int {
    unsafe { cholesky(user, 100, stream) }
}

unsafe extern "C" fn chunk(_: i64, count: i64, operands: *const Raw, stream: Raw, _: Raw) -> c_int {
    unsafe { cholesky(*operands, count, stream) }
}

/// By device, the streams in which kernels were launched.
fn streams(requests: &[Request]) -> BTreeMap<usize, BTreeSet<String>> {
    let mut of: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for one in requests.iter().filter(|one| one.kind == RequestKind::Kernel) {
        of.entry(one.device).or_default().insert(one.stream.clone());
    }
    let all: Vec<_> = of.values().flatten().collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a stream on two devices: {of:?}");
    of
}

fn parts_have_a_stream_a_device(recorder: &Recorder) {
    let run: RunParts = named("tephra_run_parts");
    let a = Memory::new(Library::required(), Kind::Device, (N * N * 8 * 100) as usize).unwrap();
    let places: [c_int; 5] = [2, 0, 1, 2, 2];
    recorder.take(0);
    ok(unsafe { run(5, places.as_ptr(), null(), Some(part), a.pointer()) });
    let requests = recorder.take(0);
    let launched: Vec<_> =
        requests.iter().filter(|one| one.kind == RequestKind::Kernel).map(|one| one.device).collect();
    assert_eq!(launched, [2, 0, 1, 2, 2]);
    let of = streams(&requests);
    assert!(of.len() == 3 && of.values().all(|streams| streams.len() == 1), "{of:?}");
    // Nothing waits before everything is enqueued; then each stream is waited for.
    let first_wait = requests.iter().position(|one| one.kind == RequestKind::Wait).unwrap();
    assert!(requests[first_wait..].iter().all(|one| one.kind != RequestKind::Kernel));
    let waited: BTreeSet<_> = requests[first_wait..].iter().map(|one| (one.device, one.stream.clone())).collect();
    assert_eq!(waited.len(), 3);
    // On the caller's own streams, the library does not wait.
    let own = [0x70 as Raw; 5];
    ok(unsafe { run(5, places.as_ptr(), own.as_ptr(), Some(part), a.pointer()) });
    let requests = recorder.take(0);
    assert!(
        requests.iter().all(|one| one.kind != RequestKind::Wait && one.kind != RequestKind::Allocation),
        "{requests:?}"
    );
    assert!(requests.iter().filter(|one| one.kind == RequestKind::Kernel).all(|one| one.stream == "70"));
    // One part on each device.
    let places: Vec<c_int> = (0..DEVICES as c_int).collect();
    ok(unsafe { run(places.len() as i64, places.as_ptr(), null(), Some(part), a.pointer()) });
    let of = streams(&recorder.take(0));
    assert!(of.into_keys().eq(0..DEVICES));
}

/// On the first `places` devices, or on all if it is `None`.
fn chunks_overlap(recorder: &Recorder, places: Option<usize>) {
    const OF_CHUNK: usize = 10;
    let devices = places.unwrap_or(DEVICES);
    let count = (3 * devices + 1) * OF_CHUNK;
    let run: RunHost = named("tephra_run_host");
    let (mut a, mut info) = (vec![1.0f64; (N * N) as usize * count], vec![0i32; count]);
    let host = [a.as_mut_ptr().cast::<c_void>(), info.as_mut_ptr().cast()];
    let (bytes, access) = ([(N * N * 8) as usize, 4], [3, 2]);
    let list: Vec<c_int> = (0..places.unwrap_or(0) as c_int).collect();
    recorder.take(0);
    ok(unsafe {
        let (host, bytes, access, number) = (host.as_ptr(), bytes.as_ptr(), access.as_ptr(), list.len() as c_int);
        run(count as i64, 2, host, bytes, access, OF_CHUNK as i64, number, list.as_ptr(), Some(chunk), null_mut())
    });
    let requests = recorder.take(0);
    let kernels: Vec<_> = (0..requests.len()).filter(|&i| requests[i].kind == RequestKind::Kernel).collect();
    assert_eq!(kernels.len(), 3 * devices + 1);
    assert!(kernels.iter().enumerate().all(|(i, &at)| requests[at].device == i % devices), "the devices take turns");
    assert!(streams(&requests).values().all(|streams| streams.len() == 3));
    // Each device has three chunks in progress before the first one is waited for.
    let waits = |until: usize| requests[..until].iter().filter(|one| one.kind == RequestKind::Wait).count();
    assert_eq!((waits(kernels[3 * devices - 1]), waits(kernels[3 * devices])), (0, 1));
    for &i in &kernels {
        let of = |what, one: &Request| one.kind == what && one.stream == requests[i].stream;
        let uploaded = requests[..i].iter().rev().take(2).any(|one| of(RequestKind::Upload, one));
        assert!(uploaded, "{i}: nothing was brought");
        let back = requests[i..].iter().take(3).filter(|one| of(RequestKind::Download, one)).count();
        assert_eq!(back, 2, "{i}: both operands that are written go back");
    }
}

fn ranks_have_a_device_each(recorder: &Recorder, ranks: usize) {
    let (m, n) = (5000, 24);
    recorder.take(0);
    let start = std::sync::Barrier::new(ranks);
    let records = with_ranks(Connection::Callbacks, ranks, |rank, comm| {
        let qr: QrDistributed = named("tephra_dqr_distributed");
        let room = |elements: i64| Memory::new(Library::required(), Kind::Device, elements as usize * 8).unwrap();
        let (a, q, r) = (room(m * n), room(m * n), room(n * n));
        let run = || {
            let (a, q, r) = (a.pointer(), q.pointer(), r.pointer());
            ok(unsafe { qr(comm, 1, m, n, a, m, q, m, r, n, (0x100 + rank) as Raw) });
        };
        run();
        start.wait();
        if rank == 0 {
            recorder.take(0);
        }
        start.wait();
        run();
        start.wait();
        if rank == 0 { recorder.take(0) } else { vec![] }
    });
    let requests = &records[0];
    for rank in 0..ranks {
        let stream = format!("{:x}", 0x100 + rank);
        let launched = requests.iter().filter(|one| one.kind == RequestKind::Kernel && one.stream == stream).count();
        assert!(launched > 2, "rank {rank} launched {launched} kernels");
    }
    assert!(requests.iter().all(|one| one.kind != RequestKind::Allocation), "a warm call allocates: {requests:?}");
}

fn a_matrix_streams_past_its_blocks(recorder: &Recorder) {
    const N: i64 = 1280;
    const BUDGET: i64 = 12 << 20;
    let geqrf: GeqrfHost = named("tephra_dgeqrf_host");
    let (mut a, mut tau) = (vec![1.0f64; (N * N) as usize], vec![0f64; N as usize]);
    let mut factor = |budget: i64, devices: &[c_int]| {
        let (a, tau, count) = (a.as_mut_ptr().cast(), tau.as_mut_ptr().cast(), devices.len() as c_int);
        recorder.take(0);
        let code = unsafe { geqrf(N, N, a, N, tau, budget, count, devices.as_ptr(), None, null_mut()) };
        (code, recorder.take(0))
    };
    let (code, requests) = factor(1 << 20, &[0]);
    assert_eq!(code, 3, "there is too little memory for a block");
    assert!(
        requests.iter().all(|one| one.kind != RequestKind::Kernel && one.kind != RequestKind::Allocation),
        "{requests:?}"
    );
    let all: Vec<c_int> = (0..DEVICES as c_int).collect();
    for devices in [&[0][..], &[1], &all[..3], &all[..4], &all[..8], &all] {
        // The first call loads kernels and fills the pools.
        _ = factor(BUDGET, devices);
        let (code, requests) = factor(BUDGET, devices);
        ok(code);
        let kernels: Vec<_> = (0..requests.len()).filter(|&i| requests[i].kind == RequestKind::Kernel).collect();
        let (first, last) = (kernels[0], kernels[kernels.len() - 1]);
        let count = |what, range: &[Request]| range.iter().filter(|one| one.kind == what).count();
        // All columns are copied in once as a block, and again for later blocks; each is copied back once, in four
        // pieces and with its part of tau.
        let downloads = count(RequestKind::Download, &requests);
        let blocks = downloads / 5;
        assert!(downloads.is_multiple_of(5) && blocks > 4, "{downloads} copies back");
        assert!(count(RequestKind::Upload, &requests) > downloads);
        // Each device allocates its memory and its page-locked memory, and nothing while it works.
        let used = devices.len().min(blocks);
        assert_eq!(count(RequestKind::Allocation, &requests), 2 * used);
        let lanes =
            |what| requests.iter().filter(|one| one.kind == what).map(|one| &one.stream).collect::<BTreeSet<_>>();
        let (uploads, downloads) = (lanes(RequestKind::Upload), lanes(RequestKind::Download));
        assert_eq!((uploads.len(), downloads.len()), (used, used), "a lane each way on each device");
        assert!(uploads.is_disjoint(&downloads) && lanes(RequestKind::Kernel).is_disjoint(&uploads));
        if let [device] = devices {
            assert!(requests[first..=last].iter().all(|one| one.device == *device as usize));
            // The host waits for copies only while the device has work queued.
            assert_eq!(count(RequestKind::Wait, &requests[first..last]), 0, "{requests:?}");
        }
    }
}

fn cores_have_columns_beside_devices(recorder: &Recorder) {
    const N: i64 = 1280;
    let geqrf: GeqrfTiledDevices = named("tephra_dgeqrf_tiled_devices");
    // T is as large as any tile size needs. The stand-in computes nothing, so the copies back are arbitrary.
    let (mut a, mut t) = (vec![0.0f64; (N * N) as usize], vec![0f64; (3 + N * N) as usize]);
    let mut factor = |host: i64, devices: &[c_int]| {
        let (p, t, count) = (a.as_mut_ptr().cast(), t.as_mut_ptr().cast(), devices.len() as c_int);
        recorder.take(0);
        let none = null_mut();
        // Measuring rates needs more memory than the blocks do.
        let budget = if host < 0 { 1 << 30 } else { 16 << 20 };
        let code = unsafe { geqrf(N, N, p, N, 64, t, 3 + N * N, 0, host, budget, count, devices.as_ptr(), None, none) };
        (code, recorder.take(0))
    };
    for devices in [&[0][..], &[2], &[0, 1, 2]] {
        let mut copies = |host: i64| {
            _ = factor(host, devices);
            let (code, requests) = factor(host, devices);
            ok(code);
            let of = |what| requests.iter().filter(move |one| one.kind == what);
            let lanes = |what| of(what).map(|one| &one.stream).collect::<BTreeSet<_>>().len();
            assert_eq!(
                (lanes(RequestKind::Upload), lanes(RequestKind::Download)),
                (devices.len(), devices.len()),
                "{host}"
            );
            of(RequestKind::Download).count()
        };
        // Blocks are copied back in pieces while the cores wait for them, but each column only once.
        let (alone, together) = (copies(0), copies(256));
        assert!(alone > 4 && together > 4, "{alone} and {together} copies back");
        // Rates are measured on request. The stand-in is infinitely fast, so the cores get few columns or none.
        ok(factor(-1, devices).0);
        // With all columns on the cores, no device receives a request.
        let (code, requests) = factor(N, devices);
        ok(code);
        assert!(
            requests
                .iter()
                .all(|one| !matches!(one.kind, RequestKind::Kernel | RequestKind::Allocation | RequestKind::Upload)),
            "{requests:?}"
        );
    }
}

/// The record is global, so these run one after another.
#[test]
fn devices_are_asked_for_what_is_theirs() {
    let recorder = Recorder::start();
    parts_have_a_stream_a_device(&recorder);
    [Some(3), Some(4), Some(8), None].into_iter().for_each(|places| chunks_overlap(&recorder, places));
    [3, 8, 64].into_iter().for_each(|ranks| ranks_have_a_device_each(&recorder, ranks));
    a_matrix_streams_past_its_blocks(&recorder);
    cores_have_columns_beside_devices(&recorder);
}
