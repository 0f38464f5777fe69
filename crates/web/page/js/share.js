/** Links that hold a whole game. @module */
import { movesTo, state } from "./state.js";
import { lineEnd, read, write } from "./tree.js";

/** A link to the game at hand. */
export function link() {
  const parts = new URLSearchParams({ rule: state.rule, size: String(state.size), moves: write(state.tree), at: movesTo(state.node).join("") });
  const url = new URL(location.href);
  url.search = "";
  url.hash = parts.toString();
  return url.href;
}

/**
 * Reads a link, or only its part after the #.
 * @param {string} hash
 * @returns {{rule: string, size: number, tree: import("./tree.js").Tree, node: import("./tree.js").Node} | null} null when it holds no game
 */
export function readLink(hash) {
  const parts = new URLSearchParams(hash.slice(hash.indexOf("#") + 1));
  const moves = parts.get("moves");
  if (moves === null) return null;
  const size = Number(parts.get("size") ?? 15), rule = parts.get("rule") ?? "freestyle";
  if (!Number.isInteger(size) || size < 5 || size > 22) throw new Error(`size ${parts.get("size")}`);
  const tree = read(moves);
  let node = tree.root;
  for (const move of (parts.get("at") ?? "").match(/[a-v]\d{1,2}/g) ?? []) {
    const child = node.children.find(child => child.move === move);
    if (!child) break;
    node = child;
  }
  return { rule, size, tree, node: parts.has("at") ? node : lineEnd(tree.root) };
}
