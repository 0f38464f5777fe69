/** The win-rate graph of the line at hand. @module */
import { goTo, lineEnd, path, state } from "./state.js";
import { byId, svg } from "./dom.js";
import { percent, t } from "./words.js";

/** What the graph shows now; drawn again only when it changes. */
let drawn = "";

/** Draws the graph and the bar beside the board. */
export function showGraph() {
  const nodes = [state.tree.root, ...path(lineEnd(state.node))];
  showBar();
  const content = nodes.map(node => `${node.id} ${node.black?.toFixed(2)} ${node.review?.judgement ?? ""}`).join() + state.node.id + document.documentElement.lang;
  if (content === drawn) return;
  drawn = content;
  const host = byId("graph");
  const last = Math.max(8, nodes.length - 1);
  const drawing = svg("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img" });
  const known = nodes.filter(node => node.black !== null);
  const label = known.length ? known.map(node => `${node.ply}: ${percent(/** @type {number} */ (node.black))}`).slice(-12).join(", ") : t("winRate");
  drawing.setAttribute("aria-label", `${t("winRate")} (${t("black")}): ${label}`);
  drawing.append(svg("line", { class: "half", x1: 0, x2: 1000, y1: 50, y2: 50 }));
  const x = (/** @type {number} */ ply) => (ply / last) * 1000, y = (/** @type {number} */ black) => 97 - black * 94;
  if (known.length > 1) {
    const points = known.map(node => `${x(node.ply).toFixed(1)},${y(/** @type {number} */ (node.black)).toFixed(1)}`);
    drawing.append(svg("path", { class: "area", d: `M${x(known[0].ply)},100 L${points.join(" L")} L${x(known[known.length - 1].ply)},100 Z` }), svg("polyline", { class: "curve", points: points.join(" ") }));
  } else if (known.length === 1) drawing.append(svg("circle", { cx: x(known[0].ply), cy: y(/** @type {number} */ (known[0].black)), r: 5, class: "spot" }));
  for (const node of nodes) if (node.review?.judgement) drawing.append(svg("rect", { class: `spot ${node.review.judgement}`, x: x(node.ply) - 3.5, y: 0, width: 7, height: 9 }));
  drawing.append(svg("line", { class: "here", x1: x(state.node.ply), x2: x(state.node.ply), y1: 0, y2: 100 }));
  drawing.addEventListener("click", event => {
    const box = drawing.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * last);
    goTo(nodes[Math.max(0, Math.min(nodes.length - 1, ply))]);
  });
  host.replaceChildren(drawing);
}

/** The bar beside the board: the latest value on the way to the position at hand. */
function showBar() {
  let at = /** @type {import("./tree.js").Node | null} */ (state.node);
  while (at && at.black === null) at = at.parent;
  const bar = byId("winbar"), black = state.info?.end ? (state.info.end.winner === "black" ? 1 : state.info.end.winner === "white" ? 0 : 0.5) : at?.black ?? 0.5;
  bar.firstElementChild.style.transform = `scaleY(${black.toFixed(4)})`;
  const hidden = state.mode === "play" && !state.info?.end && !state.result;
  bar.classList.toggle("off", hidden);
  byId("graph-card").hidden = hidden;
  bar.setAttribute("aria-label", `${t("winRate")}: ${t("black")} ${percent(black)}`);
}
