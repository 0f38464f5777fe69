/** What lies on the board beside the candidates: policy, point values, threats, patterns, and the tables of the papers' engines. @module */
import { emit, on, plainSpec, state } from "./state.js";
import { svg } from "./dom.js";
import { ask } from "./wire.js";
import { t } from "./words.js";
import { preferences } from "./preferences.js";
import { text } from "./board.js";

/** @typedef {{name: string, meaning: string, points: Record<string, number>}} Table */

/** Threats worth a sign: the sign, and the colour of its rim. @type {Record<string, [string, string]>} */
const THREATS = { five: ["5", "#d23c3c"], "open four": ["4", "#d23c3c"], "double four": ["4", "#d23c3c"], "four-three": ["4", "#d9772b"], four: ["4", "#d9a02b"], "double three": ["3", "#d9772b"], "open three and three": ["3", "#3b82c4"], "open three": ["3", "#3b82c4"] };
/** @type {Record<string, string>} */
const PATTERNS = { five: "V", "open four": "IV+", "double four": "IV²", "four-three": "IV·III", four: "IV", "double three": "III²", "open three and three": "III·3", "open three": "III", "three-two": "3·2", three: "3", "double two": "II²", "open two": "II", forbidden: "✕" };

/** @type {{engine: string, layers: Table[], counts: {name: string, black: number, white: number}[]} | null} */
let explained = null;
let asked = 0;

/** The tables of the chosen engine for the position at hand. @returns {Table[]} */
export const tables = () => explained?.layers ?? [];
/** What the chosen engine counts on the whole board, as far as there is any. */
export const counts = () => (explained?.counts ?? []).filter(count => count.black || count.white);
/** The table that lies on the board. @returns {Table | undefined} */
export const shownTable = () => tables().find(table => table.name === preferences.table) ?? tables()[0];

/** Asks for the tables of the chosen engine, where one is chosen. */
export async function askTables() {
  const mine = ++asked, engine = preferences.explained;
  explained = null;
  if (!engine || state.mode !== "analyse" || state.info?.end) { emit("tables"); return; }
  try {
    const answer = await ask("explain", { game: plainSpec(), engine });
    if (mine !== asked) return;
    explained = answer;
    emit("tables");
  } catch (error) { if (mine === asked) emit("fault", error); }
}
on("info", () => { askTables(); });
on("moved", () => { asked++; explained = null; });

/** A disc with a number. @param {import("./board.js").Board} board @param {string} point @param {number} radius @param {string} fill @param {string} words */
function disc(board, point, radius, fill, words) {
  const [x, y] = board.centre(point);
  const mark = svg("circle", { cx: x, cy: y, r: radius });
  mark.style.fill = fill;
  return [mark, text("layer-text ink", x, y, words)];
}

/** @param {number} value */
const shortNumber = value => (Math.abs(value) >= 1000 ? `${Math.round(value / 1000)}k` : Number.isInteger(value) || Math.abs(value) >= 10 ? String(Math.round(value)) : value.toFixed(Math.abs(value) < 1 ? 2 : 1));

/** Numbers that a table shows at once. */
const MOST_SHOWN = 40;

/** The numbers of a table that stand out from what most points have, the more so the darker. @param {import("./board.js").Board} board @param {Table} table */
function drawTable(board, table) {
  const entries = Object.entries(table.points);
  const often = new Map();
  for (const [, value] of entries) often.set(value, (often.get(value) ?? 0) + 1);
  const usual = [...often].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
  const apart = (/** @type {number} */ value) => Math.abs(value - usual);
  const shown = entries.filter(([, value]) => value !== usual).sort((a, b) => apart(b[1]) - apart(a[1])).slice(0, MOST_SHOWN);
  const most = Math.max(...shown.map(([, value]) => apart(value)));
  return shown.flatMap(([point, value]) => disc(board, point, 17, `rgba(var(--table), ${(0.08 + 0.62 * (apart(value) / most) ** 2).toFixed(2)})`, shortNumber(value)));
}

/** The marks of all layers that are switched on. @param {import("./board.js").Board} board @returns {{under: Node[], over: Node[]}} */
export function drawLayers(board) {
  const under = /** @type {Node[]} */ ([]), over = /** @type {Node[]} */ ([]);
  if (state.mode !== "analyse") return { under, over };
  const layers = preferences.layers;
  const cells = /** @type {any[]} */ (state.info?.layers?.cells ?? []);
  if (layers.policy) {
    const most = Math.max(0.0001, ...cells.map(cell => cell.policy));
    for (const cell of cells) {
      if (cell.policy / most < 0.01) continue;
      const [x, y] = board.centre(cell.point);
      const mark = svg("rect", { x: x - 19, y: y - 19, width: 38, height: 38, rx: 6 });
      mark.style.fill = `rgba(var(--heat), ${(0.08 + 0.7 * Math.sqrt(cell.policy / most)).toFixed(3)})`;
      under.push(mark);
    }
  }
  if (layers.values) for (const cell of cells) {
    if (Math.abs(cell.value) < 0.03) continue;
    under.push(...disc(board, cell.point, Math.min(18, 6 + 10 * Math.sqrt(Math.abs(cell.value))), cell.value > 0 ? "rgba(40, 130, 100, .38)" : "rgba(190, 50, 40, .38)", cell.value.toFixed(1)));
  }
  const table = preferences.explained ? shownTable() : undefined;
  if (table) under.push(...drawTable(board, table));
  if (layers.patterns) for (const cell of cells) {
    for (const [color, dy] of /** @type {[string, number][]} */ ([["black", -5], ["white", 6]])) {
      const word = PATTERNS[cell[color].class];
      if (!word) continue;
      const [x, y] = board.centre(cell.point);
      under.push(text(`layer-text of-${color}`, x, y + dy, word));
    }
  }
  if (layers.threats) for (const cell of cells) {
    for (const [color, dx] of /** @type {[string, number][]} */ ([["black", -8], ["white", 8]])) {
      const rank = THREATS[cell[color].class];
      if (!rank) continue;
      const [x, y] = board.centre(cell.point);
      over.push(svg("rect", { x: x + dx - 7, y: y - 8, width: 14, height: 16, rx: 4, fill: color === "black" ? "#1a1a1c" : "#fbf9f3", stroke: rank[1], "stroke-width": 2 }), text(`layer-text on-${color}`, x + dx, y + 0.5, rank[0]));
    }
  }
  if (layers.forbidden && !state.info?.end) for (const { point } of state.info?.forbidden ?? []) over.push(cross(board, point));
  return { under, over };
}

/** The sign of a forbidden point. @param {import("./board.js").Board} board @param {string} point */
export function cross(board, point) {
  const [x, y] = board.centre(point);
  return svg("path", { class: "forbid", d: `M${x - 7},${y - 7} l14,14 m0,-14 l-14,14` });
}

/** What the table on the board says of a point, in words; empty without one. @param {string | null} point */
export function tableWords(point) {
  const table = preferences.explained ? shownTable() : undefined;
  const value = table && point ? table.points[point] : undefined;
  return table && value !== undefined ? `${preferences.explained}, ${t(table.name)}: ${shortNumber(value)} (${t(table.meaning)})` : "";
}
