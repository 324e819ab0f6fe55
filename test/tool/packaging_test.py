# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recipes for packages: nothing in them, or in any other file of the tree, names an address that does not exist; they
keep to the style that Spack and EasyBuild check; build_deb names its maintainer, and what it lacks; a build without
tests needs nothing that tests need."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from support import ROOT, check, setup

PACKAGING = ROOT / "scripts/packaging"
TOOLS = ("bash", "id", "uname", "realpath", "dirname", "mktemp", "rm", "mkdir", "tar", "cp", "ls", "cat")
# The rules of spack-packages (.flake8, pyproject.toml) and of easybuild-framework (easyconfig/style.py), 2026-03.
SPACK_STYLE = {"black": ["--check", "--quiet", "--line-length", "99", "--skip-magic-trailing-comma"],
               "isort": ["--check", "--quiet", "--profile", "black", "--line-length", "99",
                         "--thirdparty", "spack_repo", "--project", "spack"],
               "flake8": ["--isolated", "--extend-ignore=E731,E203,F403,F405,F821", "--max-line-length=99"]}
EASYBUILD_COLUMNS = 120
EASYBUILD_MANDATORY = ("name", "version", "homepage", "description", "toolchain", "moduleclass")


def check_addresses():
    """The domains of RFC 2606 stand nowhere but in this test."""
    reserved = re.compile(r"\bexample\.(?:org|com|net)\b")
    for folder in ("docs", "include", "schedules", "scripts", "shim", "test", ".github"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix not in (".pyc", ".png") and "corpus" not in path.parts:
                check(not reserved.search(path.read_text(encoding="utf-8")), f"{path} has a reserved address")


def check_spack():
    recipe = PACKAGING / "spack/package.py"
    for name, options in SPACK_STYLE.items():
        if not shutil.which(name):
            print(f"skipped: without {name} its check of the recipe for Spack")
            continue
        done = subprocess.run([name, *options, recipe], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        check(done.returncode == 0, f"{name}: the recipe for Spack", done.stdout)
    text = recipe.read_text(encoding="utf-8")
    check(max(map(len, text.splitlines())) <= 99, "the recipe for Spack: at most 99 columns")
    compile(text, recipe, "exec")


def check_easybuild():
    recipe, = (PACKAGING / "easybuild").glob("*.eb")
    text = recipe.read_text(encoding="utf-8")
    found = {}
    exec(compile(text, recipe, "exec"), found)  # an easyconfig is Python
    for name in EASYBUILD_MANDATORY:
        check(found.get(name), f"{recipe.name}: no {name}")
    expected = f"{found['name']}-{found['version']}-{found['toolchain']['name']}-{found['toolchain']['version']}.eb"
    check(recipe.name == expected, f"EasyBuild calls it {expected}", recipe.name)
    check(all(line == line.rstrip() and len(line) <= EASYBUILD_COLUMNS for line in text.splitlines()),
          f"{recipe.name}: blanks at the end, or a long line")
    if importlib.util.find_spec("pycodestyle"):
        done = subprocess.run([sys.executable, "-m", "pycodestyle", f"--max-line-length={EASYBUILD_COLUMNS}",
                               "--ignore=W291,E741", recipe], stdout=subprocess.PIPE, text=True, check=False)
        check(done.returncode == 0, "pycodestyle: the recipe for EasyBuild", done.stdout)
    else:
        print("skipped: without pycodestyle its check of the recipe for EasyBuild")


def program(folder, name, text=""):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def build_deb(folder, **environment):
    """With the programs of that folder alone."""
    variables = {name: value for name, value in os.environ.items() if name not in ("DEBEMAIL", "DEBFULLNAME")}
    return subprocess.run([PACKAGING / "build_deb", folder / "result"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env={**variables, "PATH": str(folder / "bin"), **environment})


def check_build_deb(folder):
    programs = folder / "bin"
    for path in (programs, folder / "result"):
        path.mkdir()
    for name in TOOLS:
        (programs / name).symlink_to(shutil.which(name))
    done = build_deb(folder)
    check((done.returncode, "missing: dpkg-dev debhelper dh-python\n" in done.stderr) == (3, True),
          "build_deb names the packages that it lacks", done.stderr)
    program(programs, "dh")
    program(programs, "dh_python3")
    check("missing: dpkg-dev\n" in build_deb(folder).stderr, "build_deb lacks one package")
    program(programs, "dpkg-buildpackage",
            f"cat debian/control debian/changelog > {folder}/shown; : > ../hopscotch_1.deb")
    for given, maintainer in (({"DEBFULLNAME": "A. Person", "DEBEMAIL": "person@site.invalid"},
                               "A. Person <person@site.invalid>"),
                              ({"DEBEMAIL": "person@site.invalid"}, "<person@site.invalid>"), ({}, "@")):
        done = build_deb(folder, **given)
        shown = (folder / "shown").read_text(encoding="utf-8")
        named = [line for line in shown.splitlines() if line.startswith(("Maintainer: ", " -- "))]
        check(done.returncode == 0 and len(named) >= 2 and all(maintainer in line for line in named),
              f"build_deb: maintainer with {given}", (named, done.stderr))
        check("MAINTAINER" not in shown and ("DEBEMAIL is not set" in done.stderr) == (not given),
              f"build_deb: what it says with {given}", done.stderr)
        check((folder / "result/hopscotch_1.deb").exists(), "build_deb: the package comes into the folder")
    check(build_deb(folder, DEBEMAIL="a b@c").returncode == 2, "build_deb: DEBEMAIL is no address")


def check_build_without_tests(folder):
    """Recipes build with -Dtests=disabled: then no library to run programs is looked for, and nothing below test/ that
    includes its header may be built."""
    done = subprocess.run(["meson", "setup", folder, ROOT, "-Dtests=disabled"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    check(done.returncode == 0, "meson setup -Dtests=disabled", done.stdout)
    shown = subprocess.run(["meson", "introspect", "--targets", folder], stdout=subprocess.PIPE, text=True, check=False)
    sources = {pathlib.Path(source) for target in json.loads(shown.stdout or "[]")
               for part in target["target_sources"] for source in part.get("sources", [])}
    # Those of libraries are compiled several at a time, from files that Meson makes.
    check(ROOT / "shim/interpose/front.c" in sources, "-Dtests=disabled: the sources of the library", sources)
    for path in sorted(sources):
        if ROOT / "test" in path.parents and path.is_file():
            check("#include <mpi.h>" not in path.read_text(encoding="utf-8"),
                  f"-Dtests=disabled builds {path}, which needs an MPI library for programs")


check_addresses()
check_spack()
check_easybuild()
with tempfile.TemporaryDirectory(prefix="packaging_") as temporary:
    check_build_deb(pathlib.Path(temporary))
with tempfile.TemporaryDirectory(prefix="packaging_") as temporary:
    check_build_without_tests(temporary)
setup.finish()
