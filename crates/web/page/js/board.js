/** The board: a drawing with a grid of focusable points on top. @module */
import { el, svg } from "./dom.js";
import { t } from "./words.js";

const CELL = 40, MARGIN = 24, RIM = 8;

/** @param {string} name @param {number} size @returns {[number, number]} */
export const parsePoint = (name, size) => [name.charCodeAt(0) - 97, size - Number(name.slice(1))];
/** @param {number} x @param {number} y @param {number} size */
export const pointName = (x, y, size) => String.fromCharCode(97 + x) + (size - y);

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {{play: (point: string) => void, hover: (point: string | null) => void}} listener
   */
  constructor(host, listener) {
    this.host = host;
    this.listener = listener;
    this.size = 0;
    this.coordinates = true;
    /** @type {Map<string, SVGElement>} */
    this.stones = new Map();
    /** @type {Map<string, HTMLButtonElement>} */
    this.points = new Map();
    /** @type {string | null} */
    this.focus = null;
    this.resize(15);
  }

  /** Draws an empty board. @param {number} size */
  resize(size) {
    if (size === this.size && this.drawnCoordinates === this.coordinates) return;
    this.size = size;
    this.drawnCoordinates = this.coordinates;
    const margin = this.coordinates ? MARGIN : RIM;
    const whole = size * CELL + margin + RIM;
    this.origin = margin;
    // The wood and its lines stay as they are; what changes is drawn on a sheet of its own above them.
    const drawing = svg("svg", { viewBox: `0 0 ${whole} ${whole}`, "aria-hidden": "true" });
    const sheet = svg("svg", { class: "sheet", viewBox: `0 0 ${whole} ${whole}`, "aria-hidden": "true" });
    sheet.append(definitions());
    const at = (/** @type {number} */ i) => margin + (i + 0.5) * CELL;
    const top = (/** @type {number} */ i) => RIM + (i + 0.5) * CELL;
    const lines = svg("g", { class: "grid" });
    for (let i = 0; i < size; i++) {
      lines.append(svg("line", { x1: at(i), x2: at(i), y1: top(0), y2: top(size - 1) }), svg("line", { x1: at(0), x2: at(size - 1), y1: top(i), y2: top(i) }));
    }
    drawing.append(lines, svg("rect", { class: "edge", x: at(0), y: top(0), width: (size - 1) * CELL, height: (size - 1) * CELL }));
    for (const [x, y] of stars(size)) drawing.append(svg("circle", { class: "star", cx: at(x), cy: top(y), r: 4 }));
    if (this.coordinates) {
      for (let i = 0; i < size; i++) {
        drawing.append(text("coord", at(i), whole - 13, String.fromCharCode(97 + i)), text("coord", 13, top(i), String(size - i)));
      }
    }
    this.layersUnder = svg("g");
    this.under = svg("g");
    this.stoneLayer = svg("g");
    this.layersOver = svg("g");
    this.over = svg("g");
    this.line = svg("g");
    sheet.append(this.layersUnder, this.under, this.stoneLayer, this.layersOver, this.over, this.line);
    const grid = el("div", { class: "points", role: "grid", "aria-label": t("board") });
    grid.style.left = `${(margin / whole) * 100}%`;
    grid.style.top = `${(RIM / whole) * 100}%`;
    grid.style.width = grid.style.height = `${((size * CELL) / whole) * 100}%`;
    grid.style.gridTemplate = `repeat(${size}, 1fr) / repeat(${size}, 1fr)`;
    this.points.clear();
    for (let y = 0; y < size; y++) {
      const row = el("div", { class: "row", role: "row" });
      for (let x = 0; x < size; x++) {
        const name = pointName(x, y, size);
        const button = el("button", { role: "gridcell", tabIndex: -1, "data-point": name, type: "button" });
        this.points.set(name, button);
        row.append(button);
      }
      grid.append(row);
    }
    const pointOf = (/** @type {Event} */ event) => /** @type {HTMLElement} */ (event.target).getAttribute?.("data-point");
    grid.addEventListener("click", (/** @type {Event} */ event) => { const point = pointOf(event); if (point) this.listener.play(point); });
    grid.addEventListener("pointerover", (/** @type {Event} */ event) => this.listener.hover(pointOf(event) ?? null));
    grid.addEventListener("pointerleave", () => this.listener.hover(null));
    grid.addEventListener("focusin", (/** @type {Event} */ event) => { const point = pointOf(event); if (point) { this.#rove(point); this.listener.hover(point); } });
    grid.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.host.replaceChildren(drawing, sheet, grid);
    this.stones.clear();
    const middle = size >> 1;
    this.focus = null;
    this.#rove(pointName(middle, middle, size));
  }

  /** @param {string} point */
  #rove(point) {
    if (this.focus) this.points.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = point;
    this.points.get(point)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const step = steps[event.key];
    if (!step || !this.focus || event.ctrlKey || event.altKey || event.metaKey) return;
    const [x, y] = parsePoint(this.focus, this.size);
    const clamp = (/** @type {number} */ v) => Math.max(0, Math.min(this.size - 1, v));
    this.focusPoint(pointName(clamp(x + step[0]), clamp(y + step[1]), this.size));
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} [point] */
  focusPoint(point = this.focus ?? undefined) { if (point) this.points.get(point)?.focus(); }

  /** @param {string} point @returns {[number, number]} */
  centre(point) {
    const [x, y] = parsePoint(point, this.size);
    return [/** @type {number} */ (this.origin) + (x + 0.5) * CELL, RIM + (y + 0.5) * CELL];
  }

  /**
   * Shows the stones of a game.
   * @param {string[]} moves
   * @param {{numbers: boolean, forbidden: Map<string, string>, firstColor?: number}} look
   */
  setStones(moves, look) {
    const wanted = new Map(moves.map((move, ply) => [move, ply]));
    for (const [point, stone] of this.stones) {
      const ply = wanted.get(point);
      if (ply === undefined || stone.dataset.color !== String(ply % 2)) { stone.remove(); this.stones.delete(point); }
    }
    moves.forEach((move, ply) => {
      let stone = this.stones.get(move);
      if (!stone) {
        stone = this.#stone(move, ply % 2, ply === moves.length - 1);
        this.stones.set(move, stone);
        this.stoneLayer?.append(stone);
      }
      stone.querySelector(".number")?.remove();
      if (look.numbers) {
        const [x, y] = this.centre(move);
        const number = text("number", x, y + 0.5, String(ply + 1));
        number.setAttribute("fill", ply % 2 ? "#222" : "#f3f0e8");
        stone.append(number);
      }
    });
    for (const [name, button] of this.points) {
      const ply = wanted.get(name);
      const why = look.forbidden.get(name);
      let label = ply === undefined ? t("emptyPoint", { point: name }) : t("stonePoint", { point: name, color: t(ply % 2 ? "white" : "black"), number: ply + 1 });
      if (ply !== undefined && ply === moves.length - 1) label += `, ${t("lastPoint")}`;
      if (ply === undefined && why) label += `, ${t("forbiddenPoint", { why: t(why) })}`;
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    }
  }

  /** @param {string} point @param {number} color @param {boolean} fresh */
  #stone(point, color, fresh) {
    const [x, y] = this.centre(point);
    const stone = svg("g", { class: fresh ? "stone new" : "stone", "data-color": color });
    stone.append(svg("circle", { class: "cast", cx: x + 1.6, cy: y + 2.6, r: 17.6 }), svg("circle", { cx: x, cy: y, r: 17.8, fill: color ? "url(#white)" : "url(#black)" }));
    return stone;
  }

  /** Puts what changes with the position only under and over the stones. @param {Node[]} under @param {Node[]} over */
  setLayers(under, over) { this.layersUnder?.replaceChildren(...under); this.layersOver?.replaceChildren(...over); }

  /** Puts marks under and over the stones. @param {Node[]} under @param {Node[]} over */
  setMarks(under, over) { this.under?.replaceChildren(...under); this.over?.replaceChildren(...over); }

  /** Shows a line as numbered ghost stones. @param {string[]} moves @param {number} color of the first stone */
  showLine(moves, color) {
    this.line?.replaceChildren(...moves.flatMap((move, i) => {
      if (this.stones.has(move)) return [];
      const ghost = this.#stone(move, (color + i) % 2, false);
      const [x, y] = this.centre(move);
      const number = text("number", x, y + 0.5, String(i + 1));
      number.setAttribute("fill", (color + i) % 2 ? "#222" : "#f3f0e8");
      ghost.append(number);
      ghost.style.opacity = "0.88";
      return [ghost];
    }));
  }

  /** @param {string} point @param {number} color */
  ghost(point, color) { const ghost = this.#stone(point, color, false); ghost.classList.add("ghost"); return ghost; }
}

/** @param {string} cls @param {number} x @param {number} y @param {string} words */
export const text = (cls, x, y, words) => svg("text", { class: cls, x, y }, words);

function definitions() {
  const gradient = (/** @type {string} */ id, /** @type {[number, string][]} */ stops) => svg("radialGradient", { id, cx: 0.36, cy: 0.3, r: 0.78 }, ...stops.map(([offset, color]) => svg("stop", { offset, "stop-color": color })));
  return svg("defs", {}, gradient("black", [[0, "#6b6b6e"], [0.35, "#2e2e31"], [0.8, "#111113"], [1, "#050506"]]), gradient("white", [[0, "#ffffff"], [0.55, "#f6f3ec"], [0.88, "#dcd7cb"], [1, "#c3bdae"]]));
}

/** @param {number} size @returns {[number, number][]} */
function stars(size) {
  if (size % 2 === 0 || size < 9) return size % 2 ? [[size >> 1, size >> 1]] : [];
  const near = size >= 13 ? 3 : 2, far = size - 1 - near, middle = size >> 1;
  return [[near, near], [near, far], [far, near], [far, far], [middle, middle]];
}
