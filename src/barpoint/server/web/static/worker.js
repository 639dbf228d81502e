// The service worker: shows messages that come while no page of this server is open, opens the page that they are about,
// and answers with a small page that says so when the server cannot be reached. It keeps that page and nothing else.

/**
 * What this worker uses of its global scope, which the checker's types for pages do not know.
 * @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} WorkerEvent
 * @typedef {WorkerEvent & {data: {json: () => Record<string, unknown>} | null}} PushEvent
 * @typedef {WorkerEvent & {notification: Notification}} ClickEvent
 * @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} FetchEvent
 * @typedef {{url: string, focus: () => Promise<unknown>}} OpenPage
 * @typedef {object} Scope
 * @property {ServiceWorkerRegistration} registration
 * @property {{matchAll: (which: Record<string, unknown>) => Promise<OpenPage[]>, openWindow: (path: string) => Promise<unknown>}} clients
 * @property {() => Promise<void>} skipWaiting
 * @property {((kind: "install", listener: (event: WorkerEvent) => void) => void)
 *   & ((kind: "activate", listener: (event: WorkerEvent) => void) => void)
 *   & ((kind: "fetch", listener: (event: FetchEvent) => void) => void)
 *   & ((kind: "push", listener: (event: PushEvent) => void) => void)
 *   & ((kind: "notificationclick", listener: (event: ClickEvent) => void) => void)} addEventListener
 */
const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));

/** The page for being off line, and what it is made of. */
const OFFLINE = "/offline";
const KEPT = [OFFLINE, "/static/palette.css", "/static/page.css", "/static/scheme.js", "/static/offline.js", "/static/icon.svg"];
const CACHE = "offline-1";

/** Fetches anew what the page is made of, so that it looks like the others of its day. */
const keepOffline = async () => (await caches.open(CACHE)).addAll(KEPT.map((path) => new Request(path, { cache: "reload" })));

worker.addEventListener("install", (event) => {
  event.waitUntil(keepOffline().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))));
});

/** The server's answer; where there is none, what is kept. @param {Request} request @param {string} kept  a path */
async function answer(request, kept) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(kept);
    if (found) return found;
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(answer(request, OFFLINE));
  else if (origin === location.origin && KEPT.includes(pathname)) event.respondWith(answer(request, pathname));
});

/** How long the server is waited for before a message is shown. */
const PATIENCE_MS = 5000;

/** Whether the session has ended in which this browser was subscribed. What cannot be asked has not. @param {PushSubscription} subscription */
async function hasEnded({ endpoint }) {
  const answer = await fetch("/account/push/known", { method: "POST", body: new URLSearchParams({ endpoint }), signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
  const said = answer?.ok ? await answer.json().catch(() => null) : null;
  return answer?.status === 403 || said?.subscribed === false;
}

/** Shows a message, unless it is for an account that uses this browser no more: then the subscription ends. @param {Record<string, unknown>} message */
async function tell({ title, text, path, topic }) {
  const subscription = await worker.registration.pushManager.getSubscription();
  if (subscription && await hasEnded(subscription)) {
    await subscription.unsubscribe(); // the push service tells the server at the next message
    return;
  }
  const tag = String(topic ?? "");
  const safe = typeof path === "string" && path.startsWith("/") && !path.startsWith("//") ? path : "/";
  const options = { body: String(text ?? ""), tag, renotify: tag !== "", icon: "/static/icon.svg", data: { path: safe } };
  await worker.registration.showNotification(String(title ?? "Barpoint"), options);
}

worker.addEventListener("push", (event) => event.waitUntil(tell(event.data?.json() ?? {})));

/** Focuses the page with a path where it is open, else opens it. @param {string} path */
async function show(path) {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find((page) => new URL(page.url).pathname === path);
  if (there) await there.focus();
  else await worker.clients.openWindow(path);
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? "/"));
});
