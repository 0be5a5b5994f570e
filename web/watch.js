// @ts-check
// Watching searches: one, or two side by side on the same puzzle with the same limits. They can be paused, taken step by
// step, slowed down, and looked at as they were a while ago.
import { engine } from "./engine.js";
import { KINDS } from "./kinds.js";
import { linkTo, readLink } from "./share.js";
import { hash, store } from "./store.js";
import { Lane } from "./watch/lane.js";

/** @template {HTMLElement} T @param {string} id @returns {T} */
const $ = (id) => /** @type {T} */ (document.getElementById(id));
/** @param {string} id */
const value = (id) => /** @type {HTMLInputElement} */ ($(id)).value;
/** @param {string} text */
const say = (text) => {
  $("said").textContent = text;
};

/** @type {{domain: string, text: string, title: string}} */ let puzzle = { domain: "sokoban", text: "", title: "" };
/** @type {import("./engine.js").About} */ let about;
/** @type {Lane[]} */ let lanes = [];
let paused = false;

// ---- theme ----

const dark = matchMedia("(prefers-color-scheme: dark)");
const chosenTheme = () => store.setting("theme", null) ?? (dark.matches ? "dark" : "light");
function setTheme() {
  document.documentElement.dataset.theme = chosenTheme();
  for (const lane of lanes) lane.repaint();
}

// ---- the puzzle ----

/** The puzzle that the address holds, or the first of a set. */
async function findPuzzle() {
  const { domain, level, title, damaged } = readLink(location.hash);
  if (damaged || (domain && !KINDS[domain])) throw new Error("This link is damaged: it holds no puzzle that this page knows.");
  const kind = KINDS[domain] ? domain : "sokoban";
  const text = level ?? await engine.set(KINDS[kind].set);
  const reading = await engine.read({ text, domain: kind, from: 0, count: 1 });
  const instance = reading.instances[0];
  if (!instance?.text) throw new Error(instance?.error ?? "There is no puzzle in the address.");
  puzzle = { domain: kind, text: instance.text, title: title || instance.name };
  $("puzzle").textContent = `${KINDS[kind].title}: ${puzzle.title || "without a name"}. Both searches get the same puzzle, seed and limits.`;
  /** @type {HTMLAnchorElement} */ ($("home")).href = linkTo(puzzle.domain, puzzle.text, puzzle.title);
}

function fillMethods() {
  const suiting = about.domains.find((row) => row.name === puzzle.domain)?.methods ?? [];
  $("method-0").replaceChildren(...suiting.map((name) => new Option(name, name)));
  $("method-1").replaceChildren(new Option("none", ""), ...suiting.map((name) => new Option(name, name)));
  Object.assign($("threads"), { max: String(about.limits.threads) });
  Object.assign($("seconds"), { max: String(about.limits.time), value: String(engine.seconds(60)) });
}

// ---- starting and pacing ----

/** How the searches go on now. */
function pace() {
  const delay = Number(value("speed"));
  return { paused, every: paused || delay ? Number(value("size")) : 0, delay: paused ? 0 : delay };
}

/** @param {string[]} methods */
function showLanes(methods) {
  lanes = methods.map((method, i) => new Lane(puzzle, method, i, tellClock));
  $("lanes").replaceChildren(...lanes.map((lane) => lane.element));
}

/** Keeps in the browser what is watched, for a page that is loaded again. */
function remember() {
  store.set("watched", { puzzle: hash(puzzle.text), jobs: lanes.map(({ job }) => job && { id: job.id, method: job.method }).filter(Boolean) });
}

/** Takes up searches on this puzzle that an earlier page has started. */
async function resume() {
  const watched = store.setting("watched", null);
  if (watched?.puzzle !== hash(puzzle.text)) return false;
  const jobs = (await Promise.all(watched.jobs.map((/** @type {any} */ { id }) => engine.job(id).catch(() => null)))).filter((job) => job && job.state !== "ended");
  if (!jobs.length) return false;
  showLanes(jobs.map((job) => job.method ?? "auto"));
  paused = jobs.some((job) => job.paused);
  const resumed = lanes;
  Promise.all(lanes.map((lane, i) => {
    lane.pace = pace();
    return lane.follow(jobs[i]).catch((error) => say(error.message)).finally(tellClock);
  })).then(() => lanes === resumed && say("These searches have ended."));
  tellClock();
  return true;
}

async function start() {
  await Promise.all(lanes.map((lane) => lane.stop().catch(() => null)));
  const chosen = [0, 1].map((i) => [value(`method-${i}`), value(`options-${i}`).trim()]).filter(([name]) => name)
    .map(([name, options]) => (options ? `${name}:${options}` : name));
  paused = /** @type {HTMLInputElement} */ ($("begin-paused")).checked;
  showLanes(chosen);
  const turns = about.limits.jobs > 1 ? "" : " This server runs one search at a time (--jobs 1): the second begins when the first has ended.";
  say(chosen.length > 1 ? `Two searches: ${chosen.join(" and ")}.${turns}` : `One search: ${chosen[0]}.`);
  const nodes = Number(value("nodes"));
  const work = { kind: "solve", domain: puzzle.domain, text: puzzle.text, time: Number(value("seconds")), seed: Number(value("seed")), threads: Number(value("threads")),
    ...(nodes ? { nodes } : {}) };
  tellClock();
  for (const [i, lane] of lanes.entries()) {
    lane.pace = pace();
    try {
      const job = await lane.begin({ ...work, method: chosen[i] }); // one by one: the first search is the first in the server's queue
      remember();
      lane.follow(job).finally(tellClock);
    } catch (error) {
      say(`${chosen[i]} could not be watched: ${/** @type {Error} */ (error).message}`);
    }
  }
}

/** @param {object} [more] */
async function go(more) {
  tellClock();
  await Promise.all(lanes.map((lane) => lane.go(pace(), more).catch((error) => say(error.message))));
}

/** @param {boolean} wanted */
function pause(wanted) {
  paused = wanted;
  say(paused ? "Paused. A step goes on a little; the time does not count." : "Going on.");
  lookAt(null);
  return go();
}

function step() {
  lookAt(null);
  if (!paused) return pause(true);
  return go({ steps: 1 });
}

// ---- earlier moments ----

/** The length of the longest past. */
const past = () => Math.max(0, ...lanes.map((lane) => lane.moments.length - 1));

/** @param {number|null} at counted from the oldest moment that is kept; null: the newest */
function lookAt(at) {
  for (const lane of lanes) {
    const last = lane.moments.length - 1;
    lane.at = at === null || at >= past() ? null : Math.min(last, Math.round((at / Math.max(1, past())) * last));
    lane.refresh();
  }
  tellClock();
}

function tellClock() {
  const running = lanes.some((lane) => lane.running);
  const back = lanes.find((lane) => lane.at !== null);
  const slider = /** @type {HTMLInputElement} */ ($("moment"));
  $("stop").toggleAttribute("disabled", !running);
  $("pause").toggleAttribute("disabled", !running);
  $("step").toggleAttribute("disabled", !running);
  $("pause").textContent = paused ? "Go on" : "Pause";
  $("pause").setAttribute("aria-pressed", String(paused));
  $("live").toggleAttribute("disabled", !back);
  slider.disabled = past() < 1;
  slider.max = String(past());
  if (!back) slider.value = String(past());
  const seen = back ?? lanes[0];
  const job = seen?.moments[seen.at ?? seen.moments.length - 1]?.job;
  slider.setAttribute("aria-valuetext", job ? `${job.progress.time_s.toFixed(2)} seconds, ${job.progress.nodes} positions` : "nothing yet");
}

// ---- the page ----

function listen() {
  $("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    start().catch((error) => say(error.message));
  });
  $("stop").addEventListener("click", () => lanes.forEach((lane) => lane.stop().catch(() => null)));
  $("pause").addEventListener("click", () => pause(!paused));
  $("step").addEventListener("click", () => step());
  $("size").addEventListener("change", () => go());
  $("speed").addEventListener("change", () => go());
  $("moment").addEventListener("input", () => lookAt(Number(value("moment"))));
  $("live").addEventListener("click", () => lookAt(null));
  $("theme").addEventListener("click", () => {
    store.set("theme", chosenTheme() === "dark" ? "light" : "dark");
    setTheme();
  });
  dark.addEventListener("change", setTheme);
  addEventListener("hashchange", () => open().catch((error) => say(error.message)));
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA|BUTTON/.test(target.tagName)) return;
    if (event.key === "p" && lanes.some((lane) => lane.running)) pause(!paused);
    if (event.key === "s" && lanes.some((lane) => lane.running)) step();
  });
}

async function open() {
  await findPuzzle();
  fillMethods();
}

setTheme();
listen();
about = await engine.about();
const found = await open().then(resume).catch((error) => say(error.message));
if (found !== undefined) say(found ? "These searches were started before, and are still at work." : "Choose a search and press Start. Keys: P pauses, S steps.");
