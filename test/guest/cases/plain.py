# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A program without anything unusual."""

from guest import Guest


def guests(facts):
    yield Guest("ring", "ring", expect=["totals.calls=101"])
    yield Guest("ring_off", "ring", settings=["HOPSCOTCH=off"])
