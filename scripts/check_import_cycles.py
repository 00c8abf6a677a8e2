#!/usr/bin/env python3
"""Finds import cycles in src/: files of which each uses a name that the next one defines, back to the first. Names are
followed through `pub use` to the file that defines them; imports in tests do not count. Prints each cycle of more than
MAX_FILES files, with the imports whose removal would break it up best. Exits with 1 if there is such a cycle, if a file
below the routines of src/gpu/ imports one of them, or if one outside of src/gpu/driver/ names CUDA's driver."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_FILES = 6
# The layers below the routines in src/gpu/. They may use their own folders and what is outside of src/gpu/.
BELOW = re.compile(r"gpu/(plan|args|driver|arch)/")
TESTS = re.compile(r"^( *)#\[cfg\(test\)\]\n(?:\1#.*\n)*\1(?:.*[;}]\n|.*\n(?:(?!\1\}).*\n)*?\1\}.*\n)", re.M)
INLINE = re.compile(r"^( *)(?:pub(?:\(crate\))? )?mod \w+ \{\n(?:(?!\1\}).*\n)*", re.M)
ITEM = r"^(?:pub(?:\([\w: ]+\))? )?(?:unsafe |async |extern \"C\" )*(?:const fn|fn|struct|enum|union|trait|type|const|static|macro_rules!) (\w+)"


class Module:
    """A file: its submodules, its imports by name, and its definitions."""

    def __init__(self, file, folder, parent=None):
        self.file, self.parent, self.root = file, parent, parent.root if parent else self
        self.text = TESTS.sub("", re.sub(r"//[^\n]*|\bin (?:super(?:::)?)+(?=\))", "", file.read_text()))
        self.text = INLINE.sub(lambda inside: re.sub(r"\bsuper::", "self::", inside[0]), self.text)
        self.defines = set(re.findall(ITEM, self.text, re.M))
        self.uses, self.globs, self.below = {}, [], {}
        for *path, name in (branch for tree in re.findall(r"\buse\s+([^;]+);", self.text) for branch in branches(tree)):
            self.globs.append(path[:-1]) if name == "*" else self.uses.setdefault(name, path)
        for name in re.findall(r"\bmod\s+(\w+)\s*;", self.text):
            if found := next((path for path in (folder / f"{name}.rs", folder / name / "mod.rs") if path.exists()), None):
                self.below[name] = Module(found, folder / name, self)

    def all(self):
        return [self] + [module for below in self.below.values() for module in below.all()]

    def within(self, path, seen=()):
        """The module whose file defines what this relative path names; None if this file has no such name."""
        if not path:
            return self
        head, rest = path[0], path[1:]
        if head in self.below:
            return self.below[head].within(rest, seen) or self.below[head]
        if head in self.defines:
            return self
        if (self, head) in seen:
            return None
        seen += ((self, head),)
        if head in self.uses:
            return self.find(self.uses[head] + rest, seen)
        if self is self.root and (self, head) in MACROS:
            return MACROS[self, head]
        return next((found for glob in self.globs if (at := self.find(glob, seen)) and (found := at.within(path, seen))), None)

    def find(self, path, seen=()):
        """Like within(), for a path as written in this file; None if it belongs to another package."""
        head, rest = path[0], path[1:]
        starts = {"self": self, "super": self.parent, "crate": self.root, "$crate": self.root, **PACKAGES}
        if head not in starts or head in self.below:
            return self.within(path, seen)
        at = starts[head]
        while at and rest[:1] == ["super"]:
            at, rest = at.parent, rest[1:]
        return at and (at.within(rest, seen) or at)

    def imports(self):
        """{file that this one needs: a path that it uses from it}, by imports, qualified paths and macros."""
        code = re.sub(r"\buse\s+[^;]+;", "", self.text)
        paths = list(self.uses.values()) + [path.split("::") for path in re.findall(r"\$?\b[A-Za-z_]\w*(?:::\w+)+", code)]
        paths += [[word] for word in sorted(set(re.findall(r"\b[A-Za-z_]\w*\b(?!!)", code))) if self.globs and word not in self.below]
        found = [(self.find(path), "::".join(path)) for path in paths]
        found += [(MACROS.get((self.root, name)), name + "!") for name in re.findall(r"\b(\w+)!", code) if name not in self.defines]
        return {module.file: path for module, path in reversed(found) if module and module is not self}


def branches(tree):
    """The paths that a `use` tree names: the segments of each, and the local name."""
    depth, part, parts = 0, "", []
    for letter in tree + ",":
        depth += {"{": 1, "}": -1}.get(letter, 0)
        parts, part = (parts + [part.strip()], "") if letter == "," and depth == 0 else (parts, part + letter)
    for part in filter(None, parts):
        before, brace, inner = part.partition("{")
        path, _, name = part.partition(" as ")
        steps = [step.strip() for step in (before if brace else path).split("::") if step.strip()]
        if brace:
            yield from ([*steps, *(path if path != ["self"] else []), name if name != "self" else steps[-1]]
                        for *path, name in branches(inner[:inner.rindex("}")]))
        else:
            yield [*steps, name.strip() or steps[-1]]


def cycles(edges, files):
    """The sets of two or more of these files that reach each other."""
    reached = {}
    for file in files:
        found, left = set(), [file]
        while left:
            new = (edges[left.pop()] & files) - found
            found |= new
            left += new
        reached[file] = found
    return {frozenset(other for other in reached[file] if file in reached[other]) for file in files if file in reached[file]}


PACKAGES = {}
for manifest in [ROOT / "Cargo.toml", *sorted((ROOT / "src").rglob("Cargo.toml"))]:
    name = re.search(r'^name = "(.*)"', manifest.read_text(), re.M)[1].replace("-", "_")
    root = manifest.parent / re.search(r'^\[(?:lib|\[bin\])\][^\[]*?^path = "(.*)"', manifest.read_text(), re.M)[1]
    PACKAGES[name] = Module(root, root.parent)
ALL = [module for package in PACKAGES.values() for module in package.all()]
MACROS = {(module.root, name): module for module in ALL for name in re.findall(r"^macro_rules! (\w+)", module.text, re.M)}
IMPORTS = {module.file: module.imports() for module in ALL}

short = lambda file: str(file.relative_to(ROOT / "src"))
edges = {file: set(paths) for file, paths in IMPORTS.items()}
wrong = sorted((cycle for cycle in cycles(edges, set(edges)) if len(cycle) > MAX_FILES), key=len)
for cycle in wrong:
    print(f"an import cycle of {len(cycle)} files: {' '.join(sorted(map(short, cycle)))}")
    inside = [(file, other) for file in sorted(cycle) for other in sorted(edges[file] & cycle)]
    left = lambda cut: sum(len(rest) ** 2 for rest in cycles({**edges, cut[0]: edges[cut[0]] - {cut[1]}}, cycle))
    for file, other in sorted(inside, key=left)[:8]:
        print(f"  {short(file)} imports {short(other)}: {IMPORTS[file][other]}")
upwards = [(file, other) for file in sorted(edges) for other in sorted(edges[file])
           if BELOW.match(short(file)) and short(other).startswith("gpu/") and not BELOW.match(short(other))]
for file, other in upwards:
    print(f"an import upwards: {short(file)} imports {short(other)}: {IMPORTS[file][other]}")
drivers = [module.file for module in ALL if "cudarc" in module.text and not short(module.file).startswith("gpu/driver/")]
for file in drivers:
    print(f"CUDA's driver outside of gpu/driver/: {short(file)}")
sys.exit(bool(wrong or upwards or drivers))
