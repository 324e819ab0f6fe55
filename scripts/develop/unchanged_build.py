# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A build directory that is put back as it was, so that a source with its old text is not compiled again."""

import filecmp
import pathlib
import shutil


class UnchangedBuild:
    """A copy of a build directory. Files keep their times, and so ninja has nothing to do after they are put back."""

    def __init__(self, build):
        self._build = pathlib.Path(build)
        self._copy = self._build.with_name(f"{self._build.name}-unchanged")
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self._build, self._copy, symlinks=True)
        files = [path for path in self._copy.rglob("*") if path.is_file() and not path.is_symlink()]
        self._times = {path.relative_to(self._copy): path.stat().st_mtime_ns for path in files}

    def has(self, target):
        """Whether a program is the same as before."""
        name = pathlib.Path(target)
        return not self._is_new(name) or filecmp.cmp(self._build / name, self._copy / name, shallow=False)

    def put_back(self):
        for name in filter(self._is_new, self._times):
            (self._build / name).unlink(missing_ok=True) # a process may still run it
            shutil.copy2(self._copy / name, self._build / name)

    def _is_new(self, name):
        path = self._build / name
        return not path.exists() or path.stat().st_mtime_ns != self._times[name]
