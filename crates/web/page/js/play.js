/** Playing: whose turn it is, what the opening asks, clocks, undo, hints. @module */
import { addMove, colorToMove, emit, goTo, on, onTrunk, other, plainSpec, refresh, reset, spec, state } from "./state.js";
import { announce, byId, el, toast } from "./dom.js";
import { search } from "./wire.js";
import { percent, t } from "./words.js";
import { preferences } from "./preferences.js";

/** @type {(() => void) | null} */
let stopThinking = null;
/** @type {string | null} */
export let hintPoint = null;
/** Positions to which an undo goes back. @type {{steps: any[], openingOver: boolean, trunk: string[], node: any}[]} */
let past = [];
let remaining = [0, 0];
let ticking = 0;
/** @type {(() => void) | null} */
let stopHint = null;
/** @type {(() => void) | null} */
let stopPondering = null;
/** A forbidden point that was warned of. @type {string | null} */
let warned = null;
/** Decisions of an opening that came together with one already made. @type {string[]} */
let more = [];

/** The index of the player whose turn it is. */
export const turnIndex = () => (state.info ? Number(state.info.turn === "second") : 0);
/** @param {import("./state.js").Seat} seat */
export function seatName(seat) {
  if (seat.kind === "human") return state.seats.every(s => s.kind === "human") ? "" : t("you");
  if (seat.kind === "level") return t("levelName", { n: seat.level, name: t(state.catalogue?.levels[seat.level - 1]?.name ?? "") });
  return seat.engine;
}
const isOver = () => Boolean(state.info?.end || state.result);
/** Whether a person is to act. */
export const humanToAct = () => Boolean(state.info) && !isOver() && state.seats[turnIndex()].kind === "human";

/** Begins a game. @param {Partial<typeof state>} setup */
export async function begin(setup) {
  cancel();
  past = [];
  reset({ ...setup, mode: "play", openingOver: setup.opening === "free", started: true });
  remaining = [0, 1].map(() => (state.clock ? state.clock.base * 1000 : 0));
  emit("mode");
  await proceed(refresh(false));
}

/** The same again with the sides changed. */
export const rematch = () => begin({ rule: state.rule, size: state.size, opening: state.opening, clock: state.clock, seats: [state.seats[1], state.seats[0]] });

/** @param {Promise<any>} answer */
async function proceed(answer) {
  try {
    const info = await answer;
    if (!info || state.mode !== "play") return;
    if (isOver()) finish();
    else if (state.seats[turnIndex()].kind !== "human") { const next = more.shift(); if (next) act(next); else think(); }
    else { more = []; ponder(); }
  } catch (error) { emit("fault", error); }
}

/** Something a person does with a word: a point, a side, two more stones, a number. @param {string} word */
export function decide(word) {
  if (!humanToAct()) { toast(t("notHere", { why: t("notYourTurn") })); return; }
  remember();
  act(word);
}

/** @param {string} point */
export function playPoint(point) {
  if (isOver()) return;
  if (!state.info || !humanToAct()) { toast(t("notHere", { why: t("notYourTurn") })); return; }
  const task = state.info.task;
  if (task.kind === "play") {
    if (state.info.moves.includes(point)) { toast(t("notHere", { why: t("occupied") })); return; }
    const forbidden = state.info.toMove === "black" && state.info.forbidden.find((/** @type {any} */ f) => f.point === point);
    if (forbidden && warned !== point) {
      warned = point;
      const words = t("forbiddenWarning", { point, why: t(forbidden.why) });
      toast(words);
      announce(words);
      return;
    }
  } else if (!(task.allowed ?? task.offers ?? []).includes(point)) { toast(t("notHere", { why: t("notAllowed") })); return; }
  decide(point);
}

/** @param {string} word */
function act(word) {
  hintPoint = warned = null;
  stopHint?.();
  stopPondering?.();
  stopPondering = null;
  const mover = turnIndex();
  settleClock(mover);
  if (state.opening !== "free" && !state.openingOver) {
    state.steps.push({ word, by: state.info.turn });
    const task = state.info.task;
    if (task.kind === "place" || task.kind === "pick") { emitStone(word); }
    state.info = null;
    proceed(refresh(false));
    return;
  }
  announce(t("played", { color: t(colorToMove()), point: word }));
  proceed(addMove(word));
}

/** A stone of the opening appears before the program has said what comes next. @param {string} point */
function emitStone(point) {
  state.node = state.tree.add(state.node, point);
  state.trunk = [...state.trunk, point];
  emit("moved", { played: true });
}

function remember() { past.push({ steps: [...state.steps], openingOver: state.openingOver, trunk: [...state.trunk], node: state.node }); }

/** A seat as a request tells it. @param {any} seat */
const playerOf = seat => (seat.kind === "level" ? { level: seat.level, timeMs: preferences.game.time * 1000 } : { [seat.external ? "external" : "engine"]: seat.engine, timeMs: seat.time * 1000 });

/** Lets the opponent think on the person's time, where that is wanted. */
function ponder() {
  const seat = /** @type {any} */ (state.seats[1 - turnIndex()]);
  if (!preferences.game.ponder || seat.kind === "human" || seat.external || !state.openingOver) return;
  stopPondering?.();
  stopPondering = search({ do: "ponder", game: spec(), player: playerOf(seat) }, () => { stopPondering = null; });
}

function think() {
  cancel();
  const node = state.node, index = turnIndex(), seat = /** @type {any} */ (state.seats[index]);
  const player = playerOf(seat);
  if (state.clock) /** @type {any} */ (player).leftMs = Math.max(50, Math.round(left(index)));
  emit("turn", { thinking: true });
  stopThinking = search({ do: "act", game: spec(), player }, message => {
    stopThinking = null;
    if (message.is === "error") { emit("fault", new Error(message.error)); return; }
    if (message.is !== "acted" || node !== state.node) return;
    if (message.winrate !== null && message.winrate !== undefined) {
      const color = colorToMove();
      node.black = color === "black" ? message.winrate : 1 - message.winrate;
    }
    more = message.then;
    tellDecision(message.decision, seatName(seat));
    act(message.decision);
  });
}

/** @param {string} word @param {string} name */
function tellDecision(word, name) {
  const said = word === "black" ? t("tookBlack", { name }) : word === "white" ? t("tookWhite", { name }) : word === "add" ? t("added", { name }) : /^\d+$/.test(word) ? t("declared", { name, n: word }) : "";
  if (said) { toast(said); announce(said); }
}

/** Ends the search for a move. */
export function cancel() {
  stopThinking?.();
  stopThinking = null;
  more = [];
  stopHint?.();
  stopHint = null;
  stopPondering?.();
  stopPondering = null;
}
export const isThinking = () => Boolean(stopThinking);

/** Takes back what the person did last, and what followed. */
export function undo() {
  const before = past.pop();
  if (!before) { toast(t("nothingToUndo")); return; }
  cancel();
  hintPoint = null;
  Object.assign(state, before, { info: null, result: null });
  emit("moved");
  proceed(refresh(false));
}

/** Shows what the strongest engine would do. */
export function hint() {
  if (!humanToAct() || stopHint) return;
  const node = state.node;
  const opening = state.opening !== "free" && !state.openingOver;
  const request = opening ? { do: "act", game: spec(), player: { level: state.catalogue.levels.length, timeMs: 1000 } } : { do: "act", game: plainSpec(), player: { engine: state.catalogue.analyst, timeMs: 1000 } };
  toast("…");
  stopHint = search(request, message => {
    stopHint = null;
    if (message.is !== "acted" || node !== state.node) return;
    hintPoint = /^[a-v]\d+$/.test(message.decision) ? message.decision : null;
    const words = { black: t("takeBlack"), white: t("takeWhite"), add: t("addTwo") };
    const said = t("hintIs", { move: /** @type {any} */ (words)[message.decision] ?? message.decision, rate: message.winrate === null ? "–" : percent(message.winrate) });
    toast(said);
    announce(said);
    emit("marks");
  });
}

/** The person gives up. */
export function resign() {
  if (isOver()) return;
  cancel();
  const index = state.seats[turnIndex()].kind === "human" ? turnIndex() : state.seats.findIndex(seat => seat.kind === "human");
  end(Math.max(0, index), "resigned");
}

let resigning = 0;
/** Gives up at the second press within some seconds. */
export function resignByKey() {
  if (isOver() || !state.started || state.mode !== "play") return;
  if (performance.now() - resigning < 4000) { resigning = 0; resign(); return; }
  resigning = performance.now();
  toast(t("resignAgain"));
}

/** A rematch by key, once the game is over. */
export function rematchByKey() { if (state.mode === "play" && isOver()) rematch(); }

/** @param {number} loser @param {string} how */
function end(loser, how) {
  const colors = state.info?.colors ?? [];
  const color = colors[loser] ?? (loser ? "white" : "black");
  state.result = { loser: color, winner: other(color), how };
  finish();
}

function finish() {
  cancel();
  emit("turn");
  emit("over");
  announce(outcome());
}

/** How the game ended, in words. */
export function outcome() {
  const end = state.info?.end;
  const words = state.result && state.mode === "play" ? t(state.result.how, { color: t(state.result.loser), winner: t(state.result.winner) })
    : end?.kind === "five" ? t("wins", { color: t(end.winner) }) : end?.kind === "forbidden" ? t("winsForbidden", { why: t(end.why) }) : end?.kind === "draw" ? t("draw") : "";
  const winner = state.result?.winner ?? end?.winner;
  const humans = state.seats.map((seat, i) => (seat.kind === "human" ? state.info?.colors?.[i] : null)).filter(Boolean);
  if (state.mode !== "play" || humans.length !== 1 || !winner) return words;
  return `${words} ${humans[0] === winner ? t("youWin") : t("youLose")}`;
}

/** Milliseconds left to a player. @param {number} index */
export function left(index) {
  const running = ticking && !isOver() && state.mode === "play" && index === turnIndex() && state.info ? performance.now() - ticking : 0;
  return remaining[index] - running;
}

/** @param {number} mover */
function settleClock(mover) {
  if (!state.clock) return;
  if (ticking) remaining[mover] = left(mover) + state.clock.increment * 1000;
  ticking = performance.now();
}

setInterval(() => {
  if (!state.clock || state.mode !== "play" || isOver() || !ticking) return;
  emit("tick");
  if (left(turnIndex()) <= 0) end(turnIndex(), "flagged");
}, 100);
on("reset", () => { ticking = 0; hintPoint = warned = null; });

/** Goes on with the game from the position shown. */
export function continueHere() {
  cancel();
  state.result = null;
  state.mode = "play";
  state.started = true;
  if (!onTrunk()) { state.opening = "free"; state.steps = []; state.trunk = []; state.openingOver = true; }
  emit("mode");
  proceed(refresh(false));
}

/** @param {HTMLElement} panel */
export function showPlay(panel) {
  const over = isOver();
  const task = state.info?.task;
  const parts = [];
  if (task && task.kind !== "play" && !over) parts.push(showTask(task));
  const button = (/** @type {string} */ id, /** @type {string} */ key, /** @type {() => void} */ action, disabled = false) => el("button", { id, type: "button", onclick: action, disabled }, t(key));
  parts.push(el("div", { class: "row-of" },
    button("undo", "undo", undo, past.length === 0), button("hint", "hint", hint, !humanToAct()), button("resign", "resign", resign, over || !state.started), button("rematch", "rematch", () => { rematch(); }, !state.started)));
  const rule = state.catalogue ? `${t(state.rule)} · ${state.size}×${state.size}${state.opening === "free" ? "" : ` · ${t(state.opening)}`}` : "";
  parts.push(el("p", { class: "quiet gap" }, rule));
  const story = tellOpening();
  if (story.length) parts.push(el("details", { class: "quiet gap", id: "story", open: !state.openingOver }, el("summary", {}, t("openingStory")), el("ul", {}, ...story.map(line => el("li", {}, line)))));
  if (over) {
    parts.push(el("div", { class: "row-of gap" }, el("button", { id: "to-review", type: "button", onclick: () => emit("want-mode", "review") }, t("reviewThis")), el("button", { id: "to-analyse", type: "button", onclick: () => emit("want-mode", "analyse") }, t("analyseThis"))));
  } else if (!isThinking() && state.info && state.seats[turnIndex()].kind !== "human") {
    parts.push(el("div", { class: "row-of gap" }, el("button", { id: "continue", class: "primary", type: "button", onclick: continueHere }, t("continueHere"))));
  }
  panel.replaceChildren(...parts);
}

/** What was decided in the opening, by whom. @returns {string[]} */
function tellOpening() {
  const lines = /** @type {{by: string, points: string[] | null, words: string}[]} */ ([]);
  for (const { word, by } of state.steps) {
    const last = lines[lines.length - 1];
    const said = word === "black" ? t("choseBlack") : word === "white" ? t("choseWhite") : word === "add" ? t("choseAdd") : /^\d+$/.test(word) ? t("choseFifths", { n: word }) : "";
    if (said) lines.push({ by, points: null, words: said });
    else if (last?.points && last.by === by) last.points.push(word);
    else lines.push({ by, points: [word], words: "" });
  }
  return lines.map(({ by, points, words }) => {
    const index = Number(by === "second");
    return `${seatName(state.seats[index]) || t(index ? "secondPlayer" : "firstPlayer")}: ${points ? points.join(" ") : words}`;
  });
}

/** @param {any} task */
function showTask(task) {
  const index = turnIndex(), seat = state.seats[index];
  const box = el("div", { class: "task", id: "task" });
  if (seat.kind !== "human") { box.append(t("taskWait", { name: seatName(seat) })); return box; }
  const opponent = seatName(state.seats[1 - index]) || t("opponent");
  const who = seatName(seat) || t(index ? "secondPlayer" : "firstPlayer");
  const choice = (/** @type {string} */ word, /** @type {string} */ key) => el("button", { type: "button", "data-choice": word, onclick: () => decide(word) }, t(key));
  const sides = () => el("div", { class: "row-of gap" }, choice("black", "takeBlack"), choice("white", "takeWhite"));
  if (task.kind === "place") {
    const free = task.allowed.length === state.size * state.size - state.info.moves.length;
    if (state.opening === "swap2" && state.info.moves.length < 3) box.append(el("p", {}, t("taskFirst3", { name: opponent })));
    box.append(el("p", {}, t(free ? "taskPlaceAny" : "taskPlace", { who, color: t(task.color) })));
  } else if (task.kind === "swap2") box.append(el("p", {}, t("taskSwap2")), el("div", { class: "row-of gap" }, choice("white", "takeWhite"), choice("black", "takeBlack"), choice("add", "addTwo")));
  else if (task.kind === "chooseColor") box.append(el("p", {}, t("taskChoose", { color: t(state.info.toMove) })), sides());
  else if (task.kind === "declare") box.append(el("p", {}, t("taskDeclare")), el("div", { class: "row-of gap" }, ...Array.from({ length: task.most }, (_, i) => el("button", { type: "button", "data-choice": String(i + 1), onclick: () => decide(String(i + 1)) }, String(i + 1)))));
  else if (task.kind === "offer") box.append(el("p", {}, t("taskOffer", { n: task.remaining })));
  else if (task.kind === "pick") box.append(el("p", {}, t("taskPick")));
  return box;
}

/** Draws the two players. */
export function showSeats() {
  const bottom = state.seats[0].kind === "human" || state.seats[1].kind !== "human" ? 0 : 1;
  for (const [id, index] of /** @type {[string, number][]} */ ([["seat-bottom", bottom], ["seat-top", 1 - bottom]])) {
    const host = byId(id);
    const visible = state.mode === "play";
    const color = state.info?.colors?.[index] ?? (state.mode === "play" ? "none" : index ? "white" : "black");
    const seat = state.seats[index];
    const name = visible ? seatName(seat) || t(index ? "secondPlayer" : "firstPlayer") : t(index ? "white" : "black");
    const turn = visible && state.info && !isOver() && turnIndex() === index;
    host.classList.toggle("turn", Boolean(turn));
    host.classList.toggle("thinking", Boolean(turn && isThinking()));
    const parts = [el("span", { class: `disc ${color}` }), el("span", { class: "name" }, name)];
    if (visible && color !== "none" && state.info) parts.push(el("span", { class: "note" }, t(color)));
    if (visible && state.clock) {
      const time = Math.max(0, left(index));
      const minutes = Math.floor(time / 60000), seconds = (time % 60000) / 1000;
      parts.push(el("span", { class: `clock${time < 10000 ? " low" : ""}`, role: "timer" }, `${minutes}:${time < 10000 ? seconds.toFixed(1).padStart(4, "0") : String(Math.floor(seconds)).padStart(2, "0")}`));
    }
    host.replaceChildren(...parts);
  }
}

export { goTo };
