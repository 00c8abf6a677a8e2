#!/usr/bin/env python3
"""Tests the result of `make install`: the files, their links, the libraries' exported names, and README's example as
printed.

Called by c_tests/Makefile with STAGE (an install image), OUT (a working directory) and SKIP (tools whose tests are left
out) in the environment. Installing must not call cargo.
"""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAGE = Path(os.environ["STAGE"])
OUT = Path(os.environ["OUT"]) / "package"
SKIP = os.environ.get("SKIP", "").split()
CC = os.environ.get("CC", "cc")
PREFIX = OUT / "prefix"
LIB = PREFIX / "lib"
README = (ROOT / "README.md").read_text()


def run(command, check=True, **options):
    """The combined standard output and error of a command, which are shown if it fails."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "CARGO"))} | options.pop("env", {})
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def make(target, *variables, check=True):
    """Runs make's install or uninstall of the image, with a cargo that fails if it is called."""
    cargo = OUT / "no-cargo/cargo"
    cargo.parent.mkdir(parents=True, exist_ok=True)
    cargo.write_text("#!/bin/sh\necho 'cargo was called' >&2\nexit 97\n")
    cargo.chmod(0o755)
    path = f"{cargo.parent}{os.pathsep}{os.environ['PATH']}"
    return run(["make", "-C", ROOT, target, f"STAGE={STAGE}", *variables], check, env={"PATH": path})


def source_version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def dynamic(file, tag):
    """The entries with this tag in an object's dynamic section."""
    return re.findall(rf"\({tag}\).*\[(.*)\]", run(["readelf", "-d", file]))


def exported(file, *options):
    """The names that an object exports."""
    text = run(["nm", *options, "--extern-only", "--defined-only", "--format=just-symbols", file])
    return {name for name in text.split() if not name.endswith(":")}


def tool(name):
    return unittest.skipIf(name in SKIP, f"{name} is left out")


def setUpModule():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    make("install", f"PREFIX={PREFIX}")
    (OUT / "program.c").write_text(printed("c"))


def printed(language, holding=""):
    """README's first code block in a language that contains a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)
    return next(block for block in blocks if holding in block)


class Install(unittest.TestCase):
    def test_everything_is_there_and_goes_again(self):
        prefix = OUT / "twice"
        other = prefix / "lib/libother.so"
        other.parent.mkdir(parents=True)
        other.touch()
        make("install", f"PREFIX={prefix}")
        want = sorted(STAGE.with_name(STAGE.name + ".files").read_text().split())
        here = sorted(str(p.relative_to(prefix)) for p in prefix.rglob("*") if p.is_symlink() or p.is_file())
        self.assertEqual(here, sorted([*want, "lib/libother.so", "share/tephra/installed"]))
        # Files of an earlier version are removed as well.
        (prefix / "lib/libtephra.so.0.0").touch()
        with (prefix / "share/tephra/installed").open("a") as known:
            known.write("lib/libtephra.so.0.0\n")
        make("install", f"PREFIX={prefix}")
        make("uninstall", f"PREFIX={prefix}")
        self.assertEqual([p for p in prefix.rglob("*") if "tephra" in p.name.lower()], [])
        self.assertTrue(other.exists())
        text = make("uninstall", f"PREFIX={prefix}", check=False)
        self.assertIn("Tephra is not installed below", text)

    def test_destdir_goes_before_the_prefix(self):
        make("install", f"DESTDIR={OUT}/dest", "PREFIX=/opt/tephra")
        self.assertTrue((OUT / "dest/opt/tephra/lib/libtephra.so").exists())

    def test_root_updates_the_loaders_cache_if_the_loader_searches_the_folder(self):
        prefix, tools = OUT / "cached", OUT / "roots-tools"
        tools.mkdir()
        # The folder comes first in a listing that is longer than a pipe holds.
        for name, text in (("id", "echo 0"),
                           ("ldconfig", f'[ $# = 0 ] && exec touch {tools}/updated; echo "{prefix}/lib: (from x)"; seq 100000')):
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        path = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
        self.assertNotIn("-rpath", run([ROOT / "scripts/install.sh", STAGE, prefix], env=path))
        self.assertTrue((tools / "updated").exists())
        self.assertIn("-rpath", run([ROOT / "scripts/install.sh", STAGE, OUT / "elsewhere"], env=path))

    def test_without_a_build_it_says_so(self):
        text = make("install", f"STAGE={OUT}/nothing", f"PREFIX={OUT}/never", check=False)
        self.assertIn("Nothing has been built", text)
        self.assertFalse((OUT / "never").exists())

    def test_a_running_program_keeps_the_library_that_it_has(self):
        prefix, image = OUT / "running", OUT / "changed"
        make("install", f"PREFIX={prefix}")
        program = OUT / "waits"
        run([CC, "-o", program, ROOT / "c_tests/package/waits.c", f"-I{prefix}/include", f"-L{prefix}/lib",
             f"-Wl,-rpath,{prefix}/lib", "-ltephra"])
        waiting = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.assertEqual(waiting.stdout.readline(), "loaded\n")
        # Install the next release, in which everything is at another address.
        shutil.copytree(STAGE, image, symlinks=True)
        shutil.copy(STAGE.with_name(STAGE.name + ".files"), f"{image}.files")
        library = image / "lib" / f"libtephra.so.{source_version()}"
        library.write_bytes(bytes(library.stat().st_size))
        run([ROOT / "scripts/install.sh", image, prefix])
        self.assertEqual((prefix / "lib/libtephra.so").read_bytes()[:4], bytes(4))
        output, _ = waiting.communicate("\n", timeout=60)
        self.assertEqual((waiting.returncode, output), (0, "done\n"))


class Libraries(unittest.TestCase):
    def test_the_soname_changes_with_each_release_that_may_break_programs(self):
        major, minor, _ = source_version().split(".")
        soname = f"libtephra.so.0.{minor}" if major == "0" else f"libtephra.so.{major}"
        self.assertEqual(dynamic(LIB / "libtephra.so", "SONAME"), [soname])
        self.assertEqual((LIB / soname).resolve(), (LIB / f"libtephra.so.{source_version()}").resolve())
        self.assertEqual(run([ROOT / "scripts/soname.sh"]).strip(), soname)
        for file in (ROOT / "python/src/tephra").glob("*.py"):
            for name in re.findall(r"libtephra\.so\.[0-9.]*[0-9]", file.read_text()):
                self.assertEqual(name, soname, file)

    def test_the_static_library_shows_the_same_names(self):
        self.assertEqual(exported(LIB / "libtephra.a"), exported(LIB / "libtephra.so", "-D"))

    def test_no_object_names_a_folder_of_this_machine(self):
        homes = [str(ROOT), os.path.expanduser("~/.cargo"), os.environ.get("CARGO_HOME", ""), "registry/src/"]
        for name in ("lib/libtephra.so", "lib/libtephra.a", "lib/libtephra_preload.so", "bin/tephra"):
            content = (PREFIX / name).read_bytes()
            for home in filter(None, homes):
                at = content.find(home.encode())
                self.assertEqual(at, -1, f"{name}: {content[max(0, at - 40):at + 120]}")

    def test_the_preload_object_is_small(self):
        # It opens libtephra.so and contains none of its code or kernels.
        self.assertLess((LIB / "libtephra_preload.so").stat().st_size, 1_000_000)

    @tool("pkg-config")
    def test_static_linking_by_pkg_config(self):
        def flags(*more):
            return run(["pkg-config", *more, "--cflags", "--libs", "tephra"],
                       env={"PKG_CONFIG_PATH": str(LIB / "pkgconfig")}).split()

        # First the archive in an otherwise dynamic program, then a fully static one.
        mixed = ["-l:libtephra.a" if f == "-ltephra" else f for f in flags("--static")]
        for name, extra in (("mixed", mixed), ("static", ["-static", *flags("--static")])):
            run([CC, "-o", OUT / name, OUT / "program.c", *extra])
            self.assertEqual(run([OUT / name]), printed("text", "R = "))
            self.assertNotIn("libtephra", " ".join(dynamic(OUT / name, "NEEDED")))


class Readme(unittest.TestCase):
    @tool("pkg-config")
    def test_the_c_example_runs_as_printed(self):
        text = run(["bash", "-euo", "pipefail", "-c", printed("sh", "program.c -o program")], cwd=OUT,
                   env={"PKG_CONFIG_PATH": str(LIB / "pkgconfig")})
        self.assertEqual(text, printed("text", "R = "))

    @tool("cmake")
    def test_the_cmake_example_builds_as_printed(self):
        folder = OUT / "printed"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(printed("cmake"))
        shutil.copy(OUT / "program.c", folder)
        cmake = run([ROOT / "scripts/setup.sh", "--path", "cmake"]).strip()
        # Also test a package found through a symbolic link, as where /lib is a link to /usr/lib.
        root = OUT / "merged"
        root.mkdir()
        (root / "lib").symlink_to(LIB)
        for prefix in (PREFIX, root):
            build = folder / f"build-{prefix.name}"
            run([cmake, "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"])
            run([cmake, "--build", build])
            self.assertEqual(run([build / "program"]), printed("text", "R = "))

    def test_the_rust_version_is_that_of_cargo_toml(self):
        wanted = re.search(r'^rust-version = "(.*?)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
        self.assertEqual(re.findall(r"\(https://rustup.rs\) ([0-9.]+)", README), [wanted])
        for file, pattern in (("SOURCES.md", r"Rust ([0-9.]+) or later"), ("spack/package.py", r"rust@([0-9.]+):")):
            self.assertEqual(re.findall(pattern, (ROOT / "packaging" / file).read_text()), [wanted], file)

    def test_links_of_the_installed_pages_lead_somewhere(self):
        pages = list((PREFIX / "share/doc/tephra").rglob("*.md"))
        self.assertIn("README.md", [p.name for p in pages])
        for page in pages:
            for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
                if target.startswith(("http:", "https:")):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name) if name else page
                self.assertTrue(file.exists(), f"{page.name} links to {target}")
                if anchor:
                    self.assertIn(anchor, headings(file), f"{page.name} links to {target}")


def headings(page):
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


if __name__ == "__main__":
    unittest.main(verbosity=1)
