/** The windows: new game, open, save, share, settings, help. @module */
import { emit, refresh, state } from "./state.js";
import { byId, el, toast } from "./dom.js";
import { LANGUAGES, setLanguage, t } from "./words.js";
import { applyTheme, keep, preferences } from "./preferences.js";
import { begin } from "./play.js";
import { link } from "./share.js";
import { open, save, show } from "./records.js";

/** @param {string} id @param {string} title @param {(Node | null)[]} content */
function dialog(id, title, content) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const box = el("dialog", { id, "aria-labelledby": `${id}-title`, onclose: () => { box.remove(); before?.focus?.(); }, onclick: (/** @type {Event} */ event) => { if (event.target === box) box.close(); } }, el("h2", { id: `${id}-title` }, title), ...content);
  document.body.append(box);
  box.showModal();
  return box;
}
/** @param {string} label @param {any} control @param {string} [note] */
const field = (label, control, note) => el("label", { class: "field" }, el("span", {}, label), control, note ? el("span", { class: "note" }, note) : null);
/** @param {string} id @param {[any, string][]} options @param {any} chosen @param {(value: string) => void} [changed] */
const select = (id, options, chosen, changed) => el("select", { id, onchange: (/** @type {any} */ event) => changed?.(event.target.value) }, ...options.map(([value, label]) => el("option", { value, selected: String(value) === String(chosen) }, label)));
/** @param {HTMLDialogElement} box */
const closer = (box, key = "close") => el("button", { type: "button", onclick: () => box.close() }, t(key));

const CLOCKS = /** @type {[string, [number, number] | null][]} */ ([["none", null], ["1+3", [1, 3]], ["3+5", [3, 5]], ["5+5", [5, 5]], ["10+10", [10, 10]], ["20+30", [20, 30]]]);

export function newGame() {
  if (!state.catalogue || byId("new-game-dialog")) return;
  const kept = preferences.game;
  const catalogue = state.catalogue;
  const opponents = /** @type {[string, string][]} */ ([
    ...catalogue.levels.map((/** @type {any} */ level) => [`level:${level.level}`, `${t("levelName", { n: level.level, name: t(level.name) })} (${level.rated ? t("rated", { rating: Math.round(level.rated.elo), error: Math.round(level.rated.error) }) : t("unrated")})`]),
    ...catalogue.engines.filter((/** @type {any} */ engine) => engine.name !== "levels").map((/** @type {any} */ engine) => [`engine:${engine.name}`, t("engineOf", { name: engine.name })]),
    ...(catalogue.externals ?? []).map((/** @type {any} */ engine) => [`external:${engine.name}`, t("engineOf", { name: engine.name })]),
    ["human", t("person")], ["watch", t("watch")]]);
  const sizes = /** @type {[number, string][]} */ ([]);
  for (let n = catalogue.sizes[0]; n <= catalogue.sizes[1]; n++) sizes.push([n, `${n}×${n}`]);
  const says = el("span", { class: "quiet", id: "opening-says" }, t(`${kept.opening}Says`));
  const controls = {
    opponent: select("opponent", opponents, kept.opponent), side: select("side", [["first", t("sideFirst")], ["second", t("sideSecond")], ["random", t("sideRandom")]], kept.side),
    rule: select("rule", catalogue.rules.map((/** @type {string} */ rule) => [rule, t(rule)]), kept.rule), size: select("size", sizes, kept.size),
    opening: select("opening", catalogue.openings.map((/** @type {any} */ opening) => [opening.name, t(opening.name)]), kept.opening, value => { says.textContent = t(`${value}Says`); }),
    time: select("time", [0.3, 1, 2, 5, 15, 30].map(s => [s, String(s)]), kept.time), clock: select("clock", CLOCKS.map(([id, clock]) => [id, clock ? t("minutesEach", { m: clock[0], s: clock[1] }) : t("noClock")]), kept.clock),
  };
  const ponder = el("input", { type: "checkbox", id: "ponder", checked: kept.ponder });
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    const value = (/** @type {keyof typeof controls} */ name) => controls[name].value;
    Object.assign(kept, { opponent: value("opponent"), side: value("side"), rule: value("rule"), size: Number(value("size")), opening: value("opening"), time: Number(value("time")), clock: value("clock") });
    kept.ponder = ponder.checked;
    keep();
    box.close();
    begin(setup());
    byId("board").focus();
  };
  // Enter starts the game from every field; the space bar opens a list.
  const enter = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" && /** @type {HTMLElement} */ (event.target).tagName === "SELECT") { event.preventDefault(); form.requestSubmit(); } };
  const form = el("form", { onsubmit: start, onkeydown: enter }, field(t("opponentKind"), controls.opponent), el("div", { class: "two" }, field(t("yourSide"), controls.side), field(t("timePerMove"), controls.time)), el("div", { class: "two" }, field(t("rule"), controls.rule), field(t("size"), controls.size)),
    field(t("openingWord"), controls.opening), says, field(t("clock"), controls.clock), el("label", { class: "check" }, ponder, t("ponder")));
  const box = dialog("new-game-dialog", t("newGame"), [form]);
  form.append(el("div", { class: "actions" }, closer(box, "cancel"), el("button", { class: "primary", id: "start", type: "submit" }, t("start"))));
  controls.opponent.focus();
}

/** The game that the preferences describe. */
export function setup() {
  const kept = preferences.game;
  const [kind, name] = kept.opponent.split(":");
  const human = /** @type {import("./state.js").Seat} */ ({ kind: "human" });
  const engine = /** @type {any} */ (kind === "level" ? { kind, level: Number(name) } : kind === "human" ? human : kind === "watch" ? { kind: "engine", engine: state.catalogue.analyst, time: kept.time } : { kind: "engine", engine: name, time: kept.time, external: kind === "external" });
  const first = kept.side === "first" || (kept.side === "random" && Math.random() < 0.5);
  const clock = CLOCKS.find(([id]) => id === kept.clock)?.[1];
  const me = kind === "watch" ? engine : human;
  return { rule: kept.rule, size: kept.size, opening: kept.opening, seats: /** @type {any} */ (first ? [me, engine] : [engine, me]), clock: clock ? { base: clock[0] * 60, increment: clock[1] } : null };
}

export function openGame() {
  if (byId("open-dialog")) return;
  const area = el("textarea", { id: "open-text", rows: 6, spellcheck: false });
  const many = el("div", {});
  const attempt = async (/** @type {string | Blob} */ source, name = "") => {
    try {
      const games = await open(source, name);
      if (games.length < 2) { box.close(); return; }
      const label = (/** @type {any} */ game, /** @type {number} */ i) => `${i + 1}. ${[game.header?.black, game.header?.white].filter(Boolean).join(" – ") || `${game.nodes.length} ${t("moves")}`}`;
      many.replaceChildren(field(t("chooseGame"), select("which-game", games.map((game, i) => [i, label(game, i)]), 0, value => show(games[Number(value)]))));
    } catch (error) { problem.textContent = /** @type {Error} */ (error).message; }
  };
  const problem = el("p", { class: "mark blunder", role: "alert", id: "open-problem" });
  const file = el("input", { type: "file", id: "open-file", accept: ".psq,.sgf,.lib,.txt,.rec,.pos,.sav,.xml,.rif,.json", onchange: () => { if (file.files[0]) attempt(file.files[0], file.files[0].name); } });
  const box = dialog("open-dialog", t("openTitle"), [el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); attempt(area.value); } }, el("p", { class: "quiet" }, t("openHelp")), field(t("pasteHere"), area), field(t("openFile"), file), problem, many,
    el("div", { class: "actions" }, el("button", { type: "button", onclick: () => box.close() }, t("close")), el("button", { class: "primary", id: "open-it", type: "submit" }, t("openIt"))))]);
  area.focus();
}

export function saveGame() {
  if (byId("save-dialog")) return;
  const format = select("format", [["sgf", t("fmtSgf")], ["psq", t("fmtPsq")], ["lib", t("fmtLib")], ["txt", t("fmtText")], ["json", t("fmtJson")]], "sgf");
  const problem = el("p", { class: "mark blunder", role: "alert" });
  const made = async () => { problem.textContent = ""; return save(format.value); };
  const download = async () => {
    try {
      const url = URL.createObjectURL(await made());
      const anchor = el("a", { href: url, download: `game.${format.value}` });
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(url), 5000);
      box.close();
    } catch (error) { problem.textContent = /** @type {Error} */ (error).message; }
  };
  const copy = async () => { try { await navigator.clipboard.writeText(await (await made()).text()); toast(t("copied")); } catch (error) { problem.textContent = /** @type {Error} */ (error).message; } };
  const box = dialog("save-dialog", t("saveTitle"), [field(t("format"), format), problem, el("div", { class: "actions" }, el("button", { type: "button", onclick: () => box.close() }, t("close")), el("button", { type: "button", id: "copy-record", onclick: copy }, t("copy")), el("button", { type: "button", class: "primary", id: "download", onclick: download }, t("download")))]);
}

export async function shareGame() {
  const url = link();
  history.replaceState(null, "", new URL(url).hash);
  const copied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  if (byId("share-dialog")) return;
  const input = el("input", { type: "text", id: "share-link", readOnly: true, value: url });
  const box = dialog("share-dialog", t("shareTitle"), [el("p", { class: "quiet" }, t("shareHelp")), field(t("sharedLink"), input), el("p", { class: "quiet" }, t(copied ? "copied" : "copyFailed")), el("div", { class: "actions" }, el("button", { type: "button", onclick: () => box.close() }, t("close")))]);
  input.select();
}

export function showSettings() {
  if (byId("settings-dialog")) return;
  const check = (/** @type {"sound" | "coordinates" | "numbers" | "confirm"} */ name, /** @type {string} */ key) => el("label", { class: "check" }, el("input", { type: "checkbox", id: `set-${name}`, checked: preferences[name], onchange: (/** @type {any} */ event) => { preferences[name] = event.target.checked; keep(); emit("look"); } }), t(key));
  const box = dialog("settings-dialog", t("settings"), [el("form", { onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    el("div", { class: "two" }, field(t("theme"), select("theme", [["auto", t("themeAuto")], ["wood", t("themeWood")], ["dark", t("themeDark")]], preferences.theme, value => { preferences.theme = value; keep(); applyTheme(); })),
      field(t("language"), select("language", Object.entries(LANGUAGES), preferences.language, async value => { preferences.language = value; keep(); await setLanguage(value); box.close(); emit("look"); emit("mode"); refresh(); }))),
    check("coordinates", "coordinates"), check("numbers", "numbers"), check("sound", "sound"), check("confirm", "confirmMoves"),
    el("div", { class: "actions" }, el("button", { type: "button", onclick: () => box.close() }, t("close"))))]);
}

/** What could not be read, so that nothing is left out unseen. @param {string[]} problems */
export function showProblems(problems) {
  const box = dialog("problems-dialog", t("problemsTitle"), [el("ul", {}, ...problems.map(problem => el("li", {}, problem))), el("div", { class: "actions" }, el("button", { type: "button", class: "primary", onclick: () => box.close() }, t("close")))]);
}

export function showHelp() {
  if (byId("help-dialog")) { byId("help-dialog").close(); return; }
  const keys = [["B", "keyBoard"], ["← →", "keyNav"], ["Home End", "keyEnds"], ["↑ ↓", "keySiblings"], ["U", "keyUndo"], ["H", "keyHint"], ["N", "keyNew"], ["1 2 3", "keyModes"], ["A", "keyAnalysis"], ["O", "keyOpen"], ["S", "keySave"], ["L", "keyShare"], ["T", "keyTheme"], ["M", "keySound"], ["E", "keySettings"], ["C", "keyContinue"], ["V", "keyReview"], ["X", "keyResign"], ["R", "keyRematch"], ["Del", "keyDelete"], ["P", "keyMain"], ["?", "keyHelp"], ["Esc", "keyEsc"]];
  const box = dialog("help-dialog", t("helpTitle"), [el("p", { class: "quiet" }, t("helpText")), el("div", { class: "keys gap" }, ...keys.flatMap(([key, words]) => [el("span", {}, ...key.split(" ").map(k => el("kbd", {}, k))), el("span", {}, t(words))])), el("div", { class: "actions" }, el("button", { type: "button", onclick: () => box.close() }, t("close")))]);
}
