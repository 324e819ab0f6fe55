# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bar charts as the paper draws them: panels of groups of bars, times relative to a baseline, as SVG."""

import html

COLORS = {"direct": "#8d99ae", "trivial": "#457b9d", "merged": "#2a9d8f", "combining": "#e9c46a",
          "aggregated": "#d1495b"}
PANEL_WIDTH, PANEL_HEIGHT, MARGIN = 330, 190, 46
MOST = 2.0  # higher bars are cut off and say so


def milliseconds(seconds):
    return f"{1e3 * seconds:.2g}" if seconds < 1e-3 else f"{1e3 * seconds:.3g}"


def text(x, y, words, size=11, anchor="middle", color="#222", turn=None):
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn is not None else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}"{turned}>'
            f"{html.escape(words)}</text>")


def axes():
    """The lines behind the bars of every panel, and their numbers."""
    parts = ['<defs><g id="axes">']
    for tick in (0, 0.5, 1, 1.5, 2):
        y = PANEL_HEIGHT * (1 - tick / MOST)
        dash = "" if tick == 1 else ' stroke-dasharray="2 3"'
        parts.append(f'<line x1="0" y1="{y:.1f}" x2="{PANEL_WIDTH}" y2="{y:.1f}" stroke="#bbb"{dash}/>')
        parts.append(text(-6, y + 4, f"{tick:g}", 10, "end"))
    return [*parts, "</g></defs>"]


def panel(left, top, title, groups, ways):
    """groups: {label: {way: seconds}}; each is drawn relative to its first way."""
    bottom = top + PANEL_HEIGHT
    parts = [text(left + PANEL_WIDTH / 2, top - 8, title, 12), f'<use href="#axes" x="{left}" y="{top}"/>']
    group_width = PANEL_WIDTH / len(groups)
    bar_width = 0.86 * group_width / len(ways)
    for g, (label, seconds) in enumerate(groups.items()):
        start = left + g * group_width + 0.07 * group_width
        base = seconds[ways[0]]
        for i, way in enumerate(ways):
            if way not in seconds:
                continue
            ratio = seconds[way] / base
            height = PANEL_HEIGHT * min(ratio, MOST) / MOST
            x = start + i * bar_width
            parts.append(f'<rect x="{x:.1f}" y="{bottom - height:.1f}" width="{bar_width - 1.5:.1f}" '
                         f'height="{height:.1f}" fill="{COLORS[way]}"><title>{way}: '
                         f"{milliseconds(seconds[way])} ms, {ratio:.3g} of {ways[0]}</title></rect>")
            inside = height > 0.55 * PANEL_HEIGHT
            parts.append(text(x + bar_width / 2 + 3, bottom - height + (6 if inside else -4),
                              milliseconds(seconds[way]), 9, "end" if inside else "start", "#222", -90))
        parts.append(text(start + 0.43 * group_width, bottom + 15, label))
    return parts


def chart(title, panels, ways):
    """panels: {title: groups}. The numbers on the bars are milliseconds."""
    columns = 2 if len(panels) > 1 else 1
    rows = (len(panels) + columns - 1) // columns
    width = columns * (PANEL_WIDTH + MARGIN) + MARGIN
    height = rows * (PANEL_HEIGHT + 62) + 70
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" font-family="sans-serif"><title>{html.escape(title)}</title>',
             f'<rect width="{width}" height="{height}" fill="#fff"/>', *axes(), text(width / 2, 20, title, 13)]
    for i, (name, groups) in enumerate(panels.items()):
        left = MARGIN + i % columns * (PANEL_WIDTH + MARGIN)
        parts += panel(left, 56 + i // columns * (PANEL_HEIGHT + 62), name, groups, ways)
    x = MARGIN
    for way in ways:
        parts.append(f'<rect x="{x}" y="{height - 22}" width="12" height="12" fill="{COLORS[way]}"/>')
        parts.append(text(x + 17, height - 12, way, 11, "start"))
        x += 110
    return "\n".join([*parts, "</svg>", ""])
