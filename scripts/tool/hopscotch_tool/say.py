# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The output of the tool: texts from outside, such as command lines and reports, move no cursor and stop no output."""

import sys
import unicodedata


def harmless(text):
    """In the library's form of such texts: control characters as \\x1b, bytes that are not UTF-8 as U+FFFD."""
    def shown(character):
        if unicodedata.category(character) == "Cc":
            return "".join(f"\\x{byte:02x}" for byte in character.encode())
        return "\ufffd" if 0xd800 <= ord(character) < 0xe000 else character
    return "".join(map(shown, text))


def line(text):
    print(harmless(text), flush=True)


def error(text):
    print(harmless(text), file=sys.stderr, flush=True)
