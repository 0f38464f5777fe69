/** Opening and saving games: files, pasted text, links. @module */
import { emit, reset, refresh, state } from "./state.js";
import { Tree, lineEnd, write } from "./tree.js";
import { toast } from "./dom.js";
import { ask } from "./wire.js";
import { readLink } from "./share.js";
import { t } from "./words.js";

/** A tree as the program tells it: nodes in order, each with the place of its parent. @param {any} game */
function plant(game) {
  const tree = new Tree();
  /** @type {import("./tree.js").Node[]} */
  const nodes = [tree.root];
  tree.root.comment = game.comment ?? "";
  for (const entry of game.nodes) {
    const node = tree.add(nodes[entry.parent], entry.move);
    node.comment = [node.comment, entry.comment].filter(Boolean).join("\n");
    // Our own JSON holds what was found out as well.
    node.black ??= entry.black ?? null;
    node.visits ||= entry.visits ?? 0;
    node.review ??= entry.review ?? null;
    nodes.push(node);
  }
  return tree;
}

/** @param {any} game */
export function show(game) {
  const tree = plant(game);
  reset({ rule: game.rule ?? state.rule, size: game.size, tree, node: lineEnd(tree.root), mode: state.mode === "review" ? "review" : "analyse", seats: [{ kind: "human" }, { kind: "human" }], header: game.header ?? {} });
  emit("mode");
  refresh().catch(error => emit("fault", error));
}

/** Opens whatever this is. @param {string | Blob} source @param {string} [name] @returns {Promise<any[]>} */
export async function open(source, name = "") {
  if (typeof source === "string") {
    const text = source.trim();
    const hash = text.includes("#") && text.includes("moves=") ? text.slice(text.indexOf("#")) : "";
    if (hash) {
      const linked = readLink(hash);
      if (linked) { openLinked(linked); return []; }
    }
    source = new Blob([text]);
  }
  const own = await ownJson(source);
  if (own) {
    const tree = plant(own);
    openLinked({ rule: own.rule ?? state.rule, size: own.size, tree, node: lineEnd(tree.root), header: own.header ?? {} });
    toast(t("opened", { n: lineEnd(tree.root).ply }));
    return [];
  }
  const query = new URLSearchParams({ name, rule: state.rule, size: String(state.size) });
  const answer = await ask(`import?${query}`, source);
  show(answer.games[0]);
  toast(answer.games.length > 1 ? t("openedMany", { count: answer.games.length }) : t("opened", { n: lineEnd(state.tree.root).ply }));
  if (answer.problems.length) emit("problems", answer.problems);
  return answer.games;
}

/** A game that {@link save} wrote as JSON; nothing if it is something else. @param {Blob} source */
async function ownJson(source) {
  if (source.size > 4e6 || (await source.slice(0, 1).text()) !== "{") return null;
  try {
    const game = JSON.parse(await source.text());
    const sound = Array.isArray(game.nodes) && game.nodes.length <= 20000 && game.nodes.every((/** @type {any} */ node, /** @type {number} */ i) => Number.isInteger(node.parent) && node.parent >= 0 && node.parent <= i && /^[a-v]\d{1,2}$/.test(node.move));
    return sound && Number.isInteger(game.size) && game.size >= 5 && game.size <= 22 ? game : null;
  } catch { return null; }
}

/** @param {NonNullable<ReturnType<typeof readLink>> & {header?: Record<string, string>}} linked */
export function openLinked(linked) {
  const { rule, size } = state;
  reset({ ...linked, mode: "analyse", seats: [{ kind: "human" }, { kind: "human" }] });
  emit("mode");
  refresh().catch(error => {
    emit("fault", error);
    reset({ rule, size });
    refresh().catch(again => emit("fault", again));
  });
}

/** The game in a format. @param {string} format @returns {Promise<Blob>} */
export async function save(format) {
  if (format === "json") return new Blob([JSON.stringify({ rule: state.rule, size: state.size, moves: write(state.tree), comment: state.tree.root.comment, header: state.header, nodes: flat(true) }, null, 1)], { type: "application/json" });
  return ask("export", { format, rule: state.rule, size: state.size, comment: state.tree.root.comment, header: state.header, nodes: flat(false) });
}

/** @param {boolean} values */
function flat(values) {
  const places = new Map([[state.tree.root, 0]]);
  const nodes = [];
  for (const node of state.tree.walk()) {
    if (!node.parent) continue;
    places.set(node, places.size);
    const entry = /** @type {any} */ ({ parent: places.get(node.parent), move: node.move, comment: node.comment });
    if (values) Object.assign(entry, { black: node.black, visits: node.visits, review: node.review });
    nodes.push(entry);
  }
  return nodes;
}
