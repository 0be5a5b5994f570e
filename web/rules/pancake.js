// @ts-check
// The rules of pancakes for the page. A move is the number of pancakes that are flipped, counted from the top.

export class Pancake {
  /** @param {string} text the stack, the top first */
  constructor(text) {
    const line = text.split("\n").find((row) => row.trim() && !/^[;#]/.test(row)) ?? "";
    this.name = "pancake";
    /** @type {number[]} */
    this.stack = (line.match(/\d+/g) ?? []).map(Number);
  }

  /** @param {number} size @returns {number|null} */
  apply(size) {
    if (!Number.isInteger(size) || size < 2 || size > this.stack.length) return null;
    this.stack = [...this.stack.slice(0, size).reverse(), ...this.stack.slice(size)];
    return size;
  }

  /** @param {number} size */
  undo(size) {
    this.apply(size);
  }

  isEnded() {
    return this.stack.every((pancake, place) => !place || pancake > this.stack[place - 1]);
  }

  hasMoves() {
    return true;
  }

  text() {
    return `${this.stack.join(" ")}\n`;
  }

  /** @param {string|number[]} line @returns {number[]} */
  static readLine(line) {
    return typeof line === "string" ? JSON.parse(line) : line;
  }

  /** @param {number[]} moves */
  static writeLine(moves) {
    return JSON.stringify(moves);
  }

  /** @param {number[]} moves */
  counts(moves) {
    return { flips: moves.length };
  }
}
