# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The site of the manual loads nothing from another host, and each link leads to a file and a place that are there."""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADED = {"script": "src", "link": "href", "img": "src"}  # what a page needs; an `a` leads elsewhere


class Page(html.parser.HTMLParser):
    """The links of a page, what it loads, and its places."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.links, self.places = [], [], {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        if given.get(LOADED.get(tag)):
            self.loaded.append(given[LOADED[tag]])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])


def is_foreign(link):
    return bool(urllib.parse.urlparse(link).scheme or link.startswith("//"))


def errors_of(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        yield from (f"{name} loads {link}" for link in page.loaded if is_foreign(link) and not link.startswith("data:"))
        for link in (*page.loaded, *page.links):
            if is_foreign(link):
                continue
            parts = urllib.parse.urlparse(link)
            base = site if parts.path.startswith("/") else path.parent
            target = (base / urllib.parse.unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            if not target.is_file() and name != pathlib.Path("404.html"): # whose links are those of a site at "/"
                yield f"{name} leads to {link}, which is not there"
            elif target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                yield f"{name} leads to {link}: no such place"
    for path in site.rglob("*.css"):
        for link in re.findall(r"""url\(['"]?([^'")]+)""", path.read_text(encoding="utf-8")):
            if not link.startswith("data:") and not (path.parent / re.split("[?#]", link)[0]).is_file():
                yield f"{path.relative_to(site)} loads {link}"


def main():
    with tempfile.TemporaryDirectory(prefix="site_") as folder:
        site = pathlib.Path(folder).resolve()
        subprocess.run([ROOT / "scripts/develop/site", site], check=True)
        errors = list(errors_of(site))
        print(*errors, f"{len(list(site.rglob('*.html')))} pages", sep="\n")
        words = (site / "index.html").read_text(encoding="utf-8")
        told = re.search(r"<h1[^>]*>.*?</h1>\s*<p>(.*?)</p>", words, re.S)
        if not told or "Hopscotch" not in told[1]:
            errors.append("the first paragraph of the site does not name Hopscotch")
            print(errors[-1])
        if 'href="site.css"' not in words:
            errors.append("the pages lack the style by which wide tables are scrolled")
            print(errors[-1])
        return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
