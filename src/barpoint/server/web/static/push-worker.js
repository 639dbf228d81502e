// The service worker for notifications: shows messages that come while no page of this server is open, and opens the page
// that they are about. It runs in the browser beside the pages, sees nothing of them and keeps nothing.

/**
 * What this worker uses of its global scope, which the checker's types for pages do not know.
 * @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} WorkerEvent
 * @typedef {WorkerEvent & {data: {json: () => Record<string, unknown>} | null}} PushEvent
 * @typedef {WorkerEvent & {notification: Notification}} ClickEvent
 * @typedef {{url: string, focus: () => Promise<unknown>}} OpenPage
 * @typedef {object} Scope
 * @property {ServiceWorkerRegistration} registration
 * @property {{matchAll: (which: Record<string, unknown>) => Promise<OpenPage[]>, openWindow: (path: string) => Promise<unknown>}} clients
 * @property {((kind: "push", listener: (event: PushEvent) => void) => void)
 *   & ((kind: "notificationclick", listener: (event: ClickEvent) => void) => void)} addEventListener
 */
const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));

worker.addEventListener("push", (event) => {
  const { title, text, path, topic } = event.data?.json() ?? {};
  const safe = typeof path === "string" && path.startsWith("/") && !path.startsWith("//") ? path : "/";
  event.waitUntil(worker.registration.showNotification(String(title ?? "Barpoint"), {
    body: String(text ?? ""), tag: String(topic ?? ""), icon: "/static/icon.svg", data: { path: safe },
  }));
});

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
