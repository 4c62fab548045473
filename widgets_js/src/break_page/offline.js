// The page and what it needs are kept by the browser, and shown where there is no network: see
// src/service_worker.js. The model's parts have a cache of their own.

export const KEPT = "course-page";

/**
 * Keep this page, all that it has fetched so far, and more; what no visit needs any longer goes.
 * @param {string[]} [more] addresses
 */
export async function keepPage(more = []) {
  if (!location.protocol.startsWith("http") || !navigator.serviceWorker) return; // a file has none, nor a page without https
  try {
    const cache = await caches.open(KEPT), page = location.href.split("#")[0];
    const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
    const wanted = new Set([page, ...fetched, ...more].filter((url) => url.startsWith(location.origin) && !/\/model\.\d+$/.test(url)));
    await Promise.all([...wanted].map(async (url) => {
      const answer = await fetch(url);
      if (answer.ok) await cache.put(url, answer);
    }));
    await navigator.serviceWorker.register(new URL("../service_worker.js", page));
  } catch {
    // Without a network, or without room: what was kept before stays.
  }
}
