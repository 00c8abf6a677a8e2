"""The wheel carries libtephra.so (src/tephra/lib, put there by `make wheel`), so it is for one platform but any Python."""
import re
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.dist import Distribution


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


def version():
    # In the repository one place says it; a source archive brings its own copy.
    for cargo in (Path(__file__).parent.parent / "Cargo.toml", Path(__file__).parent / "Cargo.toml"):
        if cargo.is_file():
            return re.search(r'^version = "([^"]+)"', cargo.read_text(), re.M).group(1)
    raise SystemExit("no Cargo.toml to take the version from")


setup(version=version(), cmdclass={"bdist_wheel": PlatformWheel}, distclass=WithLibrary)
