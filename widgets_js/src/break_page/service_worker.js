// Where there is no network, the pages that this browser keeps are shown as they were: offline.js keeps them.
import { KEPT } from "./offline.js";

const worker = /** @type {any} */ (self);
worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const /** @type {Request} */ request = event.request;
  if (request.method !== "GET" || !request.url.startsWith(location.origin)) return;
  const kept = async () => (await caches.match(request, { cacheName: KEPT })) ?? Response.error();
  event.respondWith(fetch(request).catch(kept));
});
