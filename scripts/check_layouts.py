#!/usr/bin/env python3
"""Compares the structures that launches pass (`#[repr(C)]` in src/gpu/) with those that the kernels declare
(kernels/*.cuh): they must have the same fields with the same offsets and names, and Rust's must have no padding. Exits
with 1 and lists those that differ or are declared on one side only."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCALARS = {"int": 4, "unsigned": 4, "float": 4, "long long": 8, "double": 8, "i32": 4, "u32": 4, "i64": 8, "f64": 8, "usize": 8}
# Structures with different names in Rust.
NAMES = {"DeviceOperand": "Operand", "ApplyArgs": "TsqrApplyArgs", "LevelArgs": "TsqrLevel", "Factors": "GemmFactors"}
# Fields in Rust that stand for fields of several kernels with different names, because kernels for copies and
# transposes, or for inverses, share a structure.
SHARED = {("CopyArgs", "otherwise"), ("InverseArgs", "lanes")}


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def block(text, start):
    """The text between the brace at `start` and the matching one."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[start + 1:i]
    raise ValueError(text[start:start + 60])


def flat(text):
    """The text without the contents of braces."""
    while (start := text.find("{")) >= 0:
        text = text[:start] + ";" + text[start + len(block(text, start)) + 2:]
    return text


class Kernels:
    """The kernels' structures, in CUDA C++: {name: (base, [(field, type, count)])}."""

    def __init__(self):
        self.structures, constants = {}, {}
        texts = [without_comments(path.read_text()) for path in sorted((ROOT / "kernels").rglob("*.cuh"))]
        for text in texts:
            constants.update((name, int(value)) for name, value in re.findall(r"constexpr int (\w+) = (\d+);", text))
        for text in texts:
            for match in re.finditer(r"\bstruct (\w+)(?: : (\w+))? \{", text):
                fields = [field for line in flat(block(text, match.end() - 1)).split(";") for field in self.fields(line.strip(), constants)]
                self.structures.setdefault(match[1], (match[2], fields))

    @staticmethod
    def fields(line, constants):
        if re.match(r"(static|template|enum|using|struct|return|public)\b", line) or "(" in line or "=" in line:
            return
        match = re.match(r"(?:const )?(long long|[A-Za-z]\w*)\s+([^<>&:]+)$", line, re.S)
        for declared in match[2].split(",") if match else []:
            if found := re.search(r"(\w+)(?:\[(\w+)\])?$", declared.strip()):
                count = constants.get(found[2], found[2] or 1)
                yield found[1], "pointer" if "*" in declared else match[1], int(count) if str(count).isdigit() else 1

    def all(self, name):
        base, fields = self.structures[name]
        return [("", base, 1), *fields] if base else fields


class Launches:
    """The structures of launches, in Rust."""

    def __init__(self):
        self.structures = {}
        for path in sorted((ROOT / "src/gpu").rglob("*.rs")):
            text = without_comments(path.read_text())
            for match in re.finditer(r"#\[repr\(C\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\(\w+\))? )?struct (\w+)(\(|\s*\{)", text):
                inside = block(text, match.end() - 1) if match[2] != "(" else "pointer: *const c_void"
                found = re.findall(r"(?:pub(?:\(\w+\))? )?(\w+): (\[[^\]]+\]|[^,]+)", inside)
                self.structures[match[1]] = [(name, *self.type(kind.strip())) for name, kind in found]

    @staticmethod
    def type(kind):
        array = re.match(r"\[(.+); (\w+)\]", kind)
        count = {"MOST": 12}.get(array[2]) or int(array[2]) if array else 1
        kind = array[1] if array else kind
        return ("pointer" if kind.startswith("*") else kind), count

    def all(self, name):
        return self.structures[name]


def layout(side, name, at=0):
    """([(offset, size, name)] of the scalars, alignment, end offset) of a structure at offset `at`."""
    scalars, most = [], 1
    for field, kind, count in side.all(name):
        for i in range(count):
            size = 8 if kind == "pointer" else SCALARS.get(kind)
            if size:
                at += -at % size
                scalars.append((at, size, field if count == 1 else ""))
                at, most = at + size, max(most, size)
            else:
                alignment = layout(side, kind)[1]
                at += -at % alignment
                inner, _, end = layout(side, kind, at)
                scalars += [(offset, size, "pad" if name.startswith("pad") else "") for offset, size, name in inner]
                at, most = end, max(most, alignment)
    return scalars, most, at + -at % most


def main():
    kernels, launches, wrong = Kernels(), Launches(), []
    for name in sorted(launches.structures):
        declared = NAMES.get(name, name)
        if declared not in kernels.structures:
            wrong.append(f"{name}: no kernel declares it")
            continue
        (ours, _, end), (theirs, _, their_end) = layout(launches, name), layout(kernels, declared)
        if sum(size for _, size, _ in ours) != end:
            wrong.append(f"{name}: gaps, which would hold anything: give them a field of their own (pad)")
        pads = [field for field in ours if field[2].startswith("pad")]
        places = lambda fields: [field[:2] for field in fields]
        if end != their_end or [p for p in places(ours) if p not in places(theirs) and p not in places(pads)] or \
                [p for p in places(theirs) if p not in places(ours)]:
            wrong.append(f"{name}: {ours}, {end} bytes; kernels: {theirs}, {their_end} bytes")
            continue
        named = dict((offset, field) for offset, _, field in theirs)
        for offset, _, field in ours:
            other = named.get(offset, "")
            if field and other and field != other and (name, field) not in SHARED and not field.startswith("pad"):
                wrong.append(f"{name}: {field} where kernels have {other}")
    print("\n".join(wrong) or f"{len(launches.structures)} structures are as the kernels declare them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
