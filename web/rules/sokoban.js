// @ts-check
// The rules of Sokoban for the page: steps, pushes, walks, and where a box can go. The engine solves; this only plays.

/** @typedef {{line: string, from: number}} Way letters that lead to a square, and the square that the last step leaves */

export const LETTERS = "uldr";

export class Sokoban {
  /** @param {string} text a level in XSB, one row per line */
  constructor(text) {
    const rows = text.replace(/\n+$/, "").split("\n");
    this.name = "sokoban";
    this.height = rows.length;
    this.width = Math.max(...rows.map((row) => row.length));
    const size = this.width * this.height;
    /** @type {Uint8Array} */ this.wall = new Uint8Array(size);
    /** @type {Uint8Array} */ this.goal = new Uint8Array(size);
    /** @type {Uint8Array} */ this.box = new Uint8Array(size);
    this.player = -1;
    rows.forEach((row, y) => [...row].forEach((symbol, x) => this.#put(y * this.width + x, symbol)));
    this.floor = this.#inside();
    this.steps = [-this.width, -1, this.width, 1];
  }

  /** @param {number} cell @param {string} symbol */
  #put(cell, symbol) {
    if (symbol === "#") this.wall[cell] = 1;
    if (".*+".includes(symbol)) this.goal[cell] = 1;
    if ("$*".includes(symbol)) this.box[cell] = 1;
    if ("@+".includes(symbol)) this.player = cell;
  }

  /** The player's area: the squares that the player could reach if there were no boxes. What is outside does not count. In
   *  a drawing without a player, it is all that is connected with boxes and goals. */
  #inside() {
    const seen = new Uint8Array(this.wall.length);
    const stack = [...seen.keys()].filter((cell) => (this.player < 0 ? this.box[cell] || this.goal[cell] : cell === this.player));
    while (stack.length) {
      const cell = /** @type {number} */ (stack.pop());
      if (seen[cell] || this.wall[cell]) continue;
      seen[cell] = 1;
      for (const next of this.#neighbours(cell)) stack.push(next);
    }
    return seen;
  }

  /** @param {number} cell */
  #neighbours(cell) {
    const x = cell % this.width;
    const near = [];
    if (cell >= this.width) near.push(cell - this.width);
    if (x > 0) near.push(cell - 1);
    if (cell + this.width < this.wall.length) near.push(cell + this.width);
    if (x < this.width - 1) near.push(cell + 1);
    return near;
  }

  /** @param {number} cell */
  isFree(cell) {
    return cell >= 0 && cell < this.wall.length && !this.wall[cell] && !this.box[cell];
  }

  /** The neighbour in a direction, or -1 outside the board. @param {number} cell @param {number} direction */
  neighbour(cell, direction) {
    const x = cell % this.width;
    if ((direction === 1 && x === 0) || (direction === 3 && x === this.width - 1)) return -1;
    const next = cell + this.steps[direction];
    return next >= 0 && next < this.wall.length ? next : -1;
  }

  /** Plays one letter in either case. @param {string} letter @returns {string|null} the letter as it was played: upper
   *  case for a push; null if it is not legal */
  apply(letter) {
    const direction = LETTERS.indexOf(letter.toLowerCase());
    const next = direction < 0 ? -1 : this.neighbour(this.player, direction);
    if (next < 0 || this.wall[next]) return null;
    if (!this.box[next]) {
      this.player = next;
      return LETTERS[direction];
    }
    const after = this.neighbour(next, direction);
    if (after < 0 || !this.isFree(after)) return null;
    this.box[next] = 0;
    this.box[after] = 1;
    this.player = next;
    return LETTERS[direction].toUpperCase();
  }

  /** Takes back a letter that apply returned. @param {string} letter */
  undo(letter) {
    const direction = LETTERS.indexOf(letter.toLowerCase());
    const step = this.steps[direction];
    if (letter !== letter.toLowerCase()) {
      this.box[this.player + step] = 0;
      this.box[this.player] = 1;
    }
    this.player -= step;
  }

  isEnded() {
    return this.box.every((box, cell) => !box || this.goal[cell] || !this.floor[cell]);
  }

  /** How many boxes and goals are in the player's area, and how many of the boxes are on goals. */
  pieces() {
    let [boxes, goals, home] = [0, 0, 0];
    for (let cell = 0; cell < this.floor.length; cell++) {
      if (!this.floor[cell]) continue;
      boxes += this.box[cell];
      goals += this.goal[cell];
      home += this.box[cell] & this.goal[cell];
    }
    return { boxes, goals, home };
  }

  hasMoves() {
    return true;
  }

  /** How the player walks from a square: the step that leads to each square, or -1. @param {number} from */
  #walks(from) {
    const came = new Int8Array(this.wall.length).fill(-1);
    const queue = [from];
    came[from] = 4;
    for (let head = 0; head < queue.length; head++)
      for (let direction = 0; direction < 4; direction++) {
        const next = this.neighbour(queue[head], direction);
        if (next < 0 || came[next] >= 0 || !this.isFree(next)) continue;
        came[next] = direction;
        queue.push(next);
      }
    return came;
  }

  /** @param {Int8Array} came @param {number} to */
  #lineOf(came, to) {
    let line = "";
    for (let cell = to; came[cell] !== 4; cell -= this.steps[came[cell]]) line = LETTERS[came[cell]] + line;
    return line;
  }

  /** The letters of a shortest walk, or null. @param {number} to */
  walk(to) {
    const came = this.#walks(this.player);
    return came[to] < 0 ? null : this.#lineOf(came, to);
  }

  /** The squares to which a box can be pushed while the others stay, with the letters that do it: fewest pushes.
   *  @param {number} box @returns {Map<number, string>} */
  boxWays(box) {
    return this.ways(box, (at, direction, came) => {
      const side = this.neighbour(at, (direction + 2) % 4);
      const to = this.neighbour(at, direction);
      return side < 0 || came[side] < 0 || to < 0 || !this.isFree(to) ? null : { side, to, player: at };
    });
  }

  /** Where a box can go by moves of one kind. `move` says from where the player moves the box in a direction, and where both
   *  are then; null: that is not possible. @param {number} box
   *  @param {(box: number, direction: number, came: Int8Array) => {side: number, to: number, player: number}|null} move
   *  @returns {Map<number, string>} */
  ways(box, move) {
    /** @type {Map<number, string>} */ const found = new Map();
    /** @type {Set<number>} */ const seen = new Set();
    /** @type {{box: number, player: number, line: string}[]} */
    const queue = [{ box, player: this.player, line: "" }];
    this.box[box] = 0;
    for (let head = 0; head < queue.length; head++) {
      const at = queue[head];
      this.box[at.box] = 1;
      const came = this.#walks(at.player);
      for (let direction = 0; direction < 4; direction++) {
        const made = move(at.box, direction, came);
        if (!made || seen.has(made.to * 4 + direction)) continue;
        seen.add(made.to * 4 + direction);
        const line = at.line + this.#lineOf(came, made.side) + LETTERS[direction].toUpperCase();
        if (!found.has(made.to)) found.set(made.to, line);
        queue.push({ box: made.to, player: made.player, line });
      }
      this.box[at.box] = 0;
    }
    this.box[box] = 1;
    found.delete(box);
    return found;
  }

  /** The level as XSB. */
  text() {
    let text = "";
    for (let y = 0; y < this.height; y++) {
      let row = "";
      for (let x = 0; x < this.width; x++) row += this.symbol(y * this.width + x);
      text += row.replace(/ +$/, "") + "\n";
    }
    return text;
  }

  /** @param {number} cell */
  symbol(cell) {
    if (this.wall[cell]) return "#";
    const goal = this.goal[cell];
    if (cell === this.player) return goal ? "+" : "@";
    if (this.box[cell]) return goal ? "*" : "$";
    return goal ? "." : " ";
  }

  /** The moves of a solution's text, run lengths such as 3r or 2(uL) included. @param {string} text */
  static readLine(text) {
    return [...expand(text.replace(/[^0-9a-z()]/gi, ""), 0).text].filter((c) => LETTERS.includes(c.toLowerCase()));
  }

  /** @param {string[]} moves */
  static writeLine(moves) {
    return moves.join("");
  }

  /** What is counted in the moves so far. @param {string[]} moves */
  counts(moves) {
    let pushes = 0;
    for (const letter of moves) if (letter < "a") pushes++;
    return { moves: moves.length, pushes };
  }
}

/** @param {string} text @param {number} at @returns {{text: string, at: number}} */
function expand(text, at) {
  let out = "";
  while (at < text.length && text[at] !== ")") {
    let times = "";
    while (at < text.length && text[at] >= "0" && text[at] <= "9") times += text[at++];
    let part = text[at] ?? "";
    if (part === "(") {
      const inner = expand(text, at + 1);
      part = inner.text;
      at = inner.at;
    }
    at++;
    const count = Math.min(times ? Number(times) : 1, 100000);
    if (out.length + part.length * count > 1e6) break;
    out += part.repeat(count);
  }
  return { text: out, at };
}
