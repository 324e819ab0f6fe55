# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A measurement to give away: without names of hosts and users, and without paths."""

import copy
import pathlib
import re

PATH = re.compile(r"\S*/\S*")
KEPT_OPTION = re.compile(r"-{1,2}[A-Za-z][\w-]*(=\d+)?|\d+")


def without_names(document):
    """The same figures. Hosts are numbered; of the launcher its name, options and numbers are left."""
    result = copy.deepcopy(document)
    hosts = {}
    places = []
    for place in result["machine"].get("places", []):
        host, _, cores = place.partition(" ")
        places.append(f"{hosts.setdefault(host, f'node{len(hosts) + 1}')} {cores}")
    result["machine"]["places"] = places
    result["launcher"] = [word if KEPT_OPTION.fullmatch(word) else pathlib.Path(word).name if i == 0 else "..."
                          for i, word in enumerate(result["launcher"])]
    # It may say who built it, and where.
    result["machine"]["mpi_library"] = result["machine"].get("mpi_name", "")
    for failure in result["failures"]:
        failure["stderr"] = ""
    return with_texts(result)


def without_paths(text):
    return PATH.sub("...", text)


def with_texts(value):
    """All texts without paths."""
    if isinstance(value, dict):
        return {name: with_texts(member) for name, member in value.items()}
    if isinstance(value, list):
        return list(map(with_texts, value))
    return without_paths(value) if isinstance(value, str) else value
