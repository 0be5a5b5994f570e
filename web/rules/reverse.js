// @ts-check
// Sokoban played backwards: the boxes begin on the goals and are pulled to where the level has them. Letters are steps as in
// the forward game; a capital letter pulls the box behind the player. As long as no box has been pulled, the player may be
// put anywhere, for nobody knows yet where a solution ends: such a move is the number of a square.
import { LETTERS, Sokoban } from "./sokoban.js";

export class Reverse extends Sokoban {
  /** @param {string} text the level, as for the forward game; it has as many boxes as goals */
  constructor(text) {
    super(text);
    this.name = "reverse";
    this.home = this.player;
    this.start = this.box.slice();
    const goals = this.goal;
    this.box = this.start.map((box, cell) => (this.floor[cell] ? goals[cell] : box));
    this.goal = goals.map((goal, cell) => (this.floor[cell] ? this.start[cell] : goal));
    this.pulls = 0;
    if (this.box[this.player]) this.player = this.#freeSquares()[0] ?? this.player;
  }

  /** Whether a level can be played backwards. @param {Sokoban} level */
  static suits(level) {
    const { boxes, goals } = level.pieces();
    return boxes === goals;
  }

  #freeSquares() {
    return [...this.floor.keys()].filter((cell) => this.floor[cell] && this.isFree(cell));
  }

  /** A square that the player cannot walk to, in the next region; null if all can be reached, or a box was pulled. */
  elsewhere() {
    if (this.pulls) return null;
    const squares = this.#freeSquares().filter((cell) => this.walk(cell) === null);
    return squares.find((cell) => cell > this.player) ?? squares[0] ?? null;
  }

  /** A letter, in capitals for a pull, or the number of a square. @param {string|number} move
   *  @returns {string|{to: number, from: number}|null} */
  apply(move) {
    if (typeof move !== "string") return this.#jump(typeof move === "number" ? move : /** @type {any} */ (move).to);
    const direction = LETTERS.indexOf(move.toLowerCase());
    const next = direction < 0 ? -1 : this.neighbour(this.player, direction);
    if (next < 0 || !this.isFree(next)) return null;
    if (move === move.toLowerCase()) {
      this.player = next;
      return move;
    }
    const behind = this.neighbour(this.player, (direction + 2) % 4);
    if (behind < 0 || !this.box[behind]) return null;
    this.box[behind] = 0;
    this.box[this.player] = 1;
    this.player = next;
    this.pulls++;
    return move;
  }

  /** @param {number} to */
  #jump(to) {
    if (this.pulls || !this.floor[to] || !this.isFree(to)) return null;
    const from = this.player;
    this.player = to;
    return { to, from };
  }

  /** @param {any} move what apply returned */
  undo(move) {
    if (typeof move !== "string") {
      this.player = move.from;
      return;
    }
    const step = this.steps[LETTERS.indexOf(move.toLowerCase())];
    this.player -= step;
    if (move === move.toLowerCase()) return;
    this.box[this.player] = 0;
    this.box[this.player - step] = 1;
    this.pulls--;
  }

  /** The boxes are where the level has them, and the player can walk to where it has the player. */
  isEnded() {
    return this.box.every((box, cell) => box === this.start[cell]) && this.walk(this.home) !== null;
  }

  /** The squares to which a box can be pulled while the others stay, with the letters that do it: fewest pulls.
   *  @param {number} box @returns {Map<number, string>} */
  boxWays(box) {
    return this.ways(box, (at, direction, came) => {
      const side = this.neighbour(at, direction);
      const beyond = side < 0 ? -1 : this.neighbour(side, direction);
      return side < 0 || came[side] < 0 || beyond < 0 || !this.isFree(beyond) ? null : { side, to: side, player: beyond };
    });
  }

  /** The solution of the level that the moves amount to, once the end is reached; it ends with its last push. @param {any[]} moves */
  solution(moves) {
    const from = moves.findLastIndex((move) => typeof move !== "string") + 1;
    const back = moves.slice(from).reverse().map((letter) => {
      const turned = LETTERS[(LETTERS.indexOf(letter.toLowerCase()) + 2) % 4];
      return letter === letter.toLowerCase() ? turned : turned.toUpperCase();
    });
    const way = this.walk(this.home) ?? "";
    const walk = [...way].reverse().map((letter) => LETTERS[(LETTERS.indexOf(letter) + 2) % 4]);
    return [...walk, ...back].join("").replace(/[a-z]+$/, "");
  }

  /** The moves that writeLine wrote. @param {string} text */
  static readLine(text) {
    return [...text.matchAll(/\[(\d+)\]|[udlr]/gi)].map(([letter, square]) => (square === undefined ? letter : Number(square)));
  }

  /** @param {any[]} moves */
  static writeLine(moves) {
    return moves.map((move) => (typeof move === "string" ? move : `[${move.to}]`)).join("");
  }

  /** @param {any[]} moves */
  counts(moves) {
    const steps = moves.filter((move) => typeof move === "string");
    return { moves: steps.length, pulls: steps.filter((letter) => letter !== letter.toLowerCase()).length };
  }
}
