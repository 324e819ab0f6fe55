# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A Spack recipe: copy it to <your repository>/packages/hopscotch/package.py."""

from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Hopscotch(MesonPackage):
    """Faster neighborhood collectives for unmodified MPI programs, by a preloaded library."""

    license("BSD-3-Clause")
    # No release has an address yet. From a checkout:
    # spack develop --path <this tree> hopscotch@=0.2.0
    version("0.2.0")

    variant("openmpi", default=False, description="For programs that use Open MPI, not MPICH")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("openmpi@4.1:", when="+openmpi")
    depends_on("mpich@4:", when="~openmpi")
    depends_on("libunwind")
    depends_on("elfutils")
    depends_on("python@3.9:", type=("build", "run"))

    def meson_args(self):
        family = "openmpi" if self.spec.satisfies("+openmpi") else "mpich"
        return ["-Dtests=disabled", f"-Dmpi={family}", "-Dlibdir=lib"]

    def setup_run_environment(self, env):
        name = "libhopscotch_openmpi" if self.spec.satisfies("+openmpi") else "libhopscotch"
        env.set(name.upper(), join_path(self.prefix.lib, f"{name}.so.0"))
