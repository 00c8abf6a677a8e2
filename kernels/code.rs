//! What nvcc made of each kernel, read from a cubin (an ELF file); a part of build.rs.
//!
//! The digest of a kernel covers its instructions, its constants, its launch attributes and parameters, its static shared
//! memory and its registers: what the GPU does, and not the text it was written in.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// One kernel as compiled.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Compute capability, 90 for 9.0.
    pub arch: u32,
    pub name: String,
    /// SHA-256, its first 16 hexadecimal digits.
    pub digest: String,
    /// The largest block that it was compiled for.
    pub threads: u32,
    /// Static shared memory, bytes.
    pub shared: u64,
    /// Bytes of each parameter, in order.
    pub parameters: Vec<u32>,
}

impl Code {
    /// A line of the list of kernels.
    pub fn line(&self) -> String {
        let Code { arch, name, digest, threads, shared, parameters } = self;
        let parameters = parameters.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        format!("{arch} {name} {digest} threads={threads} shared={shared} parameters={parameters}\n")
    }
}

struct Section<'a> {
    name: &'a str,
    kind: u32,
    flags: u64,
    size: u64,
    data: &'a [u8],
}

const NO_DATA: u32 = 8; // SHT_NOBITS
const RELOCATIONS: u32 = 4; // SHT_RELA
const SYMBOLS: u32 = 2; // SHT_SYMTAB
const INFO: u32 = 0x7000_0000; // .nv.info

// Records of .nv.info: a format byte, an attribute byte, and two bytes that are the value or, in a sized record, the length
// of the value that follows.
const SIZED: u8 = 4;
const MOST_THREADS: u8 = 0x05;
const PARAMETER: u8 = 0x17;
const REGISTERS: u8 = 0x2f;
// These two name symbols by number: where the parameters are, and what else the code refers to.
const PARAMETERS_AT: u8 = 0x0a;
const EXTERNAL: u8 = 0x0f;

/// The kernels of a cubin, by name.
pub fn of_cubin(elf: &[u8]) -> Result<Vec<Code>, String> {
    let sections = sections(elf).ok_or("no 64-bit ELF file")?;
    let arch = word(elf, 0x30).ok_or("no ELF flags")? >> 8 & 0xff;
    let find = |name: &str| sections.iter().find(|s| s.name == name);
    let symbols: Vec<&[u8]> =
        sections.iter().find(|s| s.kind == SYMBOLS).map_or(vec![], |s| s.data.chunks(24).collect());
    let registers = find(".nv.info").map_or(vec![], |s| records(s.data));
    let mut kernels = vec![];
    for name in sections.iter().filter_map(|s| s.name.strip_prefix(".text.")) {
        let info = find(&format!(".nv.info.{name}")).ok_or_else(|| format!("{name} has no .nv.info"))?;
        let mut hash = Sha256::new();
        for section in sections.iter().filter(|s| of_kernel(s.name, name)) {
            hash.update(format!("{} {} {:x} {}\n", section.name, section.kind, section.flags, section.size));
            match section.kind {
                INFO => records(section.data).iter().for_each(|r| hash.update(r.without_symbols())),
                RELOCATIONS => section.data.chunks(24).for_each(|r| hash.update(relocation(r, &symbols, &sections))),
                _ => hash.update(section.data),
            }
        }
        let index = symbols.iter().position(|s| symbol_name(&sections, s) == Some(name));
        for record in
            registers.iter().filter(|r| r.attribute == REGISTERS && word(r.value, 0).map(|i| i as usize) == index)
        {
            hash.update(&record.value[4..]);
        }
        let (mut threads, mut parameters) = (0, BTreeMap::new());
        for Record { attribute, value, .. } in records(info.data) {
            let word = |at| word(value, at).unwrap_or(0);
            match attribute {
                MOST_THREADS => threads = word(0) * word(4) * word(8),
                // Its ordinal and offset have 16 bits each, and the flags after them have its size above bit 18.
                PARAMETER => _ = parameters.insert(word(4) & 0xffff, word(8) >> 18),
                _ => {}
            }
        }
        kernels.push(Code {
            arch,
            name: name.to_owned(),
            digest: hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect(),
            threads,
            shared: find(&format!(".nv.shared.{name}")).map_or(0, |s| s.size),
            parameters: parameters.into_values().collect(),
        });
    }
    Ok(kernels)
}

/// The constants of a cubin as 32-bit words, by name.
pub fn constants(elf: &[u8]) -> Result<BTreeMap<String, Vec<u32>>, String> {
    const OBJECT: u8 = 1; // STT_OBJECT
    let sections = sections(elf).ok_or("no 64-bit ELF file")?;
    let symbols = sections.iter().find(|s| s.kind == SYMBOLS).map_or(&[][..], |s| s.data);
    let mut found = BTreeMap::new();
    for symbol in symbols.chunks(24).filter(|s| s[4] & 15 == OBJECT) {
        let section = sections.get(u16::from_le_bytes([symbol[6], symbol[7]]) as usize);
        let place = (long(symbol, 8), long(symbol, 16));
        if let (Some(section), (Some(start), Some(size))) = (section, place) {
            let data = section.data.get(start as usize..(start + size) as usize).unwrap_or(&[]);
            let words = data.chunks_exact(4).filter_map(|chunk| word(chunk, 0)).collect();
            found.extend(symbol_name(&sections, symbol).map(|name| (name.to_owned(), words)));
        }
    }
    Ok(found)
}

/// Whether a section is the kernel's own, or the constants of its module. Unwinding tables and the like are neither.
fn of_kernel(section: &str, kernel: &str) -> bool {
    let own = section.strip_suffix(kernel).is_some_and(|prefix| prefix.starts_with('.') && prefix.ends_with('.'));
    own || section == ".nv.global.init" || section == ".nv.constant3"
}

/// A relocation without the number of its symbol.
fn relocation(r: &[u8], symbols: &[&[u8]], sections: &[Section]) -> Vec<u8> {
    let symbol = word(r, 12).and_then(|i| symbols.get(i as usize));
    let section = symbol.and_then(|s| sections.get(u16::from_le_bytes([s[6], s[7]]) as usize));
    let mut text = format!("{} ", section.map_or("", |s| s.name)).into_bytes();
    text.extend_from_slice(&r[..12]);
    text.extend_from_slice(symbol.map_or(&[], |s| &s[8..]));
    text.extend_from_slice(&r[16..]);
    text
}

struct Record<'a> {
    format: u8,
    attribute: u8,
    /// In a record without a length, the two bytes after the attribute.
    short: u16,
    value: &'a [u8],
}

impl Record<'_> {
    /// The bytes without the numbers of symbols, which depend on the other kernels of the file.
    fn without_symbols(&self) -> Vec<u8> {
        let value = match self.attribute {
            PARAMETERS_AT => self.value.get(4..).unwrap_or(&[]),
            EXTERNAL => &[],
            _ => self.value,
        };
        let [low, high] = self.short.to_le_bytes();
        [&[self.format, self.attribute, low, high], value].concat()
    }
}

fn records(mut data: &[u8]) -> Vec<Record<'_>> {
    let mut found = vec![];
    while let [format, attribute, low, high, rest @ ..] = data {
        let length = if *format == SIZED { u16::from_le_bytes([*low, *high]).into() } else { 0 };
        let Some((value, rest)) = rest.split_at_checked(length) else { break };
        found.push(Record { format: *format, attribute: *attribute, short: u16::from_le_bytes([*low, *high]), value });
        data = rest;
    }
    found
}

fn sections(elf: &[u8]) -> Option<Vec<Section<'_>>> {
    if !elf.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let start = long(elf, 0x28)? as usize;
    let half = |at: usize| Some(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?) as usize);
    let (size, count, names) = (half(0x3a)?, half(0x3c)?, half(0x3e)?);
    let header = |i: usize| elf.get(start + i * size..start + (i + 1) * size);
    let body = |h: &[u8]| -> Option<&[u8]> {
        let (from, bytes) = (long(h, 0x18)? as usize, long(h, 0x20)? as usize);
        if word(h, 4)? == NO_DATA { Some(&[]) } else { elf.get(from..from.checked_add(bytes)?) }
    };
    let names = body(header(names)?)?;
    (0..count)
        .map(|i| {
            let h = header(i)?;
            Some(Section {
                name: text(names, word(h, 0)? as usize)?,
                kind: word(h, 4)?,
                flags: long(h, 8)?,
                size: long(h, 0x20)?,
                data: body(h)?,
            })
        })
        .collect()
}

fn symbol_name<'a>(sections: &[Section<'a>], symbol: &[u8]) -> Option<&'a str> {
    let names = sections.iter().find(|s| s.name == ".strtab")?;
    text(names.data, word(symbol, 0)? as usize)
}

fn text(strings: &[u8], at: usize) -> Option<&str> {
    let rest = strings.get(at..)?;
    std::str::from_utf8(&rest[..rest.iter().position(|&b| b == 0)?]).ok()
}

fn word(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

fn long(data: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(data.get(at..at + 8)?.try_into().ok()?))
}
