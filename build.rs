//! Compiles `kernels/` with nvcc to one embedded fatbin per family and precision, and writes the table of kernels.
//!
//! Environment: `NVCC` (else `CUDA_HOME`, `PATH`, `/usr/local/cuda`, `.tools/cuda`), `TEPHRA_CUDA_ARCHS` (`90`; a list
//! like `80,90,80-ptx`; `native`, this machine's GPUs; `all` = 80,90,100,120,80-ptx). PTX, for the other architectures, is
//! made only of the families that every operation can make do with ([`PORTABLE`]): of all families it would be as large as
//! the code of an architecture, and take minutes to compile at its first use. Images are cached by content below the
//! target folder, so that every cargo profile shares them.

#[path = "kernels/archs.rs"]
mod archs;

use archs::Archs;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    for dir in ["kernels", "src/backend/cuda", "src/plan", "build.rs"] {
        println!("cargo::rerun-if-changed={dir}");
    }
    for var in ["NVCC", "CUDA_HOME", "TEPHRA_CUDA_ARCHS"] {
        println!("cargo::rerun-if-env-changed={var}");
    }
    println!("cargo::rustc-env=TEPHRA_KERNEL_HASH={}", source_hash(&root));
    if env::var_os("CARGO_FEATURE_CUDA").is_some() {
        let archs = Archs::from_env();
        println!("cargo::rustc-env=TEPHRA_CUDA_ARCHS_BUILT={}", archs.text);
        compile(&root, &archs);
    }
}

/// Identifies the kernel and CUDA-backend sources: the GPU report carries it (`scripts/kernel_hash.py` agrees).
fn source_hash(root: &Path) -> String {
    let mut files = vec![PathBuf::from("build.rs")];
    for dir in ["kernels", "src/backend/cuda", "src/plan"] {
        walk(&root.join(dir), &mut |p| files.push(p.strip_prefix(root).unwrap().to_path_buf()));
    }
    files.sort_by_key(|p| p.to_str().unwrap().to_owned());
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.to_str().unwrap().as_bytes());
        hash.update([0]);
        hash.update(fs::read(root.join(&file)).unwrap());
        hash.update([0]);
    }
    hex(&hash.finalize())
}

fn walk(dir: &Path, visit: &mut dyn FnMut(PathBuf)) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, visit) } else { visit(path) }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut s, b| {
        write!(s, "{b:02x}").unwrap();
        s
    })
}

/// Families of which PTX is made. Where the device's own code is missing, plans use no others (`Limits::tuned`).
const PORTABLE: [&str; 14] = [
    "assign",
    "copy",
    "extract",
    "gels_info",
    "gels_prepare",
    "generic",
    "larfb",
    "larfb_columns",
    "larfb_given",
    "larft",
    "set_pointers",
    "small_trsm",
    "thin",
    "trsm",
];

impl Archs {
    fn from_env() -> Archs {
        let text = env::var("TEPHRA_CUDA_ARCHS").unwrap_or_default();
        Archs::parse(&text, compute_capabilities).unwrap_or_else(|e| panic!("\n\nTEPHRA_CUDA_ARCHS: {e}\n"))
    }

    /// nvcc's flags for a family.
    fn flags(&self, family: &str) -> Vec<String> {
        let ptx: &[u32] = if PORTABLE.contains(&family) { &self.ptx } else { &[] };
        let native = self.native.iter().map(|a| format!("-gencode=arch=compute_{a},code=sm_{a}"));
        native.chain(ptx.iter().map(|a| format!("-gencode=arch=compute_{a},code=compute_{a}"))).collect()
    }
}

/// What the driver says of this machine's GPUs, one a line.
fn compute_capabilities() -> Result<String, String> {
    let output = Command::new("nvidia-smi")
        .args(["--query-gpu=compute_cap", "--format=csv,noheader"])
        .output()
        .map_err(|e| format!("native: nvidia-smi cannot be run ({e}); name the architecture, such as 90"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("native: nvidia-smi failed: {}", text.trim())) }
}

fn find_nvcc(root: &Path) -> PathBuf {
    let exe = |dir: &str| PathBuf::from(dir).join("bin/nvcc");
    let mut candidates = vec![];
    candidates.extend(env::var("NVCC").ok().map(PathBuf::from));
    candidates.extend(env::var("CUDA_HOME").ok().map(|d| exe(&d)));
    if let Some(path) = env::var_os("PATH") {
        candidates.extend(env::split_paths(&path).map(|d| d.join("nvcc")));
    }
    candidates.push(exe("/usr/local/cuda"));
    candidates.push(root.join(".tools/cuda/nvidia/cu13/bin/nvcc"));
    candidates.into_iter().find(|p| p.is_file()).unwrap_or_else(|| {
        panic!(
            "\n\nnvcc was not found (looked at NVCC, CUDA_HOME, PATH, /usr/local/cuda, .tools/cuda).\n\
             `make` fetches it from PyPI; or install a CUDA 13 toolkit; or build the CPU backend alone with\n\
             `cargo build --no-default-features` (`make CUDA=0`).\n"
        )
    })
}

#[derive(Deserialize)]
struct Manifest {
    accepted_spills: Vec<String>,
    resident: Vec<Family>,
    halves: Vec<Family>,
    strip: Vec<Family>,
    tall: Vec<Family>,
    update: Vec<Family>,
    update_tf32: Vec<Family>,
    larfb: Vec<Family>,
    larfb_given: Vec<Family>,
    larfb_columns: Vec<Family>,
    q: Vec<Family>,
    q_strip: Vec<Family>,
    q_team: Vec<Family>,
    q_few: Vec<Family>,
    thin: Vec<Family>,
    larft: Vec<Family>,
    copy: Vec<Family>,
    assign: Vec<Family>,
    generic: Vec<Family>,
    extract: Vec<Family>,
    trsm: Vec<Family>,
    small_trsm: Vec<Family>,
    gels: Vec<Family>,
    gels_prepare: Vec<Family>,
    gels_info: Vec<Family>,
}

#[derive(Deserialize)]
struct Family {
    dtypes: String,
    instances: Vec<Vec<u32>>,
}

/// One source file to be: a family in one precision.
#[derive(Default)]
struct Unit {
    family: String,
    source: String,
    kernels: Vec<String>,
}

/// The table entries of the kernels, by family.
type Tables = BTreeMap<&'static str, String>;

fn compile(root: &Path, archs: &Archs) {
    let manifest: Manifest = toml::from_str(&fs::read_to_string(root.join("kernels/manifest.toml")).unwrap())
        .unwrap_or_else(|e| panic!("kernels/manifest.toml: {e}"));
    let mut units: BTreeMap<String, Unit> = BTreeMap::new();
    let mut tables = Tables::default();
    instances(&manifest, &mut units, &mut tables);
    let pointers = fs::read_to_string(root.join("kernels/auxiliary/set_pointers.cu")).unwrap();
    units.insert(
        "set_pointers".into(),
        Unit { family: "set_pointers".into(), source: pointers, kernels: vec!["set_pointers".into()] },
    );

    let nvcc = find_nvcc(root);
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    // target/<profile>/build/<package>/out -> target/kernels
    let cache = out.ancestors().nth(4).unwrap().join("kernels");
    fs::create_dir_all(&cache).unwrap();
    let version = nvcc_version(&nvcc);

    let units: Vec<(String, Unit)> = units.into_iter().collect();
    let images: Vec<PathBuf> = units
        .iter()
        .map(|(_, unit)| {
            let key = format!("{version}{:?}{}", archs.flags(&unit.family), FLAGS.join(" "));
            let name = hex(&Sha256::digest(format!("{key}{}{}", include_hash(root, &unit.source), unit.source)))[..24]
                .to_owned();
            cache.join(format!("{name}.fatbin"))
        })
        .collect();
    let queue = Mutex::new((0..units.len()).rev().collect::<Vec<_>>());
    let workers: usize = env::var("NUM_JOBS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, units.len()) {
            scope.spawn(|| {
                loop {
                    let Some(i) = queue.lock().unwrap().pop() else { return };
                    if !images[i].exists() {
                        build_image(&nvcc, root, archs, &units[i], &images[i]);
                    }
                }
            });
        }
    });
    for image in &images {
        report_spills(image, &manifest.accepted_spills);
    }
    write_table(&out, archs, &units, &images, &tables);
}

const FLAGS: [&str; 6] =
    ["-std=c++17", "-O3", "-fatbin", "-Xptxas=-v", "-Xfatbin=-compress-all", "--compress-mode=size"];

fn instances(manifest: &Manifest, units: &mut BTreeMap<String, Unit>, tables: &mut Tables) {
    let mut add = |family: &str, dtype: char, macro_name: &str, name: &str, args: &[u32]| {
        let unit = units.entry(format!("{family}_{dtype}")).or_default();
        if unit.source.is_empty() {
            unit.family = family.to_owned();
            let header = match family {
                "update" | "update_tf32" | "larfb" => "instance_update",
                "larfb_given" | "larfb_columns" => "instance_given",
                "q" | "q_strip" | "q_team" | "q_few" | "thin" | "larft" => "instance_q",
                "copy" => "instance_copy",
                "tall" => "instance_tall",
                "assign" => "instance_assign",
                "trsm" | "small_trsm" | "gels" | "gels_prepare" | "gels_info" => "instance_solve",
                _ => "instance",
            };
            writeln!(unit.source, "#include \"{header}.cuh\"").unwrap();
        }
        let args: Vec<String> = args.iter().map(u32::to_string).collect();
        writeln!(unit.source, "{macro_name}({name}, {dtype}, {})", args.join(", ")).unwrap();
        unit.kernels.push(name.to_owned());
    };
    let each = |families: &[Family], f: &mut dyn FnMut(char, &[u32])| {
        for family in families {
            for dtype in family.dtypes.chars() {
                family.instances.iter().for_each(|i| f(dtype, i));
            }
        }
    };
    let mut entry = |family: &'static str, dtype: char, kind: &str, name: &str, fields: String| {
        let dtype = dtype.to_ascii_uppercase();
        let row = format!("{kind} {{ kernel: \"{name}\", dtype: Dtype::{dtype}, {fields} }},\n");
        tables.entry(family).or_default().push_str(&row);
    };
    each(&manifest.resident, &mut |t, i| {
        let [pr, pc, rpt, cpt, w, teams, _min_blocks] = i.try_into().expect("resident: seven numbers");
        let (m, n) = (pr * rpt, pc * cpt * w);
        let name = format!("geqrf_resident_{t}_{m}x{n}_{pr}x{pc}w{w}");
        add("resident", t, "TEPHRA_RESIDENT", &name, i);
        let (per_block, threads) = (32 / (pr * pc) * teams, 32 * w * teams);
        let fields = resident(m, n, threads, w, per_block, 0, ONE_EACH);
        entry("resident", t, "Resident", &name, fields);
    });
    each(&manifest.tall, &mut |t, i| {
        let (shape, more) = i.split_at(7.min(i.len()));
        let [n, nb, pc, _g, rpt, w, min_blocks] = shape.try_into().expect("tall: seven numbers or more");
        let (places, ahead) = match *more {
            [] => (n - nb, 0),
            [places] => (places, 0),
            [places, ahead] => (places, ahead),
            _ => panic!("tall: nine numbers at most"),
        };
        let (m, threads) = (32 / pc * w * rpt, 32 * w);
        // Mirrors TallQr::Memory; the kernel's macro asserts it.
        let (element, real) = match t {
            's' => (4, 4),
            'd' => (8, 8),
            'c' => (8, 4),
            _ => (16, 8),
        };
        let step = (element * (3 * w * nb + 2 * nb + n) + 32 * real + (2 * n + w).next_multiple_of(4) + 4)
            .next_multiple_of(16);
        let block = element * (w * nb * nb.min(8) + nb * (nb - 1) / 2);
        let mut shared = step;
        if n > nb {
            shared += block.next_multiple_of(16) + element * places * m;
        }
        if ahead > 0 {
            shared += element * ahead * m + 32;
        }
        let name = format!("geqrf_tall_{t}_{m}x{n}_{nb}w{w}");
        add("tall", t, "TEPHRA_TALL", &name, &[shape, &[places, ahead, shared]].concat());
        let at_once = if ahead > 0 { min_blocks } else { 0 };
        let fields = resident(m, n, threads, w, 1, shared, at_once);
        entry("resident", t, "Resident", &name, fields);
    });
    // To a plan, a resident instance.
    each(&manifest.halves, &mut |t, i| {
        let [pc, m, cpt, teams, _min_blocks] = i.try_into().expect("halves: five numbers");
        let n = 2 * pc * cpt;
        let name = format!("geqrf_halves_{t}_{m}x{n}_{pc}");
        add("halves", t, "TEPHRA_HALVES", &name, i);
        let fields = resident(m, n, 32 * teams, 1, 32 / pc * teams, 0, ONE_EACH);
        entry("resident", t, "Resident", &name, fields);
    });
    // To a plan, a resident instance of two warps: it declines nothing that holds more than 32 columns.
    each(&manifest.strip, &mut |t, i| {
        let [pr, pc, rpt, cpt, strips, _min_blocks] = i.try_into().expect("strip: six numbers");
        let (m, n) = (pr * rpt, pc * cpt * strips);
        let name = format!("geqrf_strip_{t}_{m}x{n}");
        add("strip", t, "TEPHRA_STRIP", &name, i);
        let fields = resident(m, n, 32, 2, 1, 0, ONE_EACH);
        entry("resident", t, "Resident", &name, fields);
    });
    each(&manifest.q, &mut |t, i| {
        let [pr, pc, rpt, cpt, teams, _min_blocks] = i.try_into().expect("q: six numbers");
        let (m, n) = (pr * rpt, pc * cpt);
        let name = format!("q_{t}_{m}x{n}_{pr}x{pc}");
        add("q", t, "TEPHRA_Q", &name, i);
        let (per_block, threads) = (32 / (pr * pc) * teams, 32 * teams);
        let fields = resident(m, n, threads, 1, per_block, 0, ONE_EACH);
        entry("q", t, "Resident", &name, fields);
    });
    each(&manifest.q_strip, &mut |t, i| {
        let [pr, pc, rpt, cpt, strips, w, _min_blocks] = i.try_into().expect("q_strip: seven numbers");
        let m = pr * rpt;
        let n = (pc * cpt * strips).min(m); // never more columns than rows
        let name = format!("q_strip_{t}_{m}x{n}w{w}");
        add("q_strip", t, "TEPHRA_Q_STRIP", &name, i);
        let fields = resident(m, n, 32 * w, w, 1, 0, ONE_EACH);
        entry(if w == 1 { "q_strip" } else { "q_few" }, t, "Resident", &name, fields);
    });
    for (family, list) in [("q_team", &manifest.q_team), ("q_few", &manifest.q_few)] {
        each(list, &mut |t, i| {
            let [pr, pc, rpt, cpt, w, _keep, _min_blocks] = i.try_into().expect("q_team: seven numbers");
            let (m, n) = (pr * rpt, pc * cpt * w);
            let name = format!("q_team_{t}_{m}x{n}_{pr}x{pc}w{w}");
            add(family, t, "TEPHRA_Q_TEAM", &name, i);
            let fields = resident(m, n, 32 * w, w, 1, 0, ONE_EACH);
            entry(family, t, "Resident", &name, fields);
        });
    }
    for (family, list) in [("update", &manifest.update), ("larfb", &manifest.larfb)] {
        each(list, &mut |t, i| {
            let UpdateShape { nb, nt, rows, threads, shared, columns, cluster, per_processor } = UpdateShape::of(t, i);
            let name =
                format!("{}_{t}_{nb}x{columns}_{rows}", if family == "update" { "geqrf_update" } else { family });
            let macro_name = format!("TEPHRA_{}", family.to_uppercase());
            add(family, t, &macro_name, &name, &[i, &[rows, shared]].concat());
            let fields = format!(
                "nb: {nb}, nt: {nt}, columns: {columns}, rows: {rows}, threads: {threads}, shared: {shared}, \
                 cluster: {cluster}, per_processor: {per_processor}"
            );
            entry(family, t, "Update", &name, fields);
        });
    }
    each(&manifest.larfb_given, &mut |t, i| {
        let [nb, nt, w, u, g, min_blocks] = i.try_into().expect("larfb_given: six numbers");
        let UpdateShape { rows, threads, shared, columns, .. } = UpdateShape::of(t, &[nb, nt, w, u, g, 1, min_blocks]);
        let name = format!("larfb_given_{t}_{nb}x{columns}_{rows}");
        add("larfb_given", t, "TEPHRA_LARFB_GIVEN", &name, &[i, &[rows, shared]].concat());
        let fields = format!(
            "nb: {nb}, nt: {nt}, columns: {columns}, rows: {rows}, threads: {threads}, shared: {shared}, cluster: 1, \
             per_processor: {min_blocks}"
        );
        entry("larfb_given", t, "Update", &name, fields);
    });
    each(&manifest.update_tf32, &mut |t, i| {
        let UpdateShape { nb, nt, rows, threads, shared, columns, cluster, per_processor } = UpdateShape::tf32(i);
        let name = format!("geqrf_update_tf32_{t}_{nb}x{columns}_{rows}");
        add("update_tf32", t, "TEPHRA_UPDATE_TF32", &name, &[i, &[rows, shared]].concat());
        let fields = format!(
            "nb: {nb}, nt: {nt}, columns: {columns}, rows: {rows}, threads: {threads}, shared: {shared}, \
             cluster: {cluster}, per_processor: {per_processor}"
        );
        entry("update_tf32", t, "Update", &name, fields);
    });
    each(&manifest.thin, &mut |t, i| {
        let [rpt, nr, w, teams] = i.try_into().expect("thin: four numbers");
        let (rows, threads) = (32 * rpt * w, 32 * w * teams);
        let name = format!("thin_{t}_{rows}x{nr}");
        add("thin", t, "TEPHRA_THIN", &name, i);
        let fields = format!("rows: {rows}, columns: {nr}, threads: {threads}, per_block: {teams}");
        entry("thin", t, "Thin", &name, fields);
    });
    each(&manifest.gels, &mut |t, i| {
        let [pr, pc, rpt, cpt, teams, _min_blocks] = i.try_into().expect("gels: six numbers");
        let (m, n) = (pr * rpt, pc * cpt);
        let name = format!("gels_{t}_{m}x{n}_{pr}x{pc}");
        add("gels", t, "TEPHRA_GELS", &name, i);
        let (per_block, threads) = (32 / (pr * pc) * teams, 32 * teams);
        let fields = resident(m, n, threads, 1, per_block, 0, ONE_EACH);
        entry("gels", t, "Resident", &name, fields);
    });
    each(&manifest.trsm, &mut |t, i| {
        let [w, mt, cols, teams, min_blocks] = i.try_into().expect("trsm: five numbers");
        // Mirrors struct Trsm::Shared; the kernel's macro asserts it.
        let (element, pad) = match t {
            's' => (4, 2),
            'c' => (8, 1),
            'd' => (8, 2),
            _ => (16, 1),
        };
        let (rows, threads) = (16 * w * mt, 32 * w * teams);
        let shared = element * teams * (w * mt * 256 + 2 * 16 * (cols + pad));
        let name = format!("trsm_{t}_{rows}x{cols}");
        add("trsm", t, "TEPHRA_TRSM", &name, &[w, mt, cols, teams, min_blocks, shared]);
        let fields = format!("rows: {rows}, cols: {cols}, threads: {threads}, shared: {shared}, per_block: {teams}");
        entry("trsm", t, "Trsm", &name, fields);
    });
    each(&manifest.small_trsm, &mut |t, i| {
        let [rows, cols, warps] = i.try_into().expect("small_trsm: three numbers");
        let name = format!("trsm_small_{t}_{rows}x{cols}");
        add("small_trsm", t, "TEPHRA_SMALL_TRSM", &name, i);
        let (per_block, threads) = (32 / rows * warps, 32 * warps);
        let fields = format!("rows: {rows}, cols: {cols}, threads: {threads}, shared: 0, per_block: {per_block}");
        entry("trsm", t, "Trsm", &name, fields);
    });
    for (family, list) in [
        ("generic", &manifest.generic),
        ("extract", &manifest.extract),
        ("larfb_columns", &manifest.larfb_columns),
        ("larft", &manifest.larft),
        ("copy", &manifest.copy),
        ("assign", &manifest.assign),
        ("gels_prepare", &manifest.gels_prepare),
        ("gels_info", &manifest.gels_info),
    ] {
        each(list, &mut |t, i| {
            let prefix = if matches!(family, "generic" | "extract") { "geqrf_" } else { "" };
            let name = format!("{prefix}{family}_{t}");
            add(family, t, &format!("TEPHRA_{}", family.to_uppercase()), &name, i);
            entry(family, t, "Plain", &name, format!("threads: {}", i[0]));
        });
    }
}

/// The fields of a `Resident` after its name and type.
fn resident(m: u32, n: u32, threads: u32, warps: u32, per_block: u32, shared: u32, per_processor: u32) -> String {
    format!(
        "m: {m}, n: {n}, threads: {threads}, warps: {warps}, per_block: {per_block}, shared: {shared}, \
         per_processor: {per_processor}"
    )
}
/// `per_processor` where a launch has blocks for all matrices.
const ONE_EACH: u32 = 0;

/// What an instance of kernels/geqrf/update.cuh holds and needs.
struct UpdateShape {
    nb: u32,
    nt: u32,
    rows: u32,
    threads: u32,
    shared: u32,
    columns: u32,
    cluster: u32,
    per_processor: u32,
}

impl UpdateShape {
    /// Mirrors struct Update, its tiles and its sums; the kernel's macro asserts it.
    fn of(dtype: char, instance: &[u32]) -> UpdateShape {
        let [nb, nt, w, u, g, cluster, per_processor] = instance.try_into().expect("update: seven numbers");
        let (element, group, pad, tensor) = match dtype {
            's' => (4, 32, 0, false),
            'c' => (8, 16, 0, false),
            'd' => (8, 8, 2, true),
            _ => (16, 8, 1, true),
        };
        let (rows, threads, size) = (group * u * w, 32 * w * g, nb * nt);
        let parts = if tensor && cluster == 1 { 2 * w } else { w };
        let x = if tensor { 1 } else { size };
        let sums = if cluster > 1 { g * (2 * cluster * size * element + 16) } else { 16 };
        // The pointers at the end, and what aligning the members takes.
        let shared = element * (nb * (rows + pad) + g * (parts * size + x) + nb * (nb + 1) + nb) + sums + 80;
        UpdateShape { nb, nt, rows: rows * cluster, threads, shared, columns: nt * g, cluster, per_processor }
    }
}

impl UpdateShape {
    /// Mirrors struct UpdateTf32; the kernel's macro asserts it.
    fn tf32(instance: &[u32]) -> UpdateShape {
        let [nb, nt, w, u, g, cluster, per_processor] = instance.try_into().expect("update_tf32: seven numbers");
        let (rows, threads, size) = (16 * u * w, 32 * w * g, nb * nt);
        let sums = if cluster > 1 { g * (2 * cluster * size * 4 + 16) } else { 16 };
        let shared = 4 * (nb * (rows + 8) + g * w * size + nb * (nb + 8)) + sums + 48;
        UpdateShape { nb, nt, rows: rows * cluster, threads, shared, columns: nt * g, cluster, per_processor }
    }
}

fn nvcc_version(nvcc: &Path) -> String {
    let out = Command::new(nvcc).arg("--version").output().unwrap_or_else(|e| panic!("{}: {e}", nvcc.display()));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// Identifies what a source includes, directly or not, below `kernels/`.
fn include_hash(root: &Path, source: &str) -> String {
    let mut texts = BTreeMap::new();
    let mut queue = vec![(root.join("kernels"), source.to_owned())];
    while let Some((dir, text)) = queue.pop() {
        for name in text.lines().filter_map(|l| l.strip_prefix("#include \"")?.split('"').next()) {
            let path = fs::canonicalize(dir.join(name)).unwrap_or_else(|e| panic!("{}: {e}", dir.join(name).display()));
            let text = fs::read_to_string(&path).unwrap();
            if texts.insert(path.clone(), text.clone()).is_none() {
                queue.push((path.parent().unwrap().to_path_buf(), text));
            }
        }
    }
    let mut hash = Sha256::new();
    texts.values().for_each(|t| hash.update(t));
    hex(&hash.finalize())
}

fn build_image(nvcc: &Path, root: &Path, archs: &Archs, (name, unit): &(String, Unit), image: &Path) {
    let source_file = image.with_file_name(format!("{name}.cu"));
    fs::write(&source_file, &unit.source).unwrap();
    let partial = image.with_extension(format!("partial{}", std::process::id()));
    let out = Command::new(nvcc)
        .args(FLAGS)
        .args(archs.flags(&unit.family))
        .arg("-I")
        .arg(root.join("kernels"))
        .arg("-o")
        .arg(&partial)
        .arg(&source_file)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "nvcc failed on {name}:\n{log}{}", String::from_utf8_lossy(&out.stdout));
    fs::write(image.with_extension("log"), log.as_bytes()).unwrap();
    fs::rename(&partial, image).unwrap();
}

/// Every kernel that spills registers is named in the build's output, unless the manifest accepts it.
fn report_spills(image: &Path, accepted: &[String]) {
    let log = fs::read_to_string(image.with_extension("log")).unwrap_or_default();
    let mut kernel = "";
    for line in log.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            kernel = rest.split('\'').next().unwrap();
        }
        if accepted.iter().all(|a| a != kernel)
            && line.contains("bytes spill stores")
            && !line.contains(" 0 bytes spill stores")
        {
            println!("cargo::warning=registers spill: {kernel}: {}", line.trim());
        }
    }
}

fn write_table(out: &Path, archs: &Archs, units: &[(String, Unit)], images: &[PathBuf], tables: &Tables) {
    let mut text = format!("pub static NATIVE: &[u32] = &{:?};\n", archs.native);
    text.push_str("pub static IMAGES: &[&[u8]] = &[\n");
    for image in images {
        writeln!(text, "include_bytes!({:?}),", image.to_str().unwrap()).unwrap();
    }
    text.push_str("];\npub static KERNELS: &[Kernel] = &[\n");
    let mut index = BTreeMap::new();
    for (i, (_, unit)) in units.iter().enumerate() {
        for kernel in &unit.kernels {
            index.insert(kernel.as_str(), index.len());
            writeln!(text, "Kernel {{ name: c\"{kernel}\", image: {i} }},").unwrap();
        }
    }
    text.push_str("];\n");
    writeln!(text, "pub const SET_POINTERS: KernelId = {};", index["set_pointers"]).unwrap();
    for (family, rows) in tables {
        let kind = rows.split(' ').next().unwrap();
        writeln!(text, "pub static {}: &[{kind}] = &[", family.to_uppercase()).unwrap();
        for row in rows.lines() {
            let kernel = row.split('"').nth(1).unwrap();
            writeln!(text, "{}", row.replace(&format!("\"{kernel}\""), &index[kernel].to_string())).unwrap();
        }
        text.push_str("];\n");
    }
    fs::write(out.join("kernels.rs"), text).unwrap();
}
