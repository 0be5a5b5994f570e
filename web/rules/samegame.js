// @ts-check
// The rules of SameGame for the page: groups, gravity, the standard scoring. Cells are [column, row] from the lower left.

/** @typedef {[number, number]} Cell */
/** @typedef {{cell: Cell, before: number[][]}} Played */

export class SameGame {
  /** @param {string} text rows of digits, the top row first; 0 and . are empty */
  constructor(text) {
    const rows = text.split("\n").filter((row) => row.trim() && !/^[;#]/.test(row));
    const cells = rows.map((row) => [...row.replace(/[ ,\t]/g, "")].map(colourOf));
    this.name = "samegame";
    this.height = cells.length;
    this.width = cells[0]?.length ?? 0;
    /** @type {number[][]} column by column, from the bottom */
    this.columns = Array.from({ length: this.width }, (_, x) => cells.map((row) => row[x] ?? 0).reverse());
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    return this.columns[x]?.[y] ?? 0;
  }

  /** The group of a cell; empty if it has only one block. @param {Cell} cell @returns {Cell[]} */
  group([x, y]) {
    const colour = this.at(x, y);
    if (!colour) return [];
    const seen = new Set([x * 64 + y]);
    /** @type {Cell[]} */ const found = [[x, y]];
    for (let head = 0; head < found.length; head++) {
      const [cx, cy] = found[head];
      for (const [nx, ny] of [[cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]])
        if (nx >= 0 && ny >= 0 && this.at(nx, ny) === colour && !seen.has(nx * 64 + ny)) {
          seen.add(nx * 64 + ny);
          found.push([nx, ny]);
        }
    }
    return found.length > 1 ? found : [];
  }

  /** @param {Cell} cell @returns {Played|null} */
  apply(cell) {
    const group = this.group(cell);
    if (!group.length) return null;
    const before = this.columns;
    const gone = new Set(group.map(([x, y]) => x * 64 + y));
    const left = before.map((column, x) => column.filter((colour, y) => colour && !gone.has(x * 64 + y)));
    const full = left.filter((column) => column.length);
    this.columns = Array.from({ length: this.width }, (_, x) =>
      Array.from({ length: this.height }, (_, y) => full[x]?.[y] ?? 0));
    return { cell, before };
  }

  /** @param {Played} played */
  undo(played) {
    this.columns = played.before;
  }

  /** One cell of every group. @returns {Cell[]} */
  groups() {
    const seen = new Set();
    /** @type {Cell[]} */ const found = [];
    for (let x = 0; x < this.width; x++)
      for (let y = 0; y < this.height; y++) {
        if (!this.at(x, y) || seen.has(x * 64 + y)) continue;
        const group = this.group([x, y]);
        group.forEach(([gx, gy]) => seen.add(gx * 64 + gy));
        if (group.length) found.push([x, y]);
      }
    return found;
  }

  hasMoves() {
    return this.groups().length > 0;
  }

  isEnded() {
    return !this.hasMoves();
  }

  blocks() {
    return this.columns.flat().filter((colour) => colour).length;
  }

  /** What the end adds to the score. */
  last() {
    if (!this.isEnded()) return 0;
    if (!this.blocks()) return 1000;
    const counts = new Map();
    for (const colour of this.columns.flat()) if (colour) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    return -[...counts.values()].reduce((sum, n) => sum + (n - 2) ** 2, 0);
  }

  text() {
    let text = "";
    for (let y = this.height - 1; y >= 0; y--) {
      for (let x = 0; x < this.width; x++) text += this.at(x, y) || ".";
      text += "\n";
    }
    return text;
  }

  /** @param {string|Cell[]} line @returns {Cell[]} */
  static readLine(line) {
    return typeof line === "string" ? JSON.parse(line) : line;
  }

  /** @param {Played[]} moves */
  static writeLine(moves) {
    return JSON.stringify(moves.map((played) => played.cell));
  }

  /** @param {Played[]} moves */
  counts(moves) {
    const sizes = moves.map((played) => played.before.flat().filter((colour) => colour).length);
    sizes.push(this.blocks());
    let score = this.last();
    for (let i = 0; i + 1 < sizes.length; i++) score += (sizes[i] - sizes[i + 1] - 2) ** 2;
    return { score, moves: moves.length, blocks: this.blocks() };
  }
}

/** @param {string} symbol */
function colourOf(symbol) {
  if (/[1-9]/.test(symbol)) return Number(symbol);
  const letter = symbol.toLowerCase().charCodeAt(0) - 96;
  return letter >= 1 && letter <= 9 ? letter : 0;
}
