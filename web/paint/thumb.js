// @ts-check
// Small pictures of instances for the list.
import { RULES } from "../rules/game.js";
import * as others from "./others.js";

/** @typedef {import("./palette.js").Palette} Palette */

/** @param {CanvasRenderingContext2D} ctx @param {import("../rules/sokoban.js").Sokoban} p @param {number} cell
 *  @param {Palette} palette */
function paintSokoban(ctx, p, cell, palette) {
  for (let i = 0; i < p.wall.length; i++) {
    const home = p.box[i] && p.goal[i];
    const colour = p.wall[i] ? palette.wall : home ? palette.home : p.box[i] ? palette.box : i === p.player ? palette.player
      : p.goal[i] ? palette.goal : p.floor[i] ? palette.floor : "";
    if (!colour) continue;
    ctx.fillStyle = colour;
    ctx.fillRect((i % p.width) * cell, Math.floor(i / p.width) * cell, cell + 0.5, cell + 0.5);
  }
}

/** @param {HTMLCanvasElement} canvas @param {string} domain @param {string} text @param {Palette} palette */
export function paintThumb(canvas, domain, text, palette) {
  const ratio = Math.max(1, devicePixelRatio);
  const [width, height] = [56 * ratio, 48 * ratio];
  const position = new RULES[domain](text);
  const painter = /** @type {any} */ (others)[domain];
  const [columns, rows] = painter ? painter.size(position) : [position.width, position.height];
  const cell = Math.min(width / columns, height / rows);
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  canvas.width = width;
  canvas.height = height;
  ctx.translate((width - columns * cell) / 2, (height - rows * cell) / 2);
  if (painter) painter.paint(ctx, position, cell, palette, {});
  else paintSokoban(ctx, position, cell, palette);
}
