// @ts-check
// Draws Sokoban. Walls, floor and goals change rarely and are kept as one picture; boxes and player are small pictures.
import { rounded } from "./palette.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("../rules/sokoban.js").Sokoban} Sokoban */
/** @typedef {{stuck?: Set<number>, targets?: Set<number>, chosen?: number, hint?: {from: number, to: number}|null,
 *   cursor?: number}} Marks */

/** @type {{ground: HTMLCanvasElement|null, key: string, position: Sokoban|null, sprites: Map<string, HTMLCanvasElement>}} */
const kept = { ground: null, key: "", position: null, sprites: new Map() };

/** @param {Sokoban} position */
export const size = (position) => [position.width, position.height];

/** @param {number} cell @param {(ctx: CanvasRenderingContext2D, s: number) => void} draw */
function sprite(cell, draw) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, cell);
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  draw(ctx, cell);
  return canvas;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} fill @param {string} edge */
export function drawBox(ctx, s, fill, edge) {
  const m = s * 0.1;
  rounded(ctx, m, m, s - 2 * m, s - 2 * m, s * 0.1);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = Math.max(1, s * 0.06);
  ctx.strokeStyle = edge;
  ctx.stroke();
  if (s < 14) return;
  ctx.lineWidth = Math.max(1, s * 0.045);
  ctx.beginPath();
  ctx.moveTo(m, s * 0.35);
  ctx.lineTo(s - m, s * 0.35);
  ctx.moveTo(m, s * 0.65);
  ctx.lineTo(s - m, s * 0.65);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {Palette} palette */
export function drawPlayer(ctx, s, palette) {
  ctx.fillStyle = palette.player;
  rounded(ctx, s * 0.22, s * 0.48, s * 0.56, s * 0.42, s * 0.2);
  ctx.fill();
  ctx.beginPath();
  ctx.arc(s / 2, s * 0.32, s * 0.2, 0, 2 * Math.PI);
  ctx.fill();
  if (s < 14) return;
  ctx.fillStyle = palette["player-light"];
  ctx.beginPath();
  ctx.arc(s * 0.43, s * 0.31, s * 0.045, 0, 2 * Math.PI);
  ctx.arc(s * 0.57, s * 0.31, s * 0.045, 0, 2 * Math.PI);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {Palette} palette */
function drawGoal(ctx, s, palette) {
  ctx.strokeStyle = palette.goal;
  ctx.lineWidth = Math.max(1, s * 0.07);
  ctx.beginPath();
  ctx.moveTo(s / 2, s * 0.28);
  ctx.lineTo(s * 0.72, s / 2);
  ctx.lineTo(s / 2, s * 0.72);
  ctx.lineTo(s * 0.28, s / 2);
  ctx.closePath();
  ctx.stroke();
}

/** Bricks; the edges towards the floor are lit from above. @param {CanvasRenderingContext2D} ctx @param {number} s
 *  @param {Palette} palette @param {{up: boolean, down: boolean, odd: boolean}} open whether there is no wall above and below */
function drawWall(ctx, s, palette, { up, down, odd }) {
  const line = Math.max(1, Math.round(s * 0.03));
  ctx.fillStyle = palette.wall;
  ctx.fillRect(0, 0, s, s);
  if (s >= 14) {
    ctx.globalAlpha = 0.4;
    ctx.fillStyle = palette["wall-dark"];
    ctx.fillRect(0, Math.round(s / 2), s, line);
    if (!down) ctx.fillRect(0, s - line, s, line);
    ctx.fillRect(Math.round(s * (odd ? 0.25 : 0.75)), 0, line, Math.round(s / 2));
    ctx.fillRect(Math.round(s * (odd ? 0.75 : 0.25)), Math.round(s / 2), line, s - Math.round(s / 2));
    ctx.globalAlpha = 1;
  }
  const edge = Math.max(1, Math.round(s * 0.1));
  ctx.fillStyle = palette["wall-light"];
  if (up) ctx.fillRect(0, 0, s, edge);
  ctx.fillStyle = palette["wall-dark"];
  if (down) ctx.fillRect(0, s - edge, s, edge);
}

/** @param {Sokoban} position @param {number} cell @param {Palette} palette @param {boolean} grid */
function ground(position, cell, palette, grid) {
  const canvas = document.createElement("canvas");
  canvas.width = position.width * cell;
  canvas.height = position.height * cell;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (let i = 0; i < position.wall.length; i++) {
    if (!position.wall[i] && !position.floor[i] && !grid) continue;
    ctx.save();
    ctx.translate((i % position.width) * cell, Math.floor(i / position.width) * cell);
    if (position.wall[i]) {
      drawWall(ctx, cell, palette, { up: !position.wall[i - position.width], down: !position.wall[i + position.width], odd: i % position.width % 2 > 0 });
    } else {
      ctx.fillStyle = palette["floor-line"];
      ctx.fillRect(0, 0, cell, cell);
      ctx.fillStyle = palette.floor;
      ctx.fillRect(0, 0, cell - 1, cell - 1);
      if (position.goal[i]) drawGoal(ctx, cell, palette);
    }
    ctx.restore();
  }
  return canvas;
}

/** @param {Sokoban} position @param {number} cell @param {Palette} palette @param {boolean} grid */
function prepare(position, cell, palette, grid) {
  const key = `${cell} ${palette.paper} ${palette.wall} ${grid}`;
  if (kept.key !== key) {
    kept.sprites = new Map([
      ["box", sprite(cell, (ctx, s) => drawBox(ctx, s, palette.box, palette["box-dark"]))],
      ["home", sprite(cell, (ctx, s) => drawBox(ctx, s, palette.home, palette["home-dark"]))],
      ["player", sprite(cell, (ctx, s) => drawPlayer(ctx, s, palette))],
    ]);
  }
  if (kept.key !== key || kept.position !== position) kept.ground = ground(position, cell, palette, grid);
  kept.key = key;
  kept.position = position;
}

/** To be called when walls or goals changed. */
export function forget() {
  kept.position = null;
}

/** @param {CanvasRenderingContext2D} ctx @param {Sokoban} position @param {number} cell @param {Palette} palette
 *  @param {Marks} marks @param {boolean} [grid] */
export function paint(ctx, position, cell, palette, marks, grid = false) {
  prepare(position, cell, palette, grid);
  ctx.drawImage(/** @type {HTMLCanvasElement} */ (kept.ground), 0, 0);
  /** @param {number} i */ const place = (i) => [(i % position.width) * cell, Math.floor(i / position.width) * cell];
  const { home } = /** @type {any} */ (position); // of a level that is played backwards: where the player begins
  if (home !== undefined) paintHome(ctx, cell, palette, place(home));
  for (let i = 0; i < position.box.length; i++) {
    if (!position.box[i]) continue;
    const [x, y] = place(i);
    ctx.drawImage(/** @type {HTMLCanvasElement} */ (kept.sprites.get(position.goal[i] ? "home" : "box")), x, y);
  }
  if (position.player >= 0) {
    const [x, y] = place(position.player);
    ctx.drawImage(/** @type {HTMLCanvasElement} */ (kept.sprites.get("player")), x, y);
  }
  paintMarks(ctx, cell, palette, marks, place);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} cell @param {Palette} palette @param {number[]} place */
function paintHome(ctx, cell, palette, [x, y]) {
  ctx.strokeStyle = palette.player;
  ctx.lineWidth = Math.max(1.5, cell * 0.06);
  ctx.beginPath();
  ctx.arc(x + cell / 2, y + cell / 2, cell * 0.3, 0, 2 * Math.PI);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} cell @param {Palette} palette @param {Marks} marks
 *  @param {(i: number) => number[]} place */
function paintMarks(ctx, cell, palette, marks, place) {
  ctx.lineWidth = Math.max(2, cell * 0.09);
  for (const i of marks.stuck ?? []) {
    const [x, y] = place(i);
    ctx.strokeStyle = palette.stuck;
    ctx.beginPath();
    ctx.moveTo(x + cell * 0.25, y + cell * 0.25);
    ctx.lineTo(x + cell * 0.75, y + cell * 0.75);
    ctx.moveTo(x + cell * 0.75, y + cell * 0.25);
    ctx.lineTo(x + cell * 0.25, y + cell * 0.75);
    ctx.stroke();
  }
  ctx.fillStyle = palette.mark;
  for (const i of marks.targets ?? []) {
    const [x, y] = place(i);
    ctx.beginPath();
    ctx.arc(x + cell / 2, y + cell / 2, Math.max(2, cell * 0.13), 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.strokeStyle = palette.mark;
  for (const i of [marks.chosen, marks.cursor]) {
    if (i === undefined || i < 0) continue;
    const [x, y] = place(i);
    rounded(ctx, x + 1.5, y + 1.5, cell - 3, cell - 3, cell * 0.12);
    ctx.stroke();
  }
  if (marks.hint) paintArrow(ctx, cell, palette, place(marks.hint.from), place(marks.hint.to));
}

/** @param {CanvasRenderingContext2D} ctx @param {number} cell @param {Palette} palette @param {number[]} from
 *  @param {number[]} to */
function paintArrow(ctx, cell, palette, from, to) {
  const dx = Math.sign(to[0] - from[0]);
  const dy = Math.sign(to[1] - from[1]);
  const x = to[0] + cell / 2;
  const y = to[1] + cell / 2;
  const r = cell * 0.28;
  ctx.lineWidth = Math.max(2, cell * 0.1);
  ctx.strokeStyle = palette.mark;
  rounded(ctx, from[0] + 2, from[1] + 2, cell - 4, cell - 4, cell * 0.12);
  ctx.stroke();
  ctx.fillStyle = palette.mark;
  ctx.beginPath();
  ctx.moveTo(x + dx * r, y + dy * r);
  ctx.lineTo(x - dx * r + dy * r, y - dy * r + dx * r);
  ctx.lineTo(x - dx * r - dy * r, y - dy * r - dx * r);
  ctx.closePath();
  ctx.fill();
}
