// @ts-check
// The branches of a search on the board: what each move moves, and how much the search thinks of it.

/** @typedef {import("../rules/game.js").Game} Game */
/** @typedef {{move: number, line: string, visits: number, value?: number, bound?: number, prior?: number, closed?: boolean}} Branch */
/** What a move does: the squares (column, row from the top) that it concerns, and words for it.
 *  @typedef {{squares: number[][], words: string}} Deed */

const WAYS = ["up", "left", "down", "right"];

/** @param {Game} game @param {any[]} moves @returns {Deed} */
function sokoban(game, moves) {
  const p = game.position;
  let from = -1;
  let to = -1;
  for (const letter of moves) {
    const push = letter !== letter.toLowerCase();
    if (!game.play(letter)) break;
    if (!push) continue;
    const way = "uldr".indexOf(letter.toLowerCase());
    if (from < 0) from = p.player;
    to = p.neighbour(p.player, way);
  }
  if (to < 0) return { squares: [[p.player % p.width, Math.floor(p.player / p.width)]], words: moves.join("") || "stay" };
  /** @param {number} cell */ const place = (cell) => [cell % p.width, Math.floor(cell / p.width)];
  /** @param {number} cell */ const name = (cell) => place(cell).map((part) => part + 1).join(",");
  const way = WAYS.find((_, i) => p.neighbour(from, i) === to);
  return { squares: [place(to)], words: way ? `box ${name(from)} ${way}` : `box ${name(from)} to ${name(to)}` };
}

/** @param {Game} game @param {any[]} moves @returns {Deed} */
function samegame(game, moves) {
  const p = game.position;
  const cell = moves[moves.length - 1];
  const group = cell ? p.group(cell) : [];
  return { squares: group.map((/** @type {number[]} */ [x, y]) => [x, p.height - 1 - y]),
    words: cell ? `${group.length} blocks at ${cell[0] + 1},${cell[1] + 1}` : "stay" };
}

/** @param {Game} game @param {any[]} moves @returns {Deed} */
function tiles(game, moves) {
  const p = game.position;
  if (!moves.length) return { squares: [], words: "stay" };
  const square = p.target(moves[0]);
  const place = typeof square === "number" ? [square % p.width, Math.floor(square / p.width)] : null;
  return { squares: place ? [place] : [], words: place ? `tile ${p.squares[square]}` : String(moves[0]) };
}

/** @param {Game} _game @param {any[]} moves @returns {Deed} */
function pancake(_game, moves) {
  return moves.length ? { squares: [[0, moves[0] - 1]], words: `flip ${moves[0]}` } : { squares: [], words: "stay" };
}

/** @type {Record<string, (game: Game, moves: any[]) => Deed>} */
const DEEDS = { sokoban, samegame, tiles, pancake };

/** What each branch does. The game stands at the node and stands there again afterwards.
 *  @param {Game} game @param {Branch[]} branches @returns {Deed[]} */
export function deeds(game, branches) {
  const before = game.at;
  return branches.map((branch) => {
    const moves = branch.line ? game.rules.readLine(branch.line).slice(before) : [];
    const deed = DEEDS[game.domain](game, moves);
    game.goTo(before);
    game.moves.length = before;
    return deed;
  });
}

/** How much the search thinks of each branch, from 0 to 1. @param {Branch[]} branches @param {"visits"|"prior"|"value"} by */
export function weights(branches, by) {
  const values = branches.map((branch) => branch[by] ?? NaN);
  const known = values.filter((value) => !Number.isNaN(value));
  const most = Math.max(...known);
  const least = by === "value" ? Math.min(...known) : 0;
  return values.map((value) => (Number.isNaN(value) || most <= least ? 0 : (value - least) / (most - least)));
}

/** Paints the weights over the board. @param {HTMLCanvasElement} canvas @param {import("../view.js").View} view
 *  @param {Deed[]} shown @param {number[]} heat */
export function paintHeat(canvas, view, shown, heat) {
  const { width, height } = view.canvas;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  Object.assign(canvas.style, { width: view.canvas.style.width, height: view.canvas.style.height });
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.clearRect(0, 0, width, height);
  if (!view.painter || !view.position) return;
  const [columns] = view.painter.size(view.position);
  const wide = view.position.name === "pancake" ? columns : 1;
  const most = new Map();
  shown.forEach((deed, i) => deed.squares.forEach(([x, y]) => {
    const key = y * 1000 + x;
    most.set(key, Math.max(most.get(key) ?? 0, heat[i]));
  }));
  const edge = Math.max(2, view.cell * 0.12);
  ctx.fillStyle = ctx.strokeStyle = view.palette.heat;
  ctx.lineWidth = edge;
  for (const [key, weight] of most) {
    const [x, y] = [(key % 1000) * view.cell, Math.floor(key / 1000) * view.cell];
    ctx.globalAlpha = 0.04 + 0.3 * weight; // so that what is below can still be told apart
    ctx.fillRect(x, y, wide * view.cell, view.cell);
    ctx.globalAlpha = 0.15 + 0.85 * weight;
    ctx.strokeRect(x + edge / 2, y + edge / 2, wide * view.cell - edge, view.cell - edge);
  }
  ctx.globalAlpha = 1;
}
