# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The version of a source tree, and the name of its library: both stand in meson.build."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version_of(root=ROOT):
    """"0.2.0"."""
    return re.search(r"^  version: '([\d.]+)'", (root / "meson.build").read_text(encoding="utf-8"), re.M)[1]


def library_of(root=ROOT):
    """The target of ninja for the library for MPICH, relative to the build directory."""
    return f"shim/libhopscotch.so.{version_of(root)}"
