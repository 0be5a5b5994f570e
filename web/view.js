// @ts-check
// The board on the screen: a canvas that is drawn again when something changed, at the size that it has.
import { readPalette } from "./paint/palette.js";

/** @typedef {{size: (position: any) => number[], paint: Function}} Painter */

const CELL_MOST = 6; // side of a square, in the size of letters

export class View {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Painter|null} */ this.painter = null;
    /** @type {any} */ this.position = null;
    /** @type {any} */ this.marks = {};
    this.grid = false;
    this.palette = readPalette();
    this.cell = 1;
    this.left = 0;
    this.top = 0;
    this.due = 0;
    new ResizeObserver(() => this.refresh()).observe(canvas);
  }

  /** Draws before the next frame, once, however often this is called. */
  refresh() {
    if (!this.due) this.due = requestAnimationFrame(() => this.#draw());
  }

  repaint() {
    this.palette = readPalette();
    this.refresh();
  }

  #draw() {
    this.due = 0;
    if (!this.painter || !this.position) return;
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.canvas.clientWidth * ratio);
    const height = Math.round(this.canvas.clientHeight * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const [columns, rows] = this.painter.size(this.position);
    const largest = CELL_MOST * parseFloat(getComputedStyle(document.documentElement).fontSize) * ratio;
    const cell = Math.max(1, Math.floor(Math.min(width / columns, height / rows, largest)));
    this.cell = cell;
    this.left = Math.floor((width - columns * cell) / 2);
    this.top = Math.floor((height - rows * cell) / 2);
    this.ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.ctx.clearRect(0, 0, width, height);
    this.ctx.translate(this.left, this.top);
    this.painter.paint(this.ctx, this.position, cell, this.palette, this.marks, this.grid);
  }

  /** The board alone, without its surroundings. */
  picture() {
    const picture = document.createElement("canvas");
    const [columns, rows] = /** @type {Painter} */ (this.painter).size(this.position);
    const cell = Math.max(8, Math.min(48, Math.floor(4096 / Math.max(columns, rows))));
    Object.assign(picture, { width: columns * cell, height: rows * cell });
    const ctx = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
    ctx.fillStyle = this.palette.paper;
    ctx.fillRect(0, 0, picture.width, picture.height);
    /** @type {Painter} */ (this.painter).paint(ctx, this.position, cell, this.palette, {});
    this.refresh();
    return picture;
  }

  /** Column and row of a place on the canvas, or null outside the board. @param {PointerEvent|MouseEvent} event */
  locate(event) {
    if (!this.painter || !this.position) return null;
    const box = this.canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    const [columns, rows] = this.painter.size(this.position);
    const x = Math.floor(((event.clientX - box.left) * ratio - this.left) / this.cell);
    const y = Math.floor(((event.clientY - box.top) * ratio - this.top) / this.cell);
    return x >= 0 && y >= 0 && x < columns && y < rows ? { x, y } : null;
  }
}
