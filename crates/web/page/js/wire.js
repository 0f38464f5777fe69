/** The way to the program: questions with one answer, and the live stream of searches. @module */

/** A refused request. */
export class Refused extends Error {}

/**
 * Asks and waits for the answer.
 * @param {string} path
 * @param {unknown} [body] JSON, or bytes as a Blob
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const bytes = body instanceof Blob;
  const init = body === undefined ? {} : { method: "POST", headers: { "content-type": bytes ? "application/octet-stream" : "application/json" }, body: bytes ? body : JSON.stringify(body) };
  const response = await fetch(`api/${path}`, init);
  if (response.ok) return (response.headers.get("content-type") ?? "").includes("json") ? response.json() : response.blob();
  const answer = await response.json().catch(() => ({}));
  throw new Refused(answer.error ?? `${response.status}`);
}

/** @type {WebSocket | null} */
let socket = null;
let nextId = 1;
/** @type {Map<number, {request: any, hear: (message: any) => void}>} */
const searches = new Map();
/** @type {Set<(connected: boolean) => void>} */
const watchers = new Set();
let patience = 250;

/** Calls back whenever the stream comes or goes. @param {(connected: boolean) => void} watcher */
export function watchConnection(watcher) { watchers.add(watcher); }

/** Opens the stream and keeps it open. */
export function connect() {
  const url = new URL("api/live", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  url.search = "";
  socket = new WebSocket(url);
  socket.onopen = () => {
    patience = 250;
    for (const { request } of searches.values()) socket?.send(JSON.stringify(request));
    watchers.forEach(watcher => watcher(true));
  };
  socket.onmessage = event => {
    const message = JSON.parse(event.data);
    const search = searches.get(message.id);
    if (!search) return;
    if (["done", "acted", "solved", "error"].includes(message.is)) searches.delete(message.id);
    search.hear(message);
  };
  socket.onclose = () => {
    watchers.forEach(watcher => watcher(false));
    if (left) return;
    setTimeout(connect, patience);
    patience = Math.min(patience * 2, 5000);
  };
}

let left = false;
// A page that goes says so: its searches end before the browser has cleared it away.
addEventListener("pagehide", () => { left = true; socket?.close(); });
addEventListener("pageshow", () => { if (left) { left = false; connect(); } });

/**
 * Starts a search; answers a function that stops it.
 * @param {Record<string, unknown>} request
 * @param {(message: any) => void} hear
 * @returns {() => void}
 */
export function search(request, hear) {
  const id = nextId++;
  const numbered = { ...request, id };
  searches.set(id, { request: numbered, hear });
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(numbered));
  return () => {
    if (searches.delete(id) && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: "stop", id }));
  };
}
