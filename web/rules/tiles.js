// @ts-check
// The rules of sliding tiles for the page. Moves are the letters of the blank's path; the goal has the blank first.

const LETTERS = "ULRD";

export class Tiles {
  /** @param {string} text "1 0 2 3 ..." or "4x3: 1 0 2 ..." */
  constructor(text) {
    const line = text.split("\n").find((row) => row.trim() && !/^[;#]/.test(row)) ?? "";
    const sides = /^\s*(\d+)x(\d+)\s*:/.exec(line);
    /** @type {number[]} */
    this.squares = (line.replace(/^[^:]*:/, "").match(/\d+/g) ?? []).map(Number);
    this.name = "tiles";
    this.width = sides ? Number(sides[1]) : Math.round(Math.sqrt(this.squares.length));
    this.height = sides ? Number(sides[2]) : this.width;
    this.blank = this.squares.indexOf(0);
  }

  /** The square to which the blank would go, or -1. @param {string} letter */
  target(letter) {
    const x = this.blank % this.width;
    const y = Math.floor(this.blank / this.width);
    if (letter === "U") return y > 0 ? this.blank - this.width : -1;
    if (letter === "D") return y < this.height - 1 ? this.blank + this.width : -1;
    if (letter === "L") return x > 0 ? this.blank - 1 : -1;
    return letter === "R" && x < this.width - 1 ? this.blank + 1 : -1;
  }

  /** @param {string} letter @returns {string|null} */
  apply(letter) {
    const to = this.target(letter.toUpperCase());
    if (to < 0) return null;
    this.squares[this.blank] = this.squares[to];
    this.squares[to] = 0;
    this.blank = to;
    return letter.toUpperCase();
  }

  /** @param {string} letter */
  undo(letter) {
    this.apply(LETTERS[3 - LETTERS.indexOf(letter)]);
  }

  /** The letters that slide the tile of a square, and those between it and the blank; null: it cannot be slid.
   *  @param {number} square @returns {string[]|null} */
  slide(square) {
    const dx = (square % this.width) - (this.blank % this.width);
    const dy = Math.floor(square / this.width) - Math.floor(this.blank / this.width);
    if (Boolean(dx) === Boolean(dy)) return null;
    const letter = dx ? (dx > 0 ? "R" : "L") : dy > 0 ? "D" : "U";
    return Array(Math.abs(dx + dy)).fill(letter);
  }

  isEnded() {
    return this.squares.every((tile, square) => tile === square);
  }

  hasMoves() {
    return true;
  }

  text() {
    const square = this.width === this.height ? "" : `${this.width}x${this.height}: `;
    return `${square}${this.squares.join(" ")}\n`;
  }

  /** @param {string} line */
  static readLine(line) {
    return [...line.toUpperCase()].filter((letter) => LETTERS.includes(letter));
  }

  /** @param {string[]} moves */
  static writeLine(moves) {
    return moves.join("");
  }

  /** @param {string[]} moves */
  counts(moves) {
    return { moves: moves.length };
  }
}
