# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""OSU's neighborhood benchmarks, natively and with Hopscotch, where PATH has them."""

import pathlib
import re
import shutil

from hopscotch_tool import locate, process_group

PROGRAMS = ("osu_neighbor_alltoall", "osu_neighbor_alltoallv", "osu_neighbor_allgather", "osu_neighbor_allgatherv")
LEAST_EXTENT = 3  # of a dimension: the programs refuse grids on which a process is a neighbor twice


def extents(ranks, dimensions):
    """Those that lie closest together, as MPI_Dims_create has them; the smallest one last."""
    if dimensions == 1:
        return [ranks]
    grids = [sorted([first, *extents(ranks // first, dimensions - 1)], reverse=True)
             for first in range(1, ranks + 1) if ranks % first == 0]
    return min(grids, key=lambda grid: grid[0] - grid[-1])


def neighborhood(ranks):
    """The argument for the most dimensions that so many ranks allow; None: there are too few."""
    return next((f"cart:{dimensions}:1" for dimensions in (3, 2, 1)
                 if extents(ranks, dimensions)[-1] >= LEAST_EXTENT), None)


def measure(measurement, least):
    """The programs that are found. `least`: no time for another job if less is left. Unit: seconds."""
    found = [path for path in map(shutil.which, PROGRAMS) if path]
    if not found:
        return measurement.leave_out("osu_neighbor_*", "not found in PATH")
    where = neighborhood(int(measurement.document["machine"]["ranks"]))
    if where is None:
        return measurement.leave_out("osu_neighbor_*", f"they need {LEAST_EXTENT} ranks")
    for path in found:
        for way, environment in (("native", locate.own_environment()), ("auto", measurement.environment)):
            name = pathlib.Path(path).name
            if measurement.left() < least:
                measurement.leave_out(f"{name}, {way}")
                continue
            rows = []

            def take(line, rows=rows):
                if re.match(r"\s*\d+\s+[\d.]+", line):
                    rows.append([float(word) for word in line.split()[:2]])
            _, errors = process_group.run_by_line([*measurement.command, path, "-N", where, "-m", "8:65536"],
                                                  max(measurement.left(), least), take, env=environment)
            if rows:
                measurement.document["osu"].append({"program": name, "neighborhood": where, "way": way,
                                                    "bytes_and_us": rows})
            else:
                measurement.leave_out(f"{name}, {way}", " ".join(errors.split())[-200:] or "it printed no times")
    return None
