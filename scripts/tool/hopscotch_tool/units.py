# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Times with three digits and a unit, in the form of the reports: for medians, and for the tool's own measurements."""


def seconds_text(seconds):
    if seconds <= 0:
        return "0 s"
    for unit, factor in (("us", 1e6), ("ms", 1e3), ("s", 1.0)):
        value = seconds * factor
        if value < 999.5 or unit == "s":
            decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
            return f"{value:.{decimals}f} {unit}"
    return ""
