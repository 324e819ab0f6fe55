# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Facts about a program without running it: statically linked or not, and the libraries it needs."""

import functools
import mmap
import os
import pathlib
import re
import shutil
import stat
import struct
import subprocess

PT_DYNAMIC = 2
PT_INTERP = 3
SHT_DYNSYM = 11
MOST_LOOKED_AT = 20  # words of a command line, with ldd

OPEN_MPI = "Open MPI"
MPICH = "MPICH"
STANDARD_ABI = "the standard MPI ABI"

LAUNCHERS = re.compile(r"(mpiexec|mpirun)[\w.-]*|"
                       r"(orterun|srun|hydra|prun|jsrun|aprun|flux|hopscotch|env|timeout|nice|numactl|taskset|xvfb)"
                       r"([.-].*)?")


INTERPRETERS = re.compile(r"python|bash|dash|zsh|ksh|sh\b|busybox|perl|ruby|julia|java|Rscript|R\b|node|lua|octave|env")


class NotElf(Exception):
    """The file is no ELF file."""


class Elf:
    def __init__(self, static):
        self.static = static


def program_in(words):
    """The program of a command line that may begin with a launcher and its options; None if there is none. A value of
    an option may be the name of a program, too (--map-by node): the first that is linked to MPI, else the first."""
    found = [pathlib.Path(shutil.which(word)) for word in words
             if shutil.which(word) and not LAUNCHERS.fullmatch(pathlib.Path(word).name) and
             not re.fullmatch(r"[0-9]+|run|-.*|.*\.so[.0-9]*", word)]
    return next((path for path in found[:MOST_LOOKED_AT] if mpi_family(libraries(path))), found[0] if found else None)


def is_privileged(path):
    """Setuid or setgid."""
    return bool(path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID))


def why_not(path):
    """Why preloading a library does nothing in this program, or None. Interpreters and scripts may start another."""
    if is_privileged(path):
        return f"{path} is setuid or setgid: the system ignores LD_PRELOAD for it"
    try:
        if read(path).static:
            return (f"{path} is statically linked: there is nothing a preloaded library could come before. Link it "
                    "dynamically")
    except (NotElf, OSError):
        return None
    if INTERPRETERS.match(path.name) or mpi_family(libraries(path)):
        return None
    return f"{path} is not linked to an MPI library that can be seen: it runs as it is, unless it loads one later"


def mpi_family(libraries):
    """The family of MPI libraries among these names; None if there is none."""
    if any(re.match(r"libmpi_abi\.so", name) for name in libraries):
        return STANDARD_ABI
    if any(re.match(r"libopen-|libmpi\.so\.(20|40)", name) for name in libraries):
        return OPEN_MPI
    if any(re.match(r"lib(p?mpi|mpich|mpi_mpifh|mpifort)[\w.-]*\.so", name) for name in libraries):
        return MPICH
    return None


def read(path):
    """The head of an ELF file. Raises NotElf."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:4] != b"\x7fELF" or len(head) < 64:
            raise NotElf(f"{path} is not an ELF file")
        wide = head[4] == 2
        order = "<" if head[5] == 1 else ">"
        if wide:
            table, = struct.unpack_from(order + "Q", head, 32)
            size, count = struct.unpack_from(order + "HH", head, 54)
        else:
            table, = struct.unpack_from(order + "I", head, 28)
            size, count = struct.unpack_from(order + "HH", head, 42)
        file.seek(table)
        entries = file.read(size * count)
    kinds = {struct.unpack_from(order + "I", entries, i * size)[0] for i in range(count)
             if (i + 1) * size <= len(entries)}
    return Elf(static=PT_INTERP not in kinds)


def defines(path, symbol):
    """True if this library, 64 bits wide and in the byte order of the machine, exports the symbol. Raises NotElf."""
    read(path)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            start, = struct.unpack_from("=Q", content, 40)
            size, count = struct.unpack_from("=HH", content, 58)
            sections = [struct.unpack_from("=IIQQQQIIQQ", content, start + i * size) for i in range(count)]
            for _, kind, _, _, begin, length, texts, _, _, _ in sections:
                if kind == SHT_DYNSYM:
                    begin_of_texts, length_of_texts = sections[texts][4:6]
                    names = content[begin_of_texts:begin_of_texts + length_of_texts]
                    places = {found.start() for found in re.finditer(re.escape(symbol).encode() + b"\0", names)}
                    return any(name in places and section != 0 for name, _, _, section, _, _ in
                               struct.iter_unpack("=IBBHQQ", content[begin:begin + length]))
        except (struct.error, IndexError):
            raise NotElf(f"{path} is not a whole ELF file of this machine") from None
    return False


@functools.lru_cache(maxsize=None)
def libraries(path):
    """Names of all libraries the loader finds for a program; of those it needs itself without ldd; none if it cannot be
    read."""
    ldd = shutil.which("ldd")
    if ldd is None:
        try:
            names = re.findall(rb"lib[\w+.-]*\.so[\w.]*", pathlib.Path(path).read_bytes())
        except OSError:
            return []
        return sorted({name.decode() for name in names})
    bare = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    shown = subprocess.run([ldd, str(path)], env=bare, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, errors="replace", check=False).stdout
    return [line.split()[0] for line in shown.splitlines() if line.split() and ".so" in line]
