# SPDX-License-Identifier: BSD-3-Clause
from spack.package import *

try:
    from spack_repo.builtin.build_systems.meson import MesonPackage  # Spack 1.0 and later
except ImportError:
    pass


class Servet(MesonPackage):
    """Servet measures the hardware of a node or a cluster: caches, memory, cores, messages of MPI.
    Programs in C and Fortran read the results through a library."""

    # No address to fetch from yet: `spack develop` builds a checkout, as packaging/README.md says.
    version("main")

    license("BSD-3-Clause")

    variant("fortran", default=True, description="Fortran module")
    variant("mpi", default=True, description="servet-mpi, which measures communication")
    variant("scotch", default=False, description="libscotch, to place irregular programs")
    variant("man", default=True, description="manual pages")
    variant("libs", default="shared,static", values=("shared", "static"), multi=True, description="libraries")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2.4:")
    depends_on("jansson@2.12:")
    depends_on("mpi", when="+mpi")
    depends_on("scotch", when="+scotch")
    depends_on("scdoc", type="build", when="+man")

    def meson_args(self):
        def feature(option, variant):
            return "-D{0}={1}".format(option, "enabled" if self.spec.satisfies("+" + variant) else "disabled")

        libs = self.spec.variants["libs"].value
        args = [
            feature("fortran", "fortran"),
            feature("mpi", "mpi"),
            feature("scotch", "scotch"),
            feature("docs", "man"),
            "-Ddefault_library={0}".format("both" if len(libs) == 2 else libs[0]),
        ]
        if self.spec.satisfies("+mpi"):
            args.append("-Dmpicc={0}".format(self.spec["mpi"].mpicc))
            args.append("-Dmpifort={0}".format(self.spec["mpi"].mpifc))
        return args
