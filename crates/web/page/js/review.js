/** Review: what each move gave away, and another try at it. @module */
import { addMove, emit, goTo, lineEnd, movesTo, on, path, state } from "./state.js";
import { announce, el } from "./dom.js";
import { search } from "./wire.js";
import { percent, t } from "./words.js";
import { keep, preferences } from "./preferences.js";

/** @type {(() => void) | null} */
let stop = null;
/** @type {{done: number, total: number} | null} */
let progress = null;
/** @type {HTMLElement | null} */
let host = null;
/** The move that is tried again. @type {{entry: any, node: any, verdict: string, solved: boolean} | null} */
export let trial = null;

const line = () => path(lineEnd(state.node));
const entries = () => line().map(node => node.review).filter(Boolean);

/** Starts a review of the line at hand. */
export function start() {
  const nodes = line();
  if (!nodes.length) return;
  stop?.();
  nodes.forEach(node => { node.review = null; });
  progress = { done: 0, total: nodes.length };
  const game = { rule: state.rule, size: state.size, moves: nodes.map(node => node.move).join("") };
  stop = search({ do: "review", game, timeMs: Math.round(preferences.reviewTime * 1000) }, message => {
    if (message.is === "reviewed") {
      const { entry } = message, node = nodes[entry.ply - 1];
      node.review = entry;
      const black = (/** @type {number} */ value) => (entry.color === "black" ? value : 1 - value);
      node.black = black(entry.after);
      if (node.parent && node.parent.black === null) node.parent.black = black(entry.before);
      progress = { done: message.done, total: message.total };
    } else if (message.is === "done") { stop = null; progress = null; remark(nodes); announce(t("reviewDone")); } else if (message.is === "error") { stop = null; progress = null; emit("fault", new Error(message.error)); }
    if (host && state.mode === "review") showReview(host);
    emit("value");
  });
  if (host) showReview(host);
}

/** Writes the judgements into the comments, so that they are saved with the game. @param {any[]} nodes */
function remark(nodes) {
  for (const node of nodes) {
    const entry = node.review;
    if (!entry) continue;
    const head = entry.judgement ? `${t(entry.judgement)}: ` : "";
    const words = `${head}${percent(entry.before)} → ${percent(entry.after)}${entry.move === entry.best ? "" : `; ${t("better", { move: entry.best })} (${entry.pv.slice(0, 8).join(" ")})`}`;
    node.comment = [node.comment.split("\n").filter((/** @type {string} */ l) => !l.startsWith("▸")).join("\n"), `▸ ${words}`].filter(Boolean).join("\n");
  }
}

/** Starts a review, or ends the one that runs. */
export function toggle() {
  if (stop) cancel(); else start();
  if (host) showReview(host);
}

export function cancel() { stop?.(); stop = null; progress = null; }
on("reset", () => { cancel(); trial = null; });

/** @param {any} entry */
function tryAgain(entry) {
  const node = line()[entry.ply - 1];
  trial = { entry, node, verdict: "", solved: false };
  if (node.parent) goTo(node.parent);
  if (host) showReview(host);
}

/** A try at a better move. @param {string} point */
export function playPoint(point) {
  if (!trial) { if (!state.info?.end) addMove(point).catch(error => emit("fault", error)); return; }
  if (movesTo(trial.node.parent).includes(point)) return;
  const { entry } = trial;
  if (point === entry.best) { verdict(t("tryRight", { move: point }), true, point); return; }
  trial.verdict = t("tryJudging", { move: point });
  if (host) showReview(host);
  const mine = trial, game = { rule: state.rule, size: state.size, moves: [...movesTo(trial.node.parent), point].join("") };
  let winrate = /** @type {number | null} */ (null);
  search({ do: "analyse", game, lines: 1, timeMs: 700 }, message => {
    if (mine !== trial) return;
    if (message.is === "report") winrate = message.lines[0].winrate;
    if (message.is === "proof" && !message.threat) winrate = 1;
    if (message.is === "error") winrate = 0;
    if (message.is !== "done" && message.is !== "error") return;
    const loss = Math.max(0, entry.before - (1 - (winrate ?? 0.5)));
    if (loss < 0.05) verdict(t("tryGood", { move: point, loss: percent(loss) }), true, point);
    else verdict(t("tryWrong", { move: point, loss: percent(loss) }), false, null);
  });
}

/** @param {string} words @param {boolean} solved @param {string | null} move */
function verdict(words, solved, move) {
  if (!trial) return;
  trial.verdict = words;
  trial.solved = solved;
  announce(words);
  if (solved && move) goTo(state.tree.add(trial.node.parent, move));
  if (host) showReview(host);
}

/** @param {any} entry */
function show(entry) {
  const node = line()[entry.ply - 1];
  trial = null;
  const before = node.parent ?? state.tree.root;
  entry.pv.reduce((/** @type {any} */ at, /** @type {string} */ move) => state.tree.add(at, move), before);
  goTo(before);
  emit("show-line", { moves: entry.pv, color: before.ply % 2 });
}

/** @param {HTMLElement} panel */
export function showReview(panel) {
  host = panel;
  const all = entries();
  const parts = [];
  const controls = el("div", { class: "row-of" },
    stop ? el("button", { id: "stop-review", type: "button", onclick: () => { cancel(); showReview(panel); } }, t("stopReview")) : el("button", { id: "start-review", class: "primary", type: "button", disabled: !line().length, onclick: start }, t("startReview")),
    el("label", { class: "check narrow" }, t("reviewTime"), el("select", { id: "review-time", onchange: (/** @type {any} */ event) => { preferences.reviewTime = Number(event.target.value); keep(); } }, ...[0.1, 0.4, 1, 3, 10].map(s => el("option", { value: s, selected: s === preferences.reviewTime }, String(s))))));
  parts.push(controls);
  if (progress) parts.push(el("p", { class: "quiet gap" }, t("reviewing", { n: progress.done, total: progress.total })), el("progress", { max: progress.total, value: progress.done, "aria-label": t("review") }));
  if (!line().length) parts.push(el("p", { class: "quiet gap" }, t("reviewNone")));
  if (trial) {
    const { entry } = trial;
    parts.push(el("div", { class: "task gap", id: "trial" }, el("p", {}, t("tryFind", { color: t(entry.color), move: entry.move })), trial.verdict ? el("p", { class: "gap" }, el("b", { id: "verdict" }, trial.verdict)) : null,
      el("div", { class: "row-of gap" }, el("button", { type: "button", onclick: () => show(entry) }, t("showAnswer")), el("button", { type: "button", onclick: () => { trial = null; showReview(panel); } }, t("endTry")))));
  }
  if (all.length && !progress) {
    parts.push(el("div", { class: "gap" }, ...["black", "white"].map(color => summary(all.filter(entry => entry.color === color), color))));
    const faults = all.filter(entry => ["inaccuracy", "mistake", "blunder", "missed-win", "forbidden"].includes(entry.judgement));
    if (!faults.length) parts.push(el("p", { class: "gap" }, t("noFaults")));
    parts.push(el("div", { class: "faults", id: "faults", tabIndex: 0, role: "group", "aria-label": t("review") }, ...faults.map(fault)));
    parts.push(el("div", { class: "row-of gap" }, el("button", { type: "button", id: "save-review", onclick: () => emit("want-save") }, t("saveReview"))));
  }
  panel.replaceChildren(...parts);
}

/** @param {any[]} list @param {string} color */
function summary(list, color) {
  const count = (/** @type {string} */ word) => list.filter(entry => entry.judgement === word).length;
  const loss = list.length ? list.reduce((sum, entry) => sum + entry.loss, 0) / list.length : 0;
  return el("p", { class: "quiet" }, t("accuracyOf", { color: t(color), loss: percent(loss), i: count("inaccuracy"), m: count("mistake"), b: count("blunder"), w: count("missed-win") }));
}

/** @param {any} entry */
function fault(entry) {
  return el("div", { class: "fault" }, el("p", {}, `${entry.ply}. ${entry.move} `, el("span", { class: `word mark ${entry.judgement}` }, t(entry.judgement)), ` ${t("lost", { loss: percent(entry.loss) })}`),
    entry.forced ? el("p", { class: "quiet" }, t("forcedWin", { n: entry.forced.plies })) : null,
    el("div", { class: "row-of" }, el("button", { type: "button", class: "show", onclick: () => show(entry), "aria-label": `${t("show")}: ${entry.ply}. ${entry.move}` }, t("show")), el("button", { type: "button", class: "try", onclick: () => tryAgain(entry), "aria-label": `${t("tryAgain")}: ${entry.ply}. ${entry.move}` }, t("tryAgain"))));
}
