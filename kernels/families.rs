//! The kernel families of manifest.toml and their instances. Part of build.rs, which refers to no family by name.

use super::code;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Deserialize)]
pub struct Manifest {
    pub accepted_spills: Vec<String>,
    #[serde(flatten)]
    pub families: toml::Table,
}

/// A family's entry in manifest.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    header: String,
    #[serde(rename = "macro")]
    macro_name: String,
    parameters: String,
    kernel: String,
    table: Option<String>,
    unit: Option<String>,
    per_image: Option<usize>,
    #[serde(default)]
    portable: bool,
    instances: Vec<Shapes>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shapes {
    dtypes: String,
    shapes: Vec<Vec<u32>>,
}

/// A kernel to compile: a family's macro with parameters.
pub struct Instance {
    /// The source file that contains it: its family in one precision, a part of that, or several families in all
    /// precisions.
    pub unit: String,
    pub header: String,
    pub macro_name: String,
    pub dtype: char,
    pub parameters: Vec<u32>,
    pub portable: bool,
    /// The plans' table that lists it.
    pub table: String,
    /// The pattern of the kernel's name, with placeholders for parameters in `names` and for fields.
    pattern: String,
    names: Vec<String>,
}

/// The first fields of kernels/common/instance.cuh, in order. The fields of `table::Instance` have the same names.
pub const FIELDS: [&str; 11] = [
    "threads",
    "rows",
    "columns",
    "warps",
    "per_block",
    "shared",
    "per_processor",
    "reflectors",
    "tile",
    "cluster",
    "outside",
];
/// The fields after those: the matrices per block for each size of lane grid, and the fields of a `Room`: for each size
/// its step, beyond and most, then the bytes per count of each size and per product of two counts.
const GRIDS: usize = 5;
const SIZES: usize = 4;
const WORDS: usize = FIELDS.len() + GRIDS + 3 * SIZES + SIZES + SIZES * (SIZES + 1) / 2;

/// The properties that depend on the sizes of a launch, as a `BySize` in Rust (src/gpu/plan/by_size.rs). `None` if
/// there are none.
pub fn by_size(fields: &[u32]) -> Option<String> {
    let (grids, rest) = fields[FIELDS.len()..].split_at(GRIDS);
    let (sizes, bytes) = rest.split_at(3 * SIZES);
    let (each, products) = bytes.split_at(SIZES);
    let pairs = (0..SIZES).flat_map(|i| (i..SIZES).map(move |j| (i, Some(j))));
    let factors = (0..SIZES).map(|i| (i, None)).chain(pairs);
    let terms: Vec<_> = each.iter().chain(products).zip(factors).filter(|(bytes, _)| **bytes != 0).collect();
    if terms.is_empty() && grids[0] == 0 {
        return None;
    }
    let mut text = "BySize { counts: &[".to_owned();
    let count = terms.iter().map(|(_, (of, by))| by.unwrap_or(*of) + 1).max().unwrap_or(0);
    for size in sizes.chunks(3).take(count) {
        let [step, beyond, most] = size else { unreachable!() };
        write!(text, "Count {{ step: {step}, beyond: {beyond}, most: {most} }}, ").unwrap();
    }
    text.push_str("], terms: &[");
    for (bytes, (of, by)) in terms {
        write!(text, "Term {{ bytes: {}, of: {of}, by: {by:?} }}, ", *bytes as i32).unwrap();
    }
    let grids: Vec<_> = grids.iter().take_while(|matrices| **matrices > 0).collect();
    write!(text, "], grids: &{grids:?} }}").unwrap();
    Some(text)
}

/// Rough estimate of nvcc's time for a kernel on one core. Loops over the elements that a thread holds are unrolled.
/// (The size of the sm_90 code, which determines the time, correlates by 0.86 with this sum over a unit.)
pub fn seconds(fields: &[u32]) -> f64 {
    let [threads, rows, columns, _, per_block, ..] = *fields else { unreachable!() };
    let held = f64::from(rows) * f64::from(columns) * f64::from(per_block.max(1)) / f64::from(threads.max(1));
    0.5 + 0.02 * held.min(128.0)
}

impl Instance {
    /// The macro invocation that defines the kernel under a name.
    pub fn line(&self, name: &str) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(u32::to_string).collect();
        format!("{}({name}, {}, {})\n", self.macro_name, self.dtype, parameters.join(", "))
    }

    /// The kernel's name, from its parameters and fields.
    pub fn name(&self, fields: &[u32]) -> String {
        let mut name = self.pattern.replace("{T}", &self.dtype.to_string());
        let known =
            FIELDS.iter().copied().zip(fields).chain(self.names.iter().map(String::as_str).zip(&self.parameters));
        for (key, value) in known {
            name = name.replace(&format!("{{{key}}}"), &value.to_string());
        }
        assert!(!name.contains('{'), "kernels/manifest.toml: {name}: no such parameter");
        name
    }
}

/// All instances, in the order of the manifest.
pub fn instances(manifest: &Manifest) -> Vec<Instance> {
    let mut all = vec![];
    for (family, entry) in &manifest.families {
        let entry: Entry = entry.clone().try_into().unwrap_or_else(|e| panic!("kernels/manifest.toml: {family}: {e}"));
        let mut made: BTreeMap<char, usize> = BTreeMap::new();
        let names: Vec<String> = entry.parameters.split(' ').map(str::to_owned).collect();
        for list in &entry.instances {
            for dtype in list.dtypes.chars() {
                for parameters in &list.shapes {
                    assert_eq!(parameters.len(), names.len(), "kernels/manifest.toml: {family}: {parameters:?}");
                    let number = made.entry(dtype).or_default();
                    let part = entry.per_image.map_or(String::new(), |most| format!("_{}", *number / most));
                    *number += 1;
                    all.push(Instance {
                        unit: entry.unit.clone().unwrap_or_else(|| format!("{family}{part}_{dtype}")),
                        header: entry.header.clone(),
                        macro_name: entry.macro_name.clone(),
                        dtype,
                        parameters: parameters.clone(),
                        portable: entry.portable,
                        table: entry.table.clone().unwrap_or_else(|| family.clone()),
                        pattern: entry.kernel.clone(),
                        names: names.clone(),
                    });
                }
            }
        }
    }
    all
}

/// A source file that defines the properties of each instance as constants named i0, i1, ...
pub fn description(instances: &[Instance]) -> String {
    let mut headers: Vec<&str> = instances.iter().map(|i| i.header.as_str()).collect();
    headers.sort_unstable();
    headers.dedup();
    let mut source = headers.iter().fold(String::from("#define TEPHRA_DESCRIBE\n"), |mut text, header| {
        writeln!(text, "#include \"{header}\"").unwrap();
        text
    });
    for (number, instance) in instances.iter().enumerate() {
        source.push_str(&instance.line(&format!("i{number}")));
    }
    source
}

/// The fields of each instance, from the compiled [`description`].
pub fn described(cubin: &[u8], count: usize) -> Result<Vec<Vec<u32>>, String> {
    let values: BTreeMap<String, Vec<u32>> = code::constants(cubin)?;
    (0..count)
        .map(|number| {
            let fields = values.get(&format!("i{number}")).filter(|fields| fields.len() == WORDS);
            fields.cloned().ok_or_else(|| format!("instance {number} is not described"))
        })
        .collect()
}
