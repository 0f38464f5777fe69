/** The one game on the table, and who listens to it. @module */
import { Tree, lineEnd, movesTo, path } from "./tree.js";
import { ask } from "./wire.js";

/**
 * @typedef {{kind: "human"} | {kind: "level", level: number} | {kind: "engine", engine: string, time: number}} Seat
 * @typedef {import("./tree.js").Node} Node
 */

export const state = {
  /** @type {any} */ catalogue: null,
  /** @type {"play" | "analyse" | "review"} */ mode: "play",
  rule: "freestyle", size: 15, opening: "free",
  /** What was decided in the opening, and by whom. @type {{word: string, by: string}[]} */ steps: [],
  openingOver: true,
  /** Stones that the opening left. @type {string[]} */ trunk: [],
  /** @type {[Seat, Seat]} */ seats: [{ kind: "human" }, { kind: "level", level: 3 }],
  tree: new Tree(),
  /** @type {Node} */ node: /** @type {any} */ (null),
  /** What the program said of the position. @type {any} */ info: null,
  /** How the game ended beside the board. @type {{winner: string, loser: string, how: string} | null} */ result: null,
  /** @type {{base: number, increment: number} | null} */ clock: null,
  started: false,
  /** @type {Record<string, string>} */ header: {},
};
state.node = state.tree.root;

/** @type {Map<string, Set<(data?: any) => void>>} */
const listeners = new Map();
/** @param {string} event @param {(data?: any) => void} listener */
export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, new Set());
  listeners.get(event)?.add(listener);
}
/** @param {string} event @param {any} [data] */
export function emit(event, data) { listeners.get(event)?.forEach(listener => listener(data)); }

/** Whether the position at hand comes out of the opening. */
export function onTrunk() {
  const moves = movesTo(state.node);
  return state.trunk.length <= moves.length && state.trunk.every((move, i) => moves[i] === move);
}

/** The position at hand as a request tells it. */
export function spec() {
  const moves = movesTo(state.node);
  const plain = { rule: state.rule, size: state.size };
  if (state.mode !== "play" || state.opening === "free" || !onTrunk()) return { ...plain, moves: moves.join("") };
  const steps = state.steps.map(step => step.word);
  if (!state.openingOver) return { ...plain, opening: state.opening, steps };
  return { ...plain, opening: state.opening, steps, moves: moves.slice(state.trunk.length).join("") };
}

/** The position as moves alone. @param {Node} [node] */
export const plainSpec = (node = state.node) => ({ rule: state.rule, size: state.size, moves: movesTo(node).join("") });

let asked = 0;
/** Asks the program about the position at hand. @param {boolean} [layers] */
export async function refresh(layers = state.mode === "analyse") {
  const mine = ++asked;
  const info = await ask("position", { game: spec(), layers });
  if (mine !== asked) return null;
  state.info = info;
  if (!state.openingOver && state.mode === "play" && info.task.kind !== "play") {
    state.node = state.tree.follow(info.moves);
    state.trunk = info.moves;
  } else if (!state.openingOver && state.mode === "play") {
    state.openingOver = true;
    state.node = state.tree.follow(info.moves);
    state.trunk = info.moves;
  }
  emit("info");
  return info;
}

/** Goes to a node. @param {Node} node */
export function goTo(node) {
  if (node === state.node) return;
  state.node = node;
  state.info = null;
  emit("moved");
  refresh().catch(error => emit("fault", error));
}

/** Puts the next stone at once; what it means is asked for afterwards. @param {string} point */
export function addMove(point) {
  state.node = state.tree.add(state.node, point);
  state.info = null;
  emit("moved", { played: true });
  return refresh();
}

/** @param {string} color @returns {string} */
export const other = color => (color === "black" ? "white" : "black");
/** Whose turn it is by the stones. */
export const colorToMove = () => (state.info?.toMove ?? (state.node.ply % 2 ? "white" : "black"));

/** Replaces the game. @param {Partial<typeof state>} fresh */
export function reset(fresh) {
  Object.assign(state, { steps: [], openingOver: true, trunk: [], tree: new Tree(), info: null, result: null, clock: null, started: false, opening: "free", header: {} }, fresh);
  state.node = fresh.node ?? state.tree.root;
  emit("reset");
  emit("moved");
}

export { lineEnd, movesTo, path };
