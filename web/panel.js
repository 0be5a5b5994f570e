// @ts-check
// Solving: the choice of objective and method, a search at work, its result, and making a solution shorter.
import { engine } from "./engine.js";
import { paintCurve } from "./paint/curve.js";
import { proofOf, wordsOf } from "./paint/numbers.js";
import { hash, store } from "./store.js";
import { $ } from "./table.js";

/** @typedef {import("./engine.js").Job} Job */
/** @typedef {import("./table.js").Table} Table */

export class Panel {
  /** @param {Table} table @param {import("./engine.js").About} about */
  constructor(table, about) {
    this.table = table;
    this.about = about;
    /** @type {Job|null} */ this.job = null;
    /** @type {string} */ this.solution = "";
    /** @type {{time: number, best: number}[]} the best result over time */ this.points = [];
    /** @type {string|null} the line that is on the board */ this.shown = null;
    Object.assign($("threads"), { max: String(about.limits.threads), value: "1" });
    Object.assign($("seconds"), { max: String(about.limits.time), value: String(engine.seconds(20)) });
    $("solve-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.solve();
    });
    $("cancel").addEventListener("click", () => this.cancel());
    $("shorten").addEventListener("click", () => this.shorten());
    $("method").addEventListener("change", () => this.#tellMethod());
  }

  /** Offers what suits the domain. */
  fill() {
    const { domain } = this.table.level;
    const suiting = this.about.domains.find((row) => row.name === domain)?.methods ?? [];
    const aims = this.table.kind.aims;
    options($("aim"), aims.map(([value, label]) => [value, label]));
    $("aim-row").hidden = aims.length < 2;
    options($("method"), [["", "automatic"], ...suiting.filter((name) => name !== "auto").map((name) => [name, name])]);
    $("shorten").hidden = domain !== "sokoban";
    this.#tellMethod();
    this.clear();
  }

  #tellMethod() {
    const name = value("method") || "auto";
    $("method-summary").textContent = this.about.methods.find((method) => method.name === name)?.summary ?? "";
  }

  /** Forgets the result, for another instance. A search that runs goes on, and is found again. */
  clear() {
    this.solution = "";
    $("result").textContent = "";
    $("work").hidden = !this.job || this.job.tag !== this.#tag();
    this.update();
  }

  /** While a level is drawn, nothing can be solved. Whether there is a solution to be shortened depends on the game. */
  update() {
    const busy = Boolean(this.job) || this.table.editing;
    $("solve").toggleAttribute("disabled", busy);
    $("solve").title = this.table.editing ? "Choose Play it first" : "";
    $("shorten").toggleAttribute("disabled", busy || !this.#isKnown());
  }

  /** The tag by which a job is found again after the page was loaded anew. No job belongs to a level that is being drawn. */
  #tag() {
    return this.table.editing ? "" : `${this.table.level.domain}:${hash(this.table.level.text)}`;
  }

  solve() {
    const { domain, text } = this.table.level;
    const aim = value("aim");
    return this.#start({
      kind: "solve", domain, text, tag: this.#tag(), time: Number(value("seconds")), threads: Number(value("threads")),
      ...(value("method") ? { method: value("method") } : {}), ...(aim ? { aim } : {}),
    });
  }

  #isKnown() {
    return Boolean(this.solution) || this.table.game.isEnded() || Boolean(this.#entry().byPushes);
  }

  #entry() {
    return store.entry(this.table.level.domain, this.table.level.text);
  }

  /** A solution to start with: the one that was found, or the best that the person played. */
  #known() {
    return this.solution || (this.table.game.isEnded() ? this.table.game.line() : "") || this.#entry().byPushes?.line || "";
  }

  shorten() {
    const { domain, text } = this.table.level;
    const solution = this.#known();
    if (!solution) return;
    const aim = value("aim") === "moves" ? "moves-pushes" : "pushes-moves";
    return this.#start({ kind: "optimize", domain, text, solution, aim, tag: this.#tag(), time: Number(value("seconds")) });
  }

  /** @param {object} work */
  async #start(work) {
    if (this.job) return;
    $("result").textContent = "";
    try {
      this.job = await engine.start(work);
    } catch (error) {
      $("result").textContent = `It could not be started: ${/** @type {Error} */ (error).message}`;
      return;
    }
    await this.#follow(this.job);
  }

  /** Takes up a job of this instance that is still running, from whichever page it was started, or that has ended since
   *  this browser left it. */
  async resume() {
    const tag = this.#tag();
    const left = store.setting("job", null)?.id;
    if (this.job) return;
    const found = (await engine.jobs().catch(() => [])).find((job) => job.tag === tag && (job.state !== "ended" || job.id === left));
    const job = found && await engine.job(found.id).catch(() => null);
    if (job && tag === this.#tag() && !this.job) await this.#follow(job);
  }

  /** @param {Job} job */
  async #follow(job) {
    this.job = job;
    this.points = [];
    this.shown = null;
    $("curve").hidden = true;
    store.set("job", { id: job.id, tag: job.tag });
    $("cancel").hidden = false;
    this.update();
    $("work").hidden = false;
    this.#tell(job);
    let last = job;
    try {
      if (job.state !== "ended") last = await engine.follow(job.id, (news) => this.#tell(last = news), () => this.#tell(last, "the server does not answer"));
    } catch (error) {
      this.#idle();
      $("work").hidden = true;
      if (job.tag === this.#tag()) $("result").textContent = `No result: ${/** @type {Error} */ (error).message}.`;
      return;
    }
    this.#idle();
    if (last.tag !== this.#tag()) return;
    store.set("job", null);
    this.#finish(last);
  }

  #idle() {
    this.job = null;
    $("cancel").hidden = true;
    this.update();
  }

  /** Shows a search at work. @param {Job} job @param {string} [state] */
  #tell(job, state = job.state === "waiting" ? `waiting, place ${job.place}` : job.cancelled ? "stopping" : job.state) {
    const { progress } = job;
    const rate = progress.time_s > 0 ? progress.nodes / progress.time_s : 0;
    Object.assign($("bar"), { value: Math.min(1, progress.time_s / job.time) });
    facts([
      ["State", state],
      ["Time", `${progress.time_s.toFixed(1)} s`],
      ["Positions", big(progress.nodes)],
      ["Per second", big(Math.round(rate))],
      ["Memory", `${Math.round(progress.memory / 1048576)} MiB`],
      ["Best so far", progress.best === null ? "–" : String(progress.best)],
      ...(progress.note ? [["At", progress.note]] : []),
    ]);
    this.#watch(job);
  }

  /** Shows the best result over time, and the best line on the board if that is wanted. @param {Job} job */
  #watch(job) {
    const { best, time_s: time, line } = job.progress;
    if (best === null) return;
    this.points.push({ time, best });
    if (this.points.length > 1000) this.points = this.points.filter((_, i) => i % 2);
    $("curve").hidden = false;
    paintCurve($("curve"), this.points, this.table.view.palette.accent);
    const wanted = /** @type {HTMLInputElement} */ ($("follow")).checked && job.tag === this.#tag();
    if (!line || line === this.shown || !wanted || job.state !== "running") return;
    this.shown = line;
    this.table.preview(line);
    this.table.say("The best line that the search has found so far.");
  }

  /** @param {Job} job */
  #finish(job) {
    const result = job.result;
    $("work").hidden = !result;
    if (!result) {
      $("result").textContent = job.cancelled ? "Cancelled." : `No result: ${job.error}.`;
      return;
    }
    facts([
      ["Method", result.method ?? "–"],
      ["Time", `${result.time_s.toFixed(2)} s`],
      ["Positions", big(result.nodes)],
      ["Memory", `${Math.round(result.memory / 1048576)} MiB`],
    ]);
    Object.assign($("bar"), { value: 1 });
    if (result.solution === null) {
      $("result").textContent = result.status === "impossible" ? "It is proved that there is no solution."
        : `No solution was found (${reason(result.stopped)}).`;
      return;
    }
    this.solution = typeof result.solution === "string" ? result.solution : JSON.stringify(result.solution);
    $("result").textContent = this.#words(job, result);
    this.update();
    if (!result.moves) return this.table.say("Nothing is left to do.");
    this.table.show(this.solution);
    this.table.say("The solution is on the board: Play shows it.");
  }

  /** @param {Job} job @param {any} result */
  #words(job, result) {
    const score = this.table.kind.score;
    const moves = wordsOf([["moves", result.moves]]);
    const counts = score ? `${wordsOf([["points", result.value]])} in ${moves}`
      : result.pushes !== null && result.pushes !== undefined ? `${wordsOf([["pushes", result.pushes]])}, ${moves}` : moves;
    const found = job.kind === "optimize" ? "The shortest that was found" : score ? "Best game found" : "Solved";
    return `${found}: ${counts}${result.optimal_for ? `; ${proofOf(result.optimal_for)}` : ""}.`;
  }

  async cancel() {
    if (this.job) await engine.cancel(this.job.id).catch(() => null);
  }
}

/** @param {string} id */
const value = (id) => /** @type {HTMLInputElement} */ ($(id)).value;

/** @param {HTMLElement} select @param {string[][]} rows */
function options(select, rows) {
  select.replaceChildren(...rows.map(([name, label]) => new Option(label, name)));
}

/** @param {string[][]} rows */
function facts(rows) {
  $("facts").replaceChildren(...rows.flatMap(([name, text]) => {
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = name;
    dd.textContent = text;
    return [dt, dd];
  }));
}

/** @param {number} count */
const big = (count) => count.toLocaleString("en");

/** @param {string} stopped */
const reason = (stopped) => ({ time: "the time is up", memory: "the memory is full", cancel: "cancelled", exhausted: "nothing is left to try" })[stopped] ?? stopped;
