// Drives the page in Chromium as a person would. Usage: node run.mjs PROGRAM CHROMIUM IMAGES
import { spawn } from "node:child_process";
import { readFile, mkdir, writeFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [program, executablePath, images] = process.argv.slice(2);
await mkdir(images, { recursive: true });

const twin = program.replace(/fivestone$/, "pbrain-fivestone");
const folder = await mkdtemp(join(tmpdir(), "fivestone-"));
await writeFile(join(folder, "serve.toml"), `[[external]]\nname = "brother"\ncommand = ${JSON.stringify(twin)}\n`);
const server = spawn(program, ["serve", "--no-open", "--address", "127.0.0.1:0", "--config", join(folder, "serve.toml"), "--external", `twin=${twin}`], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((found, failed) => {
  let said = "";
  server.stdout.on("data", data => { said += data; const at = said.match(/http:\S+/); if (at) found(at[0]); });
  server.on("exit", code => failed(new Error(`the server left with ${code}: ${said}`)));
});

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
/** What the consoles of all pages complained about. */
const complaints = [];
const figures = [];
/** A game with mistakes; the one that was played when there is one. */
let played = "h8g9h9a1h10h11i8a15h7";

async function open({ hash = "", phone = false, csp = true, preferences = {} } = {}) {
  const context = await browser.newContext({ viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 860 }, hasTouch: phone, isMobile: phone, deviceScaleFactor: phone ? 2 : 1, bypassCSP: !csp, permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true, locale: "en-GB" });
  await context.addInitScript(kept => { if (!localStorage.getItem("fivestone")) localStorage.setItem("fivestone", JSON.stringify(kept)); }, { theme: "wood", game: { opponent: "level:1", time: 0.3, ...preferences.game }, ...Object.fromEntries(Object.entries(preferences).filter(([key]) => key !== "game")) });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  page.on("console", message => { if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`); });
  page.on("pageerror", error => complaints.push(`uncaught: ${error.message}`));
  page.on("requestfailed", request => { if (!request.failure()?.errorText.includes("ABORTED")) complaints.push(`failed: ${request.url()}`); });
  page.on("request", request => { if (!request.url().startsWith(url) && !/^(ws|blob|data):/.test(request.url())) complaints.push(`third party: ${request.url()}`); });
  await page.goto(url + hash);
  return page;
}

const ask = async (path, body) => {
  const response = await fetch(`${url}api/${path}`, body ? { method: "POST", body: JSON.stringify(body) } : {});
  return response.json();
};
/** Takes back complaints about something that was meant to be refused. */
const forgive = part => complaints.splice(0, complaints.length, ...complaints.filter(words => !words.includes(part)));
const check = (truth, words) => { if (!truth) throw new Error(words); };
const status = (page, words) => page.waitForFunction(part => document.querySelector("#status").textContent.includes(part), words);
const stones = page => page.locator(".board .stone").count();
const put = (page, point) => page.click(`[data-point="${point}"]`);
const idle = () => poll(async () => { const { running, waiting } = await ask("load"); return running + waiting === 0; });
async function poll(question, patience = 10000) {
  const started = performance.now();
  while (performance.now() - started < patience) { if (await question()) return performance.now() - started; await new Promise(next => setTimeout(next, 5)); }
  throw new Error(`waited in vain: ${question}`);
}
async function newGame(page, choices) {
  await page.click("#new-game");
  for (const [id, value] of Object.entries(choices)) await page.selectOption(`#new-game-dialog #${id}`, value);
  await page.click("#start");
}
const moves = page => page.evaluate(() => [...document.querySelectorAll("#variations .move")].map(move => move.firstChild.textContent).join(""));
async function close(page) { await page.context().close(); }

const tests = {
  async "the page is light and quick"() {
    const page = await open();
    await status(page, "Your turn");
    const entries = await page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).map(entry => entry.transferSize));
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    const weight = entries.reduce((sum, size) => sum + size, 0);
    figures.push(`page weight ${(weight / 1000).toFixed(1)} kB in ${entries.length} requests, first contentful paint ${paint?.toFixed(0)} ms`);
    check(weight < 300_000, `the page weighs ${weight} bytes`);
    await close(page);
    const again = await open();
    await status(again, "Your turn");
    figures.push(`first contentful paint of the next page ${await again.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime.toFixed(0))} ms`);
    await close(again);
  },

  async "a whole game is played and won"() {
    const page = await open();
    await status(page, "Your turn");
    const delay = await page.evaluate(() => new Promise(done => {
      const started = performance.now();
      new MutationObserver(() => requestAnimationFrame(() => done(performance.now() - started))).observe(document.querySelector(".board .sheet"), { subtree: true, childList: true });
      document.querySelector('[data-point="h8"]').click();
    }));
    figures.push(`a stone is drawn ${delay.toFixed(1)} ms after the click`);
    for (let turn = 0; turn < 60; turn++) {
      const words = await page.waitForFunction(() => { const words = document.querySelector("#status").textContent; const answered = document.querySelectorAll(".board .stone").length % 2 === 0; return (/wins|win!/.test(words) || answered && /Your turn/.test(words)) && words; }).then(handle => handle.jsonValue());
      if (!words.includes("Your turn")) break;
      if (turn === 3) await page.screenshot({ path: join(images, "play.png") });
      const acted = await ask("act", { game: { moves: await moves(page) }, player: { visits: 400, seed: 1 } });
      const before = await stones(page);
      await put(page, acted.decision);
      await page.waitForFunction(count => document.querySelectorAll(".board .stone").length > count, before);
    }
    await status(page, "You win!");
    check(await page.locator(".win").count() === 1, "the five is not shown");
    played = await moves(page);
    await page.click("#rematch");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 1);
    await status(page, "Your turn (White)");
    await close(page);
  },

  async "undo, hint and resign work, and a clock runs"() {
    const page = await open();
    await status(page, "Your turn");
    await newGame(page, { clock: "5+5" });
    await status(page, "Your turn");
    await put(page, "h8");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 2);
    await page.click("#undo");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 0);
    await page.click("#hint");
    await page.waitForSelector(".hintmark", { state: "attached" });
    check(await page.locator(".clock").count() === 2, "there is no clock");
    await page.click("#resign");
    await status(page, "You lose");
    await close(page);
  },

  async "swap2 as the first player"() {
    const page = await open();
    await status(page, "Your turn");
    await newGame(page, { opening: "swap2", rule: "standard", side: "first", opponent: "level:4" });
    for (const point of ["h8", "h9", "i10"]) { await page.waitForSelector("#task >> text=stone"); const before = await stones(page); await put(page, point); await page.waitForFunction(count => document.querySelectorAll(".board .stone").length > count, before); }
    // The opponent takes a side, or adds two stones and lets us choose.
    const asked = await page.waitForFunction(() => (document.querySelector('[data-choice="white"]') ? "choose" : /Your turn/.test(document.querySelector("#status").textContent) && !document.querySelector("#task") ? "play" : false)).then(handle => handle.jsonValue());
    if (asked === "choose") { check(await stones(page) === 5, "two stones were to be added"); await page.click('[data-choice="white"]'); }
    await status(page, "Your turn");
    const before = await stones(page);
    await put(page, "c3");
    await page.waitForFunction(count => document.querySelectorAll(".board .stone").length >= count + 2, before);
    await close(page);
  },

  async "swap2 as the second player"() {
    const page = await open();
    await status(page, "Your turn");
    await newGame(page, { opening: "swap2", rule: "standard", side: "second", opponent: "level:4" });
    await page.waitForSelector('[data-choice="add"]');
    check(await stones(page) === 3, "three stones were to be put");
    check((await page.textContent("#task")).includes("take Black"), "the choice is not explained");
    await page.click('[data-choice="add"]');
    for (const point of ["b2", "n2"]) { await page.waitForSelector("#task >> text=stone"); const count = await stones(page); await put(page, point); await page.waitForFunction(count => document.querySelectorAll(".board .stone").length > count, count); }
    await status(page, "Your turn");
    const before = await stones(page);
    await page.click("#undo");
    await page.waitForFunction(count => document.querySelectorAll(".board .stone").length < count, before);
    await close(page);
  },

  async "renju forbidden points are shown and explained"() {
    const other = await open({ hash: "#rule=renju&size=15&moves=g8a1i8o15h7a15h9o1" });
    await other.waitForSelector(".forbid", { state: "attached" });
    check((await other.getAttribute('[data-point="h8"]', "aria-label")).includes("double three"), "h8 is not explained");
    await other.keyboard.press("Escape");
    await put(other, "h8");
    await status(other, "forbidden point (double three)");
    await close(other);
  },

  async "another program can be played against"() {
    const page = await open();
    await status(page, "Your turn");
    for (const opponent of ["external:twin", "external:brother"]) {
      await newGame(page, { opponent });
      await status(page, "Your turn");
      await put(page, "h8");
      await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 2);
      await put(page, await page.evaluate(() => ["h11", "a1"].find(point => document.querySelector(`[data-point="${point}"]`).getAttribute("aria-label").includes("empty"))));
      await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 4);
      await page.click("#undo");
      await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 2);
    }
    check((await ask("load")).programs === 2, "the programs were not kept");
    await close(page);
    await poll(async () => (await ask("load")).programs === 0);
  },

  async "analysis starts, shows candidates, and stops"() {
    const page = await open({ hash: "#rule=standard&size=15&moves=h8g7e11i7h6h7j7g6" });
    await status(page, "Black to move");
    await page.waitForSelector("#toggle-analysis");
    const first = await page.evaluate(() => new Promise(done => {
      const started = performance.now();
      const watch = new MutationObserver(() => { if (document.querySelector("#lines tr")) { watch.disconnect(); done(performance.now() - started); } });
      watch.observe(document.body, { subtree: true, childList: true });
      document.querySelector("#toggle-analysis").click();
    }));
    figures.push(`first candidates after ${first.toFixed(0)} ms`);
    await page.waitForFunction(() => document.querySelectorAll("#lines tr").length >= 3 && document.querySelectorAll(".cand-text").length >= 3);
    const frames = await page.evaluate(() => new Promise(done => { let count = 0; const started = performance.now(); const frame = () => { count++; if (performance.now() - started > 1000) done(count / (performance.now() - started) * 1000); else requestAnimationFrame(frame); }; requestAnimationFrame(frame); }));
    figures.push(`${frames.toFixed(0)} frames a second while the stream runs`);
    for (const layer of ["policy", "threats"]) await page.check(`#layer-${layer}`);
    await page.hover("#lines tr");
    await page.waitForFunction(() => document.querySelectorAll(".board .sheet .stone").length > 8);
    await page.hover('[data-point="i8"]');
    await page.waitForFunction(() => document.querySelector("#why").textContent.includes("i8"));
    await page.mouse.move(5, 5);
    await page.screenshot({ path: join(images, "analyse.png") });
    await page.click("#toggle-analysis");
    const stopped = await idle();
    figures.push(`search ended ${stopped.toFixed(0)} ms after Stop was pressed`);
    await page.click("#toggle-analysis");
    await poll(async () => (await ask("load")).running > 0);
    await page.evaluate(() => addEventListener("pagehide", () => sessionStorage.setItem("gone", String(Date.now()))));
    const leaving = page.goto(`${url}icon.svg`);
    await idle();
    const ended = Date.now();
    await leaving;
    figures.push(`search ended ${ended - await page.evaluate(() => Number(sessionStorage.getItem("gone")))} ms after its page went`);
    await close(page);
    // A picture alone has no icon of its own.
    forgive("404");
  },

  async "the tables of the papers' engines lie on the board"() {
    const page = await open({ hash: "#rule=freestyle&size=15&moves=h8i9g7" });
    await status(page, "White to move");
    await page.selectOption("#explained", "monomial-v3");
    await page.waitForSelector("#table");
    const numbers = () => page.locator(".board .layer-text.ink").count();
    await page.waitForFunction(() => document.querySelectorAll(".board .layer-text.ink").length > 5);
    await page.selectOption("#table", "assessment");
    await page.hover('[data-point="h9"]');
    await page.waitForFunction(() => document.querySelector("#why").textContent.includes("monomial-v3, assessment"));
    await page.mouse.move(5, 5);
    await page.screenshot({ path: join(images, "why.png") });
    await put(page, "h9");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 4 && document.querySelectorAll(".board .layer-text.ink").length > 5);
    await page.selectOption("#explained", "");
    await page.waitForFunction(() => !document.querySelector("#table"));
    check(await numbers() === 0, "the numbers are still there");
    await close(page);
  },

  async "openings are named and told, levels say whether they are rated"() {
    const page = await open();
    await status(page, "Your turn");
    await page.click("#new-game");
    check(/rated/.test(await page.textContent("#opponent")), "levels say nothing of their rating");
    await page.keyboard.press("Escape");
    await newGame(page, { opponent: "human", opening: "swap2" });
    for (const point of ["h8", "h9", "i9"]) await put(page, point), await page.waitForSelector(`[data-point="${point}"][aria-label*="stone"]`);
    await page.waitForFunction(() => document.querySelector("#opening-name").textContent.includes("Kagetsu (D4)"));
    await page.click('[data-choice="black"]');
    await page.waitForFunction(() => document.querySelectorAll("#story li").length === 2 && document.querySelector("#story").textContent.includes("chose Black"));
    await close(page);
  },

  async "a forbidden point is not played by accident"() {
    const page = await open({ hash: "#rule=renju&size=15&moves=g8a1i8o15h7a15h9o1" });
    await status(page, "Black to move");
    await page.click("#continue");
    await status(page, "Black to move");
    await put(page, "h8");
    await page.waitForFunction(() => document.querySelector("#toast").textContent.includes("forbidden (double three)"));
    check(await stones(page) === 9 || await page.locator(".board .stone:not(.ghost)").count() === 8, "the stone was put at once");
    await put(page, "h8");
    await status(page, "forbidden point (double three)");
    await close(page);
  },

  async "the opponent thinks on your time"() {
    const page = await open({ preferences: { game: { opponent: "level:9", time: 0.3, ponder: true } } });
    await status(page, "Your turn");
    await poll(async () => (await ask("load")).running > 0);
    await put(page, "h8");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 2);
    await poll(async () => (await ask("load")).running > 0);
    await page.click("#resign");
    await idle();
    await close(page);
  },

  async "a forced win is proven and can be played through"() {
    const page = await open({ hash: "#rule=freestyle&size=15&moves=h8a1h9a3h10c1" });
    await status(page, "Black to move");
    await page.click("#toggle-analysis");
    await page.waitForSelector(".proof .play-line");
    check(/Proven: Black wins in \d+/.test(await page.textContent("#proofs")), "the proof is not told");
    await page.click(".proof .defences summary");
    check((await page.locator(".proof .defences li").count()) > 0, "no defence is refuted");
    await page.click(".proof .play-line");
    await status(page, "Black wins");
    await close(page);
  },

  async "variations are kept, promoted and deleted"() {
    const page = await open({ hash: "#rule=freestyle&size=15&moves=h8h9(i9j9)i10" });
    await status(page, "to move");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector('.move[aria-current="true"]:has-text("i9")');
    await page.keyboard.press("p");
    await page.keyboard.press("End");
    check((await moves(page)).startsWith("h8i9h9i10j9") || (await moves(page)).startsWith("h8i9"), `promoted: ${await moves(page)}`);
    await page.keyboard.press("Delete");
    check(!(await moves(page)).includes("j9"), "j9 is still there");
    await close(page);
  },

  async "records come in and go out"() {
    const page = await open();
    await status(page, "Your turn");
    const psq = join(folder, "game.psq");
    await writeFile(psq, "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n8,9,15\r\n9,9,20\r\n7,7,30\r\nBlack\r\nWhite\r\n-1\r\n");
    await page.click("#open-record");
    await page.setInputFiles("#open-file", psq);
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 4);
    check(await moves(page) === "h8h7i7g9", `read ${await moves(page)}`);
    for (const format of ["sgf", "psq", "lib", "txt", "json"]) {
      await page.click("#save-record");
      await page.selectOption("#format", format);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
      const bytes = await readFile(await download.path());
      check(bytes.length > 8, `${format} is empty`);
      const again = join(folder, `again.${format}`);
      await writeFile(again, bytes);
      await page.keyboard.press("Home");
      await page.click("#open-record");
      await page.setInputFiles("#open-file", again);
      await page.waitForSelector("#open-dialog", { state: "detached" });
      await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 4);
      check(await moves(page) === "h8h7i7g9", `${format} came back as ${await moves(page)}`);
    }
    const passed = join(folder, "passed.sgf");
    await writeFile(passed, "(;GM[4]SZ[15];B[hh];W[hi];B[];W[ii])");
    await page.click("#open-record");
    await page.setInputFiles("#open-file", passed);
    await page.waitForSelector("#problems-dialog >> text=move 3 is a pass");
    await page.keyboard.press("Escape");
    await page.click("#open-record");
    await page.fill("#open-text", "this is not a game at all");
    await page.click("#open-it");
    await page.waitForFunction(() => document.querySelector("#open-problem").textContent.length > 5);
    await page.fill("#open-text", "h8 i9 j10 g7 h7");
    forgive("400");
    await page.click("#open-it");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 5);
    await close(page);
  },

  async "a game is reviewed and a mistake tried again"() {
    const page = await open({ hash: `#rule=freestyle&size=15&moves=${played}`, preferences: { reviewTime: 0.1 } });
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length > 5);
    await page.click("#tab-review");
    await page.click("#start-review");
    await page.waitForSelector("#faults .fault", { timeout: 40000 });
    check(await page.locator("#variations .mark").count() > 0, "the moves are not marked");
    await page.screenshot({ path: join(images, "review.png") });
    await page.click("#faults .try >> nth=0");
    await page.waitForSelector("#trial");
    await put(page, await page.evaluate(() => ["o1", "o2", "a1", "a2"].find(point => document.querySelector(`[data-point="${point}"]`).getAttribute("aria-label").includes("empty"))));
    await page.waitForSelector("#verdict");
    await page.waitForFunction(() => /loses|Right|Good/.test(document.querySelector("#verdict").textContent));
    await page.click("#save-review");
    await page.selectOption("#format", "sgf");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    check((await readFile(await download.path(), "utf8")).includes("▸"), "the report is not in the record");
    await close(page);
  },

  async "a link holds the game"() {
    const page = await open({ hash: "#rule=renju&size=17&moves=i9h9(j10k11)j9&at=i9h9" });
    await status(page, "Black to move");
    await page.keyboard.press("Escape");
    await page.keyboard.press("l");
    const link = await page.inputValue("#share-link");
    const other = await open({ hash: new URL(link).hash });
    await other.waitForFunction(() => document.querySelectorAll(".board .stone").length === 2);
    check((await moves(other)).replace(/\d+\./g, "") === "i9h9j10k11j9", `came back as ${await moves(other)}`);
    check(await other.locator('[data-point="q17"]').count() === 1, "the board has the wrong size");
    const bad = await open({ hash: "#rule=nonsense&size=15&moves=h8" });
    await bad.waitForFunction(() => document.querySelector("#toast").textContent.includes("nonsense"));
    forgive("400");
    for (const each of [page, other, bad]) await close(each);
  },

  async "everything goes by keyboard"() {
    const page = await open();
    await status(page, "Your turn");
    await page.keyboard.press("?");
    await page.waitForSelector("#help-dialog");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#help-dialog", { state: "detached" });
    await page.keyboard.press("n");
    await page.waitForSelector("#new-game-dialog");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#new-game-dialog", { state: "detached" });
    await status(page, "Your turn");
    await page.keyboard.press("b");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 2);
    check((await page.getAttribute('[data-point="i8"]', "aria-label")).includes("Black stone"), "the stone is not where the keys put it");
    await page.keyboard.press("u");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 0);
    await page.keyboard.press("2");
    await page.waitForSelector("#lines tr");
    await page.keyboard.press("a");
    await idle();
    await page.keyboard.press("t");
    await page.waitForSelector('html[data-theme="dark"]');
    await page.keyboard.press("1");
    await page.keyboard.press("o");
    await page.waitForSelector("#open-text:focus");
    await page.keyboard.type("h8i9");
    await page.keyboard.press("Tab"); await page.keyboard.press("Tab"); await page.keyboard.press("Tab"); await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".board .stone:not(.ghost)").length === 2);
    await close(page);
  },

  async "it fits a phone and can be touched"() {
    const page = await open({ phone: true });
    await status(page, "Your turn");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(wide <= 0, `the page is ${wide} pixels too wide`);
    const box = await page.locator("#board").boundingBox();
    check(box.width > 330, `the board is only ${box.width} wide`);
    await page.tap('[data-point="h8"]');
    await page.waitForFunction(() => document.querySelectorAll(".board .stone").length === 2);
    await page.screenshot({ path: join(images, "phone.png") });
    await close(page);
  },

  async "it speaks Chinese"() {
    const page = await open({ preferences: { language: "zh", theme: "dark" } });
    await status(page, "轮到你");
    check((await page.textContent("#new-game")) === "新对局", "the button is not translated");
    const missing = await page.evaluate(async () => { const [en, zh] = await Promise.all([import("./lang/en.js"), import("./lang/zh.js")]); return Object.keys(en.default).filter(key => !(key in zh.default)).concat(Object.keys(zh.default).filter(key => !(key in en.default))); });
    check(missing.length === 0, `words missing: ${missing}`);
    await close(page);
  },

  async "axe finds no serious fault"() {
    const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    for (const theme of ["wood", "dark"]) {
      const page = await open({ csp: false, preferences: { theme }, hash: "#rule=renju&size=15&moves=h8g7h9(i9)h10" });
      await status(page, "to move");
      await page.evaluate(axe);
      const look = async where => {
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const serious = found.violations.filter(fault => ["serious", "critical"].includes(fault.impact));
        check(serious.length === 0, `${theme}, ${where}: ${serious.map(fault => `${fault.id} (${fault.nodes[0].html.slice(0, 140)}; ${fault.nodes[0].failureSummary})`).join("; ")}`);
      };
      await page.waitForSelector("#toggle-analysis");
      await look("analyse");
      await page.click("#new-game");
      await look("new game");
      await page.keyboard.press("Escape");
      await page.click("#settings");
      await look("settings");
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await look("help");
      await page.keyboard.press("Escape");
      await page.click("#tab-review");
      await look("review");
      await page.click("#tab-play");
      await look("play");
      if (theme === "dark") await page.screenshot({ path: join(images, "dark.png") });
      await close(page);
    }
  },

  async "many pages at once do not break it"() {
    const page = await open();
    await status(page, "Your turn");
    const said = await page.evaluate(async () => {
      const live = new URL("api/live", location.href).href.replace("http", "ws");
      window.sockets = await Promise.all(Array.from({ length: 110 }, () => new Promise((done, failed) => { const socket = new WebSocket(live); socket.onopen = () => done(socket); socket.onerror = failed; })));
      return Promise.all(window.sockets.slice(0, 10).map((socket, i) => new Promise(done => { socket.onmessage = event => done(JSON.parse(event.data).is); socket.send(JSON.stringify({ do: "analyse", id: i, game: { moves: "h8h9i10" }, lines: 3 })); })));
    });
    check(said.length === 10 && said.every(word => word === "report"), `not every page heard something: ${said}`);
    const started = performance.now();
    const acted = await ask("act", { game: { moves: "h8" }, player: { level: 2 } });
    figures.push(`a move came ${(performance.now() - started).toFixed(0)} ms after the question, with 10 pages analysing and 100 idle`);
    check(acted.decision, "no move came");
    await close(page);
    await idle();
  },
};

const wanted = process.env.ONLY;
let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  if (wanted && !name.includes(wanted)) continue;
  const started = performance.now();
  try {
    await test();
    if (complaints.length) throw new Error(`the console complained: ${complaints.splice(0).join(" | ")}`);
    console.log(`ok   ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures++;
    complaints.length = 0;
    console.log(`FAIL ${name}: ${error.message.split("\n").slice(0, 4).join("\n")}`);
    for (const context of browser.contexts()) { for (const page of context.pages()) await page.screenshot({ path: join(tmpdir(), "fivestone-failure.png") }).catch(() => {}); await context.close().catch(() => {}); }
  }
}
await browser.close();
server.kill();
for (const figure of figures) console.log(`     ${figure}`);
if (failures) { console.log(`${failures} failed`); process.exit(1); }
