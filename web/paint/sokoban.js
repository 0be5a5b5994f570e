// @ts-check
// Draws Sokoban. Walls, floor and goals change rarely and are kept as one picture; boxes and player are small pictures. Of
// a board that is shown already, only the squares that changed are drawn.
import { rounded } from "./palette.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("../rules/sokoban.js").Sokoban} Sokoban */
/** @typedef {{stuck?: Set<number>, targets?: Set<number>, chosen?: number, hint?: {from: number, to: number}|null,
 *   cursor?: number}} Marks */

/** What a canvas shows: the ground, what is on each square, and whether there are marks.
 * @typedef {{ground?: ImageBitmap, squares?: Uint8Array, marked?: boolean}} Drawn */

const LOOKS_MOST = 4; // sizes and themes of which the sprites are kept

/** @typedef {Record<"box"|"home"|"player", ImageBitmap>} Sprites */
/** @type {Map<string, Sprites>} */
const sprites = new Map();
/** @type {WeakMap<Sokoban, {look: string, picture: ImageBitmap}>} */
const grounds = new WeakMap();

/** @param {Sokoban} position */
export const size = (position) => [position.width, position.height];

/** A picture that is drawn once. @param {number} width @param {number} height @param {(ctx: any) => void} draw */
function render(width, height, draw) {
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  draw(canvas.getContext("2d"));
  return canvas.transferToImageBitmap();
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

/** @param {CanvasRenderingContext2D} ctx @param {Sokoban} position @param {number} cell @param {Palette} palette
 *  @param {boolean} grid */
function drawGround(ctx, position, cell, palette, grid) {
  for (let i = 0; i < position.wall.length; i++) {
    if (!position.wall[i] && !position.floor[i] && !position.goal[i] && !grid) continue;
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
}

/** @param {string} look @param {number} cell @param {Palette} palette */
function spritesOf(look, cell, palette) {
  let found = sprites.get(look);
  if (found) return found;
  found = {
    box: render(cell, cell, (ctx) => drawBox(ctx, cell, palette.box, palette["box-dark"])),
    home: render(cell, cell, (ctx) => drawBox(ctx, cell, palette.home, palette["home-dark"])),
    player: render(cell, cell, (ctx) => drawPlayer(ctx, cell, palette)),
  };
  if (sprites.size === LOOKS_MOST) sprites.delete(/** @type {string} */ (sprites.keys().next().value));
  sprites.set(look, found);
  return found;
}

/** @param {string} look @param {Sokoban} position @param {number} cell @param {Palette} palette @param {boolean} grid */
function groundOf(look, position, cell, palette, grid) {
  let found = grounds.get(position);
  if (found?.look === look) return found.picture;
  found = { look, picture: render(position.width * cell, position.height * cell, (ctx) => drawGround(ctx, position, cell, palette, grid)) };
  grounds.set(position, found);
  return found.picture;
}

/** To be called when walls or goals changed. @param {Sokoban} position */
export function forget(position) {
  grounds.delete(position);
}

// What can be on a square; START is added to the others.
const [BOX, HOME, PLAYER, START] = [1, 2, 3, 4];

/** What is on every square. @param {Sokoban} position */
function contents(position) {
  const { box, goal } = position;
  const squares = new Uint8Array(box.length);
  for (let i = 0; i < squares.length; i++) if (box[i]) squares[i] = goal[i] ? HOME : BOX;
  const { home } = /** @type {any} */ (position); // of a level that is played backwards: where the player begins
  if (home !== undefined) squares[home] |= START;
  if (position.player >= 0) squares[position.player] = (squares[position.player] & START) | PLAYER;
  return squares;
}

/** Pictures at the size of a square. @param {Sokoban} position @param {number} cell @param {Palette} palette @param {boolean} grid */
function prepare(position, cell, palette, grid) {
  const look = `${cell} ${palette.paper} ${palette.wall} ${grid}`;
  return { ground: groundOf(look, position, cell, palette, grid), images: spritesOf(look, cell, palette) };
}

/** Draws everything. @param {CanvasRenderingContext2D} ctx @param {Sokoban} position @param {number} cell
 *  @param {Palette} palette @param {Marks} marks @param {boolean} [grid] */
export function paint(ctx, position, cell, palette, marks, grid = false) {
  const { ground, images } = prepare(position, cell, palette, grid);
  const squares = contents(position);
  ctx.drawImage(ground, 0, 0);
  squares.forEach((what, i) => what && paintSquare(ctx, what, images, palette, placeOf(position, cell, i), cell));
  paintMarks(ctx, cell, palette, marks, (i) => placeOf(position, cell, i));
}

/** Draws what has changed since the last time. Marks may reach over the edges of their squares: with them everything is
 *  drawn. @param {CanvasRenderingContext2D} ctx @param {Sokoban} position @param {number} cell @param {Palette} palette
 *  @param {Marks} marks @param {boolean} grid @param {Drawn} drawn what the canvas shows; brought up to date */
export function repaint(ctx, position, cell, palette, marks, grid, drawn) {
  const { ground, images } = prepare(position, cell, palette, grid);
  const squares = contents(position);
  const marked = [marks.stuck, marks.targets, marks.chosen, marks.hint, marks.cursor].some((mark) => mark !== undefined && mark !== null);
  const last = drawn.ground === ground && !marked && !drawn.marked ? drawn.squares : null;
  Object.assign(drawn, { ground, squares, marked });
  if (!last) {
    ctx.clearRect(0, 0, ground.width, ground.height);
    return paint(ctx, position, cell, palette, marks, grid);
  }
  for (let i = 0; i < squares.length; i++) {
    if (squares[i] === last[i]) continue;
    const [x, y] = placeOf(position, cell, i);
    ctx.clearRect(x, y, cell, cell);
    ctx.drawImage(ground, x, y, cell, cell, x, y, cell, cell);
    paintSquare(ctx, squares[i], images, palette, [x, y], cell);
  }
}

/** @param {Sokoban} position @param {number} cell @param {number} i */
const placeOf = (position, cell, i) => [(i % position.width) * cell, Math.floor(i / position.width) * cell];

/** @param {CanvasRenderingContext2D} ctx @param {number} what @param {Sprites} images @param {Palette} palette
 *  @param {number[]} place @param {number} cell */
function paintSquare(ctx, what, images, palette, [x, y], cell) {
  if (what & START) paintHome(ctx, cell, palette, [x, y]);
  const image = [null, images.box, images.home, images.player][what & ~START];
  if (image) ctx.drawImage(image, x, y);
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
