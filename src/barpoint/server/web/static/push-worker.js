// Shows messages that come while no page of this server is open, and opens what they are about.
// It runs in the browser beside the pages; it sees nothing of them and keeps nothing.

/** @type {any} */
const worker = self;

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, text, path, topic } = event.data?.json() ?? {};
  const safe = typeof path === "string" && path.startsWith("/") && !path.startsWith("//") ? path : "/";
  event.waitUntil(worker.registration.showNotification(String(title ?? "Barpoint"), {
    body: String(text ?? ""), tag: String(topic ?? ""), icon: "/static/icon.svg", data: { path: safe },
  }));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const path = event.notification.data?.path ?? "/";
    const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((/** @type {any} */ page) => new URL(page.url).pathname === path);
    if (there) await there.focus();
    else await worker.clients.openWindow(path);
  })());
});
