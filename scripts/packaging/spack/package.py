# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A Spack recipe: copy it to <your repository>/packages/hopscotch/package.py."""

from spack.package import *


class Hopscotch(MesonPackage):
    """Faster neighborhood collectives for unmodified MPI programs: a library that is preloaded before MPI."""

    license("BSD-3-Clause")
    # No release has an address yet: `spack develop --path <this tree> hopscotch@=0.1.0` builds from a checkout.
    version("0.1.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("mpich@4:")
    depends_on("libunwind")
    depends_on("elfutils")
    depends_on("python@3.9:", type=("build", "run"))

    def meson_args(self):
        return ["-Dtests=disabled"]
