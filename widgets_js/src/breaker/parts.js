// The model's file, which comes in parts: each is fetched once and kept by the browser.
import { Room } from "./room.js";

/** @typedef {{name: string, bytes: number, sha256: string, parts: {name: string, bytes: number}[]}} Manifest */

const PREFIX = "course-model-";

/**
 * Fetch the parts that are not kept yet. What came before a break need not come again.
 * @param {string} baseUrl
 * @param {import("./engine.js").OnProgress} onProgress
 * @returns {Promise<Room>}
 */
export async function fetchModel(baseUrl, onProgress) {
  const answer = await fetch(`${baseUrl}manifest.json`);
  if (!answer.ok) throw new Error("this site was built without the model");
  const /** @type {Manifest} */ manifest = await answer.json();
  const kept = await openCache(PREFIX + manifest.sha256), room = new Room(manifest.bytes);
  let loaded = 0;
  for (const { name, bytes } of manifest.parts) {
    const url = baseUrl + name, start = loaded, before = await kept?.match(url), response = before ?? (await fetch(url));
    if (!response.ok || !response.body) throw new Error(`${name} could not be fetched: ${response.status} ${response.statusText}`);
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (loaded + value.length > start + bytes) throw new Error(`${name} is longer than it should be`);
      room.file.set(value, loaded);
      onProgress({ loaded: (loaded += value.length), total: manifest.bytes });
    }
    if (loaded < start + bytes) throw new Error(`${name} came only in part; load again to go on`);
    // Where there is no room to keep it, the model works all the same.
    if (!before) await kept?.put(url, new Response(room.file.slice(start, loaded))).catch(() => {});
  }
  return room;
}

/**
 * The cache of this model's file; those of other models go. A page without https has none.
 * @param {string} name
 */
async function openCache(name) {
  if (!("caches" in globalThis)) return undefined;
  for (const other of await caches.keys()) if (other.startsWith(PREFIX) && other !== name) await caches.delete(other);
  return caches.open(name);
}
