/** The words of the page in the chosen language. @module */
import en from "../lang/en.js";

/** Languages by code; all but English are loaded when chosen. */
export const LANGUAGES = { en: "English", zh: "中文" };

/** @type {Record<string, string>} */
let words = en;

/** Chooses a language. @param {string} code */
export async function setLanguage(code) {
  words = code === "en" ? en : (await import(`../lang/${code}.js`)).default;
  document.documentElement.lang = code === "zh" ? "zh-Hans" : code;
  translate(document);
}

/**
 * A sentence with its blanks filled in.
 * @param {string} key
 * @param {Record<string, unknown>} [blanks]
 */
export function t(key, blanks = {}) {
  const sentence = words[key] ?? en[/** @type {keyof typeof en} */ (key)] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (all, name) => (name in blanks ? String(blanks[name]) : all));
}

/** Puts words on everything that asks for them. @param {ParentNode} root */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.getAttribute("data-t") ?? "");
  for (const element of root.querySelectorAll("[data-t-label]")) {
    const label = t(element.getAttribute("data-t-label") ?? "");
    element.setAttribute("aria-label", label);
    if (element.tagName === "BUTTON") element.setAttribute("title", label);
  }
}

/** A share as a percentage. @param {number} share */
export const percent = share => `${(share * 100).toFixed(share > 0.0005 && share < 0.9995 ? 1 : 0)} %`;

/** A large number, short. @param {number} count */
export const short = count => count >= 1e6 ? `${(count / 1e6).toFixed(1)}M` : count >= 1e4 ? `${Math.round(count / 1e3)}k` : count >= 1e3 ? `${(count / 1e3).toFixed(1)}k` : String(Math.round(count));
