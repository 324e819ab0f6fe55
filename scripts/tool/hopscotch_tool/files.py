# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The files that commands write: beside their place first, then renamed. A file that Hopscotch did not write stays,
unless the user insists; a file or a directory that cannot be written is an error before the work begins."""

import errno
import json
import os
import pathlib
import stat
import tempfile

from hopscotch_tool import documents

NO_FILE = "this is no ordinary file"
MOST_LINKS = 40  # the kernel's limit
ROOM = 1 << 16  # bytes that a small file of ours may need
LONGEST_NAME = 200  # bytes, with room for the ending of a file that is not finished


def problem(number, name, text=None):
    """An OSError for a place that cannot be written."""
    return OSError(number, text or os.strerror(number), str(name))


def document(content):
    """The JSON object in these bytes, or an empty one."""
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def is_report(content):
    """A report as text, page or JSON."""
    found = document(content)
    return (content.startswith(b"hopscotch: report, version ") or b"<title>Hopscotch report</title>" in content[:2000]
            or documents.REPORT.fits(found))


def is_advice(content):
    return documents.ADVICE.fits(document(content))


def is_measurement(content):
    return documents.MEASUREMENT.fits(document(content))


def is_goal(content):
    """The messages of a call, for other simulators."""
    return content.startswith(b"num_ranks ")


def is_unknown(_):
    """Files whose content does not say who wrote them."""
    return False


def check_owner(entry):
    """In a directory where everyone may put files, another user's link or file may be a trap, as for the kernel with
    fs.protected_symlinks and fs.protected_regular. Raises OSError."""
    directory, owner = os.stat(os.path.dirname(entry) or "."), os.lstat(entry).st_uid
    anyones = stat.S_ISVTX | stat.S_IWOTH
    if directory.st_mode & anyones == anyones and owner not in (os.geteuid(), directory.st_uid):
        raise problem(errno.EACCES, entry, f"'{os.path.basename(entry)}' there belongs to another user, in a directory "
                      "where everyone may put files")


def place_of(name):
    """The file that a name leads to through links. It need not exist. Raises OSError."""
    place = os.path.abspath(name)
    for _ in range(MOST_LINKS):
        if not os.path.islink(place):
            return pathlib.Path(place)
        if place.startswith(("/dev/fd/", "/proc/")):
            raise problem(errno.EINVAL, name, NO_FILE)
        check_owner(place)
        place = os.path.join(os.path.dirname(place), os.readlink(place))
    raise problem(errno.ELOOP, name)


def check_old(name, is_ours, force=False):
    """Raises OSError if the place of a name holds what must stay."""
    place = place_of(name)
    try:
        kind = place.stat().st_mode
        if stat.S_ISDIR(kind):
            raise problem(errno.EISDIR, name)
        if not stat.S_ISREG(kind):
            raise problem(errno.EINVAL, name, NO_FILE)
        check_owner(str(place))
        if not os.access(place, os.W_OK):
            raise problem(errno.EACCES, name)
        content = place.read_bytes()
    except FileNotFoundError:
        return
    if content and not force and not is_ours(content):
        raise problem(errno.EEXIST, name, "Hopscotch did not write this file; --force replaces it")


def check(name, is_ours, force=False):
    """Raises OSError if the file could not be written now. Leaves everything as it is."""
    check_old(name, is_ours, force)
    with Beside(name):
        pass


class Beside:
    """A new empty file beside the place of a name. keep() puts it there; otherwise it is removed at the end."""

    def __init__(self, name):
        self._name = str(name)
        self._place = place_of(name)
        self.path = None

    def __enter__(self):
        """Raises OSError."""
        start = os.fsdecode(os.fsencode(self._place.name)[:LONGEST_NAME])
        try:
            number, path = tempfile.mkstemp(prefix=f".{start}.", suffix=".unfinished", dir=self._place.parent)
        except OSError as error:
            raise problem(error.errno, self._name) from None
        os.close(number)
        self.path = pathlib.Path(path)
        return self

    def write(self, data):
        """Raises OSError."""
        try:
            self.path.write_bytes(data)
        except OSError as error:
            raise problem(error.errno, self._name) from None

    def prove(self):
        """Raises the reason if nobody can write this file now: OSError."""
        self.write(bytes(ROOM))

    def keep(self):
        """A file that was there before gives its mode, and its group where that is allowed. Raises OSError."""
        try:
            try:
                before = os.stat(self._place)
                mode = stat.S_IMODE(before.st_mode)
                try:
                    os.chown(self.path, -1, before.st_gid)
                except OSError:
                    mode &= ~stat.S_IRWXG
            except FileNotFoundError:
                mask = os.umask(0)
                os.umask(mask)
                mode = 0o666 & ~mask
            os.chmod(self.path, mode)
            os.replace(self.path, self._place)
        except OSError as error:
            raise problem(error.errno, self._name) from None
        self.path = None

    def __exit__(self, *_):
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def write(name, content):
    """Puts this text, or these bytes, into the place of a name: whole, or not at all. Raises OSError."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with Beside(name) as beside:
        beside.write(data)
        beside.keep()


def prepare_directory(name):
    """Makes a directory for files, and proves that they can be written there. Raises OSError."""
    place = pathlib.Path(name)
    if place.exists() and not place.is_dir():
        raise problem(errno.ENOTDIR, name)
    place.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise problem(error.errno, name) from None
