//! The grid: entry points, shapes and library settings.

use std::ffi::{c_int, c_void};
use tephra_testkit::any_call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::{Dtype, Library};

/// A call of an exported function whose arguments are integers, pointers and by-value scalars.
#[derive(Clone)]
pub struct Call {
    pub symbol: String,
    /// The routine's name without the precision letter and affixes.
    pub routine: &'static str,
    pub arguments: Vec<u64>,
    /// The type of scalars passed by value, all 1.
    scalar: Option<Dtype>,
    /// Whether the call is documented to wait for its work.
    pub waits: bool,
    /// Whether the function returns nothing.
    void: bool,
}

impl Call {
    pub fn describe(&self) -> String {
        let arguments: Vec<String> =
            self.arguments.iter().map(|a| if is_host(*a) { "host".into() } else { format!("{a:x}") }).collect();
        format!("{}({})", self.symbol, arguments.join(", "))
    }

    /// Whether it is a call of the library's own API.
    pub fn is_native(&self) -> bool {
        self.symbol.starts_with("tephra_")
    }

    /// Whether the result replaces the first operand.
    pub fn is_in_place(&self) -> bool {
        !self.arguments.contains(&C)
    }

    pub fn run(&self, library: &Library) -> c_int {
        let one = match self.scalar {
            Some(Dtype::S | Dtype::C) => f64::from_bits(1f32.to_bits().into()),
            _ => 1.0,
        };
        // SAFETY: the arguments match the header; the stand-in driver does not access device memory, and the host
        // memory lives as long as the process.
        let code = unsafe { any_call::call(library, &self.symbol, [one, 0.0, one, 0.0], &self.arguments) };
        if self.void { 0 } else { code }
    }
}

/// The address of an operand in device memory; operands are far apart.
pub const fn device(place: u64) -> u64 {
    (1 << 48) + (place << 44)
}
const A: u64 = device(1);
const B: u64 = device(2);
const C: u64 = device(3);
const TAU: u64 = device(4);
const T: u64 = device(5);
pub const INFO: u64 = device(6);
pub const WORK: u64 = device(7);
/// Arrays of sizes.
const EACH: u64 = device(8);
pub const WORK_BYTES: u64 = 1 << 42;
pub const STREAM: u64 = 0x77;

fn is_host(a: u64) -> bool {
    (1 << 43..1 << 48).contains(&a)
}

/// A setting of the library for a run of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Default,
    BatchInvariant,
    Plan(&'static str),
    Tf32,
    Fp32Tensor,
    Fp16,
}

impl Setting {
    pub const ALL: [Setting; 8] = [
        Setting::Default,
        Setting::BatchInvariant,
        Setting::Plan("resident"),
        Setting::Plan("blocked"),
        Setting::Plan("generic"),
        Setting::Tf32,
        Setting::Fp32Tensor,
        Setting::Fp16,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Setting::Default => "default",
            Setting::BatchInvariant => "batch-invariant",
            Setting::Plan(plan) => plan,
            Setting::Tf32 => "tf32",
            Setting::Fp32Tensor => "fp32_tensor",
            Setting::Fp16 => "fp16",
        }
    }

    pub fn enter(self, library: &Library) {
        match self {
            Setting::Default => {}
            Setting::BatchInvariant => library.set_batch_invariant(true).unwrap(),
            Setting::Plan(plan) => library.set_plan(Some(plan)).unwrap(),
            Setting::Tf32 => assert_eq!(math(library, 2), 0),
            Setting::Fp32Tensor => assert_eq!(math(library, 3), 0),
            Setting::Fp16 => assert_eq!(math(library, 4), 0),
        }
    }

    pub fn leave(self, library: &Library) {
        library.set_batch_invariant(false).unwrap();
        library.set_plan(None).unwrap();
        assert_eq!(math(library, 1), 0);
    }
}

fn math(library: &Library, math: c_int) -> c_int {
    // SAFETY: the type matches include/tephra.h.
    unsafe { library.symbol::<unsafe extern "C" fn(c_int) -> c_int>("tephra_set_thread_math").unwrap()(math) }
}

const SIZES: [u64; 49] = [
    1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 20, 23, 24, 28, 31, 32, 33, 40, 47, 48, 49, 56, 63, 64, 65, 72, 80, 96,
    100, 112, 127, 128, 129, 144, 160, 161, 192, 256, 257, 320, 400, 512, 600, 1024, 2000, 2500,
];
const FEW: [u64; 16] = [1, 3, 4, 8, 15, 16, 24, 32, 33, 48, 64, 65, 100, 129, 256, 513];
const TALL: [u64; 4] = [17, 1100, 2100, 4200];
const BATCHES: [u64; 6] = [1, 40, 500, 1000, 10000, 100_000];
const LEFT: [u64; 2] = [141, 142];
const TRANS: [u64; 3] = [111, 112, 113];

pub struct Grid {
    pub dtype: Dtype,
    calls: Vec<Call>,
}

/// Calls with a workspace that are not in the record, because other functions' calls launch the same.
pub fn unrecorded() -> Vec<Call> {
    let of = |dtype| {
        let mut grid = Grid { dtype, calls: vec![] };
        for (m, n) in [(5, 3), (40, 100), (600, 40), (20_000, 32)] {
            let (a, last) = ([A, m, m * n], [9, WORK, WORK_BYTES, STREAM]);
            for part in 0..3 {
                let q = if part == 2 { m } else { m.min(n) };
                let results = [B, m, m * q, C, q, q * n];
                grid.call("tephra_?qr_strided_batched", &[&[part, m, n][..], &a, &results, &last].concat());
            }
            for trans in grid.transpositions() {
                let b = [B, m.max(n), m.max(n) * 3, INFO];
                grid.call("tephra_?gels_strided_batched", &[&[trans, m, n, 3][..], &a, &b, &last].concat());
            }
        }
        grid.calls
    };
    Dtype::ALL.into_iter().flat_map(of).collect()
}

/// All calls of a setting.
pub fn calls(library: &'static Library, setting: Setting) -> Vec<Call> {
    let mut calls = vec![];
    let [handle, queue] = objects(library);
    for dtype in Dtype::ALL {
        let mut grid = Grid { dtype, calls: vec![] };
        match setting {
            Setting::Default => {
                grid.geqrf(&SIZES, &BATCHES);
                grid.varying_qr(&SIZES, &BATCHES[..3]);
                grid.varying_lu(&FEW, &[1, 1000]);
                grid.varying_lu(&TALL, &[2]);
                grid.reflectors();
                grid.long_blocks();
                grid.one_matrix();
                grid.tall_batches();
                grid.solvers();
                grid.solutions();
                grid.rows(&FEW, &BATCHES[..4]);
                grid.rows(&TALL, &[2]);
                grid.cublas(handle);
                grid.magma(queue);
                grid.vbatched(&FEW, &[1, 1000], queue);
                grid.vbatched(&[1100], &[500], queue);
                grid.varying_systems(&FEW, &[1, 1000]);
            }
            Setting::BatchInvariant => {
                grid.geqrf(&FEW, &[1000]);
                grid.reflectors();
                grid.solvers();
                grid.rows(&FEW, &[1000]);
            }
            // Every plan accepts every shape except "resident".
            Setting::Plan("resident") => grid.geqrf(&FEW[..9], &[1000]),
            Setting::Plan(plan) => {
                grid.geqrf(&FEW, &[1000]);
                grid.varying_qr(&FEW, &[1000]);
                if plan == "blocked" {
                    grid.varying_lu(&FEW, &[1000]);
                }
                if plan == "generic" {
                    grid.rows(&[40], &[2]);
                    grid.vbatched(&[40], &[2], queue);
                }
            }
            Setting::Tf32 if dtype == Dtype::S => {
                grid.geqrf(&SIZES, &[1000]);
            }
            Setting::Fp32Tensor | Setting::Fp16 if dtype == Dtype::S => {
                grid.geqrf(&SIZES, &[1000]);
                grid.one_matrix();
            }
            Setting::Tf32 | Setting::Fp32Tensor | Setting::Fp16 => {}
        }
        calls.append(&mut grid.calls);
    }
    calls
}

/// A cuBLAS handle and a MAGMA queue, created once.
fn objects(library: &'static Library) -> [u64; 2] {
    static OBJECTS: std::sync::OnceLock<[u64; 2]> = std::sync::OnceLock::new();
    *OBJECTS.get_or_init(|| {
        let (mut handle, mut queue) = (std::ptr::null_mut::<c_void>(), std::ptr::null_mut::<c_void>());
        // SAFETY: the types match the headers.
        unsafe {
            let create: unsafe extern "C" fn(*mut *mut c_void) -> c_int = library.symbol("cublasCreate_v2").unwrap();
            assert_eq!(create(&mut handle), 0);
            let create: unsafe extern "C" fn(c_int, *mut *mut c_void, *const u8, *const u8, c_int) =
                library.symbol("magma_queue_create_internal").unwrap();
            create(0, &mut queue, c"".as_ptr().cast(), c"".as_ptr().cast(), 0);
        }
        [handle as u64, queue as u64]
    })
}

/// Host memory for the codes that cuBLAS's functions write.
fn host_info() -> u64 {
    static CODE: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);
    CODE.as_ptr() as u64
}

/// Host memory for the size of a workspace.
fn host_size() -> u64 {
    static SIZE: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(0);
    SIZE.as_ptr() as u64
}

/// Host memory for scalar factors of any precision.
fn host_factors() -> u64 {
    static FACTORS: std::sync::OnceLock<Vec<u64>> = std::sync::OnceLock::new();
    FACTORS.get_or_init(|| vec![0; 1024]).as_ptr() as u64
}

/// The address of a 1 in host memory.
pub fn one(dtype: Dtype) -> u64 {
    static SINGLE: [f32; 2] = [1.0, 0.0];
    static DOUBLE: [f64; 2] = [1.0, 0.0];
    if matches!(dtype, Dtype::S | Dtype::C) { SINGLE.as_ptr() as u64 } else { DOUBLE.as_ptr() as u64 }
}

impl Grid {
    pub fn call(&mut self, pattern: &'static str, arguments: &[u64]) -> &mut Call {
        let symbol = symbol_name(pattern, self.dtype);
        let mut routine = pattern.split_once('?').or(pattern.split_once('_')).map_or(pattern, |(_, name)| name);
        for affix in ["_batched", "Batched", "_strided", "_expert", "2_gpu", "_gpu"] {
            routine = routine.strip_suffix(affix).unwrap_or(routine);
        }
        self.calls.push(Call {
            symbol,
            routine,
            arguments: arguments.to_vec(),
            scalar: None,
            waits: false,
            void: false,
        });
        self.calls.last_mut().unwrap()
    }

    /// Adds a call that takes scalars by value and returns nothing.
    pub fn call_void(&mut self, pattern: &'static str, arguments: &[u64]) {
        let dtype = self.dtype;
        let call = self.call(pattern, arguments);
        (call.scalar, call.void) = (Some(dtype), true);
    }

    fn geqrf(&mut self, sizes: &[u64], batches: &[u64]) {
        for &m in sizes {
            for &n in sizes {
                for &batch in batches {
                    self.call("tephra_?geqrf_batched", &[m, n, A, m, TAU, batch, WORK, WORK_BYTES, STREAM]);
                }
                let (ld, k) = (m + 3, m.min(n));
                self.call(
                    "tephra_?geqrf_strided_batched",
                    &[m, n, A, ld, ld * n + 1, TAU, k, 100, WORK, WORK_BYTES, STREAM],
                );
            }
        }
    }

    /// Calls on members with their own sizes.
    fn varying_lu(&mut self, sizes: &[u64], batches: &[u64]) {
        for &m in sizes {
            for &n in sizes {
                for &batch in batches {
                    let (each, last) = ([m, n, EACH, EACH + 8, A, EACH + 16], [INFO, batch, WORK, WORK_BYTES, STREAM]);
                    self.call("tephra_?getrf_vbatched", &[&each[..], &[TAU], &last[..]].concat());
                    self.call("tephra_?getrf_nopiv_vbatched", &[&each[..], &last[..]].concat());
                }
            }
        }
    }

    fn varying_qr(&mut self, sizes: &[u64], batches: &[u64]) {
        for &m in sizes {
            for &n in sizes {
                for &batch in batches {
                    let each = [EACH, EACH + 8, A, EACH + 16, TAU, INFO];
                    let arguments = [&[m, n], &each[..], &[batch, WORK, WORK_BYTES, STREAM]].concat();
                    self.call("tephra_?geqrf_vbatched", &arguments);
                }
                let [m_each, n_each, k_each, lda, ldc] = [0, 8, 16, 24, 32].map(|at| EACH + at);
                let k = m.min(n);
                let written = [m, n, k, m_each, n_each, k_each, A, lda, TAU, INFO, 100, STREAM];
                self.call("tephra_?orgqr_vbatched", &written);
                for (side, trans) in [(141, 111), (142, 113), (141, 113)] {
                    let most = [side, trans, m, n, k, m_each, n_each, k_each];
                    self.call(
                        "tephra_?ormqr_vbatched",
                        &[&most[..], &[A, lda, TAU, C, ldc, INFO, 100, STREAM]].concat(),
                    );
                }
            }
        }
    }

    /// Calls for Q, products with Q, block reflectors, and QR in one call.
    fn reflectors(&mut self) {
        for m in SIZES {
            for n in SIZES.into_iter().filter(|&n| n <= m) {
                for batch in BATCHES {
                    self.call("tephra_?orgqr_batched", &[m, n, n, A, m, TAU, batch, STREAM]);
                }
            }
        }
        for m in FEW {
            for n in FEW {
                for batch in [1, 1000] {
                    let k = m.min(n);
                    if n <= m {
                        for k in [n, n / 2] {
                            self.call("tephra_?orgqr_batched", &[m, n, k, A, m, TAU, batch, STREAM]);
                        }
                        self.call(
                            "tephra_?orgqr_strided_batched",
                            &[m, n, n, A, m + 1, (m + 1) * n, TAU, n, batch, STREAM],
                        );
                    }
                    for part in 0..3 {
                        let q = [part, m, n, A, m, B, m, C, m.max(n)];
                        self.call("tephra_?qr_batched", &[&q[..], &[batch, WORK, WORK_BYTES, STREAM]].concat());
                    }
                    for side in LEFT {
                        let order = if side == 141 { m } else { n };
                        for trans in self.transpositions() {
                            let (k, c) = (k.min(order), [TAU, C, m, batch, STREAM]);
                            self.call("tephra_?ormqr_batched", &[&[side, trans, m, n, k, A, order], &c[..]].concat());
                            let block = [side, trans, m, n, k, A, order, T, k, C, m, batch, STREAM];
                            self.call("tephra_?larfb_batched", &block);
                        }
                    }
                    if n <= m {
                        self.call("tephra_?larft_batched", &[m, n, A, m, TAU, T, n, batch, STREAM]);
                    }
                }
            }
        }
    }

    /// Block reflectors with more columns than any kernel holds, and triangular factors whose rows are divided among
    /// blocks, of more reflectors than those kernels hold as well.
    fn long_blocks(&mut self) {
        for k in [32, 40, 300] {
            self.call("tephra_?larft_batched", &[2500, k, A, 2500, TAU, T, k, 10, STREAM]);
        }
        for trans in self.transpositions() {
            self.call("tephra_?larfb_batched", &[141, trans, 2000, 40, 1500, A, 2000, T, 1500, C, 2000, 10, STREAM]);
        }
    }

    /// Calls on one matrix, including tall and large factorisations.
    fn one_matrix(&mut self) {
        let small = [(5, 3), (33, 33), (600, 40)];
        let large = [
            (100, 129),
            (2500, 17),
            (4200, 32),
            (2100, 300),
            (8000, 16),
            (16_000, 16),
            (16_000, 32),
            (20_000, 16),
            (32_000, 16),
            (60_000, 16),
        ];
        // Outer panels of up to some number of rows are factored as a whole.
        for (m, n) in small.into_iter().chain(large).chain([(70_000, 64), (300_000, 64), (300_000, 100)]) {
            self.call("tephra_?geqrf", &[m, n, A, m, TAU, WORK, WORK_BYTES, STREAM]);
            if n <= m {
                self.call("tephra_?orgqr", &[m, n, n, A, m, TAU, STREAM]);
            }
        }
        for (m, n) in small {
            for trans in self.transpositions() {
                self.call("tephra_?ormqr", &[141, trans, m, 5, m.min(n), A, m, TAU, C, m, STREAM]);
                self.call("tephra_?ormqr", &[142, trans, 5, m, m.min(n), A, m, TAU, C, 5, STREAM]);
                self.call("tephra_?gels", &[trans, m, n, 3, A, m, B, m.max(n), INFO, WORK, WORK_BYTES, STREAM]);
            }
        }
        // Few large matrices: panels in one block, in clusters of all sizes, and step by step; then one of middle order, and
        // tall ones with fewer columns.
        let large = [
            (600, 600),
            (2000, 513),
            (4000, 520),
            (8000, 600),
            (16_000, 512),
            (32_000, 512),
            (33_000, 512),
            (520, 1100),
        ];
        for (m, n) in large.into_iter().chain([(180, 180), (3000, 40), (9000, 40), (70_000, 33)]) {
            for batch in [1, 3, 100] {
                let sizes = [m, n, A, m, m * n, B, m.min(n), INFO, batch, WORK, WORK_BYTES, STREAM];
                self.call("tephra_?getrf_strided_batched", &sizes);
            }
        }
        // The same with individual sizes, and many members with few columns.
        for (m, n) in [(1100, 40), (3000, 40), (9000, 70), (20_000, 40), (40_000, 40)] {
            for batch in [1, 100] {
                let (each, last) = ([m, n, EACH, EACH + 8, A, EACH + 16], [INFO, batch, WORK, WORK_BYTES, STREAM]);
                self.call("tephra_?getrf_vbatched", &[&each[..], &[TAU], &last[..]].concat());
                self.call("tephra_?geqrf_vbatched", &[&each[..], &[TAU], &last[..]].concat());
            }
        }
        self.varying_qr(&[1100], &[3]);
        for (n, batch) in [(128, 2), (300, 70), (700, 3), (700, 3000), (2000, 1)] {
            for uplo in [121, 122] {
                let sizes = [uplo, 131, n, A, n, n * n, INFO, batch, STREAM];
                self.call("tephra_?trtri_strided_batched", &sizes);
            }
        }
        let ([n, columns], [plain, turned]) = ([9000, 3], self.transpositions());
        for (uplo, trans) in [(121, plain), (121, turned), (122, plain), (122, turned)] {
            self.call("tephra_?trsv_strided_batched", &[uplo, trans, 131, n, A, n, n * n, B, 1, n, 2, STREAM]);
            let alpha = one(self.dtype);
            for (side, m, n, order) in [(141, n, columns, n), (142, columns, n, n)] {
                let flags = [side, uplo, trans, 131, m, n, alpha, A, order, order * order];
                self.call("tephra_?trsm_strided_batched", &[&flags[..], &[B, m, m * n, 2, STREAM]].concat());
                for batch in [1, 2] {
                    self.call("tephra_?trmm_strided_batched", &[&flags[..], &[B, m, m * n, batch, STREAM]].concat());
                    let (a, b) = ([A, order, order * order], [B, m, m * n]);
                    let (sides, last) = ([side, uplo, m, n, alpha], [alpha, C, m, m * n, batch, STREAM]);
                    self.call("tephra_?symm_strided_batched", &[&sides[..], &a, &b, &last].concat());
                }
            }
        }
        for n in [520, 1100, 2200] {
            for uplo in [121, 122] {
                let sizes = [uplo, n, A, n, n * n, INFO, 1, WORK, WORK_BYTES, STREAM];
                self.call("tephra_?potrf_strided_batched", &sizes);
            }
        }
        const ENOUGH: u64 = 1 << 40;
        for (m, n) in [(5, 3), (600, 40), (2100, 17), (70_000, 12), (70_000, 32), (70_000, 100)] {
            self.call("tephra_?geqr", &[m, n, A, m, T, ENOUGH, STREAM]);
            let a = [A, m + 3, (m + 3) * n];
            let strided = [&[m, n][..], &a, &[T, ENOUGH, ENOUGH, 10, STREAM]].concat();
            self.call("tephra_?geqr_strided_batched", &strided);
            for trans in self.transpositions() {
                self.call("tephra_?gemqr", &[141, trans, m, 5, n, A, m, T, ENOUGH, C, m, STREAM]);
                self.call("tephra_?gemqr", &[142, trans, 100, m, n, A, m, T, ENOUGH, C, 100, STREAM]);
                let c = [C, m, m * 40, 10, STREAM];
                let strided = [&[141, trans, m, 40, n][..], &a, &[T, ENOUGH, ENOUGH], &c].concat();
                self.call("tephra_?gemqr_strided_batched", &strided);
            }
        }
        for (m, n, nrhs) in [(5, 3, 1), (2000, 100, 1), (70_000, 64, 9), (70_000, 300, 1), (1200, 1030, 1)] {
            let operands = [m, n, nrhs, A, m, B, m, C, n, 0, TAU, T, INFO, WORK, WORK_BYTES, STREAM];
            self.call("tephra_?gels_iterative", &operands).waits = true;
        }
        for (m, n, nrhs, batch) in
            [(300, 20, 2, 3), (4096, 32, 1, 100), (5000, 150, 1, 9), (1100, 1030, 1, 2), (64, 5, 1, 20_000)]
        {
            let sizes = [m, n, nrhs, A, m, B, m, C, n, 0, TAU, T, INFO, batch, WORK, WORK_BYTES, STREAM];
            self.call("tephra_?gels_iterative_batched", &sizes).waits = true;
            let (sa, sb, sx) = (m * n, m * nrhs, n * nrhs);
            let sizes = [m, n, nrhs, A, m, sa, B, m, sb, C, n, sx, 0, TAU, T, INFO, batch, WORK, WORK_BYTES, STREAM];
            self.call("tephra_?gels_iterative_strided_batched", &sizes).waits = true;
        }
    }

    /// Batches of tall matrices that clusters process one after another, and taller matrices, also with Q.
    fn tall_batches(&mut self) {
        let of_clusters = [(4000, 32), (4000, 100), (16_000, 16), (20_000, 16)];
        let of_clusters = of_clusters.into_iter().flat_map(|(m, n)| [9, 20, 100].map(|batch| (m, n, batch)));
        for (m, n, batch) in of_clusters.chain([(70_000, 70, 3)]) {
            self.call("tephra_?geqrf_batched", &[m, n, A, m, TAU, batch, WORK, WORK_BYTES, STREAM]);
        }
        for (m, n) in [(20_000, 16), (20_000, 32), (20_000, 40)] {
            for part in 0..2 {
                let q = [part, m, n, A, m, B, m, C, n];
                self.call("tephra_?qr_batched", &[&q[..], &[2, WORK, WORK_BYTES, STREAM]].concat());
            }
        }
    }

    /// No transposition, and the one that is meaningful for Q.
    fn transpositions(&self) -> [u64; 2] {
        [TRANS[0], TRANS[if self.dtype.is_complex() { 2 } else { 1 }]]
    }

    fn solvers(&mut self) {
        for m in FEW {
            for n in FEW {
                for nrhs in [1, 5, 40] {
                    for trans in self.transpositions() {
                        let sizes = [trans, m, n, nrhs, A, m, B, m.max(n), INFO, 1000];
                        self.call("tephra_?gels_batched", &[&sizes[..], &[WORK, WORK_BYTES, STREAM]].concat());
                    }
                }
                for (i, side) in LEFT.into_iter().enumerate() {
                    let order = [m, n][i];
                    for (uplo, trans) in [(121, 111), (122, 111), (121, 113), (122, 112)] {
                        let flags = [side, uplo, trans, 131 + (n & 1), m, n, one(self.dtype), A, order];
                        self.call("tephra_?trsm_batched", &[&flags[..], &[B, m, 1000, STREAM]].concat());
                    }
                    let flags = [side, 121, 111, 131, m, n, one(self.dtype), A, order, order * order];
                    self.call("tephra_?trsm_strided_batched", &[&flags[..], &[B, m, m * n, 40, STREAM]].concat());
                }
            }
        }
    }

    /// Factors with many right-hand sides.
    fn solutions(&mut self) {
        for n in FEW {
            for nrhs in [40, 100] {
                for uplo in [121, 122] {
                    let sizes = [uplo, n, nrhs, A, n, B, n, 1000, WORK, WORK_BYTES, STREAM];
                    self.call("tephra_?potrs_batched", &sizes);
                }
                for trans in self.transpositions() {
                    let sizes = [trans, n, nrhs, A, n, TAU, B, n, 1000, WORK, WORK_BYTES, STREAM];
                    self.call("tephra_?getrs_batched", &sizes);
                }
            }
        }
    }

    fn cublas(&mut self, handle: u64) {
        for m in FEW {
            for n in FEW {
                self.call("cublas?geqrfBatched", &[handle, m, n, A, m, TAU, host_info(), 1000]);
                if m >= n {
                    let sizes = [handle, 0, m, n, 3, A, m, C, m, host_info(), INFO, 1000];
                    self.call("cublas?gelsBatched", &sizes);
                }
                self.call("cublas?trsmBatched", &[handle, 0, 1, 0, 0, m, n, one(self.dtype), A, m, B, m, 1000]);
                // Long sums, with and without transposition.
                let (scalar, k) = (one(self.dtype), 100);
                let product = [handle, 0, 1, m, n, k, scalar, A, m, B, n, scalar, C, m, 1000];
                self.call("cublas?gemmBatched", &product);
                let strided = [handle, 1, 0, m, n, k, scalar, A, k, m * k, B, k, 0, scalar, C, m, m * n, 1000];
                self.call("cublas?gemmStridedBatched", &strided);
                self.call("cublas?gemvBatched", &[handle, 0, m, n, scalar, A, m, B, 1, scalar, C, 2, 1000]);
            }
        }
    }

    fn magma(&mut self, queue: u64) {
        let dtype = self.dtype;
        for m in FEW {
            for n in FEW {
                let k = m.min(n);
                self.call("magma_?geqrf_batched", &[m, n, A, m, TAU, INFO, 1000, queue]).waits = true;
                for provide in 0..3 {
                    let sizes = [m, n, 32, A, m, B, m, T, 32, TAU, provide, WORK, INFO, 1000, queue];
                    self.call("magma_?geqrf_expert_batched", &sizes);
                }
                if n <= m {
                    self.call("magma_?orgqr_batched", &[m, n, n, A, m, TAU, INFO, 1000, queue]);
                    let trans = self.transpositions()[1];
                    let lwork = host_size();
                    let sizes = [141, trans, m, n, k, A, m, TAU, C, m, WORK, lwork, INFO, 1000, queue];
                    self.call("magma_?ormqr_batched", &sizes);
                }
                let sizes = [111, m, n, 2, A, m, B, m.max(n), 0, 0, INFO, 1000, queue];
                self.call("magma_?gels_batched", &sizes).waits = true;
                self.call_void("magmablas_?trsm_batched", &[141, 121, 111, 131, m, n, A, m, B, m, 1000, queue]);
                for (pattern, ld) in [("magmablas_?lacpy", [m, B, m]), ("magmablas_?laset", [m, queue, 0])] {
                    let copy = pattern.ends_with("lacpy");
                    let head = [121, m, n, A];
                    let call = self.call(
                        pattern,
                        &if copy { [&head[..], &ld, &[queue]].concat() } else { [&head[..], &ld].concat() },
                    );
                    call.void = true;
                    call.scalar = (!copy).then_some(dtype);
                }
            }
        }
        // One matrix, with scalar factors and codes on the host.
        let (tau, info) = (host_factors(), host_info());
        for (m, n) in [(5, 3), (100, 80), (2500, 17), (1000, 300)] {
            let k = m.min(n);
            self.call("magma_?geqrf2_gpu", &[m, n, A, m, tau, info]).waits = true;
            // With more panels, which are kept in another form, the rest are calls of other routines.
            if k <= 64 {
                self.call("magma_?geqrf_gpu", &[m, n, A, m, tau, T, info]).waits = true;
                let solve = [m, n, 7, A, m, tau, T, C, m, host_factors(), 1 << 30, info];
                self.call("magma_?geqrs3_gpu", &solve).waits = true;
            }
            self.call("magma_?orgqr_gpu", &[m, n, k, A, m, tau, 0, 0, info]).waits = true;
            for side in LEFT.into_iter().filter(|_| m <= 1000) {
                let trans = self.transpositions()[1];
                let (rows, columns) = if side == 141 { (m, 7) } else { (7, m) };
                let c = [C, rows, host_factors(), 1 << 30, 0, 0, info];
                let head = [side, trans, rows, columns, k, A, m, tau];
                self.call("magma_?ormqr_gpu", &[&head[..], &c[..]].concat()).waits = true;
                self.call("magma_?ormqr2_gpu", &[&head[..], &[C, rows, 0, m, info]].concat()).waits = true;
            }
        }
        self.call("magma_?set_pointer", &[B, A, 8, 1, 2, 64, 1000, queue]).void = true;
        self.panels(queue);
    }

    /// The routines that MAGMA's LU consists of.
    fn panels(&mut self, queue: u64) {
        for n in FEW {
            self.call("magma_?laswp_columnserial_batched", &[n, A, n, 1, 2 * n, B, 1000, queue]).void = true;
            self.call("magma_?laswp_columnserial_batched", &[n, A, n, n, 1, B, 100_000, queue]).void = true;
            for rows in [1, 32, 100, 1024] {
                let input = [n, A, 3, 2, 2000];
                let sizes = [C, 1, 0, rows, 7, 7 + rows, B, 1000, queue];
                self.call("magma_?laswp_rowparallel_batched", &[&input[..], &sizes].concat()).void = true;
            }
            for (at, step, batch) in [(32, 32, 1000), (32, 0, 40), (0, 8, 100_000)] {
                let sizes = [2 * n, n, A, at, at, 2000, B, 0, INFO, step, batch, queue];
                self.call("magma_?getf2_batched", &sizes);
                self.call("magma_?getf2_nopiv_batched", &[2 * n, n, A, at, at, 2000, INFO, step, batch, queue]);
            }
        }
    }
}
