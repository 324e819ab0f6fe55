# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The reference is whole: every function of the headers has an entry with all its parts, its links lead to entries, man
pages are right, and every error in a function's own comment, not in that of its plainer form, is provoked by a program
of this directory: reference_test.py COMPILER..."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/develop"))
import members  # noqa: E402
from reference import read_reference, write_man_pages  # noqa: E402
from reference_pages import markdown  # noqa: E402

MOST_EXAMPLE_LINES = 10
COMPILER = sys.argv[1:]
# Classes that no program here can provoke.
OUT_OF_REACH = {"MPI_ERR_UNSUPPORTED_OPERATION"}  # returned by programs that are linked with the library behind MPI

reference = read_reference()
errors = []


def check(right, what):
    if not right:
        errors.append(what)


def arguments_of(text, place):
    """The text of each argument of the call with its opening bracket at `place`."""
    depth, begin, arguments = 0, place + 1, []
    for here in range(place, len(text)):
        depth += text[here] in "([{"
        depth -= text[here] in ")]}"
        if depth == 0 or depth == 1 and text[here] == ",":
            arguments.append(text[begin:here])
            begin = here + 1
        if depth == 0:
            return arguments
    return arguments


def expanded(source):
    """The text of a program with its own macros expanded, and none of other files."""
    text = re.sub(r"^#include.*", "", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return subprocess.run([*COMPILER, "-E", "-P", "-x", "c", "-"], input=text, stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def provoked():
    """(function, class of error) of all checks that demand one."""
    pairs = set()
    for source in [*ROOT.glob("test/hop/*.c"), *ROOT.glob("test/hop/*.cpp")]:
        text = expanded(source)
        for found in re.finditer(r"\bCHECK(?:_ERROR)?(\()", text):
            checked = " == ".join(arguments_of(text, found.start(1)))
            names = [f"Hop_{name}" for name in re.findall(r"\b(?:Hop|form)_(\w+)\(", checked)]  # form_: of forms.h
            pairs |= {(name, error) for name in names for error in re.findall(r"\bMPI_ERR_\w+", checked)}
    return pairs


def check_entries():
    demanded = provoked()
    for name, entry in reference.entries.items():
        arrays = any(parameter.is_array for parameter in entry.function.parameters)
        check(entry.text or entry.function.group, f"{name}: what does it do?")
        check(entry.together, f"{name}: collective or local?")
        check(entry.shapes or not arrays, f"{name}: of what shape are its arrays?")
        check(entry.example, f"{name}: no example in test/hop/reference_examples.c")
        check(len(entry.example.splitlines()) <= MOST_EXAMPLE_LINES, f"{name}: an example of more than ten lines")
        said = " ".join(reference.errors(entry.function, inherited=False))
        for error in sorted({*re.findall(r"\bMPI_ERR_\w+", said)} - OUT_OF_REACH):
            check((name, error) in demanded, f"{name}: {error} is documented, and no CHECK_ERROR({name}(...), {error})")


def check_pages():
    page = markdown(reference)
    interfaces = (ROOT / "docs/interfaces.md").read_text(encoding="utf-8")
    check("/reference.md`" in interfaces and "(docs/interfaces.md" in (ROOT / "README.md").read_text(encoding="utf-8"),
          "README leads to docs/interfaces.md, and that says where the reference is")
    headings = {heading.lower().replace(" ", "-") for heading in re.findall("^#+ (.*)$", page, re.MULTILINE)}
    dead = set(re.findall(r"\]\(#([^)]*)\)", page)) - headings
    check(not dead, f"links of the reference to headings that it does not have: {sorted(dead)}")
    for name in reference.entries:
        check(f"\n### {name}\n" in page, f"the reference has no entry {name}")
    for group in reference.alike:
        check(page.count(f"* [{group[0]}](") == 1, f"{group[0]} is not in the list of names that look alike")
        check(all(f"[{other}](" in page.split(f"### {group[0]}\n")[1].split("\n### ")[0] for other in group[1:]),
              f"the entry of {group[0]} does not point to {group[1:]}")


def check_man_pages():
    with tempfile.TemporaryDirectory() as folder:
        pages = pathlib.Path(folder) / "man3"
        write_man_pages(reference, pages)
        check({path.stem for path in pages.iterdir()} == {*reference.entries, "hopscotch"}, "a man page for each")
        for path in sorted(pages.iterdir()):
            text = path.read_text(encoding="utf-8")
            begin = rf"(\.\\\" SPDX-.*\n){{2}}\.TH {path.stem} 3\n\.SH NAME\n{path.stem} \\- .{{10}}"
            check(re.match(begin, text), f"{path.name}: its beginning")
        if shutil.which("groff"):
            lint = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", *map(str, sorted(pages.iterdir()))],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            check(lint.returncode == 0 and not lint.stderr, f"groff of the man pages: {lint.stderr}")


def check_classes():
    """Each method of a class that hands its arguments on calls the function of its name with all of them in order."""
    functions = {name: [parameter.name for parameter in entry.function.parameters
                        if parameter.type not in ("MPI_Comm", "MPI_Info", "MPI_Request*")]
                 for name, entry in reference.entries.items()}
    methods = 0
    for source in sorted(ROOT.glob("include/hopscotch/*.hpp")):
        for told, method, taken, way, called, given in re.findall(
                r"/// (Hop_\w+)[^\n]*\n +(?:void|MPI_Request) (\w+)\(([^()]*)\) const\s*\{\s*(?:return )?"
                r"(call|begin|prepare)\((Hop_\w+)([^()]*)\);", source.read_text(encoding="utf-8")):
            methods += 1
            name = method.lower()
            names = [words.split()[-1].rstrip("[]") for words in taken.split(",") if words.strip()]
            passed = given.replace(",", " ").split()
            check(called == told and called.lower() in (f"hop_{name}", f"hop_cart_{name}", f"hop_icart_{name[1:]}"),
                  f"{source.name}: {method} calls {called}")
            check(passed == (["info"] if way == "prepare" else []) + [one for one in names if one != "info"],
                  f"{source.name}: {method} takes {names} and passes {passed}")
            check([one for one in names if one != "info"] == functions.get(called),
                  f"{source.name}: {method} takes {names}, {called} {functions.get(called)}")
    check(methods > 90, f"only {methods} methods of classes were found")


# Published names that are not those of ours with another beginning.
RENAMED = {("mpiortholib.h", "cart_relative_rank"): "cart_relative_rank_from",
           ("mpiortholib.h", "cart_relative_shift"): "cart_relative_shift_from",
           ("mpiortholib.h", "tuw_cart_neighbors"): "cart_neighbors_ranks",
           ("tuwcartesians.h", "cart_neighbors"): "cart_axis_neighbors",
           ("tuwcartesians.h", "cart_neighbors_count"): "cart_axis_neighbors_count"}


def check_published_names():
    """Each stands for the function of that name."""
    names = 0
    for header in ("mpiortholib.h", "tuwcartesians.h", "mpi2_topological.h"):
        text = (ROOT / "include/hopscotch" / header).read_text(encoding="utf-8")
        for published, ours in re.findall(r"^ *#define (\w+) Hop_(\w+)$", text, re.MULTILINE):
            names += 1
            whole = published.lower()
            bare = re.sub("^(tuw|mpix?)_", "", whole)
            usual = re.sub("neighbor_(?=all)", "", re.sub("neighborhood_(?!create)", "neighbor_", bare))
            wanted = RENAMED.get((header, whole)) or RENAMED.get((header, bare)) or usual
            check(ours.lower() == wanted, f"{header}: {published} is Hop_{ours}, not Hop_{wanted}")
    check(names > 100, f"only {names} published names were found")


check_entries()
for path, _ in members.changed():
    check(False, f"{path.name} differs from the C headers: run python3 scripts/develop/members.py")
check_classes()
check_published_names()
check_pages()
check_man_pages()
for error in errors:
    print(error)
print(f"{len(reference.entries)} entries, {len(errors)} errors")
sys.exit(1 if errors or not reference.entries else 0)
