// @ts-check
// The board on the screen: a canvas that is drawn again when something changed, at the size that it has.
import { readPalette } from "./paint/palette.js";

/** Draws a position. A painter with `repaint` remembers in its last argument what the canvas shows, and draws what changed.
 * @typedef {{size: (position: any) => number[], paint: Function, repaint?: Function}} Painter */

const CELL_MOST = 6; // side of a square, in the size of letters

export class View {
  /** @param {HTMLCanvasElement} canvas @param {() => void} [beside] called before each drawing, for what stands beside the board */
  constructor(canvas, beside) {
    this.canvas = canvas;
    this.beside = beside;
    this.ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Painter|null} */ this.painter = null;
    /** @type {any} */ this.position = null;
    /** @type {any} */ this.marks = {};
    this.grid = false;
    this.palette = readPalette();
    this.cell = 1;
    this.due = 0;
    this.ratio = 0;
    this.drawn = {};
    /** @type {{width: number, height: number, largest: number}} asked for only when it changes: asking costs a layout */
    this.room = { width: 0, height: 0, largest: 0 };
    this.stage = /** @type {HTMLElement} */ (canvas.parentElement);
    new ResizeObserver(() => this.#measure()).observe(this.stage);
  }

  /** Draws before the next frame, once, however often this is called. */
  refresh() {
    if (!this.due) this.due = requestAnimationFrame(() => this.#draw());
  }

  #measure() {
    const letters = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.room = { width: this.stage.clientWidth, height: this.stage.clientHeight, largest: CELL_MOST * letters };
    this.refresh();
  }

  repaint() {
    this.palette = readPalette();
    this.refresh();
  }

  #draw() {
    this.due = 0;
    this.beside?.();
    if (!this.painter || !this.position) return;
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.room.width * ratio);
    const height = Math.round(this.room.height * ratio);
    if (!width || !height) return;
    const [columns, rows] = this.painter.size(this.position);
    const cell = Math.max(1, Math.floor(Math.min(width / columns, height / rows, this.room.largest * ratio)));
    this.cell = cell;
    this.#resize(columns * cell, rows * cell, ratio);
    if (this.painter.repaint) return this.painter.repaint(this.ctx, this.position, cell, this.palette, this.marks, this.grid, this.drawn);
    this.drawn = {};
    this.ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.painter.paint(this.ctx, this.position, cell, this.palette, this.marks);
  }

  /** The canvas is as large as the board: what is not there need not be drawn. @param {number} width @param {number} height
   *  @param {number} ratio */
  #resize(width, height, ratio) {
    if (this.canvas.width === width && this.canvas.height === height && this.ratio === ratio) return;
    this.ratio = ratio;
    this.drawn = {};
    Object.assign(this.canvas, { width, height });
    Object.assign(this.canvas.style, { width: `${width / ratio}px`, height: `${height / ratio}px` });
  }

  /** The board alone, without its surroundings, as PNG. @returns {Promise<Blob>} */
  picture() {
    const picture = document.createElement("canvas");
    const [columns, rows] = /** @type {Painter} */ (this.painter).size(this.position);
    const cell = Math.max(8, Math.min(48, Math.floor(4096 / Math.max(columns, rows))));
    Object.assign(picture, { width: columns * cell, height: rows * cell });
    const ctx = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
    ctx.fillStyle = this.palette.paper;
    ctx.fillRect(0, 0, picture.width, picture.height);
    /** @type {Painter} */ (this.painter).paint(ctx, this.position, cell, this.palette, {});
    return new Promise((resolve, reject) => picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large")))));
  }

  /** Column and row of a place on the canvas, or null outside the board. @param {PointerEvent|MouseEvent} event */
  locate(event) {
    if (!this.painter || !this.position) return null;
    const box = this.canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    const [columns, rows] = this.painter.size(this.position);
    const x = Math.floor(((event.clientX - box.left) * ratio) / this.cell);
    const y = Math.floor(((event.clientY - box.top) * ratio) / this.cell);
    return x >= 0 && y >= 0 && x < columns && y < rows ? { x, y } : null;
  }
}
