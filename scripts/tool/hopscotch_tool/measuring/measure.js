// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What the page of a measurement shows. Elements, tables and tiles are those of the page of a report, before this.

const measurement = report;
const ofWay = (one, name) => one.ways.find(way => way.way === name);
const bytesText = bytes => bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} B`;
const microsecondsText = us => us >= 1000 ? `${(us / 1000).toPrecision(3)} ms` : `${us.toPrecision(3)} us`;
const timesText = ratio => ratio >= 9.95 ? ratio.toFixed(0) : ratio.toFixed(1);
const modeText = {together: "back to back", apart: "one by one, after a barrier"};
const drawn = ["auto", "shared", "aggregated", "combining", "merged", "trivial", "plain_init", "plain", "mapped"];

/// The cases that are drawn: one function on all processes, by stencil.
function panels() {
  const main = measurement.cases.filter(one => one.on === "all" && one.mode === "together" &&
    one.function === "alltoall" && ofWay(one, "native"));
  return classes(main, one => one.stencil).map(list => [...list].sort((a, b) => a.block_bytes - b.block_bytes));
}

// ---- gains by size

/// The powers from one label of an axis to the next, so that labels lie so many pixels apart.
const stepOf = (powers, length, apart) => Math.max(1, Math.ceil(apart * powers / length));
const chart = {left: 40, top: 8, width: 260, height: 170};
function gainChart(list) {
  const ratios = list.flatMap(one => one.ways.map(way => way.ratio_median)).filter(ratio => ratio > 0);
  const [low, high] = [Math.min(0.5, ...ratios), Math.max(2, ...ratios)].map(Math.log2);
  const y = ratio => chart.top + chart.height * (high - Math.log2(ratio)) / (high - low);
  const x = i => chart.left + chart.width * (i + 0.5) / list.length;
  const shapes = [];
  const step = stepOf(high - low, chart.height, 14);
  for (let power = Math.ceil(low / step) * step; power <= high; power += step) {
    const at = y(2 ** power);
    shapes.push(draw("line", {x1: chart.left, y1: at, x2: chart.left + chart.width, y2: at,
      class: power === 0 ? "one" : "axis"}), words(chart.left - 5, at + 4, String(2 ** power), "end", "small"));
  }
  list.forEach((one, i) => shapes.push(
    words(x(i), chart.top + chart.height + 16, bytesText(one.block_bytes), "middle", "small")));
  for (const name of [...drawn].reverse()) {
    const points = list.map((one, i) => [i, ofWay(one, name)]).filter(([, way]) => way && way.ratio_median > 0);
    if (points.length === 0) continue;
    shapes.push(draw("polyline", {class: name,
      points: points.map(([i, way]) => `${x(i).toFixed(1)},${y(way.ratio_median).toFixed(1)}`).join(" ")}));
    for (const [i, way] of points)
      shapes.push(draw("circle", {cx: x(i), cy: y(way.ratio_median), r: name === "auto" ? 4 : 2.5, class: name},
        draw("title", {}, `${name}, ${bytesText(list[i].block_bytes)}: ${timesText(way.ratio_median)} ` +
          "times as fast as native")));
  }
  return titled(`${list[0].stencil}, ${list[0].neighbors} neighbors`,
    picture("gains by size", chart.left + chart.width + 8, chart.top + chart.height + 24, shapes));
}
function legend(names) {
  return make("p", {}, names.map(name => make("span", {class: "key"},
    draw("svg", {width: 24, height: 10, viewBox: "0 0 24 10"}, draw("polyline", {class: name, points: "0,5 24,5"})),
    name)));
}

// ---- the names in the drawings

const wayText = {native: "the function of the MPI library", auto: "Hopscotch, by the algorithm that its trials chose",
  plain: "MPI_Irecv and MPI_Isend, a message for each neighbor",
  plain_init: "the same messages by persistent requests: MPI_Recv_init, MPI_Send_init and MPI_Startall",
  trivial: "Hopscotch: a message for each neighbor", merged: "Hopscotch: one message to each process",
  combining: "Hopscotch: blocks travel together, dimension by dimension",
  shared: "Hopscotch: through the memory that the processes of a node share",
  aggregated: "Hopscotch: one message from node to node", mapped: "auto, with ranks placed near their neighbors"};
const stencilText = ({dimensions, values, neighbors}) => (values === 1
  ? `the processes before and behind along each of ${dimensions} axes`
  : `all offsets with ${values} values along each of ${dimensions} dimensions`) + `: ${neighbors} neighbors`;
function namesFacts(charts, names) {
  return facts([...charts.map(list => [list[0].stencil, stencilText(list[0])]),
    ...["native", ...names].map(name => [name, wayText[name]])]);
}

// ---- algorithm by size

function heatMap(list) {
  const names = ["native", ...drawn].filter(name => list.some(one => ofWay(one, name)));
  const most = Math.log2(Math.max(2, ...list.flatMap(one => one.ways.map(way => way.ratio_median || 1))));
  const [label, cell, height] = [76, 56, 24];
  const shapes = list.map((one, i) =>
    words(label + cell * (i + 0.5), 12, bytesText(one.block_bytes), "middle", "small"));
  names.forEach((name, row) => {
    shapes.push(words(label - 6, 18 + height * row + 15, name, "end"));
    list.forEach((one, i) => {
      const way = ofWay(one, name);
      if (!way || !(way.ratio_median > 0)) return;
      const strength = Math.min(1, Math.abs(Math.log2(way.ratio_median)) / most);
      const cellOf = box(label + cell * i, 18 + height * row, cell, height,
        "cell " + (way.ratio_median >= 1 ? "faster" : "slower"), `${name}: ${microsecondsText(way.median_us)}`);
      cellOf.setAttribute("fill-opacity", (0.06 + 0.6 * strength).toFixed(2));
      shapes.push(cellOf, words(label + cell * (i + 0.5), 18 + height * row + 16, timesText(way.ratio_median), "middle",
        name === "auto" ? "strong" : ""));
    });
  });
  return titled(list[0].stencil, picture("algorithm by size", label + cell * list.length + 4,
    20 + height * names.length, shapes));
}

// ---- model against measurement

function modelChart() {
  const points = measurement.cases.flatMap(one => one.ways.filter(way => way.predicted_us > 0 && way.median_us > 0)
    .map(way => ({way, one})));
  if (points.length === 0) return null;
  const all = points.flatMap(({way}) => [way.predicted_us, way.median_us]).map(Math.log10);
  const [low, high] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))];
  const [left, top, size] = [56, 8, 260];
  const step = stepOf(high - low, size, 48);
  const at = us => size * (Math.log10(us) - low) / (high - low);
  const shapes = [];
  for (let power = low; power <= high; power += step) {
    const place = at(10 ** power);
    shapes.push(draw("line", {x1: left + place, y1: top, x2: left + place, y2: top + size, class: "axis"}),
      draw("line", {x1: left, y1: top + size - place, x2: left + size, y2: top + size - place, class: "axis"}),
      words(left + place, top + size + 18, String(10 ** power), "middle", "small"),
      words(left - 5, top + size - place + 4, String(10 ** power), "end", "small"));
  }
  shapes.push(draw("line", {x1: left, y1: top + size, x2: left + size, y2: top, class: "one"}));
  for (const {way, one} of points)
    shapes.push(draw("circle", {cx: left + at(way.median_us), cy: top + size - at(way.predicted_us), r: 3,
      class: way.way}, draw("title", {}, `${way.way}, ${one.function} ${one.stencil}, ${bytesText(one.block_bytes)}: ` +
        `${microsecondsText(way.predicted_us)} predicted, ${microsecondsText(way.median_us)} measured`)));
  shapes.push(words(left + size / 2, top + size + 32, "measured, us", "middle", "small"));
  return titled("Model and measurement", picture("model and measurement", left + size + 24, top + size + 38, shapes),
    "across: measured, upwards: predicted, both in microseconds; on the dashed line the model is right");
}

// ---- tables and the page

function casesTable() {
  const named = (one, way) => [
    text(`${one.function} ${one.stencil}`), number(one.block_bytes, bytesText(one.block_bytes)),
    text(modeText[one.mode]), number(one.processes), text(way.way),
    number(way.median_us, microsecondsText(way.median_us)),
    number(way.high_us - way.low_us, `${microsecondsText(way.low_us)} - ${microsecondsText(way.high_us)}`),
    number(way.ratio_median || 0, way.ratio_median ? way.ratio_median.toFixed(2) : ""),
    number(way.predicted_us || 0, way.predicted_us ? microsecondsText(way.predicted_us) : ""), number(way.samples)];
  const rows = measurement.cases.flatMap(one => one.ways.map(way => named(one, way)));
  return rows.length === 0 ? [] : [make("h2", {}, "All figures"), ...shortened(table(["Case", "Block", "Mode",
    "Processes", "Way", "Median", "Quartiles", "Times as fast", "Predicted", "Samples"], rows), rows)];
}
function notBest() {
  if (measurement.not_best.length === 0) return [];
  return [make("h2", {}, "Where auto was not the best"), table(["Case", "Block", "Mode", "auto", "Best", "Its time",
    "Times as long"], measurement.not_best.map(entry => [text(`${entry.function} ${entry.stencil}`),
    number(entry.block_bytes, bytesText(entry.block_bytes)), text(modeText[entry.mode]),
    number(entry.auto_us, microsecondsText(entry.auto_us)), text(entry.best),
    number(entry.best_us, microsecondsText(entry.best_us)), number(entry.times, entry.times.toFixed(2))]))];
}
const middle = sorted => sorted.length % 2 === 1 ? sorted[(sorted.length - 1) / 2]
  : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
const fastText = ratio => `${ratio.toFixed(ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : 2)} times as fast`;
/// Slower is a warning, a difference of less than a twentieth is none.
const levelOf = ratio => ratio < 1 / 1.05 ? "warn" : ratio < 1.05 ? "unknown" : "";
function gainTiles() {
  const autos = measurement.cases.flatMap(one => one.ways).filter(way => way.way === "auto" && way.ratio_median > 0);
  if (autos.length === 0) return [tile("unknown", "-", "no time of auto was measured")];
  const medians = autos.map(way => way.ratio_median).sort((a, b) => a - b);
  const worst = Math.min(...autos.map(way => way.ratio_low));
  const half = middle(medians);
  return [tile(levelOf(half), fastText(half),
      `as the MPI library: auto, the median of ${counted(medians.length, "case")}; ` +
      `medians ${medians[0].toFixed(2)} to ${medians[medians.length - 1].toFixed(2)}`),
    tile(levelOf(worst), fastText(worst), "in the worst quartile of a case")];
}
/// Only algorithms whose results were compared count as right.
function selftestTile() {
  const {selftest} = measurement;
  if (!selftest) return tile("unknown", "not run", "selftest: nothing was compared");
  const {equal = [], failed = [], not_tried: untried = []} = selftest;
  const missing = untried.length > 0 ? `; not tried: ${untried.join(", ")}` : "";
  if (failed.length > 0) return tile("bad", "WRONG", `selftest failed: ${failed.join(", ")}${missing}`);
  if (selftest.status !== 0 || equal.length === 0) return tile("bad", "not done", "selftest: " + selftest.verdict);
  return tile("", untried.length === 0 ? "right" : `${equal.length} of ${equal.length + untried.length} right`,
    `selftest: every byte compared of ${equal.join(", ")}${missing}`);
}
function measuredTiles() {
  const {model} = measurement;
  return make("div", {class: "tiles"}, ...gainTiles(),
    tile("unknown", model && model.factor ? `factor ${model.factor.toFixed(2)}` : "-",
      "between the cost model and what was measured"), selftestTile());
}
function machineFacts() {
  const {machine} = measurement;
  return facts([["date", measurement.date], ["version", measurement.version],
    ["MPI library", `${machine.mpi_name || ""} ${machine.mpi_device || ""}`.trim()],
    ["processes", machine.ranks ? `${machine.ranks} on ${machine.nodes} node${machine.nodes === 1 ? "" : "s"}` : ""],
    ["node", machine.processor ? `${machine.processor}, ${machine.cores_online} cores, ${machine.kernel}` : ""],
    ...measurement.networks.map(one => ["message " + one.where,
      `${microsecondsText(1e6 * one.half_round_trip_s.median)} for 8 B`]),
    ["left out", measurement.left_out.map(one => `${one.what} (${one.why})`).slice(0, 3).join(", ") +
      (measurement.left_out.length > 3 ? ` and ${measurement.left_out.length - 3} more (in measure.json)` : "")]]);
}
function showMeasurement() {
  const charts = panels();
  const names = drawn.filter(name => charts.some(list => list.some(one => ofWay(one, name))));
  const partial = measurement.complete ? [] : [`PARTIAL: ${measurement.why_partial}`];
  const simulated = measurement.simulated ? ["SIMULATED: no machine was measured"] : [];
  fill(document.getElementById("page"), {}, [make("h1", {}, "Hopscotch measurement"),
    make("p", {class: "command"}, measurement.launcher.join(" ")),
    make("p", {class: "next"}, make("strong", {}, measurement.verdict)), measuredTiles(),
    [...partial, ...simulated, ...measurement.warnings].map(warning =>
      make("p", {class: "next", "data-level": "warn"}, warning)),
    machineFacts(),
    charts.length === 0 ? [] : [make("h2", {}, "How many times as fast as the MPI library, by size of a block"),
      make("p", {}, "MPI_Neighbor_alltoall, back to back; above the dashed line is faster."), legend(names),
      namesFacts(charts, names),
      make("div", {class: "pictures"}, charts.map(gainChart)),
      make("h2", {}, "Algorithm by size: times as fast as the MPI library"),
      make("div", {class: "pictures"}, charts.map(heatMap))],
    measurement.model && measurement.model.factor ? [make("h2", {}, "What the model says"),
      make("div", {class: "pictures"}, modelChart())] : [],
    notBest(), casesTable()].flat());
  document.getElementById("plain").hidden = true;
}
showMeasurement();
