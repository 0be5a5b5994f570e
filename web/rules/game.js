// @ts-check
// A game on one instance: the moves so far, which can be taken back and played again, for any of the rules.
import { Pancake } from "./pancake.js";
import { Reverse } from "./reverse.js";
import { SameGame } from "./samegame.js";
import { Sokoban } from "./sokoban.js";
import { Tiles } from "./tiles.js";

/** @type {Record<string, any>} */
export const RULES = { sokoban: Sokoban, samegame: SameGame, tiles: Tiles, pancake: Pancake, reverse: Reverse };

export class Game {
  /** @param {string} domain @param {string} text */
  constructor(domain, text) {
    this.domain = domain;
    this.start = text;
    this.rules = RULES[domain];
    this.position = new this.rules(text);
    /** @type {any[]} */ this.moves = [];
    this.at = 0;
  }

  /** Plays a move; those that were taken back are forgotten unless it is the next of them. @param {any} move */
  play(move) {
    const played = this.position.apply(move);
    if (played === null) return false;
    const same = this.at < this.moves.length && JSON.stringify(this.moves[this.at]) === JSON.stringify(played);
    if (!same) this.moves.length = this.at;
    this.moves[this.at++] = played;
    return true;
  }

  undo() {
    if (!this.at) return false;
    this.position.undo(this.moves[--this.at]);
    return true;
  }

  redo() {
    if (this.at === this.moves.length) return false;
    const move = this.moves[this.at++];
    this.position.apply(this.domain === "samegame" ? move.cell : move);
    return true;
  }

  /** Goes to the position after so many moves. @param {number} at */
  goTo(at) {
    while (this.at > at && this.undo());
    while (this.at < at && this.redo());
  }

  /** Plays the moves of a line from the present position as far as they are legal. @param {any} line */
  follow(line) {
    for (const move of this.rules.readLine(line)) if (!this.play(move)) return false;
    return true;
  }

  played() {
    return this.moves.slice(0, this.at);
  }

  /** The moves so far in the notation of solutions. */
  line() {
    return this.rules.writeLine(this.played());
  }

  counts() {
    return this.position.counts(this.played());
  }

  isEnded() {
    return this.position.isEnded();
  }
}
