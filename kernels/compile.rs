//! The build script of the CUDA backend. It compiles `kernels/` with nvcc to one embedded image per family and
//! precision (small families share one), which consists of a compressed file for each architecture, and writes the
//! tables of kernels. The properties and requirements of an instance are declared where it is defined (`TEPHRA_ENTRY`,
//! kernels/common/instance.cuh), and are read from the compiled code.
//!
//! Environment: `NVCC` (otherwise `CUDA_HOME`, `PATH`, `/usr/local/cuda`, `.tools/cuda`); `TEPHRA_CUDA_ARCHS` (default
//! `90`; a list like `80,90,80-ptx`; `native` for this machine's GPUs; `all` for 80,90,100,120,80-ptx). PTX, for other
//! architectures, is only generated for the `portable` families, which suffice for every operation. For all families it
//! would be as large as the code of one architecture, and take minutes to compile at its first use. Images are cached
//! by content (`store.rs`).

mod archs;
mod code;
mod families;
mod packed;
mod progress;
mod store;

use archs::Archs;
use families::{FIELDS, Instance, Manifest};
use packed::Code;
use progress::{Progress, Times, Work};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};
use store::Store;

pub fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    for var in ["NVCC", "CUDA_HOME", "TEPHRA_CUDA_ARCHS"] {
        println!("cargo::rerun-if-env-changed={var}");
    }
    let archs = Archs::from_env();
    println!("cargo::rustc-env=TEPHRA_CUDA_ARCHS_BUILT={}", archs.text);
    compile(&root, &archs);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut s, b| {
        write!(s, "{b:02x}").unwrap();
        s
    })
}

impl Archs {
    fn from_env() -> Archs {
        let text = env::var("TEPHRA_CUDA_ARCHS").unwrap_or_default();
        Archs::parse(&text, compute_capabilities).unwrap_or_else(|e| panic!("\n\nTEPHRA_CUDA_ARCHS: {e}\n"))
    }

    /// The files of an image in the order of the library's table CODES: code, and PTX for a portable family.
    fn codes(&self, portable: bool) -> impl Iterator<Item = Code> {
        let ptx: &[u32] = if portable { &self.ptx } else { &[] };
        self.native.iter().map(|a| Code::Cubin(*a)).chain(ptx.iter().map(|a| Code::Ptx(*a)))
    }

    /// nvcc's flags for the architectures, with PTX if `portable`.
    fn flags(&self, portable: bool) -> Vec<String> {
        let flag = |code| match code {
            Code::Cubin(a) => format!("-gencode=arch=compute_{a},code=sm_{a}"),
            Code::Ptx(a) => format!("-gencode=arch=compute_{a},code=compute_{a}"),
        };
        self.codes(portable).map(flag).collect()
    }
}

/// The compute capabilities of this machine's GPUs according to the driver, one per line.
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

/// One source file to compile: a family in one precision, or several families.
#[derive(Default)]
struct Unit {
    portable: bool,
    source: String,
    kernels: Vec<String>,
    /// Estimated compile time.
    seconds: f64,
}

fn compile(root: &Path, archs: &Archs) {
    let manifest: Manifest = toml::from_str(&fs::read_to_string(root.join("kernels/manifest.toml")).unwrap())
        .unwrap_or_else(|e| panic!("kernels/manifest.toml: {e}"));
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    // target/<profile>/build/<package>/out -> target/kernels
    let store = Store::new(out.ancestors().nth(4).unwrap().join("kernels"));
    let nvcc = find_nvcc(root);
    let compiler = Compiler { version: nvcc_version(&nvcc), nvcc, root, archs, store };

    let instances = families::instances(&manifest);
    let fields = compiler.describe(&instances);
    let mut units: BTreeMap<&str, Unit> = BTreeMap::new();
    for (instance, fields) in instances.iter().zip(&fields) {
        let unit = units.entry(&instance.unit).or_default();
        let include = format!("#include \"{}\"\n", instance.header);
        if !unit.source.contains(&include) {
            unit.source.push_str(&include);
        }
        assert!(unit.kernels.is_empty() || unit.portable == instance.portable, "{}: not all portable", instance.unit);
        unit.portable = instance.portable;
        let name = instance.name(fields);
        unit.source.push_str(&instance.line(&name));
        unit.seconds += families::seconds(fields);
        unit.kernels.push(name);
    }
    let units: Vec<(&str, Unit)> = units.into_iter().collect();
    let images: Vec<Image> = units.iter().map(|(_, unit)| compiler.image(unit)).collect();
    compiler.build(&units, &images);
    for image in &images {
        report_spills(&image.log, &manifest.accepted_spills);
    }
    let cluster = FIELDS.iter().position(|field| *field == "cluster").unwrap();
    let clusters: BTreeMap<String, u32> = instances.iter().zip(&fields).map(|(i, f)| (i.name(f), f[cluster])).collect();
    let shared = FIELDS.iter().position(|field| *field == "shared").unwrap();
    let dynamic = instances.iter().zip(&fields).filter(|(_, f)| f[shared] > 0 || families::by_size(f).is_some());
    let dynamic = dynamic.map(|(i, f)| i.name(f)).collect();
    list_kernels(&out, &compiler.version, &images, &clusters, &dynamic);
    write_tables(&out, archs, &units, &images, &instances, &fields, &clusters);
}

/// The files of a unit, named as in the store.
struct Image {
    /// Its content key, which the list of kernels contains.
    key: String,
    /// The list of its kernels.
    kernels: PathBuf,
    /// nvcc's output.
    log: PathBuf,
    /// The compressed file of each architecture's code, and of PTX.
    codes: Vec<PathBuf>,
    files: Vec<String>,
}

/// The fatbin itself is not used, only the intermediate files that nvcc keeps (see `build_image`), so it need not be
/// compressed. These flags are part of an image's key, also in the GPU report.
const FLAGS: [&str; 5] = ["-std=c++17", "-O3", "-fatbin", "-Xptxas=-v", "-no-compress"];

fn nvcc_version(nvcc: &Path) -> String {
    let out = Command::new(nvcc).arg("--version").output().unwrap_or_else(|e| panic!("{}: {e}", nvcc.display()));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// A hash of all files below `kernels/` that a source includes, directly or indirectly.
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
    texts.values().for_each(|t| hash.update(code_of(t)));
    hex(&hash.finalize())
}

/// A source without line comments and blank lines, on which nothing compiled depends: images hold no line numbers. Editing
/// a comment therefore recompiles nothing.
fn code_of(text: &str) -> String {
    let code = |line: &str| {
        // Slashes within a string literal are code.
        let mut slashes = line.match_indices("//").map(|(at, _)| at);
        let end = slashes.find(|at| line[..*at].matches('"').count().is_multiple_of(2));
        line[..end.unwrap_or(line.len())].trim_end().to_owned()
    };
    text.lines().map(code).filter(|line| !line.trim_start().is_empty()).flat_map(|line| [line, "\n".into()]).collect()
}

/// Makes nvcc deterministic: nvcc 13.0 chooses between equivalent instructions in the order of the addresses of its
/// objects. Where the system permits it, this disables address space randomisation, and makes jemalloc keep freed
/// memory, which it would otherwise return at times that depend on the clock.
fn repeatable(command: &mut Command) -> &mut Command {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        const ASK: std::ffi::c_ulong = 0xffff_ffff;
        const ADDR_NO_RANDOMIZE: std::ffi::c_int = 0x0004_0000;
        unsafe extern "C" {
            fn personality(persona: std::ffi::c_ulong) -> std::ffi::c_int;
        }
        let fixed = || {
            // SAFETY: a system call that only affects this process and may be made between fork and exec.
            unsafe { personality((personality(ASK) | ADDR_NO_RANDOMIZE) as std::ffi::c_ulong) };
            Ok(())
        };
        // SAFETY: the closure allocates nothing and takes no lock.
        unsafe { command.pre_exec(fixed) };
    }
    command.env("MALLOC_CONF", "dirty_decay_ms:-1,muzzy_decay_ms:-1")
}

struct Compiler<'a> {
    nvcc: PathBuf,
    /// The output of `nvcc --version`.
    version: String,
    root: &'a Path,
    archs: &'a Archs,
    /// The cache of images.
    store: Store,
}

impl Compiler<'_> {
    /// The content key of a source with everything it includes, the flags and the compiler.
    fn key(&self, source: &str, flags: &str) -> String {
        // The files stored beside an image depend on how its code is parsed.
        let reader = include_str!("code.rs");
        let includes = include_hash(self.root, source);
        hex(&Sha256::digest(format!("{}{reader}{flags}{includes}{source}", self.version)))[..24].to_owned()
    }

    fn image(&self, unit: &Unit) -> Image {
        let flags = format!("{:?}{}", self.archs.flags(unit.portable), FLAGS.join(" "));
        let key = self.key(&unit.source, &flags);
        let extensions = ["kernels".to_owned(), "log".to_owned()];
        let codes = self.archs.codes(unit.portable).map(Code::extension);
        let files: Vec<String> = extensions.into_iter().chain(codes).map(|end| format!("{key}.{end}")).collect();
        let [kernels, log, codes @ ..] = &*files.iter().map(|file| self.store.path(file)).collect::<Vec<_>>() else {
            unreachable!()
        };
        Image { key, kernels: kernels.clone(), log: log.clone(), codes: codes.to_vec(), files }
    }

    /// Compiles the units that are not in the store, longest first, so that all cores are busy to the end.
    fn build(&self, units: &[(&str, Unit)], images: &[Image]) {
        const TIMES: &str = "times.txt";
        let is_intact = |file: &Path| {
            file.extension().is_none_or(|end| end != "zst")
                || fs::read(file).is_ok_and(|bytes| packed::is_whole(&bytes))
        };
        let mut times = Times::read(&self.store.read(TIMES));
        let missing = (0..units.len()).filter(|i| !self.store.fetch(&images[*i].files, is_intact));
        let mut missing: Vec<(usize, f64)> =
            missing.map(|i| (i, times.expected(units[i].0, units[i].1.seconds))).collect();
        if missing.is_empty() {
            return;
        }
        missing.sort_by(|a, b| b.1.total_cmp(&a.1));
        let work = |(i, seconds): &(usize, f64)| {
            let (name, unit) = &units[*i];
            Work { name, kernels: unit.kernels.len(), seconds: *seconds }
        };
        let workers: usize = env::var("NUM_JOBS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
        let workers = workers.clamp(1, missing.len());
        let progress = Progress::new(missing.iter().map(work).collect(), workers);
        let queue = Mutex::new((0..missing.len()).rev().collect::<Vec<_>>());
        let next = || queue.lock().unwrap().pop();
        let worker = || {
            let mut took = vec![];
            while let Some(place) = next() {
                let ((name, unit), image) = (&units[missing[place].0], &images[missing[place].0]);
                let ((), seconds) = progress.during(place, || self.build_image(name, unit, image));
                took.push((*name, seconds));
            }
            took
        };
        std::thread::scope(|scope| {
            let shown = scope.spawn(|| progress.show());
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
            let ended: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            progress.end();
            shown.join().unwrap();
            for result in ended {
                // The build fails with the message of the worker's panic.
                let took = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                took.iter().for_each(|(name, seconds)| times.take(name, *seconds));
            }
        });
        self.store.write(TIMES, &times.text());
        self.store.trim();
    }

    fn run(&self, what: &str, arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> String {
        let include = self.root.join("kernels");
        let out = repeatable(&mut Command::new(&self.nvcc)).args(arguments).arg("-I").arg(include).output().unwrap();
        let log = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "nvcc failed on {what}:\n{log}{}", String::from_utf8_lossy(&out.stdout));
        log
    }

    /// The properties of each instance that plans need, in the order of kernels/common/instance.cuh. They are the same
    /// on all architectures.
    fn describe(&self, instances: &[Instance]) -> Vec<Vec<u32>> {
        let source = families::description(instances);
        let of_arch = |arch: &u32| {
            let kept = [self.key(&source, &arch.to_string()) + ".cubin"];
            let place = self.store.path(&kept[0]);
            let is_intact =
                |file: &Path| fs::read(file).is_ok_and(|cubin| families::described(&cubin, instances.len()).is_ok());
            if !self.store.fetch(&kept, is_intact) {
                let folder = self.store.folder("instances");
                let (file, cubin) = (folder.join("instances.cu"), folder.join("instances.cubin"));
                fs::write(&file, &source).unwrap();
                let architecture = format!("-arch=sm_{arch}");
                let arguments = ["-std=c++17", "-cubin", &architecture, "-o", cubin.to_str().unwrap()];
                self.run("the description of the kernels", arguments.iter().chain(&[file.to_str().unwrap()]));
                fs::rename(&cubin, &place).unwrap();
                fs::remove_dir_all(&folder).unwrap();
                self.store.keep(&kept);
            }
            families::described(&fs::read(&place).unwrap(), instances.len()).unwrap_or_else(|e| panic!("{e}"))
        };
        let all: Vec<_> = self.archs.native.iter().map(of_arch).collect();
        assert!(all.iter().all(|fields| *fields == all[0]), "an instance is not the same on all architectures");
        all.into_iter().next().unwrap()
    }

    fn build_image(&self, name: &str, unit: &Unit, image: &Image) {
        // nvcc leaves the code of each architecture (a cubin) and PTX in a folder, under names that depend on how many
        // there are, so they are told apart by their contents.
        let folder = self.store.folder(name);
        let (source, fatbin) = (folder.join(format!("{name}.cu")), folder.join("image"));
        fs::write(&source, &unit.source).unwrap();
        let flags = self.archs.flags(unit.portable);
        let files = ["--keep", "--keep-dir", folder.to_str().unwrap(), "-o", fatbin.to_str().unwrap()];
        let arguments = FLAGS.into_iter().chain(flags.iter().map(String::as_str)).chain(files);
        let log = self.run(name, arguments.chain([source.to_str().unwrap()]));
        let (mut lines, mut cubins, mut ptx) = (vec![], BTreeMap::new(), BTreeMap::new());
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let extension = path.extension().and_then(|e| e.to_str());
            if extension == Some("cubin") {
                let cubin = fs::read(&path).unwrap();
                let kernels = code::of_cubin(&cubin).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                lines.extend(kernels.iter().map(code::Code::line));
                cubins.insert(kernels[0].arch, cubin);
            } else if extension == Some("ptx") {
                let text = fs::read_to_string(&path).unwrap();
                let target = text.lines().find_map(|line| line.strip_prefix(".target sm_")).unwrap();
                let arch: u32 = target.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
                ptx.insert(arch, (text + "\0").into_bytes());
            }
        }
        assert_eq!(lines.len(), unit.kernels.len() * self.archs.native.len(), "kernels of {name}");
        // Files appear under their names only when they are complete, because another build may be reading them.
        let put = |bytes: &[u8], place: &Path| {
            let complete = folder.join("complete");
            fs::write(&complete, bytes).and_then(|()| fs::rename(&complete, place)).unwrap();
        };
        put(lines.concat().as_bytes(), &image.kernels);
        put(log.as_bytes(), &image.log);
        for (code, place) in self.archs.codes(unit.portable).zip(&image.codes) {
            let bytes = match code {
                Code::Cubin(arch) => &cubins[&arch],
                Code::Ptx(arch) => &ptx[&arch],
            };
            put(&packed::pack(bytes), place);
        }
        self.store.keep(&image.files);
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// Writes the list of compiled kernels to target/PROFILE/kernels.txt, which the GPU report and the launch tests read.
/// The library contains its hash (`tephra info`, tephra_build_info()).
fn list_kernels(
    out: &Path,
    nvcc: &str,
    images: &[Image],
    clusters: &BTreeMap<String, u32>,
    dynamic: &BTreeSet<String>,
) {
    let mut lines: Vec<String> = vec![];
    for image in images {
        let source = &image.key;
        let kernels = fs::read_to_string(&image.kernels).unwrap();
        lines.extend(kernels.lines().map(|line| {
            let name = line.split(' ').nth(1).unwrap_or_default();
            let cluster = clusters.get(name).filter(|blocks| **blocks > 1);
            let cluster = cluster.map_or(String::new(), |blocks| format!(" cluster={blocks}"));
            let dynamic = if dynamic.contains(name) { " dynamic" } else { "" };
            format!("{line}{cluster}{dynamic} source={source}")
        }));
    }
    lines.sort_unstable();
    let release = nvcc.lines().find(|line| line.contains("release")).unwrap_or("nvcc of an unknown release");
    let text = format!("# {release}\n{}\n", lines.join("\n"));
    println!("cargo::rustc-env=TEPHRA_KERNEL_HASH={}", hex(&Sha256::digest(&text)));
    // target/<profile>/build/<package>/out -> target/<profile>
    fs::write(out.ancestors().nth(3).unwrap().join("kernels.txt"), text).unwrap();
}

/// Warns in the build's output about every kernel that spills registers, unless the manifest accepts it.
fn report_spills(log: &Path, accepted: &[String]) {
    let log = fs::read_to_string(log).unwrap_or_default();
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

/// Writes the images, the kernels, and the tables of instances for the plans, which src/gpu/plan/table.rs includes.
fn write_tables(
    out: &Path,
    archs: &Archs,
    units: &[(&str, Unit)],
    images: &[Image],
    instances: &[Instance],
    fields: &[Vec<u32>],
    clusters: &BTreeMap<String, u32>,
) {
    let mut text = "pub static CODES: &[Code] = &[".to_owned();
    archs.codes(true).for_each(|code| write!(text, "Code::{code:?}, ").unwrap());
    text.push_str("];\npub static IMAGES: &[&[Packed]] = &[\n");
    for image in images {
        text.push_str("&[");
        for file in &image.codes {
            let length = packed::length(&fs::read(file).unwrap()).unwrap();
            write!(text, "Packed {{ length: {length}, bytes: include_bytes!({:?}) }}, ", file.to_str().unwrap())
                .unwrap();
        }
        text.push_str("],\n");
    }
    text.push_str("];\npub static KERNELS: &[Kernel] = &[\n");
    let mut index = BTreeMap::new();
    for (i, (_, unit)) in units.iter().enumerate() {
        for kernel in &unit.kernels {
            index.insert(kernel.as_str(), index.len());
            writeln!(text, "Kernel {{ name: c\"{kernel}\", image: {i}, cluster: {} }},", clusters[kernel]).unwrap();
        }
    }
    text.push_str("];\n");
    let mut tables: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (instance, fields) in instances.iter().zip(fields) {
        let number = tables.len();
        let (family, row) = tables.entry(&instance.table).or_insert((number, String::new()));
        let (kernel, dtype) = (index[instance.name(fields).as_str()], instance.dtype.to_ascii_uppercase());
        write!(row, "Instance {{ kernel: {kernel}, family: {family}, dtype: Dtype::{dtype}").unwrap();
        FIELDS.iter().zip(fields).for_each(|(field, value)| write!(row, ", {field}: {value}").unwrap());
        let by_size = families::by_size(fields).map_or("None".to_owned(), |text| format!("Some(&{text})"));
        writeln!(row, ", by_size: {by_size} }},").unwrap();
    }
    for (table, (_, rows)) in tables {
        write!(text, "pub static {}: &[Instance] = &[\n{rows}];\n", table.to_uppercase()).unwrap();
    }
    fs::write(out.join("kernels.rs"), text).unwrap();
}
