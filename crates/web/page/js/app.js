/** The page: brings board, game and panels together. @module */
import { Board } from "./board.js";
import { announce, byId, svg, toast } from "./dom.js";
import { connect, ask, watchConnection } from "./wire.js";
import { applyTheme, keep, preferences } from "./preferences.js";
import { colorToMove, emit, goTo, lineEnd, movesTo, on, refresh, state } from "./state.js";
import * as analyse from "./analyse.js";
import * as play from "./play.js";
import * as review from "./review.js";
import * as dialogs from "./dialogs.js";
import { cross, drawLayers } from "./layers.js";
import { open, openLinked } from "./records.js";
import { readLink } from "./share.js";
import { showGraph } from "./graph.js";
import { showVariations } from "./variations.js";
import { setLanguage, t } from "./words.js";
import { click } from "./sound.js";

applyTheme();
/** @type {string | null} */
let hovered = null;
/** @type {string | null} */
let confirming = null;

const board = new Board(byId("board"), {
  play: point => {
    if (preferences.confirm && confirming !== point && !movesTo(state.node).includes(point)) { confirming = point; toast(t("tapAgain", { point })); showMarks(); return; }
    confirming = null;
    if (state.mode === "play") play.playPoint(point);
    else if (movesTo(state.node).includes(point)) jumpTo(point);
    else if (state.mode === "analyse") analyse.playHere(point);
    else review.playPoint(point);
  },
  hover: point => { hovered = point; analyse.pointAt(point); showMarks(); },
});
analyse.setBoard(board);

/** A stone on the board leads to its move. @param {string} point */
function jumpTo(point) {
  /** @type {import("./tree.js").Node | null} */
  let at = state.node;
  while (at && at.move !== point) at = at.parent;
  if (at) goTo(at);
}

/** @param {boolean} [played] */
function showStones(played = false) {
  board.coordinates = preferences.coordinates;
  board.resize(state.size);
  const moves = movesTo(state.node);
  const forbidden = new Map((state.info?.forbidden ?? []).map((/** @type {any} */ f) => [f.point, f.why]));
  board.setStones(moves, { numbers: preferences.numbers, forbidden });
  showLayers();
  showMarks();
  if (played) click();
  byId("ply").textContent = `${state.node.ply} / ${lineEnd(state.node).ply}`;
}

function showMarks() {
  const moves = movesTo(state.node), info = state.info;
  const under = /** @type {Node[]} */ ([]), over = /** @type {Node[]} */ ([]);
  const task = info?.task;
  if (state.mode === "play" && task && play.humanToAct()) {
    const marked = task.allowed && task.allowed.length < board.size * board.size - moves.length ? task.allowed : task.offers ?? [];
    for (const point of marked) { const [x, y] = board.centre(point); under.push(svg("circle", { class: "allowed", cx: x, cy: y, r: 15 })); }
  }
  for (const point of task?.kind === "offer" || task?.kind === "pick" ? task.offers : []) { const [x, y] = board.centre(point); over.push(svg("circle", { class: "hintmark", cx: x, cy: y, r: 13 })); }
  if (state.mode !== "analyse" && preferences.layers.forbidden && info && !info.end) for (const { point } of info.forbidden) over.push(cross(board, point));
  const candidates = analyse.marks();
  const last = moves[moves.length - 1];
  if (last && !preferences.numbers) { const [x, y] = board.centre(last); over.push(svg("circle", { class: "last", cx: x, cy: y, r: 6 })); }
  if (info?.end?.row?.length) {
    const ends = info.end.row.map((/** @type {string} */ point) => board.centre(point));
    const sorted = [...ends].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const [first, final] = [sorted[0], sorted[sorted.length - 1]];
    over.push(svg("line", { class: "win", x1: first[0], y1: first[1], x2: final[0], y2: final[1] }));
  }
  if (play.hintPoint && state.mode === "play") { const [x, y] = board.centre(play.hintPoint); over.push(svg("circle", { class: "hintmark", cx: x, cy: y, r: 14 })); }
  over.push(...candidates);
  const color = task?.kind === "place" ? Number(task.color === "white") : moves.length % 2;
  const may = state.mode === "play" ? play.humanToAct() && !["swap2", "chooseColor", "declare"].includes(task?.kind) : !info?.end;
  const candidate = candidates.length > 0;
  for (const point of new Set([hovered, confirming])) if (point && may && !moves.includes(point) && !(candidate && point === hovered)) over.push(board.ghost(point, color));
  board.setMarks(under, over);
}

function showLayers() {
  const { under, over } = drawLayers(board);
  board.setLayers(under, over);
}

function showStatus() {
  const status = byId("status");
  const done = play.outcome();
  let words = done;
  if (!words && !state.catalogue) words = t("connecting");
  else if (!words && state.mode === "play" && state.started) words = play.isThinking() ? t("thinking", { name: play.seatName(state.seats[play.turnIndex()]) }) : play.humanToAct() && state.info?.task.kind === "play" && play.seatName(state.seats[play.turnIndex()]) ? t("yourTurn", { color: t(colorToMove()) }) : t("toMove", { color: t(colorToMove()) });
  else if (!words) words = t("toMove", { color: t(colorToMove()) });
  if (status.textContent !== words) status.textContent = words;
  const named = state.info?.named;
  byId("opening-name").textContent = named ? t("openingNamed", { name: t(named.name), number: named.number }) : "";
}

function showPanel() {
  const panel = byId("panel");
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = /** @type {HTMLElement} */ (tab).dataset.mode === state.mode;
    tab.setAttribute("aria-selected", String(chosen));
    tab.setAttribute("tabindex", chosen ? "0" : "-1");
    if (chosen) panel.setAttribute("aria-labelledby", tab.id);
  }
  if (state.mode === "play") play.showPlay(panel);
  else if (state.mode === "analyse") analyse.showAnalyse(panel);
  else review.showReview(panel);
}

function showComment() {
  byId("comment-field").hidden = state.mode === "play";
  if (document.activeElement !== byId("comment")) byId("comment").value = state.node.comment;
}

/** @param {"play" | "analyse" | "review"} mode */
function setMode(mode) {
  if (mode === state.mode) return;
  if (state.mode === "play") play.cancel();
  state.mode = mode;
  emit("mode");
  if (mode === "analyse") analyse.toggle(true); else analyse.restart();
  refresh().catch(fail);
}

/** @param {unknown} error */
function fail(error) { toast(error instanceof TypeError ? t("offline") : /** @type {Error} */ (error).message); }

on("moved", data => { showStones(data?.played); showVariations(); showComment(); showGraph(); play.showSeats(); if (data?.played && state.mode !== "play") announce(t("played", { color: t(state.node.ply % 2 ? "black" : "white"), point: state.node.move })); });
on("info", () => { showStones(); showStatus(); play.showSeats(); if (state.mode === "play") showPanel(); showGraph(); showVariations(); });
on("mode", () => { showPanel(); showComment(); showStatus(); play.showSeats(); showGraph(); showLayers(); showMarks(); });
on("layers", showLayers);
on("turn", () => { showStatus(); play.showSeats(); if (state.mode === "play") showPanel(); });
on("over", () => { showStatus(); showPanel(); showGraph(); });
on("tick", play.showSeats);
on("marks", showMarks);
on("value", () => { showGraph(); if (state.mode === "review") showVariations(); });
on("look", () => { showStones(); showVariations(); });
on("fault", fail);
on("want-mode", setMode);
on("want-save", dialogs.saveGame);
on("problems", dialogs.showProblems);
on("continue", goOn);
on("show-line", ({ moves, color }) => board.showLine(moves, color));

/** Plays on from the position at hand. */
function goOn() { if (!state.catalogue) return; analyse.toggle(false); play.continueHere(); }

const sibling = (/** @type {number} */ step) => {
  const all = state.node.parent?.children ?? [];
  const next = all[all.indexOf(state.node) + step];
  if (next) goTo(next);
};
const forward = () => { if (state.node.children[0]) goTo(state.node.children[0]); };
const back = () => { if (state.node.parent) goTo(state.node.parent); };
const cutHere = () => { if (state.mode !== "play" && state.node.parent) { const parent = state.tree.remove(state.node); goTo(parent); } };
const promote = () => { state.tree.promote(state.node); showVariations(); showGraph(); };
const theme = () => { preferences.theme = document.documentElement.dataset.theme === "dark" ? "wood" : "dark"; keep(); applyTheme(); };
const sound = () => { preferences.sound = !preferences.sound; keep(); click(); toast(`${t("sound")}: ${preferences.sound ? "✓" : "–"}`); };

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: back, ArrowRight: forward, ",": back, ".": forward, Home: () => goTo(state.tree.root), End: () => goTo(lineEnd(state.node)), ArrowUp: () => sibling(-1), ArrowDown: () => sibling(1),
  b: () => board.focusPoint(), u: () => (state.mode === "play" ? play.undo() : back()), h: play.hint, n: dialogs.newGame, 1: () => setMode("play"), 2: () => setMode("analyse"), 3: () => setMode("review"),
  a: () => { if (state.mode !== "analyse") setMode("analyse"); else analyse.toggle(); }, o: dialogs.openGame, s: dialogs.saveGame, l: () => { dialogs.shareGame(); }, t: theme, m: sound, e: dialogs.showSettings, c: goOn, v: () => { if (state.mode !== "review") setMode("review"); else review.toggle(); }, x: play.resignByKey, r: play.rematchByKey, Delete: cutHere, p: promote, "?": dialogs.showHelp,
  Escape: () => { confirming = null; if (analyse.wanted) analyse.toggle(false); review.cancel(); byId("board").focus(); },
};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("select, textarea, input:not([type=checkbox]), dialog")) return;
  if (target.closest("[role=tablist]") && event.key.startsWith("Arrow")) {
    const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
    const next = tabs[(tabs.indexOf(target) + (event.key === "ArrowLeft" || event.key === "ArrowUp" ? tabs.length - 1 : 1)) % tabs.length];
    setMode(/** @type {any} */ (next.dataset.mode));
    next.focus();
    event.preventDefault();
    return;
  }
  const action = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!action) return;
  if (["ArrowUp", "ArrowDown", "Home", "End"].includes(event.key) && target.closest(".faults")) return;
  event.preventDefault();
  action();
});

for (const [id, action] of /** @type {[string, () => void][]} */ ([["go-first", KEYS.Home], ["go-back", back], ["go-on", forward], ["go-last", KEYS.End], ["new-game", dialogs.newGame], ["open-record", dialogs.openGame], ["save-record", dialogs.saveGame], ["share", () => { dialogs.shareGame(); }], ["settings", dialogs.showSettings], ["help", dialogs.showHelp]])) byId(id).addEventListener("click", action);
for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => setMode(/** @type {any} */ (/** @type {HTMLElement} */ (tab).dataset.mode)));

document.addEventListener("paste", event => {
  if (/** @type {HTMLElement} */ (event.target).closest?.("input, textarea")) return;
  const file = event.clipboardData?.files[0], words = event.clipboardData?.getData("text") ?? "";
  if (file) open(file, file.name).catch(fail); else if (words.trim()) open(words).catch(fail);
});
document.addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("dropping"); });
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", event => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer?.files[0], words = event.dataTransfer?.getData("text") ?? "";
  if (file) open(file, file.name).catch(fail); else if (words) open(words).catch(fail);
});

byId("comment").addEventListener("input", (/** @type {any} */ event) => { state.node.comment = event.target.value; });

let connectedBefore = false;
watchConnection(connected => { if (!connected && connectedBefore) toast(t("offline")); connectedBefore = connected; });

function openHash() {
  try {
    const linked = readLink(location.hash);
    if (linked) { openLinked(linked); return true; }
  } catch (error) { toast(t("badLink", { error: /** @type {Error} */ (error).message })); }
  return false;
}
addEventListener("hashchange", openHash);

async function begin() {
  if (preferences.language !== "en") await setLanguage(preferences.language);
  showStones(); showPanel(); showVariations(); showGraph(); play.showSeats(); showStatus();
  connect();
  try {
    state.catalogue = await ask("catalogue");
    if (!openHash()) await play.begin(dialogs.setup());
  } catch (error) { fail(error); setTimeout(begin, 1500); }
}
begin();
