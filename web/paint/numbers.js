// @ts-check
// The counts under the board. They change with every move; as a text of the page each change would lay out and paint the
// page anew, which took longer than drawing the board. So they are drawn, and the text for screen readers follows when the
// board rests.

/** @typedef {[string, number|string][]} Counts names with their numbers */

const DIGITS = "0123456789-";
const LARGE = 1.15; // the size of the numbers, in the size of letters

export class Numbers {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Counts} */ this.counts = [];
    /** What the canvas shows: the names with the lengths of their numbers, the numbers, and where each number begins. */
    this.frame = "";
    /** @type {string[]} */ this.numbers = [];
    /** @type {number[]} */ this.places = [];
    /** @type {ImageBitmap|null} the digits in one row */ this.digits = null;
    this.look = ""; // of the digits
    this.step = 0;
    this.scale = 1;
    new ResizeObserver(() => this.measure()).observe(canvas);
  }

  /** To be called when the theme has changed. */
  measure() {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(this.canvas.clientWidth * ratio), Math.round(this.canvas.clientHeight * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.scale = 1;
    this.frame = "";
    this.show(this.counts);
  }

  /** @param {Counts} counts */
  show(counts) {
    this.counts = counts = counts.map(([name, count]) => [nameFor(name, count), count]);
    if (!this.canvas.width) return;
    const numbers = counts.map(([, count]) => String(count));
    const frame = counts.map(([name], i) => `${numbers[i].length} ${name}`).join();
    if (frame !== this.frame) this.#layOut(counts, numbers);
    this.frame = frame;
    numbers.forEach((number, i) => {
      if (number !== this.numbers[i]) this.#draw(number, this.places[i]);
    });
    this.numbers = numbers;
  }

  /** @param {string} number @param {number} x */
  #draw(number, x) {
    const { ctx, step, canvas: { height } } = this;
    const digits = /** @type {ImageBitmap} */ (this.digits);
    ctx.clearRect(x, 0, number.length * step, height);
    for (let i = 0; i < number.length; i++) ctx.drawImage(digits, DIGITS.indexOf(number[i]) * step, 0, step, height, x + i * step, 0, step, height);
  }

  /** Draws the names and finds the places of the numbers. All digits are equally wide, so that nothing dances.
   *  @param {Counts} counts @param {string[]} numbers */
  #layOut(counts, numbers) {
    const { ctx, canvas } = this;
    const style = getComputedStyle(canvas);
    const letters = parseFloat(style.fontSize) * (devicePixelRatio || 1) * this.scale;
    const base = Math.round(canvas.height * 0.7);
    this.#makeDigits(`bold ${letters * LARGE}px ${style.fontFamily}`, style.color, base);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    Object.assign(ctx, { font: `${letters}px ${style.fontFamily}`, fillStyle: style.color });
    const words = counts.map(([name], i) => ` ${name}${i < counts.length - 1 ? ", " : ""}`);
    const widths = words.map((word, i) => Math.round(ctx.measureText(word).width) + numbers[i].length * this.step);
    const wide = widths.reduce((sum, width) => sum + width, 0);
    if (wide > canvas.width && this.scale > 0.3) {
      this.scale *= Math.min(0.95, canvas.width / wide);
      return this.#layOut(counts, numbers);
    }
    let x = Math.round((canvas.width - wide) / 2);
    this.places = widths.map((width) => (x += width) - width);
    words.forEach((word, i) => ctx.fillText(word, this.places[i] + numbers[i].length * this.step, base));
    this.numbers = [];
  }

  /** @param {string} font @param {string} ink @param {number} base */
  #makeDigits(font, ink, base) {
    const look = `${font} ${ink} ${base}`;
    if (look === this.look) return;
    this.look = look;
    this.ctx.font = font;
    this.step = Math.max(1, Math.ceil(this.ctx.measureText("0").width));
    const row = new OffscreenCanvas(DIGITS.length * this.step, this.canvas.height);
    const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (row.getContext("2d"));
    Object.assign(ctx, { font, fillStyle: ink, textAlign: "center" });
    [...DIGITS].forEach((digit, i) => ctx.fillText(digit, (i + 0.5) * this.step, base));
    this.digits = row.transferToImageBitmap();
  }
}

/** "3 pushes", but "1 push". @param {string} name @param {number|string} count */
const nameFor = (name, count) => (count === 1 ? name.replace(/^(push|box)es|^(\w+?)s\b/, "$1$2") : name);

/** @param {Counts} counts */
export const wordsOf = (counts) => counts.map(([name, count]) => `${count} ${nameFor(name, count)}`).join(", ");

/** What is proved about an optimal result, in words. `proved` is the result's member optimal_for: "score", "cost", or
 *  counts joined by -, of which a later one is the least among the solutions with the least earlier ones.
 *  @param {string} proved */
export function proofOf(proved) {
  if (proved === "score") return "no game scores more";
  if (proved === "cost") return "no solution costs less";
  const counts = (proved.match(/box-\w+|\w+/g) ?? []).map((name) => name.replace("-", " "));
  return counts.map((count, i) => (i ? `none with as few ${counts.slice(0, i).join(" and ")} has` : "no solution has") + ` fewer ${count}`).join(", and ");
}
