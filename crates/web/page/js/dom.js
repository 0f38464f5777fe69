/** Making elements without any markup in strings. @module */

/**
 * An element with properties and children.
 * @param {string} tag
 * @param {Record<string, any>} [properties] `on…` are listeners, `class` and `aria-…` attributes
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {any}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-") && name !== "list" && name !== "form") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {string} id @returns {any} */
export const byId = id => document.getElementById(id);

let toastTimer = 0;
/** Says something for a moment. @param {string} text */
export function toast(text) {
  const element = byId("toast");
  element.textContent = text;
  element.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => element.classList.remove("shown"), 3500);
}

/** Tells a screen reader. @param {string} text */
export const announce = text => { byId("announce").textContent = text; };
