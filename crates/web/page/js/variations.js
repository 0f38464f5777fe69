/** The moves with their variations. @module */
import { goTo, state } from "./state.js";
import { byId, el } from "./dom.js";
import { t } from "./words.js";

/** Signs behind a judged move. @type {Record<string, string>} */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", "missed-win": "✗", "only-move": "□", forbidden: "⊘" };
const MOST_SHOWN = 3000;

/** Draws the tree. */
export function showVariations() {
  const host = byId("variations");
  let count = 0;
  /** @type {HTMLElement | null} */
  let current = null;
  const button = (/** @type {import("./tree.js").Node} */ node) => {
    const here = node === state.node;
    const made = el("button", { class: "move", type: "button", "aria-current": here ? "true" : null, onclick: () => goTo(node), title: node.comment || null }, node.move ?? "");
    if (node.review?.judgement) made.append(el("span", { class: `mark ${node.review.judgement}`, "aria-label": t(node.review.judgement), role: "img" }, SIGNS[node.review.judgement] ?? ""));
    if (here) current = made;
    count++;
    return made;
  };
  const line = (/** @type {import("./tree.js").Node} */ start, /** @type {HTMLElement} */ into, /** @type {import("./tree.js").Node | null} */ head) => {
    let numbered = false;
    const put = (/** @type {import("./tree.js").Node} */ node) => {
      if (node.ply % 2 || !numbered) into.append(el("span", { class: "n" }, `${node.ply}.`));
      numbered = true;
      into.append(button(node));
    };
    let at = start;
    if (head) put(head), at = head;
    while (at.children.length && count < MOST_SHOWN) {
      const [first, ...others] = at.children;
      put(first);
      for (const other of others) {
        const branch = el("div", { class: "branch" });
        line(other, branch, other);
        into.append(branch);
        numbered = false;
      }
      at = first;
    }
  };
  const all = el("div", {});
  line(state.tree.root, all, null);
  if (!state.tree.root.children.length) all.append(el("span", { class: "quiet" }, t("noMoves")));
  host.replaceChildren(all);
  const shown = /** @type {HTMLElement | null} */ (current);
  if (shown) {
    const box = host.getBoundingClientRect(), spot = shown.getBoundingClientRect();
    if (spot.top < box.top || spot.bottom > box.bottom) host.scrollTop += spot.top - box.top - box.height / 2;
  } else host.scrollTop = 0;
}
