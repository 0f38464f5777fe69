/** What a person has set, kept in the browser. @module */

const DEFAULTS = {
  theme: "auto", language: "", sound: false, coordinates: true, numbers: false, confirm: false, blackView: false, hideNoise: true,
  lines: 8, engine: "", explained: "", table: "", layers: { candidates: true, policy: false, threats: false, forbidden: true, patterns: false, values: false },
  game: { rule: "freestyle", size: 15, opening: "free", opponent: "level:3", side: "first", time: 2, clock: "none", ponder: false }, reviewTime: 0.4,
};

/** @type {typeof DEFAULTS} */
export const preferences = structuredClone(DEFAULTS);
try {
  const kept = JSON.parse(localStorage.getItem("fivestone") ?? "{}");
  Object.assign(preferences, kept, { layers: { ...DEFAULTS.layers, ...kept.layers }, game: { ...DEFAULTS.game, ...kept.game } });
} catch { /* Unreadable or forbidden storage: the defaults are good. */ }
if (!preferences.language) preferences.language = navigator.language.startsWith("zh") ? "zh" : "en";

/** Keeps what is set now. */
export function keep() {
  try { localStorage.setItem("fivestone", JSON.stringify(preferences)); } catch { /* Not kept, then. */ }
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
/** Puts the chosen look on the page. */
export function applyTheme() {
  const dark = preferences.theme === "dark" || (preferences.theme === "auto" && systemDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "wood";
}
systemDark.addEventListener("change", applyTheme);
