#!/usr/bin/env python3
"""Installs and uses what `make dist` has put into a folder, each item in an empty location: scripts/test_dist.py
build/dist

The binary archive and the Debian packages are installed in empty roots, and the wheel in a new environment. The source
archive is built without network access and with an empty cargo home, by the commands of conda-forge's and Spack's
recipes.
"""
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = Path(sys.argv.pop(1)).resolve()
PROGRAM = re.search(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]
PRINTED = re.search(r"^```text\n(R = .*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]


def run(command, **options):
    env = os.environ | {"TEPHRA_BACKEND": "cpu"} | options.pop("env", {})
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def the(pattern):
    (found,) = DIST.glob(pattern)
    return found


class Place(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)

    def unpack(self, pattern):
        archive = the(pattern)
        with tarfile.open(archive) as tar:
            tar.extractall(self.place, filter="data")
        return self.place / archive.name.removesuffix(".tar.gz").removesuffix("-source")

    def use(self, root, lib, **environment):
        """Builds README's program against an installation below a root, and runs it."""
        (self.place / "program.c").write_text(PROGRAM)
        flags = run(["pkg-config", "--cflags", "--libs", "tephra"], env={"PKG_CONFIG_PATH": str(lib / "pkgconfig"), **environment}).split()
        run(["cc", "-o", self.place / "program", self.place / "program.c", *flags])
        env = {"LD_LIBRARY_PATH": str(lib)}
        self.assertEqual(run([self.place / "program"], env=env), PRINTED)
        self.assertIn("PASS", run([root / "bin/tephra", "check", "--precisions", "s"], env=env))


class Archive(Place):
    def test_it_can_be_unpacked_anywhere_and_used(self):
        image = self.unpack("tephra-*-linux-*.tar.gz")
        self.use(image, image / "lib")

    def test_nothing_needs_a_newer_c_library_than_2_28(self):
        image = self.unpack("tephra-*-linux-*.tar.gz")
        for file in ("lib/libtephra.so", "lib/libtephra_preload.so", "bin/tephra"):
            needed = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", run(["objdump", "-T", image / file]))}
            self.assertLessEqual(max(needed), (2, 28), file)


class Debian(Place):
    def test_packages_are_installed_used_and_removed(self):
        root = self.place / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        (root / "var/lib/dpkg/updates").mkdir()
        (root / "var/lib/dpkg/status").touch()
        # Their only dependencies are libc6 and libgcc-s1, which an empty root lacks.
        dpkg = [*([] if os.geteuid() == 0 else ["fakeroot"]), "dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--force-unsafe-io",
                "--force-script-chrootless", f"--log={self.place}/log"]
        run([*dpkg, "-i", *DIST.glob("*.deb")])
        (lib,) = (root / "usr/lib").glob("*-linux-gnu")
        self.assertEqual({f"{p.stat().st_mode & 0o777:o}" for p in lib.glob("*.so*")}, {"644"})
        for name in ("tephra", "libtephra-dev", *[p.name for p in (root / "usr/share/doc").glob("libtephra0*")]):
            # What is linked into the libraries has licences that must come with them.
            text = (root / "usr/share/doc" / name / "copyright").read_text()
            self.assertTrue("Redistribution" in text and "libc" in text, name)
            changes = gzip.open(root / "usr/share/doc" / name / "changelog.gz", "rt").read()
            self.assertRegex(changes, r"^tephra \([0-9.]+\) \S+; urgency=\S+\n\n  \* .*\n\n -- .* <.*>  \S+, .*\n$")
        self.use(root / "usr", lib)
        names = re.findall(r"^ii  (\S+)", run([*dpkg, "-l"]), re.M)
        self.assertEqual(len(names), 3, names)
        run([*dpkg, "-r", *[name.split(":")[0] for name in names]])
        self.assertEqual([p for p in root.rglob("*tephra*") if "var/lib/dpkg" not in str(p)], [])


class Wheel(Place):
    def test_it_is_installed_and_used_in_a_new_environment(self):
        wheel = the("libtephra-*.whl")
        self.assertRegex(wheel.name, r"manylinux_2_(1\d|2[0-8])_")
        run([sys.executable, "-m", "venv", self.place / "env"])
        python = self.place / "env/bin/python"
        run([python, "-m", "pip", "--quiet", "install", "numpy"])
        run([python, "-m", "pip", "--quiet", "install", "--no-index", "--no-deps", wheel])
        code = "import numpy, tephra; q, r = tephra.qr(numpy.ones((3, 4, 2))); print(numpy.allclose(q @ r, 1))"
        self.assertEqual(run([python, "-c", code], cwd=self.place), "True\n")
        self.assertIn("licenses/THIRD-PARTY.txt", run([python, "-m", "zipfile", "-l", wheel]))

    def test_auditwheel_agrees_with_its_name(self):
        text = run([sys.executable, "-m", "auditwheel", "show", the("libtephra-*.whl")], env={"PYTHONPATH": str(ROOT / ".tools/dist")})
        self.assertRegex(" ".join(text.split()), r'following platform tag: "manylinux_2_(1\d|2[0-8])_')


class Source(Place):
    def test_it_builds_without_a_network(self):
        tree = self.unpack("tephra-*-source.tar.gz")
        # Use the machine's tools, but nothing that cargo has fetched before.
        env = {"CARGO_HOME": str(self.place / "cargo"), "CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": str(self.place / "target")}
        run(["make", "CUDA=0", "build"], cwd=tree, env=env)
        self.assertIn("backend    cpu", run([tree / "build/stage/bin/tephra", "info"]))

        prefix = self.place / "conda"
        recipe = conda_recipe(cuda="None")
        for command in recipe["build"]["script"]:
            run(["bash", "-ec", command], cwd=tree, env=env | {"PREFIX": str(prefix)})
        installed = {
            "PREFIX": str(prefix),
            "PATH": f"{prefix}/bin:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": f"{prefix}/lib",
            "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig",
        }
        for command in recipe["tests"][0]["script"]:
            for name, value in recipe["context"].items():
                command = command.replace("${{ %s }}" % name, value)
            run(["bash", "-ec", command], cwd=self.place, env=installed)

        prefix = self.place / "spack"
        recipe, _ = spack_recipe(lambda *arguments: run(["make", *arguments], cwd=tree, env=env))
        spec = types.SimpleNamespace(satisfies={"+cuda": False, "+magma_names": True}.__getitem__)
        package = recipe()
        package.spec = spec
        package.setup_build_environment({})
        package.build(spec, prefix)
        package.install(spec, prefix)
        self.use(prefix, prefix / "lib")
        self.assertEqual([place.name for place in prefix.rglob("magma_v2.h")], ["magma_v2.h"])


def conda_recipe(cuda):
    """conda-forge's recipe as rattler-build reads it, for a version of nvcc, or without CUDA for None."""
    code = (
        "import json, sys\n"
        "from rattler_build import Stage0Recipe, VariantConfig\n"
        "variants = VariantConfig.from_yaml(sys.argv[2])\n"
        "(one,) = Stage0Recipe.from_yaml(open(sys.argv[1]).read()).render(variants)\n"
        "print(json.dumps(one.recipe.to_dict()))\n"
    )
    variants = f'{{c_stdlib: [sysroot], c_stdlib_version: ["2.28"], cuda_compiler_version: ["{cuda}"], cuda_compiler: [cuda-nvcc]}}'
    return json.loads(run([sys.executable, "-c", code, the("recipe.yaml"), variants], env={"PYTHONPATH": str(ROOT / ".tools/dist")}))


def spack_recipe(make=None):
    """Loads Spack's recipe with stand-ins that record its directives and replace its `make`. Returns the class and the
    record."""
    said = {}
    package = types.ModuleType("spack.package")
    for directive in ("license", "version", "variant", "depends_on", "maintainers"):
        setattr(package, directive, lambda *a, directive=directive, **k: said.setdefault(directive, []).append((a, k)))
    package.make, package.Spec, package.Prefix, package.EnvironmentModifications = make, object, object, object
    systems = {name: types.ModuleType(f"spack_repo.builtin.build_systems.{name}") for name in ("cuda", "makefile")}
    systems["cuda"].CudaPackage = type("CudaPackage", (), {})
    systems["makefile"].MakefilePackage = type("MakefilePackage", (), {})
    parents = ["spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"]
    modules = {name: types.ModuleType(name) for name in parents} | {module.__name__: module for module in (package, *systems.values())}
    with unittest.mock.patch.dict(sys.modules, modules):
        names = {}
        exec(compile(the("package.py").read_text(), "package.py", "exec"), names)
    return names["Tephra"], said


class Recipes(unittest.TestCase):
    def setUp(self):
        self.source = the("tephra-*-source.tar.gz")
        self.sum = hashlib.sha256(self.source.read_bytes()).hexdigest()
        self.version = self.source.name.split("-")[1]

    def test_conda_forges_is_valid_and_names_the_source_archive(self):
        alone, cuda = conda_recipe("None"), conda_recipe("13.0")
        for recipe in (alone, cuda):
            (source,) = recipe["source"]
            self.assertEqual((recipe["package"]["version"], source["sha256"]), (self.version, self.sum))
            self.assertTrue(source["url"].endswith("/" + self.source.name), source["url"])
        self.assertIn("CUDA=0", alone["build"]["script"][0])
        self.assertNotIn("CUDA=0", cuda["build"]["script"][0])
        compilers = [[line for line in recipe["requirements"]["build"] if "nvcc" in line] for recipe in (alone, cuda)]
        self.assertEqual([len(lines) for lines in compilers], [0, 1])

    def test_spacks_names_the_source_archive_and_says_how_to_build_it(self):
        asked = []
        recipe, said = spack_recipe(lambda *arguments: asked.append(arguments))
        self.assertEqual(said["version"], [((self.version,), {"sha256": self.sum})])
        self.assertTrue(recipe.url.endswith("/" + self.source.name), recipe.url)
        package, environment = recipe(), {}
        archs = {"cuda_arch": types.SimpleNamespace(value=("80", "90"))}
        package.spec = unittest.mock.MagicMock(variants=archs, satisfies={"+cuda": True, "+magma_names": False}.__getitem__)
        package.spec.__getitem__.return_value.prefix = "/cuda"
        package.setup_build_environment(types.SimpleNamespace(set=environment.__setitem__))
        package.build(package.spec, "/prefix")
        package.install(package.spec, "/prefix")
        self.assertEqual(environment, {"CUDA_HOME": "/cuda", "TEPHRA_CUDA_ARCHS": "80,90"})
        self.assertEqual(asked, [("build", "CUDA=1"), ("install", "PREFIX=/prefix")])


class Sums(unittest.TestCase):
    def test_they_are_of_every_file(self):
        lines = [line.split() for line in (DIST / "SHA256SUMS").read_text().splitlines()]
        self.assertEqual(sorted(name for _, name in lines), sorted(p.name for p in DIST.iterdir() if p.name != "SHA256SUMS"))
        for wanted, name in lines:
            self.assertEqual(hashlib.sha256((DIST / name).read_bytes()).hexdigest(), wanted, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
