"""The wheel contains libtephra.so (src/tephra/lib) and the tephra program (src/tephra/bin), put there by `make wheel`,
so it is for one platform but any Python. WHEEL_PLATFORM names the platform, such as manylinux_2_34_x86_64."""
import os
import re
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.dist import Distribution


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", os.environ.get("WHEEL_PLATFORM") or super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


def cargo(*keys):
    """The value in Cargo.toml of the first of these keys that it has, or None. Cargo.toml is in the repository's root;
    a source archive contains a copy."""
    for place in (Path(__file__).parent.parent / "Cargo.toml", Path(__file__).parent / "Cargo.toml"):
        if place.is_file():
            found = (re.search(rf'^{key} = "([^"]+)"', place.read_text(), re.M) for key in keys)
            return next((f.group(1) for f in found if f), None)
    raise SystemExit("no Cargo.toml to take the version from")


links = {"Homepage": cargo("homepage", "repository"), "Source": cargo("repository"), "Documentation": cargo("documentation")}
setup(version=cargo("version"), project_urls={name: link for name, link in links.items() if link},
      cmdclass={"bdist_wheel": PlatformWheel}, distclass=WithLibrary)
