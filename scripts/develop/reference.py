# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The reference of all Hop_ functions, from the comments of the headers and the examples that a test runs:

    reference.py --page FILE   writes the page
    reference.py --check FILE  compares a page with the headers
    reference.py --man DIR     writes the man pages, section 3, to a new directory

An entry has signature, description, shapes, the processes that call it together, errors, an example, related functions.
Comments give them with the labels "Shape:", "Units:", "Order:", "Errors:", "Collective:" and "Local.". Parts that a
function's comment lacks come from its group's comment and its header's introduction ("Errors of all:"), and from the
function whose other form it is: v, w, _init and nonblocking ones are those of the plain name. "Errors as above" are
those of the function before."""

import argparse
import pathlib
import re
import shutil
import sys
from dataclasses import dataclass

from headers import read_headers
from reference_pages import man_page, markdown, overview

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "test/hop/reference_examples.c"

LABEL = re.compile(r"(?:^|(?<=[.;:)]) )(?:(?P<label>Shapes?|Units|Order|Errors|Collective)(?: of all| besides)?: "
                   r"|(?P<local>Local)(?=[.;]) ?|(?P<above>Errors as above)[.;]? ?)")
EXAMPLE = re.compile(r"^ *// ---- example\n(.*?)^ *// ---- end$", re.DOTALL | re.MULTILINE)
FORMS = re.compile(r"(_init_request|_init|(?<=all|her|ter|chg)[vw])$")  # v and w of all-to-all, gather, scatter, xchg


@dataclass
class Entry:
    """The parts of a function on the pages. Errors: texts, the own ones first."""
    function: object
    text: list  # paragraphs
    shapes: list
    together: str  # "Local", or the communicator of the collective call
    errors: list
    example: str
    see_also: list
    looks_alike: bool  # another name differs from its own by little

    @property
    def first_sentence(self):
        return re.split(r"(?<=[^.]\.)(?= [A-Z*]|$)|;", " ".join(self.text), maxsplit=1)[0].rstrip(".")


def labelled(comment):
    """The paragraphs without labels, and the texts behind each kind of label."""
    paragraphs, labels = [], {}
    for line in comment.splitlines():
        found = list(LABEL.finditer(line))
        text = line[:found[0].start()] if found else line
        if text.strip():
            paragraphs.append(text.strip())
        for label, after in zip(found, [*found[1:], None]):
            told = line[label.end():after.start() if after else len(line)].strip(" ;")
            kind = label["label"] or label["local"] or label["above"]
            labels.setdefault(kind.removesuffix("s") if kind == "Shapes" else kind, []).append(told)
    return paragraphs, labels


class Reference:
    """The entries of all functions. `headers`: as read_headers() gives them."""

    def __init__(self, headers, examples):
        self.headers = headers
        self.functions = {function.name: function for header in headers for function in header.functions}
        self.before = dict(zip(list(self.functions)[1:], self.functions))
        self.examples = [re.sub(r"^    ", "", text, flags=re.MULTILINE).rstrip() for text in EXAMPLE.findall(examples)]
        self.alike = self.find_alike()
        self.entries = {name: self.entry(function) for name, function in self.functions.items()}

    def forms(self, name):
        """The function itself, the one whose other form it is, and so on to the plain one."""
        yield name
        blocking = re.sub(r"^Hop_I([a-z])", lambda found: "Hop_" + found[1].upper(), name)
        for other in (blocking, FORMS.sub("", name)):
            if other != name and other in self.functions:
                yield from self.forms(other)
                return

    def plain_form(self, name):
        return list(self.forms(name))[-1]

    def find_alike(self):
        """Groups of plain forms whose names differ by a letter or a word only."""
        groups = {}
        for name in self.functions:
            if self.plain_form(name) == name:
                key = re.sub(r"^hop_(cart_|comm_)?(axis_)?|(_from|_ranks|_get)$", "", name.lower())
                groups.setdefault(key.replace("neighbors", "neighbor").replace("coordinates", "coord"), []).append(name)
        return [group for group in groups.values() if len(group) > 1]

    def sources(self, function, inherited=True):
        """The labels that hold for a function, the nearest first: of itself and its group, of its plainer forms and
        theirs, of its header. The introduction of the first header is about all functions, and is shown once."""
        forms = [self.functions[name] for name in self.forms(function.name)] if inherited else [function]
        comments = [comment for form in forms for comment in (form.comment, form.group)]
        comments += [function.header.introduction] if function.header != self.headers[0] else []
        return [labelled(comment)[1] for comment in comments]

    def nearest(self, function, *kinds):
        """The first texts with these labels, own ones in place of others; behind all labels but the first."""
        for labels in self.sources(function):
            if any(kind in labels for kind in kinds):
                return [text if kind == kinds[0] else f"{kind}: {text}"
                        for kind in kinds for text in labels.get(kind, [])]
        return []

    def errors(self, function, inherited=True):
        """Without those inherited: only those of this very function, not of its plainer forms."""
        sources = self.sources(function, inherited)
        texts = list(dict.fromkeys(text for labels in sources for text in labels.get("Errors", [])))
        if any("Errors as above" in labels for labels in sources):
            first = function
            while "Errors as above" in labelled(first.group)[1] and self.before_of(first).group == first.group:
                first = self.before_of(first)
            texts += [text for text in self.errors(self.before_of(first), inherited) if text not in texts]
        return texts

    def before_of(self, function):
        return self.functions[self.before[function.name]]

    def together(self, function):
        for labels in self.sources(function):
            if "Collective" in labels:
                return "Collective: " + " ".join(labels["Collective"])
            if "Local" in labels:
                return "; ".join(["Local", *(text for text in labels["Local"] if text.strip("."))])
        return ""

    def example(self, name):
        """That with the fewest other functions; without one, that of the form without v or w, or plainer."""
        for form in [name, FORMS.sub("", name), *self.forms(name), name.removesuffix("_free")]:
            fitting = [text for text in self.examples if re.search(rf"\b{form}\(", text)]
            if fitting:
                return min(fitting, key=lambda text: len(set(re.findall(r"\bHop_\w+", text))))
        return ""

    def see_also(self, function):
        plain = self.plain_form(function.name)
        names = [name for group in self.alike if plain in group for name in group]
        names += [name for name in self.functions if self.plain_form(name) == plain]
        names += re.findall(r"\bHop_\w+", function.comment)
        if function.comment:
            names += [other.name for other in function.header.functions if other.comment == function.comment]
        return [name for name in dict.fromkeys(names) if name != function.name and name in self.functions]

    def entry(self, function):
        text = labelled(function.comment)[0] or labelled(function.group)[0]
        return Entry(function, text, self.nearest(function, "Shape", "Units", "Order"), self.together(function),
                     self.errors(function), self.example(function.name), self.see_also(function),
                     any(self.plain_form(function.name) in group for group in self.alike))


def read_reference():
    return Reference(read_headers(), EXAMPLES.read_text(encoding="utf-8"))


def around(entry):
    """The comment of its group, for parts that the entry lacks."""
    return [text for text in labelled(entry.function.group)[0] if text not in entry.text]


def write_man_pages(reference, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "hopscotch.3").write_text(overview(reference), encoding="utf-8")
    for name, entry in reference.entries.items():
        (folder / f"{name}.3").write_text(man_page(entry, around(entry)), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Writes the reference of all functions.")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--page", type=pathlib.Path, metavar="FILE", help="write the page")
    action.add_argument("--check", type=pathlib.Path, metavar="FILE", help="say whether a page is up to date")
    action.add_argument("--man", type=pathlib.Path, metavar="DIR", help="write man pages to a new directory")
    options = parser.parse_args()
    reference = read_reference()
    if options.man:
        write_man_pages(reference, options.man)
    elif options.page:
        options.page.write_text(markdown(reference), encoding="utf-8")
    elif options.check.read_text(encoding="utf-8") != markdown(reference):
        print(f"{options.check} is not what the headers say: what is it made from that include/meson.build omits?")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
