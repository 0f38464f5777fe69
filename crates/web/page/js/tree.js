/** The game tree: moves, variations, comments and values. @module */

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {string | null} move the point's name; null at the root
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {number} ply
 * @property {string} comment
 * @property {number | null} black win probability of Black after this move
 * @property {number} visits
 * @property {any} review
 */

export class Tree {
  constructor() {
    this.nextId = 0;
    /** @type {Node} */
    this.root = this.#make(null, null);
  }

  /** @param {string | null} move @param {Node | null} parent @returns {Node} */
  #make(move, parent) {
    return { id: this.nextId++, move, parent, children: [], ply: parent ? parent.ply + 1 : 0, comment: "", black: null, visits: 0, review: null };
  }

  /** The node of a move, made if there is none. @param {Node} parent @param {string} move */
  add(parent, move) {
    const known = parent.children.find(child => child.move === move);
    if (known) return known;
    const node = this.#make(move, parent);
    parent.children.push(node);
    return node;
  }

  /** Follows moves from the root. @param {string[]} moves */
  follow(moves) { return moves.reduce((node, move) => this.add(node, move), this.root); }

  /** @param {Node} node */
  remove(node) {
    if (node.parent) node.parent.children = node.parent.children.filter(child => child !== node);
    return node.parent ?? node;
  }

  /** Makes the line to a node the main line. @param {Node} node */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const children = at.parent.children;
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  /** Whether a node is still in the tree. @param {Node} node */
  holds(node) {
    let at = node;
    while (at.parent) { if (!at.parent.children.includes(at)) return false; at = at.parent; }
    return at === this.root;
  }

  /** Every node. @returns {Generator<Node>} */
  *walk(node = this.root) {
    const stack = [node];
    while (stack.length) {
      const at = /** @type {Node} */ (stack.pop());
      yield at;
      for (let i = at.children.length - 1; i >= 0; i--) stack.push(at.children[i]);
    }
  }
}

/** The nodes from the first move to this one. @param {Node} node */
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
  return nodes;
}

/** The moves to a node. @param {Node} node */
export const movesTo = node => path(node).map(at => /** @type {string} */ (at.move));

/** The last node of the line through a node. @param {Node} node */
export function lineEnd(node) {
  while (node.children.length) node = node.children[0];
  return node;
}

/** The tree as text: moves, with variations in brackets after the move they replace. @param {Tree} tree */
export function write(tree) {
  const line = (/** @type {Node} */ node) => {
    let text = "";
    /** @type {Node | undefined} */
    let at = node;
    while (at && at.children.length) {
      /** @type {Node[]} */
      const [first, ...others] = at.children;
      text += first.move;
      for (const other of others) text += `(${other.move}${line(other)})`;
      at = first;
    }
    return text;
  };
  return line(tree.root);
}

/** Reads what {@link write} wrote. @param {string} text */
export function read(text) {
  const tree = new Tree();
  let at = tree.root;
  /** @type {Node[]} */
  const stack = [];
  for (const token of text.match(/[a-v]\d{1,2}|[()]|\S/gi) ?? []) {
    if (token === "(") {
      stack.push(at);
      if (!at.parent) throw new Error("a variation before the first move");
      at = at.parent;
    } else if (token === ")") {
      const back = stack.pop();
      if (!back) throw new Error("a bracket too many");
      at = back;
    } else if (/^[a-v]\d+$/i.test(token)) at = tree.add(at, token.toLowerCase());
    else throw new Error(`"${token}" is not a move`);
    if (tree.nextId > 20000) throw new Error("too many moves");
  }
  return tree;
}
