// @ts-check
// Figures as SVG that can be hovered or stepped through by keys: lines with intervals, or bars. Colours, dashes and marks
// come from the style sheet (lab.css) by the number of the series.

/** @typedef {{x: number|string, mean: number, low?: number, high?: number, runs?: number}} Point */
/** @typedef {{name: string, points: Point[]}} Series */
/** @typedef {{title: string, x: string, y: string, log_x?: boolean, log_y?: boolean, bars?: boolean, plain?: boolean,
 *   series: Series[]}} Figure */
/** @typedef {{place: (value: number|string) => number, ticks: [number, string][]}} Axis */

const SVG = "http://www.w3.org/2000/svg";
const STYLES = 8; // series that look different

/** @param {string} name @param {Record<string, string|number>} attributes @param {...(Node|string)} children */
function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {string} name @param {string} kind @param {...(Node|string)} children */
export function html(name, kind, ...children) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children);
  return element;
}

/** A number as people write it: few digits, with powers of ten only where it is very large or small. @param {number} value */
export function short(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return "–";
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(2).replace("e+", "e");
  return Number(value.toPrecision(4)).toLocaleString("en", { maximumFractionDigits: 6 });
}

/** Steps of 1, 2 or 5 times a power of ten. @param {number} least @param {number} most */
function linearTicks(least, most) {
  const rough = (most - least) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const ticks = [];
  for (let i = Math.ceil(least / step); i * step <= most + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** @param {number} least @param {number} most */
function logTicks(least, most) {
  const ticks = [];
  const wide = Math.log10(most / least) > 3;
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most) + 1e-9; power++)
    for (const digit of wide ? [1] : [1, 2, 5]) {
      const value = digit * 10 ** power;
      if (value >= least * 0.999 && value <= most * 1.001) ticks.push(value);
    }
  return ticks.length ? ticks : [least];
}

/** zero: begin at zero if that is near; own: if there are few values, they are the ticks. @param {number[]} values
 *  @param {boolean} log @param {number} from @param {number} to @param {{zero?: boolean, own?: boolean}} how @returns {Axis} */
function numberAxis(values, log, from, to, { zero, own }) {
  const logarithmic = log && values.every((value) => value > 0);
  let [least, most] = [Math.min(...values), Math.max(...values)];
  if (zero && !logarithmic && least >= 0 && least < most / 2) least = 0;
  if (least === most) [least, most] = logarithmic ? [least / 2, most * 2] : [least - (Math.abs(least) || 1) / 2, most + (Math.abs(most) || 1) / 2];
  const scale = logarithmic ? Math.log : (/** @type {number} */ value) => value;
  const [low, high] = [scale(least), scale(most)];
  /** @param {number|string} value */
  const place = (value) => from + ((scale(Number(value)) - low) / (high - low)) * (to - from);
  const different = new Set(values);
  const ticks = own && different.size <= 12 && values.every(Number.isInteger) ? [...different].sort((a, b) => a - b) : logarithmic ? logTicks(least, most) : linearTicks(least, most);
  return { place, ticks: ticks.map((tick) => [place(tick), short(tick)]) };
}

/** @param {string[]} words @param {number} from @param {number} to @returns {Axis} */
function wordAxis(words, from, to) {
  /** @param {number|string} word */
  const place = (word) => from + ((words.indexOf(String(word)) + 0.5) / words.length) * (to - from);
  return { place, ticks: words.map((word) => [place(word), word]) };
}

/** A mark by the number of the series, so that colour is not the only difference. @param {number} number @param {number} x
 *  @param {number} y @param {number} r */
function mark(number, x, y, r) {
  const shapes = [
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`, `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${x} ${y - r - 1}l${r + 1} ${2 * r}h${-2 * r - 2}z`, `M${x} ${y - r - 1}l${r + 1} ${r + 1}l${-r - 1} ${r + 1}l${-r - 1} ${-r - 1}z`,
  ];
  return svg("path", { d: shapes[number % shapes.length], class: `mark s${number % STYLES}` });
}

/** What can be pointed at: where it is, and what it says. @typedef {{x: number, y: number, series: number, words: string}} Spot */

export class Plot {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {Spot[]} */ this.spots = [];
    this.chosen = -1;
    this.area = html("div", "plot");
    this.readout = html("p", "readout");
    this.readout.setAttribute("role", "status");
    this.area.tabIndex = 0;
    this.area.setAttribute("role", "group");
    this.area.setAttribute("aria-label", `Figure: ${figure.title || `${figure.y} by ${figure.x}`}. The left and right keys step through its points.`);
    this.element = html("figure", "", ...(figure.title ? [html("figcaption", "", figure.title)] : []), this.area, this.#legend(), this.readout, this.#numbers());
    this.area.addEventListener("pointermove", (event) => this.#point(event));
    this.area.addEventListener("pointerleave", () => this.#choose(-1));
    this.area.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  /** Shows other points, without a new element. @param {Figure} figure */
  update(figure) {
    this.figure = figure;
    this.element.querySelector("details")?.replaceWith(this.#numbers(this.element.querySelector("details")?.open));
    this.element.querySelector(".legend")?.replaceWith(this.#legend());
    this.draw();
  }

  #legend() {
    const { series } = this.figure;
    const many = series.length > 1 || series[0]?.name;
    return html("ul", "legend", ...(many ? series : []).map(({ name }, number) => {
      const line = svg("svg", { viewBox: "0 0 34 14", "aria-hidden": "true" }, ...(this.figure.bars ? [svg("rect", { x: 8, y: 1, width: 18, height: 12, class: `bar s${number % STYLES}` })]
        : [svg("path", { d: "M1 7H33", class: `line s${number % STYLES}` }), ...(this.figure.plain ? [] : [mark(number, 17, 7, 4)])]));
      return html("li", "", line, ` ${name || "all"}`);
    }));
  }

  /** The numbers of the figure as a table, made when it is opened. @param {boolean} [open] */
  #numbers(open = false) {
    const details = /** @type {HTMLDetailsElement} */ (html("details", "", html("summary", "", "The numbers")));
    const { figure } = this;
    const fill = () => {
      if (!details.open || details.children.length > 1) return;
      const rows = figure.series.flatMap(({ name, points }) => points.map((point) => [name, typeof point.x === "number" ? short(point.x) : point.x, short(point.mean),
        point.low === undefined ? "" : short(point.low), point.high === undefined ? "" : short(point.high), point.runs ?? ""]));
      details.append(sheet(`Numbers of ${figure.title || figure.y}`, [["series", figure.x, figure.y, "from", "to", "runs"], ...rows.slice(0, 400)]));
    };
    details.addEventListener("toggle", fill);
    details.open = open;
    return details;
  }

  draw() {
    const { figure } = this;
    const all = figure.series.flatMap(({ points }) => points);
    const width = Math.max(260, this.area.clientWidth);
    const size = parseFloat(getComputedStyle(this.area).fontSize) || 14;
    const height = Math.round(Math.max(15 * size, Math.min(width * 0.5, 26 * size)));
    if (!all.length) return this.area.replaceChildren(html("p", "quiet", "There is nothing to draw yet."));
    const [left, right, top, bottom] = [4.6 * size, 1.2 * size, 0.8 * size, 3.4 * size];
    const words = all.some(({ x }) => typeof x === "string") ? [...new Set(all.map(({ x }) => String(x)))] : null;
    const xAxis = words ? wordAxis(words, left, width - right)
      : numberAxis(all.map(({ x }) => Number(x)), Boolean(figure.log_x), left + 6, width - right - 6, { own: true });
    const values = all.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]);
    const percent = figure.y.includes("%");
    const yAxis = numberAxis(percent ? [...values, 0, 100] : values, Boolean(figure.log_y) && !figure.bars && !percent, height - bottom, top, { zero: true });
    const ground = this.#ground(xAxis, yAxis, { width, height, left, right, top, bottom, size });
    this.spots = [];
    const series = figure.series.map((one, number) => this.#series(one, number, xAxis, yAxis, { width: width - left - right, base: height - bottom, words: words?.length ?? 0, size }));
    this.cursor = svg("circle", { r: size * 0.55, class: "cursor", visibility: "hidden" });
    this.area.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, ground, ...series, this.cursor));
    this.#choose(Math.min(this.chosen, this.spots.length - 1));
  }

  /** @param {Axis} xAxis @param {Axis} yAxis @param {Record<string, number>} box */
  #ground(xAxis, yAxis, { width, height, left, right, top, bottom, size }) {
    const parts = [];
    for (const [y, label] of yAxis.ticks) {
      parts.push(svg("path", { d: `M${left} ${y}H${width - right}`, class: "grid" }));
      parts.push(svg("text", { x: left - size * 0.5, y: y + size * 0.35, "text-anchor": "end" }, label));
    }
    let end = -Infinity; // where the last label ends
    for (const [x, label] of xAxis.ticks) {
      const half = label.length * size * 0.27;
      parts.push(svg("path", { d: `M${x} ${height - bottom}v5`, class: "axis" }));
      if (x - half < end + size * 0.4 || x + half > width + size) continue;
      parts.push(svg("text", { x, y: height - bottom + size * 1.4, "text-anchor": "middle" }, label));
      end = x + half;
    }
    parts.push(svg("path", { d: `M${left} ${top}V${height - bottom}H${width - right}`, class: "axis" }));
    parts.push(svg("text", { x: (left + width - right) / 2, y: height - size * 0.5, "text-anchor": "middle", class: "name" }, this.figure.x));
    parts.push(svg("text", { x: -(top + height - bottom) / 2, y: size, transform: "rotate(-90)", "text-anchor": "middle", class: "name" }, this.figure.y));
    return svg("g", { class: "ground" }, ...parts);
  }

  /** @param {Series} one @param {number} number @param {Axis} xAxis @param {Axis} yAxis
   *  @param {{width: number, base: number, words: number, size: number}} box */
  #series(one, number, xAxis, yAxis, { width, base, words, size }) {
    const count = this.figure.series.length;
    const step = words ? (width / words) * 0.8 / count : Math.min(30, (width / (one.points.length + 1)) * 0.8 / count);
    const shift = this.figure.bars ? step * (number - (count - 1) / 2) : 0;
    const parts = [];
    let line = "";
    for (const point of one.points) {
      const [x, y] = [xAxis.place(point.x) + shift, yAxis.place(point.mean)];
      const interval = point.low !== undefined && point.high !== undefined && point.high > point.low && !this.figure.plain;
      line += `${line ? "L" : "M"}${x} ${y}`;
      if (this.figure.bars) parts.push(svg("rect", { x: x - step * 0.45, y: Math.min(y, base), width: step * 0.9, height: Math.abs(base - y), class: `bar s${number % STYLES}` }));
      if (interval) parts.push(svg("path", { d: `M${x} ${yAxis.place(/** @type {number} */ (point.low))}V${yAxis.place(/** @type {number} */ (point.high))}`, class: `interval s${number % STYLES}` }));
      if (!this.figure.bars && !this.figure.plain) parts.push(mark(number, x, y, size * 0.3));
      this.spots.push({ x, y, series: number, words: this.#words(one, point, interval) });
    }
    const lines = this.figure.bars || (words && one.points.length > 1 && !this.figure.plain) ? [] : [svg("path", { d: line, class: `line s${number % STYLES}` })];
    return svg("g", {}, ...lines, ...parts);
  }

  /** @param {Series} one @param {Point} point @param {boolean} interval */
  #words(one, point, interval) {
    const x = typeof point.x === "number" ? `${this.figure.x} ${short(point.x)}` : point.x;
    const spread = interval ? ` (${short(Number(point.low))} to ${short(Number(point.high))})` : "";
    const runs = point.runs && point.runs > 1 ? `, ${point.runs} runs` : "";
    return `${one.name ? `${one.name}, ` : ""}${x}: ${short(point.mean)}${spread}${runs}`;
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.area.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, nearest] = [-1, 60 ** 2];
    this.spots.forEach((spot, number) => {
      const distance = (spot.x - x) ** 2 + ((spot.y - y) / 2) ** 2; // along x it is easier to aim
      if (distance < nearest) [best, nearest] = [number, distance];
    });
    this.#choose(best);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (!step || !this.spots.length) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose((this.chosen + step + this.spots.length + (this.chosen < 0 && step < 0 ? 1 : 0)) % this.spots.length);
  }

  /** @param {number} number */
  #choose(number) {
    this.chosen = number;
    const spot = this.spots[number];
    this.readout.textContent = spot?.words ?? "";
    if (!this.cursor) return;
    this.cursor.setAttribute("visibility", spot ? "visible" : "hidden");
    if (spot) {
      this.cursor.setAttribute("cx", String(spot.x));
      this.cursor.setAttribute("cy", String(spot.y));
    }
  }
}

/** A table with headings; columns of numbers are aligned right, empty columns are left out. @param {string} name @param {(string|number)[][]} rows the first has the headings
 *  @param {(row: number) => Node|null} [last] what stands at the end of a row */
export function sheet(name, rows, last) {
  const table = html("table", "");
  const filled = rows[0].map((_, column) => rows.length < 2 || rows.some((row, number) => number && row[column] !== ""));
  const [headings, ...cells] = rows.map((row) => row.filter((_, column) => filled[column]));
  const right = headings.map((_, column) => cells.some((row) => row[column] !== "") && cells.every((row) => row[column] === "" || /^[\s<]*[-+]?[\d.,]+/.test(String(row[column]))));
  /** @param {string|number} cell @param {number} column @param {string} name */
  const make = (cell, column, name) => html(name, right[column] ? "number" : "", typeof cell === "number" ? short(cell) : cell);
  const head = html("tr", "", ...headings.map((cell, column) => {
    const th = make(cell, column, "th");
    th.setAttribute("scope", "col");
    return th;
  }));
  table.append(html("thead", "", head), html("tbody", "", ...cells.map((row, number) => {
    const more = last?.(number);
    return html("tr", "", ...row.map((cell, column) => make(cell, column, "td")), ...(more ? [html("td", "", more)] : []));
  })));
  if (last) head.append(html("td", ""));
  const frame = html("div", "scroll", table);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", name);
  return frame;
}
