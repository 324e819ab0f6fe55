# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a measurement: style and elements are those of the page of a report, page.html; measure.js draws."""

import html
import json
import pathlib

from hopscotch_tool import locate
from hopscotch_tool.measuring import text

BEGIN_OF_REPORT = "// ---- graphs that differ in numbers only"  # in page.html: what comes before serves every page
HERE = pathlib.Path(__file__).resolve().parent


def template():
    """page.html up to what shows a report. Raises locate.Missing."""
    path = HERE.parent.parent / "page.html"
    if not path.is_file():
        raise locate.Missing(f"there is no {path}")
    return path.read_text(encoding="utf-8").partition(BEGIN_OF_REPORT)[0]


def page(document):
    """HTML. Raises locate.Missing."""
    shown = json.dumps(document).replace("<", "\\u003c")
    style = (HERE / "measure.css").read_text(encoding="utf-8")
    script = (HERE / "measure.js").read_text(encoding="utf-8")
    filled = (template().replace("Hopscotch report", "Hopscotch measurement").replace("</style>", style + "</style>")
              .replace("%JSON%", shown).replace("%TEXT%", html.escape("\n".join(text.lines(document)))))
    return filled + script + "</script>\n</body>\n</html>\n"
