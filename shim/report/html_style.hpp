// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives the head of the page: colors for light and dark, and the meaning of the classes that drawings use.
#pragma once

namespace hopscotch::shim
{

inline constexpr char page_start[] = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hopscotch report</title>
<style>
:root { --ink: #1c2024; --faint: #60666d; --paper: #ffffff; --line: #d9dde2; --band: #f4f6f8; --accent: #0b6e4f;
        --accent2: #6cb79c; --accent3: #b5dccd; --gray: #b4bbc3; --gray2: #dfe3e7; --warn: #9a5b00; --mark: #c2410c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7eaee; --faint: #9aa2ab; --paper: #15181c; --line: #343a41; --band: #1d2126; --accent: #4fc79b;
          --accent2: #2f8466; --accent3: #1f5543; --gray: #78828d; --gray2: #3a4149; --warn: #e0a548; --mark: #f08a4b; }
}
* { box-sizing: border-box; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
       font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: .9rem; font-weight: 600; color: var(--faint); margin: 1.2rem 0 .3rem; }
.command { color: var(--faint); font: .9em ui-monospace, monospace; overflow-wrap: anywhere; margin: .2rem 0 1rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; margin: 1rem 0 1.4rem; }
.tile { background: var(--band); border-radius: 6px; padding: .7rem 1rem; }
.tile b { display: block; font-size: 1.45rem; line-height: 1.3; } .tile span { color: var(--faint); font-size: .88rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; margin-top: .8rem; }
table { border-collapse: collapse; width: 100%; font-size: .87em; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .4rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--faint); font-weight: 500; background: var(--band); }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; } td.site + td { text-align: right; }
td.reason, td.site { text-align: left; white-space: normal; } td.reason { color: var(--warn); } td.site { color: var(--faint); }
.pictures { display: flex; flex-wrap: wrap; gap: 0 3rem; align-items: flex-start; }
.next { margin-top: 2.4rem; padding: .8rem 1rem; border-left: 4px solid var(--accent); background: var(--band); }
.drawing { max-width: 100%; overflow-x: auto; } svg { display: block; } svg text { fill: var(--ink); font: 14px system-ui, sans-serif; }
svg .small { font-size: 12px; fill: var(--faint); } svg .strong { font-weight: 600; fill: var(--ink); }
.sent, .own { fill: var(--accent); } .trivial { fill: var(--gray); } .forwarded { fill: var(--accent2); }
polygon { stroke: var(--paper); stroke-width: 1; } .origin { fill: var(--mark); } .hops1 { fill: var(--accent); } .hops2 { fill: var(--accent2); } .hops3 { fill: var(--accent3); }
.none { fill: var(--band); stroke: var(--line); } .process { fill: var(--gray2); } polygon.process { stroke: var(--gray); }
.top { filter: brightness(1.05); } .side { filter: brightness(.82); }
.wrap, .curve { fill: none; stroke-width: 2; } .wrap { stroke: var(--accent2); } .grid { stroke: var(--line); }
.curve.one { stroke: var(--gray); } .curve.two { stroke: var(--accent); } .mark { stroke: var(--mark); stroke-dasharray: 4 3; }
.key { color: var(--faint); font-size: .85rem; } .key i { display: inline-block; width: .7rem; height: .7rem; margin: 0 .3rem 0 .9rem; }
.key i:first-child { margin-left: 0; }
</style>
</head>
<body>
)";

} // namespace hopscotch::shim
