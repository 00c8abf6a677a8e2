# Spack's recipe: spack_repo/builtin/packages/tephra/package.py in a package repository.
# `make dist` fills in what stands between @ signs and writes it to build/dist/package.py.
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Tephra(MakefilePackage, CudaPackage):
    """Batched dense linear algebra (QR, LU, Cholesky, least squares, BLAS of many small matrices)
    behind the names of cuBLAS and MAGMA, on NVIDIA GPUs and on CPUs."""

    homepage = "@HOMEPAGE@"
    url = "@URL@/tephra-@VERSION@-source.tar.gz"

    maintainers("@MAINTAINER@")

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("magma_names", default=False, description="Also install what programs find as MAGMA")

    depends_on("c", type="build")
    depends_on("rust@1.89:", type="build")
    depends_on("gmake", type="build")
    # The driver is loaded when a program runs: the toolkit is needed for nvcc alone.
    depends_on("cuda@13:", type="build", when="+cuda")

    def setup_build_environment(self, env: EnvironmentModifications) -> None:
        if self.spec.satisfies("+cuda"):
            archs = self.spec.variants["cuda_arch"].value
            env.set("CUDA_HOME", self.spec["cuda"].prefix)
            env.set("TEPHRA_CUDA_ARCHS", "all" if "none" in archs else ",".join(archs))

    def build(self, spec: Spec, prefix: Prefix) -> None:
        make("build", "CUDA=" + ("1" if spec.satisfies("+cuda") else "0"))

    def install(self, spec: Spec, prefix: Prefix) -> None:
        make("install", f"PREFIX={prefix}")
        if spec.satisfies("+magma_names"):
            make("install-magma-names", f"PREFIX={prefix}")
