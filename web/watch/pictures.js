// @ts-check
// What a search shows of itself, as a part of the page: one function for each kind of picture.
import { bars, cells, curve, layers, short } from "./charts.js";

/** @typedef {import("./heat.js").Branch} Branch */
/** @typedef {{axis: string, side: number, bars: number[][]}} Chart */
/** @typedef {{kind: string, member: string|null, depth?: number, line: string|null, node?: Branch, path_count?: number,
 *   branches?: Branch[], branches_left_out?: number, charts?: Chart[],
 *   levels?: {level: number, done: number, of: number, best?: number}[],
 *   layers?: {depth: number, states: number, best: number, worst: number}[], width?: number, features?: string[],
 *   cells?: {at: number[], states: number, chosen?: boolean}[], cells_left_out?: number}} Scene */
/** What a picture needs: the words for the branches, the best results so far, what a click on a branch does, whether the
 *  path may be changed now.
 *  @typedef {{words: string[], points: {time: number, best: number}[], path: {move: number, words: string}[],
 *   open: (path: {move: number, words: string}[]) => void, still: boolean, ended: boolean}} Around */

export const TITLES = {
  none: "Getting ready", tree: "The tree", policy: "What the network thinks of the moves", front: "The front of the search",
  dives: "Depth-first search below a threshold", cells: "The feature space", layers: "The layers of the beam",
  levels: "The levels of the search", games: "The latest games",
};

const AXES = {
  f: ["Open states by f", "Open states by f, the least expected cost or the highest possible score"],
  cost: ["Open states by cost so far", "Open states by cost or score so far"],
  depth: ["By depth", "By the number of moves from the start"],
  threshold: ["Positions per threshold", "Positions generated below each threshold"],
  result: ["Games by result", "The latest games by their results"],
};
const DEPTHS = { tree: "States by depth", policy: "Open states by depth", dives: "Positions that wait, by depth", games: "Games by their number of moves" };

/** @param {string} tag @param {Record<string, any>} properties @param {(Node|string)[]} children */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** @param {Scene} scene */
function charts(scene) {
  const found = [];
  for (const axis of ["threshold", "f", "cost", "depth", "result"]) {
    const of = (scene.charts ?? []).filter((chart) => chart.axis === axis);
    if (!of.length) continue;
    const title = axis === "depth" ? /** @type {any} */ (DEPTHS)[scene.kind] ?? AXES.depth[0]
      : axis === "f" && scene.kind === "games" ? "Children of the present state by f"
      : axis === "f" && scene.kind === "policy" ? "Open states by the logarithm of what is minimised" : /** @type {any} */ (AXES)[axis][0];
    const sides = of.some((chart) => chart.side) ? [0, 1] : [0];
    found.push(bars(title, sides.map((side) => of.find((chart) => chart.side === side)?.bars ?? []),
      sides.length > 1 ? ["from the start", "from the goals"] : [""]));
  }
  return make("div", { className: "two" }, ...found);
}

/** @param {Scene} scene @param {Around} around */
function crumbs(scene, around) {
  const here = around.path.slice(0, scene.path_count ?? 0);
  const list = make("ol", { className: "crumbs" });
  list.setAttribute("aria-label", "Path in the tree");
  [{ words: "Root" }, ...here].forEach((part, i) => {
    const button = make("button", { type: "button", textContent: part.words, disabled: i === here.length });
    button.addEventListener("click", () => around.open(here.slice(0, i)));
    list.append(make("li", {}, button));
  });
  return list;
}

/** @param {number|undefined} value */
const number = (value) => (value === undefined ? "–" : short(value));

/** @param {Scene} scene @param {Around} around */
function branches(scene, around) {
  const rows = scene.branches ?? [];
  const most = Math.max(1, ...rows.map((row) => row.visits));
  const priors = rows.some((row) => row.prior !== undefined);
  const visited = scene.kind === "tree";
  const head = make("tr", {}, ...["Move", ...(visited ? ["Visits", "Share", "Value", "Bound"] : []), ...(priors ? ["Prior"] : [])]
    .map((text) => Object.assign(make("th", { textContent: text }), { scope: "col" })));
  const body = rows.map((row, i) => {
    const button = make("button", { type: "button", textContent: around.words[i] ?? String(row.move), disabled: !around.still || !visited });
    button.addEventListener("click", () => around.open([...around.path.slice(0, scene.path_count ?? 0), { move: row.move, words: around.words[i] }]));
    const share = make("meter", { max: most, value: row.visits });
    share.setAttribute("aria-label", `visits of ${around.words[i]}`);
    return make("tr", { className: row.closed ? "closed" : "" }, make("td", {}, button),
      ...(visited ? [make("td", { textContent: row.visits.toLocaleString("en") }), make("td", {}, share),
        make("td", { textContent: number(row.value) }), make("td", { textContent: row.closed ? "done" : number(row.bound) })] : []),
      ...(priors ? [make("td", { textContent: row.prior === undefined ? "–" : `${(100 * row.prior).toFixed(1)} %` })] : []));
  });
  const left = scene.branches_left_out ? `; ${scene.branches_left_out} more are not shown` : "";
  const node = scene.node;
  const moves = `${rows.length} ${rows.length === 1 ? "move" : "moves"}`;
  const words = visited ? `${moves} from here, visited ${(node?.visits ?? 0).toLocaleString("en")} times` : moves;
  const value = node?.value !== undefined ? `, value ${short(node.value)}` : "";
  const table = make("table", {}, make("caption", { textContent: `${words}${value}${left}` }), make("thead", {}, head), make("tbody", {}, ...body));
  const scroll = make("div", { className: "scroll", tabIndex: 0 }, table);
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", visited ? "Moves in the tree" : "Moves and their priors");
  return scroll;
}

/** @param {Scene} scene @param {Around} around */
function levels(scene, around) {
  const rows = (scene.levels ?? []).map((level) => {
    const bar = make("progress", { max: Math.max(1, level.of), value: level.done });
    bar.setAttribute("aria-label", `steps of level ${level.level}`);
    return make("tr", {}, make("td", { textContent: `Level ${level.level}` }), make("td", {}, bar),
      make("td", { textContent: level.of ? `${level.done.toLocaleString("en")} of ${level.of.toLocaleString("en")}` : "–" }),
      make("td", { textContent: number(level.best) }));
  });
  const head = make("tr", {}, ...["Level", "Steps", "Done", "Best line"].map((text) => Object.assign(make("th", { textContent: text }), { scope: "col" })));
  return make("div", {}, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)),
    ...(around.points.length ? [curve(around.points)] : []));
}

/** @param {Scene} scene */
function space(scene) {
  const found = scene.cells ?? [];
  if (!found.length) return make("p", { textContent: "No cell holds a state." });
  const features = scene.features ?? [];
  const head = make("tr", {}, ...[...features, "states"].map((text) => Object.assign(make("th", { textContent: text }), { scope: "col" })));
  const rows = found.slice(0, 12).map((cell) => make("tr", {}, ...[...cell.at, cell.states].map((value) => make("td", { textContent: value.toLocaleString("en") }))));
  const left = scene.cells_left_out ? ` and ${scene.cells_left_out} more` : "";
  return make("div", {}, cells(found, features),
    make("table", {}, make("caption", { textContent: `The best of ${found.length} cells${left} that hold states` }), make("thead", {}, head), make("tbody", {}, ...rows)));
}

/** The picture of a search. @param {Scene|null} scene @param {Around} around @returns {HTMLElement[]} */
export function picture(scene, around) {
  if (!scene || scene.kind === "none") {
    const words = around.ended ? "The search ended before it was seen. Begin paused, and go on by small steps." : "The search is getting ready.";
    return [make("p", { className: "quiet", textContent: words })];
  }
  const parts = [];
  if (scene.kind === "tree") parts.push(crumbs(scene, around));
  if (scene.kind === "tree" || scene.kind === "policy") parts.push(branches(scene, around));
  if (scene.kind === "levels") parts.push(levels(scene, around));
  if (scene.kind === "layers" && scene.layers?.length) parts.push(layers(scene.layers, scene.width ?? 0));
  if (scene.kind === "cells") parts.push(space(scene));
  if (scene.charts?.length) parts.push(charts(scene));
  return parts;
}
