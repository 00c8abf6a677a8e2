#!/usr/bin/env python3
"""Writes rust/libtephra-sys/src/bindings.rs, the declarations of the native API for Rust, from include/tephra.h.

    scripts/rust_bindings.py            rewrite it (`make header`, which generates tephra.h first)
    scripts/rust_bindings.py --check    exit with status 1 if it is stale
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER, BINDINGS = ROOT / "include/tephra.h", ROOT / "rust/libtephra-sys/src/bindings.rs"

TYPES = {
    "void": "c_void", "char": "c_char", "int": "c_int", "int32_t": "i32", "int64_t": "i64", "size_t": "usize", "float": "f32",
    "double": "f64", "tephra_c32": "tephra_c32", "tephra_c64": "tephra_c64", "tephra_status": "tephra_status",
    "tephra_comm": "tephra_comm", "tephra_allgather": "tephra_allgather", "tephra_broadcast": "tephra_broadcast",
    "tephra_part": "tephra_part", "tephra_chunk": "tephra_chunk",
    "tephra_progress": "tephra_progress",
}
KEYWORDS = {"type", "in", "ref", "where", "loop"}
BLOCK = r"/\*\*((?:(?!\*/).)*)\*/\n"


def rust_type(c):
    """The Rust type for a C type: `*const *const f64` for `const double *const *`."""
    levels = [level.strip() for level in c.split("*")]
    const, base = re.fullmatch(r"(const )?(\w+)", levels[0]).groups()
    rust = TYPES[base]
    for level in levels[1:]:  # the qualifier of a pointer's target precedes its star
        rust = f"*{'const' if const else 'mut'} {rust}"
        const = level == "const"
    return rust


def doc(text, indent=""):
    """A comment of the header as a text block instead of Markdown, so that tables and indices stay unchanged."""
    lines = [re.sub(r"^ ?\*? ?", "", line.strip()).rstrip() for line in text.strip().splitlines()]
    return "".join(f"{indent}///{' ' if line else ''}{line}\n" for line in ["```text", *lines, "```"])


def arguments(parameters):
    found = []
    for parameter in [] if parameters.strip() == "void" else parameters.split(","):
        c, argument = re.fullmatch(r"(.*?[ *])(\w+)", " ".join(parameter.split())).groups()
        found.append(f"{argument}{'_' if argument in KEYWORDS else ''}: {rust_type(c.strip())}")
    return ", ".join(found)


def function(text, returns, name, parameters):
    return f"{doc(text, '    ')}    pub fn {name}({arguments(parameters)}) -> {rust_type(returns.strip())};\n"


def bindings():
    text = HEADER.read_text()
    out = ["// Made from include/tephra.h by scripts/rust_bindings.py; do not edit.\n\n", "use core::ffi::{c_char, c_int, c_void};\n\n"]
    for comment, name, value in re.findall(BLOCK + r"#define (TEPHRA_\w+) (-?\d+)\n", text, re.S):
        out.append(f"{doc(comment)}pub const {name}: c_int = {value};\n")
    out.append("\n/// What a function returns: 0, a negated argument's number, or a `TEPHRA_STATUS_` value.\npub type tephra_status = i32;\n")
    for comment, fields, name in re.findall(BLOCK + r"typedef struct \{\n(.*?)\} (\w+);", text, re.S):
        members = re.findall(r"(\w+) (\w+);", fields)
        body = "".join(f"    /// `{field}`.\n    pub {field}: {TYPES[kind]},\n" for kind, field in members)
        out.append(f"\n{doc(comment)}#[repr(C)]\n#[derive(Clone, Copy, Debug, Default, PartialEq)]\npub struct {name} {{\n{body}}}\n")
    for comment, name in re.findall(BLOCK + r"typedef struct (\w+) \2;", text, re.S):
        out.append(f"\n{doc(comment)}#[repr(C)]\n#[derive(Debug)]\npub struct {name} {{\n    _opaque: [u8; 0],\n}}\n")
    for comment, returns, name, parameters in re.findall(BLOCK + r"typedef (\w+) \(\*(\w+)\)\(([^;]*)\);", text, re.S):
        types = f"({arguments(parameters)}) -> {rust_type(returns)}"
        out.append(f"\n{doc(comment)}pub type {name} = Option<unsafe extern \"C\" fn{types}>;\n")
    out.append('\nunsafe extern "C" {\n')
    pattern = BLOCK + r"(const char \*|tephra_status )(tephra_\w+)\(([^;]*)\);"
    found = re.findall(pattern, text, re.S)
    declared = set(re.findall(r"\b(tephra_\w+)\(", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))
    assert declared == {name for _, _, name, _ in found}, declared ^ {name for _, _, name, _ in found}
    out += [function(*parts) for parts in found]
    return "".join(out) + "}\n"


def main():
    text = bindings()
    if "--check" in sys.argv[1:]:
        if not BINDINGS.exists() or BINDINGS.read_text() != text:
            sys.exit(f"{BINDINGS.relative_to(ROOT)} is stale: run make header")
    else:
        BINDINGS.write_text(text)


if __name__ == "__main__":
    main()
