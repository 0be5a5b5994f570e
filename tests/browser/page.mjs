// The page as a person uses it: through roles, labels, keys and the pointer.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { declareLabTests, makeLab } from "./lab.mjs";
import { must, runAll, serve, test } from "./harness.mjs";

const axe = createRequire(`${process.env.SOLOIST_BROWSER}/`).resolve("axe-core/axe.min.js");
const CORRIDOR = "#######\n#@ $ .#\n#######\n";
const ROOM = "########\n#      #\n# $@   #\n#   .  #\n#      #\n########\n";
const CORNER = "######\n#@   #\n#  $ #\n#  . #\n######\n";

const board = (page) => page.getByRole("application");
const status = (page, text) => page.locator("#status").filter({ hasText: text }).waitFor();
const counts = (page, text) => page.locator("#counts").filter({ hasText: text }).waitFor();
const button = (page, name) => page.getByRole("button", { name, exact: true });
/** Waits until the button can no longer be pressed: buttons follow the position with the next frame. */
const disabled = (page, name) => page.getByRole("button", { name, exact: true, disabled: true }).waitFor();

async function open(page, address, fragment = "") {
  await page.goto(address + fragment);
  await page.locator("#levels [aria-current]").waitFor({ state: "attached" });
}

async function paste(page, text) {
  await button(page, "Paste").click();
  await page.getByRole("textbox", { name: "Text" }).fill(text);
  await button(page, "Load").click();
}

/** Pastes a puzzle and waits until it is on the board. */
async function pastePuzzle(page, text) {
  await paste(page, text);
  await page.locator("#collection").filter({ hasText: "Pasted" }).waitFor();
}

/** Where a square of a board of this many columns and rows is on the screen. */
async function square(page, columns, rows, x, y) {
  const box = await board(page).boundingBox();
  const cell = Math.floor(Math.min(box.width / columns, box.height / rows, 96));
  const left = Math.floor((Math.round(box.width) - columns * cell) / 2);
  const top = Math.floor((Math.round(box.height) - rows * cell) / 2);
  return [box.x + left + (x + 0.5) * cell, box.y + top + (y + 0.5) * cell];
}

async function clickSquare(page, columns, rows, x, y) {
  await page.mouse.click(...await square(page, columns, rows, x, y));
}

async function keys(page, ...names) {
  await board(page).focus();
  for (const name of names) await page.keyboard.press(name);
}

test("a level is played to the end by keys", async (page, address) => {
  await open(page, address);
  await keys(page, "ArrowRight", "ArrowRight", "ArrowRight");
  await status(page, "Solved: 3 moves, 2 pushes");
  await page.locator("#levels [aria-current] .done").filter({ hasText: "✓" }).waitFor();
  await page.reload();
  await page.locator("#levels [aria-current]").filter({ hasText: "3 moves, 2 pushes" }).waitFor();
});

test("a level is played to the end by mouse", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, ROOM);
  await counts(page, "0 moves");
  await clickSquare(page, 8, 6, 6, 4);
  await counts(page, "5 moves, 0 pushes");
  await clickSquare(page, 8, 6, 2, 2);
  await status(page, "This box can go to");
  await clickSquare(page, 8, 6, 4, 3);
  await status(page, "Solved");
});

test("a box is dragged to its goal", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, ROOM);
  await counts(page, "0 moves");
  await page.mouse.move(...await square(page, 8, 6, 2, 2));
  await page.mouse.down();
  await page.mouse.move(...await square(page, 8, 6, 4, 3), { steps: 5 });
  await page.mouse.up();
  await status(page, "Solved");
});

test("a level is played backwards, by keys and by mouse", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, CORRIDOR);
  await keys(page, "v", "ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowLeft");
  await counts(page, "4 moves, 1 pull");
  await keys(page, "u", "y", "Shift+ArrowLeft");
  await status(page, "Solved: 3 moves, 2 pushes. Played backwards");
  await pastePuzzle(page, ROOM);
  await button(page, "Backwards").click();
  await status(page, "pull the boxes");
  await clickSquare(page, 8, 6, 4, 3);
  await status(page, "This box can go to");
  await clickSquare(page, 8, 6, 2, 2);
  await status(page, "Solved");
  await pastePuzzle(page, "########\n#@ $ #.#\n####  .#\n#   $  #\n########\n");
  await keys(page, "v", "Space");
  await counts(page, "0 moves, 0 pulls");
  await button(page, "Backwards").click();
  await counts(page, "0 moves, 0 pushes");
});

test("bookmarks of the backward game, in which there is no hint", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, CORRIDOR);
  await keys(page, "ArrowRight", "b", "v", "ArrowRight", "ArrowRight", "ArrowRight", "h");
  await status(page, "No hint: the engine finds pushes");
  await keys(page, "b");
  await status(page, "Bookmark 2 is this position");
  await keys(page, "Shift+ArrowLeft");
  await counts(page, "4 moves, 1 pull");
  await button(page, "Go to bookmark 1").click();
  await counts(page, "1 move, 0 pushes");
  await button(page, "Go to bookmark 2, backwards").click();
  await counts(page, "3 moves, 0 pulls");
  await keys(page, "Shift+ArrowLeft", "Shift+ArrowLeft");
  await status(page, "Played backwards");
});

test("the best by moves and the best by pushes are kept apart", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, "#######\n###   #\n##@$  #\n##. . #\n##  $ #\n##    #\n#######\nAuthor: A. Body\n");
  await page.locator("#levels").getByText("A. Body").waitFor();
  await paste(page, "drruulDrdLddrU");
  await page.locator("#levels").getByText("14 moves, 3 pushes").waitFor();
  await paste(page, "RurDrdLLddrU");
  await page.locator("#levels").getByText("by moves: 12 moves, 5 pushes").waitFor();
  await page.locator("#levels").getByText("by pushes: 14 moves, 3 pushes").waitFor();
  await page.locator("#collection").filter({ hasText: "Pasted: 1 level, 1 solved" }).waitFor();
});

test("undo, redo and restart", async (page, address) => {
  await open(page, address);
  await keys(page, "ArrowRight", "ArrowRight");
  await counts(page, "2 moves, 1 push");
  await button(page, "Undo").click();
  await counts(page, "1 move, 0 pushes");
  await button(page, "Redo").click();
  await counts(page, "2 moves, 1 push");
  await keys(page, "Control+z", "u");
  await counts(page, "0 moves");
  await keys(page, "y", "y");
  await button(page, "Restart").click();
  await counts(page, "0 moves");
  await page.getByLabel("Move number").fill("2");
  await counts(page, "2 moves, 1 push");
});

test("a dead box is told, with the reason, unless that is switched off", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, CORNER);
  await counts(page, "0 moves");
  await keys(page, "ArrowDown", "ArrowRight", "ArrowRight");
  await status(page, "cannot be solved any more (dead square)");
  await keys(page, "u");
  await page.waitForFunction(() => !document.getElementById("status").textContent);
  await page.getByLabel("Warn when a box is dead").uncheck();
  await keys(page, "ArrowRight");
  await counts(page, "3 moves, 1 push");
  must(!(await page.locator("#status").textContent()), "a warning that was switched off");
});

test("a hint is shown and played", async (page, address) => {
  await open(page, address);
  await button(page, "Hint").click();
  await status(page, "Hint: push the marked box to the right");
  await keys(page, "Enter");
  await counts(page, "2 moves, 1 push");
});

test("a level is solved and its solution stepped through", async (page, address) => {
  await open(page, address);
  await button(page, "Next").click();
  await keys(page, "ArrowLeft");
  await page.getByLabel("Looking for").selectOption({ label: "fewest pushes, proved" });
  await button(page, "Solve").click();
  await page.locator("#result").filter({ hasText: "no solution has fewer pushes." }).waitFor();
  await disabled(page, "To the beginning");
  await button(page, "To the end").click();
  await disabled(page, "To the end");
  const slider = await page.getByLabel("Move number").elementHandle();
  await page.waitForFunction((element) => Number(element.max) > 2, slider); // it follows when the moves pause
  const most = await slider.getAttribute("max");
  await button(page, "To the beginning").click();
  await counts(page, "0 moves");
  await button(page, "One move on").click();
  await counts(page, "1 move");
  await button(page, "One move back").click();
  await counts(page, "0 moves");
  await button(page, "Play the film").click();
  await page.waitForFunction((end) => document.getElementById("scrub").value === end, most);
  await button(page, "Back to my game").click();
  await counts(page, "1 move, 0 pushes");
});

test("a solution is shortened", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, CORRIDOR);
  await paste(page, "rlrRR");
  await status(page, "Solved: 5 moves");
  await button(page, "Shorten").click();
  await page.locator("#result").filter({ hasText: "2 pushes, 3 moves; no solution has fewer pushes, and none with as few pushes has fewer moves." }).waitFor();
});

test("a result says what is proved about it, and no more", async (page, address) => {
  for (const [puzzle, method, words] of [[CORRIDOR, "astar", "2 pushes, 3 moves; no solution has fewer pushes."], ["2 1 3\n", "bfs", "1 move; no solution has fewer moves."],
    ["112\n112\n222\n", "bnb", "; no game scores more."], ["1213241\n2312413\n1132432\n4213214\n", "random", /points in \d+ moves\.$/]]) {
    await open(page, address);
    await pastePuzzle(page, puzzle);
    await page.getByLabel("Method").selectOption(method);
    await page.getByLabel("Seconds").fill("1");
    await button(page, "Solve").click();
    await page.locator("#result").filter({ hasText: words }).waitFor();
  }
});

test("run-length code, a file and a drop are read; what is wrong is told", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, "7#|#@-$-.#|7#");
  await page.locator("#collection").filter({ hasText: "Pasted: 1 level" }).waitFor();
  await page.getByLabel("Level file").setInputFiles({ name: "two.xsb", mimeType: "text/plain", buffer: Buffer.from(`${CORRIDOR}\n${ROOM}`) });
  await page.locator("#collection").filter({ hasText: "two.xsb: 2 levels" }).waitFor();
  await paste(page, "no puzzle at all");
  await status(page, "not recognised");
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.txt"));
    return transfer;
  }, "2 1 4 3\n");
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await page.locator("#collection").filter({ hasText: "dropped.txt: 1 stack" }).waitFor();
});

test("boxes and goals outside the player's area do not count", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, "#######\n#  .. # $*.\n#  $$@# $\n#     #\n#######\n");
  await button(page, "Edit level").click();
  await status(page, "This level is valid.");
  await button(page, "Discard").click();
  await keys(page, "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowUp");
  await status(page, "Solved: 6 moves, 2 pushes.");
  await button(page, "Restart").click();
  await button(page, "Backwards").click();
  await status(page, "Backwards: pull the boxes");
});

test("a level is drawn by keys and by mouse, and played", async (page, address) => {
  await open(page, address);
  await pastePuzzle(page, ROOM);
  await button(page, "Edit level").click();
  await status(page, "This level is valid");
  await page.getByRole("radio", { name: "Goal" }).click();
  await clickSquare(page, 8, 6, 4, 3);
  await status(page, "1 box, but only 0 goals");
  await button(page, "Play it").click();
  await status(page, "Not yet");
  await keys(page, "Control+z");
  await status(page, "This level is valid");
  await page.getByRole("group", { name: "Editor" }).getByRole("button", { name: "Clear" }).click();
  await status(page, "there is no player");
  await page.getByRole("group", { name: "Editor" }).getByRole("button", { name: "Undo" }).click();
  await clickSquare(page, 8, 6, 4, 3);
  await status(page, "1 box, but only 0 goals");
  await clickSquare(page, 8, 6, 1, 2);
  await status(page, "This level is valid");
  await keys(page, "1", "ArrowRight");
  await page.getByRole("group", { name: "Editor" }).getByLabel("Columns").fill("9");
  await page.keyboard.press("Tab");
  await button(page, "Play it").click();
  await page.locator("#name").filter({ hasText: "My level" }).waitFor();
  await keys(page, "ArrowLeft");
  await status(page, "Solved: 1 move, 1 push");
  for (const [what, name, part] of [["Level with its moves (.sok)", "My-level.sok", /#[^]*Title: My level[^]*Solution\nL/], ["The level alone (XSB)", "My-level.xsb", /^#[#@$. \n]*$/],
    ["The moves so far (LURD)", "My-level.lurd", /^L\n$/], ["Picture (SVG)", "My-level.svg", /^<svg/], ["Picture (PNG)", "My-level.png", /^.PNG/]]) {
    await page.getByRole("combobox", { name: "What", exact: true }).selectOption({ label: what });
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Save").click()]);
    must(file.suggestedFilename() === name, file.suggestedFilename());
    must(part.test(readFileSync(await file.path(), "latin1")), `${name}: ${readFileSync(await file.path(), "latin1").slice(0, 200)}`);
  }
});

test("in the editor nothing is solved, and what is drawn is copied", async (page, address, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, address);
  await pastePuzzle(page, CORRIDOR);
  await button(page, "Edit level").click();
  await page.getByRole("group", { name: "Editor" }).getByRole("button", { name: "Clear" }).click();
  await disabled(page, "Solve");
  await page.getByRole("combobox", { name: "What", exact: true }).selectOption({ label: "The level alone (XSB)" });
  await button(page, "Copy").click();
  await page.getByText("It is copied.").waitFor();
  must(await page.evaluate(() => navigator.clipboard.readText()) === "#######\n#     #\n#######\n", "another level was copied");
  await paste(page, "rRR");
  await status(page, "choose Play it first");
  await button(page, "Discard").click();
  await counts(page, "0 moves");
  await button(page, "Solve").click();
  await page.locator("#result").filter({ hasText: "Solved: 2 pushes, 3 moves" }).waitFor();
});

test("a puzzle that is solved already is said to be solved", async (page, address) => {
  for (const puzzle of ["#####\n#@* #\n#####\n", "0 1 2 3 4 5 6 7 8\n"]) {
    await open(page, address);
    await pastePuzzle(page, puzzle);
    await button(page, "Solve").click();
    await page.locator("#result").filter({ hasText: /^Solved: .*0 moves/ }).waitFor();
  }
});

test("a server with a short time limit", async (page) => {
  const short = await serve(program, "--time", "1.5");
  await open(page, short.address);
  await button(page, "Solve").click();
  await page.locator("#result").filter({ hasText: "Solved" }).waitFor();
  await page.getByRole("button", { name: "Pillar" }).click();
  await button(page, "Hint").click();
  await status(page, "Hint: push the marked box");
  await page.getByRole("link", { name: "Tiles" }).click();
  await button(page, "New board").click();
  await page.locator("#name").filter({ hasText: "New board" }).waitFor();
  await page.goto("about:blank");
  await short.stop();
});

test("a link holds the level", async (page, address, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, address);
  await page.getByRole("button", { name: "Pillar" }).click();
  await button(page, "Copy link").click();
  await page.getByText("The link is copied.").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await other.goto(link);
  await other.locator("#name").filter({ hasText: "Pillar" }).waitFor();
  await other.locator("#collection").filter({ hasText: "From a link: 1 level" }).waitFor();
});

test("a link that cannot be followed is told, and a level is on the board all the same", async (page, address) => {
  for (const [link, words] of [["#sokoban&level=%", "This link is damaged"], ["#nope&level=3", "nothing of the name nope"], ["#sokoban&level=abc", "no puzzle"]]) {
    await page.goto("about:blank");
    await open(page, address, link);
    await status(page, words);
    await page.locator("#name").filter({ hasText: "Corridor" }).waitFor();
  }
  await page.goto("about:blank");
  await page.goto(`${address}#lab&experiment=none`);
  await page.locator("#lab-view").filter({ hasText: "There is no experiment none in this store" }).waitFor();
});

test("each level has its own author and number", async (page, address) => {
  const two = "######\n#@$.$#\n######\n";
  await open(page, address);
  const listed = async () => (await page.locator("#levels button").allTextContents()).join("|");
  for (const [text, words] of [
    [`${CORRIDOR}Author: Ann\n\n${ROOM}\n${CORNER}Author: Cyd\n`, "Level 1Ann|Level 2|Level 3Cyd"],
    [`${CORRIDOR}\n${ROOM}\nAuthor: Bob\n`, "Level 1|Level 2Bob"],
    [`Author: All\n\n${CORRIDOR}Author: Ann\n\n${ROOM}\n`, "Level 1Ann|Level 2All"],
    [`Author: Ann\n${CORRIDOR}\nAuthor: Bob\n${ROOM}\n`, "Level 1Ann|Level 2Bob"],
    [`Author: All\n\n${CORRIDOR}\nAuthor: Ann\n\n${ROOM}\nAuthor: Bob\n`, "Level 1Ann|Level 2Bob"],
    [`Collection: C\nAuthor: All\n\n${CORRIDOR}\nAuthor: Ann\n\n${ROOM}\n`, "Level 1Ann|Level 2All"],
    [`Collection: C\n\n; 1\nAuthor: Ann\n${CORRIDOR}\n; 2\nAuthor: Bob\n${ROOM}\n`, "1Ann|2Bob"],
    [`Collection: C\n; 1\nAuthor: Ann\n${CORRIDOR}; 2\nAuthor: Bob\n${ROOM}`, "1Ann|2Bob"],
    [`Collection: C\nAuthor: All\n\n; 1\nAuthor: Ann\n${CORRIDOR}\n; 2\nAuthor: Bob\n${ROOM}\n`, "1Ann|2Bob"],
    [`Collection: C\nAuthor: All\n\nAuthor: Ann\n${CORRIDOR}\n${ROOM}\n`, "Level 1Ann|Level 2All"],
    [`${CORRIDOR}\n${two}\n${ROOM}\n`, "Level 1|Level 3"]]) {
    await pastePuzzle(page, text);
    await page.waitForFunction((wanted) => [...document.querySelectorAll("#levels button")].map((row) => row.textContent).join("|") === wanted, words)
      .catch(async () => must(false, `${await listed()} instead of ${words}`));
  }
  await page.locator("#collection").filter({ hasText: "Pasted: 2 levels; one could not be read: level 2 (line 6: more boxes than goals" }).waitFor();
});

test("what was pasted or named is there again after a reload", async (page) => {
  writeFileSync(`${lab.folder}/two.xsb`, `${CORRIDOR}\n${ROOM}`);
  const own = await serve(program, `${lab.folder}/two.xsb`);
  await open(page, own.address);
  await page.locator("#collection").filter({ hasText: "two.xsb: 2 levels" }).waitFor();
  await page.getByRole("button", { name: "Level 2" }).click();
  await page.reload();
  await page.locator("#collection").filter({ hasText: "two.xsb: 2 levels" }).waitFor();
  await page.locator("#levels [aria-current]").filter({ hasText: "Level 2" }).waitFor();
  await pastePuzzle(page, CORNER);
  await button(page, "Edit level").click();
  await button(page, "Play it").click();
  await page.locator("#name").filter({ hasText: "My level" }).waitFor();
  await page.reload();
  await page.locator("#collection").filter({ hasText: "Pasted: 2 levels" }).waitFor();
  await page.locator("#levels [aria-current]").filter({ hasText: "My level" }).waitFor();
  await page.goto("about:blank");
  await own.stop();
});

test("a search is shown by another browser, and its end when the server ends", async (page, address, context) => {
  const own = await serve(program);
  await open(page, own.address, "#samegame");
  await page.getByRole("button", { name: "fifteen by fifteen" }).click();
  await page.getByLabel("Seconds").fill("600");
  await button(page, "Solve").click();
  await page.locator("#facts").filter({ hasText: "running" }).waitFor();
  const elsewhere = await context.browser().newContext();
  const other = await elsewhere.newPage();
  await open(other, own.address, "#samegame");
  await other.getByRole("button", { name: "fifteen by fifteen" }).click();
  await other.locator("#facts").filter({ hasText: "running" }).waitFor();
  await elsewhere.close();
  await own.stop();
  await page.locator("#result").filter({ hasText: /Best game found|No solution was found \(cancelled\)/ }).waitFor();
});

test("a server that was killed is said not to answer, and its search to be gone", async (page) => {
  const own = await serve(program);
  page.removeAllListeners("console"); // the browser reports the lost connection there
  await open(page, own.address, "#samegame");
  await page.getByRole("button", { name: "fifteen by fifteen" }).click();
  await page.getByLabel("Seconds").fill("600");
  await button(page, "Solve").click();
  await page.locator("#facts").filter({ hasText: "running" }).waitFor();
  await own.stop("SIGKILL");
  await page.locator("#facts").filter({ hasText: "the server does not answer" }).waitFor();
  const again = await serve(program, "--port", new URL(own.address).port);
  await page.locator("#result").filter({ hasText: "No result: the server no longer has this job." }).waitFor();
  must(await page.locator("#facts").isHidden(), "a state is still shown");
  must(await button(page, "Solve").isEnabled(), "nothing can be solved");
  await page.goto("about:blank");
  await again.stop();
});

test("a search is found again after a reload, and cancelled", async (page, address) => {
  await open(page, address, "#samegame");
  await page.getByRole("button", { name: "fifteen by fifteen" }).click();
  await page.getByLabel("Seconds").fill("600");
  await button(page, "Solve").click();
  await page.locator("#facts").filter({ hasText: "running" }).waitFor();
  await page.reload();
  await page.locator("#facts").filter({ hasText: "running" }).waitFor();
  await button(page, "Cancel").click();
  await page.locator("#result").filter({ hasText: /Best game found: \d+ points|No solution was found \(cancelled\)/ }).waitFor();
});

test("a search is watched: its best line is on the board", async (page, address) => {
  await open(page, address, "#samegame");
  await page.getByRole("button", { name: "ten by ten" }).click();
  await page.getByLabel("Seconds").fill("600");
  await page.getByLabel("Method").selectOption("nrpa");
  await button(page, "Solve").click();
  await status(page, "The best line that the search has found so far");
  await page.getByRole("img", { name: "Best result over time" }).waitFor();
  await button(page, "Back to my game").click();
  await button(page, "Cancel").click();
  await page.locator("#result").filter({ hasText: "Best game found" }).waitFor();
});

test("a game of SameGame by keys and mouse", async (page, address) => {
  await open(page, address, "#samegame");
  await keys(page, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight");
  await status(page, "7 blocks: 25 points");
  await keys(page, "Enter");
  await counts(page, "25 points, 1 move, 9 blocks left");
  for (let round = 0; round < 12 && !(await page.locator("#status").textContent()).includes("over"); round++)
    for (let x = 0; x < 4; x++) for (let y = 0; y < 4; y++) await clickSquare(page, 4, 4, x, y);
  await status(page, "The game is over");
});

test("tiles and pancakes are played and solved", async (page, address) => {
  await open(page, address, "#tiles");
  await pastePuzzle(page, "1 0 2 3 4 5 6 7 8");
  await keys(page, "ArrowRight");
  await status(page, "Solved: 1 move");
  await page.getByRole("link", { name: "Pancakes" }).click();
  await page.locator("#name").filter({ hasText: "Stack 1" }).waitFor();
  await button(page, "Solve").click();
  await page.locator("#result").filter({ hasText: "Solved" }).waitFor();
  await pastePuzzle(page, "2 1 3");
  await keys(page, "ArrowDown", "Enter");
  await status(page, "Solved: 1 flip");
});

test("new puzzles of every kind", async (page, address) => {
  await open(page, address);
  for (const [kind, name] of [["Pancakes", "New stack"], ["Tiles", "New board"], ["SameGame", "New board"], ["Sokoban", "New level"]]) {
    await page.getByRole("link", { name: kind }).click();
    await button(page, name).click();
    await page.locator("#name").filter({ hasText: name }).waitFor();
  }
  await page.getByLabel("Difficulty of a new level").selectOption("medium");
  await page.getByLabel("Seed").fill("3");
  await button(page, "New level").click();
  await status(page, /the fewest pushes that solve it are (1[5-9]|[2-9]\d)/);
  await page.locator("#name").filter({ hasText: "New level 3" }).waitFor();
});

test("bookmarks, and progress exported and imported", async (page, address, context) => {
  await open(page, address);
  await keys(page, "ArrowRight", "b", "ArrowRight", "ArrowRight");
  await status(page, "Solved");
  await button(page, "Go to bookmark 1").click();
  await counts(page, "1 move");
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Export progress").click()]);
  const path = await file.path();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByLabel("Progress file").setInputFiles(path);
  await status(page, "is imported");
  await page.locator("#levels [aria-current]").filter({ hasText: "3 moves, 2 pushes" }).waitFor();
  for (const [text, words] of [["no JSON", "This is not a progress file of Soloist."], ["{\"soloist\":1,\"entries\":null}", "This is not a progress file"],
    ["{\"soloist\":1,\"entries\":{\"sokoban:abc\":5,\"sokoban:abd\":{}}}", "Progress on 1 puzzle is imported. One entry of the file is damaged"]]) {
    await page.getByLabel("Progress file").setInputFiles({ name: "progress.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await status(page, words);
  }
});

test("a telephone", async (page, address) => {
  await open(page, address);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  must(wide <= 360, `the page is ${wide} wide`);
  await button(page, "Levels").click();
  await page.getByRole("button", { name: "Pillar" }).click();
  await page.locator("#name").filter({ hasText: "Pillar" }).waitFor();
  await board(page).tap({ position: { x: 170, y: 170 } });
  await button(page, "Levels").click();
  await pastePuzzle(page, CORRIDOR);
  await button(page, "Levels").click();
  await counts(page, "0 moves");
  const { x, y } = await board(page).boundingBox();
  const finger = await page.context().newCDPSession(page);
  for (const [type, at] of [["touchStart", 40], ["touchMove", 80], ["touchMove", 120], ["touchEnd", null]])
    await finger.send("Input.dispatchTouchEvent", { type, touchPoints: at === null ? [] : [{ x: x + at, y: y + 60 }] });
  await counts(page, "1 move");
}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

test("everything by keyboard alone", async (page, address) => {
  await open(page, address);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("n");
  await page.locator("#name").filter({ hasText: "Around the corner" }).waitFor();
  await page.keyboard.press("s");
  await page.locator("#result").filter({ hasText: "Solved" }).waitFor();
  for (let i = 0; i < 60 && (await page.evaluate(() => document.activeElement.id)) !== "open-paste"; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type(CORRIDOR);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#collection").filter({ hasText: "Pasted" }).waitFor();
});

/** Every view without a fault that axe finds. */
async function examine(page, address) {
  await page.addInitScript({ path: axe });
  const views = { "": async () => {}, "#samegame": async () => {}, "#tiles": async () => {}, "#pancake": async () => {} };
  for (const view of Object.keys(views)) {
    await page.goto("about:blank");
    await open(page, address, view);
    await checkView(page, view || "#sokoban");
  }
  await open(page, address);
  await button(page, "Edit level").click();
  await checkView(page, "editor");
  await button(page, "Discard").click();
  await button(page, "Backwards").click();
  await checkView(page, "backwards");
  await button(page, "Backwards").click();
  await button(page, "Solve").click();
  await page.locator("#result").filter({ hasText: "Solved" }).waitFor();
  await checkView(page, "solution");
  await button(page, "Paste").click();
  await checkView(page, "paste");
  await button(page, "Close").click();
  await button(page, "Help").click();
  await checkView(page, "help");
  await button(page, "Close").click();
  await page.getByRole("link", { name: "Lab" }).click();
  await page.getByRole("main", { name: "Lab" }).getByRole("heading", { level: 3 }).last().waitFor();
  await checkView(page, "lab");
  await page.getByRole("link", { name: "mine.safetensors.run" }).click();
  await page.getByRole("heading", { name: "Curves" }).waitFor();
  await checkView(page, "training");
}

async function checkView(page, view) {
  const { violations } = await page.evaluate(() => window.axe.run());
  const words = violations.map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
  must(!words.length, `${view}: ${words.join("; ")}`);
}

test("axe finds nothing, light", examine, { colorScheme: "light" });
test("axe finds nothing, dark", examine, { colorScheme: "dark" });

const [program, ...words] = process.argv.slice(2);
const lab = makeLab(program);
declareLabTests(lab);
const server = await serve(program, ...lab.words);
const good = await runAll(server.address, words);
await server.stop();
rmSync(lab.folder, { recursive: true });
process.exit(good ? 0 : 1);
