// @ts-check
// Draws SameGame, tiles and pancakes.
import { rounded } from "./palette.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {CanvasRenderingContext2D} Ctx */

/** A sign per colour, for those who cannot tell the colours apart. */
const SIGNS = ["", "●", "▲", "■", "◆", "✚", "★", "○", "△", "□"];

export const samegame = {
  /** @param {import("../rules/samegame.js").SameGame} p */
  size: (p) => [p.width, p.height],
  /** @param {Ctx} ctx @param {import("../rules/samegame.js").SameGame} p @param {number} cell @param {Palette} palette
   *  @param {any} marks */
  paint(ctx, p, cell, palette, marks) {
    const chosen = new Set((marks.group ?? []).map((/** @type {number[]} */ [x, y]) => x * 64 + y));
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `${Math.round(cell * 0.42)}px sans-serif`;
    for (let x = 0; x < p.width; x++)
      for (let y = 0; y < p.height; y++) {
        const colour = p.at(x, y);
        const top = (p.height - 1 - y) * cell;
        if (!colour) continue;
        ctx.globalAlpha = chosen.size && !chosen.has(x * 64 + y) ? 0.55 : 1;
        const gap = Math.min(1, cell * 0.05);
        rounded(ctx, x * cell + gap, top + gap, cell - 2 * gap, cell - 2 * gap, cell * 0.18);
        ctx.fillStyle = palette[`c${colour}`];
        ctx.fill();
        ctx.fillStyle = palette.card;
        ctx.globalAlpha *= 0.85;
        if (cell >= 14) ctx.fillText(SIGNS[colour], x * cell + cell / 2, top + cell / 2 + 1);
        ctx.globalAlpha = 1;
      }
    if (marks.cursor) {
      const [x, y] = marks.cursor;
      ctx.strokeStyle = palette.ink;
      ctx.lineWidth = Math.max(2, cell * 0.08);
      rounded(ctx, x * cell + 1, (p.height - 1 - y) * cell + 1, cell - 2, cell - 2, cell * 0.18);
      ctx.stroke();
    }
  },
};

export const tiles = {
  /** @param {import("../rules/tiles.js").Tiles} p */
  size: (p) => [p.width, p.height],
  /** @param {Ctx} ctx @param {import("../rules/tiles.js").Tiles} p @param {number} cell @param {Palette} palette
   *  @param {any} marks */
  paint(ctx, p, cell, palette, marks) {
    ctx.fillStyle = palette.line;
    rounded(ctx, 0, 0, p.width * cell, p.height * cell, cell * 0.12);
    ctx.fill();
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `600 ${Math.round(cell * 0.4)}px sans-serif`;
    p.squares.forEach((tile, square) => {
      if (!tile) return;
      const x = (square % p.width) * cell;
      const y = Math.floor(square / p.width) * cell;
      rounded(ctx, x + 3, y + 3, cell - 6, cell - 6, cell * 0.12);
      ctx.fillStyle = tile === square ? palette.home : palette.card;
      ctx.fill();
      ctx.fillStyle = tile === square ? palette.card : palette.ink;
      ctx.fillText(String(tile), x + cell / 2, y + cell / 2 + 1);
      if (marks.hint !== square) return;
      ctx.strokeStyle = palette.mark;
      ctx.lineWidth = Math.max(3, cell * 0.06);
      ctx.stroke();
    });
  },
};

export const pancake = {
  /** @param {import("../rules/pancake.js").Pancake} p */
  size: (p) => [Math.max(8, Math.round(p.stack.length * 1.2)), p.stack.length],
  /** @param {Ctx} ctx @param {import("../rules/pancake.js").Pancake} p @param {number} cell @param {Palette} palette
   *  @param {any} marks */
  paint(ctx, p, cell, palette, marks) {
    const width = pancake.size(p)[0] * cell;
    const most = Math.max(...p.stack);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `${Math.round(cell * 0.5)}px sans-serif`;
    p.stack.forEach((size, place) => {
      const w = (width - cell * 0.1) * (0.2 + 0.8 * (size / most));
      const flips = marks.flip && place < marks.flip;
      rounded(ctx, (width - w) / 2, place * cell + cell * 0.08, w, cell * 0.84, cell * 0.4);
      ctx.fillStyle = flips ? palette.mark : palette.box;
      ctx.fill();
      ctx.strokeStyle = palette["box-dark"];
      ctx.lineWidth = Math.max(1, cell * 0.05);
      ctx.stroke();
      ctx.fillStyle = flips ? palette.card : palette.ink;
      if (cell >= 12) ctx.fillText(String(size), width / 2, place * cell + cell / 2 + 1);
    });
  },
};
