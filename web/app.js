// @ts-check
// The page: brings its parts together, and decides what keys, links, files and buttons do.
import { Editor, TITLE } from "./editor.js";
import { engine } from "./engine.js";
import { KINDS } from "./kinds.js";
import { Library } from "./library.js";
import { Panel } from "./panel.js";
import { asSok, asSvg, download, fileName, linkTo, readLink } from "./share.js";
import { store } from "./store.js";
import { $, Table } from "./table.js";

/** @typedef {import("./table.js").Level} Level */

const FILE_MOST = 8 << 20;
const TEXT_MOST = 1 << 20; // of what was pasted or opened, to be there again when the page is loaded again

// ---- the parts ----

const table = new Table({ changed: () => panel?.update(), solved: () => library.update() });
const library = new Library({ open: openLevel, fail: (text) => table.say(text, "lost") });
/** @type {Panel} */ let panel;
/** @type {import("./engine.js").About} */ let about;
const editor = new Editor(table, { done: (text) => addLevel("sokoban", text, TITLE), turned: () => panel.clear() });

/** @param {Level} level */
function openLevel(level) {
  const changed = table.level.domain !== level.domain || !table.level.text;
  if (table.editing) editor.close();
  table.open(level);
  showKind(level.domain);
  if (changed) panel.fill();
  else panel.clear();
  if (changed) fillFormats(level.domain);
  if (changed) fillGenerator();
  panel.resume();
}

/** The view of searches gets the puzzle that is on the table. */
function linkWatch() {
  const { domain, text, title } = table.level;
  $("watch").setAttribute("href", linkTo(domain, text, title).replace("/#", "/watch.html#"));
}

/** @param {string} domain @param {string} text @param {string} title */
function addLevel(domain, text, title) {
  library.addOne({ domain, text, title, author: "" });
}

/** Runs an act and tells on the page if it fails. @param {() => Promise<any>} act */
async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    table.say(/** @type {Error} */ (error).message, "lost");
  }
}

// ---- kinds and links ----

function fillKinds() {
  $("kinds").replaceChildren(...Object.entries(KINDS).map(([name, kind]) => {
    const link = document.createElement("a");
    link.href = `#${name}`;
    link.textContent = kind.title;
    link.dataset.kind = name;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (name !== library.domain) attempt(() => openSet(kind.set));
      else showKind(name);
    });
    return link;
  }));
}

// ---- the lab ----

/** @type {import("./lab.js").Lab|null} */ let lab = null;

/** A link to the lab, if there is something to see. */
function fillLab() {
  if (!about.lab && !about.trainings.length) return;
  const link = document.createElement("a");
  link.href = "#lab";
  link.textContent = "Lab";
  link.dataset.kind = "lab";
  $("kinds").append(link);
}

/** @param {Record<string, string>} members of the address */
async function openLab(members) {
  showView("lab");
  document.title = "Lab – Soloist";
  const { Lab } = await import("./lab.js");
  lab ??= new Lab(about, (shown) => attempt(() => showStored(shown)));
  await lab.open(members);
}

/** Puts a stored puzzle on the board, with its solution. @param {import("./lab.js").Shown} shown */
async function showStored({ domain, text, title, solution }) {
  if (!KINDS[domain]) throw new Error(`${domain} cannot be played on this page`);
  await library.load(text, "From the lab", { domain });
  library.rename(title);
  if (solution) table.show(solution);
  table.view.canvas.focus();
}

/** Shows the lab or the board, and marks it among the links. @param {string} name of a kind, or "lab" */
function showView(name) {
  const inLab = name === "lab";
  if (!inLab) lab?.close();
  $("lab").hidden = !inLab;
  $("game").hidden = $("open-library").hidden = inLab;
  for (const link of $("kinds").children) {
    const here = /** @type {HTMLElement} */ (link).dataset.kind === name;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} domain */
function showKind(domain) {
  showView(domain);
  const kind = KINDS[domain];
  if (readLink(location.hash).domain !== domain) history.replaceState(null, "", `#${domain}`);
  $("edit").hidden = $("warn-row").hidden = domain !== "sokoban";
  document.title = `${table.level.title} – Soloist`;
  $("rules").textContent = `${kind.title}: ${kind.goal}`;
  $("generate").textContent = `New ${kind.piece}`;
}

/** Goes where the address says: to a level that it holds, or to a kind of puzzle. */
async function followAddress() {
  const { domain, level, title, members, damaged } = readLink(location.hash);
  try {
    if (damaged) throw new Error("This link is damaged: its level cannot be read.");
    if (domain === "lab" && $("kinds").querySelector("[data-kind=lab]")) return await openLab(members);
    if (domain && !KINDS[domain]) throw new Error(`This page has nothing of the name ${domain}.`);
    if (!domain) return await openFirst();
    if (level === null) return await openKind(domain);
    await library.load(level, "From a link", { domain });
    if (title) library.rename(title);
  } catch (error) {
    if (!library.levels.length) await openFirst();
    throw error;
  }
}

async function openFirst() {
  if (about.files.length) await openFile(0);
  else await openSet(KINDS.sokoban.set);
}

/** The puzzles of a kind: those on the page, those that the page showed when it was left, or the installed set.
 *  @param {string} domain */
async function openKind(domain) {
  const last = store.setting("last", {});
  if (domain === library.domain && library.levels.length) return showKind(domain);
  if (last.domain !== domain) return openSet(KINDS[domain].set);
  const file = last.source === "file" ? about.files.indexOf(last.name) : -1;
  if (file >= 0) return openFile(file);
  if (last.text) return library.load(last.text, last.label, { ...last, open: last.index });
  await openSet(last.source === "set" ? last.name : KINDS[domain].set);
}

/** Keeps in the browser what is on the page, for a page that is loaded again. */
function remember() {
  const [source, name] = chosenSet();
  const { domain, index, label, text, added } = library;
  const shared = source ? {} : { text: text.length > TEXT_MOST ? "" : text };
  store.set("last", { source, name: source === "file" ? about.files[Number(name)] : name, domain, index, label, added, ...shared });
}

/** "set" or "file" with its name or number; ["", ""] if the puzzles are from elsewhere. */
const chosenSet = () => /** @type {HTMLSelectElement} */ ($("sets")).value.split(/:(.*)/).concat("").slice(0, 2);

/** Where the page was when it was left, if it showed this. @param {string} source @param {string} name */
function place(source, name) {
  const last = store.setting("last", {});
  return last.source === source && last.name === name ? { open: last.index, added: last.added } : {};
}

// ---- sets and files ----

/** What people read for our own sets; null: not for this page. @type {Record<string, string|null>} */
const SET_NAMES = {
  first: "First steps", graded500: "500 levels, easiest first", samegame: "SameGame boards", tiles: "Sliding tiles", pancakes: "Stacks of pancakes",
  tictactoe: null,
};
/** @param {string} name */
const setName = (name) => (name in SET_NAMES ? SET_NAMES[name] : name) ?? name;

function fillSets() {
  /** @param {string} name @param {HTMLOptionElement[]} options */
  const group = (name, options) => {
    const element = document.createElement("optgroup");
    element.label = name;
    element.append(...options);
    return options.length ? [element] : [];
  };
  $("sets").replaceChildren(new Option("Choose a level set …", ""),
    ...group("Files", about.files.map((name, number) => new Option(name, `file:${number}`))),
    ...group("Installed sets", about.sets.filter((name) => SET_NAMES[name] !== null).map((name) => new Option(setName(name), `set:${name}`))));
}

/** @param {string} name */
async function openSet(name) {
  if (!about.sets.includes(name)) return table.say(`The level set ${name} is not installed.`);
  /** @type {HTMLSelectElement} */ ($("sets")).value = `set:${name}`;
  await library.load(await engine.set(name), setName(name), place("set", name));
}

/** @param {number} number */
async function openFile(number) {
  /** @type {HTMLSelectElement} */ ($("sets")).value = `file:${number}`;
  await library.load(await engine.file(number), about.files[number], place("file", about.files[number]));
}

/** @param {Iterable<File>} files */
async function openFiles(files) {
  for (const file of files) {
    if (file.size > FILE_MOST) throw new Error(`${file.name} is larger than 8 MiB`);
    await library.load(await file.text(), file.name);
  }
  /** @type {HTMLSelectElement} */ ($("sets")).value = "";
}

/** A text is either moves for the present level or instances. @param {string} text */
async function take(text) {
  const plain = text.trim();
  const moves = table.level.domain === "sokoban" ? /^[\sudlr0-9()]+$/i : table.level.domain === "tiles" ? /^[\sudlr]+$/i : /^\[[\s\d,[\]]*\]$/;
  if (plain && moves.test(plain) && /[a-z[]/i.test(plain)) {
    if (table.editing) throw new Error("Moves cannot be played while the level is edited: choose Play it first.");
    if (table.isReverse) table.reverse();
    table.restart();
    if (!table.follow(plain)) throw new Error("These moves are not legal to the end on this level.");
    return;
  }
  await library.load(text, "Pasted", { prefer: table.level.domain });
  /** @type {HTMLSelectElement} */ ($("sets")).value = "";
}

// ---- saving and sharing ----

/** What can leave the page: its name, and what it is as a file. Pictures and XSB are Sokoban's alone, PNG is not.
 *  @type {Record<string, {name: string, ending: string, everywhere: boolean, content: () => Blob|Promise<Blob>}>} */
const FORMATS = {
  sok: { name: "Level with its moves (.sok)", ending: "sok", everywhere: false, content: () => new Blob([asSok({ ...table.level, line: table.line(), ended: !table.isReverse && table.game.isEnded() })], { type: "text/plain" }) },
  level: { name: "The puzzle alone, as text", ending: "txt", everywhere: true, content: () => new Blob([table.level.text], { type: "text/plain" }) },
  line: { name: "The moves so far", ending: "txt", everywhere: true, content: () => new Blob([`${table.line()}\n`], { type: "text/plain" }) },
  svg: { name: "Picture (SVG)", ending: "svg", everywhere: false, content: () => new Blob([asSvg(table.game.position.text(), table.view.palette)], { type: "image/svg+xml" }) },
  png: { name: "Picture (PNG)", ending: "png", everywhere: true, content: () => table.view.picture() },
};
/** Sokoban has names of its own for these. @type {Record<string, [string, string]>} */
const SOKOBAN_FORMATS = { level: ["The level alone (XSB)", "xsb"], line: ["The moves so far (LURD)", "lurd"] };

/** @param {string} domain */
function fillFormats(domain) {
  const names = Object.keys(FORMATS).filter((name) => FORMATS[name].everywhere || domain === "sokoban");
  $("format").replaceChildren(...names.map((name) => new Option(domain === "sokoban" ? SOKOBAN_FORMATS[name]?.[0] ?? FORMATS[name].name : FORMATS[name].name, name)));
}

const chosenFormat = () => /** @type {HTMLSelectElement} */ ($("format")).value;

/** Copies a text, or shows it if the browser does not allow that. @param {string} text @param {string} words */
async function copyText(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    $("shared").textContent = words;
  } catch {
    $("shared").textContent = text;
  }
}

async function copy() {
  const format = chosenFormat();
  const content = await FORMATS[format].content();
  if (format !== "png") return copyText((await content.text()).replace(/\n$/, format === "line" ? "" : "\n"), "It is copied.");
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": content })]);
    $("shared").textContent = "The picture is copied.";
  } catch {
    $("shared").textContent = "The browser does not allow pictures to be copied: Save writes a file.";
  }
}

async function save() {
  const format = chosenFormat();
  const { domain, title } = table.level;
  download(fileName(title, (domain === "sokoban" ? SOKOBAN_FORMATS[format]?.[1] : null) ?? FORMATS[format].ending), await FORMATS[format].content());
  $("shared").textContent = "It is saved.";
}

/** @param {{good: number, bad: number}} entries */
function importWords({ good, bad }) {
  const left = bad === 1 ? " One entry of the file is damaged and was left out." : bad ? ` ${bad} entries of the file are damaged and were left out.` : "";
  return `Progress on ${good} ${good === 1 ? "puzzle" : "puzzles"} is imported.${left}`;
}

// ---- making ----

function fillGenerator() {
  const { kind } = table;
  const wishes = kind.difficulties.map(([name]) => new Option(name, name));
  $("difficulty").replaceChildren(...wishes, new Option(wishes.length ? "as the numbers say" : "", ""));
  $("difficulty-row").hidden = !wishes.length;
  $("generate-fields").replaceChildren(...[...kind.fields, SEED].map(([name, label, initial, least, most]) => {
    const row = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "number", min: String(least), max: String(most), value: String(initial), name });
    row.append(label, input);
    return row;
  }));
  showWishes();
}

/** @type {[string, string, number, number, number]} */
const SEED = ["seed", "Seed (0: any)", 0, 0, 1e9];

/** The numbers are asked for only if no difficulty is chosen. */
function showWishes() {
  const difficulty = /** @type {HTMLSelectElement} */ ($("difficulty")).value;
  for (const row of $("generate-fields").children) /** @type {HTMLElement} */ (row).hidden = Boolean(difficulty) && !row.querySelector("[name=seed]");
}

/** What the form wishes: the generator's options, and bands for the measures of what it makes. */
function readWish() {
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ ($("generate-fields").querySelectorAll("input"));
  const { seed, pushes, ...options } = Object.fromEntries([...inputs].map((input) => [input.name, Number(input.value)]));
  const difficulty = table.kind.difficulties.find(([name]) => name === /** @type {HTMLSelectElement} */ ($("difficulty")).value);
  return { seed: seed || 1 + Math.floor(Math.random() * 1e9), ...(difficulty ? difficulty[1] : { options, ...(pushes ? { least: { pushes } } : {}) }) };
}

async function generate() {
  const { domain } = table.level;
  const kind = table.kind;
  const { options, ...wish } = readWish();
  table.say(`Making a ${kind.piece} …`);
  const job = await engine.run({ kind: "generate", domain, time: engine.seconds(30), options: Object.entries(options).map(([key, value]) => `${key}=${value}`).join(","), ...wish });
  if (!job.result?.text) throw new Error(job.error ?? "Nothing was found in time: try smaller wishes.");
  const reading = await engine.read({ text: job.result.text, domain });
  const text = reading.instances[0]?.text;
  if (!text) return;
  addLevel(domain, text, `New ${kind.piece} ${wish.seed}`);
  const { pushes, moves } = job.result.measures ?? {};
  if (pushes) table.say(`A new ${kind.piece}: the fewest pushes that solve it are ${pushes}, in ${moves} moves.`);
}

// ---- theme ----

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  table.view.repaint();
  table.numbers.measure();
  library.repaint();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const chosenTheme = () => store.setting("theme", null) ?? (dark.matches ? "dark" : "light");

// ---- keys ----

/** @type {Record<string, import("./kinds.js").Control>} */
const CONTROLS = { ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down", ArrowRight: "right", " ": "act", Enter: "act" };
/** @type {Record<string, () => void>} */
const KEYS = {
  u: () => table.undo(),
  z: () => table.undo(),
  Backspace: () => table.undo(),
  y: () => table.redo(),
  r: () => table.restart(),
  h: () => table.hint(),
  b: () => table.bookmark(),
  n: () => library.go(library.index + 1),
  p: () => library.go(library.index - 1),
  s: () => panel.solve(),
  v: () => table.reverse(),
  Escape: () => {
    table.stop();
    table.marks = {};
    table.refresh();
  },
};

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.closest("input, select, textarea, dialog[open]");
  const onBoard = target === table.view.canvas || target === document.body;
  if (typing || event.altKey || event.metaKey || !$("lab").hidden) return;
  if (event.ctrlKey) {
    if (event.key.toLowerCase() !== "z") return;
    if (table.editing) editor.undo();
    else if (event.shiftKey) table.redo();
    else table.undo();
    return event.preventDefault();
  }
  if (table.editing) return void (onBoard && editor.key(event) && event.preventDefault());
  const control = CONTROLS[event.key];
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (control && onBoard) table.press(control, event.shiftKey);
  else if (act) act();
  else return;
  event.preventDefault();
}

// ---- listening ----

/** @param {string} id @param {() => any} act */
const onClick = (id, act) => $(id).addEventListener("click", () => attempt(async () => act()));

function listenToButtons() {
  onClick("undo", () => table.undo());
  onClick("redo", () => table.redo());
  onClick("restart", () => table.restart());
  onClick("hint", () => table.hint());
  onClick("reverse", () => table.reverse());
  onClick("mark", () => table.bookmark());
  onClick("first", () => table.goTo(0));
  onClick("last", () => table.goTo(table.game.moves.length));
  onClick("run", () => table.run());
  onClick("step-back", () => table.goTo(Math.max(0, table.game.at - 1)));
  onClick("step-on", () => table.goTo(Math.min(table.game.moves.length, table.game.at + 1)));
  onClick("back", () => table.back());
  onClick("previous", () => library.go(library.index - 1));
  onClick("next", () => library.go(library.index + 1));
  onClick("edit", () => {
    if (table.isReverse) table.reverse();
    editor.open();
  });
  onClick("generate", generate);
  onClick("open-file", () => $("file").click());
  onClick("open-help", () => /** @type {HTMLDialogElement} */ ($("help")).showModal());
  onClick("open-paste", () => {
    Object.assign($("paste-text"), { value: "" });
    /** @type {HTMLDialogElement} */ ($("paste")).showModal();
  });
  for (const event of ["focus", "pointerenter", "click"]) $("watch").addEventListener(event, linkWatch);
  onClick("theme", () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    store.set("theme", theme);
    setTheme(theme);
  });
  onClick("open-library", () => {
    const open = document.body.classList.toggle("library");
    $("open-library").setAttribute("aria-expanded", String(open));
  });
  onClick("export", () => download("soloist-progress.json", new Blob([store.exported()], { type: "application/json" })));
  onClick("import", () => $("import-file").click());
  onClick("copy", copy);
  onClick("save", save);
  onClick("copy-link", () => copyText(linkTo(table.level.domain, table.level.text, table.level.title), "The link is copied."));
}

function listenToInputs() {
  /** @param {string} id */ const input = (id) => /** @type {HTMLInputElement} */ ($(id));
  input("scrub").addEventListener("input", () => table.goTo(Number(input("scrub").value)));
  input("file").addEventListener("change", () => attempt(async () => {
    await openFiles(input("file").files ?? []);
    input("file").value = "";
  }));
  input("import-file").addEventListener("change", () => attempt(async () => {
    const file = input("import-file").files?.[0];
    if (file) table.say(importWords(store.imported(await file.text())));
    input("import-file").value = "";
    library.update(true);
  }));
  input("sets").addEventListener("change", () => attempt(async () => {
    const [kind, name] = chosenSet();
    if (kind === "set") await openSet(name);
    if (kind === "file") await openFile(Number(name));
  }));
  input("warn").checked = table.warn;
  input("warn").addEventListener("change", () => {
    table.warn = input("warn").checked;
    store.set("warn", table.warn);
    table.changed();
  });
  $("difficulty").addEventListener("change", showWishes);
  $("generate-form").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(generate);
  });
  $("paste").addEventListener("close", () => {
    const dialog = /** @type {HTMLDialogElement} */ ($("paste"));
    if (dialog.returnValue === "load") attempt(() => take(input("paste-text").value));
  });
}

function listenToPage() {
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    table.view.canvas.focus();
  });
  addEventListener("keydown", pressKey);
  addEventListener("hashchange", () => attempt(followAddress));
  dark.addEventListener("change", () => setTheme(chosenTheme()));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const { files } = event.dataTransfer ?? {};
    const text = event.dataTransfer?.getData("text/plain");
    attempt(async () => (files?.length ? openFiles(files) : text ? take(text) : null));
  });
  addEventListener("paste", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const text = event.clipboardData?.getData("text/plain");
    if (text && !target.closest("input, textarea")) attempt(() => take(text));
  });
  addEventListener("pagehide", () => about && remember());
}

setTheme(chosenTheme());
fillKinds();
listenToButtons();
listenToInputs();
listenToPage();
attempt(async () => {
  about = await engine.about();
  panel = new Panel(table, about);
  fillSets();
  fillLab();
  await followAddress();
});
