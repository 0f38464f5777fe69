/** Analysis: the engine's candidates, lines, layers and proofs. @module */
import { addMove, colorToMove, emit, goTo, on, other, plainSpec, refresh, state } from "./state.js";
import { el, svg } from "./dom.js";
import { search } from "./wire.js";
import { percent, short, t } from "./words.js";
import { keep, preferences } from "./preferences.js";
import { text } from "./board.js";
import { askTables, counts, shownTable, tables, tableWords } from "./layers.js";

/** @type {import("./board.js").Board} */
let board;
/** @type {(() => void) | null} */
let stop = null;
export let wanted = false;
/** @type {any} */
export let report = null;
/** @type {any[]} */
let proofs = [];
let ended = "";
/** @type {HTMLElement | null} */
let host = null;
/** @type {string | null} */
let pointed = null;
let timer = 0;

/** @param {import("./board.js").Board} shown */
export function setBoard(shown) { board = shown; }

/** Starts or stops. @param {boolean} [on] */
export function toggle(on = !wanted) {
  wanted = on;
  restart();
  if (host) showAnalyse(host);
}

/** Begins anew for the position at hand. */
export function restart() {
  stop?.();
  stop = null;
  report = null;
  proofs = [];
  ended = "";
  clearTimeout(timer);
  if (wanted && state.mode === "analyse") timer = window.setTimeout(start, 25);
  board?.showLine([], 0);
}

function start() {
  if (state.info?.end) { showReport(); return; }
  const node = state.node;
  const mover = node.ply % 2 ? "white" : "black";
  stop = search({ do: "analyse", game: plainSpec(), lines: preferences.lines, engine: preferences.engine || undefined }, message => {
    if (node !== state.node) return;
    if (message.is === "report") {
      report = message;
      const best = message.lines[0];
      node.black = mover === "black" ? best.winrate : 1 - best.winrate;
      node.visits = message.visits;
    } else if (message.is === "proof") {
      proofs.push(message);
      if (!message.threat) node.black = mover === "black" ? 1 : 0;
    } else if (message.is === "done") { ended = message.why; stop = null; } else if (message.is === "error") {
      ended = ""; stop = null; wanted = false;
      if (!state.info?.end) emit("fault", new Error(message.error));
    }
    schedule();
  });
}

let scheduled = false;
/** Draws at most once a frame, however fast the reports come. */
function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; showReport(); emit("value"); emit("marks"); });
}

/** Candidates worth showing. @returns {any[]} */
function shownLines() {
  if (!report) return [];
  const most = Math.max(...report.lines.map((/** @type {any} */ line) => line.visits));
  const lines = report.lines.filter((/** @type {any} */ line, /** @type {number} */ i) => i === 0 || line.proof || !preferences.hideNoise || line.visits >= most * 0.004);
  const win = proofs.find(proof => !proof.threat);
  if (!win) return lines;
  const proven = { move: win.line[0], winrate: 1, visits: lines.find((/** @type {any} */ line) => line.move === win.line[0])?.visits ?? 0, pv: win.line, proof: { result: "win", plies: win.plies } };
  return [proven, ...lines.filter((/** @type {any} */ line) => line.move !== proven.move)];
}

/** @param {number} winrate of the side to move */
const inView = winrate => (preferences.blackView && colorToMove() === "white" ? 1 - winrate : winrate);
/** How long a certain result takes; 0 where it is only known to come before the board is full. @param {{plies: number}} proof */
const pliesOf = proof => (proof.plies < state.size * state.size - state.node.ply ? proof.plies : 0);
/** @param {any} line */
const rateText = line => (line.proof ? t(pliesOf(line.proof) ? `n_${line.proof.result}` : `sure_${line.proof.result}`, { n: line.proof.plies }) : percent(inView(line.winrate)));

/** The candidates on the board. @returns {Node[]} */
export function marks() {
  if (state.mode !== "analyse" || !preferences.layers.candidates) return [];
  const lines = shownLines();
  const best = lines[0]?.winrate ?? 0;
  return lines.flatMap((line, i) => {
    const [x, y] = board.centre(line.move);
    const loss = Math.min(1, Math.max(0, best - line.winrate) / 0.25);
    const disc = svg("circle", { cx: x, cy: y, r: 17.5 });
    const won = line.proof?.result === "win", lost = line.proof?.result === "loss";
    disc.style.fill = won ? "#17806a" : lost ? "#8f2f2f" : i === 0 ? "#1f63b5" : `hsl(${Math.round(165 - 140 * loss)} 48% 36%)`;
    disc.style.opacity = i === 0 ? "0.96" : "0.86";
    const rate = line.proof ? `${won ? "+" : lost ? "−" : "="}${pliesOf(line.proof) || ""}` : String(Math.round(inView(line.winrate) * 100));
    return [disc, text("cand-text", x, y - 4.5, rate), text("cand-sub", x, y + 8, short(line.visits))];
  });
}

/** The layers need patterns; ask for them when they are not there. */
export function needLayers() { if (state.mode === "analyse" && !state.info?.layers && !state.info?.end) refresh(true).catch(error => emit("fault", error)); }

/** @param {string | null} point */
export function pointAt(point) {
  pointed = point;
  if (state.mode !== "analyse" || !host) return;
  const line = shownLines().find(line => line.move === point);
  board.showLine(line ? line.pv : [], state.node.ply % 2);
  showWhy();
}

function showWhy() {
  const box = host?.querySelector("#why");
  if (!box) return;
  const cell = state.info?.layers?.cells.find((/** @type {any} */ cell) => cell.point === pointed);
  const forbidden = state.info?.forbidden.find((/** @type {any} */ f) => f.point === pointed);
  const table = tableWords(pointed);
  if (!cell) { box.replaceChildren(el("p", {}, forbidden ? t("forbiddenPoint", { why: t(forbidden.why) }) : t("whyHelp")), table ? el("p", {}, table) : ""); return; }
  const lines = (/** @type {any} */ shape) => shape.lines.map((/** @type {string} */ word, /** @type {number} */ i) => (["dead", "one"].includes(word) ? "" : `${t(word)} ${t(["across", "down", "falling", "rising"][i])}`)).filter(Boolean).join(", ") || t("none");
  box.replaceChildren(
    el("p", {}, el("b", {}, cell.point), ` · ${t("policy", { p: percent(cell.policy) })} · ${t("worth", { v: cell.value.toFixed(2) })}${forbidden ? ` · ${t("forbiddenPoint", { why: t(forbidden.why) })}` : ""}`),
    el("p", {}, `${t("makes", { color: t("black") })} ${t(cell.black.class)} (${lines(cell.black)})`), el("p", {}, `${t("makes", { color: t("white") })} ${t(cell.white.class)} (${lines(cell.white)})`), table ? el("p", {}, table) : "");
}

/** The tables to choose from, and what the one on the board means. */
function showTables() {
  const box = host?.querySelector("#tables");
  if (!box) return;
  const table = preferences.explained ? shownTable() : undefined;
  const choose = (/** @type {any} */ event) => { preferences.table = event.target.value; keep(); showTables(); emit("layers"); };
  box.replaceChildren(...(table ? [
    el("select", { id: "table", "aria-label": t("tableShown"), onchange: choose }, ...tables().map(each => el("option", { value: each.name, selected: each === table }, t(each.name)))),
    el("p", { class: "quiet gap" }, t(table.meaning)),
    counts().length ? el("p", { class: "quiet" }, `${t("black")} – ${t("white")} · ${counts().map(count => `${count.name}: ${count.black} – ${count.white}`).join(" · ")}`) : "",
  ] : []));
}

/** The arrow keys step through a line; Enter plays it up to there. @param {KeyboardEvent} event */
function stepThrough(event) {
  const row = /** @type {HTMLElement} */ (event.currentTarget), steps = { ArrowRight: 1, ArrowLeft: -1 };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (!step) return;
  const buttons = [...row.querySelectorAll("button")];
  buttons[buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + step]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** Plays moves one after the other. @param {string[]} moves */
async function playLine(moves) {
  let node = state.node;
  for (const move of moves) node = state.tree.add(node, move);
  goTo(node);
}

/** Brings the table of candidates up to date without losing focus. */
function showReport() {
  const table = host?.querySelector("#lines");
  if (!host || !table) return;
  const lines = shownLines();
  const color = state.node.ply % 2;
  const rows = /** @type {HTMLTableRowElement[]} */ ([...table.children]);
  while (rows.length > lines.length) rows.pop()?.remove();
  lines.forEach((line, i) => {
    const key = `${line.move} ${line.pv.join(" ")}`;
    let row = rows[i];
    if (!row) { row = el("tr", {}, el("td"), el("td", { class: "num wr" }), el("td", { class: "num" }), el("td", { class: "pv" })); table.append(row); rows[i] = row; }
    const [name, rate, visits, pv] = row.children;
    rate.textContent = rateText(line);
    visits.textContent = short(line.visits);
    if (row.dataset.key === key) return;
    row.dataset.key = key;
    row.onmouseenter = () => board.showLine(line.pv, color);
    row.onmouseleave = () => board.showLine([], 0);
    const upTo = (/** @type {number} */ n) => () => playLine(line.pv.slice(0, n));
    const show = (/** @type {number} */ n) => () => board.showLine(line.pv.slice(0, n), color);
    if (!name.firstChild) name.append(el("button", { class: "plain wr", type: "button" }));
    const first = /** @type {HTMLButtonElement} */ (name.firstChild);
    first.textContent = line.move;
    first.onclick = upTo(1);
    first.onfocus = () => board.showLine(line.pv, color);
    row.onkeydown = stepThrough;
    pv.replaceChildren(...line.pv.slice(1, 14).map((/** @type {string} */ move, /** @type {number} */ n) => el("button", { class: "plain", type: "button", tabIndex: -1, onclick: upTo(n + 2), onmouseenter: show(n + 2), onfocus: show(n + 2) }, move)));
  });
  const speed = host.querySelector("#speed");
  if (speed) speed.textContent = state.info?.end ? t("over") : report ? t("speed", { v: short(report.visits), s: short(report.visits / Math.max(0.05, report.elapsedMs / 1000)), d: report.depth }) + (ended ? ` · ${t("finished", { why: t(ended) })}` : "") : wanted ? "…" : t("analysisOff");
  const box = host.querySelector("#proofs");
  const mover = color ? "white" : "black";
  if (box && Number(/** @type {HTMLElement} */ (box).dataset.count) !== proofs.length) {
    /** @type {HTMLElement} */ (box).dataset.count = String(proofs.length);
    box.replaceChildren(...proofs.map(proof => {
      const side = proof.threat ? other(mover) : mover;
      const words = t(proof.threat ? "provenThreat" : "provenWin", { color: t(side), n: proof.plies });
      const line = el("p", { class: "quiet" }, proof.line.join(" "));
      const shown = el("div", { class: `proof${proof.threat ? " threat" : ""}`, onmouseenter: () => board.showLine(proof.line, proof.threat ? 1 - color : color), onmouseleave: () => board.showLine([], 0) }, el("b", {}, words), line);
      if (!proof.threat) shown.append(el("button", { type: "button", class: "gap play-line", onclick: () => playLine(proof.line) }, t("playLine")));
      if (proof.defences.length || proof.otherwise) shown.append(defencesOf(proof, proof.threat ? 1 - color : color));
      return shown;
    }));
  }
}

/**
 * "Why not this defence?": each reply to the first move with the line that refutes it.
 * @param {any} proof
 * @param {number} attacker
 */
function defencesOf(proof, attacker) {
  const first = proof.line[0];
  const defence = (/** @type {{reply: string, line: string[]}} */ { reply, line }) => {
    const whole = [first, reply, ...line];
    const show = () => board.showLine(whole, attacker);
    const play = () => { if (!proof.threat) playLine(whole); };
    const words = line.length ? `${reply}: ${line.join(" ")}` : t("replyForbidden", { point: reply });
    return el("li", {}, el("button", { type: "button", class: "plain", onclick: play, onmouseenter: show, onfocus: show }, words));
  };
  const others = proof.otherwise ? [el("li", {}, t("otherReplies", { line: proof.otherwise.join(" ") }))] : [];
  return el("details", { class: "defences" }, el("summary", {}, t("whyNot")), el("ul", {}, ...proof.defences.map(defence), ...others));
}

/** @param {HTMLElement} panel */
export function showAnalyse(panel) {
  host = panel;
  const engines = state.catalogue?.engines ?? [];
  const chosen = preferences.engine || state.catalogue?.analyst;
  const layer = (/** @type {keyof typeof preferences.layers} */ name, /** @type {string} */ key) => el("label", {}, el("input", { type: "checkbox", id: `layer-${name}`, checked: preferences.layers[name], onchange: (/** @type {any} */ event) => { preferences.layers[name] = event.target.checked; keep(); emit("layers"); emit("marks"); } }), t(key));
  const option = (/** @type {"blackView" | "hideNoise"} */ name) => el("label", {}, el("input", { type: "checkbox", id: `option-${name}`, checked: preferences[name], onchange: (/** @type {any} */ event) => { preferences[name] = event.target.checked; keep(); showReport(); emit("marks"); emit("value"); } }), t(name));
  panel.replaceChildren(
    el("div", { class: "row-of" }, el("button", { id: "toggle-analysis", type: "button", class: wanted ? "" : "primary", onclick: () => toggle() }, t(wanted ? "stopAnalysis" : "startAnalysis")), el("button", { id: "continue", type: "button", onclick: () => emit("continue") }, t("continueHere"))),
    el("p", { id: "speed", class: "quiet gap" }, ""),
    el("table", { class: "lines" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("move")), el("th", { scope: "col", class: "num" }, t("winRate")), el("th", { scope: "col", class: "num" }, t("visits")), el("th", { scope: "col" }, t("line")))), el("tbody", { id: "lines" })),
    el("div", { id: "proofs" }),
    el("h2", { class: "gap" }, t("layers")), el("div", { class: "layers" }, layer("candidates", "layerCandidates"), layer("policy", "layerPolicy"), layer("threats", "layerThreats"), layer("forbidden", "layerForbidden"), layer("patterns", "layerPatterns"), layer("values", "layerValues"), option("blackView"), option("hideNoise")),
    el("div", { id: "why", class: "quiet gap" }, el("p", {}, t("whyHelp"))),
    el("label", { class: "field gap" }, el("span", {}, t("tablesOf")), el("select", { id: "explained", onchange: (/** @type {any} */ event) => { preferences.explained = event.target.value; keep(); askTables(); } }, el("option", { value: "" }, t("noTables")), ...(state.catalogue?.explained ?? []).map((/** @type {string} */ name) => el("option", { value: name, selected: name === preferences.explained }, name)))),
    el("div", { id: "tables", class: "gap" }),
    el("div", { class: "two gap" },
      el("label", { class: "field" }, el("span", {}, t("judge")), el("select", { id: "judge", onchange: (/** @type {any} */ event) => { preferences.engine = event.target.value; keep(); restart(); } }, ...engines.map((/** @type {any} */ engine) => el("option", { value: engine.name, selected: engine.name === chosen }, engine.name)))),
      el("label", { class: "field" }, el("span", {}, t("nBest")), el("select", { id: "n-best", onchange: (/** @type {any} */ event) => { preferences.lines = Number(event.target.value); keep(); restart(); } }, ...[1, 3, 5, 8, 12, 20].map(n => el("option", { value: n, selected: n === preferences.lines }, String(n)))))));
  showReport();
  showTables();
}

on("tables", () => { showTables(); showWhy(); emit("layers"); });
on("moved", () => { restart(); if (state.mode === "analyse" && host) showReport(); });
on("info", () => { needLayers(); if (state.mode === "analyse") { showReport(); showWhy(); } });

/** @param {string} point */
export function playHere(point) { if (!state.info?.end) addMove(point).catch(error => emit("fault", error)); }
