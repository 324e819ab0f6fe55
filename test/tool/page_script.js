// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the script of a page without a browser: node page_script.js PAGE. Writes the elements that it has made, with the
// first folds open, as JSON: [name, attributes, children]; children are texts and elements.
"use strict";
const fs = require("fs");

class Element {
  constructor(name) {
    this.name = name;
    this.attributes = {};
    this.children = [];
    this.listeners = {};
  }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getAttribute(name) { return name in this.attributes ? this.attributes[name] : null; }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  append(...children) {
    for (const child of children) {
      if (typeof child !== "string" && !(child instanceof Element))
        throw new Error(`${child} becomes a text of ${this.name}`);
      if (child.parent === this) this.children.splice(this.children.indexOf(child), 1);
      if (child instanceof Element) child.parent = this;
      this.children.push(child);
    }
  }
  get every() { return [this, ...this.children.flatMap(child => child instanceof Element ? child.every : [])]; }
  get said() { return [this.name, this.attributes, this.children.map(child => child.said || child)]; }
}

const page = fs.readFileSync(process.argv[2], "utf8");
const [, data, script] =
  /<script type="application\/json" id="report">(.*?)<\/script>\s*<script>(.*?)<\/script>/s.exec(page);
const known = {report: {textContent: data}, drawing: {namespaceURI: "svg"}, page: new Element("main"), plain: {}};
const document = {getElementById: id => known[id], createElement: name => new Element(name),
                  createElementNS: (_, name) => new Element(name)};
const window = new Element("window");
const begin = process.cpuUsage();
new Function("document", "window", script)(document, window);
const milliseconds = process.cpuUsage(begin).user / 1e3; // of this program alone, whatever else runs

if (window.listeners.beforeprint) window.listeners.beforeprint();
const folds = known.page.children.filter(child => child.name === "details");
for (const details of folds.slice(0, 20)) details.listeners.toggle();
const made = known.page.said;

// Every first column sorts its rows, up and down.
const rows = table => table.children[1].children.map(row => JSON.stringify(row.children[0].said));
const value = table => table.children[1].children.map(row => JSON.stringify(row.children[0].said[2][0])); // no notes
const sorts = known.page.every.filter(each => each.name === "table").every(table => {
  const before = rows(table).sort();
  const {click} = table.children[0].children[0].children[0].children[0].listeners;
  click();
  const down = rows(table);
  click();
  const up = rows(table);
  return String(before) === String([...up].sort()) && (new Set(value(table)).size === 1 || String(up) !== String(down));
});
process.stdout.write(JSON.stringify({milliseconds, hidden: known.plain.hidden, sorts, page: made}) + "\n");
