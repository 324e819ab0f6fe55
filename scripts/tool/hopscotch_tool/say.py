# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The output of the tool: all of it is written at once, and a failure is an exception. Texts from outside, such as
command lines and reports, move no cursor and stop no output."""

import io
import os
import sys
import unicodedata


class Unwritable(Exception):
    """Standard output cannot be written; the text gives the reason, or is empty if the reader has left, like head."""


def harmless(text):
    """In the library's form of such texts: control characters as \\x1b, bytes that are not UTF-8 as U+FFFD."""
    def shown(character):
        if unicodedata.category(character) == "Cc":
            return "".join(f"\\x{byte:02x}" for byte in character.encode())
        return "\ufffd" if 0xd800 <= ord(character) < 0xe000 else character
    return "".join(map(shown, text))


def check_output():
    """Raises Unwritable if standard output is closed, before work that would be lost."""
    if sys.stdout is None:
        raise Unwritable("it is closed")


def whole(content):
    """Prints a text of ours, or the bytes of another program, as they are. Raises Unwritable."""
    check_output()
    text = content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="surrogateescape" if isinstance(content, bytes) else "replace")
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise Unwritable("") from None
    except OSError as error:
        raise Unwritable(error.strerror) from None


def line(text):
    """Raises Unwritable."""
    whole(harmless(text) + "\n")


def error(text):
    """A line on stderr, if that can be written."""
    try:
        print(harmless(text), file=sys.stderr or open(os.devnull, "w", encoding="utf-8"), flush=True)
    except OSError:
        pass


def open_closed_streams():
    """Gives closed descriptors of stdin and stderr to /dev/null: else a file that is opened later would be in their
    place, and children would read it or write to it."""
    for number, flags in ((0, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)


def abandon_buffers():
    """Python writes what is left in its buffers at its end, and fails once more: nobody gets that."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            empty = os.open(os.devnull, os.O_WRONLY)
            os.dup2(empty, number)
            os.close(empty)
