# Spack package: var/spack/repos/.../packages/tephra/package.py
from spack.package import *


class Tephra(MakefilePackage):
    """Batched dense linear algebra (QR, LU, Cholesky, least squares, BLAS of many small matrices) that answers to the names
    of cuBLAS and MAGMA, on NVIDIA GPUs and on CPUs."""

    license("BSD-3-Clause", checked_by="tephra")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000", url="file:///dev/null")

    variant("cuda", default=False, description="Build the CUDA backend's kernels")
    variant("cuda_archs", default="90", description="Their architectures: a list such as 80,90, or all", when="+cuda")
    variant("magma_names", default=False, description="Install what programs find as MAGMA, too")

    depends_on("c", type="build")
    depends_on("rust@1.89:", type="build")
    depends_on("gmake", type="build")
    depends_on("cuda@13:", type="build", when="+cuda")

    def setup_build_environment(self, env):
        if self.spec.satisfies("+cuda"):
            env.set("CUDA_HOME", self.spec["cuda"].prefix)
            env.set("TEPHRA_CUDA_ARCHS", self.spec.variants["cuda_archs"].value)

    def build(self, spec, prefix):
        make("build", "CUDA=" + ("1" if spec.satisfies("+cuda") else "0"))

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}")
        if spec.satisfies("+magma_names"):
            make("install-magma-names", f"PREFIX={prefix}")

    @property
    def libs(self):
        return find_libraries("libtephra", self.prefix, shared=True, recursive=True)
