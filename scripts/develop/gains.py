# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the bars of README: times of a call with 26 neighbors and 100 ints, from the records of this machine."""

WIDTH, TOP, ROW = 640, 58, 58
LEFT, LONGEST = 110, 440  # begin of all bars, length of MPICH's
WAYS = (("MPICH 4.0.2", "#8d99ae"), ("plain Irecv/Isend", "#457b9d"), ("with Hopscotch", "#e76f51"))


def time_text(microseconds):
    return f"{microseconds:.0f} us" if microseconds >= 10 else f"{microseconds:.1f} us"


def text(x, y, size, words, more=""):
    return f'<text x="{x}" y="{y}" font-size="{size}"{more} fill="#222">{words}</text>'


def bar(processes, times, number, y):
    """One of three, with its time behind it."""
    (name, color), time = WAYS[number], times[number]
    length = LONGEST * time / times[0]
    return (f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="13" fill="{color}">'
            f"<title>{processes} processes, {name}: {time_text(time)}</title></rect>"
            + text(f"{LEFT + length + 5:.1f}", y + 10.5, 10, time_text(time)))


def drawing(rows):
    """An SVG; each row is (processes, (native, plain, auto) in microseconds)."""
    height = TOP + ROW * len(rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
             f'height="{height}" font-family="sans-serif">'
             "<title>Time of a call by MPICH, by plain messages and with Hopscotch</title>",
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
             text(10, 20, 13, "MPI_Neighbor_alltoall, 26 neighbors, 100 ints each: time of a call, MPICH = 100 %")]
    for number, (name, color) in enumerate(WAYS):
        x = LEFT + 150 * number
        lines.append(f'<rect x="{x}" y="31" width="11" height="11" fill="{color}"/>' + text(x + 16, 41, 11, name))
    for row, (processes, times) in enumerate(rows):
        top = TOP + ROW * row
        lines.append(text(100, top + 26, 11, f"{processes} processes", ' text-anchor="end"'))
        lines += [bar(processes, times, number, top + 15 * number) for number in range(len(WAYS))]
    return "\n".join([*lines, "</svg>"]) + "\n"
