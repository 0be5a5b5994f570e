// @ts-check
// Small charts as SVG: bars side by side, and steps over time. Each has a text for those who cannot see it.

const NS = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string|number>} attributes */
function shape(name, attributes) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param {number} width @param {number} height @param {string} label */
function canvas(width, height, label) {
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
}

/** @param {number} value */
export const short = (value) => (Math.abs(value) >= 10000 ? value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 })
  : Number.isInteger(value) ? String(value) : value.toPrecision(3));

/** @param {...string|HTMLElement} parts */
function ends(...parts) {
  const row = document.createElement("div");
  row.className = "ends";
  row.append(...parts.map((part) => (typeof part === "string" ? Object.assign(document.createElement("span"), { textContent: part }) : part)));
  return row;
}

/** Which colour is which. @param {string[]} names */
function legend(names) {
  const row = document.createElement("span");
  row.append(...names.map((name, i) => Object.assign(document.createElement("span"), { textContent: name, className: i ? "second" : "first" })));
  return row;
}

/** Bars from the left to the right; those of the second series stand behind the first in another colour.
 *  @param {string} title @param {number[][][]} series each of [at, width, count] @param {string[]} names of the series
 *  @returns {HTMLElement} */
export function bars(title, series, names) {
  const all = series.flat();
  const least = Math.min(...all.map(([at]) => at));
  const most = Math.max(...all.map(([at, width]) => at + width));
  const tallest = Math.max(1, ...all.map(([, , count]) => count));
  const total = all.reduce((sum, [, , count]) => sum + count, 0);
  const peak = all.find(([, , count]) => count === tallest) ?? [0, 1, 0];
  const range = peak[1] > 1 ? `${short(peak[0])} to ${short(peak[0] + peak[1] - 1)}` : short(peak[0]);
  const svg = canvas(1000, 100, `${title}: ${short(total)} in all, from ${short(least)} to ${short(most - 1)}, most (${short(tallest)}) at ${range}.`);
  const scale = 1000 / Math.max(1, most - least);
  svg.append(shape("line", { x1: 0, x2: 1000, y1: 100, y2: 100, class: "axis" }));
  series.forEach((rows, side) => {
    const share = 1 / series.length;
    for (const [at, width, count] of rows) {
      const height = Math.max(1, (count / tallest) * 100);
      const wide = width * scale * share;
      svg.append(shape("rect", { x: (at - least) * scale + side * wide, y: 100 - height, width: wide * 0.92, height,
        class: side ? "bar other" : "bar" }));
    }
  });
  const figure = document.createElement("div");
  figure.append(heading(title), svg, ends(short(least), names.length > 1 ? legend(names) : `at most ${short(tallest)}`, short(most - 1)));
  return figure;
}

/** @param {string} text */
function heading(text) {
  return Object.assign(document.createElement("h3"), { textContent: text });
}

/** The states of each layer as bars, with the best and the worst rank as two lines.
 *  @param {{depth: number, states: number, best: number, worst: number}[]} layers @param {number} width */
export function layers(layers, width) {
  const figure = bars(`States kept per layer (at most ${short(width)})`, [layers.map((layer) => [layer.depth, 1, layer.states])], [""]);
  if (layers.length > 1 && !layers[0].depth) layers = layers.slice(1); // the start has no rank
  const first = layers[0].depth;
  const last = layers[layers.length - 1];
  const low = Math.min(...layers.map((layer) => layer.best));
  const high = Math.max(...layers.map((layer) => layer.worst));
  const svg = canvas(1000, 100, `Ranks: the best of the newest layer is ${last.best}, the worst ${last.worst}.`);
  /** @param {(layer: any) => number} of */
  const points = (of) => layers.map((layer) => `${((layer.depth - first) / Math.max(1, layers.length - 1)) * 1000},` +
    `${100 - ((of(layer) - low) / Math.max(1, high - low)) * 96 - 2}`).join(" ");
  svg.append(shape("polyline", { points: points((layer) => layer.best), class: "curve" }),
    shape("polyline", { points: points((layer) => layer.worst), class: "band" }));
  figure.append(heading("Best and worst rank per layer (less is better)"), svg,
    ends(`layer ${first}`, legend(["best", "worst"]), `layer ${last.depth}: ${short(last.best)} to ${short(last.worst)}`));
  return figure;
}

/** The best result over time, as steps. @param {{time: number, best: number}[]} points */
export function curve(points) {
  const last = points[points.length - 1];
  const values = points.map((point) => point.best);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const svg = canvas(1000, 100, `Best result over time: ${values[0]} at first, ${last.best} after ${last.time.toFixed(1)} seconds.`);
  /** @param {number} time */ const x = (time) => (last.time ? (time / last.time) * 1000 : 0);
  /** @param {number} best */ const y = (best) => 98 - (most > least ? (best - least) / (most - least) : 0.5) * 96;
  let path = `M${x(points[0].time)} ${y(points[0].best)}`;
  for (let i = 1; i < points.length; i++) path += `H${x(points[i].time)}V${y(points[i].best)}`;
  svg.append(shape("path", { d: path, class: "curve" }), shape("line", { x1: 0, x2: 1000, y1: 100, y2: 100, class: "axis" }));
  const figure = document.createElement("div");
  figure.append(heading("Best result over time"), svg, ends("0 s", `${short(values[0])} … ${short(last.best)}`, `${last.time.toFixed(1)} s`));
  return figure;
}

/** Cells of the feature space: the first two features are the axes, the area says how many states a cell holds.
 *  @param {{at: number[], states: number, chosen?: boolean}[]} cells @param {string[]} features */
export function cells(cells, features) {
  const [xs, ys] = [0, 1].map((f) => cells.map((cell) => cell.at[f] ?? 0));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const svg = canvas(1000, 300, `${cells.length} cells by ${features.slice(0, 2).join(" and ")}; the best is ${cells[0].at.join(", ")}.`);
  const [w, h] = [1000 / (right - left + 1), 300 / (high - low + 1)];
  const most = Math.max(...cells.map((cell) => cell.states));
  const sum = new Map();
  for (const cell of cells) {
    const key = `${cell.at[0]} ${cell.at[1] ?? 0}`;
    const at = sum.get(key) ?? { x: cell.at[0], y: cell.at[1] ?? 0, states: 0, chosen: false };
    sum.set(key, { ...at, states: at.states + cell.states, chosen: at.chosen || cell.chosen });
  }
  for (const cell of sum.values()) {
    const size = 0.25 + 0.7 * Math.sqrt(Math.min(1, cell.states / most));
    svg.append(shape("rect", { x: (cell.x - left + (1 - size) / 2) * w, y: (cell.y - low + (1 - size) / 2) * h, width: size * w, height: size * h,
      class: cell.chosen ? "grid chosen" : "grid" }));
  }
  const figure = document.createElement("div");
  figure.append(heading(`Cells: ${features[0]} to the right${features[1] ? `, ${features[1]} downwards` : ""} (less is better)`), svg,
    ends(`${features[0]} ${left}`, features[1] ? `${features[1]} ${low} to ${high}` : "", `${features[0]} ${right}`));
  return figure;
}
