// @ts-check
// The lab on the page: experiments of the stores and training runs that were named when the program was started. Tables,
// comparisons, figures; a training at work with its curves, games and card.
import { engine } from "./engine.js";
import { Plot, html, sheet, short } from "./paint/plot.js";
import { readPalette } from "./paint/palette.js";
import { paintThumb } from "./paint/thumb.js";
import { KINDS } from "./kinds.js";

/** @typedef {import("./engine.js").About} About */
/** @typedef {{domain: string, text: string, title: string, solution: string|null}} Shown */

const TRAINING_MS = 3000; // between two looks at a training
const EXPERIMENT_MS = 5000; // between two looks at a store
const ROWS_MOST = 1500; // points of a curve

/** What a training's curve says, as figures: title, name of y, and its columns with their names and, if the interval
 *  is symmetric, the column of its half width.
 *  @type {[string, string, [string, string, string?][]][]} */
const CURVES = [
  ["Policy without search", "score", [["greedy_mean", "mean score", "greedy_interval"]]],
  ["Policy without search", "boards solved (%)", [["solve_rate", "solve rate"]]],
  ["Policy loss", "loss", [["policy_loss", "training"], ["validation_policy_loss", "validation"]]],
  ["Value loss", "loss", [["value_loss", "training"], ["validation_value_loss", "validation"]]],
  ["Games that were played", "score", [["played_mean", "mean score", "played_interval"]]],
  ["Entropy of the policy", "entropy", [["entropy", "training"], ["validation_entropy", "validation"]]],
  ["Speed", "positions per second", [["learned_per_s", "learned"], ["judged_per_s", "evaluated"]]],
];

export class Lab {
  /** @param {About} about @param {(shown: Shown) => void} show puts a puzzle with its solution on the board */
  constructor(about, show) {
    this.about = about;
    this.show = show;
    this.timer = 0;
    this.ticket = 0;
    this.menu = /** @type {HTMLElement} */ (document.getElementById("lab-menu"));
    this.view = /** @type {HTMLElement} */ (document.getElementById("lab-view"));
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = "/lab.css";
    this.styled = new Promise((resolve) => style.addEventListener("load", resolve));
    document.head.append(style);
  }

  /** @param {{store?: string, experiment?: string, training?: string}} wish what the address says */
  async open(wish) {
    const ticket = this.#begin();
    const [stores] = await Promise.all([this.about.lab ? engine.lab() : [], this.styled]);
    if (ticket !== this.ticket) return;
    const [first] = stores.flatMap((store, number) => store.experiments.map(({ name }) => ({ number, name })));
    const chosen = wish.training !== undefined ? { training: Number(wish.training) }
      : wish.experiment !== undefined ? { store: Number(wish.store ?? 0), name: wish.experiment }
        : first ? { store: first.number, name: first.name } : this.about.trainings.length ? { training: 0 } : null;
    this.#fillMenu(stores, chosen);
    try {
      await this.#show(chosen, stores, ticket);
    } catch (error) {
      if (ticket === this.ticket) this.view.replaceChildren(html("p", "quiet", `${/** @type {Error} */ (error).message}.`));
    }
  }

  /** @param {any} chosen @param {import("./engine.js").Store[]} stores @param {number} ticket */
  async #show(chosen, stores, ticket) {
    if (!chosen) this.view.replaceChildren(html("p", "quiet", "The store holds no experiment yet."));
    else if ("training" in chosen) await this.#training(Number(chosen.training), ticket);
    else await this.#experiment(Number(chosen.store), String(chosen.name), stores, ticket);
  }

  /** Nothing is asked any more until the lab is opened again. */
  close() {
    this.#begin();
  }

  #begin() {
    clearTimeout(this.timer);
    return ++this.ticket;
  }

  /** Does something again after a while, unless the person has gone elsewhere. @param {number} ticket @param {number} ms
   *  @param {() => Promise<void>} act */
  #again(ticket, ms, act) {
    this.timer = setTimeout(async () => {
      if (ticket !== this.ticket) return;
      if (!document.hidden) await act().catch(() => null);
      if (ticket === this.ticket) this.#again(ticket, ms, act);
    }, ms);
  }

  /** @param {import("./engine.js").Store[]} stores @param {any} chosen */
  #fillMenu(stores, chosen) {
    /** @param {string} text @param {string} address @param {boolean} here */
    const item = (text, address, here) => {
      const link = /** @type {HTMLAnchorElement} */ (html("a", "", text));
      link.href = address;
      if (here) link.setAttribute("aria-current", "page");
      return html("li", "", link);
    };
    const parts = stores.flatMap((store, number) => [html("h2", "", store.name), html("ul", "", ...store.experiments.map(({ name, title }) =>
      item(title || name, `#lab&store=${number}&experiment=${encodeURIComponent(name)}`, chosen?.store === number && chosen?.name === name)))]);
    if (this.about.trainings.length)
      parts.push(html("h2", "", "Trainings"), html("ul", "", ...this.about.trainings.map((name, number) => item(name, `#lab&training=${number}`, chosen?.training === number))));
    this.menu.replaceChildren(...parts);
  }

  // ---- experiments ----

  /** @param {number} store @param {string} name @param {import("./engine.js").Store[]} stores @param {number} ticket */
  async #experiment(store, name, stores, ticket) {
    /** @param {import("./engine.js").Store[]} list */
    const find = (list) => list[store]?.experiments.find((one) => one.name === name);
    const entry = find(stores);
    if (!entry) throw new Error(`There is no experiment ${name} in this store`);
    const ask = (/** @type {object} */ what) => engine.labAsk({ store, experiment: name, ...what });
    const heading = html("h2", "", entry.title || name);
    const state = html("p", "quiet", stateOf(entry));
    const parts = html("div", "");
    const more = html("button", "", "Load the new runs");
    more.hidden = true;
    this.view.replaceChildren(heading, state, more, parts);
    const fill = async () => {
      const [means, report] = await Promise.all([ask({ show: "means" }), ask({ show: "report" }).catch((error) => ({ error: error.message }))]);
      if (ticket !== this.ticket) return;
      parts.replaceChildren(...reportParts(report), section("Means", sheet("Table of means", means.table)), this.#comparison(means, ask), this.#figure(means, ask), this.#runs(ask, name));
    };
    more.addEventListener("click", () => {
      more.hidden = true;
      fill();
    });
    await fill();
    let seen = entry.finished;
    if (entry.finished < entry.runs)
      this.#again(ticket, EXPERIMENT_MS, async () => {
        const now = find(await engine.lab());
        if (!now || now.finished === seen || ticket !== this.ticket) return;
        seen = now.finished;
        state.textContent = stateOf(now);
        more.hidden = false;
      });
  }

  /** @param {any} means @param {(what: object) => Promise<any>} ask */
  #comparison(means, ask) {
    const labels = new Set(means.table.slice(1).map((/** @type {string[]} */ row) => row[0]));
    if (labels.size < 2) return html("div", "");
    const place = html("div", "");
    const of = choice("What is compared", means.y.map((/** @type {any} */ one) => [one.column, one.title]), "value");
    const fill = () => attempt(place, async () => {
      const table = sheet("Table of comparisons", (await ask({ show: "compare", of: of.select.value })).table);
      table.classList.add("wordy");
      return [table];
    });
    of.select.addEventListener("change", fill);
    fill();
    return section("Comparison of every two labels", html("div", "asks", of.label), place);
  }

  /** @param {any} means @param {(what: object) => Promise<any>} ask */
  #figure(means, ask) {
    const place = html("div", "");
    const kind = choice("Figure", [["means", "means of runs"], ["profile", "performance profile"], ...(means.curve_y.length ? [["curves", "how runs developed"]] : [])], "means");
    const x = choice("Along", [], "");
    const y = choice("What is shown", [], "");
    const offer = () => {
      const curves = kind.select.value === "curves";
      refill(x.select, (curves ? means.curve_x : means.x).map((/** @type {any} */ one) => [one.column, one.title]));
      refill(y.select, (curves ? means.curve_y : means.y).map((/** @type {any} */ one) => [one.column, one.title]));
      if (kind.select.value === "profile" && [...y.select.options].some((option) => option.value === "nodes")) y.select.value = "nodes";
      x.label.hidden = kind.select.value === "profile" || x.select.options.length === 0;
    };
    const fill = () => attempt(place, async () => {
      const { figure } = await ask({ show: "figure", kind: kind.select.value, ...(x.select.value && !x.label.hidden ? { x: x.select.value } : {}), ...(y.select.value ? { y: y.select.value } : {}) });
      return [new Plot(figure).element];
    });
    kind.select.addEventListener("change", () => (offer(), fill()));
    x.select.addEventListener("change", fill);
    y.select.addEventListener("change", fill);
    offer();
    fill();
    return section("Figure", html("div", "asks", kind.label, x.label, y.label), place);
  }

  /** @param {(what: object) => Promise<any>} ask @param {string} name */
  #runs(ask, name) {
    const details = /** @type {HTMLDetailsElement} */ (html("details", "", html("summary", "", "List the runs (the first 500)")));
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const place = html("div", "");
      details.append(place);
      attempt(place, async () => {
        const { table } = await ask({ show: "runs" });
        const rows = sheet("Table of runs", table, (row) => this.#showButton(ask, table[row + 1], name));
        rows.classList.add("high");
        return [rows];
      });
    });
    return section("Runs", details);
  }

  /** @param {(what: object) => Promise<any>} ask @param {any[]} row @param {string} name */
  #showButton(ask, row, name) {
    const button = html("button", "", "Show");
    button.setAttribute("aria-label", `Show run ${row[0]} on the board`);
    button.addEventListener("click", async () => {
      const run = await ask({ show: "run", run: row[0] });
      this.show({ domain: run.domain, text: run.text, title: `${name}, run ${row[0]} (${run.label})`, solution: run.solution });
    });
    return button;
  }

  // ---- trainings ----

  /** @param {number} number @param {number} ticket */
  async #training(number, ticket) {
    let training = await engine.training(number);
    if (ticket !== this.ticket) return;
    /** @type {any[]} */ const rows = training.rows ?? [];
    const state = html("p", "");
    const plots = html("div", "plots");
    const games = html("ul", "games");
    const now = html("dl", "");
    const gamesPart = section("Newest games", games);
    const domain = training.words?.domain?.split(":")[0] ?? training.network_domain ?? "";
    /** @type {Map<string, Plot>} */ const drawn = new Map();
    const fill = () => {
      state.replaceChildren(...ageWords(training, rows));
      facts(now, factsOf(rows[rows.length - 1]));
      for (const figure of curvesOf(rows)) {
        const key = `${figure.title} ${figure.y}`;
        const plot = drawn.get(key);
        if (plot) plot.update(figure);
        else drawn.set(key, new Plot(figure)), plots.append(/** @type {Plot} */ (drawn.get(key)).element);
      }
      this.#fillGames(games, training.games ?? [], domain, training.name);
      gamesPart.hidden = !training.games?.length;
    };
    this.view.replaceChildren(html("h2", "", training.name), state, now, ...(training.folder ? [section("Curves", plots), gamesPart] : []),
      ...(training.words ? [section("How it was started", wordsOf(training.words))] : []), cardOf(training.card));
    fill();
    if (training.folder)
      this.#again(ticket, TRAINING_MS, async () => {
        training = await engine.training(number, rows.length ? rows[rows.length - 1].row + 1 : 0);
        if (ticket !== this.ticket) return;
        rows.push(...training.rows);
        fill();
      });
  }

  /** @param {HTMLElement} list @param {{text: string, score: number, solution: string}[]} games @param {string} domain
   *  @param {string} name */
  #fillGames(list, games, domain, name) {
    const key = games.map((game) => game.text).join();
    if (list.dataset.key === key || !KINDS[domain]) return;
    list.dataset.key = key;
    const palette = readPalette();
    list.replaceChildren(...games.map((game, number) => {
      const button = html("button", "");
      const picture = document.createElement("canvas");
      picture.setAttribute("aria-hidden", "true");
      try {
        paintThumb(picture, domain, game.text, palette);
      } catch {
        picture.hidden = true;
      }
      button.append(picture, KINDS[domain].score ? `${game.score} points` : game.solution ? "solved" : "not solved");
      button.title = "Show this game on the board";
      button.addEventListener("click", () => this.show({ domain, text: game.text, title: `${name}, game ${number + 1}`, solution: game.solution }));
      return html("li", "", button);
    }));
  }
}

// ---- parts ----

/** @param {string} title @param {...Node} children */
const section = (title, ...children) => html("section", "", html("h3", "", title), ...children);

/** @param {import("./engine.js").Experiment} entry */
const stateOf = (entry) => `${entry.name}: ${entry.finished} of ${entry.runs} runs are done${entry.last ? `, the last at ${entry.last.replace("T", " ").replace("Z", " UTC")}` : ""}.`;

/** @param {any} report */
function reportParts(report) {
  if (report.error) return [section("Report", html("p", "quiet", report.error))];
  const parts = [];
  if (report.about) parts.push(html("p", "", report.about));
  if (report.rows) parts.push(sheet("Rows of the report", report.rows));
  if (report.missing) parts.push(html("p", "quiet", `No finished run gives a value for ${report.missing} more row${report.missing === 1 ? "" : "s"}.`));
  for (const { title, table } of report.tables ?? []) parts.push(html("h4", "", title), sheet(title, table));
  for (const figure of report.figures ?? []) parts.push(new Plot(figure).element);
  return parts.length ? [section("Report of the experiment", ...parts)] : [];
}

/** @param {string} name @param {string[][]} rows @param {string} initial */
function choice(name, rows, initial) {
  const select = document.createElement("select");
  refill(select, rows);
  if (rows.some(([value]) => value === initial)) select.value = initial;
  return { label: html("label", "", name, select), select };
}

/** @param {HTMLSelectElement} select @param {string[][]} rows */
function refill(select, rows) {
  select.replaceChildren(...rows.map(([value, label]) => new Option(label, value)));
}

/** Fills a place with what an act makes, or with the reason why it cannot. @param {HTMLElement} place
 *  @param {() => Promise<Node[]>} act */
async function attempt(place, act) {
  try {
    place.replaceChildren(...await act());
  } catch (error) {
    place.replaceChildren(html("p", "quiet", /** @type {Error} */ (error).message));
  }
}

/** @param {HTMLElement} list @param {[string, string][]} rows */
function facts(list, rows) {
  list.replaceChildren(...rows.flatMap(([name, text]) => [html("dt", "", name), html("dd", "", text)]));
}

/** @param {any} row @returns {[string, string][]} */
function factsOf(row) {
  if (!row) return [];
  return [["Doing", row.doing ?? "–"], ["Time", duration(row.time_s)], ["Games", short(row.games)], ["Positions", short(row.positions)], ["Steps", short(row.steps)],
    ...(row.generation ? [/** @type {[string, string]} */ (["Generation", short(row.generation)])] : [])];
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** @param {any} training @param {any[]} rows */
function ageWords(training, rows) {
  if (!training.folder) return [html("span", "quiet", "A trained network.")];
  if (training.age_s === null || !rows.length) return [html("span", "quiet", "No row of its curve has been written yet.")];
  const spacing = rows.length > 1 ? rows[rows.length - 1].time_s - rows[rows.length - 2].time_s : 30;
  const live = training.age_s < Math.max(60, 3 * spacing);
  return live ? [html("span", "live", "At work"), `: the newest row of its curve is ${duration(training.age_s)} old.`]
    : [html("span", "quiet", `Not at work: the newest row of its curve is ${duration(training.age_s)} old.`)];
}

/** The ends of a number's interval, if the row has them. @param {any} row @param {string} column @param {string} [interval] */
function endsOf(row, column, interval) {
  const low = row[`${column}_low`], high = row[`${column}_high`];
  if (typeof low === "number" && typeof high === "number") return { low, high };
  return interval && typeof row[interval] === "number" ? { low: row[column] - row[interval], high: row[column] + row[interval] } : {};
}

/** @param {any[]} rows @returns {import("./paint/plot.js").Figure[]} */
function curvesOf(rows) {
  const step = Math.ceil(rows.length / ROWS_MOST);
  const some = rows.filter((_, i) => i % step === 0 || i === rows.length - 1);
  return CURVES.flatMap(([title, y, columns]) => {
    const series = columns.map(([column, name, interval]) => ({
      name: columns.length > 1 ? name : "",
      points: some.filter((row) => typeof row[column] === "number").map((row) => ({
        x: row.time_s / 60, mean: row[column],
        ...endsOf(row, column, interval),
      })),
    })).filter(({ points }) => points.length);
    return series.length ? [{ title, x: "minutes", y, plain: some.length > 80, series }] : [];
  });
}

/** The arguments of the training that were given. @param {Record<string, any>} words */
function wordsOf(words) {
  const list = html("dl", "");
  const given = Object.entries(words).filter(([name, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length) && name !== "soloist" && name !== "folder" && name !== "out");
  facts(list, given.map(([name, value]) => [name, Array.isArray(value) ? value.join(" ") : String(value)]));
  return list;
}

/** @param {[string, string][]|null} card */
function cardOf(card) {
  if (!card) return section("Card of the network", html("p", "quiet", "The network is not written yet, or has no card."));
  const list = html("dl", "");
  facts(list, card.map(([name, value]) => [name.replace(/_/g, " "), value]));
  return section("Card of the network", list);
}
