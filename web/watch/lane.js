// @ts-check
// One search at work: its job, the moments that were seen, and the view of one of them.
import { engine } from "../engine.js";
import { KINDS } from "../kinds.js";
import { proofOf } from "../paint/numbers.js";
import { Game } from "../rules/game.js";
import { View } from "../view.js";
import { deeds, paintHeat, weights } from "./heat.js";
import { picture, TITLES } from "./pictures.js";

/** @typedef {import("../engine.js").Job} Job */
/** @typedef {{job: any, points: number}} Moment what the server said, and how many of the best results were known then */
/** @typedef {{move: number, words: string}} Part */

const MOST_MOMENTS = 1000;
const SHOWS = [["best", "best line"], ["line", "what it follows"], ["node", "chosen node"]];

/** @param {string} tag @param {Record<string, any>} [properties] */
const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

/** @param {number} count */
const big = (count) => count.toLocaleString("en");

export class Lane {
  /** @param {{domain: string, text: string}} puzzle @param {string} method @param {number} number @param {() => void} changed */
  constructor(puzzle, method, number, changed) {
    this.puzzle = puzzle;
    this.changed = changed;
    this.kind = KINDS[puzzle.domain];
    this.game = new Game(puzzle.domain, puzzle.text);
    /** @type {Job|null} */ this.job = null;
    /** @type {Moment[]} */ this.moments = [];
    /** @type {{time: number, best: number}[]} */ this.points = [];
    /** @type {Part[]} the node of the tree that is wanted */ this.path = [];
    /** @type {number|null} the moment that is looked at; null: the newest */ this.at = null;
    this.due = 0;
    this.lost = false;
    this.show = "line";
    /** Whether the person has said what is to be on the board. */ this.chosen = false;
    this.heat = "visits";
    this.pace = { paused: false, every: 0, delay: 0 };
    this.#build(method, number);
  }

  get running() {
    return this.job !== null && this.job.state !== "ended";
  }

  /** @param {string} method @param {number} number */
  #build(method, number) {
    this.element = make("article", { className: "lane" });
    const title = make("h2", { id: `lane-${number}`, textContent: method || "auto" });
    this.element.setAttribute("aria-labelledby", title.id);
    const stage = make("div", { className: "stage" });
    const board = make("canvas");
    board.setAttribute("role", "img");
    this.overlay = make("canvas");
    this.overlay.setAttribute("aria-hidden", "true");
    stage.append(board, this.overlay);
    this.view = new View(board);
    this.view.painter = this.kind.painter;
    this.facts = make("dl");
    const top = make("div", { className: "top" });
    top.append(stage, this.facts);
    this.title = make("h3");
    this.stage = make("div", { className: "picture" });
    this.element.append(title, top, this.#choices(number), this.title, this.stage);
  }

  /** What is on the board, and what colours it. @param {number} number */
  #choices(number) {
    const field = make("fieldset", { className: "shows" });
    field.append(make("legend", { className: "hidden", textContent: "On the board" }));
    for (const [value, words] of SHOWS) {
      const label = make("label", { className: "check" });
      const radio = make("input", { type: "radio", name: `show-${number}`, value, checked: value === this.show });
      radio.addEventListener("change", () => {
        this.show = value;
        this.chosen = true;
        this.refresh();
      });
      label.append(radio, words);
      field.append(label);
    }
    const label = make("label", { textContent: "Heat " });
    const select = make("select");
    for (const [value, words] of [["visits", "visits"], ["prior", "priors"], ["value", "values"], ["", "none"]]) select.append(new Option(words, value));
    select.addEventListener("change", () => {
      this.heat = select.value;
      this.refresh();
    });
    label.append(select);
    field.append(label);
    this.heatChoice = select;
    return field;
  }

  // ---- the job ----

  /** Starts a job; `follow` shows it. @param {object} work @returns {Promise<Job>} */
  async begin(work) {
    this.job = await engine.start({ ...work, watch: true, ...this.pace });
    return this.job;
  }

  /** Shows a job until it ends. @param {Job} job */
  async follow(job) {
    this.job = job;
    this.#take(this.job);
    try {
      this.#take(await engine.follow(this.job.id, (job) => this.#take(job), () => this.#lose()));
    } catch (error) {
      this.#take({ .../** @type {Job} */ (this.job), state: "ended", error: /** @type {Error} */ (error).message });
    }
    this.changed();
  }

  /** The server does not answer at present. */
  #lose() {
    this.lost = true;
    this.refresh();
  }

  /** @param {any} job */
  #take(job) {
    this.job = job;
    this.lost = false;
    const { best, time_s: time } = job.progress;
    const last = this.moments[this.moments.length - 1]?.job;
    if (best !== null && this.points[this.points.length - 1]?.best !== best) this.points.push({ time, best });
    const same = last && last.moment === job.moment && last.state === job.state;
    if (same) this.moments.pop();
    this.moments.push({ job, points: this.points.length });
    if (this.moments.length > MOST_MOMENTS) this.moments.shift();
    this.refresh();
    this.changed();
  }

  /** How the search goes on. @param {{paused: boolean, every: number, delay: number}} pace @param {object} [more] */
  async go(pace, more = {}) {
    this.pace = pace;
    if (this.running) await engine.pace(/** @type {Job} */ (this.job).id, { ...pace, ...more });
  }

  async stop() {
    if (this.running) await engine.cancel(/** @type {Job} */ (this.job).id);
  }

  /** Asks for the branches of another node. @param {Part[]} path */
  async open(path) {
    this.path = path;
    this.#put("node");
    await this.go(this.pace, { path: path.map((part) => part.move) });
  }

  // ---- the view ----

  /** @param {string} show */
  #put(show) {
    this.show = show;
    for (const radio of this.element.querySelectorAll("input[type=radio]")) Object.assign(radio, { checked: /** @type {any} */ (radio).value === show });
  }

  /** Draws before the next frame, once, however many events came. */
  refresh() {
    this.due ||= requestAnimationFrame(() => {
      this.due = 0;
      this.#draw();
    });
  }

  repaint() {
    this.view.repaint();
    this.refresh();
  }

  #draw() {
    const moment = this.moments[this.at ?? this.moments.length - 1];
    if (!moment) return;
    const { job } = moment;
    const scene = job.scene ?? null;
    if (!this.chosen) this.#put(job.result?.solution ? "best" : scene?.branches?.length ? "node" : "line");
    this.#tell(job, scene);
    const shown = this.#stand(scene?.node?.line ?? "").branches(scene?.branches ?? []);
    const points = this.points.slice(0, moment.points);
    if (points.length) points.push({ time: job.progress.time_s, best: points[points.length - 1].best });
    this.title.textContent = job.state === "ended" && !scene ? "Nothing was seen" : /** @type {any} */ (TITLES)[scene?.kind ?? "none"];
    const focus = this.stage.contains(document.activeElement) ? [...this.stage.querySelectorAll("button, [tabindex]")].indexOf(/** @type {any} */ (document.activeElement)) : -1;
    const scrolled = this.stage.querySelector(".scroll")?.scrollTop ?? 0;
    this.stage.replaceChildren(...picture(scene, {
      words: shown.map((deed) => deed.words), points, path: this.path, open: (path) => this.open(path),
      still: this.running && this.at === null, ended: job.state === "ended",
    }));
    if (focus >= 0) /** @type {any} */ (this.stage.querySelectorAll("button, [tabindex]")[focus])?.focus();
    const scroll = this.stage.querySelector(".scroll");
    if (scroll) scroll.scrollTop = scrolled;
    this.#board(job, scene, shown);
  }

  /** Puts the game at the end of a line. @param {string} line */
  #stand(line) {
    this.game.goTo(0);
    this.game.moves.length = 0;
    if (line) this.game.follow(line);
    return { branches: (/** @type {any[]} */ rows) => deeds(this.game, rows) };
  }

  /** @param {any} job @param {any} scene @param {import("./heat.js").Deed[]} shown */
  #board(job, scene, shown) {
    const branches = scene?.branches ?? [];
    const priors = branches.some((/** @type {any} */ row) => row.prior !== undefined);
    const by = this.heat === "visits" && priors && !branches.some((/** @type {any} */ row) => row.visits) ? "prior" : this.heat;
    const node = scene?.node?.line ?? "";
    const line = this.show === "best" ? job.result?.solution ?? job.progress.line : this.show === "line" ? scene?.line ?? job.progress.line : node;
    const hot = Boolean(by) && branches.length > 0 && (this.show === "node" || !line || line === node);
    const words = hot || !line || this.show === "node" ? "the chosen node" : this.show === "best" ? "the end of the best line" : "the end of the line that the search follows";
    if (!hot && line) this.#stand(line);
    this.view.position = this.game.position;
    this.view.canvas.setAttribute("aria-label", `The board at ${words}. ${this.kind.describe(this.game).split(". ")[0]}.`);
    this.view.refresh();
    requestAnimationFrame(() => paintHeat(this.overlay, this.view, hot ? shown : [], hot ? weights(branches, /** @type {any} */ (by)) : []));
    this.heatChoice.disabled = !branches.length;
  }

  /** @param {any} job @param {any} scene */
  #tell(job, scene) {
    const { progress, result } = job;
    const rate = progress.time_s > 0 ? Math.round(progress.nodes / progress.time_s) : 0;
    const state = this.lost ? "the server does not answer" : job.state === "running" && job.paused ? "paused" : job.state === "waiting" ? `waiting, place ${job.place}` : job.state;
    const rows = [
      ["State", state],
      ...(scene?.member ? [["At work", scene.member]] : []),
      ["Time", `${(result?.time_s ?? progress.time_s).toFixed(2)} s`],
      ["Positions", big(result?.nodes ?? progress.nodes)],
      ...(progress.iterations ? [["Iterations", big(result?.iterations ?? progress.iterations)]] : []),
      ["Positions per second", big(rate)],
      ["Memory", `${(Math.max(progress.memory, result?.memory ?? 0) / 1048576).toFixed(1)} MiB`],
      ...(scene?.depth !== undefined ? [["Depth", big(scene.depth)]] : []),
      ...(progress.note ? [["Note", progress.note]] : []),
      ["Best so far", result ? (result.value === null ? "–" : String(result.value)) : progress.best === null ? "–" : String(progress.best)],
      ...(job.state === "ended" ? [["Result", job.error ?? `${ending(result)}${job.abandoned ? ": it was paused, and another job needed its thread" : ""}`]] : []),
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, text]) => [make("dt", { textContent: name }), make("dd", { textContent: text })]));
  }
}

/** @param {any} result */
function ending(result) {
  if (!result) return "stopped";
  const why = { goal: "", time: ", the time is up", nodes: ", all positions are used", memory: ", the memory is full", cancel: ", stopped", exhausted: "", iterations: "" }[/** @type {"goal"} */ (result.stopped)] ?? "";
  return result.status === "solved" ? `solved${result.optimal_for ? `, proved: ${proofOf(result.optimal_for)}` : ""}${why}` : `${result.status}${why}`;
}
