// @ts-check
// The colours of the boards, which the style sheet names, so that light and dark are decided in one place.

/** @typedef {Record<string, string>} Palette */

const NAMES = ["paper", "card", "ink", "quiet", "line", "accent", "wall", "wall-light", "wall-dark", "floor", "floor-line", "goal",
  "box", "box-dark", "home", "home-dark", "player", "player-light", "mark", "stuck", "heat",
  "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];

/** @returns {Palette} */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** A rounded rectangle as the current path. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 *  @param {number} w @param {number} h @param {number} r */
export function rounded(ctx, x, y, w, h, r) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, Math.max(0, Math.min(r, w / 2, h / 2)));
}
