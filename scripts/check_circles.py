#!/usr/bin/env python3
"""Finds circles of imports in src/: files each of which names what another one defines, round to the first. Names are followed through
`pub use` to the file that defines them; tests' own imports do not count. Exits with 1 if a circle has more than MOST files, and prints
each with the imports without which it would fall apart most; or if a file below src/gpu/'s routines imports one of them."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 6
# What is below the routines in src/gpu/; it may use what is in its own folders, and outside.
BELOW = re.compile(r"gpu/(plan|args|driver|arch)/")
TESTS = re.compile(r"^( *)#\[cfg\(test\)\]\n(?:\1#.*\n)*\1(?:.*[;}]\n|.*\n(?:(?!\1\}).*\n)*?\1\}.*\n)", re.M)
INLINE = re.compile(r"^( *)(?:pub(?:\(crate\))? )?mod \w+ \{\n(?:(?!\1\}).*\n)*", re.M)
ITEM = r"^(?:pub(?:\([\w: ]+\))? )?(?:unsafe |async |extern \"C\" )*(?:const fn|fn|struct|enum|union|trait|type|const|static|macro_rules!) (\w+)"


class Module:
    """A file: the modules below it, what it imports by which name, and what it defines."""

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
        """The module whose file defines what has this path from here; None: this file knows no such name."""
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
        """The same of a path as it is written here; None: it is another package's."""
        head, rest = path[0], path[1:]
        starts = {"self": self, "super": self.parent, "crate": self.root, "$crate": self.root, **PACKAGES}
        if head not in starts or head in self.below:
            return self.within(path, seen)
        at = starts[head]
        while at and rest[:1] == ["super"]:
            at, rest = at.parent, rest[1:]
        return at and (at.within(rest, seen) or at)

    def imports(self):
        """{file that this one needs: a path that it has of it}: what it imports, what it writes with its path, and macros."""
        code = re.sub(r"\buse\s+[^;]+;", "", self.text)
        paths = list(self.uses.values()) + [path.split("::") for path in re.findall(r"\$?\b[A-Za-z_]\w*(?:::\w+)+", code)]
        paths += [[word] for word in sorted(set(re.findall(r"\b[A-Za-z_]\w*\b(?!!)", code))) if self.globs and word not in self.below]
        found = [(self.find(path), "::".join(path)) for path in paths]
        found += [(MACROS.get((self.root, name)), name + "!") for name in re.findall(r"\b(\w+)!", code) if name not in self.defines]
        return {module.file: path for module, path in reversed(found) if module and module is not self}


def branches(tree):
    """What a `use` names: the steps of each path, and the name that it gets."""
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


def circles(edges, files):
    """The sets of several of these files that reach each other."""
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
wrong = sorted((circle for circle in circles(edges, set(edges)) if len(circle) > MOST), key=len)
for circle in wrong:
    print(f"a circle of {len(circle)} files: {' '.join(sorted(map(short, circle)))}")
    inside = [(file, other) for file in sorted(circle) for other in sorted(edges[file] & circle)]
    left = lambda cut: sum(len(rest) ** 2 for rest in circles({**edges, cut[0]: edges[cut[0]] - {cut[1]}}, circle))
    for file, other in sorted(inside, key=left)[:8]:
        print(f"  {short(file)} imports {short(other)}: {IMPORTS[file][other]}")
upwards = [(file, other) for file in sorted(edges) for other in sorted(edges[file])
           if BELOW.match(short(file)) and short(other).startswith("gpu/") and not BELOW.match(short(other))]
for file, other in upwards:
    print(f"an import upwards: {short(file)} imports {short(other)}: {IMPORTS[file][other]}")
sys.exit(bool(wrong or upwards))
