# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Signals that ask the tool to end: the first is an exception, so that begun work is undone on the way; a later one
shortens that."""

import contextlib
import signal
import time

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
APART = 0.5  # seconds between signals that are meant as two; timeout(1) sends each twice


class Interrupted(BaseException):
    """A signal asked the tool to end."""

    def __init__(self, number):
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


class Asked:
    """The requests of signals."""

    def __init__(self):
        self.since = None
        self.again = False
        self.deferring = False
        self.pending = None

    def take(self, number, _):
        """The handler."""
        if self.since is not None:
            self.again = self.again or time.monotonic() > self.since + APART
            return
        self.since = time.monotonic()
        if not self.deferring:
            raise Interrupted(number)
        self.pending = number


asked = Asked()


@contextlib.contextmanager
def deferred():
    """A signal that comes in here is raised behind it."""
    asked.deferring = True
    try:
        yield
    finally:
        asked.deferring = False
    if asked.pending is not None:
        raise Interrupted(asked.pending)


def in_a_hurry():
    """True if the tool was asked twice."""
    return asked.again


def catch_signals():
    """A signal that is ignored from the start, as under nohup, stays so."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, asked.take)
