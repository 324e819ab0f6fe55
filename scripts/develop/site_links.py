# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Links of the site to files outside of docs/, and to folders, which are not part of it: the text stays, with the
path."""
import re


def on_page_markdown(markdown, **_):
    """Called by mkdocs for every page."""
    markdown = re.sub(r"\[([^\]]*)\]\(([\w-]+)\)", r"[\1](../docs/\2)", markdown)
    return re.sub(r"\[([^\]]*)\]\(\.\./([^)#\s]+)[^)\s]*\)",
                  lambda link: link[1] if link[2] in link[1] else f"{link[1]} (`{link[2]}`)", markdown)
